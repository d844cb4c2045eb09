"""HyperX: a lattice of routers, each joined to every other one of its line along each dimension.

With S_k routers along dimension k, K_k parallel links between each two of a line and T = p host ports a router there
are N = S_1 * .. * S_L routers, K_k * N * (S_k - 1) / 2 links along dimension k, and at most L hops between routers;
half of dimension k is joined to the other by K_k * S_k * N / 4 links where S_k is even. One dimension is the complete
graph, dimensions of two the hypercube. Source: J. Ahn et al., "HyperX: Topology, Routing, and Packaging of Efficient
Large-Scale Networks" (SC 2009).

Router (c_1, .., c_L) has number c_1 + S_1 * (c_2 + ..): the first dimension is fastest. Port order: on a router its
hosts', then dimension after dimension its neighbors by coordinate, parallel links side by side.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model.design import Design
from designer.model.edit import Edit
from designer.placement.direct import Point, crossing_rows, lattice_points, two_rows
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, assemble, tally
from designer.topologies.equipment import TypeSource, types_of
from designer.topologies.parameters import (
    link_rate_parameter,
    racks_parameter,
)
from designer.topologies.routers import Web, hosts_parameter, router_parameter, server_parameter, web_blueprint
from designer.topologies.sizing import Counts
from designer.units import format_count

MOST_DIMENSIONS = 8


@dataclass(frozen=True, slots=True)
class HyperXParameters:
    """What a HyperX is made of. Raises ParameterError for values that make no sense by themselves."""

    dims: tuple[int, ...] = setting(
        (4, 4),
        title="Dimensions, S",
        help="Routers along each dimension, such as 8x8x4; two or more each.",
        kind=kinds.DIMS,
        within=Range(2),
        noun="a dimension",
    )
    widths: tuple[int, ...] | None = setting(
        None,
        title="Widths, K",
        noun="a width",
        help="Parallel links between every two routers of a line, dimension by dimension; if left out, one.",
        kind=kinds.COUNTS,
    )
    p: int = hosts_parameter()
    switch: str = router_parameter()
    server: str = server_parameter()
    link_rate_gbps: float = link_rate_parameter("Rate of every link between routers, and of generic hosts.")
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        if not isinstance(self.dims, tuple) or not 1 <= len(self.dims) <= MOST_DIMENSIONS:
            raise ParameterError(f"a HyperX has 1 to {MOST_DIMENSIONS} dimensions: write them like 8x8x4")
        check(self)
        if len(self.lanes) != len(self.dims):
            have, need = format_count(len(self.lanes)), format_count(len(self.dims))
            raise ParameterError(f"{have} widths do not match {need} dimensions: give one for each")

    @property
    def lanes(self) -> tuple[int, ...]:
        """Parallel links, dimension by dimension."""
        return self.widths if self.widths is not None else (1,) * len(self.dims)


def build(design: Design, parameters: HyperXParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: HyperXParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: HyperXParameters, find: TypeSource) -> Blueprint:
    dims = parameters.dims
    degree = sum(width * (size - 1) for size, width in zip(dims, parameters.lanes, strict=True))
    web = Web(
        f"Generate {'x'.join(map(str, dims))} HyperX",
        math.prod(dims),
        math.prod(dims) * degree // 2,
        degree,
        lambda: lattice_edges(dims, parameters.lanes),
        lambda n_hosts: _points(dims, n_hosts),
        lambda router: "-".join(_places(dims, router)),
    )
    return web_blueprint(
        find, web, parameters.p, parameters.server, parameters.switch, parameters.link_rate_gbps, parameters.racks
    )


def lattice_edges(dims: tuple[int, ...], lanes: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Dimension by dimension, line by line, each two of the line."""
    stride, n_routers = 1, math.prod(dims)
    for size, width in zip(dims, lanes, strict=True):
        for first in range(n_routers):
            if first // stride % size == 0:
                for low in range(size):
                    for high in range(low + 1, size):
                        yield from [(first + low * stride, first + high * stride)] * width
        stride *= size


def _points(dims: tuple[int, ...], n_hosts: int) -> tuple[list[Point], list[Point]]:
    pairs = np.array(list(lattice_edges(dims, (1,) * len(dims))))
    if len(dims) > 1:
        return lattice_points(dims, n_hosts, pairs)
    return two_rows(*crossing_rows(dims[0], pairs), dims[0], n_hosts, pairs)


def _places(dims: tuple[int, ...], router: int) -> Iterator[str]:
    """Coordinates as a name says them, first dimension first."""
    for size in dims:
        yield padded(router % size, size - 1, 1)
        router //= size
