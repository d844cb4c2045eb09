"""The color scale of the heat, with numbers."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.drawing.heat import BUCKETS, LEGEND_STOPS, bucket_colours, stops_of
from designer.panels.widgets.appearance import Appearance
from designer.session.session import Session

BAR_PX = 10


class HeatLegend(QWidget):
    """A bar from idle to saturated; a mark shows the hottest link."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Heat legend")
        session.workbench.heat_view.changed.connect(self.update)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """240 pixels wide, with room for the bar and one line of numbers."""
        return QSize(240, BAR_PX + 12 + self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """160 pixels wide, as high as it wants to be."""
        return QSize(160, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the colors from idle to saturated, their numbers, and a mark at the busiest link."""
        painter = QPainter(self)
        inset = self.fontMetrics().horizontalAdvance(LEGEND_STOPS[-1].text) / 2 + 1
        bar = QRectF(inset, 6, self.width() - 2 * inset, BAR_PX)
        step = bar.width() / BUCKETS
        for bucket, colour in enumerate(bucket_colours(self._appearance.theme)):
            painter.fillRect(QRectF(bar.left() + bucket * step, bar.top(), step + 0.5, bar.height()), QColor(*colour))
        painter.setPen(self._appearance.colour("muted"))
        heat = self._session.workbench.heat_view.heat
        for stop in stops_of(heat) if heat is not None else LEGEND_STOPS:
            x = bar.left() + stop.utilization * bar.width()
            width = self.fontMetrics().horizontalAdvance(stop.text) + 2
            left = min(x - width / 2, self.width() - width)
            place = QRectF(left, bar.bottom() + 3, width, self.fontMetrics().height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, stop.text)
        busiest = heat.busiest if heat is not None else None
        if busiest is not None:
            x = bar.left() + min(1.0, busiest) * bar.width()
            painter.setPen(QPen(self._appearance.colour("text"), 2))
            painter.drawLine(round(x), 2, round(x), round(bar.bottom()) + 2)
        painter.end()
