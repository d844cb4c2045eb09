"""What is drawn on the floor comes into line with rows, aisles, fixtures and trays, else with the grid.

Ends of dimensions hold on to the edges of racks and fixtures.
"""

import math
from collections.abc import Collection, Iterable, Sequence

from designer.drawing.room.floor_plan import PER_M, FloorPlan
from designer.model.design import Design
from designer.model.fixture import TEXT, Tie
from designer.model.fixture_shape import Point, rect_m, turned
from designer.model.furnishing import End, tied_point

GRID_M = 0.1
REACH_PX = 8.0
REACH_MOST_M = 0.3


class FloorLines:
    """The lines of a plan that things come into line with, in meters; those of some fixtures left out."""

    def __init__(self, plan: FloorPlan, without: Collection[str] = ()) -> None:
        self._xs: list[float] = []
        self._ys = [row.y_m for row in plan.rows] + sorted(
            {(aisle.top_m + aisle.bottom_m) / 2 for aisle in plan.aisles}
        )
        for fixture in plan.fixtures:
            if fixture.id in without:
                continue
            if fixture.points_m:
                self._add(fixture.points_m)
            else:
                left, top, right, bottom = rect_m(fixture)
                self._add(((left, top), (fixture.x_m, fixture.y_m), (right, bottom)))

    def _add(self, points: Iterable[Point]) -> None:
        for x, y in points:
            self._xs.append(x)
            self._ys.append(y)

    def snapped(self, at: Point, scale: float, also: Sequence[Point] = ()) -> Point:
        """The point, in line where a line is near, else on the grid; `scale` is pixels per unit of the plan."""
        reach = min(REACH_PX / scale / PER_M, REACH_MOST_M)
        return (
            _near(at[0], [*self._xs, *(point[0] for point in also)], reach),
            _near(at[1], [*self._ys, *(point[1] for point in also)], reach),
        )


def _near(value: float, lines: Sequence[float], reach: float) -> float:
    nearest = min(lines, key=lambda line: abs(line - value), default=math.inf)
    return nearest if abs(nearest - value) <= reach else round(round(value / GRID_M) * GRID_M, 4)


def end_at(design: Design, plan: FloorPlan, at: Point, scale: float) -> End:
    """The end of a dimension there: at the nearest edge of the rack or fixture under the mouse, else where it is.

    Near a corner, or the middle of an edge, it is there. What is put down last is on top.
    """
    reach = min(REACH_PX / scale / PER_M, REACH_MOST_M)
    width, depth = design.settings.rack_width_m, design.settings.rack_depth_m
    racks = [(one.id, centre(one.rect), (width, depth), 0.0) for one in reversed(plan.racks) if one.on_floor]
    things = [
        (one.id, (one.x_m, one.y_m), (one.width_m, one.depth_m), one.turn_deg)
        for one in reversed(plan.fixtures)
        if not one.points_m and one.kind != TEXT
    ]
    for thing_id, middle, size, turn in (*racks, *things):
        x, y = turned(at, middle, -turn)
        half = size[0] / 2, size[1] / 2
        off = x - middle[0], y - middle[1]
        if abs(off[0]) <= half[0] + reach and abs(off[1]) <= half[1] + reach:
            shares = [_share(value, most, reach) for value, most in zip(off, half, strict=True)]
            if 1.0 not in map(abs, shares):  # inside: the nearest edge
                gaps = [most - abs(value) for value, most in zip(off, half, strict=True)]
                nearest = gaps.index(min(gaps))
                shares[nearest] = math.copysign(1.0, off[nearest])
            tie = Tie(thing_id, *shares)
            point = tied_point(design, tie)
            if point is not None:
                return point, tie
    return at, Tie()


def _share(value: float, most: float, reach: float) -> float:
    """How far along half of a thing that is, from -1 to 1: an end or the middle where one of them is near."""
    near = next((mark for mark in (-1.0, 1.0, 0.0) if abs(value - mark * most) <= min(reach, most / 3)), None)
    return near if near is not None else round(min(max(value / most, -1.0), 1.0), 4)


def centre(rect: tuple[float, float, float, float]) -> Point:
    """The middle of a rectangle of the plan, in meters."""
    return (rect[0] + rect[2]) / 2 / PER_M, (rect[1] + rect[3]) / 2 / PER_M
