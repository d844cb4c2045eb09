"""Paints a picture with QPainter: the same code for the screen and for PNG."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from designer.canvas.arrows import paint_arrows
from designer.canvas.batches import clipped, draw_lines, draw_rects
from designer.canvas.glyphs import Fonts, fitted
from designer.canvas.internals_painting import paint_internals
from designer.canvas.titles import ABOVE_PX, paint_title, title_of
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.counts import MOST_COUNTS, CountPlaces
from designer.drawing.display_list import LEAST_HOT_WIDTH, Picture
from designer.drawing.ports import PortHandle
from designer.drawing.text import fitted_name
from designer.drawing.theme import BoxColours, Theme
from designer.model.shown_text import visible_line

Floats = NDArray[np.float64]

GRID_STEP = 24.0
LEAST_GRID_PX = 14.0
NAME_SIZE = 12.5
MODEL_SIZE = 9.5
NAME_PX = (9.0, 15.0)
LEAST_NAME_PX = 7.0
"""Of names that would have to be elided otherwise."""
MODEL_PX = (8.0, 11.0)
CORNER = 4.0
STRIPE = 4.0
MOST_TEXT_SCALE = 1.25
"""Texts and their margins grow with the scale up to here; nearer, the room goes to ports."""
MOST_HANDLE_PX = 13.0
MOST_WIDE = 5000
"""Hot lines of one colour; more are drawn thin while the picture moves."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """The pixels painted: a camera and a size."""

    camera: Camera
    width: float
    height: float

    @property
    def rect(self) -> QRectF:
        return QRectF(0, 0, self.width, self.height)


def paint_background(painter: QPainter, theme: Theme, view: Viewport) -> None:
    """The paper, with a grid of dots where they stand far enough apart."""
    painter.fillRect(view.rect, QColor(theme.background))
    step = GRID_STEP * view.camera.scale
    while step < LEAST_GRID_PX:
        step *= 2
    if step > 8 * LEAST_GRID_PX:
        step /= 4
    unit = step / view.camera.scale
    left, top, right, bottom = view.camera.seen(view.width, view.height)
    xs = (np.arange(np.floor(left / unit), np.ceil(right / unit) + 1) * unit - left) * view.camera.scale
    ys = (np.arange(np.floor(top / unit), np.ceil(bottom / unit) + 1) * unit - top) * view.camera.scale
    dots = np.empty((len(ys), len(xs), 4))
    dots[..., 0], dots[..., 1], dots[..., 2:] = np.round(xs)[None, :], np.round(ys)[:, None], 1.5
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.grid))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    draw_rects(painter, dots.reshape(-1, 4))


class PicturePainter:
    """Paints one picture after another with the fonts it was given."""

    def __init__(self, font: QFont, least_name_px: float = LEAST_NAME_PX) -> None:
        """Names of devices get smaller down to `least_name_px` before they are elided."""
        self._least_name_px = least_name_px
        self._fonts = Fonts(font)

    def paint(self, painter: QPainter, picture: Picture, view: Viewport, *, smooth: bool = True) -> None:
        """Everything but the background and the legend. Without `smooth`, lines are quick and jagged."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        self._paint_containers(painter, picture, view)
        self._paint_lines(painter, picture, view, smooth)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        self._paint_titles(painter, picture, view)
        self._paint_counts(painter, picture, view)
        self._paint_boxes(painter, picture, view)
        for stroke in picture.beacons(view.camera.scale):
            painter.setPen(QPen(QColor(stroke.colour), stroke.width))
            draw_lines(painter, clipped(view.camera.points_to_view(stroke.xy)))

    # -- containers -----------------------------------------------------------------------------------------------

    def _paint_containers(self, painter: QPainter, picture: Picture, view: Viewport) -> None:
        theme = picture.theme
        for container in picture.containers:
            rect = seen_rect(view.camera, container.rect)
            if not rect.intersects(view.rect):
                continue
            is_rack = container.kind == "rack"
            painter.setPen(QPen(QColor(theme.rack_border if is_rack else theme.group_border), 1.0))
            painter.setBrush(QColor(theme.rack_fill if is_rack else theme.group_fill))
            radius = min(8.0, 6.0 * max(view.camera.scale, 0.3))
            painter.drawRoundedRect(rect, radius, radius)

    def _paint_titles(self, painter: QPainter, picture: Picture, view: Viewport) -> None:
        for container in picture.containers:
            rect = seen_rect(view.camera, container.rect)
            if rect.adjusted(0, -ABOVE_PX, 0, 0).intersects(view.rect):
                scale = view.camera.scale
                title = title_of(container, picture.containers, picture.boxes, rect, scale, self._fonts)
                if title is not None:
                    paint_title(painter, title, picture.theme)

    def titled_at(self, composition: Composition, camera: Camera, spot: QPointF) -> str | None:
        """The group whose title's plate is at that pixel, as it is painted over the links."""
        for container in reversed(composition.containers):
            rect = seen_rect(camera, container.rect)
            if container.kind != "rack" and rect.top() - ABOVE_PX <= spot.y() <= rect.top():
                title = title_of(container, composition.containers, composition.boxes, rect, camera.scale, self._fonts)
                if title is not None and title.plate is not None and title.plate.contains(spot):
                    return container.id
        return None

    # -- links ----------------------------------------------------------------------------------------------------

    def _paint_lines(self, painter: QPainter, picture: Picture, view: Viewport, smooth: bool) -> None:
        xy = view.camera.points_to_view(picture.lines.xy)
        shown = lines_in(xy, view.width, view.height)
        if not shown.any():
            return
        for stroke in picture.strokes(view.camera.scale, shown):
            quick = 0.0 if stroke.width < LEAST_HOT_WIDTH or len(stroke.xy) > MOST_WIDE else LEAST_HOT_WIDTH
            pen = QPen(QColor(stroke.colour), stroke.width if smooth else quick)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            draw_lines(painter, clipped(view.camera.points_to_view(stroke.xy)))
        if smooth:
            paint_arrows(painter, picture, view.camera, shown)

    def _paint_counts(self, painter: QPainter, picture: Picture, view: Viewport) -> None:
        lines = picture.lines
        if not picture.detail.counts or not len(lines.xy):
            return
        xy = view.camera.points_to_view(lines.xy)
        chosen = lines.direct & (lines.counts > 1) & lines_in(xy, view.width, view.height)
        rows = np.flatnonzero(chosen)
        if not 0 < len(rows) <= MOST_COUNTS:
            return
        font = self._fonts.at(_clamped(10 * view.camera.scale, (9.0, 11.0)))
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        corners = view.camera.points_to_view(picture.boxes)
        corners[:, 2:] = corners[:, :2] + picture.boxes[:, 2:] * view.camera.scale
        places = CountPlaces(xy[rows], corners)
        paper, ink = QColor(picture.theme.background), QColor(picture.theme.muted)
        for row in rows.tolist():
            text = f"×{lines.counts[row]}"
            width, height = metrics.horizontalAdvance(text) + 6, metrics.height()
            middle = places.place_on(xy[row], width, height)
            if middle is not None:
                place = QRectF(middle[0] - width / 2, middle[1] - height / 2, width, height)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(paper)
                painter.drawRoundedRect(place, 3, 3)
                painter.setPen(ink)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    # -- boxes ----------------------------------------------------------------------------------------------------

    def _paint_boxes(self, painter: QPainter, picture: Picture, view: Viewport) -> None:
        if not len(picture.boxes):
            return
        boxes = view.camera.points_to_view(picture.boxes)
        boxes[:, 2:] = picture.boxes[:, 2:] * view.camera.scale
        seen = boxes_in(boxes, view.width, view.height)
        for kind, colours in enumerate(picture.theme.boxes):
            rows = np.flatnonzero(seen & (picture.kinds == kind))
            if not len(rows):
                continue
            if picture.detail.round_boxes:
                self._paint_round(painter, boxes[rows], colours, view.camera.scale)
            else:
                _paint_plain(painter, boxes[rows], colours)
        if picture.detail.names:
            for row in np.flatnonzero(seen).tolist():
                self._paint_caption(painter, picture, row, QRectF(*boxes[row].tolist()), view.camera.scale)
        if picture.detail.internals:
            for row in np.flatnonzero(seen).tolist():
                inside = picture.internals(row)
                if inside is not None:
                    paint_internals(painter, picture, row, inside, view.camera, self._fonts)
        if picture.detail.ports:
            for row in np.flatnonzero(seen).tolist():
                paint_ports(painter, picture.theme, picture.boxes_colours(row), picture.ports(row), view.camera)

    def _paint_round(self, painter: QPainter, boxes: Floats, colours: BoxColours, scale: float) -> None:
        painter.setPen(QPen(QColor(colours.border), 1.0))
        painter.setBrush(QColor(colours.fill))
        radius = min(CORNER * scale, 6.0)
        for x, y, width, height in boxes.tolist():
            painter.drawRoundedRect(QRectF(x, y, width, height), radius, radius)
        stripe = boxes.copy()
        inset = min(6.0, 5.0 * scale)
        stripe[:, 0] += inset * 0.8
        stripe[:, 1] += inset
        stripe[:, 2] = max(1.5, min(STRIPE * 0.75 * scale, 4.0))
        stripe[:, 3] -= 2 * inset
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.stripe))
        draw_rects(painter, stripe)

    def _name_font(self, name: str, size_px: float, room_px: float) -> QFont:
        """The font of that size, or a smaller one that the name fits in; not smaller than names may be."""
        width = QFontMetricsF(self._fonts.at(size_px)).horizontalAdvance(name)
        if width > room_px and size_px > self._least_name_px:
            size_px = max(self._least_name_px, math.floor(size_px * room_px / width))
        return self._fonts.at(size_px)

    def _paint_caption(self, painter: QPainter, picture: Picture, row: int, box: QRectF, scale: float) -> None:
        theme, caption = picture.theme, picture.caption(row)
        step = min(scale, MOST_TEXT_SCALE)
        left = box.left() + 13 * step
        room = box.right() - left - 5 * step
        whole = visible_line(caption.name)
        font = self._name_font(whole, _clamped(NAME_SIZE * scale, NAME_PX), room)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        if not picture.detail.models:
            middle = box.center().y() + (metrics.ascent() - metrics.descent()) / 2
            painter.drawText(QPointF(left, middle), fitted_name(whole, metrics.horizontalAdvance, room + 4 * step))
            return
        painter.drawText(QPointF(left, box.top() + 17 * step), fitted_name(whole, metrics.horizontalAdvance, room))
        small = self._fonts.at(_clamped(MODEL_SIZE * scale, MODEL_PX))
        small_metrics = QFontMetricsF(small)
        painter.setFont(small)
        painter.setPen(QColor(theme.muted))
        usage = f"{caption.used}/{caption.total}"
        usage_width = small_metrics.horizontalAdvance(usage)
        y = box.top() + 31 * step
        painter.drawText(QPointF(box.right() - 7 * step - usage_width, y), usage)
        model = fitted(caption.model, small_metrics, room - usage_width - 6 * step)
        painter.drawText(QPointF(left, y), model)
        if not picture.detail.ports:
            _paint_usage(painter, theme, picture, row, QRectF(left, box.top() + 36 * step, room - 2 * step, 2.4 * step))


