"""Slim Fly: the graphs of McKay, Miller and Siran, which join the most routers known at two hops.

For a prime power q = 4w + d with d -1, 0 or 1 there are 2 * q * q routers of (3q - d) / 2 links each and no two are
more than two hops apart. Router (0, x, y) is joined to (0, x, y') where y - y' is in X, (1, m, c) to (1, m, c') where
c - c' is in X', and (0, x, y) to (1, m, c) where y = m * x + c, all in the field of q elements. With half as many host
ports as links, rounded up, it is balanced. Sources: M. Besta, T. Hoefler, "Slim Fly: A Cost Effective Low-Diameter
Network Topology" (SC 2014); P. Hafner, "Geometric realisation of the graphs of McKay-Miller-Siran" (2004).

The routers (0, x, y) and (1, x, c) of one x are a group, as in the racks of the paper's section on layout: q groups of
2q routers, each two joined by 2q links, so that from afar they are a complete graph.

Routers are numbered (0, 0, 0), (0, 0, 1), .., (1, q - 1, q - 1). Elements of a field that is not that of a prime are
numbered by their coefficients, the constant one fastest. Port order: hosts, then links by the other router's number
within its half, those of the own half first.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import SLIM_FLY_GROUP
from designer.placement.around import around
from designer.placement.direct import GROUP_GAP, Point, below, depth_below, row, row_pitch
from designer.placement.metrics import BOX_HEIGHT
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, Groups, assemble, tally
from designer.topologies.equipment import TypeSource, types_of
from designer.topologies.parameters import (
    link_rate_parameter,
    racks_parameter,
)
from designer.topologies.routers import Web, hosts_parameter, router_parameter, server_parameter, web_blueprint
from designer.topologies.sizing import Counts
from designer.units import format_count

LEAST_Q, MOST_Q = 3, 83
"""89 * 89 routers have more links than a design holds."""


@dataclass(frozen=True, slots=True)
class SlimFlyParameters:
    """What a Slim Fly is made of. Raises ParameterError for values that make no sense by themselves."""

    q: int = setting(
        5,
        title="Prime power, q",
        help=f"A prime power from {LEAST_Q} to {MOST_Q}, such as 5, 7, 8 or 9: 2*q*q routers, about 3q/2 links each.",
        kind=kinds.COUNT,
    )
    p: int | None = hosts_parameter(None, "; if left out, half as many as it has links, rounded up")
    switch: str = router_parameter()
    server: str = server_parameter()
    link_rate_gbps: float = link_rate_parameter("Rate of every link between routers, and of generic hosts.")
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)
        if self.q < LEAST_Q or prime_of(self.q) is None or self.q > MOST_Q:
            legal = [q for q in range(LEAST_Q, MOST_Q + 1) if prime_of(q) is not None]
            near = [*[q for q in legal if q < self.q][-1:], *[q for q in legal if q > self.q][:1]]
            raise ParameterError(
                f"q is {format_count(self.q)}: it must be a prime power from {LEAST_Q} to {MOST_Q}, "
                f"and the nearest {'is' if len(near) == 1 else 'are'} {' and '.join(map(str, near))}"
            )

    @property
    def degree(self) -> int:
        """Links of a router to others: (3q - d) / 2."""
        return (3 * self.q - _remainder(self.q)) // 2

    @property
    def n_host_ports(self) -> int:
        """Host ports of a router: as given, else half as many as its links, rounded up."""
        return self.p if self.p is not None else -(-self.degree // 2)


def build(design: Design, parameters: SlimFlyParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: SlimFlyParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: SlimFlyParameters, find: TypeSource) -> Blueprint:
    q, degree = parameters.q, parameters.degree

    def group(number: int) -> int:
        return number // q % q

    web = Web(
        f"Generate Slim Fly of {format_count(2 * q * q)} routers",
        2 * q * q,
        q * q * degree,
        degree,
        lambda: edges(q),
        lambda n_hosts: _points(q, n_hosts),
        lambda number: f"{'ab'[number // (q * q)]}{padded(group(number) + 1, q, 1)}-{padded(number % q + 1, q, 1)}",
        Groups(q, SLIM_FLY_GROUP),
        group,
    )
    return web_blueprint(
        find,
        web,
        parameters.n_host_ports,
        parameters.server,
        parameters.switch,
        parameters.link_rate_gbps,
        parameters.racks,
    )


def _points(q: int, n_hosts: int) -> tuple[list[Point], list[Point]]:
    """Centres of hosts and routers: groups around a free middle, both halves of each in a row, their hosts outside."""
    pitch = row_pitch(n_hosts)
    spots = around(q, 2 * q * pitch + GROUP_GAP, BOX_HEIGHT + depth_below(n_hosts))
    routers: list[Point] = []
    for half in (-1, 1):
        for x, y, is_upper in spots:
            for dx in row(q, pitch):
                at = x + dx + half * (q * pitch + GROUP_GAP) / 2, y + (-BOX_HEIGHT if is_upper else BOX_HEIGHT) / 2
                routers.append((round(at[0], 1), round(at[1], 1)))
    upper = [spots[number // q % q][2] for number in range(len(routers))]
    return [
        host for router, is_upper in zip(routers, upper, strict=True) for host in below(router, n_hosts, flip=is_upper)
    ], routers


def edges(q: int) -> Iterator[tuple[int, int]]:
    """Pairs of routers that are joined, within the halves and then from one half to the other."""
    field = Field(q)
    for half, members in enumerate(_generators(field)):
        first = half * q * q
        for group, low, high in itertools.product(range(q), range(q), range(q)):
            if low < high and field.minus(high, low) in members:
                yield first + group * q + low, first + group * q + high
    for x, m, c in itertools.product(range(q), repeat=3):
        yield x * q + field.plus(field.times(m, x), c), q * q + m * q + c


def _remainder(q: int) -> int:
    """The d of q = 4w + d."""
    return (q + 1) % 4 - 1


def _generators(field: "Field") -> tuple[frozenset[int], frozenset[int]]:
    """X and X': powers of a primitive element that together are all of them, each closed under minus."""
    q = field.q
    w = (q + 1) // 4
    if _remainder(q) == -1:
        exponents = [*range(0, 2 * w - 1, 2), *range(2 * w - 1, 4 * w - 2, 2)]
        others = [*range(1, 2 * w, 2), *range(2 * w, 4 * w - 1, 2)]
    else:
        exponents, others = list(range(0, q - 1, 2)), list(range(1, q, 2))
    return frozenset(map(field.power, exponents)), frozenset(map(field.power, others))


