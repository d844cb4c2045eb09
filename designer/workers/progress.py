"""How far many pieces of work have come, and how long the rest will take."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from designer.units import format_count

Clock = Callable[[], float]
MINUTE_S, HOUR_S = 60, 3600


@dataclass(frozen=True, slots=True)
class Progress:
    """Pieces done of all; `kept` of them were done before this run began."""

    done: int
    total: int
    kept: int
    elapsed_s: float

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.done / self.total if self.total else 1.0

    @property
    def left_s(self) -> float | None:
        """How long the rest will take at the pace so far; None before anything was done."""
        done_now = self.done - self.kept
        return self.elapsed_s / done_now * (self.total - self.done) if done_now > 0 else None

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

    def add(self, number: int = 1, *, was_kept: bool = False) -> None:
        """So many more are done, or were done earlier and kept."""
        self._done += number
        self._kept += number if was_kept else 0

    def leave_out(self, number: int) -> None:
        """So many need not be done."""
        self._total -= number

    @property
    def now(self) -> Progress:
        """How far it has come."""
        return Progress(self._done, self._total, self._kept, self._clock() - self._began_s)
