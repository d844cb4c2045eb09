"""Terms that a design is costed by: currency and exchange rates, agreed discounts, energy price, PUE and years."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from designer.analysis.billing.amounts import Amounts
from designer.analysis.billing.prices import PriceList, key_of, sums
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Word, check, setting
from designer.fields.kinds import Kind
from designer.fields.ranges import Range
from designer.units import shortened

MOST_RATE = 10**9
MAXIMUM, TYPICAL = "maximum", "typical"

_CURRENCY = re.compile(r"[A-Z]{3}")
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


@dataclass(frozen=True, slots=True)
class Named:
    """A figure under a name: what one of a currency is worth, or the discount, as a share, of a class of parts."""

    name: str
    figure: Decimal


@dataclass(frozen=True, slots=True)
class EnergyPrice:
    """What a kilowatt-hour costs."""

    amount: Decimal
    currency: str

    @property
    def text(self) -> str:
        """ "0.12 USD", as it is typed."""
        return f"{self.amount} {self.currency}"


def parse_currency(text: str) -> str:
    """The three letters of a currency. Raises ParameterError."""
    if text and not _CURRENCY.fullmatch(text):
        raise ParameterError(f"{shortened(text)!r} is not a currency: write its three letters, like USD or EUR")
    return text


def _figure(text: str, usage: str) -> Decimal:
    if not _NUMBER.fullmatch(text):
        raise ParameterError(f"{shortened(text)!r} is not a number: {usage}")
    return Decimal(text)


def _named(text: str, noun: str, usage: str) -> Iterable[tuple[str, str]]:
    """Names and figures of "EUR=1.08,JPY=0.0065", each name once."""
    seen = set[str]()
    for part in filter(None, (one.strip() for one in text.split(","))):
        name, equals, figure = (one.strip() for one in part.partition("="))
        if not equals or not name:
            raise ParameterError(f"{shortened(part)!r} is not {noun}: {usage}")
        if key_of(name) in seen:
            raise ParameterError(f"{shortened(name)} is given twice: {usage}")
        seen.add(key_of(name))
        yield name, figure


RATES_USAGE = "write what one of each is worth, like EUR=1.08,JPY=0.0065"
DISCOUNTS_USAGE = "write classes with percent, like A=15%,B=7.5%"
ENERGY_USAGE = "write amount and currency, like 0.12 USD"


def _rates(text: str) -> tuple[Named, ...]:
    found = []
    for name, figure in _named(text, "an exchange rate", RATES_USAGE):
        rate = _figure(figure, RATES_USAGE)
        if not rate:
            raise ParameterError(f"{name} should be worth more than 0: {RATES_USAGE}")
        found.append(Named(parse_currency(name), rate))
    return tuple(found)


def _discounts(text: str) -> tuple[Named, ...]:
    found = []
    for name, figure in _named(text, "a discount", DISCOUNTS_USAGE):
        if not figure.endswith("%"):
            raise ParameterError(f"{shortened(figure)!r} is not a discount: {DISCOUNTS_USAGE}")
        percent = _figure(figure.removesuffix("%").strip(), DISCOUNTS_USAGE)
        if percent > 100:
            raise ParameterError(f"{shortened(figure)} is too much: a discount goes up to 100%")
        found.append(Named(name, percent / 100))
    return tuple(found)


def _energy(text: str) -> EnergyPrice:
    amount, _, currency = text.strip().partition(" ")
    if not currency.strip():
        raise ParameterError(f"{shortened(text)!r} is not a price of energy: {ENERGY_USAGE}")
    return EnergyPrice(_figure(amount, ENERGY_USAGE), parse_currency(currency.strip()))


def _listed(values: tuple[Named, ...], *, percent: bool) -> str:
    return ",".join(f"{one.name}={f'{one.figure * 100:f}%' if percent else one.figure}" for one in values)


def _are_named(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(one, Named) for one in value)


CURRENCY = Kind("currency", "USD", parse_currency, may_be_empty=True)
RATES = Kind(
    "exchange rates",
    "CURRENCY=RATE,...",
    _rates,
    partial(_listed, percent=False),
    _are_named,
    "exchange rates",
    may_be_empty=True,
)
DISCOUNTS = Kind(
    "discounts",
    "CLASS=PERCENT%,...",
    _discounts,
    partial(_listed, percent=True),
    _are_named,
    "discounts",
    may_be_empty=True,
)
ENERGY = Kind(
    "energy price",
    "AMOUNT CURRENCY",
    _energy,
    lambda one: one.text,
    lambda one: isinstance(one, EnergyPrice),
    "a price",
)
SECTION = "Cost"


@dataclass(frozen=True)
class CostTerms:
    """What prices alone do not say. Nothing is converted, discounted or added that is not stated here.

    It has no slots, so that records of options can be made of it and of another.
    """

    currency: str = setting(
        "",
        title="Total in",
        help="The currency that amounts in others are converted to, where a rate is stated.",
        kind=CURRENCY,
        section=SECTION,
        empty="each its own",
    )
    rates: tuple[Named, ...] = setting(
        (),
        title="Exchange rates",
        help="What one of another currency is worth in that of the total, like EUR=1.08,JPY=0.0065.",
        kind=RATES,
        section=SECTION,
        empty="none",
    )
    discounts: tuple[Named, ...] = setting(
        (),
        title="Discounts",
        help="Discounts agreed for the discount classes of the price lists, like A=15%,B=7.5%.",
        kind=DISCOUNTS,
        section=SECTION,
        empty="none",
    )
    energy_price: EnergyPrice | None = setting(  # noqa: RUF009  (a field as the others)
        None,
        title="Energy price",
        help="What a kilowatt-hour costs, like 0.12 USD; without it the cost of power is not known.",
        kind=ENERGY,
        section=SECTION,
        unit="per kWh",
        empty="not stated",
    )
    pue: float | None = setting(
        None,
        title="PUE",
        help="Power usage effectiveness of the building, like 1.3; without it the cost of cooling is not known.",
        kind=kinds.AMOUNT,
        within=Range(1, 10),
        section=SECTION,
        empty="not stated",
    )
    years: float = setting(
        5.0,
        title="Years",
        help="For how long power and cooling are paid.",
        kind=kinds.AMOUNT,
        within=Range(0, 50, is_above=True),
        section=SECTION,
    )
    draw: str = setting(
        MAXIMUM,
        title="Power drawn",
        help="Which figure of the catalog energy is calculated with: {names}.",
        kind=kinds.CHOICE,
        choices=(
            Word(MAXIMUM, "Maximum", "What each device draws at most."),
            Word(TYPICAL, "Typical", "What each device typically draws."),
        ),
        section=SECTION,
    )
    load: float = setting(
        1.0,
        title="Average load",
        help="The share of that power that is drawn on average, like 80%.",
        kind=kinds.SHARE,
        within=Range(0, 1, is_above=True),
        section=SECTION,
    )

    def __post_init__(self) -> None:
        check(self)
        if self.rates and not self.currency:
            raise ParameterError("exchange rates lead to the currency of the total: state that too, like USD")
        if any(one.name == self.currency for one in self.rates):
            raise ParameterError(f"one {self.currency} is one {self.currency}: state rates of other currencies only")

    def converted(self, amounts: Amounts | None) -> Amounts | None:
        """The amounts in the currency of the total; those without a rate stay in their own."""
        if amounts is None or not self.rates:
            return amounts
        worth = {one.name: one.figure for one in self.rates}
        moved = (
            (self.currency, amount * worth[name]) if name in worth else (name, amount) for name, amount in amounts.sums
        )
        return Amounts(sums(moved), amounts.is_least)

    def discounted(self, prices: PriceList) -> PriceList:
        """The prices with the discounts that are agreed for their classes."""
        return prices.discounted({key_of(one.name): one.figure for one in self.discounts})

    @property
    def rates_text(self) -> str:
        """ "1 EUR = 1.08 USD"; "" without rates."""
        return ", ".join(f"1 {one.name} = {one.figure} {self.currency}" for one in self.rates)


NO_TERMS = CostTerms()
