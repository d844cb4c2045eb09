"""Max-min fair rates of fluid flows and when they end: the inner loops, compiled.

Rows are flow x arc weights (CSR), columns the same by arc.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_borrowing
from designer.routing.transport_kernels import Floats, Ints, Longs, Rows

NOTHING = -1
QUEUED, TOUCHED = 1, 2  # of arcs
CHOSEN, WANTED = 1, 2  # of flows
SAME = 1e-11
# Rates that differ by a smaller share are one; an arc with a smaller share of its capacity left is full.
Flags = NDArray[np.bool_]
Marks = NDArray[np.uint8]


class Columns(NamedTuple):
    """The rows turned round: by arc, the flows on it and the share of their rate."""

    start: Longs  # (n_arcs + 1,)
    flows: Ints
    weights: Floats
    alive: Longs  # (n_arcs,) how much of a column is still in use: ended flows are dropped from it


class Sharing(NamedTuple):
    """Flows that share arcs, and what each has of them."""

    rows: Rows
    columns: Columns
    whole: bool  # all weights are 1, so that they need not be read
    capacity: Floats  # (n_arcs,) in bytes/s, as rates are
    state: Floats  # (n_arcs, 4) the room that all flows leave, the weight of open flows, and their number
    ended: Flags  # (n_flows,)
    rate: Floats
    limit: Ints  # (n_flows,) the arc that holds a flow back, NOTHING where none does


class Course(NamedTuple):
    """How far flows have come."""

    left: Floats  # (n_flows,) bytes at the time `since`
    since: Floats
    finish: Floats
    running: Ints  # (n_flows,) those that run in the first clock[1] places
    clock: Floats  # (3,) the time, how many run, how often rates were solved again
    peak: Floats  # (n_arcs,) highest use, as a share of capacity


class Filling(NamedTuple):
    """Which flows change, and room to find their rates; `is_open` comes and leaves all False."""

    chosen: Ints  # (n_flows,)
    touched: Ints  # (n_arcs,) the arcs of chosen flows
    is_open: Flags  # (n_flows,)
    keys: Floats  # (n_arcs,)
    flows: Ints  # (n_flows,)


class Choice(NamedTuple):
    """Which flows change while rates are solved again, and over which arcs they go."""

    chosen: Ints  # (n_flows,)
    choice: Marks  # (n_flows,)
    touched: Ints  # (n_arcs,)
    seen: Marks  # (n_arcs,)


@compiled
def without_unlimited(rows: Rows, capacity: Floats) -> Rows:
    """The rows without arcs that can never be full."""
    start, arcs, weights = rows
    n_unlimited = 0
    for entry in range(len(arcs)):
        n_unlimited += capacity[arcs[entry]] == np.inf
    if n_unlimited == 0:
        return rows
    kept_start, at = np.empty_like(start), 0
    kept, kept_weights = np.empty(len(arcs) - n_unlimited, dtype=arcs.dtype), np.empty(len(arcs) - n_unlimited)
    kept_start[0] = 0
    for flow in range(len(start) - 1):
        for entry in range(start[flow], start[flow + 1]):
            if capacity[arcs[entry]] != np.inf:
                kept[at], kept_weights[at] = arcs[entry], weights[entry]
                at += 1
        kept_start[flow + 1] = at
    return Rows(kept_start, kept, kept_weights)


@compiled
def columns(rows: Rows, n_arcs: int) -> Columns:
    """The rows turned round."""
    start, arcs, weights = rows
    column_start = np.zeros(n_arcs + 1, dtype=np.int64)
    for entry in range(len(arcs)):
        column_start[arcs[entry] + 1] += 1
    alive = column_start[1:].copy()
    for arc in range(n_arcs):
        column_start[arc + 1] += column_start[arc]
    place = column_start[:-1].copy()
    flows, turned = np.empty(len(arcs), dtype=np.int32), np.empty(len(arcs))
    for flow in range(len(start) - 1):
        for entry in range(start[flow], start[flow + 1]):
            at = place[arcs[entry]]
            place[arcs[entry]] += 1
            flows[at], turned[at] = flow, weights[entry]
    return Columns(column_start, flows, turned, alive)


@compiled
def first_met(arcs: Ints, n_arcs: int) -> Ints:
    """The arcs in the rows, each once, in the order they come."""
    met, seen, n_met = np.empty(n_arcs, dtype=np.int32), np.zeros(n_arcs, dtype=np.bool_), 0
    for entry in range(len(arcs)):
        arc = arcs[entry]
        if not seen[arc]:
            seen[arc] = True
            met[n_met] = arc
            n_met += 1
    return met[:n_met]


@compiled_borrowing
def _sink(heap: Ints, keys: Floats, size: int, place: int) -> None:
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


@compiled_borrowing
def _open_arc(arc: int, columns: Columns, ended: Flags, is_open: Flags, flows: Ints) -> int:
    """Fills `flows` with the open flows of an arc, and drops ended ones from its column; returns how many."""
    column_start, column_flows, column_weights, alive = columns
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
def fill(sharing: Sharing, filling: Filling, n_chosen: int, n_touched: int) -> int:
    """Raises the rates of the chosen flows together until each meets a full arc; the other flows keep theirs.

    Sets rate and limit, and in `state` the room that all flows leave. Returns the number of entries read.
    """
    rows, columns, whole, _, state, ended, rate, limit = sharing
    start, arcs, weights = rows
    chosen, touched, is_open, keys, flows = filling
    work, alive = 0, columns.alive
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
            n_found = _open_arc(arc, columns, ended, is_open, flows)
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


@compiled_borrowing
def note_peaks(touched: Ints, n_touched: int, sharing: Sharing, peak: Floats) -> None:
    """Raises `peak`, the highest use of an arc's capacity so far, where arcs are used more now."""
    state, capacity = sharing.state, sharing.capacity
    for place in range(n_touched):
        arc = touched[place]
        if capacity[arc] > 0.0:
            peak[arc] = max(peak[arc], 1.0 - state[arc, 0] / capacity[arc])


