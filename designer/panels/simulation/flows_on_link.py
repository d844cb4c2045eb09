"""Why a link is hot: the flows over it in either direction, by server or one by one, and the lanes beside it."""

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from designer.drawing.heat import percent
from designer.errors import sentence
from designer.model.shown_text import in_menu
from designer.panels.widgets.fields import ChoiceField
from designer.panels.widgets.labels import label
from designer.panels.widgets.row_table import RowTable
from designer.session.flows_on_link import Asked, FlowEnds
from designer.session.session import Session
from designer.tables.columns import Column, Columns, exact_percent
from designer.tables.columns import percent as percent_of
from designer.tables.table import ResultTable
from designer.units import format_count, format_counted

if TYPE_CHECKING:
    from designer.simulation.explain.flows_on_link import Crossing, FlowsOnLink, Lane, Pair

SHOWN_ROWS = 12
VIEWS = (("pairs", "By server"), ("flows", "Flow by flow"), ("lanes", "Lanes of equal cost"))

NAMES = {
    "pairs": "from to flows bytes",
    "flows": "rank to_rank from to share bytes phase",
    "lanes": "port to to_port bytes utilization_peak",
}


class FlowsOnLinkList(QWidget):
    """A flow that is clicked is lit on the canvas, while the list stays; `going` carries the link of a clicked lane."""

    going = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._link_id = ""
        self._view = "pairs"
        self.directions = [QPushButton(), QPushButton()]
        group = QButtonGroup(self)
        for number, button in enumerate(self.directions):
            button.setCheckable(True)
            button.setProperty("kind", "direction")
            button.setToolTip("Show the flows of this direction")
            group.addButton(button, number)
        group.idClicked.connect(self._ask)
        self.story = label("", wrap=True)
        self.view = ChoiceField("Show flows", self._choose_view)
        self.copy = QPushButton("Copy")
        self.copy.setToolTip("Copy the list, for a spreadsheet")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.results().tabbed()))
        self.table = RowTable("Flows over the link", (), stretch="ends", tip=self._tip)
        self.table.chosen.connect(self._choose)
        self.note = label("", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for button in self.directions:
            column.addWidget(button)
        column.addWidget(self.story)
        bar = QHBoxLayout()
        bar.addWidget(self.view, 1)
        bar.addWidget(self.copy)
        column.addLayout(bar)
        column.addWidget(self.table)
        column.addWidget(self.note)
        session.workbench.flows_on_link.changed.connect(self.refresh)

    def show_link(self, link_id: str) -> None:
        """Show the flows of the link's busier direction, or of the one chosen before."""
        heat = self._session.workbench.simulation.heat
        loads = heat.utilization.get(link_id) if heat is not None else None
        self.setVisible(loads is not None)
        if loads is None:
            return
        link = self._session.design.links[link_id]
        a, b = (self._session.design.device(end.device_id).name for end in (link.a, link.b))
        self.directions[0].setText(in_menu(f"{percent(loads[0])}   {a} → {b}"))
        self.directions[1].setText(in_menu(f"{percent(loads[1])}   {b} → {a}"))
        if link_id != self._link_id:
            self._link_id = link_id
            self.directions[int(loads[1] > loads[0])].setChecked(True)
        self._ask(int(self.directions[1].isChecked()))

    def _ask(self, direction: int) -> None:
        self._session.workbench.flows_on_link.ask(Asked(self._link_id, bool(direction)))
        self.refresh()

    def _choose(self, row: Any) -> None:
        """Light the flow of that row, or go to the link of a lane."""
        if self._view == "lanes":
            self.going.emit(frozenset((row.link_id,)))
        else:
            ranks = (row.rank, row.to_rank) if self._view == "flows" else None
            self._session.workbench.flows_on_link.light(FlowEnds(row.source_id, row.target_id, ranks))

    def _choose_view(self, name: str) -> None:
        self._view = name
        self.refresh()

    def refresh(self) -> None:
        """Show what was found, or that it is being looked for."""
        job = self._session.workbench.flows_on_link
        found = job.found if job.asked is not None and job.asked.link_id == self._link_id else None
        for part in (self.view, self.copy, self.table):
            part.setVisible(found is not None and found.flows > 0)
        self.story.setVisible(found is not None and bool(found.story))
        self.note.setText("" if found is not None else sentence(job.error or "Finding the flows …"))
        if found is None:
            return
        self.story.setText(f"{found.story}.")
        offered = [view for view in VIEWS if view[0] != "lanes" or found.lanes]
        self._view = self._view if self._view in dict(offered) else "pairs"
        self.view.show_choices(offered, self._view)
        self.table.show_rows(self._rows(found), self._columns(found))
        self.table.fit_height(SHOWN_ROWS)
        self.note.setText(self._foot(found))

    def _rows(self, found: "FlowsOnLink") -> "Sequence[Crossing | Pair | Lane]":
        if self._view == "lanes":
            return sorted(found.lanes, key=lambda lane: lane.bytes)
        return found.crossings if self._view == "flows" else found.pairs

    def _columns(self, found: "FlowsOnLink") -> Columns:
        heading = self._heading(found)
        if self._view == "lanes":
            return (
                Column("ends", heading, lambda lane: f"{found.source} {lane.port} → {lane.target} {lane.target_port}"),
                Column("load", "Load", _load_of, right=True, order=attrgetter("bytes")),
            )
        return (
            Column("ends", heading, lambda flow: f"{flow.source} → {flow.target}"),
            Column("bytes", "Bytes", text=found.carried, right=True),
        )

    def _tip(self, row: Any, column: Column) -> str:
        found = self._session.workbench.flows_on_link.found
        if found is None or column.key != "ends":
            return ""
        if self._view == "lanes":
            return f"{found.carried(row.bytes)} in the whole run\nClick to go there"
        if self._view == "flows":
            share = f"{exact_percent(row.share)} of it goes here"
            return f"rank {row.rank} to rank {row.to_rank}: {share}\n{row.phase}\nClick to show its path"
        share = f"{percent_of(row.bytes / found.bytes)} of the link's bytes"
        return f"{format_counted(row.flows, 'flow')}, {share}\nClick to show their paths"

    def _heading(self, found: "FlowsOnLink") -> str:
        if self._view == "lanes":
            return format_counted(len(found.lanes), "other lane")
        count, what = (found.flows, "flow") if self._view == "flows" else (found.n_pairs, f"pair of {found.pairs_of}")
        many = "flows" if self._view == "flows" else f"pairs of {found.pairs_of}"
        return f"1 {what}" if count == 1 else f"{format_count(count)} {many}"

    def _foot(self, found: "FlowsOnLink") -> str:
        if not found.flows:
            return "No flow crosses the link in this direction."
        shown, count = (
            (len(found.crossings), found.flows) if self._view == "flows" else (len(found.pairs), found.n_pairs)
        )
        if self._view == "lanes" or shown == count:
            return f"{found.carried(found.bytes)} in the whole run."
        return f"{found.carried(found.bytes)} in the whole run; the largest {format_count(shown)} are listed."

    def results(self) -> ResultTable:
        """The list that is shown."""
        found = self._session.workbench.flows_on_link.found
        rows = self._rows(found) if found is not None else ()
        return ResultTable.of(rows, NAMES[self._view])


def _load_of(lane: "Lane") -> str:
    return "idle" if lane.is_idle else percent(lane.utilization)
