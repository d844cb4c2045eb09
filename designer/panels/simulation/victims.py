"""Where congestion spreads: hot ports in words, and the flows that suffer without using them; click one to go there."""

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.panels.widgets.labels import label, linked_label
from designer.panels.widgets.row_table import RowTable
from designer.session.session import Session
from designer.tables.columns import Column, pick
from designer.units import format_capacity, format_count

if TYPE_CHECKING:
    from designer.simulation.explain.victims import Congestion, HotPort, Victim

SHOWN_PORTS, SHOWN_ROWS = 3, 8
VICTIM = Column("flow", "Victim", lambda victim: f"{victim.source} → {victim.target}")
UNPAUSED = "Rate of the flow among the same flows if no cable were paused"


class Victims(QWidget):
    """Hidden unless the current result was asked for it. `going` carries links: a hot port's, or a victim's pauses."""

    going = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.words = linked_label(lambda link_id: self.going.emit(frozenset((link_id,))))
        self.table = RowTable("Victims", (), stretch="flow", tip=_tip)
        self.table.chosen.connect(self._go)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(0, 0, 0, 0)
        column_layout.setSpacing(6)
        column_layout.addWidget(label("Where congestion spreads", "section"))
        column_layout.addWidget(self.words)
        column_layout.addWidget(self.table)
        session.workbench.simulation.shown_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show hot ports and victim flows of the current result; hidden where congestion was not asked for."""
        result = self._session.workbench.simulation.current_result
        found = result.congestion if result is not None else None
        self.setVisible(found is not None)
        if found is None:
            return
        self.words.setText(_words(found))
        if found.victims:
            _, unpaused, now = pick(found.victims[0].COLUMNS, "flow rate_unpaused_gbps rate_gbps")
            self.table.show_rows(found.victims, (VICTIM, replace(unpaused, tip=UNPAUSED), now))
        self.table.setVisible(bool(found.victims))
        self.table.fit_height(SHOWN_ROWS)

    def _go(self, victim: "Victim") -> None:
        self.going.emit(frozenset(place.link_id for place in victim.pauses if place.link_id is not None))


def _tip(victim: "Victim", column: Column) -> str:
    if column.key != VICTIM.key:
        return ""
    chain = "\n waits for ".join(str(place).replace("->", "→") for place in victim.pauses)
    return f"{victim.source} to {victim.target}\nHeld on {chain}\nClick to go there"


def _words(found: "Congestion") -> str:
    if not found.n_hot_ports:
        return "Congestion does not spread: no full port slows flows that arrive over other cables."
    paragraphs = [_of_port(port) for port in found.hot_ports[:SHOWN_PORTS]]
    if found.n_hot_ports > SHOWN_PORTS:
        paragraphs.append(f"And {format_count(found.n_hot_ports - SHOWN_PORTS)} more hot ports.")
    if found.n_victims:
        flows = "1 flow is slowed" if found.n_victims == 1 else f"{format_count(found.n_victims)} flows are slowed"
        paragraphs.append(f"{flows} without using the port:")
    else:
        paragraphs.append("No victim flows: every affected flow uses the port.")
    return "".join(f'<p style="margin: 0 0 4px 0">{paragraph}</p>' for paragraph in paragraphs)


def _of_port(port: "HotPort") -> str:
    """One hot port: what it is asked for, and how far its pauses reach."""
    n_paused = sum(port.paused)
    cables = "1 cable" if n_paused == 1 else f"{format_count(n_paused)} cables"
    away = f", up to {len(port.paused)} away" if len(port.paused) > 1 else ""
    rates = format_capacity(port.wanted_gbps), port.carries_text
    wanted, carries = (rate.replace("b/s", "b/&#8288;s") for rate in rates)
    flows = "1 flow brings" if port.flows == 1 else f"{format_count(port.flows)} flows would bring"
    place = escape(str(port.place).replace("->", "→"))
    text = f"{place}: {flows} {wanted}, it carries {carries}. It pauses {cables}{away}."
    if port.place.link_id is not None:
        text += f' <a href="{escape(port.place.link_id)}">Go there</a>'
    return text
