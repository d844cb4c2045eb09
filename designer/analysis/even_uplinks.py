"""How many links per pair to connect switches upwards with, so that what goes up carries what is below."""

import itertools
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from designer.errors import DesignerError, ParameterError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.entities import Link, order_key
from designer.model.wiring import links_between

TOLERANCE = 1e-9
TIERS = ("", "leaf", "spine", "core")
"""Servers, and the roles of switches, from below."""
NO_ROLE = "none"


@dataclass(frozen=True, slots=True)
class EvenUplinks:
    """What the busiest of the lower switches has, and what links it would get."""

    down_gbps: float
    up_gbps: float
    """Of the links up that it has already."""
    rate_gbps: float
    """Of a link that is added."""
    uppers: int

    @property
    def links_per_pair(self) -> int:
        """The fewest at which no more comes from below than goes up; at least one."""
        missing = (self.down_gbps - self.up_gbps) / (self.rate_gbps * self.uppers)
        return max(1, math.ceil(missing - TOLERANCE))

    def ratio(self, links_per_pair: int) -> float:
        """Capacity from below over capacity up, with so many more links per pair."""
        return self.down_gbps / (self.up_gbps + links_per_pair * self.uppers * self.rate_gbps)


def even_uplinks(design: Design, lower_ids: Sequence[str], upper_ids: Sequence[str]) -> EvenUplinks | None:
    """What links from these switches up to those would have to carry; None where nothing is below or none fits.

    Below a switch are its servers, or else the switches it is linked to that are not among the upper ones.
    """
    if not lower_ids or not all(map(design.is_switch, (*lower_ids, *upper_ids))):
        return None
    try:
        edit = operations.connect_evenly(design, lower_ids[:1], upper_ids[:1], 1)
    except DesignerError:
        return None
    rate_gbps = next(_rate_gbps(design, change.after) for change in edit.changes if isinstance(change.after, Link))
    found = [_below_and_above(design, one, frozenset(upper_ids)) for one in lower_ids]
    down_gbps, up_gbps = max(found, key=lambda one: one[0] - one[1])
    if not down_gbps or not rate_gbps:
        return None
    return EvenUplinks(down_gbps, up_gbps, rate_gbps, len(upper_ids))


def tiers_of(design: Design, device_ids: Collection[str]) -> list[list[str]]:
    """The servers, leaf switches, spines and cores among the devices, from below; [] where others are among them."""
    tiers: dict[str, list[str]] = {role: [] for role in TIERS}
    for one in sorted(device_ids, key=order_key):
        role = "" if design.is_server(one) else design.device(one).role or NO_ROLE
        if role not in tiers:
            return []
        tiers[role].append(one)
    return [tier for tier in tiers.values() if tier]


def connect_tiers(design: Design, tiers: Sequence[Sequence[str]]) -> tuple[Edit, list[int]]:
    """Links from every tier to the next above, and how many per pair; the tiers stand from below.

    From servers as many as the free ports allow, from switches as many as carry what is below. A tier that has links
    from each device to each above it stays as it is. Raises ParameterError where all have.
    """
    after, edits, per_pair = design.snapshot(), list[Edit](), list[int]()
    for lower, upper in itertools.pairwise(tiers):
        between = links_between(after, [*lower, *upper])
        if all(frozenset((one, other)) in between for one in lower for other in upper):
            per_pair.append(0)
            continue
        uplinks = even_uplinks(after, lower, upper)
        edits.append(operations.connect_evenly(after, lower, upper, uplinks.links_per_pair if uplinks else None))
        per_pair.append(len(edits[-1].changes) // (len(lower) * len(upper)))
        after.apply(edits[-1])
    if not edits:
        raise ParameterError("all of these tiers are connected: select two of them to add links")
    return joined(f"Connect {len(tiers)} tiers evenly", edits), per_pair


def _below_and_above(design: Design, device_id: str, upper: Collection[str]) -> tuple[float, float]:
    servers = switches = above = 0.0
    for link in design.links_of(device_id):
        partner = link.b.device_id if link.a.device_id == device_id else link.a.device_id
        gbps = _rate_gbps(design, link)
        if partner in upper:
            above += gbps
        elif design.is_server(partner):
            servers += gbps
        else:
            switches += gbps
    # A leaf's links to switches that are not among these go up too; a spine's come from its leafs.
    return (servers, above + switches) if servers else (switches, above)


def _rate_gbps(design: Design, link: Link) -> float:
    ports = design.port(link.a), design.port(link.b)
    return min(port.rate_gbps if port is not None else 0.0 for port in ports)
