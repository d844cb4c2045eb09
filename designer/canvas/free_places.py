"""Places on the canvas where nothing stands yet: for new devices, and for copies."""

from collections.abc import Iterator, Sequence

import numpy as np

from designer.drawing.bundles import Flags, Floats
from designer.drawing.composition import Composition
from designer.drawing.geometry import GROUP_PADDING, GROUP_STEP, Rect, around
from designer.model.design import Design
from designer.placement.metrics import BOX_HEIGHT, GAP

EDGE = 1e-6
"""What touches is free."""
BESIDE_STEPS = 4
"""A copy goes no farther than so many times its width or height, unless all is taken."""

IN_VIEW_STEPS = 32
"""How many places across a view, and down, are tried for an annotation."""


def step_beside(composition: Composition, ids: Sequence[str]) -> tuple[float, float]:
    """How far copies of these go to touch nothing: to the right, below, left or above, as near as there is room.

    To the right they pass what stands there, as far as some of them have room. The frame of a group that they come
    into does not grow over other boxes, where there is a place without that.
    """
    rect = _around(composition, ids)
    if rect is None:
        return GAP, GAP
    left, top, right, bottom = rect
    width = right - left
    taken = _others(composition, rect)
    first = np.array([(left + width + GAP, top, right + width + GAP, bottom)])
    beside = width + GAP + _shift_right(taken, first, GAP)
    grown = _growing(composition, ids)
    nearest: tuple[float, float] | None = None
    for step in _steps(taken, rect, beside):
        nearest = step if nearest is None else nearest
        if not _swallows(grown, _moved(rect, *step)):
            return step
    return free_place(taken, lines_between(composition), rect) if nearest is None else nearest


def _steps(taken: Floats, rect: Rect, beside: float) -> Iterator[tuple[float, float]]:
    """The ways to where a copy touches nothing: so far to the right, then below, left and above, the nearest first."""
    left, top, right, bottom = rect
    width, height = right - left, bottom - top
    if beside <= BESIDE_STEPS * (width + GAP):
        yield beside, 0.0
    for number in range(1, BESIDE_STEPS + 1):
        across, down = number * (width + GAP), number * (height + GAP)
        for dx, dy in ((0.0, down), (-across, 0.0), (0.0, -down)):
            if free_shift(taken, _moved(rect, dx, dy)) == (0.0, 0.0):
                yield dx, dy


def _growing(composition: Composition, ids: Sequence[str]) -> list[tuple[Rect, float, Floats]]:
    """The frames of groups that copies of these come into, what they keep around members, and who is in none of them.

    The latter are boxes outside the frame: left, top, right and bottom.
    """
    design, around_ids = composition.design, set[str]()
    for one in ids:
        above = design.groups[one].parent_id if one in design.groups else _group_of(design, one)
        while above is not None and above not in around_ids:
            around_ids.add(above)
            above = design.groups[above].parent_id
    rects = {one.id: one.rect for one in composition.containers}
    found = []
    for frame in composition.projection.groups:
        if frame.id in around_ids and frame.id in rects:
            left, top, right, bottom = rects[frame.id]
            others = np.delete(composition.boxes, list(frame.rows), axis=0)
            others = np.hstack((others[:, :2], others[:, :2] + others[:, 2:]))
            others = others[~_overlapping(others, (left, top, right, bottom))]
            found.append((rects[frame.id], GROUP_PADDING + frame.level * GROUP_STEP, others))
    return found


def _group_of(design: Design, entity_id: str) -> str | None:
    held = design.devices.get(entity_id) or design.racks.get(entity_id)
    return held.group_id if held is not None else None


def _swallows(grown: Sequence[tuple[Rect, float, Floats]], new: Rect) -> bool:
    """Whether one of these frames, drawn around something new too, encloses a box that does not belong to it."""
    for (left, top, right, bottom), pad, others in grown:
        x1, y1, x2, y2 = new
        whole = min(left, x1 - pad), min(top, y1 - pad), max(right, x2 + pad), max(bottom, y2 + pad)
        if _overlapping(others, whole).any():
            return True
    return False


