"""Uniform all-to-all without writing out its flows: the inner loops, compiled.

Hosts are the members, numbered from 0 and sorted by leaf. Every host sends one flow to every host but its mates.

Colours and hashes are unsigned 64-bit numbers that wrap around; sums of hashes stand for multisets.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_borrowing
from designer.graph.hash_kernels import mixed
from designer.routing.transport_kernels import (
    Bundles,
    Descent,
    Fabric,
    Floats,
    Ints,
    Longs,
    aim,
    descent_over,
    find_all,
    line_up,
    pull,
    push,
)

ARRIVED = np.uint64(0xD1342543DE82EF95)
# Stands for a path that has come to its leaf.
Flags = NDArray[np.bool_]
Hashes = NDArray[np.uint64]


class HostArrays(NamedTuple):
    """What kernels read of Hosts; see there. `mates` has oneself first, and is padded with -1."""

    start: Longs  # (n_leafs + 1,) the hosts of a leaf
    leaf: Ints  # (n_hosts,)
    number: Longs  # (n_hosts,) their `index`
    mates: Longs  # (n_hosts, largest domain) hosts on the same crossbar: to these no flow leaves over the fabric
    longest_out: Floats  # (n_leafs,) the longest latency of a host's arcs onto the fabric
    longest_in: Floats


class ClassArrays(NamedTuple):
    """Hosts in classes: flows of one look alike as they set out."""

    of: Longs  # (n_hosts,)
    leaf: Ints  # (n_classes,)
    size: Longs
    start: Longs  # (n_classes + 1,)
    hosts: Longs  # (n_hosts,) sorted by class
    price_out: Hashes  # (n_classes,) the colours of the arcs onto the fabric
    price_in: Hashes  # (n_hosts,) the colours of those off it


class Colours(NamedTuple):
    """The colours of arcs (spray: of bundles by their first), and what is seen of flows: without length, it is not.

    Fabric arcs (spray: bundles) get it in `seen_by`, hosts what they send and take in in `sent_by` and `taken_by`.
    """

    tint: Hashes
    seen_by: Hashes
    sent_by: Hashes  # (n_hosts or 0,)
    taken_by: Hashes


class Tree(NamedTuple):
    """The switches on the ways to one host under policy `destination`, and where each sends."""

    is_crossed: Flags  # (n_switches,)
    crossed: Ints  # (n_switches,) the farthest first
    ahead: Ints  # (n_switches,) the next switch
    by_arc: Ints  # (n_switches,) and over which arc


class FlowClasses(NamedTuple):
    """A table of the kinds of flows met so far, by open addressing, each with a pair of hosts."""

    n: Longs  # (1,) how many; more than there is room where there are more
    slots: Longs
    keys: Hashes
    counts: Longs
    src: Longs
    dst: Longs


@compiled
def spray_loads(
    first_leaf: int, last_leaf: int, fabric: Fabric, latency: Floats, hosts: HostArrays
) -> tuple[Floats, float]:
    """(flows by bundle, longest latency of a path) of the flows to hosts on the leafs up to before `last_leaf`."""
    bundles, (leafs, distance, only) = fabric.bundles, fabric.goals
    host_start, leaf_of_host, _, mates, longest_out, longest_in = hosts
    n_switches, n_leafs = len(bundles.start) - 1, len(leafs)
    loads, longest, slow = np.zeros(len(bundles.head)), 0.0, (latency > 0.0).any()
    carried, delay, way = np.zeros(n_switches), np.zeros(n_switches), descent_over(bundles, distance, only)
    for leaf in range(first_leaf, last_leaf):
        n_here = host_start[leaf + 1] - host_start[leaf]
        if n_here == 0:
            continue
        aim(way, leaf)
        n_reachable = line_up(way)
        carried[:] = 0.0
        for other in range(n_leafs):
            carried[leafs[other]] = float(n_here * (host_start[other + 1] - host_start[other]))
        for host in range(host_start[leaf], host_start[leaf + 1]):
            for place in range(mates.shape[1]):
                if mates[host, place] >= 0:
                    carried[leafs[leaf_of_host[mates[host, place]]]] -= 1.0
        push(bundles, way, n_reachable, way.shares, carried, loads)
        if slow:
            pull(bundles, way, n_reachable, latency, delay)
        for other in range(n_leafs):
            if host_start[other + 1] > host_start[other]:
                longest = max(longest, longest_out[other] + delay[leafs[other]] + longest_in[leaf])
    return loads, longest


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
    """(flows by arc, longest latency of a path), as spray_loads."""
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
def _share_keys(bundles: Bundles, way: Descent, n_reachable: int, keys: Hashes) -> None:
    """Sets by next hop a number for its share, which multiplies what takes it: sums stand for flows with shares."""
    start, order, n_hops, shares = bundles.start, way.order, way.n_hops, way.shares
    last_share, key = -1.0, np.uint64(1)
    for place in range(n_reachable):
        first = start[order[place]]
        for hop in range(first, first + n_hops[order[place]]):
            if shares[hop] != last_share:
                last_share = shares[hop]
                key = mixed(np.uint64(np.int64(last_share * 1e9 + 0.5))) | np.uint64(1)
            keys[hop] = key


@compiled_borrowing
def _sprayed_hash(bundles: Bundles, way: Descent, n_reachable: int, keys: Hashes, tint: Hashes, path: Hashes) -> None:
    """Fills `path` by switch: a hash of the colours (`tint` by bundle) and shares of the bundles to the leaf."""
    start, head, order, n_hops, hops = bundles.start, bundles.head, way.order, way.n_hops, way.hops
    path[order[0]] = ARRIVED
    for place in range(1, n_reachable):
        switch = order[place]
        total = np.uint64(0)
        for hop in range(start[switch], start[switch] + n_hops[switch]):
            total += tint[hops[hop]] * path[head[hops[hop]]] * keys[hop]
        path[switch] = mixed(total)


@compiled_borrowing
def _tree_hash(arrived: int, tree: Tree, n_crossed: int, tint: Hashes, path: Hashes) -> None:
    """Fills `path` by crossed switch: a hash of the colours (`tint` by arc) of the arcs to the leaf."""
    _, crossed, ahead, by_arc = tree
    path[arrived] = ARRIVED
    for place in range(n_crossed - 1, -1, -1):
        switch = crossed[place]
        path[switch] = path[ahead[switch]] + tint[by_arc[switch]]


@compiled_borrowing
def _like(sprays: bool, first: int, last: int, price_in: Hashes, like: Longs) -> None:
    """Fills `like` for the hosts of a leaf: the first to which flows take the same arcs of the same colours."""
    for host in range(first, last):
        like[host] = host
        if sprays:
            for other in range(first, host):
                if like[other] == other and price_in[other] == price_in[host]:
                    like[host] = other
                    break


@compiled_borrowing
def _slot_of(key: np.uint64, slots: Longs, keys: Hashes) -> int:
    """Where a key stands in a table of open addressing, or where it would."""
    last = len(slots) - 1
    slot = np.int64(key & np.uint64(last))
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & last
    return int(slot)


@compiled_borrowing
def _no_mate(host: int, group: int, classes: ClassArrays, mates: Longs) -> int:
    """One of the hosts of a class that are not on the host's crossbar; -1 where all are."""
    members = classes.hosts
    for member in range(classes.start[group], classes.start[group + 1]):
        is_mate = False
        for place in range(mates.shape[1]):
            is_mate = is_mate or mates[host, place] == members[member]
        if not is_mate:
            return int(members[member])
    return -1


