"""The floor plan: tiles, fixtures, trays, rows, aisles, racks, the ways of chosen links, and a scale."""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.notes import title_rows
from designer.drawing.parts.annotations import Stated, noted
from designer.drawing.parts.boxes import padlock
from designer.drawing.parts.elevation import NOTHING_MARKED, Marked
from designer.drawing.parts.fixtures import (
    fixture_parts,
    marked_notes,
    marked_outlines,
    marking_parts,
    rack_keys,
    scale_bar,
    tray_lines,
    tray_parts,
)
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import Ruler, baseline, clamped, line_height, size_to_fit, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import PER_M, STRIP_GAP, Crossing, FloorPlan, FloorRack, assumed_trays, explained
from designer.drawing.text import begins_with, fitted_label, usual_first_word
from designer.drawing.theme import BoxColours, Theme, mixed
from designer.model.design import Design
from designer.model.entities import Link
from designer.model.equipping import units_of
from designer.model.fixture import TRAY
from designer.model.shown_text import visible_line
from designer.placement.aisles import COLD, HOT, MIXED, WIDE, Aisle
from designer.placement.floor import Point, Row
from designer.placement.rack_contents import free_units
from designer.units import format_length

TILE_M = 0.6
LEAST_TILE_PX = 9.0
TRAY_WIDTH, TRAY_DASH = 1.5, (6.0, 3.0)
TRAY_M, TRAY_ALPHA = 0.3, 0.22
"""Of the bands that stand for trays on paper."""
ALONE_SHARE = 0.7
"""Of the width of a rack, what the letters of a name are high that stands there alone."""
ALIKE_SHARE = 0.9
"""The share of the names that are written in one size; the longest few may be smaller."""
FEW_STEPS, FEW_SHARE, GROUND_ALPHA = (2, 5, 10, 20, 50, 100), 1.5, 0.8
"""Where names are thinned: every how many racks, at least so many times the width of one apart."""
NEAR_M = 0.05
"""What reaches no further beyond the middle of a rack ends there."""
ROW_NAME_MOST_PX, ROW_NAME_GAP_PX = 160.0, 12.0
"""What the name of a row takes up at most, and how far it is from the row."""
WORDS_PX = 9, 16
"""The smallest and the largest letters of names of rows."""
ROW_NAME_M = 1.0
"""A tray that reaches no further beyond its row than this has the name of the row at its end."""
AISLE_ALPHA, AISLE_MARGIN, SLANT_PX = 0.13, 4.0, 9.0
AISLE_WORDS = {COLD: "Cold aisle", HOT: "Hot aisle", MIXED: "Fronts face backs", WIDE: "Between rows"}
WAITING_DASH = 4.0, 2.0
MOST_ROUTES = 60
"""Ways of more links than this would cover the plan."""
ROUTE_WIDTH, ROUTE_ALPHA = 3.0, 2 / 3
LEAST_METRE_PX = 14.0
"""Smaller plans have no words in the aisles."""
UNPLACED = "Not placed on the floor yet"
TO_PLACE = f"{UNPLACED}: drag each rack to its position"
STRIP_TITLE_PX = 10.0
MOST_NAME_MARGIN, NAME_MARGIN = 12.0, 0.15
"""Along the depth of a rack, what is kept of it around its name: so many pixels, or a share where that is less."""
LEAST_PIECE_PX = 2.0
"""Of what a rack holds a few of, this much shows."""
PIECE_FILL = 0.22
"""Share of a class's color in its piece of a rack: stronger than in boxes, as racks are small."""
SELECTED_AROUND_PX = 3.0


