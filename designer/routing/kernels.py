"""Routing's inner loops, compiled. Arrays are those of SwitchGraph and Legs; see there for their shapes."""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled

DESTINATION, ECMP = 0, 1


@compiled
def _mixed(value: Any) -> Any:
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@compiled
def leads(row: Any, only: Any, switch: int, bundle: int, head: Any, cost: Any) -> bool:
    """Whether a bundle of a switch is a next hop towards the leaf of these rows of distances and of only ways."""
    if len(only) > 0:
        return bool(only[switch] == bundle)
    return bool(row[head[bundle]] >= 0 and row[head[bundle]] == row[switch] - cost[bundle])


@compiled
def next_hops(
    switch: Any, row: Any, only: Any, start: Any, head: Any, cost: Any, capacity: Any, hops: Any
) -> tuple[int, float]:
    """Fills `hops` with the bundles of a switch that are next hops; (how many, their capacity). See `leads`."""
    n_hops, total, here = 0, 0.0, row[switch]
    if len(only) > 0:
        if only[switch] >= 0:
            hops[0] = only[switch]
            return 1, capacity[hops[0]]
        return 0, 0.0
    for bundle in range(start[switch], start[switch + 1]):  # without a branch, which the processor would guess wrong
        there = row[head[bundle]]
        is_nearer = (there >= 0) & (there == here - cost[bundle])
        hops[n_hops] = bundle
        total += capacity[bundle] if is_nearer else 0.0
        n_hops += is_nearer
    return n_hops, total


@compiled
def widest(start: Any) -> int:
    """The largest number of bundles of a switch."""
    most = 0
    for switch in range(len(start) - 1):
        most = max(most, start[switch + 1] - start[switch])
    return most


@compiled
def hops_of(distance: int, far: int) -> int:
    """Number of hops of a way of that cost."""
    return distance if far == 0 else distance // far + distance % far


@compiled
def steps(distance: Any) -> int:
    """Scratch that a sort of switches by distance needs."""
    return distance.max() + 2 if distance.size > 0 else 2


