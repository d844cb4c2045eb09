"""Workbooks (.xlsx) of strangers: sheets as rows of text, streamed, without formulas, entities or bombs."""

import contextlib
import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any
from xml.etree.ElementTree import Element, ParseError, XMLPullParser
from xml.parsers import expat

from designer.exchange.reading.found import ImportFailure
from designer.exchange.reading.limits import (
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_MEMBERS,
    MOST_RATIO,
    MOST_UNPACKED_BYTES,
    SMALL_BYTES,
)

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_ID = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_CHUNK = 1 << 16
MOST_OTHERS = 200_000
"""Elements after the last one that is wanted."""

Sheet = tuple[str, Iterator[tuple[int, list[str]]]]


def workbook_sheets(data: bytes, name: str) -> Iterator[Sheet]:
    """Title and rows of each sheet, in the order of the workbook. Raises ImportFailure."""
    with _refusing(name), zipfile.ZipFile(io.BytesIO(data)) as archive:
        book = _Book(archive, name)
        for title, place in book.sheets():
            yield title, book.rows(place)


@contextlib.contextmanager
def _refusing(name: str) -> Iterator[None]:
    """Whatever a damaged archive or part raises, as a sentence."""
    try:
        yield
    except ImportFailure:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ImportFailure(f"{name} is damaged or locked: save it again as .xlsx without a password") from error
    except (ParseError, expat.ExpatError, ValueError, LookupError) as error:
        raise ImportFailure(f"{name} cannot be read as a workbook: save it again as .xlsx") from error


class _Book:
    """A workbook's parts; what is unpacked is counted, all parts together."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive, self._name = archive, name
        self._unpacked = self._cells = 0
        self._texts: list[str] | None = None
        self._columns: dict[str, int] = {}
        if len(archive.infolist()) > MOST_MEMBERS:
            raise ImportFailure(f"{name} has more than {MOST_MEMBERS:,} parts: it is no workbook of links")

    def sheets(self) -> Iterator[tuple[str, str]]:
        """Title and place of each sheet. Raises ImportFailure where the archive is no workbook."""
        targets = {}
        for relation in self._elements("xl/_rels/workbook.xml.rels", "Relationship"):
            target = relation.get("Target", "")
            targets[relation.get("Id", "")] = posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")
        for sheet in self._elements("xl/workbook.xml", "sheet"):
            place = targets.get(sheet.get(_ID) or sheet.get(_STRICT_ID) or "", "")
            if "worksheets" in place:
                yield sheet.get("name", ""), place

    def rows(self, place: str) -> Iterator[tuple[int, list[str]]]:
        """Number and cells of each row that is in the file. Raises ImportFailure."""
        with _refusing(self._name):
            texts, last = self._shared(), 0
            for row in self._elements(place, "row"):
                stated = row.get("r", "")
                last = int(stated) if stated.isdecimal() and len(stated) < 8 else last + 1
                yield last, self._row(row, texts)

    def _row(self, row: Element, texts: list[str]) -> list[str]:
        cells: list[str] = []
        for cell in row:
            place = cell.get("r", "")
            column = self._column(place) if place else len(cells)
            self._cells += 1
            if column >= MOST_COLUMNS:
                continue
            while len(cells) <= column:
                cells.append("")
            cells[column] = _text(cell, texts)
        if self._cells > MOST_CELLS:
            raise ImportFailure(f"{self._name} has more than {MOST_CELLS:,} cells: import it in parts")
        return cells

    def _column(self, place: str) -> int:
        """0 of "A7", 27 of "AB7"; beyond all limits for what is no place."""
        letters = place.rstrip("0123456789")
        found = self._columns.get(letters)
        if found is None:
            number = 0
            for letter in letters[:4]:
                number = number * 26 + (ord(letter.upper()) - ord("A") + 1 if letter.isalpha() else MOST_COLUMNS)
            found = self._columns[letters] = number - 1 if 0 < number <= MOST_COLUMNS else MOST_COLUMNS
        return found

    def _shared(self) -> list[str]:
        """The texts that cells point to."""
        if self._texts is None:
            place = "xl/sharedStrings.xml"
            is_there = place in self._archive.namelist()
            found = self._elements(place, "si") if is_there else iter(())
            self._texts = [_joined(one) for one in found]
        return self._texts

    def _elements(self, place: str, tag: str) -> Iterator[Element]:
        """The elements of that tag, whole, as they are read."""
        try:
            part = self._archive.open(place)
        except KeyError:
            raise ImportFailure(f"{self._name} is not a workbook: it has no part {place}") from None
        names = {_MAIN + tag, _STRICT + tag, f"{{http://schemas.openxmlformats.org/package/2006/relationships}}{tag}"}
        parser: XMLPullParser[Any] = XMLPullParser(("end",))
        others = 0
        with part:
            for chunk in self._chunks(part, place):
                parser.feed(chunk)
                for event in parser.read_events():
                    element: Element = event[-1]  # type: ignore[assignment]
                    others += 1
                    if element.tag in names:
                        yield element
                        element.clear()
                        others = 0
                if others > MOST_OTHERS:
                    raise ImportFailure(f"{self._name}, part {place}, holds no table: save it again as .xlsx")
        parser.close()

    def _chunks(self, part: IO[bytes], place: str) -> Iterator[bytes]:
        """The part's bytes, after a parser that knows no document types has seen them."""
        guard = expat.ParserCreate()
        guard.StartDoctypeDeclHandler = self._refuse
        packed, unpacked = self._archive.getinfo(place).compress_size, 0
        while chunk := part.read(_CHUNK):
            unpacked += len(chunk)
            self._unpacked += len(chunk)
            is_bomb = unpacked > SMALL_BYTES and unpacked > MOST_RATIO * packed
            if is_bomb or self._unpacked > MOST_UNPACKED_BYTES:
                raise ImportFailure(f"{self._name} unpacks to far more than a workbook of links holds: do not open it")
            guard.Parse(chunk, False)
            yield chunk

    def _refuse(self, *_stated: object) -> None:
        raise ImportFailure(f"{self._name} defines XML entities, as no workbook does: save it again as .xlsx")


def _text(cell: Element, texts: list[str]) -> str:
    """What a cell shows; of a formula its last result."""
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _joined(cell)
    value = next((child.text or "" for child in cell if child.tag.endswith("}v")), "")
    if kind == "s":
        index = int(value) if value.isdecimal() and len(value) < 10 else -1
        return texts[index] if 0 <= index < len(texts) else ""
    if kind == "n" and value.endswith(".0"):
        return value[:-2]
    return value


def _joined(element: Element) -> str:
    """The text of an element's runs, without phonetic hints."""
    if len(element) == 1 and element[0].tag.endswith("}t"):
        return element[0].text or ""
    parts = []
    for child in element:
        if child.tag.endswith(("}r", "}is")):
            parts.append(_joined(child))
        elif child.tag.endswith("}t"):
            parts.append(child.text or "")
    return "".join(parts)
