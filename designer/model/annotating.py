"""Verbs about annotations: put on the canvas, changed, pinned to what they are about."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.fields.field import fields_of
from designer.model.annotation import COMMENT, IMAGE, KINDS, STRAIGHT, Annotation
from designer.model.annotation_limits import annotation_faults
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Link, Placement, order_key
from designer.model.equipping import check_coordinates
from designer.model.images import Picture, text_of
from designer.model.shown_text import visible_line
from designer.units import shortened

_TITLES = {word.name: word.title for word in KINDS}
TITLE_MOST = 40


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
    """The annotations with these fields changed. Raises ParameterError naming the field that cannot be."""
    values = _checked(values)
    changes = []
    for one in sorted(ids, key=order_key):
        before = _annotation(design, one)
        after = replace(before, **values)
        check_annotation(after)
        if after != before:
            changes.append(Change(before, after))
    what = _TITLES[changes[0].subject.kind].lower() if len(changes) == 1 else f"{len(changes)} annotations"  # type: ignore[union-attr]
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


def with_pinned(design: Design, edit: Edit) -> Edit:
    """The edit, joined by moves of the annotations that are pinned to what it moves."""
    shifts = {
        after.id: (after.x - before.x, after.y - before.y)
        for before, after in ((change.before, change.after) for change in edit.changes)
        if isinstance(before, Placement) and isinstance(after, Placement) and (before.x, before.y) != (after.x, after.y)
    }
    if not shifts or not design.annotations:
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
