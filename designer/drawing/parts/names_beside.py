"""Names of boxes too small for their usual letters: right of the box, above or below it, where a whole row has room.

Where not all rows of a group have room there, small letters in the boxes themselves.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Floats, Ints
from designer.drawing.counts import Taken, n_crossed
from designer.drawing.display_list import Picture
from designer.drawing.folding.folds import FOLDED
from designer.drawing.parts.primitives import Part, Text
from designer.drawing.parts.row_captions import NAMES, taken_before
from designer.drawing.parts.ruler import baseline, line_height, whole
from designer.drawing.parts.sheet import LEAST_NAME, Sheet
from designer.drawing.parts.standing import lines_on, over_drawing
from designer.drawing.text import row_forms
from designer.drawing.theme import letters_on
from designer.model.shown_text import visible_line

SIZES_PX = (11.0, 10.0, 9.0)
"""The largest that has room; the smallest is over 5 points where a slide is 1600 px wide."""
SMALL_PX = (8.0, 7.0, 6.0)
"""Tried for whole names on paper and in images, which are read closer, before these are cut."""
GAP_PX, AIR_PX = 4.0, 5.0
"""From a box to its name, and from that to what stands next to it."""
LETTERS = 0.7
"""What letters take of the height of a line."""
INSET_PX = 2.0
"""From the sides of a box to a name in it."""
MOST_BOXES = 400
"""Of more in sight none is named."""

MOST_HOLDING = 2000
"""Boxes in sight that hold their names: of more each one is cut by itself."""

Spots = Floats
"""Middles of names, (n, 2)."""


class _Row(NamedTuple):
    """Boxes of one kind beside each other in one frame, and their names."""

    rows: list[int]
    names: list[str]
    titles: list[str]
    """Of all frames around them."""


def names_beside(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """The names of whole rows of boxes, on one side of all of a row; of a row that has no room, none."""
    return (text for _, text in picture.once_on(sheet, _named)[0])


def names_within(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """The names of rows that have no room beside them, in the boxes: in short forms where all of a row fit in these."""
    return iter(picture.once_on(sheet, _named)[1])


def named_beside(picture: Picture, sheet: Sheet) -> Iterator[tuple[int, Text]]:
    """What `names_beside` draws, each name with the row of its box."""
    return iter(picture.once_on(sheet, _named)[0])


def _named(picture: Picture, sheet: Sheet) -> tuple[list[tuple[int, Text]], list[Text]]:
    """The names beside boxes, and those in boxes: of a group whose rows have not all room beside them."""
    beside, within = list[tuple[int, Text]](), list[Text]()
    if picture.detail.names or not sheet.smooth:
        return beside, within
    places = sheet.boxes(picture.boxes)
    seen = np.flatnonzero(sheet.boxes_on(places) & (picture.kinds != FOLDED))
    if not 0 < len(seen) <= MOST_BOXES:
        return beside, within
    taken, over = taken_before(NAMES, picture, sheet), over_drawing(picture, sheet)
    lines = np.vstack((lines_on(picture, sheet), _sides(picture, sheet)))
    for rows in _by_frame(picture, places, seen):
        n_taken, found, are_all = len(taken), list[tuple[int, Text]](), True
        for row in rows:
            texts = list(row_of_names(row.names, places[row.rows], taken, lines, sheet, row.titles))
            found += zip(row.rows, texts, strict=False)  # all of them, or none
            are_all &= bool(texts)
        inside = [] if are_all else list(_within(rows, places, over, picture, sheet))
        if inside:
            taken.give_back(n_taken)
            within += inside
        else:
            beside += found
    return beside, within


def short_in_rows(picture: Picture, sheet: Sheet, has_room: Callable[[str, float], bool]) -> dict[int, str]:
    """By row of a box that holds names, the short form of its name where one beside it has no room for its whole name.

    `has_room` says whether a text has, by the width of a box.
    """
    places, found = sheet.boxes(picture.boxes), dict[int, str]()
    seen = np.flatnonzero(sheet.boxes_on(places) & (picture.kinds != FOLDED))
    if len(seen) > MOST_HOLDING:
        return found
    for row in (row for rows in _by_frame(picture, places, seen) for row in rows):
        widths = places[row.rows, 2].tolist()
        if not all(map(has_room, row.names, widths)):
            forms = (one for one in row_forms(row.names, row.titles) if all(map(has_room, one, widths)))
            found |= zip(row.rows, next(forms, ()), strict=False)
    return found


def _by_frame(picture: Picture, places: Floats, seen: Ints) -> Iterator[list[_Row]]:
    """The rows of each kind of box in each frame; of boxes that show no name, none."""
    rows, frames = dict[tuple[int, int], dict[int, list[int]]](), _frames_of(picture, seen)
    for row, frame in zip(seen.tolist(), frames, strict=True):
        rows.setdefault((int(picture.kinds[row]), frame), {}).setdefault(round(float(places[row, 1])), []).append(row)
    for (_, frame), by_height in rows.items():
        titles = _titles_around(picture, frame)
        captions = [(boxes, [picture.caption(row) for row in boxes]) for boxes in by_height.values()]
        yield [
            _Row(boxes, [visible_line(one.name) for one in said], titles)
            for boxes, said in captions
            if all(one.is_name_shown for one in said)
        ]


def _titles_around(picture: Picture, frame: int) -> list[str]:
    """The titles of a frame and of all that are around it."""
    if frame < 0:
        return []
    left, top, right, bottom = picture.containers[frame].rect
    return [
        visible_line(one.title)
        for one in picture.containers
        if one.rect[0] <= left and one.rect[1] <= top and one.rect[2] >= right and one.rect[3] >= bottom
    ]


def _frames_of(picture: Picture, rows: Ints) -> list[int]:
    """The place of the innermost frame around each of these boxes; -1 of those in none."""
    middles = picture.boxes[rows, :2] + picture.boxes[rows, 2:] / 2
    found = np.full(len(rows), -1, np.int64)
    for place, one in enumerate(picture.containers):  # outer ones first
        low, high = np.array(one.rect[:2]), np.array(one.rect[2:])
        found[((middles > low) & (middles < high)).all(axis=1)] = place
    inner: list[int] = found.tolist()
    return inner


def row_of_names(
    names: Sequence[str], boxes: Floats, taken: Taken, lines: Floats, sheet: Sheet, titles: Sequence[str] = ()
) -> Iterator[Text]:
    """The names of a row of boxes on the first side with room for all, which they take; none without one."""
    for shown in (names, *row_forms(names, titles)):
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


def _within(rows: list[_Row], places: Floats, over: Taken, picture: Picture, sheet: Sheet) -> Iterator[Text]:
    """The names of all of these rows in their boxes, in one form and size; nothing where one has no room."""
    names = [name for row in rows for name in row.names]
    boxes = places[[one for row in rows for one in row.rows]]
    titles = [title for row in rows for title in row.titles]
    forms, are_close = (names, *row_forms(names, titles)), sheet.least_name < LEAST_NAME
    for sizes in (SIZES_PX, SMALL_PX if are_close else ()):  # "r1" is read where "su1-r1" had to be tiny
        for shown, size in itertools.product(forms, (whole(one * sheet.zoom) for one in sizes)):
            if are_close and size < sheet.least_name:
                continue
            if _fit_in(shown, size, boxes, over, sheet):
                colours = (_letters(picture, one, sheet) for row in rows for one in row.rows)
                for (x, y, wide, high), name, colour in zip(boxes.tolist(), shown, colours, strict=True):
                    line = baseline(sheet.ruler, y + high / 2, size)
                    yield Text(x + wide / 2, line, name, size, colour, anchor="middle")
                return


def _fit_in(names: list[str], size: int, boxes: Floats, over: Taken, sheet: Sheet) -> bool:
    """Whether each box has room for its name in letters of that size, and nothing lies over one."""
    inset, height = INSET_PX * sheet.zoom, line_height(sheet.ruler, size) * LETTERS
    return all(
        sheet.ruler.width(name, size) <= wide - 2 * inset and height <= high - inset and over.is_free(x, y, wide, high)
        for name, (x, y, wide, high) in zip(names, boxes.tolist(), strict=True)
    )


def _letters(picture: Picture, row: int, sheet: Sheet) -> str:
    """The color of letters that are read in a small box, which is filled with the color of its stripe."""
    codes = picture.coloured.boxes
    looks = picture.theme.boxes if codes is None else picture.coloured.box_colours
    return letters_on(looks[picture.kinds[row] if codes is None else codes[row]].stripe, sheet.theme)


def _placed(
    names: Sequence[str], size: int, boxes: Floats, taken: Taken, lines: Floats, sheet: Sheet
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
