"""The floor plan: tiles, trays, rows, aisles, racks, the ways of chosen links, and a scale."""

from collections.abc import Iterable, Iterator

import numpy as np

from designer.drawing.parts.elevation import NOTHING_MARKED, Marked
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import baseline, clamped, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import PER_M, FloorPlan, FloorRack
from designer.model.design import Design
from designer.model.entities import Link
from designer.placement import floor
from designer.placement.cable_lengths import route, tray_points
from designer.placement.floor import Point
from designer.placement.rack_contents import free_units, units_of
from designer.units import format_length

TILE_M = 0.6
LEAST_TILE_PX = 9.0
TRAY_WIDTH, TRAY_DASH = 1.5, (6.0, 3.0)
WAITING_DASH = 4.0, 2.0
MOST_ROUTES = 60
"""Ways of more links than this would cover the plan."""
ROUTE_WIDTH, ROUTE_ALPHA = 3.0, 2 / 3
LEAST_METRE_PX = 14.0
"""Smaller plans have no words in the aisles."""
LEAST_NAME = 6.5
SCALES_M = 0.5, 1, 2, 5, 10, 20, 50, 100, 200
LEAST_SCALE_PX = 60.0
CORNER_PX = 18.0


def floor_parts(
    plan: FloorPlan, design: Design, sheet: Sheet, marked: Marked = NOTHING_MARKED, links: Iterable[str] = ()
) -> Iterator[Part]:
    """All that shows of the plan, and the ways of these links; `marked` are racks."""
    yield from _tiles(sheet)
    yield from _trays(plan, design, sheet)
    yield from _words(plan, design, sheet)
    for rack in plan.racks:
        if sheet.touches(*sheet.seen(rack.rect)):
            yield Group(_rack(rack, design, sheet, marked), title=rack.name)
    ways = (way for one in sorted(links) if (way := _way(design, one)) is not None)
    pen = Pen(sheet.theme.accent, ROUTE_WIDTH, ROUTE_ALPHA)
    for _, way in zip(range(MOST_ROUTES), ways, strict=False):
        yield Path(tuple(_metre(sheet, *point) for point in way), pen=pen)
    yield from _scale(sheet)


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


def _trays(plan: FloorPlan, design: Design, sheet: Sheet) -> Iterator[Part]:
    """Trays over the rows, and those that lead from row to row where the design says where they are."""
    half, crossing = design.settings.rack_width_m / 2, design.settings.cross_trays_m
    pen = Pen(sheet.theme.link, TRAY_WIDTH, dash=TRAY_DASH)
    for row in plan.rows:
        xs = [x for one in row.rack_ids if (x := design.racks[one].x_m) is not None]
        low, high = min([min(xs) - half, *crossing]), max([max(xs) + half, *crossing])
        yield Path((_metre(sheet, low, row.y_m), _metre(sheet, high, row.y_m)), pen=pen)
    if len(plan.rows) > 1:
        for x in crossing:
            yield Path((_metre(sheet, x, plan.rows[0].y_m), _metre(sheet, x, plan.rows[-1].y_m)), pen=pen)


def _words(plan: FloorPlan, design: Design, sheet: Sheet) -> Iterator[Part]:
    """Names of rows, what meets in the aisles, and what the racks without a place wait for."""
    theme, ruler, asked = sheet.theme, sheet.ruler, clamped(26.0 * sheet.scale, (9.0, 16.0))
    half, crossing = design.settings.rack_width_m / 2, design.settings.cross_trays_m
    size, small = whole(asked), whole(max(8.0, asked - 3))
    for row in plan.rows:
        xs = (x for one in row.rack_ids if (x := design.racks[one].x_m) is not None)
        x, y = _metre(sheet, min([min(xs) - half, *crossing]), row.y_m)
        yield Text(x - 12, baseline(ruler, y, size, True), row.name, size, theme.text, True, "end")
    if sheet.scale * PER_M > LEAST_METRE_PX:
        for aisle in plan.aisles:
            x, y = sheet.camera.to_view(aisle.left - half * PER_M, aisle.y)
            yield Text(x, baseline(ruler, y, small), aisle.text, small, theme.muted)
    if plan.strip is not None:
        x, y = sheet.camera.to_view(plan.strip[0], plan.strip[1])
        yield Text(x, y - 10, "Not on the floor yet: drag it to its place", small, theme.muted)


def _rack(rack: FloorRack, design: Design, sheet: Sheet, marked: Marked) -> Iterator[Part]:
    theme, colours = sheet.theme, sheet.theme.boxes[rack.kind]
    x, y, width, height = sheet.seen(rack.rect)
    is_wrong, is_selected = rack.id in marked.wrong, rack.id in marked.selected
    pen = Pen(
        theme.error if is_wrong else theme.accent if is_selected else colours.border,
        2.0 if is_wrong or is_selected else 1.0,
        dash=() if rack.on_floor else WAITING_DASH,
    )
    yield Rect(x, y, width, height, Ink(colours.fill), pen)
    thick = clamped(height * 0.05, (2.0, 6.0))
    yield Rect(x, y if rack.up else y + height - thick, width, thick, Ink(colours.stripe))
    # Along the depth of the rack, which is its longer side, with the units taken beneath.
    asked = min(13.0, width * 0.34)
    if asked < LEAST_NAME:
        return
    size, small, room, ruler = whole(asked), whole(max(LEAST_NAME, asked - 2.5)), height - 12, sheet.ruler
    middle, level, off = x + width / 2, y + height / 2, width * 0.21
    units = units_of(design, rack.id)
    for text, across, used, colour, bold in (
        (rack.name, -off, size, theme.text, True),
        (f"{units - free_units(design, rack.id)}/{units} U", off, small, theme.muted, False),
    ):
        line = baseline(ruler, middle + across, used, bold)
        yield Text(line, level, ruler.cut(text, room, used, bold), used, colour, bold, "middle", -90.0)


def _scale(sheet: Sheet) -> Iterator[Part]:
    """A bar of a round length at the left bottom."""
    per_m, (left, top, _, height) = PER_M * sheet.scale, sheet.area
    length_m = next((one for one in SCALES_M if one * per_m >= LEAST_SCALE_PX), SCALES_M[-1])
    x, y, end = left + CORNER_PX, top + height - CORNER_PX, left + CORNER_PX + length_m * per_m
    bar = np.array([[x, y, end, y], [x, y - 4, x, y + 4], [end, y - 4, end, y + 4]])
    yield Lines(bar, Pen(sheet.theme.muted, 1.5, square=True))
    yield Text(end + 8, y + 4, format_length(length_m), 11, sheet.theme.muted)


def _metre(sheet: Sheet, x_m: float, y_m: float) -> tuple[float, float]:
    return sheet.camera.to_view(x_m * PER_M, y_m * PER_M)


def _way(design: Design, link_id: str) -> tuple[Point, ...] | None:
    """Along the trays, in metres; None where a link has none."""
    link = design.links.get(link_id)
    if not isinstance(link, Link) or route(design, link) is None:
        return None
    ends = []
    for end in (link.a, link.b):
        rack_id = design.placements[end.device_id].rack_id
        at = floor.place_of(design.racks[rack_id]) if rack_id is not None else None
        if at is None:
            return None
        ends.append(at)
    return tray_points(design.settings, ends[0], ends[1])
