"""Kinds of fields: how the text of each is read, how its value is written, and what it has to be."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from designer import units
from designer.errors import ParameterError
from designer.fields.ranges import ABOVE_0, FROM_1, Range, number_text
from designer.units import shortened

NAMED_COLOURS: tuple[tuple[str, str], ...] = (
    ("blue", "#2e6e99"),
    ("orange", "#e8730c"),
    ("teal", "#09a383"),
    ("purple", "#8a2be2"),
    ("brown", "#8a4b1f"),
    ("violet", "#9f7ae0"),
    ("red", "#c8321e"),
    ("indigo", "#4a3ea8"),
    ("yellow", "#c9a20c"),
    ("green", "#3f8f2f"),
    ("pink", "#d0589a"),
    ("gray", "#7d8690"),
)
"""Legible on light and on dark paper."""
_NAMES = {colour: name for name, colour in NAMED_COLOURS}


def colour_title(colour: str) -> str:
    """What a legend calls a color: its name among those that are offered, else #rrggbb."""
    return _NAMES.get(colour, colour).capitalize()


def colour_of(text: str) -> str:
    """The color that is typed, by one of the names or as #rrggbb, in any case; in small letters what is neither."""
    typed = text.strip().lower()
    return dict(NAMED_COLOURS).get("gray" if typed == "grey" else typed, typed)


EXBIBYTE = 2**60
YES, NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


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

    `read` opens no file, whoever wrote the text; `typed` reads what the user types, where that may name one. `show`
    writes a value for people to look at, where `write` has more digits than anybody reads.
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
    stated: Callable[[Any], str] = number_text
    has_parts: bool = False
    typed: Callable[[str], Any] | None = None
    show: Callable[[Any], str] | None = None
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


NamedSizes = tuple[tuple[str, tuple[int, ...]], ...]
"""Names with numbers, as service=9x16x8."""


def _named_sizes(text: str) -> NamedSizes:
    usage = "a name with numbers: write it like service=9x16x8"
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        name, equals, sizes = part.partition("=")
        if not equals or not name.strip():
            raise ParameterError(f"{shortened(part)!r} is not {usage}")
        found.append((name.strip(), _parts(sizes.lower().replace("\u00d7", "x").split("x"), usage, part)))
    return tuple(found)


def _is_named_size(value: Any) -> bool:
    """Whether it is a name with whole numbers, none below 0."""
    if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and value[0]):
        return False
    name, sizes = value
    is_read_back = name == name.strip() and "," not in name and "=" not in name
    return is_read_back and isinstance(sizes, tuple) and all(is_whole(size) and size >= 0 for size in sizes)


NamedTypes = tuple[tuple[str, str], ...]
"""Names with catalog ids, as storage=generic-node."""


def _named_types(text: str) -> NamedTypes:
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, type_id = (one.strip() for one in part.partition("="))
        if not name or not type_id:
            raise ParameterError(f"{shortened(part)!r} is not a name with a type: write it like storage=generic-node")
        found.append((name, type_id))
    return tuple(found)


def _is_named_type(value: Any) -> bool:
    """Whether it is a name with the id of a type."""
    if not (isinstance(value, tuple) and len(value) == 2):
        return False
    return all(isinstance(one, str) and one and one == one.strip() and not {",", "="} & {*one} for one in value)


def _truth(text: str) -> bool:
    if text.lower() not in YES + NO:
        raise ParameterError(f"{shortened(text)!r} is neither yes nor no")
    return text.lower() in YES


def parse_share(text: str) -> float:
    """0.001 from "0.001" or "0.1 %". Raises ParameterError."""
    number = text.strip().removesuffix("%")
    try:
        return float(number) / (100 if number != text.strip() else 1)
    except ValueError:
        raise ParameterError(f"{shortened(text)!r} is not a share: write it like 0.95 or 95%") from None


