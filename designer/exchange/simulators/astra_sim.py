"""The network of ASTRA-sim's analytical backend: Ring, FullyConnected and Switch, dimension by dimension.

A dimension joins NPUs with the same place in all others. Bandwidth is that of a link, one direction; a message crosses
one link of a ring or a full mesh, and two of a switch, so that a switch has half the latency of the way over it.
Source: astra-sim/astra-network-analytical, common/network-parser, and the examples of astra-sim.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from designer.analysis.oversubscription import by_tier
from designer.analysis.survey import Run, Survey, survey
from designer.analysis.tori import dimensions_of
from designer.errors import ExportError, GraphError
from designer.exchange.simulators.options import AstraOptions
from designer.graph.arrays import GPU, SWITCH, Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.model.hardware.servers import ServerType
from designer.model.shown_text import visible_line
from designer.routing.network import network
from designer.routing.policies import policy_named
from designer.simulation.engine import assumed_latencies
from designer.simulation.payload_rate import payload_rate
from designer.units import BYTES_PER_S_PER_GBYTES_PER_S, format_count

RING, FULLY_CONNECTED, SWITCHED = "Ring", "FullyConnected", "Switch"
EVEN = 1e-6
"""Share by which rates and ratios may differ that are meant to be alike."""
REGULAR = (
    "ASTRA-sim describes only tori, full meshes and single switches; export other fabrics for SimAI, or for SimGrid "
    "where single routes matter"
)


@dataclass(frozen=True, slots=True)
class Dimension:
    """One of the network's: what it is, how many NPUs are along it, and its links."""

    shape: str
    size: int
    gbytes_per_s: float
    latency_ns: float


def write_astra(design: Design, path: Path, options: AstraOptions) -> None:
    """Write the network. Raises ExportError, and OSError where it cannot be written."""
    path.write_bytes("".join(f"{line}\n" for line in lines(design, options)).encode())


def summary(design: Design, options: AstraOptions) -> str:
    """ "Switch of 8, Switch of 32: 256 NPUs"."""
    found = dimensions(design, options)
    shapes = ", ".join(f"{one.shape} of {one.size}" for one in found)
    return f"{shapes}: {format_count(int(np.prod([one.size for one in found])))} NPUs"


def lines(design: Design, options: AstraOptions) -> Iterator[str]:
    """The network as YAML, line by line."""
    found = dimensions(design, options)
    yield "# Bandwidth in GB/s of payload, one direction, of a link; latency in ns. The first dimension counts fastest."
    yield from (f"# Latency assumed: {visible_line(line)}" for line in assumed_latencies(build(design)))
    yield f"topology: [ {', '.join(one.shape for one in found)} ]"
    yield f"npus_count: [ {', '.join(str(one.size) for one in found)} ]"
    yield f"bandwidth: [ {', '.join(_decimal(one.gbytes_per_s) for one in found)} ]"
    yield f"latency: [ {', '.join(_decimal(one.latency_ns) for one in found)} ]"


def _decimal(value: float) -> str:
    text = f"{value:.6f}".rstrip("0")
    return f"{text}0" if text.endswith(".") else text


def dimensions(design: Design, options: AstraOptions) -> list[Dimension]:
    """The dimensions. Raises ExportError where the fabric is not regular, with the reason."""
    graph, surveyed = build(design), survey(design)
    if graph.n_endpoints < 2:
        raise ExportError("there is nothing to simulate: the design has fewer than two GPUs or hosts")
    found = _torus(graph, surveyed)
    if found:
        return found
    gpus = _gpus_per_server(graph)
    inside = list(_scale_up(design, graph, gpus))
    n_servers = graph.n_endpoints // gpus
    if n_servers > 1:
        inside.append(_fabric(graph, surveyed, gpus, options))
    return inside


# -- tori --------------------------------------------------------------------------------------------------------------


def _torus(graph: Graph, surveyed: Survey) -> list[Dimension]:
    """The rings of a torus with one NPU on each router; empty where the fabric is none. Raises ExportError."""
    servers = {server.id for server in surveyed.servers}
    between = [run for run in surveyed.fabric_runs if servers.isdisjoint((run.low.device_id, run.high.device_id))]
    if not between or len(surveyed.switches) != graph.n_endpoints or len(servers) != graph.n_endpoints:
        return []
    found = dimensions_of(surveyed, between)
    if found is None:
        return []
    if any(not one.ring and one.size > 2 for one in found):
        raise ExportError(f"this is a mesh with open lines, and its ends are not joined: {REGULAR}")
    used = _by_dimension(surveyed, between)
    return [
        Dimension(RING if one.ring else FULLY_CONNECTED, one.size, *_links_of(graph, used[pair]))
        for one, pair in zip(found, sorted(used), strict=True)
    ]


