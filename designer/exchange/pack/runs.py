"""What the summary of a pack says of simulations: the run of the window, two collectives, and the worst failure."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from designer.catalog.catalog import Catalog, load
from designer.drawing.run_heat import heat_of_run
from designer.errors import DesignerError, sentence
from designer.exchange.pack import html
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.graph.failures import failed_name
from designer.model.design import Design
from designer.simulation.advice.advise import Situation, advise
from designer.simulation.advice.remedy import Advice
from designer.simulation.assumptions import assumptions_for_readers
from designer.simulation.designs import simulate_on
from designer.simulation.explain.reasons import each_once, more_alike
from designer.simulation.failures.survivors import with_failures
from designer.simulation.failures.worst import LEAST_SLOWDOWN, slowdown_text
from designer.simulation.reported import REPORTED_TRAFFIC, FabricFailures, fabric_failures
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.tables.columns import exact_percent
from designer.units import format_bandwidth, format_count, format_size, format_time, some_of
from designer.validation.judging import new_error

REASONS_SHOWN = 6
RANKS_TRIED = 4_096
"""With more ranks nothing is tried that would help: each change takes seconds."""
HELPFUL_SHOWN = 5
"""Changes that would help, the largest gain first, before the rest is counted."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Traffic that the page shows, and what is marked as failed meanwhile."""

    scenario: Scenario
    failed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Run:
    """A simulation that the page shows; without a result a sentence that says why there is none."""

    asked: Asked
    result: Result | None
    refusal: str = ""
    advice: Advice | None = None
    """What would help, all of it tried; None where the run is too large for that."""

    def failures(self, design: Design) -> str:
        """What is marked as failed, by name: "spine-01, spine-02 and 3 more"; "" where nothing is."""
        return some_of([failed_name(design, one) for one in sorted(self.asked.failed)])

    @property
    def n_congested(self) -> int:
        """How many links are congested in either direction, as pictures of the loads count them; 0 without a result."""
        return 0 if self.result is None else heat_of_run(0, self.result, "").n_congested

    @property
    def text(self) -> str:
        """Traffic, algorithm, routing, size and ranks."""
        if self.result is not None:
            return self.result.run_text
        scenario = self.asked.scenario
        return f"{scenario.title} · {scenario.routing_text}, {format_size(scenario.size_bytes)}"


@dataclass(frozen=True, slots=True)
class Runs:
    """The simulations of a page: `chosen` is the one that was on the screen when the pack was made."""

    chosen: Run | None
    usual: tuple[Run, ...]
    failures: FabricFailures

    @property
    def shown(self) -> tuple[Run, ...]:
        """All of them, that of the window first."""
        return self.usual if self.chosen is None else (self.chosen, *self.usual)

    @property
    def drawn(self) -> tuple[Run, ...]:
        """Those whose loads the page draws: the run that was on the screen, and that with the most congested links.

        Of runs without any the first; without a result the first that there is, which says why.
        """
        done = [one for one in self.shown if one.result is not None]
        if not done:
            return self.shown[:1]
        worst = max(done, key=lambda one: one.n_congested)
        first = next((one for one in done if one is self.chosen), worst)
        return (first,) if first.n_congested or not worst.n_congested else (first, worst)


def simulated(design: Design, asked: Asked | None = None) -> Runs:
    """The usual traffic on the design, and what was asked for in addition."""
    catalog = load()
    usual = [_run(design, Asked(one), catalog) for one in REPORTED_TRAFFIC if asked != Asked(one)]
    chosen = _run(design, asked, catalog) if asked is not None else None
    return Runs(chosen, tuple(usual), fabric_failures(design))


def _run(design: Design, asked: Asked, catalog: Catalog) -> Run:
    scenario, failed = asked.scenario, frozenset(one for one in asked.failed if design.entity(one) is not None)
    asked = replace(asked, failed=failed)
    try:
        graph = healthy = build(design, network=scenario.network)
        if failed:
            graph, scenario, _ = with_failures(design, failed, scenario, healthy)
        result = simulate_on(design, graph, scenario)
        return Run(asked, result, advice=_advice(design, asked, healthy, result, catalog))
    except DesignerError as error:
        return Run(asked, None, sentence(str(error)))


