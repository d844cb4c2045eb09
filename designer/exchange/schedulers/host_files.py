"""Hosts and ranks in order, as launchers read them.

Sources: Open MPI, mpirun(1), hostfile and rankfile; MPICH, "Using the Hydra Process Manager".
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from designer.errors import ExportError
from designer.exchange.schedulers.host_lists import hostlist
from designer.exchange.schedulers.hosts import Host, host_remark, hosts
from designer.exchange.schedulers.options import (
    HOSTFILE,
    HOSTLIST,
    MACHINEFILE,
    NAMES,
    RANKFILE,
    TABLE,
    HostOptions,
)
from designer.model.design import Design
from designer.model.records import ordered
from designer.units import format_counted


@dataclass(frozen=True, slots=True)
class Rank:
    """A process: the host that it runs on, and its GPU there, from 0."""

    host: Host
    gpu: int


def ranks_of(design: Design, job: str = "") -> tuple[Rank, ...]:
    """The processes in rank order: of all GPUs of the design, or of those of a job. Raises ExportError."""
    every = hosts(design)
    if not job:
        return tuple(Rank(host, gpu) for host in every for gpu in range(host.gpus))
    placed = next((one for one in ordered(design.jobs) if one.name == job), None)
    if placed is None:
        known = ", ".join(one.name for one in ordered(design.jobs))
        raise ExportError(f"there is no job {job!r}; {f'there is {known}' if known else 'the design has none'}")
    if placed.order != "design":
        raise ExportError(
            f"the ranks of {job} are in the order {placed.order!r}, which its fabric decides when it is simulated: "
            "set its rank order to design"
        )
    by_device: dict[str, list[Host]] = {}
    for host in every:
        by_device.setdefault(host.device_id, []).append(host)
    if not placed.servers:
        return tuple(Rank(host, gpu) for host in every for gpu in range(host.gpus))
    return tuple(rank for one in placed.servers for rank in _allocated(design, job, by_device, one.device_id, one.gpus))


def _allocated(
    design: Design, job: str, by_device: dict[str, list[Host]], device_id: str, gpus: Sequence[int]
) -> Iterator[Rank]:
    inside = by_device.get(device_id)
    if inside is None:
        raise ExportError(f"{job} runs on {design.device(device_id).name}, which is no server")
    by_gpu = {host.first_gpu + gpu: Rank(host, gpu) for host in inside for gpu in range(host.gpus)}
    for gpu in gpus or by_gpu:
        if gpu not in by_gpu:
            raise ExportError(f"{job} runs on GPU {gpu} of {design.device(device_id).name}, which has {len(by_gpu)}")
        yield by_gpu[gpu]


def write_hosts(design: Design, path: Path, options: HostOptions) -> None:
    """Write the list. Raises ExportError, and OSError where it cannot be written."""
    lines = _CONTENTS[options.content](ranks_of(design, options.job), options)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


def summary(design: Design, options: HostOptions) -> str:
    """ "127 hosts, 1,016 ranks", with what the list calls otherwise than the design."""
    ranks = ranks_of(design, options.job)
    n_hosts = len({rank.host.name for rank in ranks})
    remark = host_remark(design, hosts(design))
    return "; ".join(filter(None, (f"{format_counted(n_hosts, 'host')}, {format_counted(len(ranks), 'rank')}", remark)))


def _runs(ranks: Sequence[Rank]) -> Iterator[tuple[str, int]]:
    """Hosts in order, each with its ranks that follow one another."""
    for name, group in itertools.groupby(ranks, key=lambda rank: rank.host.name):
        yield name, sum(1 for _ in group)


def _hostfile(ranks: Sequence[Rank], _options: HostOptions) -> Iterator[str]:
    for name, count in _runs(ranks):
        yield f"{name} slots={count}"


def _machinefile(ranks: Sequence[Rank], _options: HostOptions) -> Iterator[str]:
    for name, count in _runs(ranks):
        yield f"{name}:{count}"


def _rankfile(ranks: Sequence[Rank], options: HostOptions) -> Iterator[str]:
    for number, rank in enumerate(ranks):
        yield f"rank {number}={rank.host.name} slot={_slot(rank.gpu, options.cores)}"


def _slot(gpu: int, cores: int | None) -> str:
    if cores is None or cores == 1:
        return str(gpu)
    return f"{gpu * cores}-{(gpu + 1) * cores - 1}"


def _names(ranks: Sequence[Rank], _options: HostOptions) -> Iterator[str]:
    yield from dict.fromkeys(rank.host.name for rank in ranks)


def _hostlist(ranks: Sequence[Rank], options: HostOptions) -> Iterator[str]:
    yield hostlist(_names(ranks, options))


def _table(ranks: Sequence[Rank], _options: HostOptions) -> Iterator[str]:
    yield "rank,host,gpu"
    for number, rank in enumerate(ranks):
        yield f"{number},{rank.host.name},{rank.gpu}"


_CONTENTS: dict[str, Callable[[Sequence[Rank], HostOptions], Iterator[str]]] = {
    HOSTFILE: _hostfile,
    MACHINEFILE: _machinefile,
    RANKFILE: _rankfile,
    NAMES: _names,
    HOSTLIST: _hostlist,
    TABLE: _table,
}
