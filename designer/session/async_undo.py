"""Undo and redo: steps of few changes at once, those of many made ready by a worker while the window goes on."""

from PySide6.QtCore import QObject, Signal

from designer.drawing.stencil import stencil_of
from designer.session.commands import EditCommand
from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.prepared import LARGE_EDIT, Prepared, prepared

LANE = "steps"


class AsyncUndo(QObject):
    """Takes steps along the undo stack in the order asked for; a step asked for and its opposite cancel out.

    What is edited while a step is made ready stands, and the steps still to come are given up.
    """

    began = Signal(str)
    """A step that takes a while, as "Undoing Generate fat-tree"."""
    ended = Signal()

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document = document
        self._jobs = jobs
        self._left = 0
        self._wait: tuple[EditCommand, int] | None = None
        self._is_stepping = False
        document.replacing.connect(self.cancel)
        document.undo_stack.indexChanged.connect(self._look_again)
        document.changed.connect(self._look_again)

    @property
    def waiting(self) -> bool:
        """Whether a step is being made ready."""
        return self._wait is not None

    def undo(self) -> None:
        """Take one step back; a step of many changes is prepared by a worker first."""
        self._ask(-1)

    def redo(self) -> None:
        """Take one step forward; a step of many changes is prepared by a worker first."""
        self._ask(1)

    def cancel(self) -> None:
        """Take no more steps."""
        self._left = 0
        if self._wait is not None:
            self._jobs.cancel(LANE)
            self._wait = None
            self.ended.emit()

    def _ask(self, step: int) -> None:
        self._left += step
        if self._wait is not None and self._left * self._wait[1] <= 0:
            self.cancel()
        self._go_on()

    def _go_on(self) -> None:
        while self._left and self._wait is None:
            step = 1 if self._left > 0 else -1
            stack = self._document.undo_stack
            if not (stack.canRedo() if step > 0 else stack.canUndo()):
                self._left = 0
                return
            command = stack.command(stack.index() if step > 0 else stack.index() - 1)
            if isinstance(command, EditCommand) and len(command.edit.changes) >= LARGE_EDIT:
                self._make_ready(command, step)
            else:
                self._take_step(step)

    def _take_step(self, step: int) -> None:
        self._left -= step
        self._is_stepping = True
        try:
            self._document.undo_stack.redo() if step > 0 else self._document.undo_stack.undo()
        finally:
            self._is_stepping = False

    def _make_ready(self, command: EditCommand, step: int) -> None:
        document, edit = self._document, command.edit
        base, hidden, stencil = document.snapshot(), document.hidden_networks, stencil_of(document.drawn)

        def work(progress: Progress) -> Prepared:
            return prepared(base, edit if step > 0 else edit.inverted(), hidden, progress, stencil)

        self._wait = command, step
        self._jobs.run(LANE, work, self._take)
        self.began.emit(f"{'Redoing' if step > 0 else 'Undoing'} {edit.label}")

    def _take(self, outcome: Outcome) -> None:
        if self._wait is None:
            return
        command, step = self._wait
        self._wait = None
        self.ended.emit()
        if outcome.value is None:
            self._left = 0
            self._document.message.emit(outcome.error or "")
            return
        command.ready = outcome.value
        self._take_step(step)
        self._go_on()

    def _look_again(self) -> None:
        """Something moved. If it was no step of ours, what is made ready fits no more."""
        if self._wait is not None and not self._is_stepping:
            command, step = self._wait
            self.cancel()
            word = "redone" if step > 0 else "undone"
            self._document.message.emit(f"{command.edit.label} was not {word}: the design has changed in the meantime.")
