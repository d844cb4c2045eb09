"""Parallel generalized fat-trees, PGFT(h; m1..mh; w1..wh; p1..ph): the formalism of the literature and of simulators.

A node of level l - 1 has w_l parents, joined by p_l parallel links each; a switch of level l has m_l children. Hosts
are level 0. A node is known by digits d_1 .. d_h: at level l, digit i counts parents (0 .. w_i - 1) for i <= l and
children (0 .. m_i - 1) above; a switch of level l is joined to the nodes of level l - 1 that differ from it in digit l
alone.
Nodes of a level are numbered by their digits, d_1 fastest, as SimGrid does; so with w_1 = 1 host i is on leaf i // m_1.

Port order, which routing relies on: on a switch first the downlinks, by child (its digit l), then the uplinks, by
parent (its digit l + 1), parallel links side by side. Going up at level l to parent number q therefore means the q-th
group of p_(l+1) ports after all ports down; D-mod-K takes q = (dst // (w_1 * .. * w_l)) mod w_(l+1). A host's ports go
to its parents in the same order.

Sources: E. Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees"
(2010); SimGrid, FatTreeZone.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from designer.catalog import generic
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.model.design import Design
from designer.model.edit import Edit
from designer.placement.tiers import arrange
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, Layer, Links, Wire, assemble, tally
from designer.topologies.equipment import server_kit, types_of
from designer.topologies.parameters import link_rate_parameter
from designer.topologies.sizing import Counts, require_holdable
from designer.units import format_count

MOST_LEVELS = 8


@dataclass(frozen=True, slots=True)
class PgftParameters:
    """The three rows of numbers, level 1 (leafs) first. Raises ParameterError for values that make no sense."""

    children: tuple[int, ...] = setting(
        (8, 8),
        title="Children",
        help="m: nodes below each switch, level by level from the leaf switches up.",
        kind=kinds.COUNTS,
    )
    parents: tuple[int, ...] = setting(
        (1, 8),
        title="Parents",
        help="w: switches above each node, level by level from the hosts up.",
        kind=kinds.COUNTS,
    )
    parallel: tuple[int, ...] | None = setting(
        None,
        title="Parallel links",
        noun="parallel",
        help="p: links between a node and each parent, level by level; if left out, one.",
        kind=kinds.COUNTS,
    )
    link_rate_gbps: float = link_rate_parameter("Rate of every link.")

    def __post_init__(self) -> None:
        for row in (self.children, self.parents, self.parallels):
            if not isinstance(row, tuple) or len(row) != len(self.children) or not 1 <= len(row) <= MOST_LEVELS:
                raise ParameterError(
                    f"children, parents and parallel should be equally long, 1 to {MOST_LEVELS} numbers with commas"
                )
        check(self)
        if self.parents[0] * self.parallels[0] > generic.MOST_NICS:
            raise ParameterError(
                f"{format_count(self.parents[0] * self.parallels[0])} links per host were requested; "
                f"a generic host has {generic.MOST_NICS} NICs at most"
            )

    @property
    def parallels(self) -> tuple[int, ...]:
        """Parallel links between a node and each parent, level by level; 1 at each level if none are given."""
        return self.parallel if self.parallel is not None else (1,) * len(self.children)

    @property
    def height(self) -> int:
        """Levels of switches, h."""
        return len(self.children)

    def n_nodes(self, level: int) -> int:
        """Nodes of a level: hosts at level 0, leafs at level 1."""
        return math.prod(self.parents[:level]) * math.prod(self.children[level:])

    def n_links(self, level: int) -> int:
        """Links between a level and the one below it."""
        return self.n_nodes(level) * self.children[level - 1] * self.parallels[level - 1]

    def radix(self, level: int) -> int:
        """Ports of a switch of a level."""
        down = self.children[level - 1] * self.parallels[level - 1]
        return down + (self.parents[level] * self.parallels[level] if level < self.height else 0)


def build(design: Design, parameters: PgftParameters, catalog: Catalog) -> Edit:
    """The edit that adds the fat-tree, of generic hosts and of generic switches with just the ports they need.

    Raises ParameterError for one larger than a design holds, or with more ports than a switch has.
    """
    return assemble(design, _blueprint(parameters), types_of(design, catalog))


def counts(parameters: PgftParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    del catalog
    return tally(_blueprint(parameters))


def role_of(level: int) -> str:
    """The field's word for a level: "server", "leaf", "spine", "core"; above that "tier-4", "tier-5", ..."""
    return ("server", "leaf", "spine", "core")[level] if level < 4 else f"tier-{level}"


