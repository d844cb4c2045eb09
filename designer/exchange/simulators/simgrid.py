"""A platform of SimGrid: GPUs as hosts, each direction of a link as a link, and our routes between all pairs.

Zone "Full" with every route written out: SimGrid's own shortest paths are not those of a fabric. Sources: SimGrid
manual, "The XML platform file format", and "Network models"; model CM02 without cross traffic, factors and windows
shares links max-min fairly, weighted by latency where there is any.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from designer.errors import ExportError, GraphError
from designer.exchange.options import Progress, unheard
from designer.exchange.simulators.options import SimGridOptions
from designer.exchange.simulators.vertex_names import arc_names, vertex_names
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing.network import network
from designer.routing.policies import policy_named
from designer.simulation.engine import assumed_latencies
from designer.simulation.payload_rate import payload_rate
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.units import format_count

MOST_ROUTES = 1_050_000
"""Of some 360 letters each: 1,024 GPUs, a file of 380 MB, which SimGrid reads in some 20 seconds."""
ROWS_AT_ONCE = 16
NO_LIMIT_BYTES_PER_S = 1e18
"""What a connection inside a server that limits nothing is written with: SimGrid has no link without a bandwidth."""

CONFIGURATION = {
    "network/model": "CM02",
    "network/crosstraffic": "no",
    "network/bandwidth-factor": "1",
    "network/latency-factor": "1",
    "network/weight-S": "0",
    "network/TCP-gamma": "0",
}
"""Flows as this program has them; a --cfg on SimGrid's command line goes before these."""


@dataclass(frozen=True, slots=True, eq=False)
class Routed:
    """Paths between all ordered pairs of ranks: arcs[start[p]:start[p + 1]] of pair p, by sender, then by receiver."""

    graph: Graph
    ranks: NDArray[np.int64]  # (n_ranks,)
    start: NDArray[np.int64]  # (n_pairs + 1,)
    arcs: NDArray[np.int32]


def routed(design: Design, options: SimGridOptions) -> Routed:
    """The route of each pair. Raises ExportError for too many, and where a flow takes several paths."""
    graph = build(design)
    if not graph.n_endpoints:
        raise ExportError("there is no GPU to simulate: place servers first")
    net = network(graph)
    ranks = participants(net, Scenario(traffic="all-to-all", ranks=options.ranks))
    n = len(ranks)
    if n * (n - 1) > MOST_ROUTES:
        most = int(MOST_ROUTES**0.5)
        raise ExportError(
            f"{format_count(n)} GPUs have {format_count(n * (n - 1))} routes, and a platform with more than "
            f"{format_count(MOST_ROUTES)} is too large for SimGrid to read: write some of the GPUs "
            f"(ranks={most}, or a list), or a smaller design"
        )
    policy = policy_named(options.routing)
    src, dst = np.repeat(ranks, n), np.tile(ranks, n)
    src, dst = src[src != dst], dst[src != dst]
    try:
        paths = policy.route(
            policy.prepared(net), src, dst, np.ones(len(src)), np.zeros(len(src), np.int64), options.seed
        )
    except GraphError as error:
        raise ExportError(f"there is no route for each pair: {error}") from None
    if not (paths.weights == 1.0).all():
        raise ExportError(
            f"routing {options.routing} splits a flow over several paths, and a route of SimGrid is one path: write "
            "routing=destination or routing=ecmp"
        )
    return Routed(graph, ranks, paths.start, paths.arcs)


def write_simgrid(design: Design, path: Path, options: SimGridOptions, progress: Progress = unheard) -> None:
    """Write the platform. Raises ExportError, and OSError where it cannot be written."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines(routed(design, options), options, progress))


def summary(design: Design, options: SimGridOptions) -> str:
    """ "128 hosts, 16,256 routes", and what the platform had to assume."""
    graph = build(design)
    n = len(participants(network(graph), Scenario(traffic="all-to-all", ranks=options.ranks)))
    speed = "" if options.speed is not None else "; each computes 1 flop/s, which stands in for a speed"
    assumed = f"; latencies assumed: {', '.join(_assumed(graph))}" if options.latency and graph.unknown else ""
    return f"{format_count(n)} hosts, {format_count(n * (n - 1))} routes by {options.routing}{speed}{assumed}"


def _assumed(graph: Graph) -> list[str]:
    return [unknown.what for unknown in graph.unknown]


def lines(found: Routed, options: SimGridOptions, progress: Progress = unheard) -> Iterator[str]:
    """The platform, line by line."""
    graph, ranks = found.graph, found.ranks.tolist()
    yield "<?xml version='1.0'?>"
    yield '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
    yield "<!-- Each direction of a link is a link of its own; bandwidth is payload. What PCIe carries is not modelled:"
    yield f"     {NO_LIMIT_BYTES_PER_S:g}Bps stands for no limit. -->"
    if options.speed is None:
        yield "<!-- The speed of a GPU is not known: 1 flop/s stands in. -->"
    if options.latency:
        yield from (f"<!-- {line.replace('--', '-')} -->" for line in assumed_latencies(graph))
    yield '<platform version="4.1">'
    yield "  <config>"
    yield from (f'    <prop id="{key}" value="{value}"/>' for key, value in CONFIGURATION.items())
    yield "  </config>"
    yield '  <zone id="AS0" routing="Full">'
    vertices = vertex_names(graph)
    speed = f"{1.0 if options.speed is None else options.speed:.12g}f"
    yield from (f'    <host id="{vertices[rank]}" speed="{speed}"/>' for rank in ranks)
    used = np.unique(found.arcs).tolist()
    names = arc_names(graph, used, vertices)
    yield from _links(graph, used, names, with_latency=options.latency)
    yield from _routes(found, [vertices[rank] for rank in ranks], names, progress)
    yield "  </zone>"
    yield "</platform>"


def _links(graph: Graph, arcs: list[int], names: dict[int, str], *, with_latency: bool) -> Iterator[str]:
    capacity = payload_rate(graph, None).capacity
    for arc in arcs:
        rate = float(capacity[arc])
        latency_s = float(graph.latency_ns[arc]) * 1e-9 if with_latency else 0.0
        policy = "SHARED" if np.isfinite(rate) else "FATPIPE"
        rate = rate if np.isfinite(rate) else NO_LIMIT_BYTES_PER_S
        yield (
            f'    <link id="{names[arc]}" bandwidth="{rate:.12g}Bps" latency="{latency_s:.12g}s" '
            f'sharing_policy="{policy}"/>'
        )


def _routes(found: Routed, hosts: list[str], names: dict[int, str], progress: Progress) -> Iterator[str]:
    crossed = {arc: f'<link_ctn id="{name}"/>' for arc, name in names.items()}
    arcs, start = found.arcs.tolist(), found.start.tolist()
    pair = 0
    for number, source in enumerate(hosts):
        if number % ROWS_AT_ONCE == 0:
            progress(number / len(hosts))
        for target in hosts:
            if target is not source:
                inside = "".join(map(crossed.__getitem__, arcs[start[pair] : start[pair + 1]]))
                yield f'    <route src="{source}" dst="{target}" symmetrical="NO">{inside}</route>'
                pair += 1
