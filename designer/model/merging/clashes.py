"""Ports, slots and rack units that both sides took, and ports that one side uses and the other one took away."""

from collections.abc import Iterator
from typing import Any

from designer.model.design import Design
from designer.model.entities import Device, End, Group, Link, Module, PlacedJob, Placement
from designer.model.equipping import height
from designer.model.hardware.modules import NicType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.merging.conflicts import EQUIPMENT, NESTED, TAKEN, Conflict
from designer.model.merging.references import Key
from designer.model.merging.resolution import PORT_FIELDS, Resolution
from designer.model.merging.versions import OURS, SIDES, Side, key_order, other

Place = tuple[str, str, object]
"""A port, slot or rack unit: its kind, what it is in, and which one."""
_ONE_EACH = ("links", "modules", "placements")


def settle_clashes(merge: Resolution) -> bool:
    """Decide who has the places that both sides took; True where another round must follow from that."""
    owners: dict[Place, list[Key]] = {}
    for key in merge.touched():
        if key[0] in _ONE_EACH:
            record = merge.merged(key)
            if record is not None:
                for place in _places(merge, record):
                    owners.setdefault(place, []).append(key)
    clashing = {place: keys for place, keys in owners.items() if len(keys) > 1 and _is_clash(merge, place, keys)}
    forced = False
    for places in _together(clashing):
        forced |= _settle(merge, {place: clashing[place] for place in places})
    return forced


def _places(merge: Resolution, record: Any) -> Iterator[Place]:
    """What the record has for itself."""
    if isinstance(record, Link):
        yield "port", record.a.device_id, record.a.port
        yield "port", record.b.device_id, record.b.port
    elif isinstance(record, Module):
        yield "slot", record.device_id, record.slot
    elif isinstance(record, Placement) and record.rack_id is not None and record.unit is not None:
        device = merge.any_version(("devices", record.id))
        type_ = merge.any_version(("types", device.type_id)) if isinstance(device, Device) else None
        units = height(type_) if isinstance(type_, SwitchType | ServerType) else 1
        for unit in range(record.unit, record.unit + units):
            yield "rack unit", record.rack_id, unit


def _sides(merge: Resolution, place: Place, key: Key) -> list[Side]:
    """The sides that have the record in that place."""
    versions = ((side, merge.versions.of(side, key)) for side in SIDES)
    return [side for side, record in versions if record is not None and place in set(_places(merge, record))]


def _is_clash(merge: Resolution, place: Place, keys: list[Key]) -> bool:
    """Whether no side has all of them there: what one side doubled by itself is none of the merge's."""
    holders = [_sides(merge, place, key) for key in keys]
    return not any(all(side in sides for sides in holders) for side in SIDES)


def _together(clashing: dict[Place, list[Key]]) -> list[list[Place]]:
    """The places in sets that have no record in common: one decision each."""
    found: list[tuple[list[Place], set[Key]]] = []
    for place, keys in clashing.items():
        joined: tuple[list[Place], set[Key]] = ([place], set(keys))
        rest = []
        for places, records in found:
            if records.isdisjoint(joined[1]):
                rest.append((places, records))
            else:
                joined = ([*places, *joined[0]], records | joined[1])
        found = [*rest, joined]
    return [places for places, _ in found]


def _settle(merge: Resolution, clashing: dict[Place, list[Key]]) -> bool:
    keys = sorted({key for some in clashing.values() for key in some}, key=key_order)
    first = min(clashing, key=lambda place: (place[1], str(place[2])))
    table, one = keys[0]
    conflict = Conflict(f"{table}/{one}/{first[0].replace(' ', '-')}", TAKEN, tuple(keys), OURS, False, first[0])
    taken = merge.decide(conflict, lasts=True)
    forced = False
    for place, some in clashing.items():
        for key in some:
            if taken not in _sides(merge, place, key):
                forced |= merge.force(key, taken)
    if not forced:  # what was forced before stands against the choice
        for key in keys:
            forced |= merge.force(key, OURS)
    return forced


# -- what devices have ------------------------------------------------------------------------------------------------


def settle_kinds(merge: Resolution) -> bool:
    """Decide where one side made a switch of a server that the other one equips; True where a round must follow."""
    unfit: dict[str, list[Key]] = {}
    for key in merge.touched():
        record = merge.merged(key)
        if isinstance(record, Module):
            wanted = ServerType if isinstance(merge.merged(("types", record.type_id)), NicType) else SwitchType
            if not _is_of(merge, record.device_id, wanted):
                unfit.setdefault(record.device_id, []).append(key)
        elif isinstance(record, PlacedJob):
            for one in record.servers:
                if not _is_of(merge, one.device_id, ServerType):
                    unfit.setdefault(one.device_id, []).append(key)
    return _settle_all(merge, unfit)


