"""Racks dropped from the palette onto the floor plan or into a row of the elevation."""

from collections.abc import Sequence
from dataclasses import replace

from designer.canvas.dropping import Landing, new_boxes, said
from designer.canvas.pointer import Pointer
from designer.drawing.geometry import Rect
from designer.drawing.room.elevation import GAP, HEADER, UNIT, WIDTH, Line
from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.edit import Change, Edit, joined
from designer.model.entities import Placement, Rack
from designer.model.hardware.racks import RackType
from designer.model.several import Wanted
from designer.placement import floor
from designer.placement.floor import Point
from designer.placement.row_order import opening
from designer.units import format_counted

SLOT = 10.0
"""Width of what shows between two racks that others come there."""


def standing_racks(
    design: Design, type_: RackType, wanted: Wanted, spots: Sequence[Point | None], facing: str = ""
) -> Edit:
    """New racks at these places of the floor, None for those that get theirs later. Raises DesignerError.

    They stand on the canvas once something is drawn in them.
    """
    edit = new_boxes(design, type_, {}, [(0.0, 0.0)] * wanted.count, wanted)
    standing, changes = iter(spots), []
    for change in edit.changes:
        entity = change.after
        if isinstance(entity, Rack) and (place := next(standing)) is not None:
            entity = replace(entity, x_m=place[0], y_m=place[1], facing=facing)
        if not isinstance(entity, Placement):
            changes.append(Change(None, entity))
    return Edit(edit.label, tuple(changes))


def at_the_end(design: Design, type_: RackType, wanted: Wanted) -> Edit:
    """New racks on the floor after those of the last row, or as the first row. Raises DesignerError."""
    rows = floor.rows(design)
    if rows:
        room = opening(design, rows[-1], len(rows[-1].rack_ids), wanted.count)
        return standing_racks(design, type_, wanted, room.places, room.facing)
    width = design.settings.rack_width_m
    return standing_racks(design, type_, wanted, [(round(number * width, 4), 0.0) for number in range(wanted.count)])


def into_row(design: Design, lines: Sequence[Line], type_: RackType, at: Pointer, wanted: Wanted) -> Landing:
    """New racks in the row under the mouse, between the racks it is between; without a place where it is on no row."""
    rows = {row.rack_ids: row for row in floor.rows(design)}
    line = _line_at(lines, at)
    ids = tuple(one.rack_id for one in line.frames if one.rack_id is not None) if line is not None else ()
    is_mirrored = ids not in rows and ids[::-1] in rows
    row = rows.get(ids) or rows.get(ids[::-1])
    try:
        if line is None or row is None:
            edit = standing_racks(design, type_, wanted, [None] * wanted.count)
            where = ", not on the floor yet" if rows else ""
            return Landing(edit, f"{said(type_, wanted)}{where}", _last_places(lines, type_, wanted.count))
        seen = sum(at.x > (frame.rect[0] + frame.rect[2]) / 2 for frame in line.frames)
        index = len(ids) - seen if is_mirrored else seen
        room = opening(design, row, index, wanted.count)
        edit = standing_racks(design, type_, wanted, room.places, room.facing)
        if room.moved:
            edit = joined(edit.label, [floor.place_racks(design, room.moved), edit])
    except DesignerError as error:
        return Landing(None, str(error))
    side, neighbour = ("after", row.rack_ids[index - 1]) if index else ("before", row.rack_ids[0])
    count = len(room.moved)
    moved = f"; {format_counted(count, 'rack')} {'moves' if count == 1 else 'move'} over" if count else ""
    text = f"{said(type_, wanted)} in row {row.name}, {side} {design.racks[neighbour].name}{moved}"
    return Landing(edit, text, _places_in(line, seen, type_, wanted.count))


def _line_at(lines: Sequence[Line], at: Pointer) -> Line | None:
    """The line of racks at that height; of several side by side the one under or next to the mouse."""
    level = [
        line
        for line in lines
        if line.frames
        and all(frame.rack_id is not None for frame in line.frames)
        and min(frame.whole[1] for frame in line.frames) <= at.y <= line.frames[0].rect[3]
    ]
    return min(level, key=lambda line: _apart(line, at.x), default=None)


def _apart(line: Line, x: float) -> float:
    left, right = line.frames[0].rect[0], line.frames[-1].rect[2]
    return max(left - x, x - right, 0.0)


def _places_in(line: Line, index: int, type_: RackType, count: int) -> tuple[Rect, ...]:
    """Behind the last rack where they will be seen, else the gap that they open."""
    bottom = line.frames[0].rect[3]
    if index == len(line.frames):
        return _side_by_side(line.frames[-1].rect[2] + GAP, bottom, type_, count)
    frame = line.frames[index]
    middle = frame.rect[0] - GAP / 2
    return ((middle - SLOT / 2, frame.rect[1], middle + SLOT / 2, bottom),)


def _last_places(lines: Sequence[Line], type_: RackType, count: int) -> tuple[Rect, ...]:
    """Behind the racks that wait for a place on the floor; nowhere where the first row of racks is still to come."""
    waiting = [line for line in lines if line.title in ("Racks", "Not on the floor")]
    if waiting:
        last = waiting[-1].frames[-1].rect
        return _side_by_side(last[2] + GAP, last[3], type_, count)
    return () if lines else _side_by_side(0.0, HEADER + type_.units * UNIT, type_, count)


def _side_by_side(left: float, bottom: float, type_: RackType, count: int) -> tuple[Rect, ...]:
    top, pitch = bottom - type_.units * UNIT, WIDTH + GAP
    return tuple((left + number * pitch, top, left + number * pitch + WIDTH, bottom) for number in range(count))
