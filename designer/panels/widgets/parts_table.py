"""A table of records: a row for each, a column for each value, and an empty row for one more."""

import dataclasses
import typing
from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem

from designer.errors import CatalogError
from designer.panels.widgets.plain_values import read, written

LEAST_ROWS, MOST_ROWS = 2, 8
"""Rows that show; more are scrolled to."""


class PartsTable(QTableWidget):
    """What is typed into the last row is one more; a row without any text is none."""

    def __init__(self, record: type[Any], title: str, title_of: Callable[[str], str]) -> None:
        """`title` is what the records are together, `title_of` says what a field is called."""
        self._title = title
        self._fields = dataclasses.fields(record)
        self._hints = typing.get_type_hints(record)
        super().__init__(0, len(self._fields))
        self._titles = [title_of(one.name) for one in self._fields]
        self.setHorizontalHeaderLabels(self._titles)
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.setToolTip("Type into the last row to add one; empty a row to remove it.")
        self.itemChanged.connect(self._grow)

    def show_parts(self, parts: Iterable[Any]) -> None:
        """Show these records; values that are left at their default are empty."""
        shown = list(parts)
        with QSignalBlocker(self):
            self.setRowCount(0)
            for row, part in enumerate(shown):
                self.insertRow(row)
                for column, field in enumerate(self._fields):
                    value = getattr(part, field.name)
                    self.setItem(row, column, QTableWidgetItem("" if value == field.default else written(value)))
            self.insertRow(len(shown))
        self.resizeColumnsToContents()
        self._fit()

    def cells(self) -> tuple[tuple[str, ...], ...]:
        """What is written, row by row, without empty rows."""
        rows = (tuple(self._text(row, column) for column in range(len(self._fields))) for row in range(self.rowCount()))
        return tuple(row for row in rows if any(row))

    def parts(self) -> list[dict[str, Any]]:
        """The values of each row by field, as a file states them. Raises CatalogError naming row and column."""
        found = []
        for number, row in enumerate(self.cells(), start=1):
            stated: dict[str, Any] = {}
            for field, title, text in zip(self._fields, self._titles, row, strict=True):
                try:
                    value = read(self._hints[field.name], text)
                except CatalogError as error:
                    raise CatalogError(f"{self._title}, row {number}, {title}: {error}") from None
                except ValueError:
                    raise CatalogError(f"{self._title}, row {number}, {title}: {text!r} is not a number") from None
                if value is not None:
                    stated[field.name] = value
            found.append(stated)
        return found

    def _text(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return item.text().strip() if item is not None else ""

    def _grow(self) -> None:
        last = self.rowCount() - 1
        if any(self._text(last, column) for column in range(len(self._fields))):
            self.insertRow(last + 1)
            self._fit()

    def _fit(self) -> None:
        rows = min(MOST_ROWS, max(LEAST_ROWS, self.rowCount()))
        header, bar = self.horizontalHeader().sizeHint().height(), self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(header + rows * self.verticalHeader().defaultSectionSize() + bar + 2)
