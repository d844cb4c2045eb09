"""Works out the loads by tier of the current result in a worker, when somebody wants to see them."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.simulation import SimulationJob

if TYPE_CHECKING:
    from designer.model.design import Design
    from designer.simulation.explain.tiers import TierLoad
    from designer.simulation.result import Result

LANE = "tiers"


class TierJob(QObject):
    """`tiers` belong to the current result; None until they are known."""

    changed = Signal()

    def __init__(self, document: Document, simulation: SimulationJob, jobs: Jobs) -> None:
        super().__init__(document)
        self._document, self._simulation = document, simulation
        self._jobs = jobs
        self._result: Result | None = None
        self.tiers: list[TierLoad] | None = None
        simulation.state_changed.connect(self._follow)

    def want(self) -> None:
        """Work them out, unless they are known or on their way."""
        result = self._simulation.current_result
        if result is None or result is self._result:
            return
        self._result = result
        design = self._document.snapshot()
        self._jobs.run(LANE, lambda _progress: _tiers(design, result, _progress), self._take)

    def _follow(self) -> None:
        if self._simulation.current_result is not self._result:
            self._jobs.cancel(LANE)
            self._result, self.tiers = None, None
            self.changed.emit()

    def _take(self, outcome: Outcome) -> None:
        self.tiers = outcome.value
        self.changed.emit()


def _tiers(design: "Design", result: "Result", progress: Progress) -> "list[TierLoad]":
    from designer.simulation.explain.tiers import tier_loads

    progress(0.0)
    return tier_loads(design, result)