class Field:
    """The field of q elements, 0 to q - 1: their digits to the base of the prime are coefficients of a polynomial."""

    def __init__(self, q: int) -> None:
        prime = prime_of(q)
        if prime is None:
            raise ParameterError(f"there is no field of {q} elements")
        self.q, self._prime = q, prime
        # Of all polynomials of that degree the first whose root has all elements but 0 as its powers.
        self._powers = next(powers for low in range(1, q) if len(set(powers := self._powers_of_x(low))) == q - 1)
        self._exponent = {element: exponent for exponent, element in enumerate(self._powers)}

    def plus(self, a: int, b: int) -> int:
        """The sum of two elements."""
        return self._digitwise(a, b, 1)

    def minus(self, a: int, b: int) -> int:
        """The difference a - b of two elements."""
        return self._digitwise(a, b, -1)

    def times(self, a: int, b: int) -> int:
        """The product of two elements."""
        return self.power(self._exponent[a] + self._exponent[b]) if a and b else 0

    def power(self, exponent: int) -> int:
        """A power of the primitive element."""
        return self._powers[exponent % (self.q - 1)]

    def _digitwise(self, a: int, b: int, sign: int) -> int:
        total, place = 0, 1
        while a or b:
            total += (a + sign * b) % self._prime * place
            a, b, place = a // self._prime, b // self._prime, place * self._prime
        return total

    def _powers_of_x(self, low: int) -> list[int]:
        """1, x, x * x, .. where x to the degree is the polynomial of number `low`."""
        top, powers = self.q // self._prime, [1]
        for _ in range(self.q - 2):
            carried, rest = divmod(powers[-1], top)
            product = rest * self._prime
            for _ in range(carried):
                product = self._digitwise(product, low, 1)
            powers.append(product)
        return powers


def prime_of(q: int) -> int | None:
    """The prime that q is a power of; None where it is none. Looks no further than needed for q up to MOST_Q."""
    prime = next((number for number in range(2, min(q, MOST_Q) + 1) if q % number == 0), None)
    if prime is None:
        return None
    while q % prime == 0:
        q //= prime
    return prime if q == 1 else None
