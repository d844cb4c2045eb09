"""Drawing on the floor plan: walls, texts and the like by a drag or a click, trays point by point, dimensions."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from designer.canvas.pointer import Pointer
from designer.canvas.room.floor_drags import note, outlined, paint_tray
from designer.canvas.room.floor_snapping import FloorLines, end_at
from designer.canvas.sight import Sight
from designer.canvas.stage import Stage
from designer.canvas.tools.tool import Tool
from designer.drawing.room.floor_plan import PER_M, FloorPlan
from designer.fields.field import Word
from designer.model.edit import Edit
from designer.model.fixture import DIMENSION, KINDS, TRAY, Tie
from designer.model.fixture_shape import Point, corners_of
from designer.model.furnishing import (
    End,
    add_dimension,
    add_fixture,
    add_tray,
    dimension_between,
    drawn_rect_m,
    measured,
)
from designer.units import format_length

PREFIX = "room."
Made = Callable[[str], None]


class FloorTool(Tool):
    """What draws on the floor plan: points in line with what is near, with Alt anywhere."""

    shows_knobs = False
    ignores_letters = True

    def __init__(self, stage: Stage, kind: Word, plan: Callable[[], FloorPlan], made: Made) -> None:
        """`made` hears the id of what was drawn."""
        super().__init__(stage)
        self.name = PREFIX + kind.name
        self._kind, self._explained, self._plan, self._made = kind.name, kind.explanation, plan, made
        self._at: Pointer | None = None

    @property
    def hint(self) -> str:
        """How one is drawn."""
        return f"{self._explained}. Esc cancels."

    @property
    def cursor(self) -> Qt.CursorShape:
        """A cross."""
        return Qt.CursorShape.CrossCursor

    def _point(self, at: Pointer, also: Sequence[Point] = ()) -> Point:
        """Where the mouse is, in meters."""
        spot = at.x / PER_M, at.y / PER_M
        if at.shift and also:  # level or upright from the point before
            x, y = also[-1]
            spot = (spot[0], y) if abs(spot[0] - x) >= abs(spot[1] - y) else (x, spot[1])
        return spot if at.alt else FloorLines(self._plan()).snapped(spot, self.stage.sight.camera.scale, also)

    def _push(self, make: Callable[[], Edit]) -> None:
        made = self.put_down(make)
        if made is not None:
            self._made(made)


class FixtureTool(FloorTool):
    """Draws a wall, door, column or cooling unit from corner to corner; a click puts one of its usual size down."""

    _start: Point | None = None

    @property
    def active(self) -> bool:
        """Whether it is being drawn."""
        return self._start is not None

    def press(self, at: Pointer) -> None:
        """Begin where the mouse is."""
        self._start, self._at = self._point(at), at

    def move(self, at: Pointer) -> None:
        """Draw it as far as the mouse."""
        self._at = at
        self.stage.update()

    def release(self, at: Pointer) -> None:
        """Put it on the floor as one edit."""
        start, self._start = self._start, None
        if start is not None:
            rect = drawn_rect_m(self._kind, start, self._point(at, [start]))
            self._push(lambda: add_fixture(self.stage.session.design, self._kind, rect))

    def cancel(self) -> None:
        """Draw nothing."""
        self._start = None
        self.stage.update()

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """What it would take up, and how large that is."""
        if self._start is None or self._at is None:
            return
        left, top, right, bottom = drawn_rect_m(self._kind, self._start, self._point(self._at, [self._start]))
        outlined(painter, sight, corners_of((left, top, right, bottom)))
        note(painter, sight, self._at, f"{format_length(right - left)} x {format_length(bottom - top)}")


class TrayTool(FloorTool):
    """Draws a tray from click to click; a double-click, a click on its last corner, or Esc ends it."""

    def __init__(self, stage: Stage, kind: Word, plan: Callable[[], FloorPlan], made: Made) -> None:
        super().__init__(stage, kind, plan, made)
        self._points: list[Point] = []

    @property
    def hint(self) -> str:
        """How one is drawn; Esc ends it as far as it was drawn."""
        return f"{self._explained}."

    @property
    def active(self) -> bool:
        """Whether it has a corner."""
        return bool(self._points)

    def press(self, at: Pointer) -> None:
        """Begin where the mouse is."""
        self._points, self._at = [self._point(at)], at

    def hover(self, at: Pointer) -> None:
        """Show where the next corner would be."""
        if self._points:
            self.move(at)

    def move(self, at: Pointer) -> None:
        """Lead it as far as the mouse."""
        self._at = at
        self.stage.update()

    def release(self, at: Pointer) -> None:
        """Add a corner; at the last corner it ends."""
        if not self._points:
            return
        point = self._point(at, self._points)
        if point != self._points[-1]:
            self._points.append(point)
        elif len(self._points) > 1:
            self.escape()
        self.stage.update()

    def escape(self) -> None:
        """End it as far as it was drawn; with one corner alone nothing is drawn."""
        points, self._points = self._points, []
        if len(points) > 1:
            self._push(lambda: add_tray(self.stage.session.design, points))
        self.stage.update()

    def cancel(self) -> None:
        """Draw nothing."""
        self._points = []
        self.stage.update()

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Its corners, the piece that the next click adds, and where that ends."""
        if not self._points or self._at is None:
            return
        to = self._point(self._at, self._points)
        paint_tray(painter, sight, [*self._points, to])
        note(painter, sight, self._at, ", ".join(map(format_length, to)))


