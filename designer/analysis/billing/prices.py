"""Prices: what one piece of a part costs, when that was said, and whose list said it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from designer.analysis.billing.items import Item
from designer.analysis.billing.price import Price

USD = "USD"


def key_of(name: str) -> str:
    """What names of parts are compared by: without case and spaces at the ends."""
    return " ".join(name.split()).casefold()


@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices by part number, or by model where a part has no number. `name` is the file's."""

    name: str = ""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By key_of the name."""
    n_replaced: int = 0
    """Prices left out because another list, or another line, has a later one of the same part."""

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

    @property
    def classes(self) -> tuple[str, ...]:
        """The discount classes of its prices, in alphabetical order."""
        return tuple(sorted({price.discount_class for price in self.prices.values() if price.discount_class}))

    def discounted(self, discounts: Mapping[str, Decimal]) -> "PriceList":
        """The same with the discounts, by `key_of` a class, that are agreed; a discount of its own goes first."""
        if not discounts:
            return self
        return replace(self, prices={name: _discounted(price, discounts) for name, price in self.prices.items()})


NO_PRICES = PriceList()


def _discounted(price: Price, discounts: Mapping[str, Decimal]) -> Price:
    agreed = discounts.get(key_of(price.discount_class)) if price.discount_class and price.discount is None else None
    return price if agreed is None else replace(price, discount=agreed)


def merged(lists: Sequence[PriceList]) -> PriceList:
    """One list of several: of each part the price with the latest date, of one date that of the last list."""
    if len(lists) < 2:
        return lists[0] if lists else NO_PRICES
    found: dict[str, Price] = {}
    n_replaced = sum(one.n_replaced for one in lists)
    for one in lists:
        for name, price in one.prices.items():
            known = found.get(name)
            n_replaced += known is not None
            if known is None or price.date >= known.date:
                found[name] = replace(price, source=one.name)
    return PriceList(", ".join(one.name for one in lists), found, n_replaced)


def own_price(item: Item) -> Price | None:
    """The price that the design's own type states; None where it states none."""
    return None if item.price_usd is None else Price(Decimal(repr(float(item.price_usd))), USD)


def sums(lines: Iterable[tuple[str, Decimal]]) -> tuple[tuple[str, Decimal], ...]:
    """Amounts added by currency, in alphabetical order; those of two currencies are never added."""
    found: dict[str, Decimal] = {}
    for currency, amount in lines:
        found[currency] = found.get(currency, Decimal(0)) + amount
    return tuple(sorted(found.items()))
