"""What a type dragged in from the palette becomes where it is let go."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from designer.canvas.hits import device_at, rack_at
from designer.canvas.snapping import NO_SNAP, SNAP_PX, Snap, snapped
from designer.drawing.composition import Composition
from designer.drawing.geometry import Rect
from designer.errors import DesignerError
from designer.model import operations
from designer.model.edit import Edit
from designer.model.entities import Placement
from designer.model.hardware import HardwareType, ModuleType, NicType, RackType, ServerType, SwitchType
from designer.placement.metrics import GAP, RACK_SIZE, box_size
from designer.placement.rack_stacks import stacked

MIME_TYPE = "application/x-fabric-type"


@dataclass(frozen=True, slots=True)
class Landing:
    """What letting go here would do. `edit` is None where it is refused, `text` says what happens or why not."""

    edit: Edit | None
    text: str
    rect: Rect | None = None
    """Where the new box would stand; None where none comes."""
    snap: Snap = NO_SNAP
    onto: str | None = None
    """The device or rack that takes it in."""


def landing(
    composition: Composition, type_: HardwareType, types: Mapping[str, HardwareType], x: float, y: float, scale: float
) -> Landing:
    """What a type let go at a canvas point becomes."""
    if isinstance(type_, ModuleType):
        return _into_device(composition, type_, x, y)
    if not isinstance(type_, SwitchType | ServerType | RackType):
        return Landing(None, f"{type_.model} is chosen for a link, in the inspector")
    width, height = RACK_SIZE if isinstance(type_, RackType) else box_size(isinstance(type_, SwitchType))
    box = np.array((x - width / 2, y - height / 2, width, height))
    snap = snapped(composition.boxes, box, SNAP_PX / scale)
    x, y = x + snap.dx, y + snap.dy
    rect = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    design = composition.design
    rack_id = rack_at(composition, x, y)
    try:
        if isinstance(type_, RackType):
            return Landing(operations.add_rack(design, type_, x, y), f"New {type_.model}", rect, snap)
        edit = operations.add_device(design, type_, x, y, catalog_types=types, rack_id=rack_id)
    except DesignerError as error:
        return Landing(None, str(error), rect, snap, rack_id)
    if rack_id is None:
        return Landing(edit, type_.model, rect, snap)
    edit = stacked(design, edit)
    stand = next(one.after for one in edit.changes if one.before is None and isinstance(one.after, Placement))
    assert isinstance(stand, Placement)
    rect = (stand.x - width / 2, stand.y - height / 2, stand.x + width / 2, stand.y + height / 2)
    return Landing(edit, f"{type_.model} in {design.racks[rack_id].name}, unit {stand.unit}", rect, onto=rack_id)


def _into_device(composition: Composition, module_type: ModuleType, x: float, y: float) -> Landing:
    device_id = device_at(composition, x, y)
    if device_id is None:
        onto = "server" if isinstance(module_type, NicType) else "chassis"
        return Landing(None, f"Drop {module_type.model} onto a {onto}")
    design = composition.design
    try:
        edit = operations.install_module(design, device_id, module_type)
    except DesignerError as error:
        return Landing(None, str(error), onto=device_id)
    return Landing(edit, edit.label, onto=device_id)


def free_spot(composition: Composition, x: float, y: float, width: float, height: float) -> tuple[float, float]:
    """The nearest place to a canvas point where a box of that size touches no other."""
    boxes = composition.boxes
    if not len(boxes):
        return x, y
    step_x, step_y = width + GAP, height + GAP
    for ring in range(200):
        spots = [
            (x + column * step_x, y + row * step_y)
            for row in range(-ring, ring + 1)
            for column in range(-ring, ring + 1)
            if max(abs(row), abs(column)) == ring
        ]
        free = [spot for spot in spots if not _taken(boxes, *spot, width, height)]
        if free:
            return min(free, key=lambda spot: (abs(spot[0] - x) + abs(spot[1] - y), spot))
    return x, y


def _taken(boxes: np.ndarray[tuple[int, ...], np.dtype[np.float64]], x: float, y: float, w: float, h: float) -> bool:
    left, top, width, height = boxes.T
    gap = GAP / 2
    across = (left - gap < x + w / 2) & (left + width + gap > x - w / 2)
    return bool((across & (top - gap < y + h / 2) & (top + height + gap > y - h / 2)).any())
