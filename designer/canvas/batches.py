"""Many lines or rectangles in one call of QPainter, read straight from numpy's memory."""

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter

from designer.drawing.bundles import Floats

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
    if not len(xy) or float(np.abs(xy).max()) <= FARTHEST_PX:
        return xy
    start, along = xy[:, :2], xy[:, 2:] - xy[:, :2]
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (-FARTHEST_PX - start) / along, (FARTHEST_PX - start) / along
    enter = np.clip(np.nan_to_num(np.minimum(low, high), nan=0.0, neginf=0.0).max(axis=1), 0, 1)
    leave = np.clip(np.nan_to_num(np.maximum(low, high), nan=1.0, posinf=1.0).min(axis=1), 0, 1)
    kept = enter < leave
    cut = np.hstack((start + along * enter[:, None], start + along * leave[:, None]))
    return np.asarray(cut[kept])
