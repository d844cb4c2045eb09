"""Verbs that bring hardware into a design: devices, NICs, racks, their types and modes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from designer.errors import EditError, NoFreePortError, SlotError, UnknownEntityError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, removed
from designer.model.entities import Device, End, Entity, Module, Placement, Rack
from designer.model.hardware import (
    HardwareType,
    NicType,
    Port,
    RackType,
    ServerType,
    Slot,
    SwitchType,
    server_ports,
    switch_ports,
)
from designer.model.naming import Names, checked_name


def add_device(
    design: Design,
    type_: SwitchType | ServerType,
    x: float,
    y: float,
    *,
    catalog_types: Mapping[str, HardwareType],
    name: str | None = None,
    role: str = "",
    group_id: str | None = None,
    rack_id: str | None = None,
    unit: int | None = None,
    with_nics: bool = True,
) -> Edit:
    """A new device with its delivered NICs, and the types it needs where the design does not have them yet.

    A type the design already holds under that id stays as the design holds it. Unnamed devices are counted up.
    """
    check_coordinates(x, y)
    type_ = _own_device_type(design, type_)
    types = _missing_types(design, type_, catalog_types, with_nics)
    names = Names(device.name for device in design.devices.values())
    role = checked_name(role, "a role") if role else ""
    given = names.first(role or _kind_word(type_)) if name is None else checked_name(name)
    device = Device(design.new_ids("devices", 1)[0], given, type_.id, role, group_id)
    modules = _delivered(design, device.id, type_, ()) if with_nics else []
    if rack_id is not None:
        unit = free_unit(design, rack_id, height(type_), unit, device.name)
    placement = Placement(device.id, float(x), float(y), rack_id, unit if rack_id is not None else None)
    return Edit(f"Add {given}", added([*types, device, *modules, placement]))


def add_rack(design: Design, type_: RackType, x: float, y: float, name: str | None = None) -> Edit:
    """A new rack, and its type where the design does not have it yet."""
    check_coordinates(x, y)
    held = design.types.get(type_.id)
    if held is not None and not isinstance(held, RackType):
        raise EditError(f"the design holds {type_.id!r} as something other than a rack")
    names = Names(rack.name for rack in design.racks.values())
    given = names.first("rack") if name is None else checked_name(name)
    rack = Rack(design.new_ids("racks", 1)[0], given, type_.id)
    types: list[Entity] = [type_] if held is None else []
    return Edit(f"Add {given}", added([*types, rack, Placement(rack.id, float(x), float(y))]))


def install_nic(design: Design, device_id: str, nic: NicType, slot: str | None = None) -> Edit:
    """A NIC in the named slot, or in the next free one it fits. Raises SlotError."""
    device, type_ = design.device(device_id), design.device_type(device_id)
    if not isinstance(type_, ServerType):
        raise SlotError(f"{device.name} is a switch: NICs go into the slots of servers")
    held = design.types.get(nic.id, nic)
    if not isinstance(held, NicType):
        raise EditError(f"the design holds {nic.id!r} as something other than a NIC")
    taken = {module.slot: module for module in design.modules_of(device_id)}
    chosen = _next_slot(design, device, type_, held, taken) if slot is None else _named_slot(type_, device, slot)
    if chosen.name in taken:
        there = design.nic_type(taken[chosen.name].id).model
        raise SlotError(f"{device.name} slot {chosen.name} already holds a {there}: remove it first")
    reason = slot_mismatch(chosen, held)
    if reason is not None:
        raise SlotError(f"{device.name} {reason}")
    types: list[Entity] = [nic] if nic.id not in design.types else []
    module = Module(design.new_ids("modules", 1)[0], device_id, chosen.name, nic.id)
    return Edit(f"Install {nic.model} in {device.name}", added([*types, module]))


def slot_mismatch(slot: Slot, nic: NicType) -> str | None:
    """Why a NIC does not fit a slot ("slot rail1 takes OSFP, ConnectX-6 comes as QSFP56"); None where it does."""
    if slot.form_factor and nic.form_factors and slot.form_factor not in nic.form_factors:
        return f"slot {slot.name} takes {slot.form_factor}, {nic.model} comes as {' or '.join(nic.form_factors)}"
    return None


def set_type(
    design: Design,
    device_id: str,
    type_: SwitchType | ServerType,
    *,
    catalog_types: Mapping[str, HardwareType] | None = None,
) -> Edit:
    """The device as another type: its links move to the ports of the same name, or place in like cages, or the next.

    A server keeps the NICs whose slots the new type has, and gets the delivered ones in the others.
    Raises NoFreePortError where there are fewer ports than links, EditError between switch and server.
    """
    device, old = design.device(device_id), design.device_type(device_id)
    type_ = _own_device_type(design, type_)
    if type_.id == old.id:
        return Edit(f"Change {device.name} to {type_.model}", ())
    if isinstance(type_, SwitchType) is not isinstance(old, SwitchType):
        raise EditError(f"{device.name} is a {_kind_word(old)} and cannot become a {_kind_word(type_)}")
    types = _missing_types(design, type_, catalog_types or {}, True)
    gone: list[Module] = []
    new: list[Module] = []
    if isinstance(type_, SwitchType):
        mode = device.port_mode if any(mode.name == device.port_mode for mode in type_.modes) else ""
        ports, after = switch_ports(type_, mode), replace(device, type_id=type_.id, port_mode=mode, cage_modes=())
    else:
        slots = {slot.name for slot in type_.slots}
        kept = [module for module in design.modules_of(device_id) if module.slot in slots]
        gone = [module for module in design.modules_of(device_id) if module.slot not in slots]
        new = _delivered(design, device_id, type_, kept)
        nics = {one.id: one for one in types if isinstance(one, NicType)}
        fitted = [(m.slot, nics.get(m.type_id) or _nic_type(design, m.type_id)) for m in (*kept, *new)]
        nic_modes = tuple((m.slot, m.port_mode) for m in kept)
        ports, after = server_ports(type_, tuple(fitted), nic_modes), replace(device, type_id=type_.id)
    reserved = tuple(name for name in device.reserved_ports if any(port.name == name for port in ports))
    after = replace(after, reserved_ports=reserved)
    moved = _reseated(design, device, type_.model, ports, _cages(type_) == _cages(old))
    changes = (*added(types), *removed(gone), Change(device, after), *added(new), *moved)
    return Edit(f"Change {device.name} to {type_.model}", changes)


def set_port_mode(design: Design, device_id: str, mode_name: str) -> Edit:
    """The switch in another mode of its ports; links stay in their cages where the mode has a lane for them.

    Raises UnknownEntityError for a mode the type lacks, NoFreePortError where there are fewer ports than links.
    """
    device, type_ = design.device(device_id), design.device_type(device_id)
    modes = [mode.name for mode in type_.modes] if isinstance(type_, SwitchType) else []
    if mode_name not in modes or not isinstance(type_, SwitchType):
        raise UnknownEntityError(
            f"{device.name} ({type_.model}) has no port mode {mode_name!r}: it has {', '.join(modes) or 'none'}"
        )
    label = f"Set {device.name} to {mode_name}"
    if (device.port_mode or modes[0]) == mode_name and not device.cage_modes:
        return Edit(label, ())
    ports = switch_ports(type_, mode_name)
    reserved = tuple(name for name in device.reserved_ports if any(port.name == name for port in ports))
    after = replace(device, port_mode=mode_name, cage_modes=(), reserved_ports=reserved)
    return Edit(label, (Change(device, after), *_reseated(design, device, f"mode {mode_name}", ports, True)))


def mount(
    design: Design, device_id: str, rack_id: str | None, unit: int | None = None, side: str | None = None
) -> Edit:
    """The device in a rack at that unit, or at the lowest where it fits; rack None takes it out.

    `side` turns its ports to the front ("") or the "rear"; None leaves them. Raises EditError where the units are
    taken, outside the rack, or none are free.
    """
    device = design.device(device_id)
    before = design.placements.get(device_id)
    if rack_id is None:
        if before is None or before.rack_id is None:
            return Edit(f"Take {device.name} out of its rack", ())
        after = replace(before, rack_id=None, unit=None, side="")
        return Edit(f"Take {device.name} out of its rack", (Change(before, after),))
    rack = design.racks.get(rack_id)
    if rack is None:
        raise UnknownEntityError(f"there is no rack with id {rack_id!r}")
    unit = free_unit(design, rack_id, height(design.device_type(device_id)), unit, device.name, device_id)
    stand = before or design.placements.get(rack_id) or Placement(device_id, 0.0, 0.0)
    if side not in (None, *SIDES):
        raise EditError(f"a device's ports look to the front or the rear, not to {side!r}")
    kept = before.side if before is not None else ""
    after = Placement(device_id, stand.x, stand.y, rack_id, unit, kept if side is None else side)
    changes = () if after == before else (Change(before, after),)
    return Edit(f"Mount {device.name} in {rack.name}", changes)


WHOLE_RACK_UNITS = 42
"""Taken for a rack-scale system or chassis whose height is not known: the rack that everything else stands in."""


def height(type_: SwitchType | ServerType) -> int:
    """Rack units the device takes; where its height is not known 1, or a whole rack for what is one by itself."""
    if type_.rack_units is None and type_.fills_rack:
        return WHOLE_RACK_UNITS
    return max(1, math.ceil(type_.rack_units or 1))


def free_unit(
    design: Design, rack_id: str, units: int, wanted: int | None, name: str, device_id: str | None = None
) -> int:
    """The wanted unit where it is free for that height, or the lowest that is. Raises EditError with the reason."""
    rack = design.racks.get(rack_id)
    if rack is None:
        raise UnknownEntityError(f"there is no rack with id {rack_id!r}")
    rack_type = design.types[rack.type_id]
    top = rack_type.units if isinstance(rack_type, RackType) else 0
    holders: dict[int, str] = {}
    for other_id in design.mounted(rack_id):
        other = design.placements[other_id]
        if other_id != device_id and other.unit is not None and other_id in design.devices:
            taken = range(other.unit, other.unit + height(design.device_type(other_id)))
            holders.update((one, design.device(other_id).name) for one in taken)
    if wanted is None:
        for unit in range(1, top - units + 2):
            if not any(one in holders for one in range(unit, unit + units)):
                return unit
        free = sum(unit not in holders for unit in range(1, top + 1))
        raise EditError(f"{rack.name} has no {units} free units in a row for {name} ({top - free} of {top} taken)")
    if wanted < 1 or wanted + units - 1 > top:
        raise EditError(f"{name} takes {units} units and cannot stand at unit {wanted} of {rack.name}, which has {top}")
    for one in range(wanted, wanted + units):
        if one in holders:
            raise EditError(f"{rack.name} unit {one} is taken by {holders[one]}")
    return wanted


def check_coordinates(*values: float) -> None:
    """Raises EditError for a place no canvas has."""
    for value in values:
        if not math.isfinite(value) or abs(value) > FARTHEST:
            raise EditError(f"a place on the canvas lies within {FARTHEST:,.0f} units of its middle, not at {value:g}")


SIDES = ("", "rear")
"""Where a mounted device's ports look: "" is the front."""

