"""Max-min rates of fluid flows from end to end, compiled: what an end changes, arc by arc from the slowest on.

Each full arc has a level, the rate of the fastest flows on it; every flow runs at the lowest level of its arcs. Rates
are max-min fair where every arc's level lets its flows fill it, given what the levels of their other arcs let them do.
After an end only arcs whose flows changed find their level again. A change of a level changes flows at that rate or
above, so the arc with the lowest level goes first and most find theirs once.
"""

from typing import NamedTuple

import numpy as np

from designer.graph.compiled import compiled, compiled_borrowing, compiled_inline
from designer.routing.transport_kernels import Floats, Ints, Longs
from designer.simulation.flows.fluid_kernels import NOTHING, Course, Filling, Marks, Sharing, fill_all
from designer.simulation.flows.heap_kernels import Heap, heap_of, put, take_out

EXACT_SHARE = 1e-12
# A level that is off by a smaller share is right.
ROUNDING = 4e-15
# Of a capacity: what sums of loads may be off by.
LOAD, HELD, CAPACITY = 0, 1, 2
LEFT, SINCE, FINISH = 0, 1, 2


class Levels(NamedTuple):
    """What arcs give their flows."""

    level: Floats  # (n_arcs,) in bytes/s; infinite where an arc is not full
    state: Floats  # (n_arcs, 4) what its flows put on it, the weight of those that it holds back, its capacity
    ends: Heap  # full arcs by when the first of the flows that they hold back ends, or before
    unsettled: Heap  # arcs whose level may change, by the level from which on it does


class Margins(NamedTuple):
    """What may be off, as shares, and how far arcs are followed one by one."""

    ends: float  # ends closer to each other count as one
    levels: float
    leads_far: float  # once arcs read so many times what all running flows have in their rows, all are solved together


class Notes(NamedTuple):
    """Room for what one arc finds, and for what changed since rates were last known to be fair."""

    demand: Floats  # (longest column,) what the other arcs let its flows do
    other: Ints  # (longest column,) the arc that lets it do no more
    changed: Ints  # (n_arcs,) arcs whose load changed, but for those that are full before and after
    is_changed: Marks  # (n_arcs,)
    counts: Longs  # (2,) arcs that changed, entries read


class Solver(NamedTuple):
    """Flows on their way, and all that finds their rates again."""

    sharing: Sharing
    course: Course
    levels: Levels
    notes: Notes
    filling: Filling
    touched: Ints  # (n_touched,) the arcs with flows
    margins: Margins


@compiled
def levels_of(sharing: Sharing, course: Course, touched: Ints) -> tuple[Levels, Notes]:
    """What rates that are fair say of arcs; `touched` are those with flows."""
    n_arcs, alive = len(sharing.capacity), sharing.columns.alive
    found = Levels(np.full(n_arcs, np.inf), np.zeros((n_arcs, 4)), heap_of(n_arcs), heap_of(n_arcs))
    found.state[:, CAPACITY] = sharing.capacity
    longest = alive.max() if n_arcs > 0 else 0
    notes = Notes(
        np.empty(longest),
        np.empty(longest, dtype=np.int32),
        np.empty(n_arcs, dtype=np.int32),
        np.zeros(n_arcs, dtype=np.uint8),
        np.zeros(2, dtype=np.int64),
    )
    _read_off(sharing, course, touched, found)
    return found, notes


@compiled_borrowing
def _read_off(sharing: Sharing, course: Course, touched: Ints, levels: Levels) -> None:
    """Sets the levels of arcs, their loads and first ends by the rates of flows."""
    _, columns, whole, capacity, _, ended, rate, limit = sharing
    level, state, ends, unsettled = levels
    flows = course.flows
    for place in range(len(touched)):
        arc = touched[place]
        highest, total, weight, soonest, n_held = 0.0, 0.0, 0.0, np.inf, 0
        for entry in range(columns.start[arc], columns.start[arc] + columns.alive[arc]):
            flow = columns.flows[entry]
            if ended[flow]:
                continue
            part = 1.0 if whole else columns.weights[entry]
            total += part * rate[flow]
            if limit[flow] == arc:
                highest, soonest = max(highest, rate[flow]), min(soonest, flows[flow, FINISH])
                weight += part
                n_held += 1
        take_out(unsettled, arc)
        take_out(ends, arc)
        level[arc], state[arc, LOAD], state[arc, HELD] = np.inf, total, weight
        if n_held > 0:
            level[arc], state[arc, LOAD] = highest, capacity[arc]
            if soonest < np.inf:
                put(ends, arc, soonest)


