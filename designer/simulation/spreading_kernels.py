"""How far pauses reach: the inner loop, compiled. Rows are flow x arc weights (CSR), columns the same by arc."""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled

NOTHING = -1
SAME = 1e-9


@compiled
def _ways_to(
    start: Any, arcs: Any, source: Any, target: Any, is_cable: Any, flow: int, held_at: int, near: int,
    step_of: Any, far: Any, onward: Any, found: Any, beyond: Any, steps: Any,
) -> int:  # fmt: skip
    """Fills `found` with the flow's arcs that lead to the one it is held at, the nearest first; returns how many.

    `beyond` is by each the arc it feeds, `steps` the cables from it to the hot port where the arc it is held at has
    `near`. The rest is scratch by vertex; `step_of` comes and leaves all zero.
    """
    step_of[source[held_at]], far[source[held_at]], onward[source[held_at]] = 1, near, held_at
    n_found, step, grows = 0, 1, True
    while grows:
        grows = False
        for back in range(start[flow + 1] - 1, start[flow] - 1, -1):
            arc = arcs[back]
            if step_of[target[arc]] == step and arc != held_at:
                found[n_found], beyond[n_found] = arc, onward[target[arc]]
                steps[n_found] = far[target[arc]] + (1 if is_cable[arc] else 0)
                n_found += 1
                if step_of[source[arc]] == 0:
                    step_of[source[arc]], far[source[arc]] = step + 1, steps[n_found - 1]
                    onward[source[arc]] = arc
                    grows = True
        step += 1
    step_of[source[held_at]] = 0
    for place in range(n_found):
        step_of[source[found[place]]] = 0
    return n_found


@compiled
def spread(
    start: Any, arcs: Any, column_start: Any, column_flows: Any, source: Any, target: Any, is_cable: Any,
    n_vertices: int, hot_flows: Any, pace: Any, held_at: Any, paused: Any, hot: Any, onward: Any, distance: Any,
) -> None:  # fmt: skip
    """Pauses every cable that feeds an arc where a flow is held back, and holds back every flow on a paused cable.

    `pace` and `held_at` (n_flows,) come with the flows held back by a full arc, named by `hot_flows` slowest first, and
    leave with all. `paused` (n_arcs,) is the pace that flows on it are down to, infinite where not paused; `hot` names
    the full arc that is the cause, `onward` the arc towards it that it feeds, `distance` how many cables away it is.
    As the slowest spread first, no arc and no flow is visited twice.
    """
    n_flows = len(pace)
    longest = 0
    for flow in range(n_flows):
        longest = max(longest, start[flow + 1] - start[flow])
    step_of, far = np.zeros(n_vertices, dtype=np.int32), np.zeros(n_vertices, dtype=np.int32)
    onward_of = np.zeros(n_vertices, dtype=np.int32)
    found, beyond = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int32)
    steps = np.empty(longest, dtype=np.int32)
    done, waits = np.zeros(n_flows, dtype=np.bool_), np.zeros(n_flows, dtype=np.bool_)
    queue = np.empty(n_flows, dtype=np.int32)
    for first in hot_flows:
        if done[first]:
            continue
        queue[0], n_queue, at = first, 1, 0
        waits[first] = True
        while at < n_queue:
            flow = queue[at]
            at += 1
            done[flow] = True
            place_held = held_at[flow]
            is_root = paused[place_held] > pace[flow] * (1.0 + SAME)
            cause = place_held if is_root else hot[place_held]
            near = 0 if is_root else distance[place_held]
            n_found = _ways_to(
                start, arcs, source, target, is_cable, flow, place_held, near, step_of, far, onward_of, found, beyond,
                steps,
            )  # fmt: skip
            for place in range(n_found):
                arc = found[place]
                if not is_cable[arc] or paused[arc] < np.inf:
                    continue
                paused[arc], hot[arc] = pace[flow], cause
                onward[arc], distance[arc] = beyond[place], steps[place]
                for entry in range(column_start[arc], column_start[arc + 1]):
                    other = column_flows[entry]
                    if not done[other] and not waits[other] and pace[other] > pace[flow] * (1.0 + SAME):
                        pace[other], held_at[other] = pace[flow], arc
                        queue[n_queue] = other
                        n_queue += 1
                        waits[other] = True
