"""The rack elevation: titles of rows, racks with their units, and what is mounted in them."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from designer.drawing.colouring import DeviceColours, tinted
from designer.drawing.parts.marks import BADGE
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Pen, Rect, Text
from designer.drawing.parts.ruler import Ruler, baseline, clamped, line_height, size_to_fit, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.words import wrapped
from designer.drawing.room.elevation import GAP, HEADER, UNIT, Box, Frame, Line
from designer.drawing.text import begins_with, fitted_label, label_forms, model_forms, short_form, usual_first_word
from designer.drawing.theme import SWITCH, BoxColours, Theme
from designer.units import all_of

LEAST_UNIT = 4.0
LEAST_NUMBERED = 8.0
EVERY = 5
"""Which units bear their number, in addition to the first."""
STRIPE = 4.0
TITLE_LINE = 1.25
"""Height of a line of text in terms of its letters."""
MOST_ALONE = 10.0
"""Size of the name of a rack that has no room for more above it."""
ALONE_OF_GAP = 0.7
"""What such a name takes of the gap to the next rack."""
NAME_SHARE = 0.74
"""Letters of the name of a device in terms of its height."""
MOST_TOGETHER, AIR, LEAST_BETWEEN = 18.0, 2.0, 1.0
"""Letters of the names of several devices, canvas units; air around them; and what is no gap between two."""
LEAST_TAGGED = 3.0
"""Units of so many pixels have devices with names that are higher than they."""
TAG_LINE = 1.0
"""Height of the name of a low device in terms of its letters: from the top of the highest to the foot of the lowest."""
MARGIN, MARGIN_SHARE = (11.0, 7.0), (0.16, 0.08)
"""From the left and right edge of a device to what is written on it."""


class Marked(NamedTuple):
    """What stands out: ids of what is selected, and of what a finding is about."""

    selected: Set[str] = frozenset()
    wrong: Set[str] = frozenset()
    tints: Mapping[str, str] | None = None
    """Colors by id, as #rrggbb, in place of those of kinds; what has none is plain then."""
    signed: Set[str] = frozenset()
    """What bears a badge at its right edge, clear of what is written on it."""
    classes: DeviceColours | None = None
    """What devices are colored by, where that is not their kind and there are no tints."""

    def colours(self, one: str, kind: int, theme: Theme) -> BoxColours:
        """What a box is drawn in."""
        if self.tints is None:
            look = None if self.classes is None else self.classes.look(one)
            return look or theme.boxes[kind]
        tint = self.tints.get(one)
        return theme.boxes[SWITCH] if tint is None else tinted(theme, tint)


NOTHING_MARKED = Marked()


def elevation_parts(
    lines: tuple[Line, ...], sheet: Sheet, rear: bool = False, marked: Marked = NOTHING_MARKED
) -> Iterator[Part]:
    """All that shows of the racks, line by line, each rack a group."""
    usual = usual_first_word(frame.title for line in lines for frame in line.frames if frame.rack_id is not None)
    for line in lines:
        yield from _title(line, sheet, rear)
        for frame in line.frames:
            if sheet.touches(*sheet.seen(frame.whole)):
                said = ": ".join(one for one in (frame.title, frame.note) if one)
                yield Group(rack_parts(frame, sheet, marked, are_alike=begins_with(frame.title, usual)), title=said)


def _title(line: Line, sheet: Sheet, rear: bool) -> Iterator[Part]:
    """What a line is, in the gap above it; nothing where that has no room for letters."""
    x, y = sheet.camera.to_view(line.x, line.y)
    side = "" if not line.frames or line.frames[0].rack_id is None else " (rear)" if rear else " (front)"
    size = whole(min(clamped(22 * sheet.scale, (10.0, 17.0)), line.gap * sheet.scale / TITLE_LINE))
    if size >= sheet.least_name:
        y -= max(8 * min(1.0, sheet.scale), sheet.ruler.descent(size, True))
        yield Text(x, y, f"{line.title}{side}", size, sheet.theme.muted, True)


