"""Links with a way of their own, which leave their boxes on given sides: by gates of groups, as stubs, led by hand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints

GATED, STUBBED, LED = 3, 2, 0
"""Pieces of a link by two gates, and of one that is only begun at either end; one that is led has any number."""
LEFT = 2
"""Sides from this one on are upright, as in arches."""
ALONG = 1e-6
"""A line that leaves an axis by less runs along it."""


@dataclass(frozen=True)
class Apart:
    """Bundles by their numbers, each from the pair's lower row to its higher."""

    numbers: Ints  # (m,)
    sides: Ints  # (m, 2) of the boxes, as in arches
    slopes: Floats  # (m, 2) place on its side, as in anchors
    via: Floats  # (m, 2, 2) where its line leads from either box; of stubs in terms of where it begins
    pieces: int
    pinned: Flags | None = None  # (m, 2) ends that are where the line leads, on the edge of the box

    def lines(self, ends: Floats) -> tuple[Floats, Ints, Flags]:
        """The lines between these ends, (m, 4); the place of its bundle in `numbers`, and whether it is direct."""
        at = ends.reshape(-1, 2, 2)
        if self.pieces == STUBBED:
            points = np.stack((at[:, 0], at[:, 0] + self.via[:, 0], at[:, 1] + self.via[:, 1], at[:, 1]), axis=1)
            xy, direct = np.concatenate((points[:, ::2], points[:, 1::2]), axis=2), np.array([True, False])
        else:
            if self.pinned is not None:
                at = np.where(self.pinned[:, :, None], self.via, at)
            points = np.stack((at[:, 0], self.via[:, 0], self.via[:, 1], at[:, 1]), axis=1)
            xy, direct = np.concatenate((points[:, :-1], points[:, 1:]), axis=2), np.array([False, True, False])
        xy = xy.reshape(-1, 4)
        kept = (xy[:, :2] != xy[:, 2:]).any(axis=1)
        of = np.repeat(np.arange(len(self.numbers)), self.pieces)
        return xy[kept], of[kept], np.tile(direct, len(self.numbers))[kept]

    def taken(self, chosen: Flags) -> "Apart":
        """The same for some of the bundles."""
        pinned = None if self.pinned is None else self.pinned[chosen]
        return Apart(
            self.numbers[chosen], self.sides[chosen], self.slopes[chosen], self.via[chosen], self.pieces, pinned
        )


class OwnWay(NamedTuple):
    """How one link of a bundle is led."""

    at: int
    """The place of its bundle."""
    bends: Floats  # (k, 2) from the pair's lower row to its higher


@dataclass(frozen=True, kw_only=True)
class Led(Apart):
    """Bundles that are led by hand, with all their links."""

    bends: tuple[Floats, ...]
    """Of the line of each bundle, (k, 2), from the pair's lower row to its higher; none where most links have none."""
    own: Mapping[int, OwnWay]
    """Of each of their links, by row."""
    are_square: bool
    """Whether lines turn at right angles alone."""

    def lines(self, ends: Floats) -> tuple[Floats, Ints, Flags]:
        """As of others, with one line after another through the bends."""
        return _pieces(self._way(end, place, self.bends[place]) for place, end in enumerate(ends.reshape(-1, 2, 2)))

    def lines_of_links(self, links: Ints, ends: Floats) -> tuple[Floats, Ints, Flags]:
        """The lines of single links between these ends, (m, 4); the numbers with them are places in `links`."""
        own = map(self.own.__getitem__, links.tolist())
        return _pieces(self._way(end, *way) for way, end in zip(own, ends.reshape(-1, 2, 2), strict=True))

    def _way(self, end: Floats, place: int, bends: Floats) -> Floats:
        points = np.vstack((end[:1], bends, end[1:]))
        return squared(points, self.sides[place] < LEFT) if self.are_square else points


def _pieces(ways: Iterable[Floats]) -> tuple[Floats, Ints, Flags]:
    """The lines along some ways, (k, 2) each, which way each line is of, and whether it is the longest of that."""
    parts = [(np.empty((0, 4)), np.empty(0, np.int64), np.empty(0, np.bool_))]
    for number, points in enumerate(ways):
        xy = np.hstack((points[:-1], points[1:]))
        length = np.abs(xy[:, 2:] - xy[:, :2]).sum(axis=1)
        kept = length > 0.0
        direct = np.arange(len(xy)) == length.argmax()
        parts.append((xy[kept], np.full(int(kept.sum()), number), direct[kept]))
    xy, of, directs = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return xy, of, directs


def squared(points: Floats, are_upright: Flags) -> Floats:
    """The points with corners between them, so that all lines run along an axis; both ends leave their sides upright.

    `are_upright` are of both ends: up or down, else sideways. No line runs back along the one before it.
    """
    made = list[list[float]]()
    for x, y in _squared(points.tolist(), are_upright.tolist()):
        while len(made) > 1 and _turns_back(made[-2], made[-1], (x, y)):
            made.pop()
        made.append([x, y])
    return np.array(made)


def _turns_back(before: Sequence[float], at: Sequence[float], to: Sequence[float]) -> bool:
    """Whether the way to a point and on from it runs along the same line, there and back."""
    (x1, y1), (x2, y2) = ((b[0] - a[0], b[1] - a[1]) for a, b in ((before, at), (at, to)))
    return x1 * x2 + y1 * y2 < 0.0


def _squared(points: list[list[float]], are_upright: list[bool]) -> Iterator[list[float]]:
    is_upright = are_upright[0]
    yield points[0]
    for number, (one, other) in enumerate(pairwise(points), start=2):
        (x1, y1), (x2, y2) = one, other
        if abs(x1 - x2) < ALONG or abs(y1 - y2) < ALONG:
            is_upright = abs(x1 - x2) >= ALONG  # it turns at the bend
        elif number < len(points):
            yield [x1, y2] if is_upright else [x2, y1]
        elif number > 2 or is_upright != are_upright[1]:
            yield [x2, y1] if are_upright[1] else [x1, y2]
        elif is_upright:  # out and in the same way: by a level between
            yield from ([x1, (y1 + y2) / 2], [x2, (y1 + y2) / 2])
        else:
            yield from ([(x1 + x2) / 2, y1], [(x1 + x2) / 2, y2])
        yield other
