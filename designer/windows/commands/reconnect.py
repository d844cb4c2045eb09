"""Reconnect: the selected links led from the device that they share to another, with a preview."""

from designer.errors import ParameterError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import order_key
from designer.model.networks import network_of_switch
from designer.session.session import Session
from designer.units import format_counted
from designer.windows.shell.construction_bar import Choices, Construction, Option

FROM, TO = "from", "to"
Offered = tuple[tuple[str, str], ...]


def shared_devices(session: Session) -> list[str]:
    """The devices at which all selected links end: the upper ones first, as these are what links are led away from."""
    design = session.design
    ends = [{link.a.device_id, link.b.device_id} for link in map(design.links.__getitem__, session.selected.links)]
    shared = set.intersection(*ends) if ends else set()
    return sorted(shared, key=lambda one: (design.is_server(one), order_key(one)))


def _shared_offered(session: Session) -> Offered:
    return tuple((one, session.design.device(one).name) for one in shared_devices(session))


def _others_offered(session: Session) -> Offered:
    """Where the links may lead: first devices of the role and network of the first that they share, by name."""
    design, shared = session.design, shared_devices(session)
    likeness = _likeness(design, shared[0]) if shared else None
    others = [one for one in design.devices.values() if one.id not in shared]
    others.sort(key=lambda one: (_likeness(design, one.id) != likeness, order_key(one.name)))
    return tuple((one.id, one.name) for one in others)


def _likeness(design: Design, device_id: str) -> tuple[bool, str, str]:
    device, is_switch = design.device(device_id), design.is_switch(device_id)
    return is_switch, device.role, network_of_switch(device) if is_switch else ""


def _reconnected(session: Session, choices: Choices) -> Edit:
    if not shared_devices(session):
        raise ParameterError("select links that all end at one device")
    ids = sorted(session.selected.links, key=order_key)
    return operations.reconnect(session.design, ids, choices[FROM], choices[TO])


def _note(session: Session, choices: Choices) -> str:
    design, to_id = session.design, choices[TO]
    free = format_counted(len(design.free_ports(to_id)), "free port")
    return f"From {design.device(choices[FROM]).name} to {design.device(to_id).name}, which has {free} before."


RECONNECT = Construction(
    "link.reconnect",
    "Reconnect",
    _reconnected,
    (
        Option(FROM, "From", "choice", offered=_shared_offered, hint="The device that the selected links share"),
        Option(TO, "To", "choice", offered=_others_offered, hint="Each link takes the next free port that matches"),
    ),
    _note,
    nothing="The links already lead there.",
)
