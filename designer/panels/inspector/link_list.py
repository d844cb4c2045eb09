"""A list of a device's links: own port, far end, load; activate one to go there."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QStackedLayout, QTreeWidgetItem, QWidget

from designer.drawing.heat import percent
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import label
from designer.panels.widgets.rows import ID_ROLE, RowTree


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One link of a device as the list shows it; `load` in shares of its capacity, None where there is no result."""

    link_id: str
    port: str
    far_end: str
    load: float | None
    """Peak utilization in the busier direction; None while no current result is shown."""


class LinkList(QWidget):
    """`going` carries the link to select and bring into view."""

    going = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._rows: list[LinkRow] = []
        self.tree = RowTree("Links", ["Port", "Linked to", "Load"])
        self.tree.setMinimumHeight(140)
        header = self.tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.chosen.connect(self._go)
        self._empty = label("", "muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._layers = QStackedLayout(self)
        self._layers.addWidget(self.tree)
        self._layers.addWidget(self._empty)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_rows(self, rows: list[LinkRow], when_empty: str) -> None:
        self._empty.setText(when_empty)
        self._layers.setCurrentIndex(0 if rows else 1)
        if rows == self._rows:
            return
        self._rows = rows
        self.tree.clear()
        self.tree.setColumnHidden(2, all(row.load is None for row in rows))
        items = []
        for row in rows:
            item = QTreeWidgetItem([row.port, row.far_end, "" if row.load is None else percent(row.load)])
            item.setData(0, ID_ROLE, row.link_id)
            item.setToolTip(1, "Click to go to this link")
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            items.append(item)
        self.tree.addTopLevelItems(items)

    def _go(self, link_id: str) -> None:
        self.going.emit(frozenset((link_id,)))
