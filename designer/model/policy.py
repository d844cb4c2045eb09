"""The record of a policy: the limits a design is checked against, and rules of another severity or switched off."""

from dataclasses import dataclass
from typing import Any

from designer.fields import kinds
from designer.fields.field import setting
from designer.fields.ranges import Range

RATIO_MOST = 1e6
OVERSUBSCRIPTION = "Oversubscription"
FABRIC = "Fabric"
CABLES = "Cables"
NAMES = "Names"
"""Sections of a policy, as forms show them."""

_RATIO = Range(0, RATIO_MOST, is_above=True)


def _ratio(default: float | None, title: str, help: str) -> Any:
    """A largest ratio of capacity down to capacity up."""
    return setting(
        default,
        title=title,
        noun=f"{title[:1].lower()}{title[1:]} oversubscription",
        help=help,
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
