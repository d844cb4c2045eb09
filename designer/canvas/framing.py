"""The camera for a part of the canvas, clear of the legend at the left bottom and of that of colours in a corner."""

from designer.drawing.camera import Camera, fitting
from designer.drawing.geometry import Rect
from designer.drawing.parts.legend import HEIGHT_PX, MARGIN_PX, WIDTH_PX

LEGEND_CLEAR_PX = 10
LEAST_SHARE_OF_FIT = 0.5
"""A drawing is not made smaller than this for the sake of the legend."""


def fitted(bounds: Rect, width: float, height: float, legend_shown: bool) -> Camera:
    """The view of it all; above the legend or beside it, where that would lie over the drawing."""
    camera = fitting(bounds, width, height)
    (left, _), (_, bottom) = camera.to_view(bounds[0], bounds[1]), camera.to_view(bounds[2], bounds[3])
    foot, side = HEIGHT_PX + MARGIN_PX + LEGEND_CLEAR_PX, WIDTH_PX + MARGIN_PX
    if left > side or bottom <= height - foot:
        return camera
    if height < 4 * foot and not legend_shown:
        return camera  # in a low view its room is left only once it is there
    above = fitting(bounds, width, height - foot)
    beside = fitting(bounds, width - side, height).moved(side, 0.0)
    best = max(above, beside, key=lambda one: one.scale)
    return best if best.scale >= LEAST_SHARE_OF_FIT * camera.scale else camera


def is_under_legend(camera: Camera, rect: Rect, height: float) -> bool:
    """Whether the legend lies over some of a rectangle."""
    (left, _), (_, bottom) = camera.to_view(rect[0], rect[1]), camera.to_view(rect[2], rect[3])
    foot = height - HEIGHT_PX - MARGIN_PX - LEGEND_CLEAR_PX
    return left < WIDTH_PX + MARGIN_PX + LEGEND_CLEAR_PX and bottom > foot


def clear_of_legend(camera: Camera, rect: Rect, width: float, height: float) -> Camera:
    """The view with the rectangle above the legend or beside it, the shorter way; smaller where neither fits."""
    if not is_under_legend(camera, rect, height):
        return camera
    (left, top), (right, bottom) = camera.to_view(rect[0], rect[1]), camera.to_view(rect[2], rect[3])
    up = bottom - (height - HEIGHT_PX - MARGIN_PX - 2 * LEGEND_CLEAR_PX)
    aside = WIDTH_PX + MARGIN_PX + 2 * LEGEND_CLEAR_PX - left
    ways = [(up, (0.0, -up))] if top - up >= 0 else []
    ways += [(aside, (aside, 0.0))] if right + aside <= width else []
    if ways:
        return camera.moved(*min(ways)[1])
    return fitting(rect, width, height - HEIGHT_PX - MARGIN_PX - LEGEND_CLEAR_PX, camera.scale)


def clear_of_plate(
    camera: Camera,
    bounds: Rect,
    view: tuple[float, float],
    size: tuple[float, float],
    corner: tuple[int, int],
    legend_shown: bool,
) -> Camera:
    """The view of everything beside a plate of that size in a corner (right, bottom), or above or below it.

    As it is where the plate covers nothing, or where all would become too small for its sake.
    """
    (width, height), (across, down) = view, (size[0] + 2 * MARGIN_PX, size[1] + 2 * MARGIN_PX)
    right, low = corner
    (left, top), (end, foot) = camera.to_view(bounds[0], bounds[1]), camera.to_view(bounds[2], bounds[3])
    beside = end <= width - across if right else left >= across
    past = foot <= height - down if low else top >= down
    if beside or past:
        return camera
    ways = (
        fitted(bounds, width - across, height, legend_shown).moved(0.0 if right else across, 0.0),
        fitted(bounds, width, height - down, legend_shown).moved(0.0, 0.0 if low else down),
    )
    best = max(ways, key=lambda one: one.scale)
    return best if best.scale >= LEAST_SHARE_OF_FIT * camera.scale else camera
