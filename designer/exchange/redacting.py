"""A copy of a design that names nobody: names by pattern, without notes, tags, labels, prices and places.

What is computed from it is the same: devices, ports, links, figures and the order of everything stay.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from designer.catalog import generic
from designer.model.annotation import Annotation, AnnotationStyle
from designer.model.bookmark import Bookmark
from designer.model.design import Design, from_entities
from designer.model.entities import (
    GROUP_KINDS,
    ID_PREFIX,
    ROLES,
    SERVER_ROLES,
    TABLE_OF,
    Device,
    Entity,
    Group,
    Link,
    PlacedJob,
    Placement,
    Rack,
    Revision,
)
from designer.model.fixture import Fixture
from designer.model.hardware.types import HardwareType
from designer.model.naming import natural
from designer.model.networks import COMPUTE, network_of_switch
from designer.model.records import ordered
from designer.model.settings import Settings
from designer.model.tagging import Tagged
from designer.model.waiver import Waiver

SAFE_ROLES = frozenset({*ROLES, *SERVER_ROLES, "server"})
"""Roles that say nothing of whose design it is."""
NAME = "Redacted"
"""Of the copy."""
RESERVED = "reserved"
"""The purpose of every port that is kept for something."""
TYPE_ID_FIELDS = frozenset({"type_id", "medium_id", "nic_type_id", "network_nic_type_id", "card_type_id"})
"""Fields that hold the id of a hardware type."""
TABLE_OF_FIELD = {
    "device_id": ("devices",),
    "rack_id": ("racks",),
    "group_id": ("groups",),
    "parent_id": ("groups",),
    "pinned_to": ("devices", "links", "racks"),
    "style_id": ("annotation_styles",),
    "thing_id": ("racks", "fixtures"),
}
"""The tables that a field's id can be of."""
PRIVATE_TYPE_FIELDS: Mapping[str, Any] = {"sources": (), "notes": (), "part_number": "", "parts": ()}
"""Fields of a type of the user's own that may say where it comes from, and what they hold in the copy."""
WORDED_TYPE_FIELDS = ("gpu_model", "host_interface", "connector")
"""Free texts of a type that stay where a type of the shipped catalog has the same."""
COLOUR = re.compile(
    "aqua|beige|black|blue|brown|cyan|gold|green|grey|gray|magenta|orange|pink|purple|red|rose|silver|teal|turquoise|"
    "violet|white|yellow|#[0-9a-f]{3,8}",
    re.IGNORECASE,
)
"""Colors of a jacket that are words of everybody."""
REVISION_NUMBER = re.compile(r"[A-Za-z]{0,2}[0-9]{0,4}(\.[0-9]{1,4}){0,3}")
"""What counts revisions and says no more."""

PROGRAM_ID = re.compile(r"[a-z][0-9]+")
"""An id that the program gave."""

Ids = Mapping[str, str]
"""What ids become; an id that is not there stays."""


@dataclass(frozen=True, slots=True)
class _Renamed:
    """What ids become in the copy, by table."""

    known: Mapping[str, HardwareType]
    types: Ids
    tables: Mapping[str, Ids]


REMOVED = "removed"
"""In place of reasons."""

BLANK_IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
"""A picture of one pixel, in place of logos."""


def redacted(design: Design, known: Mapping[str, HardwareType]) -> Design:
    """The copy. Hardware types that are `known`, those of the shipped catalog, keep their names.

    Types of the user's own are numbered, changed ones too; their ports keep their names. Generated groups lose how they
    were generated, revisions all but their number and date.
    """
    renamed = _Renamed(
        known,
        {one.id: f"type-{number}" for number, one in enumerate(_own_types(design, known), start=1)},
        {table: _new_ids(records, ID_PREFIX[table]) for table, records in _tables(design).items()},
    )
    names = {**_device_names(design), **_counted(ordered(design.racks), lambda _rack: "rack")}
    entities = [_redacted(one, names, renamed) for one in design.entities() if not isinstance(one, Settings)]
    return from_entities(entities, _settings(design.settings))


def _tables(design: Design) -> dict[str, Mapping[str, Any]]:
    return {
        "devices": design.devices,
        "modules": design.modules,
        "links": design.links,
        "racks": design.racks,
        "groups": design.groups,
        "jobs": design.jobs,
        "revisions": design.revisions,
        "bookmarks": design.bookmarks,
        "annotations": design.annotations,
        "annotation_styles": design.annotation_styles,
        "fixtures": design.fixtures,
        "waivers": design.waivers,
    }


def _new_ids(records: Mapping[str, Any], prefix: str) -> dict[str, str]:
    """Ids counted in the order of those there are; nothing where all are such as the program gives."""
    if all(re.fullmatch(rf"{prefix}[0-9]+", one) for one in records):
        return {}
    return {one.id: f"{prefix}{number}" for number, one in enumerate(ordered(records), start=1)}


