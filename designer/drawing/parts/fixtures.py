"""Walls, doors, trays and the like of a room, what is written and measured on its floor plan, and its scale."""

import math
from collections.abc import Iterable, Iterator

import numpy as np

from designer.drawing.display_list import Key, Swatch
from designer.drawing.notes import Drawn
from designer.drawing.parts.elevation import Marked
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import baseline, clamped, line_height, size_to_fit, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.words import wrapped
from designer.drawing.room.floor_plan import PER_M, FloorPlan
from designer.drawing.text import fitted_label
from designer.drawing.theme import KINDS, Theme, mixed
from designer.model.design import Design
from designer.model.fixture import COLUMN, COOLING, DIMENSION, DOOR, TEXT, TRAY, WALL, ZONE, Fixture
from designer.model.fixture_shape import Point, corners_of, own_rect_m, rect_m, turned
from designer.model.furnishing import measured, title_of
from designer.model.shown_text import visible_line
from designer.units import format_length

ORDER = {ZONE: -1, WALL: 0, COLUMN: 1, COOLING: 2, DOOR: 3, TRAY: 4, TEXT: 5, DIMENSION: 6}
"""What is drawn first: doors are cut into walls."""
OVER_RACKS = frozenset((TEXT, DIMENSION))
"""What is drawn over racks, and taken before them."""
ZONE_FILL, ZONE_DASH, ZONE_MARGIN, ZONE_LETTERS = 0.07, (6.0, 4.0), 5.0, 20.0
"""Of a zone; its letters in units of the plan are as high as those of names of racks."""
DIMENSION_LINE, FOOT_LINE, STROKE = 1.2, 0.8, 4.0
"""Widths of the line of a dimension and of what leads to its feet, and half the length of the strokes at its ends."""
LETTERS = 16.0
"""Height of the letters of dimensions in units of the plan, within the limits that can be read."""
DIMENSION_TEXT, TEXT_AWAY, GROUND_ALPHA = (8.0, 13.0), 3.0, 0.85
LEAST_DIMENSION = 6.0
"""Shorter ones, in pixels, have no words."""
TEXT_SHARE = 0.8
"""Of the height of a text, what its letters are high."""
TRAY_ALPHA = 0.22
TRAY_LINE, TRAY_DASH = 1.5, (6.0, 3.0)
MARK = 2.0
OUTLINE_DASH = (5.0, 3.0)
SWING_STEPS = 8
MOST_NAME, NAME_SHARE, LEAST_NAME_PX = 13.0, 0.2, 34.0
NAME_ROOM = 8.0
SCALES_M = 0.5, 1, 2, 5, 10, 20, 50, 100, 200
LEAST_SCALE_PX = 60.0
CORNER_PX = 18.0
UPSIDE_DOWN = 89.0, 269.0
"""Degrees between which a line of text would be read from above."""


