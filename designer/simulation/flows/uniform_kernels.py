"""Uniform all-to-all without writing out its flows: the inner loops, compiled.

Switch arrays are those of SwitchGraph. Hosts are the members, numbered from 0 and sorted by leaf; `host_start`
(n_leafs + 1,) finds those of a leaf, `mates` (n_hosts, largest domain) the hosts on the same crossbar, oneself first,
padded with -1: to these no flow leaves over the fabric. `class_of` groups hosts whose flows look alike as they set out.

Colours and hashes are unsigned 64-bit numbers that wrap around; sums of hashes stand for multisets.
"""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled

ARRIVED = np.uint64(0xD1342543DE82EF95)
# Stands for a path that has come to its leaf.


@compiled
def _mixed(value: Any) -> Any:
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@compiled
def _steps(distance: Any) -> int:
    """Scratch that a sort of switches by distance needs."""
    return distance.max() + 2 if distance.size > 0 else 2


@compiled
def _next_hops(
    row: Any,
    only: Any,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    order: Any,
    first: Any,
    hop_start: Any,
    hops: Any,
    shares: Any,
) -> int:
    """Fills `order` with the switches that reach the leaf, nearest first, `hops` with where each sends; how many."""
    first[:] = 0
    n_reachable, n_only = 0, len(only)
    for switch in range(len(row)):
        if row[switch] >= 0:
            first[row[switch] + 1] += 1
            n_reachable += 1
    for distance in range(1, len(first)):
        first[distance] += first[distance - 1]
    at = 0
    for switch in range(len(row)):
        hop_start[switch] = at
        here = row[switch]
        if here < 0:
            continue
        order[first[here]] = switch
        first[here] += 1
        if here == 0:
            continue
        total = 0.0
        if n_only > 0:
            if only[switch] >= 0:
                hops[at] = only[switch]
                total = capacity[hops[at]]
                at += 1
        else:  # without a branch, which the processor would guess wrong
            for bundle in range(start[switch], start[switch + 1]):
                there = row[head[bundle]]
                is_nearer = (there >= 0) & (there == here - cost[bundle])
                hops[at] = bundle
                total += capacity[bundle] if is_nearer else 0.0
                at += is_nearer
        for place in range(hop_start[switch], at):
            shares[place] = capacity[hops[place]] / total
    hop_start[len(row)] = at
    return n_reachable


@compiled
def spray_loads(
    first_leaf: int,
    last_leaf: int,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    latency: Any,
    leafs: Any,
    distance: Any,
    only: Any,
    host_start: Any,
    leaf_of_host: Any,
    mates: Any,
    longest_out: Any,
    longest_in: Any,
) -> tuple[Any, float]:
    """(flows by bundle, longest latency of a path): every host sends one flow to every host but its mates.

    Of these the flows to hosts on the leafs from `first_leaf` up to before `last_leaf`.
    """
    n_switches, n_leafs, n_bundles = len(start) - 1, len(leafs), len(head)
    loads, longest = np.zeros(n_bundles), 0.0
    carried, delay = np.zeros(n_switches), np.zeros(n_switches)
    order, first = np.empty(n_switches, dtype=np.int32), np.empty(_steps(distance), dtype=np.int32)
    hop_start, hops = np.empty(n_switches + 1, dtype=np.int32), np.empty(n_bundles, dtype=np.int32)
    shares = np.empty(n_bundles)
    slow = (latency > 0.0).any()
    for leaf in range(first_leaf, last_leaf):
        n_here = host_start[leaf + 1] - host_start[leaf]
        if n_here == 0:
            continue
        n_reachable = _next_hops(
            distance[leaf], only[leaf], start, head, cost, capacity, order, first, hop_start, hops, shares
        )
        carried[:] = 0.0
        for other in range(n_leafs):
            carried[leafs[other]] = float(n_here * (host_start[other + 1] - host_start[other]))
        for host in range(host_start[leaf], host_start[leaf + 1]):
            for place in range(mates.shape[1]):
                if mates[host, place] >= 0:
                    carried[leafs[leaf_of_host[mates[host, place]]]] -= 1.0
        for place in range(n_reachable - 1, 0, -1):
            switch = order[place]
            if carried[switch] > 0.0:
                for hop in range(hop_start[switch], hop_start[switch + 1]):
                    part = carried[switch] * shares[hop]
                    loads[hops[hop]] += part
                    carried[head[hops[hop]]] += part
        delay[order[0]] = 0.0
        for place in range(1, n_reachable):
            switch = order[place]
            delay[switch] = 0.0
            if slow and carried[switch] > 0.0:
                for hop in range(hop_start[switch], hop_start[switch + 1]):
                    delay[switch] += shares[hop] * (latency[hops[hop]] + delay[head[hops[hop]]])
        for other in range(n_leafs):
            if host_start[other + 1] > host_start[other]:
                longest = max(longest, longest_out[other] + delay[leafs[other]] + longest_in[leaf])
    return loads, longest


