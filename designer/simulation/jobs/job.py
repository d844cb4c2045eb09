"""Jobs that run on one fabric at the same time: what each one sends, with which GPUs, from when on."""

from collections.abc import Sequence
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Word, check, fields_of, setting
from designer.fields.ranges import Range
from designer.model.job_limits import JOB_NAME_LONGEST, JOBS_MOST, LATEST_START_S
from designer.simulation.scenario import Scenario, Traffic
from designer.units import shortened

COMMON = (*(name for name in fields_of(Scenario) if name not in fields_of(Traffic)), "tables")
"""What belongs to the fabric: the same for all jobs."""


@dataclass(frozen=True, slots=True)
class Job:
    """A scenario under a name. It begins at `start_s`; with `loop` it begins again until every job has run once."""

    name: str
    scenario: Scenario
    start_s: float = setting(
        0.0,
        title="Start",
        noun="the start",
        help="Delay after the other jobs start: 2ms, 1.5s",
        kind=kinds.TIME,
        within=Range(0, LATEST_START_S, is_below=True),
        option="--start",
        metavar="2ms",
    )
    loop: bool = setting(
        True,
        title="When done",
        help="Repeat until every job has run once, or leave the fabric to the others",
        kind=kinds.FLAG,
        choices=(Word("yes", "repeat"), Word("no", "ends")),
        metavar="yes, or no",
    )

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > JOB_NAME_LONGEST:
            name = shortened(self.name)
            raise ParameterError(f"a job needs a name of 1 to {JOB_NAME_LONGEST} letters, not {name!r}")
        check(self)


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
