"""The next hops of one switch towards a goal, compiled: what descents over whole fabrics are made of, by itself."""

import numpy as np

from designer.graph.compiled import compiled
from designer.routing.transport_kernels import Bundles, Distances, Floats, Ints, next_hops, share_out


@compiled
def hops_towards(switch: int, goal: int, distance: Distances, only: Ints, bundles: Bundles) -> tuple[Ints, Floats]:
    """(bundles, the share of what is at the switch that goes by each); none at the goal and where no way leads on."""
    hops, row = np.empty(bundles.start[switch + 1] - bundles.start[switch] + 1, dtype=np.int32), distance[goal]
    if row[switch] <= 0:
        return hops[:0], np.empty(0)
    last, total = next_hops(switch, row, only[goal], bundles, hops, 0)
    shares = np.empty(last)
    share_out(0, last, total, goal, bundles, hops, shares)
    return hops[:last], shares
