"""Tables: rows under columns, written for a terminal, a spreadsheet or the clipboard."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from designer.tables.cells import cell_texts
from designer.tables.columns import Column, Columns, pick

GAP = "  "


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Rows of any kind under the columns that take their cells from them."""

    columns: Columns
    rows: Sequence[Any]

    @classmethod
    def of(cls, rows: Sequence[Any], names: str) -> "ResultTable":
        """The rows under columns of their own kind."""
        return cls(pick(rows[0].COLUMNS, names) if rows else (), rows)

    def with_texts(self, **texts: Callable[[Any], str]) -> "ResultTable":
        """The table, the columns of these keys with another way to write their values."""
        columns = (replace(one, text=texts[one.key]) if one.key in texts else one for one in self.columns)
        return ResultTable(tuple(columns), self.rows)

    @property
    def headings(self) -> list[str]:
        """Those of a spreadsheet."""
        return [column.sheet_label for column in self.columns]

    @property
    def values(self) -> list[list[Any]]:
        """The cells of a spreadsheet: texts and numbers; None is an empty one."""
        getters = [(column, column.of) for column in self.columns]
        return [[_cell(column, of(row)) for column, of in getters] for row in self.rows]

    @property
    def texts(self) -> list[list[str]]:
        """The cells as people read them."""
        return [[column.shown(column.of(row)) for column in self.columns] for row in self.rows]

    def csv(self) -> str:
        """RFC 4180: a header line, CRLF, quotes where needed; cells that would run as formulas are made text."""
        return delimited(self.headings, self.values)

    def tabbed(self) -> str:
        """For the clipboard."""
        text = delimited(self.headings, self.values, "\t")
        return text.replace("\r\n", "\n")  # the writer quotes only breaks of its own kind

    def text(self, indent: str = "  ", *, has_units: bool = False) -> str:
        """Aligned columns under headings, and units in a line of their own, for a terminal; "" without rows."""
        if not self.rows:
            return ""
        right = [number for number, column in enumerate(self.columns) if column.right]
        units = [[f"({column.unit})" if column.unit else "" for column in self.columns]] if has_units else []
        return aligned([[column.label for column in self.columns], *units, *self.texts], right, indent)


def delimited(headings: Sequence[str], rows: Iterable[Sequence[Any]], delimiter: str = ",") -> str:
    """A header line and the rows, as RFC 4180 has them; cells that would run as formulas are made text."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(cell_texts(headings))
    writer.writerows(map(cell_texts, rows))
    return text.getvalue()


def encoded(text: str, *, byte_order_mark: bool = False) -> bytes:
    """The text of a table as a file holds it; half of a character that UTF-8 cannot hold becomes a question mark."""
    return text.encode("utf-8-sig" if byte_order_mark else "utf-8", errors="replace")


def _cell(column: Column, value: Any) -> Any:
    """A record, such as amounts by currency, is a text as people read it."""
    if is_dataclass(value):
        return column.shown(value)
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


def aligned(lines: Sequence[Sequence[str]], right: Sequence[int] = (), indent: str = "") -> str:
    """Lines of cells, one below the other; the columns numbered in `right` end flush, the others start so."""
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    return "\n".join(
        indent
        + GAP.join(
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """ "name   value" lines, values aligned; a value of several lines hangs below its first."""
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    hanging = "\n" + " " * (width + len(GAP))
    hung = [(name, value.removesuffix("\n").replace("\n", hanging)) for name, value in rows]
    return "\n".join(f"{name.ljust(width)}{GAP}{value}".rstrip() for name, value in hung)
