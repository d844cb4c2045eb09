"""A figure of two designs, what it changes by, and how that is said."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from designer.model.shown_text import visible_line
from designer.tables.columns import Column, Columns

LEAST_SHARE = 1e-6
"""Of a figure: less is how sums are rounded, and no change."""
NOT_KNOWN = "not known"
Text = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of both designs. None is what is not known; `note` says why, or what the figure is not."""

    name: str
    before: float | None
    after: float | None
    text: Text
    note: str = ""
    is_share: bool = False
    """Whether a change of it is said as a share alone."""

    @property
    def change(self) -> float | None:
        """How much more the second is; None where one of them is not known."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def share_text(self) -> str:
        """ "-3 %"; "" where there is no change, or none before."""
        change, before = self.change, self.before
        if not change or not before or abs(change) < LEAST_SHARE * before:
            return ""
        return f"{'+' if change > 0 else '-'}{100 * abs(change) / before:.3g} %"

    @property
    def brief_change(self) -> str:
        """ "+4", "-1.2 kW"; "" where both are the same or one is not known."""
        change, before = self.change, self.before
        if self.is_share or not change or before is None or abs(change) < LEAST_SHARE * before:
            return self.share_text
        return f"{'+' if change > 0 else '-'}{self.text(abs(change))}"

    @property
    def change_text(self) -> str:
        """ "+4", "-1.2 kW (-3 %)"; "" where both are the same or one is not known."""
        brief, share = self.brief_change, self.share_text
        return f"{brief} ({share})" if share and share != brief else brief

    COLUMNS: ClassVar[Columns] = (
        Column("name", "Figure"),
        Column("before", "Before", value=lambda row: _shown(row, row.before), right=True),
        Column("after", "After", value=lambda row: _shown(row, row.after), right=True),
        Column("change", "Change", value="change_text", right=True),
        Column("note", "Note", text=visible_line),
    )


def _numbers(row: FigureRow) -> dict[str, Any]:
    """The row with its figures as numbers."""
    return {"name": row.name, "before": row.before, "after": row.after, "change": row.change, "note": row.note}


def _shown(row: FigureRow, value: float | None) -> str:
    return NOT_KNOWN if value is None else row.text(value)


@dataclass(frozen=True, slots=True)
class PartRow:
    """A line of the bill of materials of both designs."""

    kind: str
    part: str
    before: int
    after: int

    @property
    def change(self) -> int:
        """How many more the second needs."""
        return self.after - self.before

    COLUMNS: ClassVar[Columns] = (
        Column("kind", "Kind"),
        Column("part", "Part", text=visible_line),
        Column("before", "Before", right=True),
        Column("after", "After", right=True),
        Column("change", "Change", text=lambda count: f"{count:+,}", right=True),
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """What both designs are in numbers, and the parts that they need different numbers of."""

    rows: tuple[FigureRow, ...]
    parts: tuple[PartRow, ...]

    COLUMNS: ClassVar[Columns] = (
        Column("rows", value=lambda figures: [_numbers(row) for row in figures.rows]),
        Column("parts"),
    )
