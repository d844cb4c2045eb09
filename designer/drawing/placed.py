"""Where everything in a drawing is: boxes, the lines of links around them, frames, annotations; calculated once."""

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from designer.drawing.apart import Apart, Led
from designer.drawing.arches import Arches, arches
from designer.drawing.bundles import Bundles, Flags, Floats, Ints, bundled
from designer.drawing.detours import ALONGSIDE, MOST_DETOURS, Around, Detours, detours
from designer.drawing.frame_titles import titled_below, titled_off_links
from designer.drawing.gates import gated
from designer.drawing.geometry import Anchors, Container, Rect, anchors, around, around_arches, containers
from designer.drawing.lines import of_server
from designer.drawing.link_lanes import Lanes, lanes_of
from designer.drawing.link_paths import LinkPaths, link_paths
from designer.drawing.link_rates import LinkLabels, LinkRates
from designer.drawing.note_layer import NoteLayer
from designer.drawing.projection import Projection
from designer.drawing.right_angles import RightAngles, right_angles_of
from designer.drawing.standing_off import standing_off, switches_of_management, tier_numbers
from designer.drawing.theme import SERVER
from designer.drawing.tier_titles import (
    Tier,
    TierNotes,
    TierTitle,
    TierWords,
    tier_notes,
    tier_titles,
    tier_words,
    tiers_of,
)
from designer.drawing.tori import FarEnds, LayerTitle, Torus, far_ends_of, layer_titles, stubs_of, torus_of
from designer.late import Late
from designer.model.colour_keys import AUTOMATIC, RIGHT_ANGLES, STRAIGHT
from designer.model.design import Design
from designer.model.entities import CUBE

frames_apart = Late("designer.drawing.frames_apart")
led_lines = Late("designer.drawing.led")
management = Late("designer.drawing.management")

Shift = tuple[float, float]


class Joined(NamedTuple):
    """What links join, wherever it stands."""

    managed: dict[int, int]
    """The row of the managed switch by link row."""
    tiers: Ints  # (n,) number of the tier of each box
    of_management: Flags  # (n,) switches of management networks


class OwnWays:
    """Where boxes are, and which links have a way of their own; kept until `_forget` says what has changed."""

    def __init__(self, projection: Projection) -> None:
        self.projection = projection
        self._shifts: dict[str, Shift] = {}
        self._bends: dict[str, tuple[Shift, ...]] = {}
        """Of links whose bends are being dragged, by id."""

    @property
    def design(self) -> Design:
        """The design that is drawn."""
        return self.projection.design

    def _forget(self, *names: str) -> None:
        for name in names:
            self.__dict__.pop(name, None)

    @cached_property
    def centres(self) -> Floats:
        """Centres of the boxes as drawn now, (n, 2)."""
        if not self._shifts:
            return self.projection.centres
        centres = self.projection.centres.copy()
        for row, shift in self.projection.shifted(self._shifts).items():
            centres[row] += shift
        return centres

    @cached_property
    def bundles(self) -> Bundles:
        """The links in bundles, one for each pair of boxes that are joined."""
        return bundled(self.projection.ends)

    @cached_property
    def led(self) -> Led | None:
        """The bundles whose lines are led by hand; of them none runs any other way."""
        projection = self.projection
        if not (self._bends or projection.whole().led_links()):
            return None
        shifts = projection.shifted(self._shifts) if self._shifts else {}
        boxes, is_square = (self.centres, projection.sizes), self.design.settings.link_lines == RIGHT_ANGLES
        found: Led | None = led_lines.led_by_hand(
            projection, self.bundles, boxes, shifts, self._bends, are_square=is_square
        )
        return found

    @cached_property
    def managing(self) -> Led | None:
        """The bundles of management networks that go round those of others."""
        joined, projection = self._joined, self.projection
        if not (joined.managed or joined.of_management.any()) or self.design.settings.link_lines == STRAIGHT:
            return None
        if len(self.bundles.pairs) > MOST_DETOURS:
            return None
        boxes = management.Boxes(self.centres, projection.sizes, joined.tiers, joined.of_management)
        elsewhere = np.empty(0, np.int64) if self.led is None else self.led.numbers
        found: Led | None = management.led_beside(self.bundles, boxes, joined.managed, projection.n_own, elsewhere)
        return found

    def _not_led(self, found: Apart | None) -> Apart | None:
        if found is None or self.led is None:
            return found
        kept = ~np.isin(found.numbers, self.led.numbers)
        return found.taken(kept) if kept.any() else None

    @cached_property
    def gated(self) -> Apart | None:
        """The bundles between groups around a free middle."""
        if self.design.settings.link_lines != AUTOMATIC:
            return None
        return self._not_led(gated(self.projection, self.bundles, self.centres, self.projection.sizes))

    @cached_property
    def torus(self) -> Torus | None:
        """The links of the torus that is drawn."""
        return torus_of(self.projection) if len(self.bundles.pairs) <= MOST_DETOURS else None

    @cached_property
    def stubs(self) -> Apart | None:
        """The long links of a torus."""
        if self.torus is None or self.design.settings.link_lines != AUTOMATIC:
            return None
        return self._not_led(stubs_of(self.torus, self.bundles, self.centres, self.projection.sizes))

    @cached_property
    def apart(self) -> tuple[Apart, ...]:
        """The bundles that neither run straight nor beside anything: led by hand, of management, by gates, as stubs."""
        return tuple(one for one in (self.led, self.managing, self.gated, self.stubs) if one is not None)

    @cached_property
    def _joined(self) -> Joined:
        """The switches that links manage, and the tiers of the boxes."""
        projection = self.projection
        return Joined(projection.managed_switches(), tier_numbers(projection), switches_of_management(projection))