def _own_types(design: Design, known: Mapping[str, HardwareType]) -> list[HardwareType]:
    """Those that neither the catalog states nor a generator makes to measure."""
    stated = ((one, known.get(one.id) or generic.parse(one.id)) for one in ordered(design.types))
    return [one for one, same in stated if _called(one) != _called(same)]


def _called(type_: HardwareType | None) -> tuple[str, str] | None:
    return (type_.vendor, type_.model) if type_ is not None else None


# -- names ----------------------------------------------------------------------------------------------------------


def _device_names(design: Design) -> dict[str, str]:
    def word(device: Device) -> str:
        if design.is_server(device.id):
            return "server"
        role, network = _role(device.role), network_of_switch(device)
        named = role if role in SAFE_ROLES else "switch"
        return named if network == COMPUTE else f"{network}-{named}"

    return _counted(ordered(design.devices), word)


def _counted(records: Iterable[Any], word: Callable[[Any], str]) -> dict[str, str]:
    """By id "leaf-01" and on, in the order in which people list the names there are; equal names stay equal."""
    stems: dict[str, dict[str, None]] = {}
    seen: set[str] = set()
    every = list(records)
    for one in every:
        if one.name not in seen:
            seen.add(one.name)
            stems.setdefault(word(one), {})[one.name] = None
    new = {}
    for stem, names in stems.items():
        width = max(2, len(str(len(names))))
        for number, name in enumerate(sorted(names, key=natural), start=1):
            new[name] = f"{stem}-{number:0{width}d}"
    return {one.id: new[one.name] for one in every}


def _role(role: str) -> str:
    """The role where it is a word of the field; a free one says only that there is one."""
    return role if role.lower() in SAFE_ROLES or not role or re.fullmatch(r"tier-[0-9]+", role) else "switch"


def _roles(roles: Iterable[str]) -> tuple[str, ...]:
    """The same of several, each once."""
    return tuple(sorted({_role(role) for role in roles}))


# -- records --------------------------------------------------------------------------------------------------------


def _redacted(entity: Entity, names: Mapping[str, str], renamed: _Renamed) -> Entity:
    made: Any = replace(entity, tags=(), fields=()) if isinstance(entity, Tagged) else entity
    if isinstance(entity, Waiver):
        return _waiver(entity, renamed)
    if isinstance(entity, Device):
        kept = tuple((port, RESERVED) for port, _ in entity.reserved_for)
        made = replace(made, name=names[entity.id], role=_role(entity.role), reserved_for=kept)
    elif isinstance(entity, Rack):
        made = replace(made, name=names[entity.id], row="")
    elif isinstance(entity, Group):
        kind = entity.kind if entity.kind in GROUP_KINDS else "group"
        made = replace(made, name=f"{kind} {_number(entity.id, renamed.tables['groups'])}", kind=kind, recipe=None)
        made = replace(made, collapsed_roles=_roles(entity.collapsed_roles))
    elif isinstance(entity, Link):
        colour = entity.colour if COLOUR.fullmatch(entity.colour) else ""
        made = replace(made, label="", notes="", colour=colour)
    elif isinstance(entity, PlacedJob):
        made = replace(made, name=f"job {_number(entity.id, renamed.tables['jobs'])}")
    elif isinstance(entity, Bookmark):
        closed, opened = (
            tuple(filter(None, (_box(one, renamed) for one in boxes))) for boxes in (entity.collapsed, entity.opened)
        )
        made = replace(made, name=f"View {_number(entity.id, renamed.tables['bookmarks'])}")
        made = replace(made, collapsed=closed, opened=opened)
        made = replace(made, failed=_with_new_ids(entity.failed, renamed))
    elif isinstance(entity, Fixture):
        made = replace(made, name="")
    elif isinstance(entity, Annotation | AnnotationStyle):
        made = _note(made, renamed)
    elif isinstance(entity, Revision):
        number = entity.number if REVISION_NUMBER.fullmatch(entity.number) else ""
        made = Revision(entity.id, number or _number(entity.id, renamed.tables["revisions"]), entity.date)
    elif isinstance(entity, HardwareType):
        made = _type(entity, renamed)
    return _with_ids(made, renamed) if renamed.types or any(renamed.tables.values()) else made  # type: ignore[no-any-return]


def _note(note: Annotation | AnnotationStyle, renamed: _Renamed) -> Annotation | AnnotationStyle:
    if isinstance(note, Annotation):
        return replace(note, text="", author="", date="", image=BLANK_IMAGE if note.image else "")
    return replace(note, name=f"Style {_number(note.id, renamed.tables['annotation_styles'])}")


