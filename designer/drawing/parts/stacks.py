"""Boxes that stand for many devices: a stack of plates with its name, its devices, its ports and the load inside."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from designer.drawing.bundles import Floats, Ints
from designer.drawing.display_list import CONGESTED_CLASS, Picture, class_of, colour_of_class
from designer.drawing.folding.folds import FOLDED
from designer.drawing.folding.stacks import Stack, Stacks
from designer.drawing.geometry import Rect as Corners
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Pen, Rect, Text
from designer.drawing.parts.row_captions import caption_parts, row_captions
from designer.drawing.parts.ruler import baseline, cut_to_number, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stack_words import (
    INSET,
    LEADING,
    LOW_NAME_PX,
    NAME_PX,
    SIGN,
    STRIPE,
    Words,
    begin_beside,
    name_size,
    room_for_words,
    sign_room,
    words_of,
)
from designer.drawing.text import short_form
from designer.drawing.theme import BoxColours, Theme
from designer.late import Late
from designer.model.shown_text import visible_line

differing = Late("designer.drawing.parts.differing")

OFFSET, PLATES_SHARE = 3.0, 0.5
"""Between the plates of a stack, and how much of the gap to the next box they take at most."""
CLEAR_PX = 3.5
"""What plates leave of that gap at least: a link, and the outline of a box with hot links inside, show in it."""
MOST_COMPARED = 400_000
"""Pairs of a collapsed box and any other in sight."""
LEAST_NUMBER_PX = 7.5
"""A box so high has room for its number, whose figures reach below no line, and for no name."""
MOST_LOW = 400
"""Of more boxes in sight that are lower none is numbered."""
LEAST_STACK_PX, LEAST_OFFSET_PX, LEAST_TEXT_PX, LEAST_NAME_WIDTH_PX = 18.0, 1.0, 9.5, 10.0
SIGN_REACH = 8.0
"""From the middle of the sign of a box, where a click opens it."""
LEAST_NAME_ROOM_PX = 26.0
"""With less room across, a box bears its number alone."""
STEPS, MARK_AIR_PX = (1, 2, 5, 10, 20, 50, 100), 4.0
"""Every how many of a row of boxes too narrow for all numbers have theirs, and the least air between two."""
NARROW_INSET, NARROW_STRIPE = 12.0, 8.0
"""Of the width of a narrow box, the share before its stripe and that of the stripe."""


def stacks(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """All that show."""
    if picture.stacks is None:
        return
    places = sheet.boxes(picture.boxes)
    rows = np.flatnonzero(sheet.boxes_on(places) & (picture.kinds == FOLDED))
    places[:, 2:] = np.maximum(places[:, 2:], 2.0)
    shown = [(row, *place) for row, place in zip(rows.tolist(), places[rows].tolist(), strict=True)]
    sizes = _name_sizes(picture.stacks, shown, sheet) if picture.detail.names or picture.detail.counts else {}
    captions = row_captions(picture, sheet)
    explained = {row: caption.is_whole for caption in captions for row in caption.rows}
    steps = _steps(picture.stacks, shown, sheet) if picture.detail.names or picture.detail.counts else {}
    low = _low_marked(picture.stacks, shown, sheet) if picture.detail.names or picture.detail.counts else {}
    marks: list[Part] = []
    offsets = _offsets(places, rows, sheet) if shown else []
    for (row, x, y, width, height), offset in zip(shown, offsets, strict=True):
        stack = picture.stacks.at(row)
        parts = [*_plates(stack, sheet, width, height, offset, _marked(picture, row))]
        if (step := steps.get((round(y), round(width)))) is not None:
            marks += _mark(_number_of(visible_line(stack.name)), step, (x + width / 2, y + height / 2), sheet)
        elif low.get(row):
            marks += _mark(low[row], 1, (x + width / 2, y + height / 2), sheet)
        elif picture.detail.names or picture.detail.counts:
            name = visible_line(stack.name)
            size = sizes[round(y), round(width)]
            ports = partial(picture.stacks.ports, row)
            name, size = (name, size) if size else (short_form(name) or name, name_size(height, sheet))
            left, top, *seen = _part_in_sight((x, y, width, height), sheet)
            words = _words(stack, name, ports, sheet, (seen[0], seen[1]), size, explained=explained.get(row))
            parts += words if (left, top) == (x, y) else [Group([*words], at=(left - x, top - y))]
        yield Group(parts, title=_reported(stack), at=(x, y))
    yield from marks
    yield from caption_parts(captions, sheet)
    if picture.differing_in:
        yield from differing.differing_parts(picture, sheet)


def is_on_sign(place: Sequence[float], sheet: Sheet, x: float, y: float) -> bool:
    """Whether a pixel is on the sign of the box that stands there: left, top, width and height on the sheet."""
    left, top, width, height = _part_in_sight((place[0], place[1], place[2], place[3]), sheet)
    if not sign_room(width, sheet) or height < LEAST_TEXT_PX * sheet.zoom:
        return False
    at_x, at_y = _sign_middle(width, height, sheet)
    return max(abs(x - left - at_x), abs(y - top - at_y)) <= SIGN_REACH * sheet.zoom


def _sign_middle(width: float, height: float, sheet: Sheet) -> tuple[float, float]:
    """Near the upper right corner of a box, or in the middle of a low one."""
    return width - (INSET + SIGN / 2) * sheet.zoom, min(height / 2, (INSET + SIGN / 2) * sheet.zoom)


def _part_in_sight(place: Corners, sheet: Sheet) -> Corners:
    """The part of a box that shows, in which its words stand: left, top, width and height."""
    left, top, across, down = sheet.area
    x, y, width, height = place
    low, high = max(x, left), min(x + width, left + across)
    upper, lower = max(y, top), min(y + height, top + down)
    return low, upper, max(high - low, 0.0), max(lower - upper, 0.0)


def _reported(stack: Stack) -> str:
    load = f"busiest link inside: {stack.load_in_full}" if stack.load_text else ""
    return "\n".join(line for line in (stack.name, stack.devices, load) if line)


def _marked(picture: Picture, row: int) -> BoxColours | None:
    """The colors of what is marked inside, as in a comparison; None where nothing is."""
    codes = picture.coloured.stacks
    return None if codes is None or codes[row] < 0 else picture.coloured.box_colours[codes[row]]


def _offsets(places: Floats, rows: Ints, sheet: Sheet) -> list[float]:
    """How far the plates of these boxes stand out of each other, so that none reaches the next box beside or below.

    0 where there is no room for any. `places` are those of all boxes, left, top, width and height. Those of a row, of a
    column and of one size are alike; with very many boxes only those of rows and columns keep clear of each other.
    """
    middles, found = places[:, :2] + places[:, 2:] / 2, np.full(len(places), OFFSET * sheet.zoom)
    seen = np.flatnonzero(sheet.boxes_on(places))
    for axis in (0, 1):
        line = np.round(middles[seen, 1 - axis])
        order = seen[np.lexsort((places[seen, axis], line))]
        one, following = order[:-1], order[1:]
        same = np.round(middles[one, 1 - axis]) == np.round(middles[following, 1 - axis])
        one, following = one[same], following[same]
        gap = places[following, axis] - places[one, axis] - places[one, axis + 2]
        found[one] = np.minimum(found[one], np.maximum(gap, 0.0) * PLATES_SHARE / 2)
        found[rows] = _least_of_each(found[rows], np.round(middles[rows, 1 - axis]))
    if len(rows) * len(seen) <= MOST_COMPARED:
        gaps = _gaps(places[rows], places[seen], sheet)
        least = np.minimum(gaps * PLATES_SHARE, np.maximum(0.0, gaps - CLEAR_PX * sheet.zoom))
        found[rows] = np.minimum(found[rows], least / 2)
        found[rows] = _least_of_each(found[rows], np.round(places[rows, 2:]) @ (1.0, 1e6))
    offsets: list[float] = np.where(found < LEAST_OFFSET_PX * sheet.zoom, 0.0, found)[rows].tolist()
    return offsets


def _gaps(boxes: Floats, others: Floats, sheet: Sheet) -> Floats:
    """From each of these boxes to the nearest of the others that is right of its plates or below them; inf of none."""
    found, reach = np.full(len(boxes), np.inf), 2 * OFFSET * sheet.zoom
    ends = boxes[:, :2] + boxes[:, 2:]
    for axis in (0, 1):
        beside = (others[:, 1 - axis] < ends[:, None, 1 - axis] + reach) & (
            others[:, 1 - axis] + others[:, 3 - axis] > boxes[:, None, 1 - axis]
        )
        gaps = others[:, axis] - ends[:, None, axis]
        found = np.minimum(found, np.where(beside & (gaps >= 0.0), gaps, np.inf).min(axis=1, initial=np.inf))
    return found


def corners_with_plates(picture: Picture, sheet: Sheet) -> Floats:
    """Left, top, right and bottom of the collapsed boxes that show, with the plates behind them, (n, 4)."""
    places = sheet.boxes(picture.boxes)
    rows = np.flatnonzero(sheet.boxes_on(places) & (picture.kinds == FOLDED))
    if not len(rows):
        return np.empty((0, 4))
    behind = 2 * np.array(_offsets(places, rows, sheet))[:, None]
    return np.hstack((places[rows, :2], places[rows, :2] + places[rows, 2:] + behind))


def _least_of_each(values: Floats, lines: Floats) -> Floats:
    """For each value the least one on its line: the last box of a row looks like the others."""
    _, of = np.unique(lines, return_inverse=True)
    least = np.full(len(values), np.inf)
    np.minimum.at(least, of.reshape(-1), values)
    found: Floats = least[of.reshape(-1)]
    return found


def _plates(
    stack: Stack, sheet: Sheet, width: float, height: float, offset: float, marked: BoxColours | None = None
) -> Iterator[Part]:
    """Three plates, the front one with a stripe: in the color of its role, or of the busiest link inside.

    Where something inside is marked, in the colors of that. Without an offset the front one stands alone.
    """
    theme, unit = sheet.theme, sheet.zoom
    pen, radius = Pen(theme.link, fixed=True), min(6.0 * unit, height / 5)
    if offset and height >= LEAST_STACK_PX * unit:
        for step in (2, 1):
            yield Rect(step * offset, step * offset, width, height, Ink(theme.group_fill), pen, radius)
    front = theme.plate if marked is None else marked.fill
    yield Rect(0.0, 0.0, width, height, Ink(front), pen, radius)
    inset = min(4.0 * unit, height / 4, width / NARROW_INSET)
    stripe = _stripe(stack, theme) if marked is None else marked.stripe
    yield Rect(inset * 0.8, inset, _stripe_width(width, unit), height - 2 * inset, Ink(stripe))


def _stripe_width(width: float, unit: float) -> float:
    return min(STRIPE * unit, max(width / NARROW_STRIPE, min(unit, width / 3)))


def _stripe(stack: Stack, theme: Theme) -> str:
    if stack.load >= 0:
        return colour_of_class(min(class_of(stack.load), CONGESTED_CLASS), theme)
    return theme.boxes[stack.kind].stripe if stack.kind >= 0 else theme.muted


def _name_sizes(
    stacks: Stacks, shown: Iterable[tuple[int, float, float, float, float]], sheet: Sheet
) -> dict[tuple[int, int], int]:
    """The most that names may be high in a row of boxes of one width, by (top, width), so that all fit alike.

    0 where one of them has room for its number alone: so have all.
    """
    found: dict[tuple[int, int], int] = {}
    for row, _, y, width, height in shown:
        key, name = (round(y), round(width)), visible_line(stacks.at(row).name)
        size = found.setdefault(key, name_size(height, sheet))
        if not (size and short_form(name)):
            continue
        if room_for_words(width, sheet) < LEAST_NAME_ROOM_PX * sheet.zoom:
            room, sizes = width - _begin(width, sheet), [whole(NAME_PX[0] * sheet.zoom)]
        else:
            room = room_for_words(width, sheet) - sign_room(width, sheet)
            sizes = [*range(size, min(size, whole(LOW_NAME_PX * sheet.zoom)) - 1, -1)]
        fitting = (one for one in sizes if sheet.ruler.width(name, one, True) <= room)
        found[key] = min(size, next(fitting, 0))
    return found


def _steps(
    stacks: Stacks, shown: Iterable[tuple[int, float, float, float, float]], sheet: Sheet
) -> dict[tuple[int, int], int]:
    """Rows of boxes too narrow for some of their numbers, as (top, width): every how many have theirs.

    Coordinates are no count: in a row that has some, all numbers have room on plates, or none is written.
    """
    ruler, unit, size = sheet.ruler, sheet.zoom, whole(NAME_PX[0] * sheet.zoom)
    rows: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
    of_coordinates: set[tuple[int, int]] = set()
    for row, x, y, width, height in shown:
        number = _number_of(visible_line(stacks.at(row).name))
        if "-" in number:
            of_coordinates.add((round(y), round(width)))
        if number and room_for_words(width, sheet) < LEAST_NAME_ROOM_PX * unit and height >= LEAST_TEXT_PX * unit:
            wide = ruler.width(number, size, True)
            rows.setdefault((round(y), round(width)), []).append((x, wide, width - _begin(width, sheet)))
    found = {}
    for key, boxes in rows.items():
        widest, places = max(wide for _, wide, _ in boxes), sorted(x for x, _, _ in boxes)
        pitch = (places[-1] - places[0]) / max(1, len(places) - 1)
        if len(boxes) > 1 and any(wide > room for _, wide, room in boxes):
            least = widest + MARK_AIR_PX * unit
            step = next((step for step in STEPS if step * pitch >= least), STEPS[-1])
            if step == 1 or key not in of_coordinates:
                found[key] = step
    return found


def _low_marked(
    stacks: Stacks, shown: Iterable[tuple[int, float, float, float, float]], sheet: Sheet
) -> dict[int, str]:
    """The numbers of boxes too low for any, by row: of one, two, five, ... as many as keep clear of each other."""
    ruler, unit, size = sheet.ruler, sheet.zoom, whole(NAME_PX[0] * sheet.zoom)
    low = [one for one in shown if one[4] < LEAST_NUMBER_PX * unit]
    boxes = [
        (int(number), row, x + width / 2, y + height / 2)
        for row, x, y, width, height in low[: MOST_LOW + 1]
        if (number := _number_of(visible_line(stacks.at(row).name))).isdecimal()
        and ruler.width(number, size, True) < width
    ]
    if not 2 <= len(boxes) <= MOST_LOW:
        return {}
    numbers, rows, x, y = np.array(boxes, np.float64).T
    wide = ruler.width(str(int(numbers.max())), size, True) + MARK_AIR_PX * unit
    high = line_height(ruler, size, True)
    for step in STEPS:
        own = numbers % step == 0
        near = (np.abs(x[own, None] - x[own]) < wide) & (np.abs(y[own, None] - y[own]) < high)
        if np.count_nonzero(near) == np.count_nonzero(own):
            return {int(row): str(int(number)) for number, row in zip(numbers[own], rows[own], strict=True)}
    return {}


def _number_of(name: str) -> str:
    """The number of a box, or the coordinates that it is called by; "" where it has neither."""
    number = short_form(name) or name
    return number if number.replace("-", "").isdecimal() else ""


def _mark(number: str, step: int, middle: tuple[float, float], sheet: Sheet) -> Iterator[Part]:
    """The number of a box of a narrow row on a plate, where it has one that is one of every so many."""
    if number and (step == 1 or int(number) % step == 0):
        size = whole(NAME_PX[0] * sheet.zoom)
        width, height = sheet.ruler.width(number, size, True) + 2 * sheet.zoom, line_height(sheet.ruler, size, True)
        plate = Rect(-width / 2, -height / 2, width, height, Ink(sheet.theme.plate))
        line = baseline(sheet.ruler, 0.0, size, True)
        yield Group((plate, Text(0.0, line, number, size, sheet.theme.text, True, "middle")), at=middle)


def _words(
    stack: Stack,
    full: str,
    ports: Callable[[], str],
    sheet: Sheet,
    box: tuple[float, float],
    most: int,
    *,
    explained: bool | None,
) -> Iterator[Part]:
    """The name, of `most` that size; and, as far as there is room, the devices, the ports and the load inside.

    Of what a line below the row explains nothing is cut: it is left out. Where it is `explained` as a whole, the box
    says no more than what it is called and how busy it is inside; None where there is no such line.
    """
    width, height = box
    theme, ruler, unit = sheet.theme, sheet.ruler, sheet.zoom
    if height < LEAST_NUMBER_PX * unit or width < LEAST_NAME_WIDTH_PX * unit:
        return
    left, room = (INSET + STRIPE) * unit, room_for_words(width, sheet)
    if height < LEAST_TEXT_PX * unit:
        if room >= LEAST_NAME_ROOM_PX * unit:
            least = whole(NAME_PX[0] * unit)
            yield Text(left, baseline(ruler, height / 2, least, True), _number_of(full), least, theme.text, True)
        return
    if room < LEAST_NAME_ROOM_PX * unit:
        yield from _number(full, sheet, width, height)
        return
    for_sign = sign_room(width, sheet)
    most = min(most, name_size(height, sheet))
    name = cut_to_number(ruler, full, room - for_sign, most, True)
    if explained:
        stack, ports = replace(stack, devices="", models=""), str
    words = words_of(stack, name, ports, sheet, box, most)
    if explained is False and any(one.endswith("…") or ruler.width(one, words.small) > room for one in words.lines):
        words = Words(most, words.small, ())
    size, small = words.size, words.small
    name, brief = cut_to_number(ruler, full, room - for_sign, size, True), short_form(full)
    if brief and name.endswith("…") and ruler.width(brief, size, True) <= room:
        name, for_sign = brief, 0.0  # rather a whole number than a sign beside some of it
    line, below = line_height(ruler, size, True), line_height(ruler, small) * LEADING
    top = (height - line - below * len(words.lines)) / 2
    yield Text(left, top + ruler.ascent(size, True), name, size, theme.text, True)
    if for_sign:
        yield from _sign(*_sign_middle(width, height, sheet), unit, theme)
    if words.beside:
        begin = begin_beside(name, size, sheet)
        yield Text(begin, top + ruler.ascent(size, True), words.beside, small, theme.muted)
    for number, text in enumerate(words.lines):
        y = top + line + number * below + below / 2 + (ruler.ascent(small) - ruler.descent(small)) / 2
        yield Text(left, y, ruler.cut(text, room, small), small, theme.muted)


def _begin(width: float, sheet: Sheet) -> float:
    """Where in a narrow box its stripe ends."""
    return _stripe_width(width, sheet.zoom) + 0.8 * width / NARROW_INSET


def _number(name: str, sheet: Sheet, width: float, height: float) -> Iterator[Part]:
    """The number of a narrow box, or its whole short name, in the middle of what its stripe leaves; else nothing."""
    ruler, left = sheet.ruler, _begin(width, sheet)
    size = whole(NAME_PX[0] * sheet.zoom)
    for text in (name, short_form(name)):
        if text and ruler.width(text, size, True) <= width - left:
            middle, line = (left + width) / 2, baseline(ruler, height / 2, size, True)
            yield Text(middle, line, text, size, sheet.theme.text, True, "middle")
            return


def _sign(x: float, y: float, unit: float, theme: Theme) -> Iterator[Part]:
    """A plus in a square: there is more inside."""
    half, arm = SIGN / 2 * unit, SIGN / 2 * unit * 0.55
    pen = Pen(theme.muted, fixed=True)
    yield Rect(x - half, y - half, 2 * half, 2 * half, None, pen, unit)
    yield Lines(np.array([[x - arm, y, x + arm, y], [x, y - arm, x, y + arm]]), pen)
