"""The record of a policy: the limits a design is checked against, and rules of another severity or switched off."""

from dataclasses import dataclass
from typing import Any

from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range

RATIO_MOST = 1e6
OVERSUBSCRIPTION = "Oversubscription"
FABRIC = "Fabric"
CABLES = "Cables"
ROOM = "Room"
NAMES = "Names"
"""Sections of a policy, as forms show them."""

WITHIN_RACK, WITHIN_ROW = "rack", "row"
MOULDED_WITHIN = (
    Word("", "Anywhere"),
    Word(WITHIN_RACK, "Within a rack", "Links from rack to rack take transceivers and fiber."),
    Word(WITHIN_ROW, "Within a row", "Links from row to row take transceivers and fiber."),
)
"""Where cables with fixed ends may lead."""

SECOND_PATH = (
    Word("compute", "Compute"),
    Word("storage", "Storage"),
    Word("in-band", "In-band management"),
    Word("north-south", "North-south"),
    Word("oob", "Out-of-band management"),
)
"""The networks that may be asked for a second path: those of model.networks, which knows designs and their policies."""

_RATIO = Range(0, RATIO_MOST, is_above=True)


def _ratio(default: float | None, title: str, help: str) -> Any:
    """A largest ratio of capacity down to capacity up; without a default nothing is checked, and the text says so."""
    return setting(
        default,
        title=title,
        noun=f"{title[:1].lower()}{title[1:]} oversubscription",
        help=help if default is not None else f"{help} Without a limit, it is not checked.",
        section=OVERSUBSCRIPTION,
        kind=kinds.RATIO,
        within=_RATIO,
        empty="no limit" if default is None else "",
    )


@dataclass(frozen=True, slots=True)
class Policy:
    """What a design is checked against. None stands for no limit.

    Rules are named by their codes, as RACK-004; those of plug-ins and of later versions may be among them.
    """

    name: str = ""
    """What the company calls it; "" for the one the program comes with."""
    leaf_oversubscription: float = _ratio(
        1.0, "Leaf", "Largest ratio of capacity down to capacity up that a leaf of the compute network may have."
    )
    spine_oversubscription: float = _ratio(
        1.0, "Spine", "Largest ratio of capacity down to capacity up that a spine of the compute network may have."
    )
    storage_oversubscription: float | None = _ratio(
        None, "Storage", "Largest ratio of capacity down to capacity up that a leaf of the storage network may have."
    )
    in_band_oversubscription: float | None = _ratio(
        None, "In-band", "Largest ratio of capacity down to capacity up that a leaf of the in-band network may have."
    )
    north_south_oversubscription: float | None = _ratio(
        None,
        "North-south",
        "Largest ratio of capacity down to capacity up that a leaf of the north-south network may have.",
    )
    oob_oversubscription: float | None = _ratio(
        None,
        "Out-of-band",
        "Largest ratio of capacity down to capacity up that a leaf of the out-of-band network may have.",
    )
    spare_ports: int = setting(
        0,
        title="Spare ports",
        help="Ports, reserved ones included, that each switch with links keeps free.",
        section=FABRIC,
        kind=kinds.COUNT,
        within=Range(0, 100_000),
    )
    diameter_hops: int | None = setting(
        None,
        title="Diameter, hops",
        noun="diameter",
        help="Largest number of links between switches on the shortest path between two servers.",
        section=FABRIC,
        kind=kinds.COUNT,
        within=Range(1, 1000),
        empty="no limit",
    )
    second_path: tuple[str, ...] = setting(
        (),
        title="Second path in",
        noun="networks with a second path",
        help="Networks in which each server is linked to two switches, so that one may fail: {names}.",
        section=FABRIC,
        kind=kinds.NAMES,
        choices=SECOND_PATH,
        empty="no network",
        is_none_empty=True,
    )
    survives_rack: bool = setting(
        False,
        title="Survive the loss of a rack",
        noun="the loss of a rack",
        help="Servers stay connected to each other when any one other rack loses its power.",
        section=FABRIC,
        kind=kinds.FLAG,
    )
    bisection_share: float | None = setting(
        None,
        title="Bisection",
        noun="bisection",
        help="Least share of full bisection bandwidth: capacity between two halves of the servers to that of one half.",
        section=FABRIC,
        kind=kinds.SHARE,
        within=Range(0, 1, is_above=True),
        empty="no limit",
    )
    length_surplus: float | None = setting(
        None,
        title="Cable surplus",
        noun="cable surplus",
        help="Share of its route by which an entered cable length may be longer.",
        section=CABLES,
        kind=kinds.SHARE,
        within=Range(0, 100),
        empty="no limit",
    )
    moulded_within: str = setting(
        "",
        title="Molded cables",
        help="How far DAC, ACC, LACC, AEC and AOC cables, whose ends are molded on, may lead.",
        section=CABLES,
        kind=kinds.CHOICE,
        choices=MOULDED_WITHIN,
    )
    tray_fill: float | None = setting(
        None,
        title="Tray fill",
        noun="tray fill",
        help="Largest share of the cross-section of a cable tray that cables fill, by their outer diameters.",
        section=CABLES,
        kind=kinds.SHARE,
        within=Range(0, 1, is_above=True),
        empty="no limit",
    )
    least_aisle_m: float | None = setting(
        None,
        title="Narrowest aisle, m",
        noun="narrowest aisle",
        help="Least distance between two rows of racks that face each other with fronts or backs.",
        section=ROOM,
        kind=kinds.LENGTH,
        within=Range(0, 1000, is_above=True),
        empty="no limit",
    )
    name_pattern: str = setting(
        "",
        title="Name pattern",
        help="Names of devices and racks as a pattern: * stands for any characters, ? for one, [0-9] for a digit.",
        section=NAMES,
        kind=kinds.TEXT,
        empty="any name",
    )
    severities: tuple[tuple[str, str], ...] = ()
    """Codes of rules, and the severity their findings have instead: error, warning or info."""
    off: tuple[tuple[str, str], ...] = ()
    """Codes of rules that are switched off, and why."""


DEFAULT = Policy()
"""The policy of designs that name none."""


def policy_name(policy: Policy) -> str:
    """What people call the policy: its name, "default", or "of this design" for one without a name."""
    return policy.name or ("default" if policy == DEFAULT else "of this design")
