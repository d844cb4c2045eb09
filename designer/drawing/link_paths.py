"""Links that are not drawn straight from box to box, because other boxes stand in their way.

A link past others of its row or column runs beside it (arches), one to a server of a grid's inner rows down the gap
beside its column (lanes), one between groups that stand around a middle by their gates, a long one of a torus
is a stub at either end, and any other runs round the boxes (detours). Where the design has them at right angles,
those take the place of lanes. Lines that are led by hand run through their bends, whatever is there.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from designer.drawing.apart import Apart, Led
from designer.drawing.arches import Arches
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.detours import Detours
from designer.drawing.geometry import Anchors
from designer.drawing.link_lanes import Lanes, Pieces
from designer.drawing.right_angles import RightAngles

NOTHING: Pieces = (np.empty((0, 4)), np.empty(0, np.int64), np.empty(0, np.bool_))


@dataclass(frozen=True)
class LinkPaths:
    """The lines of bundles that are not straight, bundle after bundle, each from the pair's lower row to its higher."""

    bent: Flags  # (n_bundles,)
    xy: Floats  # (k, 4)
    bundles: Ints  # (k,) which bundle a line is of
    direct: Flags  # (k,) the line of it that shows its two directions and carries its count
    laned: Flags  # (n_bundles,) those of them that go by lanes, or are led: each of their links has lines of its own
    lanes: Lanes | RightAngles | None
    led: tuple[Led, ...] = ()
    """Those that are led, by hand and for management."""

    def of_links(self, links: Ints, bundles: Bundles, anchors: Anchors) -> Pieces:
        """The lines of single links of bundles with lanes, each to its own port; and which of the links each is of."""
        if not len(links):
            return NOTHING
        parts, places = [NOTHING], np.arange(len(links))
        for led in self.led:
            is_led = np.isin(bundles.of_link[links[places]], led.numbers)
            own, places = places[is_led], places[~is_led]
            xy, of, direct = led.lines_of_links(links[own], anchors.links[links[own]])
            parts.append((xy, own[of], direct))
        if self.lanes is not None and len(places):
            laned = links[places]
            at = np.searchsorted(self.lanes.numbers, bundles.of_link[laned])
            xy, of, direct = self.lanes.lines(anchors.links[laned], at)
            parts.append((xy, places[of], direct))
        xy, of, direct = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return xy, of, direct

    def of_bundle(self, bundle: int, anchors: Anchors) -> Floats:
        """The lines along which a bundle runs."""
        own: Floats = self.xy[self.bundles == bundle] if self.bent[bundle] else anchors.bundles[bundle : bundle + 1]
        return own

    def of_link(self, link: int, bundles: Bundles, anchors: Anchors) -> Floats:
        """The lines along which one link runs."""
        bundle = int(bundles.of_link[link])
        if self.laned[bundle]:
            return self.of_links(np.array([link]), bundles, anchors)[0]
        own: Floats = self.xy[self.bundles == bundle] if self.bent[bundle] else anchors.links[link : link + 1]
        return own


def link_paths(
    bundles: Bundles,
    anchors: Anchors,
    arches: Arches | None,
    lanes: Lanes | RightAngles | None,
    detours: Detours | None,
    others: Iterable[Apart] = (),
) -> LinkPaths:
    """The lines of all bundles with boxes in their way; where a bundle has several, its detour counts."""
    parts = [NOTHING]
    bent, laned = np.zeros(len(bundles.pairs), np.bool_), np.zeros(len(bundles.pairs), np.bool_)
    led = list[Led]()
    for other in others:
        if isinstance(other, Led):
            led.append(other)
            laned[other.numbers] = True
        xy, of, direct = other.lines(anchors.bundles[other.numbers])
        parts.append((xy, other.numbers[of], direct))
        bent[other.numbers] = True
    if detours is not None:
        parts.append((detours.xy, detours.bundles, detours.direct))
        bent[detours.bundles] = True
    if arches is not None:
        kept = ~bent[arches.numbers]
        xy, numbers = arches.lines(anchors.bundles[arches.numbers])[kept].reshape(-1, 4), arches.numbers[kept]
        parts.append((xy, np.repeat(numbers, 3), np.tile(np.array([False, True, False]), len(numbers))))
        bent[numbers] = True
    if lanes is not None:
        at = np.flatnonzero(~bent[lanes.numbers])
        xy, of, direct = lanes.lines(anchors.bundles[lanes.numbers[at]], at)
        parts.append((xy, lanes.numbers[at][of], direct))
        bent[lanes.numbers[at]] = laned[lanes.numbers[at]] = True
    xy, numbers, direct = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return LinkPaths(bent, xy, numbers, direct, laned, lanes, tuple(led))
