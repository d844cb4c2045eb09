"""Transport over the shortest-path graph, compiled: towards one goal, every switch sends on by its next hops.

A next hop is a bundle to a switch that is nearer to the goal by just what the bundle costs. What is at a switch goes by
all its next hops, by capacity, or by what of it can go on from there. Two sweeps do the rest: `push` takes amounts down
to the goal, `pull` values up from it; `spread` is a push from few switches that never looks at the others.

Kernels take arrays out of records before a loop: each time they are taken out counts a reference, which takes longer
than to read a number.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_borrowing, compiled_inline

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Distances = NDArray[np.int16]
Numbers = NDArray[Any]


class Bundles(NamedTuple):
    """How switches are joined, with the shapes of SwitchGraph."""

    start: Ints
    head: Ints
    cost: Distances
    capacity_gbps: Floats
    behind: Floats


class Goals(NamedTuple):
    """The leafs of a SwitchGraph, and what tells the next hops towards each."""

    leafs: Ints
    distance: Distances
    only: Ints


class Ports(NamedTuple):
    """The arcs of bundles, with the shapes of SwitchGraph, and what D-mod-K divides by at each switch."""

    start: Ints
    arcs: Ints
    divisor: Longs


class Fabric(NamedTuple):
    """All that kernels read of a Network."""

    bundles: Bundles
    goals: Goals
    ports: Ports


class Areas(NamedTuple):
    """What Valiant routing goes by on its way: see Regions. `only` has no columns."""

    of: Ints
    distance: Distances
    only: Ints


class Descent(NamedTuple):
    """The next hops towards one goal, which `aim` names, found switch by switch when they are first asked for.

    Those of a switch stand in `hops`, each with its share, from the place of the switch's first bundle on.
    """

    distance: Distances  # (n_goals, n_switches) to each goal, -1 where no way leads there
    only: Ints  # (n_goals, n_switches or 0) as in SwitchGraph
    aim: Longs  # (2,) the goal, and how many were named so far
    order: Ints  # (n_switches,) after `line_up`: those that reach the goal, the nearest first
    tally: Ints  # scratch of that: one more place than there are distances
    found_for: Longs  # (n_switches,) which of the goals so far the hops are for
    n_hops: Ints  # (n_switches,)
    hops: Ints  # (n_bundles,)
    shares: Floats  # (n_bundles,)


class Walk(NamedTuple):
    """Room for a spread. Between two of them `amount` and `on_bundle` are zero."""

    amount: Floats  # (n_switches,)
    frontier: Ints  # (n_switches,)
    following: Ints  # (n_switches,)
    on_bundle: Floats  # (n_bundles,)
    touched: Ints  # (n_bundles,)


class Rows(NamedTuple):
    """Compressed rows: what each row puts on which items, from start[row] to start[row + 1]."""

    start: Longs
    items: Ints
    weights: Floats


class Mixed(NamedTuple):
    """Rows of commodities whose ways are of two kinds."""

    direct: Rows
    detour: Rows
    share: Floats  # (n_commodities,) of each by its detour


@compiled_inline
def next_hops(switch: int, row: Distances, only: Ints, bundles: Bundles, hops: Ints, at: int) -> tuple[int, float]:
    """Writes a switch's next hops towards where `row` is 0 from place `at` on; (the place after, their capacity)."""
    total, here = 0.0, row[switch]
    if len(only) > 0:
        if only[switch] < 0:
            return at, 0.0
        hops[at] = only[switch]
        return at + 1, bundles.capacity_gbps[hops[at]]
    start, head, cost, capacity, _ = bundles
    for bundle in range(start[switch], start[switch + 1]):  # without a branch, which the processor would guess wrong
        there = row[head[bundle]]
        is_nearer = (there >= 0) & (there == here - cost[bundle])
        hops[at] = bundle
        total += capacity[bundle] if is_nearer else 0.0
        at += is_nearer
    return at, total


