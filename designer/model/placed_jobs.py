"""Verbs about jobs: what runs on which servers. Jobs are part of the design, and nothing in the fabric needs them."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.model.design import Design, ordered
from designer.model.edit import Change, Edit
from designer.model.entities import Allocation, PlacedJob
from designer.model.hardware import ServerType
from designer.model.job_colours import is_colour, next_colour
from designer.model.naming import Names, checked_name

JOBS_MOST = 64
JOB_NAME_LONGEST, ROOM_FOR_A_COUNT = 60, 4
PLACES_MOST = 2_000_000
"""Servers and GPUs that the jobs of a design may name together."""

SIZE_LIMIT_BYTES = 2**63
LATEST_START_S = 1e9
CHANNELS_MOST = 128
DIMS_MOST, DIM_MOST = 16, 999_999


def add_job(design: Design, name: str | None = None, **values: Any) -> Edit:
    """A job with these fields of PlacedJob; without a name the next "job N", without a colour one that is least used.

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
    "name": "name", "size_bytes": "size", "algorithm": "algorithm", "servers": "servers", "order": "rank order",
    "start_s": "start", "loop": "end", "colour": "colour",
}  # fmt: skip
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


def places(job: PlacedJob) -> int:
    """How many servers and GPUs a job names."""
    return sum(1 + len(one.gpus) for one in job.servers)


def job_faults(job: PlacedJob) -> Iterator[tuple[str, str]]:
    """Fields that no job can have so, each with the sentence that says why; the words are the simulation's to judge."""
    if not job.name.strip() or len(job.name) > JOB_NAME_LONGEST:
        yield "name", f"a job needs a name of 1 to {JOB_NAME_LONGEST} letters"
    if bool(job.collective) == bool(job.traffic):
        yield "traffic" if job.traffic else "collective", "a job takes either a collective or a traffic pattern"
    if not 0 < job.size_bytes < SIZE_LIMIT_BYTES:
        yield "size_bytes", f"the size should be above 0 and below 8 EiB, not {job.size_bytes} bytes"
    if not (math.isfinite(job.start_s) and 0 <= job.start_s < LATEST_START_S):
        yield "start_s", f"a job begins at 0 s or later, not at {job.start_s} s"
    if job.channels is not None and not 1 <= job.channels <= CHANNELS_MOST:
        yield "channels", f"the number of channels should be 1 to {CHANNELS_MOST}, not {job.channels}"
    if job.chunk_bytes is not None and not 1 <= job.chunk_bytes < SIZE_LIMIT_BYTES:
        yield "chunk_bytes", f"a chunk should be at least 1 byte, not {job.chunk_bytes}"
    if len(job.dims) > DIMS_MOST or not all(1 <= size <= DIM_MOST for size in job.dims):
        yield "dims", "there are at most 16 dimensions, each from 1 to 999,999"
    if not is_colour(job.colour):
        yield "colour", f"a colour is written like #0072b2, not {job.colour[:20]!r}"
    twice = _named_twice(job)
    if twice is not None:
        yield "servers", f"names GPUs of {twice!r} twice, or one that cannot be"


def _named_twice(job: PlacedJob) -> str | None:
    """A server of which a GPU is named twice, or below 0; None where there is none."""
    if all(not one.gpus for one in job.servers):
        counts = Counter(one.device_id for one in job.servers)
        return next((device_id for device_id, count in counts.items() if count > 1), None)
    taken: dict[str, set[int]] = {}
    for one in job.servers:
        before, own = taken.get(one.device_id), set(one.gpus)
        if len(own) < len(one.gpus) or min(own, default=0) < 0:
            return one.device_id
        if before is not None and not (before and own and before.isdisjoint(own)):
            return one.device_id
        taken[one.device_id] = own if before is None else before | own
    return None


def servers_of(design: Design, job: PlacedJob) -> tuple[str, ...]:
    """The servers that a job runs on, each once."""
    if not job.servers:
        return tuple(server.id for server in design.servers())
    return tuple(dict.fromkeys(one.device_id for one in job.servers))


def servers_by_colour(design: Design) -> dict[str, tuple[str, ...]]:
    """The servers of the jobs of each colour."""
    found: dict[str, dict[str, None]] = {}
    for job in ordered(design.jobs):
        found.setdefault(job.colour, {}).update(dict.fromkeys(servers_of(design, job)))
    return {colour: tuple(servers) for colour, servers in found.items()}


def whole(server_ids: Iterable[str]) -> tuple[Allocation, ...]:
    """All GPUs of these servers."""
    return tuple(Allocation(one) for one in server_ids)
