"""Routing's inner loops, compiled: paths of single legs, and of flows that are split. See SwitchGraph for shapes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_borrowing
from designer.graph.hash_kernels import mixed
from designer.routing.transport_kernels import (
    Bundles,
    Fabric,
    Floats,
    Goals,
    Ints,
    Longs,
    Mixed,
    Ports,
    Rows,
    aim,
    descent_over,
    forget,
    line_up,
    longer,
    next_hops,
    pull,
    push,
    spread_one,
    walk_over,
)

DESTINATION, ECMP = 0, 1


class LegArrays(NamedTuple):
    """What kernels read of Legs; see there."""

    from_leaf: Ints
    to_leaf: Ints
    number: Longs  # their `index`
    out: Ints
    in_: Ints
    share: Floats


class Choice(NamedTuple):
    """By what a leg takes one of several next hops: its destination's number, or a hash of its own and the switch's.

    A hash is what the leg's key and the switch's word give together, mixed or as it is, turned by so many bits.
    """

    kind: int
    salt: NDArray[np.uint64]  # (n_legs,) keys
    words: NDArray[np.uint64]  # (n_switches,)
    turns: NDArray[np.uint64]  # (n_switches,) bits
    width: int  # bits of a hash
    mixes: bool


@compiled
def widest(start: Ints) -> int:
    """The largest number of bundles of a switch."""
    most = 0
    for switch in range(len(start) - 1):
        most = max(most, start[switch + 1] - start[switch])
    return most


@compiled
def hops_of(distance: int, far: int) -> int:
    """Number of hops of a way of that cost."""
    return distance if far == 0 else distance // far + distance % far


@compiled_borrowing
def _hashed(switch: int, leg: int, choice: Choice) -> np.uint64:
    """The hash of a leg at a switch."""
    value: np.uint64 = choice.salt[leg] ^ choice.words[switch]
    if choice.mixes:
        value = mixed(value)
    turn = choice.turns[switch]
    if turn > np.uint64(0):
        low = (np.uint64(1) << turn) - np.uint64(1)
        value = (value >> turn) | ((value & low) << (np.uint64(choice.width) - turn))
    return value


@compiled_borrowing
def _hop(switch: int, n_hops: int, hops: Ints, ports: Ports, choice: Choice, leg: int, number: int) -> tuple[int, int]:
    """(bundle, arc) that a leg takes from a switch; `number` is the destination already divided."""
    start, arcs = ports.start, ports.arcs
    if choice.kind == ECMP:
        n_ports = 0
        for place in range(n_hops):
            n_ports += start[hops[place] + 1] - start[hops[place]]
        wanted = np.int64(_hashed(switch, leg, choice) % np.uint64(n_ports))
        for place in range(n_hops):
            bundle = hops[place]
            size = start[bundle + 1] - start[bundle]
            if wanted < size:
                return bundle, arcs[start[bundle] + wanted]
            wanted -= size
    bundle = hops[number % n_hops]
    size = start[bundle + 1] - start[bundle]
    return bundle, arcs[start[bundle] + (number // n_hops) % size]


@compiled_borrowing
def n_ends(out: Ints, in_: Ints, leg: int) -> int:
    """How many arcs a leg takes onto the fabric and off it."""
    length = 0
    for place in range(out.shape[1]):
        length += (out[leg, place] >= 0) + (in_[leg, place] >= 0)
    return length


@compiled_borrowing
def put(side: Ints, leg: int, path: Ints, at: int) -> int:
    """Writes a leg's arcs onto the fabric, or those off it, from place `at` on; returns the place after."""
    for place in range(side.shape[1]):
        if side[leg, place] >= 0:
            path[at] = side[leg, place]
            at += 1
    return at


