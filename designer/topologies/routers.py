"""Routers with servers of their own, as every direct network has them: hardware, servers, links from one to the other.

Port order: on a router its hosts', then its links to other routers. Hosts are numbered router by router.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from designer.catalog import generic
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import setting
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.ports import PortMode
from designer.model.hardware.switches import SwitchType
from designer.placement.direct import Point
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, Groups, Layer, Links, Wire
from designer.topologies.equipment import (
    ServerKit,
    TypeSource,
    mode_joining,
    server_joining,
    server_kit,
    server_kits,
    switch_type,
)
from designer.topologies.racking import racked
from designer.units import format_count

GENERIC = "generic-switch"
MADE_TO_MEASURE = "Generic, made with the ports needed"
MADE_TO_FIT = {"generic-host": generic.generic_host, "generic-node": generic.generic_node}
"""Servers that are made with a NIC of the rate of their links."""


@dataclass(frozen=True, slots=True)
class RouterHardware:
    """What the routers of a network and their servers are."""

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
        if self.host_mode.name == self.link_mode.name:
            have, need = self.router.n_ports(self.link_mode), n_hosts + n_links
        else:
            n_lost = n_host_cages * self.link_mode.ports_per_cage
            have, need = self.router.n_ports(self.link_mode) - n_lost, n_links
        if have < need:
            raise ParameterError(
                f"a router needs {format_count(n_hosts + n_links)} ports; a {self.router.model} has too few "
                f"({format_count(need - have)} more)"
            )
        names = [port.name for port in switch_ports(self.router, self.link_mode.name, self.cage_modes(n_hosts))]
        if self.host_mode.name == self.link_mode.name:
            return names
        skipped = n_host_cages * self.host_mode.ports_per_cage
        return names[:n_hosts] + names[skipped:]

    @property
    def port_mode(self) -> str:
        """The port mode that a router is set to for its links; "" for the mode it is delivered in."""
        return self.link_mode.name if self.link_mode != self.router.modes[0] else ""


def router_hardware(
    find: TypeSource,
    server: str,
    switch: str,
    rate_gbps: float,
    host_ports: int,
    radix: int,
    host_rate_gbps: float | None = None,
) -> RouterHardware:
    """Servers that take `host_ports` ports of each router, and routers; generic ones are made to measure.

    `host_rate_gbps` is that of generic hosts, where it is not the rate of links. Raises ParameterError or
    UnknownEntityError naming what does not fit.
    """
    if made := MADE_TO_FIT.get(server):
        kits = [server_kit(*made(host_rate_gbps or rate_gbps))]
    else:
        kits = server_kits(find, server)
    if switch != GENERIC:
        kit, _ = server_joining(kits, lambda _rate_gbps: switch_type(find, switch))
    else:
        kit = kits[0]
    if host_ports % len(kit.ports):
        raise ParameterError(
            f"p is {format_count(host_ports)}: {kit.type_.model} has {format_count(len(kit.ports))} fabric ports, "
            "and all of a server's are on one router"
        )
    if switch == GENERIC:
        if kit.rate_gbps == rate_gbps or not host_ports:
            router = generic.generic_switch(radix, rate_gbps)
        else:
            router = generic.generic_router(radix - host_ports, rate_gbps, host_ports, kit.rate_gbps)
    else:
        router = switch_type(find, switch)
    host_mode = mode_joining(router, kit.ports[0], kit.called) if host_ports else router.modes[0]
    link_mode = next((mode for mode in (host_mode, *router.modes) if mode.rate_gbps == rate_gbps), None)
    if link_mode is None:
        raise ParameterError(f"{router.model} has no ports of {rate_gbps:g} Gb/s")
    return RouterHardware(kit, host_ports // len(kit.ports), router, host_mode, link_mode)


def server_layer(
    hardware: RouterHardware,
    n_routers: int,
    group: Callable[[int], int] | None = None,
    first: int = 0,
    total: int | None = None,
) -> Layer:
    """The servers of so many routers; `group` says by router which group they are in, and unit, counted from 1.

    Of `total` servers in several layers they are those from number `first` on.
    """
    server, per_router = hardware.server, hardware.servers_per_router
    count = n_routers * per_router
    word = "gpu" if server.type_.gpus > 1 else "host"
    return Layer(
        count,
        server.type_,
        server.port_names,
        lambda number: f"{word}-{padded(first + number + 1, total or count)}",
        kit=server,
        group=None if group is None else lambda number: group(number // per_router),
    )


def server_links(hardware: RouterHardware, n_routers: int, role: str = "router", low: int = 0, high: int = 1) -> Links:
    """Every server with all its ports on its router, from one layer to the other."""
    n_ports = len(hardware.server.ports)
    per_router = hardware.servers_per_router
    return Links(
        f"server-{role}",
        n_routers * per_router * n_ports,
        low,
        high,
        lambda: (
            (router * per_router + place, port, router, place * n_ports + port)
            for router in range(n_routers)
            for place in range(per_router)
            for port in range(n_ports)
        ),
    )


def hosts_parameter(default: int | None = 4, more: str = "") -> Any:
    """The setting for the host ports of a router, p; `more` ends the sentence of its help."""
    return setting(
        default,
        title="Host ports of a router, p",
        help=f"Ports of every router that hosts are on{more}.",
        kind=kinds.COUNT,
    )


def router_parameter() -> Any:
    """The setting for the type of the routers; the default is a generic one, made with the ports it needs."""
    return setting(
        GENERIC,
        title="Router",
        help="Type of the routers; a generic router gets the ports it needs.",
        kind=kinds.SWITCH,
        empty=MADE_TO_MEASURE,
        option="--router",
    )


def server_parameter() -> Any:
    """The setting for the type of the servers; the default is a generic host."""
    return setting(
        "generic-host",
        title="Server",
        help="Type of the servers; all NICs of a server are on the same router.",
        kind=kinds.SERVER,
        option="--node",
    )


@dataclass(frozen=True, slots=True)
class Web:
    """Routers that are joined to each other, before it is known what they are made of."""

    label: str
    n_routers: int
    n_links: int
    degree: int
    """Most links of a router."""
    edges: Callable[[], Iterable[tuple[int, int]]]
    """Routers that a link joins; each takes the next free ports of both, after those of hosts."""
    points: Callable[[int], tuple[list[Point], list[Point]]]
    """Centres of hosts and of routers, for so many servers on each."""
    name: Callable[[int], str]
    """What follows "router-"."""
    groups: Groups | None = None
    group: Callable[[int], int] | None = None
    """The group of a router and its hosts, by its number."""


def web_blueprint(
    find: TypeSource, web: Web, p: int, server: str, router: str, rate_gbps: float, racks: str
) -> Blueprint:
    """The blueprint of such routers with hosts on `p` ports of each. Raises ParameterError for what does not fit."""
    hardware = router_hardware(find, server, router, rate_gbps, p, p + web.degree)
    names = hardware.ports(p, web.degree)
    routers = Layer(
        web.n_routers,
        hardware.router,
        lambda: names,
        lambda number: f"router-{web.name(number)}",
        role="router",
        fields={"port_mode": hardware.port_mode, "cage_modes": hardware.cage_modes(p)},
        group=web.group,
    )

    def wires() -> Iterator[Wire]:
        free = [p] * web.n_routers
        for low, high in web.edges():
            yield low, free[low], high, free[high]
            free[low] += 1
            free[high] += 1

    blueprint = Blueprint(
        web.label,
        (server_layer(hardware, web.n_routers, web.group), routers),
        (server_links(hardware, web.n_routers), Links("router-router", web.n_links, 1, 1, wires)),
        lambda: web.points(hardware.servers_per_router),
        web.groups,
    )
    return racked(blueprint, find, racks)
