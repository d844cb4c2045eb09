"""What flows would take if they could: the inner loops, compiled. Rows are flow x arc weights (CSR)."""

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled
from designer.routing.transport_kernels import Floats, Longs, Rows


@compiled
def wishes(rows: Rows, is_own: NDArray[np.bool_], capacity: Floats) -> Floats:
    """(n_flows,) the rate at which its sender's own arcs would let each flow go, shared with its other flows."""
    start, arcs, weights = rows
    load, wish = np.zeros(len(capacity)), np.zeros(len(start) - 1)
    for entry in range(len(arcs)):
        if is_own[arcs[entry]]:
            load[arcs[entry]] += weights[entry]
    for flow in range(len(wish)):
        least = np.inf
        for entry in range(start[flow], start[flow + 1]):
            if is_own[arcs[entry]] and load[arcs[entry]] > 0.0:
                least = min(least, capacity[arcs[entry]] / load[arcs[entry]])
        wish[flow] = least if least < np.inf else 0.0
    return wish


@compiled
def demand(rows: Rows, wish: Floats, n_arcs: int) -> tuple[Floats, Floats, Longs]:
    """By arc: (what its flows would bring together, how many flows' worth crosses it, how many flows)."""
    start, arcs, weights = rows
    wanted, worth, count = np.zeros(n_arcs), np.zeros(n_arcs), np.zeros(n_arcs, dtype=np.int64)
    for flow in range(len(wish)):
        for entry in range(start[flow], start[flow + 1]):
            wanted[arcs[entry]] += weights[entry] * wish[flow]
            worth[arcs[entry]] += weights[entry]
            count[arcs[entry]] += 1
    return wanted, worth, count
