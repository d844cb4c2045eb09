"""Single points of failure: links and switches whose loss leaves servers elsewhere in pieces.

By articulation points and bridges of the switches: R. Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972).
Servers do not forward. Those on the lost switch alone are not counted: to be on one switch is a choice of each server.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.analysis.adjacency import Adjacency


@dataclass(frozen=True, slots=True)
class Cut:
    """What is lost, by numbers of devices, and how many servers are then apart from the largest part that is left."""

    lost: tuple[int, ...]
    n_servers: int


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """A depth-first search over switches, numbered from 0. A subtree is met from step `first` to `last`."""

    first: NDArray[np.int64]  # (n_switches,)
    last: NDArray[np.int64]  # (n_switches,)
    root: NDArray[np.int64]  # (n_switches,) where the search of its part began
    bridges: list[tuple[int, int]]
    """Parent and child in the tree, joined by one link alone."""
    parting: dict[int, list[int]]
    """By switch, its children in the tree whose subtrees no other way joins to the rest."""


class SinglePoints:
    """The single points of failure of one network."""

    def __init__(self, near: Adjacency) -> None:
        self._n = near.n_devices - near.n_servers
        self._offset = near.n_servers
        pairs = near.of_switches
        self._tail = near.low[pairs] - near.n_servers
        self._head = near.high[pairs] - near.n_servers
        self._links = near.n_links[pairs]
        own = near.of_servers
        self._server, self._switch = near.low[own], near.high[own] - near.n_servers
        self._total = np.bincount(self._server, minlength=near.n_servers)
        self._search = _search(self._n, self._tail, self._head, self._links)

    def links(self) -> list[Cut]:
        """Links whose loss parts servers, by the two switches they join."""
        found = []
        for parent, child in self._search.bridges:
            below = self._met(child)
            inside, piece = self._within(below), self._within(self._met(int(self._search.root[child])))
            n_inside = int(((inside == self._total) & (inside > 0)).sum())
            n_outside = int(((inside == 0) & (piece == self._total) & (piece > 0)).sum())
            if n_inside and n_outside:
                found.append(Cut((parent + self._offset, child + self._offset), min(n_inside, n_outside)))
        return found

    def switches(self) -> list[Cut]:
        """Switches whose loss parts servers that are not on them alone."""
        found = []
        for switch, children in sorted(self._search.parting.items()):
            on_it = self._within(self._switch == switch)
            rest = self._within(self._met(int(self._search.root[switch]))) - on_it
            left = self._total - on_it
            sizes = []
            for child in children:
                inside = self._within(self._met(child))
                sizes.append(int(((inside == left) & (left > 0)).sum()))
                rest -= inside
            sizes.append(int(((rest == left) & (left > 0)).sum()))
            if sum(size > 0 for size in sizes) > 1:
                found.append(Cut((switch + self._offset,), sum(sizes) - max(sizes)))
        return found

    def together(self, sets: Iterable[Sequence[int]]) -> list[Cut]:
        """Sets of devices whose loss at one time parts servers that are not on them alone."""
        near = self._masks()
        found = []
        for devices in sets:
            lost = [one - self._offset for one in devices if one >= self._offset]
            if lost and not _hangs_together(near, lost):
                n_servers = self._cut_off(lost)
                if n_servers:
                    found.append(Cut(tuple(devices), n_servers))
        return found

    def _met(self, switch: int) -> NDArray[np.bool_]:
        """(n_ends,) whether a server's end is on a switch of the subtree."""
        step = self._search.first[self._switch]
        found: NDArray[np.bool_] = (step >= self._search.first[switch]) & (step <= self._search.last[switch])
        return found

    def _within(self, ends: NDArray[np.bool_]) -> NDArray[np.int64]:
        """(n_servers,) how many switches of these ends each server is on."""
        return np.bincount(self._server[ends], minlength=len(self._total))

    def _masks(self) -> list[int]:
        """The neighbors of each switch as bits."""
        found = [0] * self._n
        for a, b in zip(self._tail.tolist(), self._head.tolist(), strict=True):
            found[a] |= 1 << b
            found[b] |= 1 << a
        return found

    def _cut_off(self, lost: Sequence[int]) -> int:
        """Servers in other parts than the largest when these switches are lost; those in several parts are in none."""
        failed = np.zeros(self._n, dtype=bool)
        failed[lost] = True
        kept = ~failed[self._tail] & ~failed[self._head]
        part = _search(self._n, self._tail[kept], self._head[kept], self._links[kept]).root
        before = self._search.root
        ends = ~failed[self._switch]
        server, switch = self._server[ends], self._switch[ends]
        if not len(server):
            return 0
        least, most = (np.full(len(self._total), fill) for fill in (self._n, -1))
        np.minimum.at(least, server, part[switch])
        np.maximum.at(most, server, part[switch])
        single = np.flatnonzero(least == most)
        n_apart = 0
        for piece in np.unique(before[lost]).tolist():
            sizes = np.bincount(least[single[before[least[single]] == piece]])
            n_apart += int(sizes.sum() - sizes.max()) if sizes.size else 0
        return n_apart


