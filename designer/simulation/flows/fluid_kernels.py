"""Max-min fair rates of fluid flows and when they end: the inner loops, compiled.

Rows are flow x arc weights (CSR), columns the same by arc; `alive[arc]` is how much of a column is still in use.
"""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled

NOTHING = -1
QUEUED, TOUCHED = 1, 2  # of arcs
CHOSEN, WANTED = 1, 2  # of flows
SAME = 1e-11
# Rates that differ by a smaller share are one; an arc with a smaller share of its capacity left is full.


@compiled
def without_unlimited(start: Any, arcs: Any, weights: Any, capacity: Any) -> tuple[Any, Any, Any]:
    """The rows without arcs that can never be full."""
    n_unlimited = 0
    for entry in range(len(arcs)):
        n_unlimited += capacity[arcs[entry]] == np.inf
    if n_unlimited == 0:
        return start, arcs, weights
    kept_start, at = np.empty_like(start), 0
    kept, kept_weights = np.empty(len(arcs) - n_unlimited, dtype=arcs.dtype), np.empty(len(arcs) - n_unlimited)
    kept_start[0] = 0
    for flow in range(len(start) - 1):
        for entry in range(start[flow], start[flow + 1]):
            if capacity[arcs[entry]] != np.inf:
                kept[at], kept_weights[at] = arcs[entry], weights[entry]
                at += 1
        kept_start[flow + 1] = at
    return kept_start, kept, kept_weights


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
def first_met(arcs: Any, n_arcs: int) -> Any:
    """The arcs in the rows, each once, in the order they come."""
    met, seen, n_met = np.empty(n_arcs, dtype=np.int32), np.zeros(n_arcs, dtype=np.bool_), 0
    for entry in range(len(arcs)):
        arc = arcs[entry]
        if not seen[arc]:
            seen[arc] = True
            met[n_met] = arc
            n_met += 1
    return met[:n_met]


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
def _open_arc(
    arc: int,
    column_start: Any,
    column_flows: Any,
    column_weights: Any,
    alive: Any,
    ended: Any,
    is_open: Any,
    flows: Any,
) -> int:
    """Fills `flows` with the open flows of an arc, and drops ended ones from its column; returns how many."""
    entry, end, n_found = column_start[arc], column_start[arc] + alive[arc], 0
    while entry < end:
        flow = column_flows[entry]
        if ended[flow]:
            end -= 1
            column_flows[entry], column_weights[entry] = column_flows[end], column_weights[end]
            continue
        if is_open[flow]:
            flows[n_found] = flow
            n_found += 1
        entry += 1
    alive[arc] = end - column_start[arc]
    return n_found


