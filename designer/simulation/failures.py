"""What failures do to a scenario: one thing after another taken out, pairs of them, or many at random.

Every failure is simulated anew on the fabric without it: traffic is routed again, ranks that are gone or cut off take
no part, and their number is told. Two short cuts change no result: under `spray` parallel links between two switches
are alike, and a link that carries nothing is missed by nobody.
"""

import itertools
import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError, ParameterError
from designer.graph.arrays import Graph, build, without
from designer.graph.failures import broken
from designer.model.design import Design, ordered
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.ranks import participants
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.storage.document import decode, encode
from designer.units import format_count

Progress = Callable[[float], None]

KINDS = ("link", "switch", "nic", "server", "rack", "plane")
MOST_EXACT_PAIRS = 60
"""Candidates of which all pairs are tried; of more, pairs of the worst ones."""
WORST_PAIRED = 24
MOST_SAMPLES = 100_000
TRIED_FIRST, WORTH_PROCESSES_S = 8, 6.0
# Failures tried before it is decided whether the rest is worth starting processes for, which takes some seconds.


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that can fail: what a report calls it, and the ids of what is gone with it."""

    name: str
    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A scenario with something failed.

    `time_s` is that of the ranks left, None where fewer than two are. `lost_ranks` are gone with their server or cut
    off. `slowdown` is the time over that of the healthy fabric; infinite where nothing can run.
    """

    failed: Candidate
    time_s: float | None
    slowdown: float
    lost_ranks: int
    hottest: str
    """The link that is fullest now, in the direction it is: "leaf-01 port 1/1 to spine-02"."""
    hottest_utilization: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sweep:
    """All outcomes, the worst first. `is_exact` is False where not every combination was tried."""

    healthy: Result
    outcomes: tuple[Outcome, ...]
    is_exact: bool = True

    def slowdown_at(self, share: float) -> float:
        """The slowdown that this share of the outcomes does not exceed: 0.5 the median, 0.99 the 99th percentile."""
        rows = sorted(outcome.slowdown for outcome in self.outcomes)
        return rows[min(len(rows) - 1, int(share * len(rows)))] if rows else 1.0


def candidates(design: Design, kind: str) -> list[Candidate]:
    """Everything of a kind in the design, in its order. Raises ParameterError for a kind there is not."""
    if kind == "link":
        names = {device.id: device.name for device in design.devices.values()}
        return [
            Candidate(
                f"{names[link.a.device_id]} {link.a.port} - {names[link.b.device_id]} {link.b.port}",
                frozenset([link.id]),
            )
            for link in ordered(design.links)
        ]
    if kind == "switch":
        return [Candidate(device.name, frozenset([device.id])) for device in design.switches()]
    if kind == "server":
        return [Candidate(device.name, frozenset([device.id])) for device in design.servers()]
    if kind == "nic":
        return [
            Candidate(f"{design.device(module.device_id).name} {module.slot}", frozenset([module.id]))
            for module in ordered(design.modules)
        ]
    if kind == "rack":
        held: dict[str, set[str]] = {}
        for placement in design.placements.values():
            if placement.rack_id is not None:
                held.setdefault(placement.rack_id, set()).add(placement.id)
        return [Candidate(rack.name, frozenset(held[rack.id])) for rack in ordered(design.racks) if rack.id in held]
    if kind == "plane":
        planes: dict[int, set[str]] = {}
        for device in design.switches():
            if device.plane is not None:
                planes.setdefault(device.plane, set()).add(device.id)
        return [Candidate(f"plane {plane}", frozenset(ids)) for plane, ids in sorted(planes.items())]
    raise ParameterError(f"there is nothing called {kind!r} to fail; there is {', '.join(KINDS)}")


def single(design: Design, scenario: Scenario, kind: str, progress: Progress | None = None) -> Sweep:
    """Every one of a kind failed by itself. `progress` may raise Cancelled."""
    bench = _Bench(design, scenario)
    return Sweep(bench.healthy, _ranked(bench.try_all(candidates(design, kind), progress)))


def pairs(design: Design, scenario: Scenario, kind: str, progress: Progress | None = None) -> Sweep:
    """Every two of a kind failed together; of many only pairs of those that are worst by themselves."""
    bench = _Bench(design, scenario)
    chosen = candidates(design, kind)
    is_exact = len(chosen) <= MOST_EXACT_PAIRS
    if not is_exact:
        half = None if progress is None else (lambda share: progress(0.5 * share))
        first = _ranked(bench.try_all(chosen, half))
        # One of each kind of damage first, so that the worst are not all the same.
        chosen = _unlike(first)[:WORST_PAIRED]
    both = [
        Candidate(f"{one.name} and {other.name}", one.ids | other.ids)
        for one, other in itertools.combinations(chosen, 2)
    ]
    rest = progress if is_exact or progress is None else (lambda share: progress(0.5 + 0.5 * share))
    return Sweep(bench.healthy, _ranked(bench.try_all(both, rest)), is_exact)


