"""What bills of materials are written with, as a person sets it."""

from dataclasses import dataclass
from typing import Any

from designer.analysis.billing.spares import SPARES, SpareRule
from designer.exchange.options import ExportOptions, byte_order_mark_setting
from designer.fields import kinds
from designer.fields.field import setting


def prices_setting() -> Any:
    """The field of a price list."""
    return setting(
        "",
        title="Price list",
        help="CSV file with the columns part number, price, currency, date, and discount where there is one.",
        kind=kinds.FILE,
        empty="none",
    )


def spares_setting() -> Any:
    """The field of a spares policy."""
    return setting(
        (),
        title="Spares",
        help="Parts to order in addition, by kind: percent of each part, rounded up, and a minimum of each.",
        kind=SPARES,
        empty="none",
    )


@dataclass(frozen=True, slots=True)
class BillOptions(ExportOptions):
    """Those of every bill."""

    prices: str = prices_setting()
    spares: tuple[SpareRule, ...] = spares_setting()
    byte_order_mark: bool = byte_order_mark_setting()
