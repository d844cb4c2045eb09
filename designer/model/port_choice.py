"""The ports of a device that a link drawn by hand can take: each with its rate, its cage, and what is on it."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.drawn_tiers import nics_for
from designer.model.edit import Edit
from designer.model.entities import End, Link
from designer.model.hardware.ports import Port
from designer.model.matching import port_compatibility
from designer.model.networks import NETWORK_OF, NETWORKS, TITLES
from designer.model.nic_choice import Find, connect_drawn, connect_over, with_nics
from designer.model.port_labels import both_names, port_label, reserved_text
from designer.units import format_rate

NO_NICS = Edit("", ())


@dataclass(frozen=True, slots=True)
class PortChoice:
    """A port that an end of a link can take."""

    end: End
    port: Port
    state: str
    """What is on it or what it is for: "to leaf-01 3/1", "Storage", "Storage, new NIC"; "" of one for anything."""
    is_free: bool
    nics: Edit = NO_NICS
    """The NICs that come into the server with it; no change where it has them."""

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """Its name, its rate, its cage or the slot of its NIC, and what is on it."""
        place = self.port.slot or f"{self.port.form_factor} {self.port.cage}"
        return both_names(self.port), format_rate(self.port.rate_gbps), place, self.state

    def matches(self, other: "PortChoice") -> bool:
        """Whether a cable joins the two."""
        return port_compatibility(self.port, other.port) is None


def port_choices(design: Design, device_id: str, other_id: str, find: Find) -> tuple[PortChoice, ...]:
    """All ports of a device: the free ones first, then those of NICs that a server has room for, then all others.

    NICs that a server lacks for a network are those that its type names, found by `find`; a switch alone takes them.
    """
    own = [_choice(design, device_id, port) for port in _ports(design, device_id)]
    new = _of_new_nics(design, device_id, find) if design.is_switch(other_id) else ()
    return (*(one for one in own if one.is_free), *new, *(one for one in own if not one.is_free))


def _ports(design: Design, device_id: str) -> tuple[Port, ...]:
    return (*design.ports(device_id), *design.management_ports(device_id))


def _choice(design: Design, device_id: str, port: Port) -> PortChoice:
    end = End(device_id, port.name)
    linked = [design.links[one] for one in design.links_at(end)]
    if linked:
        far = linked[0].b if linked[0].a == end else linked[0].a
        return PortChoice(end, port, f"to {design.device(far.device_id).name} {port_label(design, far)}", is_free=False)
    reserved = reserved_text(design.device(device_id), port.name)
    if reserved:
        return PortChoice(end, port, reserved, is_free=False)
    return PortChoice(end, port, _purpose(port) if design.is_server(device_id) else "", is_free=True)


def _purpose(port: Port) -> str:
    return TITLES[NETWORK_OF[port.purpose]] if port.purpose in NETWORK_OF else ""


def _of_new_nics(design: Design, device_id: str, find: Find) -> Iterator[PortChoice]:
    if not design.is_server(device_id):
        return
    known = set(design.port_map(device_id))
    for network in NETWORKS:
        nics = nics_for(design, [device_id], network, find)
        for port in with_nics(design, nics).ports(device_id) if nics.changes else ():
            if port.name not in known:
                end, state = End(device_id, port.name), f"{TITLES[network]}, new NIC"
                yield PortChoice(end, port, state, is_free=True, nics=nics)


def usual_ends(design: Design, a_id: str, b_id: str, find: Find) -> tuple[str, str]:
    """The ports that a link drawn from device to device takes; "" each where it is refused."""
    try:
        edit = connect_drawn(design, a_id, b_id, find)
    except DesignerError:
        return "", ""
    link = next(change.after for change in edit.changes if isinstance(change.after, Link))
    return (link.a.port, link.b.port) if link.a.device_id == a_id else (link.b.port, link.a.port)


def connect_ports(design: Design, a: PortChoice, b: PortChoice) -> Edit:
    """The link between two ports, with the NICs that it takes. Raises PortError, PortMismatchError."""
    return connect_over(design, a.end, b.end, a.nics if a.nics.changes else b.nics)
