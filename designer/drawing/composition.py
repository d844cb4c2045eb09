"""A design as it is drawn: follows edits, keeps what it calculated, and makes pictures at any detail."""

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.colouring import Colouring
from designer.drawing.display_list import Coloured, Key, Picture
from designer.drawing.faceplates import Fronts
from designer.drawing.folding.coloured import coloured_boxes
from designer.drawing.folding.folded_projection import folded
from designer.drawing.folding.folds import collapsed_in
from designer.drawing.folding.stacks import busier_as_drawn, failed_texts, hottest_as_drawn, loads_as_drawn, stacks_of
from designer.drawing.gathering import Gatherer
from designer.drawing.geometry import Container, Rect, around
from designer.drawing.heat import Heat
from designer.drawing.hot_spots import HotLinks
from designer.drawing.internals import Internals, internals_of
from designer.drawing.legend_keys import legend_keys_of
from designer.drawing.level_of_detail import Detail, LinkDetail, detail_at
from designer.drawing.lines import Lines, combed_of, lines_at, lines_of_bundles, with_gathered
from designer.drawing.link_ends import ends_text
from designer.drawing.link_rates import FailedLinks
from designer.drawing.notes import title_rows
from designer.drawing.placed import Placed, Shift
from designer.drawing.ports import PortHandle, port_handles
from designer.drawing.projected_rows import LOOKED_UP, Touched, flags_of
from designer.drawing.projection import Projection, decides_own_lines
from designer.drawing.regions import lines_between_regions
from designer.drawing.theme import LIGHT, Theme
from designer.drawing.trunks import HungCombs
from designer.late import Late
from designer.model.colour_keys import COUNT
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Group, Rack
from designer.model.settings import Settings
from designer.units import format_count

cut_off = Late("designer.drawing.cut_off")
differing = Late("designer.drawing.folding.differing")
load_legend = Late("designer.drawing.load_legend")
own_lines = Late("designer.drawing.own_lines")

LEVELS_KEPT = 8
"""Details whose lines are remembered."""
OF_APART = ("led", "managing", "gated", "stubs", "apart", "far_ends", "layer_titles")
OF_PLACES = (*OF_APART, "arches", "anchors", "lanes", "detours", "link_paths", "tier_notes")
"""What is calculated from where boxes stand and from their links."""
CAN_COLLAPSE = (Device, Group, Rack, Settings)
"""What says that it, or something in it, is collapsed; and devices, which may join a role that is."""


