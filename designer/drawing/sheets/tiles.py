"""How a picture lies on paper: on one page where its names can be read there, else in parts that overlap."""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from designer.drawing.camera import Camera
from designer.drawing.geometry import Rect


class Tile(NamedTuple):
    """One page's part of a picture; `row` and `column` count from 1."""

    camera: Camera
    row: int
    column: int
    name: str
    """ ", part 2 of 6"; "" where there is but one."""


def fitting_scale(bounds: Rect, room: Rect, most: float) -> float:
    """The largest scale at which the room shows all."""
    width, height = bounds[2] - bounds[0], bounds[3] - bounds[1]
    return min(most, (room[2] - room[0]) / max(width, 1e-6), (room[3] - room[1]) / max(height, 1e-6))


def tiles(bounds: Rect, room: Rect, scale: float, overlap: tuple[float, float]) -> Iterator[Tile]:
    """The parts of a picture at a scale, row by row; whatever is no larger than the overlap is whole on one of them.

    What needs no more room than there is stands in its middle.
    """
    across, down = (_starts(bounds, room, scale, overlap[axis], axis) for axis in (0, 1))
    count = len(across) * len(down)
    for row, top in enumerate(down, start=1):
        for column, left in enumerate(across, start=1):
            number = (row - 1) * len(across) + column
            name = f", part {number} of {count}" if count > 1 else ""
            yield Tile(Camera(scale, left - room[0] / scale, top - room[1] / scale), row, column, name)


def _starts(bounds: Rect, room: Rect, scale: float, overlap: float, axis: int) -> list[float]:
    """Where the parts begin along an axis, in units of the picture."""
    low, high = bounds[axis], bounds[axis + 2]
    seen = (room[axis + 2] - room[axis]) / scale
    if high - low <= seen * 1.0001:
        return [(low + high - seen) / 2]
    step = max(seen - overlap, seen / 4)
    count = ceil((high - low - seen) / step) + 1
    return [low + number * (high - low - seen) / (count - 1) for number in range(count)]
