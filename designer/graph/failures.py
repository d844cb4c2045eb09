"""What a list of broken things takes out of a design, and the graph without it."""

from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from designer.errors import UnknownEntityError
from designer.graph.arrays import Graph, linked_devices, outgoing
from designer.model.design import Design
from designer.model.entities import End


@dataclass(frozen=True, slots=True)
class Broken:
    """Ids of devices and links that fail."""

    devices: frozenset[str]
    links: frozenset[str]


def broken(design: Design, failed: frozenset[str]) -> Broken:
    """Ids of what `failed` names: devices by id or name, links and modules by id, ports (or slots) as "NAME:PORT".

    Raises UnknownEntityError naming what is not in the design.
    """
    names = {device.name: device.id for device in design.devices.values()}
    devices: set[str] = set()
    links: set[str] = set()
    for name in sorted(failed):
        if name in names:
            devices.add(names[name])
        elif name in design.devices:
            devices.add(name)
        elif name in design.links:
            links.add(name)
        elif name in design.modules:
            module = design.modules[name]
            links.update(_links_of_slot(design, module.device_id, module.slot))
        else:
            links.update(_links_at_named_port(design, names, name))
    return Broken(frozenset(devices), frozenset(links))


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


def _links_at_named_port(design: Design, names: dict[str, str], name: str) -> list[str]:
    device_name, colon, port = name.rpartition(":")
    device_id = names.get(device_name, device_name)
    if not colon or device_id not in design.devices:
        raise UnknownEntityError(f"nothing in the design is called {name!r}, so it cannot fail")
    if port in design.port_map(device_id):
        return list(design.links_at(End(device_id, port)))
    if any(p.slot == port for p in design.ports(device_id)):
        return _links_of_slot(design, device_id, port)
    raise UnknownEntityError(f"{design.device(device_id).name} has no port {port!r}")


def _links_of_slot(design: Design, device_id: str, slot: str) -> list[str]:
    ports = [port.name for port in design.ports(device_id) if port.slot == slot]
    return [link_id for port in ports for link_id in design.links_at(End(device_id, port))]