@compiled
def destination_loads(
    first_leaf: int,
    last_leaf: int,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    arc_start: Any,
    arcs: Any,
    arc_latency: Any,
    leafs: Any,
    distance: Any,
    only: Any,
    divisor: Any,
    host_start: Any,
    leaf_of_host: Any,
    index: Any,
    mates: Any,
    longest_out: Any,
    longest_in: Any,
    n_arcs: int,
) -> tuple[Any, float]:
    """(flows by arc, longest latency of a path), as spray_loads."""
    n_switches, n_leafs, n_bundles = len(start) - 1, len(leafs), len(head)
    loads, longest = np.zeros(n_arcs), 0.0
    carried, delay = np.zeros(n_switches), np.zeros(n_switches)
    order, first = np.empty(n_switches, dtype=np.int32), np.empty(_steps(distance), dtype=np.int32)
    hop_start, hops = np.empty(n_switches + 1, dtype=np.int32), np.empty(n_bundles, dtype=np.int32)
    shares = np.empty(n_bundles)
    crossed = np.empty(n_switches, dtype=np.int32)
    next_switch, by_arc = np.empty(n_switches, dtype=np.int32), np.empty(n_switches, dtype=np.int32)
    from_leafs, before = np.zeros(n_leafs), np.full(n_switches, -1.0)
    for other in range(n_leafs):
        from_leafs[other] = float(host_start[other + 1] - host_start[other])
        if from_leafs[other] > 0.0:
            before[leafs[other]] = longest_out[other]
    for leaf in range(first_leaf, last_leaf):
        if host_start[leaf + 1] == host_start[leaf]:
            continue
        n_reachable = _next_hops(
            distance[leaf], only[leaf], start, head, cost, capacity, order, first, hop_start, hops, shares
        )
        longest = max(longest, before.max() + longest_in[leaf])
        for host in range(host_start[leaf], host_start[leaf + 1]):
            for other in range(n_leafs):
                carried[leafs[other]] = from_leafs[other]
            for place in range(mates.shape[1]):
                if mates[host, place] >= 0:
                    carried[leafs[leaf_of_host[mates[host, place]]]] -= 1.0
            # Switches of a tier mostly have the same divisor and choice: the divisions are done once for all of them.
            last_divisor, last_count, number, turn, lane = -1, -1, 0, 0, 0
            n_crossed = 0
            for place in range(n_reachable - 1, 0, -1):
                switch = order[place]
                if carried[switch] > 0.0:
                    n_hops = hop_start[switch + 1] - hop_start[switch]
                    if divisor[switch] != last_divisor or n_hops != last_count:
                        last_divisor, last_count = divisor[switch], n_hops
                        number = index[host] // last_divisor
                        lane, turn = number // n_hops, number % n_hops
                    bundle = hops[hop_start[switch] + turn]
                    size = arc_start[bundle + 1] - arc_start[bundle]
                    arc = arcs[arc_start[bundle] + (lane % size if size > 1 else 0)]
                    loads[arc] += carried[switch]
                    carried[head[bundle]] += carried[switch]
                    carried[switch] = 0.0
                    crossed[n_crossed], next_switch[switch], by_arc[switch] = switch, head[bundle], arc
                    n_crossed += 1
            carried[order[0]] = 0.0
            delay[order[0]] = 0.0
            for place in range(n_crossed - 1, -1, -1):
                switch = crossed[place]
                delay[switch] = arc_latency[by_arc[switch]] + delay[next_switch[switch]]
                if before[switch] >= 0.0:
                    longest = max(longest, before[switch] + delay[switch] + longest_in[leaf])
    return loads, longest


