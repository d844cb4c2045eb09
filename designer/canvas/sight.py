"""How a view looks at its subject."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont

from designer.canvas.glyphs import Fonts
from designer.drawing.camera import Camera, Viewport
from designer.drawing.geometry import Rect
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import Theme


def seen_rect(camera: Camera, rect: Rect) -> QRectF:
    """A canvas rectangle, left, top, right, bottom, in pixels."""
    return QRectF(*_seen(camera, rect))


def _seen(camera: Camera, rect: Rect) -> Rect:
    left, top = camera.to_view(rect[0], rect[1])
    return left, top, (rect[2] - rect[0]) * camera.scale, (rect[3] - rect[1]) * camera.scale


@dataclass(frozen=True, slots=True)
class Sight:
    """From where, how large, in which colors and letters; `moving` while quick pictures will do."""

    camera: Camera
    width: float
    height: float
    theme: Theme
    font: QFont
    ratio: float = 1.0
    moving: bool = False
    covered: tuple[Rect, ...] = ()
    """Where something lies over the view in its pixels: left, top, right and bottom."""

    @property
    def viewport(self) -> Viewport:
        """The pixels painted."""
        return Viewport(self.camera, self.width, self.height)

    def sheet(self, fonts: Fonts, *, smooth: bool = True) -> Sheet:
        """All of the view to draw on, in these letters."""
        return replace(Sheet.of_view(self.viewport, self.theme, fonts, smooth=smooth), has_signs=True)

    @property
    def rect(self) -> QRectF:
        """All of the view in pixels."""
        return QRectF(0, 0, self.width, self.height)

    def seen(self) -> Rect:
        """Left, top, right, bottom of the canvas in view."""
        return self.camera.seen(self.width, self.height)

    def seen_px(self, rect: Rect) -> Rect:
        """A rectangle of the canvas as left, top, width and height in pixels of the view."""
        return _seen(self.camera, rect)

    def px(self, rect: Rect) -> QRectF:
        """A rectangle of the canvas in pixels of the view."""
        return seen_rect(self.camera, rect)

    def point_px(self, x: float, y: float) -> QPointF:
        """A point of the canvas in pixels of the view."""
        return QPointF(*self.camera.to_view(x, y))
