"""Tori and meshes as they are drawn: long links as stubs that name their far ends, and titles of the layers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from designer.drawing.apart import STUBBED, Apart
from designer.drawing.arches import BOTTOM, LEFT, RIGHT, TOP
from designer.drawing.bundles import Bundles, Flags, Floats, Ints
from designer.drawing.direct_links import torus_links
from designer.drawing.obstacles import Obstacles
from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER
from designer.late import Late
from designer.model.circuits import circuit_switch
from designer.placement.direct import LONG, title_room

sparse, csgraph = Late("scipy.sparse"), Late("scipy.sparse.csgraph")

STUB, STUB_STEP = 20.0, 12.0
"""Length of a stub in units of the canvas; of each dimension beyond the third, so much more."""
DIAGONAL = 0.75
BESIDE = 1e6
"""Stands for the slope of a link that is outermost on its side of a box."""
TEXT_GAP = 4.0
NAME_ROOM = (48.0, 22.0)
"""Of the name of a far end, across and down: two lines where it names a circuit switch."""
TITLE_GAP = 8.0
"""Below a layer, to its title."""
AXIS_GAP, AXIS_SHARE = STUB + 4.0, 0.36
"""Beyond the stubs of a layer, to the numbers along its sides, and how high they may be in terms of its title."""


@dataclass(frozen=True)
class FarEnds:
    """The names at the ends of stubs."""

    at: Floats  # (n, 2) where each begins, ends or has its middle
    names: Ints  # (n,) the row of the device that is named
    across: Ints  # (n,) -1 where the name ends there, 0 where it has its middle, 1 where it begins
    down: Ints  # (n,) -1 where the name stands above, 0 beside and 1 below it
    lean: Ints  # (n,) of a slanting stub -1 where it leads up, 1 where down; 0 of others
    circuits: Sequence[str]
    """The optical circuit switch that each leads through; "" for none."""

    @property
    def corners(self) -> Floats:
        """About where the names end, (n, 2)."""
        found: Floats = self.at + np.stack((self.across, self.down), axis=1) * NAME_ROOM
        return found


@dataclass(frozen=True, slots=True)
class LayerTitle:
    """The title of a layer: left, the upper edge of its room, and the width of the layer; and numbers along its sides.

    A plane has no title, but the numbers.
    """

    text: str
    x: float
    y: float
    width: float
    top: float
    """The upper edge of its topmost routers."""
    columns: tuple[tuple[str, float], ...] = ()
    """The coordinate along the first dimension of each column, and where it is across."""
    rows: tuple[tuple[str, float], ...] = ()
    """The coordinate along the second dimension of each row, and where it is down."""

    @property
    def room(self) -> float:
        """How high the title may be."""
        return title_room(self.width)

    @property
    def axis_room(self) -> float:
        """How high the numbers along its sides may be."""
        return AXIS_SHARE * self.room if self.columns else 0.0

    @property
    def rect(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of what is written about it."""
        room = self.axis_room
        top = self.top - AXIS_GAP - room if room else self.y
        return (
            self.x - (AXIS_GAP + room if room else 0.0),
            top,
            self.x + self.width,
            self.y + self.room * bool(self.text),
        )


class Torus:
    """The links between the routers of a torus or mesh, by dimension and direction."""

    def __init__(self, rows: Ints, codes: Ints, tails: Ints, heads: Ints, circuits: Sequence[str]) -> None:
        self.rows = rows
        """Rows of the links."""
        self.codes = codes
        self.tails, self.heads = tails, heads
        """The routers that they join, the head the next one along the dimension."""
        self.circuits = circuits
        """The optical circuit switch that each link leads through; "" for none."""
        self.is_optical = np.array([bool(one) for one in circuits], np.bool_)
        self.n_dimensions = int(codes.max()) + 1

    @cached_property
    def layers(self) -> tuple[Ints, Ints, list[str]]:
        """Rows of routers, the number of the layer of each, and their titles; none of a plane or of cubes."""
        if self.n_dimensions < 3 or self.is_optical.any():  # the frames of cubes have titles
            return np.zeros(0, np.int64), np.zeros(0, np.int64), []
        routers, ends = np.unique(np.concatenate((self.tails, self.heads)), return_inverse=True)
        tails, heads = ends.reshape(2, -1)
        within = self.codes < 2
        joined = sparse.coo_array(
            (np.ones(int(within.sum())), (tails[within], heads[within])), shape=(len(routers),) * 2
        )
        count, of = csgraph.connected_components(joined, directed=False)
        places = {int(of[0]): (0,) * (self.n_dimensions - 2)}
        following = [
            dict(zip(of[tails[self.codes == code]].tolist(), of[heads[self.codes == code]].tolist(), strict=True))
            for code in range(2, self.n_dimensions)
        ]
        waiting = list(places)
        for one in waiting:
            for axis, steps in enumerate(following):
                other = steps.get(one)
                if other is not None and other not in places:
                    place = list(places[one])
                    place[axis] += 1
                    places[other] = tuple(place)
                    waiting.append(other)
        if len(places) < count:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), []
        return routers, of.astype(np.int64), ["Layer " + "-".join(map(str, places[one])) for one in range(count)]


