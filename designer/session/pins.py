"""Runs kept for comparison: pinned results alongside the current one."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from designer.errors import DesignerError, FileFormatError
from designer.late import Late
from designer.session.document import Document
from designer.session.heat_view import HeatView
from designer.session.jobs import Jobs, Outcome
from designer.session.pinned_run import PinnedRun, run_name
from designer.session.simulation import SimulationJob
from designer.session.timers import later
from designer.units import format_counted

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
        self._path = self._origin = document.path
        """The file that the runs are kept of, and the one that was opened: that of those waiting and left out."""
        self._waiting: Sequence[Any] = ()
        """Runs that are kept and not computed again yet."""
        self._left_out: Sequence[Any] = ()
        """Runs that are kept and could not be computed again."""
        self._memory: Any = None
        """What is known of the list of the file; None where nothing is yet."""
        self._unkept: Callable[[], None] | None = None
        """What keeps the runs, until that is done."""
        self._unsaid = ""
        self._soon = later(self, 0, self._say)  # after messages about the file that was opened or saved
        self._is_chosen = False
        """Whether the baseline is the one that was asked for."""
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
        if not self.is_kept(run):
            self._document.message.emit(
                f"Run {run.number} is pinned until the design is closed: its traffic or routing file is not kept."
            )
        self.changed.emit()
        return run

    def is_kept(self, run: PinnedRun) -> bool:
        """Whether the run is there again when the design is opened the next time, if that has a file."""
        return bool(kept_pins.can_be_kept(run))

    def unpin(self, run: PinnedRun) -> None:
        """Drop a run; if it was the baseline, the oldest of the others becomes it."""
        self.runs = tuple(other for other in self.runs if other is not run)
        if self.baseline is run:
            self.baseline, self._is_chosen = self.runs[0] if self.runs else None, False
        if self._heat_view.pinned is run:
            self._heat_view.show_pinned(None)
        self._keep()
        self.changed.emit()

    def rename(self, run: PinnedRun, name: str) -> None:
        """Call a run so; "" gives it the name of what was run again."""
        named = replace(run, own_name=run_name(name))
        if named.own_name == run.own_name or run not in self.runs:
            return
        self.runs = tuple(named if one is run else one for one in self.runs)
        if self.baseline is run:
            self.baseline = named
        if self._heat_view.pinned is run:
            self._heat_view.show_pinned(named)
        self._keep()
        self.changed.emit()

    def set_baseline(self, run: PinnedRun) -> None:
        """Make a run the baseline."""
        self.baseline, self._is_chosen = run, True
        self._keep()
        self.changed.emit()

    # -- from one day to the next ----------------------------------------------------------------------------------

    @property
    def n_waiting(self) -> int:
        """How many runs are kept that are not computed again yet."""
        return len(self._waiting)

    @property
    def n_left_out(self) -> int:
        """How many runs are kept that could not be computed again."""
        return len(self._left_out)

    def keep_at_once(self) -> str:
        """Have on the disk what is not kept yet, before another design comes or the end; "" or why that cannot be."""
        if self._unkept is None:
            return ""
        self._jobs.lane(KEEPING_LANE).shut_down()
        keep, self._unkept = self._unkept, None
        try:
            keep()
        except DesignerError as error:
            return _unkept(str(error))
        return ""

    def restore(self) -> None:
        """Compute the runs that are kept of this design again, in a worker."""
        path, waiting = self._origin, self._waiting
        if path is None or not waiting or self._jobs.busy(LANE):
            return
        now, limit = self._document.snapshot(), self._simulation.memory_limit_bytes
        self._jobs.run(LANE, lambda progress: kept_pins.restored(path, waiting, now, limit, progress), self._take)

    def _take(self, outcome: Outcome) -> None:
        waiting, self._waiting = self._waiting, ()
        found, self._left_out, why = outcome.value or ((), waiting, outcome.error)
        self.runs = (*found, *self.runs)
        if not self._is_chosen:
            first = {one.number for one in waiting if one.is_baseline}
            self.baseline = next((run for run in found if run.number in first), self.runs[0] if self.runs else None)
        if self._left_out:
            counted = format_counted(len(self._left_out), "pinned run")
            self._document.message.emit(f"{counted} cannot be shown again: {why}")
        self.changed.emit()

    def _keep(self) -> None:
        """Keep the runs of a design that has a file, after those that are kept and not there."""
        path, runs, baseline, origin = self._path, self.runs, self.baseline, self._origin
        if path is None:
            return
        rows = (*self._waiting, *self._left_out)
        if self._is_chosen:
            rows = tuple(replace(one, is_baseline=False) for one in rows)
        memory = self._memory = self._memory or kept_pins.Memory(frozenset())

        def keep() -> None:
            kept_pins.keep(path, runs, baseline, rows, origin, memory)

        self._unkept = keep
        self._jobs.run(KEEPING_LANE, lambda _progress: keep(), self._after_keeping)

    def _after_keeping(self, outcome: Outcome) -> None:
        if outcome.error is None:
            self._unkept = None
        else:
            self._document.message.emit(_unkept(outcome.error))

    def _keep_elsewhere(self) -> None:
        """The design was saved as another file, which has these runs from now on: where there are none, none."""
        if self._document.path != self._path:
            self._say_soon(self.keep_at_once())
            self._path, self._memory = self._document.path, kept_pins.Memory()
            self._keep()

    def _start_over(self) -> None:
        """Another design: count from 1 again, or go on from the runs that are kept of it."""
        self._jobs.cancel(LANE)
        self._say_soon(self.keep_at_once())
        self._path = self._origin = self._document.path
        self.runs, self.baseline, self._is_chosen = (), None, False
        self._left_out, self._unkept = (), None
        self._waiting = self._listed()
        self._count = max((one.number for one in self._waiting), default=0)
        self._memory = kept_pins.Memory(kept_pins.keys(self._waiting)) if self._waiting else None
        self.changed.emit()
        if self._waiting and sum(one.wall_s for one in self._waiting) <= kept_pins.QUICK_S:
            self.restore()

    def _listed(self) -> Sequence[Any]:
        """The runs that are kept of the file."""
        path = self._path
        if path is None:
            return ()
        try:
            found: Sequence[Any] = kept_pins.listed(path)
        except FileFormatError as error:
            aside = None if isinstance(error, kept_pins.NewerListError) else kept_pins.set_aside(path)
            where = f". It is kept as {aside}." if aside is not None else ""
            self._say_soon(f"The pinned runs of {path.name} cannot be shown: {error}{where}")
            return ()
        return found

    def _say_soon(self, text: str) -> None:
        if text:
            self._unsaid = text
            self._soon.start()

    def _say(self) -> None:
        self._document.message.emit(self._unsaid)


def _unkept(error: str) -> str:
    why = error.rpartition(" could not be saved: ")[2]
    log.warning("pinned runs are not kept: %s", why)
    return f"Pinned runs are not kept for the next time: {why}"
