"""The tables of a document and the rows they hold: the model's records, with the limits a file must keep.

Limits are far above any fabric that is built and low enough that no file can exhaust the program that opens it.
"""

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec

from designer.fields.ranges import Range
from designer.model import limits
from designer.model.annotation import Annotation, AnnotationStyle
from designer.model.bookmark import Bookmark
from designer.model.entities import Allocation, Device, End, Group, Link, Module, PlacedJob, Placement, Rack, Revision
from designer.model.fixture import Fixture
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.limits import Length
from designer.model.policy import Policy
from designer.model.settings import Settings
from designer.model.waiver import Waiver
from designer.storage import allocations

TABLES: dict[str, type] = {
    "switch_types": SwitchType,
    "server_types": ServerType,
    "nic_types": NicType,
    "line_card_types": LineCardType,
    "rack_types": RackType,
    "medium_types": MediumType,
    "groups": Group,
    "racks": Rack,
    "devices": Device,
    "modules": Module,
    "links": Link,
    "placements": Placement,
    "jobs": PlacedJob,
    "revisions": Revision,
    "annotation_styles": AnnotationStyle,
    "annotations": Annotation,
    "bookmarks": Bookmark,
    "fixtures": Fixture,
    "waivers": Waiver,
}
"""Tables in the order they are written, each after those it refers to."""

_ALLOCATIONS = tuple[Allocation, ...]


def _row_of(record: type) -> type[msgspec.Struct]:
    """The strict row a record is read from: same fields and defaults, no others."""
    hints = typing.get_type_hints(record)
    fields: list[Any] = []
    for field in dataclasses.fields(record):
        if record is Settings and field.name == "id":
            continue
        type_ = _bounded(hints[field.name], limits.limit_of(record, field.name))
        if field.default is dataclasses.MISSING:
            fields.append((field.name, type_))
        else:
            fields.append((field.name, type_, field.default))
    return msgspec.defstruct(f"{record.__name__}Row", fields, forbid_unknown_fields=True, gc=False)


def _bounded(type_: Any, limit: Range | Length | None) -> Any:
    """The type as a row holds it: numbers and texts within limits, records as rows."""
    if type_ is End:
        return tuple[_bounded(str, None), _bounded(str, None)]  # type: ignore[misc]
    if type_ == _ALLOCATIONS:
        return tuple[allocations.TEXT | _row_of(Allocation), ...]  # type: ignore[misc]
    if dataclasses.is_dataclass(type_) and isinstance(type_, type):
        return _row_of(type_)
    if type_ is bool:
        return bool
    if type_ in limits.OF_TYPE:
        return Annotated[type_, _meta(limit or limits.OF_TYPE[type_])]
    arguments = typing.get_args(type_)
    if typing.get_origin(type_) is types.UnionType:
        return _bounded(next(one for one in arguments if one is not types.NoneType), limit) | None
    if typing.get_origin(type_) is tuple:
        inner = tuple(one if one is Ellipsis else _bounded(one, limit) for one in arguments)
        return tuple[inner]  # type: ignore[valid-type]
    raise TypeError(f"no row holds a {type_}")


def _meta(limit: Range | Length) -> msgspec.Meta:
    if isinstance(limit, Length):
        return msgspec.Meta(min_length=limit.least or None, max_length=limit.most)
    if limit.is_above:
        return msgspec.Meta(gt=limit.least, le=limit.most)
    return msgspec.Meta(ge=limit.least, le=limit.most)


SETTINGS_ROW = _row_of(Settings)
POLICY_ROW = _row_of(Policy)

ROWS: dict[str, Any] = {table: _row_of(record) for table, record in TABLES.items()}

LONG_TABLES = ("devices", "modules", "links", "placements")
"""Those with a record for every thing there is."""


def _document_of(
    rows: Mapping[str, Any], settings_row: Any = SETTINGS_ROW, empty: Callable[[], Any] = SETTINGS_ROW
) -> type[msgspec.Struct]:
    lists: Any = [(table, list[row], msgspec.field(default_factory=list)) for table, row in rows.items()]  # type: ignore[valid-type]
    settings = ("settings", settings_row, msgspec.field(default_factory=empty))
    head = (("format", str), ("version", int), settings)
    return msgspec.defstruct("DocumentRow", [*head, *lists], forbid_unknown_fields=True)


DOCUMENT_ROW = _document_of(ROWS)
"""A whole document. A fragment is one without settings."""

LOOSE_DOCUMENT_ROW = _document_of({**ROWS, **dict.fromkeys(LONG_TABLES, msgspec.Raw)})
"""The same with the rows of long tables still to be read, one by one: all at once would stall other threads."""

OLD_DOCUMENT_ROW = _document_of(
    {**ROWS, **dict.fromkeys(LONG_TABLES, msgspec.Raw)}, msgspec.Raw, lambda: msgspec.Raw(b"{}")
)
"""The same with settings of an older version, still to be read."""

WHOLE_DOCUMENT_ROW = _document_of(ROWS, msgspec.Raw, lambda: msgspec.Raw(b"{}"))
"""A whole document but for its settings, of any version whose tables read as they stand."""

SETTINGS_ALONE = msgspec.defstruct("SettingsRow", [("settings", SETTINGS_ROW)], forbid_unknown_fields=True)

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
    """The settings that a row of the file holds."""
    values = msgspec.structs.asdict(row)
    return Settings(**{**values, "policy": None if row.policy is None else read_policy(row.policy)})


read_policy: Callable[[Any], Policy] = _reader(Policy)
"""The policy that a row holds."""


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
    arguments = dict.fromkeys(one for one in typing.get_args(type_) if one not in (types.NoneType, Ellipsis))
    part = _part_writer(next(iter(arguments))) if len(arguments) == 1 else None
    if part is None:
        return None
    if typing.get_origin(type_) is tuple:
        return lambda values: [part(value) for value in values]
    return lambda value: None if value is None else part(value)


def _number(value: float) -> float | int:
    """400.0 is written as 400, so that a whole number reads the same whoever made it."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


WRITERS: Mapping[type, Callable[[Any], dict[str, Any]]] = {
    record: _writer(record) for record in (Settings, Policy, *TABLES.values())
}
"""Record to row, by kind of record."""
