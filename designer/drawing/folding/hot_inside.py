"""Hot links inside boxes that stand for many devices: no line shows them, so the box says which and how much."""

from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Floats, Ints
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.heat import Heat, evened
from designer.drawing.hot_spots import foremost


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


def hot_inside(projection: FoldedProjection, heat: Heat | None, most: int) -> tuple[HotInside, ...]:
    """At most so many boxes with hot links inside, those with the most wanted link first.

    Links that are full by design are none, and of bytes nothing is hot.
    """
    if heat is None or heat.measure == "bytes" or not len(projection.inner_links):
        return ()
    rows = projection.hottest_of_base(heat, alike=True)
    boxes = projection.box_of_inner_link[rows]
    rows, boxes = rows[boxes >= 0], boxes[boxes >= 0]
    if not len(rows):
        return ()
    loads, wanted = projection.loads_of_base(heat.drawn), projection.loads_of_base(heat.demands)
    found, first = _first_in(boxes)
    counts = np.bincount(boxes)
    congested = np.bincount(boxes[wanted.busier[rows] > 0], minlength=len(counts))
    in_order = np.argsort(rows[first], kind="stable")  # equal ones in the order of their links, as results list them
    found, lead = found[in_order], rows[first[in_order]]
    demands, drawn = evened(np.maximum(wanted.busier[lead], 0.0)), loads.busier[lead]
    chosen = foremost(np.arange(len(found)), demands, drawn, most).tolist()
    in_lead = wanted.values_of_links[lead]
    directed: Floats = np.where(in_lead > 0, in_lead, loads.values_of_links[lead])
    return tuple(
        HotInside(
            int(found[one]),
            int(counts[found[one]]),
            int(congested[found[one]]),
            float(demands[one]),
            float(drawn[one]),
            _name(projection, int(lead[one]), directed[one]),
        )
        for one in chosen
    )


def _first_in(boxes: Ints) -> tuple[Ints, Ints]:
    """The boxes among these, ascending, and the place of the first of each."""
    first = np.full(int(boxes.max()) + 1, -1, np.int64)
    first[boxes[::-1]] = np.arange(len(boxes))[::-1]  # of several the last written stays
    found = np.flatnonzero(first >= 0)
    return found, first[found]


def _name(projection: FoldedProjection, link_row: int, directed: Floats) -> str:
    """From where the traffic comes to where it goes."""
    a, b = (projection.base.title_at(row) for row in projection.base.ends[link_row].tolist())
    return f"{b} → {a}" if directed[1] > directed[0] else f"{a} → {b}"
