"""Ghosts over the picture: what comes dashed, crosses on what is removed, red lines for what moves."""

import math
from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.batches import clipped, draw_lines
from designer.canvas.ghosts import NO_LINES, Box, Ends, Ghosts
from designer.canvas.marks import Frame
from designer.canvas.sight import seen_rect
from designer.drawing.bundles import Floats
from designer.drawing.camera import Viewport
from designer.drawing.geometry import Rect
from designer.drawing.level_of_detail import LinkDetail
from designer.drawing.palette import PLAIN, Colour, colour_in

FEW_LINES = 400
"""Of more, each is drawn fainter."""
MOST_PATHS = 300
"""Links that are followed one by one; of more, the lines that stand for them are marked."""
CROSS_PX, LEAST_CROSSED_PX = 6.0, 10.0
OUTLINE_PX = 3.0


class GhostLayer:
    """What is to be previewed, with its lines as they run in the picture that was painted last."""

    def __init__(self, colour: Colour = PLAIN) -> None:
        self._colour = colour
        """Of what would come; PLAIN stands for the accent color."""
        self._ghosts: Ghosts | None = None
        self._drawn: tuple[object, ...] = ()
        self._come = self._to = NO_LINES
        self._from: list[Floats] = []
        self._removed: list[Floats] = []
        self._changed: list[Floats] = []

    @property
    def shown(self) -> Ghosts | None:
        """What is previewed now; None where nothing is."""
        return self._ghosts

    @property
    def lines(self) -> Floats:
        """What comes as it was painted last, in canvas units, (n, 4)."""
        return self._come

    def show(self, ghosts: Ghosts | None) -> None:
        """Preview this, or nothing."""
        self._ghosts, self._drawn = ghosts, ()

    def paint(self, painter: QPainter, frame: Frame, view: Viewport) -> None:
        """Paint the ghosts over the picture of the frame."""
        ghosts = self._ghosts
        if ghosts is None:
            return
        self._follow(ghosts, frame)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self._paint_changed(painter, frame, ghosts)
        self._paint_moved(painter, frame)
        self._paint_new(painter, frame, ghosts)
        self._paint_removed(painter, frame, ghosts, view)

    # -- where lines run ------------------------------------------------------------------------------------------

    def _follow(self, ghosts: Ghosts, frame: Frame) -> None:
        """Look the lines up again where the picture is another, or shows another detail."""
        drawn = ghosts, frame.composition, frame.composition.generation, frame.detail
        if self._drawn == drawn:
            return
        self._drawn = drawn
        self._come = _by_port(frame, ghosts.ends, ghosts.lines)
        self._to = _by_port(frame, ghosts.moved_ends, ghosts.moved)
        links = frame.composition.design.links
        self._from = _paths(frame, ghosts.moved_links)
        self._removed = _paths(frame, frozenset(one for one in ghosts.removed if one in links))
        self._changed = _paths(frame, frozenset(one for one in ghosts.changed if one in links))

    # -- painting -------------------------------------------------------------------------------------------------

    def _paint_new(self, painter: QPainter, frame: Frame, ghosts: Ghosts) -> None:
        """Dashed, so that nothing is taken for done."""
        shown = colour_in(self._colour, frame.theme, frame.theme.accent)
        colour = QColor(shown)
        colour.setAlphaF(0.85 if len(self._come) < FEW_LINES else 0.45)
        painter.setPen(QPen(colour, 1.4 if self._colour == PLAIN else 2.0, Qt.PenStyle.DashLine))
        _draw(painter, frame, self._come)
        fill = QColor(shown)
        fill.setAlphaF(0.12)
        painter.setBrush(fill)
        for rect in rects_of(ghosts.boxes):
            painter.drawRoundedRect(QRectF(seen_rect(frame.camera, rect)), 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_moved(self, painter: QPainter, frame: Frame) -> None:
        """Where links are now, dashed, and where they would run."""
        red = QColor(frame.theme.error)
        painter.setPen(QPen(red, 1.6, Qt.PenStyle.DashLine))
        _draw(painter, frame, _joined(self._from))
        painter.setPen(QPen(red, 2.2 if len(self._to) < FEW_LINES else 1.0))
        _draw(painter, frame, self._to)

    def _paint_removed(self, painter: QPainter, frame: Frame, ghosts: Ghosts, view: Viewport) -> None:
        """A cross on each, in the middle of what is seen of it."""
        red, paper = QColor(frame.theme.error), QColor(frame.theme.background)
        painter.setPen(QPen(red, 1.0, Qt.PenStyle.DotLine))
        _draw(painter, frame, _joined(self._removed))
        arms: list[QLineF] = []
        for path in self._removed:
            middle = _middle_seen(frame.camera.points_to_view(path), view)
            if middle is not None:
                arms += _cross(*middle)
        for one in ghosts.removed:
            rect = _box(frame, one, alone=True)
            if rect is None:
                continue
            arms += [QLineF(rect.topLeft(), rect.bottomRight()), QLineF(rect.bottomLeft(), rect.topRight())]
        for colour, width in ((paper, 5.0), (red, 2.2)):
            painter.setPen(QPen(colour, width))
            painter.drawLines(arms)

    def _paint_changed(self, painter: QPainter, frame: Frame, ghosts: Ghosts) -> None:
        """Outlined, and lines brought out."""
        colour = QColor(frame.theme.accent)
        colour.setAlphaF(0.45)
        painter.setPen(QPen(colour, 5.0))
        _draw(painter, frame, _joined(self._changed))
        painter.setPen(QPen(QColor(frame.theme.accent), 2.0))
        for one in ghosts.changed:
            rect = _box(frame, one)
            if rect is not None:
                painter.drawRoundedRect(rect.adjusted(-OUTLINE_PX, -OUTLINE_PX, OUTLINE_PX, OUTLINE_PX), 5, 5)


def _draw(painter: QPainter, frame: Frame, xy: Floats) -> None:
    draw_lines(painter, clipped(frame.camera.points_to_view(xy)))


def _joined(paths: list[Floats]) -> Floats:
    return np.concatenate(paths) if paths else NO_LINES


def rects_of(boxes: Iterable[Box]) -> Iterable[Rect]:
    """Left, top, right and bottom of boxes."""
    return ((x - width / 2, y - height / 2, x + width / 2, y + height / 2) for x, y, width, height in boxes)


def _box(frame: Frame, entity_id: str, *, alone: bool = False) -> QRectF | None:
    """Where a device or rack is seen; None of a link, and where wanted `alone`, of what is in a box with others."""
    composition = frame.composition
    row = composition.projection.box_of(entity_id)
    if row is not None:
        return None if alone and not composition.projection.is_single(row) else frame.box(entity_id)
    if entity_id not in composition.design.racks:
        return None
    rect = next((one.rect for one in composition.containers if one.id == entity_id), None)
    return None if rect is None else seen_rect(frame.camera, rect)


def _by_port(frame: Frame, ends: Ends, lines: Floats) -> Floats:
    """Lines from port to port where ports are seen and nothing stands between, else those from box to box."""
    n_pairs = len({(a.device_id, b.device_id) for a, b in ends})
    if not frame.detail.ports or len(lines) != n_pairs:
        return lines
    found = []
    for a, b in ends:
        near, far = frame.port(a), frame.port(b)
        if near is None or far is None:
            return lines
        found.append((*frame.camera.to_canvas(near.x(), near.y()), *frame.camera.to_canvas(far.x(), far.y())))
    return np.array(found, float).reshape(-1, 4)


def _paths(frame: Frame, link_ids: frozenset[str]) -> list[Floats]:
    """The lines along which these links are drawn, path by path."""
    if not link_ids:
        return []
    composition = frame.composition
    if len(link_ids) <= MOST_PATHS and frame.detail.links is not LinkDetail.REGIONS:
        rows = composition.projection.link_rows(link_ids).values()
        return [composition.link_path(row) for row in rows]
    lines = composition.lines(frame.detail)
    return list(lines.xy[lines.holding(composition.chosen_links(link_ids))][:, None, :])


def _middle_seen(path: Floats, view: Viewport) -> tuple[float, float] | None:
    """The middle of the longest line of a path, of as much of it as is in view; None where next to nothing is."""
    best, found = LEAST_CROSSED_PX, None
    for x1, y1, x2, y2 in path.tolist():
        low, high = 0.0, 1.0
        for start, along, most in ((x1, x2 - x1, view.width), (y1, y2 - y1, view.height)):
            if abs(along) < 1e-9:
                low, high = (low, high) if 0 <= start <= most else (1.0, 0.0)
                continue
            enters, leaves = sorted((-start / along, (most - start) / along))
            low, high = max(low, enters), min(high, leaves)
        length = (high - low) * math.hypot(x2 - x1, y2 - y1)
        if length > best:
            middle = (low + high) / 2
            best, found = length, (x1 + (x2 - x1) * middle, y1 + (y2 - y1) * middle)
    return found


def _cross(x: float, y: float) -> list[QLineF]:
    reach = CROSS_PX
    return [QLineF(x - reach, y - reach, x + reach, y + reach), QLineF(x - reach, y + reach, x + reach, y - reach)]
