"""What bills of materials are written with, as a person sets it."""

from dataclasses import dataclass

from designer.analysis.billing.spares import SPARES, SpareRule
from designer.exchange.options import ExportOptions
from designer.fields import kinds
from designer.fields.field import setting


@dataclass(frozen=True, slots=True)
class BillOptions(ExportOptions):
    """Those of every bill."""

    prices: str = setting(
        "",
        title="Price list",
        help="CSV file with the columns part number, price, currency, date, and discount where there is one.",
        kind=kinds.FILE,
        empty="none",
    )
    spares: tuple[SpareRule, ...] = setting(
        (),
        title="Spares",
        help="Parts to order in addition, by kind: percent of each part, rounded up, and a minimum of each.",
        kind=SPARES,
        empty="none",
    )
    byte_order_mark: bool = setting(
        False,
        title="Byte order mark",
        help="Start a CSV file with a byte order mark, which Excel needs to read letters beyond English.",
        kind=kinds.FLAG,
    )
