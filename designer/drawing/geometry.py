"""Where things are drawn: frames around groups and racks, and where on a box's edge each link begins.

A link leaves a box on the side that faces its partner, and the links of a side stand in the order of their partners,
so that neighbors never cross at the box.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.drawing.apart import Apart
from designer.drawing.arches import BOTTOM, LEFT, NEIGHBOUR_MARGIN, RIGHT, TOP, Arches
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.frame_rows import GroupFrame, RackFrame
from designer.drawing.projection import Projection
from designer.placement.metrics import RACK_PADDING, RACK_SIZE, RACK_TITLE

SIDE_INSET = 0.08
"""Share of a side left free at either corner."""
BESIDE = 1e9
"""Stands for the slope of a link that runs beside its row or column; on a box's side, those stand outermost."""

ALIGNED = 0.5
"""Boxes whose middles are so near to one line stand in one row or column."""
LEAST_APART = 2.0
"""Between two links on one side of a box, where one is moved to run straight."""

GROUP_PADDING = 20.0
HOLE_PADDING = 6.0
MOST_WITHIN = 2_000_000
"""With more pairs of a frame and a box none is looked for in a frame that it does not belong to."""
ARCH_PADDING = 8.0
"""From a link that runs beside the boxes of a group to its frame."""
GROUP_STEP = 30.0
"""Room a group adds for each level of groups inside it, where their titles stand."""


Rect = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Container:
    """A frame around devices. `kind` is "rack" or a group's kind; a rack's title stands inside, a group's outside."""

    id: str
    kind: str
    title: str
    note: str
    rect: Rect
    level: int = 0
    is_titled_below: bool = False
    """Whether a group's title stands below it, not above."""
    detail: str = ""
    """A longer note, where there is room for it."""
    rails: str = ""
    """As "rails 1-8"; "" where its devices have none."""
    holes: tuple[Rect, ...] = ()
    """Around boxes within the frame of a group that are in no group: they are cut out."""
    titled_beside: int = 0
    """-1 where a group's title stands at its left side, 1 at its right."""
    title_shift: tuple[float, float] = (0.0, 0.0)
    """How far to the right and down a title stands off that place, canvas units."""


