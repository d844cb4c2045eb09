"""What drawings state of cables: number, both ends, length, part and trays, each looked up once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from designer.analysis.cable_numbers import cable_name
from designer.drawing.parts.primitives import Group, Part
from designer.drawing.sheets.book import Numbers
from designer.drawing.sheets.tables import Column, Layout, Row, Slot, column, table_parts
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.entities import Device, End, Link
from designer.model.hardware import MediumType
from designer.placement.trays import TrayRoutes

UNKNOWN = "unknown"

FREE, KEPT = "free", "kept free"

Ends = list[tuple[End, Link]]
"""Used ports, each with what is on it."""

PartOf = Callable[[Link], str]
"""What a cable is ordered by; "" where that is not known."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a device stands, as printed: "rack-07 U12"."""

    rack_id: str | None
    text: str


class Cabling:
    """The cables of a design, as its drawings state them."""

    def __init__(self, design: Design, part_of: PartOf | None = None) -> None:
        self.design = design
        self._part_of = part_of if part_of is not None else self._model
        self._trays = TrayRoutes(design)
        self._places: dict[str, Place] = {}

    def _model(self, link: Link) -> str:
        medium = self.design.types.get(link.medium_id)
        return medium.model if isinstance(medium, MediumType) else ""

    def length(self, link: Link) -> str:
        """The length in metres: "12.3"."""
        return UNKNOWN if link.length_m is None else f"{link.length_m:.1f}"

    def part(self, link: Link) -> str:
        """What the cable is ordered by."""
        return self._part_of(link) or UNKNOWN

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
        devices = column("Device", (one.name for one in design.devices.values()))
        ports = column("Port", sorted({name for one in design.devices for name in design.port_map(one)}))
        parts = dict.fromkeys(map(self.part, links))
        trays = dict.fromkeys(map(self.tray, links))
        purposes = {purpose for one in design.devices.values() for _, purpose in one.reserved_for}
        return (
            devices,
            ports,
            column("Cable", (cable_name(max((one.cable for one in links), default=0)),)),
            Column("Far device", devices.wide),
            Column("Far port", ports.wide),
            column("Far place", [*{self.place(one).text for one in design.devices}, *purposes]),
            column("Page", (str(10 * (len(design.racks) + len(design.devices))),), right=True),
            column("Length, m", map(self.length, links), right=True),
            column("Part", parts),
            column("Trays", trays),
        )

    def kept(self, device: Device) -> list[Row]:
        """Rows like those of `row` for the ports of a device that are kept free, with what for."""
        used, purposes = self.design.used_ports(device.id), dict(device.reserved_for)
        return [
            (device.name, name, "", KEPT, "", purposes.get(name, ""), "", "", "", "")
            for name in device.reserved_ports
            if name not in used
        ]

    def row(self, end: End, link: Link, numbers: Numbers) -> Row:
        """One end of a cable with all that is stated of it."""
        far = link.b if link.a == end else link.a
        place = self.place(far.device_id)
        devices = self.design.devices
        return (
            devices[end.device_id].name,
            end.port,
            cable_name(link.cable),
            devices[far.device_id].name,
            far.port,
            place.text,
            str(numbers.ends.get(far) or ""),
            self.length(link),
            self.part(link),
            self.tray(link),
        )


def ends_on(ends: Ends, page: list[Slot]) -> tuple[End, ...]:
    """Those that the tables of a page list."""
    return tuple(end for slot in page for end, _ in ends[slot.start : slot.stop])


def cables_of(
    cabling: Cabling,
    ends: Ends,
    shown: Layout,
    page: list[Slot],
    numbers: Numbers,
    theme: Theme,
    *,
    more: Sequence[Row] = (),
    without: int = 0,
) -> Group:
    """The tables of a page: what is on these ends, then `more` rows; `without` the first columns."""
    parts: list[Part] = []
    for slot in page:
        rows = [cabling.row(end, link, numbers) for end, link in ends[slot.start : slot.stop]]
        rows += more[max(0, slot.start - len(ends)) : max(0, slot.stop - len(ends))]
        parts += table_parts(shown, (row[without:] for row in rows), slot.x, slot.y, theme)
    return Group(tuple(parts), "cables", label="Cables")
