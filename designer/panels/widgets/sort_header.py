"""Headings of tables that say which column rows are sorted by, without moving or covering any heading."""

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPalette, QPolygonF
from PySide6.QtWidgets import QHeaderView, QWidget

MARK_PX, MARK_HIGH_PX, ABOVE_PX = 8, 4, 1
"""The mark stands above the middle of a heading, where no text is."""


class SortHeader(QHeaderView):
    """Qt's own mark would widen every heading, and is painted over the texts of those that end flush."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setSectionsMovable(True)
        self.marked: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)
        """The column that rows are sorted by, -1 for none, and which way."""

    def mark(self, section: int, order: Qt.SortOrder) -> None:
        """Show by which column rows are sorted, and which way; -1 for none."""
        self.marked = (section, order)
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Paint a heading, and the mark above it where rows are sorted by it."""
        painter.save()
        super().paintSection(painter, rect, logicalIndex)
        painter.restore()
        section, order = self.marked
        if logicalIndex != section:
            return
        middle, top = rect.center().x() + 0.5, rect.top() + ABOVE_PX
        foot = top + MARK_HIGH_PX
        tip, base = (top, foot) if order == Qt.SortOrder.AscendingOrder else (foot, top)
        half = MARK_PX / 2
        shape = QPolygonF([QPointF(middle, tip), QPointF(middle - half, base), QPointF(middle + half, base)])
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().color(QPalette.ColorRole.Text))
        painter.drawPolygon(shape)
        painter.restore()