@compiled
def _share_key(share: float) -> Any:
    return _mixed(np.uint64(np.int64(share * 1e9 + 0.5))) | np.uint64(1)


@compiled
def _sprayed_hash(
    order: Any, n_reachable: int, hop_start: Any, hops: Any, shares: Any, head: Any, tint: Any, path: Any
) -> None:
    """Fills `path` by switch: a hash of the colours (`tint` by bundle) and shares of the bundles to the leaf."""
    path[order[0]] = ARRIVED
    last_share, key = -1.0, np.uint64(1)
    for place in range(1, n_reachable):
        switch = order[place]
        total = np.uint64(0)
        for hop in range(hop_start[switch], hop_start[switch + 1]):
            if shares[hop] != last_share:
                last_share = shares[hop]
                key = _share_key(last_share)
            total += tint[hops[hop]] * path[head[hops[hop]]] * key
        path[switch] = _mixed(total)


@compiled
def _spread_hash(
    order: Any, n_reachable: int, hop_start: Any, hops: Any, shares: Any, head: Any, content: Any, seen_by: Any
) -> None:
    """Adds to `seen_by`, bundle by bundle, a hash of the flows that cross it; `content` sets out at each switch.

    A share multiplies what it takes by a number of its own, so that sums stand for the flows with their shares.
    """
    last_share, key = -1.0, np.uint64(1)
    for place in range(n_reachable - 1, 0, -1):
        switch = order[place]
        if content[switch] != np.uint64(0):
            for hop in range(hop_start[switch], hop_start[switch + 1]):
                if shares[hop] != last_share:
                    last_share = shares[hop]
                    key = _share_key(last_share)
                part = content[switch] * key
                seen_by[hops[hop]] += part
                content[head[hops[hop]]] += part


@compiled
def _tree(
    number: int,
    order: Any,
    n_reachable: int,
    hop_start: Any,
    hops: Any,
    head: Any,
    arc_start: Any,
    arcs: Any,
    divisor: Any,
    is_crossed: Any,
    crossed: Any,
    ahead: Any,
    by_arc: Any,
) -> int:
    """Fills `crossed` with the switches on the ways to a host, farthest first, and where each sends; how many.

    Of policy `destination`. `is_crossed` holds the switches at which flows set out; the others on the way are added.
    """
    n_crossed = 0
    last_divisor, last_count, turn, lane = -1, -1, 0, 0  # the divisions are done once for switches of a tier
    for place in range(n_reachable - 1, 0, -1):
        switch = order[place]
        if is_crossed[switch]:
            n_hops = hop_start[switch + 1] - hop_start[switch]
            if divisor[switch] != last_divisor or n_hops != last_count:
                last_divisor, last_count = divisor[switch], n_hops
                divided = number // last_divisor
                lane, turn = divided // n_hops, divided % n_hops
            bundle = hops[hop_start[switch] + turn]
            size = arc_start[bundle + 1] - arc_start[bundle]
            ahead[switch], by_arc[switch] = head[bundle], arcs[arc_start[bundle] + (lane % size if size > 1 else 0)]
            is_crossed[head[bundle]] = True
            crossed[n_crossed] = switch
            n_crossed += 1
    return n_crossed


