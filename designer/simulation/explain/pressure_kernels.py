"""What flows would take if they could: the inner loops, compiled. Rows are flow x arc weights (CSR)."""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled


@compiled
def wishes(start: Any, arcs: Any, weights: Any, is_own: Any, capacity: Any) -> Any:
    """(n_flows,) the rate at which its sender's own arcs would let each flow go, shared with its other flows."""
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
def demand(start: Any, arcs: Any, weights: Any, wish: Any, n_arcs: int) -> tuple[Any, Any, Any]:
    """By arc: (what its flows would bring together, how many flows' worth crosses it, how many flows)."""
    wanted, worth, count = np.zeros(n_arcs), np.zeros(n_arcs), np.zeros(n_arcs, dtype=np.int64)
    for flow in range(len(wish)):
        for entry in range(start[flow], start[flow + 1]):
            wanted[arcs[entry]] += weights[entry] * wish[flow]
            worth[arcs[entry]] += weights[entry]
            count[arcs[entry]] += 1
    return wanted, worth, count
