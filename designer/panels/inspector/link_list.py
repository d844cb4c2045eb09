"""A list of a device's links: own port, far end, load; activate one to go there."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QWidget

from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import label
from designer.panels.widgets.row_table import RowTable
from designer.tables.columns import Column, percent


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One link of a device as the list shows it; `load` in shares of its capacity, None where there is no result."""

    link_id: str
    port: str
    far_end: str
    load: float | None
    """Peak utilization in the busier direction; None while no current result is shown."""


COLUMNS = (
    Column("port", "Port"),
    Column("far_end", "Linked to"),
    Column("load", "Load", text=percent, right=True),
)


def _tip(_row: LinkRow, column: Column) -> str:
    return "Click to go to this link" if column.key == "far_end" else ""


class LinkList(QWidget):
    """`going` carries the link to select and bring into view."""

    going = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.table = RowTable("Links", COLUMNS, stretch="far_end", tip=_tip)
        self.table.setMinimumHeight(140)
        self.table.chosen.connect(lambda row: self.going.emit(frozenset((row.link_id,))))
        self._empty = label("", "muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._layers = QStackedLayout(self)
        self._layers.addWidget(self.table)
        self._layers.addWidget(self._empty)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_rows(self, rows: list[LinkRow], when_empty: str) -> None:
        """Show these links, with loads where any is known; without links, show the text `when_empty`."""
        self._empty.setText(when_empty)
        self._layers.setCurrentIndex(0 if rows else 1)
        known = any(row.load is not None for row in rows)
        self.table.show_rows(rows, COLUMNS if known else COLUMNS[:-1])
