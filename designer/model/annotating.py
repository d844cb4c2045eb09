"""Verbs about annotations: put on the canvas, changed, pinned to what they are about."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.fields.field import fields_of
from designer.model.annotation import COMMENT, IMAGE, KINDS, LOOK, STRAIGHT, Annotation
from designer.model.annotation_limits import annotation_faults
from designer.model.annotation_styles import change_style, style_of
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Link, Placement, order_key
from designer.model.equipping import check_coordinates
from designer.model.images import Picture, text_of
from designer.model.shown_text import visible_line
from designer.units import shortened

_TITLES = {word.name: word.title for word in KINDS}
TITLE_MOST = 40
Box = tuple[float, float, float, float]


def title_of(annotation: Annotation) -> str:
    """What lists call it: its words, or what it is."""
    words = visible_line(" ".join(annotation.text.split()))
    if not words:
        return _TITLES.get(annotation.kind, "Annotation")
    return words if len(words) <= TITLE_MOST else f"{words[: TITLE_MOST - 1]}…"


def annotate(design: Design, kind: str, start: tuple[float, float], end: tuple[float, float], **values: Any) -> Edit:
    """A new annotation from one canvas point to the other. Raises ParameterError or EditError."""
    check_coordinates(*start, *end)
    dx, dy = end[0] - start[0], end[1] - start[1]
    if kind not in STRAIGHT:
        dx, dy = abs(dx), abs(dy)
    made = replace(Annotation(design.new_ids("annotations", 1)[0], kind, dx, dy), **_checked(values))
    check_annotation(made)
    place = Placement(made.id, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    return Edit(f"Add {_TITLES[kind].lower()}", added([made, place]))


def annotate_image(design: Design, picture: Picture, x: float, y: float, width: float) -> Edit:
    """A picture around a canvas point, that wide."""
    height = width * picture.height / picture.width
    start, end = (x - width / 2, y - height / 2), (x + width / 2, y + height / 2)
    return annotate(design, IMAGE, start, end, image=text_of(picture))


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
        before = _annotation(design, one)
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
    """The annotation from one canvas point to the other."""
    check_coordinates(*start, *end)
    before, place = _annotation(design, one), design.placements[one]
    dx, dy = end[0] - start[0], end[1] - start[1]
    if before.kind not in STRAIGHT:
        dx, dy = abs(dx), abs(dy)
    after = replace(before, dx=dx, dy=dy)
    moved = replace(place, x=(start[0] + end[0]) / 2, y=(start[1] + end[1]) / 2)
    pairs = (Change(before, after), Change(place, moved))
    changes = tuple(change for change in pairs if change.before != change.after)
    return Edit(f"Resize {_TITLES[before.kind].lower()}", changes)


def stretch(design: Design, ids: Iterable[str], before: Box, after: Box) -> Edit:
    """The annotations as a frame around them, left, top, right and bottom, becomes another; letters keep their size."""
    check_coordinates(*after)
    width, height = before[2] - before[0], before[3] - before[1]
    across = (after[2] - after[0]) / width if width else 1.0
    down = (after[3] - after[1]) / height if height else 1.0
    changes: list[Change] = []
    chosen = sorted(ids, key=order_key)
    for one in chosen:
        note, place = _annotation(design, one), design.placements[one]
        x, y = after[0] + (place.x - before[0]) * across, after[1] + (place.y - before[1]) * down
        sized = replace(note, dx=note.dx * across, dy=note.dy * down)
        pairs = (Change(note, sized), Change(place, replace(place, x=x, y=y)))
        changes += (change for change in pairs if change.before != change.after)
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
    if not shifts:
        return edit
    own = {change.subject.id for change in edit.changes}
    changes = []
    for one in design.annotations.values():
        shift = _shift_of(design, one, shifts)
        if shift != (0.0, 0.0) and one.id not in own and one.id in design.placements:
            place = design.placements[one.id]
            changes.append(Change(place, replace(place, x=place.x + shift[0], y=place.y + shift[1])))
    return Edit(edit.label, (*edit.changes, *changes)) if changes else edit


def _shift_of(design: Design, one: Annotation, shifts: dict[str, tuple[float, float]]) -> tuple[float, float]:
    """How far what it is pinned to moves; a link by the middle of its ends."""
    link = design.links.get(one.pinned_to)
    if link is None:
        return shifts.get(one.pinned_to, (0.0, 0.0))
    (ax, ay), (bx, by) = (shifts.get(end.device_id, (0.0, 0.0)) for end in (link.a, link.b))
    return (ax + bx) / 2, (ay + by) / 2


def unpinned(design: Design, gone: Iterable[str]) -> list[Change]:
    """The annotations that were pinned to what goes, on their own from then on."""
    going = set(gone)
    pinned = (one for one in design.annotations.values() if one.pinned_to in going and one.id not in going)
    return [Change(one, replace(one, pinned_to="")) for one in pinned]


def check_annotation(one: Annotation) -> None:
    """Raises ParameterError for an annotation that could not be drawn."""
    for field, fault in annotation_faults(one):
        raise ParameterError(f"{field}: {fault}")


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    described = fields_of(Annotation)
    for name, value in values.items():
        if name in described:
            described[name].require(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            values[name] = float(value)
    return values


def _annotation(design: Design, one: str) -> Annotation:
    found = design.annotations.get(one)
    if found is None:
        raise UnknownEntityError(f"there is no annotation with id {shortened(one)!r}")
    return found


def pin(design: Design, one: str, to: str) -> Edit:
    """The annotation pinned to a device or link, or to nothing for "". Raises EditError where it cannot be."""
    if to and to not in design.devices and not isinstance(design.entity(to), Link):
        raise EditError("an annotation can be pinned to a device or a link")
    return change_annotations(design, [one], pinned_to=to)


def is_open_comment(one: Annotation) -> bool:
    """Whether it is a comment that is not resolved."""
    return one.kind == COMMENT and not one.resolved
