"""Boxes in the frame of a rack that stands on the drawing: one above the other, as they are mounted."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Placement, order_key
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, RACK_PADDING, RACK_SIZE, RACK_TITLE

MOST_IN_COLUMN = 12
"""More boxes than this stand in several columns, the upper ones first."""

STEP = BOX_HEIGHT + 8.0
IN_LINE = 1.0
"""Boxes nearer than this to their place are in it."""

Point = tuple[float, float]


def stacked(design: Design, edit: Edit) -> Edit:
    """The edit, with what it mounts stacked in the frames of racks drawn, the highest unit on top.

    What stands there already moves along, unless it was arranged by hand: then the newcomers come below it.
    """
    last = {change.after.id: change.after for change in edit.changes if isinstance(change.after, Placement)}
    arrivals = {one: place for one, place in last.items() if _arrives(design, place)}
    if not arrivals:
        return edit
    places: dict[str, Placement] = {}
    for rack_id in dict.fromkeys(one.rack_id for one in arrivals.values()):
        assert rack_id is not None
        there = [last.get(one, design.placements[one]) for one in design.mounted(rack_id) if one not in arrivals]
        stay = [one for one in there if one.rack_id == rack_id]
        come = [one for one in arrivals.values() if one.rack_id == rack_id]
        frame = last.get(rack_id, design.placements[rack_id])
        if _in_order(stay, frame):
            places |= _stack([*stay, *come], (frame.x, frame.y))
        else:
            places |= _stack(come, (frame.x, max(one.y for one in stay) + STEP - _first_dy()))
    changes = [_placed_at(change, last, places) for change in edit.changes]
    stood = {one: design.placements[one] for one in places if one not in last}
    moved = (Change(stood[one], places[one]) for one in stood if stood[one] != places[one])
    return Edit(edit.label, (*changes, *moved))


def _arrives(design: Design, place: Placement) -> bool:
    """Whether the edit brings a device to another unit, or another rack, that is drawn."""
    if place.rack_id not in design.placements or place.id in design.racks:
        return False
    before = design.placements.get(place.id)
    return before is None or (before.rack_id, before.unit) != (place.rack_id, place.unit)


def _in_order(boxes: Iterable[Placement], frame: Placement) -> bool:
    """Whether these stand in the frame as they would be stacked, or at least one above the other."""
    found = list(boxes)
    if len({round(one.x) for one in found}) <= 1:
        return True
    wanted = _stack(found, (frame.x, frame.y))
    return all(max(abs(one.x - wanted[one.id].x), abs(one.y - wanted[one.id].y)) <= IN_LINE for one in found)


def _first_dy() -> float:
    """How far below the middle of an empty frame the middle of the first box stands."""
    return RACK_TITLE + RACK_PADDING + BOX_HEIGHT / 2 - RACK_SIZE[1] / 2


def _stack(boxes: Iterable[Placement], frame: Point) -> dict[str, Placement]:
    """The boxes at their places, the highest unit first; those in no unit come last."""
    order = sorted(boxes, key=lambda one: (-(one.unit or 0), order_key(one.id)))
    n_columns = -(-len(order) // MOST_IN_COLUMN) or 1
    n_rows = -(-len(order) // n_columns) or 1
    x, y = frame[0] - (n_columns - 1) * COLUMN_PITCH / 2, frame[1] + _first_dy()
    return {
        one.id: replace(one, x=x + number // n_rows * COLUMN_PITCH, y=y + number % n_rows * STEP)
        for number, one in enumerate(order)
    }


def _placed_at(change: Change, last: Mapping[str, Placement], places: Mapping[str, Placement]) -> Change:
    """The change, with its device in the frame where it is the one that brings it to its unit."""
    after = change.after
    if isinstance(after, Placement) and after is last[after.id] and after.id in places:
        return Change(change.before, places[after.id])
    return change
