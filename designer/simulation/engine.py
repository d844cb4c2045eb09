"""`simulate`: a scenario on a graph, flow by flow, exactly for the stated model."""

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.graph.arrays import Graph
from designer.routing.attachment import BORROWING
from designer.routing.five_tuples import PACKETS
from designer.routing.network import Network, network
from designer.simulation import catalogue
from designer.simulation.explain.imbalance import Imbalance
from designer.simulation.explain.reasons import bottlenecks, paced
from designer.simulation.explain.victims import congested
from designer.simulation.failures.borrowed_nics import borrowed_nics
from designer.simulation.flows.relays import relays
from designer.simulation.models import GpusWithoutNic, SimulationModel
from designer.simulation.payload_rate import PayloadRate, payload_rate
from designer.simulation.phase_results import MERGED, PhaseResult, phase_result_of
from designer.simulation.prepared import prepared
from designer.simulation.result import Bottleneck, FlowFigures, PhaseTime, Result
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.collectives import Plan, collective_plan
from designer.simulation.traffic.patterns import pattern_phases
from designer.simulation.traffic.phases import Phase
from designer.simulation.traffic.ranks import left_out, participants
from designer.simulation.traffic.who_sends import who_sends
from designer.units import BYTES_PER_S_PER_GBPS, BYTES_PER_S_PER_GBYTES_PER_S, format_count, format_counted

__all__ = ["Bottleneck", "FlowFigures", "PhaseTime", "Result", "simulate"]


NOT_MODELLED = ("PCIe (a GPU sends as fast as its NIC's port)", "hosts' time per step (counts 0)")
IN_NETWORK_REDUCTION = "each rank's buffer S passes once up and the sum once down (SHARP)"
LEFT_OUT_OF_CONGESTION = (
    "congestion control at the hosts; room that slowed flows leave is given to no others; ingress ports share a full "
    "port flow by flow"
)
LATENCY = (
    "cables by length, switches, NICs and scale-up domains, where no source states it as assumed; steps of rings, "
    "chains and trees are pipelined: the latencies of their hops are added up along the path, once for each pass"
)
MOST_PHASE_LOADS = 32_000_000
"""Loads of arcs in single phases that a result keeps: 128 MB."""


def simulate(
    graph: Graph, scenario: Scenario, progress: Callable[[float], None] | None = None, *, brief: bool = False
) -> Result:
    """What the scenario's traffic does to the fabric.

    Flows are fluid and share arcs max-min fairly; a phase ends when its last flow has arrived, and phases follow each
    other. `progress` is called with the share done and may raise Cancelled. Raises GraphError for ranks that cannot
    reach each other, ParameterError for ranks that are not there. `brief` is for runs of which only the time and the
    fullest link are asked: peaks of other links may be lower bounds then.
    """
    began = time.perf_counter()
    report = progress if progress is not None else _ignore
    report(0.0)
    missing = sorted(set(scenario.failed) - graph.failed)
    if missing:
        raise ParameterError(f"{missing[0]} is to have failed, but the graph still has it: build the graph without it")
    net = network(graph)
    ranks = participants(net, scenario)
    return simulate_plan(graph, scenario, plan_of(net, scenario, ranks), ranks, report, began, brief=brief)


def simulate_plan(
    graph: Graph,
    scenario: Scenario,
    plan: Plan,
    ranks: NDArray[np.int64],
    report: Callable[[float], None],
    began: float,
    *,
    brief: bool = False,
) -> Result:
    """What the phases of a plan do to the fabric; busbw is that of a collective among `ranks`."""
    net = network(graph)
    carried = payload_rate(graph, scenario.efficiency)
    phase_results: list[PhaseResult] = []
    for number, phase in enumerate(plan.phases):
        share = _part_of(report, number, len(plan.phases))
        phase_results.append(phase_result_of(net, phase, scenario, carried.capacity, share, brief=brief))
    report(1.0)
    return _result(graph, scenario, plan, phase_results, carried, ranks, began)


def _ignore(_share: float) -> None:
    pass


def _part_of(report: Callable[[float], None], number: int, parts: int) -> Callable[[float], None]:
    """A progress for one of several equal parts."""
    return lambda share: report((number + share) / parts)


def plan_of(net: Network, scenario: Scenario, ranks: NDArray[np.int64]) -> Plan:
    """The phases of a scenario. Raises ParameterError or GraphError for what does not fit the ranks."""
    if scenario.collective is not None:
        return collective_plan(net, scenario, ranks)
    return Plan(pattern_phases(scenario, ranks, net.graph.device[ranks]))