def _overlapping(rects: Floats, rect: Rect) -> Flags:
    left, top, right, bottom = rect
    flags: Flags = (rects[:, 0] < right) & (rects[:, 2] > left) & (rects[:, 1] < bottom) & (rects[:, 3] > top)
    return flags


def _moved(rect: Rect, dx: float, dy: float) -> Rect:
    return rect[0] + dx, rect[1] + dy, rect[2] + dx, rect[3] + dy


def aside_of_copies(composition: Composition, ids: Sequence[str], places: Sequence[Rect]) -> float:
    """How far copies of these at such places go to the right, all alike, to cover nothing; they keep a gap then."""
    rect = _around(composition, ids)
    if rect is None:
        return 0.0
    taken, boxes = _others(composition, rect), np.array(places)
    return _shift_right(taken, boxes, GAP) if _shift_right(taken, boxes, 0.0) > 0.0 else 0.0


def _around(composition: Composition, ids: Sequence[str]) -> Rect | None:
    """Around those of these that are drawn; of a group that is open, around its frame."""
    frames = {one.id: one.rect for one in composition.containers}
    return around(rect for one in ids if (rect := frames.get(one) or composition.rect_of(one)) is not None)


def _others(composition: Composition, rect: Rect) -> Floats:
    """What copies of what is in a rectangle must not cover; also groups and zones around none of it."""
    frames = [one.rect for one in composition.containers if one.kind != "rack"]
    frames += [one.rect for one in composition.notes.seen if one.is_behind]
    left, top, right, bottom = rect
    clear = [one for one in frames if one[0] >= right or one[2] <= left or one[1] >= bottom or one[3] <= top]
    return np.vstack((obstacles(composition), np.array(clear).reshape(-1, 4)))


def _shift_right(taken: Floats, places: Floats, gap: float) -> float:
    """The least way to the right by which rectangles, all moved alike, keep a gap to all that is taken."""
    found, gap = 0.0, gap - EDGE
    spans: list[Floats] = []
    for left, top, right, bottom in places.tolist():
        near = taken[(taken[:, 1] < bottom + gap) & (taken[:, 3] > top - gap) & (taken[:, 2] + gap > left)]
        spans.append(np.stack((near[:, 0] - gap - right, near[:, 2] + gap - left), axis=1))
    blocked = np.vstack(spans)
    for begin, end in blocked[np.argsort(blocked[:, 0])].tolist():
        if begin >= found:
            break
        found = max(found, end)
    return found


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


def shift_in_view(composition: Composition, rect: Rect, seen: Rect, plates: Sequence[Rect]) -> tuple[float, float]:
    """How far an annotation goes to cover nothing within what is seen, as near to where it is as there is room.

    Where there is none clear of links, it lies over links; where it cannot be clear of boxes either, it stays.
    """
    left, top, right, bottom = rect
    spots = _spots(rect, seen)
    frames = np.array([*(one.rect for one in composition.containers), *plates]).reshape(-1, 4)
    things = np.vstack((obstacles(composition), frames))
    led = [np.array(one.leader) for one in composition.notes.seen if one.leader is not None]
    leaders = np.array([(*one.min(axis=0), *one.max(axis=0)) for one in led]).reshape(-1, 4)
    for taken in (np.vstack((things, lines_between(composition), leaders)), things):
        near = taken[_overlapping(taken, seen)]
        clear = _first_clear(spots, near, right - left, bottom - top)
        if clear is not None:
            return clear[0] - left, clear[1] - top
    return 0.0, 0.0


