"""Links to servers of a grid's inner rows: down the gap beside their column, in a lane of their own.

Straight they would run behind the servers of the rows before theirs and read as a chain. From its lane each goes to
the side of its box that it would reach anyway.
"""

from dataclasses import dataclass

import numpy as np

from designer.drawing.arches import Arches
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.geometry import Anchors
from designer.placement.metrics import GAP, ROW_PITCH

COLUMN_TOLERANCE = 6.0
MOST_ROW_PITCH = 1.6 * ROW_PITCH
"""Boxes above one another that stand no further apart are rows of one grid."""
LANE_PITCH = 6.0
LANE_CLEAR = 1.5
MIDDLE_CLEAR = 2.0
MOST_HALF_GAP = 40.0
"""The lanes of a column keep to its half of the gap, clear of its boxes."""
TURN = 9.0
"""How far from its box a link leaves the lane."""
MOST_IN_LANES = 400_000
"""Bundles; past that nobody follows a single one, and all are drawn straight."""


Pieces = tuple[Floats, Ints, Flags]
"""Lines, what each is of, which of them are direct."""


@dataclass(frozen=True)
class Lanes:
    """The ways of bundles down the gaps beside columns; arrays by the place of a bundle in `numbers`."""

    numbers: Ints  # (m,) the bundles, ascending
    swapped: Flags  # whether the pair's higher row is the box further up
    leaving: Flags  # whether the box further up has others of its grid below it
    entering: Flags  # whether the box further down has others of its grid above it
    upper: Floats  # (m, 2) x of the lane beside the column of the box further up, and where it ends
    lower: Floats  # (m, 2) x of the lane beside that of the box further down, and where it begins

    def lines(self, ends: Floats, at: Ints) -> "Pieces":
        """Lines between these ends, from the pair's lower row to its higher, by the lanes of the bundles at `at`.

        The numbers that come with them are places in `ends`.
        """
        swapped, leaving, entering = self.swapped[at], self.leaving[at], self.entering[at]
        (upper_x, upper_y), (lower_x, lower_y) = self.upper[at].T, self.lower[at].T
        ends = np.where(swapped[:, None], ends[:, [2, 3, 0, 1]], ends)
        points = np.repeat(ends.reshape(-1, 2, 2), 3, axis=1)  # three times the upper end, three times the lower
        points[:, 1, 0] = points[:, 2, 0] = np.where(leaving, upper_x, ends[:, 0])
        points[:, 1, 1] = np.where(leaving, ends[:, 1] + TURN, ends[:, 1])
        points[:, 2, 1] = np.where(leaving, upper_y, ends[:, 1])
        points[:, 3, 0] = points[:, 4, 0] = np.where(entering, lower_x, ends[:, 2])
        points[:, 3, 1] = np.where(entering, lower_y, ends[:, 3])
        points[:, 4, 1] = np.where(entering, ends[:, 3] - TURN, ends[:, 3])
        points = np.where(swapped[:, None, None], points[:, ::-1], points)
        xy = np.concatenate((points[:, :-1], points[:, 1:]), axis=2).reshape(-1, 4)
        kept = (xy[:, :2] != xy[:, 2:]).any(axis=1)
        direct = np.tile(np.array([False, False, True, False, False]), len(at))
        return xy[kept], np.repeat(np.arange(len(at)), 5)[kept], direct[kept]


@dataclass(frozen=True)
class _Runs:
    """Boxes with links that stand close above one another, as the rows of a grid do; each other box alone."""

    of: Ints  # (n,) which run a box is in
    top: Floats  # (n,) upper edge of its run; of servers, that of the longest run with the same bottom
    bottom: Floats  # (n,) likewise: beyond the shorter column of a grid, others may still stand beside
    half_gap: Floats  # (n,) half of the room to the next column


def _runs(centres: Floats, sizes: Floats, servers: Flags, linked: Flags) -> _Runs:
    column = np.round(centres[:, 0] / COLUMN_TOLERANCE)
    order = np.lexsort((centres[:, 1], sizes[:, 0], column, linked))
    x, wide, y = column[order], sizes[order, 0], centres[order, 1]
    begins = np.concatenate(([True], (x[1:] != x[:-1]) | (wide[1:] != wide[:-1]) | (np.diff(y) > MOST_ROW_PITCH)))
    begins |= ~linked[order]
    begins[1:] |= np.diff(linked[order])
    number = np.cumsum(begins) - 1
    starts = np.flatnonzero(begins)
    ends = np.concatenate((starts[1:], [len(order)])) - 1
    half = sizes[order, 1] / 2
    of = np.empty(len(order), np.int64)
    of[order] = number
    top, bottom = (y - half)[starts], (y + half)[ends]
    chosen = (servers & linked)[order[starts]]
    longest_top, longest_bottom = top.copy(), bottom.copy()
    longest_bottom[chosen] = _farthest(top[chosen], bottom[chosen])
    longest_top[chosen] = -_farthest(bottom[chosen], -top[chosen])
    half_gap = _half_gaps(centres[order[starts], 0], sizes[order[starts], 0], top)
    return _Runs(of, longest_top[of], longest_bottom[of], half_gap[of])