def _result(
    graph: Graph,
    scenario: Scenario,
    plan: Plan,
    phase_results: list[PhaseResult],
    carried: PayloadRate,
    ranks: NDArray[np.int64],
    began: float,
) -> Result:
    totals_s = [
        phase.repeat * phase_result.time_s for phase, phase_result in zip(plan.phases, phase_results, strict=True)
    ]
    time_s = math.fsum(totals_s)
    starts_s = np.concatenate([[0.0], np.cumsum(totals_s)])
    moved, peak = np.zeros(graph.n_arcs), np.zeros(graph.n_arcs)
    demand = np.zeros(graph.n_arcs)
    for phase, phase_result in zip(plan.phases, phase_results, strict=True):
        if not phase.is_fill:
            moved += phase.repeat * phase_result.bytes_on
        np.maximum(peak, phase_result.peak, out=peak)
        np.maximum(demand, phase_result.pressure.demand, out=demand)
    limits = np.isfinite(carried.capacity)
    mean = np.zeros(graph.n_arcs)
    if time_s > 0:
        mean[limits] = moved[limits] / carried.capacity[limits] / time_s
    peak[~limits] = 0.0
    algbw = busbw = None
    row = catalogue.collective(scenario.collective or "")
    if row is not None and time_s > 0:
        algbw = scenario.size_bytes / time_s / BYTES_PER_S_PER_GBYTES_PER_S
        busbw = algbw * row.busbw_factor(len(ranks))
    latency_s = math.fsum(
        phase.repeat * float(phase_result.latency_s.max(initial=0.0))
        for phase, phase_result in zip(plan.phases, phase_results, strict=True)
    )
    full = bottlenecks(graph, phase_results, totals_s, carried.capacity, time_s)
    relayed = relays(network(graph), plan.phases)
    model = model_of(graph, scenario, plan, phase_results, carried)
    return Result(
        model=replace(model, relayed_flows=relayed, servers_left_out=tuple(left_out(network(graph), scenario))),
        ranks=len(ranks),
        size_bytes=scenario.size_bytes,
        time_s=time_s,
        algbw_gbytes_per_s=algbw,
        busbw_gbytes_per_s=busbw,
        bottlenecks=paced(full, latency_s, time_s),
        phases=tuple(
            PhaseTime(phase.name, phase.repeat, phase_result.time_s, float(start_s))
            for phase, phase_result, start_s in zip(plan.phases, phase_results, starts_s[:-1], strict=True)
        ),
        latency_s=latency_s,
        flows=_figures(network(graph), plan.phases[0], phase_results[0]) if scenario.traffic is not None else None,
        congestion=congested(graph, plan.phases, phase_results),
        wall_s=time.perf_counter() - began,
        graph=graph,
        bytes=moved,
        utilization_mean=mean,
        utilization_peak=peak,
        demand=demand,
        phase_peaks=_phase_peaks(phase_results, limits),
        phase_congested=_phase_congested(phase_results),
        imbalance=_imbalance(phase_results, totals_s),
        are_peaks_known=all(phase_result.are_peaks_known for phase_result in phase_results),
        relays=relayed,
    )


def _imbalance(phase_results: list[PhaseResult], totals_s: list[float]) -> Imbalance | None:
    """That of the phase that takes longest of those that have one."""
    known = [(total_s, -number) for number, total_s in enumerate(totals_s) if phase_results[number].imbalance]
    return phase_results[-max(known)[1]].imbalance if known else None


def _phase_peaks(phase_results: list[PhaseResult], limits: NDArray[np.bool_]) -> tuple[NDArray[np.float32], ...]:
    if len(phase_results) * len(limits) > MOST_PHASE_LOADS:
        return ()
    return tuple(np.where(limits, phase_result.peak, 0.0).astype(np.float32) for phase_result in phase_results)


def _phase_congested(phase_results: list[PhaseResult]) -> tuple[NDArray[np.bool_], ...]:
    arcs = sum(len(phase_result.peak) for phase_result in phase_results)
    return () if arcs > MOST_PHASE_LOADS else tuple(phase_result.pressure.overloaded for phase_result in phase_results)


