"""The floor plan on paper: to a round scale, with dimensions, rows and trays; in parts where names need it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from designer.drawing.geometry import Rect
from designer.drawing.parts.elevation import Marked
from designer.drawing.parts.fixtures import scale_bar
from designer.drawing.parts.floor import floor_parts, row_names_room
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Pen, Text
from designer.drawing.parts.primitives import Rect as Box
from designer.drawing.parts.room_document import AS_KINDS, Coloured
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import PER_M, Crossing, FloorPlan, fixture_reach, floor_plan
from designer.drawing.sheets.book import Draft, Numbers, room_of
from designer.drawing.sheets.contents import KEY_LINE, Shown, in_lines, keys_in, lines_of
from designer.drawing.sheets.lettering import LEAST_SIZE, RULER, label, width
from designer.drawing.sheets.paper import MM_PER_INCH, Paper
from designer.drawing.sheets.tiles import Tile, tiles
from designer.drawing.theme import Theme
from designer.model.annotation import TITLE_BLOCK
from designer.model.design import Design
from designer.model.furnishing import title_of
from designer.placement import floor
from designer.placement.floor import SAME_ROW_M, place_of
from designer.placement.tray_ways import drawn_trays
from designer.placement.trays import cross_trays
from designer.units import format_length

SECTION, PARTS = "floor", "parts of the floor"
RATIOS = (10, 20, 25, 50, 75, 100, 150, 200, 250, 500, 1000, 2500, 5000)
"""Scales that drawings have: so many meters of the floor for one on paper."""
POINTS_PER_M = 72_000 / MM_PER_INCH
LEAST_LEFT_ROOM, TOP_ROOM, RIGHT_ROOM, BOTTOM_ROOM = 34.0, 30.0, 76.0, 34.0
"""Around the racks, for names of rows, dimensions, trays and the bar of the scale."""
NAME_SHARE = 0.85
"""How much of a rack's depth its name may take."""
NEAR, FAR, TICK = 16.0, 46.0, 3.0
"""From the racks to the lines of dimensions, and half the length of the strokes at their ends."""
SIZE = 7
NOTE_ROOM = 12.0
GROUND_ALPHA = 0.85
BAR_ROOM = 30.0
"""Below a part of the floor, for the bar of the scale."""
OVERLAP_M = 2.5


class _Ends(NamedTuple):
    """Left, top, right and bottom of the racks on the floor, in canvas units."""

    left: float
    top: float
    right: float
    bottom: float


def crossings(design: Design) -> tuple[Crossing, ...]:
    """Where cables cross from row to row over racks, as there are no trays for that; none where there are."""
    if drawn_trays(design) or design.settings.cross_trays_m:
        return ()
    joined: dict[tuple[str, str], None] = {}
    stood = {one.id: one.rack_id for one in design.placements.values() if one.rack_id is not None}
    for link in design.links.values():
        a, b = stood.get(link.a.device_id), stood.get(link.b.device_id)
        if a is not None and b is not None and a != b:
            joined[a, b] = None
    reach: dict[float, tuple[float, float]] = {}
    for a, b in joined:
        start, stop = place_of(design.racks[a]), place_of(design.racks[b])
        if start is not None and stop is not None and abs(start[1] - stop[1]) >= SAME_ROW_M:
            low, high = reach.get(stop[0], (start[1], stop[1]))
            reach[stop[0]] = min(low, start[1], stop[1]), max(high, start[1], stop[1])
    return tuple((x, low, high) for x, (low, high) in sorted(reach.items()))


def _crossing_parts(crossed: Sequence[Crossing], sheet: Sheet) -> Iterator[Part]:
    """A dashed line for each."""
    lines = [(*sheet.camera.to_view(x * PER_M, low * PER_M), high) for x, low, high in crossed]
    ends = [(x, y, x, sheet.camera.to_view(0.0, high * PER_M)[1]) for x, y, high in lines]
    if ends:
        yield Lines(np.array(ends), Pen(sheet.theme.accent, 0.8, dash=(4.0, 3.0)))


class _Look(NamedTuple):
    """What racks are drawn in: a theme, marks with the colors of the devices in them, and what those mean."""

    theme: Theme
    marked: Marked
    keys: Sequence[Shown]


