"""Frames of groups next to each other, drawn narrower where they would touch."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from designer.drawing.geometry import GROUP_PADDING, GROUP_STEP, Container, Rect

APART = 8.0
"""Between two frames whose contents leave as much room."""
MOST_FRAMES = 1_500
"""With more they are too small for their sides to be told from each other."""


def frames_apart(frames: Sequence[Container]) -> list[Container]:
    """The frames; groups of one level that would touch end a little before the middle between their contents."""
    rects = [list(one.rect) for one in frames]
    groups = [number for number, one in enumerate(frames) if one.kind != "rack"]
    if not 2 <= len(groups) <= MOST_FRAMES:
        return list(frames)
    levels, sides = np.array([frames[one].level for one in groups]), np.array([frames[one].rect for one in groups])
    near = (sides[:, None, :2] < sides[None, :, 2:] + APART).all(axis=2)
    near &= near.T & (levels[:, None] == levels[None])
    for first, second in np.argwhere(np.triu(near, 1)).tolist():
        one, other = groups[first], groups[second]
        _separate(rects[one], _inside(frames[one]), rects[other], _inside(frames[other]))
    found = zip(frames, rects, strict=True)
    return [replace(frame, rect=(left, top, right, bottom)) for frame, (left, top, right, bottom) in found]


def _inside(frame: Container) -> Rect:
    pad = GROUP_PADDING + frame.level * GROUP_STEP
    left, top, right, bottom = frame.rect
    return left + pad, top + pad, right - pad, bottom - pad


def _separate(one: list[float], inside: Rect, other: list[float], other_inside: Rect) -> None:
    """End both before the middle between their contents, along the axis that these are farther apart on."""
    gaps = [(other_inside[axis] - inside[axis + 2], axis, one, inside, other, other_inside) for axis in (0, 1)]
    gaps += [(inside[axis] - other_inside[axis + 2], axis, other, other_inside, one, inside) for axis in (0, 1)]
    gap, axis, low, low_inside, high, high_inside = max(gaps, key=lambda found: found[0])
    if gap <= 0.0:
        return
    middle, half = (low_inside[axis + 2] + high_inside[axis]) / 2, min(APART, gap / 2) / 2
    low[axis + 2] = min(low[axis + 2], middle - half)
    high[axis] = max(high[axis], middle + half)
