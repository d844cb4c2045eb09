"""`simulate_jobs`: several jobs on one fabric at once, each compared with itself alone."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.graph.shared_gpus import gpus_in_common
from designer.routing.network import Network, network
from designer.routing.policies import policy_named
from designer.simulation import catalogue
from designer.simulation.engine import plan_of, simulate
from designer.simulation.flows import fluid
from designer.simulation.jobs.concurrent_jobs import Timeline, follow
from designer.simulation.jobs.job import Job, check_jobs
from designer.simulation.jobs.job_flows import job_flows, loads
from designer.simulation.jobs.job_reasons import HeldBack, job_bottlenecks, overloaded
from designer.simulation.jobs.job_result import JobOutcome, JobsResult
from designer.simulation.models import JobsModel
from designer.simulation.payload_rate import payload_rate
from designer.simulation.phase_results import MERGED
from designer.simulation.result import Result
from designer.simulation.traffic.ranks import participants
from designer.units import BYTES_PER_S_PER_GBYTES_PER_S, format_count

Progress = Callable[[float], None]
ALONE = 0.4
# Share of the work that running each job alone is taken for.


@dataclass(frozen=True, slots=True, eq=False)
class _Met:
    """What became of jobs that share arcs: times of their first runs, loads of the arcs."""

    time_s: tuple[float, ...]
    held_back: tuple[HeldBack, ...]
    mean: NDArray[np.float64]  # (n_arcs,)
    peak: NDArray[np.float64]  # (n_arcs,)
    congested: NDArray[np.bool_]  # (n_arcs,)
    timeline: Timeline | None = None


def simulate_jobs(graph: Graph, jobs: Sequence[Job], progress: Progress | None = None) -> JobsResult:
    """What jobs that run at the same time do to the fabric and to each other.

    Jobs whose traffic shares no arc are each as alone. The others are followed together: all their running flows share
    arcs max-min fairly, and rates change whenever a flow of any of them ends. Errors as `simulate`.
    """
    began = time.perf_counter()
    report = progress if progress is not None else _ignore
    check_jobs(jobs)
    net, carried = network(graph), payload_rate(graph, jobs[0].scenario.efficiency)
    alone = [
        simulate(graph, job.scenario, _part(report, ALONE * number / len(jobs), ALONE / len(jobs)))
        for number, job in enumerate(jobs)
    ]
    limits = np.isfinite(carried.capacity)
    groups = _sharing([(result.bytes > 0) & limits for result in alone])
    met: dict[int, tuple[_Met, int]] = {}
    mean, peak, congested = np.zeros(graph.n_arcs), np.zeros(graph.n_arcs), np.zeros(graph.n_arcs, np.bool_)
    for number, group in enumerate(groups):
        share = _part(report, ALONE + (1 - ALONE) * number / len(groups), (1 - ALONE) / len(groups))
        own = [jobs[member] for member in group]
        found = _followed(net, own, carried.capacity, share) if len(group) > 1 else _undisturbed(alone[group[0]])
        mean, peak = mean + found.mean, np.maximum(peak, found.peak)
        congested |= found.congested
        met |= {member: (found, place) for place, member in enumerate(group)}
    outcomes = tuple(
        _outcome(net, job, alone[number], *met[number], [jobs[m].name for m in _group(groups, number) if m != number])
        for number, job in enumerate(jobs)
    )
    report(1.0)
    timelines = [found.timeline for found, place in met.values() if place == 0]
    shared = gpus_in_common([job.name for job in jobs], [outcome.ranks for outcome in outcomes])
    on_same_gpus = tuple(one.sentence for one in shared)
    return JobsResult(
        model=_model(jobs, alone, outcomes, timelines, on_same_gpus),
        jobs=outcomes,
        on_same_gpus=on_same_gpus,
        time_s=max(outcome.job.start_s + outcome.time_s for outcome in outcomes),
        wall_s=time.perf_counter() - began,
        graph=graph,
        bytes_by_job=np.stack([result.bytes for result in alone]),
        utilization_mean=mean,
        utilization_peak=peak,
        congested=congested,
    )


def _ignore(_share: float) -> None:
    pass


def _part(report: Progress, first: float, width: float) -> Progress:
    return lambda share: report(first + width * share)


def _sharing(loaded: list[NDArray[np.bool_]]) -> list[list[int]]:
    """The jobs in groups: those that load an arc together, directly or through others."""
    groups: list[tuple[list[int], NDArray[np.bool_]]] = []
    for number, arcs in enumerate(loaded):
        joined = [group for group in groups if (group[1] & arcs).any()]
        groups = [group for group in groups if not (group[1] & arcs).any()]
        members = sorted([number, *(member for group in joined for member in group[0])])
        groups.append((members, np.logical_or.reduce([arcs, *(group[1] for group in joined)])))
    return sorted(members for members, _ in groups)


def _group(groups: list[list[int]], number: int) -> list[int]:
    return next(group for group in groups if number in group)


def _undisturbed(result: Result) -> _Met:
    reasons = (HeldBack(result.bottlenecks),)
    return _Met((result.time_s,), reasons, result.utilization_mean, result.utilization_peak, result.congested)


def _followed(net: Network, jobs: Sequence[Job], capacity: NDArray[np.float64], progress: Progress) -> _Met:
    phases = [plan_of(net, job.scenario, participants(net, job.scenario)).phases for job in jobs]
    found = job_flows(net, jobs, phases, capacity)
    progress(0.2)
    tolerance = fluid.EXACT if jobs[0].scenario.exact else MERGED
    timeline = follow(found.kinds, found.size_bytes, found.latency_s, found.parts, tolerance, _part(progress, 0.2, 0.7))
    on_class = loads(found, timeline.sent) / found.kinds.capacity / float(timeline.end_s.max())
    reasons = job_bottlenecks(net.graph, jobs, found, timeline.held_s, timeline.peak, capacity)
    time_s = tuple(float(end) - job.start_s for job, end in zip(jobs, timeline.end_s, strict=True))
    congested = overloaded(net.graph, found, capacity)
    return _Met(time_s, tuple(reasons), found.on_arcs(on_class), found.on_arcs(timeline.peak), congested, timeline)


def _outcome(net: Network, job: Job, alone: Result, met: _Met, place: int, meets: list[str]) -> JobOutcome:
    time_s = met.time_s[place]
    ranks = participants(net, job.scenario)
    algbw = busbw = None
    row = catalogue.collective(job.scenario.collective or "")
    if row is not None and time_s > 0:
        algbw = job.scenario.size_bytes / time_s / BYTES_PER_S_PER_GBYTES_PER_S
        busbw = algbw * row.busbw_factor(len(ranks))
    return JobOutcome(job, ranks, time_s, algbw, busbw, alone, tuple(meets), *met.held_back[place])


def _model(
    jobs: Sequence[Job],
    alone: Sequence[Result],
    outcomes: Sequence[JobOutcome],
    timelines: list[Timeline | None],
    on_same_gpus: Sequence[str],
) -> JobsModel:
    """The assumptions, in words fit to show."""
    followed = [timeline for timeline in timelines if timeline is not None]
    notes = list(on_same_gpus)
    at_pace = sum(timeline.n_at_pace for timeline in followed)
    if at_pace:
        over = min(timeline.mean_over for timeline in followed if timeline.n_at_pace)
        notes.append(
            f"steps of unequal length drift against each other: after at least {format_count(over)} steps of a job "
            f"{format_count(at_pace)} more were taken at the mean pace of those, right to a step in as many or so"
        )
    if followed and policy_named(jobs[0].scenario.routing).by_load:
        notes.append("adaptive splits are chosen once, for all phases of the jobs that share links, by their bytes")
    for job, one in zip(jobs, alone, strict=True):
        notes += [f"{job.name}: {one.relays.sentence}"] if one.relays is not None else []
        notes += [f"{job.name}: {note}" for note in one.model.notes]
    first = alone[0].model
    return JobsModel(
        assumed_latencies=first.assumed_latencies,
        jobs_that_loop=tuple(job.name for job in jobs if job.loop),
        shares_no_links=tuple(outcome.job.name for outcome in outcomes if not outcome.meets),
        routing=first.routing,
        routing_means=first.routing_means,
        seed=first.seed,
        efficiency=first.efficiency,
        latency=first.latency,
        ends_merged_within=max((timeline.tolerance for timeline in followed), default=MERGED),
        not_modelled=first.not_modelled,
        borrowed_nics=first.borrowed_nics,
        gpus_without_nic=first.gpus_without_nic,
        failed=first.failed,
        rate_solves=sum(timeline.n_solves for timeline in followed),
        steps_followed=sum(timeline.n_followed for timeline in followed),
        notes=tuple(notes),
    )
