"""Which servers belong to which job: a coloured foot on each, or the whole box where it is small."""

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from designer.canvas.batches import draw_rects
from designer.canvas.marks import Frame
from designer.drawing.job_feet import FOOT_SHARE, LEAST_FOOT, MOST_FOOT, JobFeet, job_feet

LEAST_BOX_PX = 14.0
# Lower boxes are coloured whole; those that bear a name lightly enough that it is read.
TINT, TINT_OVER_NAMES = 0.9, 0.35


class JobMarks:
    """Remembers where on the drawing the servers are, until the design or the jobs change."""

    def __init__(self) -> None:
        self._of: tuple[object, int] = (None, -1)
        self._marks: JobFeet = {}

    def paint(
        self, painter: QPainter, frame: Frame, servers: Mapping[str, Sequence[str]], revision: int, height_px: float
    ) -> None:
        """`servers` are device ids by the colour of their job; one in several jobs has a foot they share."""
        if (servers, revision) != self._of:
            self._of = (dict(servers), revision)
            self._marks = job_feet(frame.composition.projection.row_of, servers)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for colour, (rows, place, parts) in self._marks.items():
            boxes = frame.composition.boxes[rows]
            rects = frame.camera.points_to_view(boxes)
            rects[:, 2:] = boxes[:, 2:] * frame.camera.scale
            seen = (rects[:, 1] + rects[:, 3] >= 0) & (rects[:, 1] <= height_px)
            rects[:, 2] = np.maximum(rects[:, 2], 1.0) / parts
            rects[:, 0] += rects[:, 2] * place
            tall = rects[:, 3] >= LEAST_BOX_PX
            foot = np.clip(FOOT_SHARE * rects[:, 3], LEAST_FOOT, MOST_FOOT)
            rects[tall, 1] += (rects[:, 3] - foot)[tall]
            rects[tall, 3] = foot[tall]
            tint = TINT_OVER_NAMES if frame.detail.names else TINT
            for chosen, alpha in ((tall & seen, 1.0), (~tall & seen, tint)):
                shade = QColor(colour)
                shade.setAlphaF(alpha)
                painter.setBrush(shade)
                draw_rects(painter, rects[chosen])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
