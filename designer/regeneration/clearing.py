"""Devices that were moved by hand, kept clear of the boxes that a new layout puts where they would stand."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from designer.model.design import Design
from designer.model.entities import Placement
from designer.placement.metrics import COLUMN_PITCH, ROW_PITCH, box_size

STEP_X, STEP_Y = COLUMN_PITCH / 2, ROW_PITCH / 2
FARTHEST_RING = 80
"""Steps that a free place is looked for around the wanted one; a box that finds none stays where it is wanted."""


class Boxes:
    """Boxes of devices by id, found by where they are. x and y are centres, in canvas units."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], dict[str, tuple[float, float, float, float]]] = {}

    def add(self, one: str, x: float, y: float, size: tuple[float, float]) -> None:
        """Add the box of a device by its centre and (width, height)."""
        self._cells.setdefault(_cell(x, y), {})[one] = (x, y, *size)

    def touching(self, x: float, y: float, size: tuple[float, float]) -> set[str]:
        """The ids of the boxes that a box of that size would overlap. No box is larger than a cell."""
        width, height = size
        column, row = _cell(x, y)
        near = ((column + right, row + down) for right in (-1, 0, 1) for down in (-1, 0, 1))
        return {
            one
            for cell in near
            for one, (its_x, its_y, its_width, its_height) in self._cells.get(cell, {}).items()
            if abs(x - its_x) < (width + its_width) / 2 and abs(y - its_y) < (height + its_height) / 2
        }


def clear_of_others(before: Design, design: Design, moved: Collection[str]) -> dict[str, Placement]:
    """New placements for those of the moved devices that stand on boxes which they did not stand on before.

    `before` is the design as it was, `design` as it is laid out now. A device goes back to where it stood, where that
    is free, else to the nearest free place. Overlaps that were there already are left as they are.
    """
    free_standing = [one for one in moved if one in design.placements and one in before.placements]
    standing = _boxes(design, design.placements, frozenset(free_standing))
    stood = _boxes(before, before.placements, frozenset())
    cleared: dict[str, Placement] = {}
    for one in free_standing:
        place, was, size = design.placements[one], before.placements[one], _size(design, one)
        allowed = stood.touching(was.x, was.y, _size(before, one))
        x, y = place.x, place.y
        if standing.touching(x, y, size) - allowed:
            x, y = next((spot for spot in _spots((was.x, was.y), (x, y)) if not standing.touching(*spot, size)), (x, y))
        if (x, y) != (place.x, place.y):
            cleared[one] = replace(place, x=round(x, 6), y=round(y, 6))
        standing.add(one, x, y, size)
    return cleared


def _boxes(design: Design, placements: Mapping[str, Placement], without: frozenset[str]) -> Boxes:
    boxes = Boxes()
    for one, place in placements.items():
        if one in design.devices and one not in without:
            boxes.add(one, place.x, place.y, _size(design, one))
    return boxes


def _size(design: Design, device_id: str) -> tuple[float, float]:
    return box_size(design.is_switch(device_id))


def _spots(stood: tuple[float, float], wanted: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Where it stood, then places around the wanted one, ring by ring, the nearest of a ring first."""
    yield stood
    for ring in range(1, FARTHEST_RING + 1):
        edge = [
            (right * STEP_X, down * STEP_Y)
            for right in range(-ring, ring + 1)
            for down in range(-ring, ring + 1)
            if max(abs(right), abs(down)) == ring
        ]
        for dx, dy in sorted(edge, key=lambda step: (step[0] ** 2 + step[1] ** 2, step)):
            yield wanted[0] + dx, wanted[1] + dy


def _cell(x: float, y: float) -> tuple[int, int]:
    return int(x // COLUMN_PITCH), int(y // COLUMN_PITCH)
