"""Policy `dimension-order`: on a torus or mesh, dimension after dimension, the shorter way round, ties to +.

What the dimensions are is read from the drawing: ports of a router come in the order +x, -x, +y, -y, .., as the torus
generator makes them, so a torus with failed links is one still. Where the shorter way round a ring is broken the other
way is taken; a destination that cannot be reached so from everywhere is reached by shortest ways instead.
Source: W. Dally, B. Towles, "Principles and Practices of Interconnection Networks" (2004), ch. 8.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.graph.switches import SwitchGraph
from designer.routing import dimension_order_kernels
from designer.routing.dimension_order_kernels import LatticeArrays
from designer.routing.network import Network

MOST_DIMENSIONS = 16


def prepared(network: Network, *, half_goes_minus: bool = False) -> Network:
    """The network with one next hop for each switch and leaf. Raises GraphError where the drawing is no torus or mesh.

    With `half_goes_minus` a tie goes - from coordinate k/2 of a ring of k, and + from all others, as SimGrid has it.
    """
    key = "dimension-order" + ("-half-minus" if half_goes_minus else "")
    found = network.graph.derived.get(key)
    if found is None:
        found = network.graph.derived[key] = _prepared(network, half_goes_minus)
    assert isinstance(found, SwitchGraph)
    return replace(network, switches=found)


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """What is read from the drawing of a torus or mesh."""

    steps: NDArray[np.int32]  # (n_dimensions, 2, n_switches) bundle of a step + or -; -1 where there is none
    places: NDArray[np.int32]  # (n_switches, n_dimensions) coordinates
    sizes: NDArray[np.int32]  # (n_dimensions,) nodes along each
    is_ring: NDArray[np.bool_]  # (n_dimensions,)


def lattice(network: Network) -> Lattice:
    """The dimensions of a torus or mesh. Raises GraphError where the drawing is none."""
    steps = _steps(network)
    return Lattice(steps, *_coordinates(network, steps))


def coordinates(network: Network) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(coordinates of every switch (n_switches, n_dimensions), nodes along each dimension). Raises GraphError."""
    found, sizes, _ = _coordinates(network, _steps(network))
    return found, sizes


def _prepared(network: Network, half_goes_minus: bool) -> SwitchGraph:
    switches = network.switches
    steps = _steps(network)
    places, sizes, is_ring = _coordinates(network, steps)
    arrays = LatticeArrays(steps, _reach(switches, steps), places, sizes, is_ring)
    bundles, goals, _ = network.fabric
    distance, only = dimension_order_kernels.next_hops(bundles, goals, arrays, half_goes_minus)
    return replace(switches, distance=distance, only=only, far=0)


def _steps(network: Network) -> NDArray[np.int32]:
    """(n_dimensions, 2, n_switches) the bundle that leads one step +, or -, along a dimension; -1 where none does."""
    switches, graph = network.switches, network.graph
    first_arc = switches.arcs[switches.arc_start[:-1]]
    port = graph.port_order[first_arc]
    tail = switches.tail
    if not len(port):
        raise GraphError("dimension-order routing needs a torus or a mesh: no links join switches here")
    dimension, sign = port // 2, port % 2
    if dimension.max() >= MOST_DIMENSIONS:
        arc = int(first_arc[np.argmax(dimension)])
        raise _no_torus(network, arc, f"is beyond those of {MOST_DIMENSIONS} dimensions")
    steps = np.full((int(dimension.max()) + 1, 2, switches.n_switches), -1, dtype=np.int32)
    steps[dimension, sign, tail] = np.arange(len(port))
    # One step + and one step - lead to where they began, wherever there is a way back at all.
    back = steps[dimension, 1 - sign, switches.head]
    wrong = (back < 0) | (switches.head[back] != tail)
    if wrong.any():
        # In a ring of two the one link may end on either port.
        raise _no_torus(network, int(first_arc[np.argmax(wrong)]), "does not lead to a neighbor's port back")
    return steps


