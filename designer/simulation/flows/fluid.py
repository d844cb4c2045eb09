"""Fluid flows that share arcs max-min fairly: their rates at the start, and when each ends."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.routing.transport_kernels import Rows
from designer.simulation.flows.fluid_kernels import (
    Course,
    Filling,
    Sharing,
    advance,
    columns,
    fill,
    first_met,
    note_peaks,
    without_unlimited,
)

Progress = Callable[[float], None]

EXACT = 1e-12
# What two ends may differ by and still be one: nothing but rounding.
WORK_AT_ONCE = 20_000_000
# Entries read between two looks at the progress: some 50 ms.


@dataclass(frozen=True, slots=True, eq=False)
class PhaseResult:
    """What became of the flows. Times in seconds, rates in bytes/s."""

    finish_s: NDArray[np.float64]  # (n_flows,)
    first_rate: NDArray[np.float64]  # (n_flows,) infinite where nothing limits a flow
    last_rate: NDArray[np.float64]  # (n_flows,) the rate at which it ended
    limit: NDArray[np.int32]  # (n_flows,) the arc that held a flow back last; -1 where none did
    peak: NDArray[np.float64]  # (n_arcs,) highest use, as a share of capacity
    n_solves: int


def run(
    start: NDArray[np.int64],
    arcs: NDArray[np.int32],
    weights: NDArray[np.float64],
    capacity: NDArray[np.float64],
    size_bytes: NDArray[np.float64],
    *,
    tolerance: float = EXACT,
    progress: Progress | None = None,
    only_rates: bool = False,
) -> PhaseResult:
    """The course of flows that all begin at time 0.

    Row f (start[f] to start[f + 1]) holds the arcs of flow f and the share of its rate on each; `capacity` (n_arcs,) is
    in bytes/s and may be infinite. Rates are max-min fair (progressive filling), solved again whenever flows end; ends
    closer than the relative `tolerance` count as one. With `only_rates` the flows are taken to keep their first rates.
    """
    rows = without_unlimited(Rows(start, arcs, weights), capacity)
    n_flows, n_arcs = len(size_bytes), len(capacity)
    peak, state = np.zeros(n_arcs), np.zeros((n_arcs, 4))
    ended, rate, limit = np.zeros(n_flows, dtype=bool), np.zeros(n_flows), np.full(n_flows, -1, dtype=np.int32)
    state[:, 0] = capacity
    whole = bool((rows.weights == 1.0).all())
    sharing = Sharing(rows, columns(rows, n_arcs), whole, capacity, state, ended, rate, limit)
    touched = first_met(rows.items, n_arcs)
    everyone, scratch = np.arange(n_flows, dtype=np.int32), np.empty(n_flows, dtype=np.int32)
    filling = Filling(everyone, touched, np.zeros(n_flows, dtype=bool), np.empty(n_arcs), scratch)
    fill(sharing, filling, n_flows, len(touched))
    note_peaks(touched, len(touched), sharing, peak)
    first_rate = rate.copy()
    left = size_bytes.astype(np.float64)
    finish = np.where(np.isinf(rate), 0.0, left / np.where(rate > 0, rate, 1.0))
    finish[(rate == 0) & (left > 0)] = np.inf
    n_solves = 1
    if not only_rates:
        ended[:] = np.isinf(rate)
        running = np.flatnonzero(~ended).astype(np.int32)
        clock = np.array([0.0, len(running), 0.0])
        course = Course(left, np.zeros(n_flows), finish, running, clock, peak)
        while True:
            n_running = advance(sharing, course, tolerance, WORK_AT_ONCE)
            if progress is not None:
                progress(1.0 - n_running / max(n_flows, 1))
            if not n_running:
                break
        n_solves += int(clock[2])
    return PhaseResult(finish, first_rate, rate, limit, peak, n_solves)
