"""Which devices of a projection are drawn as one box: what the design has collapsed, and what is so far away."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.projection import Projection
from designer.drawing.theme import CORE, KINDS, LEAF, SERVER, SPINE
from designer.model.collapsing import RACK, BoxKey, collapsed_keys
from designer.model.entities import ROUTER_GROUPS
from designer.placement.metrics import (
    BOX_HEIGHT,
    LEAST_COLLAPSED,
    RACK_PADDING,
    SLIMMEST,
    SLIMMEST_OF_ROLE,
    collapsed_size,
)

LEAST_FOLDED = 4
"""Groups of fewer devices stay open however far away they are."""
MOST_COMPARED = 100_000_000
"""Pairs of a collapsed box and any other."""
LEAST_OF_ROLE = 16
"""So many devices of a role are one box from afar where no group is; else as few as of a group."""
MOST_LINES_OPEN = 10_000
"""With more links between switches the tiers of a fabric without groups are one box each from afar; with fewer one
still sees where on the drawing a hot link is."""
UNIT, UNIT_PX = "unit", 20.0
"""The kind of a part of a fabric without groups that hangs together below the highest tier; parts at least so wide are
boxes, narrower ones are drawn by their tiers."""
LEAST_DEVICES = 300
"""Smaller designs are drawn device by device at any scale."""
TINY_PX = 7.0
"""Boxes of devices that are lower say nothing."""
OPEN_PX = 420.0, 300.0
"""Width and height of a group that is opened however small what is in it."""
LOW_PX = 90.0
"""A lower group stays one box however wide it is: its rows would be slivers."""
PADDING = 20.0
GROW_TO, GROUP_TO, GROW_INTO = 0.03, 0.02, 0.3
"""Boxes of roles, and of groups, are this share of the drawing's width high, so far as a share of the gap allows.

So they have room for a line of text in a drawing that is fitted into a window.
"""
GROW_WIDE = 0.3
"""Boxes of roles are at least this share of the drawing's width wide, so far as a share of the gap allows."""
LEAST_GAP, MOST_NARROWED = 0.08, 0.2
"""Of the width of a box, the gap to the next one of its row, and how much it gives for that at most."""
GRID_GAP, AROUND_GAP = 0.25, 0.5
"""Of the smaller side of a box, the gaps around it where rows of boxes are close: what is drawn round it takes half.
And of one of a group of routers, whose neighbors around a middle lie half above each other."""

TIER_GAP, MOST_LOWERED = 0.045, 0.4
"""Between the boxes of two tiers, a share of the drawing's width, so that their links are seen and have room for a
count; and how much of its height a box gives for that at most."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Devices, by row, that one box stands for. `by_hand` is what the design has collapsed, not the distance."""

    key: BoxKey
    name: str
    kind: str
    """Of the group, "rack", or the role; of a part of a role's devices, that role."""
    rows: Ints
    by_hand: bool

    @property
    def is_role(self) -> bool:
        """Whether it is what has one role, and not a part of a fabric with all that is in it."""
        return bool(self.key.role) and self.kind != UNIT


class Units(NamedTuple):
    """The parts of a fabric without groups, by row, from left to right, and the width of the narrowest."""

    parts: tuple[Ints, ...]
    least_width: float


def collapsed_in(projection: Projection) -> tuple[Fold, ...]:
    """What the design has collapsed and is drawn, outermost first; what is inside another is not among them."""
    design = projection.design
    keys = collapsed_keys(design)
    if not keys:
        return ()
    depth, framed = _depths(projection), rows_in_frames(projection)
    keys.sort(key=lambda key: (bool(key.role), key.id in design.racks, depth.get(key.id, 0)))
    taken = np.zeros(len(projection.device_ids), np.bool_)
    found = []
    for key in keys:
        rows = _of_role(projection, key) if key.role else framed.get(key.id)
        rows = _held(projection, key.id) if rows is None else rows
        rows = rows[~taken[rows]]
        if len(rows) > (1 if key.role else 0):
            taken[rows] = True
            found.append(_fold(projection, key, rows, by_hand=True))
    return tuple(found)


