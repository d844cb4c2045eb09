"""The rows of a table that an expression fits: by what all expressions know, and by the columns of the table."""

import difflib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from designer.analysis.selecting.expression import (
    NONE_WORD,
    AllOf,
    Expression,
    ExpressionError,
    Not,
    Term,
    parse,
    terms_in,
)
from designer.analysis.selecting.finder import COMPARE, Finder, comparison, text_test
from designer.analysis.selecting.terms import BY_NAME, DEVICES, TermRow
from designer.tables.columns import Column, Columns
from designer.units import shortened

Numbers = list[int]


class RowFilter:
    """`record_of` says which record of the finder's `table` a row is about: of a port its device."""

    def __init__(self, finder: Finder, table: int, columns: Columns, record_of: Callable[[Any], str]) -> None:
        self._finder, self._table, self._record_of = finder, table, record_of
        self._columns = {name: one for one in reversed(columns) for name in (one.title.lower(), one.key)}

    def kept(self, text: str, rows: Sequence[Any]) -> list[Any]:
        """The rows that an expression fits, in their order. Raises ExpressionError naming the place of its fault."""
        expression = parse(text)
        for term, _ in terms_in(expression):
            self._check(term)
        return [rows[number] for number in self._fitting(expression, rows, list(range(len(rows))))]

    def _check(self, term: Term) -> None:
        name = term.name.lower()
        if not name or name in BY_NAME or name in self._columns or term.name.casefold() in self._finder.field_names:
            return
        names = [*self._columns, *BY_NAME, *self._finder.field_names]
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"columns are {', '.join(self._columns)}"
        raise ExpressionError(f"nothing is called {shortened(term.name)!r}; {hint}", term.place)

    def _column(self, term: Term) -> Column | None:
        """The column that a term asks about; None where all expressions know the term, of such records."""
        name = term.name.lower()
        row = BY_NAME.get(name)
        is_known = row is not None and not (row.for_links and self._table == DEVICES)
        return None if is_known or term.name.casefold() in self._finder.field_names else self._columns.get(name)

    def _fitting(self, expression: Expression, rows: Sequence[Any], numbers: Numbers) -> Numbers:
        """Those of the rows of these numbers that fit."""
        if not any(self._column(term) for term, _ in terms_in(expression)):
            ids = frozenset(self._finder.ids_in(expression, self._table))
            return [number for number in numbers if self._record_of(rows[number]) in ids]
        if isinstance(expression, Term):
            return self._by_column(expression, rows, numbers)
        if isinstance(expression, Not):
            fits = frozenset(self._fitting(expression.part, rows, numbers))
            return [number for number in numbers if number not in fits]
        if isinstance(expression, AllOf):
            # What all expressions know is looked up for all rows at once, and leaves fewer to be asked for cells.
            for part in sorted(expression.parts, key=lambda one: any(self._column(term) for term, _ in terms_in(one))):
                numbers = self._fitting(part, rows, numbers)
            return numbers
        found = frozenset(number for part in expression.parts for number in self._fitting(part, rows, numbers))
        return [number for number in numbers if number in found]

    def _by_column(self, term: Term, rows: Sequence[Any], numbers: Numbers) -> Numbers:
        column = self._column(term)
        assert column is not None
        fits = [_test(column, term, value) for value in term.values]
        is_wanted = term.operator != "!="
        return [n for n in numbers if any(fit(column.of(rows[n])) for fit in fits) is is_wanted]


def _test(column: Column, term: Term, value: str) -> Callable[[Any], bool]:
    """Whether a cell fits a value: texts by a part of them, figures by comparing. Raises ExpressionError."""
    if value.lower() == NONE_WORD:
        return lambda cell: cell is None or cell == ""
    if not column.right:
        if term.operator not in (":", "=", "!="):
            raise ExpressionError(f"{term.name} is no number: write {term.name}:VALUE", term.place)
        fits = text_test(value, is_part=True)
        return lambda cell: fits(column.shown(cell))
    known = BY_NAME.get(column.key) or BY_NAME.get(term.name.lower())
    row = TermRow(term.name, "", lambda index: index.numbers((), index.span())) if known is None else known
    operator = ":" if term.operator == "!=" else term.operator
    compare = comparison(row, COMPARE[operator], value, term)
    return lambda cell: cell is not None and bool(compare(np.array([cell], float))[0])