def _is_of(merge: Resolution, device_id: str, wanted: type[ServerType] | type[SwitchType]) -> bool:
    device = merge.merged(("devices", device_id))
    return device is None or isinstance(merge.merged(("types", device.type_id)), wanted)


def settle_ports(merge: Resolution, made: Design) -> bool:
    """Decide where links of one side are at ports that the other one took away; True where a round must follow."""
    lost: dict[str, list[Key]] = {}
    for side in SIDES:
        design = merge.versions.design(side)
        for key in merge.versions.changed[side]:
            link = made.links.get(key[1]) if key[0] == "links" else None
            if link is None:
                continue
            for end in (link.a, link.b):
                if _had(design, end) and not _is_same_port(design, made, end):
                    lost.setdefault(end.device_id, []).append(key)
    return _settle_all(merge, lost)


def _settle_all(merge: Resolution, by_device: dict[str, list[Key]]) -> bool:
    forced = False
    for device_id, keys in by_device.items():
        forced |= _settle_equipment(merge, device_id, keys)
    return forced


def _had(design: Design, end: End) -> bool:
    return end.device_id in design.devices and design.port(end) is not None


def _is_same_port(design: Design, made: Design, end: End) -> bool:
    was, now = design.port(end), made.port(end)
    return was is not None and now is not None and (was.slot, was.cage, was.lane) == (now.slot, now.cage, now.lane)


def _settle_equipment(merge: Resolution, device_id: str, keys: list[Key]) -> bool:
    device, modules = ("devices", device_id), _modules(merge, device_id)
    about = tuple(dict.fromkeys((device, *keys, *(one for one in modules if _is_contested(merge, one)))))
    conflict = Conflict(f"devices/{device_id}/{EQUIPMENT}", EQUIPMENT, about, OURS, False)
    taken = merge.decide(conflict, lasts=True)
    forced = _force_equipment(merge, device_id, taken)
    for key in keys:
        if merge.versions.of(other(taken), key) != merge.versions.of(taken, key):
            forced |= merge.force(key, taken)
    if not forced:
        forced = _force_equipment(merge, device_id, OURS)
        for key in keys:
            forced |= merge.force(key, OURS)
    return forced


def _force_equipment(merge: Resolution, device_id: str, side: Side) -> bool:
    forced = False
    for name in PORT_FIELDS:
        forced |= merge.force_field(("devices", device_id), name, side)
    for module in _modules(merge, device_id):
        forced |= merge.force(module, side)
    return forced


def _modules(merge: Resolution, device_id: str) -> list[Key]:
    """What either side has in the slots of the device."""
    held = (module.id for side in SIDES for module in merge.versions.design(side).modules_of(device_id))
    return [("modules", one) for one in dict.fromkeys(held)]


def _is_contested(merge: Resolution, key: Key) -> bool:
    return bool(merge.versions.of(SIDES[0], key) != merge.versions.of(SIDES[1], key))


# -- groups -----------------------------------------------------------------------------------------------------------


def settle_nesting(merge: Resolution) -> bool:
    """Decide where groups would contain themselves; True where a round must follow."""
    forced, seen = False, set[Key]()
    for key in merge.touched():
        loop = _loop(merge, key) if key[0] == "groups" and key not in seen else []
        if loop:
            seen.update(loop)
            keys = tuple(sorted(loop, key=key_order))
            conflict = Conflict(f"groups/{keys[0][1]}/{NESTED}", NESTED, keys, OURS, False)
            taken = merge.decide(conflict, lasts=True)
            forced |= _force_parents(merge, keys, taken) or _force_parents(merge, keys, OURS)
    return forced


def _force_parents(merge: Resolution, keys: tuple[Key, ...], side: Side) -> bool:
    forced = False
    for key in keys:
        forced |= merge.force_field(key, "parent_id", side)
    return forced


def _loop(merge: Resolution, key: Key) -> list[Key]:
    """The groups around a group, back to itself; none where that is not so."""
    way: list[Key] = []
    current = key
    while current not in way:
        way.append(current)
        record = merge.merged(current)
        if not isinstance(record, Group) or record.parent_id is None:
            return []
        current = ("groups", record.parent_id)
    return way if current == key else []
