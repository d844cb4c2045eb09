"""Collectives as phases of flows.

n ranks, buffers of S bytes as nccl-tests counts them. Ring: every step each rank passes S/n to the next, 2(n-1) steps
for an all-reduce, n-1 for all-gather and reduce-scatter; the channels carry equal parts at once. Direct: every rank to
every rank at once. Hierarchical algorithms are in hierarchical, trees and recursive exchanges in trees, buckets on tori
in buckets, switches that add up in in_network.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.routing.network import Network
from designer.simulation import hierarchical, in_network, trees
from designer.simulation.buckets import bucket_phases
from designer.simulation.phases import AllPairs, Phase, flows
from designer.simulation.rings import ring_flows, ring_pipelines, servers_of
from designer.simulation.scenario import Scenario

RING_STEPS = "ring steps (reduce-scatter, then all-gather)"


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The phases of a scenario; `channels`, and how each is cut into chunks, None where the notion does not apply."""

    phases: list[Phase]
    channels: int | None = None
    cut: trees.Chunking | None = None
    adding_up: tuple[str, ...] = ()
    """With in-network reduction: what each kind of scale-up domain does, in words."""


def collective_plan(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    """The phases of a collective. Raises GraphError where the algorithm does not fit the ranks."""
    if scenario.in_network_reduction:
        return _in_network(network, scenario, ranks)
    return _plan(network, scenario, ranks)


def _in_network(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    """What would go up and down again between ranks, step by step, meets half way, in switches, and passes once.

    So it takes the latency of one way up and down, the longest between ranks that the steps would lead to each other.
    """
    size_bytes = float(scenario.size_bytes)
    if scenario.algorithm_used == "hierarchical":
        table = _even_servers(network, scenario, ranks)
        m, g = table.shape
        if m > 1:
            rails = in_network.along_rails(table, size_bytes / g)
            within = [hierarchical.in_servers(table, size_bytes, step) for step in ("reduce-scatter", "all-gather")]
            return Plan([within[0], rails, within[1]] if g > 1 else [rails])
    reduced = in_network.up_and_down(network, ranks, size_bytes, scenario.channels)
    return Plan([reduced.phase], reduced.channels, adding_up=reduced.notes)


def _plan(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    n, size_bytes = len(ranks), float(scenario.size_bytes)
    collective, algorithm = scenario.collective or "", scenario.algorithm_used
    if collective == "all-to-all":
        if algorithm == "hierarchical":
            return _all_to_all_by_rails(network, scenario, ranks)
        return Plan([Phase("all-to-all", 1, AllPairs(ranks, size_bytes / n))])
    if collective == "send-recv":
        return Plan([Phase("to the next rank", 1, flows(ranks[:-1], ranks[1:], size_bytes))])
    if algorithm == "hierarchical":
        table = _even_servers(network, scenario, ranks)
        return Plan(hierarchical.in_turn(table, size_bytes, collective))
    if algorithm == "hierarchical-pipelined":
        table = _even_servers(network, scenario, ranks)
        phases, cut = hierarchical.in_chunks(table, size_bytes, collective, scenario.chunk_bytes)
        return Plan(phases, cut=cut)
    if algorithm == "direct":
        times = 2 if collective == "all-reduce" else 1
        return Plan([Phase("all ranks to all ranks", times, AllPairs(ranks, size_bytes / n))])
    if algorithm == "bucket":
        return Plan(bucket_phases(network, ranks, size_bytes, collective, scenario.dims))
    if algorithm == "halving-doubling":
        return Plan(trees.halving_doubling(ranks, size_bytes))
    if algorithm == "recursive":
        steps = trees.recursive_doubling if collective == "all-gather" else trees.recursive_halving
        return Plan(steps(ranks, size_bytes))
    if algorithm == "binomial-tree":
        steps = trees.binomial_broadcast if collective == "broadcast" else trees.binomial_reduce
        return Plan(steps(ranks, size_bytes))
    if algorithm == "chain":
        to_root = collective == "reduce"
        pipeline = trees.chain(network, ranks, size_bytes, scenario.channels, scenario.chunk_bytes, to_root=to_root)
        return Plan(*pipeline)
    if algorithm == "double-binary-tree":
        return Plan(*trees.double_binary_tree(network, ranks, size_bytes, scenario.channels, scenario.chunk_bytes))
    sent, channels = ring_flows(network, ranks, size_bytes / n, scenario.channels)
    if collective == "all-reduce":
        return Plan([Phase(RING_STEPS, 2 * (n - 1), sent, pipelines=ring_pipelines(sent, 2))], channels)
    return Plan([Phase("ring steps", n - 1, sent, pipelines=ring_pipelines(sent, 1))], channels)


def _all_to_all_by_rails(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    """Over the scale-up domain to the GPU on the destination's rail, which sends on for all its neighbours."""
    table = _even_servers(network, scenario, ranks)
    m, g = table.shape
    part = float(scenario.size_bytes) / len(ranks)
    phases = []
    if g > 1:
        phases.append(Phase("within the servers, to the destination's rail", 1, hierarchical.within(table, m * part)))
    if m > 1:
        server, other = (side[~np.eye(m, dtype=bool)] for side in np.indices((m, m)))
        src, dst = table[server].reshape(-1), table[other].reshape(-1)
        phases.append(Phase("along the rails", 1, flows(src, dst, g * part)))
    return Plan(phases)


def _even_servers(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """(servers, GPUs) of the ranks. Raises GraphError naming two servers with different numbers of GPUs."""
    servers = servers_of(network, ranks)
    first = servers[0]
    for other in servers[1:]:
        if len(other) != len(first):
            names = [network.graph.device_name(int(server[0])) for server in (first, other)]
            plain = "direct" if scenario.collective == "all-to-all" else "ring"
            raise GraphError(
                f"hierarchical {scenario.collective} needs as many ranks on every server, but {names[0]} has "
                f"{len(first)} and {names[1]} has {len(other)}: choose other ranks, or the {plain} algorithm"
            )
    return np.array(servers, dtype=np.int64)
