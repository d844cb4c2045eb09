"""Which limit a candidate exceeds, as a sentence with the figure and the limit."""

from collections.abc import Callable, Iterator

from designer.exploring.bounds import Bounds
from designer.exploring.figures import MOST_DIGITS, WATTS_PER_KW, Figures, amount_text, power_text
from designer.exploring.request import Exploration
from designer.tables.columns import exact_percent
from designer.units import format_count

BUDGET, OPERATION_BUDGET = "budget", "budget with operation"

Written = Callable[[float, int], str]
"""A figure as text, with so many digits in addition."""


def over_bounds(found: Bounds, search: Exploration) -> str:
    """The first limit that the counts alone exceed; "" for none."""
    limits = search.limits
    return next(
        _over(
            ("cost at least", found.cost, limits.cost, _money(search)),
            ("cost with operation at least", found.total_cost, limits.total_cost, _money(search)),
            ("power at least", found.power_w, _watts(limits.power_kw), power_text),
            ("power of the building at least", _facility_w(found, search), _watts(limits.facility_kw), power_text),
            ("racks", found.racks, limits.racks, _count),
        ),
        "",
    )


def over_figures(figures: Figures, search: Exploration) -> str:
    """The first limit that a candidate that was built exceeds; "" for none. What is not known exceeds nothing."""
    limits, money = search.limits, figures.money
    at_least = "power" if money.power_w is not None else "power at least"
    return next(
        _over(
            ("cost" if money.cost is not None else "cost at least", money.known_cost, limits.cost, _money(search)),
            ("cost with operation", money.total_cost, limits.total_cost, _money(search)),
            (at_least, money.known_power_w, _watts(limits.power_kw), power_text),
            ("power of the building", money.facility_w, _watts(limits.facility_kw), power_text),
            ("racks", figures.racks, limits.racks, _count),
            ("longest row", figures.row_m, limits.row_m, _length),
            (f"{figures.worst}: loses", figures.loss, limits.worst_failure, exact_percent),
            (f"{figures.worst_at_server}: loses", figures.server_loss, limits.worst_server_failure, exact_percent),
            ("links moved by growth", figures.moved, limits.moved_links, _count),
        ),
        "",
    )


def unchecked(figures: Figures, search: Exploration) -> Iterator[str]:
    """Limits that could not be checked, each with what is not known."""
    limits, money = search.limits, figures.money
    if limits.cost is not None and money.cost is None:
        yield BUDGET
    if limits.total_cost is not None and money.total_cost is None:
        yield OPERATION_BUDGET
    if limits.power_kw is not None and money.power_w is None:
        yield "power"
    if limits.facility_kw is not None and money.facility_w is None:
        yield "power of the building"
    if limits.worst_failure is not None and figures.loss is None:
        yield "worst single failure"
    if limits.worst_server_failure is not None and figures.server_loss is None:
        yield "worst failure at a server"
    if limits.moved_links is not None and figures.moved is None:
        yield "links moved"


def _over(*rows: tuple[str, float | None, float | None, Written]) -> Iterator[str]:
    for what, value, limit, write in rows:
        if value is not None and limit is not None and value > limit:
            more = next((more for more in range(MOST_DIGITS) if write(value, more) != write(limit, more)), MOST_DIGITS)
            yield f"{what} {write(value, more)}, limit {write(limit, 0)}"


def _money(search: Exploration) -> Written:
    return lambda cost, more: f"{amount_text(cost, more)} {search.currency}"


def _length(length_m: float, more: int) -> str:
    return f"{round(length_m, 2 + more):.{6 + more}g} m"


def _watts(power_kw: float | None) -> float | None:
    return None if power_kw is None else power_kw * WATTS_PER_KW


def _facility_w(found: Bounds, search: Exploration) -> float | None:
    pue = search.terms.pue
    return None if pue is None else found.power_w * search.terms.load * pue


def _count(number: float, _more: int) -> str:
    return format_count(int(number))
