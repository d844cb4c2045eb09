"""A design as a matrix: in each cell the links between what stands for its row and what stands for its column."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.analysis.matrix_axes import LINKED_SETS, MOST_LINES, OUTSIDE, RANK, Axes, Axis, axis_kind
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.entities import Link
from designer.units import format_counted

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOTHING = -1.0
"""Stands for the load of a cell without links, or of links that a load says nothing of."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """Cells with links, row after row; each is a run of `links`, the rows of link_ids.

    A link between two rows of a matrix whose columns are the same as its rows is in two cells, one for each direction.
    """

    rows: Axis
    columns: Axis
    link_ids: tuple[str, ...]
    cells: Ints  # (k,) row * n_columns + column, ascending
    starts: Ints  # (k,)
    links: Ints  # (m,)
    backward: NDArray[np.bool_]  # (m,) whether the link's end a is in the column
    is_of_switches: bool
    """Whether links of servers are left out: where groups are linked to each other, they say nothing of a topology."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self.rows), len(self.columns)

    @property
    def is_one_way(self) -> bool:
        """Whether a cell shows what goes from its row to its column; else the busier direction."""
        return self.rows.name == self.columns.name

    @cached_property
    def counts(self) -> Ints:
        """(n_rows, n_columns) links of each cell."""
        return self.spread(self.sizes, 0)

    @cached_property
    def sizes(self) -> Ints:
        """(k,) links of each cell that has any."""
        return np.diff(self.starts, append=len(self.links)).astype(np.int64)

    @property
    def n_links(self) -> int:
        """Links that are in some cell."""
        return len(np.unique(self.links))

    @property
    def contents(self) -> str:
        """ "1,024 links", "252 links between switches"."""
        return format_counted(self.n_links, "link") + (" between switches" if self.is_of_switches else "")

    def worst(self, of_links: Floats) -> Floats:
        """(n_rows, n_columns) the highest load, NOTHING without links; `of_links` is (n_links, 2), a to b and back."""
        return self.spread(self.worst_of_cells(of_links), NOTHING)

    def worst_of_cells(self, of_links: Floats) -> Floats:
        """(k,) the highest load of each cell with links; `of_links` is (n_links, 2), a to b and back."""
        return self._gathered(np.maximum, self._sided(of_links))

    def most_of_cells(self, values: Floats) -> Floats:
        """(k,) the greatest value of the links of each cell that has any."""
        return self._gathered(np.maximum, values[self.links])

    def counted(self, chosen: NDArray[np.bool_]) -> Ints:
        """(n_rows, n_columns) how many links are chosen: (n_links,), or by direction (n_links, 2)."""
        return self.spread(self.counted_of_cells(chosen), 0)

    def counted_of_cells(self, chosen: NDArray[np.bool_]) -> Ints:
        """(k,) how many of the links of each cell are chosen: (n_links,), or by direction (n_links, 2)."""
        flags = chosen[self.links] if chosen.ndim == 1 else self._sided(chosen)
        return self._gathered(np.add, flags.astype(np.int64))

    def place(self, row: int, column: int) -> int | None:
        """Which of the cells with links that is; None for one without."""
        cell = row * len(self.columns) + column
        place = int(np.searchsorted(self.cells, cell))
        return place if place < len(self.cells) and self.cells[place] == cell else None

    def places(self, chosen: NDArray[np.bool_]) -> Ints:
        """Row and column, (n, 2), of the chosen of the cells with links; `chosen` is (k,)."""
        return np.stack(np.divmod(self.cells[chosen], max(1, len(self.columns))), axis=1)

    def flags(self, ids: Iterable[str]) -> NDArray[np.bool_]:
        """(n_links,) which links are among these."""
        found, chosen = np.zeros(len(self.link_ids), np.bool_), tuple(ids)
        if chosen:
            number_of = self.number_of
            found[[number_of[one] for one in chosen if one in number_of]] = True
        return found

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The number of each link by its id."""
        return {one: number for number, one in enumerate(self.link_ids)}

    def links_in(self, row: int, column: int) -> tuple[str, ...]:
        """Ids of the links of a cell, in stable order."""
        place = self.place(row, column)
        if place is None:
            return ()
        end = self.starts[place + 1] if place + 1 < len(self.starts) else len(self.links)
        return tuple(self.link_ids[link] for link in self.links[self.starts[place] : end].tolist())

    def _sided(self, values: NDArray[Any]) -> NDArray[Any]:
        """(m,) values of both directions of links, (n_links, 2), in the direction that their cells show."""
        forth, back = values[self.links, 0], values[self.links, 1]
        found: NDArray[Any] = np.where(self.backward, back, forth) if self.is_one_way else np.maximum(forth, back)
        return found

    def _gathered(self, how: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """(k,) the values of each cell with links in one."""
        found: NDArray[Any] = how.reduceat(values, self.starts) if len(self.starts) else values[:0]
        return found

    def spread(self, values: NDArray[Any], empty: float) -> NDArray[Any]:
        """(n_rows, n_columns) with these values, (k,), in the cells with links, and `empty` in all others."""
        size = len(self.rows) * len(self.columns)
        dense = np.full(size, empty, values.dtype) if empty else np.zeros(size, values.dtype)
        dense[self.cells] = values
        return dense.reshape(self.shape)


def matrix_of(axes: Axes, rows: str = "", columns: str = "", most: int = MOST_LINES) -> Matrix:
    """The matrix of these rows and columns, the usual ones where none are named.

    Raises ParameterError for a kind that there is not, or that the design has none of.
    """
    if RANK in (rows, columns):
        raise ParameterError("what ranks send to each other is of a traffic: choose rank for both, and a traffic")
    usual = axes.usual()
    sides = []
    for name, instead in zip((rows, columns), usual, strict=True):
        axis = axes.axis(name or instead, most)
        if not len(axis):
            there = ", ".join(kind.name for kind in axes.kinds()) or "nothing"
            raise ParameterError(f"the design has no {axis_kind(axis.name).title.lower()} for a matrix; it has {there}")
        sides.append(axis)
    return _filled(axes, *sides)


def _filled(axes: Axes, rows: Axis, columns: Axis) -> Matrix:
    links = axes.design.links
    numbers = {one: number for number, one in enumerate({**rows.of_device, **columns.of_device})}
    ends = _ends(links.values(), numbers)
    row_of, column_of = _by_number(rows, numbers), _by_number(columns, numbers)
    (row_a, row_b), (column_a, column_b) = row_of[ends], column_of[ends]
    forth = (row_a >= 0) & (column_b >= 0)
    back = (row_b >= 0) & (column_a >= 0)
    same = rows.name == columns.name
    fabric = _between_switches(axes.design, rows, numbers, ends) if same and rows.name in LINKED_SETS else None
    if fabric is not None:
        forth, back = forth & fabric, back & fabric
    if same:  # inside of one row a link is there but once
        back &= row_a != row_b
    else:
        back &= ~(forth & (row_a == row_b) & (column_a == column_b))
    number = np.arange(len(links))
    cell = np.concatenate(((row_a * len(columns) + column_b)[forth], (row_b * len(columns) + column_a)[back]))
    of_link = np.concatenate((number[forth], number[back]))
    backward = np.repeat([False, True], [np.count_nonzero(forth), np.count_nonzero(back)])
    order = np.lexsort((of_link, cell))
    cells, starts = np.unique(cell[order], return_index=True)
    ids, cells = tuple(links), cells.astype(np.int64)
    return Matrix(rows, columns, ids, cells, starts, of_link[order], backward[order], fabric is not None)


def _ends(links: Iterable[Link], numbers: Mapping[str, int]) -> Ints:
    """(2, n_links) the numbers of the devices at both ends of links; -1 for a device that has none."""
    drawn, get = [*links], numbers.get  # few devices have one: most are looked up in a small table
    ends = [get(link.a.device_id, -1) for link in drawn], [get(link.b.device_id, -1) for link in drawn]
    return np.array(ends, np.int64)


def _by_number(axis: Axis, numbers: Mapping[str, int]) -> Ints:
    """(n + 1,) the row or column of each numbered device, -1 for those in none and, the last, for all others."""
    found = np.full(len(numbers) + 1, -1, np.int64)
    found[[numbers[one] for one in axis.of_device]] = list(axis.of_device.values())
    return found


def _between_switches(design: Design, axis: Axis, numbers: Mapping[str, int], ends: Ints) -> NDArray[np.bool_] | None:
    """(n_links,) which links join two switches; None where none of them joins two rows that hold servers."""
    row_of = _by_number(axis, numbers)
    is_switch = np.array([*map(design.is_switch, numbers), False])  # the last for devices in no row, -1
    has_servers = np.zeros(len(axis) + 1, np.bool_)
    has_servers[row_of[~is_switch]] = True
    has_servers[[*(number for number, label in enumerate(axis.labels) if label == OUTSIDE), -1]] = False
    found: NDArray[np.bool_] = np.asarray(is_switch[ends].all(axis=0))
    row_a, row_b = row_of[ends]
    return found if (found & (row_a != row_b) & has_servers[row_a] & has_servers[row_b]).any() else None


def caption(matrix: Matrix) -> str:
    """ "32 leaf switches × 16 spines, 1,024 links"."""
    sides = (format_counted(axis.count, axis.name) for axis in (matrix.rows, matrix.columns))
    return f"{' × '.join(sides)}, {matrix.contents}"
