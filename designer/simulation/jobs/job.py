"""Jobs that run on one fabric at the same time: what each one sends, with which GPUs, from when on."""

from collections.abc import Sequence
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.model.job_limits import JOB_NAME_LONGEST, JOBS_MOST, LATEST_START_S
from designer.simulation.scenario import Scenario
from designer.units import shortened

COMMON = ("routing", "seed", "efficiency", "latency", "exact", "failed", "congestion", "network", "memory_limit_bytes")
"""What belongs to the fabric: the same for all jobs."""


@dataclass(frozen=True, slots=True)
class Job:
    """A scenario under a name. It begins at `start_s`; with `loop` it begins again until every job has run once."""

    name: str
    scenario: Scenario
    start_s: float = 0.0
    loop: bool = True

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > JOB_NAME_LONGEST:
            name = shortened(self.name)
            raise ParameterError(f"a job needs a name of 1 to {JOB_NAME_LONGEST} letters, not {name!r}")
        if not 0 <= self.start_s < LATEST_START_S:
            raise ParameterError(f"job {self.name} should begin at 0 s or later, not at {self.start_s} s")


def check_jobs(jobs: Sequence[Job]) -> None:
    """Raises ParameterError where jobs share a name, or differ in what belongs to the fabric."""
    if not jobs:
        raise ParameterError("there are no jobs to run")
    if len(jobs) > JOBS_MOST:
        raise ParameterError(f"at most {JOBS_MOST} jobs run at once, not {len(jobs)}")
    if jobs[0].scenario.congestion != "none":
        raise ParameterError(
            "spreading congestion is not calculated between jobs: leave --congestion out, or run one job"
        )
    names: set[str] = set()
    for job in jobs:
        if job.name in names:
            raise ParameterError(f"two jobs are called {job.name}: give each a name of its own")
        names.add(job.name)
        for field in COMMON:
            if getattr(job.scenario, field) != getattr(jobs[0].scenario, field):
                raise ParameterError(
                    f"job {job.name} and job {jobs[0].name} differ in {field}, which is the same for all jobs"
                )
