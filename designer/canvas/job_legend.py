"""Which colour on the servers is which job: one line at the foot of the drawing."""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from designer.canvas.glyphs import Fonts, fitted
from designer.canvas.legend import paint_plate
from designer.drawing.job_names import AFTER_SWATCH, GAP, HEIGHT, INSET, NAME_MOST, NAME_SIZE, SWATCH, job_names
from designer.drawing.theme import Theme
from designer.model.entities import PlacedJob

BETWEEN_LEGENDS_PX = 10.0


def paint_job_legend(
    painter: QPainter, jobs: Iterable[PlacedJob], theme: Theme, font: QFont, left: float, bottom: float, room_px: float
) -> None:
    """A plate with the names of the jobs, its left bottom corner at that point; those without room are counted."""
    small = Fonts(font).at(NAME_SIZE)
    metrics = QFontMetricsF(small)
    line = job_names(jobs, room_px, lambda name: fitted(name, metrics, NAME_MOST), metrics.horizontalAdvance)
    if not line.entries:
        return
    plate = QRectF(left, bottom - HEIGHT, line.width, HEIGHT)
    paint_plate(painter, plate, theme)
    painter.setFont(small)
    middle, x = plate.center().y(), plate.left() + INSET
    baseline = middle + (metrics.ascent() - metrics.descent()) / 2
    for entry in line.entries:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(entry.colour))
        painter.drawRect(QRectF(x, middle - SWATCH / 2, SWATCH, SWATCH))
        painter.setPen(QColor(theme.text))
        painter.drawText(QPointF(x + SWATCH + AFTER_SWATCH, baseline), entry.name)
        x += entry.width + GAP
    painter.setPen(QColor(theme.muted))
    painter.drawText(QPointF(x, baseline), line.tail)