@compiled
def _tree_hash(arrived: int, crossed: Any, n_crossed: int, ahead: Any, by_arc: Any, tint: Any, path: Any) -> None:
    """Fills `path` by crossed switch: a hash of the colours (`tint` by arc) of the arcs to the leaf."""
    path[arrived] = ARRIVED
    for place in range(n_crossed - 1, -1, -1):
        switch = crossed[place]
        path[switch] = path[ahead[switch]] + tint[by_arc[switch]]


@compiled
def _like(sprays: bool, first: int, last: int, price_in: Any, like: Any) -> None:
    """Fills `like` for the hosts of a leaf: the first to which flows take the same arcs of the same colours."""
    for host in range(first, last):
        like[host] = host
        if sprays:
            for other in range(first, host):
                if like[other] == other and price_in[other] == price_in[host]:
                    like[host] = other
                    break


@compiled
def _slot_of(key: Any, slots: Any, keys: Any) -> int:
    """Where a key stands in a table of open addressing, or where it would."""
    last = len(slots) - 1
    slot = np.int64(key & np.uint64(last))
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & last
    return int(slot)


@compiled
def _no_mate(host: int, first: int, last: int, class_hosts: Any, mates: Any) -> int:
    """One of the hosts of a class that are not on the host's crossbar; -1 where all are."""
    for member in range(first, last):
        is_mate = False
        for place in range(mates.shape[1]):
            is_mate = is_mate or mates[host, place] == class_hosts[member]
        if not is_mate:
            return int(class_hosts[member])
    return -1


