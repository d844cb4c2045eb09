"""Max-min fair rates of fluid flows and when they end: the inner loops, compiled.

Rows are flow x arc weights (CSR), columns the same by arc; `alive[arc]` is how much of a column is still in use.
"""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled

NOTHING = -1


@compiled
def columns(start: Any, arcs: Any, weights: Any, n_arcs: int) -> tuple[Any, Any, Any]:
    """(column_start, flows, weights): the rows turned round."""
    column_start = np.zeros(n_arcs + 1, dtype=np.int64)
    for entry in range(len(arcs)):
        column_start[arcs[entry] + 1] += 1
    for arc in range(n_arcs):
        column_start[arc + 1] += column_start[arc]
    place = column_start[:-1].copy()
    flows, turned = np.empty(len(arcs), dtype=np.int32), np.empty(len(arcs))
    for flow in range(len(start) - 1):
        for entry in range(start[flow], start[flow + 1]):
            at = place[arcs[entry]]
            place[arcs[entry]] += 1
            flows[at], turned[at] = flow, weights[entry]
    return column_start, flows, turned


@compiled
def _sink(heap: Any, keys: Any, size: int, place: int) -> None:
    """Restores the order of a heap of arcs by their keys, which move along, after the one at `place` rose."""
    arc, key = heap[place], keys[place]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        heap[place], keys[place] = heap[child], keys[child]
        place = child
    heap[place], keys[place] = arc, key


@compiled
def _drop_ended(column_start: Any, column_flows: Any, column_weights: Any, alive: Any, ended: Any, arc: int) -> None:
    place, end = column_start[arc], column_start[arc] + alive[arc]
    while place < end:
        if ended[column_flows[place]]:
            end -= 1
            column_flows[place], column_weights[place] = column_flows[end], column_weights[end]
        else:
            place += 1
    alive[arc] = end - column_start[arc]


