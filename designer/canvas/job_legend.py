"""Which colour on the servers is which job: one line at the foot of the drawing."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from designer.canvas.glyphs import Fonts, fitted
from designer.drawing.theme import Theme

HEIGHT_PX = 26.0
INSET_PX, GAP_PX = 12.0, 14.0
SWATCH_PX, AFTER_SWATCH_PX = 9.0, 6.0
NAME_MOST_PX = 130.0
SIZE_PX = 11


def paint_job_legend(
    painter: QPainter, jobs: Sequence[tuple[str, str]], theme: Theme, font: QFont, left: float, bottom: float,
    room_px: float,
) -> None:  # fmt: skip
    """A plate with the names of (name, colour), its left bottom corner at that point; those left over are counted."""
    small = Fonts(font).at(SIZE_PX)
    metrics = QFontMetricsF(small)
    entries, rest = fitting_entries(jobs, metrics, room_px - 2 * INSET_PX)
    if not entries:
        return
    tail = f"+{rest}" if rest else ""
    width = 2 * INSET_PX + sum(width for *_, width in entries) + GAP_PX * (len(entries) - 1)
    width += GAP_PX + metrics.horizontalAdvance(tail) if tail else 0.0
    plate = QRectF(left, bottom - HEIGHT_PX, width, HEIGHT_PX)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paper = QColor(theme.plate)
    paper.setAlphaF(0.94)
    painter.setBrush(paper)
    painter.setPen(QPen(QColor(theme.plate_border), 1))
    painter.drawRoundedRect(plate, 6, 6)
    painter.setFont(small)
    middle, x = plate.center().y(), plate.left() + INSET_PX
    baseline = middle + (metrics.ascent() - metrics.descent()) / 2
    for name, colour, entry_width in entries:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRect(QRectF(x, middle - SWATCH_PX / 2, SWATCH_PX, SWATCH_PX))
        painter.setPen(QColor(theme.text))
        painter.drawText(QPointF(x + SWATCH_PX + AFTER_SWATCH_PX, baseline), name)
        x += entry_width + GAP_PX
    painter.setPen(QColor(theme.muted))
    painter.drawText(QPointF(x, baseline), tail)


def fitting_entries(
    jobs: Sequence[tuple[str, str]], metrics: QFontMetricsF, room_px: float
) -> tuple[list[tuple[str, str, float]], int]:
    """Name, colour and width of the entries there is room for, and how many are left over."""
    entries: list[tuple[str, str, float]] = []
    for number, (whole, colour) in enumerate(jobs):
        name = fitted(whole, metrics, NAME_MOST_PX)
        width = SWATCH_PX + AFTER_SWATCH_PX + metrics.horizontalAdvance(name)
        left = len(jobs) - number - 1
        counted_px = GAP_PX + metrics.horizontalAdvance(f"+{left}") if left else 0.0
        if width + counted_px > room_px:
            return entries, left + 1
        entries.append((name, colour, width))
        room_px -= width + GAP_PX
    return entries, 0