def monte_carlo(
    design: Design, scenario: Scenario, rates: dict[str, float], samples: int, seed: int,
    progress: Progress | None = None,
) -> Sweep:  # fmt: skip
    """Samples in which every link, switch, NIC, ... fails by itself with the probability of its kind (0 to 1).

    The same seed draws the same failures. Raises ParameterError for rates and numbers that make no sense.
    """
    if not 1 <= samples <= MOST_SAMPLES:
        raise ParameterError(f"the number of samples should be 1 to {format_count(MOST_SAMPLES)}, not {samples}")
    pools = []
    for kind, rate in rates.items():
        if not 0 <= rate <= 1:
            raise ParameterError(f"the failure rate of a {kind} should be 0 to 1, not {rate:g}")
        pools.append((candidates(design, kind), rate))
    generator = np.random.default_rng(seed % 2**64)
    drawn = []
    for number in range(samples):
        hit = [pool[i] for pool, rate in pools for i in np.flatnonzero(generator.random(len(pool)) < rate)]
        names = ", ".join(one.name for one in hit[:3]) + (f" and {len(hit) - 3} more" if len(hit) > 3 else "")
        drawn.append(Candidate(names or f"nothing (sample {number + 1})", frozenset().union(*(one.ids for one in hit))))
    bench = _Bench(design, scenario)
    return Sweep(bench.healthy, _ranked(bench.try_all(drawn, progress)))


