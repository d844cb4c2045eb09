"""A field of a record as a person sets it: described once, where the record is declared."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any, Protocol

from designer.errors import ParameterError
from designer.fields.kinds import CHOICE, FLAG, NAME, NAMES, VERBATIM, Kind
from designer.fields.ranges import Range
from designer.units import shortened

_METADATA = "setting"


class Choice(Protocol):
    """What a field can be chosen from: a row of a table, such as the collectives."""

    @property
    def name(self) -> str:
        """The word that files and the command line use."""

    @property
    def title(self) -> str:
        """What forms show."""

    @property
    def explanation(self) -> str:
        """A sentence on what the choice means."""


@dataclass(frozen=True, slots=True)
class Word:
    """A choice that is no row of a table."""

    name: str
    title: str
    explanation: str = ""


YES_WORD, NO_WORD = Word("yes", "yes"), Word("no", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What forms, options and texts are made of, and by what a value is checked.

    title    what a form prints before it
    help     one sentence for a tool tip or `--help`; `{names}` in it stands for those of the choices
    tip_text  what a form says of it, where that is not the help
    section  which part of a form it stands in
    unit     what a form prints after it
    within   from where to where its numbers may be; None for what the kind allows
    choices  the rows allowed, for a choice or a name, or a function that returns them; of a flag, what the default
             and the other are called
    empty    what an empty field stands for, as a form says it; of a type, the default
    example  how a value may look, where a form has room for it while the field is empty
    word     what stands for None on the command line, as "auto"
    metavar  what the help of a command shows for the value; that of the kind where not given
    is_asked  whether the command line has no default where forms have one
    is_shown  whether forms show it
    option   the command line's option, as "--link-rate"; made of the name where not given
    noun     what a sentence calls it; made of the title where not given
    first    whether a form shows it before the others, because it is filled in most often
    needs    choices of a list of names that mean nothing while another field is empty, each with the name of that field
    is_none_empty  whether an empty list of names is none of the choices, where it mostly stands for all of them
    unwritten  what a recipe without the field was made with, where it is younger than recipes; None for the default.
             A recipe leaves that value out.

    A field without a default has `...` there. A default of None stands for "calculated from the others"; leaving the
    form's field empty gives it back.
    """

    name: str = ""
    default: Any = ...
    title: str
    help: str
    kind: Kind
    unit: str = ""
    within: Range | None = None
    tip_text: str = ""
    section: str = ""
    choices: Iterable[Choice] | Callable[[], Iterable[Choice]] = ()
    empty: str = ""
    example: str = ""
    word: str = ""
    metavar: str = ""
    is_asked: bool = False
    is_shown: bool = True
    option: str = ""
    noun: str = ""
    first: bool = False
    needs: tuple[tuple[str, str], ...] = ()
    is_none_empty: bool = False
    unwritten: Any = None

    @property
    def is_optional(self) -> bool:
        """Whether None may stand for its value, as it does by default."""
        return self.default is None

    @property
    def key(self) -> str:
        """What a text calls it: the option without its dashes."""
        return self.option.removeprefix("--")

    @property
    def offered(self) -> Iterator[Choice]:
        """The choices, plug-ins' last, which are loaded when somebody asks beyond the others; yes and no of a flag."""
        if self.kind is FLAG and not self.choices:
            yield from (YES_WORD, NO_WORD) if self.default else (NO_WORD, YES_WORD)
        else:
            yield from self.choices() if callable(self.choices) else self.choices

    @property
    def tip(self) -> str:
        """What a form says of it."""
        return self.tip_text or self.help_text

    def word_of(self, value: bool) -> str:
        """What a flag of that value is called."""
        default, other = self.offered
        return default.name if value == self.default else other.name

    def truth_of(self, word: str) -> bool:
        """The value of a flag that is called so."""
        default_word = next(self.offered).name
        return bool(self.default == (word == default_word))

    @property
    def help_text(self) -> str:
        """The help with the names of the choices in it."""
        if "{names}" not in self.help:
            return self.help
        return self.help.replace("{names}", ", ".join(choice.name for choice in self.offered))

    def read(self, text: str) -> Any:
        """The value that a text stands for; None for an empty optional one. Raises ParameterError."""
        return self._read(text, self.kind.read)

    def typed(self, text: str) -> Any:
        """The same of what the user types, which may name a file to read it from; figures are checked at once.

        Raises ParameterError.
        """
        if self.word and text == self.word:
            return None
        value = self._read(text, self.kind.typed or self.kind.read)
        if self.kind is not NAME:  # those of a table may be given several at a time
            self.require(value)
        return value

    def _read(self, text: str, read: Callable[[str], Any]) -> Any:
        text = text if self.kind is VERBATIM else text.strip()
        if text or self.kind.may_be_empty:
            value = read(text)
            return self._as_offered(value) if self.kind is CHOICE else value
        if self.is_optional:
            return None
        if self.empty and self.default is not ...:
            return self.default
        raise ParameterError("enter a value")

    def _as_offered(self, value: Any) -> Any:
        """The choice of that name, in whatever case it is written: "A4" is a4; the value where there is none."""
        names = [choice.name for choice in self.offered]
        alike = [name for name in names if name.casefold() == str(value).casefold()]
        return alike[0] if len(alike) == 1 and value not in names else value

    def write(self, value: Any) -> str:
        """The text that `read` makes the value of."""
        return "" if value is None else self.kind.write(value)

    def show(self, value: Any) -> str:
        """The same as people look at it, with fewer digits."""
        is_empty = value is None or (bool(self.empty) and value == self.default)
        return "" if is_empty else (self.kind.show or self.kind.write)(value)

    def fault(self, value: Any) -> str:
        """Why the field cannot have this value, as a sentence; "" where it can."""
        if value is None and self.is_optional:
            return ""
        if self.kind in (CHOICE, NAME) and not any(value == choice.name for choice in self.offered):
            return self._not_offered(value)
        if self.kind is NAMES and self.choices:
            astray = [part for part in value if not any(part == choice.name for choice in self.offered)]
            return self._not_offered(astray[0]) if astray else ""
        if self.kind.has_parts and not isinstance(value, tuple):
            return f"{self.noun} should be a row of whole numbers, not {shortened(repr(value))}"
        for part in value if self.kind.has_parts else (value,):
            if not self.kind.holds(part):
                return f"{self.noun} should be {self.kind.wanted}, not {shortened(repr(part))}"
            within = self.within or self.kind.within
            if within is not None and not within.holds(part):
                return f"{self.noun} should be {within.text(self.kind.stated)}, not {shortened(self.kind.stated(part))}"
        return ""

    def _not_offered(self, value: Any) -> str:
        *others, last = (choice.name for choice in self.offered)
        quoted = shortened(str(value)) if self.kind in (NAME, NAMES) else shortened(repr(value))
        if self.kind in (NAME, NAMES):
            return f"there is no {self.noun} {quoted!r}; there is {', '.join([*others, last])}"
        return f"{self.noun} should be {', '.join(others)} or {last}, not {quoted}"

    def require(self, value: Any) -> None:
        """Raises ParameterError where the field cannot have this value."""
        if fault := self.fault(value):
            raise ParameterError(fault)


def setting(
    default: Any = ..., *, title: str, help: str, kind: Kind, choices: Any = (), compare: bool = True, **more: Any
) -> Any:
    """A dataclass field that is described: `more` are those of `Field`. Choices may be words alone."""
    if isinstance(choices, tuple):  # a table is asked for its rows later, plug-ins among them
        choices = tuple(Word(one, one) if isinstance(one, str) else one for one in choices)
    described = Field(default=default, title=title, help=help, kind=kind, choices=choices, **more)
    made = MISSING if default is ... else default
    return dataclasses.field(default=made, compare=compare, metadata={_METADATA: described})


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
