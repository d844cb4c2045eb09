"""A field of a record as a person sets it: described once, where the record is declared."""

import dataclasses
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any

from designer.errors import ParameterError
from designer.fields.kinds import CHOICE, Kind
from designer.fields.ranges import Range
from designer.units import shortened

_METADATA = "setting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What forms, options and texts are made of, and by what a value is checked.

    title    what a form prints before it
    help     one sentence for a tool tip or `--help`
    unit     what a form prints after it
    within   from where to where its numbers may be; None for what the kind allows
    choices  the words allowed, for a choice
    empty    what an empty field stands for, as a form says it; of a type, the default
    option   the command line's option, as "--link-rate"; made of the name where not given
    noun     what a sentence calls it; made of the title where not given
    first    whether a form shows it before the others, because it is filled in most often
    unwritten  what a recipe without the field was made with, where it is younger than recipes; None for the default

    A field without a default has `...` there. A default of None stands for "worked out from the others"; leaving the
    form's field empty gives it back.
    """

    name: str = ""
    default: Any = ...
    title: str
    help: str
    kind: Kind
    unit: str = ""
    within: Range | None = None
    choices: tuple[str, ...] = ()
    empty: str = ""
    option: str = ""
    noun: str = ""
    first: bool = False
    unwritten: Any = None

    @property
    def is_optional(self) -> bool:
        return self.default is None

    def read(self, text: str) -> Any:
        """The value that a text stands for; None for an empty optional one. Raises ParameterError."""
        text = text.strip()
        if text or self.kind.may_be_empty:
            return self.kind.read(text)
        if self.is_optional:
            return None
        raise ParameterError("enter a value")

    def write(self, value: Any) -> str:
        """The text that `read` makes the value of."""
        return "" if value is None else self.kind.write(value)

    def fault(self, value: Any) -> str:
        """Why the field cannot have this value, as a sentence; "" where it can."""
        if value is None and self.is_optional:
            return ""
        if self.kind is CHOICE and value not in self.choices:
            *others, last = self.choices
            return f"{self.noun} should be {', '.join(others)} or {last}, not {shortened(repr(value))}"
        if self.kind.has_parts and not isinstance(value, tuple):
            return f"{self.noun} should be a row of whole numbers, not {shortened(repr(value))}"
        for part in value if self.kind.has_parts else (value,):
            if not self.kind.holds(part):
                return f"{self.noun} should be {self.kind.wanted}, not {shortened(repr(part))}"
            within = self.within or self.kind.within
            if within is not None and not within.holds(part):
                return f"{self.noun} should be {within.text(self.kind.said)}, not {shortened(self.kind.said(part))}"
        return ""

    def require(self, value: Any) -> None:
        """Raises ParameterError where the field cannot have this value."""
        if fault := self.fault(value):
            raise ParameterError(fault)


def setting(default: Any = ..., *, title: str, help: str, kind: Kind, **more: Any) -> Any:
    """A dataclass field that is described: `more` are those of `Field`."""
    described = Field(default=default, title=title, help=help, kind=kind, **more)
    return dataclasses.field(default=MISSING if default is ... else default, metadata={_METADATA: described})


def fields_of(record: type[Any]) -> dict[str, Field]:
    """The described fields of a record by name, in their order."""
    return _fields_of(record)  # type: ignore[arg-type]


@cache
def _fields_of(record: type[Any]) -> dict[str, Field]:
    found = {}
    for one in dataclasses.fields(record):
        if (described := one.metadata.get(_METADATA)) is not None:
            option = described.option or f"--{one.name.replace('_', '-')}"
            noun = described.noun or _noun(described.title, one.name)
            found[one.name] = dataclasses.replace(described, name=one.name, option=option, noun=noun)
    return found


def check(record: Any) -> None:
    """Raises ParameterError for the first described field whose value it cannot have."""
    for name, field in fields_of(type(record)).items():
        field.require(getattr(record, name))


def _noun(title: str, name: str) -> str:
    """As in the middle of a sentence: "link rate", "NICs per server"; the symbol of "Routers of a group, a"."""
    words, _, symbol = title.rpartition(", ")
    if words and symbol == name:
        return name
    title = words if len(symbol) == 1 else title
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]
