"""The lines a picture draws for links, at each detail: every line knows which links it stands for."""

from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import NO_HEAT, Bundles, Flags, Floats, Ints, worst
from designer.drawing.geometry import Anchors
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER
from designer.drawing.trunks import comb_of, families
from designer.graph.link_loads import LinkLoads

BOW_RISE = 14.0
BOW_RISE_PER_UNIT = 0.04
BOW_MOST_RISE = 60.0
BOW_SLANT = 12.0
OBSTRUCTION_LIMIT = 4_000_000
"""Pairs of a sideways link and a box that are looked at; with more, distance alone decides."""
NEAR_NEIGHBOURS = 64.0


@dataclass(frozen=True)
class Lines:
    """Straight lines, each of a run of links: `links[starts[i]:starts[i + 1]]` are the rows of line i."""

    xy: Floats  # (n, 4)
    starts: Ints  # (n,)
    links: Ints  # (k,)
    flipped: Flags  # (k,) whether the link's a to b runs against the line
    of_server: Flags  # (n,) a link of a server: drawn fainter than those between switches
    direct: Flags  # (n,) from box to box, so that its two directions can be told apart and a count stands on it

    @property
    def counts(self) -> Ints:
        """Links of each line."""
        return np.diff(self.starts, append=len(self.links))

    def utilization(self, of_links: Floats) -> tuple[Floats, Floats]:
        """Worst load of each line along it and against it; `of_links` is (n_links, 2), a to b and b to a."""
        forth = np.where(self.flipped, of_links[self.links, 1], of_links[self.links, 0])
        back = np.where(self.flipped, of_links[self.links, 0], of_links[self.links, 1])
        every = np.arange(len(self.links))
        return worst(forth, self.starts, every), worst(back, self.starts, every)

    def holding(self, chosen: Flags) -> Flags:
        """Which lines stand for any of the chosen links."""
        if not len(self.starts):
            return np.zeros(0, np.bool_)
        return np.logical_or.reduceat(chosen[self.links], self.starts)


NO_LINES = Lines(
    np.empty((0, 4)), np.empty(0, np.int64), np.empty(0, np.int64),
    np.empty(0, np.bool_), np.empty(0, np.bool_), np.empty(0, np.bool_),
)  # fmt: skip


def lines_at(
    detail: Detail, projection: Projection, centres: Floats, bundles: Bundles, anchors: Anchors, bowed: Flags
) -> Lines:
    """The lines of all links, for a detail, with the boxes at the given centres; `bowed` as of `bowed_bundles`."""
    if not len(bundles.pairs):
        return NO_LINES
    if detail.links is LinkDetail.REGIONS:
        return _between_regions(projection, centres, detail.region)
    if detail.links is LinkDetail.SINGLES:
        straight = _singles(projection, bundles, anchors, ~bowed)
        return _joined([straight, _bows(projection, bundles, bowed, centres)])
    combed = np.zeros(len(bundles.pairs), np.bool_)
    parts: list[Lines] = []
    if detail.links is LinkDetail.TRUNKS:
        for family in families(projection, bundles):
            comb, numbers = comb_of(family, centres, projection.sizes)
            combed[numbers] = True
            parts.append(_gathered(bundles, np.array(comb.xy).reshape(-1, 4), comb.bundles))
    parts.insert(0, _straight(projection, bundles, anchors, ~(bowed | combed)))
    parts.append(_bows(projection, bundles, bowed & ~combed, centres))
    return _joined(parts)


def lines_of_bundles(
    detail: Detail, projection: Projection, centres: Floats, bundles: Bundles, anchors: Anchors, bowed: Flags,
    chosen: Flags,
) -> Lines:  # fmt: skip
    """Lines of the chosen bundles alone, where the picture has them; from box to box where it gathers them."""
    lines = _singles if detail.links is LinkDetail.SINGLES else _straight
    straight = lines(projection, bundles, anchors, chosen & ~bowed)
    return _joined([straight, _bows(projection, bundles, chosen & bowed, centres)])


