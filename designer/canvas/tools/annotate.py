"""Putting an annotation on the canvas or the floor plan: press, drag to its other corner or end, let go, and type."""

import datetime
import math
from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.guides import paint_guides
from designer.canvas.pointer import Pointer, pointer_at
from designer.canvas.sight import Sight
from designer.canvas.snapping import NO_SNAP, Snap
from designer.canvas.stage import Stage
from designer.canvas.tools.tool import Tool
from designer.drawing.geometry import Rect, around
from designer.drawing.notes import title_rows
from designer.drawing.parts.words import height_for_rows
from designer.model.annotating import annotate, annotate_image
from designer.model.annotation import (
    CALLOUT,
    COMMENT,
    IMAGE,
    KINDS,
    LEGEND,
    LINE_WIDTH,
    NOTE,
    PINNABLE,
    SIZE,
    STRAIGHT,
    TEXT,
    TITLE_BLOCK,
    USUAL_LINE_WIDTH,
    USUAL_SIZE,
    ZONE,
    Annotation,
    Kind,
)
from designer.model.edit import Edit
from designer.model.fixture import MARKINGS

Point = tuple[float, float]

PREFIX = "annotate."
SIZES: dict[str, tuple[float, float]] = {
    TEXT: (170.0, 24.0),
    NOTE: (150.0, 84.0),
    CALLOUT: (150.0, 44.0),
    COMMENT: (180.0, 84.0),
    ZONE: (260.0, 180.0),
    LEGEND: (170.0, 60.0),
    TITLE_BLOCK: (260.0, 110.0),
    IMAGE: (160.0, 160.0),
}
"""Of what is put down with a click, and of what is pinned to a thing, in a drawing that is seen at full size.

A picture keeps its shape within; what is lower than its contents grows.
"""
STRAIGHT_SIZE = (120.0, 0.0)
READ_PX = 11.0
"""The least height of its letters on the screen, at the zoom at which it is made."""
LEAST_SIDE = 24.0
"""What is drawn shorter than a line of its letters, or than so many pixels, has its usual size."""
ROOM = 20.0
"""From what a zone is put around to its sides; above it twice as much."""
LITTLE_SMALLER = 0.9
"""A title block stands below a drawing, unless all of it is then seen smaller than so much of what it could be."""
ASIDE = (110.0, -70.0)
"""From a device or link to a note that a click pins to it."""


class Ground(Protocol):
    """What an annotation is put down on."""

    @property
    def note_scale(self) -> float:
        """How much larger annotations are than in a drawing that is seen at full size."""

    @property
    def drawn_bounds(self) -> Rect | None:
        """Left, top, right and bottom of the drawing; None where there is none."""

    def point_snap(self, at: Pointer, sight: Sight) -> Snap:
        """How far the mouse is from what is in line."""

    def pinnable(self, at: Pointer, sight: Sight) -> str:
        """What an annotation there is pinned to; "" for nothing."""

    def shift_for_note(self, rect: Rect, sight: Sight) -> Point:
        """How far an annotation goes to where it covers nothing in view."""


