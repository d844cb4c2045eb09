"""Hot links inside boxes that stand for many devices: no line shows them, so the box says which and how much."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.drawing.bundles import Floats, Ints
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.heat import Heat, evened

FIRST_READ = 4096
"""Of the hottest links: where most of them are in few boxes, more are read."""


@dataclass(frozen=True, slots=True)
class HotInside:
    """The hot links in one box."""

    row: int
    """Of the box."""
    n_hot: int
    n_congested: int
    """Those of the hot ones whose demand is known to be above what they carry."""
    demand: float
    """The greatest on one of them, as a share of what it carries; 0 where none is congested."""
    load: float
    """Of the busiest, as heat draws it."""
    name: str
    """The most wanted of them, or else the busiest: "leaf-1 → server-1", as its traffic goes."""


def hot_inside(projection: FoldedProjection, heat: Heat | None) -> tuple[HotInside, ...]:
    """All boxes with hot links inside, those with the most wanted link first.

    Links that are full by design are none, and of bytes nothing is hot.
    """
    if heat is None or heat.measure == "bytes" or not len(projection.inner_links):
        return ()
    rows = projection.hottest_of_base(heat, alike=True)
    boxes = projection.box_of_inner_link[rows]
    counts = _counted(boxes, len(projection.kinds))
    found = np.flatnonzero(counts)
    if not len(found):
        return ()
    loads, wanted = projection.loads_of_base(heat.drawn), projection.loads_of_base(heat.demands)
    congested = np.zeros_like(counts)
    if wanted.busier.max() > 0:
        congested = _counted(boxes[wanted.busier[rows] > 0], len(counts))
    first = _first_in(boxes, found, len(counts))
    in_order = np.argsort(rows[first], kind="stable")  # equal ones in the order of their links, as results list them
    found, lead = found[in_order], rows[first[in_order]]
    demands, drawn = evened(np.maximum(wanted.busier[lead], 0.0)), loads.busier[lead]
    chosen = np.lexsort((-drawn, -demands))
    rows, lead = found[chosen], lead[chosen]
    columns = (one.tolist() for one in (rows, counts[rows], congested[rows], demands[chosen], drawn[chosen]))
    in_lead = wanted.values_of_links[lead]
    directed: Floats = np.where(in_lead > 0, in_lead, loads.values_of_links[lead])
    return tuple(map(HotInside, *columns, _names(projection, lead, directed)))


def _counted(boxes: NDArray[np.int32], n_boxes: int) -> Ints:
    """How often each box is among these; -1 stands for none."""
    return np.bincount(boxes + 1, minlength=n_boxes + 1)[1:]


def _first_in(boxes: NDArray[np.int32], found: Ints, n_boxes: int) -> Ints:
    """Where each of the boxes `found` comes first among these: all do, and mostly early."""
    first = np.full(n_boxes + 1, -1, np.int64)  # the last of those that are in no box
    n_read = FIRST_READ
    while (first[found] < 0).any():
        part = boxes[:n_read]
        first[part[::-1]] = np.arange(len(part))[::-1]  # of several the last written stays
        n_read *= 8
    places: Ints = first[found]
    return places


def _names(projection: FoldedProjection, links: Ints, directed: Floats) -> Iterator[str]:
    """From where the traffic of each link comes to where it goes."""
    base = projection.base
    ends = np.where(directed[:, 1:] > directed[:, :1], base.ends[links, ::-1], base.ends[links])
    return (f"{base.title_at(a)} → {base.title_at(b)}" for a, b in ends.tolist())