def _ranked(outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    """The slowest first, then those that lose most ranks; like ones in the order they came."""
    return tuple(sorted(outcomes, key=lambda outcome: (-outcome.slowdown, -outcome.lost_ranks)))


def _unlike(outcomes: Sequence[Outcome]) -> list[Candidate]:
    """The failed things with every sort of damage before its likes."""
    seen: dict[tuple[float, int], int] = {}
    turns = []
    for outcome in outcomes:
        key = (round(outcome.slowdown, 6), outcome.lost_ranks)
        seen[key] = seen.get(key, 0) + 1
        turns.append((seen[key], outcome))
    return [outcome.failed for _, outcome in sorted(turns, key=lambda turn: turn[0])]


class _Bench:
    """The healthy fabric and its result, on which failures are tried."""

    def __init__(self, design: Design, scenario: Scenario) -> None:
        self._design = design
        self._first_asked = scenario
        self._scenario = replace(scenario, failed=())
        self._graph = build(design, failed=frozenset(scenario.failed), network=scenario.network)
        self.healthy = simulate(self._graph, scenario)
        members = participants(network(self._graph), scenario)
        self._members = _keys(self._graph)[members]
        self._alike = self._alike_links() if scenario.routing == "spray" else {}

    def try_all(self, chosen: Sequence[Candidate], progress: Progress | None) -> list[Outcome]:
        """The outcome of each, on all processors."""
        keys = [self._key(candidate) for candidate in chosen]
        first = {key: number for number, key in reversed(list(enumerate(keys)))}
        wanted = sorted(first.values())
        done = 0

        def tell() -> None:
            nonlocal done
            done += 1
            if progress is not None:
                progress(done / max(1, len(wanted)))

        found: dict[int, Outcome] = {}
        began = time.perf_counter()
        for number in wanted[:TRIED_FIRST]:
            found[number] = self._outcome(chosen[number])
            tell()
        left = wanted[TRIED_FIRST:]
        expected_s = (time.perf_counter() - began) / TRIED_FIRST * len(left)
        n_processors = os.cpu_count() or 1
        if expected_s > WORTH_PROCESSES_S and n_processors > 1:
            found.update(self._in_processes(chosen, left, n_processors, tell))
        else:
            for number in left:
                found[number] = self._outcome(chosen[number])
                tell()
        return [
            found[number] if (number := first[key]) == place else replace(found[number], failed=chosen[place])
            for place, key in enumerate(keys)
        ]

    def _in_processes(
        self, chosen: Sequence[Candidate], numbers: Sequence[int], workers: int, tell: Callable[[], None]
    ) -> dict[int, Outcome]:
        """The outcomes of these candidates, by processes of their own: threads would wait for each other."""
        found: dict[int, Outcome] = {}
        # Started afresh: a fork of a program with threads and a window may hang.
        pool = ProcessPoolExecutor(
            workers, multiprocessing.get_context("spawn"), _start_worker, (encode(self._design), self._first_asked)
        )
        try:
            step = max(1, min(16, len(numbers) // (4 * workers)))
            chunks = [numbers[at : at + step] for at in range(0, len(numbers), step)]
            asked = {pool.submit(_try_some, [chosen[number] for number in chunk]): chunk for chunk in chunks}
            for future in as_completed(asked):
                for number, outcome in zip(asked[future], future.result(), strict=True):
                    found[number] = outcome
                    tell()
        except BaseException:
            for process in list((pool._processes or {}).values()):
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()
        return found

    def _key(self, candidate: Candidate) -> object:
        """Equal for candidates whose failure is the same but for names."""
        if not candidate.ids:
            return frozenset[str]()
        if len(candidate.ids) == 1:
            (one,) = candidate.ids
            return self._alike.get(one, candidate.ids)
        return candidate.ids

    def _alike_links(self) -> dict[str, object]:
        """By link: what it shares with all links whose loss is the same loss: unused ones, and lanes of one bundle."""
        graph, result = self._graph, self.healthy
        found: dict[str, object] = {}
        between = (graph.link >= 0) & (np.arange(graph.n_arcs) % 2 == 0)
        first_switch = network(graph).switches.first
        for arc in np.flatnonzero(between).tolist():
            link_id = graph.link_ids[graph.link[arc]]
            a, b = int(graph.source[arc]), int(graph.target[arc])
            if result.bytes[arc] == 0 and result.bytes[arc + 1] == 0 and min(a, b) >= first_switch:
                found[link_id] = "unused"
            elif min(a, b) >= first_switch:
                found[link_id] = (
                    a, b, float(graph.capacity_gbps[arc]), float(graph.latency_ns[arc]),
                    float(graph.latency_ns[arc + 1]),
                )  # fmt: skip
        return found

    def _outcome(self, candidate: Candidate) -> Outcome:
        if not candidate.ids:
            return self._judged(candidate, self.healthy, 0)
        graph = without(self._graph, broken(self._design, candidate.ids), candidate.ids)
        members, lost = self._left(graph)
        if len(members) < 2:
            return Outcome(candidate, None, float("inf"), lost, "", 0.0, "fewer than two ranks are left")
        scenario = replace(self._scenario, ranks=tuple(members.tolist()), order="design")
        try:
            return self._judged(candidate, simulate(graph, scenario), lost)
        except GraphError as error:
            return Outcome(candidate, None, float("inf"), lost, "", 0.0, str(error))

    def _judged(self, candidate: Candidate, result: Result, lost: int) -> Outcome:
        hottest, utilization = hottest_link(result)
        slowdown = result.time_s / self.healthy.time_s if self.healthy.time_s > 0 else 1.0
        return Outcome(candidate, result.time_s, slowdown, lost, hottest, utilization)

    def _left(self, graph: Graph) -> tuple[NDArray[np.int64], int]:
        """(the ranks that are there and reach each other, how many are not)."""
        there = _keys(graph)  # ascending: endpoints are in rank order
        place = np.minimum(np.searchsorted(there, self._members), max(0, len(there) - 1))
        present = place[there[place] == self._members].astype(np.int64) if len(there) else np.empty(0, dtype=np.int64)
        if len(present) and not _hang_together(graph, present):
            of = _components(graph)[present]
            present = present[of == np.bincount(of).argmax()]
        return present, len(self._members) - len(present)


_worker: list[_Bench] = []
"""The bench of a process that tries failures, made when it starts."""


def _start_worker(document: bytes, scenario: Scenario) -> None:
    _worker[:] = [_Bench(decode(document), scenario)]


def _try_some(chosen: list[Candidate]) -> list[Outcome]:
    return [_worker[0]._outcome(candidate) for candidate in chosen]


def _keys(graph: Graph) -> NDArray[np.int64]:
    """(n_endpoints,) a number for each GPU that stays the same when others fail."""
    n = graph.n_endpoints
    return graph.device[:n].astype(np.int64) * 2**20 + graph.local[:n]


def _hang_together(graph: Graph, members: NDArray[np.int64]) -> bool:
    """Whether all are on leafs that reach each other; False also where that takes a closer look."""
    net = network(graph)
    leafs = np.unique(net.ends.leaf[members, 0])
    if leafs[0] < 0:
        return False
    return bool((net.switches.distance[leafs[0], net.switches.leafs[leafs]] >= 0).all())


def _components(graph: Graph) -> NDArray[np.int64]:
    """(n_vertices,) number of the component each vertex is in."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(graph.n_arcs, dtype=np.int8)
    joined = coo_array((ones, (graph.source, graph.target)), shape=(graph.n_vertices, graph.n_vertices))
    found: NDArray[np.int64] = connected_components(joined, directed=False)[1].astype(np.int64)
    return found


def hottest_link(result: Result) -> tuple[str, float]:
    """(its name in the direction it is fullest, peak utilization) of the fullest link; ("", 0) where there is none."""
    graph = result.graph
    use = np.where(graph.link >= 0, result.utilization_peak, -1.0)
    # Among equals the one that carries most all the while.
    arc = int(np.lexsort((result.utilization_mean, np.round(use, 9)))[-1]) if len(use) else -1
    if arc < 0 or use[arc] < 0:
        return "", 0.0
    tail, head = graph.device_name(int(graph.source[arc])), graph.device_name(int(graph.target[arc]))
    return f"{tail} port {graph.port_name(arc)} to {head}", float(use[arc])
