"""The floor plan: racks in metres, rows, aisles and trays. Racks are dragged; one drag is one edit."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from designer.canvas.dropping import Landing, said
from designer.canvas.glyphs import Fonts
from designer.canvas.hits import NOTHING, Target
from designer.canvas.pointer import Pointer
from designer.canvas.room.new_racks import standing_racks
from designer.canvas.room.room_view import RoomSubject, RoomView, middle_in
from designer.canvas.sight import Sight
from designer.drawing.geometry import Rect
from designer.drawing.parts.elevation import Marked
from designer.drawing.parts.floor import floor_parts
from designer.drawing.parts.primitives import Part
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import PER_M, FloorPlan, FloorRack, floor_plan
from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.hardware import HardwareType, RackType
from designer.model.several import ONE, Wanted
from designer.placement import floor
from designer.placement.floor import Point
from designer.placement.rack_contents import free_units, rack_power, units_of
from designer.session.session import Session
from designer.units import format_length, format_power

STEP_M = 0.05
SNAP_M = 0.2
NUDGE_M = 0.1
FINE_NUDGE_M = 0.01


class FloorView(RoomView):
    """The room from above."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(Floor(session), parent)


class Floor(RoomSubject[FloorPlan]):
    """Racks that are dragged over the floor."""

    name = "Floor plan"

    def read(self) -> FloorPlan:
        """The floor plan of the design: racks, rows, aisles and trays."""
        return floor_plan(self.session.design)

    def bounds(self) -> Rect | None:
        """Left, top, right and bottom of the plan; None where it is empty."""
        return self.drawn.bounds

    def rect_of(self, entity_id: str) -> Rect | None:
        """Where the plan shows a rack, or the rack that a device is in; None for everything else."""
        rack_id = _rack_of(self.session.design, entity_id)
        return next((rack.rect for rack in self.drawn.racks if rack.id == rack_id), None)

    def target_at(self, at: Pointer, sight: Sight) -> Target:
        """The rack under the mouse, the one drawn last where they overlap."""
        for rack in reversed(self.drawn.racks):
            left, top, right, bottom = rack.rect
            if left <= at.x <= right and top <= at.y <= bottom:
                return Target(container_id=rack.id)
        return NOTHING

    def within(self, rect: Rect) -> list[str]:
        """Racks whose middle is in the band."""
        return [rack.id for rack in self.drawn.racks if middle_in(rack.rect, rect)]

    def movable(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The racks among these that have a place on the floor, sorted by id."""
        racks = self.session.design.racks
        return tuple(sorted(one for one in ids if one in racks and floor.place_of(racks[one]) is not None))

    def nudged(self, dx: int, dy: int, *, fine: bool) -> Edit | None:
        """The selected racks moved on the floor by a step of 0.1 m, or of 0.01 m where fine. Raises DesignerError."""
        design, step = self.session.design, FINE_NUDGE_M if fine else NUDGE_M
        places: dict[str, Point | None] = {}
        for one in self.movable(self.session.selection):
            at = floor.place_of(design.racks[one])
            assert at is not None
            places[one] = (round(at[0] + dx * step, 4), round(at[1] + dy * step, 4))
        return floor.place_racks(design, places)

    def drag(self, target: Target, start: Pointer) -> "RackDrag":
        """A drag of the selected racks, or of the one under the mouse."""
        chosen = [rack for rack in self.drawn.racks if rack.id in self.session.selection]
        held = next(rack for rack in self.drawn.racks if rack.id == target.container_id)
        return RackDrag(self.session.design, self.drawn, held, chosen or [held], start)

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
        rects = tuple(_standing_at(design, spot) for spot in spots)
        return Landing(edit, said(type_, wanted), rects)

    def sentence(self, target: Target) -> str:
        """The rack under the mouse with its units taken, its power draw and budget; "" on nothing."""
        design, rack_id = self.session.design, target.container_id
        if rack_id is None:
            return ""
        rack = design.racks[rack_id]
        power = rack_power(design, rack_id)
        budget = f", budget {format_power(power.budget_w)}" if power.budget_w else ""
        units = units_of(design, rack_id)
        return f"{rack.name}: {units - free_units(design, rack_id)} of {units} U taken, {power.draw}{budget}"

    def parts(self, sheet: Sheet) -> Iterable[Part]:
        """The plan, with marks on racks that are selected, hold something selected or have findings."""
        design, selection = self.session.design, self.session.selection
        held = frozenset(rack_id for one in selection if (rack_id := _rack_of(design, one)) is not None)
        return floor_parts(self.drawn, design, sheet, Marked(held, self._wrong()), selection)

    def _wrong(self) -> frozenset[str]:
        """Racks that findings are about, themselves or by what stands in them, as far as they are about the room."""
        racks = self.session.design.racks
        return frozenset(
            one
            for finding in self.findings
            if finding.code.startswith("RACK-")
            for one in finding.subjects
            if one in racks
        )


def _rack_of(design: Design, entity_id: str) -> str | None:
    """The rack itself, or the one a device stands in."""
    if entity_id in design.racks:
        return entity_id
    placement = design.placements.get(entity_id)
    return placement.rack_id if placement is not None else None


@dataclass(frozen=True, slots=True)
class _Snap:
    x_m: float
    y_m: float


class RackDrag:
    """Racks dragged over the floor, in steps, and against their neighbours; Alt lets them stand anywhere."""

    def __init__(
        self, design: Design, plan: FloorPlan, held: FloorRack, racks: list[FloorRack], start: Pointer
    ) -> None:
        self._design = design
        self._plan = plan
        self._held = held
        self._racks = racks
        self._start = self._at = start

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Take the racks to the mouse; never refused."""
        self._at = at
        return None

    def end(self) -> None:
        """Nothing to put back: only marks over the picture have moved."""

    def copied(self) -> None:
        """Nothing is copied by a drag here."""

    def edit(self) -> Edit:
        """The racks at their new places on the floor, as one edit. Raises DesignerError."""
        return floor.place_racks(self._design, dict(self.places()))

    def places(self) -> dict[str, Point]:
        """Where each rack would stand, in metres."""
        start = _centre_m(self._held)
        dx, dy = self._at.x - self._start.x, self._at.y - self._start.y
        if self._at.shift:  # along one axis only
            dx, dy = (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
        wanted = start.x_m + dx / PER_M, start.y_m + dy / PER_M
        x_m, y_m = wanted if self._at.alt else self._snapped(*wanted)
        places: dict[str, Point] = {}
        for rack in self._racks:
            own = _centre_m(rack)
            places[rack.id] = (round(x_m + own.x_m - start.x_m, 4), round(y_m + own.y_m - start.y_m, 4))
        return places

    def _snapped(self, x_m: float, y_m: float) -> Point:
        """Beside the nearest rack of the row it comes to, else the next step of the floor."""
        settings = self._design.settings
        moving = {rack.id for rack in self._racks}
        others = [_centre_m(rack) for rack in self._plan.racks if rack.on_floor and rack.id not in moving]
        rows = [one.y_m for one in others if abs(one.y_m - y_m) < SNAP_M]
        row = min(rows, key=lambda y: abs(y - y_m), default=None)
        if row is None:
            return round(x_m / STEP_M) * STEP_M, round(y_m / STEP_M) * STEP_M
        sides = [one.x_m + side for one in others if one.y_m == row for side in _sides(settings.rack_width_m)]
        near = min((x for x in sides if abs(x - x_m) < SNAP_M), key=lambda x: abs(x - x_m), default=None)
        return (near if near is not None else round(x_m / STEP_M) * STEP_M), row

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Where the racks would stand, red where they would overlap, and how far from the origin that is."""
        places = self.places()
        for place in places.values():
            colour = QColor(sight.theme.error if self._blocked(place) else sight.theme.accent)
            painter.setPen(QPen(colour, 2.0))
            colour.setAlpha(60)
            painter.setBrush(colour)
            painter.drawRect(sight.px(_standing_at(self._design, place)))
        x_m, y_m = places[self._held.id]
        painter.setPen(QColor(sight.theme.text))
        painter.setFont(Fonts(sight.font).at(12))
        painter.drawText(self._at.spot + QPointF(14, -8), f"{format_length(x_m)}, {format_length(y_m)}")

    def _blocked(self, place: Point) -> bool:
        settings = self._design.settings
        moving = {rack.id for rack in self._racks}
        return any(
            abs(one.x_m - place[0]) < settings.rack_width_m - floor.TOUCH_M
            and abs(one.y_m - place[1]) < settings.rack_depth_m - floor.TOUCH_M
            for rack in self._plan.racks
            if rack.on_floor and rack.id not in moving
            for one in (_centre_m(rack),)
        )


def _standing_at(design: Design, place: Point) -> Rect:
    """What a rack takes up whose middle is at that place, in units of the plan."""
    half = design.settings.rack_width_m / 2 * PER_M, design.settings.rack_depth_m / 2 * PER_M
    x, y = place[0] * PER_M, place[1] * PER_M
    return x - half[0], y - half[1], x + half[0], y + half[1]


def _centre_m(rack: FloorRack) -> _Snap:
    left, top, right, bottom = rack.rect
    return _Snap((left + right) / 2 / PER_M, (top + bottom) / 2 / PER_M)


def _sides(width_m: float) -> tuple[float, float]:
    return -width_m, width_m
