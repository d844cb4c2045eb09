"""The networks of a cluster: compute, and in addition storage and management, each with switches of its own.

A switch is in one network and may carry others too; a server's ports say by their purpose which one they are for.
"""

import itertools
from collections.abc import Collection, Iterable

from designer.model.design import Design
from designer.model.entities import Device, Link
from designer.model.hardware.ports import MANAGEMENT, STORAGE_PURPOSE, Port
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType

COMPUTE, STORAGE, IN_BAND, NORTH_SOUTH, OUT_OF_BAND = NETWORKS = ("compute", "storage", "in-band", "north-south", "oob")

TITLES = {
    COMPUTE: "Compute",
    STORAGE: "Storage",
    IN_BAND: "In-band management",
    NORTH_SOUTH: "North-south",
    OUT_OF_BAND: "Out-of-band management",
}

WORDS = {
    COMPUTE: "compute network",
    STORAGE: "storage network",
    IN_BAND: "in-band management network",
    NORTH_SOUTH: "north-south network",
    OUT_OF_BAND: "out-of-band management network",
}
"""How a sentence names each."""

PURPOSE_OF = {
    COMPUTE: "fabric",
    STORAGE: STORAGE_PURPOSE,
    IN_BAND: "in-band",
    NORTH_SOUTH: "north-south",
    OUT_OF_BAND: MANAGEMENT,
}
"""The purpose of the server ports (Slot.purpose) that are for each network."""

NETWORK_OF = {purpose: network for network, purpose in PURPOSE_OF.items()}

_OF_ROLE = {"storage": STORAGE, "management": OUT_OF_BAND}
"""Roles that said so before switches had a network."""


def network_of_switch(device: Device) -> str:
    """The network a switch is in: what it says, else what its role says, else compute."""
    return device.network if device.network in NETWORKS else _OF_ROLE.get(device.role, COMPUTE)


def networks_of_switch(device: Device) -> tuple[str, ...]:
    """All networks of a switch: its own first, then those that share it."""
    own = network_of_switch(device)
    return (own, *(one for one in device.carries if one in NETWORKS and one != own)) if device.carries else (own,)


SHARING = (STORAGE, IN_BAND, NORTH_SOUTH)
"""Networks that are on switches of others in designs as built."""


def sharing_choices(devices: Iterable[Device]) -> list[tuple[str, str]]:
    """What else the switches can carry, as "storage,in-band", each with words for it; and what they do carry."""
    several = list(devices)
    own = {network_of_switch(one) for one in several}
    free = [one for one in SHARING if one not in own]
    offered = [part for size in range(len(free) + 1) for part in itertools.combinations(free, size)]
    offered += sorted({one.carries for one in several} - set(offered))
    return [(",".join(part), ", ".join(TITLES.get(one, one) for one in part) or "none") for part in offered]


def is_hidden(device: Device, hidden: Collection[str]) -> bool:
    """Whether a switch is in hidden networks alone."""
    return all(one in hidden for one in networks_of_switch(device))


def is_link_hidden(design: Design, link: Link, hidden: Collection[str]) -> bool:
    """Whether a link carries hidden networks alone."""
    return not any(serves(design, link, one) for one in NETWORKS if one not in hidden)


def serves(design: Design, link: Link, network: str) -> bool:
    """Whether a link carries a network: it is part of it, or joins two switches that both carry it."""
    if network_of_link(design, link) == network:
        return True
    ends = [design.device(end.device_id) for end in (link.a, link.b) if design.is_switch(end.device_id)]
    if len(ends) < 2 or not all(network in networks_of_switch(one) for one in ends):
        return False
    ports = (design.port(link.a), design.port(link.b))
    return not any(is_managing(port, network) for port in ports)


def network_of_link(design: Design, link: Link) -> str:
    """The network a link is part of: that of the server's port, else that of the switches.

    Between switches of two networks it counts to the one that is not compute; from a port by which a switch is managed,
    to the out-of-band network.
    """
    switches = (
        network_of_switch(design.device(end.device_id)) if design.is_switch(end.device_id) else None
        for end in (link.a, link.b)
    )
    return network_between(design.port(link.a), design.port(link.b), *switches)


def network_between(a_port: Port | None, b_port: Port | None, a_switch: str | None, b_switch: str | None) -> str:
    """The same of two ports at hand and the networks of the switches they are on; None for servers."""
    if is_managing(a_port, a_switch) or is_managing(b_port, b_switch):
        return OUT_OF_BAND
    for port, switch in ((a_port, a_switch), (b_port, b_switch)):
        if port is not None and port.slot and switch is None:
            return NETWORK_OF.get(port.purpose, COMPUTE)
    if a_switch and a_switch != COMPUTE:
        return a_switch
    return b_switch or COMPUTE


def is_managing(port: Port | None, switch: str | None) -> bool:
    """Whether a port is one by which a switch is managed; `switch` is its network, None on a server."""
    return port is not None and port.purpose == MANAGEMENT and switch is not None


def networks_of(design: Design) -> list[str]:
    """The networks that have a switch or a link, in order; compute always."""
    fabric, types = PURPOSE_OF[COMPUTE], design.types
    switches = {one.id for one in types.values() if isinstance(one, SwitchType)}
    kinds = {(one.network, one.role, one.carries): one for one in design.devices.values() if one.type_id in switches}
    there = {network for device in kinds.values() for network in networks_of_switch(device)}
    slotted = (one for one in types.values() if isinstance(one, ServerType))
    mixed = {one.id for one in slotted if any(slot.purpose != fabric for slot in one.slots)}
    beside: dict[int, dict[str, str]] = {}  # servers of a kind share one tuple of ports
    for server in design.devices.values() if mixed else ():
        if server.type_id not in mixed:
            continue
        ports = design.ports(server.id)
        if id(ports) not in beside:
            beside[id(ports)] = {
                port.name: NETWORK_OF.get(port.purpose, COMPUTE) for port in ports if port.purpose != fabric
            }
        if beside[id(ports)]:
            there |= {beside[id(ports)][name] for name in design.used_ports(server.id) if name in beside[id(ports)]}
    return [network for network in NETWORKS if network in there or network == COMPUTE]
