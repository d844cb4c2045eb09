"""Bills of materials as CSV, JSON and workbook: the suffix of the path says which."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from designer.analysis.billing.bill import Bill, BillLine, bill_of
from designer.analysis.billing.prices import NO_PRICES
from designer.analysis.billing.spares import spares_text
from designer.catalog import catalog
from designer.errors import DesignerError, ExportError
from designer.exchange.bills.options import BillOptions
from designer.exchange.bills.price_list import read_price_list
from designer.late import Late
from designer.model.design import Design
from designer.tables.columns import record
from designer.tables.table import ResultTable, encoded
from designer.units import shortened

sheets = Late("designer.exchange.bills.sheets")


def write_bill(design: Design, path: Path, options: BillOptions) -> None:
    """Write the design's bill. Raises ExportError, FileFormatError for the price list, or OSError."""
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise ExportError(f"{path.name} does not say what to write: name it {', '.join(_WRITERS)}")
    write(design, bill_for(design, options), path, options)


def bill_for(design: Design, options: BillOptions) -> Bill:
    """The bill of a design with the prices and spares of the options. Raises as `write_bill`."""
    prices = NO_PRICES
    if options.prices:
        place = Path(options.prices)
        try:
            prices = read_price_list(place)
        except DesignerError:
            raise
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            fault = error.strerror or str(error) if isinstance(error, OSError) else "no file can have such a name"
            raise ExportError(f"the price list {shortened(place.name)} cannot be read: {fault}") from None
    return bill_of(design, catalog.load().types, prices, options.spares)


def _csv(_design: Design, bill: Bill, path: Path, options: BillOptions) -> None:
    text = ResultTable(BillLine.COLUMNS, bill.lines).csv()
    path.write_bytes(encoded(text, byte_order_mark=options.byte_order_mark))


def _json(design: Design, bill: Bill, path: Path, _options: BillOptions) -> None:
    text = json.dumps(as_json(design, bill), indent=2, ensure_ascii=False, allow_nan=False, default=_number)
    path.write_bytes(f"{text}\n".encode("utf-8", errors="replace"))


def _xlsx(design: Design, bill: Bill, path: Path, _options: BillOptions) -> None:
    sheets.write_sheets(design, bill, path)


_WRITERS: Mapping[str, Callable[[Design, Bill, Path, BillOptions], None]] = {
    ".xlsx": _xlsx,
    ".csv": _csv,
    ".json": _json,
}
SUFFIXES = tuple(_WRITERS)


def _line(line: BillLine) -> dict[str, Any]:
    cells = record(line, line.COLUMNS, {"kind": line.item.kind})
    return {key: None if value == "" else value for key, value in cells.items()}


def _number(value: object) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"no JSON for {value!r}")


def as_json(design: Design, bill: Bill) -> dict[str, Any]:
    """The bill as JSON has it: null is what is not known."""
    return {
        "design": design.name,
        "preliminary": bill.preliminary or None,
        "lines": [_line(line) for line in bill.lines],
        "counts": asdict(bill.counts),
        "networks": {network: asdict(counts) for network, counts in bill.networks.items()},
        **cost_json(bill),
        "spares": spares_text(bill.policy),
        "lines_without_part_number": [line.number for line in bill.unnumbered],
        "power": asdict(bill.power),
    }


def cost_json(bill: Bill) -> dict[str, Any]:
    """What the bill costs as JSON has it, and by which prices."""
    return {
        "cost": {
            "known": {currency: float(amount) for currency, amount in bill.totals},
            "lines_without_price": [line.number for line in bill.unpriced],
            "text": bill.cost_text,
        },
        "price_list": bill.price_list or None,
        "price_dates": list(bill.price_dates) if bill.price_dates[0] else None,
        "unused_prices": bill.unused_prices,
    }
