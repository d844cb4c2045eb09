"""What cable plans are written with, as a person sets it."""

from dataclasses import dataclass

from designer.exchange.options import ExportOptions
from designer.fields import kinds
from designer.fields.field import setting


@dataclass(frozen=True, slots=True)
class PlanOptions(ExportOptions):
    """Those of every cable plan."""

    both_ways: bool = setting(
        False, title="Both ways", help="List each link twice, once from each end.", kind=kinds.FLAG
    )


@dataclass(frozen=True, slots=True)
class CsvPlanOptions(PlanOptions):
    """Those of a cable plan as text."""

    byte_order_mark: bool = setting(
        False,
        title="Byte order mark",
        help="Start with a byte order mark, which Excel needs to read letters beyond English.",
        kind=kinds.FLAG,
    )