FARTHEST = 1e9
"""How far from the middle of the canvas a thing may stand."""


def _kind_word(type_: HardwareType) -> str:
    return "switch" if isinstance(type_, SwitchType) else "server"


def _own_device_type(design: Design, type_: SwitchType | ServerType) -> SwitchType | ServerType:
    """The type as the design holds it, else as given."""
    held = design.types.get(type_.id, type_)
    if not isinstance(held, SwitchType | ServerType):
        raise EditError(f"the design holds {type_.id!r} as something other than a switch or server")
    return held


def _nic_type(design: Design, type_id: str) -> NicType:
    nic = design.types[type_id]
    if not isinstance(nic, NicType):
        raise EditError(f"the design holds {type_id!r} as something other than a NIC")
    return nic


def _missing_types(
    design: Design, type_: SwitchType | ServerType, catalog_types: Mapping[str, HardwareType], with_nics: bool
) -> list[HardwareType]:
    """The type and its delivered NIC types, as far as the design lacks them."""
    missing: list[HardwareType] = [] if type_.id in design.types else [type_]
    if isinstance(type_, ServerType) and with_nics:
        for nic_id in dict.fromkeys(slot.nic_type_id for slot in type_.slots if slot.nic_type_id):
            if nic_id in design.types:
                continue
            nic = catalog_types.get(nic_id)
            if not isinstance(nic, NicType):
                raise UnknownEntityError(f"{type_.model} is delivered with {nic_id!r}, which is not in the catalog")
            missing.append(nic)
    return missing


