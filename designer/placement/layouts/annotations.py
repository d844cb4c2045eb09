"""Annotations around devices that are laid out again: frames go along and grow, texts, blocks, dimensions make room."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from designer.model.annotating import shift_of
from designer.model.annotation import DIMENSION, LEGEND, SIZE, STRAIGHT, TITLE_BLOCK, ZONE, Annotation
from designer.model.design import Design
from designer.model.edit import Change
from designer.model.entities import Placement, order_key
from designer.placement.layouts.sketch import Floats
from designer.placement.metrics import RACK_SIZE, box_size, usual_scale

LEAST_MARGIN = 20.0
"""Between the boxes and the frame that goes along with them."""
OF_DRAWING = (LEGEND, TITLE_BLOCK)
"""Kinds that tell about all of the drawing."""
LEAST_GROWTH = 0.01
"""Less of it is not worth a change."""
TOUCHING = 30.0
"""An end of a dimension is at a box that it is over, or whose edge is so near."""
CLEARANCE, WAYS, FARTHEST = 12.0, 16, 2400.0
"""What is pinned stands so far off boxes; in how many directions, and how far at most, a place for it is looked for."""
ROOM = 72.0
"""Around the boxes, for links that run outside of them and for what is written beside rows."""


def framed(design: Design, places: Mapping[str, Sequence[float]]) -> Iterator[Change]:
    """The changes that bring frames around the new places of the boxes that they were around, as far off as before.

    A frame that is locked or pinned stays, and so does one that no box that moves was wholly inside of.
    """
    frames = _free(design, lambda note: note.kind == ZONE)
    moving = [one for one in places if one in design.devices] if frames else []
    if not moving:
        return
    before = _rects(design, {one: (design.placements[one].x, design.placements[one].y) for one in moving})
    after = _rects(design, {one: places[one] for one in moving})
    for note, at in frames:
        low, high = _box(note, at)
        inside = ((before[:, :2] >= low) & (before[:, 2:] <= high)).all(axis=1)
        if not inside.any():
            continue
        margins = before[inside, :2].min(axis=0) - low, high - before[inside, 2:].max(axis=0)
        new_low = after[inside, :2].min(axis=0) - np.maximum(margins[0], LEAST_MARGIN)
        new_high = after[inside, 2:].max(axis=0) + np.maximum(margins[1], LEAST_MARGIN)
        (x, y), (width, height) = ((new_low + new_high) / 2).round(1).tolist(), (new_high - new_low).round(1).tolist()
        yield Change(at, replace(at, x=x, y=y))
        if (width, height) != (abs(note.dx), abs(note.dy)):
            yield Change(note, replace(note, dx=width, dy=height))


def set_aside(design: Design, places: Mapping[str, Sequence[float]], around: Sequence[Change]) -> Iterator[Change]:
    """The changes that bring texts, blocks and pictures out of what boxes cover at new places, and racks and frames.

    Each goes to the side of the drawing that it was on, no farther than it must, and over no other. What is locked or
    pinned stays, and so do lines and frames. Title blocks and legends grow and shrink with the drawing, so that they
    are read where all of it is seen. A dimension that led from one box to another of a row or column still does.
    """
    moving = [one for one in places if one in design.devices]
    notes = _free(design, lambda note: note.kind == DIMENSION or note.kind not in {ZONE, *STRAIGHT}) if moving else []
    if not notes:
        return
    before = _rects(design, {one: (design.placements[one].x, design.placements[one].y) for one in moving})
    after = np.vstack((_rects(design, {one: places[one] for one in moving}), *_changed_boxes(design, around)))
    if any(note.kind in OF_DRAWING for note, _ in notes):
        stays = [at for at in design.placements.values() if at.id in design.devices and at.id not in places]
        others = _rects(design, {at.id: (at.x, at.y) for at in stays})
        growth = _usual_scale(np.vstack((after, others))) / _usual_scale(np.vstack((before, others)))
        sized = [_sized(note, growth) if note.kind in OF_DRAWING else note for note, _ in notes]
        yield from (Change(note, new) for (note, _), new in zip(notes, sized, strict=True) if new != note)
        notes = [(new, at) for new, (_, at) in zip(sized, notes, strict=True)]
    measured = {
        note.id: _measured(note, at, before, after[: len(before)]) for note, at in notes if note.kind == DIMENSION
    }
    yield from (Change(note, measured[note.id][0]) for note, _ in notes if measured.get(note.id, (note,))[0] != note)
    now = [measured.get(note.id, (note, at)) for note, at in notes]
    was = np.concatenate((before[:, :2].min(axis=0), before[:, 2:].max(axis=0)))
    covered = np.concatenate((after[:, :2].min(axis=0) - ROOM, after[:, 2:].max(axis=0) + ROOM))
    boxes = [_with_words(note, _box(note, at).ravel()) for note, at in now]
    last = [note.kind in OF_DRAWING for note, _ in now]  # they stand off everything else
    taken = [box for box, is_last in zip(boxes, last, strict=True) if not (is_last or _meet(box, covered))]
    for number in sorted(range(len(now)), key=last.__getitem__):
        stood, at, box = notes[number][1], now[number][1], boxes[number]
        if last[number]:
            box = np.concatenate((box[:2] - LEAST_MARGIN, box[2:] + LEAST_MARGIN))
        if not _meet(box, covered) and not (last[number] and any(_meet(box, one) for one in taken)):
            x, y = at.x, at.y
            if last[number]:
                taken.append(box)
        else:
            moved = _outside(box, _side(box, was), covered, taken)
            taken.append(moved)
            x, y = ((moved[:2] + moved[2:]) / 2).round(1).tolist()
        if (x, y) != (stood.x, stood.y):
            yield Change(stood, replace(stood, x=x, y=y))


def pinned_clear(design: Design, places: Mapping[str, Sequence[float]], around: Sequence[Change]) -> Iterator[Change]:
    """The changes that bring what is pinned to a device or link off the boxes that it would cover at their new places.

    It goes along with that and then the shortest way to where nothing stands; its leader shows what it is about. What
    is locked stays with what it is pinned to.
    """
    found = [
        (note, design.placements[note.id])
        for note in sorted(design.annotations.values(), key=lambda one: order_key(one.id))
        if note.id in design.placements and (note.pinned_to in design.devices or note.pinned_to in design.links)
    ]
    if not found:
        return
    stood = {one: at for one, at in design.placements.items() if one in design.devices}
    new = {one: places.get(one, (at.x, at.y)) for one, at in stood.items()}
    changed = list(_changed_boxes(design, [one for one in around if one.subject.id not in stood]))
    moved = {one.subject.id for one in around}
    others = _free(design, lambda one: one.kind not in {ZONE, *STRAIGHT} and one.id not in moved)
    notes = [_box(note, at).reshape(1, 4) for note, at in others]
    taken = np.vstack((_rects(design, new), *changed, *notes))
    shifts = {one: (x - stood[one].x, y - stood[one].y) for one, (x, y) in new.items()}
    for note, at in found:
        shift = np.array(shift_of(design, note, shifts))
        box = _box(note, at).ravel() + np.tile(shift, 2)
        off = np.zeros(2) if at.locked else _off(box, taken)
        taken = np.vstack((taken, box + np.tile(off, 2)))
        if off.any():
            x, y = (np.array((at.x, at.y)) + shift + off).round(1).tolist()
            yield Change(at, replace(at, x=x, y=y))


def _off(box: Floats, taken: Floats) -> Floats:
    """The shortest of some ways for a box to where nothing is taken; none where nothing is, or all is."""
    near, far = (np.concatenate((box[:2] - one, box[2:] + one)) for one in (CLEARANCE, CLEARANCE + FARTHEST))
    taken = taken[((taken[:, :2] < far[2:]) & (taken[:, 2:] > far[:2])).all(axis=1)]
    angles = np.linspace(0.0, 2 * np.pi, WAYS, endpoint=False)
    ways = np.stack((np.cos(angles), np.sin(angles)), axis=1).round(9)
    for reach in np.arange(0.0, FARTHEST, CLEARANCE).tolist():
        moved = near + np.tile(ways if reach else ways[:1], 2) * reach
        apart = (moved[:, None, 2:] <= taken[None, :, :2]) | (moved[:, None, :2] >= taken[None, :, 2:])
        free = np.flatnonzero(apart.any(axis=2).all(axis=1))
        if len(free):
            found: Floats = ways[free[0]] * reach
            return found
    return np.zeros(2)


def _measured(note: Annotation, at: Placement, before: Floats, after: Floats) -> tuple[Annotation, Placement]:
    """A dimension and its place, from the box at its one end to that at the other at new places; the same without.

    Both boxes stand in one row, of a level dimension, or in one column, before and after: in the one next to it.
    """
    axis = int(abs(note.dy) > abs(note.dx))
    across, (low, high) = 1 - axis, _box(note, at)[:, axis].tolist()
    middles = (before[:, axis] + before[:, 2 + axis]) / 2
    reach = (before[:, 2 + axis] - before[:, axis]) / 2 + TOUCHING
    rows, new_rows, level = before[:, across], after[:, across], _box(note, at)[0, across]
    pairs = []
    for one in np.flatnonzero(np.abs(middles - low) <= reach).tolist():
        there = (np.abs(middles - high) <= reach) & (rows == rows[one]) & (new_rows == new_rows[one])
        pairs += [
            (abs(rows[one] - level), abs(middles[one] - low) + abs(middles[other] - high), one, other)
            for other in np.flatnonzero(there).tolist()
            if other != one
        ]
    if not pairs:
        return note, at
    *_, one, other = min(pairs)
    low += float(after[one, axis] - before[one, axis])
    high += float(after[other, axis] - before[other, axis])
    if low >= high:
        return note, at
    along, middle = round(high - low, 1) * (-1 if (note.dx, note.dy)[axis] < 0 else 1), round((low + high) / 2, 1)
    if axis == 0:
        return replace(note, dx=along), replace(at, x=middle)
    return replace(note, dy=along), replace(at, y=middle)


def _with_words(note: Annotation, box: Floats) -> Floats:
    """The box of an annotation, of a dimension with the words over its line."""
    if note.kind != DIMENSION:
        return box
    across = np.array((0.0, 1.0) if abs(note.dx) >= abs(note.dy) else (1.0, 0.0)) * note.size
    return np.concatenate((box[:2] - across, box[2:] + across))


def _usual_scale(boxes: Floats) -> float:
    """How much larger than at full size annotations are in a drawing of these boxes."""
    (left, top), (right, bottom) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return usual_scale((left, top, right, bottom))


def _sized(note: Annotation, growth: float) -> Annotation:
    """The annotation so many times as large, as far as its letters may."""
    if abs(growth - 1.0) < LEAST_GROWTH:
        return note
    size = round(min(max(note.size * growth, SIZE.least), SIZE.most), 1)
    share = size / note.size
    return replace(note, size=size, dx=round(note.dx * share, 1), dy=round(note.dy * share, 1))


def _side(box: Floats, drawing: Floats) -> int:
    """Left, top, right or bottom: where the middle of a box is farthest out of a drawing, or least far in."""
    middle = (box[:2] + box[2:]) / 2
    return int(np.argmax((*(drawing[:2] - middle), *(middle - drawing[2:]))))


def _outside(box: Floats, side: int, covered: Floats, taken: Sequence[Floats]) -> Floats:
    """The box beyond that side of what is covered, and beyond those taken that it would lie over."""
    axis, is_before = side % 2, side < 2
    edge = float(covered[side])
    while True:
        shift = edge - (box[2 + axis] if is_before else box[axis])
        moved: Floats = box + np.array((shift, 0.0, shift, 0.0) if axis == 0 else (0.0, shift, 0.0, shift))
        met = [float(one[axis] if is_before else one[2 + axis]) for one in taken if _meet(moved, one)]
        if not met:
            return moved
        edge = min(met) - LEAST_MARGIN if is_before else max(met) + LEAST_MARGIN


def _meet(first: Floats, second: Floats) -> bool:
    return bool((first[:2] < second[2:]).all() and (second[:2] < first[2:]).all())


def _changed_boxes(design: Design, changes: Sequence[Change]) -> Iterator[Floats]:
    """Boxes of frames, racks and what is mounted in racks that are changed, (1, 4) each: parts of the drawing."""
    notes = dict(design.annotations)
    notes |= {change.after.id: change.after for change in changes if isinstance(change.after, Annotation)}
    for at in (change.after for change in changes):
        if not isinstance(at, Placement):
            continue
        if at.id in notes:
            yield _box(notes[at.id], at).reshape(1, 4)
        else:
            size = RACK_SIZE if at.id in design.racks else box_size(design.is_switch(at.id))
            half = np.array(size) / 2
            yield np.array((at.x, at.y, at.x, at.y)) + np.concatenate((-half, half)).reshape(1, 4)


def _free(design: Design, is_wanted: Callable[[Annotation], bool]) -> list[tuple[Annotation, Placement]]:
    """The annotations of a sort that may be moved by themselves, each with its place."""
    found = []
    for note in sorted(filter(is_wanted, design.annotations.values()), key=lambda one: order_key(one.id)):
        at = design.placements.get(note.id)
        is_pinned = note.pinned_to in design.devices or note.pinned_to in design.links
        if at is not None and not at.locked and not is_pinned:
            found.append((note, at))
    return found


def _box(note: Annotation, at: Placement) -> Floats:
    """Left and top, right and bottom of an annotation, (2, 2)."""
    half = np.array((abs(note.dx), abs(note.dy))) / 2
    return np.array((at.x, at.y)) + np.array((-half, half))


def _rects(design: Design, places: Mapping[str, Sequence[float]]) -> Floats:
    """Left, top, right and bottom of boxes whose middles are there, (n, 4)."""
    middles = np.array([tuple(at) for at in places.values()], np.float64).reshape(-1, 2)
    halves = np.array([box_size(design.is_switch(one)) for one in places], np.float64).reshape(-1, 2) / 2
    return np.hstack((middles - halves, middles + halves))
