"""The cable plan as a workbook: the same rows, with the header kept in sight and a filter on every column."""

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, Cell, WriteOnlyCell
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from designer.errors import ExportError
from designer.exchange.cable_plan import COLUMNS, CableRow, cells_of
from designer.process import Temporary
from designer.tables.cells import harmless

SHEET_TITLE = "Cable plan"
OPEN_POINTS_TITLE = "Open points"
OPEN_POINTS_COLUMNS = ("Open point", "Reason", "Links", "First link")
NOTHING_OPEN = ("none", "every link has its length, its cable and its part numbers", 0, "")
MOST_ROWS = 1_048_575
"""Rows of a sheet below its header."""
MOST_WIDTH, MOST_WIDTH_OF_REASONS = 48, 72
"""Of a column, in characters; reasons are sentences."""
MEASURED_ROWS = 2_000
"""Column widths follow the first rows; measuring all would not change them."""


def write_workbook(rows: Sequence[CableRow], path: Path, open_points: Sequence[tuple[str, str, int, str]] = ()) -> None:
    """Write the rows as one sheet, and what is open as another. Raises ExportError for more rows than a sheet holds."""
    if len(rows) > MOST_ROWS:
        raise ExportError(f"a sheet holds {MOST_ROWS:,} cables, the design has {len(rows):,}: export CSV instead")
    book = Workbook(write_only=True)
    sheet = book.create_sheet(SHEET_TITLE)
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(COLUMNS))}{len(rows) + 1}"
    _begin(sheet, COLUMNS, map(cells_of, rows[:MEASURED_ROWS]), MOST_WIDTH)
    points = book.create_sheet(OPEN_POINTS_TITLE)
    _fill_open_points(points, open_points)
    # The files in which openpyxl collects the rows.
    with Temporary(sheet._writer.out), Temporary(points._writer.out):
        try:
            for row in rows:
                sheet.append([_cell(value) for value in cells_of(row)])
            book.save(path)
        except OSError:
            for one in (sheet, points):
                with contextlib.suppress(OSError):
                    one.close()  # it would be said when it is collected, with a traceback
            raise


def _fill_open_points(sheet: Any, open_points: Sequence[tuple[str, str, int, str]]) -> None:
    rows = open_points or [NOTHING_OPEN]
    _begin(sheet, OPEN_POINTS_COLUMNS, rows, MOST_WIDTH_OF_REASONS)
    for row in rows:
        sheet.append([_cell(value) for value in row])


def _begin(sheet: Any, titles: Sequence[str], rows: Iterable[Sequence[str | float | None]], most: int) -> None:
    """Append the header, which stays in sight, above columns as wide as their entries in these rows, within limits."""
    longest = [len(title) + 3 for title in titles]  # room for the filter's arrow
    for row in rows:
        for number, value in enumerate(row):
            longest[number] = max(longest[number], len(str(value)) + 1 if value is not None else 0)
    sheet.freeze_panes = "A2"
    for number, length in enumerate(longest, start=1):
        sheet.column_dimensions[get_column_letter(number)].width = float(min(length, most))
    sheet.append([_heading(sheet, title) for title in titles])


def _heading(sheet: WriteOnlyWorksheet, title: str) -> Cell:
    cell = WriteOnlyCell(sheet, value=title)
    cell.font = Font(bold=True)
    cell.fill = PatternFill("solid", fgColor="DDE3EA")
    return cell


def _cell(value: str | float | None) -> str | float | None:
    """Numbers stay numbers; text loses what a workbook cannot hold and never becomes a formula."""
    if isinstance(value, str):
        return harmless(ILLEGAL_CHARACTERS_RE.sub("", value)) or None
    return value
