"""Valiant routing's inner loops, compiled. Arrays are those of SwitchGraph and Regions; see there for their shapes."""

from typing import NamedTuple

import numpy as np

from designer.graph.compiled import compiled, compiled_borrowing
from designer.routing.transport_kernels import (
    Areas,
    Bundles,
    Descent,
    Floats,
    Goals,
    Ints,
    Rows,
    Walk,
    aim,
    descent_over,
    forget,
    longer,
    spread,
    spread_one,
    walk_over,
)


class Parts(NamedTuple):
    """Bundles or switches, and what of one unit is there."""

    items: Ints
    shares: Floats


@compiled
def _first_halves(
    origin: int, bundles: Bundles, areas: Areas, way: Descent, walk: Walk, bounds: Ints, known: Parts, at: int
) -> tuple[int, Parts]:
    """Where one unit from a switch goes on its way to each other region, and where it lands, from place `at` on.

    `bounds` (n_regions, 3) becomes where a region's bundles begin in `known`, where its switches begin, and where these
    end. Returns the place after all, and `known`, which may have grown.
    """
    region_of, to_region = areas.of, areas.distance
    amount, frontier, _, on_bundle, touched = walk
    items, shares = known
    for region in range(len(to_region)):
        bounds[region, :] = at
        if region == region_of[origin] or to_region[region, origin] < 0:
            continue
        aim(way, region)
        arrived, n_touched = spread_one(origin, bundles, way, walk)
        if at + n_touched + arrived > len(items):
            more = len(items) + n_touched + arrived
            items, shares = longer(items, more), longer(shares, more)
        for place in range(n_touched):
            items[at], shares[at] = touched[place], on_bundle[touched[place]]
            at += 1
        bounds[region, 1] = at
        for place in range(arrived):
            items[at], shares[at] = frontier[place], amount[frontier[place]]
            at += 1
        bounds[region, 2] = at
        forget(walk, arrived, n_touched)
    return at, Parts(items, shares)


@compiled_borrowing
def _set_out(bounds: Ints, there: int, known: Parts, n_ways: int, walk: Walk) -> tuple[int, int]:
    """Puts one unit's first halves on bundles and switches, by every region but `there`: (n_frontier, n_touched)."""
    n_frontier, n_touched = 0, 0
    amount, frontier, _, on_bundle, touched = walk
    items, shares = known
    for region in range(len(bounds)):
        if region == there:
            continue
        begin, middle, end = bounds[region]
        for place in range(begin, middle):
            bundle = items[place]
            if on_bundle[bundle] == 0.0:
                touched[n_touched] = bundle
                n_touched += 1
            on_bundle[bundle] += shares[place] / n_ways
        for place in range(middle, end):
            switch = items[place]
            if amount[switch] == 0.0:
                frontier[n_frontier] = switch
                n_frontier += 1
            amount[switch] += shares[place] / n_ways
    return n_frontier, n_touched


