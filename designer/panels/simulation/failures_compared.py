"""The run with something failed beside the healthy one: time, bandwidth, ranks lost, links that are hot now."""

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QStyle, QVBoxLayout, QWidget

from designer.errors import sentence
from designer.late import Late
from designer.panels.simulation.failures_model import times
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.cut_texts import ENDS_ROLE, Ends, EndsDelegate, ends_of
from designer.panels.widgets.fitting import Scrolled
from designer.panels.widgets.labels import label, linked_label
from designer.panels.widgets.row_table import RowTable
from designer.session.session import Session
from designer.tables.columns import Column
from designer.units import format_change, format_count, format_signed, format_time

if TYPE_CHECKING:
    from designer.simulation.failures.impact import FailureImpact, NewlyHot

impact = Late("designer.simulation.failures.impact")

WIDTH_PX = 310
MOST_ROWS = 200
FIGURES = ("Time", "busbw, GB/s", "Ranks", "Over 80 %", "Saturated")


class Compared(QWidget):
    """Follows the session's simulation: shown while its result is of failures and the healthy run is known.

    That is the sweep's, or else the latest run of the same scenario with nothing broken.
    """

    going = Signal(object)
    shown = Signal(bool)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self.failure_impact: FailureImpact | None = None
        self.setProperty("surface", "base")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bar_px = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self)
        self.setFixedWidth(WIDTH_PX + bar_px)
        self.title = label("Compared with healthy", "section")
        self.stated = label("", "muted", wrap=True)
        self._figures = QWidget()
        grid = QGridLayout(self._figures)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(2)
        self.cells = {(row, column): label("") for row in FIGURES for column in range(3)}
        for column, text in enumerate(("healthy", "failed", "change")):
            grid.addWidget(label(text, "muted"), 0, column + 1)
        for number, row in enumerate(FIGURES, start=1):
            grid.addWidget(label(row, "muted"), number, 0)
            for column in range(3):
                grid.addWidget(self.cells[row, column], number, column + 1)
        grid.setColumnStretch(4, 1)
        self.restore = QPushButton("Restore All")
        self.restore.setToolTip("Restore what is marked as failed, except what was marked before the sweep")
        self.restore.clicked.connect(self._restore)
        self.affected = linked_label(lambda _link: self._go_to_affected())
        self.held_back = label("", "muted", wrap=True)
        self.hot_title = label("", "section")
        self.hot = RowTable("Links that are hot now", (), stretch="link", tip=_tip, look=self._look)
        self.hot.setItemDelegateForColumn(0, EndsDelegate(self.hot))
        self.hot.chosen.connect(lambda row: self.going.emit(frozenset([row.link_id])))
        head = QHBoxLayout()
        head.setContentsMargins(12, 8, 12, 4)
        head.addWidget(self.title, 1)
        head.addWidget(self.restore)
        page = QWidget()
        page.setProperty("surface", "base")
        column_ = QVBoxLayout(page)
        column_.setContentsMargins(12, 0, 12, 8)
        column_.setSpacing(4)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(Scrolled(page), 1)  # else it would have the panel scroll, and Run out of sight
        for part in (self.stated, self._figures, self.affected, self.hot_title, self.held_back):
            column_.addWidget(part)
        column_.addWidget(self.hot, 100)
        column_.addStretch(1)
        session.workbench.simulation.state_changed.connect(self.refresh)
        session.workbench.failures.state_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Compare the current run with the healthy one, or say why it was refused; hidden where there is neither.

        `shown` carries whether it is visible.
        """
        self.failure_impact = self._current()
        failure_impact = self.failure_impact
        simulation = self._session.workbench.simulation
        refused = simulation.error if simulation.state == "failed" else None
        for part in (self._figures, self.affected, self.hot_title, self.held_back, self.hot):
            part.setVisible(failure_impact is not None)
        known = (
            (failure_impact.loss, *failure_impact.notices, failure_impact.assumed_note)
            if failure_impact is not None
            else ()
        )
        stated = sentence(refused or "") if failure_impact is None else " ".join(filter(None, known))
        self.stated.setVisible(bool(stated))
        self.stated.setText(stated)
        is_swept = self._session.workbench.failures.sweep is not None
        wanted = bool(self._session.failed - self._base) and bool(failure_impact or (refused and is_swept))
        self.setVisible(wanted)
        self.shown.emit(wanted)
        if failure_impact is not None:
            self._show(failure_impact)

    def _restore(self) -> None:
        """What was broken before the sweep stays so."""
        simulation = self._session.workbench.simulation
        base = self._base
        self._session.mark_as_failed(base, "Restore What the Sweep Failed" if base else "Restore All")
        simulation.run()

    @property
    def _base(self) -> frozenset[str]:
        """What is broken in the healthy run too."""
        job = self._session.workbench.failures
        return job.base if job.sweep is not None and job.is_current else frozenset()

    def _go_to_affected(self) -> None:
        if self.failure_impact is not None:
            self.going.emit(
                frozenset(self.failure_impact.affected_servers.servers) & self._session.design.devices.keys()
            )

    def _current(self) -> "FailureImpact | None":
        """The failure impact, where the simulation's result and the sweep are of the same design and scenario."""
        job, simulation = self._session.workbench.failures, self._session.workbench.simulation
        result = simulation.current_result
        healthy = job.sweep.healthy if job.sweep is not None and job.is_current else simulation.healthy
        if healthy is None or result is None or not self._session.failed - self._base:
            return None
        if result.model.groups is not None or result.model.traffic != healthy.model.traffic:
            return None  # a collective of a training step is shown meanwhile
        found: FailureImpact = impact.failure_impact(healthy, result)
        return found

    def _show(self, found: "FailureImpact") -> None:
        before, after = found.before, found.after
        rows = {
            "Time": (format_time(before.time_s), format_time(after.time_s), times(found.slowdown)),
            "busbw, GB/s": (_busbw(before.busbw_gbytes_per_s), _busbw(after.busbw_gbytes_per_s), _change(found)),
            "Ranks": (
                format_count(before.ranks),
                format_count(after.ranks),
                f"{format_count(found.lost_ranks)} lost" if found.lost_ranks else "none lost",
            ),
            "Over 80 %": _counts(found.hot_links),
            "Saturated": _counts(found.full_links),
        }
        for row, texts in rows.items():
            for column, text in enumerate(texts):
                self.cells[row, column].setText(text)
        count = len(found.newly_hot)
        self.hot_title.setText("Hotter now: over 80 %, or saturated" if count else found.none_hotter)
        who = found.affected_servers
        self.affected.setText(f'{escape(who.sentence)} <a href="servers">Select&nbsp;them</a>')
        self.affected.setVisible(bool(who.servers))
        held_back = found.held_back.replace("->", "→").replace("b/s", "b/\u2060s")  # rates are not broken
        self.held_back.setText(f"Bottleneck now: {held_back}")
        self.held_back.setVisible(bool(held_back) and not count)
        self.hot.setVisible(bool(count))
        self.hot.show_rows(found.newly_hot[:MOST_ROWS], found.columns)

    def _look(self, row: "NewlyHot", column: Column, role: int) -> object:
        return self._ends(row.link_id, row.name) if role == ENDS_ROLE and column.key == "link" else None

    def _ends(self, link_id: str, name: str) -> Ends | None:
        """The ends of a link in the direction that its name begins with."""
        design = self._session.design
        link = design.links.get(link_id)
        if link is None:
            return None
        ends = ends_of(design, link.a, link.b)
        return ends if name.startswith(f"{ends[0]} {ends[1]} ") else ends_of(design, link.b, link.a)


def _tip(row: "NewlyHot", column: Column) -> str:
    return f"{row.name}\nClick to go there" if column.key == "link" else ""


def _counts(pair: tuple[int, int]) -> tuple[str, str, str]:
    before, after = pair
    change = format_signed(after - before) if after != before else ""
    return format_count(before), format_count(after), change


def _busbw(value: float | None) -> str:
    return "–" if value is None else f"{value:,.4g}"


def _change(found: "FailureImpact") -> str:
    change = found.busbw_change
    return "–" if change is None else format_change(change)
