"""The links that a flow over a link takes from end to end."""

import numpy as np
from numpy.typing import NDArray

from designer.graph.sums import sums
from designer.routing.network import Network
from designer.routing.paths import Paths
from designer.routing.policies import policy_named
from designer.simulation.engine import plan_of
from designer.simulation.prepared import prepared
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs, Flows, flows
from designer.simulation.traffic.ranks import participants

NEGLIGIBLE = 1e-12


def links_of_flow(
    result: Result, scenario: Scenario, arc: int, source_id: str, target_id: str, ranks: tuple[int, int] | None = None
) -> frozenset[str]:
    """Ids of the links that the scenario's flows from one server to another take, of those flows that cross the arc.

    A leaf switch stands for all servers on it. `ranks` keeps to the flows between two ranks. Of policies that look at
    the load, paths are those of these flows alone. Empty where no such flow crosses the arc.
    """
    graph = result.graph
    net = prepared(graph, scenario)
    members = participants(net, scenario)
    leaf = net.switches.first + net.switches.leafs[net.ends.leaf[members, 0]]
    on_source, on_target = (
        (graph.device[members] == number) | (graph.device[leaf] == number)
        for number in (graph.device_ids.index(source_id), graph.device_ids.index(target_id))
    )
    if ranks is not None:
        order = np.arange(len(members))
        on_source, on_target = on_source & (order == ranks[0]), on_target & (order == ranks[1])
    senders, receivers = members[on_source], members[on_target]
    used = np.zeros(graph.n_arcs, np.bool_)
    for phase in plan_of(net, scenario, members).phases:
        chosen = _between(phase.traffic, senders, receivers)
        if not len(chosen):
            continue
        across = _across(_paths(net, scenario, chosen), arc, len(chosen))
        if across.any():
            used |= _paths(net, scenario, _taken(chosen, across)).bytes_on > 0
    links = np.unique(graph.link[used & (graph.link >= 0)])
    return frozenset(graph.link_ids[link] for link in links.tolist())


def _between(traffic: Flows | AllPairs, senders: NDArray[np.int64], receivers: NDArray[np.int64]) -> Flows:
    if isinstance(traffic, Flows):
        return _taken(traffic, np.isin(traffic.src, senders) & np.isin(traffic.dst, receivers))
    senders, receivers = (ends[np.isin(ends, traffic.members)] for ends in (senders, receivers))
    src, dst = np.repeat(senders, len(receivers)), np.tile(receivers, len(senders))
    return flows(src[src != dst], dst[src != dst], traffic.pair_bytes)


def _taken(sent: Flows, chosen: NDArray[np.bool_]) -> Flows:
    return Flows(sent.src[chosen], sent.dst[chosen], sent.size_bytes[chosen], sent.channel[chosen])


def _paths(net: Network, scenario: Scenario, sent: Flows) -> Paths:
    policy = policy_named(scenario.routing)
    return policy.route(net, sent.src, sent.dst, sent.size_bytes, sent.channel, scenario.seed)


def _across(paths: Paths, arc: int, n_flows: int) -> NDArray[np.bool_]:
    """(n_flows,) which flows cross the arc."""
    if paths.bytes_on[arc] <= 0:
        return np.zeros(n_flows, np.bool_)
    entries = np.flatnonzero(paths.arcs == int(paths.stands_for[arc]))
    flow = np.searchsorted(paths.start, entries, side="right") - 1
    crosses: NDArray[np.bool_] = sums(flow, paths.weights[entries], n_flows) > NEGLIGIBLE
    return crosses
