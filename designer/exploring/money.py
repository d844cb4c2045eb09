"""What a candidate costs and draws: figures in one currency, taken from its costing, with what is not known counted."""

from collections import Counter
from dataclasses import dataclass

from designer.analysis.billing.amounts import Amounts
from designer.analysis.billing.costing import Costing


@dataclass(frozen=True, slots=True)
class Money:
    """Cost and power of a candidate. None stands for what is not known in the currency of the search."""

    cost: float | None
    """Capital: all that is to be ordered, spares included; None while anything has no price in the currency."""
    known_cost: float
    unpriced: tuple[tuple[str, int], ...]
    """Parts without a price, with how many are to be ordered."""
    power_cost: float | None
    """The energy of the devices over the years of the terms."""
    cooling_cost: float | None
    total_cost: float | None
    """Capital, power and cooling together."""
    power_w: float | None
    """Of servers and switches, the figure of the catalog that the terms name; optics are not added."""
    known_power_w: float
    no_power: tuple[str, ...]
    """Types whose power is not known."""
    n_no_power: int
    """Devices of these types."""
    facility_w: float | None
    """The same at the average load with what the building takes in addition."""


def money_of(costing: Costing, currency: str) -> Money:
    """The figures of a costing in a currency."""
    draw = costing.draw
    is_whole = not draw.n_unknown
    known = draw.known_w or 0.0
    parts = [_in(one, currency) for one in (costing.capital, costing.power, costing.cooling)]
    total = None if None in parts else sum(one or 0.0 for one in parts)
    return Money(
        cost=parts[0],
        known_cost=_known(costing.capital, currency),
        unpriced=_unpriced(costing, currency),
        power_cost=parts[1],
        cooling_cost=parts[2],
        total_cost=total if total is None else round(total, 2),
        power_w=draw.known_w if is_whole else None,
        known_power_w=known,
        no_power=draw.unknown,
        n_no_power=draw.n_unknown,
        facility_w=costing.facility_w if is_whole else None,
    )


def _known(amounts: Amounts | None, currency: str) -> float:
    return round(float(dict(amounts.sums).get(currency, 0)), 2) if amounts is not None else 0.0


def _in(amounts: Amounts | None, currency: str) -> float | None:
    """The whole of the amounts; None where part of them is not known, or stays in another currency."""
    if amounts is None or amounts.is_least or any(name != currency for name, _ in amounts.sums):
        return None
    return _known(amounts, currency)


def _unpriced(costing: Costing, currency: str) -> tuple[tuple[str, int], ...]:
    convertible = {currency, *(one.name for one in costing.terms.rates)}
    found: Counter[str] = Counter()
    for line in costing.priced.lines:
        if line.to_order and (line.price is None or line.price.currency not in convertible):
            found[line.item.model or line.item.description or line.item.type_id] += line.to_order
    return tuple(sorted(found.items()))
