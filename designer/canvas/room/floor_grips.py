"""Where fixtures and annotations are taken on the floor plan: their areas, the lines of trays, and grips."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas import resizing
from designer.canvas.pointer import Pointer
from designer.canvas.pointing import OUTLINE_PX, TipDrag, is_tip, led, paint_tip
from designer.canvas.resizing import HANDLE_PX, REACH_PX, ResizeDrag
from designer.canvas.room.floor_snapping import FloorLines
from designer.canvas.sight import Sight
from designer.canvas.snapping import NO_SNAP, Snap
from designer.drawing.display_list import Key
from designer.drawing.geometry import Rect
from designer.drawing.notes import Drawn
from designer.drawing.parts.fixtures import ORDER
from designer.drawing.room.floor_plan import PER_M, FloorPlan, explained, fixture_rect
from designer.late import Late
from designer.model.design import Design
from designer.model.fixture import DIMENSION, TEXT, TRAY, ZONE, Fixture
from designer.model.fixture_shape import Point, corners_m, own_rect_m, turned
from designer.model.furnishing import TITLES, title_of
from designer.placement.metrics import usual_scale
from designer.session.session import Session
from designer.units import format_length

free_places = Late("designer.canvas.free_places")

LEAST_REACH_PX = 5.0
ZONE_TITLE_PX, LEAST_WORDS_PX = 26.0, 80.0
"""How high the title of a zone is, and how wide the words of a dimension at least, where they are written anew."""
TITLE_REACHES = 4.0
"""How far a zone is taken below its upper edge, where its title is, in terms of how far at its other edges."""
HANDLE_AWAY_PX = 24.0
"""From a fixture to the handle that turns it."""


def fixture_at(fixtures: Sequence[Fixture], at: Point, scale: float) -> Fixture | None:
    """The fixture that a point in meters is on, the one drawn last of several; `scale` is pixels per unit."""
    reach = LEAST_REACH_PX / scale / PER_M
    front_first = sorted(fixtures, key=lambda one: -ORDER.get(one.kind, 0))
    return next((one for one in front_first if _is_on(one, at, reach)), None)


def _is_on(one: Fixture, at: Point, reach: float) -> bool:
    if one.points_m:
        reach = max(reach, one.width_m / 2) if one.kind == TRAY else reach
        return any(_apart(a, b, at) <= reach for a, b in itertools.pairwise(one.points_m))
    left, top, right, bottom = own_rect_m(one)
    at = turned(at, (one.x_m, one.y_m), -one.turn_deg)
    if (
        one.kind == ZONE
        and left + reach < at[0] < right - reach
        and top + TITLE_REACHES * reach < at[1] < bottom - reach
    ):
        return False  # within it lies what it is about
    return left - reach / 2 <= at[0] <= right + reach / 2 and top - reach / 2 <= at[1] <= bottom + reach / 2


def _apart(a: Point, b: Point, at: Point) -> float:
    """From a point to a line from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    share = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / (dx * dx + dy * dy or 1.0)
    share = min(max(share, 0.0), 1.0)
    return float(((a[0] + share * dx - at[0]) ** 2 + (a[1] + share * dy - at[1]) ** 2) ** 0.5)


def grips(one: Fixture) -> Sequence[Point]:
    """Where a fixture is taken to change its shape, in meters: its corners."""
    return one.points_m or corners_m(one)


def turn_handle(one: Fixture, scale: float) -> Point | None:
    """Where a fixture is taken to turn it, in meters: over the middle of its upper side; None of a tray."""
    if one.points_m:
        return None
    above = one.x_m, one.y_m - one.depth_m / 2 - HANDLE_AWAY_PX / scale / PER_M
    return turned(above, (one.x_m, one.y_m), one.turn_deg)


def is_on_turn_handle(one: Fixture, at: Pointer, scale: float) -> bool:
    """Whether the mouse is on the handle that turns it."""
    handle = turn_handle(one, scale)
    return handle is not None and _is_near(at, handle, scale)


