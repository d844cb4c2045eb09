"""Hand edits of devices, racks, groups and NICs, made again on the new fabric."""

from dataclasses import fields, replace
from typing import Any

from designer.errors import DesignerError
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Module
from designer.model.equipping import slot_mismatch
from designer.model.hardware.modules import module_word
from designer.model.hardware.switches import SwitchType
from designer.regeneration.ground import Ground, attached_modules
from designer.units import format_count

EQUIPMENT = ("type_id", "port_mode", "cage_modes")

ON_FLOOR = {"x_m", "y_m", "facing"}

WORDS = {
    "name": "renamed",
    "type_id": "changed to another type",
    "port_mode": "set to another port mode",
    "cage_modes": "split cage by cage",
    "role": "given another role",
    "reserved_for": "given purposes for reserved ports",
    "reserved_ports": "given other reserved ports",
    "group_id": "put into another group",
    "parent_id": "put into another group",
    "kind": "made another kind of group",
    "rail": "put on another rail",
    "plane": "put on another plane",
    "unit": "put into another unit",
    "network": "put into another network",
    "carries": "shared with other networks",
    "recipe": "given another recipe",
    "x_m": "moved on the floor",
    "y_m": "moved on the floor",
    "facing": "turned round",
    "power_budget_w": "given a power budget",
    "max_weight_kg": "given a load that it carries",
    "feeds_w": "given power feeds",
    "tags": "tagged",
    "fields": "given fields",
    "colour": "colored",
    "layout": "laid out another way",
    "collapsed_roles": "collapsed",
    "is_collapsed": "collapsed",
    "is_locked": "locked in place",
    "row": "put into another row",
}
"""What a hand edit of a field did: of every field that a device, a rack or a group has, except its id."""


def replay_devices(ground: Ground) -> None:
    """Deletions first, then types and modes, then the other fields, then NICs."""
    _delete_again(ground)
    for device_id in ground.ours("devices"):
        if device_id in ground.target.devices:
            _equip_again(ground, device_id)
    placed: list[str] = []
    for table in ("groups", "racks", "devices"):
        for one, stands in ground.ours(table).items():
            _set_again(ground, table, ground.base.tables[table][one], stands, placed)
    if placed:
        many = "1 rack that has" if len(placed) == 1 else f"{format_count(len(placed))} racks that have"
        are = "is" if len(placed) == 1 else "are"
        ground.conflict(f"{many} a place on the floor {are} not part of the new fabric", *placed)
    _fit_again(ground)


def _delete_again(ground: Ground) -> None:
    """What was deleted by hand and is generated again goes again."""
    for table in ("devices", "racks", "groups", "modules"):
        standing, target = getattr(ground.before, table), getattr(ground.target, table)
        gone = [one for one in ground.base.tables[table] if one not in standing and one in target]
        if table == "modules":
            gone = [one for one in gone if _same_type(ground, ground.target.modules[one].device_id)]
        if gone:
            ground.attempt(f"Delete {len(gone)} {table}", operations.delete(ground.target, gone).changes, *gone)


def _same_type(ground: Ground, device_id: str) -> bool:
    """The device is there and of the type it was generated as: its NICs were removed one by one."""
    stands = ground.before.devices.get(device_id)
    return stands is not None and stands.type_id == ground.base.tables["devices"][device_id].type_id


def _equip_again(ground: Ground, device_id: str) -> None:
    base: Device = ground.base.tables["devices"][device_id]
    stands = ground.before.device(device_id)
    if all(getattr(base, name) == getattr(stands, name) for name in EQUIPMENT):
        return
    type_ = ground.before.device_type(device_id)
    before = ground.target.snapshot()
    try:
        if stands.type_id != base.type_id:
            edit = operations.set_type(ground.target, device_id, type_, catalog_types=ground.before.types)
            ground.target.apply(edit)
        if isinstance(type_, SwitchType) and stands.port_mode != ground.target.device(device_id).port_mode:
            modes = ground.target.port_modes(device_id)
            if modes:
                mode = stands.port_mode or modes[0].name
                ground.target.apply(operations.set_port_mode(ground.target, device_id, mode))
        _split_again(ground, stands)
    except DesignerError as error:
        ground.target = before
        ground.conflict(f"{stands.name} was {_done(base, stands, EQUIPMENT)} by hand: {error}", device_id)
        return
    ground.retyped.add(device_id)
    if type_.slots:
        _same_modules(ground, device_id)


def _split_again(ground: Ground, stands: Device) -> None:
    """The cage modes and the very mode as they stand. Raises DesignerError where links would lose their ports."""
    now = ground.target.device(stands.id)
    after = replace(now, port_mode=stands.port_mode, cage_modes=stands.cage_modes)
    if after == now:
        return
    had = {name for name in ground.target.used_ports(stands.id) if name in ground.target.port_map(stands.id)}
    ground.target.apply(Edit("Split", (Change(now, after),)))
    lost = sorted(had - set(ground.target.port_map(stands.id)))
    if lost:
        raise DesignerError(f"the new fabric has links on its port {lost[0]}")