@compiled
def single_paths(fabric: Fabric, far: int, legs: LegArrays, choice: Choice) -> tuple[Longs, Ints]:
    """(leg_start, arcs): the arcs of each leg in the order they are travelled."""
    bundles, goals, ports = fabric
    leafs, distance, only_of = goals
    from_leaf, to_leaf, numbers, out, in_, _ = legs
    n_legs, head, divisor = len(out), bundles.head, ports.divisor
    leg_start = np.zeros(n_legs + 1, dtype=np.int64)
    for leg in range(n_legs):
        length = n_ends(out, in_, leg)
        if from_leaf[leg] >= 0:
            length += hops_of(distance[to_leaf[leg], leafs[from_leaf[leg]]], far)
        leg_start[leg + 1] = leg_start[leg] + length
    path, hops = np.empty(leg_start[n_legs], dtype=np.int32), np.empty(widest(bundles.start), dtype=np.int32)
    for leg in range(n_legs):
        at = put(out, leg, path, leg_start[leg])
        if from_leaf[leg] >= 0:
            row, only = distance[to_leaf[leg]], only_of[to_leaf[leg]]
            switch = leafs[from_leaf[leg]]
            while row[switch] > 0:
                n_hops, _ = next_hops(switch, row, only, bundles, hops, 0)
                number = numbers[leg] // divisor[switch]
                bundle, path[at] = _hop(switch, n_hops, hops, ports, choice, leg, number)
                switch = head[bundle]
                at += 1
        put(in_, leg, path, at)
    return leg_start, path


@compiled
def spray_loads(
    bundles: Bundles, latency: Floats, goals: Goals, from_leaf: Ints, to_leaf: Ints, moved: Floats, marks: Floats
) -> tuple[Floats, Floats, Floats]:
    """(bytes by bundle, (2, n_bundles) marks by bundle, latency by commodity), all flows to one leaf at a time.

    Commodities are sorted by to_leaf. `marks` (n_commodities, 2) are carried along like the bytes.
    """
    n_switches, n_commodities = len(bundles.start) - 1, len(from_leaf)
    leafs = goals.leafs
    on_bundle, carried = np.zeros((3, len(bundles.head))), np.zeros((3, n_switches))
    commodity_latency, delay = np.zeros(n_commodities), np.zeros(n_switches)
    way, slow = descent_over(bundles, goals.distance, goals.only), (latency > 0.0).any()
    begin = 0
    while begin < n_commodities:
        end = begin
        aim(way, to_leaf[begin])
        carried[:] = 0.0
        while end < n_commodities and to_leaf[end] == to_leaf[begin]:
            switch = leafs[from_leaf[end]]
            carried[0, switch] += moved[end]
            carried[1, switch] += marks[end, 0]
            carried[2, switch] += marks[end, 1]
            end += 1
        n_reachable = line_up(way)
        for what in range(3):
            push(bundles, way, n_reachable, way.shares, carried[what], on_bundle[what])
        if slow:
            pull(bundles, way, n_reachable, latency, delay)
            for commodity in range(begin, end):
                commodity_latency[commodity] = delay[leafs[from_leaf[commodity]]]
        begin = end
    return on_bundle[0], on_bundle[1:], commodity_latency


@compiled
def spray_rows(bundles: Bundles, goals: Goals, from_leaf: Ints, to_leaf: Ints, like: Ints) -> Rows:
    """What one unit of each commodity puts on which bundles, only of bundles b with like[b] == b.

    Next hops are found once for commodities in a row that go to one leaf.
    """
    n_commodities = len(from_leaf)
    row_start = np.zeros(n_commodities + 1, dtype=np.int64)
    items, weights = np.empty(16 * n_commodities + 64, dtype=np.int32), np.empty(16 * n_commodities + 64)
    way, walk, goal, at = descent_over(bundles, goals.distance, goals.only), walk_over(bundles), -1, 0
    leafs, on_bundle, touched = goals.leafs, walk.on_bundle, walk.touched
    for commodity in range(n_commodities):
        if to_leaf[commodity] != goal:
            goal = to_leaf[commodity]
            aim(way, goal)
        arrived, n_touched = spread_one(leafs[from_leaf[commodity]], bundles, way, walk)
        if at + n_touched > len(items):
            more = max(len(items), n_touched)
            items, weights = longer(items, more), longer(weights, more)
        for place in range(n_touched):
            bundle = touched[place]
            if like[bundle] == bundle:
                items[at], weights[at] = bundle, on_bundle[bundle]
                at += 1
        forget(walk, arrived, n_touched)
        row_start[commodity + 1] = at
    return Rows(row_start, items[:at].copy(), weights[:at].copy())


