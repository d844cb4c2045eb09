"""Tables of very many rows: put in order once, at a click; only rows in sight, and some of all, make their cells."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from designer.panels.widgets.labels import enlarged
from designer.panels.widgets.row_table import RowTable
from designer.tables.columns import Columns

MOST_PX = 360
"""A column is not wider; what is, is cut, and has a tooltip."""


class LongTable(RowTable):
    """Several rows may be selected at a time. Columns keep their widths however rows are sorted or scrolled."""

    def __init__(self, name: str, columns: Columns) -> None:
        self._given: Sequence[Any] = ()
        """The rows as they came."""
        super().__init__(name, columns)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def show_rows(self, rows: Sequence[Any], columns: Columns | None = None) -> None:
        """Show other rows in the order of the chosen heading; under other columns as they come."""
        if columns is not None and [one.key for one in columns] != [one.key for one in self.shown.columns]:
            self.forget_order()
        self._given = rows
        super().show_rows(self._in_order(rows, self.shown.columns if columns is None else columns), columns)
        for number in range(len(self.shown.columns)):
            self.header().resizeSection(number, min(self.wanted_px(number), enlarged(MOST_PX)))

    def put_in_order(self, section: int, order: Qt.SortOrder) -> None:
        """Sort by a column, unknown values first when it goes up; -1 for the order in which rows came.

        What is selected stays so, wherever it is then.
        """
        selected = {id(row) for row in self.selected_rows()}
        super().show_rows(self._in_order(self._given, self.shown.columns))
        self._select([number for number, row in enumerate(self.shown.rows) if id(row) in selected])

    def _in_order(self, rows: Sequence[Any], columns: Columns) -> Sequence[Any]:
        section, order = self.sorted_by
        if section < 0:
            return rows
        column = columns[section]
        value = column.order or column.of
        keys = [(key is not None, key) for key in map(value, rows)]
        numbers = sorted(range(len(rows)), key=keys.__getitem__, reverse=order == Qt.SortOrder.DescendingOrder)
        return [rows[number] for number in numbers]

    def _size_columns(self) -> None:
        """Columns are sized to their rows as these come."""

    def selected_rows(self) -> list[Any]:
        """The rows that are selected."""
        return [self.row_at(index) for index in self.selectionModel().selectedRows()]

    def select_numbers(self, numbers: Sequence[int]) -> None:
        """Select the rows of these numbers, in their order, and bring the first into sight."""
        self._select(numbers)
        if numbers:
            self.scrollTo(self.index_of(numbers[0]))

    def _select(self, numbers: Sequence[int]) -> None:
        chosen, last = QItemSelection(), len(self.shown.columns) - 1
        first = 0
        for place, number in enumerate(numbers):
            if place + 1 == len(numbers) or numbers[place + 1] != number + 1:
                chosen.select(self.index_of(numbers[first]), self.index_of(number, last))
                first = place + 1
        self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
