"""Any graph as a network: a router a node, with hosts on each; made by networkx or read from a GraphML file.

Port order: on a router its hosts', then its links by the other router's number.
"""

from dataclasses import dataclass
from pathlib import Path

from designer.catalog.catalog import Catalog
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.model.design import Design
from designer.model.edit import Edit
from designer.topologies import graphs
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, assemble, tally
from designer.topologies.equipment import TypeSource, types_of
from designer.topologies.jellyfish import facing
from designer.topologies.parameters import (
    link_rate_parameter,
    racks_parameter,
)
from designer.topologies.routers import Web, hosts_parameter, router_parameter, server_parameter, web_blueprint
from designer.topologies.sizing import Counts
from designer.units import format_count


@dataclass(frozen=True, slots=True)
class GraphParameters:
    """Which graph, and what it is made of. Raises ParameterError for values that make no sense by themselves."""

    graph: str = setting(
        "hypercube",
        title="Graph",
        help="The networkx generator that makes the graph.",
        kind=kinds.CHOICE,
        choices=tuple(graphs.GENERATORS),
    )
    arguments: str = setting(
        "4",
        title="Arguments",
        help="Arguments of the generator, separated by commas: 4 for a hypercube of four dimensions, 16,1,5 for a "
        "circulant of 16 nodes with links to the next and to the fifth, none for petersen.",
        kind=kinds.TEXT,
    )
    file: str = setting(
        "", title="GraphML file", help="File to read the graph from, instead of a generator.", kind=kinds.TEXT
    )
    p: int = hosts_parameter(2)
    switch: str = router_parameter()
    server: str = server_parameter()
    link_rate_gbps: float = link_rate_parameter("Rate of every link between routers, and of generic hosts.")
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)


def build(design: Design, parameters: GraphParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: GraphParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: GraphParameters, find: TypeSource) -> Blueprint:
    if parameters.file:
        graph, called = graphs.from_file(Path(parameters.file)), Path(parameters.file).stem
    else:
        graph, called = graphs.generated(parameters.graph, parameters.arguments), parameters.graph
    web = Web(
        f"Generate {called} graph of {format_count(graph.n_routers)} routers",
        graph.n_routers,
        len(graph.edges),
        graph.degree,
        lambda: graph.edges,
        lambda n_hosts: facing(graph.n_routers, graph.edges, n_hosts),
        lambda number: graph.names[number] if graph.names else padded(number + 1, graph.n_routers),
    )
    return web_blueprint(
        find, web, parameters.p, parameters.server, parameters.switch, parameters.link_rate_gbps, parameters.racks
    )
