"""Which servers belong to which job: a coloured foot on each, or the whole box where it is small."""

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from designer.canvas.batches import draw_rects
from designer.canvas.marks import Frame
from designer.drawing.job_colours import job_colour

FOOT_SHARE, MOST_FOOT_PX = 0.14, 6.0
LEAST_BOX_PX = 14.0
# Lower boxes are coloured whole.
TINT = 0.75


def paint_job_marks(painter: QPainter, frame: Frame, servers: Mapping[int, Sequence[str]], height_px: float) -> None:
    """`servers` are device ids by the number of their job's colour; one in several jobs has a foot shared by them."""
    row_of, boxes = frame.composition.projection.row_of, frame.composition.boxes
    of_row: dict[int, list[int]] = {}
    for colour, ids in servers.items():
        for one in ids:
            row = row_of.get(one)
            if row is not None:
                of_row.setdefault(row, []).append(colour)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for colour in servers:
        own = [(row, colours) for row, colours in of_row.items() if colour in colours]
        if not own:
            continue
        rows = np.array([row for row, _ in own])
        rects = frame.camera.points_to_view(boxes[rows])
        rects[:, 2:] = boxes[rows, 2:] * frame.camera.scale
        seen = (rects[:, 1] + rects[:, 3] >= 0) & (rects[:, 1] <= height_px)
        parts = np.array([len(colours) for _, colours in own], dtype=float)
        place = np.array([colours.index(colour) for _, colours in own], dtype=float)
        rects[:, 2] = np.maximum(rects[:, 2], 1.0) / parts
        rects[:, 0] += rects[:, 2] * place
        tall = rects[:, 3] >= LEAST_BOX_PX
        foot = np.minimum(np.maximum(FOOT_SHARE * rects[:, 3], 3.0), MOST_FOOT_PX)
        rects[tall, 1] += (rects[:, 3] - foot)[tall]
        rects[tall, 3] = foot[tall]
        for chosen, alpha in ((tall & seen, 1.0), (~tall & seen, TINT)):
            shade = QColor(job_colour(colour))
            shade.setAlphaF(alpha)
            painter.setBrush(shade)
            draw_rects(painter, rects[chosen])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
