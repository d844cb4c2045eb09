"""The floor plan as rectangles: racks where they stand, those without a place below, rows, trays and aisles.

One meter is 100 units of the plane, so that a camera shows a room as it shows a fabric.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from designer.drawing.display_list import Key
from designer.drawing.geometry import Rect
from designer.drawing.notes import Drawn, drawn_notes, title_rows
from designer.drawing.parts.keys import height_in
from designer.drawing.parts.words import height_for_rows, height_for_words
from designer.drawing.theme import KIND_OF_ROLE, SERVER, SWITCH
from designer.model.annotation import LEGEND, TITLE_BLOCK, UNITS_PER_M, Annotation
from designer.model.design import Design
from designer.model.entities import Rack
from designer.model.fixture import DOOR, Fixture
from designer.model.fixture_shape import around, corners_of, own_rect_m, rect_m, turned
from designer.model.furnishing import settled
from designer.model.records import ordered
from designer.placement import floor
from designer.placement.aisles import Aisle, aisles
from designer.placement.floor import Point, Row, place_of
from designer.placement.tray_ways import TrayWays

PER_M = UNITS_PER_M
STRIP_GAP = 160.0
STRIP_PITCH = 1.35
STRIP_COLUMNS = 24
ROW_NAME_ROOM, LETTER, LETTERS_MOST = 90, 15, 20
"""To the left of the racks, for a name of one letter, for each letter more, and for how many more."""

Crossing = tuple[float, float, float]
"""Where cables cross from row to row: x, and from y to y, in meters."""


@dataclass(frozen=True, slots=True)
class FloorRack:
    """A rack on the plan; `kind` is what most of it holds, a number of theme.KINDS."""

    id: str
    name: str
    rect: Rect
    up: bool
    kind: int
    on_floor: bool
    is_locked: bool = False


@dataclass(frozen=True, slots=True)
class FloorPlan:
    """Racks, rows and aisles as they stand on the floor, in meters."""

    racks: tuple[FloorRack, ...]
    rows: tuple[Row, ...]
    aisles: tuple[Aisle, ...]
    bounds: Rect | None
    strip: Rect | None
    """Where the racks without a place are shown."""
    fixtures: tuple[Fixture, ...]
    """Walls, trays and the like; dimensions between the points where their ends are now."""
    ways: TrayWays = field(compare=False)
    """Of cables between the racks."""
    notes: tuple[Drawn, ...] = ()
    """Annotations, those behind the racks first."""


def floor_plan(design: Design) -> FloorPlan:
    """The plan of the racks as they stand."""
    width, depth = design.settings.rack_width_m * PER_M, design.settings.rack_depth_m * PER_M
    placed, waiting = [], []
    for rack in ordered(design.racks):
        at = place_of(rack)
        if at is None:
            waiting.append(rack)
        else:
            placed.append(_drawn(design, rack, at[0] * PER_M, at[1] * PER_M, width, depth, on_floor=True))
    fixtures = tuple(settled(design, one) for one in ordered(design.fixtures))
    built = [fixture_reach(one) for one in fixtures]
    room = _around([rack.rect for rack in placed] + built)
    left, top = (room[0], room[3] + STRIP_GAP) if room is not None else (0.0, 0.0)
    strip = []
    for number, rack in enumerate(waiting):
        line, column = divmod(number, STRIP_COLUMNS)
        x = left + column * width * STRIP_PITCH + width / 2
        y = top + line * depth * STRIP_PITCH + depth / 2
        strip.append(_drawn(design, rack, x, y, width, depth, on_floor=False))
    rows = floor.rows(design)
    racks = (*placed, *strip)
    rects = {rack.id: rack.rect for rack in racks}
    notes = drawn_notes(design, {}, rects.get, lambda note: _height_of(design, note), on_floor=True)
    whole = _around([rack.rect for rack in racks] + built + [one.around for one in notes])
    titles = ROW_NAME_ROOM + LETTER * min(max((len(row.name) for row in rows), default=1) - 1, LETTERS_MOST)
    bounds = (whole[0] - titles, whole[1] - 60, whole[2] + 40, whole[3] + 70) if whole is not None else None
    waiting_at = _around([rack.rect for rack in strip])
    return FloorPlan(racks, rows, aisles(design), bounds, waiting_at, fixtures, TrayWays(design), notes)


def _height_of(design: Design, note: Annotation) -> float:
    """How high an annotation is with all of its words or values; of a legend see `explained`."""
    return height_for_rows(title_rows(design), note) if note.kind == TITLE_BLOCK else height_for_words(note)


def explained(plan: FloorPlan, keys: Sequence[Key]) -> FloorPlan:
    """The plan with legends among its annotations as high as these keys."""
    if all(one.note.kind != LEGEND for one in plan.notes):
        return plan
    return replace(plan, notes=tuple(_grown(one, keys) if one.note.kind == LEGEND else one for one in plan.notes))


def _grown(one: Drawn, keys: Sequence[Key]) -> Drawn:
    left, top, right, bottom = one.rect
    return replace(one, start=(left, top), end=(right, max(bottom, top + height_in(keys, right - left))))


def assumed_trays(plan: FloorPlan, design: Design) -> Iterator[tuple[Point, Point]]:
    """Where cables run while no tray is drawn, in meters: over the rows, and from row to row where the design says."""
    if plan.ways.are_drawn:
        return
    half, crossing = design.settings.rack_width_m / 2, design.settings.cross_trays_m
    for row in plan.rows:
        xs = [x for one in row.rack_ids if (x := design.racks[one].x_m) is not None]
        yield (min([min(xs) - half, *crossing]), row.y_m), (max([max(xs) + half, *crossing]), row.y_m)
    if len(plan.rows) > 1:
        for x in crossing:
            yield (x, plan.rows[0].y_m), (x, plan.rows[-1].y_m)


def fixture_rect(fixture: Fixture) -> Rect:
    """What a fixture takes up, in units of the plan."""
    left, top, right, bottom = rect_m(fixture)
    return left * PER_M, top * PER_M, right * PER_M, bottom * PER_M


def fixture_reach(fixture: Fixture) -> Rect:
    """What is drawn of a fixture, in units of the plan: of a door also where it swings."""
    if fixture.kind != DOOR:
        return fixture_rect(fixture)
    left, top, right, bottom = own_rect_m(fixture)
    is_level = right - left >= bottom - top
    opened = (left, top - (right - left), right, bottom) if is_level else (left, top, right + (bottom - top), bottom)
    middle = fixture.x_m, fixture.y_m
    left, top, right, bottom = around(turned(one, middle, fixture.turn_deg) for one in corners_of(opened))
    return left * PER_M, top * PER_M, right * PER_M, bottom * PER_M


def _drawn(design: Design, rack: Rack, x: float, y: float, width: float, depth: float, *, on_floor: bool) -> FloorRack:
    rect = (x - width / 2, y - depth / 2, x + width / 2, y + depth / 2)
    kind, is_up = kind_of_rack(design, rack.id), rack.facing == "up"
    return FloorRack(rack.id, rack.name, rect, is_up, kind, on_floor, rack.is_locked and on_floor)


def kind_of_rack(design: Design, rack_id: str) -> int:
    """What a rack holds most of."""
    held: Counter[int] = Counter()
    for one in design.mounted(rack_id):
        if one in design.devices:
            held[kind_of(design, one)] += 1
    return held.most_common(1)[0][0] if held else SWITCH


def kind_of(design: Design, device_id: str) -> int:
    """The number of theme.KINDS that a device is drawn as."""
    return SERVER if design.is_server(device_id) else KIND_OF_ROLE.get(design.device(device_id).role, SWITCH)


def _around(rects: list[Rect]) -> Rect | None:
    if not rects:
        return None
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
