"""What devices lack when tiers are connected by hand: NICs of a network, and the role of the switches above."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from designer.model.design import Design
from designer.model.edit import Change, Edit, joined
from designer.model.equipping import install_module
from designer.model.hardware.modules import NicType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.types import HardwareType
from designer.model.networks import COMPUTE, PURPOSE_OF, network_of_switch

ABOVE = {"leaf": "spine", "spine": "core"}
"""The role of the switches over those of a role."""

Find = Callable[[str], HardwareType | None]
Which = Callable[[str, str], bool]
"""Whether a NIC is wanted in that server and slot."""


def network_nics(
    design: Design, server_ids: Sequence[str], switch_ids: Sequence[str], find: Find, which: Which | None = None
) -> Edit:
    """The NICs that types name for the network of the switches, such as the BMC, in servers that have none of it.

    With `which`, those that are wanted, whether a server has others or not. No change for compute, for switches of
    several networks, and for types that name no NIC. Raises SlotError.
    """
    networks = {network_of_switch(design.device(one)) for one in switch_ids}
    return nics_for(design, server_ids, networks.pop() if len(networks) == 1 else COMPUTE, find, which)


def nics_for(design: Design, server_ids: Sequence[str], network: str, find: Find, which: Which | None = None) -> Edit:
    """The NICs that types name for a network, in servers that have none of it; no change for compute."""
    edits, after = list[Edit](), design.snapshot()
    for server_id in server_ids if network != COMPUTE else ():
        for slot, nic in _missing(design, server_id, PURPOSE_OF[network], find, which):
            edits.append(install_module(after, server_id, nic, slot))
            after.apply(edits[-1])
    return joined("Install NICs", edits)


def _missing(
    design: Design, server_id: str, purpose: str, find: Find, which: Which | None
) -> list[tuple[str, NicType]]:
    type_ = design.device_type(server_id)
    if not isinstance(type_, ServerType) or (which is None and design.ports_for(server_id, purpose)):
        return []
    taken = {module.slot for module in design.modules_of(server_id)}
    slots = (slot for slot in type_.slots if slot.purpose == purpose and slot.name not in taken)
    wanted = (slot for slot in slots if which is None or which(server_id, slot.name))
    named = ((slot.name, find(slot.network_nic_type_id)) for slot in wanted)
    return [(name, nic) for name, nic in named if isinstance(nic, NicType)]


def roles_above(design: Design, lower_ids: Sequence[str], upper_ids: Sequence[str]) -> tuple[Change, ...]:
    """Spine for switches without a role over leaf switches, core for those over spines; of the compute network."""
    role = ABOVE.get(next(iter({design.device(one).role for one in lower_ids}), ""), "")
    if not role or len({design.device(one).role for one in lower_ids}) > 1:
        return ()
    uppers = (design.device(one) for one in upper_ids)
    drawn = [one for one in uppers if not one.role and network_of_switch(one) == COMPUTE]
    return tuple(Change(one, replace(one, role=role)) for one in drawn)