@compiled
def rows(bundles: Bundles, goals: Goals, areas: Areas, from_leaf: Ints, to_leaf: Ints, room: int, into: Parts) -> Rows:
    """Where one unit goes from leaf to leaf, by every third region alike; written `into` arrays while they last.

    Between leafs of one region, or where there is no third one, by the nearest ways. Commodities are sorted by
    `to_leaf`. Ways to regions are remembered by leaf, up to `room` entries; next hops for the goal at hand.
    """
    leafs, region_of, to_region = goals.leafs, areas.of, areas.distance
    n_commodities, n_regions = len(from_leaf), len(to_region)
    row_start = np.zeros(n_commodities + 1, dtype=np.int64)
    items, weights = into
    way, walk = descent_over(bundles, goals.distance, goals.only), walk_over(bundles)
    on_bundle, touched = walk.on_bundle, walk.touched
    first_way, first_walk = descent_over(bundles, to_region, areas.only), walk_over(bundles)
    place_of, n_known, at_known = np.full(len(leafs), -1, dtype=np.int32), 0, 0
    bounds = np.empty((max(1, min(len(leafs), room // n_regions)) if n_regions else 1, n_regions, 3), dtype=np.int32)
    known, last = Parts(np.empty(room, dtype=np.int32), np.empty(room)), -1
    for commodity in range(n_commodities):
        leaf, goal = from_leaf[commodity], to_leaf[commodity]
        origin, here, there = leafs[leaf], region_of[leafs[leaf]], region_of[leafs[goal]]
        if goal != last:
            last = goal
            aim(way, goal)
        n_ways = 0
        if here != there:
            for region in range(n_regions):
                n_ways += region != here and region != there and to_region[region, origin] >= 0
        if n_ways == 0:
            arrived, n_touched = spread_one(origin, bundles, way, walk)
        else:
            if place_of[leaf] < 0:
                if at_known > room // 2 or n_known == len(bounds):
                    place_of[:], n_known, at_known = -1, 0, 0
                at_known, known = _first_halves(
                    origin, bundles, areas, first_way, first_walk, bounds[n_known], known, at_known
                )
                place_of[leaf], n_known = n_known, n_known + 1
            n_frontier, n_touched = _set_out(bounds[place_of[leaf]], there, known, n_ways, walk)
            arrived, n_touched = spread(bundles, way, walk, n_frontier, n_touched)
        begin = row_start[commodity]
        if begin + n_touched > len(items):
            more = max(len(items), n_touched)
            items, weights = longer(items, more), longer(weights, more)
        for place in range(n_touched):
            items[begin + place], weights[begin + place] = touched[place], on_bundle[touched[place]]
        forget(walk, arrived, n_touched)
        row_start[commodity + 1] = begin + n_touched
    return Rows(row_start, items[: row_start[n_commodities]], weights[: row_start[n_commodities]])


@compiled
def move(parts: Parts, into: Parts, at: int) -> None:
    """Copies parts to place `at` on, where they may stand already, or farther on."""
    items, shares = into
    for place in range(len(parts.items)):
        items[at + place], shares[at + place] = parts.items[place], parts.shares[place]


@compiled_borrowing
def _in_proportion(to_goal: Floats, region_of: Ints, leafs: Ints, region: int, base: int, goal: int) -> float:
    """How many times what goes to `base` from other regions goes to `goal`; -1 where it is not in proportion."""
    all_base, all_goal = 0.0, 0.0
    for origin in range(len(leafs)):
        if region_of[leafs[origin]] != region:
            all_base += to_goal[base, origin]
            all_goal += to_goal[goal, origin]
    if all_base == 0.0:
        return 0.0 if all_goal == 0.0 else -1.0
    scale = all_goal / all_base
    for origin in range(len(leafs)):
        if region_of[leafs[origin]] != region:
            here = to_goal[goal, origin]
            if abs(here - scale * to_goal[base, origin]) > 1e-12 * here + 1e-15 * all_goal:
                return -1.0
    return scale


@compiled
def loads(bundles: Bundles, goals: Goals, areas: Areas, sent: Floats) -> Floats:
    """(n_bundles,) what crosses each bundle where `sent` (n_leafs, n_leafs) goes from leaf to leaf as in `rows`.

    Every leaf is taken to reach every region. On the way to a region all leafs' shares go together, as do all regions'
    on the way to a leaf.
    """
    way, to_areas = descent_over(bundles, goals.distance, goals.only), descent_over(bundles, areas.distance, areas.only)
    walk, n_regions = walk_over(bundles), len(areas.distance)
    _first_half(goals.leafs, bundles, areas, sent, to_areas, walk)
    if n_regions == len(goals.leafs) and (areas.of >= 0).sum() == n_regions and n_regions > 2:
        _second_half_over_leafs(goals.leafs, bundles, sent, way, walk)
    else:
        landings = _landings(goals.leafs, bundles, areas, to_areas)
        _second_half(goals.leafs, bundles, areas, sent, landings, way, walk)
    return walk.on_bundle


@compiled
def _first_half(leafs: Ints, bundles: Bundles, areas: Areas, sent: Floats, way: Descent, walk: Walk) -> None:
    """Adds what goes to regions, region by region."""
    region_of, n_leafs, n_regions = areas.of, len(leafs), len(areas.distance)
    amount, frontier = walk.amount, walk.frontier
    n_ways = max(n_regions - 2, 0)
    to = np.zeros((n_leafs, n_regions))  # what a leaf sends to all leafs of a region
    for origin in range(n_leafs):
        for goal in range(n_leafs):
            to[origin, region_of[leafs[goal]]] += sent[origin, goal]
    out = to.sum(axis=1)
    for region in range(n_regions):
        n_frontier = 0
        for origin in range(n_leafs):
            here = region_of[leafs[origin]]
            if n_ways > 0 and here != region:
                away = out[origin] - to[origin, here] - to[origin, region]
                if away > 1e-12 * out[origin]:
                    frontier[n_frontier] = leafs[origin]
                    amount[leafs[origin]] = away / n_ways
                    n_frontier += 1
        aim(way, region)
        arrived, _ = spread(bundles, way, walk, n_frontier, 0)
        forget(walk, arrived, 0)


@compiled
def _second_half_over_leafs(leafs: Ints, bundles: Bundles, sent: Floats, way: Descent, walk: Walk) -> None:
    """Where every region is a leaf of its own: what goes to a leaf has landed evenly on all others."""
    amount, frontier = walk.amount, walk.frontier
    n_leafs, into = len(leafs), sent.sum(axis=0)
    for goal in range(n_leafs):
        n_frontier = 0
        for middle in range(n_leafs):
            landed = into[goal] - sent[middle, goal] - sent[goal, goal]
            if middle != goal and landed > 1e-12 * into[goal]:
                frontier[n_frontier] = leafs[middle]
                amount[leafs[middle]] = landed / (n_leafs - 2)
                n_frontier += 1
        aim(way, goal)
        arrived, _ = spread(bundles, way, walk, n_frontier, 0)
        forget(walk, arrived, 0)


@compiled
def _landings(leafs: Ints, bundles: Bundles, areas: Areas, way: Descent) -> Rows:
    """Where one unit from a leaf lands in a region: (leaf, region) -> switches and shares."""
    n_leafs, n_regions, walk = len(leafs), len(areas.distance), walk_over(bundles)
    region_of, amount, frontier = areas.of, walk.amount, walk.frontier
    start = np.zeros(n_leafs * n_regions + 1, dtype=np.int64)
    items, weights = np.empty(n_leafs * n_regions + 64, dtype=np.int32), np.empty(n_leafs * n_regions + 64)
    at = 0
    for origin in range(n_leafs):
        for region in range(n_regions):
            if n_regions > 2 and region != region_of[leafs[origin]]:
                aim(way, region)
                arrived, n_touched = spread_one(leafs[origin], bundles, way, walk)
                if at + arrived > len(items):
                    more = max(len(items), arrived)
                    items, weights = longer(items, more), longer(weights, more)
                for place in range(arrived):
                    items[at], weights[at] = frontier[place], amount[frontier[place]]
                    at += 1
                forget(walk, arrived, n_touched)
            start[origin * n_regions + region + 1] = at
    return Rows(start, items, weights)


@compiled_borrowing
def _landed(to_goal: Floats, leafs: Ints, region_of: Ints, region: int, landings: Rows, landed: Floats) -> None:
    """Sets where what leafs send to one in a region lands on its way: `to_goal` (n_leafs,) by third regions alike."""
    start, items, weights = landings
    n_regions = (len(start) - 1) // len(leafs)
    landed[:] = 0.0
    for origin in range(len(leafs)):
        here = region_of[leafs[origin]]
        if to_goal[origin] == 0.0 or here == region or n_regions <= 2:
            continue
        part = to_goal[origin] / (n_regions - 2)
        for middle in range(n_regions):
            if middle != here and middle != region:
                pair = origin * n_regions + middle
                for place in range(start[pair], start[pair + 1]):
                    landed[items[place]] += part * weights[place]


@compiled
def _second_half(
    leafs: Ints, bundles: Bundles, areas: Areas, sent: Floats, landings: Rows, way: Descent, walk: Walk
) -> None:
    """Adds what goes to leafs, leaf by leaf. Those of a region are mostly sent to alike: what lands is found once."""
    region_of, n_leafs, n_regions = areas.of, len(leafs), len(areas.distance)
    amount, frontier = walk.amount, walk.frontier
    to_goal = sent.T.copy()
    landed = np.zeros(len(bundles.start) - 1)
    for region in range(n_regions):
        base = -1
        for goal in range(n_leafs):
            if region_of[leafs[goal]] != region:
                continue
            scale = _in_proportion(to_goal, region_of, leafs, region, base, goal) if base >= 0 else -1.0
            if scale < 0.0:
                base, scale = goal, 1.0
                _landed(to_goal[goal], leafs, region_of, region, landings, landed)
            for origin in range(n_leafs):
                direct = region_of[leafs[origin]] == region or n_regions <= 2
                if direct and origin != goal:
                    amount[leafs[origin]] = to_goal[goal, origin]
            n_frontier = 0
            for switch in range(len(landed)):
                amount[switch] += scale * landed[switch]
                if amount[switch] > 0.0:
                    frontier[n_frontier] = switch
                    n_frontier += 1
            aim(way, goal)
            arrived, _ = spread(bundles, way, walk, n_frontier, 0)
            forget(walk, arrived, 0)
