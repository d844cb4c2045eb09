"""Where racks cannot stand: the walls, columns and cooling units of the room."""

from collections.abc import Iterable

import numpy as np

from designer.model.design import Design
from designer.model.fixture import SOLID, Fixture
from designer.model.fixture_shape import rect_m, shares_floor
from designer.model.furnishing import TOUCH_M
from designer.model.records import ordered
from designer.placement.floor import Point, place_of


def obstructions(design: Design) -> list[tuple[str, str]]:
    """Racks that stand in a wall, column or cooling unit, each with what it stands in."""
    racks = [(one.id, at) for one in ordered(design.racks) if (at := place_of(one)) is not None]
    found = []
    for index, fixtures in enumerate(in_the_way(design, [at for _, at in racks])):
        found += [(racks[index][0], one.id) for one in fixtures]
    return found


def in_the_way(design: Design, places: Iterable[Point]) -> list[list[Fixture]]:
    """For each place of a rack, the walls, columns and cooling units that it would share floor with."""
    wanted = list(places)
    solid = [one for one in ordered(design.fixtures) if one.kind in SOLID]
    if not solid or not wanted:
        return [[] for _ in wanted]
    left, top, right, bottom = np.array([rect_m(one) for one in solid]).T
    half_x, half_y = design.settings.rack_width_m / 2 - TOUCH_M, design.settings.rack_depth_m / 2 - TOUCH_M
    found = []
    for x, y in wanted:
        across = (left < x + half_x) & (right > x - half_x)
        near = np.flatnonzero(across & (top < y + half_y) & (bottom > y - half_y))
        rect = x - half_x, y - half_y, x + half_x, y + half_y
        found.append([solid[index] for index in near.tolist() if shares_floor(solid[index], rect)])
    return found
