"""Which NIC of a server a link drawn to a switch takes, and which network a switch is in that states none.

A server has NICs for several networks. A switch that has a network takes those for it. A switch that was just drawn has
none: the NIC that its first link takes decides it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from designer.errors import PortError
from designer.model.design import Design
from designer.model.drawn_tiers import nics_for
from designer.model.edit import Change, Edit, joined
from designer.model.entities import Device, End, Link
from designer.model.hardware.ports import Port
from designer.model.hardware.types import HardwareType
from designer.model.matching import port_compatibility
from designer.model.networks import COMPUTE, NETWORK_OF, NETWORKS, OUT_OF_BAND, PURPOSE_OF, network_of_switch
from designer.model.wiring import connect, connect_devices

Find = Callable[[str], HardwareType | None]

LEAF = "leaf"
SLOWEST_GBPS = 1.0
"""Ports of switches that are for server controllers and management ports alone."""


@dataclass(frozen=True, slots=True)
class NicChoice:
    """Ports of a server that a switch takes: those for one network."""

    network: str
    server_end: End
    switch_end: End
    nics: Edit
    """The NICs that come into the server, which has none for that network yet; no change where it has."""


def nic_choices(design: Design, server_id: str, switch_id: str, find: Find) -> tuple[NicChoice, ...]:
    """The networks whose NICs of a server a cable joins to free ports of a switch, with the ports it would take.

    NICs that the server lacks for a network are those that its type names, and types are found by `find`.
    """
    if not design.is_server(server_id) or not design.is_switch(switch_id):
        return ()
    theirs, rail = design.free_ports(switch_id), design.device(switch_id).rail
    found = []
    for network in NETWORKS:
        nics = nics_for(design, [server_id], network, find)
        own = with_nics(design, nics).free_ports(server_id, PURPOSE_OF[network])
        own.sort(key=lambda port: rail is not None and port.gpu is not None and port.gpu + 1 != rail)
        pairs = [(port, other) for port in own if (other := _first_matching(port, theirs)) is not None]
        if pairs:
            port, other = pairs[0]
            ends = End(server_id, port.name), End(switch_id, other.name)
            found.append(NicChoice(network, *ends, nics))
    return tuple(found)


def with_nics(design: Design, nics: Edit) -> Design:
    """The design with these NICs in it; itself without any."""
    if not nics.changes:
        return design
    after = design.snapshot()
    after.apply(nics)
    return after


def _first_matching(port: Port, others: Iterable[Port]) -> Port | None:
    return next((one for one in others if port_compatibility(port, one) is None), None)


def connect_over(design: Design, a: End, b: End, nics: Edit) -> Edit:
    """The link over two ports, after the NICs that it takes; a switch without a network is in its network then.

    Raises PortError, PortInUseError or PortMismatchError.
    """
    after = with_nics(design, nics)
    link = with_network(after, connect(after, a, b))
    return joined(link.label, (nics, link))


def connect_nic(design: Design, choice: NicChoice) -> Edit:
    """The link over the ports of a choice."""
    return connect_over(design, choice.server_end, choice.switch_end, choice.nics)


def connect_drawn(design: Design, a_id: str, b_id: str, find: Find) -> Edit:
    """A link drawn from device to device, as `connect_devices` makes it.

    A switch without a network takes any NIC of a server that it has ports for, where it has none for compute: a
    management switch the controller. Raises NoFreePortError, PortMismatchError.
    """
    try:
        edit = connect_devices(design, a_id, b_id)
    except PortError:
        server, switch = (a_id, b_id) if design.is_server(a_id) else (b_id, a_id)
        choice = _for_first_link(design, server, switch, find)
        if choice is None:
            raise
        return connect_nic(design, choice)
    return with_network(design, edit)


def is_open(design: Design, device_id: str) -> bool:
    """Whether nothing says yet what network a switch is in: neither it nor its role, nor a link."""
    device = design.device(device_id)
    is_stated = bool(device.network) or network_of_switch(device) != COMPUTE
    return design.is_switch(device_id) and not is_stated and not design.links_of(device_id)


def _for_first_link(design: Design, server_id: str, switch_id: str, find: Find) -> NicChoice | None:
    """What a switch without a link takes of a server: NICs for its network, or the first that match; None for none."""
    if not design.is_switch(switch_id) or design.links_of(switch_id):
        return None
    choices = nic_choices(design, server_id, switch_id, find)
    is_for_management = is_open(design, switch_id) and _is_for_management(design, switch_id)
    wanted = OUT_OF_BAND if is_for_management else network_of_switch(design.device(switch_id))
    others = choices[:1] if is_open(design, switch_id) else ()
    return next((one for one in (*choices, *others) if one.network == wanted), next(iter(others), None))


def with_network(design: Design, edit: Edit) -> Edit:
    """The edit with the network, and the role of a leaf, of each switch whose first link leads to a NIC for it."""
    stated: dict[str, Change] = {}
    for change in edit.changes:
        link = change.after
        if not isinstance(link, Link) or change.before is not None:
            continue
        for near, far in ((link.a, link.b), (link.b, link.a)):
            port = design.port(near)
            if port is None or not design.is_server(near.device_id) or far.device_id in stated:
                continue
            network = NETWORK_OF.get(port.purpose, COMPUTE)
            if network != COMPUTE and is_open(design, far.device_id):
                device = design.device(far.device_id)
                stated[far.device_id] = Change(device, replace(device, network=network, role=device.role or LEAF))
    return Edit(edit.label, (*stated.values(), *edit.changes)) if stated else edit


def of_its_kind(design: Design, edit: Edit) -> Edit:
    """The edit with switches that it adds in the out-of-band network where all of their ports are for management.

    Those have ports of 1G alone, but for a few faster ones for uplinks.
    """
    after = design.snapshot()
    after.apply(edit)
    changes = []
    for change in edit.changes:
        device = change.after
        is_new = change.before is None and isinstance(device, Device) and after.is_switch(device.id)
        if is_new and isinstance(device, Device) and not device.network and _is_for_management(after, device.id):
            device = replace(device, network=OUT_OF_BAND, role=device.role or LEAF)
        changes.append(Change(change.before, device))
    return Edit(edit.label, tuple(changes))


def _is_for_management(design: Design, device_id: str) -> bool:
    rates = [port.rate_gbps for port in design.ports(device_id)]
    slow = sum(rate <= SLOWEST_GBPS for rate in rates)
    return bool(rates) and 2 * slow > len(rates)
