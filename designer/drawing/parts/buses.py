"""What is written on the buses of full meshes: how many boxes are all joined to each other."""

from collections import Counter
from collections.abc import Iterator

from designer.drawing.counts import Taken
from designer.drawing.display_list import Picture
from designer.drawing.geometry import Rect as Corners
from designer.drawing.parts.primitives import Group, Ink, Part, Point, Rect, Text
from designer.drawing.parts.row_captions import BUSES, taken_before
from designer.drawing.parts.ruler import baseline, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.trunks import Bus

SIZE_PX, AIR_PX = 10.0, 3.0
MOST_SHARE = 0.5
"""Of a bus in sight so much may lie under its text."""
MOST_SAME, OF_MANY = 12, 3
"""Of more buses in sight that say the same so many do."""
PLACES = (0.5, 0.35, 0.65, 0.2, 0.8, 0.0, 1.0)
"""Along a bus, the best first."""


def bus_texts(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """A text on each bus where it has room there: over what of the bus is in sight, where nothing else stands.

    Of very many buses that say the same a few do, those in the middle of the sheet.
    """
    taken, size = taken_before(BUSES, picture, sheet), whole(SIZE_PX * sheet.zoom)
    high = line_height(sheet.ruler, size)
    found = list[tuple[Bus, Corners, float]]()
    for bus in picture.buses:
        seen, width = (
            _in_sight(sheet.seen(bus.line), sheet),
            sheet.ruler.width(bus.text, size) + 2 * AIR_PX * sheet.zoom,
        )
        if seen is not None and max((seen[2] - seen[0]) / width, (seen[3] - seen[1]) / high) * MOST_SHARE >= 1.0:
            found.append((bus, seen, width))
    same, written = Counter(_sort(bus) for bus, _, _ in found), Counter[tuple[str, bool]]()
    for bus, seen, width in sorted(found, key=lambda one: _off_middle(one[1], sheet)):
        if same[_sort(bus)] > MOST_SAME and written[_sort(bus)] >= OF_MANY:
            continue
        place = _free_place(seen, width, high, taken)
        if place is not None:
            written[_sort(bus)] += 1
            taken.take(*place, width, high)
            foot = baseline(sheet.ruler, place[1] + high / 2, size)
            words = Text(place[0] + AIR_PX * sheet.zoom, foot, bus.text, size, sheet.theme.muted)
            yield Group((Rect(*place, width, high, Ink(sheet.theme.background)), words))


def _sort(bus: Bus) -> tuple[str, bool]:
    """What a bus says, and whether it is level."""
    return bus.text, bus.line[1] == bus.line[3]


def _off_middle(seen: Corners, sheet: Sheet) -> float:
    left, top, width, height = sheet.area
    return abs((seen[0] + seen[2] - width) / 2 - left) + abs((seen[1] + seen[3] - height) / 2 - top)


def _free_place(seen: Corners, width: float, height: float, taken: Taken) -> Point | None:
    """Left and top of a text of that size on what shows of a bus."""
    x1, y1, x2, y2 = seen
    for share in PLACES:
        x = (x1 + x2 - width) / 2 + (share - 0.5) * max(0.0, x2 - x1 - width)
        y = (y1 + y2 - height) / 2 + (share - 0.5) * max(0.0, y2 - y1 - height)
        if taken.is_free(x, y, width, height):
            return x, y
    return None


def _in_sight(bus: Corners, sheet: Sheet) -> Corners | None:
    """From where to where a level or upright bus (left, top, width, height) shows; None where it does not."""
    left, top, width, height = sheet.area
    x, y, wide, tall = bus
    seen = max(x, left), max(y, top), min(x + wide, left + width), min(y + tall, top + height)
    return seen if seen[0] <= seen[2] and seen[1] <= seen[3] else None
