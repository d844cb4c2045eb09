"""Keeps the findings of a design up to date: validates a snapshot in a worker after each edit."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.timers import later

if TYPE_CHECKING:
    from designer.model.design import Design
    from designer.validation.findings import Report

DEBOUNCE_MS = 15
BEHIND_HEAT_MS = 2000
# With Live on, links are recoloured first, unless that takes very long: two Python threads at once only slow each
# other down.
LANE = "validation"


class ValidationJob(QObject):
    """The latest report, and whether it is of the design as it stands."""

    changed = Signal()

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document = document
        self._jobs = jobs
        self.report: Report | None = None
        self.current = False
        self.error: str | None = None
        self._timer = later(self, DEBOUNCE_MS, self.run_now)
        self._waits_for_heat = False

    @property
    def running(self) -> bool:
        return self._timer.isActive() or self._jobs.busy(LANE)

    def schedule(self, *, behind_heat: bool) -> None:
        """The design changed: what is known is out of date; check again in a moment, or when the heat is there."""
        self._jobs.cancel(LANE)
        self.current = False
        self._waits_for_heat = behind_heat
        self._timer.start(BEHIND_HEAT_MS if self._waits_for_heat else DEBOUNCE_MS)
        self.changed.emit()

    def heat_is_there(self) -> None:
        """The simulation came to an end, or was given up."""
        if self._waits_for_heat:
            self._waits_for_heat = False
            self._timer.start(DEBOUNCE_MS)

    def forget(self) -> None:
        """Another design was opened."""
        self.report, self.error = None, None

    def run_now(self) -> None:
        self._timer.stop()
        self._waits_for_heat = False
        design = self._document.snapshot()
        self._jobs.run(LANE, lambda progress: _validate(design, progress), self._take)

    def stop(self) -> None:
        self._timer.stop()
        self._waits_for_heat = False
        self._jobs.cancel(LANE)

    def _take(self, outcome: Outcome) -> None:
        self.error = outcome.error
        if outcome.error is None:
            self.report = outcome.value
            self.current = True
        self.changed.emit()


def _validate(design: "Design", progress: Progress) -> "Report":
    from designer.validation.engine import validate

    return validate(design, progress)
