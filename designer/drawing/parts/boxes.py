"""Boxes of devices: what they stand for, what is written in them, their ports, and what is inside an opened server."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.drawing.bundles import Floats, Ints
from designer.drawing.camera import Camera
from designer.drawing.captions import Caption
from designer.drawing.display_list import Picture
from designer.drawing.geometry import Rect as Corners
from designer.drawing.level_of_detail import Detail
from designer.drawing.parts.faceplates import FIGURE, cage_numbers, faceplate_parts
from designer.drawing.parts.internals import internals
from designer.drawing.parts.pictograms import pictogram
from designer.drawing.parts.primitives import Group, Ink, Part, Pen, Rect, Rects, Text
from designer.drawing.parts.ruler import Ruler, baseline, clamped, size_to_fit, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.ports import PortHandle, tray_height
from designer.drawing.text import cut_by_words, fitted_label, model_forms
from designer.drawing.theme import KINDS, BoxColours, Theme
from designer.late import Late
from designer.model.shown_text import visible_line

beside = Late("designer.drawing.parts.names_beside")

NAME_SIZE, NAME_PX = 12.5, (9.0, 15.0)
MODEL_SIZE, MODEL_PX = 9.5, (8.0, 11.0)
CORNER, MOST_CORNER_PX = 4.0, 6.0
MOST_TEXT_SCALE = 1.25
"""Texts and their margins grow with the scale up to here; nearer, the room goes to ports."""
LEFT, RIGHT = 13.0, 5.0
"""From the box's edges to what is written in it."""
MORE_ROOM = 4.0
"""What a name that stands alone has beyond these."""
FIRST_LINE, SECOND_LINE = 17.0, 31.0
USAGE_TOP, USAGE_HEIGHT = 36.0, 2.4
LINE_BELOW = 1.3
"""From line to line of what is written below a name, in terms of its letters."""
MOST_HANDLE_PX = 18.0
NUMBER_PX = 7
PICTOGRAM, AFTER_PICTOGRAM = 9.0, 4.0
PADLOCK = 8.0


class _Look(NamedTuple):
    """What all boxes of a kind are drawn with."""

    colours: BoxColours
    fill: Ink
    border: Ink
    stripe: Ink
    edge: Pen
    radius: float
    inset: float
    stripe_width: float


def _look(colours: BoxColours, scale: float) -> _Look:
    inks = Ink(colours.fill), Ink(colours.border), Ink(colours.stripe)
    radius, stripe_width = min(CORNER * scale, MOST_CORNER_PX), max(1.5, min(3.0 * scale, 4.0))
    return _Look(colours, *inks, Pen(colours.border), radius, min(6.0, 5.0 * scale), stripe_width)


