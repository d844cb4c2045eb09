"""What every gesture is: press, move, release, cancel."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

if TYPE_CHECKING:
    from designer.canvas.view import CanvasView

START_DRAG_PX = 4.0
"""A press that moves less than this is a click."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where the mouse is, on the canvas and in the view, and the keys held."""

    x: float
    y: float
    x_px: float
    y_px: float
    shift: bool = False
    control: bool = False
    alt: bool = False

    @property
    def spot(self) -> QPointF:
        return QPointF(self.x_px, self.y_px)

    @property
    def adding(self) -> bool:
        """Whether a click adds to the selection, or takes away from it."""
        return self.shift or self.control

    def far_from(self, other: "Pointer") -> bool:
        return abs(self.x_px - other.x_px) + abs(self.y_px - other.y_px) >= START_DRAG_PX


class Tool:
    """A way of using the mouse. One gesture ends in one edit, or in none."""

    name = ""
    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, view: "CanvasView") -> None:
        self.view = view

    @property
    def active(self) -> bool:
        """Whether a gesture is under way."""
        return False

    def hover(self, at: Pointer) -> None:
        """The mouse moved with no button held."""

    def press(self, at: Pointer) -> None:
        """The left button went down."""

    def move(self, at: Pointer) -> None:
        """The mouse moved with the left button held."""

    def release(self, at: Pointer) -> None:
        """The left button went up."""

    def cancel(self) -> None:
        """Esc, or the view lost the mouse: as if the gesture had not begun."""

    def paint(self, painter: QPainter) -> None:
        """What the gesture shows, over the picture, in pixels of the view."""
