"""The bill of materials as a workbook: a summary with totals and what is not known, and the lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from decimal import Decimal
from itertools import chain, zip_longest
from pathlib import Path

from designer.analysis.billing.amounts import Amounts
from designer.analysis.billing.bill import Bill
from designer.analysis.billing.costing import Costing
from designer.analysis.billing.kinds import KINDS, LINE_CARD, NIC, SERVER, SWITCH
from designer.analysis.billing.lines import BillLine, without_price
from designer.analysis.billing.spares import spares_text
from designer.analysis.optical_parts import ORDER_STEPS
from designer.analysis.part_names import PartName
from designer.analysis.parts import Parts
from designer.analysis.preliminary import PRELIMINARY
from designer.analysis.topology_text import topology_text
from designer.exchange.bills.costs import costing_of_bill
from designer.exchange.bills.options import NO_OPTIONS, BillOptions
from designer.exchange.cable_plan import ROUTED
from designer.exchange.exporter import plan_gaps_of
from designer.exchange.issue import NOT_ISSUED, NOT_STATED, Issue, issue_stated
from designer.exchange.workbook import (
    AMOUNT,
    COUNT,
    FIGURE,
    MOST_WIDTH_OF_SENTENCES,
    SHARE,
    TENTHS,
    Block,
    Sheet,
    SheetColumn,
    columns_of,
    write_book,
)
from designer.exchange.workbook_cells import Formula, Marked, Value, letters, quoted
from designer.exchange.workbook_parts import BookFacts
from designer.model.design import Design
from designer.model.networks import TITLES
from designer.model.title_facts import stated_facts
from designer.placement.cable_lengths import lengths_cover
from designer.units import format_count, format_counted, format_length

TITLE = "Bill of materials"
SUMMARY = "Summary"
NOT_KNOWN = "Not known"
NOT_COUNTED = "power distribution units, power cords, rail kits, cable trays and cable managers"
"""What is bought as well and is on no bill, because no design has it."""

SHOWN: Mapping[str, SheetColumn] = {
    "line": SheetColumn("Line", FIGURE),
    "status": SheetColumn("Status"),
    "kind": SheetColumn("Kind"),
    "part_number": SheetColumn("Part number"),
    "description": SheetColumn("Description", widest=26, wraps=True),
    "model": SheetColumn("Model", widest=18, wraps=True),
    "vendor": SheetColumn("Vendor", fold=7),
    "order_m": SheetColumn("Order\nlength\n(m)", FIGURE),
    "networks": SheetColumn("Networks", widest=14, wraps=True, fold=3),
    "quantity": SheetColumn("Quan-\ntity", COUNT),
    "at_switches": SheetColumn("At\nswitches", COUNT, fold=1),
    "at_servers": SheetColumn("At\nservers", COUNT, fold=2),
    "included": SheetColumn("In-\ncluded", COUNT, fold=6),
    "spares": SheetColumn("Spares", COUNT),
    "to_order": SheetColumn("To\norder", COUNT),
    "unit_price": SheetColumn("Unit\nprice", AMOUNT),
    "currency": SheetColumn("Cur-\nrency"),
    "discount": SheetColumn("Dis-\ncount", SHARE, fold=5),
    "line_price": SheetColumn("Line\nprice", AMOUNT),
    "price_date": SheetColumn("Price\ndate", fold=4),
    "note": SheetColumn("Note", widest=26, wraps=True),
}
"""Columns of the sheet of lines, by those of the bill; those without an entry but zeros are left out.

