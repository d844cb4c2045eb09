"""How many links per pair to connect switches upwards with, so that what goes up carries what is below."""

import itertools
import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from designer.errors import DesignerError, ParameterError
from designer.model import operations
from designer.model.design import Design
from designer.model.drawn_tiers import ABOVE
from designer.model.edit import Edit, joined
from designer.model.entities import Link, order_key
from designer.model.wiring import links_between

TOLERANCE = 1e-9
TIERS = ("", "leaf", "spine", "core")
"""Servers, and the roles of switches, from below."""
NO_ROLE = "none"


@dataclass(frozen=True, slots=True)
class EvenUplinks:
    """What the busiest of the lower switches has below it, and what links it would get."""

    down_gbps: float
    up_gbps: float
    """Of its links up to others than the upper switches."""
    rate_gbps: float
    """Of a link that is added."""
    uppers: int
    there: int
    """The most links of a pair that are there, up to these or others of their tier."""

    @property
    def links_per_pair(self) -> int:
        """The fewest in all at which no more comes from below than goes up and no pair has more; at least one."""
        missing = (self.down_gbps - self.up_gbps) / (self.rate_gbps * self.uppers)
        return max(1, self.there, math.ceil(missing - TOLERANCE))


def even_uplinks(design: Design, lower_ids: Sequence[str], upper_ids: Sequence[str]) -> EvenUplinks | None:
    """What links from these switches up to those would have to carry; None where nothing is below or none fits.

    Below a switch are its servers, or else the switches it is linked to that are not among the upper ones.
    """
    if not lower_ids or not all(map(design.is_switch, (*lower_ids, *upper_ids))):
        return None
    rate_gbps = _rate_between(design, lower_ids, upper_ids)
    upper = frozenset(upper_ids)
    found = [_below_and_above(design, one, upper) for one in lower_ids]
    down_gbps, up_gbps = max(((one.down, one.others) for one in found), key=lambda one: one[0] - one[1])
    if not down_gbps or not rate_gbps:
        return None
    return EvenUplinks(down_gbps, up_gbps, rate_gbps, len(upper_ids), _most_there(design, lower_ids, upper))


def worst_ratio(design: Design, lower_ids: Sequence[str], upper_ids: Sequence[str]) -> float | None:
    """Capacity from below over capacity up, of the switch where it is the most; None where nothing goes up."""
    found = [_below_and_above(design, one, frozenset(upper_ids)) for one in lower_ids]
    ratios = [one.down / (one.upper + one.others) for one in found if one.upper + one.others]
    return max(ratios, default=None) if len(ratios) == len(found) else None


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
        edits.append(operations.complete_evenly(after, lower, upper, uplinks.links_per_pair if uplinks else None))
        after.apply(edits[-1])
        between = links_between(after, [*lower, *upper])
        per_pair.append(max(between[frozenset(pair)] for pair in itertools.product(lower, upper)))
    if not edits:
        raise ParameterError("all of these tiers are connected: select two of them to add links")
    return joined(f"Connect {len(tiers)} tiers evenly", edits), per_pair


class _Around(NamedTuple):
    """Gb/s at one switch."""

    down: float
    upper: float
    """To the upper switches."""
    others: float
    """Up to other switches."""


def _below_and_above(design: Design, device_id: str, upper: Collection[str]) -> _Around:
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
    return _Around(servers, above, switches) if servers else _Around(switches, above, 0.0)


def _most_there(design: Design, lower_ids: Sequence[str], upper: Collection[str]) -> int:
    """The most links of a lower switch to one of the upper ones, or to another switch of their role."""
    roles = {design.device(one).role for one in upper} - {""} or {ABOVE.get(design.device(lower_ids[0]).role, "")}
    most = 0
    for one in lower_ids:
        partners = Counter(end.device_id for link in design.links_of(one) for end in (link.a, link.b))
        fitting = (n for other, n in partners.items() if other in upper or _is_of(design, other, one, roles))
        most = max(most, *fitting, 0)
    return most


def _is_of(design: Design, device_id: str, lower_id: str, roles: set[str]) -> bool:
    return device_id != lower_id and design.is_switch(device_id) and design.device(device_id).role in roles - {""}


def _rate_between(design: Design, lower_ids: Sequence[str], upper_ids: Sequence[str]) -> float:
    """The rate of a link between those of either side with the most free ports; 0 where none fits."""
    lower_id, upper_id = (max(ids, key=lambda one: len(design.free_ports(one))) for ids in (lower_ids, upper_ids))
    try:
        edit = operations.connect_devices(design, lower_id, upper_id)
    except DesignerError:
        return 0.0
    return next(_rate_gbps(design, change.after) for change in edit.changes if isinstance(change.after, Link))


def _rate_gbps(design: Design, link: Link) -> float:
    ports = design.port(link.a), design.port(link.b)
    return min(port.rate_gbps if port is not None else 0.0 for port in ports)
