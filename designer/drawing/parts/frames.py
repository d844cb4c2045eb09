"""Frames of racks and groups, and their titles: how much of them fits, where it stands, and the plate behind it."""

from collections.abc import Iterable, Iterator

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.display_list import Picture
from designer.drawing.frame_titles import title_room
from designer.drawing.geometry import Container
from designer.drawing.geometry import Rect as Corners
from designer.drawing.parts.primitives import Group, Ink, Part, Pen, Rect, Text
from designer.drawing.parts.ruler import cut_to_number, line_height, whole
from designer.drawing.parts.sheet import Sheet

TITLE_SIZE = 13.0
TITLE_PX = (11.0, 15.0)
MOST_TITLE = {True: 16.0, False: 20.0}
"""In a rack and above a group, canvas units: no title is larger, whatever the sheet, but one of TITLE_PX."""
LEAST_WIDTH_PX = 28.0
ABOVE_PX = 24.0
"""A group's title reaches no higher above its frame."""
NOTE_GAP = 10.0
MOST_AROUND, PAST_PX = 64, 4.0
"""Among more frames titles do not look for others in their places; and how far they stand past one."""
RACK_TITLE = 26.0
"""Room for the title of a rack over its devices, canvas units."""


def frames(containers: Iterable[Container], sheet: Sheet) -> Iterator[Part]:
    """A rounded rectangle for each that shows, outer ones first; what is in no group is cut out of it."""
    theme, radius = sheet.theme, min(8.0, 6.0 * max(sheet.scale, 0.3))
    rack = Ink(theme.rack_fill), Pen(theme.rack_border)
    group = Ink(theme.group_fill), Pen(theme.group_border)
    for one in containers:
        place = sheet.seen(one.rect)
        if sheet.touches(*place):
            ink, pen = rack if one.kind == "rack" else group
            title = f"{one.title}\n{one.note}" if one.note else one.title
            holes = (Rect(*sheet.seen(hole), Ink(theme.background), pen, radius) for hole in one.holes)
            yield Group((Rect(*place, ink, pen, radius), *holes), title=title)


