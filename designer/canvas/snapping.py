"""Snapping: a dragged box comes into line with its neighbors, and a guide shows with which."""

from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Floats

SNAP_PX = 6.0
MOST_BOXES = 3000
"""With more boxes around, snapping is left out: everything would catch."""


@dataclass(frozen=True, slots=True)
class Snap:
    """The rest of the way to where a box is in line, and the guides to show: x1, y1, x2, y2 in canvas units."""

    dx: float = 0.0
    dy: float = 0.0
    guides: tuple[tuple[float, float, float, float], ...] = ()


NO_SNAP = Snap()


def snapped(others: Floats, box: Floats, reach: float, grid: float = 0.0) -> Snap:
    """How far a box is from being in line with others: left, centre or right; top, middle or bottom.

    `others` is (n, 4) and `box` (4,): left, top, width, height. Where it is in line with none, its middle goes to the
    next line of a grid that far apart, where there is one.
    """
    if not 0 < len(others) <= MOST_BOXES:
        return Snap(_to_grid(box, 0, grid), _to_grid(box, 1, grid))
    dx, column = _along(others, box, 0, reach)
    dy, row = _along(others, box, 1, reach)
    dx = dx if column is not None else _to_grid(box, 0, grid)
    dy = dy if row is not None else _to_grid(box, 1, grid)
    left, top = float(box[0]) + dx, float(box[1]) + dy
    right, bottom = left + float(box[2]), top + float(box[3])
    guides = []
    if column is not None:
        x, rows = column
        near = others[rows]
        guides.append((x, min(top, float(near[:, 1].min())), x, max(bottom, float((near[:, 1] + near[:, 3]).max()))))
    if row is not None:
        y, rows = row
        near = others[rows]
        guides.append((min(left, float(near[:, 0].min())), y, max(right, float((near[:, 0] + near[:, 2]).max())), y))
    return Snap(dx, dy, tuple(guides))


def _to_grid(box: Floats, axis: int, grid: float) -> float:
    """How far the middle of a box is from the nearest line of a grid."""
    middle = float(box[axis] + box[axis + 2] / 2)
    return round(middle / grid) * grid - middle if grid else 0.0


def _along(others: Floats, box: Floats, axis: int, reach: float) -> tuple[float, tuple[float, list[int]] | None]:
    """The shift along an axis, with the line snapped to and the boxes on it; (0, None) where none is within reach."""
    shares = np.array((0.5, 0.0, 1.0))
    theirs = others[:, axis, None] + shares * others[:, axis + 2, None]
    ours = box[axis] + shares * box[axis + 2]
    gaps = theirs - ours
    nearest = np.abs(gaps).min(axis=0)
    best = int(np.argmin(nearest + np.array((0.0, 1e-6, 1e-6))))  # centres first
    if nearest[best] > reach:
        return 0.0, None
    gap = float(gaps[int(np.argmin(np.abs(gaps[:, best]))), best])
    line = float(ours[best]) + gap
    return gap, (line, np.flatnonzero(np.abs(theirs[:, best] - line) < 1e-6).tolist())