def grip_at(one: Fixture, at: Pointer, scale: float) -> int | None:
    """The number of the grip under the mouse."""
    return next((n for n, spot in enumerate(grips(one)) if _is_near(at, spot, scale)), None)


def _is_near(at: Pointer, spot: Point, scale: float) -> bool:
    return max(abs(at.x - spot[0] * PER_M), abs(at.y - spot[1] * PER_M)) <= REACH_PX / scale


def paint_grips(painter: QPainter, one: Fixture, sight: Sight) -> None:
    """Squares at the grips, and a circle on a stalk where it is turned."""
    painter.setPen(QPen(QColor(sight.theme.accent), 1.5))
    painter.setBrush(QColor(sight.theme.background))
    half = QPointF(HANDLE_PX / 2, HANDLE_PX / 2)
    for x, y in grips(one):
        spot = sight.point_px(x * PER_M, y * PER_M)
        painter.drawRect(QRectF(spot - half, spot + half))
    handle = turn_handle(one, sight.camera.scale)
    if handle is not None:
        side = turned((one.x_m, one.y_m - one.depth_m / 2), (one.x_m, one.y_m), one.turn_deg)
        knob, root = (sight.point_px(x * PER_M, y * PER_M) for x, y in (handle, side))
        painter.drawLine(root, knob)
        painter.drawEllipse(knob, HANDLE_PX / 2 + 1, HANDLE_PX / 2 + 1)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def words_rect(fixture: Fixture, sight: Sight) -> QRectF | None:
    """Where words of a text, zone or dimension are written; None for what has its name elsewhere."""
    if fixture.kind not in (TEXT, ZONE, DIMENSION):
        return None
    place = QRectF(*sight.seen_px(fixture_rect(fixture)))
    if fixture.kind == ZONE:
        return QRectF(place.left(), place.top(), place.width(), min(place.height(), ZONE_TITLE_PX))
    if fixture.kind == TEXT:
        return place
    around = QRectF(0, 0, LEAST_WORDS_PX, ZONE_TITLE_PX)
    around.moveCenter(place.center())
    return around


def measured_text(fixture: Fixture) -> str:
    """A fixture with its size; a tray or dimension with its length."""
    if fixture.points_m:
        length_m = sum(itertools.starmap(math.dist, itertools.pairwise(fixture.points_m)))
        kind = TITLES[fixture.kind]
        name = title_of(fixture)
        what = f"{name}: {kind.lower()}" if name != kind else kind
        return f"{what}, {format_length(round(length_m, 3))}"
    size = f"{format_length(fixture.width_m)} x {format_length(fixture.depth_m)}"
    turn = f", turned by {fixture.turn_deg:g}°" if fixture.turn_deg else ""
    return f"{title_of(fixture)}: {TITLES[fixture.kind].lower()}, {size}{turn}"


