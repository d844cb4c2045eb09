"""The best mapping of a job: known orders and a greedy one first, then small changes, each run by the engine.

Every time is that of a whole run, under the chosen routing. The search is repeatable: the same input and draw take the
same steps.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.graph.arrays import SWITCH, Graph
from designer.routing.network import Network, network
from designer.simulation.engine import simulate
from designer.simulation.mapping.records import AT_BOUND, Mapping, Tried
from designer.simulation.mapping.request import OWN, MappingSearch
from designer.simulation.mapping.slots import (
    Ints,
    Pattern,
    Servers,
    bound_s,
    fitting,
    patterns_of,
    slots_given,
    slots_of,
    usual_size,
)
from designer.simulation.scenario import Scenario
from designer.units import format_counted

Progress = Callable[[float], None]
STARTS_MOST = 12
"""Blocks of servers from which the greedy mapping begins."""
ALIKE = 1e-9


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be mapped: `ranks` of the scenario give its size or its GPUs; `taken` are servers of other jobs."""

    name: str
    scenario: Scenario
    taken: frozenset[str] = frozenset()
    """Ids of devices."""


@dataclass(frozen=True, slots=True)
class _Found:
    pattern: Pattern
    assigned: tuple[int, ...]
    score: tuple[float, float]
    """Seconds, and bytes between switches."""
    busbw_gbytes_per_s: float | None


def _ignore(_share: float) -> None:
    pass


class _Out(Exception):
    """As many runs as were allowed."""


def search_mapping(
    graph: Graph, job: Job, search: MappingSearch, progress: Progress | None = None, *, walk: int = 0
) -> Mapping:
    """The fastest mapping found. `progress` may raise Cancelled. Each `walk` tries other changes.

    Raises ParameterError where the job does not fit on what is free, GraphError for GPUs that cannot reach each other.
    """
    began = time.perf_counter()
    net, servers = network(graph), Servers(graph)
    taken, said = _fill(graph, servers, job, search)
    runner = _Runner(graph, net, servers, job.scenario, search, progress or _ignore, walk)
    free = [one for one in range(len(servers.devices)) if one not in taken]
    base, own = _base(servers, job, free, search)
    candidates = fitting(servers, own if search.among == OWN else sorted({*own, *free}), base)
    tried, bound = runner.run(base, own, candidates)
    empty_s = None
    if search.earlier:
        alone = _Runner(graph, net, servers, job.scenario, search, progress or _ignore, walk)
        everyone = fitting(servers, list(range(len(servers.devices))), base)
        empty_s = min(one.time_s for one in alone.run(base, everyone[: int(base.slot.max()) + 1], everyone)[0])
    best = runner.best
    assert best is not None, "at least one mapping has run"
    return Mapping(
        job.name, tuple(tried), bound, empty_s, runner.runs, len(candidates), said, time.perf_counter() - began
    )


# -- servers ----------------------------------------------------------------------------------------------------------


def _fill(graph: Graph, servers: Servers, job: Job, search: MappingSearch) -> tuple[set[int], tuple[str, ...]]:
    """The servers that other jobs are on, and what came before in sentences.

    Earlier jobs take the first free servers in the order of the design, as schedulers do that know no topology.
    """
    number = {graph.device_ids[device]: place for place, device in enumerate(servers.devices.tolist())}
    taken = {number[one] for one in job.taken if one in number}
    if not search.earlier:
        return taken, ()
    rng = random.Random(search.draw)
    wanted = job.scenario.ranks
    own = len(wanted) if isinstance(wanted, tuple) else wanted if wanted is not None else graph.n_endpoints
    running: list[list[int]] = []
    refused = 0
    for _ in range(search.earlier):
        size = rng.choice(search.sizes) if search.sizes else own
        got, gpus = [], 0
        for one in range(len(servers.devices)):
            if gpus < size and one not in taken:
                got.append(one)
                gpus += int(servers.gpus[one])
        if gpus < size:
            refused += 1
            continue
        taken.update(got)
        running.append(got)
    leaving = sorted(rng.sample(range(len(running)), min(search.leave, len(running))))
    for one in leaving:
        taken.difference_update(running[one])
    stay = len(running) - len(leaving)
    said = f"{format_counted(len(running), 'job')} came before, {len(leaving)} of them ended, {stay} still run"
    more = (f"{format_counted(refused, 'job')} found no room",) if refused else ()
    return taken, (said, *more)


