"""What `advise` prints. Loads the engine."""

from collections.abc import Iterator
from dataclasses import replace

from designer.catalog.catalog import load
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.graph.building.build import build
from designer.model.design import Design
from designer.simulation.advice.advise import Situation, advise
from designer.simulation.advice.remedy import Advice
from designer.simulation.designs import simulate_on
from designer.simulation.failures.survivors import with_failures
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json
from designer.tables.table import ResultTable
from designer.units import format_time
from designer.validation.judging import new_error


def run_advise(design: Design, scenario: Scenario, budget_s: float, format_: str) -> None:
    """Run the scenario, try what may help, and print what does."""
    failed, asked = frozenset(scenario.failed), replace(scenario, failed=())
    healthy = build(design, network=scenario.network)
    graph, run = healthy, asked
    if failed:
        graph, run, _ = with_failures(design, failed, asked, healthy)
    now = Situation(design, asked, failed, healthy, simulate_on(design, graph, run), load(), new_error)
    advice = advise(now, budget_s=budget_s)
    say(json_text(as_json(advice)) if format_ == "json" else "\n\n".join(_sections(scenario, advice)))


def _sections(scenario: Scenario, advice: Advice) -> Iterator[str]:
    yield f"{scenario.title}, {scenario.routing}: {format_time(advice.before.time_s)}\n{advice.summary}"
    if advice.helpful:
        yield ResultTable.of(advice.helpful, "title times gain_text adds").text()
    ran = [trial.remedy.title for trial in advice.trials if trial.result is not None and not trial.helps]
    refused = [f"{trial.remedy.title}: {trial.refused}" for trial in advice.trials if trial.refused]
    waiting = [remedy.title for remedy in advice.waiting]
    for heading, rows in (("tried without gain", ran), ("cannot be tried", refused), ("not tried", waiting)):
        if rows:
            yield "\n".join((heading, *(f"  {row}" for row in rows)))
