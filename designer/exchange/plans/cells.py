"""The cells of a cable plan: the columns that are wanted, one row per link or one per cable."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from designer.exchange.cable_plan import CableRow
from designer.exchange.plan_options import CABLES, LINKS, PlanOptions
from designer.exchange.plans.cell_words import in_language
from designer.exchange.plans.headings import KEYS, PLAN_COLUMNS, heading
from designer.tables.cells import Cell
from designer.tables.columns import Column, Columns
from designer.tables.table import delimited

Cells = tuple[Cell, ...]

_BY_KEY: Mapping[str, Column] = {column.key: column for column in PLAN_COLUMNS}
SPEED = "speed_gbps"


def columns_wanted(options: PlanOptions) -> Columns:
    """The columns that the options name, in their order; all without any."""
    return tuple(_BY_KEY[key] for key in dict.fromkeys(options.columns)) or PLAN_COLUMNS


def plan_cells(rows: Sequence[CableRow], columns: Columns, row_is: str) -> list[Cells]:
    """The cells of these rows; where a row is a cable, its links are joined."""
    keys = [column.key for column in columns]
    get: Callable[[CableRow], Any] = attrgetter(*keys)
    cells: list[Cells] = [get(row) for row in rows] if len(keys) > 1 else [(get(row),) for row in rows]
    if row_is != CABLES:
        return cells
    pieces: dict[tuple[str, bool], list[Cells]] = {}
    for row, values in zip(rows, cells, strict=True):
        pieces.setdefault((row.piece, row.is_turned), []).append(values)
    speed = keys.index(SPEED) if SPEED in keys else -1
    return [piece[0] if len(piece) == 1 else _joined(piece, speed) for piece in pieces.values()]


def plan_csv(
    rows: Sequence[CableRow], columns: Columns = PLAN_COLUMNS, row_is: str = LINKS, language: str = KEYS
) -> str:
    """RFC 4180: a header line, CRLF, quotes where needed; cells that would run as formulas are made text."""
    cells = in_language(columns, plan_cells(rows, columns, row_is), language)
    return delimited([heading(column, language) for column in columns], cells)


def _joined(lanes: Sequence[Cells], speed: int) -> Cells:
    """One row for the links of a cable: what they have in common, or each with commas between; rates add up."""
    joined = [_distinct(values) for values in zip(*lanes, strict=True)]
    if speed >= 0:
        joined[speed] = _sum(lane[speed] for lane in lanes)
    return tuple(joined)


def _distinct(values: Iterable[Cell]) -> Cell:
    known = list(dict.fromkeys(value for value in values if value is not None and value != ""))
    if len(known) > 1:
        return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in known)
    return known[0] if known else None


def _sum(values: Iterable[Any]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
