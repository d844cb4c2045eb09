"""The tables of a document and the rows they hold: the model's records, with the limits a file must keep.

Limits are far above any fabric that is built and low enough that no file can exhaust the program that opens it.
"""

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec

from designer.catalog.limits import GPUS_MOST, PORTS_MOST, TEXT_LONGEST
from designer.model.entities import (
    Allocation,
    Device,
    End,
    Group,
    Link,
    Module,
    PlacedJob,
    Placement,
    Rack,
    Settings,
)
from designer.model.hardware import MediumType, NicType, RackType, ServerType, SwitchType
from designer.storage import allocations

TABLES: dict[str, type] = {
    "switch_types": SwitchType,
    "server_types": ServerType,
    "nic_types": NicType,
    "rack_types": RackType,
    "medium_types": MediumType,
    "groups": Group,
    "racks": Rack,
    "devices": Device,
    "modules": Module,
    "links": Link,
    "placements": Placement,
    "jobs": PlacedJob,
}
"""Tables in the order they are written, each after those it refers to."""

NOTES_LONGEST = 1_000_000

_COUNT = msgspec.Meta(ge=1, le=1_000_000)
_FIGURE = msgspec.Meta(ge=0, le=1e12)
_BYTES = msgspec.Meta(ge=0, le=2.0**63)
_PLACE = msgspec.Meta(ge=-1e9, le=1e9)
_FLOOR = msgspec.Meta(ge=-1e5, le=1e5)
_RATE = msgspec.Meta(gt=0, le=1e7)

_LIMITS: dict[str, msgspec.Meta] = {
    "id": msgspec.Meta(min_length=1, max_length=200),
    "count": msgspec.Meta(ge=1, le=PORTS_MOST),
    "ports_per_cage": msgspec.Meta(ge=1, le=1024),
    "port_name": msgspec.Meta(min_length=1, max_length=100),
    "gpus": msgspec.Meta(ge=0, le=GPUS_MOST),
    "gpu": msgspec.Meta(ge=0, lt=GPUS_MOST),
    "ports": msgspec.Meta(ge=1, le=1024),
    "units": msgspec.Meta(ge=1, le=1000),
    "fibres": msgspec.Meta(ge=0, le=1_000_000),
    "x": _PLACE,
    "y": _PLACE,
    "rate_gbps": _RATE,
    "link_gbps": _RATE,
    "gbytes_per_s_per_gpu": _RATE,
    "gbytes_per_s_per_pair": _RATE,
    "oversubscription_limit": msgspec.Meta(gt=0, le=1e6),
    "default_cable_length_m": msgspec.Meta(ge=0, le=1e6),
    "length_m": msgspec.Meta(ge=0, le=1e6),
    "tray_height_m": msgspec.Meta(ge=0, le=100),
    "cable_slack_m": msgspec.Meta(ge=0, le=1000),
    "cross_trays_m": _FLOOR,
    "aisle_m": msgspec.Meta(ge=0, le=1000),
    "rack_width_m": msgspec.Meta(gt=0, le=100),
    "rack_depth_m": msgspec.Meta(gt=0, le=100),
    "x_m": _FLOOR,
    "y_m": _FLOOR,
    "size_bytes": _BYTES,
    "chunk_bytes": _BYTES,
}
"""Limits by field name, where those of the field's type are not narrow enough."""

_ALLOCATIONS = tuple[Allocation, ...]

_KIND_LIMITS: dict[type, msgspec.Meta] = {int: _COUNT, float: _FIGURE, str: msgspec.Meta(max_length=TEXT_LONGEST)}


def _row_of(record: type) -> type[msgspec.Struct]:
    """The strict row a record is read from: same fields and defaults, no others."""
    hints = typing.get_type_hints(record)
    fields: list[Any] = []
    for field in dataclasses.fields(record):
        if record is Settings and field.name == "id":
            continue
        limit = _LIMITS.get(field.name)
        if record is Settings and field.name == "notes":
            limit = msgspec.Meta(max_length=NOTES_LONGEST)
        type_ = _bounded(hints[field.name], limit)
        if field.default is dataclasses.MISSING:
            fields.append((field.name, type_))
        else:
            fields.append((field.name, type_, field.default))
    return msgspec.defstruct(f"{record.__name__}Row", fields, forbid_unknown_fields=True, gc=False)


def _bounded(type_: Any, limit: msgspec.Meta | None) -> Any:
    """The type as a row holds it: numbers and texts within limits, records as rows."""
    if type_ is End:
        return tuple[_bounded(str, None), _bounded(str, None)]  # type: ignore[misc]
    if type_ == _ALLOCATIONS:
        return tuple[allocations.TEXT | _row_of(Allocation), ...]  # type: ignore[misc]
    if dataclasses.is_dataclass(type_) and isinstance(type_, type):
        return _row_of(type_)
    if type_ is bool:
        return bool
    if type_ in _KIND_LIMITS:
        return Annotated[type_, limit or _KIND_LIMITS[type_]]
    arguments = typing.get_args(type_)
    if typing.get_origin(type_) is types.UnionType:
        return _bounded(next(one for one in arguments if one is not types.NoneType), limit) | None
    if typing.get_origin(type_) is tuple:
        inner = tuple(one if one is Ellipsis else _bounded(one, limit) for one in arguments)
        return tuple[inner]  # type: ignore[valid-type]
    raise TypeError(f"no row holds a {type_}")


