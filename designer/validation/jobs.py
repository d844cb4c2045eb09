"""Rules about the design's jobs: whether each can run, and which share GPUs."""

from collections import Counter
from collections.abc import Iterator, Sequence

from designer.errors import ParameterError
from designer.graph.endpoints import numbers_of_gpus, ranks_of_allocations
from designer.graph.shared_gpus import gpus_in_common
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import PlacedJob
from designer.model.job_limits import JOB_NAME_LONGEST, ROOM_FOR_A_COUNT
from designer.model.naming import Names
from designer.model.records import ordered
from designer.units import format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import DEVICES, JOBS, MODULES, TYPES, Scope

SERVERS_NAMED = 8
"""A finding names the first of them: its jobs may run on thousands."""


@rule(
    "JOB-001",
    Severity.WARNING,
    "Job that cannot run",
    "A job needs at least two GPUs, all of which its servers have, and a name of its own.",
    remedy="Move the job to servers with enough GPUs, rename it if another job has its name, or delete it.",
    fix="Renames the job, or deletes one that cannot run.",
    example="A job that has GPU 0 of one server and no other.",
    source="MPI: A Message-Passing Interface Standard: collective operations among the processes of a group.",
    scope=Scope.WHOLE,
    reads=(JOBS, DEVICES, MODULES, TYPES),
)
def cannot_run(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds jobs that name a GPU their server does not have, have fewer than two GPUs, or share a name.

    Subjects are the job's first servers. The fix deletes the job; one that only shares its name gets another, but for
    the first of that name.
    """
    design = seen.design
    named, names = Counter(job.name for job in design.jobs.values()), Names(job.name for job in design.jobs.values())
    first: set[str] = set()
    numbers = numbers_of_gpus(design) if design.jobs else {}
    for job in ordered(design.jobs):
        fault = _fault(seen, job, numbers)
        if fault is not None:
            yield this.finding(fault, _servers(job), value=0, limit=2, fix=operations.delete(design, [job.id]))
        elif named[job.name] > 1:
            fix = _renamed(design, job, names) if job.name in first else None
            first.add(job.name)
            fault = f"{named[job.name]} jobs are called {job.name}"
            yield this.finding(fault, _servers(job), value=named[job.name], limit=1, fix=fix, aspect="name")


def _renamed(design: Design, job: PlacedJob, names: Names) -> Edit:
    return operations.change_job(design, job.id, name=names.unique(job.name[: JOB_NAME_LONGEST - ROOM_FOR_A_COUNT]))


def _fault(seen: Inspection, job: PlacedJob, numbers: dict[str, tuple[int, int]]) -> str | None:
    try:
        ranks = ranks_of_allocations(seen.design, job.servers, numbers)
    except ParameterError as error:
        return f"{job.name}: {error}"
    n_gpus = len(ranks) if job.servers else sum(gpus for _, gpus in numbers.values())
    return f"{job.name} has {format_counted(n_gpus, 'GPU')}; a job needs at least two" if n_gpus < 2 else None


def _servers(job: PlacedJob) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.device_id for one in job.servers))[:SERVERS_NAMED]


@rule(
    "JOB-002",
    Severity.INFO,
    "Jobs on the same GPUs",
    "Such jobs compete for more than links.",
    remedy="Move one of the jobs to other servers, or start it after the other has ended.",
    example="Two jobs that both have all GPUs of one server.",
    source="Slurm, Generic Resource (GRES) Scheduling: a GPU goes to one job at a time unless shared on purpose.",
    scope=Scope.WHOLE,
    reads=(JOBS, DEVICES, MODULES, TYPES),
)
def shared_gpus(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds jobs that share GPUs with jobs made before them, one finding for each job.

    Subjects are the first servers with shared GPUs.
    """
    design, jobs = seen.design, ordered(seen.design.jobs)
    if len(jobs) < 2:
        return
    numbers = numbers_of_gpus(design)
    servers = [server_id for server_id, (_, gpus) in numbers.items() for _ in range(gpus)]
    taken: list[Sequence[int]] = []
    for job in jobs:
        try:
            taken.append(ranks_of_allocations(design, job.servers, numbers) if job.servers else range(len(servers)))
        except ParameterError:
            taken.append(())  # JOB-001 tells
    for shared in gpus_in_common([job.name for job in jobs], taken):
        on = tuple(dict.fromkeys(servers[gpu] for gpu in shared.gpus))[:SERVERS_NAMED]
        yield this.finding(shared.sentence, on, value=len(shared.gpus), limit=0)
