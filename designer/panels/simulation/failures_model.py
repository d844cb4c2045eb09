"""Outcomes of a failure sweep as the rows of a table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from designer.drawing.heat import percent
from designer.exchange.plain_table import PlainTable
from designer.model.shown_text import plain_text
from designer.panels.widgets.row_table import Index, RowModel
from designer.units import format_count, format_time

if TYPE_CHECKING:
    from designer.simulation.failures.sweep import Outcome, Sweep

COLUMNS = (
    ("Failed", 0),
    ("Slowdown", 78),
    ("Time", 76),
    ("Lost", 48),
    ("Hottest link then", 0),
    ("Peak", 56),
)
FAILED, SLOWDOWN, TIME, LOST, HOTTEST, PEAK = range(6)
SORT_ROLE = int(Qt.ItemDataRole.UserRole)
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
HEADINGS = ("failed", "slowdown", "time (s)", "ranks lost", "hottest link", "peak utilization", "note", "samples")
SHARES = (("median", 0.5), ("99 %", 0.99), ("worst", 1.0))
LOSING_RANKS = 1e12
MOST_TOLD = 12
"""So many of what fails together are named in a tip."""


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    sort: float | str


def times(slowdown: float | None) -> str:
    """ "1.33×", or a dash where no slowdown is given."""
    return "–" if slowdown is None else f"{slowdown:.3f}×"


def summary(sweep: "Sweep") -> str:
    """ "2,040 tried; slowdown: median 1.000×, 99 % 1.957×, worst 1.957×"."""
    text = f"{format_count(sweep.n_tried)} tried"
    if not sweep.is_exact:
        text += ", only pairs of the worst"
    cut_off = sweep.n_cut_off
    if cut_off:
        text += f"; ranks lost by {format_count(cut_off)}, at most {format_count(sweep.most_lost_ranks)}"
    if cut_off < sweep.n_tried:
        # Of a chosen set of pairs only the worst means anything.
        shares = SHARES if sweep.is_exact else SHARES[-1:]
        shown = ", ".join(f"{name} {times(sweep.slowdown_at(share))}" for name, share in shares)
        text += f"; slowdown of the others: {shown}" if cut_off else f"; slowdown: {shown}"
    return f"{text}; depends on assumed latencies" if sweep.assumed_note else text


def plain_table(sweep: "Sweep") -> PlainTable:
    return PlainTable(
        HEADINGS,
        [
            (
                outcome.failed.name,
                outcome.slowdown,
                outcome.time_s,
                outcome.lost_ranks,
                outcome.hottest,
                outcome.hottest_utilization,
                outcome.note,
                outcome.count,
            )
            for outcome in sweep.outcomes
        ],
    )


class FailuresModel(RowModel):
    """Outcomes in the order of the sweep: the worst first."""

    rows: "tuple[Outcome, ...]"

    def __init__(self) -> None:
        super().__init__(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole and section == LOST:
            return "Ranks that are missing or cut off"
        if role == Qt.ItemDataRole.TextAlignmentRole and section in (SLOWDOWN, TIME, LOST, PEAK):
            return RIGHT
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in (SLOWDOWN, TIME, LOST, PEAK) else None
        outcome = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell(outcome, column).text
        if role == SORT_ROLE:
            return _cell(outcome, column).sort
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_text("\n".join(line for line in _tip(outcome) if line))
        return None


def _cell(outcome: "Outcome", column: int) -> _Cell:
    if column == SLOWDOWN:
        stuck = outcome.time_s is None
        return _Cell("stuck" if stuck else times(outcome.slowdown), _severity(outcome))
    if column == TIME:
        return _Cell("–" if outcome.time_s is None else format_time(outcome.time_s), outcome.time_s or math.inf)
    if column == LOST:
        return _Cell(format_count(outcome.lost_ranks) if outcome.lost_ranks else "", outcome.lost_ranks)
    if column == HOTTEST:
        text = outcome.note or outcome.hottest
        return _Cell(text, text)
    if column == PEAK:
        shown = percent(outcome.hottest_utilization) if outcome.hottest else ""
        return _Cell(shown, outcome.hottest_utilization)
    shown = _two_lines(outcome.failed.parts) or outcome.failed.name
    if outcome.count > 1:
        shown = f"{format_count(outcome.count)} × {shown}"
    return _Cell(shown, outcome.failed.name)


def _two_lines(parts: tuple[str, ...]) -> str:
    """Two that fail together below each other; of more, how many."""
    more = f" and {format_count(len(parts) - 2)} more" if len(parts) > 2 else ""
    return "\n".join(parts[:2]) + more


def _severity(outcome: "Outcome") -> float:
    """Where a failure stands among others by slowdown: those that lose ranks beyond all others."""
    if outcome.slowdown is None:
        return math.inf if outcome.time_s is None else LOSING_RANKS + outcome.lost_ranks
    return outcome.slowdown


def _tip(outcome: "Outcome") -> Iterator[str]:
    parts = outcome.failed.parts
    yield from parts[:MOST_TOLD] or (outcome.failed.name,)
    yield f"and {format_count(len(parts) - MOST_TOLD)} more" if len(parts) > MOST_TOLD else ""
    yield f"Drawn {format_count(outcome.count)} times" if outcome.count > 1 else ""
    yield outcome.note or outcome.hottest
    if outcome.slowdown is None and outcome.time_s is not None:
        yield "Ranks are lost. The time is for the remaining ranks, which have less to do, so no slowdown is shown."
    yield "Click to mark it as failed"
