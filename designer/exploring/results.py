"""What came of every candidate of a search, as tables show it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from designer.exploring.figures import Figures, Objective, amount_text, power_text
from designer.exploring.judging import BUDGET, OPERATION_BUDGET, unchecked
from designer.exploring.request import Candidate, Exploration
from designer.simulation.failures.worst import slowdown_text
from designer.tables.columns import Column, Columns, exact_percent, fine_percent, pick
from designer.units import format_count, format_counted, format_time

FRONT, DOMINATED = "best", "not best"
OVER_LIMIT, ERRORS, CANNOT_RUN = "over a limit", "errors", "cannot run"
CANNOT_WIN, WRONG_SIZE, UNBUILDABLE = "cannot win", "wrong size", "cannot be built"
STATUSES = (FRONT, DOMINATED, OVER_LIMIT, ERRORS, CANNOT_RUN, CANNOT_WIN, WRONG_SIZE, UNBUILDABLE)
"""What can come of a candidate, from the best to those that were not even built."""


LOSES_MOST = "workload that loses most by the worst failure"


def _figure(name: str) -> Callable[["Outcome"], Any]:
    return lambda outcome: None if outcome.figures is None else getattr(outcome.figures, name)


def _money(name: str) -> Callable[["Outcome"], Any]:
    return lambda outcome: None if outcome.figures is None else getattr(outcome.figures.money, name)


def _times(outcome: "Outcome") -> str:
    runs = outcome.figures.runs if outcome.figures is not None else ()
    return ", ".join(f"{one.name} {format_time(one.time_s)}" for one in runs)


def _remark(outcome: "Outcome") -> str:
    if outcome.status == FRONT:
        return "; ".join(filter(None, (outcome.why, outcome.failure)))
    return outcome.why


def _gpus_text(count: int) -> str:
    """ "32 GPUs", "none"."""
    return format_counted(count, "GPU") if count else "none"


DECIDING = "cost total_cost time_s loss power_w cables racks switches gpus"
"""Columns of the figures that candidates are chosen by, those that decide most often first."""
FAILURE = "worst_workload cut_off slowdown server_loss"
"""Columns that say more of the worst failure."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a candidate: on the Pareto front, or why not. `figures` are None where it was not built."""

    candidate: Candidate
    status: str
    why: str = ""
    """A sentence; of those on the front which limits could not be checked."""
    figures: Figures | None = None

    COLUMNS: ClassVar[Columns] = (
        Column("number", "#", "candidate.number", right=True),
        Column("status", "Status", order=lambda outcome: STATUSES.index(outcome.status)),
        Column("family", "Family", "candidate.family"),
        Column("title", "Candidate", "candidate.title", is_json=False),
        Column("parameters", value="candidate.parameters"),
        Column("optics", "Optics", "candidate.optics"),
        Column("gpus", "GPUs", _figure("gpus"), right=True, empty="–"),
        Column("time_s", "Mean time", _figure("time_s"), format_time, unit="s", right=True, empty="–"),
        Column("times", "Time of each workload", _times, is_json=False),
        Column("cost", "Cost", _money("cost"), amount_text, right=True, empty="–"),
        Column("total_cost", "With operation", _money("total_cost"), amount_text, right=True, empty="–"),
        Column(
            "power_w",
            "Power, at least",
            _money("power_w"),
            power_text,
            unit="W",
            sheet="power (W)",
            right=True,
            empty="–",
            tip="Of servers and switches; optics draw more.",
        ),
        Column("cables", "Cables", _figure("cables"), right=True, empty="–"),
        Column("cable_m", "Cable length", _figure("cable_m"), "{:,.0f}".format, unit="m", right=True, empty="–"),
        Column("loss", "Worst failure", _figure("loss"), fine_percent, right=True, empty="–"),
        Column("worst_workload", "In workload", _figure("worst_workload"), sheet=LOSES_MOST, empty="–"),
        Column("cut_off", "It cuts off", _figure("cut_off"), _gpus_text, unit="GPUs", right=True, empty="–"),
        Column("slowdown", "Others take", _figure("slowdown"), slowdown_text, right=True, empty="–"),
        Column("server_loss", "At a server", _figure("server_loss"), fine_percent, right=True, empty="–"),
        Column("switches", "Switches", _figure("switches"), right=True, empty="–"),
        Column("racks", "Racks", _figure("racks"), right=True, empty="–"),
        Column("row_m", "Longest row", _figure("row_m"), "{:,.1f}".format, unit="m", right=True, empty="–"),
        Column("bisection_gbps", "Bisection", _figure("bisection_gbps"), "{:,.0f}".format, "Gb/s", True, empty="–"),
        Column("moved", "Links moved", _figure("moved"), right=True, empty="–", may_lack=True),
        Column("why", "Why", _remark),
        Column("figures", value="figures"),
    )

    @property
    def failure(self) -> str:
        """The worst single failure, as a sentence; "" where none was tried."""
        figures = self.figures
        texts = (figures.worst, figures.worst_at_server) if figures is not None else ()
        found = "; at a server: ".join(filter(None, texts))
        return f"worst failure: {found}" if found else ""


