"""The paper beneath a drawing, and the plate that legends stand on."""

from collections.abc import Iterator

from designer.drawing.parts.primitives import Dots, Ink, Part, Pen, Rect
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import Theme

LEAST_GRID_PX = 14.0
DOT_PX = 1.5
MOST_DOT_ZOOM = 2.0
"""In a document of thousands of boxes dots stay dots where somebody looks at a few of them."""
PLATE_ALPHA = 0.94
"""The drawing shows through a little."""


def paper(sheet: Sheet, grid_step: float | None = None) -> Iterator[Part]:
    """The ground, and on it a grid of dots, as close as they can stand without being a carpet; none without a step.

    A grid helps to draw: what is handed over has none.
    """
    yield Rect(*sheet.area, Ink(sheet.theme.background))
    if grid_step is None:
        return
    step, least = grid_step * sheet.scale, LEAST_GRID_PX * sheet.zoom
    while step < least:
        step *= 2
    if step > 8 * least:
        step /= 4
    origin = sheet.camera.to_view(0.0, 0.0)
    yield Dots(*sheet.area, step, origin, DOT_PX * min(sheet.zoom, MOST_DOT_ZOOM), Ink(sheet.theme.grid))


def plate(width: float, height: float, theme: Theme) -> Rect:
    """What a legend stands on, its left top corner at 0, 0."""
    return Rect(0.0, 0.0, width, height, Ink(theme.plate, PLATE_ALPHA), Pen(theme.plate_border), 6.0)
