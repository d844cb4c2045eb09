"""Inspector page of the design itself: its name, its limits, what it holds."""

import math

from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.errors import ParameterError
from designer.model import operations
from designer.model.entities import FABRIC
from designer.model.hardware import ServerType
from designer.panels.widgets.fields import TextField, add_row, form, try_edit
from designer.panels.widgets.labels import ElidedLabel, label, rule
from designer.session.session import Session
from designer.units import format_count, format_ratio, parse_ratio, shortened

LENGTH_MOST_M = 1e6


class DesignPage(QWidget):
    """Shown while nothing is selected."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.name = TextField("Design name", self._rename)
        self.limit = TextField("Oversubscription limit", self._set_limit, "1:1")
        self.cable_length = TextField("Default cable length in metres", self._set_length, "not set")
        self.counts = {
            name: ElidedLabel() for name in ("Servers", "GPUs", "NICs", "Switches", "Links", "Racks", "Groups")
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(label("Design", "heading"))
        settings = form()
        add_row(settings, "Name", self.name)
        add_row(settings, "Oversubscription limit", self.limit)
        add_row(settings, "Cable length, m", self.cable_length)
        column.addLayout(settings)
        column.addWidget(
            label(
                "Ratio of downlink to uplink capacity of a leaf switch. Validation reports leaf switches above the "
                "limit.",
                "muted",
                wrap=True,
            )
        )
        column.addWidget(rule())
        numbers = form()
        for name, value in self.counts.items():
            add_row(numbers, name, value)
        column.addLayout(numbers)
        column.addStretch(1)

    def refresh(self) -> None:
        design = self._session.design
        settings = design.settings
        self.name.show_value(design.name)
        self.limit.show_value(format_ratio(settings.oversubscription_limit))
        length = settings.default_cable_length_m
        self.cable_length.show_value("" if length is None else f"{length:g}")
        servers = {type_: n for type_, n in design.count_by_type().items() if isinstance(type_, ServerType)}
        n_servers = sum(servers.values())
        figures = {
            "Servers": n_servers,
            "GPUs": sum(type_.gpus * n for type_, n in servers.items()),
            "NICs": len(design.modules),
            "Switches": len(design.devices) - n_servers,
            "Links": len(design.links),
            "Racks": len(design.racks),
            "Groups": sum(group.kind != FABRIC for group in design.groups.values()),
        }
        for name, figure in figures.items():
            self.counts[name].set_text(format_count(figure))

    def _rename(self, text: str) -> str | None:
        if not text:
            return "Enter a name for the design."
        return try_edit(self._session, lambda: operations.set_settings(self._session.design, name=text))

    def _set_limit(self, text: str) -> str | None:
        try:
            limit = parse_ratio(text)
        except ParameterError as error:
            return str(error)
        return try_edit(
            self._session, lambda: operations.set_settings(self._session.design, oversubscription_limit=limit)
        )

    def _set_length(self, text: str) -> str | None:
        try:
            length = parse_length(text) if text else None
        except ParameterError as error:
            return str(error)
        return try_edit(
            self._session, lambda: operations.set_settings(self._session.design, default_cable_length_m=length)
        )


def parse_length(text: str) -> float:
    """Metres from "30", "30 m" or "2.5m". Raises ParameterError."""
    try:
        length = float(text.strip().lower().removesuffix("m").strip())
    except ValueError:
        length = math.nan
    if not math.isnan(length) and not 0 < length <= LENGTH_MOST_M:
        raise ParameterError(f"a length should be above 0 and at most {LENGTH_MOST_M:,.0f} m, not {shortened(text)!r}")
    if math.isnan(length):
        raise ParameterError(f"{text!r} is not a length: write metres, like 30 or 2.5 m")
    return length
