"""Lists of what a design holds, as CSV, JSON and workbook: all devices, or what an expression selects."""

import json
from pathlib import Path

from designer.analysis.selecting.finder import Finder
from designer.analysis.selecting.listing import Listing, listing
from designer.errors import ExportError
from designer.exchange.list_options import DEVICES, ListOptions
from designer.exchange.plans.book import book_facts
from designer.exchange.workbook import Sheet, block_of, write_book
from designer.model.design import Design
from designer.tables.table import encoded


def write_list(design: Design, path: Path, options: ListOptions) -> None:
    """Write the list. Raises ExpressionError, ExportError for what no table can hold, or OSError."""
    made = listing(design, Finder(design).find(options.select or DEVICES).ids)
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        _write_book(design, made, path)
    elif suffix == ".json":
        text = json.dumps(made.as_json(), indent=2, ensure_ascii=False, allow_nan=False)
        path.write_bytes(f"{text}\n".encode("utf-8", errors="replace"))
    else:
        path.write_bytes(encoded(list_csv(made), byte_order_mark=options.byte_order_mark))


def _write_book(design: Design, made: Listing, path: Path) -> None:
    sheets = [Sheet(title.capitalize(), (block_of(table),)) for title, table in made.tables.items()]
    if not sheets:
        raise ExportError("the expression selects nothing, and a workbook needs a sheet")
    write_book(path, sheets, book_facts(design, "List", "a4"))


def list_csv(made: Listing) -> str:
    """The one table of a listing as CSV. Raises ExportError where it has several kinds of things."""
    if len(made.tables) > 1:
        kinds_found = ", ".join(made.tables)
        raise ExportError(f"CSV lists one kind of things, not {kinds_found}: add kind:switch, kind:rack or the like")
    return "".join(table.csv() for table in made.tables.values())