def _half_gaps(x: Floats, width: Floats, top: Floats) -> Floats:
    """Half of the room from each run to the nearest that begins at the same height."""
    order = np.lexsort((x, top.round(1)))
    left, right, at = (x - width / 2)[order], (x + width / 2)[order], top[order]
    gap = np.where(np.abs(np.diff(at)) < 1.0, left[1:] - right[:-1], np.inf)
    nearest = np.minimum(np.append(np.inf, gap), np.append(gap, np.inf)) / 2
    found = np.empty(len(x))
    found[order] = np.clip(nearest, GAP / 2, MOST_HALF_GAP)
    return found


def _farthest(alike: Floats, values: Floats) -> Floats:
    """The greatest value of all that have the same of the first."""
    _, number = np.unique(alike.round(1), return_inverse=True)
    greatest = np.full(int(number.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(greatest, number, values)
    found: Floats = greatest[number]
    return found


def lanes_of(
    bundles: Bundles, anchors: Anchors, centres: Floats, sizes: Floats, servers: Flags, arches: Arches | None
) -> Lanes | None:
    """The bundles with servers in their way, of those that take no arch; `servers` marks those boxes.

    None where there is none, and where there are too many to follow one.
    """
    if not 0 < len(bundles.pairs) <= MOST_IN_LANES:
        return None
    straight = np.ones(len(bundles.pairs), np.bool_)
    if arches is not None:
        straight[arches.numbers] = False
    linked = np.zeros(len(centres), np.bool_)
    linked[bundles.pairs] = True
    runs = _runs(centres, sizes, servers, linked)
    of_server = servers[bundles.pairs].any(axis=1) & straight
    swapped = centres[bundles.pairs[:, 0], 1] > centres[bundles.pairs[:, 1], 1]
    upper = np.where(swapped, bundles.pairs[:, 1], bundles.pairs[:, 0])
    lower = np.where(swapped, bundles.pairs[:, 0], bundles.pairs[:, 1])
    edge = sizes[:, 1] / 2
    apart = of_server & (runs.bottom[upper] + TURN < runs.top[lower])
    leaving = apart & (runs.bottom[upper] > centres[upper, 1] + edge[upper] + TURN)
    entering = apart & (runs.top[lower] < centres[lower, 1] - edge[lower] - TURN)
    numbers = np.flatnonzero(leaving | entering)
    if not len(numbers):
        return None
    upper, lower, leaving, entering = upper[numbers], lower[numbers], leaving[numbers], entering[numbers]
    swapped, ends = swapped[numbers], anchors.bundles[numbers]
    upper_at, lower_at = np.where(swapped, ends[:, 2], ends[:, 0]), np.where(swapped, ends[:, 0], ends[:, 2])
    upper_x = _beside(upper, lower, leaving, upper_at, centres[upper, 1] - runs.bottom[upper], centres, sizes, runs)
    lower_x = _beside(lower, upper, entering, lower_at, runs.top[lower] - centres[lower, 1], centres, sizes, runs)
    return Lanes(
        numbers,
        swapped,
        leaving,
        entering,
        np.stack((upper_x, runs.bottom[upper]), axis=1),
        np.stack((lower_x, runs.top[lower]), axis=1),
    )


def _beside(
    box: Ints, partner: Ints, used: Flags, x: Floats, depth: Floats, centres: Floats, sizes: Floats, runs: _Runs
) -> Floats:
    """The x of each link's lane beside its box's column, on the side of its partner.

    The nearer the row to where lanes begin, the nearer its lane to the boxes, so that none is crossed on the way in.
    """
    side = np.where(centres[partner, 0] >= centres[box, 0], 1.0, -1.0)
    lanes = np.zeros(len(box))
    chosen = np.flatnonzero(used)
    key = runs.of[box[chosen]] * 2 + (side[chosen] > 0)
    order = chosen[np.lexsort((-side[chosen] * x[chosen], -depth[chosen], key))]
    if not len(order):
        return lanes
    run = runs.of[box[order]] * 2 + (side[order] > 0)
    begins = np.concatenate(([True], run[1:] != run[:-1]))
    number = np.cumsum(begins) - 1
    starts = np.flatnonzero(begins)
    place = np.arange(len(order)) - starts[number] + 1
    count = np.bincount(number)[number]
    width = runs.half_gap[box[order]] - MIDDLE_CLEAR - LANE_CLEAR
    pitch = np.minimum(LANE_PITCH, width / count)
    lanes[order] = centres[box[order], 0] + side[order] * (sizes[box[order], 0] / 2 + LANE_CLEAR + place * pitch)
    return lanes
