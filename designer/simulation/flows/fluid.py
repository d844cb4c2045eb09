"""Fluid flows that share arcs max-min fairly: their rates at the start, and when each ends."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.threads import in_threads
from designer.routing.transport_kernels import Rows
from designer.simulation.flows import fluid_kernels, windows
from designer.simulation.flows.fluid_kernels import (
    Columns,
    Course,
    Filling,
    Sharing,
    fill,
    first_met,
    note_peaks,
    signatures,
)
from designer.simulation.flows.levels_kernels import (
    EXACT_SHARE,
    FINISH,
    Margins,
    Solver,
    advance,
    levels_of,
    solve_all,
)

Progress = Callable[[float], None]

EXACT = 1e-12
# What two ends may differ by and still be one: nothing but rounding.
WORK_AT_ONCE = 20_000_000
# Entries read between two looks at the progress: some 50 ms.

WORTH_A_THREAD = 500_000
# Entries of rows.
FEW = 5_000
# Up to so many flows every arc is looked at for itself.
NEARLY_ALL = 0.95
# Where more of the entries are of arcs that can hold flows back rows stay as they are, and others have no limit.
LEADS_FAR = 2.0
# Once arcs have read so many times what all flows have in their rows, all rates are solved together.
MOST_EXACT, FEW_LEFT = 300_000, 100_000
# Of more flows, unless they are to be exact, all but so many are followed on average over short windows of time.


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
    Of more than MOST_EXACT flows, unless the tolerance is EXACT, rates are fair on average over short windows of time
    until FEW_LEFT run: see `windows` for what that makes of the ends. Peaks are those of averages then.
    """
    rows = Rows(start, arcs, weights)
    if only_rates or not is_averaged(len(size_bytes), tolerance):
        return _followed(rows, capacity, size_bytes, tolerance, progress, only_rates, len(size_bytes))
    return by_windows(rows, capacity, size_bytes, tolerance, FEW_LEFT, progress)


def is_averaged(n_flows: int, tolerance: float) -> bool:
    """Whether so many flows are followed on average over windows of time."""
    return n_flows > MOST_EXACT and tolerance > EXACT


def by_windows(
    rows: Rows,
    capacity: NDArray[np.float64],
    size_bytes: NDArray[np.float64],
    tolerance: float,
    few: int,
    progress: Progress | None = None,
) -> PhaseResult:
    """The course of flows by windows until so few run, however many there are."""
    order = windows.along_arcs(rows)
    rows = windows.reordered(rows, order)
    found = _followed(rows, capacity, size_bytes[order], tolerance, progress, False, few)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return replace(
        found,
        finish_s=found.finish_s[back],
        first_rate=found.first_rate[back],
        last_rate=found.last_rate[back],
        limit=found.limit[back],
    )


def _followed(
    rows: Rows,
    capacity: NDArray[np.float64],
    size_bytes: NDArray[np.float64],
    tolerance: float,
    progress: Progress | None,
    only_rates: bool,
    few: int,
) -> PhaseResult:
    """The course of flows: by windows until few run, then end by end."""
    n_flows, n_arcs = len(size_bytes), len(capacity)
    peak, touched = np.zeros(n_arcs), first_met(rows.items, n_arcs)
    # The others hold nobody back: they stay in the rows until these are renumbered.
    touched = touched[np.isfinite(capacity[touched])]
    rate, limit = np.zeros(n_flows), np.full(n_flows, -1, dtype=np.int32)
    by_arc = columns(rows, n_arcs)
    sharing = _sharing(rows, by_arc, capacity, rate, limit)
    fill(sharing, _filling(n_flows, n_arcs, touched), n_flows, len(touched))
    note_peaks(touched, len(touched), sharing, peak)
    first_rate, left = rate.copy(), size_bytes.astype(np.float64)
    finish = np.where(np.isinf(rate), 0.0, left / np.where(rate > 0, rate, 1.0))
    finish[(rate == 0) & (left > 0)] = np.inf
    if only_rates:
        return PhaseResult(finish, first_rate, rate, limit, peak, 1)
    # From here on by arcs that differ in their flows.
    found = _distinct(rows, capacity, touched, n_flows)
    if by_arc.alive[found.arcs].sum() > NEARLY_ALL * len(rows.items):
        found, others = _all_numbered(found), found.number < 0
        by_arc.alive[others] = 0
        sharing = _sharing(rows, by_arc, np.where(others, np.inf, capacity), rate, limit)
    else:
        by_arc = by_arc._replace(start=by_arc.start[found.arcs], alive=by_arc.alive[found.arcs])
        sharing = _sharing(_renumbered(rows, found.number), by_arc, capacity[found.arcs], rate, limit)
    at_first = limit.copy()
    limit[limit >= 0] = found.number[found.stands_for[limit[limit >= 0]]]
    sharing.ended[:] = np.isinf(rate)

    def report(n_running: int) -> None:
        if progress is not None:
            progress(1.0 - n_running / max(n_flows, 1))

    peak_of_distinct, finish_s, n_solves = _to_the_end(sharing, left, finish, peak[found.arcs], few, tolerance, report)
    limit[limit >= 0] = found.arcs[limit[limit >= 0]]
    # Of arcs with the same flows the one that was named first.
    limit = np.where(limit == found.stands_for[at_first], at_first, limit)
    leader = found.stands_for[touched]
    with np.errstate(invalid="ignore"):
        ratio = np.where(leader == touched, 1.0, capacity[leader] / capacity[touched])
    peak[touched] = np.maximum(peak[touched], peak_of_distinct[found.number[leader]] * ratio)
    return PhaseResult(finish_s, first_rate, rate, limit, peak, 1 + n_solves)


