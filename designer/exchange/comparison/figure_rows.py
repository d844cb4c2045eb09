"""A figure of two designs, what it changes by, and how that is said."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, ClassVar

from designer.analysis.billing.price import Price
from designer.model.design import Design
from designer.model.shown_text import visible_line
from designer.tables.columns import Column, Columns, record
from designer.units import MINUS, format_signed

LEAST_SHARE = 1e-6
"""Of a figure: less is how sums are rounded, and no change."""
NOISE = 1e-3
"""The same of what a simulation says: its model is less exact than that."""
NO_CHANGE = "no change"
NOT_KNOWN = "not known"
Text = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Measure:
    """How figures of a kind are written: by `text` for people, in a unit and with so many places in spreadsheets."""

    text: Text
    unit: str = ""
    of_one: float = 1.0
    """What one of the unit is of the figures."""
    places: int = 2


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of both designs. None is what is not known; `note` says why, or what the figure is not."""

    name: str
    before: float | None
    after: float | None
    measure: Measure
    note: str = ""
    is_share: bool = False
    """Whether a change of it is said as a share alone."""
    is_simulated: bool = False
    """Whether it came out of a run, so that a change of less than NOISE says nothing."""

    @property
    def change(self) -> float | None:
        """How much more the second is; None where one of them is not known."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def share_text(self) -> str:
        """ "−3 %"; "" where there is no change, or none before."""
        change, before = self.change, self.before
        if not change or not before or self._is_slight:
            return ""
        return f"{'+' if change > 0 else MINUS}{100 * abs(change) / before:.3g} %"

    @property
    def is_same(self) -> bool:
        """Whether both designs have the same, as far as that can be said, or neither is known."""
        return self.before == self.after or self._is_slight

    @property
    def _is_slight(self) -> bool:
        """Whether the change is less than the figures are exact."""
        change, before = self.change, self.before
        return change is not None and before is not None and abs(change) < self._least * before

    @property
    def _least(self) -> float:
        return NOISE if self.is_simulated else LEAST_SHARE

    @property
    def brief_change(self) -> str:
        """ "+4", "−1.2 kW", "no change"; "" where one is not known, and of counts where both are the same."""
        change = self.change
        if change is not None and self.is_simulated and (not change or self._is_slight):
            return NO_CHANGE
        if self.is_share or not change or self._is_slight:
            return self.share_text
        return f"{'+' if change > 0 else MINUS}{self.measure.text(abs(change))}"

    @property
    def change_text(self) -> str:
        """ "+4", "−1.2 kW (−3 %)", "no change"; "" where one is not known, and of counts where both are the same."""
        brief, share = self.brief_change, self.share_text
        return f"{brief} ({share})" if share and share != brief else brief

    COLUMNS: ClassVar[Columns] = (
        Column("name", "Figure"),
        Column("before", "Before", value=lambda row: _shown(row, row.before), right=True),
        Column("after", "After", value=lambda row: _shown(row, row.after), right=True),
        Column("change", "Change", value="change_text", right=True),
        Column("note", "Note", text=visible_line),
    )
    IN_UNITS: ClassVar[Columns] = (
        COLUMNS[0],
        Column("before", "Before", value=lambda row: row.in_unit(row.before), empty=NOT_KNOWN),
        Column("after", "After", value=lambda row: row.in_unit(row.after), empty=NOT_KNOWN),
        Column("change", "Change", value=lambda row: row.in_unit(row.clear_change)),
        Column("unit", "Unit", "measure.unit"),
        Column("share", "Change (%)", "clear_share"),
        COLUMNS[-1],
    )
    """The same as numbers in a unit each, for spreadsheets."""

    @property
    def clear_change(self) -> float | None:
        """The change; none where it is less than the figures are exact."""
        return 0.0 if self._is_slight else self.change

    @property
    def clear_share(self) -> float | None:
        """The same as a share of the figure before; None where that is 0 or not known."""
        change = self.clear_change
        return change / self.before if change is not None and self.before else None

    def in_unit(self, value: float | None) -> float | None:
        """A figure in the unit that spreadsheets have it in."""
        return None if value is None else value / self.measure.of_one


def _numbers(row: FigureRow) -> dict[str, Any]:
    """The row with its figures as numbers."""
    return {"name": row.name, "before": row.before, "after": row.after, "change": row.change, "note": row.note}


def _plain(part: "PartRow") -> dict[str, Any]:
    """The row with its figures as numbers."""
    cells = record(part, PartRow.COLUMNS)
    return {
        key: float(value) if isinstance(value, Decimal) else None if value == "" else value
        for key, value in cells.items()
    }


def _shown(row: FigureRow, value: float | None) -> str:
    return NOT_KNOWN if value is None else row.measure.text(value)


@dataclass(frozen=True, slots=True)
class PartLines:
    """How many of a part a bill has, and what they cost; `cost` is None where a price is missing."""

    quantity: int
    unit_price: Decimal | None
    currency: str
    cost: Decimal | None

    def with_line(self, quantity: int, price: Price | None, cost: Decimal | None, *, needs_price: bool) -> "PartLines":
        """With one more line of the bill."""
        known = None if needs_price or self.cost is None else self.cost + (cost or 0)
        if price is None:
            return PartLines(self.quantity + quantity, self.unit_price, self.currency, known)
        return PartLines(self.quantity + quantity, price.amount, price.currency, known)


NO_LINES = PartLines(0, None, "", Decimal(0))


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of the bills of both designs: quantity, price and total."""

    kind: str
    part: str
    was: PartLines
    now: PartLines

    @property
    def before(self) -> int:
        """How many the first needs."""
        return self.was.quantity

    @property
    def after(self) -> int:
        """How many the second needs."""
        return self.now.quantity

    @property
    def change(self) -> int:
        """How many more the second needs."""
        return self.after - self.before

    @property
    def currency(self) -> str:
        """Of the price; of both where they are not the same."""
        return "/".join(dict.fromkeys(filter(None, (self.was.currency, self.now.currency))))

    @property
    def unit_price(self) -> Decimal | None:
        """What one costs, before discount; that of the second design first."""
        return self.was.unit_price if self.now.unit_price is None else self.now.unit_price

    @property
    def cost_before(self) -> Decimal | None:
        """What they cost in the first, after discount; None where no price is known."""
        return self.was.cost if self.currency else None

    @property
    def cost_after(self) -> Decimal | None:
        """What they cost in the second."""
        return self.now.cost if self.currency else None

    @property
    def cost_change(self) -> Decimal | None:
        """How much more they cost in the second; None where that is not known, or currencies differ."""
        if self.cost_before is None or self.cost_after is None or "/" in self.currency:
            return None
        return self.cost_after - self.cost_before

    COLUMNS: ClassVar[Columns] = (
        Column("kind", "Kind"),
        Column("part", "Part", text=visible_line),
        Column("before", "Before", right=True),
        Column("after", "After", right=True),
        Column("change", "Change", text=format_signed, right=True),
        Column("unit_price", "Unit price", text="{:,.2f}".format, right=True),
        Column("currency", "Currency"),
        Column("cost_before", "Cost before", text="{:,.2f}".format, right=True),
        Column("cost_after", "Cost after", text="{:,.2f}".format, right=True),
        Column("cost_change", "Cost change", text=lambda cost: format_signed(cost, 2), right=True),
    )


