"""How long cables are: up to the trays, along them, down again, and slack.

Trays are those that were drawn on the floor. Without any, trays run over every row; from row to row they lead where the
design's settings say, or anywhere if they say nothing.
A cable within a rack stays in it. What has no way to be measured takes the design's default length, if there is one.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import UnknownEntityError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import TYPED, Link
from designer.model.equipping import height
from designer.model.records import ordered
from designer.placement.floor import Point, place_of
from designer.placement.tray_ways import TrayWays
from designer.units import format_length

UNIT_HEIGHT_M = 0.04445
"""A rack unit, 1.75 inches. Source: EIA-310."""

NO_RACK = ("stands in no rack", "stand in no rack")
NO_UNIT = ("has no unit in its rack", "have no unit in their racks")
NO_PLACE = ("has no place on the floor", "have no place on the floor")
NO_TRAY = ("is on no tray that leads to the other end", "are on no trays that lead to the other ends")
"""Why a link has no route: of one device or rack, and of several."""

STEPS_PER_M = 10
STEP_M = 1 / STEPS_PER_M
"""Routed lengths are rounded up to this."""


@dataclass(frozen=True, slots=True)
class Route:
    """The way of a cable, in meters; a way within one rack has its rise alone."""

    rise_m: float
    """Up from one end and down to the other."""
    tray_m: float
    slack_m: float

    @property
    def length_m(self) -> float:
        """The whole, rounded up."""
        return _rounded_up_m(self.rise_m + self.tray_m + self.slack_m)


def _rounded_up_m(length_m: float) -> float:
    return math.ceil(length_m / STEP_M - 1e-6) / STEPS_PER_M


@dataclass(frozen=True, slots=True)
class _Stand:
    rack_id: str
    at: Point | None
    height_m: float
    rise_m: float
    """From there up, or down, to the trays."""


class Routes:
    """The routes of links in a design, each device and each pair of racks measured once."""

    def __init__(self, design: Design) -> None:
        self._design, self._settings = design, design.settings
        self._stands: dict[str, _Stand | None] = {}
        self._ways = TrayWays(design)
        self._trays: dict[tuple[str, str], float | None] = {}

    def route(self, link: Link) -> Route | None:
        """The route of a link; None where an end has no unit in a rack, or two racks have no place on the floor."""
        a, b = self._stand(link.a.device_id), self._stand(link.b.device_id)
        if a is None or b is None:
            return None
        if a.rack_id == b.rack_id:
            return Route(abs(a.height_m - b.height_m), 0.0, self._settings.cable_slack_m)
        along_m = self._along_m(a, b)
        return None if along_m is None else Route(a.rise_m + b.rise_m, along_m, self._settings.cable_slack_m)

    def lengths_m(self, links: Sequence[Link]) -> NDArray[np.float64]:
        """(n_links,) the length of each route, as Route.length_m; NaN where there is none."""
        numbers: dict[str, int] = {}
        at = (
            np.array(
                [[numbers.setdefault(end.device_id, len(numbers)) for end in (link.a, link.b)] for link in links],
                dtype=np.int64,
            )
            .reshape(-1, 2)
            .T
        )
        stands = [self._stand(device_id) for device_id in numbers]
        racks: dict[str, int] = {}
        rack = np.array([-1 if one is None else racks.setdefault(one.rack_id, len(racks)) for one in stands])[at]
        heights_m = [(math.nan, math.nan) if one is None else (one.height_m, one.rise_m) for one in stands]
        height_m, rise_m = np.array(heights_m, dtype=np.float64).reshape(-1, 2).T[:, at]
        by_number = {racks[one.rack_id]: one for one in stands if one is not None}
        pairs, of_pair = np.unique(rack[0] * (len(racks) + 1) + rack[1], return_inverse=True)
        along = [
            None
            if pair < 0 or pair % (len(racks) + 1) == len(racks)
            else self._along_m(by_number[pair // (len(racks) + 1)], by_number[pair % (len(racks) + 1)])
            for pair in pairs.tolist()
        ]
        along_m = np.array([math.nan if one is None else one for one in along], dtype=np.float64)[of_pair]
        slack_m = self._settings.cable_slack_m
        inside = np.abs(height_m[0] - height_m[1]) + slack_m
        whole = np.where(rack[0] == rack[1], inside, rise_m[0] + rise_m[1] + along_m + slack_m)
        lengths_m: NDArray[np.float64] = np.ceil(whole / STEP_M - 1e-6) / STEPS_PER_M
        return lengths_m

    def _along_m(self, a: _Stand, b: _Stand) -> float | None:
        """Meters along the trays between two racks; None where one has no place, or no tray leads there."""
        pair = a.rack_id, b.rack_id
        if pair not in self._trays:
            self._trays[pair] = self._ways.length_m(*pair)
        return self._trays[pair]

    def why_none(self, link: Link) -> tuple[str, tuple[str, str]] | None:
        """What keeps a link from having a route, by name, and how: one of the pairs above; None where it has one."""
        return next(iter(self.all_missing(link)), None)

    def all_missing(self, link: Link) -> list[tuple[str, tuple[str, str]]]:
        """As `why_none`, what is missing at either end, that which is needed first in front."""
        found = []
        for end in (link.a, link.b):
            placement = self._design.placements.get(end.device_id)
            if placement is None or placement.rack_id is None:
                found.append((self._design.device(end.device_id).name, NO_RACK))
            elif placement.unit is None:
                found.append((self._design.device(end.device_id).name, NO_UNIT))
        a, b = self._stand(link.a.device_id), self._stand(link.b.device_id)
        if a is None or b is None or a.rack_id == b.rack_id:
            return found
        homeless = [(self._design.racks[one.rack_id].name, NO_PLACE) for one in (a, b) if one.at is None]
        is_cut_off = not homeless and self._along_m(a, b) is None
        return [(self._design.racks[a.rack_id].name, NO_TRAY)] if is_cut_off else homeless

    def _stand(self, device_id: str) -> _Stand | None:
        if device_id not in self._stands:
            self._stands[device_id] = self._found(device_id)
        return self._stands[device_id]

    def _found(self, device_id: str) -> _Stand | None:
        placement = self._design.placements.get(device_id)
        if placement is None or placement.rack_id is None or placement.unit is None:
            return None
        type_ = self._design.device_type(device_id)
        # Which unit a tray of a rack-scale system stands at is not known: from the lowest, no cable comes out short.
        middle = placement.unit - 1 + (1 if type_.fills_rack else height(type_)) / 2
        rack, height_m = self._design.racks[placement.rack_id], middle * UNIT_HEIGHT_M
        return _Stand(rack.id, place_of(rack), height_m, abs(self._settings.tray_height_m - height_m))


def lengths_cover(design: Design) -> tuple[str, ...]:
    """What routed lengths cover and what they do not, sentence by sentence; () where no length is routed."""
    if not any(link.length_source == "routed" for link in design.links.values()):
        return ()
    settings = design.settings
    trays = f"the trays at {format_length(settings.tray_height_m)}"
    return (
        "A routed length begins at the middle of the device's height, at the center of its rack.",
        f"It goes up or down to {trays}, along their center lines, and to the other device in the same way.",
        "Within a rack it goes only from height to height.",
        f"It includes {format_length(settings.cable_slack_m)} of slack for each cable.",
        "The depth from the tray to the port face is not included, nor are sideways runs to cable managers.",
        "The slack must cover them.",
    )


def route(design: Design, link: Link) -> Route | None:
    """The route of a link; None where an end has no unit in a rack, or two racks have no place on the floor."""
    return Routes(design).route(link)


def route_cables(design: Design, link_ids: Iterable[str] | None = None, *, typed_too: bool = False) -> Edit:
    """The lengths of all links, or of these, as their ways make them, each with its source.

    Lengths typed by hand stay unless `typed_too`. Links without a way get the default length, source "rule", or lose a
    length that was calculated before.
    """
    changes = []
    links = _links(design, link_ids)
    for link, (length_m, source) in zip(links, routed_lengths(design, links, typed_too=typed_too), strict=True):
        if (length_m, source) != (link.length_m, link.length_source):
            changes.append(Change(link, replace(link, length_m=length_m, length_source=source)))
    return Edit(f"Calculate {len(changes)} cable length{'s' if len(changes) != 1 else ''}", tuple(changes))


def routed_lengths(design: Design, links: Sequence[Link], *, typed_too: bool = False) -> list[tuple[float | None, str]]:
    """The length of each link and its source, as `route_cables` gives them."""
    default_m = design.settings.default_cable_length_m
    by_rule = (default_m, "rule") if default_m is not None else None
    found: list[tuple[float | None, str]] = []
    for link, length_m in zip(links, Routes(design).lengths_m(links).tolist(), strict=True):
        typed = link.length_source == TYPED
        if not math.isnan(length_m) and (typed_too or not typed):  # NaN has no route
            found.append((length_m, "routed"))
        elif typed and (by_rule is None or not typed_too):
            found.append((link.length_m, TYPED))
        else:
            found.append(by_rule or (None, ""))
    return found


def _links(design: Design, link_ids: Iterable[str] | None) -> list[Link]:
    if link_ids is None:
        return ordered(design.links)
    chosen = list(dict.fromkeys(link_ids))
    for one in chosen:
        if one not in design.links:
            raise UnknownEntityError(f"there is no link with id {one!r}")
    return [design.links[one] for one in chosen]
