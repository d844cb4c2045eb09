"""How far pauses reach: the inner loop, compiled. Rows are flow x arc weights (CSR), columns the same by arc."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_borrowing
from designer.routing.transport_kernels import Floats, Ints, Rows
from designer.simulation.flows.fluid_kernels import Columns

SAME = 1e-9


class Arcs(NamedTuple):
    """Where arcs lead, as the graph has it."""

    source: Ints
    target: Ints
    is_cable: NDArray[np.bool_]


class Pauses(NamedTuple):
    """What becomes of arcs, each where it is paused: see `spread`."""

    paused: Floats
    hot: Ints
    onward: Ints
    distance: Ints


class Way(NamedTuple):
    """A flow's arcs in the order they were found, and scratch by vertex; `step_of` comes and leaves all zero."""

    found: Ints
    beyond: Ints
    step_of: Ints
    onward: Ints


@compiled_borrowing
def _ways_to(rows: Rows, arc_ends: Arcs, flow: int, n_seeds: int, way: Way) -> int:
    """Fills `found` from place n_seeds on with the flow's arcs that lead to those before, the nearest first.

    `beyond` is by each the place of the arc that it feeds. Returns the number of places filled.
    """
    start, arcs, source, target = rows.start, rows.items, arc_ends.source, arc_ends.target
    found, beyond, step_of, onward = way
    for place in range(n_seeds):
        vertex = source[found[place]]
        if step_of[vertex] == 0:
            step_of[vertex], onward[vertex] = 1, place
    n_found, step, grows = n_seeds, 1, True
    while grows:
        grows = False
        for back in range(start[flow + 1] - 1, start[flow] - 1, -1):
            arc = arcs[back]
            if step_of[target[arc]] == step:
                is_seed = False
                for place in range(n_seeds):
                    is_seed |= found[place] == arc
                if is_seed:
                    continue
                found[n_found], beyond[n_found] = arc, onward[target[arc]]
                if step_of[source[arc]] == 0:
                    step_of[source[arc]], onward[source[arc]] = step + 1, n_found
                    grows = True
                n_found += 1
        step += 1
    for place in range(n_found):
        step_of[source[found[place]]] = 0
    return n_found


@compiled
def spread(
    rows: Rows,
    columns: Columns,
    arc_ends: Arcs,
    n_vertices: int,
    hot_flows: Ints,
    pace: Floats,
    held_at: Ints,
    pauses: Pauses,
) -> None:
    """Pauses every cable that feeds an arc where a flow is held back, and holds back every flow on a paused cable.

    `pace` and `held_at` (n_flows,) come with rates and full arcs, `hot_flows` names the flows that these hold back,
    slowest first. `paused` (n_arcs,) becomes the pace that flows on an arc are down to, infinite where not paused;
    `hot` names the full arc that is the cause, `onward` the next paused arc towards it, `distance` how many
    cables away it is. As the slowest spread first, a pace that was set never changes.
    """
    start, arcs, is_cable = rows.start, rows.items, arc_ends.is_cable
    paused, hot, onward, distance = pauses
    column_start, column_flows, on_arc = columns.start, columns.flows, columns.alive
    n_flows, longest = len(pace), 0
    for flow in range(n_flows):
        longest = max(longest, start[flow + 1] - start[flow])
    step_of, onward_of = np.zeros(n_vertices, dtype=np.int32), np.zeros(n_vertices, dtype=np.int32)
    found, beyond = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int32)
    way = Way(found, beyond, step_of, onward_of)
    causes, steps = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int32)
    cables = np.empty(longest, dtype=np.int32)  # the next cable on, or what held the flow
    slowed, waits = np.zeros(n_flows, dtype=np.bool_), np.zeros(n_flows, dtype=np.bool_)
    queue = np.empty(n_flows, dtype=np.int32)  # a ring: a flow waits in it once at most
    for first in hot_flows:
        if slowed[first]:
            continue
        queue[0], at, n_waiting = first, 0, 1
        while n_waiting > 0:
            flow = queue[at]
            at, n_waiting, waits[flow] = (at + 1) % n_flows, n_waiting - 1, False
            now, n_seeds = pace[flow], 0
            if not slowed[flow]:
                found[0], n_seeds = held_at[flow], 1
                causes[0], steps[0] = held_at[flow], 0
            else:
                for entry in range(start[flow], start[flow + 1]):
                    arc = arcs[entry]
                    if paused[arc] <= now * (1.0 + SAME):  # a faster one does not hold it back
                        found[n_seeds], causes[n_seeds], steps[n_seeds] = arc, hot[arc], distance[arc]
                        n_seeds += 1
            n_found = _ways_to(rows, arc_ends, flow, n_seeds, way)
            for place in range(n_seeds, n_found):
                arc, after = found[place], beyond[place]
                causes[place] = causes[after]
                steps[place] = steps[after] + (1 if is_cable[arc] else 0)
                cables[place] = found[after] if after < n_seeds or is_cable[found[after]] else cables[after]
                if is_cable[arc] and paused[arc] < np.inf:  # what feeds it waits for what it waits for itself
                    causes[place], steps[place] = hot[arc], distance[arc]
                    continue
                if not is_cable[arc]:
                    continue
                paused[arc], hot[arc], onward[arc], distance[arc] = now, causes[place], cables[place], steps[place]
                for entry in range(column_start[arc], column_start[arc] + on_arc[arc]):
                    other = column_flows[entry]
                    if pace[other] > now * (1.0 + SAME):
                        pace[other], held_at[other], slowed[other] = now, arc, True
                    if slowed[other] and not waits[other] and other != flow:
                        queue[(at + n_waiting) % n_flows] = other
                        waits[other] = True
                        n_waiting += 1