@compiled
def descent_over(bundles: Bundles, distance: Distances, only: Ints) -> Descent:
    """Room for descents to these goals; `aim` names the first."""
    n_switches, n_bundles = len(bundles.start) - 1, len(bundles.head)
    return Descent(
        distance,
        only,
        np.zeros(2, dtype=np.int64),
        np.empty(n_switches, dtype=np.int32),
        np.empty(distance.max() + 2 if distance.size > 0 else 2, dtype=np.int32),
        np.zeros(n_switches, dtype=np.int64),
        np.empty(n_switches, dtype=np.int32),
        np.empty(n_bundles, dtype=np.int32),
        np.empty(n_bundles),
    )


@compiled_inline
def aim(way: Descent, goal: int) -> None:
    """Turns a descent to another goal."""
    way.aim[0] = goal
    way.aim[1] += 1


@compiled_inline
def share_out(first: int, last: int, total: float, goal: int, bundles: Bundles, hops: Ints, shares: Floats) -> None:
    """Sets the shares of next hops that carry `total` together: by capacity, or by what can go on from there."""
    capacity, behind, head = bundles.capacity_gbps, bundles.behind, bundles.head
    if behind.shape[1] == 0:
        for place in range(first, last):
            shares[place] = capacity[hops[place]] / total
        return
    able = 0.0
    for place in range(first, last):
        shares[place] = min(capacity[hops[place]], behind[goal, head[hops[place]]])
        able += shares[place]
    for place in range(first, last):
        shares[place] /= able


@compiled_inline
def find_hops(switch: int, bundles: Bundles, way: Descent) -> None:
    """Notes the next hops of a switch and the share of each."""
    hops, shares = way.hops, way.shares
    first = bundles.start[switch] + np.int64(0)
    goal = way.aim[0]
    last, total = next_hops(switch, way.distance[goal], way.only[goal], bundles, hops, first)
    share_out(first, last, total, goal, bundles, hops, shares)
    way.n_hops[switch], way.found_for[switch] = last - first, way.aim[1]


@compiled_borrowing
def line_up(way: Descent) -> int:
    """Fills `order` with the switches that reach the goal, the nearest first; returns how many."""
    row, order, tally, n_reachable = way.distance[way.aim[0]], way.order, way.tally, 0
    tally[:] = 0
    for switch in range(len(row)):
        if row[switch] >= 0:
            tally[row[switch] + 1] += 1
            n_reachable += 1
    for distance in range(1, len(tally)):
        tally[distance] += tally[distance - 1]
    for switch in range(len(row)):
        if row[switch] >= 0:
            order[tally[row[switch]]] = switch
            tally[row[switch]] += 1
    return n_reachable


@compiled_borrowing
def find_all(bundles: Bundles, way: Descent) -> int:
    """Lines the switches up and finds the next hops of all; returns how many reach the goal."""
    n_reachable, order = line_up(way), way.order
    for place in range(n_reachable):
        find_hops(order[place], bundles, way)
    return n_reachable


@compiled_borrowing
def push(
    bundles: Bundles, way: Descent, n_reachable: int, shares: Numbers, amount: Numbers, on_bundle: Numbers
) -> None:
    """Takes the amounts at all switches that were lined up down to the goal, and adds to what crosses each bundle.

    `shares` are those of the descent, or numbers that stand for them as the amounts do for amounts: see colors.
    """
    start, head, order, hops, n_hops = bundles.start, bundles.head, way.order, way.hops, way.n_hops
    found_for, number = way.found_for, way.aim[1]
    for place in range(n_reachable - 1, 0, -1):
        switch = order[place]
        here = amount[switch]
        if here != 0:
            if found_for[switch] != number:
                find_hops(switch, bundles, way)
            for hop in range(start[switch], start[switch] + n_hops[switch]):
                part = here * shares[hop]
                on_bundle[hops[hop]] += part
                amount[head[hops[hop]]] += part


