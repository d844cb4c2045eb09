"""The camera for a part of the canvas, in the largest place that the plates lying over a view leave free."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.camera import MOST_FIT_SCALE, Camera, fit_margin, fitting
from designer.drawing.geometry import Rect
from designer.drawing.text import USUAL_LETTERS_PX

PartsAt = Callable[[float], Floats | None]

CLEAR_PX = 10.0
"""What is left free around a plate."""
LEAST_SHARE_OF_FIT = 0.5
"""A drawing is not made smaller than this for the sake of plates."""
SCALES_TRIED = 12
"""From the largest down, before a drawing is put beside all plates."""
LEAST_SHARE_WITH_ROOM = 0.95
MOST_ASIDE_PX = 24.0
"""So much smaller and farther to one side may a drawing be for the sake of plates that may come."""
CRAMPED_PX = 600.0, 360.0
"""In a view narrower or lower than this plates fold to their titles by themselves."""
LEAST_SEEN_PX = 400.0, 200.0
"""Pixels of usual letters that fit into a view with enlarged ones."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How large a drawing may be where all of it is shown, and what it gives up for plates."""

    most_scale: float = MOST_FIT_SCALE
    margin_px: float | None = None
    """What is left free around it; None leaves it to the size of the view."""
    least_share: float = LEAST_SHARE_OF_FIT
    """Of the size that it has without plates; where it would be smaller, they lie over it."""


def enlargement(letters_px: float, width: float, height: float) -> float:
    """How many times as large a view is drawn where letters are larger than usual; never smaller.

    A small view keeps so much room for the drawing itself that captions do not push each other out.
    """
    most = min(width / LEAST_SEEN_PX[0], height / LEAST_SEEN_PX[1])
    return max(1.0, min(letters_px / USUAL_LETTERS_PX, most))


def is_cramped(width: float, height: float) -> bool:
    """Whether a view has so little room that plates over it show their titles alone."""
    return width < CRAMPED_PX[0] or height < CRAMPED_PX[1]


def fitted(
    bounds: Rect,
    width: float,
    height: float,
    taken: Sequence[Rect],
    parts: PartsAt = lambda _: None,
    fit: Fit = Fit(),
) -> Camera:
    """The view of it all where none of those rectangles of the view lies over it, as large as that can be.

    As if there were none where they cover nothing, or where all would become too small for their sake. `parts` gives
    rectangles around the parts of the drawing at a scale: plates may lie between them.
    """
    most, margin = fit.most_scale, fit_margin(width, height) if fit.margin_px is None else fit.margin_px
    whole = fitting(bounds, width, height, most, margin)
    if not is_covered(whole, bounds, taken):
        return whole
    ways = [
        (fitting(bounds, end - x, low - y, most, margin).moved(x, y), area)
        for area in _free(width, height, taken)
        for x, y, end, low in (area,)
    ]
    best = max(ways, key=lambda way: (round(way[0].scale, 9), _size(way[1])), default=(whole, bounds))[0]
    enough = best.scale >= fit.least_share * whole.scale
    least = best.scale if enough else fit.least_share * whole.scale
    for scale in np.linspace(whole.scale, least, SCALES_TRIED, endpoint=False).tolist():
        if (drawn := parts(scale)) is None:
            break
        for camera in _placed(bounds, scale, width, height, margin):
            if not _covers_any(camera, drawn, taken):
                return camera
    return best if enough else whole


def _placed(bounds: Rect, scale: float, width: float, height: float, margin: float) -> Iterator[Camera]:
    """Views of it all at a scale: in the middle, then towards the sides and corners, as far as margins allow."""
    middle = fitting(bounds, width, height, scale, margin)
    slack_x = max(0.0, width - 2 * margin - (bounds[2] - bounds[0]) * scale) / 2
    slack_y = max(0.0, height - 2 * margin - (bounds[3] - bounds[1]) * scale) / 2
    shares = (0.0, -0.5, 0.5, -1.0, 1.0)
    ways = {(round(slack_x * across, 1), round(slack_y * down, 1)) for across in shares for down in shares}
    for dx, dy in sorted(ways, key=lambda way: (abs(way[0]) + abs(way[1]), way)):
        yield middle.moved(dx, dy)


