"""Links by which switches are managed, where boxes stand in their way: along the row, down the right margin, and in.

They lead from every tier to a few switches at the edge, so that most would run behind the boxes between.
"""

from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.geometry import Anchors
from designer.drawing.obstacles import Obstacles

CLEAR = 10.0
"""From the upper edge of a row of boxes to the line along it."""
MARGIN = 70.0
"""From the outermost box to the line down the margin: room for the frames of groups."""
STUB_SHARE = 0.42
"""Where a managed switch's line leaves its upper edge, as a share of its width from its middle."""
PIECES = 5


@dataclass(frozen=True)
class ManagementPaths:
    """The ways of bundles round the boxes; from the pair's lower row to its higher."""

    xy: Floats  # (k, 4)
    bundles: Ints  # (k,) which bundle a line is of, ascending
    direct: Flags  # (k,) the line of it that shows its two directions


def management_paths(
    managed: dict[int, int], bundles: Bundles, anchors: Anchors, centres: Floats, sizes: Floats
) -> ManagementPaths | None:
    """The ways of those that would run through boxes; `managed` has the row of the managed switch by link row.

    One that meets boxes on this way too stays straight. None where there is none.
    """
    if not managed:
        return None
    links = np.array(sorted(managed), np.int64)
    numbers, first = np.unique(bundles.of_link[links], return_index=True)
    switch = np.array([managed[row] for row in links[first].tolist()], np.int64)
    pairs = bundles.pairs[numbers]
    obstacles = Obstacles(centres, sizes)
    behind = obstacles.crossed(anchors.bundles[numbers], pairs)
    numbers, switch, pairs = numbers[behind], switch[behind], pairs[behind]
    found = np.empty((len(numbers), PIECES, 4))
    clear = np.zeros(len(numbers), np.bool_)
    for above in (True, False):
        xy = _round(switch, pairs, anchors.bundles[numbers], centres, sizes, above)
        free = ~obstacles.crossed(xy, np.repeat(pairs, PIECES, axis=0)).reshape(-1, PIECES).any(axis=1) & ~clear
        found[free] = xy.reshape(-1, PIECES, 4)[free]
        clear |= free
    if not clear.any():
        return None
    lines = found[clear].reshape(-1, 4)
    kept = (lines[:, :2] != lines[:, 2:]).any(axis=1)
    longest = np.abs(found[clear][:, :, 2:] - found[clear][:, :, :2]).sum(axis=2).argmax(axis=1)
    direct = (np.arange(PIECES) == longest[:, None]).reshape(-1)
    return ManagementPaths(lines[kept], np.repeat(numbers[clear], PIECES)[kept], direct[kept])


def _round(switch: Ints, pairs: Ints, ends: Floats, centres: Floats, sizes: Floats, above: bool) -> Floats:
    """(5 m, 4): out of the managed switch, along its row, down the margin, along the other row, down to its box.

    Along its row they run above it, or below.
    """
    other = pairs.sum(axis=1) - switch
    top = centres[:, 1] - sizes[:, 1] / 2
    margin = float((centres[:, 0] + sizes[:, 0] / 2).max()) + MARGIN
    is_low = switch == pairs[:, 0]
    other_x = np.where(is_low, ends[:, 2], ends[:, 0])
    x = centres[switch, 0] + STUB_SHARE * sizes[switch, 0]
    edge, outwards = (top, -CLEAR) if above else (centres[:, 1] + sizes[:, 1] / 2, CLEAR)
    turn = np.where(edge[switch] + outwards == top[other] - CLEAR, other_x, margin)  # one row needs no margin
    points = np.empty((len(switch), PIECES + 1, 2))
    points[:, :2, 0], points[:, 2:4, 0], points[:, 4:, 0] = x[:, None], turn[:, None], other_x[:, None]
    points[:, 0, 1], points[:, 5, 1] = edge[switch], top[other]
    points[:, 1:3, 1], points[:, 3:5, 1] = (edge[switch] + outwards)[:, None], (top[other] - CLEAR)[:, None]
    points = np.where(is_low[:, None, None], points, points[:, ::-1])
    lines: Floats = np.concatenate((points[:, :-1], points[:, 1:]), axis=2).reshape(-1, 4)
    return lines
