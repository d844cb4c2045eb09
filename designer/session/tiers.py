"""Calculates the loads by tier of the current result in a worker, when somebody wants to see them."""

from typing import TYPE_CHECKING

from designer.late import Late
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs
from designer.session.simulation import SimulationJob

if TYPE_CHECKING:
    from designer.simulation.explain.tiers import TierLoad

engine = Late("designer.session.engine")

LANE = "tiers"


class TierJob(Computation[object, "list[TierLoad]"]):
    """`tiers` belong to the current result; None until they are known."""

    def __init__(self, document: Document, simulation: SimulationJob, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE, lambda: simulation.current_result)
        self._document, self._simulation = document, simulation
        simulation.state_changed.connect(self._follow_simulation)

    @property
    def tiers(self) -> "list[TierLoad] | None":
        """How full each kind of link is."""
        return self.value

    def want(self) -> None:
        """Work them out, unless they are known or on their way."""
        result = self._simulation.current_result
        if result is None or result is self._asked:
            return
        design = self._document.snapshot()
        self.ask(lambda: lambda progress: engine.tiers(design, result, progress))

    def _follow_simulation(self) -> None:
        if self._key() is not self._asked:
            self.forget()
