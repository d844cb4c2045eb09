"""Runs bandwidth by size over the design in a worker, for several algorithms and routings."""

from pathlib import Path
from typing import TYPE_CHECKING

from designer.late import Late
from designer.session.computation import StudyJob
from designer.session.document import Document
from designer.session.jobs import Jobs
from designer.simulation.scenario import Scenario

if TYPE_CHECKING:
    from designer.exchange.acceptance.overlay import Overlaid
    from designer.session.engine import Curves
    from designer.simulation.curve import Curve

engine = Late("designer.session.engine")

LANE = "curves"


class CurveJob(StudyJob[tuple[int, frozenset[str]], "Curves"]):
    """The latest curves, of the design without what is marked as failed."""

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE, lambda: (document.fabric_state, document.failed))
        document.failed_changed.connect(self.follow)
        self.logs: tuple[Path, ...] = ()
        """Files of what was measured, to lay over the next curves."""

    @property
    def found(self) -> "tuple[Curve, ...]":
        """The curves that could be computed."""
        return self.value.found if self.value is not None else ()

    @property
    def refused(self) -> tuple[str, ...]:
        """A sentence for each that could not."""
        return self.value.refused if self.value is not None else ()

    @property
    def overlaid(self) -> "tuple[Overlaid, ...]":
        """What the logs measured over each of the curves; none without logs."""
        return self.value.overlaid if self.value is not None else ()

    @property
    def has_answer(self) -> bool:
        """Whether there are curves."""
        return bool(self.found)

    def run(self, scenarios: list[Scenario], sizes_bytes: tuple[int, ...]) -> None:
        """Compute a curve for each scenario on the design as it stands, without what is marked as failed."""
        design, failed, logs = self._document.snapshot(), self._document.failed, self.logs
        self.ask(lambda: lambda progress: engine.curves(design, failed, scenarios, sizes_bytes, logs, progress))

    def _keep(self, value: "Curves") -> None:
        super()._keep(value)
        if value.refused and not value.found:
            self.error = value.refused[0]
