"""Verbs about annotations: put on the canvas or the floor plan, changed, pinned to what they are about."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from designer.errors import EditError, UnknownEntityError
from designer.fields.field import fields_of
from designer.model.annotation import (
    CALLOUT,
    COMMENT,
    IMAGE,
    KINDS,
    LEVELS,
    LOOK,
    PINNABLE,
    STRAIGHT,
    UNITS_PER_M,
    ZONE,
    Annotation,
)
from designer.model.annotation_limits import annotation_faults, refuse
from designer.model.annotation_styles import change_style, style_of
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Placement, Rack, order_key
from designer.model.equipping import check_coordinates
from designer.model.images import Picture, text_of
from designer.model.records import ordered
from designer.model.shown_text import visible_line
from designer.units import shortened

_TITLES = {word.name: word.title for word in KINDS}
TITLE_MOST = 40
USUAL_TIP = 0.3, 32.0
"""Of a callout that nobody pointed anywhere: share of its width to the left of its middle, and how far below it."""
Box = tuple[float, float, float, float]
Point = tuple[float, float]


def title_of(annotation: Annotation) -> str:
    """What lists call it: its words, or what it is."""
    words = visible_line(" ".join(annotation.text.split()))
    if not words:
        return _TITLES.get(annotation.kind, "Annotation")
    return words if len(words) <= TITLE_MOST else f"{words[: TITLE_MOST - 1]}…"


def annotate(
    design: Design,
    kind: str,
    start: tuple[float, float],
    end: tuple[float, float],
    *,
    tip: tuple[float, float] | None = None,
    on_floor: bool = False,
    **values: Any,
) -> Edit:
    """A new annotation from one point of the canvas, or of the floor plan, to the other, its leader to `tip`.

    Raises ParameterError or EditError.
    """
    check_coordinates(*start, *end, *(tip or ()))
    dx, dy = end[0] - start[0], end[1] - start[1]
    if kind not in STRAIGHT:
        dx, dy = abs(dx), abs(dy)
    made = replace(Annotation(design.new_ids("annotations", 1)[0], kind, dx, dy), **_checked(values))
    place = Placement(made.id, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    made = with_tip(made, place, tip)
    if on_floor:
        made = _on_floor(made, place)
    check_annotation(made)
    return Edit(f"Add {_TITLES[kind].lower()}", added([made] if on_floor else [made, place]))


def annotate_image(
    design: Design, picture: Picture, x: float, y: float, width: float, *, on_floor: bool = False
) -> Edit:
    """A picture around a point of the canvas, or of the floor plan, that wide."""
    height = width * picture.height / picture.width
    start, end = (x - width / 2, y - height / 2), (x + width / 2, y + height / 2)
    return annotate(design, IMAGE, start, end, on_floor=on_floor, image=text_of(picture))


def place_of(design: Design, note: Annotation) -> Placement | None:
    """The middle of an annotation in units of the canvas, or of the floor plan that it is on; None without a place."""
    if note.x_m is None or note.y_m is None:
        return design.placements.get(note.id)
    return Placement(note.id, note.x_m * UNITS_PER_M, note.y_m * UNITS_PER_M)


def place_here(design: Design, note: Annotation) -> Placement:
    """The same of one that is drawn. Raises UnknownEntityError."""
    found = place_of(design, note)
    if found is None:
        raise UnknownEntityError(f"annotation {shortened(note.id)!r} has no place on the canvas or the floor plan")
    return found


def _on_floor(note: Annotation, place: Placement) -> Annotation:
    """The annotation with its middle at that point of the floor plan, to a tenth of a millimeter."""
    return replace(note, x_m=round(place.x / UNITS_PER_M, 4) + 0.0, y_m=round(place.y / UNITS_PER_M, 4) + 0.0)


def _replaced(before: Annotation, after: Annotation, was: Placement, now: Placement) -> list[Change]:
    """What makes an annotation another one, elsewhere on the canvas or the floor plan that it is on."""
    if before.is_on_floor:
        pairs = [Change(before, _on_floor(after, now))]
    else:
        pairs = [Change(before, after), Change(was, now)]
    return [change for change in pairs if change.before != change.after]


def move_on_floor(design: Design, ids: Iterable[str], dx_m: float, dy_m: float) -> Edit:
    """The annotations on the floor plan so many meters to the right and down. Raises ParameterError."""
    changes = list[Change]()
    for one in sorted(ids, key=order_key):
        note = annotation_of(design, one)
        if note.x_m is None or note.y_m is None:
            raise EditError(f"{title_of(note)} is on the canvas, not on the floor plan")
        after = replace(note, x_m=round(note.x_m + dx_m, 4) + 0.0, y_m=round(note.y_m + dy_m, 4) + 0.0)
        check_annotation(after)
        changes += [Change(note, after)] if after != note else []
    single = changes[0].subject if len(changes) == 1 else None
    what = _TITLES[single.kind].lower() if isinstance(single, Annotation) else f"{len(changes)} annotations"
    return Edit(f"Move {what}", tuple(changes))


def change_annotations(design: Design, ids: Iterable[str], **values: Any) -> Edit:
    """The annotations with these fields changed; of those with a style, the look of the style, for all that have it.

    Raises ParameterError naming the field that cannot be.
    """
    values = _checked(values)
    look = {name: value for name, value in values.items() if name in LOOK}
    others = {name: value for name, value in values.items() if name not in LOOK}
    changes: list[Change] = []
    styles: dict[str, None] = {}
    for one in sorted(ids, key=order_key):
        before = annotation_of(design, one)
        style = style_of(design, before)
        if style is not None and look:
            styles[style.id] = None
        after = replace(before, **(values if style is None else others))
        check_annotation(after)
        if after != before:
            changes.append(Change(before, after))
    of_styles = [change_style(design, one, **look) for one in styles]
    if len(of_styles) == 1 and not changes:
        return of_styles[0]
    changes += (change for edit in of_styles for change in edit.changes)
    single = changes[0].subject if len(changes) == 1 else None
    what = _TITLES[single.kind].lower() if isinstance(single, Annotation) else f"{len(changes)} annotations"
    return Edit(f"Change {what}", tuple(changes))


def resize(design: Design, one: str, start: tuple[float, float], end: tuple[float, float]) -> Edit:
    """The annotation from one canvas point to the other; its leader leads where it did."""
    check_coordinates(*start, *end)
    before = annotation_of(design, one)
    place = place_here(design, before)
    dx, dy = end[0] - start[0], end[1] - start[1]
    if before.kind not in STRAIGHT:
        dx, dy = abs(dx), abs(dy)
    moved = replace(place, x=(start[0] + end[0]) / 2, y=(start[1] + end[1]) / 2)
    after = with_tip(replace(before, dx=dx, dy=dy), moved, tip_of(before, place) if before.tip_dx is not None else None)
    return Edit(f"Resize {_TITLES[before.kind].lower()}", tuple(_replaced(before, after, place, moved)))


def stretch(design: Design, ids: Iterable[str], before: Box, after: Box) -> Edit:
    """The annotations as a frame around them, left, top, right and bottom, becomes another; letters keep their size."""
    check_coordinates(*after)
    width, height = before[2] - before[0], before[3] - before[1]
    across = (after[2] - after[0]) / width if width else 1.0
    down = (after[3] - after[1]) / height if height else 1.0
    changes: list[Change] = []
    chosen = sorted(ids, key=order_key)
    for one in chosen:
        note = annotation_of(design, one)
        place = place_here(design, note)
        x, y = after[0] + (place.x - before[0]) * across, after[1] + (place.y - before[1]) * down
        sized = replace(note, dx=note.dx * across, dy=note.dy * down)
        if sized.tip_dx is not None and sized.tip_dy is not None:
            sized = replace(sized, tip_dx=sized.tip_dx * across, tip_dy=sized.tip_dy * down)
        changes += _replaced(note, sized, place, replace(place, x=x, y=y))
    return Edit(f"Resize {len(chosen)} annotations", tuple(changes))


def with_pinned(design: Design, edit: Edit) -> Edit:
    """The edit, joined by moves of the annotations that are pinned to what it moves."""
    if not design.annotations:
        return edit
    shifts = {
        after.id: (after.x - before.x, after.y - before.y)
        for before, after in ((change.before, change.after) for change in edit.changes)
        if isinstance(before, Placement) and isinstance(after, Placement) and (before.x, before.y) != (after.x, after.y)
    }
    on_floor = dict(_rack_shifts(edit))
    if not shifts and not on_floor:
        return edit
    own = {change.subject.id for change in edit.changes}
    changes = list[Change]()
    for one in design.annotations.values():
        shift = on_floor.get(one.pinned_to, (0.0, 0.0)) if one.is_on_floor else shift_of(design, one, shifts)
        place = place_of(design, one)
        if shift != (0.0, 0.0) and one.id not in own and place is not None:
            changes += _replaced(one, one, place, replace(place, x=place.x + shift[0], y=place.y + shift[1]))
    return Edit(edit.label, (*edit.changes, *changes)) if changes else edit


def _rack_shifts(edit: Edit) -> Iterator[tuple[str, Point]]:
    """The racks that an edit moves on the floor, and how far, in units of the floor plan."""
    for before, after in ((change.before, change.after) for change in edit.changes):
        if not (isinstance(before, Rack) and isinstance(after, Rack)):
            continue
        if before.x_m is None or before.y_m is None or after.x_m is None or after.y_m is None:
            continue
        shift = (after.x_m - before.x_m) * UNITS_PER_M, (after.y_m - before.y_m) * UNITS_PER_M
        if shift != (0.0, 0.0):
            yield after.id, shift


def shift_of(design: Design, one: Annotation, shifts: dict[str, tuple[float, float]]) -> tuple[float, float]:
    """How far what it is pinned to moves; a link only where both of its ends go the same way."""
    link = design.links.get(one.pinned_to)
    if link is None:
        return shifts.get(one.pinned_to, (0.0, 0.0))
    first, second = (shifts.get(end.device_id, (0.0, 0.0)) for end in (link.a, link.b))
    return first if first == second else (0.0, 0.0)


def tip_of(note: Annotation, place: Placement) -> Point | None:
    """The point that its leader leads to while it is pinned to nothing; None where it has none."""
    if note.tip_dx is not None and note.tip_dy is not None:
        return place.x + note.tip_dx, place.y + note.tip_dy
    if note.kind != CALLOUT:
        return None
    share, below = USUAL_TIP
    return place.x - share * abs(note.dx), place.y + abs(note.dy) / 2 + below


def with_tip(note: Annotation, place: Placement, tip: Point | None) -> Annotation:
    """The annotation with its tip at a point while it stands there; with none of its own for None."""
    dx, dy = (None, None) if tip is None else (tip[0] - place.x, tip[1] - place.y)
    return note if (note.tip_dx, note.tip_dy) == (dx, dy) else replace(note, tip_dx=dx, tip_dy=dy)


def check_annotation(one: Annotation) -> None:
    """Raises ParameterError for an annotation that could not be drawn."""
    refuse(annotation_faults(one))


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    described = fields_of(Annotation)
    for name, value in values.items():
        if name in described:
            described[name].require(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            values[name] = float(value)
    return values


def annotation_of(design: Design, one: str) -> Annotation:
    """The annotation with that id. Raises UnknownEntityError."""
    found = design.annotations.get(one)
    if found is None:
        raise UnknownEntityError(f"there is no annotation with id {shortened(one)!r}")
    return found


def is_open_comment(one: Annotation) -> bool:
    """Whether it is a comment that is not resolved."""
    return one.kind == COMMENT and not one.resolved


# -- what lies over what ----------------------------------------------------------------------------------------------


def from_back_to_front(design: Design) -> list[Annotation]:
    """All annotations in the order in which they are drawn: those behind the fabric first."""
    return sorted(ordered(design.annotations), key=_level)


def bring_to_front(design: Design, ids: Iterable[str]) -> Edit:
    """The annotations over the fabric and all others, zones over all else behind the fabric, in their own order.

    Raises EditError where they are there already.
    """
    chosen, order, changes = set(ids), from_back_to_front(design), list[Change]()
    for of_zones in (True, False):
        moved = [one for one in order if one.id in chosen and (one.kind == ZONE) == of_zones]
        others = [one for one in order if one.id not in chosen and one.is_behind == of_zones]
        ids_there = {one.id for one in (*moved, *others)}
        reach = [one for one in order if one.id in ids_there]
        if moved and (reach[len(others) :] != moved or moved[0].is_behind != of_zones):
            changes += _over(moved, [one for one in others if one.level >= 0])
    return _restacked(changes, "Bring {} to front", "as far in front as they can be")


def send_to_back(design: Design, ids: Iterable[str]) -> Edit:
    """The annotations behind the fabric and all others, in their own order.

    Raises EditError where they are there already.
    """
    chosen, order, changes = set(ids), from_back_to_front(design), list[Change]()
    moved = [one for one in order if one.id in chosen]
    if moved and (order[: len(moved)] != moved or not moved[-1].is_behind):
        changes = _under(moved, [one for one in order if one.id not in chosen and one.level < 0])
    return _restacked(changes, "Send {} to back", "as far back as they can be")


def _over(moved: Sequence[Annotation], others: Sequence[Annotation]) -> list[Change]:
    """The moved ones over the others, from level 0 on; these are numbered again where no level is left above."""
    lowest = 1 + max((one.level for one in others), default=-1)
    if lowest + len(_ranks(moved)) - 1 <= LEVELS.most:
        return _levelled(moved, lowest)
    return [*_levelled(others, 0), *_levelled(moved, len(_ranks(others)))]


def _under(moved: Sequence[Annotation], others: Sequence[Annotation]) -> list[Change]:
    """The moved ones under the others, below level 0; these are numbered again where no level is left below."""
    lowest, n_moved = min((one.level for one in others), default=0), len(_ranks(moved))
    if lowest - n_moved >= LEVELS.least:
        return _levelled(moved, lowest - n_moved)
    n_others = len(_ranks(others))
    return [*_levelled(moved, -n_others - n_moved), *_levelled(others, -n_others)]


def _ranks(notes: Iterable[Annotation]) -> dict[tuple[bool, int], int]:
    """How many of the levels of these are below each of them."""
    return {level: rank for rank, level in enumerate(sorted({_level(one) for one in notes}))}


def _level(one: Annotation) -> tuple[bool, int]:
    return not one.is_behind, one.level


def _levelled(notes: Sequence[Annotation], lowest: int) -> list[Change]:
    ranks = _ranks(notes)
    pairs = ((one, replace(one, level=lowest + ranks[_level(one)])) for one in notes)
    return [Change(before, after) for before, after in pairs if before != after]


def _restacked(changes: Sequence[Change], label: str, are: str) -> Edit:
    if not changes:
        raise EditError(f"the annotations are already {are}")
    kinds = [_TITLES[change.subject.kind].lower() for change in changes if isinstance(change.subject, Annotation)]
    return Edit(label.format(kinds[0] if len(kinds) == 1 else f"{len(kinds)} annotations"), tuple(changes))


# -- leaders ---------------------------------------------------------------------------------------------------------


def point_to(design: Design, ids: Iterable[str], to: str) -> Edit:
    """The notes, callouts and comments pinned to a device or link, those on the floor plan to a rack.

    Raises EditError for anything else.
    """
    ids = tuple(ids)
    for one in ids:
        note = annotation_of(design, one)
        if not can_point_to(design, note, to):
            what = "a rack or a place" if note.is_on_floor else "a device, a link or a place on the drawing"
            raise EditError(f"an annotation {'on the floor plan ' if note.is_on_floor else ''}can point to {what}")
    return _changed(design, ids, lambda one: replace(one, pinned_to=to, tip_dx=None, tip_dy=None), "Attach {}")


def can_point_to(design: Design, note: Annotation, to: str) -> bool:
    """Whether that is there, and drawn where the annotation is."""
    return to in design.racks if note.is_on_floor else to in design.devices or to in design.links


def point_at(design: Design, one: str, x: float, y: float) -> Edit:
    """The annotation with its tip at a point of where it is, pinned to nothing."""
    check_coordinates(x, y)
    place = place_here(design, annotation_of(design, one))
    return _changed(design, [one], lambda note: replace(with_tip(note, place, (x, y)), pinned_to=""), "Point {}")


def detach(design: Design, ids: Iterable[str]) -> Edit:
    """The annotations pinned to nothing: a callout has its usual tip again, others lose their leaders."""
    return _changed(design, ids, lambda one: replace(one, pinned_to="", tip_dx=None, tip_dy=None), "Detach {}")


def unpinned(design: Design, removed: Iterable[str]) -> list[Change]:
    """The annotations that were pinned to what goes, on their own from then on; callouts still point there."""
    going = set(removed)
    pinned = (one for one in design.annotations.values() if one.pinned_to in going and one.id not in going)
    return [Change(one, _left_alone(design, one)) for one in pinned]


def pointed_to(design: Design, note: Annotation) -> str:
    """What it points to, by name: "leaf-1", "leaf-1 port 1 to spine-1 port 33", "A point"; "" for nothing."""
    named = (design.racks if note.is_on_floor else design.devices).get(note.pinned_to)
    link = None if note.is_on_floor else design.links.get(note.pinned_to)
    if named is not None:
        return visible_line(named.name)
    if link is not None:
        return visible_line(f"{design.end_name(link.a)} to {design.end_name(link.b)}")
    return "A point" if note.kind == CALLOUT or note.tip_dx is not None else ""


def is_led(design: Design, note: Annotation) -> bool:
    """Whether somebody pointed it to something: there is something to detach."""
    return note.tip_dx is not None or can_point_to(design, note, note.pinned_to)


def _left_alone(design: Design, one: Annotation) -> Annotation:
    place = place_of(design, one)
    if one.kind == CALLOUT and place is not None:
        middle = on_plan(design, one.pinned_to) if one.is_on_floor else _middle_of(design, one.pinned_to)
        one = with_tip(one, place, middle)
    return replace(one, pinned_to="")


def _changed(design: Design, ids: Iterable[str], change: Callable[[Annotation], Annotation], label: str) -> Edit:
    """Notes, callouts and comments as a function changes them. Raises EditError for others."""
    changes = []
    for one in sorted(ids, key=order_key):
        before = annotation_of(design, one)
        if before.kind not in PINNABLE:
            raise EditError("only notes, callouts and comments have a leader")
        after = change(before)
        check_annotation(after)
        if after != before:
            changes.append(Change(before, after))
    kinds = {_TITLES[change.subject.kind].lower() for change in changes if isinstance(change.subject, Annotation)}
    noun = kinds.pop() if len(changes) == 1 else f"{len(changes)} annotations"
    return Edit(label.format(noun), tuple(changes))


def on_plan(design: Design, rack_id: str) -> Point | None:
    """Where a rack stands on the floor plan; None where it stands nowhere."""
    rack = design.racks.get(rack_id)
    if rack is None or rack.x_m is None or rack.y_m is None:
        return None
    return rack.x_m * UNITS_PER_M, rack.y_m * UNITS_PER_M


def _middle_of(design: Design, thing: str) -> Point | None:
    """Where a device stands, or the middle between the devices of a link; None where that is not known."""
    link = design.links.get(thing)
    ends = (thing,) if link is None else (link.a.device_id, link.b.device_id)
    places = [design.placements[one] for one in ends if one in design.placements]
    if len(places) < len(ends):
        return None
    return sum(one.x for one in places) / len(places), sum(one.y for one in places) / len(places)
