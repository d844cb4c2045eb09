"""What drawings state of cables: number, both ends, length, part and trays, each looked up once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from designer.analysis.cable_numbers import cable_name
from designer.analysis.optical_parts import NO_PARTS, OpticalParts
from designer.drawing.parts.primitives import Group, Part
from designer.drawing.sheets.book import Numbers
from designer.drawing.sheets.tables import Column, Layout, Row, Slot, column, table_parts
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.entities import Device, End, Link
from designer.model.hardware import MediumType
from designer.model.matching import shell_of
from designer.model.port_labels import port_label
from designer.placement.preparation import OPTIC
from designer.placement.trays import TrayRoutes

UNKNOWN = "unknown"

FREE, KEPT = "free", "kept free"

Ends = list[tuple[End, Link | None]]
"""Used ports, each with what is on it; None stands for a heading with the name of the end's device."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a device stands, as printed: "rack-07 U12"."""

    rack_id: str | None
    text: str


class Cabling:
    """The cables of a design, as its drawings state them."""

    def __init__(self, design: Design, parts: OpticalParts = NO_PARTS) -> None:
        self.design = design
        self._optical = parts
        self._trays = TrayRoutes(design)
        self._places: dict[str, Place] = {}
        self._parts: dict[tuple[str, float | None], str] = {}
        self._modules: dict[tuple[object, ...], str] = {}

    def length(self, link: Link) -> str:
        """The length in metres: "12.3"."""
        return UNKNOWN if link.length_m is None else f"{link.length_m:.1f}"

    def part(self, link: Link) -> str:
        """The cable, or the fibre between two optics, by what is printed on it."""
        key = link.medium_id, link.length_m
        found = self._parts.get(key)
        if found is None:
            medium = self.design.types.get(link.medium_id)
            piece = medium if isinstance(medium, MediumType) else None
            if piece is not None and piece.kind == OPTIC:
                piece = self._optical.fibre(piece, link.length_m)
            found = self._parts[key] = UNKNOWN if piece is None else _short(piece, link.length_m)
        return found

    def optic(self, end: End, link: Link) -> str:
        """What goes into the cage at one end of a link; "" where the cable is of one piece."""
        medium = self.design.types.get(link.medium_id)
        if not isinstance(medium, MediumType) or medium.kind != OPTIC:
            return ""
        port = self.design.port(end)
        if port is None:
            return UNKNOWN
        key = (medium.id, link.length_m, port.form_factor, port.heat_sink, port.rate_gbps, port.ports_per_cage)
        found = self._modules.get(key)
        if found is None:
            module = self._optical.at(port, medium, link.length_m)
            found = self._modules[key] = UNKNOWN if module is None else _short(module, None, shell_of(port))
        return found

    def tray(self, link: Link) -> str:
        """The trays it lies in."""
        return self._trays.of_link(link)

    def place(self, device_id: str) -> Place:
        """Where a device stands."""
        found = self._places.get(device_id)
        if found is None:
            found = self._places[device_id] = self._place(device_id)
        return found

    def _place(self, device_id: str) -> Place:
        placement = self.design.placements.get(device_id)
        if placement is None or placement.rack_id is None:
            return Place(None, "in no rack")
        name = self.design.racks[placement.rack_id].name
        return Place(placement.rack_id, name if placement.unit is None else f"{name} U{placement.unit}")

    def headed(self, device_ids: Iterable[str]) -> Ends:
        """The used ports of several devices, each under a heading; devices without any are left out."""
        ends: Ends = []
        for one in device_ids:
            if self.design.used_ports(one):
                ends += ((End(one, ""), None), *self.ends_of(one))
        return ends

    def ends_of(self, device_id: str) -> Iterator[tuple[End, Link]]:
        """The used ports of a device in port order, each with what is on it; ports that do not exist come last."""
        used, links = dict(self.design.used_ports(device_id)), self.design.links
        for port in self.design.ports(device_id):
            for link_id in used.pop(port.name, ()):
                yield End(device_id, port.name), links[link_id]
        for name in sorted(used):
            for link_id in used[name]:
                yield End(device_id, name), links[link_id]

    # -- tables ---------------------------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns of `row`, as wide as the design's texts are."""
        design, links = self.design, self.design.links.values()
        names = {port.label or name for one in design.devices for name, port in design.port_map(one).items()}
        ports = column("Port", sorted(names))
        parts = dict.fromkeys(map(self.part, links))
        optics = {self.optic(end, link) for link in links for end in (link.a, link.b)}
        trays = dict.fromkeys(map(self.tray, links))
        purposes = {purpose for one in design.devices.values() for _, purpose in one.reserved_for}
        return (
            ports,
            column("Cable", (cable_name(max((one.cable for one in links), default=0)),)),
            column("Far device", (one.name for one in design.devices.values())),
            Column("Far port", ports.wide),
            column("Far place", [*{self.place(one).text for one in design.devices}, *purposes]),
            column("Page", (str(10 * (len(design.racks) + len(design.devices))),), right=True),
            column("m", map(self.length, links), right=True),
            column("Cable part", parts),
            column("Optic here", optics),
            column("Trays", trays),
        )

    def kept(self, device: Device) -> list[Row]:
        """Rows like those of `row` for the ports of a device that are kept free, with what for."""
        used, purposes = self.design.used_ports(device.id), dict(device.reserved_for)
        return [
            (port_label(self.design, End(device.id, name)), "", KEPT, "", purposes.get(name, ""), "", "", "", "", "")
            for name in device.reserved_ports
            if name not in used
        ]

    def row(self, end: End, link: Link, numbers: Numbers) -> Row:
        """One end of a cable with all that is stated of it."""
        far = link.b if link.a == end else link.a
        place = self.place(far.device_id)
        devices = self.design.devices
        return (
            port_label(self.design, end),
            cable_name(link.cable),
            devices[far.device_id].name,
            port_label(self.design, far),
            place.text,
            str(numbers.ends.get(far) or ""),
            self.length(link),
            self.part(link),
            self.optic(end, link),
            self.tray(link),
        )


def _short(piece: MediumType, length_m: float | None, shell: str = "") -> str:
    """What is printed on a piece: its older name where it has one, else the number it is ordered by, else its model."""
    part = piece.part(length_m, shell)
    return piece.model if part is None else part.model or part.number


def ends_on(ends: Ends, page: list[Slot]) -> tuple[End, ...]:
    """Those that the tables of a page list."""
    return tuple(end for slot in page for end, link in ends[slot.start : slot.stop] if link is not None)


def cables_of(
    cabling: Cabling,
    ends: Ends,
    shown: Layout,
    page: list[Slot],
    numbers: Numbers,
    theme: Theme,
    *,
    more: Sequence[Row] = (),
) -> Group:
    """The tables of a page: what is on these ends, then `more` rows."""
    parts: list[Part] = []
    for slot in page:
        devices = cabling.design.devices
        rows = [
            (devices[end.device_id].name,) if link is None else cabling.row(end, link, numbers)
            for end, link in ends[slot.start : slot.stop]
        ]
        rows += more[max(0, slot.start - len(ends)) : max(0, slot.stop - len(ends))]
        caption = ""
        if shown.captioned and rows and len(rows[0]) > 1:
            caption = f"{devices[ends[slot.start][0].device_id].name}, continued"
        parts += table_parts(shown, rows, slot.x, slot.y, theme, caption)
    return Group(tuple(parts), "cables", label="Cables")
