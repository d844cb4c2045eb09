"""Tables on their way to a spreadsheet: comma-separated for files, tab-separated for the clipboard."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from designer.tables.cells import cell_text


@dataclass(frozen=True, slots=True)
class PlainTable:
    """Headings and rows of texts and numbers; None is an empty cell."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def csv(self) -> str:
        return self._written(",", "\r\n")

    def tabbed(self) -> str:
        return self._written("\t", "\r\n").replace("\r\n", "\n")  # the writer quotes only breaks of its own kind

    def _written(self, delimiter: str, end: str) -> str:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
        writer.writerow(map(cell_text, self.headings))
        writer.writerows(map(cell_text, row) for row in self.rows)
        return text.getvalue()
