"""What a drag comes into line with: boxes and annotations in view that stay where they are, and lines that show it."""

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.sight import Sight
from designer.canvas.snapping import SNAP_PX, Snap, snapped
from designer.drawing.bundles import Floats
from designer.drawing.composition import Composition
from designer.drawing.geometry import Rect
from designer.session.drafting import Drafting


def box_of(composition: Composition, entity_id: str | None) -> Floats | None:
    """Left, top, width and height of a device or annotation as drawn; None for what is neither."""
    row = composition.projection.row_of.get(entity_id or "")
    if row is not None:
        return np.asarray(composition.boxes[row])
    rect = composition.notes.rect_of(entity_id or "")
    return _as_box(rect) if rect is not None else None


def neighbours(composition: Composition, going: Collection[str], sight: Sight) -> Floats:
    """The boxes in view, (n, 4): left, top, width, height, of devices and annotations that are not going."""
    projection, boxes = composition.projection, composition.boxes
    left, top, right, bottom = sight.seen()
    x, y, width, height = boxes.T
    stays = (x <= right) & (x + width >= left) & (y <= bottom) & (y + height >= top)
    stays[[projection.row_of[one] for one in going if one in projection.row_of]] = False
    away = set(going)
    notes = [_as_box(one.rect) for one in composition.notes.seen if one.note.id not in away]
    seen = [box for box in notes if box[0] <= right and box[0] + box[2] >= left]
    seen = [box for box in seen if box[1] <= bottom and box[1] + box[3] >= top]
    return np.concatenate((boxes[stays], np.array(seen, np.float64).reshape(-1, 4)))


def into_line(composition: Composition, going: Collection[str], box: Floats, sight: Sight, drafting: Drafting) -> Snap:
    """The rest of the way of a box into line with what is in view and stays, or to the grid, as `drafting` says."""
    others = neighbours(composition, going, sight) if drafting.to_neighbours else composition.boxes[:0]
    return snapped(others, box, SNAP_PX / sight.camera.scale, drafting.snap_grid)


def paint_guides(painter: QPainter, snap: Snap, sight: Sight) -> None:
    """The lines to what a drag is in line with."""
    painter.setPen(QPen(QColor(sight.theme.accent), 1.0, Qt.PenStyle.DashLine))
    for x1, y1, x2, y2 in snap.guides:
        painter.drawLine(QLineF(sight.point_px(x1, y1), sight.point_px(x2, y2)))


def _as_box(rect: Rect) -> Floats:
    left, top, right, bottom = rect
    return np.array((left, top, right - left, bottom - top))
