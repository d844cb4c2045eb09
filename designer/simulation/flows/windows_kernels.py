"""Flows over windows of time: what each has on average, max-min fairly, compiled.

In a window a flow can use no more than what ends it there. Arcs are filled in the order of the levels that they had in
the window before, which is nearly that of this one: most are looked at once.
"""

from typing import NamedTuple

import numpy as np

from designer.graph.compiled import compiled, compiled_inline
from designer.routing.transport_kernels import Floats, Ints, Longs
from designer.simulation.flows.fluid_kernels import Sharing
from designer.simulation.flows.heap_kernels import Heap, put, take_out

SLIP = 0.01
# An arc whose level is above that of the next by a smaller share does not wait for it.
SMALLEST = 1e-300
# A rate in bytes/s that is as good as none, but not 0.
ROUNDING = 1e-12


class Window(NamedTuple):
    """How far flows have come, what they have in a window, and room to find that."""

    left: Floats  # (n_flows,) bytes
    finish: Floats  # (n_flows,) seconds, of flows that have ended
    share: Floats  # (n_flows,) the average rate; while that is open, less the most it can be; infinite once ended
    key: Floats  # (n_arcs,) the level, or of arcs that are not full the highest rate on them
    order: Ints  # (n_touched,) arcs, by key
    later: Heap  # arcs that wait for others, by level
    open: Ints  # (longest column + 1,)
    parts: Floats  # (longest column + 1,)
    peak: Floats  # (n_arcs,) highest use, as a share of capacity


@compiled
def first_end(left: Floats, sharing: Sharing) -> float:
    """How long the first flow takes to end at its rate; infinite where none does."""
    rate, ended, soonest = sharing.rate, sharing.ended, np.inf
    for flow in range(len(left)):
        if not ended[flow] and rate[flow] > 0.0:
            soonest = min(soonest, left[flow] / rate[flow])
    return soonest


@compiled
def highest_rates(sharing: Sharing) -> Floats:
    """(n_arcs,) the highest rate of flows on each: of full arcs their level."""
    (start, arcs, weights), rate, found = sharing.rows, sharing.rate, np.zeros(len(sharing.capacity))
    for flow in range(len(rate)):
        if not sharing.ended[flow]:
            for own in range(start[flow], start[flow + 1]):
                if weights[own] > 0.0:
                    found[arcs[own]] = max(found[arcs[own]], rate[flow])
    # Others wait until all their flows have theirs.
    is_full = np.zeros(len(found), dtype=np.bool_)
    for flow in range(len(rate)):
        if not sharing.ended[flow] and sharing.limit[flow] >= 0:
            is_full[sharing.limit[flow]] = True
    for arc in range(len(found)):
        if not is_full[arc]:
            found[arc] *= 1.0 + 2.0 * SLIP
    return found


@compiled
def ends_within(left: Floats, sharing: Sharing, lengths: Floats) -> Longs:
    """(n_lengths,) how many flows would end within each at their rates; lengths grow."""
    rate, ended, longest = sharing.rate, sharing.ended, lengths[-1]
    found = np.zeros(len(lengths), dtype=np.int64)
    for flow in range(len(left)):
        if not ended[flow] and left[flow] <= rate[flow] * longest:
            found[np.searchsorted(lengths, left[flow] / rate[flow]) if left[flow] > 0.0 else 0] += 1
    return np.cumsum(found)


