"""Traffic and ranks as people write them: "incast:8+shift:1", "bucket:16x16"; "64", "0-7, 16", "[0-7,16]", "0-7+16".

Where the user types ranks, a file may be named too.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from designer.errors import ParameterError
from designer.fields.kinds import Kind
from designer.simulation import catalogue
from designer.units import MOST_WHOLE, format_span, parse_whole, shortened, spans_of

PATTERN_USAGES = tuple(row.name + (f":{row.parameter.upper()}" if row.parameter else "") for row in catalogue.PATTERNS)
"""Patterns as they are written, each with its parameter: "shift:DISTANCE"."""

RANKS_AT_MOST = 4_000_000
"""As many GPUs as a design may have."""
FILE_BYTES_AT_MOST = 100_000_000
RANKS_USAGE = "ranks=0-7,16,18-20 or ranks=[0-7,16,18-20] or ranks=0-7+16+18-20"
"""How a job, whose fields have commas between, says a list of ranks."""
_LIST = re.compile(r"[0-9,+\s-]+")
_SHORT_RANGE = re.compile(r"([0-9]{1,9})(?:\s*-\s*([0-9]{1,9}))?")
_RANGE = re.compile(r"([0-9]+)(?:-([0-9]+))?")


def parse_ranks(text: str) -> int | tuple[int, ...] | None:
    """None from "" or "all"; 16 from "16", the first so many; (0, 1, 4, 5) from "0-1, 4-5".

    Commas, plus signs or spaces part them, and brackets may stand around a list: "[5]" is GPU 5 alone. Never a file's
    name: the text may come from a file itself. Raises ParameterError.
    """
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return _listed(text[1:-1])
    if text.lower() in ("", "all"):
        return None
    if re.fullmatch(r"[0-9]+", text):
        return _rank(text)
    if not _LIST.fullmatch(text):
        raise ParameterError(f"{shortened(text)!r} is not a number or list of ranks: write ranks like 0-7,16,18-20")
    return _listed(text)


def read_ranks(text: str) -> int | tuple[int, ...] | None:
    """As parse_ranks; or the list in the file of that name, on one line or several. Raises ParameterError.

    For what the user types alone. A fault names the line, never what is on it: the file may not be
    the one that was meant.
    """
    if text.strip().lower() in ("", "all") or _LIST.fullmatch(text.strip().removeprefix("[").removesuffix("]")):
        return parse_ranks(text)
    path = Path(text.strip())
    lines = _file(path).splitlines()
    ranks: list[int] = []
    for number, line in enumerate(lines, start=1):
        try:
            ranks.extend(_listed(line) if line.strip() else ())
        except ParameterError:
            raise ParameterError(f"{path.name}, line {number} is not a list of ranks like 0-7,16,18-20") from None
        if len(ranks) > RANKS_AT_MOST:
            raise ParameterError(f"{path.name} holds more than {RANKS_AT_MOST:,} ranks")
    if not ranks:
        raise ParameterError(f"{path.name} holds no ranks: write them like 0-7,16,18-20")
    return tuple(ranks)


def _listed(text: str) -> tuple[int, ...]:
    ranks: list[int] = []
    for part in re.split(r"\s*[,+]\s*|\s+", re.sub(r"\s*-\s*", "-", text.strip())):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise ParameterError(f"{shortened(part)!r} is not a rank: write ranks like 0-7,16,18-20")
        first, last = _rank(match[1]), _rank(match[2] or match[1])
        if last < first or len(ranks) + last - first >= RANKS_AT_MOST:
            raise ParameterError(f"{shortened(part)!r} is not a range of ranks: write it like 0-7")
        ranks.extend(range(first, last + 1))
    return tuple(ranks)


def spelled(text: str) -> int:
    """How many ranks the text names, near enough and without spelling them out; 0 for what is no list."""
    return sum(max(0, int(last or first) - int(first)) + 1 for first, last in _SHORT_RANGE.findall(text))


def ranks_text(ranks: int | Iterable[int] | None) -> str:
    """As parse_ranks reads it: "", "64", or "0-7, 16"."""
    if ranks is None:
        return ""
    if isinstance(ranks, int):
        return str(ranks)
    spans = spans_of(ranks)
    # A single rank is written as a range: alone "5" would mean the first five.
    if len(spans) == 1:
        return f"{spans[0][0]}-{spans[0][1]}"
    return ", ".join(format_span(*span) for span in spans)


RANKS = Kind(
    "ranks",
    "N|LIST|FILE",
    parse_ranks,
    ranks_text,
    lambda ranks: not isinstance(ranks, int) or ranks >= 1,
    "at least 1",
    typed=read_ranks,
    may_be_empty=True,
)


def _file(path: Path) -> str:
    try:
        if path.is_file():
            with path.open("rb") as file:
                data = file.read(FILE_BYTES_AT_MOST + 1)
            if len(data) <= FILE_BYTES_AT_MOST:
                return data.decode("utf-8-sig")
    except (OSError, ValueError):  # ValueError: no text, or a name no file can have
        pass
    raise ParameterError(f"'{path}' is no number or list of ranks, and no readable file of them")


def _rank(text: str) -> int:
    if len(text.lstrip("0")) > 9 or int(text) > RANKS_AT_MOST:
        raise ParameterError(f"a number of ranks should be at most {RANKS_AT_MOST:,}, not {shortened(text)}")
    return int(text)


def algorithm_and_dims(text: str | None) -> tuple[str | None, tuple[int, ...] | None]:
    """("bucket", (16, 16)) from "bucket:16x16", ("ring", None) from "ring". Raises ParameterError."""
    name, colon, dims = (text or "").partition(":")
    if not colon:
        return text, None
    if not re.fullmatch(r"[1-9][0-9]{0,5}(x[1-9][0-9]{0,5})*", dims.lower()):
        raise ParameterError(f"{shortened(dims)!r} are no dimensions: write them like {name}:16x16")
    return name, tuple(int(size) for size in dims.lower().split("x"))


def parts_of(traffic: str) -> list[tuple[str, str]]:
    """The patterns of a traffic such as "incast:8+shift:1", each by its name and parameter. Raises ParameterError."""
    names = "|".join(row.name for row in catalogue.PATTERNS)
    return [_part(part) for part in re.split(rf"\+(?=(?:{names})(?:[:+]|$))", traffic)]


def file_read_by(traffic: str) -> str:
    """The name of the file that a traffic's flows are in; "" where they follow from its name. Raises ParameterError."""
    for name, value in parts_of(traffic):
        row = catalogue.pattern(name)
        if row is not None and (row.parameter == "file" or (row.parameter == "seed" and not _is_number(value))):
            return value
    return ""