def around(rects: Iterable[Rect]) -> Rect | None:
    """The least rectangle that holds all of these; None where there are none."""
    sides = list(rects)
    if not sides:
        return None
    lefts, tops, rights, bottoms = zip(*sides, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def reading_order(boxes: Floats) -> list[int]:
    """Numbers of boxes, (n, 4) of left, top, width, height, row by row from the top, each from left to right.

    Boxes whose middles are within half a box of the first in height stand in one row with it.
    """
    if not len(boxes):
        return []
    x, y = boxes[:, 0] + boxes[:, 2] / 2, boxes[:, 1] + boxes[:, 3] / 2
    rows = np.zeros(len(boxes), np.int64)
    number, first = 0, -np.inf
    for one in np.argsort(y, kind="stable").tolist():
        if y[one] - first > boxes[one, 3] / 2:
            number, first = number + 1, float(y[one])
        rows[one] = number
    return [int(one) for one in np.lexsort((y, x, rows))]


def containers(
    projection: Projection, centres: Floats, rack_moves: Mapping[str, tuple[float, float]]
) -> list[Container]:
    """Frames in drawing order, outer ones first. `rack_moves` shift racks that are being dragged."""
    half = projection.sizes / 2
    boxes = np.hstack((centres - half, centres + half))
    racks = [_rack(frame, boxes, rack_moves.get(frame.id, (0.0, 0.0))) for frame in projection.racks]
    at = {rack.id: rack.rect for rack in racks}
    groups = [_group(frame, boxes, at) for frame in reversed(projection.groups)]
    found = [group for group in groups if group is not None]
    if len(found) * len(boxes) <= MOST_WITHIN:
        loose = np.ones(len(boxes), np.bool_)
        for rows in (*(one.rows for one in projection.groups), *(one.rows for one in projection.racks)):
            loose[list(rows)] = False
        found = [_cut_out(group, boxes[loose]) for group in found]
    return [*found, *racks]


def _cut_out(group: Container, loose: Floats) -> Container:
    """The frame with holes around those of the boxes that it holds a part of."""
    left, top, right, bottom = group.rect
    within = (loose[:, 0] < right) & (loose[:, 2] > left) & (loose[:, 1] < bottom) & (loose[:, 3] > top)
    if not within.any():
        return group
    holes = loose[within] + HOLE_PADDING * np.array((-1.0, -1.0, 1.0, 1.0))
    holes = np.clip(holes, (left, top, left, top), (right, bottom, right, bottom))
    return replace(group, holes=tuple((x1, y1, x2, y2) for x1, y1, x2, y2 in holes.tolist()))


def _rack(frame: RackFrame, boxes: Floats, shift: tuple[float, float]) -> Container:
    x, y = frame.centre[0] + shift[0], frame.centre[1] + shift[1]
    width, height = RACK_SIZE
    left, top, right, bottom = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    if frame.rows:
        low, high = _extent(boxes, frame.rows)
        left, top = min(left, low[0] - RACK_PADDING), min(top, low[1] - RACK_PADDING - RACK_TITLE)
        right, bottom = max(right, high[0] + RACK_PADDING), max(bottom, high[1] + RACK_PADDING)
    return Container(frame.id, "rack", frame.name, frame.note, (left, top, right, bottom))


def _group(frame: GroupFrame, boxes: Floats, racks: Mapping[str, Rect]) -> Container | None:
    inside = [racks[one] for one in frame.rack_ids if one in racks]
    if frame.rows:
        low, high = _extent(boxes, frame.rows)
        inside.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
    if not inside:
        return None
    lefts, tops, rights, bottoms = zip(*inside, strict=True)
    pad = GROUP_PADDING + frame.level * GROUP_STEP
    rect = (min(lefts) - pad, min(tops) - pad, max(rights) + pad, max(bottoms) + pad)
    return Container(frame.id, frame.kind, frame.name, frame.note, rect, frame.level, False, frame.detail, frame.rails)


def around_arches(
    frames: Iterable[Container], projection: Projection, bundles: Bundles, arches: Arches, ends: Floats
) -> list[Container]:
    """The frames, those of groups as large as what runs beside the rows and columns in them; `ends` of the bundles."""
    lines = arches.lines(ends[arches.numbers])
    low, high = np.minimum(lines[:, :, :2], lines[:, :, 2:]).min(axis=1), lines.reshape(-1, 6, 2).max(axis=1)
    pairs = bundles.pairs[arches.numbers]
    reach: dict[str, tuple[Floats, Floats]] = {}
    for level in sorted({frame.level for frame in projection.groups}):
        of = np.full(len(projection.device_ids), -1, np.int64)
        groups = [frame for frame in projection.groups if frame.level == level]
        for number, frame in enumerate(groups):
            of[list(frame.rows)] = number
        inside = of[pairs]
        chosen = np.flatnonzero((inside[:, 0] == inside[:, 1]) & (inside[:, 0] >= 0))
        lows, highs = np.full((len(groups), 2), np.inf), np.full((len(groups), 2), -np.inf)
        np.minimum.at(lows, inside[chosen, 0], low[chosen])
        np.maximum.at(highs, inside[chosen, 0], high[chosen])
        held = np.unique(inside[chosen, 0]).tolist()
        reach |= {groups[number].id: (lows[number] - ARCH_PADDING, highs[number] + ARCH_PADDING) for number in held}
    return [_enclosing(frame, *reach[frame.id]) if frame.id in reach else frame for frame in frames]


def _enclosing(frame: Container, low: Floats, high: Floats) -> Container:
    left, top, right, bottom = frame.rect
    (x1, y1), (x2, y2) = low.tolist(), high.tolist()
    return replace(frame, rect=(min(left, x1), min(top, y1), max(right, x2), max(bottom, y2)))


def _extent(boxes: Floats, rows: tuple[int, ...]) -> tuple[Floats, Floats]:
    chosen = boxes[list(rows)]
    return chosen[:, :2].min(axis=0), chosen[:, 2:].max(axis=0)


@dataclass(frozen=True)
class Anchors:
    """Where links and bundles touch the boxes."""

    links: Floats  # (n_links, 4) from the pair's lower row to its higher
    bundles: Floats  # (n_bundles, 4) through the middle of their links


def anchors(
    centres: Floats, sizes: Floats, bundles: Bundles, arches: Arches | None = None, others: Iterable[Apart] = ()
) -> Anchors:
    """The lines of all links and bundles between the edges of their boxes, those of arches on the arch's side.

    The `others` leave their boxes on the sides that they name.
    """
    count = len(bundles.pairs)
    if not count:
        return Anchors(np.empty((0, 4)), np.empty((0, 4)))
    low, high = np.ascontiguousarray(bundles.pairs.T)
    x, y = np.ascontiguousarray(centres.T)  # columns: short rows take three times as long
    heights = sizes[:, 1]
    right, down = x[high] - x[low], y[high] - y[low]  # from the lower row, from the higher one the other way
    sideways = np.abs(down) < (heights[high] + heights[low]) / 2 - NEIGHBOUR_MARGIN
    side = np.concatenate([_facing_sides(sideways, sign * right, sign * down) for sign in (1.0, -1.0)])
    slope = np.where(sideways, down / np.maximum(np.abs(right), 1e-9), right / np.maximum(np.abs(down), 1e-9))
    slope = np.concatenate((slope, -slope))  # how far sideways the partner is, seen from a side of a box
    kept = np.zeros(count, np.bool_)  # what leads another way than straight
    if arches is not None:
        kept[arches.numbers] = True
        along = np.where(arches.side >= LEFT, down[arches.numbers], right[arches.numbers])
        for ends, its in ((arches.numbers, along), (arches.numbers + count, -along)):
            side[ends] = arches.side
            slope[ends] = np.sign(its) * (BESIDE - np.abs(its))  # the farthest innermost, so that none is crossed
    for other in others:
        kept[other.numbers] = True
        for end in (0, 1):
            side[other.numbers + end * count] = other.sides[:, end]
            slope[other.numbers + end * count] = other.slopes[:, end]
    sides = np.concatenate((low, high)) * 4 + side
    aligned = _aligned(np.abs(right), np.abs(down), side.reshape(2, count), kept)
    slots = _slots(bundles, sides, slope)
    links = _between_edges(bundles, centres, sizes, side.reshape(2, count), slots, aligned)
    if arches is not None:
        slanting = aligned & (np.abs(sizes[low] - sizes[high]) < 1e-9).all(axis=1)
        slanting[bundles.of_link[_is_straight(links)]] = False
        if slanting.any():
            in_line = _in_line(slots, bundles, sides.reshape(2, count), arches.numbers, slanting)
            links = _between_edges(bundles, centres, sizes, side.reshape(2, count), in_line, aligned)
    in_bundles = links.take(bundles.order, axis=0)
    if len(in_bundles) == count:  # one link each
        return Anchors(links, in_bundles)
    sums = np.add.reduceat(in_bundles, bundles.starts, axis=0)
    return Anchors(links, sums / bundles.counts[:, None])


def _between_edges(
    bundles: Bundles, centres: Floats, sizes: Floats, side: NDArray[np.int64], slots: "_Slots", aligned: Flags
) -> Floats:
    """The lines of links, (n_links, 4), between the middles of their slots, those `aligned` straight if they can be."""
    links = np.empty((len(bundles.of_link), 4))
    places = np.ascontiguousarray(np.hstack((centres, sizes)).T)
    for end in (0, 1):
        box, own = bundles.pairs[:, end][bundles.of_link], side[end, bundles.of_link]
        share = slots.shares(bundles.of_link + end * len(bundles.pairs), bundles.rank)
        x, y, width, height = (one[box] for one in places)
        links[:, 2 * end], links[:, 2 * end + 1] = _on_edge(x, y, width, height, own, share)
    _straighten(links, bundles, centres, sizes, side, aligned)
    return links


def _is_straight(links: Floats) -> Flags:
    """Which links run straight along a row or a column."""
    straight: Flags = np.asarray((np.abs(links[:, :2] - links[:, 2:]) < 1e-9).any(axis=1))
    return straight


def _facing_sides(sideways: Flags, right: Floats, down: Floats) -> NDArray[np.int64]:
    """The sides of boxes that face partners so far to their right and below them."""
    return np.where(sideways, np.where(right < 0, LEFT, RIGHT), np.where(down < 0, TOP, BOTTOM))


def _aligned(across: Floats, along: Floats, side: NDArray[np.int64], kept: Flags) -> Flags:
    """Which bundles join boxes of one row or column straight, each on the side that faces the other.

    Their boxes are so far from each other, across and along the picture.
    """
    flat = side[0] >= LEFT
    aligned: Flags = (
        (np.where(flat, along, across) < ALIGNED) & (side[0] != side[1]) & (flat == (side[1] >= LEFT)) & ~kept
    )
    return aligned


def _straighten(
    links: Floats, bundles: Bundles, centres: Floats, sizes: Floats, side: NDArray[np.int64], aligned: Flags
) -> None:
    """Make links between boxes of one row or column run straight along it, each between where its ends were.

    As far as they stay in their order among all that end on the same sides, and on both boxes.
    """
    chosen = aligned.copy()
    axis = np.where(side[0] >= LEFT, 1, 0)
    rows = np.flatnonzero(chosen[bundles.of_link])
    bundle = bundles.of_link[rows]
    along = axis[bundle]
    one, two = links[rows, along], links[rows, along + 2]
    middle = (one + two) / 2
    first, second = bundles.pairs[bundle].T
    reach = (0.5 - SIDE_INSET / 2) * np.minimum(sizes[first, along], sizes[second, along])
    chosen[bundle[(np.abs(one - two) < 1e-9) | (np.abs(middle - centres[first, along]) > reach)]] = False
    if not chosen.any():
        return
    # Only the sides where one moves: each end by its box and side, in the order in which they stand there.
    sides = bundles.pairs.T * 4 + side
    touched = np.zeros(4 * len(centres), np.bool_)
    touched[sides[:, chosen]] = True
    end, link = np.nonzero(touched[sides][:, bundles.of_link])
    bundle = bundles.of_link[link]
    at, of = links[link, axis[bundle] + 2 * end], sides[end, bundle]
    order = np.lexsort((at, of))
    at, of, bundle, new = at[order], of[order], bundle[order], _middles(links, link, axis[bundle])[order]
    same, least = of[1:] == of[:-1], np.minimum(LEAST_APART, np.diff(at) / 2)
    while chosen.any():
        moved = np.where(chosen[bundle], new, at)
        close = np.flatnonzero(same & (np.diff(moved) < least))
        wrong = np.concatenate((bundle[close], bundle[close + 1]))
        if not chosen[wrong].any():
            break
        chosen[wrong] = False
    straight = np.flatnonzero(chosen[bundles.of_link])
    along = axis[bundles.of_link[straight]]
    middle = _middles(links, straight, along)
    for offset in (0, 2):
        links[straight, along + offset] = middle


def _middles(links: Floats, rows: Ints, along: NDArray[np.int64]) -> Floats:
    """Halfway between both ends of these links along an axis each."""
    middles: Floats = (links[rows, along] + links[rows, along + 2]) / 2
    return middles


@dataclass(frozen=True)
class _Slots:
    """Where on its side of a box each end of a bundle has its slots, one for each link."""

    begin: Floats
    step: Floats
    total: Floats  # of the side

    def shares(self, ends: Ints, rank: Ints) -> Floats:
        """The middles of the slots of links, as shares of the side, by the ends of their bundles."""
        middles = self.begin[ends] + self.step[ends] * (rank + 0.5)
        shares: Floats = SIDE_INSET + (1 - 2 * SIDE_INSET) * middles / self.total[ends]
        return shares


def _slots(bundles: Bundles, sides: Ints, slope: Floats) -> _Slots:
    """All slots of a side equally wide, in the order of the partners."""
    order, run = _by_side(bundles, sides, slope)
    starts = np.flatnonzero(np.concatenate(([True], run[1:] != run[:-1])))
    widths = np.diff(starts, append=len(order))
    counts = np.tile(bundles.counts, 2)[order]
    passed = np.cumsum(counts) - counts
    begin, total = np.empty(len(order)), np.empty(len(order))
    begin[order] = passed - np.repeat(passed[starts], widths)
    total[order] = np.repeat(np.add.reduceat(counts, starts), widths)
    return _Slots(begin, np.ones(len(order)), total)


def _by_side(bundles: Bundles, sides: Ints, slope: Floats) -> tuple[Ints, Ints]:
    """The ends of bundles by side, slope and partner, and the side of each.

    Most stand so already, as partners do in rows by their ids: only sides where that is not so are sorted by slope.
    """
    order = bundles.ends_by_box
    order = order[np.argsort(sides[order], kind="stable")]
    run, slopes = sides[order], slope[order]
    same = run[1:] == run[:-1]
    wrong = run[1:][same & (slopes[1:] < slopes[:-1])]
    if len(wrong):
        is_wrong = np.zeros(int(run[-1]) + 1, np.bool_)
        is_wrong[wrong] = True
        at = np.flatnonzero(is_wrong[run])
        order[at] = order[at][np.lexsort((slopes[at], run[at]))]
    return order, run


def _in_line(slots: _Slots, bundles: Bundles, sides: Ints, arched: Ints, slanting: Flags) -> _Slots:
    """The same, but where links leave for arches, a slanting bundle has its slots at one share of both its sides.

    On either side of it there is room for as many slots as the fuller of its two boxes needs; the other box spreads
    its own over that room. `sides` are (2, n_bundles).
    """
    n_sides, count = int(sides.max()) + 1, len(bundles.pairs)
    has_arch = np.zeros(n_sides, np.bool_)
    has_arch[sides[:, arched]] = True
    straight = np.flatnonzero(slanting & has_arch[sides].any(axis=0))
    if not len(straight):
        return slots
    both, own = np.stack((straight, straight + count)), bundles.counts[straight]
    before = slots.begin[both]
    after = slots.total[both] - before - own
    line, n_before, n_after = np.full(n_sides, -1), np.zeros(n_sides), np.zeros(n_sides)
    line[sides[:, straight]] = np.arange(len(straight))
    n_before[sides[:, straight]], n_after[sides[:, straight]] = before, after
    at = sides.ravel()
    ends = np.flatnonzero(line[at] >= 0)
    at, of = at[ends], line[at[ends]]
    room_before, width, room_after = before.max(axis=0)[of], own[of], after.max(axis=0)[of]
    place = slots.begin[ends]
    is_before, is_after = place < n_before[at], place >= n_before[at] + width
    step = np.where(is_before, room_before / np.maximum(n_before[at], 1), 1.0)
    step = np.where(is_after, room_after / np.maximum(n_after[at], 1), step)
    begin = np.where(is_before, place * step, room_before)
    begin = np.where(is_after, room_before + width + (place - n_before[at] - width) * step, begin)
    made = _Slots(slots.begin.copy(), slots.step.copy(), slots.total.copy())
    made.begin[ends], made.step[ends], made.total[ends] = begin, step, room_before + width + room_after
    return made


def _on_edge(
    x: Floats, y: Floats, width: Floats, height: Floats, side: NDArray[np.int64], share: Floats
) -> tuple[Floats, Floats]:
    """The points at these shares, from left to right or top to bottom, of the sides of boxes around these middles."""
    across, along = x + (share - 0.5) * width, y + (share - 0.5) * height
    across = np.where(side == LEFT, x - width / 2, np.where(side == RIGHT, x + width / 2, across))
    along = np.where(side == TOP, y - height / 2, np.where(side == BOTTOM, y + height / 2, along))
    return across, along


def middle_seen(lines: Floats, rect: Rect) -> tuple[float, float]:
    """The middle of what a rectangle shows of these lines, (n, 4): of the longest such piece, else of the first line.

    Lines that miss it show a piece of no length.
    """
    start, along = lines[:, :2], lines[:, 2:] - lines[:, :2]
    still = np.abs(along) < 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = (np.array((rect[:2], rect[2:]))[:, None, :] - start) / np.where(still, np.nan, along)  # (2, n, 2)
    outside = still & ((start < rect[:2]) | (start > rect[2:]))
    first = np.where(still, 0.0, ends.min(axis=0)).max(axis=1).clip(0.0, 1.0)
    last = np.where(still, 1.0, ends.max(axis=0)).min(axis=1).clip(0.0, 1.0)
    shown = np.where(outside.any(axis=1), 0.0, np.maximum(last - first, 0.0)) * np.hypot(along[:, 0], along[:, 1])
    row = int(shown.argmax())
    share = (first[row] + last[row]) / 2 if shown[row] else 0.5
    x, y = (start[row] + along[row] * share).tolist()
    return x, y


class Distances:
    """Distances of points from the same lines, (n, 4): what does not depend on the point is calculated once."""

    def __init__(self, lines: Floats) -> None:
        self._x, self._y, end_x, end_y = np.ascontiguousarray(lines.T)
        self._along_x, self._along_y = end_x - self._x, end_y - self._y
        self._length = np.maximum(self._along_x**2 + self._along_y**2, 1e-12)

    def of(self, x: float, y: float) -> Floats:
        """Distance of a point from each line."""
        off_x, off_y = x - self._x, y - self._y
        share = (off_x * self._along_x + off_y * self._along_y) / self._length
        share = np.minimum(np.maximum(share, 0.0), 1.0)
        return np.asarray(np.hypot(off_x - self._along_x * share, off_y - self._along_y * share))


def distances(lines: Floats, x: float, y: float) -> Floats:
    """Distance of a point from each line."""
    return Distances(lines).of(x, y)
