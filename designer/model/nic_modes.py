"""The modes of NICs that are installed: one verb that sets them, and what mode would let a port meet another."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from designer.errors import EditError, NoFreePortError, UnknownEntityError
from designer.model import matching
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link, Module
from designer.model.hardware import Port, PortMode, ServerType, server_ports


def set_nic_mode(design: Design, module_ids: Iterable[str], mode_name: str) -> Edit:
    """The NICs in another of their modes; links stay on their NIC, in port order. Ports that go are reserved no more.

    Raises UnknownEntityError for a mode that a NIC lacks, NoFreePortError where a NIC has more links than ports then.
    """
    modules = [_module(design, module_id) for module_id in dict.fromkeys(module_ids)]
    for module in modules:
        nic = design.nic_type(module.id)
        names = [mode.name for mode in nic.port_modes]
        if mode_name not in names:
            raise UnknownEntityError(f"{_place(design, module)} ({nic.model}) has no mode {mode_name!r}: it has "
                                     f"{', '.join(names)}")  # fmt: skip
    changes: list[Change] = []
    moved: dict[str, Link] = {}
    by_server: dict[str, list[Module]] = {}
    for module in modules:
        if design.nic_type(module.id).mode(module.port_mode).name != mode_name:
            by_server.setdefault(module.device_id, []).append(module)
            delivered = design.nic_type(module.id).port_modes[0].name
            changes.append(Change(module, replace(module, port_mode="" if mode_name == delivered else mode_name)))
    for device_id, chosen in by_server.items():
        its_ids = {one.id for one in chosen}
        changes += _reservations(design, device_id, its_ids, mode_name)
        for old, new in _seats(design, device_id, its_ids, mode_name).items():
            for link_id in design.links_at(End(device_id, old)):
                link = moved.get(link_id, design.links[link_id])
                here, there = End(device_id, old), End(device_id, new)
                moved[link_id] = replace(
                    link, a=there if link.a == here else link.a, b=there if link.b == here else link.b
                )
    changes += [Change(design.links[link_id], link) for link_id, link in moved.items()]
    what = _place(design, modules[0]) if len(modules) == 1 else f"{len(modules)} NICs"
    return Edit(f"Set {what} to {mode_name}", tuple(changes))


def mode_meeting(design: Design, end: End, partner: Port) -> tuple[Module, PortMode] | None:
    """The NIC behind a server's port and another mode of it whose ports a cable joins to the partner; None for none."""
    port = design.port(end)
    if port is None or not port.slot:
        return None
    for module in design.modules_of(end.device_id):
        if module.slot != port.slot:
            continue
        nic = design.nic_type(module.id)
        for mode in nic.port_modes:
            if mode == nic.mode(module.port_mode):
                continue
            ports = ports_in_modes(design, end.device_id, {module.id: mode.name})
            first = next((one for one in ports if one.slot == port.slot), None)
            if first is not None and matching.port_compatibility(first, partner) is None:
                return module, mode
    return None


def ports_in_modes(design: Design, device_id: str, mode_names: Mapping[str, str]) -> tuple[Port, ...]:
    """The ports of a server as they would be with some of its modules, by id, in these modes."""
    type_ = design.device_type(device_id)
    if not isinstance(type_, ServerType):
        raise EditError(f"{design.device(device_id).name} is a switch: it has no NICs")
    modules = design.modules_of(device_id)
    installed = tuple((one.slot, design.nic_type(one.id)) for one in modules)
    return server_ports(type_, installed, tuple((one.slot, mode_names.get(one.id, one.port_mode)) for one in modules))


def _module(design: Design, module_id: str) -> Module:
    if module_id not in design.modules:
        raise UnknownEntityError(f"there is no NIC with id {module_id!r}")
    return design.modules[module_id]


def _place(design: Design, module: Module) -> str:
    return f"{design.device(module.device_id).name} slot {module.slot}"


def _reservations(design: Design, device_id: str, module_ids: set[str], mode_name: str) -> list[Change]:
    """The change that takes reservations off ports that the server does not have in that mode; none where none go."""
    device = design.device(device_id)
    if not device.reserved_ports:
        return []
    names = {port.name for port in ports_in_modes(design, device_id, dict.fromkeys(module_ids, mode_name))}
    gone = {port.name for port in design.ports(device_id)} - names
    kept = tuple(name for name in device.reserved_ports if name not in gone)
    return [Change(device, replace(device, reserved_ports=kept))] if kept != device.reserved_ports else []


def _seats(design: Design, device_id: str, module_ids: set[str], mode_name: str) -> dict[str, str]:
    """Old port name to new for the used ports of these NICs, in port order, whose name changes."""
    used = design.used_ports(device_id)
    after = ports_in_modes(design, device_id, dict.fromkeys(module_ids, mode_name))
    seats: dict[str, str] = {}
    for module in design.modules_of(device_id):
        if module.id not in module_ids:
            continue
        old = [port.name for port in design.ports(device_id) if port.slot == module.slot and port.name in used]
        new = [port.name for port in after if port.slot == module.slot]
        if len(old) > len(new):
            raise NoFreePortError(
                f"{_place(design, module)} uses {len(old)} ports, {mode_name} has {len(new)}: "
                f"remove {len(old) - len(new)} of its links first"
            )
        kept = {name for name in old if name in new}
        free = iter([name for name in new if name not in kept])
        seats.update((name, next(free)) for name in old if name not in kept)
    return seats
