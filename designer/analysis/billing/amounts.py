"""Amounts of money: by currency, whole or only as far as prices are known."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from designer.analysis.billing.prices import sums

SMALL = Decimal(1)
"""Less than that is said with as many figures as it needs."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """What something costs, by currency in alphabetical order; `is_least` where part of it has no known price."""

    sums: tuple[tuple[str, Decimal], ...]
    is_least: bool = False

    @property
    def text(self) -> str:
        """ "1,234.00 USD", "at least 10.00 EUR and 1,234.00 USD": currencies are never added."""
        known = amounts_text(self.sums) if self.sums else "0"
        return f"at least {known}" if self.is_least else known

    @property
    def json(self) -> dict[str, object]:
        """As JSON has it."""
        return {"by_currency": {name: float(amount) for name, amount in self.sums}, "is_least": self.is_least}

    def over(self, number: float) -> "Amounts":
        """A share of it: the amounts over a number above 0."""
        by = Decimal(repr(float(number)))
        return Amounts(tuple((name, amount / by) for name, amount in self.sums), self.is_least)


def added(parts: Iterable[Amounts | None]) -> Amounts | None:
    """All together, by currency; None where one of them is not known."""
    found = list(parts)
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    return Amounts(sums(amount for one in known for amount in one.sums), any(one.is_least for one in known))


def amounts_text(amounts: tuple[tuple[str, Decimal], ...]) -> str:
    """ "1,234.00 USD", "10.00 EUR and 1,234.00 USD": currencies next to each other."""
    return " and ".join(f"{_figures(amount)} {currency}" for currency, amount in amounts)


def _figures(amount: Decimal) -> str:
    return f"{amount:,.2f}" if not 0 < abs(amount) < SMALL else f"{float(amount):.3g}"