@compiled
def fill_window(sharing: Sharing, window: Window, length_s: float) -> None:
    """Sets the share of every flow that runs in a window; arcs in their order, unless their level has risen."""
    share, key, order, later, peak = window.share, window.key, window.order, window.later, window.peak
    capacity, place, n_arcs = sharing.capacity, 0, len(order)
    for flow in range(len(share)):
        share[flow] = np.inf if sharing.ended[flow] else -max(window.left[flow] / length_s, SMALLEST)
    while place < n_arcs or later.size[0] > 0:
        expected = key[order[place]] if place < n_arcs else np.inf
        waits = later.size[0] > 0 and later.keys[later.items[0]] <= expected
        if waits:
            arc = later.items[0]
            expected = later.keys[arc]
            take_out(later, arc)
        else:
            arc = order[place]
            place += 1
        n_open, room, weight, highest = _look_at(arc, sharing, window)
        if n_open == 0:
            # Too much there: by less than that its level is lower. Room: it can wait until all its flows have theirs.
            key[arc] = max(0.0, highest + room) if room < 0.0 else highest * (1.0 + 2.0 * SLIP)
            if capacity[arc] > 0.0:
                peak[arc] = max(peak[arc], min(1.0, 1.0 - room / capacity[arc]))
            continue
        level, longest = _level_of(n_open, room, weight, window)
        after = key[order[place]] if place < n_arcs else np.inf
        if later.size[0] > 0:
            after = min(after, later.keys[later.items[0]])
        wanted = min(level, longest)
        if wanted > after * (1.0 + SLIP) and wanted > expected:
            put(later, arc, wanted)
            continue
        key[arc] = wanted
        if level < np.inf:
            peak[arc] = 1.0
            for number in range(n_open):
                flow = window.open[number]
                share[flow] = min(-share[flow], level)
                sharing.limit[flow] = arc
        elif capacity[arc] > 0.0:
            for number in range(n_open):
                room += window.parts[number] * share[window.open[number]]
            peak[arc] = max(peak[arc], min(1.0, 1.0 - room / capacity[arc]))


@compiled_inline
def _look_at(arc: int, sharing: Sharing, window: Window) -> tuple[int, float, float, float]:
    """Notes the open flows of an arc, and drops ended ones from its column.

    Returns how many they are, the room that others leave, the weight of the open ones and the highest rate of others.
    """
    column_start, flows, weights, alive = sharing.columns
    share, is_open, parts, whole = window.share, window.open, window.parts, sharing.whole
    first, n_open, n_ended = column_start[arc], 0, 0
    used, weight, highest = 0.0, 0.0, 0.0
    # Without branches where that can be: no processor can guess which flows are open.
    for entry in range(first, first + alive[arc]):
        flow = flows[entry]
        part, has = 1.0 if whole else weights[entry], share[flow]
        is_open[n_open], parts[n_open] = flow, part
        is_free = (has < 0.0) & (part > 0.0)
        n_open += is_free
        n_ended += has == np.inf
        weight += part if is_free else 0.0
        held = has if (has > 0.0) & (has < np.inf) else 0.0
        used += part * held
        highest = max(highest, held)
    if n_ended > 0:
        n_kept = 0
        for entry in range(first, first + alive[arc]):
            if share[flows[entry]] < np.inf:
                flows[first + n_kept], weights[first + n_kept] = flows[entry], weights[entry]
                n_kept += 1
        alive[arc] = n_kept
    return n_open, sharing.capacity[arc] - used, weight, highest


@compiled_inline
def _level_of(n_open: int, room: float, weight: float, window: Window) -> tuple[float, float]:
    """The level at which open flows fill an arc, infinite where they cannot; and the most that any of them can use."""
    share, is_open, parts = window.share, window.open, window.parts
    longest, level, n_below = 0.0, max(0.0, room) / weight, -1
    for number in range(n_open):
        longest = max(longest, -share[is_open[number]])
    while True:
        below, above, count = 0.0, 0.0, 0
        for number in range(n_open):
            most = -share[is_open[number]]
            if most < level:
                below += parts[number] * most
                count += 1
            else:
                above += parts[number]
        if count == n_open:
            return np.inf, longest
        if count <= n_below or count == 0:
            return level, longest
        n_below, level = count, max(0.0, room - below) / above


@compiled
def move_on(sharing: Sharing, window: Window, begin_s: float, length_s: float) -> int:
    """Takes what flows have in a window from what they have left; returns how many end there.

    These end when they would at the rate before, or with the window: it is the average that ends them in it.
    """
    left, finish, share, _, _, _, _, _, _ = window
    rate, ended, n_ended = sharing.rate, sharing.ended, 0
    for flow in range(len(left)):
        if ended[flow]:
            continue
        has = abs(share[flow])
        if has * length_s >= left[flow] * (1.0 - ROUNDING):
            ended[flow] = True
            n_ended += 1
            takes = left[flow] / rate[flow] if rate[flow] > 0.0 else length_s
            finish[flow] = begin_s + min(takes, length_s)
            left[flow] = 0.0
        else:
            left[flow] -= has * length_s
            rate[flow] = has
    return n_ended
