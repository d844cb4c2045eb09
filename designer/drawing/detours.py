"""Links whose straight line meets boxes: they bend next to those, or run by a free column.

The latter leave their box, run along its row, down the column, along the other row, and in.

Links by which switches are managed lead from every tier to a few switches at the edge, so theirs go down the first free
column right of both, such as the one between two pods, or the margin of the whole picture. All others take the nearest
free column: beside one of their boxes, else the margin too. A device that was moved out of the row of its tier changes
nothing of how links run: its own stay straight, and so do those that meet no box but its.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.drawing.apart import Apart
from designer.drawing.arches import Arches
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.geometry import Anchors
from designer.drawing.link_lanes import Lanes
from designer.drawing.obstacles import Obstacles, merged_intervals
from designer.drawing.right_angles import RightAngles
from designer.late import Late

bends = Late("designer.drawing.bends")

CLEAR = 10.0
"""From the upper edge of a row of boxes to the line along it."""
CLEAR_SHARE = 0.15
"""Of the height of a box, where that is more: from afar, the line would lie on the edge of a collapsed unit."""
BESIDE = 6.0
"""From a box to the line down beside its column."""
ALONGSIDE = 4.0
"""Nearer to a box a line at right angles seems to end at it, or to run on behind it."""
APART, LEVELS = 3.0, 4
"""Links to different boxes keep so far apart, in so many places."""
MARGIN = 70.0
"""From the outermost box to the line down the margin: room for the frames of groups."""
STUB_SHARE = 0.42
"""Where a managed switch's line leaves its upper edge, as a share of its width from its middle."""
PIECES = 5
MOST_DETOURS = 60_000
"""Bundles in the picture; with more, nobody follows a single one, and none is looked at."""

Sides = tuple[float, float]
ABOVE, BELOW = -1.0, 1.0


@dataclass(frozen=True)
class Around:
    """What is known of the boxes that links run round."""

    managed: Mapping[int, int]
    """The row of the managed switch by link row."""
    off: Flags  # (n,) boxes out of the rows of their tiers, as moved by hand
    clear: float = 0.0
    """How far links keep from boxes that they do not end at, where there is room."""


@dataclass(frozen=True)
class Detours:
    """The lines of bundles round the boxes; from the pair's lower row to its higher."""

    xy: Floats  # (k, 4)
    bundles: Ints  # (k,) which bundle a line is of, ascending
    direct: Flags  # (k,) the line of it that shows its two directions


def detours(
    around: Around,
    bundles: Bundles,
    anchors: Anchors,
    centres: Floats,
    sizes: Floats,
    arches: Arches | None,
    lanes: Lanes | RightAngles | None,
    others: Sequence[Apart] = (),
) -> Detours | None:
    """The lines of those that would run through boxes; None where none would.

    A bundle that meets boxes on every way round stays as it is: straight, in its arch or in its lane. The `others` have
    their lines.
    """
    if not 0 < len(bundles.pairs) <= MOST_DETOURS:
        return None
    obstacles = Obstacles(centres, sizes)
    numbers = _crossing(bundles, anchors, _of_rows(around.off, centres, sizes + 2 * around.clear), arches, lanes)
    for other in others:
        numbers = np.setdiff1d(numbers, other.numbers)
    managed = _managed_rows(around.managed, bundles, numbers)
    bends = (managed >= 0) | ~around.off[bundles.pairs[numbers]].any(axis=1)
    numbers, managed = numbers[bends], managed[bends]
    if not len(numbers):
        return None
    routes = _Routes(bundles, anchors, centres, sizes, numbers, managed)
    straight = (managed < 0) & ~_elsewhere(numbers, arches, lanes)
    found, clear = _near(obstacles, anchors.bundles[numbers], bundles.pairs[numbers], straight)
    everyone = np.ones(len(numbers), np.bool_)
    if around.clear > 0.0:
        _take(routes, obstacles, Obstacles(centres, sizes + 2 * around.clear), everyone, found, clear)
        everyone = np.isin(numbers, _crossing(bundles, anchors, _of_rows(around.off, centres, sizes), arches, lanes))
    _take(routes, obstacles, obstacles, everyone, found, clear)
    if not clear.any():
        return None
    lines = found[clear].reshape(-1, 4)
    kept = (lines[:, :2] != lines[:, 2:]).any(axis=1)
    longest = np.abs(found[clear][:, :, 2:] - found[clear][:, :, :2]).sum(axis=2).argmax(axis=1)
    direct = (np.arange(PIECES) == longest[:, None]).reshape(-1)
    return Detours(lines[kept], np.repeat(numbers[clear], PIECES)[kept], direct[kept])


