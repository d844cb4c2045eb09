"""The mouse over a view."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt

from designer.drawing.camera import Camera

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
        """The pixel of the view."""
        return QPointF(self.x_px, self.y_px)

    @property
    def adding(self) -> bool:
        """Whether a click adds to the selection, or takes away from it."""
        return self.shift or self.control

    def far_from(self, other: "Pointer") -> bool:
        """Whether the mouse has moved far enough for more than a click."""
        return abs(self.x_px - other.x_px) + abs(self.y_px - other.y_px) >= START_DRAG_PX


def pointer_at(camera: Camera, spot: QPointF, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> Pointer:
    """The pointer at a pixel of a view with that camera."""
    held = Qt.KeyboardModifier
    return Pointer(
        *camera.to_canvas(spot.x(), spot.y()),
        spot.x(),
        spot.y(),
        bool(keys & held.ShiftModifier),
        bool(keys & held.ControlModifier),
        bool(keys & held.AltModifier),
    )