def _straight(projection: Projection, bundles: Bundles, anchors: Anchors, chosen: Flags) -> Lines:
    numbers = np.flatnonzero(chosen)
    counts = bundles.counts[numbers]
    links = bundles.order[np.repeat(chosen, bundles.counts)]
    starts = np.cumsum(counts) - counts
    of_server = _of_server(projection, bundles)[numbers]
    direct = np.ones(len(numbers), np.bool_)
    return Lines(anchors.bundles[numbers], starts, links, bundles.flipped[links], of_server, direct)


def _singles(projection: Projection, bundles: Bundles, anchors: Anchors, chosen: Flags) -> Lines:
    links = np.flatnonzero(chosen[bundles.of_link])
    of_server = _of_server(projection, bundles)[bundles.of_link[links]]
    direct = np.ones(len(links), np.bool_)
    return Lines(anchors.links[links], np.arange(len(links)), links, bundles.flipped[links], of_server, direct)


def _gathered(bundles: Bundles, xy: Floats, members: list[list[int]]) -> Lines:
    """Lines that stand for lists of bundles."""
    if not members:
        return NO_LINES
    sizes = np.array([len(numbers) for numbers in members])
    numbers = np.concatenate([np.array(one) for one in members])
    counts = bundles.counts[numbers]
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    links = bundles.order[np.repeat(bundles.starts[numbers], counts) + within]
    per_line = np.add.reduceat(counts, np.cumsum(sizes) - sizes)
    starts = np.cumsum(per_line) - per_line
    flags = np.ones(len(members), np.bool_)
    return Lines(xy, starts, links, bundles.flipped[links], flags, ~flags)


def _bows(projection: Projection, bundles: Bundles, chosen: Flags, centres: Floats) -> Lines:
    """Links between boxes in one row with others between them: up, over and down, three lines each."""
    numbers = np.flatnonzero(chosen)
    if not len(numbers):
        return NO_LINES
    first, last = centres[bundles.pairs[numbers, 0]], centres[bundles.pairs[numbers, 1]]
    size_first, size_last = projection.sizes[bundles.pairs[numbers, 0]], projection.sizes[bundles.pairs[numbers, 1]]
    xy = bow(first, last, size_first, size_last).reshape(-1, 4)
    lines = _gathered(bundles, xy, [[int(number)] for number in numbers for _ in range(3)])
    of_server = np.repeat(_of_server(projection, bundles)[numbers], 3)
    direct = np.tile(np.array([False, True, False]), len(numbers))
    return Lines(lines.xy, lines.starts, lines.links, lines.flipped, of_server, direct)


def bow(first: Floats, last: Floats, size_first: Floats, size_last: Floats) -> Floats:
    """Up, over and down from boxes to boxes beside them, by centres and sizes: (n, 3, 4)."""
    towards = np.where(last[:, 0] >= first[:, 0], 1.0, -1.0)
    x1, x2 = first[:, 0] + towards * 0.3 * size_first[:, 0], last[:, 0] - towards * 0.3 * size_last[:, 0]
    y1, y2 = first[:, 1] - size_first[:, 1] / 2, last[:, 1] - size_last[:, 1] / 2
    rise = BOW_RISE + np.minimum(BOW_MOST_RISE, BOW_RISE_PER_UNIT * np.abs(x2 - x1))
    y = np.minimum(y1, y2) - rise
    up = np.stack((x1, y1, x1 + towards * BOW_SLANT, y), axis=1)
    over = np.stack((x1 + towards * BOW_SLANT, y, x2 - towards * BOW_SLANT, y), axis=1)
    down = np.stack((x2 - towards * BOW_SLANT, y, x2, y2), axis=1)
    return np.stack((up, over, down), axis=1)


