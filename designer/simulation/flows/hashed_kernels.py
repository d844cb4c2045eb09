"""All-to-all under `ecmp` without writing out its flows: the inner loops, compiled.

Arrays as in uniform_kernels. A flow chooses its port anew at every switch, as routing.kernels does, by the same hash.
"""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled

SURE_OF_NORMAL = 30.0
# Where a binomial has at least this variance, a rounded normal is drawn for it.


@compiled
def _mixed(value: Any) -> Any:
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@compiled
def _ports(
    row: Any,
    only: Any,
    start: Any,
    head: Any,
    cost: Any,
    arc_start: Any,
    arcs: Any,
    port_start: Any,
    ports: Any,
    leads_to: Any,
) -> None:
    """Fills, for one leaf, `ports` with the arcs each switch may send over and `leads_to` with where they lead."""
    at = 0
    for switch in range(len(row)):
        port_start[switch] = at
        if row[switch] > 0:
            for bundle in range(start[switch], start[switch + 1]):
                if len(only) > 0:
                    is_nearer = only[switch] == bundle
                else:
                    is_nearer = row[head[bundle]] >= 0 and row[head[bundle]] == row[switch] - cost[bundle]
                if is_nearer:
                    for place in range(arc_start[bundle], arc_start[bundle + 1]):
                        ports[at], leads_to[at] = arcs[place], head[bundle]
                        at += 1
    port_start[len(row)] = at


@compiled
def hashed_loads(
    first_leaf: int,
    last_leaf: int,
    start: Any,
    head: Any,
    cost: Any,
    arc_start: Any,
    arcs: Any,
    arc_latency: Any,
    leafs: Any,
    distance: Any,
    only: Any,
    host_start: Any,
    leaf_of_host: Any,
    crossbar: Any,
    members: Any,
    longest_out: Any,
    longest_in: Any,
    n_arcs: int,
    seed: Any,
) -> tuple[Any, float]:
    """(flows by arc, longest latency of a path) of the flows to hosts on these leafs: every one hashed for itself."""
    loads, longest, n_hosts = np.zeros(n_arcs), 0.0, len(members)
    salts = np.empty(n_hosts, dtype=np.uint64)
    for host in range(n_hosts):
        salts[host] = _mixed(_mixed(seed) ^ np.uint64(members[host]))
    port_start = np.empty(len(start), dtype=np.int32)
    ports, leads_to = np.empty(len(arcs), dtype=np.int32), np.empty(len(arcs), dtype=np.int32)
    for leaf in range(first_leaf, last_leaf):
        if host_start[leaf + 1] == host_start[leaf]:
            continue
        _ports(distance[leaf], only[leaf], start, head, cost, arc_start, arcs, port_start, ports, leads_to)
        for target in range(host_start[leaf], host_start[leaf + 1]):
            for source in range(n_hosts):
                if crossbar[source] == crossbar[target]:
                    continue
                salt = _mixed(_mixed(salts[source] ^ np.uint64(members[target])))
                switch, latency = leafs[leaf_of_host[source]], 0.0
                while switch != leafs[leaf]:
                    drawn = _mixed(salt ^ (np.uint64(switch) * np.uint64(0xD1342543DE82EF95)))
                    n_ports = port_start[switch + 1] - port_start[switch]
                    port = port_start[switch] + np.int64(drawn % np.uint64(n_ports))
                    loads[ports[port]] += 1.0
                    latency += arc_latency[ports[port]]
                    switch = leads_to[port]
                longest = max(longest, longest_out[leaf_of_host[source]] + latency + longest_in[leaf])
    return loads, longest


@compiled
def drawn_loads(
    first_leaf: int,
    last_leaf: int,
    start: Any,
    head: Any,
    cost: Any,
    arc_start: Any,
    arcs: Any,
    arc_latency: Any,
    leafs: Any,
    distance: Any,
    only: Any,
    host_start: Any,
    leaf_of_host: Any,
    crossbar: Any,
    members: Any,
    longest_out: Any,
    longest_in: Any,
    n_arcs: int,
    seed: Any,
) -> tuple[Any, float]:
    """As hashed_loads, but how many flows to a leaf take each port of a switch is drawn at once, as hashing would."""
    loads, longest, n_leafs, n_switches = np.zeros(n_arcs), 0.0, len(leafs), len(start) - 1
    port_start = np.empty(n_switches + 1, dtype=np.int32)
    ports, leads_to = np.empty(len(arcs), dtype=np.int32), np.empty(len(arcs), dtype=np.int32)
    carried, delay = np.zeros(n_switches), np.zeros(n_switches)
    first = np.empty(distance.max() + 2, dtype=np.int32)
    order = np.empty(n_switches, dtype=np.int32)
    for leaf in range(first_leaf, last_leaf):
        n_here = host_start[leaf + 1] - host_start[leaf]
        if n_here == 0:
            continue
        np.random.seed(np.uint32(_mixed(seed ^ _mixed(np.uint64(leaf))) & np.uint64(0xFFFFFFFF)))
        row = distance[leaf]
        _ports(row, only[leaf], start, head, cost, arc_start, arcs, port_start, ports, leads_to)
        first[:] = 0
        for switch in range(n_switches):
            if row[switch] >= 0:
                first[row[switch] + 1] += 1
        for step in range(1, len(first)):
            first[step] += first[step - 1]
        n_reachable = first[len(first) - 1]
        for switch in range(n_switches):
            if row[switch] >= 0:
                order[first[row[switch]]] = switch
                first[row[switch]] += 1
        carried[:], delay[:] = 0.0, 0.0
        for other in range(n_leafs):
            carried[leafs[other]] = float(n_here * (host_start[other + 1] - host_start[other]))
        for target in range(host_start[leaf], host_start[leaf + 1]):
            for source in range(len(members)):
                if crossbar[source] == crossbar[target]:
                    carried[leafs[leaf_of_host[source]]] -= 1.0
        for place in range(n_reachable - 1, 0, -1):
            switch = order[place]
            left = carried[switch]
            for port in range(port_start[switch], port_start[switch + 1]):
                if left <= 0.0:
                    break
                n_ports = port_start[switch + 1] - port
                here = _drawn(left, 1.0 / n_ports) if n_ports > 1 else left
                loads[ports[port]] += here
                carried[leads_to[port]] += here
                left -= here
        for place in range(1, n_reachable):
            switch = order[place]
            if carried[switch] > 0.0:
                for port in range(port_start[switch], port_start[switch + 1]):
                    delay[switch] = max(delay[switch], arc_latency[ports[port]] + delay[leads_to[port]])
        for other in range(n_leafs):
            if host_start[other + 1] > host_start[other]:
                longest = max(longest, longest_out[other] + delay[leafs[other]] + longest_in[leaf])
    return loads, longest


@compiled
def _drawn(n_flows: Any, chance: Any) -> Any:
    """How many of so many flows choose a port that each chooses with this probability."""
    variance = n_flows * chance * (1.0 - chance)
    if variance < SURE_OF_NORMAL:
        return float(np.random.binomial(int(n_flows), chance))
    return min(n_flows, max(0.0, np.round(np.random.normal(n_flows * chance, np.sqrt(variance)))))
