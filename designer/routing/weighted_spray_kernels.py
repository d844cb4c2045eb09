"""What can go on from switches to leafs, compiled."""

import numpy as np

from designer.graph.compiled import compiled
from designer.routing.transport_kernels import Bundles, Floats, Goals, aim, descent_over, find_hops, line_up


@compiled
def capacity_behind(bundles: Bundles, goals: Goals, first_leaf: int, last_leaf: int) -> Floats:
    """(leafs, n_switches) what can go on from each switch to leafs, in Gb/s: over each next hop what both carry."""
    head, start, capacity = bundles.head, bundles.start, bundles.capacity_gbps
    behind = np.zeros((last_leaf - first_leaf, len(start) - 1))
    way = descent_over(bundles, goals.distance, goals.only)
    for leaf in range(first_leaf, last_leaf):
        aim(way, leaf)
        n_reachable, row = line_up(way), behind[leaf - first_leaf]
        if n_reachable > 0:
            row[way.order[0]] = np.inf
        for place in range(1, n_reachable):
            switch = way.order[place]
            find_hops(switch, bundles, way)
            for hop in range(start[switch], start[switch] + way.n_hops[switch]):
                bundle = way.hops[hop]
                row[switch] += min(capacity[bundle], row[head[bundle]])
    return behind
