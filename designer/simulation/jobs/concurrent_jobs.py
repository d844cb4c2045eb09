"""Jobs in time: flows of all of them share arcs max-min fairly, event by event.

Rates are solved once for each set of kinds of flows that run at the same time. Where jobs come back to a state they
were in before, everything between repeats and is counted, not followed. Where steps of unequal length drift against
each other, they are followed until each job's mean pace is known, and the rest of them is taken at that pace.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.simulation.flows import fluid
from designer.simulation.flows.flow_classes import FlowClasses

SAME = 1e-9
FASTEST = 1e30
# bytes/s of a flow that nothing holds back.
MEAN_OVER, LEAST_MEAN_OVER = 1000, 20
# Steps after which a job's pace is taken for the rest: fewer where there are more than these kinds of flows.
FEW_KINDS = 2_000
MANY_KINDS, COARSE = 20_000, 1e-2
# With so many kinds of flows ends this close together count as one.
REMEMBERED, LEAST_REMEMBERED, MOST_REMEMBERED = 16, 4, 400
MOST_EVENTS = 1_000_000
MOST_NUMBERS_KEPT = 20_000_000
# Of solved rates, and of moments remembered: some 300 MB each.


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """A phase of a job: these kinds of flows, `repeat` times."""

    repeat: int
    kinds: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What a job does: its acts one after the other, from `start_s` on, again and again with `loop`."""

    acts: tuple[Act, ...]
    start_s: float
    loop: bool


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """What became of the jobs until each has run once."""

    end_s: NDArray[np.float64]  # (n_jobs,) end of each job's first run
    sent: NDArray[np.float64]  # (n_kinds,) bytes of one flow of the kind, all in all
    peak: NDArray[np.float64]  # (n_classes,)
    held_s: NDArray[np.float64]  # (n_jobs, n_classes) how long the class held flows of the job back
    n_solves: int
    n_followed: int
    """Steps followed one by one."""
    n_at_pace: int
    """Steps taken at the mean pace of at least `mean_over` before."""
    mean_over: int
    tolerance: float
    """Ends of flows this close together, relative to the time since their step began, counted as one."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rates:
    kinds: NDArray[np.int64]
    rate: NDArray[np.float64]
    held: NDArray[np.int64]  # places in held_s, flat


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    """A copy of everything that changes, taken when a step begins."""

    now: float
    left: NDArray[np.float64]
    running: NDArray[np.bool_]
    sent: NDArray[np.float64]
    held: NDArray[np.float64]
    wait: NDArray[np.float64]
    steps_left: NDArray[np.float64]
    elapsed: NDArray[np.float64]  # of the step in progress
    starts: NDArray[np.int64]
    runs: NDArray[np.int64]


def follow(
    kinds: FlowClasses,
    size_bytes: NDArray[np.float64],
    latency_s: NDArray[np.float64],
    parts: tuple[Part, ...],
    tolerance: float,
    progress: Callable[[float], None],
) -> Timeline:
    """The course of the jobs; `size_bytes` and `latency_s` are by kind. `progress` may raise Cancelled."""
    play = _Play(kinds, size_bytes, latency_s, parts, tolerance)
    n_events = 0
    while np.isnan(play.end_s).any():
        play.advance()
        n_events += 1
        if n_events % 64 == 0:
            progress(play.share_done())
        if n_events > MOST_EVENTS:
            raise GraphError(
                "these jobs have too many steps to follow: their sizes differ too much, or they take too many turns"
            )
    return Timeline(
        play.end_s,
        play.sent,
        play.peak,
        play.held,
        play.n_solves,
        play.n_followed,
        play.n_at_pace,
        play.mean_over,
        play.tolerance,
    )


class _Play:
    def __init__(
        self,
        kinds: FlowClasses,
        size_bytes: NDArray[np.float64],
        latency_s: NDArray[np.float64],
        parts: tuple[Part, ...],
        tolerance: float,
    ) -> None:
        n, n_jobs = kinds.n_kinds, len(parts)
        self._kinds, self._size, self._latency, self._parts = kinds, size_bytes, latency_s, parts
        is_exact = tolerance <= fluid.EXACT
        self.tolerance = tolerance if is_exact or n < MANY_KINDS else max(tolerance, COARSE)
        self.mean_over = max(LEAST_MEAN_OVER, MEAN_OVER * FEW_KINDS // max(n, FEW_KINDS))
        self._job = np.zeros(n, dtype=np.int64)
        for number, part in enumerate(parts):
            for act in part.acts:
                self._job[act.kinds] = number
        self._now = 0.0
        self._running = np.zeros(n, dtype=bool)
        self._left = np.zeros(n)
        self._act = np.full(n_jobs, -1, dtype=np.int64)
        self._steps_left = np.zeros(n_jobs)
        self._n_running = np.zeros(n_jobs, dtype=np.int64)
        self._began, self._arrival = np.zeros(n_jobs), np.zeros(n_jobs)
        self._wake = np.array([part.start_s for part in parts])
        self._starts, self._runs = np.zeros(n_jobs, dtype=np.int64), np.zeros(n_jobs, dtype=np.int64)
        self._seen: dict[tuple[bytes, bytes], deque[_Moment]] = {}
        self._n_seen = 0
        self._most_seen = max(LEAST_REMEMBERED, min(MOST_REMEMBERED, MOST_NUMBERS_KEPT // max(n, 1)))
        self._first_begun: dict[tuple[bytes, int], _Moment] = {}
        self._solved: dict[bytes, _Rates] = {}
        self.sent, self.peak = np.zeros(n), np.zeros(kinds.n_classes)
        self.held = np.zeros((n_jobs, kinds.n_classes))
        self.end_s = np.full(n_jobs, np.nan)
        self.n_solves = self.n_followed = self.n_at_pace = 0
        self._total = [sum(act.repeat for act in part.acts) for part in parts]
        self._wake_up()

    def share_done(self) -> float:
        """The share of the first run that the job farthest behind has done."""
        shares = [
            1.0 if self._runs[job] else min(1.0, self._starts[job] / total) for job, total in enumerate(self._total)
        ]
        return min(shares, default=1.0)

    # -- time goes on -------------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """To the next moment at which flows end or a job goes on to its next step."""
        rates = self._rates()
        until = self._left[rates.kinds] / rates.rate
        wake = float(self._wake.min()) - self._now
        soonest = min(float(until.min(initial=math.inf)), wake)
        since = self._now + soonest - self._began[self._job[rates.kinds]]
        ended = until <= np.minimum(soonest + self.tolerance * since, max(soonest, wake))
        passed = max(soonest, float(until[ended].max(initial=0.0)))
        left = np.where(ended, 0.0, np.maximum(self._left[rates.kinds] - rates.rate * passed, 0.0))
        self.sent[rates.kinds] += self._left[rates.kinds] - left
        self._left[rates.kinds] = left
        self.held.reshape(-1)[rates.held] += passed
        self._now += passed
        if ended.any():
            self._end(rates.kinds[ended])
        if self._wake.min() <= self._now * (1 + fluid.EXACT):
            self._wake_up()
            self._leap()

    def _end(self, kinds: NDArray[np.int64]) -> None:
        jobs = self._job[kinds]
        self._running[kinds] = False
        np.maximum.at(self._arrival, jobs, self._now + self._latency[kinds])
        np.subtract.at(self._n_running, jobs, 1)
        done = jobs[self._n_running[jobs] == 0]
        self._wake[done] = self._arrival[done]

    def _rates(self) -> _Rates:
        key = self._running.tobytes()
        found = self._solved.get(key)
        if found is None:
            if len(self._solved) * len(key) > MOST_NUMBERS_KEPT:
                self._solved.clear()
            self.n_solves += 1
            kinds = np.flatnonzero(self._running)
            of = self._kinds
            lengths = np.diff(of.start)[kinds]
            start = np.concatenate([[0], np.cumsum(lengths)])
            entries = np.repeat(of.start[kinds] - start[:-1], lengths) + np.arange(start[-1])
            phase_result = fluid.run(
                start, of.classes[entries], of.weights[entries], of.capacity, self._size[kinds], only_rates=True
            )
            np.maximum(self.peak, phase_result.peak, out=self.peak)
            is_held = phase_result.limit >= 0
            held_here = np.zeros(self.held.size, dtype=bool)
            held_here[self._job[kinds[is_held]] * of.n_classes + phase_result.limit[is_held]] = True
            held = np.flatnonzero(held_here)
            found = self._solved[key] = _Rates(kinds, np.minimum(phase_result.first_rate, FASTEST), held)
        return found

    # -- steps --------------------------------------------------------------------------------------------------------

    def _wake_up(self) -> None:
        """Let every job whose time has come begin its next step."""
        while (ready := np.flatnonzero(self._wake <= self._now * (1 + fluid.EXACT))).size:
            for job in ready.tolist():
                if self._go_on(job):
                    self._begin(job)

    def _go_on(self, job: int) -> bool:
        """Count the step that has ended; False where the job has nothing more to do."""
        acts = self._parts[job].acts
        if self._act[job] >= 0:
            self._steps_left[job] -= 1
            if self._steps_left[job] > 0:
                return True
        if self._runs[job] == 0:
            self._forget()
        self._act[job] += 1
        if self._act[job] == len(acts):
            if self._runs[job] == 0:
                self.end_s[job] = self._now
            self._runs[job] += 1
            if not self._parts[job].loop or self.end_s[job] <= self._parts[job].start_s:
                self._wake[job] = math.inf
                return False
            self._act[job] = 0
        # A job of one act that goes round again just goes on.
        again = self._runs[job] > 0 and len(acts) == 1
        self._steps_left[job] = math.inf if again else acts[self._act[job]].repeat
        return True

    def _begin(self, job: int) -> None:
        kinds = self._parts[job].acts[self._act[job]].kinds
        self._left[kinds] = self._size[kinds]
        self._running[kinds] = True
        self._n_running[job] = len(kinds)
        self._began[job] = self._arrival[job] = self._now
        self._wake[job] = math.inf
        self._starts[job] += 1
        self.n_followed += 1

    # -- what repeats -------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        """Nothing repeats across a change of a job's act in its first run."""
        self._seen.clear()
        self._first_begun.clear()
        self._n_seen = 0

    def _leap(self) -> None:
        """Skip what repeats, if the jobs have been in this state before, or their mean pace is known."""
        now = _Moment(
            self._now,
            self._left.copy(),
            self._running.copy(),
            self.sent.copy(),
            self.held.copy(),
            self._wake - self._now,
            self._steps_left.copy(),
            self._now - self._began,
            self._starts.copy(),
            self._runs.copy(),
        )
        if self._n_seen >= self._most_seen:
            self._seen.clear()
            self._n_seen = 0
        if not (self._leap_exactly(now) or self._leap_at_pace(now)):
            self._n_seen += 1

    def _leap_exactly(self, now: _Moment) -> bool:
        moments = self._seen.setdefault((self._act.tobytes(), now.running.tobytes()), deque(maxlen=REMEMBERED))
        for before in reversed(moments):
            times = self._times(before, now) if self._alike(before, now).all() else 0
            if times >= 1:
                self._repeat(before, now, times)
                return True
        moments.append(now)
        return False

    def _leap_at_pace(self, now: _Moment) -> bool:
        """From one beginning of a step of a job to another, all others having made many steps, or none."""
        for job in np.flatnonzero(self._began == self._now).tolist():
            if len(self._first_begun) >= self._most_seen:
                self._first_begun.clear()
            before = self._first_begun.setdefault((self._act.tobytes(), job), now)
            moved = now.starts - before.starts
            alike = self._alike(before, now)
            if not alike[job] or not (alike | (moved >= self.mean_over)).all():
                continue
            times = self._times(before, now)
            if times >= 1:
                self._repeat(before, now, times)
                self.n_at_pace += int(times * moved.sum())
                return True
        return False

    def _alike(self, before: _Moment, now: _Moment) -> NDArray[np.bool_]:
        """(n_jobs,) whether the job has gone on with the same flows of one step, or is where it was in it."""
        n_jobs = len(self._parts)
        differs = now.running & (np.abs(before.left - now.left) > SAME * self._size)
        moved_on = np.bincount(self._job[differs], minlength=n_jobs) > 0
        other = np.bincount(self._job[before.running != now.running], minlength=n_jobs) > 0
        waits = np.isfinite(now.wait) & np.isfinite(before.wait)
        moved_on[waits] |= np.abs(before.wait[waits] - now.wait[waits]) > SAME * (now.now - before.now)
        alike: NDArray[np.bool_] = ~other & (~moved_on | (now.starts == before.starts))
        return alike

    def _times(self, before: _Moment, now: _Moment) -> int:
        """How often what happened between two moments can happen again before anything new does."""
        period = now.now - before.now
        if period <= 0:
            return 0
        pace, most = _steps(before, now), math.inf
        for job in range(len(self._parts)):
            if now.starts[job] > before.starts[job]:
                if now.runs[job] > before.runs[job]:
                    if before.steps_left[job] != now.steps_left[job]:
                        return 0
                elif math.isfinite(now.steps_left[job]):
                    most = min(most, (now.steps_left[job] - 1) // pace[job])
            elif math.isfinite(now.wait[job]):
                most = min(most, now.wait[job] // period - 1)
            else:
                own = now.running & (self._job == job)
                less = before.left[own] - now.left[own]
                if (less > 0).any():
                    most = min(most, float((now.left[own][less > 0] / less[less > 0]).min()) // 1 - 1)
        return int(most) if math.isfinite(most) else 0

    def _repeat(self, before: _Moment, now: _Moment, times: int) -> None:
        period, moved = now.now - before.now, now.starts > before.starts
        still = ~moved[self._job] & self._running
        self._left[still] -= times * (before.left[still] - now.left[still])
        self.sent += times * (now.sent - before.sent)
        self.held += times * (now.held - before.held)
        self._now += times * period
        for clock in (self._began, self._arrival, self._wake):
            clock[moved] += times * period
        once = moved & (now.runs == before.runs) & np.isfinite(now.steps_left)
        self._steps_left[once] -= np.rint(times * _steps(before, now)[once])
        self._seen.clear()
        self._n_seen = 0
        self._starts += times * (now.starts - before.starts)
        self._runs += times * (now.runs - before.runs)


def _steps(before: _Moment, now: _Moment) -> NDArray[np.float64]:
    """(n_jobs,) steps between two moments, and parts of steps by time."""
    part = (now.elapsed - before.elapsed) / (now.now - before.now)
    found: NDArray[np.float64] = (now.starts - before.starts) * (1 + part)
    return found
