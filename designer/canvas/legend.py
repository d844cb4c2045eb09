"""The legend of the heat: a scale with numbers, in a corner of the drawing."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from designer.canvas.glyphs import Fonts, fitted
from designer.drawing.display_list import Legend
from designer.drawing.heat import BUCKETS, bucket_colours
from designer.drawing.theme import Theme

WIDTH_PX = 268.0
HEIGHT_PX = 108.0
KEYS_TOP_PX, KEY_LENGTH_PX, KEY_GAP_PX = 97.0, 16.0, 14.0
INSET_PX = 12.0
BAR_HEIGHT_PX = 9.0
MARGIN_PX = 14.0


def paint_legend(painter: QPainter, legend: Legend, theme: Theme, font: QFont, left: float, bottom: float) -> None:
    """A plate with title, scale and numbers, its left bottom corner at that point."""
    fonts = Fonts(font)
    plate = QRectF(left, bottom - HEIGHT_PX, WIDTH_PX, HEIGHT_PX)
    paint_plate(painter, plate, theme)
    _paint_head(painter, legend, theme, fonts, plate)
    bar = QRectF(plate.left() + INSET_PX + 4, plate.top() + 58, WIDTH_PX - 2 * INSET_PX - 18, BAR_HEIGHT_PX)
    _paint_scale(painter, legend, theme, fonts, bar)
    _paint_keys(painter, legend, theme, fonts, plate)


def paint_plate(painter: QPainter, plate: QRectF, theme: Theme) -> None:
    """What a legend stands on; the drawing shows through a little."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paper = QColor(theme.plate)
    paper.setAlphaF(0.94)
    painter.setBrush(paper)
    painter.setPen(QPen(QColor(theme.plate_border), 1))
    painter.drawRoundedRect(plate, 6, 6)


def _paint_head(painter: QPainter, legend: Legend, theme: Theme, fonts: Fonts, plate: QRectF) -> None:
    title, small = fonts.at(11, bold=True), fonts.at(10)
    room = plate.width() - 2 * INSET_PX
    painter.setFont(title)
    painter.setPen(QColor(theme.text))
    metrics = QFontMetricsF(title)
    painter.drawText(QPointF(plate.left() + INSET_PX, plate.top() + 18), fitted(legend.title, metrics, room))
    painter.setFont(small)
    painter.setPen(QColor(theme.muted))
    for number, line in enumerate((legend.label, legend.note)):
        baseline = QPointF(plate.left() + INSET_PX, plate.top() + 33 + 14 * number)
        painter.drawText(baseline, fitted(line, QFontMetricsF(small), room))


def _paint_scale(painter: QPainter, legend: Legend, theme: Theme, fonts: Fonts, bar: QRectF) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    step = bar.width() / BUCKETS
    for number, colour in enumerate(bucket_colours(theme)):
        left = round(bar.left() + number * step)
        right = round(bar.left() + (number + 1) * step)
        painter.fillRect(QRectF(left, bar.top(), right - left, bar.height()), QColor(*colour))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    font = fonts.at(10)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    for stop in legend.stops:
        x = bar.left() + stop.utilization * bar.width()
        marked = bool(stop.mark)
        painter.setPen(QPen(QColor(theme.text if marked else theme.muted), 1.0))
        painter.drawLine(QPointF(x, bar.bottom()), QPointF(x, bar.bottom() + (5 if marked else 3)))
        width = metrics.horizontalAdvance(stop.text)
        place = min(x - width / 2, bar.right() + INSET_PX + 6 - width)  # a long one keeps to the plate
        painter.drawText(QPointF(place, bar.bottom() + 5 + metrics.ascent()), stop.text)
    if legend.busiest is not None:
        x = bar.left() + min(1.0, legend.busiest) * bar.width()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.text))
        tip, top = bar.top() - 1, bar.top() - 6
        painter.drawPolygon([QPointF(x, tip), QPointF(x - 3.5, top), QPointF(x + 3.5, top)])


def _paint_keys(painter: QPainter, legend: Legend, theme: Theme, fonts: Fonts, plate: QRectF) -> None:
    font = fonts.at(10)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    x, y = plate.left() + INSET_PX, plate.top() + KEYS_TOP_PX
    for key in legend.keys:
        painter.setPen(QPen(QColor(key.colour_in(theme)), max(1.0, key.width)))
        painter.drawLine(QPointF(x, y), QPointF(x + KEY_LENGTH_PX, y))
        painter.setPen(QColor(theme.muted))
        x += KEY_LENGTH_PX + 4
        painter.drawText(QPointF(x, y + 3.5), key.text)
        x += metrics.horizontalAdvance(key.text) + KEY_GAP_PX
