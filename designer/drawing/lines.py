"""The lines a picture draws for links, at each detail: every line knows which links it stands for."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from designer.drawing.bundles import NO_HEAT, Bundles, Flags, Floats, Ints
from designer.drawing.geometry import Anchors, Rect
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.link_paths import LinkPaths
from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER
from designer.drawing.trunks import Gathered
from designer.graph.link_loads import LinkLoads


@dataclass(frozen=True)
class Lines:
    """Straight lines, each of a run of links: `links[starts[i]:starts[i + 1]]` are the rows of line i."""

    xy: Floats  # (n, 4)
    starts: Ints  # (n,)
    links: Ints  # (k,)
    flipped: Flags  # (k,) whether the link's a to b runs against the line
    of_server: Flags  # (n,) a link of a server: drawn fainter than those between switches
    direct: Flags  # (n,) from box to box, so that its two directions can be distinguished and a count stands on it

    @cached_property
    def counts(self) -> Ints:
        """Links of each line."""
        return np.diff(self.starts, append=len(self.links))

    @cached_property
    def first(self) -> Ints:
        """The row of the first link of each line."""
        return self.links[self.starts]

    @cached_property
    def length(self) -> float:
        """Of all lines but those of servers together."""
        x1, y1, x2, y2 = self.xy[~self.of_server].T
        return float(np.hypot(x2 - x1, y2 - y1).sum())

    def utilization(self, of_links: Floats, rows: Ints | None = None) -> tuple[Floats, Floats]:
        """Worst load along each of these lines, or of all, and against it; `of_links` is (n_links, 2), both ways.

        The last answer is remembered, as a picture is painted several times.
        """
        known = self._utilized
        if not known or known[0][0] is not of_links or known[0][1] is not rows:
            known[:] = [(of_links, rows, self._worst(of_links, rows))]
        return known[0][2]

    def _worst(self, of_links: Floats, rows: Ints | None) -> tuple[Floats, Floats]:
        along, against, starts = self._both_ways(rows)
        if not len(starts):
            return np.empty(0), np.empty(0)
        values = np.ascontiguousarray(of_links).reshape(-1)
        forth, back = values[along], values[against]
        if len(starts) == len(forth):  # a line for every link
            return forth, back
        return np.maximum.reduceat(forth, starts), np.maximum.reduceat(back, starts)

    def _both_ways(self, rows: Ints | None) -> tuple[Ints, Ints, Ints]:
        """Places in the loads of links, both ways, of what these lines stand for, and where each line begins.

        The last answer is remembered, as loads change while lines stay.
        """
        if not self._read or self._read[0][0] is not rows:
            places, starts = self.held(rows)
            along, flipped = self.links[places] * 2, self.flipped[places]
            self._read[:] = [(rows, (along + flipped, along + ~flipped, starts))]
        return self._read[0][1]

    def held(self, rows: Ints | None) -> tuple[Ints | slice, Ints]:
        """Places in `links` of what these lines stand for, or all of them, line after line; where each begins."""
        if rows is None:
            return slice(None), self.starts
        counts = self.counts[rows]
        starts = np.cumsum(counts) - counts
        return np.repeat(self.starts[rows] - starts, counts) + np.arange(int(counts.sum())), starts

    @cached_property
    def _utilized(self) -> list[tuple[Floats, Ints | None, tuple[Floats, Floats]]]:
        return []

    @cached_property
    def _read(self) -> list[tuple[Ints | None, tuple[Ints, Ints, Ints]]]:
        return []

    def draw_up(self) -> None:
        """Calculate beforehand what the first picture needs: for workers."""
        _ = self.counts, self._reach, self.length

    @cached_property
    def views(self) -> dict[Hashable, Ints]:
        """From where they were last seen, and which of them showed; kept by who draws them."""
        return {}

    @cached_property
    def title_sides(self) -> dict[Hashable, tuple[object, Any]]:
        """By scale, the frames whose titles keep off the lines, and those with titles on their sides; likewise."""
        return {}

    @cached_property
    def _reach(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Left, top, right and bottom of each line."""
        x1, y1, x2, y2 = self.xy.T
        return np.minimum(x1, x2), np.minimum(y1, y2), np.maximum(x1, x2), np.maximum(y1, y2)

    def near(self, rect: Rect) -> Ints:
        """Rows of the lines that touch or pass a rectangle, ascending: all whose own rectangle touches it."""
        (left, top, right, bottom), (low_x, low_y, high_x, high_y) = rect, self._reach
        return np.flatnonzero((high_x >= left) & (low_x <= right) & (high_y >= top) & (low_y <= bottom))

    def through(self, rect: Rect) -> Ints:
        """Rows of the lines that touch a rectangle, ascending: long slanted ones that only pass it are left out."""
        left, top, right, bottom = rect
        rows = self.near(rect)
        xy = self.xy[rows]
        along_x, along_y = xy[:, 2] - xy[:, 0], xy[:, 3] - xy[:, 1]
        off_x, off_y = (left + right) / 2 - xy[:, 0], (top + bottom) / 2 - xy[:, 1]
        wide, high = np.abs(along_y) * ((right - left) / 2), np.abs(along_x) * ((bottom - top) / 2)
        crosses: Flags = np.abs(along_x * off_y - along_y * off_x) <= wide + high  # not all corners on one side
        return rows[crosses]

    def holding(self, chosen: Flags, rows: Ints | None = None) -> Flags:
        """Which of these lines, or of all, stand for any of the chosen links."""
        places, starts = self.held(rows)
        if not len(starts):
            return np.zeros(0, np.bool_)
        return np.logical_or.reduceat(chosen[self.links[places]], starts)

    def of_all(self, chosen: Flags) -> Ints:
        """Rows of the lines that stand for every one of the chosen links."""
        places, starts = self.held(None)
        if not len(starts) or not chosen.any():
            return np.empty(0, np.int64)
        held = np.add.reduceat(chosen[self.links[places]], starts, dtype=np.int64)
        return np.flatnonzero(held == np.count_nonzero(chosen))


