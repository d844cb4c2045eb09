"""Inspector page of one link: its ends, its cable, its load."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from designer.analysis.link_facts import NAMES, link_facts
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import End, Link
from designer.model.hardware.media import MediumType
from designer.model.rewiring import ports_to_choose
from designer.model.shown_text import in_menu
from designer.panels.inspector.facts import tooltip
from designer.panels.inspector.many_fields import ManyFields
from designer.panels.inspector.own_fields import OwnFields, align_names
from designer.panels.simulation.flows_on_link import FlowsOnLinkList
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import ChoiceField, TextField, add_row, form, try_edit
from designer.panels.widgets.labels import ElidedLabel, label, rule
from designer.placement.many import gathered
from designer.session.session import Session
from designer.units import format_rate, parse_length

PORT_TITLES = ("From port", "To port")


class LinkPage(QWidget):
    """Shows one link; `show_link` again refreshes it in place."""

    going = Signal(object)
    entered = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._link_id = ""
        self.ends = [self._end_button(), self._end_button()]
        self.ports = [ChoiceField(title, partial(self._set_port, place)) for place, title in enumerate(PORT_TITLES)]
        self.rate = ElidedLabel()
        self.medium = ChoiceField("Cable", self._set_medium)
        self.length = TextField("Length in meters", self._set_length, "not set")
        self.label = TextField("Label", self._set_label, "none")
        self.others = ManyFields(session, {"medium", "length_m", "label"}, has_own=False)
        self.others.entered.connect(self.entered)
        self.own = OwnFields(session)
        self.flows = FlowsOnLinkList(session)
        self.flows.going.connect(self.going)
        self.no_load = label("Run a simulation to see the load.", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(label("Link", "heading"))
        fields = form()
        for title, end, port_title, port in zip(("From", "To"), self.ends, PORT_TITLES, self.ports, strict=True):
            add_row(fields, title, end)
            add_row(fields, port_title, port)
        add_row(fields, "Rate", self.rate)
        add_row(fields, "Cable", self.medium)
        add_row(fields, "Length, m", self.length)
        self.facts = {name: ElidedLabel() for name in NAMES}
        for name, shown in self.facts.items():
            add_row(fields, name, shown)
        self._fields = fields
        add_row(fields, "Label", self.label)
        align_names(fields)
        column.addLayout(fields)
        column.addWidget(self.others)
        column.addWidget(self.own)
        column.addWidget(rule())
        column.addWidget(label("Load and flows", "section"))
        column.addWidget(self.no_load)
        column.addWidget(self.flows)
        column.addStretch(1)

    def _end_button(self) -> QPushButton:
        button = QPushButton()
        button.setProperty("kind", "place")
        button.setToolTip("Go to this device")
        button.clicked.connect(lambda: self._go(self.ends.index(button)))
        return button

    def show_link(self, link_id: str) -> None:
        """Show a link: its ends, rate, cable, length, label and load, as the design has them now."""
        self._link_id = link_id
        design = self._session.design
        link = design.links[link_id]
        for button, end in zip(self.ends, (link.a, link.b), strict=True):
            button.setText(in_menu(design.end_name(end)))
        for choice, end in zip(self.ports, (link.a, link.b), strict=True):
            choice.show_choices([(port, port) for port in ports_to_choose(design, link, end)], end.port)
        self.rate.set_text(_rate(design, link))
        self.medium.show_choices(self._media(design, link), link.medium_id)
        medium = design.types.get(link.medium_id)
        self.medium.setToolTip(tooltip(medium) if medium is not None else "")
        self.length.show_value("" if link.length_m is None else f"{link.length_m:g}")
        for name, fact in link_facts(design, self._session.catalog.types, link).items():
            self.facts[name].set_text(fact)
            self._fields.setRowVisible(self.facts[name], bool(fact))
        self.label.show_value(link.label)
        self.others.show_gathered(gathered(design, [link_id], self._session.catalog.types))
        self.own.show_things([link_id])
        self._show_load(link)

    def _media(self, design: Design, link: Link) -> list[tuple[str, str]]:
        """Not chosen, then the catalog's cables of the link's rate; the one in use in any case."""
        port = design.port(link.a)
        fitting = [
            medium
            for medium in self._session.catalog.media()
            if port is None or medium.link_gbps is None or medium.link_gbps == port.rate_gbps
        ]
        current = design.types.get(link.medium_id)
        if isinstance(current, MediumType) and current.id not in {medium.id for medium in fitting}:
            fitting.append(current)
        return [("", "not chosen"), *((medium.id, f"{medium.model}  ·  {medium.kind}") for medium in fitting)]

    def _show_load(self, link: Link) -> None:
        heat = self._session.workbench.simulation.heat
        loads = heat.utilization.get(link.id) if heat is not None else None
        self.no_load.setVisible(loads is None)
        self.flows.show_link(link.id)

    def _go(self, number: int) -> None:
        link = self._session.design.links[self._link_id]
        self.going.emit(frozenset(((link.a, link.b)[number].device_id,)))

    # -- editing --------------------------------------------------------------------------------------------------

    def _set_port(self, place: int, port: str) -> None:
        design = self._session.design
        link = design.links[self._link_id]
        device_id = (link.a, link.b)[place].device_id
        self._session.attempt(lambda: operations.reconnect(design, [link.id], device_id, device_id, port))

    def _set_medium(self, medium_id: str) -> None:
        session = self._session
        link = session.design.links[self._link_id]
        if medium_id != link.medium_id:
            medium = session.catalog.types.get(medium_id) or session.design.types.get(medium_id)
            chosen = medium if isinstance(medium, MediumType) else None
            session.attempt(lambda: operations.set_cable(session.design, [link.id], chosen, link.length_m))
        self.show_link(self._link_id)

    def _set_length(self, text: str) -> str | None:
        session = self._session
        link = session.design.links[self._link_id]
        medium = session.design.types.get(link.medium_id)

        def make() -> Edit:
            length_m = parse_length(text) if text else None
            return operations.set_cable(
                session.design, [link.id], medium if isinstance(medium, MediumType) else None, length_m
            )

        return try_edit(session, make)

    def _set_label(self, text: str) -> str | None:
        return try_edit(self._session, lambda: operations.rename(self._session.design, self._link_id, text))


def _rate(design: Design, link: Link) -> str:
    rates = [_port_rate(design, end) for end in (link.a, link.b)]
    return rates[0] if rates[0] == rates[1] else f"{rates[0]} and {rates[1]}: they do not match"


def _port_rate(design: Design, end: End) -> str:
    port = design.port(end)
    return format_rate(port.rate_gbps) if port is not None else "no such port"
