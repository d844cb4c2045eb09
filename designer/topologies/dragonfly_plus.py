"""Dragonfly+ (Megafly): groups of leafs and spines all joined to each other, groups joined by global links of spines.

l leafs with p host ports each and s spines with h global links each; up to s * h + 1 groups; without oversubscription
and balanced where l = s = p = h. Leaf, spine, global, spine, leaf: 3 hops. Source: A. Shpiner et al., "Dragonfly+: Low
Cost Topology for Scaling Datacenters" (2017); `formulas.dragonfly_plus` of the published reference designs in
tests/topologies/data/.

Port order: on a leaf its hosts', then spines; on a spine its leafs, then global links. Hosts are numbered leaf by leaf.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import DRAGONFLY_GROUP
from designer.placement.around import around
from designer.placement.direct import Point, below, depth_below, row
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, SERVER_WIDTH
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, Groups, Layer, Links, Wire, assemble, tally
from designer.topologies.equipment import TypeSource, types_of
from designer.topologies.global_links import (
    arrangement_parameter,
    global_wires,
    groups_parameter,
    links_per_pair,
    links_per_pair_parameter,
)
from designer.topologies.parameters import link_rate_parameter, racks_parameter
from designer.topologies.racking import racked
from designer.topologies.routers import (
    GENERIC,
    MADE_TO_MEASURE,
    RouterHardware,
    router_hardware,
    server_layer,
    server_links,
)
from designer.topologies.sizing import Counts, require_holdable
from designer.units import format_count

TIER_GAP = 130.0
"""Between the spines and the leafs of a group, where their links cross."""


@dataclass(frozen=True, slots=True)
class DragonflyPlusParameters:
    """What a dragonfly+ is made of. Raises ParameterError for values that make no sense by themselves."""

    leafs: int = setting(4, title="Leaf switches", help="Leaf switches per group.", kind=kinds.COUNT)
    spines: int = setting(4, title="Spines", help="Spine switches per group.", kind=kinds.COUNT)
    p: int = setting(4, title="Host ports of a leaf, p", help="Host ports of every leaf switch.", kind=kinds.COUNT)
    h: int = setting(
        4,
        title="Global links of a spine, h",
        help="Global links of every spine switch, to spine switches of other groups.",
        kind=kinds.COUNT,
    )
    groups: int | None = groups_parameter("spines*h")
    links_per_pair: int | None = links_per_pair_parameter()
    arrangement: str = arrangement_parameter("spine")
    switch: str = setting(
        GENERIC,
        title="Switch",
        help="Type of the leaf and spine switches; generic ones get the ports they need.",
        kind=kinds.SWITCH,
        empty=MADE_TO_MEASURE,
        option="--router",
    )
    server: str = setting(
        "generic-host",
        title="Server",
        help="Type of the servers; all NICs of a server are on the same leaf switch.",
        kind=kinds.SERVER,
        option="--node",
    )
    link_rate_gbps: float = link_rate_parameter("Rate of every link between switches, and of generic hosts.")
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)

    @property
    def n_groups(self) -> int:
        """Number of groups: as given, else the most there can be, spines * h + 1."""
        return self.groups if self.groups is not None else self.spines * self.h + 1


def build(design: Design, parameters: DragonflyPlusParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: DragonflyPlusParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: DragonflyPlusParameters, find: TypeSource) -> Blueprint:
    n_leafs, n_spines, p, h, g = (
        parameters.leafs,
        parameters.spines,
        parameters.p,
        parameters.h,
        parameters.n_groups,
    )
    per_pair = links_per_pair(n_spines * h, g, parameters.links_per_pair)
    n_local, n_global = g * n_leafs * n_spines, g * (g - 1) // 2 * per_pair
    require_holdable(g * (n_leafs * (1 + p) + n_spines), g * n_leafs * p + n_local + n_global)
    rate_gbps = parameters.link_rate_gbps
    leaf_kit = router_hardware(find, parameters.server, parameters.switch, rate_gbps, p, p + n_spines)
    spine_kit = router_hardware(find, "generic-host", parameters.switch, rate_gbps, 1, n_leafs + h)

    def layer(role: str, kit: RouterHardware, count: int, n_hosts: int, n_links: int) -> Layer:
        names = kit.ports(n_hosts, n_links)
        return Layer(
            g * count,
            kit.router,
            lambda: names,
            lambda number: f"{role}-g{padded(number // count + 1, g, 1)}-{padded(number % count + 1, count, 1)}",
            role=role,
            fields={"port_mode": kit.port_mode, "cage_modes": kit.cage_modes(n_hosts)},
            group=lambda number: number // count,
        )

    blueprint = Blueprint(
        f"Generate dragonfly+ of {format_count(g)} groups",
        (
            server_layer(leaf_kit, g * n_leafs, lambda leaf: leaf // n_leafs),
            layer("leaf", leaf_kit, n_leafs, p, n_spines),
            layer("spine", spine_kit, n_spines, 0, n_leafs + h),
        ),
        (
            server_links(leaf_kit, g * n_leafs, "leaf"),
            Links("local", n_local, 1, 2, lambda: _local_wires(parameters)),
            Links(
                "global",
                n_global,
                2,
                2,
                lambda: global_wires(g, per_pair, parameters.arrangement, n_spines, h, n_leafs),
            ),
        ),
        lambda: _points(parameters, leaf_kit.servers_per_router),
        Groups(g, DRAGONFLY_GROUP),
    )
    together = {0: n_leafs * leaf_kit.servers_per_router, 1: n_leafs, 2: n_spines}
    return racked(blueprint, find, parameters.racks, together)


def _local_wires(parameters: DragonflyPlusParameters) -> Iterator[Wire]:
    for group in range(parameters.n_groups):
        for leaf in range(parameters.leafs):
            for spine in range(parameters.spines):
                yield group * parameters.leafs + leaf, parameters.p + spine, group * parameters.spines + spine, leaf


def _points(parameters: DragonflyPlusParameters, servers_per_leaf: int) -> tuple[list[Point], list[Point], list[Point]]:
    """Centres of hosts, leafs and spines: groups around a free middle, spines towards it, hosts outside."""
    pitch = COLUMN_PITCH if servers_per_leaf == 1 else 2 * (SERVER_WIDTH + GAP) + GAP
    wide = max(parameters.leafs * pitch, parameters.spines * COLUMN_PITCH)
    depth = BOX_HEIGHT + TIER_GAP + depth_below(servers_per_leaf)
    leafs, spines, hosts = [], [], []
    for x, y, is_upper in around(parameters.n_groups, wide, depth):
        sign = -1 if is_upper else 1
        first = y + sign * BOX_HEIGHT / 2
        spines += [(round(x + dx, 1), round(first, 1)) for dx in row(parameters.spines, COLUMN_PITCH)]
        for dx in row(parameters.leafs, pitch):
            leaf = (round(x + dx, 1), round(first + sign * TIER_GAP, 1))
            leafs.append(leaf)
            hosts += below(leaf, servers_per_leaf, flip=is_upper)
    return hosts, leafs, spines
