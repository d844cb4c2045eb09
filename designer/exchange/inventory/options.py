"""What files for an inventory are written with, as a person sets it."""

from dataclasses import dataclass

from designer.exchange.plan_options import NetworkOptions
from designer.fields import kinds
from designer.fields.field import Word, setting

ONE_A_SIDE, SEVERAL_A_SIDE = "4.6", "4.7"


@dataclass(frozen=True, slots=True)
class NetboxOptions(NetworkOptions):
    """Those of the files for NetBox."""

    version: str = setting(
        SEVERAL_A_SIDE,
        title="NetBox version",
        noun="version",
        help="4.6 imports a cable with one port at each side, so that every link is a cable of its own; from 4.7 the "
        "2 or 4 links of a cable are one, with its profile.",
        kind=kinds.CHOICE,
        choices=(Word(SEVERAL_A_SIDE, "4.7 and later"), Word(ONE_A_SIDE, "4.6 and earlier")),
    )
    site: str = setting(
        "",
        title="Site",
        help="Name of the site that all racks and devices are in, where it is not that of the design.",
        kind=kinds.TEXT,
        empty="that of the design, or its name",
    )
