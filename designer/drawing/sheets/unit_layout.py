"""Where boxes of a unit stand on its page, where the drawing's own places would fill many pages."""

import math
from collections.abc import Iterable
from dataclasses import replace

from designer.drawing.geometry import Rect
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Placement
from designer.placement.layouts.direct_networks import cells_of
from designer.placement.layouts.sketch import is_direct, levels_of, sketch_of
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, ROW_PITCH, SERVER_WIDTH

SHAPE = 0.8
"""Columns for a row of boxes that are gathered: so is a page filled, boxes being wider than high."""
MOST_IN_A_STACK = 2
"""Servers of a switch above each other; more stand beside them."""
LEAST_REACH, REACH_SHARE = 120.0, 0.17
"""Half of the height of the free middle, and that in terms of its width."""


def in_rows(design: Design, bounds: Rect) -> Design:
    """The devices close together, row by row as they stand: what was between them is on other pages."""
    across = max(1, round((len(design.devices) * SHAPE) ** 0.5))
    rows: dict[float, list[Placement]] = {}
    for one in design.placements.values():
        if one.id in design.devices:
            rows.setdefault(round(one.y / BOX_HEIGHT), []).append(one)
    changes, line = [], 0
    for _, row in sorted(rows.items()):
        for number, one in enumerate(sorted(row, key=lambda one: one.x)):
            below, place = divmod(number, across)
            x, y = bounds[0] + place * COLUMN_PITCH, bounds[1] + (line + below) * ROW_PITCH
            changes.append(Change(one, replace(one, x=x, y=y)))
        line += 1 + (len(row) - 1) // across
    design.apply(Edit("Gather", tuple(changes)))
    return design


def around_middle(design: Design) -> Design | None:
    """A unit whose switches are linked to each other, in two curved rows that face a free middle, servers outside.

    None for any other unit.
    """
    sketch = sketch_of(design, list(design.devices))
    if not is_direct(sketch, levels_of(sketch)):
        return None
    cells = cells_of(sketch)
    n_upper = (len(cells.routers) + 1) // 2
    stacks = max(1, math.ceil(cells.most / MOST_IN_A_STACK))
    pitch = max(COLUMN_PITCH, stacks * (SERVER_WIDTH + GAP))
    width = n_upper * pitch
    reach = max(LEAST_REACH, REACH_SHARE * width)
    places: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(cells.routers.tolist()):
        is_upper = number < n_upper
        side, place = (-1.0, number) if is_upper else (1.0, number - n_upper)
        x = (place + 0.5) * pitch - (n_upper if is_upper else len(cells.routers) - n_upper) * pitch / 2
        y = side * (BOX_HEIGHT + reach * math.sqrt(max(0.0, 1 - (2 * x / width) ** 2)))
        places[sketch.ids[row]] = x, y
        for count, server in enumerate(cells.servers.get(row, ())):
            line, stack = divmod(count, stacks)
            aside = (stack - (stacks - 1) / 2) * (SERVER_WIDTH + GAP)
            places[sketch.ids[server]] = x + aside, y + side * (line + 1) * ROW_PITCH
    return _moved(design, places.items())


def _moved(design: Design, places: Iterable[tuple[str, tuple[float, float]]]) -> Design:
    stood = design.placements
    changes = (Change(stood[one], replace(stood[one], x=x, y=y)) for one, (x, y) in places)
    design.apply(Edit("Gather", tuple(changes)))
    return design
