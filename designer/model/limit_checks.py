"""What no file could hold or no program open again is refused at the edit that would bring it."""

import math
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any

from designer.errors import EditError
from designer.fields.field import fields_of
from designer.fields.ranges import Range
from designer.model import limits
from designer.model.annotation import Annotation, AnnotationStyle
from designer.model.annotation_limits import annotation_faults, link_faults, look_faults
from designer.model.bookmark import Bookmark
from designer.model.bookmark_limits import bookmark_faults
from designer.model.colour_keys import DEVICE_LABELS, LINK_LABELS
from designer.model.edit import Change, Edit
from designer.model.entities import TABLE_OF, Device, End, Entity, Group, Link, Module, PlacedJob, Placement, Rack
from designer.model.fixture import Fixture
from designer.model.fixture_limits import crowding_fault, fixture_faults
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.job_colours import is_colour
from designer.model.job_limits import JOBS_MOST, PLACES_MOST, job_faults, places
from designer.model.limits import Fault
from designer.model.policy_limits import policy_faults, waiver_faults
from designer.model.port_records import PortRecords
from designer.model.settings import Settings
from designer.model.waiver import Waiver
from designer.units import shortened

Tables = Mapping[str, Mapping[str, Any]]

_SHORT = 100
"""Characters that no limit of a text is below."""

_MANY = 1000
"""Changes from which ids are looked at as a whole."""

_FEW_PORTS = 4096
"""Delivered modes of types with fewer do not add up to much."""

_WORDS = {
    "types": "type",
    "devices": "device",
    "modules": "NIC",
    "links": "link",
    "racks": "rack",
    "groups": "group",
    "placements": "the place of",
    "jobs": "job",
    "annotations": "annotation",
    "bookmarks": "bookmark",
    "annotation_styles": "style",
    "fixtures": "fixture",
    "waivers": "waiver",
}


def check_limits(design: PortRecords, tables: Tables, edit: Edit) -> None:
    """Raises EditError naming the thing and the limit where the edit, which the tables hold already, goes beyond it."""
    kinds = edit.kinds
    changes = edit.others if _stay_on_canvas(edit.moves) else edit.changes
    checks_ids = len(changes) < _MANY or not _are_ids_used_once(tables)
    for change in changes:
        after = change.after
        if after is None:
            continue
        standing: Entity | None = tables[TABLE_OF[type(after)]].get(after.id)
        if standing is after:
            _check_record(tables, after)
            if checks_ids and change.before is None:
                _check_id(tables, after)
            _check_crowding(design, after)
    if Group in kinds:
        _check_depth(tables["groups"])
    if PlacedJob in kinds:
        _check_jobs(tables["jobs"])
    if Fixture in kinds and (fault := crowding_fault(tables["fixtures"].values())):
        raise EditError(fault)
    if not kinds.isdisjoint((Device, SwitchType, ServerType)):
        _check_totals(tables, edit)
    if not kinds.isdisjoint((Device, Module, LineCardType)):
        _check_cards(tables)
    count = sum(map(len, tables.values()))
    if count > limits.RECORDS_MOST:
        raise EditError(f"the design would have {count:,} parts, the most is {limits.RECORDS_MOST:,}")


def _stay_on_canvas(moves: Iterable[Change]) -> bool:
    """Whether the places of what is only moved are within their limits: looked at number by number, not one by one."""
    places = [change.after for change in moves]
    for get, kinds, least, most in _glance(Placement).numbers:
        values = list(map(get, places))
        there = values if None not in values else [value for value in values if value is not None]
        if not set(map(type, there)).issubset(kinds) or not _are_within(there, least, most):
            return False
    return True


def _are_within(values: list[float], least: float, most: float) -> bool:
    """Whether all of these are numbers from `least` to `most`."""
    if not values:
        return True
    return least <= min(values) and max(values) <= most and not math.isnan(sum(values))


def _check_record(tables: Tables, after: Entity) -> None:
    if not _is_plain(after):
        for field, fault in _faults(after):
            raise EditError(f"{_note_text(tables, after)}, {field}: {fault}")
    if isinstance(after, Placement):
        if after.rack_id is not None and after.id in tables["racks"]:
            raise EditError(f"rack {_shown(tables['racks'][after.id])} cannot stand in a rack")
    elif isinstance(after, Device | Link | Settings):
        _check_look(tables, after)


def _check_id(tables: Tables, after: Entity) -> None:
    """A placement has the id of what it places, everything else one of its own."""
    if not isinstance(after, Placement) and sum(after.id in tables[name] for name in _IDENTIFIED) > 1:
        raise EditError(f"the id {after.id!r} is in use already")


