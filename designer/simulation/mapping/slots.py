"""A job's ranks as slots that servers fill, and the time that no servers in them can be faster than."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.graph.arrays import GPU, NIC, SCALE_UP, SWITCH, Graph
from designer.routing.network import Network
from designer.simulation.engine import plan_of
from designer.simulation.payload_rate import payload_rate
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs, Flows, Phase
from designer.units import SECONDS_PER_NS, format_count, format_counted

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """An order of ranks by slot and GPU of it, whatever servers fill the slots."""

    name: str
    slot: Ints  # (n_ranks,)
    local: Ints  # (n_ranks,)


class Servers:
    """The servers of a graph by number, with the GPUs of each."""

    def __init__(self, graph: Graph) -> None:
        device = graph.device[: graph.n_endpoints].astype(np.int64)
        self.devices, self.of_gpu = np.unique(device, return_inverse=True)
        """(n_servers,) devices, and (n_gpus,) the server of each GPU."""
        self.first = np.searchsorted(self.of_gpu, np.arange(len(self.devices)))
        self.gpus = np.bincount(self.of_gpu, minlength=len(self.devices))

    def ranks(self, pattern: Pattern, assigned: Sequence[int]) -> tuple[int, ...]:
        """The GPUs by rank, with these servers in the slots."""
        servers = np.asarray(assigned, dtype=np.int64)
        return tuple((self.first[servers[pattern.slot]] + pattern.local).tolist())


def slots_of(servers: Servers, n_ranks: int, size: int) -> Pattern:
    """So many ranks on whole servers of `size` GPUs, the last one perhaps not full."""
    ranks = np.arange(n_ranks)
    return Pattern("server by server", ranks // size, ranks % size)


def slots_given(servers: Servers, ranks: Sequence[int]) -> tuple[Pattern, list[int]]:
    """The pattern of ranks that are given, and the servers that they are on."""
    gpus = np.asarray(ranks, dtype=np.int64)
    of, local = servers.of_gpu[gpus], gpus - servers.first[servers.of_gpu[gpus]]
    order = list(dict.fromkeys(of.tolist()))
    place = {server: number for number, server in enumerate(order)}
    return Pattern("as given", np.array([place[one] for one in of.tolist()]), local), order


def patterns_of(base: Pattern) -> list[Pattern]:
    """The base, and the same GPUs server by server and rail by rail where that is another order."""
    found = [base]
    by_server, by_rail = np.lexsort((base.local, base.slot)), np.lexsort((base.slot, base.local))
    for name, order in (("server by server", by_server), ("rail by rail", by_rail)):
        made = Pattern(name, base.slot[order], base.local[order])
        if not any((one.slot == made.slot).all() and (one.local == made.local).all() for one in found):
            found.append(made)
    return found


def usual_size(servers: Servers, candidates: Sequence[int]) -> int:
    """GPUs of most of the candidates. Raises ParameterError where there are none."""
    if not candidates:
        count = format_counted(len(servers.devices), "server")
        raise ParameterError(f"no server is free for the job: other jobs run on all {count}")
    counts = np.bincount(servers.gpus[np.asarray(candidates)])
    return int(counts.argmax())


def fitting(servers: Servers, candidates: Sequence[int], base: Pattern) -> list[int]:
    """The candidates that have the GPUs each slot needs. Raises ParameterError where they are too few."""
    needed = int(base.local.max()) + 1
    found = [one for one in candidates if servers.gpus[one] >= needed]
    n_slots = int(base.slot.max()) + 1
    if len(found) < n_slots:
        of = format_counted(len(base.slot), "GPU")
        raise ParameterError(
            f"the job needs {format_counted(n_slots, 'server')} for {of}, {format_count(len(found))} are free"
        )
    return found


# -- the bound --------------------------------------------------------------------------------------------------------


def bound_s(
    network: Network, scenario: Scenario, servers: Servers, pattern: Pattern, assigned: Sequence[int], among: Ints
) -> float:
    """Seconds that no assignment of servers among these to the slots can be below, however the fabric carries it.

    What a slot sends to others, and gets from them, does not depend on which servers fill the slots: it crosses the
    ports of one server. What goes between the GPUs of a slot crosses their ports to the scale-up domain. In each phase
    the busiest of these takes at least its bytes over the rate of the best server, and the way of a flow at least the
    latency of the nearest neighbors.
    """
    graph = network.graph
    ranks = np.asarray(servers.ranks(pattern, assigned), dtype=np.int64)
    capacity = payload_rate(graph, scenario.efficiency).capacity
    out_rate, in_rate, inside_rate = _rates(graph, servers, capacity, among)
    within_s, beyond_s = _least_latencies(graph) if scenario.latency else (0.0, 0.0)
    total = 0.0
    for phase in plan_of(network, scenario, ranks).phases:
        out, in_, inside = _bytes(phase.traffic, servers, graph.n_endpoints)
        least_s = _least_latency(phase, servers, within_s, beyond_s)
        times = [out.max() / out_rate, in_.max() / in_rate]
        if inside_rate > 0:
            times.append(inside.max() / inside_rate)
        total += phase.repeat * (max(times) + least_s)
    return float(total)


def _least_latency(phase: Phase, servers: Servers, within_s: float, beyond_s: float) -> float:
    """What latency adds at least to the end of every flow of one repeat."""
    traffic = phase.traffic
    if isinstance(traffic, AllPairs):
        return min(within_s, beyond_s)
    leaves = servers.of_gpu[traffic.src] != servers.of_gpu[traffic.dst]
    return float(phase.step_latency_s(np.where(leaves, beyond_s, within_s)).min())


def _least_latencies(graph: Graph) -> tuple[float, float]:
    """The least seconds between two GPUs of a server, and of two servers, by the quickest arc of each kind on the way.

    Servers that are linked to each other directly leave out a switch.
    """
    kind, linked = (graph.kind[graph.source], graph.kind[graph.target]), graph.link >= 0

    def least(mask: NDArray[np.bool_]) -> float:
        return float(graph.latency_ns[mask].min()) if mask.any() else 0.0

    is_gpu = kind[0] == GPU
    within_ns = least(is_gpu & (graph.protocol == SCALE_UP))
    ways = [is_gpu & (kind[1] == NIC), linked & (kind[0] == NIC), (kind[0] == NIC) & (kind[1] == GPU)]
    if not (linked & (kind[0] == NIC) & (kind[1] == NIC)).any():
        ways.append(linked & (kind[0] == SWITCH) & (kind[1] == NIC))
    return within_ns * SECONDS_PER_NS, sum(map(least, ways)) * SECONDS_PER_NS


def _rates(graph: Graph, servers: Servers, capacity: NDArray[np.float64], among: Ints) -> tuple[float, float, float]:
    """The most that a server of these sends and gets over its links, and a GPU inside, in bytes/s."""
    place = np.full(len(graph.device_ids), -1)
    place[servers.devices] = np.arange(len(servers.devices))
    linked = graph.link >= 0
    sums = []
    for end in (graph.source, graph.target):
        server = place[graph.device[end]]
        mine = linked & (server >= 0) & np.isfinite(capacity)
        sums.append(np.bincount(server[mine], weights=capacity[mine], minlength=len(servers.devices))[among].max())
    inner = (graph.link < 0) & np.isfinite(capacity) & (graph.kind[graph.source] == GPU)
    of_gpu = np.bincount(graph.source[inner], weights=capacity[inner], minlength=graph.n_endpoints)
    return float(sums[0]), float(sums[1]), float(of_gpu.max(initial=0.0))


def _bytes(
    traffic: Flows | AllPairs, servers: Servers, n_gpus: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """What servers send to others and get from them, and GPUs send inside theirs."""
    n = len(servers.devices)
    if isinstance(traffic, AllPairs):
        count = np.bincount(servers.of_gpu[traffic.members], minlength=n).astype(np.float64)
        across = count * (len(traffic.members) - count) * traffic.pair_bytes
        return across, across, np.array([(count.max() - 1) * traffic.pair_bytes])
    src, dst = servers.of_gpu[traffic.src], servers.of_gpu[traffic.dst]
    leaves = src != dst
    size = traffic.size_bytes
    out = np.bincount(src[leaves], weights=size[leaves], minlength=n).astype(np.float64)
    in_ = np.bincount(dst[leaves], weights=size[leaves], minlength=n).astype(np.float64)
    inside = np.bincount(traffic.src[~leaves], weights=size[~leaves], minlength=n_gpus).astype(np.float64)
    return out, in_, inside