def fixture_parts(fixtures: Iterable[Fixture], sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """All of these but trays and what stands over racks, those in front last."""
    for one in sorted(
        (one for one in fixtures if one.kind != TRAY and one.kind not in OVER_RACKS),
        key=lambda one: ORDER.get(one.kind, 0),
    ):
        x, y, width, height = _seen(sheet, rect_m(one))
        reach = max(width, height)  # a door opens beyond its rectangle
        if sheet.touches(x - reach, y - reach, width + 2 * reach, height + 2 * reach):
            x, y, width, height = place = _seen(sheet, own_rect_m(one))
            parts = _fixture(one, sheet, place, _mark(one, sheet, marked))
            if one.turn_deg:
                middle = x + width / 2, y + height / 2
                parts = (_turned_part(part, middle, one.turn_deg) for part in parts)
            yield Group(parts, title=title_of(one))


def marked_outlines(fixtures: Iterable[Fixture], sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """The outlines of those of these that are marked, dashed: they show over racks that stand in them."""
    for one in fixtures:
        is_selected = one.id in marked.selected
        if not one.points_m and (is_selected or one.id in marked.wrong):
            x, y, width, height = _seen(sheet, own_rect_m(one))
            colour = sheet.theme.accent if is_selected else sheet.theme.error
            outline = Rect(x, y, width, height, None, Pen(colour, MARK, dash=OUTLINE_DASH))
            yield _turned_part(outline, (x + width / 2, y + height / 2), one.turn_deg) if one.turn_deg else outline


def rack_keys(plan: FloorPlan, marked: Marked, theme: Theme) -> tuple[Key, ...]:
    """What the colors of racks mean: of the devices in them, or of the kind that most of each is."""
    if marked.classes is not None:
        return marked.classes.keys
    present = sorted({rack.kind for rack in plan.racks})
    swatches = tuple(Swatch(theme.boxes[one].stripe, KINDS[one].capitalize()) for one in present)
    return (Key("Racks by kind of devices", swatches, is_of_links=False),) if swatches else ()


def marked_notes(notes: Iterable[Drawn], sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """The outlines of the annotations that are selected, dashed; of lines the line."""
    pen = Pen(sheet.theme.accent, MARK, dash=OUTLINE_DASH)
    for one in notes:
        if one.note.id in marked.selected:
            ends = (sheet.camera.to_view(*one.start), sheet.camera.to_view(*one.end))
            yield Path(ends, pen=pen) if one.is_straight else Rect(*sheet.seen(one.rect), None, pen)


def tray_parts(fixtures: Iterable[Fixture], sheet: Sheet) -> Iterator[Part]:
    """The trays among these: bands as wide as they are."""
    theme = sheet.theme
    for one in fixtures:
        if one.kind != TRAY:
            continue
        points = tuple(sheet.camera.to_view(x * PER_M, y * PER_M) for x, y in one.points_m)
        band = Pen(theme.accent, max(one.width_m * PER_M * sheet.scale, TRAY_LINE), TRAY_ALPHA, square=True)
        yield Group((Path(points, pen=band),), title=title_of(one))


def tray_lines(fixtures: Iterable[Fixture], sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """The middle lines of the trays among these, which show over racks too."""
    for one in fixtures:
        if one.kind == TRAY:
            points = tuple(sheet.camera.to_view(x * PER_M, y * PER_M) for x, y in one.points_m)
            yield Path(points, pen=_mark(one, sheet, marked) or Pen(sheet.theme.accent, TRAY_LINE, 0.6, TRAY_DASH))


def marking_parts(fixtures: Iterable[Fixture], design: Design, sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """The texts and dimensions among these, over racks."""
    for one in sorted((one for one in fixtures if one.kind in OVER_RACKS), key=lambda one: ORDER[one.kind]):
        parts = _dimension(one, design, sheet, marked) if one.kind == DIMENSION else _text(one, sheet)
        yield Group(parts, title=title_of(one))


def dimension_text(one: Fixture, length_m: float) -> str:
    """What a dimension states, after its own words."""
    return f"{visible_line(one.name)} {format_length(round(length_m, 3))}".strip()


def _dimension(one: Fixture, design: Design, sheet: Sheet, marked: Marked) -> Iterator[Part]:
    """Its line with slanting strokes at the ends, thin lines to what it measures, and the length along it."""
    found, theme, mark = measured(design, one), sheet.theme, _mark(one, sheet, marked)
    pen = mark._replace(width=DIMENSION_LINE) if mark is not None else Pen(theme.text, DIMENSION_LINE * sheet.zoom)
    a, b = (sheet.camera.to_view(x * PER_M, y * PER_M) for x, y in found.line)
    feet = [sheet.camera.to_view(x * PER_M, y * PER_M) for x, y in found.feet]
    leads = [(*foot, *end) for foot, end in zip(feet, (a, b), strict=True) if math.dist(foot, end) > 1.0]
    if leads:
        yield Lines(np.array(leads), Pen(pen.colour, FOOT_LINE * sheet.zoom, 0.6))
    length = math.dist(a, b)
    along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length) if length else (1.0, 0.0)
    dx, dy = (STROKE * sheet.zoom * (along[0] - along[1]), STROKE * sheet.zoom * (along[0] + along[1]))
    strokes = [(x - dx, y - dy, x + dx, y + dy) for x, y in (a, b)]
    yield Lines(np.array([(*a, *b), *strokes]), pen)
    if length < LEAST_DIMENSION * sheet.zoom:
        return
    least = max(DIMENSION_TEXT[0], sheet.least_name)
    size = whole(clamped(LETTERS * sheet.scale, (least, max(least, DIMENSION_TEXT[1]))))
    text, turn = dimension_text(one, found.length_m), math.degrees(math.atan2(along[1], along[0]))
    turn = turn - 180.0 if turn > UPSIDE_DOWN[0] else turn + 180.0 if turn <= -UPSIDE_DOWN[0] - 2.0 else turn
    middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    yield from _plated(text, middle, turn, size, sheet)


def _plated(text: str, middle: Point, turn: float, size: int, sheet: Sheet) -> Iterator[Part]:
    """Words over the middle of a line, along it, on a ground of their own: racks and walls may be under them."""
    ruler, away = sheet.ruler, TEXT_AWAY * sheet.zoom
    wide, up, under = ruler.width(text, size), ruler.ascent(size), ruler.descent(size)
    x, y = middle
    corners = corners_of((x - wide / 2 - 2.0, y - away - under - up, x + wide / 2 + 2.0, y - away))
    yield Path(
        tuple(turned(one, middle, turn) for one in corners), Ink(sheet.theme.background, GROUND_ALPHA), closed=True
    )
    at = turned((x, y - away - under), middle, turn)
    yield Text(*at, text, size, sheet.theme.text, False, "middle", turn)


def _text(one: Fixture, sheet: Sheet) -> Iterator[Part]:
    """The words as high as their rectangle, smaller where they would be wider; from its left end on."""
    x, y, width, height = _seen(sheet, own_rect_m(one))
    ruler, words = sheet.ruler, title_of(one)
    asked = max(TEXT_SHARE * height, sheet.least_name)
    if TEXT_SHARE * height < MARK and sheet.zoom == 1.0 and sheet.has_signs:
        return  # on a screen, too far away to be read
    size = size_to_fit(ruler, words, max(width, 1.0), asked, min(asked, sheet.least_name))
    part = Text(x, baseline(ruler, y + height / 2, size), words, size, sheet.theme.text)
    yield _turned_part(part, (x + width / 2, y + height / 2), one.turn_deg) if one.turn_deg else part


def _zone(one: Fixture, sheet: Sheet, place: tuple[float, float, float, float], mark: Pen | None) -> Iterator[Part]:
    """A tinted area with a dashed edge, and its title in the left top of it: smaller, then in lines, until it fits."""
    x, y, width, height = place
    theme, ruler = sheet.theme, sheet.ruler
    yield Rect(x, y, width, height, Ink(theme.accent, ZONE_FILL), mark or Pen(theme.accent, 1.0, 0.6, ZONE_DASH))
    title, room = title_of(one), width - 2 * ZONE_MARGIN
    asked = clamped(ZONE_LETTERS * sheet.scale, (max(9.0, sheet.least_name), MOST_NAME))
    size = size_to_fit(ruler, title, max(room, 1.0), asked, min(asked, sheet.least_name), True)
    line = line_height(ruler, size, True)
    fitting = int((height - ZONE_MARGIN) / line)
    are_whole = all(ruler.width(word, size, True) <= room for word in title.split())
    lines = wrapped(title, room, size, ruler, bold=True) if are_whole else [title]
    shown = lines[: max(0, fitting)]
    if shown:
        shown[-1] = ruler.cut(" ".join(lines[len(shown) - 1 :]), room, size, True)
    for number, words in enumerate(filter(None, shown)):
        at = y + ZONE_MARGIN + number * line + ruler.ascent(size, True)
        yield Text(x + ZONE_MARGIN, at, words, size, theme.text, True)


def _seen(sheet: Sheet, rect_m: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    left, top, right, bottom = (value * PER_M for value in rect_m)
    return sheet.seen((left, top, right, bottom))


def _turned_part(part: Part, middle: Point, degrees: float) -> Part:
    """A part of a fixture as it is drawn after a turn around the fixture's middle; names stay readable from below."""
    if isinstance(part, Rect):
        corners = corners_of((part.x, part.y, part.x + part.width, part.y + part.height))
        return Path(tuple(turned(one, middle, degrees) for one in corners), part.ink, part.pen, closed=True)
    if isinstance(part, Path):
        return part._replace(points=tuple(turned(one, middle, degrees) for one in part.points))
    if isinstance(part, Lines):
        ends = [(*turned((a, b), middle, degrees), *turned((c, d), middle, degrees)) for a, b, c, d in part.xy.tolist()]
        return part._replace(xy=np.array(ends))
    if isinstance(part, Text):
        if UPSIDE_DOWN[0] < (part.turn + degrees) % 360 < UPSIDE_DOWN[1]:
            degrees += 180
        x, y = turned((part.x, part.y), middle, degrees)
        return part._replace(x=x, y=y, turn=(part.turn + degrees) % 360)
    return part


def _mark(one: Fixture, sheet: Sheet, marked: Marked) -> Pen | None:
    if one.id in marked.wrong:
        return Pen(sheet.theme.error, MARK)
    return Pen(sheet.theme.accent, MARK) if one.id in marked.selected else None


def _fixture(one: Fixture, sheet: Sheet, place: tuple[float, float, float, float], mark: Pen | None) -> Iterator[Part]:
    theme = sheet.theme
    if one.kind == DOOR:
        yield from _door(sheet, place, mark)
    elif one.kind == ZONE:
        yield from _zone(one, sheet, place, mark)
    elif one.kind == COOLING:
        yield Rect(*place, Ink(mixed(theme.info, theme.background, 0.18)), mark or Pen(theme.info, 1.2))
        yield from _name(one, sheet, place)
    else:
        fill = mixed(theme.muted, theme.background, 0.85 if one.kind == WALL else 0.45)
        yield Rect(*place, Ink(fill), mark or Pen(theme.muted))
        if one.kind == COLUMN:
            x, y, width, height = place
            cross = np.array([[x, y, x + width, y + height], [x + width, y, x, y + height]])
            yield Lines(cross, Pen(theme.muted))


def _door(sheet: Sheet, place: tuple[float, float, float, float], mark: Pen | None) -> Iterator[Part]:
    """A gap in the wall, the leaf of the door open, and where it swings."""
    (x, y, width, height), theme = place, sheet.theme
    pen = mark or Pen(theme.muted, 1.2)
    yield Rect(x, y, width, height, Ink(theme.background), pen)
    is_level, size = width >= height, max(width, height)
    steps = [math.pi / 2 * step / SWING_STEPS for step in range(SWING_STEPS + 1)]
    if is_level:
        hinge, swing = (x, y), tuple((x + size * math.cos(one), y - size * math.sin(one)) for one in steps)
    else:
        hinge, swing = (
            (x + width, y),
            tuple((x + width + size * math.sin(one), y + size * math.cos(one)) for one in steps),
        )
    yield Path((hinge, swing[-1]), pen=pen)
    yield Path(swing, pen=Pen(pen.colour, 1.0, 0.6))


def _name(one: Fixture, sheet: Sheet, place: tuple[float, float, float, float]) -> Iterator[Part]:
    """Its name in the middle, along its longer side, where that can be read."""
    (x, y, width, height), ruler = place, sheet.ruler
    room, across = max(width, height) - NAME_ROOM, min(width, height)
    asked = min(MOST_NAME, across * NAME_SHARE + 3.0)
    if room < LEAST_NAME_PX * sheet.zoom or asked < sheet.least_name:
        return
    size = size_to_fit(ruler, title_of(one), room, clamped(asked, (sheet.least_name, MOST_NAME)), sheet.least_name)
    text = fitted_label(title_of(one), lambda text: ruler.width(text, size), room)
    turn, middle = (
        (0.0, (x + width / 2, baseline(ruler, y + height / 2, size)))
        if width >= height
        else (
            -90.0,
            (baseline(ruler, x + width / 2, size), y + height / 2),
        )
    )
    yield Text(*middle, text, size, sheet.theme.text, False, "middle", turn)


def scale_bar(sheet: Sheet) -> Iterator[Part]:
    """A bar of a round length at the left bottom."""
    per_m, (left, top, _, height) = PER_M * sheet.scale, sheet.area
    length_m = next((one for one in SCALES_M if one * per_m >= LEAST_SCALE_PX), SCALES_M[-1])
    x, y, end = left + CORNER_PX, top + height - CORNER_PX, left + CORNER_PX + length_m * per_m
    bar = np.array([[x, y, end, y], [x, y - 4, x, y + 4], [end, y - 4, end, y + 4]])
    yield Lines(bar, Pen(sheet.theme.muted, 1.5, square=True))
    yield Text(end + 8, y + 4, format_length(length_m), 11, sheet.theme.muted)
