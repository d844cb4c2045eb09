"""Lines that were led by hand, through the bends that the design keeps for their links.

Links that share their bends run side by side, in the order of their ports. The line that stands for all links
between two devices takes the bends that most of them have. Links of a box that stands for many devices take none.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from designer.drawing.apart import LED, LEFT, Led, OwnWay
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.gates import sides_towards
from designer.drawing.projection import Projection
from designer.drawing.trunks import Gathered

PITCH, MOST_WIDE = 4.0, 48.0
"""Between two links that share their bends, and from the first to the last of them."""
LEAST_COSINE = 0.35
"""At a sharp bend, lines side by side come no further apart than one over this."""

Shift = tuple[float, float]
Bends = tuple[tuple[float, float], ...]


def led_by_hand(
    projection: Projection,
    bundles: Bundles,
    boxes: tuple[Floats, Floats],
    shifts: Mapping[int, Shift],
    bends_now: Mapping[str, Bends],
    *,
    are_square: bool,
) -> Led | None:
    """The bundles with a link that is led; `boxes` are centres and sizes, `shifts` what is dragged, by row.

    `bends_now` stand in place of those that the design has, by the id of the link. None where no bundle is led.
    """
    rows = projection.link_rows(projection.whole().led_links() | bends_now.keys()).values()
    numbers = np.unique(bundles.of_link[[*rows]]) if rows else np.empty(0, np.int64)
    numbers = numbers[(bundles.pairs[numbers] < projection.n_own).all(axis=1)]
    lines, own, kept = list[Floats](), dict[int, OwnWay](), list[int]()
    for number in numbers.tolist():
        ways = dict(_ways(projection, bundles, number, shifts, bends_now))
        if not any(ways.values()):
            continue
        most = Counter(ways.values()).most_common(1)[0][0]
        lines.append(_points(most))
        spread = _beside_each_other(ways, bundles.pairs[number], boxes)
        own.update((row, OwnWay(len(kept), bends)) for row, bends in spread)
        kept.append(number)
    if not kept:
        return None
    numbers = np.array(kept, np.int64)
    pairs, (centres, sizes) = bundles.pairs[numbers], boxes
    rects = np.hstack((centres - sizes / 2, centres + sizes / 2))[pairs]
    towards = [(way[0], way[-1]) if len(way) else centres[pair[::-1]] for way, pair in zip(lines, pairs, strict=True)]
    via = np.array(towards).reshape(-1, 2, 2)
    sides, slopes = sides_towards(via, rects)
    return Led(numbers, sides, slopes, via, LED, bends=tuple(lines), own=own, are_square=are_square)


def _ways(
    projection: Projection, bundles: Bundles, number: int, shifts: Mapping[int, Shift], bends_now: Mapping[str, Bends]
) -> Iterator[tuple[int, Bends]]:
    """The rows of the links of a bundle, each with its bends from the pair's lower row to its higher."""
    low, high = bundles.pairs[number].tolist()
    shift = shifts.get(low) if low in shifts and shifts.get(low) == shifts.get(high) else None
    begin = int(bundles.starts[number])
    for row in bundles.order[begin : begin + int(bundles.counts[number])].tolist():
        link_id = projection.link_ids[row]
        bends = bends_now.get(link_id)
        if bends is None:
            bends = projection.design.links[link_id].bends
            bends = bends if shift is None else tuple((x + shift[0], y + shift[1]) for x, y in bends)
        yield row, bends[::-1] if bundles.flipped[row] else bends


def _beside_each_other(
    ways: Mapping[int, Bends], pair: Ints, boxes: tuple[Floats, Floats]
) -> Iterator[tuple[int, Floats]]:
    """The bends of each link, off those that it shares with others by its place among these."""
    alike: dict[Bends, list[int]] = {}
    for row, bends in ways.items():
        alike.setdefault(bends, []).append(row)
    for bends, rows in alike.items():
        points = _points(bends)
        if len(rows) == 1 or not bends:
            yield from ((row, points) for row in rows)
            continue
        aside = _aside(points, pair, boxes)
        pitch = min(PITCH, MOST_WIDE / (len(rows) - 1))
        for place, row in enumerate(rows):
            yield row, points + aside * (pitch * (place - (len(rows) - 1) / 2))


def _aside(points: Floats, pair: Ints, boxes: tuple[Floats, Floats]) -> Floats:
    """From each bend to one a step aside, (k, 2), on the side where later ports are at the first box."""
    centres, sizes = boxes
    way = np.vstack((centres[pair[0]], points, centres[pair[1]]))
    along = np.diff(way, axis=0)
    along /= np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    normals = np.stack((-along[:, 1], along[:, 0]), axis=1)
    rect = np.concatenate((centres[pair[0]] - sizes[pair[0]] / 2, centres[pair[0]] + sizes[pair[0]] / 2))
    sides, _ = sides_towards(np.tile(points[0], (1, 2, 1)), np.tile(rect, (1, 2, 1)))
    if normals[0, int(sides[0, 0] >= LEFT)] < 0.0:
        normals = -normals
    both = normals[:-1] + normals[1:]
    both /= np.maximum(np.hypot(*both.T), 1e-9)[:, None]
    cosine = np.maximum((both * normals[:-1]).sum(axis=1), LEAST_COSINE)
    found: Floats = both / cosine[:, None]
    return found


def _points(bends: Bends) -> Floats:
    return np.array(bends, np.float64).reshape(-1, 2)


def without(gathered: Gathered, numbers: Ints) -> Gathered:
    """The same lines without these bundles; those that stood for no other are left out."""
    kept: Flags = ~np.isin(gathered.bundles, numbers)
    if kept.all():
        return gathered
    counts = np.bincount(
        np.repeat(np.arange(len(gathered.counts)), gathered.counts)[kept], minlength=len(gathered.counts)
    )
    stands: Flags = counts > 0
    combed = gathered.combed[~np.isin(gathered.combed, numbers)]
    return Gathered(gathered.xy[stands], counts[stands], gathered.bundles[kept], combed, gathered.of_servers)
