"""All devices, cables or ports of the design in a table: sorted, filtered, and with the selection of the canvas."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QTabBar, QVBoxLayout, QWidget

from designer.analysis.inventory import Inventory, Listed
from designer.analysis.selecting.expression import ExpressionError
from designer.analysis.selecting.row_filter import RowFilter
from designer.analysis.selecting.terms import DEVICES, LINKS
from designer.model.shown_text import plain_text
from designer.panels.studies.study_parts import copy, csv_writer
from designer.panels.table_titles import TABS
from designer.panels.widgets.labels import EmptyState, label
from designer.panels.widgets.long_table import LongTable
from designer.session.session import Session
from designer.session.timers import later
from designer.tables.table import ResultTable
from designer.units import format_count, format_counted, shortened

FILTER_MS, EDIT_MS = 200, 100
FILTER_WIDTH_PX = 160
HOW = "A word alone is looked for in names and tags. Ask for a column by its name, such as {}."
EXAMPLES = {"Devices": "role:leaf", "Cables": "length>5", "Ports": "state:free"}


class TablesPanel(QWidget):
    """`going` carries the ids of a row that is entered; `saving` a title, a suffix and what writes the file."""

    going = Signal(object)
    saving = Signal(str, str, object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._listed: Listed | None = None
        self._is_selecting = False
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Tables")
        self.tabs.setDrawBase(False)
        for title in TABS:
            self.tabs.addTab(title)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter by an expression")
        self.filter.setAccessibleName("Filter the table by an expression")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(FILTER_WIDTH_PX)
        self.note = label("", "muted")
        self.fault = label("", "error", wrap=True)
        """Why the filter cannot be used, in a line of its own: the field keeps its width."""
        self.fault.hide()
        self.table = LongTable("Devices", ())
        self.nothing = EmptyState("", "")
        self.nothing.hide()
        self.buttons: dict[str, QPushButton] = {}
        self._lay_out()
        self._soon = later(self, FILTER_MS, self.refresh)
        self.tabs.currentChanged.connect(lambda _number: self.refresh())
        self.filter.textEdited.connect(lambda _text: self._soon.start(FILTER_MS))
        self.filter.textChanged.connect(lambda text: None if text else self._soon.start(0))
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._select())
        self.table.doubleClicked.connect(lambda index: self._go(self.table.row_at(index)))
        session.settled.connect(lambda _edit: self._soon.start(EDIT_MS))
        session.reset.connect(lambda: self._soon.start(0))
        session.selection_changed.connect(self._follow)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self.tabs)
        bar.addWidget(self.filter, 1)
        bar.addWidget(self.note)
        acts: tuple[tuple[str, str, Callable[[], object]], ...] = (
            ("Copy", "Copy the rows that are shown, for a spreadsheet", lambda: copy(self.results())),
            ("CSV…", "Save the rows that are shown", self._save),
        )
        for name, tip, act in acts:
            button = self.buttons[name] = QPushButton(name)
            button.setToolTip(plain_text(tip))
            button.clicked.connect(act)
            bar.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 8, 4)
        column.setSpacing(4)
        column.addLayout(bar)
        column.addWidget(self.fault)
        column.addWidget(self.table, 1)
        column.addWidget(self.nothing, 1)

    def showEvent(self, event: QShowEvent) -> None:
        """Rows are looked for while they can be seen."""
        super().showEvent(event)
        self.refresh()

    def show_table(self, title: str) -> None:
        """Show the table of that title, "Cables" say."""
        self.tabs.setCurrentIndex(TABS.index(title))

    # -- showing ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the rows of the design as it is, those that the filter fits."""
        if not self.isVisible():
            return
        title = TABS[self.tabs.currentIndex()]
        every, text = self._every(title), self.filter.text().strip()
        listed = every
        try:
            listed = self._filtered(every, text) if text else every
        except ExpressionError as error:
            self.fault.refuse(str(error))
            if title == self.table.accessibleName():
                return  # the rows that fitted before are of use while one goes on typing
            text = ""
        else:
            self.fault.hide()
        self._listed = listed
        self.table.setAccessibleName(title)
        self._is_selecting = True
        self.table.show_rows(listed.rows, listed.columns)
        self.table.shown.look_again()
        self._is_selecting = False
        is_left_out = bool(text and every.rows and not listed.rows)
        self.table.setVisible(not is_left_out)
        self.nothing.setVisible(is_left_out)
        self.nothing.say(f"No {every.title} fits {shortened(text)!r}.", HOW.format(EXAMPLES[title]))
        total = format_counted(len(every.rows), every.title)
        self.note.setText(f"{format_count(len(listed.rows))} of {total}" if text else total)
        for button in self.buttons.values():
            button.setEnabled(bool(listed.rows))
        self._follow()

    def _every(self, title: str) -> Listed:
        """The table with all of its rows."""
        # Cells are made as they are painted, which may be after an edit and before its rows.
        inventory = Inventory(self._session.snapshot())
        return {"Devices": inventory.devices, "Cables": inventory.cables, "Ports": inventory.ports}[title]()

    def _filtered(self, every: Listed, text: str) -> Listed:
        """The table with the rows that an expression fits. Raises ExpressionError."""
        table = LINKS if every.title == "link" else DEVICES
        found = RowFilter(self._session.finder, table, every.columns, every.record_of)
        return replace(every, rows=found.kept(text, every.rows))

    # -- the selection ------------------------------------------------------------------------------------------------

    def _select(self) -> None:
        """Select on the canvas what is selected here."""
        if self._is_selecting or self._listed is None:
            return
        self._is_selecting = True
        ids = (one for row in self.table.selected_rows() for one in self._listed.ids_of(row))
        self._session.select(frozenset(ids))
        self._is_selecting = False

    def _follow(self) -> None:
        """Select here what is selected on the canvas."""
        if self._is_selecting or self._listed is None or not self.isVisible():
            return
        selection = self._session.selection
        numbers = self._listed.numbers(self.table.rows, selection) if selection else ()
        self._is_selecting = True
        self.table.select_numbers(numbers)
        self._is_selecting = False

    def _go(self, row: object) -> None:
        if self._listed is not None:
            self.going.emit(frozenset(self._listed.ids_of(row)))

    # -- what is done with it -----------------------------------------------------------------------------------------

    def results(self) -> ResultTable:
        """The rows that are shown, in their order."""
        return ResultTable(self.table.shown.columns, self.table.rows)

    def _save(self) -> None:
        title = TABS[self.tabs.currentIndex()]
        self.saving.emit(f"{title} as CSV", ".csv", csv_writer(self.results()))
