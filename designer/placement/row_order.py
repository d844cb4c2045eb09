"""New racks between the racks of a row: where they stand, and which racks move over to make room."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from designer.model.design import Design
from designer.model.furnishing import TOUCH_M
from designer.placement.floor import Point, Row, place_of


@dataclass(frozen=True, slots=True)
class Opening:
    """Room for racks in a row: their places and facing, and the racks that move over, by id."""

    places: tuple[Point, ...]
    facing: str
    moved: dict[str, Point]


def opening(design: Design, row: Row, index: int, count: int) -> Opening:
    """Room for so many racks before the rack of that index, at the end of the row for its length.

    They stand against the rack to their left, or at the left end against the one to their right. Racks to the right
    that would be in the way move over, no further than they must.
    """
    width = design.settings.rack_width_m
    xs = [design.racks[one].x_m or 0.0 for one in row.rack_ids]
    first = xs[index - 1] + width if index else xs[0] - count * width
    places = tuple((round(first + number * width, 4), row.y_m) for number in range(count))
    return Opening(places, row_facing(design, row.rack_ids), _moved(design, row, index, places[-1][0]))


def row_facing(design: Design, rack_ids: Sequence[str]) -> str:
    """Where most fronts of these racks look."""
    return Counter(design.racks[one].facing for one in rack_ids).most_common(1)[0][0]


def _moved(design: Design, row: Row, index: int, last_m: float) -> dict[str, Point]:
    width = design.settings.rack_width_m
    moved: dict[str, Point] = {}
    for one in row.rack_ids[index:]:
        at = place_of(design.racks[one])
        if at is None or at[0] - last_m >= width - TOUCH_M:
            break
        last_m = round(last_m + width, 4)
        moved[one] = last_m, at[1]
    return moved