@compiled_inline
def _note_load(arc: int, more: float, rate: float, solver: Solver) -> None:
    """Adds to the load of an arc, on which a flow has that rate now; its level is to be found again where it is off."""
    level, state, _, unsettled = solver.levels
    notes, precision = solver.notes, solver.margins.levels
    load, capacity = state[arc, LOAD] + more, state[arc, CAPACITY]
    state[arc, LOAD] = load
    excess, key = load - capacity, level[arc]
    if key == np.inf:
        if notes.is_changed[arc] == 0:
            _note_change(arc, notes)
        if excess > precision * capacity:
            put(unsettled, arc, min(rate, _key_of(unsettled, arc)))
    elif abs(excess) > max(precision * state[arc, HELD] * key, ROUNDING * capacity):
        if excess > 0.0 and state[arc, HELD] > 0.0:
            key = max(0.0, key - excess / state[arc, HELD])
        if key < _key_of(unsettled, arc):
            put(unsettled, arc, key)


@compiled_inline
def _ask(arc: int, sharing: Sharing, levels: Levels, notes: Notes) -> int:
    """Notes what the other arcs of its flows let each do; ended flows leave its column. Returns how many run."""
    rows, (column_start, flows, weights, alive), _, _, _, ended, rate, limit = sharing
    demand, other, level = notes.demand, notes.other, levels.level
    start, arcs = rows.start, rows.items
    entry, end, n_flows, read = column_start[arc], column_start[arc] + alive[arc], 0, 0
    while entry < end:
        flow = flows[entry]
        if ended[flow]:
            end -= 1
            flows[entry], weights[entry] = flows[end], weights[end]
            continue
        demand[n_flows], other[n_flows] = rate[flow], limit[flow]
        if limit[flow] == arc:
            least, at = np.inf, NOTHING
            for own in range(start[flow], start[flow + 1]):
                if level[arcs[own]] < least and arcs[own] != arc:
                    least, at = level[arcs[own]], arcs[own]
            demand[n_flows], other[n_flows] = least, at
            read += start[flow + 1] - start[flow]
        n_flows += 1
        entry += 1
    alive[arc] = n_flows
    notes.counts[1] += n_flows + read
    return n_flows


@compiled_inline
def _level_for(first: int, n_flows: int, guess: float, room: float, sharing: Sharing, demand: Floats) -> float:
    """The level at which flows that would take the demands fill an arc; infinite where they cannot. By Newton steps.

    What flows take grows with the level, ever slower: from the second step on the level only rises.
    """
    weights, whole = sharing.columns.weights, sharing.whole
    total, weight, is_endless = 0.0, 0.0, False
    for place in range(n_flows):
        part = 1.0 if whole else weights[first + place]
        weight += part
        if part > 0.0:
            is_endless = is_endless or demand[place] == np.inf
            total += part * demand[place]
    if weight <= 0.0 or (not is_endless and total <= room * (1.0 + EXACT_SHARE)):
        return np.inf
    level, n_below, step = guess if guess < np.inf else room / weight, -1, 0
    while True:
        below, above, count = 0.0, 0.0, 0
        for place in range(n_flows):
            part = 1.0 if whole else weights[first + place]
            if demand[place] < level:
                below += part * demand[place]
                count += 1
            else:
                above += part
        if above <= 0.0:
            level, n_below, step = room / weight, -1, 0
            continue
        if count == n_below or (step > 1 and count < n_below):  # fewer than before only by rounding
            return level
        level, n_below, step = max(0.0, room - below) / above, count, step + 1


