"""How much of what leafs send each other crosses one bundle: the inner loops, compiled."""

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled
from designer.routing.transport_kernels import (
    Areas,
    Bundles,
    Floats,
    Goals,
    Ints,
    aim,
    descent_over,
    find_all,
    forget,
    pull,
    spread_one,
    walk_over,
)


@compiled
def direct_shares(bundles: Bundles, goals: Goals, bundle: int, tail: int) -> tuple[Ints, Floats]:
    """(goals, shares): the leafs to which nearest ways cross the bundle, and (n_goals, n_switches) what of one unit."""
    distance, crossed, n_goals = goals.distance, np.empty(len(goals.leafs), dtype=np.int32), 0
    for goal in range(len(goals.leafs)):
        there = distance[goal, bundles.head[bundle]]
        if there >= 0 and distance[goal, tail] == there + bundles.cost[bundle]:
            crossed[n_goals] = goal
            n_goals += 1
    shares = np.zeros((n_goals, len(bundles.start) - 1))
    way, is_it = descent_over(bundles, distance, goals.only), np.zeros(len(bundles.head))
    is_it[bundle] = 1.0
    for place in range(n_goals):
        aim(way, crossed[place])
        pull(bundles, way, find_all(bundles, way), is_it, shares[place])
    return crossed[:n_goals].copy(), shares


@compiled
def valiant_shares(
    bundles: Bundles, leafs: Ints, areas: Areas, bundle: int, tail: int, goals: Ints, shares: Floats
) -> Floats:
    """(n_leafs, n_leafs) what of one unit from leaf to leaf crosses the bundle, by every third region alike.

    `goals` and `shares` are those of `direct_shares`.
    """
    region_of, n_leafs, n_regions, n_switches = areas.of, len(leafs), len(areas.distance), len(bundles.start) - 1
    head_of_it, cost_of_it = bundles.head[bundle], bundles.cost[bundle]
    way, walk = descent_over(bundles, areas.distance, areas.only), walk_over(bundles)
    amount, frontier = walk.amount, walk.frontier
    share, is_it = np.zeros(n_switches), np.zeros(len(bundles.head))
    is_it[bundle] = 1.0
    size, inside = np.zeros(n_regions, dtype=np.int32), np.empty(n_regions, dtype=np.int32)
    for switch in range(n_switches):
        if region_of[switch] >= 0:
            size[region_of[switch]] += 1
            inside[region_of[switch]] = switch
    on_way, is_way = np.zeros((n_regions, n_leafs)), np.zeros((n_regions, n_leafs), dtype=np.bool_)
    after = np.zeros((len(goals), n_leafs))
    for region in range(n_regions):
        row = areas.distance[region]
        aim(way, region)
        ahead = row[head_of_it]
        share[:] = 0.0
        if ahead >= 0 and row[tail] == ahead + cost_of_it:
            pull(bundles, way, find_all(bundles, way), is_it, share)
        for leaf in range(n_leafs):
            origin = leafs[leaf]
            if region == region_of[origin] or row[origin] < 0:
                continue
            is_way[region, leaf], on_way[region, leaf] = True, share[origin]
            if len(goals) == 0:
                continue
            n_landed, n_touched = 1, 0
            if size[region] == 1:
                frontier[0], amount[inside[region]] = inside[region], 1.0
            else:
                n_landed, n_touched = spread_one(origin, bundles, way, walk)
            for place in range(n_landed):
                switch = frontier[place]
                for which in range(len(goals)):
                    if region != region_of[leafs[goals[which]]]:
                        after[which, leaf] += amount[switch] * shares[which, switch]
            forget(walk, n_landed, n_touched)
    return _by_pair(leafs, region_of, is_way, on_way, after, goals, shares)


@compiled
def _by_pair(
    leafs: Ints,
    region_of: Ints,
    is_way: NDArray[np.bool_],
    on_way: Floats,
    after: Floats,
    goals: Ints,
    shares: Floats,
) -> Floats:
    """(n_leafs, n_leafs) of the shares that cross on the way to a region, and after it, the mean over third regions."""
    n_leafs = len(leafs)
    found = np.zeros((n_leafs, n_leafs))
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
