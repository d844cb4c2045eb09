"""What diagrams are drawn with, as a person sets it."""

from dataclasses import dataclass
from typing import Any

from designer.analysis.matrix_axes import AS_IN_DESIGN, AXES, ORDERS
from designer.exchange.options import ExportOptions
from designer.exchange.paper_options import margin_setting, orientation_setting, paper_setting
from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range
from designer.model.colour_keys import DEVICE_KEYS, LINK_KEYS, LINK_LINES
from designer.model.networks import NETWORKS, TITLES
from designer.simulation import catalogue

DEFAULT_WIDTH_PX = 2400
OWN_SIZE = "own"
AS_SAVED = "saved"
USUAL = "usual"
SCREEN, FULL = "screen", "full"
AXIS_WORDS = (Word(USUAL, "As suits the design"), *(Word(kind.name, kind.title) for kind in AXES))
LOOK, HEAT = "Look", "Heat"
"""Sections of forms."""


def fail_setting() -> Any:
    """What is marked as failed."""
    return setting(
        (),
        title="Failed",
        section=LOOK,
        help="Devices, or links on a port, to mark as failed; the traffic of the heat avoids them.",
        kind=kinds.NAMES,
        metavar="NAME[:PORT],...",
        empty="none",
    )


def heat_setting() -> Any:
    """The traffic whose heat is drawn."""
    return setting(
        "",
        title="Traffic",
        section=HEAT,
        help="Color the links by the load of this traffic.",
        kind=kinds.TEXT,
        choices=catalogue.COLLECTIVES,
        metavar="COLLECTIVE[:ALGORITHM]|TRAFFIC",
        empty="none",
    )


def size_setting() -> Any:
    """The size of that traffic."""
    return setting(2**30, title="Size", noun="the size", help="Size of that traffic.", kind=kinds.SIZE, section=HEAT)


def routing_setting() -> Any:
    """Its routing."""
    return setting(
        "spray",
        title="Routing",
        section=HEAT,
        help="Routing of that traffic: {names}.",
        kind=kinds.NAME,
        choices=catalogue.ROUTINGS,
        metavar="POLICY",
    )


def tables_setting() -> Any:
    """The tables that this routing may go by."""
    return setting(
        "",
        title="Forwarding tables",
        section=HEAT,
        help="The dump of OpenSM that routing tables goes by: opensm-lfts.dump.",
        kind=kinds.FILE,
        empty="none",
    )


