"""Dragonfly: groups of routers all joined to each other, groups joined by global links.

p host ports, a - 1 local and h global links a router; up to a * h + 1 groups; balanced where a = 2p = 2h. At most
local, global, local: 3 hops. Source: J. Kim, W. Dally, S. Scott, D. Abts, "Technology-Driven, Highly-Scalable Dragonfly
Topology" (2008); `formulas.dragonfly` of the published reference designs in tests/topologies/data/.

Port order: on a router its hosts', then local links by router, then global links. Hosts are numbered router by router.
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
from designer.topologies.routers import GENERIC, MADE_TO_MEASURE, router_hardware, server_layer, server_links
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
    link_rate_gbps: float = link_rate_parameter("Rate of every link between routers, and of generic hosts.")
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)

    @property
    def n_groups(self) -> int:
        """Number of groups: as given, else the most there can be, a * h + 1."""
        return self.groups if self.groups is not None else self.a * self.h + 1


def build(design: Design, parameters: DragonflyParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: DragonflyParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: DragonflyParameters, find: TypeSource) -> Blueprint:
    p, a, h, g = parameters.p, parameters.a, parameters.h, parameters.n_groups
    per_pair = links_per_pair(a * h, g, parameters.links_per_pair)
    n_local, n_global = g * a * (a - 1) // 2, g * (g - 1) // 2 * per_pair
    require_holdable(g * a * (1 + p), g * a * p + n_local + n_global)
    kit = router_hardware(find, parameters.server, parameters.switch, parameters.link_rate_gbps, p, p + a - 1 + h)
    names = kit.ports(p, a - 1 + h)
    routers = Layer(
        g * a,
        kit.router,
        lambda: names,
        lambda number: f"router-g{padded(number // a + 1, g, 1)}-{padded(number % a + 1, a, 1)}",
        role="router",
        fields={"port_mode": kit.port_mode, "cage_modes": kit.cage_modes(p)},
        group=lambda number: number // a,
    )
    first_global = p + a - 1
    blueprint = Blueprint(
        f"Generate dragonfly of {format_count(g)} groups",
        (server_layer(kit, g * a, lambda router: router // a), routers),
        (
            server_links(kit, g * a),
            Links("local", n_local, 1, 1, lambda: _local_wires(parameters)),
            Links(
                "global",
                n_global,
                1,
                1,
                lambda: global_wires(g, per_pair, parameters.arrangement, a, h, first_global),
            ),
        ),
        lambda: _points(g, a, kit.servers_per_router),
        Groups(g, DRAGONFLY_GROUP),
    )
    return racked(blueprint, find, parameters.racks, {0: a * kit.servers_per_router, 1: a})


def _local_wires(parameters: DragonflyParameters) -> Iterator[Wire]:
    p, a = parameters.p, parameters.a
    for first in range(0, parameters.n_groups * a, a):
        for low in range(a):
            for high in range(low + 1, a):
                # A router has no local port for itself, so its later neighbours move up by one.
                yield first + low, p + high - 1, first + high, p + low


def _points(g: int, a: int, servers_per_router: int) -> tuple[list[Point], list[Point]]:
    """Centres of hosts and routers: groups around a free middle, their routers towards it, their hosts outside."""
    pitch = COLUMN_PITCH if servers_per_router == 1 else 2 * (SERVER_WIDTH + GAP) + GAP
    routers, hosts = [], []
    for x, y, is_upper in around(g, a * pitch, BOX_HEIGHT + depth_below(servers_per_router)):
        for dx in row(a, pitch):
            router = (round(x + dx, 1), round(y + (-BOX_HEIGHT if is_upper else BOX_HEIGHT) / 2, 1))
            routers.append(router)
            hosts += below(router, servers_per_router, flip=is_upper)
    return hosts, routers
