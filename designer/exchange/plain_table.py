"""Tables on their way to a spreadsheet: comma-separated for files, tab-separated for the clipboard."""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

# What a spreadsheet would take for a formula is written as text.
FORMULA_STARTS = ("=", "+", "-", "@", "\t")

LEAST_WHOLE = 1e9
"""Numbers as large, as bytes are, are written out: a spreadsheet would show nine digits and an exponent."""

Cell = str | float | int | None


@dataclass(frozen=True, slots=True)
class PlainTable:
    """Headings and rows of texts and numbers; None is an empty cell."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def csv(self) -> str:
        return self._written(",", "\r\n")

    def tabbed(self) -> str:
        return self._written("\t", "\n")

    def _written(self, delimiter: str, end: str) -> str:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
        writer.writerow(self.headings)
        writer.writerows(_cells(row) for row in self.rows)
        return text.getvalue()


def _cells(row: Iterable[Cell]) -> list[str]:
    return [_cell(value) for value in row]


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= LEAST_WHOLE and math.isfinite(value) else f"{value:.9g}"
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(FORMULA_STARTS) else text
