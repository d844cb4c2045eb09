"""Cycles of buffers: lossless traffic on shortest paths that can wait for itself.

A channel, one direction of the links between two switches, depends on the next one of a path: its buffer drains only
when there is room in the other. A cycle of such dependencies can block for ever. Source: W. Dally, C. Seitz,
"Deadlock-Free Message Routing in Multiprocessor Interconnection Networks" (1987).
"""

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from designer.analysis.adjacency import Adjacency

MOST_STEPS = 1_500_000
"""Joined pairs of switches times leafs, plus pairs of channels one after the other: more take some 2 s."""
LEAST = 4
"""No cycle is shorter: of three channels around a triangle none is on a shortest path with the next."""

Channel = tuple[int, int]
"""From one switch to another, by number of the device."""
Near = Mapping[int, Sequence[int]]


def is_up_and_down(near: Adjacency, pairs: NDArray[np.int64]) -> bool:
    """Whether it is plain that every shortest path first climbs, then descends: no channel can wait for itself.

    `pairs` are those of switches that count. So it is where links lead from tier to tier, and switches that share one
    above share it, in turn, with the same others: then no path comes down only to climb again.
    """
    low, high = near.low[pairs], near.high[pairs]
    if np.any(near.tier[high] != near.tier[low] + 1) or np.any(near.tier[low] < 1):
        return False
    above: dict[int, list[int]] = {}
    for a, b in zip(low.tolist(), high.tolist(), strict=True):
        above.setdefault(a, []).append(b)
    for tier in np.unique(near.tier[low]).tolist():
        sets = list({frozenset(uppers) for one, uppers in above.items() if near.tier[one] == tier})
        joint = sum(map(len, sets)) > len(frozenset().union(*sets))
        if joint and not _share_alike(sets):
            return False
    return True


def _share_alike(sets: Sequence[frozenset[int]]) -> bool:
    """Whether sets that share a member with one in common share one with each other."""
    seen = [frozenset(number for number, other in enumerate(sets) if other & one) for one in sets]
    return all(seen[number] == seen[other] for number in range(len(sets)) for other in seen[number])


def shortest_cycle(near: Adjacency, pairs: NDArray[np.int64]) -> list[int] | None:
    """The switches around the shortest cycle of channels that depend on each other; () for none.

    None where there are too many switches to search. Paths lead from every switch with servers to every other.
    """
    leafs = np.unique(near.high[near.of_servers]).tolist()
    degree = np.bincount(np.concatenate((near.low[pairs], near.high[pairs])))
    if len(pairs) * len(leafs) + int((degree * degree).sum()) > MOST_STEPS:
        return None
    joined: dict[int, list[int]] = {}
    for a, b in zip(near.low[pairs].tolist(), near.high[pairs].tolist(), strict=True):
        joined.setdefault(a, []).append(b)
        joined.setdefault(b, []).append(a)
    return _shortest(_dependencies(joined, leafs))


def _dependencies(joined: Near, leafs: Sequence[int]) -> dict[Channel, list[Channel]]:
    """For each channel those that it depends on, on shortest paths from leaf to leaf."""
    bit = {switch: 1 << place for place, switch in enumerate(joined)}
    found: dict[Channel, int] = {}  # the switches that paths go on to
    for target in leafs:
        hops = {target: 0}
        order = deque([target])
        while order:
            at = order.popleft()
            for other in joined.get(at, ()):
                if other not in hops:
                    hops[other] = hops[at] + 1
                    order.append(other)
        order.extend(one for one in leafs if one in hops)
        met = set(order)
        onward: dict[int, int] = {}
        while order:
            at = order.popleft()
            for other in joined.get(at, ()):
                if hops[other] != hops[at] - 1:
                    continue
                if other not in onward:
                    onward[other] = sum(bit[one] for one in joined[other] if hops[one] == hops[other] - 1)
                found[at, other] = found.get((at, other), 0) | onward[other]
                if other not in met:
                    met.add(other)
                    order.append(other)
    return {(at, other): [(other, one) for one in joined[other] if on & bit[one]] for (at, other), on in found.items()}


def _shortest(depends: Mapping[Channel, Sequence[Channel]]) -> list[int]:
    core = _cyclic(depends)
    best: list[Channel] = []
    for start in sorted(core):
        path = _way_round(core, start, len(best) or len(core) + 1)
        if path and (not best or len(path) < len(best)):
            best = path
        if len(best) == LEAST:
            break
    return [tail for tail, _ in best]


def _cyclic(depends: Mapping[Channel, Sequence[Channel]]) -> dict[Channel, list[Channel]]:
    """The dependencies less all that lead to no cycle."""
    left = {one: len(others) for one, others in depends.items()}
    waiting: dict[Channel, list[Channel]] = {}
    for one, others in depends.items():
        for other in others:
            waiting.setdefault(other, []).append(one)
            left.setdefault(other, 0)
    done = deque(one for one, count in left.items() if not count)
    without_cycle = set(done)
    while done:
        for one in waiting.get(done.popleft(), ()):
            left[one] -= 1
            if not left[one]:
                without_cycle.add(one)
                done.append(one)
    return {one: sorted(set(others) - without_cycle) for one, others in depends.items() if one not in without_cycle}


def _way_round(core: Mapping[Channel, Sequence[Channel]], start: Channel, limit: int) -> list[Channel]:
    """The shortest way from a channel back to itself, shorter than a limit; () for none."""
    came: dict[Channel, Channel] = {}
    order = deque([(start, 1)])
    while order:
        at, length = order.popleft()
        for other in core[at]:
            if other == start:
                way = [at]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1]
            if other not in came and length + 1 < limit:
                came[other] = at
                order.append((other, length + 1))
    return []
