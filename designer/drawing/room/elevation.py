"""The elevation as rectangles: racks row by row, their devices unit by unit, and a shelf for what stands in none."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from designer.drawing.geometry import Rect
from designer.drawing.room.floor_plan import kind_of
from designer.model.design import Design
from designer.model.equipping import height, units_of
from designer.model.records import ordered
from designer.placement import floor
from designer.placement.rack_contents import Standing, rack_power, standing_in
from designer.placement.row_order import row_facing

UNIT = 18.0
WIDTH = 190.0
HEADER = 40.0
GAP = 34.0
LINE_GAP = 70.0
TITLE_GAP = 34.0
"""What a title takes of that."""
WINDOW = (900.0, 520.0)
TITLE_PX, NAME_PX, NAMED_PX = 14.0, 12.0, 15.0
"""The least of the drawing that a window shows, in which all racks have room for the titles of their rows, and for
names above where racks are so wide."""
MOST_WORDS = 0.4
"""Of the height of a line, for its title and names of racks."""
UNPLACED_COLUMNS = 12
SHELF_UNITS = 42
SHELF_MOST = 400
"""More devices than this outside any rack are counted, not drawn."""


@dataclass(frozen=True, slots=True)
class Box:
    """A device as it stands: `faces` says whether its ports look at the viewer."""

    id: str
    name: str
    model: str
    kind: int
    rect: Rect
    faces: bool
    shares_with: tuple[str, ...] = ()
    """Names of what takes some of the same units: these stand side by side."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A rack, or the shelf of devices that stand in none (`rack_id` None). Unit 1 is at the bottom of the rectangle."""

    rack_id: str | None
    title: str
    note: str
    over_budget: bool
    units: int
    rect: Rect
    boxes: tuple[Box, ...]
    header: float = HEADER
    """How high the room for its name is."""

    @property
    def whole(self) -> Rect:
        """The rectangle of the rack with the header above it."""
        left, top, right, bottom = self.rect
        return left, top - self.header, right, bottom

    @property
    def filled(self) -> Rect:
        """The rectangle of the rack; on the shelf, from the highest device on."""
        left, top, right, bottom = self.rect
        is_rack = self.rack_id is not None or not self.boxes
        return left, top if is_rack else min(box.rect[1] for box in self.boxes), right, bottom

    def unit_at(self, y: float) -> int:
        """The unit at a height of the plane."""
        return math.floor((self.rect[3] - y) / UNIT) + 1

    def rect_of_units(self, unit: int, units: int) -> Rect:
        """The rectangle of `units` rack units from `unit` upwards."""
        left, _, right, bottom = self.rect
        return left, bottom - (unit - 1 + units) * UNIT, right, bottom - (unit - 1) * UNIT


@dataclass(frozen=True, slots=True)
class Line:
    """Frames side by side, under a title: a row of the floor, or racks without a place."""

    title: str
    x: float
    y: float
    frames: tuple[Frame, ...]
    gap: float = LINE_GAP
    """Over `y`, for the title."""

    @property
    def top(self) -> float:
        """Where its title begins."""
        return self.y - (self.gap if self.gap > LINE_GAP else TITLE_GAP)


class Spacing(NamedTuple):
    """Room over racks and lines, and how large both are drawn where a window shows them all."""

    scale: float
    header: float
    gap: float


def spacing_of(width: float, height: float, columns: int, n_lines: int) -> Spacing:
    """For so many lines in columns, of lines so wide, with racks up to so high.

    On the screen a line has its share of the window's height; what names and titles need of it is not for racks.
    """
    rows = max(1, math.ceil(n_lines / columns))
    share_px = WINDOW[1] / rows
    most_title_px = min(TITLE_PX, MOST_WORDS * share_px)
    most_name_px = min(NAME_PX, MOST_WORDS * share_px - most_title_px)
    scale = min(WINDOW[0] / (columns * width), share_px / (height + HEADER + LINE_GAP))
    name_px = title_px = 0.0
    for _ in range(2):  # what keeps a size on the screen makes racks smaller, and then more may have to keep one
        name_px = most_name_px if NAMED_PX / WIDTH <= scale < most_name_px / HEADER else 0.0
        title_px = most_title_px if scale < most_title_px / LINE_GAP else 0.0
        scaled = height + (0.0 if name_px else HEADER) + (0.0 if title_px else LINE_GAP)
        scale = min(scale, (share_px - name_px - title_px) / scaled)
    return Spacing(scale, max(HEADER, name_px / scale), max(LINE_GAP, title_px / scale))


