"""Runs failure sweeps over the design in a worker: each of a kind in turn, pairs, or many at random."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.simulation import SimulationJob
from designer.session.study_job import StudyJob

if TYPE_CHECKING:
    from designer.model.design import Design
    from designer.simulation.failures.sweep import Sweep
    from designer.simulation.scenario import Scenario

LANE = "failures"


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What to fail: `way` is "single", "pairs" or "monte-carlo"; `kind` for the first two, the rest for the last."""

    way: str = "single"
    kind: str = "link"
    rates: tuple[tuple[str, float], ...] = ()
    samples: int = 200
    seed: int = 0


class SweepJob(StudyJob):
    """The latest sweep, of the design and the scenario.

    `request` and `title` say what it is a sweep of. What was marked as failed when it began, `base`, is broken in all
    its runs.
    """

    def __init__(self, document: Document, simulation: SimulationJob, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE)
        self._simulation = simulation
        self.sweep: Sweep | None = None
        self.request = SweepRequest()
        self.base: frozenset[str] = frozenset()
        self.title = ""
        self.wall_s = 0.0
        simulation.scenario_changed.connect(self._outdate)

    @property
    def has_answer(self) -> bool:
        return self.sweep is not None

    def run(self, request: SweepRequest) -> None:
        """Sweep the scenario of the simulation over the design as it stands."""
        simulation = self._simulation
        design, scenario, failed = self._document.snapshot(), simulation.scenario, self._document.failed

        def keep(outcome: Outcome) -> None:
            self.sweep, self.wall_s = outcome.value, outcome.wall_s
            self.request, self.base, self.title = request, failed, scenario.title

        self._compute(lambda progress: _swept(design, scenario, failed, request, progress), keep)

    def _asked(self) -> tuple[object, ...]:
        return self._document.fabric_state, self._simulation.scenario

    def _forget(self) -> None:
        self.sweep = None
        super()._forget()


def _swept(
    design: "Design", scenario: "Scenario", failed: frozenset[str], request: SweepRequest, progress: Progress
) -> "Sweep":
    from dataclasses import replace

    from designer.simulation.failures import sweep as failures

    scenario = replace(scenario, failed=tuple(sorted(failed)))
    if request.way == "monte-carlo":
        return failures.monte_carlo(design, scenario, dict(request.rates), request.samples, request.seed, progress)
    run = failures.single if request.way == "single" else failures.pairs
    return run(design, scenario, request.kind, progress)
