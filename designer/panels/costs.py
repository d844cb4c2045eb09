"""What the design costs, in words: in few for the status bar, by kind of part for its tooltip."""

from decimal import Decimal

from designer.analysis.billing.amounts import amounts_text
from designer.analysis.billing.bill import Bill
from designer.analysis.billing.kinds import KINDS
from designer.units import format_count, format_counted

MILLION = 1_000_000


def cost_words(bill: Bill) -> str:
    """ "Cost 34.29 M USD without 8 unpriced lines"; what is not known is never a zero."""
    if not bill.lines:
        return "Cost: nothing to order"
    if not bill.totals:
        return "Cost not known"
    known = " and ".join(_short(amount, currency) for currency, amount in bill.totals)
    missing = len(bill.unpriced)
    return f"Cost {known} without {format_counted(missing, 'unpriced line')}" if missing else f"Cost {known}"


def _short(amount: Decimal, currency: str) -> str:
    return f"{amount / MILLION:,.2f} M {currency}" if amount >= MILLION else f"{amount:,.0f} {currency}"


def cost_lines(bill: Bill) -> list[str]:
    """The cost in full, then by kind of part, then what it is made by."""
    lines = [f"Cost: {bill.cost_text}."]
    for kind, amounts, missing in bill.totals_by_kind:
        lacks = f"{format_count(missing)} without a price" if missing else ""
        lines.append(f"{KINDS[kind]}: {', '.join(filter(None, (amounts_text(amounts), lacks)))}")
    source = ", ".join(filter(None, (bill.price_list, bill.price_dates_text)))
    return [*lines, f"By {source}; without spares."]