def _covers_any(camera: Camera, parts: Floats, taken: Sequence[Rect]) -> bool:
    """Whether one of those rectangles of the view lies over a part of the drawing."""
    for plate in taken:
        left, top, right, foot = _grown(plate)
        (x, y), (end, low) = camera.to_canvas(left, top), camera.to_canvas(right, foot)
        if ((parts[:, 0] < end) & (parts[:, 2] > x) & (parts[:, 1] < low) & (parts[:, 3] > y)).any():
            return True
    return False


def with_room(now: Camera, later: Camera) -> Camera:
    """The view that also has room for what may come, `later`, where that hardly changes it; else the one of `now`.

    Else what is there would be small, or at one side, for the sake of what is not to be seen.
    """
    is_as_large = later.scale >= LEAST_SHARE_WITH_ROOM * now.scale
    return later if is_as_large and abs(later.left - now.left) * now.scale <= MOST_ASIDE_PX else now


def is_covered(camera: Camera, rect: Rect, taken: Sequence[Rect]) -> bool:
    """Whether one of those rectangles of the view lies over some of a rectangle of the canvas."""
    seen = *camera.to_view(rect[0], rect[1]), *camera.to_view(rect[2], rect[3])
    return any(_meet(seen, _grown(one)) for one in taken)


def is_seen_whole(camera: Camera, rect: Rect | None, width: float, height: float, taken: Sequence[Rect]) -> bool:
    """Whether all of a rectangle is in a view of that size, clear of plates; not of none."""
    return rect is not None and camera.shows(rect, width, height) and not is_covered(camera, rect, taken)


def clear_of(camera: Camera, rect: Rect, width: float, height: float, taken: Sequence[Rect]) -> Camera:
    """The view with the rectangle clear of plates, the shortest way; smaller where it fits nowhere as it is."""
    if not is_covered(camera, rect, taken):
        return camera
    (left, top), (right, foot) = camera.to_view(rect[0], rect[1]), camera.to_view(rect[2], rect[3])
    areas = list(_free(width, height, taken))
    ways = [
        (_into(left, right, one[0], one[2]), _into(top, foot, one[1], one[3]))
        for one in areas
        if right - left <= one[2] - one[0] and foot - top <= one[3] - one[1]
    ]
    if ways:
        return camera.moved(*min(ways, key=lambda way: abs(way[0]) + abs(way[1])))
    if not areas:
        return camera
    x, y, end, low = max(areas, key=_size)
    return fitting(rect, end - x, low - y, camera.scale).moved(x, y)


def _into(low: float, high: float, least: float, most: float) -> float:
    """How far a stretch moves to lie in another."""
    return max(least - low, 0.0) + min(most - high, 0.0)


def _free(width: float, height: float, taken: Sequence[Rect]) -> Iterator[Rect]:
    """The rectangles between the edges of the view and of plates that no plate lies over."""
    plates = [_grown(one) for one in taken]
    lefts, rights = {0.0, *(one[2] for one in plates)}, {width, *(one[0] for one in plates)}
    tops, bottoms = {0.0, *(one[3] for one in plates)}, {height, *(one[1] for one in plates)}
    for area in itertools.product(sorted(lefts), sorted(tops), sorted(rights), sorted(bottoms)):
        left, top, right, bottom = area
        if left < right <= width and top < bottom <= height and not any(_meet(area, one) for one in plates):
            yield area


def _grown(rect: Rect) -> Rect:
    return rect[0] - CLEAR_PX, rect[1] - CLEAR_PX, rect[2] + CLEAR_PX, rect[3] + CLEAR_PX


def _meet(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _size(area: Rect) -> float:
    return (area[2] - area[0]) * (area[3] - area[1])
