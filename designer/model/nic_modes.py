"""The modes of NICs and line cards that are installed: one verb that sets them, and which would let two ports meet."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from designer.errors import EditError, NoFreePortError, UnknownEntityError
from designer.model import matching
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link, Module
from designer.model.fitted import fitted_ports, reserving
from designer.model.hardware.modules import LineCardType, module_word
from designer.model.hardware.ports import Port, PortMode
from designer.model.hardware.switches import SwitchType


def set_nic_mode(design: Design, module_ids: Iterable[str], mode_name: str) -> Edit:
    """The NICs or line cards in another of their modes; links stay on their module, in port order.

    Ports that go are reserved no more. Raises UnknownEntityError for a mode that a module lacks, NoFreePortError where
    a module has more links than ports then.
    """
    modules = [_module(design, module_id) for module_id in dict.fromkeys(module_ids)]
    for module in modules:
        nic = design.module_type(module.id)
        names = [mode.name for mode in nic.port_modes]
        if mode_name not in names:
            raise UnknownEntityError(
                f"{_place(design, module)} ({nic.model}) has no mode {mode_name!r}: it has {', '.join(names)}"
            )
    changes: list[Change] = []
    moved: dict[str, Link] = {}
    by_server: dict[str, list[Module]] = {}
    for module in modules:
        if design.module_mode(module.id).name != mode_name:
            by_server.setdefault(module.device_id, []).append(module)
            changes.append(Change(module, replace(module, port_mode=_stored(design, module, mode_name))))
    for device_id, chosen in by_server.items():
        its_ids = {one.id for one in chosen}
        changes += _device_after(design, device_id, its_ids, mode_name)
        for old, new in _seats(design, device_id, its_ids, mode_name).items():
            for link_id in design.links_at(End(device_id, old)):
                link = moved.get(link_id, design.links[link_id])
                here, there = End(device_id, old), End(device_id, new)
                moved[link_id] = replace(
                    link, a=there if link.a == here else link.a, b=there if link.b == here else link.b
                )
    changes += [Change(design.links[link_id], link) for link_id, link in moved.items()]
    words = dict.fromkeys(module_word(design.module_type(one.id)) for one in modules)
    what = _place(design, modules[0]) if len(modules) == 1 else f"{len(modules)} {' and '.join(words) or 'NIC'}s"
    return Edit(f"Set {what} to {mode_name}", tuple(changes))


def mode_meeting(design: Design, end: End, partner: Port) -> tuple[Module, PortMode] | None:
    """The NIC behind a server's port and another mode of it whose ports a cable joins to the partner; None for none."""
    port = design.port(end)
    if port is None or not port.slot or design.is_switch(end.device_id):
        return None
    for module in design.modules_of(end.device_id):
        if module.slot != port.slot:
            continue
        for mode in design.module_type(module.id).port_modes:
            if mode == design.module_mode(module.id):
                continue
            ports = ports_in_modes(design, end.device_id, {module.id: mode.name})
            first = next((one for one in ports if one.slot == port.slot), None)
            if first is not None and matching.port_compatibility(first, partner) is None:
                return module, mode
    return None


def ports_in_modes(design: Design, device_id: str, mode_names: Mapping[str, str]) -> tuple[Port, ...]:
    """The ports of a device as they would be with some of its modules, by id, in these modes."""
    type_, device = design.device_type(device_id), design.device(device_id)
    if isinstance(type_, SwitchType) and not type_.slots:
        raise EditError(f"{device.name} is a switch without slots: it has no modules")
    modules = [replace(one, port_mode=mode_names.get(one.id, one.port_mode)) for one in design.modules_of(device_id)]
    cage_modes = _other_cages(design, device_id, {one.slot for one in modules if one.id in mode_names})
    return fitted_ports(replace(device, cage_modes=cage_modes), type_, modules, design.types)


def _other_cages(design: Design, device_id: str, slots: set[str]) -> tuple[tuple[int, str], ...]:
    """The cage modes of a device without those of the cages in these slots."""
    device = design.device(device_id)
    if not device.cage_modes:
        return ()
    there = {port.cage for port in design.ports(device_id) if port.slot in slots}
    return tuple((cage, mode) for cage, mode in device.cage_modes if cage not in there)


def _stored(design: Design, module: Module, mode_name: str) -> str:
    """The mode as the module's record says it: "" where it would run in it without being set."""
    delivered_mode = design.module_type(module.id).port_modes[0].name
    if isinstance(design.module_type(module.id), LineCardType):
        delivered_mode = design.module_type(module.id).mode(design.device(module.device_id).port_mode).name
    return "" if mode_name == delivered_mode else mode_name


def _module(design: Design, module_id: str) -> Module:
    if module_id not in design.modules:
        raise UnknownEntityError(f"there is no module with id {module_id!r}")
    return design.modules[module_id]


def _place(design: Design, module: Module) -> str:
    return f"{design.device(module.device_id).name} slot {module.slot}"


def _device_after(design: Design, device_id: str, module_ids: set[str], mode_name: str) -> list[Change]:
    """The change that takes away reservations of ports, and modes of cages, that the device does not have in that mode.

    None where there is nothing to take away.
    """
    device = design.device(device_id)
    if not device.reserved_ports and not device.cage_modes:
        return []
    names = {port.name for port in ports_in_modes(design, device_id, dict.fromkeys(module_ids, mode_name))}
    gone = {port.name for port in design.ports(device_id)} - names
    kept = [name for name in device.reserved_ports if name not in gone]
    cage_modes = _other_cages(design, device_id, {design.modules[one].slot for one in module_ids})
    after = replace(reserving(device, kept), cage_modes=cage_modes)
    return [Change(device, after)] if after != device else []


def _seats(design: Design, device_id: str, module_ids: set[str], mode_name: str) -> dict[str, str]:
    """Old port name to new for the used ports of these modules, in port order, whose name changes."""
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
