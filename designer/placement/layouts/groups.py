"""Groups on a circle, each as tiers in rows: those of a dragonfly or dragonfly+, and any others."""

import math

import numpy as np

from designer.placement.layouts.direct_networks import WIDER
from designer.placement.layouts.sketch import Floats, Sketch
from designer.placement.layouts.tiers_in_rows import rows
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH

ROOM = 150.0
"""Between two groups."""


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
    width = max(float(np.ptp(at[:, 0])) for at in blocks) + COLUMN_PITCH + ROOM
    height = max(float(np.ptp(at[:, 1])) for at in blocks) + BOX_HEIGHT + ROOM
    radius = math.hypot(width, height) / (2 * math.sin(math.pi / max(2, len(blocks)))) if len(blocks) > 1 else 0.0
    centres = np.zeros((len(sketch.ids), 2))
    for number, (own, at) in enumerate(zip(members, blocks, strict=True)):
        angle = 2 * math.pi * (number / len(blocks) - 0.25)
        x, y = WIDER * radius * math.cos(angle), radius * math.sin(angle)
        centres[own] = at * (1.0, -1.0 if y < -1e-6 else 1.0) + (x, y)
    return centres
