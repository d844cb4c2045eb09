"""Workbooks: sheets of tables as XLSX, made for the screen and for paper, the same bytes for the same tables.

The headings stay in sight and have a filter. Paper is landscape, as wide as the sheet, with the headings on each page;
columns that would make its letters too small to read are folded away.
"""

import math
import textwrap
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from types import NoneType
from typing import Any

from designer.drawing.text import width_of
from designer.errors import ExportError
from designer.exchange import workbook_parts as parts
from designer.exchange.archives import member
from designer.exchange.options import Progress, unheard
from designer.exchange.workbook_cells import PLAIN, Cells, Formula, Marked, Style, Value, letters
from designer.exchange.workbook_parts import BookFacts
from designer.tables.table import ResultTable

MOST_ROWS = 1_048_576
"""Rows of a sheet."""
MOST_WIDTH, MOST_WIDTH_OF_SENTENCES = 48, 72
"""Of a column, in characters."""
ROOM = "_)"
"""Of a format: room for a closing bracket, so that a figure keeps away from the text of the next column."""
COUNT, TENTHS, AMOUNT = f"#,##0{ROOM}", f"#,##0.0{ROOM}", f"#,##0.00{ROOM}"
FIGURE, SHARE = f"General{ROOM}", f"0.0%{ROOM}"
LENGTH = f"#,##0.0##{ROOM}"
"""Formats: 1,234; 1,234.0; 1,234.00; a figure as it is; 12.5%."""
INDENT_WIDTH = 2
"""What a heading that ends flush with figures takes more."""
LEAST_LETTERS = 7.2
"""Points: a sheet is not shrunk further to fit its paper while it has a column to fold away."""
DIGIT_EM, WIDE_DIGIT_EM = 0.556, 0.635
"""Width of a digit, the unit of column widths: in the workbook's font, and in the one that texts are measured in."""
MOST_HEADING_LINES = 2
MEASURED_ROWS = 2_000
"""Column widths follow the first rows; measuring all would not change them."""
ARROW_WIDTH = 3
"""What the arrow of the filter takes next to a heading, in characters."""
BOLD_WIDTH = 2
"""What a heading without one takes more than its characters do."""
MODE = 0o600
ZIP64_CELLS = 20_000_000
"""From where on a sheet may be longer than 2 GiB before it is packed."""


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column: its heading in words with the unit, and how its numbers are written; "" for as they are.

    Formats are those of COUNT, TENTHS, AMOUNT, FIGURE, SHARE and LENGTH. A heading may have line breaks.
    """

    title: str
    format: str = ""
    widest: int = MOST_WIDTH
    """Of its entries, in characters: what is longer goes on in the next line where the column wraps."""
    wraps: bool = False
    is_collapsed: bool = False
    """Folded away, on paper too, until somebody opens it with a click."""
    fold: int = 0
    """From 1: the order in which columns are folded away where the paper has no room for all; 0 is never."""


@dataclass(frozen=True, slots=True)
class Block:
    """Rows under headings, or without any where there are no titles; `title` stands above them."""

    columns: Sequence[SheetColumn]
    rows: Sequence[Sequence[Value]]
    title: str = ""
    totals: Sequence[Sequence[Value]] = ()
    """Rows below the others after an empty one, which no filter hides and no sorting moves."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet. A single block without a title has its headings frozen, filtered and repeated on paper.

    Several stand below each other, with a line between. `title` may be any text: it is made one that
    a workbook accepts.
    """

    title: str
    blocks: tuple[Block, ...]
    note: str = ""
    """A line below all blocks, about every row."""

    @property
    def table(self) -> Block | None:
        """The block of a sheet that is one table; None where it is a page of several."""
        only = self.blocks[0] if len(self.blocks) == 1 else None
        return only if only is not None and not only.title and _has_headings(only) else None


def columns_of(*titles: str, widest: int = MOST_WIDTH) -> tuple[SheetColumn, ...]:
    """Columns of these headings without a format of their own."""
    return tuple(SheetColumn(title, widest=widest) for title in titles)


def block_of(table: ResultTable, title: str = "") -> Block:
    """A result table as a block: its headings with a capital, its cells as spreadsheets have them, with formats."""
    rows = table.values
    cells = zip(*rows, strict=True) if rows else repeat(())
    titles = (heading[:1].upper() + heading[1:] for heading in table.headings)
    columns = [SheetColumn(title, _format_of(found)) for title, found in zip(titles, cells, strict=False)]
    return Block(columns, [[_plain(value) for value in row] for row in rows], title)


def _format_of(cells: Sequence[Any]) -> str:
    """How a column is written that has figures and no format of its own: amounts, counts, or as they are."""
    figures = {type(value) for value in cells} - {str, bool, NoneType}
    if Decimal in figures:
        return AMOUNT
    return "" if not figures else COUNT if figures == {int} else FIGURE


def _plain(value: Any) -> Value:
    return float(value) if isinstance(value, Decimal) else value


NO_FACTS = BookFacts()


def write_book(path: Path, sheets: Sequence[Sheet], facts: BookFacts = NO_FACTS, progress: Progress = unheard) -> None:
    """Write the sheets as one workbook.

    Raises ExportError for more rows than a sheet holds, OSError where the file cannot be written, and what `progress`
    raises, which hears the share done.
    """
    n_rows = sum(len(block.rows) + 1 for sheet in sheets for block in sheet.blocks)
    n_written = 0
    for sheet in sheets:
        _require_room(sheet)
    titles = parts.sheet_titles(sheet.title for sheet in sheets)
    cells = Cells(dict(zip((sheet.title for sheet in sheets), titles, strict=True)))
    with zipfile.ZipFile(path, "w") as book:
        for number, (sheet, title) in enumerate(zip(sheets, titles, strict=True), start=1):
            n_cells = sum(len(block.rows) * len(block.columns) for block in sheet.blocks)
            entry = member(f"xl/worksheets/sheet{number}.xml", MODE)
            with book.open(entry, "w", force_zip64=n_cells > ZIP64_CELLS) as out:
                for piece in _in_pieces(_sheet_lines(sheet, title, cells, facts, is_first=number == 1)):
                    out.write(piece)
                    progress(n_written / n_rows)
            n_written += sum(len(block.rows) + 1 for block in sheet.blocks)
        for name, text in parts.frame(titles, [_filter_of(sheet) for sheet in sheets], facts).items():
            book.writestr(member(name, MODE), text)
        book.writestr(member("xl/sharedStrings.xml", MODE), cells.shared_strings())
        book.writestr(member("xl/styles.xml", MODE), cells.styles())


def _in_pieces(lines: Iterable[str], size: int = 1 << 18) -> Iterator[bytes]:
    """The lines joined to pieces worth compressing at a time."""
    held, length = [], 0
    for line in lines:
        held.append(line)
        length += len(line)
        if length >= size:
            yield "".join(held).encode()
            held, length = [], 0
    yield "".join(held).encode()


def _has_headings(block: Block) -> bool:
    return any(column.title for column in block.columns)


def _require_room(sheet: Sheet) -> None:
    n_rows = sum(len(block.rows) + _has_headings(block) + bool(block.title) + 1 for block in sheet.blocks)
    n_rows += sum(len(block.totals) + 1 for block in sheet.blocks if block.totals)
    n_rows -= not sheet.note
    if n_rows > MOST_ROWS:
        raise ExportError(f"a sheet holds {MOST_ROWS:,} rows, {sheet.title!r} has {n_rows:,}: export CSV instead")


def _filter_of(sheet: Sheet) -> str:
    """The cells that the filter of a sheet spans, "" where it has none."""
    table = sheet.table
    return f"$A$1:${letters(len(table.columns))}${len(table.rows) + 1}" if table is not None else ""


def _sheet_lines(sheet: Sheet, title: str, cells: Cells, facts: BookFacts, *, is_first: bool) -> Iterator[str]:
    """A sheet's XML, in the order that the format wants its parts in."""
    jumps: list[str] = []
    yield parts.sheet_head(is_frozen=sheet.table is not None, is_first=is_first)
    widths = _widths(sheet)
    collapsed = _folded(sheet, widths, facts)
    yield parts.column_widths(widths, collapsed)
    yield "<sheetData>"
    row = 1
    for block in sheet.blocks:
        if block.title:
            yield cells.line(row, [Marked(block.title, is_bold=True, size=12)], [PLAIN], jumps)
            row += 1
        if _has_headings(block):
            columns = block.columns
            n_lines = _heading_lines(columns, widths) if sheet.table is not None else 1
            yield cells.headings(row, [one.title for one in columns], [bool(one.format) for one in columns], n_lines)
            row += 1
        wrapping = [number for number, column in enumerate(block.columns) if column.wraps]
        styles = [
            cells.style(Style(one.format, one.wraps, is_at_top=bool(wrapping), is_right=bool(one.format)))
            for one in block.columns
        ]
        for values in block.rows:
            yield cells.line(row, values, styles, jumps, _n_lines(values, wrapping, widths) if wrapping else 1)
            row += 1
        row += 1
        for values in block.totals:
            yield cells.line(row, values, styles, jumps)
            row += 1
        row += bool(block.totals)
    if sheet.note:
        yield cells.line(row, [Marked(sheet.note, is_bold=True)], [PLAIN], jumps)
    yield "</sheetData>"
    yield parts.sheet_tail(title, _filter_of(sheet).replace("$", ""), jumps, facts)


