"""A window that stays open next to the main one and computes in a worker: its button, its bar, what was refused."""

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QWidget

from designer.errors import ParameterError, sentence
from designer.panels.widgets.field_form import FieldForm
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar
from designer.session.jobs import Outcome
from designer.session.jobs import Progress as Report
from designer.windows.desk import Desk

CANCEL = "Cancel"
R = TypeVar("R")


class WorkerDialog(QDialog):
    """`run_button` begins the work and cancels it. The work ends when the window is closed."""

    def __init__(self, desk: Desk, title: str, lane: str, verb: str) -> None:
        super().__init__(desk.window)
        self._desk, self._session = desk, desk.session
        self._lane, self._verb = lane, verb
        self.setWindowTitle(title)
        self.refusal = label("", "error", wrap=True)
        self.progress = ShareBar()
        policy = self.progress.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(policy)
        self.run_button = QPushButton(verb)
        self._session.jobs.lane(lane).progressed.connect(self.progress.show_share)

    def hideEvent(self, event: object) -> None:
        """Stop computing."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self._stop()

    @property
    def is_at_work(self) -> bool:
        """Whether the button cancels."""
        return self.run_button.text() == CANCEL

    def _bottom(self, *buttons: QWidget) -> QHBoxLayout:
        """The bar and the buttons, with one that closes the window."""
        row = QHBoxLayout()
        row.addWidget(self.progress, 1)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        for button in (*buttons, close):
            row.addWidget(button)
        return row

    def _begin(self, work: Callable[[Report], Any], then: Callable[[Outcome], None]) -> None:
        """Do the work; `then` gets what comes of it."""
        self.run_button.setText(CANCEL)
        self.progress.show()
        self._session.jobs.run(self._lane, work, then)

    def _stop(self) -> None:
        self._session.jobs.cancel(self._lane)
        self.run_button.setText(self._verb)
        self.progress.setValue(0)
        self.progress.hide()

    def _has_come(self, outcome: Outcome) -> bool:
        """Whether the work that ended has a result; why it has none is shown."""
        self._stop()
        if outcome.error is not None:
            self._refuse(outcome.error)
        return outcome.error is None

    def _refuse(self, text: str) -> None:
        """Show why there is no answer."""
        self._forget()
        self.refusal.setText(sentence(text))
        self.refusal.show()

    def _forget(self) -> None:
        """Show no answer any more."""
        raise NotImplementedError


def record_in(form: FieldForm, record: Callable[..., R]) -> R:
    """The record of what stands in a form. Raises ParameterError with the first thing that is wrong."""
    values, wrong = form.read()
    form.mark(set(wrong))
    for reason in wrong.values():
        raise ParameterError(reason)
    return record(**values)