def folded_from_afar(
    projection: Projection,
    folds: Iterable[Fold],
    scale: float,
    units: Units | None = None,
    open_ids: frozenset[str] = frozenset(),
) -> tuple[Fold, ...]:
    """The folds, and at that scale also groups and racks too small to see into, and what is in others by its role.

    A fabric that has `units` is drawn by them, or where these are too narrow by its tiers. Those of `open_ids` stay
    open however small they are.
    """
    folds = tuple(folds)
    if not is_afar(projection, scale):
        return folds
    taken = np.zeros(len(projection.device_ids), np.bool_)
    for fold in folds:
        taken[fold.rows] = True
    extra, edges = [], edges_of(projection)
    for one, held in rows_in_frames(projection).items():
        key, rows = BoxKey(one), held[~taken[held]]
        if len(rows) >= LEAST_FOLDED and one not in open_ids and _is_small(edges, rows, scale):
            taken[rows] = True
            extra.append(_fold(projection, key, rows, by_hand=False))
    if units is not None:
        is_wide = bool(units.parts) and units.least_width * scale >= UNIT_PX
        for number, rows in enumerate(units.parts if is_wide else (), start=1):
            if not taken[rows].any():
                taken[rows] = True
                extra.append(_unit(projection, number, rows))
        extra += _by_role(projection, taken, LEAST_OF_ROLE)
    elif projection.groups:
        extra += _by_role(projection, taken, LEAST_FOLDED if extra or open_ids else LEAST_OF_ROLE)
    return (*folds, *extra)


def is_afar(projection: Projection, scale: float) -> bool:
    """Whether devices are too many and too small to be read one by one."""
    return len(projection.device_ids) >= LEAST_DEVICES and scale * BOX_HEIGHT < TINY_PX


def _is_grey(projection: Projection) -> bool:
    """Whether the lines between the switches of a fabric in tiers are so many that they cover the paper."""
    kinds = projection.kinds
    between = (kinds[projection.ends] != SERVER).all(axis=1) if len(projection.ends) else np.zeros(0, np.bool_)
    return bool((kinds == LEAF).any()) and int(np.count_nonzero(between)) > MOST_LINES_OPEN


def units_of(projection: Projection) -> Units | None:
    """The parts that hang together below the highest tier of a fabric without groups, with its very many lines.

    No parts where there is but one, or where they do not stand side by side. None for any other fabric.
    """
    if projection.groups or not _is_grey(projection):
        return None
    kinds, ends = projection.kinds, projection.ends
    below = kinds != (CORE if (kinds == CORE).any() else SPINE)
    inner = ends[below[ends].all(axis=1)].astype(np.int64)
    part, before = np.arange(len(kinds)), np.empty(0, np.int64)
    while not np.array_equal(part, before):  # the lowest row of each part spreads to all of it
        before, part = part, part.copy()
        np.minimum.at(part, inner[:, 0], before[inner[:, 1]])
        np.minimum.at(part, inner[:, 1], before[inner[:, 0]])
        part = part[part]
    rows = np.flatnonzero(below)
    rows = rows[np.argsort(part[rows], kind="stable")]
    found = np.split(rows, np.unique(part[rows], return_index=True)[1])[1:]
    parts = [one for one in found if len(one) >= LEAST_FOLDED]
    left, _, right, _ = edges_of(projection)
    parts.sort(key=lambda one: float(left[one].min()))
    first, last = (np.array([of(edge[one]) for one in parts]) for of, edge in ((np.min, left), (np.max, right)))
    if len(parts) < 2 or (last[:-1] > first[1:]).any():
        return Units((), 0.0)
    return Units(tuple(parts), float((last - first).min()))


def level_of(scale: float) -> float:
    """The scale at which is decided what is folded: a power of the square root of two, so that pictures stay."""
    return float(2.0 ** (np.floor(np.log2(max(scale, 1e-9)) * 2) / 2))


def edges_of(projection: Projection) -> Floats:
    """Left, top, right and bottom of all boxes of a projection, (4, n)."""
    half = projection.sizes / 2
    return np.concatenate((projection.centres - half, projection.centres + half), axis=1).T.copy()


def _corners(edges: Floats, rows: Ints) -> tuple[Floats, Floats]:
    """Left and top, right and bottom of what is around these boxes."""
    within = edges.take(rows, axis=1)
    return within[:2].min(axis=1), within[2:].max(axis=1)


