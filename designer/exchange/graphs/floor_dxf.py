"""The floor plan as DXF for CAD programs: racks as blocks with attributes, everything to scale, each kind in its layer.

Written with ezdxf, version R2010: layers, blocks, attributes and true colors, which R12 has not. Numbers of times and
versions, which it would take from the clock, are fixed: the same design gives the same bytes.
"""

import io
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

from designer.drawing.camera import Camera
from designer.drawing.notes import title_rows
from designer.drawing.parts.annotations import Stated, noted
from designer.drawing.parts.elevation import NOTHING_MARKED
from designer.drawing.parts.fixtures import TEXT_SHARE, dimension_text, rack_keys
from designer.drawing.parts.floor import AISLE_WORDS, TRAY_M
from designer.drawing.parts.primitives import Group, Image, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import (
    PER_M,
    FloorPlan,
    FloorRack,
    assumed_trays,
    explained,
    fixture_reach,
    floor_plan,
)
from designer.drawing.theme import LIGHT, rgb
from designer.errors import ExportError
from designer.exchange.graphs.options import METRES, DxfOptions
from designer.late import Late
from designer.model.annotation import FARTHEST
from designer.model.design import Design
from designer.model.equipping import units_of
from designer.model.fixture import COLUMN, COOLING, DIMENSION, DOOR, TEXT, TRAY, WALL, ZONE, Fixture
from designer.model.fixture_shape import corners_m, own_rect_m, turned
from designer.model.furnishing import measured, title_of
from designer.placement.aisles import COLD, HOT, WIDE
from designer.placement.floor import Point
from designer.placement.rack_contents import free_units
from designer.units import all_of, format_counted, format_length

ezdxf = Late("ezdxf")
enums = Late("ezdxf.enums")

VERSION = "R2010"
METRE_UNITS, MILLIMETRE_UNITS = 6, 4
"""Of the header variable INSUNITS."""
BYBLOCK = 0
BLOCK = "RACK"
RACKS, NAMES, ROWS, COLD_AISLES, HOT_AISLES, OTHER_AISLES, TRAYS, ASSUMED_TRAYS = (
    "RACKS",
    "RACK-NAMES",
    "ROWS",
    "AISLES-COLD",
    "AISLES-HOT",
    "AISLES-OTHER",
    "TRAYS",
    "TRAYS-ASSUMED",
)
AISLE_LAYERS = {COLD: COLD_AISLES, HOT: HOT_AISLES}
FIXTURE_LAYERS = {
    WALL: "WALLS",
    DOOR: "DOORS",
    COLUMN: "COLUMNS",
    COOLING: "COOLING",
    TRAY: TRAYS,
    TEXT: "TEXTS",
    ZONE: "ZONES",
    DIMENSION: "DIMENSIONS",
}
NOTES = "ANNOTATIONS"
FOREGROUND = (NAMES, ROWS, "WALLS", "TEXTS", "DIMENSIONS", NOTES)
"""Layers that are black on white paper and white on a black screen, as color 7 is."""
COLOURS = {
    RACKS: LIGHT.rack_border,
    COLD_AISLES: LIGHT.cold,
    HOT_AISLES: LIGHT.hot,
    OTHER_AISLES: LIGHT.muted,
    TRAYS: LIGHT.accent,
    ASSUMED_TRAYS: LIGHT.accent,
    "DOORS": LIGHT.muted,
    "COLUMNS": LIGHT.muted,
    "COOLING": LIGHT.info,
    "ZONES": LIGHT.accent,
}
NAME_HEIGHT_M, NOTE_HEIGHT_M, ROW_HEIGHT_M = 0.14, 0.1, 0.3
LETTER = 0.9
"""Width of a letter of the standard font in terms of its height."""
CAPITAL = 0.7
"""Height of a capital, by which CAD programs size texts, in terms of the size of letters."""
NAME_SHARE = 0.9
"""Of a rack's depth that its name may take."""
ROW_GAP_M, NOTE_GAP_M = 0.3, 0.15
TRANSPARENCY = 0.75
"""Of trays, which hang over racks."""
SCREEN, VIEW_MARGIN = 1.6, 0.1
"""Width of a screen in terms of its height, and the share of the drawing that is left free around it."""
STROKE_M = 0.08
"""Half the length of the strokes at the ends of dimensions, along each axis."""
FRONT_M = 0.05
"""From the front to the line that marks it."""


def write_dxf(design: Design, path: FilePath, options: DxfOptions) -> None:
    """Write the plan. Raises ExportError where nothing is on the floor, and OSError where it cannot be written."""
    path.write_bytes(dxf_text(design, 1.0 if options.units == METRES else 1000.0).encode())


