"""What studies of the design share: a computation that hears of its edits."""

from collections.abc import Callable

from designer.model.edit import Edit
from designer.session.commands import is_simulated
from designer.session.computation import Computation, Key, Value
from designer.session.document import Document
from designer.session.jobs import Jobs


class StudyJob(Computation[Key, Value]):
    """The latest answer of a study. Each kind hears itself of what is not of the design and calls `follow`."""

    def __init__(self, document: Document, jobs: Jobs, lane: str, key: Callable[[], Key]) -> None:
        super().__init__(document, jobs, lane, key)
        self._document = document
        document.changed.connect(self.follow_edit)
        document.reset.connect(self.forget)

    def follow_edit(self, edit: Edit) -> None:
        """The design changed by `edit`."""
        if is_simulated(edit):
            self.follow()
