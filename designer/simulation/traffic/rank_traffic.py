"""What each rank sends to each other in all of a run: a matrix, gathered by units or servers where there are many."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.routing.network import network
from designer.simulation.engine import plan_of
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs, Flows
from designer.simulation.traffic.rank_rows import RANK, RANKS_MOST, SERVER, UNIT, RankTraffic
from designer.simulation.traffic.ranks import participants

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def rank_traffic(
    graph: Graph, scenario: Scenario, units: Mapping[str, str] | None = None, most: int = RANKS_MOST
) -> RankTraffic:
    """The traffic of a scenario between ranks; of more than `most`, between the units of their servers.

    `units` are names by server; without units, or with one, it is between servers, and of very many between runs of
    neighbors. Raises GraphError or ParameterError as a simulation does.
    """
    net = network(graph)
    ranks = participants(net, scenario)
    plan = plan_of(net, scenario, ranks)
    each, of_rank, labels = _lines(graph, ranks, units or {}, most)
    line_of = np.full(graph.n_endpoints, -1, np.int64)
    line_of[ranks] = of_rank
    n = len(labels)
    sent = np.zeros(n * n)
    for phase in plan.phases:
        if not phase.is_fill:
            sent += phase.repeat * _sent(phase.traffic, line_of, n)
    gpus = tuple(graph.local[ranks].tolist()) if each == RANK else ()
    servers: list[dict[str, None]] = [{} for _ in labels]
    for line, endpoint in zip(of_rank.tolist(), ranks.tolist(), strict=True):
        servers[line][graph.device_ids[int(graph.device[endpoint])]] = None
    return RankTraffic(each, labels, tuple(map(tuple, servers)), sent.reshape(n, n), len(ranks), gpus)


def _sent(traffic: Flows | AllPairs, line_of: Ints, n: int) -> Floats:
    """(n * n,) the bytes of one repeat."""
    if isinstance(traffic, AllPairs):
        counts = np.bincount(line_of[traffic.members], minlength=n).astype(np.float64)
        pairs = np.outer(counts, counts)
        pairs[np.diag_indices(n)] -= counts  # nobody sends to itself
        return np.asarray(pairs.ravel() * traffic.pair_bytes)
    src, dst = line_of[traffic.src], line_of[traffic.dst]
    known = (src >= 0) & (dst >= 0)
    weights = traffic.size_bytes[known]
    return np.bincount(src[known] * n + dst[known], weights=weights, minlength=n * n).astype(np.float64)


def _lines(graph: Graph, ranks: Ints, units: Mapping[str, str], most: int) -> tuple[str, Ints, tuple[str, ...]]:
    """What a row is, (n_ranks,) the row of each rank, and the names of the rows."""
    device = graph.device[ranks].astype(np.int64)
    names = graph.device_names
    if len(ranks) <= most:
        locals_ = graph.local[ranks].tolist()
        gpus = zip(device.tolist(), locals_, strict=True)
        labels = tuple(f"{number} {names[one]}:{gpu}" for number, (one, gpu) in enumerate(gpus))
        return RANK, np.arange(len(ranks)), labels
    of_unit = [units.get(graph.device_ids[one], "") for one in device.tolist()]
    if 2 <= len(set(of_unit)) <= most and all(of_unit):
        order = {name: number for number, name in enumerate(dict.fromkeys(of_unit))}
        return UNIT, np.array([order[name] for name in of_unit], np.int64), tuple(order)
    servers, first, inverse = np.unique(device, return_index=True, return_inverse=True)
    place = np.empty(len(servers), np.int64)
    place[np.argsort(first)] = np.arange(len(servers))  # in rank order
    line, share = place[inverse], -(-len(servers) // most)
    ordered = [names[one] for one in servers[np.argsort(first)].tolist()]
    runs = [ordered[start : start + share] for start in range(0, len(ordered), share)]
    return SERVER, line // share, tuple(run[0] if len(run) == 1 else f"{run[0]} … {run[-1]}" for run in runs)
