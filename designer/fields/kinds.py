"""Kinds of fields: how the text of each is read, how its value is written, and what it has to be."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from designer import units
from designer.errors import ParameterError
from designer.fields.ranges import ABOVE_0, FROM_1, Range, number_text
from designer.units import shortened

YES, NO = ("yes", "true", "on"), ("no", "false", "off")


def _anything(_value: Any) -> bool:
    return True


def is_whole(value: Any) -> bool:
    """Whether the value is a whole number; truths are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether the value is a finite number; truths are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a field can be. `read` raises ParameterError; `write` gives a text that `read` takes.

    `read` opens no file, whoever wrote the text; `typed` reads what the user types, where that may name one.
    `metavar` is what the help of a command shows for the value, `wanted` what a value should be that is refused by
    `holds`, `said` how a sentence writes a figure. With `has_parts` a value is a tuple and each of it is looked at.
    """

    name: str
    metavar: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    holds: Callable[[Any], bool] = _anything
    wanted: str = ""
    within: Range | None = None
    said: Callable[[Any], str] = number_text
    has_parts: bool = False
    typed: Callable[[str], Any] | None = None
    may_be_empty: bool = False


def _whole(text: str) -> int:
    return units.parse_whole(text.replace(" ", "") if "," in text else text, -units.MOST_WHOLE)


def _counts(text: str) -> tuple[int, ...]:
    return _parts(text.split(","), "a row of whole numbers: write it like 8,8", text)


def _dimensions(text: str) -> tuple[int, ...]:
    return _parts(text.lower().replace("\u00d7", "x").split("x"), "dimensions: write them like 16x16x16", text)


def _parts(parts: list[str], usage: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(_whole(part.strip()) for part in parts)
    except ParameterError:
        what = "are not" if usage.startswith("dimensions") else "is not"
        raise ParameterError(f"{shortened(text)!r} {what} {usage}") from None


def _truth(text: str) -> bool:
    if text.lower() not in YES + NO:
        raise ParameterError(f"{shortened(text)!r} is neither yes nor no")
    return text.lower() in YES


def _figure(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


TEXT = Kind("text", "TEXT", str, may_be_empty=True)
"""As it stands; may be empty."""
CHOICE = Kind("choice", "CHOICE", str)
"""One of the field's choices."""
FLAG = Kind("flag", "yes|no", _truth, lambda value: "yes" if value else "no")
COUNT = Kind("count", "N", _whole, holds=is_whole, wanted="a whole number", within=FROM_1)
COUNTS = Kind(
    "counts",
    "N,N,...",
    _counts,
    lambda value: ", ".join(map(str, value)),
    is_whole,
    "a whole number",
    FROM_1,
    has_parts=True,
)
DIMS = Kind(
    "dims",
    "NxN...",
    _dimensions,
    lambda value: " x ".join(map(str, value)),
    is_whole,
    "a whole number",
    FROM_1,
    has_parts=True,
)
"""Whole numbers with an x between, as 16x16."""
RATIO = Kind("ratio", "RATIO", units.parse_ratio, _figure, is_number, "a number", ABOVE_0)
RATE = Kind("rate", "RATE", units.parse_rate, units.format_rate, is_number, "a number", ABOVE_0)
"""Gb/s, written as 400G."""
SWITCH = Kind("switch", "TYPE", str, may_be_empty=True)
"""The catalog id of a switch; "" where the field says what that stands for."""
SERVER = Kind("server", "TYPE", str, may_be_empty=True)
NIC_MODE = Kind("nic-mode", "MODE", str, may_be_empty=True)
"""The name of a mode of a NIC, "" for none."""
