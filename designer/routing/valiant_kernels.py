"""Valiant routing's inner loops, compiled. Arrays are those of SwitchGraph and Regions; see there for their shapes."""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled


@compiled
def _spread(
    n_frontier: int,
    row: Any,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    amount: Any,
    frontier: Any,
    following: Any,
    on_bundle: Any,
    touched: Any,
    n_touched: int,
) -> tuple[int, int]:
    """Spreads the amounts on the frontier to where `row` is 0, over all nearest ways by capacity.

    Adds what crosses each bundle to `on_bundle`, naming it in `touched` the first time. Returns (arrived, n_touched):
    the first so many of the frontier are where the rest has arrived, amounts and all.
    """
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
            total = 0.0
            for bundle in range(start[switch], start[switch + 1]):
                ahead = row[head[bundle]]
                if ahead >= 0 and ahead == farthest - cost[bundle]:
                    total += capacity[bundle]
            for bundle in range(start[switch], start[switch + 1]):
                ahead = row[head[bundle]]
                if ahead >= 0 and ahead == farthest - cost[bundle]:
                    neighbour, part = head[bundle], amount[switch] * (capacity[bundle] / total)
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


@compiled
def _remember(
    switch: int,
    row: Any,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    first: Any,
    count: Any,
    at: int,
    hops: Any,
    parts: Any,
) -> int:
    """Writes a switch's bundles towards where `row` is 0, each with its part of what leaves, from place `at` on.

    Returns the place after them.
    """
    first[switch], total = at, 0.0
    for bundle in range(start[switch], start[switch + 1]):
        ahead = row[head[bundle]]
        if ahead >= 0 and ahead == row[switch] - cost[bundle]:
            hops[at] = bundle
            total += capacity[bundle]
            at += 1
    count[switch] = at - first[switch]
    for place in range(first[switch], at):
        parts[place] = capacity[hops[place]] / total
    return at


@compiled
def _follow(
    n_frontier: int,
    row: Any,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    first: Any,
    count: Any,
    at: int,
    hops: Any,
    parts: Any,
    amount: Any,
    frontier: Any,
    following: Any,
    on_bundle: Any,
    touched: Any,
    n_touched: int,
) -> tuple[int, int, int]:
    """As `_spread`, by next hops that are found once for each switch: `first` is negative where they are not yet.

    Returns (arrived, n_touched, at); see `_remember` for `at`, `hops` and `parts`.
    """
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
            if first[switch] < 0:
                at = _remember(switch, row, start, head, cost, capacity, first, count, at, hops, parts)
            here = amount[switch]
            for entry in range(first[switch], first[switch] + count[switch]):
                bundle = hops[entry]
                neighbour, part = head[bundle], here * parts[entry]
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
    return n_frontier, n_touched, at


@compiled
def _first_halves(
    origin: int,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    region_of: Any,
    to_region: Any,
    amount: Any,
    frontier: Any,
    following: Any,
    on_bundle: Any,
    touched: Any,
    bounds: Any,
    way: Any,
    part: Any,
    at: int,
) -> tuple[int, Any, Any]:
    """Where one unit from a switch goes on its way to each other region, and where it lands, from place `at` on.

    `bounds` (n_regions, 3) becomes where a region's bundles begin in `way`, where its switches begin, and where these
    end; `part` says how much. Returns the place after all, and the arrays, which may have grown.
    """
    for region in range(len(to_region)):
        bounds[region, :] = at
        if region == region_of[origin] or to_region[region, origin] < 0:
            continue
        frontier[0], amount[origin] = origin, 1.0
        arrived, n_touched = _spread(
            1, to_region[region], start, head, cost, capacity, amount, frontier, following, on_bundle, touched, 0
        )
        if at + n_touched + arrived > len(way):
            more = len(way) + n_touched + arrived
            way, part = np.concatenate((way, np.empty(more, dtype=np.int32))), np.concatenate((part, np.empty(more)))
        for place in range(n_touched):
            way[at], part[at] = touched[place], on_bundle[touched[place]]
            on_bundle[touched[place]] = 0.0
            at += 1
        bounds[region, 1] = at
        for place in range(arrived):
            way[at], part[at] = frontier[place], amount[frontier[place]]
            amount[frontier[place]] = 0.0
            at += 1
        bounds[region, 2] = at
    return at, way, part


