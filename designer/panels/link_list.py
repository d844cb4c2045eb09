"""A list of a device's links: own port, far end, load; activate one to go there."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from designer.drawing.heat import percent
from designer.panels.appearance import Appearance
from designer.panels.labels import label

ID_ROLE = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True, slots=True)
class LinkRow:
    link_id: str
    port: str
    far_end: str
    load: float | None
    """Peak utilization in the busier direction; None while no current result is shown."""


class _Tree(QTreeWidget):
    chosen = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentItem() is not None:
            self.chosen.emit(str(self.currentItem().data(0, ID_ROLE)))
        else:
            super().keyPressEvent(event)


class LinkList(QWidget):
    """`going` carries the link to select and bring into view."""

    going = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._rows: list[LinkRow] = []
        self.tree = _Tree()
        self.tree.setHeaderLabels(["Port", "Linked to", "Load"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setMinimumHeight(140)
        self.tree.setAccessibleName("Links")
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.itemClicked.connect(lambda item, _column: self._go(str(item.data(0, ID_ROLE))))
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
