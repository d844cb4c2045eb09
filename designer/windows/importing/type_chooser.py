"""The table of types to correct: what is alike in the file, and the type of the catalog taken for it."""

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QHBoxLayout, QVBoxLayout, QWidget

from designer.catalog.catalog import Catalog
from designer.catalog.headline import headline
from designer.exchange.reading.summary import TYPE_COLUMNS
from designer.exchange.reading.type_table import TypeRow
from designer.model.hardware.types import DeviceType
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import Combo
from designer.panels.widgets.labels import label
from designer.panels.widgets.row_table import RowTable
from designer.tables.columns import Column

SHOWN = tuple(column for column in TYPE_COLUMNS if column.key not in ("type_id", "how"))
AS_FOUND = "As found in the file"


class TypeChooser(QWidget):
    """Rows of the summary with a list of types below: `chosen` carries the key of a row and a type id, "" as found."""

    chosen = Signal(str, str)

    def __init__(self, catalog: Catalog, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.table = RowTable(
            "Types", SHOWN, stretch="reason", widths={"key": 190, "type": 150}, tip=_tip, look=self._look
        )
        self.table.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.choice = Combo()
        self.choice.setEditable(True)
        self.choice.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = self.choice.completer()
        assert completer is not None, "an editable list has one"
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.choice.setAccessibleName("Type of the selected row")
        self.choice.addItem(AS_FOUND, "")
        offered: tuple[DeviceType, ...] = (*catalog.switches(), *catalog.servers())
        for type_ in offered:
            self.choice.addItem(named(type_), type_.id)
        self.choice.activated.connect(self._choose)
        self.of = label("", "muted")
        line = QHBoxLayout()
        line.addWidget(self.of)
        line.addWidget(self.choice, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        column.addLayout(line)
        self.table.current_changed.connect(self._show_choice)
        self._show_choice()

    def show_rows(self, rows: tuple[TypeRow, ...]) -> None:
        """Show other rows; the row that was current stays so where it is still there."""
        before = self.table.current
        self.table.show_rows(rows)
        keys = [row.key for row in rows]
        if rows:
            self.table.choose(keys.index(before.key) if before is not None and before.key in keys else 0)
        self._show_choice()

    def _show_choice(self) -> None:
        row: TypeRow | None = self.table.current
        self.choice.setEnabled(row is not None)
        self.of.setText("Type" if row is None else f"Type of {row.key}")
        with QSignalBlocker(self.choice):
            at = self.choice.findData(row.type_.id) if row is not None else -1
            self.choice.setCurrentIndex(max(at, 0))

    def _choose(self, at: int) -> None:
        row: TypeRow | None = self.table.current
        if row is not None and at >= 0:
            self.chosen.emit(row.key, self.choice.itemData(at))

    def _look(self, row: TypeRow, column: Column, role: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and row.is_guess and column.key in ("type", "reason"):
            return self._appearance.colour("warning")
        return None


def named(type_: DeviceType) -> str:
    """A type as the list names it."""
    return f"{type_.vendor} {type_.model}  ·  {headline(type_)}".strip()


def _tip(row: TypeRow, column: Column) -> str:
    if column.key == "key":
        return ", ".join(row.nodes[:20]) + ("…" if len(row.nodes) > 20 else "")
    return row.sentence if column.key in ("type", "reason") else ""