def elevation(design: Design, *, rear: bool = False, racks: Collection[str] | None = None) -> tuple[Line, ...]:
    """All racks from the front, or from the rear, in the order in which one who stands there sees them.

    Of a row whose fronts look up on the floor plan, the leftmost rack of the plan stands rightmost. Lines stand in as
    many columns as show the whole largest on a screen; the shelf comes last. With `racks`, these alone stand side by
    side, row by row.
    """
    rows = list(_lines(design))
    if racks is not None:
        rows = [(title, held) for title, ids in rows if (held := tuple(one for one in ids if one in racks))]
    body = max((units_of(design, one) for _, ids in rows for one in ids), default=0) * UNIT
    wide = max((len(ids) for _, ids in rows), default=0) * (WIDTH + GAP) + LINE_GAP

    spacings = {columns: spacing_of(wide, body, columns, len(rows)) for columns in range(1, max(2, len(rows) + 1))}
    columns = max(spacings, key=lambda one: spacings[one].scale)
    _, header, gap = spacings[columns]
    tall = body + header + gap
    lines: list[Line] = []
    for number, (title, rack_ids) in enumerate(rows):
        line, column = divmod(number, columns)
        x, y = column * wide, line * tall
        bottom = y + tall - gap
        frames = [
            replace(frame_of(design, rack_id, x + place * (WIDTH + GAP), bottom, rear), header=header)
            for place, rack_id in enumerate(rack_ids[::-1] if rear != _looks_up(design, rack_ids) else rack_ids)
        ]
        lines.append(Line(title, x, y, tuple(frames), gap))
    if racks is not None:
        return tuple(lines)
    shelf = _shelf(design, math.ceil(len(rows) / columns) * tall, rear)
    return (*lines, replace(shelf, gap=gap)) if shelf is not None else tuple(lines)


def _lines(design: Design) -> Iterator[tuple[str, tuple[str, ...]]]:
    rows = floor.rows(design)
    for row in rows:
        yield f"Row {row.name}", row.rack_ids
    placed = {one for row in rows for one in row.rack_ids}
    waiting = [rack.id for rack in ordered(design.racks) if rack.id not in placed]
    for first in range(0, len(waiting), UNPLACED_COLUMNS):
        yield "Not on the floor" if rows else "Racks", tuple(waiting[first : first + UNPLACED_COLUMNS])


def _looks_up(design: Design, rack_ids: Sequence[str]) -> bool:
    """Whether most fronts of a row look up on the floor plan; not of racks without a place."""
    placed = [one for one in rack_ids if floor.place_of(design.racks[one]) is not None]
    return bool(placed) and row_facing(design, placed) == "up"


def frame_of(
    design: Design, rack_id: str, left: float, bottom: float, rear: bool, *, turned_alone: bool = False
) -> Frame:
    """A rack from the front or the rear, with its left bottom corner there.

    With `turned_alone` only devices that were turned by hand are shown from behind: of others nobody said where their
    ports are.
    """
    units = units_of(design, rack_id)
    rect = (left, bottom - units * UNIT, left + WIDTH, bottom)
    power = rack_power(design, rack_id)
    standing = standing_in(design, rack_id)
    boxes, taken = [], sum(one.units for one in standing)
    for one, column in _side_by_side(standing):
        low, width = bottom - ((one.unit or 1) - 1) * UNIT, WIDTH / column.of
        first = left + column.place * width
        stands = (first, low - one.units * UNIT, first + width, low)
        faces = one.rear == rear or (turned_alone and not one.rear)
        boxes.append(_box(design, one.device_id, stands, faces, column.others))
    draw = power.draw
    if power.budget_w is not None:
        budget = f"{power.budget_w / 1000:.3g} kW"
        draw = f"{power.draw} of {budget}" if power.unknown else f"{power.draw_w / 1000:.3g}/{budget}"
    note = f"{taken}/{units} U, {draw}"
    over = power.budget_w is not None and power.draw_w > power.budget_w
    return Frame(rack_id, design.racks[rack_id].name, note, over, units, rect, tuple(boxes))