def _are_ids_used_once(tables: Tables) -> bool:
    """Whether all things have ids of their own: looked at as a whole, faster than one by one for many."""
    return len(set().union(*(tables[name] for name in _IDENTIFIED))) == sum(len(tables[name]) for name in _IDENTIFIED)


def _check_look(tables: Tables, record: Device | Link | Settings) -> None:
    if isinstance(record, Link):
        for named, fault in link_faults(record):
            raise EditError(f"{_note_text(tables, record)}, {named}: {fault}")
        return
    if isinstance(record, Device):
        if record.colour and not is_colour(record.colour):
            raise EditError(f"{_note_text(tables, record)}, colour: must be written as #rrggbb in small letters")
        return
    for which, words in (("device_labels", DEVICE_LABELS), ("link_labels", LINK_LABELS)):
        for name in getattr(record, which):
            if all(name != one.name for one in words):
                names = ", ".join(one.name for one in words)
                raise EditError(f"{_note_text(tables, record)}, {which}: {shortened(name)!r} is none of {names}")
    for name in ("color_devices_by", "color_links_by", "link_lines"):
        field = fields_of(Settings)[name]
        if all(getattr(record, name) != one.name for one in field.offered):
            names = ", ".join(one.name for one in field.offered)
            raise EditError(f"{_note_text(tables, record)}, {name}: must be one of {names}")


_IDENTIFIED = (
    "types",
    "devices",
    "modules",
    "links",
    "racks",
    "groups",
    "jobs",
    "annotations",
    "annotation_styles",
    "bookmarks",
    "fixtures",
    "waivers",
)


def _faults(record: Entity) -> Iterator[Fault]:
    yield from limits.record_faults(record)
    yield from limits.tag_faults(record)
    if isinstance(record, SwitchType | ServerType | NicType | LineCardType):
        yield from limits.type_faults(record)
    elif isinstance(record, Rack | RackType):
        yield from limits.rack_faults(record)
    elif isinstance(record, PlacedJob):
        yield from job_faults(record)
    elif isinstance(record, Annotation):
        yield from annotation_faults(record)
    elif isinstance(record, Bookmark):
        yield from bookmark_faults(record)
    elif isinstance(record, AnnotationStyle):
        yield from look_faults(record)
    elif isinstance(record, Fixture):
        yield from fixture_faults(record)
    elif isinstance(record, Waiver):
        yield from waiver_faults(record)
    elif isinstance(record, Settings) and record.policy is not None:
        yield from policy_faults(record.policy)


def _note_text(tables: Tables, record: Entity) -> str:
    if isinstance(record, Settings):
        return "the design's settings"
    named = record
    if isinstance(record, Placement):
        named = tables["devices"].get(record.id) or tables["racks"].get(record.id) or record
    return f"{_WORDS[TABLE_OF[type(record)]]} {_shown(named)}"


def _shown(record: Any) -> str:
    name = getattr(record, "name", record.id)
    return repr(name if len(name) <= _SHORT else f"{name[:_SHORT]}…")


def _check_crowding(design: PortRecords, after: Entity) -> None:
    if isinstance(after, Link):
        for end in (after.a, after.b):
            count = len(design.links_at(end))
            if count > limits.LINKS_PER_PORT_MOST:
                raise EditError(
                    f"{design.end_name(end)} would carry {count:,} links, the most is {limits.LINKS_PER_PORT_MOST}"
                )
    elif isinstance(after, Module):
        count = design.module_count(after.device_id)
        if count > limits.SLOTS_MOST:
            name = design.device(after.device_id).name
            what = "line cards" if design.is_switch(after.device_id) else "NICs"
            raise EditError(f"{name} would hold {count:,} {what}, the most is {limits.SLOTS_MOST:,}")


def _check_depth(groups: Mapping[str, Group]) -> None:
    depth: dict[str, int] = {}
    for group_id in groups:
        chain: list[str] = []
        current: str | None = group_id
        while current is not None and current not in depth:
            chain.append(current)
            current = groups[current].parent_id
        level = depth[current] if current is not None else 0
        for one in reversed(chain):
            level += 1
            depth[one] = level
        if level > limits.GROUP_DEPTH_MOST:
            name = groups[group_id].name
            raise EditError(f"group {name!r} would lie {level} groups deep, the most is {limits.GROUP_DEPTH_MOST}")


def _check_jobs(jobs: Mapping[str, PlacedJob]) -> None:
    if len(jobs) > JOBS_MOST:
        raise EditError(f"a design has {JOBS_MOST} jobs at most: remove one first")
    count = sum(map(places, jobs.values()))
    if count > PLACES_MOST:
        raise EditError(f"the jobs would name {count:,} servers and GPUs together, the most is {PLACES_MOST:,}")


