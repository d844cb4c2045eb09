"""The hottest links of a result; click one to go there."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from designer.drawing.display_list import IDLE, classes_of, colour_of_class
from designer.drawing.heat import Heat
from designer.drawing.heat import percent as heat_percent
from designer.graph.link_loads import LinkLoads
from designer.model.design import Design
from designer.panels.studies.study_parts import copy, csv_writer
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.cut_texts import ENDS, Ends, EndsDelegate, ends_of, look_of_ends, written
from designer.panels.widgets.labels import label
from designer.panels.widgets.row_table import RowTable
from designer.panels.widgets.rows import DETAIL_ROLE
from designer.panels.widgets.wrapping import Wrapping
from designer.session.session import Session
from designer.tables.columns import Column, percent
from designer.tables.table import ResultTable

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
    """The class of color that the drawing gives the link."""
    measure: str = "peak"
    """What the load is: "mean" where only that is known."""


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
            rows.append(
                HotLink(link_id, ends_of(design, a, b), float(loads.busier[row]), known, int(drawn[row]), heat.measure)
            )
    return rows


class _LoadDelegate(QStyledItemDelegate):
    """A small bar in the heat's color, and the number."""

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
        room = rect.width() - option.fontMetrics.horizontalAdvance("100.0 %") - 8
        bar = QRect(rect.left(), rect.center().y() - 3, max(2, round(room * min(1.0, load))), 7)
        painter.fillRect(bar, QColor(colour_of_class(index.data(CLASS_ROLE), self._appearance.theme)))


BUSIER = replace(ENDS, title="Link, in its busier direction")
LOAD = Column("load", "Peak", text=percent, right=True)
PEAKS = (BUSIER, LOAD, Column("mean", "Mean", text=percent, right=True))
MEANS = (BUSIER, replace(LOAD, title="Mean"))
"""Where only means are known, one column has them."""


def _tip(row: HotLink, column: Column) -> str:
    if column.key != ENDS.key:
        return ""
    over_run = f", mean {heat_percent(row.mean)}" if row.mean is not None and row.mean != row.load else ""
    return f"{written(row.ends)}: {row.measure} {heat_percent(row.load)}{over_run}\nClick to go there"


def _look(row: HotLink, column: Column, role: int) -> object:
    if column.key == LOAD.key:
        return {LOAD_ROLE: row.load, CLASS_ROLE: row.number}.get(role)
    return look_of_ends(row, column, role)


class HotLinks(QWidget):
    """A table of the current heat; empty while there is none, as stale loads are nobody's loads."""

    going = Signal(object)
    why_wanted = Signal()
    """Of the link that is selected by then."""
    saving = Signal(str, str, object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self.table = RowTable("Hot links", (), stretch="ends", widths={"load": 74}, tip=_tip, look=_look)
        self.table.setItemDelegateForColumn(0, EndsDelegate(self.table))
        self.table.setItemDelegateForColumn(1, _LoadDelegate(self.table, appearance))
        self.table.chosen.connect(lambda row: self.going.emit(frozenset((row.link_id,))))
        self.empty = label("Hot links are listed only while the result is current.", "muted", wrap=True)
        self.why = QPushButton("Why…")
        self.why.setToolTip("Show whose flows cross the selected link, or the hottest link if none is selected")
        self.why.clicked.connect(self._ask_why)
        self.copy = QPushButton("Copy")
        self.copy.setToolTip("Copy all links with their loads, for a spreadsheet")
        self.copy.clicked.connect(lambda: copy(self.results()))
        self.save = QPushButton("CSV…")
        self.save.setToolTip("Save all links with their loads")
        self.save.clicked.connect(lambda: self.saving.emit("Hot links as CSV", ".csv", csv_writer(self.results())))
        buttons = Wrapping(6)
        for button in (self.why, self.copy, self.save):
            buttons.addWidget(button)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(0, 0, 0, 0)
        column_layout.addWidget(self.table)
        column_layout.addWidget(self.empty)
        column_layout.addLayout(buttons)
        session.workbench.simulation.shown_changed.connect(self.refresh)
        appearance.changed.connect(self.table.viewport().update)
        self.refresh()

    def refresh(self) -> None:
        """List the hottest links of the current result."""
        heat = self._session.workbench.simulation.heat
        self.table.setVisible(heat is not None)
        self.empty.setVisible(heat is None)
        for button in (self.why, self.copy, self.save):
            button.setVisible(heat is not None)
        if heat is None:
            return
        result = self._session.workbench.simulation.current_result
        mean = None if result is None else result.by_link(result.utilization_mean)
        self.table.show_rows(hottest(self._session.design, heat, mean), MEANS if heat.measure == "mean" else PEAKS)
        self.table.fit_height(SHOWN_ROWS)

    def results(self) -> ResultTable:
        """Every link in both directions, hottest first."""
        result = self._session.workbench.simulation.current_result
        rows = result.links(None) if result is not None else []
        columns = (replace(one, sheet=one.key) for one in rows[0].COLUMNS if one.is_json) if rows else ()
        return ResultTable(tuple(columns), rows)

    def _ask_why(self) -> None:
        if not self._session.selected.links and self.table.rows:
            self.table.chosen.emit(self.table.current or self.table.rows[0])
        self.why_wanted.emit()
