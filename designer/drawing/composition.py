"""A design as it is drawn: follows edits, keeps what it worked out, and makes pictures at any detail."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from designer.drawing.apart import Apart
from designer.drawing.arches import Arches, arches
from designer.drawing.bundles import NO_HEAT, Bundles, Flags, Floats, bundled
from designer.drawing.colouring import Colouring
from designer.drawing.detours import MOST_DETOURS, Detours, detours
from designer.drawing.display_list import Picture, legend_of
from designer.drawing.faceplates import Fronts
from designer.drawing.folding.coloured import coloured_boxes
from designer.drawing.folding.folded_projection import folded
from designer.drawing.folding.folds import collapsed_in
from designer.drawing.folding.stacks import loads_as_drawn, stacks_of
from designer.drawing.gates import gated, titled_below
from designer.drawing.geometry import Anchors, Container, Rect, anchors, containers
from designer.drawing.heat import Heat
from designer.drawing.hot_spots import HotLinks
from designer.drawing.internals import Internals, internals_of
from designer.drawing.level_of_detail import Detail, LinkDetail, detail_at
from designer.drawing.lines import Lines, lines_at, lines_of_bundles, of_server
from designer.drawing.link_lanes import Lanes, lanes_of
from designer.drawing.link_paths import LinkPaths, link_paths
from designer.drawing.note_layer import NoteLayer
from designer.drawing.ports import PortHandle, port_handles
from designer.drawing.projection import LOOKED_UP, Projection, Touched, flags_of
from designer.drawing.regions import lines_between_regions
from designer.drawing.theme import SERVER, Theme
from designer.drawing.title_rows import title_rows
from designer.drawing.tori import FarEnds, LayerTitle, Torus, far_ends_of, layer_titles, stubs_of, torus_of
from designer.graph.link_loads import busier
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Group, Rack, Settings

Shift = tuple[float, float]

LEVELS_KEPT = 8
"""Details whose lines are remembered."""
OF_APART = ("gated", "stubs", "apart", "far_ends", "layer_titles")
OF_PLACES = (*OF_APART, "arches", "anchors", "lanes", "detours", "link_paths")
"""What is worked out from where boxes stand and from their links."""
CAN_COLLAPSE = (Device, Group, Rack, Settings)
"""What says that it, or something in it, is collapsed; and devices, which may join a role that is."""


class Composition:
    """The drawing of one design. Everything here can be thrown away and made anew from the design."""

    def __init__(
        self, design: Design, hidden: frozenset[str] = frozenset(), projection: Projection | None = None
    ) -> None:
        """Of a projection that is given, which nobody else brings up to date; else with what the design collapses."""
        self.base = Projection(design, hidden) if projection is None else projection
        """Every device as a box of its own, but for what a given projection folds."""
        self.projection = self.base if projection is not None else folded(self.base, collapsed_in(self.base))
        self._shifts: dict[str, Shift] = {}
        self._lines: dict[tuple[str, float], Lines] = {}
        self._loads: tuple[Heat | None, Floats] | None = None
        self._hot: tuple[Heat, int, HotLinks] | None = None
        self._chosen: tuple[frozenset[str], list[int], Flags | None] | None = None
        self.colouring = Colouring(self.base)
        self.notes = NoteLayer(self)
        self.fronts = Fronts(self)
        self.generation = 0
        """Counts changes of the picture, so that a view knows when to paint again."""

    def draw_up(self, scales: Iterable[float] = ()) -> None:
        """Work out beforehand what the first picture needs, and the lines at those scales: for workers."""
        _ = self.bounds, self.anchors, self.boxes
        counts = len(self.projection.device_ids), len(self.bundles.pairs), len(self.projection.link_ids)
        for scale in scales:
            self.lines(detail_at(scale, *counts)).draw_up()

    @property
    def design(self) -> Design:
        """The design that is drawn."""
        return self.projection.design

    # -- keeping up -----------------------------------------------------------------------------------------------

    def follow(self, edit: Edit) -> Touched:
        """Bring the drawing up to date with an edit the design has applied."""
        touched = self.base.follow(edit)
        self.colouring.follow(edit, touched)
        is_folded = self.projection is not self.base
        if is_folded or touched & Touched.BOXES or not edit.kinds.isdisjoint(CAN_COLLAPSE):
            was, self.projection = self.projection, folded(self.base, collapsed_in(self.base))
            touched |= Touched.NOTHING if was is self.projection else ~Touched.NOTHING
        if touched & Touched.BOXES:
            self._forget("torus", *OF_APART)
            self._shifts = {}
        if touched & Touched.LINKS:
            self._forget("bundles", "torus", "_managed", *OF_PLACES, "bounds", "containers")
            self._lines.clear()
            self._loads = self._chosen = None
        if touched & Touched.PLACES:
            self._forget_places()
        if touched & Touched.CONTAINERS:
            self._forget("containers", "bounds")
        self.notes.forget(self._shifts)
        if touched & Touched.NOTES:
            self._forget("bounds")
        self.generation += 1
        return touched

    def shift(self, shifts: Mapping[str, Shift]) -> None:
        """Draw these devices and racks off their places, as while they are dragged; {} puts all back."""
        if shifts != self._shifts:
            notes = self.design.annotations.keys()
            if notes and notes >= {**shifts, **self._shifts}.keys():
                self._forget("bounds")
            else:
                self._forget_places()
            self._shifts = dict(shifts)
            self.notes.forget(self._shifts)
            self.generation += 1

    def _forget_places(self) -> None:
        self._forget("centres", *OF_PLACES, "containers", "boxes", "bounds")
        self._lines.clear()

    def _forget(self, *names: str) -> None:
        for name in names:
            self.__dict__.pop(name, None)

    # -- where things are -----------------------------------------------------------------------------------------

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
    def boxes(self) -> Floats:
        """Left, top, width and height of the boxes, (n, 4)."""
        sizes = self.projection.sizes
        return np.hstack((self.centres - sizes / 2, sizes))

    @cached_property
    def bundles(self) -> Bundles:
        """The links in bundles, one for each pair of boxes that are joined."""
        return bundled(self.projection.ends)

    @cached_property
    def arches(self) -> Arches | None:
        """The bundles that run beside their row or column of boxes."""
        projection, bundles = self.projection, self.bundles
        elsewhere = [one.numbers for one in self.apart]
        if self._managed:
            elsewhere.append(bundles.of_link[list(self._managed)])
        others = np.concatenate(elsewhere) if elsewhere else None
        return arches(bundles, self.centres, projection.sizes, of_server(projection, bundles), others)

    @cached_property
    def gated(self) -> Apart | None:
        """The bundles between groups around a free middle."""
        return gated(self.projection, self.bundles, self.centres, self.projection.sizes)

    @cached_property
    def torus(self) -> Torus | None:
        """The links of the torus that is drawn."""
        return torus_of(self.projection) if len(self.bundles.pairs) <= MOST_DETOURS else None

    @cached_property
    def stubs(self) -> Apart | None:
        """The long links of a torus."""
        if self.torus is None:
            return None
        return stubs_of(self.torus, self.bundles, self.centres, self.projection.sizes)

    @cached_property
    def apart(self) -> tuple[Apart, ...]:
        """The bundles that neither run straight nor beside anything: by gates, and as stubs."""
        return tuple(one for one in (self.gated, self.stubs) if one is not None)

    @cached_property
    def far_ends(self) -> FarEnds | None:
        """The names at the ends of stubs."""
        stubs = self.stubs
        return None if stubs is None else far_ends_of(stubs, self.bundles, self.anchors.bundles[stubs.numbers])

    @cached_property
    def layer_titles(self) -> tuple[LayerTitle, ...]:
        """The titles of the layers of a torus."""
        return () if self.torus is None else layer_titles(self.torus, self.projection, self.centres)

    @cached_property
    def anchors(self) -> Anchors:
        """The lines of links and bundles between the edges of their boxes as drawn now."""
        return anchors(self.centres, self.projection.sizes, self.bundles, self.arches, self.apart)

    @cached_property
    def lanes(self) -> Lanes | None:
        """The bundles that run down the gaps between columns of servers."""
        projection, servers = self.projection, self.projection.kinds == SERVER
        return lanes_of(self.bundles, self.anchors, self.centres, projection.sizes, servers, self.arches)

    @cached_property
    def detours(self) -> Detours | None:
        """The bundles that neither run straight nor by arches or lanes without meeting boxes."""
        if len(self.bundles.pairs) > MOST_DETOURS:  # without lanes: of so many links they take long
            return None
        sizes = self.projection.sizes
        return detours(
            self._managed, self.bundles, self.anchors, self.centres, sizes, self.arches, self.lanes, self.apart
        )

    @cached_property
    def _managed(self) -> dict[int, int]:
        return self.projection.managed_switches()

    @cached_property
    def link_paths(self) -> LinkPaths:
        """The lines of links round the boxes in their way."""
        return link_paths(self.bundles, self.anchors, self.arches, self.lanes, self.detours, self.apart)

    @cached_property
    def containers(self) -> tuple[Container, ...]:
        """Frames of groups and racks, outer ones first."""
        frames = containers(self.projection, self.centres, self._shifts)
        return tuple(frames if self.gated is None else titled_below(frames))

    @cached_property
    def bounds(self) -> Rect | None:
        """Around everything drawn: left, top, right, bottom; None where there is nothing."""
        corners = [container.rect for container in self.containers]
        corners += [note.rect for note in self.notes.seen]
        if len(self.boxes):
            low, high = self.boxes[:, :2].min(axis=0), (self.boxes[:, :2] + self.boxes[:, 2:]).max(axis=0)
            corners.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
        corners += [(one.x, one.y, one.x + one.width, one.y + one.room) for one in self.layer_titles]
        if self.arches is not None or self.detours is not None or self.apart:
            points = self.link_paths.xy.reshape(-1, 2)
            corners.append((*points.min(axis=0).tolist(), *points.max(axis=0).tolist()))
        if not corners:
            return None
        lefts, tops, rights, bottoms = zip(*corners, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)

    def rect_of(self, entity_id: str) -> Rect | None:
        """Left, top, right, bottom of a device, rack, group or link as drawn; None where it is not."""
        row = self.projection.box_of(entity_id)
        if row is not None:
            x, y, width, height = self.boxes[row].tolist()
            return x, y, x + width, y + height
        link_row = self.projection.link_row(entity_id)
        if link_row is not None:
            x1, y1, x2, y2 = self.anchors.links[link_row].tolist()
            return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
        if entity_id in self.design.annotations:
            return self.notes.rect_of(entity_id)
        return next((frame.rect for frame in self.containers if frame.id == entity_id), None)

    def ports(self, row: int) -> list[PortHandle]:
        """Handles of the ports of a box, in port order; of one that stands for many devices none."""
        if not self.projection.is_single(row):
            return []
        return port_handles(self.projection, self.fronts, self.boxes, self.anchors.links, row)

    def internals(self, row: int) -> Internals | None:
        """What is inside a box; None for a switch, and where it stands for many devices."""
        if not self.projection.is_single(row):
            return None
        x, y, width, height = self.boxes[row].tolist()
        return internals_of(self.design, self.projection.device_ids[row], (x, y, x + width, y + height))

    # -- links ----------------------------------------------------------------------------------------------------

    def lines(self, detail: Detail) -> Lines:
        """The lines of all links at a detail."""
        key = (detail.links.value, detail.region)
        found = self._lines.pop(key, None)
        if found is None:
            if len(self._lines) >= LEVELS_KEPT:
                self._lines.pop(next(iter(self._lines)))
            found = self._made_lines(detail)
        self._lines[key] = found  # the last now: those that were not asked for longest go first
        return found

    def _made_lines(self, detail: Detail) -> Lines:
        if detail.links is LinkDetail.REGIONS:
            if self.torus is None:  # without anchors and courses: of so many links they take long
                sides, clear = detail.region, not self._shifts  # as they are while boxes are dragged
                return lines_between_regions(self.projection, self.centres, sides, clear=clear)
            detail = replace(detail, links=LinkDetail.TRUNKS)  # all its links are short: nothing needs gathering
        return lines_at(detail, self.projection, self.centres, self.bundles, self.anchors, self.link_paths)

    def lines_of_devices(self, rows: Iterable[int], detail: Detail) -> Lines:
        """Lines of everything these devices are linked to, as drawn; from box to box where links are gathered."""
        chosen: Flags = np.asarray(np.isin(self.bundles.pairs, list(rows)).any(axis=1))
        return lines_of_bundles(
            detail, self.projection, self.centres, self.bundles, self.anchors, self.link_paths, chosen
        )

    def link_path(self, link_row: int) -> Floats:
        """The lines along which one link runs: its own from box to box, or those round what is between."""
        return self.link_paths.of_link(link_row, self.bundles, self.anchors)

    def chosen_links(self, link_ids: Collection[str]) -> Flags:
        """A flag for each link row."""
        if len(link_ids) > LOOKED_UP and isinstance(link_ids, frozenset):
            return flags_of(link_ids, self.projection.link_ids)
        rows = list(self.projection.link_rows(link_ids).values())
        flags = np.zeros(len(self.projection.link_ids), np.bool_)
        flags[rows] = True
        return flags

    def chosen(self, ids: frozenset[str]) -> tuple[list[int], Flags | None]:
        """Rows of the boxes among these, and a flag for each link row, None where no link is among them.

        Those last asked for are remembered: a selection is painted many times, and may be of everything.
        """
        if self._chosen is None or self._chosen[0] is not ids:
            flags = self.chosen_links(ids)
            self._chosen = ids, self.projection.boxes_of(ids), flags if flags.any() else None
        return self._chosen[1], self._chosen[2]

    def loads(self, heat: Heat | None) -> Floats:
        """Load of each link by row as drawn, (n_links, 2); the heat last asked for is remembered."""
        if self._loads is None or self._loads[0] is not heat:
            self._loads = (heat, loads_as_drawn(self.projection, None if heat is None else heat.drawn))
        return self._loads[1]

    # -- the picture ----------------------------------------------------------------------------------------------

    def picture(self, theme: Theme, detail: Detail, heat: Heat | None = None) -> Picture:
        """What to draw. Heat of links that are not in it is left out, never guessed."""
        lines = self.lines(detail)
        coloured = coloured_boxes(
            self.colouring, self.projection, theme, lines, self._managed, are_links_hot=heat is not None
        )
        detail = detail if self.projection.n_own == len(self.boxes) else replace(detail, counts=True)
        forth, back = lines.utilization(self.loads(heat)) if heat is not None else (None, None)
        return Picture(
            theme,
            detail,
            self.bounds,
            self.containers,
            lines,
            forth,
            back,
            self.boxes,
            self.projection.kinds,
            tuple(self.projection.device_ids),
            self.projection.caption,
            self.ports,
            None if heat is None else legend_of(heat),
            self.internals,
            None if heat is None or heat.measure == "bytes" else self.hot_links(heat),
            coloured,
            stacks_of(self.projection, heat),
            self.notes.seen,
            title_rows(self.design) if self.notes.seen else (),
            self.far_ends,
            self.layer_titles,
            self.fronts.of_row,
        )

    def hot_links(self, heat: Heat) -> HotLinks:
        """The links that are hot and not full by design, as drawn now; those last asked for are remembered."""
        if self._hot is None or self._hot[0] is not heat or self._hot[1] != self.generation:
            demands = np.maximum(busier(loads_as_drawn(self.projection, heat.demands)), 0.0)
            drawn = np.maximum(busier(self.loads(heat)), NO_HEAT)
            ends, sizes, n_own = self.projection.ends, self.projection.sizes.copy(), self.projection.n_own
            sizes[:n_own] = 0.0  # boxes of single devices hide little
            seen = sizes if n_own < len(sizes) else None
            self._hot = heat, self.generation, HotLinks.of(drawn, demands, ends, self.centres, seen)
        return self._hot[2]
