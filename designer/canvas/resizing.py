"""Taking annotations by a corner, or one by an end of its line: they follow the mouse, one edit when let go."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.guides import into_line, paint_guides
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.snapping import NO_SNAP, Snap
from designer.drawing.composition import Composition
from designer.drawing.geometry import Rect
from designer.drawing.notes import Drawn
from designer.model.annotating import resize, stretch
from designer.model.annotation import IMAGE, WRITTEN
from designer.model.design import Design
from designer.model.edit import Edit
from designer.session.drafting import Drafting

REACH_PX = 7.0
HANDLE_PX = 7.0
LEAST = 8.0
"""Canvas units: no box is made smaller."""
LEAST_OF_LETTERS = 2.0
"""Nor one with words, than so many times the height of its letters."""

Point = tuple[float, float]
SnapOf = Callable[[Pointer, Sight], Snap]


def gripped(composition: Composition, selection: Collection[str]) -> tuple[Drawn, ...]:
    """The annotations that have grips: those selected, where nothing else is; locked ones keep their size."""
    design = composition.design
    if not selection or not all(one in design.annotations for one in selection):
        return ()
    notes = (one for one in composition.notes.seen if one.note.id in selection)
    return tuple(one for one in notes if not design.placements[one.note.id].locked)


def frame_of(notes: Sequence[Drawn]) -> Rect:
    """Left, top, right, bottom of all of them."""
    rects = [one.rect for one in notes]
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def grips(notes: Sequence[Drawn]) -> tuple[Point, ...]:
    """Where annotations are taken to resize them: the ends of a line, or the corners around all of them."""
    if len(notes) == 1 and notes[0].is_straight:
        return notes[0].start, notes[0].end
    left, top, right, bottom = frame_of(notes)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def grip_at(notes: Sequence[Drawn], at: Pointer, scale: float) -> int | None:
    """The number of the grip under the mouse."""
    reach = REACH_PX / scale
    spots = enumerate(grips(notes)) if notes else ()
    return next((n for n, (x, y) in spots if abs(at.x - x) <= reach and abs(at.y - y) <= reach), None)


def paint_grips(painter: QPainter, notes: Sequence[Drawn], sight: Sight) -> None:
    """Squares at the grips, and a frame around several annotations."""
    if not notes:
        return
    accent = QColor(sight.theme.accent)
    if len(notes) > 1:
        painter.setPen(QPen(accent, 1.0, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(sight.px(frame_of(notes)))
    painter.setPen(QPen(accent, 1.5))
    painter.setBrush(QColor(sight.theme.background))
    for x, y in grips(notes):
        spot = sight.point_px(x, y)
        painter.drawRect(
            QRectF(spot - QPointF(HANDLE_PX / 2, HANDLE_PX / 2), spot + QPointF(HANDLE_PX / 2, HANDLE_PX / 2))
        )
    painter.setBrush(Qt.BrushStyle.NoBrush)


def in_line_without(composition: Composition, notes: Sequence[Drawn], drafting: Drafting) -> SnapOf:
    """How far the mouse is from what is in line on the canvas, apart from these; with Control and Alt at nothing."""
    ids = tuple(one.note.id for one in notes)

    def snap(at: Pointer, sight: Sight) -> Snap:
        if at.alt and at.control:
            return NO_SNAP
        return into_line(composition, ids, np.array((at.x, at.y, 0.0, 0.0)), sight, drafting)

    return snap


class ResizeDrag:
    """One grip that follows the mouse into line with what is around. Shift, and an image always, keeps the shape.

    `snap` says how far the mouse is from what it comes into line with.
    """

    def __init__(self, design: Design, notes: Sequence[Drawn], grip: int, snap: SnapOf) -> None:
        self._design, self._notes, self._grip = design, tuple(notes), grip
        self._snapping = snap
        self._ids = tuple(one.note.id for one in notes)
        self._line = notes[0] if len(notes) == 1 and notes[0].is_straight else None
        self._keeps_shape = any(one.note.kind == IMAGE for one in notes)
        letters = [one.note.size for one in notes if one.note.kind in WRITTEN] if len(notes) == 1 else []
        self._least = max((LEAST, *(LEAST_OF_LETTERS * size for size in letters)))
        self._frame = frame_of(notes)
        left, top, right, bottom = self._frame
        self._to: tuple[Point, Point] = (
            (self._line.start, self._line.end) if self._line else ((left, top), (right, bottom))
        )
        self._snap = NO_SNAP

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Take the grip along; never refused."""
        self._snap = self._snapping(at, sight)
        x, y = at.x + self._snap.dx, at.y + self._snap.dy
        if self._line is not None:
            self._to = ((x, y), self._line.end) if self._grip == 0 else (self._line.start, (x, y))
        else:
            self._to = self._stretched(x, y, at.shift or self._keeps_shape)
        return None

    def _stretched(self, x: float, y: float, keeps_shape: bool) -> tuple[Point, Point]:
        """The frame with the corner that is held at a point, and the one across from it where it is."""
        corners = grips(self._notes)
        fixed_x, fixed_y = corners[(self._grip + 2) % 4]
        held_x, held_y = corners[self._grip]
        width, height = abs(x - fixed_x), abs(y - fixed_y)
        own_width, own_height = abs(held_x - fixed_x), abs(held_y - fixed_y)
        if keeps_shape and own_width and own_height:
            share = max(width / own_width, height / own_height)
            width, height = share * own_width, share * own_height
        width, height = max(self._least, width), max(self._least, height)
        x = fixed_x + width * (1 if held_x >= fixed_x else -1)
        y = fixed_y + height * (1 if held_y >= fixed_y else -1)
        return (min(x, fixed_x), min(y, fixed_y)), (max(x, fixed_x), max(y, fixed_y))

    def end(self) -> None:
        """Nothing was moved in the picture."""

    def copied(self) -> tuple[tuple[str, ...], Callable[[Design], Edit]] | None:
        """None: it makes no copies."""
        return None

    def edit(self) -> Edit:
        """The annotations at their new sizes. Raises DesignerError."""
        if len(self._ids) == 1:
            return resize(self._design, self._ids[0], *self._to)
        return stretch(self._design, self._ids, self._frame, (*self._to[0], *self._to[1]))

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The outline that they will have, and the guides to what that is in line with."""
        paint_guides(painter, self._snap, sight)
        painter.setPen(QPen(QColor(sight.theme.accent), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        start, end = (sight.point_px(*point) for point in self._to)
        if self._line is not None:
            painter.drawLine(start, end)
        else:
            painter.drawRect(QRectF(start, end))
