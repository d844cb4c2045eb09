"""The colour scale of the heat, with numbers."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.panels.appearance import Appearance
from designer.session.session import Session

BAR_PX = 10
STEPS = 24
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


class HeatLegend(QWidget):
    """A bar from idle to saturated; a mark shows the hottest link."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Heat legend")
        session.heat_changed.connect(self.update)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(240, BAR_PX + 12 + self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        from designer.drawing.heat import colour_of

        painter = QPainter(self)
        inset = self.fontMetrics().horizontalAdvance("100%") / 2
        bar = QRectF(inset, 6, self.width() - 2 * inset, BAR_PX)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for step in range(STEPS + 1):
            gradient.setColorAt(step / STEPS, QColor(*colour_of(step / STEPS)))
        painter.fillRect(bar, gradient)
        painter.setPen(self._appearance.colour("muted"))
        for tick in TICKS:
            x = bar.left() + tick * bar.width()
            text = f"{tick:.0%}"
            width = self.fontMetrics().horizontalAdvance(text) + 2
            place = QRectF(x - width / 2, bar.bottom() + 3, width, self.fontMetrics().height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        heat = self._session.heat
        if heat is not None and heat.utilization:
            hottest = min(1.0, max(max(pair) for pair in heat.utilization.values()))
            x = bar.left() + hottest * bar.width()
            painter.setPen(QPen(self._appearance.colour("text"), 2))
            painter.drawLine(round(x), 2, round(x), round(bar.bottom()) + 2)
        painter.end()