def floor_parts(
    plan: FloorPlan,
    design: Design,
    sheet: Sheet,
    marked: Marked = NOTHING_MARKED,
    links: Iterable[str] = (),
    *,
    on_paper: bool = False,
    has_scale: bool = True,
    crossed: Sequence[Crossing] | None = None,
) -> Iterator[Part]:
    """All that shows of the plan, and the ways of these links; `marked` are racks and fixtures.

    On paper nobody drags anything. Where it is known which cables are `crossed` over racks, assumed trays are bands,
    and words of racks keep clear of both.
    """
    yield from _tiles(sheet)
    yield from _aisles(plan, sheet)
    yield from fixture_parts(plan.fixtures, sheet, marked)
    keys = rack_keys(plan, marked, sheet.theme)
    plan, stated = explained(plan, keys), Stated(lambda: keys, title_rows(design))
    yield from noted((one for one in plan.notes if one.is_behind), stated, sheet)
    has_bands = crossed is not None
    laid, assumed = tray_parts(plan.fixtures, sheet), _assumed(plan, design, sheet, has_bands)
    yield from () if on_paper else laid
    yield from () if has_bands else assumed
    yield from _words(plan, design, sheet, UNPLACED if on_paper else TO_PLACE)
    has_bands = has_bands and any(True for _ in assumed_trays(plan, design))
    by_width = sorted((rack.name for rack in plan.racks), key=partial(sheet.ruler.width, size=10, bold=True))
    words = _Words(
        usual_first_word(by_width),
        _off_trays(plan, sheet) if has_bands else "",
        frozenset(rack.id for rack in plan.racks if has_bands and _is_crossed_behind(rack, crossed or ())),
        by_width[-1] if by_width else "",
        by_width[int(ALIKE_SHARE * (len(by_width) - 1))] if by_width else "",
    )
    for rack in plan.racks:
        if sheet.touches(*sheet.seen(rack.rect)):
            yield Group(
                _rack(rack, design, sheet, marked, words),
                title=f"{rack.name}\nlocked in place" if rack.is_locked else rack.name,
            )
    # Over racks, as trays are, what is not drawn yet; on a screen it would cover what is dragged.
    yield from laid
    yield from assumed
    yield from _few_names(plan, sheet, words)
    yield from _titles_at_edge(plan, design, sheet)
    yield from marked_outlines(plan.fixtures, sheet, marked)
    yield from tray_lines(plan.fixtures, sheet, marked)
    yield from marking_parts(plan.fixtures, design, sheet, marked)
    yield from noted((one for one in plan.notes if not one.is_behind), stated, sheet)
    yield from marked_notes(plan.notes, sheet, marked)
    ways = (way for one in sorted(links) if (way := _way(plan, design, one)) is not None)
    pen = Pen(sheet.theme.accent, ROUTE_WIDTH, ROUTE_ALPHA)
    for _, way in zip(range(MOST_ROUTES), ways, strict=False):
        yield Path(tuple(_metre(sheet, *point) for point in way), pen=pen)
    if has_scale:
        yield from scale_bar(sheet)


