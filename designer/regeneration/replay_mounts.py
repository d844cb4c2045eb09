"""Hand edits of what stands in which rack, made again on the new fabric."""

from collections.abc import Iterator
from dataclasses import replace

from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Placement
from designer.model.equipping import height, units_of
from designer.model.hardware.racks import RackType
from designer.model.networks import COMPUTE, networks_of_switch
from designer.regeneration.ground import Ground

Mount = tuple[str | None, int | None, str]


def replay_mounts(ground: Ground) -> None:
    """Devices that were mounted elsewhere by hand, and hand-added ones in racks that the new fabric fills otherwise."""
    again = list(_mounted_by_hand(ground))
    target = ground.target
    fallbacks = {one: mount_of(target.placements[one]) for one, _ in again}
    target.apply(Edit("Take out", tuple(_remount(target, one, (None, None, "")) for one, _ in again)))
    for one, by_hand in again:
        wanted = by_hand
        reason = _problem(ground, one, wanted)
        if reason is not None:
            name = ground.before.device(one).name
            ground.conflict(f"{name} was mounted by hand at {_note_text(ground, wanted)}: {reason}", one)
            wanted = fallbacks[one] if _problem(ground, one, fallbacks[one]) is None else (None, None, "")
        target.apply(Edit("Mount", (_remount(target, one, wanted),)))
    for one in _guests(ground):
        stands = mount_of(target.placements[one])
        reason = _problem(ground, one, stands)
        if reason is None:
            continue
        near = _near(ground, one, stands)
        if near is None:
            stood = f"{ground.before.device(one).name} stood{'' if _is_of_a_network(target, one) else ' by hand'}"
            ground.conflict(f"{stood} at {_note_text(ground, stands)}: {reason}", one)
        else:
            ground.reseated.append(one)
        target.apply(Edit("Mount", (_remount(target, one, near or (None, None, "")),)))


def mount_of(placement: Placement) -> Mount:
    """The rack, rack unit and side of a placement."""
    return placement.rack_id, placement.unit, placement.side


def _mounted_by_hand(ground: Ground) -> Iterator[tuple[str, Mount]]:
    for one, base in ground.base.placements.items():
        stands = ground.before.placements.get(one)
        if one not in ground.before.devices or stands is None or one not in ground.target.placements:
            continue
        if mount_of(stands) != mount_of(base) and mount_of(ground.target.placements[one]) != mount_of(stands):
            yield one, mount_of(stands)


def _guests(ground: Ground) -> Iterator[str]:
    """Devices of no recipe in racks of the fabric."""
    for rack_id in ground.fabric.tables["racks"]:
        if rack_id in ground.target.racks:
            for one in ground.target.mounted(rack_id):
                if one in ground.before.devices and one not in ground.base.tables["devices"]:
                    yield one


def _near(ground: Ground, device_id: str, mount: Mount) -> Mount | None:
    """The nearest free place in the rack for a switch of another network, which serves what stands there; else None."""
    target, (rack_id, unit, side) = ground.target, mount
    if not _is_of_a_network(target, device_id) or rack_id is None or unit is None:
        return None
    units = sorted(range(1, units_of(target, rack_id) + 1), key=lambda one: (abs(one - unit), one))
    mounts = ((rack_id, one, side) for one in units)
    return next((one for one in mounts if _problem(ground, device_id, one) is None), None)


def _is_of_a_network(design: Design, device_id: str) -> bool:
    """Whether it is a switch of another network than the fabrics'."""
    return design.is_switch(device_id) and COMPUTE not in networks_of_switch(design.device(device_id))


def _problem(ground: Ground, device_id: str, mount: Mount) -> str | None:
    """Why a device cannot stand there; a fault that it had before is none."""
    rack_id, unit, _ = mount
    if rack_id is None:
        return None
    target, before = ground.target, ground.before
    if rack_id not in target.racks:
        return "that rack is not part of the new fabric"
    if unit is None:
        return None
    if mount == _stood(before, device_id) and rack_id in before.racks:
        allowed = set(before.mounted(rack_id))
    else:
        allowed = set()
    for other in _in_the_way(target, device_id, rack_id, unit):
        if other not in allowed or other not in set(_in_the_way(before, device_id, rack_id, unit)):
            return f"{target.device(other).name} stands there in the new fabric"
    type_ = target.types[target.racks[rack_id].type_id]
    top = unit + height(target.device_type(device_id)) - 1
    if isinstance(type_, RackType) and top > type_.units and not allowed:
        return f"the rack ends at unit {type_.units}"
    return None


def _stood(design: Design, device_id: str) -> Mount | None:
    placement = design.placements.get(device_id)
    return mount_of(placement) if placement is not None else None


def _in_the_way(design: Design, device_id: str, rack_id: str, unit: int) -> Iterator[str]:
    """Other devices on the units that the device would take."""
    top = unit + height(design.device_type(device_id)) - 1
    for other in design.mounted(rack_id):
        at = design.placements[other].unit
        if other == device_id or at is None or other not in design.devices:
            continue
        if at <= top and at + height(design.device_type(other)) - 1 >= unit:
            yield other


def _remount(design: Design, device_id: str, mount: Mount) -> Change:
    stands = design.placements[device_id]
    return Change(stands, replace(stands, rack_id=mount[0], unit=mount[1], side=mount[2]))


def _note_text(ground: Ground, mount: Mount) -> str:
    rack_id, unit, _ = mount
    if rack_id is None:
        return "no rack"
    name = ground.before.racks[rack_id].name
    return f"{name} unit {unit}" if unit is not None else name
