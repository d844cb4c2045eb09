"""The price of one piece."""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one piece before discount. `discount` is a share, 0.15 of 15 %; None where the list states none."""

    amount: Decimal
    currency: str
    date: str = ""
    """As 2026-11-22; "" where it is the catalog's own."""
    discount: Decimal | None = None
    discount_class: str = ""
    """What the list sorts it under, where discounts are agreed for classes of parts."""
    source: str = ""
    """The name of the list that says so, where there are several."""
    part: str = field(default="", compare=False)
    """What the list calls the part, as it is written there."""

    def of(self, count: int) -> Decimal:
        """What so many cost after discount, in whole cents."""
        return (self.amount * count * (1 - (self.discount or 0))).quantize(CENT, ROUND_HALF_UP)
