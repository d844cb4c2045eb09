"""What `paths` prints. Loads the engine."""

from collections.abc import Iterator

from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.model.design import Design
from designer.simulation.designs import graph_for
from designer.simulation.engine import simulate
from designer.simulation.paths.between import paths_between
from designer.simulation.paths.place import place_named
from designer.simulation.paths.rows import NUMBERED_HOPS, PathHop, PathsBetween, numbered_hops
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json, pick
from designer.tables.table import ResultTable


def run_paths(
    design: Design, scenario: Scenario, ends: tuple[str, str], top: int | None, format_: str, is_run: bool
) -> None:
    """Print the paths from end to end; with the loads of the scenario where it `is_run`."""
    places = place_named(design, ends[0]), place_named(design, ends[1])
    graph, scenario = graph_for(design, scenario)
    result = simulate(graph, scenario) if is_run else None
    found = paths_between(design, graph, scenario, places, result, top, is_run=is_run)
    if format_ == "json":
        say(json_text(as_json(found)))
    else:
        say("\n\n".join(_sections(found)))


def _sections(found: PathsBetween) -> Iterator[str]:
    head = [f"{found.source} to {found.target}, {found.routing}", found.summary, found.note]
    yield "\n".join(line for line in head if line)
    if found.paths:
        via = "via " if any(path.via for path in found.paths) else ""
        paths = ResultTable.of(found.paths, f"from arrow to {via}share paths capacity_gbps utilization latency_ns")
        yield f"paths\n{paths.text()}"
        hops = numbered_hops(found)
        names = "end arrow far_end share capacity_gbps utilization latency_ns"
        columns = (NUMBERED_HOPS[0], *(column.within("hop") for column in pick(PathHop.COLUMNS, names)))
        yield f"hops of each path\n{ResultTable(columns, hops).text()}"
