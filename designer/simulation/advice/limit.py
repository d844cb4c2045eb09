"""Why nothing that was tried makes a run faster: what sets the pace outside the fabric, where that is known."""

import numpy as np

from designer.graph.arrays import NIC, Graph
from designer.simulation.result import Result
from designer.units import format_capacity, format_count


def no_gain(result: Result, n_tried: int, n_waiting: int) -> str:
    """That nothing tried would help this run, with the reason where it is known: a sentence without a full stop.

    While changes wait to be tried, how many were, and no reason: one of those that wait may help.
    """
    if n_waiting and n_tried == 1:
        return "The change that was tried would not help by more than 1 %"
    if n_waiting:
        return f"None of {format_count(n_tried)} changes that were tried would help by more than 1 %"
    said, reason = "Nothing tried would help by more than 1 %", limit_outside_fabric(result)
    if result.is_latency_bound:
        return f"{said}: latency sets the pace, {100 * result.latency_s / result.time_s:.0f} % of the time"
    return f"{said}: {reason}, and no change of the fabric helps" if reason else said


def limit_outside_fabric(result: Result) -> str:
    """ "the 400 Gb/s link of gpu-01 sets the pace"; "" where a link between switches is a bottleneck too."""
    graph, ids = result.graph, {one.link_id for one in result.bottlenecks}
    if ids == {None}:
        return "the scale-up domain sets the pace"
    servers, rates = set[str](), set[float]()
    for id_ in ids:
        arcs = np.flatnonzero(graph.link == graph.link_ids.index(id_)) if id_ is not None else ()
        nics = [graph.source[arc] for arc in arcs if graph.kind[graph.source[arc]] == NIC]
        if not nics:
            return ""
        servers.update(graph.device_name(int(one)) for one in nics)
        rates.update(float(graph.capacity_gbps[arc]) for arc in arcs)
    if not servers:
        return ""
    rate = f"{format_capacity(rates.pop())} " if len(rates) == 1 else ""
    if len(servers) > 1:
        return f"the {rate}links of servers set the pace"
    name = servers.pop()
    if len(ids) > 1:
        return f"the {rate}links of {name} set the pace"
    return f"the {rate}link of {name}{', its only one,' if _linked_nics(graph, name) == 1 else ''} sets the pace"


def _linked_nics(graph: Graph, name: str) -> int:
    """How many links a server has."""
    arcs = np.flatnonzero((graph.kind[graph.source] == NIC) & (graph.link >= 0))
    return sum(graph.device_name(int(one)) == name for one in graph.source[arcs])
