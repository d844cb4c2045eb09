"""Verbs about fixtures: walls, doors, columns, cooling units, trays, and what is written and measured on the plan."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import order_key
from designer.model.fixture import (
    COLUMN,
    COOLING,
    DIMENSION,
    DOOR,
    FLOOR_FARTHEST_M,
    KINDS,
    MARKINGS,
    TEXT,
    TRAY,
    WALL,
    ZONE,
    Fixture,
    Tie,
)
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
USUAL_M: Mapping[str, Point] = {
    WALL: (3.0, WALL_M),
    DOOR: (1.2, WALL_M),
    COLUMN: (0.6, 0.6),
    COOLING: (2.4, 0.9),
    TEXT: (0.8, 0.2),
    ZONE: (3.0, 2.4),
}
"""Width and depth of what is put down with a click."""
LEAST_M = 0.05
TOUCH_M = 1e-6
"""Racks that are nearer to each other than they are wide by no more than this touch."""
GAP_M = 0.6
"""Between fixtures and their copies."""
_NAMES = {WALL: "wall", DOOR: "door", COLUMN: "column", COOLING: "cooling", TRAY: "tray"}
_WORDS = {TEXT: "Text", ZONE: "Zone", DIMENSION: ""}
"""What markings say at first; several may say the same."""
_MARKINGS = frozenset(word.name for word in MARKINGS)
LETTER = 0.62
"""Width of a letter of a text in terms of the height of its rectangle."""


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
    after = [replace(one, **values) for one in found]
    if "name" in values:
        after = [_wide_enough(one) if one.kind == TEXT else one for one in after]
    return _changed("Change", found, after)


def _wide_enough(text: Fixture) -> Fixture:
    """The text as wide as its words are at the height it has; its left end stays, unless it is turned."""
    width_m = max(LEAST_M, round(LETTER * max(1, len(text.name)) * text.depth_m, 2))
    x_m = text.x_m if text.turn_deg else _cm(text.x_m + (width_m - text.width_m) / 2)
    return replace(text, width_m=width_m, x_m=x_m)


def move_fixtures(design: Design, ids: Iterable[str], dx_m: float, dy_m: float, racks: Collection[str] = ()) -> Edit:
    """The fixtures so many meters to the right and down, these racks along with them.

    A dimension stays tied to what does not move: it is then drawn further from that.
    """
    found = [_fixture(design, one) for one in sorted(ids, key=order_key)]
    along = {*racks, *(one.id for one in found)}
    return _changed("Move", found, [_shifted(moved(one, dx_m, dy_m), dx_m, dy_m, along) for one in found])


def turn_fixtures(design: Design, ids: Iterable[str], degrees: float) -> Edit:
    """The fixtures turned clockwise around their middle, that of all together; trays lead elsewhere.

    Dimensions stand by themselves then, from where their ends are now; those of no length stay.
    """
    found = [_fixture(design, one) for one in sorted(ids, key=order_key)]
    if not found:
        raise ParameterError("select a wall, tray or other fixture first")
    standing = [settled(design, one) for one in found]
    middle = middle_of(standing)
    after = [
        _turned(now, middle, degrees) if has_length(design, one) else one
        for one, now in zip(found, standing, strict=True)
    ]
    return _changed("Turn", found, after)


def _turned(one: Fixture, middle: Point, degrees: float) -> Fixture:
    if one.points_m:
        points = (turned(point, middle, degrees) for point in one.points_m)
        return replace(one, points_m=tuple((_cm(x), _cm(y)) for x, y in points), ties=())
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
    copies = []
    for one in originals:
        name = names.unique(one.name) if one.name and one.kind not in _MARKINGS else one.name
        ties = tuple(replace(tie, thing_id=ids[tie.thing_id]) if tie.thing_id in ids else Tie() for tie in one.ties)
        copies.append(replace(moved(one, times * step, 0.0), id=ids[one.id], name=name, ties=ties))
    return copies


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
    if kind in _MARKINGS:
        return checked_name(name) if name else _WORDS[kind]
    names = Names(one.name for one in design.fixtures.values())
    return names.unique(checked_name(name)) if name else names.unique(f"{_NAMES[kind]}-1")


def _fixture(design: Design, one: str) -> Fixture:
    found = design.fixtures.get(one)
    if found is None:
        raise UnknownEntityError(f"there is no wall, tray or other fixture with id {shortened(one)!r}")
    return found


# -- dimensions --------------------------------------------------------------------------------------------------------

End = tuple[Point, Tie]
"""Where an end of a dimension is, and what it holds on to."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Where a dimension is drawn now, and what it comes to."""

    line: tuple[Point, Point]
    feet: tuple[Point, Point]
    """The points that it measures between; where its line is further off, thin lines lead there."""
    length_m: float


