"""Boxes that stand for many devices: a stack of plates with its name, its devices, its ports and the load inside."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from designer.drawing.bundles import Floats, Ints
from designer.drawing.display_list import CONGESTED_CLASS, Picture, class_of, colour_of_class
from designer.drawing.folding.folds import FOLDED
from designer.drawing.folding.stacks import Stack, Stacks
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Pen, Rect, Text
from designer.drawing.parts.row_captions import caption_parts, row_captions
from designer.drawing.parts.ruler import baseline, cut_to_number, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.text import short_form
from designer.drawing.theme import BoxColours, Theme
from designer.model.shown_text import visible_line
from designer.units import format_count

NAME_SHARE, NAME_PX = 0.24, (9.0, 17.0)
"""Of the box's height, and the least and most on a screen."""
SMALL_SHARE = 0.82
"""Size of what stands below the name."""
INSET = 7.0
STRIPE = 4.0
OFFSET, PLATES_AIR_PX = 3.0, 1.0
"""Between the plates of a stack, where the next box leaves room; and from the last of them to that box."""
LEAST_STACK_PX, LEAST_OFFSET_PX, LEAST_TEXT_PX, LEAST_NAME_WIDTH_PX = 18.0, 1.0, 9.5, 10.0
LEAST_NAME_ROOM_PX = 26.0
"""With less room across, a box bears its number alone."""
STRIP_PX = 120.0
"""With so much room beside the name of a low box, the rest stands there."""
SIGN = 9.0
LOW_NAME_PX, LEADING = 12.0, 1.15
"""Size of a name that makes room for what stands below it, and the distance of these lines."""
LEAST_SIGN_WIDTH_PX = 70.0
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
    numbered = _numbered(picture.stacks, shown, sheet) if picture.detail.names or picture.detail.counts else set()
    captions = row_captions(picture, sheet)
    explained = {row for caption in captions for row in caption.rows}
    steps = _steps(picture.stacks, shown, sheet) if picture.detail.names or picture.detail.counts else {}
    marks: list[Part] = []
    offsets = _offsets(places, rows, sheet) if shown else []
    for (row, x, y, width, height), offset in zip(shown, offsets, strict=True):
        stack = picture.stacks.at(row)
        parts = [*_plates(stack, sheet, width, height, offset, _marked(picture, row))]
        if (step := steps.get((round(y), round(width)))) is not None:
            marks += _mark(short_form(visible_line(stack.name)), step, (x + width / 2, y + height / 2), sheet)
        elif picture.detail.names or picture.detail.counts:
            name = visible_line(stack.name)
            name = short_form(name) or name if (round(y), round(width)) in numbered else name
            parts += _words(stack, name, picture.stacks, row, sheet, (width, height), is_explained=row in explained)
        yield Group(parts, title=_reported(stack), at=(x, y))
    yield from marks
    yield from caption_parts(captions, sheet)


def _reported(stack: Stack) -> str:
    load = f"busiest link inside: {stack.load_text}" if stack.load_text else ""
    return "\n".join(line for line in (stack.name, stack.devices, load) if line)


def _marked(picture: Picture, row: int) -> BoxColours | None:
    """The colors of what is marked inside, as in a comparison; None where nothing is."""
    codes = picture.coloured.stacks
    return None if codes is None or codes[row] < 0 else picture.coloured.box_colours[codes[row]]


def _offsets(places: Floats, rows: Ints, sheet: Sheet) -> list[float]:
    """How far the plates of these boxes stand out of each other, so that none reaches the next box of a row or column.

    0 where there is no room for any. `places` are those of all boxes, left, top, width and height.
    """
    middles, found = places[:, :2] + places[:, 2:] / 2, np.full(len(places), OFFSET * sheet.zoom)
    seen = np.flatnonzero(sheet.boxes_on(places))
    for axis in (0, 1):
        line = np.round(middles[seen, 1 - axis])
        order = seen[np.lexsort((places[seen, axis], line))]
        one, following = order[:-1], order[1:]
        same = np.round(middles[one, 1 - axis]) == np.round(middles[following, 1 - axis])
        one, following = one[same], following[same]
        gap = places[following, axis] - places[one, axis] - places[one, axis + 2] - PLATES_AIR_PX * sheet.zoom
        found[one] = np.minimum(found[one], np.maximum(gap, 0.0) / 2)
    offsets: list[float] = np.where(found < LEAST_OFFSET_PX * sheet.zoom, 0.0, found)[rows].tolist()
    return offsets


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


