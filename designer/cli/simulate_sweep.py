"""`simulate --sweep`: what failures do, as a table or JSON."""

import click

from designer.cli.json_text import json_text
from designer.cli.main import say, tell
from designer.model.design import Design
from designer.simulation.failures import sweep as failures
from designer.simulation.failures.survivors import as_numbered
from designer.simulation.failures.sweep import Sweep
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json
from designer.tables.table import ResultTable
from designer.units import format_count, format_time
from designer.workers.where import Where

SHARES = (0.5, 0.9, 0.99)


def run_sweep(
    design: Design,
    scenario: Scenario,
    sweep: tuple[str, str],
    rates: dict[str, float],
    shown: tuple[int | None, str],
    where: Where,
) -> None:
    """Do a sweep and print its worst outcomes: so many, None for all of them, in a format."""
    (way, what), (top, format_) = sweep, shown
    scenario = as_numbered(design, scenario)
    if way == "monte-carlo":
        if not rates:
            raise click.UsageError("--sweep monte-carlo needs a --failure-rate, as link=0.001.")
        found = failures.monte_carlo(design, scenario, rates, int(what), scenario.seed, _progress, where)
    else:
        if rates:
            raise click.UsageError("--failure-rate goes with --sweep monte-carlo:SAMPLES.")
        run = failures.single if way == "single" else failures.pairs
        found = run(design, scenario, what, _progress, where)
    say(_json(found, sweep, top) if format_ == "json" else _text(found, scenario, sweep, top))


_reported = [0]


def _progress(share: float) -> None:
    """A line for every quarter done."""
    quarter = int(4 * share)
    if quarter != _reported[0]:
        _reported[0] = quarter
        if 0 < quarter < 4:
            tell(f"{25 * quarter} % done")


def _json(found: Sweep, sweep: tuple[str, str], top: int | None) -> str:
    name = (":" if sweep[0] == "monte-carlo" else "-").join(sweep)
    return json_text({"sweep": name} | as_json(found, outcomes=found.outcomes[:top]))


def _text(found: Sweep, scenario: Scenario, sweep: tuple[str, str], top: int | None) -> str:
    shown = found.outcomes[:top]
    listed = "failed slowed time_s lost_ranks note_or_hottest"
    table = ResultTable.of(shown, f"samples {listed}" if sweep[0] == "monte-carlo" else listed)
    lines = [
        f"{scenario.title}, {' '.join(sweep)} failures: {format_count(found.n_tried)} tried, "
        f"healthy {format_time(found.healthy.time_s)}",
        *_summary(found),
        *([found.assumed_note] if found.assumed_note else []),
        "",
        table.text(indent=""),
    ]
    if len(shown) < len(found.outcomes):
        lines.append(f"and {format_count(len(found.outcomes) - len(shown))} more: --links all")
    if not found.is_exact:
        lines.append("Not all pairs were tried, only pairs of the worst single failures, so no median is given.")
    return "\n".join(lines)


def _summary(found: Sweep) -> list[str]:
    """What is lost, and the slowdown where nothing is."""
    lines, cut_off, worst = [], found.n_cut_off, found.slowdown_at(1.0)
    some_left = any(outcome.slowdown is None and outcome.time_s is not None for outcome in found.outcomes)
    if cut_off:
        lines.append(
            f"ranks lost: by {format_count(cut_off)} of {format_count(found.n_tried)}, at most "
            f"{format_count(found.most_lost_ranks)} of {format_count(found.healthy.ranks)} ranks"
            + ("; the times are for the remaining ranks, which have less to do" if some_left else "")
        )
    if worst is not None:
        shares = SHARES if found.is_exact else ()
        within = [f"{round(100 * share)} % within {found.slowdown_at(share):.3f}x" for share in shares]
        what = f"slowdown of the other {format_count(found.n_tried - cut_off)}" if cut_off else "slowdown"
        lines.append(f"{what}: {', '.join([*within, f'worst {worst:.3f}x'])}")
    if found.worst_by_role:
        lines.append(f"by role: {found.worst_by_role}")
    return lines
