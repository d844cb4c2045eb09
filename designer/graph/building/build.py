"""The graph of a design."""

from designer.graph.arrays import Graph, without
from designer.graph.building.parts import Parts
from designer.graph.failures import broken
from designer.model.design import Design
from designer.model.networks import COMPUTE


def build(design: Design, *, failed: frozenset[str] = frozenset(), network: str = COMPUTE) -> Graph:
    """The graph of one network of a design. Same design, same arrays.

    `failed` holds ids or names of devices, ids of links or modules, and "NAME:PORT"; these are absent from the graph.
    A link's capacity is the lower of its two ports' rates. A link to a port that does not exist is left out, a port
    used twice keeps both links; `ignored` counts either. Raises UnknownEntityError for a failure that names nothing.
    """
    parts = Parts(design, network)
    parts.add_servers()
    parts.add_switches()
    parts.add_links()
    graph = parts.graph()
    return without(graph, broken(design, failed), failed) if failed else graph
