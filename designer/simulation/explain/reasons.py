"""Why an arc holds the traffic back, in a sentence."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import CROSSBAR, GPU, NIC, Graph
from designer.simulation.explain.pressure import ENOUGH, MOST_ARCS, Pressure
from designer.simulation.payload_rate import payload_text
from designer.simulation.phase_results import PhaseResult
from designer.simulation.result import Bottleneck, is_mostly_latency
from designer.units import BYTES_PER_S_PER_GBPS, format_capacity, format_count, format_counted

DOMAIN_PACE = "; the scale-up domain sets the pace"
NIC_PACE = "; the NIC sets the pace, not the fabric"
LATENCY_PACE = "; latency sets the pace"


def bottlenecks(
    graph: Graph, phase_results: list[PhaseResult], totals_s: list[float], capacity: NDArray[np.float64], time_s: float
) -> tuple[Bottleneck, ...]:
    """The arcs that decide how long the phases take, those of the longest phase first."""
    found: dict[int, Bottleneck] = {}
    for phase in sorted(range(len(phase_results)), key=lambda at: -totals_s[at]):
        if totals_s[phase] < 0.01 * time_s:
            continue
        pressure = phase_results[phase].pressure
        for place, arc in enumerate(pressure.arcs.tolist()):
            if arc not in found and len(found) < MOST_ARCS:
                found[arc] = _bottleneck(graph, arc, place, pressure, float(capacity[arc]))
    return tuple(found.values())


def _bottleneck(graph: Graph, arc: int, place: int, pressure: Pressure, capacity: float) -> Bottleneck:
    source, target = int(graph.source[arc]), int(graph.target[arc])
    link = int(graph.link[arc])
    return Bottleneck(
        source=end_name(graph, source),
        target=end_name(graph, target),
        port=graph.port_name(arc),
        target_port=graph.port_name(arc ^ 1) if link >= 0 else "",
        link_id=graph.link_ids[link] if link >= 0 else None,
        utilization=float(pressure.peak[place]),
        flows=int(pressure.flows[place]),
        why=_why(graph, arc, place, pressure, capacity),
        alike=int(pressure.alike[place]),
    )


def paced(found: tuple[Bottleneck, ...], latency_s: float, time_s: float) -> tuple[Bottleneck, ...]:
    """The bottlenecks of a time; where most of that is latency, each says that latency sets the pace."""
    if not is_mostly_latency(latency_s, time_s):
        return found
    return tuple(replace(one, why=_without_pace(one.why) + LATENCY_PACE) for one in found)


def _without_pace(why: str) -> str:
    return why.removesuffix(LATENCY_PACE).removesuffix(NIC_PACE).removesuffix(DOMAIN_PACE)


def each_once(bottlenecks: Iterable[Bottleneck]) -> list[tuple[Bottleneck, int]]:
    """Each reason once: the first place it holds, and how many more there are like it."""
    groups: dict[str, list[Bottleneck]] = {}
    for bottleneck in bottlenecks:
        place, colon, reason = bottleneck.why.partition(": ")
        groups.setdefault(reason if colon else place, []).append(bottleneck)
    return [(group[0], max(len(group), *(one.alike for one in group)) - 1) for group in groups.values()]


def more_alike(count: int) -> str:
    """ " (and 255 more link directions with as many flows and the same demand)", or nothing."""
    more = format_counted(count, "more link direction")
    return f" (and {more} with as many flows and the same demand)" if count else ""


def _why(graph: Graph, arc: int, place: int, pressure: Pressure, capacity: float) -> str:
    n_flows, worth, wanted = int(pressure.flows[place]), float(pressure.worth[place]), float(pressure.wanted[place])
    where = way_name(graph, arc)
    has = payload_text(graph, arc, capacity)
    counted = bool(pressure.counted[place])
    whole = counted and abs(worth - n_flows) < 1e-6 * n_flows
    count = f"{'' if counted else 'at least '}{format_count(n_flows)} flow{'s' if n_flows != 1 else ''}"
    if wanted <= capacity * ENOUGH:
        verb = "fills" if n_flows == 1 and counted else "share"
        return f"{where}: {count} {verb} its {has}{own_limit(graph, arc)}"
    if n_flows == 1 and whole:
        return f"{where}: 1 flow that could send {_rate(wanted)} gets {has}"
    return f"{where}: {count if whole else f'parts of {count}'} share {has}; their demand is {_rate(wanted)}"


def own_limit(graph: Graph, arc: int) -> str:
    """What it means that an arc is full though its flows bring no more than it carries."""
    ends = {int(graph.kind[graph.source[arc]]), int(graph.kind[graph.target[arc]])}
    if CROSSBAR in ends or GPU in ends:
        return DOMAIN_PACE
    return NIC_PACE if NIC in ends else ""


def end_name(graph: Graph, vertex: int) -> str:
    """How a sentence names an end of an arc: a NIC port by its device, any other vertex by its own name."""
    return graph.device_name(vertex) if graph.kind[vertex] == NIC else graph.vertex_name(vertex)


def way_name(graph: Graph, arc: int) -> str:
    """ "leaf-01 7 -> spine-02 3": an arc by its two ends."""
    return f"{_port_name(graph, arc)} -> {_port_name(graph, arc ^ 1, graph.target[arc])}"


def _port_name(graph: Graph, arc: int, vertex: int | None = None) -> str:
    vertex = int(graph.source[arc]) if vertex is None else int(vertex)
    return f"{end_name(graph, vertex)} {graph.port_text(arc)}".rstrip()


def _rate(bytes_per_s: float) -> str:
    return format_capacity(bytes_per_s / BYTES_PER_S_PER_GBPS)
