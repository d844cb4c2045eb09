"""Where boxes of a unit stand on its page, where the drawing's own places would fill many pages."""

import math
from collections.abc import Iterable
from dataclasses import replace

from designer.drawing.geometry import Rect
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Placement
from designer.model.networks import network_of_switch
from designer.placement.layouts.direct_networks import cells_of
from designer.placement.layouts.sketch import is_direct, levels_of, sketch_of
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, ROW_PITCH, SERVER_WIDTH

SHAPE = 0.8
"""Columns for a row of boxes that are gathered: so is a page filled, boxes being wider than high."""
MOST_IN_A_STACK = 2
"""Servers of a switch above each other; more stand beside them."""
TIER_GAP = 3.4
"""From row to row of a unit's switches, in terms of their usual gap."""
LEAST_SPREAD = 8
"""With fewer servers the places of the canvas serve as well."""
NETWORK_SHARE, SERVERS_SHARE = 0.14, 0.5
"""From row to row of a network's switches, and how wide the rows are at least, in terms of the width of all servers."""
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


def on_both_sides(design: Design) -> Design | None:
    """Two tiers of switches without servers: the fewer in a row, the others in one above and in one below.

    So they are half as wide, and no link leads over a box. None for any other unit.
    """
    sketch = sketch_of(design, list(design.devices))
    ranks = sorted(set(sketch.ranks.tolist()))
    if len(ranks) != 2 or sketch.servers.any():
        return None
    pairs = sketch.ranks[sketch.pairs]
    if len(pairs) == 0 or (pairs[:, 0] == pairs[:, 1]).any():
        return None
    tiers = [[one for one, rank in zip(sketch.ids, sketch.ranks.tolist(), strict=True) if rank == own] for own in ranks]
    few, many = sorted(tiers, key=len)
    half = (len(many) + 1) // 2
    width = max(half, len(few)) * COLUMN_PITCH
    places: dict[str, tuple[float, float]] = {}
    for line, row in ((-1, many[:half]), (0, few), (1, many[half:])):
        for number, one in enumerate(row):
            places[one] = (number + 0.5) * width / len(row), line * ROW_PITCH * TIER_GAP
    return _moved(design, places.items())


def under_servers(design: Design, network: str) -> Design:
    """A copy in which the switches of a network stand below all servers, row by row as wide as these.

    Where they stand on the canvas is beside other networks, which a page of this one does not show.
    """
    found = design.snapshot()
    placed = found.placements
    servers = [placed[one.id] for one in found.servers() if one.id in placed]
    switches = [one for one in found.switches() if one.id in placed and network_of_switch(one) == network]
    rows: dict[int, list[Placement]] = {}
    for one in switches:
        rows.setdefault(round(placed[one.id].y / BOX_HEIGHT), []).append(placed[one.id])
    if len(servers) < LEAST_SPREAD or not rows:
        return found
    left, right = min(one.x for one in servers), max(one.x for one in servers)
    bottom, step = max(one.y for one in servers), max(ROW_PITCH, (right - left) * NETWORK_SHARE)
    width = min(right - left, SERVERS_SHARE * (right - left) + COLUMN_PITCH * max(map(len, rows.values())))
    places: dict[str, tuple[float, float]] = {}
    for line, (_, row) in enumerate(sorted(rows.items()), start=1):
        for number, place in enumerate(sorted(row, key=lambda one: one.x)):
            x = (left + right) / 2 + ((number + 0.5) / len(row) - 0.5) * width
            places[place.id] = x, bottom + line * step
    return _moved(found, places.items())


def _moved(design: Design, places: Iterable[tuple[str, tuple[float, float]]]) -> Design:
    stood = design.placements
    changes = (Change(stood[one], replace(stood[one], x=x, y=y)) for one, (x, y) in places)
    design.apply(Edit("Gather", tuple(changes)))
    return design
