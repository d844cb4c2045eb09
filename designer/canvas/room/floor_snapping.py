"""What is drawn on the floor comes into line with rows, aisles, fixtures and trays, else with the grid."""

import math
from collections.abc import Collection, Iterable, Sequence

from designer.drawing.room.floor_plan import PER_M, FloorPlan
from designer.model.fixture_shape import Point, rect_m

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
