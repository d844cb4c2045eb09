"""What of the senders' rates gets to each arc past the full arcs before it: the inner loop, compiled."""

from typing import NamedTuple

import numpy as np

from designer.graph.compiled import compiled
from designer.routing.transport_kernels import Floats, Ints, Rows

ROUNDS = 8
# Full arcs in a row on one path; rates behind more of them are upper bounds.


class Ends(NamedTuple):
    """Where arcs begin and end."""

    source: Ints
    target: Ints
    n_vertices: int


@compiled
def arriving(rows: Rows, ends: Ends, wish: Floats, capacity: Floats) -> tuple[Floats, Floats]:
    """(by entry of the rows the rate at which its flow comes to its arc, by arc the sum of them).

    A full arc lets every flow through in proportion.
    """
    start, arcs, weights = rows
    source, target, n_vertices = ends
    n_arcs, n_flows = len(capacity), len(wish)
    rate = np.empty(len(arcs))
    passes = np.ones(len(arcs))
    total = np.zeros(n_arcs)
    weight_in, passed_in = np.zeros(n_vertices), np.zeros(n_vertices)
    for _round in range(ROUNDS):
        total[:] = 0.0
        for flow in range(n_flows):
            for entry in range(start[flow], start[flow + 1]):
                weight_in[target[arcs[entry]]] += weights[entry]
                passed_in[target[arcs[entry]]] += weights[entry] * passes[entry]
            for entry in range(start[flow], start[flow + 1]):
                at = source[arcs[entry]]
                gets = passed_in[at] / weight_in[at] if weight_in[at] > 0.0 else 1.0
                rate[entry] = wish[flow] * weights[entry] * gets
                total[arcs[entry]] += rate[entry]
            for entry in range(start[flow], start[flow + 1]):
                weight_in[target[arcs[entry]]] = 0.0
                passed_in[target[arcs[entry]]] = 0.0
        for flow in range(n_flows):
            for entry in range(start[flow], start[flow + 1]):
                arc = arcs[entry]
                full = max(1.0, total[arc] / capacity[arc])
                sends = wish[flow] * weights[entry]
                passes[entry] = rate[entry] / full / sends if sends > 0.0 else 1.0
    return rate, total
