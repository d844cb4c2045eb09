"""Sprayed all-to-all without writing out its flows, over switches that are folded: the inner loops, compiled.

Hosts are the members, numbered from 0 and sorted by leaf. Every host sends one flow to every host but its mates. A node
stands for switches that can be exchanged, see `folding`.
"""

from typing import NamedTuple

import numpy as np

from designer.graph.compiled import compiled, compiled_borrowing, compiled_inline
from designer.graph.hash_kernels import mixed
from designer.routing.transport_kernels import (
    Bundles,
    Descent,
    Fabric,
    Floats,
    Longs,
    aim,
    descent_over,
    find_all,
    line_up,
    pull,
    push,
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
from designer.simulation.flows.uniform_kernels import HostArrays


class Folds(NamedTuple):
    """Which switches a node of the folded fabric stands for.

    Leafs of the first of several blocks that can be exchanged are nodes of their own, and the goals; what flows to them
    do, those to the leafs of the other blocks do too.
    """

    size: Longs  # (n_nodes,) how many switches
    block: Longs  # (n_nodes,) the same number for all leafs of blocks that can be exchanged; -1 without hosts
    is_counted: Longs  # (n_nodes,) 0 for the leafs of all blocks but the first, else 1
    leaf: Longs  # (n_nodes,) one of the leafs, -1 without hosts
    node: Longs  # (n_leafs,)
    goal_leaf: Longs  # (n_goals,)
    n_like: Longs  # (n_goals,) how many leafs the goal stands for


@compiled
def spray_loads(
    first_goal: int, last_goal: int, fabric: Fabric, latency: Floats, hosts: HostArrays, folds: Folds
) -> tuple[Floats, float]:
    """(flows by bundle, longest latency of a path) of the flows to hosts on the goals up to before `last_goal`.

    A bundle of the folded fabric has what all bundles carry that it stands for, from flows to all leafs like the goal.
    """
    bundles, (_, distance, only) = fabric.bundles, fabric.goals
    host_start, leaf_of_host, mates = hosts.start, hosts.leaf, hosts.mates
    n_nodes, node_of = len(bundles.start) - 1, folds.node
    loads, longest, slow = np.zeros(len(bundles.head)), 0.0, (latency > 0.0).any()
    senders = _senders(hosts, folds)
    carried, delay, way = np.zeros(n_nodes), np.zeros(n_nodes), descent_over(bundles, distance, only)
    for goal in range(first_goal, last_goal):
        leaf, n_like = folds.goal_leaf[goal], float(folds.n_like[goal])
        n_here = host_start[leaf + 1] - host_start[leaf]
        if n_here == 0:
            continue
        aim(way, goal)
        n_reachable = line_up(way)
        for node in range(n_nodes):
            carried[node] = n_like * float(n_here) * senders[node]
        for host in range(host_start[leaf], host_start[leaf + 1]):
            for place in range(mates.shape[1]):
                if mates[host, place] >= 0:
                    carried[node_of[leaf_of_host[mates[host, place]]]] -= n_like
        push(bundles, way, n_reachable, way.shares, carried, loads)
        if slow:
            pull(bundles, way, n_reachable, latency, delay)
        longest = max(longest, _longest(leaf, senders, delay, hosts, folds))
    return loads, longest


@compiled
def spray_latency(
    first_goal: int, last_goal: int, fabric: Fabric, latency: Floats, hosts: HostArrays, folds: Folds
) -> float:
    """The longest latency alone."""
    bundles, (_, distance, only) = fabric.bundles, fabric.goals
    longest, senders = 0.0, _senders(hosts, folds)
    delay, way = np.zeros(len(bundles.start) - 1), descent_over(bundles, distance, only)
    for goal in range(first_goal, last_goal):
        leaf = folds.goal_leaf[goal]
        if hosts.start[leaf + 1] > hosts.start[leaf]:
            aim(way, goal)
            pull(bundles, way, find_all(bundles, way), latency, delay)
            longest = max(longest, _longest(leaf, senders, delay, hosts, folds))
    return longest


@compiled
def _senders(hosts: HostArrays, folds: Folds) -> Floats:
    """(n_nodes,) how many hosts are on the switches of a node."""
    found, leaf_of = np.zeros(len(folds.size)), folds.leaf
    for node in range(len(found)):
        if leaf_of[node] >= 0:
            found[node] = float(folds.size[node] * (hosts.start[leaf_of[node] + 1] - hosts.start[leaf_of[node]]))
    return found


@compiled_borrowing
def _longest(leaf: int, senders: Floats, delay: Floats, hosts: HostArrays, folds: Folds) -> float:
    """The longest latency of a path to a host on a leaf."""
    longest, leaf_of, longest_out = 0.0, folds.leaf, hosts.longest_out
    for node in range(len(senders)):
        if senders[node] > 0.0:
            longest = max(longest, longest_out[leaf_of[node]] + delay[node] + hosts.longest_in[leaf])
    return longest


@compiled_borrowing
def _share_keys(bundles: Bundles, way: Descent, n_reachable: int, size: Longs, keys: Hashes) -> None:
    """Sets by next hop a number for its share, which multiplies what takes it: sums stand for flows with shares."""
    start, head, order, hops, n_hops, shares = bundles.start, bundles.head, way.order, way.hops, way.n_hops, way.shares
    last_share, key = -1.0, np.uint64(1)
    for place in range(n_reachable):
        first = start[order[place]]
        for hop in range(first, first + n_hops[order[place]]):
            share = shares[hop] / size[head[hops[hop]]]  # of one of the switches that the node stands for
            if share != last_share:
                last_share = share
                key = mixed(np.uint64(np.int64(last_share * 1e9 + 0.5))) | np.uint64(1)
            keys[hop] = key


@compiled_borrowing
def _sprayed_hash(
    bundles: Bundles, way: Descent, n_reachable: int, size: Longs, keys: Hashes, tint: Hashes, path: Hashes
) -> None:
    """Fills `path` by node: a hash of the colors (`tint` by bundle) and shares of the bundles to the leaf."""
    start, head, order, n_hops, hops = bundles.start, bundles.head, way.order, way.n_hops, way.hops
    path[order[0]] = ARRIVED
    for place in range(1, n_reachable):
        node = order[place]
        total = np.uint64(0)
        for hop in range(start[node], start[node] + n_hops[node]):
            to = head[hops[hop]]
            total += tint[hops[hop]] * path[to] * keys[hop] * np.uint64(size[to])
        path[node] = mixed(total)


@compiled_inline
def _times(node: int, block: int, folds: Folds) -> int:
    """How often what is seen of a switch of the node, from one goal, is seen of a switch from all goals like that one.

    In the goal's own block each of the switches is once that of the goal and else one of the others; of other blocks
    that can be exchanged the first counts.
    """
    return int(folds.size[node] if folds.block[node] == block else folds.is_counted[node])


@compiled_borrowing
def _push_hashes(
    bundles: Bundles, way: Descent, n_reachable: int, folds: Folds, goal: int, keys: Hashes, content: Hashes
) -> None:
    """Takes the content of the switches of each node down to the goal; `keys` become what crosses each hop.

    It is what flows to all goals like this one put on one bundle of those that a bundle stands for.
    """
    start, head, order, hops, n_hops = bundles.start, bundles.head, way.order, way.hops, way.n_hops
    size, block_of = folds.size, folds.block
    block, n_like = block_of[order[0]], folds.n_like[goal]
    for place in range(n_reachable - 1, 0, -1):
        node = order[place]
        here, is_own, times = content[node], block_of[node] == block, _times(node, block, folds)
        for hop in range(start[node], start[node] + n_hops[node]):
            to = head[hops[hop]]
            part = here * keys[hop]
            content[to] += part * np.uint64(size[node])
            often = times * _times(to, block, folds)
            keys[hop] = part * np.uint64(often if is_own or block_of[to] == block else often * n_like)


@compiled_borrowing
def _like(first: int, last: int, price_in: Hashes, like: Longs) -> None:
    """Fills `like` for the hosts of a leaf: the first to which flows take arcs of the same colors."""
    for host in range(first, last):
        like[host] = host
        for other in range(first, host):
            if like[other] == other and price_in[other] == price_in[host]:
                like[host] = other
                break


@compiled
def survey(
    first_goal: int,
    last_goal: int,
    most: int,
    fabric: Fabric,
    hosts: HostArrays,
    classes: tuple[ClassArrays, Longs],
    colours: Colours,
    folds: Folds,
) -> tuple[int, Hashes, Longs, Longs, Longs]:
    """One look at all flows to hosts on the goals up to before `last_goal`, as `uniform_kernels.survey` has it.

    What is seen is that of one switch, bundle or host of those that can be exchanged, of the flows to all goals: of
    bundles it adds up over those of the folded fabric. `classes` are those of the hosts shown, and for each the one of
    the first block that can be exchanged with it.
    """
    bundles, goals, (grouped, counted_for) = fabric.bundles, fabric.goals, classes
    tint, seen_by, sent_by, taken_by = colours
    node_of, leaf_of_host, mates, size, block_of = folds.node, hosts.leaf, hosts.mates, folds.size, folds.block
    class_node, class_size, price_out, price_in = grouped.place, grouped.size, grouped.price_out, grouped.price_in
    n_nodes, n_hosts, n_classes, sees = len(size), len(grouped.of), len(class_node), len(sent_by) > 0
    content, path = np.zeros(n_nodes, dtype=np.uint64), np.zeros(n_nodes, dtype=np.uint64)
    way, keys = descent_over(bundles, goals.distance, goals.only), np.empty(len(bundles.head), dtype=np.uint64)
    like, n_alike = np.empty(n_hosts, dtype=np.int64), np.zeros(n_hosts, dtype=np.int64)
    taken, class_sent = np.zeros(n_hosts, dtype=np.uint64), np.zeros(n_classes, dtype=np.uint64)
    kinds = kinds_for(most)
    for goal in range(first_goal, last_goal):
        leaf, n_like, block = folds.goal_leaf[goal], folds.n_like[goal], block_of[goals.leafs[goal]]
        first, last = hosts.start[leaf], hosts.start[leaf + 1]
        if first == last:
            continue
        aim(way, goal)
        n_reachable = find_all(bundles, way)
        _share_keys(bundles, way, n_reachable, size, keys)
        _sprayed_hash(bundles, way, n_reachable, size, keys, tint, path)
        _like(first, last, price_in, like)
        for host in range(first, last):
            n_alike[like[host]] += 1
        content[:] = np.uint64(0)
        for host in range(first, last):
            for group in range(n_classes if like[host] == host else 0):
                node = class_node[group]
                flow, n_senders = mixed(price_out[group] + path[node] + price_in[host]), class_size[group]
                if sees:
                    from_one = flow * np.uint64(n_senders)
                    times = size[node] if block_of[node] == block else folds.is_counted[node] * n_like
                    class_sent[counted_for[group]] += flow * np.uint64(n_alike[host] * times)
                    taken[host] += from_one * np.uint64(size[node])
                    content[node] += from_one * np.uint64(n_alike[host])
                if most == 0 or kinds.n[0] > most:
                    continue
                count = n_senders * size[node] * n_alike[host] * n_like
                has_room = note_flows(flow, count, group, host, last, like, (grouped, mates), kinds)
                if not has_room and not sees:
                    return found_kinds(kinds)
            taken_by_like = taken[like[host]]
            for place in range(mates.shape[1]):
                mate = mates[host, place]
                if mate < 0:
                    continue
                node = node_of[leaf_of_host[mate]]
                flow = mixed(price_out[grouped.of[mate]] + path[node] + price_in[host])
                if sees:
                    sent_by[mate] -= flow
                    taken_by_like -= flow
                    content[node] -= flow
                if 0 < kinds.n[0] <= most:
                    kinds.counts[kinds.slots[slot_of(flow, kinds.slots, kinds.keys)]] -= n_like
            if sees:
                taken_by[host] += taken_by_like
        if sees:
            _push_hashes(bundles, way, n_reachable, folds, goal, keys, content)
            for node in way.order[1:n_reachable]:
                for hop in range(bundles.start[node], bundles.start[node] + way.n_hops[node]):
                    seen_by[way.hops[hop]] += keys[hop]
    for host in range(n_hosts if sees else 0):
        if grouped.of[host] >= 0:
            sent_by[host] += class_sent[grouped.of[host]]
    return found_kinds(kinds)