@compiled
def rows(
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    leafs: Any,
    distance: Any,
    region_of: Any,
    to_region: Any,
    from_leaf: Any,
    to_leaf: Any,
    room: int,
) -> tuple[Any, Any, Any]:
    """(row_start, bundles, weights): where one unit goes from leaf to leaf, by every third region alike.

    Between leafs of one region, or where there is no third one, by the nearest ways. Commodities are sorted by
    `to_leaf`. Ways to regions are remembered by leaf, up to `room` entries; next hops for the goal at hand.
    """
    n_switches, n_commodities, n_regions = len(start) - 1, len(from_leaf), len(to_region)
    row_start = np.zeros(n_commodities + 1, dtype=np.int64)
    amount, frontier = np.zeros(n_switches), np.empty(n_switches, dtype=np.int32)
    following, on_bundle = np.empty(n_switches, dtype=np.int32), np.zeros(len(head))
    scratch, touched = np.zeros(len(head)), np.empty(len(head), dtype=np.int32)
    bundles, weights = np.empty(64 * n_commodities + 64, dtype=np.int32), np.empty(64 * n_commodities + 64)
    first, count = np.full(n_switches, -1, dtype=np.int32), np.empty(n_switches, dtype=np.int32)
    hops, parts = np.empty(len(head), dtype=np.int32), np.empty(len(head))
    known, n_known = np.full(len(leafs), -1, dtype=np.int32), 0
    bounds = np.empty((max(1, min(len(leafs), room // n_regions)) if n_regions else 1, n_regions, 3), dtype=np.int32)
    way, part = np.empty(room, dtype=np.int32), np.empty(room)
    at, at_way, last = 0, 0, -1
    for commodity in range(n_commodities):
        origin, row = leafs[from_leaf[commodity]], distance[to_leaf[commodity]]
        goal = leafs[to_leaf[commodity]]
        here, there = region_of[origin], region_of[goal]
        if to_leaf[commodity] != last:
            last, at = to_leaf[commodity], 0
            first[:] = -1
        n_touched, n_frontier, n_ways = 0, 0, 0
        if here != there:
            for region in range(n_regions):
                n_ways += region != here and region != there and to_region[region, origin] >= 0
        if n_ways == 0:
            frontier[0], amount[origin] = origin, 1.0
            n_frontier = 1
        else:
            if known[from_leaf[commodity]] < 0:
                if at_way > room // 2 or n_known == len(bounds):
                    known[:], n_known, at_way = -1, 0, 0
                at_way, way, part = _first_halves(
                    origin,
                    start,
                    head,
                    cost,
                    capacity,
                    region_of,
                    to_region,
                    amount,
                    frontier,
                    following,
                    scratch,
                    touched,
                    bounds[n_known],
                    way,
                    part,
                    at_way,
                )
                known[from_leaf[commodity]], n_known = n_known, n_known + 1
            of_region = bounds[known[from_leaf[commodity]]]
            for region in range(n_regions):
                if region == there:
                    continue
                begin, middle, end = of_region[region]
                for place in range(begin, middle):
                    bundle = way[place]
                    if on_bundle[bundle] == 0.0:
                        touched[n_touched] = bundle
                        n_touched += 1
                    on_bundle[bundle] += part[place] / n_ways
                for place in range(middle, end):
                    switch = way[place]
                    if amount[switch] == 0.0:
                        frontier[n_frontier] = switch
                        n_frontier += 1
                    amount[switch] += part[place] / n_ways
        arrived, n_touched, at = _follow(
            n_frontier,
            row,
            start,
            head,
            cost,
            capacity,
            first,
            count,
            at,
            hops,
            parts,
            amount,
            frontier,
            following,
            on_bundle,
            touched,
            n_touched,
        )
        for place in range(arrived):
            amount[frontier[place]] = 0.0
        end = row_start[commodity] + n_touched
        if end > len(bundles):
            size = max(2 * len(bundles), end)
            bundles = np.concatenate((bundles, np.empty(size - len(bundles), dtype=np.int32)))
            weights = np.concatenate((weights, np.empty(size - len(weights))))
        for place in range(n_touched):
            bundle = touched[place]
            bundles[row_start[commodity] + place], weights[row_start[commodity] + place] = bundle, on_bundle[bundle]
            on_bundle[bundle] = 0.0
        row_start[commodity + 1] = end
    return row_start, bundles[: row_start[n_commodities]], weights[: row_start[n_commodities]]


@compiled
def _second_half_over_leafs(
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    leafs: Any,
    distance: Any,
    sent: Any,
    amount: Any,
    frontier: Any,
    following: Any,
    on_bundle: Any,
    touched: Any,
) -> None:
    """Where every region is a leaf of its own: what goes to a leaf has landed evenly on all others."""
    n_leafs = len(leafs)
    into = sent.sum(axis=0)
    for goal in range(n_leafs):
        n_frontier = 0
        for middle in range(n_leafs):
            landed = into[goal] - sent[middle, goal] - sent[goal, goal]
            if middle != goal and landed > 1e-12 * into[goal]:
                frontier[n_frontier] = leafs[middle]
                amount[leafs[middle]] = landed / (n_leafs - 2)
                n_frontier += 1
        arrived, _ = _spread(
            n_frontier, distance[goal], start, head, cost, capacity, amount, frontier, following, on_bundle, touched, 0
        )
        for place in range(arrived):
            amount[frontier[place]] = 0.0


@compiled
def _in_proportion(to_goal: Any, region_of: Any, leafs: Any, region: int, base: int, goal: int) -> float:
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
def loads(
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    leafs: Any,
    distance: Any,
    region_of: Any,
    to_region: Any,
    sent: Any,
) -> Any:
    """(n_bundles,) what crosses each bundle where `sent` (n_leafs, n_leafs) goes from leaf to leaf as in `rows`.

    Every leaf is taken to reach every region. On the way to a region all leafs' shares go together, as do all regions'
    on the way to a leaf.
    """
    n_switches, n_leafs, n_regions = len(start) - 1, len(leafs), len(to_region)
    amount = np.zeros(n_switches)
    frontier, following = np.empty(n_switches, dtype=np.int32), np.empty(n_switches, dtype=np.int32)
    on_bundle, touched = np.zeros(len(head)), np.empty(len(head), dtype=np.int32)
    scratch, scratch_touched = np.zeros(len(head)), np.empty(len(head), dtype=np.int32)
    n_ways = max(n_regions - 2, 0)
    to = np.zeros((n_leafs, n_regions))  # what a leaf sends to all leafs of a region
    for origin in range(n_leafs):
        for goal in range(n_leafs):
            to[origin, region_of[leafs[goal]]] += sent[origin, goal]
    out = to.sum(axis=1)
    # The first half of the way, region by region.
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
        arrived, _ = _spread(
            n_frontier,
            to_region[region],
            start,
            head,
            cost,
            capacity,
            amount,
            frontier,
            following,
            on_bundle,
            touched,
            0,
        )
        for place in range(arrived):
            amount[frontier[place]] = 0.0
    n_in_regions = 0
    for switch in range(n_switches):
        n_in_regions += region_of[switch] >= 0
    if n_in_regions == n_leafs and n_regions == n_leafs and n_ways > 0:
        _second_half_over_leafs(
            start, head, cost, capacity, leafs, distance, sent, amount, frontier, following, on_bundle, touched
        )
        return on_bundle
    # Where one unit from a leaf lands in a region: (leaf, region) -> switches and shares.
    land_start = np.zeros(n_leafs * n_regions + 1, dtype=np.int64)
    land_switch, land_share = np.empty(n_leafs * n_regions + 64, dtype=np.int32), np.empty(n_leafs * n_regions + 64)
    at = 0
    for origin in range(n_leafs):
        for region in range(n_regions):
            if n_ways > 0 and region != region_of[leafs[origin]]:
                frontier[0], amount[leafs[origin]] = leafs[origin], 1.0
                arrived, n_touched = _spread(
                    1,
                    to_region[region],
                    start,
                    head,
                    cost,
                    capacity,
                    amount,
                    frontier,
                    following,
                    scratch,
                    scratch_touched,
                    0,
                )
                for place in range(n_touched):
                    scratch[scratch_touched[place]] = 0.0
                if at + arrived > len(land_switch):
                    room = max(len(land_switch), arrived)
                    land_switch = np.concatenate((land_switch, np.empty(room, dtype=np.int32)))
                    land_share = np.concatenate((land_share, np.empty(room)))
                for place in range(arrived):
                    land_switch[at], land_share[at] = frontier[place], amount[frontier[place]]
                    amount[frontier[place]] = 0.0
                    at += 1
            land_start[origin * n_regions + region + 1] = at
    # The second half, leaf by leaf. Leafs of a region are mostly sent to alike: then what lands where is found once.
    to_goal = sent.T.copy()
    landed = np.zeros(n_switches)
    for region in range(n_regions):
        base = -1
        for goal in range(n_leafs):
            if region_of[leafs[goal]] != region:
                continue
            scale = _in_proportion(to_goal, region_of, leafs, region, base, goal) if base >= 0 else -1.0
            if scale < 0.0:
                base, scale = goal, 1.0
                landed[:] = 0.0
                for origin in range(n_leafs):
                    here = region_of[leafs[origin]]
                    if to_goal[goal, origin] == 0.0 or here == region or n_ways == 0:
                        continue
                    part = to_goal[goal, origin] / n_ways
                    for middle in range(n_regions):
                        if middle != here and middle != region:
                            pair = origin * n_regions + middle
                            for place in range(land_start[pair], land_start[pair + 1]):
                                landed[land_switch[place]] += part * land_share[place]
            for origin in range(n_leafs):
                direct = region_of[leafs[origin]] == region or n_ways == 0
                if direct and origin != goal:
                    amount[leafs[origin]] = to_goal[goal, origin]
            n_frontier = 0
            for switch in range(n_switches):
                amount[switch] += scale * landed[switch]
                if amount[switch] > 0.0:
                    frontier[n_frontier] = switch
                    n_frontier += 1
            arrived, _ = _spread(
                n_frontier,
                distance[goal],
                start,
                head,
                cost,
                capacity,
                amount,
                frontier,
                following,
                on_bundle,
                touched,
                0,
            )
            for place in range(arrived):
                amount[frontier[place]] = 0.0
    return on_bundle
