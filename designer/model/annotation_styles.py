"""Verbs about named styles: made from what is selected, applied, renamed, changed for all that have them, deleted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from designer.errors import EditError, UnknownEntityError
from designer.model.annotation import LOOK, Annotation, AnnotationStyle
from designer.model.annotation_limits import look_faults, refuse
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import order_key
from designer.model.naming import checked_name
from designer.model.records import ordered
from designer.units import format_counted, shortened

OWN_LOOK: Mapping[str, Any] = {one.name: one.default for one in fields(AnnotationStyle) if one.name in LOOK}
"""What an annotation says of its look where a style says it."""


def look_of(one: Annotation | AnnotationStyle) -> dict[str, Any]:
    """The look, by field."""
    return {name: getattr(one, name) for name in LOOK}


def style_of(design: Design, one: Annotation) -> AnnotationStyle | None:
    """The style that an annotation has; None where it has a look of its own."""
    return design.annotation_styles.get(one.style_id) if one.style_id else None


def as_looked(design: Design, one: Annotation) -> Annotation:
    """The annotation with the look of its style, as it is drawn."""
    style = style_of(design, one)
    return one if style is None else replace(one, **look_of(style))


def users_of(design: Design, style_id: str) -> list[Annotation]:
    """The annotations that have a style, in stable order."""
    return [one for one in ordered(design.annotations) if one.style_id == style_id]


def make_style(design: Design, ids: Iterable[str], name: str = "") -> Edit:
    """A style that looks as the first of these annotations does; all of them have it then.

    Without a name it is counted: "Style 1". Raises EditError for a name in use.
    """
    notes = _annotations(design, ids)
    if not notes:
        raise EditError("select an annotation that looks as the style should")
    given = _free_name(design, name) if name else _counted(design)
    look = look_of(as_looked(design, notes[0]))
    style = AnnotationStyle(design.new_ids("annotation_styles", 1)[0], given, **look)
    return Edit(f"Add style {given}", (*added([style]), *_styled(notes, style.id)))


def apply_style(design: Design, ids: Iterable[str], style_id: str) -> Edit:
    """The annotations with that style, or with "" the look that they have as one of their own."""
    notes = _annotations(design, ids)
    if not style_id:
        freed = (Change(one, _freed(design, one)) for one in notes if one.style_id)
        return Edit("Remove style", tuple(freed))
    style = _style(design, style_id)
    return Edit(f"Apply style {style.name}", tuple(_styled(notes, style.id)))


def rename_style(design: Design, style_id: str, name: str) -> Edit:
    """The style under another name. Raises EditError for one in use."""
    style = _style(design, style_id)
    given = _free_name(design, name, style_id)
    changes = (Change(style, replace(style, name=given)),) if given != style.name else ()
    return Edit(f"Rename style {style.name}", changes)


def change_style(design: Design, style_id: str, **values: Any) -> Edit:
    """The style with another look, and so all annotations that have it. Raises ParameterError naming the field."""
    before = _style(design, style_id)
    after = replace(before, **values)
    refuse(look_faults(after))
    return Edit(f"Change style {before.name}", (Change(before, after),) if after != before else ())


def delete_style(design: Design, style_id: str) -> Edit:
    """The style removed; what had it keeps its look."""
    style = _style(design, style_id)
    freed = (Change(one, _freed(design, one)) for one in users_of(design, style_id))
    return Edit(f"Delete style {style.name}", (*freed, Change(style, None)))


def use_text(design: Design, style: AnnotationStyle) -> str:
    """How many annotations a style concerns: "3 annotations have"."""
    count = len(users_of(design, style.id))
    return f"{format_counted(count, 'annotation')} {'has' if count == 1 else 'have'}"


def styles_here(design: Design, styles: Sequence[AnnotationStyle]) -> tuple[list[AnnotationStyle], dict[str, str]]:
    """Of styles that come from elsewhere, those to bring in, and the id that each has in the design.

    One that the design has under the same name with the same look is that; with another look it comes as "... 2".
    """
    missing: list[AnnotationStyle] = []
    ids: dict[str, str] = {}
    by_name = {one.name: one for one in design.annotation_styles.values()}
    fresh = iter(design.new_ids("annotation_styles", len(styles)))
    for style in styles:
        name, number = style.name, 1
        while name in by_name and look_of(by_name[name]) != look_of(style):
            number += 1
            name = f"{style.name} {number}"
        if name not in by_name:
            by_name[name] = replace(style, id=next(fresh), name=name)
            missing.append(by_name[name])
        ids[style.id] = by_name[name].id
    return missing, ids


def _styled(notes: Iterable[Annotation], style_id: str) -> list[Change]:
    pairs = ((one, replace(one, style_id=style_id, **OWN_LOOK)) for one in notes)
    return [Change(before, after) for before, after in pairs if before != after]


def _freed(design: Design, one: Annotation) -> Annotation:
    return replace(as_looked(design, one), style_id="")


def _annotations(design: Design, ids: Iterable[str]) -> list[Annotation]:
    return [design.annotations[one] for one in sorted(set(ids), key=order_key) if one in design.annotations]


def _style(design: Design, style_id: str) -> AnnotationStyle:
    found = design.annotation_styles.get(style_id)
    if found is None:
        raise UnknownEntityError(f"there is no style with id {shortened(style_id)!r}")
    return found


def _counted(design: Design) -> str:
    taken = {one.name for one in design.annotation_styles.values()}
    return next(name for number in range(1, len(taken) + 2) if (name := f"Style {number}") not in taken)


def _free_name(design: Design, name: str, style_id: str = "") -> str:
    """The name as it is kept. Raises EditError where another style has it."""
    given = checked_name(name, "a style")
    if any(one.name == given and one.id != style_id for one in design.annotation_styles.values()):
        raise EditError(f"there is a style called {given!r} already: choose another name")
    return given
