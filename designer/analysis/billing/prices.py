"""Prices: what one piece of a part costs, when that was said, and whose list said it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from designer.analysis.billing.items import Item

CENT = Decimal("0.01")
USD = "USD"


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one piece before discount. `discount` is a share, 0.15 of 15 %; None where the list states none."""

    amount: Decimal
    currency: str
    date: str = ""
    """As 2026-11-22; "" where it is the catalog's own."""
    discount: Decimal | None = None

    def of(self, count: int) -> Decimal:
        """What so many cost after discount, in whole cents."""
        return (self.amount * count * (1 - (self.discount or 0))).quantize(CENT, ROUND_HALF_UP)


def key_of(name: str) -> str:
    """What names of parts are compared by: without case and spaces at the ends."""
    return " ".join(name.split()).casefold()


@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices by part number, or by model where a part has no number. `name` is the file's."""

    name: str = ""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By key_of the name."""

    def of(self, item: Item) -> tuple[str, Price] | None:
        """The price of a part with the name it stands under; None where the list has none."""
        for name in item.names:
            price = self.prices.get(key_of(name))
            if price is not None:
                return key_of(name), price
        return None

    @property
    def dates(self) -> tuple[str, str]:
        """The oldest and the newest date of a price."""
        dates = sorted(price.date for price in self.prices.values())
        return (dates[0], dates[-1]) if dates else ("", "")


NO_PRICES = PriceList()


def own_price(item: Item) -> Price | None:
    """The price that the design's own type states; None where it states none."""
    return None if item.price_usd is None else Price(Decimal(repr(float(item.price_usd))), USD)


def sums(lines: Iterable[tuple[str, Decimal]]) -> tuple[tuple[str, Decimal], ...]:
    """Amounts added by currency, in alphabetical order; those of two currencies are never added."""
    found: dict[str, Decimal] = {}
    for currency, amount in lines:
        found[currency] = found.get(currency, Decimal(0)) + amount
    return tuple(sorted(found.items()))
