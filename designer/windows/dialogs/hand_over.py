"""Preparing a hand-over: what each step did, and what is still open, with its reason and what closes it."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from designer.analysis.billing.kinds import RACK
from designer.analysis.cable_numbers import number_cables
from designer.errors import sentence
from designer.exchange.exporter import plan_gaps_of
from designer.exchange.plan_gaps import NO_RESERVE, PORT_SIDE, Gap, PlanGaps
from designer.exchange.prepared_steps import PreparedStep
from designer.model import limits
from designer.model.part_numbers import state_part_number
from designer.model.shown_text import plain_text
from designer.panels.widgets.fields import form
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import BusyBar
from designer.panels.widgets.row_table import RowTable
from designer.placement import floor
from designer.placement.cable_lengths import route_cables
from designer.placement.media import pick_media
from designer.placement.preparation import CATALOG, CHOOSE, DRAW_TRAY, MOUNT, NUMBER, PLACE, REDRAW, ROUTE, STATE_NUMBER
from designer.session.jobs import Outcome
from designer.session.timers import later
from designer.tables.columns import Column, Columns
from designer.units import format_count
from designer.windows.commands import room_commands
from designer.windows.desk import Desk
from designer.windows.dialogs.catalog import CatalogDialog

LANE = "open points"
REFRESH_MS = 150

REMEDIES = {
    MOUNT: "Show the devices in the elevation",
    PLACE: "Place racks on floor",
    ROUTE: "Calculate cable lengths",
    CHOOSE: "Select cables by reach",
    NUMBER: "Number cables",
    CATALOG: "Show in catalog",
    REDRAW: "Connect the links to other ports",
    DRAW_TRAY: "Draw trays on the floor plan",
    STATE_NUMBER: "State part number",
}
"""What closes a point, in words; points without a remedy close with another one."""

DECISIONS = {NO_RESERVE: "Add cable slack, or leave it", PORT_SIDE: "Set the port side in the elevation"}
"""What settles a point that is to be decided, by what it is."""

NOTHING_OPEN = "Nothing is open: every link has a length and a cable, and every part a part number."

COLUMNS: Columns = (
    Column("kind", "Kind", value=lambda gap: gap.kind),
    Column("what", "Open point", value=lambda gap: gap.what.removeprefix("no ").capitalize()),
    Column("reason", "Reason", value=lambda gap: sentence(gap.advice).removesuffix(".")),
    Column("links", "Count", value=lambda gap: gap.count, text=format_count, right=True),
    Column(
        "remedy",
        "To close it",
        value=lambda gap: REMEDIES.get(gap.remedy, "") or DECISIONS.get(gap.what, "Close the points above"),
    ),
)


class HandOverDialog(QDialog):
    """Stays open next to the window and follows the design."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self.setWindowTitle("Prepare Hand-over")
        self.state = label("", wrap=True)
        self.done_heading = label("What was done", "heading")
        self.steps = QWidget()
        self._step_rows = form()
        self.steps.setLayout(self._step_rows)
        self.open_heading = label("Open points", "heading")
        self.table = RowTable(
            "Open points", COLUMNS, stretch="reason", tip=lambda gap, _column: plain_text(f"{gap.what}: {gap.advice}")
        )
        self.busy = BusyBar()
        self.show_links = QPushButton("Show Links")
        self.show_links.setToolTip("Select the links, devices or racks that lack this and bring them into view")
        self.remedy = QPushButton()
        self.number = QLineEdit()
        self.number.setMaxLength(limits.TEXT_LONGEST)
        self._numbered = ""
        self.buttons = QDialogButtonBox()
        self.prepare = self.buttons.addButton("Prepare", QDialogButtonBox.ButtonRole.ActionRole)
        self.prepare.setToolTip("Place racks on the floor, calculate lengths, select and number cables")
        self.export = self.buttons.addButton("Export Hand-over Package…", QDialogButtonBox.ButtonRole.ActionRole)
        self.export.setToolTip("Write drawings, cable plan, bill, labels and a summary into one ZIP file")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self._later = later(self, REFRESH_MS, self.refresh)
        self._lay_out()
        self.table.current_changed.connect(self._offer)
        self.table.doubleClicked.connect(self.go)
        self.show_links.clicked.connect(self.go)
        self.remedy.clicked.connect(self.close_point)
        self.number.returnPressed.connect(self.close_point)
        self.prepare.clicked.connect(self.do)
        self.export.clicked.connect(lambda: desk.dialogs.show("pack"))
        self.buttons.rejected.connect(self.close)
        for signal in (desk.session.settled, desk.session.reset):
            signal.connect(self._soon)
        desk.session.reset.connect(self._forget_steps)
        self._show_steps(())
        self.resize(860, 520)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.state)
        column.addWidget(self.busy)
        column.addWidget(self.done_heading)
        column.addWidget(self.steps)
        column.addWidget(self.open_heading)
        column.addWidget(self.table, 100)
        row = QHBoxLayout()
        row.addWidget(self.show_links)
        row.addWidget(self.number, 100)
        row.addWidget(self.remedy)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)  # where no point is open
        column.addWidget(self.buttons)

    def do(self) -> None:
        """Prepare the hand-over in a worker, then list what each step did."""
        self.busy.show()
        self.prepare.setEnabled(False)
        room_commands.prepare(self._desk, then=self.refresh, report=self._report)

    def _report(self, steps: Sequence[Any]) -> None:
        self.busy.hide()
        self.prepare.setEnabled(True)
        self._show_steps(steps)

    def _forget_steps(self) -> None:
        self._show_steps(())

    def _show_steps(self, steps: Sequence[PreparedStep]) -> None:
        """List the steps; none hides the list. Once they are done, the package is what comes next."""
        while self._step_rows.rowCount():
            self._step_rows.removeRow(0)
        for step in steps:
            skipped = f"\nSkipped: {step.skipped}" if step.skipped else ""
            self._step_rows.addRow(label(step.title, "muted"), label(f"{step.done}{skipped}", wrap=True))
        for one in (self.done_heading, self.steps):
            one.setVisible(bool(steps))
        for button, is_next in ((self.prepare, not steps), (self.export, bool(steps))):
            button.setProperty("kind", "primary" if is_next else "")
            button.style().unpolish(button)
            button.style().polish(button)

    def showEvent(self, event: object) -> None:
        """Look for open points in the design as it is now."""
        super().showEvent(event)  # type: ignore[arg-type]
        self.refresh()

    def _soon(self, *_what: object) -> None:
        if self.isVisible():
            self._later.start()

    def refresh(self) -> None:
        """Find the open points in a worker, and show them."""
        self._later.stop()
        design = self._desk.session.snapshot()
        self.busy.show()
        self._desk.session.jobs.run(LANE, lambda _progress: plan_gaps_of(design), self._take)

    def _take(self, outcome: Outcome) -> None:
        self.busy.hide()
        if outcome.error is not None:
            self.state.setText(sentence(outcome.error))
            return
        gaps: PlanGaps = outcome.value
        has_links = bool(gaps.n_links)
        nothing = NOTHING_OPEN if has_links else "The design has no links yet."
        self.state.setText(sentence(gaps.statement) if gaps.statement else nothing)
        kept = self.table.current
        self.table.show_rows(gaps.gaps)
        self.table.setVisible(bool(gaps.gaps))
        self.open_heading.setVisible(bool(gaps.gaps) and not self.steps.isHidden())
        same = (number for number, gap in enumerate(gaps.gaps) if kept is not None and gap.note == kept.note)
        self.table.choose(next(same, 0) if gaps.gaps else None)
        self.prepare.setEnabled(has_links)
        self.export.setEnabled(bool(self._desk.session.design.devices))
        self._offer()

    def _offer(self) -> None:
        gap: Gap | None = self.table.current
        remedy = REMEDIES.get(gap.remedy, "") if gap is not None else ""
        self.show_links.setVisible(gap is not None and bool(gap.links or gap.devices))
        what = "Links" if gap is None or gap.links else "Racks" if gap.part == RACK else "Devices"
        self.show_links.setText(f"Show {what}")
        self.remedy.setVisible(bool(remedy))
        self.remedy.setText(remedy)
        self._offer_number(gap.type_id if gap is not None and gap.remedy == STATE_NUMBER else "")

    def _offer_number(self, type_id: str) -> None:
        """Ask for the number of that type; nothing that was typed for another one stays. For "", ask for none."""
        if type_id != self._numbered:
            self._numbered = type_id
            self.number.clear()
        type_ = self._desk.session.design.types.get(type_id)
        self.number.setVisible(type_ is not None)
        if type_ is not None:
            self.number.setPlaceholderText(f"Part number of {type_.model}")
            self.number.setAccessibleName(self.number.placeholderText())

    def go(self) -> None:
        """Select the links, devices or racks of the current point and bring them into view; racks in the elevation."""
        gap: Gap | None = self.table.current
        if gap is not None:
            if gap.part == RACK:
                self._desk.views.show_view(self._desk.views.elevation)
            self._desk.views.go_to(frozenset(gap.links or gap.devices))

    def close_point(self) -> None:
        """Do what closes the current point, for its links alone where that is possible."""
        gap: Gap | None = self.table.current
        desk = self._desk
        if gap is None:
            return
        session = desk.session
        makers = {
            PLACE: lambda: floor.place_missing(session.design),
            ROUTE: lambda: route_cables(session.design, gap.links),
            NUMBER: lambda: number_cables(session.design),
            CHOOSE: lambda: pick_media(session.design, desk.catalog.types, gap.links),
        }
        if gap.remedy in makers:
            session.attempt(makers[gap.remedy])
        elif gap.remedy == STATE_NUMBER:
            self._state_number(gap.type_id)
        elif gap.remedy == MOUNT:
            self._show_unmounted(gap)
        elif gap.remedy == REDRAW:
            self.go()
        elif gap.remedy == DRAW_TRAY:
            desk.views.show_view(desk.views.floor)
        elif gap.remedy == CATALOG:
            self._show_medium(gap)

    def _state_number(self, type_id: str) -> None:
        """Take what was typed; where nothing was, it is time to."""
        number = self.number.text().strip()
        if not number:
            self.number.setFocus()
            return
        session = self._desk.session
        session.attempt(lambda: state_part_number(session.design, type_id, number))
        self.number.clear()

    def _show_medium(self, gap: Gap) -> None:
        """The part, or the cable or optic of the first link that is still there, in the catalog."""
        desk = self._desk
        desk.dialogs.show("catalog")
        media = [link.medium_id for one in gap.links if (link := desk.session.design.links.get(one)) is not None]
        media = [gap.type_id] if gap.type_id else media
        catalog = desk.dialogs["catalog"]
        if media and isinstance(catalog, CatalogDialog):
            catalog.bring_up(media[0])

    def _show_unmounted(self, gap: Gap) -> None:
        """Select the devices of the links that stand in no rack, in the elevation, where they are dragged into one."""
        design, views = self._desk.session.design, self._desk.views
        links = (design.links[one] for one in gap.links if one in design.links)
        ends = {device_id for link in links for device_id in (link.a.device_id, link.b.device_id)}
        loose = frozenset(one for one in ends if one not in design.placements or design.placements[one].unit is None)
        views.show_view(views.elevation)
        self._desk.session.select(loose)
