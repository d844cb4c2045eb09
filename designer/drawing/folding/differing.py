"""The topology of SimAI, which its ns-3 reads: GPUs, one NVSwitch per server, switches, links.

GPUs have numbers from 0, then NVSwitches server by server, then switches tier by tier: ns-3 finds the NVSwitch of GPU g
at place g // GPUs per server. It keeps one link between two nodes, so links side by side are one with the sum of their
rates. Source: SimAI, astra-sim-alibabacloud/astra-sim/network_frontend/ns3/common.h and AstraSimNetwork.cc.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from designer.analysis.survey import survey
from designer.analysis.tiers import server_word
from designer.errors import ExportError
from designer.exchange.simulators.options import SimAiOptions
from designer.graph.arrays import CROSSBAR, GPU, NIC, SWITCH, Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.model.hardware.servers import ServerType
from designer.units import first_of, format_count, format_counted

MOST_LINKS = 254 * 254
"""Each has a network of its own, 10.x.y.0."""
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,32}")
HIGHEST_TIER = 1_000


@dataclass(frozen=True, slots=True)
class Joint:
    """A link between two nodes by their numbers, or several side by side."""

    a: int
    b: int
    rate_gbps: float
    latency_ns: float


@dataclass(frozen=True, slots=True)
class Nodes:
    """What the file counts, and its links."""

    n_gpus: int
    gpus_per_server: int
    n_nvswitches: int
    n_switches: int
    joints: tuple[Joint, ...]
    n_merged: int
    """Links that are part of another line."""
    gpu_type: str
    n_without_gpus: int = 0
    """Servers without GPUs, which are left out with their links: SimAI's nodes are GPUs and switches."""
    n_left_out: int = 0
    """The links of these."""


def simai_nodes(design: Design, options: SimAiOptions) -> Nodes:
    """The nodes and links. Raises ExportError for what SimAI has no words for."""
    graph = build(design)
    per_server = _alike(design, graph)
    number = _numbers(design, graph)
    joints = list(_inside(graph, number))
    merged: dict[tuple[int, int], tuple[float, float]] = {}
    n_links, n_left_out = 0, 0
    for a, b, rate_gbps, latency_ns in _links(graph, number):
        if a < 0:
            n_left_out += 1
            continue
        n_links += 1
        rate, latency = merged.get((a, b), (0.0, 0.0))
        merged[a, b] = rate + rate_gbps, max(latency, latency_ns)
    joints += (Joint(a, b, rate, latency) for (a, b), (rate, latency) in merged.items())
    if len(joints) > MOST_LINKS:
        raise ExportError(
            f"{format_count(len(joints))} links are more than the {format_count(MOST_LINKS)} that SimAI has addresses "
            "for: write a smaller design"
        )
    n_crossbars, n_switches = (len(graph.vertices_of(kind)) for kind in (CROSSBAR, SWITCH))
    gpu_type = _gpu_type(design, options)
    n_merged, n_without = n_links - len(merged), len(_without_gpus(design))
    return Nodes(
        graph.n_endpoints, per_server, n_crossbars, n_switches, tuple(joints), n_merged, gpu_type, n_without, n_left_out
    )


def _with_gpus(design: Design) -> list[ServerType]:
    """The type of each server that has GPUs, or is a host that stands for one."""
    types = (design.device_type(server.id) for server in design.servers())
    return [one for one in types if isinstance(one, ServerType) and one.gpus]


def _without_gpus(design: Design) -> list[str]:
    """The ids of the other servers."""
    return [one.id for one in design.servers() if not getattr(design.device_type(one.id), "gpus", 0)]


def _alike(design: Design, graph: Graph) -> int:
    """GPUs of each server. Raises ExportError where servers differ or GPUs are joined pairwise."""
    if not design.servers():
        raise ExportError("there is no GPU to simulate: place servers first")
    if not graph.n_endpoints:
        n_servers = len(design.servers())
        names = first_of(design.servers()[0].name, n_servers, server_word(design))
        raise ExportError(
            f"{names} {'has' if n_servers == 1 else 'have'} no GPUs, and SimAI simulates GPUs: choose a type with GPUs "
            "in the inspector, or generate the fabric with such a server type"
        )
    counts = np.bincount(graph.device[: graph.n_endpoints])
    sizes = sorted(set(counts[counts > 0].tolist()))
    if len(sizes) > 1:
        some = [f"{graph.device_names[int(np.flatnonzero(counts == size)[0])]} has {size}" for size in sizes]
        raise ExportError(
            f"servers have different numbers of GPUs ({', '.join(some)}), and SimAI counts the same for each: save a "
            "copy of the design with one kind of GPU server only, and export that"
        )
    n_crossbars = len(graph.vertices_of(CROSSBAR))
    types = _with_gpus(design)
    paired = next((one for one in types if _is_paired(one)), None)
    if paired is not None:
        raise ExportError(
            f"the GPUs of a {paired.model} are joined pairwise, and SimAI joins those of a server by an NVSwitch"
        )
    if n_crossbars not in (0, len(types)):
        raise ExportError("some servers have a scale-up domain and others none: SimAI counts one NVSwitch per server")
    return int(sizes[0])


def _is_paired(type_: ServerType) -> bool:
    return type_.gpus > 1 and type_.scale_up is not None and type_.scale_up.gbytes_per_s_per_pair is not None


