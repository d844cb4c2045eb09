"""Dragonfly+ (Megafly): groups of leafs and spines all joined to each other, groups joined by global links of spines.

l leafs with p host ports each and s spines with h global links each; up to s * h + 1 groups; without oversubscription
and balanced where l = s = p = h. Leaf, spine, global, spine, leaf: 3 hops. Source: A. Shpiner et al., "Dragonfly+: Low
Cost Topology for Scaling Datacenters" (2017); `formulas.dragonfly_plus` of the published reference designs in
tests/topologies/data/.

Port order: on a leaf its hosts', then spines; on a spine its leafs, then global links. Hosts are numbered leaf by leaf.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import DRAGONFLY_GROUP
from designer.placement.around import around, inward
from designer.placement.direct import Point, below, depth_below, row
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, SERVER_WIDTH
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, Groups, Layer, Links, Wire, assemble, tally
from designer.topologies.equipment import TypeSource, types_of
from designer.topologies.global_links import (
    arrangement_parameter,
    global_wires,
    groups_parameter,
    idle_switches,
    links_per_pair_parameter,
)
from designer.topologies.group_kinds import (
    FIRST_KIND,
    GroupKind,
    GroupPlan,
    kind_servers_parameter,
    kinds_of,
    other_groups_parameter,
    pair_links_parameter,
    planned,
    servers_of,
)
from designer.topologies.parameters import host_rate_parameter, link_rate_parameter, racks_parameter
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
USAGE = "io=1x13x18x20"


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
    leaf_spine_links: int = setting(
        1,
        title="Links per leaf and spine",
        help="Parallel links between every leaf switch and every spine switch of a group.",
        kind=kinds.COUNT,
        unwritten=1,
    )
    other_groups: tuple[tuple[str, tuple[int, ...]], ...] = other_groups_parameter(
        "GROUPSxLEAFSxSPINESxHOSTS[xGLOBAL]",
        USAGE,
        "how many groups, leaf and spine switches per group, host ports per leaf switch, and global links per spine "
        "switch where they differ",
    )
    pair_links: tuple[tuple[str, tuple[int, ...]], ...] = pair_links_parameter()
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
    kind_servers: tuple[tuple[str, str], ...] = kind_servers_parameter()
    link_rate_gbps: float = link_rate_parameter("Rate of every link between switches, and of generic hosts.")
    host_rate_gbps: float | None = host_rate_parameter()
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)
        kinds_of(self.first_kind, self.other_groups, 4, USAGE)

    @property
    def n_groups(self) -> int:
        """Number of groups of the first kind: as given, else the most there can be, spines * h + 1 with all others."""
        if self.groups is not None:
            return self.groups
        return max(1, self.spines * self.h + 1 - sum(sizes[0] for _, sizes in self.other_groups if sizes))

    @property
    def first_kind(self) -> GroupKind:
        """The groups that are not those of another kind."""
        return GroupKind(FIRST_KIND, 0, self.n_groups, self.leafs, self.spines, self.p, self.h)

    @property
    def plan(self) -> GroupPlan:
        """All groups and the links of each two. Raises ParameterError where ports do not suffice."""
        groups = kinds_of(self.first_kind, self.other_groups, 4, USAGE)
        return planned(groups, self.pair_links, self.links_per_pair, has_spines=True)


def build(design: Design, parameters: DragonflyPlusParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: DragonflyPlusParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


@dataclass(frozen=True, slots=True)
class _Kits:
    """What the switches of a kind of groups are, and the servers."""

    leaf: RouterHardware
    spine: RouterHardware


def _blueprint(parameters: DragonflyPlusParameters, find: TypeSource) -> Blueprint:
    plan, parallel = parameters.plan, parameters.leaf_spine_links
    groups = plan.kinds
    n_local = sum(_n_local(one, parallel) for one in groups)
    n_hosts = sum(one.count * one.leafs * one.p for one in groups)
    n_switches = sum(one.count * (one.leafs + one.holders) for one in groups)
    require_holdable(n_switches + n_hosts, n_hosts + n_local + plan.n_global)
    servers = servers_of(groups, parameters.server, parameters.kind_servers)
    kits = [_kits(parameters, one, server, find) for one, server in zip(groups, servers, strict=True)]
    n = len(groups)
    blueprint = Blueprint(
        f"Generate dragonfly+ of {format_count(plan.n_groups)} groups",
        (
            *_servers(plan, kits),
            *(
                _switches(plan, one, "leaf", kit.leaf, one.p, one.holders * parallel)
                for one, kit in zip(groups, kits, strict=True)
            ),
            *(
                _switches(plan, one, "spine", kit.spine, 0, one.leafs * parallel + one.h)
                for one, kit in zip(groups, kits, strict=True)
            ),
        ),
        (
            *(
                server_links(kits[number].leaf, one.count * one.leafs, "leaf", number, n + number)
                for number, one in enumerate(groups)
            ),
            *(_local_links(one, parallel, n + number, 2 * n + number) for number, one in enumerate(groups)),
            *(_global_links(parameters, plan, *pair) for pair in plan.pairs_of_kinds),
        ),
        lambda: _points(plan, [kit.leaf.servers_per_router for kit in kits]),
        Groups(plan.n_groups, DRAGONFLY_GROUP, names=plan.group_names()),
        remark=idle_switches(plan, parameters.arrangement, "spine"),
    )
    together = {}
    for number, one in enumerate(groups):
        together[number] = one.leafs * kits[number].leaf.servers_per_router
        together[n + number], together[2 * n + number] = one.leafs, one.holders
    return racked(blueprint, find, parameters.racks, together)


def _kits(parameters: DragonflyPlusParameters, one: GroupKind, server: str, find: TypeSource) -> _Kits:
    rate_gbps, parallel = parameters.link_rate_gbps, parameters.leaf_spine_links
    n_ports, n_down = one.p + one.holders * parallel, one.leafs * parallel
    leaf = router_hardware(find, server, parameters.switch, rate_gbps, one.p, n_ports, parameters.host_rate_gbps)
    return _Kits(leaf, router_hardware(find, "generic-host", parameters.switch, rate_gbps, 1, n_down + one.h))


def _servers(plan: GroupPlan, kits: Sequence[_Kits]) -> Iterator[Layer]:
    """The servers of each kind of groups, numbered through."""
    counts = [one.count * one.leafs * kit.leaf.servers_per_router for one, kit in zip(plan.kinds, kits, strict=True)]
    first = 0
    for one, kit, count in zip(plan.kinds, kits, counts, strict=True):
        yield server_layer(kit.leaf, one.count * one.leafs, one.group_of(one.leafs), first, sum(counts))
        first += count


def _switches(plan: GroupPlan, one: GroupKind, role: str, kit: RouterHardware, n_hosts: int, n_links: int) -> Layer:
    count = one.leafs if role == "leaf" else one.holders
    group, names = one.group_of(count), kit.ports(n_hosts, n_links)
    return Layer(
        one.count * count,
        kit.router,
        lambda: names,
        lambda number: f"{role}-g{padded(group(number) + 1, plan.n_groups, 1)}-{padded(number % count + 1, count, 1)}",
        role=role,
        fields={"port_mode": kit.port_mode, "cage_modes": kit.cage_modes(n_hosts)},
        group=group,
    )


def _n_local(one: GroupKind, parallel: int) -> int:
    return one.count * one.leafs * one.holders * parallel


def _local_links(one: GroupKind, parallel: int, low: int, high: int) -> Links:
    return Links("local", _n_local(one, parallel), low, high, lambda: _local_wires(one, parallel))


def _local_wires(one: GroupKind, parallel: int) -> Iterator[Wire]:
    for group in range(one.count):
        for leaf in range(one.leafs):
            for spine in range(one.holders):
                for link in range(parallel):
                    yield (
                        group * one.leafs + leaf,
                        one.p + spine * parallel + link,
                        group * one.holders + spine,
                        leaf * parallel + link,
                    )


def _global_links(parameters: DragonflyPlusParameters, plan: GroupPlan, low: int, high: int) -> Links:
    n, parallel = len(plan.kinds), parameters.leaf_spine_links
    first_ports = (plan.kinds[low].leafs * parallel, plan.kinds[high].leafs * parallel)
    return Links(
        "global",
        plan.n_links(low, high),
        2 * n + low,
        2 * n + high,
        lambda: global_wires(plan, parameters.arrangement, low, high, first_ports),
    )


def _points(plan: GroupPlan, servers_per_leaf: Sequence[int]) -> list[list[Point]]:
    """Centres of hosts, leafs and spines: groups around a free middle, spines towards it, hosts outside."""
    pitches = [COLUMN_PITCH if count <= 1 else 2 * (SERVER_WIDTH + GAP) + GAP for count in servers_per_leaf]
    widths = [
        max(one.leafs * pitch, one.holders * COLUMN_PITCH) for one, pitch in zip(plan.kinds, pitches, strict=True)
    ]
    wide = max(widths)
    spots = around(plan.n_groups, wide, BOX_HEIGHT + TIER_GAP + max(map(depth_below, servers_per_leaf)))
    leafs: list[list[Point]] = [[] for _ in plan.kinds]
    spines: list[list[Point]] = [[] for _ in plan.kinds]
    hosts: list[list[Point]] = [[] for _ in plan.kinds]
    for number, one in enumerate(plan.kinds):
        for place, y, is_upper in spots[one.first : one.first + one.count]:
            x, sign = inward(place, wide, widths[number]), -1 if is_upper else 1
            first = y + sign * BOX_HEIGHT / 2
            spines[number] += [(round(x + dx, 1), round(first, 1)) for dx in row(one.holders, COLUMN_PITCH)]
            for dx in row(one.leafs, pitches[number]):
                leaf = (round(x + dx, 1), round(first + sign * TIER_GAP, 1))
                leafs[number].append(leaf)
                hosts[number] += below(leaf, servers_per_leaf[number], flip=is_upper)
    return [*hosts, *leafs, *spines]
