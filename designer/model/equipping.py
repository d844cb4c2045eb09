"""Verbs that bring hardware into a design: devices, NICs, line cards, racks, and their types."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from designer.errors import EditError, NoFreePortError, SlotError, UnknownEntityError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, removed
from designer.model.entities import STORAGE_ROLE, Device, Entity, Link, Module, Placement, Rack
from designer.model.fitted import every_port, refitted, reserving
from designer.model.hardware.modules import LineCardType, ModuleType, NicType, Slot
from designer.model.hardware.ports import Port
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import REAR_TO_FRONT, SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.matching import port_compatibility
from designer.model.naming import Names, checked_name
from designer.model.reseating import reseated


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
    with_modules: bool = True,
) -> Edit:
    """A new device with its delivered NICs or line cards, and the types it needs that the design does not have yet.

    A type the design already holds under that id stays as the design holds it. Unnamed devices are counted up.
    """
    check_coordinates(x, y)
    type_ = own_device_type(design, type_)
    types = missing_types(design, type_, catalog_types, with_modules)
    names = Names(device.name for device in design.devices.values())
    role = checked_name(role, "a role") if role else role_of_type(type_)
    given = names.first(role or kind_word(type_)) if name is None else checked_name(name)
    device = Device(design.new_ids("devices", 1)[0], given, type_.id, role, group_id)
    modules = delivered(design, {device.id: type_}) if with_modules else []
    if rack_id is not None:
        unit = free_unit(design, rack_id, height(type_), unit, device.name)
    placement = Placement(device.id, float(x), float(y))
    if rack_id is not None:
        placement = replace(placement, rack_id=rack_id, unit=unit, side=cold_side(type_))
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


def install_module(design: Design, device_id: str, module_type: ModuleType, slot: str | None = None) -> Edit:
    """A NIC or line card in the named slot, or in the next free one it fits. Raises SlotError."""
    device, type_ = design.device(device_id), design.device_type(device_id)
    held = _own_module_type(design, device, type_, module_type)
    taken = {module.slot: module for module in design.modules_of(device_id)}
    chosen = _next_slot(device, type_, held, taken) if slot is None else _named_slot(type_, device, slot)
    if chosen.name in taken:
        there = design.module_type(taken[chosen.name].id).model
        raise SlotError(f"{device.name} slot {chosen.name} already holds a {there}: remove it first")
    _require_fit(device, chosen, held)
    types: list[Entity] = [held] if held.id not in design.types else []
    module = Module(design.new_ids("modules", 1)[0], device_id, chosen.name, held.id)
    label = f"Install {held.model} in {device.name}"
    return Edit(
        label,
        (*added(types), *_with_modules(design, device, (*taken.values(), module), {held.id: held}), *added([module])),
    )


def swap_module(design: Design, module_id: str, module_type: ModuleType) -> Edit:
    """Another NIC or line card in a module's slot; links go to its ports of the same name, else in port order.

    Raises SlotError where it does not fit the slot, NoFreePortError where the slot has more links than ports then.
    """
    module = design.modules.get(module_id)
    if module is None:
        raise UnknownEntityError(f"there is no module with id {module_id!r}")
    device, type_ = design.device(module.device_id), design.device_type(module.device_id)
    held = _own_module_type(design, device, type_, module_type)
    label = f"Swap the module in {device.name} slot {module.slot} for {held.model}"
    if held.id == module.type_id:
        return Edit(label, ())
    _require_fit(device, _named_slot(type_, device, module.slot), held)
    mode = module.port_mode if any(one.name == module.port_mode for one in held.port_modes) else ""
    after = replace(module, type_id=held.id, port_mode=mode)
    modules = [after if one.id == module_id else one for one in design.modules_of(device.id)]
    changed = _with_modules(design, device, modules, {held.id: held})
    types: list[Entity] = [held] if held.id not in design.types else []
    ports = every_port(_after(device, changed), type_, modules, {**design.types, held.id: held})
    moved = reseated(design, device, held.model, ports, False, in_slots=True)
    return Edit(label, (*added(types), *changed, Change(module, after), *moved))


def slot_mismatch(slot: Slot, module_type: ModuleType) -> str | None:
    """Why a module does not fit a slot ("slot rail1 takes OSFP, ConnectX-6 comes as QSFP56"); None where it does."""
    if slot.form_factor and module_type.form_factors and slot.form_factor not in module_type.form_factors:
        comes_as = " or ".join(module_type.form_factors)
        return f"slot {slot.name} takes {slot.form_factor}, {module_type.model} comes as {comes_as}"
    return None


def set_type(
    design: Design,
    device_id: str,
    type_: SwitchType | ServerType,
    *,
    catalog_types: Mapping[str, HardwareType] | None = None,
) -> Edit:
    """The device as another type: its links move to the ports of the same name, or place in like cages, or the next.

    It keeps the NICs or line cards whose slots the new type has, and gets the delivered ones in the others. A switch
    keeps the mode of its ports by name, or gets the first of the modes that the most of its links fit.
    Raises NoFreePortError where there are fewer ports than links, EditError between switch and server.
    """
    device, old = design.device(device_id), design.device_type(device_id)
    type_ = own_device_type(design, type_)
    if type_.id == old.id:
        return Edit(f"Change {device.name} to {type_.model}", ())
    if isinstance(type_, SwitchType) is not isinstance(old, SwitchType):
        raise EditError(f"{device.name} is a {kind_word(old)} and cannot become a {kind_word(type_)}")
    types = missing_types(design, type_, catalog_types or {})
    slots = {slot.name: slot for slot in type_.slots}
    kept = [module for module in design.modules_of(device_id) if _stays(design, module, slots)]
    gone = [module for module in design.modules_of(device_id) if module not in kept]
    new = delivered(design, {device_id: type_}, kept)
    after = replace(device, type_id=type_.id)
    modules, held = (*kept, *new), {**design.types, **{one.id: one for one in types}}
    same_cages = _cages(type_) == _cages(old)
    if isinstance(type_, SwitchType):
        after = replace(after, port_mode="", cage_modes=())
        names = [mode.name for mode in type_.modes]
        tried = ("", *names[1:]) if device.port_mode not in names else (device.port_mode,)
        after = _fitting(design, [replace(after, port_mode=one) for one in tried], type_, modules, held, same_cages)
    ports = every_port(after, type_, modules, held)
    kept_free = [name for name in device.reserved_ports if any(port.name == name for port in ports)]
    after = reserving(after, kept_free)
    moved = reseated(design, device, type_.model, ports, same_cages)
    # Cards go before the device turns into what has no slots for them, and come once it has.
    changes = (*added(types), *removed(gone), Change(device, after), *added(new), *moved)
    return Edit(f"Change {device.name} to {type_.model}", changes)


def _fitting(
    design: Design,
    offered: Sequence[Device],
    type_: SwitchType,
    modules: Sequence[Module],
    types: Mapping[str, HardwareType],
    same_cages: bool,
) -> Device:
    """The first of the devices offered, one in each mode, whose ports the most of its links fit, and then in rate.

    One after the first, which has too few ports, must keep the rates of all links.
    """
    device, best, rates_most = offered[0], (math.inf, math.inf), math.inf
    for one in offered if len(offered) > 1 else ():
        ports = every_port(one, type_, modules, types)
        try:
            moved = reseated(design, design.device(one.id), type_.model, ports, same_cages)
        except NoFreePortError:
            rates_most = 0 if one is offered[0] else rates_most
            continue
        misfits = _misfits(design, one.id, {port.name: port for port in ports}, moved)
        if misfits < best and misfits[1] <= rates_most:
            device, best = one, misfits
    return device


def _misfits(design: Design, device_id: str, ports: Mapping[str, Port], moved: Sequence[Change]) -> tuple[int, int]:
    """Of the links of a device, once moved to these ports: how many no cable joins, and how many have two rates."""
    n_unfit = n_rates = 0
    links = {link.id: link for link in design.links_of(device_id)}
    links |= {one.after.id: one.after for one in moved if isinstance(one.after, Link)}
    for link in links.values():
        own, other = (link.a, link.b) if link.a.device_id == device_id else (link.b, link.a)
        port, peer = ports.get(own.port), design.port(other)
        if port is not None and peer is not None:
            n_unfit += port_compatibility(port, peer) is not None
            n_rates += port.rate_gbps != peer.rate_gbps
    return n_unfit, n_rates


def mount(
    design: Design, device_id: str, rack_id: str | None, unit: int | None = None, side: str | None = None
) -> Edit:
    """The device in a rack at that unit, or at the lowest where it fits; rack None takes it out.

    `side` turns its ports to the "front" or the "rear", "" where that is not known; None leaves them, or turns those of
    one that stood in no rack so that it takes in cold air. Raises EditError where the units are taken, outside the
    rack, or none are free.
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
    is_in_rack = before is not None and before.rack_id is not None
    kept = before.side if before is not None and is_in_rack else cold_side(design.device_type(device_id))
    is_locked = before is not None and before.locked
    after = Placement(device_id, stand.x, stand.y, rack_id, unit, kept if side is None else side, is_locked)
    changes = () if after == before else (Change(before, after),)
    return Edit(f"Mount {device.name} in {rack.name}", changes)