class FloorNotes:
    """The annotations of a floor plan under the hand: what is taken, what new ones come in line with and belong to."""

    def __init__(self, session: Session, plan: Callable[[], FloorPlan], changed: Callable[[], None]) -> None:
        """`changed` hears that a leader is drawn elsewhere."""
        self._session, self._plan, self._changed = session, plan, changed
        self._led: tuple[str, Rect | None] | None = None
        self.keys: tuple[Key, ...] = ()
        """What legends among them explain, as they were painted last."""

    @property
    def design(self) -> Design:
        """The design that is drawn."""
        return self._session.design

    @property
    def plan(self) -> FloorPlan:
        """The plan with its annotations as they are drawn: legends as high as they are, a leader that is held."""
        plan = explained(self._plan(), self.keys)
        if self._led is None:
            return plan
        held, to = self._led
        return replace(plan, notes=tuple(replace(one, pin=to) if one.note.id == held else one for one in plan.notes))

    def find(self, note_id: str | None) -> Drawn | None:
        """An annotation as it is drawn."""
        return next((one for one in self.plan.notes if one.note.id == note_id), None)

    @property
    def held(self) -> tuple[Drawn, ...]:
        """Those that have grips: the ones selected, where nothing else is."""
        selection = self._session.selection
        if not selection or not selection <= self.design.annotations.keys():
            return ()
        return tuple(one for one in self.plan.notes if one.note.id in selection)

    def gripped_at(self, at: Pointer, scale: float) -> tuple[str, bool] | None:
        """The annotation whose grip or tip is under the mouse, and whether it is the tip."""
        held = self.held
        if is_tip(led(held), at, scale):
            return held[0].note.id, True
        return (held[0].note.id, False) if resizing.grip_at(held, at, scale) is not None else None

    def at(self, at: Pointer, scale: float, *, behind: bool) -> str | None:
        """The annotation under the mouse, the one drawn last, of those behind the racks or of those over them."""
        reach = LEAST_REACH_PX / scale
        shown = (one for one in reversed(self.plan.notes) if one.is_behind == behind)
        return next((one.note.id for one in shown if one.is_at(at.x, at.y, reach)), None)

    def drag(self, start: Pointer, scale: float) -> TipDrag | ResizeDrag | None:
        """The drag of a tip or grip that begins there."""
        held = self.held
        one = led(held)
        if one is not None and is_tip(one, start, scale):
            return TipDrag(self, one)
        grip = resizing.grip_at(held, start, scale)
        return None if grip is None else ResizeDrag(self.design, held, grip, self.point_snap)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Grips of those that have some, and the tip of a leader."""
        held = self.held
        resizing.paint_grips(painter, held, sight)
        paint_tip(painter, led(held), sight)

    # -- what new ones are put down on ------------------------------------------------------------------------------

    @property
    def note_scale(self) -> float:
        """How much larger new annotations are in this plan than in one that is seen at full size."""
        return usual_scale(self._plan().bounds)

    @property
    def drawn_bounds(self) -> Rect | None:
        """Left, top, right and bottom of the plan; None where it is empty."""
        return self._plan().bounds

    def point_snap(self, at: Pointer, sight: Sight) -> Snap:
        """How far the mouse is from rows, aisles, fixtures and the grid, as with fixtures; with Alt it is anywhere."""
        if at.alt:
            return NO_SNAP
        x_m, y_m = FloorLines(self._plan()).snapped((at.x / PER_M, at.y / PER_M), sight.camera.scale)
        return Snap(x_m * PER_M - at.x, y_m * PER_M - at.y)

    def shift_for_note(self, rect: Rect, sight: Sight) -> Point:
        """How far an annotation goes to where it covers no rack, fixture or other annotation."""
        plan = self._plan()
        rects = [rack.rect for rack in plan.racks] + [one.rect for one in plan.notes]
        rects += [fixture_rect(one) for one in plan.fixtures if one.kind != ZONE]
        shift: Point = free_places.free_shift(np.array(rects, np.float64).reshape(-1, 4), rect)
        return shift

    # -- what they lead to ------------------------------------------------------------------------------------------

    def pinnable(self, at: Pointer, sight: Sight) -> str:
        """The rack that an annotation there is pinned to; "" for none, or with Alt."""
        racks = () if at.alt else self._plan().racks
        on = (one.id for one in racks if one.rect[0] <= at.x <= one.rect[2] and one.rect[1] <= at.y <= one.rect[3])
        return next(on, "")

    def place_of(self, thing: str) -> Rect | None:
        """Where a rack is drawn."""
        return next((one.rect for one in self._plan().racks if one.id == thing), None)

    def lead(self, note_id: str = "", to: Rect | None = None) -> None:
        """Draw the leader of an annotation to there, or without one, until it is called again."""
        self._led = (note_id, to) if note_id else None
        self._changed()

    def paint_target(self, painter: QPainter, thing: str, sight: Sight) -> None:
        """An outline around the rack that a leader would be pinned to."""
        rect = self.place_of(thing)
        if rect is not None:
            painter.setPen(QPen(QColor(sight.theme.accent), OUTLINE_PX))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(sight.px(rect).adjusted(-3, -3, 3, 3))