def _delivered(
    design: Design, device_id: str, type_: SwitchType | ServerType, kept: Sequence[Module]
) -> list[Module]:
    """The NICs as delivered, in the slots that none of the kept modules is in."""
    taken = {module.slot for module in kept}
    slots = type_.slots if isinstance(type_, ServerType) else ()
    empty = [slot for slot in slots if slot.nic_type_id and slot.name not in taken]
    ids = design.new_ids("modules", len(empty))
    return [Module(new_id, device_id, slot.name, slot.nic_type_id) for new_id, slot in zip(ids, empty, strict=True)]


def _named_slot(type_: ServerType, device: Device, name: str) -> Slot:
    for slot in type_.slots:
        if slot.name == name:
            return slot
    known = ", ".join(slot.name for slot in type_.slots) or "none"
    raise SlotError(f"{device.name} has no slot {name!r}: it has {known}")


def _next_slot(
    design: Design, device: Device, type_: ServerType, nic: NicType, taken: Mapping[str, Module]
) -> Slot:
    empty = [slot for slot in type_.slots if slot.name not in taken]
    # The slot that is stated to hold such a NIC goes before one it merely fits.
    for slot in sorted(empty, key=lambda slot: nic.id not in (slot.nic_type_id, slot.network_nic_type_id)):
        if slot_mismatch(slot, nic) is None:
            return slot
    if not type_.slots:
        raise SlotError(f"{device.name} ({type_.model}) has no NIC slots")
    if not empty:
        raise SlotError(f"{device.name} has no free slot left ({len(taken)} of {len(type_.slots)} taken)")
    raise SlotError(f"{device.name} {slot_mismatch(empty[0], nic)}")