NO_LINES = Lines(
    np.empty((0, 4)),
    np.empty(0, np.int64),
    np.empty(0, np.int64),
    np.empty(0, np.bool_),
    np.empty(0, np.bool_),
    np.empty(0, np.bool_),
)


def lines_at(
    detail: Detail,
    projection: Projection,
    bundles: Bundles,
    anchors: Anchors,
    link_paths: LinkPaths,
    gathered: Sequence[Gathered],
) -> Lines:
    """The lines of all links, for a detail other than regions; those that are gathered only as that says."""
    if not len(bundles.pairs):
        return NO_LINES
    if detail.links is LinkDetail.SINGLES:
        return _single_lines(projection, bundles, anchors, link_paths, np.ones(len(bundles.pairs), np.bool_))
    combed = combed_of(bundles, gathered)
    straight = _straight(projection, bundles, anchors, ~(link_paths.bent | combed))
    bent = _bent(projection, bundles, link_paths, link_paths.bent & ~combed)
    return with_gathered(straight, bundles, gathered, bent)


def combed_of(bundles: Bundles, gathered: Sequence[Gathered]) -> Flags:
    """Which bundles these lines stand for."""
    combed = np.zeros(len(bundles.pairs), np.bool_)
    for one in gathered:
        combed[one.combed] = True
    return combed


def with_gathered(lines: Lines, bundles: Bundles, gathered: Sequence[Gathered], above: Lines = NO_LINES) -> Lines:
    """Lines, those that stand for several bundles, and what is drawn after them."""
    return joined([lines, *(_gathered(bundles, one) for one in gathered), above])


def lines_of_bundles(
    detail: Detail,
    projection: Projection,
    centres: Floats,
    bundles: Bundles,
    anchors: Anchors,
    link_paths: LinkPaths,
    chosen: Flags,
) -> Lines:
    """Lines of the chosen bundles alone, where the picture has them; from box to box where it gathers them."""
    if detail.links is LinkDetail.SINGLES:
        return _single_lines(projection, bundles, anchors, link_paths, chosen)
    straight = _straight(projection, bundles, anchors, chosen & ~link_paths.bent)
    return joined([straight, _bent(projection, bundles, link_paths, chosen & link_paths.bent)])


