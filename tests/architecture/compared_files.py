"""Where two recordings differ: exit codes, what was printed and written, each kind of file by what it holds.

Numbers of JSON and tables are equal to 1e-9 of their value, those within other texts to 1e-6.
"""

import csv
import difflib
import io
import json
import math
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXACT, OF_TEXT = 1e-9, 1e-6
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])")
MOST_LINES = 6000
"""Longer texts are compared line by line, without a search for lines that were moved."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`before` and `after` are texts; "(nothing)" where there is none."""

    command: str
    file: str
    place: str
    before: str
    after: str


NOTHING = "(nothing)"
Found = Iterator[tuple[str, str, str]]
"""Place, before, after."""


def differences(before: Path, after: Path) -> list[Difference]:
    """All differences between the commands of two recordings, in the order of their names."""
    found = []
    for command in sorted({path.name for folder in (before, after) for path in folder.iterdir()}):
        one, other = before / command, after / command
        if not (one.is_dir() and other.is_dir()):
            found.append(Difference(command, "", "", *("run" if side.is_dir() else NOTHING for side in (one, other))))
            continue
        names = {path.relative_to(side).as_posix() for side in (one, other) for path in side.rglob("*")}
        for name in sorted(names):
            if not ((one / name).is_dir() or (other / name).is_dir()):
                rows = _file_differences(one / name, other / name)
                found += [Difference(command, name, *row) for row in rows]
    return found


def _file_differences(before: Path, after: Path) -> Found:
    if not (before.is_file() and after.is_file()):
        yield "", *("written" if side.is_file() else NOTHING for side in (before, after))
        return
    data = before.read_bytes(), after.read_bytes()
    if data[0] != data[1]:
        yield from data_differences(before.suffix, *data)


def data_differences(suffix: str, before: bytes, after: bytes) -> Found:
    """Where the contents of two files of a kind differ; JSON is noticed by its first character."""
    compare = BY_SUFFIX.get(suffix)
    if compare is not None:
        yield from compare(before, after)
        return
    texts = [_text(data) for data in (before, after)]
    if all(text is None for text in texts):
        yield "", f"{len(before):,} bytes", f"{len(after):,} bytes, not a text"
    elif texts[0] is None or texts[1] is None:
        yield "", *("not a text" if text is None else "a text" for text in texts)
    else:
        yield from _told_differences(texts[0], texts[1])


def _told_differences(before: str, after: str) -> Found:
    if before[:1] in ("{", "[") and after[:1] in ("{", "["):
        try:
            values = json.loads(before), json.loads(after)
        except ValueError:
            pass
        else:
            yield from json_differences(*values)
            return
    yield from text_differences(before, after)


