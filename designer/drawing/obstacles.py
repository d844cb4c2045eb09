"""Which lines run through boxes: boxes sorted into bands of height, so that a line meets few of them."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints

LEAST_BAND = 64.0
"""Height of a band: that of most boxes where they are higher, so that each lies in few bands."""
INSET = 1.0
"""A line may touch the edge of a box by so much."""
MOST_PAIRS = 2_000_000
"""Pairs of a line and a box that are compared at a time."""


class Obstacles:
    """Boxes by band; (n, 2) centres and sizes. Boxes with one label are one thing; else each is one by its row."""

    def __init__(self, centres: Floats, sizes: Floats, labels: Ints | None = None) -> None:
        self._labels = np.arange(len(centres)) if labels is None else labels
        self._low, self._high = centres - sizes / 2, centres + sizes / 2
        self._band = max(LEAST_BAND, float(np.median(sizes[:, 1]))) if len(sizes) else LEAST_BAND
        first, last = (np.floor(edge[:, 1] / self._band).astype(np.int64) for edge in (self._low, self._high))
        spans = last - first + 1
        boxes = np.repeat(np.arange(len(centres)), spans)
        bands = np.repeat(first, spans) + np.arange(len(boxes)) - np.repeat(np.cumsum(spans) - spans, spans)
        order = np.lexsort((self._low[boxes, 0], bands))
        self._boxes, bands = boxes[order], bands[order]
        self._bands, self._starts = np.unique(bands, return_index=True)
        self._ends = np.append(self._starts[1:], len(bands))
        self._widest = float(sizes[:, 0].max(initial=0.0))
        self._tops, self._bottoms = merged_intervals(self._low[:, 1] + INSET, self._high[:, 1] - INSET)

    def crossed(self, xy: Floats, own: Ints) -> Flags:
        """Which lines, (n, 4), run through the inside of a box that is not one of their two own, by label (n, 2)."""
        found = np.zeros(len(xy), np.bool_)
        for lines, _ in self._hits(xy, own, found):
            found[lines] = True
        return found

    def met(self, xy: Floats, own: Ints) -> tuple[Floats, Floats]:
        """Around all boxes that each line runs through: least and most x and y, (n, 2) each; endless of one of none."""
        low, high = np.full((len(xy), 2), np.inf), np.full((len(xy), 2), -np.inf)
        for lines, boxes in self._hits(xy, own, np.zeros(len(xy), np.bool_)):
            np.minimum.at(low, lines, self._low[boxes])
            np.maximum.at(high, lines, self._high[boxes])
        return low, high

    def _hits(self, xy: Floats, own: Ints, done: Flags) -> Iterator[tuple[Ints, Ints]]:
        """Lines and the boxes they run through, band by band; those `done` by then are looked at no more."""
        near = np.flatnonzero(self._meeting(xy))
        x_low, x_high = np.minimum(xy[:, 0], xy[:, 2]), np.maximum(xy[:, 0], xy[:, 2])
        y_low, y_high = np.minimum(xy[:, 1], xy[:, 3]), np.maximum(xy[:, 1], xy[:, 3])
        rise = xy[:, 3] - xy[:, 1]
        slope = np.where(np.abs(rise) > 1e-9, (xy[:, 2] - xy[:, 0]) / np.where(rise == 0, 1.0, rise), 0.0)
        for band, start, end in zip(self._bands.tolist(), self._starts.tolist(), self._ends.tolist(), strict=True):
            top, bottom = band * self._band, (band + 1) * self._band
            lines = near[(y_low[near] < bottom) & (y_high[near] >= top) & ~done[near]]
            if not len(lines):
                continue
            flat = np.abs(rise[lines]) <= 1e-9
            at = [
                xy[lines, 0] + (np.clip(y, y_low[lines], y_high[lines]) - xy[lines, 1]) * slope[lines]
                for y in (top, bottom)
            ]
            left = np.where(flat, x_low[lines], np.minimum(*at))
            right = np.where(flat, x_high[lines], np.maximum(*at))
            boxes = self._boxes[start:end]
            lefts = self._low[boxes, 0]
            first = np.searchsorted(lefts, left - self._widest)
            counts = np.maximum(0, np.searchsorted(lefts, right) - first)
            for part in _parts(counts):
                numbers = np.repeat(np.arange(len(lines))[part], counts[part])
                before = np.repeat(np.cumsum(counts[part]) - counts[part], counts[part])
                box = boxes[np.repeat(first[part], counts[part]) + np.arange(len(numbers)) - before]
                line = lines[numbers]
                label = self._labels[box]
                foreign = (label != own[line, 0]) & (label != own[line, 1])
                line, box = line[foreign], box[foreign]
                hit = inside(xy[line], self._low[box] + INSET, self._high[box] - INSET)
                yield line[hit], box[hit]

    def _meeting(self, xy: Floats) -> Flags:
        """Which lines are at the height of any box at all; those between two rows of boxes are not."""
        low, high = np.minimum(xy[:, 1], xy[:, 3]), np.maximum(xy[:, 1], xy[:, 3])
        following = np.searchsorted(self._bottoms, low, side="right")  # the first heights that end below its upper end
        flags: Flags = np.append(self._tops, np.inf)[following] < high + 1e-9
        return flags


def merged_intervals(lows: Floats, highs: Floats) -> tuple[Floats, Floats]:
    """What any of these intervals takes, as intervals that do not touch, ascending: where they begin and end."""
    order = np.argsort(lows, kind="stable")
    lows, reach = lows[order], np.maximum.accumulate(highs[order])
    begins = np.flatnonzero(np.concatenate(([True], lows[1:] > reach[:-1]))[: len(lows)])
    ends = np.append(begins[1:], len(lows)) - 1
    return lows[begins], reach[ends] if len(lows) else reach


def _parts(counts: Ints) -> list[slice]:
    """Runs of lines with about MOST_PAIRS pairs each."""
    cuts = np.flatnonzero(np.diff(np.cumsum(counts) // MOST_PAIRS)) + 1
    edges = [0, *cuts.tolist(), len(counts)]
    return [slice(first, last) for first, last in pairwise(edges)]


def inside(xy: Floats, low: Floats, high: Floats) -> Flags:
    """Whether each line has a piece inside its rectangle."""
    begin, end = np.zeros(len(xy)), np.ones(len(xy))
    for axis in (0, 1):
        start, along = xy[:, axis], xy[:, axis + 2] - xy[:, axis]
        still = np.abs(along) < 1e-9
        pace = np.where(still, 1.0, along)
        one, other = (low[:, axis] - start) / pace, (high[:, axis] - start) / pace
        within = (start > low[:, axis]) & (start < high[:, axis])
        begin = np.maximum(begin, np.where(still, np.where(within, 0.0, 2.0), np.minimum(one, other)))
        end = np.minimum(end, np.where(still, np.where(within, 1.0, -1.0), np.maximum(one, other)))
    flags: Flags = begin < end
    return flags


def between_heights(xy: Floats, tops: Floats, bottoms: Floats) -> tuple[Floats, Floats]:
    """How far left and right the piece of each line, (n, 4), between two heights reaches, (m, n); nan without a piece.

    The heights are (m, 1).
    """
    x1, y1, x2, y2 = xy.T
    still = np.abs(y2 - y1) < 1e-9
    pace = np.where(still, 1.0, y2 - y1)
    one, other = np.clip((tops - y1) / pace, 0.0, 1.0), np.clip((bottoms - y1) / pace, 0.0, 1.0)
    one[:, still], other[:, still] = 0.0, 1.0
    first, last = x1 + (x2 - x1) * one, x1 + (x2 - x1) * other
    beyond = (np.minimum(y1, y2) >= bottoms) | (np.maximum(y1, y2) <= tops)
    low, high = np.minimum(first, last), np.maximum(first, last)
    low[beyond] = np.nan
    return low, high
