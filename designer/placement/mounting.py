"""Moving what stands in racks, several devices at once: each may take the place another leaves."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from designer.errors import EditError, UnknownEntityError
from designer.model import fragments
from designer.model.design import Design
from designer.model.edit import Change, Edit, joined
from designer.model.entities import Device, Placement, order_key
from designer.model.equipping import cold_side, height, units_of
from designer.placement.floor import shift_below
from designer.placement.rack_contents import standing_in
from designer.placement.rack_stacks import stacked

Berth = tuple[str, int] | None
"""A rack and the lowest unit taken; None is out of any rack."""


def move_mounted(design: Design, berths: Mapping[str, Berth]) -> Edit:
    """The devices at these places, all or none. Raises EditError naming what is in the way."""
    taken: dict[Berth, str] = {}
    for rack_id in {berth[0] for berth in berths.values() if berth is not None}:
        if rack_id not in design.racks:
            raise UnknownEntityError(f"there is no rack with id {rack_id!r}")
        for one in standing_in(design, rack_id):
            if one.device_id not in berths and one.unit is not None:
                taken |= {(rack_id, unit): one.device_id for unit in range(one.unit, one.unit + one.units)}
    changes = []
    for device_id, berth in berths.items():
        if berth is not None:
            _take(design, device_id, berth, taken, is_alone=len(berths) == 1)
        change = _moved(design, device_id, berth)
        if change.before != change.after:
            changes.append(change)
    what = design.device(next(iter(berths))).name if len(berths) == 1 else f"{len(berths)} devices"
    return Edit(f"Mount {what}", tuple(changes))


def copy_mounted(design: Design, berths: Mapping[str, Berth]) -> Edit:
    """Copies of the devices at these places, with the links among them. Raises EditError naming what is in the way."""
    edit = fragments.duplicate(design, berths, *shift_below(design, list(berths)))
    copies = [change.after.id for change in edit.changes if isinstance(change.after, Device)]
    of = dict(zip(copies, sorted(berths, key=order_key), strict=True))
    there = {copy: berths[original] for copy, original in of.items() if berths[original] is not None}
    if not there:
        return edit
    after = design.snapshot()
    after.apply(edit)
    return stacked(design, joined(edit.label, [edit, move_mounted(after, there)]))


def turn_mounted(design: Design, device_ids: Iterable[str]) -> Edit:
    """The mounted ones of these devices with their ports on the other side; at the rear where it is not known."""
    changes = []
    for one in dict.fromkeys(device_ids):
        place = design.placements.get(one)
        if place is not None and place.rack_id is not None:
            changes.append(Change(place, replace(place, side="front" if place.side == "rear" else "rear")))
    return Edit(f"Flip {len(changes)} device{'s' if len(changes) != 1 else ''}", tuple(changes))


def _take(design: Design, device_id: str, berth: tuple[str, int], taken: dict[Berth, str], *, is_alone: bool) -> None:
    (rack_id, unit), name = berth, design.device(device_id).name
    units, top, rack = height(design.device_type(device_id)), units_of(design, rack_id), design.racks[rack_id].name
    if unit < 1 or unit + units - 1 > top:
        raise EditError(f"{name} takes {units} U and cannot stand at unit {unit} of {rack}, which has {top}")
    for one in range(unit, unit + units):
        other = taken.get((rack_id, one))
        if other is not None:
            which = "" if is_alone else f"{name} has no room: "
            raise EditError(f"{which}{rack} unit {one} is taken by {design.device(other).name}")
        taken[rack_id, one] = device_id


def _moved(design: Design, device_id: str, berth: Berth) -> Change:
    before = design.placements.get(device_id)
    if berth is None:
        after = replace(before, rack_id=None, unit=None, side="") if before is not None else None
        return Change(before, after)
    stand = before or design.placements.get(berth[0])
    x, y = (stand.x, stand.y) if stand is not None else (0.0, 0.0)
    is_in_rack = before is not None and before.rack_id is not None
    side = before.side if before is not None and is_in_rack else cold_side(design.device_type(device_id))
    is_locked = before is not None and before.locked
    return Change(before, Placement(device_id, x, y, berth[0], berth[1], side, is_locked))
