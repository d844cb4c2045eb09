"""What a hand-over file will hold, to be looked at before it is written: pages, tables or text."""

import csv
import io
import json
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from designer.drawing.pages import Page
from designer.exchange.exporter import Exporter
from designer.exchange.options import Progress, unheard
from designer.exchange.workbook_cells import letters
from designer.late import Late
from designer.model.design import Design
from designer.process import Temporary
from designer.units import format_count, format_size

openpyxl = Late("openpyxl")

DRAWN = (".pdf", ".svg", ".dxf")
"""Kinds of file that are shown by their pages."""
MOST_ROWS, MOST_SHEETS = 200, 60
"""Rows of a table, and tables of a workbook, that are read back."""
MOST_LETTERS = 100_000
"""Of a text."""

Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreviewTable:
    """The first rows of a table under its headings, all as text."""

    title: str
    headings: Cells
    rows: tuple[Cells, ...]
    n_rows: int | None = None
    """All that there are, below the headings; None where that was not counted."""

    @property
    def summary(self) -> str:
        """ "2,040 rows, the first 200 of them shown"."""
        if self.n_rows == len(self.rows):
            return "1 row" if len(self.rows) == 1 else f"{format_count(len(self.rows))} rows"
        first = format_count(len(self.rows))
        if self.n_rows is None:
            return f"The first {first} rows are shown"
        return f"{format_count(self.n_rows)} rows; the first {first} are shown"


@dataclass(frozen=True, slots=True)
class Preview:
    """Pages, tables, an image or a text: whichever the file has. `note` says what else there is to know."""

    pages: Sequence[Page] = ()
    tables: tuple[PreviewTable, ...] = ()
    image: bytes = b""
    text: str = ""
    note: str = ""


def preview(
    exporter: Exporter, design: Design, options: Any, suffix: str = "", progress: Progress = unheard
) -> Preview:
    """What the exporter would write with these options, and with that suffix where it has several.

    Raises what `Exporter.write` raises.
    """
    if exporter.pages is not None and (suffix or exporter.suffix) in DRAWN:
        return Preview(pages=exporter.pages(design, options, progress))
    with tempfile.TemporaryDirectory(prefix="fabric-designer-") as folder, Temporary(folder):
        path = Path(folder) / f"preview{suffix or exporter.suffix}"
        exporter.write(design, path, options, progress)
        return preview_of(path)


def preview_of(path: Path) -> Preview:
    """What stands in a file that the program has written, by its suffix."""
    data, note = path.read_bytes(), format_size(path.stat().st_size)
    match path.suffix:
        case ".csv" | ".tsv":
            return Preview(tables=(_delimited(data, path.suffix),), note=note)
        case ".xlsx":
            return Preview(tables=_sheets(data), note=note)
        case ".zip":
            return Preview(tables=(_files(data),), note=note)
        case ".png":
            return Preview(image=data, note=note)
        case ".json":
            return Preview(text=_indented(data), note=note)
    return Preview(text=_text(data), note=note)


def _delimited(data: bytes, suffix: str) -> PreviewTable:
    lines = csv.reader(io.StringIO(data.decode("utf-8-sig", errors="replace"), newline=""), _DIALECTS[suffix])
    headings = tuple(next(lines, ()))
    rows = tuple(tuple(row) for row in islice(lines, MOST_ROWS))
    return PreviewTable("", headings, rows, len(rows) + sum(1 for _ in lines))


_DIALECTS = {".csv": csv.excel, ".tsv": csv.excel_tab}


def _sheets(data: bytes) -> tuple[PreviewTable, ...]:
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    try:
        return tuple(_sheet(sheet) for sheet in book.worksheets[:MOST_SHEETS])
    finally:
        book.close()


def _sheet(sheet: Any) -> PreviewTable:
    """A sheet whose first row names every column has that as headings; else they are the letters of the columns."""
    rows = tuple(_cells(row) for row in islice(sheet.iter_rows(values_only=True), MOST_ROWS + 1))
    width = max(map(len, rows), default=0)
    rows = tuple(row + ("",) * (width - len(row)) for row in rows)
    headings, title = (rows[0] if rows else ()), str(sheet.title)
    total = len(rows) if len(rows) <= MOST_ROWS else sheet.max_row
    if all(headings):
        return PreviewTable(title, headings, rows[1:], None if total is None else max(0, total - 1))
    return PreviewTable(title, tuple(map(letters, range(1, width + 1))), rows[:MOST_ROWS], total)


def _cells(row: Sequence[Any]) -> Cells:
    return tuple("" if value is None else f"{value:.12g}" if isinstance(value, float) else str(value) for value in row)


def _files(data: bytes) -> PreviewTable:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = tuple((one.filename, format_size(one.file_size)) for one in archive.infolist())
    return PreviewTable("", ("File", "Size"), files[:MOST_ROWS], len(files))


def _indented(data: bytes) -> str:
    if len(data) > MOST_LETTERS:
        return _text(data)
    return json.dumps(json.loads(data), indent=2, ensure_ascii=False)


def _text(data: bytes) -> str:
    """The beginning of a text; "" of what is none."""
    start = data[:MOST_LETTERS]
    if b"\0" in start:
        return ""
    return start.decode("utf-8", errors="replace") + ("\n…" if len(data) > len(start) else "")