def paint_ports(painter: QPainter, theme: Theme, colours: BoxColours, ports: list[PortHandle], camera: Camera) -> None:
    """Handles: filled where a link is, hollow where free, faint where reserved."""
    for filled, reserved in ((True, False), (True, True), (False, False), (False, True)):
        chosen = [p for p in ports if (p.link_id is not None) == filled and p.reserved == reserved]
        if not chosen:
            continue
        middles = camera.points_to_view(np.array([(p.x, p.y) for p in chosen]))
        sizes = np.minimum(np.array([p.size for p in chosen]) * camera.scale, MOST_HANDLE_PX)[:, None]
        rects = np.hstack((middles - sizes / 2, sizes, sizes))
        painter.setPen(QPen(QColor(colours.border if reserved and not filled else colours.stripe), 1.0))
        painter.setBrush(QColor(colours.stripe if filled else theme.background))
        if reserved and not filled:
            painter.setBrush(Qt.BrushStyle.NoBrush)
        draw_rects(painter, rects)


def _paint_usage(painter: QPainter, theme: Theme, picture: Picture, row: int, track: QRectF) -> None:
    """How much of the port budget is spent."""
    caption, colours = picture.caption(row), picture.boxes_colours(row)
    if caption.total:
        painter.fillRect(track, QColor(colours.border))
        spent = track.width() * min(1.0, caption.used / caption.total)
        painter.fillRect(QRectF(track.left(), track.top(), spent, track.height()), QColor(colours.stripe))