def _spots(rect: Rect, seen: Rect) -> Floats:
    """Where the upper left corner of a rectangle can be tried within what is seen, (n, 2): as it is, then near it."""
    left, top, right, bottom = rect
    xs = np.linspace(seen[0] + GAP, max(seen[0], seen[2] - GAP - (right - left)), IN_VIEW_STEPS)
    ys = np.linspace(seen[1] + GAP, max(seen[1], seen[3] - GAP - (bottom - top)), IN_VIEW_STEPS)
    spots = np.stack(np.meshgrid(np.round(xs), np.round(ys)), axis=-1).reshape(-1, 2)
    return np.vstack(((left, top), spots[np.argsort(np.abs(spots - (left, top)).sum(axis=1), kind="stable")]))


def _first_clear(
    spots: Floats, taken: Floats, width: float, height: float, margin: float = 0.0
) -> tuple[float, float] | None:
    """The first of the places where a rectangle covers nothing; it is as large as given, with its margin."""
    x, y = (spots - margin).T
    low, high = spots.min(axis=0) - margin, spots.max(axis=0) + np.array((width, height))
    free = np.ones(len(spots), np.bool_)
    for x1, y1, x2, y2 in taken[_overlapping(taken, (*low.tolist(), *high.tolist()))].tolist():
        free &= (x >= x2) | (x + width <= x1) | (y >= y2) | (y + height <= y1)
    if not free.any():
        return None
    left, top = spots[int(np.argmax(free))].tolist()
    return left, top


def free_spot(
    composition: Composition,
    x: float,
    y: float,
    size: tuple[float, float],
    seen: Rect,
    plates: Sequence[Rect] = (),
) -> tuple[float, float]:
    """The nearest place to a canvas point where a box of that size covers nothing and stands between no linked boxes.

    It is in what is `seen`, clear of the plates over it, where there is room; then between links; else beyond.
    """
    width, height = size
    rect = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    things = everything(composition)
    if not len(things):
        return x, y
    lines = np.vstack((lines_between(composition), _drawn_lines(composition)))
    over = np.array(plates).reshape(-1, 4)
    for taken in (np.vstack((things, over, lines)), np.vstack((things, over))):
        spots = _spots(rect, seen)
        clear = _first_clear(spots, taken, width + GAP, height + GAP, GAP / 2)
        if clear is not None:
            return clear[0] + width / 2, clear[1] + height / 2
    dx, dy = free_shift(things, rect)
    return x + dx, y + dy


def everything(composition: Composition) -> Floats:
    """Left, top, right and bottom of all that a new device would cover: boxes, frames and annotations, zones too."""
    rects = [one.rect for one in composition.containers] + [one.rect for one in composition.notes.seen]
    return np.vstack((obstacles(composition), np.array(rects).reshape(-1, 4)))


def _drawn_lines(composition: Composition) -> Floats:
    """The rectangles around each piece of links that bend."""
    xy = composition.link_paths.xy
    return np.hstack((np.minimum(xy[:, :2], xy[:, 2:]), np.maximum(xy[:, :2], xy[:, 2:])))


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
    frames = np.array([one.rect for one in composition.containers]).reshape(-1, 4)
    for start, over, end, under in sorted(np.vstack((obstacles(composition), frames)).tolist()):
        if over - GAP < top + height and under + GAP > top and start - GAP < left + width and end + GAP > left:
            left = end + GAP
    return left + width / 2, top + height / 2


ROOM_FOR_LINKS = 48.0
"""Kept free above and below a row of new devices, canvas units."""


def free_row(
    composition: Composition, x: float, y: float, width: float, height: float, side: int
) -> tuple[float, float]:
    """The nearest place straight below a canvas point, or above it with side -1, where a row has room for links."""
    things = everything(composition)
    room = height + 2 * ROOM_FOR_LINKS
    across, down = (width + GAP) / 2, (room + GAP) / 2
    for number in range(200):
        at = y + side * number * room / 2
        if not _overlapping(things, (x - across, at - down, x + across, at + down)).any():
            return x, at
    return x, y
