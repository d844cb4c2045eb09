"""Which arcs hold a job back while others run, and who meets there, in a sentence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.simulation.explain import pressure_kernels
from designer.simulation.explain.pressure import CONGESTED_FROM, ENOUGH, MOST_ARCS, wishes_of_gpus
from designer.simulation.explain.reasons import end_name, own_limit, way_name
from designer.simulation.jobs.job import Job
from designer.simulation.jobs.job_flows import JobFlows
from designer.simulation.payload_rate import payload_text
from designer.simulation.result import Bottleneck
from designer.units import BYTES_PER_S_PER_GBPS, format_capacity, format_count

WORTH_TELLING = 0.05
# Share of the longest time any arc holds a job back from which on an arc is named.


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A job on an arc, in the phase that wants most of it: its flows there, and what they would bring (bytes/s)."""

    name: str
    flows: int
    wanted: float


class HeldBack(NamedTuple):
    """The arcs that hold a job back longest, and how many flows of which job are on the first of them."""

    bottlenecks: tuple[Bottleneck, ...]
    flows_there: Mapping[str, int] = {}


def job_bottlenecks(
    graph: Graph,
    jobs: Sequence[Job],
    found: JobFlows,
    held_s: NDArray[np.float64],
    peak: NDArray[np.float64],
    capacity: NDArray[np.float64],
) -> list[HeldBack]:
    """For each job its bottleneck; `held_s` (n_jobs, n_classes), `peak` (n_classes,)."""
    crossing = _Crossing(graph, found, capacity)
    class_of = found.kinds.class_of_arc
    reported: dict[int, Bottleneck] = {}
    answers = []
    for held in held_s:
        of_class = np.append(held, 0.0)[class_of]  # arcs that nothing holds are of class -1
        worth = np.flatnonzero(of_class > WORTH_TELLING * held.max(initial=0.0))
        arcs = worth[np.lexsort((worth, class_of[worth], -of_class[worth]))].tolist()
        for arc in arcs:
            if arc not in reported:
                meetings = crossing.meetings(arc, jobs)
                reported[arc] = _bottleneck(graph, arc, float(peak[class_of[arc]]), meetings, float(capacity[arc]))
        reasons = [reported[arc].why.partition(": ")[2] for arc in arcs]
        alike = Counter(reasons)
        first = zip(arcs[:MOST_ARCS], reasons[:MOST_ARCS], strict=True)
        there = crossing.meetings(arcs[0], jobs) if arcs else []
        answers.append(
            HeldBack(
                tuple(replace(reported[arc], alike=alike[reason]) for arc, reason in first),
                {meeting.name: meeting.flows for meeting in there} if len(there) > 1 else {},
            )
        )
    return answers


def overloaded(graph: Graph, found: JobFlows, capacity: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n_arcs,) arcs that the jobs' flows want over 1 % more of than they carry, each job in its most wanting phase."""
    most = np.zeros((int(found.job.max(initial=-1)) + 1, graph.n_arcs))
    for phase, job in enumerate(found.job.tolist()):
        paths = found.phase_paths(phase)
        wish = wishes_of_gpus(graph, paths, capacity)
        wanted = pressure_kernels.demand(paths.rows, wish, graph.n_arcs)[0]
        np.maximum(most[job], wanted, out=most[job])
    wanting: NDArray[np.bool_] = most.sum(axis=0) > capacity * CONGESTED_FROM
    return wanting[found.paths.stands_for]


class _Crossing:
    """Which flows cross an arc, of which phase and job, and what they would bring."""

    def __init__(self, graph: Graph, found: JobFlows, capacity: NDArray[np.float64]) -> None:
        paths = found.paths
        flow = np.repeat(np.arange(paths.n_flows), np.diff(paths.start))
        wish = np.empty(paths.n_flows)
        for number in range(len(found.job)):
            flows = slice(found.bounds[number], found.bounds[number + 1])
            wish[flows] = wishes_of_gpus(graph, found.phase_paths(number), capacity)
        self._job = found.job
        self._phase = np.repeat(np.arange(len(found.job)), np.diff(found.bounds))[flow]
        self._wanted = paths.weights * wish[flow]
        self._order = np.argsort(paths.arcs, kind="stable")
        self._first = np.searchsorted(paths.arcs[self._order], np.arange(graph.n_arcs + 1))

    def meetings(self, arc: int, jobs: Sequence[Job]) -> list[_Meeting]:
        entries = self._order[self._first[arc] : self._first[arc + 1]]
        phase = self._phase[entries]
        wanted = np.bincount(phase, self._wanted[entries], len(self._job))
        count = np.bincount(phase, minlength=len(self._job))
        answer = []
        for number, job in enumerate(jobs):
            own = np.flatnonzero((self._job == number) & (count > 0))
            if len(own):
                most = own[np.argmax(wanted[own])]
                answer.append(_Meeting(job.name, int(count[most]), float(wanted[most])))
        return answer


def _bottleneck(graph: Graph, arc: int, share: float, meetings: list[_Meeting], capacity: float) -> Bottleneck:
    link = int(graph.link[arc])
    return Bottleneck(
        source=end_name(graph, int(graph.source[arc])),
        target=end_name(graph, int(graph.target[arc])),
        port=graph.port_name(arc),
        target_port=graph.port_name(arc ^ 1) if link >= 0 else "",
        link_id=graph.link_ids[link] if link >= 0 else None,
        utilization=share,
        flows=sum(meeting.flows for meeting in meetings),
        why=_why(graph, arc, meetings, capacity),
    )


def _why(graph: Graph, arc: int, meetings: list[_Meeting], capacity: float) -> str:
    wanted = sum(meeting.wanted for meeting in meetings)
    who = " and ".join(f"{_flows(meeting.flows)} of {meeting.name}" for meeting in meetings)
    verb = "fills" if len(meetings) == 1 and meetings[0].flows == 1 else "share"
    where, has = way_name(graph, arc), payload_text(graph, arc, capacity)
    if len(meetings) > 1:
        return f"{where}: {who} share {has}; together they could use {_rate(wanted)}"
    if wanted <= capacity * ENOUGH:
        return f"{where}: {who} {verb} its {has}{own_limit(graph, arc)}"
    if verb == "fills":
        return f"{where}: {who} that could send {_rate(wanted)} gets {has}"
    return f"{where}: {who} share {has}; their demand is {_rate(wanted)}"


def _flows(count: int) -> str:
    return "1 flow" if count == 1 else f"{format_count(count)} flows"


def _rate(bytes_per_s: float) -> str:
    return format_capacity(bytes_per_s / BYTES_PER_S_PER_GBPS)