def _hangs_together(near: Sequence[int], lost: Sequence[int]) -> bool:
    """Whether the neighbors of lost switches reach each other without them."""
    failed = 0
    for one in lost:
        failed |= 1 << one
    around = 0
    for one in lost:
        around |= near[one]
    around &= ~failed
    if not around:
        return True
    seen = frontier = around & -around
    while frontier:
        if seen & around == around:
            return True
        low = frontier & -frontier
        frontier ^= low
        reached = near[low.bit_length() - 1] & ~failed & ~seen
        seen |= reached
        frontier |= reached
    return seen & around == around


def _search(n: int, tail: NDArray[np.int64], head: NDArray[np.int64], links: NDArray[np.int64]) -> _Search:
    near: list[list[int]] = [[] for _ in range(n)]
    for a, b in zip(tail.tolist(), head.tolist(), strict=True):
        near[a].append(b)
        near[b].append(a)
    several = {tuple(sorted(pair)) for pair in zip(tail[links > 1].tolist(), head[links > 1].tolist(), strict=True)}
    first, last, least, root, parent = [-1] * n, [-1] * n, [0] * n, [0] * n, [-1] * n
    bridges: list[tuple[int, int]] = []
    parting: dict[int, list[int]] = {}

    def leave(at: int) -> None:
        """All of the subtree of a switch is met."""
        last[at], above = step - 1, parent[at]
        if above < 0:
            return
        least[above] = min(least[above], least[at])
        if least[at] >= first[above]:
            parting.setdefault(above, []).append(at)
        if least[at] > first[above] and (min(at, above), max(at, above)) not in several:
            bridges.append((above, at))

    step = 0
    for start in range(n):
        if first[start] >= 0:
            continue
        path = [(start, iter(near[start]))]
        first[start] = least[start] = step
        root[start] = start
        step += 1
        while path:
            at, rest = path[-1]
            other = next((one for one in rest if first[one] < 0 or _is_back(first, least, parent, at, one)), None)
            if other is None:
                path.pop()
                leave(at)
            elif first[other] < 0:
                parent[other], root[other] = at, start
                first[other] = least[other] = step
                step += 1
                path.append((other, iter(near[other])))
            else:
                least[at] = first[other]
    for start in [one for one in parting if parent[one] < 0 and len(parting[one]) < 2]:
        del parting[start]  # where a search begins is no such point unless two subtrees meet there
    return _Search(np.array(first), np.array(last), np.array(root), bridges, parting)


def _is_back(first: list[int], least: list[int], parent: list[int], at: int, one: int) -> bool:
    """Whether a link leads back to a switch that was met before all that is known so far."""
    return one != parent[at] and first[one] < least[at]
