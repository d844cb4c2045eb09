"""All-to-all under `ecmp`, or in pieces, without writing out its flows: the inner loops, compiled.

Hosts as in uniform_kernels. A flow chooses its port again at every switch, as routing.kernels does, by the same hash.
"""

from typing import NamedTuple

import numpy as np

from designer.graph.compiled import compiled, compiled_borrowing
from designer.graph.hash_kernels import mixed
from designer.routing.pieces_kernels import RANDOM, ROUND_ROBIN, by_chance, by_rate, in_turn
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
from designer.simulation.flows.uniform_kernels import HostArrays


class Sent(NamedTuple):
    """One flow from each member to each other that is not of the same crossbar, and what chooses its ports."""

    crossbar: Longs  # (n_members,)
    members: Longs
    seed: np.uint64
    n_pieces: float  # of each flow
    choice: int  # how the port of a piece is chosen: see pieces_kernels


class Exits(NamedTuple):
    """The arcs that each switch may send over towards one leaf, and where they lead."""

    start: Ints  # (n_switches + 1,)
    arcs: Ints
    ahead: Ints


@compiled
def _exits_over(fabric: Fabric) -> Exits:
    """Room for exits."""
    arcs, ahead = np.empty(len(fabric.ports.arcs), dtype=np.int32), np.empty(len(fabric.ports.arcs), dtype=np.int32)
    return Exits(np.empty(len(fabric.bundles.start), dtype=np.int32), arcs, ahead)


@compiled_borrowing
def _find_exits(fabric: Fabric, way: Descent, exits: Exits) -> int:
    """Fills the exits towards one leaf, and lines its switches up; returns how many reach it."""
    n_reachable, at = find_all(fabric.bundles, way), 0
    start, head, arc_start, arcs = fabric.bundles.start, fabric.bundles.head, fabric.ports.start, fabric.ports.arcs
    row, n_hops, hops = way.distance[way.aim[0]], way.n_hops, way.hops
    exit_start, exit_arcs, ahead = exits
    for switch in range(len(row)):
        exit_start[switch] = at
        if row[switch] > 0:
            for hop in range(start[switch], start[switch] + n_hops[switch]):
                bundle = hops[hop]
                for place in range(arc_start[bundle], arc_start[bundle + 1]):
                    exit_arcs[at], ahead[at] = arcs[place], head[bundle]
                    at += 1
    exit_start[len(row)] = at
    return n_reachable


@compiled
def hashed_loads(
    first_leaf: int, last_leaf: int, fabric: Fabric, arc_latency: Floats, hosts: HostArrays, sent: Sent, gbps: Floats
) -> tuple[Floats, float]:
    """(flows by arc, longest latency of a path) of the flows to hosts on these leafs: every one hashed for itself."""
    crossbar, members, seed, _, _ = sent
    goals, host_start, leaf_of_host, n_hosts = fabric.goals, hosts.start, hosts.leaf, len(members)
    loads, longest, leafs = np.zeros(len(arc_latency)), 0.0, goals.leafs
    longest_out, longest_in = hosts.longest_out, hosts.longest_in
    salts = np.empty(n_hosts, dtype=np.uint64)
    for host in range(n_hosts):
        salts[host] = mixed(mixed(seed) ^ np.uint64(members[host]))
    way, exits = descent_over(fabric.bundles, goals.distance, goals.only), _exits_over(fabric)
    exit_start, arcs, ahead = exits
    for leaf in range(first_leaf, last_leaf):
        if host_start[leaf + 1] == host_start[leaf]:
            continue
        aim(way, leaf)
        _find_exits(fabric, way, exits)
        for target in range(host_start[leaf], host_start[leaf + 1]):
            for source in range(n_hosts):
                if crossbar[source] == crossbar[target]:
                    continue
                salt = mixed(mixed(salts[source] ^ np.uint64(members[target])))
                switch, latency = leafs[leaf_of_host[source]], 0.0
                while switch != leafs[leaf]:
                    drawn = mixed(salt ^ (np.uint64(switch) * np.uint64(0xD1342543DE82EF95)))
                    n_ports = exit_start[switch + 1] - exit_start[switch]
                    port = exit_start[switch] + np.int64(drawn % np.uint64(n_ports))
                    loads[arcs[port]] += 1.0
                    latency += arc_latency[arcs[port]]
                    switch = ahead[port]
                longest = max(longest, longest_out[leaf_of_host[source]] + latency + longest_in[leaf])
    return loads, longest


@compiled
def drawn_loads(
    first_leaf: int, last_leaf: int, fabric: Fabric, arc_latency: Floats, hosts: HostArrays, sent: Sent, gbps: Floats
) -> tuple[Floats, float]:
    """As hashed_loads of the pieces of flows, but how many to a leaf take each port of a switch is drawn at once."""
    crossbar, members, seed, n_pieces, choice = sent
    goals, host_start, leafs, n_leafs = fabric.goals, hosts.start, fabric.goals.leafs, len(fabric.goals.leafs)
    loads, longest, n_switches = np.zeros(len(arc_latency)), 0.0, len(fabric.bundles.start) - 1
    way, exits = descent_over(fabric.bundles, goals.distance, goals.only), _exits_over(fabric)
    exit_start, arcs, ahead = exits
    carried, delay, order, leaf_of_host = np.zeros(n_switches), np.zeros(n_switches), way.order, hosts.leaf
    longest_out, longest_in, pieces = hosts.longest_out, hosts.longest_in, np.empty(len(fabric.ports.arcs))
    for leaf in range(first_leaf, last_leaf):
        n_here = host_start[leaf + 1] - host_start[leaf]
        if n_here == 0:
            continue
        np.random.seed(np.uint32(mixed(seed ^ mixed(np.uint64(leaf))) & np.uint64(0xFFFFFFFF)))
        aim(way, leaf)
        n_reachable = _find_exits(fabric, way, exits)
        carried[:], delay[:] = 0.0, 0.0
        for other in range(n_leafs):
            carried[leafs[other]] = n_pieces * n_here * (host_start[other + 1] - host_start[other])
        for target in range(host_start[leaf], host_start[leaf + 1]):
            for source in range(len(members)):
                if crossbar[source] == crossbar[target]:
                    carried[leafs[leaf_of_host[source]]] -= n_pieces
        for place in range(n_reachable - 1, 0, -1):
            switch = order[place]
            first, last = exit_start[switch], exit_start[switch + 1]
            if carried[switch] <= 0.0 or first == last:
                continue
            before = np.int64(mixed(np.uint64(switch) ^ mixed(seed ^ np.uint64(leaf))) % np.uint64(last - first))
            if choice == RANDOM:
                by_chance(carried[switch], last - first, pieces)
            elif choice == ROUND_ROBIN:
                in_turn(carried[switch], last - first, before, pieces)
            else:
                by_rate(carried[switch], arcs[first:last], before, gbps, pieces)
            for port in range(first, last):
                loads[arcs[port]] += pieces[port - first]
                carried[ahead[port]] += pieces[port - first]
        for place in range(1, n_reachable):
            switch = order[place]
            if carried[switch] > 0.0:
                for port in range(exit_start[switch], exit_start[switch + 1]):
                    delay[switch] = max(delay[switch], arc_latency[arcs[port]] + delay[ahead[port]])
        for other in range(n_leafs):
            if host_start[other + 1] > host_start[other]:
                longest = max(longest, longest_out[other] + delay[leafs[other]] + longest_in[leaf])
    return loads, longest