class DimensionTool(FloorTool):
    """Measures from one end to the other: along or across the rows, with Alt from point to point."""

    _start: End | None = None

    @property
    def active(self) -> bool:
        """Whether it is being drawn."""
        return self._start is not None

    def _end(self, at: Pointer) -> End:
        found = end_at(self.stage.session.design, self._plan(), (at.x / PER_M, at.y / PER_M), self._scale)
        also = () if self._start is None else (self._start[0],)
        return found if found[1].thing_id else (self._point(at, also), Tie())

    @property
    def _scale(self) -> float:
        return self.stage.sight.camera.scale

    def hover(self, at: Pointer) -> None:
        """Show what it would begin at."""
        self._at = at
        self.stage.update()

    def press(self, at: Pointer) -> None:
        """Begin where the mouse is, at the edge of what is there."""
        self._start, self._at = self._end(at), at

    def move(self, at: Pointer) -> None:
        """Measure as far as the mouse."""
        self._at = at
        self.stage.update()

    def release(self, at: Pointer) -> None:
        """Put it on the plan as one edit; a click measures nothing."""
        end = self._end(at)
        start, self._start = self._start, None
        if start is not None and start[0] != end[0]:
            self._push(lambda: add_dimension(self.stage.session.design, start, end, is_direct=at.alt))
        self.stage.update()

    def cancel(self) -> None:
        """Draw nothing."""
        self._start = None
        self.stage.update()

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The line as it would be drawn, and how long it is; before it begins, the edge that it would begin at."""
        if self._at is None:
            return
        end = self._end(self._at)
        if self._start is None:
            if end[1].thing_id:
                paint_tray(painter, sight, [end[0]])
            return
        design = self.stage.session.design
        found = measured(design, dimension_between(design, self._start, end, is_direct=self._at.alt))
        paint_tray(painter, sight, found.line)
        note(painter, sight, self._at, format_length(round(found.length_m, 3)))


_TOOLS = {TRAY: TrayTool, DIMENSION: DimensionTool}


def tools(stage: Stage, plan: Callable[[], FloorPlan], made: Made) -> tuple[FloorTool, ...]:
    """A tool for every kind of fixture."""
    return tuple(_TOOLS.get(one.name, FixtureTool)(stage, one, plan, made) for one in KINDS)
