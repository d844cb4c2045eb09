"""Inspector page of several links, such as those of one drawn line: each with its load, to choose one of."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.analysis.cable_places import ends_in_order
from designer.model.design import Design
from designer.model.entities import Link, order_key
from designer.panels.inspector.many_fields import ManyFields
from designer.panels.widgets.cut_texts import ENDS, Ends, EndsDelegate, ends_of, look_of_ends, written
from designer.panels.widgets.labels import label, rule
from designer.panels.widgets.row_table import RowTable
from designer.placement.many import gathered
from designer.session.session import Session
from designer.tables.columns import Column
from designer.units import format_count, format_counted

MOST_ROWS = 200
MOST_LINKS = 2_000
"""More links than this are counted only."""


@dataclass(frozen=True, slots=True)
class _Row:
    link_id: str
    ends: Ends
    load: float | None


def _tip(row: _Row, _column: Column) -> str:
    return f"{written(row.ends)}\nClick to select only this one"


class LinksPage(QWidget):
    """A click on a link selects it where it is, on its line that is in sight: its page says whose load it carries."""

    entered = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.title = label("", "heading")
        self.between = label("", "muted", wrap=True)
        self.table = RowTable("Links selected", (ENDS,), stretch="ends", tip=_tip, look=look_of_ends)
        self.table.setItemDelegateForColumn(0, EndsDelegate(self.table))
        self.table.chosen.connect(lambda row: session.select((row.link_id,)))
        self.more = label("", "muted", wrap=True)
        self.editor = ManyFields(session)
        self.editor.entered.connect(self.entered)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.between)
        column.addWidget(self.editor)
        column.addWidget(rule())
        column.addWidget(self.more)
        column.addWidget(self.table, 1)

    def refresh(self) -> None:
        """Show the selected links, hottest first where loads are known, up to the most that the table holds."""
        design, heat = self._session.design, self._session.workbench.simulation.heat
        ids = sorted(self._session.selected.links, key=order_key)
        self.title.setText(format_counted(len(ids), "link"))
        self.editor.show_gathered(gathered(design, ids, self._session.catalog.types))
        self.between.setText(_between(design, (design.links[one] for one in ids)))
        loads = None
        if heat is not None:
            loads = heat.loads.taken_for(ids, 0.0).max(axis=1)
            hottest_first = np.argsort(-loads, kind="stable")
            ids, loads = [ids[row] for row in hottest_first.tolist()], loads[hottest_first]
        rows = []
        for number, link_id in enumerate(ids[:MOST_ROWS]):
            link = design.links[link_id]
            rows.append(_Row(link_id, ends_of(design, link.a, link.b), None if loads is None else float(loads[number])))
        load = () if heat is None else (Column("load", "Load", text=heat.text_of, right=True),)
        self.table.show_rows(rows, (ENDS, *load))
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
        return " to ".join(ends_in_order(*(design.device(one).name for one in devices)))
    return f"between {format_count(len(devices))} devices"
