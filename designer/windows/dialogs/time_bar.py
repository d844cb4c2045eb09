"""A bar of where the time of a training step goes, with its legend."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.panels.widgets.appearance import Appearance
from designer.simulation.communication import Part
from designer.units import format_time

COLOURS = {
    "compute": "#4477aa",
    "tensor": "#ee8866",
    "expert": "#aa3377",
    "pipeline": "#44bb99",
    "bubble": "#bbbbbb",
    "data": "#ccaa33",
    "memory": "#66ccee",
}
"""Color-blind safe: P. Tol's qualitative schemes."""
BAR_PX, SWATCH_PX, GAP_PX = 26, 10, 18


class TimeBar(QWidget):
    """Parts in their order, as wide as they take long; the legend wraps below."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.parts: tuple[Part, ...] = ()
        self.setAccessibleName("Where the time of a step goes")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        appearance.changed.connect(self.update)

    def show_parts(self, parts: tuple[Part, ...]) -> None:
        """Show these parts of a step, in their order."""
        self.parts = parts
        self.setAccessibleDescription(", ".join(self._legend(part) for part in parts))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """420 pixels wide, as high as the legend needs at that width."""
        return QSize(420, self.heightForWidth(420))

    def minimumSizeHint(self) -> QSize:
        """240 pixels wide and as high as the bar alone."""
        return QSize(240, BAR_PX)

    def heightForWidth(self, width: int) -> int:
        """Height in pixels of the bar with its legend wrapped to that width."""
        places = self._legend_places(width)
        lines = 1 + max((round(place.y()) for place in places), default=0)
        return BAR_PX + 10 + lines * (self.fontMetrics().height() + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the parts as wide as their share of the time, and the legend below."""
        painter = QPainter(self)
        total_s = sum(part.time_s for part in self.parts)
        painter.fillRect(QRectF(0, 0, self.width(), BAR_PX), self._appearance.colour("hover"))
        left, line = 0.0, self.fontMetrics().height() + 6
        for part, place in zip(self.parts, self._legend_places(self.width()), strict=True):
            colour = QColor(COLOURS[part.name])
            width = self.width() * part.time_s / total_s if total_s else 0.0
            painter.fillRect(QRectF(left, 0, width, BAR_PX), colour)
            share = f"{100 * part.time_s / total_s:.0f} %" if total_s else ""
            if width > self.fontMetrics().horizontalAdvance(share) + 8:
                painter.setPen(QColor("#ffffff" if colour.lightnessF() < 0.5 else "#1b1f24"))
                painter.drawText(QRectF(left, 0, width, BAR_PX), Qt.AlignmentFlag.AlignCenter, share)
            left += width
            top = BAR_PX + 10 + place.y() * line
            painter.fillRect(QRectF(place.x(), top + (line - 6 - SWATCH_PX) / 2, SWATCH_PX, SWATCH_PX), colour)
            painter.setPen(self._appearance.colour("text"))
            words = QRectF(place.x() + SWATCH_PX + 6, top, self.width(), line - 6)
            painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._legend(part))
        painter.end()

    def _legend(self, part: Part) -> str:
        return f"{part.title} {format_time(part.time_s)}"

    def _legend_places(self, width: int) -> list[QPointF]:
        """(x in px, number of the line) of each part."""
        places, x, line = [], 0.0, 0
        for part in self.parts:
            needed = SWATCH_PX + 6 + self.fontMetrics().horizontalAdvance(self._legend(part))
            if x and x + needed > width:
                x, line = 0.0, line + 1
            places.append(QPointF(x, line))
            x += needed + GAP_PX
        return places