def summary(design: Design) -> str:
    """What the plan holds, in a line, and what is left out."""
    racks = floor_plan(design).racks
    waiting = sum(not one.on_floor for one in racks)
    things = [(len(racks) - waiting, "rack"), (len(design.fixtures), "fixture")]
    notes = sum(one.is_on_floor for one in design.annotations.values())
    things += [(notes, "annotation")] if notes else []
    drawn = f"{all_of([format_counted(*one) for one in things])} drawn"
    return f"{drawn}; {format_counted(waiting, 'rack')} without a place on the floor left out" if waiting else drawn


def dxf_text(design: Design, per_m: float) -> str:
    """The plan with so many units of the drawing to the meter, y up."""
    plan = floor_plan(design)
    if not plan.fixtures and not plan.notes and not any(one.on_floor for one in plan.racks):
        raise ExportError("no rack has a place on the floor: use Room > Place Racks on Floor, or prepare, first")
    was, ezdxf.options.write_fixed_meta_data_for_testing = ezdxf.options.write_fixed_meta_data_for_testing, True
    try:
        document = ezdxf.new(VERSION, units=METRE_UNITS if per_m == 1.0 else MILLIMETRE_UNITS)
        _Plan(document, design, per_m).draw(plan)
        _show_all(document, plan, per_m)
        made = io.StringIO()
        document.write(made)
        return made.getvalue()
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = was


def _show_all(document: Any, plan: FloorPlan, per_m: float) -> None:
    """Let the drawing be seen as a whole when it is opened; racks without a place are not in it."""
    there = [one.rect for one in plan.racks if one.on_floor] + [fixture_reach(one) for one in plan.fixtures]
    there += [one.rect for one in plan.notes]
    lefts, tops, rights, bottoms = zip(*there, strict=True)
    scale = per_m / PER_M
    (left, bottom), (right, top) = (
        (min(lefts) * scale, -max(bottoms) * scale),
        (max(rights) * scale, -min(tops) * scale),
    )
    document.modelspace().reset_extents((left, bottom), (right, top))
    height = max(top - bottom, (right - left) / SCREEN) * (1 + 2 * VIEW_MARGIN)
    document.set_modelspace_vport(height=_even(height), center=(_even((left + right) / 2), _even((bottom + top) / 2)))