class Composition(Placed):
    """The drawing of one design. Everything here can be thrown away and rebuilt from the design."""

    def __init__(
        self,
        design: Design,
        hidden: frozenset[str] = frozenset(),
        projection: Projection | None = None,
        *,
        base: Projection | None = None,
    ) -> None:
        """Of a projection that is given, which nobody else brings up to date; else with what the design collapses.

        `base` is a projection of every device, where one is known.
        """
        self.base = projection or base or Projection(design, hidden)
        """Every device as a box of its own, but for what a given projection folds."""
        super().__init__(self.base if projection is not None else folded(self.base, collapsed_in(self.base)))
        self._lines: dict[tuple[str, float, bool], Lines] = {}
        self._kept_combs: dict[int, HungCombs] = {}
        self._loads: tuple[Heat | None, Floats] | None = None
        self._hot: tuple[Heat, int, HotLinks] | None = None
        self._chosen: tuple[frozenset[str], Ints, Flags | None] | None = None
        self.colouring = Colouring(self.base)
        self._heat_shown: Heat | None = None
        self._cut_off: tuple[frozenset[str], frozenset[str]] | None = None
        self._failed = FailedLinks(lambda: self.projection)
        self._keys: tuple[int, Heat | None, tuple[Key, ...]] | None = None
        self.notes.explain(lambda: self.legend_keys)
        self.fronts = Fronts(self)
        self.kept: dict[str, str] = {}
        """What was chosen for the drawing and stays while it changes."""
        self.generation = 0
        """Counts changes of the picture, so that a view knows when to paint again."""

    def draw_up(self, scales: Iterable[float] = ()) -> None:
        """Calculate beforehand what the first picture needs, and the lines at those scales: for workers."""
        base = self.base
        _ = self.bounds, self.anchors, self.boxes, self.tiers, self.tier_words
        _ = base.labelled_links(), base.looked_links(), base.led_links()
        _ = base.roles, base.port_counts(np.arange(len(base.device_ids)))  # for boxes that stand for many
        for scale in scales:
            self.lines(self.detail_at(scale)).draw_up()

    # -- keeping up -----------------------------------------------------------------------------------------------

    def follow(self, edit: Edit) -> Touched:
        """Bring the drawing up to date with an edit the design has applied."""
        touched = self.base.follow(edit)
        self._cut_off = None
        self.colouring.follow(edit, touched)
        is_folded = self.projection is not self.base
        if is_folded or touched & Touched.BOXES or not edit.kinds.isdisjoint(CAN_COLLAPSE):
            was, self.projection = self.projection, folded(self.base, collapsed_in(self.base))
            touched |= Touched.NOTHING if was is self.projection else ~Touched.NOTHING
        if touched & ~(Touched.PLACES | Touched.NOTES):
            self._keys = None
        if touched & Touched.BOXES:
            self._forget("torus", "_device_ids", "_joined", *OF_APART)
            self._shifts = {}
        if touched & Touched.LINKS:
            self._forget("bundles", "torus", "_joined", *OF_PLACES, "fabric_bounds", "containers")
            self._lines.clear()
            self._loads = self._chosen = None
        if touched & (Touched.LINKS | Touched.BOXES | Touched.PLACES):
            self._forget("gatherer")
        if touched & Touched.TEXTS and decides_own_lines(edit):
            self._lines.clear()
        if touched & (Touched.LINKS | Touched.BOXES | Touched.TEXTS):
            self._forget("rates", "link_labels", "tiers", "tier_titles", "tier_words", "tier_notes")
        if touched & Touched.PLACES:
            self._forget_places()
        if touched & Touched.CONTAINERS:
            self._forget("containers", "fabric_bounds", "tiers", "tier_titles", "_joined")
        self.notes.forget(self._shifts)
        self.generation += 1
        return touched

    def shift(self, shifts: Mapping[str, Shift]) -> None:
        """Draw these devices and racks off their places, as while they are dragged; {} puts all back."""
        if shifts != self._shifts:
            notes = self.design.annotations.keys()
            if not (notes and notes >= {**shifts, **self._shifts}.keys()):
                self._forget_places()
            self._shifts = dict(shifts)
            self.notes.forget(self._shifts)
            self.generation += 1

    def lead(self, note_id: str = "", to: Rect | None = None) -> None:
        """Draw the leader of an annotation to a box or point, as in a drag of its tip; without an id put it back."""
        self.notes.lead(note_id, to)
        self.generation += 1

    def _forget_places(self) -> None:
        self._forget("centres", *OF_PLACES, "containers", "boxes", "fabric_bounds", "tier_titles")
        self._lines.clear()

    def bend(self, bends: Mapping[str, tuple[Shift, ...]]) -> None:
        """Draw these links through other bends than the design has, as while these are dragged; {} puts all back."""
        if bends != self._bends:
            self._bends = dict(bends)
            self._forget_places()
            self.notes.forget()
            self.generation += 1

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

    def detail_at(self, scale: float) -> Detail:
        """What is worth drawing at so many pixels for a canvas unit; devices without links change nothing of it."""
        return detail_at(scale, self.bundles.n_ends, len(self.bundles.pairs), len(self.projection.link_ids))

    def lines(self, detail: Detail) -> Lines:
        """The lines of all links at a detail."""
        key = (detail.links.value, detail.region, detail.every_label)
        found = self._lines.pop(key, None)
        if found is None:
            if len(self._lines) >= LEVELS_KEPT:
                self._lines.pop(next(iter(self._lines)))
            found = _with_own_lines(self, self._made_lines(detail), detail)
        self._lines[key] = found  # the last now: those that were not asked for longest go first
        return found

    @cached_property
    def gatherer(self) -> Gatherer:
        """What gathers many links in few lines."""
        return Gatherer(self, self._kept_combs)

    def _made_lines(self, detail: Detail) -> Lines:
        gathered = self.gatherer.lines(detail)
        if detail.links is LinkDetail.REGIONS:
            if self.torus is None:  # without anchors and courses: of so many links they take long
                sides, clear = detail.region, not self._shifts  # as they are while boxes are dragged
                elsewhere = combed_of(self.bundles, gathered)[self.bundles.of_link]
                lines = lines_between_regions(self.projection, self.centres, sides, elsewhere, clear=clear)
                return with_gathered(lines, self.bundles, gathered)
            detail = replace(detail, links=LinkDetail.TRUNKS)  # all its links are short: nothing needs gathering
            gathered = self.gatherer.lines(detail)
        return lines_at(detail, self.projection, self.bundles, self.anchors, self.link_paths, gathered)

    def lines_of_devices(self, rows: Iterable[int], detail: Detail) -> Lines:
        """Lines of everything these devices are linked to, as drawn; from box to box where links are gathered."""
        chosen: Flags = np.asarray(np.isin(self.bundles.pairs, list(rows)).any(axis=1))
        return lines_of_bundles(
            detail, self.projection, self.centres, self.bundles, self.anchors, self.link_paths, chosen
        )

    def chosen_links(self, link_ids: Collection[str]) -> Flags:
        """A flag for each link row."""
        if len(link_ids) > LOOKED_UP and isinstance(link_ids, frozenset):
            return flags_of(link_ids, self.projection.link_ids)
        rows = list(self.projection.link_rows(link_ids).values())
        flags = np.zeros(len(self.projection.link_ids), np.bool_)
        flags[rows] = True
        return flags

    def chosen(self, ids: frozenset[str]) -> tuple[Ints, Flags | None]:
        """Rows of the boxes among these, and a flag for each link row, None where no link is among them.

        Those last asked for are remembered: a selection is painted many times, and may be of everything.
        """
        if self._chosen is None or self._chosen[0] is not ids:
            flags = self.chosen_links(ids)
            rows = np.array(self.projection.boxes_of(ids), np.int64)
            self._chosen = ids, rows, flags if flags.any() else None
        return self._chosen[1], self._chosen[2]

    def loads(self, heat: Heat | None) -> Floats:
        """Load of each link by row as drawn, (n_links, 2); the heat last asked for is remembered."""
        if self._loads is None or self._loads[0] is not heat:
            self._loads = (heat, loads_as_drawn(self.projection, None if heat is None else heat.drawn))
        return self._loads[1]

    @property
    def bounds(self) -> Rect | None:
        """Around everything drawn, annotations included: left, top, right, bottom; None where there is nothing."""
        notes = [one.around for one in self.notes.seen]
        fabric = self.fabric_bounds
        return around(notes if fabric is None else [fabric, *notes]) if notes else fabric

    def cut_off_by(self, failed: frozenset[str]) -> frozenset[str]:
        """Ids of the devices that these failures cut off from the fabric; those last asked for are remembered."""
        if not failed:
            return failed
        if self._cut_off is None or self._cut_off[0] != failed:
            self._cut_off = failed, cut_off.cut_off(self.base.whole(), failed)
        return self._cut_off[1]

    # -- what legends explain -------------------------------------------------------------------------------------

    def show_loads(self, heat: Heat | None) -> None:
        """Have legends among the annotations explain this heat, and none for None."""
        self._heat_shown = heat

    @property
    def legend_keys(self) -> tuple[Key, ...]:
        """What a legend among the annotations explains, whatever the colors; remembered while nothing changes it."""
        version, heat = self.colouring.version, self._heat_shown
        if self._keys is None or self._keys[0] != version or self._keys[1] is not heat:
            lines, legend = self.lines(self.detail_at(1.0)), None
            coloured = self.coloured(LIGHT, lines, are_links_hot=heat is not None)
            if heat is not None:
                legend = load_legend.legend_of(heat)
            stacks = stacks_of(self.projection, heat)
            self._keys = version, heat, legend_keys_of(LIGHT, coloured, self.projection.kinds, stacks, legend)
        return self._keys[2]

    def coloured(self, theme: Theme, lines: Lines, *, are_links_hot: bool) -> Coloured:
        """The colors of all boxes, and of these lines unless heat colors them."""
        managed = self._joined.managed
        return coloured_boxes(self.colouring, self.projection, theme, lines, managed, are_links_hot=are_links_hot)

    # -- the picture ----------------------------------------------------------------------------------------------

    def picture(self, theme: Theme, detail: Detail, heat: Heat | None = None) -> Picture:
        """What to draw. Heat of links that are not in it is left out, never guessed."""
        self.show_loads(heat)
        lines = self.lines(detail)
        coloured = self.coloured(theme, lines, are_links_hot=heat is not None)
        hot = None if heat is None or heat.measure == "bytes" else self.hot_links(heat)
        stacks = stacks_of(self.projection, heat)
        are_marked = hot is not None and (
            len(hot.marked) > 0 or any(one.n_congested for one in (stacks.hot if stacks is not None else ()))
        )
        is_counted = self.are_counted and not self.colouring.adds_devices
        has_notes = is_counted and not self.colouring.adds_any and COUNT in self.design.settings.link_labels
        detail = detail if self.projection.n_own == len(self.boxes) else replace(detail, counts=True)
        failed, marks = self._failed.links(self.generation, self.colouring.failed), self.colouring.marks
        return Picture(
            theme,
            detail,
            self.bounds,
            self._named_containers,
            lines,
            None if heat is None else self.loads(heat),
            self.boxes,
            self.projection.kinds,
            self._device_ids,
            self.projection.caption if is_counted else lambda row: self.projection.caption(row).uncounted,
            self.ports,
            None if heat is None else load_legend.legend_of(heat, are_marked=are_marked),
            self.internals,
            hot,
            coloured,
            stacks,
            self.notes.seen,
            title_rows(self.design) if self.notes.seen else (),
            self.far_ends,
            self.layer_titles,
            self.tier_titles if is_counted else (),
            link_texts=self.link_texts,
            link_amounts=partial(self.link_labels.amounts, failed=failed),
            has_own_labels=self.link_labels.has_own,
            faceplate=self.fronts.of_row,
            box_views=self._box_views,
            kept=self.kept,
            tiers=lambda: self.tier_notes if has_notes else None,
            buses=self.gatherer.titles(detail),
            failed_in=failed_texts(self.projection, self.colouring.failed),
            differing_in={} if marks is None else differing.differing_texts(self.projection, marks, theme),
        )

    @property
    def _named_containers(self) -> tuple[Container, ...]:
        """The frames; without what they hold where the other side of a comparison has more."""
        if not self.colouring.adds_devices:
            return self.containers
        return tuple(replace(one, note="", detail="") for one in self.containers)

    @cached_property
    def _device_ids(self) -> tuple[str, ...]:
        """By row: made once for many pictures, as they may be very many."""
        return tuple(self.projection.device_ids)

    @cached_property
    def _box_views(self) -> dict[Hashable, tuple[Floats, Ints, Floats]]:
        return {}

    def link_texts(self, rows: Ints) -> tuple[str, ...]:
        """What may be written on the line of these links, the longest first; of marked ones, how many differ."""
        marks, failed = self.colouring.marks, self._failed.links(self.generation, self.colouring.failed)
        if marks is None or len(rows) < 2:
            return self.link_labels.texts(rows, 0 if failed is None else int(np.count_nonzero(failed[rows])))
        differ = sum(marks.of.get(self.projection.link_ids[row], 0) > 0 for row in rows.tolist())
        if not differ:
            return self.link_labels.texts(rows)
        total = format_count(len(rows))
        return (f"all {total} differ" if differ == len(rows) else f"{format_count(differ)} of {total} differ",)

    def hot_links(self, heat: Heat) -> HotLinks:
        """The links that are hot and not full by design, as drawn now; those last asked for are remembered."""
        if self._hot is None or self._hot[0] is not heat or self._hot[1] != self.generation:
            demands = np.maximum(busier_as_drawn(self.projection, heat.demands), 0.0)
            drawn, hottest = busier_as_drawn(self.projection, heat.drawn), hottest_as_drawn(self.projection, heat)
            ends, centres, sizes = self.projection.ends, self.centres, self._hiding_sizes
            self._hot = (
                heat,
                self.generation,
                HotLinks.of(hottest, drawn, demands, ends, centres, sizes, partial(ends_text, self.projection)),
            )
        return self._hot[2]

    @property
    def _hiding_sizes(self) -> Floats | None:
        """The sizes of the boxes that hide much of the links between them; None where all are of single devices."""
        n_own = self.projection.n_own
        if n_own == len(self.projection.sizes):
            return None
        sizes = self.projection.sizes.copy()
        sizes[:n_own] = 0.0
        return sizes


def _with_own_lines(drawing: Composition, lines: Lines, detail: Detail) -> Lines:
    """The lines, with those of links whose look or label does not show on what they share with others."""
    whole, is_afar = drawing.projection.whole(), detail.links is LinkDetail.REGIONS
    looked = whole.looked_links()
    labelled = whole.labelled_links() if not is_afar and drawing.link_labels.has_own() else frozenset()
    if not (looked or labelled) or not len(lines.starts):
        return lines
    found: Lines = own_lines.drawn_apart(
        own_lines.Marked(looked, labelled),
        drawing.projection,
        lines,
        drawing.bundles,
        lambda: drawing.anchors,
        lambda: None if is_afar else drawing.link_paths,
        every_label=detail.every_label,
    )
    return found


def laid_over(design: Design, hidden: frozenset[str] = frozenset()) -> Composition:
    """The drawing of two designs that were made one to show what differs: every device, and no counts of the sum."""
    made = Composition(design, projection=Projection(design, hidden))
    made.are_counted = False
    return made
