"""Which arcs hold the traffic back, how many flows meet there, and what these would take if they could."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import CROSSBAR, GPU, NIC, SWITCH, Graph
from designer.routing.network import Network, network
from designer.routing.paths import Paths
from designer.routing.policies import policy_named
from designer.simulation.explain import pressure_kernels
from designer.simulation.explain.link_leafs import Hosts, applies, leafs_across
from designer.simulation.flows import fluid

MOST_ARCS = 20
MOST_PAIRS_OF_LEAFS = 32_000_000
# Pairs of leafs looked at, over all arcs, to count the flows that cross in part: a quarter of a second.
ENOUGH = 1 + 1e-6
FULL = 1 - 1e-9
CONGESTED_FROM = 1.01
"""Demand, as a share of what an arc carries, above which it counts as congested: 1 % more, so that a failure far away
that shifts a little traffic does not make half of a fabric congested."""
LATE = 1e-3
# A flow that ends within this share of the phase's end counts among the last.


@dataclass(frozen=True, slots=True, eq=False)
class Pressure:
    """The arcs that decide when a phase ends, the most wanted first.

    `wanted` is what their flows together would bring, in bytes/s, each sending as fast as its sender's own arcs let it.
    """

    arcs: NDArray[np.int64]
    flows: NDArray[np.int64]  # flows that cross the arc, in whole or in part; where not `counted`, at least so many
    worth: NDArray[np.float64]  # the same in whole flows' worth
    wanted: NDArray[np.float64]
    peak: NDArray[np.float64]
    counted: NDArray[np.bool_]
    alike: NDArray[np.int64]  # how many arcs, the arc among them, hold flows back just so: of them only some are here
    demand: NDArray[np.float64]  # (n_arcs,) of all arcs, what their flows want as a share of what the arc carries

    @property
    def overloaded(self) -> NDArray[np.bool_]:
        """(n_arcs,) whether the flows of an arc want over 1 % more than it carries."""
        return np.asarray(self.demand > CONGESTED_FROM)


class Met(NamedTuple):
    """What meets on each arc, (n_arcs,) each: as in `Pressure`."""

    flows: NDArray[np.int64]
    worth: NDArray[np.float64]
    wanted: NDArray[np.float64]
    peak: NDArray[np.float64]


def by_flows(graph: Graph, paths: Paths, phase_result: fluid.PhaseResult, capacity: NDArray[np.float64]) -> Pressure:
    """The pressure where every flow's path and end is known."""
    is_last = phase_result.finish_s >= phase_result.finish_s.max(initial=0.0) * (1 - LATE)
    held = np.unique(phase_result.limit[is_last & (phase_result.limit >= 0)]).astype(np.int64)
    wish = wishes_of_gpus(graph, paths, capacity)
    wanted, worth, count = pressure_kernels.demand(paths.rows, wish, graph.n_arcs)
    # An arc that others are used in proportion to speaks for these too.
    peak, holds = phase_result.peak[paths.stands_for], np.isin(paths.stands_for, held)
    # A flow that two arcs hold back alike names one of them: overloaded arcs count among those like it too.
    full = np.flatnonzero((holds | (peak > FULL)) & (paths.bytes_on > 0))
    like = paths.stands_for[full]
    ratio = capacity[full] / capacity[like]
    worth[full], wanted[full], count[full] = ratio * worth[like], ratio * wanted[like], count[like]
    demand = _share(wanted, capacity)[paths.stands_for]
    full = full[holds[full] | (wanted[full] > capacity[full] * ENOUGH)]
    return _ranked(graph, full[holds[full]], full, Met(count, worth, wanted, peak), capacity, demand)


def by_loads(
    network: Network,
    members: NDArray[np.int64],
    flows_on: NDArray[np.float64],
    peak: NDArray[np.float64],
    capacity: NDArray[np.float64],
    routing: str,
    *,
    brief: bool = False,
) -> Pressure:
    """The pressure of an all-to-all known by its loads only: every member shares its own arcs among all its flows.

    `brief` leaves flows that cross in part uncounted.
    """
    ends = network.ends
    share = np.full(len(capacity) + 1, np.inf)  # one more, for arc -1: none
    np.divide(capacity, flows_on, out=share[:-1], where=flows_on > 0)
    least = share.min()
    held = np.flatnonzero(share[:-1] <= least * (1 + 1e-9))
    own = share[ends.out[members, 0]].min(axis=1)
    within = ends.n_own[members] == 0
    own = np.where(within & (ends.to_domain[members] >= 0), share[ends.to_domain[members]], own)
    wish = float(np.median(own[np.isfinite(own)])) if np.isfinite(own).any() else float(least)
    least_flows = np.ceil(np.round(flows_on, 6)).astype(np.int64)
    wanted = flows_on * wish
    demand = _share(wanted, capacity)
    found = _ranked(network.graph, held, held, Met(least_flows, flows_on, wanted, peak), capacity, demand)
    return _counted(network, members, found, routing, brief)


