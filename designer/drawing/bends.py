"""Small bends of links round the boxes that their straight lines meet: next to those boxes, and on the way.

Links that pass one box on one side keep their order there: the one that would run deepest in it passes next to it.
"""

from collections.abc import Iterator

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.obstacles import Obstacles

CLEAR = 8.0
"""From the box to the line that passes next to it."""
APART, MOST_APART = 4.0, 10
"""From one line that passes a box to the next, and how many have places of their own."""
MOST_LONGER = 1.1
"""A line that became longer by more would lead elsewhere: it takes another way."""


def small_bends(obstacles: Obstacles, straight: Floats, own: Ints) -> Iterator[tuple[Flags, Floats]]:
    """Which of the lines (n, 4) may take them, and their three lines each (n, 3, 4), best ways first.

    `own` are the two boxes that a line joins, which it does not bend round.
    """
    low, high = obstacles.met(straight, own)
    meets = low[:, 0] < np.inf
    low, high = np.where(meets[:, None], low, 0.0), np.where(meets[:, None], high, 0.0)
    middle, half = (low + high) / 2, (high - low) / 2
    across = np.abs(straight[:, 2] - straight[:, 0]) > np.abs(straight[:, 3] - straight[:, 1])
    past = np.where(across, 1, 0)  # the axis along which it leaves its way
    rows, along = np.arange(len(straight)), 1 - past
    run = straight[rows, 2 + along] - straight[rows, along]
    share = (middle[rows, along] - straight[rows, along]) / np.where(run == 0, 1.0, run)
    offset = straight[rows, past] + share * (straight[rows, 2 + past] - straight[rows, past]) - middle[rows, past]
    nearer = np.where(offset < 0, -1.0, 1.0)
    lengths = _lengths(straight)
    for side in (nearer, -nearer):
        reach = half[rows, past] + CLEAR + APART * _places(np.hstack((low, high)), past, side, offset)
        for corners in (0.0, 1.0):
            points = np.repeat(middle[:, None, :], 2, axis=1)
            points[rows, :, past] += (side * reach)[:, None]
            step = corners * np.where(run < 0, -1.0, 1.0) * (half[rows, along] + CLEAR)
            points[rows, 0, along] -= step
            points[rows, 1, along] += step
            ways = _through(straight, points)
            yield meets & (_lengths(ways).sum(axis=1) <= MOST_LONGER * lengths), ways


def _places(boxes: Floats, past: Ints, side: Floats, offset: Floats) -> Ints:
    """The place of each line among those that pass the same boxes on the same side, from 0 for the deepest."""
    _, group = np.unique(np.column_stack((boxes, past, side)), axis=0, return_inverse=True)
    group = group.reshape(-1)
    order = np.lexsort((side * offset, group))
    ranks = np.arange(len(order)) - np.searchsorted(group[order], group[order])
    places = np.empty(len(order), np.int64)
    places[order] = np.minimum(ranks, MOST_APART - 1)
    return places


def _through(straight: Floats, points: Floats) -> Floats:
    """Three lines each, (n, 3, 4): from where the straight one begins, by two points (n, 2, 2), to where it ends."""
    all_points = np.concatenate((straight[:, None, :2], points, straight[:, None, 2:]), axis=1)
    lines: Floats = np.concatenate((all_points[:, :-1], all_points[:, 1:]), axis=2)
    return lines


def _lengths(lines: Floats) -> Floats:
    found: Floats = np.hypot(lines[..., 2] - lines[..., 0], lines[..., 3] - lines[..., 1])
    return found
