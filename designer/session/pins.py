"""Runs kept for comparison: pinned results beside the current one."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from designer.drawing.heat import Heat
    from designer.session.session import Session
    from designer.simulation.result import Result
    from designer.simulation.scenario import Scenario


@dataclass(frozen=True, slots=True, eq=False)
class PinnedRun:
    """A result as it was, of the design at `revision` with `broken` things taken out."""

    number: int
    scenario: "Scenario"
    revision: int
    broken: int
    heat: "Heat" = field(repr=False)
    result: "Result" = field(repr=False)

    @property
    def name(self) -> str:
        """ "all-reduce, ring, ecmp"."""
        return f"{self.scenario.title}, {self.scenario.routing}"

    @property
    def hottest(self) -> str:
        """ "leaf-03 12 -> spine-01 4, 100 %"; "" where no link carries anything."""
        reasons = [one for one in self.result.bottlenecks if one.link_id is not None]
        if reasons:  # what sets the pace, as the panel names it
            first = reasons[0]
            ends = f"{first.source} {first.port} -> {first.target} {first.target_port}"
            return f"{ends}, {100 * first.utilization:.0f} %"
        rows = self.result.links(1)
        if not rows or rows[0]["utilization_peak"] <= 0:
            return ""
        row = rows[0]
        link = f"{row['from']} {row['from_port']} -> {row['to']} {row['to_port']}"
        return f"{link}, {100 * row['utilization_peak']:.0f} %"

    def longer_than(self, other: "PinnedRun") -> float | None:
        """By how much its time exceeds another's, as a share of that; None where that took no time."""
        return self.result.time_s / other.result.time_s - 1 if other.result.time_s > 0 else None


class PinnedRuns(QObject):
    """The pinned runs of a session; `baseline` is what the others are compared with."""

    changed = Signal()

    def __init__(self, session: "Session") -> None:
        super().__init__(session)
        self._session = session
        self._count = 0
        self.runs: tuple[PinnedRun, ...] = ()
        self.baseline: PinnedRun | None = None
        session.reset.connect(self.clear)

    @property
    def current(self) -> PinnedRun | None:
        """The current result as a run; None while there is none."""
        simulation = self._session.simulation
        if simulation.current_result is None or simulation.heat is None or simulation.result_scenario is None:
            return None
        return PinnedRun(
            0,
            simulation.result_scenario,
            simulation.heat.revision,
            len(simulation.failed),
            simulation.heat,
            simulation.current_result,
        )

    @property
    def current_is_pinned(self) -> bool:
        result = self._session.simulation.current_result
        return any(run.result is result for run in self.runs)

    def pin(self) -> PinnedRun | None:
        """Keep the current result; a result is pinned once."""
        current = self.current
        if current is None or self.current_is_pinned:
            return None
        self._count += 1
        run = PinnedRun(self._count, current.scenario, current.revision, current.broken, current.heat, current.result)
        self.runs = (*self.runs, run)
        self.baseline = self.baseline or run
        self.changed.emit()
        return run

    def unpin(self, run: PinnedRun) -> None:
        self.runs = tuple(other for other in self.runs if other is not run)
        if self.baseline is run:
            self.baseline = self.runs[0] if self.runs else None
        if self._session.heat_view.pinned is run:
            self._session.heat_view.show_pinned(None)
        self.changed.emit()

    def compare_with(self, run: PinnedRun) -> None:
        self.baseline = run
        self.changed.emit()

    def clear(self) -> None:
        self.runs, self.baseline, self._count = (), None, 0
        self._session.heat_view.show_pinned(None)
        self.changed.emit()
