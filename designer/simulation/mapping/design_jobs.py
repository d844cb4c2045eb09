"""Jobs of a design as searches take them, and what was found as an edit of the design."""

from collections.abc import Mapping as Named
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from designer.errors import ParameterError
from designer.graph.arrays import Graph
from designer.graph.endpoints import numbers_of_gpus, ranks_of_allocations
from designer.graph.failures import broken
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Allocation, PlacedJob
from designer.model.placed_jobs import servers_of
from designer.model.records import ordered
from designer.simulation.jobs.design_jobs import scenario_of, sent
from designer.simulation.mapping.request import ALL, MappingSearch
from designer.simulation.mapping.search import Job
from designer.simulation.scenario import Scenario


def job_named(design: Design, name: str) -> PlacedJob:
    """The job of the design with that name. Raises ParameterError."""
    for job in ordered(design.jobs):
        if job.name == name:
            return job
    names = ", ".join(job.name for job in ordered(design.jobs)) or "none"
    raise ParameterError(f"{design.name} has no job {name!r}; it has {names}")


def job_to_map(design: Design, placed: PlacedJob, fabric: Named[str, Any], search: MappingSearch) -> Job:
    """A job of the design, on the servers that stand; other jobs keep theirs. Raises ParameterError."""
    scenario = scenario_of(placed, fabric)
    failed = frozenset(scenario.failed)
    if placed.servers:
        unavailable = broken(design, failed).devices if failed else frozenset()
        numbers = numbers_of_gpus(design, unavailable)
        ranks = ranks_of_allocations(design, placed.servers, numbers)
        if len(ranks) < 2:
            raise ParameterError(f"{placed.name} has fewer than two GPUs: its servers failed, or are too few")
        scenario = replace(scenario, ranks=ranks)
    return Job(placed.name, scenario, taken_by_others(design, search, placed.id))


def taken_by_others(design: Design, search: MappingSearch, job_id: str = "") -> frozenset[str]:
    """The servers that jobs other than this one are on, those of jobs without servers of their own left out."""
    if search.among == ALL:
        return frozenset()
    others = [job for job in ordered(design.jobs) if job.id != job_id and job.servers]
    return frozenset(server for job in others for server in servers_of(design, job))


def mapped(design: Design, graph: Graph, name: str, scenario: Scenario, ranks: Sequence[int]) -> Edit:
    """The job of that name on these GPUs of the graph, in that order; a new one where the design has none such."""
    servers = allocations(graph, ranks)
    here = next((job for job in ordered(design.jobs) if job.name == name), None)
    if here is None:
        values = {**sent(replace(scenario, ranks=None, order="design")), "servers": servers}
        return operations.add_job(design, name, **values)
    edit = operations.change_job(design, here.id, servers=servers, order="design")
    return Edit(f"Map {name}", edit.changes)


def allocations(graph: Graph, ranks: Sequence[int]) -> tuple[Allocation, ...]:
    """GPUs of the graph by server, in rank order."""
    runs: list[tuple[int, list[int]]] = []
    for rank in ranks:
        device = int(graph.device[rank])
        if not runs or runs[-1][0] != device:
            runs.append((device, []))
        runs[-1][1].append(int(graph.local[rank]))
    gpus = {device: 0 for device, _ in runs}
    for device in graph.device[: graph.n_endpoints].tolist():
        if device in gpus:
            gpus[device] += 1
    return tuple(
        Allocation(graph.device_ids[device], () if taken == list(range(gpus[device])) else tuple(taken))
        for device, taken in runs
    )
