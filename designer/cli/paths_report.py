"""What `paths` prints. Loads the engine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.model.design import Design
from designer.simulation.designs import graph_for
from designer.simulation.engine import simulate
from designer.simulation.paths.between import paths_between
from designer.simulation.paths.places import place_named
from designer.simulation.paths.rows import PathsBetween
from designer.simulation.scenario import Scenario
from designer.tables.columns import Column, as_json
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
        rows = [_Numbered(number, path) for number, path in enumerate(found.paths, 1)]
        yield f"paths\n{_table(rows, f'from arrow to {via}share paths capacity_gbps utilization latency_ns')}"
        hops = [_Numbered(row.number, hop) for row in rows for hop in row.row.hops]
        yield f"hops of each path\n{_table(hops, 'end arrow far_end share capacity_gbps utilization latency_ns')}"


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A path, or one of its hops, under the number of the path."""

    number: int
    row: Any


def _table(rows: Sequence[_Numbered], names: str) -> str:
    columns = ResultTable.of([row.row for row in rows], names).columns
    number = Column("number", "Path", right=True)
    return ResultTable((number, *(column.within("row") for column in columns)), rows).text()
