"""What failures do to a scenario: one thing after another taken out, pairs of them, or many at random.

Every failure is simulated again on the fabric without it: traffic is rerouted, ranks that are missing or cut off take
no part, and their number is reported. One short cut changes no result: of failures that are alike
(failure_likeness) one is simulated.
"""

import itertools
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from designer.errors import GraphError
from designer.graph.arrays import Graph, without
from designer.graph.building.build import build
from designer.graph.failures import broken
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.failures.candidates import KINDS, Candidate, at_least, candidates
from designer.simulation.failures.likeness import Likeness
from designer.simulation.failures.request import RATES, REQUEST
from designer.simulation.failures.survivors import rank_keys, ranks_left
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.storage.document import decode, encode
from designer.tables.columns import Column, Columns, keys, percent, record
from designer.units import format_count, format_counted, format_time
from designer.workers.results import results
from designer.workers.where import Where
from designer.workers.work import Work

__all__ = ["KINDS", "Candidate", "Outcome", "Sweep", "candidates", "monte_carlo", "pairs", "single"]

Progress = Callable[[float], None]

MOST_EXACT_PAIRS = 60
"""Candidates of which all pairs are tried; of more, pairs of the worst ones."""
WORST_PAIRED = 24
TRIED_FIRST, WORTH_PROCESSES_S = 8, 6.0
# Failures tried before it is decided whether the rest is worth starting processes for, which takes some seconds.
PROCESSORS = Where()
"""All of this machine."""


