"""Verbs about fixtures: walls, doors, columns, cooling units and trays are drawn, changed, moved and copied."""

import math
from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Rack, order_key
from designer.model.fixture import COLUMN, COOLING, DOOR, FLOOR_FARTHEST_M, KINDS, TRAY, WALL, Fixture
from designer.model.fixture_limits import fixture_faults
from designer.model.fixture_shape import Point, Rect, middle_of, rect_m, turned
from designer.model.naming import Names, checked_name
from designer.model.shown_text import visible_line
from designer.units import shortened

TITLES = {word.name: word.title for word in KINDS}
LONG = frozenset((WALL, DOOR))
"""Drawn along a line, as thick as walls are."""
WALL_M, TRAY_M = 0.2, 0.3
"""How thick walls and how wide trays are drawn at first."""
USUAL_M: Mapping[str, Point] = {WALL: (3.0, WALL_M), DOOR: (1.2, WALL_M), COLUMN: (0.6, 0.6), COOLING: (2.4, 0.9)}
"""Width and depth of what is put down with a click."""
LEAST_M = 0.05
TOUCH_M = 1e-6
"""Racks that are nearer to each other than they are wide by no more than this touch."""
GAP_M = 0.6
"""Between fixtures and their copies."""
_NAMES = {WALL: "wall", DOOR: "door", COLUMN: "column", COOLING: "cooling", TRAY: "tray"}


def title_of(fixture: Fixture) -> str:
    """What lists and sentences call it: its name, or what it is."""
    return visible_line(fixture.name) or TITLES.get(fixture.kind, "Fixture")


def drawn_rect_m(kind: str, start: Point, end: Point) -> Rect:
    """What dragging from one point to the other draws; in one point a fixture of its usual size around it.

    A wall or door lies along the longer way, its middle line at the start. Walls reach half their thickness further.
    """
    width, depth = abs(end[0] - start[0]), abs(end[1] - start[1])
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if max(width, depth) < LEAST_M:
        x, y, (width, depth) = *start, USUAL_M[kind]
    elif kind in LONG:
        over = WALL_M if kind == WALL else 0.0  # walls that meet fill the corner
        if width >= depth:
            y, width, depth = start[1], width + over, WALL_M
        else:
            x, width, depth = start[0], WALL_M, depth + over
    width, depth = max(width, LEAST_M), max(depth, LEAST_M)
    return x - width / 2, y - depth / 2, x + width / 2, y + depth / 2


def add_fixture(design: Design, kind: str, rect: Rect, name: str = "") -> Edit:
    """A new wall, door, column or cooling unit that takes up this much of the floor. Raises ParameterError."""
    if kind not in USUAL_M:
        raise ParameterError(f"{shortened(kind)!r} is none of {', '.join(USUAL_M)}")
    return _added(design, _in_rect(Fixture(design.new_ids("fixtures", 1)[0], kind, _name(design, kind, name)), rect))


def add_tray(design: Design, points: Sequence[Point], name: str = "", width_m: float = TRAY_M) -> Edit:
    """A new cable tray along these points. Raises ParameterError where it leads nowhere."""
    corners = _corners(points)
    made = Fixture(design.new_ids("fixtures", 1)[0], TRAY, _name(design, TRAY, name), width_m=width_m, points_m=corners)
    return _added(design, made)


def _added(design: Design, made: Fixture) -> Edit:
    _check(made)
    return Edit(f"Add {title_of(made)}", added([made]))


def change_fixtures(design: Design, ids: Iterable[str], **values: Any) -> Edit:
    """The fixtures with these fields changed. Raises ParameterError naming the field that cannot be."""
    described = fields_of(Fixture)
    for name, value in values.items():
        described[name].require(value)
        if isinstance(value, int | float):
            values[name] = float(value)
    if values.get("name"):
        values["name"] = checked_name(values["name"])
    found = [_fixture(design, one) for one in sorted(ids, key=order_key)]
    return _changed("Change", found, [replace(one, **values) for one in found])


def move_fixtures(design: Design, ids: Iterable[str], dx_m: float, dy_m: float) -> Edit:
    """The fixtures so many meters to the right and down."""
    found = [_fixture(design, one) for one in sorted(ids, key=order_key)]
    return _changed("Move", found, [moved(one, dx_m, dy_m) for one in found])


def turn_fixtures(design: Design, ids: Iterable[str], degrees: float) -> Edit:
    """The fixtures turned clockwise around their middle, that of all together; trays lead elsewhere."""
    found = [_fixture(design, one) for one in sorted(ids, key=order_key)]
    if not found:
        raise ParameterError("select a wall, tray or other fixture first")
    middle = middle_of(found)
    return _changed("Turn", found, [_turned(one, middle, degrees) for one in found])


def _turned(one: Fixture, middle: Point, degrees: float) -> Fixture:
    if one.points_m:
        points = (turned(point, middle, degrees) for point in one.points_m)
        return replace(one, points_m=tuple((_cm(x), _cm(y)) for x, y in points))
    x, y = turned((one.x_m, one.y_m), middle, degrees)
    return replace(one, x_m=_cm(x), y_m=_cm(y), turn_deg=round(one.turn_deg + degrees, 4) % 360)


def resize_fixture(design: Design, one: str, rect: Rect) -> Edit:
    """The wall, door, column or cooling unit with this much of the floor, before it is turned as it is."""
    found = _fixture(design, one)
    if found.kind == TRAY:
        raise EditError(f"{title_of(found)} is a tray: move its corners")
    return _changed("Resize", [found], [_in_rect(found, rect)])