@compiled_inline
def _find_level(arc: int, solver: Solver) -> None:
    """Sets the level of an arc, the rates of its flows by it, and what that adds to the loads of their other arcs."""
    sharing, course, levels, notes, _, _, _ = solver
    _, columns, whole, capacity, _, _, rate, limit = sharing
    flows, ends = course.flows, levels.ends
    n_flows, first = _ask(arc, sharing, levels, notes), columns.start[arc]
    found = _level_for(first, n_flows, levels.level[arc], capacity[arc], sharing, notes.demand)
    levels.level[arc] = found
    total, weight, soonest = 0.0, 0.0, np.inf
    for place in range(n_flows):
        flow = columns.flows[first + place]
        part = 1.0 if whole else columns.weights[first + place]
        demand, before, was = notes.demand[place], limit[flow], rate[flow]
        is_held = found <= demand and part > 0.0 and found < np.inf
        if part > 0.0:
            rate[flow] = min(found, demand)
        if is_held:
            limit[flow] = arc
        elif before == arc:
            limit[flow] = notes.other[place]
        if rate[flow] != was:
            _set_end(flow, was, rate[flow], course)
        if is_held:
            weight += part
            soonest = min(soonest, flows[flow, FINISH])
        total += part * rate[flow]
        if rate[flow] != was or limit[flow] != before:
            _pass_on(flow, arc, before, was, solver)
    levels.state[arc, LOAD], levels.state[arc, HELD] = total if found == np.inf else capacity[arc], weight
    if notes.is_changed[arc] == 0:
        _note_change(arc, notes)
    if soonest < np.inf:
        put(ends, arc, soonest)
    else:
        take_out(ends, arc)


@compiled_inline
def _set_end(flow: int, was: float, rate: float, course: Course) -> None:
    """Notes how far a flow came at the rate that it had, and when it ends at the one it has now."""
    flows, now = course.flows, course.clock[0]
    left = max(0.0, flows[flow, LEFT] - was * (now - flows[flow, SINCE]))
    flows[flow, LEFT], flows[flow, SINCE] = left, now
    # A flow without room waits for another to end.
    flows[flow, FINISH] = now + left / rate if rate > 0.0 else np.inf


@compiled_inline
def _pass_on(flow: int, arc: int, before: int, was: float, solver: Solver) -> None:
    """Notes on a flow's other arcs that it had another rate, or that another arc held it back."""
    sharing, course, levels, notes, _, _, _ = solver
    start, arcs, weights = sharing.rows
    state, ends, now_at, rate = levels.state, levels.ends, sharing.limit[flow], sharing.rate[flow]
    finish = course.flows[flow, FINISH]
    notes.counts[1] += start[flow + 1] - start[flow]
    for own in range(start[flow], start[flow + 1]):
        at = arcs[own]
        if at == arc:
            continue
        share = 1.0 if sharing.whole else weights[own]
        if now_at != before:
            if at == before:
                state[at, HELD] = max(0.0, state[at, HELD] - share)
            elif at == now_at:
                state[at, HELD] += share
        if at == now_at and finish < np.inf and (ends.place[at] < 0 or finish < ends.keys[at]):
            put(ends, at, finish)
        if rate != was:
            _note_load(at, share * (rate - was), rate, solver)


@compiled_inline
def _note_change(arc: int, notes: Notes) -> None:
    notes.is_changed[arc] = 1
    notes.changed[notes.counts[0]] = arc
    notes.counts[0] += 1


@compiled_inline
def _end_flows(last: float, solver: Solver) -> int:
    """Ends the flows that are done by `last`, and moves the clock on to the last of them; returns how many."""
    sharing, course, levels, notes, _, _, _ = solver
    rows, columns, whole, _, _, ended, rate, limit = sharing
    start, arcs, weights = rows
    ends, clock, flows, n_ended = levels.ends, course.clock, course.flows, 0
    while ends.size[0] > 0 and ends.keys[ends.items[0]] <= last:
        arc, later, n_here = ends.items[0], np.inf, 0
        notes.counts[1] += columns.alive[arc]
        for entry in range(columns.start[arc], columns.start[arc] + columns.alive[arc]):
            flow = columns.flows[entry]
            if ended[flow] or limit[flow] != arc:
                continue
            if flows[flow, FINISH] > last:
                later = min(later, flows[flow, FINISH])
                continue
            ended[flow] = True
            n_here += 1
            clock[0] = max(clock[0], flows[flow, FINISH])
            for own in range(start[flow], start[flow + 1]):
                share = 1.0 if whole else weights[own]
                if arcs[own] != arc:
                    _note_load(arcs[own], -share * rate[flow], rate[flow], solver)
        if later < np.inf:
            put(ends, arc, later)
        else:
            take_out(ends, arc)
        if n_here > 0:
            n_ended += n_here
            put(levels.unsettled, arc, min(levels.level[arc], _key_of(levels.unsettled, arc)))
    return n_ended