class _Column(NamedTuple):
    """Where across its rack a device is drawn: alone over the whole width, else beside what takes the same units."""

    place: int
    of: int
    others: tuple[str, ...]


def _side_by_side(standing: Iterable[Standing]) -> Iterator[tuple[Standing, _Column]]:
    """The devices with a unit, the lowest first, each with its column; those that share units are together."""
    together: list[Standing] = []
    for one in standing:
        if one.unit is None:
            continue
        if together and one.unit >= max((other.unit or 0) + other.units for other in together):
            yield from _columns(together)
            together = []
        together.append(one)
    yield from _columns(together)


def _columns(together: Sequence[Standing]) -> Iterator[tuple[Standing, _Column]]:
    """Devices that overlap one after the other, in as few columns as keep them apart."""
    tops = list[int]()  # of what stands in each column
    places = list[int]()
    for one in together:
        unit = one.unit or 0
        place = next((number for number, top in enumerate(tops) if top <= unit), len(tops))
        tops[place : place + 1] = [unit + one.units]
        places.append(place)
    for one, place in zip(together, places, strict=True):
        others = tuple(other.device_id for other in together if other is not one and _meet(one, other))
        yield one, _Column(place, len(tops), others)


def _meet(one: Standing, other: Standing) -> bool:
    """Whether two devices take a unit both."""
    low, high = one.unit or 0, other.unit or 0
    return low < high + other.units and high < low + one.units


def _shelf(design: Design, y: float, rear: bool) -> Line | None:
    """Devices that stand in no rack, stacked column by column."""
    loose = [
        device.id
        for device in ordered(design.devices)
        if (place := design.placements.get(device.id)) is None or place.rack_id is None or place.unit is None
    ]
    if not loose:
        return None
    if len(loose) > SHELF_MOST:
        return Line(f"{len(loose):,} devices are in no rack", 0.0, y, ())
    stacks: list[list[tuple[str, int, int]]] = [[]]
    unit = 1
    for one in loose:
        units = height(design.device_type(one))
        if unit + units - 1 > SHELF_UNITS and stacks[-1]:
            stacks.append([])
            unit = 1
        stacks[-1].append((one, unit, units))
        unit += units
    tall = max(stack[-1][1] + stack[-1][2] - 1 for stack in stacks)
    frames = []
    for column, stack in enumerate(stacks):
        left, bottom = column * (WIDTH + GAP), y + HEADER + tall * UNIT
        boxes = []
        for one, unit, units in stack:
            low = bottom - (unit - 1) * UNIT
            boxes.append(_box(design, one, (left, low - units * UNIT, left + WIDTH, low), not rear))
        frames.append(
            Frame(None, "", "", False, tall, (left, bottom - tall * UNIT, left + WIDTH, bottom), tuple(boxes))
        )
    return Line("In no rack", 0.0, y, tuple(frames))


def _box(design: Design, device_id: str, rect: Rect, faces: bool, others: Iterable[str] = ()) -> Box:
    device, shares_with = design.device(device_id), tuple(design.device(one).name for one in others)
    return Box(device_id, device.name, _model(design, device_id), kind_of(design, device_id), rect, faces, shares_with)


def _model(design: Design, device_id: str) -> str:
    """The model, of a chassis with its line cards: "7808R4, 4 of 8 line cards"."""
    type_ = design.device_type(device_id)
    if not type_.slots or design.is_server(device_id):
        return type_.model
    return f"{type_.model}, {design.module_count(device_id)} of {len(type_.slots)} line cards"