def _no_torus(network: Network, arc: int, why: str) -> GraphError:
    graph = network.graph
    name, other = graph.device_name(int(graph.source[arc])), graph.device_name(int(graph.target[arc]))
    return GraphError(
        f"dimension-order routing needs a torus or a mesh, with ports in the order +x, -x, +y, -y: {name} port "
        f"{graph.port_name(arc)} (to {other}) {why}"
    )


def _coordinates(
    network: Network, steps: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """(coordinates (n_switches, n_dimensions), nodes along each dimension, which dimensions are rings)."""
    switches = network.switches
    n_dimensions = len(steps)
    longest = [_longest_ring(switches, steps[dimension, 0]) for dimension in range(n_dimensions)]
    is_ring = np.array([length > 0 for length in longest])
    coordinates = np.zeros((switches.n_switches, n_dimensions), dtype=np.int32)
    seen = np.zeros(switches.n_switches, dtype=bool)
    for origin in range(switches.n_switches):
        if seen[origin]:
            continue
        seen[origin] = True
        queue = [origin]
        for switch in queue:
            for dimension in range(n_dimensions):
                for sign, by in ((0, 1), (1, -1)):
                    bundle = steps[dimension, sign, switch]
                    if bundle < 0 or seen[switches.head[bundle]]:
                        continue
                    neighbour = int(switches.head[bundle])
                    seen[neighbour] = True
                    coordinates[neighbour] = coordinates[switch]
                    moved = coordinates[switch, dimension] + by
                    coordinates[neighbour, dimension] = moved % longest[dimension] if longest[dimension] else moved
                    queue.append(neighbour)
    coordinates -= np.where(is_ring, 0, coordinates.min(axis=0))
    sizes = np.where(is_ring, longest, coordinates.max(axis=0) + 1).astype(np.int32)
    _require_consistent(network, steps, coordinates, sizes, is_ring)
    return coordinates, sizes, is_ring


def _longest_ring(switches: SwitchGraph, plus: NDArray[np.int32]) -> int:
    """Nodes of the longest ring along a dimension; 0 where there is none, as in a mesh."""
    longest = 0
    seen = np.zeros(switches.n_switches, dtype=bool)
    for origin in range(switches.n_switches):
        switch, length = origin, 0
        while not seen[switch]:
            seen[switch] = True
            length += 1
            if plus[switch] < 0:
                break
            switch = int(switches.head[plus[switch]])
            if switch == origin:
                longest = max(longest, length)
    return longest


def _require_consistent(
    network: Network,
    steps: NDArray[np.int32],
    coordinates: NDArray[np.int32],
    sizes: NDArray[np.int32],
    is_ring: NDArray[np.bool_],
) -> None:
    """Every link leads to the node its port says. Raises GraphError."""
    switches = network.switches
    for dimension in range(len(steps)):
        tail = np.flatnonzero(steps[dimension, 0] >= 0)
        bundle = steps[dimension, 0, tail]
        expected = coordinates[tail].copy()
        expected[:, dimension] += 1
        if is_ring[dimension]:
            expected[:, dimension] %= sizes[dimension]
        wrong = (coordinates[switches.head[bundle]] != expected).any(axis=1)
        if wrong.any():
            arc = int(switches.arcs[switches.arc_start[bundle[np.argmax(wrong)]]])
            raise _no_torus(network, arc, "does not close rows and columns of equal length")


def _reach(switches: SwitchGraph, steps: NDArray[np.int32]) -> NDArray[np.int32]:
    """(n_dimensions, 2, n_switches) how many steps can be taken on end from a switch: its row's length where all."""
    n_dimensions, _, n_switches = steps.shape
    reach = np.zeros((n_dimensions, 2, n_switches), dtype=np.int32)
    for dimension in range(n_dimensions):
        for sign in range(2):
            step, back = steps[dimension, sign], steps[dimension, 1 - sign]
            for last in np.flatnonzero(step < 0):  # from where a row ends, backwards
                switch, steps_left = int(last), 0
                while True:
                    reach[dimension, sign, switch] = steps_left
                    if back[switch] < 0:
                        break
                    switch, steps_left = int(switches.head[back[switch]]), steps_left + 1
            reach[dimension, sign][(step >= 0) & (reach[dimension, sign] == 0)] = n_switches
    return reach
