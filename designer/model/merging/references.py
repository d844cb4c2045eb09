"""What a record refers to, and the same record under other ids."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from designer.errors import ParameterError
from designer.model.annotation import Annotation
from designer.model.bookmark import Bookmark
from designer.model.entities import Device, End, Entity, Group, Link, Module, PlacedJob, Placement, Rack, Recipe
from designer.model.fixture import Fixture
from designer.model.hardware.types import DeviceType
from designer.model.id_runs import parsed, spelled_runs
from designer.model.waiver import Waiver
from designer.units import joined_spans

Key = tuple[str, str]
"""A table and the id of a record in it."""
Ids = Mapping[str, str]
"""New ids by old; what is not named keeps its own. No id is in two tables, but for places and what they place."""


def needs(record: Entity) -> Iterator[Key]:
    """What cannot be missing while the record is there; of a group, rack or server it belongs to see `homes`."""
    if isinstance(record, Link):
        yield "devices", record.a.device_id
        yield "devices", record.b.device_id
    elif isinstance(record, Module):
        yield "devices", record.device_id


def homes(record: Entity) -> Iterator[Key]:
    """What the record is in or runs on: it can do without, but then it is somewhere else."""
    home: str | None = None
    if isinstance(record, Device | Rack):
        home = record.group_id
    elif isinstance(record, Group):
        home = record.parent_id
    elif isinstance(record, Placement):
        if record.rack_id is not None:
            yield "racks", record.rack_id
    elif isinstance(record, PlacedJob):
        for one in record.servers:
            yield "devices", one.device_id
    if home is not None:
        yield "groups", home


def kinds_of(record: Entity) -> Iterator[Key]:
    """The types and the style that the record is of, which come along wherever it goes."""
    if isinstance(record, Device | Module | Rack):
        yield "types", record.type_id
    elif isinstance(record, Link) and record.medium_id:
        yield "types", record.medium_id
    if isinstance(record, Annotation | Link) and record.style_id:
        yield "annotation_styles", record.style_id


def rewritten(record: Any, ids: Ids) -> Any:
    """The record under its new id, referring to the new ids of others; the same object where nothing is new."""
    if not ids:
        return record
    values: dict[str, Any] = {"id": ids.get(record.id, record.id)}
    values |= {name: ids.get(getattr(record, name), getattr(record, name)) for name in ID_FIELDS.get(type(record), ())}
    if (others := _OTHERS.get(type(record))) is not None:
        values |= others(record, ids)
    elif isinstance(record, DeviceType):
        values["slots"] = tuple(
            replace(
                slot,
                nic_type_id=ids.get(slot.nic_type_id, slot.nic_type_id),
                network_nic_type_id=ids.get(slot.network_nic_type_id, slot.network_nic_type_id),
                card_type_id=ids.get(slot.card_type_id, slot.card_type_id),
            )
            for slot in record.slots
        )
    changed = {name: value for name, value in values.items() if value != getattr(record, name)}
    return replace(record, **changed) if changed else record


ID_FIELDS: Mapping[type, tuple[str, ...]] = {
    Device: ("type_id", "group_id"),
    Module: ("device_id", "type_id"),
    Link: ("medium_id", "style_id"),
    Rack: ("type_id", "group_id"),
    Group: ("parent_id",),
    Placement: ("rack_id",),
    Annotation: ("pinned_to", "style_id"),
    Waiver: ("within",),
}
"""Fields that are the id of another record, by kind of record."""


def _link(link: Link, ids: Ids) -> dict[str, Any]:
    return {"a": _end(link.a, ids), "b": _end(link.b, ids)}


def _end(end: End, ids: Ids) -> End:
    return End(ids[end.device_id], end.port) if end.device_id in ids else end


def _group(group: Group, ids: Ids) -> dict[str, Any]:
    return {"recipe": _recipe(group.recipe, ids) if group.recipe is not None else None}


def _recipe(recipe: Recipe, ids: Ids) -> Recipe:
    tables = ("groups", "racks", "devices", "modules", "links")
    values: dict[str, Any] = {name: _runs(getattr(recipe, name), ids) for name in tables}
    return replace(recipe, **values) if any(values[name] != getattr(recipe, name) for name in tables) else recipe


def _runs(id_runs: tuple[str, ...], ids: Ids) -> tuple[str, ...]:
    """Runs of ids under the new ones. A run may claim any number of records: only the renumbered are spelled out."""
    found: list[tuple[int, int]] = []
    try:
        spans = list(parsed(id_runs))
    except ParameterError:
        return id_runs
    prefix = spans[0][0] if spans else ""
    numbers = sorted(int(one[1:]) for one in ids if spans and one[:1] == prefix and one[1:].isdecimal())
    for _, first, last in spans:
        begin = first
        for number in numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]:
            if begin < number:
                found.append((begin, number - 1))
            new = ids[f"{prefix}{number}"]
            if new[:1] == prefix and new[1:].isdecimal():  # a recipe has no word for another id
                found.append((int(new[1:]), int(new[1:])))
            begin = number + 1
        if begin <= last:
            found.append((begin, last))
    return spelled_runs(prefix, joined_spans(found)) if len(found) > len(spans) or numbers else id_runs


def _fixture(fixture: Fixture, ids: Ids) -> dict[str, Any]:
    ties = (replace(one, thing_id=ids[one.thing_id]) if one.thing_id in ids else one for one in fixture.ties)
    return {"ties": tuple(ties)}


def _job(job: PlacedJob, ids: Ids) -> dict[str, Any]:
    return {
        "servers": tuple(
            replace(one, device_id=ids[one.device_id]) if one.device_id in ids else one for one in job.servers
        )
    }


def _bookmark(bookmark: Bookmark, ids: Ids) -> dict[str, Any]:
    """A box is an id, or "g1/leaf"."""

    def boxes(texts: tuple[str, ...]) -> tuple[str, ...]:
        parts = (one.partition("/") for one in texts)
        return tuple(f"{ids.get(head, head)}{slash}{role}" for head, slash, role in parts)

    return {
        "collapsed": boxes(bookmark.collapsed),
        "opened": boxes(bookmark.opened),
        "failed": tuple(ids.get(one, one) for one in bookmark.failed),
    }


def _waiver(waiver: Waiver, ids: Ids) -> dict[str, Any]:
    return {"subjects": tuple(ids.get(one, one) for one in waiver.subjects)}


_OTHERS: Mapping[type, Callable[[Any, Ids], dict[str, Any]]] = {
    Link: _link,
    Group: _group,
    PlacedJob: _job,
    Bookmark: _bookmark,
    Fixture: _fixture,
    Waiver: _waiver,
}
