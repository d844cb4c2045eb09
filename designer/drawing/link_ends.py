"""What links run between, in words."""

from collections.abc import Iterable

import numpy as np

from designer.analysis.cable_places import ends_in_order
from designer.drawing.bundles import Ints
from designer.drawing.projection import Projection
from designer.model.shown_text import visible_line

MOST_LOOKED_AT = 512
"""Of more links the boxes alone are named."""


def ends_text(projection: Projection, rows: Ints) -> str:
    """ "leaf-07 – spine-02"; a side that differs is named by its box; "" where one differs that is in no one box."""
    if not len(rows):
        return ""
    boxes = np.sort(projection.ends[rows], axis=1)
    names = _devices(projection, rows) if len(rows) <= MOST_LOOKED_AT else ("", "")
    said = [
        name or (projection.title_at(int(side[0])) if (side == side[0]).all() else "")
        for name, side in zip(names, boxes.T, strict=True)
    ]
    if not all(said):
        return ""
    first, second = sorted(zip(said, names, strict=True), key=lambda one: not one[1])  # a device before a box
    return visible_line(" – ".join(ends_in_order(first[0], second[0])))


def _devices(projection: Projection, rows: Ints) -> tuple[str, str]:
    """The name of the device that all links have on a side, that of the lower box and the other; else ""."""
    design, sides = projection.design, (set[str](), set[str]())
    for row in rows.tolist():
        link = design.links[projection.link_ids[row]]
        ends = (link.a.device_id, link.b.device_id)
        low, high = projection.ends[row].tolist()
        for side, device_id in zip(sides, ends if low <= high else ends[::-1], strict=True):
            side.add(device_id)
    return _only(design.devices[one].name for one in sides[0]), _only(design.devices[one].name for one in sides[1])


def _only(names: Iterable[str]) -> str:
    found = list(names)
    return found[0] if len(found) == 1 else ""