SETTINGS_ROW = _row_of(Settings)

ROWS: dict[str, Any] = {table: _row_of(record) for table, record in TABLES.items()}

LONG_TABLES = ("devices", "modules", "links", "placements")
"""Those with a record for every thing there is."""


def _document_of(rows: Mapping[str, Any]) -> type[msgspec.Struct]:
    lists: Any = [(table, list[row], msgspec.field(default_factory=list)) for table, row in rows.items()]  # type: ignore[valid-type]
    settings = ("settings", SETTINGS_ROW, msgspec.field(default_factory=SETTINGS_ROW))
    head = (("format", str), ("version", int), settings)
    return msgspec.defstruct("DocumentRow", [*head, *lists], forbid_unknown_fields=True)


DOCUMENT_ROW = _document_of(ROWS)
"""A whole document. A fragment is one without settings."""

LOOSE_DOCUMENT_ROW = _document_of({**ROWS, **dict.fromkeys(LONG_TABLES, msgspec.Raw)})
"""The same with the rows of long tables still to be read, one by one: all at once would stall other threads."""

ROW_READERS = {table: msgspec.json.Decoder(ROWS[table]).decode for table in LONG_TABLES}
"""Text to row, by long table."""


# -- rows to records ------------------------------------------------------------------------------------------------


def _reader(record: type) -> Callable[[Any], Any]:
    """What makes the record of a row."""
    if record is Link:
        return _read_link
    hints = typing.get_type_hints(record)
    parts = [_part_reader(hints[field.name]) for field in dataclasses.fields(record)]
    inner = {index: part for index, part in enumerate(parts) if part is not None}
    if not inner:
        return lambda row: record(*msgspec.structs.astuple(row))

    def read(row: Any) -> Any:
        values = list(msgspec.structs.astuple(row))
        for index, reader in inner.items():
            values[index] = reader(values[index])
        return record(*values)

    return read


def _part_reader(type_: Any) -> Callable[[Any], Any] | None:
    """What makes the records inside a field's value; None for fields without any."""
    if type_ == _ALLOCATIONS:
        return allocations.spelled
    for one in typing.get_args(type_):
        if dataclasses.is_dataclass(one) and isinstance(one, type):
            read = _reader(one)
            if typing.get_origin(type_) is tuple:
                return lambda rows: tuple(map(read, rows))
            return lambda row: None if row is None else read(row)
    return None


def _read_link(row: Any) -> Link:
    link_id, a, b, *rest = msgspec.structs.astuple(row)
    return Link(link_id, End(*a), End(*b), *rest)


def read_settings(row: Any) -> Settings:
    return Settings(**msgspec.structs.asdict(row))


READERS: Mapping[str, Callable[[Any], Any]] = {table: _reader(record) for table, record in TABLES.items()}
"""Row to record, by table."""


# -- records to rows ------------------------------------------------------------------------------------------------


def _writer(record: type) -> Callable[[Any], dict[str, Any]]:
    """What makes the row of a record: a mapping in field order without what is at its default."""
    hints = typing.get_type_hints(record)
    plan = [
        (field.name, field.default, _part_writer(hints[field.name]))
        for field in dataclasses.fields(record)
        if not (record is Settings and field.name == "id")
    ]

    def write(entity: Any) -> dict[str, Any]:
        row = {}
        for name, default, part in plan:
            value = getattr(entity, name)
            if value != default:
                row[name] = value if part is None else part(value)
        return row

    return write


def _part_writer(type_: Any) -> Callable[[Any], Any] | None:
    if type_ is End:
        return lambda end: (end.device_id, end.port)
    if type_ == _ALLOCATIONS:
        return allocations.short
    if type_ is float:
        return _number
    if dataclasses.is_dataclass(type_) and isinstance(type_, type):
        return _writer(type_)
    arguments = [one for one in typing.get_args(type_) if one not in (types.NoneType, Ellipsis)]
    part = _part_writer(arguments[0]) if len(arguments) == 1 else None
    if part is None:
        return None
    if typing.get_origin(type_) is tuple:
        return lambda values: [part(value) for value in values]
    return lambda value: None if value is None else part(value)


def _number(value: float) -> float | int:
    """400.0 is written as 400, so that a whole number reads the same whoever made it."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


WRITERS: Mapping[type, Callable[[Any], dict[str, Any]]] = {
    record: _writer(record) for record in (Settings, *TABLES.values())
}
"""Record to row, by kind of record."""
