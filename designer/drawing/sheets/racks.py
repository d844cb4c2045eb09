"""One page or more for a rack: its elevation with every unit named, what stands in it, and its cables by port."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import NamedTuple

from designer.analysis.cable_places import by_name
from designer.drawing.camera import Camera
from designer.drawing.colouring import DeviceColours
from designer.drawing.geometry import Rect
from designer.drawing.parts.elevation import Marked, rack_parts
from designer.drawing.parts.primitives import Group, Part, Text
from designer.drawing.parts.room_document import AS_KINDS, Coloured
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.elevation import HEADER, UNIT, WIDTH, frame_of
from designer.drawing.sheets.book import INSET, Draft, Numbers, room_of
from designer.drawing.sheets.cables import PAGE_DIGITS, CableTable, Cabling, Entry
from designer.drawing.sheets.contents import KEY_HEIGHT, KEY_LINE, in_lines, keys_in, lines_of
from designer.drawing.sheets.lettering import LEAST_SIZE, RULER, label, width
from designer.drawing.sheets.paper import Paper
from designer.drawing.sheets.tables import Column, Layout, Row, Slot, Spread, column, opens, spread, table_parts
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.entities import End, Rack
from designer.model.equipping import units_of
from designer.placement.rack_contents import SIDE_NOT_KNOWN, Standing, standing_in
from designer.units import format_power

SECTION = "racks"
UNPLACED = "unplaced"
"""How subjects of the pages of devices that stand in no rack begin."""
HEADING = 14.0
MOST_SCALE = 1.0
NUMBERS = 18.0
"""Beside an elevation, for the numbers of its units."""
GAP = 12.0
NOTE_SIZE = 7
UNKNOWN_SIDES = f"side of {{}} {SIDE_NOT_KNOWN}"
"""Added to "Rear", where it shows the front of devices whose port side is not known."""
SIDES_NOT_KNOWN = f"Port sides {SIDE_NOT_KNOWN}"
"""The title of an elevation where that holds for every device: its one drawing is neither front nor rear."""
UPRIGHT_SHARE = 0.55
"""How much of an upright page's height the elevations take."""


def in_order(design: Design) -> list[Rack]:
    """The racks as people list them."""
    return sorted(design.racks.values(), key=by_name)


class _Plan(NamedTuple):
    """How a rack's pages are laid out."""

    scale: float
    equipment: Spread
    below: Rect
    """What is left under it on the first page."""


def rack_drafts(
    cabling: Cabling,
    every: Iterable[Rack],
    paper: Paper,
    theme: Theme,
    elsewhere: Collection[str] = (),
    coloured: Coloured = AS_KINDS,
) -> Iterator[Draft]:
    """The pages of racks. Cables of the devices `elsewhere` are on pages of their own, which their lists name.

    What the first page of a rack has no room for goes on a page that several racks share, if one has room for it.
    Devices are drawn as `coloured`, which the first page of each rack explains.
    """
    room = room_of(paper)
    held: list[Rack] = []
    waiting: list[Entry] = []

    def shared() -> Iterator[Draft]:
        table = CableTable(tuple(waiting), cabling.design.devices, captioned=True)
        shown, pages = table.spread(None, room)
        span = held[0].name if len(held) == 1 else f"{held[0].name} to {held[-1].name}"
        more_of = tuple(one.id for one in held)
        for page in pages:
            yield replace(_listing(table, shown, page, room, theme, f"{span}: cables by port"), more_of=more_of)
        held.clear()
        waiting.clear()

    for rack in every:
        made = _Rack(cabling, rack, room, theme, elsewhere, coloured)
        if waiting and made.rest and not _has_room(cabling, [*waiting, *made.rest], room):
            yield from shared()
        yield from made.drafts()
        if made.rest:
            held.append(rack)
            waiting += made.rest
    if waiting:
        yield from shared()


def _has_room(cabling: Cabling, entries: Sequence[Entry], room: Rect) -> bool:
    return len(CableTable(entries, cabling.design.devices, captioned=True).spread(None, room).pages) <= 1


