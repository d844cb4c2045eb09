"""Collectives as phases of flows.

n ranks, buffers of S bytes as nccl-tests counts them. Ring: every step each rank passes S/n to the next, 2(n-1) steps
for an all-reduce, n-1 for all-gather and reduce-scatter; the channels carry equal parts at once. Direct: every rank to
every rank at once. Hierarchical algorithms are in hierarchical, trees and recursive exchanges in trees, buckets on tori
in buckets, switches that add up in in_network.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError, ParameterError
from designer.routing.network import Network
from designer.simulation import catalogue
from designer.simulation.scenario import Scenario
from designer.simulation.traffic import hierarchical, in_network, trees
from designer.simulation.traffic.buckets import bucket_phases
from designer.simulation.traffic.phases import AllPairs, Phase, flows
from designer.simulation.traffic.rings import ring_flows, ring_pipelines, servers_of

RING_STEPS = "ring steps (reduce-scatter, then all-gather)"


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The phases of a scenario; `channels`, and how each is cut into chunks, None where the notion does not apply."""

    phases: list[Phase]
    channels: int | None = None
    cut: trees.Chunking | None = None
    adding_up: tuple[str, ...] = ()
    """With in-network reduction: what each kind of scale-up domain does, in words."""


PlanFunction = Callable[[Network, Scenario, NDArray[np.int64]], Plan]
"""The phases of a collective by one algorithm; raises GraphError where the algorithm does not fit the ranks."""


def collective_plan(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    """The phases of a collective. Raises GraphError where the algorithm does not fit the ranks."""
    if scenario.in_network_reduction:
        return IN_NETWORK_PLANS[scenario.algorithm_used](network, scenario, ranks)
    return plan_function(scenario.collective or "", scenario.algorithm_used)(network, scenario, ranks)


def plan_function(collective: str, algorithm: str) -> PlanFunction:
    """What plans a collective by an algorithm, built in or of a plug-in. Raises ParameterError where there is none."""
    plans: Mapping[str, PlanFunction] = PLANS.get(algorithm, {})
    if not plans and (row := catalogue.ALGORITHMS.named(algorithm)) is not None:
        plans = row.plans
    if collective not in plans:
        raise ParameterError(f"there is no algorithm {algorithm!r} of {collective}")
    return plans[collective]


def _direct(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    times = 2 if scenario.collective == "all-reduce" else 1
    every_part = AllPairs(ranks, float(scenario.size_bytes) / len(ranks))
    return Plan([Phase("all ranks to all ranks", times, every_part)])


def _all_to_all(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    return Plan([Phase("all-to-all", 1, AllPairs(ranks, float(scenario.size_bytes) / len(ranks)))])


def _all_to_all_by_rails(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    """Over the scale-up domain to the GPU on the destination's rail, which sends on for all its neighbors."""
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


def _to_the_next(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    return Plan([Phase("to the next rank", 1, flows(ranks[:-1], ranks[1:], float(scenario.size_bytes)))])


def _ring_all_reduce(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    n = len(ranks)
    sent, channels = ring_flows(network, ranks, float(scenario.size_bytes) / n, scenario.channels)
    return Plan([Phase(RING_STEPS, 2 * (n - 1), sent, pipelines=ring_pipelines(sent, 2))], channels)


def _ring_once(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    n = len(ranks)
    sent, channels = ring_flows(network, ranks, float(scenario.size_bytes) / n, scenario.channels)
    return Plan([Phase("ring steps", n - 1, sent, pipelines=ring_pipelines(sent, 1))], channels)


def _hierarchical(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    table = _even_servers(network, scenario, ranks)
    return Plan(hierarchical.in_turn(table, float(scenario.size_bytes), scenario.collective or ""))


def _hierarchical_pipelined(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    table = _even_servers(network, scenario, ranks)
    size_bytes, collective = float(scenario.size_bytes), scenario.collective or ""
    phases, cut = hierarchical.in_chunks(table, size_bytes, collective, scenario.chunk_bytes)
    return Plan(phases, cut=cut)


def _double_binary_tree(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    size_bytes = float(scenario.size_bytes)
    return Plan(*trees.double_binary_tree(network, ranks, size_bytes, scenario.channels, scenario.chunk_bytes))


def _chain(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    size_bytes, to_root = float(scenario.size_bytes), scenario.collective == "reduce"
    pipeline = trees.chain(network, ranks, size_bytes, scenario.channels, scenario.chunk_bytes, to_root=to_root)
    return Plan(*pipeline)


def _bucket(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    size_bytes, collective = float(scenario.size_bytes), scenario.collective or ""
    return Plan(bucket_phases(network, ranks, size_bytes, collective, scenario.dims))


def _steps(steps: Callable[[NDArray[np.int64], float], list[Phase]]) -> PlanFunction:
    """The plan of an algorithm that looks at nothing but the ranks and the size."""
    return lambda network, scenario, ranks: Plan(steps(ranks, float(scenario.size_bytes)))


PLANS: Mapping[str, Mapping[str, PlanFunction]] = {
    "ring": {"all-reduce": _ring_all_reduce, "all-gather": _ring_once, "reduce-scatter": _ring_once},
    "hierarchical": {
        "all-reduce": _hierarchical,
        "all-gather": _hierarchical,
        "reduce-scatter": _hierarchical,
        "all-to-all": _all_to_all_by_rails,
    },
    "hierarchical-pipelined": dict.fromkeys(("all-reduce", "all-gather", "reduce-scatter"), _hierarchical_pipelined),
    "direct": {
        "all-reduce": _direct,
        "all-gather": _direct,
        "reduce-scatter": _direct,
        "all-to-all": _all_to_all,
    },
    "double-binary-tree": {"all-reduce": _double_binary_tree},
    "halving-doubling": {"all-reduce": _steps(trees.halving_doubling)},
    "recursive": {
        "all-gather": _steps(trees.recursive_doubling),
        "reduce-scatter": _steps(trees.recursive_halving),
    },
    "bucket": dict.fromkeys(("all-reduce", "all-gather", "reduce-scatter"), _bucket),
    "chain": {"broadcast": _chain, "reduce": _chain},
    "binomial-tree": {
        "broadcast": _steps(trees.binomial_broadcast),
        "reduce": _steps(trees.binomial_reduce),
    },
    "neighbours": {"send-recv": _to_the_next},
}
"""The built-in algorithms of catalogue.ALGORITHMS, each by the collectives it performs."""


def _up_and_down(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    """What would go up and down again between ranks, step by step, meets half way, in switches, and passes once.

    So it takes the latency of one way up and down, the longest between ranks that the steps would lead to each other.
    """
    reduced = in_network.up_and_down(network, ranks, float(scenario.size_bytes), scenario.channels)
    return Plan([reduced.phase], reduced.channels, adding_up=reduced.notes)


def _up_and_down_the_rails(network: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    size_bytes, table = float(scenario.size_bytes), _even_servers(network, scenario, ranks)
    m, g = table.shape
    if m == 1:
        return _up_and_down(network, scenario, ranks)
    rails = in_network.along_rails(table, size_bytes / g)
    within = [hierarchical.in_servers(table, size_bytes, step) for step in ("reduce-scatter", "all-gather")]
    return Plan([within[0], rails, within[1]] if g > 1 else [rails])


IN_NETWORK_PLANS: Mapping[str, PlanFunction] = {
    "ring": _up_and_down,
    "hierarchical": _up_and_down_the_rails,
    "double-binary-tree": _up_and_down,
}
"""The algorithms of catalogue.IN_NETWORK, where switches add up."""


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
