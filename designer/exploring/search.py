"""The search: candidates are counted, bounded, built in rounds and compared; what is found is kept as it comes in.

Results hang on the search alone, not on how many processes share the work: candidates are built in rounds of a fixed
size, and only rounds that are complete decide which candidates of the next ones cannot win any more.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from designer.catalog.catalog import Catalog, load
from designer.errors import DesignerError
from designer.exploring.bounds import Bounds, bounds
from designer.exploring.candidates import Counted, all_candidates, counted
from designer.exploring.evaluation import work_of
from designer.exploring.figures import VERSION, Evaluated, Figures, Objective, evaluated_from, known_of, objectives_of
from designer.exploring.judging import over_bounds, over_figures, unchecked
from designer.exploring.pareto import beaten_by, dominators
from designer.exploring.request import Candidate, Exploration
from designer.exploring.results import (
    CANNOT_RUN,
    CANNOT_WIN,
    DOMINATED,
    ERRORS,
    FRONT,
    OVER_LIMIT,
    UNBUILDABLE,
    WRONG_SIZE,
    Found,
    Outcome,
)
from designer.tables.columns import exact_percent
from designer.units import format_count
from designer.workers.progress import Count, Progress
from designer.workers.results import Crew
from designer.workers.store import Store, key_of
from designer.workers.where import Where

ROUND = 32
"""Candidates built before those left are looked through for what cannot win any more."""

Heard = Callable[[Progress, Sequence[Outcome]], None]
"""Called ten times a second with how far it has come and what has been found since; what it raises ends the search."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A candidate that may be worth building."""

    counted: Counted
    bounds: Bounds

    @property
    def candidate(self) -> Candidate:
        return self.counted.candidate


def explore(search: Exploration, where: Where, store: Store | None = None, heard: Heard | None = None) -> Found:
    """Every candidate with what came of it. Raises what `heard` raises, and DesignerError for work that cannot be done.

    What a `store` has from an earlier search, of whatever limits, is not done again.
    """
    began_s = time.perf_counter()
    catalog = load()
    with Crew(work_of(search), where) as crew:
        run = _Search(search, catalog, crew, store, heard)
        run.count()
        run.build()
    return run.found(time.perf_counter() - began_s)


def key_for(search: Exploration, candidate: Candidate, catalog: Catalog) -> str:
    """What the figures of a candidate are kept under: everything that they hang on."""
    own = sorted((type_id, repr(catalog.types[type_id])) for type_id in catalog.own)
    prices = sorted((name, repr(price)) for name, price in search.prices.prices.items())
    asked = [[one.name, one.weight, one.measure, repr(one.run)] for one in search.workloads]
    cost = [repr(search.terms), repr(search.spares), prices]
    return key_of(VERSION, candidate.family, candidate.values, candidate.optics, asked, search.growth, cost, own)