def rack_parts(
    frame: Frame, sheet: Sheet, marked: Marked = NOTHING_MARKED, *, are_alike: bool = True
) -> Iterator[Part]:
    """A rack with its header, its units and what stands in them; whether names of racks differ in numbers alone."""
    theme = sheet.theme
    if frame.rack_id is not None:
        is_selected = frame.rack_id in marked.selected
        colour = theme.accent if is_selected else theme.error if frame.over_budget else theme.rack_border
        pen = Pen(colour, 2.0 if is_selected or frame.over_budget else 1.0)
        yield Rect(*sheet.seen(frame.rect), Ink(theme.rack_fill), pen)
        yield from _units(frame, sheet)
        yield from _header(frame, sheet, are_alike=are_alike)
    for box in frame.boxes:
        yield Group(_device(box, sheet, marked), title="\n".join((box.name, box.model, *shared_units(box))))
    low = [one for one in frame.boxes if sheet.seen(one.rect)[3] < sheet.least_name and not one.shares_with]
    for stack in _together(sorted(low, key=lambda one: (one.rect[0], one.rect[1])), _stand_together):
        yield from _names_of_low(stack, sheet, marked)


def _together(boxes: Iterable[Box], go_on: Callable[[Box, Box], bool]) -> Iterator[tuple[Box, ...]]:
    """Devices from the top, in as many parts as there are two that do not go on."""
    part: list[Box] = []
    for box in boxes:
        if part and not go_on(part[-1], box):
            yield tuple(part)
            part = []
        part.append(box)
    if part:
        yield tuple(part)


def _stand_together(above: Box, box: Box) -> bool:
    """Whether a device stands right below another one."""
    return box.rect[0] == above.rect[0] and box.rect[1] - above.rect[3] < LEAST_BETWEEN


def _are_alike(above: Box, box: Box) -> bool:
    """Whether two devices are of one model, and show the same side."""
    return (box.model, box.faces) == (above.model, above.faces)


