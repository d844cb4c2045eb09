"""What the cells of a matrix show: levels of heat or of counts with their colors, findings, failures, texts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from designer.analysis.matrix import NOTHING, Matrix
from designer.drawing.bundles import Floats, Ints
from designer.drawing.display_list import (
    CONGESTED_CLASS,
    IDLE,
    UNKNOWN,
    Key,
    Legend,
    Swatch,
    classes_of,
    colour_of_class,
)
from designer.drawing.heat import CONGESTED, Heat, are_hot
from designer.drawing.hot_spots import demand_text
from designer.drawing.theme import Theme, mixed
from designer.late import Late
from designer.model.design import Design
from designer.units import format_count
from designer.validation.findings import Severity

load_legend = Late("designer.drawing.load_legend")

Levels = NDArray[np.uint8]

EMPTY = 0
"""The level of a cell without links; higher levels are drawn over lower ones from afar."""
SHADES = 12
"""Levels of counts where no heat is shown."""
PALEST = 0.25


@dataclass(frozen=True)
class Shaded:
    """A matrix with what its cells show; arrays `of_cells` are (k,), of the cells with links, as most have none."""

    matrix: Matrix
    theme: Theme
    levels_of_cells: Levels
    palette: tuple[str, ...]
    """Colors by level."""
    loads_of_cells: Floats | None
    """The load of the busiest link of each cell as a share; NOTHING without; None without heat."""
    demands_of_cells: Floats | None
    hot_of_cells: Ints | None
    failed_of_cells: Ints
    worst_of_cells: NDArray[np.int8]
    """2 where a link of the cell has errors, 1 where one has warnings."""
    worst_rows: NDArray[np.int8]
    worst_columns: NDArray[np.int8]
    heat: Heat | None

    @property
    def legend(self) -> Legend | None:
        """What the colors of the heat mean, and how many congested links are in no cell; None without heat."""
        if self.heat is None:
            return None
        found: Legend = load_legend.legend_of(self.heat, are_marked=self.worst_cell is not None)
        n_outside = self._n_congested_outside
        if not n_outside:
            return found
        which = "none of them" if n_outside == self.heat.n_congested else f"{format_count(n_outside)} not"
        return replace(found, note=f"{format_count(self.heat.n_congested)} congested, {which} in these cells")

    @cached_property
    def worst_cell(self) -> tuple[int, int] | None:
        """Row and column of the cell with the greatest demand, the first of equal ones; None where nothing waits."""
        if self.demands_of_cells is None or not (self.demands_of_cells > 0).any():
            return None
        row, column = divmod(int(self.matrix.cells[np.argmax(self.demands_of_cells)]), len(self.matrix.columns))
        return row, column

    @cached_property
    def _n_congested_outside(self) -> int:
        """How many congested links are not between these rows and columns."""
        if self.heat is None or not self.heat.n_congested:
            return 0
        shown = np.unique(self.matrix.links)
        drawn = self.heat.drawn.taken_for(self.matrix.link_ids, NOTHING)[shown].max(axis=1)
        return self.heat.n_congested - int(np.count_nonzero(drawn >= CONGESTED))

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """What the shades of counts mean, the cells without links left out; none where a legend shows other figures."""
        present = np.unique(self.levels_of_cells).tolist() if self.legend is None else []
        if not present:
            return ()
        counts = [self.matrix.sizes[self.levels_of_cells == level] for level in present]
        ranges = [(int(one.min()), int(one.max())) for one in counts]
        texts = [
            format_count(low) if low == high else f"{format_count(low)} to {format_count(high)}" for low, high in ranges
        ]
        swatches = (Swatch(self.palette[level], text) for level, text in zip(present, texts, strict=True))
        return (Key("Links per cell", tuple(swatches), is_of_links=False),)

    @cached_property
    def levels(self) -> Levels:
        """(n_rows, n_columns) the level of each cell."""
        found: Levels = self.matrix.spread(self.levels_of_cells, EMPTY)
        return found

    def from_afar(self, per_cell_px: float) -> tuple[Levels, int]:
        """Levels for cells that are smaller than a pixel, and how many cells of a side each stands for: the highest."""
        levels, share = self.levels, 1
        while per_cell_px * share < 1.0 and max(levels.shape) > 1:
            share *= 2
            levels = self._halved(share)
        return levels, share

    @cached_property
    def _smaller(self) -> dict[int, Levels]:
        return {1: self.levels}

    def _halved(self, share: int) -> Levels:
        if share not in self._smaller:
            levels = self._smaller[share // 2]
            padded = np.pad(levels, [(0, size % 2) for size in levels.shape])
            rows = np.maximum(padded[::2], padded[1::2])
            self._smaller[share] = np.maximum(rows[:, ::2], rows[:, 1::2])
        return self._smaller[share]

    @cached_property
    def failed_cells(self) -> Ints:
        """(k, 2) row and column of the cells where something has failed."""
        return self.matrix.places(self.failed_of_cells > 0)

    @cached_property
    def wrong_cells(self) -> tuple[Ints, Ints]:
        """(k, 2) row and column of the cells with warnings, and of those with errors."""
        return self.matrix.places(self.worst_of_cells == 1), self.matrix.places(self.worst_of_cells == 2)

    def text(self, row: int, column: int) -> tuple[str, str]:
        """What a cell says: its load, where there is heat, and how many links it holds; "" for one without."""
        place = self.matrix.place(row, column)
        if place is None:
            return "", ""
        count = int(self.matrix.sizes[place])
        shown = self._load_text(place)
        return (shown, f"×{count:,}") if shown else ("", f"{count:,}")

    def brief_load(self, row: int, column: int) -> str:
        """The load of a cell with little room, in fewer letters; "" where nothing is known of one."""
        place = self.matrix.place(row, column) if self.heat is not None else None
        return "" if place is None else self._load_text(place, brief=True)

    def _load_text(self, place: int, *, brief: bool = False) -> str:
        load = float(self.loads_of_cells[place]) if self.loads_of_cells is not None else NOTHING
        return self.heat.text_of(load, brief=brief) if self.heat is not None and load >= 0 else ""

    def facts(self, row: int, column: int) -> list[tuple[str, str]]:
        """What is known of a cell, as names and values."""
        place = self.matrix.place(row, column)
        if place is None:
            return [("Links", "0")]
        count, failed = int(self.matrix.sizes[place]), int(self.failed_of_cells[place])
        found = [("Links", f"{count:,}")]
        shown, _ = self.text(row, column)
        if shown and self.heat is not None and self.loads_of_cells is not None:
            found.append(("Busiest", self.heat.described(float(self.loads_of_cells[place]))))
        if self.hot_of_cells is not None and self.hot_of_cells[place]:
            found.append(("Hot", f"{self.hot_of_cells[place]:,} of {count:,}"))
        demand = demand_text(float(self.demands_of_cells[place])) if self.demands_of_cells is not None else ""
        if demand:
            found.append(("Demand", demand.removeprefix("demand ")))
        if failed:
            found.append(("Failed", f"{failed:,} of {count:,}"))
        if self.worst_of_cells[place]:
            found.append(("Findings", "errors" if self.worst_of_cells[place] == 2 else "warnings"))
        return found


def shaded(
    matrix: Matrix,
    theme: Theme,
    heat: Heat | None = None,
    failed: Iterable[str] = (),
    worst: Mapping[str, Severity] | None = None,
) -> Shaded:
    """The matrix with the heat of its links, failed links, and the worst findings."""
    worst = worst or {}
    severity = np.zeros(len(matrix.link_ids))
    for one, found in worst.items():
        if one in matrix.number_of:
            severity[matrix.number_of[one]] = 2 if found is Severity.ERROR else 1
    loads = demands = n_hot = None
    if heat is None:
        levels, palette = _counted(matrix), _shades(theme)
    else:
        drawn = heat.drawn.taken_for(matrix.link_ids, NOTHING)
        levels = (classes_of(matrix.worst_of_cells(drawn)) - UNKNOWN + 1).astype(np.uint8)
        palette = _heat_palette(theme)
        loads = matrix.worst_of_cells(heat.loads.taken_for(matrix.link_ids, NOTHING))
        demands = np.maximum(matrix.worst_of_cells(heat.demands.taken_for(matrix.link_ids, 0.0)), 0.0)
        n_hot = matrix.counted_of_cells(are_hot(drawn))
    return Shaded(
        matrix,
        theme,
        levels,
        palette,
        loads,
        demands,
        n_hot,
        matrix.counted_of_cells(matrix.flags(failed)),
        matrix.most_of_cells(severity).astype(np.int8),
        _of_lines(matrix.rows.members, worst),
        _of_lines(matrix.columns.members, worst),
        heat,
    )


def links_without(design: Design, failed: Iterable[str]) -> frozenset[str]:
    """Ids of the links among these links and devices, and of those on these devices."""
    gone = list(failed)
    return frozenset(one for one in gone if one in design.links) | {
        link.id for one in gone if one in design.devices for link in design.links_of(one)
    }


def _of_lines(members: tuple[tuple[str, ...], ...], worst: Mapping[str, Severity]) -> NDArray[np.int8]:
    found = np.zeros(len(members), np.int8)
    for number, ids in enumerate(members):
        for one in ids if worst else ():
            if one in worst:
                found[number] = max(found[number], 2 if worst[one] is Severity.ERROR else 1)
    return found


def _counted(matrix: Matrix) -> Levels:
    """Levels of counts: as far apart as there are shades where counts are few, so that 1 is not taken for 2."""
    counts = matrix.sizes
    different, of_cells = np.unique(counts, return_inverse=True)
    if 1 < len(different) <= SHADES:
        levels = 1 + np.arange(len(different)) * (SHADES - 1) // (len(different) - 1)
        return levels[of_cells.reshape(-1)].astype(np.uint8)
    most = max(1, int(counts.max(initial=0)))
    return (1 + (counts * (SHADES - 1)) // most).astype(np.uint8)


def _shades(theme: Theme) -> tuple[str, ...]:
    shares = (PALEST + (1 - PALEST) * number / (SHADES - 1) for number in range(SHADES))
    return (empty_colour(theme), *(mixed(theme.link, theme.background, share) for share in shares))


def _heat_palette(theme: Theme) -> tuple[str, ...]:
    unknown = mixed(theme.server_link, theme.background, 0.35)
    idle = mixed(colour_of_class(IDLE, theme), theme.background, 0.6)
    classes = (colour_of_class(number, theme) for number in range(CONGESTED_CLASS + 1))
    return (empty_colour(theme), unknown, idle, *classes)


def empty_colour(theme: Theme) -> str:
    """The color of a cell without links."""
    return mixed(theme.grid, theme.background, 0.5)
