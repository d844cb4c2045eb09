"""Several searches for the mapping of one job, over processes or a cluster; the best of them."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.simulation.engine import simulate
from designer.simulation.mapping.records import Mapping
from designer.simulation.mapping.request import MappingSearch
from designer.simulation.mapping.search import Job, search_mapping
from designer.simulation.result import Result
from designer.storage.document import decode, encode
from designer.workers.results import results
from designer.workers.where import HERE, Where
from designer.workers.work import Work

Progress = Callable[[float], None]
WORTH_PROCESSES_S = 30.0
"""What the walks after the first have to take for processes to be started: these load the engine first."""


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """The best mapping, on the graph it is of, and the run of it."""

    graph: Graph
    job: Job
    mapping: Mapping
    result: Result


def search_design(
    design: Design, job: Job, search: MappingSearch, progress: Progress | None = None, where: Where = HERE
) -> Searched:
    """The fastest mapping that any of the walks finds; of equal ones that of the first walk.

    The answer is the same wherever the walks are done. `progress` may raise Cancelled. Raises as search_mapping does,
    and ParameterError for a cluster that cannot be reached.
    """
    began = time.perf_counter()
    report = progress if progress is not None else _ignore
    graph = _graph(design, job)
    if search.walks == 1:
        mapping = search_mapping(graph, job, search, report)
    else:
        mapping = _best_of_walks(design, graph, job, search, report, where)
    result = simulate(graph, replace(job.scenario, ranks=mapping.best.ranks, order="design"))
    return Searched(graph, job, replace(mapping, wall_s=time.perf_counter() - began), result)


def _best_of_walks(
    design: Design, graph: Graph, job: Job, search: MappingSearch, report: Progress, where: Where
) -> Mapping:
    began = time.perf_counter()
    found = {0: search_mapping(graph, job, search, _part_of(report, 0, search.walks))}
    left = list(range(1, search.walks))
    expected_s = (time.perf_counter() - began) * len(left)

    def look() -> None:
        report(len(found) / search.walks)

    if where.scheduler or (expected_s > WORTH_PROCESSES_S and not where.is_here):
        with closing(results(work_of(design, job, search), left, where, look)) as finished:
            for place, mapping in finished:
                found[left[place]] = mapping
                look()
    else:
        for walk in left:
            found[walk] = search_mapping(graph, job, search, _part_of(report, walk, search.walks), walk=walk)
    best = min(found, key=lambda walk: (found[walk].time_s, walk))
    return replace(found[best], runs=sum(one.runs for one in found.values()))


def work_of(design: Design, job: Job, search: MappingSearch) -> Work:
    """What another process does for each walk: it prepares the graph once, and sends back a mapping."""
    return Work(_walked, _prepared, (encode(design), job, search))


def _ignore(_share: float) -> None:
    pass


def _part_of(report: Progress, number: int, parts: int) -> Progress:
    return lambda share: report((number + share) / parts)


def _graph(design: Design, job: Job) -> Graph:
    return build(design, failed=frozenset(job.scenario.failed), network=job.scenario.network)


def _prepared(data: bytes, job: Job, search: MappingSearch) -> tuple[Graph, Job, MappingSearch]:
    return _graph(decode(data), job), job, search


def _walked(ready: tuple[Graph, Job, MappingSearch], walk: int) -> Mapping:
    graph, job, search = ready
    return search_mapping(graph, job, search, walk=walk)
