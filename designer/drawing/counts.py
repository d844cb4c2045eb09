"""Places for texts on a sheet: one list of what is taken that all share, and where the count of a bundle is written."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from designer.drawing.geometry import Distances, Rect
from designer.drawing.obstacles import between_heights

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_COUNTS = 140
"""With more bundles in sight, their counts are left to the tooltip."""
SHARES = np.array((0.5, 0.36, 0.64, 0.24, 0.76))[:, None]
"""Places along a line, the best first."""
STEPS = 12
"""Of a leader, at which it is seen whether something stands there."""
LEAST_LENGTHS = 2.2
"""How many times its text a line is at least as long."""


class Taken:
    """Rectangles, (n, 4) as left, top, right, bottom; what only touches one is free."""

    def __init__(self, corners: Floats) -> None:
        self._corners = corners

    @property
    def corners(self) -> Floats:
        """All of them, the last taken last."""
        return self._corners

    def __len__(self) -> int:
        return len(self._corners)

    def is_free(self, left: float, top: float, width: float, height: float) -> bool:
        """Whether nothing stands in a rectangle."""
        lefts, tops, rights, bottoms = self._corners.T
        over = (lefts < left + width) & (rights > left) & (tops < top + height) & (bottoms > top)
        return not over.any()

    def are_covered(self, spots: Floats, width: float, height: float) -> NDArray[np.bool_]:
        """At which of the spots, (n, 2), the middle of a rectangle of that size would cover something."""
        left, top, right, bottom = self._corners.T
        x, y = spots[:, :1], spots[:, 1:]
        beside = (left >= x + width / 2) | (right <= x - width / 2)
        above_or_below = (top >= y + height / 2) | (bottom <= y - height / 2)
        found: NDArray[np.bool_] = ~(beside | above_or_below).all(axis=1)
        return found

    def ends_in(self, top: float, height: float) -> list[float]:
        """The right ends of what stands in a strip of that height."""
        _, tops, rights, bottoms = self._corners.T
        ends: list[float] = rights[(tops < top + height) & (bottoms > top)].tolist()
        return ends

    def take(self, left: float, top: float, width: float, height: float) -> None:
        """Something stands there from now on."""
        self._corners = np.vstack((self._corners, (left, top, left + width, top + height)))

    def take_all(self, corners: Floats) -> None:
        """Something stands in each of these, (n, 4) as left, top, right, bottom."""
        self._corners = np.vstack((self._corners, corners))

    def give_back(self, n_kept: int) -> None:
        """Free what was taken after so many."""
        self._corners = self._corners[:n_kept]

    def copy(self) -> "Taken":
        """A list of its own that begins with the same."""
        return Taken(self._corners)


def corners_of(places: Floats) -> Floats:
    """Left, top, right and bottom of rectangles, (n, 4) as left, top, width, height."""
    found: Floats = np.hstack((places[:, :2], places[:, :2] + places[:, 2:]))
    return found


def n_crossed(lines: Floats, spots: Floats, width: float, height: float) -> Ints:
    """How many of the lines, (n, 4), a rectangle of that size around each of the spots, (m, 2), would cover."""
    heights = list(dict.fromkeys(spots[:, 1].tolist()))
    middles = np.array(heights)[:, None]
    low, high = between_heights(lines, middles - height / 2, middles + height / 2)
    at, x = [heights.index(y) for y in spots[:, 1].tolist()], spots[:, :1]
    found: Ints = np.count_nonzero((low[at] < x + width / 2) & (high[at] > x - width / 2), axis=1)
    return found


def place_at_box(
    box: Sequence[float],
    plate: tuple[float, float],
    ways: tuple[float, float],
    area: Rect,
    taken: Taken,
    lines: Floats,
) -> tuple[float, float] | None:
    """Left and top of a plate above, below or next to a box, where nothing stands and, if it can be, no line runs.

    `ways` are how far from the box it is above or left of it, and below or right. None where there is no room.
    """
    (x, y, width, height), (wide, tall), (near, off) = box, plate, ways
    left, top, across, down = area
    above, below, right = y - tall - near, y + height + off, x + width - wide
    sides = (x + width + off, x - wide - near)
    spots = [(at, level) for level in (above, below) for at in (right, x)]
    spots += [(at, y + (height - tall) / 2) for at in sides]
    free = [
        (at, level)
        for at, level in spots
        if left <= at <= left + across - wide and top <= level <= top + down - tall
        if taken.is_free(at, level, wide, tall)
    ]
    if not free:
        return None
    crossed = n_crossed(lines, np.array(free) + np.array(plate) / 2, wide, tall)
    return free[int(np.argmin(crossed))]


class CountPlaces:
    """Finds a place on each line for its count: off boxes and other counts, and clear of the other lines."""

    def __init__(self, lines: Floats, taken: Taken, area: Rect, *, across: bool = False) -> None:
        """`taken` is what no count may cover, and gets the counts; `area` is left, top, width and height.

        `across` is what `place_on` goes by for all lines.
        """
        self._lines, self._across = lines, across
        self._distances = Distances(lines)
        self._taken = taken
        left, top, width, height = area
        self._corners = (left, top), (left + width, top + height)

    def place_on(
        self, line: Floats, width: float, height: float, *, across: bool = False, clear: bool = False
    ) -> tuple[float, float] | None:
        """The middle of a free place for a text of that size; None where the line is too short or all is taken.

        One that may reach `across` other lines only has to leave most of its own in sight; one that has to be `clear`
        covers none of them.
        """
        start, along = line[:2], line[2:] - line[:2]
        x, y = np.abs(along).tolist()
        if (max(x / width, y / height) if across or self._across else (x + y) / max(width, height)) < LEAST_LENGTHS:
            return None
        best: tuple[float, float, float] | None = None
        spots = start + along * SHARES
        covered = self._taken.are_covered(spots, width, height) | self._beyond(spots, width, height)
        if clear:
            covered |= self.n_crossed(spots, width, height) > 1
        for preference, ((x, y), is_taken) in enumerate(zip(spots.tolist(), covered.tolist(), strict=True)):
            if is_taken or (best is not None and width - preference <= best[0]):  # no better, however clear
                continue
            clearance = min(self._clearance(x, y), width) - preference
            if best is None or clearance > best[0]:
                best = (clearance, x, y)
        if best is None:
            return None
        return self._take(*best[1:], width, height)

    def place_in(
        self,
        spots: Floats,
        width: float,
        height: float,
        foreign: NDArray[np.bool_] | None = None,
        *,
        clear: bool = False,
        most: int | None = None,
    ) -> tuple[float, float] | None:
        """The one of the spots, (n, 2), where a text of that size covers the fewest lines; None where all are taken.

        It covers none of the `foreign` lines, by the row that they were given in; one that has to be `clear` none at
        all, others so many at `most`.
        """
        free = ~(self._taken.are_covered(spots, width, height) | self._beyond(spots, width, height))
        if clear:
            free &= self.n_crossed(spots, width, height) == 0
        elif foreign is not None:
            free &= n_crossed(self._lines[foreign], spots, width, height) == 0
        if not free.any():
            return None
        covered = self.n_crossed(spots[free], width, height)
        if most is not None and covered.min() > most:
            return None
        x, y = spots[free][np.argmin(covered)].tolist()
        return self._take(x, y, width, height)

    def are_struck(self, leaders: Floats) -> NDArray[np.bool_]:
        """Which of these lines, (n, 4), would strike something through that is taken, but where they begin."""
        along = np.linspace(0.0, 1.0, 1 + STEPS)[1:, None, None]
        points = leaders[:, :2] + along * (leaders[:, 2:] - leaders[:, :2])
        found: NDArray[np.bool_] = self._taken.are_covered(points.reshape(-1, 2), 1.0, 1.0).reshape(STEPS, -1)
        return np.asarray(found.any(axis=0))

    def _take(self, x: float, y: float, width: float, height: float) -> tuple[float, float]:
        self._taken.take(x - width / 2, y - height / 2, width, height)
        return x, y

    def keep_clear(self, x: float, y: float, size: float) -> None:
        """Something of that size stands with its middle there."""
        self._take(x, y, size, size)

    def n_crossed(self, spots: Floats, width: float, height: float) -> Ints:
        """How many lines a text of that size would cover at each of the spots, (n, 2), its own among them."""
        return n_crossed(self._lines, spots, width, height)

    @property
    def n_taken(self) -> int:
        """How many places are taken: what `give_back` takes."""
        return len(self._taken)

    def give_back(self, n_taken: int) -> None:
        """Free the places that were taken after so many."""
        self._taken.give_back(n_taken)

    def place_next_to(
        self, line: Floats, middle: tuple[float, float], plate: tuple[float, float], size: float
    ) -> tuple[float, float]:
        """The middle of a mark on the line, just outside a plate that is on it: at the end that covers nothing."""
        along = line[2:] - line[:2]
        unit = along / float(np.hypot(*along))
        reach = min((side + size) / 2 / abs(way) for side, way in zip(plate, unit.tolist(), strict=True) if way)
        ends = np.array(middle) + unit * np.array([[-reach], [reach]])
        first, second = self._taken.are_covered(ends, size, size).tolist()
        x, y = ends[1 if first and not second else 0].tolist()
        return x, y

    def _beyond(self, spots: Floats, width: float, height: float) -> NDArray[np.bool_]:
        """At which of the spots, (n, 2), a text of that size would be cut by the edge of the drawing."""
        (left, top), (right, bottom) = self._corners
        across, down = width / 2, height / 2
        return np.array(
            [x - across < left or y - down < top or x + across > right or y + down > bottom for x, y in spots.tolist()],
            np.bool_,
        )

    def _clearance(self, x: float, y: float) -> float:
        """Distance to the nearest line but the one through the point."""
        apart = self._distances.of(x, y)
        return float(np.partition(apart, 1)[1]) if len(apart) > 1 else np.inf
