"""What a record may hold at most: far above anything that is built, low enough that no file can exhaust the memory.

One table for what reads files, what edits a design and what takes types in: what could not be read is not written.
"""

import dataclasses
import re
import string
import types
import typing
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from designer.fields.field import fields_of
from designer.fields.ranges import Range
from designer.model.annotation import FARTHEST, LEVELS
from designer.model.entities import Device, Module, Rack
from designer.model.fixture import FLOOR_FARTHEST_M
from designer.model.hardware.device_ports import shared_name
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.ports import PortMode
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import AIRFLOWS, FRONT_TO_REAR, REAR_TO_FRONT, SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.images import TEXT_LONGEST as TEXT_LONGEST_OF_IMAGE
from designer.model.naming import control_fault, surrogate_fault
from designer.model.settings import CABLE_LONGEST_M
from designer.units import shortened


@dataclass(frozen=True, slots=True)
class Length:
    """How many characters a text can have."""

    least: int
    most: int


PORTS_MOST = 100_000
NIC_PORTS_MOST = 1024
GPUS_MOST = 4096
SLOTS_MOST = 1024
"""Slots of a server, and NICs in it."""
LINKS_PER_PORT_MOST = 256
"""Faulty designs may have two links on a port; thousands only slow the program down."""
FEEDS_MOST = 16
"""Power feeds of a rack."""
GROUP_DEPTH_MOST = 64
PORTS_IN_ALL_MOST = 4_000_000
"""Ports of different kinds: devices that are alike share theirs."""
GPUS_IN_ALL_MOST = 4_000_000
RECORDS_MOST = 3_000_000

NOTES_LONGEST = 1_000_000
TEXT_LONGEST = 10_000
PLAN_LONGEST = 16_000_000
"""Characters of the packed cables of a revision; those of 65,536 hosts take less than a fourth."""
KEPT_LONGEST = 32_000_000
"""Characters of a packed design; one of 65,536 hosts takes a tenth."""
CABLE_NUMBER_MOST = 10_000_000
FIGURE_MOST = 1e12
TAG_LONGEST = 100
FIELD_LONGEST = 1000
"""Of a name or value of the user's own."""
TAGS_MOST, FIELDS_MOST = 100, 100
"""Of one thing."""

_RATE = Range(0, 1e7, is_above=True)
_PLACE = Range(-1e9, 1e9)
_FLOOR = Range(-FLOOR_FARTHEST_M, FLOOR_FARTHEST_M)
_FEED = Range(0, FIGURE_MOST, is_above=True)
_BYTES = Range(0, 2.0**63)
_CABLE_NUMBER = Range(0, CABLE_NUMBER_MOST)

LIMITS: dict[str, Range | Length] = {
    "id": Length(1, 200),
    "port_name": Length(1, 100),
    "count": Range(1, PORTS_MOST),
    "ports_per_cage": Range(1, 1024),
    "gpus": Range(0, GPUS_MOST),
    "gpu": Range(0, GPUS_MOST - 1),
    "ports": Range(1, NIC_PORTS_MOST),
    "trays": Range(1, GPUS_MOST),
    "units": Range(1, 1000),
    "fibres": Range(0, 1_000_000),
    "x": _PLACE,
    "y": _PLACE,
    "seen": _PLACE,
    "bends": _PLACE,
    "rate_gbps": _RATE,
    "link_gbps": _RATE,
    "gbytes_per_s_per_gpu": _RATE,
    "gbytes_per_s_per_pair": _RATE,
    "length_m": Range(0, CABLE_LONGEST_M),
    "x_m": _FLOOR,
    "y_m": _FLOOR,
    "points_m": _FLOOR,
    "across": Range(-1, 1),
    "down": Range(-1, 1),
    "feeds_w": _FEED,
    "size_bytes": _BYTES,
    "chunk_bytes": _BYTES,
    "cable": _CABLE_NUMBER,
    "last_cable": _CABLE_NUMBER,
    "plan": Length(0, PLAN_LONGEST),
    "design": Length(0, KEPT_LONGEST),
    "dx": Range(-FARTHEST, FARTHEST),
    "dy": Range(-FARTHEST, FARTHEST),
    "tip_dx": Range(-FARTHEST, FARTHEST),
    "tip_dy": Range(-FARTHEST, FARTHEST),
    "level": LEVELS,
    "image": Length(0, TEXT_LONGEST_OF_IMAGE),
    "tags": Length(1, TAG_LONGEST),
    "fields": Length(1, FIELD_LONGEST),
    "subjects": Length(1, 200),
    "value": Range(-FIGURE_MOST, FIGURE_MOST),
    "limit": Range(-FIGURE_MOST, FIGURE_MOST),
}
"""Limits by field name, where those of the field's type are not narrow enough."""

