"""Collectives as phases of flows.

n ranks, buffers of S bytes as nccl-tests counts them. Ring: every step each rank passes S/n to the next, 2(n-1) steps
for an all-reduce, n-1 for all-gather and reduce-scatter; the channels carry equal parts at once. Hierarchical, with G
GPUs in each of m servers: the scale-up domain moves the parts among the GPUs in one step (all joined to one crossbar),
rings along each rail do the rest.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.routing.network import Network
from designer.simulation.phases import AllPairs, Flows, Phase, flows
from designer.simulation.rings import ring_flows, servers_of
from designer.simulation.scenario import Scenario


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The phases of a scenario; `channels` None where the notion does not apply."""

    phases: list[Phase]
    channels: int | None = None


def collective_plan(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    """The phases of a collective. Raises GraphError where the algorithm does not fit the ranks."""
    n, size_bytes = len(ranks), float(scenario.size_bytes)
    if scenario.collective == "all-to-all":
        return Plan([Phase("all-to-all", 1, AllPairs(ranks, size_bytes / n))])
    if scenario.algorithm_used == "hierarchical":
        return _hierarchical(network, scenario, ranks)
    sent, channels = ring_flows(network, ranks, size_bytes / n, scenario.channels)
    names = {"all-reduce": ("reduce-scatter", "all-gather")}.get(scenario.collective or "", (scenario.collective,))
    if len(names) == 2:
        return Plan([Phase("ring steps (reduce-scatter, then all-gather)", 2 * (n - 1), sent)], channels)
    return Plan([Phase("ring steps", n - 1, sent)], channels)


def _hierarchical(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    table = _even_servers(network, scenario, ranks)
    m, g = table.shape
    size_bytes = float(scenario.size_bytes)
    within = Phase("", 1, _within(table, size_bytes / g))
    between = Phase("", m - 1, _along_rails(table, size_bytes / g / m))
    scatter = [_named(within, "reduce-scatter in the server"), _named(between, "reduce-scatter along the rails")]
    gather = [_named(between, "all-gather along the rails"), _named(within, "all-gather in the server")]
    steps = {"all-reduce": [*scatter, *gather], "reduce-scatter": scatter, "all-gather": gather}
    chosen = [phase for phase in steps[scenario.collective or ""] if len(phase.traffic) and phase.repeat]
    if len(chosen) == 4:  # both passes along the rails are alike: one phase
        both = Phase("all-reduce along the rails", 2 * (m - 1), between.traffic)
        chosen = [chosen[0], both, chosen[3]]
    elif scenario.collective == "all-reduce" and g == 1:
        chosen = [Phase("all-reduce along the rails", 2 * (m - 1), between.traffic)]
    return Plan(chosen)


def _named(phase: Phase, name: str) -> Phase:
    return Phase(name, phase.repeat, phase.traffic)


def _even_servers(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """(servers, GPUs) of the ranks. Raises GraphError naming two servers with different numbers of GPUs."""
    servers = servers_of(network, ranks)
    first = servers[0]
    for other in servers[1:]:
        if len(other) != len(first):
            names = [network.graph.device_name(int(server[0])) for server in (first, other)]
            raise GraphError(
                f"hierarchical {scenario.collective} needs as many ranks on every server, but {names[0]} has "
                f"{len(first)} and {names[1]} has {len(other)}: choose other ranks, or the ring algorithm"
            )
    return np.array(servers, dtype=np.int64)


def _within(table: NDArray[np.int64], part_bytes: float) -> Flows:
    """Every GPU of a server sends a part to each other GPU of it."""
    g = table.shape[1]
    pairs = np.argwhere(~np.eye(g, dtype=bool))
    return flows(table[:, pairs[:, 0]].reshape(-1), table[:, pairs[:, 1]].reshape(-1), part_bytes)


def _along_rails(table: NDArray[np.int64], part_bytes: float) -> Flows:
    """GPU j of every server sends to GPU j of the next."""
    m, g = table.shape
    if m == 1:
        return flows(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), part_bytes)
    rails = np.broadcast_to(np.arange(g), (m, g)).reshape(-1)
    return flows(table.reshape(-1), np.roll(table, -1, axis=0).reshape(-1), part_bytes, rails)