def reshape_tray(design: Design, one: str, points: Sequence[Point]) -> Edit:
    """The tray along other points. Raises ParameterError where it leads nowhere."""
    found = _fixture(design, one)
    if found.kind != TRAY:
        raise EditError(f"{title_of(found)} is no tray: it has no corners")
    return _changed("Reshape", [found], [replace(found, points_m=_corners(points))])


def moved(one: Fixture, dx_m: float, dy_m: float) -> Fixture:
    """The fixture elsewhere."""
    if one.points_m:
        return replace(one, points_m=tuple((_cm(x + dx_m), _cm(y + dy_m)) for x, y in one.points_m))
    return replace(one, x_m=_cm(one.x_m + dx_m), y_m=_cm(one.y_m + dy_m))


def fixture_copies(design: Design, originals: Sequence[Fixture], ids: Mapping[str, str]) -> list[Fixture]:
    """The fixtures under new ids and free names, to the right of where they and other copies of them stand."""
    if not originals:
        return []
    rects = [rect_m(one) for one in originals]
    step = max(rect[2] for rect in rects) - min(rect[0] for rect in rects) + GAP_M
    taken = {(one.kind, *rect_m(one)) for one in design.fixtures.values()}
    times = 0
    while any((one.kind, *rect_m(moved(one, times * step, 0.0))) in taken for one in originals):
        times += 1
    names = Names(one.name for one in design.fixtures.values())
    return [
        replace(moved(one, times * step, 0.0), id=ids[one.id], name=names.unique(one.name) if one.name else "")
        for one in originals
    ]


def on_free_floor(design: Design, racks: Sequence[Rack]) -> list[Rack]:
    """The racks where they stand on the floor, each in the next free place to its right where that is taken."""
    width, depth = design.settings.rack_width_m, design.settings.rack_depth_m
    taken = [(one.x_m, one.y_m) for one in design.racks.values() if one.x_m is not None and one.y_m is not None]
    near: dict[float, list[float]] = {}
    """By each place across the rows, those along them that what stands there or reaches into it takes."""
    standing = []
    for rack in racks:
        if rack.x_m is None or rack.y_m is None:
            standing.append(rack)
            continue
        if rack.y_m not in near:
            near[rack.y_m] = sorted(x for x, y in taken if abs(y - rack.y_m) < depth - TOUCH_M)
        x_m = _free_x_m(near[rack.y_m], rack.x_m, width)
        taken.append((x_m, rack.y_m))
        for y, row in near.items():
            if abs(y - rack.y_m) < depth - TOUCH_M:
                insort(row, x_m)
        is_in_room = x_m <= FLOOR_FARTHEST_M
        standing.append(replace(rack, x_m=x_m) if is_in_room else replace(rack, x_m=None, y_m=None))
    return standing


def _free_x_m(row: Sequence[float], x_m: float, width: float) -> float:
    """The first place from there to the right that no rack reaches into."""
    for other in row[bisect_left(row, x_m - width) :]:
        if abs(other - x_m) < width - TOUCH_M:
            x_m = other + width
        elif other > x_m:
            break
    return round(x_m, 4)


def _in_rect(one: Fixture, rect: Rect) -> Fixture:
    left, top, right, bottom = rect
    x, y, width, depth = (left + right) / 2, (top + bottom) / 2, abs(right - left), abs(bottom - top)
    return replace(one, x_m=_cm(x), y_m=_cm(y), width_m=max(_cm(width), LEAST_M), depth_m=max(_cm(depth), LEAST_M))


def _corners(points: Sequence[Point]) -> tuple[Point, ...]:
    """The points without repetitions."""
    corners: list[Point] = []
    for x, y in points:
        corner = _cm(x), _cm(y)
        if not corners or corner != corners[-1]:
            corners.append(corner)
    if len(corners) < 2:
        raise ParameterError("a tray leads from one point to another: click at least two")
    return tuple(corners)


def _cm(value: float) -> float:
    if not math.isfinite(value) or abs(value) > FLOOR_FARTHEST_M:
        raise EditError(f"a place on the floor lies within {FLOOR_FARTHEST_M:,.0f} m of its middle, not at {value:g} m")
    return round(value, 4) + 0.0


def _changed(verb: str, before: Sequence[Fixture], after: Sequence[Fixture]) -> Edit:
    changes = []
    for one, other in zip(before, after, strict=True):
        _check(other)
        if one != other:
            changes.append(Change(one, other))
    what = title_of(before[0]) if len(before) == 1 else f"{len(before)} fixtures"
    return Edit(f"{verb} {what}", tuple(changes))


def _check(one: Fixture) -> None:
    for field, described in fields_of(Fixture).items():
        described.require(getattr(one, field))
    for field, fault in fixture_faults(one):
        raise ParameterError(f"{field}: {fault}")


def _name(design: Design, kind: str, name: str) -> str:
    names = Names(one.name for one in design.fixtures.values())
    return names.unique(checked_name(name)) if name else names.unique(f"{_NAMES[kind]}-1")


def _fixture(design: Design, one: str) -> Fixture:
    found = design.fixtures.get(one)
    if found is None:
        raise UnknownEntityError(f"there is no wall, tray or other fixture with id {shortened(one)!r}")
    return found