def _to_the_end(
    sharing: Sharing,
    left: NDArray[np.float64],
    finish: NDArray[np.float64],
    peak: NDArray[np.float64],
    few: int,
    tolerance: float,
    report: Callable[[int], None],
) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """(peaks, ends, how often rates were solved) from fair rates at the start on."""
    n_flows, n_arcs = len(left), len(sharing.capacity)
    every = np.flatnonzero(sharing.columns.alive > 0).astype(np.int32)
    filling, begin_s, n_solves = _filling(n_flows, n_arcs, every), 0.0, 0
    if n_flows > few:
        begin_s, n_solves = windows.run(sharing, filling, left, finish, peak, few, tolerance, report)
    running = np.flatnonzero(~sharing.ended).astype(np.int32)
    clock = np.array([begin_s, len(running), n_solves])
    flows = np.column_stack((left, np.full(n_flows, begin_s), finish, np.zeros(n_flows)))
    course = Course(flows, running, clock, peak)
    levels, notes = levels_of(sharing, course, every)
    solver = Solver(sharing, course, levels, notes, filling, every, Margins(tolerance, EXACT_SHARE, LEADS_FAR))
    if n_flows > few:
        solve_all(solver)
    while True:
        n_running = advance(solver, WORK_AT_ONCE)
        report(n_running)
        if not n_running:
            break
    return course.peak, flows[:, FINISH].copy(), int(clock[2])


def columns(rows: Rows, n_arcs: int) -> Columns:
    """The rows turned round."""
    n_rows, n_entries = len(rows.start) - 1, len(rows.items)
    worth = _rows_worth_a_thread(rows)
    # Where the entries of each range of rows begin within columns.
    before: dict[int, NDArray[np.int64]] = {}
    alive = np.zeros(n_arcs, dtype=np.int64)
    counted = in_threads(lambda first, last: (first, fluid_kernels.counts(rows, first, last, n_arcs)), n_rows, worth)
    for first, counts in counted:
        before[first] = alive.copy()
        alive += counts
    start = np.cumsum(alive) - alive
    found = Columns(start, np.empty(n_entries, dtype=np.int32), np.empty(n_entries), alive)
    in_threads(lambda first, last: fluid_kernels.turn(rows, first, last, start + before[first], found), n_rows, worth)
    return found


def _renumbered(rows: Rows, number: NDArray[np.int32]) -> Rows:
    """The rows with other numbers for arcs, without those whose number is below 0."""
    n_rows, worth = len(rows.start) - 1, _rows_worth_a_thread(rows)
    kept = in_threads(lambda first, last: fluid_kernels.kept_counts(rows, first, last, number), n_rows, worth)
    start = np.concatenate([[0], *kept]).cumsum()
    found = Rows(start, np.empty(start[-1], dtype=np.int32), np.empty(start[-1]))
    in_threads(lambda first, last: fluid_kernels.renumber(rows, first, last, number, found), n_rows, worth)
    return found


def _rows_worth_a_thread(rows: Rows) -> int:
    n_rows = len(rows.start) - 1
    return max(1, n_rows * WORTH_A_THREAD // max(1, len(rows.items)))


def _sharing(
    rows: Rows,
    by_arc: Columns,
    capacity: NDArray[np.float64],
    rate: NDArray[np.float64],
    limit: NDArray[np.int32],
) -> Sharing:
    """Flows that all run."""
    state = np.zeros((len(capacity), 4))
    state[:, 0] = capacity
    whole, ended = bool(fluid_kernels.are_whole(rows.weights)), np.zeros(len(rate), dtype=bool)
    return Sharing(rows, by_arc, whole, capacity, state, ended, rate, limit)


def _filling(n_flows: int, n_arcs: int, touched: NDArray[np.int32]) -> Filling:
    """Room to fill arcs with all flows."""
    everyone, room = np.arange(n_flows, dtype=np.int32), np.empty(n_arcs, dtype=np.int32)
    room[: len(touched)] = touched
    return Filling(everyone, room, np.zeros(n_flows, dtype=bool), np.empty(n_arcs), np.empty_like(everyone))


class _Distinct(NamedTuple):
    """Arcs that differ in their flows: those that stand for others that the same flows cross."""

    arcs: NDArray[np.int32]  # (n_distinct,)
    number: NDArray[np.int32]  # (n_arcs,) the place of such an arc among them, -1 for all others
    stands_for: NDArray[np.int32]  # (n_arcs,) the arc that stands for each


def _all_numbered(found: _Distinct) -> _Distinct:
    """The same with the numbers that arcs have."""
    every = np.arange(len(found.number), dtype=np.int32)
    return _Distinct(every, every, found.stands_for)


def _distinct(rows: Rows, capacity: NDArray[np.float64], touched: NDArray[np.int32], n_flows: int) -> _Distinct:
    """The arcs that can hold flows back: of several with the same flows the one that carries least, the first met.

    Of few flows all arcs are distinguished: where several hold a flow back alike, one or another is named.
    """
    stands_for, arcs = np.arange(len(capacity), dtype=np.int32), touched
    if n_flows > FEW:
        signature, count = signatures(rows, len(capacity))
        order = np.lexsort((np.arange(len(touched)), capacity[touched], count[touched], signature[touched]))
        ordered = touched[order]
        is_first = np.ones(len(ordered), dtype=bool)
        is_first[1:] = (signature[ordered[1:]] != signature[ordered[:-1]]) | (count[ordered[1:]] != count[ordered[:-1]])
        stands_for[ordered] = ordered[np.maximum.accumulate(np.where(is_first, np.arange(len(ordered)), 0))]
        arcs = touched[stands_for[touched] == touched]
    number = np.full(len(capacity), -1, dtype=np.int32)
    number[arcs] = np.arange(len(arcs))
    return _Distinct(arcs, number, stands_for)
