"""Annotations: words, notes, zones, arrows, pictures and blocks, drawn alike on a screen and on paper."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from designer.drawing.display_list import Key, Picture
from designer.drawing.geometry import Rect as Corners
from designer.drawing.legend_keys import keys_on
from designer.drawing.notes import Drawn
from designer.drawing.parts.keys import keys, plates, size_of
from designer.drawing.parts.primitives import Group, Image, Ink, Part, Path, Pen, Rect, Text, dashes
from designer.drawing.parts.ruler import line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import fabric
from designer.drawing.parts.words import (
    FOOT_LINE,
    FOOT_SIZE,
    LINE_SHARE,
    MOST_LINES,
    NAMES_SHARE,
    ROW_SHARE,
    foot_height,
    foot_lines,
    foot_of,
    padding_of,
    wrapped,
)
from designer.drawing.theme import Theme, mixed, rgb
from designer.errors import ParameterError
from designer.model.annotation import (
    ARROW,
    CALLOUT,
    COMMENT,
    DIMENSION,
    IMAGE,
    LEGEND,
    LINE,
    NO_FILL,
    NOTE,
    TEXT,
    TITLE_BLOCK,
    ZONE,
    Annotation,
)
from designer.model.images import picture_of
from designer.model.shown_text import visible

LEAST_TEXT = 4.0
"""Smaller letters are left out: nobody reads them."""
FOLD = 10.0
HEAD = 9.0
TICK = 6.0
NOTE_PAPER, NOTE_SHARE = "#e9b93c", {False: 0.25, True: 0.22}
COMMENT_PAPER = "#5b8def"
MOST_LINE_PX, MOST_LEADER_PX = 4.0, 2.5
ZONE_SHARE, RESOLVED_SHARE = 0.10, 0.45
GAP_PX = 3.0
SMALLEST_SHARE = 0.5
"""How far the letters of a title block shrink where fonts are wider than was estimated."""
LEADING = 1.3
"""From line to line of a value, in terms of its letters."""


class Stated(NamedTuple):
    """What legends and title blocks among annotations state."""

    keys: Callable[[], tuple[Key, ...]]
    rows: tuple[tuple[str, str], ...]


def noted(notes: Iterable[Drawn], stated: Stated, sheet: Sheet) -> Iterator[Part]:
    """These annotations, whatever is drawn with them."""
    for one in notes:
        yield from _whole(one, stated, sheet)


def annotations(picture: Picture, sheet: Sheet, *, behind: bool, is_dimmed: bool = False) -> Iterator[Part]:
    """Those behind the fabric, or those over it; where the fabric `is_dimmed`, without what `bright_behind` draws."""
    for one in picture.notes:
        if one.is_behind == behind and not (is_dimmed and _is_bare(one, picture, sheet)):
            yield from _whole(one, _stated_on(picture), sheet)


def bright_behind(picture: Picture, sheet: Sheet, dimmed: float) -> Iterator[Part]:
    """Over a veil of the background that is so dense, those behind the fabric, in their own colors.

    Zones get theirs back and what is dimmed in them still shows; others stay under the veil where boxes lie over them.
    """
    for one in (one for one in picture.notes if one.is_behind):
        if one.note.kind == ZONE:
            ink = _zone_ink(one.note, sheet.theme)
            again = None if ink is None else _unveiled(ink.colour, sheet.theme.background, dimmed)
            yield Rect(*sheet.seen(one.rect), again, _pen(one.note, sheet, sheet.theme.accent), 6.0 * sheet.scale)
        elif _is_bare(one, picture, sheet):
            yield from _whole(one, _stated_on(picture), sheet)


def _stated_on(picture: Picture) -> Stated:
    return Stated(partial(keys_on, picture), picture.title_rows)


def _whole(one: Drawn, stated: Stated, sheet: Sheet) -> Iterator[Part]:
    """An annotation, where it shows."""
    left, top, width, height = sheet.seen(one.rect)
    margin = 60.0 * sheet.scale if one.pin is None else 1e9
    if sheet.touches(left - margin, top - margin, width + 2 * margin, height + 2 * margin):
        yield Group(tuple(_PARTS[one.note.kind](one, stated, sheet)), title=_title_of(one.note))


def _is_bare(one: Drawn, picture: Picture, sheet: Sheet) -> bool:
    """Whether it is behind the fabric, and neither a zone nor under any box or title of a group."""
    return one.is_behind and one.note.kind != ZONE and fabric(picture, sheet).is_free(*sheet.seen(one.rect))


def _unveiled(colour: str, background: str, dimmed: float) -> Ink:
    """The thinnest ink that gives an area under such a veil its color back."""
    wanted, ground = np.array(rgb(colour), np.float64), np.array(rgb(background), np.float64)
    veiled = wanted + (ground - wanted) * dimmed
    lighter = wanted > veiled
    alpha = float((np.abs(wanted - veiled) / np.maximum(1.0, np.where(lighter, 255.0 - veiled, veiled))).max())
    pure = veiled + (wanted - veiled) / (alpha or 1.0)
    return Ink("#" + "".join(f"{round(one):02x}" for one in np.clip(pure, 0.0, 255.0).tolist()), min(1.0, alpha))


def _title_of(note: Annotation) -> str:
    """What a pointer hears of a comment: who wrote it when, and whether it is done."""
    if note.kind != COMMENT:
        return ""
    by = ", ".join(part for part in (note.author, note.date, "resolved" if note.resolved else "open") if part)
    return visible(f"{note.text}\n{by}".strip())


# -- colors and pens -------------------------------------------------------------------------------------------------


def _ink_of_text(note: Annotation, sheet: Sheet) -> str:
    return note.colour or sheet.theme.text


def _pen(note: Annotation, sheet: Sheet, usual: str) -> Pen | None:
    if not note.line_width:
        return None
    width = _line_width(note, sheet)
    return Pen(note.colour or usual, width, dash=dashes(note.line_style, width))


def _line_width(note: Annotation, sheet: Sheet) -> float:
    """Of its lines on the sheet: from near no wider than a few pixels, or than at full size where a hand made it so."""
    return min(note.line_width * sheet.scale, max(MOST_LINE_PX, note.line_width) * sheet.zoom)


def _fill(note: Annotation, usual: str | None) -> Ink | None:
    if note.fill == NO_FILL:
        return None
    colour = note.fill or usual
    return Ink(colour) if colour else None


def paper_of(note: Annotation, theme: Theme) -> tuple[str, str]:
    """The colors of the paper of a note or comment and of its edge, where it states none."""
    if note.kind == COMMENT:
        base = mixed(COMMENT_PAPER, theme.background, RESOLVED_SHARE) if note.resolved else COMMENT_PAPER
        edge = base
    else:
        base, edge = NOTE_PAPER, mixed(NOTE_PAPER, theme.background, 0.75)
    return mixed(base, theme.background, NOTE_SHARE[theme.is_dark]), edge


# -- words --------------------------------------------------------------------------------------------------------


def _words(
    note: Annotation, sheet: Sheet, place: tuple[float, float, float, float], *, text: str | None = None
) -> Iterator[Part]:
    """The text in lines that fit the width, as many as fit the height; the last says where there are more.

    Letters of whole pixels may be larger than they should be: where they leave no room, they are a pixel smaller.
    """
    size = note.size * sheet.scale
    if size < LEAST_TEXT:
        return
    left, top, width, height = place
    said = note.text if text is None else text
    for letters in (whole(size), max(1, whole(size) - 1)):
        line = line_height(sheet.ruler, letters, note.bold) * LINE_SHARE
        lines = wrapped(said, width, letters, sheet.ruler, bold=note.bold)
        room = max(1, min(MOST_LINES, int((height + 0.35 * line) / line)))
        if len(lines) <= room:
            break
    shown = lines[:room]
    if len(lines) > room:
        shown[-1] = sheet.ruler.cut(shown[-1] + " " + "…" * 3, width, letters, note.bold) or "…"
    for number, words in enumerate(shown):
        at = top + number * line + sheet.ruler.ascent(letters, note.bold)
        yield Text(left, at, words, letters, _ink_of_text(note, sheet), note.bold)


def _inside(place: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    left, top, width, height = place
    by = min(by, width / 3, height / 3)
    return left + by, top + by, max(1.0, width - 2 * by), max(1.0, height - 2 * by)


# -- kinds --------------------------------------------------------------------------------------------------------


def _text(one: Drawn, _stated: Stated, sheet: Sheet) -> Iterator[Part]:
    place = sheet.seen(one.rect)
    if one.note.fill and one.note.fill != NO_FILL:
        yield Rect(*place, Ink(one.note.fill), None, 3.0)
    yield from _words(one.note, sheet, place)


def _padding(note: Annotation, sheet: Sheet) -> float:
    return padding_of(note) * sheet.scale


def _note(one: Drawn, _stated: Stated, sheet: Sheet) -> Iterator[Part]:
    """A sheet with its corner folded."""
    yield from _leader(one, sheet)
    left, top, width, height = sheet.seen(one.rect)
    right, bottom, fold = left + width, top + height, min(FOLD * sheet.scale, width / 3, height / 3)
    paper, edge = paper_of(one.note, sheet.theme)
    pen, ink = _pen(one.note, sheet, edge), _fill(one.note, paper)
    outline = ((left, top), (right - fold, top), (right, top + fold), (right, bottom), (left, bottom))
    yield Path(outline, ink, pen, closed=True)
    if pen is not None:
        yield Path(((right - fold, top), (right - fold, top + fold), (right, top + fold)), None, pen)
    yield from _words(one.note, sheet, _inside((left, top, width, height), _padding(one.note, sheet)))


def _callout(one: Drawn, _stated: Stated, sheet: Sheet) -> Iterator[Part]:
    yield from _leader(one, sheet)
    place = sheet.seen(one.rect)
    ink = _fill(one.note, sheet.theme.plate)
    yield Rect(*place, ink, _pen(one.note, sheet, sheet.theme.accent), 5.0 * sheet.scale)
    yield from _words(one.note, sheet, _inside(place, _padding(one.note, sheet)))


def _comment(one: Drawn, _stated: Stated, sheet: Sheet) -> Iterator[Part]:
    """A note with who wrote it when, and whether it is done, at its foot."""
    note, theme = one.note, sheet.theme
    yield from _leader(one, sheet)
    place = sheet.seen(one.rect)
    paper, edge = paper_of(note, theme)
    yield Rect(*place, _fill(note, paper), _pen(note, sheet, edge), 5.0 * sheet.scale)
    left, top, width, height = _inside(place, _padding(note, sheet))
    small, room = whole(FOOT_SIZE * note.size * sheet.scale), foot_lines(note)
    lines = foot_of(note, width, small, sheet.ruler)
    if len(lines) > room and small > LEAST_TEXT:  # letters of whole pixels may be larger than they should be
        small -= 1
        lines = foot_of(note, width, small, sheet.ruler)
    lines[room - 1 :] = [" · ".join(lines[room - 1 :])]
    yield from _words(note, sheet, (left, top, width, height - foot_height(len(lines)) * small))
    for number, line in enumerate(reversed(lines) if small >= LEAST_TEXT else ()):
        at = top + height - (0.2 + FOOT_LINE * number) * small
        yield Text(left, at, sheet.ruler.cut(line, width, small), small, theme.muted)


def _zone(one: Drawn, _stated: Stated, sheet: Sheet) -> Iterator[Part]:
    pen = _pen(one.note, sheet, sheet.theme.accent)
    yield Rect(*sheet.seen(one.rect), _zone_ink(one.note, sheet.theme), pen, 6.0 * sheet.scale)


def _zone_ink(note: Annotation, theme: Theme) -> Ink | None:
    return _fill(note, mixed(note.colour or theme.accent, theme.background, ZONE_SHARE))


def zone_titles(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """The words of zones over the links, at their upper edge, or where boxes stand there at another or outside."""
    for one in picture.notes:
        place = sheet.seen(one.rect)
        if one.note.kind == ZONE and one.note.text and sheet.touches(*place):
            yield from _zone_words(one.note, place, picture, sheet)


def zone_titled_at(picture: Picture, sheet: Sheet, x: float, y: float) -> str | None:
    """The zone whose words are at that point of the sheet, as they are drawn over the links; the topmost."""
    for one in reversed(picture.notes):
        if one.note.kind == ZONE and one.note.text:
            for part in _zone_words(one.note, sheet.seen(one.rect), picture, sheet):
                if isinstance(part, Rect) and 0 <= x - part.x <= part.width and 0 <= y - part.y <= part.height:
                    return one.note.id
    return None


def _zone_words(note: Annotation, place: Corners, picture: Picture, sheet: Sheet) -> Iterator[Part]:
    inside = left, top, width, height = _inside(place, _padding(note, sheet))
    parts = [part for part in _words(note, sheet, inside) if isinstance(part, Text)]
    if not parts:
        return
    ruler, taken = sheet.ruler, fabric(picture, sheet)
    line = line_height(ruler, parts[0].size, note.bold)
    across = max(ruler.width(one.text, one.size, one.bold) for one in parts)
    down = parts[-1].y - parts[0].y + line
    heights = top, top + height - down, place[1] - down - GAP_PX, place[1] + place[3] + GAP_PX
    spots = [(x, y) for y in heights for x in (left, left + width - across)]
    x, y = next((spot for spot in spots if taken.is_free(*spot, across, down)), (left, top))
    paper = mixed(note.colour or sheet.theme.accent, sheet.theme.background, ZONE_SHARE)
    is_within = place[1] <= y <= place[1] + place[3]
    ink = _fill(note, paper) if is_within else None
    yield Rect(x - 1, y, across + 2, down, ink or Ink(sheet.theme.background))
    yield from (one._replace(x=one.x + x - left, y=one.y + y - top) for one in parts)


def _line(one: Drawn, _stated: Stated, sheet: Sheet) -> Iterator[Part]:
    pen = _pen(one.note, sheet, sheet.theme.text)
    start, end = sheet.camera.to_view(*one.start), sheet.camera.to_view(*one.end)
    head = HEAD * sheet.scale + 2 * (0.0 if pen is None else pen.width)
    length = math.dist(start, end)
    if one.note.kind != ARROW or not length:
        yield Path((start, end), None, pen)
        return
    head = min(head, length)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    foot = end[0] - ux * head, end[1] - uy * head
    side = head * 0.42
    yield Path((start, foot), None, pen)
    corners = (end, (foot[0] - uy * side, foot[1] + ux * side), (foot[0] + uy * side, foot[1] - ux * side))
    yield Path(corners, Ink(one.note.colour or sheet.theme.text), closed=True)


def _dimension(one: Drawn, _stated: Stated, sheet: Sheet) -> Iterator[Part]:
    """A line with ticks across its ends, and its words over the middle."""
    note = one.note
    pen = _pen(note, sheet, sheet.theme.text)
    start, end = sheet.camera.to_view(*one.start), sheet.camera.to_view(*one.end)
    yield Path((start, end), None, pen)
    length = math.dist(start, end) or 1.0
    tick = TICK * sheet.scale
    nx, ny = -(end[1] - start[1]) / length * tick, (end[0] - start[0]) / length * tick
    for x, y in (start, end):
        yield Path(((x - nx, y - ny), (x + nx, y + ny)), None, pen)
    size = note.size * sheet.scale
    if note.text and size >= LEAST_TEXT:
        letters = whole(size)
        words = visible(note.text).replace("\n", " ")
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        width, height = sheet.ruler.width(words, letters, note.bold) + 8, line_height(sheet.ruler, letters)
        yield Rect(x - width / 2, y - height / 2, width, height, Ink(sheet.theme.background), None, 3.0)
        line = y + (sheet.ruler.ascent(letters) - sheet.ruler.descent(letters)) / 2
        yield Text(x, line, words, letters, _ink_of_text(note, sheet), note.bold, anchor="middle")


def _image(one: Drawn, _stated: Stated, sheet: Sheet) -> Iterator[Part]:
    place = sheet.seen(one.rect)
    try:
        found = picture_of(one.note.image)
    except ParameterError:  # nothing that was checked gets here
        return
    yield Image(*place, found.data, found.format)


def _legend(one: Drawn, stated: Stated, sheet: Sheet) -> Iterator[Part]:
    """The keys of the colors that are drawn, as large as its box, which grows with them, has room for."""
    left, top, width, height = sheet.seen(one.rect)
    placed = plates(stated.keys(), sheet.ruler)
    across, down = size_of(placed)
    if placed and across:
        zoom = min(width / across, height / down)
        yield Group(tuple(keys(placed, sheet.theme, sheet.ruler)), at=(left, top), zoom=zoom)
    else:
        yield from _empty(one, sheet, "Legend: nothing is drawn yet")


def _empty(one: Drawn, sheet: Sheet, words: str) -> Iterator[Part]:
    place = sheet.seen(one.rect)
    yield Rect(*place, Ink(sheet.theme.plate), Pen(sheet.theme.plate_border), 4.0 * sheet.scale)
    yield from _words(one.note, sheet, _inside(place, _padding(one.note, sheet)), text=words)


def _title_block(one: Drawn, stated: Stated, sheet: Sheet) -> Iterator[Part]:
    """What the design says of itself, a row each; long values in several lines, all letters so small that they fit."""
    note, theme = one.note, sheet.theme
    left, top, width, height = place = sheet.seen(one.rect)
    pen = _pen(note, sheet, theme.text)
    yield Rect(*place, _fill(note, theme.plate), pen)
    split = left + NAMES_SHARE * width
    size, rows = _set_rows(stated.rows, note, sheet, (width, height))
    step, y = height / max(1, sum(len(lines) for _, lines in rows)), top
    for number, (name, lines) in enumerate(rows):
        if number:
            yield Path(((left, y), (left + width, y)), None, pen)
        for line, words in enumerate(lines if size >= LEAST_TEXT else ()):
            middle = y + len(lines) * step / 2 + (line - (len(lines) - 1) / 2) * min(step, LEADING * size)
            foot = middle + (sheet.ruler.ascent(size) - sheet.ruler.descent(size)) / 2
            inset = 0.5 * size
            if not line:
                yield Text(left + inset, foot, sheet.ruler.cut(name, split - left - inset, size), size, theme.muted)
            shown = sheet.ruler.cut(words, left + width - split - 2 * inset, size, note.bold)
            yield Text(split + inset, foot, shown, size, _ink_of_text(note, sheet), note.bold)
        y += step * len(lines)
    yield Path(((split, top), (split, top + height)), None, pen)


def _set_rows(
    rows: Sequence[tuple[str, str]], note: Annotation, sheet: Sheet, room: tuple[float, float]
) -> tuple[int, list[tuple[str, list[str]]]]:
    """The largest size of letters in which all values have room, with the lines of each; a line each where none is."""
    width, height = room
    most = whole(min(note.size * sheet.scale, ROW_SHARE * height / max(1, len(rows))))
    for size in range(most, max(whole(SMALLEST_SHARE * most), whole(LEAST_TEXT)) - 1, -1):
        across = (1 - NAMES_SHARE) * width - size
        found = [(name, wrapped(value, across, size, sheet.ruler, bold=note.bold)) for name, value in rows]
        if sum(len(lines) for _, lines in found) * size <= ROW_SHARE * height:
            return size, found
    return most, [(name, [value]) for name, value in rows]


def _leader(one: Drawn, sheet: Sheet) -> Iterator[Part]:
    """A line from the box to what it points to, with a dot there."""
    if one.leader is None:
        return
    start, end = (sheet.camera.to_view(*point) for point in one.leader)
    colour = one.note.colour or sheet.theme.muted
    pen = Pen(colour, max(1.0, min(_line_width(one.note, sheet), MOST_LEADER_PX * sheet.zoom)))
    yield Path((start, end), None, pen)
    reach = 3.0 * max(sheet.scale, 0.5)
    yield Rect(end[0] - reach, end[1] - reach, 2 * reach, 2 * reach, Ink(colour), None, reach)


_PARTS: Mapping[str, Callable[[Drawn, Stated, Sheet], Iterator[Part]]] = {
    TEXT: _text,
    NOTE: _note,
    CALLOUT: _callout,
    COMMENT: _comment,
    ZONE: _zone,
    ARROW: _line,
    LINE: _line,
    DIMENSION: _dimension,
    IMAGE: _image,
    LEGEND: _legend,
    TITLE_BLOCK: _title_block,
}
