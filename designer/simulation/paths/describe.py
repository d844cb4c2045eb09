"""The hops of a path in words: devices, ports as they are printed, what they carry and how full they were."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import GPU, INTERNAL
from designer.model.design import Design
from designer.model.entities import End
from designer.model.port_labels import port_label
from designer.routing.network import Network
from designer.routing.regions import regions
from designer.simulation.paths.rows import PathHop
from designer.simulation.result import Result

MOST_PORTS = 2
"""Ports of parallel links that are named before the rest is counted."""


class Describe:
    """`share` (n_arcs,) is what of all the traffic crosses an arc."""

    def __init__(self, design: Design, net: Network, share: NDArray[np.float64], result: Result | None) -> None:
        self._design, self._net, self._graph, self._share = design, net, net.graph, share
        self._loads: NDArray[np.float64] | None = None
        if result is not None:
            self._loads = result.utilization_peak if result.are_peaks_known else result.utilization_mean

    def vertex(self, vertex: int) -> str:
        """ "gpu-001 GPU 3", "leaf-05"."""
        return self._graph.vertex_name(vertex)

    def region(self, number: int) -> str:
        """The name of a dragonfly group, or of the leaf switch that a way goes by."""
        found, graph, switches = regions(self._net), self._graph, self._net.switches
        switch = int(np.flatnonzero(found.of == number)[0])
        device = self._design.devices.get(graph.device_ids[graph.device[switches.first + switch]])
        group = self._design.groups.get(device.group_id or "") if device is not None else None
        if found.are_groups and group is not None:
            return group.name
        return graph.device_name(switches.first + switch)

    def hops(self, hops: Iterable[tuple[int, ...]]) -> tuple[PathHop, ...]:
        """A hop for each but those between a GPU and its NIC, which count to the link that the NIC is on."""
        graph, found = self._graph, []
        source, latency_ns = "", 0.0
        for arcs in hops:
            first = arcs[0]
            if graph.protocol[first] != INTERNAL:
                found.append(self._hop(arcs, source, latency_ns))
                source, latency_ns = "", 0.0
            elif found and graph.kind[graph.target[first]] == GPU:
                gpu = int(graph.target[first])
                more_ns = found[-1].latency_ns + float(graph.latency_ns[first])
                found[-1] = replace(found[-1], target=self.vertex(gpu), latency_ns=more_ns)
            else:
                source, latency_ns = self.vertex(int(graph.source[first])), float(graph.latency_ns[first])
        return tuple(found)

    def _hop(self, arcs: tuple[int, ...], source: str, more_ns: float) -> PathHop:
        graph, first = self._graph, arcs[0]
        tail, head, chosen = int(graph.source[first]), int(graph.target[first]), list(arcs)
        capacity = graph.capacity_gbps[chosen]
        back = [arc ^ 1 for arc in arcs]
        return PathHop(
            source=source or self._end(tail),
            source_id=graph.device_ids[graph.device[tail]],
            port=self._ports(chosen),
            target=self._end(head),
            target_id=graph.device_ids[graph.device[head]],
            target_port=self._ports(back),
            link_ids=tuple(graph.link_ids[graph.link[arc]] for arc in arcs if graph.link[arc] >= 0),
            share=float(self._share[chosen].sum()),
            capacity_gbps=float(capacity.sum()),
            utilization=None if self._loads is None else float(self._loads[chosen].max()),
            latency_ns=more_ns + float(np.average(graph.latency_ns[chosen], weights=capacity)),
        )

    def _end(self, vertex: int) -> str:
        graph = self._graph
        return graph.vertex_name(vertex) if vertex < graph.n_endpoints else self._crossbar_or_device(vertex)

    def _crossbar_or_device(self, vertex: int) -> str:
        graph = self._graph
        return graph.vertex_name(vertex) if vertex in graph.scale_up_name else graph.device_name(vertex)

    def _ports(self, arcs: list[int]) -> str:
        """The ports that arcs leave by: "5", "17/1, 17/2", "33 to 40"; "" inside a server."""
        graph = self._graph
        linked = [arc for arc in arcs if graph.link[arc] >= 0]
        return _listed(
            [
                port_label(self._design, End(graph.device_ids[graph.device[graph.source[arc]]], graph.port_name(arc)))
                for arc in linked
            ]
        )


def _listed(names: list[str]) -> str:
    if len(names) <= MOST_PORTS:
        return ", ".join(names)
    numbers = [int(name) for name in names if name.isdecimal()]
    if len(numbers) == len(names) and numbers == list(range(numbers[0], numbers[0] + len(names))):
        return f"{names[0]} to {names[-1]}"
    return f"{', '.join(names[:MOST_PORTS])} and {len(names) - MOST_PORTS} more"
