"""Sheets of a CSV file or a workbook as rows of text, read row by row and within limits."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from designer.exchange.reading.found import ImportFailure
from designer.exchange.reading.limits import LONGEST_TEXT, MOST_COLUMNS, MOST_ROWS
from designer.exchange.reading.texts import clean_cell, read_bytes, text_of
from designer.exchange.reading.workbooks import workbook_sheets

LONGEST_LINE = 1_000_000
DELIMITERS = ",;\t|"

Row = tuple[int, list[str]]
"""Its number in the file, from 1, and its cells."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A sheet; its rows are read once, as far as they are asked for. `title` is "" where the file has only one."""

    title: str
    rows: Iterator[Row]


def read_grids(path: Path) -> Iterator[Grid]:
    """The sheets of a file, one after the other. Raises ImportFailure or OSError."""
    data = read_bytes(path)
    if data.startswith(b"PK"):
        for title, rows in workbook_sheets(data, path.name):
            yield Grid(title, _checked(rows, path.name))
    elif data.startswith(b"\xd0\xcf\x11\xe0"):
        raise ImportFailure(f"{path.name} is a workbook of Excel 97: save it as .xlsx or CSV")
    else:
        yield Grid("", _checked(_csv_rows(text_of(data, path.name), path.name), path.name))


def _checked(rows: Iterator[Row], name: str) -> Iterator[Row]:
    """The rows that say something, their cells cleaned. Raises ImportFailure beyond the limits."""
    for number, cells in rows:
        if number > MOST_ROWS:
            raise ImportFailure(f"{name} has more than {MOST_ROWS:,} rows in a sheet: import it in parts")
        if len(cells) > MOST_COLUMNS:
            raise ImportFailure(f"{name}, row {number}, has more than {MOST_COLUMNS:,} columns: it is no list of links")
        row = [clean_cell(cell[:LONGEST_TEXT]) if cell else "" for cell in cells]
        if any(row):
            yield number, row


def _lines(text: str, name: str) -> Iterator[str]:
    for number, line in enumerate(io.StringIO(text, newline=""), start=1):
        if len(line) > LONGEST_LINE:
            raise ImportFailure(f"{name}, line {number}, has more than {LONGEST_LINE:,} characters: it is no list")
        yield line


def _csv_rows(text: str, name: str) -> Iterator[Row]:
    reader = csv.reader(_lines(text, name), delimiter=_delimiter(text))
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise ImportFailure(f"{name}, line {reader.line_num}, cannot be read as CSV: {error}") from None


def _delimiter(text: str) -> str:
    """What stands most often in the first lines that say something."""
    head = "".join(line for line in text[:20_000].splitlines(keepends=True)[:5])
    return max(DELIMITERS, key=head.count)