def _names_of_low(stack: Sequence[Box], sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """Names of devices right over each other, each too low for its own: of every one where they have room around.

    Else of a run of one model the first and the last, and of others every second, third and so on, from the top.
    """
    middles, pitch = _middles(stack, sheet), sheet.least_name * TAG_LINE
    unit = UNIT * sheet.scale
    have_room = unit >= LEAST_TAGGED
    top = (middles[0] + middles[-1] - pitch * (len(stack) - 1)) / 2
    spread = [top + pitch * number for number in range(len(stack))]
    if have_room and all(abs(own - at) <= unit / 2 for own, at in zip(middles, spread, strict=True)):
        yield from _tags(stack, spread, sheet, marked)
        return
    left: list[Box] = []
    for run in _together(stack, _are_alike):
        named = list(_named_together(run, sheet, marked)) if len(run) > 1 else []
        yield from named
        left += () if named else run
    if have_room:
        for part in _together(left, _stand_together):
            every = slice(None, None, math.ceil(pitch / unit))
            yield from _tags(part[every], _middles(part, sheet)[every], sheet, marked)


def _middles(boxes: Iterable[Box], sheet: Sheet) -> list[float]:
    return [y + height / 2 for _, y, _, height in (sheet.seen(one.rect) for one in boxes)]


def _tags(boxes: Iterable[Box], middles: Iterable[float], sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """The name of each on a plate, which may be higher than the device."""
    ruler, size = sheet.ruler, whole(sheet.least_name)
    for box, middle in zip(boxes, middles, strict=True):
        x, _, width, _ = sheet.seen(box.rect)
        left, room = x + STRIPE + AIR, width - STRIPE - 4 * AIR
        name = fitted_label(box.name, lambda one: ruler.width(one, size), room)
        if name:
            fill, deep = marked.colours(box.id, box.kind, sheet.theme).fill, TAG_LINE * size
            yield Rect(left, middle - deep / 2, ruler.width(name, size) + 2 * AIR, deep, Ink(fill))
            yield Text(left + AIR, baseline(ruler, middle, size), name, size, sheet.theme.text)


def _named_together(run: tuple[Box, ...], sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """The first and the last name of a run, else how many of which model; nothing where that has no room either."""
    ruler, size = sheet.ruler, whole(max(sheet.least_name, MOST_TOGETHER * sheet.scale))
    x, top, width, _ = sheet.seen(run[0].rect)
    _, low, _, height = sheet.seen(run[-1].rect)
    left, room, step = x + STRIPE + AIR, width - STRIPE - 2 * AIR, line_height(ruler, size)
    first, last, count, model = run[0].name, run[-1].name, f"{len(run)} ×", run[0].model
    ways: list[list[str]] = []
    if _are_in_order(run):
        short = [*label_forms(first)[-1:], *label_forms(last)[-1:]]
        for a, b in ((first, last), *([(short[0], short[1])] if len(short) == 2 else ())):
            ways += [[f"{a} to {b}"], [f"{a} to", b], [a, f"to {b}"]]
    lines: list[str] = next(
        (
            way
            for way in [*ways, [f"{count} {model}"], [count, model]]
            if len(way) * step <= low + height - top and max(ruler.width(one, size) for one in way) <= room - 1
        ),
        [],
    )
    middle, deep = (top + low + height) / 2, len(lines) * step
    if lines:
        fill = marked.colours(run[0].id, run[0].kind, sheet.theme).fill
        yield Rect(left, middle - deep / 2, room, deep, Ink(fill))
    for number, text in enumerate(lines):
        line = baseline(ruler, middle + (number + 0.5) * step - deep / 2, size)
        yield Text(left + AIR, line, text, size, sheet.theme.text)


def _are_in_order(run: tuple[Box, ...]) -> bool:
    """Whether names are numbered one by one, up or down, and else the same."""
    numbers = [short_form(box.name) for box in run]
    if not all(map(str.isdecimal, numbers)):
        return False
    stems = {box.name.removesuffix(number) for box, number in zip(run, numbers, strict=True)}
    return len(stems) == 1 and {int(b) - int(a) for a, b in pairwise(numbers)} in ({1}, {-1})


def _units(frame: Frame, sheet: Sheet) -> Iterator[Part]:
    """A line under every unit, and the number of every fifth."""
    x, y, width, height = sheet.seen(frame.rect)
    step, bottom = height / frame.units, y + height
    if step < LEAST_UNIT:
        return
    ys = bottom - step * np.arange(1.0, frame.units)
    left, right = np.full_like(ys, x + 1), np.full_like(ys, x + width - 1)
    yield Lines(np.stack((left, ys, right, ys), axis=1), Pen(sheet.theme.grid, square=True))
    if step >= LEAST_NUMBERED:
        size = whole(clamped(step * 0.62, (7.0, 10.0)))
        for unit in (1, *range(EVERY, frame.units + 1, EVERY)):
            line = baseline(sheet.ruler, bottom - (unit - 0.5) * step, size)
            yield Text(x + width + 4, line, str(unit), size, sheet.theme.muted)


def _header(frame: Frame, sheet: Sheet, *, are_alike: bool) -> Iterator[Part]:
    """Name and note of a rack; the name alone, or what tells it from others, where there is little room."""
    x, y, width, _ = sheet.seen(frame.rect)
    height = HEADER * sheet.scale
    theme, ruler, over, size = sheet.theme, sheet.ruler, frame.over_budget, min(14.0, height * 0.44)
    if size < sheet.least_name - 1:
        yield from _alone(frame, sheet, are_alike=are_alike)
        return
    for number, text, colour, bold in (
        (0, frame.title, theme.text, True),
        (1, frame.note, theme.error if over else theme.muted, over),
    ):
        set_in = size_to_fit(ruler, text, width, size - 2 * number, sheet.least_name - 1, bold)
        middle = y - height + (number * 0.46 + 0.25) * height
        yield Text(x, baseline(ruler, middle, set_in, bold), ruler.cut(text, width, set_in, bold), set_in, colour, bold)


def _alone(frame: Frame, sheet: Sheet, *, are_alike: bool) -> Iterator[Part]:
    """The name of a rack right above it; nothing where letters have no room there."""
    ruler, title = sheet.ruler, frame.title
    x, y, width, _ = sheet.seen(frame.rect)
    room, least = width + ALONE_OF_GAP * GAP * sheet.scale, sheet.least_name
    asked = min(MOST_ALONE, frame.header * sheet.scale / TITLE_LINE)
    if asked < least:
        return
    size = size_to_fit(ruler, title, room, asked, least, True)
    name = fitted_label(title, lambda one: ruler.width(one, size, True), room, are_alike=are_alike)
    if name:
        colour = sheet.theme.error if frame.over_budget else sheet.theme.text
        yield Text(x, y - ruler.descent(size, True), name, size, colour, True)


def shared_units(box: Box) -> tuple[str, ...]:
    """ "Same units as gpu-02 (RACK-001)", where a device shares units; else nothing."""
    return (f"Same units as {all_of(box.shares_with)} (RACK-001)",) if box.shares_with else ()


def _device(box: Box, sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """A device; from behind it is hatched, and its name stands on a plate."""
    theme, ruler = sheet.theme, sheet.ruler
    colours = marked.colours(box.id, box.kind, theme)
    x, y, width, height = sheet.seen(box.rect)
    is_selected, is_wrong = box.id in marked.selected, box.id in marked.wrong or bool(box.shares_with)
    border = theme.accent if is_selected else theme.error if is_wrong else colours.border
    least = sheet.least_name
    size = min(12.0, max(width * 0.13, least), max(height * NAME_SHARE, least if height >= least else 0.0))
    x, y, width, height = x + 1.5, y + 0.75, width - 3.0, height - 1.5
    yield Rect(x, y, width, height, Ink(colours.fill), Pen(border, 2.0 if is_selected or is_wrong else 1.0))
    if box.faces:
        yield Rect(x, y, STRIPE, height, Ink(colours.stripe))
    else:
        yield Rect(x, y, width, height, Ink(colours.border, hatched=True))
    if size < least:
        return
    left, right = (min(most, share * width) for most, share in zip(MARGIN, MARGIN_SHARE, strict=True))
    right += min(height, 2 * BADGE) if box.id in marked.signed else 0.0
    middle, room = y + height / 2, width - left - right
    large, small = size_to_fit(ruler, box.name, room, size, least, True), whole(max(least, size - 2))
    name = fitted_label(box.name, lambda one: ruler.width(one, large, True), room)
    advance = ruler.width(name, large, True)
    if name and (not box.faces or size > height * NAME_SHARE):  # clear of the hatching, and of borders close by
        deep = min(size * 1.44, height + 1.5)
        yield Rect(x + left - 4, middle - deep / 2, advance + 8, deep, Ink(colours.fill))
    model = _model_beside(box, ruler, room - advance - 14, small) if box.faces else ""
    lines = _lines_of_model(box, ruler, room, small) if box.faces and model != box.model else []
    step = line_height(ruler, small)
    deep = line_height(ruler, large, True) + len(lines) * step
    if lines and deep <= height:
        middle += (line_height(ruler, large, True) - deep) / 2
        for number, text in enumerate(lines, 1):
            at = middle + (line_height(ruler, large, True) - step) / 2 + number * step
            yield Text(x + left, baseline(ruler, at, small), text, small, theme.muted)
    elif model:
        yield Text(x + width - right, baseline(ruler, middle, small), model, small, theme.muted, anchor="end")
    line = baseline(ruler, middle, large, True)
    yield Text(x + left, line, name, large, theme.text if box.faces else theme.muted, True)


def _model_beside(box: Box, ruler: Ruler, room: float, size: int) -> str:
    """The model, or what tells it from its like, beside the name; "" where that has no room."""
    return next((one for one in (box.model, *model_forms(box.model)) if ruler.width(one, size) <= room), "")


def _lines_of_model(box: Box, ruler: Ruler, room: float, size: int) -> list[str]:
    """The model in full, broken between words into lines that have room; none where a word has none."""
    if any(ruler.width(word, size) > room for word in box.model.split()):
        return []
    return wrapped(box.model, room, size, ruler)
