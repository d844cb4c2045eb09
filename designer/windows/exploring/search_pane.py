"""The text of a search: typed, read from files and written to them; mistakes are shown, and what it is priced by."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from designer.analysis.billing.terms import NO_TERMS
from designer.errors import DesignerError, sentence
from designer.exploring.from_design import search_text
from designer.exploring.request import Exploration
from designer.exploring.spec_text import NO_BASIS, Basis, search_in
from designer.panels.widgets.labels import label
from designer.session.timers import later
from designer.windows.desk import Desk
from designer.windows.exploring.starting import EXAMPLE, where_of

FILTER = "Searches (*.yaml *.yml *.json);;All files (*)"
TYPED_MS = 300


class SearchPane(QWidget):
    """`search` is what the text asks for, None where it has a mistake; `changed` when it was read again."""

    changed = Signal()

    def __init__(self, desk: Callable[[], Desk]) -> None:
        """`desk` is that of the design that is seen."""
        super().__init__()
        self._desk = desk
        self._folder = Path()
        self.search: Exploration | None = None
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Search")
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.fault = label("", "error", wrap=True)
        self.stated = label("", "muted", wrap=True)
        self.basis = label("", "muted", wrap=True)
        self.terms_button = QPushButton("Prices and Terms…")
        self.terms_button.setToolTip("Price lists, rates, energy price, PUE and years of a search that states none")
        self.terms_button.clicked.connect(lambda: self._desk().dialogs.show("cost"))
        self.open_button = QPushButton("Open…")
        self.open_button.setToolTip("Read a search from a YAML file; its price list stands next to it")
        self.open_button.clicked.connect(self.choose_file)
        self.own_button = QPushButton("Start from This Design")
        self.own_button.setToolTip(
            "Write a search for alternatives to the open design: its GPUs, jobs, family and types"
        )
        self.own_button.clicked.connect(self.start_from_design)
        self.save_button = QPushButton("Save…")
        self.save_button.clicked.connect(self.save_file)
        self._lay_out()
        self._typed = later(self, TYPED_MS, self.read)
        self.text.textChanged.connect(self._typed.start)
        self.text.setPlainText(EXAMPLE)
        self.read()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        files = QHBoxLayout()
        files.addWidget(label("Search", "section"), 1)
        files.addWidget(self.open_button)
        files.addWidget(self.save_button)
        column.addLayout(files)
        column.addWidget(self.own_button)
        column.addWidget(self.text, 1)
        column.addWidget(self.fault)
        costs = QHBoxLayout()
        costs.addWidget(self.basis, 1)
        costs.addWidget(self.terms_button)
        column.addLayout(costs)
        column.addWidget(self.stated)

    def choose_file(self) -> None:
        """Ask for a file and show the search in it."""
        desk = self._desk()
        path = desk.questions.open_path("Open a search", desk.preferences.folder("searches"), FILTER)
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Show the search in a file; what it names stands next to it."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            self.show_fault(f"{path.name} cannot be read as text")
            return
        self._folder = path.resolve().parent
        self._desk().preferences.set_folder("searches", self._folder)
        self.text.setPlainText(text)
        self.read()

    def start_from_design(self) -> None:
        """Write a search for alternatives to the design that is seen in place of the text; undo brings that back."""
        try:
            text = search_text(self._desk().session.design)
        except DesignerError as error:
            self.show_fault(str(error))
            return
        cursor = self.text.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(text)
        self.read()

    def save_file(self) -> None:
        """Ask for a file and write the search into it."""
        path = self._desk().questions.save_path("Save the search", "search.yaml", FILTER)
        if path is None:
            return
        try:
            path.write_text(self.text.toPlainText(), encoding="utf-8")
        except OSError as error:
            self.show_fault(f"{path.name} cannot be written: {error.strerror}")

    def read(self) -> None:
        """Read what is typed; a mistake is shown, and where it is."""
        self._typed.stop()
        try:
            self.search = search_in(self.text.toPlainText(), "search", self._folder, _standing_basis(self._desk()))
        except DesignerError as error:
            self.search = None
            self.show_fault(str(error))
            return
        self.show_fault("")

    def show_fault(self, text: str) -> None:
        """Say why there is nothing to search, or to save; "" where there is."""
        self.fault.refuse(text)
        self.stated.setText("" if text else where_of().sentence)
        self.basis.setText(sentence(self.search.basis) if self.search is not None else "")
        self.changed.emit()


def _standing_basis(desk: Desk) -> Basis:
    """The price lists and terms of this window, for a search that states none."""
    costs = desk.session.costs
    return Basis(costs.prices, costs.terms or NO_TERMS) if costs.prices is not None else NO_BASIS