def _base(servers: Servers, job: Job, free: Sequence[int], search: MappingSearch) -> tuple[Pattern, list[int]]:
    """The slots of the job, and the servers that fill them before any search."""
    wanted = job.scenario.ranks
    if isinstance(wanted, tuple):
        return slots_given(servers, wanted)
    if search.among == OWN and wanted is None:
        return slots_given(servers, range(int(servers.gpus.sum())))
    size = usual_size(servers, free)
    n_ranks = wanted if wanted is not None else sum(int(servers.gpus[one]) for one in free if servers.gpus[one] == size)
    base = slots_of(servers, n_ranks, size)
    alike = [one for one in free if servers.gpus[one] >= size]
    return base, fitting(servers, alike, base)[: int(base.slot.max()) + 1]


# -- the search -------------------------------------------------------------------------------------------------------


class _Runner:
    """Runs mappings, remembers those that have run, and keeps the best."""

    def __init__(
        self,
        graph: Graph,
        net: Network,
        servers: Servers,
        scenario: Scenario,
        search: MappingSearch,
        report: Progress,
        walk: int,
    ) -> None:
        self._graph, self._net, self._servers, self._scenario = graph, net, servers, scenario
        self._search, self._report, self._walk = search, report, walk
        self._known: dict[tuple[int, ...], _Found] = {}
        self._between = (graph.kind[graph.source] == SWITCH) & (graph.kind[graph.target] == SWITCH)
        self.runs = 0
        self.best: _Found | None = None

    def scenario_of(self, pattern: Pattern, assigned: Sequence[int]) -> Scenario:
        """The job on these servers."""
        return replace(self._scenario, ranks=self._servers.ranks(pattern, assigned), order="design")

    def run(self, base: Pattern, own: Sequence[int], candidates: Sequence[int]) -> tuple[list[Tried], float]:
        """The best mapping of each kind in the order they are tried, and the bound of all of them."""
        patterns = patterns_of(base)
        among = np.asarray(candidates, dtype=np.int64)
        bounds = [bound_s(self._net, self._scenario, self._servers, one, own, among) for one in patterns]
        bound = min(bounds)
        found: list[tuple[str, str, _Found]] = [("given", _given_title(base), self._try(base, own))]
        try:
            sets = self._sets(base, own, candidates)
            for name, title, assigned in sets:
                for pattern in patterns:
                    found.append((name, f"{title}, {pattern.name}", self._try(pattern, assigned)))
            found.append(("search", "search", self._improved(bound, candidates)))
        except _Out:
            assert self.best is not None
            found.append(("search", "search", self.best))
        kept = _best_of_each(found)
        return [self._tried(name, title, one, bound) for name, title, one in kept], bound

    def _sets(
        self, base: Pattern, own: Sequence[int], candidates: Sequence[int]
    ) -> Iterator[tuple[str, str, tuple[int, ...]]]:
        """Servers to start from: the job's own, in the order of the topology, and compact ones around each block."""
        n_slots = int(base.slot.max()) + 1
        yield "given", "its servers", tuple(own)
        by_topology = sorted(candidates, key=lambda one: (int(self._index[one]), one))
        yield "topology", "first in the topology", tuple(by_topology[:n_slots])
        for assigned in self._compact(n_slots, candidates):
            yield "greedy", "greedy", assigned

    @property
    def _index(self) -> Ints:
        """(n_servers,) the place of each server along the leaf switches."""
        index = self._net.ends.index[self._servers.first, 0]
        on_leaf = self._net.ends.leaf[self._servers.first, 0] >= 0
        return np.asarray(np.where(on_leaf, index, np.iinfo(np.int64).max), dtype=np.int64)

    def _compact(self, n_slots: int, candidates: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Servers near each other: blocks by their distance from one, the fuller of equal ones first.

        Blocks that hold the whole job come first, the smallest of them, so that larger gaps stay for others.
        """
        block, switches = self.blocks, self._net.switches
        members: dict[int, list[int]] = {}
        for one in sorted(candidates, key=lambda one: (int(self._index[one]), one)):
            members.setdefault(int(block[one]), []).append(one)
        starts = sorted(members, key=lambda one: (len(members[one]) < n_slots, _spare(len(members[one]), n_slots), one))
        for start in starts[:STARTS_MOST]:

            def nearness(one: int, start: int = start) -> tuple[int, int, int]:
                if start < 0 or one < 0:
                    return int(one != start), -len(members[one]), one
                hops = int(switches.distance[start, switches.leafs[one]])
                return (hops if hops >= 0 else 1 << 15), -len(members[one]), one

            ordered = [server for one in sorted(members, key=nearness) for server in members[one]]
            yield tuple(ordered[:n_slots])

    @property
    def blocks(self) -> Ints:
        """(n_servers,) the leaf switch of the first NIC of each server: those that share it are neighbors."""
        return np.asarray(self._net.ends.leaf[self._servers.first, 0], dtype=np.int64)

    def _try(self, pattern: Pattern, assigned: Sequence[int]) -> _Found:
        """The run of a mapping, remembered. Raises _Out where no further run is allowed."""
        scenario = self.scenario_of(pattern, assigned)
        ranks = scenario.ranks
        assert isinstance(ranks, tuple)
        known = self._known.get(ranks)
        if known is None:
            if self.runs >= self._search.runs:
                raise _Out
            self._report(self.runs / self._search.runs)
            result = simulate(self._graph, scenario, brief=True)
            # Of mappings that take equally long, the one that needs less of the fabric leaves more for others.
            score = result.time_s, float(result.bytes[self._between].sum())
            known = self._known[ranks] = _Found(pattern, tuple(assigned), score, result.busbw_gbytes_per_s)
            self.runs += 1
        if self.best is None or _is_better(known.score, self.best.score):
            self.best = known
        return known

    def _improved(self, bound: float, candidates: Sequence[int]) -> _Found:
        """The best after changes at random, each kept where it makes the job no slower and the fabric no fuller."""
        rng = random.Random(f"{self._search.draw} {self._walk}")
        assert self.best is not None
        patience = 0
        while not self._is_at(bound) and patience < self._search.runs:
            changed = _changed(rng, self.best.assigned, candidates)
            before = self.best
            self._try(self.best.pattern, changed)
            patience = 0 if self.best is not before else patience + 1
        return self.best

    def _is_at(self, bound: float) -> bool:
        """Whether the best is as fast as any mapping can be."""
        assert self.best is not None
        return self.best.score[0] <= bound * (1 + AT_BOUND)

    def _tried(self, name: str, title: str, found: _Found, bound: float) -> Tried:
        assigned = np.asarray(found.assigned)
        return Tried(
            name,
            title,
            self._servers.ranks(found.pattern, found.assigned),
            len(assigned),
            len(np.unique(self.blocks[assigned])),
            found.score[0],
            found.busbw_gbytes_per_s,
            max(0.0, found.score[0] / bound - 1) if bound > 0 else None,
        )


def _given_title(base: Pattern) -> str:
    return "the ranks as given" if base.name == "as given" else "the first free servers"


def _spare(members: int, n_slots: int) -> int:
    """Of blocks that hold the job the smallest first, of others the largest."""
    return members if members >= n_slots else -members


def _is_better(score: tuple[float, float], than: tuple[float, float]) -> bool:
    if abs(score[0] - than[0]) > ALIKE * than[0]:
        return score[0] < than[0]
    return score[1] < than[1] * (1 - ALIKE)


def _best_of_each(found: Sequence[tuple[str, str, _Found]]) -> list[tuple[str, str, _Found]]:
    """The first, then the best of each kind that followed."""
    kept = [found[0]]
    for kind in dict.fromkeys(name for name, _, _ in found[1:]):
        of_kind = [one for one in found[1:] if one[0] == kind]
        best = of_kind[0]
        for one in of_kind[1:]:
            if _is_better(one[2].score, best[2].score):
                best = one
        if kind != "given" or _is_better(best[2].score, kept[0][2].score):
            kept.append(best)
    return kept


def _changed(rng: random.Random, assigned: tuple[int, ...], candidates: Sequence[int]) -> tuple[int, ...]:
    """Two servers swapped, a run of them turned round, one moved, or one taken in place of another."""
    servers = list(assigned)
    n = len(servers)
    unused = sorted(set(candidates) - set(servers))
    if n < 2 and not unused:
        raise _Out
    move = rng.randrange(4 if unused else 3) if n > 1 else 3
    if move == 3:
        servers[rng.randrange(n)] = rng.choice(unused)
        return tuple(servers)
    first, second = sorted(rng.sample(range(n), 2))
    if move == 0:
        servers[first], servers[second] = servers[second], servers[first]
    elif move == 1:
        servers[first : second + 1] = reversed(servers[first : second + 1])
    else:
        servers.insert(first, servers.pop(second))
    return tuple(servers)
