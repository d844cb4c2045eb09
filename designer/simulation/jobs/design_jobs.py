"""The jobs of a design as the simulation takes them, and jobs of a file as part of a design."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from designer.errors import DesignerError, ParameterError
from designer.graph.endpoints import allocations_of_ranks, numbers_of_gpus, ranks_of_allocations
from designer.graph.failures import broken
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import PlacedJob
from designer.model.records import ordered
from designer.simulation.jobs.job import COMMON, Job
from designer.simulation.jobs.job_text import refuse_file
from designer.simulation.scenario import Scenario, Traffic

SENT = tuple(one.name for one in fields(PlacedJob) if one.name in {other.name for other in fields(Traffic)})
"""What a job says of its own scenario; fields of both records. What a Scenario has as None is empty in a job."""

EMPTY: dict[str, Any] = {"collective": "", "traffic": "", "algorithm": "", "dims": ()}


def scenario_of(job: PlacedJob, fabric: Mapping[str, Any] | None = None) -> Scenario:
    """What the job sends, on the fabric of these values. Raises ParameterError naming the job."""
    refuse_file(job.name, job.traffic)
    values = {name: getattr(job, name) for name in SENT}
    for name, empty in EMPTY.items():
        values[name] = None if values[name] == empty else values[name]
    try:
        return Scenario(**values, **{name: value for name, value in (fabric or {}).items() if name in COMMON})
    except DesignerError as error:
        raise ParameterError(f"job {job.name}: {error}") from None


def sent(scenario: Scenario) -> dict[str, Any]:
    """The fields of a job that sends this; where it runs is not among them."""
    values = {name: getattr(scenario, name) for name in SENT}
    return {name: EMPTY[name] if value is None and name in EMPTY else value for name, value in values.items()}


def title_of(job: PlacedJob) -> str:
    """How tables name what it sends: as Scenario.title, or in its own words where the simulation knows none such."""
    try:
        return scenario_of(job).title
    except ParameterError:
        return job.traffic or f"{job.collective}, {job.algorithm}".removesuffix(", ")


def jobs_of(design: Design, fabric: Mapping[str, Any], failed: Collection[str] = ()) -> list[Job]:
    """The design's jobs on the servers that stand; `fabric` has the values that are the same for all, see COMMON.

    Raises ParameterError naming the job that cannot run, and where the design has none.
    """
    if not design.jobs:
        raise ParameterError(f"{design.name} has no jobs: draw them in the window, or give --job or --jobs")
    gone = broken(design, frozenset(failed)).devices if failed else frozenset()
    numbers = numbers_of_gpus(design, gone)
    jobs = []
    for job in ordered(design.jobs):
        scenario = scenario_of(job, fabric)
        if job.servers:
            try:
                ranks = ranks_of_allocations(design, job.servers, numbers)
            except ParameterError as error:
                raise ParameterError(f"job {job.name}: {error}") from None
            if len(ranks) < 2:
                raise ParameterError(f"{job.name} has fewer than two GPUs: its servers failed, or are too few")
            scenario = replace(scenario, ranks=ranks)
        jobs.append(Job(job.name, scenario, job.start_s, job.loop))
    return jobs


def with_jobs(design: Design, jobs: Iterable[Job], source: str) -> Edit:
    """The design with these jobs: in place of those of the same names, the others in addition to those it has.

    Raises ParameterError for GPUs that the design does not have, and for too many jobs.
    """
    after = design.snapshot()
    changes: list[Edit] = []
    for job in jobs:
        ranks = job.scenario.ranks
        try:
            servers = allocations_of_ranks(design, range(ranks) if isinstance(ranks, int) else ranks or ())
        except ParameterError as error:
            raise ParameterError(f"job {job.name}: {error}") from None
        values = {**sent(job.scenario), "servers": servers, "start_s": job.start_s, "loop": job.loop}
        here = next((one.id for one in after.jobs.values() if one.name == job.name.strip()), None)
        if here is None:
            edit = operations.add_job(after, job.name, **values)
        else:
            edit = operations.change_job(after, here, **values)
        after.apply(edit)
        changes.append(edit)
    return Edit(f"Take jobs from {source}", tuple(change for edit in changes for change in edit.changes))