def json_differences(before: Any, after: Any, place: str = "") -> Found:
    """By place, as links[3].bytes; keys in another order are no difference."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            at = f"{place}.{key}" if place else key
            if key in before and key in after:
                yield from json_differences(before[key], after[key], at)
            else:
                yield at, *(json.dumps(side[key]) if key in side else NOTHING for side in (before, after))
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield f"{place}, how many", str(len(before)), str(len(after))
        for number, (one, other) in enumerate(zip(before, after, strict=False)):
            yield from json_differences(one, other, f"{place}[{number}]")
    elif not _same_value(before, after):
        yield place, json.dumps(before, ensure_ascii=False), json.dumps(after, ensure_ascii=False)


def _same_value(before: Any, after: Any) -> bool:
    if isinstance(before, bool) or isinstance(after, bool):
        return before is after
    if isinstance(before, int | float) and isinstance(after, int | float):
        return before == after or math.isclose(before, after, rel_tol=EXACT, abs_tol=1e-15)
    return type(before) is type(after) and bool(before == after)


def csv_differences(before: bytes, after: bytes) -> Found:
    """Cell by cell; also the mark at the beginning that some programs want."""
    texts = [data.decode("utf-8", "replace") for data in (before, after)]
    yield from _table_differences(*(list(csv.reader(io.StringIO(text, newline=""))) for text in texts))


def _table_differences(before: list[list[Any]], after: list[list[Any]], name: str = "") -> Found:
    if len(before) != len(after):
        yield f"{name}rows", str(len(before)), str(len(after))
    for row, (one, other) in enumerate(zip(before, after, strict=False), start=1):
        if len(one) != len(other):
            yield f"{name}row {row}, cells", str(len(one)), str(len(other))
        for column, (cell, its) in enumerate(zip(one, other, strict=False), start=1):
            if not _same_value(_as_number(cell), _as_number(its)):
                yield f"{name}row {row}, column {column}", str(cell), str(its)


def _as_number(cell: Any) -> Any:
    if isinstance(cell, str) and NUMBER.fullmatch(cell):
        return float(cell.replace(",", ""))
    return cell


def text_differences(before: str, after: str) -> Found:
    """By line; lines that differ next to each other are one difference."""
    one, other = before.splitlines(), after.splitlines()
    same = 0
    while same < min(len(one), len(other)) and same_line(one[same], other[same]):
        same += 1
    one, other = one[same:], other[same:]
    if len(one) == len(other) or max(len(one), len(other)) > MOST_LINES:
        longest = max(len(one), len(other))
        padded = (side + [NOTHING] * (longest - len(side)) for side in (one, other))
        blocks = [(number, [a], [b]) for number, (a, b) in enumerate(zip(*padded, strict=True))]
    else:
        steps = difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
        blocks = [(i, one[i:j], other[k:m]) for step, i, j, k, m in steps if step != "equal"]
    for number, lines, its in blocks:
        if len(lines) != len(its) or not all(map(same_line, lines, its)):
            yield f"line {same + number + 1}", "\n".join(lines) or NOTHING, "\n".join(its) or NOTHING


def same_line(before: str, after: str) -> bool:
    """Whether the words are the same and the numbers equal to 1e-6."""
    if before == after:
        return True
    if NUMBER.split(before) != NUMBER.split(after):
        return False
    pairs = zip(NUMBER.findall(before), NUMBER.findall(after), strict=True)
    numbers = ([float(text.replace(",", "")) for text in pair] for pair in pairs)
    return all(math.isclose(one, other, rel_tol=OF_TEXT, abs_tol=OF_TEXT) for one, other in numbers)


def workbook_differences(before: bytes, after: bytes) -> Found:
    """Sheets, and cells with the formats of their numbers."""
    books = [_sheets(data) for data in (before, after)]
    if list(books[0]) != list(books[1]):
        yield "sheets", *(", ".join(book) for book in books)
    for name in books[0].keys() & books[1].keys():
        yield from _table_differences(books[0][name], books[1][name], f"{name}, ")


def _sheets(data: bytes) -> dict[str, list[list[Any]]]:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data))
    sheets: dict[str, list[list[Any]]] = {}
    for sheet in book.worksheets:
        sheets[sheet.title] = [
            [cell.value if cell.number_format == "General" else f"{cell.value} ({cell.number_format})" for cell in row]
            for row in sheet.iter_rows()
        ]
    return sheets


def archive_differences(before: bytes, after: bytes) -> Found:
    """Files that are packed together, each by what it holds."""
    packed = [zipfile.ZipFile(io.BytesIO(data)) for data in (before, after)]
    names = [archive.namelist() for archive in packed]
    for name in dict.fromkeys((*names[0], *names[1])):
        if not all(name in listed for listed in names):
            yield name, *("packed" if name in listed else NOTHING for listed in names)
            continue
        one, other = (archive.read(name) for archive in packed)
        if one != other:
            rows = data_differences(Path(name).suffix, one, other)
            yield from ((f"{name}, {place}", *sides) for place, *sides in rows)


_OF_THIS_FILE = re.compile(
    rb"/(?:CreationDate|ModDate) *\([^)]*\)|xmp:\w+Date=\"[^\"]*\"|uuid:[-0-9a-f]+|/Length1? \d+"
)
_OFFSETS = re.compile(rb"^(?:\d{10} \d{5} [nf] ?|/ID \[.*|<[0-9A-Fa-f]{32}>.*|startxref|\d+)$")


def pdf_differences(before: bytes, after: bytes) -> Found:
    """Lines of the objects and of what is compressed in them; not dates, marks of the file, lengths and offsets."""
    yield from text_differences(_pdf_text(before), _pdf_text(after))


def _pdf_text(data: bytes) -> str:
    parts, end = [], 0
    for stream in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        parts.append(data[end : stream.start()])
        try:
            content = zlib.decompressobj().decompress(stream[1])
        except zlib.error:
            content = stream[1]
        binary = b"\0" in content
        parts.append(b"digest %08x" % zlib.crc32(content) if binary else content)
        end = stream.end()
    parts.append(data[end:])
    lines = _OF_THIS_FILE.sub(b"", b"\n".join(parts)).splitlines()
    return b"\n".join(line for line in lines if not _OFFSETS.match(line.strip())).decode("latin-1")


def picture_differences(before: bytes, after: bytes) -> Found:
    """The size, or how many pixels have other colors."""
    import numpy as np

    one, other = (_pixels(data) for data in (before, after))
    if one.shape != other.shape:
        yield "size", *(f"{side.shape[1]} x {side.shape[0]} pixels" for side in (one, other))
    elif not np.array_equal(one, other):
        wrong = np.argwhere((one != other).any(axis=2))
        yield "pixels", "equal", f"{len(wrong):,} of another color, the first at x {wrong[0][1]}, y {wrong[0][0]}"


def _pixels(data: bytes) -> Any:
    import numpy as np
    from PySide6.QtGui import QImage

    image = QImage.fromData(data).convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()


BY_SUFFIX: dict[str, Callable[[bytes, bytes], Found]] = {
    ".csv": csv_differences,
    ".xlsx": workbook_differences,
    ".zip": archive_differences,
    ".pdf": pdf_differences,
    ".png": picture_differences,
}
"""Kinds that are neither JSON nor plain text."""


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
