"""The vertices and arcs of a design, collected one after the other."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import CROSSBAR, GPU, INTERNAL, NIC, SCALE_UP, SWITCH, Graph, outgoing
from designer.graph.building.delays import UNKNOWN_LENGTH, delays
from designer.graph.building.templates import PortFacts, ServerTemplate, protocol_of, server_template, switch_ports
from designer.graph.class_figures import SCALE_UP_DOMAIN, Unknown, switch_latency
from designer.model.design import Design
from designer.model.entities import DRAGONFLY_GROUP, Device, Link, order_key
from designer.model.hardware.servers import ScaleUp, ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.infiniband import port_numbers
from designer.model.networks import COMPUTE, PURPOSE_OF, networks_of_switch
from designer.model.port_labels import both_names
from designer.units import format_count

GBPS_PER_GBYTES_PER_S = 8.0


class Parts:
    """Collects vertices and arcs of one network of a design as lists: servers, then switches, then links."""

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
        """GPUs, crossbars and NIC ports of all servers, with the arcs between them."""
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
        """What links read of the switches of the network."""
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
        """The arcs of all links of the network; counts those that are left out."""
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
        """The graph of what was added."""
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
            plane_note=self._plane_note() if self._network == COMPUTE else "",
        )

    def _plane_note(self) -> str:
        """That a fabric was generated as one plane of several, and no other one was drawn since."""
        drawn = {one.plane for one in self._devices} - {None}
        for group in self._design.groups.values():
            given = dict(group.recipe.parameters) if group.recipe is not None else {}
            plane, planes = given.get("only_plane", ""), given.get("planes", "")
            if plane.isdecimal() and planes.isdecimal() and (left := int(planes) - max(1, len(drawn))) > 0:
                others = "the other one carries" if left == 1 else f"the other {format_count(left)} carry"
                return f"Plane {plane} of {planes} is drawn and simulated alone: what {others} is not counted"
        return ""

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
