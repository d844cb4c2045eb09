"""A design as a graph of networkx, for its algorithms, layouts and file formats."""

from collections import Counter

import networkx

from designer.model.design import Design
from designer.model.entities import End
from designer.model.networks import network_of_link
from designer.model.records import ordered


def as_networkx(design: Design) -> "networkx.MultiGraph[str]":
    """The devices and links of a design; parallel links are parallel edges.

    Nodes are names of devices, in design order: servers, then switches. A device whose name is not its alone goes by
    its id. They have `id`, `kind` ("server" or "switch"), `role` and `type`. The key of an edge is the id of its link;
    it has `rate_gbps` (of the slower port; 0 where an end names a port that does not exist), `network` ("compute",
    "storage", ..), and `a` and `b`, the ports as "leaf-01:7". All are texts and numbers, so that networkx writes them
    to any of its formats. The graph is a copy: neither changes with the other.
    """
    devices = (*design.servers(), *design.switches())
    count = Counter(device.name for device in devices)
    alone = {one.id: count[one.name] == 1 and one.name not in design.devices for one in devices}
    node = {one.id: one.name if alone[one.id] else one.id for one in devices}
    graph: networkx.MultiGraph[str] = networkx.MultiGraph(name=design.settings.name)
    for device in devices:
        kind = "server" if design.is_server(device.id) else "switch"
        graph.add_node(node[device.id], id=device.id, kind=kind, role=device.role, type=device.type_id)
    for link in ordered(design.links):
        a, b = node[link.a.device_id], node[link.b.device_id]
        ports = {"a": f"{a}:{link.a.port}", "b": f"{b}:{link.b.port}"}
        rate_gbps = min(_rate_gbps(design, link.a), _rate_gbps(design, link.b))
        graph.add_edge(a, b, link.id, rate_gbps=rate_gbps, network=network_of_link(design, link), **ports)
    return graph


def _rate_gbps(design: Design, end: End) -> float:
    port = design.port(end)
    return port.rate_gbps if port is not None else 0.0
