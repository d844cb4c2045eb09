"""The hottest links of a result; click one to go there."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from designer.drawing.display_list import IDLE, classes_of, colour_of_class
from designer.drawing.heat import Heat, percent
from designer.exchange.plain_table import PlainTable
from designer.graph.link_loads import LinkLoads
from designer.model.design import Design
from designer.model.shown_text import plain_text
from designer.panels.studies.study_parts import copy, csv_writer
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.ends_delegate import ENDS_ROLE, Ends, EndsDelegate, ends_of, written
from designer.panels.widgets.labels import label
from designer.panels.widgets.rows import DETAIL_ROLE, ID_ROLE, RowTree, fitting_height
from designer.session.session import Session
from designer.tables.columns import as_json

LOAD_ROLE = DETAIL_ROLE + 1
CLASS_ROLE = DETAIL_ROLE + 3
MOST_ROWS = 100
SHOWN_ROWS = 9


@dataclass(frozen=True, slots=True)
class HotLink:
    """A link in its busier direction."""

    link_id: str
    ends: Ends
    load: float
    mean: float | None = None
    number: int = IDLE
    """The class of colour that the drawing gives the link."""


def hottest(
    design: Design, heat: Heat, mean: Mapping[str, tuple[float, float]] | None = None, most: int = MOST_ROWS
) -> list[HotLink]:
    """The links with the highest peak utilization, hottest first, each in its busier direction.

    Of links with the same peak those come first that are busier over the whole run: every NIC is full for a moment.
    """
    loads = heat.loads
    means = LinkLoads.of(mean or {})
    average = means.taken_for(loads.link_ids, 0.0)
    peak = np.round(loads.values_of_links, 9)  # without what arithmetic leaves in the last digits
    turned = (peak[:, 1] > peak[:, 0]) | ((peak[:, 1] == peak[:, 0]) & (average[:, 1] > average[:, 0]))
    number = np.arange(len(loads))
    busier, over_run = peak[number, turned.astype(int)], average[number, turned.astype(int)]
    drawn = classes_of(heat.drawn.busier)
    rows = []
    for row in np.lexsort((number, -over_run, -busier))[:most].tolist():
        link_id = loads.link_ids[row]
        link = design.links.get(link_id)
        if link is not None and loads.busier[row] > 0:
            a, b = (link.b, link.a) if turned[row] else (link.a, link.b)
            known = float(over_run[row]) if link_id in means else None
            rows.append(HotLink(link_id, ends_of(design, a, b), float(loads.busier[row]), known, int(drawn[row])))
    return rows


class _LoadDelegate(QStyledItemDelegate):
    """A small bar in the heat's colour, and the number."""

    def __init__(self, parent: QWidget, appearance: Appearance) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        load = index.data(LOAD_ROLE)
        super().paint(painter, option, index)
        if load is None:
            return
        rect: QRect = option.rect.adjusted(6, 0, -6, 0)
        room = rect.width() - option.fontMetrics.horizontalAdvance("100 %") - 8
        bar = QRect(rect.left(), rect.center().y() - 3, max(2, round(room * min(1.0, load))), 7)
        painter.fillRect(bar, QColor(colour_of_class(index.data(CLASS_ROLE), self._appearance.theme)))


class HotLinks(QWidget):
    """A table of the current heat; empty while there is none, as stale loads are nobody's loads."""

    going = Signal(object)
    why_wanted = Signal()
    """Of the link that is selected by then."""
    saving = Signal(str, str, object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self.tree = RowTree("Hot links", ["Link, in its busier direction", "Peak load", "Mean"])
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setItemDelegateForColumn(0, EndsDelegate(self.tree))
        self.tree.setItemDelegateForColumn(1, _LoadDelegate(self.tree, appearance))
        header = self.tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, 88)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.chosen.connect(self._go)
        self.empty = label("Shown as long as the result is current.", "muted", wrap=True)
        self.why = QPushButton("Why…")
        self.why.setToolTip("Show whose flows cross the selected link, or the hottest link if none is selected")
        self.why.clicked.connect(self._ask_why)
        self.copy = QPushButton("Copy")
        self.copy.setToolTip("Copy all links with their loads, for a spreadsheet")
        self.copy.clicked.connect(lambda: copy(self.plain_table()))
        self.save = QPushButton("CSV…")
        self.save.setToolTip("Save all links with their loads")
        self.save.clicked.connect(lambda: self.saving.emit("Hot links as CSV", ".csv", csv_writer(self.plain_table())))
        buttons = QHBoxLayout()
        buttons.addWidget(self.why)
        buttons.addStretch(1)
        for button in (self.copy, self.save):
            buttons.addWidget(button)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(0, 0, 0, 0)
        column_layout.addWidget(self.tree)
        column_layout.addWidget(self.empty)
        column_layout.addLayout(buttons)
        session.workbench.simulation.state_changed.connect(self.refresh)
        appearance.changed.connect(self.tree.viewport().update)
        self.refresh()

    def refresh(self) -> None:
        heat = self._session.workbench.simulation.heat
        if self._session.workbench.simulation.is_brief:
            return
        self.tree.setVisible(heat is not None)
        self.empty.setVisible(heat is None)
        for button in (self.why, self.copy, self.save):
            button.setVisible(heat is not None)
        if heat is None:
            return
        from designer.simulation.result import utilization_by_link

        result = self._session.workbench.simulation.current_result
        mean = None if result is None else utilization_by_link(result.graph, result.utilization_mean)
        # Where only means are known, one column has them.
        self.tree.headerItem().setText(1, "Mean load" if heat.measure == "mean" else "Peak load")
        self.tree.setColumnHidden(2, heat.measure == "mean")
        rows = hottest(self._session.design, heat, mean)
        self.tree.clear()
        items = []
        for row in rows:
            average = "" if row.mean is None else percent(row.mean)
            item = QTreeWidgetItem([written(row.ends), percent(row.load), average])
            item.setData(0, ID_ROLE, row.link_id)
            item.setData(0, ENDS_ROLE, row.ends)
            item.setData(1, LOAD_ROLE, row.load)
            item.setData(1, CLASS_ROLE, row.number)
            for column in (1, 2):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            over_run = f", {average} over the run" if average and heat.measure != "mean" else ""
            item.setToolTip(0, plain_text(f"{written(row.ends)}: {percent(row.load)}{over_run}\nClick to go there"))
            items.append(item)
        self.tree.addTopLevelItems(items)
        self.tree.setFixedHeight(fitting_height(self.tree, max(1, min(len(rows), SHOWN_ROWS))))

    def plain_table(self) -> PlainTable:
        """Every link in both directions, hottest first."""
        result = self._session.workbench.simulation.current_result
        rows = [as_json(link) for link in result.links(None)] if result is not None else []
        return PlainTable(list(rows[0]) if rows else [], [list(row.values()) for row in rows])

    def _ask_why(self) -> None:
        first = self.tree.topLevelItem(0)
        if not self._session.selected.links and first is not None:
            self._go(str((self.tree.currentItem() or first).data(0, ID_ROLE)))
        self.why_wanted.emit()

    def _go(self, link_id: str) -> None:
        self.going.emit(frozenset((link_id,)))