@compiled
def fill(
    start: Any, arcs: Any, weights: Any, column_start: Any, column_flows: Any, column_weights: Any, alive: Any,
    capacity: Any, whole: bool, ended: Any, rate: Any, limit: Any, peak: Any, chosen: Any, n_chosen: int,
    is_open: Any, seen: Any, touched: Any, room: Any, weight: Any, n_open: Any, keys: Any,
) -> int:  # fmt: skip
    """Raises the rates of the chosen flows together until each meets a full arc; the other flows keep theirs.

    `whole` says that all weights are 1, so that they need not be read. Sets rate, limit (the arc that holds a flow
    back) and peak (highest use of an arc's capacity so far). Returns the number of column entries read. All of the
    last line is scratch, `is_open` and `seen` come and leave all zero.
    """
    n_touched, work = 0, 0
    for place in range(n_chosen):
        flow = chosen[place]
        is_open[flow] = True
        rate[flow] = np.inf
        limit[flow] = NOTHING
        for entry in range(start[flow], start[flow + 1]):
            arc = arcs[entry]
            if not seen[arc]:
                seen[arc] = True
                touched[n_touched] = arc
                n_touched += 1
    for place in range(n_touched):
        arc = touched[place]
        _drop_ended(column_start, column_flows, column_weights, alive, ended, arc)
        room[arc], weight[arc], n_open[arc] = capacity[arc], 0.0, 0
        work += alive[arc]
        for entry in range(column_start[arc], column_start[arc] + alive[arc]):
            flow = column_flows[entry]
            if is_open[flow]:
                weight[arc] += column_weights[entry]
                n_open[arc] += 1
            else:
                room[arc] -= column_weights[entry] * rate[flow]
        keys[place] = max(room[arc], 0.0) / weight[arc]
    heap = touched[:n_touched].copy()
    size, n_left = n_touched, n_chosen
    for place in range(size // 2 - 1, -1, -1):
        _sink(heap, keys, size, place)
    water = 0.0
    while size > 0 and n_left > 0:
        arc = heap[0]
        if n_open[arc] > 0:
            now = max(room[arc], 0.0) / weight[arc]
            if now > keys[0] * (1.0 + 1e-12):  # flows stopped here at other arcs since; it fills later
                keys[0] = now
                _sink(heap, keys, size, 0)
                continue
            water = max(water, now)
            for entry in range(column_start[arc], column_start[arc] + alive[arc]):
                flow = column_flows[entry]
                if is_open[flow]:
                    is_open[flow] = False
                    n_left -= 1
                    rate[flow] = water
                    limit[flow] = arc
                    for own in range(start[flow], start[flow + 1]):
                        part = 1.0 if whole else weights[own]
                        room[arcs[own]] -= part * water
                        weight[arcs[own]] -= part
                        n_open[arcs[own]] -= 1
        size -= 1
        heap[0], keys[0] = heap[size], keys[size]
        if size > 0:
            _sink(heap, keys, size, 0)
    for place in range(n_touched):
        arc = touched[place]
        seen[arc] = False
        peak[arc] = max(peak[arc], 1.0 - room[arc] / capacity[arc])
    for place in range(n_chosen):
        is_open[chosen[place]] = False
    return work


@compiled
def advance(
    start: Any, arcs: Any, weights: Any, column_start: Any, column_flows: Any, column_weights: Any, alive: Any,
    capacity: Any, whole: bool, tolerance: float, work_limit: int,
    ended: Any, rate: Any, limit: Any, peak: Any, left: Any, since: Any, finish: Any, running: Any, clock: Any,
) -> int:  # fmt: skip
    """Lets flows end until none runs or about `work_limit` entries were read; returns how many still run.

    `running` holds the flows that run in its first clock[1] places, clock[0] the time, clock[2] counts re-solves.
    When a flow ends only flows at its rate or above, joined to it by arcs, can change: of a slower flow no arc had
    room to spare that the ended one used. Ends within `tolerance` of each other count as one.
    """
    n_flows, n_arcs = len(rate), len(capacity)
    chosen = np.empty(n_flows, dtype=np.int32)
    is_chosen = np.zeros(n_flows, dtype=np.bool_)
    is_open = np.zeros(n_flows, dtype=np.bool_)
    seen, seen_here = np.zeros(n_arcs, dtype=np.bool_), np.zeros(n_arcs, dtype=np.bool_)
    touched, queue = np.empty(n_arcs, dtype=np.int32), np.empty(n_arcs, dtype=np.int32)
    room, weight, keys = np.empty(n_arcs), np.empty(n_arcs), np.empty(n_arcs)
    n_open = np.empty(n_arcs, dtype=np.int64)
    n_running, now, work = int(clock[1]), clock[0], 0
    while n_running > 0 and work < work_limit:
        work += n_running
        soonest = np.inf
        for place in range(n_running):
            soonest = min(soonest, finish[running[place]])
        last = soonest * (1.0 + tolerance)
        kept, n_queue, slowest = 0, 0, np.inf
        for place in range(n_running):
            flow = running[place]
            if finish[flow] <= last:
                now = max(now, finish[flow])
                ended[flow] = True
                slowest = min(slowest, rate[flow])
                for entry in range(start[flow], start[flow + 1]):
                    arc = arcs[entry]
                    if not seen_here[arc]:
                        seen_here[arc] = True
                        queue[n_queue] = arc
                        n_queue += 1
            else:
                running[kept] = flow
                kept += 1
        n_running = kept
        n_chosen, done = 0, 0
        floor = slowest * (1.0 - 1e-9)
        while done < n_queue:
            arc = queue[done]
            done += 1
            _drop_ended(column_start, column_flows, column_weights, alive, ended, arc)
            work += alive[arc]
            for entry in range(column_start[arc], column_start[arc] + alive[arc]):
                flow = column_flows[entry]
                if rate[flow] >= floor and not is_chosen[flow]:
                    is_chosen[flow] = True
                    chosen[n_chosen] = flow
                    n_chosen += 1
                    for own in range(start[flow], start[flow + 1]):
                        if not seen_here[arcs[own]]:
                            seen_here[arcs[own]] = True
                            queue[n_queue] = arcs[own]
                            n_queue += 1
        for place in range(n_queue):
            seen_here[queue[place]] = False
        for place in range(n_chosen):
            flow = chosen[place]
            left[flow] = max(0.0, left[flow] - rate[flow] * (now - since[flow]))
            since[flow] = now
        work += fill(
            start, arcs, weights, column_start, column_flows, column_weights, alive, capacity, whole, ended, rate,
            limit, peak, chosen, n_chosen, is_open, seen, touched, room, weight, n_open, keys,
        )  # fmt: skip
        for place in range(n_chosen):
            flow = chosen[place]
            is_chosen[flow] = False
            finish[flow] = now + left[flow] / rate[flow]
        clock[2] += 1
    clock[0], clock[1] = now, n_running
    return n_running
