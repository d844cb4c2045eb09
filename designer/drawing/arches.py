"""Links past other boxes of their row or column: they leave the row, run beside it on a track of their own, and return.

Links that overlap lie on different tracks, short ones nearest to the boxes. They run on the side with more free room.
"""

import heapq
from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.obstacles import Obstacles

TOP, BOTTOM, LEFT, RIGHT = range(4)

NEIGHBOUR_MARGIN = 8.0
"""Boxes that overlap in height by all but this count as side by side; in width, as above one another."""
MOST_ARCHES = 100_000
"""With more all are drawn straight: they take long. 175 groups of 32 routers, all to all in each, have 81,375."""
CLEAR, MOST_CLEAR, CLEAR_SHARE = 10.0, 90.0, 0.08
"""From the boxes to the first track: more in a large room, where titles of groups stand."""
MOST_PITCH = 14.0
ENDLESS = 1e6
LONG = 2.0
"""A box so many times as long as another has a side that faces it, not a middle."""
ROOM_SHARE, LARGE_ROOM, LARGE_ROOM_SHARE = 0.8, 200.0, 0.45
"""Of a large room only so much is used: the links of the row on its other side may need the rest."""


@dataclass(frozen=True)
class Arches:
    """Bundles that run beside a row or a column; arrays by the place of a bundle in `numbers`."""

    numbers: Ints  # (m,)
    side: Ints  # (m,) side of both boxes where they begin
    run: Ints  # (m,) which row or column
    edge: Floats  # (m,) the outermost edge of its boxes on that side: y of a row, x of a column
    room: Floats  # (m,) free room beyond it

    def lines(self, ends: Floats) -> Floats:
        """Out, along and back, (m, 3, 4), between these ends (m, 4)."""
        upright = self.side >= LEFT
        a, b = np.where(upright, ends[:, 1], ends[:, 0]), np.where(upright, ends[:, 3], ends[:, 2])
        tracks, n_tracks = _tracks(self.run, np.minimum(a, b), np.maximum(a, b))
        usable = np.minimum(ROOM_SHARE * self.room, np.maximum(ROOM_SHARE * LARGE_ROOM, LARGE_ROOM_SHARE * self.room))
        clear = np.clip(CLEAR_SHARE * np.where(self.room < ENDLESS, self.room, 0.0), CLEAR, MOST_CLEAR)
        clear = np.minimum(clear, 0.3 * usable)
        pitch = np.minimum(MOST_PITCH, (usable - clear) / n_tracks[self.run])
        outwards = np.where((self.side == TOP) | (self.side == LEFT), -1.0, 1.0)
        level = self.edge + outwards * (clear + pitch * tracks)
        points = np.repeat(ends.reshape(-1, 2, 2), 2, axis=1)  # (m, 4, 2)
        along = np.where(upright, 0, 1)
        for corner in (1, 2):
            points[np.arange(len(ends)), corner, along] = level
        return np.concatenate((points[:, :-1], points[:, 1:]), axis=2)


def arches(
    bundles: Bundles, centres: Floats, sizes: Floats, of_server: Flags, elsewhere: Ints | None = None
) -> Arches | None:
    """The bundles whose straight line in a row or a column would run through other boxes.

    Those of `elsewhere` have a way of their own. Servers below their switches are reached in other ways, so no bundle
    of a server runs beside a column.
    """
    in_column, in_row = side_by_side(bundles.pairs, centres, sizes)
    in_column = ~in_row & in_column & ~of_server
    inside = in_row | in_column
    if elsewhere is not None:
        inside[elsewhere] = False
    candidates = np.flatnonzero(inside)
    if not len(candidates):
        return None
    xy = _facing(centres, sizes, bundles.pairs[candidates])
    found = candidates[Obstacles(centres, sizes).crossed(xy, bundles.pairs[candidates])]
    if not 0 < len(found) <= MOST_ARCHES:
        return None
    parts = []
    for chosen, axis in ((in_row, 1), (in_column, 0)):
        numbers = found[chosen[found]]
        if len(numbers):
            parts.append(beside(numbers, bundles.pairs[numbers], centres, sizes, axis))
    offsets = np.cumsum([0] + [int(part.run.max()) + 1 for part in parts])
    return Arches(
        np.concatenate([part.numbers for part in parts]),
        np.concatenate([part.side for part in parts]),
        np.concatenate([part.run + offset for part, offset in zip(parts, offsets[:-1], strict=True)]),
        np.concatenate([part.edge for part in parts]),
        np.concatenate([part.room for part in parts]),
    )