def _widths(sheet: Sheet) -> list[float]:
    """Of each column what its headings and first entries need; texts up to the widest that their block allows."""
    found: list[float] = []
    for block in sheet.blocks:
        longest = [_heading_width(column, is_table=sheet.table is not None) for column in block.columns]
        for row in (*block.rows[:MEASURED_ROWS], *block.totals):
            for number, (column, value) in enumerate(zip(block.columns, row, strict=False)):
                length = _length(value, column.format)
                if length > longest[number]:
                    longest[number] = max(longest[number], min(length, column.widest) if _is_text(value) else length)
        found += [0.0] * (len(longest) - len(found))
        for number, length in enumerate(longest):
            found[number] = max(found[number], float(length))
    return found


def _heading_width(column: SheetColumn, *, is_table: bool) -> int:
    """What a heading needs: in a table it goes on in the next line, at most so many, and no word is cut."""
    lines = column.title.split("\n")
    width = max(map(len, lines))
    if is_table and len(lines) == 1 and width:
        longest_word = max(map(len, column.title.split()))
        width = next(
            n for n in range(longest_word, width + 1) if len(textwrap.wrap(column.title, n)) <= MOST_HEADING_LINES
        )
    return width + (ARROW_WIDTH if is_table else BOLD_WIDTH) + (INDENT_WIDTH if column.format else 0)


