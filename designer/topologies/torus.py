"""Torus and mesh of any number of dimensions: a router a node, joined to its neighbours along every dimension.

Node (c_1, .., c_n) has number c_1 + k_1 * (c_2 + k_2 * (c_3 + ..)): the first dimension is fastest. In a ring of two
nodes there is one link, not two: either way round is the same link. A mesh has no links round the ends.
N nodes in rings of more than two have n * N links, diameter sum of floor(k / 2) and, for an even longest ring k, a
bisection of 2N / k links. Source: `formulas.torus` of the published reference designs in tests/topologies/data/.

Port order, which routing relies on: on a router +x, -x, +y, -y, .., then the ports of its host. Ports without a link
(the second one of a ring of two, those at the ends of a mesh) stay free. A generic host has one port as fast as all
links of its router together, so that never the way in is what limits a node that is itself a router (TPU); a server
type given by name has the NICs it is delivered with.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from designer.catalog import generic
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.hardware import switch_ports
from designer.placement.direct import torus_points
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, Layer, Links, Wire, assemble, tally
from designer.topologies.equipment import ServerKit, TypeSource, delivered_server, server_kit, types_of
from designer.topologies.parameters import link_rate_parameter, racks_parameter
from designer.topologies.racking import racked
from designer.topologies.sizing import Counts

MOST_DIMENSIONS = 6
LONGEST_RING = 100_000


@dataclass(frozen=True, slots=True)
class TorusParameters:
    """What a torus is made of. Raises ParameterError for values that make no sense."""

    dims: tuple[int, ...] = setting(
        (4, 4, 4),
        title="Dimensions",
        help="Nodes along each dimension, such as 16x16x16; two or more each.",
        kind=kinds.DIMS,
        within=Range(2, LONGEST_RING),
        noun="a dimension",
    )
    mesh: bool = setting(False, title="Mesh", help="Leave out the links that close each ring.", kind=kinds.FLAG)
    node: str = setting(
        "generic-host",
        title="Node",
        help="Type of the server on each router; a generic host has a port as fast as all links of its router "
        "together.",
        kind=kinds.SERVER,
    )
    link_rate_gbps: float = link_rate_parameter("Rate of every link between routers.")
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        if not isinstance(self.dims, tuple) or not 1 <= len(self.dims) <= MOST_DIMENSIONS:
            raise ParameterError(f"a torus has 1 to {MOST_DIMENSIONS} dimensions: write them like 8x8x8")
        check(self)

    @property
    def n_nodes(self) -> int:
        """Nodes of the torus: the product of its dimensions."""
        return math.prod(self.dims)

    @property
    def n_links(self) -> int:
        """Links between routers."""
        return sum(self.n_nodes // size * (size - 1 if self.mesh or size == 2 else size) for size in self.dims)


def build(design: Design, parameters: TorusParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: TorusParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: TorusParameters, find: TypeSource) -> Blueprint:
    kit, dims = _kit(parameters, find), parameters.dims
    n_nodes, n_links, n_host_ports = parameters.n_nodes, 2 * len(dims), len(kit.ports)
    router = generic.generic_router(n_links, parameters.link_rate_gbps, n_host_ports, kit.rate_gbps)
    word = "gpu" if kit.type_.gpus > 1 else "host"
    hosts = Layer(n_nodes, kit.type_, kit.port_names, lambda node: f"{word}-{_place(dims, node)}", kit=kit)
    routers = Layer(
        n_nodes,
        router,
        lambda: [port.name for port in switch_ports(router)],
        lambda node: f"router-{_place(dims, node)}",
        role="router",
        fields={"cage_modes": generic.router_cage_modes(router, n_links, n_host_ports)},
    )

    def ways_in() -> Iterator[Wire]:
        return ((node, port, node, n_links + port) for node in range(n_nodes) for port in range(n_host_ports))

    blueprint = Blueprint(
        f"Generate {'x'.join(map(str, dims))} {'mesh' if parameters.mesh else 'torus'}",
        (hosts, routers),
        (
            Links("server-router", n_nodes * n_host_ports, 0, 1, ways_in),
            Links("torus", parameters.n_links, 1, 1, lambda: _wires(parameters)),
        ),
        lambda: torus_points(dims)[::-1],
    )
    return racked(blueprint, find, parameters.racks)


def _kit(parameters: TorusParameters, find: TypeSource) -> ServerKit:
    if parameters.node == "generic-host":
        return server_kit(*generic.generic_host(2 * len(parameters.dims) * parameters.link_rate_gbps))
    return delivered_server(find, parameters.node)


def _wires(parameters: TorusParameters) -> Iterator[Wire]:
    """From every node to its neighbour in the direction + of each dimension, node by node."""
    for node in range(parameters.n_nodes):
        stride = 1
        for dimension, size in enumerate(parameters.dims):
            place = node // stride % size
            if place < size - 1:
                yield node, 2 * dimension, node + stride, 2 * dimension + 1
            elif not parameters.mesh and size > 2:
                yield node, 2 * dimension, node - place * stride, 2 * dimension + 1
            stride *= size


def _place(dims: tuple[int, ...], node: int) -> str:
    """Coordinates as a name says them, first dimension first: "03-12"."""
    parts = []
    for size in dims:
        parts.append(padded(node % size, size - 1, 1))
        node //= size
    return "-".join(parts)
