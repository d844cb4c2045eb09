"""What several jobs do to each other: times together and alone, loads, and who holds whom back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.graph.link_loads import LinkLoads
from designer.simulation.jobs.job import Job
from designer.simulation.models import JobsModel
from designer.simulation.result import Bottleneck, LoadedLink, Result, loads_on, utilization_by_link
from designer.simulation.start_up import start_note
from designer.tables.columns import Column, Columns, keys, record
from designer.units import format_bandwidth, format_count, format_size, format_time

LARGE, OUTNUMBERED = 2.0, 4
# A slowdown from which on, and how many times as many flows of others, it is stated that links are shared by flow.


ALONE = keys("time_s algbw_gbytes_per_s busbw_gbytes_per_s")


@dataclass(frozen=True, slots=True)
class SharedLink(LoadedLink):
    """One direction of a link that jobs share; `bytes_by_job` of one run of each that sends over it."""

    bytes_by_job: Mapping[str, float]

    COLUMNS: ClassVar[Columns] = (*LoadedLink.COLUMNS, Column("bytes_by_job", "Bytes of one run"))


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

    COLUMNS: ClassVar[Columns] = (
        Column("name", "Job", "job.name"),
        Column("traffic", "Traffic", "job.scenario.title"),
        Column("ranks", "Ranks", lambda outcome: len(outcome.ranks), right=True),
        Column("size_bytes", "Size", "job.scenario.size_bytes", format_size, right=True),
        *keys("start_s=job.start_s loop=job.loop"),
        Column("time_s", "Time", text=format_time, right=True),
        Column("algbw_gbytes_per_s", "algbw", text=format_bandwidth, right=True),
        Column("busbw_gbytes_per_s", "busbw", text=format_bandwidth, right=True),
        Column("alone", value=lambda outcome: record(outcome.alone, ALONE)),
        Column("alone_s", "Alone", "alone.time_s", format_time, right=True, is_json=False),
        Column("slowdown", "Slowdown", text="{:.2f}".format, right=True),
        Column("shares_links_with", "Shares links with", "meets", lambda names: ", ".join(names) or "nobody"),
        Column("bottlenecks"),
        Column("by_flow", value=lambda outcome: outcome.by_flow or None),
        Column("time_note", may_lack=True),
    )

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
            f"links are shared by flow, and all flows of a step are open at once: {format_count(own)} of {name} "
            f"next to {against}; hosts that send to few peers at a time would leave more for {name}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class JobsResult:
    """`time_s` is when the last job has run once; `bytes_by_job` (n_jobs, n_arcs) are those of one run of each."""

    model: JobsModel
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

    COLUMNS: ClassVar = keys("model time_s jobs links=hottest_links wall_s")

    def link_utilization(self) -> LinkLoads:
        """Peak utilization from end a to end b and back, by link id."""
        return utilization_by_link(self.graph, self.utilization_peak)

    def congested_links(self) -> LinkLoads:
        """1 for each direction of a link that makes flows wait, else 0; for those of `link_utilization`."""
        return utilization_by_link(self.graph, self.congested.astype(np.float64))

    def links(self, top: int | None = 20) -> list[SharedLink]:
        """The links, one for each direction: those of most jobs first, then the hottest; None for all."""
        arcs = np.flatnonzero(self.graph.link >= 0)
        n_jobs = np.count_nonzero(self.bytes_by_job[:, arcs], axis=0)
        mean, peak = np.round(self.utilization_mean[arcs], 9), np.round(self.utilization_peak[arcs], 9)
        moved = self.bytes_by_job.sum(axis=0)
        rows = []
        for arc in arcs[np.lexsort((arcs, -mean, -peak, -n_jobs))][:top].tolist():
            loads = loads_on(self.graph, arc, moved, self.utilization_mean, self.utilization_peak)
            of = zip(self.jobs, self.bytes_by_job[:, arc].tolist(), strict=True)
            rows.append(SharedLink(*loads, {outcome.job.name: share for outcome, share in of if share > 0}))
        return rows

    @property
    def hottest_links(self) -> list[SharedLink]:
        """The first 20 links, one for each direction: those of most jobs first, then the hottest."""
        return self.links()

    def as_dict(self, top: int | None = 20) -> dict[str, Any]:
        """The whole result as in the JSON of `simulate --job`; so many links."""
        return record(self, self.COLUMNS, {"links": self.links(top)})
