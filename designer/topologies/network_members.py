"""Who joins a network other than compute: servers by the ports that are for it, switches by their management ports."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.hardware.device_ports import management_ports, server_ports
from designer.model.hardware.modules import NicType
from designer.model.hardware.ports import Port
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.matching import port_compatibility
from designer.model.networks import OUT_OF_BAND, PURPOSE_OF, TITLES, network_of_link, network_of_switch
from designer.topologies.equipment import TypeSource, first_ports, fitted_nics


@dataclass(frozen=True, slots=True)
class Member:
    """A device that is to come into a network: NICs to put in, and its ports for it."""

    device_id: str
    """"" for a switch that is not built yet."""
    nics: tuple[tuple[str, NicType], ...]
    ports: tuple[Port, ...]
    nic_modes: tuple[tuple[str, str], ...] = ()
    """Modes by slot, of NICs to put in that do not run in the one they are delivered in."""
    number: int = 0
    """Of a switch that is not built yet: its place among those, from 0."""


def managed_switches(design: Design, to_come: Sequence[SwitchType], leaf: SwitchType | ServerType) -> list[Member]:
    """The switches of other networks by each management port without a link, then those that are to be built.

    A port that no mode of the leaf meets is left out.
    """
    offered = first_ports(leaf) if isinstance(leaf, SwitchType) else []
    there = [
        Member(switch.id, (), (port,))
        for switch in design.switches()
        if network_of_switch(switch) != OUT_OF_BAND
        for port in design.free_ports(switch.id, PURPOSE_OF[OUT_OF_BAND])
    ]
    new = [
        Member("", (), (port,), number=number)
        for number, type_ in enumerate(to_come)
        for port in management_ports(type_, type_.n_cages)
    ]
    return [
        member for member in (*there, *new) if any(port_compatibility(member.ports[0], one) is None for one in offered)
    ]


def filled(members: Sequence[Member], switch_ids: Sequence[str]) -> tuple[Member, ...]:
    """The members with the ids of the switches that are built by now."""
    return tuple(one if one.device_id else replace(one, device_id=switch_ids[one.number]) for one in members)


def servers_to_join(
    design: Design,
    network: str,
    find: TypeSource,
    servers: Sequence[str],
    leaf: SwitchType | ServerType,
    *,
    or_else: Sequence[Member] = (),
    nic_id: str = "",
) -> tuple[Member, ...]:
    """The servers that have ports for the network and no link in it; with the NIC `nic_id` in the slots for it.

    Raises ParameterError where none is left, unless all are in the network and there is something else to join it.
    """
    found, there = [], 0
    for server_id in servers:
        if any(network_of_link(design, link) == network for link in design.links_of(server_id)):
            there += 1
            continue
        member = _member(design, network, find, server_id, leaf, nic_id)
        if member.ports:
            found.append(member)
    if found:
        return tuple(found)
    word = TITLES[network].lower()
    if there and or_else:
        return ()
    if there:
        raise ParameterError(f"every server that can be is in the {word} network already")
    models = ", ".join(dict.fromkeys(design.device_type(one).model for one in servers))
    raise ParameterError(
        f"no {word} port is stated for {models}: give its type a slot with a NIC for it, or leave that network out"
    )


def together(several: Sequence[Sequence[Member]]) -> tuple[Member, ...]:
    """The members of several networks on the same switches: each device once, with its ports for all of them."""
    found: dict[str, Member] = {}
    for one in itertools.chain.from_iterable(several):
        there = found.get(one.device_id)
        if there is None:
            found[one.device_id] = one
            continue
        nics, modes = dict((*there.nics, *one.nics)), dict((*there.nic_modes, *one.nic_modes))
        found[one.device_id] = replace(
            there, nics=tuple(nics.items()), ports=(*there.ports, *one.ports), nic_modes=tuple(modes.items())
        )
    return tuple(found.values())


def _member(
    design: Design, network: str, find: TypeSource, server_id: str, leaf: SwitchType | ServerType, nic_id: str
) -> Member:
    """NICs of several modes are put in in the first one that a mode of the leaf's ports meets."""
    type_ = design.device_type(server_id)
    assert isinstance(type_, ServerType)
    purpose = PURPOSE_OF[network]
    modules = design.modules_of(server_id)
    installed = {module.slot: design.nic_type(module.id) for module in modules}
    empty = (slot for slot in type_.slots if purpose in slot.purposes and slot.name not in installed)
    stated = ((slot.name, nic_id or slot.network_nic_type_id or slot.nic_type_id) for slot in empty)
    nics = fitted_nics(find, type_, stated)
    nic_modes = tuple((slot, name) for slot, nic in nics if (name := _meeting_mode(type_, slot, nic, leaf)))
    in_modes = (*((module.slot, module.port_mode) for module in modules), *nic_modes)
    ports = server_ports(type_, tuple({**installed, **dict(nics)}.items()), in_modes)
    used = design.used_ports(server_id)
    free = tuple(port for port in ports if port.purpose == purpose and port.name not in used)
    return Member(server_id, tuple(nics), free, nic_modes)


def _meeting_mode(type_: ServerType, slot: str, nic: NicType, leaf: SwitchType | ServerType) -> str:
    """The first mode of a NIC whose ports the switch has a mode for; "" for the delivered one, and where none is."""
    offered = first_ports(leaf) if isinstance(leaf, SwitchType) else []
    for mode in nic.modes:
        port = server_ports(type_, ((slot, nic),), ((slot, mode.name),))[0]
        if any(port_compatibility(port, one) is None for one in offered):
            return "" if mode == nic.modes[0] else mode.name
    return ""
