"""What is wrong with a file, and where, as the sentence a user reads."""

import re
from typing import Any

import msgspec

from designer.errors import FileFormatError

SEARCHED_MOST = 64 * 1024 * 1024
"""In larger files a fault is placed by table and entry alone, without its line and id."""


LONGEST = 500
"""Characters a message may have."""


class FaultAt(FileFormatError):
    """A fault whose message begins with the place, as "line 14, devices "d7", field name: expected text"."""


def one_line(message: str) -> str:
    """The message without line breaks and control characters, and not endless: parts of it come from the file."""
    plain = _CONTROL.sub("�", message)
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def line_at(data: bytes, offset: int) -> int:
    """The line, from 1, that a byte is on."""
    return data.count(b"\n", 0, offset) + 1


def place_of(data: bytes, table: str, index: int) -> str:
    """Where an entry stands, as near as can be said: "line 14, devices "d7"", or "devices entry 3"."""
    number = f"{table} entry {index + 1}"
    if len(data) > SEARCHED_MOST:
        return number
    try:
        tables = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        entry = bytes(msgspec.json.decode(tables[table], type=list[msgspec.Raw])[index])
    except (msgspec.MsgspecError, LookupError, RecursionError):
        return number
    line = f"line {line_at(data, data.find(entry))}"
    try:
        entry_id: Any = msgspec.json.decode(entry, type=dict[str, Any]).get("id")
    except (msgspec.MsgspecError, RecursionError):
        entry_id = None
    return f'{line}, {table} "{entry_id[:100]}"' if isinstance(entry_id, str) and entry_id else f"{line}, {number}"


def malformed(data: bytes, message: str) -> FileFormatError:
    """The error for text that is not JSON, from the decoder's message."""
    if "truncated" in message:
        return FileFormatError(f"ends in the middle, at line {line_at(data, len(data.rstrip()))}: it was cut short")
    found = re.search(r"byte (\d+)", message)
    if found is None:
        return FileFormatError("is not a JSON document")
    offset = min(int(found[1]), len(data))
    begin = data.rfind(b"\n", 0, offset) + 1
    line = f"line {line_at(data, offset)}"
    if data.startswith(_CONFLICT_MARKS, begin):
        return FaultAt(f"{line} is a mark of a merge conflict: resolve it first")
    word = _NOT_A_NUMBER.search(data, max(begin, offset - 10), offset + 10)
    if word is not None:
        return FaultAt(f"{line} holds {word[0].decode()}, which is not a number in JSON")
    return FaultAt(f"{line} is not JSON: {re.sub(r'^JSON is malformed: | *.byte.*$', '', message)}")


_CONFLICT_MARKS = (b"<<<<<<<", b"=======", b">>>>>>>")
_NOT_A_NUMBER = re.compile(rb"-?Infinity|NaN")


def misfit(data: bytes, message: str) -> FileFormatError:
    """The error for JSON that is not a design, from the decoder's message: place, field, what was expected."""
    what, _, path = message.partition(" - at `$")
    path = path.rstrip("`")
    entry = _ENTRY.match(path)
    if entry is not None:
        place, field = place_of(data, entry[1], int(entry[2])), path[entry.end() :].strip(".")
    else:
        place, _, field = path.strip(".").partition(".")
    named = _NAMED_FIELD.search(what)
    if named is None:
        reason = f"field {field}: {_plain(what)}" if field else _plain(what)
    else:
        name = f"{field}.{named[2][:60]}".strip(".")
        reason = f"field {name}: {'this version knows no such field' if named[1] == 'unknown' else 'it is missing'}"
    return FaultAt(f"{place}, {reason}" if place else reason)


_ENTRY = re.compile(r"\.(\w+)\[(\d+)\]")
_NAMED_FIELD = re.compile(r"(unknown|required) field `(.*)`", re.DOTALL)


def _plain(what: str) -> str:
    """The decoder's words in the user's."""
    what = what[:1].lower() + what[1:]
    for pattern, word in _WORDS:
        what = re.sub(pattern, word, what)
    return what


_WORDS = (
    (r"`(\w+) \| (\w+)`", r"`\1` or `\2`"),
    (r"(\d)\.0$", r"\1"),
    (r"`str` of length >= 1$", "text that is not empty"),
    (r"`str` of length <= (\d+)$", r"text of \1 characters at most"),
    (r"`str`", "text"),
    (r"`int`", "a whole number"),
    (r"`float`", "a number"),
    (r"`bool`", "true or false"),
    (r"`null`", "nothing"),
    (r"`array`", "a list"),
    (r"`object`", "a record"),
)