def _take(routes: "_Routes", boxes: Obstacles, around: Obstacles, chosen: Flags, found: Floats, clear: Flags) -> None:
    """Finds the best way for each chosen bundle that is not clear yet: past foreign boxes and what is `around` them."""
    for possible, channel, steps in routes.ways():
        left = np.flatnonzero(possible & chosen & ~clear)
        if not len(left):
            continue
        xy = routes.lines(left, channel, steps)
        free = ~around.crossed(xy, np.repeat(routes.pairs[left], PIECES, axis=0)).reshape(-1, PIECES).any(axis=1)
        free &= ~boxes.crossed(*_inner(xy, len(left))).reshape(-1, PIECES - 2).any(axis=1)
        found[left[free]], clear[left[free]] = xy.reshape(-1, PIECES, 4)[free], True


def _near(obstacles: Obstacles, ends: Floats, pairs: Ints, straight: Flags) -> tuple[Floats, Flags]:
    """The lines of the straight ones that need but a small bend, or none, (n, PIECES, 4), and which are so.

    Where only some links of a bundle would meet a box, as these fan out, all keep to the line of the bundle.
    """
    found, clear = np.empty((len(ends), PIECES, 4)), np.zeros(len(ends), np.bool_)
    rows = np.flatnonzero(straight)
    rows = rows[~obstacles.crossed(ends[rows], pairs[rows])]
    found[rows, 0], clear[rows] = ends[rows], True
    found[rows, 1:] = np.tile(ends[rows, 2:], 2)[:, None]
    rows = np.flatnonzero(straight & ~clear)
    for chosen, ways in bends.small_bends(obstacles, ends[rows], pairs[rows]):
        left = np.flatnonzero(chosen & ~clear[rows])
        crossed = obstacles.crossed(ways[left].reshape(-1, 4), np.repeat(pairs[rows[left]], 3, axis=0))
        free = left[~crossed.reshape(-1, 3).any(axis=1)]
        found[rows[free], :3], clear[rows[free]] = ways[free], True
        found[rows[free], 3:] = np.tile(ways[free, 2, 2:], 2)[:, None]
    return found, clear


def _elsewhere(numbers: Ints, arches: Arches | None, lanes: Lanes | RightAngles | None) -> Flags:
    """Which bundles have a way of their own, in an arch or a lane."""
    found = np.zeros(len(numbers), np.bool_)
    for one in (arches, lanes):
        if one is not None:
            found |= np.isin(numbers, one.numbers)
    return found


def _of_rows(off: Flags, centres: Floats, sizes: Floats) -> Obstacles:
    """The boxes that links run round, all but those that stand off."""
    kept = np.flatnonzero(~off)
    return Obstacles(centres[kept], sizes[kept], kept)


def _inner(xy: Floats, count: int) -> tuple[Floats, Ints]:
    """The pieces between the first and the last, which may not even touch the boxes that they begin and end at."""
    inner = xy.reshape(count, PIECES, 4)[:, 1:-1].reshape(-1, 4)
    return inner, np.full((len(inner), 2), -1)


def _crossing(
    bundles: Bundles, anchors: Anchors, obstacles: Obstacles, arches: Arches | None, lanes: Lanes | RightAngles | None
) -> Ints:
    """Bundles that have a line through a box, drawn without detours."""
    straight, found = np.ones(len(bundles.pairs), np.bool_), np.zeros(len(bundles.pairs), np.bool_)
    parts = []
    if arches is not None:
        straight[arches.numbers] = False
        parts.append((arches.lines(anchors.bundles[arches.numbers]).reshape(-1, 4), np.repeat(arches.numbers, 3)))
    if lanes is not None:
        straight[lanes.numbers] = False
        xy, at, _ = lanes.lines(anchors.bundles[lanes.numbers], np.arange(len(lanes.numbers)))
        parts.append((xy, lanes.numbers[at]))
    if isinstance(lanes, RightAngles):  # each link to its own port
        own = np.flatnonzero((~straight & (bundles.counts > 1))[bundles.of_link])
        own = own[np.isin(bundles.of_link[own], lanes.numbers)]
        xy, at, _ = lanes.lines(anchors.links[own], np.searchsorted(lanes.numbers, bundles.of_link[own]))
        parts.append((xy, bundles.of_link[own][at]))
    numbers = np.flatnonzero(straight)
    several = np.flatnonzero((straight & (bundles.counts > 1))[bundles.of_link])  # fan out from the line of all
    parts += [(anchors.bundles[numbers], numbers), (anchors.links[several], bundles.of_link[several])]
    for xy, of in parts:
        found[of[obstacles.crossed(xy, bundles.pairs[of])]] = True
    return np.flatnonzero(found)


def _managed_rows(managed: Mapping[int, int], bundles: Bundles, numbers: Ints) -> Ints:
    """The managed switch of each bundle, -1 where it manages none."""
    of = np.full(len(bundles.pairs), -1, np.int64)
    if managed:
        links = np.array(sorted(managed), np.int64)
        of[bundles.of_link[links]] = [managed[row] for row in links.tolist()]
    rows: Ints = of[numbers]
    return rows