def _heading_lines(columns: Sequence[SheetColumn], widths: Sequence[float]) -> int:
    """Lines of the highest heading of a table."""
    n_lines = 1
    for column, wide in zip(columns, widths, strict=False):
        room = int(wide) - ARROW_WIDTH - (INDENT_WIDTH if column.format else 0)
        parts_ = column.title.split("\n")
        n_lines = max(n_lines, sum(len(textwrap.wrap(part, max(1, room))) for part in parts_))
    return n_lines


def _folded(sheet: Sheet, widths: Sequence[float], facts: BookFacts) -> set[int]:
    """The columns that are folded away: those that are to be, and of the others as many as the paper lacks room for."""
    found = {number for block in sheet.blocks for number, one in enumerate(block.columns) if one.is_collapsed}
    if sheet.table is not None:
        columns = sheet.table.columns
        left = sum(width for number, width in enumerate(widths) if number not in found) - room_on_paper(facts.paper)
        foldable = (number for number, one in enumerate(columns) if one.fold and number not in found)
        for number in sorted(foldable, key=lambda number: columns[number].fold):
            if left <= 0:
                break
            found.add(number)
            left -= widths[number]
    return found


def room_on_paper(paper: str) -> float:
    """How wide a sheet may be, in characters, for its letters to be readable on that paper."""
    wide_pt = parts.WIDTHS_PT[paper] - 2 * 72 * parts.SIDE_MARGIN_IN
    return wide_pt / (DIGIT_EM * LEAST_LETTERS)


def entry_width(value: Value) -> int:
    """How wide a column has to be for an entry without a format, in characters."""
    return _length(value, "")


def _is_text(value: Value) -> bool:
    """Whether a narrow column shows some of it: of a number it would show none."""
    return isinstance(value.value if isinstance(value, Marked) else value, str)


def _n_lines(values: Sequence[Value], wrapping: Sequence[int], widths: Sequence[float]) -> int:
    """Lines that a row needs where those columns wrap: programs differ in whether they find that out."""
    n_lines = 1
    for number in wrapping:
        text, width = values[number] if number < len(values) else None, max(1, int(widths[number]))
        if isinstance(text, str) and len(text) > width:  # wrapping every short text would take a third of the time
            n_lines = max(n_lines, len(textwrap.wrap(text, width)))
    return n_lines


def _length(value: Value, format_: str) -> int:
    """Characters of an entry and one more, of a number in a format what keeps it away from the next column."""
    if isinstance(value, Marked):
        return _length(value.value, value.format or format_) + (BOLD_WIDTH if value.is_bold else 0)
    if isinstance(value, Formula):
        return _length(value.value, format_)
    if value is None:
        return 0
    if isinstance(value, int | float) and format_:
        return len(_written(float(value), format_)) + 1 + INDENT_WIDTH
    return _text_width(value if isinstance(value, str) else str(value)) + 1


@lru_cache(200_000)  # a design says the same again and again
def _text_width(text: str) -> int:
    """Characters that a text takes the place of: capitals are wider than digits."""
    if text.islower() and text.isascii():
        return len(text)
    return max(len(text), math.ceil(width_of(text, 1.05) / WIDE_DIGIT_EM))


def _written(value: float, format_: str) -> str:
    """About what the format makes of it: thousands grouped, so many places; `%` of a share."""
    format_ = format_.removesuffix(ROOM)
    if format_ == "General":
        return f"{value:.10g}"
    places = len(format_.partition(".")[2].rstrip("%"))
    text = f"{value * 100 if format_.endswith('%') else value:{',' if ',' in format_ else ''}.{places}f}"
    return f"{text}%" if format_.endswith("%") else text
