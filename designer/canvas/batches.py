"""Many lines or rectangles in one call of QPainter, read straight from numpy's memory."""

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter

from designer.drawing.bundles import Flags, Floats

FARTHEST_PX = 20_000.0
"""Coordinates beyond this are cut off: the rasteriser is slow and inexact far outside its image."""


def draw_lines(painter: QPainter, xy: Floats) -> None:
    """Draw lines, (n, 4) in pixels, with the painter's pen."""
    if len(xy):
        memory = np.ascontiguousarray(xy, np.float64)
        painter.drawLines(shiboken6.wrapInstance(memory.ctypes.data, QLineF), len(memory))  # type: ignore[call-overload]


def draw_rects(painter: QPainter, rects: Floats) -> None:
    """Draw rectangles, (n, 4) as left, top, width, height in pixels, with the painter's pen and brush."""
    if len(rects):
        memory = np.ascontiguousarray(rects, np.float64)
        painter.drawRects(shiboken6.wrapInstance(memory.ctypes.data, QRectF), len(memory))  # type: ignore[call-overload]


def clipped(xy: Floats) -> Floats:
    """Lines cut off at FARTHEST_PX, so that a deep zoom stays exact."""
    if not len(xy) or (float(xy.max()) <= FARTHEST_PX and float(xy.min()) >= -FARTHEST_PX):
        return xy
    far = np.abs(xy) > FARTHEST_PX
    is_far = far[:, 0] | far[:, 1] | far[:, 2] | far[:, 3]
    found, keeps = np.empty_like(xy), ~is_far
    found[:, :2], found[:, 2:] = xy[:, :2], xy[:, :2] + (xy[:, 2:] - xy[:, :2])  # as those that are cut come out
    found[is_far], keeps[is_far] = _cut(xy[is_far])
    return found if keeps.all() else found[keeps]


def _cut(xy: Floats) -> tuple[Floats, Flags]:
    """The part of each line within FARTHEST_PX, and which lines have one."""
    start, along = xy[:, :2], xy[:, 2:] - xy[:, :2]
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (-FARTHEST_PX - start) / along, (FARTHEST_PX - start) / along
    enters, leaves = np.minimum(low, high), np.maximum(low, high)
    flat = ~(np.isfinite(enters) & np.isfinite(leaves))  # along one of the axes: inside from end to end, or nowhere
    if flat.any():
        enters[flat] = np.nan_to_num(enters[flat], nan=0.0, neginf=0.0)
        leaves[flat] = np.nan_to_num(leaves[flat], nan=1.0, posinf=1.0)
    enter = np.clip(np.maximum(enters[:, 0], enters[:, 1]), 0, 1)
    leave = np.clip(np.minimum(leaves[:, 0], leaves[:, 1]), 0, 1)
    cut = np.empty_like(xy)
    cut[:, :2], cut[:, 2:] = start + along * enter[:, None], start + along * leave[:, None]
    return cut, enter < leave
