"""What gathers many bundles in few lines: combs of servers, buses of full meshes, and the ring of groups."""

from functools import cached_property

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.gates import are_crowded, gathered_by_group
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.placed import Placed, led_lines
from designer.drawing.trunks import (
    CROWD,
    Bus,
    Buses,
    Combs,
    Gathered,
    HungCombs,
    Mesh,
    families,
    families_of_one,
    hanging,
)
from designer.late import Late
from designer.model.colour_keys import STRAIGHT

meshes = Late("designer.drawing.meshes")
rings = Late("designer.drawing.rings")


class Gatherer:
    """The lines of a drawing that stand for several bundles each: combs of servers, and buses of full meshes.

    Which devices they are of stays while these are dragged.
    """

    def __init__(self, placed: Placed, kept: dict[int, HungCombs]) -> None:
        """`kept` are the combs of placed servers that were made before, by their least lines."""
        self._placed, self._kept = placed, kept
        self._made: tuple[Floats | None, dict[int, Buses]] = None, {}
        self._ring: tuple[Floats | None, Buses | None] = None, None
        self._groups: tuple[Floats | None, Gathered | None] = None, None

    def lines(self, detail: Detail) -> list[Gathered]:
        """Those at a detail; lines that are led by hand hang on none."""
        found, led = self._lines(detail), self._placed.led
        return found if led is None else [led_lines.without(one, led.numbers) for one in found]

    def _lines(self, detail: Detail) -> list[Gathered]:
        ring, buses = self.ring(detail), self.buses(detail)
        between = self._between_groups(detail) if ring is None else ring.lines
        found = [] if between is None else [between]
        if detail.links in (LinkDetail.CROWDS, LinkDetail.BUNDLES):
            found += [] if buses is None else [buses.lines]
            is_crowd = detail.links is LinkDetail.CROWDS
            placed = self._placed
            return [*found, self._combs(CROWD).at(placed.centres, placed.projection.sizes)] if is_crowd else found
        if buses is not None:
            combs = self._combs() if detail.links is LinkDetail.TRUNKS else self._combs_afar
            found += [buses.lines, combs.at(self._placed.centres, self._placed.projection.sizes)]
        return found

    def ring(self, detail: Detail) -> Buses | None:
        """The ring of groups that are all joined; None from near, but of groups that are one box each."""
        placed, gated = self._placed, self._placed.gated
        if gated is None or detail.links is LinkDetail.SINGLES:
            return None
        is_near = detail.links in (LinkDetail.BUNDLES, LinkDetail.CROWDS)
        if is_near and not (gated.pinned is not None and gated.pinned.all()) and not self._are_groups_crowded:
            return None
        if self._ring[0] is not placed.centres:
            sizes = placed.projection.sizes
            ring = rings.ring_of(gated, placed.projection, placed.bundles, placed.centres, sizes)
            self._ring = placed.centres, ring
        return self._ring[1]

    def _between_groups(self, detail: Detail) -> Gathered | None:
        """The lines between groups without a ring: from afar, and from near where a group has very many links."""
        placed, gated = self._placed, self._placed.gated
        is_afar = detail.links is LinkDetail.REGIONS
        if gated is None or detail.links is LinkDetail.SINGLES or not (is_afar or self._are_groups_crowded):
            return None
        if self._groups[0] is not placed.centres:
            found = gathered_by_group(gated, placed.projection, placed.bundles, placed.centres, placed.projection.sizes)
            self._groups = placed.centres, found
        return self._groups[1]

    @cached_property
    def _are_groups_crowded(self) -> bool:
        placed = self._placed
        return placed.gated is not None and are_crowded(placed.gated, placed.projection, placed.bundles)

    def titles(self, detail: Detail) -> tuple[Bus, ...]:
        """What is written on buses, and inside the ring of groups."""
        return tuple(one for buses in (self.ring(detail), self.buses(detail)) if buses for one in buses.titles)

    def buses(self, detail: Detail) -> Buses | None:
        """The buses of full meshes, from near of crowds alone; None where links are straight, as buses have corners."""
        of_detail = {LinkDetail.REGIONS: meshes.LEAST, LinkDetail.TRUNKS: meshes.LEAST_FROM_NEAR}
        placed, least = self._placed, of_detail.get(detail.links, meshes.LEAST_OF_CROWD)
        if detail.links is LinkDetail.SINGLES or placed.design.settings.link_lines == STRAIGHT:
            return None
        if self._made[0] is not placed.centres:
            self._made = placed.centres, {}
        made = self._made[1]
        if least not in made:
            made[least] = meshes.buses(placed.projection, self.meshes, placed.centres, least)
        return made[least]

    @cached_property
    def meshes(self) -> list[Mesh]:
        """The boxes of rows and columns that are all joined to each other."""
        return list(meshes.meshes_of(self._placed.projection, self._placed.bundles))

    def _combs(self, least_lines: int = 0) -> Combs:
        """The combs of servers that hang on the same leaf switches: those made before, where the same servers do."""
        projection, bundles = self._placed.projection, self._placed.bundles
        numbers = hanging(projection, bundles)
        kept = self._kept.get(least_lines)
        if kept is None or kept.bundles is not bundles or not np.array_equal(kept.numbers, numbers):
            combs = Combs(families(projection, bundles, numbers), least_lines)
            kept = self._kept[least_lines] = HungCombs(bundles, numbers, combs)
        return kept.combs

    @cached_property
    def _combs_afar(self) -> Combs:
        """Those of servers on one switch each."""
        return Combs(families_of_one(self._placed.projection, self._placed.bundles))
