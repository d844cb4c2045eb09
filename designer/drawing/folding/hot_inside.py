"""Hot links inside boxes that stand for many devices: no line shows them, so the box says which and how much."""

from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Floats, Ints
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.heat import Heat
from designer.drawing.hot_spots import are_hot, foremost


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
    rows = projection.inner_links
    if heat is None or heat.measure == "bytes" or not len(rows):
        return ()
    loads, wanted = projection.loads_of_base(heat.drawn), projection.loads_of_base(heat.demands)
    drawn = loads.busier[rows]
    hot = np.flatnonzero(are_hot(drawn))
    if not len(hot):
        return ()
    rows, drawn = rows[hot], drawn[hot]
    demands = np.maximum(wanted.busier[rows], 0.0).round(6)
    found, counts, lead = _leads(projection.boxes_of_inner_links[hot], demands, drawn)
    congested = np.bincount(projection.boxes_of_inner_links[hot][demands > 0], minlength=int(found.max()) + 1)
    in_order = np.argsort(rows[lead], kind="stable")  # equal ones in the order of their links, as results list them
    found, counts, lead = found[in_order], counts[in_order], lead[in_order]
    chosen = foremost(np.arange(len(found)), demands[lead], drawn[lead], most).tolist()
    in_lead = wanted.values_of_links[rows[lead]]
    directed: Floats = np.where(in_lead > 0, in_lead, loads.values_of_links[rows[lead]])
    return tuple(
        HotInside(
            int(found[one]),
            int(counts[one]),
            int(congested[found[one]]),
            float(demands[lead[one]]),
            float(drawn[lead[one]]),
            _name(projection, int(rows[lead[one]]), directed[one]),
        )
        for one in chosen
    )


def _leads(boxes: Ints, demands: Floats, drawn: Floats) -> tuple[Ints, Ints, Ints]:
    """The boxes, how many links each holds, and of each the place of the most wanted, then busiest, then first link."""
    counts = np.bincount(boxes)
    left = np.arange(len(boxes))
    for values in (demands, drawn):  # sorting all of the links takes several times as long
        most = np.full(len(counts), -np.inf)
        np.maximum.at(most, boxes[left], values[left])
        left = left[values[left] == most[boxes[left]]]
    found, first = np.unique(boxes[left], return_index=True)
    return found, counts[found], left[first]


def _name(projection: FoldedProjection, link_row: int, directed: Floats) -> str:
    """From where the traffic comes to where it goes."""
    a, b = (projection.base.title_at(row) for row in projection.base.ends[link_row].tolist())
    return f"{b} → {a}" if directed[1] > directed[0] else f"{a} → {b}"