class _Rack:
    """The pages of one rack, and what is left for a page that it shares."""

    def __init__(
        self,
        cabling: Cabling,
        rack: Rack,
        room: Rect,
        theme: Theme,
        elsewhere: Collection[str],
        coloured: Coloured,
    ) -> None:
        design = cabling.design
        self._design, self._rack, self._room, self._theme = design, rack, room, theme
        devices = [one.device_id for one in reversed(standing_in(design, rack.id))]
        self._rows = _Equipment(design, rack, devices)
        self._colours = coloured.of_devices(theme, devices)
        self._keys = list(keys_in(coloured.keys(self._colours), theme))
        left, top, right, bottom = room
        self._over_legend = left, top, right, bottom - lines_of(self._keys, right - left) * KEY_LINE
        self._plan = plan = _plan(design, rack, self._rows, self._over_legend, room)
        entries = cabling.headed(one for one in devices if one not in elsewhere)
        self._table = CableTable(entries, design.devices, captioned=True)
        begins = opens(self._table.columns, plan.below)
        self._shown, pages = self._table.spread(plan.below if begins else None, room)
        self._first = pages.pop(0) if begins and pages else []
        self.rest = self._left(pages[0][0].start) if len(pages) == 1 else []
        self._pages = [] if self.rest else pages

    def _left(self, start: int) -> list[Entry]:
        """The rows from there on, under the name of their device."""
        entries = self._table.entries
        if len(entries[start].cells) == 1:
            return list(entries[start:])
        end = entries[start].end
        again = Entry(End(end.device_id, ""), None, (f"{self._design.device(end.device_id).name}, continued",))
        return [again, *entries[start:]]

    def _legend(self) -> Iterator[Group]:
        """What the colors of its devices mean, at the foot of the first page; nothing of kinds."""
        left, _, right, _ = self._room
        foot = self._over_legend[3] + (KEY_LINE - KEY_HEIGHT) / 2
        if self._keys:
            parts = in_lines(self._keys, left, foot, right - left, self._theme)
            yield Group(tuple(parts), "legend", label="Legend")

    def drafts(self) -> Iterator[Draft]:
        """Its own pages."""
        plan, rows, table, theme, rack = self._plan, self._rows, self._table, self._theme, self._rack

        def draw(numbers: Numbers) -> Iterator[Group]:
            yield from _elevations(self._design, rack, plan, self._over_legend, theme, self._colours)
            yield from self._legend()
            yield from _equipment_parts(plan.equipment, 0, rows, numbers, theme)
            if self._first:
                yield table.drawn(self._shown, self._first, numbers, theme)
                yield from _unstated(table, self._room, theme)

        title = f"{rack.name}: {'elevation' if is_one_sided(self._design, rack) else 'front and rear'}"
        yield Draft(SECTION, title, draw, rack.id, rack.name, ends=table.ends_on(self._first))
        for number in range(1, len(plan.equipment.pages)):
            draw_more = partial(_more_equipment, plan.equipment, number, rows, theme)
            yield Draft(SECTION, f"{rack.name}: equipment", draw_more)
        for page in self._pages:
            yield _listing(table, self._shown, page, self._room, theme, f"{rack.name}: cables by port")


def _more_equipment(
    equipment: Spread, number: int, rows: "_Equipment", theme: Theme, numbers: Numbers
) -> Iterator[Group]:
    yield from _equipment_parts(equipment, number, rows, numbers, theme)


def _equipment_parts(
    equipment: Spread, number: int, rows: "_Equipment", numbers: Numbers, theme: Theme
) -> Iterator[Group]:
    """What stands in the rack, as far as it stands on a page."""
    page = equipment.pages[number] if equipment.pages else []
    numbered = rows.numbered(numbers)
    tables = (table_parts(equipment.shown, numbered[one.start : one.stop], one.x, one.y, theme) for one in page)
    yield Group(tuple(chain.from_iterable(tables)), "equipment", label="Equipment")


def unplaced_drafts(cabling: Cabling, paper: Paper, theme: Theme) -> Iterator[Draft]:
    """The pages of the servers that stand in no rack: their cables by port. Switches have pages of their own."""
    design, room = cabling.design, room_of(paper)
    loose = [one for one in design.servers() if cabling.place(one.id).rack_id is None]
    devices = sorted(loose, key=by_name)
    table = CableTable(cabling.headed(one.id for one in devices), design.devices, captioned=True)
    shown, pages = table.spread(None, room)
    for page in pages:
        names = [design.device(end.device_id).name for end in table.ends_on(page)]
        span = f", {names[0]} to {names[-1]}" if names else ""
        title = f"Servers in no rack{span}: cables by port"
        yield _listing(table, shown, page, room, theme, title, f"{UNPLACED}{span}")


def _unstated(table: CableTable, room: Rect, theme: Theme) -> Iterator[Group]:
    """The note about all cables of a page, below what it has room for."""
    if table.unstated:
        left, _, right, bottom = room
        note = label(table.unstated, left, bottom + INSET - 2.0, right - left, NOTE_SIZE, theme.muted)
        yield Group((note,), "notes", label="Notes")


def _listing(
    table: CableTable, shown: Layout, page: Sequence[Slot], room: Rect, theme: Theme, title: str, subject: str = ""
) -> Draft:
    def draw(numbers: Numbers) -> Iterator[Group]:
        yield table.drawn(shown, page, numbers, theme)
        yield from _unstated(table, room, theme)

    return Draft(SECTION, title, draw, subject, subject and title, ends=table.ends_on(page))


