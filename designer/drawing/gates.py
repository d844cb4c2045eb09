"""Links between groups of routers: from the routers to the gates of their group, and from gate to gate.

Where groups stand around a free middle, a line between two gates meets no third group, however many groups there are.
Near, each link has a gate of its own on the side of its group that faces the middle, so that it can be followed from
its router; from afar each group has one, and each pair of groups is one line.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from designer.drawing.apart import GATED, Apart
from designer.drawing.arches import BOTTOM, LEFT, RIGHT, TOP
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.obstacles import Obstacles
from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER
from designer.drawing.trunks import CROWD, Gathered
from designer.model.entities import ROUTER_GROUPS
from designer.placement.around import mouth_of
from designer.placement.metrics import SWITCH_WIDTH

LEAST_GROUPS, LEAST_SHARE = 3, 0.75
"""So many stand around a middle, and such a share of all."""
MOST_BUNDLES = 60_000
BESIDE = 24.0
"""From the outermost switch of a group sideways to its gate."""
MOST_WITHOUT = 0.1
"""Of the pairs of groups that are all joined such a share may have no link, as after a few edits by hand."""
TOUCHING = 1.0
"""A gate so near a box is on its edge."""
APART, MOST_APART = 4.0, 16.0
"""Between two links of the same groups, and between the first and the last of them, where those share a gate."""
STUB_AT = 0.25
"""Off the middle of a router, in terms of its width, stands its stub: in the middle are those of buses in its group."""
MOST_IN_PIECES = 60_000
"""Bundles times routers of a group: of more the line to its gate is not in pieces."""
GATE_PITCH, OFF_ROUTERS = 14.0, 6.0
"""Between two gates of a group at most, and from its routers to the nearest one."""


def gated(projection: Projection, bundles: Bundles, centres: Floats, sizes: Floats) -> Apart | None:
    """The bundles between groups, by their gates; None where groups do not stand around a middle.

    A bundle whose lines would meet a box is not among them.
    """
    of = groups_of(projection)
    ends = of[bundles.pairs]
    numbers = np.flatnonzero((ends[:, 0] != ends[:, 1]) & (ends >= 0).all(axis=1))
    if not 0 < len(numbers) <= MOST_BUNDLES:
        return None
    boxes, single = np.hstack((centres - sizes / 2, centres + sizes / 2)), _single(projection)
    blocks = _blocks(of, boxes, single)
    gates, is_round = blocks.gates, blocks.is_round
    kept = is_round[ends[numbers]].all(axis=1)
    numbers, ends = numbers[kept], ends[numbers[kept]]
    if not len(numbers):
        return None
    pairs, obstacles = bundles.pairs[numbers], Obstacles(centres, sizes)
    common = _side_by_side(gates[ends], _beside(ends))
    via = _spread(blocks, ends, centres[pairs], common)
    found, met = _through(via, numbers, pairs, boxes, single, obstacles)
    if met.any():  # these by the one gate of their group, which has nothing before it
        via[met] = common[met]
        found, met = _through(via, numbers, pairs, boxes, single, obstacles)
    return None if met.all() else found.taken(~met)


def _through(
    via: Floats, numbers: Ints, pairs: Ints, boxes: Floats, single: Flags, obstacles: Obstacles
) -> tuple[Apart, Flags]:
    """The bundles by these gates, and whose lines meet a box."""
    sides, slopes = sides_towards(via, boxes[pairs])
    found = Apart(numbers, sides, slopes, via, GATED, ~single[pairs])
    starts = np.clip(via, boxes[pairs][:, :, :2], boxes[pairs][:, :, 2:])
    starts[:, :, 0] = np.where(sides < LEFT, boxes[pairs][:, :, ::2].mean(axis=2), starts[:, :, 0])
    xy, at, _ = found.lines(starts.reshape(-1, 4))
    met = np.zeros(len(numbers), np.bool_)
    met[at[obstacles.crossed(xy, pairs[at])]] = True
    return found, met


def gathered_by_group(
    found: Apart, projection: Projection, bundles: Bundles, centres: Floats, sizes: Floats
) -> Gathered:
    """The same from afar: one line from each router to the gate of its group, and one for each two groups."""
    groups = gated_groups(found, projection, bundles)
    ends, n_groups = groups.place[bundles.pairs[found.numbers]], len(groups.gates)
    stubs = lines_to_gates(found.numbers, groups, bundles, centres, sizes)
    _, order, counts = alike(ends.min(axis=1) * n_groups + ends.max(axis=1))
    first = order[np.cumsum(counts) - counts]
    xy = np.vstack((stubs.xy, groups.gates[ends[first]].reshape(-1, 4)))
    inside = np.concatenate((stubs.bundles, found.numbers[order]))
    return Gathered(xy, np.concatenate((stubs.counts, counts)), inside, found.numbers, of_servers=False)


def are_crowded(found: Apart, projection: Projection, bundles: Bundles) -> bool:
    """Whether so many of these bundles lead to one group that nobody could tell their lines apart from near either."""
    of = groups_of(projection)[bundles.pairs[found.numbers]].reshape(-1)
    return int(np.bincount(of).max(initial=0)) > CROWD


class GatedGroups(NamedTuple):
    """The groups that have a gate."""

    numbers: Ints  # (n_groups,) of all groups, as `groups_of` has them
    gates: Floats  # (n_groups, 2)
    place: Ints  # (n_boxes,) which of them a box is in, or stands for; -1 of all others


def gated_groups(found: Apart, projection: Projection, bundles: Bundles) -> GatedGroups:
    """The gates of the groups that these bundles lead to: each in the middle of where its bundles pass it."""
    of, via = groups_of(projection), found.via.reshape(-1, 2)
    groups, at = np.unique(of[bundles.pairs[found.numbers].reshape(-1)], return_inverse=True)
    at, n_groups = at.reshape(-1), len(groups)
    members = np.bincount(at, minlength=n_groups)
    gates = np.stack([np.bincount(at, via[:, axis], n_groups) / members for axis in (0, 1)], axis=1)
    place = np.searchsorted(groups, of)
    place[~np.isin(of, groups)] = -1
    return GatedGroups(groups, gates, place)


def lines_to_gates(numbers: Ints, groups: GatedGroups, bundles: Bundles, centres: Floats, sizes: Floats) -> Gathered:
    """Lines from the switches that these bundles lead to, to the gate of their group; none where that is on their edge.

    Switches above or below their gate have a stub each to one line that leads there; of these, as of all whose stubs or
    line would meet a box, each has a line of its own.
    """
    rows, order, counts = alike(bundles.pairs[numbers].reshape(-1))
    to_gate = groups.gates[groups.place[rows]]
    low, high = centres[rows] - sizes[rows] / 2, centres[rows] + sizes[rows] / 2
    apart = ((to_gate < low - TOUCHING) | (to_gate > high + TOUCHING)).any(axis=1)
    order, counts, rows = order[np.repeat(apart, counts)], counts[apart], rows[apart]
    low, high, to_gate = low[apart], high[apart], to_gate[apart]
    starts = np.clip(to_gate, low, high)
    is_beside = starts[:, 1] == to_gate[:, 1]
    held = np.split(numbers[order // 2], np.cumsum(counts))[:-1]
    x = np.where(is_beside, starts[:, 0], centres[rows, 0])
    alone = np.hstack((np.stack((x, starts[:, 1]), axis=1), to_gate))
    feet = centres[rows, 0] + sizes[rows, 0] * STUB_AT
    stubs = np.stack((feet, starts[:, 1], feet, to_gate[:, 1]), axis=1)
    by_group = [(one, np.flatnonzero(~is_beside & (groups.place[rows] == one))) for one in range(len(groups.gates))]
    along = [_led_along(feet[own], [held[at] for at in own.tolist()], groups.gates[one]) for one, own in by_group]
    n_pieces = [len(pieces) for pieces, _ in along]
    tried = np.concatenate((stubs, *(pieces for pieces, _ in along)))
    of_tried = np.concatenate((groups.place[rows], np.repeat(np.arange(len(along)), n_pieces)))
    within = np.concatenate((np.stack((rows, rows), axis=1), np.full((sum(n_pieces), 2), -1)))
    met = Obstacles(centres, sizes).crossed(tried, within) & np.concatenate(
        (~is_beside, np.ones(sum(n_pieces), np.bool_))
    )
    is_led = ~np.isin(np.arange(len(along)), of_tried[met])
    has_stub = ~is_beside & is_led[groups.place[rows]]
    led = [one for one, is_clear in zip(along, is_led.tolist(), strict=True) if is_clear]
    xy = np.concatenate((np.where(has_stub[:, None], stubs, alone), *(pieces for pieces, _ in led)))
    inside = [*held, *(of_piece for _, pieces in led for of_piece in pieces)]
    counts = np.array([len(one) for one in inside], np.int64)
    of_lines = np.concatenate(inside) if inside else np.empty(0, np.int64)
    return Gathered(xy, counts, of_lines, numbers, of_servers=False)


def _led_along(feet: Floats, held: Sequence[Ints], gate: Floats) -> tuple[Floats, list[Ints]]:
    """The line along the feet of stubs, ascending, to a gate: from foot to foot, each with the bundles that pass it.

    With very many bundles it is one piece on either side, with all of that.
    """
    x, y = gate.tolist()
    pieces, inside = list[tuple[float, float, float, float]](), list[Ints]()
    for side in (feet <= x, feet > x):
        own = np.flatnonzero(side)
        own = own[np.argsort(-np.abs(feet[own] - x), kind="stable")]  # the farthest first
        step = 1 if len(own) * sum(len(held[one]) for one in own.tolist()) <= MOST_IN_PIECES else len(own)
        for place in range(0, len(own), step):
            end = float(feet[own[place + step]]) if place + step < len(own) else x
            pieces.append((float(feet[own[place]]), y, end, y))
            inside.append(np.concatenate([held[one] for one in own[: place + step].tolist()]))
    return np.array(pieces).reshape(-1, 4), inside


def alike(keys: Ints) -> tuple[Ints, Ints, Ints]:
    """The different keys, the places of all by their key, and how many have each."""
    found, counts = np.unique(keys, return_counts=True)
    return found, np.argsort(keys, kind="stable"), counts


def groups_of(projection: Projection) -> Ints:
    """The number of the group that a switch is in, or that a box stands for; -1 of all others."""
    of = np.full(len(projection.device_ids), -1, np.int64)
    count = 0
    for frame in projection.groups:
        if frame.kind in ROUTER_GROUPS:
            of[list(frame.rows)] = count
            count += 1
    of[projection.kinds == SERVER] = -1
    if isinstance(projection, FoldedProjection):
        for place, fold in enumerate(projection.folds):
            row = projection.n_own + place
            if not fold.key.role and fold.kind in ROUTER_GROUPS:
                of[row] = count
                count += 1
            elif fold.is_role and (projection.base.kinds[fold.rows] == SERVER).all():
                of[row] = -1
    return of


def names_of_groups(projection: Projection) -> list[str]:
    """The names of the groups in the order of their numbers."""
    design = projection.design
    found = [design.groups[frame.id].name for frame in projection.groups if frame.kind in ROUTER_GROUPS]
    if isinstance(projection, FoldedProjection):
        found += [fold.name for fold in projection.folds if not fold.key.role and fold.kind in ROUTER_GROUPS]
    return found


def are_all_joined(n_groups: int, n_pairs: int) -> bool:
    """Whether so many pairs of groups are linked as make a full mesh, but for a few."""
    return n_pairs >= (1.0 - MOST_WITHOUT) * n_groups * (n_groups - 1) / 2


def _single(projection: Projection) -> Flags:
    """The boxes that stand for one device."""
    flags: Flags = np.arange(len(projection.device_ids)) < projection.n_own
    return flags


class _Blocks(NamedTuple):
    """The switches of each group."""

    low: Floats  # (n, 2)
    high: Floats  # (n, 2)
    is_open: Flags  # (n,) else the group is one box
    gates: Floats  # (n, 2) of all its links from afar: before the nearest point of its switches to the middle
    is_round: Flags  # (n,) whether it stands around the middle


def _blocks(of: Ints, boxes: Floats, single: Flags) -> _Blocks:
    """The groups with their gates: that of a group that is one box is on the edge of it."""
    count = int(of.max()) + 1
    low, high, open_ = np.full((count, 2), np.inf), np.full((count, 2), -np.inf), np.zeros(count, np.bool_)
    held = np.flatnonzero(of >= 0)
    np.minimum.at(low, of[held], boxes[held, :2])
    np.maximum.at(high, of[held], boxes[held, 2:])
    open_[of[held]] = single[held]
    middle = (low.min(axis=0) + high.max(axis=0)) / 2
    mouth = np.array([mouth_of(width) for width in (high - low)[:, 0].tolist()])
    grown = np.stack((np.full(count, BESIDE), mouth), axis=1) * open_[:, None]
    gates = np.clip(middle, low - grown, high + grown)
    around = _on_hull(gates)
    is_round = np.full(count, count >= LEAST_GROUPS and bool(around.sum() >= LEAST_SHARE * count))
    return _Blocks(low, high, open_, gates, is_round)


def _spread(blocks: _Blocks, ends: Ints, centres: Floats, common: Floats) -> Floats:
    """The gates of each bundle, (m, 2, 2), between its routers at `centres`; `common` where its group has but one.

    A group above or below the middle has them before its routers, each link before its own; one beside it has them one
    above another at its end, in the order in which their lines turn, so that these do not cross there.
    """
    own, there = ends.reshape(-1), blocks.gates[ends[:, ::-1].reshape(-1)]
    via, x = common.reshape(-1, 2).copy(), centres.reshape(-1, 2)[:, 0]
    outward = np.sign(blocks.gates[:, 1] - np.clip(blocks.gates[:, 1], blocks.low[:, 1], blocks.high[:, 1]))
    away, of_pair = there - blocks.gates[own], np.repeat(centres[:, 0, 0], 2)  # alike at both ends of a link
    turned = np.arctan2(away[:, 0], away[:, 1] * outward[own])  # 0 straight away from the routers
    for group in np.unique(own[blocks.is_open[own] & (outward[own] != 0)]).tolist():
        mine, sign = np.flatnonzero(own == group), float(outward[group])
        (at_x, at_y), low, high = blocks.gates[group].tolist(), blocks.low[group], blocks.high[group]
        if low[0] < at_x < high[0]:
            mine = mine[np.lexsort((turned[mine], x[mine]))]
            via[mine] = np.stack((_before(x[mine]), np.full(len(mine), at_y)), axis=1)
        else:
            mine = mine[np.lexsort((-sign * of_pair[mine], turned[mine] if at_x > high[0] else -turned[mine]))]
            room = abs(at_y - float(high[1] if sign > 0 else low[1])) - OFF_ROUTERS
            steps = np.arange(len(mine)) * min(GATE_PITCH, room / max(1, len(mine) - 1))
            via[mine] = np.stack((np.full(len(mine), at_x), at_y - sign * steps), axis=1)
    return via.reshape(-1, 2, 2)


def _before(x: Floats) -> Floats:
    """Where links of routers at x, in ascending order, pass the line before these: those of one around its middle."""
    _, of, count = np.unique(x, return_inverse=True, return_counts=True)
    of = of.reshape(-1)
    place = np.arange(len(x)) - (np.cumsum(count) - count)[of]
    pitch = np.minimum(GATE_PITCH, SWITCH_WIDTH / np.maximum(1, count - 1))[of]
    found: Floats = x + (place - (count[of] - 1) / 2) * pitch
    return found


def _on_hull(points: Floats) -> Flags:
    """Which points are corners of the hull of all: between them no line has a third one in its way."""
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()
    found = np.zeros(len(points), np.bool_)
    for walk in (order, order[::-1]):
        chain: list[int] = []
        for one in walk:
            while len(chain) > 1 and _turn(points[chain[-2]], points[chain[-1]], points[one]) <= 0:
                chain.pop()
            chain.append(one)
        found[chain] = True
    return found


def _turn(a: Floats, b: Floats, c: Floats) -> float:
    (bx, by), (cx, cy) = (b - a).tolist(), (c - a).tolist()
    return float(bx * cy - by * cx)


def _beside(ends: Ints) -> Floats:
    """How far from the middle line of its two groups each bundle runs."""
    low, high = ends.min(axis=1), ends.max(axis=1)
    _, pair, count = np.unique(low * (int(high.max()) + 1) + high, return_inverse=True, return_counts=True)
    pair = pair.reshape(-1)
    order = np.argsort(pair, kind="stable")
    place = np.empty(len(pair), np.int64)
    place[order] = np.arange(len(pair)) - np.repeat(np.cumsum(count) - count, count)
    most = count[pair]
    pitch = np.minimum(APART, MOST_APART / np.maximum(1, most - 1))
    offset: Floats = (place - (most - 1) / 2) * pitch * np.where(ends[:, 0] == low, 1.0, -1.0)
    return offset


def _side_by_side(gates: Floats, beside: Floats) -> Floats:
    """The gates of each bundle, (m, 2, 2), so far beside the line of the two groups."""
    along = gates[:, 1] - gates[:, 0]
    along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    across = np.stack((-along[:, 1], along[:, 0]), axis=1) * beside[:, None]
    found: Floats = gates + across[:, None]
    return found


def sides_towards(via: Floats, boxes: Floats) -> tuple[Ints, Floats]:
    """The sides that boxes, (m, 2, 4), turn to these points, and where on these the links to them stand."""
    low, high = boxes[:, :, :2], boxes[:, :, 2:]
    away = via - (low + high) / 2
    above, below = via[:, :, 1] < low[:, :, 1], via[:, :, 1] > high[:, :, 1]
    sides = np.where(above, TOP, np.where(below, BOTTOM, np.where(away[:, :, 0] < 0, LEFT, RIGHT)))
    flat = sides >= LEFT
    along, across = np.where(flat, away[:, :, 1], away[:, :, 0]), np.where(flat, away[:, :, 0], away[:, :, 1])
    return sides, along / np.maximum(np.abs(across), 1e-9)
