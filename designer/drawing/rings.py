"""Groups around a free middle that are all joined to each other: from afar a ring before them, with a stub from each.

The links of 24 groups are 276 lines across the middle, which nobody can follow. Each group has a stub to the ring, and
every piece of the ring stands for the links that pass it: those of two groups run along its shorter part.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from designer.drawing.apart import Apart
from designer.drawing.bundles import Bundles, Floats, Ints
from designer.drawing.gates import GatedGroups, are_all_joined, gated_groups, lines_to_gates, names_of_groups
from designer.drawing.obstacles import Obstacles
from designer.drawing.projection import Projection
from designer.drawing.text import kind_of_group, short_form
from designer.drawing.trunks import Bus, Buses, Gathered
from designer.model.shown_text import visible_line
from designer.units import format_counted

LEAST_GROUPS = 13
"""Up to twelve groups have 66 lines, which can be distinguished."""
INSET = 0.1
"""From the gate of a group to the ring, in terms of the way to the middle."""
TITLE_AT, TITLE_SHARE, MOST_KINDS = (0.35, 0.1), 0.6, 8
"""Of the title of a kind of groups: how far from the ring to the middle, across and down; the share of the ring's width
that is its line; and of how many kinds there are titles."""
OFF_MIDDLE = 0.08
"""Of the ring's height, from a title to the middle, where it says what joins all groups."""
MOST_PIECES, LEAST_PIECES, MOST_HELD = 48, 8, 3_000_000
"""Pieces of the ring: so many hold less than so many links together."""


def ring_of(found: Apart, projection: Projection, bundles: Bundles, centres: Floats, sizes: Floats) -> Buses | None:
    """The ring, its stubs, and the lines from switches to their gates; None of few groups, or where not all are joined.

    `found` are the bundles between groups that have gates. The ring meets no box. Where there are several kinds of
    groups, its titles say how many of each there are.
    """
    groups = gated_groups(found, projection, bundles)
    n_groups = len(groups.gates)
    if n_groups < LEAST_GROUPS:
        return None
    ends = groups.place[bundles.pairs]
    numbers = np.flatnonzero((ends[:, 0] != ends[:, 1]) & (ends >= 0).all(axis=1))
    ends = np.sort(ends[numbers], axis=1)
    if not are_all_joined(n_groups, len(np.unique(ends @ (n_groups, 1)))):
        return None
    n_links = int(bundles.counts[numbers].sum())
    n_pieces = min(n_groups, MOST_PIECES, max(LEAST_PIECES, 4 * MOST_HELD // n_links))
    place, feet, ring = _ring(groups, n_pieces)
    if Obstacles(centres, sizes).crossed(ring, np.full((n_pieces, 2), -1)).any():
        return None
    pieces, at = _passed(place[ends], n_groups, n_pieces)
    held, order, counts = _alike(pieces)
    of_groups, order_of_groups, counts_of_groups = _alike(ends.reshape(-1))
    to_gates = lines_to_gates(numbers, groups, bundles, centres, sizes)
    stubs = np.hstack((groups.gates, feet))[of_groups]
    lines = Gathered(
        np.vstack((to_gates.xy, stubs, ring[held])),
        np.concatenate((to_gates.counts, counts_of_groups, counts)),
        np.concatenate((to_gates.bundles, numbers[order_of_groups // 2], numbers[at[order]])),
        numbers,
        of_servers=False,
    )
    return Buses(lines, tuple(_titles(names_of_groups(projection), groups, place, feet)))


def _alike(keys: Ints) -> tuple[Ints, Ints, Ints]:
    """As gates.alike, of few different keys: short numbers are sorted ten times sooner."""
    counts = np.bincount(keys)
    found = np.flatnonzero(counts)
    return found, np.argsort(keys.astype(np.int16), kind="stable"), counts[found]


def _titles(names: Sequence[str], groups: GatedGroups, place: Ints, feet: Floats) -> Iterator[Bus]:
    """What is said inside the ring before those that follow each other; none where all are alike."""
    order = np.argsort(place)
    kinds = [kind_of_group(names[number]) for number in groups.numbers[order].tolist()]
    first = next((at for at in range(len(kinds)) if kinds[at] != kinds[at - 1]), None)
    if first is None or len(set(kinds)) > MOST_KINDS:
        return
    low, high = feet.min(axis=0), feet.max(axis=0)
    middle, half = (low + high) / 2, float(high[0] - low[0]) * TITLE_SHARE / 2
    turned = np.roll(order, -first)
    for kind, run in groupby(turned.tolist(), key=lambda one: kind_of_group(names[int(groups.numbers[one])])):
        own = list(run)
        foot = feet[own[len(own) // 2]]
        x, y = (foot + (middle - foot) * TITLE_AT).tolist()
        off, least = y - float(middle[1]), OFF_MIDDLE * float(high[1] - low[1])
        y += math.copysign(max(0.0, least - abs(off)), off)
        yield Bus(_said([names[number] for number in groups.numbers[own].tolist()], kind), (x - half, y, x + half, y))


def _said(names: list[str], kind: str) -> str:
    """ "8 storage groups (167 to 174)" of groups in their order around the middle, with their numbers, if in a row."""
    if len(names) == 1:
        return visible_line(names[0])
    numbers, said = [short_form(name) for name in names], format_counted(len(names), f"{visible_line(kind)} group")
    if not all(map(str.isdecimal, numbers)) or np.ptp([int(one) for one in numbers]) != len(names) - 1:
        return said
    first, last = sorted((numbers[0], numbers[-1]), key=int)
    return f"{said} ({first} to {last})"


def _ring(groups: GatedGroups, n_pieces: int) -> tuple[Ints, Floats, Floats]:
    """The place of each group along the ring, where its stub meets that, and the pieces of the ring, (n_pieces, 4)."""
    gates, n_groups = groups.gates, len(groups.gates)
    low, high = gates.min(axis=0), gates.max(axis=0)
    middle = (low + high) / 2
    off = gates - middle
    x, y = (off / (high - low)).T
    order = np.argsort(np.arctan2(y, x), kind="stable")
    place = np.empty(n_groups, np.int64)
    place[order] = np.arange(n_groups)
    corners = off[order[np.arange(n_pieces) * n_groups // n_pieces]] * (1.0 - INSET)
    along = np.roll(corners, -1, axis=0) - corners
    piece = _piece_of(place, n_groups, n_pieces)
    share = _cross(corners[piece], along[piece]) / _cross(off, along[piece])
    return place, middle + off * share[:, None], np.hstack((corners, corners + along)) + np.tile(middle, 2)


def _cross(a: Floats, b: Floats) -> Floats:
    found: Floats = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return found


def _piece_of(place: Ints, n_groups: int, n_pieces: int) -> Ints:
    """The piece that begins at or before a place; going round again, pieces are counted on."""
    found: Ints = (place * n_pieces + n_pieces - 1) // n_groups
    return found


def _passed(places: Ints, n_groups: int, n_pieces: int) -> tuple[Ints, Ints]:
    """The pieces that pass for the links of two places, (m, 2), one after another; and which of the m each is for."""
    low, high = places.min(axis=1), places.max(axis=1)
    is_short = 2 * (high - low) <= n_groups
    first, last = np.where(is_short, low, high), np.where(is_short, high, low + n_groups)
    begin, end = (_piece_of(one, n_groups, n_pieces) for one in (first, last - 1))
    counts = end - begin + 1
    at = np.repeat(np.arange(len(places)), counts)
    pieces = begin[at] + np.arange(len(at)) - np.repeat(np.cumsum(counts) - counts, counts)
    return pieces % n_pieces, at
