"""Some links and devices bright over a dimmed drawing: paths, and what a device is linked to."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.heat import Heat
from designer.drawing.lit import Lit, lit_lines, lit_over, lit_picture
from designer.drawing.overlay import Overlay
from designer.drawing.parts.boxes import boxes
from designer.drawing.parts.links import counts, links
from designer.drawing.parts.lit_names import lit_names
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Pen, Rect
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks

DIMMED = 0.78
HALO_PX, HALO = 8.0, 0.30
CHOSEN_PX, CHOSEN_HALO = 12.0, 0.55
PLAIN_PX = 2.0
END_PX, END_AIR = 3.0, 3.0


def lit_layers(composition: Composition, bright: Picture, sheet: Sheet, lit: Lit) -> Iterator[Group]:
    """A veil over all that was drawn so far, and the bright picture over it."""
    left, top, width, height = sheet.area
    yield Group((Rect(left, top, width, height, Ink(sheet.theme.background, DIMMED)),), "dimmed", label="Dimmed")
    yield Group(_lines(composition, bright, sheet, lit), "lit-links", label="Links on the way")
    yield Group(counts(bright, sheet), "lit-counts", label="Link counts on the way")
    yield Group(boxes(bright, sheet), "lit-boxes", label="Devices on the way")
    if bright.stacks is not None:
        yield Group(stacks(bright, sheet), "lit-collapsed", label="Collapsed on the way")
    if lit.ends:
        yield Group(lit_names(composition, bright, sheet, lit), "lit-names", label="Names on the way")
    yield Group(_ends(composition, sheet, lit), "lit-ends", label="Ends")


def overlaid(
    composition: Composition, picture: Picture, heat: Heat | None, sheet: Sheet, overlay: Overlay
) -> Iterator[Group]:
    """The same of the paths of an overlay; nothing where it has none that is drawn."""
    if overlay.lit_ends and picture.bounds is not None:
        lit = lit_over(composition, overlay.lit_links, overlay.lit_ends)
        yield from lit_layers(composition, lit_picture(composition, picture, heat, lit), sheet, lit)


def _lines(composition: Composition, bright: Picture, sheet: Sheet, lit: Lit) -> Iterator[Part]:
    accent = sheet.theme.accent
    xy = sheet.camera.points_to_view(bright.lines.xy)
    chosen = lit_lines(composition, bright, composition.chosen_links(lit.chosen)) if lit.chosen else None
    if lit.ends and len(xy):
        yield Lines(xy, Pen(accent, HALO_PX, HALO, fixed=True))
    if chosen is not None and len(chosen.xy):
        yield Lines(sheet.camera.points_to_view(chosen.xy), Pen(accent, CHOSEN_PX, CHOSEN_HALO, fixed=True))
    if bright.loads is not None:
        yield from links(bright, sheet)
    elif len(xy):
        yield Lines(xy, Pen(accent, PLAIN_PX, fixed=True))


def _ends(composition: Composition, sheet: Sheet, lit: Lit) -> Iterator[Part]:
    for device_id in lit.ends:
        row = composition.projection.box_of(device_id)
        if row is not None:
            x, y, width, height = np.asarray(sheet.boxes(composition.boxes[row : row + 1]))[0].tolist()
            air = END_AIR
            pen = Pen(sheet.theme.accent, END_PX)
            yield Rect(x - air, y - air, width + 2 * air, height + 2 * air, pen=pen, radius=6.0)
