"""Paints the parts of a drawing with QPainter: on a screen, on an image, on a page."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPolygonF

from designer.canvas.batches import clipped, draw_lines, draw_rects
from designer.canvas.glyphs import Fonts
from designer.drawing.bundles import Floats
from designer.drawing.parts.primitives import (
    Circle,
    Dots,
    Group,
    Image,
    Ink,
    Jump,
    Lines,
    Part,
    Path,
    Pen,
    Rect,
    Rects,
    Text,
)

NO_PEN, NO_BRUSH = QPen(Qt.PenStyle.NoPen), QBrush(Qt.BrushStyle.NoBrush)
SMOOTH = QPainter.RenderHint.Antialiasing


def paint(
    painter: QPainter,
    parts: Iterable[Part],
    fonts: Fonts,
    *,
    smooth: bool = True,
    scale: float = 1.0,
    jump: Callable[[QRectF, int], None] | None = None,
) -> None:
    """Draw them with the painter as it stands.

    `scale` is how much of its size a unit keeps where the painter shrinks a page: fixed pens are the wider. `jump`
    hears of places, in units of the painted device, that lead to pages.
    """
    painter.setRenderHint(SMOOTH, smooth)
    _Writer(painter, fonts, smooth, scale, jump).write(parts, 0.0, 0.0)
    painter.setRenderHint(SMOOTH, smooth)


class _Writer:
    """Keeps what was last set on the painter, so that it is set only once."""

    def __init__(
        self,
        painter: QPainter,
        fonts: Fonts,
        smooth: bool,
        scale: float,
        heard: Callable[[QRectF, int], None] | None,
    ) -> None:
        self._heard = heard
        self._painter, self._fonts, self._smooth, self._scale = painter, fonts, smooth, scale
        self._pen: QPen | None = None
        self._brush: QBrush | None = None
        self._lettering: tuple[int, bool] | None = None
        self._is_crisp = not smooth
        self._writers: dict[type, Callable[[Any, float, float], None]] = {
            Group: self._group,
            Rect: self._rect,
            Rects: self._rects,
            Circle: self._circle,
            Lines: self._lines,
            Path: self._path,
            Text: self._text,
            Image: self._image,
            Dots: self._dots,
            Jump: self._jump,
        }

    def write(self, parts: Iterable[Part], x: float, y: float) -> None:
        """Draw parts whose origin is at that point."""
        writers = self._writers
        for part in parts:
            writers[type(part)](part, x, y)

    def _group(self, group: Group, x: float, y: float) -> None:
        left, top = group.at
        if group.zoom == 1.0 and group.clip is None:
            self.write(group.parts, x + left, y + top)
            return
        self._painter.save()
        self._painter.translate(x + left, y + top)
        self._painter.scale(group.zoom, group.zoom)
        if group.clip is not None:
            self._painter.setClipRect(QRectF(*group.clip), Qt.ClipOperation.IntersectClip)
        self.write(group.parts, 0.0, 0.0)
        self._painter.restore()
        self._pen = self._brush = self._lettering = None
        self._is_crisp = not self._painter.testRenderHint(SMOOTH)

    def _rect(self, rect: Rect, x: float, y: float) -> None:
        painter, place = self._painter, QRectF(x + rect.x, y + rect.y, rect.width, rect.height)
        self._make_crisp(rect.crisp)
        if rect.radius:
            self._use(rect.pen, rect.ink)
            painter.drawRoundedRect(place, rect.radius, rect.radius)
        else:
            if rect.ink is not None:
                painter.fillRect(place, _brush_of(rect.ink))
            if rect.pen is not None:
                self._use(rect.pen, None)
                painter.drawRect(place)

    def _rects(self, rects: Rects, x: float, y: float) -> None:
        self._use(rects.pen, rects.ink)
        self._make_crisp(rects.crisp)
        draw_rects(self._painter, np.add(rects.xywh, (x, y, 0.0, 0.0)) if x or y else rects.xywh)

    def _circle(self, circle: Circle, x: float, y: float) -> None:
        self._use(circle.pen, circle.ink)
        self._make_crisp(False)
        self._painter.drawEllipse(QPointF(x + circle.x, y + circle.y), circle.radius, circle.radius)

    def _lines(self, lines: Lines, x: float, y: float) -> None:
        self._use(lines.pen, None)
        self._make_crisp(False)
        draw_lines(self._painter, clipped(np.add(lines.xy, (x, y, x, y)) if x or y else lines.xy))

    def _path(self, path: Path, x: float, y: float) -> None:
        self._use(path.pen, path.ink)
        self._make_crisp(False)
        points = QPolygonF([QPointF(x + left, y + top) for left, top in path.points])
        if path.closed:
            self._painter.drawPolygon(points)
        else:
            self._painter.drawPolyline(points)

    def _text(self, text: Text, x: float, y: float) -> None:
        painter, lettering = self._painter, (text.size, text.bold)
        if lettering != self._lettering:
            painter.setFont(self._fonts.at(*lettering))
            self._lettering = lettering
        self._set_pen(_text_pen(text.colour))
        left = 0.0
        if text.anchor != "start":
            left = -self._fonts.width(text.text, text.size, text.bold) * (1.0 if text.anchor == "end" else 0.5)
        if text.turn:
            painter.save()
            painter.translate(x + text.x, y + text.y)
            painter.rotate(text.turn)
            painter.drawText(QPointF(left, 0.0), text.text)
            painter.restore()
        else:
            painter.drawText(QPointF(x + text.x + left, y + text.y), text.text)

    def _image(self, image: Image, x: float, y: float) -> None:
        picture = _decoded(image.data, image.format)
        if not picture.isNull():
            self._painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            self._painter.drawImage(QRectF(x + image.x, y + image.y, image.width, image.height), picture)

    def _dots(self, dots: Dots, x: float, y: float) -> None:
        xs = _multiples(dots.origin[0], dots.step, dots.x, dots.width)
        ys = _multiples(dots.origin[1], dots.step, dots.y, dots.height)
        rects = np.empty((len(ys), len(xs), 4))
        rects[..., 0], rects[..., 1], rects[..., 2:] = xs[None, :], ys[:, None], dots.side
        self._rects(Rects(rects.reshape(-1, 4), dots.ink, crisp=True), x, y)

    def _jump(self, jump: Jump, x: float, y: float) -> None:
        if self._heard is not None:
            place = QRectF(x + jump.x, y + jump.y, jump.width, jump.height)
            self._heard(self._painter.combinedTransform().mapRect(place), jump.page)

    def _use(self, pen: Pen | None, ink: Ink | None) -> None:
        self._set_pen(NO_PEN if pen is None else pen_of(pen, self._scale))
        brush = NO_BRUSH if ink is None else _brush_of(ink)
        if brush is not self._brush:
            self._painter.setBrush(brush)
            self._brush = brush

    def _make_crisp(self, crisp: bool) -> None:
        """Edges of whole pixels, or smooth ones where everything is."""
        crisp = crisp or not self._smooth
        if crisp != self._is_crisp:
            self._painter.setRenderHint(SMOOTH, not crisp)
            self._is_crisp = crisp

    def _set_pen(self, pen: QPen) -> None:
        if pen is not self._pen:
            self._painter.setPen(pen)
            self._pen = pen


def _multiples(origin: float, step: float, start: float, room: float) -> Floats:
    """Whole pixels nearest to origin + n * step from before `start` to behind its room."""
    first, last = np.floor((start - origin) / step), np.ceil((start + room - origin) / step)
    return np.asarray(np.round(np.arange(first, last + 1) * step + origin))


@lru_cache(32)
def _decoded(data: bytes, format_: str) -> QImage:
    """The picture, decoded as what its own bytes say it is; an empty one where that fails."""
    image = QImage()
    image.loadFromData(data, format_.upper())
    return image


@lru_cache(4096)
def pen_of(pen: Pen, scale: float = 1.0) -> QPen:
    """Qt's pen; `scale` as in `paint`."""
    grown = 1 / scale if pen.fixed else 1.0
    made = QPen(_colour(pen.colour, pen.alpha), pen.width * grown)
    made.setCapStyle(Qt.PenCapStyle.SquareCap if pen.square else Qt.PenCapStyle.FlatCap)
    if pen.dash:  # Qt counts in widths
        made.setDashPattern([one / pen.width for one in pen.dash])
    return made


@lru_cache(1024)
def _text_pen(colour: str) -> QPen:
    return QPen(QColor(colour))


@lru_cache(1024)
def _brush_of(ink: Ink) -> QBrush:
    style = Qt.BrushStyle.BDiagPattern if ink.hatched else Qt.BrushStyle.SolidPattern
    return QBrush(_colour(ink.colour, ink.alpha), style)


def _colour(colour: str, alpha: float) -> QColor:
    made = QColor(colour)
    made.setAlphaF(alpha)
    return made
