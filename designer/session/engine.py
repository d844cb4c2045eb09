"""What workers compute for the workbench. Loads simulation and rules, so only workers load it (see `late`)."""

import os
import sys
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from designer.catalog.catalog import Catalog
from designer.drawing.heat import Heat
from designer.drawing.run_heat import heat_of_run
from designer.errors import Cancelled, DesignerError, GraphError
from designer.exchange.acceptance.overlay import Overlaid, overlaid
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.graph.building.edited import Base, up_to_date
from designer.measurements.reading import read_measurements
from designer.model.design import Design
from designer.session.jobs import Progress
from designer.session.tips import Tip
from designer.simulation.advice import advise
from designer.simulation.advice.remedy import Remedy
from designer.simulation.curve import Curve, curve
from designer.simulation.designs import simulate_on
from designer.simulation.explain.compare_runs import RunComparison, compare_runs
from designer.simulation.explain.flow_path import links_of_flow
from designer.simulation.explain.flows_on_link import FlowsOnLink, arc_of
from designer.simulation.explain.flows_on_link import flows_on_link as flows_on_arc
from designer.simulation.explain.tiers import TierLoad, tier_loads
from designer.simulation.failures import sweep as failures
from designer.simulation.failures.lost import failure_words, lost_note
from designer.simulation.failures.survivors import with_failures
from designer.simulation.failures.sweep import Sweep
from designer.simulation.jobs.design_jobs import jobs_of
from designer.simulation.jobs.interference import simulate_jobs
from designer.simulation.jobs.job_result import JobsResult
from designer.simulation.paths.between import paths_between
from designer.simulation.paths.place import Place
from designer.simulation.paths.rows import PathsBetween
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.validation.judging import new_error
from designer.validation.live import Live, Whole
from designer.validation.live import check_whole as whole_findings

MOST_FLOWS = 200
NICENESS = 10
"""Of the thread that tries what would help."""


class Run(NamedTuple):
    """A simulation of the design, and what the window shows of it."""

    result: Result
    heat: Heat
    scenario: Scenario | None
    """As it was run: of the ranks that are left where a failure cuts some off; None where it was run elsewhere."""
    healthy: Graph | None
    """The graph of the design without failures."""
    comparison: RunComparison | None
    """What it changed against the run before it of the same scenario."""


class Curves(NamedTuple):
    """The curves that could be computed, and a sentence for each that could not."""

    found: tuple[Curve, ...] = ()
    refused: tuple[str, ...] = ()
    overlaid: tuple[Overlaid, ...] = ()
    """What was measured over each of them; none without logs."""


class JobsRun(NamedTuple):
    """The design's jobs run together, and how hot that makes the links."""

    result: JobsResult
    heat: Heat


def live(design: Design, progress: Progress) -> Live:
    """The findings of a design, to be kept edit by edit."""
    return Live(design, progress)


def check_whole(design: Design, codes: Collection[str], progress: Progress) -> Whole:
    """What rules about the whole find in a design."""
    return whole_findings(design, codes, progress)


def run_scenario(
    design: Design,
    scenario: Scenario,
    failed: frozenset[str],
    base: Base | None,
    before: Result | None,
    progress: Progress,
    had_failed: frozenset[str] | None = None,
) -> Run:
    """Simulate a scenario without what is marked as failed; compare it with the run before, if there is one.

    `had_failed` was marked as failed in the run before; None where the design was another, too.
    """
    title, note = scenario.summary, ""
    lost: tuple[int, ...] = ()
    healthy = graph = up_to_date(base, design, scenario.network)
    if failed:
        graph, scenario, lost = with_failures(design, failed, scenario, healthy)
    if lost:
        assert isinstance(scenario.ranks, tuple)
        note = lost_note(design, lost, len(lost) + len(scenario.ranks))
    try:
        result = simulate_on(design, graph, scenario, progress)
    except Cancelled:
        raise
    except DesignerError as error:
        if lost:
            raise GraphError(f"{note}: {error}") from error
        raise
    if lost:
        result = replace(result, model=replace(result.model, ranks_lost=len(lost), lost_note=note))
    heat = heat_of_run(design.revision, result, title)
    heat.draw_up()
    if before is None:
        return Run(result, heat, scenario, healthy, None)
    words = "" if had_failed is None else failure_words(design, had_failed, failed, before, result)
    return Run(result, heat, scenario, healthy, compare_runs(before, result, words))


def run_healthy(design: Design, scenario: Scenario, base: Base | None, progress: Progress) -> Result:
    """The same with nothing failed."""
    return simulate_on(design, up_to_date(base, design, scenario.network), scenario, progress)


