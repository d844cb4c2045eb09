"""Bundles: the parallel links between two devices, drawn once with a count and the heat of their worst link."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from designer.drawing.heat import BUCKETS, PER_BUCKET, SATURATED

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

NO_HEAT = -1.0
"""Stands for a link that the heat says nothing of."""


@dataclass(frozen=True)
class Bundles:
    """Links gathered by the pair of devices they join, pairs ascending."""

    pairs: Ints  # (n, 2) rows of devices, the lower first
    of_link: Ints  # (n_links,) which bundle a link is in
    flipped: Flags  # (n_links,) whether the link's a is the pair's higher row

    @cached_property
    def counts(self) -> Ints:
        """Links of each bundle."""
        return np.bincount(self.of_link, minlength=len(self.pairs)).astype(np.int64)

    @cached_property
    def n_ends(self) -> int:
        """How many boxes links lead to or from."""
        return len(np.unique(self.pairs))

    @cached_property
    def ends_by_box(self) -> Ints:
        """Both ends of all bundles, those at the higher rows after all others, by the box and then by its partner."""
        low, high = self.pairs.T
        return np.lexsort((np.concatenate((high, low)), np.concatenate((low, high))))

    @cached_property
    def order(self) -> Ints:
        """Link rows, bundle after bundle."""
        return np.argsort(self.of_link, kind="stable")

    @cached_property
    def starts(self) -> Ints:
        """Where in `order` each bundle begins."""
        return np.concatenate(([0], np.cumsum(self.counts)[:-1])).astype(np.int64)

    @cached_property
    def rank(self) -> Ints:
        """Each link's place in its bundle, from 0."""
        rank = np.empty(len(self.of_link), np.int64)
        rank[self.order] = np.arange(len(self.of_link)) - np.repeat(self.starts, self.counts)
        return rank


def bundled(ends: NDArray[np.int32]) -> Bundles:
    """The bundles of links given by the rows of their ends, (n_links, 2)."""
    low, high = np.minimum(ends[:, 0], ends[:, 1]), np.maximum(ends[:, 0], ends[:, 1])
    width = int(high.max(initial=0)) + 1
    keys, of_link = np.unique(low.astype(np.int64) * width + high, return_inverse=True)
    pairs = np.stack((keys // width, keys % width), axis=1)
    return Bundles(pairs, of_link.reshape(-1), ends[:, 0] > ends[:, 1])


def buckets_of(utilization: Floats) -> NDArray[np.int8]:
    """Number of the heat color of each, as heat.bucket_of; -1 where there is no heat."""
    scaled = np.clip(utilization / PER_BUCKET, 0, BUCKETS - 2).astype(np.int8)
    scaled[utilization >= SATURATED] = BUCKETS - 1
    scaled[utilization < 0] = -1
    return scaled


def runs_of(buckets: NDArray[np.int8], servers: Flags) -> Iterator[tuple[int, Ints]]:
    """Rows of lines by class of color: cool before hot, and of one class those of servers first."""
    order = np.argsort(buckets * np.int16(2) + ~servers, kind="stable")
    sorted_buckets = buckets[order]
    cuts = np.flatnonzero(np.diff(sorted_buckets)) + 1
    for part in np.split(order, cuts):
        if len(part):
            yield int(buckets[part[0]]), part
