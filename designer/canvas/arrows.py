"""Arrows on the lines of single directions: which way the traffic goes, once one is near enough to see both."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from designer.drawing.camera import Camera
from designer.drawing.display_list import Picture

MOST_ARROWS = 400
"""With more links in view, arrows would be all there is to see."""
ARROW_PX = 9.0
ARROW_PLACE = 0.72
"""Where on a line its arrow stands: those of the two directions of a link stand apart."""
LEAST_LINE_PX = 60.0


def paint_arrows(painter: QPainter, picture: Picture, camera: Camera, shown: NDArray[np.bool_]) -> None:
    """An arrow on each direction of the shown lines that carries anything, in its heat's colour."""
    if not picture.detail.both_ways or np.count_nonzero(shown) > MOST_ARROWS:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    for stroke in picture.directions(camera.scale, shown):
        xy = camera.points_to_view(stroke.xy)
        along = xy[:, 2:] - xy[:, :2]
        length = np.hypot(along[:, 0], along[:, 1])
        rows = length >= LEAST_LINE_PX
        unit = along[rows] / length[rows, None]
        tip = xy[rows, :2] + along[rows] * ARROW_PLACE + unit * ARROW_PX
        side = np.stack((-unit[:, 1], unit[:, 0]), axis=1) * (ARROW_PX / 2)
        foot = tip - unit * ARROW_PX
        painter.setBrush(QColor(stroke.colour))
        for corners in np.stack((tip, foot + side, foot - side), axis=1).tolist():
            painter.drawPolygon([QPointF(x, y) for x, y in corners])
