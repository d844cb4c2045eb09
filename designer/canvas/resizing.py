"""Taking an annotation by a corner, or by an end of its line: it follows the mouse, and is one edit when let go."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.drawing.composition import Composition
from designer.drawing.notes import Drawn
from designer.model.annotating import resize
from designer.model.annotation import IMAGE
from designer.model.design import Design
from designer.model.edit import Edit

REACH_PX = 7.0
HANDLE_PX = 7.0
LEAST = 8.0
"""Canvas units: no box is made smaller."""

Point = tuple[float, float]


def grips(one: Drawn) -> tuple[Point, ...]:
    """Where an annotation is taken to resize it: its ends, or its corners."""
    if one.is_straight:
        return one.start, one.end
    left, top, right, bottom = one.rect
    return (left, top), (right, top), (right, bottom), (left, bottom)


def grip_at(one: Drawn, at: Pointer, scale: float) -> int | None:
    """The number of the grip under the mouse."""
    reach = REACH_PX / scale
    near = (n for n, (x, y) in enumerate(grips(one)) if abs(at.x - x) <= reach and abs(at.y - y) <= reach)
    return next(near, None)


def paint_grips(painter: QPainter, one: Drawn, sight: Sight) -> None:
    """Squares at the grips."""
    painter.setPen(QPen(QColor(sight.theme.accent), 1.5))
    painter.setBrush(QColor(sight.theme.background))
    for x, y in grips(one):
        spot = sight.point_px(x, y)
        painter.drawRect(
            QRectF(spot - QPointF(HANDLE_PX / 2, HANDLE_PX / 2), spot + QPointF(HANDLE_PX / 2, HANDLE_PX / 2))
        )
    painter.setBrush(Qt.BrushStyle.NoBrush)


class ResizeDrag:
    """One grip that follows the mouse. Shift, and an image always, keeps the shape of a box."""

    def __init__(self, composition: Composition, one: Drawn, grip: int) -> None:
        self._composition, self._one, self._grip = composition, one, grip
        self._to: tuple[Point, Point] = one.start, one.end

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Take the grip along; never refused."""
        del sight
        if self._one.is_straight:
            self._to = ((at.x, at.y), self._one.end) if self._grip == 0 else (self._one.start, (at.x, at.y))
            return None
        corners = grips(self._one)
        fixed_x, fixed_y = corners[(self._grip + 2) % 4]
        held_x, held_y = corners[self._grip]
        width, height = abs(at.x - fixed_x), abs(at.y - fixed_y)
        if (at.shift or self._one.note.kind == IMAGE) and self._one.note.dx and self._one.note.dy:
            share = max(width / abs(self._one.note.dx), height / abs(self._one.note.dy))
            width, height = share * abs(self._one.note.dx), share * abs(self._one.note.dy)
        width, height = max(LEAST, width), max(LEAST, height)
        x = fixed_x + width * (1 if held_x >= fixed_x else -1)
        y = fixed_y + height * (1 if held_y >= fixed_y else -1)
        self._to = (min(x, fixed_x), min(y, fixed_y)), (max(x, fixed_x), max(y, fixed_y))
        return None

    def end(self) -> None:
        """Nothing was moved in the picture."""

    def copied(self) -> tuple[tuple[str, ...], Callable[[Design], Edit]] | None:
        """None: it makes no copies."""
        return None

    def edit(self) -> Edit:
        """The annotation at its new size. Raises DesignerError."""
        return resize(self._composition.design, self._one.note.id, *self._to)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The outline it will have."""
        painter.setPen(QPen(QColor(sight.theme.accent), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        start, end = (sight.point_px(*point) for point in self._to)
        if self._one.is_straight:
            painter.drawLine(start, end)
        else:
            painter.drawRect(QRectF(start, end))
