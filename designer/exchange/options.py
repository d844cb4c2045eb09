"""Options of hand-over formats: frozen records whose fields are settings, read from the texts of a command line."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.errors import ExportError, ParameterError
from designer.fields import kinds
from designer.fields.field import Field, check, fields_of, setting

Progress = Callable[[float], None]
"""Hears the share done, 0 to 1; raises Cancelled where somebody wants the work to stop."""

OLD_NAMES = {"bom": "byte-order-mark"}
"""Options by the names they had, with the ones they have."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What a format can be written with; those of a format are the fields of a record made of this one.

    Every field has a default. Raises ParameterError for a value that a field cannot have.
    """

    def __post_init__(self) -> None:
        check(self)


def byte_order_mark_setting(section: str = "") -> Any:
    """The field of a list that may be written as CSV for Excel."""
    return setting(
        False,
        title="Byte order mark",
        help="Start a CSV file with a byte order mark, which Excel needs to read letters beyond English.",
        kind=kinds.FLAG,
        section=section,
    )


def unheard(_share: float) -> None:
    """Progress that nobody listens to."""


def is_record(options: object) -> bool:
    """Whether it is a record type of settings that all have a default."""
    if not (isinstance(options, type) and dataclasses.is_dataclass(options)):
        return False
    described = fields_of(options)
    return all(one.name in described and described[one.name].default is not ... for one in dataclasses.fields(options))


def keyed(record: type[Any]) -> dict[str, Field]:
    """The fields of an options record by what `--option` calls them."""
    return {field.key: field for field in fields_of(record).values()}


def read_options(record: type[Any], texts: Mapping[str, str], format_: str) -> Any:
    """The record that texts by option stand for; an empty text, or the word for it such as "all", is the default.

    Raises ExportError, which names the option and the values it takes.
    """
    fields, values = keyed(record), dict[str, Any]()
    for key, text in texts.items():
        field = fields.get(key)
        if field is None:
            raise ExportError(_unknown(key, list(fields), format_))
        if text.strip() in ("", field.empty):
            continue
        try:
            values[field.name] = field.read(text)
        except ParameterError as error:
            raise ExportError(f"option {key}: {error}; write {key}={values_text(field)}") from None
    try:
        return record(**values)
    except ParameterError as error:
        raise ExportError(str(error)) from None


def _unknown(key: str, known: list[str], format_: str) -> str:
    if OLD_NAMES.get(key) in known:
        return f"option {key} of {format_} is called {OLD_NAMES[key]}: write {OLD_NAMES[key]}= in place of {key}="
    offered = f"it has {', '.join(known)}" if known else "it has none"
    return f"{format_} has no option {key!r}: {offered}"


def texts_of(record: Any) -> dict[str, str]:
    """The texts that `read_options` makes the record of: those of fields that are not at their default."""
    fields = keyed(type(record))
    values = {key: getattr(record, field.name) for key, field in fields.items()}
    return {key: fields[key].write(value) for key, value in values.items() if value != fields[key].default}


def values_text(field: Field) -> str:
    """What may stand after the equals sign: "light|dark", "N"."""
    if field.metavar:
        return field.metavar
    is_plain_flag = field.kind is kinds.FLAG and not field.choices
    if field.kind in (kinds.CHOICE, kinds.FLAG) and not is_plain_flag:
        return "|".join(one.name for one in field.offered)
    return field.kind.metavar


def meaning_of(field: Field) -> str:
    """What an option does, with its default where it has one."""
    default = field.empty or ("" if field.default is None else field.write(field.default))
    if field.kind is kinds.SIZE and field.default is not None:
        default = field.show(field.default)
    return field.help_text + (f" Default: {default}." if default else "")


def listed(record: type[Any]) -> Iterator[tuple[str, str]]:
    """The options of a record as people write them, with what they mean: ("theme=light|dark", "Colors. …")."""
    for key, field in keyed(record).items():
        yield f"{key}={values_text(field)}", meaning_of(field)