def rect_of(edges: Floats, fold: Fold) -> tuple[float, float, float, float]:
    """Middle, width and height of a fold's box: around its devices, low where they stand in a column.

    `edges` are those of all devices, as edges_of has them.
    """
    low, high = _corners(edges, fold.rows)
    pad = RACK_PADDING if fold.kind == RACK else 0.0 if fold.key.role else PADDING
    width, height = (high - low + 2 * pad).tolist()
    if fold.by_hand:
        slimmest = SLIMMEST_OF_ROLE if fold.key.role else SLIMMEST
        height = min(height, max(slimmest * width, LEAST_COLLAPSED))
    x, y = ((low + high) / 2).tolist()
    return x, y, width, max(height, BOX_HEIGHT)


def cards(rects: Floats, others: Floats, folds: Sequence[Fold]) -> Floats:
    """The rectangles (middle, width, height) no wider than all of the drawing, and as cards where others stand in them.

    Only of what a person collapsed; all of a kind are cards where one is. A row that is one box is as wide as what is
    left around it.
    """
    rects, by_hand = rects.copy(), np.array([fold.by_hand for fold in folds], np.bool_)
    if len(rects) * (len(rects) + len(others)) > MOST_COMPARED or not by_hand.any():
        return rects
    least = rects.copy()
    for number in np.flatnonzero(by_hand).tolist():
        least[number, 2:] = collapsed_size(*rects[number, 2:].tolist(), of_role=bool(folds[number].key.role))
    every = np.concatenate((least, others))
    left, right = (every[:, 0] - every[:, 2] / 2).min(), (every[:, 0] + every[:, 2] / 2).max()
    rects[by_hand, 2] = np.minimum(rects[by_hand, 2], right - left)
    every, kinds = np.concatenate((rects, others)), set[str]()
    for number in np.flatnonzero(by_hand).tolist():
        apart = np.abs(every[:, :2] - every[number, :2]) >= (every[:, 2:] + every[number, 2:]) / 2 - 1.0
        apart[number] = True
        if not apart.any(axis=1).all():
            kinds.add(folds[number].kind)
    alike = by_hand & np.array([fold.kind in kinds for fold in folds], np.bool_)
    rects[alike, 2:] = least[alike, 2:]
    return rects


def grown(rects: Floats, others: Floats, folds: Sequence[Fold], framed: Container[str] = ()) -> Floats:
    """The rectangles (middle, width, height), low and narrow ones grown as far as the others leave room.

    Groups of one kind that are equally high stay so: a ring of boxes has more room at its top than at its sides.
    Roles in one of the `framed` groups get no wider than the widest in it, and grow both ways alike: its title stands
    above or below them.
    """
    rects = rects.copy()
    every = np.concatenate((rects, others))
    if not len(every):
        return rects
    edges = every[:, :2] - every[:, 2:] / 2, every[:, :2] + every[:, 2:] / 2
    span = float(edges[1][:, 0].max() - edges[0][:, 0].min())
    widest: dict[str, float] = {}
    for number, fold in enumerate(folds):
        if fold.is_role and fold.key.id in framed:
            widest[fold.key.id] = max(widest.get(fold.key.id, 0.0), float(rects[number, 2]))
    for number, fold in enumerate(folds):
        if fold.is_role and not fold.by_hand:
            wide = min(GROW_WIDE * span, widest.get(fold.key.id, np.inf))
            every[number, 2] = rects[number, 2] = rects[number, 2] + _growth(every, number, 0, wide)
    for number, fold in enumerate(folds):
        if fold.is_role and fold.key.id in framed:
            every[number, 3] = rects[number, 3] = rects[number, 3] + _growth(every, number, 1, GROW_TO * span)
        elif fold.is_role:
            every[number] = rects[number] = _heightened(every, number, GROW_TO * span)
    alike: dict[tuple[str, int], list[int]] = {}
    for number, fold in enumerate(folds):
        if not (fold.is_role or fold.by_hand):
            alike.setdefault((fold.kind, round(rects[number, 3])), []).append(number)
    for numbers in alike.values():
        rects[numbers, 3] += min(_growth(every, number, 1, GROUP_TO * span) for number in numbers)
    return rects