def _paint_plain(painter: QPainter, boxes: Floats, colours: BoxColours) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.stripe))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    plain = boxes.copy()
    plain[:, 2:] = np.maximum(plain[:, 2:], 1.0)
    draw_rects(painter, plain)


def seen_rect(camera: Camera, rect: tuple[float, float, float, float]) -> QRectF:
    """A canvas rectangle, left, top, right, bottom, in pixels."""
    left, top = camera.to_view(rect[0], rect[1])
    return QRectF(left, top, (rect[2] - rect[0]) * camera.scale, (rect[3] - rect[1]) * camera.scale)


def lines_in(xy: Floats, width: float, height: float) -> NDArray[np.bool_]:
    """Which lines, in pixels, may touch the view."""
    x_low, x_high = np.minimum(xy[:, 0], xy[:, 2]), np.maximum(xy[:, 0], xy[:, 2])
    y_low, y_high = np.minimum(xy[:, 1], xy[:, 3]), np.maximum(xy[:, 1], xy[:, 3])
    return np.asarray((x_high >= -2) & (x_low <= width + 2) & (y_high >= -2) & (y_low <= height + 2))


def boxes_in(boxes: Floats, width: float, height: float) -> NDArray[np.bool_]:
    """Which boxes, in pixels as left, top, width, height, may touch the view."""
    x, y, w, h = boxes.T
    return np.asarray((x + w >= -2) & (x <= width + 2) & (y + h >= -2) & (y <= height + 2))


def _clamped(value: float, limits: tuple[float, float]) -> float:
    return min(limits[1], max(limits[0], value))
