"""Verbs about looks of annotations and links, and about named styles that many have.

Styles are made from what is selected, applied, renamed, changed for all that have them, and deleted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from designer.errors import EditError, UnknownEntityError
from designer.model.annotation import LOOK, SOLID, USUAL_LINE_WIDTH, Annotation, AnnotationStyle
from designer.model.annotation_limits import link_faults, look_faults, refuse
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Link, order_key
from designer.model.naming import checked_name
from designer.model.records import ordered
from designer.model.shown_text import visible_line
from designer.units import all_of, format_counted, shortened

OWN, NEW = "", "+"
"""Choices of a style that are none; no id begins so."""
Looked = Annotation | Link
"""What can have a style."""
_L = TypeVar("_L", bound=Looked)

LINE_LOOK: Mapping[str, str] = {"colour": "line_colour", "line_width": "line_width", "line_style": "line_style"}
"""The fields of a link by those of a look, which has more than a line needs."""
LINE_FIELDS = (*LINE_LOOK.values(), "style_id")
"""All that a link says of how its line looks."""
_FIELDS: Mapping[type, Mapping[str, str]] = {
    Annotation: {name: name for name in LOOK},
    AnnotationStyle: {name: name for name in LOOK},
    Link: LINE_LOOK,
}
_DEFAULTS = {one.name: one.default for one in fields(AnnotationStyle) if one.name in LOOK}
OWN_LOOKS: Mapping[type, Mapping[str, Any]] = {
    kind: {own: _DEFAULTS[name] for name, own in names.items()} for kind, names in _FIELDS.items()
}
"""What an annotation or a link says of its look where a style says it."""


def look_of(one: Looked | AnnotationStyle) -> dict[str, Any]:
    """The look, by field of a style."""
    return {name: getattr(one, own) for name, own in _FIELDS[type(one)].items()}


def has_look(link: Link) -> bool:
    """Whether the line of a link is to look unlike what links are colored by."""
    # Asked of every link there is: spelled out, as that is ten times quicker.
    is_usual = link.line_width == USUAL_LINE_WIDTH and link.line_style == SOLID
    return not is_usual or bool(link.line_colour or link.style_id)


def style_of(design: Design, one: Looked) -> AnnotationStyle | None:
    """The style that it has; None where it has a look of its own."""
    return design.annotation_styles.get(one.style_id) if one.style_id else None


def as_looked(design: Design, one: _L) -> _L:
    """The annotation or link with the look of its style, as it is drawn."""
    style = style_of(design, one)
    if style is None:
        return one
    return replace(one, **{own: getattr(style, name) for name, own in _FIELDS[type(one)].items()})


def users_of(design: Design, style_id: str) -> list[Looked]:
    """The annotations that have a style, in stable order, and then the links."""
    links = ordered({key: one for key, one in design.links.items() if one.style_id == style_id})
    return [*(one for one in ordered(design.annotations) if one.style_id == style_id), *links]


def make_style(design: Design, ids: Iterable[str], name: str = "") -> Edit:
    """A style that looks as the first of these annotations and links does; all of them have it then.

    Without a name it is counted: "Style 1". Raises EditError for a name in use.
    """
    chosen = _looked(design, ids)
    if not chosen:
        raise EditError("select an annotation or a link that looks as the style should")
    given = _free_name(design, name) if name else _counted(design)
    look = look_of(as_looked(design, chosen[0]))
    style = AnnotationStyle(design.new_ids("annotation_styles", 1)[0], given, **look)
    return Edit(f"Add style {given}", (*added([style]), *_styled(chosen, style.id)))


def apply_style(design: Design, ids: Iterable[str], style_id: str) -> Edit:
    """The annotations and links with that style, or with "" the look that they have as one of their own."""
    chosen = _looked(design, ids)
    if not style_id:
        freed = (Change(one, _freed(design, one)) for one in chosen if one.style_id)
        return Edit("Remove style", tuple(freed))
    style = _style(design, style_id)
    return Edit(f"Apply style {style.name}", tuple(_styled(chosen, style.id)))


def change_lines(design: Design, ids: Iterable[str], **values: Any) -> Edit:
    """The links with lines of that `line_colour`, `line_width` and `line_style`.

    Of links with a style it is the look of the style, for all that have it. Raises ParameterError naming the field.
    """
    links = [design.links[one] for one in sorted(set(ids), key=order_key)]
    look = {name: values[own] for name, own in LINE_LOOK.items() if own in values}
    changes = list[Change]()
    for before in (one for one in links if style_of(design, one) is None):
        after = replace(before, **values)
        refuse(link_faults(after))
        if after != before:
            changes.append(Change(before, after))
    styles = dict.fromkeys(one.style_id for one in links if style_of(design, one) is not None)
    of_styles = [change_style(design, one, **look) for one in styles]
    if len(of_styles) == 1 and not changes:
        return of_styles[0]
    changes += (change for edit in of_styles for change in edit.changes)
    return Edit(f"Change lines of {format_counted(len(links), 'link')}", tuple(changes))


def rename_style(design: Design, style_id: str, name: str) -> Edit:
    """The style under another name. Raises EditError for one in use."""
    style = _style(design, style_id)
    given = _free_name(design, name, style_id)
    changes = (Change(style, replace(style, name=given)),) if given != style.name else ()
    return Edit(f"Rename style {style.name}", changes)


def change_style(design: Design, style_id: str, **values: Any) -> Edit:
    """The style with another look, and so all that has it. Raises ParameterError naming the field."""
    before = _style(design, style_id)
    after = replace(before, **values)
    refuse(look_faults(after))
    return Edit(f"Change style {before.name}", (Change(before, after),) if after != before else ())


def delete_style(design: Design, style_id: str) -> Edit:
    """The style removed; what had it keeps its look."""
    style = _style(design, style_id)
    freed = (Change(one, _freed(design, one)) for one in users_of(design, style_id))
    return Edit(f"Delete style {style.name}", (*freed, Change(style, None)))


def style_choices(design: Design) -> list[tuple[str, str]]:
    """Values and titles to choose a style from: OWN, those there are, and NEW."""
    styles = ((one.id, visible_line(one.name)) for one in ordered(design.annotation_styles))
    return [(OWN, "Own look"), *styles, (NEW, "New style from this look")]


def use_text(design: Design, style: AnnotationStyle) -> str:
    """How many annotations and links a style concerns: "3 annotations and 1 link have"."""
    users = users_of(design, style.id)
    n_links = sum(isinstance(one, Link) for one in users)
    counts = [(len(users) - n_links, "annotation"), (n_links, "link")]
    said = [format_counted(count, noun) for count, noun in counts if count or (noun == "annotation" and not users)]
    return f"{all_of(said)} {'has' if len(users) == 1 else 'have'}"


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


def _styled(chosen: Iterable[Looked], style_id: str) -> list[Change]:
    pairs = ((one, replace(one, style_id=style_id, **OWN_LOOKS[type(one)])) for one in chosen)
    return [Change(before, after) for before, after in pairs if before != after]


def _freed(design: Design, one: _L) -> _L:
    return replace(as_looked(design, one), style_id="")


def _looked(design: Design, ids: Iterable[str]) -> list[Looked]:
    """Those of these that can have a style: annotations, then links."""
    order = sorted(set(ids), key=order_key)
    notes = (design.annotations[one] for one in order if one in design.annotations)
    return [*notes, *(design.links[one] for one in order if one in design.links)]


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
