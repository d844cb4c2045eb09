"""Runs kept for comparison: pinned results beside the current one."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from designer.session.document import Document
from designer.session.heat_view import HeatView
from designer.session.pinned_run import PinnedRun
from designer.session.simulation import SimulationJob


class PinnedRuns(QObject):
    """The pinned runs of a session; `baseline` is what the others are compared with."""

    changed = Signal()

    def __init__(self, document: Document, simulation: SimulationJob, heat_view: HeatView) -> None:
        super().__init__(document)
        self._document, self._simulation, self._heat_view = document, simulation, heat_view
        self._count = 0
        self.runs: tuple[PinnedRun, ...] = ()
        self.baseline: PinnedRun | None = None
        document.reset.connect(self.clear)

    @property
    def current(self) -> PinnedRun | None:
        """The current result as a run; None while there is none."""
        simulation = self._simulation
        if simulation.current_result is None or simulation.heat is None or simulation.result_scenario is None:
            return None
        return PinnedRun(
            0,
            simulation.result_scenario,
            simulation.heat.revision,
            len(self._document.failed),
            simulation.heat,
            simulation.current_result,
        )

    @property
    def current_is_pinned(self) -> bool:
        """Whether the current result is that of a pinned run."""
        result = self._simulation.current_result
        return any(run.result is result for run in self.runs)

    def pin(self) -> PinnedRun | None:
        """Keep the current result; a result is pinned once."""
        current = self.current
        if current is None or self.current_is_pinned:
            return None
        self._count += 1
        run = replace(current, number=self._count, design=self._document.snapshot())
        self.runs = (*self.runs, run)
        self.baseline = self.baseline or run
        self.changed.emit()
        return run

    def unpin(self, run: PinnedRun) -> None:
        """Drop a run; if it was the baseline, the oldest of the others becomes it."""
        self.runs = tuple(other for other in self.runs if other is not run)
        if self.baseline is run:
            self.baseline = self.runs[0] if self.runs else None
        if self._heat_view.pinned is run:
            self._heat_view.show_pinned(None)
        self.changed.emit()

    def set_baseline(self, run: PinnedRun) -> None:
        """Make a run the baseline."""
        self.baseline = run
        self.changed.emit()

    def clear(self) -> None:
        """Drop all runs, and count from 1 again."""
        self.runs, self.baseline, self._count = (), None, 0
        self._heat_view.show_pinned(None)
        self.changed.emit()