def _same_modules(ground: Ground, device_id: str) -> None:
    """A device whose type was changed by hand holds the NICs or line cards it held."""
    changes = [Change(one, None) for one in ground.target.modules_of(device_id)]
    changes += [Change(None, one) for one in ground.before.modules_of(device_id)]
    ground.attempt(f"Modules of {ground.before.device(device_id).name}", tuple(changes), device_id)


def _set_again(ground: Ground, table: str, base: Any, stands: Any, placed: list[str]) -> None:
    """The fields that were set by hand, set again; equipment has been seen to. Racks that go are put to `placed`."""
    skipped = EQUIPMENT if table == "devices" else ()
    changed = [one.name for one in fields(base) if getattr(base, one.name) != getattr(stands, one.name)]
    if not changed:
        return
    now = getattr(ground.target, table).get(base.id)
    if now is None and set(changed) <= ON_FLOOR:
        placed.append(base.id)
        return
    if now is None:
        done = _done(base, stands, tuple(changed))
        ground.conflict(f"{stands.name} was {done} by hand and is not part of the new fabric", base.id)
        return
    for name in changed:
        if name in skipped:
            continue
        value = getattr(stands, name)
        if name == "reserved_ports":
            value = _reserved(ground, base, stands)
        now = getattr(ground.target, table)[base.id]
        after = replace(now, **{name: value})
        if after != now:
            ground.attempt(f"{stands.name} was {WORDS[name]} by hand", (Change(now, after),), base.id)


def _reserved(ground: Ground, base: Device, stands: Device) -> tuple[str, ...]:
    """The new fabric's reserved ports, less and more what was taken off and added by hand."""
    now = ground.target.device(base.id)
    if now.reserved_ports == base.reserved_ports:
        return stands.reserved_ports
    kept = [port for port in now.reserved_ports if port in stands.reserved_ports or port not in base.reserved_ports]
    for port in stands.reserved_ports:
        if port in base.reserved_ports or port in kept:
            continue
        if port in ground.target.used_ports(base.id):
            ground.conflict(f"{stands.name} port {port} was reserved by hand; the new fabric uses it", base.id)
        else:
            kept.append(port)
    return tuple(kept)


def _fit_again(ground: Ground) -> None:
    """NICs and line cards that were exchanged or added by hand."""
    for one, stands in ground.ours("modules").items():
        now = ground.target.modules.get(one)
        if stands != ground.base.tables["modules"][one] and now is not None and now != stands:
            if now.type_id == stands.type_id and (now.device_id, now.slot) == (stands.device_id, stands.slot):
                _run_again(ground, stands)
            else:
                stated = f"{_place(ground, stands)} holds another {_word(ground, stands)}"
                ground.attempt(stated, (Change(now, stands),), stands.device_id)
    for module in attached_modules(ground):
        if module.id in ground.target.modules:
            continue
        reason, got = _no_room(ground, module), f"{_place(ground, module)} got a {_word(ground, module)} by hand"
        if reason is None:
            ground.attempt(got, (Change(None, module),), module.device_id)
        else:
            ground.conflict(f"{got}; {reason}", module.device_id)


def _run_again(ground: Ground, stands: Module) -> None:
    """The mode that a NIC was set to by hand, its tags and fields."""
    now = ground.target.modules[stands.id]
    noted = replace(now, tags=stands.tags, fields=stands.fields)
    if noted != now:
        ground.target.apply(Edit("Tag", (Change(now, noted),)))
    if noted == stands:
        return
    mode = ground.before.module_mode(stands.id)
    try:
        ground.target.apply(operations.set_nic_mode(ground.target, [stands.id], mode.name))
    except DesignerError as error:
        ground.conflict(f"{_place(ground, stands)} was set to {mode.name} by hand: {error}", stands.device_id)


def _no_room(ground: Ground, module: Module) -> str | None:
    target = ground.target
    if module.device_id not in target.devices:
        return "its device is not part of the new fabric"
    type_, held = target.device_type(module.device_id), ground.before.module_type(module.id)
    slot = next((one for one in type_.slots if one.name == module.slot), None)
    if slot is None:
        return "its device has no such slot any more"
    if any(one.slot == module.slot for one in target.modules_of(module.device_id)):
        return "the new fabric has one there itself"
    return slot_mismatch(slot, held)


def _place(ground: Ground, module: Module) -> str:
    return f"{ground.before.device(module.device_id).name} slot {module.slot}"


def _word(ground: Ground, module: Module) -> str:
    return module_word(ground.before.module_type(module.id))


def _done(base: Any, stands: Any, names: tuple[str, ...]) -> str:
    words = [WORDS[name] for name in names if getattr(base, name) != getattr(stands, name)]
    return " and ".join(dict.fromkeys(words))