def cold_side(type_: SwitchType | ServerType) -> str:
    """The side that a device turns to the rear so that it takes in air at the front of its rack: a Placement.side."""
    return "rear" if type_.airflow == REAR_TO_FRONT else ""


WHOLE_RACK_UNITS = 42
"""Taken for a rack-scale system or chassis whose height is not known: the rack that everything else stands in."""
SERVER_UNITS = 10
"""Taken for a server of several GPUs whose height is not known: that of the highest such servers of the catalog."""
GENERIC = "Generic"
"""The vendor of types that stand for any of their kind."""


def height(type_: SwitchType | ServerType) -> int:
    """Rack units the device takes.

    Where its height is not known 1, those of the highest for a server of several GPUs, or a whole rack for what is one
    by itself. Generic types have no height: they stand in a rack only where somebody puts them.
    """
    if type_.rack_units is None and type_.fills_rack:
        return WHOLE_RACK_UNITS
    if type_.rack_units is None and isinstance(type_, ServerType) and type_.gpus > 1 and type_.vendor != GENERIC:
        return SERVER_UNITS
    return max(1, math.ceil(type_.rack_units or 1))


def free_unit(
    design: Design, rack_id: str, units: int, wanted: int | None, name: str, device_id: str | None = None
) -> int:
    """The wanted unit where it is free for that height, or the lowest that is. Raises EditError with the reason."""
    rack = design.racks.get(rack_id)
    if rack is None:
        raise UnknownEntityError(f"there is no rack with id {rack_id!r}")
    top = units_of(design, rack_id)
    holders = _holders(design, rack_id, device_id)
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


