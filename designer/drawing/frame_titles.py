"""On which side of its frame a group's title stands: above, unless links run there."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from designer.drawing.bundles import Floats
from designer.drawing.geometry import Container
from designer.drawing.projection import Projection
from designer.model.entities import CUBE, ROUTER_GROUPS

ROOM_BELOW = 32.0
"""Height of the strip that a title takes below its frame, canvas units."""
MOST_LINES = 60_000
"""With more lines no single one is followed, and titles stand where they do without them."""
IN_ROW = 1.0
TITLE_GAP = 8.0
TITLE_MOST_BEYOND = 600.0
"""How far a title may stand out beyond its group where nothing is in its way."""


def titled_below(frames: Sequence[Container], projection: Projection) -> list[Container]:
    """The frames of a direct network, with titles below where links are above.

    Those of lower groups around a middle, and of all cubes, whose stubs lead up. From afar a group keeps the side that
    it has where none is opened, whatever the others make way for: its rows are in the order of that side.
    """
    around = {one.id: (one.rect[1], one.rect[3]) for one in frames if one.kind in ROUTER_GROUPS}
    if projection.whole() is not projection:
        around.update(_heights(projection.whole()))
    middle = (min(top for top, _ in around.values()) + max(end for _, end in around.values())) / 2 if around else 0.0
    return [
        replace(one, is_titled_below=True)
        if one.kind == CUBE or (one.kind in ROUTER_GROUPS and sum(around[one.id]) > 2 * middle)
        else one
        for one in frames
    ]


def _heights(whole: Projection) -> Iterator[tuple[str, tuple[float, float]]]:
    """Top and bottom of each group of routers where every device is drawn."""
    tops, ends = (whole.centres[:, 1] + side * whole.sizes[:, 1] / 2 for side in (-1.0, 1.0))
    for one in whole.groups:
        if one.kind in ROUTER_GROUPS and one.rows:
            rows = list(one.rows)
            yield one.id, (float(tops[rows].min()), float(ends[rows].max()))


def titled_off_links(frames: Sequence[Container], lines: Floats, boxes: Floats) -> list[Container]:
    """The same frames, with titles below where links, (n, 4), cross the upper edge and none the strip below.

    All groups of a row have them on one side. `boxes` are left, top, width and height of everything that is drawn.
    """
    rows = dict[int, list[Container]]()
    for one in frames:
        if one.kind != "rack" and len(lines) <= MOST_LINES:
            rows.setdefault(round(one.rect[1] / IN_ROW), []).append(one)
    below = set[str]()
    for row in rows.values():
        is_crossed = any(_crosses(lines, one.rect[1], one) for one in row)
        if is_crossed and all(_is_free_below(one, frames, lines, boxes) for one in row):
            below.update(one.id for one in row)
    return [replace(one, is_titled_below=True) if one.id in below else one for one in frames]


def _is_free_below(frame: Container, frames: Sequence[Container], lines: Floats, boxes: Floats) -> bool:
    left, _, right, bottom = frame.rect
    foot = bottom + ROOM_BELOW
    x, y, width, height = boxes.T
    if ((x < right) & (x + width > left) & (y < foot) & (y + height > bottom)).any():
        return False
    for other_left, other_top, other_right, other_bottom in (one.rect for one in frames if one is not frame):
        is_beside = other_left >= right or other_right <= left or other_bottom <= bottom or other_top >= foot
        is_around = other_left <= left and other_right >= right and other_top <= bottom and other_bottom >= foot
        if not is_beside and not is_around:
            return False
    return not _crosses(lines, bottom, frame) and not _crosses(lines, foot, frame)


def _crosses(lines: Floats, height: float, frame: Container) -> bool:
    """Whether any of the lines crosses that height between the sides of the frame."""
    x1, y1, x2, y2 = lines[(lines[:, 1] < height) != (lines[:, 3] < height)].T
    at = x1 + (x2 - x1) * (height - y1) / (y2 - y1)
    return bool(((at > frame.rect[0]) & (at < frame.rect[2])).any())


def title_room(frame: Container, frames: Iterable[Container], boxes: Floats, height: float) -> float:
    """How wide a group's title may be, in its strip of that height above or below: up to the next thing there.

    At least as wide as the group; `boxes` are left, top, width and height.
    """
    left, top, right, bottom = frame.rect
    high, low = (bottom, bottom + height) if frame.is_titled_below else (top - height, top)
    x, y, _, tall = boxes.T
    ends = x[(x > left) & (y < low) & (y + tall > high)].tolist()
    for other in frames:
        if other is frame:
            continue
        other_left, other_top, other_right, other_bottom = other.rect
        if other.kind != "rack":  # its own title
            other_top, other_bottom = _titled(other, height)
        if other_top < low and other_bottom > high:
            if other_left > left:
                ends.append(other_left)
            elif other_right >= right:  # around this one
                ends.append(other_right)
    return max(right, min(ends, default=right + TITLE_MOST_BEYOND) - TITLE_GAP) - left


def _titled(frame: Container, height: float) -> tuple[float, float]:
    _, top, _, bottom = frame.rect
    return (top, bottom + height) if frame.is_titled_below else (top - height, bottom)
