"""A design as a frozen Graph of numpy arrays, for threads that must not see the design change."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.class_figures import Unknown
from designer.graph.failures import Broken

GPU, CROSSBAR, NIC, SWITCH = 0, 1, 2, 3
"""Kinds of vertices, in the order in which they are numbered."""

INTERNAL, INFINIBAND, ETHERNET, EITHER, SCALE_UP = 0, 1, 2, 3, 4
"""What an arc speaks. EITHER: the types at both ends speak both, so the protocol is not settled."""


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Vertices and arcs of a design at a revision, without what has failed.

    Vertices are numbered GPUs first, in rank order (server by server in design order), then one crossbar for each
    server with a scale-up domain, then NIC ports, then switches. Arcs come in pairs: arc 2k one way, 2k + 1 back.
    Arcs between a GPU and its NIC have infinite capacity: what PCIe carries is not modelled, the NIC's port is what
    limits. A GPU without a NIC of its own reaches one over the crossbar and the GPU that has it; in a server without a
    scale-up domain it shares that NIC. GPUs that are joined pairwise have no crossbar but an arc from each to each.
    """

    revision: int
    device_ids: tuple[str, ...]
    device_names: tuple[str, ...]
    kind: NDArray[np.int8]  # (n_vertices,) GPU, CROSSBAR, NIC or SWITCH
    device: NDArray[np.int32]  # (n_vertices,) index into device_ids
    local: NDArray[np.int32]  # (n_vertices,) GPU number in its server, or place among the server's ports; else 0
    source: NDArray[np.int32]  # (n_arcs,)
    target: NDArray[np.int32]  # (n_arcs,)
    capacity_gbps: NDArray[np.float64]  # (n_arcs,) line rate, one direction
    latency_ns: NDArray[np.float64]  # (n_arcs,) unknown parts count as the figure of their class
    protocol: NDArray[np.int8]  # (n_arcs,) INTERNAL, INFINIBAND, ETHERNET, EITHER or SCALE_UP
    link: NDArray[np.int32]  # (n_arcs,) index into link_ids; -1 inside a server
    port_order: NDArray[np.int32]  # (n_arcs,) place of the arc's own port among its source's ports
    dragonfly_group: NDArray[np.int32]  # (n_vertices,) number of the switch's dragonfly group; -1 for all others
    out_start: NDArray[np.int64]  # (n_vertices + 1,)
    out_arcs: NDArray[np.int32]  # (n_arcs,) arcs by source vertex, in port order
    link_ids: tuple[str, ...]
    link_ports: tuple[tuple[str, str], ...]
    """Port names at end a and end b."""
    scale_up_name: Mapping[int, str]
    """Name of the scale-up domain by crossbar vertex."""
    unknown: Mapping[Unknown, int]
    """Facts that no source states: the figure of the class stands in, in latencies; each with how often."""
    ignored: Mapping[str, int]
    """Links that are not in the graph or stand out in it, counted by reason."""
    gpu_memory_bytes: tuple[float | None, ...]
    """By device: the memory of one of its GPUs; None where no source states it, and for switches."""
    failed: frozenset[str] = frozenset()
    """What has failed, as it was asked for: ids, names or ports."""
    failed_names: tuple[str, ...] = ()
    """The same as people name it, in order."""
    linked_when_whole: frozenset[int] = frozenset()
    """Indexes into device_ids of the servers that have a link while nothing has failed; empty where nothing has."""
    printed_ports: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By id of a device, what its chassis prints at ports that the design names otherwise: the name with that."""
    infiniband_ports: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By id of a device the number of each of its ports, in order, as InfiniBand counts them; 0 of others."""
    plane_note: str = ""
    """That one plane of several is drawn alone, without a full stop; "" where all of them are."""
    derived: dict[str, Any] = field(default_factory=dict, repr=False)
    """What other rooms computed of this graph once and for all, by their own key."""

    @property
    def n_endpoints(self) -> int:
        """Number of GPUs: vertices 0 to n_endpoints - 1."""
        return int(np.searchsorted(self.kind, GPU, side="right"))

    @property
    def n_vertices(self) -> int:
        """Number of vertices: GPUs, crossbars, NIC ports and switches."""
        return len(self.kind)

    @property
    def n_arcs(self) -> int:
        """Number of arcs, two for each link and each connection inside a server."""
        return len(self.source)

    def vertices_of(self, kind: int) -> range:
        """Numbers of all vertices of a kind; they are consecutive."""
        first, last = np.searchsorted(self.kind, [kind, kind + 1])
        return range(int(first), int(last))

    def device_name(self, vertex: int) -> str:
        """The name of the device that a vertex belongs to."""
        return self.device_names[int(self.device[vertex])]

    def vertex_name(self, vertex: int) -> str:
        """How a message names a vertex: "leaf-03", "gpu-001 GPU 3", "gpu-001 NVLink 4"."""
        name, kind = self.device_name(vertex), self.kind[vertex]
        if kind == GPU:
            server = self.device[: self.n_endpoints] == self.device[vertex]
            return f"{name} GPU {self.local[vertex]}" if np.count_nonzero(server) > 1 else name
        return f"{name} {self.scale_up_name[vertex]}" if kind == CROSSBAR else name

    def port_name(self, arc: int) -> str:
        """The port an arc leaves through; "" inside a server."""
        link = self.link[arc]
        return self.link_ports[link][arc & 1] if link >= 0 else ""

    def port_text(self, arc: int) -> str:
        """ "rail1 (OSFP4P2)": the same for a sentence, with what the chassis prints where that differs."""
        name = self.port_name(arc)
        device_id = self.device_ids[int(self.device[self.source[arc]])]
        return self.printed_ports.get(device_id, {}).get(name, name)