@compiled
def survey(
    first_leaf: int,
    last_leaf: int,
    sprays: bool,
    sees: bool,
    most: int,
    start: Any,
    head: Any,
    cost: Any,
    capacity: Any,
    arc_start: Any,
    arcs: Any,
    leafs: Any,
    distance: Any,
    only: Any,
    divisor: Any,
    host_start: Any,
    leaf_of_host: Any,
    index: Any,
    mates: Any,
    class_of: Any,
    class_leaf: Any,
    class_size: Any,
    class_start: Any,
    class_hosts: Any,
    price_out: Any,
    price_in: Any,
    tint: Any,
    seen_by: Any,
    sent_by: Any,
    taken_by: Any,
) -> tuple[int, Any, Any, Any, Any]:
    """One look at all flows to hosts on the leafs from `first_leaf` up to before `last_leaf`.

    With `sees` it is a round of colour refinement: what every arc sees of the flows, coloured by the arcs they cross;
    what is seen adds up. Fabric arcs (spray: bundles) get it in `seen_by`, hosts what they send and take in `sent_by`
    and `taken_by`. `price_out` is by class, `price_in` by host: the colours of the arcs onto and off the fabric.

    With `most` above 0 it returns (number, keys, counts, sources, destinations): the kinds of flows that cross
    like-coloured arcs, with a host pair of each; the key is the same for the same kind whatever the leafs. The number
    is above `most` where there are more kinds; then the rest of them is not to be used.
    """
    n_switches, n_bundles = len(start) - 1, len(head)
    content, path = np.zeros(n_switches, dtype=np.uint64), np.zeros(n_switches, dtype=np.uint64)
    order, first = np.empty(n_switches, dtype=np.int32), np.empty(_steps(distance), dtype=np.int32)
    hop_start, hops = np.empty(n_switches + 1, dtype=np.int32), np.empty(n_bundles, dtype=np.int32)
    shares = np.empty(n_bundles)
    crossed, ahead = np.empty(n_switches, dtype=np.int32), np.empty(n_switches, dtype=np.int32)
    by_arc, n_crossed = np.empty(n_switches, dtype=np.int32), 0
    sends, is_crossed = np.zeros(n_switches, dtype=np.bool_), np.empty(n_switches, dtype=np.bool_)
    sends[leafs[class_leaf]] = True
    like, n_like = np.empty(len(class_of), dtype=np.int64), np.zeros(len(class_of), dtype=np.int64)
    taken = np.zeros(len(class_of), dtype=np.uint64)
    class_sent = np.zeros(len(class_leaf), dtype=np.uint64)
    n_slots = 1
    while n_slots < 4 * most:
        n_slots *= 2
    slots = np.full(n_slots, -1, dtype=np.int64)
    keys = np.empty(most, dtype=np.uint64)
    counts, src, dst = np.zeros(most, dtype=np.int64), np.full(most, -1, dtype=np.int64), np.empty(most, dtype=np.int64)
    n_kinds = 0
    for leaf in range(first_leaf, last_leaf):
        if host_start[leaf + 1] == host_start[leaf]:
            continue
        n_reachable = _next_hops(
            distance[leaf], only[leaf], start, head, cost, capacity, order, first, hop_start, hops, shares
        )
        _like(sprays, host_start[leaf], host_start[leaf + 1], price_in, like)
        for host in range(host_start[leaf], host_start[leaf + 1]):
            n_like[like[host]] += 1
        for host in range(host_start[leaf], host_start[leaf + 1]):
            if not sprays:
                is_crossed[:] = sends
                n_crossed = _tree(
                    index[host],
                    order,
                    n_reachable,
                    hop_start,
                    hops,
                    head,
                    arc_start,
                    arcs,
                    divisor,
                    is_crossed,
                    crossed,
                    ahead,
                    by_arc,
                )
                _tree_hash(order[0], crossed, n_crossed, ahead, by_arc, tint, path)
            elif host == host_start[leaf]:
                _sprayed_hash(order, n_reachable, hop_start, hops, shares, head, tint, path)
            if not sprays or host == host_start[leaf]:
                content[:] = np.uint64(0)
            for group in range(len(class_leaf) if like[host] == host else 0):
                switch = leafs[class_leaf[group]]
                flow = _mixed(price_out[group] + path[switch] + price_in[host])
                if sees:
                    one, count = flow * np.uint64(class_size[group]), np.uint64(n_like[host])
                    class_sent[group] += flow * count
                    taken[host] += one
                    content[switch] += one * count
                if n_kinds > most or most == 0:
                    continue
                slot = _slot_of(flow, slots, keys)
                if slots[slot] < 0:
                    if n_kinds == most:
                        n_kinds += 1
                        if sees:
                            continue
                        return n_kinds, keys, counts, src, dst
                    slots[slot], keys[n_kinds] = n_kinds, flow
                    n_kinds += 1
                kind = slots[slot]
                counts[kind] += class_size[group] * n_like[host]
                for other in range(host, host_start[leaf + 1]):
                    if src[kind] >= 0:
                        break
                    if like[other] == host:
                        src[kind] = _no_mate(other, class_start[group], class_start[group + 1], class_hosts, mates)
                        dst[kind] = other
            if sees:
                taken_by[host] += taken[like[host]]
            for place in range(mates.shape[1]):
                mate = mates[host, place]
                if mate < 0:
                    continue
                switch = leafs[leaf_of_host[mate]]
                flow = _mixed(price_out[class_of[mate]] + path[switch] + price_in[host])
                if sees:
                    sent_by[mate] -= flow
                    taken_by[host] -= flow
                    content[switch] -= flow
                if 0 < n_kinds <= most:
                    counts[slots[_slot_of(flow, slots, keys)]] -= 1
            if sees and not sprays:
                for place in range(n_crossed):
                    switch = crossed[place]
                    seen_by[by_arc[switch]] += content[switch]
                    content[ahead[switch]] += content[switch]
            elif sees and host == host_start[leaf + 1] - 1:
                _spread_hash(order, n_reachable, hop_start, hops, shares, head, content, seen_by)
    for host in range(len(class_of) if sees else 0):
        sent_by[host] += class_sent[class_of[host]]
    found = min(n_kinds, most)
    is_sent = counts[:found] > 0
    return n_kinds, keys[:found][is_sent], counts[:found][is_sent], src[:found][is_sent], dst[:found][is_sent]
