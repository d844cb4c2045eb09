"""Lines of a bill: items with their spares and prices, what they cost together, and what has no price."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

from designer.analysis.billing.amounts import amounts_text
from designer.analysis.billing.items import INSIDE, NOT_SELECTED, Item
from designer.analysis.billing.kinds import FIBRE_KIND, INSIDE_RACK, KINDS, RACK, TRANSCEIVER
from designer.analysis.billing.price import Price
from designer.analysis.billing.prices import NO_PRICES, PriceList, own_price, sums
from designer.analysis.billing.spares import SparesPolicy, spares_of
from designer.analysis.power import Power
from designer.tables.columns import Column, Columns, percent
from designer.units import format_count, format_counted

ASSUMED_FORM = "assumed form factor"
"""What the note of a line says that may not fit: another type of switch or server has to settle it."""
NAMED = 12
"""Prices without a use that are named; of more, the rest is counted."""
NO_PRICE = "no price"
"""What the note of a line says that is to be ordered and has none."""


@dataclass(frozen=True, slots=True)
class BillLine:
    """An item with its spares and its price; `price` is None where none is known."""

    number: int
    """From 1."""
    item: Item
    spares: int
    price: Price | None

    @property
    def to_order(self) -> int:
        """What does not come with something else, and the spares."""
        return self.item.ordered_apart + self.spares

    @property
    def line_price(self) -> Decimal | None:
        """What all to order cost; None where that is not known, or nothing is to order."""
        return self.price.of(self.to_order) if self.price is not None and self.to_order else None

    @property
    def is_unpriced(self) -> bool:
        """Whether it is to be ordered and has no price."""
        return self.price is None and self.to_order > 0

    @property
    def status(self) -> str:
        """ "preliminary" where it may become another part or number of them: it is not for purchase yet."""
        return "preliminary" if self.item.is_preliminary and self.to_order else ""

    @property
    def assumption(self) -> str:
        """How many of it go into ports whose form factor nobody states; a fiber, into transceivers of such ports."""
        count = _share(self.item.n_assumed, self.item.quantity)
        into = " and ".join(self.item.assumed) or "ports whose form factor is not known"
        if self.item.kind == FIBRE_KIND:
            return f"{count} end at transceivers of {into}: these decide the connector"
        return f"{count} go into {into}"

    @property
    def note(self) -> str:
        """What comes with something else, and what is not known about it, with the reason."""
        stated = []
        if self.item.included:
            stated.append(f"{format_count(self.item.included)} delivered with the {_host_of(self.item)}")
        if self.item.remark:
            stated.append(self.item.remark)
        if self.item.n_assumed_lengths:
            stated.append(f"assumed length: {_share(self.item.n_assumed_lengths, self.item.quantity)}")
        if self.item.n_assumed:
            stated.append(f"{ASSUMED_FORM}: {self.assumption}")
        if self.item.gap and self.to_order:
            stated.append(self.item.gap)
        if self.item.length_gap and self.to_order:
            stated.append(self.item.length_gap)
        if self.is_unpriced:
            stated.append(NO_PRICE)
        return "; ".join(stated)

    COLUMNS: ClassVar[Columns] = (
        Column("line", "Line", "number", right=True),
        Column("status", "Status", tip="A preliminary line is not for purchase: its note says what is open."),
        Column("kind", "Kind", lambda line: KINDS[line.item.kind]),
        Column("part_number", "Part number", "item.part_number"),
        Column("description", "Description", "item.description"),
        Column("model", "Model", "item.model"),
        Column("vendor", "Vendor", "item.vendor"),
        Column("length_m", "Stock length", "item.length_m", "{:g}".format, unit="m", right=True),
        Column(
            "order_m",
            "Order length",
            "item.order_m",
            "{:g}".format,
            unit="m",
            right=True,
            tip="The stock length; where none is known, the longest needed, rounded up.",
        ),
        Column("needed_m", "Longest needed", "item.needed_m", "{:g}".format, unit="m", right=True),
        Column(
            "total_m",
            "Total needed",
            "item.total_m",
            "{:,.1f}".format,
            unit="m",
            right=True,
            tip="The lengths of all its links together.",
        ),
        Column("networks", "Networks", "item.networks", ", ".join),
        Column("quantity", "Quantity", "item.quantity", right=True, tip="How many the design has."),
        Column("at_switches", "At switches", "item.at_switches", right=True),
        Column("at_servers", "At servers", "item.at_servers", right=True),
        Column("included", "Included", "item.included", right=True, tip="Delivered with something else on the bill."),
        Column("spares", "Spares", right=True),
        Column("to_order", "To order", right=True),
        Column("unit_price", "Unit price", lambda line: line.price and line.price.amount, "{:,.2f}".format, right=True),
        Column("currency", "Currency", lambda line: line.price.currency if line.price else ""),
        Column(
            "discount",
            "Discount",
            lambda line: line.price and line.price.discount,
            percent,
            sheet="discount (share)",
            right=True,
        ),
        Column("line_price", "Line price", text="{:,.2f}".format, right=True),
        Column("discount_class", "Discount class", lambda line: line.price.discount_class if line.price else ""),
        Column("price_date", "Price date", lambda line: line.price.date if line.price else ""),
        Column("price_source", "Price list", lambda line: line.price.source if line.price else ""),
        Column("power_typical_w", "Typical power of one", "item.power_typical_w", "{:,g}".format, unit="W", right=True),
        Column("power_max_w", "Maximum power of one", "item.power_max_w", "{:,g}".format, unit="W", right=True),
        Column("note", "Note"),
    )


def without_price(note: str) -> str:
    """The note of a line on a bill without any price, which says so once."""
    return "; ".join(part for part in note.split("; ") if part != NO_PRICE)


def _share(count: int, total: int) -> str:
    return "all" if count == total else f"{format_count(count)} of {format_count(total)}"


def _host_of(item: Item) -> str:
    inside = "nodes that they are in" if item.description == INSIDE["node"] else "racks that they are in"
    return {RACK: "systems that fill them", INSIDE_RACK: inside}.get(item.kind, "servers")


@dataclass(frozen=True, slots=True)
class Priced:
    """Lines with what they cost together, by which prices."""

    lines: tuple[BillLine, ...]
    power: Power
    price_list: str = ""
    """The name of the price list, "" without one; of several, all names."""
    price_dates: tuple[str, str] = ("", "")
    """The oldest and newest date of its prices that are used."""
    unused_prices: tuple[str, ...] = ()
    """Parts of the price list that no line has, as the list calls them."""

    @property
    def totals(self) -> tuple[tuple[str, Decimal], ...]:
        """What the lines with a price cost together, by currency: amounts of two currencies are never added."""
        priced = ((line.price, line.line_price) for line in self.lines)
        return sums((price.currency, amount) for price, amount in priced if price is not None and amount is not None)

    @property
    def totals_by_kind(self) -> tuple[tuple[str, tuple[tuple[str, Decimal], ...], int], ...]:
        """Of each kind what its lines with a price cost together, by currency, and how many have no price."""
        found = []
        for kind in KINDS:
            lines = [line for line in self.lines if line.item.kind == kind and line.to_order]
            priced = [(line.price.currency, line.line_price) for line in lines if line.price is not None]
            if lines:
                amounts = sums((currency, amount) for currency, amount in priced if amount is not None)
                found.append((kind, amounts, len(lines) - len(priced)))
        return tuple(found)

    @property
    def unpriced(self) -> tuple[BillLine, ...]:
        """Lines that are to be ordered and have no price."""
        return tuple(line for line in self.lines if line.is_unpriced)

    @property
    def unnumbered(self) -> tuple[BillLine, ...]:
        """Lines that are to be ordered and have no part number."""
        return tuple(line for line in self.lines if line.item.gap and line.to_order)

    @property
    def assumed(self) -> tuple[BillLine, ...]:
        """Lines that are to be ordered, and fit only if an assumption holds."""
        return tuple(line for line in self.lines if line.item.n_assumed and line.to_order)

    @property
    def spares_text(self) -> str:
        """ "27 pieces on 1 line"; "none" where no line has any."""
        spares = [line.spares for line in self.lines if line.spares]
        return f"{format_counted(sum(spares), 'piece')} on {format_counted(len(spares), 'line')}" if spares else "none"

    @property
    def price_dates_text(self) -> str:
        """ "prices of 2026-01-31 to 2026-11-01"; "" where no price of the list is used."""
        oldest, newest = self.price_dates
        if not oldest:
            return ""
        return f"prices of {oldest}" + (f" to {newest}" if newest != oldest else "")

    @property
    def price_list_text(self) -> str:
        """ "prices.csv, prices of 2026-01-31, 2 prices not used: SN5600, MMA4Z00-NS400"; "" without a list."""
        unused = self.unused_prices
        more = f" and {format_count(len(unused) - NAMED)} more" if len(unused) > NAMED else ""
        not_used = f"{format_counted(len(unused), 'price')} not used: {', '.join(unused[:NAMED])}{more}"
        return ", ".join(filter(None, (self.price_list, self.price_dates_text, not_used if unused else "")))

    @property
    def cost_text(self) -> str:
        """ "1,234.00 USD without 3 lines whose price is unknown"; what is not known is never a zero."""
        if not self.lines:
            return "nothing to order"
        missing = len(self.unpriced)
        if not self.totals:
            return f"not known: {f'no price in {self.price_list}' if self.price_list else 'no price list'}"
        known = amounts_text(self.totals)
        return f"{known} without {format_counted(missing, 'line')} whose price is unknown" if missing else known


def priced(items: Iterable[Item], power: Power, prices: PriceList = NO_PRICES, policy: SparesPolicy = ()) -> Priced:
    """The items as numbered lines with their spares and prices."""
    used: dict[str, Price] = {}
    lines = []
    for number, item in enumerate(items, start=1):
        listed = prices.of(item)
        if listed is not None:
            used.update([listed])
        price = listed[1] if listed is not None else own_price(item)
        # What is not selected may turn out to be a cable, or a fiber and two transceivers.
        spares = 0 if item.gap == NOT_SELECTED else spares_of(policy, item.kind, item.quantity)
        lines.append(BillLine(number, item, spares, price))
    dates = sorted(price.date for price in used.values())
    span = (dates[0], dates[-1]) if dates else ("", "")
    unused = tuple(price.part or name for name, price in prices.prices.items() if name not in used)
    drawn = replace(power, n_transceivers=sum(one.item.quantity for one in lines if one.item.kind == TRANSCEIVER))
    return Priced(tuple(lines), drawn, prices.name, span, unused)