def tiers_parted(rects: Floats, others: Floats, folds: Sequence[Fold], framed: Container[str] = ()) -> Floats:
    """The rectangles (middle, width, height) with a gap between roles above one another, but for those in a frame.

    A block of very many servers comes so near to its leaf switches that their links would be hidden. The higher one
    gets lower, and where that is not enough, both make way as far as the others leave room.
    """
    rects, every = rects.copy(), np.concatenate((rects, others))
    free = [number for number, fold in enumerate(folds) if fold.key.role and fold.key.id not in framed]
    roles = np.array(free, np.int64)
    least = TIER_GAP * float((rects[:, 0] + rects[:, 2] / 2).max() - (rects[:, 0] - rects[:, 2] / 2).min())
    for above, below in permutations(roles.tolist(), 2):
        (x, y, width, height), (other_x, other_y, other_width, other_height) = rects[[above, below]].tolist()
        gap = other_y - y - (height + other_height) / 2
        if 0.0 <= gap < least and abs(x - other_x) < (width + other_width) / 2:
            giving, way = (above, -0.5) if height > other_height else (below, 0.5)
            given = min(least - gap, MOST_LOWERED * float(rects[giving, 3]), abs(height - other_height))
            rects[giving, 1::2] += given * way, -given
            for number, side in ((above, -1), (below, 1)):
                every[: len(rects)] = rects
                missing = least - float(rects[below, 1] - rects[above, 1] - rects[[above, below], 3].sum() / 2)
                if missing > 0.0:
                    rects[number, 1] += side * min(missing, max(0.0, _room(every, number, 1, missing)[side > 0]))
    return rects


def parted(rects: Floats, others: Floats, folds: Sequence[Fold]) -> Floats:
    """The rectangles (middle, width, height), narrower where the gaps between them would make a row read as one bar.

    Lower as well where rows of them are close: the links of such a grid run through its gaps, both ways.
    Those of one kind that are equally wide stay so. What overlaps is left as it is.
    """
    rects, every = rects.copy(), np.concatenate((rects, others))
    alike: dict[tuple[str, int], list[int]] = {}
    for number, fold in enumerate(folds):
        alike.setdefault((fold.kind, round(rects[number, 2])), []).append(number)
    if len(rects) * len(every) > MOST_COMPARED:
        return rects
    for (kind, _), numbers in alike.items():
        width, height = every[numbers, 2:].min(axis=0).tolist()
        in_grid = (AROUND_GAP if kind in ROUTER_GROUPS else GRID_GAP) * min(width, height)
        lower = max(_given(every, number, len(rects), 1, in_grid / height) for number in numbers)
        least = max(LEAST_GAP, in_grid / width) if lower else LEAST_GAP
        narrower = max(_given(every, number, len(rects), 0, least) for number in numbers)
        rects[numbers, 2:] -= np.minimum((narrower, lower), MOST_NARROWED * rects[numbers, 2:])
    return rects


def _given(every: Floats, number: int, n_boxes: int, axis: int, share: float) -> float:
    """By how much a rectangle has to be narrower (axis 0) or lower for a gap of that share of its size.

    The first `n_boxes` give as much as it does.
    """
    own = every[number]
    apart = np.abs(every[:, :2] - own[:2]) - (every[:, 2:] + own[2:]) / 2
    gaps = np.where((apart[:, 1 - axis] < 0) & (apart[:, axis] >= 0), apart[:, axis], np.inf)
    missing = share * float(own[2 + axis]) - gaps
    given = np.where(np.arange(len(every)) < n_boxes, 1.0, 0.5) + share
    return max(0.0, float((missing / given).max()))


def _heightened(every: Floats, number: int, least: float) -> Floats:
    """The rectangle, higher to both sides alike, and by what is then missing to the roomier side alone."""
    own: Floats = every[number].copy()
    own[3] += _growth(every, number, 1, least)
    missing = max(0.0, least - float(own[3]))
    above, below = _room(every, number, 1, missing)
    more = min(missing, max(0.0, above, below))
    own[3] += more
    own[1] += more / 2 if below > above else -more / 2
    return own


