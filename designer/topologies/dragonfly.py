"""Dragonfly: groups of routers all joined to each other, groups joined by global links.

p host ports, a - 1 local and h global links a router; up to a * h + 1 groups; balanced where a = 2p = 2h. At most
local, global, local: 3 hops. Source: J. Kim, W. Dally, S. Scott, D. Abts, "Technology-Driven, Highly-Scalable Dragonfly
Topology" (2008); `formulas.dragonfly` of the published reference designs in tests/topologies/data/.

Port order: on a router its hosts', then local links by router, then global links. Hosts are numbered router by router.
"""

from dataclasses import dataclass

from designer.catalog import generic
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import DRAGONFLY_GROUP, End
from designer.model.hardware import PortMode, SwitchType, switch_ports
from designer.placement.direct import below, facing_rows, row, tracks_of
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, SERVER_WIDTH
from designer.topologies.assembly import Assembly, padded
from designer.topologies.equipment import (
    ServerKit,
    TypeSource,
    mode_joining,
    server_joining,
    server_kit,
    server_kits,
    switch_type,
    types_of,
)
from designer.topologies.global_links import (
    arrangement_parameter,
    global_links,
    groups_parameter,
    links_per_pair,
    links_per_pair_parameter,
    require_groups,
)
from designer.topologies.parameters import link_rate_parameter, parameter, require_positive, require_whole
from designer.topologies.sizing import Counts, require_holdable
from designer.units import format_count

GENERIC = "generic-switch"
MADE_TO_MEASURE = "Generic, made with the ports needed"


@dataclass(frozen=True, slots=True)
class DragonflyParameters:
    """What a dragonfly is made of. Raises ParameterError for values that make no sense by themselves."""

    p: int = parameter(
        2, label="Host ports of a router, p", help="Ports of every router that hosts are on.", kind="count"
    )
    a: int = parameter(
        4, label="Routers of a group, a", help="All of a group's routers are joined to each other.", kind="count"
    )
    h: int = parameter(
        2, label="Global links of a router, h", help="Links of every router to routers of other groups.", kind="count"
    )
    groups: int | None = groups_parameter("a*h")
    links_per_pair: int | None = links_per_pair_parameter()
    arrangement: str = arrangement_parameter("router")
    switch: str = parameter(
        GENERIC,
        label="Router",
        help="Type of the routers; a generic one is made with the ports it needs.",
        kind="switch",
        choices=(MADE_TO_MEASURE,),
        option="--router",
    )
    server: str = parameter(
        "generic-host",
        label="Server",
        help="Type of the servers; with several NICs all on one router.",
        kind="server",
        option="--node",
    )
    link_rate_gbps: float = link_rate_parameter("Rate of every link between routers, and of generic hosts.")

    def __post_init__(self) -> None:
        require_whole("p", self.p, 1)
        require_whole("a", self.a, 1)
        require_whole("h", self.h, 1)
        require_groups(self.groups, self.links_per_pair, self.arrangement)
        require_positive("link rate", self.link_rate_gbps)

    @property
    def n_groups(self) -> int:
        return self.groups if self.groups is not None else self.a * self.h + 1


