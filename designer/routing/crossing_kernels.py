"""How much of what leafs send each other crosses one bundle: the inner loops, compiled.

Arrays are those of SwitchGraph and Regions; see there for their shapes.
"""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled


@compiled
def _sorted_by(row: Any, order: Any) -> int:
    """Fills `order` with the switches from which there is a way, the nearest first; returns how many."""
    n_found, step = 0, 0
    first = np.zeros(row.max() + 2, dtype=np.int32)
    for switch in range(len(row)):
        if row[switch] >= 0:
            first[row[switch] + 1] += 1
            n_found += 1
    for step in range(1, len(first)):
        first[step] += first[step - 1]
    for switch in range(len(row)):
        if row[switch] >= 0:
            order[first[row[switch]]] = switch
            first[row[switch]] += 1
    return n_found


@compiled
def _towards(row: Any, start: Any, head: Any, cost: Any, capacity: Any, bundle: int, order: Any, share: Any) -> None:
    """Fills `share` (n_switches,) with what of one unit from each switch to where `row` is 0 crosses the bundle."""
    share[:] = 0.0
    for place in range(_sorted_by(row, order)):
        switch = order[place]
        total, crosses = 0.0, 0.0
        for way in range(start[switch], start[switch + 1]):
            ahead = row[head[way]]
            if ahead >= 0 and ahead == row[switch] - cost[way]:
                total += capacity[way]
                crosses += capacity[way] * (1.0 if way == bundle else share[head[way]])
        if total > 0.0:
            share[switch] = crosses / total


@compiled
def _landing(
    origin: int, row: Any, start: Any, head: Any, cost: Any, capacity: Any, amount: Any, frontier: Any, following: Any
) -> int:
    """Spreads one unit from a switch to where `row` is 0; returns on how many switches of `frontier` it has landed."""
    frontier[0], amount[origin], n_frontier = origin, 1.0, 1
    while True:
        farthest = row[frontier[0]]
        for place in range(1, n_frontier):
            farthest = max(farthest, row[frontier[place]])
        if farthest == 0:
            return n_frontier
        n_following = 0
        for place in range(n_frontier):
            if row[frontier[place]] < farthest:
                following[n_following] = frontier[place]
                n_following += 1
        for place in range(n_frontier):
            switch = frontier[place]
            if row[switch] < farthest:
                continue
            total = 0.0
            for way in range(start[switch], start[switch + 1]):
                if row[head[way]] >= 0 and row[head[way]] == farthest - cost[way]:
                    total += capacity[way]
            for way in range(start[switch], start[switch + 1]):
                if row[head[way]] >= 0 and row[head[way]] == farthest - cost[way]:
                    if amount[head[way]] == 0.0:
                        following[n_following] = head[way]
                        n_following += 1
                    amount[head[way]] += amount[switch] * (capacity[way] / total)
            amount[switch] = 0.0
        for place in range(n_following):
            frontier[place] = following[place]
        n_frontier = n_following


@compiled
def direct_shares(
    start: Any, head: Any, cost: Any, capacity: Any, leafs: Any, distance: Any, bundle: int, tail: int
) -> tuple[Any, Any]:
    """(goals, shares): the leafs to which nearest ways cross the bundle, and (n_goals, n_switches) what of one unit."""
    crossed = np.empty(len(leafs), dtype=np.int32)
    n_goals = 0
    for goal in range(len(leafs)):
        there = distance[goal, head[bundle]]
        if there >= 0 and distance[goal, tail] == there + cost[bundle]:
            crossed[n_goals] = goal
            n_goals += 1
    shares, order = np.empty((n_goals, len(start) - 1)), np.empty(len(start) - 1, dtype=np.int32)
    for place in range(n_goals):
        _towards(distance[crossed[place]], start, head, cost, capacity, bundle, order, shares[place])
    return crossed[:n_goals].copy(), shares


@compiled
def valiant_shares(
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    leafs: Any,
    region_of: Any,
    to_region: Any,
    bundle: int,
    tail: int,
    goals: Any,
    shares: Any,
) -> Any:
    """(n_leafs, n_leafs) what of one unit from leaf to leaf crosses the bundle, by every third region alike.

    `goals` and `shares` are those of `direct_shares`.
    """
    n_leafs, n_regions, n_switches = len(leafs), len(to_region), len(start) - 1
    found = np.zeros((n_leafs, n_leafs))
    order, share = np.empty(n_switches, dtype=np.int32), np.empty(n_switches)
    amount = np.zeros(n_switches)
    frontier, following = np.empty(n_switches, dtype=np.int32), np.empty(n_switches, dtype=np.int32)
    size, inside = np.zeros(n_regions, dtype=np.int32), np.empty(n_regions, dtype=np.int32)
    for switch in range(n_switches):
        if region_of[switch] >= 0:
            size[region_of[switch]] += 1
            inside[region_of[switch]] = switch
    on_way, is_way = np.zeros((n_regions, n_leafs)), np.zeros((n_regions, n_leafs), dtype=np.bool_)
    after = np.zeros((len(goals), n_leafs))
    for region in range(n_regions):
        row = to_region[region]
        ahead = row[head[bundle]]
        share[:] = 0.0
        if ahead >= 0 and row[tail] == ahead + cost[bundle]:
            _towards(row, start, head, cost, capacity, bundle, order, share)
        for leaf in range(n_leafs):
            origin = leafs[leaf]
            if region == region_of[origin] or row[origin] < 0:
                continue
            is_way[region, leaf], on_way[region, leaf] = True, share[origin]
            if len(goals) == 0:
                continue
            n_landed = 1
            if size[region] == 1:
                frontier[0], amount[inside[region]] = inside[region], 1.0
            else:
                n_landed = _landing(origin, row, start, head, cost, capacity, amount, frontier, following)
            for place in range(n_landed):
                switch = frontier[place]
                for which in range(len(goals)):
                    if region != region_of[leafs[goals[which]]]:
                        after[which, leaf] += amount[switch] * shares[which, switch]
                amount[switch] = 0.0
    n_ways, before = is_way.sum(axis=0), on_way.sum(axis=0)
    place_of = np.full(n_leafs, -1, dtype=np.int32)
    for which in range(len(goals)):
        place_of[goals[which]] = which
    for leaf in range(n_leafs):
        here = region_of[leafs[leaf]]
        for goal in range(n_leafs):
            there, which = region_of[leafs[goal]], place_of[goal]
            # What would go by the goal's own region is left out.
            less = there >= 0 and is_way[there, leaf]
            ways = n_ways[leaf] - less
            if here == there or ways == 0:
                found[leaf, goal] = shares[which, leafs[leaf]] if which >= 0 else 0.0
                continue
            crosses = before[leaf] - (on_way[there, leaf] if less else 0.0)
            if which >= 0:
                crosses += after[which, leaf]
            found[leaf, goal] = crosses / ways
    return found
