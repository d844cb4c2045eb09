"""Which boxes a note on a tier counts as those that differ: their names, and the links that make them so."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Bundles, Ints
from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER
from designer.drawing.tier_titles import TierWords
from designer.late import Late
from designer.model.shown_text import visible_line
from designer.units import format_count, format_counted

components = Late("designer.graph.components")
pair_notes = Late("designer.drawing.pair_notes")

MOST_NAMED = 6


class OddOnes(NamedTuple):
    """What is not as on all others: a line for each of the first, all their links, and all their devices."""

    lines: tuple[str, ...]
    link_ids: tuple[str, ...]
    device_ids: tuple[str, ...]


def odd_ones(projection: Projection, bundles: Bundles, words: TierWords, number: int) -> OddOnes | None:
    """Those that the note of that number counts; None where all are alike, or it is on links between groups."""
    if number >= words.n_tiers:
        return None
    numbers = words.bundles[number]
    pairs, counts = bundles.pairs[numbers], bundles.counts[numbers]
    servers = pairs[projection.kinds[pairs] == SERVER]
    if len(servers):
        rows, at = np.unique(servers, return_inverse=True)
        sums = np.bincount(at.reshape(-1), weights=counts).astype(np.int64)
        odd = np.flatnonzero(sums != _usual(sums))
        found: list[tuple[tuple[int, ...], int]] = [((int(rows[one]),), int(sums[one])) for one in odd.tolist()]
        chosen = numbers[np.isin(pairs, rows[odd]).any(axis=1)]
    else:
        odd = np.flatnonzero(counts != _usual(counts))
        found = [((a, b), n) for (a, b), n in zip(pairs[odd].tolist(), counts[odd].tolist(), strict=True)]
        chosen = numbers[odd]
        found += [((a, b), 0) for a, b in _without(pairs, projection).tolist()]
    if not found:
        return None
    links = np.flatnonzero(np.isin(bundles.of_link, chosen)).tolist()
    rows_of = dict.fromkeys(row for ends, _ in found for row in ends)
    return OddOnes(
        tuple(_named(projection, found)),
        tuple(projection.link_ids[one] for one in links),
        tuple(id_ for row in rows_of for id_ in projection.ids_at(row)),
    )


def _usual(counts: Ints) -> int:
    values, times = np.unique(counts, return_counts=True)
    return int(values[times.argmax()])


def _without(pairs: Ints, projection: Projection) -> Ints:
    """Pairs of the two tiers that have no link, among boxes that links join somehow; none where many have none."""
    rows, ends = np.unique(pairs, return_inverse=True)
    ends = ends.reshape(pairs.shape)
    part = components.component_of(ends[:, 0], ends[:, 1], len(rows))
    is_first = projection.kinds[rows] == projection.kinds[rows[0]]
    size = int(part.max()) + 1
    n_first, n_second = (np.bincount(part[one], minlength=size) for one in (is_first, ~is_first))
    if int(n_first @ n_second) - len(pairs) > pair_notes.MOST_UNLIKE * len(pairs):
        return np.empty((0, 2), np.int64)
    found = []
    for number in range(size):
        first, second = rows[(part == number) & is_first], rows[(part == number) & ~is_first]
        found.append(np.sort(np.array(np.meshgrid(first, second)).reshape(2, -1).T, axis=1))
    width = int(rows.max()) + 1
    every = np.concatenate(found) @ (width, 1)
    missing = np.setdiff1d(every, np.sort(pairs, axis=1) @ (width, 1))
    return np.stack((missing // width, missing % width), axis=1)


def _named(projection: Projection, found: list[tuple[tuple[int, ...], int]]) -> Iterable[str]:
    for ends, n_links in found[:MOST_NAMED]:
        names = " – ".join(visible_line(projection.title_at(row)) for row in ends)
        yield f"{names}: {format_counted(n_links, 'link') if n_links else 'no link'}"
    if len(found) > MOST_NAMED:
        yield f"and {format_count(len(found) - MOST_NAMED)} more"
