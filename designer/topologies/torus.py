"""Torus and mesh of any number of dimensions: a router a node, joined to its neighbors along every dimension.

Node (c_1, .., c_n) has number c_1 + k_1 * (c_2 + k_2 * (c_3 + ..)): the first dimension is fastest. In a ring of two
nodes there is one link, not two: either way round is the same link. A mesh has no links round the ends.
N nodes in rings of more than two have n * N links, diameter sum of floor(k / 2) and, for an even longest ring k, a
bisection of 2N / k links. Source: `formulas.torus` of the published reference designs in tests/topologies/data/.

Port order, which routing relies on: on a router +x, -x, +y, -y, .., then the ports of its host. Ports without a link
(the second one of a ring of two, those at the ends of a mesh) stay free. A generic host has one port as fast as all
links of its router together, so that never the way in is what limits a node that is itself a router (TPU), and is
joined to it inside the node, by no cable; a server type given by name has the NICs it is delivered with.

With cubes (optical_cubes) links between cubes lead through optical circuit switches. A twisted torus closes the rings
of a dimension of size k shifted by k along every dimension of size 2k: links along all of them then carry the same.
Sources: J. Camara et al., "Twisted Torus Topologies for Enhanced Interconnection Networks" (2010); N. Jouppi et al.,
"TPU v4: An Optically Reconfigurable Supercomputer for Machine Learning" (ISCA 2023).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from designer.catalog import generic
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import CUBE
from designer.model.hardware.device_ports import switch_ports
from designer.placement.direct import Point, cube_points, torus_points
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, Groups, Layer, Links, Wire, assemble, tally
from designer.topologies.equipment import ServerKit, TypeSource, delivered_server, server_kit, types_of
from designer.topologies.optical_cubes import Cubes, dims_text
from designer.topologies.parameters import link_rate_parameter, racks_parameter
from designer.topologies.racking import racked
from designer.topologies.sizing import Counts
from designer.units import format_count

MOST_DIMENSIONS = 6
LONGEST_RING = 100_000
GENERIC_NODE = "generic-host"


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
    twisted: bool = setting(
        False,
        title="Twisted",
        help="Close the rings of a dimension shifted by its size along every dimension that is twice as long, as in "
        "4x4x8: shorter paths, and the same load on all dimensions.",
        kind=kinds.FLAG,
        unwritten=False,
    )
    cube: tuple[int, ...] | None = setting(
        None,
        title="Cube",
        help="Nodes of a cube along each dimension, such as 4x4x4: links from one cube to another, and those that "
        "close rings, lead through optical circuit switches. If left out, there are none.",
        kind=kinds.DIMS,
        noun="a side of a cube",
    )
    ocs_ports: int | None = setting(
        None,
        title="Circuit switch ports",
        help="Ports of an optical circuit switch, with cubes; if left out, as many as one switch needs for each "
        "dimension and place of a face.",
        kind=kinds.COUNT,
    )
    node: str = setting(
        GENERIC_NODE,
        title="Node",
        help="Type of the server on each router; a generic host has a port as fast as all links of its router "
        "together.",
        kind=kinds.SERVER,
    )
    link_rate_gbps: float = link_rate_parameter("Rate of every link between routers.")
    dimension_rates_gbps: tuple[float, ...] | None = setting(
        None,
        title="Rates by dimension",
        help="Rate of the links of each dimension, such as 400G,400G,100G; if left out, the link rate.",
        kind=kinds.RATES,
        unit="Gb/s",
        option="--dimension-rates",
    )
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        if not isinstance(self.dims, tuple) or not 1 <= len(self.dims) <= MOST_DIMENSIONS:
            raise ParameterError(f"a torus has 1 to {MOST_DIMENSIONS} dimensions: write them like 8x8x8")
        check(self)
        if len(self.rates_gbps) != len(self.dims):
            have, need = format_count(len(self.rates_gbps)), format_count(len(self.dims))
            raise ParameterError(f"{have} rates by dimension do not match {need} dimensions: give one for each")
        if self.ocs_ports is not None and self.cube is None:
            raise ParameterError("circuit switch ports mean nothing without cubes: give the size of a cube")
        cubes = self.cubes
        if self.twisted:
            self._require_twistable(cubes)

    def _require_twistable(self, cubes: Cubes | None) -> None:
        every = range(len(self.dims))
        if self.mesh or not any(map(self.shifts, every)):
            raise ParameterError(
                f"a {dims_text(self.dims)} {'mesh' if self.mesh else 'torus'} cannot be twisted: a torus can where "
                "one dimension of 3 or more is half of another, as in 4x4x8"
            )
        if cubes is None:
            return
        if any(by % side for one in every for by, side in zip(self.shifts(one), cubes.cube, strict=False)):
            raise ParameterError(f"cubes of {dims_text(cubes.cube)} do not fit the twist of {dims_text(self.dims)}")
        if any(cubes.rings_of_one(one) < cubes.rings(one) for one in every):
            raise ParameterError("a twisted torus needs one circuit switch for each place: leave its ports out")

    def shifts(self, dimension: int) -> tuple[int, ...]:
        """How far the link that closes a ring of a dimension is shifted along each; () where it is not."""
        size = self.dims[dimension]
        found = tuple(size if self.twisted and size > 2 and other == 2 * size else 0 for other in self.dims)
        return found if any(found) else ()

    @property
    def rates_gbps(self) -> tuple[float, ...]:
        """Of links, dimension by dimension."""
        return self.dimension_rates_gbps or (self.link_rate_gbps,) * len(self.dims)

    @property
    def cubes(self) -> Cubes | None:
        """Its cubes and circuit switches; None where there are none."""
        return None if self.cube is None else Cubes(self.dims, self.cube, self.mesh, self.ocs_ports)

    def n_along(self, dimension: int) -> int:
        """Links along a dimension."""
        size = self.dims[dimension]
        return self.n_nodes // size * (size - 1 if self.mesh or size == 2 else size)

    @property
    def n_nodes(self) -> int:
        """Nodes of the torus: the product of its dimensions."""
        return math.prod(self.dims)

    @property
    def n_links(self) -> int:
        """Links between routers."""
        return sum(map(self.n_along, range(len(self.dims))))


def called(parameters: TorusParameters) -> str:
    """ "8x8x8 torus", "4x4x8 twisted torus", "16x16 mesh"."""
    kind = "mesh" if parameters.mesh else "twisted torus" if parameters.twisted else "torus"
    return f"{dims_text(parameters.dims)} {kind}"


def build(design: Design, parameters: TorusParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: TorusParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: TorusParameters, find: TypeSource) -> Blueprint:
    kit, dims, cubes = _kit(parameters, find), parameters.dims, parameters.cubes
    n_nodes, n_links, n_host_ports = parameters.n_nodes, 2 * len(dims), len(kit.ports)
    rates = parameters.rates_gbps
    router = generic.generic_lattice_router(rates, n_host_ports, kit.rate_gbps)
    host = "gpu" if kit.type_.gpus > 1 else "host"
    group = None if cubes is None else partial(_cube_of, cubes)
    hosts = Layer(n_nodes, kit.type_, kit.port_names, lambda node: f"{host}-{_place(dims, node)}", kit=kit, group=group)
    routers = Layer(
        n_nodes,
        router,
        lambda: [port.name for port in switch_ports(router)],
        lambda node: f"router-{_place(dims, node)}",
        role="router",
        fields={"cage_modes": generic.lattice_cage_modes(router, rates, n_host_ports, kit.rate_gbps)},
        group=group,
    )

    def ways_in() -> Iterator[Wire]:
        return ((node, port, node, n_links + port) for node in range(n_nodes) for port in range(n_host_ports))

    word = "mesh" if parameters.mesh else "twisted torus" if parameters.twisted else "torus"
    within = generic.inside_node() if parameters.node == GENERIC_NODE else None
    blueprint = Blueprint(
        f"Generate {dims_text(dims)} {word}",
        (hosts, routers),
        (Links("server-router", n_nodes * n_host_ports, 0, 1, ways_in, within), *_links(parameters)),
        lambda: _points(parameters),
        None if cubes is None else Groups(cubes.n_cubes, CUBE, names=cubes.cube_names()),
        remark="" if cubes is None else cubes.summary(n_nodes),
    )
    return racked(blueprint, find, parameters.racks)


def _kit(parameters: TorusParameters, find: TypeSource) -> ServerKit:
    if parameters.node == GENERIC_NODE:
        return server_kit(*generic.generic_host(2 * sum(parameters.rates_gbps)))
    return delivered_server(find, parameters.node)


def _links(parameters: TorusParameters) -> Iterator[Links]:
    """The links between routers: of each rate apart, and those inside cubes apart from those between them."""
    rates, cubes, every = parameters.rates_gbps, parameters.cubes, tuple(range(len(parameters.dims)))
    for along in [every] if len(set(rates)) == 1 else [(dimension,) for dimension in every]:
        count, rate_gbps = sum(map(parameters.n_along, along)), rates[along[0]]
        if cubes is None:
            yield Links("torus", count, 1, 1, partial(_wires, parameters, along), rate_gbps=rate_gbps)
            continue
        between = sum(map(cubes.between, along))
        inside = partial(_wires, parameters, along, False)
        yield Links("torus", count - between, 1, 1, inside, rate_gbps=rate_gbps)
        outside = partial(_wires, parameters, along, True)
        circuit = partial(_circuit, parameters, cubes)
        yield Links("optical", between, 1, 1, outside, own_fields=circuit, rate_gbps=rate_gbps)


def _wires(parameters: TorusParameters, along: Sequence[int], between: bool | None = None) -> Iterator[Wire]:
    """From every node to its neighbor in the direction + of each of the dimensions, node by node.

    `between` chooses those between cubes, or those inside.
    """
    dims, cubes = parameters.dims, parameters.cubes
    strides = [math.prod(dims[:dimension]) for dimension in range(len(dims))]
    shifts = [parameters.shifts(dimension) for dimension in range(len(dims))]
    for node in range(parameters.n_nodes):
        for dimension in along:
            size, stride = dims[dimension], strides[dimension]
            place = node // stride % size
            if between is not None and cubes is not None and cubes.crosses(dimension, place) != between:
                continue
            if place < size - 1:
                yield node, 2 * dimension, node + stride, 2 * dimension + 1
            elif not parameters.mesh and size > 2:
                other = _shifted(dims, node - place * stride, shifts[dimension])
                yield node, 2 * dimension, other, 2 * dimension + 1


def _shifted(dims: Sequence[int], node: int, by: Sequence[int]) -> int:
    """The node so far along each dimension."""
    if not by:
        return node
    places = [(at + step) % size for at, step, size in zip(places_of(dims, node), by, dims, strict=True)]
    found = 0
    for place, size in zip(reversed(places), reversed(dims), strict=True):
        found = found * size + place
    return found


def places_of(dims: Sequence[int], node: int) -> list[int]:
    """The coordinates of a node."""
    places = []
    for size in dims:
        places.append(node % size)
        node //= size
    return places


def _cube_of(cubes: Cubes, node: int) -> int:
    return cubes.cube_of(places_of(cubes.dims, node))


def _circuit(parameters: TorusParameters, cubes: Cubes, wire: Wire) -> tuple[tuple[str, str], ...]:
    node, port, _, _ = wire
    return cubes.circuit(port // 2, places_of(parameters.dims, node))


def _points(parameters: TorusParameters) -> tuple[list[Point], list[Point]]:
    """Centres of hosts and routers; every cube is a picture of its own, and cubes stand as nodes of a torus do."""
    cubes = parameters.cubes
    if cubes is None:
        routers, hosts = torus_points(parameters.dims)
        return hosts, routers
    of_cubes = cube_points(cubes.cube, cubes.counts)
    per_cube = math.prod(cubes.cube)
    order = []
    for node in range(parameters.n_nodes):
        within = [at % side for at, side in zip(places_of(parameters.dims, node), cubes.cube, strict=True)]
        order.append(_cube_of(cubes, node) * per_cube + _shifted(cubes.cube, 0, within))
    routers, hosts = ([points[number] for number in order] for points in of_cubes)
    return hosts, routers


def _place(dims: tuple[int, ...], node: int) -> str:
    """Coordinates as a name says them, first dimension first: "03-12"."""
    return "-".join(padded(at, size - 1, 1) for at, size in zip(places_of(dims, node), dims, strict=True))