def _counted(network: Network, members: NDArray[np.int64], found: Pressure, routing: str, brief: bool) -> Pressure:
    """The pressure of loads with flows counted: whole ones by the load, sprayed ones by pairs of leafs."""
    graph, switches = network.graph, network.switches
    between = (graph.kind[graph.source[found.arcs]] == SWITCH) & (graph.kind[graph.target[found.arcs]] == SWITCH)
    policy = policy_named(routing)
    in_parts = between & policy.in_parts if network.ends.n_ways == 1 else np.full(len(between), True)
    counted = ~in_parts & (np.abs(found.worth - found.flows) < 1e-6 * found.flows)
    ways = {(int(graph.source[arc]), int(graph.target[arc])): int(arc) for arc in found.arcs[in_parts]}
    few = len(ways) * len(switches.leafs) ** 2 <= MOST_PAIRS_OF_LEAFS
    # It applies to one arc between switches as to all, and to none where GPUs have several NICs.
    if brief or not ways or not few or not applies(network, members, next(iter(ways.values())), policy):
        return replace(found, counted=counted)
    hosts = Hosts(network, members)
    pairs = np.outer(hosts.count, hosts.count) - hosts.same_domain()
    across = {ends: int(pairs[leafs_across(network, arc)].sum()) for ends, arc in ways.items()}
    flows = found.flows.copy()
    for place in np.flatnonzero(in_parts).tolist():
        arc = found.arcs[place]
        flows[place] = across[int(graph.source[arc]), int(graph.target[arc])]
    return replace(found, flows=flows, counted=counted | in_parts)


def wishes(graph: Graph, paths: Paths, capacity: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_flows,) the rate at which its sender's own arcs would let each flow go, shared with its other flows."""
    is_own = np.isin(graph.kind[graph.source], (GPU, NIC)) & np.isfinite(capacity)
    return pressure_kernels.wishes(paths.rows, is_own, capacity)


def wishes_of_gpus(graph: Graph, paths: Paths, capacity: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_flows,) the rate at which its sender's own NICs, and links of a router of its own, would let each flow go."""
    wish = _wishes_of_nics(graph, paths, capacity)
    between = _between_own_routers(graph)
    if not between.any():
        return wish
    row = np.repeat(np.arange(paths.n_flows), np.diff(paths.start))
    source, target = graph.source[paths.arcs], graph.target[paths.arcs]
    home = np.full(paths.n_flows, -1)
    leaves = (graph.kind[source] == NIC) & (graph.kind[target] == SWITCH)
    home[row[leaves]] = target[leaves]
    on = np.flatnonzero(between[paths.arcs] & (source == home[row]))
    load = np.bincount(paths.arcs[on], paths.weights[on], graph.n_arcs)
    np.minimum.at(wish, row[on], capacity[paths.arcs[on]] / load[paths.arcs[on]])
    return wish


def _between_own_routers(graph: Graph) -> NDArray[np.bool_]:
    """(n_arcs,) links between routers of one server each, as between the chips of a torus; computed once.

    A flow that fills the link of its sender's router alone waits for nobody, whatever the server could send besides.
    """
    found: NDArray[np.bool_] | None = graph.derived.get("between_own_routers")
    if found is None:
        kinds = graph.kind[graph.source], graph.kind[graph.target]
        attached = np.flatnonzero((kinds[0] == NIC) & (kinds[1] == SWITCH))
        pairs = np.unique(np.stack((graph.target[attached], graph.device[graph.source[attached]])), axis=1)
        is_own = np.bincount(pairs[0], minlength=graph.n_vertices) == 1
        found = graph.derived["between_own_routers"] = is_own[graph.source] & is_own[graph.target] & (graph.link >= 0)
    return found


