"""Links that move to other ports of their device, where its type, its modes or its modules change."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from designer.errors import NoFreePortError
from designer.model.design import Design
from designer.model.edit import Change
from designer.model.entities import Device, End
from designer.model.hardware.ports import MANAGEMENT, Port


def reseated(
    design: Design, device: Device, what: str, ports: Sequence[Port], same_cages: bool, in_slots: bool = False
) -> list[Change]:
    """The changes that move a device's links to its new ports; `in_slots` keeps links in their slots."""
    if in_slots:
        seats = _slot_seats(design, device, what, ports)
    else:
        seats = _seats(design, device, what, ports, same_cages)
    return moved_links(design, device.id, seats)


def moved_links(design: Design, device_id: str, seats: Mapping[str, str]) -> list[Change]:
    """The changes that move the links of a device from ports to others, by name; `seats` names every used port."""
    changes = []
    for link in design.links_of(device_id):
        after = replace(link, a=_moved(link.a, device_id, seats), b=_moved(link.b, device_id, seats))
        if after != link:
            changes.append(Change(link, after))
    return changes


def _moved(end: End, device_id: str, seats: Mapping[str, str]) -> End:
    return End(device_id, seats[end.port]) if end.device_id == device_id else end


def _slot_seats(design: Design, device: Device, what: str, ports: Sequence[Port]) -> dict[str, str]:
    """Old port name to new for every used port: the same name, else the next free port of its slot."""
    old, used = design.port_map(device.id), design.used_ports(device.id)
    seats = {name: name for name in used}
    for slot in dict.fromkeys(old[name].slot for name in used if name in old):
        names = [name for name, port in old.items() if port.slot == slot and name in used]
        there = [port.name for port in ports if port.slot == slot]
        if len(names) > len(there):
            raise NoFreePortError(
                f"{device.name} slot {slot} uses {len(names)} ports, {what} has {len(there)}: "
                f"remove {len(names) - len(there)} of its links first"
            )
        free = iter([name for name in there if name not in names])
        seats |= {name: next(free) for name in names if name not in there}
    return seats


def _seats(design: Design, device: Device, what: str, ports: Sequence[Port], same_cages: bool) -> dict[str, str]:
    """Old port name to new for every used port: the same name, else its place in the cages, else the next free.

    Ports by which a switch is managed give way to such ports alone.
    """
    managing = {port.name for port in design.management_ports(device.id)}
    order = {port.name: index for index, port in enumerate(design.ports(device.id))}
    used = sorted(design.used_ports(device.id), key=lambda name: (order.get(name, len(order)), name))
    seats: dict[str, str] = {}
    for names, word, is_managing in (
        ([name for name in used if name not in managing], "ports", False),
        ([name for name in used if name in managing], "management ports", True),
    ):
        offered = [port for port in ports if (port.purpose == MANAGEMENT and not port.slot) is is_managing]
        if len(names) > len(offered):
            raise NoFreePortError(
                f"{device.name} uses {len(names)} {word}, {what} has {len(offered)}: "
                f"remove {len(names) - len(offered)} links first"
            )
        seats |= _seated(design.port_map(device.id), names, offered, same_cages)
    return seats


def _seated(old: Mapping[str, Port], used: Sequence[str], ports: Sequence[Port], same_cages: bool) -> dict[str, str]:
    new_names = {port.name for port in ports}
    seats = {name: name for name in used if name in new_names}
    free = {port.name: port for port in ports if port.name not in seats}
    at = {(port.cage, port.lane): port.name for port in free.values()} if same_cages else {}
    homeless = []
    for name in used:
        if name in seats:
            continue
        same = at.get((old[name].cage, old[name].lane)) if name in old else None
        if same is not None and same in free:
            seats[name] = same
            del free[same]
        else:
            homeless.append(name)
    seats.update(zip(homeless, list(free), strict=False))
    return seats
