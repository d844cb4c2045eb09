"""The native file: a design as one JSON document, one record a line.

{"format": "fabric-design", "version": 8,
"settings": {"name": "Pod 1"},
"switch_types": [
{"id": "nvidia-qm9700", ...}
],
...
}

Records stand in stable id order, fields in the model's order, defaults are left out: the same design is always the
same bytes, and a changed link is a changed line. The hardware types used are inside.
"""

import contextlib
import errno
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from designer.errors import DesignerError, EditError, FileFormatError
from designer.model.design import Design, from_entities
from designer.model.entities import Entity, order_key
from designer.model.fragments import Fragment
from designer.model.limits import RECORDS_MOST
from designer.model.settings import Settings
from designer.storage import checks, in_place, migrations, schema
from designer.storage.faults import FaultAt, line_at, malformed, misfit, one_line, place_of
from designer.storage.on_disk import FileVersion, digest, version_at, version_of
from designer.storage.saving import SaveError, replace_file, sweep
from designer.storage.shared import SharedRows
from designer.units import format_memory, parse_size

DESIGN_FORMAT = "fabric-design"
FRAGMENT_FORMAT = "fabric-fragment"

MIGRATIONS = migrations.MIGRATIONS

SIZE_MOST = 128 * 1024 * 1024
"""Bytes; larger files are refused unread. A three-tier design of 65,536 hosts takes 27 MB."""

MEMORY_MOST_BYTES = 1e9
"""What a file may take of the computer's memory where nothing else is said; a design of 65,536 hosts takes a fourth."""
MEMORY_VARIABLE = "FABRIC_DESIGNER_FILE_MEMORY"
"""The environment variable that says otherwise, as 4GB."""
BYTES_PER_VALUE = 80
"""What the least of values takes in a list: a design's values take less on the average, but for their text."""

_SNIFFED = 4096
_REPORT_EVERY = 400


class _Header(msgspec.Struct):
    format: Any = None
    version: Any = None


# -- writing --------------------------------------------------------------------------------------------------------


def encode(design: Design, progress: Callable[[float], None] | None = None) -> bytes:
    """The bytes of the design's file: equal designs give equal bytes. Raises SaveError for what no file can hold."""
    return _encoded(DESIGN_FORMAT, design.settings, design.entities(), progress or _unreported)


def encode_fragment(fragment: Fragment) -> str:
    """The text a part of a design is carried in, through the clipboard for one."""
    return _encoded(FRAGMENT_FORMAT, None, fragment.entities(), _unreported).decode()


class ChangedOnDiskError(SaveError):
    """The file to be written over is not the one that was read; `found` is what it is."""

    def __init__(self, message: str, found: FileVersion) -> None:
        super().__init__(message)
        self.found = found


def save(
    design: Design, path: Path | str, over: FileVersion | None = None, announce: Callable[[str], None] | None = None
) -> FileVersion:
    """Write the design's file in one step: it is the old one or the new one whatever happens. Raises SaveError.

    Where `over` is given no other version is written over: that raises ChangedOnDiskError. `announce` hears the digest
    of the new file before it is there.
    """
    path, data = Path(path), encode(design)
    if announce is not None:
        announce(digest(data))

    def allow(target: Path) -> None:
        there = None
        with contextlib.suppress(OSError):  # a file may be there to be written and not to be read
            there = version_at(target) if over is not None else None
        # By its content, whatever its time says: clocks of network drives are coarse, and go wrong.
        if over is not None and there is not None and there.digest not in (over.digest, digest(data)):
            raise ChangedOnDiskError(f"{path.name} was changed on disk since it was read", there)

    return version_of(data, replace_file(path, data, allow))


