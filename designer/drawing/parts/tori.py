"""Tori: the names of the far ends of stubs, and the titles of layers."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.counts import Taken, corners_of
from designer.drawing.display_list import Picture
from designer.drawing.parts.primitives import Ink, Part, Rect, Text
from designer.drawing.parts.ruler import baseline, cut_to_number, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.tori import AXIS_GAP, FarEnds, LayerTitle, short_name
from designer.model.shown_text import visible_line

NAME_SIZE, LEAST_NAME_PX, MOST_NAMES = 9.0, 7.0, 600
"""Size of names in units of the canvas and the least in pixels; with more in view than so many, there are none."""
MOST_LEFT_OUT = 0.05
"""Share of the names in view that have no room with two lines: of more, all have one."""
TITLE_SIZE, TITLE_PX = 13.0, (11.0, 16.0)
LEAST_TITLE_PX, TITLE_SHARE = 8, 0.8
AXIS_PX, LEAST_AXIS_PX, AXIS_LETTERS = 11.0, 6.0, 0.8
"""Most and least size of the numbers along layers, and what of their room letters take."""
Corners = tuple[float, float, float, float]
ANCHORS = {-1: "end", 0: "middle", 1: "start"}


def far_ends(picture: Picture, sheet: Sheet) -> list[Part]:
    """The name of its far end at each stub that shows, on a plate, with the circuit switch between."""
    return picture.once_on(sheet, _far_ends)


def _far_ends(picture: Picture, sheet: Sheet) -> list[Part]:
    return list(_names(picture, sheet))


def _names(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    ends = picture.far_ends
    if ends is None or not picture.detail.names:
        return
    size = whole(max(NAME_SIZE * sheet.scale, LEAST_NAME_PX * sheet.zoom))
    points = sheet.camera.points_to_view(np.tile(ends.at, 2))[:, :2]
    left, top, width, depth = sheet.area
    shown = (points >= (left - 100, top - 20)).all(axis=1) & (points <= (left + width + 100, top + depth + 20)).all(
        axis=1
    )
    if sheet.scale < 1.0 and np.count_nonzero(shown) > MOST_NAMES:
        return
    rows = np.flatnonzero(shown).tolist()
    said = [_said(picture, ends, number) for number in rows]
    if size > NAME_SIZE * sheet.scale:  # larger than the room that is kept for them
        said = _apart(picture, ends, rows, points, said, size, sheet)
    for number, lines in zip(rows, said, strict=True):
        if lines:
            place = _place(ends, number, points[number], lines, size, sheet)
            yield from _plate(lines, place, int(ends.across[number]), size, sheet)


def _said(picture: Picture, ends: FarEnds, number: int) -> tuple[str, ...]:
    """The name of a far end and, below, of the circuit switch between."""
    name, circuit = short_name(picture.caption(int(ends.names[number])).name), visible_line(ends.circuits[number])
    return (name, circuit) if circuit else (name,)


def _place(ends: FarEnds, number: int, at: Floats, lines: tuple[str, ...], size: int, sheet: Sheet) -> Corners:
    """Left, top, width and height of a name."""
    (x, y), tall = at.tolist(), line_height(sheet.ruler, size)
    across, height = max(sheet.ruler.width(text, size) for text in lines), len(lines) * tall
    # Further lines of a slanting stub's name stand away from the names next to the box.
    middle = y + int(ends.down[number]) * height / 2 + int(ends.lean[number]) * (height - tall) / 2
    return x - across * (1 - int(ends.across[number])) / 2, middle - height / 2, across, height


def _apart(
    picture: Picture,
    ends: FarEnds,
    rows: list[int],
    points: Floats,
    said: list[tuple[str, ...]],
    size: int,
    sheet: Sheet,
) -> list[tuple[str, ...]]:
    """The text of each where letters have too little room: no name covers a box or another name.

    Where more than a few would, no circuit switch is named, as a nearer view names them all.
    """
    places = sheet.boxes(picture.boxes)
    standing = corners_of(places[sheet.boxes_on(places)])

    def fitting() -> list[tuple[str, ...]]:
        taken, found = Taken(standing), []
        for number, lines in zip(rows, said, strict=True):
            at = _place(ends, number, points[number], lines, size, sheet)
            is_free = taken.is_free(*at)
            if is_free:
                taken.take(*at)
            found.append(lines if is_free else ())
        return found

    found = fitting()
    if found.count(()) > MOST_LEFT_OUT * len(rows) and any(len(lines) > 1 for lines in said):
        said = [lines[:1] for lines in said]
        found = fitting()
    return found


def _plate(lines: tuple[str, ...], place: Corners, side: int, size: int, sheet: Sheet) -> Iterator[Part]:
    """The lines of a name on a plate, to a side of the end of their stub."""
    (left, top, width, height), tall = place, line_height(sheet.ruler, size)
    x = left + width * (1 - side) / 2
    yield Rect(left - 1, top, width + 2, height, Ink(sheet.theme.background))
    for row, text in enumerate(lines):
        low = baseline(sheet.ruler, top + (row + 0.5) * tall, size)
        yield Text(x, low, text, size, sheet.theme.muted, anchor=ANCHORS[side])


def layers_of_torus(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """The title of each layer below it, and from where routers have no names their coordinates along its sides.

    Where there is room for some that can be read.
    """
    for one in picture.layer_titles:
        if not picture.detail.names:
            yield from _axes(one, sheet)
        x, y, width, room = sheet.seen((one.x, one.y, one.x + one.width, one.y + one.room))
        asked = max(min(TITLE_PX[1] * max(1.0, sheet.scale), TITLE_SIZE * sheet.scale), TITLE_PX[0] * sheet.zoom)
        size = whole(min(asked, TITLE_SHARE * room))
        if size < LEAST_TITLE_PX * sheet.zoom:
            continue
        text = cut_to_number(sheet.ruler, one.text, width, size, True)
        if text and sheet.touches(x, y, width, room):
            tall, across = line_height(sheet.ruler, size, True), sheet.ruler.width(text, size, True)
            yield Rect(x - 2, y, across + 4, tall, Ink(sheet.theme.background))
            yield Text(x, y + sheet.ruler.ascent(size, True), text, size, sheet.theme.text, True)


def _axes(one: LayerTitle, sheet: Sheet) -> Iterator[Part]:
    """The numbers of columns above a layer, and of rows to its left."""
    size = whole(min(AXIS_PX * sheet.zoom, AXIS_LETTERS * one.axis_room * sheet.scale))
    if size < LEAST_AXIS_PX * sheet.zoom:
        return
    tall = line_height(sheet.ruler, size)
    left, top = sheet.camera.to_view(one.x - AXIS_GAP, one.top - AXIS_GAP)
    columns = [(text, sheet.camera.to_view(x, 0.0)[0]) for text, x in one.columns]
    rows = [(text, sheet.camera.to_view(0.0, y)[1]) for text, y in one.rows]
    widths = {text: sheet.ruler.width(text, size) for text, _ in (*columns, *rows)}
    apart = min((other[1] - this[1] for this, other in pairwise(columns)), default=max(widths.values()) + 2)
    down = min((other[1] - this[1] for this, other in pairwise(rows)), default=tall)
    if apart < max(widths.values()) + 2 or down < tall:
        return
    places = [(text, x, top - tall / 2, "middle") for text, x in columns]
    places += [(text, left, y, "end") for text, y in rows]
    for text, x, y, anchor in places:
        from_x = x - widths[text] * (0.5 if anchor == "middle" else 1.0)
        if sheet.touches(from_x, y - tall / 2, widths[text], tall):
            yield Rect(from_x - 1, y - tall / 2, widths[text] + 2, tall, Ink(sheet.theme.background))
            yield Text(x, baseline(sheet.ruler, y, size), text, size, sheet.theme.muted, anchor=anchor)
