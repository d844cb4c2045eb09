"""A design read once for all analyses: tiers, roles, and every link seen from its lower end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from designer.analysis.tiers import role_names, tier_of
from designer.model.circuits import circuit_switch
from designer.model.collapsing import is_storage_server
from designer.model.design import Design
from designer.model.entities import DRAGONFLY_GROUP, Device, End, Link, order_key
from designer.model.hardware.ports import Port
from designer.model.hardware.servers import ServerType
from designer.model.networks import (
    COMPUTE,
    PURPOSE_OF,
    is_managing,
    network_between,
    network_of_switch,
    networks_of_switch,
)
from designer.model.records import ordered

UNKNOWN_TIER = 1_000
"""Sorts switches that no path joins to a server above all others."""


@dataclass(frozen=True, slots=True)
class Run:
    """A link from the end nearer to the servers (low) to the other (high).

    `capacity_gbps` is one direction, the slower port's rate; 0 where an end names a port that does not exist.
    `network` is the one the link is part of: networks.network_of_link.
    """

    link: Link
    low: End
    high: End
    low_port: Port | None
    high_port: Port | None
    capacity_gbps: float
    network: str
    reserved: bool
    """Either end is a port reserved."""
    managing: bool = False
    """The low end is a port by which a switch is managed."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What the analyses read, of one network. Devices and runs stand in design order.

    Servers are in every network; `runs` are the links of all of them.
    """

    design: Design
    switches: tuple[Device, ...]
    servers: tuple[Device, ...]
    hosts: tuple[Device, ...]
    """The servers that the network is for: those with GPUs, and those with slots for it.

    A storage server whose NICs are all for other networks is no host of the compute network, nor one by its role that
    no compute port of its own joins to it.
    """
    tier: dict[str, int]
    """Tier of each device by hops from the servers; a switch that no path joins to a server is left out."""
    role: dict[str, str]
    runs: tuple[Run, ...]
    own_runs: tuple[Run, ...]
    """The links of the network, with those between switches that carry it for another; none that leads to a switch of
    another network or to a server that is no host, none by which a switch is managed."""
    managing_runs: tuple[Run, ...]
    """The links of the network by which switches are managed, of whatever network these are."""
    fabric_runs: tuple[Run, ...]
    """Those of them that carry something: both ports exist."""
    sharing_runs: tuple[Run, ...]
    """Links of other networks that share switches of this one, and so their capacity."""
    linked: frozenset[str]
    """Ids of the devices at their ends."""
    rings: bool
    """Every link between routers leads from an onward port to a back one, as those of tori and of rings do."""
    network: str

    @property
    def linked_hosts(self) -> tuple[Device, ...]:
        """The hosts that count in figures of the fabric: one that no link joins yet is under construction."""
        return tuple(host for host in self.hosts if host.id in self.linked)

    @property
    def linked_switches(self) -> tuple[Device, ...]:
        """The switches that count in them, likewise."""
        return tuple(switch for switch in self.switches if switch.id in self.linked)


def link_kind(surveyed: Survey, run: Run) -> str:
    """What the field calls a link: by the roles at its ends, "server-leaf"; else "local", "global", "torus".

    Between switches of dragonfly groups a link is local inside one and global between two; any other link between two
    routers is a torus's where all lead from a router's onward port to another's back port, and "optical" where it leads
    through a circuit switch there, else just that. A link by which a switch is managed is "switch-leaf", whatever the
    role of that switch.
    """
    role, design = surveyed.role, surveyed.design
    if run.managing:
        return f"switch-{role[run.high.device_id]}"
    low, high = run.low.device_id, run.high.device_id
    if role[low] != "server":
        groups = [design.groups.get(design.device(end).group_id or "") for end in (low, high)]
        if all(group is not None and group.kind == DRAGONFLY_GROUP for group in groups):
            return "local" if groups[0] == groups[1] else "global"
        if surveyed.rings and role[low] == role[high] == "router":
            return "optical" if circuit_switch(run.link) else "torus"
    return f"{role[low]}-{role[high]}"


def survey(design: Design, network: str = COMPUTE) -> Survey:
    """Everything the analyses need to know of a network of a design, in one pass over its links."""
    tier = tier_of(design)
    networks = {switch.id: network_of_switch(switch) for switch in design.switches()}
    carried = {switch.id: networks_of_switch(switch) for switch in design.switches()}
    carrying_it = {one for one, its in carried.items() if network in its}
    switches = tuple(switch for switch in design.switches() if switch.id in carrying_it)
    servers = tuple(design.servers())
    role = role_names(design, tier)
    ports = {device_id: design.port_map(device_id) for device_id in design.devices}
    height = {one: (tier.get(one, UNKNOWN_TIER), order_key(one)) for one in design.devices}
    kept_free = {device.id: frozenset(device.reserved_ports) for device in design.devices.values()}
    runs = tuple(_run(link, height, networks, ports, kept_free) for link in ordered(design.links))
    foreign = frozenset(one for one in networks if one not in carrying_it)
    hosts = _hosts(design, network)
    others = {server.id for server in servers} - {host.id for host in hosts}
    inside = [
        run
        for run in runs
        if not run.managing and run.low.device_id not in foreign and run.high.device_id not in foreign
    ]
    own = tuple(
        run
        for run in inside
        if others.isdisjoint((run.low.device_id, run.high.device_id))
        and (run.network == network or (run.low.device_id in carrying_it and run.high.device_id in carrying_it))
    )
    sharing = tuple(
        run
        for run in inside
        if run.network != network
        and run.capacity_gbps > 0
        and any(run.network in carried[end.device_id] for end in (run.low, run.high) if end.device_id in carried)
        and not (run.low.device_id in carrying_it and run.high.device_id in carrying_it)
    )
    managing = tuple(run for run in runs if run.managing and run.network == network)
    carrying = tuple(run for run in own if run.capacity_gbps > 0)
    linked = frozenset(end.device_id for run in carrying for end in (run.low, run.high))
    rings = _are_rings(carrying, role, ports)
    return Survey(
        design,
        switches,
        servers,
        hosts,
        tier,
        role,
        runs,
        own,
        managing,
        carrying,
        sharing,
        linked,
        rings,
        network,
    )


def _hosts(design: Design, network: str) -> tuple[Device, ...]:
    purpose = PURPOSE_OF[network]
    types = (one for one in design.types.values() if isinstance(one, ServerType))
    meant = {one.id for one in types if one.gpus or any(purpose in slot.purposes for slot in one.slots)}
    servers = (server for server in design.servers() if server.type_id in meant)
    return tuple(server for server in servers if network != COMPUTE or not _serves_storage_alone(design, server))


def _serves_storage_alone(design: Design, server: Device) -> bool:
    """Whether a server without GPUs has the role of a storage server, and no link from a port for compute."""
    type_ = design.types[server.type_id]
    if not server.role or not isinstance(type_, ServerType) or type_.gpus or not is_storage_server(server, type_):
        return False
    fabric = PURPOSE_OF[COMPUTE]
    ports = {port.name for port in design.ports(server.id) if port.purpose == fabric}
    return ports.isdisjoint(design.used_ports(server.id))


def run_of(design: Design, link: Link, tier: Mapping[str, int]) -> Run:
    """One link as the survey of the whole design has it, whose tiers these are."""
    ends = dict.fromkeys((link.a.device_id, link.b.device_id))
    return _run(
        link,
        {one: (tier.get(one, UNKNOWN_TIER), order_key(one)) for one in ends},
        {one: network_of_switch(design.device(one)) for one in ends if design.is_switch(one)},
        {one: design.port_map(one) for one in ends},
        {one: frozenset(design.device(one).reserved_ports) for one in ends},
    )


def _are_rings(runs: Sequence[Run], role: Mapping[str, str], ports: Mapping[str, Mapping[str, Port]]) -> bool:
    """Ports of a router come in pairs, onward and back: the first two, the next two and so on."""
    order: dict[str, dict[str, int]] = {}
    for run in runs:
        if role[run.low.device_id] == role[run.high.device_id] == "router":
            places = []
            for end in (run.low, run.high):
                names = order.setdefault(end.device_id, {})
                if not names:
                    names.update((name, place) for place, name in enumerate(ports[end.device_id]))
                places.append(names[end.port])
            if places[0] // 2 != places[1] // 2 or places[0] == places[1]:
                return False
    return True


def _run(
    link: Link,
    height: Mapping[str, tuple[int, tuple[int, str]]],
    networks: Mapping[str, str],
    ports: Mapping[str, Mapping[str, Port]],
    kept_free: Mapping[str, frozenset[str]],
) -> Run:
    low, high = link.a, link.b
    low_port, high_port = ports[low.device_id].get(low.port), ports[high.device_id].get(high.port)
    low_switch, high_switch = networks.get(low.device_id), networks.get(high.device_id)
    manages, is_managed = is_managing(low_port, low_switch), is_managing(high_port, high_switch)
    if is_managed or (not manages and height[high.device_id] < height[low.device_id]):
        low, high = high, low
        low_port, high_port = high_port, low_port
        low_switch, high_switch = high_switch, low_switch
    capacity_gbps = min(low_port.rate_gbps, high_port.rate_gbps) if low_port and high_port else 0.0
    reserved = low.port in kept_free[low.device_id] or high.port in kept_free[high.device_id]
    return Run(
        link,
        low,
        high,
        low_port,
        high_port,
        capacity_gbps,
        network_between(low_port, high_port, low_switch, high_switch),
        reserved,
        manages or is_managed,
    )
