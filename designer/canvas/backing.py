"""The painted picture, kept between frames: hovering costs a copy, panning a fast repaint, refined when it rests."""

import math
import time
from collections.abc import Callable, Hashable, Iterable, Iterator

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.drawing.camera import Viewport
from designer.drawing.parts.primitives import Part, pieces

SMOOTH_BUDGET_S = 0.010
"""A picture that takes longer with smooth lines is drawn with quick ones while it moves."""
QUICK_BUDGET_S = 0.016
"""One that takes longer even so is not redrawn while it moves: the last one is shifted and scaled."""
LATE_S = 0.033
"""One that takes longer with smooth lines is drawn with quick ones first where the last one cannot stand for it."""
SLICE_S = 0.015
"""So long it is refined at a time; in between the window goes on. All these count the thread's own time."""
MOST_STRETCH = 3.0
"""A picture scaled further than this is too coarse to stand for the real one."""

Draw = Callable[[bool], Iterable[Part]]
"""The parts of a picture, with smooth lines or quick ones."""


class Same:
    """Part of what a picture shows that is too large to be compared: equal only to what is of the very same thing."""

    def __init__(self, of: object) -> None:
        self._of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._of is other._of

    def __hash__(self) -> int:
        return id(self._of)


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
        self._finer: _Finer | None = None
        self.painted = 0
        """Counts real paints, for tests and measurements."""

    @property
    def is_at_work(self) -> bool:
        """Whether a finer picture is begun and should be continued at once."""
        return self._finer is not None

    def leave(self) -> None:
        """Nothing of it shows now: a finer picture that is begun is given up."""
        self._finer = None

    def show(
        self,
        painter: QPainter,
        view: Viewport,
        ratio: float,
        content: Hashable,
        moving: bool,
        paper: str,
        fonts: Fonts,
        draw: Draw,
    ) -> bool:
        """Paint the picture of `content`; returns whether it should be painted again, finer, when things rest."""
        seen = content, view, ratio
        if self._finer is not None and (moving or self._finer.seen != seen):
            self._finer = None
        fresh = content == self._content and view == self._view and self._image.devicePixelRatio() == ratio
        if fresh and (self._smooth or moving):
            painter.drawImage(0, 0, self._image)
            return not self._smooth
        stretches = not fresh and self._can_stretch(content, view)
        if moving and stretches:
            self._stretch(painter, view, paper)
            return True
        if not moving and (fresh or stretches):
            if self._refine(view, ratio, content, fonts, draw):
                painter.drawImage(0, 0, self._image)
                return False
            self._stretch(painter, view, paper) if stretches else painter.drawImage(0, 0, self._image)
            return True
        waiting = self._view is not None and self._smooth_s > LATE_S  # first what has changed, then with all care
        smooth = self._smooth_s <= SMOOTH_BUDGET_S or not (moving or waiting)
        self._content = None  # what is painted in part is shown by nothing, should it fail
        self._repaint(view, ratio, smooth, fonts, draw)
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

    def _refine(self, view: Viewport, ratio: float, content: Hashable, fonts: Fonts, draw: Draw) -> bool:
        """Work on the picture with smooth lines, out of sight; whether it is done, and shown from now on."""
        if self._finer is None:
            image = QImage(self._size(view, ratio), self._format)
            self._make_ready(image, ratio)
            self._finer = _Finer((content, view, ratio), image, draw(True))
        finer, self._finer = self._finer, None  # begun again, should it fail
        if not finer.go_on(fonts):
            self._finer = finer
            return False
        self._image, self._smooth_s = finer.image, finer.took_s
        self._content, self._view, self._smooth = content, view, True
        self.painted += 1
        return True

    def _repaint(self, view: Viewport, ratio: float, smooth: bool, fonts: Fonts, draw: Draw) -> None:
        size = self._size(view, ratio)
        if self._image.size() != size:
            self._image = QImage(size, self._format)
        self._make_ready(self._image, ratio)
        started = time.thread_time()
        _paint_onto(self._image, draw(smooth), fonts, smooth=smooth)
        took = time.thread_time() - started
        if smooth:
            self._smooth_s = took
        else:
            self._quick_s = took
        self.painted += 1

    def _size(self, view: Viewport, ratio: float) -> QSize:
        return QSize(max(1, math.ceil(view.width * ratio)), max(1, math.ceil(view.height * ratio)))

    def _make_ready(self, image: QImage, ratio: float) -> None:
        image.setDevicePixelRatio(ratio)
        if not self._has_paper:
            image.fill(Qt.GlobalColor.transparent)


class _Finer:
    """A picture with smooth lines that is painted piece by piece."""

    def __init__(self, seen: tuple[Hashable, Viewport, float], image: QImage, parts: Iterable[Part]) -> None:
        self.seen, self.image = seen, image
        """What it shows, and how it is seen."""
        self._left = pieces(parts)
        self.took_s = 0.0

    def go_on(self, fonts: Fonts) -> bool:
        """Paint for a while; whether nothing is left."""
        started, is_done = time.thread_time(), False

        def for_a_while() -> Iterator[Part]:
            nonlocal is_done
            until = time.thread_time() + SLICE_S
            for part in self._left:
                yield part
                if time.thread_time() >= until:
                    return
            is_done = True

        _paint_onto(self.image, for_a_while(), fonts, smooth=True)
        self.took_s += time.thread_time() - started
        return is_done


def _paint_onto(image: QImage, parts: Iterable[Part], fonts: Fonts, *, smooth: bool) -> None:
    painter = QPainter(image)
    if not smooth:  # Qt draws lines of one pixel several times sooner where there is a clip
        painter.setClipRect(QRectF(QPointF(), image.deviceIndependentSize()))
    try:
        paint(painter, parts, fonts, smooth=smooth)
    finally:
        painter.end()