def _numbers(design: Design, graph: Graph) -> dict[int, int]:
    """By vertex: its number in the file. A NIC port is part of the one GPU that uses it. Raises ExportError."""
    number = {gpu: gpu for gpu in range(graph.n_endpoints)}
    for place, crossbar in enumerate(graph.vertices_of(CROSSBAR), start=graph.n_endpoints):
        number[crossbar] = place
    tier = survey(design).tier
    first = len(number)
    by_tier = sorted(
        graph.vertices_of(SWITCH),
        key=lambda vertex: (tier.get(graph.device_ids[int(graph.device[vertex])], HIGHEST_TIER), vertex),
    )
    number.update({vertex: place for place, vertex in enumerate(by_tier, start=first)})
    used = {int(graph.source[arc]) for arc in range(graph.n_arcs) if graph.link[arc] >= 0}
    for arc in range(graph.n_arcs):
        a, b = int(graph.source[arc]), int(graph.target[arc])
        if graph.kind[a] == GPU and graph.kind[b] == NIC and b in used and number.setdefault(b, a) != a:
            raise ExportError(
                f"{graph.vertex_name(b)} has a NIC port that serves several GPUs, and SimAI knows links of one GPU "
                "alone: choose a server with a NIC per GPU"
            )
    linked = {number[vertex] for vertex in used if graph.kind[vertex] == NIC and vertex in number}
    if linked and len(linked) < graph.n_endpoints:
        bare = next(gpu for gpu in range(graph.n_endpoints) if gpu not in linked)
        raise ExportError(f"{graph.vertex_name(bare)} has no link of its own, and SimAI sends from every GPU: link it")
    return number


def _inside(graph: Graph, number: dict[int, int]) -> Iterator[Joint]:
    """GPUs to the NVSwitch of their server."""
    for arc in range(0, graph.n_arcs, 2):
        a, b = int(graph.source[arc]), int(graph.target[arc])
        if graph.kind[b] == CROSSBAR:
            yield Joint(number[a], number[b], float(graph.capacity_gbps[arc]), _mean_ns(graph, arc))


def _links(graph: Graph, number: dict[int, int]) -> Iterator[tuple[int, int, float, float]]:
    """Links with the numbers of both ends, that of a GPU or of the lower switch first; -1 of servers without GPUs."""
    joint_ns = {
        int(graph.target[arc]): _mean_ns(graph, arc)
        for arc in range(graph.n_arcs)
        if graph.kind[graph.source[arc]] == GPU and graph.kind[graph.target[arc]] == NIC
    }
    for arc in range(0, graph.n_arcs, 2):
        if graph.link[arc] < 0:
            continue
        a, b = int(graph.source[arc]), int(graph.target[arc])
        latency_ns = _mean_ns(graph, arc) + joint_ns.get(a, 0.0) + joint_ns.get(b, 0.0)
        low, high = sorted((number.get(a, -1), number.get(b, -1)))
        yield low, high, float(graph.capacity_gbps[arc]), latency_ns


def _mean_ns(graph: Graph, arc: int) -> float:
    """Of both directions: a link of ns-3 has one delay, and its switches none."""
    return float(graph.latency_ns[arc] + graph.latency_ns[arc ^ 1]) / 2


def _gpu_type(design: Design, options: SimAiOptions) -> str:
    """The word for the GPU. Raises ExportError where there is none, or one that is no word."""
    word = options.gpu
    if not word:
        models = {design.types[server.type_id] for server in design.servers()}
        names = {one.gpu_model.split(" ")[0] for one in models if isinstance(one, ServerType) and one.gpu_model}
        word = names.pop() if len(names) == 1 else "NONE"
    if not _WORD.fullmatch(word):
        raise ExportError("the GPU type should be a word such as H100: letters, digits, dots and hyphens")
    return word


def write_simai(design: Design, path: Path, options: SimAiOptions) -> None:
    """Write the topology. Raises ExportError, and OSError where it cannot be written."""
    made = simai_nodes(design, options)
    path.write_bytes("".join(f"{line}\n" for line in lines(made, options)).encode())


def lines(made: Nodes, options: SimAiOptions) -> Iterator[str]:
    """The file, line by line."""
    n_nodes = made.n_gpus + made.n_nvswitches + made.n_switches
    head = (n_nodes, made.gpus_per_server, made.n_nvswitches, made.n_switches, len(made.joints), made.gpu_type)
    yield " ".join(map(str, head))
    yield " ".join(map(str, range(made.n_gpus, n_nodes)))
    for one in made.joints:
        delay_ms = f"{one.latency_ns * 1e-6:.9f}".rstrip("0").rstrip(".")
        yield f"{one.a} {one.b} {one.rate_gbps:.10g}Gbps {delay_ms}ms {options.error_rate:.10g}"


def summary(design: Design, options: SimAiOptions) -> str:
    """ "1,016 GPUs, 127 NVSwitches, 48 switches, 4,064 links", and how many of these stand for several."""
    made = simai_nodes(design, options)
    parts = (
        format_counted(made.n_gpus, "GPU"),
        f"{format_count(made.n_nvswitches)} NVSwitch{'' if made.n_nvswitches == 1 else 'es'}",
        f"{format_count(made.n_switches)} switch{'' if made.n_switches == 1 else 'es'}",
        f"{format_counted(len(made.joints), 'line')} of links",
    )
    merged = f"; {format_counted(made.n_merged, 'link')} side by side with another counted in its rate"
    without = format_counted(made.n_without_gpus, server_word(design, _without_gpus(design)))
    left_out = f"; {without} without GPUs left out, with {format_counted(made.n_left_out, 'link')}"
    return ", ".join(parts) + (merged if made.n_merged else "") + (left_out if made.n_without_gpus else "")
