"""The floor plan: racks, walls and annotations in meters, rows, aisles and trays. One drag is one edit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from designer.canvas.comparison_layer import tints
from designer.canvas.dropping import Landing, said
from designer.canvas.hits import NOTHING, Target
from designer.canvas.pointer import Pointer
from designer.canvas.previews import Preview
from designer.canvas.room import drawing_tools
from designer.canvas.room.floor_drags import (
    STEP_M,
    FloorDrag,
    GripDrag,
    Thing,
    TurnDrag,
    in_m,
    outlined,
    standing_at,
)
from designer.canvas.room.floor_grips import (
    FloorNotes,
    fixture_at,
    grip_at,
    is_on_turn_handle,
    measured_text,
    paint_grips,
    words_rect,
)
from designer.canvas.room.new_racks import standing_racks
from designer.canvas.room.room_view import RoomSubject, RoomView, middle_in
from designer.canvas.sight import Sight
from designer.canvas.subject import Drag
from designer.canvas.text_editor import TextEditor
from designer.canvas.tools.annotate import floor_tools
from designer.canvas.tooltips import sentence_of
from designer.drawing.bundles import Floats
from designer.drawing.camera import Camera
from designer.drawing.geometry import Rect, around
from designer.drawing.notes import Drawn
from designer.drawing.parts.elevation import Marked
from designer.drawing.parts.fixtures import OVER_RACKS, rack_keys
from designer.drawing.parts.floor import floor_parts, row_titles
from designer.drawing.parts.marks import badges_at, is_on_badge, on_edge
from designer.drawing.parts.primitives import Part
from designer.drawing.parts.ruler import line_height
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import PER_M, FloorPlan, FloorRack, fixture_rect, floor_plan
from designer.errors import DesignerError
from designer.model.annotating import move_on_floor
from designer.model.annotation import LEGEND
from designer.model.design import Design
from designer.model.edit import Edit, joined, netted
from designer.model.entities import Rack
from designer.model.equipping import units_of
from designer.model.fixture import TEXT, ZONE, Fixture
from designer.model.furnishing import move_fixtures
from designer.model.hardware.racks import RackType
from designer.model.hardware.types import HardwareType
from designer.model.several import ONE, Wanted
from designer.placement import floor
from designer.placement.floor import Point, Row
from designer.placement.rack_contents import free_units, rack_power
from designer.placement.row_order import ROW_KEY, row_keyed, row_of
from designer.session.session import Session
from designer.units import format_counted, format_power
from designer.validation.findings import Severity

TITLE_REACH_PX = 4.0
"""Around the name of a row, what counts as on it."""
NUDGE_M = 0.1
FINE_NUDGE_M = 0.01


class FloorView(RoomView):
    """The room from above."""

    furnished = Signal()
    """Something was drawn: the tool has done its work."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self.floor = Floor(session)
        super().__init__(self.floor, parent)
        self.add_tools(*drawing_tools.tools(self, lambda: self.floor.drawn, self._furnished))
        self.add_tools(*floor_tools(self, self.floor.notes, self._annotated))
        self.text_editor = TextEditor(self)
        self._before_preview: tuple[Camera, Camera] | None = None
        """How the room was seen before a preview brought more into view, and since."""

    def _furnished(self, made: str) -> None:
        """The tool is done; words of a new text or zone are written next."""
        self.furnished.emit()
        if self.session.design.fixtures[made].kind in (TEXT, ZONE):
            self.write_in(made)

    def _annotated(self, made: str) -> None:
        """The tool is done; the words of what was put down are written next, and it is seen."""
        self.furnished.emit()
        self.reveal((made,))
        self.text_editor.open(made, is_new=True)

    def write_in(self, *ids: str) -> bool:
        """Put the cursor into the words of an annotation, or the name of a row whose racks these are.

        False where there is nothing to write here.
        """
        if len(ids) == 1 and self.text_editor.open(*ids):
            return True
        row = self.floor.whole_row(ids)
        return super().write_in(*(ids if row is None else (ROW_KEY + row.rack_ids[0],)))

    def show_preview(self, preview: Preview | None, foot_px: float = 0.0) -> None:
        """Outline where an edit would have racks, all in view above so many pixels of the widget; None for nothing."""
        self.floor.show_places([] if preview is None else new_places(preview.edit))
        rect = self.floor.around_places()
        if rect is None:
            return
        before = self.camera
        self.bring_in(rect, foot_px)
        if self.camera != before:
            self._before_preview = self._before_preview[0] if self._before_preview else before, self.camera

    def end_preview(self, *, goes_back: bool) -> None:
        """Outline nothing, seen as before the preview if wanted; a view that was moved by hand since stays."""
        self.show_preview(None)
        before, self._before_preview = self._before_preview, None
        if goes_back and before is not None and self.camera == before[1]:
            self.move_camera(before[0])