def bowed_bundles(anchors: Anchors, centres: Floats, sizes: Floats) -> Flags:
    """Which bundles run sideways through another box."""
    bowed = np.zeros(len(anchors.bundles), np.bool_)
    numbers = np.flatnonzero(anchors.sideways)
    if len(numbers):
        bowed[numbers] = blocked(anchors.bundles[numbers], centres, sizes)
    return bowed


def blocked(sideways: Floats, centres: Floats, sizes: Floats) -> Flags:
    """Which lines between boxes side by side run through another box."""
    left, right = np.minimum(sideways[:, 0], sideways[:, 2]), np.maximum(sideways[:, 0], sideways[:, 2])
    middle_y = (sideways[:, 1] + sideways[:, 3]) / 2
    flags: Flags = right - left > NEAR_NEIGHBOURS
    long = np.flatnonzero(flags)
    if len(long) * len(centres) > OBSTRUCTION_LIMIT:
        return flags
    for at in long.tolist():
        low, high, y = left[at], right[at], middle_y[at]
        in_row = np.abs(centres[:, 1] - y) < sizes[:, 1] / 2
        flags[at] = bool(np.any(in_row & (centres[:, 0] > low) & (centres[:, 0] < high)))
    return flags


def _between_regions(projection: Projection, centres: Floats, side: float) -> Lines:
    """One line between the middles of the devices in two squares, for all links between them; none inside a square."""
    squares = np.floor(centres / side).astype(np.int64)
    squares -= squares.min(axis=0)
    keys = squares[:, 0] * (int(squares[:, 1].max()) + 1) + squares[:, 1]
    _, region = np.unique(keys, return_inverse=True)
    n_regions = int(region.max()) + 1
    members = np.bincount(region, minlength=n_regions)
    middles = np.stack([np.bincount(region, centres[:, axis], n_regions) / members for axis in (0, 1)], axis=1)
    ends = region[projection.ends]
    outside = np.flatnonzero(ends[:, 0] != ends[:, 1])
    low, high = ends[outside].min(axis=1), ends[outside].max(axis=1)
    pairs, of_pair = np.unique(low * n_regions + high, return_inverse=True)
    if not len(pairs):
        return NO_LINES
    order = np.argsort(of_pair, kind="stable")
    links = outside[order]
    counts = np.bincount(of_pair, minlength=len(pairs))
    starts = np.cumsum(counts) - counts
    xy = np.hstack((middles[pairs // n_regions], middles[pairs % n_regions]))
    to_server = (projection.kinds == SERVER)[projection.ends[links]].any(axis=1)
    of_server = np.logical_and.reduceat(to_server, starts)
    flipped = ends[links, 0] > ends[links, 1]
    return Lines(xy, starts, links, flipped, of_server, np.zeros(len(pairs), np.bool_))


def _of_server(projection: Projection, bundles: Bundles) -> Flags:
    flags: Flags = (projection.kinds == SERVER)[bundles.pairs].any(axis=1)
    return flags


def _joined(parts: list[Lines]) -> Lines:
    parts = [part for part in parts if len(part.starts)]
    if not parts:
        return NO_LINES
    offsets = np.cumsum([0, *(len(part.links) for part in parts[:-1])])
    return Lines(
        np.concatenate([part.xy for part in parts]),
        np.concatenate([part.starts + offset for part, offset in zip(parts, offsets, strict=True)]),
        np.concatenate([part.links for part in parts]),
        np.concatenate([part.flipped for part in parts]),
        np.concatenate([part.of_server for part in parts]),
        np.concatenate([part.direct for part in parts]),
    )


def loads(projection: Projection, known: LinkLoads | None) -> Floats:
    """Load of each link by row, (n_links, 2); NO_HEAT where nothing is known."""
    if known is None:
        return np.full((len(projection.link_ids), 2), NO_HEAT)
    return known.taken_for(projection.link_ids, NO_HEAT)