def _figures(net: Network, phase: Phase, phase_result: PhaseResult) -> FlowFigures:
    spread = phase_result.spread
    rates, counts = spread.first_rate / BYTES_PER_S_PER_GBPS, spread.counts
    limited = np.isfinite(rates)
    lowest = mean = highest = None
    if limited.any():
        lowest, highest = float(rates[limited].min()), float(rates[limited].max())
        mean = float(np.average(rates[limited], weights=counts[limited]))
    return FlowFigures(
        int(counts.sum()),
        lowest,
        mean,
        highest,
        float(spread.finish_s.min()),
        float(np.average(spread.finish_s, weights=counts)),
        who_sends(net, phase.traffic),
    )


def model_of(
    graph: Graph, scenario: Scenario, plan: Plan, phase_results: list[PhaseResult], carried: PayloadRate
) -> SimulationModel:
    """The assumptions, in words fit to show."""
    row = catalogue.collective(scenario.collective or "")
    routing = catalogue.ROUTINGS.named(scenario.routing)
    ends = network(graph).ends
    n_borrowers = int(ends.borrowed.sum())
    notes = [note for phase_result in phase_results for note in phase_result.notes]
    notes += [f"{format_counted(count, 'link')}: {reason}" for reason, count in graph.ignored.items()]
    routed = prepared(graph, scenario)
    notes += routed.forwarding.notes if routed.forwarding is not None else ()
    notes += [] if routed.switching.hashes_ideally else [PACKETS]
    if ends.shares.any():
        notes.append(f"{format_count(int(ends.shares.sum()))} GPUs share a NIC with other GPUs of their server")
    model = SimulationModel(
        assumed_latencies=assumed_latencies(graph) if scenario.latency and graph.unknown else None,
        traffic=scenario.title,
        size_bytes_means=row.size_means if row is not None else "each flow",
        routing=scenario.routing_text,
        routing_means=routing.explanation if routing is not None else "",
        seed=scenario.seed,
        rank_order=scenario.order,
        channels=plan.channels,
        efficiency=carried.efficiency,
        latency=LATENCY if scenario.latency else "left out",
        ends_merged_within=0.0 if scenario.exact else MERGED,
        rate_solves=sum(phase_result.n_solves for phase_result in phase_results),
        not_modelled=NOT_MODELLED,
        borrowed_nics=f"{BORROWING} ({format_count(n_borrowers)} here)" if n_borrowers else None,
        gpus_without_nic=GpusWithoutNic(n_borrowers, tuple(borrowed_nics(graph, ends))) if n_borrowers else None,
        failed=graph.failed_names,
        notes=tuple(notes),
    )
    if row is not None:
        model = _of_collective(model, scenario, plan, row)
    if scenario.congestion != "none":
        spreads = next(row.explanation for row in catalogue.CONGESTIONS if row.name == scenario.congestion)
        model = replace(model, congestion_spreads=spreads, congestion_leaves_out=LEFT_OUT_OF_CONGESTION)
    return model


def _of_collective(
    model: SimulationModel, scenario: Scenario, plan: Plan, row: catalogue.CollectiveRow
) -> SimulationModel:
    """With what holds for a collective alone."""
    cut, reduced = plan.cut, scenario.in_network_reduction
    return replace(
        model,
        algorithm=scenario.algorithm_used,
        dimensions="x".join(map(str, scenario.dims)) if scenario.dims is not None else None,
        pipelined_in_chunks_of_bytes=int(cut.largest_bytes(scenario.size_bytes)) if cut is not None else None,
        chunks_of_a_channel=cut.count(scenario.size_bytes) if cut is not None else None,
        chunk_means=cut.meaning if cut is not None else None,
        pipeline_fill=cut.fill if cut is not None else None,
        in_network_reduction=IN_NETWORK_REDUCTION if reduced else None,
        in_scale_up_domains=plan.adding_up if reduced else (),
        in_network_reduction_means=catalogue.IN_NETWORK[scenario.algorithm_used] if reduced else None,
        in_network_reduction_latency=catalogue.IN_NETWORK_LATENCY if reduced else None,
        busbw_factor=row.factor_text,
    )


def assumed_latencies(graph: Graph) -> tuple[str, ...]:
    """What no source states, how often, and the figure of the class that stands in, with its source."""
    return tuple(
        f"{unknown.what} ({format_count(count)}): {unknown.figure.text}, assumed as for any {unknown.figure.name} "
        f"({unknown.figure.source})"
        for unknown, count in graph.unknown.items()
    )
