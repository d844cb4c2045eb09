"""Which part of the canvas is seen, and how large."""

from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.geometry import Rect

LEAST_SCALE = 0.002
MOST_SCALE = 12.0
FIT_MARGIN_PX, FIT_MARGIN_SHARE = (24.0, 36.0), 0.05
"""Around what is shown whole: that share of the shorter side of a view, with room for a line of text above it."""
MOST_FIT_SCALE = 1.6
"""A small design is not blown up beyond this."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Pixels per canvas unit, and the canvas point at the left top of the view."""

    scale: float = 1.0
    left: float = 0.0
    top: float = 0.0

    def to_view(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of the view at which a canvas point is seen."""
        return (x - self.left) * self.scale, (y - self.top) * self.scale

    def to_canvas(self, x_px: float, y_px: float) -> tuple[float, float]:
        """The canvas point that is seen at a pixel of the view."""
        return x_px / self.scale + self.left, y_px / self.scale + self.top

    def points_to_view(self, points: Floats) -> Floats:
        """Pixels of arrays whose rows are x, y pairs, as (n, 2) or (n, 4)."""
        seen: Floats = points - np.array((self.left, self.top) * (points.shape[1] // 2))
        seen *= self.scale
        return seen

    def moved(self, dx_px: float, dy_px: float) -> "Camera":
        """The view after what is seen has moved by so many pixels."""
        return Camera(self.scale, self.left - dx_px / self.scale, self.top - dy_px / self.scale)

    def zoomed(self, factor: float, x_px: float, y_px: float) -> "Camera":
        """The view at another scale with the point at x_px, y_px where it was."""
        least = min(LEAST_SCALE, self.scale)  # what was fitted may be smaller
        scale = min(MOST_SCALE, max(least, self.scale * factor))
        x, y = self.to_canvas(x_px, y_px)
        return Camera(scale, x - x_px / scale, y - y_px / scale)

    def shows(self, rect: Rect, width_px: float, height_px: float) -> bool:
        """Whether all of a rectangle is seen in a view of that size."""
        left, top, right, bottom = self.seen(width_px, height_px)
        return left <= rect[0] and top <= rect[1] and rect[2] <= right and rect[3] <= bottom

    def seen(self, width_px: float, height_px: float) -> Rect:
        """Left, top, right, bottom of what a view of that size shows."""
        return self.left, self.top, self.left + width_px / self.scale, self.top + height_px / self.scale


@dataclass(frozen=True, slots=True)
class Viewport:
    """The pixels painted: a camera and a size."""

    camera: Camera
    width: float
    height: float


def fit_margin(width_px: float, height_px: float) -> float:
    """What is left free around something that is shown whole in a view of that size."""
    least, most = FIT_MARGIN_PX
    return max(least, min(most, FIT_MARGIN_SHARE * min(width_px, height_px)))


def fitting(
    rect: Rect, width_px: float, height_px: float, most: float = MOST_FIT_SCALE, margin: float | None = None
) -> Camera:
    """The view that shows the whole rectangle in the middle, however large it is, with a margin around it."""
    left, top, right, bottom = rect
    if margin is None:
        margin = fit_margin(width_px, height_px)
    width, height = max(right - left, 1.0), max(bottom - top, 1.0)
    room = max(width_px - 2 * margin, 16.0), max(height_px - 2 * margin, 16.0)
    scale = min(most, room[0] / width, room[1] / height)
    return Camera(scale, (left + right) / 2 - width_px / scale / 2, (top + bottom) / 2 - height_px / scale / 2)
