"""The figures of a result, its bottleneck in words, and the model they were computed by."""

from html import escape
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.errors import sentence
from designer.late import Late
from designer.model.shown_text import plain_text
from designer.panels.widgets.labels import label, linked_label
from designer.panels.widgets.wrapping import Wrapping, figure
from designer.session.session import Session
from designer.tables.columns import as_json
from designer.units import format_time

if TYPE_CHECKING:
    from designer.simulation.explain.compare_runs import RunComparison
    from designer.simulation.result import Bottleneck

explained = Late("designer.simulation.explain.reasons")

SHOWN_BOTTLENECKS = 2
UNKNOWN_PEAKS = "Loads are means over the run: there are too many flows to follow one by one"
SERVERS, COMPARE = "servers", "compare"


class SimulationSummary(QWidget):
    """Time, algorithm and bus bandwidth; greyed when stale. `going` carries what to go to."""

    going = Signal(object)
    compare_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        row = Wrapping(12)
        self.figures = {name: label("", "value") for name in ("Time", "algbw", "busbw")}
        self.units = {name: label("", "muted") for name in self.figures}
        for name, value in self.figures.items():
            row.addWidget(figure(label(name, "muted"), value, self.units[name]))
        self.figures["algbw"].setToolTip("Size divided by time")
        self.figures["busbw"].setToolTip("algbw times the factor of the collective, as nccl-tests counts it")
        self.notices = label("", "warning", wrap=True)
        self.why = linked_label(self._go)
        self.compare_runs = linked_label(self._follow)
        self.latency = label("", wrap=True)
        self.uplinks = label("", wrap=True)
        self.note = label("", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.words = QWidget()
        lines = QVBoxLayout(self.words)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(4)
        for part in (self.notices, self.compare_runs, self.why, self.latency, self.uplinks, self.note):
            lines.addWidget(part)
        lines.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.words)
        session.workbench.simulation.shown_changed.connect(self.refresh)
        session.workbench.heat_view.changed.connect(self._mark_time)
        self.refresh()

    def _mark_time(self) -> None:
        """Say below the time what it leaves out, and that it is that of now while a change is previewed."""
        result = self._session.workbench.simulation.result
        if result is not None:
            now = "now" if self._session.workbench.heat_view.shows_preview else ""
            self.units["Time"].setText("without start-up" if result.time_note else now)

    def refresh(self) -> None:
        """Show time, bandwidths, bottlenecks and notices of the result; figures are grayed out where it is stale."""
        simulation = self._session.workbench.simulation
        result = simulation.result
        current = simulation.state == "current"
        for shown in self.figures.values():
            shown.setEnabled(current)
        if result is None:
            return
        self.figures["Time"].setText(format_time(result.time_s))
        self._mark_time()
        for shown in (self.figures["Time"], self.units["Time"]):
            shown.setToolTip(plain_text(sentence(f"It takes {result.time_note}")) if result.time_note else "")
        self._show("algbw", result.algbw_gbytes_per_s)
        self._show("busbw", result.busbw_gbytes_per_s)
        self.compare_runs.setText(self._reported(simulation.compare_runs))
        self.compare_runs.setVisible(current and bool(self.compare_runs.text()))
        reasons = explained.each_once(result.bottlenecks)[:SHOWN_BOTTLENECKS]
        self.why.setText("".join(_linked(first, more) for first, more in reasons))
        self.why.setVisible(current and bool(self.why.text()))
        compared = simulation.compare_runs
        notices = result.notices if compared is None else compared.other_notices(result)
        self.notices.setText("\n".join(sentence(notice) for notice in notices))
        self.notices.setVisible(current and bool(notices))
        # What is compared with the run before says it too.
        reported = simulation.compare_runs is not None and result.latency_note in simulation.compare_runs.words
        self.latency.setText(result.latency_note)
        self.latency.setVisible(current and bool(result.latency_note) and not reported)
        self.uplinks.setText(sentence(result.imbalance_note) if result.imbalance_note else "")
        self.uplinks.setVisible(current and bool(result.imbalance_note))
        self.note.setText(
            result.run_text
            + (f". Flows: {result.flows.who_sends.text}" if result.flows is not None else "")
            + (f". {result.choice_note}" if result.choice_note else "")
            + (f". {result.unstated_note}" if result.unstated_note else "")
            + (f". It takes {result.time_note}" if result.time_note else "")
            + ("" if result.are_peaks_known else f". {UNKNOWN_PEAKS}")
            + ("" if current else ". Out of date.")
        )

    def _reported(self, compare_runs: "RunComparison | None") -> str:
        """What changed, as rich text that leads to the servers that suffer and to the comparison."""
        simulation = self._session.workbench.simulation
        parts = [escape(compare_runs.words).replace("\n", "<br>")] if compare_runs is not None else []
        if compare_runs is not None and compare_runs.servers:
            parts.append(f'<a href="{SERVERS}">Select&nbsp;them</a>')
        if self._session.failed and simulation.result_scenario is not None:
            parts.append(f'<a href="{COMPARE}">Compare&nbsp;with&nbsp;healthy</a>')
        return " ".join(parts)

    def _follow(self, where: str) -> None:
        compare_runs = self._session.workbench.simulation.compare_runs
        if where == COMPARE:
            self._session.workbench.simulation.find_healthy()
            self.compare_wanted.emit()
        elif compare_runs is not None:
            self.going.emit(frozenset(compare_runs.servers) & self._session.design.devices.keys())

    def _go(self, link_id: str) -> None:
        self.going.emit(frozenset((link_id,)))

    def _show(self, name: str, value: float | None) -> None:
        self.figures[name].setText("–" if value is None else f"{value:,.4g}")
        self.units[name].setText("" if value is None else "GB/s")


class Assumptions(QWidget):
    """What a result rests on, as rows."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.text = label("", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text)
        session.workbench.simulation.state_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """List the assumptions of the result, one per line; they stay where there is no result."""
        result = self._session.workbench.simulation.result
        if result is not None:
            self.text.setText(
                "\n".join(f"{name.replace('_', ' ')}: {_words(value)}" for name, value in as_json(result.model).items())
            )


def _words(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return "; ".join(_words(item) for item in value) or "none"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_words(item)}" for name, item in value.items())
    return str(value)


def _linked(bottleneck: "Bottleneck", more: int) -> str:
    """A bottleneck in words, and how many are like it, as rich text that leads to its link."""
    text = escape(f"{bottleneck.why}{explained.more_alike(more)}".replace("->", "→")).replace("b/s", "b/&#8288;s")
    if bottleneck.link_id is not None:
        text = f'{text} <a href="{escape(bottleneck.link_id)}">Go&nbsp;there</a>'
    return f'<p style="margin: 0 0 4px 0">{text}</p>'
