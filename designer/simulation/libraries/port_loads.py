"""The bytes that an algorithm's real flows bring to the busiest ports of the drawn fabric, under its routing.

The engine of the ideal model routes the flows; its loads grow with the buffer, so each algorithm is run once. Inside a
node the algorithms move what their kernels move: NVLS (1 + 1/n) S over each port, since a GPU reduces and multicasts
its part of the buffer over the same port.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.graph.arrays import INTERNAL, SCALE_UP, Graph
from designer.routing.network import Network, network
from designer.simulation.libraries.constants import (
    COLLNET_CHAIN,
    COLLNET_DIRECT,
    DIRECT,
    NVLS,
    NVLS_TREE,
    PAT,
    RING,
    TREE,
)
from designer.simulation.phase_results import phase_result_of
from designer.simulation.scenario import Scenario
from designer.simulation.traffic import in_network, trees
from designer.simulation.traffic.collectives import collective_plan
from designer.simulation.traffic.mesh_rings import is_mesh
from designer.simulation.traffic.phases import AllPairs, Flows, Phase, flows
from designer.simulation.traffic.rings import servers_of
from designer.units import BYTES_PER_S_PER_GBPS

BASE_BYTES = 2.0**30
PASSES = {"all-reduce": 2.0, "all-gather": 1.0, "reduce-scatter": 1.0}
MOST_PXN_FLOWS = 400_000
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True, eq=False)
class PortLoads:
    """Seconds that the busiest port of each kind needs for a byte of the buffer, at the line rate of the port."""

    inside_s_per_byte: float
    between_s_per_byte: float
    stretch: float
    """How much longer the flows take than the busiest port alone asks for: at least 1."""
    path_us: float
    """Mean latency of the way between nodes: cables, switches and NICs as drawn."""
    bytes_on: NDArray[np.float64]  # (n_arcs,) for a buffer of BASE_BYTES


def port_loads(
    graph: Graph, scenario: Scenario, ranks: NDArray[np.int64], algorithm: str, progress: Progress
) -> PortLoads:
    """The loads of one algorithm's flows. Raises GraphError for ranks that cannot reach each other."""
    net = network(graph)
    whole = replace(scenario, size_bytes=BASE_BYTES, in_network_reduction=False, latency=True)
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    limited = np.isfinite(capacity) & (capacity > 0)
    bytes_on, sent_s, asked_s, path_us = np.zeros(graph.n_arcs), 0.0, 0.0, 0.0
    for phase in phases_of(net, whole, ranks, algorithm):
        if phase.is_fill:
            continue
        found = phase_result_of(net, replace(phase, pipelines=None), whole, capacity, progress, brief=True)
        bytes_on += phase.repeat * found.bytes_on
        sent_s += float(found.sent_s.max(initial=0.0)) * phase.repeat
        asked_s += float((found.bytes_on[limited] / capacity[limited]).max(initial=0.0)) * phase.repeat
        path_us = max(path_us, _path_us(net, phase, found.latency_s))
    busy_s = np.where(limited, bytes_on / np.where(limited, capacity, 1.0), 0.0) / BASE_BYTES
    inside = busy_s[graph.protocol == SCALE_UP].max(initial=0.0)
    between = busy_s[(graph.protocol != SCALE_UP) & (graph.protocol != INTERNAL)].max(initial=0.0)
    stretch = max(1.0, sent_s / asked_s) if asked_s > 0 else 1.0
    return PortLoads(float(inside), float(between), float(stretch), path_us, bytes_on)


def _path_us(net: Network, phase: Phase, latency_s: NDArray[np.float64]) -> float:
    """The mean latency of flows that leave their node."""
    if not isinstance(phase.traffic, Flows) or len(latency_s) != len(phase.traffic):
        return float(latency_s.max(initial=0.0)) * 1e6
    leaves = ~_shares_node(net, phase.traffic)
    return float(latency_s[leaves].mean()) * 1e6 if leaves.any() else 0.0


def _shares_node(net: Network, sent: Flows) -> NDArray[np.bool_]:
    device, drawn = net.graph.device, net.ends.drawn
    same = device[sent.src] == device[sent.dst]
    return np.asarray(same | ((drawn[sent.src] >= 0) & (drawn[sent.src] == drawn[sent.dst])))


# -- the flows of each algorithm ---------------------------------------------------------------------------------------

Planner = Callable[[Network, Scenario, NDArray[np.int64]], list[Phase]]


def phases_of(net: Network, scenario: Scenario, ranks: NDArray[np.int64], algorithm: str) -> list[Phase]:
    """The flows of an algorithm, phase by phase. Raises GraphError where it does not fit the ranks."""
    return PLANNERS[algorithm](net, scenario, ranks)