def empty_units(design: Design, rack_id: str) -> set[int]:
    """The units of a rack, from 1, in which no device stands."""
    return set(range(1, units_of(design, rack_id) + 1)).difference(_holders(design, rack_id, None))


def units_of(design: Design, rack_id: str) -> int:
    """Height of a rack in units."""
    type_ = design.types[design.racks[rack_id].type_id]
    return type_.units if isinstance(type_, RackType) else 0


def _holders(design: Design, rack_id: str, without: str | None) -> dict[int, str]:
    """The names of the devices that take the units of a rack, by unit."""
    holders: dict[int, str] = {}
    for other_id in design.mounted(rack_id):
        other = design.placements[other_id]
        if other_id != without and other.unit is not None and other_id in design.devices:
            taken = range(other.unit, other.unit + height(design.device_type(other_id)))
            holders.update((one, design.device(other_id).name) for one in taken)
    return holders


def missing_types(
    design: Design, type_: SwitchType | ServerType, catalog_types: Mapping[str, HardwareType], with_modules: bool = True
) -> list[HardwareType]:
    """The type and the types of its delivered modules, as far as the design lacks them."""
    missing: list[HardwareType] = [] if type_.id in design.types else [type_]
    wanted = (slot.module_type_id for slot in type_.slots if slot.module_type_id) if with_modules else ()
    for module_id in dict.fromkeys(wanted):
        if module_id in design.types:
            continue
        found = catalog_types.get(module_id)
        if not isinstance(found, LineCardType if isinstance(type_, SwitchType) else NicType):
            raise UnknownEntityError(f"{type_.model} is delivered with {module_id!r}, which is not in the catalog")
        missing.append(found)
    return missing


def delivered(
    design: Design, types: Mapping[str, SwitchType | ServerType], kept: Sequence[Module] = ()
) -> list[Module]:
    """The modules that devices of these types, by id, are delivered with, in slots that none of the kept ones is in."""
    taken = {(module.device_id, module.slot) for module in kept}
    empty = [
        (device_id, slot)
        for device_id, type_ in types.items()
        for slot in type_.slots
        if slot.module_type_id and (device_id, slot.name) not in taken
    ]
    ids = design.new_ids("modules", len(empty))
    return [Module(new, one, slot.name, slot.module_type_id) for new, (one, slot) in zip(ids, empty, strict=True)]


