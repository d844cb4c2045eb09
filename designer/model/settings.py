"""The settings of a design as a whole: its name, room, title block, looks and policy."""

from dataclasses import dataclass
from typing import Any

from designer.fields import kinds
from designer.fields.field import setting
from designer.fields.ranges import Range
from designer.model.colour_keys import (
    AUTOMATIC,
    COUNT,
    DEVICE_KEYS,
    DEVICE_LABELS,
    KIND,
    LINK_KEYS,
    LINK_LABELS,
    LINK_LINES,
    NETWORK,
    OWN_LABEL,
    PORT_NUMBERS,
)
from designer.model.fixture import FLOOR_FARTHEST_M
from designer.model.policy import Policy

SETTINGS_ID = "settings"

UNTITLED = "Untitled"
"""The name of a design that was given none."""

CABLE_LONGEST_M = 1e6
RACK_SIDE_M = Range(0, 100, is_above=True)
ROOM = "Room"
TITLE_BLOCK = "Title block"
LOOK = "Look"
"""Sections of the settings, as forms show them."""


def _measure(title: str, default: float, within: Range, help: str) -> Any:
    """A measure of the room, the designer's to say."""
    noun = title.removesuffix(", m").lower()
    return setting(default, title=title, noun=noun, help=help, section=ROOM, kind=kinds.LENGTH, within=within)


def _title_block(title: str, help: str) -> Any:
    """A text of the title block on drawings and lists."""
    return setting("", title=title, noun=title.lower(), help=help, section=TITLE_BLOCK, kind=kinds.TEXT)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the design as a whole. There is exactly one, with id "settings"."""

    id: str = SETTINGS_ID
    name: str = UNTITLED
    default_cable_length_m: float | None = setting(
        None,
        title="Cable length, m",
        noun="the cable length",
        help="Length of a cable that has none of its own.",
        kind=kinds.LENGTH,
        within=Range(0, CABLE_LONGEST_M),
        empty="not set",
    )
    notes: str = ""
    tray_height_m: float = _measure("Tray height, m", 2.7, Range(0, 100), "Height of the cable trays over the floor.")
    cable_slack_m: float = _measure(
        "Cable slack, m",
        1.0,
        Range(0, 1000),
        "What a cable is longer than its route: bends and loops at both ends together.",
    )
    cross_trays_m: tuple[float, ...] = setting(
        (),
        title="Cross trays at, m",
        noun="cross trays",
        help="Where, along the rows, trays lead from row to row; none given stands for one over every rack.",
        section=ROOM,
        kind=kinds.PLACES,
        within=Range(-FLOOR_FARTHEST_M, FLOOR_FARTHEST_M),
        empty="over every rack",
    )
    aisle_m: float = _measure(
        "Aisle, m", 1.2, Range(0, 1000), "Least distance between two rows, front to front or back to back."
    )
    rack_width_m: float = _measure("Rack width, m", 0.6, RACK_SIDE_M, "Width of the racks on the floor.")
    rack_depth_m: float = _measure("Rack depth, m", 1.2, RACK_SIDE_M, "Depth of the racks on the floor.")
    project: str = _title_block("Project", "The project that the design belongs to.")
    customer: str = _title_block("Customer", "Who the design is made for.")
    site: str = _title_block("Site", "Where the racks stand: the site column of cable plans and labels.")
    author: str = _title_block("Author", "Who made the design.")
    drawing_number: str = _title_block("Drawing number", "The number of the drawings in your own register.")
    label_template: str = setting(
        "",
        title="Label template",
        help="What is printed on cable labels: tia-606-b, number-and-ends, devices, number, or text with fields such "
        "as {near.rack}, {far.port} and {cable}.",
        section=TITLE_BLOCK,
        kind=kinds.TEXT,
        empty="tia-606-b",
    )
    color_devices_by: str = setting(
        KIND,
        title="Color devices by",
        help="What the colors of devices tell on the canvas and in diagrams.",
        section=LOOK,
        kind=kinds.CHOICE,
        choices=DEVICE_KEYS,
    )
    color_links_by: str = setting(
        NETWORK,
        title="Color links by",
        help="What the colors of links tell on the canvas and in diagrams while no heat is shown.",
        section=LOOK,
        kind=kinds.CHOICE,
        choices=LINK_KEYS,
    )
    device_labels: tuple[str, ...] = setting(
        ("name", "type", "ports", PORT_NUMBERS),
        title="Labels of devices",
        help="What is written in the boxes of devices: {names}.",
        section=LOOK,
        kind=kinds.NAMES,
        choices=DEVICE_LABELS,
    )
    link_labels: tuple[str, ...] = setting(
        (COUNT, OWN_LABEL),
        title="Labels of links",
        help="What is written on the lines of links: {names}.",
        section=LOOK,
        kind=kinds.NAMES,
        choices=LINK_LABELS,
    )
    link_lines: str = setting(
        AUTOMATIC,
        title="Lines of links",
        help="How links run on the canvas and in diagrams.",
        section=LOOK,
        kind=kinds.CHOICE,
        choices=LINK_LINES,
    )
    last_cable: int = 0
    """The highest number that a cable was ever given: none is given twice, even after cables are removed."""
    collapsed_roles: tuple[str, ...] = ()
    """Roles whose devices outside all groups the drawing shows as one box each."""
    policy: Policy | None = None
    """What the design is checked against; None stands for the policy that the program comes with."""