def _blueprint(parameters: PgftParameters) -> Blueprint:
    rate_gbps, levels = parameters.link_rate_gbps, range(1, parameters.height + 1)
    n_nodes, n_links = [parameters.n_nodes(0)], [0]
    for level in levels:
        n_nodes.append(parameters.n_nodes(level))
        n_links.append(parameters.n_links(level))
    require_holdable(sum(n_nodes), sum(n_links))
    host = server_kit(*generic.generic_host(rate_gbps, parameters.parents[0] * parameters.parallels[0]))
    layers = [Layer(n_nodes[0], host.type_, host.port_names, _named("host", n_nodes[0]), kit=host)]
    links = []
    for level in levels:
        radix = parameters.radix(level)
        type_ = generic.generic_switch(radix, rate_gbps)
        role = role_of(level)
        layers.append(Layer(n_nodes[level], type_, partial(_ports, radix), _named(role, n_nodes[level]), role=role))
        kind = f"{role_of(level - 1)}-{role}"
        links.append(Links(kind, n_links[level], level - 1, level, partial(_wires, parameters, level)))
    rows = ";".join(",".join(map(str, row)) for row in (parameters.children, parameters.parents, parameters.parallels))
    label = f"Generate PGFT({parameters.height}; {rows})"
    return Blueprint(label, tuple(layers), tuple(links), lambda: _points(parameters))


def _named(word: str, count: int) -> Callable[[int], str]:
    return lambda number: f"{word}-{padded(number + 1, count)}"


def _ports(radix: int) -> list[str]:
    return [str(port + 1) for port in range(radix)]


def _wires(parameters: PgftParameters, level: int) -> Iterator[Wire]:
    """Links from level - 1 to a level: by child, then parent, then parallel link."""
    m, w, p = parameters.children[level - 1], parameters.parents[level - 1], parameters.parallels[level - 1]
    stride = math.prod(parameters.parents[: level - 1])
    first_up = parameters.children[level - 2] * parameters.parallels[level - 2] if level > 1 else 0
    for child in range(parameters.n_nodes(level - 1)):
        # The child's number without digit `level`: what it shares with all its parents.
        low, rest = child % stride, child // stride
        digit, high = rest % m, rest // m
        for parent, lane in itertools.product(range(w), range(p)):
            yield child, first_up + parent * p + lane, low + stride * (parent + w * high), digit * p + lane


def _points(parameters: PgftParameters) -> list[list[tuple[float, float]]]:
    """Centres of all nodes, level by level: the top level above blocks that are the subtrees below it.

    In each block, hosts stand below the leafs they share.
    """
    h, m = parameters.height, parameters.children
    n_blocks = m[h - 1] if h > 1 else 1
    per_block = [parameters.n_nodes(level) // n_blocks for level in range(h)]
    if h == 1:  # all hosts on the same leafs
        layout = arrange(0, 1, (parameters.n_nodes(1), parameters.n_nodes(0)))
        return [list(layout.blocks[0][1]), list(layout.blocks[0][0])]
    layout = arrange(parameters.n_nodes(h), n_blocks, per_block[::-1], per_block[0] // m[0])
    points = [[point for block in layout.blocks for point in block[h - 1 - level]] for level in range(h)]
    return [*points, list(layout.top)]
