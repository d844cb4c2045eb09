"""What would help: changes that make the run faster, each tried by a run; pointed at, one is previewed."""

from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from designer.errors import sentence
from designer.model.shown_text import plain_text
from designer.panels.widgets.cut_texts import WordsDelegate
from designer.panels.widgets.labels import label
from designer.panels.widgets.row_table import ROW_ROLE, RowTable
from designer.session.session import Session
from designer.session.tips import Tip
from designer.tables.columns import Column

SHOWN_ROWS = 6


class Advice(QWidget):
    """`made` carries the message about an edit that was applied."""

    made = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._job = session, session.workbench.advice
        self._chosen: Tip | None = None
        self._before_press: Tip | None = None
        """What was chosen as the mouse was pressed on the list."""
        self._is_previewed = False
        self.ask = self._button("What Would Help?", "Try changes that may make this run faster", self._job.run)
        self.cancel = self._button("Cancel", "Try nothing more", self._job.cancel)
        self.go_back = self._button("Go Back", "Take back the change of the scenario that was tried", self._job.go_back)
        self.rest = self._button("Try the Rest", "Try the changes that were not tried yet", self._job.try_rest)
        self.try_it = self._button("Try It", "Make the selected change, and run; it can be undone", self._try)
        self.end = self._button(
            "End Preview", "Show what the links carry now (Esc)", session.workbench.heat_view.end_preview
        )
        self.summary = label("", "muted", wrap=True)
        self.taken = label("", wrap=True)
        self.hint = label("", wrap=True)
        self.previewed = label("", "warning", wrap=True)
        self.table = RowTable("What would help", Tip.COLUMNS, stretch="what", tip=_tip)
        self.table.setItemDelegateForColumn(0, WordsDelegate(self.table))
        self.table.setUniformRowHeights(False)
        self.table.setMouseTracking(True)
        self.table.entered.connect(self._enter)
        self.table.viewport().installEventFilter(self)
        self.table.chosen.connect(self._click)
        self.table.current_changed.connect(self._follow_current)
        bar, foot = QHBoxLayout(), QHBoxLayout()
        bar.addWidget(self.ask)
        bar.addWidget(self.cancel)
        bar.addWidget(self.go_back)
        bar.addStretch(1)
        foot.addWidget(self.try_it)
        foot.addWidget(self.end)
        foot.addWidget(self.rest)
        foot.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        # What is previewed stands below the list: above it, rows would move away under the pointer.
        for part in (bar, self.taken, self.hint, self.summary, self.table, foot, self.previewed):
            if isinstance(part, QHBoxLayout):
                column.addLayout(part)
            else:
                column.addWidget(part)
        column.addStretch(1)  # takes what is left over until the panel has shrunk too: rows stay where they are
        self._job.changed.connect(self.refresh)
        session.workbench.heat_view.changed.connect(self._show_previewed)
        self.refresh()

    def _button(self, text: str, tip: str, act: Any) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(plain_text(tip))
        button.clicked.connect(lambda _checked=False: act())
        return button

    # -- preview --------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Back to the selected change, or to the run, where the pointer leaves the list; a click on none ends both."""
        if event.type() == QEvent.Type.Leave:
            self._job.preview(self._chosen)
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self._before_press = self._chosen
            if not self.table.indexAt(event.position().toPoint()).isValid():
                self._session.workbench.heat_view.end_preview()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc ends the preview."""
        if event.key() != Qt.Key.Key_Escape or not self._session.workbench.heat_view.end_preview():
            super().keyPressEvent(event)

    def _click(self, tip: Tip) -> None:
        """Keep the preview of that change; end it where it was kept already."""
        if tip is self._before_press:
            self._session.workbench.heat_view.end_preview()
        else:
            self._choose(tip)
        self._before_press = None

    def _enter(self, index: QModelIndex) -> None:
        self._job.preview(index.data(ROW_ROLE))

    def _choose(self, tip: Tip) -> None:
        self._chosen = tip
        self._job.preview(tip)
        self.try_it.setEnabled(True)
        self._show_previewed()  # what the pointer has shown already has not changed

    def _follow_current(self) -> None:
        """Rows that the arrow keys go to are previewed too."""
        tip = self.table.currentIndex().data(ROW_ROLE)
        if tip is not None and self.table.hasFocus():
            self._choose(tip)

    @property
    def _wanted(self) -> Tip | None:
        """What Try It does: what is chosen, or what was found without being asked for."""
        return self._chosen if self._job.is_asked else self._job.best

    # -- taking ---------------------------------------------------------------------------------------------------

    def _try(self) -> None:
        """Make the change: an edit or a repair, which undo takes back, or another scenario, which Go Back does."""
        tip, session = self._wanted, self._session
        if tip is None:
            return
        self._chosen = None
        edit = self._job.take(tip)
        if tip.failed != session.failed:
            session.mark_as_failed(tip.failed, tip.title, is_look=False)
        if edit is not None:
            session.push(edit)
        session.workbench.simulation.run()
        if edit is not None:  # which selects nothing: new loads are to be seen on links as they are
            session.select(())
            self.made.emit(f"{tip.title}{f' adds {tip.adds}' if tip.adds else ''}. Undo takes it back.")

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what was tried so far, and what can be asked for."""
        job = self._job
        if self._chosen not in job.tips:
            self._chosen = None
        is_running, hint = job.state == "running", None if job.is_asked else job.best
        self.ask.setVisible(not job.is_asked)
        self.ask.setEnabled(job.can_run)
        self.cancel.setVisible(is_running)
        self.hint.setVisible(hint is not None)
        self.hint.setText(hint.sentence if hint is not None else "")
        self.summary.setVisible(job.is_asked)
        self.summary.setText(sentence(job.error or job.summary) if job.is_asked else "")
        self.rest.setVisible(job.is_asked and job.waiting > 0)
        self.table.setVisible(job.is_asked and bool(job.helpful))
        self.try_it.setVisible(bool(job.helpful))
        self.end.setVisible(job.is_asked and bool(job.helpful))
        self.try_it.setEnabled(self._wanted is not None)
        self.table.show_rows(job.helpful if job.is_asked else ())
        self.table.fit_height(SHOWN_ROWS)
        taken = job.in_place
        self.taken.setVisible(taken is not None)
        self.go_back.setVisible(job.before is not None)
        if taken is not None:
            self.taken.setText(f"Tried: {taken.sentence}.")
        self._show_previewed()

    def _show_previewed(self) -> None:
        """Say while the links show a change that is not made: how long the run takes now, and with it.

        Where that was ended, wherever it was, no change is selected any more.
        """
        view = self._session.workbench.heat_view
        heat = view.heat if view.shows_preview else None
        was_previewed, self._is_previewed = self._is_previewed, heat is not None
        if was_previewed and heat is None:
            self._chosen = None
            self.table.clearSelection()
            self.table.choose(None)
            self.try_it.setEnabled(self._wanted is not None)
        self.end.setEnabled(heat is not None and self._chosen is not None)
        self.previewed.setVisible(heat is not None)
        if heat is not None:
            self.previewed.setText(sentence("; ".join((heat.label, *heat.outcome))))


def _tip(tip: Any, _column: Column) -> str:
    return f"{tip.sentence}\nThe links show it while the pointer is here; click to keep that, and again to end it"
