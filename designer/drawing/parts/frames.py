"""Frames of racks and groups, and their titles: how much of them fits, where it stands, and the plate behind it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.display_list import Picture
from designer.drawing.frame_titles import title_room
from designer.drawing.geometry import Container
from designer.drawing.geometry import Rect as Corners
from designer.drawing.obstacles import inside
from designer.drawing.parts.primitives import Group, Ink, Part, Pen, Rect, Text
from designer.drawing.parts.ruler import cut_to_number, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.model.annotation import ZONE

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
MOST_COMPARED, SIDES_KEPT = 100_000, 4
"""Frames times lines, of more of which titles stand where they do without; and at how many scales it is remembered."""
ALONG, FARTHER, WITHIN_PX = (0.0, 0.25, 0.5, 0.75, 1.0), (0.75, 1.5, 2.25), 4.0
"""Where along its frame a title is tried, and how many of its heights farther off; from within a frame to its edge."""
BESIDE_PX, LEAST_APART = 6.0, 1.0
"""Between a frame and a title beside it; and what overlaps by less touches."""
EVERYWHERE = (-1e6, -1e6, 2e6, 2e6)
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
    found, frames = [], titled(picture, sheet)
    for one in frames:
        x, y, width, height = sheet.seen(one.rect)
        reach = ABOVE_PX + abs(one.title_shift[1]) * sheet.scale
        if one.titled_beside or sheet.touches(x, y - reach, width, height + 2 * reach):
            found.append(title_of(one, frames, picture.boxes, sheet))
    return [parts for parts in found if parts]


def titled(picture: Picture, sheet: Sheet) -> tuple[Container, ...]:
    """The frames with their titles where these lie on no link, box or other frame, so far as there is such a place.

    It stays while a view is moved.
    """
    known, scale = picture.lines.title_sides, (sheet.scale, sheet.zoom)
    if scale not in known or known[scale][0] is not picture.containers:
        if len(known) >= SIDES_KEPT:
            known.clear()
        known[scale] = picture.containers, tuple(_titled(picture, replace(sheet, area=EVERYWHERE)))
    found: tuple[Container, ...] = known[scale][1]
    return found


def _titled(picture: Picture, sheet: Sheet) -> list[Container]:
    frames = list(picture.containers)
    groups = {one.id: sheet.seen(one.rect) for one in frames if one.kind != "rack"}
    too_many = len(groups) > MOST_AROUND or len(groups) * max(1, len(picture.lines.xy)) > MOST_COMPARED
    if too_many or picture.bounds is None:
        return frames
    room = _Room(picture, sheet, groups)
    middle = (picture.bounds[0] + picture.bounds[2]) / 2
    places = {one.id: _place(one, frames, picture.boxes, sheet) for one in frames if one.id in groups}
    for number, one in enumerate(frames):
        if one.id not in groups or groups[one.id][2] < LEAST_WIDTH_PX:
            continue
        others = [place for other, place in places.items() if other != one.id and place is not None]
        for tried in chain(_ways(one, middle), _aside(one, frames, picture.boxes, sheet)):
            place = places[one.id] if tried is one else _place(tried, frames, picture.boxes, sheet)
            if place is not None and room.is_clear(place, tried, others):
                frames[number], places[one.id] = tried, place
                break
    return frames


def _ways(one: Container, middle: float) -> Iterator[Container]:
    """Where the title may stand, the best first: as it does, on the outer side, on the other edge, on the inner side.

    Everywhere with what is noted beside it, and without.
    """
    outer = -1 if one.rect[0] + one.rect[2] < 2 * middle else 1
    flipped = replace(one, is_titled_below=not one.is_titled_below)
    for way in (one, replace(one, titled_beside=outer), flipped, replace(one, titled_beside=-outer)):
        yield way
        yield replace(way, note="", detail="", rails="")


def _aside(one: Container, frames: Iterable[Container], boxes: Floats, sheet: Sheet) -> Iterator[Container]:
    """Where else it may stand: along either edge of its frame, a little farther off, and along it within the frame.

    With what is noted beside it, and then without.
    """
    bare, flipped = replace(one, note="", detail="", rails=""), not one.is_titled_below
    ways = [(replace(way, is_titled_below=below)) for way in (one, bare) for below in (one.is_titled_below, flipped)]
    for way in ways:
        place = _place(way, frames, boxes, sheet)
        if place is None:
            continue
        out, rest = (1 if way.is_titled_below else -1), max(0.0, sheet.seen(one.rect)[2] - place[2])
        rows = (0.0, *(out * step * place[3] for step in FARTHER), -out * (place[3] + 2 * WITHIN_PX * sheet.zoom))
        for down in sorted(rows, key=lambda down: (down * out < 0.0, down != 0.0, abs(down))):
            for share in ALONG if down * out <= 0.0 else ALONG[:1]:
                if down or share:
                    yield replace(way, title_shift=(share * rest / sheet.scale, down / sheet.scale))


def _place(one: Container, frames: Iterable[Container], boxes: Floats, sheet: Sheet) -> Corners | None:
    """Left, top, width and height of the title and what is noted beside it; None where there is no room."""
    parts = title_of(one, frames, boxes, sheet)
    plate = parts[0] if parts else None
    return (plate.x, plate.y, plate.width, plate.height) if isinstance(plate, Rect) else None


class _Room:
    """What titles keep off: lines, boxes and the edges of frames, on a sheet."""

    def __init__(self, picture: Picture, sheet: Sheet, groups: Mapping[str, Corners]) -> None:
        xy = picture.lines.xy
        self._lines = np.hstack([sheet.camera.points_to_view(xy[:, at : at + 2]) for at in (0, 2)])
        self._low = np.minimum(self._lines[:, :2], self._lines[:, 2:])
        self._high = np.maximum(self._lines[:, :2], self._lines[:, 2:])
        places = sheet.boxes(picture.boxes)
        self._starts, self._ends = places[:, :2], places[:, :2] + places[:, 2:]
        self._groups = groups
        self._sides = EVERYWHERE if picture.bounds is None else sheet.seen(picture.bounds)
        self._notes = [sheet.seen(one.around) for one in picture.notes if one.note.kind != ZONE]
        self._beyond = ABOVE_PX * sheet.zoom

    def is_clear(self, place: Corners, one: Container, titles: Iterable[Corners]) -> bool:
        """Whether the title of a group there meets none of it and no other title; at its sides, in the drawing."""
        low, high = np.array([place[:2]]), np.array([(place[0] + place[2], place[1] + place[3])])
        (x, y), (end, foot) = low[0].tolist(), high[0].tolist()
        for left, top, width, height in (*(at for key, at in self._groups.items() if key != one.id), *titles):
            is_in_it = left <= x and top <= y and left + width >= end and top + height >= foot
            if _meet(place, (left, top, width, height)) and not is_in_it:
                return False
        if one.title_shift != (0.0, 0.0) and not self._is_in_sight(place):
            return False
        if one.titled_beside and (x < self._sides[0] or end > self._sides[0] + self._sides[2]):
            return False
        if ((self._starts < high) & (self._ends > low)).all(axis=1).any():
            return False
        near = ((self._low < high) & (self._high > low)).all(axis=1)
        return not inside(self._lines[near], low, high).any()

    def _is_in_sight(self, place: Corners) -> bool:
        """Whether no annotation covers a title there, and it stands no farther out of the drawing than others do."""
        (_, y, _, height), (_, top, _, tall) = place, self._sides
        is_near = top - self._beyond <= y and y + height <= top + tall + self._beyond
        return is_near and not any(_meet(place, one) for one in self._notes)


def _meet(one: Corners, other: Corners) -> bool:
    starts = (max(first, second) for first, second in zip(one[:2], other[:2], strict=True))
    ends = (min(one[axis] + one[2 + axis], other[axis] + other[2 + axis]) for axis in (0, 1))
    return all(start + LEAST_APART < end for start, end in zip(starts, ends, strict=True))


def title_of(container: Container, containers: Iterable[Container], boxes: Floats, sheet: Sheet) -> tuple[Part, ...]:
    """The title of a container and what is noted beside it, over the plate that covers what is beneath a group's.

    Nothing where there is no room; `boxes` as in title_room. No link strikes a title through: it is drawn over them.
    """
    if sheet.seen(container.rect)[2] < LEAST_WIDTH_PX:
        return ()
    if container.titled_beside:
        return _title_beside(container, sheet)
    right, down = (one * sheet.scale for one in container.title_shift)
    parts = _title_over(container, containers, boxes, sheet)
    if not (right or down):
        return parts
    return tuple(one._replace(x=one.x + right, y=one.y + down) for one in parts if isinstance(one, Rect | Text))


def _sizes(container: Container, sheet: Sheet) -> tuple[int, int]:
    """Of a title, and of what is noted beside it."""
    asked = max(min(TITLE_PX[1], TITLE_SIZE * sheet.scale), TITLE_PX[0] * sheet.zoom)
    asked = min(asked, max(TITLE_PX[1], MOST_TITLE[container.kind == "rack"] * sheet.scale))
    return whole(asked), max(whole(asked - 1.5), min(whole(asked), whole(sheet.least_name)))


def _title_over(container: Container, containers: Iterable[Container], boxes: Floats, sheet: Sheet) -> tuple[Part, ...]:
    """The title above its frame, or below; that of a rack in it."""
    left, top, width, height = sheet.seen(container.rect)
    ruler, theme, scale, is_rack = sheet.ruler, sheet.theme, sheet.scale, container.kind == "rack"
    size, small = _sizes(container, sheet)
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
        moved = _into_sight(x, covered, left + width, sheet)
        place = (x + moved - 2, y - ascent - 1, covered + 5, ascent + descent + 2)
        if moved and _off_boxes(place, left + width, boxes, sheet) == 0.0:
            x, room = x + moved, room - moved
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


def _title_beside(container: Container, sheet: Sheet) -> tuple[Part, ...]:
    """The whole title at the middle of the left or right side of its frame, with the longest note."""
    left, top, width, height = sheet.seen(container.rect)
    ruler, theme, (size, small) = sheet.ruler, sheet.theme, _sizes(container, sheet)
    text, note = container.title, next(_notes(container), "")
    covered, ascent, descent = ruler.width(text, size, True), ruler.ascent(size, True), ruler.descent(size, True)
    beyond = covered + NOTE_GAP * sheet.zoom
    across = beyond + ruler.width(note, small) if note else covered
    gap, y = BESIDE_PX * sheet.zoom, top + (height + ascent - descent) / 2
    x = left - gap - across if container.titled_beside < 0 else left + width + gap
    plate = Rect(x - 2, y - ascent - 1, across + 5, ascent + descent + 2, Ink(theme.background))
    said = (Text(x + beyond, y, note, small, theme.muted),) if note else ()
    return plate, Text(x, y, text, size, theme.text, True), *said


def _into_sight(x: float, covered: float, end: float, sheet: Sheet) -> float:
    """How far to the right a title goes that begins beyond the left edge, so far as its frame goes on there."""
    hidden = sheet.area[0] + PAST_PX * sheet.zoom - x
    return max(0.0, min(hidden, end - x - covered))


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


def titled_at(picture: Picture, sheet: Sheet, x: float, y: float) -> str | None:
    """The group whose title's plate is at that point of the sheet, as it is drawn over the links."""
    frames = titled(picture, sheet)
    for one in reversed(frames):
        _, top, _, height = sheet.seen(one.rect)
        reach = ABOVE_PX + abs(one.title_shift[1]) * sheet.scale
        if one.kind != "rack" and top - reach <= y <= top + height + reach:
            for part in title_of(one, frames, picture.boxes, sheet)[:1]:
                if isinstance(part, Rect) and _holds((part.x, part.y, part.width, part.height), x, y):
                    return one.id
    return None


def _holds(rect: Corners, x: float, y: float) -> bool:
    left, top, width, height = rect
    return left <= x <= left + width and top <= y <= top + height
