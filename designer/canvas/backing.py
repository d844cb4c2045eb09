"""The painted picture, kept between frames: hovering costs a copy, panning a fast repaint, refined when it rests."""

import math
import time
from collections.abc import Callable, Hashable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from designer.drawing.camera import Viewport

SMOOTH_BUDGET_S = 0.010
"""A picture that takes longer with smooth lines is drawn with quick ones while it moves."""
QUICK_BUDGET_S = 0.016
"""One that takes longer even so is not drawn anew while it moves: the last one is shifted and scaled."""
LATE_S = 0.033
"""One that takes longer with smooth lines is drawn with quick ones first when it changes, as loads do in a run."""
MOST_STRETCH = 3.0
"""A picture scaled further than this is too coarse to stand for the real one."""

Draw = Callable[[QPainter, bool], None]


class Backing:
    """An image of what the view shows without overlays; without paper, of what lies over that."""

    def __init__(self, *, has_paper: bool = True) -> None:
        self._format = QImage.Format.Format_RGB32 if has_paper else QImage.Format.Format_ARGB32_Premultiplied
        self._has_paper = has_paper
        self._image = QImage()
        self._content: Hashable = None
        self._view: Viewport | None = None
        self._smooth = False
        self._smooth_s = 0.0
        self._quick_s = 0.0
        self.painted = 0
        """Counts real paints, for tests and measurements."""

    def show(
        self, painter: QPainter, view: Viewport, ratio: float, content: Hashable, moving: bool, paper: str, draw: Draw
    ) -> bool:
        """Paint the picture of `content`; returns whether it should be painted again, finer, when things rest."""
        fresh = content == self._content and view == self._view and self._image.devicePixelRatio() == ratio
        if fresh and (self._smooth or moving):
            painter.drawImage(0, 0, self._image)
            return not self._smooth
        if moving and self._can_stretch(content, view):
            self._stretch(painter, view, paper)
            return True
        waiting = content != self._content and self._smooth_s > LATE_S  # first that it has changed, then with all care
        smooth = self._smooth_s <= SMOOTH_BUDGET_S or not (moving or waiting)
        self._repaint(view, ratio, smooth, draw)
        self._content, self._view, self._smooth = content, view, smooth
        painter.drawImage(0, 0, self._image)
        return not smooth

    def _can_stretch(self, content: Hashable, view: Viewport) -> bool:
        if content != self._content or self._view is None or self._quick_s <= QUICK_BUDGET_S:
            return False
        stretch = view.camera.scale / self._view.camera.scale
        return (view.width, view.height) == (self._view.width, self._view.height) and (
            1 / MOST_STRETCH <= stretch <= MOST_STRETCH
        )

    def _stretch(self, painter: QPainter, view: Viewport, paper: str) -> None:
        assert self._view is not None
        before = self._view.camera
        stretch = view.camera.scale / before.scale
        left, top = view.camera.to_view(before.left, before.top)
        if self._has_paper:
            painter.fillRect(QRectF(0, 0, view.width, view.height), QColor(paper))
        painter.drawImage(QRectF(left, top, view.width * stretch, view.height * stretch), self._image)

    def _repaint(self, view: Viewport, ratio: float, smooth: bool, draw: Draw) -> None:
        size = QSize(max(1, math.ceil(view.width * ratio)), max(1, math.ceil(view.height * ratio)))
        if self._image.size() != size:
            self._image = QImage(size, self._format)
        self._image.setDevicePixelRatio(ratio)
        if not self._has_paper:
            self._image.fill(Qt.GlobalColor.transparent)
        started = time.perf_counter()
        painter = QPainter(self._image)
        try:
            draw(painter, smooth)
        finally:
            painter.end()
        took = time.perf_counter() - started
        if smooth:
            self._smooth_s = took
        else:
            self._quick_s = took
        self.painted += 1
