"""What lists of a design are written with, as a person sets it."""

from dataclasses import dataclass

from designer.exchange.options import ExportOptions, byte_order_mark_setting
from designer.fields import kinds
from designer.fields.field import setting

DEVICES = "kind:switch,server"
"""What is listed where nothing else is selected."""


@dataclass(frozen=True, slots=True)
class ListOptions(ExportOptions):
    """Those of a list."""

    select: str = setting(
        "",
        title="Select",
        help="Expression for what to list, such as role:leaf su:2 or kind:rack.",
        kind=kinds.TEXT,
        metavar="EXPR",
        empty="all devices",
    )
    byte_order_mark: bool = byte_order_mark_setting()
