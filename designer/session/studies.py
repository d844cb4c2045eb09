"""Runs bandwidth by size over the design in a worker, for several algorithms and routings."""

from typing import TYPE_CHECKING, NamedTuple

from designer.errors import Cancelled, DesignerError
from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.study_job import StudyJob

if TYPE_CHECKING:
    from designer.model.design import Design
    from designer.simulation.curve import Curve
    from designer.simulation.scenario import Scenario

LANE = "curves"


class Curves(NamedTuple):
    """The curves that could be computed, and a sentence for each that could not."""

    found: "tuple[Curve, ...]" = ()
    refused: tuple[str, ...] = ()


class CurveJob(StudyJob):
    """The latest curves, of the design without what is marked as failed."""

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE)
        self.curves = Curves()
        document.failed_changed.connect(self._outdate)

    @property
    def has_answer(self) -> bool:
        return bool(self.curves.found)

    def run(self, scenarios: "list[Scenario]", sizes_bytes: tuple[int, ...]) -> None:
        """Compute a curve for each scenario on the design as it stands, without what is marked as failed."""
        design, failed = self._document.snapshot(), self._document.failed
        self._compute(lambda progress: _curves(design, failed, scenarios, sizes_bytes, progress), self._keep)

    def _keep(self, outcome: Outcome) -> None:
        self.curves = outcome.value
        if self.curves.refused and not self.curves.found:
            self.error = self.curves.refused[0]

    def _asked(self) -> tuple[object, ...]:
        return self._document.fabric_state, self._document.failed

    def _forget(self) -> None:
        self.curves = Curves()
        super()._forget()


def _curves(
    design: "Design",
    failed: frozenset[str],
    scenarios: "list[Scenario]",
    sizes_bytes: tuple[int, ...],
    progress: Progress,
) -> Curves:
    from designer.graph.arrays import build
    from designer.simulation.curve import curve

    graph = build(design, failed=failed, network=scenarios[0].network)
    found, refused = [], []
    for number, scenario in enumerate(scenarios):

        def part(share: float, number: int = number) -> None:
            progress((number + share) / len(scenarios))

        try:
            found.append(curve(graph, scenario, sizes_bytes, part))
        except Cancelled:
            raise
        except DesignerError as error:
            refused.append(f"{scenario.algorithm_used}, {scenario.routing}: {error}")
    return Curves(tuple(found), tuple(refused))