def _length(text: str) -> float:
    """Meters from "30", "30 m" or "2.5m". Raises ParameterError."""
    try:
        return float(text.strip().lower().removesuffix("m").strip())
    except ValueError:
        raise ParameterError(f"{shortened(text)!r} is not a length: write meters, like 30 or 2.5 m") from None


def _millimetres(text: str) -> float:
    """Millimeters from "38.1" or "38.1 mm". Raises ParameterError."""
    try:
        return float(text.strip().lower().removesuffix("mm").strip())
    except ValueError:
        raise ParameterError(f"{shortened(text)!r} is not a length: write millimeters, like 38.1 or 10 mm") from None


def _degrees(text: str) -> float:
    """Degrees from "45", "45°" or "-90", between 0 and 360. Raises ParameterError."""
    number = text.strip().lower().removesuffix("°").removesuffix("degrees").removesuffix("deg").strip()
    try:
        turn = float(number) % 360
    except ValueError:
        turn = math.nan
    if not math.isfinite(turn):
        raise ParameterError(f"{shortened(text)!r} is not an angle: write degrees, like 45 or -90")
    return turn


def _places(text: str) -> tuple[float, ...]:
    return tuple(sorted({_length(part) for part in text.split(",") if part.strip()}))


def _amounts(text: str) -> tuple[float, ...]:
    return tuple(units.parse_amount(part.strip()) for part in text.split(",") if part.strip())


def _metres(value: float) -> str:
    return f"{value:,.12g} m"


def _bytes(value: float) -> str:
    if value >= EXBIBYTE:
        return f"{value / EXBIBYTE:g} EiB"
    return units.format_size(value) if value else "0"


def _time(text: str) -> float:
    return units.parse_time(text or "0")


def _seconds(value: float) -> str:
    return units.format_time(value) if value else "0"


def _large_count(text: str) -> int:
    value = units.parse_amount(text)
    if value != int(value):
        raise ParameterError(f"{shortened(text)!r} is not a whole number")
    return units.parse_whole(f"{value:.0f}")


def _amount(value: float) -> str:
    return units.format_amount(value) if value >= 1e6 else f"{value:g}"


