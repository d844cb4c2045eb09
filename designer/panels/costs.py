"""What the design costs, in words: in few for the status bar, by kind of part for its tooltip."""

from decimal import Decimal

from designer.analysis.billing.amounts import amounts_text
from designer.analysis.billing.costing import Costing, years_text
from designer.analysis.billing.kinds import KINDS
from designer.units import format_count, format_counted

MILLION = 1_000_000


def cost_words(costing: Costing) -> str:
    """ "Cost 34.29 M USD without 8 unpriced lines"; what is not known is never a zero."""
    if not costing.priced.lines:
        return "Cost: nothing to order"
    capital = costing.capital
    if capital is None:
        return "Cost not known"
    known = " and ".join(_short(amount, currency) for currency, amount in capital.sums)
    missing = costing.n_unpriced_lines
    return f"Cost {known} without {format_counted(missing, 'unpriced line')}" if missing else f"Cost {known}"


def _short(amount: Decimal, currency: str) -> str:
    return f"{amount / MILLION:,.2f} M {currency}" if amount >= MILLION else f"{amount:,.0f} {currency}"


def cost_lines(costing: Costing) -> list[str]:
    """The cost in full, by kind of part, then power and cooling, shares of it, and what it is made by."""
    priced = costing.priced
    lines = [f"Cost: {costing.cost_text}."]
    for kind, amounts, missing in priced.totals_by_kind:
        lacks = f"{format_count(missing)} without a price" if missing else ""
        lines.append(f"{KINDS[kind]}: {', '.join(filter(None, (amounts_text(amounts), lacks)))}")
    years = years_text(costing.terms.years)
    for name, amounts_ in (("Power", costing.power), ("Cooling", costing.cooling)):
        if amounts_ is not None:
            lines.append(f"{name} over {years}: {amounts_.text}")
    for row in costing.rows[1:]:
        best = row.total or row.capital
        if best is not None:
            what = "capital, power and cooling" if row.total is not None else "capital alone"
            lines.append(f"{row.name}: {best.text}, {what}")
    rates = f", {costing.terms.rates_text}" if costing.terms.rates else ""
    return [*lines, f"By {priced.price_list_text}{rates}; without spares."]