def floor_drafts(design: Design, paper: Paper, theme: Theme, coloured: Coloured = AS_KINDS) -> Iterator[Draft]:
    """The whole floor on one page, and in parts where names of racks would not be read on that.

    Racks have the colors of the devices in them, which each page explains. Without a title block among the
    annotations, as pages have their own.
    """
    plan = floor_plan(design)
    plan = replace(plan, notes=tuple(one for one in plan.notes if one.note.kind != TITLE_BLOCK))
    standing = [one.rect for one in plan.racks if one.on_floor]
    if not standing:
        return
    lefts, tops, rights, bottoms = zip(*standing, strict=True)
    ends = _Ends(min(lefts), min(tops), max(rights), max(bottoms))
    left, top, right, bottom = room_of(paper)
    colours = coloured.of_devices(theme, [one for rack in plan.racks for one in design.mounted(rack.id)])
    keys = list(keys_in(coloured.keys(colours), theme))
    look = _Look(theme, Marked(classes=colours), keys)
    room = left, top, right, bottom - NOTE_ROOM - KEY_LINE * lines_of(keys, right - left)
    crossed = crossings(design)
    per_m = POINTS_PER_M / paper.unit_pt
    left_room = max(LEAST_LEFT_ROOM, row_names_room(plan, RULER))
    whole = _ratio_that_fits(_reach(design, plan, ends), room, per_m, left_room)
    read = _ratio_of_names(design, per_m)
    for title, ratio, is_one in (("Floor plan", whole, True), ("Floor plan", read, False)):
        scale = per_m / ratio / PER_M
        if is_one or whole > read:
            # The whole floor leaves room for the bar of the scale below the racks; of a part it has a line of its own.
            shown = room if is_one else (left, top, right, room[3] - BAR_ROOM)
            around = _around(_reach(design, plan, ends), scale, left_room)
            for one in tiles(around, shown, scale, (OVERLAP_M * PER_M,) * 2):
                draw = partial(_draw, design, plan, ends, crossed, one, shown, room, look)
                name, subject = (f"Scale 1:{ratio}", SECTION) if is_one else (f"In parts, scale 1:{ratio}", PARTS)
                yield Draft(SECTION, title + one.name, draw, subject, name, scale=f"1:{ratio}")


def _reach(design: Design, plan: FloorPlan, ends: _Ends) -> Rect:
    """All that is drawn to scale: racks, those without a place, fixtures, trays and annotations."""
    xs = [one.x_m * PER_M for one in cross_trays(design)]
    rects = [one.rect for one in plan.racks] + [fixture_reach(one) for one in plan.fixtures]
    rects += [one.around for one in plan.notes]
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return min([ends.left, *xs, *lefts]), min(tops), max([*rights, *xs]), max(bottoms)


def _around(reach: Rect, scale: float, left_room: float) -> Rect:
    left, top, right, bottom = reach
    return left - left_room / scale, top - TOP_ROOM / scale, right + RIGHT_ROOM / scale, bottom + BOTTOM_ROOM / scale


def _ratio_that_fits(reach: Rect, room: Rect, per_m: float, left_room: float) -> int:
    wide_m, deep_m = (reach[2] - reach[0]) / PER_M, (reach[3] - reach[1]) / PER_M
    across, down = room[2] - room[0] - left_room - RIGHT_ROOM, room[3] - room[1] - TOP_ROOM - BOTTOM_ROOM
    least = max(wide_m * per_m / across, deep_m * per_m / down)
    return next((one for one in RATIOS if one >= least), round(least + 0.5))


def _ratio_of_names(design: Design, per_m: float) -> int:
    """The smallest drawing in which every rack's name is written whole along its depth."""
    wide = max(width(one.name, True) for one in design.racks.values()) * LEAST_SIZE
    depth, across = design.settings.rack_depth_m * NAME_SHARE, design.settings.rack_width_m
    most = min(depth * per_m / max(wide, 1.0), across * per_m * 0.7 / LEAST_SIZE)
    return max([one for one in RATIOS if one <= most], default=RATIOS[0])


def _draw(
    design: Design,
    plan: FloorPlan,
    ends: _Ends,
    crossed: Sequence[Crossing],
    tile: Tile,
    shown: Rect,
    room: Rect,
    look: _Look,
    _numbers: Numbers,
) -> Iterator[Group]:
    left, top, right, bottom = room
    theme = look.theme
    area = left, top, right - left, shown[3] - top
    sheet = Sheet(tile.camera, area, theme, RULER, 1.0, LEAST_SIZE)
    floor = floor_parts(plan, design, sheet, look.marked, on_paper=True, has_scale=False, crossed=crossed)
    yield Group(tuple(floor), "floor", label="Floor plan", clip=area)
    yield Group(tuple(_crossing_parts(crossed, sheet)), "crossings", label="Cables from row to row", clip=area)
    yield Group(tuple(_dimensions(design, plan, ends, sheet)), "dimensions", label="Dimensions", clip=area)
    yield Group(tuple(_tray_names(design, ends, sheet)), "trays", label="Names of trays", clip=area)
    whole = replace(sheet, area=(left, top, right - left, bottom - top))
    yield Group(tuple(scale_bar(whole)), "scale", label="Scale")
    if look.keys:
        yield Group(tuple(in_lines(look.keys, left, bottom, right - left, theme)), "legend", label="Legend")
    foot = bottom + KEY_LINE * lines_of(look.keys, right - left) + NOTE_ROOM - 3.0
    text = label(_note(design, bool(crossed)), left, foot, right - left, SIZE, theme.muted)
    yield Group((text,), "notes", label="Notes")


