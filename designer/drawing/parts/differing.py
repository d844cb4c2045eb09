"""Plates at boxes that stand for many: how many devices inside are added, removed or changed in a comparison."""

from collections.abc import Iterator, Mapping

from designer.drawing.counts import place_at_box
from designer.drawing.display_list import Picture
from designer.drawing.parts.primitives import Ink, Part, Pen, Rect, Text
from designer.drawing.parts.row_captions import (
    BADGE_SIZE,
    NEAR_PX,
    OFF_PX,
    PLATE_HEIGHT_PX,
    FailedPlate,
    failed_plates,
    titles_written,
)
from designer.drawing.parts.ruler import baseline, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import lines_on, standing

PAD_PX = 5.0
"""Left and right of the text on a plate."""


def differing_plates(picture: Picture, sheet: Sheet) -> Mapping[int, FailedPlate]:
    """By row of their boxes, the plates that have room: texts of links keep off them."""
    return picture.once_on(sheet, _placed)


def differing_parts(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """The plates, each in the color of what it counts."""
    size = whole(BADGE_SIZE * sheet.zoom)
    for row, plate in differing_plates(picture, sheet).items():
        _, colour = picture.differing_in[row]
        yield Rect(*plate.place, Ink(sheet.theme.background), Pen(colour, sheet.zoom), 3.0 * sheet.zoom)
        y = baseline(sheet.ruler, plate.y + plate.height / 2, size)
        yield Text(plate.x + plate.width / 2, y, plate.text, size, sheet.theme.text, bold=True, anchor="middle")


def _placed(picture: Picture, sheet: Sheet) -> dict[int, FailedPlate]:
    taken, lines = standing(picture, sheet), lines_on(picture, sheet)
    taken.take_all(titles_written(picture, sheet))
    for plate in failed_plates(picture, sheet).values():
        taken.take(*plate.place)
    size, tall = whole(BADGE_SIZE * sheet.zoom), PLATE_HEIGHT_PX * sheet.zoom
    ways = NEAR_PX * sheet.zoom, OFF_PX * sheet.zoom
    rows, found = list(picture.differing_in), dict[int, FailedPlate]()
    for row, box in zip(rows, sheet.boxes(picture.boxes[rows]).tolist(), strict=True):
        text, _ = picture.differing_in[row]
        wide = sheet.ruler.width(text, size) + 2 * PAD_PX * sheet.zoom
        at = place_at_box(box, (wide, tall), ways, sheet.area, taken, lines)
        if at is not None:
            found[row] = FailedPlate(text, *at, wide, tall)
            taken.take(*at, wide, tall)
    return found