def _check_totals(tables: Tables, edit: Edit) -> None:
    """Counted only where so many devices of these types could come near the limit: edits are many, devices too."""
    devices = tables["devices"]
    switches = {one.id: one for one in tables["types"].values() if isinstance(one, SwitchType)}
    gpus = {one.id: one.gpus for one in tables["types"].values() if isinstance(one, ServerType)}
    if len(devices) * max(gpus.values(), default=0) > limits.GPUS_IN_ALL_MOST:
        count = sum(gpus.get(one.type_id, 0) for one in devices.values())
        if count > limits.GPUS_IN_ALL_MOST:
            raise EditError(f"the design would have {count:,} GPUs, the most is {limits.GPUS_IN_ALL_MOST:,}")
    most = {type_id: limits.most_ports(type_) for type_id, type_ in switches.items()}
    changed = (change.after for change in edit.changes)
    brings_kinds = any(
        isinstance(one, SwitchType)
        or (isinstance(one, Device) and (one.cage_modes or one.port_mode or most.get(one.type_id, 0) > _FEW_PORTS))
        for one in changed
    )
    if brings_kinds and len(devices) * max(most.values(), default=0) > limits.PORTS_IN_ALL_MOST:
        count = sum(most[type_id] for type_id, _, _ in limits.kinds_of_switch(devices.values(), switches))
        if count > limits.PORTS_IN_ALL_MOST:
            most_ports = limits.PORTS_IN_ALL_MOST
            raise EditError(f"the switches would have {count:,} ports of different kinds, the most is {most_ports:,}")


def _check_cards(tables: Tables) -> None:
    count = limits.most_card_ports(tables["devices"].values(), tables["modules"].values(), tables["types"])
    if count > limits.PORTS_IN_ALL_MOST:
        most_ports = limits.PORTS_IN_ALL_MOST
        raise EditError(f"the line cards would have {count:,} ports of different kinds, the most is {most_ports:,}")


# -- most records, at a glance ----------------------------------------------------------------------------------------


TAGGED = ("tags", "fields")
"""Fields of many records that are alike, and looked at once."""


@dataclass(frozen=True, slots=True)
class _Glance:
    """How a record is looked at that has short printable texts, plain numbers and nothing else."""

    texts: Callable[[Any], tuple[str | None, ...]]
    numbers: tuple[tuple[Callable[[Any], Any], tuple[type, ...], float, float], ...]
    others: Callable[[Any], tuple[Any, ...]]
    is_tagged: bool


def _is_plain(record: Entity) -> bool:
    """Whether a record is within all limits; False also where that takes a closer look."""
    glance = _glance(type(record))  # type: ignore[arg-type]
    text = "".join(filter(None, glance.texts(record)))
    if len(text) > _SHORT or not text.isprintable() or not record.id or any(glance.others(record)):
        return False
    if glance.is_tagged and not limits.are_tags_fine(record.tags, record.fields):  # type: ignore[union-attr]
        return False
    return _are_plain_numbers(record)


def _are_plain_numbers(record: Entity) -> bool:
    """Whether the numbers of a record are within their limits."""
    for get, kinds, least, most in _glance(type(record)).numbers:  # type: ignore[arg-type]
        value = get(record)
        if value is not None and not (type(value) in kinds and least <= value <= most):
            return False
    return True


def _holds_others(hint: Any) -> bool:
    """Whether a field holds what a glance does not see through."""
    return is_dataclass(hint) or typing.get_origin(hint) is tuple


@cache
def _glance(record: type) -> _Glance:
    texts, others, numbers = ["id", "id"], [], []
    if record in (
        SwitchType,
        ServerType,
        NicType,
        LineCardType,
        PlacedJob,
        Annotation,
        AnnotationStyle,
        Bookmark,
        Fixture,
        Waiver,
        Settings,
    ):
        others.append("id")  # never at a glance
    hints = typing.get_type_hints(record)
    for one in fields(record):
        hint = hints[one.name]
        if typing.get_origin(hint) is types.UnionType:
            hint = next(kind for kind in typing.get_args(hint) if kind is not types.NoneType)
        limit = limits.limit_of(record, one.name) or limits.OF_TYPE.get(hint)
        if hint is End:
            texts += [f"{one.name}.device_id", f"{one.name}.port"]
        elif hint is str:
            texts.append(one.name)
        elif isinstance(limit, Range) and hint in (int, float):
            least = math.nextafter(limit.least, math.inf) if limit.is_above else limit.least
            kinds = (int,) if hint is int else (int, float)
            numbers.append((attrgetter(one.name), kinds, least, limit.most))
        elif one.name not in TAGGED and _holds_others(hint):
            others.append(one.name)
    return _Glance(
        attrgetter(*texts),
        tuple(numbers),
        attrgetter(*others, *others) if others else lambda _record: (),
        "tags" in hints,
    )
