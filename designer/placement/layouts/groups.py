"""Groups on a circle, each as tiers in rows: those of a dragonfly or dragonfly+, and any others."""

import numpy as np

from designer.placement.around import around
from designer.placement.layouts.sketch import Floats, Sketch
from designer.placement.layouts.tiers_in_rows import rows
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH


def groups_on_circle(sketch: Sketch) -> Floats:
    """Centres by row: the groups clockwise from the top, their servers outside."""
    of = sketch.groups.copy()
    mixed = sketch.servers[sketch.pairs].sum(axis=1) == 1
    for a, b in sketch.pairs[mixed & (of[sketch.pairs] < 0).any(axis=1)].tolist():  # servers go with their switches
        if of[a] < 0 or of[b] < 0:
            of[a] = of[b] = max(of[a], of[b])
    members = [np.flatnonzero(of == number) for number in np.unique(of).tolist()]
    blocks = []
    for own in members:
        at = rows(sketch.part(own))
        blocks.append(at - (at.min(axis=0) + at.max(axis=0)) / 2)
    width = max(float(np.ptp(at[:, 0])) for at in blocks) + COLUMN_PITCH
    depth = max(float(np.ptp(at[:, 1])) for at in blocks) + BOX_HEIGHT
    centres = np.zeros((len(sketch.ids), 2))
    for own, at, (x, y, is_upper) in zip(members, blocks, around(len(blocks), width, depth), strict=True):
        facing = -1.0 if is_upper else 1.0  # switches, which are at the top of their block, towards the middle
        top = float(at[:, 1].min(initial=0.0)) - BOX_HEIGHT / 2
        centres[own] = np.stack((at[:, 0] + x, y + facing * (at[:, 1] - top)), axis=1)
    return centres
