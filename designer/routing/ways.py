"""The single ways that flows split between two leafs take: bundles hop by hop, each way with its share.

Next hops and their shares are those of the descents by which all loads are computed; a way by a third region is a
descent to the region and one from where it lands.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.routing.regions import regions
from designer.routing.ways_kernels import hops_towards

MINIMAL = -1

Hop = tuple[int, float]


@dataclass(frozen=True, slots=True)
class Way:
    """`via` is the region that it goes by, MINIMAL for a shortest way; `count` its choices of parallel links."""

    bundles: tuple[int, ...]
    share: float
    via: int
    count: int


class Ways:
    """The ways of a network, its next hops found once for each goal and switch."""

    def __init__(self, network: Network) -> None:
        self._network = network
        switches = network.switches
        self._bundles, self._goals = network.fabric.bundles, network.fabric.goals
        self._n_parallel = np.diff(switches.arc_start)
        self._hops: dict[tuple[bool, int, int], list[Hop]] = {}

    def between(self, from_leaf: int, to_leaf: int, detoured: float) -> Iterator[Way]:
        """The ways of one unit from leaf to leaf, `detoured` of it by third regions; shortest ways first."""
        origin = int(self._network.switches.leafs[from_leaf])
        third = self.third_regions(from_leaf, to_leaf) if detoured > 0 else []
        direct = 1.0 if not third else 1.0 - detoured
        if direct > 0:
            for bundles, share, _, count in self._walk(origin, False, to_leaf):
                yield Way(bundles, direct * share, MINIMAL, count)
        for region in third:
            for first, share, landed, count in self._walk(origin, True, region):
                for second, part, _, more in self._walk(landed, False, to_leaf):
                    yield Way((*first, *second), detoured / len(third) * share * part, region, count * more)

    def third_regions(self, from_leaf: int, to_leaf: int) -> list[int]:
        """The regions that a way between two leafs may go by: none where both are in one region."""
        found, leafs = regions(self._network), self._network.switches.leafs
        here, there = int(found.of[leafs[from_leaf]]), int(found.of[leafs[to_leaf]])
        if here == there:
            return []
        reached = np.flatnonzero(found.distance[:, leafs[from_leaf]] >= 0).tolist()
        return [region for region in reached if region not in (here, there)]

    def _walk(self, origin: int, to_region: bool, goal: int) -> Iterator[tuple[tuple[int, ...], float, int, int]]:
        """(bundles, share, where it lands, choices of links) of each way down to a goal, in port order."""
        head = self._network.switches.head
        under_way: list[tuple[int, tuple[int, ...], float, int]] = [(origin, (), 1.0, 1)]
        while under_way:
            switch, bundles, share, count = under_way.pop()
            onward = self._next(to_region, goal, switch)
            if not onward:
                yield bundles, share, switch, count
            for bundle, part in reversed(onward):
                n_links = int(self._n_parallel[bundle])
                under_way.append((int(head[bundle]), (*bundles, bundle), share * part, count * n_links))

    def _next(self, to_region: bool, goal: int, switch: int) -> list[Hop]:
        found = self._hops.get((to_region, goal, switch))
        if found is None:
            hops, shares = hops_towards(switch, goal, *self._rows(to_region), self._bundles)
            found = list(zip(hops.tolist(), shares.tolist(), strict=True))
            self._hops[to_region, goal, switch] = found
        return found

    def _rows(self, to_region: bool) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
        if to_region:
            areas = regions(self._network).arrays
            return areas.distance, areas.only
        return self._goals.distance, self._goals.only
