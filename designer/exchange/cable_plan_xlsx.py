"""The cable plan as a workbook: the same rows, with the header kept in sight and a filter on every column."""

from collections.abc import Sequence
from pathlib import Path

from designer.exchange.cable_plan import COLUMNS, CableRow, cells_of
from designer.exchange.workbook import MOST_WIDTH_OF_SENTENCES, Block, Sheet, columns_of, write_book
from designer.exchange.workbook_parts import BookFacts

SHEET_TITLE = "Cable plan"
OPEN_POINTS_TITLE = "Open points"
OPEN_POINTS_COLUMNS = ("Open point", "Reason", "Links", "First link")
NOTHING_OPEN = ("none", "every link has its length, its cable and its part numbers", 0, "")


def write_workbook(rows: Sequence[CableRow], path: Path, open_points: Sequence[tuple[str, str, int, str]] = ()) -> None:
    """Write the rows as one sheet, and what is open as another. Raises ExportError for more rows than a sheet holds."""
    points = columns_of(*OPEN_POINTS_COLUMNS, widest=MOST_WIDTH_OF_SENTENCES)
    write_book(
        path,
        (
            Sheet(SHEET_TITLE, (Block(columns_of(*COLUMNS), [cells_of(row) for row in rows]),)),
            Sheet(OPEN_POINTS_TITLE, (Block(points, open_points or [NOTHING_OPEN]),)),
        ),
        BookFacts(title=SHEET_TITLE),
    )
