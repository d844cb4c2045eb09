"""Why a link is hot: the flows over it in either direction, by server or one by one, and the lanes beside it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QHeaderView, QPushButton, QTreeWidgetItem, QVBoxLayout, QWidget

from designer.drawing.heat import percent
from designer.errors import sentence
from designer.exchange.plain_table import PlainTable
from designer.model.shown_text import in_menu, plain_text
from designer.panels.widgets.fields import ChoiceField
from designer.panels.widgets.labels import label
from designer.panels.widgets.rows import ID_ROLE, RowTree, fitting_height
from designer.session.flows_on_link import Asked, FlowEnds
from designer.session.session import Session
from designer.units import format_count

if TYPE_CHECKING:
    from designer.simulation.explain.flows_on_link import FlowsOnLink

SHOWN_ROWS = 12
FLOW_ROW, LANE_ROW = "flow", "lane"
SEPARATOR = "\n"
"""Between the parts of what a row carries: no id has a line break, though it may have spaces."""
VIEWS = (("pairs", "By server"), ("flows", "Flow by flow"), ("lanes", "Lanes of equal cost"))


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
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.plain_table().tabbed()))
        self.tree = RowTree("Flows over the link", ["", "Bytes"])
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.chosen.connect(self._choose)
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
        column.addWidget(self.tree)
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

    def _choose(self, row: str) -> None:
        """Light the flow of that row, or go to the link of a lane."""
        kind, *ids = row.split(SEPARATOR)
        if kind == LANE_ROW:
            self.going.emit(frozenset(ids))
            return
        source, target, *ranks = ids
        pair = (int(ranks[0]), int(ranks[1])) if ranks else None
        self._session.workbench.flows_on_link.light(FlowEnds(source, target, pair))

    def _choose_view(self, name: str) -> None:
        self._view = name
        self.refresh()

    def refresh(self) -> None:
        """Show what was found, or that it is being looked for."""
        job = self._session.workbench.flows_on_link
        found = job.found if job.asked is not None and job.asked.link_id == self._link_id else None
        for part in (self.view, self.copy, self.tree):
            part.setVisible(found is not None and found.flows > 0)
        self.story.setVisible(found is not None and bool(found.story))
        self.note.setText("" if found is not None else sentence(job.error or "Finding the flows …"))
        if found is None:
            return
        self.story.setText(f"{found.story}.")
        offered = [view for view in VIEWS if view[0] != "lanes" or found.lanes]
        self._view = self._view if self._view in dict(offered) else "pairs"
        self.view.show_choices(offered, self._view)
        rows = self._rows(found)
        self.tree.setHeaderLabels([self._heading(found), "Load" if self._view == "lanes" else "Bytes"])
        self.tree.clear()
        for name, figure, ids, told in rows:
            item = QTreeWidgetItem([name, figure])
            item.setData(0, ID_ROLE, ids)
            item.setToolTip(0, plain_text(told))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.tree.addTopLevelItem(item)
        self.tree.setFixedHeight(fitting_height(self.tree, max(1, min(len(rows), SHOWN_ROWS))))
        self.note.setText(self._foot(found))

    def _rows(self, found: "FlowsOnLink") -> list[tuple[str, str, str, str]]:
        """(name, figure, what to show, tooltip) of each row."""
        if self._view == "flows":
            return [
                (
                    f"{f.source} → {f.target}",
                    found.carried(f.bytes),
                    SEPARATOR.join((FLOW_ROW, f.source_id, f.target_id, str(f.rank), str(f.to_rank))),
                    f"rank {f.rank} to rank {f.to_rank}: {100 * f.share:.4g} % of it goes here\n{f.phase}\n"
                    "Click to show its path",
                )
                for f in found.crossings
            ]
        if self._view == "lanes":
            return [
                (
                    f"{found.source} {lane.port} → {lane.target} {lane.target_port}",
                    "idle" if lane.is_idle else percent(lane.utilization),
                    SEPARATOR.join((LANE_ROW, lane.link_id)),
                    f"{found.carried(lane.bytes)} in the whole run\nClick to go there",
                )
                for lane in sorted(found.lanes, key=lambda lane: lane.bytes)
            ]
        return [
            (
                f"{p.source} → {p.target}",
                found.carried(p.bytes),
                SEPARATOR.join((FLOW_ROW, p.source_id, p.target_id)),
                f"{format_count(p.flows)} flows, {100 * p.bytes / found.bytes:.1f} % of the link's bytes\n"
                "Click to show their paths",
            )
            for p in found.pairs
        ]

    def _heading(self, found: "FlowsOnLink") -> str:
        if self._view == "lanes":
            return f"{format_count(len(found.lanes))} other lanes"
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

    def plain_table(self) -> PlainTable:
        """The list that is shown."""
        found = self._session.workbench.flows_on_link.found
        if found is None:
            return PlainTable([], [])
        if self._view == "lanes":
            return PlainTable(
                ["port", "to", "to port", "bytes", "peak utilization"],
                [[lane.port, lane.target, lane.target_port, lane.bytes, lane.utilization] for lane in found.lanes],
            )
        if self._view == "flows":
            return PlainTable(
                ["rank", "to rank", "from", "to", "share", "bytes", "phase"],
                [[f.rank, f.to_rank, f.source, f.target, f.share, f.bytes, f.phase] for f in found.crossings],
            )
        return PlainTable(
            ["from", "to", "flows", "bytes"], [[p.source, p.target, p.flows, p.bytes] for p in found.pairs]
        )
