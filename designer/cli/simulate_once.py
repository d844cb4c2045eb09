"""`simulate` of one scenario: its time and hot links, or the flows over one of them. Loads the engine."""

from collections.abc import Callable

from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.simulate_link import run_flows_on_link
from designer.cli.simulate_text import report
from designer.model.design import Design
from designer.simulation.designs import graph_for, simulate_on
from designer.simulation.explain.collisions import hash_collisions
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json


def run_once(
    design: Design,
    scenario: Scenario,
    through: str | None,
    top: int | None,
    format_: str,
    keep: Callable[[Result], None] | None = None,
) -> None:
    """Run the scenario without what it names as failed; `through` a port, list the flows that leave there.

    `keep` gets the result before anything is printed.
    """
    graph, scenario = graph_for(design, scenario)
    if through is not None:
        run_flows_on_link(graph, scenario, through, top, format_)
        return
    result = simulate_on(design, graph, scenario)
    hashed = hash_collisions(result, scenario)
    if keep is not None:
        keep(result)
    if format_ == "json":
        row = result.as_dict(top)
        if hashed:
            row["collisions"] = as_json(hashed)
        say(json_text(row))
    else:
        say(report(design, scenario, result, top, hashed))