@dataclass(frozen=True, slots=True)
class GroupHardware:
    """What a dragonfly's groups are built of."""

    server: ServerKit
    servers_per_router: int
    router: SwitchType
    host_mode: PortMode
    link_mode: PortMode

    def cage_modes(self, n_hosts: int) -> tuple[tuple[int, str], ...]:
        """The cages of the first `n_hosts` ports, where hosts need another mode than links."""
        if self.host_mode.name == self.link_mode.name:
            return ()
        n_cages = -(-n_hosts // self.host_mode.ports_per_cage)
        return tuple((cage, self.host_mode.name) for cage in range(1, n_cages + 1))

    def ports(self, n_hosts: int, n_links: int) -> list[str]:
        """Names of the ports for hosts, then of those for links. Raises ParameterError where there are too few."""
        n_host_cages = -(-n_hosts // self.host_mode.ports_per_cage)
        n_cages = sum(group.count for group in self.router.cages)
        if self.host_mode.name == self.link_mode.name:
            have, need = n_cages * self.link_mode.ports_per_cage, n_hosts + n_links
        else:
            have, need = (n_cages - n_host_cages) * self.link_mode.ports_per_cage, n_links
        if have < need:
            raise ParameterError(
                f"a router needs {format_count(n_hosts + n_links)} ports; a {self.router.id} has too few "
                f"({format_count(need - have)} more)"
            )
        names = [port.name for port in switch_ports(self.router, self.link_mode.name, self.cage_modes(n_hosts))]
        if self.host_mode.name == self.link_mode.name:
            return names
        skipped = n_host_cages * self.host_mode.ports_per_cage
        return names[:n_hosts] + names[skipped:]

    @property
    def port_mode(self) -> str:
        return self.link_mode.name if self.link_mode != self.router.modes[0] else ""


def group_hardware(
    find: TypeSource, server: str, switch: str, rate_gbps: float, host_ports: int, radix: int
) -> GroupHardware:
    """Servers that take `host_ports` ports of each router, and routers; generic ones are made to measure.

    Raises ParameterError or UnknownEntityError naming what does not fit.
    """
    if server == "generic-host":
        kits = [server_kit(*generic.generic_host(rate_gbps))]
    else:
        kits = server_kits(find, server)
    if switch != GENERIC:
        kit, _ = server_joining(kits, lambda _rate_gbps: switch_type(find, switch))
    else:
        kit = kits[0]
    if host_ports % len(kit.ports):
        raise ParameterError(
            f"p is {format_count(host_ports)}: {server} has {format_count(len(kit.ports))} fabric ports, and all of "
            f"a server's are on one router"
        )
    if switch == GENERIC:
        if kit.rate_gbps == rate_gbps:
            router = generic.generic_switch(radix, rate_gbps)
        else:
            router = generic.generic_router(radix - host_ports, rate_gbps, host_ports, kit.rate_gbps)
    else:
        router = switch_type(find, switch)
    host_mode = mode_joining(router, kit.ports[0], kit.called)
    link_mode = next((mode for mode in (host_mode, *router.modes) if mode.rate_gbps == rate_gbps), None)
    if link_mode is None:
        raise ParameterError(f"{router.id} has no ports of {rate_gbps:g} Gb/s")
    return GroupHardware(kit, host_ports // len(kit.ports), router, host_mode, link_mode)


def build(design: Design, parameters: DragonflyParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    kit, per_pair = _plan(parameters, types_of(design, catalog))
    assembly = Assembly(design)
    p, a, h, g = parameters.p, parameters.a, parameters.h, parameters.n_groups
    ports = kit.ports(p, a - 1 + h)
    groups = [assembly.add_group(f"Group {number + 1}", DRAGONFLY_GROUP) for number in range(g)]
    router_points, host_points = _points(g, a, kit.servers_per_router, per_pair)
    n_servers = g * a * kit.servers_per_router
    word = "gpu" if kit.server.type_.gpus > 1 else "host"
    hosts = []
    for number in range(n_servers):
        group = number // (a * kit.servers_per_router)
        name = f"{word}-{padded(number + 1, n_servers)}"
        hosts.append(
            assembly.add_device(name, kit.server.type_, host_points[number], group_id=groups[group], unit=group + 1)
        )
        assembly.install(hosts[-1], kit.server.nics, kit.server.nic_modes)
    routers = [
        assembly.add_device(
            f"router-g{padded(number // a + 1, g, 1)}-{padded(number % a + 1, a, 1)}",
            kit.router,
            router_points[number],
            role="router",
            group_id=groups[number // a],
            port_mode=kit.port_mode,
            cage_modes=kit.cage_modes(p),
            unit=number // a + 1,
        )
        for number in range(g * a)
    ]
    for number, host in enumerate(hosts):
        router, place = divmod(number, kit.servers_per_router)
        for lane, port in enumerate(kit.server.ports):
            first = place * len(kit.server.ports)
            assembly.link(End(host, port.name), End(routers[router], ports[first + lane]))
    for group in range(g):
        for low in range(a):
            for high in range(low + 1, a):
                # A router has no local port for itself, so its later neighbours move up by one.
                assembly.link(
                    End(routers[group * a + low], ports[p + high - 1]), End(routers[group * a + high], ports[p + low])
                )
    for group, link, other, back in global_links(g, per_pair, parameters.arrangement):
        assembly.link(
            End(routers[group * a + link // h], ports[p + a - 1 + link % h]),
            End(routers[other * a + back // h], ports[p + a - 1 + back % h]),
        )
    return assembly.edit(f"Generate dragonfly of {format_count(g)} groups")


def counts(parameters: DragonflyParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    kit, per_pair = _plan(parameters, catalog.get)
    kit.ports(parameters.p, parameters.a - 1 + parameters.h)
    a, g = parameters.a, parameters.n_groups
    n_servers = g * a * kit.servers_per_router
    links = {"server-router": g * a * parameters.p}
    if a > 1:
        links["local"] = g * a * (a - 1) // 2
    if per_pair:
        links["global"] = g * (g - 1) // 2 * per_pair
    return Counts(
        servers=n_servers,
        endpoints=n_servers * kit.server.type_.gpus,
        switches={"router": g * a},
        links=links,
        nics=n_servers * len(kit.server.nics),
    )


def _plan(parameters: DragonflyParameters, find: TypeSource) -> tuple[GroupHardware, int]:
    p, a, h, g = parameters.p, parameters.a, parameters.h, parameters.n_groups
    require_holdable(g * a, g * a * (a - 1 + h) // 2)
    require_holdable(g * a * (1 + p), g * a * p + g * a * (a - 1 + h) // 2)
    per_pair = links_per_pair(a * h, g, parameters.links_per_pair)
    kit = group_hardware(find, parameters.server, parameters.switch, parameters.link_rate_gbps, p, p + a - 1 + h)
    return kit, per_pair


def _points(
    g: int, a: int, servers_per_router: int, per_pair: int
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Centres of routers and hosts: two rows of groups, their routers towards the middle, their hosts outside."""
    pitch = COLUMN_PITCH if servers_per_router == 1 else 2 * (SERVER_WIDTH + GAP) + GAP
    routers, hosts = [], []
    for x, y, is_upper in facing_rows(g, a * pitch, tracks_of(-(-g // 2), per_pair, a)):
        for dx in row(a, pitch):
            router = (round(x + dx, 1), round(y + (-BOX_HEIGHT if is_upper else BOX_HEIGHT) / 2, 1))
            routers.append(router)
            hosts += below(router, servers_per_router, flip=is_upper)
    return routers, hosts
