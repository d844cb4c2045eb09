"""Looks at all flows of a uniform all-to-all at once: what arcs see of them, and of which kinds they are.

A surveyor knows how the flows go; it looks at them goal by goal, in threads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from designer.routing.hashes import mixed
from designer.routing.network import Network
from designer.simulation.flows import sprayed_kernels, uniform_kernels
from designer.simulation.flows.flow_kinds_kernels import ClassArrays, Colours
from designer.simulation.flows.folding import folded
from designer.simulation.flows.uniform_hosts import Hosts

Hashes = NDArray[np.uint64]
Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What a look at the flows to some goals found: see `uniform_kernels.survey`."""

    seen_by: Hashes
    sent_by: Hashes
    taken_by: Hashes
    n_kinds: int
    kinds: tuple[Hashes, Longs, Longs, Longs]
    """Keys, counts, sources and destinations."""


class Surveyor(Protocol):
    """How flows of an all-to-all are looked at."""

    few_kinds: int
    """Up to so many kinds are sorted while the colors are refined; 0 where sorting them at the end takes less time."""

    @property
    def n_goals(self) -> int:
        """Number of leafs that flows are followed to."""
        ...

    def looks(self, colour: Hashes, *, most: int, sees: bool = False) -> Callable[[int, int], Survey]:
        """A function from a range of goals to what a look at the flows to hosts there finds."""
        ...

    def seen(self, surveys: list[Survey], n_arcs: int) -> tuple[Hashes, Hashes, Hashes]:
        """(by arc, by sending host, by host taking in) what all looks together saw."""
        ...


def prices(hosts: Hosts, colour: Hashes) -> list[Hashes]:
    """By host, what stands for the colors of its arcs onto the fabric, and off it."""
    return [
        np.where(side >= 0, mixed(colour[side]), np.uint64(0)).sum(axis=1, dtype=np.uint64)
        for side in (hosts.out, hosts.in_)
    ]


class TableSurveyor:
    """Looks at flows under forwarding tables: with a tree for each host."""

    few_kinds = 0

    def __init__(self, network: Network, hosts: Hosts) -> None:
        self._network, self._hosts, self._arrays = network, hosts, hosts.arrays(network)

    @property
    def n_goals(self) -> int:
        """Number of leafs."""
        return len(self._network.switches.leafs)

    def looks(self, colour: Hashes, *, most: int, sees: bool = False) -> Callable[[int, int], Survey]:
        """See `Surveyor`."""
        fabric, arrays, n_hosts, tint = self._network.fabric, self._arrays, len(self._hosts.leaf), mixed(colour)
        classes = _classes(self._hosts, np.arange(self.n_goals), np.arange(n_hosts), colour)

        def piece(first_leaf: int, last_leaf: int) -> Survey:
            colours = _colours(tint, n_hosts, sees=sees)
            n_kinds, keys, counts, src, dst = uniform_kernels.survey(
                first_leaf, last_leaf, most, fabric, arrays, classes, colours
            )
            return Survey(*colours[1:], n_kinds, (keys, counts, src, dst))

        return piece

    def seen(self, surveys: list[Survey], n_arcs: int) -> tuple[Hashes, Hashes, Hashes]:
        """See `Surveyor`."""
        return _sums(surveys)


class SprayedSurveyor:
    """Looks at sprayed flows over a folded fabric. `first` colors distinguish arcs that are not alike to begin with."""

    few_kinds = 4_000

    def __init__(self, network: Network, hosts: Hosts, first: Hashes) -> None:
        self._network, self._hosts, self._arrays = network, hosts, hosts.arrays(network)
        switches = network.switches
        self._of_bundle = switches.arcs[switches.arc_start[:-1]]
        out, in_ = prices(hosts, first)  # flows inside servers cross no arc of these
        self._folded = folded(network, hosts, first[self._of_bundle], mixed(out + mixed(in_)))
        folds = self._folded.folds
        is_shown = np.zeros(len(folds.node), dtype=bool)
        is_shown[folds.leaf[folds.leaf >= 0]] = True
        self._shown = np.flatnonzero(is_shown[hosts.leaf])

    @property
    def n_goals(self) -> int:
        """Number of leafs that flows are followed to."""
        return self._folded.n_goals

    def looks(self, colour: Hashes, *, most: int, sees: bool = False) -> Callable[[int, int], Survey]:
        """See `Surveyor`."""
        of, arrays, n_hosts = self._folded, self._arrays, len(self._hosts.leaf)
        classes = _classes(self._hosts, of.folds.node, self._shown, colour)
        of_place = mixed(classes.price_out ^ mixed(of.place[of.folds.leaf[classes.place]].astype(np.uint64)))
        is_goal = (of.folds.is_counted[classes.place] > 0).astype(np.int64)
        order = np.lexsort((-is_goal, of_place))
        _, first, number = np.unique(of_place[order], return_index=True, return_inverse=True)
        counted_for = np.empty(len(order), dtype=np.int64)
        counted_for[order] = order[first][number]
        tint = mixed(colour[self._of_bundle[of.first_bundle]])

        def piece(first_goal: int, last_goal: int) -> Survey:
            colours = _colours(tint, n_hosts, sees=sees)
            n_kinds, keys, counts, src, dst = sprayed_kernels.survey(
                first_goal, last_goal, most, of.fabric, arrays, (classes, counted_for), colours, of.folds
            )
            return Survey(*colours[1:], n_kinds, (keys, counts, src, dst))

        return piece

    def seen(self, surveys: list[Survey], n_arcs: int) -> tuple[Hashes, Hashes, Hashes]:
        """See `Surveyor`; of a bundle its first arc sees something."""
        by_bundle, sent_by, taken_by = _sums(surveys)
        seen_by = np.zeros(n_arcs, dtype=np.uint64)
        seen_by[self._of_bundle] = self._folded.totals(by_bundle)
        return seen_by, sent_by[self._folded.like], taken_by[self._folded.like]


def _colours(tint: Hashes, n_hosts: int, *, sees: bool) -> Colours:
    """The colors, with room for what is seen."""
    seen_by, sent_by, taken_by = (
        np.zeros(size if sees else 0, dtype=np.uint64) for size in (len(tint), n_hosts, n_hosts)
    )
    return Colours(tint, seen_by, sent_by, taken_by)


def _sums(surveys: list[Survey]) -> tuple[Hashes, Hashes, Hashes]:
    seen_by, sent_by, taken_by = (
        np.sum([getattr(one, name) for one in surveys], axis=0) for name in ("seen_by", "sent_by", "taken_by")
    )
    return seen_by, sent_by, taken_by


def _classes(hosts: Hosts, place: NDArray[np.integer], shown: Longs, colour: Hashes) -> ClassArrays:
    """Classes of the hosts that are shown; `place` (n_leafs,) is where flows from a leaf set out."""
    price_out, price_in = prices(hosts, colour)
    key = mixed(price_out[shown] ^ mixed(hosts.leaf[shown].astype(np.uint64)))
    _, first, number, size = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    of = np.full(len(hosts.leaf), -1, dtype=np.int64)
    of[shown] = number
    start = np.concatenate([[0], np.cumsum(size)])
    members, first = shown[np.argsort(number, kind="stable")], shown[first]
    at = place[hosts.leaf[first]].astype(np.int64)
    return ClassArrays(of, at, size, start, members, price_out[first], price_in)
