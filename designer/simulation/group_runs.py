"""Collectives of a model in training or serving: one of all groups of a kind at once, run and put down."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.simulation.communication import Communication
from designer.simulation.engine import simulate_plan
from designer.simulation.inference.request import Inference
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.collectives import Plan
from designer.simulation.training.request import Training
from designer.units import format_count

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class GroupRun:
    """A collective to simulate, in all groups at once; `count` is how often it takes place."""

    kind: str
    title: str
    groups: NDArray[np.int64]  # (n_groups, size)
    scenario: Scenario
    count: int
    plan: Callable[[], Plan]
    pool: str = ""

    @property
    def exchanged(self) -> str:
        """ "64 at once of 8 ranks each"."""
        n_groups, size = self.groups.shape
        return f"{format_count(n_groups)} at once of {format_count(size)} ranks each"


def unheard(_share: float) -> None:
    """Progress that nobody follows."""


def scenario_of(
    run: Training | Inference, collective: str, size_bytes: float, algorithm: str | None = None
) -> Scenario:
    """The scenario of one of its collectives."""
    return Scenario(
        collective=collective,
        algorithm=algorithm,
        size_bytes=size_bytes,
        routing=run.routing,
        seed=run.seed,
        order=run.order,
        latency=run.latency,
        failed=run.failed,
    )


def simulated(graph: Graph, job: GroupRun, number: int, of: int, report: Progress) -> Result:
    """The result of the job that is this number of so many, from 0."""
    result = simulate_plan(
        graph,
        job.scenario,
        job.plan(),
        job.groups[0],
        lambda share: report((number + share) / of),
        time.perf_counter(),
    )
    return replace(result, model=replace(result.model, groups=job.exchanged))


def communication(job: GroupRun, result: Result, exposed_s: float) -> Communication:
    """What a job comes to; `exposed_s` of it is not hidden behind computing."""
    n_groups, size = job.groups.shape
    total_s = result.time_s * job.count
    return Communication(
        job.kind,
        job.title,
        n_groups,
        size,
        job.scenario.size_bytes,
        job.count,
        result.time_s,
        total_s,
        exposed_s,
        result,
    )
