"""What curves and points of a plot are: entries in a row above it, in as many rows as they need."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget


class Symbol(NamedTuple):
    """What points look like: an outline one wide and high, its size, and what it is drawn with."""

    outline: QPainterPath
    size_px: float
    brush: QBrush
    pen: QPen


Entry = tuple[QPen | Symbol, str]
"""The pen of a curve or the symbol of points, and what it is called."""

FONT_PX = 11
SAMPLE_PX, AFTER_SAMPLE_PX, BETWEEN_PX = 24.0, 6.0, 14.0
ROW_PX = 17.0
HIGHEST = 0.45
"""Of the plot: what has no room in it is counted."""


class PlotLegend(QGraphicsItem):
    """Laid out again for each width. Never over a curve."""

    def __init__(self, parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self._entries: Sequence[Entry] = ()
        self._colour = QColor()
        self._font = QFont()
        self._font.setPixelSize(FONT_PX)
        self._places: list[tuple[float, float]] = []
        self._rect = QRectF()

    def show_entries(self, entries: Sequence[Entry], colour: QColor) -> None:
        """Show these entries with names in that color, once they are laid out for a width."""
        self.prepareGeometryChange()
        self._entries, self._colour = tuple(entries), colour
        self._places, self._rect = [], QRectF()

    def fit(self, width: float, plot_height: float) -> float:
        """Lay the entries out over that width; returns the height they take of a plot that high."""
        metrics = QFontMetricsF(self._font)
        most_rows = max(1, int(HIGHEST * plot_height / ROW_PX))
        tail = BETWEEN_PX + metrics.horizontalAdvance(self._tail(len(self._entries)))
        self._places, x, row = [], 0.0, 0
        for number, (_, name) in enumerate(self._entries):
            wide = SAMPLE_PX + AFTER_SAMPLE_PX + metrics.horizontalAdvance(name)
            is_last = number == len(self._entries) - 1
            room = width - (tail if row == most_rows - 1 and not is_last else 0.0)
            if x > 0 and x + wide > room:
                if row == most_rows - 1:
                    break
                x, row = 0.0, row + 1
            self._places.append((x, row * ROW_PX))
            x += wide + BETWEEN_PX
        self.prepareGeometryChange()
        self._rect = QRectF(0, 0, width, (row + 1) * ROW_PX if self._entries else 0.0)
        self.update()
        return self._rect.height()

    @property
    def n_left_out(self) -> int:
        """How many entries have no room."""
        return len(self._entries) - len(self._places)

    def boundingRect(self) -> QRectF:
        """The rows it was laid out in, in its own coordinates."""
        return self._rect

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint a sample and a name for each entry, then how many more there are without room."""
        metrics = QFontMetricsF(self._font)
        baseline = (ROW_PX + metrics.ascent() - metrics.descent()) / 2
        painter.setFont(self._font)
        end = 0.0
        for (sample, name), (x, y) in zip(self._entries, self._places, strict=False):
            if isinstance(sample, Symbol):
                _draw(painter, sample, QPointF(x + SAMPLE_PX / 2, y + ROW_PX / 2))
            else:
                painter.setPen(sample)
                painter.drawLine(QPointF(x, y + ROW_PX / 2), QPointF(x + SAMPLE_PX, y + ROW_PX / 2))
            painter.setPen(self._colour)
            end = x + SAMPLE_PX + AFTER_SAMPLE_PX
            painter.drawText(QPointF(end, y + baseline), name)
            end += metrics.horizontalAdvance(name) + BETWEEN_PX
        if self.n_left_out:
            painter.drawText(QPointF(end, self._places[-1][1] + baseline), self._tail(self.n_left_out))

    def _tail(self, count: int) -> str:
        return f"and {count} more"


def _draw(painter: QPainter, symbol: Symbol, at: QPointF) -> None:
    """One symbol with its middle there; its pen is as wide as it says, whatever the size."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(symbol.pen)
    painter.setBrush(symbol.brush)
    painter.drawPath(QTransform.fromScale(symbol.size_px, symbol.size_px).map(symbol.outline).translated(at))
    painter.restore()
