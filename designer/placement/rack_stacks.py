"""Boxes in the frame of a rack that stands on the drawing: one above the other, as they are mounted."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from designer.model.design import Design
from designer.model.edit import Change, Edit, joined
from designer.model.entities import Placement, order_key
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, RACK_PADDING, RACK_SIZE, RACK_TITLE, SWITCH_WIDTH
from designer.units import format_counted

MOST_IN_COLUMN = 12
"""More boxes than this stand in several columns, the upper ones first."""

STEP = BOX_HEIGHT + 8.0
IN_LINE = 1.0
"""Boxes nearer than this to their place are in it."""

Point = tuple[float, float]


def racked(design: Design, edit: Edit) -> Edit:
    """The edit, made where the drawing is not seen: what stands elsewhere in the drawing stays there.

    A rack that is drawn empty is no longer drawn where that comes into it. What comes among boxes in a frame, or from
    one frame to another, is stacked.
    """
    places = [change.after for change in edit.changes if isinstance(change.after, Placement)]
    left = {
        place.rack_id
        for place in places
        if place.rack_id is not None
        and _arrives(design, place)
        and not design.mounted(place.rack_id)
        and (stood := design.placements.get(place.id)) is not None
        and stood.rack_id not in design.placements
    }
    kept = stacked(design, edit, left)
    gone = off_canvas(design, sorted(left, key=order_key)) if left else None
    return kept if gone is None else joined(edit.label, [kept, gone])


def off_canvas(design: Design, rack_ids: Iterable[str]) -> Edit:
    """The racks no longer drawn on the canvas; what is in them stays where it is, and they stay in the room."""
    places = [design.placements[one] for one in rack_ids if one in design.placements]
    return Edit(f"Remove {_named(design, places)} from the canvas", tuple(Change(one, None) for one in places))


def on_canvas(design: Design, rack_ids: Iterable[str], at: Point) -> Edit:
    """The racks drawn side by side with what is in them stacked, around a point of the canvas."""
    ids = [one for one in rack_ids if one not in design.placements]
    width, height = size_on_canvas(design, ids)
    left, y = at[0] - width / 2, at[1] - height / 2 + RACK_SIZE[1] / 2
    frames, changes = [], []
    for rack_id in ids:
        across = _frame_size(design, rack_id)[0]
        frames.append(Placement(rack_id, left + across / 2, y))
        left += across + GAP
        held = [design.placements[one] for one in design.mounted(rack_id)]
        stack = _stack(held, (frames[-1].x, y))
        changes += [Change(one, stack[one.id]) for one in held if one != stack[one.id]]
    label = f"Draw {_named(design, frames)} on the canvas"
    return Edit(label, (*(Change(None, one) for one in frames), *changes))


def size_on_canvas(design: Design, rack_ids: Iterable[str]) -> Point:
    """Width and height of these racks side by side on the canvas, with what is in them stacked."""
    sizes = [_frame_size(design, one) for one in rack_ids]
    widths, heights = zip(*sizes, strict=True) if sizes else ((), ())
    return sum(widths) + GAP * (len(sizes) - 1), max(heights, default=0.0)


def _frame_size(design: Design, rack_id: str) -> Point:
    count = len(design.mounted(rack_id))
    n_columns = -(-count // MOST_IN_COLUMN) or 1
    n_rows = -(-count // n_columns)
    width = (n_columns - 1) * COLUMN_PITCH + SWITCH_WIDTH + 2 * RACK_PADDING
    height = RACK_TITLE + 2 * RACK_PADDING + n_rows * STEP
    return max(width, RACK_SIZE[0]), max(height, RACK_SIZE[1])


def _named(design: Design, places: Sequence[Placement]) -> str:
    return design.racks[places[0].id].name if len(places) == 1 else format_counted(len(places), "rack")


def stacked(design: Design, edit: Edit, undrawn: Collection[str] = ()) -> Edit:
    """The edit, with what it mounts stacked in the frames of racks drawn but for `undrawn`, the highest unit on top.

    What stands there already moves along, unless it was arranged by hand: then the newcomers come below it.
    """
    last = {change.after.id: change.after for change in edit.changes if isinstance(change.after, Placement)}
    arrivals = {one: place for one, place in last.items() if _arrives(design, place) and place.rack_id not in undrawn}
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