def _waiver(waiver: Waiver, renamed: _Renamed) -> Waiver:
    about = _with_new_ids(waiver.subjects, renamed)
    (within,) = _with_new_ids((waiver.within,), renamed)
    return replace(waiver, subjects=about, within=within, author="", reason=REMOVED, date="")


def _with_new_ids(ids: tuple[str, ...], renamed: _Renamed) -> tuple[str, ...]:
    found = {old: new for table in renamed.tables.values() for old, new in table.items()}
    return tuple(found.get(one, one) for one in ids)


def _box(text: str, renamed: _Renamed) -> str:
    """What a bookmark says is collapsed, under the id that it has in the copy; "" for a role in words of its own."""
    id_, slash, role = text.rpartition("/")
    ids = {**renamed.tables["groups"], **renamed.tables["racks"]}
    whole = id_ if slash and text not in ids else text
    if (whole and whole not in ids and not PROGRAM_ID.fullmatch(whole)) or (whole != text and _role(role) != role):
        return ""
    return ids.get(whole, whole) if whole == text else f"{ids.get(whole, whole)}/{role}"


def _type(type_: Any, renamed: _Renamed) -> Any:
    """Without its price; a type of the user's own without its names too."""
    values: dict[str, Any] = {"price_usd": None} if hasattr(type_, "price_usd") else {}
    stated = renamed.known.get(type_.id)
    for name, empty in PRIVATE_TYPE_FIELDS.items():
        if hasattr(type_, name):
            values[name] = getattr(stated, name, empty) if type_.id not in renamed.types else empty
    for name in WORDED_TYPE_FIELDS:
        if hasattr(type_, name) and getattr(type_, name) not in _words(renamed.known, name):
            values[name] = _memory(type_.gpu_model) if name == "gpu_model" else ""
    if hasattr(type_, "cages"):
        stated_cards = {cage.card for cage in getattr(stated, "cages", ())}
        values["cages"] = tuple(
            cage if not cage.card or cage.card in stated_cards else replace(cage, card="card") for cage in type_.cages
        )
    if type_.id in renamed.types:
        values |= {"vendor": "Own type", "model": renamed.types[type_.id]}
        if getattr(type_, "scale_up", None) is not None:
            values["scale_up"] = replace(type_.scale_up, name="scale-up")
    return replace(type_, **values)


def _words(known: Mapping[str, HardwareType], name: str) -> frozenset[str]:
    """The texts that types of the shipped catalog have in a field."""
    return frozenset({"", *(getattr(one, name, "") for one in known.values())})


def _memory(gpu_model: str) -> str:
    """The memory that the name of a GPU states, from which training is estimated; "" for a name without."""
    found = re.search(r"[0-9]+(\.[0-9]+)? ?GB\b", gpu_model)
    return found[0] if found is not None else ""


def _number(entity_id: str, ids: Ids) -> str:
    return re.sub(r"\D", "", ids.get(entity_id, entity_id))


def _settings(settings: Settings) -> Settings:
    private = ("notes", "project", "customer", "site", "author", "drawing_number", "label_template")
    nothing = Settings()
    roles = _roles(settings.collapsed_roles)
    policy = settings.policy
    if policy is not None:
        off = tuple((code, REMOVED) for code, _ in policy.off)
        settings = replace(settings, policy=replace(policy, name="", name_pattern="", off=off))
    return replace(settings, name=NAME, collapsed_roles=roles, **{name: getattr(nothing, name) for name in private})


def _with_ids(record: Any, renamed: _Renamed) -> Any:
    """The record, with the ids that changed, its own too; records inside it likewise."""
    values = {}
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        values[field.name] = _value(record, field.name, value, renamed)
    return replace(record, **values)


def _value(record: Any, name: str, value: Any, renamed: _Renamed) -> Any:
    if isinstance(value, str):
        if name in TYPE_ID_FIELDS:
            return renamed.types.get(value, value)
        if name == "id":
            return _own_id(record, value, renamed)
        for table in TABLE_OF_FIELD.get(name, ()):
            if value in renamed.tables[table]:
                return renamed.tables[table][value]
        return value
    if isinstance(value, tuple):
        return tuple(_with_ids(one, renamed) if dataclasses.is_dataclass(one) else one for one in value)
    return _with_ids(value, renamed) if dataclasses.is_dataclass(value) else value


def _own_id(record: Any, value: str, renamed: _Renamed) -> str:
    """A placement has the id of what it places."""
    if isinstance(record, HardwareType):
        return renamed.types.get(value, value)
    tables = ("devices", "racks", "annotations") if isinstance(record, Placement) else (TABLE_OF.get(type(record), ""),)
    return next((renamed.tables[one][value] for one in tables if value in renamed.tables.get(one, {})), value)