class AnnotateTool(Tool):
    """Draws one kind of annotation. From a device or link, on the floor a rack, what can be pinned is pinned to that.

    Where it begins and how far it goes comes into line as drags do.
    """

    shows_knobs = False
    ignores_letters = True

    def __init__(
        self, stage: Stage, kind: Kind, ground: Ground, made: Callable[[str], None], *, on_floor: bool = False
    ) -> None:
        """`made` hears the id of what was put down, on the canvas or `on_floor`."""
        super().__init__(stage)
        self.name = PREFIX + kind.name
        self._kind, self._gesture, self._on_floor = kind.name, kind.gesture, on_floor
        if on_floor:
            self._gesture = kind.gesture_on_floor or kind.gesture
        self._ground, self._made = ground, made
        self._start: Pointer | None = None
        self._at: Pointer | None = None
        self._shifts = (NO_SNAP, NO_SNAP)
        """From the mouse into line, where it began and where it is."""
        self._pinned_to = ""

    @property
    def active(self) -> bool:
        """Whether it is being drawn."""
        return self._start is not None

    @property
    def hint(self) -> str:
        """How one is drawn."""
        return f"{self._gesture}. Enter puts it down. Esc cancels."

    @property
    def cursor(self) -> Qt.CursorShape:
        """A cross, of a text the bar that writes; a hand over what an annotation would be pinned to."""
        hovered = self.stage.hovered
        is_thing = hovered.container_id is not None if self._on_floor else hovered.device_id or hovered.link_ids
        if self._kind in PINNABLE and not self.active and is_thing:
            return Qt.CursorShape.PointingHandCursor
        return Qt.CursorShape.IBeamCursor if self._kind == TEXT else Qt.CursorShape.CrossCursor

    def press(self, at: Pointer) -> None:
        """Begin where the mouse is, and pin to the device or link there."""
        self._pinned_to = self._ground.pinnable(at, self.stage.sight) if self._kind in PINNABLE else ""
        self._start = self._at = at
        self._shifts = (self._shift(at),) * 2

    def move(self, at: Pointer) -> None:
        """Draw it as far as the mouse."""
        if self._start is not None:
            self._at = at
            self._shifts = self._shifts[0], self._shift(at)
            self.stage.update()

    def _shift(self, at: Pointer) -> Snap:
        """Into line; what has a leader hangs where that leads."""
        return NO_SNAP if self._leads else self._ground.point_snap(at, self.stage.sight)

    def release(self, at: Pointer) -> None:
        """Put it on the canvas as one edit."""
        self.move(at)
        start, self._start = self._start, None
        if start is None:
            return
        tip = (start.x, start.y) if self._leads and not self._pinned_to else None
        self._put(*self._corners(start, at), tip)

    def enter(self, at: Pointer | None) -> bool:
        """Put it down of its usual size, as with a click at the mouse, or in free ground of the view.

        A title block goes below the right end of the drawing, wherever the mouse is, or to the right of a high one.
        """
        if self.active:
            return False
        if at is not None and self._kind != TITLE_BLOCK:
            self.press(at)
            self.release(at)
            return True
        sight = self.stage.sight
        self._pinned_to, self._shifts = "", (NO_SNAP, NO_SNAP)
        if self._kind == TITLE_BLOCK and (drawn := self._ground.drawn_bounds) is not None:
            left, top, right, bottom = self._beside(drawn, sight)
            self._put((left, top), (right, bottom))
            return True
        at = pointer_at(sight.camera, QPointF(sight.width / 2, sight.height / 2))
        (x1, y1), (x2, y2) = self._corners(at, at)
        dx, dy = self._ground.shift_for_note((min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), sight)
        tip = (at.x + dx, at.y + dy) if self._leads else None
        self._put((x1 + dx, y1 + dy), (x2 + dx, y2 + dy), tip)
        return True

    def _beside(self, drawn: Rect, sight: Sight) -> Rect:
        """Where a title block stands: below the drawing, or at its right where all of it is then seen much larger."""
        (width, height), room = (side * self._scale for side in SIZES[TITLE_BLOCK]), ROOM * self._scale
        _, _, right, bottom = drawn
        below = right - width, bottom + room, right, bottom + room + height
        at_right = right + room, bottom - height, right + room + width, bottom
        scales = [_scale_of_all(around((drawn, one)) or drawn, sight) for one in (below, at_right)]
        return at_right if LITTLE_SMALLER * scales[1] > scales[0] else below

    def enclose(self, rect: Rect) -> None:
        """Put it around a part of the canvas, with room for its words above."""
        self._pinned_to = ""
        left, top, right, bottom = rect
        room = ROOM * self._scale
        self._put((left - room, top - 2 * room), (right + room, bottom + room))

    def _put(self, first: Point, last: Point, tip: Point | None = None) -> None:
        made = self.put_down(lambda: self._edit(first, last, tip))
        if made is not None:
            self._made(made)

    def _edit(self, first: Point, last: Point, tip: Point | None) -> Edit:
        """A new annotation from one corner to the other. Raises DesignerError."""
        values: dict[str, Any] = {
            "pinned_to": self._pinned_to,
            "size": min(SIZE.most, round(USUAL_SIZE * self._scale)),
            "line_width": min(LINE_WIDTH.most, round(USUAL_LINE_WIDTH * self._scale, 1)),
        }
        design = self.stage.session.design
        if self._kind == TITLE_BLOCK:
            block = Annotation("", TITLE_BLOCK, last[0] - first[0], last[1] - first[1], size=values["size"])
            height = max(abs(block.dy), height_for_rows(title_rows(design), block))
            top = min(first[1], last[1])
            first, last = (first[0], top), (last[0], top + height)
        if self._kind == COMMENT:
            values |= {"author": design.settings.author, "date": datetime.date.today().isoformat()}
        return annotate(design, self._kind, first, last, tip=tip, on_floor=self._on_floor, **values)

    def cancel(self) -> None:
        """Draw nothing."""
        self._start = None
        self.stage.update()

    @property
    def _scale(self) -> float:
        """How much larger it is than in a drawing that is seen at full size: so large that it can be read now."""
        return max(self._ground.note_scale, READ_PX / (USUAL_SIZE * self.stage.sight.camera.scale))

    @property
    def _leads(self) -> bool:
        """Whether a leader goes from where it began: from a thing, of a callout from anywhere."""
        return bool(self._pinned_to) or self._kind == CALLOUT

    def _corners(self, start: Pointer, end: Pointer) -> tuple[Point, Point]:
        """From where to where it goes; of its usual size after a click, or around the end of a leader.

        A side that was hardly drawn has its usual length too.
        """
        far, scale = self._scale, self.stage.sight.camera.scale
        width, height = (far * side for side in SIZES.get(self._kind, STRAIGHT_SIZE))
        first, (x, y) = (_in_line(at, shift) for at, shift in zip((start, end), self._shifts, strict=True))
        if self._leads:
            x, y = (x, y) if end.far_from(start) else (x + far * ASIDE[0], y + far * ASIDE[1])
            return (x - width / 2, y - height / 2), (x + width / 2, y + height / 2)
        across, down = x - first[0], y - first[1]
        least = LEAST_SIDE / scale if self._kind == ZONE else LEAST_SIDE * max(far, 1.0 / scale)
        if self._kind in STRAIGHT:
            last = _along_axis(first, (x, y)) if end.shift else (x, y)
            return first, last if math.hypot(across, down) >= least / 2 else (first[0] + width, first[1] + height)
        if abs(across) < least:
            across = math.copysign(width, across)
        if abs(down) < least:
            down = math.copysign(height, down)
        return first, (first[0] + across, first[1] + down)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Its outline, or its line."""
        if self._start is None or self._at is None:
            return
        for shift in self._shifts:
            paint_guides(painter, shift, sight)
        painter.setPen(QPen(QColor(sight.theme.accent), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._leads:
            corners = _in_line(self._start, self._shifts[0]), _in_line(self._at, self._shifts[1])
        elif self._at.far_from(self._start):
            corners = self._corners(self._start, self._at)
        else:
            return
        first, last = (sight.point_px(*corner) for corner in corners)
        if self._kind in STRAIGHT or self._leads:
            painter.drawLine(first, last)
        else:
            painter.drawRect(QRectF(first, last).normalized())


class ImageTool(AnnotateTool):
    """Puts down the picture that was chosen, in its own shape, as large as what is drawn has room for."""

    def _corners(self, start: Pointer, end: Pointer) -> tuple[Point, Point]:
        (x, y), (right, low) = super()._corners(start, end)
        picture = self.stage.session.placing.picture
        if picture is None:
            return (x, y), (right, low)
        unit = min(abs(right - x) / picture.width, abs(low - y) / picture.height)
        across, down = math.copysign(unit * picture.width, right - x), math.copysign(unit * picture.height, low - y)
        return (x, y), (x + across, y + down)

    def _edit(self, first: Point, last: Point, tip: Point | None) -> Edit:
        picture = self.stage.session.placing.picture
        if picture is None:
            return super()._edit(first, last, tip)
        middle = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
        width, design = abs(last[0] - first[0]), self.stage.session.design
        return annotate_image(design, picture, *middle, width, on_floor=self._on_floor)


def _in_line(at: Pointer, shift: Snap) -> Point:
    return at.x + shift.dx, at.y + shift.dy


def _along_axis(start: Point, end: Point) -> Point:
    """The end of a line along the nearer axis."""
    return (end[0], start[1]) if abs(end[0] - start[0]) >= abs(end[1] - start[1]) else (start[0], end[1])


def _scale_of_all(rect: Rect, sight: Sight) -> float:
    """How large all of a rectangle can be seen."""
    return min(sight.width / max(1.0, rect[2] - rect[0]), sight.height / max(1.0, rect[3] - rect[1]))


def tools(stage: Stage, ground: Ground, made: Callable[[str], None]) -> tuple[AnnotateTool, ...]:
    """A tool for every kind that is drawn on the canvas."""
    return tuple(_CLASSES.get(word.name, AnnotateTool)(stage, word, ground, made) for word in KINDS)


def floor_tools(stage: Stage, ground: Ground, made: Callable[[str], None]) -> tuple[AnnotateTool, ...]:
    """A tool for every kind that is drawn on the floor plan, where some are fixtures."""
    fixtures = {word.name for word in MARKINGS}
    words = (word for word in KINDS if word.name not in fixtures)
    return tuple(_CLASSES.get(word.name, AnnotateTool)(stage, word, ground, made, on_floor=True) for word in words)


_CLASSES: dict[str, type[AnnotateTool]] = {IMAGE: ImageTool}
