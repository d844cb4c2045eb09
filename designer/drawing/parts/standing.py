"""What stands on a sheet before texts look for places: boxes, titles of groups, annotations, and what is reserved."""

import numpy as np

from designer.drawing.counts import Taken, corners_of
from designer.drawing.display_list import Picture
from designer.drawing.geometry import Rect
from designer.drawing.parts.frames import title_corners
from designer.drawing.parts.sheet import Sheet

TIP_REACH_PX = 5.0
"""Around the tip of a leader no text stands."""


def standing(picture: Picture, sheet: Sheet) -> Taken:
    """A list for texts that begins with what stands there, whatever is written."""
    return picture.once_on(sheet, _standing).copy()


def over_drawing(picture: Picture, sheet: Sheet) -> Taken:
    """What is drawn over texts: annotations that are not behind the fabric, tips of leaders, and what is reserved."""
    return picture.once_on(sheet, _over)


def fabric(picture: Picture, sheet: Sheet) -> Taken:
    """Boxes, and titles of groups with what is noted there."""
    return picture.once_on(sheet, _fabric)


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
