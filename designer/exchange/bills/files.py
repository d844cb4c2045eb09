"""Bills of materials as CSV, JSON and workbook: the suffix of the path says which."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from designer.analysis.billing.bill import Bill
from designer.analysis.billing.lines import BillLine
from designer.analysis.billing.spares import spares_text
from designer.errors import ExportError
from designer.exchange.bills.costs import bill_for, cost_json, costing_of_bill
from designer.exchange.bills.options import NO_OPTIONS, BillOptions
from designer.late import Late
from designer.model.design import Design
from designer.tables.columns import record
from designer.tables.table import ResultTable, encoded

sheets = Late("designer.exchange.bills.sheets")


def write_bill(design: Design, path: Path, options: BillOptions) -> None:
    """Write the design's bill. Raises ExportError, FileFormatError for the price list, or OSError."""
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise ExportError(f"{path.name} does not say what to write: name it {', '.join(_WRITERS)}")
    write(design, bill_for(design, options), path, options)


def _csv(_design: Design, bill: Bill, path: Path, options: BillOptions) -> None:
    text = ResultTable(BillLine.COLUMNS, bill.lines).csv()
    path.write_bytes(encoded(text, byte_order_mark=options.byte_order_mark))


def _json(design: Design, bill: Bill, path: Path, options: BillOptions) -> None:
    text = json.dumps(as_json(design, bill, options), indent=2, ensure_ascii=False, allow_nan=False, default=_number)
    path.write_bytes(f"{text}\n".encode("utf-8", errors="replace"))


def _xlsx(design: Design, bill: Bill, path: Path, options: BillOptions) -> None:
    sheets.write_sheets(design, bill, path, options)


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


def as_json(design: Design, bill: Bill, options: BillOptions = NO_OPTIONS) -> dict[str, Any]:
    """The bill as JSON has it: null is what is not known."""
    costing = costing_of_bill(design, bill, options)
    return {
        "design": design.name,
        "preliminary": bill.preliminary or None,
        "lines": [_line(line) for line in bill.lines],
        "counts": asdict(bill.counts),
        "networks": {network: asdict(counts) for network, counts in bill.networks.items()},
        **cost_json(bill),
        "costing": costing.json,
        "spares": spares_text(bill.policy),
        "lines_without_part_number": [line.number for line in bill.unnumbered],
        "power": asdict(bill.power),
    }