class Placed(OwnWays):
    """Places of what a projection shows, kept until `_forget` is called with the names of what has changed."""

    def __init__(self, projection: Projection) -> None:
        super().__init__(projection)
        self.notes = NoteLayer(self)
        self.are_counted = True
        """Whether titles and labels count boxes, ports and links: not where two designs are laid over each other."""

    @cached_property
    def boxes(self) -> Floats:
        """Left, top, width and height of the boxes, (n, 4)."""
        sizes = self.projection.sizes
        return np.hstack((self.centres - sizes / 2, sizes))

    @cached_property
    def arches(self) -> Arches | None:
        """The bundles that run beside their row or column of boxes."""
        if self.design.settings.link_lines == STRAIGHT:
            return None
        projection, bundles = self.projection, self.bundles
        elsewhere = [one.numbers for one in self.apart]
        if self._joined.managed:
            elsewhere.append(bundles.of_link[list(self._joined.managed)])
        others = np.concatenate(elsewhere) if elsewhere else None
        return arches(bundles, self.centres, projection.sizes, of_server(projection, bundles), others)

    @cached_property
    def far_ends(self) -> FarEnds | None:
        """The names at the ends of stubs."""
        stubs, torus = self.stubs, self.torus
        if stubs is None or torus is None:
            return None
        return far_ends_of(torus, stubs, self.bundles, self.anchors.bundles[stubs.numbers])

    @cached_property
    def layer_titles(self) -> tuple[LayerTitle, ...]:
        """The titles of the layers of a torus."""
        return () if self.torus is None else layer_titles(self.torus, self.projection, self.centres)

    @cached_property
    def rates(self) -> LinkRates:
        """The rates of the links."""
        return LinkRates(self.projection)

    @cached_property
    def link_labels(self) -> LinkLabels:
        """What is written on the lines of links."""
        return LinkLabels(self.projection, self.rates, are_counted=self.are_counted)

    @cached_property
    def tier_titles(self) -> tuple[TierTitle, ...]:
        """The titles of tiers outside groups."""
        return tier_titles(self.tiers, self.boxes, self._bent)

    @cached_property
    def tiers(self) -> tuple[Tier, ...]:
        """The tiers outside groups, wherever they stand."""
        return tiers_of(self.projection, self.rates) if self.are_counted else ()

    @cached_property
    def tier_notes(self) -> TierNotes:
        """What all links between two tiers have in common."""
        return tier_notes(self.tier_words, self.anchors.bundles)

    @cached_property
    def tier_words(self) -> TierWords:
        """What all links between two tiers have in common, wherever these stand."""
        return tier_words(self.projection, self.bundles, self.rates)

    @cached_property
    def anchors(self) -> Anchors:
        """The lines of links and bundles between the edges of their boxes as drawn now."""
        return anchors(self.centres, self.projection.sizes, self.bundles, self.arches, self.apart)

    @cached_property
    def lanes(self) -> Lanes | RightAngles | None:
        """The bundles that run down the gaps between columns of servers, or at right angles."""
        if self.design.settings.link_lines == STRAIGHT:
            return None
        if self.design.settings.link_lines == RIGHT_ANGLES:
            return right_angles_of(self.bundles, self.anchors, self.centres, self.projection.sizes, self.arches)
        projection, servers = self.projection, self.projection.kinds == SERVER
        return lanes_of(self.bundles, self.anchors, self.centres, projection.sizes, servers, self.arches)

    @cached_property
    def detours(self) -> Detours | None:
        """The bundles that neither run straight nor by arches or lanes without meeting boxes."""
        if len(self.bundles.pairs) > MOST_DETOURS:  # without lanes: of so many links they take long
            return None
        if self.design.settings.link_lines == STRAIGHT:
            return None
        clear = ALONGSIDE if self.design.settings.link_lines == RIGHT_ANGLES else 0.0
        sizes, around = self.projection.sizes, Around(self._joined.managed, _standing_off(self), clear)
        return detours(around, self.bundles, self.anchors, self.centres, sizes, self.arches, self.lanes, self.apart)

    @cached_property
    def link_paths(self) -> LinkPaths:
        """The lines of links round the boxes in their way."""
        return link_paths(self.bundles, self.anchors, self.arches, self.lanes, self.detours, self.apart)

    @cached_property
    def containers(self) -> tuple[Container, ...]:
        """Frames of groups and racks, outer ones first."""
        frames = containers(self.projection, self.centres, self._shifts)
        if len(frames) > 1:
            frames = frames_apart.frames_apart(frames)
        if not self.are_counted:
            frames = [replace(one, note="", detail="") for one in frames]
        if self.arches is not None and self.projection.groups:
            frames = around_arches(frames, self.projection, self.bundles, self.arches, self.anchors.bundles)
        is_direct = self.gated is not None or any(one.kind == CUBE for one in frames)
        if is_direct:
            return tuple(titled_below(frames, self.projection))
        return tuple(titled_off_links(frames, self.anchors.bundles, self.boxes))

    @property
    def _bent(self) -> Floats:
        """The points of links, (n, 2), where some leave the straight way; else none."""
        if self.arches is None and self.detours is None and not self.apart:
            return np.empty((0, 2))
        return self.link_paths.xy.reshape(-1, 2)

    @cached_property
    def fabric_bounds(self) -> Rect | None:
        """Around everything drawn but annotations: left, top, right, bottom; None where there is nothing."""
        corners = [container.rect for container in self.containers]
        if len(self.boxes):
            low, high = self.boxes[:, :2].min(axis=0), (self.boxes[:, :2] + self.boxes[:, 2:]).max(axis=0)
            corners.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
        corners += [one.rect for one in self.layer_titles]
        if len(self._bent):
            corners.append((*self._bent.min(axis=0).tolist(), *self._bent.max(axis=0).tolist()))
        if self.far_ends is not None:
            points = self.far_ends.corners
            corners.append((*points.min(axis=0).tolist(), *points.max(axis=0).tolist()))
        return around(corners)

    def rect_of(self, entity_id: str) -> Rect | None:
        """Left, top, right, bottom of a device, rack, group or link as drawn; None where it is not."""
        row = self.projection.box_of(entity_id)
        if row is not None:
            x, y, width, height = self.boxes[row].tolist()
            return x, y, x + width, y + height
        link_row = self.projection.link_row(entity_id)
        if link_row is not None:
            points = self.anchors.links[link_row].reshape(2, 2)
            if self.led is not None and link_row in self.led.own:
                points = self.link_path(link_row).reshape(-1, 2)
            return (*points.min(axis=0).tolist(), *points.max(axis=0).tolist())
        if entity_id in self.design.annotations:
            return self.notes.rect_of(entity_id)
        return next((frame.rect for frame in self.containers if frame.id == entity_id), None)

    def link_path(self, link_row: int) -> Floats:
        """The lines along which one link runs: its own from box to box, or those round what is between."""
        return self.link_paths.of_link(link_row, self.bundles, self.anchors)

    def bundle_path(self, link_row: int) -> Floats:
        """The lines along which a link runs where it is drawn as one with those next to it."""
        bundle = int(self.bundles.of_link[link_row])
        if self.link_paths.bent[bundle]:
            return self.link_path(link_row)
        return self.anchors.bundles[bundle : bundle + 1]


def _standing_off(placed: Placed) -> Flags:
    """The boxes out of the rows of their tiers; none where all links run at right angles."""
    if placed.design.settings.link_lines != AUTOMATIC:
        return np.zeros(len(placed.centres), np.bool_)
    return standing_off(placed._joined.tiers, placed.centres)
