"""The view in which boxes are opened that stand for many devices because they are far away."""

from collections.abc import Iterable

from designer.canvas.sight import Sight
from designer.canvas.subject import CLOSE_SCALE, MARGIN_PX
from designer.drawing.bundles import Floats
from designer.drawing.camera import Camera, fitting
from designer.drawing.composition import Composition
from designer.drawing.folding.levels import Levels
from designer.drawing.geometry import Rect, around

LEAST_READ_PX = 40.0
"""Boxes so wide have room for what tells them from each other."""


def camera_onto(levels: Levels, ids: Iterable[str], sight: Sight, most: float = CLOSE_SCALE) -> Camera | None:
    """The view that these fill, at most at that scale; opened where they are one box. None where none is drawn.

    Of devices of a role whose parts are then in sight, and wide enough for words, the view that there is.
    """
    chosen, scale, whole = frozenset(ids), sight.camera.scale, levels.of
    rect = around(found for one in chosen if (found := whole.rect_of(one)) is not None)
    if rect is None:
        return None
    camera = fitting(rect, sight.width, sight.height, most, MARGIN_PX)
    if len(chosen) == 1 and chosen <= whole.design.devices.keys():
        return camera
    fold = levels.open(chosen, scale) or levels.open(chosen, camera.scale)
    boxes = _boxes_of(levels.at(scale), chosen)
    are_read = fold is not None and fold.is_role and len(boxes) > 1 and boxes[:, 2].min() * scale >= LEAST_READ_PX
    if are_read and sight.camera.shows(_around(boxes), sight.width, sight.height):
        return sight.camera
    least = levels.opened_from(chosen)
    camera = camera.zoomed(max(1.0, 1.001 * least / camera.scale), sight.width / 2, sight.height / 2)
    seen = levels.at(camera.scale)
    opened = _rect_opened(seen, chosen) if levels.opened and seen is not whole else None
    return camera if opened is None else fitting(opened, sight.width, sight.height, camera.scale, MARGIN_PX)


def _rect_opened(seen: Composition, ids: frozenset[str]) -> Rect | None:
    """Where what was opened is drawn from afar; None where it is not."""
    frame = next((one.rect for one in seen.containers if ids == {one.id}), None)
    boxes = _boxes_of(seen, ids)
    return _around(boxes) if frame is None and len(boxes) else frame


def _boxes_of(seen: Composition, ids: frozenset[str]) -> Floats:
    boxes: Floats = seen.boxes[seen.projection.boxes_of(ids)]
    return boxes


def _around(boxes: Floats) -> Rect:
    (left, top), (right, foot) = boxes[:, :2].min(axis=0).tolist(), (boxes[:, :2] + boxes[:, 2:]).max(axis=0).tolist()
    return left, top, right, foot
