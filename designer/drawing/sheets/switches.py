"""One page or more for a switch, or a part of one: a map of its ports, and what is at the far end of each."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from math import ceil
from typing import NamedTuple

import numpy as np

from designer.analysis.cable_numbers import cable_name
from designer.analysis.cable_places import by_name
from designer.drawing.faceplates import front_rows
from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Pen, Rect, Text
from designer.drawing.room.floor_plan import kind_of
from designer.drawing.sheets.book import Draft, Numbers, room_of
from designer.drawing.sheets.cables import FREE, CableTable, Cabling
from designer.drawing.sheets.lettering import LEAST_SIZE, label, width
from designer.drawing.sheets.paper import Paper
from designer.drawing.sheets.tables import LEADING, LEAST_READ, MOST_BESIDE, Layout, Slot, layout, opens
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.entities import Device, Link
from designer.model.hardware.ports import MANAGEMENT, Port

SECTION = "switches"
IN_ROWS, IN_ORDER = "cages numbered column by column", "cages in the order of their numbers"
LEAST_CELL = 25.0
CELL_GAP, LINE_GAP = 1.0, 4.0
HEADING, NAME_SIZE = 26.0, 11
LINE = 7.0
MOST_LANES = 8
"""Lanes of a cage that have a line of their own; more are counted."""
GAP = 10.0
BETWEEN = 16.0
"""From one switch to the next on a page."""
SHARES = 8, 6, 4, 3, 2
"""Parts of a page that a switch may have: so many of them fill it."""
LEAST_ROW = LEAST_READ * LEADING
"""No row is less high."""


class _Cage(NamedTuple):
    """A cage with its ports, each with what is on it."""

    name: str
    lanes: tuple[tuple[Port, Link | None], ...]


def in_order(design: Design) -> list[Device]:
    """The switches as people list them."""
    return sorted(design.switches(), key=by_name)


def switch_drafts(cabling: Cabling, switches: Iterable[Device], paper: Paper, theme: Theme) -> Iterator[Draft]:
    """The pages of switches: several on a page where each has room for its map and all its far ends."""
    room = room_of(paper)
    whole = room[3] - room[1]
    waiting: list[_Block] = []
    free = whole
    for switch in switches:
        maps = list(_maps(cabling.design, switch, room[2] - room[0], whole - HEADING))
        table = CableTable([*cabling.used(switch.id), *cabling.kept(switch)], cabling.design.devices)
        block = _block(switch, maps, table, room)
        if waiting and (block is None or block.height > free):
            yield _shared(cabling, waiting, room, theme)
            waiting, free = [], whole
        if block is None:
            yield from _pages_of(cabling, switch, maps, table, room, theme)
        else:
            waiting.append(block)
            free -= block.height + BETWEEN
    if waiting:
        yield _shared(cabling, waiting, room, theme)


def _pages_of(
    cabling: Cabling, switch: Device, maps: "Sequence[_Map]", table: CableTable, room: Area, theme: Theme
) -> Iterator[Draft]:
    """The pages of a switch that needs at least one of its own."""
    left, top, right, bottom = room
    below = left, top + HEADING + maps[-1].height + GAP, right, bottom
    begins = opens(table.columns, below)
    shown, pages = table.spread(below if begins else None, room)
    first = pages.pop(0) if begins and pages else []

    def draw_map(one: _Map, page: list[Slot], numbers: Numbers) -> Iterator[Group]:
        yield from _drawn(cabling, [_Block(switch, one, table, shown, page, 0.0)], [0.0], room, theme, numbers)

    def draw_table(page: list[Slot], numbers: Numbers) -> Iterator[Group]:
        yield table.drawn(shown, page, numbers, theme)

    for one in maps:
        on_it = first if one is maps[-1] else []
        title = f"{switch.name}: port map and far ends"
        yield Draft(SECTION, title, partial(draw_map, one, on_it), switch.id, switch.name, ends=table.ends_on(on_it))
    for page in pages:
        title = f"{switch.name}: far ends"
        yield Draft(SECTION, title, partial(draw_table, page), ends=table.ends_on(page))


class _Block(NamedTuple):
    """A switch with its map and all its far ends, on a part of a page; slots are where they are on the whole page."""

    switch: Device
    map: "_Map"
    table: CableTable
    shown: Layout
    slots: list[Slot]
    height: float


def _block(switch: Device, maps: "Sequence[_Map]", table: CableTable, room: Area) -> _Block | None:
    """The switch on the smallest part of a page that it fits, as high as it needs; None where it needs more."""
    left, top, right, bottom = room
    if len(maps) > 1:
        return None
    head = HEADING + maps[0].height + GAP
    for share in SHARES:
        high = (bottom - top + BETWEEN) / share - BETWEEN
        below = left, top + head, right, top + high
        if not table.entries:
            found = _Block(switch, maps[0], table, layout(table.columns, right - left), [], head)
        elif len(table.entries) * LEAST_ROW > MOST_BESIDE * (high - head) or not opens(table.columns, below):
            continue
        else:
            shown, pages = table.spread(below, room)
            if len(pages) > 1:
                continue
            foot = max(table.foot(shown, one) for one in pages[0])
            found = _Block(switch, maps[0], table, shown, pages[0], foot - top)
        if found.height <= high:
            return found
    return None


def _shared(cabling: Cabling, blocks: Sequence[_Block], room: Area, theme: Theme) -> Draft:
    """A page of several switches, one below the other."""
    lows = [0.0, *accumulate(one.height + BETWEEN for one in blocks[:-1])]

    def draw(numbers: Numbers) -> Iterator[Group]:
        yield from _drawn(cabling, blocks, lows, room, theme, numbers)

    (first, *others), names = blocks, [one.switch.name for one in blocks]
    what = "port map and far ends" if not others else "port maps and far ends"
    joined = names[0] if not others else f"{names[0]}{' and ' if len(names) == 2 else ' to '}{names[-1]}"
    return Draft(
        SECTION,
        f"{joined}: {what}",
        draw,
        first.switch.id,
        first.switch.name,
        ends=tuple(end for one in blocks for end in one.table.ends_on(one.slots)),
        others=tuple((one.switch.id, one.switch.name) for one in others),
    )


def _drawn(
    cabling: Cabling, blocks: Sequence[_Block], lows: Sequence[float], room: Area, theme: Theme, numbers: Numbers
) -> Iterator[Group]:
    """Headings, maps and tables of switches, each so far below the top."""
    left, top, right, bottom = room
    headings: list[Part] = []
    maps: list[Part] = []
    cables: list[Part] = []
    for one, low in zip(blocks, lows, strict=True):
        headings += _heading(cabling, one.switch, one.table.unstated, (left, top + low, right, bottom), theme)
        maps += _map_parts(cabling.design, one.switch, one.map, left, top + low + HEADING, theme)
        slots = [slot._replace(y=slot.y + low) for slot in one.slots]
        cables += one.table.drawn(one.shown, slots, numbers, theme).parts
    if len(blocks) > 1:
        between = [(left, top + low - BETWEEN / 2, right, top + low - BETWEEN / 2) for low in lows[1:]]
        headings.append(Lines(np.array(between), Pen(theme.muted, 0.75)))
    yield Group(tuple(headings), "heading", label="Heading")
    yield Group(tuple(maps), "ports", label="Port map")
    yield Group(tuple(cables), "cables", label="Cables")


class _Map(NamedTuple):
    """The cages of a switch that stand on one page."""

    cages: tuple[_Cage | None, ...]
    """Row by row; None where a place is empty."""
    across: int
    cell: float
    line: float
    """Height of a line of cages."""

    @property
    def height(self) -> float:
        """Of all lines."""
        return ceil(len(self.cages) / self.across) * (self.line + LINE_GAP)


def _maps(design: Design, switch: Device, width: float, height: float) -> Iterator[_Map]:
    cages: Sequence[_Cage | None] = _cages(design, switch)
    most = max(1, int(width / LEAST_CELL))
    across = max(1, min(most, ceil(len(cages) / 2) if len(cages) > 8 else len(cages)))
    lanes = min(MOST_LANES, max((len(one.lanes) for one in cages if one is not None), default=1))
    front = _as_on_front(design, switch, cages)
    if front and len(front[0]) <= most:
        cages, across = [cage for row in front for cage in row], len(front[0])
    cell, line = min(width / across, 3 * LEAST_CELL), LINE * (1 + lanes) + 3
    lines = max(1, int(height / (line + LINE_GAP)))
    for first in range(0, len(cages) or 1, across * lines):
        yield _Map(tuple(cages[first : first + across * lines]), across, cell, line)


def _as_on_front(design: Design, switch: Device, cages: Sequence[_Cage | None]) -> list[list[_Cage | None]]:
    """The cages of a switch without line cards in the rows of its front on the canvas, those for management last."""
    type_ = design.device_type(switch.id)
    there = [cage for cage in cages if cage is not None]
    own = [cage for cage in there if cage.lanes[0][0].purpose != MANAGEMENT]
    others = [cage for cage in there if cage.lanes[0][0].purpose == MANAGEMENT]
    if not own or any(cage.lanes[0][0].slot for cage in own):
        return []
    n_rows = front_rows(len(own), type_.rack_units)
    empty: list[_Cage | None] = [None] * (-len(own) % n_rows)
    placed = [*own, *empty, *others, *([None] * (-len(others) % n_rows))]
    return [placed[row::n_rows] for row in range(n_rows)]


def _cages(design: Design, switch: Device) -> list[_Cage]:
    used = design.used_ports(switch.id)
    found: dict[tuple[str, int], list[tuple[Port, Link | None]]] = {}
    for port in design.port_map(switch.id).values():
        links = used.get(port.name, ())
        found.setdefault((port.slot, port.cage), []).append((port, design.links[links[0]] if links else None))
    return [_Cage(_cage_name(lanes[0][0]), tuple(lanes)) for lanes in found.values()]


def _cage_name(port: Port) -> str:
    """The number of a cage, with its slot in a chassis; a port by which the switch is managed has its own name."""
    if port.purpose == MANAGEMENT:
        return port.name
    return f"{port.slot}/{port.cage}" if port.slot else str(port.cage)


def _ports_text(used: int, kept: int, ports: int) -> str:
    """How many ports are used, how many are kept free for something, and how many nothing is planned for."""
    free = max(0, ports - used - kept)
    return ", ".join((f"{used} of {ports} ports used", f"{kept} reserved", f"{free} free"))


def _heading(cabling: Cabling, switch: Device, unstated: str, room: Area, theme: Theme) -> Iterator[Part]:
    design, (left, top, right, _) = cabling.design, room
    used, ports = design.n_used_ports(switch.id), design.ports(switch.id)
    facts = (
        design.device_type(switch.id).model,
        switch.role,
        cabling.place(switch.id).text,
        _ports_text(used, len(switch.reserved_ports), len(ports)),
        IN_ROWS if not any(port.slot for port in ports) else IN_ORDER,
    )
    after_name = left + width(switch.name, bold=True) * NAME_SIZE + GAP
    yield label(switch.name, left, top + 9.0, right - left, NAME_SIZE, theme.text, bold=True)
    if unstated:
        yield label(unstated, after_name, top + 9.0, right - after_name, 8, theme.muted)
    yield label("; ".join(one for one in facts if one), left, top + 20.0, right - left, 8, theme.muted)


def _map_parts(design: Design, switch: Device, shown: _Map, left: float, top: float, theme: Theme) -> Iterator[Part]:
    kept = frozenset(switch.reserved_ports)
    for number, cage in enumerate(shown.cages):
        if cage is None:
            continue
        line, place = divmod(number, shown.across)
        x, y = left + place * shown.cell, top + line * (shown.line + LINE_GAP)
        yield from _cage_parts(design, switch, cage, kept, (x, y, shown.cell - CELL_GAP, shown.line), theme)


def _cage_parts(
    design: Design, switch: Device, cage: _Cage, kept: frozenset[str], place: Area, theme: Theme
) -> Iterator[Part]:
    x, y, width, height = place
    far = next((_far(link, switch.id) for _, link in cage.lanes if link is not None), None)
    is_kept = far is None and all(port.name in kept for port, _ in cage.lanes)
    colours = theme.boxes[kind_of(design, far)] if far is not None else None
    ink = Ink(colours.fill) if colours else Ink(theme.group_border, hatched=True) if is_kept else None
    yield Rect(x, y, width, height, ink, Pen(colours.border if colours else theme.group_border, 0.5))
    if colours is not None:
        yield Rect(x, y, width, 1.5, Ink(colours.stripe))
    yield label(cage.name, x + 2, y + 7.5, width - 4, LEAST_SIZE + 1, theme.text, bold=True)
    for number, (port, link) in enumerate(cage.lanes[:MOST_LANES]):
        text = cable_name(link.cable) if link is not None else "kept" if port.name in kept else FREE
        colour = theme.text if link is not None else theme.muted
        yield label(text or "used", x + 2, y + 7.5 + (number + 1) * LINE, width - 3, LEAST_SIZE, colour)
    more = len(cage.lanes) - MOST_LANES
    if more > 0:
        yield Text(x + width - 2, y + 7.5, f"+{more}", LEAST_SIZE, theme.muted, anchor="end")


def _far(link: Link, device_id: str) -> str:
    return link.b.device_id if link.a.device_id == device_id else link.a.device_id