@compiled_borrowing
def _choose(
    flow: int, now: float, n_chosen: int, n_touched: int, rows: Rows, rate: Floats, course: Course, noted: Choice
) -> tuple[int, int]:
    """Adds a flow to the chosen, its arcs to the touched, and what it has sent till now is off. Returns the numbers."""
    chosen, choice, touched, seen = noted
    start, arcs, left, since = rows.start, rows.items, course.left, course.since
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


@compiled_borrowing
def _unsettled(touched: Ints, n_touched: int, sharing: Sharing, choice: Marks, wanted: Ints) -> tuple[int, int]:
    """Fills `wanted` with flows not chosen that have to change with the chosen; returns (how many, entries read).

    Such a flow is faster where a chosen one is held back, or its own arc is full no more, or lets others be faster.
    """
    _, columns, _, capacity, state, ended, rate, limit = sharing
    column_start, column_flows, column_weights, alive = columns
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


@compiled_borrowing
def _entries_on(some_arcs: Ints, n_some: int, alive: Longs) -> int:
    """How many entries the columns of some arcs have."""
    n_entries = 0
    for place in range(n_some):
        n_entries += alive[some_arcs[place]]
    return n_entries


@compiled_borrowing
def _entries_at_least(floor: float, rate: Floats, start: Longs, running: Ints, n_running: int) -> int:
    """How many entries the rows of all running flows have that are so fast."""
    n_entries = 0
    for place in range(n_running):
        flow = running[place]
        if rate[flow] >= floor:
            n_entries += start[flow + 1] - start[flow]
    return n_entries


@compiled
def advance(sharing: Sharing, course: Course, tolerance: float, work_limit: int) -> int:
    """Lets flows end until none runs or about `work_limit` entries were read; returns how many still run.

    When a flow ends, first those change that its arcs held back. Where rates are then at odds with those of others,
    these change too, until every flow again has a full arc on which none is faster: by that rates are max-min fair.
    Where that leads far, all flows are taken at once that can change at all: those at the rate of the ended one or
    above, for of slower ones no arc had room to spare that it used. Ends within `tolerance` of each other count as one.
    """
    rows, columns, whole, _, state, ended, rate, limit = sharing
    left, _, finish, running, clock, peak = course
    start, arcs, weights = rows
    column_start, column_flows, _, alive = columns
    n_flows, n_arcs = len(rate), len(state)
    chosen, touched = np.empty(n_flows, dtype=np.int32), np.empty(n_arcs, dtype=np.int32)
    is_open, flows = np.zeros(n_flows, dtype=np.bool_), np.empty(n_flows, dtype=np.int32)
    filling = Filling(chosen, touched, is_open, np.empty(n_arcs), flows)
    choice, seen = np.zeros(n_flows, dtype=np.uint8), np.zeros(n_arcs, dtype=np.uint8)
    noted = Choice(chosen, choice, touched, seen)
    queue, wanted = np.empty(n_arcs, dtype=np.int32), np.empty(n_flows, dtype=np.int32)
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
                n_chosen, n_touched = _choose(wanted[place], now, n_chosen, n_touched, rows, rate, course, noted)
            ahead = read + _entries_on(touched, n_touched, alive)
            if ahead > n_running and most < 0:
                most = _entries_at_least(floor, rate, start, running, n_running)
            leads_far = leads_far or (ahead > n_running and ahead > most)
            for place in range(n_running if leads_far else 0):
                flow = running[place]
                if choice[flow] == 0 and rate[flow] >= floor:
                    n_chosen, n_touched = _choose(flow, now, n_chosen, n_touched, rows, rate, course, noted)
            read += fill(sharing, filling, n_chosen, n_touched)
            if leads_far:
                break
            n_wanted, looked_at = _unsettled(touched, n_touched, sharing, choice, wanted)
            read += looked_at
        work += read
        note_peaks(touched, n_touched, sharing, peak)
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
