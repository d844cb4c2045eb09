"""Jellyfish: routers joined at random, each to the same number of others.

N routers with r links to others and p host ports each have N * r / 2 links, no two of them between the same routers.
Source: A. Singla, C. Hong, L. Popa, B. Godfrey, "Jellyfish: Networking Data Centers Randomly" (NSDI 2012).

Free ports are paired at random, and a pair that is of one router, or joined already, swaps with another link drawn at
random until none is left. Where routers are joined to more than half of the others, it is the links left out that are
drawn. The random numbers are those of numpy.random.RandomState, which stay the same from version to version: the same
seed gives the same network.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model.design import Design
from designer.model.edit import Edit
from designer.placement.direct import Pairs, Point, crossing_rows, two_rows
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, assemble, tally
from designer.topologies.equipment import TypeSource, types_of
from designer.topologies.parameters import (
    link_rate_parameter,
    racks_parameter,
)
from designer.topologies.routers import Web, hosts_parameter, router_parameter, server_parameter, web_blueprint
from designer.topologies.sizing import Counts, require_holdable
from designer.units import format_count, format_counted

LARGEST_SEED = 2**32 - 1
MOST_TURNS = 50
"""Of drawing all links again, where swaps lead nowhere: only networks of a few routers ever need a second one."""

Edges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class JellyfishParameters:
    """What a Jellyfish is made of. Raises ParameterError for values that make no sense by themselves."""

    switches: int = setting(20, title="Routers, N", help="Number of routers.", kind=kinds.COUNT, within=Range(2))
    degree: int = setting(
        6,
        title="Links of a router, r",
        help="Links of every router to other routers, chosen at random.",
        kind=kinds.COUNT,
    )
    p: int = hosts_parameter()
    seed: int = setting(
        1,
        title="Seed",
        help="Which of the random networks: the same seed gives the same one.",
        kind=kinds.COUNT,
        within=Range(0, LARGEST_SEED),
    )
    switch: str = router_parameter()
    server: str = server_parameter()
    link_rate_gbps: float = link_rate_parameter("Rate of every link between routers, and of generic hosts.")
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)
        routers, links = format_count(self.switches), format_count(self.degree)
        if self.degree >= self.switches:
            most = format_count(self.switches - 1)
            raise ParameterError(f"a router of {routers} can be joined to {most} others, not to {links}")
        if self.switches * self.degree % 2:
            raise ParameterError(
                f"{routers} routers of {links} links each leave one link without a second end: "
                f"make one of the two numbers even"
            )

    @property
    def n_links(self) -> int:
        """Links between routers."""
        return self.switches * self.degree // 2


def build(design: Design, parameters: JellyfishParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: JellyfishParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: JellyfishParameters, find: TypeSource) -> Blueprint:
    n_routers, degree, seed = parameters.switches, parameters.degree, parameters.seed
    require_holdable(n_routers, parameters.n_links)
    edges = _joined_edges(n_routers, degree, seed)
    web = Web(
        f"Generate Jellyfish of {format_count(n_routers)} routers",
        n_routers,
        parameters.n_links,
        degree,
        lambda: edges,
        lambda n_hosts: facing(n_routers, edges, n_hosts),
        lambda number: padded(number + 1, n_routers),
    )
    return web_blueprint(
        find, web, parameters.p, parameters.server, parameters.switch, parameters.link_rate_gbps, parameters.racks
    )


@lru_cache(maxsize=4)
def _joined_edges(n_routers: int, degree: int, seed: int) -> Edges:
    """Random edges that join all routers. Raises ParameterError where those of the seed do not."""
    edges = random_edges(n_routers, degree, seed)
    parts = n_parts(n_routers, edges)
    if parts > 1:
        raise ParameterError(
            f"seed {seed} joins {format_count(n_routers)} routers into {format_count(parts)} networks without a link "
            f"between them: choose another seed, or more than {format_counted(degree, 'link')} of a router"
        )
    return edges


def facing(n_routers: int, edges: Edges, n_hosts: int) -> tuple[list[Point], list[Point]]:
    """Centres of hosts and routers of a network without order: two rows with as many links as may be between them."""
    pairs: Pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    upper, lower = crossing_rows(n_routers, pairs)
    return two_rows(upper, lower, n_routers, n_hosts, pairs)


def n_parts(n_routers: int, edges: Edges) -> int:
    """How many networks the links make."""
    root = list(range(n_routers))

    def found(one: int) -> int:
        while root[one] != one:
            root[one] = one = root[root[one]]
        return one

    for a, b in edges:
        root[found(a)] = found(b)
    return sum(found(one) == one for one in range(n_routers))


def random_edges(n_routers: int, degree: int, seed: int) -> Edges:
    """Pairs of different routers, ascending, each once, so that every router is in `degree` of them.

    Raises ParameterError where none such are found.
    """
    left_out = n_routers - 1 - degree
    random = np.random.RandomState(seed)
    for _ in range(MOST_TURNS):
        drawn = _drawn(n_routers, min(degree, left_out), random)
        if drawn is not None:
            if degree <= left_out:
                return tuple(sorted(drawn))
            every = ((low, high) for low in range(n_routers) for high in range(low + 1, n_routers))
            return tuple(pair for pair in every if pair not in drawn)
    raise ParameterError(
        f"no network of {format_count(n_routers)} routers of {format_count(degree)} links each was found: "
        f"choose another seed"
    )


def _drawn(n_routers: int, degree: int, random: np.random.RandomState) -> set[tuple[int, int]] | None:
    """Such pairs, or None where the swaps do not come to an end."""
    ends = random.permutation(np.repeat(np.arange(n_routers), degree)).reshape(-1, 2)
    links: list[tuple[int, int]] = [(min(a, b), max(a, b)) for a, b in ends.tolist()]
    there: set[tuple[int, int]] = set()
    bad = []
    for number, link in enumerate(links):
        if link[0] == link[1] or link in there:
            bad.append(number)
        else:
            there.add(link)
    waiting = set(bad)
    for number in bad:
        for other in _numbers_below(len(links), random):
            (a, b), (c, d) = links[number], links[other]
            first, second = (min(a, c), max(a, c)), (min(b, d), max(b, d))
            new = a != c and b != d and first != second
            if other not in waiting and new and first not in there and second not in there:
                there.remove(links[other])
                there |= {first, second}
                links[number], links[other] = first, second
                waiting.remove(number)
                break
        else:
            return None
    return there


def _numbers_below(count: int, random: np.random.RandomState) -> Iterator[int]:
    """Random numbers, some times as many as there are to choose from."""
    for _ in range(4 * count + 100):
        yield int(random.randint(count))