def tied_point(design: Design, tie: Tie) -> Point | None:
    """The point of a rack or fixture that a tie holds on to; None where that is not on the floor, or is a line."""
    rack, fixture = design.racks.get(tie.thing_id), design.fixtures.get(tie.thing_id)
    if rack is not None and rack.x_m is not None and rack.y_m is not None:
        settings = design.settings
        half = settings.rack_width_m / 2, settings.rack_depth_m / 2
        return rack.x_m + tie.across * half[0], rack.y_m + tie.down * half[1]
    if fixture is None or fixture.points_m:
        return None
    at = fixture.x_m + tie.across * fixture.width_m / 2, fixture.y_m + tie.down * fixture.depth_m / 2
    return turned(at, (fixture.x_m, fixture.y_m), fixture.turn_deg)


def measured(design: Design, one: Fixture) -> Measured:
    """A dimension as it is drawn while racks and fixtures stand where they do."""
    is_level, is_upright = _directions(one)
    held = [tied_point(design, tie) for tie in one.ties or (Tie(), Tie())]
    ends = [
        point if at is None else (at[0] + tie.x_m, at[1] + tie.y_m)
        for point, at, tie in zip(one.points_m, held, one.ties or (Tie(), Tie()), strict=True)
    ]
    leading = next((end for end, at in zip(ends, held, strict=True) if at is not None), ends[0])
    if is_level:
        ends = [(x, leading[1]) for x, _ in ends]
    elif is_upright:
        ends = [(leading[0], y) for _, y in ends]
    line = tuple((round(x, 4), round(y, 4)) for x, y in ends)
    ties = one.ties or (Tie(), Tie())
    feet = [
        end if at is None else _foot(design, tie, at, end, is_level=is_level, is_upright=is_upright)
        for tie, at, end in zip(ties, held, line, strict=True)
    ]
    return Measured((line[0], line[1]), (feet[0], feet[1]), math.dist(*line))


def _foot(design: Design, tie: Tie, at: Point, end: Point, *, is_level: bool, is_upright: bool) -> Point:
    """The point of an edge that is nearest to the end of the line which measures to that edge."""
    fixture, settings = design.fixtures.get(tie.thing_id), design.settings
    rack = design.racks.get(tie.thing_id)
    if rack is not None and rack.x_m is not None and rack.y_m is not None:
        half = settings.rack_width_m / 2, settings.rack_depth_m / 2
        left, top, right, bottom = rack.x_m - half[0], rack.y_m - half[1], rack.x_m + half[0], rack.y_m + half[1]
    elif fixture is not None and fixture.turn_deg % 90 == 0:
        left, top, right, bottom = rect_m(fixture)
    else:
        return at
    if is_level:
        return at[0], min(max(end[1], top), bottom)
    return (min(max(end[0], left), right), at[1]) if is_upright else at


def settled(design: Design, one: Fixture) -> Fixture:
    """The fixture as it stands; a dimension between the points where its ends are now."""
    return replace(one, points_m=measured(design, one).line) if one.kind == DIMENSION else one


def has_length(design: Design, one: Fixture) -> bool:
    """Whether a dimension measures anything: what it is tied to may stand side by side. True of all other fixtures."""
    if one.kind != DIMENSION:
        return True
    start, end = measured(design, one).line
    return start != end


def standing(design: Design, fixtures: Iterable[Fixture], copied: Collection[str]) -> list[Fixture]:
    """The fixtures as they stand, to be copied along with what is `copied`.

    A dimension of no length is left out where its copy would not be tied to copies: no file can hold it.
    """
    found = []
    for one in fixtures:
        if has_length(design, one):
            found.append(settled(design, one))
        elif all(tie.thing_id in copied for tie in one.ties if tie.thing_id):
            found.append(one)
    return found


