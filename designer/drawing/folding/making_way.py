"""Room in a drawing for what has become larger: the others make way, and groups around a free middle stay around it."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from designer.drawing.bundles import Floats, Ints

EVEN = 1e-3
"""Middles that differ by less are equally high."""
LEAST_AROUND, LEAST_SHARE = 3, 0.75
"""So many groups stand around a middle, and such a share of those at either side of it on a curve around it."""
BULGE = 0.02
"""Of half of the height of all groups, how much rounder than it has to be the curve at a side is."""


class Room:
    """Rectangles (middle, width, height) that make way for each other up and down; some of them grow, to a height.

    Those of `around` that are one for a whole group keep their place beside others by their side towards the middle of
    all groups, others by their own middle.
    """

    def __init__(self, rects: Floats, growing: Sequence[int], height: float, around: Sequence[Ints] = ()) -> None:
        self._rects, self._height = rects, height
        self._grows = np.zeros(len(rects), np.bool_)
        self._grows[growing] = True
        self._left, self._right = rects[:, 0] - rects[:, 2] / 2, rects[:, 0] + rects[:, 2] / 2
        self._tops, self._ends = rects[:, 1] - rects[:, 3] / 2, rects[:, 1] + rects[:, 3] / 2
        self._at = (self._tops + self._ends) / 2
        if around:
            held = np.concatenate(around)
            middle = (self._tops[held].min() + self._ends[held].max()) / 2
            whole = np.array([rows[0] for rows in around if len(rows) == 1], np.int64)
            self._at[whole] = np.clip(middle, self._tops[whole], self._ends[whole])

    def heighten(self, rows: Iterable[int]) -> None:
        """These at least as high as what grows becomes."""
        for row in rows:
            self._widen(self._tops[row], self._ends[row], self._height)

    def part(self, rows: Iterable[int], least: float) -> None:
        """So much room between each two of these of which one is straight above the other."""
        for one, other in combinations(sorted(rows, key=lambda row: float(self._tops[row])), 2):
            if self._left[one] < self._right[other] and self._left[other] < self._right[one]:
                self._widen(self._ends[one], self._tops[other], least)

    def keep_off(self, rows: Ints, least: float) -> None:
        """So much room above and below these, taken together, to what is straight above and below them."""
        facing = (self._left < self._right[rows].max()) & (self._right > self._left[rows].min())
        facing[rows] = False
        for own, theirs, is_above in ((self._tops, self._ends, True), (self._ends, self._tops, False)):
            edge = float(own[rows].min() if is_above else own[rows].max())
            middles = (self._tops + self._ends) / 2
            near = theirs[facing & ((middles < edge) if is_above else (middles > edge))]
            if len(near):
                low, high = (float(near.max()), edge) if is_above else (edge, float(near.min()))
                self._widen(low, high, least)

    def _widen(self, low: float, high: float, least: float) -> None:
        """At least so much room between two edges: what is above it goes up and what is below it down, alike."""
        missing = least - (high - low)
        if missing <= 0.0:
            return
        at = (low + high) / 2
        by, tops, ends = (
            np.where(np.abs(points - at) < EVEN, 0.0, np.sign(points - at)) * missing / 2
            for points in (self._at, self._tops, self._ends)
        )
        self._at += by
        self._tops += np.where(self._grows, tops, by)
        self._ends += np.where(self._grows, ends, by)

    def placed(self) -> Floats:
        """The rectangles as they are now; what grew more than it should, as others beside it did, in the middle."""
        found = self._rects.copy()
        found[:, 1] = (self._tops + self._ends) / 2
        least = np.maximum(found[:, 3], self._height)
        found[:, 3] = np.where(self._grows, np.minimum(self._ends - self._tops, least), found[:, 3])
        return found


def kept_around(before: Floats, after: Floats, groups: Sequence[Ints]) -> Floats:
    """The rectangles (middle, width, height) after some made way up and down, groups at a side farther from the middle.

    So the nearest points of groups that stood around a free middle are on a curve around it again, and no line between
    two of them meets a third. Where they did not, and of what is in no group, nothing moves. `groups` are rows.
    """
    found = after.copy()
    if len(groups) < LEAST_AROUND:
        return found
    stood, stand = (_nearest_points(rects, groups) for rects in (before, after))
    for side in (-1.0, 1.0):
        at = np.flatnonzero(stood[:, 0] * side >= 0.0)
        were, are = (points[at] * (side, 1.0) for points in (stood, stand))
        if len(at) < 2 or np.mean(_curve(were) - were[:, 0] < EVEN) < LEAST_SHARE:
            continue
        middle, half = (are[:, 1].max() + are[:, 1].min()) / 2, max(EVEN, float(np.ptp(are[:, 1])) / 2)
        rounder = BULGE * half * (1.0 - ((are[:, 1] - middle) / half) ** 2)
        for group, by in zip(at.tolist(), (_curve(are) + rounder - are[:, 0]).tolist(), strict=True):
            if are[at == group][0, 0] > 0.0:
                found[groups[group], 0] += side * by
    return found


def _nearest_points(rects: Floats, groups: Sequence[Ints]) -> Floats:
    """Of each group, the point that is nearest to the middle of all, from there; (n, 2)."""
    low = np.array([(rects[rows, :2] - rects[rows, 2:] / 2).min(axis=0) for rows in groups])
    high = np.array([(rects[rows, :2] + rects[rows, 2:] / 2).max(axis=0) for rows in groups])
    middle = (low.min(axis=0) + high.max(axis=0)) / 2
    found: Floats = np.clip(middle, low, high) - middle
    return found


def _curve(points: Floats) -> Floats:
    """How far off at least a curve is that bends one way alone and has all of these (off, y) on it or inside; (n,)."""
    chain = list[tuple[float, float]]()
    for off, y in points[np.lexsort(points.T)].tolist():
        while len(chain) > 1 and _bends_in(chain[-2], chain[-1], (off, y)):
            chain.pop()
        chain.append((off, y))
    offs, ys = zip(*chain, strict=True)
    found: Floats = np.interp(points[:, 1], ys, offs)
    return found


def _bends_in(one: Sequence[float], other: Sequence[float], third: Sequence[float]) -> bool:
    """Whether the second of three points (off, y), one below the other, is not outside the line of the others."""
    return (other[0] - one[0]) * (third[1] - one[1]) <= (third[0] - one[0]) * (other[1] - one[1])