def _words(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _figure(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


TEXT = Kind("text", "TEXT", str, may_be_empty=True)
"""As it stands; may be empty."""
VERBATIM = Kind("verbatim", "TEXT", str, may_be_empty=True)
"""As it stands, with the blanks around it."""
COLOUR = Kind("color", "#RRGGBB", colour_of, may_be_empty=True)
"""By one of the names that are offered, or as #rrggbb; "" for none."""
CHOICE = Kind("choice", "CHOICE", str)
"""One of the field's choices, which are always the same."""
NAME = Kind("name", "NAME", str)
"""The name of a row of a table, to which plug-ins may add."""
FILE = Kind("file", "FILE", str, may_be_empty=True)
"""The path of a file that is read when the work begins; "" for none."""
FILES = Kind("files", "FILE;FILE...", str, may_be_empty=True)
"""The paths of such files with ; between; "" for none."""
NAMES = Kind("names", "NAME,...", _words, ",".join, may_be_empty=True)
"""Any names, with commas between; an option that is repeated."""
FLAG = Kind("flag", "yes|no", _truth, lambda value: "yes" if value else "no")
COUNT = Kind("count", "N", _whole, holds=is_whole, wanted="a whole number", within=FROM_1)
LARGE_COUNT = Kind("large count", "N", _large_count, str, is_whole, "a whole number", FROM_1, show=_amount)
"""A whole number, which may be written as 50k."""
AMOUNT = Kind("amount", "N", units.parse_amount, repr, is_number, "a number", ABOVE_0, show=_amount)
"""A number that may be large: 300e9 or 300B."""
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
NAMED_SIZES = Kind(
    "named sizes",
    "NAME=NxN,...",
    _named_sizes,
    lambda value: ", ".join(f"{name}={'x'.join(map(str, sizes))}" for name, sizes in value),
    _is_named_size,
    "a name with numbers, like service=9x16x8",
    has_parts=True,
    may_be_empty=True,
)
"""Names with whole numbers, as service=9x16x8, with commas between."""
NAMED_TYPES = Kind(
    "named types",
    "NAME=TYPE,...",
    _named_types,
    lambda value: ", ".join(f"{name}={type_id}" for name, type_id in value),
    _is_named_type,
    "a name with a type, like storage=generic-node",
    has_parts=True,
    may_be_empty=True,
)
"""Names with catalog ids, as storage=generic-node, with commas between."""
RATIO = Kind("ratio", "RATIO", units.parse_ratio, _figure, is_number, "a number", ABOVE_0, show=units.format_ratio)
RATE = Kind("rate", "RATE", units.parse_rate, units.format_rate, is_number, "a number", ABOVE_0)
"""Gb/s, written as 400G."""
RATES = Kind(
    "rates",
    "RATE,RATE,...",
    lambda text: tuple(units.parse_rate(part.strip()) for part in text.split(",")),
    lambda value: ", ".join(map(units.format_rate, value)),
    is_number,
    "a number",
    ABOVE_0,
    has_parts=True,
)
"""Gb/s of several things, written as 400G,400G,100G."""
SIZE = Kind(
    "size",
    "BYTES",
    units.parse_size,
    lambda value: str(int(value)),
    is_number,
    "a number of bytes",
    Range(0, units.SIZE_LIMIT_BYTES, is_above=True, is_below=True),
    _bytes,
    show=units.format_size,
)
TIME = Kind(
    "time",
    "TIME",
    _time,
    lambda value: f"{value!r}s",
    is_number,
    "a number of seconds",
    Range(0),
    _seconds,
    show=_seconds,
    may_be_empty=True,
)
"""Seconds, written as 2ms."""
SPAN = replace(TIME, name="span", read=units.parse_time, may_be_empty=False)
"""The same where an empty field stands for something else than 0."""
SHARE = Kind("share", "NUMBER", parse_share, _figure, is_number, "a number", Range(0, 1))
"""A part of the whole: 0.95 or 95%."""
LENGTH = Kind("length", "M", _length, repr, is_number, "a number of meters", Range(0), _metres, show=_figure)
DEGREES = Kind(
    "degrees",
    "DEGREES",
    _degrees,
    _figure,
    is_number,
    "a number of degrees",
    Range(0, 360, is_below=True),
    lambda value: f"{value:g}°",
    show=_figure,
)
"""An angle; more than a whole turn, or a turn back, is read as what it comes to."""
MILLIMETRES = Kind(
    "millimetres",
    "MM",
    _millimetres,
    _figure,
    is_number,
    "a number of millimeters",
    Range(0),
    lambda value: f"{value:,.12g} mm",
    show=_figure,
)
PLACES = Kind(
    "places",
    "M,M,...",
    _places,
    lambda value: ", ".join(map(_figure, value)),
    is_number,
    "a number of meters",
    stated=_metres,
    has_parts=True,
    may_be_empty=True,
)
"""Meters along a line, with commas between."""
AMOUNTS = Kind(
    "amounts",
    "N,N,...",
    _amounts,
    lambda value: ", ".join(map(_figure, value)),
    is_number,
    "a number",
    has_parts=True,
    may_be_empty=True,
)
"""Numbers with commas between."""
SWITCH = Kind("switch", "TYPE", str, may_be_empty=True)
"""The catalog id of a switch; "" where the field says what that stands for."""
SERVER = Kind("server", "TYPE", str, may_be_empty=True)
NIC = Kind("nic", "TYPE", str, may_be_empty=True)
"""The catalog id of a NIC; "" where the field says what that stands for."""
NIC_MODE = Kind("nic-mode", "MODE", str, may_be_empty=True)
"""The name of a mode of a NIC, "" for none."""