@compiled
def row_sums(rows: Rows, moved: Floats, latency: Floats) -> tuple[Floats, Floats]:
    """(bytes by bundle, latency by commodity) of rows of which so many bytes are moved."""
    start, items, weights = rows
    on_bundle, of_commodity = np.zeros(len(latency)), np.zeros(len(moved))
    for commodity in range(len(moved)):
        for entry in range(start[commodity], start[commodity + 1]):
            on_bundle[items[entry]] += weights[entry] * moved[commodity]
            of_commodity[commodity] += weights[entry] * latency[items[entry]]
    return on_bundle, of_commodity


@compiled
def mixed_lengths(mixed: Mixed, first: int, last: int, n_bundles: int) -> Longs:
    """How many bundles each commodity from one up to another uses."""
    (start, items, _), (around_start, around, _), share = mixed
    found, mark = np.zeros(last - first, dtype=np.int64), np.full(n_bundles, -1, dtype=np.int64)
    for commodity in range(first, last):
        length = 0
        if share[commodity] < 1.0:
            length += start[commodity + 1] - start[commodity]
            for entry in range(start[commodity], start[commodity + 1]):
                mark[items[entry]] = commodity
        if share[commodity] > 0.0:
            for entry in range(around_start[commodity], around_start[commodity + 1]):
                length += mark[around[entry]] != commodity
        found[commodity - first] = length
    return found


@compiled
def leg_starts(legs: LegArrays, commodity: Longs, lengths: Longs) -> Longs:
    """(n_legs + 1,) where the row of each leg begins: arcs out, the bundles of its commodity, arcs in."""
    out, in_ = legs.out, legs.in_
    found = np.zeros(len(out) + 1, dtype=np.int64)
    for leg in range(len(out)):
        length = n_ends(out, in_, leg)
        if commodity[leg] >= 0:
            length += lengths[commodity[leg]]
        found[leg + 1] = found[leg] + length
    return found


@compiled
def assemble(
    legs: LegArrays,
    piece: tuple[int, int],
    commodity: Longs,
    mixed: Mixed,
    first_arc: Ints,
    first_share: Floats,
    into: Rows,
) -> None:
    """Writes rows of legs, from one up to another: arcs out, the commodity's bundles, arcs in; weights by its share.

    Of a bundle its first arc stands in a row, with its share of the bundle.
    """
    out, in_, shares = legs.out, legs.in_, legs.share
    (start, items, parts), (around_start, around, around_parts), detour_share = mixed
    leg_start, arcs, weights = into
    place = np.full(len(first_arc), -1, dtype=np.int64)  # of a bundle, in the row of the last leg that used it
    for leg in range(piece[0], piece[1]):
        share, of = shares[leg], commodity[leg]
        weights[leg_start[leg] : leg_start[leg + 1]] = share
        at = put(out, leg, arcs, leg_start[leg])
        if of >= 0 and detour_share[of] < 1.0:
            share = shares[leg] * (1.0 - detour_share[of])
            for entry in range(start[of], start[of + 1]):
                bundle = items[entry]
                arcs[at], weights[at] = first_arc[bundle], share * (parts[entry] * first_share[bundle])
                place[bundle] = at
                at += 1
        if of >= 0 and detour_share[of] > 0.0:
            share = shares[leg] * detour_share[of]
            for entry in range(around_start[of], around_start[of + 1]):
                bundle = around[entry]
                part = share * (around_parts[entry] * first_share[bundle])
                if place[bundle] >= leg_start[leg]:
                    weights[place[bundle]] += part
                    continue
                arcs[at], weights[at] = first_arc[bundle], part
                at += 1
        put(in_, leg, arcs, at)


@compiled
def merged(rows: Rows, n_arcs: int) -> Rows:
    """The rows with every arc once, where it is met first, with the sum of its weights. The rows given are scratch."""
    n_rows = len(rows.start) - 1
    start, arcs, weights = rows
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
    return Rows(merged_start, arcs[:at].copy(), weights[:at].copy())