def torus_of(projection: Projection) -> Torus | None:
    """The torus that all routers drawn make; None where they make none, and where a box stands for several."""
    design = projection.design
    if projection.n_own < len(projection.device_ids):
        return None
    routers = projection.kinds != SERVER
    for row in np.flatnonzero(routers).tolist():
        routers[row] = design.devices[projection.device_ids[row]].role == "router"
    found = torus_links(projection, routers) if routers.any() else None
    if found is None or found.onward is None:
        return None
    rows = np.flatnonzero(found.codes < len(found.titles))
    ends, onward = projection.ends[rows].astype(np.int64), found.onward[rows]
    # A link's a is not always the lower row: ends are in the order of the link's own.
    tails, heads = np.where(onward, ends[:, 0], ends[:, 1]), np.where(onward, ends[:, 1], ends[:, 0])
    circuits = [circuit_switch(design.links[projection.link_ids[row]]) for row in rows.tolist()]
    return Torus(rows, found.codes[rows].astype(np.int64), tails, heads, circuits)


def stubs_of(torus: Torus, bundles: Bundles, centres: Floats, sizes: Floats) -> Apart | None:
    """The links that lead far past others of their row or column, as stubs; None where there are none.

    All are that lead through circuit switches, and of a dimension beyond the second all where one is.
    """
    if torus.n_dimensions < 2:
        return None
    away = centres[torus.heads] - centres[torus.tails]
    steps = _steps(torus, away)
    chosen = np.flatnonzero(_long(torus, away, steps) & (bundles.counts[bundles.of_link[torus.rows]] == 1))
    if not len(chosen):
        return None
    towards = np.array([_direction(torus, code, away, steps) for code in range(torus.n_dimensions)])
    chosen = chosen[np.argsort(bundles.of_link[torus.rows[chosen]], kind="stable")]
    numbers, codes = bundles.of_link[torus.rows[chosen]], torus.codes[chosen]
    via = towards[codes] * (STUB + STUB_STEP * np.maximum(0, codes - 2))[:, None]
    back = bundles.pairs[numbers, 0] != torus.tails[chosen]
    via = np.stack((np.where(back[:, None], -via, via), np.where(back[:, None], via, -via)), axis=1)
    flat = np.abs(via[:, :, 1]) < 1e-9
    sides = np.where(flat, np.where(via[:, :, 0] < 0, LEFT, RIGHT), np.where(via[:, :, 1] < 0, TOP, BOTTOM))
    slopes = np.sign(via[:, :, 0]) * ~flat * (BESIDE - codes[:, None])  # outermost, of higher dimensions further in
    found = Apart(numbers, sides, slopes, via, STUBBED)
    xy, at, _ = found.lines(_corners(bundles.pairs[numbers], sides, via, centres, sizes))
    met = np.zeros(len(numbers), np.bool_)
    met[at[Obstacles(centres, sizes).crossed(xy, np.full((len(xy), 2), -1))]] = True
    return None if met.all() else found.taken(~met)


def _long(torus: Torus, away: Floats, steps: Floats) -> Flags:
    """The links along a row or column over many steps or through a circuit switch, however near their ends stand.

    With one of a higher dimension all of that.
    """
    past: Flags = np.asarray((np.abs(away) > LONG * steps).any(axis=1) & (np.abs(away) < 1.0).any(axis=1))
    found = past | torus.is_optical
    for code in range(2, torus.n_dimensions):
        own = torus.codes == code
        found[own] = found[own].any()
    return found


def _steps(torus: Torus, away: Floats) -> Floats:
    """How far the next router along a dimension stands at the least, across and down: the median of its links."""
    steps = np.full(2, np.inf)
    for code in range(torus.n_dimensions):
        own = np.abs(away[torus.codes == code])
        if len(own):  # a part of a torus may have none
            middle = np.median(own, axis=0)
            steps = np.where(middle >= 1.0, np.minimum(steps, middle), steps)
    return steps


def _direction(torus: Torus, code: int, away: Floats, steps: Floats) -> tuple[float, float]:
    """Where the next router along a dimension stands: across or down; up to the right of all but the first two."""
    near = away[(torus.codes == code) & (np.abs(away) <= LONG * steps).all(axis=1)]
    if code < 2 and len(near):
        x, y = np.median(near, axis=0).tolist()
        if abs(y) < 1.0 < abs(x):
            return float(np.sign(x)), 0.0
        if abs(x) < 1.0 < abs(y):
            return 0.0, float(np.sign(y))
    return DIAGONAL, -DIAGONAL


