"""Which limit a candidate exceeds, as a sentence with the figure and the limit."""

from collections.abc import Iterator

from designer.exploring.bounds import Bounds
from designer.exploring.figures import Figures
from designer.exploring.request import Exploration
from designer.tables.columns import exact_percent
from designer.units import format_count, format_length

WATTS_PER_KW = 1000.0


def over_bounds(found: Bounds, search: Exploration) -> str:
    """The first limit that the counts alone exceed; "" for none."""
    limits = search.limits
    return next(
        _over(
            ("cost at least", found.cost, limits.cost, _money(search)),
            ("power at least", found.power_w / WATTS_PER_KW, limits.power_kw, _kw),
            ("racks", found.racks, limits.racks, _count),
        ),
        "",
    )


def over_figures(figures: Figures, search: Exploration) -> str:
    """The first limit that a candidate that was built exceeds; "" for none. What is not known exceeds nothing."""
    limits = search.limits
    power_kw = None if figures.power_w is None else figures.power_w / WATTS_PER_KW
    return next(
        _over(
            ("cost" if figures.cost is not None else "cost at least", figures.known_cost, limits.cost, _money(search)),
            ("power", power_kw, limits.power_kw, _kw),
            ("racks", figures.racks, limits.racks, _count),
            ("longest row", figures.row_m, limits.row_m, format_length),
            (f"{figures.worst}: loses", figures.loss, limits.worst_failure, exact_percent),
            ("links moved by growth", figures.moved, limits.moved_links, _count),
        ),
        "",
    )


def unchecked(figures: Figures, search: Exploration) -> Iterator[str]:
    """Limits that could not be checked, each with what is not known."""
    limits = search.limits
    if limits.cost is not None and figures.cost is None:
        yield "budget"
    if limits.power_kw is not None and figures.power_w is None:
        yield "power"
    if limits.worst_failure is not None and figures.loss is None:
        yield "worst single failure"
    if limits.moved_links is not None and figures.moved is None:
        yield "links moved"


def _over(*rows: tuple[str, float | None, float | None, object]) -> Iterator[str]:
    for what, value, limit, text in rows:
        if value is not None and limit is not None and value > limit:
            write = text if callable(text) else str
            yield f"{what} {write(value)}, limit {write(limit)}"


def _money(search: Exploration) -> object:
    return lambda cost: f"{cost:,.0f} {search.currency}"


def _kw(power_kw: float) -> str:
    return f"{power_kw:,.1f} kW"


def _count(number: float) -> str:
    return format_count(int(number))
