"""YAML of strangers, read with care: plain values only, every fault in one sentence with file and line.

Nothing is guessed: a date stays a text, "no" and "on" are texts too, true and false alone are truth values. Nothing can
exhaust the program: depth, size and figures are bounded, and parts that repeat other parts by alias are refused.
"""

import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from designer.errors import CatalogError
from designer.units import format_count

LARGEST_BYTES = 1_000_000
DEEPEST = 24
LONGEST_NUMBER = 40

# libyaml's parser is ten times as fast; a PyYAML built without it reads the same files.
_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"([-+]?[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?")
_WORDS: dict[str, Any] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    ".inf": float("inf"),
    "-.inf": float("-inf"),
    ".nan": float("nan"),
}
_SPOKEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Yaml:
    """What a text says, and the line of each of its places, as "cages[0].count"."""

    value: Any
    lines: Mapping[str, int]


def read(path: Path, largest_bytes: int = LARGEST_BYTES) -> Yaml:
    """The values of a file. Raises CatalogError naming file, line and fault."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise CatalogError(f"{path.name} is not an ordinary file")
        with path.open("rb") as file:
            data = file.read(largest_bytes + 1)
    except OSError as error:
        raise CatalogError(f"{path.name} cannot be read: {error.strerror}") from None
    if len(data) > largest_bytes:
        raise CatalogError(f"{path.name}: larger than {format_count(largest_bytes)} bytes, which no device type is")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CatalogError(f"{path.name}, line {line}: not text in UTF-8") from None
    return parse(text, path.name)


def parse(text: str, name: str) -> Yaml:
    """The values of a text. Raises CatalogError beginning with that name."""
    control = _UNREADABLE.search(text)
    if control is not None:
        line = text.count("\n", 0, control.start()) + 1
        raise CatalogError(f"{name}, line {line}: not YAML, holds a control character")
    reader, parser = _Reader(), _PARSER(text)
    try:
        while parser.check_event():
            reader.take(parser.get_event())
    except _Fault as fault:
        raise CatalogError(f"{name}, line {fault.line}: {fault}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise CatalogError(f"{name}{where}: not YAML, {_SPOKEN.sub(' ', str(problem))}") from None
    finally:
        parser.dispose()
    return Yaml(reader.value, reader.lines)


_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What YAML allows nowhere."""


class _Fault(Exception):
    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


@dataclass(slots=True)
class _Level:
    """A mapping or list that is being read; `place` is where it stands."""

    place: str
    values: Any
    key: str | None = None
    awaits_key: bool = field(default=True)


_STARTS = frozenset((yaml.MappingStartEvent, yaml.SequenceStartEvent))
_ENDS = frozenset((yaml.MappingEndEvent, yaml.SequenceEndEvent))


class _Reader:
    """Builds values from the parser's events, one after the other, so that depth costs no stack."""

    def __init__(self) -> None:
        self.value: Any = None
        self.lines: dict[str, int] = {}
        self._levels: list[_Level] = []
        self._documents = 0

    def take(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event, event.start_mark.line + 1)
        elif kind in _STARTS:
            self._open(event, event.start_mark.line + 1)
        elif kind in _ENDS:
            self._levels.pop()
        elif kind is yaml.AliasEvent:
            line = event.start_mark.line + 1
            raise _Fault(line, f"*{_short(event.anchor)} repeats another part of the file: write it out")
        elif kind is yaml.DocumentStartEvent:
            self._documents += 1
            if self._documents > 1:
                raise _Fault(event.start_mark.line + 1, "a second document begins; a file holds one")

    def _open(self, event: Any, line: int) -> None:
        if event.tag not in (None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            raise _Fault(line, f"the tag {_short(event.tag)} is not read: only plain values are")
        level = self._levels[-1] if self._levels else None
        if level is not None and isinstance(level.values, dict) and level.awaits_key:
            raise _Fault(line, "a field's name should be a text")
        if len(self._levels) >= DEEPEST:
            raise _Fault(line, "nested too deeply to be a device type")
        values: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        place = self._put(values, line)
        self._levels.append(_Level(place, values))

    def _scalar(self, event: Any, line: int) -> None:
        level = self._levels[-1] if self._levels else None
        if level is not None and isinstance(level.values, dict) and level.awaits_key:
            if event.value in level.values:
                raise _Fault(line, f"{_short(event.value)} appears twice")
            level.key, level.awaits_key = event.value, False
            self.lines[_inside(level)] = line
            return
        self._put(_scalar(event, line), line)

    def _put(self, value: Any, line: int) -> str:
        """Take a value in where it belongs; returns its place."""
        if not self._levels:
            self.value = value
            return ""
        level = self._levels[-1]
        place = _inside(level)
        if isinstance(level.values, dict):
            level.values[level.key] = value
            level.awaits_key = True
        else:
            level.values.append(value)
            self.lines[place] = line
        return place


def _inside(level: _Level) -> str:
    if isinstance(level.values, list):
        return f"{level.place}[{len(level.values)}]"
    return f"{level.place}.{level.key}" if level.place else str(level.key)


def _scalar(event: Any, line: int) -> Any:
    text: str = event.value
    if event.tag == "tag:yaml.org,2002:str" or (event.tag in (None, "!") and not event.implicit[0]):
        return text
    if event.tag not in (None, *_PLAIN_TAGS):
        raise _Fault(line, f"the tag {_short(event.tag)} is not read: only plain values are")
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _OF_NUMBERS:
        return text
    if _INT.fullmatch(text) or _FLOAT.fullmatch(text):
        if len(text) > LONGEST_NUMBER:
            raise _Fault(line, f"a number of {format_count(len(text))} digits")
        return int(text) if _INT.fullmatch(text) else float(text)
    return text


_OF_NUMBERS = frozenset("+-.0123456789")
"""What a number begins with."""
_PLAIN_TAGS = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("int", "float", "bool", "null"))


def _short(text: object) -> str:
    shown = _SPOKEN.sub(" ", str(text))
    return shown if len(shown) <= 40 else f"{shown[:39]}…"
