"""Congestion spreading in lossless fabrics: who is slowed by a hot port without using it, as an option of the model.

Assumed: priority flow control or credits, no congestion control at the hosts, one first-in-first-out queue for each
ingress port, and traffic that lasts until all buffers on its way are full. Then:

- Full arcs serve flows max-min fairly. One holds a flow back that gets less there than its sender's own ports, shared
  with the sender's other flows, would let it send.
- Its packets wait in the queues behind every cable on its way to the full arc, so these are paused. Of what waits in a
  queue nothing overtakes: no flow on a paused cable is faster than the slowest flow held back on it.
- A flow slowed so is held back itself, and the cables on its way to that queue are paused in turn.

This is the greatest fixed point of rates that only ever go down, reached by spreading the slowest flows' pauses first.
What room slowed flows leave is not given to others, and that ports near the hot one may win more than their share is
left out. Servers' own arcs (scale-up domains, PCIe) are never paused.
Sources: IEEE 802.1Qbb (priority-based flow control); InfiniBand Architecture Specification, vol. 1, ch. 7 (credits);
Y. Zhu et al. (2015), "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM, sec. 2 (victim flows).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.graph.sums import sums
from designer.routing.paths import Paths
from designer.simulation.explain.pressure import wishes
from designer.simulation.flows import fluid, spreading_kernels
from designer.simulation.flows.fluid import Progress
from designer.simulation.flows.spreading_kernels import Arcs, Pauses
from designer.simulation.traffic.phases import Flows

HELD_BACK = 1 - 1e-6
"""A flow that gets more than this share of what its sender lets it send is not held back."""
MOST_SOLVES = 300
"""Rates are solved so often at most; flows that still run then keep theirs to the end."""


@dataclass(frozen=True, slots=True, eq=False)
class Spreading:
    """What pauses do at the start of a phase. Rates in bytes/s; arcs as the graph numbers them, -1 for none."""

    sent: Flows
    unpaused: NDArray[np.float64]  # (n_flows,) max-min fair rate, without pauses
    rate: NDArray[np.float64]  # (n_flows,) with them
    limit: NDArray[np.int32]  # (n_flows,) the full arc that sets a flow's rate, of victims the hot port
    held_at: NDArray[np.int32]  # (n_flows,) the arc it is held at: the full arc, or a paused one
    is_victim: NDArray[np.bool_]  # (n_flows,) slowed, though it does not use the hot port
    hot: NDArray[np.int32]  # (n_arcs,) the hot port because of which an arc is paused
    onward: NDArray[np.int32]  # (n_arcs,) the next paused arc, or the hot port, that an arc waits for
    distance: NDArray[np.int32]  # (n_arcs,) cables to the hot port, 1 for those that feed it; 0 where not paused
    pace: NDArray[np.float64]  # (n_arcs,) the fastest a flow gets there; infinite where not paused
    flows_on: NDArray[np.int64]  # (n_arcs,)
    wanted: NDArray[np.float64]  # (n_arcs,) what the flows would bring together
    carried: NDArray[np.float64]  # (n_arcs,) what there is room for

    @property
    def hot_ports(self) -> NDArray[np.int64]:
        """The arcs that pauses go out from, those with the most paused arcs first."""
        found, counts = np.unique(self.hot[self.hot >= 0], return_counts=True)
        return found[np.lexsort((found, -counts))].astype(np.int64)

    def pauses_from(self, arc: int) -> list[int]:
        """The arcs from a paused one to the hot port, both included."""
        way = [arc]
        while way[-1] != self.hot[arc] and self.onward[way[-1]] >= 0 and len(way) <= len(self.onward):
            way.append(int(self.onward[way[-1]]))
        return way


def at_start(
    graph: Graph, paths: Paths, sent: Flows, capacity: NDArray[np.float64]
) -> tuple[fluid.PhaseResult, Spreading]:
    """The course without pauses, as far as its rates at the start, and what pauses make of these.

    `paths` must have every arc in their rows, each for itself or as the first of a bundle.
    """
    phase_result = fluid.run(paths.start, paths.arcs, paths.weights, capacity, sent.size_bytes, only_rates=True)
    row = np.repeat(np.arange(paths.n_flows), np.diff(paths.start))
    wish = wishes(graph, paths, capacity)
    unpaused = phase_result.first_rate
    pace, held_at = unpaused.copy(), phase_result.limit.copy()
    hot_flows = np.flatnonzero((unpaused < wish * HELD_BACK) & (held_at >= 0))
    slowest_first = hot_flows[np.lexsort((hot_flows, pace[hot_flows]))].astype(np.int32)
    paused = np.full(graph.n_arcs, np.inf)
    hot, onward = np.full(graph.n_arcs, -1, dtype=np.int32), np.full(graph.n_arcs, -1, dtype=np.int32)
    distance = np.zeros(graph.n_arcs, dtype=np.int32)
    columns, arcs = fluid.columns(paths.rows, graph.n_arcs), Arcs(graph.source, graph.target, graph.link >= 0)
    pauses = Pauses(paused, hot, onward, distance)
    spreading_kernels.spread(paths.rows, columns, arcs, graph.n_vertices, slowest_first, pace, held_at, pauses)
    slowed = pace < unpaused
    limit = np.where(slowed, hot[held_at], held_at)
    crosses = np.zeros(paths.n_flows, dtype=bool)
    crosses[row[paths.arcs == limit[row]]] = True
    for by_arc in (paused, hot, onward, distance):
        by_arc[:] = by_arc[paths.stands_for]
        by_arc[paths.bytes_on == 0] = np.inf if by_arc is paused else 0 if by_arc is distance else -1
    wanted = sums(paths.arcs, paths.weights * wish[row], graph.n_arcs)
    flows_on = np.bincount(paths.arcs, minlength=graph.n_arcs)
    is_victim = slowed & ~crosses & (pace < unpaused * HELD_BACK)
    found = Spreading(
        sent, unpaused, pace, limit, held_at, is_victim, hot, onward, distance, paused, flows_on, wanted, capacity
    )
    return phase_result, found


def run(
    graph: Graph, paths: Paths, sent: Flows, capacity: NDArray[np.float64], *, tolerance: float, progress: Progress
) -> tuple[fluid.PhaseResult, Spreading]:
    """The course of flows that begin together while pauses spread; they are looked at again whenever flows end."""
    phase_result, first = at_start(graph, paths, sent, capacity)
    n_flows = paths.n_flows
    finish, last_rate, limit = np.zeros(n_flows), first.rate.copy(), first.limit.copy()
    left, then, n_solves = sent.size_bytes.astype(np.float64), 0.0, 1
    running = np.isfinite(first.rate)
    peak = np.zeros(graph.n_arcs)
    paths, running, rate = _those_of(paths, running), np.flatnonzero(running), first.rate[running]
    while len(running):
        np.maximum(peak, _use(paths, rate, capacity), out=peak)
        last_rate[running] = rate
        finish[running] = then + np.divide(left[running], rate, out=np.full(len(rate), np.inf), where=rate > 0)
        soonest = finish[running].min()
        ends = finish[running] <= soonest * (1 + tolerance)
        if not np.isfinite(soonest) or ends.all() or n_solves >= MOST_SOLVES:
            break
        now = float(finish[running[ends]].max())
        left[running] = np.maximum(0.0, left[running] - rate * (now - then))
        then, running, paths = now, running[~ends], _those_of(paths, ~ends)
        progress(1.0 - len(running) / n_flows)
        rest = Flows(sent.src[running], sent.dst[running], left[running], sent.channel[running])
        _, found = at_start(graph, paths, rest, capacity)
        rate, limit[running] = found.rate, found.limit
        n_solves += 1
    phase_result = replace(
        phase_result,
        finish_s=finish,
        first_rate=first.rate,
        last_rate=last_rate,
        limit=limit,
        peak=peak,
        n_solves=n_solves,
    )
    return phase_result, first


def _use(paths: Paths, rate: NDArray[np.float64], capacity: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_arcs,) load over capacity of the arcs in the rows."""
    row = np.repeat(np.arange(paths.n_flows), np.diff(paths.start))
    load = sums(paths.arcs, paths.weights * np.where(np.isfinite(rate), rate, 0.0)[row], len(capacity))
    use: NDArray[np.float64] = np.where(np.isfinite(capacity), load / capacity, 0.0)
    return use


def _those_of(paths: Paths, keep: NDArray[np.bool_]) -> Paths:
    """The rows of some flows; the loads of all."""
    lengths = np.diff(paths.start)
    entries = np.repeat(keep, lengths)
    start = np.concatenate([[0], np.cumsum(lengths[keep])]).astype(np.int64)
    return replace(
        paths, start=start, arcs=paths.arcs[entries], weights=paths.weights[entries], latency_ns=paths.latency_ns[keep]
    )