def _times(slowdown: float) -> str:
    return "stuck" if math.isinf(slowdown) else f"{slowdown:.3f}x"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A scenario with something failed.

    `time_s` is that of the ranks left, None where nothing can run. `lost_ranks` lost their server or reach no
    other. `slowdown` is the time over that of the healthy fabric; None where ranks are lost, for fewer ranks have less
    to do, and where nothing can run.
    """

    failed: Candidate
    time_s: float | None
    slowdown: float | None
    lost_ranks: int
    hottest: str
    """The link that is fullest now, in the direction it is: "leaf-01 port 1/1 to spine-02"."""
    hottest_utilization: float
    note: str = ""
    hottest_ends: tuple[str, str] | None = None
    """The devices that the hottest link leaves and enters."""
    count: int = 1
    """How many samples drew this failure."""

    COLUMNS: ClassVar[Columns] = (
        Column("samples", "Samples", "count", right=True, is_json=False),
        Column("failed", "Failed", "failed.name"),
        Column("ids", value=lambda outcome: sorted(outcome.failed.ids)),
        Column("time_s", "Time", text=format_time, unit="s", right=True, empty="-"),
        Column("slowdown", "Slowdown"),
        Column("slowed", "Slowdown", text=_times, right=True, empty="-", is_json=False),
        Column("lost_ranks", "Ranks lost", text=lambda lost: format_count(lost) if lost else "", right=True),
        Column("count"),
        Column("hottest", value=lambda one: {"link": one.hottest, "utilization": one.hottest_utilization}),
        Column("note_or_hottest", "Hottest link then", lambda outcome: outcome.note or outcome.hottest, is_json=False),
        Column("hottest_link", "Hottest link", "hottest", is_json=False),
        Column("peak", "Peak utilization", "hottest_utilization", percent, right=True, is_json=False),
        Column("note", "Note"),
    )

    @property
    def slowed(self) -> float | None:
        """The slowdown; infinite where nothing can run, None where ranks are lost."""
        return math.inf if self.time_s is None else self.slowdown


@dataclass(frozen=True, slots=True)
class Sweep:
    """All outcomes, the worst first: those that lose ranks, most lost first, then the others by slowdown.

    `is_exact` is False where not every combination was tried but only pairs of the worst: a chosen set, of which no
    percentile means anything.
    """

    healthy: Result
    outcomes: tuple[Outcome, ...]
    is_exact: bool = True

    COLUMNS: ClassVar[Columns] = (
        Column("exact", value="is_exact"),
        Column("healthy", value=lambda sweep: record(sweep.healthy, keys("time_s busbw_gbytes_per_s"))),
        *keys("tried=n_tried cut_off=n_cut_off"),
        Column("assumed_note", value=lambda sweep: sweep.assumed_note or None),
        Column("slowdown", value="slowdowns"),
        Column("outcomes"),
    )

    @property
    def slowdowns(self) -> dict[str, float | None]:
        """What 50, 90 and 99 % of the outcomes do not exceed, and the worst; None where that means nothing."""
        shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
        within = {name: self.slowdown_at(share) if self.is_exact else None for name, share in shares.items()}
        return within | {"max": self.slowdown_at(1.0)}

    @property
    def assumed_note(self) -> str:
        """That the times compared hang on assumed latencies; "" where they do not."""
        return self.healthy.assumed_note

    @property
    def n_tried(self) -> int:
        """How many failures were tried, repeated samples included."""
        return sum(outcome.count for outcome in self.outcomes)

    @property
    def n_cut_off(self) -> int:
        """How many of those tried have no slowdown: ranks are lost, or nothing runs."""
        return sum(outcome.count for outcome in self.outcomes if outcome.slowdown is None)

    @property
    def most_lost_ranks(self) -> int:
        """Most ranks that any outcome loses; 0 without outcomes."""
        return max((outcome.lost_ranks for outcome in self.outcomes), default=0)

    @property
    def worst_by_role(self) -> str:
        """ "32 leaf switches at most 1.964×, 43 spines at most 1.016×"; "" where all have one role, or none is known.

        The role of the worst first. Without those that lose ranks.
        """
        worst: dict[str, float] = {}
        for one in self.outcomes:
            if one.slowdown is not None:
                worst[one.failed.role] = max(one.slowdown, worst.get(one.failed.role, 0.0))
        if len(worst) < 2 or "" in worst:
            return ""
        counts = Counter(one.failed.role for one in self.outcomes if one.slowdown is not None)
        order = sorted(worst, key=lambda role: (-worst[role], role))
        return ", ".join(f"{format_counted(counts[role], role)} at most {worst[role]:.3f}×" for role in order)

    def slowdown_at(self, share: float) -> float | None:
        """The slowdown that this share of the outcomes without lost ranks does not exceed: 0.5 the median.

        None where all lose ranks.
        """
        rows = sorted((one.slowdown, one.count) for one in self.outcomes if one.slowdown is not None)
        place = share * sum(count for _, count in rows)
        for slowdown, count in rows:
            if place < count:
                return slowdown
            place -= count
        return rows[-1][0] if rows else None


def single(
    design: Design, scenario: Scenario, kind: str, progress: Progress | None = None, where: Where = PROCESSORS
) -> Sweep:
    """Every one of a kind failed by itself. `progress` may raise Cancelled.

    Raises ParameterError where the design has none of the kind.
    """
    chosen = at_least(1, design, kind, scenario.network)
    bench = _Bench(design, scenario, where)
    return Sweep(bench.healthy, _ranked(bench.try_all(chosen, progress)))


def pairs(
    design: Design, scenario: Scenario, kind: str, progress: Progress | None = None, where: Where = PROCESSORS
) -> Sweep:
    """Every two of a kind failed together; of many only pairs of those that are worst by themselves.

    Raises ParameterError where the design has fewer than two.
    """
    chosen = at_least(2, design, kind, scenario.network)
    bench = _Bench(design, scenario, where)
    is_exact = len(chosen) <= MOST_EXACT_PAIRS
    if not is_exact:
        half = None if progress is None else (lambda share: progress(0.5 * share))
        first = _ranked(bench.try_all(chosen, half))
        # One of each kind of damage first, so that the worst are not all the same.
        chosen = _unlike(first)[:WORST_PAIRED]
    both = [
        Candidate(f"{one.name} and {other.name}", one.ids | other.ids, (one.name, other.name))
        for one, other in itertools.combinations(chosen, 2)
    ]
    rest = progress if is_exact or progress is None else (lambda share: progress(0.5 + 0.5 * share))
    return Sweep(bench.healthy, _ranked(bench.try_all(both, rest)), is_exact)


def monte_carlo(
    design: Design,
    scenario: Scenario,
    rates: dict[str, float],
    samples: int,
    seed: int,
    progress: Progress | None = None,
    where: Where = PROCESSORS,
) -> Sweep:
    """Samples in which every link, switch, NIC, ... fails by itself with the probability of its kind (0 to 1).

    The same seed draws the same failures; those drawn more than once are one outcome with their count. Raises
    ParameterError for rates and numbers that make no sense.
    """
    REQUEST["samples"].require(samples)
    pools = []
    for kind, rate in rates.items():
        if kind in RATES:
            RATES[kind].require(rate)
        pools.append((at_least(1, design, kind, scenario.network) if rate else [], rate))
    generator = np.random.default_rng(seed % 2**64)
    drawn: dict[frozenset[str], Candidate] = {}
    counts: Counter[frozenset[str]] = Counter()
    for _ in range(samples):
        hit = [pool[i] for pool, rate in pools for i in np.flatnonzero(generator.random(len(pool)) < rate)]
        names = ", ".join(one.name for one in hit[:3]) + (f" and {len(hit) - 3} more" if len(hit) > 3 else "")
        ids: frozenset[str] = frozenset().union(*(one.ids for one in hit))
        parts = tuple(one.name for one in hit) if len(hit) > 1 else ()
        drawn.setdefault(ids, Candidate(names or "nothing", ids, parts))
        counts[ids] += 1
    bench = _Bench(design, scenario, where)
    found = bench.try_all(list(drawn.values()), progress)
    return Sweep(bench.healthy, _ranked([replace(one, count=counts[one.failed.ids]) for one in found]))


def _ranked(outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    """Those that lose ranks first, most lost first, then the slowest; like ones in the order they came."""
    return tuple(
        sorted(
            outcomes,
            key=lambda one: (
                (0, one.time_s is not None, -one.lost_ranks, -(one.time_s or 0.0))
                if one.slowdown is None
                else (1, True, 0, -one.slowdown)
            ),
        )
    )


def _unlike(outcomes: Sequence[Outcome]) -> list[Candidate]:
    """The failed things with every sort of damage before its likes."""
    seen: dict[tuple[float | None, int], int] = {}
    turns = []
    for outcome in outcomes:
        key = (None if outcome.slowdown is None else round(outcome.slowdown, 6), outcome.lost_ranks)
        seen[key] = seen.get(key, 0) + 1
        turns.append((seen[key], outcome))
    return [outcome.failed for _, outcome in sorted(turns, key=lambda turn: turn[0])]


class _Bench:
    """The healthy fabric and its result, on which failures are tried."""

    def __init__(self, design: Design, scenario: Scenario, where: Where = PROCESSORS) -> None:
        self._design = design
        self._where = where
        self._first_asked = scenario
        self._scenario = replace(scenario, failed=())
        self._graph = build(design, failed=frozenset(scenario.failed), network=scenario.network)
        self.healthy = simulate(self._graph, scenario)
        members = participants(network(self._graph), scenario)
        self._members = rank_keys(self._graph)[members]
        # What belongs to other networks of the cluster is missed by nobody.
        self._elsewhere = (design.links.keys() | design.devices.keys()) - {
            *self._graph.link_ids,
            *self._graph.device_ids,
        }
        self._likeness = Likeness(self._graph, self.healthy, scenario)

    def try_all(self, chosen: Sequence[Candidate], progress: Progress | None) -> list[Outcome]:
        """The outcome of each, on all processors."""
        keys = [self._likeness.key(candidate.ids - self._elsewhere) for candidate in chosen]
        first = {key: number for number, key in reversed(list(enumerate(keys)))}
        wanted = sorted(first.values())
        done = 0

        def tell(more: int = 1) -> None:
            nonlocal done
            done += more
            if progress is not None:
                progress(done / max(1, len(wanted)))

        found: dict[int, Outcome] = {}
        took_s = []
        for number in wanted[:TRIED_FIRST]:
            began = time.perf_counter()
            found[number] = self._outcome(chosen[number])
            took_s.append(time.perf_counter() - began)
            tell()
        left = wanted[TRIED_FIRST:]
        expected_s = float(np.median(took_s)) * len(left) if left else 0.0  # the first one compiles
        if left and (self._where.scheduler or (expected_s > WORTH_PROCESSES_S and not self._where.is_here)):
            found.update(self._spread(chosen, left, tell))
        else:
            for number in left:
                found[number] = self._outcome(chosen[number])
                tell()
        return [
            found[number] if (number := first[key]) == place else self._like(found[number], chosen[place])
            for place, key in enumerate(keys)
        ]

    def _spread(
        self, chosen: Sequence[Candidate], numbers: Sequence[int], tell: Callable[[int], None]
    ) -> dict[int, Outcome]:
        """The outcomes of these candidates, by other processes: threads would wait for each other."""
        found: dict[int, Outcome] = {}
        work = Work(_try, _bench, (encode(self._design), self._first_asked))
        with closing(results(work, [chosen[one] for one in numbers], self._where, lambda: tell(0))) as finished:
            for place, outcome in finished:
                found[numbers[place]] = outcome
                tell(1)
        return found

    def _like(self, found: Outcome, candidate: Candidate) -> Outcome:
        """What was found for one failure, as the result of one that is the same but for names."""
        if not found.hottest_ends or not candidate.ids:
            return replace(found, failed=candidate)
        arc = self._likeness.image(found.hottest_ends, found.failed.ids, candidate.ids)
        if arc is None:
            return replace(found, failed=candidate)
        return replace(found, failed=candidate, hottest=_arc_name(self._graph, arc))

    def _outcome(self, candidate: Candidate) -> Outcome:
        if not candidate.ids:
            return self._judged(candidate, self.healthy, 0)
        graph = without(self._graph, broken(self._design, candidate.ids), candidate.ids)
        members, lost = ranks_left(graph, self._members)
        if len(members) < 2:
            return Outcome(candidate, None, None, lost, "", 0.0, "no two ranks are left that reach each other")
        scenario = replace(self._scenario, ranks=tuple(members.tolist()), order="design")
        try:
            return self._judged(candidate, simulate(graph, scenario, brief=True), lost)
        except GraphError as error:
            return Outcome(candidate, None, None, lost, "", 0.0, str(error))

    def _judged(self, candidate: Candidate, result: Result, lost: int) -> Outcome:
        arc, utilization = _hottest_arc(result)
        slowdown = None if lost else result.time_s / self.healthy.time_s if self.healthy.time_s > 0 else 1.0
        graph, name, ends = result.graph, "", None
        if arc is not None:
            name = _arc_name(graph, arc)
            ends = graph.device_name(int(graph.source[arc])), graph.device_name(int(graph.target[arc]))
        return Outcome(candidate, result.time_s, slowdown, lost, name, utilization, hottest_ends=ends)


def _bench(document: bytes, scenario: Scenario) -> _Bench:
    return _Bench(decode(document), scenario)


def _try(bench: _Bench, candidate: Candidate) -> Outcome:
    return bench._outcome(candidate)


def _hottest_arc(result: Result) -> tuple[int | None, float]:
    """(the link's arc that is fullest, its peak utilization); (None, 0) where there is none."""
    graph = result.graph
    use = np.where(graph.link >= 0, result.utilization_peak, -1.0)
    # Among equals the one that carries most all the while.
    arc = int(np.lexsort((result.utilization_mean, np.round(use, 9)))[-1]) if len(use) else -1
    return (None, 0.0) if arc < 0 or use[arc] < 0 else (arc, float(use[arc]))


def _arc_name(graph: Graph, arc: int) -> str:
    tail, head = graph.device_name(int(graph.source[arc])), graph.device_name(int(graph.target[arc]))
    return f"{tail} port {graph.port_name(arc)} to {head}"
