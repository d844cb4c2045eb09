"""How far many pieces of work have come, and how long the rest will take."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from designer.units import format_count

Clock = Callable[[], float]
MINUTE_S, HOUR_S = 60, 3600
LEAST_DONE, LEAST_SHARE = 8, 0.05
"""Pieces that a run has done itself before it says how long the rest will take, and of all that it has to do."""
REMEMBERED = 256
NEW_SHARE = 0.3
"""Of the pace of the latest half of the pieces, in the pace that is stated, with each piece."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Pieces done of all; `kept` of them were done before this run began."""

    done: int
    total: int
    kept: int
    elapsed_s: float
    left_s: float | None = None
    """How long the rest will take at the pace of late; None while too few pieces were done to say so."""

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.done / self.total if self.total else 1.0

    @property
    def text(self) -> str:
        """ "120 of 500 done, about 3 min left"."""
        stated = f"{format_count(self.done)} of {format_count(self.total)} done"
        kept = f" ({format_count(self.kept)} of them earlier)" if self.kept else ""
        left = "" if self.left_s is None or self.done == self.total else f", about {span_text(self.left_s)} left"
        return f"{stated}{kept}{left}"


def span_text(span_s: float) -> str:
    """ "40 s", "3 min", "2.5 h": as long as people wait."""
    if span_s < MINUTE_S:
        return f"{max(1, round(span_s))} s"
    return f"{round(span_s / MINUTE_S)} min" if span_s < HOUR_S else f"{span_s / HOUR_S:.1f} h"


class Count:
    """Counts pieces as they come in."""

    def __init__(self, total: int, clock: Clock = time.monotonic) -> None:
        self._total, self._kept, self._clock = total, 0, clock
        self._began_s = clock()
        self._done = 0
        self._ends_s: deque[float] = deque(maxlen=REMEMBERED)
        self._pace_s: float | None = None

    def add(self, number: int = 1, *, was_kept: bool = False) -> None:
        """So many more are done, or were done earlier and kept."""
        self._done += number
        if was_kept:
            self._kept += number
        elif number:
            self._ends_s.extend([self._clock()] * number)
            self._follow_pace()

    def _follow_pace(self) -> None:
        """The pace from the first piece on: what comes before it is the start of processes, and no work."""
        if self._done - self._kept <= LEAST_DONE:
            return
        n_late = max(LEAST_DONE, len(self._ends_s) // 2)
        late_s = (self._ends_s[-1] - self._ends_s[-1 - n_late]) / n_late
        self._pace_s = late_s if self._pace_s is None else self._pace_s + NEW_SHARE * (late_s - self._pace_s)

    def leave_out(self, number: int) -> None:
        """So many need not be done."""
        self._total -= number

    @property
    def now(self) -> Progress:
        """How far it has come."""
        is_known = self._pace_s is not None and self._done - self._kept >= LEAST_SHARE * (self._total - self._kept)
        left_s = self._pace_s * (self._total - self._done) if self._pace_s is not None and is_known else None
        return Progress(self._done, self._total, self._kept, self._clock() - self._began_s, left_s)
