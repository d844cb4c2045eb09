"""Links from afar: one line for all links between two squares of the canvas, or a stub at either end of it."""

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.lines import NO_LINES, Lines
from designer.drawing.obstacles import Obstacles
from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER

HALVINGS = 3
"""Of stubs that still meet a box of another square."""
MOST_REGARDED = 60_000
"""Lines; of more, nobody follows a single one."""


def lines_between_regions(
    projection: Projection, centres: Floats, side: float, elsewhere: Flags | None = None, *, clear: bool = True
) -> Lines:
    """One line between the middles of the devices in two squares, for all links between them; none inside a square.

    Links that are drawn `elsewhere`, (n_links,), are left out. Lines between two boxes that stand for many devices,
    each alone in its square, are direct: they have room for a count.

    Where such a line would run through boxes of other squares, it is only begun at either end: unless `clear` is off,
    as while boxes are dragged.
    """
    if not len(projection.ends):
        return NO_LINES
    squares = np.floor(centres / side).astype(np.int64)
    squares -= squares.min(axis=0)
    keys = squares[:, 0] * (int(squares[:, 1].max()) + 1) + squares[:, 1]
    _, region = np.unique(keys, return_inverse=True)
    region = region.reshape(-1)
    n_regions = int(region.max()) + 1
    members = np.bincount(region, minlength=n_regions)
    middles = np.stack([np.bincount(region, centres[:, axis], n_regions) / members for axis in (0, 1)], axis=1)
    ends = region[projection.ends]
    is_outside = ends[:, 0] != ends[:, 1]
    outside = np.flatnonzero(is_outside if elsewhere is None else is_outside & ~elsewhere)
    low, high = np.minimum(*ends[outside].T), np.maximum(*ends[outside].T)
    pairs, of_pair = np.unique(low * n_regions + high, return_inverse=True)
    if not len(pairs):
        return NO_LINES
    order = np.argsort(of_pair, kind="stable")
    links = outside[order]
    counts = np.bincount(of_pair, minlength=len(pairs))
    starts = np.cumsum(counts) - counts
    joined = np.stack((pairs // n_regions, pairs % n_regions), axis=1)
    to_server = (projection.kinds == SERVER)[projection.ends[links]].any(axis=1)
    of_server = np.logical_and.reduceat(to_server, starts)
    flipped = ends[links, 0] > ends[links, 1]
    last = np.empty(n_regions, np.int64)
    last[region] = np.arange(len(region))
    direct = ((members == 1) & (last >= projection.n_own))[joined].all(axis=1)
    found = Lines(middles[joined].reshape(-1, 4), starts, links, flipped, of_server, direct)
    if not clear or len(pairs) > MOST_REGARDED:
        return found
    return _cleared(found, joined, region, centres, projection.sizes)


def _cleared(lines: Lines, joined: Ints, region: Ints, centres: Floats, sizes: Floats) -> Lines:
    """The lines with those that meet boxes of other regions as two stubs, shorter ones where these do too."""
    obstacles = Obstacles(centres, sizes, region)
    met = np.flatnonzero(obstacles.crossed(lines.xy, joined))
    if not len(met):
        return lines
    stubs = _stubs(lines.xy[met], joined[met], region, centres, sizes)  # (m, 2, 4), each from the middle of its region
    own = np.stack((joined[met], joined[met]), axis=1).reshape(-1, 2)
    for turn in range(HALVINGS + 1):
        again = np.flatnonzero(obstacles.crossed(stubs.reshape(-1, 4), own))
        flat = stubs.reshape(-1, 4)
        share = 0.5 if turn < HALVINGS else 0.0
        flat[again, 2:] = flat[again, :2] + share * (flat[again, 2:] - flat[again, :2])
    stubs[:, 1] = stubs[:, 1][:, [2, 3, 0, 1]]
    pieces = np.ones(len(lines.xy), np.int64)
    pieces[met] = 2
    rows = np.repeat(np.arange(len(lines.xy)), pieces)
    xy = lines.xy[rows]
    is_stub = pieces[rows] == 2
    xy[is_stub] = stubs.reshape(-1, 4)
    counts = lines.counts[rows]
    starts = np.cumsum(counts) - counts
    at = np.repeat(lines.starts[rows] - starts, counts) + np.arange(int(counts.sum()))
    return Lines(xy, starts, lines.links[at], lines.flipped[at], lines.of_server[rows], lines.direct[rows] & ~is_stub)


def _stubs(xy: Floats, joined: Ints, region: Ints, centres: Floats, sizes: Floats) -> Floats:
    """From the middle of either region towards the other, as far as its own boxes reach."""
    count = int(region.max()) + 1
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    np.minimum.at(low, region, centres - sizes / 2)
    np.maximum.at(high, region, centres + sizes / 2)
    start = xy.reshape(-1, 2, 2)
    along = start[:, ::-1] - start
    edge = np.where(along > 0, high[joined], low[joined])
    still = np.abs(along) < 1e-9
    share = np.where(still, np.inf, (edge - start) / np.where(still, 1.0, along)).min(axis=2)
    found: Floats = np.concatenate((start, start + np.clip(share, 0.0, 0.5)[:, :, None] * along), axis=2)
    return found
