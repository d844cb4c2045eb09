"""The cells of a matrix as rows of a table."""

from dataclasses import dataclass
from typing import ClassVar

from designer.drawing.bundles import Floats
from designer.drawing.hot_spots import LEAST_DEMAND
from designer.drawing.matrix.shading import Shaded
from designer.tables.columns import Column, Columns, percent

PLAIN = "row column links failed findings"
LOADED = "row column links load hot demand failed findings"
"""What is shown of cells without and with a traffic."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A cell with links; what only a traffic tells is None without one."""

    row: str
    column: str
    links: int
    failed: int
    findings: str
    """ "error" or "warning", the worst of its links; "" for none."""
    load: float | None = None
    hot: int | None = None
    demand: float | None = None
    """What the flows of its most wanted link could send, as a multiple of what that carries; None where they wait for
    nothing, or where it is not known."""

    COLUMNS: ClassVar[Columns] = (
        Column("row", "Row"),
        Column("column", "Column"),
        Column("links", "Links", right=True),
        Column("load", "Load", text=percent, right=True, sheet="load of the busiest link", may_lack=True),
        Column("hot", "Hot links", right=True, may_lack=True),
        Column("demand", "Demand", text=lambda times: f"{times:.4g}×", right=True, may_lack=True),
        Column("failed", "Failed links", right=True),
        Column("findings", "Findings"),
    )


def matrix_cells(shown: Shaded) -> list[MatrixCell]:
    """The cells with links: the most wanted first, then the busiest, then as they stand."""
    matrix, found = shown.matrix, []
    for place, cell in enumerate(matrix.cells.tolist()):
        row, column = divmod(cell, len(matrix.columns))
        load, demand = _value(shown.loads_of_cells, place), _value(shown.demands_of_cells, place)
        found.append(
            MatrixCell(
                matrix.rows.labels[row],
                matrix.columns.labels[column],
                int(matrix.sizes[place]),
                int(shown.failed_of_cells[place]),
                ("", "warning", "error")[int(shown.worst_of_cells[place])],
                load if load is None or load >= 0 else None,
                None if shown.hot_of_cells is None else int(shown.hot_of_cells[place]),
                demand if demand is not None and demand >= LEAST_DEMAND else None,
            )
        )
    found.sort(key=lambda one: (-(one.demand or 0.0), -(one.load or 0.0)))
    return found


def _value(values: Floats | None, place: int) -> float | None:
    return None if values is None else float(values[place])