def _growth(every: Floats, number: int, axis: int, least: float) -> float:
    """How much wider (axis 0) or higher a rectangle gets, to be so large if the gap to the next allows it."""
    wanted = max(0.0, least - float(every[number, 2 + axis]))
    return min(wanted, 2 * max(0.0, min(_room(every, number, axis, wanted))))


def _room(every: Floats, number: int, axis: int, wanted: float) -> tuple[float, float]:
    """How far a rectangle may grow before and after it along an axis: a share of the gap to the next, or as wanted."""
    own = every[number]
    off = every[:, :2] - own[:2]
    apart = np.abs(off) - (every[:, 2:] + own[2:]) / 2
    facing = apart[:, 1 - axis] < 0
    facing[number] = False
    after = off[:, axis] > 0
    most = wanted / GROW_INTO
    before_it, after_it = (float(apart[facing & side, axis].min(initial=most)) * GROW_INTO for side in (~after, after))
    return before_it, after_it


def _fold(projection: Projection, key: BoxKey, rows: Ints, *, by_hand: bool) -> Fold:
    design = projection.design
    if key.role:
        return Fold(key, "", key.role, rows, by_hand)
    if key.id in design.racks:
        return Fold(key, design.racks[key.id].name, RACK, rows, by_hand)
    return Fold(key, design.groups[key.id].name, design.groups[key.id].kind, rows, by_hand)


def _unit(projection: Projection, number: int, rows: Ints) -> Fold:
    key = BoxKey("", f"{UNIT} {projection.device_ids[int(rows[0])]}")
    return Fold(key, f"{UNIT.capitalize()} {number}", UNIT, rows, by_hand=False)


def _is_small(edges: Floats, rows: Ints, scale: float) -> bool:
    low, high = _corners(edges, rows)
    width, height = ((high - low) * scale).tolist()
    return bool((width < OPEN_PX[0] and height < OPEN_PX[1]) or height < LOW_PX)


def _by_role(projection: Projection, taken: Flags, least: int) -> list[Fold]:
    """The devices that are left, by group and role: the cores of a large tree are as many lines as it has links."""
    left, roles = np.flatnonzero(~taken), projection.roles
    by_role = left[np.argsort(roles.of[left], kind="stable")]
    numbers, starts = np.unique(roles.of[by_role], return_index=True)
    found = [(roles.keys[number], rows) for number, rows in zip(numbers, np.split(by_role, starts)[1:], strict=True)]
    found = sorted((one for one in found if len(one[1]) >= least), key=lambda one: int(one[1][0]))
    return [_fold(projection, key, rows, by_hand=False) for key, rows in found]


def rows_in_frames(projection: Projection) -> dict[str, Ints]:
    """Rows of the devices in each frame: of groups, outermost first, then of racks."""
    racks = {frame.id: frame.rows for frame in projection.racks}
    found = {}
    for frame in reversed(projection.groups):
        rows = {*frame.rows}.union(*(racks.get(one, ()) for one in frame.rack_ids)) if frame.rack_ids else frame.rows
        found[frame.id] = np.array(sorted(rows), np.int64)
    return found | {one: np.array(rows, np.int64) for one, rows in racks.items()}


def _held(projection: Projection, holder_id: str) -> Ints:
    """Rows of the devices in a group without a frame: the one around a whole fabric."""
    design, rows, waiting = projection.design, set[int](), [holder_id]
    while waiting:
        one = waiting.pop()
        if one in design.groups:
            waiting += design.members(one)
        elif one in design.racks:
            waiting += design.mounted(one)
        elif one in projection.row_of:
            rows.add(projection.row_of[one])
    return np.array(sorted(rows), np.int64)


def _of_role(projection: Projection, key: BoxKey) -> Ints:
    keys, of = projection.roles
    return np.flatnonzero(of == keys.index(key)) if key in keys else np.empty(0, np.int64)


def _depths(projection: Projection) -> dict[str, int]:
    """How many groups each group lies in."""
    groups = projection.design.groups
    depths: dict[str, int] = {}
    for group_id in groups:
        depth, parent = 0, groups[group_id].parent_id
        while parent is not None:
            depth, parent = depth + 1, groups[parent].parent_id
        depths[group_id] = depth
    return depths


FOLDED = len(KINDS)
"""Number of the kind of boxes that stand for many devices: none of theme.KINDS."""