def _encoded(
    format_: str, settings: Settings | None, entities: Iterable[Entity], reported: Callable[[float], None]
) -> bytes:
    tables: dict[type, list[Entity]] = {record: [] for record in schema.TABLES.values()}
    for entity in entities:
        if not isinstance(entity, Settings):
            tables[type(entity)].append(entity)
    parts = [f'"format": {json.dumps(format_)}, "version": {migrations.VERSION}']
    row = schema.WRITERS[Settings](settings) if settings is not None else {}
    if row:
        parts.append(f'"settings": {line(row, "settings")}')
    n_written, n_all = 0, sum(map(len, tables.values()))
    for table, record in schema.TABLES.items():
        lines: list[str] = []
        ordered = _ordered(tables[record])
        for start in range(0, len(ordered), _REPORT_EVERY):
            lines += _lines(table, record, ordered[start : start + _REPORT_EVERY])
            reported((n_written + len(lines)) / n_all)
        n_written += len(lines)
        if lines:
            parts.append(f'"{table}": [\n' + ",\n".join(lines) + "\n]")
    try:
        data = ("{" + ",\n".join(parts) + "\n}\n").encode()
    except UnicodeEncodeError as error:
        bad = error.object[error.start : error.end]
        raise SaveError(f"the design holds a character that no file can: {bad!r}") from None
    if len(data) > SIZE_MOST:
        size = f"{len(data) / 1e6:,.0f} MB: files over {SIZE_MOST / 1e6:,.0f} MB are not read"
        raise SaveError(f"the design takes {size}")
    if too_much := _memory_fault(data):
        raise SaveError(f"the design as a file {too_much}")
    return data


def _ordered(entities: list[Entity]) -> list[Entity]:
    """In stable id order, as a design's are already."""
    keys = [order_key(entity.id) for entity in entities]
    # Sorting many does not let another thread of Python run meanwhile; looking does.
    if all(key <= after for key, after in pairwise(keys)):
        return entities
    return sorted(entities, key=lambda entity: order_key(entity.id))


def _lines(table: str, record: type, entities: Iterable[Entity]) -> list[str]:
    write = schema.WRITERS[record]
    return [line(write(entity), f"{table} {entity.id!r}") for entity in entities]


def line(row: Mapping[str, Any], where: str) -> str:
    """The row as one line of a file. Raises SaveError naming `where` for numbers that no file can hold."""
    try:
        return _JSON.encode(row)
    except ValueError:
        raise SaveError(f"{where} holds a number that no file can: neither infinity nor NaN can be saved") from None


_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False)


# -- reading --------------------------------------------------------------------------------------------------------


def load(path: Path | str, progress: Callable[[float], None] | None = None, shared: SharedRows | None = None) -> Design:
    """The design in a file. Raises FileFormatError with one sentence that names file and place."""
    path = Path(path)
    design = decode(read(path), path.name, progress, shared)
    design.file_stem = path.stem
    return design


def load_version(
    path: Path, progress: Callable[[float], None] | None = None, shared: SharedRows | None = None
) -> tuple[Design, FileVersion]:
    """The design in a file, and which version of the file that was. Raises FileFormatError."""
    data, found = _read(path)
    version = version_of(data, found)
    design = decode(data, path.name, progress, shared)
    design.file_stem = path.stem
    return design, version


def decode(
    data: bytes,
    name: str = "file",
    progress: Callable[[float], None] | None = None,
    shared: SharedRows | None = None,
) -> Design:
    """The design that the bytes hold. Raises FileFormatError naming `name` and the place; nothing half-read.

    What was read with `shared` before is not read again.
    """
    reported = progress or _unreported
    try:
        reported(0.05)
        settings, tables = _tables(data, DESIGN_FORMAT, shared)
        reported(0.5)
        records = [record for table in tables.values() for record in table]
        stated = schema.read_settings(settings)
        checks.check_settings(stated)
        design = from_entities(records, stated) if shared is None else shared.design(records, stated)
        reported(1.0)
        return design
    except (FileFormatError, EditError) as error:
        raise FileFormatError(_about(name, error)) from None


def _unreported(_fraction: float) -> None:
    pass


def decode_fragment(text: str | bytes) -> Fragment:
    """The part of a design that the text carries. Raises FileFormatError, also where it refers to what is not in it."""
    try:
        data = text.encode() if isinstance(text, str) else text
        _, tables = _tables(data, FRAGMENT_FORMAT)
        from_entities(record for table in tables.values() for record in table)
    except UnicodeEncodeError:
        raise FileFormatError("the clipboard holds no part of a design") from None
    except (FileFormatError, EditError) as error:
        raise FileFormatError(_about("what was copied", error)) from None
    types = (record for table, records in tables.items() if table.endswith("_types") for record in records)
    return Fragment(types=tuple(types), **{table: tuple(tables[table]) for table in _FRAGMENT_TABLES})