@compiled_inline
def _key_of(heap: Heap, arc: int) -> float:
    return heap.keys[arc] if heap.place[arc] >= 0 else np.inf


@compiled_inline
def _first_end(solver: Solver) -> float:
    """When the next flow ends; infinite where none ever does."""
    sharing, course, levels, notes, _, _, _ = solver
    columns, ends = sharing.columns, levels.ends
    while ends.size[0] > 0:
        arc, soonest = ends.items[0], np.inf
        notes.counts[1] += columns.alive[arc]
        for entry in range(columns.start[arc], columns.start[arc] + columns.alive[arc]):
            flow = columns.flows[entry]
            if not sharing.ended[flow] and sharing.limit[flow] == arc:
                soonest = min(soonest, course.flows[flow, FINISH])
        if soonest <= ends.keys[arc]:
            return soonest
        if soonest < np.inf:
            put(ends, arc, soonest)
        else:
            take_out(ends, arc)
    return np.inf


@compiled
def solve_all(solver: Solver) -> int:
    """Fills all arcs again with the flows that run; returns the number of entries read."""
    sharing, course, levels, _, filling, touched, _ = solver
    ended, rate = sharing.ended, sharing.rate
    flows, running, clock, _ = course
    now, n_running = clock[0], 0
    for place in range(int(clock[1])):
        flow = running[place]
        if ended[flow]:
            continue
        running[n_running] = flow
        filling.chosen[n_running] = flow
        n_running += 1
        flows[flow, LEFT] = max(0.0, flows[flow, LEFT] - rate[flow] * (now - flows[flow, SINCE]))
        flows[flow, SINCE] = now
    work = fill_all(sharing, filling, touched, n_running)
    for place in range(n_running):
        flow = running[place]
        flows[flow, FINISH] = now + flows[flow, LEFT] / rate[flow] if rate[flow] > 0.0 else np.inf
    _read_off(sharing, course, touched, levels)
    clock[1] = n_running
    return work


@compiled
def advance(solver: Solver, work_limit: int) -> int:
    """Lets flows end until none runs or about `work_limit` entries were read; returns how many still run.

    When a flow ends its arcs find their levels again, and arcs whose flows that changed, until none is off. Where that
    leads far all rates are solved together.
    """
    sharing, course, levels, notes, _, touched, margins = solver
    clock, peak, unsettled, state = course.clock, course.peak, levels.unsettled, levels.state
    counts, n_running = notes.counts, 0
    for flow in range(len(sharing.ended)):
        n_running += not sharing.ended[flow]
    per_flow = len(sharing.rows.items) / max(1, len(sharing.ended))
    counts[1] = 0
    while n_running > 0 and counts[1] < work_limit:
        soonest = _first_end(solver)
        if soonest == np.inf:
            return 0
        n_running -= _end_flows(soonest * (1.0 + margins.ends), solver)
        clock[2] += 1
        enough = counts[1] + margins.leads_far * per_flow * n_running
        while unsettled.size[0] > 0 and n_running > 0:
            if counts[1] > enough:
                counts[1] += solve_all(solver)
                for place in range(len(touched)):
                    if notes.is_changed[touched[place]] == 0:
                        _note_change(touched[place], notes)
                break
            arc = unsettled.items[0]
            take_out(unsettled, arc)
            _find_level(arc, solver)
        for place in range(counts[0]):
            arc = notes.changed[place]
            notes.is_changed[arc] = 0
            if state[arc, CAPACITY] > 0.0:
                peak[arc] = max(peak[arc], min(1.0, state[arc, LOAD] / state[arc, CAPACITY]))
        counts[0] = 0
    return n_running