def _numbered(
    stacks: Stacks, shown: Iterable[tuple[int, float, float, float, float]], sheet: Sheet
) -> set[tuple[int, int]]:
    """Rows of boxes of one width, as (top, width), where one has room for its number alone: so have all."""
    found: set[tuple[int, int]] = set()
    for row, _, y, width, height in shown:
        key, name = (round(y), round(width)), visible_line(stacks.at(row).name)
        if key not in found and short_form(name):
            if _room(width, sheet) < LEAST_NAME_ROOM_PX * sheet.zoom:
                room, size = width - _begin(width, sheet), whole(NAME_PX[0] * sheet.zoom)
            else:
                room, size = _room(width, sheet) - _sign_room(width, sheet), _name_size(height, sheet)
            if sheet.ruler.width(name, size, True) > room:
                found.add(key)
    return found


def _steps(
    stacks: Stacks, shown: Iterable[tuple[int, float, float, float, float]], sheet: Sheet
) -> dict[tuple[int, int], int]:
    """Rows of boxes too narrow for some of their numbers, as (top, width): every how many have theirs."""
    ruler, unit, size = sheet.ruler, sheet.zoom, whole(NAME_PX[0] * sheet.zoom)
    rows: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
    for row, x, y, width, height in shown:
        number = short_form(visible_line(stacks.at(row).name))
        if number.isdecimal() and _room(width, sheet) < LEAST_NAME_ROOM_PX * unit and height >= LEAST_TEXT_PX * unit:
            wide = ruler.width(number, size, True)
            rows.setdefault((round(y), round(width)), []).append((x, wide, width - _begin(width, sheet)))
    found = {}
    for key, boxes in rows.items():
        widest, places = max(wide for _, wide, _ in boxes), sorted(x for x, _, _ in boxes)
        pitch = (places[-1] - places[0]) / max(1, len(places) - 1)
        if len(boxes) > 1 and any(wide > room for _, wide, room in boxes):
            least = widest + MARK_AIR_PX * unit
            found[key] = next((step for step in STEPS if step * pitch >= least), STEPS[-1])
    return found


def _mark(number: str, step: int, middle: tuple[float, float], sheet: Sheet) -> Iterator[Part]:
    """The number of a box of a narrow row on a plate, where it is one of every so many."""
    if int(number) % step == 0:
        size = whole(NAME_PX[0] * sheet.zoom)
        width, height = sheet.ruler.width(number, size, True) + 2 * sheet.zoom, line_height(sheet.ruler, size, True)
        plate = Rect(-width / 2, -height / 2, width, height, Ink(sheet.theme.plate))
        line = baseline(sheet.ruler, 0.0, size, True)
        yield Group((plate, Text(0.0, line, number, size, sheet.theme.text, True, "middle")), at=middle)


def _room(width: float, sheet: Sheet) -> float:
    """The room for words across a box."""
    return width - (2 * INSET + STRIPE) * sheet.zoom


def _sign_room(width: float, sheet: Sheet) -> float:
    """What the sign of a box that is wide enough for one takes of the name's room."""
    return (SIGN + 4) * sheet.zoom if width >= LEAST_SIGN_WIDTH_PX * sheet.zoom else 0.0


def _name_size(height: float, sheet: Sheet) -> int:
    return whole(min(NAME_PX[1] * sheet.zoom, max(NAME_PX[0] * sheet.zoom, NAME_SHARE * height)))