def _cages(type_: SwitchType | ServerType) -> int | None:
    """Number of cages of a switch."""
    return sum(cages.count for cages in type_.cages) if isinstance(type_, SwitchType) else None


def _reseated(
    design: Design, device: Device, what: str, ports: Sequence[Port], same_cages: bool
) -> list[Change]:
    """The changes that move a device's links to its new ports."""
    seats = _seats(design, device, what, ports, same_cages)
    changes = []
    for link in design.links_of(device.id):
        after = replace(link, a=_moved(link.a, device.id, seats), b=_moved(link.b, device.id, seats))
        if after != link:
            changes.append(Change(link, after))
    return changes


def _moved(end: End, device_id: str, seats: Mapping[str, str]) -> End:
    return End(device_id, seats[end.port]) if end.device_id == device_id else end


def _seats(
    design: Design, device: Device, what: str, ports: Sequence[Port], same_cages: bool
) -> dict[str, str]:
    """Old port name to new for every used port: the same name, else its place in the cages, else the next free."""
    old = design.port_map(device.id)
    order = {name: index for index, name in enumerate(old)}
    used = sorted(design.used_ports(device.id), key=lambda name: (order.get(name, len(order)), name))
    if len(used) > len(ports):
        raise NoFreePortError(
            f"{device.name} uses {len(used)} ports, {what} has {len(ports)}: "
            f"remove {len(used) - len(ports)} links first"
        )
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
