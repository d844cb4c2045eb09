"""What studies of the design share: a computation in a worker, its answer, and whether that still holds."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from designer.session.commands import is_simulated
from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Work

if TYPE_CHECKING:
    from designer.model.edit import Edit

State = Literal["idle", "running", "current", "stale", "failed"]


class StudyJob(QObject):
    """The latest answer, which stays while another is computed; `is_current` while it is of what stands there now.

    Each kind says what an answer is of, `_asked`, and hears itself of what is not of the design by `_outdate`. A change
    ends the computation under way; an undo that leads back to what the answer is of makes it current again.
    """

    state_changed = Signal()
    progressed = Signal(float)

    def __init__(self, document: Document, jobs: Jobs, lane: str) -> None:
        super().__init__(document)
        self._document = document
        self._jobs = jobs
        self._lane = lane
        self.state: State = "idle"
        self.error: str | None = None
        self.was_cut_off = False
        """Whether a change ended the latest computation before it was done."""
        self._of: tuple[object, ...] | None = None
        document.changed.connect(self._follow)
        document.reset.connect(self._forget)
        jobs.lane(lane).progressed.connect(self.progressed)

    @property
    def has_answer(self) -> bool:
        raise NotImplementedError

    @property
    def is_current(self) -> bool:
        return self.has_answer and self._of == self._asked()

    def cancel(self) -> None:
        self._jobs.cancel(self._lane)
        if self.state == "running":
            self._settle()

    def _asked(self) -> tuple[object, ...]:
        """What an answer computed now would be of."""
        raise NotImplementedError

    def _compute(self, work: Work, keep: Callable[[Outcome], None]) -> None:
        """Do the work in the lane; `keep` takes what came of it, unless it was refused."""
        self.was_cut_off = False
        self._set("running")
        self._jobs.run(self._lane, work, lambda outcome: self._take(outcome, keep))

    def _take(self, outcome: Outcome, keep: Callable[[Outcome], None]) -> None:
        self.error = outcome.error
        if outcome.error is None:
            self._of = self._asked()
            keep(outcome)
        self._set("failed" if self.error is not None else "current")

    def _follow(self, edit: "Edit") -> None:
        if is_simulated(edit):
            self._outdate()

    def _outdate(self) -> None:
        """Something changed that an answer may be of."""
        if self.state == "idle":
            return
        self._jobs.cancel(self._lane)
        self.was_cut_off = not self.is_current and (self.was_cut_off or self.state == "running")
        self._settle()

    def _forget(self) -> None:
        """Another design was opened."""
        self._jobs.cancel(self._lane)
        self.error, self._of = None, None
        self.was_cut_off = False
        self._set("idle")

    def _settle(self) -> None:
        self._set("idle" if not self.has_answer else "current" if self.is_current else "stale")

    def _set(self, state: State) -> None:
        self.state = state
        self.state_changed.emit()
