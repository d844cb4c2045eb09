"""How far pauses reach, over the heat: paused cables hatched across, densest at the hot port; its device outlined."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.batches import clipped, draw_lines
from designer.canvas.marks import Frame
from designer.drawing.overlay import GAPS_PX, PauseReach

HATCH_PX = 9.0
TICK_PX = 1.6
OUTLINE_PX = 2.5


def paint_pauses(painter: QPainter, frame: Frame, reach: PauseReach) -> None:
    """Ticks across every line that holds a paused cable, and an outline around the devices with hot ports."""
    composition = frame.composition
    lines = composition.lines(frame.detail)
    colour = QColor(frame.theme.text)
    colour.setAlphaF(0.75)
    for number, links in enumerate(reach.by_distance):
        gap = GAPS_PX[min(number, len(GAPS_PX) - 1)]
        pen = QPen(colour, HATCH_PX)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([TICK_PX / HATCH_PX, gap / HATCH_PX])
        painter.setPen(pen)
        holding = lines.holding(composition.chosen_links(links))
        draw_lines(painter, clipped(frame.camera.points_to_view(lines.xy[holding])))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(frame.theme.error), OUTLINE_PX))
    for device_id in reach.hot:
        box = frame.box(device_id)
        if box is not None:
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 6, 6)
