"""What is found out about a candidate that was built: plain figures, which are kept and compared."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

import msgspec

from designer.errors import ParameterError
from designer.exploring.money import Money
from designer.exploring.request import Exploration
from designer.tables.columns import exact_percent
from designer.units import format_count, format_counted, format_time

VERSION = 5
"""Of what is kept: figures of another version are not taken."""
WATTS_PER_KW = 1000.0
MOST_DIGITS = 9
"""That figures are stated with in addition, where they look alike without."""
WHOLE = 1e-6
"""A count that is so near to a whole number is that number."""
LEAST = 1e-15
"""In place of 0, which no share leads to."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a workload takes on a candidate."""

    name: str
    time_s: float
    bottleneck: str
    """A sentence; "" where nothing limits it."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a fabric that was built, checked, cabled, priced and simulated; None stands for what is not known."""

    gpus: int
    servers: int
    switches: int
    links: int
    racks: int
    row_m: float
    cables: int
    cable_m: float
    money: Money
    bisection_gbps: float | None
    errors: int
    error: str
    """The first error of the validation, as a sentence."""
    runs: tuple[Run, ...]
    time_s: float
    """The mean of the workloads by weight."""
    loss: float | None
    """Share of its throughput that a workload loses by the worst failure in the fabric, of the workload that loses the
    most; None where there is nothing to fail."""
    worst: str
    """What fails then, what runs, and what that does."""
    worst_workload: str
    """The name of that workload; "" where there is nothing to fail."""
    cut_off: int | None
    """GPUs that it cuts off; None where a model runs, of which that is not counted."""
    slowdown: float | None
    """How many times as long the others then take; None likewise."""
    server_loss: float | None
    """The same of a NIC, or of a cable or optic at a server."""
    worst_at_server: str
    moved: int | None
    """Links that move or are removed when the fabric grows; None where that was not asked or cannot be compared."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What came of building a candidate: its figures, or one sentence that says why there are none."""

    figures: Figures | None = None
    fault: str = ""

    def kept(self) -> Any:
        """As it is stored."""
        return {"fault": self.fault} if self.figures is None else {"figures": asdict(self.figures)}


def evaluated_from(kept: Any) -> Evaluated | None:
    """What was stored; None for what is none of ours."""
    try:
        return msgspec.convert(kept, Evaluated)
    except (msgspec.ValidationError, TypeError, ValueError):
        return None


class Text(Protocol):
    """A figure as text, with `more` digits where asked."""

    def __call__(self, value: float, more: int = 0, /) -> str:
        """The text."""
        ...


@dataclass(frozen=True, slots=True)
class Objective:
    """Something that less of is better."""

    name: str
    title: str
    of: Callable[[Figures], float | None]
    text: Text
    noun: str
    """As in "has no known power"."""
    missing: Callable[[Figures], str] = lambda _figures: ""
    """What is not known, with counts."""
    whole: float = 0.0
    """What a tolerance is a share of, where that is not the figure itself."""
    unit: str = ""
    """What figures are in, where their texts do not say so."""

    @property
    def label(self) -> str:
        """What an axis is called: "Cost, USD", "Mean time"."""
        return f"{self.title}, {self.unit}" if self.unit else self.title

    def texts(self, values: Sequence[float]) -> list[str]:
        """The texts of figures, with as many digits as it takes to distinguish those that are not "", if any do."""
        found = [self.text(value) for value in values]
        for more in range(1, MOST_DIGITS):
            stated = [text for text in found if text]
            if len(set(stated)) == len(stated):
                break
            found = [self.text(value, more) for value in values]
        return found

    def figure(self, value: float) -> str:
        """The text of a figure with its unit."""
        return f"{self.text(value)} {self.unit}".strip()

    def scaled(self, value: float, tolerance: float) -> float:
        """The figure on a scale where two that differ by the tolerance are one apart; the figure itself without one."""
        if not tolerance:
            return value
        if self.whole:
            return value / (self.whole * tolerance)
        return (-1 if value < 0 else 1) * math.log(max(abs(value), LEAST)) / math.log1p(tolerance)


def known_of(objectives: Sequence[Objective], known: Sequence[Figures]) -> tuple[Objective, ...]:
    """The objectives that every one of these candidates has a figure of."""
    return tuple(one for one in objectives if all(one.of(figures) is not None for figures in known))


def amount_text(amount: float, more: int = 0) -> str:
    """ "1,234,000": in the currency of the search; with `more` digits where asked."""
    return f"{amount:,.{more}f}"


def power_text(power_w: float, more: int = 0) -> str:
    """ "1,234.5 kW", with `more` digits where asked."""
    return f"{power_w / WATTS_PER_KW:,.{1 + more}f} kW"


def count_text(count: float, more: int = 0) -> str:
    """ "1,234"; "" between two whole numbers, where nothing is."""
    del more
    return format_count(round(count)) if math.isclose(count, round(count), abs_tol=WHOLE) else ""


def _negative_count_text(count: float, more: int = 0) -> str:
    return count_text(-count, more)


def _unpriced(figures: Figures) -> str:
    parts = figures.money.unpriced
    listed = [f"{format_count(count)} x {name}" for name, count in parts[:4]]
    more = len(parts) - len(listed)
    return ", ".join([*listed, *([f"and {format_count(more)} more parts"] if more > 0 else [])])


def _no_power(figures: Figures) -> str:
    money = figures.money
    return f"{format_counted(money.n_no_power, 'device')} ({', '.join(money.no_power)})" if money.no_power else ""


def _lacking(figures: Figures) -> str:
    return ", ".join(filter(None, (_unpriced(figures), _no_power(figures))))


TIME = Objective("time", "Mean time", lambda one: one.time_s, format_time, "time")
COST = Objective("cost", "Cost", lambda one: one.money.cost, amount_text, "cost", _unpriced)
TOTAL = Objective(
    "total_cost", "Cost with operation", lambda one: one.money.total_cost, amount_text, "cost with operation", _lacking
)
POWER = Objective("power", "Power", lambda one: one.money.power_w, power_text, "power", _no_power)
CABLES = Objective("cables", "Cables", lambda one: one.cables, count_text, "number of cables")
LOSS = Objective("loss", "Worst failure", lambda one: one.loss, exact_percent, "worst failure", whole=1.0)
SERVER_LOSS = Objective(
    "server_loss",
    "Worst at a server",
    lambda one: one.server_loss,
    exact_percent,
    "worst failure at a server",
    whole=1.0,
)
GPUS = Objective("gpus", "GPUs", lambda one: -one.gpus, _negative_count_text, "number of GPUs")


def objectives_of(search: Exploration) -> tuple[Objective, ...]:
    """What the candidates of a search are compared by, as far as it can be known before any is built.

    Raises ParameterError where the search asks to compare by something that it does not know.
    """
    found = [TIME]
    if search.has_prices:
        found.append(replace(COST, unit=search.currency))
    if search.has_operation:
        found.append(replace(TOTAL, unit=search.currency))
    found += [POWER, CABLES, LOSS, SERVER_LOSS]
    if search.is_range:
        found.append(GPUS)
    for name in search.compare:
        if name not in (one.name for one in found):
            known = ", ".join(one.name for one in found)
            raise ParameterError(f"there is nothing to compare by {name!r} in this search: choose from {known}")
    return tuple(one for one in found if not search.compare or one.name in search.compare)
