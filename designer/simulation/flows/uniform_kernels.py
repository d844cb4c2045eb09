"""Uniform all-to-all by forwarding tables, without writing out its flows: the inner loops, compiled.

Hosts are the members, numbered from 0 and sorted by leaf. Every host sends one flow to every host but its mates.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_borrowing
from designer.graph.hash_kernels import mixed
from designer.routing.transport_kernels import (
    Descent,
    Fabric,
    Floats,
    Ints,
    Longs,
    aim,
    descent_over,
    find_all,
)
from designer.simulation.flows.flow_kinds_kernels import (
    ARRIVED,
    ClassArrays,
    Colours,
    Hashes,
    found_kinds,
    kinds_for,
    note_flows,
    slot_of,
)

Flags = NDArray[np.bool_]


class HostArrays(NamedTuple):
    """What kernels read of Hosts; see there. `mates` has oneself first, and is padded with -1."""

    start: Longs  # (n_leafs + 1,) the hosts of a leaf
    leaf: Ints  # (n_hosts,)
    number: Longs  # (n_hosts,) their `index`
    mates: Longs  # (n_hosts, largest domain) hosts on the same crossbar: to these no flow leaves over the fabric
    longest_out: Floats  # (n_leafs,) the longest latency of a host's arcs onto the fabric
    longest_in: Floats


class Tree(NamedTuple):
    """The switches on the ways to one host under policy `destination`, and where each sends."""

    is_crossed: Flags  # (n_switches,)
    crossed: Ints  # (n_switches,) the farthest first
    ahead: Ints  # (n_switches,) the next switch
    by_arc: Ints  # (n_switches,) and over which arc


@compiled
def _tree_over(n_switches: int) -> Tree:
    """Room for trees."""
    crossed, ahead = np.empty(n_switches, dtype=np.int32), np.empty(n_switches, dtype=np.int32)
    return Tree(np.zeros(n_switches, dtype=np.bool_), crossed, ahead, np.empty(n_switches, dtype=np.int32))


@compiled_borrowing
def _grow(number: int, fabric: Fabric, way: Descent, n_reachable: int, tree: Tree) -> int:
    """Fills the tree of a host; returns how many switches are crossed.

    `is_crossed` holds the switches at which flows set out; the others on the way are added.
    """
    start, head = fabric.bundles.start, fabric.bundles.head
    arc_start, arcs, divisor = fabric.ports
    order, hops, count = way.order, way.hops, way.n_hops
    is_crossed, crossed, ahead, by_arc = tree
    n_crossed = 0
    # Switches of a tier mostly have the same divisor and choice: the divisions are done once for all of them.
    last_divisor, last_count, turn, lane = -1, -1, 0, 0
    for place in range(n_reachable - 1, 0, -1):
        switch = order[place]
        if is_crossed[switch]:
            n_hops = count[switch]
            if divisor[switch] != last_divisor or n_hops != last_count:
                last_divisor, last_count = divisor[switch], n_hops
                divided = number // last_divisor
                lane, turn = divided // n_hops, divided % n_hops
            bundle = hops[start[switch] + turn]
            size = arc_start[bundle + 1] - arc_start[bundle]
            ahead[switch], by_arc[switch] = head[bundle], arcs[arc_start[bundle] + (lane % size if size > 1 else 0)]
            is_crossed[head[bundle]] = True
            crossed[n_crossed] = switch
            n_crossed += 1
    return n_crossed


@compiled
def destination_loads(
    first_leaf: int, last_leaf: int, fabric: Fabric, arc_latency: Floats, hosts: HostArrays
) -> tuple[Floats, float]:
    """(flows by arc, longest latency of a path) of the flows to hosts on the leafs up to before `last_leaf`."""
    bundles, (leafs, distance, only) = fabric.bundles, fabric.goals
    host_start, leaf_of_host, numbers, mates, longest_out, longest_in = hosts
    n_switches, n_leafs = len(bundles.start) - 1, len(leafs)
    loads, longest = np.zeros(len(arc_latency)), 0.0
    carried, delay = np.zeros(n_switches), np.zeros(n_switches)
    way, tree = descent_over(bundles, distance, only), _tree_over(n_switches)
    is_crossed, crossed, ahead, by_arc = tree
    from_leafs, before = np.zeros(n_leafs), np.full(n_switches, -1.0)
    for other in range(n_leafs):
        from_leafs[other] = float(host_start[other + 1] - host_start[other])
        if from_leafs[other] > 0.0:
            before[leafs[other]] = longest_out[other]
    for leaf in range(first_leaf, last_leaf):
        if host_start[leaf + 1] == host_start[leaf]:
            continue
        aim(way, leaf)
        n_reachable = find_all(bundles, way)
        arrived = way.order[0]
        longest = max(longest, before.max() + longest_in[leaf])
        for host in range(host_start[leaf], host_start[leaf + 1]):
            for other in range(n_leafs):
                carried[leafs[other]] = from_leafs[other]
            for place in range(mates.shape[1]):
                if mates[host, place] >= 0:
                    carried[leafs[leaf_of_host[mates[host, place]]]] -= 1.0
            is_crossed[:] = False
            for other in range(n_leafs):
                is_crossed[leafs[other]] = carried[leafs[other]] > 0.0
            n_crossed = _grow(numbers[host], fabric, way, n_reachable, tree)
            for place in range(n_crossed):
                switch = crossed[place]
                loads[by_arc[switch]] += carried[switch]
                carried[ahead[switch]] += carried[switch]
                carried[switch] = 0.0
            carried[arrived], delay[arrived] = 0.0, 0.0
            for place in range(n_crossed - 1, -1, -1):
                switch = crossed[place]
                delay[switch] = arc_latency[by_arc[switch]] + delay[ahead[switch]]
                if before[switch] >= 0.0:
                    longest = max(longest, before[switch] + delay[switch] + longest_in[leaf])
    return loads, longest


@compiled_borrowing
def _tree_hash(arrived: int, tree: Tree, n_crossed: int, tint: Hashes, path: Hashes) -> None:
    """Fills `path` by crossed switch: a hash of the colors (`tint` by arc) of the arcs to the leaf."""
    _, crossed, ahead, by_arc = tree
    path[arrived] = ARRIVED
    for place in range(n_crossed - 1, -1, -1):
        switch = crossed[place]
        path[switch] = path[ahead[switch]] + tint[by_arc[switch]]


@compiled
def survey(
    first_leaf: int,
    last_leaf: int,
    most: int,
    fabric: Fabric,
    hosts: HostArrays,
    classes: ClassArrays,
    colours: Colours,
) -> tuple[int, Hashes, Longs, Longs, Longs]:
    """One look at all flows to hosts on the leafs from `first_leaf` up to before `last_leaf`.

    Where there is room for what is seen it is a round of color refinement: what every arc sees of the flows, colored
    by the arcs they cross; what is seen adds up.

    With `most` above 0 it returns (number, keys, counts, sources, destinations): the kinds of flows that cross
    like-coloured arcs, with a host pair of each; the key is the same for the same kind whatever the leafs. The number
    is above `most` where there are more kinds; then the rest of them is not to be used.
    """
    bundles, goals, leafs, host_start = fabric.bundles, fabric.goals, fabric.goals.leafs, hosts.start
    class_leaf, class_size, price_out, price_in = classes.place, classes.size, classes.price_out, classes.price_in
    tint, seen_by, sent_by, taken_by = colours
    leaf_of_host, mates, class_of = hosts.leaf, hosts.mates, classes.of
    n_switches, n_hosts, n_classes, sees = len(bundles.start) - 1, len(classes.of), len(class_leaf), len(sent_by) > 0
    content, path = np.zeros(n_switches, dtype=np.uint64), np.zeros(n_switches, dtype=np.uint64)
    way, tree = descent_over(bundles, goals.distance, goals.only), _tree_over(n_switches)
    is_crossed, crossed, ahead, by_arc = tree
    sends = np.zeros(n_switches, dtype=np.bool_)
    sends[leafs[class_leaf]] = True
    itself, class_sent = np.arange(n_hosts), np.zeros(n_classes, dtype=np.uint64)
    kinds = kinds_for(most)
    for leaf in range(first_leaf, last_leaf):
        first, last = host_start[leaf], host_start[leaf + 1]
        if first == last:
            continue
        aim(way, leaf)
        n_reachable = find_all(bundles, way)
        for host in range(first, last):
            is_crossed[:] = sends
            n_crossed = _grow(hosts.number[host], fabric, way, n_reachable, tree)
            _tree_hash(way.order[0], tree, n_crossed, tint, path)
            content[:] = np.uint64(0)
            for group in range(n_classes):
                switch = leafs[class_leaf[group]]
                flow = mixed(price_out[group] + path[switch] + price_in[host])
                if sees:
                    from_all = flow * np.uint64(class_size[group])
                    class_sent[group] += flow
                    taken_by[host] += from_all
                    content[switch] += from_all
                if most == 0 or kinds.n[0] > most:
                    continue
                has_room = note_flows(flow, class_size[group], group, host, last, itself, (classes, mates), kinds)
                if not has_room and not sees:
                    return found_kinds(kinds)
            for place in range(mates.shape[1]):
                mate = mates[host, place]
                if mate < 0:
                    continue
                switch = leafs[leaf_of_host[mate]]
                flow = mixed(price_out[class_of[mate]] + path[switch] + price_in[host])
                if sees:
                    sent_by[mate] -= flow
                    taken_by[host] -= flow
                    content[switch] -= flow
                if 0 < kinds.n[0] <= most:
                    kinds.counts[kinds.slots[slot_of(flow, kinds.slots, kinds.keys)]] -= 1
            if sees:
                for place in range(n_crossed):
                    switch = crossed[place]
                    seen_by[by_arc[switch]] += content[switch]
                    content[ahead[switch]] += content[switch]
    for host in range(n_hosts if sees else 0):
        sent_by[host] += class_sent[class_of[host]]
    return found_kinds(kinds)
