"""Very many flows until few of them run: max-min fair on average over short windows of time, not at every moment.

In a window a flow can use no more than what ends it there; all others share what is left max-min fairly. So every arc
carries no more than it can in any window, and all that it can where it holds flows back. Where one arc holds all flows
back, what flows have left at the end of a window is exact. A flow that ends in a window is off by less than its length:
30 tolerances of the time since the start, and less the more flows end in it. What several arcs make of that together
has no such bound: of 100,000 flows over a fat tree, half of the ends are right to 0.01 %, nine in ten to 0.1 %, all to
1.3 % at a tolerance of 0.1 %. An arc that others free in a window may share itself unfairly until the next, so that its
peak may be off either way. When nothing ends for longer than a window, rates are solved exactly, and nothing is
averaged until the next end.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from designer.routing.transport_kernels import Rows
from designer.simulation.flows.fluid_kernels import Filling, Sharing, fill_all
from designer.simulation.flows.heap_kernels import heap_of
from designer.simulation.flows.windows_kernels import (
    Window,
    ends_within,
    fill_window,
    first_end,
    highest_rates,
    move_on,
)

LONGEST = 30.0
# Windows are up to so many tolerances of the time since the start,
SHORTER = np.array([0.5**halved for halved in reversed(range(12))])
# or that halved, up to eleven times:
SHARE = 0.1
# the share of flows that end in one, times its length, is at most this part of the tolerance.


def along_arcs(rows: Rows) -> NDArray[np.int64]:
    """The flows by the first arc of each: what is looked at together lies together."""
    start, arcs, _ = rows
    has = start[1:] > start[:-1]
    first = np.full(len(start) - 1, -1, dtype=np.int64)
    first[has] = arcs[start[:-1][has]]
    return np.argsort(first, kind="stable")


def reordered(rows: Rows, order: NDArray[np.int64]) -> Rows:
    """The rows of flows in another order."""
    length = np.diff(rows.start)[order]
    start = np.concatenate([[0], np.cumsum(length)])
    entry = np.repeat(rows.start[:-1][order] - start[:-1], length) + np.arange(len(rows.items))
    return Rows(start, rows.items[entry], rows.weights[entry])


def run(
    sharing: Sharing,
    filling: Filling,
    left: NDArray[np.float64],
    finish: NDArray[np.float64],
    peak: NDArray[np.float64],
    few: int,
    tolerance: float,
    progress: Callable[[int], None],
) -> tuple[float, int]:
    """(the time at which only few flows still run, how often rates were solved); all begin at time 0 at fair rates.

    Changes what flows have `left`, their `finish`, rates and limits, and the `peak` of arcs.
    """
    now_s, n_solves = 0.0, 0
    lengths: NDArray[np.float64] = LONGEST * tolerance * SHORTER
    sharing.ended[left == 0.0] = True
    touched = np.flatnonzero(sharing.columns.alive > 0).astype(np.int32)
    window = _window(sharing, touched, left, finish, peak)
    n_running = int((~sharing.ended).sum())
    while n_running > few:
        soonest_s = first_end(left, sharing)
        if n_solves and soonest_s > (now_s + soonest_s) * lengths[-1]:
            running = np.flatnonzero(~sharing.ended)
            filling.chosen[: len(running)] = running
            fill_all(sharing, filling, touched, len(running))
            window.key[:] = highest_rates(sharing)
            soonest_s = first_end(left, sharing)
            n_solves += 1
        if soonest_s == np.inf:
            break
        np.maximum(0.0, left - np.where(sharing.ended, 0.0, sharing.rate) * soonest_s, out=left)
        now_s += soonest_s
        ends = ends_within(left, sharing, np.asarray(now_s * lengths))
        fits = np.flatnonzero(ends * lengths <= SHARE * tolerance * n_running)
        length_s = now_s * lengths[fits[-1] if len(fits) else 0]
        window.order[:] = touched[np.argsort(window.key[touched], kind="stable")]
        fill_window(sharing, window, length_s)
        n_running -= move_on(sharing, window, now_s, length_s)
        now_s, n_solves = now_s + length_s, n_solves + 1
        progress(n_running)
    return now_s, n_solves


def _window(
    sharing: Sharing,
    touched: NDArray[np.int32],
    left: NDArray[np.float64],
    finish: NDArray[np.float64],
    peak: NDArray[np.float64],
) -> Window:
    longest = int(sharing.columns.alive.max(initial=0)) + 1
    room = np.empty(longest, dtype=np.int32), np.empty(longest)
    later = heap_of(len(sharing.capacity))
    return Window(left, finish, np.empty(len(left)), highest_rates(sharing), touched.copy(), later, *room, peak)