def _straight(projection: Projection, bundles: Bundles, anchors: Anchors, chosen: Flags) -> Lines:
    numbers = np.flatnonzero(chosen)
    counts = bundles.counts[numbers]
    links = bundles.order[np.repeat(chosen, bundles.counts)]
    starts = np.cumsum(counts) - counts
    servers = of_server(projection, bundles)[numbers]
    direct = np.ones(len(numbers), np.bool_)
    return Lines(anchors.bundles[numbers], starts, links, bundles.flipped[links], servers, direct)


def _singles(projection: Projection, bundles: Bundles, anchors: Anchors, chosen: Flags) -> Lines:
    links = np.flatnonzero(chosen[bundles.of_link])
    servers = of_server(projection, bundles)[bundles.of_link[links]]
    direct = np.ones(len(links), np.bool_)
    return Lines(anchors.links[links], np.arange(len(links)), links, bundles.flipped[links], servers, direct)


def _single_lines(
    projection: Projection, bundles: Bundles, anchors: Anchors, link_paths: LinkPaths, chosen: Flags
) -> Lines:
    """A line for every link of the chosen bundles, from port to port; one bow for all links of a bundle."""
    straight = _singles(projection, bundles, anchors, chosen & ~link_paths.bent)
    bows = _bent(projection, bundles, link_paths, chosen & link_paths.bent & ~link_paths.laned)
    links = np.flatnonzero((chosen & link_paths.laned)[bundles.of_link])
    xy, of, direct = link_paths.of_links(links, bundles, anchors)
    rows = links[of]
    servers = of_server(projection, bundles)[bundles.of_link[rows]]
    laned = Lines(xy, np.arange(len(rows)), rows, bundles.flipped[rows], servers, direct)
    return joined([straight, bows, laned])


def _gathered(bundles: Bundles, gathered: Gathered) -> Lines:
    """Lines that stand for several bundles each."""
    if not len(gathered.counts):
        return NO_LINES
    links = _links_of(bundles, gathered.bundles)
    per_line = np.add.reduceat(bundles.counts[gathered.bundles], np.cumsum(gathered.counts) - gathered.counts)
    starts = np.cumsum(per_line) - per_line
    servers = np.full(len(starts), gathered.of_servers)
    direct = np.zeros(len(starts), np.bool_)
    return Lines(gathered.xy, starts, links, bundles.flipped[links], servers, direct)


def _bent(projection: Projection, bundles: Bundles, link_paths: LinkPaths, chosen: Flags) -> Lines:
    """The lines of bundles that go round the boxes in their way."""
    rows = np.flatnonzero(chosen[link_paths.bundles])
    numbers = link_paths.bundles[rows]
    links, counts = _links_of(bundles, numbers), bundles.counts[numbers]
    servers = of_server(projection, bundles)[numbers]
    starts = np.cumsum(counts) - counts
    return Lines(link_paths.xy[rows], starts, links, bundles.flipped[links], servers, link_paths.direct[rows])


def _links_of(bundles: Bundles, numbers: Ints) -> Ints:
    """Rows of the links of these bundles, bundle after bundle."""
    counts = bundles.counts[numbers]
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    links: Ints = bundles.order[np.repeat(bundles.starts[numbers], counts) + within]
    return links


def of_server(projection: Projection, bundles: Bundles) -> Flags:
    """Which bundles lead to a server."""
    flags: Flags = (projection.kinds == SERVER)[bundles.pairs].any(axis=1)
    return flags


def joined(parts: list[Lines]) -> Lines:
    """The lines of all parts, one part above the other."""
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


def loads(projection: Projection, known: LinkLoads | None) -> LinkLoads:
    """Load of each link, row by row; NO_HEAT where nothing is known. The loads themselves where they are of these."""
    if known is not None and projection.has_links(known.link_ids):
        return known
    ids = tuple(projection.link_ids)
    return LinkLoads(ids, np.full((len(ids), 2), NO_HEAT) if known is None else known.taken_for(ids, NO_HEAT))
