"""Keeps the findings of a design up to date: validates a snapshot in a worker after each edit."""

from typing import TYPE_CHECKING

from designer.late import Late
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Work
from designer.session.under_construction import UnderConstruction

if TYPE_CHECKING:
    from designer.validation.findings import Report

engine = Late("designer.session.engine")
waiting = Late("designer.validation.waiting")

DEBOUNCE_MS = 15
BEHIND_HEAT_MS = 2000
# With Live on, links are recoloured first, unless that takes very long: two Python threads at once only slow each
# other down.
LANE = "validation"


class ValidationJob(Computation[int, "Report"]):
    """The latest report, and whether it is of the design as it stands.

    What is about devices under construction alone waits until they are connected, or until `check_all`.
    """

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE, lambda: document.design.revision)
        self._document = document
        self._waits_for_heat = False
        self._construction = UnderConstruction(document)
        self._whole: Report | None = None
        """The latest report with what waits."""
        self.waiting: frozenset[str] = frozenset()
        """Devices under construction whose findings wait."""

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

    def check_all(self) -> None:
        """Check again at once, and report what waited too."""
        self._construction.end()
        self.value, self.waiting = self._whole, frozenset()
        self.ask(self._validated)

    def forget(self) -> None:
        """Another design takes the place of this one."""
        self._whole, self.waiting = None, frozenset()
        super().forget()

    def _keep(self, value: "Report") -> None:
        self._whole = value
        self.value, self.waiting = waiting.apart(value, self._document.design, self._construction.devices)

    def _validated(self) -> Work:
        design = self._document.snapshot()
        return lambda progress: engine.validate(design, progress)
