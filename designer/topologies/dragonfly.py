"""Dragonfly: groups of routers all joined to each other, groups joined by global links.

p host ports, a - 1 local and h global links a router; up to a * h + 1 groups; balanced where a = 2p = 2h. At most
local, global, local: 3 hops. Source: J. Kim, W. Dally, S. Scott, D. Abts, "Technology-Driven, Highly-Scalable Dragonfly
Topology" (2008); `formulas.dragonfly` of the published reference designs in tests/topologies/data/.

Groups may be lattices instead, whose routers are joined along lines only, as those of Cray's Cascade: G. Faanes et al.,
"Cray Cascade: A Scalable HPC System Based on a Dragonfly Network" (SC 2012).

Port order: on a router its hosts', then local links by router, then global links. Hosts are numbered router by router.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import DRAGONFLY_GROUP
from designer.placement.around import around, inward
from designer.placement.direct import Point, below, depth_below, row, row_pitch
from designer.placement.metrics import BOX_HEIGHT
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
from designer.topologies.hyperx import lattice_edges
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


@dataclass(frozen=True, slots=True)
class DragonflyParameters:
    """What a dragonfly is made of. Raises ParameterError for values that make no sense by themselves."""

    p: int = setting(2, title="Host ports of a router, p", help="Host ports of every router.", kind=kinds.COUNT)
    a: int = setting(
        4, title="Routers of a group, a", help="Routers per group, all connected to each other.", kind=kinds.COUNT
    )
    h: int = setting(
        2,
        title="Global links of a router, h",
        help="Global links of every router, to routers of other groups.",
        kind=kinds.COUNT,
    )
    groups: int | None = groups_parameter("a*h")
    links_per_pair: int | None = links_per_pair_parameter()
    group_dims: tuple[int, ...] | None = setting(
        None,
        title="Routers along dimensions",
        help="Arrange the routers of a group in lines, such as 16x6, and connect only those of a line to each other; "
        "if left out, all are connected. Groups of another size have no lines.",
        kind=kinds.DIMS,
        within=Range(2),
        noun="routers along a dimension",
    )
    group_widths: tuple[int, ...] | None = setting(
        None,
        title="Links along dimensions",
        help="Parallel links between every two routers of a line, dimension by dimension, such as 1,3; if left "
        "out, one.",
        kind=kinds.COUNTS,
        noun="links along a dimension",
    )
    other_groups: tuple[tuple[str, tuple[int, ...]], ...] = other_groups_parameter(
        "GROUPSxROUTERSxHOSTS[xGLOBAL]",
        "service=9x16x8",
        "how many groups, routers per group, host ports per router, and global links per router where they differ",
    )
    pair_links: tuple[tuple[str, tuple[int, ...]], ...] = pair_links_parameter()
    arrangement: str = arrangement_parameter("router")
    switch: str = setting(
        GENERIC,
        title="Router",
        help="Type of the routers; a generic router gets the ports it needs.",
        kind=kinds.SWITCH,
        empty=MADE_TO_MEASURE,
        option="--router",
    )
    server: str = setting(
        "generic-host",
        title="Server",
        help="Type of the servers; all NICs of a server are on the same router.",
        kind=kinds.SERVER,
        option="--node",
    )
    kind_servers: tuple[tuple[str, str], ...] = kind_servers_parameter()
    link_rate_gbps: float = link_rate_parameter("Rate of every link between routers, and of generic hosts.")
    host_rate_gbps: float | None = host_rate_parameter()
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)
        dims, widths = self.group_dims or (), self.group_widths or ()
        if dims and math.prod(dims) != self.a:
            raise ParameterError(f"{'x'.join(map(str, dims))} routers along dimensions should be a = {self.a} in all")
        if widths and len(widths) != len(dims):
            raise ParameterError("links along dimensions should be one number for each dimension of a group")
        kinds_of(self.first_kind, self.other_groups, 3, "service=9x16x8")

    @property
    def n_groups(self) -> int:
        """Number of groups of the first kind: as given, else the most there can be, a * h + 1 with all others."""
        if self.groups is not None:
            return self.groups
        return max(1, self.a * self.h + 1 - sum(sizes[0] for _, sizes in self.other_groups if sizes))

    @property
    def first_kind(self) -> GroupKind:
        """The groups that are not those of another kind."""
        dims = self.group_dims or ()
        widths = self.group_widths or (1,) * len(dims)
        return GroupKind(FIRST_KIND, 0, self.n_groups, self.a, self.a, self.p, self.h, dims, widths)

    @property
    def plan(self) -> GroupPlan:
        """All groups and the links of each two. Raises ParameterError where ports do not suffice."""
        groups = kinds_of(self.first_kind, self.other_groups, 3, "service=9x16x8")
        return planned(groups, self.pair_links, self.links_per_pair)


def build(design: Design, parameters: DragonflyParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: DragonflyParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: DragonflyParameters, find: TypeSource) -> Blueprint:
    plan = parameters.plan
    n_local = sum(map(_n_local, plan.kinds))
    n_routers = sum(one.count * one.leafs for one in plan.kinds)
    n_host_ports = sum(one.count * one.leafs * one.p for one in plan.kinds)
    require_holdable(n_routers + n_host_ports, n_host_ports + n_local + plan.n_global)
    servers = servers_of(plan.kinds, parameters.server, parameters.kind_servers)
    kits = [_hardware(parameters, one, server, find) for one, server in zip(plan.kinds, servers, strict=True)]
    n = len(plan.kinds)
    blueprint = Blueprint(
        f"Generate dragonfly of {format_count(plan.n_groups)} groups",
        (*_servers(plan, kits), *(_routers(plan, one, kit) for one, kit in zip(plan.kinds, kits, strict=True))),
        (
            *(
                server_links(kit, one.count * one.leafs, low=number, high=n + number)
                for number, (one, kit) in enumerate(zip(plan.kinds, kits, strict=True))
            ),
            *(_local_links(one, n + number) for number, one in enumerate(plan.kinds)),
            *(_global_links(plan, parameters.arrangement, *pair) for pair in plan.pairs_of_kinds),
        ),
        lambda: _points(plan, [kit.servers_per_router for kit in kits]),
        Groups(plan.n_groups, DRAGONFLY_GROUP, names=plan.group_names()),
        remark=idle_switches(plan, parameters.arrangement, "router"),
    )
    together = {number: one.leafs * kits[number].servers_per_router for number, one in enumerate(plan.kinds)}
    return racked(blueprint, find, parameters.racks, together | {n + k: one.leafs for k, one in enumerate(plan.kinds)})


def _hardware(parameters: DragonflyParameters, one: GroupKind, server: str, find: TypeSource) -> RouterHardware:
    return router_hardware(
        find,
        server,
        parameters.switch,
        parameters.link_rate_gbps,
        one.p,
        one.p + one.degree + one.h,
        parameters.host_rate_gbps,
    )


def _servers(plan: GroupPlan, kits: Sequence[RouterHardware]) -> Iterator[Layer]:
    """The servers of each kind of groups, numbered through."""
    counts = [one.count * one.leafs * kit.servers_per_router for one, kit in zip(plan.kinds, kits, strict=True)]
    first = 0
    for one, kit, count in zip(plan.kinds, kits, counts, strict=True):
        yield server_layer(kit, one.count * one.leafs, one.group_of(one.leafs), first, sum(counts))
        first += count


def _routers(plan: GroupPlan, one: GroupKind, kit: RouterHardware) -> Layer:
    a, group = one.leafs, one.group_of(one.leafs)
    names = kit.ports(one.p, one.degree + one.h)
    return Layer(
        one.count * a,
        kit.router,
        lambda: names,
        lambda number: f"router-g{padded(group(number) + 1, plan.n_groups, 1)}-{padded(number % a + 1, a, 1)}",
        role="router",
        fields={"port_mode": kit.port_mode, "cage_modes": kit.cage_modes(one.p)},
        group=group,
    )


def _n_local(one: GroupKind) -> int:
    return one.count * one.leafs * one.degree // 2


def _local_links(one: GroupKind, layer: int) -> Links:
    return Links("local", _n_local(one), layer, layer, lambda: _local_wires(one))


def _global_links(plan: GroupPlan, arrangement: str, low: int, high: int) -> Links:
    n, first_ports = len(plan.kinds), (plan.kinds[low].first_global, plan.kinds[high].first_global)
    return Links(
        "global",
        plan.n_links(low, high),
        n + low,
        n + high,
        lambda: global_wires(plan, arrangement, low, high, first_ports),
    )


def _local_wires(one: GroupKind) -> Iterator[Wire]:
    """Group by group; each link takes the next free port of both its routers."""
    edges = list(lattice_edges(*one.lattice))
    for first in range(0, one.count * one.leafs, one.leafs):
        free = [one.p] * one.leafs
        for low, high in edges:
            yield first + low, free[low], first + high, free[high]
            free[low] += 1
            free[high] += 1


def _points(plan: GroupPlan, servers_per_router: Sequence[int]) -> list[list[Point]]:
    """Centres of hosts and routers: groups around a free middle, their routers towards it, their hosts outside."""
    pitches = [*map(row_pitch, servers_per_router)]
    wide = max(one.leafs * pitch for one, pitch in zip(plan.kinds, pitches, strict=True))
    spots = around(plan.n_groups, wide, BOX_HEIGHT + max(map(depth_below, servers_per_router)))
    routers: list[list[Point]] = [[] for _ in plan.kinds]
    hosts: list[list[Point]] = [[] for _ in plan.kinds]
    for number, one in enumerate(plan.kinds):
        for place, y, is_upper in spots[one.first : one.first + one.count]:
            x = inward(place, wide, one.leafs * pitches[number])
            for dx in row(one.leafs, pitches[number]):
                router = (round(x + dx, 1), round(y + (-BOX_HEIGHT if is_upper else BOX_HEIGHT) / 2, 1))
                routers[number].append(router)
                hosts[number] += below(router, servers_per_router[number], flip=is_upper)
    return [*hosts, *routers]
