"""All phases of several jobs as one set of flows over the fabric, each on the paths it takes alone."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.graph.sums import sums
from designer.routing.hashes import mixed
from designer.routing.network import Network
from designer.routing.paths import Paths
from designer.routing.policies import policy_named
from designer.simulation.flows.flow_classes import FlowClasses, kinds_of
from designer.simulation.jobs.concurrent_jobs import Act, Part
from designer.simulation.jobs.job import Job
from designer.simulation.memory import require_room
from designer.simulation.prepared import prepared
from designer.simulation.traffic.phases import AllPairs, Flows, Phase, flows
from designer.units import SECONDS_PER_NS, format_count

MOST_FLOWS, MOST_WIDE = 2_000_000, 30_000
# Flows followed together; of those that policies spread over many arcs fewer.
PICOSECONDS_PER_NS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class JobFlows:
    """Flows of all phases of all jobs, phase by phase; `bounds` (n_phases + 1,) is where each begins."""

    job: NDArray[np.int64]  # (n_phases,)
    bounds: NDArray[np.int64]
    sent: Flows
    paths: Paths
    kinds: FlowClasses
    latency_s: NDArray[np.float64]  # (n_kinds,)
    is_fill: NDArray[np.bool_]  # (n_kinds,) whose bytes are counted with another phase's
    parts: tuple[Part, ...]

    @property
    def size_bytes(self) -> NDArray[np.float64]:
        """(n_kinds,) of one flow."""
        return self.sent.size_bytes[self.kinds.first]

    def phase_paths(self, phase: int) -> Paths:
        """The rows of one phase."""
        first, last = int(self.bounds[phase]), int(self.bounds[phase + 1])
        of = self.paths
        entries = slice(int(of.start[first]), int(of.start[last]))
        return Paths(
            of.start[first : last + 1] - of.start[first],
            of.arcs[entries],
            of.weights[entries],
            of.latency_ns[first:last],
            of.bytes_on,
            of.stands_for,
        )

    def on_arcs(self, by_class: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n_arcs,) shares of capacity from those of the classes."""
        of = self.kinds.class_of_arc[self.paths.stands_for]
        return np.where((of >= 0) & (self.paths.bytes_on > 0), by_class[of], 0.0)


def job_flows(
    network: Network, jobs: Sequence[Job], phases: Sequence[Sequence[Phase]], capacity: NDArray[np.float64]
) -> JobFlows:
    """The flows of jobs, `phases` being those of each. Raises ParameterError where there are too many to follow."""
    scenario = jobs[0].scenario
    policy = policy_named(scenario.routing)
    count = sum(len(phase.traffic) for own in phases for phase in own)
    most = MOST_WIDE if policy.wide else MOST_FLOWS
    if count > most:
        raise ParameterError(
            f"jobs {', '.join(job.name for job in jobs)} share links and have {format_count(count)} flows, more than "
            f"the {format_count(most)} that are followed together under {scenario.routing}: use fewer ranks"
        )
    own_phases = [phase for own in phases for phase in own]
    written = [written_out(phase) for phase in own_phases]
    bounds = np.concatenate([[0], np.cumsum([len(part) for part in written])])
    sent = Flows(
        *(np.concatenate([getattr(part, name) for part in written]) for name in ("src", "dst", "size_bytes", "channel"))
    )
    repeat = np.repeat([phase.repeat for own in phases for phase in own], np.diff(bounds))
    network = prepared(network.graph, scenario)
    require_room(network, sent, policy.route, scenario, f"jobs {', '.join(job.name for job in jobs)}")
    paths = policy.route(network, sent.src, sent.dst, sent.size_bytes * repeat, sent.channel, scenario.seed)
    latency_ns = _latencies(own_phases, bounds, paths.latency_ns) if scenario.latency else np.zeros(len(sent))
    mark = mixed(np.repeat(np.arange(len(written)), np.diff(bounds)).astype(np.uint64))
    mark = mixed(mark ^ sent.size_bytes.view(np.uint64))
    mark = mixed(mark ^ np.round(latency_ns * PICOSECONDS_PER_NS).astype(np.uint64))
    kinds = kinds_of(paths.start, paths.arcs, paths.weights, capacity, mark)
    fills = np.repeat([phase.is_fill for own in phases for phase in own], np.diff(bounds))
    job = np.repeat(np.arange(len(jobs)), [len(own) for own in phases])
    acts = [
        Act(phase.repeat, np.unique(kinds.of_flow[bounds[number] : bounds[number + 1]]))
        for number, phase in enumerate(phase for own in phases for phase in own)
    ]
    parts = tuple(
        Part(tuple(act for act, of in zip(acts, job.tolist(), strict=True) if of == number), j.start_s, j.loop)
        for number, j in enumerate(jobs)
    )
    latency_s = latency_ns[kinds.first] * SECONDS_PER_NS
    return JobFlows(job, bounds, sent, paths, kinds, latency_s, fills[kinds.first], parts)


def _latencies(
    phases: Sequence[Phase], bounds: NDArray[np.int64], latency_ns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(n_flows,) what latency adds to each flow's end in one repeat of its phase."""
    parts = [latency_ns[first:last] for first, last in itertools.pairwise(bounds.tolist())]
    return np.concatenate([phase.step_latency_s(part) for phase, part in zip(phases, parts, strict=True)])


def written_out(phase: Phase) -> Flows:
    """The flows of a phase; an all-to-all is written out as one flow from each member to each other."""
    traffic = phase.traffic
    if not isinstance(traffic, AllPairs):
        return traffic
    members, n = traffic.members, len(traffic.members)
    src, dst = np.repeat(members, n), np.tile(members, n)
    differs = src != dst
    return flows(src[differs], dst[differs], traffic.pair_bytes)


def loads(found: JobFlows, sent: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_classes,) what kinds put on one arc of each class when each of their flows has sent that much."""
    kinds = found.kinds
    row = np.repeat(np.arange(kinds.n_kinds), np.diff(kinds.start))
    counted = np.where(found.is_fill, 0.0, sent)
    return sums(kinds.classes, kinds.weights * counted[row], kinds.n_classes)