def columns_for(search: Exploration | None, keys: str) -> Columns:
    """The columns of these keys as that search fills them: costs in its currency, and none of what it says nothing of.

    Without a search all of them.
    """
    columns = pick(Outcome.COLUMNS, keys)
    if search is None:
        return columns
    unstated = {"cost": not search.has_prices, "total_cost": not search.has_operation}
    kept = (one for one in columns if not unstated.get(one.key))
    return tuple(replace(one, title=f"{one.title}, {search.currency}") if one.key in unstated else one for one in kept)


@dataclass(frozen=True)
class Found:
    """A search that was done. `objectives` are those that all candidates were compared by."""

    search: Exploration
    outcomes: tuple[Outcome, ...]
    objectives: tuple[Objective, ...]
    notes: tuple[str, ...]
    wall_s: float
    n_built: int
    """Candidates built in this run; others were kept from an earlier one."""

    COLUMNS: ClassVar[Columns] = (
        Column("search", value="search.name"),
        Column("gpus", value=lambda found: list(found.search.gpus)),
        Column("currency", value="search.currency"),
        Column("objectives", value=lambda found: [one.name for one in found.objectives]),
        Column("tolerance", value="search.tolerance"),
        Column("counts"),
        Column("notes", value="all_notes"),
        Column("front", value=lambda found: [one.candidate.number for one in found.front]),
        Column("candidates", value="outcomes"),
    )
    """Nothing of how long it took: the same search gives the same bytes."""

    @cached_property
    def front(self) -> tuple[Outcome, ...]:
        """The Pareto front, quickest first."""
        best = [one for one in self.outcomes if one.status == FRONT and one.figures is not None]
        return tuple(sorted(best, key=lambda one: (one.figures.time_s if one.figures else 0.0, one.candidate.number)))

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many candidates ended in each way that occurred."""
        return {name: n for name in STATUSES if (n := sum(one.status == name for one in self.outcomes))}

    @property
    def rule(self) -> str:
        """What makes a candidate one of the best, as a sentence."""
        share = self.search.tolerance
        by = f" by more than {exact_percent(share)}" if share else ""
        return f"no other is better in something{by} and worse{by} in nothing"

    @property
    def fallen(self) -> tuple[Outcome, ...]:
        """Those that are not on the front, the best first."""
        return tuple(sorted((one for one in self.outcomes if one.status != FRONT), key=_rank))

    @property
    def all_notes(self) -> tuple[str, ...]:
        """What was not compared or not checked, and why."""
        return (*self.notes, *self._unchecked())

    def _unchecked(self) -> Sequence[str]:
        found: dict[str, int] = {}
        for one in self.outcomes:
            if one.status in (FRONT, DOMINATED) and one.figures is not None:
                for what in unchecked(one.figures, self.search):
                    found[what] = found.get(what, 0) + 1
        lists = " Add a price list with `prices`." if not self.search.has_prices else ""
        budgets = (BUDGET, OPERATION_BUDGET)
        return [
            f"The limit of {what} could not be checked for {format_counted(n, 'candidate')}: a figure is not known."
            + (lists if what in budgets else "")
            for what, n in found.items()
        ]

    @property
    def summary(self) -> str:
        """ "512 candidates: 14 best, 380 not best, ..."."""
        counted = ", ".join(f"{format_count(n)} {name}" for name, n in self.counts.items())
        return f"{format_count(len(self.outcomes))} candidates: {counted}"


def _rank(outcome: Outcome) -> tuple[int, int]:
    return STATUSES.index(outcome.status), outcome.candidate.number