@compiled
def _kinds_for(most: int) -> FlowClasses:
    """A table for so many kinds."""
    n_slots = 1
    while n_slots < 4 * most:
        n_slots *= 2
    return FlowClasses(
        np.zeros(1, dtype=np.int64),
        np.full(n_slots, -1, dtype=np.int64),
        np.empty(most, dtype=np.uint64),
        np.zeros(most, dtype=np.int64),
        np.full(most, -1, dtype=np.int64),
        np.empty(most, dtype=np.int64),
    )


@compiled_borrowing
def _kind_of(flow: np.uint64, kinds: FlowClasses) -> int:
    """The number of a kind of flow, which may be new; -1 where there is no room for it."""
    n_kinds, slots, keys = kinds.n, kinds.slots, kinds.keys
    slot = _slot_of(flow, slots, keys)
    if slots[slot] < 0:
        number = n_kinds[0]
        n_kinds[0] += 1
        if number == len(keys):
            return -1
        slots[slot], keys[number] = number, flow
    return int(slots[slot])


@compiled
def survey(
    first_leaf: int,
    last_leaf: int,
    sprays: bool,
    most: int,
    fabric: Fabric,
    hosts: HostArrays,
    classes: ClassArrays,
    colours: Colours,
) -> tuple[int, Hashes, Longs, Longs, Longs]:
    """One look at all flows to hosts on the leafs from `first_leaf` up to before `last_leaf`.

    Where there is room for what is seen it is a round of colour refinement: what every arc sees of the flows, coloured
    by the arcs they cross; what is seen adds up.

    With `most` above 0 it returns (number, keys, counts, sources, destinations): the kinds of flows that cross
    like-coloured arcs, with a host pair of each; the key is the same for the same kind whatever the leafs. The number
    is above `most` where there are more kinds; then the rest of them is not to be used.
    """
    bundles, goals, leafs, host_start = fabric.bundles, fabric.goals, fabric.goals.leafs, hosts.start
    class_leaf, class_size, price_out, price_in = classes.leaf, classes.size, classes.price_out, classes.price_in
    tint, seen_by, sent_by, taken_by = colours
    leaf_of_host, mates, class_of = hosts.leaf, hosts.mates, classes.of
    n_switches, n_hosts, n_classes, sees = len(bundles.start) - 1, len(classes.of), len(class_leaf), len(sent_by) > 0
    content, path = np.zeros(n_switches, dtype=np.uint64), np.zeros(n_switches, dtype=np.uint64)
    way, tree, n_crossed = descent_over(bundles, goals.distance, goals.only), _tree_over(n_switches), 0
    is_crossed, crossed, ahead, by_arc = tree
    share_keys = np.empty(len(bundles.head), dtype=np.uint64)
    sends = np.zeros(n_switches, dtype=np.bool_)
    sends[leafs[class_leaf]] = True
    like, n_like = np.empty(n_hosts, dtype=np.int64), np.zeros(n_hosts, dtype=np.int64)
    taken, class_sent = np.zeros(n_hosts, dtype=np.uint64), np.zeros(n_classes, dtype=np.uint64)
    kinds = _kinds_for(most)
    n_kinds, slots, keys, counts, src, dst = kinds
    for leaf in range(first_leaf, last_leaf):
        first, last = host_start[leaf], host_start[leaf + 1]
        if first == last:
            continue
        aim(way, leaf)
        n_reachable = find_all(bundles, way)
        _like(sprays, first, last, price_in, like)
        for host in range(first, last):
            n_like[like[host]] += 1
        for host in range(first, last):
            if not sprays:
                is_crossed[:] = sends
                n_crossed = _grow(hosts.number[host], fabric, way, n_reachable, tree)
                _tree_hash(way.order[0], tree, n_crossed, tint, path)
            elif host == first:
                _share_keys(bundles, way, n_reachable, share_keys)
                _sprayed_hash(bundles, way, n_reachable, share_keys, tint, path)
            if not sprays or host == first:
                content[:] = np.uint64(0)
            for group in range(n_classes if like[host] == host else 0):
                switch = leafs[class_leaf[group]]
                flow = mixed(price_out[group] + path[switch] + price_in[host])
                if sees:
                    one, count = flow * np.uint64(class_size[group]), np.uint64(n_like[host])
                    class_sent[group] += flow * count
                    taken[host] += one
                    content[switch] += one * count
                if most == 0 or n_kinds[0] > most:
                    continue
                kind = _kind_of(flow, kinds)
                if kind < 0:
                    if sees:
                        continue
                    return _found(kinds)
                counts[kind] += class_size[group] * n_like[host]
                for other in range(host, last):
                    if src[kind] >= 0:
                        break
                    if like[other] == host:
                        src[kind], dst[kind] = _no_mate(other, group, classes, mates), other
            if sees:
                taken_by[host] += taken[like[host]]
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
                if 0 < n_kinds[0] <= most:
                    counts[slots[_slot_of(flow, slots, keys)]] -= 1
            if sees and not sprays:
                for place in range(n_crossed):
                    switch = crossed[place]
                    seen_by[by_arc[switch]] += content[switch]
                    content[ahead[switch]] += content[switch]
            elif sees and host == last - 1:
                push(bundles, way, n_reachable, share_keys, content, seen_by)
    for host in range(n_hosts if sees else 0):
        sent_by[host] += class_sent[class_of[host]]
    return _found(kinds)


@compiled
def _found(kinds: FlowClasses) -> tuple[int, Hashes, Longs, Longs, Longs]:
    """The kinds of which there are flows: (how many were met, keys, counts, sources, destinations)."""
    found = min(kinds.n[0], len(kinds.keys))
    is_sent = kinds.counts[:found] > 0
    return (
        kinds.n[0],
        kinds.keys[:found][is_sent],
        kinds.counts[:found][is_sent],
        kinds.src[:found][is_sent],
        kinds.dst[:found][is_sent],
    )
