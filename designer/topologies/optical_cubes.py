"""Tori of cubes: nodes joined by cables inside, and by optical circuit switches from one cube to another.

A cube has two faces along each dimension. A node of a face has a port there, and all ports in the same place of both
faces of all cubes lead to the same circuit switch, or to several where it has fewer ports than they need. So a switch
can join any cube to any other, and to itself; here they join what a torus of the dimensions asks for. A link takes two
ports of a switch and two optical modules, one at each node. With cubes of c1 x c2 x c3 there are c2 * c3 places along
the first dimension, c1 * c3 along the second and c1 * c2 along the third: 48 in all of 4 x 4 x 4.

Source: N. Jouppi et al., "TPU v4: An Optically Reconfigurable Supercomputer for Machine Learning" (ISCA 2023).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.model.circuits import circuit_fields
from designer.topologies.assembly import padded
from designer.units import format_count, format_counted


def dims_text(dims: Sequence[int]) -> str:
    """As people write them: "4x4x4"."""
    return "x".join(map(str, dims))


@dataclass(frozen=True, slots=True)
class Cubes:
    """The cubes of a torus or mesh, and its circuit switches. Raises ParameterError for what cannot be."""

    dims: tuple[int, ...]
    cube: tuple[int, ...]
    is_mesh: bool
    ocs_ports: int | None
    """Of a switch; None for as many as one needs for all ports of a place."""

    def __post_init__(self) -> None:
        if len(self.cube) != len(self.dims) or any(
            size % side for size, side in zip(self.dims, self.cube, strict=False)
        ):
            raise ParameterError(
                f"cubes of {dims_text(self.cube)} do not fill {dims_text(self.dims)}: every dimension should be a "
                "multiple of that of the cube"
            )
        need = max((2 * self.ring_links(dimension) for dimension in range(len(self.dims))), default=0)
        if self.ocs_ports is not None and self.ocs_ports < need:
            raise ParameterError(
                f"an optical circuit switch needs {format_count(need)} ports for one ring of cubes and has "
                f"{format_count(self.ocs_ports)}"
            )

    @property
    def counts(self) -> tuple[int, ...]:
        """Cubes along each dimension."""
        return tuple(size // side for size, side in zip(self.dims, self.cube, strict=True))

    @property
    def n_cubes(self) -> int:
        """Cubes in all."""
        return math.prod(self.counts)

    def ring_links(self, dimension: int) -> int:
        """Links between the cubes of one line along a dimension, in one place."""
        wraps = not self.is_mesh and self.dims[dimension] > 2
        return self.counts[dimension] - 1 + wraps

    def places(self, dimension: int) -> int:
        """Nodes of a face."""
        return math.prod(self.cube) // self.cube[dimension]

    def rings(self, dimension: int) -> int:
        """Lines of cubes along a dimension."""
        return self.n_cubes // self.counts[dimension]

    def rings_of_one(self, dimension: int) -> int:
        """How many lines of cubes one circuit switch serves."""
        links = self.ring_links(dimension)
        return self.rings(dimension) if self.ocs_ports is None or not links else self.ocs_ports // (2 * links)

    def switches_of_place(self, dimension: int) -> int:
        """Circuit switches for one place of the faces along a dimension."""
        return -(-self.rings(dimension) // self.rings_of_one(dimension)) if self.ring_links(dimension) else 0

    def between(self, dimension: int) -> int:
        """Links from cube to cube along a dimension."""
        return self.places(dimension) * self.rings(dimension) * self.ring_links(dimension)

    @property
    def n_links(self) -> int:
        """Links from cube to cube."""
        return sum(map(self.between, range(len(self.dims))))

    @property
    def n_switches(self) -> int:
        """Optical circuit switches."""
        return sum(self.places(dimension) * self.switches_of_place(dimension) for dimension in range(len(self.dims)))

    @property
    def most_ports(self) -> int:
        """Ports that the fullest of them uses."""
        return max(
            2 * self.ring_links(dimension) * min(self.rings(dimension), self.rings_of_one(dimension))
            for dimension in range(len(self.dims))
        )

    def crosses(self, dimension: int, place: int) -> bool:
        """Whether the link onward from this coordinate leads out of a cube."""
        return (place + 1) % self.cube[dimension] == 0

    def cube_of(self, node: Sequence[int]) -> int:
        """The number of the cube that the node of these coordinates is in."""
        return _number([at // side for at, side in zip(node, self.cube, strict=True)], self.counts)

    def circuit(self, dimension: int, node: Sequence[int]) -> tuple[tuple[str, str], ...]:
        """The circuit of the link onward along a dimension from the node of these coordinates, as fields of a link."""
        others = [other for other in range(len(self.dims)) if other != dimension]
        inside = _number([node[other] % self.cube[other] for other in others], [self.cube[other] for other in others])
        at = [place // side for place, side in zip(node, self.cube, strict=True)]
        ring = _number([at[other] for other in others], [self.counts[other] for other in others])
        switch, ring_there = divmod(ring, self.rings_of_one(dimension))
        name = f"ocs-{dimension + 1}-{padded(inside + 1, self.places(dimension))}"
        if (count := self.switches_of_place(dimension)) > 1:
            name += f"-{padded(switch + 1, count, 1)}"
        port = 2 * (ring_there * self.ring_links(dimension) + at[dimension]) + 1
        return circuit_fields(name, port, port + 1)

    def cube_names(self) -> tuple[str, ...]:
        """ "Cube 0-0-0", "Cube 1-0-0", .. by the coordinates of cubes."""
        return tuple(f"Cube {'-'.join(map(str, self._place(number)))}" for number in range(self.n_cubes))

    def _place(self, number: int) -> list[int]:
        places = []
        for count in self.counts:
            places.append(number % count)
            number //= count
        return places

    @property
    def joined(self) -> str:
        """ "3,072 links between cubes lead through 48 optical circuit switches and take 6,144 optical modules"."""
        return (
            f"{format_counted(self.n_links, 'link')} between cubes lead through "
            f"{format_counted(self.n_switches, 'optical circuit switch')} and take "
            f"{format_counted(2 * self.n_links, 'optical module')}"
        )

    def summary(self, n_nodes: int) -> str:
        """What the counts of devices and links do not show."""
        modules = 2 * self.n_links
        return (
            f"{format_count(self.n_cubes)} cubes of {dims_text(self.cube)}: {format_count(self.n_links)} links between "
            f"them lead through {format_count(self.n_switches)} optical circuit switches, with up to "
            f"{format_count(self.most_ports)} ports used on each, and take {format_count(modules)} optical modules, "
            f"{modules / n_nodes:.3g} for each node."
        )


def _number(places: Sequence[int], sizes: Sequence[int]) -> int:
    """The number of a place where the first coordinate is fastest."""
    found = 0
    for place, size in zip(reversed(places), reversed(sizes), strict=True):
        found = found * size + place
    return found
