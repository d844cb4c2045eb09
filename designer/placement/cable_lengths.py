"""How long cables are: up to the trays, along them, down again, and slack.

Trays run over every row; from row to row they lead where the design's settings say, or anywhere if they say nothing.
A cable within a rack stays in it. What has no way to be measured takes the design's default length, if there is one.
"""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from designer.errors import UnknownEntityError
from designer.model.design import Design, ordered
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link, Settings
from designer.model.equipping import height
from designer.placement.floor import SAME_ROW_M, Point, place_of

UNIT_HEIGHT_M = 0.04445
"""A rack unit, 1.75 inches. Source: EIA-310."""

STEP_M = 0.1
"""Routed lengths are rounded up to this."""


@dataclass(frozen=True, slots=True)
class Route:
    """The way of a cable, in metres; a way within one rack has its rise alone."""

    rise_m: float
    """Up from one end and down to the other."""
    tray_m: float
    slack_m: float

    @property
    def length_m(self) -> float:
        """The whole, rounded up."""
        steps = (self.rise_m + self.tray_m + self.slack_m) / STEP_M
        return round(math.ceil(steps - 1e-6) * STEP_M, 1)


@dataclass(frozen=True, slots=True)
class _Stand:
    rack_id: str
    at: Point | None
    height_m: float


def route(design: Design, link: Link) -> Route | None:
    """The way of a link; None where an end has no unit in a rack, or two racks have no place on the floor."""
    a, b = _stand(design, link.a), _stand(design, link.b)
    if a is None or b is None:
        return None
    settings = design.settings
    if a.rack_id == b.rack_id:
        return Route(abs(a.height_m - b.height_m), 0.0, settings.cable_slack_m)
    if a.at is None or b.at is None:
        return None
    rise_m = sum(abs(settings.tray_height_m - one.height_m) for one in (a, b))
    return Route(rise_m, tray_m(settings, a.at, b.at), settings.cable_slack_m)


def tray_m(settings: Settings, a: Point, b: Point) -> float:
    """Metres along the trays between two places."""
    points = tray_points(settings, a, b)
    return sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in itertools.pairwise(points))


def tray_points(settings: Settings, a: Point, b: Point) -> tuple[Point, ...]:
    """The corners of the way along the trays from one place to another, both included."""
    if abs(a[1] - b[1]) < SAME_ROW_M or not settings.cross_trays_m:
        return a, (b[0], a[1]), b
    x = min(settings.cross_trays_m, key=lambda one: (abs(a[0] - one) + abs(one - b[0]), one))
    return a, (x, a[1]), (x, b[1]), b


def route_cables(design: Design, link_ids: Iterable[str] | None = None, *, typed_too: bool = False) -> Edit:
    """The lengths of all links, or of these, as their ways make them, each with its source.

    Lengths typed by hand stay unless `typed_too`. Links without a way get the default length, source "rule", or lose a
    length that was worked out before.
    """
    changes = []
    for link in _links(design, link_ids):
        if link.length_source == "typed" and not typed_too:
            continue
        way, default_m = route(design, link), design.settings.default_cable_length_m
        if way is not None:
            after = replace(link, length_m=way.length_m, length_source="routed")
        elif default_m is not None:
            after = replace(link, length_m=default_m, length_source="rule")
        elif link.length_source == "typed":
            continue
        else:
            after = replace(link, length_m=None, length_source="")
        if after != link:
            changes.append(Change(link, after))
    return Edit(f"Route {len(changes)} cable{'s' if len(changes) != 1 else ''}", tuple(changes))


def _links(design: Design, link_ids: Iterable[str] | None) -> list[Link]:
    if link_ids is None:
        return ordered(design.links)
    chosen = list(dict.fromkeys(link_ids))
    for one in chosen:
        if one not in design.links:
            raise UnknownEntityError(f"there is no link with id {one!r}")
    return [design.links[one] for one in chosen]


def _stand(design: Design, end: End) -> _Stand | None:
    placement = design.placements.get(end.device_id)
    if placement is None or placement.rack_id is None or placement.unit is None:
        return None
    middle = placement.unit - 1 + height(design.device_type(end.device_id)) / 2
    rack = design.racks[placement.rack_id]
    return _Stand(rack.id, place_of(rack), middle * UNIT_HEIGHT_M)
