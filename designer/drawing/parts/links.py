"""Links: their lines, cool before hot, the arrows of single directions, counts beside bundles, beacons of hot ones."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from designer.drawing.counts import MOST_COUNTS, CountPlaces
from designer.drawing.display_list import LEAST_HOT_WIDTH, Picture
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import baseline, clamped, line_height, whole
from designer.drawing.parts.sheet import Sheet

COUNT_SIZE = 10.0
COUNT_PX = (9.0, 11.0)
MOST_WIDE = 5000
"""Hot lines of one colour; more are drawn thin while the picture moves."""
MOST_ARROWS = 400
"""With more links in view, arrows would be all there is to see."""
ARROW_PX = 9.0
ARROW_PLACE = 0.72
"""Where on a line its arrow stands: those of the two directions of a link stand apart."""
LEAST_LINE_PX = 60.0


def links(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """All lines that show, those of one colour and width together."""
    shown = sheet.lines_on(sheet.camera.points_to_view(picture.lines.xy))
    if not shown.any():
        return
    for stroke in picture.strokes(sheet.scale, shown):
        width = stroke.width
        if not sheet.smooth:
            width = 0.0 if width < LEAST_HOT_WIDTH or len(stroke.xy) > MOST_WIDE else LEAST_HOT_WIDTH
        yield Lines(sheet.camera.points_to_view(stroke.xy), Pen(stroke.colour, width, fixed=True))
    if sheet.smooth:
        yield from _arrows(picture, sheet, shown)


def _arrows(picture: Picture, sheet: Sheet, shown: NDArray[np.bool_]) -> Iterator[Part]:
    """An arrow on each direction of the shown lines that carries anything, in its heat's colour."""
    if not picture.detail.both_ways or np.count_nonzero(shown) > MOST_ARROWS:
        return
    for stroke in picture.directions(sheet.scale, shown):
        xy = sheet.camera.points_to_view(stroke.xy)
        along = xy[:, 2:] - xy[:, :2]
        length = np.hypot(along[:, 0], along[:, 1])
        rows = length >= LEAST_LINE_PX
        unit = along[rows] / length[rows, None]
        tip = xy[rows, :2] + along[rows] * ARROW_PLACE + unit * ARROW_PX
        side = np.stack((-unit[:, 1], unit[:, 0]), axis=1) * (ARROW_PX / 2)
        foot = tip - unit * ARROW_PX
        ink = Ink(stroke.colour)
        for a, b, c in np.stack((tip, foot + side, foot - side), axis=1).tolist():
            yield Path(((a[0], a[1]), (b[0], b[1]), (c[0], c[1])), ink, closed=True)


def counts(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """How many links a bundle holds, on a plate where nothing else stands."""
    lines, ruler = picture.lines, sheet.ruler
    if not picture.detail.counts or not len(lines.xy):
        return
    xy = sheet.camera.points_to_view(lines.xy)
    rows = np.flatnonzero(lines.direct & (lines.counts > 1) & sheet.lines_on(xy))
    if not 0 < len(rows) <= MOST_COUNTS:
        return
    size = whole(clamped(COUNT_SIZE * sheet.scale, COUNT_PX))
    height = line_height(ruler, size)
    corners = sheet.boxes(picture.boxes)
    corners[:, 2:] += corners[:, :2]
    places = CountPlaces(xy[rows], corners)
    for row in rows.tolist():
        text = f"×{lines.counts[row]}"
        width = ruler.width(text, size) + 6
        middle = places.place_on(xy[row], width, height)
        if middle is not None:
            x, y = middle
            ink = Ink(picture.theme.background)
            yield Group(
                (
                    Rect(x - width / 2, y - height / 2, width, height, ink, radius=3.0),
                    Text(x, baseline(ruler, y, size), text, size, picture.theme.muted, anchor="middle"),
                )
            )


def beacons(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """Diamonds round hot links that are too short to be seen."""
    for stroke in picture.beacons(sheet.scale / sheet.zoom):
        pen = Pen(stroke.colour, stroke.width, square=True, fixed=True)
        yield Lines(sheet.camera.points_to_view(stroke.xy), pen)
