"""What boxes say that stand for many devices: their name, devices by kind, ports used and free, and the worst load."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

import numpy as np

from designer.analysis.tiers import ROUTER
from designer.drawing.bundles import NO_HEAT, Bundles, Floats, Ints
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.folding.folds import Fold
from designer.drawing.folding.hot_inside import HotInside, hot_inside
from designer.drawing.heat import FULL_AT_TIMES, Heat, hottest
from designer.drawing.hot_spots import demand_text
from designer.drawing.lines import loads
from designer.drawing.projection import Projection
from designer.drawing.theme import KIND_OF_ROLE, SERVER, SWITCH
from designer.graph.link_loads import LinkLoads
from designer.units import format_count

MOST_FAR_ENDS = 8


class Linked(Protocol):
    """What is drawn, and the bundles between its boxes."""

    @property
    def projection(self) -> Projection:
        """The boxes."""

    @property
    def bundles(self) -> Bundles:
        """Their links."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A box that stands for many devices."""

    name: str
    devices: str
    """As "32 servers, 8 leaf switches"."""
    kind: int
    """The number in theme.KINDS of a role's devices; -1 of a group or rack."""
    load: float
    """Of the busiest link inside, as heat draws it; NO_HEAT where nothing is known."""
    load_text: str
    models: str = ""
    """Of its devices, as "DGX H100 · QM9700"; "" where they are many."""
    fullness: str = ""
    """Of a full link, why it is: "congested", "full by design", "full at times"; "" where that is not known."""

    @property
    def load_in_full(self) -> str:
        """The load with why it is full: "100 % (full by design)"."""
        return f"{self.load_text} ({self.fullness})" if self.load_text and self.fullness else self.load_text


class Stacks:
    """The boxes of a projection that stand for many devices, with the loads inside them."""

    def __init__(self, projection: FoldedProjection, heat: Heat | None, rows: Ints | None = None) -> None:
        """`rows` are those that a picture of a part of the projection has, in its order."""
        self._projection, self._heat, self._rows = projection, heat, rows
        self.loads = inner_loads(projection, None if heat is None else heat.drawn)
        """Of the busiest link inside each, by their order."""
        self.at, self.ports = cache(self._at), cache(self._ports)

    def _at(self, row: int) -> Stack:
        """What the box of that row says, but for its ports."""
        projection, row = self._projection, self._row(row)
        fold, load = projection.folds[row - projection.n_own], float(self.loads[row - projection.n_own])
        text = (
            self._heat.text_of(1.0 if load >= FULL_AT_TIMES else load) if self._heat is not None and load >= 0 else ""
        )
        title = projection.title_at(row)
        counts = "" if fold.is_role and not fold.name else projection.devices_at(row)  # the title says it
        fullness = self._heat.fullness(load) if self._heat is not None else ""
        return Stack(title, counts, _kind_of(fold), load, text, projection.models_at(row), fullness)

    @cached_property
    def kinds(self) -> set[int]:
        """The numbers in theme.KINDS of the roles that boxes stand for; none of groups and racks."""
        return {kind for one in self._projection.folds if (kind := _kind_of(one)) >= 0}

    @cached_property
    def hot(self) -> tuple[HotInside, ...]:
        """The boxes with hot links inside, those with the most wanted link first; none in a picture of a part."""
        known = self._projection.hot_known
        if known is None or known[0] is not self._heat:
            known = self._heat, hot_inside(self._projection, self._heat)
            self._projection.hot_known = known
        found: tuple[HotInside, ...] = known[1]
        return found if self.are_all else ()

    @property
    def are_all(self) -> bool:
        """Whether they are of the whole projection, not of a part."""
        return self._rows is None

    def taken(self, rows: Ints) -> "Stacks":
        """The same for a picture of these boxes alone."""
        return Stacks(self._projection, self._heat, rows)

    def _row(self, row: int) -> int:
        return row if self._rows is None else int(self._rows[row])

    def _ports(self, row: int) -> str:
        """How many ports of the devices in it are used. Counted when first asked for."""
        return ports_text(self._projection, self._row(row))


def ports_text(projection: FoldedProjection, row: int) -> str:
    """ "110 of 120 switch ports used", "32 of 32 NIC ports used" of a box with servers alone; "" without any port.

    Of a box with routers, "router ports".
    """
    caption, fold = projection.caption(row), projection.fold_at(row)
    if fold is None or not caption.total:
        return ""
    are_routers = projection.devices_at(row).endswith((ROUTER, f"{ROUTER}s"))  # remembered, and devices by role last
    of = "NIC" if (projection.base.kinds[fold.rows] == SERVER).all() else ROUTER if are_routers else "switch"
    return f"{format_count(caption.used)} of {format_count(caption.total)} {of} ports used"


def _kind_of(fold: Fold) -> int:
    """The number in theme.KINDS of a role's devices; -1 of a group or rack."""
    role = fold.kind
    return KIND_OF_ROLE.get(role, SERVER if role == "server" else SWITCH) if fold.is_role else -1


