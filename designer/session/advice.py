"""Tries in a worker what would make the current result faster, one change after the other: when asked to, or by itself.

By itself it tries only after a run that took next to no time, once nothing has changed for a moment, and not for long.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from designer.catalog.catalog import Catalog
from designer.late import Late
from designer.model.edit import Edit
from designer.session.document import Document
from designer.session.heat_view import HeatView
from designer.session.jobs import Jobs, Outcome
from designer.session.simulation import SimulationJob
from designer.session.timers import later
from designer.session.tips import Tip
from designer.simulation.scenario import Scenario

engine = Late("designer.session.engine")
limits = Late("designer.simulation.advice.limit")
order = Late("designer.simulation.advice.order")

LANE = "advice"
BUDGET_S = 10.0
"""Nothing is begun later than this."""
QUICK_S = 0.5
"""A run that took longer is tried for only when asked to."""
OWN_BUDGET_S = 2.0
"""The same of what is tried by itself."""
REST_MS = 800


class AdviceJob(QObject):
    """`tips` belong to the current result, in the order in which they were tried; they go when it does.

    `before` is the scenario before the last change of it that was taken over, for who wants to go back.
    """

    changed = Signal()

    def __init__(
        self,
        document: Document,
        simulation: SimulationJob,
        heat_view: HeatView,
        jobs: Jobs,
        catalog: Callable[[], Catalog],
    ) -> None:
        super().__init__(document)
        self._document, self._simulation, self._heat_view = document, simulation, heat_view
        self._jobs, self._catalog = jobs, catalog
        self.state: Literal["idle", "running", "done"] = "idle"
        self.tips: tuple[Tip, ...] = ()
        self.by_itself = False
        """Whether it tries without being asked to."""
        self.is_asked = False
        """Whether what is tried, or was, was asked for."""
        self._rest = later(self, REST_MS, self._run_by_itself)
        self.waiting = 0
        """How many changes were not tried."""
        self.error: str | None = None
        self.taken: Tip | None = None
        self.before: Scenario | None = None
        self._repaired: frozenset[str] = frozenset()
        self._result: object = None
        self._now: Any = None
        self._left: list[Any] = []
        self._trying: Any = None
        self._is_rest = False
        self._began_s = 0.0
        simulation.state_changed.connect(self._follow)
        simulation.scenario_changed.connect(self._follow_scenario)
        document.changed.connect(self._follow_edit)
        document.failed_changed.connect(self._follow_failures)
        document.reset.connect(self._start_over)

    @property
    def can_run(self) -> bool:
        """Whether there is a current result to improve, with its scenario."""
        run = self._simulation.value
        return self._simulation.current_result is not None and run is not None and run.healthy is not None

    @property
    def in_place(self) -> Tip | None:
        """What was taken over, while it is so: not after its edit or repair was undone, again once it is redone."""
        if self.taken is None or self._repaired & self._document.failed:
            return None
        edit = self.taken.edit
        return self.taken if edit is None or self._document.design.holds(edit) else None

    @property
    def helpful(self) -> tuple[Tip, ...]:
        """Those that help, the largest gain first."""
        found: tuple[Tip, ...] = order.helpful(self.tips)
        return found

    @property
    def best(self) -> Tip | None:
        """The one of those tried so far that helps most; None where none does."""
        return next(iter(self.helpful), None)

    @property
    def summary(self) -> str:
        """How many of those tried would help; or that nothing would, and what was tried."""
        ran, helpful = [tip for tip in self.tips if not tip.refused], self.helpful
        if self.state == "running":
            said = f"{len(ran)} tried, {len(helpful)} would help"
        elif not ran:
            said = "Nothing could be tried"
        elif helpful:
            said = f"{len(helpful)} of {len(ran)} changes that were tried would help"
        else:
            none = limits.no_gain(self._result, len(ran), self.waiting)
            said = f"{none}. Tried: {'; '.join(tip.title for tip in ran)}"
        waiting = self.waiting if self.state == "done" else 0
        return f"{said}. {waiting} more {'was' if waiting == 1 else 'were'} not tried" if waiting else said

    def run(self) -> None:
        """Try what may help the current result; those that are known already are not tried again."""
        run = self._simulation.value
        if self.can_run and run is not None and not (self.is_asked and self._result is run.result):
            self._begin(is_asked=True)

    def try_rest(self) -> None:
        """Try what was not tried for lack of time, or as it was cancelled, however long that takes."""
        if self.state == "done" and self._left:
            self.state, self.waiting, self._is_rest = "running", 0, True
            self._next()
            self.changed.emit()

    def _run_by_itself(self) -> None:
        """The same of a run that took next to no time, where nothing was tried for it."""
        result = self._simulation.current_result
        is_quick = result is not None and result.wall_s <= QUICK_S
        if self.by_itself and self.can_run and is_quick and self.state == "idle":
            self._begin(is_asked=False)

    def _begin(self, *, is_asked: bool) -> None:
        run, simulation, document = self._simulation.value, self._simulation, self._document
        assert run is not None
        self._forget()
        self.state, self.is_asked = "running", is_asked
        self._result, self._began_s = run.result, time.monotonic()
        of = document.snapshot(), simulation.scenario, document.failed, run, self._catalog()
        self._jobs.run(LANE, lambda _progress: engine.remedies(*of), self._take_remedies)
        self.changed.emit()

    def let_by_itself(self, is_let: bool) -> None:
        """Try without being asked to from now on, or no more; what was found so goes then."""
        self.by_itself = is_let
        if is_let:
            self._rest.start()
        elif self.state != "idle" and not self.is_asked:
            self._forget()
            self.changed.emit()

    def cancel(self) -> None:
        """Try nothing more; what was found stays."""
        if self.state == "running":
            self._jobs.cancel(LANE)
            self._end()

    def preview(self, tip: Tip | None) -> None:
        """Color the links by what they would carry with a change; None by what they carry."""
        self._heat_view.show_preview(tip.heat if tip is not None else None)

    def take(self, tip: Tip) -> Edit | None:
        """Take over what a tip changes of the scenario; returns its edit, which is the caller's to push, if it has one.

        A repaired failure is the caller's to mark as well.
        """
        self.preview(None)
        before = self._simulation.scenario
        self.taken, self.before = tip, before if tip.scenario != before else None
        self._repaired = self._document.failed - tip.failed
        self._simulation.scenario = tip.scenario
        return tip.edit

    def go_back(self) -> None:
        """Take back the last change of the scenario, and run."""
        if self.before is not None:
            before, self.taken, self.before = self.before, None, None
            self._simulation.scenario = before
            self._simulation.run()
            self.changed.emit()

    # -- what happens ---------------------------------------------------------------------------------------------

    def _take_remedies(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self.error = outcome.error
            self._end()
            return
        self._now, self._left = outcome.value
        self._next()

    def _next(self) -> None:
        budget_s = BUDGET_S if self.is_asked else OWN_BUDGET_S
        is_late = not self._is_rest and time.monotonic() - self._began_s > budget_s
        if not self._left or (self.tips and is_late):
            self._end()
            return
        self._trying, now = self._left.pop(0), self._now
        self._jobs.run(LANE, partial(engine.tip, now, self._trying), self._take_tip)

    def _take_tip(self, outcome: Outcome) -> None:
        self._trying = None
        if outcome.error is None:
            self.tips = (*self.tips, outcome.value)
        self._next()
        self.changed.emit()

    def _end(self) -> None:
        if self._trying is not None:
            self._left, self._trying = [self._trying, *self._left], None
        self.state, self.waiting = "done", len(self._left)
        self._now = self._now if self._left else None
        self.changed.emit()

    def _follow(self) -> None:
        """Tips go with the result they are about; while it is computed again they stay out of the way."""
        if self.state != "idle" and self._simulation.current_result is not self._result:
            self._forget()
            self.changed.emit()
        elif self.state == "idle":
            self.changed.emit()
        if self.by_itself:
            self._rest.start()

    def _follow_scenario(self) -> None:
        if self.taken is not None and self._simulation.scenario != self.taken.scenario:
            self.taken = self.before = None

    def _follow_edit(self, _edit: Edit) -> None:
        if self.taken is not None and self.taken.edit is None:
            self.taken = self.before = None
        elif self.taken is not None:
            self.changed.emit()

    def _follow_failures(self) -> None:
        if self.taken is not None:
            self.changed.emit()

    def _forget(self) -> None:
        self._jobs.cancel(LANE)
        self.preview(None)
        self._rest.stop()
        self.state, self.tips, self.waiting, self.error = "idle", (), 0, None
        self.is_asked = self._is_rest = False
        self._result = self._now = self._trying = None
        self._left = []

    def _start_over(self) -> None:
        self.taken = self.before = None
        self._forget()