def curves(
    design: Design,
    failed: frozenset[str],
    scenarios: list[Scenario],
    sizes_bytes: tuple[int, ...],
    logs: Sequence[Path],
    progress: Progress,
) -> Curves:
    """Bandwidth by size for each scenario, without what is marked as failed; what the logs measured over it.

    Raises DesignerError or OSError for a log that cannot be read.
    """
    graph = build(design, failed=failed, network=scenarios[0].network)
    found, refused, over = [], [], []
    measured = [one for path in logs for one in read_measurements(path)]
    named = [one for one in measured if one.collective in ("", scenarios[0].collective)]
    others = {row.size_bytes for one in named for row in one.rows if row.size_bytes}
    sizes_bytes = tuple(sorted({*sizes_bytes, *others}))
    for number, scenario in enumerate(scenarios):

        def part(share: float, number: int = number) -> None:
            progress((number + share) / len(scenarios))

        try:
            found.append(curve(graph, scenario, sizes_bytes, part, design))
            if measured:
                over.append(overlaid(design, graph, scenario, measured))
        except Cancelled:
            raise
        except DesignerError as error:
            refused.append(f"{scenario.title}, {scenario.routing_text}: {error}")
    notes = [note for one in over for note in one.notes]
    return Curves(tuple(found), tuple(dict.fromkeys((*refused, *notes))), tuple(over))


def sweep_singly(
    design: Design, scenario: Scenario, failed: frozenset[str], kind: str, progress: Progress, *, pairs: bool = False
) -> Sweep:
    """Fail each of a kind in turn, or each pair, in addition to what is marked as failed."""
    run = failures.pairs if pairs else failures.single
    return run(design, replace(scenario, failed=tuple(sorted(failed))), kind, progress)


def sweep_at_random(
    design: Design,
    scenario: Scenario,
    failed: frozenset[str],
    rates: Mapping[str, float],
    samples: int,
    seed: int,
    progress: Progress,
) -> Sweep:
    """Fail things at random by their rates, in addition to what is marked as failed."""
    scenario = replace(scenario, failed=tuple(sorted(failed)))
    return failures.monte_carlo(design, scenario, dict(rates), samples, seed, progress)


def run_jobs(design: Design, failed: frozenset[str], fabric: Mapping[str, Any], progress: Progress) -> JobsRun:
    """The jobs of the design together, each compared with itself alone."""
    jobs = jobs_of(design, fabric, failed)
    result = simulate_jobs(build(design, failed=failed, network=fabric["network"]), jobs, progress)
    names = ", ".join(job.name for job in jobs)
    label, congested = f"jobs run together: {names}", result.congested_links()
    return JobsRun(result, Heat(design.revision, result.link_utilization(), label, congested=congested))


def tiers(design: Design, result: Result, progress: Progress) -> list[TierLoad]:
    """How full each kind of link is in a result."""
    progress(0.0)
    return tier_loads(design, result)


def flows_on_link(result: Result, scenario: Scenario, link: tuple[str, bool], progress: Progress) -> FlowsOnLink | None:
    """The flows over a link, by its id and whether those from end b to end a are meant, or None."""
    link_id, back = link
    arc = arc_of(result.graph, link_id, back=back)
    return None if arc is None else flows_on_arc(result, scenario, arc, MOST_FLOWS, progress)


def path(
    result: Result, scenario: Scenario, link: tuple[str, bool], ends: tuple[str, str, tuple[int, int] | None]
) -> frozenset[str]:
    """The links that a flow over a link takes, or all flows from one server to another."""
    link_id, back = link
    arc = arc_of(result.graph, link_id, back=back)
    return frozenset() if arc is None else links_of_flow(result, scenario, arc, *ends)


def paths(
    design: Design,
    scenario: Scenario,
    failed: frozenset[str],
    base: Base | None,
    run: Run | None,
    places: tuple[Place, Place],
    progress: Progress,
) -> PathsBetween:
    """The paths between two places of the design without what is marked as failed, with the loads of a run of it."""
    if run is not None and run.scenario is not None:
        return paths_between(design, run.result.graph, run.scenario, places, run.result, progress=progress)
    graph = up_to_date(base, design, scenario.network)
    if failed:
        graph, scenario, _ = with_failures(design, failed, scenario, graph)
    return paths_between(design, graph, scenario, places, progress=progress)


def remedies(
    design: Design, scenario: Scenario, failed: frozenset[str], run: Run, catalog: Catalog
) -> tuple[advise.Situation, list[Remedy]]:
    """What a run was of, and what may make it faster. Raises GraphError for a result that was calculated elsewhere."""
    if run.healthy is None:
        raise GraphError("what would help can be tried only for a run of the Simulation panel")
    _give_way()
    now = advise.Situation(design, scenario, failed, run.healthy, run.result, catalog, new_error)
    return now, advise.remedies(now)


def tip(now: advise.Situation, remedy: Remedy, progress: Progress) -> Tip:
    """What a run with a change gives, and how hot links would be."""
    trial = advise.tried(now, remedy, progress)
    result, heat = trial.result, None
    if result is not None and trial.helps:
        heat = replace(
            heat_of_run(now.design.revision, result, f"Preview: {remedy.title}"), outcome=(trial.both_times,)
        )
        if trial.adds:
            heat = replace(heat, other_design=f"not drawn: {trial.adds}")
        heat.draw_up()
    return Tip(
        remedy.title,
        trial.times if result is not None else "",
        trial.gain,
        trial.gain_text,
        trial.sentence if result is not None else remedy.title,
        remedy.scenario,
        remedy.failed,
        trial.edit,
        heat,
        trial.helps,
        trial.adds,
        trial.refused,
    )


def _give_way() -> None:
    """Let the window and other workers go before this thread and those it starts, where the system can."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
