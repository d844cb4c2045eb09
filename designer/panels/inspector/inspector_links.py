"""Inspector page of several links, such as those of one drawn line: each with its load, to choose one of."""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidgetItem, QVBoxLayout, QWidget

from designer.model.design import Design
from designer.model.entities import Link, order_key
from designer.model.shown_text import plain_text
from designer.panels.widgets.ends_delegate import ENDS_ROLE, EndsDelegate, ends_of, written
from designer.panels.widgets.labels import label
from designer.panels.widgets.rows import ID_ROLE, RowTree
from designer.session.session import Session
from designer.units import format_count, format_counted

MOST_ROWS = 200
MOST_LINKS = 2_000
"""More links than this are counted only."""


class LinksPage(QWidget):
    """`going` carries the link chosen, to select and bring into view: its page says whose load it carries."""

    going = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.title = label("", "heading")
        self.between = label("", "muted", wrap=True)
        self.tree = RowTree("Links selected", ["Link", "Load"])
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setItemDelegateForColumn(0, EndsDelegate(self.tree))
        header = self.tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.chosen.connect(lambda link_id: self.going.emit(frozenset((link_id,))))
        self.more = label("", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.between)
        column.addWidget(self.more)
        column.addWidget(self.tree, 1)

    def refresh(self) -> None:
        design, heat = self._session.design, self._session.workbench.simulation.heat
        ids = sorted(self._session.selected.links, key=order_key)
        self.title.setText(format_counted(len(ids), "link"))
        self.between.setText(_between(design, (design.links[one] for one in ids)))
        loads = None
        if heat is not None:
            loads = heat.loads.taken_for(ids, 0.0).max(axis=1)
            hottest_first = np.argsort(-loads, kind="stable")
            ids, loads = [ids[row] for row in hottest_first.tolist()], loads[hottest_first]
        self.tree.setColumnHidden(1, loads is None)
        self.tree.clear()
        for row, link_id in enumerate(ids[:MOST_ROWS]):
            link = design.links[link_id]
            ends = ends_of(design, link.a, link.b)
            told = "" if loads is None or heat is None else heat.text_of(float(loads[row]))
            item = QTreeWidgetItem([written(ends), told])
            item.setData(0, ID_ROLE, link_id)
            item.setData(0, ENDS_ROLE, ends)
            item.setToolTip(0, plain_text(f"{written(ends)}\nClick to select only this one"))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.tree.addTopLevelItem(item)
        hidden = len(ids) - MOST_ROWS
        left_out = f"{format_count(hidden)} more are selected. " if hidden > 0 else ""
        what = "whose load it carries" if loads is not None else "its cable and label"
        self.more.setText(
            f"{left_out}Click a link to see {what}. On the drawing Alt+click takes one of a line's links."
        )


def _between(design: Design, links: Iterable[Link]) -> str:
    """Whom the links join: two devices by name, more of them by number."""
    devices = dict.fromkeys(end.device_id for link in links for end in (link.a, link.b))
    if len(devices) == 2:
        return " to ".join(design.device(one).name for one in devices)
    return f"between {format_count(len(devices))} devices"
