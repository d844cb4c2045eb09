"""Trunks: many servers that share their leafs, drawn as a comb instead of a mesh.

Each server has one stub to a vertical trunk beside its column; the trunks end on a bar below the leafs, and each leaf
has a stub to the bar. A scalable unit of 32 servers and 8 leafs takes some fifty short lines instead of 256 crossing
ones, and a hot link can still be followed: every piece it passes takes its color, and no other.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Bundles, Floats, Ints
from designer.drawing.geometry import Rect
from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER

Points = Mapping[int, Sequence[float]]
"""Pairs of numbers by row, as lists: one by one they are read sooner than from an array."""
LEAST_SERVERS = 6
"""Fewer servers on the same leafs are drawn link by link."""
CROWD = 96
"""From near, so many lines from servers to the same leafs are too many to be distinguished: 12 servers and 8 leafs."""
MOST_AFAR = 60_000
"""Servers on one switch each that are drawn as combs from afar; of more nobody follows a single link."""
LEAST_ROOM = 24.0
"""Canvas units between leafs and servers that the bar needs."""
LEAST_LEAFS_IN_ROW = 0.75
"""Of the leafs of a family so many stand in one row; the others are drawn link by link."""
COLUMN_TOLERANCE = 6.0
LEAST_PITCH = 8.0


@dataclass
class Comb:
    """Lines that stand for bundles: each line with the numbers of the bundles that run through it."""

    xy: list[tuple[float, float, float, float]] = field(default_factory=list)
    bundles: list[list[int]] = field(default_factory=list)

    def add(self, line: tuple[float, float, float, float], bundles: list[int]) -> None:
        """Add a line (x1, y1, x2, y2) and the bundles that run through it; a line without bundles is left out."""
        if bundles:
            self.xy.append(line)
            self.bundles.append(bundles)


@dataclass(frozen=True, slots=True)
class Gathered:
    """Lines that stand for bundles, as arrays."""

    xy: Floats  # (n, 4)
    counts: Ints  # (n,) how many bundles run through each line
    bundles: Ints  # their numbers, line after line
    combed: Ints  # numbers of all bundles that these lines stand for
    of_servers: bool = True
    """Whether these lead to servers."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Boxes that are all joined to each other, along their row or column, and the bundles between them."""

    rows: Ints  # (n,)
    axis: int
    """1 of a row, 0 of a column: the coordinate that its boxes share."""
    ends: Ints  # (m, 2) places in `rows`, the lower first
    bundles: Ints  # (m,)


@dataclass(frozen=True, slots=True)
class Bus:
    """The bus of a mesh, from its first box to its last, and what is written on it."""

    text: str
    line: Rect


