"""`simulate --fail X --compare`: what the failure changes, compared with the healthy fabric."""

from dataclasses import replace
from typing import Any

from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.model.design import Design
from designer.simulation.designs import simulate_design
from designer.simulation.engine import simulate
from designer.simulation.failures.impact import FailureImpact, NewlyHot, failure_impact
from designer.simulation.failures.survivors import with_failures
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json
from designer.tables.table import ResultTable, aligned, facts
from designer.units import format_change, format_count, format_signed, format_time

SERVERS_NAMED = 8


def run_compared(design: Design, scenario: Scenario, top: int | None, format_: str) -> None:
    """Run the scenario with and without what has failed; ranks that are cut off are left out and counted."""
    healthy = replace(scenario, failed=())
    before = simulate_design(design, healthy)
    graph, left, _ = with_failures(design, frozenset(scenario.failed), healthy)
    found = failure_impact(before, simulate(graph, left))
    if format_ == "json":
        say(json_text(_row(design, found, scenario, top)))
    else:
        say(_text(design, found, scenario, top))


def _row(design: Design, found: FailureImpact, scenario: Scenario, top: int | None) -> dict[str, Any]:
    return {
        "failed": sorted(scenario.failed),
        "slowdown": found.slowdown,
        "lost_ranks": found.lost_ranks,
        "assumed_note": found.assumed_note or None,
        "busbw_change": found.busbw_change,
        "hot_links": {"before": found.hot_links[0], "after": found.hot_links[1]},
        "saturated_links": {"before": found.full_links[0], "after": found.full_links[1]},
        "newly_hot": as_json(found.newly_hot[:top]),
        "gpus_on_a_neighbours_nic": found.affected_servers.borrowing,
        "gpus_with_fewer_nics": found.affected_servers.thinner,
        "servers_with_less_of_a_way": [design.device(one).name for one in found.affected_servers.servers],
        "before": found.before.as_dict(top),
        "after": found.after.as_dict(top),
    }


def _text(design: Design, found: FailureImpact, scenario: Scenario, top: int | None) -> str:
    before, after = found.before, found.after
    slower = "-" if found.slowdown is None else f"{found.slowdown:.3f}x"
    rows = [
        ("time", format_time(before.time_s), format_time(after.time_s), slower),
        (
            "ranks",
            format_count(before.ranks),
            format_count(after.ranks),
            f"{format_count(found.lost_ranks)} lost" if found.lost_ranks else "none lost",
        ),
        ("links over 80 %", *_counts(found.hot_links)),
        ("links saturated", *_counts(found.full_links)),
    ]
    if before.busbw_gbytes_per_s is not None and after.busbw_gbytes_per_s is not None:
        change = "-" if found.busbw_change is None else format_change(found.busbw_change)
        was, now = (f"{value:.2f} GB/s" for value in (before.busbw_gbytes_per_s, after.busbw_gbytes_per_s))
        rows.insert(1, ("busbw", was, now, change))
    sections = [
        f"{scenario.title} without {', '.join(sorted(scenario.failed))}",
        aligned([("", "healthy", "failed", "change"), *rows], right=(1, 2, 3), indent="  "),
    ]
    for stated in filter(None, (found.assumed_note, *reversed(found.notices), found.loss)):
        sections.insert(1, stated)
    hot = found.newly_hot[:top]
    if hot:
        listed = ResultTable(NewlyHot.COLUMNS, hot).text()
        more = len(found.newly_hot) - len(hot)
        sections.append(listed + (f"\n  and {format_count(more)} more: --links all" if more else ""))
    else:
        sections.append(found.none_hotter)
    if found.affected_servers.servers:
        sections.append(f"{found.affected_servers.sentence}\n{_servers(design, found.affected_servers.servers)}")
    why = found.held_back
    return "\n\n".join([*sections, facts([("bottleneck now", why)])] if why else sections)


def _servers(design: Design, ids: tuple[str, ...]) -> str:
    names = [design.device(one).name for one in ids]
    more = f" and {format_count(len(names) - SERVERS_NAMED)} more" if len(names) > SERVERS_NAMED else ""
    return f"  {', '.join(names[:SERVERS_NAMED])}{more}"


def _counts(pair: tuple[int, int]) -> tuple[str, str, str]:
    return format_count(pair[0]), format_count(pair[1]), format_signed(pair[1] - pair[0])