def _words(
    stack: Stack, full: str, stacks: Stacks, row: int, sheet: Sheet, box: tuple[float, float], *, is_explained: bool
) -> Iterator[Part]:
    """The name; below it, as far as there is room, the devices, the ports and the load inside.

    Of what a line below the row explains nothing is cut: it is left out.
    """
    width, height = box
    theme, ruler, unit = sheet.theme, sheet.ruler, sheet.zoom
    if height < LEAST_TEXT_PX * unit or width < LEAST_NAME_WIDTH_PX * unit:
        return
    size = _name_size(height, sheet)
    small = whole(max(NAME_PX[0] * unit, SMALL_SHARE * size))
    left, room = (INSET + STRIPE) * unit, _room(width, sheet)
    if room < LEAST_NAME_ROOM_PX * unit:
        yield from _number(full, sheet, width, height)
        return
    for_sign = _sign_room(width, sheet)
    name = cut_to_number(ruler, full, room - for_sign, size, True)
    beside = left + ruler.width(name, size, True) + 2 * INSET * unit
    setting = _Setting(sheet, room, height)
    is_strip = setting.n_below(size, small) < 2 and width - beside > STRIP_PX * unit
    is_low = setting.n_below(*setting.least(size)) < 2
    counts = _counts(stack, (0, 0) if is_low and not is_strip else stacks.ports(row))
    lines: list[str] = []
    if not is_strip:
        size, small, lines = setting.lines(counts, size, small)
        if is_explained and any(one.endswith("…") or not setting.fits(small, one) for one in lines):
            size, lines = _name_size(height, sheet), []
        name = cut_to_number(ruler, full, room - for_sign, size, True)
    line, below = line_height(ruler, size, True), line_height(ruler, small) * LEADING
    top = (height - line - below * len(lines)) / 2
    yield Text(left, top + ruler.ascent(size, True), name, size, theme.text, True)
    if for_sign:
        yield from _sign(width - (INSET + SIGN / 2) * unit, top + line / 2, unit, theme)
    if is_strip:
        text = ruler.cut(" · ".join(counts), width - beside - (2 * INSET + SIGN) * unit, small)
        yield Text(beside, top + ruler.ascent(size, True), text, small, theme.muted)
    for number, text in enumerate(lines):
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


@dataclass(frozen=True, slots=True)
class _Setting:
    """How words are set in a box of that height, with so much room across."""

    sheet: Sheet
    room: float
    height: float

    def least(self, size: int) -> tuple[int, int]:
        """The least sizes of a name and of what stands below it."""
        unit = self.sheet.zoom
        return min(size, whole(LOW_NAME_PX * unit)), whole(NAME_PX[0] * unit)

    def n_below(self, size: int, small: int) -> int:
        """How many lines there is room for below the name."""
        ruler, least = self.sheet.ruler, self.least(size)
        margin = min(INSET * self.sheet.zoom, self.height / (16 if (size, small) == least else 8))
        rest = self.height - 2 * margin - line_height(ruler, size, True)
        return max(0, int(rest / (line_height(ruler, small) * LEADING)))

    def lines(self, counts: list[str], size: int, small: int) -> tuple[int, int, list[str]]:
        """The sizes, and the lines below the name: all is set smaller before anything is left out."""
        least = self.least(size)
        sizes = [*((size, one) for one in range(small, least[1] - 1, -1)), least]
        for said in (counts, counts[:1]):
            for name, below in sizes:
                lines = _broken(said, self.n_below(name, below), partial(self.fits, below))
                if ", ".join(lines) == ", ".join(said) and all(self.fits(below, one) for one in lines):
                    return name, below, lines
        return *least, _broken(counts, self.n_below(*least), partial(self.fits, least[1]))

    def fits(self, small: int, text: str) -> bool:
        """Whether a text of that size fits across."""
        return self.sheet.ruler.width(text, small) <= self.room


def _counts(stack: Stack, ports: tuple[int, int]) -> list[str]:
    used, free = ports
    lines = [stack.devices] if stack.devices else []
    if used or free:
        lines.append(f"{format_count(used)} ports used, {format_count(free)} free")
    if stack.load_text:
        lines.append(f"inside up to {stack.load_text}")
    if stack.models and not stack.devices:  # of others the line below their row says it
        lines.append(stack.models)
    return lines


def _broken(lines: list[str], most: int, fits: Callable[[str], bool]) -> list[str]:
    """At most so many lines; those too long in their parts, where there is room for these."""
    apart = [part for line in lines for part in ([line] if fits(line) else line.split(", "))]
    return apart if len(apart) <= most else [_whole_parts(line, fits) for line in lines[:most]]


def _whole_parts(line: str, fits: Callable[[str], bool]) -> str:
    """As many of the parts between commas as fit: a number without its word would say nothing."""
    parts = line.split(", ")
    ends = (", ".join(parts[:count]) + ", …" for count in range(len(parts) - 1, 0, -1))
    return line if fits(line) else next(filter(fits, ends), line)


def _sign(x: float, y: float, unit: float, theme: Theme) -> Iterator[Part]:
    """A plus in a square: there is more inside."""
    half, arm = SIGN / 2 * unit, SIGN / 2 * unit * 0.55
    pen = Pen(theme.muted, fixed=True)
    yield Rect(x - half, y - half, 2 * half, 2 * half, None, pen, unit)
    yield Lines(np.array([[x - arm, y, x + arm, y], [x, y - arm, x, y + arm]]), pen)
