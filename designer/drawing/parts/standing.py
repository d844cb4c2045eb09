"""What stands on a sheet before texts look for places: boxes, titles of groups, annotations, and what is reserved."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Floats, Ints
from designer.drawing.counts import Taken, corners_of, place_at_box
from designer.drawing.display_list import Picture
from designer.drawing.geometry import Rect
from designer.drawing.parts.frames import title_corners
from designer.drawing.parts.ruler import whole
from designer.drawing.parts.sheet import Sheet

LINES_REACH_PX = 12.0
"""How far from the middle of a line its borders, its other direction and its arrows may be."""
MOST_KEPT_CLEAR = 20_000
"""Of more lines in sight titles keep clear of a share."""
TIP_REACH_PX = 5.0
"""Around the tip of a leader no text stands."""
BADGE_SIZE, PLATE_HEIGHT_PX, NEAR_PX, OFF_PX = 10, 14.0, 2.0, 8.0
"""Of the plate at a box for many: letters, height, and its way to that; plates of its stack are below and right."""


def standing(picture: Picture, sheet: Sheet) -> Taken:
    """A list for texts that begins with what stands there, whatever is written."""
    return picture.once_on(sheet, _standing).copy()


def over_drawing(picture: Picture, sheet: Sheet) -> Taken:
    """What is drawn over texts: annotations that are not behind the fabric, tips of leaders, and what is reserved."""
    return picture.once_on(sheet, _over)


def fabric(picture: Picture, sheet: Sheet) -> Taken:
    """Boxes, and titles of groups with what is noted there."""
    return picture.once_on(sheet, _fabric)


def lines_seen(picture: Picture, sheet: Sheet) -> Ints:
    """Rows of the lines that show; remembered for the next picture of the same lines."""
    place, views = (sheet.camera, sheet.area), picture.lines.views
    if place not in views:
        rows = picture.lines.through(sheet.around(LINES_REACH_PX * sheet.zoom))
        views.clear()
        views[place] = rows
    return views[place]


def note_lines(picture: Picture, sheet: Sheet) -> Floats:
    """The leaders of annotations, and the lines and borders of those behind the fabric, on the sheet, (n, 4)."""
    xy = [(*one.leader[0], *one.leader[1]) for one in picture.notes if one.leader is not None]
    behind = [one for one in picture.notes if one.is_behind]
    xy += [(*one.start, *one.end) for one in behind if one.is_straight]
    for left, top, right, bottom in (one.rect for one in behind if not one.is_straight):
        xy += [(left, top, right, top), (left, bottom, right, bottom)]
        xy += [(left, top, left, bottom), (right, top, right, bottom)]
    return sheet.camera.points_to_view(np.array(xy, np.float64).reshape(-1, 4))


def lines_on(picture: Picture, sheet: Sheet) -> Floats:
    """What no title should cover, (n, 4): the lines of links that show, or a share of many, and of annotations."""
    return picture.once_on(sheet, _lines)


def _lines(picture: Picture, sheet: Sheet) -> Floats:
    shown = lines_seen(picture, sheet)
    chosen = shown[:: 1 + len(shown) // MOST_KEPT_CLEAR]
    found: Floats = np.vstack((sheet.camera.points_to_view(picture.lines.xy[chosen]), note_lines(picture, sheet)))
    return found


def _fabric(picture: Picture, sheet: Sheet) -> Taken:
    titles = title_corners(picture, sheet)
    return Taken(corners_of(np.vstack((sheet.boxes(picture.boxes), titles))))


def _standing(picture: Picture, sheet: Sheet) -> Taken:
    return Taken(np.vstack((fabric(picture, sheet).corners, over_drawing(picture, sheet).corners)))


def _over(picture: Picture, sheet: Sheet) -> Taken:
    found, reach = list[Rect](sheet.reserved), TIP_REACH_PX * sheet.zoom
    for one in picture.notes:
        if one.leader is not None:
            x, y = sheet.camera.to_view(*one.leader[1])
            found.append((x - reach, y - reach, 2 * reach, 2 * reach))
        if not one.is_behind and not one.is_straight:
            found.append(sheet.seen(one.rect))
    return Taken(corners_of(np.array(found, np.float64).reshape(-1, 4)))


# -- what is counted at boxes for many --------------------------------------------------------------------------------


class BoxPlate(NamedTuple):
    """How many of what is in a box have failed or differ, with the place of the plate on the sheet."""

    text: str
    x: float
    y: float
    width: float
    height: float

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Left, top, width and height."""
        return self[1:]


NO_PLATES: Mapping[int, BoxPlate] = {}


def box_plates(
    texts: Mapping[int, Sequence[str]],
    pad: float,
    written: Floats,
    picture: Picture,
    sheet: Sheet,
    *,
    fit: bool = False,
) -> dict[int, BoxPlate]:
    """By row of a box, the first of its texts that has room there, `pad` px from the sides of its plate.

    Off the corners of what is `written`, (n, 4); to `fit`, a plate is no larger than the box.
    """
    taken, lines = standing(picture, sheet), lines_on(picture, sheet)
    taken.take_all(written)
    found, (size, tall) = dict[int, BoxPlate](), (whole(BADGE_SIZE * sheet.zoom), PLATE_HEIGHT_PX * sheet.zoom)
    ways = NEAR_PX * sheet.zoom, OFF_PX * sheet.zoom
    for row, box in zip(texts, sheet.boxes(picture.boxes[list(texts)]).tolist(), strict=True):
        for text in texts[row]:
            wide = sheet.ruler.width(text, size) + 2 * pad * sheet.zoom
            has_room = not fit or (wide <= box[2] and tall <= box[3])
            at = place_at_box(box, (wide, tall), ways, sheet.area, taken, lines) if has_room else None
            if at is not None:
                found[row] = BoxPlate(text, *at, wide, tall)
                taken.take(*at, wide, tall)
                break
    return found
