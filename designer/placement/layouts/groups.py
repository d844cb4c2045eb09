"""Groups on a circle, each as tiers in rows: those of a dragonfly or dragonfly+, and any others."""

import math

import numpy as np

from designer.placement.around import around, inward
from designer.placement.direct import row
from designer.placement.layouts.direct_networks import cells_of
from designer.placement.layouts.sketch import Flags, Floats, Ints, Sketch, levels_of
from designer.placement.layouts.tiers_in_rows import rows
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, ROW_PITCH, SWITCH_WIDTH

LEAST_SHARE = 0.5
"""Groups stand on a circle where so many switches of the network are in them; what is in none stands below."""
BELOW = 2 * ROW_PITCH


def groups_of(sketch: Sketch, of_routers: Flags | None = None) -> Ints | None:
    """The group of each row, of servers that of their switches, -1 of the rest; None unless most switches are in some.

    With `of_routers`, rows that are in a group of routers, only those groups count.
    """
    of = sketch.groups.copy()
    if of_routers is not None:
        of[~of_routers] = -1
    switches = ~sketch.servers
    held = of[switches & (of >= 0)]
    if len(set(held.tolist())) < 2 or len(held) < LEAST_SHARE * np.count_nonzero(switches & (sketch.networks == 0)):
        return None
    of[sketch.servers & ~np.isin(of, held)] = -1
    a, b = sketch.pairs[sketch.servers[sketch.pairs].sum(axis=1) == 1].T
    server, switch = np.where(sketch.servers[a], a, b), np.where(sketch.servers[a], b, a)
    free = (of[server] < 0) & (of[switch] >= 0)
    of[server[free]] = of[switch[free]]
    return of


def groups_on_circle(sketch: Sketch, of: Ints) -> Floats:
    """Centres by row: the groups clockwise from the top, their servers outside, and what is in none below them all."""
    members = [np.flatnonzero(of == number) for number in np.unique(of[of >= 0]).tolist()]
    blocks = []
    for own in members:
        at = _block(sketch.part(own))
        blocks.append(at - (at.min(axis=0) + at.max(axis=0)) / 2)
    widths = [float(np.ptp(at[:, 0])) + COLUMN_PITCH for at in blocks]
    depth = max(float(np.ptp(at[:, 1])) for at in blocks) + BOX_HEIGHT
    centres = np.zeros((len(sketch.ids), 2))
    spots = around(len(blocks), max(widths), depth)
    for own, at, width, (x, y, is_upper) in zip(members, blocks, widths, spots, strict=True):
        facing = -1.0 if is_upper else 1.0  # switches, which are at the top of their block, towards the middle
        top = float(at[:, 1].min(initial=0.0)) - BOX_HEIGHT / 2
        centres[own] = np.stack((at[:, 0] + inward(x, max(widths), width), y + facing * (at[:, 1] - top)), axis=1)
    rest = np.flatnonzero(of < 0)
    if len(rest):
        at, inside = rows(sketch.part(rest)), centres[of >= 0]
        low = float(inside[:, 1].max()) + BOX_HEIGHT + BELOW
        middle = (inside[:, 0].min() + inside[:, 0].max() - at[:, 0].min() - at[:, 0].max()) / 2
        centres[rest] = at + np.array((middle, low - float(at[:, 1].min())))
    return centres


def _block(sketch: Sketch) -> Floats:
    """One group, its switches at the top: routers in a row with their servers below them, or tiers in rows."""
    levels, cells = levels_of(sketch), cells_of(sketch)
    switches = levels[~sketch.servers]
    if sketch.servers[cells.routers].any() or (len(switches) and switches.min() != switches.max()):
        return rows(sketch, levels=levels, server_rows=max(1, math.ceil(cells.most / 2)))
    pitch = max(cells.size[0], SWITCH_WIDTH)
    return cells.centres(np.stack((row(len(cells.routers), pitch), np.zeros(len(cells.routers))), axis=1))
