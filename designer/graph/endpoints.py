"""Which ranks the GPUs of given servers have, without building the graph."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.entities import Allocation
from designer.model.hardware.servers import ServerType

MOST_NAMED = 3


def ranks_of_servers(design: Design, server_ids: Collection[str]) -> tuple[int, ...]:
    """The numbers of their GPUs, counted through the design's servers whether they failed or not."""
    return tuple(
        rank
        for server_id, first, gpus in _numbered(design, ())
        if server_id in server_ids
        for rank in range(first, first + gpus)
    )


def numbers_of_gpus(design: Design, failed: Collection[str] = ()) -> dict[str, tuple[int, int]]:
    """The number of the first GPU of each server that stands, and how many it has."""
    return {server_id: (first, gpus) for server_id, first, gpus in _numbered(design, failed)}


def ranks_of_allocations(
    design: Design, allocations: Iterable[Allocation], numbers: Mapping[str, tuple[int, int]]
) -> tuple[int, ...]:
    """The numbers of the GPUs allocated, in that order, without those of servers that have no numbers.

    Raises ParameterError for a GPU that its server does not have.
    """
    ranks: list[int] = []
    for one in allocations:
        if one.device_id not in numbers:
            continue
        first, gpus = numbers[one.device_id]
        if max(one.gpus, default=-1) >= gpus:
            name = design.device(one.device_id).name
            raise ParameterError(f"{name} has no GPU {max(one.gpus)}: it has {gpus}, numbered from 0")
        ranks.extend(first + gpu for gpu in one.gpus or range(gpus))
    return tuple(ranks)


def ranks_standing(design: Design, ranks: Sequence[int], failed: Collection[str]) -> tuple[int, ...]:
    """These GPUs of the design, in that order, as the graph without the failed devices numbers them.

    Raises ParameterError for a number that no GPU has, and for GPUs of failed servers.
    """
    allocations = allocations_of_ranks(design, ranks)
    lost = dict.fromkeys(design.device(one.device_id).name for one in allocations if one.device_id in failed)
    if lost:
        more = f" and {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
        names = ", ".join(list(lost)[:MOST_NAMED]) + more
        raise ParameterError(f"some of the ranks run on {names}, marked as failed: choose other ranks")
    return ranks_of_allocations(design, allocations, numbers_of_gpus(design, failed))


def allocations_of_ranks(design: Design, ranks: Sequence[int]) -> tuple[Allocation, ...]:
    """The GPUs of these numbers, in that order, by server. Raises ParameterError for a number that none has."""
    owners = [(server_id, first, gpus) for server_id, first, gpus in _numbered(design, ()) for _ in range(gpus)]
    runs: list[tuple[str, int, list[int]]] = []
    for rank in ranks:
        if not 0 <= rank < len(owners):
            raise ParameterError(f"there is no GPU {rank}: the design's are numbered 0 to {len(owners) - 1}")
        server_id, first, gpus = owners[rank]
        if not runs or runs[-1][0] != server_id:
            runs.append((server_id, gpus, []))
        runs[-1][2].append(rank - first)
    return tuple(
        Allocation(server_id, () if taken == list(range(gpus)) else tuple(taken)) for server_id, gpus, taken in runs
    )


def _numbered(design: Design, failed: Collection[str]) -> Iterator[tuple[str, int, int]]:
    """Each server that stands, with the number of its first GPU and how many it has."""
    first = 0
    for server in design.servers():
        type_ = design.device_type(server.id)
        if server.id not in failed and isinstance(type_, ServerType):
            yield server.id, first, type_.gpus
            first += type_.gpus
