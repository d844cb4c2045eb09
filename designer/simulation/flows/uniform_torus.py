"""Uniform all-to-all on a whole torus under dimension order, by its symmetry.

On a torus without gaps, all links along a dimension of one rate and every node with as many hosts, each node sees the
same: what holds of flows over a displacement from one node holds of them from all. So every link one way along a
dimension carries the same, and all flows of a displacement run at one rate: instead of N^2 flows there are N kinds of
them on two links a dimension and the hosts' own. Nothing is taken for granted: where the drawing is not such a torus
there is no answer here.
"""

import math

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.routing import dimension_order
from designer.routing.dimension_order import Lattice
from designer.routing.network import Network
from designer.simulation.flows import fluid, uniform
from designer.simulation.flows.fluid import Progress
from designer.simulation.flows.uniform import UniformPhaseResult

LEAST_RING = 3
# In a ring of two both ways round are the same link.


def run(
    network: Network,
    members: NDArray[np.int64],
    pair_bytes: float,
    capacity: NDArray[np.float64],
    *,
    tolerance: float = fluid.EXACT,
    progress: Progress | None = None,
) -> UniformPhaseResult | None:
    """The course of one flow of `pair_bytes` from every member to every other; None where nodes are not all alike."""
    lattice = _whole(network)
    if lattice is None or not uniform.applies(network, members):
        return None
    hosts = _hosts_a_node(network, members)
    arcs = _link_arcs(network, lattice)
    columns = _host_arcs(network, members)
    if hosts is None or arcs is None or columns is None:
        return None
    places = [*arcs.reshape(-1, arcs.shape[-1]), *columns]  # arcs that are alike, each way along each dimension first
    rates = np.array([capacity[alike[0]] for alike in places])
    if not all((capacity[alike] == rate).all() for alike, rate in zip(places, rates, strict=True)):
        return None
    hops = _hops(lattice)
    if hosts == 1:
        hops = hops[1:]  # a node's only host sends nothing to itself
    to_each = np.full(len(hops), hosts)
    if hosts > 1:
        to_each[0] -= 1
    weights = np.hstack([hops * (hosts * to_each)[:, None], np.repeat(to_each[:, None], len(columns), axis=1)])
    kind, place = np.nonzero(weights)
    start = np.searchsorted(kind, np.arange(len(hops) + 1)).astype(np.int64)
    phase_result = fluid.run(
        start,
        place.astype(np.int32),
        weights[kind, place].astype(np.float64),
        rates,
        np.full(len(hops), float(pair_bytes)),
        tolerance=tolerance,
        progress=progress,
    )
    n_arcs = network.graph.n_arcs
    flows_on, peak = np.zeros(n_arcs), np.zeros(n_arcs)
    total = weights.sum(axis=0)
    for alike, flows, used in zip(places, total.tolist(), phase_result.peak.tolist(), strict=True):
        flows_on[alike] = flows
        peak[alike] = used
    counts = len(members) * to_each.astype(np.int64)
    latency_ns = _longest_ns(network, lattice, arcs, members)
    return UniformPhaseResult(
        float(phase_result.finish_s.max()),
        latency_ns,
        flows_on,
        peak,
        counts,
        phase_result.finish_s,
        phase_result.first_rate,
        phase_result.n_solves,
    )


def _whole(network: Network) -> Lattice | None:
    """The lattice of a torus that no link is missing from; else None."""
    try:
        lattice = dimension_order.lattice(network)
    except GraphError:
        return None
    full = math.prod(lattice.sizes.tolist()) == network.switches.n_switches
    has_all_steps = (lattice.steps >= 0).all()  # from the ends of a row that is no ring no step leads on
    return lattice if full and has_all_steps and (lattice.sizes >= LEAST_RING).all() else None


def _hosts_a_node(network: Network, members: NDArray[np.int64]) -> int | None:
    """How many members are on every node; None where that differs, or where some share a crossbar."""
    ends, switches = network.ends, network.switches
    on = np.bincount(switches.leafs[ends.leaf[members, 0]], minlength=switches.n_switches)
    shares = (ends.domain[members] >= 0).any() or (ends.borrowed | ends.shares)[members].any()
    return int(on[0]) if (on == on[0]).all() and not shares else None


def _link_arcs(network: Network, lattice: Lattice) -> NDArray[np.int32] | None:
    """(n_dimensions, 2, n_switches) the arc that leads a step + or - from each node; None where links are parallel."""
    switches = network.switches
    if len(switches.arcs) != len(switches.head):
        return None
    found: NDArray[np.int32] = switches.arcs[lattice.steps]
    return found


def _host_arcs(network: Network, members: NDArray[np.int64]) -> list[NDArray[np.int32]] | None:
    """Arcs between members and the fabric, one a member in each array, out and in; None where members differ."""
    sides = np.hstack([network.ends.out[members, 0], network.ends.in_[members, 0]])
    used = sides >= 0
    if not (used == used[0]).all():
        return None
    columns = [sides[:, column] for column in np.flatnonzero(used[0])]
    return columns if all(len(np.unique(column)) == len(column) for column in columns) else None


def _hops(lattice: Lattice) -> NDArray[np.int64]:
    """(n_nodes, 2 * n_dimensions) by displacement: steps each way along each dimension, shorter way round, ties to +.

    The first row is a node's own.
    """
    sizes = lattice.sizes.astype(np.int64)
    ahead = np.stack(np.unravel_index(np.arange(sizes.prod()), tuple(sizes)), axis=1)
    plus = np.where(2 * ahead <= sizes, ahead, 0)
    minus = np.where(2 * ahead <= sizes, 0, sizes - ahead)
    return np.stack([plus, minus], axis=2).reshape(len(ahead), -1)


def _longest_ns(network: Network, lattice: Lattice, arcs: NDArray[np.int32], members: NDArray[np.int64]) -> float:
    """The longest latency of a path: from the last dimension back to the first, the worst that is still to come."""
    graph, ends, switches = network.graph, network.ends, network.switches
    node = switches.leafs[ends.leaf[members, 0]]
    out, in_ = np.zeros(switches.n_switches), np.zeros(switches.n_switches)
    for side, worst in ((ends.out[members, 0], out), (ends.in_[members, 0], in_)):
        np.maximum.at(worst, node, np.where(side >= 0, graph.latency_ns[side], 0.0).sum(axis=1))
    to_come = in_
    for dimension in reversed(range(len(lattice.sizes))):
        size = int(lattice.sizes[dimension])
        best = to_come.copy()
        for sign, most in ((0, size // 2), (1, (size - 1) // 2)):
            step_ns = graph.latency_ns[arcs[dimension, sign]]
            following = switches.head[lattice.steps[dimension, sign]]
            at, so_far = np.arange(switches.n_switches), np.zeros(switches.n_switches)
            for _ in range(most):
                so_far = so_far + step_ns[at]
                at = following[at]
                best = np.maximum(best, so_far + to_come[at])
        to_come = best
    return float((out + to_come).max())