OF_TYPE: dict[type, Range | Length] = {
    int: Range(1, 1_000_000),
    float: Range(0, FIGURE_MOST),
    str: Length(0, TEXT_LONGEST),
}
"""Limits of all other fields."""

OF_SEVERAL_LINES = ("notes", "text")
"""Fields whose texts may have line breaks."""
OF_NOTES = Length(0, NOTES_LONGEST)
"""Of a design's notes."""

UNLIKELY_ABOVE: dict[str, tuple[str, float, str]] = {
    "rack_units": ("height", 100, "U"),
    "units": ("height", 100, "U"),
    "weight_kg": ("weight", 10_000, "kg"),
    "max_weight_kg": ("load", 10_000, "kg"),
    "power_typical_w": ("typical power", 1e6, "W"),
    "power_max_w": ("power", 1e6, "W"),
    "depth_mm": ("depth", 10_000, "mm"),
}
"""By field: its word, what the largest racks and machines stay below, and the unit."""
_ABOVE_ZERO = frozenset({"rack_units", "max_length_m"})
"""Of these a file may say 0, nobody who describes a type."""
_TEMPLATE_FIELDS = {"cage", "lane", "lane0", "port", "slot", "socket"}
_TEMPLATE_WIDTH = re.compile(r"(0?[1-9][0-9]?d?)?")

Tags = tuple[str, ...]
OwnFields = tuple[tuple[str, str], ...]
_NO_TAG = re.compile(r'[\s,;"]')

Fault = tuple[str, str]
"""A field, as "cages[0].count", and what is wrong with it."""


def type_faults(type_: HardwareType) -> Iterator[Fault]:
    """Why a type could not be worked with: far too large, ports of one name, slots of one name."""
    if isinstance(type_, SwitchType):
        yield from _switch_faults(type_)
    elif isinstance(type_, ServerType):
        yield from _server_faults(type_)
    elif isinstance(type_, RackType):
        yield from rack_faults(type_)
    elif isinstance(type_, NicType) and type_.modes:
        yield from _nic_faults(type_)
    elif isinstance(type_, LineCardType):
        yield from _cage_faults(type_)
        yield from _card_faults(type_)


def most_ports(type_: SwitchType | LineCardType) -> int:
    """The ports of a switch or line card in the modes that make most."""
    own = type_.own_groups if isinstance(type_, SwitchType) else ()
    n_own = sum(group.count * max(mode.ports_per_cage for mode in group.modes) for group in own)
    return max(map(type_.n_ports, type_.modes), default=0) + n_own


def kinds_of_switch(
    devices: Iterable[Device], types: Container[str]
) -> set[tuple[str, str, tuple[tuple[int, str], ...]]]:
    """Type and port modes of the devices that are of these types: those that are alike share their ports."""
    return {(one.type_id, one.port_mode, one.cage_modes) for one in devices if one.type_id in types}


def most_card_ports(devices: Iterable[Device], modules: Iterable[Module], types: Mapping[str, HardwareType]) -> int:
    """Ports of line cards in the modes that make most: chassis of one type with the same cards share theirs."""
    most = {one.id: most_ports(one) for one in types.values() if isinstance(one, LineCardType)}
    if not most:
        return 0
    held: dict[str, list[tuple[str, str, str]]] = {}
    for module in modules:
        if module.type_id in most:
            held.setdefault(module.device_id, []).append((module.slot, module.type_id, module.port_mode))
    kinds = {
        (one.type_id, one.port_mode, one.cage_modes, tuple(sorted(held[one.id]))) for one in devices if one.id in held
    }
    return sum(most[type_id] for *_, cards in kinds for _, type_id, _ in cards)


