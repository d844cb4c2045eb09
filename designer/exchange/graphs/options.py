"""What drawings and graphs for other programs are written with, as a person sets it."""

from dataclasses import dataclass
from typing import Any

from designer.exchange.diagram_options import (
    fail_setting,
    heat_setting,
    routing_setting,
    size_setting,
    tables_setting,
)
from designer.exchange.options import ExportOptions
from designer.exchange.plan_options import NetworkOptions
from designer.fields import kinds
from designer.fields.field import Word, setting

BUNDLES, ALL = "bundles", "all"
AT_FIT, NONE = "fit", "none"
SHOWN, HIDDEN, LEFT_OUT = "shown", "hidden", "none"
METRES, MILLIMETRES = "m", "mm"


def _theme() -> Any:
    return setting(
        "light",
        title="Theme",
        help="Colors of boxes and links, those of the canvas.",
        kind=kinds.CHOICE,
        choices=(Word("light", "Light"), Word("dark", "Dark")),
    )


def _links(default: str) -> Any:
    return setting(
        default,
        title="Links",
        noun="links",
        help="What is an edge: every link, or the links of one network between two devices together, with a count.",
        kind=kinds.CHOICE,
        choices=(Word(BUNDLES, "Bundles with a count"), Word(ALL, "All links")),
    )


def _port_labels(help: str, *others: Word, default: str = SHOWN) -> Any:
    return setting(
        default,
        title="Port labels",
        noun="the port labels",
        help=help,
        kind=kinds.CHOICE,
        choices=(Word(SHOWN, "Shown"), *others, Word(LEFT_OUT, "Left out")),
    )


@dataclass(frozen=True, slots=True)
class DrawioOptions(NetworkOptions):
    """Those of a draw.io page."""

    links: str = _links(BUNDLES)
    boxes: str = setting(
        AT_FIT,
        title="Collapsed",
        noun="the boxes",
        help="Which groups, racks and roles are one box each, with their devices in it and one line for all links to "
        "another box; none with all links.",
        kind=kinds.CHOICE,
        choices=(Word(AT_FIT, "As the canvas where all of it is seen"), Word(NONE, "None")),
    )
    port_labels: str = _port_labels(
        "Names of ports at the ends of links, in a layer of their own.", Word(HIDDEN, "In a hidden layer")
    )
    theme: str = _theme()
    fail: tuple[str, ...] = fail_setting()
    heat: str = heat_setting()
    size: float = size_setting()
    routing: str = routing_setting()
    tables: str = tables_setting()


@dataclass(frozen=True, slots=True)
class PictureOptions(NetworkOptions):
    """Those of graphs with a picture."""

    links: str = _links(ALL)
    port_labels: str = _port_labels("Names of ports at the ends of links.")
    theme: str = _theme()


@dataclass(frozen=True, slots=True)
class CvtDotOptions(NetworkOptions):
    """Those of the Cable Validation Tool's graph."""

    os: str = setting(
        "",
        title="Operating system",
        noun="the operating system",
        help="What the tool reads as the operating system of every switch, such as cumulus.",
        kind=kinds.TEXT,
        empty="not written",
    )


@dataclass(frozen=True, slots=True)
class DxfOptions(ExportOptions):
    """Those of the floor plan for CAD."""

    units: str = setting(
        MILLIMETRES,
        title="Unit",
        noun="the unit",
        help="What one unit of the drawing is.",
        kind=kinds.CHOICE,
        choices=(Word(MILLIMETRES, "Millimeter"), Word(METRES, "Meter")),
    )
