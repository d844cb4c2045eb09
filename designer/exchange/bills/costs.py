"""The cost of a design for files and terminals: by options with price lists and terms."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from designer.analysis.billing.amounts import amounts_text
from designer.analysis.billing.bill import Bill, bill_of
from designer.analysis.billing.costing import Costing, gpus_of, years_text
from designer.analysis.billing.kinds import KINDS
from designer.analysis.billing.lines import Priced
from designer.analysis.billing.prices import PriceList, merged
from designer.analysis.billing.spares import require_used
from designer.analysis.bisection import bisection_bandwidth
from designer.analysis.survey import survey
from designer.catalog import catalog
from designer.errors import DesignerError, ExportError
from designer.exchange.bills.options import NO_OPTIONS, BillOptions
from designer.exchange.bills.price_list import paths_in, read_price_list
from designer.model.design import Design
from designer.units import format_counted, format_energy, format_power, shortened


def bill_for(design: Design, options: BillOptions) -> Bill:
    """The bill of a design with the prices and spares of the options.

    Raises FileFormatError or ExportError for a price list, and ParameterError for spares of what the bill has none of.
    """
    found = bill_compared(design, options)
    require_used(options.spares, {line.item.kind for line in found.lines})
    return found


def bill_compared(design: Design, options: BillOptions) -> Bill:
    """The same of a design that another is compared with: it may have no parts that the spares are for."""
    prices = options.discounted(prices_in(options.prices))
    return bill_of(design, catalog.load().types, prices, options.spares)


def prices_in(text: str) -> PriceList:
    """The prices of the lists that a text names, with ; between. Raises FileFormatError or ExportError."""
    found = []
    for place in map(Path, paths_in(text)):
        try:
            found.append(read_price_list(place))
        except DesignerError:
            raise
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            fault = error.strerror or str(error) if isinstance(error, OSError) else "no file can have such a name"
            raise ExportError(f"the price list {shortened(place.name)} cannot be read: {fault}") from None
    return merged(found)


def costing_for(design: Design, options: BillOptions = NO_OPTIONS, *, tokens_per_s: float | None = None) -> Costing:
    """What a design costs by the options, with its bisection bandwidth. Raises as `bill_for`."""
    return costing_of_bill(design, bill_for(design, options), options, tokens_per_s=tokens_per_s)


def costing_of_bill(design: Design, found: Bill, options: BillOptions, *, tokens_per_s: float | None = None) -> Costing:
    """The same with its bill: whoever shows the cost of a design in a file shows these rows."""
    surveyed = survey(design)
    bisection = bisection_bandwidth(surveyed) if len(surveyed.linked_hosts) > 1 else None
    return Costing(found, options, gpus_of(design), bisection.gbps if bisection is not None else None, tokens_per_s)


def cost_facts(costing: Costing) -> Iterator[tuple[str, str]]:
    """What there is to say of a cost, line by line, for people."""
    priced, terms = costing.priced, costing.terms
    yield "capital", costing.cost_text if costing.capital is None else costing.capital.text
    if costing.n_unpriced_lines:
        lines = format_counted(costing.n_unpriced_lines, "line")
        yield "", f"without {lines} ({format_counted(costing.n_unpriced_parts, 'piece')}) whose price is not known"
    if costing.spares is not None:
        yield "  spares in it", costing.spares.text
    for kind, amounts, missing in priced.totals_by_kind:
        lacks = f"{format_counted(missing, 'line')} without a price" if missing else ""
        yield f"  {KINDS[kind].lower()}", ", ".join(filter(None, (amounts_text(amounts), lacks)))
    yield "power", costing.draw_text
    if costing.energy_kwh is not None:
        of_building = costing.facility_w
        building = f", {format_power(of_building)} with the building" if of_building is not None else ""
        yield "energy", f"{format_energy(costing.energy_kwh)} in {years_text(terms.years)}{building}"
    yield "prices", priced.price_list_text or "no price list"
    yield "terms", costing.basis


def costing_json(costing: Costing) -> dict[str, Any]:
    """The cost as JSON has it, with what has no price."""
    return {**costing.json, **cost_json(costing.priced)}


def cost_json(priced: Priced) -> dict[str, Any]:
    """What the bill costs as JSON has it, and by which prices."""
    return {
        "cost": {
            "known": {currency: float(amount) for currency, amount in priced.totals},
            "lines_without_price": [line.number for line in priced.unpriced],
            "text": priced.cost_text,
        },
        "price_list": priced.price_list or None,
        "price_dates": list(priced.price_dates) if priced.price_dates[0] else None,
        "unused_prices": len(priced.unused_prices),
        "unused_price_parts": list(priced.unused_prices),
    }
