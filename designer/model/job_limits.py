"""What a job may be at most, and why one could not be worked with."""

import math
from collections import Counter
from collections.abc import Iterator

from designer.model.entities import PlacedJob
from designer.model.job_colours import is_colour

JOBS_MOST = 64
JOB_NAME_LONGEST, ROOM_FOR_A_COUNT = 60, 4
PLACES_MOST = 2_000_000
"""Servers and GPUs that the jobs of a design may name together."""

SIZE_LIMIT_BYTES = 2**63
LATEST_START_S = 1e9
CHANNELS_MOST = 128
DIMS_MOST, DIM_MOST = 16, 999_999


def job_faults(job: PlacedJob) -> Iterator[tuple[str, str]]:
    """Fields that no job can have so, each with the sentence that says why; the words are the simulation's to judge."""
    if not job.name.strip() or len(job.name) > JOB_NAME_LONGEST:
        yield "name", f"a job needs a name of 1 to {JOB_NAME_LONGEST} letters"
    if bool(job.collective) == bool(job.traffic):
        yield "traffic" if job.traffic else "collective", "a job takes either a collective or a traffic pattern"
    if not 0 < job.size_bytes < SIZE_LIMIT_BYTES:
        yield "size_bytes", f"the size should be above 0 and below 8 EiB, not {job.size_bytes} bytes"
    if not (math.isfinite(job.start_s) and 0 <= job.start_s < LATEST_START_S):
        yield "start_s", f"a job starts at 0 s or later, not at {job.start_s} s"
    if job.channels is not None and not 1 <= job.channels <= CHANNELS_MOST:
        yield "channels", f"the number of channels should be 1 to {CHANNELS_MOST}, not {job.channels}"
    if job.chunk_bytes is not None and not 1 <= job.chunk_bytes < SIZE_LIMIT_BYTES:
        yield "chunk_bytes", f"a chunk should be at least 1 byte, not {job.chunk_bytes}"
    if len(job.dims) > DIMS_MOST or not all(1 <= size <= DIM_MOST for size in job.dims):
        yield "dims", "there are at most 16 dimensions, each from 1 to 999,999"
    if not is_colour(job.colour):
        yield "colour", f"a color is written like #0072b2, not {job.colour[:20]!r}"
    twice = _named_twice(job)
    if twice is not None:
        yield "servers", f"names GPUs of {twice!r} twice, or one that cannot be"


def _named_twice(job: PlacedJob) -> str | None:
    """A server with a GPU that is named twice, or is below 0; None where there is none."""
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


def places(job: PlacedJob) -> int:
    """How many servers and GPUs a job names."""
    return sum(1 + len(one.gpus) for one in job.servers)
