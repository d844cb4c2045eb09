"""Price lists: a user's CSV of part numbers with price, currency, date and perhaps discount, read strictly."""

import csv
import io
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from designer.analysis.billing.price import Price
from designer.analysis.billing.prices import PriceList, key_of
from designer.errors import FileFormatError, ParameterError
from designer.units import parse_date, shortened

PART_NUMBER, PRICE, CURRENCY, DATE, DISCOUNT = "part number", "price", "currency", "date", "discount"
DISCOUNT_CLASS = "discount class"
NEEDED = (PART_NUMBER, PRICE, CURRENCY, DATE)
OTHERS = ("description", "vendor", "model", "notes")
"""Columns that a list may have for its readers; nothing is read of them."""
MOST_BYTES = 50_000_000

_PLAIN = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?")
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]{1,6})?")
_SHARE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,4})?) ?%")
_USAGE = f"the first line should name the columns {', '.join(NEEDED)}, and {DISCOUNT} where there is one"
MOST_CLASS = 40
"""Characters of a discount class."""
SEPARATOR = ";"
"""Between the paths of several price lists."""


class _CellError(Exception):
    """What is wrong with a cell."""


def paths_in(text: str) -> tuple[str, ...]:
    """The paths of price lists in a text: "2026.csv; cables.csv"."""
    return tuple(filter(None, (part.strip() for part in text.split(SEPARATOR))))


def read_price_list(path: Path) -> PriceList:
    """The prices of a file. Raises FileFormatError, which names line and column, or OSError."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)  # a device states no size, and may have no end
    if len(data) > MOST_BYTES:
        raise FileFormatError(f"{path.name} is too large for a price list: it may have {MOST_BYTES // 10**6} MB")
    return parse_price_list(data, path.name)


def parse_price_list(data: bytes, name: str) -> PriceList:
    """The prices of a CSV file's bytes; commas, semicolons or tabs between. Raises FileFormatError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(f"{name} is not UTF-8 text: save the price list as CSV UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    prices: dict[str, Price] = {}
    lines: dict[str, int] = {}
    columns: dict[str, int] | None = None
    n_replaced = 0
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if columns is None:
                columns = _columns(row, name)
                continue
            part, price = _entry(row, columns, f"{name}, line {reader.line_num}")
            known = prices.get(part)
            if known is not None and known.date == price.date:
                raise FileFormatError(
                    f"{name}, line {reader.line_num}, column {PART_NUMBER}: {shortened(row[columns[PART_NUMBER]])!r} "
                    f"stands on line {lines[part]} already with the same date: keep one price for each part and date"
                )
            n_replaced += known is not None
            if known is None or known.date < price.date:
                prices[part], lines[part] = price, reader.line_num
    except csv.Error as error:
        raise FileFormatError(f"{name}, line {reader.line_num}, cannot be read as CSV: {error}") from None
    if columns is None:
        raise FileFormatError(f"{name} is empty: {_USAGE}")
    return PriceList(name, prices, n_replaced)


def _delimiter(text: str) -> str:
    """What stands most often in the first line that says something."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=first.count)


def _columns(row: list[str], name: str) -> dict[str, int]:
    """Where each column stands, by its name."""
    found: dict[str, int] = {}
    for number, cell in enumerate(row):
        title = key_of(cell.replace("_", " "))
        if title in found:
            raise FileFormatError(f"{name}, line 1: there are two columns {title!r}: keep one")
        if title not in (*NEEDED, DISCOUNT, DISCOUNT_CLASS, *OTHERS):
            known = ", ".join((DISCOUNT, DISCOUNT_CLASS, *OTHERS))
            raise FileFormatError(
                f"{name}, line 1, column {number + 1}: {shortened(cell)!r} is no column of a price list: {_USAGE}; "
                f"{known} may be there too"
            )
        found[title] = number
    for title in NEEDED:
        if title not in found:
            raise FileFormatError(f"{name}, line 1: there is no column {title!r}: {_USAGE}")
    return found


def _entry(row: list[str], columns: Mapping[str, int], place: str) -> tuple[str, Price]:
    """A line's part and price."""
    if any(cell.strip() for cell in row[len(columns) :]):
        raise FileFormatError(
            f"{place} has {len(row)} cells for {len(columns)} columns: put quotes around texts with commas in them"
        )
    cells = {title: row[number].strip() if number < len(row) else "" for title, number in columns.items()}
    title = PART_NUMBER
    try:
        part = _part(cells[title])
        title = PRICE
        amount = _amount(cells[title])
        title = CURRENCY
        currency = _currency(cells[title])
        title = DATE
        stated = _date(cells[title])
        title = DISCOUNT
        discount = _discount(cells.get(title, ""))
        title = DISCOUNT_CLASS
        discount_class = _discount_class(cells.get(title, ""))
    except _CellError as error:
        raise FileFormatError(f"{place}, column {title}: {error}") from None
    return key_of(part), Price(amount, currency, stated, discount, discount_class, part=" ".join(part.split()))


def _part(text: str) -> str:
    if not text:
        raise _CellError("enter the part number, or the model of what has none")
    return text


def _amount(text: str) -> Decimal:
    if not text:
        raise _CellError("enter the price, or remove the line: a part without a price is listed as unknown")
    if not _PLAIN.fullmatch(text) and not _GROUPED.fullmatch(text):
        raise _CellError(f"{shortened(text)!r} is not a price: write it like 1234.50, without a currency")
    return Decimal(text.replace(",", ""))


def _currency(text: str) -> str:
    if not re.fullmatch(r"[A-Z]{3}", text):
        raise _CellError(f"{shortened(text)!r} is not a currency: write its three letters, like USD or EUR")
    return text


def _date(text: str) -> str:
    try:
        return parse_date(text)
    except ParameterError as error:
        raise _CellError(str(error)) from None


def _discount(text: str) -> Decimal | None:
    if not text:
        return None
    found = _SHARE.fullmatch(text)
    if found is None or Decimal(found[1]) > 100:
        raise _CellError(f"{shortened(text)!r} is not a discount: write it like 15%")
    return Decimal(found[1]) / 100


def _discount_class(text: str) -> str:
    if len(text) > MOST_CLASS or "," in text or "=" in text:
        raise _CellError(f"{shortened(text)!r} is not a discount class: write a short name without commas, like A")
    return text
