"""`simulate --through NAME:PORT`: the flows that leave by a port, as a table or JSON."""

from collections.abc import Iterator

from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.tables import table
from designer.graph.arrays import Graph
from designer.simulation.engine import simulate
from designer.simulation.explain.flows_on_link import FlowsOnLink, arc_at, flows_on_link
from designer.simulation.scenario import Scenario
from designer.units import format_count

ALL = 10_000_000
LANES_SHOWN = 40


def run_flows_on_link(graph: Graph, scenario: Scenario, name: str, top: int | None, format_: str) -> None:
    """Print what crosses the link; `top` flows and pairs of servers, None for all of them."""
    arc = arc_at(graph, name)
    found = flows_on_link(simulate(graph, scenario), scenario, arc, ALL if top is None else top)
    if format_ == "json":
        say(json_text(found.as_dict()))
    else:
        say("\n\n".join([_head(found, scenario), *_sections(found)]))


def _head(found: FlowsOnLink, scenario: Scenario) -> str:
    flows = "1 flow" if found.flows == 1 else f"{format_count(found.flows)} flows"
    lines = [
        f"{scenario.title}, {scenario.routing}: {found.name}",
        f"{flows}, {found.carried(found.bytes)}, peak utilization {_percent(found.utilization)}",
    ]
    return "\n".join([*lines, found.story] if found.story else lines)


def _sections(found: FlowsOnLink) -> Iterator[str]:
    if found.pairs:
        yield f"by {found.pairs_of.removesuffix('s')} ({_of(len(found.pairs), found.n_pairs)} pairs)\n{_pairs(found)}"
    if found.crossings:
        yield f"flows ({_of(len(found.crossings), found.flows)})\n{_flows(found)}"
    if found.lanes:
        shown = min(len(found.lanes), LANES_SHOWN)
        yield f"other lanes of equal cost ({_of(shown, len(found.lanes))})\n{_lanes(found)}"


def _pairs(found: FlowsOnLink) -> str:
    rows = [
        (p.source, "->", p.target, format_count(p.flows), found.carried(p.bytes), _percent(p.bytes / found.bytes))
        for p in found.pairs
    ]
    head = ("from", "", "to", "flows", "bytes", "of the link's")
    return table(rows, headings=head, right=(3, 4, 5), indent="  ")


def _flows(found: FlowsOnLink) -> str:
    rows = [
        (
            f"{f.rank} -> {f.to_rank}",
            f.source,
            "->",
            f.target,
            _percent(f.share),
            found.carried(f.bytes),
            f.phase,
        )
        for f in found.crossings
    ]
    head = ("ranks", "from", "", "to", "goes here", "bytes", "phase")
    return table(rows, headings=head, right=(4, 5), indent="  ")


def _lanes(found: FlowsOnLink) -> str:
    rows = [
        (
            f"{found.source} {lane.port}",
            "->",
            f"{lane.target} {lane.target_port}",
            found.carried(lane.bytes),
            _percent(lane.utilization),
            "idle" if lane.is_idle else "",
        )
        for lane in found.lanes[:LANES_SHOWN]
    ]
    head = ("port", "", "to", "bytes", "peak", "")
    return table(rows, headings=head, right=(3, 4), indent="  ")


def _of(shown: int, count: int) -> str:
    return f"{format_count(shown)} of {format_count(count)}"


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"
