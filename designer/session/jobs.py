"""Background work: one thread a lane, the latest request of a lane wins. The only module that knows QThread."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from designer.errors import Cancelled, DesignerError
from designer.late import START_UP

log = logging.getLogger(__name__)

Progress = Callable[[float], None]
Work = Callable[[Progress], Any]

PROGRESS_INTERVAL_S = 0.04


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a request: a value, or one sentence that says why there is none."""

    value: Any = None
    error: str | None = None
    cause: type[DesignerError] | None = None
    """The kind of the error that says so."""
    cancelled: bool = False
    wall_s: float = 0.0
    start_up_s: float = 0.0
    """What of that time went by while kernels and modules were loaded or compiled, as once in each process."""


class _Worker(QObject):
    """Lives in the lane's thread; performs requests one after the other."""

    finished = Signal(int, object)
    progressed = Signal(int, float)

    def __init__(self, lane: "Lane") -> None:
        super().__init__()
        self._lane = lane

    @Slot(int, object)
    def perform(self, ticket: int, work: Work) -> None:
        if ticket == self._lane.latest:
            self.finished.emit(ticket, self._outcome(ticket, work))

    def _outcome(self, ticket: int, work: Work) -> Outcome:
        last_shown = 0.0

        def progress(fraction: float) -> None:
            nonlocal last_shown
            if ticket != self._lane.latest:
                raise Cancelled("the computation was cancelled")
            now = time.monotonic()
            if now - last_shown >= PROGRESS_INTERVAL_S:
                last_shown = now
                self.progressed.emit(ticket, fraction)

        started, prepared = time.perf_counter(), START_UP.total_s
        try:
            value = work(progress)
            return Outcome(value, wall_s=time.perf_counter() - started, start_up_s=START_UP.total_s - prepared)
        except Cancelled:
            return Outcome(cancelled=True)
        except DesignerError as error:
            return Outcome(error=str(error), cause=type(error))
        except Exception as error:  # the outer edge: a defect in the engine must not take the window down
            log.exception("a background job failed")
            return Outcome(
                error=f"Something went wrong inside the program ({type(error).__name__}); the log has details."
            )


class Lane(QObject):
    """A thread for one kind of work. A new request cancels the running one and replaces the waiting one.

    `on_done` is called in the thread of the lane's owner, and only for the latest request.
    """

    progressed = Signal(float)
    _submitted = Signal(int, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.latest = 0
        self._on_done: Callable[[Outcome], None] | None = None
        self._thread = QThread(self)
        self._thread.setObjectName(name)
        self._worker = _Worker(self)
        self._worker.moveToThread(self._thread)
        self._submitted.connect(self._worker.perform)
        self._worker.finished.connect(self._deliver)
        self._worker.progressed.connect(self._show_progress)

    @property
    def busy(self) -> bool:
        """Whether a request waits for its outcome."""
        return self._on_done is not None

    def run(self, work: Work, on_done: Callable[[Outcome], None]) -> None:
        """Run `work(progress)` in the lane's thread, in place of earlier requests; `on_done` gets its outcome."""
        self.latest += 1
        self._on_done = on_done
        if not self._thread.isRunning():
            self._thread.start()
        self._submitted.emit(self.latest, work)

    def cancel(self) -> None:
        """Forget the running and the waiting request; their outcome is never delivered."""
        self.latest += 1
        self._on_done = None

    def shut_down(self) -> None:
        """Cancel and wait for the thread to end."""
        self.cancel()
        if self._thread.isRunning():
            self._thread.quit()
            self._thread.wait()

    @Slot(int, object)
    def _deliver(self, ticket: int, outcome: Outcome) -> None:
        if ticket != self.latest or self._on_done is None:
            return
        on_done, self._on_done = self._on_done, None
        on_done(outcome)

    @Slot(int, float)
    def _show_progress(self, ticket: int, fraction: float) -> None:
        if ticket == self.latest:
            self.progressed.emit(fraction)


class Jobs(QObject):
    """The lanes of a session, made when first used."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lanes: dict[str, Lane] = {}
        self._closed = False

    def lane(self, name: str) -> Lane:
        """The lane of that name, made at the first call."""
        found = self._lanes.get(name)
        if found is None:
            found = self._lanes[name] = Lane(name, self)
        return found

    def run(self, name: str, work: Work, on_done: Callable[[Outcome], None]) -> None:
        """Run `work(progress)` in the lane's thread; requests after `shut_down` are ignored."""
        if not self._closed:
            self.lane(name).run(work, on_done)

    def cancel(self, name: str) -> None:
        """Cancel what the lane of that name runs and what waits in it, if there is one."""
        if name in self._lanes:
            self._lanes[name].cancel()

    def busy(self, name: str) -> bool:
        """Whether a request in the lane of that name waits for its outcome."""
        return name in self._lanes and self._lanes[name].busy

    def shut_down(self) -> None:
        """End all threads for good. Work that does not call its `progress` is waited for."""
        self._closed = True
        self.end_threads()

    def end_threads(self) -> None:
        """End all threads; one begins again with the next request. The requests there are have no outcome."""
        for lane in self._lanes.values():
            lane.cancel()
        for lane in self._lanes.values():
            lane.shut_down()
