"""What a type dragged in from the palette becomes where it is let go."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from designer.canvas.free_places import free_shift
from designer.canvas.hits import device_at, group_at, rack_at
from designer.canvas.snapping import NO_SNAP, SNAP_PX, Snap, snapped
from designer.drawing.composition import Composition
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.geometry import Rect
from designer.errors import DesignerError
from designer.late import Late
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Placement
from designer.model.hardware.modules import ModuleType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.several import ONE, Wanted, first_name, names_from, repeated, role_of
from designer.placement.metrics import RACK_SIZE, box_size, extent, rows_around
from designer.placement.rack_stacks import stacked
from designer.session.drafting import Drafting

nic_choice = Late("designer.model.nic_choice")

MIME_TYPE = "application/x-fabric-type"


@dataclass(frozen=True, slots=True)
class Landing:
    """What letting go here would do. `edit` is None where it is refused, `text` says what happens or why not."""

    edit: Edit | None
    text: str
    rects: tuple[Rect, ...] = ()
    """Where the new boxes would stand; empty where none come."""
    snap: Snap = NO_SNAP
    onto: str | None = None
    """The device, rack or group that takes it in."""


def landing(
    composition: Composition,
    type_: HardwareType,
    types: Mapping[str, HardwareType],
    x: float,
    y: float,
    scale: float,
    wanted: Wanted,
    drafting: Drafting,
) -> Landing:
    """What so many of a type let go at a canvas point become: a row of boxes, or parts of the device there."""
    if isinstance(type_, ModuleType):
        return _into_device(composition, type_, x, y, wanted)
    if not isinstance(type_, SwitchType | ServerType | RackType):
        return Landing(None, f"{type_.model} is chosen for a link, in the inspector")
    size = RACK_SIZE if isinstance(type_, RackType) else box_size(isinstance(type_, SwitchType))
    width, height = extent(wanted.count, *size)
    box = np.array((x - width / 2, y - height / 2, width, height))
    others = composition.boxes if drafting.to_neighbours else composition.boxes[:0]
    snap = snapped(others, box, SNAP_PX / scale, drafting.snap_grid)
    spots = rows_around(wanted.count, x + snap.dx, y + snap.dy, *size)
    rects = tuple(_around(*spot, *size) for spot in spots)
    rack_id = rack_at(composition, x + snap.dx, y + snap.dy)
    try:
        if isinstance(type_, RackType) or rack_id is None:
            group_id = None if isinstance(type_, RackType) else group_at(composition, x + snap.dx, y + snap.dy)
            spots = _clear_of_hidden(composition, group_id, spots, rects)
            edit = new_boxes(composition.design, type_, types, spots, wanted, group_id)
            into = "" if group_id is None else f" in {composition.design.groups[group_id].name}"
            return Landing(edit, said(type_, wanted) + into, rects, snap, group_id)
        return _into_rack(composition.design, type_, types, rack_id, wanted)
    except DesignerError as error:
        return Landing(None, str(error), rects, snap, rack_id)


def _clear_of_hidden(
    composition: Composition, group_id: str | None, spots: list[tuple[float, float]], rects: tuple[Rect, ...]
) -> list[tuple[float, float]]:
    """The places, moved as one clear of what the box of a collapsed group hides; as they are where it hides nothing."""
    projection = composition.projection
    row = projection.box_of(group_id) if group_id is not None else None
    if row is None or not isinstance(projection, FoldedProjection):
        return spots
    design, hidden = composition.design, projection.members_at(row)
    taken = [
        _around(place.x, place.y, *box_size(design.is_switch(one)))
        for one in hidden
        if (place := design.placements.get(one)) is not None
    ]
    dx, dy = free_shift(np.array(taken).reshape(-1, 4), (*rects[0][:2], *rects[-1][2:]))
    return [(x + dx, y + dy) for x, y in spots]


def said(type_: HardwareType, wanted: Wanted) -> str:
    """What is about to come: "8 × DGX H100", "New 42U rack"."""
    new = f"New {type_.model}" if isinstance(type_, RackType) else type_.model
    named = f", from {wanted.name}" if wanted.name else ""
    return f"{wanted.count} × {type_.model}{named}" if wanted.count > 1 else f"{new}{named}"


def new_boxes(
    design: Design,
    type_: SwitchType | ServerType | RackType,
    types: Mapping[str, HardwareType],
    spots: Sequence[tuple[float, float]],
    wanted: Wanted = ONE,
    group_id: str | None = None,
) -> Edit:
    """New devices, in a group if one is given, or racks at these places. Raises DesignerError."""
    if not isinstance(type_, RackType):
        edit = operations.add_devices(design, type_, spots, catalog_types=types, name=wanted.name, group_id=group_id)
        return _of_its_kind(design, edit, type_)
    names = names_from(wanted.name or "rack-01", len(spots), [rack.name for rack in design.racks.values()])
    rack_type = type_
    return repeated(
        design,
        len(spots),
        lambda so_far, number: operations.add_rack(so_far, rack_type, *spots[number], names[number]),
        f"Add {names[0]} to {names[-1]}",
    )


def new_mounted(
    design: Design,
    type_: SwitchType | ServerType,
    types: Mapping[str, HardwareType],
    at: tuple[float, float],
    rack_id: str,
    units: Sequence[int | None],
    wanted: Wanted = ONE,
) -> Edit:
    """New devices in these units of a rack, None for the lowest that is free; in its frame where that is drawn.

    Raises DesignerError.
    """
    taken = [one.name for one in design.devices.values()]
    names = names_from(wanted.name or first_name(type_), len(units), taken)
    edit = repeated(
        design,
        len(units),
        lambda so_far, number: operations.add_device(
            so_far,
            type_,
            *at,
            catalog_types=types,
            name=names[number],
            role=role_of(wanted.name) if isinstance(type_, SwitchType) else "",
            rack_id=rack_id,
            unit=units[number],
        ),
        f"Add {names[0]} to {names[-1]}",
    )
    return stacked(design, _of_its_kind(design, edit, type_))


def _of_its_kind(design: Design, edit: Edit, type_: HardwareType) -> Edit:
    """The edit with switches for management in the out-of-band network."""
    return cast(Edit, nic_choice.of_its_kind(design, edit)) if isinstance(type_, SwitchType) else edit


def _into_rack(
    design: Design, type_: SwitchType | ServerType, types: Mapping[str, HardwareType], rack_id: str, wanted: Wanted
) -> Landing:
    frame = design.placements[rack_id]
    edit = new_mounted(design, type_, types, (frame.x, frame.y), rack_id, [None] * wanted.count, wanted)
    stands = [one.after for one in edit.changes if one.before is None and isinstance(one.after, Placement)]
    size = box_size(isinstance(type_, SwitchType))
    units = [one.unit for one in stands if one.unit is not None]
    where = f"unit {units[0]}" if len(units) == 1 else f"units {min(units)} to {max(units)}"
    text = f"{said(type_, wanted)} in {design.racks[rack_id].name}, {where}"
    return Landing(edit, text, tuple(_around(one.x, one.y, *size) for one in stands), onto=rack_id)


def _around(x: float, y: float, width: float, height: float) -> Rect:
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _into_device(composition: Composition, module_type: ModuleType, x: float, y: float, wanted: Wanted) -> Landing:
    device_id = device_at(composition, x, y)
    if device_id is None:
        onto = "server" if isinstance(module_type, NicType) else "chassis"
        return Landing(None, f"Drop {module_type.model} onto a {onto}")
    try:
        edit = operations.install_modules(composition.design, device_id, module_type, wanted.count)
    except DesignerError as error:
        return Landing(None, str(error), onto=device_id)
    return Landing(edit, edit.label, onto=device_id)