class _Plan:
    """Draws in a document of ezdxf's."""

    def __init__(self, document: Any, design: Design, per_m: float) -> None:
        self._design, self._per_m = design, per_m
        self._document, self._space = document, document.modelspace()
        for name, colour in COLOURS.items():
            document.layers.add(name, true_color=_number(colour))
        for name in FOREGROUND:
            document.layers.add(name, color=7)
        self._half = design.settings.rack_width_m / 2, design.settings.rack_depth_m / 2

    def draw(self, plan: FloorPlan) -> None:
        """Everything that has a place, the floor first."""
        for aisle in plan.aisles:
            if aisle.kind != WIDE:
                layer = AISLE_LAYERS.get(aisle.kind, OTHER_AISLES)
                corners = (aisle.left_m, aisle.top_m), (aisle.right_m, aisle.bottom_m)
                self._rectangle(corners[0], corners[1], layer)
                text = f"{AISLE_WORDS[aisle.kind]}, {format_length(aisle.bottom_m - aisle.top_m)}"
                at = aisle.left_m + NOTE_GAP_M, (aisle.top_m + aisle.bottom_m) / 2
                self._text(text, at, NOTE_HEIGHT_M, layer, "MIDDLE_LEFT")
        for fixture in plan.fixtures:
            self._fixture(fixture)
        for way in assumed_trays(plan, self._design):
            self._line(way, ASSUMED_TRAYS, TRAY_M)
        self._define_rack()
        for rack in plan.racks:
            if rack.on_floor:
                self._rack(rack)
        self._annotations(plan)
        for row in plan.rows:
            left = min(x for one in row.rack_ids if (x := self._design.racks[one].x_m) is not None)
            self._text(row.name, (left - self._half[0] - ROW_GAP_M, row.y_m), ROW_HEIGHT_M, ROWS, "MIDDLE_RIGHT")

    def _define_rack(self) -> None:
        """The block of a rack, whose front is below; what says it is at each place is in attributes."""
        x, y = (one * self._per_m for one in self._half)
        front = -y + FRONT_M * self._per_m
        block = self._document.blocks.new(BLOCK)
        block.add_lwpolyline([(-x, -y), (x, -y), (x, y), (-x, y)], close=True, dxfattribs=_by_block())
        block.add_line((-x, front), (x, front), dxfattribs=_by_block())
        for tag in ("NAME", "UNITS"):
            block.add_attdef(tag, (0, 0), height=NOTE_HEIGHT_M * self._per_m, dxfattribs={"layer": NAMES})

    def _rack(self, rack: FloorRack) -> None:
        left, top, right, bottom = (one / PER_M for one in rack.rect)
        middle = (left + right) / 2, (top + bottom) / 2
        colour = _number(LIGHT.boxes[rack.kind].stripe)
        facts = {"layer": RACKS, "rotation": 180 if rack.up else 0, "true_color": colour}
        insert = self._space.add_blockref(BLOCK, self._at(middle), dxfattribs=facts)
        held = units_of(self._design, rack.id)
        units = f"{held - free_units(self._design, rack.id)}/{held} U"
        quarter = self._half[0] / 2
        for tag, text, most_m, off_m in (
            ("NAME", rack.name, NAME_HEIGHT_M, -quarter),
            ("UNITS", units, NOTE_HEIGHT_M, quarter),
        ):
            height_m = min(most_m, NAME_SHARE * 2 * self._half[1] / (LETTER * max(1, len(text))))
            look = {"layer": NAMES, "height": height_m * self._per_m, "rotation": 90}
            attribute = insert.add_attrib(tag, _shown(text), dxfattribs=look)
            attribute.set_placement(self._at((middle[0] + off_m, middle[1])), align=_align("MIDDLE_CENTER"))

    def _fixture(self, fixture: Fixture) -> None:
        layer = FIXTURE_LAYERS[fixture.kind]
        if fixture.kind == TRAY:
            self._line(fixture.points_m, layer, fixture.width_m)
            return
        if fixture.kind == DIMENSION:
            self._dimension(fixture, layer)
            return
        if fixture.kind == TEXT:
            height_m = min(TEXT_SHARE * fixture.depth_m, fixture.width_m / (LETTER * max(1, len(title_of(fixture)))))
            at = fixture.x_m, fixture.y_m
            self._text(title_of(fixture), at, height_m, layer, "MIDDLE_CENTER", -fixture.turn_deg)
            return
        if fixture.kind == ZONE:
            left, top, *_ = own_rect_m(fixture)
            self._text(title_of(fixture), (left + NOTE_GAP_M, top + NOTE_GAP_M), NAME_HEIGHT_M, layer, "TOP_LEFT")
        self._outline(corners_m(fixture), layer)
        if fixture.kind == DOOR:
            self._swing(fixture, layer)
        elif fixture.kind == COOLING:
            self._text(title_of(fixture), (fixture.x_m, fixture.y_m), NAME_HEIGHT_M, layer, "MIDDLE_CENTER")

    def _dimension(self, fixture: Fixture, layer: str) -> None:
        """Its line with slanting strokes, thin lines to what it measures, and the length along it."""
        found = measured(self._design, fixture)
        (ax, ay), (bx, by) = found.line
        self._line(found.line, layer)
        length_m = found.length_m
        along = ((bx - ax) / length_m, (by - ay) / length_m) if length_m else (1.0, 0.0)
        dx, dy = STROKE_M * (along[0] - along[1]), STROKE_M * (along[0] + along[1])
        for foot, (x, y) in zip(found.feet, found.line, strict=True):
            self._line(((x - dx, y - dy), (x + dx, y + dy)), layer)
            if math.dist(foot, (x, y)) > STROKE_M:
                self._line((foot, (x, y)), layer)
        turn = math.degrees(math.atan2(-along[1], along[0]))
        turn += 180.0 if turn <= -90.0 else -180.0 if turn > 90.0 else 0.0
        off = math.radians(turn + 90.0)
        middle = (ax + bx) / 2 + NOTE_HEIGHT_M * math.cos(off), (ay + by) / 2 - NOTE_HEIGHT_M * math.sin(off)
        self._text(dimension_text(fixture, found.length_m), middle, NOTE_HEIGHT_M, layer, "MIDDLE_CENTER", turn)

    def _annotations(self, plan: FloorPlan) -> None:
        """What a picture shows of them, in lines and texts; an image is a frame, as a CAD file has none within."""
        off_floor = {one.id for one in plan.racks if not one.on_floor}
        keys = rack_keys(plan, NOTHING_MARKED, LIGHT)
        stated = Stated(lambda: keys, title_rows(self._design))
        sheet = Sheet(Camera(), (-FARTHEST, -FARTHEST, 2 * FARTHEST, 2 * FARTHEST), LIGHT, EstimatedRuler())
        for one in explained(plan, keys).notes:
            led = replace(one, pin=None) if one.note.pinned_to in off_floor else one
            for part in noted((led,), stated, sheet):
                self._part(part, (0.0, 0.0), 1.0, one.note.colour)

    def _part(self, part: Part, at: Point, zoom: float, own: str) -> None:
        """A part of a picture in units of the plan, its origin there; what is of the color `own` keeps that."""

        def to_m(x: float, y: float) -> Point:
            return (at[0] + x * zoom) / PER_M, (at[1] + y * zoom) / PER_M

        facts: dict[str, Any] = {"layer": NOTES}
        if isinstance(part, Group):
            origin = at[0] + part.at[0] * zoom, at[1] + part.at[1] * zoom
            for inner in part.parts:
                self._part(inner, origin, zoom * part.zoom, own)
        elif isinstance(part, Rect | Image):
            ink, pen = (part.ink, part.pen) if isinstance(part, Rect) else (None, Pen(LIGHT.text))
            if pen is None and (ink is None or ink.colour == LIGHT.background):
                return  # the ground under words
            corners = (part.x, part.y), (part.x + part.width, part.y + part.height)
            colour = own
            if ink is not None and pen is not None and pen.colour == LIGHT.rack_border:
                colour = ink.colour  # a swatch of a legend
            self._rectangle(to_m(*corners[0]), to_m(*corners[1]), NOTES, colour)
        elif isinstance(part, Path):
            points = [self._at(to_m(*point)) for point in part.points]
            line = self._space.add_lwpolyline(points, close=part.closed, dxfattribs=facts)
            if own:
                line.dxf.true_color = _number(own)
        elif isinstance(part, Text):
            height_m = CAPITAL * part.size * zoom / PER_M
            align = {"start": "LEFT", "middle": "CENTER", "end": "RIGHT"}[part.anchor]
            self._text(part.text, to_m(part.x, part.y), height_m, NOTES, align, -part.turn)

    def _swing(self, door: Fixture, layer: str) -> None:
        """The leaf of a door, open, and where it swings."""
        left, top, right, bottom = own_rect_m(door)
        size = max(right - left, bottom - top)
        is_level = right - left >= bottom - top
        hinge, opened = ((left, top), (left, top - size)) if is_level else ((right, top), (right + size, top))
        middle = door.x_m, door.y_m
        hinge, opened = (turned(one, middle, door.turn_deg) for one in (hinge, opened))
        self._line((hinge, opened), layer)
        begin = (0.0 if is_level else -90.0) - door.turn_deg
        self._space.add_arc(self._at(hinge), size * self._per_m, begin, begin + 90, dxfattribs={"layer": layer})

    def _rectangle(self, corner: Point, other: Point, layer: str, colour: str = "") -> None:
        (left, top), (right, bottom) = corner, other
        self._outline(((left, top), (right, top), (right, bottom), (left, bottom)), layer, colour)

    def _outline(self, points_m: Iterable[Point], layer: str, colour: str = "") -> None:
        facts = {"layer": layer, **({"true_color": _number(colour)} if colour else {})}
        self._space.add_lwpolyline([self._at(one) for one in points_m], close=True, dxfattribs=facts)

    def _line(self, points_m: Iterable[Point], layer: str, width_m: float = 0.0) -> None:
        facts = {"layer": layer, "const_width": width_m * self._per_m}
        line = self._space.add_lwpolyline([self._at(one) for one in points_m], dxfattribs=facts)
        if width_m:
            line.transparency = TRANSPARENCY

    def _text(self, text: str, at_m: Point, height_m: float, layer: str, align: str, turn_deg: float = 0.0) -> None:
        look = {"layer": layer, "rotation": _even(turn_deg)} if turn_deg else {"layer": layer}
        made = self._space.add_text(_shown(text), height=height_m * self._per_m, dxfattribs=look)
        made.set_placement(self._at(at_m), align=_align(align))

    def _at(self, point_m: Point) -> Point:
        """Where a point of the plan is on the drawing, whose y is up."""
        return _even(point_m[0] * self._per_m), _even(-point_m[1] * self._per_m)


def _by_block() -> dict[str, Any]:
    return {"layer": "0", "color": BYBLOCK}


def _align(name: str) -> Any:
    return getattr(enums.TextEntityAlignment, name)


def _number(colour: str) -> int:
    red, green, blue = rgb(colour)
    return red << 16 | green << 8 | blue


def _shown(text: str) -> str:
    """The text as it is: in DXF two percent signs begin a code, and three stand for one."""
    return text.replace("%%", "%%%%%%").replace("\\U+", "\\ U+").replace("^", "^ ")


def _even(value: float) -> float:
    """Without the crumbs of a sum, and never a minus zero."""
    return round(value, 6) + 0.0 if math.isfinite(value) else 0.0