_FRAGMENT_TABLES = (
    "groups",
    "racks",
    "devices",
    "modules",
    "links",
    "placements",
    "jobs",
    "annotations",
    "annotation_styles",
    "fixtures",
)


def _about(name: str, error: DesignerError) -> str:
    """The sentence with the file's name in front, on one line whatever the file put into it."""
    joint = ", " if isinstance(error, FaultAt) else " " if isinstance(error, FileFormatError) else ": "
    return one_line(f"{name}{joint}{error}")


def read(path: Path) -> bytes:
    """The file's bytes. Raises FileFormatError where its size, kind or first bytes already say that it is no design."""
    return _read(path)[0]


def _read(path: Path) -> tuple[bytes, os.stat_result]:
    try:
        kind = path.stat()
        if stat.S_ISDIR(kind.st_mode):
            raise FileFormatError(f"{path.name} is a folder, not a file")
        if not stat.S_ISREG(kind.st_mode):
            raise FileFormatError(f"{path.name} is not an ordinary file")
        in_place.finish(path, SIZE_MOST)
        sweep(Path(os.path.realpath(path)))
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            start = file.read(_SNIFFED)
            if start:
                _sniff(start, path.name)
            if found.st_size > SIZE_MOST:
                raise _too_large(path.name, found.st_size)
            rest = file.read(SIZE_MOST)
            if file.read(1):
                raise _too_large(path.name, SIZE_MOST + len(start))
    except OSError as error:
        raise FileFormatError(_unreadable(error, path)) from None
    return start + rest, found


def _sniff(start: bytes, name: str) -> None:
    """Refuse what does not begin like a JSON document; the rest is for the decoder."""
    if not start.removeprefix(_MARK).lstrip(b" \t\r\n").startswith(b"{") and start.strip(b" \t\r\n"):
        raise FileFormatError(f"{name} is not a Fabric Designer file: it does not begin as one")


_MARK = b"\xef\xbb\xbf"
"""Some editors begin UTF-8 files with it."""


def _too_large(name: str, size: int) -> FileFormatError:
    return FileFormatError(f"{name} is {size / 1e6:,.0f} MB: files over {SIZE_MOST / 1e6:,.0f} MB are not read")


def _unreadable(error: OSError, path: Path) -> str:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return f"there is no file {path}"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"you may not read {path}"
    return f"{path.name} could not be read: {(error.strerror or 'the system refused').lower()}"


def _tables(data: bytes, format_: str, shared: SharedRows | None = None) -> tuple[Any, dict[str, list[Any]]]:
    """Settings row and records by table. Raises FileFormatError without the file's name."""
    data = data.removeprefix(_MARK)
    _check_text(data)
    version = _check_header(data, format_)
    document = _document(data, version)
    count = sum(len(getattr(document, table)) for table in schema.TABLES)
    if count > RECORDS_MOST:
        raise FileFormatError(f"holds {count:,} records: more than {RECORDS_MOST:,} are not read")
    checks.check_job_rows(document.jobs)
    suspect = _CONTROL.search(data) is not None
    tables = {table: list(_records(data, table, getattr(document, table), suspect, shared)) for table in schema.TABLES}
    checks.check_tables(tables)
    return document.settings, tables


def _document(data: bytes, version: int, whole: type = schema.LOOSE_DOCUMENT_ROW) -> Any:
    """The rows of a document of that version. Raises FileFormatError."""
    try:
        if version == migrations.VERSION:
            return msgspec.json.decode(data, type=whole)
        if migrations.tables_read_as_they_stand(version):
            found: Any = msgspec.json.decode(data, type=schema.OLD_DOCUMENT_ROW)
            settings = migrations.migrated_settings(msgspec.json.decode(found.settings), version)
            alone: Any = msgspec.convert({"settings": settings}, schema.SETTINGS_ALONE)
            found.settings = alone.settings
            return found
        return msgspec.convert(migrations.migrated(msgspec.json.decode(data)), schema.DOCUMENT_ROW)
    except msgspec.ValidationError as error:
        raise misfit(data, str(error)) from None
    except msgspec.DecodeError as error:
        raise malformed(data, str(error)) from None
    except RecursionError:
        raise FileFormatError("is nested too deeply to be a design") from None


def memory_to_read_bytes(data: bytes) -> float:
    """About how much memory it takes to read a file, without reading it: for its text, and for each value in it."""
    return 3.0 * len(data) + BYTES_PER_VALUE * data.count(b",")


