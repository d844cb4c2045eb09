"""Links of management networks alongside those of compute: along the rows of boxes, and down a column at their side.

All links from one row of boxes to a management switch go the same way, so that an edit of one box moves no other's
line: straight where none of these meets a box or crosses a link of another network, else out on that side of the row,
and down that column, where they cross the fewest.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from designer.drawing.apart import LED, Led, OwnWay
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.detours import ABOVE, APART, BELOW, CLEAR, CLEAR_SHARE, LEVELS, free_columns
from designer.drawing.gates import sides_towards
from designer.drawing.obstacles import Obstacles

MOST_COMPARED = 2_000_000
"""Pairs of a line of management and one that it may cross; where there are more, nobody follows a single one."""
IN_ROW = 0.5
"""Boxes of a row have middles no further apart, from one to the next, than this share of their height."""


class Boxes(NamedTuple):
    """What is known of the boxes by row."""

    centres: Floats
    sizes: Floats
    tiers: Ints
    of_management: Flags
    """Switches of management networks."""

    @property
    def low(self) -> Floats:
        """Left and top."""
        return self.centres - self.sizes / 2

    @property
    def high(self) -> Floats:
        """Right and bottom."""
        return self.centres + self.sizes / 2


def led_beside(bundles: Bundles, boxes: Boxes, managed: Mapping[int, int], n_own: int, elsewhere: Ints) -> Led | None:
    """The bundles of management that go round, `managed` with the managed switch by link row; None where none does.

    Those of `elsewhere`, and of boxes that stand for many devices, have a way of their own; the former count in what
    the others of their row do.
    """
    numbers, hubs, fars = _of_management(bundles, boxes, managed, n_own)
    if not len(numbers):
        return None
    others = np.setdiff1d(np.arange(len(bundles.pairs)), numbers)
    compute = _straight(boxes, *bundles.pairs[others].T)
    free = Obstacles(boxes.centres, boxes.sizes)
    columns = free_columns(boxes.low[:, 0], boxes.high[:, 0])[1], free_columns(-boxes.high[:, 0], -boxes.low[:, 0])[1]
    if len(numbers) * len(compute) > MOST_COMPARED:
        return None
    own, straight, every = np.stack((fars, hubs), axis=1), _straight(boxes, fars, hubs), np.unique(hubs)
    met = free.crossed(straight, own) | (crossings(straight, compute) > 0)
    is_managed = np.isin(numbers, bundles.of_link[[*managed]]) if managed else np.zeros(len(numbers), np.bool_)
    kept, ways = list[int](), list[Floats]()
    for rows in _rows(boxes, hubs, fars):
        hub = int(hubs[rows[0]])
        if not met[rows].any() or (_is_beside(boxes, hub, fars[rows]) and not is_managed[rows].any()):
            continue  # straight, or along its row as others are
        apart = APART * float(np.searchsorted(every, hub) % LEVELS)
        found = [*_ways(boxes, hub, fars[rows], fars[hubs == hub], columns, apart)]
        if (way := _best(found, own[rows], free, compute)) is not None:
            free_ones = ~np.isin(numbers[rows], elsewhere)
            kept += numbers[rows[free_ones]].tolist()
            ways += [*way[free_ones]]
    return _led(bundles, boxes, np.array(kept, np.int64), ways) if kept else None


def _best(ways: list[Floats], own: Ints, free: Obstacles, compute: Floats) -> Floats | None:
    """Of the ways of a row the one that crosses the fewest; None where links would meet boxes on every one."""
    pieces = [np.hstack((one[1:4], one[2:5])) for one in map(_longest, ways)]
    costs = crossings(np.concatenate(pieces), compute).reshape(len(ways), -1).sum(axis=1)
    clear = (ways[place] for place in np.argsort(costs, kind="stable").tolist() if not _meets(ways[place], own, free))
    return next(clear, None)


def _longest(way: Floats) -> Floats:
    """The way of the link that all others run along."""
    found: Floats = way[np.abs(way[:, 1, 0] - way[:, 2, 0]).argmax()]
    return found


def _of_management(bundles: Bundles, boxes: Boxes, managed: Mapping[int, int], n_own: int) -> tuple[Ints, Ints, Ints]:
    """The bundles of management, the switch that each leads to, and the box that it leads from."""
    low, high = bundles.pairs.T
    of = bundles.of_link[[*managed]] if managed else np.empty(0, np.int64)
    managing = np.where(low[of] == [*managed.values()], high[of], low[of])
    is_hub = boxes.of_management.copy()
    is_hub[managing] = True
    hubs = np.where(is_hub[low] & ~is_hub[high], low, np.where(is_hub[high] & ~is_hub[low], high, -1))
    hubs[of] = managing
    numbers = np.flatnonzero((hubs >= 0) & (high < n_own))
    hubs = hubs[numbers]
    return numbers, hubs, np.where(low[numbers] == hubs, high[numbers], low[numbers])


def _rows(boxes: Boxes, hubs: Ints, fars: Ints) -> Iterator[Ints]:
    """Places of the bundles from one row of boxes of one tier to one switch."""
    y, tiers = boxes.centres[fars, 1], boxes.tiers[fars]
    order = np.lexsort((y, tiers, hubs))
    apart = np.diff(y[order]) > IN_ROW * boxes.sizes[fars[order[1:]], 1]
    begins = apart | (np.diff(tiers[order]) != 0) | (np.diff(hubs[order]) != 0)
    yield from np.split(order, np.flatnonzero(begins) + 1)


def _is_beside(boxes: Boxes, hub: int, fars: Ints) -> bool:
    """Whether the row of these boxes is that of the switch."""
    top, bottom = boxes.low[fars, 1].max(), boxes.high[fars, 1].min()
    return bool(top < boxes.centres[hub, 1] < bottom)


def _straight(boxes: Boxes, ones: Ints, others: Ints) -> Floats:
    """Lines between boxes, (n, 4), from the middles of the sides that face each other."""
    ends = []
    for own, other in ((ones, others), (others, ones)):
        away = boxes.centres[other] - boxes.centres[own]
        sideways = np.abs(away[:, 1]) < (boxes.sizes[own, 1] + boxes.sizes[other, 1]) / 2
        reach = np.sign(away) * boxes.sizes[own] / 2
        reach[sideways, 1] = 0.0
        reach[~sideways, 0] = 0.0
        ends.append(boxes.centres[own] + reach)
    return np.hstack(ends)


def _ways(
    boxes: Boxes, hub: int, fars: Ints, served: Ints, columns: tuple[Floats, Floats], apart: float
) -> Iterator[Floats]:
    """The ways that all links of a row can go, from their boxes to the switch, (n, 6, 2) each, those next to it first.

    They go down at the right of all that is linked to the switch, or of the row; where the switch is left of all
    that, at the left.
    """
    rightmost, leftmost = boxes.high[served, 0].max(), boxes.low[served, 0].min()
    is_left = boxes.high[hub, 0] <= leftmost
    sign, found = (-1.0, columns[1]) if is_left else (1.0, columns[0])
    edges = (-leftmost, -boxes.low[fars, 0].min()) if is_left else (rightmost, boxes.high[fars, 0].max())
    xs = [float(found[min(np.searchsorted(found, edge), len(found) - 1)]) for edge in edges]
    for x, side, side_of_hub in product(dict.fromkeys([*xs, float(found[-1])]), (ABOVE, BELOW), (ABOVE, BELOW)):
        if _is_beside(boxes, hub, fars) and side != side_of_hub:
            continue
        level, level_of_hub = (
            _level(boxes, rows, towards, apart) for rows, towards in ((fars, side), (np.array([hub]), side_of_hub))
        )
        way = np.empty((len(fars), 6, 2))
        way[:, :2, 0], way[:, 2:4, 0], way[:, 4:, 0] = (
            boxes.centres[fars, :1],
            sign * (x + apart),
            boxes.centres[hub, 0],
        )
        way[:, 0, 1] = (boxes.low if side == ABOVE else boxes.high)[fars, 1]
        way[:, 1:3, 1] = level
        way[:, 3:5, 1] = level_of_hub
        way[:, 5, 1] = (boxes.low if side_of_hub == ABOVE else boxes.high)[hub, 1]
        if _is_beside(boxes, hub, fars):  # one level, and no column
            level = min(level, level_of_hub) if side == ABOVE else max(level, level_of_hub)
            way[:, 1:5, 1], way[:, 2:4, 0] = level, boxes.centres[hub, 0]
        yield way


def _level(boxes: Boxes, rows: Ints, side: float, apart: float) -> float:
    """The height of the line along a row of boxes, above or below all of them."""
    step = max(CLEAR, CLEAR_SHARE * float(boxes.sizes[rows, 1].max())) + apart
    return float(boxes.low[rows, 1].min() - step) if side == ABOVE else float(boxes.high[rows, 1].max() + step)


def _meets(way: Floats, own: Ints, free: Obstacles) -> bool:
    """Whether one of these ways leads through a box: between its ends, even one of its own two."""
    longest = _longest(way)
    ends = np.concatenate((np.hstack((way[:, 0], way[:, 1])), np.hstack((way[:1, 4], way[:1, 5]))))
    lines = np.concatenate((ends, np.hstack((longest[1:4], longest[2:5]))))
    return bool(free.crossed(lines, np.concatenate((own, own[:1], np.full((3, 2), -1)))).any())


def crossings(lines: Floats, others: Floats) -> Ints:
    """How many of the others each line, (n, 4), crosses between its ends and theirs."""
    low, high = lines.reshape(-1, 2).min(axis=0, initial=np.inf), lines.reshape(-1, 2).max(axis=0, initial=-np.inf)
    ends = others.reshape(-1, 2, 2)
    others = others[((ends.max(axis=1) > low) & (ends.min(axis=1) < high)).all(axis=1)]
    ax, ay, bx, by = np.ascontiguousarray(lines.T)[:, :, None]
    cx, cy, dx, dy = np.ascontiguousarray(others.T)[:, None, :]
    along_x, along_y, their_x, their_y = bx - ax, by - ay, dx - cx, dy - cy
    off_x, off_y = cx - ax, cy - ay
    from_c = along_x * off_y - along_y * off_x
    from_d = from_c + along_x * their_y - along_y * their_x
    from_a = their_y * off_x - their_x * off_y
    from_b = from_a - their_y * along_x + their_x * along_y
    found: Ints = ((from_c * from_d < 0.0) & (from_a * from_b < 0.0)).sum(axis=1)
    return found


def _led(bundles: Bundles, boxes: Boxes, numbers: Ints, ways: list[Floats]) -> Led:
    """Bundles along these ways, each link from its own port."""
    order = np.argsort(numbers)
    numbers = numbers[order]
    pairs, lines, own = bundles.pairs[numbers], list[Floats](), dict[int, OwnWay]()
    for place, (number, at) in enumerate(zip(numbers.tolist(), order.tolist(), strict=True)):
        way = ways[at]
        to_first = np.abs(way[[0, -1]] - boxes.centres[pairs[place, 0]]).sum(axis=1)
        way = way[::-1] if to_first[0] > to_first[1] else way
        # its ends are those of its ports: what is kept is the column, or the level of what has none
        bends = way[2:4] if way[2, 1] != way[3, 1] else way[2:3]
        lines.append(bends)
        begin = int(bundles.starts[number])
        links = bundles.order[begin : begin + int(bundles.counts[number])].tolist()
        own.update((row, OwnWay(place, bends)) for row in links)
    via = np.array([(bends[0], bends[-1]) for bends in lines])
    sides, slopes = sides_towards(via, np.concatenate((boxes.low, boxes.high), axis=1)[pairs])
    return Led(numbers, sides, slopes, via, LED, bends=tuple(lines), own=own, are_square=True)
