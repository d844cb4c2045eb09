"""How much room on the canvas what is copied takes."""

from collections.abc import Iterable

from designer.model.fragments import Fragment
from designer.model.hardware.switches import SwitchType
from designer.placement.metrics import RACK_SIZE, box_size

Rect = tuple[float, float, float, float]


def extent_of(fragment: Fragment, *, with_notes: bool = True) -> Rect | None:
    """Left, top, right and bottom of the boxes of a fragment; None where none stands on the canvas.

    Lines are as large as they lead far. Without notes, annotations are left out.
    """
    switches = {one.id for one in fragment.types if isinstance(one, SwitchType)}
    sizes = {one.id: RACK_SIZE for one in fragment.racks}
    sizes |= {one.id: box_size(one.type_id in switches) for one in fragment.devices}
    if with_notes:
        sizes |= {one.id: (abs(one.dx), abs(one.dy)) for one in fragment.annotations}
    return _around((at.x, at.y, *sizes[at.id]) for at in fragment.placements if at.id in sizes)


def _around(boxes: Iterable[tuple[float, float, float, float]]) -> Rect | None:
    """Around boxes of these middles, widths and heights."""
    sides = [(x - width / 2, y - height / 2, x + width / 2, y + height / 2) for x, y, width, height in boxes]
    if not sides:
        return None
    lefts, tops, rights, bottoms = zip(*sides, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
