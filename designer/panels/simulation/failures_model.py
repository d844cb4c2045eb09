"""Outcomes of a failure sweep as the rows of a table."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from designer.tables.columns import Column, percent
from designer.units import format_count, format_counted, format_time

if TYPE_CHECKING:
    from designer.simulation.failures.sweep import Outcome, Sweep

WIDTHS = {"failed": 60, "slowed": 78, "time_s": 76, "lost_ranks": 48, "peak": 56}
EXPORTED = "failed slowdown time_s lost_ranks hottest_link peak note samples"
SHARES = (("median", 0.5), ("99th percentile", 0.99), ("worst", 1.0))
LOSING_RANKS = 1e12
MOST_SHOWN = 12
"""So many of what fails together are named in a tip."""


def times(slowdown: float | None) -> str:
    """ "1.333×", "stuck" where nothing can run, or a dash where no slowdown is given."""
    if slowdown is None:
        return "–"
    return "stuck" if math.isinf(slowdown) else f"{slowdown:.3f}×"


def summary(sweep: "Sweep") -> str:
    """ "2,040 tried; slowdown: median 1.000×, 99th percentile 1.957×, worst 1.957×"."""
    text = f"{format_count(sweep.n_tried)} tried"
    if not sweep.is_exact:
        text += ", only pairs of the worst"
    cut_off = sweep.n_cut_off
    if cut_off:
        lose = "loses" if cut_off == 1 else "lose"
        most = format_counted(sweep.most_lost_ranks, "rank")
        text += f"; {format_count(cut_off)} {lose} ranks, {most} at most"
    if cut_off < sweep.n_tried:
        # Of a chosen set of pairs only the worst means anything.
        shares = SHARES if sweep.is_exact else SHARES[-1:]
        shown = ", ".join(f"{name} {times(sweep.slowdown_at(share))}" for name, share in shares)
        text += f"; slowdown of the others: {shown}" if cut_off else f"; slowdown: {shown}"
        by_role = sweep.worst_by_role
        text += f"; {by_role}" if by_role else ""
    return f"{text}; depends on assumed latencies" if sweep.assumed_note else text


def _name(outcome: "Outcome") -> str:
    shown = _two_lines(outcome.failed.parts) or outcome.failed.name
    return f"{format_count(outcome.count)} × {shown}" if outcome.count > 1 else shown


def _two_lines(parts: tuple[str, ...]) -> str:
    """Two that fail together below each other; of more, how many."""
    more = f" and {format_count(len(parts) - 2)} more" if len(parts) > 2 else ""
    return "\n".join(parts[:2]) + more


def _severity(outcome: "Outcome") -> float:
    """Where a failure stands among others by slowdown: those that lose ranks beyond all others."""
    if outcome.slowdown is None:
        return math.inf if outcome.time_s is None else LOSING_RANKS + outcome.lost_ranks
    return outcome.slowdown


def tip_of(outcome: "Outcome", _column: Column) -> str:
    """What has failed in full, and what the row cannot say."""
    return "\n".join(line for line in _lines(outcome) if line)


def _lines(outcome: "Outcome") -> Iterator[str]:
    parts = outcome.failed.parts
    yield from parts[:MOST_SHOWN] or (outcome.failed.name,)
    yield f"and {format_count(len(parts) - MOST_SHOWN)} more" if len(parts) > MOST_SHOWN else ""
    yield f"Sampled {format_count(outcome.count)} times" if outcome.count > 1 else ""
    yield outcome.note or outcome.hottest
    if outcome.slowdown is None and outcome.time_s is not None:
        yield "Ranks are lost. The time is for the remaining ranks, which have less to do, so no slowdown is shown."
    yield "Click to mark it as failed"


COLUMNS = (
    Column("failed", "Failed", _name, order=lambda outcome: outcome.failed.name),
    Column("slowed", "Slowdown", text=times, right=True, empty="–", order=_severity),
    Column("time_s", "Time", text=format_time, right=True, empty="–", order=lambda outcome: outcome.time_s or math.inf),
    Column(
        "lost_ranks",
        "Lost",
        text=lambda lost: format_count(lost) if lost else "",
        right=True,
        tip="Ranks that are missing or cut off",
    ),
    Column("note_or_hottest", "Hottest link then", lambda outcome: outcome.note or outcome.hottest),
    Column(
        "peak",
        "Peak",
        lambda outcome: outcome.hottest_utilization if outcome.hottest else None,
        percent,
        right=True,
        order=lambda outcome: outcome.hottest_utilization,
    ),
)
