"""A window that stays open next to the main one and computes in a worker: its button, its bar, what was refused."""

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QPushButton, QVBoxLayout, QWidget

from designer.errors import DesignerError, ParameterError
from designer.panels.widgets.field_form import FieldForm
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar, keep_place
from designer.session.jobs import Outcome
from designer.session.jobs import Progress as Report
from designer.windows.desk import Desk

CANCEL = "Cancel"
A = TypeVar("A")
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
        keep_place(self.progress)
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

    def _put_together(
        self, settings: QWidget, answer: QLayout, *buttons: QWidget, between: int = 16, above: int = 12
    ) -> None:
        """Settings at the left, the answer at the right, the bar and the buttons below; gaps are in pixels."""
        across = QHBoxLayout()
        across.setSpacing(between)
        across.addWidget(settings)
        across.addLayout(answer, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(14, 14, 14, 14)
        whole.setSpacing(above)
        whole.addLayout(across, 1)
        whole.addLayout(self._bottom(*buttons))

    def _bottom(self, *buttons: QWidget) -> QHBoxLayout:
        """The bar and the buttons, with one that closes the window."""
        row = QHBoxLayout()
        row.addWidget(self.progress, 1)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        for button in (*buttons, close):
            row.addWidget(button)
        return row

    def _follow_design(self, refresh: Callable[[], None]) -> None:
        """Refresh what is shown whenever the design, or what has failed in it, is another."""
        session = self._session
        session.changed.connect(refresh)
        session.reset.connect(refresh)
        session.failed_changed.connect(refresh)

    def _begin_or_stop(
        self, ask: Callable[[], A], work: Callable[[A, Report], Any], then: Callable[[Outcome], None]
    ) -> None:
        """Stop the work that is under way; else ask and begin."""
        if self.is_at_work:
            self._stop()
        else:
            self._ask_and_begin(ask, work, then)

    def _ask_and_begin(
        self, ask: Callable[[], A], work: Callable[[A, Report], Any], then: Callable[[Outcome], None]
    ) -> None:
        """Read what is asked for and do the work on it; what is wrong with it is shown."""
        try:
            asked = ask()
        except DesignerError as error:
            self._refuse(str(error))
            return
        self._forget()
        self._begin(lambda progress: work(asked, progress), then)

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
        self.refusal.refuse(text)

    def _forget(self) -> None:
        """Show no answer any more."""
        raise NotImplementedError


def record_in(form: FieldForm, record: Callable[..., R]) -> R:
    """The record of what stands in a form. Raises ParameterError with all that is wrong."""
    values, wrong = form.read()
    form.mark(set(wrong))
    if wrong:
        raise ParameterError("; ".join(wrong.values()))
    return record(**values)
