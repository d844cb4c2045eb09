"""Plates at boxes that stand for many: how many devices inside are added, removed or changed in a comparison."""

from collections.abc import Iterator

from designer.drawing.display_list import Picture
from designer.drawing.parts.primitives import Ink, Part, Pen, Rect, Text
from designer.drawing.parts.row_captions import differing_plates
from designer.drawing.parts.ruler import baseline, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import BADGE_SIZE


def differing_parts(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """The plates, each in the color of what it counts."""
    size = whole(BADGE_SIZE * sheet.zoom)
    for row, plate in differing_plates(picture, sheet).items():
        _, colour = picture.differing_in[row]
        yield Rect(*plate.place, Ink(sheet.theme.background), Pen(colour, sheet.zoom), 3.0 * sheet.zoom)
        y = baseline(sheet.ruler, plate.y + plate.height / 2, size)
        yield Text(plate.x + plate.width / 2, y, plate.text, size, sheet.theme.text, bold=True, anchor="middle")
