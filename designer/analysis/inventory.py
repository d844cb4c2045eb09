"""Every device, cable and port of a design as rows of tables; a cell is computed when it is asked for."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from designer.analysis.cable_numbers import cable_name
from designer.analysis.link_facts import SOURCES
from designer.analysis.tiers import role_names
from designer.late import Late
from designer.model.design import Design
from designer.model.entities import Device, End, Link
from designer.model.naming import natural
from designer.model.networks import network_of_link, network_of_switch
from designer.model.port_labels import port_label
from designer.model.records import ordered
from designer.placement.trays import TrayRoutes
from designer.tables.columns import Column, Columns
from designer.units import all_of, format_rate

link_rails = Late("designer.model.link_rails")


class PortRow(NamedTuple):
    """A port of a device by its name in the design."""

    device_id: str
    port: str

    @property
    def end(self) -> End:
        """As links name it."""
        return End(self.device_id, self.port)


@dataclass(frozen=True, slots=True)
class Listed:
    """A table of all records of a kind; `ids_of` is what a row selects, `numbers` which rows a selection fits."""

    title: str
    columns: Columns
    rows: Sequence[Any]
    ids_of: Callable[[Any], tuple[str, ...]]
    numbers: Callable[[Sequence[Any], frozenset[str]], list[int]]
    record_of: Callable[[Any], str] = attrgetter("id")
    """The id of the device or link that a row is about."""


class Inventory:
    """The tables of a design as it stands; what all rows share is calculated once, when it is first asked for."""

    def __init__(self, design: Design) -> None:
        self._design = design

    @cached_property
    def _rails(self) -> Any:
        return link_rails.LinkRails(self._design, list(self._design.links.values()))

    @cached_property
    def _roles(self) -> dict[str, str]:
        return role_names(self._design)

    @cached_property
    def _trays(self) -> TrayRoutes:
        return TrayRoutes(self._design)

    # -- devices ------------------------------------------------------------------------------------------------------

    def devices(self) -> Listed:
        """All devices, with where they stand and how many of their ports are used and free."""
        design = self._design
        columns = (
            _text("name", "Name", lambda one: one.name),
            _text("role", "Role", lambda one: self._roles.get(one.id, "")),
            _text("type", "Type", lambda one: design.device_type(one.id).model),
            _text("rack", "Rack", lambda one: self._place(one.id)[0]),
            _figure("height_u", "Rack unit", lambda one: self._place(one.id)[1]),
            _figure("used", "Ports used", lambda one: design.n_used_ports(one.id)),
            _figure("free", "Ports free", lambda one: design.n_free_ports(one.id)),
            _text("network", "Network", self._network),
            _figure("unit", "SU", lambda one: one.unit),
            _text("rail", "Rail", lambda one: all_of([*map(str, self._rails.of_device(one.id))])),
            _figure("plane", "Plane", lambda one: one.plane),
            Column("tags", "Tags", text=", ".join),
        )
        return Listed("device", columns, ordered(design.devices), _own_id, _by_id)

    def _place(self, device_id: str) -> tuple[str, int | None]:
        placed = self._design.placements.get(device_id)
        if placed is None or placed.rack_id is None:
            return "", None
        return self._design.racks[placed.rack_id].name, placed.unit

    def _network(self, device: Device) -> str:
        return network_of_switch(device) if self._design.is_switch(device.id) else ""

    # -- cables -------------------------------------------------------------------------------------------------------

    def cables(self) -> Listed:
        """All links, with the number and length of their cables and the trays that these lie in."""
        design = self._design
        columns = (
            _text("cable", "Number", lambda one: cable_name(one.cable)),
            _text("from", "From", lambda one: design.device(one.a.device_id).name),
            _text("from_port", "Port", lambda one: port_label(design, one.a)),
            _text("to", "To", lambda one: design.device(one.b.device_id).name),
            _text("to_port", "Far port", lambda one: port_label(design, one.b)),
            _text("network", "Network", lambda one: network_of_link(design, one)),
            _text("medium", "Cable", self._medium),
            Column(
                "length_m",
                "Length",
                text=lambda length: f"{length:.1f} m",
                unit="m",
                right=True,
            ),
            _text("source", "Length is", lambda one: SOURCES.get(one.length_source, "")),
            _text("trays", "Route", self._route),
            _text("label", "Label", lambda one: one.label),
        )
        return Listed("link", columns, ordered(design.links), _own_id, _by_id)

    def _medium(self, link: Link) -> str:
        medium = self._design.types.get(link.medium_id)
        return medium.model if medium is not None else ""

    def _route(self, link: Link) -> str:
        return self._trays.of_link(link) if link.length_source == "routed" else ""

    # -- ports --------------------------------------------------------------------------------------------------------

    def ports(self, device_ids: Iterable[str] | None = None) -> Listed:
        """All ports of these devices, or of all, with what each is linked to."""
        design = self._design
        ids = (one.id for one in ordered(design.devices)) if device_ids is None else device_ids
        rows = [PortRow(one, port.name) for one in ids for port in design.ports(one)]
        columns = (
            _text("device", "Device", lambda one: design.device(one.device_id).name),
            _text("port", "Port", lambda one: port_label(design, one.end)),
            _figure("rate_gbps", "Rate", self._rate, format_rate),
            _text("to", "To", self._far_end),
            _text("state", "State", self._state),
        )
        return Listed("port", columns, rows, self._of_port, self._chosen_ports, attrgetter("device_id"))

    def _rate(self, row: PortRow) -> float | None:
        port = self._design.port(row.end)
        return port.rate_gbps if port is not None else None

    def _far_end(self, row: PortRow) -> str:
        design = self._design
        links = [design.links[one] for one in design.links_at(row.end)]
        ends = (one.b if one.a == row.end else one.a for one in links)
        return ", ".join(f"{design.device(end.device_id).name} {port_label(design, end)}" for end in ends)

    def _state(self, row: PortRow) -> str:
        if self._design.links_at(row.end):
            return "used"
        return "reserved" if row.port in self._design.device(row.device_id).reserved_ports else "free"

    def _of_port(self, row: PortRow) -> tuple[str, ...]:
        return self._design.links_at(row.end) or (row.device_id,)

    def _chosen_ports(self, rows: Sequence[PortRow], selection: frozenset[str]) -> list[int]:
        """Both ends of selected links, and all ports of selected devices."""
        links = self._design.links
        chosen = [links[one] for one in selection if one in links]
        ends = {(end.device_id, end.port) for link in chosen for end in (link.a, link.b)}
        return [number for number, row in enumerate(rows) if row in ends or row[0] in selection]


def _own_id(row: Any) -> tuple[str, ...]:
    return (row.id,)


def _by_id(rows: Sequence[Any], selection: frozenset[str]) -> list[int]:
    return [number for number, row in enumerate(rows) if row.id in selection]


def _text(key: str, title: str, value: Callable[[Any], str]) -> Column:
    """A column of names, in the order in which people count: A2 before A10."""
    return Column(key, title, value, order=lambda row: natural(value(row)))


def _figure(key: str, title: str, value: Callable[[Any], Any], text: Callable[[Any], str] = str) -> Column:
    return Column(key, title, value, text=text, right=True)
