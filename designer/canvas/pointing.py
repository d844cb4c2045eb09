"""Taking the leader of an annotation by its tip: it follows the mouse to a device, a link or a point, as one edit."""

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.hits import pinnable_at
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.drawing.composition import Composition
from designer.drawing.geometry import Rect
from designer.drawing.level_of_detail import Detail
from designer.drawing.notes import Drawn
from designer.model.annotating import detach, point_at, point_to
from designer.model.annotation import PINNABLE
from designer.model.design import Design
from designer.model.edit import Edit

REACH_PX = 8.0
CLEAR_PX = 8.0
TIP_PX = 5.0
BELOW_PX = 18.0
"""From an annotation without a leader to the tip that one is pulled out by."""
OUTLINE_PX = 2.5

Point = tuple[float, float]


def led(notes: Sequence[Drawn]) -> Drawn | None:
    """The annotation whose leader can be taken: the only one of these that has grips, where it can have a leader."""
    return notes[0] if len(notes) == 1 and notes[0].note.kind in PINNABLE else None


def tip_at(note: Drawn, scale: float) -> Point:
    """Where its leader is taken, at so many pixels per canvas unit: at its tip, but clear of the box that it leads to.

    Below the annotation where that has no leader.
    """
    if note.leader is not None and note.pin is not None:
        (from_x, from_y), (x, y) = note.leader
        length = math.dist((from_x, from_y), (x, y)) * scale
        is_box = note.pin[0] < note.pin[2]
        share = min(CLEAR_PX / length, 0.5) if is_box and length else 0.0
        return x + (from_x - x) * share, y + (from_y - y) * share
    left, _, right, bottom = note.rect
    return (left + right) / 2, bottom + BELOW_PX / scale


def is_tip(note: Drawn | None, at: Pointer, scale: float) -> bool:
    """Whether the mouse is on the tip."""
    if note is None:
        return False
    x, y = tip_at(note, scale)
    return (at.x - x) ** 2 + (at.y - y) ** 2 <= (REACH_PX / scale) ** 2


def paint_tip(painter: QPainter, note: Drawn | None, sight: Sight) -> None:
    """A round handle at the tip; of a note without a leader on a dashed line below it."""
    if note is None:
        return
    accent, spot = QColor(sight.theme.accent), sight.point_px(*tip_at(note, sight.camera.scale))
    if note.leader is None:
        painter.setPen(QPen(accent, 1.0, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(spot - QPointF(0.0, BELOW_PX), spot))
    painter.setPen(QPen(QColor(sight.theme.background), 1.5))
    painter.setBrush(accent)
    painter.drawEllipse(spot, TIP_PX, TIP_PX)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_target(painter: QPainter, composition: Composition, detail: Detail, thing: str, sight: Sight) -> None:
    """An outline around a device, or the line of a link brought out: what a leader would be pinned to."""
    colour = QColor(sight.theme.accent)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, OUTLINE_PX))
    if thing in composition.design.links:
        lines = composition.lines(detail)
        for x1, y1, x2, y2 in lines.xy[lines.holding(composition.chosen_links([thing]))].tolist():
            painter.drawLine(QLineF(sight.point_px(x1, y1), sight.point_px(x2, y2)))
        return
    rect = composition.rect_of(thing)
    if rect is not None:
        painter.drawRoundedRect(sight.px(rect).adjusted(-3, -3, 3, 3), 6, 6)


class Leads(Protocol):
    """What leaders lead to where annotations are drawn."""

    @property
    def design(self) -> Design:
        """The design that is drawn."""

    def pinnable(self, at: Pointer, sight: Sight) -> str:
        """What an annotation there is pinned to; "" for nothing."""

    def place_of(self, thing: str) -> Rect | None:
        """Where that is drawn."""

    def lead(self, note_id: str = "", to: Rect | None = None) -> None:
        """Draw the leader of an annotation to there, or without one, until it is called again."""

    def paint_target(self, painter: QPainter, thing: str, sight: Sight) -> None:
        """Bring out what a leader would be pinned to."""


class OnCanvas:
    """The devices and links of a composition."""

    def __init__(self, composition: Composition, detail: Detail) -> None:
        self._composition, self._detail = composition, detail
        self.design = composition.design
        self.place_of = composition.notes.place_of
        self.lead = composition.lead

    def pinnable(self, at: Pointer, sight: Sight) -> str:
        """The device or link there; "" for none, or with Control and Alt."""
        if at.control and at.alt:
            return ""
        return pinnable_at(self._composition, self._detail, sight.camera.scale, at.x, at.y)

    def paint_target(self, painter: QPainter, thing: str, sight: Sight) -> None:
        """An outline around a device, or the line of a link brought out."""
        paint_target(painter, self._composition, self._detail, thing, sight)


class TipDrag:
    """The tip that follows the mouse and is pinned to what is under it; in its own box it lets go of all."""

    def __init__(self, leads: Leads, note: Drawn) -> None:
        self._leads, self._note = leads, note
        self._thing = note.note.pinned_to
        self._to: Point | None = None

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Lead it to what is under the mouse; never refused."""
        one = self._note
        left, top, right, bottom = one.rect
        self._thing, self._to = "", None
        rect: Rect | None = None
        if not (left <= at.x <= right and top <= at.y <= bottom):
            self._thing = self._leads.pinnable(at, sight)
            self._to = at.x, at.y
            rect = self._leads.place_of(self._thing) or (at.x, at.y, at.x, at.y)
        self._leads.lead(one.note.id, rect)
        return None

    def end(self) -> None:
        """Draw the leader where the design has it again."""
        self._leads.lead()

    def copied(self) -> tuple[tuple[str, ...], Callable[[Design], Edit]] | None:
        """None: it makes no copies."""
        return None

    def edit(self) -> Edit:
        """The annotation pointing to what the tip was let go on. Raises DesignerError."""
        design, one = self._leads.design, self._note.note.id
        if self._thing:
            return point_to(design, [one], self._thing)
        return detach(design, [one]) if self._to is None else point_at(design, one, *self._to)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """What it would be pinned to, brought out."""
        if self._thing:
            self._leads.paint_target(painter, self._thing, sight)
