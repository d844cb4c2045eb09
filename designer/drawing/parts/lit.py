"""Some links and devices bright over a dimmed drawing: paths with names on them, and what a device is linked to."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.bundles import Flags, Floats
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken, corners_of
from designer.drawing.display_list import Picture
from designer.drawing.folding.folds import FOLDED
from designer.drawing.heat import Heat
from designer.drawing.lit import Lit, are_coloured, lit_lines, lit_over, lit_picture, with_lines
from designer.drawing.overlay import Overlay
from designer.drawing.parts.annotations import annotations, bright_behind, zone_titles
from designer.drawing.parts.boxes import boxes
from designer.drawing.parts.links import counts, links
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Pen, Rect, Text
from designer.drawing.parts.row_captions import LIT_NAMES, taken_before, written
from designer.drawing.parts.ruler import baseline, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.theme import mixed
from designer.model.shown_text import visible_line

DIMMED = 0.78
HALO_PX, HALO = 8.0, 0.30
CHOSEN_PX, CHOSEN_HALO = 12.0, 0.55
PLAIN_PX, CHOSEN_PLAIN_PX = 2.0, 3.0
THIN_PX, THIN = 1.0, 0.35
"""How lines are drawn that are lit, but not those that are chosen."""
THIN_HALO_PX, BRIGHT_HALO, CORE_PX = 5.0, 0.40, 3.5
BROUGHT_OUT_PX, BROUGHT_OUT = 1.4, 0.75
"""How the lines of selected devices are drawn: those with colors on a halo, others in the color of the selection."""
MOST_BROAD = 80
"""More lines would run into an area: without a halo, each is as thin as lines are elsewhere."""
END_PX, END_AIR = 3.0, 3.0
TEXT_PX = 11.0
INSET_PX, GAP_PX = 3.0, 4.0
NAMED_FROM_PX = 64.0
"""Boxes that are wider bear their names themselves, where the picture has names."""
MOST_NAMES = 40
LEVELS = 5
"""So many lines above a box, or below, are tried for its plate."""


def lit_layers(composition: Composition, picture: Picture, bright: Picture, sheet: Sheet, lit: Lit) -> Iterator[Group]:
    """A veil over all of the picture that was drawn so far, and the bright picture over it.

    Annotations behind the fabric keep their colors; those over it are drawn when all of these are: see `lit_notes`.
    """
    left, top, width, height = sheet.area
    yield Group((Rect(left, top, width, height, Ink(sheet.theme.background, DIMMED)),), "dimmed", label="Dimmed")
    if any(one.is_behind for one in picture.notes):
        yield Group(bright_behind(picture, sheet, DIMMED), "lit-zones", label="Zones, not dimmed")
    yield Group(_lines(composition, bright, sheet, lit), "lit-links", label="Links on the way")
    yield Group(counts(bright, sheet), "lit-counts", label="Link counts on the way")
    yield Group(boxes(bright, sheet), "lit-boxes", label="Devices on the way")
    if bright.stacks is not None:
        yield Group(stacks(bright, sheet), "lit-collapsed", label="Collapsed on the way")
    if lit.ends:
        yield Group(lit_names(composition, bright, sheet, lit), "lit-names", label="Names on the way")
    yield Group(_ends(composition, sheet, lit), "lit-ends", label="Ends")


def lit_notes(picture: Picture, sheet: Sheet) -> Iterator[Group]:
    """The annotations over the fabric, and the titles of zones: they belong to the sheet, and no path dims them."""
    if picture.notes:
        yield Group(zone_titles(picture, sheet), "zone-titles", label="Titles of zones")
        yield Group(annotations(picture, sheet, behind=False), "annotations", label="Annotations")


def overlaid(
    composition: Composition, picture: Picture, heat: Heat | None, sheet: Sheet, overlay: Overlay
) -> Iterator[Group]:
    """The same of the paths of an overlay, annotations last; nothing where it has none that is drawn."""
    if overlay.lit_ends and picture.bounds is not None:
        lit = lit_over(composition, overlay.lit_links, overlay.lit_ends)
        bright = lit_picture(composition, picture, heat, lit)
        yield from lit_layers(composition, picture, bright, sheet, lit)
        yield from lit_notes(picture, sheet)


def _lines(composition: Composition, bright: Picture, sheet: Sheet, lit: Lit) -> Iterator[Part]:
    """All lit lines; where some are chosen, these broad over the others, which are thin and pale."""
    accent, width, halo = sheet.theme.accent, PLAIN_PX, (HALO_PX, HALO)
    xy = sheet.camera.points_to_view(bright.lines.xy)
    chosen = lit_lines(composition, bright, composition.chosen_links(lit.chosen)) if lit.chosen else None
    if chosen is not None and len(chosen.xy):
        yield Lines(xy, Pen(accent, THIN_PX, THIN, fixed=True))
        bright, xy = with_lines(composition, bright, chosen), sheet.camera.points_to_view(chosen.xy)
        width, halo = CHOSEN_PLAIN_PX, (CHOSEN_PX, CHOSEN_HALO)
    is_broad = len(xy) <= MOST_BROAD
    if lit.ends and is_broad and len(xy):
        yield Lines(xy, Pen(accent, *halo, fixed=True))
    if are_coloured(bright):
        yield from links(bright, sheet)
    elif len(xy):
        yield Lines(xy, Pen(accent, width if is_broad else THIN_PX, fixed=True))


def brought_out(bright: Picture, sheet: Sheet) -> Iterator[Part]:
    """Lines over a drawing that is not dimmed: in their colors on a halo, or in that of the selection without any."""
    xy, accent = sheet.camera.points_to_view(bright.lines.xy), sheet.theme.accent
    if not are_coloured(bright):
        yield Lines(xy, Pen(accent, BROUGHT_OUT_PX, BROUGHT_OUT))
    elif len(xy):
        pale = mixed(accent, sheet.theme.background, BRIGHT_HALO)  # opaque: all as pale where many lie on each other
        halo_px = HALO_PX if len(xy) <= MOST_BROAD else THIN_HALO_PX
        yield Lines(xy, Pen(pale, halo_px, fixed=True))
        if halo_px == HALO_PX:  # on the color of a halo a pale one would hardly be seen
            yield Lines(xy, Pen(sheet.theme.background, CORE_PX, fixed=True))
        yield from links(bright, sheet)


def _ends(composition: Composition, sheet: Sheet, lit: Lit) -> Iterator[Part]:
    for device_id in lit.ends:
        row = composition.projection.box_of(device_id)
        if row is not None:
            x, y, width, height = np.asarray(sheet.boxes(composition.boxes[row : row + 1]))[0].tolist()
            air = END_AIR
            pen = Pen(sheet.theme.accent, END_PX)
            yield Rect(x - air, y - air, width + 2 * air, height + 2 * air, pen=pen, radius=6.0)


def lit_names(composition: Composition, bright: Picture, sheet: Sheet, lit: Lit) -> Iterator[Part]:
    """A plate with the name of each box of the bright picture that shows none: ends first, then the chosen way.

    One farther away covers no other box, and the line that joins it to its own crosses none, nor a title; else it is
    left out. Ends have their names in any case.
    """
    places = sheet.boxes(bright.boxes)
    seen = sheet.boxes_on(places)
    taken = taken_before(LIT_NAMES, bright, sheet)
    middle = float(np.median(places[:, 1] + places[:, 3] / 2)) if len(places) else 0.0
    size = whole(TEXT_PX * sheet.zoom)
    around, ends = _Around(composition, bright, sheet), {composition.projection.box_of(one) for one in lit.ends}
    hairlines, named = [], []
    for row in _wanted(composition, bright, lit, places, seen, sheet)[:MOST_NAMES]:
        box = composition.projection.row_of[bright.device_ids[row]]
        name = _name(composition, box, lit)
        width = sheet.ruler.width(name, size) + 2 * INSET_PX * sheet.zoom
        height = line_height(sheet.ruler, size) + INSET_PX * sheet.zoom
        free = list(_free_places(places[row], width, height, taken, sheet, is_low=float(places[row, 1]) > middle))
        clear = (at for at in free if around.are_clear(_hairline(at, height, places[row]), (*at, width, height)))
        at = next(clear, free[0] if box in ends and free else None)
        if at is not None:
            taken.take(*at, width, height)
            hairlines.append(_hairline(at, height, places[row]))
            named.append(_plate(at, width, height, name, sheet))
    if named:  # every name is written over the hairlines of the others
        yield Lines(np.array(hairlines), Pen(sheet.theme.muted, sheet.zoom))
        yield from named


class _Around:
    """What a plate away from its box, and the line that joins them, keep clear of: all boxes, and titles."""

    def __init__(self, composition: Composition, bright: Picture, sheet: Sheet) -> None:
        places = sheet.boxes(composition.boxes)
        boxes = corners_of(places[sheet.boxes_on(places)])
        self._boxes, self._between = Taken(boxes), Taken(np.vstack((boxes, written(bright, sheet))))
        self._near = 2 * GAP_PX * sheet.zoom

    def are_clear(self, hairline: tuple[float, float, float, float], plate: tuple[float, float, float, float]) -> bool:
        """Whether a plate stands next to its box, or covers no dimmed one, and its line crosses nothing."""
        x, y, _, end = hairline
        length = abs(end - y)
        return length <= self._near or (
            self._between.is_free(x, min(y, end), 0.0, length) and self._boxes.is_free(*plate)
        )


def _name(composition: Composition, row: int, lit: Lit) -> str:
    """Of a box its name; where an end is inside of it, that of the end too: "SU 1: gpu-001"."""
    projection, title = composition.projection, composition.projection.title_at(row)
    inside = [one for one in lit.ends if projection.box_of(one) == row] if not projection.is_single(row) else []
    names = [composition.design.devices[one].name for one in inside if one in composition.design.devices]
    return visible_line(f"{title}: {', '.join(names)}" if names else title)


def _wanted(
    composition: Composition, bright: Picture, lit: Lit, places: Floats, seen: Flags, sheet: Sheet
) -> list[int]:
    """Rows of the bright picture without a name of their own that show: ends, the chosen way, then all others."""
    projection = composition.projection
    ends = {projection.box_of(one) for one in lit.ends}
    links = list(projection.link_rows(lit.chosen).values())
    chosen = set(np.unique(projection.ends[links]).tolist()) if links else set()
    is_named = (places[:, 2] >= NAMED_FROM_PX * sheet.zoom) & (bright.detail.names | (bright.kinds == FOLDED))
    bare = seen & ~is_named
    rows = np.flatnonzero(bare).tolist()
    box = [projection.row_of[one] for one in bright.device_ids]
    return sorted(rows, key=lambda row: (box[row] not in ends, box[row] not in chosen, row))


def _free_places(
    box: Floats, width: float, height: float, taken: Taken, sheet: Sheet, *, is_low: bool
) -> Iterator[tuple[float, float]]:
    """Left and top of plates above or below the box that cover nothing, the nearest first."""
    x, top, wide, high = box.tolist()
    gap, (left, upper, across, down) = GAP_PX * sheet.zoom, sheet.area
    x = max(left + gap, min(x + wide / 2 - width / 2, left + across - width - gap))
    above = [top - (step + 1) * (height + gap) for step in range(LEVELS)]
    below = [top + high + gap + step * (height + gap) for step in range(LEVELS)]
    for y in (*below, *above) if is_low else (*above, *below):
        if upper <= y <= upper + down - height and taken.is_free(x, y, width, height):
            yield x, y


def _hairline(at: tuple[float, float], height: float, box: Floats) -> tuple[float, float, float, float]:
    """What leads from a plate to the middle of its box."""
    middle, y = float(box[0] + box[2] / 2), at[1]
    return (middle, y, middle, float(box[1] + box[3])) if y >= box[1] else (middle, y + height, middle, float(box[1]))


def _plate(at: tuple[float, float], width: float, height: float, name: str, sheet: Sheet) -> Part:
    theme, zoom = sheet.theme, sheet.zoom
    size = whole(TEXT_PX * zoom)
    return Group(
        (
            Rect(0.0, 0.0, width, height, Ink(theme.plate), Pen(theme.link, zoom), 3.0 * zoom),
            Text(INSET_PX * zoom, baseline(sheet.ruler, height / 2, size), name, size, theme.text),
        ),
        at=at,
    )
