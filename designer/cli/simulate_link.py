"""`simulate --through NAME:PORT`: the flows that leave by a port, as a table or JSON."""

from collections.abc import Iterator

from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.graph.arrays import Graph
from designer.simulation.engine import simulate
from designer.simulation.explain.flows_on_link import FlowsOnLink, Pair, arc_at, flows_on_link
from designer.simulation.scenario import Scenario
from designer.tables.columns import Column, as_json, exact_percent, fine_percent
from designer.tables.table import ResultTable
from designer.units import format_count

ALL = 10_000_000
LANES_SHOWN = 40


def run_flows_on_link(graph: Graph, scenario: Scenario, name: str, top: int | None, format_: str) -> None:
    """Print what crosses the link; `top` flows and pairs of servers, None for all of them."""
    arc = arc_at(graph, name)
    found = flows_on_link(simulate(graph, scenario), scenario, arc, ALL if top is None else top)
    if format_ == "json":
        say(json_text(as_json(found)))
    else:
        say("\n\n".join([_head(found, scenario), *_sections(found)]))


def _head(found: FlowsOnLink, scenario: Scenario) -> str:
    flows = "1 flow" if found.flows == 1 else f"{format_count(found.flows)} flows"
    lines = [
        f"{scenario.title}, {scenario.routing}: {found.name}",
        f"{flows}, {found.carried(found.bytes)}, peak utilization {exact_percent(found.utilization)}",
    ]
    return "\n".join([*lines, found.story] if found.story else lines)


def _sections(found: FlowsOnLink) -> Iterator[str]:
    if found.pairs:
        of = Column("of", "Of the link's", lambda pair: pair.bytes / found.bytes, fine_percent, right=True)
        pairs = ResultTable((*Pair.COLUMNS, of), found.pairs).with_texts(bytes=found.carried)
        yield f"by {found.pairs_of.removesuffix('s')} ({_of(len(found.pairs), found.n_pairs)} pairs)\n{pairs.text()}"
    if found.crossings:
        flows = ResultTable.of(found.crossings, "ranks from arrow to share bytes phase").with_texts(bytes=found.carried)
        yield f"flows ({_of(len(found.crossings), found.flows)})\n{flows.text()}"
    if found.lanes:
        shown = found.lanes[:LANES_SHOWN]
        lanes = ResultTable.of(shown, "port arrow far_end bytes utilization_peak idle")
        lanes = lanes.with_texts(port=lambda port: f"{found.source} {port}", bytes=found.carried)
        yield f"other lanes of equal cost ({_of(len(shown), len(found.lanes))})\n{lanes.text()}"


def _of(shown: int, count: int) -> str:
    return f"{format_count(shown)} of {format_count(count)}"
