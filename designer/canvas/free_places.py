"""Places on the canvas where nothing stands yet: for new devices, and for copies."""

from collections.abc import Sequence

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.composition import Composition
from designer.drawing.geometry import Rect
from designer.placement.metrics import BOX_HEIGHT, GAP

EDGE = 1e-6
"""What touches is free."""
BESIDE_STEPS = 4
"""How many places on each side are tried for a copy."""


def step_beside(composition: Composition, ids: Sequence[str]) -> tuple[float, float]:
    """How far copies of these go to touch nothing: to the right, below, left or above, as near as there is room."""
    frames = {one.id: one.rect for one in composition.containers}
    rects = [rect for one in ids if (rect := frames.get(one) or composition.rect_of(one)) is not None]
    if not rects:
        return GAP, GAP
    lefts, tops, rights, bottoms = (np.array(side) for side in zip(*rects, strict=True))
    left, top, right, bottom = float(lefts.min()), float(tops.min()), float(rights.max()), float(bottoms.max())
    width, height = right - left, bottom - top
    taken = obstacles(composition)
    for number in range(1, BESIDE_STEPS + 1):
        across, down = number * (width + GAP), number * (height + GAP)
        for dx, dy in ((across, 0.0), (0.0, down), (-across, 0.0), (0.0, -down)):
            if free_shift(taken, (left + dx, top + dy, right + dx, bottom + dy)) == (0.0, 0.0):
                return dx, dy
    return free_place(taken, lines_between(composition), (left, top, right, bottom))


def obstacles(composition: Composition) -> Floats:
    """Left, top, right and bottom of all that copies must not cover: devices, racks, and annotations over them."""
    boxes = composition.boxes
    frames = [one.rect for one in composition.containers if one.kind == "rack"]
    frames += [one.rect for one in composition.notes.seen if not one.is_behind]
    return np.vstack((np.hstack((boxes[:, :2], boxes[:, :2] + boxes[:, 2:])), np.array(frames).reshape(-1, 4)))


def lines_between(composition: Composition) -> Floats:
    """The same of the rectangles that links lead across."""
    lines = composition.anchors.bundles
    return np.hstack((np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])))


def free_place(taken: Floats, links: Floats, rect: Rect) -> tuple[float, float]:
    """How far a rectangle goes to cover nothing; where it has to give way, it does not stand between what is linked."""
    if free_shift(taken, rect) == (0.0, 0.0):
        return 0.0, 0.0
    return free_shift(np.vstack((taken, links)), rect)


def free_shift(taken: Floats, rect: Rect) -> tuple[float, float]:
    """The shortest way, to the side and up or down, by which a rectangle keeps a gap to all that is taken.

    The nearest place keeps just the gap to something above or below, or stays as high as it is: for each such height
    the nearest free place to the side is found.
    """
    left, top, right, bottom = rect
    blocked = taken + np.array((left - right, top - bottom, 0.0, 0.0)) + np.array((-GAP, -GAP, GAP, GAP))
    blocked += np.array((EDGE, EDGE, -EDGE, -EDGE))  # where the corner at the left and top must not be
    downs = np.unique(np.concatenate(((top,), blocked[:, 1] - EDGE, blocked[:, 3] + EDGE))) - top
    best, found = np.inf, (0.0, 0.0)
    for down in downs[np.argsort(np.abs(downs), kind="stable")].tolist():
        if abs(down) >= best:
            break
        at = top + down
        across = _nearest_beside(blocked[(blocked[:, 1] < at) & (at < blocked[:, 3])], left)
        if abs(across) + abs(down) < best:
            best, found = abs(across) + abs(down), (across, down)
    return found


def _nearest_beside(blocked: Floats, x: float) -> float:
    """How far to the nearest x that is in none of these from left to right."""
    after, before = x, x
    for start, _, end, _ in blocked[np.argsort(blocked[:, 0])].tolist():
        if start < after < end:
            after = end + EDGE
    for start, _, end, _ in blocked[np.argsort(-blocked[:, 2])].tolist():
        if start < before < end:
            before = start - EDGE
    return after - x if after - x <= x - before else before - x


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


def free_in_row(
    composition: Composition, ids: Sequence[str], width: float, height: float
) -> tuple[float, float] | None:
    """The nearest free place to the right of the row that most of these boxes stand in; None where none is drawn."""
    rects = [rect for one in ids if (rect := composition.rect_of(one)) is not None]
    rows: dict[float, list[Rect]] = {}
    for rect in sorted(rects, key=lambda one: one[1]):
        top = next((one for one in rows if abs(one - rect[1]) < BOX_HEIGHT / 2), rect[1])
        rows.setdefault(top, []).append(rect)
    if not rows:
        return None
    top, row = max(rows.items(), key=lambda one: len(one[1]))
    left = max(right for _, _, right, _ in row) + GAP
    for start, over, end, under in sorted(obstacles(composition).tolist()):
        if over - GAP < top + height and under + GAP > top and start - GAP < left + width and end + GAP > left:
            left = end + GAP
    return left + width / 2, top + height / 2


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