The note says what is included; what is folded away where paper lacks room is in the file.
"""
TEXTS = (SheetColumn("", widest=30), SheetColumn("", widest=12))
"""Columns of a page whose last text goes on over the empty cells next to it."""
FIRST_ROW = 2
"""Of the lines on their sheet, below the headings."""
DRAWING = (SERVER, SWITCH, LINE_CARD, NIC)
COUNT_WORDS = {
    "links": "Links",
    "cables": "Cables, fiber cables included",
    "fibres": "Fiber cables",
    "cages": "Cages in use",
    "transceivers": "Transceivers",
    "switch_transceivers": "Transceivers in switches",
    "server_transceivers": "Transceivers in servers",
    "links_without_medium": "Links without a selected cable",
    "copper_without_medium": "Those between copper ports",
}


def write_sheets(design: Design, bill: Bill, path: Path, options: BillOptions = NO_OPTIONS) -> None:
    """Write the workbook. Raises ExportError or OSError."""
    costing = costing_of_bill(design, bill, options)
    settings = design.settings
    issue = issue_stated(design).with_open_points(are_open=bool(plan_gaps_of(design).gaps))
    facts = BookFacts(
        f"{design.name}: {TITLE.lower()}",
        TITLE,
        settings.author,
        settings.customer,
        date=issue.date if issue.date not in (NOT_ISSUED, NOT_STATED) else "",
        # Between title and page there is room for one warning: the summary has both.
        issue=(replace(issue, reason="") if bill.preliminary else issue).line,
        status=PRELIMINARY if bill.preliminary else "",
    )
    lines = _Lines(bill)
    pages = [Sheet(SUMMARY, tuple(_summary(design, bill, issue, lines))), Sheet(TITLE, (lines.block(),))]
    if costing.is_stated:
        pages.append(_shares(costing))
    pages.append(_power_sheet(bill.lines))
    unknown = tuple(_unknown(bill))
    if unknown:
        texts = columns_of("Item", "Reason", widest=MOST_WIDTH_OF_SENTENCES)
        columns = (SheetColumn("What"), SheetColumn("Line", FIGURE), *texts)
        pages.append(Sheet(NOT_KNOWN, (Block((*columns, SheetColumn("To order", COUNT)), unknown),)))
    write_book(path, pages, facts)


# -- summary ----------------------------------------------------------------------------------------------------------


def _summary(design: Design, bill: Bill, issue: Issue, lines: "_Lines") -> Iterator[Block]:
    dated = f" of {issue.date}" if issue.date not in (NOT_ISSUED, NOT_STATED) else ""
    if bill.preliminary:
        yield Block(TEXTS, [(Marked(bill.preliminary, is_bold=True),)])
    stated = (
        *stated_facts(design),
        *zip_longest(("Topology",), topology_text(design).lines, fillvalue=""),
        ("Revision", f"{issue.revision}{dated}"),
        ("Digest", issue.digest),
        ("Status", issue.reason or issue.status),
        ("Spares", f"{spares_text(bill.policy)}: {bill.spares_text}" if bill.policy else bill.spares_text),
        ("Price list", _price_list(bill)),
        ("Lengths", _lengths(design)),
        ("Slack", _slack(design)),
        *zip_longest(("Lengths cover",), lengths_cover(design), fillvalue=""),
        ("Order lengths", _order_lengths(bill)),
        ("Not counted", NOT_COUNTED),
    )
    yield Block(TEXTS, [(name, Marked(value, is_bold=name == "Design")) for name, value in stated if value])
    yield _cost(bill, lines)
    yield _counts(bill)
    yield _power(design, bill)


def _lengths(design: Design) -> str:
    """How many cables are ordered by a length that was assumed, not routed or typed; "" for none."""
    assumed = sum(link.length_source == "rule" for link in design.links.values())
    if not assumed:
        return ""
    whole = "all" if assumed == len(design.links) else format_count(assumed)
    return f"{whole} of {format_counted(len(design.links), 'link')} have an assumed length: check before ordering"


def _slack(design: Design) -> str:
    """What routed lengths have for bends and loops; "" where none is routed."""
    if not any(link.length_source == ROUTED for link in design.links.values()):
        return ""
    slack = format_length(design.settings.cable_slack_m)
    return f"routed lengths include {slack} for bends and loops at both ends"


def _order_lengths(bill: Bill) -> str:
    """What cables are ordered in: stock lengths, or lengths that are rounded up; "" where there are neither."""
    if any(one.item.order_m is not None and one.item.length_m is None for one in bill.lines):
        return f"the next stock length; where none is known, the length needed, rounded up {ORDER_STEPS}"
    return "the next stock length" if any(one.item.length_m is not None for one in bill.lines) else ""


def _price_list(bill: Bill) -> str:
    return bill.price_list_text or "none: prices are not known"


def _cost(bill: Bill, lines: "_Lines") -> Block:
    missing = len(bill.unpriced)
    if not bill.totals:
        return Block(TEXTS, [("Total", bill.cost_text)], "Cost")
    rows: list[tuple[Value, ...]] = [
        (_total(bill), Marked(lines.sum(amount, currency), is_bold=True, format=AMOUNT), currency)
        for currency, amount in bill.totals
    ]
    if missing:
        without = f"{format_counted(missing, 'line')} whose price is unknown"
        rows.append(("Without", Marked(without, sheet=NOT_KNOWN if bill.price_list else TITLE)))
    rows += _by_kind(bill, lines)
    return Block((*TEXTS, *columns_of("", "")), rows, "Cost")


def _total(bill: Bill) -> str:
    return "Total, at least" if bill.unpriced else "Total"


def _shares(costing: Costing) -> Sheet:
    """Capital, power and cooling, as a whole and per GPU, by currency. What is not the whole is a text."""
    keys = ("capital", "power", "cooling", "total")
    titles = (SheetColumn(title, AMOUNT) for title in ("Capital", "Power", "Cooling", "Together"))
    columns = (SheetColumn("Of"), SheetColumn("Cur-\nrency"), *titles, SheetColumn("Note", widest=26, wraps=True))
    rows: list[tuple[Value, ...]] = []
    for row in costing.rows:
        known = [getattr(row, key) for key in keys]
        currencies = sorted({name for one in known if one is not None for name, _ in one.sums}) or [""]
        rows += [(row.name, name, *(_amount(one, name) for one in known), row.note) for name in currencies]
    return Sheet("Cost", (Block(columns, rows), Block(TEXTS, [(costing.basis,)])))


def _amount(amounts: Amounts | None, currency: str) -> Value:
    if amounts is None:
        return NOT_KNOWN.lower()
    known = dict(amounts.sums).get(currency)
    if known is None:
        return None
    return f"at least {known:,.2f}" if amounts.is_least else float(known)


def _by_kind(bill: Bill, lines: "_Lines") -> Iterator[tuple[Value, ...]]:
    """What each kind of part costs, a row per currency; how many of its lines have no price."""
    for kind, amounts, missing in bill.totals_by_kind:
        lacks = f"without {format_counted(missing, 'line')}" if missing else ""
        if not amounts:
            yield f"   {KINDS[kind]}", "not known"
        for currency, amount in amounts:
            yield f"   {KINDS[kind]}", Marked(lines.sum(amount, currency, kind), format=AMOUNT), currency, lacks


def _counts(bill: Bill) -> Block:
    networks = list(bill.networks)
    columns = (SheetColumn("Count"), *(SheetColumn(one, COUNT) for one in ("All", *(TITLES[one] for one in networks))))
    every = (bill.counts, *bill.networks.values())
    rows = [
        (COUNT_WORDS[one.name], *(getattr(counts, one.name) for counts in every))
        for one in fields(Parts)
        if one.name in COUNT_WORDS and (getattr(bill.counts, one.name) or "without" not in one.name)
    ]
    title = "Links, cables, fiber cables, cages and transceivers"
    if bill.counts.links_without_medium:
        title += ": a link without a selected cable counts as one cable, without fibers and transceivers"
    return Block(columns, rows, title)


def _power(design: Design, bill: Bill) -> Block:
    rows: list[tuple[Value, ...]] = []
    for one in bill.power.draws:
        # What is not the whole is a text: nobody adds it up or takes it for the total.
        is_whole = one.known_w is not None and not one.n_unknown and not one.n_transceivers
        kilowatts = Marked((one.known_w or 0.0) / 1000, format=TENTHS) if is_whole else one.text(design.types)
        rows.append((f"{one.name.title()}{' (kW)' if is_whole else ''}", kilowatts))
    return Block(TEXTS, rows, "Power of devices, line cards and NICs, without optics")


# -- lines ------------------------------------------------------------------------------------------------------------


class _Lines:
    """The sheet of lines: which columns it has and where, and sums over it."""

    def __init__(self, bill: Bill) -> None:
        self._bill = bill
        columns = [one for one in BillLine.COLUMNS if one.key in SHOWN]
        rows = [{column.key: _value(column.of(line)) for column in columns} for line in bill.lines]
        if not any(line.price for line in bill.lines):
            for row in rows:  # The summary says once that no price is known.
                row["note"] = without_price(str(row["note"] or "")) or None
        self._keys = [one.key for one in columns if any(row[one.key] not in (None, "", 0) for row in rows)]
        self._letters = {key: letters(number) for number, key in enumerate(self._keys, start=1)}
        self._rows = rows

    def block(self) -> Block:
        """The lines, each price a formula, and what they cost together."""
        for number, (row, line) in enumerate(zip(self._rows, self._bill.lines, strict=True), start=FIRST_ROW):
            if line.line_price is not None:
                row["line_price"] = Formula(self._product(number), float(line.line_price))
        totals = [
            self._row(
                description=Marked(_total(self._bill), is_bold=True),
                currency=currency,
                line_price=Marked(self.sum(amount, currency), is_bold=True),
            )
            for currency, amount in self._bill.totals
        ]
        return Block([SHOWN[key] for key in self._keys], [self._row(**row) for row in self._rows], totals=totals)

    def sum(self, amount: Decimal, currency: str, kind: str = "") -> Formula:
        """What all lines in a currency cost, or those of one kind, which is that amount."""
        parts = [self._range("line_price"), self._range("currency"), f'"{currency}"']
        parts += [self._range("kind"), f'"{KINDS[kind]}"'] if kind else []
        return Formula(f"SUMIFS({','.join(parts)})", float(amount))

    def _product(self, row: int) -> str:
        parts = [f"{self._letters[key]}{row}" for key in ("to_order", "unit_price")]
        parts += [f"(1-{self._letters['discount']}{row})"] if "discount" in self._letters else []
        return f"ROUND({'*'.join(parts)},2)"

    def _range(self, key: str) -> str:
        letter, last = self._letters[key], FIRST_ROW + len(self._rows) - 1
        return f"{quoted(TITLE)}!${letter}${FIRST_ROW}:${letter}${last}"

    def _row(self, **values: Value) -> list[Value]:
        return [values.get(key) for key in self._keys]


def _power_sheet(lines: Sequence[BillLine]) -> Sheet:
    """What the devices, cards and NICs of each line draw; empty is not known."""
    columns = (
        SheetColumn("Line", FIGURE),
        SheetColumn("Item"),
        SheetColumn("Quantity", COUNT),
        *(SheetColumn(title, COUNT) for title in ("Typical of\none (W)", "Typical of\nall (W)")),
        *(SheetColumn(title, COUNT) for title in ("Maximum of\none (W)", "Maximum of\nall (W)")),
    )
    rows: list[tuple[Value, ...]] = []
    for line in lines:
        item = line.item
        if item.kind in DRAWING and item.ordered_apart:
            row = FIRST_ROW + len(rows)
            of_one = (("D", item.power_typical_w), ("F", item.power_max_w))
            draws = (
                (watts, None if watts is None else Formula(f"C{row}*{letter}{row}", watts * item.ordered_apart))
                for letter, watts in of_one
            )
            rows.append((line.number, _named(line), item.ordered_apart, *chain.from_iterable(draws)))
    return Sheet("Power", (Block(columns, rows),))


def _value(value: object) -> Value:
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, str | int | float) else None


def _unknown(bill: Bill) -> Iterator[tuple[Value, ...]]:
    """What is not known, line by line: part numbers, form factors, then prices where there is a price list."""
    for line in bill.unnumbered:
        yield "Part number", line.number, _named(line), line.item.gap, line.to_order
    for line in bill.lines:
        if line.item.length_gap and line.to_order:
            yield "Stock length", line.number, _named(line), line.item.length_gap, line.to_order
    for line in bill.assumed:
        yield "Form factor", line.number, _named(line), line.assumption, line.to_order
    for line in bill.unpriced if bill.price_list else ():
        yield "Price", line.number, _named(line), f"not in {bill.price_list}", line.to_order


def _named(line: BillLine) -> str:
    """What people call it, and the number that it is ordered by: "NVIDIA SN2201 (920-9N110-00F1-0C0)"."""
    item = line.item
    order = "" if item.order_m is None or item.part_number else f", {item.order_m:g} m"
    named = PartName(item.part_number, item.model).text or item.description
    return " ".join(filter(None, (item.vendor, f"{named}{order}")))