def _memory_fault(data: bytes) -> str:
    """What is wrong with a file that takes more memory than it may, "" where nothing is. Raises FileFormatError."""
    wanted, allowed = memory_to_read_bytes(data), MEMORY_MOST_BYTES
    stated = os.environ.get(MEMORY_VARIABLE)
    if stated:
        try:
            allowed = parse_size(stated)
        except ValueError as error:
            raise FileFormatError(f"cannot be read while {MEMORY_VARIABLE} is {stated!r}: {error}") from None
    if wanted <= allowed:
        return ""
    figures = f"{format_memory(float(f'{wanted:.2g}'))} of memory to read, more than the {format_memory(allowed)}"
    return f"would take about {figures} that it may: set {MEMORY_VARIABLE} to allow more"


def _check_text(data: bytes) -> None:
    if len(data) > SIZE_MOST:
        raise FileFormatError(f"is {len(data) / 1e6:,.0f} MB: more than {SIZE_MOST / 1e6:,.0f} MB are not read")
    if too_much := _memory_fault(data):
        raise FileFormatError(too_much)
    if not data.strip(b" \t\r\n"):
        raise FileFormatError("is empty")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise FaultAt(f"line {line_at(data, error.start)} is not UTF-8 text") from None


def _check_header(data: bytes, format_: str) -> int:
    """The document's version. Raises FileFormatError for what is no such document or too new."""
    try:
        header = msgspec.json.decode(data, type=_Header)
    except msgspec.ValidationError:
        raise FileFormatError("is not a Fabric Designer file: it is JSON of another kind") from None
    except msgspec.DecodeError as error:
        raise malformed(data, str(error)) from None
    except RecursionError:
        raise FileFormatError("is nested too deeply to be a design") from None
    if header.format != format_:
        what = "a Fabric Designer file" if format_ == DESIGN_FORMAT else "a piece of a design"
        raise FileFormatError(f'is not {what}: it does not say "format": "{format_}"')
    version = header.version
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FaultAt("field version: expected a whole number from 1 up")
    if version > migrations.VERSION:
        raise FileFormatError(
            f"was written by a newer version (format {version}; this program reads up to {migrations.VERSION}): "
            "update Fabric Designer"
        )
    _check_tables_once(data)
    return version


def _check_tables_once(data: bytes) -> None:
    """JSON takes the last of two tables of one name; a bad merge would lose the first without a word."""
    for table in schema.TABLES:
        start = b'\n"%s": [' % table.encode()
        first = data.find(start)
        again = data.find(start, first + 1) if first >= 0 else -1
        if again >= 0:
            raise FaultAt(f'line {line_at(data, again) + 1} begins a second table "{table}"')


_CONTROL = re.compile(rb"\\|\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]")
"""An escape, or a control character that JSON takes without one: only then are the texts looked at."""


def _row(data: bytes, table: str, text: msgspec.Raw) -> Any:
    try:
        return schema.ROW_READERS[table](text)
    except (msgspec.MsgspecError, RecursionError) as error:
        _document(data, migrations.VERSION, schema.WHOLE_DOCUMENT_ROW)  # says the same with the place in the whole
        raise misfit(data, str(error)) from None


def _records(data: bytes, table: str, rows: list[Any], suspect: bool, shared: SharedRows | None) -> Iterator[Any]:
    """The records of a table's rows, each checked alone. Rows go one by one: all at once would stall other threads.

    The texts are checked where the file is suspect: where it has characters that a text may not have.
    """
    for index, row in enumerate(rows):
        text = bytes(row) if shared is not None and isinstance(row, msgspec.Raw) else b""
        record = shared.record(table, text) if shared is not None else None
        if record is None:
            record = _checked_record(data, table, index, row, suspect)
        if shared is not None and text:
            shared.keep(table, text, record)
        rows[index] = None
        yield record


def _checked_record(data: bytes, table: str, index: int, row: Any, suspect: bool) -> Any:
    """The record of one row. Raises FileFormatError."""
    record = schema.READERS[table](_row(data, table, row) if isinstance(row, msgspec.Raw) else row)
    try:
        checks.check_record(table, record, texts=suspect)
    except FileFormatError as error:
        raise FaultAt(f"{place_of(data, table, index)}, {error}") from None
    return record
