"""Flows in kinds, so that what happens to thousands of like flows is calculated once.

By color refinement: arcs are of one class when they carry as much and flows of the same kinds cross them in the same
shares, flows of one kind when they are marked alike and cross arcs of the same classes. Max-min rates are then equal
within a kind, whichever kinds run at the time.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.sums import sums
from designer.routing.hashes import mixed

MOST_ROUNDS = 40
DIGITS = 12
# Shares that differ by less than rounding are one.


@dataclass(frozen=True, slots=True, eq=False)
class FlowClasses:
    """Flows that are alike, as one: which classes of arcs each kind crosses, and how much it puts on them.

    Row k (start[k] to start[k + 1]) holds the classes that kind k crosses and what all its flows together put on one
    arc of the class, in shares of a flow.
    """

    of_flow: NDArray[np.int64]  # (n_flows,)
    first: NDArray[np.int64]  # (n_kinds,) one flow of each kind
    counts: NDArray[np.int64]  # (n_kinds,)
    class_of_arc: NDArray[np.int64]  # (n_arcs,) -1 where no flow passes that the arc could hold back
    start: NDArray[np.int64]  # (n_kinds + 1,)
    classes: NDArray[np.int32]
    weights: NDArray[np.float64]
    capacity: NDArray[np.float64]  # (n_classes,) of one arc

    @property
    def n_kinds(self) -> int:
        """Number of kinds of flows."""
        return len(self.first)

    @property
    def n_classes(self) -> int:
        """Number of classes of arcs."""
        return len(self.capacity)


def kinds_of(
    start: NDArray[np.int64],
    arcs: NDArray[np.int32],
    weights: NDArray[np.float64],
    capacity: NDArray[np.float64],
    mark: NDArray[np.uint64],
) -> FlowClasses:
    """The kinds of flows given as rows of arcs and shares; flows with different marks are never of one kind."""
    flow = np.repeat(np.arange(len(mark)), np.diff(start))
    limits = np.isfinite(capacity[arcs])
    flow, arcs, weights = flow[limits], arcs[limits], weights[limits]
    flow_colour, arc_colour = _colours(flow, arcs, weights, capacity, mark)
    if flow_colour is None:
        flow_colour = np.arange(len(mark), dtype=np.uint64)
        arc_colour = np.arange(len(capacity), dtype=np.uint64)
    _, first, of_flow, counts = np.unique(flow_colour, return_index=True, return_inverse=True, return_counts=True)
    used = np.unique(arcs)
    _, first_arc, class_of, size = np.unique(
        arc_colour[used], return_index=True, return_inverse=True, return_counts=True
    )
    class_of_arc = np.full(len(capacity), -1, dtype=np.int64)
    class_of_arc[used] = class_of
    n_classes = max(1, len(first_arc))
    cell, of_entry = np.unique(of_flow[flow] * n_classes + class_of_arc[arcs], return_inverse=True)
    rows, columns = cell // n_classes, cell % n_classes
    shared = sums(of_entry, weights, len(cell)) / (size[columns] if len(size) else 1)
    return FlowClasses(
        of_flow,
        first,
        counts,
        class_of_arc,
        np.searchsorted(rows, np.arange(len(first) + 1)),
        columns.astype(np.int32),
        shared,
        capacity[used[first_arc]],
    )


def _colours(
    flow: NDArray[np.int64],
    arcs: NDArray[np.int32],
    weights: NDArray[np.float64],
    capacity: NDArray[np.float64],
    mark: NDArray[np.uint64],
) -> tuple[NDArray[np.uint64] | None, NDArray[np.uint64]]:
    """Colors that another round would not split; no colors of flows where that is not reached."""
    share = mixed(np.round(weights, DIGITS).view(np.uint64))
    arc_colour, flow_colour = mixed(capacity.view(np.uint64)), mixed(mark)
    before = (0, 0)
    for _ in range(MOST_ROUNDS):
        seen = np.zeros(len(capacity), dtype=np.uint64)
        np.add.at(seen, arcs, mixed(flow_colour[flow] ^ share))
        arc_colour = mixed(arc_colour ^ mixed(seen))
        crossed = np.zeros(len(mark), dtype=np.uint64)
        np.add.at(crossed, flow, mixed(arc_colour[arcs] ^ share))
        flow_colour = mixed(flow_colour ^ mixed(crossed))
        now = len(np.unique(flow_colour)), len(np.unique(arc_colour[arcs]))
        if now == before:
            return flow_colour, arc_colour
        if now[0] > len(mark) / 2:
            break
        before = now
    return None, arc_colour
