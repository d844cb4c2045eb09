"""Which servers belong to which job: a coloured foot on each, or the whole box where it is small."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from designer.canvas.batches import draw_rects
from designer.canvas.marks import Frame

FOOT_SHARE, LEAST_FOOT_PX, MOST_FOOT_PX = 0.14, 3.0, 6.0
LEAST_BOX_PX = 14.0
# Lower boxes are coloured whole; those that bear a name lightly enough that it is read.
TINT, TINT_OVER_NAMES = 0.9, 0.55


class JobMarks:
    """Remembers where on the drawing the servers are, until the design or the jobs change."""

    def __init__(self) -> None:
        self._of: tuple[object, int] = (None, -1)
        self._marks: dict[str, NDArray[np.int64]] = {}

    def paint(
        self, painter: QPainter, frame: Frame, servers: Mapping[str, Sequence[str]], revision: int, height_px: float
    ) -> None:
        """`servers` are device ids by the colour of their job; one in several jobs has a foot they share."""
        if (servers, revision) != self._of:
            self._of = (dict(servers), revision)
            self._marks = _marks(frame, servers)
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
            foot = np.clip(FOOT_SHARE * rects[:, 3], LEAST_FOOT_PX, MOST_FOOT_PX)
            rects[tall, 1] += (rects[:, 3] - foot)[tall]
            rects[tall, 3] = foot[tall]
            tint = TINT_OVER_NAMES if frame.detail.names else TINT
            for chosen, alpha in ((tall & seen, 1.0), (~tall & seen, tint)):
                shade = QColor(colour)
                shade.setAlphaF(alpha)
                painter.setBrush(shade)
                draw_rects(painter, rects[chosen])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _marks(frame: Frame, servers: Mapping[str, Sequence[str]]) -> dict[str, NDArray[np.int64]]:
    """By colour three rows: numbers of boxes, which part of the box is the job's, and of how many parts."""
    row_of = frame.composition.projection.row_of
    colours_of: dict[int, list[str]] = {}
    for colour, ids in servers.items():
        for one in ids:
            if one in row_of:
                colours_of.setdefault(row_of[one], []).append(colour)
    found: dict[str, list[tuple[int, int, int]]] = {}
    for row, own in colours_of.items():
        for place, colour in enumerate(own):
            found.setdefault(colour, []).append((row, place, len(own)))
    return {colour: np.array(marks, dtype=np.int64).T for colour, marks in found.items()}