def dimension_between(design: Design, start: End, end: End, *, is_direct: bool = False) -> Fixture:
    """A dimension from one end to the other, without an id: along or across the rows, whichever way is longer.

    Ends that are tied to a thing are at its edge then. A direct one measures from point to point.
    """
    (ax, ay), (bx, by) = start[0], end[0]
    is_level = abs(bx - ax) >= abs(by - ay)
    if not is_direct:
        start, end = _squared(design, start, is_level=is_level), _squared(design, end, is_level=is_level)
        bx, by = (end[0][0], start[0][1]) if is_level else (start[0][0], end[0][1])
    (ax, ay), tie = start[0], end[1]
    if not is_direct and (at := tied_point(design, tie)) is not None:  # its line is as far off as at the start
        tie = replace(tie, x_m=0.0 if is_level else _cm(bx - at[0]), y_m=_cm(by - at[1]) if is_level else 0.0)
    points = (_cm(ax), _cm(ay)), (_cm(bx), _cm(by))
    ties = (start[1], tie) if start[1].thing_id or tie.thing_id else ()
    return Fixture("", DIMENSION, points_m=points, ties=ties)


def add_dimension(design: Design, start: End, end: End, *, is_direct: bool = False) -> Edit:
    """A new dimension, as `dimension_between` leads it. Raises ParameterError where it leads nowhere."""
    made = dimension_between(design, start, end, is_direct=is_direct)
    return _added(design, replace(made, id=design.new_ids("fixtures", 1)[0]))


def reshape_dimension(design: Design, one: str, start: End, end: End, *, is_direct: bool = False) -> Edit:
    """The dimension between other ends. Raises ParameterError where it leads nowhere."""
    found = _fixture(design, one)
    made = dimension_between(design, start, end, is_direct=is_direct)
    return _changed("Reshape", [found], [replace(found, points_m=made.points_m, ties=made.ties)])


def shifted_dimension(design: Design, one: Fixture, dx_m: float, dy_m: float, along: Collection[str]) -> Fixture:
    """A dimension as `move_fixtures` moves it, where it is then while what goes along still stands where it did."""
    return settled(design, _shifted(moved(one, dx_m, dy_m), dx_m, dy_m, along))


def untied(design: Design, going: Collection[str]) -> list[Change]:
    """The dimensions that are tied to what goes, where they are, with ends that stand by themselves there.

    Those of no length are removed with it.
    """
    changes = []
    for one in design.fixtures.values():
        if one.id not in going and any(tie.thing_id in going for tie in one.ties):
            if not has_length(design, one):
                changes.append(Change(one, None))
                continue
            ties = tuple(Tie() if tie.thing_id in going else tie for tie in one.ties)
            left = ties if any(tie.thing_id for tie in ties) else ()
            changes.append(Change(one, replace(settled(design, one), ties=left)))
    return changes


def _directions(one: Fixture) -> tuple[bool, bool]:
    """Whether a dimension measures along the rows alone, and across them alone."""
    (ax, ay), (bx, by) = one.points_m
    return ay == by, ax == bx


def _shifted(one: Fixture, dx_m: float, dy_m: float, along: Collection[str]) -> Fixture:
    """A dimension so much further from what it is tied to and does not move along; at its edges it stays."""
    if not one.ties:
        return one
    is_level, is_upright = _directions(one)
    dx_m, dy_m = 0.0 if is_level else dx_m, 0.0 if is_upright else dy_m
    ties = (
        tie
        if tie.thing_id in along or not tie.thing_id
        else replace(tie, x_m=_cm(tie.x_m + dx_m), y_m=_cm(tie.y_m + dy_m))
        for tie in one.ties
    )
    return replace(one, ties=tuple(ties))


def _squared(design: Design, end: End, *, is_level: bool) -> End:
    """The end at the nearer edge, left or right where it measures along the rows, of what it is tied to."""
    point, tie = end
    fixture = design.fixtures.get(tie.thing_id)
    turn = fixture.turn_deg % 180 if fixture is not None else 0.0
    if not tie.thing_id or turn not in (0.0, 90.0):
        return end
    if is_level == (turn == 0.0):
        tie = replace(tie, across=math.copysign(1.0, tie.across))
    else:
        tie = replace(tie, down=math.copysign(1.0, tie.down))
    at = tied_point(design, tie)
    return (point if at is None else (at[0] + tie.x_m, at[1] + tie.y_m)), tie
