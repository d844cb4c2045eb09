"""Max-min fair rates of fluid flows and when they end: the inner loops, compiled.

Rows are flow x arc weights (CSR), columns the same by arc.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_borrowing
from designer.graph.hash_kernels import mixed
from designer.routing.transport_kernels import Floats, Ints, Longs, Rows

NOTHING = -1
Flags = NDArray[np.bool_]
Marks = NDArray[np.uint8]
Hashes = NDArray[np.uint64]


class Columns(NamedTuple):
    """The rows turned round: by arc, the flows on it and the share of their rate."""

    start: Longs  # (n_arcs,)
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

    flows: Floats  # (n_flows, 4) the bytes left at a time, that time, the end at its rate; the fourth is room
    running: Ints  # (n_flows,) those that run in the first clock[1] places, and some that have ended since
    clock: Floats  # (3,) the time, how many ran, how often rates were solved again
    peak: Floats  # (n_arcs,) highest use, as a share of capacity


class Filling(NamedTuple):
    """Which flows change, and room to find their rates; `is_open` comes and leaves all False."""

    chosen: Ints  # (n_flows,)
    touched: Ints  # (n_arcs,) the arcs of chosen flows
    is_open: Flags  # (n_flows,)
    keys: Floats  # (n_arcs,)
    flows: Ints  # (n_flows,)


@compiled
def kept_counts(rows: Rows, first: int, last: int, number: Ints) -> Longs:
    """How many entries of each row numbered first to last - 1 have an arc whose number is not below 0."""
    start, arcs, _ = rows
    found = np.zeros(last - first, dtype=np.int64)
    for flow in range(first, last):
        n_kept = 0
        for entry in range(start[flow], start[flow + 1]):
            n_kept += number[arcs[entry]] >= 0
        found[flow - first] = n_kept
    return found


@compiled
def renumber(rows: Rows, first: int, last: int, number: Ints, into: Rows) -> None:
    """Writes the rows numbered first to last - 1 with other numbers for arcs, without those whose number is below 0."""
    start, arcs, weights = rows
    into_start, kept, kept_weights = into
    for flow in range(first, last):
        at = into_start[flow]
        for entry in range(start[flow], start[flow + 1]):
            if number[arcs[entry]] >= 0:
                kept[at], kept_weights[at] = number[arcs[entry]], weights[entry]
                at += 1


@compiled
def are_whole(weights: Floats) -> bool:
    """Whether all weights are 1."""
    n_whole = 0
    for entry in range(len(weights)):
        n_whole += weights[entry] == 1.0
    return n_whole == len(weights)


@compiled
def signatures(rows: Rows, n_arcs: int) -> tuple[Hashes, Longs]:
    """(n_arcs,) by arc a number for the set of its flows with their weights, and how many they are."""
    start, arcs, weights = rows
    signature, count = np.zeros(n_arcs, dtype=np.uint64), np.zeros(n_arcs, dtype=np.int64)
    for flow in range(len(start) - 1):
        key = mixed(np.uint64(flow + 1))
        for entry in range(start[flow], start[flow + 1]):
            part = np.uint64(np.int64(weights[entry] * 2.0**40))
            signature[arcs[entry]] += mixed(key ^ part)
            count[arcs[entry]] += 1
    return signature, count


@compiled
def counts(rows: Rows, first: int, last: int, n_arcs: int) -> Longs:
    """(n_arcs,) how many entries each arc has in the rows numbered first to last - 1."""
    start, arcs, _ = rows
    found = np.zeros(n_arcs, dtype=np.int64)
    for entry in range(start[first], start[last]):
        found[arcs[entry]] += 1
    return found


@compiled
def turn(rows: Rows, first: int, last: int, place: Longs, into: Columns) -> None:
    """Writes the rows numbered first to last - 1 into columns, by arc from its `place` on, which moves along."""
    start, arcs, weights = rows
    flows, turned = into.flows, into.weights
    for flow in range(first, last):
        for entry in range(start[flow], start[flow + 1]):
            at = place[arcs[entry]]
            place[arcs[entry]] += 1
            flows[at], turned[at] = flow, weights[entry]


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


@compiled
def fill_all(sharing: Sharing, filling: Filling, touched: Ints, n_chosen: int) -> int:
    """As `fill` where only the chosen flows run, whatever rates they had; `touched` are all arcs with flows."""
    rows, state, n_touched = sharing.rows, sharing.state, 0
    for place in range(len(touched)):
        state[touched[place], 0], state[touched[place], 2] = sharing.capacity[touched[place]], 0.0
    for place in range(n_chosen):
        flow = filling.chosen[place]
        sharing.rate[flow] = 0.0
        for own in range(rows.start[flow], rows.start[flow + 1]):
            state[rows.items[own], 2] = 1.0
    for place in range(len(touched)):
        if state[touched[place], 2] > 0.5:
            filling.touched[n_touched] = touched[place]
            n_touched += 1
    return fill(sharing, filling, n_chosen, n_touched)


@compiled_borrowing
def note_peaks(touched: Ints, n_touched: int, sharing: Sharing, peak: Floats) -> None:
    """Raises `peak`, the highest use of an arc's capacity so far, where arcs are used more now."""
    state, capacity = sharing.state, sharing.capacity
    for place in range(n_touched):
        arc = touched[place]
        if capacity[arc] > 0.0:
            peak[arc] = max(peak[arc], 1.0 - state[arc, 0] / capacity[arc])