def _note(design: Design, has_crossings: bool) -> str:
    settings = design.settings
    crossing = "; X1, X2, … lead from row to row" if settings.cross_trays_m else ""
    if has_crossings:
        crossing = "; dashed: where cables cross from row to row, over the rack that their route names"
    names = "as drawn, with their names" if drawn_trays(design) else f"named after their rows{crossing}"
    trays = "trays" if drawn_trays(design) else "assumed trays"
    return (
        f"Bands over racks: {trays} at {format_length(settings.tray_height_m)}, {names}. "
        f"Racks {format_length(settings.rack_width_m)} x {format_length(settings.rack_depth_m)}; "
        "the thick edge is the front."
    )


def _dimensions(design: Design, plan: FloorPlan, ends: _Ends, sheet: Sheet) -> Iterator[Part]:
    """All over, and row by row with the aisles between."""
    half = design.settings.rack_depth_m / 2
    edges = sorted(edge for row in plan.rows for edge in (row.y_m - half, row.y_m + half))
    yield from _level(sheet, ends.left, ends.right, ends.top, NEAR)
    if len(plan.rows) > 1:
        for low, high in pairwise(edges):
            if high - low > 0.01:
                yield from _upright(sheet, low * PER_M, high * PER_M, ends.right, NEAR)
        yield from _upright(sheet, ends.top, ends.bottom, ends.right, FAR)
    else:
        yield from _upright(sheet, ends.top, ends.bottom, ends.right, NEAR)


def _level(sheet: Sheet, left: float, right: float, y: float, off: float) -> Iterator[Part]:
    """A dimension along the rows, above them."""
    (x1, line), (x2, _) = sheet.camera.to_view(left, y), sheet.camera.to_view(right, y)
    line -= off
    yield Lines(np.array([[x1, line, x2, line], *([x, line - TICK, x, line + TICK] for x in (x1, x2))]), _pen(sheet))
    text = format_length((right - left) / PER_M)
    yield from _stated((x1 + x2) / 2, line - 3.0, text, sheet, "middle")


def _upright(sheet: Sheet, top: float, bottom: float, x: float, off: float) -> Iterator[Part]:
    """A dimension across the rows, to their right."""
    (line, y1), (_, y2) = sheet.camera.to_view(x, top), sheet.camera.to_view(x, bottom)
    line += off
    yield Lines(np.array([[line, y1, line, y2], *([line - TICK, y, line + TICK, y] for y in (y1, y2))]), _pen(sheet))
    if y2 - y1 > SIZE:  # of those that are closer the parts of the plan state each
        yield from _stated(line + 5.0, (y1 + y2) / 2 + 2.5, format_length((bottom - top) / PER_M), sheet, "start")


def _stated(x: float, y: float, text: str, sheet: Sheet, anchor: str) -> Iterator[Part]:
    """A figure on a ground of its own, as walls and trays may be under it."""
    wide = width(text) * SIZE
    left = x - wide / 2 if anchor == "middle" else x
    yield Box(left - 1.0, y - SIZE + 0.5, wide + 2.0, SIZE + 1.0, Ink(sheet.theme.background, GROUND_ALPHA))
    yield Text(x, y, text, SIZE, sheet.theme.text, anchor=anchor)


def _pen(sheet: Sheet) -> Pen:
    return Pen(sheet.theme.muted, 0.6)


def _tray_names(design: Design, ends: _Ends, sheet: Sheet) -> Iterator[Part]:
    for one in cross_trays(design):
        x, y = sheet.camera.to_view(one.x_m * PER_M, ends.bottom)
        yield Text(x, y + 12.0, f"{one.name} at {format_length(one.x_m)}", SIZE, sheet.theme.text, anchor="middle")
    rows = {row.name for row in floor.rows(design)}
    for tray in drawn_trays(design):
        if title_of(tray) in rows:
            continue  # the letter of the row stands at its end
        (ax, ay), (bx, by) = max(pairwise(tray.points_m), key=lambda piece: math.dist(*piece))
        x, y = sheet.camera.to_view((ax + bx) / 2 * PER_M, (ay + by) / 2 * PER_M)
        if abs(bx - ax) >= abs(by - ay):
            yield Text(x, y - 3.0, title_of(tray), SIZE, sheet.theme.text, anchor="middle")
        else:
            yield Text(x - 3.0, y, title_of(tray), SIZE, sheet.theme.text, anchor="middle", turn=-90.0)
