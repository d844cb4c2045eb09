"""Python's garbage collector, kept to the window's thread."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 100
BUSY_INTERVAL_MS = 30
"""While workers make very many objects: little is walked through at a time."""
BUSY_LOOKS = 60
"""So often it looks at that interval after it found very many."""
MANY_NEW = 20_000
"""New objects at one look from which they are taken for records of a design or a result."""
LARGE_CHANGE = 20_000
"""Records that come in one go from which it is worth to keep the collector from walking through them."""


_makers: set[object] = set()
"""One for each worker that makes records in masses at the moment."""


class GarbageCollector(QObject):
    """Collects by a timer in the thread it is made in; Python's own collecting, in any thread, is off meanwhile.

    Python collects in whichever thread happens to make an object. A worker that frees a cycle with widgets or other Qt
    objects in it destroys them while the window's thread uses them, and the program crashes.

    What workers make in masses is looked through once, while it is new, and then passed over: designs, drawings, graphs
    and results hold no cycles, and walking through millions of their records would stall the window.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self._busy_looks = 0

    def start(self) -> None:
        """Turn off Python's own collecting and collect by the timer."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Python collects by itself again."""
        self._timer.stop()
        gc.enable()

    def _collect(self) -> None:
        if _makers:
            return
        if gc.get_count()[0] >= MANY_NEW:
            gc.collect(1)
            gc.freeze()
            self._busy_looks = BUSY_LOOKS
        else:
            collect_what_is_due()
            self._busy_looks = max(0, self._busy_looks - 1)
        interval_ms = BUSY_INTERVAL_MS if self._busy_looks else INTERVAL_MS
        if interval_ms != self._timer.interval():
            self._timer.setInterval(interval_ms)


def collect_what_is_due() -> None:
    """Collect the generations that Python's thresholds say are due, in the calling thread."""
    due = [number for number, limit in enumerate(gc.get_threshold()) if limit and gc.get_count()[number] > limit]
    if due and due[0] == 0:
        gc.collect(_last_of_run(due))


def pass_over(n_records: int) -> None:
    """Keep the collector from walking through the many records that have just come in; few are left to it.

    The records of a design hold no cycles: they are freed when nothing refers to them. Walking through a million of
    them at every full collection would stall the window.
    """
    if n_records >= LARGE_CHANGE:
        gc.freeze()


@contextmanager
def making_records() -> Iterator[None]:
    """While a worker makes records of a design in masses: they are passed over without a look, once they are made."""
    maker = object()
    _makers.add(maker)
    try:
        yield
    finally:
        _makers.discard(maker)
        gc.freeze()


def _last_of_run(due: list[int]) -> int:
    """The oldest generation due with all the younger ones: collecting it collects those too."""
    return max(number for place, number in enumerate(due) if number == place)
