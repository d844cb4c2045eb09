"""Where what only the other side has stands on the drawing of this one: in its row, and on nothing else."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from designer.model.design import Design
from designer.model.entities import Device, Entity, Placement
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, SWITCH_WIDTH, box_size

Shift = tuple[float, float]
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Box:
    """A box by its middle, and half of its width."""

    x: float
    y: float
    half: float

    def covers(self, other: "_Box") -> bool:
        """Whether both are at the same place in part."""
        return abs(self.y - other.y) < BOX_HEIGHT and abs(self.x - other.x) < self.half + other.half


class _Taken:
    """Boxes by where they are, so that those near a place are few."""

    def __init__(self, boxes: Iterable[_Box]) -> None:
        self._cells: defaultdict[Cell, list[_Box]] = defaultdict(list)
        for box in boxes:
            self.add(box)

    def add(self, box: _Box) -> None:
        """From now on its place is taken."""
        self._cells[self._cell(box)].append(box)

    def under(self, box: _Box) -> _Box | None:
        """One that a box would cover; None where its place is free."""
        column, row = self._cell(box)
        near = (one for x in (-1, 0, 1) for y in (-1, 0, 1) for one in self._cells.get((column + x, row + y), ()))
        return next((one for one in near if one.covers(box)), None)

    @staticmethod
    def _cell(box: _Box) -> Cell:
        return int(box.x // SWITCH_WIDTH), int(box.y // BOX_HEIGHT)


def standing(design: Design, other: Design, records: Sequence[Entity]) -> list[Entity]:
    """The records of the other design to add, with devices where they are on nothing that this design has.

    Rows are centered, so a device that was added to one has the place of another one here. It keeps its distance to
    the device before it in its row that both have, and goes on to the right where that is taken. What goes on a row
    that is centered over the same place in both is on both sides of it, so that it stays so.
    """
    new = {one.id for one in records if isinstance(one, Device)}
    places = [one for one in records if isinstance(one, Placement) and one.id in new]
    if not places:
        return list(records)
    shifts = _Shifts(design, other)
    taken = _Taken(_boxes(design, design.placements))
    found: dict[str, Placement] = {}
    for place in sorted(places, key=lambda one: (one.y, one.x, one.id)):
        dx, dy = shifts.of(place)
        half = box_size(other.is_switch(place.id))[0] / 2
        box = _free(taken, _Box(place.x + dx, place.y + dy, half))
        taken.add(box)
        found[place.id] = replace(place, x=round(box.x, 1), y=round(box.y, 1))
    here, there, usual_x = _rows(design), _rows(other), shifts.usual[0]
    added: defaultdict[float, list[Placement]] = defaultdict(list)
    for place in sorted(places, key=lambda one: (one.x, one.id)):
        added[round(place.y, 1)].append(found[place.id])
    for y, row in added.items():
        own = here.get(row[0].y, [])
        if own and abs(_middle(own) - _middle(there[y]) - usual_x) < COLUMN_PITCH / 2:
            found.update(_on_both_sides(own, row, taken))
    return [found.get(one.id, one) if isinstance(one, Placement) else one for one in records]


def _rows(design: Design) -> dict[float, list[float]]:
    """Where devices stand in each row, by its height."""
    rows: defaultdict[float, list[float]] = defaultdict(list)
    for one, place in design.placements.items():
        if one in design.devices:
            rows[round(place.y, 1)].append(place.x)
    return rows


def _middle(row: Sequence[float]) -> float:
    return (min(row) + max(row)) / 2


def _on_both_sides(own: Sequence[float], row: Sequence[Placement], taken: _Taken) -> dict[str, Placement]:
    """Other places for a row that all goes on at the right of one's own: half of it at the left, all in their order.

    Nothing where that is taken.
    """
    y, n_left = row[0].y, len(row) // 2
    left = [2 * _middle(own) - one.x for one in reversed(row[:n_left])]
    if row[0].x < max(own) or any(one.y != y for one in row):
        return {}
    if any(taken.under(_Box(x, y, SWITCH_WIDTH / 2)) for x in left):
        return {}
    xs = [*left, *(one.x for one in row[: len(row) - n_left])]
    return {one.id: replace(one, x=round(x, 1)) for one, x in zip(row, xs, strict=True)}


def _free(taken: _Taken, box: _Box) -> _Box:
    """The box where its place is free, else at the next one in its row."""
    while (there := taken.under(box)) is not None:
        box = replace(box, x=there.x + there.half + GAP + box.half)
    return box


def _boxes(design: Design, placements: Mapping[str, Placement]) -> Iterator[_Box]:
    for one, place in placements.items():
        if one in design.devices:
            yield _Box(place.x, place.y, box_size(design.is_switch(one))[0] / 2)


class _Shifts:
    """How far what both designs have stands apart in them, by row of the other one."""

    def __init__(self, design: Design, other: Design) -> None:
        pairs = [
            (there, here)
            for one, there in other.placements.items()
            if one in design.devices and (here := design.placements.get(one)) is not None
        ]
        rows: defaultdict[float, list[tuple[float, Shift]]] = defaultdict(list)
        for there, here in pairs:
            rows[round(there.y, 1)].append((there.x, (here.x - there.x, here.y - there.y)))
        self._rows = {y: sorted(row) for y, row in rows.items()}
        shifts = [shift for row in self._rows.values() for _x, shift in row] or [(0.0, 0.0)]
        self.usual = median(dx for dx, _ in shifts), median(dy for _, dy in shifts)

    def of(self, place: Placement) -> Shift:
        """That of the nearest before it in its row, or else after it; in a row of its own, the usual one."""
        row = self._rows.get(round(place.y, 1))
        if row is None:
            return self.usual
        return row[max(0, bisect(row, place.x, key=lambda one: one[0]) - 1)][1]
