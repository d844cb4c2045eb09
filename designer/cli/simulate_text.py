"""What `simulate` prints for people: times first, then where it is hot and why, then what was assumed."""

from collections.abc import Iterable, Iterator
from functools import partial

from designer.cli.simulate_collisions import collision_section
from designer.cli.simulate_congestion import congestion_sections
from designer.model.design import Design
from designer.simulation.assumptions import assumptions
from designer.simulation.explain.collisions import Collisions
from designer.simulation.explain.reasons import each_once, more_alike
from designer.simulation.explain.tiers import tier_loads
from designer.simulation.result import Bottleneck, PhaseTime, Result
from designer.simulation.scenario import Scenario
from designer.tables.table import ResultTable, facts
from designer.units import (
    format_bandwidth,
    format_capacity,
    format_carried,
    format_count,
    format_counted,
    format_size,
    format_time,
)

REASONS_SHOWN = 6
LINK = "end arrow far_end capacity_gbps bytes utilization_mean"


def report(
    design: Design, scenario: Scenario, result: Result, n_links: int | None, hashed: tuple[Collisions, ...] = ()
) -> str:
    """The whole text of a result; `n_links` as in `Result.links`."""
    sections = [f"{scenario.title} on {design.name}\n{facts(_figures(result))}"]
    if len(result.phases) > 1:
        sections.append(f"phases\n{ResultTable(PhaseTime.COLUMNS, result.phases).text()}")
    tiers = tier_loads(design, result)
    if tiers:
        sections.append(
            f"load by tier (each direction; mean over the run)\n{ResultTable(tiers[0].columns, tiers).text()}"
        )
    if result.bottlenecks:
        sections.append(f"bottleneck\n{reasons(result.bottlenecks)}")
    collided = collision_section(hashed)
    if collided is not None:
        sections.append(collided)
    if result.congestion is not None:
        sections.extend(congestion_sections(result.congestion))
    links = result.links(n_links)
    if links:
        shown, of = len(links), 2 * len(result.link_utilization())
        heading = f"hottest links ({format_count(shown)} of {format_count(of)} directions)"
        table = ResultTable.of(links, f"{LINK}{' utilization_peak' if result.are_peaks_known else ''}")
        in_units = table.with_texts(bytes=partial(format_carried, given_bytes=result.size_bytes))
        sections.append(f"{heading}\n{in_units.text()}")
    sections.append(f"assumed\n{facts(indented(assumptions(result.model)))}")
    sections.append(f"computed in {format_time(result.wall_s)}")
    return "\n\n".join(sections)


def _figures(result: Result) -> Iterator[tuple[str, str]]:
    yield "ranks", format_count(result.ranks)
    yield "size", f"{format_size(result.size_bytes)} ({result.model.size_bytes_means})"
    note = f" ({result.time_note})" if result.time_note else ""
    yield "time", f"{format_time(result.time_s)}{note}"
    if result.algbw_gbytes_per_s is not None and result.busbw_gbytes_per_s is not None:
        yield "algbw", format_bandwidth(result.algbw_gbytes_per_s)
        yield "busbw", format_bandwidth(result.busbw_gbytes_per_s)
    for notice in result.notices:
        yield "note", notice
    if result.latency_note:
        yield "note", result.latency_note.removesuffix(".")
    if result.imbalance_note:
        yield "note", result.imbalance_note
    if result.choice_note:
        yield "chosen", result.choice_note
    if result.unstated_note:
        yield "assumed", result.unstated_note
    if result.flows is not None:
        yield "flows", result.flows.who_sends.text
        rates = (result.flows.rate_min_gbps, result.flows.rate_mean_gbps, result.flows.rate_max_gbps)
        if None not in rates:
            least, mean, most = (format_capacity(rate) for rate in rates if rate is not None)
            yield "rates", f"{least} least, {mean} mean, {most} most, of payload at the start"


def reasons(bottlenecks: tuple[Bottleneck, ...]) -> str:
    """Each reason once, with the first place it holds and how many more there are."""
    found = each_once(bottlenecks)
    lines = [f"  {first.why}{more_alike(more)}" for first, more in found[:REASONS_SHOWN]]
    if len(found) > REASONS_SHOWN:
        lines.append(f"  and {format_counted(len(found) - REASONS_SHOWN, 'more reason')}: see --format json")
    return "\n".join(lines)


def indented(rows: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The rows below a heading."""
    return ((f"  {name}", value) for name, value in rows)
