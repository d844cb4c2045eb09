"""Runs failure sweeps over the design in a worker: each of a kind in turn, pairs, or many at random."""

from typing import TYPE_CHECKING, NamedTuple

from designer.late import Late
from designer.session.computation import StudyJob
from designer.session.document import Document
from designer.session.jobs import Jobs, Progress
from designer.session.simulation import SimulationJob
from designer.simulation.failures.request import SweepRequest
from designer.simulation.scenario import Scenario

if TYPE_CHECKING:
    from designer.simulation.failures.sweep import Sweep

engine = Late("designer.session.engine")

LANE = "failures"


class Swept(NamedTuple):
    """A sweep, what it is a sweep of, and what was marked as failed when it began."""

    sweep: "Sweep"
    request: SweepRequest
    scenario: Scenario
    base: frozenset[str]


class SweepJob(StudyJob[tuple[int, Scenario], Swept]):
    """The latest sweep, of the design and the scenario."""

    def __init__(self, document: Document, simulation: SimulationJob, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE, lambda: (document.fabric_state, simulation.scenario))
        self._simulation = simulation
        simulation.scenario_changed.connect(self.follow)

    @property
    def sweep(self) -> "Sweep | None":
        """The outcomes."""
        return self.value.sweep if self.value is not None else None

    @property
    def request(self) -> SweepRequest:
        """What it fails."""
        return self.value.request if self.value is not None else SweepRequest()

    @property
    def title(self) -> str:
        """What it runs."""
        return self.value.scenario.title if self.value is not None else ""

    @property
    def base(self) -> frozenset[str]:
        """What was marked as failed when it began, and is in all its runs."""
        return self.value.base if self.value is not None else frozenset()

    def run(self, request: SweepRequest) -> None:
        """Sweep the scenario of the simulation over the design as it stands."""
        design, scenario, failed = self._document.snapshot(), self._simulation.scenario, self._document.failed

        def work(progress: Progress) -> Swept:
            if request.way == "monte-carlo":
                rates, samples, seed = dict(request.rates), request.samples, request.seed
                sweep = engine.sweep_at_random(design, scenario, failed, rates, samples, seed, progress)
            else:
                is_of_pairs = request.way == "pairs"
                sweep = engine.sweep_singly(design, scenario, failed, request.kind, progress, pairs=is_of_pairs)
            return Swept(sweep, request, scenario, failed)

        self.ask(lambda: work)
