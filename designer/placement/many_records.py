"""What can be set of many things at once: a record of fields for each kind of thing."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.fields import kinds
from designer.fields.field import setting
from designer.fields.ranges import Range
from designer.model.annotation import LINE_WIDTH_HELP, line_colour, line_style, line_width
from designer.model.entities import Device, Link, Module, Rack
from designer.model.settings import CABLE_LONGEST_M

NUMBER_MOST = Range(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class DeviceFields:
    """What can be set of many devices."""

    type: str = setting("", title="Type", help="The hardware type of each.", kind=kinds.CHOICE)
    role: str = setting("", title="Role", help="The role of each.", kind=kinds.CHOICE)
    network: str = setting("", title="Network", help="The network of each switch.", kind=kinds.CHOICE)
    carries: str = setting(
        "", title="Also carries", help="The networks that share each switch with its own.", kind=kinds.CHOICE
    )
    port_mode: str = setting("", title="Port mode", help="How the ports of each are split.", kind=kinds.CHOICE)
    rack: str = setting("", title="Rack", help="The rack that each stands in.", kind=kinds.CHOICE)
    unit: int | None = setting(
        None,
        title="Scalable unit",
        help="The scalable unit or pod.",
        kind=kinds.COUNT,
        within=NUMBER_MOST,
        empty="none",
    )
    rail: int | None = setting(None, title="Rail", help="The rail.", kind=kinds.COUNT, within=NUMBER_MOST, empty="none")
    plane: int | None = setting(
        None, title="Plane", help="The plane.", kind=kinds.COUNT, within=NUMBER_MOST, empty="none"
    )


@dataclass(frozen=True, slots=True)
class LinkFields:
    """What can be set of many links."""

    medium: str = setting("", title="Cable", help="The cable or optic of each.", kind=kinds.CHOICE)
    length_m: float | None = setting(
        None,
        title="Length, m",
        noun="the length",
        help="The length of each cable.",
        kind=kinds.LENGTH,
        within=Range(0, CABLE_LONGEST_M),
        empty="not set",
    )
    label: str = setting(
        "",
        title="Label",
        help="What is printed on the cable; labels of several links are counted on.",
        kind=kinds.TEXT,
        empty="none",
    )
    colour: str = setting("", title="Cable color", help="The color of each cable.", kind=kinds.TEXT, empty="none")
    notes: str = setting("", title="Notes", help="Notes for the cable plan.", kind=kinds.TEXT, empty="none")
    style: str = setting("", title="Style", help="Links and annotations with it look alike.", kind=kinds.CHOICE)
    line_colour: str = line_colour()
    line_width: float = line_width(LINE_WIDTH_HELP)
    line_style: str = line_style()


@dataclass(frozen=True, slots=True)
class RackFields:
    """What can be set of many racks."""

    power_kw: float | None = setting(
        None,
        title="Power budget, kW",
        noun="the power budget",
        help="What may be drawn in each rack.",
        kind=kinds.AMOUNT,
        within=Range(0, 1e6, is_above=True),
        empty="not set",
    )
    feeds_kw: tuple[float, ...] = setting(
        (),
        title="Power feeds, kW",
        noun="a power feed",
        help="What each power feed of the rack supplies, as 17.3, 17.3.",
        kind=kinds.AMOUNTS,
        within=Range(0, 1e6, is_above=True),
        empty="not set",
    )
    max_weight_kg: float | None = setting(
        None,
        title="Weight limit, kg",
        noun="what the rack carries",
        help="What the devices in each rack may weigh together.",
        kind=kinds.AMOUNT,
        within=Range(0, 1e6, is_above=True),
        empty="not set",
    )


@dataclass(frozen=True, slots=True)
class ModuleFields:
    """What can be set of many NICs and line cards."""

    port_mode: str = setting("", title="Port mode", help="The mode of each.", kind=kinds.CHOICE)


RECORDS: Mapping[type, type] = {Device: DeviceFields, Link: LinkFields, Rack: RackFields, Module: ModuleFields}
"""The fields of each kind of thing."""
