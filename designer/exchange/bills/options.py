"""What bills of materials are written with, as a person sets it."""

from dataclasses import dataclass
from typing import Any

from designer.analysis.billing.kinds import ORDERED
from designer.analysis.billing.spares import SPARES, SpareRule
from designer.analysis.billing.terms import CostTerms
from designer.exchange.options import ExportOptions, byte_order_mark_setting
from designer.fields import kinds
from designer.fields.field import setting


def prices_setting() -> Any:
    """The field of price lists."""
    return setting(
        "",
        title="Price lists",
        help="CSV files with the columns part number, price, currency, date, and discount or discount class where "
        "there is one; several with ; between: of each part the latest date counts.",
        kind=kinds.FILES,
        empty="none",
        first=True,
    )


def spares_setting() -> Any:
    """The field of a spares policy."""
    return setting(
        (),
        title="Spares",
        help="Parts to order in addition, by kind: percent of each part, rounded up, and a minimum of each, as "
        f"cable:5%:1,switch:0%:2. Kinds: {', '.join(ORDERED)} or all; cable is every kind of cable.",
        kind=SPARES,
        empty="none",
        example="cable:5%:1",
        first=True,
    )


@dataclass(frozen=True, slots=True)
class BillOptions(CostTerms, ExportOptions):
    """Those of every bill."""

    prices: str = prices_setting()
    spares: tuple[SpareRule, ...] = spares_setting()
    byte_order_mark: bool = byte_order_mark_setting()


NO_OPTIONS = BillOptions()
