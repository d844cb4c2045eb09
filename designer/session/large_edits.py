"""Edits of thousands of things are made, applied and drawn by a worker while the window goes on."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from designer.drawing.stencil import stencil_of
from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.session.document import Document
from designer.session.garbage import making_records
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.prepared import LARGE_EDIT, Prepared, prepared

LANE = "large-edits"

Make = Callable[[Design], Edit]
LongMake = Callable[[Design, Progress], Edit]
Then = Callable[[Edit], None]


class LargeEdits(QObject):
    """Attempts edits one at a time. What is edited while a worker is at one stands, and that one is given up."""

    began = Signal(str)
    """What takes a while, as "Deleting 70,656 items"."""
    ended = Signal()

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document = document
        self._jobs = jobs
        self._what: str | None = None
        document.replacing.connect(self.cancel)
        document.undo_stack.indexChanged.connect(self._look_again)

    @property
    def waiting(self) -> bool:
        """Whether a worker is at an edit."""
        return self._what is not None

    def attempt(self, what: str, n_things: int, make: Make, then: Then = lambda _edit: None) -> None:
        """Push the edit that `make` returns, then do `then`; what it refuses becomes a message.

        In a worker where it is about very many things. A later attempt takes the place of one that waits.
        """
        self.attempt_long(what, n_things, lambda design, _progress: make(design), then)

    def attempt_long(self, what: str, n_things: int, make: LongMake, then: Then = lambda _edit: None) -> None:
        """The same of an edit that takes long to make: `make` hears of being cancelled by the progress it is given."""
        document = self._document
        self.cancel()
        if n_things < LARGE_EDIT:
            made: list[Edit] = []

            def remember() -> Edit:
                made.append(make(document.design, lambda _share: None))
                return made[0]

            if document.attempt(remember):
                then(made[0])
            return
        base, hidden, stencil = document.snapshot(), document.hidden_networks, stencil_of(document.drawn)

        def work(progress: Progress) -> Prepared:
            with making_records():
                return prepared(base, document.completed(base, make(base, progress)), hidden, progress, stencil)

        self._what = what
        self._jobs.run(LANE, work, lambda outcome: self._take(outcome, then))
        self.began.emit(what)

    def cancel(self) -> None:
        """Give up the edit that a worker is at, if any."""
        if self._what is not None:
            self._jobs.cancel(LANE)
            self._what = None
            self.ended.emit()

    def _take(self, outcome: Outcome, then: Then) -> None:
        self._what = None
        self.ended.emit()
        ready: Prepared | None = outcome.value
        if ready is None:
            self._document.message.emit(outcome.error or "")
            return
        try:
            self._document.push_prepared(ready)
        except DesignerError as error:
            self._document.message.emit(str(error))
            return
        then(ready.edit)

    def _look_again(self) -> None:
        if self._what is not None:
            what = self._what
            self.cancel()
            self._document.message.emit(f"{what} was cancelled: the design has changed in the meantime.")