def _wishes_of_nics(graph: Graph, paths: Paths, capacity: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_flows,) the rate at which its sender's own arcs would let each flow go, were each GPU alone on its NICs.

    It may borrow one for want of its own. GPUs that share a NIC because one of them lost its own want more of its link
    than it carries: that is no link that is full by design, and it is the same in both directions and for all such
    servers.
    """
    ends = network(graph).ends
    if not ends.borrowed.any():
        return wishes(graph, paths, capacity)
    lent = _lookup(paths, graph.n_arcs, ends.out[ends.borrowed, :, -2:]) >= 0
    borrower = _lookup(paths, graph.n_arcs, ends.out[ends.borrowed, :, 0])
    row = np.repeat(np.arange(paths.n_flows), np.diff(paths.start))
    user = np.full(paths.n_flows, -1)  # whoever lends the NIC
    known = borrower[paths.arcs] >= 0
    user[row[known]] = borrower[paths.arcs[known]]
    on = np.flatnonzero(lent[paths.arcs] & np.isfinite(capacity[paths.arcs]))
    keys = paths.arcs[on].astype(np.int64) * (len(ends.borrowed) + 1) + user[row[on]] + 1
    _, number = np.unique(keys, return_inverse=True)
    own = np.bincount(number, paths.weights[on])[number]
    least = np.full(paths.n_flows, np.inf)
    np.minimum.at(least, row[on], capacity[paths.arcs[on]] / own)
    elsewhere = wishes(graph, paths, np.where(lent, np.inf, capacity))
    return np.where(np.isfinite(least), np.minimum(least, np.where(elsewhere > 0, elsewhere, np.inf)), elsewhere)


def _lookup(paths: Paths, n_arcs: int, arcs: NDArray[np.int32]) -> NDArray[np.int64]:
    """(n_arcs,) the row of an array of arcs that an arc is in, as paths have it; -1 where it is in none."""
    found = np.full(n_arcs, -1, dtype=np.int64)
    number = np.broadcast_to(np.arange(len(arcs)).reshape(-1, *(1,) * (arcs.ndim - 1)), arcs.shape)
    found[paths.stands_for[arcs[arcs >= 0]]] = number[arcs >= 0]
    return found


def _share(wanted: NDArray[np.float64], capacity: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is wanted of each arc as a share of what it carries; 0 of arcs that nothing limits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: NDArray[np.float64] = np.nan_to_num(wanted / capacity, nan=0.0, posinf=np.inf)
    return found


def _ranked(
    graph: Graph,
    held: NDArray[np.int64],
    full: NDArray[np.int64],
    met: Met,
    capacity: NDArray[np.float64],
    demand: NDArray[np.float64],
) -> Pressure:
    """The first of the arcs that hold flows back; those like each are counted among all `full` ones."""
    count, worth, wanted, peak = met
    held = held[np.lexsort((held, -np.round(wanted[held] / capacity[held], 9)))[:MOST_ARCS]]

    def traits(arcs: NDArray[np.int64]) -> NDArray[np.float64]:
        urgency = np.round(wanted[arcs] / capacity[arcs], 6)
        whole = np.abs(worth[arcs] - count[arcs]) < 1e-6 * count[arcs]
        # Of arcs that carry what is wanted, no more is known.
        return np.stack((_place(graph, arcs), count[arcs], whole, capacity[arcs], np.where(urgency > 1, urgency, 0.0)))

    kinds, of = np.unique(traits(held), axis=1, return_inverse=True)
    others = traits(full)
    n_alike = [int((others == kind[:, None]).all(axis=0).sum()) for kind in kinds.T]
    alike = np.array(n_alike, np.int64)[of.reshape(-1)]
    counted = np.full(len(held), True)
    return Pressure(held, count[held], worth[held], wanted[held], peak[held], counted, alike, demand)


def _place(graph: Graph, arcs: NDArray[np.int64]) -> NDArray[np.int64]:
    """2 inside servers, 1 between servers and switches, 0 between switches."""
    kinds = np.stack((graph.kind[graph.source[arcs]], graph.kind[graph.target[arcs]]))
    inside = np.isin(kinds, (GPU, CROSSBAR)).any(axis=0)
    found: NDArray[np.int64] = np.where(inside, 2, (kinds == NIC).any(axis=0).astype(np.int64))
    return found
