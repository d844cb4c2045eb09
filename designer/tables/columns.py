"""Columns: what each fact of a row is called, and how it is computed, written and aligned, for all who show it."""

from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from designer.units import format_count

Getter = Callable[[Any], Any]
SMALLEST_SHARE = 1e-4
"""Of a whole, what a column of shares still writes as a number."""


def words(value: Any) -> str:
    """A value as people read it where its column says nothing else."""
    return format_count(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)


def percent(share: float) -> str:
    """ "12.5 %": the figures of a column have the same digits."""
    return f"{100 * share:.1f} %"


def fine_percent(share: float) -> str:
    """ "12.50 %", "0.04 %", "< 0.01 %": of columns with small shares, whose figures have the same digits too."""
    return f"{100 * share:.2f} %" if not 0 < share < SMALLEST_SHARE else f"< {100 * SMALLEST_SHARE:g} %"


def whole_percent(share: float) -> str:
    """ "12 %": in sentences that need no more."""
    return f"{100 * share:.0f} %"


def exact_percent(share: float, more: int = 0) -> str:
    """ "12.5 %", "0.03906 %": of shares that may be small; with `more` digits where asked."""
    return f"{100 * share:.{4 + more}g} %"


@dataclass(frozen=True, slots=True)
class Column:
    """A fact of a row. `key` names it, in JSON too; `value` is an attribute, "place.port" say, or computes it.

    People read `text` of the value under `title`, or `empty` for None; spreadsheets have the value itself under
    `sheet`, the title in lower case with the unit where that is not given.
    """

    key: str
    title: str = ""
    value: str | Getter = ""
    text: Callable[[Any], str] = words
    unit: str = ""
    right: bool = False
    """Whether it ends flush, as figures do."""
    tip: str = ""
    """What the heading's tooltip says."""
    order: Getter | None = None
    """What rows are sorted by, where that is not the value."""
    sheet: str = ""
    empty: str = ""
    is_json: bool = True
    may_lack: bool = False
    """Whether JSON leaves it out where there is nothing to say."""
    is_name: bool = False
    """Whether the title is what somebody called something, and stays as it is."""

    @property
    def of(self) -> Getter:
        """What takes the value from a row."""
        return self.value if callable(self.value) else _attribute(self.value or self.key)

    @property
    def label(self) -> str:
        """Its heading at a terminal; "GPUs" stays as it is."""
        return self.title if self.is_name or self.title[1:2].isupper() else self.title[:1].lower() + self.title[1:]

    @property
    def sheet_label(self) -> str:
        """Its heading in a spreadsheet."""
        return self.sheet or (f"{self.label} ({self.unit})" if self.unit else self.label)

    def within(self, name: str) -> "Column":
        """The column for rows that hold such a row under a name."""
        of = self.of
        inner = attrgetter(name)
        return replace(self, value=lambda row: of(inner(row)))

    def shown(self, value: Any) -> str:
        """The value as people read it."""
        return self.empty if value is None else self.text(value)


Columns = tuple[Column, ...]

ARROW = Column("arrow", value=lambda _row: "->", is_json=False)
"""Between the ends of a link at a terminal."""

_attribute = lru_cache(maxsize=None)(attrgetter)


def keys(names: str) -> Columns:
    """Columns that only JSON has: "time_s flows=n_flows note?", with = before the attribute, ? where it may lack."""
    return tuple(_key(*name.rstrip("?").partition("="), name.endswith("?")) for name in names.split())


def _key(key: str, _equals: str, value: str, may_lack: bool) -> Column:
    return Column(key, value=value, may_lack=may_lack)


def pick(columns: Columns, names: str) -> Columns:
    """The columns of these keys, in this order."""
    by_key = {column.key: column for column in columns}
    return tuple(by_key[name] for name in names.split())


def as_json(value: Any, **instead: Any) -> Any:
    """A record as JSON has it: by its COLUMNS, or else by its fields; what it holds likewise.

    `instead` gives values, by key, that stand in for its own.
    """
    columns: Columns | None = getattr(value, "COLUMNS", None)
    if columns is not None:
        return record(value, columns, instead)
    if is_dataclass(value):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: as_json(one) for key, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [as_json(one) for one in value]
    return value.value if isinstance(value, Enum) else value


def _is_nothing(value: Any) -> bool:
    """Whether there is nothing to say: 0 and False are something."""
    return value is None or (isinstance(value, Sized) and len(value) == 0)


def record(row: Any, columns: Columns, instead: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """The row as JSON has it by these columns."""
    found = {}
    for column in columns:
        if column.is_json:
            one = instead[column.key] if column.key in instead else column.of(row)
            if not (column.may_lack and _is_nothing(one)):
                found[column.key] = as_json(one)
    return found