@compiled
def fill(
    start: Any,
    arcs: Any,
    weights: Any,
    column_start: Any,
    column_flows: Any,
    column_weights: Any,
    alive: Any,
    whole: bool,
    ended: Any,
    rate: Any,
    limit: Any,
    state: Any,
    chosen: Any,
    n_chosen: int,
    touched: Any,
    n_touched: int,
    is_open: Any,
    keys: Any,
    flows: Any,
) -> int:
    """Raises the rates of the chosen flows together until each meets a full arc; the other flows keep theirs.

    `touched` names the arcs of the chosen flows. `whole` says that all weights are 1, so that they need not be read.
    Sets rate, limit (the arc that holds a flow back), and in `state` by arc the room that all flows leave; the rest of
    it is the weight of open flows there, and their number. Returns the number of entries read. All of the last line is
    scratch from `is_open` on, which comes and leaves all zero.
    """
    work = 0
    for place in range(n_touched):
        state[touched[place], 1], state[touched[place], 2] = 0.0, 0.0
    for place in range(n_chosen):
        flow = chosen[place]
        is_open[flow] = True
        work += start[flow + 1] - start[flow]
        for own in range(start[flow], start[flow + 1]):
            part, of = 1.0 if whole else weights[own], arcs[own]
            state[of, 0] += part * rate[flow]
            state[of, 1] += part
            state[of, 2] += 1.0
        rate[flow] = np.inf
        limit[flow] = NOTHING
    for place in range(n_touched):
        keys[place] = max(state[touched[place], 0], 0.0) / state[touched[place], 1]
    heap = touched[:n_touched].copy()
    size, n_left = n_touched, n_chosen
    for place in range(size // 2 - 1, -1, -1):
        _sink(heap, keys, size, place)
    water = 0.0
    while size > 0 and n_left > 0:
        arc = heap[0]
        if state[arc, 2] > 0.5:
            now = max(state[arc, 0], 0.0) / state[arc, 1]
            if now > keys[0] * (1.0 + 1e-12):  # flows stopped here at other arcs since; it fills later
                keys[0] = now
                _sink(heap, keys, size, 0)
                continue
            water = max(water, now)
            work += alive[arc]
            n_found = _open_arc(arc, column_start, column_flows, column_weights, alive, ended, is_open, flows)
            for place in range(n_found):
                flow = flows[place]
                is_open[flow] = False
                n_left -= 1
                rate[flow] = water
                limit[flow] = arc
                for own in range(start[flow], start[flow + 1]):
                    part, of = 1.0 if whole else weights[own], arcs[own]
                    state[of, 0] -= part * water
                    state[of, 1] -= part
                    state[of, 2] -= 1.0
        size -= 1
        heap[0], keys[0] = heap[size], keys[size]
        if size > 0:
            _sink(heap, keys, size, 0)
    for place in range(n_chosen):
        is_open[chosen[place]] = False
    return work


@compiled
def note_peaks(touched: Any, n_touched: int, state: Any, capacity: Any, peak: Any) -> None:
    """Raises `peak`, the highest use of an arc's capacity so far, where arcs are used more now."""
    for place in range(n_touched):
        arc = touched[place]
        if capacity[arc] > 0.0:
            peak[arc] = max(peak[arc], 1.0 - state[arc, 0] / capacity[arc])


@compiled
def _choose(
    flow: int,
    now: float,
    n_chosen: int,
    start: Any,
    arcs: Any,
    rate: Any,
    left: Any,
    since: Any,
    chosen: Any,
    choice: Any,
    seen: Any,
    touched: Any,
    n_touched: int,
) -> tuple[int, int]:
    """Adds a flow to the chosen, its arcs to the touched, and what it has sent till now is off. Returns the numbers."""
    choice[flow] = CHOSEN
    chosen[n_chosen] = flow
    left[flow] = max(0.0, left[flow] - rate[flow] * (now - since[flow]))
    since[flow] = now
    for own in range(start[flow], start[flow + 1]):
        arc = arcs[own]
        if seen[arc] < TOUCHED:
            seen[arc] = TOUCHED
            touched[n_touched] = arc
            n_touched += 1
    return n_chosen + 1, n_touched


@compiled
def _unsettled(
    touched: Any,
    n_touched: int,
    column_start: Any,
    column_flows: Any,
    column_weights: Any,
    alive: Any,
    ended: Any,
    capacity: Any,
    rate: Any,
    limit: Any,
    state: Any,
    choice: Any,
    wanted: Any,
) -> tuple[int, int]:
    """Fills `wanted` with flows not chosen that have to change with the chosen; returns (how many, entries read).

    Such a flow is faster where a chosen one is held back, or its own arc is full no more, or lets others be faster.
    """
    n_wanted, read = 0, 0
    for place in range(n_touched):
        arc = touched[place]
        is_full = state[arc, 0] <= SAME * capacity[arc]
        fastest, held, entry, end = 0.0, np.inf, column_start[arc], column_start[arc] + alive[arc]
        while entry < end:
            flow = column_flows[entry]
            if ended[flow]:
                end -= 1
                column_flows[entry], column_weights[entry] = column_flows[end], column_weights[end]
                continue
            entry += 1
            fastest = max(fastest, rate[flow])
            if choice[flow] == CHOSEN and limit[flow] == arc:
                held = min(held, rate[flow])
        alive[arc] = end - column_start[arc]
        read += alive[arc]
        for entry in range(column_start[arc], end):
            flow = column_flows[entry]
            if choice[flow] == 0:
                is_own = limit[flow] == arc and (not is_full or rate[flow] < fastest * (1.0 - SAME))
                if is_own or rate[flow] > held * (1.0 + SAME):
                    choice[flow] = WANTED
                    wanted[n_wanted] = flow
                    n_wanted += 1
    return n_wanted, read


@compiled
def _entries_on(some_arcs: Any, n_some: int, alive: Any) -> int:
    """How many entries the columns of some arcs have."""
    n_entries = 0
    for place in range(n_some):
        n_entries += alive[some_arcs[place]]
    return n_entries


@compiled
def _entries_at_least(floor: float, rate: Any, start: Any, running: Any, n_running: int) -> int:
    """How many entries the rows of all running flows have that are so fast."""
    n_entries = 0
    for place in range(n_running):
        flow = running[place]
        if rate[flow] >= floor:
            n_entries += start[flow + 1] - start[flow]
    return n_entries


@compiled
def advance(
    start: Any,
    arcs: Any,
    weights: Any,
    column_start: Any,
    column_flows: Any,
    column_weights: Any,
    alive: Any,
    capacity: Any,
    whole: bool,
    ended: Any,
    rate: Any,
    limit: Any,
    peak: Any,
    state: Any,
    tolerance: float,
    work_limit: int,
    left: Any,
    since: Any,
    finish: Any,
    running: Any,
    clock: Any,
) -> int:
    """Lets flows end until none runs or about `work_limit` entries were read; returns how many still run.

    `running` holds the flows that run in its first clock[1] places, clock[0] the time, clock[2] counts re-solves.
    When a flow ends, first those change that its arcs held back. Where rates are then at odds with those of others,
    these change too, until every flow again has a full arc on which none is faster: by that rates are max-min fair.
    Where that leads far, all flows are taken at once that can change at all: those at the rate of the ended one or
    above, for of slower ones no arc had room to spare that it used. Ends within `tolerance` of each other count as one.
    """
    n_flows, n_arcs = len(rate), len(capacity)
    chosen, flows = np.empty(n_flows, dtype=np.int32), np.empty(n_flows, dtype=np.int32)
    choice, is_open = np.zeros(n_flows, dtype=np.uint8), np.zeros(n_flows, dtype=np.bool_)
    seen, queue = np.zeros(n_arcs, dtype=np.uint8), np.empty(n_arcs, dtype=np.int32)
    touched, wanted = np.empty(n_arcs, dtype=np.int32), np.empty(n_flows, dtype=np.int32)
    keys = np.empty(n_arcs)
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
                    state[arc, 0] += (1.0 if whole else weights[entry]) * rate[flow]
                    if seen[arc] == 0:
                        seen[arc] = QUEUED
                        queue[n_queue] = arc
                        n_queue += 1
            else:
                running[kept] = flow
                kept += 1
        n_running = kept
        n_chosen, n_touched, n_wanted, read, most = 0, 0, 0, 0, -1
        floor = slowest * (1.0 - 1e-9)
        read = _entries_on(queue, n_queue, alive)
        leads_far = False
        if read > n_running:
            most = _entries_at_least(floor, rate, start, running, n_running)
            leads_far = read > most
        for place in range(0 if leads_far else n_queue):
            arc = queue[place]
            for entry in range(column_start[arc], column_start[arc] + alive[arc]):
                flow = column_flows[entry]
                if limit[flow] == arc and choice[flow] == 0 and not ended[flow]:
                    choice[flow] = WANTED
                    wanted[n_wanted] = flow
                    n_wanted += 1
        while n_wanted > 0 or leads_far:
            for place in range(n_wanted):
                n_chosen, n_touched = _choose(
                    wanted[place],
                    now,
                    n_chosen,
                    start,
                    arcs,
                    rate,
                    left,
                    since,
                    chosen,
                    choice,
                    seen,
                    touched,
                    n_touched,
                )
            ahead = read + _entries_on(touched, n_touched, alive)
            if ahead > n_running and most < 0:
                most = _entries_at_least(floor, rate, start, running, n_running)
            leads_far = leads_far or (ahead > n_running and ahead > most)
            for place in range(n_running if leads_far else 0):
                flow = running[place]
                if choice[flow] == 0 and rate[flow] >= floor:
                    n_chosen, n_touched = _choose(
                        flow, now, n_chosen, start, arcs, rate, left, since, chosen, choice, seen, touched, n_touched
                    )
            read += fill(
                start,
                arcs,
                weights,
                column_start,
                column_flows,
                column_weights,
                alive,
                whole,
                ended,
                rate,
                limit,
                state,
                chosen,
                n_chosen,
                touched,
                n_touched,
                is_open,
                keys,
                flows,
            )
            if leads_far:
                break
            n_wanted, looked_at = _unsettled(
                touched,
                n_touched,
                column_start,
                column_flows,
                column_weights,
                alive,
                ended,
                capacity,
                rate,
                limit,
                state,
                choice,
                wanted,
            )
            read += looked_at
        work += read
        note_peaks(touched, n_touched, state, capacity, peak)
        for place in range(n_queue):
            seen[queue[place]] = 0
        for place in range(n_touched):
            seen[touched[place]] = 0
        for place in range(n_chosen):
            flow = chosen[place]
            choice[flow] = 0
            # A flow without room waits for another to end.
            finish[flow] = now + left[flow] / rate[flow] if rate[flow] > 0.0 else np.inf
        clock[2] += 1
    clock[0], clock[1] = now, n_running
    return n_running
