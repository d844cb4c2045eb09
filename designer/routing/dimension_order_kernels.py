"""Next hops of dimension-order routing, compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled
from designer.routing import transport_kernels
from designer.routing.transport_kernels import Bundles, Distances, Goals, Ints

PLUS, MINUS = 0, 1


class LatticeArrays(NamedTuple):
    """What kernels read of a Lattice; see there."""

    steps: Ints
    reach: Ints  # (n_dimensions, 2, n_switches) steps that can be taken on end
    places: Ints
    sizes: Ints
    is_ring: NDArray[np.bool_]


@compiled
def _direction(at: int, goal: int, size: int, is_ring: bool, plus: int, minus: int, half_goes_minus: bool) -> int:
    """PLUS or MINUS along one dimension; -1 where neither way is whole. `plus`, `minus`: steps there are each way."""
    if is_ring:
        up = (goal - at) % size
        down = size - up
    elif goal > at:
        up, down = goal - at, 2 * size
    else:
        up, down = 2 * size, at - goal
    first = PLUS
    if down < up or (down == up and half_goes_minus and 2 * at == size):
        first = MINUS
    if first == PLUS and up <= plus:
        return PLUS
    if down <= minus:
        return MINUS
    return PLUS if up <= plus else -1


@compiled
def next_hops(bundles: Bundles, goals: Goals, lattice: LatticeArrays, half_goes_minus: bool) -> tuple[Distances, Ints]:
    """(hops (n_leafs, n_switches), bundle of the next hop (n_leafs, n_switches), -1 at the leaf or where no way leads).

    A leaf that dimension order does not reach from every switch that has a way is reached by shortest ways.
    """
    steps, reach, coordinates, sizes, is_ring = lattice
    head, leafs, shortest = bundles.head, goals.leafs, goals.distance
    n_switches, n_dimensions = coordinates.shape
    hops = np.empty(len(head), dtype=np.int32)
    distance = np.full((len(leafs), n_switches), -1, dtype=np.int16)
    only = np.full((len(leafs), n_switches), -1, dtype=np.int32)
    trail = np.empty(n_switches, dtype=np.int32)
    for leaf in range(len(leafs)):
        goal = leafs[leaf]
        for switch in range(n_switches):
            for dimension in range(n_dimensions):
                at, to = coordinates[switch, dimension], coordinates[goal, dimension]
                if at != to:
                    way = _direction(
                        at,
                        to,
                        sizes[dimension],
                        is_ring[dimension],
                        reach[dimension, PLUS, switch],
                        reach[dimension, MINUS, switch],
                        half_goes_minus,
                    )
                    if way >= 0:
                        only[leaf, switch] = steps[dimension, way, switch]
                    break
        distance[leaf, goal] = 0
        broken = False
        for origin in range(n_switches):
            switch, length = origin, 0
            while distance[leaf, switch] < 0 and only[leaf, switch] >= 0 and length < n_switches:
                trail[length] = switch
                length += 1
                switch = head[only[leaf, switch]]
            if distance[leaf, switch] < 0:
                broken = broken or shortest[leaf, origin] >= 0
                continue
            for place in range(length - 1, -1, -1):
                distance[leaf, trail[place]] = distance[leaf, switch] + length - place
        if broken:
            for switch in range(n_switches):
                distance[leaf, switch] = shortest[leaf, switch]
                only[leaf, switch] = -1
                if shortest[leaf, switch] > 0:
                    transport_kernels.next_hops(switch, shortest[leaf], goals.only[leaf], bundles, hops, 0)
                    only[leaf, switch] = hops[0]
    return distance, only
