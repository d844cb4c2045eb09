"""A design as a frozen Graph of numpy arrays, for threads that must not see the design change."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.class_figures import CABLE, SCALE_UP_DOMAIN, Unknown, switch_latency
from designer.graph.failures import Broken, broken
from designer.graph.templates import (
    INTERNAL,
    SCALE_UP,
    PortFacts,
    ServerTemplate,
    protocol_of,
    server_template,
    switch_ports,
)
from designer.model.design import Design
from designer.model.entities import DRAGONFLY_GROUP, Device, Link, order_key
from designer.model.hardware.media import TWINAX_KINDS, MediumType
from designer.model.hardware.servers import ScaleUp, ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.infiniband import port_numbers
from designer.model.networks import COMPUTE, PURPOSE_OF, networks_of_switch
from designer.model.port_labels import both_names

GPU, CROSSBAR, NIC, SWITCH = 0, 1, 2, 3
"""Kinds of vertices, in the order in which they are numbered."""

FIBRE_NS_PER_M = 5.0
COPPER_NS_PER_M = 4.5
# Cable makers' data sheets: at most 4.5 ns/m in DACs, 5 ns/m in fibre.
GBPS_PER_GBYTES_PER_S = 8.0
UNKNOWN_LENGTH = Unknown("length of a link", CABLE)


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
    linked_when_whole: frozenset[int] = frozenset()
    """Indexes into device_ids of the servers that have a link while nothing has failed; empty where nothing has."""
    printed_ports: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By id of a device, what its chassis prints at ports that the design names otherwise: the name with that."""
    infiniband_ports: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By id of a device the number of each of its ports, in order, as InfiniBand counts them; 0 of others."""
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


def build(design: Design, *, failed: frozenset[str] = frozenset(), network: str = COMPUTE) -> Graph:
    """The graph of one network of a design. Same design, same arrays.

    `failed` holds ids or names of devices, ids of links or modules, and "NAME:PORT"; these are absent from the graph.
    A link's capacity is the lower of its two ports' rates. A link to a port that does not exist is left out, a port
    used twice keeps both links; `ignored` counts either. Raises UnknownEntityError for a failure that names nothing.
    """
    parts = _Parts(design, network)
    parts.add_servers()
    parts.add_switches()
    parts.add_links()
    graph = parts.graph()
    return without(graph, broken(design, failed), failed) if failed else graph


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


class _Parts:
    """Collects vertices and arcs as lists, servers first."""

    def __init__(self, design: Design, network: str) -> None:
        self._design = design
        self._network = network
        self._servers = design.servers()
        self._switches = [switch for switch in design.switches() if network in networks_of_switch(switch)]
        self._devices = [*self._servers, *self._switches]
        self._known: dict[tuple[str, int], ServerTemplate] = {}
        self._templates = [self._server_template(server) for server in self._servers]
        self._n_gpus = sum(template.gpus for template in self._templates)
        self._n_crossbars = sum(template.has_crossbar for template in self._templates)
        self._n_nics = sum(template.n_ports for template in self._templates)
        self._ports_at: dict[str, tuple[Mapping[str, PortFacts], int, float]] = {}
        """By device id: its ports, its first NIC vertex or its switch vertex, and the latency of entering it."""
        self._elsewhere: dict[str, frozenset[str]] = {}
        """By device id: names of ports of other networks; of a switch those by which it is managed."""
        self._pairs: list[tuple[int, int, float, float, float, int, int, int, int]] = []
        """source, target, capacity, latency there, latency back, protocol, link, port order, port order back"""
        self._unknown: Counter[Unknown] = Counter()
        self._ignored: Counter[str] = Counter()
        self._scale_up_name: dict[int, str] = {}
        self._link_ids: list[str] = []
        self._link_ports: list[tuple[str, str]] = []

    def _server_template(self, server: Device) -> ServerTemplate:
        ports = self._design.ports(server.id)  # one tuple for all servers of a type with the same NICs
        found = self._known.get((server.type_id, id(ports)))
        if found is None:
            type_ = self._design.device_type(server.id)
            assert isinstance(type_, ServerType)
            latencies = {m.slot: self._design.nic_type(m.id).latency_ns for m in self._design.modules_of(server.id)}
            found = self._known[server.type_id, id(ports)] = server_template(
                type_, ports, latencies, PURPOSE_OF[self._network]
            )
        return found

    def add_servers(self) -> None:
        gpu, crossbar, nic = 0, self._n_gpus, self._n_gpus + self._n_crossbars
        for server, template in zip(self._servers, self._templates, strict=True):
            if template.scale_up is not None and template.scale_up.gbytes_per_s_per_pair is not None:
                self._join_pairwise(gpu, template.gpus, template.scale_up)
            elif template.scale_up is not None:
                rate_gbps = template.scale_up.gbytes_per_s_per_gpu * GBPS_PER_GBYTES_PER_S
                latency_ns = self._scale_up_latency(template.scale_up)
                self._scale_up_name[crossbar] = template.scale_up.name
                for local in range(template.gpus):
                    pair = (gpu + local, crossbar, rate_gbps, latency_ns, 0.0, SCALE_UP, -1, 0, local)
                    self._pairs.append(pair)
                crossbar += 1
            for local, port, nic_ns in template.joints:
                half = nic_ns / 2
                self._pairs.append((gpu + local, nic + port, np.inf, half, half, INTERNAL, -1, 1 + port, -1))
            self._unknown.update(template.unknown)
            self._ports_at[server.id] = (template.ports, nic, 0.0)
            if template.elsewhere:
                self._elsewhere[server.id] = template.elsewhere
            gpu += template.gpus
            nic += template.n_ports

    def _join_pairwise(self, first: int, gpus: int, scale_up: ScaleUp) -> None:
        rate_gbps = (scale_up.gbytes_per_s_per_pair or 0.0) * GBPS_PER_GBYTES_PER_S
        latency_ns = self._scale_up_latency(scale_up)
        for a in range(gpus):
            for b in range(a + 1, gpus):
                pair = (first + a, first + b, rate_gbps, latency_ns, latency_ns, SCALE_UP, -1, -1, -1)
                self._pairs.append(pair)

    def _scale_up_latency(self, scale_up: ScaleUp) -> float:
        if scale_up.latency_ns is not None:
            return scale_up.latency_ns
        self._unknown[Unknown(f"latency of {scale_up.name}", SCALE_UP_DOMAIN)] += 1
        return SCALE_UP_DOMAIN.value

    def add_switches(self) -> None:
        first = self._n_gpus + self._n_crossbars + self._n_nics
        cache: dict[int, Mapping[str, PortFacts]] = {}
        for vertex, switch in enumerate(self._switches, start=first):
            type_ = self._design.device_type(switch.id)
            assert isinstance(type_, SwitchType)
            latency_ns, unknown = switch_latency(type_)
            if unknown is not None:
                self._unknown[unknown] += 1
            ports = self._design.ports(switch.id)
            facts = cache.get(id(ports))
            if facts is None:
                facts = cache[id(ports)] = switch_ports(ports)
            self._ports_at[switch.id] = (facts, vertex, latency_ns)
            managing = frozenset(port.name for port in self._design.management_ports(switch.id))
            if not managing.isdisjoint(self._design.used_ports(switch.id)):
                self._elsewhere[switch.id] = managing

    def add_links(self) -> None:
        used: set[tuple[str, str]] = set()
        table = self._design.links
        delay_ns = delays(self._design)
        alone = not self._elsewhere and len(self._ports_at) == len(self._design.devices)
        for link_id in sorted(table, key=order_key):
            link = table[link_id]
            if not alone and self._is_elsewhere(link):
                continue
            a, b = link.a, link.b
            ports_a, vertex_a, enter_a = self._ports_at[a.device_id]
            ports_b, vertex_b, enter_b = self._ports_at[b.device_id]
            port_a, port_b = ports_a.get(a.port), ports_b.get(b.port)
            if port_a is None or port_b is None:
                self._ignored["a port it names does not exist"] += 1
                continue
            if a.device_id == b.device_id:
                self._ignored["it joins a device to itself"] += 1
                continue
            ends = ((a.device_id, a.port), (b.device_id, b.port))
            if ends[0] in used or ends[1] in used:
                self._ignored["kept, though its port carries another link too"] += 1
            used.update(ends)
            delay, is_known = delay_ns(link)
            if not is_known:
                self._unknown[UNKNOWN_LENGTH] += 1
            rate_gbps = min(port_a.rate_gbps, port_b.rate_gbps)
            protocol = protocol_of(port_a, port_b)
            self._pairs.append(
                (
                    vertex_a + port_a.vertex,
                    vertex_b + port_b.vertex,
                    rate_gbps,
                    delay + enter_b,
                    delay + enter_a,
                    protocol,
                    len(self._link_ids),
                    port_a.order,
                    port_b.order,
                )
            )
            self._link_ids.append(link_id)
            self._link_ports.append((a.port, b.port))

    def _is_elsewhere(self, link: Link) -> bool:
        """The link is part of another network, or leads to a switch of one."""
        known = self._ports_at
        return any(
            end.device_id not in known or end.port in self._elsewhere.get(end.device_id, ()) for end in (link.a, link.b)
        )

    def graph(self) -> Graph:
        kind, device, local = self._vertices()
        columns = list(zip(*self._pairs, strict=True)) or [()] * 9
        source = _paired(columns[0], columns[1], np.int32)
        order = _paired(columns[7], columns[8], np.int32)
        out_start, out_arcs = outgoing(source, order, len(kind))
        return Graph(
            revision=self._design.revision,
            device_ids=tuple(d.id for d in self._devices),
            device_names=tuple(d.name for d in self._devices),
            kind=kind,
            device=device,
            local=local,
            dragonfly_group=self._dragonfly_groups(len(kind)),
            source=source,
            target=_paired(columns[1], columns[0], np.int32),
            capacity_gbps=_paired(columns[2], columns[2], np.float64),
            latency_ns=_paired(columns[3], columns[4], np.float64),
            protocol=_paired(columns[5], columns[5], np.int8),
            link=_paired(columns[6], columns[6], np.int32),
            port_order=order,
            out_start=out_start,
            out_arcs=out_arcs,
            link_ids=tuple(self._link_ids),
            link_ports=tuple(self._link_ports),
            scale_up_name=MappingProxyType(self._scale_up_name),
            unknown=MappingProxyType(dict(self._unknown)),
            ignored=MappingProxyType(dict(self._ignored)),
            gpu_memory_bytes=tuple(self._gpu_memory_bytes(device) for device in self._devices),
            printed_ports=MappingProxyType(self._printed_ports()),
            infiniband_ports=MappingProxyType(self._infiniband_ports()),
        )

    def _printed_ports(self) -> dict[str, Mapping[str, str]]:
        """Names with labels, by device; devices whose ports are the same share theirs."""
        texts: dict[int, Mapping[str, str]] = {}
        found = {}
        for device in self._devices:
            ports = self._design.ports(device.id)
            if id(ports) not in texts:
                texts[id(ports)] = {port.name: both_names(port) for port in ports if port.label not in ("", port.name)}
            if texts[id(ports)]:
                found[device.id] = texts[id(ports)]
        return found

    def _infiniband_ports(self) -> dict[str, tuple[int, ...]]:
        """Numbers by device, of those that have any; devices whose ports are the same share theirs."""
        numbers: dict[int, tuple[int, ...]] = {}
        found = {}
        for device in self._devices:
            ports = self._design.ports(device.id)
            if id(ports) not in numbers:
                numbers[id(ports)] = port_numbers(ports)
            if any(numbers[id(ports)]):
                found[device.id] = numbers[id(ports)]
        return found

    def _gpu_memory_bytes(self, device: Device) -> float | None:
        type_ = self._design.device_type(device.id)
        return type_.gpu_memory_bytes if isinstance(type_, ServerType) else None

    def _dragonfly_groups(self, n_vertices: int) -> NDArray[np.int32]:
        number: dict[str, int] = {}
        for group in self._design.groups.values():
            if group.kind == DRAGONFLY_GROUP:
                number[group.id] = len(number)
        found = np.full(n_vertices, -1, dtype=np.int32)
        if number:
            first = n_vertices - len(self._switches)
            found[first:] = [number.get(switch.group_id or "", -1) for switch in self._switches]
        return found

    def _vertices(self) -> tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.int32]]:
        n_switches = len(self._switches)
        counts = (self._n_gpus, self._n_crossbars, self._n_nics, n_switches)
        kind = np.repeat(np.array([GPU, CROSSBAR, NIC, SWITCH], dtype=np.int8), counts)
        per_server = np.arange(len(self._servers), dtype=np.int32)
        gpus = np.array([t.gpus for t in self._templates], dtype=np.int64)
        domains = np.array([t.has_crossbar for t in self._templates], dtype=np.int64)
        nics = np.array([t.n_ports for t in self._templates], dtype=np.int64)
        switches = np.arange(len(self._servers), len(self._devices), dtype=np.int32)
        in_servers = [np.repeat(per_server, counts) for counts in (gpus, domains, nics)]
        device = np.concatenate([*in_servers, switches])
        local = np.zeros(len(kind), dtype=np.int32)
        local[: self._n_gpus] = _numbered(gpus)
        first_nic = self._n_gpus + self._n_crossbars
        local[first_nic : first_nic + self._n_nics] = _numbered(nics)
        return kind, device.astype(np.int32), local


def _numbered(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, ... within each run: (2, 3) gives 0 1 0 1 2."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def _paired(there: Any, back: Any, dtype: Any) -> NDArray[Any]:
    pairs = np.empty((len(there), 2), dtype=dtype)
    pairs[:, 0], pairs[:, 1] = there, back
    return pairs.reshape(-1)


def delays(design: Design) -> Callable[[Link], tuple[float, bool]]:
    """A function from a link to (its propagation delay, whether its length is known); else that of its class."""
    rule_m = design.settings.default_cable_length_m
    ns_per_m = {
        type_.id: FIBRE_NS_PER_M if type_.fibre or type_.kind not in TWINAX_KINDS else COPPER_NS_PER_M
        for type_ in design.types.values()
        if isinstance(type_, MediumType)
    }

    def delay_ns(link: Link) -> tuple[float, bool]:
        length_m = link.length_m if link.length_m is not None else rule_m
        used_m = CABLE.value if length_m is None else length_m
        return used_m * ns_per_m.get(link.medium_id, FIBRE_NS_PER_M), length_m is not None

    return delay_ns
