"""A journal of edits: each appended as it is made, so that a killed program or a power cut takes next to nothing.

A record is a line that says how long its text is and what its checksum is, and the text: the edit as one JSON object
with the rows of what was put into the design and the ids of what was taken out of it, in the words of the document.

00000067 5d1c0e9a7b3f2c48
{"devices": [{"id": "d1", "name": "leaf-1", "type_id": "nvidia-qm9700"}], "removed": {"links": ["l7"]}}

The last record may be cut short: it counts for nothing. A journal may end with a record that names the next one, and
hold records that say where the design was saved.
"""

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from designer.errors import EditError, FileFormatError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import TABLE_OF, Entity
from designer.model.settings import Settings
from designer.storage import checks, schema
from designer.storage.document import SIZE_MOST, line
from designer.storage.saving import PRIVATE

_HEAD_LENGTH = 26
"""Characters of a record's first line, its line break included."""

_NEXT = re.compile(rb'\{"next": ([0-9]{1,9})\}')
_SAVED = re.compile(rb'\{"mark": ([0-9]{1,9}), "saved": "([0-9a-f]{1,200})"\}')
_LENGTH = re.compile(rb"[0-9a-f]{8}")

_TABLE_OF_RECORD = {record: table for table, record in schema.TABLES.items()}
_DESIGN_TABLES = tuple(dict.fromkeys(TABLE_OF.values()))

_ROW: type[Any] = msgspec.defstruct(
    "EditRow",
    [
        *((name, Any, None) for name in ("next", "mark", "saved")),
        ("settings", schema.SETTINGS_ROW | None, None),
        *((table, list[row], msgspec.field(default_factory=list)) for table, row in schema.ROWS.items()),  # type: ignore[valid-type]
        ("removed", dict[str, list[str]], msgspec.field(default_factory=dict)),
    ],
    forbid_unknown_fields=True,
)
_decode = msgspec.json.Decoder(_ROW).decode


# -- edits ----------------------------------------------------------------------------------------------------------


def edit_text(edit: Edit) -> bytes:
    """What an edit made of each record it is about, as the text of a journal's record. Raises SaveError."""
    first: dict[tuple[str, str], Change] = {}
    last: dict[tuple[str, str], Change] = {}
    for change in edit.changes:
        key = TABLE_OF[type(change.subject)], change.subject.id
        first.setdefault(key, change)
        last[key] = change
    put: dict[str, list[str]] = {}
    removed: dict[str, list[str]] = {}
    settings = ""
    for (table, entity_id), change in last.items():
        after = change.after
        if after is None:
            if first[table, entity_id].before is not None:  # else the edit added it, too
                removed.setdefault(table, []).append(entity_id)
        elif isinstance(after, Settings):
            settings = line(schema.WRITERS[Settings](after), "settings")
        else:
            where = _TABLE_OF_RECORD[type(after)]
            put.setdefault(where, []).append(line(schema.WRITERS[type(after)](after), f"{where} {entity_id!r}"))
    parts = [f'"settings": {settings}'] if settings else []
    parts += [f'"{table}": [{", ".join(rows)}]' for table, rows in put.items()]
    if removed:
        parts.append(f'"removed": {line(removed, "removed")}')
    return ("{" + ", ".join(parts) + "}").encode()


def next_text(generation: int) -> bytes:
    """The text of the record that ends a journal and names the one that goes on from it."""
    return b'{"next": %d}' % generation


def mark_text(mark: int) -> bytes:
    """The text of a record for the place where a design stood that is going to be saved."""
    return b'{"mark": %d}' % mark


def saved_text(mark: int, digest: str) -> bytes:
    """The text of the record that says: a file with that digest holds the design as it stood at the mark."""
    return b'{"mark": %d, "saved": "%s"}' % (mark, digest.encode())


def next_of(texts: Sequence[bytes]) -> int | None:
    """The number of the journal that goes on from the one with these records, where it names one."""
    found = _NEXT.fullmatch(texts[-1]) if texts else None
    return int(found[1]) if found is not None else None


def since_saved(texts: Sequence[bytes], digest: str) -> Sequence[bytes] | None:
    """The records after the place where the design was saved as the file with that digest; None where it was not."""
    for text in reversed(texts):
        found = _SAVED.fullmatch(text)
        if found is not None and found[2].decode() == digest:
            place = mark_text(int(found[1]))
            return texts[texts.index(place) + 1 :] if place in texts else None
    return None


