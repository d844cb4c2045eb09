"""Rename many: by a pattern, from a pasted list, by find and replace, with every old and new name in a table."""

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
)

from designer.analysis.renaming.pattern import FIELDS
from designer.analysis.renaming.renaming import COLUMNS, NameRow, RenameOptions, Renaming, read_names, renaming
from designer.errors import DesignerError, sentence
from designer.model.shown_text import in_menu
from designer.panels.widgets.field_form import ParameterForm
from designer.panels.widgets.labels import label
from designer.panels.widgets.row_table import RowTable
from designer.session.jobs import Outcome, Progress
from designer.session.timers import later
from designer.tables.columns import Column
from designer.units import format_counted
from designer.windows.desk import Desk

LANE = "renaming"
PREVIEW_MS = 60
LIST_ROWS = 3


class RenameDialog(QDialog):
    """Stays open beside the window and follows the selection; the names change when *Rename* is pressed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._made: Renaming | None = None
        self._previewed: object = None
        """The design, the selection and the entries that the preview is of."""
        self._selection: frozenset[str] = frozenset()
        """What the entries were made for."""
        self.setWindowTitle("Rename")
        self.form = ParameterForm(RenameOptions, desk.catalog)
        self.insert = QToolButton()
        self.list = QPlainTextEdit()
        self.summary = label("", wrap=True)
        self.refusal = label("", "error", wrap=True)
        self.table = RowTable("Names", COLUMNS, stretch="new", widths={"old": 190, "fault": 210}, look=self._look)
        self.buttons = QDialogButtonBox()
        self.apply = self.buttons.addButton("Rename", QDialogButtonBox.ButtonRole.AcceptRole)
        self.apply.setProperty("kind", "primary")
        self.apply.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self.do)
        self.buttons.rejected.connect(self.close)
        self._later = later(self, PREVIEW_MS, self.refresh)
        self._lay_out()
        self.form.changed.connect(self._later.start)
        self.list.textChanged.connect(self._later.start)
        for signal in (desk.session.changed, desk.session.reset, desk.session.selection_changed):
            signal.connect(self._soon)
        self.resize(680, 640)

    @property
    def pattern(self) -> QLineEdit:
        """The line of the pattern."""
        line = self.form.editors["pattern"]
        assert isinstance(line, QLineEdit)
        return line

    def _lay_out(self) -> None:
        self.insert.setText("Insert Field")
        self.insert.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.insert)
        for name, about in FIELDS.items():
            menu.addAction(in_menu(f"{{{name}}}   {about}")).triggered.connect(partial(self._insert, f"{{{name}}}"))
        self.insert.setMenu(menu)
        self.list.setPlaceholderText("Paste a column of names here, one a line: {name} stands for them.")
        self.list.setAccessibleName("New names, one a line")
        self.list.setTabChangesFocus(True)
        self.list.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.list.setFixedHeight(LIST_ROWS * self.list.fontMetrics().lineSpacing() + 16)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        row = QHBoxLayout()
        row.addWidget(
            label("Names follow the drawing: row by row from the top, each from the left.", "muted", wrap=True), 1
        )
        row.addWidget(self.insert, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        column.addWidget(self.form)
        column.addWidget(self.list)
        column.addWidget(self.summary)
        column.addWidget(self.refusal)
        column.addWidget(self.table, 1)
        column.addWidget(self.buttons)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin with the names as they are, the cursor in the pattern; with the last entries for the same selection."""
        super().showEvent(event)
        if event.spontaneous():
            return
        if self._desk.session.selection != self._selection:
            self.form.show_values(RenameOptions())
            self.list.clear()
        self._show(None, "")  # of an earlier selection
        self.pattern.setFocus()
        self.pattern.selectAll()
        self.refresh()

    def _insert(self, field: str, _checked: bool = False) -> None:
        self.pattern.insert(field)
        self.pattern.setFocus()

    def _soon(self, *_what: object) -> None:
        if self.isVisible():
            self._later.start()

    def refresh(self) -> None:
        """Calculate in a worker what the selected things would be called, or why they cannot be."""
        self._later.stop()
        session = self._desk.session
        try:
            options = self.form.parameters()
        except DesignerError as error:
            session.jobs.cancel(LANE)
            self._show(None, str(error))
            return
        design, ids, text = session.snapshot(), session.selection, self.list.toPlainText()
        self._selection, entries = ids, self._entries()

        def work(_progress: Progress) -> Renaming:
            return renaming(design, ids, options, read_names(text))

        def take(outcome: Outcome) -> None:
            if self.isVisible():
                self._previewed = entries
                self._show(outcome.value, outcome.error or "")

        session.jobs.run(LANE, work, take)

    def _entries(self) -> object:
        session = self._desk.session
        return session.design.revision, session.selection, self.form.read()[0], self.list.toPlainText()

    def _show(self, made: Renaming | None, refusal: str) -> None:
        self._made = made
        faults = made.faults if made is not None else ()
        self.summary.setText(f"{made.summary}." if made is not None and not faults else "")
        self.summary.setVisible(made is not None and not faults)
        self.refusal.setText(f"{made.summary}." if made is not None and faults else sentence(refusal))
        self.refusal.setVisible(bool(refusal or faults))
        self.table.show_rows(made.rows if made is not None else ())
        self.apply.setEnabled(made is not None and bool(made.edit))
        if faults:
            assert made is not None
            self.table.scrollTo(self.table.index_of(made.rows.index(faults[0])))

    def _look(self, row: NameRow, column: Column, role: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and (row.fault or column.key == "old" or row.new == row.old):
            return self._desk.appearance.colour("error" if row.fault and column.key != "old" else "muted")
        return None

    def do(self) -> None:
        """Give the names that are previewed, as one edit, and close."""
        made, session = self._made, self._desk.session
        if made is None or not made.edit or self._previewed != self._entries():
            self.refresh()
            return
        edit = made.edit
        self.close()
        if session.attempt(lambda: edit):
            names = format_counted(len(edit.changes), "name")
            self._desk.notice.say_of_edit(f"{names} changed. Ctrl+Z brings the old names back.")