def boxes(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """All boxes that show, kind by kind; small ones of a kind together."""
    rows, places = _seen(picture, sheet)
    for name, colours, of_class in _classes(picture, rows):
        chosen = np.flatnonzero(of_class)
        if not len(chosen):
            continue
        look = _look(colours, sheet.scale)
        if picture.detail.round_boxes:
            placed = zip(rows[chosen].tolist(), places[chosen].tolist(), strict=True)
            yield Group((_box(picture, sheet, look, row, place) for row, place in placed), f"boxes-{name}")
        else:
            plain = places[chosen]
            plain[:, 2:] = np.maximum(plain[:, 2:], 1.0)
            yield Rects(plain, look.stripe, crisp=True)


def _seen(picture: Picture, sheet: Sheet) -> tuple[Ints, Floats]:
    """Rows of the boxes that show, and where; remembered for the next picture of the same boxes."""
    place, views = (sheet.camera, sheet.area), picture.box_views
    if place not in views or views[place][0] is not picture.boxes:
        places = sheet.boxes(picture.boxes)
        rows = np.flatnonzero(sheet.boxes_on(places))
        views.clear()
        views[place] = picture.boxes, rows, places[rows]
    return views[place][1:]


def _classes(picture: Picture, rows: Ints) -> Iterator[tuple[str, BoxColours, NDArray[np.bool_]]]:
    """Names, colors and which of these boxes look alike: by what was chosen, else by their kinds."""
    codes = picture.coloured.boxes
    if codes is None:
        kinds = picture.kinds[rows]
        for kind, name in enumerate(KINDS):
            yield name, picture.theme.boxes[kind], kinds == kind
    else:
        codes = codes[rows]
        for number, colours in enumerate(picture.coloured.box_colours):
            yield str(number + 1), colours, codes == number


def _box(picture: Picture, sheet: Sheet, look: _Look, row: int, place: list[float]) -> Group:
    x, y, width, height = place
    inset, detail, caption = look.inset, picture.detail, picture.caption(row)
    parts: list[Part] = [
        Rect(0.0, 0.0, width, height, look.fill, look.edge, look.radius),
        Rect(inset * 0.8, inset, look.stripe_width, height - 2 * inset, look.stripe),
    ]
    has_room = detail.models or not detail.names  # else the name fills the box
    front = picture.faceplate(row, detail) if detail.faceplates and has_room else None
    has_bar = detail.models and not detail.ports and front is None
    is_free_below = has_bar or (front is None and _is_free_below(sheet, caption, height))
    note = _note(sheet, caption, width, is_free_below=is_free_below) if detail.models else None
    if detail.names:
        short = picture.once_on(sheet, _short_names).get(row, "")
        parts += _words(picture, sheet, caption, note, width, height, short)
    if has_bar:
        parts += _usage(caption, look, width, sheet, note)
    if caption.is_locked:
        step = min(sheet.scale, MOST_TEXT_SCALE)
        parts += padlock(width - 26.0 * step, 0.0, PADLOCK * step, look.colours.stripe)
    if front is not None:
        local = Camera(sheet.scale, *picture.boxes[row, :2].tolist())
        parts += faceplate_parts(front, local, look.colours, picture.theme)
        if caption.are_numbers_shown:
            parts += cage_numbers(front, local, picture.theme, sheet.ruler)
    if detail.internals or detail.ports:
        local = Camera(sheet.scale, *picture.boxes[row, :2].tolist())
        inside = picture.internals(row) if detail.internals else None
        if inside is not None:
            parts += internals(inside, local, sheet, look.colours)
        if detail.ports:
            handles = picture.ports(row) if front is None else [one for one in picture.ports(row) if one.link_id]
            parts += _ports(handles, local, look, picture.theme.background)
            if caption.are_numbers_shown:
                parts += _numbers(handles, local, picture.theme, sheet.ruler)
    return Group(parts, title=_reported(caption), at=(x, y))


def padlock(x: float, y: float, side: float, colour: str) -> Iterator[Part]:
    """On the upper edge near the right corner, clear of what is written: it begins at x, and the edge is at y."""
    yield Rect(x + 0.22 * side, y - 0.85 * side, 0.56 * side, 0.8 * side, None, Pen(colour, 1.2), 0.28 * side)
    yield Rect(x, y - 0.4 * side, side, 0.75 * side, Ink(colour), None, 0.12 * side)


def _reported(caption: Caption) -> str:
    reserved = f", {caption.reserved} reserved" if caption.reserved else ""
    locked = "locked in place" if caption.is_locked else ""
    ports = f"{caption.used}/{caption.total} ports used{reserved}" if caption.are_ports_counted else ""
    lines = caption.name, caption.model, ports, locked
    return "\n".join(line for line in lines if line)


class _Note(NamedTuple):
    """What stands below a name: the type, or what was chosen, and how many ports are used."""

    text: str
    size: int
    usage: str
    usage_on: str
    is_pictogram_before: bool


ITS_LINE, LINE_OF_BAR, LINE_OF_NAME = "type", "bar", "name"
"""Where the count of ports stands."""


def _note(sheet: Sheet, caption: Caption, width: float, *, is_free_below: bool) -> _Note:
    """The type in one line with the count of ports; where it has no room there, the count goes to another line.

    Only then it is set smaller, and only then shortened to what tells it apart. Types are written alike whatever is
    used of their ports.
    """
    ruler, step = sheet.ruler, min(sheet.scale, MOST_TEXT_SCALE)
    room, aside = width - (LEFT + RIGHT) * step, (PICTOGRAM + AFTER_PICTOGRAM) * step
    usage, most = (f"{one}/{caption.total}" if caption.are_ports_shown else "" for one in (caption.used, caption.total))
    largest, text = whole(clamped(MODEL_SIZE * sheet.scale, MODEL_PX)), caption.shown_note
    counts = {size: ruler.width(most, size) + 6 * step for size in range(whole(MODEL_PX[0]), largest + 1)}
    name = visible_line(caption.name)
    named = ruler.width(name, _name_size(sheet, name, room)) if caption.is_name_shown else 0.0
    is_before = named > room - aside
    other = LINE_OF_BAR if is_free_below else LINE_OF_NAME if named + counts[largest] <= room - aside else ""
    whole_line = room - aside if is_before else room
    if not usage or ruler.width(text, largest) + counts[largest] <= whole_line:
        usage_on, most_room = ITS_LINE, {size: whole_line - (counts[size] if usage else 0.0) for size in counts}
    else:
        usage_on, most_room = (
            other or ITS_LINE,
            {size: whole_line - (0.0 if other else counts[size]) for size in counts},
        )
    for form in (text, *(model_forms(text) if text == caption.model else ())):
        for size in range(largest, whole(MODEL_PX[0]) - 1, -1):
            if ruler.width(form, size) <= most_room[size]:
                return _Note(form, size, usage, usage_on, is_before)
    least = min(counts)
    cut = cut_by_words(text, lambda one: ruler.width(one, least), most_room[least])
    return _Note(cut, least, usage, usage_on if cut else ITS_LINE, is_before)


def _is_free_below(sheet: Sheet, caption: Caption, height: float) -> bool:
    """Whether a server that is seen near has room for another line over its free ports."""
    foot = SECOND_LINE * min(sheet.scale, MOST_TEXT_SCALE) + LINE_BELOW * MODEL_PX[1]
    return foot <= height - tray_height(caption.total - caption.used) * sheet.scale


def _words(
    picture: Picture,
    sheet: Sheet,
    caption: Caption,
    note: _Note | None,
    width: float,
    height: float,
    short: str,
) -> Iterator[Part]:
    """The name, or its short form; from near, in a second line the model, and how many ports are used."""
    theme, step = picture.theme, min(sheet.scale, MOST_TEXT_SCALE)
    left = LEFT * step
    if caption.is_name_shown:
        yield name_in(short or caption.name, sheet, width, height, theme.text, is_alone=note is None)
    if note is None:
        return
    side = PICTOGRAM * step
    if note.is_pictogram_before:  # the name goes first
        yield pictogram(caption.kind, theme.muted, left, SECOND_LINE * step - 0.88 * side, side)
        left += (PICTOGRAM + AFTER_PICTOGRAM) * step
    else:
        yield pictogram(caption.kind, theme.muted, width - 7 * step - side, FIRST_LINE * step - 0.92 * side, side)
    if note.text:
        yield Text(left, SECOND_LINE * step, note.text, note.size, theme.muted)
    if note.usage and not note.text:
        yield Text(left, SECOND_LINE * step, note.usage, note.size, theme.muted)
    elif note.usage:
        right = width - 7 * step - (side + AFTER_PICTOGRAM * step if note.usage_on == LINE_OF_NAME else 0.0)
        yield Text(right, _usage_line(note, step), note.usage, note.size, theme.muted, anchor="end")


def _short_names(picture: Picture, sheet: Sheet) -> dict[int, str]:
    """The forms in which rows of boxes have their names where one of these has no room."""
    step, more = min(sheet.scale, MOST_TEXT_SCALE), 0.0 if picture.detail.models else MORE_ROOM

    def has_room(name: str, width: float) -> bool:
        room = width - (LEFT + RIGHT) * step
        return sheet.ruler.width(name, _name_size(sheet, name, room)) <= room + more * step

    found: dict[int, str] = beside.short_in_rows(picture, sheet, has_room)
    return found


def name_in(name: str, sheet: Sheet, width: float, height: float, colour: str, *, is_alone: bool) -> Text:
    """A name in a box of that size, from the box's corner: in its middle where it is alone, else in the first line."""
    ruler, step = sheet.ruler, min(sheet.scale, MOST_TEXT_SCALE)
    room, shown = width - (LEFT + RIGHT) * step, visible_line(name)
    size = _name_size(sheet, shown, room)
    line = baseline(ruler, height / 2, size) if is_alone else FIRST_LINE * step
    cut = fitted_label(shown, lambda text: ruler.width(text, size), room + MORE_ROOM * step * is_alone)
    return Text(LEFT * step, line, cut, size, colour)


def name_place(detail: Detail, sheet: Sheet, width: float, height: float) -> Corners:
    """Left, top, width and height of the room that a name has in a box of that size, from the box's corner."""
    step = min(sheet.scale, MOST_TEXT_SCALE)
    left, room = LEFT * step, width - (LEFT + RIGHT) * step
    if not detail.names:
        return 0.0, 0.0, width, height
    if not detail.models:
        return left, 0.0, room, height
    return left, 0.0, room, min(height, (FIRST_LINE + SECOND_LINE) / 2 * step - MODEL_SIZE * step / 4)


def _name_size(sheet: Sheet, name: str, room: float) -> int:
    """The size of names, or a smaller one that the name fits in; not smaller than names may be."""
    asked = clamped(NAME_SIZE * sheet.scale, NAME_PX)
    return size_to_fit(sheet.ruler, name, room, asked, min(asked, sheet.least_name))


def _usage_line(note: _Note, step: float) -> float:
    """The baseline of the count of ports; on the line of the bar that is in the middle of it."""
    if note.usage_on != LINE_OF_BAR:
        return (FIRST_LINE if note.usage_on == LINE_OF_NAME else SECOND_LINE) * step
    return (USAGE_TOP + USAGE_HEIGHT / 2) * step + FIGURE * note.size / 2


def _usage(caption: Caption, look: _Look, width: float, sheet: Sheet, note: _Note | None) -> Iterator[Part]:
    """How much of the port budget is spent, as a bar; before the count where that stands there."""
    if caption.total:
        step = min(sheet.scale, MOST_TEXT_SCALE)
        left, top, room = LEFT * step, USAGE_TOP * step, width - (LEFT + RIGHT + 2) * step
        if note is not None and note.usage_on == LINE_OF_BAR:
            room -= sheet.ruler.width(f"{caption.total}/{caption.total}", note.size) + 4 * step
        yield Rect(left, top, room, USAGE_HEIGHT * step, look.border)
        spent = room * min(1.0, caption.used / caption.total)
        if spent:
            yield Rect(left, top, spent, USAGE_HEIGHT * step, look.stripe)


def _ports(ports: list[PortHandle], camera: Camera, look: _Look, paper: str) -> Iterator[Part]:
    """Handles: filled where a link is, hollow where free, faint where reserved."""
    alike: dict[tuple[bool, bool], list[tuple[float, float, float]]] = {}
    for one in ports:
        alike.setdefault((one.link_id is None, one.reserved), []).append((one.x, one.y, one.size))
    for (is_free, reserved), places in sorted(alike.items()):
        faint = reserved and is_free
        ink = None if faint else Ink(paper) if is_free else look.stripe
        yield Rects(_handles(places, camera), ink, Pen(look.colours.border if faint else look.colours.stripe))


def _numbers(ports: list[PortHandle], camera: Camera, theme: Theme, ruler: Ruler) -> Iterator[Part]:
    """The numbers of ports in the handles of their links, where all of a box have room for theirs."""
    linked = [(one, number_of(one.name)) for one in ports if one.link_id is not None]
    size = NUMBER_PX
    if not linked or any(ruler.width(number, size) > handle_side(one, camera.scale) for one, number in linked):
        return
    for one, number in linked:
        x, y = camera.to_view(one.x, one.y)
        yield Text(x, y + 0.37 * size, number, size, theme.background, anchor="middle")


def number_of(port: str) -> str:
    """What numbers a port in its name: "9/2" of "swp9/2", "3" of "rail3"; "" of one without."""
    found = re.search(r"\d+(?:\D\d+)*$", port)
    return found.group() if found else ""


def handle_side(port: PortHandle, scale: float) -> float:
    """How large the handle of a port is drawn on the screen."""
    return min(port.size * scale, MOST_HANDLE_PX)


def _handles(places: list[tuple[float, float, float]], camera: Camera) -> Floats:
    """Squares around these middles; of canvas units, the third being their sides."""
    x, y, size = (np.array(places) * camera.scale).T
    rects = np.empty((len(places), 4))
    side = np.minimum(size, MOST_HANDLE_PX, out=rects[:, 2])
    rects[:, 3] = side
    np.subtract(x, side / 2 + camera.left * camera.scale, out=rects[:, 0])
    np.subtract(y, side / 2 + camera.top * camera.scale, out=rects[:, 1])
    return rects