def play(design: Design, texts: Iterable[bytes]) -> None:
    """Perform the edits of a journal's records on the design.

    Raises FileFormatError for what no program of this version wrote, EditError for what does not fit the design.
    """
    for text in texts:
        try:
            row = _decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise FileFormatError("holds an edit that cannot be read") from None
        if row.next is None and row.mark is None:
            design.apply(_edit(design, row))


def _edit(design: Design, row: Any) -> Edit:
    """The edit of a row, checked as the records of a file are."""
    if not row.removed.keys() <= set(_DESIGN_TABLES):
        raise FileFormatError("holds an edit that cannot be read")
    removals: list[Change] = []
    puts: list[Change] = []
    for table, ids in row.removed.items():
        standing = _standing(design, table)
        for one in ids:
            if one not in standing:
                raise EditError(f"{table[:-1]} {one!r} is not in the design")
            removals.append(Change(standing[one], None))
    checks.check_job_rows(row.jobs)
    for table, record in schema.TABLES.items():
        standing, read = _standing(design, TABLE_OF[record]), schema.READERS[table]
        for one in getattr(row, table):
            entity: Entity = read(one)
            checks.check_record(table, entity)
            before = standing.get(entity.id)
            if before is not None and type(before) is not type(entity):
                removals.append(Change(before, None))
                before = None
            puts.append(Change(before, entity))
    if row.settings is not None:
        puts.append(Change(design.settings, schema.read_settings(row.settings)))
    return Edit("Restore", (*removals, *puts))


def _standing(design: Design, table: str) -> Mapping[str, Entity]:
    if table == "settings":
        return {design.settings.id: design.settings}
    standing: Mapping[str, Entity] = getattr(design, table)
    return standing


# -- records --------------------------------------------------------------------------------------------------------


def record(text: bytes) -> bytes:
    """The bytes of a record with that text."""
    return b"%08x %s\n%s\n" % (len(text), _checksum(text), text)


def records(data: bytes) -> Iterator[bytes]:
    """The texts of the records that are whole, up to the first that is not."""
    for begin, end in _whole(data):
        yield data[begin:end]


def whole_length(data: bytes) -> int:
    """How many bytes the records take that are whole."""
    return max((end + 1 for _, end in _whole(data)), default=0)


def _whole(data: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at + _HEAD_LENGTH <= len(data):
        length, checksum = data[at : at + 8], data[at + 9 : at + _HEAD_LENGTH - 1]
        if _LENGTH.fullmatch(length) is None:
            return
        end = at + _HEAD_LENGTH + int(length, 16)
        text = data[at + _HEAD_LENGTH : end]
        if data[end : end + 1] != b"\n" or _checksum(text) != checksum:
            return
        yield at + _HEAD_LENGTH, end
        at = end + 1


def _checksum(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=8).hexdigest().encode()


# -- files ----------------------------------------------------------------------------------------------------------


def read(path: Path) -> bytes:
    """The bytes of a journal; none where there is no such file. Raises FileFormatError where it is too large."""
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        data = file.read(SIZE_MOST + 1)
        if len(data) > SIZE_MOST:
            raise FileFormatError(f"has a journal of more than {SIZE_MOST / 1e6:,.0f} MB, which is not read")
        return data
    return b""


class Writer:
    """A journal that is appended to. What is appended is with the system at once, and on the disk after `sync`."""

    def __init__(self, path: Path) -> None:
        """Go on behind the records that are whole. Raises OSError or FileFormatError."""
        self.size_bytes = whole_length(read(path))
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), PRIVATE)
        os.ftruncate(self._descriptor, self.size_bytes)
        os.lseek(self._descriptor, self.size_bytes, os.SEEK_SET)
        self.is_synced = True

    def append(self, text: bytes) -> None:
        """Raises OSError with the journal as it was, as far as the system lets us."""
        data = memoryview(record(text))
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self.size_bytes)
                os.lseek(self._descriptor, self.size_bytes, os.SEEK_SET)
            raise
        self.size_bytes = os.lseek(self._descriptor, 0, os.SEEK_CUR)
        self.is_synced = False

    def sync(self) -> None:
        """Force what was appended onto the disk. Raises OSError."""
        if not self.is_synced:
            os.fsync(self._descriptor)
            self.is_synced = True

    def close(self) -> None:
        """Close the file, without syncing."""
        os.close(self._descriptor)
