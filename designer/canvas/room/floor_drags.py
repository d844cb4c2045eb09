"""What is dragged over the floor plan: racks, fixtures and annotations; it is one edit when let go."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas import marks
from designer.canvas.pointer import Pointer
from designer.canvas.room.floor_snapping import FloorLines, end_at
from designer.canvas.room.floor_snapping import centre as centre_m
from designer.canvas.sight import Sight
from designer.drawing.geometry import Rect
from designer.drawing.notes import Drawn
from designer.drawing.room.floor_plan import PER_M, FloorPlan, FloorRack
from designer.model.annotating import move_on_floor
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.fixture import DIMENSION, Fixture, Tie
from designer.model.fixture_shape import corners_m, corners_of, turned
from designer.model.furnishing import (
    LEAST_M,
    TOUCH_M,
    End,
    dimension_between,
    measured,
    move_fixtures,
    moved,
    reshape_dimension,
    reshape_tray,
    resize_fixture,
    shifted_dimension,
    turn_fixtures,
)
from designer.placement import floor
from designer.placement.floor import Point
from designer.placement.obstructions import in_the_way
from designer.units import format_counted, format_length

GRIP_SIDES = (-1, -1), (1, -1), (1, 1), (-1, 1)
"""To which side of the opposite corner each corner of a rectangle is: across and down."""
TURN_STEP_DEG, TURN_FINE_DEG = 15.0, 0.5
STEP_M = 0.05
SNAP_M = 0.2

Thing = FloorRack | Fixture | Drawn
"""What is held of what is dragged."""


class FloorDrag:
    """Things dragged over the floor, in steps, and racks against their neighbors; Alt lets them stand anywhere.

    With Control they stay, and copies of them come where they are let go. What is `held` stands in line; all others
    keep their distance from it.
    """

    def __init__(
        self,
        design: Design,
        plan: FloorPlan,
        held: Thing,
        things: tuple[Sequence[FloorRack], Sequence[Fixture], Sequence[Drawn]],
        start: Pointer,
    ) -> None:
        self._design, self._plan, self._held = design, plan, held
        self._racks, self._fixtures, self._notes = things
        self._lines = FloorLines(plan, {one.id for one in self._fixtures})
        self._start = self._at = start
        self._scale = 1.0

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Take the things to the mouse; never refused."""
        self._at, self._scale = at, sight.camera.scale
        return None

    def end(self) -> None:
        """Nothing to put back: only marks over the picture have moved."""

    def copied(self) -> tuple[tuple[str, ...], Callable[[Design], Edit]] | None:
        """What is copied, and how, where Control was held last."""
        if not self._at.control:
            return None
        ids, shift = self._ids, self._shift()
        return ids, lambda design: floor.copy_to(design, shift, ids)

    @property
    def _ids(self) -> tuple[str, ...]:
        fixtures, notes = (one.id for one in self._fixtures), (one.note.id for one in self._notes)
        return *(one.id for one in self._racks), *fixtures, *notes

    def edit(self) -> Edit:
        """The things at their new places on the floor, as one edit. Raises DesignerError."""
        edits = []
        if self._racks:
            edits.append(floor.place_racks(self._design, dict(self.places())))
        if self._fixtures:
            racks = [one.id for one in self._racks]
            edits.append(move_fixtures(self._design, [one.id for one in self._fixtures], *self._shift(), racks))
        if self._notes:
            edits.append(move_on_floor(self._design, [one.note.id for one in self._notes], *self._shift()))
        count = len(self._ids)
        return edits[0] if len(edits) == 1 else joined(f"Move {format_counted(count, 'thing')}", edits)

    def places(self) -> dict[str, Point]:
        """Where each rack would stand, in meters."""
        dx, dy = self._shift()
        places: dict[str, Point] = {}
        for rack in self._racks:
            x_m, y_m = centre_m(rack.rect)
            places[rack.id] = (round(x_m + dx, 4), round(y_m + dy, 4))
        return places

    def _shift(self) -> Point:
        """How far all of it goes, in meters."""
        from_m = self._held_at()
        dx, dy = self._at.x - self._start.x, self._at.y - self._start.y
        if self._at.shift:  # along one axis only
            dx, dy = (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
        wanted = from_m[0] + dx / PER_M, from_m[1] + dy / PER_M
        if not self._at.alt:
            is_rack = isinstance(self._held, FloorRack)
            wanted = self._snapped(*wanted) if is_rack else self._lines.snapped(wanted, self._scale)
        return wanted[0] - from_m[0], wanted[1] - from_m[1]

    def _held_at(self) -> Point:
        if isinstance(self._held, FloorRack):
            return centre_m(self._held.rect)
        if isinstance(self._held, Drawn):
            return self._held.start[0] / PER_M, self._held.start[1] / PER_M
        return self._held.points_m[0] if self._held.points_m else (self._held.x_m, self._held.y_m)

    def _snapped(self, x_m: float, y_m: float) -> Point:
        """Beside the nearest rack of the row it comes to, else the next step of the floor."""
        width = self._design.settings.rack_width_m
        others = [centre_m(rack.rect) for rack in self._standing()]
        row = min((y for _, y in others if abs(y - y_m) < SNAP_M), key=lambda y: abs(y - y_m), default=None)
        if row is None:
            return round(x_m / STEP_M) * STEP_M, round(y_m / STEP_M) * STEP_M
        sides = [x + side for x, y in others if y == row for side in (-width, width)]
        near = min((x for x in sides if abs(x - x_m) < SNAP_M), key=lambda x: abs(x - x_m), default=None)
        return (near if near is not None else round(x_m / STEP_M) * STEP_M), row

    def _standing(self) -> list[FloorRack]:
        moving = set() if self._at.control else {rack.id for rack in self._racks}
        return [rack for rack in self._plan.racks if rack.on_floor and rack.id not in moving]

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Where things would stand, red where a rack cannot, and how far from the origin that is."""
        places, shift = list(self.places().values()), self._shift()
        for place, is_blocked in zip(places, self.blocked(places), strict=True):
            outlined(painter, sight, in_m(standing_at(self._design, place)), is_wrong=is_blocked)
        along = frozenset(self._ids)
        for one in self._fixtures:
            after = moved(one, *shift)
            if one.ties and not self._at.control and not along.issuperset(tie.thing_id for tie in one.ties):
                after = shifted_dimension(self._design, one, *shift, along)
            if after.points_m:
                paint_tray(painter, sight, after.points_m)
            else:
                outlined(painter, sight, corners_m(after))
        for noted in self._plan.notes:
            if noted.note.id in along or (noted.note.pinned_to in along and not self._at.control):
                points = [(x / PER_M + shift[0], y / PER_M + shift[1]) for x, y in (noted.start, noted.end)]
                if noted.is_straight:
                    paint_tray(painter, sight, points)
                else:
                    outlined(painter, sight, corners_of((*points[0], *points[1])))
        x_m, y_m = self._held_at()
        verb = "Copy to " if self._at.control else ""
        note(painter, sight, self._at, f"{verb}{format_length(x_m + shift[0])}, {format_length(y_m + shift[1])}")

    def blocked(self, places: Sequence[Point]) -> list[bool]:
        """Which of these places other racks, walls, columns or cooling units have taken."""
        settings, others = self._design.settings, [centre_m(rack.rect) for rack in self._standing()]
        still = {one.id for one in self._plan.fixtures} - {one.id for one in self._fixtures}
        in_way = [any(one.id in still for one in found) for found in in_the_way(self._design, places)]
        return [
            is_in_way
            or any(
                abs(x - place[0]) < settings.rack_width_m - TOUCH_M
                and abs(y - place[1]) < settings.rack_depth_m - TOUCH_M
                for x, y in others
            )
            for place, is_in_way in zip(places, in_way, strict=True)
        ]


class GripDrag:
    """A corner of a fixture, or of a tray, that follows the mouse; in line with what is near, with Alt anywhere."""

    def __init__(self, design: Design, plan: FloorPlan, one: Fixture, grip: int, start: Pointer) -> None:
        self._design, self._plan, self._one, self._grip = design, plan, one, grip
        self._scale = 1.0
        self._lines = FloorLines(plan, (one.id,))
        self._at, self._to = start, (start.x / PER_M, start.y / PER_M)

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Take the corner along; never refused."""
        self._at, self._scale, to = at, sight.camera.scale, (at.x / PER_M, at.y / PER_M)
        beside = [self._one.points_m[n] for n in (self._grip - 1, self._grip + 1) if 0 <= n < len(self._one.points_m)]
        self._to = to if at.alt else self._lines.snapped(to, sight.camera.scale, beside)
        return None

    def end(self) -> None:
        """Nothing was moved in the picture."""

    def copied(self) -> None:
        """Nothing is copied by a corner."""

    def edit(self) -> Edit:
        """The fixture in its new shape. Raises DesignerError."""
        if self._one.kind == DIMENSION:
            return reshape_dimension(self._design, self._one.id, *self._ends(), is_direct=self._is_direct)
        if self._one.points_m:
            return reshape_tray(self._design, self._one.id, self._points())
        return resize_fixture(self._design, self._one.id, self._rect())

    @property
    def _is_direct(self) -> bool:
        """Whether a dimension measures from point to point: as it did, or with Alt."""
        (ax, ay), (bx, by) = self._one.points_m
        return self._at.alt or (ax != bx and ay != by)

    def _ends(self) -> tuple[End, End]:
        """The end of a dimension that stays, and the one that is held."""
        still = 1 - self._grip
        ties = self._one.ties or (Tie(), Tie())
        to = self._at.x / PER_M, self._at.y / PER_M
        held = end_at(self._design, self._plan, to, self._scale)
        return (self._one.points_m[still], ties[still]), (held if held[1].thing_id else (self._to, Tie()))

    def _points(self) -> list[Point]:
        if self._one.kind == DIMENSION:
            return list(
                measured(self._design, dimension_between(self._design, *self._ends(), is_direct=self._is_direct)).line
            )
        points = list(self._one.points_m)
        points[self._grip] = self._to
        return points

    def _rect(self) -> Rect:
        """From the opposite corner to where the held one is, never smaller than can be seen; before it is turned."""
        fixed = corners_m(self._one)[(self._grip + 2) % 4]
        across = turned(self._to, fixed, -self._one.turn_deg)
        reach = []
        for still, now, side in zip(fixed, across, GRIP_SIDES[self._grip], strict=True):
            reach.append(side * max((now - still) * side, LEAST_M))
        x, y = turned((fixed[0] + reach[0] / 2, fixed[1] + reach[1] / 2), fixed, self._one.turn_deg)
        width, depth = abs(reach[0]), abs(reach[1])
        return x - width / 2, y - depth / 2, x + width / 2, y + depth / 2

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The shape it will have, and how large that is."""
        if self._one.points_m:
            points = self._points()
            paint_tray(painter, sight, points)
            is_length = self._one.kind == DIMENSION
            text = format_length(math.dist(*points)) if is_length else ", ".join(map(format_length, self._to))
            note(painter, sight, self._at, text)
            return
        left, top, right, bottom = rect = self._rect()
        middle = (left + right) / 2, (top + bottom) / 2
        outlined(painter, sight, [turned(one, middle, self._one.turn_deg) for one in corners_of(rect)])
        note(painter, sight, self._at, f"{format_length(right - left)} x {format_length(bottom - top)}")


class TurnDrag:
    """A fixture that is turned by the handle over it, in steps of 15°, with Alt by any angle."""

    def __init__(self, design: Design, one: Fixture, start: Pointer) -> None:
        self._design, self._one = design, one
        self._at, self._turn_deg = start, one.turn_deg

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Turn its upper side to the mouse; never refused."""
        dx, dy = at.x / PER_M - self._one.x_m, at.y / PER_M - self._one.y_m
        degrees = math.degrees(math.atan2(dx, -dy)) if dx or dy else self._one.turn_deg
        step = TURN_FINE_DEG if at.alt else TURN_STEP_DEG
        self._at, self._turn_deg = at, round(degrees / step) * step % 360
        return None

    def end(self) -> None:
        """Nothing was moved in the picture."""

    def copied(self) -> None:
        """Nothing is copied by turning."""

    def edit(self) -> Edit:
        """The fixture turned. Raises DesignerError."""
        return turn_fixtures(self._design, [self._one.id], self._turn_deg - self._one.turn_deg)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """How it will stand, and by how much it is turned."""
        outlined(painter, sight, corners_m(replace(self._one, turn_deg=self._turn_deg)))
        note(painter, sight, self._at, f"{self._turn_deg:g}°")


def in_m(rect: Rect) -> tuple[Point, ...]:
    """The corners of a rectangle of the plan, in meters."""
    left, top, right, bottom = rect
    return corners_of((left / PER_M, top / PER_M, right / PER_M, bottom / PER_M))


def standing_at(design: Design, place: Point) -> Rect:
    """What a rack takes up whose middle is at that place, in units of the plan."""
    half = design.settings.rack_width_m / 2 * PER_M, design.settings.rack_depth_m / 2 * PER_M
    x, y = place[0] * PER_M, place[1] * PER_M
    return x - half[0], y - half[1], x + half[0], y + half[1]


def outlined(painter: QPainter, sight: Sight, corners_m: Sequence[Point], *, is_wrong: bool = False) -> None:
    """What something would take up, by its corners in meters, red where it cannot."""
    colour = QColor(sight.theme.error if is_wrong else sight.theme.accent)
    painter.setPen(QPen(colour, 2.0))
    colour.setAlpha(60)
    painter.setBrush(colour)
    painter.drawPolygon([sight.point_px(x * PER_M, y * PER_M) for x, y in corners_m])
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_tray(painter: QPainter, sight: Sight, points: Sequence[Point]) -> None:
    """The line of a tray, with its corners."""
    spots = [sight.point_px(x * PER_M, y * PER_M) for x, y in points]
    painter.setPen(QPen(QColor(sight.theme.accent), 2.0))
    painter.setBrush(QColor(sight.theme.background))
    painter.drawPolyline(spots)
    for spot in spots:
        painter.drawEllipse(spot, 3.0, 3.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def note(painter: QPainter, sight: Sight, at: Pointer, text: str) -> None:
    """Figures beside the mouse, on a plate as notes of gestures are."""
    marks.paint_note(painter, marks.CursorNote(text, at.spot, False), sight.theme, sight.font, QRectF(sight.rect))