def free_columns(lefts: Floats, rights: Floats) -> tuple[Floats, Floats]:
    """Where there is no box from top to bottom of the picture: the x of the middle of each gap, less half the lines.

    And the same for lines that keep near to what is left of the gap, however wide it is.
    """
    lefts, reach = merged_intervals(lefts, rights)
    gaps = np.stack((reach[:-1], lefts[1:]), axis=1)
    wide = gaps[gaps[:, 1] - gaps[:, 0] > APART * LEVELS]
    last = rights.max() + MARGIN
    middle = wide.mean(axis=1) - APART * (LEVELS - 1) / 2
    return np.append(middle, last), np.append(np.minimum(middle, wide[:, 0] + MARGIN), last)


class _Routes:
    """Ways round for some bundles: by a free column, and by the sides of their boxes where they leave and come in."""

    def __init__(
        self, bundles: Bundles, anchors: Anchors, centres: Floats, sizes: Floats, numbers: Ints, managed: Ints
    ) -> None:
        pairs, ends = bundles.pairs[numbers], anchors.bundles[numbers]
        self.pairs = pairs
        # The end that lines are gathered at keeps them apart: the switch that manages, else the one of more links.
        gathering = np.where(managed == pairs[:, 1], pairs[:, 0], pairs[:, 1])
        _, rank = np.unique(gathering, return_inverse=True)
        self._apart: Floats = np.asarray(APART * (rank.reshape(-1) % LEVELS), np.float64)
        self._low, self._high = (centres - sizes / 2)[pairs], (centres + sizes / 2)[pairs]
        upright = np.abs(ends[:, 1::2] - centres[pairs, 1]) >= sizes[pairs, 1] / 2 - 1e-6
        self._own = pairs == managed[:, None]
        stub = centres[pairs, 0] + STUB_SHARE * sizes[pairs, 0]
        self._x = np.where(self._own | ~upright, stub, ends[:, ::2])
        down = np.where(centres[pairs[:, 0], 1] <= centres[pairs[:, 1], 1], BELOW, ABOVE)
        self._towards = np.stack((down, -down), axis=1)
        self._right = float((centres[:, 0] + sizes[:, 0] / 2).max()) + MARGIN
        self._left = float((centres[:, 0] - sizes[:, 0] / 2).min()) - MARGIN
        self._free, self._beside = free_columns(centres[:, 0] - sizes[:, 0] / 2, centres[:, 0] + sizes[:, 0] / 2)

    def ways(self) -> Iterator[tuple[Flags, Floats, Floats]]:
        """Which bundles may take it, the x of the column of each, and the steps up or down from both boxes, best first.

        Where no way of their own is free they share those next to their boxes.
        """
        margin = np.full(len(self._apart), self._right) + self._apart
        # Beside what they belong to, so that lines of one pod do not run round another.
        first = np.searchsorted(self._beside, self._high[:, :, 0].max(axis=1))
        nearest = self._beside[np.minimum(first, len(self._beside) - 1)] + self._apart
        step = CLEAR + self._apart[:, None]
        for column in (nearest, margin):
            for side in (ABOVE, BELOW):
                yield self._own.any(axis=1), column, np.where(self._own, side, ABOVE) * step
        all_of_them = np.ones(len(self._apart), np.bool_)
        shared: Floats = np.zeros(len(self._apart))
        for apart in (self._apart, shared):
            for column in self._columns(apart):
                for turned in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
                    yield all_of_them, column, self._towards * turned * (CLEAR + apart[:, None])

    def _columns(self, apart: Floats) -> list[Floats]:
        return [
            *(self._high[:, end, 0] + BESIDE + apart for end in (0, 1)),
            *(self._low[:, end, 0] - BESIDE - apart for end in (0, 1)),
            *(self._free[np.abs(self._free - self._x[:, end, None]).argmin(axis=1)] + apart for end in (0, 1)),
            np.full(len(apart), self._right) + apart,
            np.full(len(apart), self._left) - apart,
        ]

    def lines(self, at: Ints, channel: Floats, steps: Floats) -> Floats:
        """Out, along, down, along and in, of the bundles at these places, (5 m, 4)."""
        high = (self._high - self._low)[at, :, 1]
        step = steps[at] + np.sign(steps[at]) * np.maximum(0.0, CLEAR_SHARE * high - CLEAR)
        edge = np.where(step < 0.0, self._low[at, :, 1], self._high[at, :, 1])
        level = edge + step
        turn = np.where(level[:, 0] == level[:, 1], self._x[at, 1], channel[at])  # one row needs no column
        points = np.empty((len(at), PIECES + 1, 2))
        points[:, :2, 0], points[:, 2:4, 0], points[:, 4:, 0] = self._x[at, :1], turn[:, None], self._x[at, 1:]
        points[:, 0, 1], points[:, 5, 1] = edge.T
        points[:, 1:3, 1], points[:, 3:5, 1] = level[:, :1], level[:, 1:]
        lines: Floats = np.concatenate((points[:, :-1], points[:, 1:]), axis=2).reshape(-1, 4)
        return lines
