"""What drawings state of cables: number, both ends, length, part and trays, each looked up once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from designer.analysis.cable_numbers import cable_name
from designer.analysis.optical_parts import NO_PARTS, OpticalParts, cable_borne, cage_facts, module_borne
from designer.analysis.parts import OPTICAL, form_is_assumed
from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import Group, Part
from designer.drawing.sheets.book import Numbers
from designer.drawing.sheets.tables import Layout, Row, Slot, Spread, column, spread, table_parts
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.entities import Device, End, Link
from designer.model.hardware.media import MediumType, is_built_in
from designer.model.naming import natural
from designer.model.port_labels import port_label
from designer.placement.preparation import OPTIC
from designer.placement.trays import TrayRoutes

UNKNOWN, NO_RACK = "unknown", "in no rack"
FREE, KEPT = "free", "reserved"

HEADINGS = (
    ("Port", False),
    ("Cable", False),
    ("Far device", False),
    ("Far port", False),
    ("Far place", False),
    ("Page", True),
    ("Length", True),
    ("Cable part", False),
    ("Transceiver", False),
    ("Trays", False),
)
"""Headings of what is stated of a cable at one end, and which columns are of numbers."""
MANY = {6: "lengths", 7: "cable parts", 8: "transceivers", 9: "cable trays"}
"""Of the columns that may be unknown for all cables, what sentences call them."""
LENGTH = "length"
PAGE = 5
"""The column that is filled in when all pages have their numbers."""
PAGE_DIGITS = "00000"


class Entry(NamedTuple):
    """A row about one end of a cable; without a far end it is a heading, or a port that is kept free."""

    end: End
    far: End | None
    cells: Row
    assumed: frozenset[str] = frozenset()
    """What of the cable is assumed: LENGTH, and its kind where its form factor is."""
    is_routed: bool = False
    """Whether its length is that of its route, and not of what is ordered."""


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
        """ "12.3 m"."""
        return UNKNOWN if link.length_m is None else f"{link.length_m:.1f} m"

    def part(self, link: Link) -> str:
        """The cable, or the fiber between two optics, by what is printed on it."""
        key = link.medium_id, link.length_m
        found = self._parts.get(key)
        if found is None:
            medium = self.design.types.get(link.medium_id)
            piece = medium if isinstance(medium, MediumType) else None
            if piece is not None and piece.kind == OPTIC:
                piece = self._optical.fibre(piece, link.length_m)
            found = self._parts[key] = UNKNOWN if piece is None else cable_borne(piece, link.length_m)
        return found

    def optic(self, end: End, link: Link) -> str:
        """What goes into the cage at one end of a link; "" where the cable is of one piece."""
        medium = self.design.types.get(link.medium_id)
        if not isinstance(medium, MediumType) or medium.kind != OPTIC:
            return ""
        port = self.design.port(end)
        if port is None:
            return UNKNOWN
        key = (medium.id, link.length_m, cage_facts(port))
        found = self._modules.get(key)
        if found is None:
            module = self._optical.at(port, medium, link.length_m)
            found = UNKNOWN if module is None else module_borne(self._optical, module, port)
            self._modules[key] = found
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
            return Place(None, NO_RACK)
        name = self.design.racks[placement.rack_id].name
        return Place(placement.rack_id, name if placement.unit is None else f"{name} U{placement.unit}")

    def headed(self, device_ids: Iterable[str]) -> list[Entry]:
        """The used ports of several devices, each under a heading; devices without any are left out."""
        entries: list[Entry] = []
        for one in device_ids:
            if self.design.used_ports(one):
                entries.append(Entry(End(one, ""), None, (self.design.devices[one].name,)))
                used = self.used(one)
                # People look for a server's port as its chassis is printed; a switch's ports are in that order.
                entries += sorted(used, key=_port_order) if self.design.is_server(one) else used
        return entries

    def used(self, device_id: str) -> Iterator[Entry]:
        """The used ports of a device in port order, each with its cable; ports that do not exist come last.

        Those that links inside a rack take have none.
        """
        used, links = self.design.used_ports(device_id), self.design.links
        known = self.design.port_map(device_id)
        for name in (*known, *sorted(used.keys() - known.keys())):
            for link_id in used.get(name, ()):
                end, link = End(device_id, name), links[link_id]
                if is_built_in(self.design.types, link.medium_id):
                    continue
                far = link.b if link.a == end else link.a
                is_routed = link.length_source == "routed" and link.length_m is not None
                yield Entry(end, far, self._row(end, far, link), self._assumed(link), is_routed)

    def _assumed(self, link: Link) -> frozenset[str]:
        """What of a cable is assumed."""
        medium = self.design.types.get(link.medium_id)
        found = {LENGTH} if link.length_source == "rule" and link.length_m is not None else set()
        if isinstance(medium, MediumType) and medium.kind not in OPTICAL:
            found |= {medium.kind for end in (link.a, link.b) if form_is_assumed(self.design.port(end))}
        return frozenset(found)

    def kept(self, device: Device) -> Iterator[Entry]:
        """The ports of a device that are kept free, with what for."""
        used, purposes = self.design.used_ports(device.id), dict(device.reserved_for)
        for name in device.reserved_ports:
            if name not in used:
                cells = (
                    port_label(self.design, End(device.id, name)),
                    "",
                    KEPT,
                    "",
                    purposes.get(name, ""),
                    "",
                    "",
                    "",
                    "",
                    "",
                )
                yield Entry(End(device.id, name), None, cells)

    def _row(self, end: End, far: End, link: Link) -> Row:
        return (
            port_label(self.design, end),
            cable_name(link.cable),
            self.design.devices[far.device_id].name,
            port_label(self.design, far),
            self.place(far.device_id).text,
            "",
            self.length(link),
            self.part(link),
            self.optic(end, link),
            self.tray(link),
        )


def listed(names: Sequence[str]) -> str:
    """ "lengths, cable parts and trays"."""
    return " and ".join(one for one in (", ".join(names[:-1]), *names[-1:]) if one)


def _port_order(entry: Entry) -> tuple[tuple[int, int, str], ...]:
    return natural(entry.cells[0])


def _sentences(
    unknown: Sequence[str], assumed: Sequence[frozenset[str]], *, is_loose: bool, is_routed: bool
) -> Iterator[str]:
    """What is not known or assumed of the cables of a table."""
    if unknown:
        text = listed(unknown)
        yield f"{text[:1].upper()}{text[1:]} are not known."
    if is_loose:
        yield "The far devices stand in no rack."
    n_assumed = sum(LENGTH in one for one in assumed)
    if n_assumed:
        yield f"{'All' if n_assumed == len(assumed) else 'Some'} lengths are assumed."
    if is_routed:
        yield "Lengths are those of the routes; the cable plan has the ordered ones."
    kinds = sorted(frozenset().union(*assumed) - {LENGTH})
    if kinds:
        yield f"The form factor of ports is not known: that of the {listed([f'{one}s' for one in kinds])} is assumed."


class CableTable:
    """The cables of one subject over its pages, in columns as wide as they need; without columns that say nothing."""

    def __init__(self, entries: Sequence[Entry], names: Mapping[str, Device], *, captioned: bool = False) -> None:
        self.entries, self._names, self._captioned = entries, names, captioned
        full = [one.cells for one in entries if len(one.cells) > 1]
        held = [{cells[n] for cells in full} - {""} for n in range(len(HEADINGS))]
        cables = [one.cells for one in entries if one.far is not None]
        alike = [n for n in range(len(HEADINGS)) if {cells[n] for cells in cables} in ({UNKNOWN}, {NO_RACK})]
        self._kept = [n for n in range(len(HEADINGS)) if n == PAGE or (held[n] and n not in alike)]
        unknown = [MANY[n] for n in alike if held[n] == {UNKNOWN}]
        is_loose = any(held[n] == {NO_RACK} for n in alike)
        is_routed = any(one.is_routed for one in entries)
        assumed = [one.assumed for one in entries if one.far]
        self.unstated = " ".join(_sentences(unknown, assumed, is_loose=is_loose, is_routed=is_routed))
        """Said once of all rows rather than in columns: "Lengths are not known. The far devices stand in no rack."."""
        texts = {n: [PAGE_DIGITS] if n == PAGE else [cells[n] for cells in full] for n in self._kept}
        self.columns = tuple(column(HEADINGS[n][0], texts[n], HEADINGS[n][1], n == PAGE) for n in self._kept)

    def spread(self, first: Area | None, room: Area) -> Spread:
        """Where the rows stand."""
        heads = {number for number, one in enumerate(self.entries) if len(one.cells) == 1}
        rows = [self._row(one) for one in self.entries]
        return spread(self.columns, len(rows), first, room, captioned=self._captioned, heads=heads, rows=rows)

    def foot(self, shown: Layout, slot: Slot) -> float:
        """Where a table ends that stands there."""
        rows = (self._row(one) for one in self.entries[slot.start : slot.stop])
        return slot.y + shown.header_height + sum(shown.height_of(shown.lines_of(row)) for row in rows)

    def ends_on(self, page: Sequence[Slot]) -> tuple[End, ...]:
        """The ends of cables that a page lists."""
        return tuple(one.end for slot in page for one in self.entries[slot.start : slot.stop] if one.far is not None)

    def drawn(self, shown: Layout, page: Sequence[Slot], numbers: Numbers, theme: Theme) -> Group:
        """The tables of a page."""
        parts: list[Part] = []
        for slot in page:
            entries = self.entries[slot.start : slot.stop]
            first, caption = entries[0], ""
            if self._captioned and len(first.cells) > 1:
                caption = f"{self._names[first.end.device_id].name}, continued"
            rows = (self._numbered(one, numbers) for one in entries)
            parts += table_parts(shown, rows, slot.x, slot.y, theme, caption)
        return Group(tuple(parts), "cables", label="Cables")

    def _numbered(self, entry: Entry, numbers: Numbers) -> Row:
        return self._row(entry, "" if entry.far is None else str(numbers.ends.get(entry.far, "")))

    def _row(self, entry: Entry, page: str = "") -> Row:
        cells = entry.cells
        return cells if len(cells) == 1 else tuple(page if n == PAGE else cells[n] for n in self._kept)