class _Search:
    """One search under way."""

    def __init__(
        self, search: Exploration, catalog: Catalog, crew: Crew, store: Store | None, heard: Heard | None
    ) -> None:
        self._search, self._catalog, self._crew, self._store = search, catalog, crew, store
        self._heard = heard
        self._objectives = objectives_of(search)
        self._outcomes: dict[int, Outcome] = {}
        self._new: list[Outcome] = []
        self._waiting: list[_Waiting] = []
        self._kept: dict[int, Evaluated] = {}
        self._count = Count(0)
        self._n_built = 0

    def count(self) -> None:
        """Count every candidate: those that cannot be built, have another size or exceed a limit by counts fall out."""
        for candidate in all_candidates(self._search, self._catalog):
            self._look(0)
            try:
                made = counted(candidate, self._catalog)
            except DesignerError as error:
                self._settle(Outcome(candidate, UNBUILDABLE, str(error)))
                continue
            least, most = self._search.gpus
            gpus = made.counts.endpoints
            found = bounds(made, self._search, self._catalog)
            if not least <= gpus <= most:
                wanted = format_count(least) if least == most else f"{format_count(least)} to {format_count(most)}"
                self._settle(Outcome(candidate, WRONG_SIZE, f"it has {format_count(gpus)} GPUs, wanted are {wanted}"))
            elif over := over_bounds(found, self._search):
                self._settle(Outcome(candidate, OVER_LIMIT, over))
            else:
                self._waiting.append(_Waiting(made, found))
        # Those that take least come first: what they reach rules out the most.
        self._waiting.sort(key=lambda one: (one.bounds.cost, one.bounds.power_w, one.candidate.number))
        self._read_kept()

    def _read_kept(self) -> None:
        keys = {key_for(self._search, one.candidate, self._catalog): one.candidate.number for one in self._waiting}
        if self._store is not None:
            kept = ((keys[key], evaluated_from(value)) for key, value in self._store.found(keys).items())
            self._kept = {number: found for number, found in kept if found is not None}
        self._count = Count(len(self._waiting))

    def build(self) -> None:
        """Build the candidates that may win, round by round, and judge each."""
        while self._waiting:
            now, self._waiting = self._waiting[:ROUND], self._waiting[ROUND:]
            self._round([one.candidate for one in now])
            self._prune()
            self._look(0)

    def _round(self, candidates: Sequence[Candidate]) -> None:
        """Judge each; those that the store has are not built again."""
        missing = []
        for one in candidates:
            if one.number in self._kept:
                self._judge(one, self._kept[one.number])
                self._look(1, was_kept=True)
            else:
                missing.append(one)
        if not missing:
            return
        for place, kept in self._crew.results(missing, lambda: self._look(0)):
            self._judge(missing[place], self._keep(missing[place], kept))
            self._look(1)

    def _keep(self, candidate: Candidate, kept: Any) -> Evaluated:
        self._n_built += 1
        if self._store is not None:
            self._store.keep(key_for(self._search, candidate, self._catalog), kept)
        return evaluated_from(kept) or Evaluated(fault="its result cannot be read")

    def _judge(self, candidate: Candidate, found: Evaluated) -> None:
        figures = found.figures
        if figures is None:
            self._settle(Outcome(candidate, CANNOT_RUN, found.fault))
        elif figures.errors:
            more = f" (and {figures.errors - 1} more)" if figures.errors > 1 else ""
            self._settle(Outcome(candidate, ERRORS, f"{figures.error}{more}", figures))
        elif over := over_figures(figures, self._search):
            self._settle(Outcome(candidate, OVER_LIMIT, over, figures))
        else:
            open_limits = ", ".join(unchecked(figures, self._search))
            why = f"limit not checked: {open_limits}" if open_limits else ""
            self._settle(Outcome(candidate, FRONT, why, figures))

    def _prune(self) -> None:
        """Candidates that cannot beat one that was built fall out."""
        rows, numbers = self._values(self._objectives)
        left: list[_Waiting] = []
        for waiting in self._waiting:
            bound = [waiting.bounds.of(one.name) for one in self._objectives]
            margins = [
                self._search.tolerance * (one.whole or abs(least))
                for one, least in zip(self._objectives, bound, strict=True)
            ]
            better = beaten_by(rows, bound, margins)
            if better is None:
                left.append(waiting)
            else:
                why = f"at least {self._stated(bound)}: cannot beat #{numbers[better]}"
                self._settle(Outcome(waiting.candidate, CANNOT_WIN, why))
                self._count.leave_out(1)
        self._waiting = left

    def _stated(self, bound: Sequence[float]) -> str:
        """ "time 5.1 ms, power 280.0 kW": the bounds that say something."""
        rows = zip(self._objectives, bound, strict=True)
        return ", ".join(f"{one.noun} {one.text(least)}" for one, least in rows if least and one.name != "gpus")

    def _values(self, objectives: Sequence[Objective]) -> tuple[Any, list[int]]:
        """(the figures of those that are feasible and known in everything, their numbers)."""
        rows, numbers = [], []
        for number in sorted(self._outcomes):
            figures = self._outcomes[number].figures
            if self._outcomes[number].status == FRONT and figures is not None:
                row = [one.of(figures) for one in objectives]
                if None not in row:
                    rows.append(row)
                    numbers.append(number)
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(objectives)), numbers

    def _settle(self, outcome: Outcome) -> None:
        self._outcomes[outcome.candidate.number] = outcome
        self._new.append(outcome)

    def _look(self, number: int, *, was_kept: bool = False) -> None:
        self._count.add(number, was_kept=was_kept)
        if self._heard is not None:
            new, self._new = self._new, []
            self._heard(self._count.now, new)

    def found(self, wall_s: float) -> Found:
        """All outcomes in the order of their numbers, those that are worse than another marked."""
        feasible = [one.figures for one in self._outcomes.values() if one.status == FRONT and one.figures is not None]
        known = known_of(self._objectives, feasible)
        rows, numbers = self._values(known)
        tolerance = self._search.tolerance
        scaled = [[one.scaled(value, tolerance) for one, value in zip(known, row, strict=True)] for row in rows]
        values, margin = np.array(scaled, dtype=np.float64).reshape(rows.shape), 1.0 if tolerance else 0.0
        for place, better in enumerate(dominators(values, margin)):
            if better is not None:
                at = self._outcomes[numbers[place]]
                gains = values[better] < values[place] - margin
                nouns = ", ".join(one.noun for one, gain in zip(known, gains, strict=True) if gain)
                worse = f"in nothing worse by more than {exact_percent(tolerance)}" if tolerance else "worse in nothing"
                why = f"#{numbers[better]} is better in {nouns}, and {worse}"
                self._outcomes[numbers[place]] = replace(at, status=DOMINATED, why=why)
        outcomes = tuple(self._outcomes[number] for number in sorted(self._outcomes))
        return Found(
            self._search, outcomes, known, tuple(_notes(self._objectives, known, feasible)), wall_s, self._n_built
        )


def _notes(asked: Sequence[Objective], known: Sequence[Objective], feasible: Sequence[Figures]) -> list[str]:
    """What candidates were not compared by, and why."""
    found = []
    for one in asked:
        if one not in known:
            lacking = [figures for figures in feasible if one.of(figures) is None]
            example = one.missing(lacking[0]) if lacking else ""
            what = f": not known of {example}" if example else ""
            found.append(
                f"{one.title} is not compared: {format_count(len(lacking))} of {format_count(len(feasible))} "
                f"candidates {'has' if len(lacking) == 1 else 'have'} no known {one.noun}{what}."
            )
    return found
