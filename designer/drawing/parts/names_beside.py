"""Names of boxes that are too small to hold them: right of the box, above or below it, where a whole row has room."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.bundles import Floats, Ints
from designer.drawing.counts import Taken, n_crossed
from designer.drawing.display_list import Picture
from designer.drawing.folding.folds import FOLDED
from designer.drawing.parts.primitives import Part, Text
from designer.drawing.parts.row_captions import NAMES, taken_before
from designer.drawing.parts.ruler import baseline, line_height, whole
from designer.drawing.parts.sheet import LEAST_NAME, Sheet
from designer.drawing.parts.standing import lines_on
from designer.drawing.text import label_forms
from designer.model.shown_text import visible_line

SIZES_PX = (11.0, 10.0, 9.0)
"""The largest that has room; the smallest is over 5 points where a slide is 1600 px wide."""
SMALL_PX = (8.0, 7.0, 6.0)
"""Tried for whole names on paper and in images, which are read closer, before these are cut."""
GAP_PX, AIR_PX = 4.0, 5.0
"""From a box to its name, and from that to what stands next to it."""
LETTERS = 0.7
"""What letters take of the height of a line."""
MOST_BOXES = 400
"""Of more in sight none is named."""

Spots = Floats
"""Middles of names, (n, 2)."""


def names_beside(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """The names of whole rows of boxes, on one side of all of a row; of a row that has no room, none."""
    return (text for _, text in named_beside(picture, sheet))


def named_beside(picture: Picture, sheet: Sheet) -> Iterator[tuple[int, Text]]:
    """The same, each name with the row of its box."""
    if picture.detail.names or not sheet.smooth:
        return
    places = sheet.boxes(picture.boxes)
    seen = np.flatnonzero(sheet.boxes_on(places) & (picture.kinds != FOLDED))
    if not 0 < len(seen) <= MOST_BOXES:
        return
    taken = taken_before(NAMES, picture, sheet)
    lines = np.vstack((lines_on(picture, sheet), _sides(picture, sheet)))
    rows, frames = dict[tuple[int, int, int], list[int]](), _frames_of(picture, seen)
    for row, frame in zip(seen.tolist(), frames, strict=True):
        rows.setdefault((round(float(places[row, 1])), int(picture.kinds[row]), frame), []).append(row)
    for boxes in rows.values():
        captions = [picture.caption(row) for row in boxes]
        if all(one.is_name_shown for one in captions):
            names = [visible_line(one.name) for one in captions]
            yield from zip(boxes, _row(names, places[boxes], taken, lines, sheet), strict=False)  # all of them, or none


def _frames_of(picture: Picture, rows: Ints) -> list[int]:
    """The place of the innermost frame around each of these boxes; -1 of those in none."""
    middles = picture.boxes[rows, :2] + picture.boxes[rows, 2:] / 2
    found = np.full(len(rows), -1, np.int64)
    for place, one in enumerate(picture.containers):  # outer ones first
        low, high = np.array(one.rect[:2]), np.array(one.rect[2:])
        found[((middles > low) & (middles < high)).all(axis=1)] = place
    inner: list[int] = found.tolist()
    return inner


def _row(names: list[str], boxes: Floats, taken: Taken, lines: Floats, sheet: Sheet) -> Iterator[Text]:
    for shown in _forms(names):
        are_close = sheet.least_name < LEAST_NAME
        for size in (
            whole(one * sheet.zoom) for one in (*SIZES_PX, *(SMALL_PX if are_close and shown is names else ()))
        ):
            if are_close and size < sheet.least_name:
                break
            spots, plates = _placed(shown, size, boxes, taken, lines, sheet)
            if len(spots):
                for (x, y), plate, name in zip(spots.tolist(), plates.tolist(), shown, strict=True):
                    taken.take(*plate)
                    yield Text(x, baseline(sheet.ruler, y, size), name, size, sheet.theme.text, anchor="middle")
                return


def _forms(names: list[str]) -> Iterator[list[str]]:
    """The names, then what tells them apart: "su1-r3" of leaf switches of a row."""
    yield names
    short = ["".join(label_forms(name)[-1:]) for name in names]
    if all(short) and len(set(short)) == len(short) > 1:
        yield short


def _placed(
    names: list[str], size: int, boxes: Floats, taken: Taken, lines: Floats, sheet: Sheet
) -> tuple[Spots, Floats]:
    """Middles of the names, and left, top, width and height of each, on the first side with room; none without one."""
    widths, height = np.array([sheet.ruler.width(name, size) for name in names]), line_height(sheet.ruler, size)
    sizes = np.column_stack((widths, np.full(len(widths), height)))
    for spots in _sides_of(boxes, widths, height, sheet.zoom):
        plates = np.column_stack((spots - sizes / 2, sizes))
        if _are_free(plates, AIR_PX * sheet.zoom, taken, sheet) and not _crossed(spots, widths, height, lines):
            return spots, plates
    return np.empty((0, 2)), np.empty((0, 4))


def _sides_of(boxes: Floats, widths: Floats, height: float, zoom: float) -> Iterator[Spots]:
    x, y, wide, high = boxes.T
    gap = GAP_PX * zoom
    yield np.column_stack((x + wide + gap + widths / 2, y + high / 2))
    yield np.column_stack((x + wide / 2, y - gap / 2 - height / 2))
    yield np.column_stack((x + wide / 2, y + high + gap / 2 + height / 2))


def _are_free(plates: Floats, air: float, taken: Taken, sheet: Sheet) -> bool:
    """Whether names there meet neither each other nor what is taken; letters are less high than their line."""
    left, top, across, down = sheet.area
    order = np.argsort(plates[:, 0])
    starts, ends = plates[order, 0], plates[order, 0] + plates[order, 2]
    if (starts[1:] < ends[:-1] + air).any() or starts[0] < left or ends[-1] > left + across:
        return False
    return all(
        top <= y
        and y + height <= top + down
        and taken.is_free(x, y + height * (1 - LETTERS) / 2, width + air, height * LETTERS)
        for x, y, width, height in plates.tolist()
    )


def _crossed(spots: Spots, widths: Floats, height: float, lines: Floats) -> bool:
    return any(
        n_crossed(lines, spot[None], width, height * LETTERS)[0]
        for spot, width in zip(spots, widths.tolist(), strict=True)
    )


def _sides(picture: Picture, sheet: Sheet) -> Floats:
    """The sides of frames, which no name lies over, (n, 4)."""
    found = []
    for left, top, width, height in (sheet.seen(one.rect) for one in picture.containers):
        found += [(x, top, x, top + height) for x in (left, left + width)]
        found += [(left, y, left + width, y) for y in (top, top + height)]
    return np.array(found, np.float64).reshape(-1, 4)