def _switch_faults(type_: SwitchType) -> Iterator[Fault]:
    yield from _slot_faults(type_)
    yield from _air_faults(type_)
    if not type_.slots or type_.cages:  # a chassis that is delivered without cards has no ports, and no modes of them
        yield from _cage_faults(type_)
    yield from _repeated("management_ports", (port.name for port in type_.management_ports))


def _air_faults(type_: SwitchType | ServerType) -> Iterator[Fault]:
    if type_.airflow not in AIRFLOWS:
        yield "airflow", f"{shortened(type_.airflow)!r} is neither {FRONT_TO_REAR} nor {REAR_TO_FRONT}"


def rack_faults(rack: RackType | Rack) -> Iterator[Fault]:
    """Why a rack, or a type of racks, could not be worked with: more feeds than any has."""
    if len(rack.feeds_w) > FEEDS_MOST:
        yield "feeds_w", f"{len(rack.feeds_w):,} feeds, the most is {FEEDS_MOST}"


def _cage_faults(type_: SwitchType | LineCardType) -> Iterator[Fault]:
    if not type_.modes:
        yield "modes", f"a {'switch' if isinstance(type_, SwitchType) else 'line card'} needs at least one port mode"
    yield from _repeated("modes", (mode.name for mode in type_.modes))
    yield from _mode_faults(type_.modes, type_.n_cages, PORTS_MOST, type_.protocols)
    yield from _own_mode_faults(type_)


def _own_mode_faults(type_: SwitchType | LineCardType) -> Iterator[Fault]:
    """What is wrong with modes that groups of cages have of their own."""
    first = next((index for index, group in enumerate(type_.cages) if group.modes), None)
    if first is None:
        return
    if not isinstance(type_, SwitchType) or type_.slots:
        yield f"cages[{first}].modes", "only cages of a switch without line cards have modes of their own"
        return
    if first == 0 or not all(group.modes for group in type_.cages[first:]):
        yield f"cages[{first}].modes", "cages with modes of their own come after those with the modes of the type"
        return
    for index, group in enumerate(type_.cages[first:], start=first):
        where = f"cages[{index}].modes"
        yield from _repeated(where, (mode.name for mode in group.modes))
        yield from _mode_faults(group.modes, group.count, PORTS_MOST, type_.protocols, where)
    if most_ports(type_) <= PORTS_MOST and (name := shared_name(type_)):
        yield "modes", f"{name!r} is the name of ports in cages with and without modes of their own"


def _nic_faults(type_: NicType) -> Iterator[Fault]:
    delivered = type_.modes[0]
    yield from _repeated("modes", (mode.name for mode in type_.modes))
    if type_.rate_gbps != delivered.rate_gbps or type_.ports % delivered.ports_per_cage:
        stated = f"{type_.ports} x {type_.rate_gbps:g} Gb/s are stated for the delivered mode"
        yield "modes[0]", f"{delivered.name} is {delivered.ports_per_cage} x {delivered.rate_gbps:g} Gb/s; {stated}"
    yield from _mode_faults(type_.modes, type_.n_cages, NIC_PORTS_MOST, type_.protocols)


def _mode_faults(
    modes: tuple[PortMode, ...], n_cages: int, most: int, protocols: tuple[str, ...], where: str = "modes"
) -> Iterator[Fault]:
    for index, mode in enumerate(modes):
        n_ports = n_cages * mode.ports_per_cage
        if n_ports > most:
            yield where, f"{mode.name} makes {n_ports:,} ports, the most is {most:,}"
        fault = _template_fault(mode, n_cages)
        if fault:
            yield f"{where}[{index}].port_name", f"{mode.port_name!r} {fault}"
        for protocol in mode.protocols:
            if protocol not in protocols:
                yield f"{where}[{index}].protocols", f"{protocol!r} is none of the protocols of the type"