class _Equipment:
    """What stands in a rack, from the top: a row for each device, and the page that lists its cables."""

    HEADINGS = ("Units", "Device", "Type", "Ports at", "Ports used", "Maximum power", "Cables on page")

    def __init__(self, design: Design, rack: Rack, device_ids: Sequence[str]) -> None:
        self._design, self._ids = design, device_ids
        standing = {one.device_id: one for one in standing_in(design, rack.id)}
        full = [self._row(standing[one]) for one in device_ids]
        self._kept = [n for n in range(len(self.HEADINGS) - 1) if not full or any(row[n] for row in full)]
        self.rows = [tuple(row[n] for n in self._kept) for row in full]

    def _row(self, one: Standing) -> Row:
        design, type_ = self._design, self._design.device_type(one.device_id)
        unit = "–" if one.unit is None else str(one.unit)
        if one.unit is not None and one.units > 1:
            unit = f"{one.unit}–{one.unit + one.units - 1}"
        power = "unknown" if type_.power_max_w is None else format_power(type_.power_max_w)
        used = f"{design.n_used_ports(one.device_id)}/{len(design.ports(one.device_id))}"
        # Which side the ports of a type are on is in no catalog: it is known of devices that somebody turned.
        return unit, design.device(one.device_id).name, type_.model, one.ports_at, used, power

    def columns(self) -> list[Column]:
        """The columns that the rows need."""
        return [
            *(column(self.HEADINGS[place], [row[n] for row in self.rows]) for n, place in enumerate(self._kept)),
            column(self.HEADINGS[-1], (f"{PAGE_DIGITS}, {PAGE_DIGITS}",), right=True, leads=True),
        ]

    def numbered(self, numbers: Numbers) -> list[Row]:
        """The rows with their pages."""
        return [(*row, self._page(device_id, numbers)) for row, device_id in zip(self.rows, self._ids, strict=True)]

    def _page(self, device_id: str, numbers: Numbers) -> str:
        """The pages that list ends of its cables, as "33" or "33, 34"; "" where none does."""
        found = (numbers.ends.get(End(device_id, port)) for port in self._design.used_ports(device_id))
        listed = [one for one in found if one is not None]
        return ", ".join(str(one) for one in dict.fromkeys((min(listed), max(listed)))) if listed else ""


def _plan(design: Design, rack: Rack, rows: _Equipment, room: Rect, of_others: Rect) -> _Plan:
    """The layout in the room of the first page, and in that of others."""
    left, top, right, bottom = room
    tall = units_of(design, rack.id) * UNIT + HEADER
    is_upright = bottom - top > right - left
    height = (bottom - top) * (UPRIGHT_SHARE if is_upright else 1.0) - HEADING
    n_sides = 1 if is_one_sided(design, rack) else 2
    pair = 2 * (WIDTH + NUMBERS) + GAP
    scale = min(MOST_SCALE, height / tall, (right - left) / pair * (1.0 if is_upright else 0.5))
    if is_upright:
        x, y = left, top + HEADING + tall * scale + GAP
    else:
        x, y = left + n_sides * (WIDTH * scale + NUMBERS + GAP), top
    equipment = spread(rows.columns(), len(rows.rows), (x, y, right, bottom), of_others)
    held = max((one.stop - one.start for page in equipment.pages[:1] for one in page), default=0)
    below = y + equipment.shown.header_height + equipment.shown.row_height * held + GAP
    return _Plan(scale, equipment, (x, below, right, bottom))


def _elevations(
    design: Design, rack: Rack, plan: _Plan, room: Rect, theme: Theme, colours: DeviceColours | None
) -> Iterator[Group]:
    left, top, right, bottom = room
    tall = units_of(design, rack.id) * UNIT + HEADER
    one_sided = is_one_sided(design, rack)
    for side, rear in (("Front", False), ("Rear", True))[: 1 if one_sided else 2]:
        x = left + rear * (WIDTH * plan.scale + NUMBERS + GAP)
        camera = Camera(plan.scale, -x / plan.scale, -(top + HEADING) / plan.scale)
        sheet = Sheet(camera, (left, top, right - left, bottom - top), theme, RULER, 1.0, LEAST_SIZE)
        frame = frame_of(design, rack.id, 0.0, tall, rear, turned_alone=True)
        title = SIDES_NOT_KNOWN if one_sided else side
        heading = Text(x, top + 8.0, title, 9, theme.muted, True)
        unknown = _unknown_sides(design, rack) if rear else ""
        indent = width(f"{title}  ") * 9
        beside = WIDTH * plan.scale + NUMBERS - indent
        notes = [label(unknown, x + indent, top + 8.0, beside, NOTE_SIZE, theme.muted)] if unknown else []
        parts: tuple[Part, ...] = (heading, *notes, *rack_parts(frame, sheet, Marked(classes=colours)))
        yield Group(parts, side.lower(), label=side)


def is_one_sided(design: Design, rack: Rack) -> bool:
    """Whether its front and its rear are drawn alike: it holds devices, and of none is the port side known."""
    standing = standing_in(design, rack.id)
    return bool(standing) and not any(one.side for one in standing)


def _unknown_sides(design: Design, rack: Rack) -> str:
    """What the rear of a rack does not show: the devices whose port side is not known."""
    standing = standing_in(design, rack.id)
    unknown = sum(not one.side for one in standing)
    return UNKNOWN_SIDES.format("ports" if unknown == len(standing) else "some ports") if unknown else ""