@compiled_borrowing
def pull(bundles: Bundles, way: Descent, n_reachable: int, gain: Floats, value: Floats) -> None:
    """Sets the value of switches that were lined up: the mean, by shares, of the next hops' gains and ends' values.

    It is 0 at the goal, and where no next hops were asked for yet.
    """
    start, head, order, hops, shares = bundles.start, bundles.head, way.order, way.hops, way.shares
    found_for, number, n_hops = way.found_for, way.aim[1], way.n_hops
    for place in range(n_reachable):
        switch = order[place]
        total = 0.0
        if found_for[switch] == number:
            for hop in range(start[switch], start[switch] + n_hops[switch]):
                total += shares[hop] * (gain[hops[hop]] + value[head[hops[hop]]])
        value[switch] = total


@compiled
def walk_over(bundles: Bundles) -> Walk:
    """Room for spreads over these bundles."""
    n_switches, n_bundles = len(bundles.start) - 1, len(bundles.head)
    frontier, following = np.empty(n_switches, dtype=np.int32), np.empty(n_switches, dtype=np.int32)
    return Walk(np.zeros(n_switches), frontier, following, np.zeros(n_bundles), np.empty(n_bundles, dtype=np.int32))


@compiled_borrowing
def spread(bundles: Bundles, way: Descent, walk: Walk, n_frontier: int, n_touched: int) -> tuple[int, int]:
    """Takes the amounts at the first so many switches of the frontier down to the goal: (arrived, n_touched).

    The farthest go first, so that each has all it will ever get. The first `arrived` of the frontier are then the
    switches of the goal that got something, amounts and all. What crosses each bundle is added to `on_bundle`, the
    bundle named in `touched` the first time.
    """
    start, head, row, hops, shares = bundles.start, bundles.head, way.distance[way.aim[0]], way.hops, way.shares
    found_for, number, n_hops = way.found_for, way.aim[1], way.n_hops
    amount, frontier, following, on_bundle, touched = walk
    while n_frontier > 0:
        farthest = row[frontier[0]]
        for place in range(1, n_frontier):
            farthest = max(farthest, row[frontier[place]])
        if farthest == 0:
            break
        n_following = 0
        for place in range(n_frontier):
            if row[frontier[place]] < farthest:
                following[n_following] = frontier[place]
                n_following += 1
        for place in range(n_frontier):
            switch = frontier[place]
            if row[switch] < farthest:
                continue
            if found_for[switch] != number:
                find_hops(switch, bundles, way)
            here = amount[switch]
            for hop in range(start[switch], start[switch] + n_hops[switch]):
                bundle = hops[hop]
                neighbour, part = head[bundle], here * shares[hop]
                if amount[neighbour] == 0.0:
                    following[n_following] = neighbour
                    n_following += 1
                amount[neighbour] += part
                if on_bundle[bundle] == 0.0:
                    touched[n_touched] = bundle
                    n_touched += 1
                on_bundle[bundle] += part
            amount[switch] = 0.0
        for place in range(n_following):
            frontier[place] = following[place]
        n_frontier = n_following
    return n_frontier, n_touched


@compiled_inline
def spread_one(origin: int, bundles: Bundles, way: Descent, walk: Walk) -> tuple[int, int]:
    """As `spread`, of one unit from a switch."""
    walk.frontier[0], walk.amount[origin] = origin, 1.0
    return spread(bundles, way, walk, 1, 0)


@compiled_inline
def forget(walk: Walk, arrived: int, n_touched: int) -> None:
    """Makes the room of a spread ready for the next: what arrived, and what was touched, is zero again."""
    amount, frontier, _, on_bundle, touched = walk
    for place in range(arrived):
        amount[frontier[place]] = 0.0
    for place in range(n_touched):
        on_bundle[touched[place]] = 0.0


@compiled
def longer(values: Numbers, more: int) -> Numbers:
    """The values with room for so many more behind them."""
    return np.concatenate((values, np.empty(more, dtype=values.dtype)))
