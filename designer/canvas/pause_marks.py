"""How far pauses reach, over the heat: paused cables hatched across, densest at the hot port; its device outlined."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.batches import clipped, draw_lines
from designer.canvas.marks import Frame
from designer.model.design import Design

if TYPE_CHECKING:
    from designer.simulation.victims import Congestion

MOST_CABLES = 6000
"""Nearest to the hot ports first."""
HATCH_PX = 9.0
TICK_PX = 1.6
GAPS_PX = (3.0, 7.0, 12.0, 18.0)
"""Between two ticks, by distance; the last one also beyond."""
MOST_OUTLINES = 40
OUTLINE_PX = 2.5


@dataclass(frozen=True, slots=True)
class PauseReach:
    """Links by distance from their hot port, nearest first, and the devices with hot ports."""

    by_distance: tuple[tuple[str, ...], ...]
    hot: tuple[str, ...]


def reach_of(found: "Congestion | None", design: Design) -> PauseReach | None:
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
    hot = []
    for port in found.hot_ports[:MOST_OUTLINES]:
        link = design.links.get(port.place.link_id or "")
        if link is not None:
            ends = (link.a.device_id, link.b.device_id)
            hot += [one for one in ends if design.device(one).name == port.place.source]
    return PauseReach(by_distance, tuple(dict.fromkeys(hot)))


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
