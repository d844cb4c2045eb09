"""Inspector page of the design itself: its name, its limits, what it holds, notes on it."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from designer.analysis.tiers import mixed_hosts, server_word, servers_title, switch_word, switches_title
from designer.errors import ParameterError, sentence
from designer.fields.field import fields_of
from designer.late import Late
from designer.model import operations
from designer.model.entities import FABRIC, Revision
from designer.model.hardware.servers import ServerType
from designer.model.networks import TITLES
from designer.model.policy import policy_name
from designer.model.records import ordered
from designer.model.settings import TITLE_BLOCK, Settings
from designer.panels.widgets.fields import TextField, add_row, form, set_row_name, try_edit
from designer.panels.widgets.labels import ElidedLabel, label, rule
from designer.panels.widgets.live_fields import LiveFields
from designer.panels.widgets.words_field import WordsField
from designer.session.session import Session
from designer.units import format_count

labels = Late("designer.exchange.labels.template")
summary_text = Late("designer.analysis.summary_text")


COUNTED = (
    "Servers",
    "Hosts",
    "Without GPUs",
    "GPUs",
    "Host ports",
    "NICs",
    "Switches",
    "Links",
    "Racks",
    "Groups",
)


class DesignPage(QWidget):
    """Shown while nothing is selected. `by_hand_wanted` asks for what was changed since the fabric was generated."""

    by_hand_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._shapes = session.workbench.shapes
        self._shapes.state_changed.connect(self._show_networks)
        self.name = TextField("Design name", self._rename)
        self.fields = LiveFields(self._change, session.message.emit)
        self.counts = {name: ElidedLabel() for name in COUNTED}
        title_block = form()
        for field in fields_of(Settings).values():
            if field.section == TITLE_BLOCK:
                self.fields.add(field, title_block)
        self.notes = WordsField("Notes on the design")
        self.notes.setPlaceholderText("Where the design comes from, what is assumed")
        self.notes.taken.connect(lambda text: self._change(notes=text))
        self.revisions_heading = label("Revisions", "heading")
        self.revisions = label("", wrap=True)
        self.revisions.setAccessibleName("Revisions")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(label("Design", "heading"))
        settings = form()
        add_row(settings, "Name", self.name)
        self.policy = ElidedLabel()
        add_row(settings, "Policy", self.policy)
        for field in fields_of(Settings).values():
            if not field.section:
                self.fields.add(field, settings)
        self.fields.add(fields_of(Settings)["link_lines"], settings)
        column.addLayout(settings)
        column.addWidget(label("Limits that the design is checked against: Check > Policy.", "muted", wrap=True))
        column.addWidget(rule())
        self._numbers = form()
        for name, value in self.counts.items():
            add_row(self._numbers, name, value)
        column.addLayout(self._numbers)
        column.addWidget(rule())
        self.topology_heading, self.topology = label("Topology", "heading"), label("", wrap=True)
        self.topology.setAccessibleName("Topology")
        column.addWidget(self.topology_heading)
        column.addWidget(self.topology)
        self.by_hand = QPushButton("Show Changes by Hand")
        self.by_hand.setProperty("kind", "small")
        self.by_hand.setToolTip("List what was added, removed, recabled, renamed or tagged since it was generated")
        self.by_hand.clicked.connect(self.by_hand_wanted)
        column.addWidget(self.by_hand)
        self.networks = {network: (label(title, "heading"), label("", wrap=True)) for network, title in TITLES.items()}
        for network, pair in self.networks.items():
            pair[1].setAccessibleName(f"Network: {TITLES[network]}")
            for one in pair:
                column.addWidget(one)
        self.figures_heading, self.figures = label("Figures", "heading"), label("", wrap=True)
        self.figures.setAccessibleName("Figures")
        column.addWidget(self.figures_heading)
        column.addWidget(self.figures)
        column.addWidget(label("Notes", "heading"))
        column.addWidget(self.notes)
        column.addWidget(label(TITLE_BLOCK, "heading"))
        column.addLayout(title_block)
        column.addWidget(self.revisions_heading)
        column.addWidget(self.revisions)
        column.addStretch(1)

    def refresh(self) -> None:
        """Show the name and limits of the design, and how many servers, GPUs, NICs, switches and links it has.

        Where servers are generic hosts, whose GPUs are not stated, the ports that hosts are on are shown.
        """
        design = self._session.design
        settings = design.settings
        self.name.show_value(design.name)
        self.fields.show(settings)
        self.notes.show_text(settings.notes)
        self.policy.set_text(policy_name(design.policy))
        servers = {type_: n for type_, n in design.count_by_type().items() if isinstance(type_, ServerType)}
        n_servers = sum(servers.values())
        mixed = mixed_hosts(design)
        figures = {
            "Servers": n_servers,
            "Hosts": mixed[0] if mixed else 0,
            "Without GPUs": mixed[1] if mixed else 0,
            "GPUs": sum(type_.stated_gpus * n for type_, n in servers.items()),
            "Host ports": sum(_fabric_slots(type_) * n for type_, n in servers.items() if not type_.stated_gpus),
            "NICs": len(design.modules),
            "Switches": len(design.devices) - n_servers,
            "Links": len(design.links),
            "Racks": len(design.racks),
            "Groups": sum(group.kind != FABRIC for group in design.groups.values()),
        }
        for name, figure in figures.items():
            self.counts[name].set_text(format_count(figure))
        for name, title in (("Servers", servers_title(design)), ("Switches", switches_title(design))):
            set_row_name(self._numbers, self.counts[name], title)
        for name in ("Hosts", "Without GPUs"):
            self._numbers.setRowVisible(self.counts[name], mixed is not None)
        has_hosts = any(type_.is_host for type_ in servers)
        self._numbers.setRowVisible(self.counts["Host ports"], has_hosts)
        self._numbers.setRowVisible(self.counts["GPUs"], figures["GPUs"] > 0 or not has_hosts)
        self._show_networks()
        if self.isVisible():
            self._shapes.want()
        revisions = ordered(design.revisions)
        self.revisions.setText("\n".join(map(_line, reversed(revisions))))
        for shown in (self.revisions_heading, self.revisions):
            shown.setVisible(bool(revisions))

    def showEvent(self, event: QShowEvent) -> None:
        """What the networks are built of is calculated while it can be seen."""
        super().showEvent(event)
        self._shapes.want()

    def _show_networks(self) -> None:
        """What each network is built of, as it was last known."""
        found = self._shapes.value
        known = {shape.network: shape for shape in found.networks} if found is not None else {}
        lines = found.topology if found is not None else ()
        self.topology.setText("\n".join(f"{line[:1].upper()}{line[1:]}" for line in lines))
        figures = found.figures if found is not None and known else ()
        self.figures.setText("\n".join(figures))
        for one in (self.topology_heading, self.topology):
            one.setVisible(bool(lines))
        self.by_hand.setVisible(any(group.recipe is not None for group in self._session.design.groups.values()))
        for one in (self.figures_heading, self.figures):
            one.setVisible(bool(figures))
        words = server_word(self._session.design), switch_word(self._session.design)
        for network, (title, text) in self.networks.items():
            shape = known.get(network)
            text.setText("" if shape is None else "\n".join(summary_text.shape_lines(shape, *words)))
            for one in (title, text):
                one.setVisible(shape is not None)

    def _rename(self, text: str) -> str | None:
        if not text:
            return "Enter a name for the design."
        return try_edit(self._session, lambda: operations.set_settings(self._session.design, name=text))

    def _change(self, **values: Any) -> str | None:
        try:
            if template := values.get("label_template"):
                labels.parse(template)
        except ParameterError as error:
            return sentence(str(error))
        return try_edit(self._session, lambda: operations.set_settings(self._session.design, **values))


def _fabric_slots(type_: ServerType) -> int:
    return sum(slot.purpose == "fabric" for slot in type_.slots)


def _line(revision: Revision) -> str:
    """ "B: 2026-11-22, Kim, for review"."""
    stated = ", ".join(part for part in (revision.date, revision.author, revision.notes) if part)
    return f"{revision.number}: {stated}" if stated else revision.number