def _ring(net: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> list[Phase]:
    nodes = servers_of(net, ranks)
    if len(nodes) == 1 and is_mesh(net, nodes) and scenario.collective in PASSES:
        # The search finds rings over all links alike, where no disjoint ones would use each of them.
        part = PASSES[scenario.collective] * scenario.size_bytes / len(ranks)
        return [Phase("rings over all links", 1, AllPairs(ranks, part))]
    name = "chain" if scenario.collective in ("broadcast", "reduce") else "ring"
    return collective_plan(net, replace(scenario, algorithm=name), ranks).phases


def _tree(net: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> list[Phase]:
    return collective_plan(net, replace(scenario, algorithm="double-binary-tree"), ranks).phases


def _nvls(net: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> list[Phase]:
    """Inside every node over its switch, and between nodes, with SHARP, once up and down."""
    sent = _multicast(net, scenario, ranks)
    if len(servers_of(net, ranks)) > 1:
        sent = _joined([sent, _along_rails_with_sharp(net, scenario, ranks)])
    return [Phase("NVLS", 1, sent)]


def _nvls_tree(net: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> list[Phase]:
    """NVLS inside every node; between nodes each GPU's part of the sum passes two trees of its own."""
    parts = [_multicast(net, scenario, ranks)]
    for rail in _rails(net, ranks):
        phases, _, _ = trees.double_binary_tree(net, rail.members, scenario.size_bytes * rail.share, 1)
        parts += [phase.traffic for phase in phases if not phase.is_fill and isinstance(phase.traffic, Flows)]
    return [Phase("NVLS tree", 1, _joined(parts))]


def _up_and_down(net: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> list[Phase]:
    parts = [_along_rails_with_sharp(net, scenario, ranks)]
    if len(ranks) > len(servers_of(net, ranks)):
        parts.append(_multicast(net, scenario, ranks))
    return [Phase("SHARP", 1, _joined(parts))]


def _every_pair(net: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> list[Phase]:
    """All-to-all: by PXN over the GPU on the destination's rail where nodes are alike and flows are not too many."""
    if scenario.collective != "all-to-all":
        return _neighbours(scenario, ranks)
    nodes = servers_of(net, ranks)
    even = len({len(node) for node in nodes}) == 1 and len(nodes) > 1 and len(nodes[0]) > 1
    has_rails = even and bool((net.ends.to_domain[ranks] >= 0).all())
    name = "hierarchical" if has_rails and len(ranks) * len(nodes) <= MOST_PXN_FLOWS else "direct"
    return collective_plan(net, replace(scenario, algorithm=name), ranks).phases


def _neighbours(scenario: Scenario, ranks: NDArray[np.int64]) -> list[Phase]:
    """As the test of nccl-tests sends: every rank to the next one, the last to the first."""
    return [Phase("to the next rank", 1, flows(ranks, np.roll(ranks, -1), scenario.size_bytes))]


PLANNERS: dict[str, Planner] = {
    RING: _ring,
    PAT: _ring,
    TREE: _tree,
    NVLS: _nvls,
    NVLS_TREE: _nvls_tree,
    COLLNET_DIRECT: _up_and_down,
    COLLNET_CHAIN: _up_and_down,
    DIRECT: _every_pair,
}


@dataclass(frozen=True, slots=True, eq=False)
class _Rail:
    """One GPU of every node, and the share of the buffer that it takes between nodes."""

    members: NDArray[np.int64]
    share: float


def _rails(net: Network, ranks: NDArray[np.int64]) -> list[_Rail]:
    nodes = servers_of(net, ranks)
    heads = min(len(node) for node in nodes)
    return [_Rail(np.array([node[head] for node in nodes]), 1 / heads) for head in range(heads)]


def _multicast(net: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Flows:
    """What every GPU's port carries, as flows round its node: a port sends and receives as much."""
    src, dst, size = [], [], []
    for node in servers_of(net, ranks):
        if len(node) < 2:
            continue
        n = len(node)
        share = 1 + 1 / n if scenario.collective == "all-reduce" else 1.0
        src.append(node)
        dst.append(np.roll(node, -1))
        size.append(np.full(n, share * scenario.size_bytes))
    if not src:
        raise GraphError("NVLS needs several GPUs on a node")
    return flows(np.concatenate(src), np.concatenate(dst), np.concatenate(size))


def _along_rails_with_sharp(net: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Flows:
    parts = []
    for rail in _rails(net, ranks):
        phase = in_network.along_rails(rail.members[:, None], scenario.size_bytes * rail.share)
        assert isinstance(phase.traffic, Flows)
        parts.append(phase.traffic)
    return _joined(parts)


def _joined(parts: list[Flows]) -> Flows:
    return Flows(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("src", "dst", "size_bytes", "channel"))
    )