class Floor(RoomSubject[FloorPlan]):
    """Racks, fixtures and annotations that are dragged over the floor."""

    name = "Floor plan"
    _scale = 1.0
    """As what is under the mouse was last looked for."""
    _previewed: tuple[Point, ...] = ()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.notes = FloorNotes(session, lambda: self.drawn, self.changed.emit)
        session.annotations_shown_changed.connect(self.read_again)

    def read(self) -> FloorPlan:
        """The floor plan of the design: racks, rows, aisles, trays and, where they are shown, annotations."""
        plan = floor_plan(self.session.design)
        return plan if self.session.annotations_shown else replace(plan, notes=())

    def bounds(self) -> Rect | None:
        """Left, top, right and bottom of the plan; None where it is empty."""
        return self.drawn.bounds

    def boxes(self) -> Floats:
        """Those of racks, of fixtures and of annotations."""
        plan = self.notes.plan
        rects = [*(rack.rect for rack in plan.racks), *(one.rect for one in plan.notes)]
        rects += [fixture_rect(one) for one in plan.fixtures]
        return np.array([(x, y, end - x, low - y) for x, y, end, low in rects])

    @property
    def has_own_legend(self) -> bool:
        """Whether one of the annotations is a legend."""
        return any(one.note.kind == LEGEND for one in self.drawn.notes)

    def coloured(self) -> Iterable[str]:
        """The devices in racks."""
        return (one.id for one in self.session.design.placements.values() if one.rack_id is not None)

    def rect_of(self, entity_id: str) -> Rect | None:
        """Where the plan shows a fixture, an annotation, a rack or that of a device; None for everything else."""
        if (noted := self.notes.find(entity_id)) is not None:
            return noted.rect
        if (fixture := self._fixture(entity_id)) is not None:
            return fixture_rect(fixture)
        if (row := row_keyed(self.session.design, entity_id)) is not None:
            return around(rack.rect for rack in self.drawn.racks if rack.id in row.rack_ids)
        rack_id = _rack_of(self.session.design, entity_id)
        return next((rack.rect for rack in self.drawn.racks if rack.id == rack_id), None)

    def target_at(self, at: Pointer, sight: Sight) -> Target:
        """A grip of what is selected, an annotation, a rack or else a fixture under the mouse, the last drawn first."""
        self._scale = sight.camera.scale
        if (held := self.notes.gripped_at(at, self._scale)) is not None:
            return Target(note_id=held[0], tip=held[1])
        if (note_id := self.notes.at(at, self._scale, behind=False)) is not None:
            return Target(note_id=note_id)
        gripped = self._gripped()
        if gripped is not None and _is_gripped(gripped, at, sight.camera.scale):
            return Target(fixture_id=gripped.id)
        over = fixture_at([one for one in self.drawn.fixtures if one.kind in OVER_RACKS], in_meters(at), self._scale)
        if over is not None:
            return Target(fixture_id=over.id)
        signed, at_px = self.worst_in_racks(), sight.camera.to_view(at.x, at.y)
        for rack in reversed(self.drawn.racks):
            left, top, right, bottom = rack.rect
            is_on = left <= at.x <= right and top <= at.y <= bottom
            if is_on or (rack.id in signed and is_on_badge(at_px, sight.seen_px(rack.rect), on_edge)):
                return Target(container_id=rack.id)
        if (row := self._row_titled_at(at, sight)) is not None:
            return Target(members=row.rack_ids)
        found = fixture_at(self.drawn.fixtures, in_meters(at), self._scale)
        if found is not None:
            return Target(fixture_id=found.id)
        note_id = self.notes.at(at, self._scale, behind=True)
        return Target(note_id=note_id) if note_id is not None else NOTHING

    # -- names of rows --------------------------------------------------------------------------------------------

    def _titles(self, sight: Sight) -> Iterator[tuple[Row, QRectF]]:
        """The rows with what their names take up, in pixels of the view."""
        sheet = sight.sheet(self._fonts)
        for row, text in row_titles(self.drawn, self.session.design, sheet):
            width, ascent = sheet.ruler.width(text.text, text.size, True), sheet.ruler.ascent(text.size, True)
            yield row, QRectF(text.x - width, text.y - ascent, width, line_height(sheet.ruler, text.size, True))

    def _row_titled_at(self, at: Pointer, sight: Sight) -> Row | None:
        reach = -TITLE_REACH_PX, -TITLE_REACH_PX, TITLE_REACH_PX, TITLE_REACH_PX
        found = (row for row, rect in self._titles(sight) if rect.adjusted(*reach).contains(at.spot))
        return next(found, None)

    def name_rect(self, entity_id: str, sight: Sight) -> QRectF | None:
        """Where the name of a row is written, by the key of the row, or the words of a text, zone or dimension.

        Racks and other fixtures are renamed elsewhere.
        """
        fixture = self._fixture(entity_id)
        if fixture is not None:
            return words_rect(fixture, sight)
        wanted = row_keyed(self.session.design, entity_id)
        return next((rect for row, rect in self._titles(sight) if row == wanted), None)

    def named_at(self, found: Target, at: Pointer, sight: Sight) -> tuple[str, ...]:
        """The annotation, text, zone or dimension there, or the key of the row whose name is there."""
        if found.note_id is not None:
            return (found.note_id,)
        fixture = self._fixture(found.fixture_id or "")
        if fixture is not None:
            return (fixture.id,) if words_rect(fixture, sight) is not None else ()
        return (ROW_KEY + found.members[0],) if found.members else ()

    def next_named(self, entity_id: str, step: int) -> str | None:
        """The key of the row below, or above; None for the first and the last, and for all but rows."""
        if entity_id in self.session.design.fixtures:
            return None
        rows = self.drawn.rows
        number = next((n for n, row in enumerate(rows) if entity_id.removeprefix(ROW_KEY) in row.rack_ids), -1) + step
        return ROW_KEY + rows[number].rack_ids[0] if 0 <= number < len(rows) else None

    def whole_row(self, ids: Iterable[str]) -> Row | None:
        """The row of several racks that these are, all of them and nothing else; None where they are none."""
        wanted = frozenset(ids)
        found = (row for row in self.drawn.rows if len(row.rack_ids) > 1 and wanted == frozenset(row.rack_ids))
        return next(found, None)

    # -- what is moved --------------------------------------------------------------------------------------------

    def _gripped(self) -> Fixture | None:
        """The fixture that has grips: the one that is selected alone."""
        selection = self.session.selection
        return self._fixture(next(iter(selection))) if len(selection) == 1 else None

    def _fixture(self, fixture_id: str) -> Fixture | None:
        """A fixture as it is drawn: a dimension where its ends are now."""
        return next((one for one in self.drawn.fixtures if one.id == fixture_id), None)

    def within(self, rect: Rect) -> list[str]:
        """Racks and fixtures whose middle is in the band, and the annotations that it touches."""
        racks = [rack.id for rack in self.drawn.racks if middle_in(rack.rect, rect)]
        racks += [one.note.id for one in self.notes.plan.notes if one.is_within(rect)]
        return racks + [one.id for one in self.drawn.fixtures if middle_in(fixture_rect(one), rect)]

    def movable(self, ids: Iterable[str]) -> tuple[str, ...]:
        """What is on the floor among these, but racks that are locked, sorted by id."""
        design = self.session.design
        return tuple(
            sorted(
                one
                for one in ids
                if one in design.fixtures
                or (one in design.annotations and design.annotations[one].is_on_floor)
                or (
                    one in design.racks and floor.place_of(rack := design.racks[one]) is not None and not rack.is_locked
                )
            )
        )

    def nudged(self, dx: int, dy: int, *, fine: bool) -> Edit | None:
        """The selection moved on the floor by a step of 0.1 m, or of 0.01 m where fine. Raises DesignerError."""
        design, step = self.session.design, FINE_NUDGE_M if fine else NUDGE_M
        places: dict[str, Point | None] = {}
        fixtures = [one for one in self.session.selection if one in design.fixtures]
        for one in self.movable(self.session.selected.racks):
            at = floor.place_of(design.racks[one])
            assert at is not None
            places[one] = (round(at[0] + dx * step, 4), round(at[1] + dy * step, 4))
        edits = [floor.place_racks(design, places)] if places else []
        edits += [move_fixtures(design, fixtures, dx * step, dy * step, places)] if fixtures else []
        notes = self.movable(self.session.selected.annotations)
        edits += [move_on_floor(design, notes, dx * step, dy * step)] if notes else []
        count = len(places) + len(fixtures) + len(notes)
        return edits[0] if len(edits) == 1 else joined(f"Move {count} things", edits)

    def drag(self, target: Target, start: Pointer) -> Drag | None:
        """A drag of the selection or of what is under the mouse; a grip of what is selected alone."""
        design, plan, selection = self.session.design, self.notes.plan, self.session.selection
        if (pulled := self.notes.drag(start, self._scale)) is not None:
            return pulled
        gripped = self._gripped()
        if gripped is not None and (grip := grip_at(gripped, start, self._scale)) is not None:
            return GripDrag(design, plan, gripped, grip, start)
        if gripped is not None and is_on_turn_handle(gripped, start, self._scale):
            return TurnDrag(design, gripped, start)
        racks = {rack.id: rack for rack in plan.racks if not rack.is_locked}
        of_row = (racks[one] for one in target.members if one in racks)
        held: Thing | None = racks.get(target.container_id or "") or next(of_row, None)
        held = held or self._fixture(target.fixture_id or "") or self.notes.find(target.note_id)
        if held is None:
            return None
        chosen = [rack for rack in racks.values() if rack.id in selection]
        fixtures = [one for one in plan.fixtures if one.id in selection]
        notes = [one for one in plan.notes if one.note.id in selection]
        if held not in (*chosen, *fixtures, *notes):
            chosen = [held] if isinstance(held, FloorRack) else []
            fixtures, notes = [held] if isinstance(held, Fixture) else [], [held] if isinstance(held, Drawn) else []
        return FloorDrag(design, plan, held, (chosen, fixtures, notes), start)

    def landing(self, type_: HardwareType, at: Pointer, sight: Sight, wanted: Wanted = ONE) -> Landing:
        """Racks side by side where they are let go; on the canvas they show once something is drawn in them."""
        if not isinstance(type_, RackType):
            return Landing(None, f"{type_.model} belongs in a rack: drop it in the rack elevation")
        design = self.session.design
        x_m, y_m = (round(round(value / PER_M / STEP_M) * STEP_M, 4) for value in (at.x, at.y))
        first_m, step_m = x_m - (wanted.count - 1) / 2 * design.settings.rack_width_m, design.settings.rack_width_m
        spots = [(round(first_m + number * step_m, 4), y_m) for number in range(wanted.count)]
        try:
            edit = standing_racks(design, type_, wanted, spots)
        except DesignerError as error:
            return Landing(None, str(error))
        rects = tuple(standing_at(design, spot) for spot in spots)
        return Landing(edit, said(type_, wanted), rects)

    def sentence(self, target: Target) -> str:
        """The rack under the mouse with units taken, power and budget, or the fixture with its size; "" on nothing."""
        design, rack_id = self.session.design, target.container_id
        if target.tip:
            return "Drag the tip of the leader to a rack or a point; into its own text to point nowhere"
        if target.note_id is not None:
            return sentence_of(design, target)
        if target.fixture_id is not None:
            fixture = self._fixture(target.fixture_id)
            return measured_text(fixture) if fixture is not None else ""
        if target.members:
            row = row_of(design, target.members[0])
            count = format_counted(len(target.members), "rack")
            return f"Row {row.name}: {count}. Double-click to rename it" if row is not None else ""
        if rack_id is None:
            return ""
        rack = design.racks[rack_id]
        power = rack_power(design, rack_id)
        budget = f", budget {format_power(power.budget_w)}" if power.budget_w else ""
        units = units_of(design, rack_id)
        return f"{rack.name}: {units - free_units(design, rack_id)} of {units} U taken, {power.draw}{budget}"

    def parts(self, sheet: Sheet) -> Iterator[Part]:
        """The plan, with marks on racks that are selected or hold something selected, and badges of findings."""
        design, selection = self.session.design, self.session.selection
        lit = self.session.selected.lit_in_room
        held = frozenset(rack_id for one in lit if (rack_id := _rack_of(design, one)) is not None)
        held -= {one.note.id for one in self.notes.held}  # these have grips
        differing = tints(self.session.workbench.comparison, sheet.theme)
        marked = Marked(held, self._wrong(), differing, classes=self.classes(sheet.theme))
        self.notes.keys = rack_keys(self.drawn, marked, sheet.theme)
        yield from floor_parts(self.notes.plan, design, sheet, marked, selection)
        if worst := self.worst_in_racks():
            racks = [(rack.rect, worst[rack.id]) for rack in self.drawn.racks if rack.id in worst]
            yield from badges_at(racks, sheet, on_edge)

    def show_places(self, places: Sequence[Point]) -> None:
        """Outline racks at these places, in meters, as an edit would bring or move them."""
        self._previewed = tuple(places)
        self.changed.emit()

    def around_places(self) -> Rect | None:
        """Around these outlines; None where there is none."""
        return around(standing_at(self.session.design, place) for place in self._previewed)

    def paint_over(self, painter: QPainter, sight: Sight) -> None:
        """The grips of what is selected alone, racks that a preview would bring, and the legend."""
        for place in self._previewed:
            outlined(painter, sight, in_m(standing_at(self.session.design, place)))
        if (gripped := self._gripped()) is not None:
            paint_grips(painter, gripped, sight)
        self.notes.paint(painter, sight)
        super().paint_over(painter, sight)

    def _wrong(self) -> frozenset[str]:
        """Racks and fixtures that findings are about, as far as they are about the room."""
        design = self.session.design
        return frozenset(
            one
            for finding in self.findings
            if finding.code.startswith("RACK-") and finding.severity is Severity.ERROR
            for one in finding.subjects
            if one in design.racks or one in design.fixtures
        )


def new_places(edit: Edit) -> list[Point]:
    """Where an edit would have racks that stand elsewhere, or that come, in meters."""
    places = []
    for one in netted(edit).changes:
        at = floor.place_of(one.after) if isinstance(one.after, Rack) else None
        if at is not None and (not isinstance(one.before, Rack) or floor.place_of(one.before) != at):
            places.append(at)
    return places


def _is_gripped(one: Fixture, at: Pointer, scale: float) -> bool:
    return grip_at(one, at, scale) is not None or is_on_turn_handle(one, at, scale)


def _rack_of(design: Design, entity_id: str) -> str | None:
    """The rack, fixture or annotation itself, or the rack that a device stands in."""
    if entity_id in design.racks or entity_id in design.fixtures or entity_id in design.annotations:
        return entity_id
    placement = design.placements.get(entity_id)
    return placement.rack_id if placement is not None else None


def in_meters(at: Pointer) -> Point:
    """Where the mouse is on the floor."""
    return at.x / PER_M, at.y / PER_M