def _corners(pairs: Ints, sides: Ints, via: Floats, centres: Floats, sizes: Floats) -> Floats:
    """About where stubs begin, (m, 4): in the middle of a side, or near the corner that they lead away from."""
    upright = np.abs(via[:, :, 0]) < 1e-9
    x = np.where(upright, 0.0, np.sign(via[:, :, 0])) * sizes[pairs][:, :, 0] / 2 * np.where(sides < LEFT, 0.8, 1.0)
    y = np.where(sides < LEFT, np.sign(via[:, :, 1]), 0.0) * sizes[pairs][:, :, 1] / 2
    found: Floats = (centres[pairs] + np.stack((x, y), axis=2)).reshape(-1, 4)
    return found


def far_ends_of(torus: Torus, stubs: Apart, bundles: Bundles, ends: Floats) -> FarEnds:
    """The names of far ends, at stubs that begin at these ends, (m, 4)."""
    via, pairs = stubs.via.reshape(-1, 2), bundles.pairs[stubs.numbers]
    across = np.sign(np.round(via[:, 0], 6)).astype(np.int64)
    down = np.where(across == 0, np.sign(via[:, 1]), 0).astype(np.int64)
    at = ends.reshape(-1, 2) + via + np.stack((across, down), axis=1) * TEXT_GAP
    circuit_of = dict(zip(bundles.of_link[torus.rows].tolist(), torus.circuits, strict=True))
    circuits = [circuit_of.get(number, "") for number in stubs.numbers.tolist() for _ in range(2)]
    lean = np.where(across == 0, 0, np.sign(np.round(via[:, 1], 6))).astype(np.int64)
    return FarEnds(at, pairs[:, ::-1].reshape(-1), across, down, lean, circuits)


def layer_titles(torus: Torus, projection: Projection, centres: Floats) -> tuple[LayerTitle, ...]:
    """A title below each layer and its servers; none where layers overlap, as in an oblique cube."""
    rows, of, texts = torus.layers
    if torus.n_dimensions == 2 and not torus.is_optical.any():
        rows = np.unique(np.concatenate((torus.tails, torus.heads)))
        of, texts = np.zeros(len(rows), np.int64), [""]
    if not texts:
        return ()
    half, servers = projection.sizes / 2, projection.kinds == SERVER
    feet = centres[:, 1] + half[:, 1]
    for router, server in ((0, 1), (1, 0)):
        hung = projection.ends[servers[projection.ends[:, server]] & ~servers[projection.ends[:, router]]]
        np.maximum.at(feet, hung[:, router], centres[hung[:, server], 1] + half[hung[:, server], 1])
    low, high = np.full((len(texts), 2), np.inf), np.full((len(texts), 2), -np.inf)
    np.minimum.at(low, of, centres[rows] - half[rows])
    np.maximum.at(high, of, np.stack(((centres + half)[rows, 0], feet[rows]), axis=1))
    beside = (low[:, None] < high[None]).all(axis=2)
    if (beside & beside.T).sum() > len(texts):
        return ()
    found = []
    for number, (text, (left, top), (right, bottom)) in enumerate(zip(texts, low.tolist(), high.tolist(), strict=True)):
        own = rows[of == number]
        names = [projection.title_at(row) for row in own.tolist()]
        columns, lines = (_axis(names, axis, centres[own, axis]) for axis in (0, 1))
        axes = (columns, lines) if columns and lines else ((), ())
        found.append(LayerTitle(text, left, bottom + TITLE_GAP, right - left, top, *axes))
    return tuple(found)


def _axis(names: Sequence[str], axis: int, at: Floats) -> tuple[tuple[str, float], ...]:
    """The coordinate in the names of all routers at each place along an axis; () where one place has several."""
    by_place: dict[float, set[str]] = {}
    for name, place in zip(names, at.round(1).tolist(), strict=True):
        numbers = short_name(name).split("-")
        by_place.setdefault(place, set()).add(numbers[axis] if len(numbers) > 1 else "")
    texts = [next(iter(said)) for said in by_place.values() if len(said) == 1]
    if len(set(texts)) < len(by_place) or not all(text.isdigit() for text in texts):
        return ()
    return tuple(sorted(zip(texts, by_place, strict=True), key=lambda one: one[1]))


def short_name(name: str) -> str:
    """The coordinates in the name of a router: "0-3" of "router-0-3"; the whole name where it has no number."""
    found = re.search(r"\d.*", name)
    return found[0] if found else name
