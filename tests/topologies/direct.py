"""What the tests of direct networks share."""

import networkx as nx

from designer.catalog.catalog import load
from designer.model.design import Design
from designer.validation.engine import validate
from designer.validation.findings import Severity

CATALOG = load()


def built(family, parameters) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, CATALOG))
    return design


def switches_of(design: Design) -> nx.MultiGraph:
    """The switches by number in their design order."""
    number = {device.id: n for n, device in enumerate(design.switches())}
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(len(number)))
    for link in design.links.values():
        if link.a.device_id in number and link.b.device_id in number:
            graph.add_edge(number[link.a.device_id], number[link.b.device_id])
    return graph


def faultless(design: Design) -> bool:
    """No error but what the parameters ask for: more capacity down than up."""
    errors = [finding for finding in validate(design).findings if finding.severity is Severity.ERROR]
    return not [finding for finding in errors if not finding.code.startswith("OVER")]


def ports_in_order(design: Design, name: str) -> list[str]:
    """Names of what the ports of a device lead to, in the order of the ports."""
    device = design.find(name)
    other = {}
    for link in design.links_of(device.id):
        mine, far = (link.a, link.b) if link.a.device_id == device.id else (link.b, link.a)
        other[mine.port] = design.device(far.device_id).name
    return [other[port] for port in design.port_map(device.id) if port in other]
