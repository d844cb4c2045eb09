"""Zones around devices: when these are laid out again, the frames go along, and grow with them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from designer.model.annotation import ZONE
from designer.model.design import Design
from designer.model.edit import Change
from designer.model.entities import order_key
from designer.placement.layouts.sketch import Floats
from designer.placement.metrics import box_size

LEAST_MARGIN = 20.0
"""Between the boxes and the frame that goes along with them."""


def framed(design: Design, places: Mapping[str, Sequence[float]]) -> Iterator[Change]:
    """The changes that bring frames around the new places of the boxes that they were around, as far off as before.

    A frame that is locked or pinned stays, and so does one that no box that moves was wholly inside of.
    """
    frames = [note for note in design.annotations.values() if note.kind == ZONE]
    moving = [one for one in places if one in design.devices] if frames else []
    if not moving:
        return
    before = _rects(design, {one: (design.placements[one].x, design.placements[one].y) for one in moving})
    after = _rects(design, {one: places[one] for one in moving})
    for note in sorted(frames, key=lambda one: order_key(one.id)):
        at = design.placements.get(note.id)
        if at is None or at.locked or note.pinned_to:
            continue
        half = np.array((abs(note.dx), abs(note.dy))) / 2
        low, high = np.array((at.x, at.y)) - half, np.array((at.x, at.y)) + half
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


def _rects(design: Design, places: Mapping[str, Sequence[float]]) -> Floats:
    """Left, top, right and bottom of boxes whose middles are there, (n, 4)."""
    middles = np.array([tuple(at) for at in places.values()], np.float64)
    halves = np.array([box_size(design.is_switch(one)) for one in places], np.float64) / 2
    return np.hstack((middles - halves, middles + halves))