def part_columns(parts: Sequence[PartRow]) -> Columns:
    """The columns that say something of any of them: without a price, there are quantities alone."""
    return tuple(one for one in PartRow.COLUMNS if any(one.of(part) not in (None, "") for part in parts))


@dataclass(frozen=True, slots=True)
class RunOfDesign:
    """A run with the design that it is of."""

    result: Any
    """A simulation.result.Result, whose module the first window does without."""
    design: Design
    number: int = 0
    """That it was pinned under; 0 where it has none."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What both designs are in numbers, and the parts that they need different numbers of."""

    rows: tuple[FigureRow, ...]
    parts: tuple[PartRow, ...]
    runs: tuple[tuple[RunOfDesign, RunOfDesign], ...] = ()
    """Of each traffic that both designs can carry the runs that the times are of."""

    @property
    def differing_first(self) -> tuple[FigureRow, ...]:
        """The figures that differ, and then those that are the same."""
        return tuple(sorted(self.rows, key=lambda row: row.is_same))

    @property
    def swapped(self) -> "Figures":
        """The same with before and after the other way round."""
        rows = tuple(replace(one, before=one.after, after=one.before) for one in self.rows)
        parts = tuple(replace(one, was=one.now, now=one.was) for one in self.parts)
        return Figures(rows, parts, tuple((after, before) for before, after in self.runs))

    COLUMNS: ClassVar[Columns] = (
        Column("rows", value=lambda figures: [_numbers(row) for row in figures.rows]),
        Column("parts", value=lambda figures: [_plain(part) for part in figures.parts]),
    )
