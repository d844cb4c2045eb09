"""What a fixture takes up on the floor, turned as it is: corners, bounds, and whether a rectangle meets it."""

import itertools
import math
from collections.abc import Iterable

from designer.model.fixture import TRAY, Fixture

Point = tuple[float, float]
Rect = tuple[float, float, float, float]

_QUARTERS: dict[float, Point] = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
"""Cosine and sine of quarter turns, exactly."""


def turned(at: Point, middle: Point, degrees: float) -> Point:
    """The point after a turn around another one, clockwise as the plan is seen."""
    cosine, sine = _QUARTERS.get(degrees % 360) or (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    dx, dy = at[0] - middle[0], at[1] - middle[1]
    return middle[0] + dx * cosine - dy * sine, middle[1] + dx * sine + dy * cosine


def own_rect_m(fixture: Fixture) -> Rect:
    """Left, top, right and bottom of a fixture before it is turned, in meters; around the corners of a tray."""
    if fixture.points_m:
        xs, ys = zip(*fixture.points_m, strict=True)
        half = fixture.width_m / 2 if fixture.kind == TRAY else 0.0
        return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half
    half_width, half_depth = fixture.width_m / 2, fixture.depth_m / 2
    return fixture.x_m - half_width, fixture.y_m - half_depth, fixture.x_m + half_width, fixture.y_m + half_depth


def corners_of(rect: Rect) -> tuple[Point, Point, Point, Point]:
    """The corners of a rectangle, clockwise from the left top."""
    left, top, right, bottom = rect
    return (left, top), (right, top), (right, bottom), (left, bottom)


def corners_m(fixture: Fixture) -> tuple[Point, ...]:
    """The corners of what it takes up, from the one that is left top before it is turned."""
    middle = fixture.x_m, fixture.y_m
    corners = corners_of(own_rect_m(fixture))
    return tuple(turned(one, middle, fixture.turn_deg) for one in corners) if fixture.turn_deg else corners


def rect_m(fixture: Fixture) -> Rect:
    """Left, top, right and bottom around what it takes up on the floor, in meters."""
    return around(corners_m(fixture)) if fixture.turn_deg else own_rect_m(fixture)


def around(points: Iterable[Point]) -> Rect:
    """The least upright rectangle that all of these are in."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def shares_floor(fixture: Fixture, rect: Rect) -> bool:
    """Whether an upright rectangle takes floor of the fixture, rather than only touching it."""
    left, top, right, bottom = rect_m(fixture)
    if not (left < rect[2] and right > rect[0] and top < rect[3] and bottom > rect[1]):
        return False
    if not fixture.turn_deg:
        return True
    middle = fixture.x_m, fixture.y_m
    seen = around(turned(one, middle, -fixture.turn_deg) for one in corners_of(rect))  # as if it were not turned
    own = own_rect_m(fixture)
    return own[0] < seen[2] and own[2] > seen[0] and own[1] < seen[3] and own[3] > seen[1]


def middle_of(fixtures: Iterable[Fixture]) -> Point:
    """The middle of all of them together."""
    left, top, right, bottom = around(itertools.chain.from_iterable(map(corners_m, fixtures)))
    return (left + right) / 2, (top + bottom) / 2
