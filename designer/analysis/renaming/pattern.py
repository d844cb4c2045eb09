"""Patterns of names, such as leaf-{su}-r{rail:02}: what stands in braces is a fact of the thing that is named."""

import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.units import shortened

LONGEST = 500
"""Characters of a pattern."""
_WIDTH = re.compile(r"0?[1-9]")
_CASES: Mapping[str, Callable[[str], str]] = {"upper": str.upper, "lower": str.lower}

FIELDS: Mapping[str, str] = {
    "name": "the name so far, or the line of the list",
    "n": "1, 2, 3, ... in the order as drawn",
    "i": "the same, counted from 1 again where the rest of the name differs",
    "role": "leaf, spine, core, server, ...",
    "type": "the type's model",
    "kind": "switch, server, rack, group or link",
    "unit": "scalable unit or pod",
    "su": "the same",
    "rail": "rail",
    "plane": "plane",
    "network": "compute, storage, in-band or oob",
    "rack": "the rack that it stands in",
    "u": "the lowest rack unit",
    "group": "the group around it",
    "cable": "the cable's number, of a link",
    "a": "the device at the first end of a link",
    "b": "the device at its other end",
}
"""What may stand in braces, and what it is."""

Facts = Mapping[str, str | int | None]


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    field: str
    form: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that has been read."""

    parts: tuple[_Part, ...]

    @property
    def counts_alike(self) -> bool:
        """Whether names that are otherwise alike are counted."""
        return any(part.field == "i" for part in self.parts)

    def rest(self, facts: Facts) -> str:
        """The name without its count among those that are otherwise alike; "" where a fact is missing."""
        try:
            return Pattern(tuple(part for part in self.parts if part.field != "i")).name(facts)
        except ParameterError:
            return ""

    def name(self, facts: Facts) -> str:
        """The name that the pattern makes of these facts. Raises ParameterError naming a fact that is missing."""
        made = []
        for part in self.parts:
            made.append(part.text)
            if part.field:
                value = facts.get(part.field)
                if value is None or value == "":
                    raise ParameterError(f"it has no {part.field}")
                made.append(_formed(value, part))
        return "".join(made)


def read_pattern(text: str) -> Pattern:
    """The pattern that a text is. Raises ParameterError for what stands in braces and is no field."""
    if len(text) > LONGEST:
        raise ParameterError(f"a pattern has {LONGEST} characters at most, not {len(text)}")
    parts = []
    try:
        for before, field, form, conversion in string.Formatter().parse(text):
            if field is not None and (field not in FIELDS or conversion):
                known = ", ".join(f"{{{one}}}" for one in FIELDS)
                raise ParameterError(f"{{{shortened(field)}}} is no field: there is {known}")
            if field is not None and form and not (_WIDTH.fullmatch(form) or form in _CASES):
                raise ParameterError(
                    f"{{{field}:{shortened(form)}}} has no such form: write {{{field}:02}} or {{{field}:upper}}"
                )
            parts.append(_Part(before, field or "", form or ""))
    except ValueError as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError("a brace is not closed: write {{ for a brace in a name") from None
    return Pattern(tuple(parts))


def _formed(value: str | int, part: _Part) -> str:
    if part.form in _CASES:
        return _CASES[part.form](str(value))
    if not part.form:
        return str(value)
    width = int(part.form)
    if isinstance(value, int) or str(value).isdecimal():
        return str(value).rjust(width, "0" if part.form.startswith("0") else " ").strip() or str(value)
    raise ParameterError(
        f"{{{part.field}:{part.form}}} is for numbers, and its {part.field} is {shortened(str(value))}"
    )