def check_coordinates(*values: float) -> None:
    """Raises EditError for a place no canvas has."""
    for value in values:
        if not math.isfinite(value) or abs(value) > FARTHEST:
            raise EditError(f"a place on the canvas lies within {FARTHEST:,.0f} units of its middle, not at {value:g}")


SIDES = ("", "front", "rear")
"""Where a mounted device's ports look: "" is the front."""

FARTHEST = 1e9
"""How far from the middle of the canvas a thing may stand."""


def kind_word(type_: HardwareType) -> str:
    """What a device of the type is called: "switch" or "server"."""
    return "switch" if isinstance(type_, SwitchType) else "server"


def role_of_type(type_: SwitchType | ServerType) -> str:
    """The role that devices of the type have by themselves: "storage" for storage servers, else ""."""
    return STORAGE_ROLE if isinstance(type_, ServerType) and type_.is_storage else ""


def own_device_type(design: Design, type_: SwitchType | ServerType) -> SwitchType | ServerType:
    """The type as the design holds it, else as given."""
    held = design.types.get(type_.id, type_)
    if not isinstance(held, SwitchType | ServerType):
        raise EditError(f"the design holds {type_.id!r} as something other than a switch or server")
    return held


def _own_module_type(design: Design, device: Device, type_: SwitchType | ServerType, wanted: ModuleType) -> ModuleType:
    """The module's type as the design holds it, else as given. Raises SlotError where the device takes none such."""
    if isinstance(wanted, NicType) is isinstance(type_, SwitchType):
        takes = "NICs go into the slots of servers" if isinstance(wanted, NicType) else "line cards go into chassis"
        raise SlotError(f"{device.name} is a {kind_word(type_)}: {takes}")
    held = design.types.get(wanted.id, wanted)
    if not isinstance(held, NicType if isinstance(wanted, NicType) else LineCardType):
        what = "NIC" if isinstance(wanted, NicType) else "line card"
        raise EditError(f"the design holds {wanted.id!r} as something other than a {what}")
    return held


def _require_fit(device: Device, slot: Slot, module_type: ModuleType) -> None:
    reason = slot_mismatch(slot, module_type)
    if reason is not None:
        raise SlotError(f"{device.name} {reason}")


def _stays(design: Design, module: Module, slots: Mapping[str, Slot]) -> bool:
    """Whether a module stays in a device whose slots become these; a NIC does that a user has put in nonetheless."""
    slot, type_ = slots.get(module.slot), design.module_type(module.id)
    return slot is not None and (isinstance(type_, NicType) or slot_mismatch(slot, type_) is None)


def _with_modules(
    design: Design, device: Device, modules: Sequence[Module], types: Mapping[str, HardwareType]
) -> list[Change]:
    """The change of the device itself that comes with these modules; none where it stays as it is."""
    type_ = design.device_type(device.id)
    after = refitted(device, type_, design.modules_of(device.id), modules, {**design.types, **types})
    return [Change(device, after)] if after != device else []


def _after(device: Device, changes: Sequence[Change]) -> Device:
    """The device as the changes leave it."""
    return next((one.after for one in changes if isinstance(one.after, Device) and one.after.id == device.id), device)


def _named_slot(type_: SwitchType | ServerType, device: Device, name: str) -> Slot:
    for slot in type_.slots:
        if slot.name == name:
            return slot
    known = ", ".join(slot.name for slot in type_.slots) or "none"
    raise SlotError(f"{device.name} has no slot {name!r}: it has {known}")


def _next_slot(
    device: Device, type_: SwitchType | ServerType, module_type: ModuleType, taken: Mapping[str, Module]
) -> Slot:
    empty = [slot for slot in type_.slots if slot.name not in taken]
    # The slot that is stated to hold such a module goes before one it merely fits.
    for slot in sorted(empty, key=lambda slot: module_type.id not in (slot.module_type_id, slot.network_nic_type_id)):
        if slot_mismatch(slot, module_type) is None:
            return slot
    if not type_.slots:
        what = "NIC slots" if isinstance(type_, ServerType) else "slots for line cards"
        raise SlotError(f"{device.name} ({type_.model}) has no {what}")
    if not empty:
        raise SlotError(f"{device.name} has no free slot left ({len(taken)} of {len(type_.slots)} taken)")
    raise SlotError(f"{device.name} {slot_mismatch(empty[0], module_type)}")


def _cages(type_: SwitchType | ServerType) -> int | None:
    """Number of cages of a switch."""
    return type_.n_cages if isinstance(type_, SwitchType) else None