@compiled
def _hop(
    switch: Any,
    row: Any,
    only: Any,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    arc_start: Any,
    arcs: Any,
    kind: int,
    number: Any,
    salt: Any,
    hops: Any,
) -> tuple[Any, Any]:
    """(arc, next switch) on the way down the distances in `row`; `number` is the destination already divided."""
    n_hops, _ = next_hops(switch, row, only, start, head, cost, capacity, hops)
    if kind == ECMP:
        n_ports = 0
        for place in range(n_hops):
            n_ports += arc_start[hops[place] + 1] - arc_start[hops[place]]
        drawn = _mixed(salt ^ (np.uint64(switch) * np.uint64(0xD1342543DE82EF95)))
        wanted = np.int64(drawn % np.uint64(n_ports))
        for place in range(n_hops):
            bundle = hops[place]
            size = arc_start[bundle + 1] - arc_start[bundle]
            if wanted < size:
                return arcs[arc_start[bundle] + wanted], np.int64(head[bundle])
            wanted -= size
    elif n_hops > 0:
        bundle = hops[number % n_hops]
        size = arc_start[bundle + 1] - arc_start[bundle]
        return arcs[arc_start[bundle] + (number // n_hops) % size], np.int64(head[bundle])
    return np.int32(-1), np.int64(-1)


@compiled
def single_paths(
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    far: int,
    arc_start: Any,
    arcs: Any,
    leafs: Any,
    distance: Any,
    only: Any,
    divisor: Any,
    from_leaf: Any,
    to_leaf: Any,
    index: Any,
    out: Any,
    in_: Any,
    kind: int,
    salt: Any,
) -> tuple[Any, Any]:
    """(leg_start, arcs): the arcs of each leg in the order they are travelled."""
    n_legs, width = out.shape
    leg_start = np.zeros(n_legs + 1, dtype=np.int64)
    for leg in range(n_legs):
        length = 0
        for place in range(width):
            length += (out[leg, place] >= 0) + (in_[leg, place] >= 0)
        if from_leaf[leg] >= 0:
            length += hops_of(distance[to_leaf[leg], leafs[from_leaf[leg]]], far)
        leg_start[leg + 1] = leg_start[leg] + length
    path, hops = np.empty(leg_start[n_legs], dtype=np.int32), np.empty(widest(start), dtype=np.int32)
    for leg in range(n_legs):
        at = leg_start[leg]
        for place in range(width):
            if out[leg, place] >= 0:
                path[at] = out[leg, place]
                at += 1
        if from_leaf[leg] >= 0:
            row = distance[to_leaf[leg]]
            switch = np.int64(leafs[from_leaf[leg]])
            while row[switch] > 0:
                arc, switch = _hop(
                    switch,
                    row,
                    only[to_leaf[leg]],
                    start,
                    head,
                    cost,
                    capacity,
                    arc_start,
                    arcs,
                    kind,
                    index[leg] // divisor[switch],
                    salt[leg],
                    hops,
                )
                path[at] = arc
                at += 1
        for place in range(width):
            if in_[leg, place] >= 0:
                path[at] = in_[leg, place]
                at += 1
    return leg_start, path


@compiled
def _by_distance(row: Any, first: Any, order: Any) -> int:
    """Fills `order` with the reachable switches, nearest first; returns how many. `first` is scratch."""
    first[:] = 0
    n_reachable = 0
    for switch in range(len(row)):
        if row[switch] >= 0:
            first[row[switch] + 1] += 1
            n_reachable += 1
    for hops in range(1, len(first)):
        first[hops] += first[hops - 1]
    for switch in range(len(row)):
        if row[switch] >= 0:
            order[first[row[switch]]] = switch
            first[row[switch]] += 1
    return n_reachable


@compiled
def spray_loads(
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    latency: Any,
    leafs: Any,
    distance: Any,
    only_of: Any,
    from_leaf: Any,
    to_leaf: Any,
    moved: Any,
    marks: Any,
) -> tuple[Any, Any, Any]:
    """(bytes by bundle, marks by bundle, latency by commodity), all flows to one leaf at a time.

    Commodities are sorted by to_leaf. `marks` (n_commodities, 2) are carried along like the bytes.
    """
    n_switches, n_commodities = len(start) - 1, len(from_leaf)
    bundle_bytes = np.zeros(len(head))
    bundle_marks = np.zeros((len(head), 2))
    commodity_latency = np.zeros(n_commodities)
    carried = np.zeros((n_switches, 3))
    delay = np.zeros(n_switches)
    order, first = np.empty(n_switches, dtype=np.int32), np.empty(steps(distance), dtype=np.int32)
    hops, slow = np.empty(widest(start), dtype=np.int32), (latency > 0.0).any()
    begin = 0
    while begin < n_commodities:
        end = begin
        row, only = distance[to_leaf[begin]], only_of[to_leaf[begin]]
        carried[:] = 0.0
        while end < n_commodities and to_leaf[end] == to_leaf[begin]:
            switch = leafs[from_leaf[end]]
            carried[switch, 0] += moved[end]
            carried[switch, 1] += marks[end, 0]
            carried[switch, 2] += marks[end, 1]
            end += 1
        n_reachable = _by_distance(row, first, order)
        for place in range(n_reachable - 1, 0, -1):
            switch = order[place]
            if carried[switch, 1] > 0.0:
                n_hops, total = next_hops(switch, row, only, start, head, cost, capacity, hops)
                for place_of_hop in range(n_hops):
                    bundle = hops[place_of_hop]
                    share = capacity[bundle] / total
                    for what in range(3):
                        carried[head[bundle], what] += share * carried[switch, what]
                    bundle_bytes[bundle] += share * carried[switch, 0]
                    bundle_marks[bundle, 0] += share * carried[switch, 1]
                    bundle_marks[bundle, 1] += share * carried[switch, 2]
        delay[order[0]] = 0.0  # of the commodities before: there it was a switch on the way
        for place in range(1, n_reachable):
            switch = order[place]
            delay[switch] = 0.0
            if slow and carried[switch, 1] > 0.0:
                n_hops, total = next_hops(switch, row, only, start, head, cost, capacity, hops)
                for place_of_hop in range(n_hops):
                    bundle = hops[place_of_hop]
                    delay[switch] += capacity[bundle] / total * (latency[bundle] + delay[head[bundle]])
        for commodity in range(begin, end):
            commodity_latency[commodity] = delay[leafs[from_leaf[commodity]]]
        begin = end
    return bundle_bytes, bundle_marks, commodity_latency


@compiled
def _walk(
    n_frontier: int,
    row: Any,
    only: Any,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    amount: Any,
    frontier: Any,
    following: Any,
    bundles: Any,
    weights: Any,
    at: int,
    like: Any,
    hops: Any,
) -> int:
    """Spreads the amounts on the frontier to where `row` is 0; writes the bundles that stand for themselves; new `at`.

    The farthest switches go first, so that each has all it will ever get. Leaves `amount` all zero.
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
            n_hops, total = next_hops(switch, row, only, start, head, cost, capacity, hops)
            for place_of_hop in range(n_hops):
                bundle = hops[place_of_hop]
                neighbour = head[bundle]
                part = amount[switch] * (capacity[bundle] / total)
                if amount[neighbour] == 0.0:
                    following[n_following] = neighbour
                    n_following += 1
                amount[neighbour] += part
                if like[bundle] == bundle:
                    if at < len(bundles):
                        bundles[at], weights[at] = bundle, part
                    at += 1
            amount[switch] = 0.0
        for place in range(n_following):
            frontier[place] = following[place]
        n_frontier = n_following
    for place in range(n_frontier):
        amount[frontier[place]] = 0.0
    return at


@compiled
def spray_rows(
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    leafs: Any,
    distance: Any,
    only: Any,
    from_leaf: Any,
    to_leaf: Any,
    like: Any,
) -> tuple[Any, Any, Any]:
    """(row_start, bundles, weights) of each commodity, only of bundles b with like[b] == b."""
    n_switches, n_commodities = len(start) - 1, len(from_leaf)
    row_start = np.zeros(n_commodities + 1, dtype=np.int64)
    amount = np.zeros(n_switches)
    frontier, following = np.empty(n_switches, dtype=np.int32), np.empty(n_switches, dtype=np.int32)
    bundles, weights = np.empty(16 * n_commodities + 64, dtype=np.int32), np.empty(16 * n_commodities + 64)
    hops = np.empty(widest(start), dtype=np.int32)
    commodity = 0
    while commodity < n_commodities:
        frontier[0] = leafs[from_leaf[commodity]]
        amount[frontier[0]] = 1.0
        end = _walk(
            1,
            distance[to_leaf[commodity]],
            only[to_leaf[commodity]],
            start,
            head,
            cost,
            capacity,
            amount,
            frontier,
            following,
            bundles,
            weights,
            row_start[commodity],
            like,
            hops,
        )
        if end > len(bundles):  # grow, and walk this one again
            size = max(2 * len(bundles), end)
            bundles = np.concatenate((bundles, np.empty(size - len(bundles), dtype=np.int32)))
            weights = np.concatenate((weights, np.empty(size - len(weights))))
            continue
        commodity += 1
        row_start[commodity] = end
    return row_start, bundles[: row_start[n_commodities]].copy(), weights[: row_start[n_commodities]].copy()


@compiled
def row_sums(row_start: Any, bundles: Any, weights: Any, moved: Any, latency: Any) -> tuple[Any, Any]:
    """(bytes by bundle, latency by commodity) of rows of which so many bytes are moved."""
    on_bundle, of_commodity = np.zeros(len(latency)), np.zeros(len(moved))
    for commodity in range(len(moved)):
        for entry in range(row_start[commodity], row_start[commodity + 1]):
            on_bundle[bundles[entry]] += weights[entry] * moved[commodity]
            of_commodity[commodity] += weights[entry] * latency[bundles[entry]]
    return on_bundle, of_commodity


@compiled
def assemble(
    out: Any,
    in_: Any,
    share: Any,
    commodity: Any,
    row_start: Any,
    row_bundles: Any,
    row_weights: Any,
    first_arc: Any,
    first_share: Any,
) -> tuple[Any, Any, Any]:
    """(leg_start, arcs, weights): arcs out, the commodity's row, arcs in; weights times the leg's share.

    Of a bundle its first arc stands in a row, with its share of the bundle.
    """
    n_legs, width = out.shape
    leg_start = np.zeros(n_legs + 1, dtype=np.int64)
    for leg in range(n_legs):
        length = 0
        for place in range(width):
            length += (out[leg, place] >= 0) + (in_[leg, place] >= 0)
        if commodity[leg] >= 0:
            length += row_start[commodity[leg] + 1] - row_start[commodity[leg]]
        leg_start[leg + 1] = leg_start[leg] + length
    arcs, weights = np.empty(leg_start[n_legs], dtype=np.int32), np.empty(leg_start[n_legs])
    for leg in range(n_legs):
        at = leg_start[leg]
        for place in range(width):
            if out[leg, place] >= 0:
                arcs[at], weights[at] = out[leg, place], share[leg]
                at += 1
        if commodity[leg] >= 0:
            for entry in range(row_start[commodity[leg]], row_start[commodity[leg] + 1]):
                bundle = row_bundles[entry]
                arcs[at], weights[at] = first_arc[bundle], share[leg] * (row_weights[entry] * first_share[bundle])
                at += 1
        for place in range(width):
            if in_[leg, place] >= 0:
                arcs[at], weights[at] = in_[leg, place], share[leg]
                at += 1
    return leg_start, arcs, weights


@compiled
def merged(start: Any, arcs: Any, weights: Any, n_arcs: int) -> tuple[Any, Any, Any]:
    """The rows with every arc once, where it is met first, with the sum of its weights. `arcs`, `weights`: scratch."""
    n_rows = len(start) - 1
    merged_start, at = np.zeros(n_rows + 1, dtype=np.int64), 0
    place_of, row_of = np.empty(n_arcs, dtype=np.int64), np.full(n_arcs, -1, dtype=np.int64)
    for row in range(n_rows):
        for entry in range(start[row], start[row + 1]):
            arc, weight = arcs[entry], weights[entry]
            if row_of[arc] == row:
                weights[place_of[arc]] += weight
                continue
            row_of[arc], place_of[arc] = row, at
            arcs[at], weights[at] = arc, weight  # never ahead of what is read
            at += 1
        merged_start[row + 1] = at
    return merged_start, arcs[:at].copy(), weights[:at].copy()