def titles(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """The titles of those that show."""
    for parts in picture.once_on(sheet, _titles):
        yield from parts


def _titles(picture: Picture, sheet: Sheet) -> list[tuple[Part, ...]]:
    found = []
    for one in picture.containers:
        x, y, width, height = sheet.seen(one.rect)
        if sheet.touches(x, y - ABOVE_PX, width, height + 2 * ABOVE_PX):
            found.append(title_of(one, picture.containers, picture.boxes, sheet))
    return [parts for parts in found if parts]


def title_of(container: Container, containers: Iterable[Container], boxes: Floats, sheet: Sheet) -> tuple[Part, ...]:
    """The title of a container and what is noted beside it, over the plate that covers what is beneath a group's.

    Nothing where there is no room; `boxes` as in title_room. No link strikes a title through: it is drawn over them.
    """
    left, top, width, height = sheet.seen(container.rect)
    if width < LEAST_WIDTH_PX:
        return ()
    ruler, theme, scale, is_rack = sheet.ruler, sheet.theme, sheet.scale, container.kind == "rack"
    asked = max(min(TITLE_PX[1], TITLE_SIZE * scale), TITLE_PX[0] * sheet.zoom)
    asked = min(asked, max(TITLE_PX[1], MOST_TITLE[is_rack] * scale))
    size, small = whole(asked), whole(asked - 1.5)
    room = width - (16 if is_rack else 4)
    if not is_rack and ruler.width(container.title, size, True) > room:
        room = title_room(container, containers, boxes, (line_height(ruler, size, True) + 4) / scale) * scale - 4
        end = sheet.area[0] + sheet.area[2]
        if left + width <= end:  # of a frame that is all in sight
            room = min(room, end - left - 4)
    text = cut_to_number(ruler, container.title, room, size, True)
    if not text:
        return ()
    ascent, descent = ruler.ascent(size, True), ruler.descent(size, True)
    covered = ruler.width(text, size, True)
    x, y = (left + 8, top + ascent + 5) if is_rack else (left + 2, top - descent - 3)
    if container.is_titled_below:
        y = top + height + ascent + 4
    beyond = 0.0 if is_rack else _past_frames(container, containers, sheet, (x, y - ascent, covered, ascent + descent))
    x, room = x + beyond, room - (beyond if covered + beyond <= room else 0.0)
    if not is_rack:
        clear = _off_boxes((x - 2, y - ascent - 1, covered + 5, ascent + descent + 2), left + width, boxes, sheet)
        if clear is None:
            return ()
        x, room = x + clear, room - clear
    if is_rack and y + 4 > top + RACK_TITLE * scale + 6:
        return ()
    # The note is a text of its own, so that a name written from right to left leaves its order alone.
    parts: list[Part] = [Text(x, y, text, size, theme.text, True)]
    for note in _notes(container):
        width = NOTE_GAP * sheet.zoom + ruler.width(note, small)
        if covered + width <= room:
            parts.append(Text(x + covered + NOTE_GAP * sheet.zoom, y, note, small, theme.muted))
            covered += width
            break
    if not is_rack:
        parts.insert(0, Rect(x - 2, y - ascent - 1, covered + 5, ascent + descent + 2, Ink(theme.background)))
    return tuple(parts)


def _past_frames(container: Container, containers: Iterable[Container], sheet: Sheet, title: Corners) -> float:
    """How far to the right a title stands clear of the frames of groups next to its own, as on a circle of groups.

    It keeps to the upper or lower edge of its own frame: what covers more than half of that is left alone.
    """
    frames = [one for one in containers if one.kind != "rack"]
    if len(frames) > MOST_AROUND:
        return 0.0
    own, (x, y, width, height), found = container.rect, title, 0.0
    for one in frames:
        inner_left, inner_top, inner_right, inner_bottom = one.rect
        is_around = inner_left <= own[0] and inner_top <= own[1] and inner_right >= own[2] and inner_bottom >= own[3]
        if one is container or is_around:
            continue
        left, top, across, down = sheet.seen(one.rect)
        end = left + across + PAST_PX * sheet.zoom - x
        if (
            left < x + width
            and 0.0 < end <= (own[2] - own[0]) * sheet.scale / 2
            and top < y + height
            and top + down > y
        ):
            found = max(found, end)
    return found


def _off_boxes(title: Corners, end: float, boxes: Floats, sheet: Sheet) -> float | None:
    """How far to the right a title covers no box, 0 where it covers none; None where it would not end by `end` then.

    It is a name that a box is known by at a glance: over the boxes of another group it would be taken for theirs.
    """
    x, y, width, height = title
    places = sheet.boxes(boxes)
    beside = places[(places[:, 1] < y + height) & (places[:, 1] + places[:, 3] > y)]
    moved = x
    for left, _, across, _ in beside[np.argsort(beside[:, 0])].tolist():
        if left < moved + width and left + across > moved:
            moved = left + across + PAST_PX * sheet.zoom
    return moved - x if moved == x or moved + width <= end else None


def _notes(container: Container) -> Iterator[str]:
    """What may be noted beside a title, the longest first."""
    said = [container.detail, container.note]
    if container.rails:
        said[:0] = [f"{one}, {container.rails}" for one in said if one]
        said[1:3] = reversed(said[1:3])  # rails before types
    yield from filter(None, said)


def title_corners(picture: Picture, sheet: Sheet) -> Floats:
    """Left, top, width and height of what the titles that show take, with what is noted beside them, (n, 4)."""
    places: list[tuple[float, float, float, float]] = []
    for parts in picture.once_on(sheet, _titles):
        texts = [part for part in parts if isinstance(part, Text)]
        first, last = texts[0], texts[-1]
        ascent, descent = (measure(first.size, True) for measure in (sheet.ruler.ascent, sheet.ruler.descent))
        right = last.x + sheet.ruler.width(last.text, last.size, last.bold)
        places.append((first.x - 2, first.y - ascent - 1, right - first.x + 5, ascent + descent + 2))
    corners: Floats = np.array(places, np.float64).reshape(-1, 4)
    return corners


def title_place(
    container: Container, containers: Iterable[Container], boxes: Floats, sheet: Sheet
) -> tuple[float, float, float, float]:
    """Left, top, width and height of a container's title as it is drawn, or of the room for it where none is."""
    texts = [part for part in title_of(container, containers, boxes, sheet) if isinstance(part, Text)]
    left, top, width, _ = sheet.seen(container.rect)
    if not texts:
        return left, top, width, ABOVE_PX
    title = texts[0]
    ascent, descent = sheet.ruler.ascent(title.size, True), sheet.ruler.descent(title.size, True)
    return title.x, title.y - ascent, sheet.ruler.width(title.text, title.size, True), ascent + descent


def titled_at(containers: tuple[Container, ...], boxes: Floats, sheet: Sheet, x: float, y: float) -> str | None:
    """The group whose title's plate is at that point of the sheet, as it is drawn over the links."""
    for one in reversed(containers):
        _, top, _, height = sheet.seen(one.rect)
        foot = top + height + ABOVE_PX if one.is_titled_below else top
        if one.kind != "rack" and foot - ABOVE_PX <= y <= foot:
            for part in title_of(one, containers, boxes, sheet)[:1]:
                if isinstance(part, Rect) and _holds((part.x, part.y, part.width, part.height), x, y):
                    return one.id
    return None


def _holds(rect: Corners, x: float, y: float) -> bool:
    left, top, width, height = rect
    return left <= x <= left + width and top <= y <= top + height