@dataclass(frozen=True, slots=True)
class Buses:
    """The buses of a drawing: their lines, and what is written on them."""

    lines: Gathered
    titles: tuple[Bus, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """Servers that hang on the same leafs: leaf rows, and for each server row its bundle numbers in leaf order."""

    leafs: tuple[int, ...]
    servers: dict[int, tuple[int, ...]]
    are_above: bool = False
    """Whether the servers stand above, as in the lower groups of a dragonfly."""


class Combs:
    """The combs of a drawing. Those of families that stand where they stood when last asked for are kept.

    Of these families, those with at least `least_lines` between servers and leafs.
    """

    def __init__(self, families: Sequence[Family], least_lines: int = 0) -> None:
        self._families = [one for one in families if len(one.leafs) * len(one.servers) >= least_lines]
        self._rows = [np.array((*one.leafs, *one.servers)) for one in self._families]
        self._boxes: Floats | None = None
        self._made: list[Gathered] = []

    def at(self, centres: Floats, sizes: Floats) -> Gathered:
        """The lines of all, with the boxes of the projection at those centres."""
        boxes, before = np.hstack((centres, sizes)), self._boxes
        stays = np.zeros(len(boxes), np.bool_) if before is None else (boxes == before).all(axis=1)
        self._made = [
            self._made[number] if stays[rows].all() else _gathered(family, rows, centres, sizes)
            for number, (family, rows) in enumerate(zip(self._families, self._rows, strict=True))
        ]
        self._boxes = boxes
        return _joined(self._made)


class HungCombs(NamedTuple):
    """Combs, and the bundles to servers that they were made of."""

    bundles: Bundles
    numbers: Ints
    combs: Combs


def _gathered(family: Family, rows: Ints, centres: Floats, sizes: Floats) -> Gathered:
    places, extents = (dict(zip(rows.tolist(), of[rows].tolist(), strict=True)) for of in (centres, sizes))
    if family.are_above:  # as one whose servers hang, seen in a mirror
        places = {row: [x, -y] for row, (x, y) in places.items()}
    comb, numbers = comb_of(family, places, extents)
    if family.are_above:
        comb.xy = [(x1, -y1, x2, -y2) for x1, y1, x2, y2 in comb.xy]
    return gathered(comb.xy, comb.bundles, np.array(numbers, np.int64))


def gathered(
    xy: Sequence[tuple[float, float, float, float]],
    bundles: Sequence[Sequence[int] | Ints],
    combed: Ints,
    *,
    of_servers: bool = True,
) -> Gathered:
    """Lines, each with the bundles that run through it, as arrays; `combed` are all bundles that they stand for."""
    counts = np.array([len(one) for one in bundles], np.int64)
    numbers = np.fromiter(chain.from_iterable(bundles), np.int64, int(counts.sum()))
    return Gathered(np.array(xy, np.float64).reshape(-1, 4), counts, numbers, combed, of_servers)


def _joined(parts: list[Gathered]) -> Gathered:
    if not parts:
        return gathered((), (), np.empty(0, np.int64))
    return Gathered(
        np.concatenate([one.xy for one in parts]),
        np.concatenate([one.counts for one in parts]),
        np.concatenate([one.bundles for one in parts]),
        np.concatenate([one.combed for one in parts]),
    )


def hanging(projection: Projection, bundles: Bundles) -> Ints:
    """Numbers of the bundles from a server to a device above it.

    What stands below them, as the switches of networks other than compute, is drawn link by link.
    """
    is_server = projection.kinds == SERVER
    low_is_server = is_server[bundles.pairs[:, 0]]
    one_server = low_is_server != is_server[bundles.pairs[:, 1]]
    y = projection.centres[bundles.pairs, 1]
    hangs = np.where(low_is_server, y[:, 0] > y[:, 1], y[:, 1] > y[:, 0])
    return np.flatnonzero(one_server & hangs)


def families(projection: Projection, bundles: Bundles, numbers: Ints) -> list[Family]:
    """Servers gathered by the devices above that these bundles lead to, large enough families only."""
    partners: dict[int, list[tuple[int, int]]] = {}
    low, high = bundles.pairs[numbers].T
    of_low = (projection.kinds == SERVER)[low]
    servers_, leafs_ = np.where(of_low, low, high).tolist(), np.where(of_low, high, low).tolist()
    for server, leaf, number in zip(servers_, leafs_, numbers.tolist(), strict=True):
        partners.setdefault(server, []).append((leaf, number))
    gathered: dict[tuple[int, ...], dict[int, tuple[int, ...]]] = {}
    for server, found in partners.items():
        found.sort()
        leafs = tuple(leaf for leaf, _ in found)
        gathered.setdefault(leafs, {})[server] = tuple(number for _, number in found)
    return [Family(leafs, servers) for leafs, servers in gathered.items() if len(servers) >= LEAST_SERVERS]


def families_of_one(projection: Projection, bundles: Bundles) -> list[Family]:
    """Servers gathered by the one switch that they are linked to, those below it and those above; none of many."""
    is_server = projection.kinds == SERVER
    ends = is_server[bundles.pairs]
    numbers = np.flatnonzero(ends[:, 0] != ends[:, 1])
    servers, switches = np.where(ends[numbers] == (True, False), bundles.pairs[numbers], bundles.pairs[numbers, ::-1]).T
    only = np.bincount(servers, minlength=len(is_server))[servers] == 1
    numbers, servers, switches = numbers[only], servers[only], switches[only]
    if len(numbers) > MOST_AFAR:
        return []
    y = projection.centres[:, 1]
    gathered: dict[tuple[int, bool], dict[int, tuple[int, ...]]] = {}
    rows = zip(switches.tolist(), (y[servers] < y[switches]).tolist(), servers.tolist(), numbers.tolist(), strict=True)
    for switch, is_above, server, number in rows:
        gathered.setdefault((switch, is_above), {})[server] = (number,)
    return [
        Family((switch,), hung, are_above=is_above)
        for (switch, is_above), hung in gathered.items()
        if len(hung) >= LEAST_SERVERS
    ]


def comb_of(family: Family, centres: Points, sizes: Points) -> tuple[Comb, list[int]]:
    """The comb of a family, and the numbers of the bundles it stands for; `centres` and `sizes` by row of the boxes.

    Leafs that stand off the row of most of them, and servers that do not stand clear below that row, are left to be
    drawn link by link; nothing is drawn as a comb where one row of servers needs none, or where no row has most leafs.
    """
    family = _of_one_row(family, {row: centres[row][1] + sizes[row][1] / 2 for row in family.leafs})
    leafs = family.leafs
    if not leafs:
        return Comb(), []
    leaf_bottom = max(centres[row][1] + sizes[row][1] / 2 for row in leafs)
    tops = {row: centres[row][1] - sizes[row][1] / 2 for row in family.servers}
    hanging = [row for row in family.servers if tops[row] >= leaf_bottom + LEAST_ROOM]
    columns = _columns(hanging, centres)
    if len(hanging) < LEAST_SERVERS or (len(leafs) == 1 and max(map(len, columns)) == 1):
        return Comb(), []
    bar_y = (leaf_bottom + min(tops[row] for row in hanging)) / 2
    comb = Comb()
    foot_of: dict[int, float] = {}
    for column in columns:
        foot_of |= dict.fromkeys(column, _trunk(comb, family, column, centres, sizes, bar_y))
    leaf_feet = _leaf_stubs(comb, family, hanging, centres, sizes, bar_y)
    numbers = [number for row in hanging for number in family.servers[row]]
    _bar(comb, np.array(numbers), np.array([foot_of[row] for row in hanging]), np.array(leaf_feet), bar_y)
    return comb, numbers


def _of_one_row(family: Family, bottoms: Mapping[int, float]) -> Family:
    """The family with those of its leafs that stand in one row with most of them, if there is such a row.

    Stubs of leafs that stand higher would lead through boxes of the others.
    """
    if max(bottoms.values()) - min(bottoms.values()) <= LEAST_ROOM:
        return family
    middle = sorted(bottoms.values())[len(bottoms) // 2]
    kept = [place for place, row in enumerate(family.leafs) if abs(bottoms[row] - middle) <= LEAST_ROOM / 2]
    if len(kept) < LEAST_LEAFS_IN_ROW * len(family.leafs):
        return Family((), {})
    servers = {row: tuple(numbers[place] for place in kept) for row, numbers in family.servers.items()}
    return Family(tuple(family.leafs[place] for place in kept), servers)


def _bar(comb: Comb, numbers: Ints, feet: Floats, leaf_feet: Floats, bar_y: float) -> None:
    """The bar in pieces from foot to foot, each with the bundles that pass it on their way from server to leaf.

    `numbers` are the bundles server by server, leaf by leaf.
    """
    from_x, to_x = np.repeat(feet, len(leaf_feet)), np.tile(leaf_feet, len(feet))
    low, high = np.minimum(from_x, to_x), np.maximum(from_x, to_x)
    stops = np.unique(np.concatenate((feet, leaf_feet)).round(3))
    for left, right in pairwise(stops.tolist()):
        middle = (left + right) / 2
        comb.add((left, bar_y, right, bar_y), numbers[(low < middle) & (high > middle)].tolist())


def _columns(rows: Iterable[int], centres: Points) -> list[list[int]]:
    """Rows of devices that stand above one another, columns from left to right, each top down."""
    columns: list[list[int]] = []
    last = -math.inf
    for row in sorted(rows, key=lambda one: (centres[one][0], centres[one][1])):
        if centres[row][0] - last > COLUMN_TOLERANCE:
            columns.append([])
            last = centres[row][0]
        columns[-1].append(row)
    for column in columns:
        column.sort(key=lambda one: centres[one][1])
    return columns


def _trunk(comb: Comb, family: Family, column: list[int], centres: Points, sizes: Points, bar_y: float) -> float:
    """The lines of one column of servers; returns where its trunk meets the bar."""
    first = column[0]
    if len(column) == 1:
        x = centres[first][0]
        comb.add((x, centres[first][1] - sizes[first][1] / 2, x, bar_y), list(family.servers[first]))
        return x
    right = max(centres[row][0] + sizes[row][0] / 2 for row in column)
    x = right + LEAST_PITCH
    below: list[int] = []
    previous: float | None = None
    for row in reversed(column):
        y = centres[row][1]
        if previous is not None:
            comb.add((x, previous, x, y), list(below))
        comb.add((centres[row][0] + sizes[row][0] / 2, y, x, y), list(family.servers[row]))
        below += family.servers[row]
        previous = y
    comb.add((x, centres[first][1], x, bar_y), list(below))
    return x


def _leaf_stubs(
    comb: Comb, family: Family, hanging: list[int], centres: Points, sizes: Points, bar_y: float
) -> list[float]:
    """A line from each leaf down to the bar, beside the leafs that stand in its way."""
    feet = []
    for place, leaf in enumerate(family.leafs):
        numbers = [family.servers[row][place] for row in hanging]
        x, y = centres[leaf]
        half_width, half_height = sizes[leaf][0] / 2, sizes[leaf][1] / 2
        others = [one for one in family.leafs if one != leaf and centres[one][1] > y + half_height]
        blocked = any(abs(centres[one][0] - x) < sizes[one][0] / 2 for one in others)
        if not blocked:
            comb.add((x, y + half_height, x, bar_y), numbers)
            feet.append(x)
            continue
        side = x + half_width + LEAST_PITCH
        comb.add((x + half_width, y, side, y), numbers)
        comb.add((side, y, side, bar_y), numbers)
        feet.append(side)
    return feet
