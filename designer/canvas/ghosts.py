"""Ghosts: lines and boxes of an edit that has not been done yet."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.batches import clipped, draw_lines
from designer.canvas.marks import Frame
from designer.canvas.sight import seen_rect
from designer.drawing.arches import arches
from designer.drawing.bundles import Floats, bundled
from designer.drawing.geometry import anchors
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Link, Placement, Rack
from designer.model.hardware import SwitchType
from designer.placement.metrics import RACK_SIZE, box_size

MOST_LINES = 20_000
"""More pairs of devices than this are not all drawn: no eye would tell."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Ghosts:
    """In canvas units: one line for each pair of devices that would be joined, and the boxes that would come."""

    lines: Floats  # (n, 4)
    boxes: tuple[Box, ...]  # centre x, centre y, width, height


def ghosts_of(design: Design, edit: Edit) -> Ghosts:
    """What an edit would draw, over the design as it stands."""
    boxes = _new_boxes(design, edit)
    racks = _new_racks(edit)
    pairs: dict[tuple[str, str], None] = {}
    for change in edit.changes:
        if change.before is None and isinstance(change.after, Link) and len(pairs) < MOST_LINES:
            pairs.setdefault((change.after.a.device_id, change.after.b.device_id))
    return Ghosts(_lines(design, list(pairs), boxes), (*racks, *boxes.values()))


def moves_of(edit: Edit) -> dict[str, tuple[float, float]]:
    """How far an edit moves what stands on the canvas, by id."""
    return {
        change.after.id: (change.after.x - change.before.x, change.after.y - change.before.y)
        for change in edit.changes
        if isinstance(change.before, Placement) and isinstance(change.after, Placement)
    }


def paint_ghosts(painter: QPainter, frame: Frame, ghosts: Ghosts) -> None:
    """Dashed in the accent colour, so that nothing is taken for done."""
    colour = QColor(frame.theme.accent)
    colour.setAlphaF(0.85 if len(ghosts.lines) < 400 else 0.45)
    painter.setPen(QPen(colour, 1.4, Qt.PenStyle.DashLine))
    draw_lines(painter, clipped(frame.camera.points_to_view(ghosts.lines)))
    fill = QColor(frame.theme.accent)
    fill.setAlphaF(0.12)
    painter.setBrush(fill)
    for x, y, width, height in ghosts.boxes:
        rect = seen_rect(frame.camera, (x - width / 2, y - height / 2, x + width / 2, y + height / 2))
        painter.drawRoundedRect(QRectF(rect), 4, 4)


def _lines(design: Design, pairs: list[tuple[str, str]], new: dict[str, Box]) -> Floats:
    """Straight from box to box, and beside the boxes that stand between two in a row or column, as links are drawn."""
    standing = {one: box for one in design.devices if (box := _box(design, one)) is not None} | new
    row_of = {one: row for row, one in enumerate(standing)}
    joined = [(a, b) for a, b in pairs if a in row_of and b in row_of]
    straight = np.array([_between(standing[a], standing[b]) for a, b in joined], float).reshape(-1, 4)
    every = np.array(list(standing.values())).reshape(-1, 4)
    centres, sizes = every[:, :2], every[:, 2:]
    bundles = bundled(np.array([(row_of[a], row_of[b]) for a, b in joined], np.int32).reshape(-1, 2))
    of_server = (sizes[bundles.pairs, 0] == box_size(is_switch=False)[0]).any(axis=1)
    beside = arches(bundles, centres, sizes, of_server)
    if beside is None:
        return straight
    ends = anchors(centres, sizes, bundles, beside).bundles[beside.numbers]
    kept = ~np.isin(bundles.of_link, beside.numbers)
    return np.concatenate((straight[kept], beside.lines(ends).reshape(-1, 4)))


def _new_boxes(design: Design, edit: Edit) -> dict[str, Box]:
    after = [change.after for change in edit.changes if change.before is None]
    types = {one.id for one in after if isinstance(one, SwitchType)}
    new = {one.id: one for one in after if isinstance(one, Device)}
    boxes = {}
    for one in after:
        if isinstance(one, Placement) and one.id in new:
            type_id = new[one.id].type_id
            is_switch = type_id in types or isinstance(design.types.get(type_id), SwitchType)
            boxes[one.id] = (one.x, one.y, *box_size(is_switch))
    return boxes


def _new_racks(edit: Edit) -> list[Box]:
    after = [change.after for change in edit.changes if change.before is None]
    racks = {one.id for one in after if isinstance(one, Rack)}
    return [(one.x, one.y, *RACK_SIZE) for one in after if isinstance(one, Placement) and one.id in racks]


def _box(design: Design, device_id: str) -> Box | None:
    place = design.placements.get(device_id)
    return None if place is None else (place.x, place.y, *box_size(design.is_switch(device_id)))


def _between(a: Box, b: Box) -> Box:
    """From the side of one box that faces the other to the side of the other that faces back."""
    ax, ay = _facing(a, b)
    bx, by = _facing(b, a)
    return ax, ay, bx, by


def _facing(box: Box, other: Box) -> tuple[float, float]:
    x, y, width, height = box
    if not _side_by_side(box, other):
        return x, y + (height / 2 if other[1] > y else -height / 2)
    return x + (width / 2 if other[0] > x else -width / 2), y


def _side_by_side(box: Box, other: Box) -> bool:
    return abs(other[1] - box[1]) <= box[3]
