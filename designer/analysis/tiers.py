"""Tiers: how many hops from the servers a switch stands, and what the field calls that."""

from collections.abc import Collection, Iterable, Mapping

from designer.model.design import Design
from designer.model.entities import Device, Link
from designer.model.hardware.servers import NODE, ServerType, word_for_servers
from designer.model.hardware.switches import SwitchType
from designer.model.networks import is_managing
from designer.units import format_counted

TIER_OF_ROLE = {"leaf": 1, "router": 1, "spine": 2, "core": 3}
ROLE_OF_TIER = {0: "server", 1: "leaf", 2: "spine", 3: "core"}
ROUTER, SWITCH = "router", "switch"
NO_ROLE = "other"
"""A switch with no role of its own that no path joins to a server."""


def tier_of(design: Design) -> dict[str, int]:
    """Tier of each device: 0 server, 1 leaf, 2 spine, 3 core, and on.

    A switch whose role is a word of the field stands where that word says, so that a leaf still waiting for its
    servers is a leaf; every other switch stands one above its lowest neighbor. A switch that no path joins to either
    is left out.
    """
    waiting: dict[int, list[str]] = {}
    tier: dict[str, int] = {}
    servers = [device.id for device in design.servers()]
    if servers:
        tier, waiting = dict.fromkeys(servers, 0), {0: servers}
    for device in design.switches():
        fixed = TIER_OF_ROLE.get(device.role.lower())
        if fixed is not None:
            tier[device.id] = fixed
            waiting.setdefault(fixed, []).append(device.id)
    level = 0
    while waiting and len(tier) < len(design.devices):
        for device_id in waiting.pop(level, ()):
            for neighbour in _neighbours(design, device_id):
                if neighbour not in tier:
                    tier[neighbour] = level + 1
                    waiting.setdefault(level + 1, []).append(neighbour)
        level += 1
    return tier


def fixed_tier(design: Design, device: Device) -> int | None:
    """The tier that a device has whatever it is linked to: of a server, and where its role says so; else None."""
    return 0 if design.is_server(device.id) else TIER_OF_ROLE.get(device.role.lower())


def switch_word(design: Design, ids: Iterable[str] | None = None) -> str:
    """What these switches, or all, are called in common: "router" where each is one by its role, else "switch"."""
    if ids is None:
        types = {type_.id for type_ in design.count_by_type() if isinstance(type_, SwitchType)}
        ids = (one.id for one in design.devices.values() if one.type_id in types)
    roles = (design.devices[one].role.lower() == ROUTER for one in ids)
    return ROUTER if next(roles, False) and all(roles) else SWITCH


def server_word(design: Design, ids: Iterable[str] | None = None) -> str:
    """What these servers, or all, are called in common: "host" or "node" of generic ones, else "server"."""
    if ids is None:
        return word_for_servers(design.count_by_type())
    return word_for_servers(map(design.types.__getitem__, {design.devices[one].type_id for one in ids}))


def servers_title(design: Design) -> str:
    """The heading of all servers: "Servers", "Hosts" or "Nodes"."""
    return f"{server_word(design)}s".capitalize()


def switches_title(design: Design) -> str:
    """The heading of all switches: "Switches", or "Routers" where each is one."""
    return "Routers" if switch_word(design) == ROUTER else "Switches"


def device_word(design: Design, device_id: str) -> str:
    """What a single device is called: the word for a server of its type, a switch's role, or "switch"."""
    type_ = design.device_type(device_id)
    return type_.word if isinstance(type_, ServerType) else design.devices[device_id].role.lower() or SWITCH


def counted_devices(design: Design, ids: Collection[str] | None = None) -> list[str]:
    """How many servers and how many switches these, or all, are: ["512 nodes", "32 routers"]; none of what is missing.

    Every place that counts devices without regard to their roles says it with these words.
    """
    if ids is None:
        of_type = {type_.id: n for type_, n in design.count_by_type().items()}
        return counted_of_types(design, of_type, switch_word(design))
    servers = [one for one in ids if design.is_server(one)]
    switches = [one for one in ids if not design.is_server(one)]
    counts = (len(servers), server_word(design, servers)), (len(switches), switch_word(design, switches))
    return [format_counted(count, word) for count, word in counts if count]


def counted_of_types(design: Design, n_of_type: Mapping[str, int], switch: str) -> list[str]:
    """The same of so many devices of each type; `switch` is what the switches are called."""
    servers = {one: n for one, n in n_of_type.items() if isinstance(design.types[one], ServerType)}
    n_servers, word = sum(servers.values()), word_for_servers(map(design.types.__getitem__, servers))
    counts = (n_servers, word), (sum(n_of_type.values()) - n_servers, switch)
    return [format_counted(count, word) for count, word in counts if count]


def mixed_hosts(design: Design) -> tuple[int, int] | None:
    """How many hosts, which are an endpoint each, and how many nodes without GPUs; None where not both are there."""
    counts = [(type_, n) for type_, n in design.count_by_type().items() if isinstance(type_, ServerType) and n]
    hosts, without = (sum(n for type_, n in counts if type_.is_host is is_host) for is_host in (True, False))
    are_nodes = all(type_.is_host or type_.word == NODE for type_, _ in counts)
    return (hosts, without) if hosts and without and are_nodes else None


def role_names(design: Design, tier: dict[str, int] | None = None) -> dict[str, str]:
    """The role of each device: "server", the switch's own, else the word for its tier ("tier-4" above core).

    Without tiers they are calculated, where a switch has no role of its own.
    """
    servers = {type_.id for type_ in design.types.values() if isinstance(type_, ServerType)}
    if tier is None:
        silent = (one for one in design.devices.values() if not one.role and one.type_id not in servers)
        tier = {} if next(silent, None) is None else tier_of(design)
    return {
        device.id: "server" if device.type_id in servers else _role(device, tier) for device in design.devices.values()
    }


def listed_roles(design: Design) -> dict[str, str]:
    """As `role_names`, with servers by a role of their own where they have one, such as "storage"."""
    names = role_names(design)
    names.update((one.id, one.role.lower()) for one in design.servers() if one.role)
    return names


def _role(device: Device, tier: dict[str, int]) -> str:
    if device.role:
        return device.role.lower()
    level = tier.get(device.id)
    return NO_ROLE if level is None else ROLE_OF_TIER.get(level, f"tier-{level}")


def _neighbours(design: Design, device_id: str) -> dict[str, None]:
    """The devices across its links; links by which switches are managed lead to no tier."""
    links = [link for link in design.links_of(device_id) if not _manages(design, link)]
    ends = (end for link in links for end in (link.a, link.b))
    return {end.device_id: None for end in ends if end.device_id != device_id}


def _manages(design: Design, link: Link) -> bool:
    switches = (end for end in (link.a, link.b) if design.is_switch(end.device_id))
    return any(is_managing(design.port(end), "") for end in switches)
