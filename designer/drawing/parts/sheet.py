"""What is drawn on: which part of the canvas, how large, in which colors and fonts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.drawing.bundles import Floats
from designer.drawing.camera import Camera, Viewport
from designer.drawing.geometry import Rect
from designer.drawing.parts.ruler import Ruler
from designer.drawing.theme import Theme

SPARE = 2.0
"""What is so far beside the sheet may touch it with its borders."""

LEAST_NAME = 7.0
"""Size of names of devices that would have to be elided otherwise."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A camera on the canvas, what of it is kept (left, top, width, height), and what it is drawn with."""

    camera: Camera
    area: Rect
    theme: Theme
    ruler: Ruler
    zoom: float = 1.0
    """How much larger is drawn what keeps its size on a screen: legends, badges, the least of titles."""
    least_name: float = LEAST_NAME
    smooth: bool = True
    """Without, lines are thin and nothing is drawn that takes long."""
    reserved: tuple[Rect, ...] = ()
    """What is drawn over it later, which texts keep clear of: left, top, width and height on the sheet."""

    has_signs: bool = False
    """Whether boxes that open at a click bear a sign, as on a screen; on paper nothing opens."""

    @staticmethod
    def of_view(
        view: Viewport, theme: Theme, ruler: Ruler, *, least_name: float = LEAST_NAME, smooth: bool = True
    ) -> "Sheet":
        """All pixels of a view."""
        return Sheet(view.camera, (0.0, 0.0, view.width, view.height), theme, ruler, 1.0, least_name, smooth)

    @property
    def scale(self) -> float:
        """Pixels per canvas unit."""
        return self.camera.scale

    def seen(self, rect: Rect) -> Rect:
        """A canvas rectangle (left, top, right, bottom) as left, top, width, height on the sheet."""
        left, top = self.camera.to_view(rect[0], rect[1])
        return left, top, (rect[2] - rect[0]) * self.scale, (rect[3] - rect[1]) * self.scale

    def boxes(self, boxes: Floats) -> Floats:
        """Canvas rectangles, (n, 4) as left, top, width, height, on the sheet."""
        found = self.camera.points_to_view(boxes)
        found[:, 2:] = boxes[:, 2:] * self.scale
        return found

    def touches(self, x: float, y: float, width: float, height: float) -> bool:
        """Whether a rectangle of the sheet shows on it."""
        left, top, across, down = self.area
        return x < left + across and x + width > left and y < top + down and y + height > top

    def contains(self, x: float, y: float) -> bool:
        """Whether a pixel is in the area that is kept, its edges included."""
        left, top, width, height = self.area
        return left <= x <= left + width and top <= y <= top + height

    def contain(self, x: Floats, y: Floats) -> NDArray[np.bool_]:
        """The same of many pixels."""
        left, top, width, height = self.area
        return np.asarray((left <= x) & (x <= left + width) & (top <= y) & (y <= top + height))

    def around(self, spare_px: float) -> Rect:
        """What is kept, with so many pixels around it: left, top, right, bottom on the canvas."""
        left, top, width, height = self.area
        start = self.camera.to_canvas(left - spare_px, top - spare_px)
        return *start, *self.camera.to_canvas(left + width + spare_px, top + height + spare_px)

    def boxes_on(self, boxes: Floats) -> NDArray[np.bool_]:
        """Which boxes of the sheet (left, top, width, height) may show on it."""
        left, top, width, height = self.area
        x, y, w, h = boxes.T
        across = (x + w >= left - SPARE) & (x <= left + width + SPARE)
        return np.asarray(across & (y + h >= top - SPARE) & (y <= top + height + SPARE))
