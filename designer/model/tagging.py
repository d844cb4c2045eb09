"""Verbs that tag things, and give them fields of the user's own: any number of things at a time."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Group, Link, Module, PlacedJob, Rack
from designer.model.fixture import Fixture
from designer.model.limits import tag_faults

Tagged = Device | Module | Link | Rack | Group | PlacedJob | Fixture
"""What can be tagged."""

Make = Callable[[Tagged], Tagged]

_BETWEEN = re.compile(r"[\s,;]+")


def parse_tags(text: str) -> tuple[str, ...]:
    """The tags that a text lists with blanks or commas between; each once, whatever its letters' case."""
    tags: dict[str, str] = {}
    for tag in filter(None, _BETWEEN.split(text)):
        tags.setdefault(tag.casefold(), tag)
    return tuple(tags.values())


def set_tags(design: Design, ids: Iterable[str], tags: Sequence[str]) -> Edit:
    """The things with exactly these tags. Raises EditError for what cannot be tagged so."""
    return _each(design, ids, "Tag", lambda one: replace(one, tags=tuple(tags)))


def add_tags(design: Design, ids: Iterable[str], tags: Sequence[str]) -> Edit:
    """The things with these tags in addition to those they have. Raises EditError for what cannot be tagged so."""
    return change_tags(design, ids, tags, ())


def remove_tags(design: Design, ids: Iterable[str], tags: Sequence[str]) -> Edit:
    """The things without these tags."""
    return change_tags(design, ids, (), tags)


def change_tags(design: Design, ids: Iterable[str], more: Sequence[str], less: Sequence[str]) -> Edit:
    """The things with more tags, and without others. Raises EditError for what cannot be tagged so."""
    off = {tag.casefold() for tag in less}

    def with_tags(one: Tagged) -> Tagged:
        kept = tuple(tag for tag in one.tags if tag.casefold() not in off)
        has = {tag.casefold() for tag in kept}
        return replace(one, tags=(*kept, *(tag for tag in more if tag.casefold() not in has)))

    return _each(design, ids, "Remove tags of" if less and not more else "Tag", with_tags)


def set_field(design: Design, ids: Iterable[str], name: str, value: str) -> Edit:
    """The things with this value in a field of the user's own; without the field where the value is empty.

    A field keeps its place among the others. Raises EditError for a name or value that cannot be.
    """
    name, value = name.strip(), value.strip()
    if not name:
        raise EditError("a field needs a name")
    key = name.casefold()

    def with_field(one: Tagged) -> Tagged:
        others = dict(one.fields)
        known = next((other for other in others if other.casefold() == key), name)
        others[known] = value
        return replace(one, fields=tuple((other, text) for other, text in others.items() if text))

    return _each(design, ids, f"Set {name} of", with_field)


def field_of(one: Tagged, name: str) -> str:
    """The value of a thing's field of that name, whatever its letters' case; "" where it has none."""
    key = name.casefold()
    return next((value for known, value in one.fields if known.casefold() == key), "")


def tags_text(one: Tagged) -> str:
    """The tags of a thing as one cell: "spare, phase-2"."""
    return ", ".join(one.tags)


def fields_text(one: Tagged) -> str:
    """The fields of a thing as one cell: "Asset: A-4711; Owner: network team"."""
    return "; ".join(f"{name}: {value}" for name, value in one.fields)


def _each(design: Design, ids: Iterable[str], verb: str, make: Make) -> Edit:
    """The edit that makes another record of each thing."""
    things = tagged(design, ids)
    changes = []
    for one in things:
        after = make(one)
        for field, fault in tag_faults(after):
            raise EditError(f"{_name(one)}, {field}: {fault}")
        if after != one:
            changes.append(Change(one, after))
    what = _name(things[0]) if len(things) == 1 else f"{len(things):,} things"
    return Edit(f"{verb} {what}", tuple(changes))


def tagged(design: Design, ids: Iterable[str]) -> list[Tagged]:
    """The things of these ids, each once. Raises UnknownEntityError, and EditError for what has no tags."""
    found: list[Tagged] = []
    for entity_id in dict.fromkeys(ids):
        entity = design.entity(entity_id)
        if entity is None:
            raise UnknownEntityError(f"nothing in the design has the id {entity_id!r}")
        if not isinstance(entity, Tagged):
            raise EditError(f"{entity_id!r} is neither device, NIC, link, rack, group, fixture nor job: it has no tags")
        found.append(entity)
    if not found:
        raise ParameterError("select what to tag first")
    return found


def _name(one: Tagged) -> str:
    if isinstance(one, Link):
        return one.label or f"link {one.id}"
    return one.slot if isinstance(one, Module) else one.name


@dataclass(frozen=True, slots=True)
class Common:
    """What things have in common of tags and fields of the user's own."""

    tags: tuple[str, ...] = ()
    """Those that all have."""
    some: tuple[tuple[str, int], ...] = ()
    """Those that only some have, and how many."""
    fields: tuple[tuple[str, str | None], ...] = ()
    """Every field that any has, with the value; None where the values differ, or some lack it."""


def common(things: Sequence[Tagged]) -> Common:
    """What the things have in common; things that are tagged alike are looked at once."""
    alike = Counter((one.tags, one.fields) for one in things)
    spelled: dict[str, str] = {}
    tags: Counter[str] = Counter()
    names: dict[str, str] = {}
    values: dict[str, Counter[str]] = {}
    for (own_tags, own_fields), count in alike.items():
        for tag in own_tags:
            tags[spelled.setdefault(tag.casefold(), tag)] += count
        for name, value in own_fields:
            known = names.setdefault(name.casefold(), name)
            values.setdefault(known, Counter())[value] += count
    n = len(things)
    return Common(
        tuple(tag for tag, count in tags.items() if count == n),
        tuple((tag, count) for tag, count in tags.items() if count < n),
        tuple((name, next(iter(found)) if list(found.values()) == [n] else None) for name, found in values.items()),
    )