def _is_number(value: str) -> bool:
    return value.lstrip("+-").isdecimal()


def rest_of(traffic: str) -> str:
    """What is sent in addition to the first pattern: "shift:1" of "incast:8+shift:1", "" where it is alone."""
    return together(parts_of(traffic)[1:])


def together(parts: Iterable[tuple[str, str]]) -> str:
    """ "incast:8+shift:1" of patterns, each by its name and parameter: what parts_of reads."""
    return "+".join(f"{name}:{value}" if value else name for name, value in parts)


def _part(traffic: str) -> tuple[str, str]:
    name, colon, value = traffic.partition(":")
    row = catalogue.pattern(traffic)
    if row is None:
        names = ", ".join(PATTERN_USAGES)
        unknown = shortened(name)
        raise ParameterError(f"there is no traffic pattern {unknown!r}; there are {names}, and A+B for both at once")
    if not row.parameter and colon:
        raise ParameterError(f"traffic pattern {name} takes no parameter, but {shortened(value)!r} was given")
    if row.parameter and not value:
        raise ParameterError(f"traffic pattern {name} needs its {row.parameter}: write {name}:{row.parameter.upper()}")
    if row.parameter in ("distance", "senders"):
        whole_number(row.name, row.parameter, value)
    return name, value


def whole_number(name: str, parameter: str, value: str) -> int:
    """The whole number given as a parameter of a traffic pattern. Raises ParameterError naming both."""
    if not re.fullmatch(r"[+-]?[0-9]+", value):
        raise ParameterError(f"the {parameter} of {name} should be a whole number, not {shortened(value)!r}")
    try:
        return parse_whole(value, -MOST_WHOLE)
    except ParameterError as error:
        raise ParameterError(f"the {parameter} of {name}: {error}") from None


def require_one_of(what: str, value: str, allowed: list[str]) -> None:
    """Raises ParameterError, with what there is, for a value that is not allowed."""
    if value not in allowed:
        raise ParameterError(f"there is no {what} {shortened(str(value))!r}; there is {', '.join(allowed)}")
