"""What a drag of boxes does to the design: they move, and where they are let go decides the rack they are in."""

from collections.abc import Collection, Iterable, Sequence

from designer.canvas.hits import rack_at
from designer.drawing.composition import Composition
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.entities import order_key
from designer.placement.rack_stacks import stacked


def movable(design: Design, ids: Iterable[str]) -> tuple[str, ...]:
    """Placed devices and racks among the ids and in the groups among them, in stable order."""
    found: set[str] = set()
    waiting = list(ids)
    while waiting:
        one = waiting.pop()
        if one in design.groups:
            waiting.extend(design.members(one))
        elif one in design.placements:
            found.add(one)
    return tuple(sorted(found, key=order_key))


def carried(design: Design, ids: Collection[str]) -> tuple[str, ...]:
    """These and all that is mounted in the racks among them."""
    mounted = (device_id for one in ids if one in design.racks for device_id in design.mounted(one))
    return tuple(dict.fromkeys((*ids, *mounted)))


def moved(design: Design, ids: Sequence[str], dx: float, dy: float) -> Edit:
    """The things at their places plus a shift."""
    at = design.placements
    return operations.move(design, {one: (at[one].x + dx, at[one].y + dy) for one in ids})


def dropped(composition: Composition, ids: Sequence[str], dx: float, dy: float, x: float, y: float) -> Edit:
    """The things moved by a shift and let go at a canvas point.

    Devices let go on a rack are mounted in it, and stand in its frame as they do in the rack. Mounted devices let go
    off their rack leave it. `composition` shows the design as it was before the drag.
    Raises EditError where a rack has no room.
    """
    design = composition.design
    edits = [moved(design, ids, dx, dy)]
    rack_id = rack_at(composition, x, y)
    changing = [one for one in ids if one in design.devices and _changes_rack(composition, one, rack_id, set(ids))]
    if not changing:
        return edits[0]
    after = design.snapshot()
    after.apply(edits[0])
    for device_id in changing:
        edits.append(operations.mount(after, device_id, rack_id))
        after.apply(edits[-1])
    return stacked(design, joined(edits[-1].label if len(changing) == 1 else edits[0].label, edits))


def _changes_rack(composition: Composition, device_id: str, rack_id: str | None, moving: set[str]) -> bool:
    """Whether letting go over that rack, or over none, takes the device out of its rack or puts it into one."""
    design = composition.design
    held = design.placements[device_id].rack_id
    if held == rack_id or held in moving or rack_id in moving:
        return False
    # A rack that stands only in the room has no frame here to be dragged out of.
    return rack_id is not None or held in design.placements