def _tiles(sheet: Sheet) -> Iterator[Part]:
    step = TILE_M * PER_M
    if step * sheet.scale < LEAST_TILE_PX:
        return
    x, y, width, height = sheet.area
    (left, top), (right, bottom) = sheet.camera.to_canvas(x, y), sheet.camera.to_canvas(x + width, y + height)
    xs = (np.arange(left // step, right // step + 2) - 0.5) * step
    ys = np.arange(top // step, bottom // step + 2) * step
    xs, ys = (xs - sheet.camera.left) * sheet.scale, (ys - sheet.camera.top) * sheet.scale
    upright = np.stack((xs, np.full_like(xs, y), xs, np.full_like(xs, y + height)), axis=1)
    level = np.stack((np.full_like(ys, x), ys, np.full_like(ys, x + width), ys), axis=1)
    yield Lines(np.concatenate((upright, level)), Pen(sheet.theme.grid))


def _assumed(plan: FloorPlan, design: Design, sheet: Sheet, has_bands: bool) -> Iterator[Part]:
    """Where none is drawn, trays over the rows, and from row to row where the design says where they are."""
    pen = Pen(sheet.theme.link, TRAY_WIDTH, dash=TRAY_DASH)
    if has_bands:
        pen = Pen(sheet.theme.accent, TRAY_M * PER_M * sheet.scale, TRAY_ALPHA)
    for way in assumed_trays(plan, design):
        yield Path(tuple(_metre(sheet, *point) for point in way), pen=pen)


def _words(plan: FloorPlan, design: Design, sheet: Sheet, waiting: str) -> Iterator[Part]:
    """Names of rows, what meets in the aisles, and what the racks without a place wait for."""
    theme, ruler, small = sheet.theme, sheet.ruler, whole(max(8.0, _words_size(sheet) - 3))
    yield from (text for _row, text in row_titles(plan, design, sheet) if text.x > sheet.area[0])
    if sheet.scale * PER_M > LEAST_METRE_PX:
        for aisle in plan.aisles:
            yield from _aisle_words(aisle, sheet, small)
    if plan.strip is not None:
        x, y, _, height = sheet.seen(plan.strip)
        has_room = STRIP_GAP * sheet.scale >= STRIP_TITLE_PX + line_height(ruler, small)
        line = y - STRIP_TITLE_PX if has_room else y + height + 4 + ruler.ascent(small)
        yield Text(x, line, waiting, small, theme.muted)


def row_titles(plan: FloorPlan, design: Design, sheet: Sheet) -> Iterator[tuple[Row, Text]]:
    """The names of the rows, each to the left of its row and of the trays that begin there."""
    half, crossing = design.settings.rack_width_m / 2, design.settings.cross_trays_m
    laid = [point for one in plan.fixtures if one.kind == TRAY for point in one.points_m]
    if laid:
        crossing = ()
    size, above = whole(_words_size(sheet)), -math.inf
    for row in plan.rows:
        xs = (x for one in row.rack_ids if (x := design.racks[one].x_m) is not None)
        left = min(xs) - half
        beside = (x for x, y in laid if abs(y - row.y_m) < half and left - ROW_NAME_M < x < left)
        x, y = _metre(sheet, min([left, *crossing, *beside]), row.y_m)
        if y - above < line_height(sheet.ruler, size, True) and y > above:
            continue  # rows so close that their names would cover each other
        above = y
        at = x - ROW_NAME_GAP_PX, baseline(sheet.ruler, y, size, True)
        name = sheet.ruler.cut(visible_line(row.name), ROW_NAME_MOST_PX, size, True)
        yield row, Text(*at, name, size, sheet.theme.text, True, "end")


def _titles_at_edge(plan: FloorPlan, design: Design, sheet: Sheet) -> Iterator[Part]:
    """At the left edge of the sheet the names of rows that begin beyond it."""
    area_left, ruler = sheet.area[0], sheet.ruler
    for row, text in row_titles(plan, design, sheet):
        right, _ = _metre(sheet, max(design.racks[one].x_m or 0.0 for one in row.rack_ids), row.y_m)
        if text.x <= area_left < right:
            wide, high = ruler.width(text.text, text.size, True), line_height(ruler, text.size, True)
            top = text.y - ruler.ascent(text.size, True)
            yield Rect(area_left, top - 2, wide + 8, high + 4, Ink(sheet.theme.plate), Pen(sheet.theme.plate_border))
            yield text._replace(x=area_left + 4, anchor="start")


def row_names_room(plan: FloorPlan, ruler: Ruler) -> float:
    """What the names of rows take up at most to the left of the plan, in units of a page."""
    longest = max((ruler.width(visible_line(row.name), WORDS_PX[1], True) for row in plan.rows), default=0.0)
    return min(longest, ROW_NAME_MOST_PX) + ROW_NAME_GAP_PX + AISLE_MARGIN


def _words_size(sheet: Sheet) -> float:
    return clamped(26.0 * sheet.scale, WORDS_PX)


def _aisles(plan: FloorPlan, sheet: Sheet) -> Iterator[Part]:
    """Cold aisles and hot ones as bands of their colors; where fronts face backs both, hatched."""
    for aisle in plan.aisles:
        if aisle.kind == WIDE:
            continue
        colour = sheet.theme.cold if aisle.kind == COLD else sheet.theme.hot
        rect = (aisle.left_m * PER_M, aisle.top_m * PER_M, aisle.right_m * PER_M, aisle.bottom_m * PER_M)
        place = sheet.seen(rect)
        if sheet.touches(*place):
            yield Rect(*place, Ink(colour, AISLE_ALPHA))
            if aisle.kind == MIXED:
                yield Lines(_slants(place), Pen(sheet.theme.cold, alpha=3 * AISLE_ALPHA))


def _slants(place: tuple[float, float, float, float]) -> Floats:
    """Slanting lines across a rectangle: (n, 4); a brush of them would be another at each scale of a page."""
    x, y, width, height = place
    at = np.arange(SLANT_PX, width + height, SLANT_PX)
    starts = x + np.minimum(at, width), y + np.maximum(at - width, 0.0)
    ends = x + np.maximum(at - height, 0.0), y + np.minimum(at, height)
    return np.stack((*starts, *ends), axis=1)


def _aisle_words(aisle: Aisle, sheet: Sheet, size: int) -> Iterator[Part]:
    """What the aisle is, in the left top of it, beside trays along its middle; nothing where that has no room."""
    (x, y), width = _metre(sheet, aisle.left_m, aisle.top_m), (aisle.right_m - aisle.left_m) * PER_M * sheet.scale
    text = f"{AISLE_WORDS[aisle.kind]}, {format_length(aisle.bottom_m - aisle.top_m)}"
    room = width - 2 * AISLE_MARGIN
    fitting = next((one for one in (text, AISLE_WORDS[aisle.kind]) if sheet.ruler.width(one, size) <= room), "")
    if fitting and (aisle.bottom_m - aisle.top_m) * PER_M * sheet.scale > size + AISLE_MARGIN:
        line = baseline(sheet.ruler, y + size / 2 + AISLE_MARGIN, size)
        yield Text(
            x + AISLE_MARGIN, line, fitting, size, sheet.theme.text if aisle.kind == MIXED else sheet.theme.muted
        )


class _Words(NamedTuple):
    """How racks are named."""

    usual: str
    """What most names begin with: it may be left out of these."""
    off_trays: str
    """How they stand beside the band of the tray over them: TURNED, LEVEL, or "" where they stand on it."""
    in_front: frozenset[str]
    """Racks whose words stand in front of the band; those of others stand behind it."""
    longest: str
    """The name that takes most room: level ones are all as large as this can be."""
    long: str
    """The longest of most names: turned ones are no larger than this can be, so that all are alike."""


TURNED, LEVEL = "turned", "level"


def _off_tray(rack: FloorRack, sheet: Sheet, *, in_front: bool = False) -> tuple[float, float]:
    """From the band of the tray over a rack to its rear, or front: the upper edge on the sheet, and its height."""
    _, y, _, height = sheet.seen(rack.rect)
    room = (height - TRAY_M * PER_M * sheet.scale) / 2
    return (y + height - room if rack.up is not in_front else y), room


def _off_trays(plan: FloorPlan, sheet: Sheet) -> str:
    """How the names of all racks have room beside the trays, at the least size: along their depth, else across it."""
    size = whole(sheet.least_name)
    rooms = [(sheet.ruler.width(rack.name, size, True), _off_tray(rack, sheet)[1]) for rack in plan.racks]
    if all(wide <= room - _margin(room) for wide, room in rooms):
        return TURNED
    across = min((sheet.seen(rack.rect)[2] for rack in plan.racks), default=0.0)
    has_lines = all(2 * line_height(sheet.ruler, size, True) <= room - _margin(room) for _, room in rooms)
    return LEVEL if has_lines and all(wide <= across - _margin(across) for wide, _ in rooms) else ""


def _is_crossed_behind(rack: FloorRack, crossed: Sequence[Crossing]) -> bool:
    """Whether cables from row to row lie over the rear of the rack, and none over its front."""
    left, top, right, bottom = (one / PER_M for one in rack.rect)
    middle = (top + bottom) / 2
    over = [(low, high) for x, low, high in crossed if left < x < right]
    above = any(low < middle - NEAR_M and high > top for low, high in over)
    below = any(high > middle + NEAR_M and low < bottom for low, high in over)
    behind, before = (below, above) if rack.up else (above, below)
    return behind and not before


def _margin(room: float) -> float:
    return min(MOST_NAME_MARGIN, room * NAME_MARGIN)


def _rack(rack: FloorRack, design: Design, sheet: Sheet, marked: Marked, words: _Words) -> Iterator[Part]:
    theme = sheet.theme
    colours = marked.colours(rack.id, rack.kind, theme)
    x, y, width, height = sheet.seen(rack.rect)
    is_wrong, is_selected = rack.id in marked.wrong, rack.id in marked.selected
    pieces = _pieces(rack, design, marked, colours)
    border = pieces[0][0].border if len(pieces) == 1 else theme.rack_border
    pen = Pen(
        theme.error if is_wrong else theme.accent if is_selected else border,
        2.0 if is_wrong or is_selected else 1.0,
        dash=() if rack.on_floor else WAITING_DASH,
    )
    if is_wrong and is_selected:  # red says what is wrong, so the selection stands around it
        around = SELECTED_AROUND_PX
        yield Rect(x - around, y - around, width + 2 * around, height + 2 * around, None, Pen(theme.accent, 2.0))
    thick = clamped(height * 0.05, (2.0, 6.0))
    front = y if rack.up else y + height - thick
    if len(pieces) == 1:
        yield Rect(x, y, width, height, Ink(_fill(pieces[0][0], theme)), pen)
        yield Rect(x, front, width, thick, Ink(pieces[0][0].stripe))
    else:
        left, least = x, min(LEAST_PIECE_PX, width / len(pieces))
        for look, share in pieces:
            wide = least + share * (width - least * len(pieces))
            yield Rect(left, y, wide, height, Ink(_fill(look, theme)))
            yield Rect(left, front, wide, thick, Ink(look.stripe))
            left += wide
        yield Rect(x, y, width, height, None, pen)
    yield from _rack_words(rack, design, sheet, (x, y, width, height), words)
    if rack.is_locked:
        side = clamped(width * 0.22, (5.0, 12.0))
        yield from padlock(x + width - 1.4 * side, y, side, colours.stripe)


def _pieces(
    rack: FloorRack, design: Design, marked: Marked, colours: BoxColours
) -> tuple[tuple[BoxColours, float], ...]:
    """What a rack is drawn in, side by side, and the share of each: by the devices in it; `colours` are of its kind."""
    if marked.classes is None or marked.tints is not None:
        return ((colours, 1.0),)
    held = marked.classes.shares(design.mounted(rack.id))
    total = sum(count for _, count in held)
    return tuple((look or colours, count / total) for look, count in held) or ((colours, 1.0),)


def _fill(look: BoxColours, theme: Theme) -> str:
    return look.fill if look in theme.boxes else mixed(look.stripe, theme.background, PIECE_FILL)


def _rack_words(
    rack: FloorRack, design: Design, sheet: Sheet, place: tuple[float, float, float, float], words: _Words
) -> Iterator[Part]:
    """The name along the depth of the rack, which is its longer side, with the units taken beneath where both fit."""
    (x, y, width, height), theme, ruler, least = place, sheet.theme, sheet.ruler, sheet.least_name
    if words.off_trays:
        y, height = _off_tray(rack, sheet, in_front=rack.id in words.in_front)
    room = height - _margin(height)
    middle, level = x + width / 2, y + height / 2
    asked, is_alone = min(13.0, width * 0.34), width * 0.34 < least
    if is_alone:
        asked = width * ALONE_SHARE
    if asked < least:
        return
    units = f"{units_of(design, rack.id) - free_units(design, rack.id)}/{units_of(design, rack.id)} U"
    if words.off_trays == LEVEL:
        yield from _level_words((rack.name, units), (x, y, width, height), sheet, words.longest)
        return
    lines = [(rack.name, 0.0 if is_alone else -width * 0.21, asked, theme.text, True)]
    if not is_alone:
        lines.append((units, width * 0.21, max(least, asked - 2.5), theme.muted, False))
    for text, across, size, colour, bold in lines:
        used = size_to_fit(ruler, text, room, size, least, bold)
        used = min(used, size_to_fit(ruler, words.long, room, size, least, bold)) if bold else used
        wide = partial(_wide, ruler, used, bold)
        fitting = fitted_label(text, wide, room, are_alike=begins_with(rack.name, words.usual))
        line = baseline(ruler, middle + across, used, bold)
        yield Text(line, level, fitting, used, colour, bold, "middle", -90.0)


def _few_names(plan: FloorPlan, sheet: Sheet, words: _Words) -> Iterator[Part]:
    """Where racks are too narrow for names of their own, the name of every n-th of a row, over it and those beside."""
    least, theme, ruler = whole(sheet.least_name), sheet.theme, sheet.ruler
    racks = {rack.id: (rack.name, sheet.seen(rack.rect)) for rack in plan.racks}
    _, (_, _, width, height) = next(iter(racks.values()), ("", (0.0, 0.0, 0.0, 0.0)))
    if not 0.0 < width * ALONE_SHARE < least <= height - 2:
        return
    wide_of = partial(_wide, ruler, least, True)
    room = FEW_SHARE * wide_of(_short(words.long, words)) / width
    step = next((one for one in FEW_STEPS if one >= room), FEW_STEPS[-1])
    for row in plan.rows:
        end = max(x + width for one in row.rack_ids for x in racks[one][1][:1])
        for one in row.rack_ids[::step]:
            name, (x, y, _, _) = racks[one]
            are_alike = begins_with(name, words.usual)
            text = fitted_label(_short(name, words), wide_of, step * width - 4, are_alike=are_alike)
            text = text or ruler.cut(name, step * width - 4, least, True)
            wide = wide_of(text) + 4
            if sheet.touches(x, y, wide, height) and x + wide <= max(end, x + width):
                yield Rect(x, y, wide, height, Ink(theme.background, GROUND_ALPHA))
                yield Lines(np.array([[x, y, x, y + height]]), Pen(theme.text))
                yield Text(x + 2, baseline(ruler, y + height / 2, least, True), text, least, theme.text, True)


def _short(name: str, words: _Words) -> str:
    """The name without the word that most names begin with."""
    return name.removeprefix(words.usual) or name if begins_with(name, words.usual) else name


def _level_words(
    words: tuple[str, str], place: tuple[float, float, float, float], sheet: Sheet, longest: str
) -> Iterator[Part]:
    """Name and units taken, one below the other across a rack."""
    (x, y, width, height), least, theme = place, sheet.least_name, sheet.theme
    asked, room = max(least, min(13.0, height * 0.36)), width - _margin(width)
    size = size_to_fit(sheet.ruler, longest, room, asked, least, bold=True)
    small = size_to_fit(sheet.ruler, words[1], room, max(least, size - 1), least)
    line, under = (y + height * share for share in (0.29, 0.71))
    middle = x + width / 2
    yield Text(middle, baseline(sheet.ruler, line, size, True), words[0], size, theme.text, True, "middle")
    yield Text(middle, baseline(sheet.ruler, under, small), words[1], small, theme.muted, False, "middle")


def _wide(ruler: Ruler, size: int, bold: bool, text: str) -> float:
    return ruler.width(text, size, bold)


def _metre(sheet: Sheet, x_m: float, y_m: float) -> tuple[float, float]:
    return sheet.camera.to_view(x_m * PER_M, y_m * PER_M)


def _way(plan: FloorPlan, design: Design, link_id: str) -> tuple[Point, ...] | None:
    """Along the trays, in meters; None where a link has no way from rack to rack."""
    link = design.links.get(link_id)
    if not isinstance(link, Link):
        return None
    places = [design.placements.get(end.device_id) for end in (link.a, link.b)]
    a, b = (one.rack_id if one is not None and one.unit is not None else None for one in places)
    return plan.ways.points(a, b) if a is not None and b is not None and a != b else None
