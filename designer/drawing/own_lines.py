"""Links that have a line of their own where their look or label would not show on the line that they share.

A comb of servers, a bus, a ring and the line of a bundle show what all their links have in common. A link that looks
otherwise is taken out of them, together with those between the same two devices that look like it; a link with a label
is taken out of what carries no labels, unless most links there have one.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.geometry import Anchors
from designer.drawing.lines import Lines, joined, of_server
from designer.drawing.link_paths import LinkPaths
from designer.drawing.own_looks import numbered
from designer.drawing.projection import Projection

MOST = 2000
"""Lines that are added; more would be the mesh that is drawn gathered because nobody could follow it."""
MOST_LABELLED = 0.5
"""Of the links of a comb or bus; where more have a label, they are labelled one and all, and none stands out."""
ASIDE = 4.0
"""Between the line of a bundle that goes round boxes and that of those of its links that look otherwise."""


class Marked(NamedTuple):
    """What links say for themselves."""

    looked: frozenset[str]
    """Ids of those with looks."""
    labelled: frozenset[str]
    """Ids of those whose labels are written."""


def drawn_apart(
    marked: Marked,
    projection: Projection,
    lines: Lines,
    bundles: Bundles,
    anchors: Callable[[], Anchors],
    link_paths: Callable[[], LinkPaths | None],
    *,
    every_label: bool,
) -> Lines:
    """The lines, with one of its own for all links between two boxes that look alike and do not show on these.

    Straight from box to box where there are no paths. With `every_label` most of a line's links may have one.
    """
    looks = numbered(projection, marked.looked)[0].astype(np.int64)
    labelled = np.zeros(len(looks), np.bool_)
    labelled[[*projection.link_rows(marked.labelled).values()]] = True
    rows = _hidden(lines, bundles, looks, labelled, 1.0 if every_label else MOST_LABELLED)
    if not len(rows):
        return lines
    keys = bundles.of_link[rows] * (int(looks.max()) + 1) + looks[rows]
    order = np.argsort(keys, kind="stable")
    rows, starts = rows[order], np.unique(keys[order], return_index=True)[1]
    if len(starts) > MOST:
        return lines
    parts, paths = [_without(lines, rows)], link_paths()
    are_of_servers = of_server(projection, bundles)
    for own in np.split(rows, starts[1:]):
        number, n_links = int(bundles.of_link[own[0]]), len(own)
        xy, direct = _way(bundles, anchors(), paths, number, own)
        n = len(xy)
        servers = np.full(n, are_of_servers[number])
        flipped = np.tile(bundles.flipped[own], n)
        parts.append(Lines(xy, np.arange(n) * n_links, np.tile(own, n), flipped, servers, direct))
    return joined(parts)


def _hidden(lines: Lines, bundles: Bundles, looks: Ints, labelled: Flags, most: float) -> Ints:
    """Rows of the links whose look or label does not show on these lines, those with a label with all of their bundle.

    Where more than the share `most` of a line's links have a label, it stays.
    """
    found = np.zeros(len(looks), np.bool_)
    if looks.any():
        of_links = looks[lines.links]
        differ = np.maximum.reduceat(of_links, lines.starts) != np.minimum.reduceat(of_links, lines.starts)
        found[lines.links[np.repeat(differ, lines.counts) & (of_links != 0)]] = True
    if labelled.any():
        silent = labelled.copy()
        silent[lines.links[np.repeat(lines.direct, lines.counts)]] = False
        shares = np.add.reduceat(labelled[lines.links], lines.starts, dtype=np.int64) / lines.counts
        few = np.zeros(len(looks), np.bool_)
        few[lines.links[np.repeat(shares <= most, lines.counts)]] = True
        own = np.zeros(len(bundles.pairs), np.bool_)
        own[bundles.of_link[silent & few]] = True
        found |= own[bundles.of_link]
    rows: Ints = np.flatnonzero(found)
    return rows


def _way(
    bundles: Bundles, anchors: Anchors, link_paths: LinkPaths | None, number: int, own: Ints
) -> tuple[Floats, Flags]:
    """The line or lines of these links of a bundle, and which of them is direct."""
    is_whole = len(own) == bundles.counts[number]
    if link_paths is None or not link_paths.bent[number]:
        xy = anchors.bundles[number] if is_whole else anchors.links[own].mean(axis=0)
        return xy.reshape(1, 4), np.ones(1, np.bool_)
    if not is_whole and link_paths.laned[number]:
        xy, _, direct = link_paths.of_links(own[len(own) // 2 :][:1], bundles, anchors)
        return xy, direct
    pieces = np.flatnonzero(link_paths.bundles == number)
    xy, direct = link_paths.xy[pieces], link_paths.direct[pieces]
    return xy if is_whole else _aside(xy), direct


def _aside(xy: Floats) -> Floats:
    """The same way next to itself, from the same sides of its boxes."""
    found: Floats = xy + ASIDE
    for line, end in ((0, 0), (-1, 2)):
        is_upright = abs(xy[line, 3] - xy[line, 1]) > abs(xy[line, 2] - xy[line, 0])
        found[line, end + is_upright] = xy[line, end + is_upright]
    return found


def _without(lines: Lines, rows: Ints) -> Lines:
    """The lines without these links; those that stood for no other are left out."""
    removed = np.zeros(max(int(lines.links.max(initial=0)), int(rows.max(initial=0))) + 1, np.bool_)
    removed[rows] = True
    kept = ~removed[lines.links]
    counts = np.add.reduceat(kept, lines.starts, dtype=np.int64)
    stands = counts > 0
    counts = counts[stands]
    return Lines(
        lines.xy[stands],
        np.cumsum(counts) - counts,
        lines.links[kept],
        lines.flipped[kept],
        lines.of_server[stands],
        lines.direct[stands],
    )
