"""What an edit would bring, stated before it is done: counts, and the ports it leaves free."""

from dataclasses import dataclass

from designer.analysis.tiers import NO_ROLE
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Group, Link, Placement, Rack
from designer.units import format_count, format_counted


@dataclass(frozen=True, slots=True)
class PortsLeft:
    """Free ports, after the edit, of the switches of one role that its links end on and of their like beside them."""

    role: str
    least: int
    most: int
    switches: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """What an edit adds, and what it leaves."""

    links: int
    devices: dict[str, int]
    """New devices by role."""
    groups: int
    racks: int
    left: tuple[PortsLeft, ...]
    moved: int = 0
    """Devices and racks that stand elsewhere on the canvas afterwards."""

    @property
    def sentence(self) -> str:
        """ "Adds 64 links and 8 leafs; 32 ports left on each leaf."."""
        parts = [format_counted(self.links, "link")] if self.links else []
        parts += [format_counted(count, role) for role, count in self.devices.items()]
        parts += [format_counted(self.groups, "group")] if self.groups else []
        parts += [format_counted(self.racks, "rack")] if self.racks else []
        if not parts and self.moved:
            return f"Moves {format_counted(self.moved, 'thing')}."
        if not parts:
            return "Nothing to add: everything is there already."
        listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
        return "; ".join([f"Adds {listed}", *map(_left, self.left)]) + "."


def outlook(design: Design, edit: Edit) -> Outlook:
    """What the edit would bring to the design, which stays as it is."""
    after = design.snapshot()
    after.apply(edit)
    new = [change.after for change in edit.changes if change.before is None]
    links = [one for one in new if isinstance(one, Link)]
    devices: dict[str, int] = {}
    for one in new:
        if isinstance(one, Device):
            role = _role(after, one.id)
            devices[role] = devices.get(role, 0) + 1
    ends = dict.fromkeys(end.device_id for link in links for end in (link.a, link.b))
    left: dict[str, list[int]] = {}
    for device_id in _with_their_like(after, [one for one in ends if after.is_switch(one)]):
        left.setdefault(_role(after, device_id), []).append(len(after.free_ports(device_id)))
    return Outlook(
        len(links),
        devices,
        sum(isinstance(one, Group) for one in new),
        sum(isinstance(one, Rack) for one in new),
        tuple(PortsLeft(role, min(free), max(free), len(free)) for role, free in left.items()),
        sum(isinstance(change.before, Placement) and isinstance(change.after, Placement) for change in edit.changes),
    )


def _with_their_like(design: Design, switches: list[str]) -> dict[str, None]:
    """The switches, and those of the same role in their groups: "each router" of two groups joined is all of them."""
    met = dict.fromkeys(switches)
    for group_id, role in dict.fromkeys((design.device(one).group_id, _role(design, one)) for one in switches):
        if group_id is not None:
            alike = (one for one in design.members(group_id) if one in design.devices and design.is_switch(one))
            met.update(dict.fromkeys(one for one in alike if _role(design, one) == role))
    return met


def _role(design: Design, device_id: str) -> str:
    if design.is_server(device_id):
        return "server"
    role = design.device(device_id).role
    return role if role and role != NO_ROLE else "switch"


def _left(ports: PortsLeft) -> str:
    count = format_count(ports.least)
    if ports.most != ports.least:
        count += f" to {format_count(ports.most)}"
    word = "port" if ports.most == 1 else "ports"
    return f"{count} {word} left on {'each' if ports.switches > 1 else 'the'} {ports.role}"
