"""What several jobs do to each other: times together and alone, loads, and who holds whom back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.graph.link_loads import LinkLoads
from designer.simulation.jobs.job import Job
from designer.simulation.result import Bottleneck, Result, link_row, utilization_by_link
from designer.simulation.start_up import start_note
from designer.units import format_count

LARGE, OUTNUMBERED = 2.0, 4
# A slowdown from which on, and how many times as many flows of others, it is told that links are shared by flow.


@dataclass(frozen=True, slots=True, eq=False)
class JobOutcome:
    """A job's first run, beside the others and alone. `meets` names the jobs it shares arcs with."""

    job: Job
    ranks: NDArray[np.int64]
    time_s: float
    algbw_gbytes_per_s: float | None
    busbw_gbytes_per_s: float | None
    alone: Result
    meets: tuple[str, ...]
    bottlenecks: tuple[Bottleneck, ...]
    flows_there: Mapping[str, int]
    """By job, on the arc that holds it back longest; nothing where no other job is there."""

    @property
    def slowdown(self) -> float:
        """Time with the other jobs divided by time alone: 1 where the others do not disturb."""
        return self.time_s / self.alone.time_s if self.alone.time_s > 0 else 1.0

    @property
    def time_note(self) -> str:
        """That the start-up of a collective, which is not counted, would dominate; "" where it would not."""
        return start_note(self.time_s) if self.busbw_gbytes_per_s is not None else ""

    @property
    def by_flow(self) -> str:
        """That a large slowdown is the share of few flows beside many, in a sentence; empty where it is not."""
        name = self.job.name
        own = self.flows_there.get(name, 0)
        others = {other: count for other, count in self.flows_there.items() if other != name}
        if self.slowdown < LARGE or sum(others.values()) < OUTNUMBERED * max(own, 1):
            return ""
        against = " and ".join(f"{format_count(count)} of {other}" for other, count in others.items())
        return (
            f"links are shared by flow, and all flows of a step are open at once: {format_count(own)} of {name} beside "
            f"{against}; hosts that work off few peers at a time would leave {name} more"
        )

    def row(self) -> dict[str, Any]:
        """As in the JSON of `simulate --job`."""
        return {
            "name": self.job.name,
            "traffic": self.job.scenario.title,
            "ranks": len(self.ranks),
            "size_bytes": self.job.scenario.size_bytes,
            "start_s": self.job.start_s,
            "loop": self.job.loop,
            "time_s": self.time_s,
            "algbw_gbytes_per_s": self.algbw_gbytes_per_s,
            "busbw_gbytes_per_s": self.busbw_gbytes_per_s,
            "alone": {
                "time_s": self.alone.time_s,
                "algbw_gbytes_per_s": self.alone.algbw_gbytes_per_s,
                "busbw_gbytes_per_s": self.alone.busbw_gbytes_per_s,
            },
            "slowdown": self.slowdown,
            "shares_links_with": list(self.meets),
            "bottlenecks": [bottleneck.row() for bottleneck in self.bottlenecks],
            "by_flow": self.by_flow or None,
        } | ({"time_note": self.time_note} if self.time_note else {})


@dataclass(frozen=True, slots=True, eq=False)
class JobsResult:
    """`time_s` is when the last job has run once; `bytes_by_job` (n_jobs, n_arcs) are those of one run of each."""

    model: dict[str, Any]
    jobs: tuple[JobOutcome, ...]
    on_same_gpus: tuple[str, ...]
    """Which jobs share GPUs, in sentences; first among the notes of the model too."""
    time_s: float
    wall_s: float
    graph: Graph = field(repr=False)
    bytes_by_job: NDArray[np.float64] = field(repr=False)
    utilization_mean: NDArray[np.float64] = field(repr=False)  # (n_arcs,)
    utilization_peak: NDArray[np.float64] = field(repr=False)  # (n_arcs,)
    congested: NDArray[np.bool_] = field(repr=False)
    """(n_arcs,) as `Result.congested`, of the flows of all jobs that share arcs."""

    def link_utilization(self) -> LinkLoads:
        """Peak utilization from end a to end b and back, by link id."""
        return utilization_by_link(self.graph, self.utilization_peak)

    def congested_links(self) -> LinkLoads:
        """1 for each direction of a link that makes flows wait, else 0; for those of `link_utilization`."""
        return utilization_by_link(self.graph, self.congested.astype(np.float64))

    def links(self, top: int | None = 20) -> list[dict[str, Any]]:
        """Rows of the links, one for each direction: those of most jobs first, then the hottest; None for all."""
        arcs = np.flatnonzero(self.graph.link >= 0)
        n_jobs = np.count_nonzero(self.bytes_by_job[:, arcs], axis=0)
        mean, peak = np.round(self.utilization_mean[arcs], 9), np.round(self.utilization_peak[arcs], 9)
        moved = self.bytes_by_job.sum(axis=0)
        rows = []
        for arc in arcs[np.lexsort((arcs, -mean, -peak, -n_jobs))][:top].tolist():
            row = link_row(self.graph, arc, moved, self.utilization_mean, self.utilization_peak)
            of = zip(self.jobs, self.bytes_by_job[:, arc].tolist(), strict=True)
            rows.append(row | {"bytes_by_job": {outcome.job.name: share for outcome, share in of if share > 0}})
        return rows

    def as_dict(self, top: int | None = 20) -> dict[str, Any]:
        """The whole result as in the JSON of `simulate --job`."""
        return {
            "model": self.model,
            "time_s": self.time_s,
            "jobs": [outcome.row() for outcome in self.jobs],
            "links": self.links(top),
            "wall_s": self.wall_s,
        }