def _template_fault(mode: PortMode, n_cages: int) -> str:
    """Why a template of port names does not do, "" where it is text with plain fields that tell the ports apart."""
    try:
        parts = list(string.Formatter().parse(mode.port_name))
    except ValueError:
        return "has an unmatched brace"
    used = set()
    for _, field, width, conversion in parts:
        if field is None:
            continue
        is_wide = width and field == "slot"  # a slot is text: "3", "FPC0"
        if field not in _TEMPLATE_FIELDS or conversion or is_wide or not _TEMPLATE_WIDTH.fullmatch(width or ""):
            return "may hold {cage}, {lane}, {lane0}, {port}, {slot} and {socket}, nothing else"
        used.add(field)
    names_lanes = mode.ports_per_cage == 1 or used & {"lane", "lane0", "port"}
    names_cages = n_cages <= 1 or used & {"cage", "port"} or used >= {"slot", "socket"}
    return "" if names_lanes and names_cages else "gives several ports one name"


def _card_faults(type_: LineCardType) -> Iterator[Fault]:
    """Names of ports that other cards of the chassis would share or change."""
    for index, mode in enumerate(type_.modes):
        used = {field for _, field, _, _ in string.Formatter().parse(mode.port_name)}
        if "slot" not in used or used & {"cage", "port"}:
            yield f"modes[{index}].port_name", "a line card's ports go by {slot} and {socket}, not by {cage} or {port}"


def _slot_faults(type_: ServerType | SwitchType) -> Iterator[Fault]:
    if len(type_.slots) > SLOTS_MOST:
        yield "slots", f"{len(type_.slots):,} slots, the most is {SLOTS_MOST:,}"
    yield from _repeated("slots", (slot.name for slot in type_.slots))


def _server_faults(type_: ServerType) -> Iterator[Fault]:
    yield from _slot_faults(type_)
    yield from _air_faults(type_)
    for index, slot in enumerate(type_.slots):
        if slot.gpu is not None and slot.gpu >= type_.gpus:
            lacks = f"{slot.gpu} is not one of {type_.gpus} GPUs counted from 0"
            yield f"slots[{index}].gpu", lacks if type_.gpus else "the server has no GPUs: leave gpu out of the slot"


def unlikely_figures(type_: HardwareType) -> Iterator[Fault]:
    """Figures of a type that no hardware has, or that contradict each other: what a slip of the keyboard leaves."""
    for field, (word, most, unit) in UNLIKELY_ABOVE.items():
        value = getattr(type_, field, None)
        if value is not None and value > most:
            yield field, f"a {word} of {value:,.12g} {unit} is more than any hardware has: {most:,g} {unit} at most"
    typical, most_w = getattr(type_, "power_typical_w", None), getattr(type_, "power_max_w", None)
    if typical is not None and most_w is not None and typical > most_w:
        yield "power_typical_w", f"a typical power of {typical:,.12g} W is above the {most_w:,.12g} W it draws at most"
    if isinstance(type_, SwitchType) and type_.capacity_tbps is not None and type_.modes:
        ports_tbps = type_.most_gbps / 1000
        # Some state both directions together; more than that is a slip.
        if not ports_tbps / 2 <= type_.capacity_tbps <= ports_tbps * 2:
            reported = f"a capacity of {type_.capacity_tbps:,.12g} Tb/s does not go with its ports"
            yield "capacity_tbps", f"{reported}, {ports_tbps:,.12g} Tb/s together"


