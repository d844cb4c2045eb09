"""Links drawn at right angles: out of a box, along a level between both, and in.

Links that leave one side of a box share its level; boxes of one row have levels of their own, spread over the room
between that row and what its links lead to.
"""

from dataclasses import dataclass

import numpy as np

from designer.drawing.arches import MOST_PITCH, Arches
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.geometry import Anchors
from designer.drawing.link_lanes import Pieces

CORNERS = 4
USED_SHARE = 0.8
"""Of the room between two rows levels use so much."""


@dataclass(frozen=True)
class RightAngles:
    """Bundles with a level each; arrays by the place of a bundle in `numbers`."""

    numbers: Ints  # (m,) the bundles, ascending
    upright: Flags  # (m,) whether they leave their boxes up or down, so that the level is a height; else an x
    level: Floats  # (m,)

    def lines(self, ends: Floats, at: Ints) -> Pieces:
        """Lines between these ends, from the pair's lower row to its higher, of the bundles at `at`.

        The numbers that come with them are places in `ends`.
        """
        points = np.repeat(ends.reshape(-1, 2, 2), 2, axis=1)  # twice the one end, twice the other
        axis = np.where(self.upright[at], 1, 0)
        for corner in (1, 2):
            points[np.arange(len(at)), corner, axis] = self.level[at]
        xy = np.concatenate((points[:, :-1], points[:, 1:]), axis=2)
        length = np.abs(xy[:, :, 2:] - xy[:, :, :2]).sum(axis=2)
        direct = (np.arange(CORNERS - 1) == length.argmax(axis=1)[:, None]).reshape(-1)
        kept = length.reshape(-1) > 0.0
        return xy.reshape(-1, 4)[kept], np.repeat(np.arange(len(at)), CORNERS - 1)[kept], direct[kept]


def right_angles_of(
    bundles: Bundles, anchors: Anchors, centres: Floats, sizes: Floats, arches: Arches | None
) -> RightAngles | None:
    """The levels of all bundles that take no arch; None where there is none."""
    chosen = np.ones(len(bundles.pairs), np.bool_)
    if arches is not None:
        chosen[arches.numbers] = False
    numbers = np.flatnonzero(chosen)
    if not len(numbers):
        return None
    pairs, ends = bundles.pairs[numbers], anchors.bundles[numbers]
    upright = np.abs(ends[:, 1] - centres[pairs[:, 0], 1]) >= sizes[pairs[:, 0], 1] / 2 - 1e-6
    level = np.empty(len(numbers))
    for flag, axis in ((True, 1), (False, 0)):
        rows = np.flatnonzero(upright == flag)
        if len(rows):
            level[rows] = _levels(pairs[rows], ends[rows][:, axis::2], centres[:, 1 - axis])
    return RightAngles(numbers, upright, level)


def _levels(pairs: Ints, ends: Floats, across: Floats) -> Floats:
    """The level of each bundle between its ends, (m, 2) along the axis that it leaves its boxes by.

    It belongs to the side of the box that gathers more links: that of a switch, not of its servers.
    """
    forward = ends[:, 1] >= ends[:, 0]
    sides = np.stack((pairs[:, 0] * 2 + forward, pairs[:, 1] * 2 + ~forward), axis=1)
    _, side = np.unique(sides, return_inverse=True)
    side = side.reshape(sides.shape)
    gathered = np.bincount(side.reshape(-1))[side]
    own = np.where(gathered[:, 1] > gathered[:, 0], 1, 0)
    rows = np.arange(len(pairs))
    edge, room = ends[rows, own], ends[rows, 1 - own] - ends[rows, own]  # the room signed: the way it leads
    box, place = pairs[rows, own], np.stack((ends[rows, own].round(1), np.sign(room)), axis=1)
    _, row_of = np.unique(place, axis=0, return_inverse=True)
    row_of = row_of.reshape(-1)
    least = np.full(int(row_of.max()) + 1, np.inf)
    np.minimum.at(least, row_of, np.abs(room))
    track, n_tracks = _tracks(row_of, box, across)
    pitch = np.minimum(MOST_PITCH, USED_SHARE * least[row_of] / n_tracks)
    offset = least[row_of] / 2 + pitch * (track - (n_tracks - 1) / 2)
    level: Floats = edge + np.sign(room) * offset
    return level


def _tracks(row_of: Ints, box: Ints, across: Floats) -> tuple[Ints, Ints]:
    """The place of the box of each bundle among those of its row, from 0, and how many these are."""
    order = np.lexsort((box, across[box], row_of))
    begins = np.concatenate(([True], np.diff(row_of[order]) != 0))
    other = begins | np.concatenate(([True], np.diff(box[order]) != 0))
    number = np.cumsum(other) - 1
    starts = np.flatnonzero(begins)
    first = number[starts][np.cumsum(begins) - 1]
    track = np.empty(len(box), np.int64)
    track[order] = number - first
    n_tracks = np.zeros(int(row_of.max()) + 1, np.int64)
    np.maximum.at(n_tracks, row_of, track + 1)
    return track, n_tracks[row_of]
