"""Inspector page of several things at once: how many of what, and the port budget they have together."""

from collections import Counter

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from designer.model.entities import Device, Link
from designer.panels.fields import add_row, form
from designer.panels.labels import ElidedLabel, label, rule
from designer.session.session import Session
from designer.units import format_count


class ManyPage(QWidget):
    """A summary; what can be done with a selection is in the Arrange and Link menus."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.title = label("", "heading")
        self._kinds = form()
        self._ports = form()
        self.figures: dict[str, ElidedLabel] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addLayout(self._kinds)
        column.addWidget(rule())
        column.addLayout(self._ports)
        column.addWidget(
            label(
                "Connect, align, distribute, group or duplicate them by menu, right click or command palette.",
                "muted",
                wrap=True,
            )
        )
        column.addStretch(1)

    def refresh(self) -> None:
        design, selection = self._session.design, self._session.selection
        entities = [entity for entity_id in sorted(selection) if (entity := design.entity(entity_id)) is not None]
        self.title.setText(f"{format_count(len(entities))} selected")
        devices = [entity for entity in entities if isinstance(entity, Device)]
        links = [entity for entity in entities if isinstance(entity, Link)]
        kinds = Counter(design.types[device.type_id].model for device in devices)
        others = Counter(type(entity).__name__ for entity in entities if not isinstance(entity, Device | Link))
        rows = [*sorted(kinds.items()), *((f"{name}s", count) for name, count in sorted(others.items()))]
        if links:
            rows.append(("Links", len(links)))
        self._fill(self._kinds, [(name, format_count(count)) for name, count in rows])
        used = sum(len(design.used_ports(device.id)) for device in devices)
        free = sum(len(design.free_ports(device.id)) for device in devices)
        inside = {device.id for device in devices}
        between = {
            link.id
            for device in devices
            for link in design.links_of(device.id)
            if link.a.device_id in inside and link.b.device_id in inside
        }
        figures = [("Ports used", used), ("Ports free", free), ("Links between them", len(between))] if devices else []
        self._fill(self._ports, [(name, format_count(count)) for name, count in figures])

    def _fill(self, layout: QFormLayout, rows: list[tuple[str, str]]) -> None:
        while layout.rowCount():
            layout.removeRow(0)
        for name, value in rows:
            figure = ElidedLabel(value)
            self.figures[name] = figure
            add_row(layout, name, figure)