def stacks_of(projection: Projection, heat: Heat | None) -> Stacks | None:
    """The boxes that stand for many devices; None where there are none."""
    return Stacks(projection, heat) if isinstance(projection, FoldedProjection) else None


def far_ends(composition: "Linked", row: int, most: int = MOST_FAR_ENDS) -> list[tuple[str, int]]:
    """Where the links of a box lead and how many there are to each, the most first; of others their sum."""
    bundles, projection = composition.bundles, composition.projection
    numbers = np.flatnonzero((bundles.pairs == row).any(axis=1))
    numbers = numbers[np.argsort(-bundles.counts[numbers], kind="stable")]
    found = []
    for number in numbers[:most].tolist():
        a, b = bundles.pairs[number].tolist()
        far = b if a == row else a
        found.append((projection.title_at(far), int(bundles.counts[number])))
    rest = numbers[most:]
    return found + ([(f"{len(rest):,} others", int(bundles.counts[rest].sum()))] if len(rest) else [])


def load_rows(projection: FoldedProjection, row: int, heat: Heat) -> list[tuple[str, str]]:
    """What a tooltip says of the loads in a box and on its links: what of, and how much."""
    stacks, rows = Stacks(projection, heat), list[tuple[str, str]]()
    if text := stacks.at(row).load_in_full:
        rows.append(("Inside", f"up to {text}"))
    hot = next((one for one in stacks.hot if one.row == row), None)
    if hot is not None:
        count, word = (hot.n_congested, "congested") if hot.n_congested else (hot.n_hot, "hot")
        demand = demand_text(hot.demand)
        rows.append(("", f"{count:,} {word}, most of all {hot.name}" + (f": {demand}" if demand else "")))
    own = (projection.ends == row).any(axis=1)
    if own.any() and (most := float(loads_as_drawn(projection, heat.loads)[own].max())) >= 0:
        rows.append(("Its links", f"up to {heat.text_of(most)}"))
    return rows


def loads_as_drawn(projection: Projection, known: LinkLoads | None) -> Floats:
    """Load of each link by row, (n_links, 2); NO_HEAT where nothing is known."""
    if isinstance(projection, FoldedProjection):
        return projection.loads_of_base(known).values_of_links.take(projection.link_rows_of_base, axis=0)
    return loads(projection, known).values_of_links


def busier_as_drawn(projection: Projection, known: LinkLoads) -> Floats:
    """The same in the busier direction of each, (n_links,)."""
    if isinstance(projection, FoldedProjection):
        found: Floats = projection.loads_of_base(known).busier[projection.link_rows_of_base]
        return found
    return loads(projection, known).busier


def hottest_as_drawn(projection: Projection, heat: Heat) -> Ints:
    """The rows of the hot links as drawn, in the order of `Heat.hottest`."""
    if isinstance(projection, FoldedProjection):
        rows = projection.link_row_now[projection.hottest_of_base(heat)]
        return rows[rows >= 0].astype(np.int64)
    drawn = loads(projection, heat.drawn)
    return heat.hottest if drawn is heat.drawn else hottest(drawn.busier, loads(projection, heat.demands).busier)


def inner_loads(projection: FoldedProjection, known: LinkLoads | None) -> Floats:
    """Load of the busiest link inside each fold, NO_HEAT where nothing is known; the last answer is remembered."""
    if projection.inner_known is None or projection.inner_known[0] is not known:
        found, inner = np.full(len(projection.folds), NO_HEAT), projection.inner_by_box
        if known is not None and len(inner.links):
            busier = projection.loads_of_base(known).busier[inner.links]
            found[inner.boxes - projection.n_own] = np.maximum.reduceat(busier, inner.starts)
        projection.inner_known = known, found
    return projection.inner_known[1]


def boxes_with(projection: Projection, ids: Iterable[str]) -> dict[int, list[str]]:
    """Those among the devices and links that are drawn as part of a box for many, by its row."""
    found = dict[int, list[str]]()
    if projection.n_own == len(projection.device_ids):
        return found
    for one in ids:
        if one not in projection.row_of:
            row = projection.box_of(one)
            row = projection.box_of_link(one) if row is None else row
            if row is not None:
                found.setdefault(row, []).append(one)
    return found


def failed_texts(projection: Projection, failed: frozenset[str]) -> dict[int, tuple[str, ...]]:
    """What may be written at boxes for many with something failed in them, by row, the longest first.

    "1 of 16 spines failed", where one kind of devices has, "1 failed".
    """
    found = dict[int, tuple[str, ...]]()
    if failed and isinstance(projection, FoldedProjection):
        for row, inside in sorted(boxes_with(projection, sorted(failed)).items()):
            share, count = projection.share_at(row, inside), f"{format_count(len(inside))} failed"
            found[row] = (f"{share} failed", count) if share else (count,)
    return found
