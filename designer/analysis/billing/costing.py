"""What a design costs: capital by currency, power and cooling over years, shares of it, and what is not known."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, ClassVar

from designer.analysis.billing.amounts import Amounts, added
from designer.analysis.billing.bill import bill_of
from designer.analysis.billing.lines import Priced
from designer.analysis.billing.prices import NO_PRICES, PriceList
from designer.analysis.billing.spares import SparesPolicy
from designer.analysis.billing.terms import MAXIMUM, NO_TERMS, CostTerms
from designer.analysis.power import Draw
from designer.model.design import Design
from designer.model.hardware.servers import ServerType
from designer.model.hardware.types import HardwareType
from designer.tables.columns import Column, Columns
from designer.units import SECONDS_PER_YEAR, energy_kwh, format_count, format_counted

NOT_KNOWN = "not known"
TOKENS = 10**6
"""Shares of tokens are those of a million."""


def _amounts(name: str, title: str, tip: str = "") -> Column:
    return Column(name, title, text=lambda one: one.text, right=True, tip=tip, empty=NOT_KNOWN)


@dataclass(frozen=True, slots=True)
class CostRow:
    """Of the whole, or of each of something: capital, power, cooling and all together; None is not known."""

    name: str
    count: float | None
    """How many of it the design has; None where that is not known."""
    capital: Amounts | None
    power: Amounts | None
    cooling: Amounts | None
    note: str = ""

    @property
    def total(self) -> Amounts | None:
        """Capital, power and cooling; None where one of them is not known."""
        return added((self.capital, self.power, self.cooling))

    COLUMNS: ClassVar[Columns] = (
        Column("name", ""),
        _amounts("capital", "Capital", "What is ordered costs, spares included."),
        _amounts("power", "Power", "The energy that devices draw in these years."),
        _amounts("cooling", "Cooling", "The energy that the building takes in addition, by its PUE."),
        _amounts("total", "Together"),
        Column("note", "Note"),
    )


@dataclass(frozen=True, slots=True)
class Costing:
    """The cost of a design by prices and terms."""

    priced: Priced
    terms: CostTerms
    gpus: int = 0
    bisection_gbps: float | None = None
    """None where there is none, or nobody computed it."""
    tokens_per_s: float | None = None
    """Of a training step on it, where one was simulated."""

    @property
    def n_unpriced_lines(self) -> int:
        """Lines of the bill that are to be ordered and have no price."""
        return len(self.priced.unpriced)

    @property
    def n_unpriced_parts(self) -> int:
        """How many pieces stand on them."""
        return sum(line.to_order for line in self.priced.unpriced)

    @property
    def is_stated(self) -> bool:
        """Whether anything of it is known: a part has a price, or energy has one."""
        return bool(self.priced.totals) or self.power is not None

    @property
    def capital(self) -> Amounts | None:
        """What all to order costs, by currency after the stated rates; None where no line has a price."""
        totals = self.priced.totals
        if not totals and self.n_unpriced_lines:
            return None
        return self.terms.converted(Amounts(totals, bool(self.n_unpriced_lines)))

    @property
    def cost_text(self) -> str:
        """The capital in a line: "1,234.00 USD without 3 lines whose price is unknown", or why it is not known."""
        capital = self.capital
        return self.priced.cost_text if capital is None or not self.terms.rates else capital.text

    @property
    def spares(self) -> Amounts | None:
        """How much of the capital the spares are; None where none is ordered or none has a price."""
        lines = [line for line in self.priced.lines if line.spares]
        found = [(line.price.currency, line.price.of(line.spares)) for line in lines if line.price is not None]
        return self.terms.converted(Amounts(tuple(found), len(found) < len(lines))) if found else None

    @property
    def draw(self) -> Draw:
        """The power that energy is calculated with, and what is not in it."""
        typical, maximum = self.priced.power.draws
        return maximum if self.terms.draw == MAXIMUM else typical

    @property
    def draw_text(self) -> str:
        """ "82.4 kW at most", "at least 82.4 kW; 127 of 217 devices have no known typical power"."""
        draw = self.draw
        if draw.known_w is None:
            return f"{NOT_KNOWN}: the catalog has no {draw.name} power of these devices"
        if not draw.n_unknown:
            return f"{draw.sum_text()}, {draw.name}, without optics"
        of = f"{format_count(draw.n_unknown)} of {format_counted(draw.n_devices, 'device')}"
        return f"{draw.sum_text()}; {of} without a known {draw.name} power"

    @property
    def power_w(self) -> float | None:
        """What the devices draw on average, as far as known; None where that is known of none."""
        known = self.draw.known_w
        return None if known is None else known * self.terms.load

    @property
    def power_text(self) -> str:
        """ "82.4 kW", "at least 82.4 kW" where something draws more that is not known; "not known"."""
        return self.draw.sum_text(self.terms.load)

    @property
    def facility_w(self) -> float | None:
        """The same with what the building takes in addition; None without a PUE."""
        return None if self.power_w is None or self.terms.pue is None else self.power_w * self.terms.pue

    @property
    def energy_kwh(self) -> float | None:
        """What the devices take in all years."""
        return None if self.power_w is None else energy_kwh(self.power_w, self.terms.years)

    @property
    def power(self) -> Amounts | None:
        """What the energy of the devices costs in all years; None without power or a price of energy."""
        price, kwh = self.terms.energy_price, self.energy_kwh
        if price is None or kwh is None:
            return None
        amount = price.amount * Decimal(repr(kwh))
        return self.terms.converted(Amounts(((price.currency, amount),), bool(self.draw.n_unknown)))

    @property
    def cooling(self) -> Amounts | None:
        """What the building takes in addition to the devices, by its PUE; None without one."""
        power, pue = self.power, self.terms.pue
        if power is None or pue is None:
            return None
        more = Decimal(repr(float(pue))) - 1
        return replace(power, sums=tuple((name, amount * more) for name, amount in power.sums))

    @property
    def operation(self) -> Amounts | None:
        """Power and cooling over the years; None where one of them is not known."""
        return added((self.power, self.cooling))

    @property
    def tokens(self) -> float | None:
        """Tokens trained in all years, without a pause."""
        return None if self.tokens_per_s is None else self.tokens_per_s * SECONDS_PER_YEAR * self.terms.years

    @property
    def rows(self) -> tuple[CostRow, ...]:
        """The whole, then its shares."""
        return tuple(self._rows())

    def _rows(self) -> Iterator[CostRow]:
        whole = CostRow("The whole design", 1.0, self.capital, self.power, self.cooling, self.gaps)
        yield whole
        yield _share(whole, "Per GPU", float(self.gpus) or None, "no server has GPUs")
        if self.bisection_gbps:
            yield _share(whole, "Per Gb/s of bisection", self.bisection_gbps, "")
        if self.tokens is not None:
            millions = self.tokens / TOKENS
            years = years_text(self.terms.years)
            yield replace(
                _share(whole, "Per million trained tokens", millions, ""), note=f"training for {years} without a pause"
            )

    @property
    def gaps(self) -> str:
        """What the figures lack, with counts; "" where they lack nothing."""
        no_energy = "no energy price is stated" if self.terms.energy_price is None else ""
        no_pue = "no PUE is stated" if self.terms.pue is None else ""
        return "; ".join(filter(None, (self.price_gap, self.power_gap, no_energy, no_pue)))

    @property
    def price_gap(self) -> str:
        """ "3 lines (1,024 pieces) without a price"; "" where all have one."""
        if not self.n_unpriced_lines:
            return ""
        pieces = format_counted(self.n_unpriced_parts, "piece")
        return f"{format_counted(self.n_unpriced_lines, 'line')} ({pieces}) without a price"

    @property
    def power_gap(self) -> str:
        """ "4 of 5 devices without a known typical power"; "" where all have one."""
        draw = self.draw
        if not draw.n_unknown:
            return ""
        of = f"{format_count(draw.n_unknown)} of {format_counted(draw.n_devices, 'device')}"
        return f"{of} without a known {draw.name} power"

    @property
    def basis(self) -> str:
        """What power and cooling were calculated with, as a sentence."""
        terms, draw = self.terms, self.draw
        of = "the" if terms.load == 1 else f"{100 * terms.load:g} % of the"
        stated = [f"{of} {draw.name} power ({draw.sum_text(terms.load)}, without optics) for {years_text(terms.years)}"]
        stated += [f"{terms.energy_price.text} per kWh"] if terms.energy_price is not None else []
        stated += [f"PUE {terms.pue:g}"] if terms.pue is not None else []
        stated += [terms.rates_text] if terms.rates else []
        return f"Calculated with {', '.join(stated)}."

    @property
    def json(self) -> dict[str, Any]:
        """As JSON has it: null is what is not known."""
        price = self.terms.energy_price
        return {
            "gpus": self.gpus,
            "bisection_gbps": self.bisection_gbps,
            "tokens_per_s": self.tokens_per_s,
            "lines_without_price": self.n_unpriced_lines,
            "pieces_without_price": self.n_unpriced_parts,
            "devices": self.draw.n_devices,
            "devices_without_power": self.draw.n_unknown,
            "power_w": self.power_w,
            "facility_w": self.facility_w,
            "energy_kwh": self.energy_kwh,
            "years": self.terms.years,
            "draw": self.terms.draw,
            "load": self.terms.load,
            "pue": self.terms.pue,
            "energy_price": None if price is None else price.text,
            "rates": {one.name: float(one.figure) for one in self.terms.rates},
            "currency": self.terms.currency or None,
            "spares": _json(self.spares),
            "rows": [
                {"name": row.name, "count": row.count}
                | {key: _json(getattr(row, key)) for key in ("capital", "power", "cooling", "total")}
                | {"note": row.note or None}
                for row in self.rows
            ],
        }


def _share(whole: CostRow, name: str, count: float | None, why: str) -> CostRow:
    """The row of each of something; `why` says why it is not known how many there are."""
    if count is None:
        return CostRow(name, None, None, None, None, why)
    capital, power, cooling = (one and one.over(count) for one in (whole.capital, whole.power, whole.cooling))
    return CostRow(name, count, capital, power, cooling)


def _json(amounts: Amounts | None) -> dict[str, object] | None:
    return None if amounts is None else amounts.json


def years_text(years: float) -> str:
    """ "5 years", "1 year", "2.5 years"."""
    return f"{years:g} {'year' if years == 1 else 'years'}"


def gpus_of(design: Design) -> int:
    """How many GPUs the servers of a design have."""
    counts = design.count_by_type()
    return sum(type_.stated_gpus * count for type_, count in counts.items() if isinstance(type_, ServerType))


def costing_of(
    design: Design,
    types: Mapping[str, HardwareType],
    prices: PriceList = NO_PRICES,
    policy: SparesPolicy = (),
    terms: CostTerms = NO_TERMS,
    *,
    bisection_gbps: float | None = None,
    tokens_per_s: float | None = None,
) -> Costing:
    """The cost of a design. `types` are the catalog's, that fibers and modules are found among.

    Bisection bandwidth and the tokens of a training step are given where shares of them are wanted.
    """
    bill = bill_of(design, types, terms.discounted(prices), policy)
    return Costing(bill, terms, gpus_of(design), bisection_gbps, tokens_per_s)