def _by_dimension(surveyed: Survey, between: list[Run]) -> dict[int, set[str]]:
    """Ids of the links along each dimension: by the pair of ports of its router that a link leaves by."""
    places: dict[str, dict[str, int]] = {}
    found: dict[int, set[str]] = {}
    for run in between:
        router = run.low.device_id
        if router not in places:
            ports = surveyed.design.ports(router)
            places[router] = {port.name: place // 2 for place, port in enumerate(ports)}
        found.setdefault(places[router][run.low.port], set()).add(run.link.id)
    return found


def _links_of(graph: Graph, ids: set[str]) -> tuple[float, float]:
    """(GB/s, ns) of links that are alike. Raises ExportError where their rates differ."""
    arcs = [arc for arc in range(graph.n_arcs) if graph.link[arc] >= 0 and graph.link_ids[graph.link[arc]] in ids]
    return _one_rate(graph, arcs), float(np.mean(graph.latency_ns[arcs]))


def _one_rate(graph: Graph, arcs: list[int]) -> float:
    rates = payload_rate(graph, None).capacity[arcs] / BYTES_PER_S_PER_GBYTES_PER_S
    if rates.max() - rates.min() > EVEN * rates.max():
        raise ExportError(f"links of one dimension have {rates.min():.6g} to {rates.max():.6g} GB/s: {REGULAR}")
    return float(rates[0])


# -- servers under switches --------------------------------------------------------------------------------------------


def _gpus_per_server(graph: Graph) -> int:
    counts = np.bincount(graph.device[: graph.n_endpoints])
    sizes = sorted(set(counts[counts > 0].tolist()))
    if len(sizes) > 1:
        raise ExportError(f"servers have {' or '.join(map(str, sizes))} GPUs: {REGULAR}")
    return int(sizes[0])


def _scale_up(design: Design, graph: Graph, gpus: int) -> Iterator[Dimension]:
    """The scale-up domain of a server, where it has several GPUs. Raises ExportError where servers differ."""
    if gpus == 1:
        return
    types = {design.types[server.type_id] for server in design.servers()}
    domains = {one.scale_up for one in types if isinstance(one, ServerType)}
    scale_up = domains.pop() if len(domains) == 1 else None
    if scale_up is None:
        raise ExportError(
            f"servers have {gpus} GPUs and no scale-up domain, or domains that differ, so that the GPUs of a server "
            f"make no dimension: {REGULAR}"
        )
    (latency_ns,) = _latencies(graph, [0], [1])
    if scale_up.gbytes_per_s_per_pair is not None:
        yield Dimension(FULLY_CONNECTED, gpus, scale_up.gbytes_per_s_per_pair, latency_ns)
    else:
        yield Dimension(SWITCHED, gpus, scale_up.gbytes_per_s_per_gpu, latency_ns / 2)


def _fabric(graph: Graph, surveyed: Survey, gpus: int, options: AstraOptions) -> Dimension:
    """All servers under the same switches, rail by rail; with `flatten` a fabric without oversubscription too."""
    n_servers = graph.n_endpoints // gpus
    leafs, up_arcs = _uplinks(graph)
    is_one = all(leafs[gpu] == leafs[gpu % gpus] for gpu in range(graph.n_endpoints))
    if not is_one and not options.flatten:
        raise ExportError(
            f"servers are on different leaf switches, so that the fabric is no single switch: {REGULAR}. Without "
            'oversubscription, "Count tiers as one switch" (flatten=yes) writes it as one'
        )
    if not is_one:
        tier = surveyed.tier
        if any(tier.get(run.low.device_id) == tier.get(run.high.device_id) for run in surveyed.fabric_runs):
            raise ExportError(f"switches of one tier are joined, so that the fabric is no single switch: {REGULAR}")
        worst = max(by_tier(surveyed).values(), default=1.0)
        if worst > 1 + EVEN:
            raise ExportError(f"the fabric is oversubscribed {worst:.3g}:1, and one switch is not: {REGULAR}")
    counts = {len(arcs) for arcs in up_arcs}
    rates = {round(sum(float(graph.capacity_gbps[arc]) for arc in arcs), 6) for arcs in up_arcs}
    if len(rates) > 1 or len(counts) > 1:
        raise ExportError(f"GPUs have links of {min(rates):.6g} to {max(rates):.6g} Gb/s: {REGULAR}")
    rate = _one_rate(graph, [arc for arcs in up_arcs for arc in arcs]) * counts.pop()
    others = [server * gpus for server in range(1, n_servers)]
    return Dimension(SWITCHED, n_servers, rate, max(_latencies(graph, [0] * len(others), others)) / 2)


def _uplinks(graph: Graph) -> tuple[list[set[int]], list[list[int]]]:
    """By GPU: the switches that it is linked to, and the arcs to them. Raises ExportError."""
    nics: dict[int, int] = {}
    for arc in range(graph.n_arcs):
        a, b = int(graph.source[arc]), int(graph.target[arc])
        if graph.kind[a] == GPU and graph.link[arc] < 0 and graph.kind[b] not in (GPU, SWITCH):
            if b in nics and nics[b] != a and b not in graph.scale_up_name:
                raise ExportError(f"NICs of {graph.device_name(b)} serve several GPUs each: {REGULAR}")
            nics[b] = a
    leafs = [set[int]() for _ in range(graph.n_endpoints)]
    arcs = [list[int]() for _ in range(graph.n_endpoints)]
    for arc in range(graph.n_arcs):
        a, b = int(graph.source[arc]), int(graph.target[arc])
        if graph.link[arc] >= 0 and a in nics:
            if graph.kind[b] != SWITCH:
                raise ExportError(f"{graph.device_name(a)} is linked to a server without a switch: {REGULAR}")
            leafs[nics[a]].add(b)
            arcs[nics[a]].append(arc)
    bare = next((gpu for gpu, found in enumerate(arcs) if not found), None)
    if bare is not None:
        raise ExportError(f"{graph.vertex_name(bare)} has no link of its own to a switch: {REGULAR}")
    return leafs, arcs


def _latencies(graph: Graph, src: list[int], dst: list[int]) -> list[float]:
    """The latency of a message from each of the one to that of the other."""
    pairs = np.array(src, dtype=np.int64), np.array(dst, dtype=np.int64)
    net = network(graph)
    try:
        paths = policy_named("spray").route(net, *pairs, np.ones(len(src)), np.zeros(len(src), dtype=np.int64), 0)
    except GraphError as error:
        raise ExportError(f"the fabric does not join all servers: {error}") from None
    found: list[float] = paths.latency_ns.tolist()
    return found
