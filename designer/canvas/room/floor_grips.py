"""Where fixtures are taken on the floor plan: their areas, the lines of trays, and the grips of the one selected."""

import itertools
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.pointer import Pointer
from designer.canvas.resizing import HANDLE_PX, REACH_PX
from designer.canvas.sight import Sight
from designer.drawing.parts.fixtures import ORDER
from designer.drawing.room.floor_plan import PER_M
from designer.model.fixture import TRAY, ZONE, Fixture
from designer.model.fixture_shape import Point, corners_m, own_rect_m, turned

LEAST_REACH_PX = 5.0
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
