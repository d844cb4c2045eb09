"""Places on the canvas where nothing stands yet: for new devices, and for copies."""

from collections.abc import Sequence

import numpy as np

from designer.drawing.composition import Composition
from designer.placement.metrics import GAP

BESIDE_STEPS = 4
"""How many places on each side are tried for a copy."""


def step_beside(composition: Composition, ids: Sequence[str]) -> tuple[float, float]:
    """How far copies of these go to touch nothing: to the right, below, left or above, as near as there is room."""
    rects = [rect for one in ids if (rect := composition.rect_of(one)) is not None]
    if not rects:
        return GAP, GAP
    lefts, tops, rights, bottoms = (np.array(side) for side in zip(*rects, strict=True))
    left, top, right, bottom = float(lefts.min()), float(tops.min()), float(rights.max()), float(bottoms.max())
    width, height = right - left, bottom - top
    x, y = (left + right) / 2, (top + bottom) / 2
    for number in range(1, BESIDE_STEPS + 1):
        across, down = number * (width + GAP), number * (height + GAP)
        for dx, dy in ((across, 0.0), (0.0, down), (-across, 0.0), (0.0, -down)):
            if not _taken(composition.boxes, x + dx, y + dy, width, height):
                return dx, dy
    return GAP, GAP


def free_spot(composition: Composition, x: float, y: float, width: float, height: float) -> tuple[float, float]:
    """The nearest place to a canvas point where a box of that size touches no other."""
    boxes = composition.boxes
    if not len(boxes):
        return x, y
    step_x, step_y = width + GAP, height + GAP
    for ring in range(200):
        spots = [
            (x + column * step_x, y + row * step_y)
            for row in range(-ring, ring + 1)
            for column in range(-ring, ring + 1)
            if max(abs(row), abs(column)) == ring
        ]
        free = [spot for spot in spots if not _taken(boxes, *spot, width, height)]
        if free:
            return min(free, key=lambda spot: (abs(spot[0] - x) + abs(spot[1] - y), spot))
    return x, y


ROOM_FOR_LINKS = 48.0
"""Kept free above and below a row of new devices, canvas units."""


def free_row(
    composition: Composition, x: float, y: float, width: float, height: float, side: int
) -> tuple[float, float]:
    """The nearest place straight below a canvas point, or above it with side -1, where a row has room for links."""
    boxes = composition.boxes
    room = height + 2 * ROOM_FOR_LINKS
    for number in range(200):
        spot = x, y + side * number * room / 2
        if not len(boxes) or not _taken(boxes, *spot, width, room):
            return spot
    return x, y


def _taken(boxes: np.ndarray[tuple[int, ...], np.dtype[np.float64]], x: float, y: float, w: float, h: float) -> bool:
    left, top, width, height = boxes.T
    gap = GAP / 2
    across = (left - gap < x + w / 2) & (left + width + gap > x - w / 2)
    return bool((across & (top - gap < y + h / 2) & (top + height + gap > y - h / 2)).any())
