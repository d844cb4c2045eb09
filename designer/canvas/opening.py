"""The view in which boxes are opened that stand for many devices because they are far away."""

from collections.abc import Iterable

from designer.canvas.sight import Sight
from designer.canvas.subject import CLOSE_SCALE, MARGIN_PX
from designer.drawing.bundles import Floats
from designer.drawing.camera import Camera, fitting
from designer.drawing.composition import Composition
from designer.drawing.folding.folds import level_of
from designer.drawing.folding.levels import Levels
from designer.drawing.geometry import Rect, around

LEAST_READ_PX = 40.0
"""Boxes so wide have room for what tells them from each other."""
MOST_STEPS = 8
"""Back to where all that is open is in the view: each is a level of the drawing."""


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
    others = _opened_in(sight, levels) - {chosen}
    fold = levels.open(chosen, scale) or levels.open(chosen, camera.scale)
    boxes = _boxes_of(levels.at(scale), chosen)
    are_read = fold is not None and fold.is_role and len(boxes) > 1 and boxes[:, 2].min() * scale >= LEAST_READ_PX
    if are_read and sight.camera.shows(_around(boxes), sight.width, sight.height):
        return sight.camera
    least = levels.opened_from(chosen)
    camera = camera.zoomed(max(1.0, 1.001 * least / camera.scale), sight.width / 2, sight.height / 2)
    if not levels.opened or levels.at(camera.scale) is whole:
        return camera
    with_others = _around_all({chosen, *others}, levels, camera, sight) if others else None
    return with_others or _around_all({chosen}, levels, camera, sight) or camera


def _opened_in(sight: Sight, levels: Levels) -> set[frozenset[str]]:
    """The groups that a hand has opened and that are open in the view, at least in part."""
    seen, (left, top, right, foot) = levels.at(sight.camera.scale), sight.camera.seen(sight.width, sight.height)
    opened = {key.id for key in levels.opened if not key.role}
    frames = ((one.id, one.rect) for one in seen.containers if one.id in opened)
    return {
        frozenset((one,)) for one, (x, y, end, low) in frames if x < right and end > left and y < foot and low > top
    }


def _around_all(wanted: set[frozenset[str]], levels: Levels, camera: Camera, sight: Sight) -> Camera | None:
    """The view with all that was opened, not nearer than that camera; None where some would be closed in it.

    From farther away what is open takes more of the drawing, so that it is looked at again.
    """
    for _ in range(MOST_STEPS):
        seen = levels.at(camera.scale)
        rect = around(found for ids in wanted if (found := _rect_opened(seen, ids)) is not None)
        if rect is None or any(levels.is_closed_at(ids, camera.scale) for ids in wanted):
            return None
        farther = fitting(rect, sight.width, sight.height, camera.scale, MARGIN_PX)
        if level_of(farther.scale) == level_of(camera.scale):
            return farther
        camera = farther
    return None


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