def without(graph: Graph, gone: Broken, failed: frozenset[str]) -> Graph:
    """The graph less devices and links; vertices are renumbered, link and device indexes stay."""
    keep_device = ~np.isin(np.array(graph.device_ids), sorted(gone.devices))
    keep_link = np.append(~np.isin(np.array(graph.link_ids), sorted(gone.links)), True)  # link -1 is inside a server
    keep_vertex = keep_device[graph.device]
    keep_arc = keep_vertex[graph.source] & keep_vertex[graph.target] & keep_link[graph.link]
    number = np.cumsum(keep_vertex, dtype=np.int32) - 1
    source = number[graph.source[keep_arc]]
    order = graph.port_order[keep_arc]
    n_vertices = int(np.count_nonzero(keep_vertex))
    out_start, out_arcs = outgoing(source, order, n_vertices)
    return replace(
        graph,
        kind=graph.kind[keep_vertex],
        device=graph.device[keep_vertex],
        local=graph.local[keep_vertex],
        dragonfly_group=graph.dragonfly_group[keep_vertex],
        source=source,
        target=number[graph.target[keep_arc]],
        capacity_gbps=graph.capacity_gbps[keep_arc],
        latency_ns=graph.latency_ns[keep_arc],
        protocol=graph.protocol[keep_arc],
        link=graph.link[keep_arc],
        port_order=order,
        out_start=out_start,
        out_arcs=out_arcs,
        scale_up_name=MappingProxyType({int(number[v]): n for v, n in graph.scale_up_name.items() if keep_vertex[v]}),
        failed=graph.failed | failed,
        failed_names=(*graph.failed_names, *gone.names),
        linked_when_whole=graph.linked_when_whole | linked_devices(graph),
        derived={},
    )


def linked_devices(graph: Graph) -> frozenset[int]:
    """Indexes into device_ids of what has a link in the graph."""
    return frozenset(np.unique(graph.device[graph.source[graph.link >= 0]]).tolist())


def outgoing(
    source: NDArray[np.int32], port_order: NDArray[np.int32], n_vertices: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """(`Graph.out_start`, `Graph.out_arcs`): the arcs by source vertex, those of a vertex in port order."""
    arcs = np.lexsort((port_order, source)).astype(np.int32)
    start = np.zeros(n_vertices + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=n_vertices), out=start[1:])
    return start, arcs
