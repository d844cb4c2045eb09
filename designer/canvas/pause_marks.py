"""How far pauses reach, over the heat: paused cables hatched across, densest at the hot port, which is ringed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.batches import clipped, draw_lines
from designer.canvas.marks import Frame

if TYPE_CHECKING:
    from designer.simulation.victims import Congestion

MOST_CABLES = 6000
"""Nearest to the hot ports first."""
HATCH_PX = 9.0
TICK_PX = 1.6
GAPS_PX = (3.0, 7.0, 12.0, 18.0)
"""Between two ticks, by distance; the last one also beyond."""
RINGS = 40
RING_PX = 7.0


@dataclass(frozen=True, slots=True)
class PauseReach:
    """Links by distance from their hot port, nearest first, and hot ports as links with the end that sends."""

    by_distance: tuple[tuple[str, ...], ...]
    hot: tuple[tuple[str, str], ...]
    """(link id, name of the device that sends)."""


def reach_of(found: "Congestion | None") -> PauseReach | None:
    """What to mark; None where nothing is paused."""
    if found is None or not found.pauses:
        return None
    nearest: dict[str, int] = {}
    for pause in found.pauses[:MOST_CABLES]:
        if pause.place.link_id is not None:
            nearest.setdefault(pause.place.link_id, pause.distance)
    farthest = max(nearest.values(), default=0)
    by_distance = tuple(
        tuple(link for link, distance in nearest.items() if distance == at) for at in range(1, farthest + 1)
    )
    hot = tuple(
        (port.place.link_id, port.place.source) for port in found.hot_ports[:RINGS] if port.place.link_id is not None
    )
    return PauseReach(by_distance, hot)


def paint_pauses(painter: QPainter, frame: Frame, reach: PauseReach) -> None:
    """Ticks across every line that holds a paused cable, and a ring where a hot port sends."""
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
    painter.setPen(QPen(QColor(frame.theme.error), 2.5))
    for link_id, sender in reach.hot:
        line = frame.link(link_id)
        if line is not None:
            painter.drawEllipse(_near_sender(frame, line, link_id, sender), RING_PX, RING_PX)


def _near_sender(frame: Frame, line: QLineF, link_id: str, sender: str) -> QPointF:
    """A little way along the cable from the device that sends."""
    design = frame.composition.design
    a_sends = design.device(design.links[link_id].a.device_id).name == sender
    start, end = (line.p1(), line.p2()) if a_sends else (line.p2(), line.p1())
    length = max(line.length(), 1.0)
    return start + (end - start) * min(0.5, 14.0 / length)