def side_by_side(pairs: Ints, centres: Floats, sizes: Floats) -> tuple[Flags, Flags]:
    """Which pairs of boxes stand above one another, and which beside each other."""
    low, high = np.ascontiguousarray(pairs.T)
    in_column, in_row = (  # columns: indexing so short rows takes long
        np.abs(at[low] - at[high]) < (size[low] + size[high]) / 2 - NEIGHBOUR_MARGIN
        for at, size in zip(centres.T, sizes.T, strict=True)
    )
    return in_column, in_row


def _facing(centres: Floats, sizes: Floats, pairs: Ints) -> Floats:
    """Lines from box to box, (n, 4): to the middle of one, or where a box that is much longer comes nearest to it."""
    low, high = pairs.T
    ends = []
    for own, other in ((low, high), (high, low)):
        reach = np.where(sizes[own] > LONG * sizes[other], (sizes[own] - sizes[other]) / 2, 0.0)
        ends.append(np.clip(centres[other], centres[own] - reach, centres[own] + reach))
    xy: Floats = np.hstack(ends)
    return xy


def beside(numbers: Ints, pairs: Ints, centres: Floats, sizes: Floats, axis: int) -> Arches:
    """Bundles along rows (axis 1) or columns (axis 0), each row or column with its freer side."""
    low, high = centres - sizes / 2, centres + sizes / 2
    run = _runs(centres[pairs, axis].mean(axis=1), sizes[pairs, axis].min(axis=1) - NEIGHBOUR_MARGIN)
    side, edge, room = np.empty(len(numbers), np.int64), np.empty(len(numbers)), np.empty(len(numbers))
    before, after = (TOP, BOTTOM) if axis else (LEFT, RIGHT)
    for number in range(int(run.max()) + 1):
        own = run == number
        boxes = pairs[own].ravel()
        top, bottom = low[boxes, axis].min(), high[boxes, axis].max()
        first, last = low[boxes, 1 - axis].min(), high[boxes, 1 - axis].max()
        near = (high[:, 1 - axis] > first) & (low[:, 1 - axis] < last)
        above, below = near & (low[:, axis] < top - 1e-6), near & (high[:, axis] > bottom + 1e-6)
        room_above = top - high[above, axis].max(initial=-np.inf)
        room_below = low[below, axis].min(initial=np.inf) - bottom
        is_above = room_above >= room_below
        side[own], edge[own] = (before, top) if is_above else (after, bottom)
        room[own] = max(0.0, room_above if is_above else room_below)
    return Arches(numbers, side, run, edge, np.minimum(room, ENDLESS))


def _runs(at: Floats, thickness: Floats) -> Ints:
    """Numbers of the rows of bundles at these heights: those that are nearly alike are of one row."""
    order = np.argsort(at, kind="stable")
    begins = np.concatenate(([False], np.diff(at[order]) > thickness[order][1:]))
    run = np.empty(len(at), np.int64)
    run[order] = np.cumsum(begins)
    return run


def _tracks(run: Ints, first: Floats, last: Floats) -> tuple[Ints, Ints]:
    """The track of each, from 1, and how many each run has; those that overlap have different ones.

    Short ones come first: lengths are taken by powers of two.
    """
    length = np.maximum(last - first, 1.0)
    octave = np.floor(np.log2(length / length.min()) + 0.01).astype(np.int64)
    track = np.zeros(len(run), np.int64)
    n_tracks = np.zeros(int(run.max()) + 1, np.int64)
    order = np.lexsort((last, first, octave, run))
    current = (-1, -1)
    free: list[tuple[float, int]] = []
    base = top = 0
    for row in order.tolist():
        key = int(run[row]), int(octave[row])
        if key != current:
            base = top if key[0] == current[0] else 0
            current, free, top = key, [], base
        if free and free[0][0] < first[row]:
            _, own = heapq.heappop(free)
        else:
            top += 1
            own = top
        track[row] = own
        n_tracks[key[0]] = max(n_tracks[key[0]], own)
        heapq.heappush(free, (float(last[row]), own))
    return track, n_tracks