def _advice(design: Design, asked: Asked, healthy: Graph, result: Result, catalog: Catalog) -> Advice | None:
    """All that *What Would Help?* tries, without a budget of time: the same design gives the same page."""
    if result.ranks > RANKS_TRIED:
        return None
    now = Situation(design, asked.scenario, asked.failed, healthy, result, catalog, new_error)
    return advise(now, budget_s=math.inf)


def sections(design: Design, runs: Runs) -> Iterator[str]:
    """A section for each run, for the worst failure, and for what all of it assumes."""
    for run in runs.shown:
        where = "Selected simulation" if run is runs.chosen else "Simulation"
        yield html.heading(f"{where}: {run.text}")
        yield from _section(design, run)
    yield html.heading("Worst failure")
    yield from _worst(runs)
    yield from _assumptions([run for run in runs.shown if run.result is not None])


def _section(design: Design, run: Run) -> Iterator[str]:
    result = run.result
    if result is None:
        yield html.paragraph(f"Not simulated: {run.refusal}")
        return
    yield html.facts(_figures(design, run, result))
    if result.bottlenecks:
        yield html.subheading("Bottleneck")
        for first, more in each_once(result.bottlenecks)[:REASONS_SHOWN]:
            yield html.paragraph(html.arrows(f"{first.why}{more_alike(more)}"))


def _figures(design: Design, run: Run, result: Result) -> Iterator[tuple[str, str]]:
    yield "Traffic", result.run_text
    if run.asked.failed:
        yield "Marked as failed", run.failures(design)
    yield "Size", f"{format_size(result.size_bytes)} ({result.model.size_bytes_means})"
    yield "Time", format_time(result.time_s)
    if result.algbw_gbytes_per_s is not None and result.busbw_gbytes_per_s is not None:
        yield "Algorithm bandwidth", format_bandwidth(result.algbw_gbytes_per_s)
        yield "Bus bandwidth", format_bandwidth(result.busbw_gbytes_per_s)
    if run.advice is not None:
        yield "What would help", _helpful_text(run.advice)
    notes = (*result.notices, result.time_note, result.latency_note)
    for note in filter(None, notes):
        yield "Note", sentence(note)


def _helpful_text(advice: Advice) -> str:
    """A line for each change that would help, as the window lists them; without any that nothing would, and why."""
    if not advice.helpful:
        return sentence(advice.summary)
    lines = [html.arrows(one.sentence) for one in advice.helpful]
    more = len(lines) - HELPFUL_SHOWN
    return "\n".join((*lines[:HELPFUL_SHOWN], *([f"and {format_count(more)} more"] if more > 0 else [])))


def _worst(runs: Runs) -> Iterator[str]:
    failures = runs.failures
    worst = failures.worst
    if worst.loss is None:
        yield html.paragraph(f"Not known: {worst.text or 'there is nothing that could fail'}.")
        return
    traffic = REPORTED_TRAFFIC[0]
    run = next((one for one in runs.shown if one.asked == Asked(traffic)), None)
    yield html.facts(
        (
            ("What fails", worst.text),
            ("Throughput lost", exact_percent(worst.loss)),
            *_apart(failures),
            ("Traffic", f"{run.text if run is not None else traffic.title}, in the ideal model"),
            ("Looked for among", "every switch, and every cable and optic between switches, one at a time"),
        )
    )


def _apart(failures: FabricFailures) -> Iterator[tuple[str, str]]:
    """GPUs cut off, which ends a job, and the longer time of the others."""
    cut, slow = failures.severing, failures.slowing
    if cut.cut_off is not None:
        yield "GPUs cut off at most", f"{format_count(cut.cut_off)}, by {cut.part}" if cut.cut_off else "none"
    if slow.slowdown is not None:
        text = slowdown_text(slow.slowdown)
        yield "Slowdown of the others at most", f"{text}, by {slow.part}" if slow.slowdown >= LEAST_SLOWDOWN else text


def _assumptions(runs: Sequence[Run]) -> Iterator[str]:
    """Those of the first run, then of each other where it assumes something else."""
    known: dict[str, str] = {}
    for run in runs:
        assert run.result is not None
        rows = [(name, text) for name, text in assumptions_for_readers(run.result.model) if known.get(name) != text]
        if rows:
            yield html.subheading(f"Other assumptions: {run.text}" if known else "Assumptions")
            yield html.facts(rows)
        known = known or dict(rows)
