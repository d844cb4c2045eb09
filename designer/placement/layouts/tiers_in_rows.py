"""Tiers in rows: servers below their own leaf switches, every tier of switches above in one row, other networks below.

Servers and the leaf switches they share are a cell; cells stand side by side in the order of groups and ids. A switch
further up stands over the middle of what it is linked to, as near as its neighbors leave room. A switch of another
network stands below its own group, where that has servers or leaf switches, so that frames of groups stand apart.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from designer.placement.layouts.sketch import Floats, Ints, Sketch, both_ways, levels_of, parts_of
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, ROW_PITCH, SERVER_WIDTH, SWITCH_WIDTH
from designer.placement.tiers import BLOCK_GAP, CELL_GAP, LARGE_SHEET, MOST_SPREAD, SCREEN, TIER_GAP

SERVER_PITCH = SERVER_WIDTH + GAP
LEAST_GAP, GAP_SHARE, MOST_GAP_SHARE = 160.0, 0.2, 0.25
"""Between two tiers: a share of how far sideways their links run, at least and at most so much of the width."""
LINE_ROOM, MOST_GROUND_GAP = 1.5, 260.0
"""Between servers and leaf switches, for each line of the densest cell of several switches; and at most."""
GROUP_GAP = 2 * GAP
"""More than between two boxes, between those of two groups in a row, so that their frames stand apart."""
HOME_GAP = 2 * BLOCK_GAP
"""Between groups with switches of other networks, whose links run up along their sides."""
MOST_ROWS = 64
ROOM_SHARE = 0.8
UNREACHED = 99


def rows(
    sketch: Sketch, folded: bool | None = None, levels: Ints | None = None, server_rows: int | None = None
) -> Floats:
    """Centres by row; `folded` lets servers take several rows: None only beyond a large sheet.

    `levels` are those of the sketch, where they are known; with `server_rows` servers take so many rows.
    """
    levels = levels_of(sketch) if levels is None else levels
    centres = np.zeros((len(sketch.ids), 2))
    base, cell_of = _cells(sketch, levels)
    homes = _homes(sketch, levels, base)
    levels = np.where((levels == UNREACHED) & (homes.of >= 0), -1, levels)
    deepest, width = _place_cells(sketch, levels, centres, (base, cell_of), (folded, server_rows), homes)
    foot = (deepest - 1) * ROW_PITCH if sketch.servers.any() else 0.0
    y = -(_ground_gap(sketch, levels, base, cell_of) + BOX_HEIGHT) if sketch.servers.any() else 0.0
    centres[levels == 1, 1] = y
    for level in range(2, int(levels[levels < UNREACHED].max(initial=0)) + 1):
        y = _place_tier(sketch, levels, centres, np.flatnonzero(levels == level), y, width)
    y = foot
    for level in range(-1, int(levels.min(initial=0)) - 1, -1):
        own = np.flatnonzero(levels == level)
        y = _place_tier(
            sketch, levels, centres, own[homes.of[own] >= 0], y, width, _spans(sketch, centres, base, homes)
        )
        y = _place_tier(sketch, levels, centres, own[homes.of[own] < 0], y, width)
    left = np.flatnonzero(levels == UNREACHED)
    columns = max(1, int(width // COLUMN_PITCH), math.ceil(math.sqrt(len(left))))
    place = np.arange(len(left))
    centres[left, 0] = centres[levels != UNREACHED, 0].min(initial=0.0) + place % columns * COLUMN_PITCH
    centres[left, 1] = y + 2 * ROW_PITCH + place // columns * ROW_PITCH
    return centres


def _ground_gap(sketch: Sketch, levels: Ints, base: Ints, cell_of: Ints) -> float:
    """Between servers and leaf switches: more where many lines of a cell cross, as they lead to several switches."""
    cell = np.full(len(levels), -1, np.int64)
    cell[base] = cell_of
    a, b = sketch.pairs.T
    crossing = sketch.pairs[(levels[a] + levels[b] == 1) & (levels[a] * levels[b] == 0) & (cell[a] == cell[b])]
    if not len(crossing):
        return TIER_GAP
    n_leafs = np.bincount(cell[(levels == 1) & (cell >= 0)], minlength=len(levels))
    lines = np.bincount(cell[crossing[:, 0]], minlength=len(levels)) * (n_leafs > 1)
    return min(MOST_GROUND_GAP, TIER_GAP + LINE_ROOM * float(lines.max()))


def _cells(sketch: Sketch, levels: Ints) -> tuple[Ints, Ints]:
    """Rows of servers and leaf switches, and the number of the cell of each, from left to right."""
    base = np.flatnonzero((levels == 0) | (levels == 1))
    ground = np.zeros(len(levels), np.bool_)
    ground[base] = True
    a, b = np.ascontiguousarray(sketch.pairs.T)
    joined = sketch.pairs[ground[a] & ground[b] & (levels[a] + levels[b] == 1)]
    parts = parts_of(len(levels), joined)[base]
    _, first, cell = np.unique(parts, return_index=True, return_inverse=True)
    order = np.lexsort((first, sketch.groups[base[first]]))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return base, place[cell.reshape(-1)]


def _place_cells(
    sketch: Sketch,
    levels: Ints,
    centres: Floats,
    cells: tuple[Ints, Ints],
    asked: tuple[bool | None, int | None],
    homes: "_Homes",
) -> tuple[int, float]:
    """Put servers and leaf switches in their places; returns rows of servers and the width of all."""
    (base, cell_of), (folded, server_rows) = cells, asked
    if not len(base):
        return 1, COLUMN_PITCH
    is_leaf = levels[base] == 1
    n_cells = int(cell_of.max()) + 1
    n_leafs, n_servers = (np.bincount(cell_of[chosen], minlength=n_cells) for chosen in (is_leaf, ~is_leaf))
    first = np.unique(cell_of, return_index=True)[1]
    group = sketch.groups[base[first]]
    gaps = np.where(np.diff(group, prepend=group[:1]) != 0, BLOCK_GAP, CELL_GAP)
    gaps[0] = 0.0
    steps = np.zeros(n_cells)
    np.maximum.at(steps, cell_of[~is_leaf], _group_steps(sketch.groups[base[~is_leaf]], cell_of[~is_leaf]))
    tall = int(levels[levels < UNREACHED].max(initial=0))

    def widths(n_rows: int) -> Floats:
        columns = np.ceil(n_servers / n_rows)
        across = np.maximum(n_leafs * COLUMN_PITCH, columns * SERVER_PITCH + (steps if n_rows == 1 else 0.0))
        found: Floats = np.maximum(across - GAP, SERVER_WIDTH)
        return found

    def worth(n_rows: int) -> float:
        width = float((widths(n_rows) + gaps).sum())
        height = n_rows * ROW_PITCH + tall * (BOX_HEIGHT + max(LEAST_GAP, 0.12 * width))
        return math.log(min(SCREEN[0] / width, SCREEN[1] / height)) - 0.1 * math.log2(n_rows)

    fits = float((widths(1) + gaps).sum()) <= LARGE_SHEET
    n_rows = server_rows or 1
    if server_rows is None and (folded or (folded is None and not fits)):
        n_rows = max(range(2 if folded else 1, MOST_ROWS + 1), key=worth)
    wide = widths(n_rows)
    _make_room(sketch, cells, homes, wide, gaps)
    left = np.cumsum(wide + gaps) - wide
    middle = left + wide / 2 - (left[-1] + wide[-1]) / 2
    columns = np.maximum(1, np.ceil(n_servers / n_rows)).astype(np.int64)
    for chosen, per_row, pitch in ((is_leaf, n_leafs, COLUMN_PITCH), (~is_leaf, columns, SERVER_PITCH)):
        at, held = base[chosen], cell_of[chosen]
        order = np.lexsort((sketch.groups[at], held))
        counts = np.bincount(held, minlength=n_cells)
        place = np.empty(len(at), np.int64)
        place[order] = np.arange(len(at)) - np.repeat(np.cumsum(counts) - counts, counts)
        most = np.minimum(per_row, np.maximum(counts, 1))
        step = np.where(most == counts, 1.0, 0.0)[held] * _group_steps(sketch.groups[at], held)
        total = np.zeros(n_cells)
        np.maximum.at(total, held, step)
        spread = np.clip((wide - total + GAP) / np.maximum(most, 1), pitch, MOST_SPREAD * pitch)[held]
        across = (place % most[held] - (most[held] - 1) / 2) * spread
        centres[at, 0] = middle[held] + across + step - total[held] / 2
        centres[at, 1] = place // most[held] * ROW_PITCH
    deepest = max(1, int(np.ceil(n_servers / columns).max(initial=1)))
    return deepest, float((wide + gaps).sum())


def _group_steps(groups: Ints, cells: Ints) -> Floats:
    """How much farther to the right each box of a cell stands than without gaps between the groups in its row."""
    width = int(groups.max(initial=-1)) + 2
    pairs, of = np.unique(cells * width + groups + 1, return_inverse=True)  # as numbers: of rows it takes long
    begins = np.searchsorted(pairs // width, pairs // width)
    steps = GROUP_GAP * (np.arange(len(pairs)) - begins).astype(np.float64)
    found: Floats = steps[of.reshape(-1)]
    return found


class _Homes(NamedTuple):
    """The groups with servers or leaf switches that other boxes are in, and how wide a row of these is."""

    of: Ints  # (n,) number of the group; -1 of boxes without one, and of servers and leaf switches
    widths: Floats  # (n_groups,)


class _Spans(NamedTuple):
    """Where rows of groups begin and end, by the group that is the home of each box."""

    of: Ints  # (n,)
    low: Floats  # (n_groups,)
    high: Floats  # (n_groups,)


def _homes(sketch: Sketch, levels: Ints, base: Ints) -> _Homes:
    of, widths = np.full(len(levels), -1, np.int64), np.zeros(len(sketch.parents))
    if not len(widths):
        return _Homes(of, widths)
    is_held = np.zeros(len(widths) + 1, np.bool_)  # the last is that of no group
    for groups in _outwards(sketch, np.unique(sketch.groups[base])):
        is_held[groups] = True
    home = np.arange(-1, len(widths))[1:]
    for number, parent in enumerate(sketch.parents.tolist()):  # those around come before those within
        if not is_held[number]:
            home[number] = home[parent] if parent >= 0 else -1
    own = np.flatnonzero(((levels < 0) | (levels == UNREACHED)) & (sketch.groups >= 0))
    of[own] = home[sketch.groups[own]]
    own = own[of[own] >= 0]
    tiers = np.where(levels[own] == UNREACHED, -1, levels[own])
    for level in np.unique(tiers).tolist():
        widths = np.maximum(widths, np.bincount(of[own[tiers == level]], minlength=len(widths)) * COLUMN_PITCH)
    return _Homes(of, widths)


def _outwards(sketch: Sketch, groups: Ints) -> Iterator[Ints]:
    """The groups of some boxes, then those around these, and so on; -1 where there is none."""
    while (groups >= 0).any():
        yield groups
        groups = np.where(groups >= 0, sketch.parents[groups], -1)


def _make_room(sketch: Sketch, cells: tuple[Ints, Ints], homes: _Homes, wide: Floats, gaps: Floats) -> None:
    """Widen the gaps around the cells of groups whose rows of other switches are wider than these."""
    base, cell_of = cells
    first, last = np.full(len(homes.widths), len(wide)), np.full(len(homes.widths), -1)
    for groups in _outwards(sketch, sketch.groups[base]):
        inside = groups >= 0
        np.minimum.at(first, groups[inside], cell_of[inside])
        np.maximum.at(last, groups[inside], cell_of[inside])
    for home in np.flatnonzero(homes.widths).tolist():
        begin, end = int(first[home]), int(last[home]) + 1
        lacks = homes.widths[home] - float((wide[begin:end] + gaps[begin:end]).sum() - gaps[begin])
        around = [one for one in (begin, end) if 0 < one < len(gaps)]
        gaps[around] = np.maximum(gaps[around], HOME_GAP) + max(0.0, lacks) / 2


def _spans(sketch: Sketch, centres: Floats, base: Ints, homes: _Homes) -> _Spans:
    """From where to where the servers and leaf switches of each group reach."""
    low, high = np.full(len(homes.widths), np.inf), np.full(len(homes.widths), -np.inf)
    half = np.where(sketch.servers[base], SERVER_WIDTH, SWITCH_WIDTH) / 2
    for groups in _outwards(sketch, sketch.groups[base]):
        inside = groups >= 0
        np.minimum.at(low, groups[inside], (centres[base, 0] - half)[inside])
        np.maximum.at(high, groups[inside], (centres[base, 0] + half)[inside])
    return _Spans(homes.of, low, high)


def _place_tier(
    sketch: Sketch, levels: Ints, centres: Floats, own: Ints, y: float, width: float, spans: _Spans | None = None
) -> float:
    """Put boxes of one level over what they are linked to, or below it; returns their height.

    With `spans` each stands below its home.
    """
    if not len(own):
        return y
    level = int(levels[own[0]])
    below = level - 1 if level > 0 else level + 1
    is_own = np.zeros(len(levels), np.bool_)
    is_own[own] = True
    one, other = both_ways(sketch)
    chosen = is_own[one] & (levels == below)[other]
    one, other = one[chosen], other[chosen]
    if spans is not None:
        _place_at_home(sketch, centres, own, spans)
    else:
        degree = np.maximum(1, np.bincount(one, minlength=len(levels)))[own]
        wanted = np.bincount(one, centres[other, 0], len(levels))[own] / degree
        if level < 0:
            wanted = _side_by_side(sketch.networks[own], width) - width / 2
        order = np.lexsort((own, wanted.round()))
        centres[own[order], 0] = apart(wanted[order], _pitch(wanted[order], width))
    reach = float(np.abs(centres[one, 0] - centres[other, 0]).max(initial=0.0))
    gap = max(LEAST_GAP, min(MOST_GAP_SHARE * max(width, reach), GAP_SHARE * reach))
    y += (1.0 if level < 0 else -1.0) * (gap + BOX_HEIGHT)
    centres[own, 1] = y
    return y


def _place_at_home(sketch: Sketch, centres: Floats, own: Ints, spans: _Spans) -> None:
    """Put each of these below its own group, network by network, evenly where they have no other room."""
    homes = spans.of[own]
    for home in np.unique(homes).tolist():
        some = own[homes == home]
        low, high = float(spans.low[home]), float(spans.high[home])
        wanted = low + _side_by_side(sketch.networks[some], high - low)
        order = np.lexsort((some, wanted.round()))
        at = apart(wanted[order], _pitch(wanted[order], high - low))
        if at[0] - SWITCH_WIDTH / 2 < low or at[-1] + SWITCH_WIDTH / 2 > high:
            at = low + (np.arange(len(some)) + 0.5) * (high - low) / len(some)
        centres[some[order], 0] = at
    order = np.argsort(centres[own, 0], kind="stable")
    centres[own[order], 0] = apart(centres[own[order], 0], COLUMN_PITCH)  # of groups among each other


def _side_by_side(networks: Ints, width: float) -> Floats:
    """Where in that width the boxes of each network stand, the networks side by side."""
    numbers = np.unique(networks, return_inverse=True)[1].reshape(-1)
    found: Floats = (numbers + 0.5) / (int(numbers.max()) + 1) * width
    return found


def _pitch(wanted: Floats, width: float) -> float:
    """How far apart boxes of a tier stand: those that want about the same place share the room round it."""
    place = np.cumsum(np.diff(wanted, prepend=wanted[:1]) > 2 * COLUMN_PITCH)
    counts = np.bincount(place)
    room = width / len(counts)
    return float(np.clip(ROOM_SHARE * room / counts.max(), COLUMN_PITCH, MOST_SPREAD * COLUMN_PITCH))


def apart(wanted: Floats, pitch: float) -> Floats:
    """The places nearest to those wanted, in their order, that are at least `pitch` apart."""
    means: list[float] = []
    counts: list[int] = []
    for number, at in enumerate(wanted.tolist()):
        mean, count = at - number * pitch, 1
        while means and means[-1] > mean:  # the pool of those that push each other
            other, others = means.pop(), counts.pop()
            mean, count = (mean * count + other * others) / (count + others), count + others
        means.append(mean)
        counts.append(count)
    found: Floats = np.repeat(np.array(means), counts) + np.arange(len(wanted)) * pitch
    return found
