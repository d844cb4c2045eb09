"""What is written about tiers: titles of switches in no group, and notes on what links between two have in common.

Notes are also on the links between the groups of a dragonfly or Slim Fly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from designer.analysis.tiers import server_word
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.captions import model_in_common
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.gates import groups_of, names_of_groups
from designer.drawing.geometry import Rect
from designer.drawing.link_rates import LinkRates
from designer.drawing.projection import Projection
from designer.drawing.theme import CORE, KINDS, LEAF, SERVER, SPINE, SWITCH
from designer.late import Late
from designer.model.networks import COMPUTE, TITLES, network_of_switch
from designer.model.shown_text import visible_line
from designer.units import format_count, format_counted

components = Late("designer.graph.components")
pair_notes = Late("designer.drawing.pair_notes")

MOST_BOXES = 20_000
"""With more to draw, tiers are collapsed from afar, and their boxes say the same."""
LEAST_SWITCHES = 2
MOST_NOTED, MOST_ASKED = 1_000_000, 20_000
"""Links between two tiers: the rates of more are not compared, nor of so many where their devices do not tell them."""
LEAST_BUNDLES, MOST_BUNDLES = 3, 20_000
ORDER = (KINDS[SERVER], "", KINDS[LEAF], KINDS[SPINE], KINDS[CORE])
"""Tiers from below to above; a box that stands for a unit, "", is below the switches that it is linked to."""
SHORT_WORDS = {"scalable unit": "SU"}
"""What boxes that stand for many are called in a note, where not by their kind."""


@dataclass(frozen=True, slots=True)
class TierTitle:
    """What a tier is, "16 spines", what else is known of it, and where its boxes stand."""

    text: str
    note: str
    rect: Rect


class _LinksDown:
    """The links of a tier to one kind of device of the same network: "1,024 × 400G to 32 leaf switches"."""

    def __init__(self, word: str, links: Ints, far: Ints, devices: Ints, rates: LinkRates) -> None:
        """`far` are the boxes at the other ends of the links, `devices` what they are of in the whole projection."""
        self._word, self._links, self._far, self._devices, self._rates = word, links, far, devices, rates
        self._known: tuple[bytes, str] | None = None

    def text(self, boxes: Floats, foot: float) -> str:
        """The note on those that lead below the tier; "" where none do. The last answer is kept while boxes move."""
        below = boxes[self._far, 1] >= foot
        key = below.tobytes()
        if self._known is None or self._known[0] != key:
            self._known = key, self._said(below)
        return self._known[1]

    def _said(self, below: Flags) -> str:
        links = self._links[below]
        if not len(links):
            return ""
        rate = self._rates.text(links, len(links))
        count = f"{format_count(len(links))} × {rate}" if rate else format_counted(len(links), "link")
        return f"{count} to {format_counted(len(np.unique(self._devices[below])), self._word)}"


@dataclass(frozen=True, slots=True)
class Tier:
    """Switches of one kind and network in no group or rack, what they are, and their links to what may be below."""

    rows: Ints
    text: str
    model: str
    links: tuple[_LinksDown, ...]


def tiers_of(projection: Projection, rates: LinkRates) -> tuple[Tier, ...]:
    """The tiers that may have titles; none of switches in groups or racks, whose frames have titles."""
    if projection.n_own > MOST_BOXES:
        return ()
    framed = np.zeros(len(projection.kinds), np.bool_)
    for inside in (*(one.rows for one in projection.racks), *(one.rows for one in projection.groups)):
        framed[list(inside)] = True
    found = []
    for kind in (CORE, SPINE, LEAF):
        for rows in _by_network(projection, np.flatnonzero((projection.kinds == kind) & ~framed)):
            text = format_counted(len(rows), KINDS[kind]) + _planes(projection, rows)
            model = model_in_common(projection.design, map(projection.device_ids.__getitem__, rows.tolist()))
            found.append(Tier(rows, text, model, tuple(_links_of(projection, rows, rates))))
    return tuple(found)


def tier_titles(tiers: Sequence[Tier], boxes: Floats, bent: Floats) -> tuple[TierTitle, ...]:
    """The titles of tiers that stand in rows of their own.

    `boxes` are left, top, width and height, `bent` points of links that may run above the topmost boxes.
    """
    found = []
    for tier in tiers:
        rect = _block(boxes, tier.rows)
        if rect is not None:
            foot = float((boxes[tier.rows, 1] + boxes[tier.rows, 3]).max())
            parts = (tier.model, *(one.text(boxes, foot) for one in tier.links))
            if len(bent) and rect[1] <= boxes[:, 1].min():  # over the lines of links that run above the topmost
                rect = rect[0], min(rect[1], float(bent[:, 1].min())), *rect[2:]
            found.append(TierTitle(tier.text, " · ".join(filter(None, parts)), rect))
    return tuple(found)


def _by_network(projection: Projection, rows: Ints) -> Iterator[Ints]:
    """The switches of each network apart, where there are several."""
    by_network: dict[str, list[int]] = {}
    for row in rows.tolist():
        by_network.setdefault(_network(projection, row), []).append(row)
    for alike in by_network.values():
        if len(alike) >= LEAST_SWITCHES:
            yield np.array(alike, np.int64)


def _network(projection: Projection, row: int) -> str:
    return network_of_switch(projection.design.devices[projection.device_ids[row]])


def _planes(projection: Projection, rows: Ints) -> str:
    """ " in 2 planes" of switches that are in several."""
    planes = {projection.design.devices[projection.device_ids[row]].plane for row in rows.tolist()}
    return f" in {len(planes)} planes" if len(planes) > 1 and None not in planes else ""


def _block(boxes: Floats, rows: Ints) -> Rect | None:
    """Around boxes that stand in rows, with no other box between them; None where they do not.

    Unless one row has most of them, rows that follow each other are one above the other.
    """
    own = boxes[rows]
    _, row_of, in_row = np.unique(np.round(own[:, 1]), return_inverse=True, return_counts=True)
    if len(in_row) > -(-len(rows) // int(in_row.max())):
        return None
    if 2 * int(in_row.max()) > len(rows):
        return _around(boxes, rows)
    first, last = np.full(len(in_row), np.inf), np.full(len(in_row), -np.inf)
    np.minimum.at(first, row_of.reshape(-1), own[:, 0])
    np.maximum.at(last, row_of.reshape(-1), own[:, 0] + own[:, 2])
    if (np.maximum(first[1:], first[:-1]) > np.minimum(last[1:], last[:-1])).any():
        return None
    return _around(boxes, rows)


def _around(boxes: Floats, rows: Ints) -> Rect | None:
    """What is around these boxes; None where others stand in it."""
    own = boxes[rows]
    left, top = own[:, :2].min(axis=0).tolist()
    right, bottom = (own[:, :2] + own[:, 2:]).max(axis=0).tolist()
    x, y, width, height = boxes.T
    inside = (x < right) & (x + width > left) & (y < bottom) & (y + height > top)
    return None if np.count_nonzero(inside) > len(rows) else (left, top, right, bottom)


def _links_of(projection: Projection, rows: Ints, rates: LinkRates) -> Iterator[_LinksDown]:
    """The links to each kind of device of the same network, whether it has a box of its own or not."""
    own: Flags = np.zeros(len(projection.kinds), np.bool_)
    own[rows] = True
    is_own = own[projection.ends]
    links = np.flatnonzero(is_own[:, 0] ^ is_own[:, 1])
    far = np.where(is_own[links, 0], projection.ends[links, 1], projection.ends[links, 0])
    network, whole = _network(projection, int(rows[0])), projection.whole()
    ends = whole.ends[projection.whole_links(links)]
    devices = np.where(is_own[links, 0], ends[:, 1], ends[:, 0])
    for kind in (SPINE, LEAF, SERVER):
        chosen = whole.kinds[devices] == kind
        if kind != SERVER:
            others = np.unique(devices[chosen]).tolist()
            chosen &= np.isin(devices, [row for row in others if _network(whole, row) == network])
        word = KINDS[kind] if kind != SERVER else server_word(projection.design)
        yield _LinksDown(word, links[chosen], far[chosen], devices[chosen], rates)


@dataclass(frozen=True, slots=True)
class TierNote:
    """What is written about the links between two tiers, the longest text first, and the gap that they lead through."""

    texts: tuple[str, ...]
    left: float
    top: float
    right: float
    bottom: float
    is_around: bool = False
    """Whether the links run across a middle, where the note may cover none."""

    def holds(self, lines: Floats) -> Flags:
        """Which of these lines, (n, 4), run through the gap, as one to a device in another place does not."""
        first, last = lines[:, (1, 3)].min(axis=1), lines[:, (1, 3)].max(axis=1)
        found: Flags = (first < self.bottom) & (last > self.top)
        return found


@dataclass(frozen=True)
class TierNotes:
    """The notes of a drawing."""

    notes: tuple[TierNote | None, ...]
    """None where two tiers do not stand above each other."""
    of_link: Ints
    """(n_links,) the note of each link by row; -1 of those without."""


class TierWords(NamedTuple):
    """The notes on bundles between two tiers, by number, the longest text first."""

    bundles: tuple[Ints, ...]
    texts: tuple[tuple[str, ...], ...]
    of_link: Ints
    """(n_links,) the place here of each link by row; -1 of those without."""
    n_tiers: int
    """So many are on tiers; those after them on groups around a middle."""


def tier_words(projection: Projection, bundles: Bundles, rates: LinkRates) -> TierWords:
    """The notes on the links between each two tiers, wherever they stand.

    Only where nearly all boxes of two tiers that are linked have as many links, all of one rate.
    """
    of_link = np.full(len(bundles.of_link), -1, np.int64)
    if not 0 < len(bundles.pairs) <= MOST_BUNDLES:
        return TierWords((), (), of_link, 0)
    numbers, said = list[Ints](), list[tuple[str, ...]]()
    known, number_of = _sorts(projection)
    sorts = number_of[bundles.pairs]
    keys = sorts.min(axis=1) * len(known) + sorts.max(axis=1)
    between_groups = _are_between_groups(groups_of(projection)[bundles.pairs])  # there is one note of all these
    for key in np.unique(keys[(sorts[:, 0] != sorts[:, 1]) & ~between_groups]).tolist():
        pair = [known[number] for number in divmod(key, len(known))]
        chosen: Flags = keys == key
        if _Sort(KINDS[SWITCH]) not in pair and np.count_nonzero(chosen) >= LEAST_BUNDLES:
            low, high = sorted(pair, key=_height)
            texts = _said(projection, bundles, chosen, low, high, rates)
            if texts:
                of_link[chosen[bundles.of_link]] = len(said)
                numbers.append(np.flatnonzero(chosen))
                said.append(texts)
    n_tiers, between = len(said), _between_groups(projection, bundles, rates)
    if between is not None:
        chosen, texts = between
        of_link[chosen[bundles.of_link]] = n_tiers
        numbers.append(np.flatnonzero(chosen))
        said.append(texts)
    return TierWords(tuple(numbers), tuple(said), of_link, n_tiers)


def _are_between_groups(groups: Ints) -> Flags:
    """Which bundles lead from one group of routers to another; `groups` of both ends, -1 of none."""
    found: Flags = (groups[:, 0] != groups[:, 1]) & (groups >= 0).all(axis=1)
    return found


def _between_groups(projection: Projection, bundles: Bundles, rates: LinkRates) -> tuple[Flags, tuple[str, ...]] | None:
    """The bundles between groups of routers, and the note on the links of each two; None where they are not alike."""
    of = groups_of(projection)
    ends = np.sort(of[bundles.pairs], axis=1)
    chosen = _are_between_groups(ends)
    rate = rates.text(np.flatnonzero(chosen[bundles.of_link]), MOST_NOTED, MOST_ASKED)
    if not rate:
        return None
    n_groups = int(of.max()) + 1
    pairs, at = np.unique(ends[chosen] @ (n_groups, 1), return_inverse=True)
    if len(pairs) < LEAST_BUNDLES:
        return None
    counts = np.bincount(at.reshape(-1), weights=bundles.counts[chosen]).astype(np.int64)
    texts = pair_notes.of_groups(names_of_groups(projection), np.stack(np.divmod(pairs, n_groups), 1), counts, rate)
    return (chosen, texts) if texts else None


class _Sort(NamedTuple):
    """What is distinguished: a kind of device or of box that stands for many, and of a switch also its network."""

    word: str
    network: str = COMPUTE


def _sorts(projection: Projection) -> tuple[list[_Sort], Ints]:
    """The sorts: devices of compute by kind, boxes that stand for many, switches of other networks; and that by row."""
    found, numbers = [_Sort(word) for word in KINDS], projection.kinds.astype(np.int64)
    if isinstance(projection, FoldedProjection):
        kinds = [one.kind for one in projection.folds]
        of_boxes = sorted(set(kinds))
        numbers[projection.n_own :] = [len(KINDS) + of_boxes.index(kind) for kind in kinds]
        found += map(_Sort, of_boxes)
    for row in np.flatnonzero(projection.kinds[: projection.n_own] != SERVER).tolist():
        sort = _Sort(KINDS[projection.kinds[row]], _network(projection, row))
        if sort.network != COMPUTE:
            if sort not in found:
                found.append(sort)
            numbers[row] = found.index(sort)
    return found, numbers


def _height(sort: _Sort) -> int:
    """A switch of another network that says no tier stands as leaf switches do."""
    word = KINDS[LEAF] if sort.word == KINDS[SWITCH] else sort.word
    return ORDER.index(word if word in ORDER else "")


def _ends_said(low: _Sort, high: _Sort, servers: str) -> str:
    """What a note is about: "Leaf to spine", "Storage" of its links to servers, "Storage leaf to spine".

    `servers` is what these are called, "host" or "server".
    """
    network = next((one.network for one in (low, high) if one.network != COMPUTE), COMPUTE)
    if network != COMPUTE and COMPUTE in (low.network, high.network):
        return TITLES[network]
    words = {**SHORT_WORDS, KINDS[SERVER]: servers}
    first, second = (words.get(one.word, one.word) for one in (low, high))
    return (
        f"{first[:1].upper()}{first[1:]} to {second}"
        if network == COMPUTE
        else f"{TITLES[network]} {first} to {second}"
    )


def tier_notes(words: TierWords, ends: Floats) -> TierNotes:
    """The notes of tiers that stand above each other; `ends` of the bundles, (n, 4)."""
    notes: list[TierNote | None] = []
    for place, (numbers, texts) in enumerate(zip(words.bundles, words.texts, strict=True)):
        x1, y1, x2, y2 = ends.take(numbers, axis=0).T
        top, bottom = np.median(np.minimum(y1, y2)), np.median(np.maximum(y1, y2))
        left, right = min(x1.min(), x2.min()), max(x1.max(), x2.max())
        is_around = place >= words.n_tiers
        if is_around:
            top, bottom = min(y1.min(), y2.min()), max(y1.max(), y2.max())
        note = TierNote(texts, float(left), float(top), float(right), float(bottom), is_around)
        notes.append(note if bottom > top else None)
    return TierNotes(tuple(notes), words.of_link)


def _said(
    projection: Projection, bundles: Bundles, chosen: Flags, low: _Sort, high: _Sort, rates: LinkRates
) -> tuple[str, ...]:
    """The notes on these bundles; none where their rates differ, or more than a few of their counts.

    Where few of the pairs that could be linked are not, they are counted; where many are not, it says so.
    """
    pairs, counts, (links,) = bundles.pairs[chosen], bundles.counts[chosen], np.nonzero(chosen[bundles.of_link])
    rate = rates.text(links, MOST_NOTED, MOST_ASKED)
    if not rate:
        return ()
    unlinked = np.setdiff1d(np.arange(projection.n_own), bundles.pairs)
    found, sorts = _sorts(projection)
    is_low = np.array([one == low for one in found])[sorts[np.unique(pairs)]]
    without = _without_links(pairs, sorts, unlinked)
    each, odd = pair_notes.alike_where_linked(counts, rate, without), _odd_one(counts, pairs)
    if _is_one_box(pairs, sorts) and is_low.sum() > 1 and not (without or low.word == KINDS[SERVER]):
        each = pair_notes.alike(counts, rate, SHORT_WORDS.get(low.word, low.word))
    servers, word = pairs[projection.kinds[pairs] == SERVER], server_word(projection.design)
    if len(servers):
        rows = np.unique(servers)
        sums = np.bincount(servers, weights=counts)[rows]
        of_servers = pair_notes.alike(sums, rate, word)
        each, odd = (of_servers, _odd_one(sums, rows[:, None])) if of_servers else (each, odd)
    if not each:
        return ()
    alone = () if {low.network, high.network} != {COMPUTE} else (each,)
    said = f"{_ends_said(low, high, word)}: {each}"
    return (*_with_name(said, odd, projection, word), said, *alone)


class _Odd(NamedTuple):
    """The boxes, by row, that alone have another number of links, and how many these are."""

    rows: tuple[int, ...]
    n_links: int


def _odd_one(counts: Ints | Floats, rows: Ints) -> _Odd | None:
    """The one that is not like the others; None where there is none, or several. `rows` are those of each count."""
    values, times = np.unique(counts, return_counts=True)
    others = np.flatnonzero(counts != values[times.argmax()])
    return _Odd(tuple(rows[others[0]].tolist()), int(counts[others[0]])) if len(others) == 1 else None


def _with_name(said: str, odd: _Odd | None, projection: Projection, servers: str) -> Iterator[str]:
    """As "Leaf to spine: 4 × 400G per pair (leaf-03 – spine-02: 1)", where one alone differs."""
    counted = next((one for word in ("pair", "linked pair", servers) if (one := f"1 {word} differs") in said), "")
    if odd is not None and counted:
        names = " – ".join(visible_line(projection.title_at(row)) for row in odd.rows)
        yield said.replace(counted, f"{names}: {format_count(odd.n_links)}")


def _is_one_box(pairs: Ints, sorts: Ints) -> bool:
    """Whether one side is a single box that stands for its tier: links are then per box of the other side."""
    rows = np.unique(pairs)
    counts = np.unique(sorts[rows], return_counts=True)[1]
    return bool(len(counts) == 2 and counts.min() == 1)


def _without_links(pairs: Ints, sorts: Ints, alone: Ints) -> int:
    """How many pairs of two tiers have no link, of boxes that links join somehow, as those of a pod or a plane are.

    Where links join them all, boxes of either tier that are `alone` count as well; of several pods, it is not known
    which one they are of.
    """
    rows, ends = np.unique(pairs, return_inverse=True)
    ends = ends.reshape(pairs.shape)
    part = components.component_of(ends[:, 0], ends[:, 1], len(rows))
    is_first = sorts[rows] == sorts[rows[0]]
    size = part.max() + 1
    sides = [np.bincount(part[one], minlength=size) for one in (is_first, ~is_first)]
    if size == 1:
        first, second = sorts[rows[0]], sorts[rows[~is_first][0]]
        sides = [
            side + np.count_nonzero(sorts[alone] == sort) for side, sort in zip(sides, (first, second), strict=True)
        ]
    return int(sides[0] @ sides[1]) - len(pairs)
