"""Values of records as a line of text: written, and read again; records within records as YAML on one line."""

import dataclasses
import types
import typing
from typing import Any

import yaml

from designer.catalog import yaml_text


def is_plain(hint: Any) -> bool:
    """Whether a field is one figure or text, or a row of them on one line."""
    inner = [one for one in typing.get_args(hint) if one not in (types.NoneType, Ellipsis)]
    if isinstance(hint, types.UnionType):
        return all(is_plain(one) for one in inner)
    if typing.get_origin(hint) is tuple:
        return inner in ([str], [float])
    return hint in (str, int, float)


def parts_of(hint: Any) -> type[Any] | None:
    """The record of a field that holds any number of records; None for other fields.

    Its values are single ones, or records of single values in turn.
    """
    record = _records_in(hint)
    hints = typing.get_type_hints(record).values() if record is not None else ()
    return record if record is not None and all(is_plain(one) or _is_flat(one) for one in hints) else None


def _is_flat(hint: Any) -> bool:
    record = _records_in(hint)
    return record is not None and all(map(is_plain, typing.get_type_hints(record).values()))


def _records_in(hint: Any) -> type[Any] | None:
    record = next(iter(typing.get_args(hint)), None)
    is_record = isinstance(record, type) and dataclasses.is_dataclass(record)
    return record if typing.get_origin(hint) is tuple and is_record else None


def flow(value: Any) -> str:
    """One line of YAML: records without what they leave at its default."""
    text: str = yaml.safe_dump(
        _stated(value), default_flow_style=True, sort_keys=False, width=10_000, allow_unicode=True
    )
    return text.splitlines()[0]


def _stated(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        held = {field.name: (getattr(value, field.name), field.default) for field in dataclasses.fields(value)}
        return {name: _stated(own) for name, (own, default) in held.items() if own != default}
    return [_stated(one) for one in value] if isinstance(value, tuple) else value


def written(value: Any) -> str:
    """A value as it is typed; "" for None."""
    if value is None:
        return ""
    if isinstance(value, tuple) and any(map(dataclasses.is_dataclass, value)):
        return flow(value)
    if isinstance(value, tuple):
        return ", ".join(map(written, value))
    return f"{value:.12g}" if isinstance(value, int | float) else str(value)


def read(hint: Any, text: str) -> Any:
    """The value of a field's text; None where it is empty. Raises ValueError, of YAML CatalogError."""
    if not text:
        return None
    if _records_in(hint) is not None:
        return yaml_text.parse(text, "text").value
    if isinstance(hint, types.UnionType):
        return read(next(one for one in typing.get_args(hint) if one is not types.NoneType), text)
    if typing.get_origin(hint) is tuple:
        return [read(typing.get_args(hint)[0], part.strip()) for part in text.split(",") if part.strip()]
    return hint(text.replace(",", "")) if hint in (int, float) else text
