"""Keeps the findings of a design up to date: validates a snapshot in a worker after each edit."""

from typing import TYPE_CHECKING

from designer.late import Late
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Work

if TYPE_CHECKING:
    from designer.validation.findings import Report

engine = Late("designer.session.engine")

DEBOUNCE_MS = 15
BEHIND_HEAT_MS = 2000
# With Live on, links are recoloured first, unless that takes very long: two Python threads at once only slow each
# other down.
LANE = "validation"


class ValidationJob(Computation[int, "Report"]):
    """The latest report, and whether it is of the design as it stands."""

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE, lambda: document.design.revision)
        self._document = document
        self._waits_for_heat = False

    @property
    def report(self) -> "Report | None":
        """The latest, whatever revision it is of."""
        return self.value

    def schedule(self, *, behind_heat: bool) -> None:
        """The design changed: what is known is out of date; check again in a moment, or when the heat is there."""
        self._waits_for_heat = behind_heat
        self.ask(self._validated, BEHIND_HEAT_MS if behind_heat else DEBOUNCE_MS)

    def heat_is_there(self) -> None:
        """The simulation came to an end, or was given up."""
        if self._waits_for_heat:
            self._waits_for_heat = False
            self.start_in(DEBOUNCE_MS)

    def run_now(self) -> None:
        """Check again at once."""
        self.ask(self._validated)

    def _validated(self) -> Work:
        design = self._document.snapshot()
        return lambda progress: engine.validate(design, progress)