def _repeated(field: str, names: Iterable[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            yield f"{field}[{index}].name", f"{name!r} is used twice"
        seen.add(name)


def value_faults(type_: Any) -> Iterator[Fault]:
    """Figures that cannot be true and texts that cannot be shown, in a type that somebody describes."""
    yield from record_faults(type_)
    for field in sorted(_ABOVE_ZERO):
        if getattr(type_, field, None) == 0:
            yield field, "0 is not possible"


def tag_faults(record: Any) -> Iterator[Fault]:
    """Why tags and fields of the user's own cannot be: too many, several of one name, blanks or commas in a tag."""
    tags, own = getattr(record, "tags", ()), getattr(record, "fields", ())
    if not are_tags_fine(tags, own):
        yield from _tag_faults(tags, own)


@lru_cache(maxsize=4096)
def are_tags_fine(tags: Tags, own: OwnFields) -> bool:
    """Whether tags and fields are within all limits; looked at once for all things that are tagged alike."""
    texts = (("tags", tags), ("fields", [text for pair in own for text in pair]))
    faults = (_text_faults(text, _length(field), field) for field, its in texts for text in its)
    return not any(map(any, faults)) and not any(_tag_faults(tags, own))


def _length(field: str) -> Length:
    limit = LIMITS[field]
    assert isinstance(limit, Length)
    return limit


def _tag_faults(tags: Tags, own: OwnFields) -> Iterator[Fault]:
    for field, items, most in (("tags", tags, TAGS_MOST), ("fields", own, FIELDS_MOST)):
        if len(items) > most:
            yield field, f"{len(items):,} are too many, the most is {most}"
    for tag in tags:
        if _NO_TAG.search(tag):
            yield "tags", f"{tag!r} holds a blank, comma, semicolon or quotation mark"
    for field, names in (("tags", tags), ("fields", [pair[0] for pair in own])):
        seen: set[str] = set()
        for name in names:
            if name.casefold() in seen:
                yield field, f"{name!r} is there twice"
            seen.add(name.casefold())


# -- any record -----------------------------------------------------------------------------------------------------


def limit_of(record: type, field: str) -> Range | Length | None:
    """The limit of a field that is narrower than that of its type, where it has one."""
    described = fields_of(record).get(field)
    if described is not None:
        return described.within
    return OF_NOTES if field == "notes" and record.__name__ == "Settings" else LIMITS.get(field)


def record_faults(record: Any, place: str = "") -> Iterator[Fault]:
    """Numbers and texts of a record, and of those in it, that are beyond their limits or that no file can hold."""
    for name, (hint, limit, fine) in _fields(type(record)).items():  # type: ignore[arg-type]
        value = getattr(record, name)
        if value is not fine:
            yield from _faults(value, hint, limit, f"{place}.{name}" if place else name)


@cache
def _fields(record: type) -> dict[str, tuple[Any, Range | Length | None, Any]]:
    """Kind and limit of each field, and the default where it has no fault: most values are, and need no look."""
    hints = typing.get_type_hints(record)
    found = {}
    for one in dataclasses.fields(record):
        hint, limit = hints[one.name], limit_of(record, one.name)
        is_fine = one.default is not dataclasses.MISSING and not any(_faults(one.default, hint, limit, one.name))
        found[one.name] = hint, limit, one.default if is_fine else dataclasses.MISSING
    return found


def _faults(value: Any, hint: Any, limit: Range | Length | None, place: str) -> Iterator[Fault]:
    if hint is str:
        yield from _text_faults(value, limit or OF_TYPE[str], place)
        return
    origin, arguments = _made_of(hint)
    if origin is types.UnionType:
        if value is not None:
            yield from _faults(value, next(one for one in arguments if one is not types.NoneType), limit, place)
    elif origin is tuple:
        kinds = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else arguments
        for index, (item, kind) in enumerate(zip(value, kinds, strict=False)):
            yield from _faults(item, kind, limit, f"{place}[{index}]")
    elif dataclasses.is_dataclass(hint):
        yield from record_faults(value, place)
    elif hint is not bool:
        kinds_of_number = (int,) if hint is int else (int, float)
        bounds = limit or OF_TYPE[hint]
        assert isinstance(bounds, Range)
        if not isinstance(value, kinds_of_number) or not bounds.holds(value):
            least = f"above {bounds.least:,.12g}" if bounds.is_above else f"{bounds.least:,.12g}"
            yield place, f"{value} is not possible: {least} to {bounds.most:,.12g}"


@cache
def _made_of(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return typing.get_origin(hint), typing.get_args(hint)


def _text_faults(text: str, limit: Range | Length, place: str) -> Iterator[Fault]:
    assert isinstance(limit, Length)
    if len(text) > limit.most:
        yield place, f"{len(text):,} characters, the most is {limit.most:,}"
    elif len(text) < limit.least:
        yield place, "is empty"
    elif fault := (surrogate_fault if place.startswith(OF_SEVERAL_LINES) else control_fault)(text):
        yield place, fault
