"""All-to-all under forwarding tables without writing out its flows: the inner loop, compiled."""

import numpy as np

from designer.graph.compiled import compiled
from designer.routing.tables.kernels import TableArrays, step
from designer.routing.transport_kernels import Floats, Ints
from designer.simulation.flows.uniform_kernels import HostArrays


@compiled
def table_loads(
    first_leaf: int,
    last_leaf: int,
    tables: TableArrays,
    leafs: Ints,
    latency: Floats,
    hosts: HostArrays,
    lasts: Ints,
) -> tuple[Floats, float]:
    """(flows by arc between switches, longest latency) of one flow to each host of these leafs from all but its mates.

    `lasts` (n_hosts,) are the arcs that packets arrive by. The latency is infinite where one does not arrive.
    """
    start, leaf_of, numbers, mates, longest_out, longest_in = hosts
    head, n_leafs, n_switches = tables.head, len(leafs), len(tables.next_arc)
    loads, longest, senders = np.zeros(len(latency)), 0.0, np.zeros(n_leafs, dtype=np.int64)
    for host in range(start[first_leaf], start[last_leaf]):
        number, last = numbers[host], lasts[host]
        for leaf in range(n_leafs):
            senders[leaf] = start[leaf + 1] - start[leaf]
        for place in range(mates.shape[1]):
            if mates[host, place] >= 0:
                senders[leaf_of[mates[host, place]]] -= 1
        for leaf in range(n_leafs):
            if senders[leaf] == 0:
                continue
            switch, left, delay = leafs[leaf], n_switches, longest_out[leaf] + longest_in[leaf_of[host]]
            arc = step(tables, switch, number, last, left)
            while arc >= 0 and arc != last:
                loads[arc] += senders[leaf]
                delay += latency[arc]
                switch, left = head[arc], left - 1
                arc = step(tables, switch, number, last, left)
            if arc < 0:
                return loads, np.inf
            longest = max(longest, delay)
    return loads, longest