@dataclass(frozen=True, slots=True)
class DiagramOptions(ExportOptions):
    """Colors, networks, and what lies over the picture."""

    view: str = setting(
        "canvas",
        title="View",
        help="What to draw; heat, networks and failures show on canvas and matrix, jobs on the canvas alone.",
        kind=kinds.CHOICE,
        choices=(
            Word("canvas", "Canvas"),
            Word("floor", "Floor plan"),
            Word("elevation", "Rack elevation"),
            Word("matrix", "Matrix"),
        ),
    )
    side: str = setting(
        "front",
        title="Side",
        help="From where an elevation shows the racks.",
        kind=kinds.CHOICE,
        choices=(Word("front", "Front"), Word("rear", "Rear")),
    )
    racks: tuple[str, ...] = setting(
        (),
        title="Racks",
        noun="rack",
        help="Names of the racks to draw, with what stands in them.",
        kind=kinds.NAMES,
        metavar="RACK,...",
        empty="all",
    )
    only: tuple[str, ...] = setting(
        (),
        title="Only",
        noun="name",
        help="Names of the devices, racks and groups to draw on the canvas, with the links between them.",
        kind=kinds.NAMES,
        metavar="NAME,...",
        empty="whole design",
    )
    networks: tuple[str, ...] = setting(
        (),
        title="Networks",
        noun="network",
        help="Networks to draw: {names}.",
        kind=kinds.NAMES,
        choices=tuple(Word(name, TITLES[name]) for name in NETWORKS),
        metavar="NETWORK,...",
        empty="all",
    )
    boxes: str = setting(
        "saved",
        title="Collapsed",
        help="Which groups, racks and roles the canvas shows as one box each, with bundled links.",
        kind=kinds.CHOICE,
        choices=(Word("saved", "As in the design"), Word("all", "All"), Word("none", "None")),
    )
    bookmark: str = setting(
        "",
        title="Bookmark",
        noun="the bookmark",
        help="Name of a bookmark of the design: its view, networks, colors, and what is collapsed; all of it is drawn.",
        kind=kinds.TEXT,
        metavar="NAME",
        empty="none",
    )
    rows: str = setting(
        USUAL,
        title="Rows",
        help="Rows of a matrix.",
        kind=kinds.CHOICE,
        choices=AXIS_WORDS,
    )
    columns: str = setting(
        USUAL,
        title="Columns",
        help="Columns of a matrix.",
        kind=kinds.CHOICE,
        choices=AXIS_WORDS,
    )
    order: str = setting(
        AS_IN_DESIGN,
        title="Order",
        help="In which order rows and columns of a matrix stand.",
        kind=kinds.CHOICE,
        choices=tuple(Word(name, title) for name, title in ORDERS),
    )
    theme: str = setting(
        "light",
        title="Theme",
        section=LOOK,
        help="Colors of the picture.",
        kind=kinds.CHOICE,
        choices=(Word("light", "Light"), Word("dark", "Dark")),
    )
    color_devices_by: str = setting(
        AS_SAVED,
        title="Color devices by",
        section=LOOK,
        help="What the colors of devices tell: {names}.",
        kind=kinds.CHOICE,
        choices=(Word(AS_SAVED, "As in the design"), *DEVICE_KEYS),
        metavar="KEY",
    )
    color_links_by: str = setting(
        AS_SAVED,
        title="Color links by",
        section=LOOK,
        help="What the colors of links tell where no heat does: {names}.",
        kind=kinds.CHOICE,
        choices=(Word(AS_SAVED, "As in the design"), *LINK_KEYS),
        metavar="KEY",
    )
    link_lines: str = setting(
        AS_SAVED,
        title="Lines of links",
        section=LOOK,
        help="How links run: {names}.",
        kind=kinds.CHOICE,
        choices=(Word(AS_SAVED, "As in the design"), *LINK_LINES),
        metavar="LINES",
    )
    detail: str = setting(
        SCREEN,
        title="Detail",
        section=LOOK,
        help="What the canvas shows: what can be read at the size of the picture, or every name and label, to zoom in.",
        kind=kinds.CHOICE,
        choices=(Word(SCREEN, "As on a screen"), Word(FULL, "Every name and label")),
    )
    labels: bool = setting(
        True,
        title="Labels",
        section=LOOK,
        help="Names of devices, racks and groups, and labels of links.",
        kind=kinds.FLAG,
    )
    heading: bool = setting(
        True,
        title="Heading",
        section=LOOK,
        help="The design's name over the canvas, with its last revision and date, unless a title block says them.",
        kind=kinds.FLAG,
    )
    legend: bool = setting(
        True,
        title="Legend",
        section=LOOK,
        help="What the colors of heat, jobs and classes mean, where there are any.",
        kind=kinds.FLAG,
    )
    annotations: bool = setting(
        True,
        title="Annotations",
        section=LOOK,
        help="Texts, notes, zones, images and comments.",
        kind=kinds.FLAG,
    )
    faceplates: bool = setting(
        False,
        title="Faceplates",
        section=LOOK,
        help="Fronts of switches: their cages, and which ports are used, free and reserved.",
        kind=kinds.FLAG,
    )
    jobs: bool = setting(
        False, title="Jobs", section=LOOK, help="Color the servers by the design's jobs.", kind=kinds.FLAG
    )
    findings: bool = setting(
        False, title="Findings", section=LOOK, help="Badges on what has errors or warnings.", kind=kinds.FLAG
    )
    fail: tuple[str, ...] = fail_setting()
    paths: tuple[str, ...] = setting(
        (),
        title="Paths",
        noun="end",
        section=LOOK,
        help="Two devices, GPUs (NAME:gpu3) or ports (NAME:PORT): the paths between them are lit, all else is dimmed.",
        kind=kinds.NAMES,
        metavar="FROM,TO",
        empty="none",
    )
    paths_of: str = setting(
        "",
        title="Traffic of the paths",
        noun="the traffic of the paths",
        section=LOOK,
        help="Traffic whose paths are lit.",
        kind=kinds.TEXT,
        metavar="COLLECTIVE[:ALGORITHM]|TRAFFIC",
        empty="that of the heat, else one flow for each GPU",
    )
    heat: str = heat_setting()
    size: float = size_setting()
    routing: str = routing_setting()
    tables: str = tables_setting()


@dataclass(frozen=True, slots=True)
class PngOptions(DiagramOptions):
    """Those of a picture of pixels."""

    width: int | None = setting(
        None,
        title="Width",
        help="Width of the picture in pixels.",
        kind=kinds.COUNT,
        within=Range(64, 16_384),
        unit="px",
        metavar="PIXELS",
        empty=f"{DEFAULT_WIDTH_PX:,}, or as wide as names need with every detail",
    )
    dpi: int = setting(
        96,
        title="Resolution",
        noun="the resolution",
        help="Dots per inch that the picture says it has, from which programs take its size on paper.",
        kind=kinds.COUNT,
        within=Range(36, 2400),
        unit="dpi",
        metavar="DPI",
    )


@dataclass(frozen=True, slots=True)
class PdfOptions(DiagramOptions):
    """Those of a page: as large as the picture, or a usual paper that the picture is fitted to."""

    paper: str = paper_setting(
        "Size of the page: as large as the picture, or a paper that it is fitted to.",
        Word(OWN_SIZE, "As large as the picture"),
    )
    orientation: str = orientation_setting("How that paper lies.")
    margin: float = margin_setting("What is left free at the edges of that paper.")
