"""Runs kept for comparison: pinned results beside the current one."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from designer.late import Late
from designer.session.document import Document
from designer.session.heat_view import HeatView
from designer.session.jobs import Jobs, Outcome
from designer.session.pinned_run import PinnedRun
from designer.session.simulation import SimulationJob

kept_pins = Late("designer.session.kept_pins")

log = logging.getLogger(__name__)

LANE, KEEPING_LANE = "pinned", "pinned-keeping"


class PinnedRuns(QObject):
    """The pinned runs of a session; `baseline` is what the others are compared with.

    Those of a design that has a file are kept, and computed again when it is opened again.
    """

    changed = Signal()

    def __init__(self, document: Document, simulation: SimulationJob, heat_view: HeatView, jobs: Jobs) -> None:
        super().__init__(document)
        self._document, self._simulation, self._heat_view = document, simulation, heat_view
        self._jobs = jobs
        self._waiting: Sequence[Any] = ()
        """Runs that are kept and not computed again yet."""
        self._count = 0
        self.runs: tuple[PinnedRun, ...] = ()
        self.baseline: PinnedRun | None = None
        document.reset.connect(self._start_over)
        document.path_changed.connect(self._keep_elsewhere)

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
        document = self._document
        run = replace(current, number=self._count, design=document.snapshot(), failed=document.failed)
        self.runs = (*self.runs, run)
        self.baseline = self.baseline or run
        self._keep()
        self.changed.emit()
        return run

    def unpin(self, run: PinnedRun) -> None:
        """Drop a run; if it was the baseline, the oldest of the others becomes it."""
        self.runs = tuple(other for other in self.runs if other is not run)
        if self.baseline is run:
            self.baseline = self.runs[0] if self.runs else None
        if self._heat_view.pinned is run:
            self._heat_view.show_pinned(None)
        self._keep()
        self.changed.emit()

    def set_baseline(self, run: PinnedRun) -> None:
        """Make a run the baseline."""
        self.baseline = run
        self._keep()
        self.changed.emit()

    # -- from one day to the next ----------------------------------------------------------------------------------

    @property
    def n_waiting(self) -> int:
        """How many runs are kept that are not computed again yet."""
        return len(self._waiting)

    def restore(self) -> None:
        """Compute the runs that are kept of this design again, in a worker."""
        path, waiting = self._document.path, self._waiting
        if path is None or not waiting or self._jobs.busy(LANE):
            return
        now, limit = self._document.snapshot(), self._simulation.memory_limit_bytes
        self._jobs.run(LANE, lambda progress: kept_pins.restored(path, waiting, now, limit, progress), self._take)

    def _take(self, outcome: Outcome) -> None:
        waiting, self._waiting = self._waiting, ()
        found: Sequence[PinnedRun] = outcome.value or ()
        first = {one.number for one in waiting if one.is_baseline}
        is_pinned_since = bool(self.runs)
        self.runs = (*found, *self.runs)
        self.baseline = next((run for run in found if run.number in first), self.runs[0] if self.runs else None)
        if is_pinned_since:
            self._keep()
        self.changed.emit()

    def _keep(self) -> None:
        """Keep the runs of a design that has a file; not before all that are kept are there."""
        path, runs, baseline = self._document.path, self.runs, self.baseline
        if path is not None and not self._waiting:
            self._jobs.run(KEEPING_LANE, lambda _progress: kept_pins.keep(path, runs, baseline), _report)

    def _keep_elsewhere(self) -> None:
        if self.runs:
            self._keep()

    def _start_over(self) -> None:
        """Another design: count from 1 again, or go on from the runs that are kept of it."""
        self._jobs.cancel(LANE)
        path = self._document.path
        self._waiting = kept_pins.listed(path) if path is not None else ()
        self.runs, self.baseline, self._count = (), None, max((one.number for one in self._waiting), default=0)
        self._heat_view.show_pinned(None)
        self.changed.emit()
        if self._waiting and sum(one.wall_s for one in self._waiting) <= kept_pins.QUICK_S:
            self.restore()


def _report(outcome: Outcome) -> None:
    if outcome.error is not None:
        log.warning("the pinned runs could not be kept: %s", outcome.error)
