"""Verbs about jobs: what runs on which servers. Jobs are part of the design, and nothing in the fabric needs them."""

from collections.abc import Collection, Iterable
from dataclasses import fields, replace
from typing import Any

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Allocation, PlacedJob
from designer.model.hardware.servers import ServerType
from designer.model.job_colours import next_colour
from designer.model.job_limits import JOB_NAME_LONGEST, JOBS_MOST, PLACES_MOST, ROOM_FOR_A_COUNT, job_faults, places
from designer.model.naming import Names, checked_name
from designer.model.records import ordered


def add_job(design: Design, name: str | None = None, **values: Any) -> Edit:
    """A job with these fields of PlacedJob; without a name the next "job N", without a color one that is least used.

    Raises EditError for a name that is taken, ParameterError for a field that cannot be, and for one job too many.
    """
    jobs = design.jobs.values()
    if len(jobs) >= JOBS_MOST:
        raise ParameterError(f"a design has {JOBS_MOST} jobs at most: remove one first")
    taken = {job.name for job in jobs}
    given = name if name is not None else next(f"job {n}" for n in range(1, len(taken) + 2) if f"job {n}" not in taken)
    values = {"colour": next_colour(job.colour for job in jobs), **values}
    job = PlacedJob(design.new_ids("jobs", 1)[0], given, **values)
    return Edit(f"Add {job.name}", (Change(None, _checked(design, job)),))


def change_job(design: Design, job_id: str, **values: Any) -> Edit:
    """The job with these fields changed. Raises EditError and ParameterError as add_job does."""
    job = _job(design, job_id)
    after = _checked(design, replace(job, **values), was=job)
    changed = [field.name for field in fields(PlacedJob) if getattr(job, field.name) != getattr(after, field.name)]
    words = list(dict.fromkeys(WORDS.get(name, "traffic") for name in changed))
    label = f"Change {' and '.join(words)} of {job.name}"
    if changed == ["name"]:
        label = f"Rename {job.name} to {after.name}"
    return Edit(label, (Change(job, after),) if changed else ())


WORDS = {
    "name": "name",
    "size_bytes": "size",
    "algorithm": "algorithm",
    "servers": "servers",
    "order": "rank order",
    "start_s": "start",
    "loop": "end",
    "colour": "color",
}
"""What an edit of a field is called; all else is a job's traffic."""


def without_servers(design: Design, gone: Collection[str]) -> list[tuple[PlacedJob, PlacedJob | None]]:
    """The jobs that run on servers which go, each with what is left of it: None where it ran on no others."""
    left: list[tuple[PlacedJob, PlacedJob | None]] = []
    for job in ordered(design.jobs):
        staying = tuple(one for one in job.servers if one.device_id not in gone)
        if len(staying) < len(job.servers):
            left.append((job, replace(job, servers=staying) if staying else None))
    return left


def job_copies(design: Design, jobs: Iterable[PlacedJob], ids: dict[str, str]) -> list[PlacedJob]:
    """The jobs on copies of their servers, under names of their own; as many as there is room for."""
    names = Names(job.name for job in design.jobs.values())
    room = list(jobs)[: JOBS_MOST - len(design.jobs)]
    if sum(map(places, (*design.jobs.values(), *room))) > PLACES_MOST:
        return []
    colours = [job.colour for job in design.jobs.values()]
    made = []
    for job, new_id in zip(room, design.new_ids("jobs", len(room)), strict=True):
        servers = tuple(replace(one, device_id=ids[one.device_id]) for one in job.servers)
        colour = job.colour if job.colour not in colours else next_colour(colours)
        colours.append(colour)
        name = names.unique(job.name[: JOB_NAME_LONGEST - ROOM_FOR_A_COUNT])
        made.append(replace(job, id=new_id, name=name, servers=servers, colour=colour))
    return made


def jobs_within(design: Design, device_ids: Collection[str]) -> list[PlacedJob]:
    """The jobs that run on some of these devices and on no others."""
    return [job for job in ordered(design.jobs) if job.servers and all(s.device_id in device_ids for s in job.servers)]


def _job(design: Design, job_id: str) -> PlacedJob:
    job = design.jobs.get(job_id)
    if job is None:
        raise UnknownEntityError(f"there is no job with id {job_id!r}")
    return job


def _checked(design: Design, job: PlacedJob, was: PlacedJob | None = None) -> PlacedJob:
    """The job with a tidy name, where it can be; servers that it `was` on are not looked at again. Raises EditError."""
    job = replace(job, name=checked_name(job.name, "the name of a job"))
    for _field, fault in job_faults(job):
        raise ParameterError(f"{job.name}: {fault}")
    others = [other for other in design.jobs.values() if other.id != job.id]
    if any(other.name == job.name for other in others):
        raise EditError(f"another job is called {job.name}")
    if was is not None and was.servers is job.servers:
        return job
    if places(job) + sum(map(places, others)) > PLACES_MOST:
        raise ParameterError(f"{job.name}: the jobs of a design name {PLACES_MOST:,} servers and GPUs at most")
    for one in job.servers:
        type_ = design.device_type(one.device_id)
        if not isinstance(type_, ServerType):
            raise EditError(f"{design.device(one.device_id).name} is a switch: a job runs on servers")
        if one.gpus and max(one.gpus) >= type_.gpus:
            name = design.device(one.device_id).name
            raise ParameterError(f"{job.name}: {name} has no GPU {max(one.gpus)}, they are numbered from 0")
    return job


def servers_of(design: Design, job: PlacedJob) -> tuple[str, ...]:
    """The servers that a job runs on, each once."""
    if not job.servers:
        return tuple(server.id for server in design.servers())
    return tuple(dict.fromkeys(one.device_id for one in job.servers))


def servers_by_colour(design: Design) -> dict[str, tuple[str, ...]]:
    """The servers of the jobs of each color."""
    found: dict[str, dict[str, None]] = {}
    for job in ordered(design.jobs):
        found.setdefault(job.colour, {}).update(dict.fromkeys(servers_of(design, job)))
    return {colour: tuple(servers) for colour, servers in found.items()}


def whole(server_ids: Iterable[str]) -> tuple[Allocation, ...]:
    """All GPUs of these servers."""
    return tuple(Allocation(one) for one in server_ids)
