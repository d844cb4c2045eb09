"""The fluid equations of DCQCN with PFC at one bottleneck, integrated: the inner loops, compiled.

Rates of senders change as in fig. 1 of Y. Zhu et al., "ECN or Delay" (CoNEXT 2016), by steps of `step_s`; queues and
pauses move in shorter ones where much more arrives than leaves. Flows that are alike are one class with a count.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_inline

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]

PENDING = 8
# Changes of a pause that may be on their way at once; Xoff and Xon are far enough apart for two.
SENDING, UNDER_WAY, ARRIVED = 0, 1, 2


class Control(NamedTuple):
    """DCQCN and RED: bytes, bytes/s and seconds. Of counters that are switched off the limit is infinite."""

    k_min: float
    k_max: float
    p_max: float
    ramp_goes_on: bool  # above k_max, where switches mark every packet
    gain: float
    rate_ai: float
    timer_s: float
    counter_bytes: float
    fast_steps: float
    cnp_s: float  # tau
    alpha_s: float  # tau'
    least_rate: float
    packet_bytes: float


class Senders(NamedTuple):
    """Classes of flows and the ingress ports that they come by. Per flow: bytes/s and bytes."""

    alike: Floats  # (n,) how many flows
    cap: Floats  # (n,)
    size: Floats  # (n,)
    start: Longs  # (n + 1,) into port and share
    port: Longs
    share: Floats


class Ports(NamedTuple):
    """The bottleneck's ingress ports; infinite `xoff` switches pauses off."""

    capacity: Floats  # (m,)
    delay_s: Floats  # (m,) until a pause holds: cable and response
    room: Floats  # (m,) Xoff and headroom
    upstream_room: Floats  # (m,) what waits upstream before the sources are paused; 0 where a NIC sends
    xoff: Floats  # (m,) where it asks for a pause
    xon: Floats  # (m,) where it asks no more


class Run(NamedTuple):
    """How long and how finely. `delay_steps` is the feedback's delay."""

    capacity: float  # of the bottleneck
    step_s: float
    n_steps: int
    delay_steps: int
    n_samples: int
    finest: int  # parts of a step at most


class Trace(NamedTuple):
    """What came out. Samples are spans of equal length, with the least and the most of the queue in each."""

    queue_low: Floats
    queue_high: Floats
    sent: Floats  # rate of all senders, at the span's end
    rate_low: Floats  # of those still sending
    rate_high: Floats
    paused: Floats  # mean number of paused ports
    marked: Floats  # mean marking probability
    finish_s: Floats  # (n,) infinite where not reached
    paused_s: Floats  # (m,)
    pauses: Longs  # (m,)
    sources_paused_s: Floats  # (m,)
    totals: Floats  # arrived, left, lost bytes; bytes in queues at the end; peak queue; end time; peak upstream


@compiled_inline
def marking(control: Control, queue: float) -> float:
    """The probability that a packet is marked at this queue."""
    if queue <= control.k_min:
        return 0.0
    if queue > control.k_max and not control.ramp_goes_on:
        return 1.0
    return min(1.0, (queue - control.k_min) / (control.k_max - control.k_min) * control.p_max)


@compiled_inline
def events(p: float, packets: float) -> tuple[float, float]:
    """For p > 0: p / ((1 - p)^-x - 1), and the probability (1 - p)^x that x packets pass without a mark."""
    if p >= 1.0:
        return 0.0, 0.0
    exponent = packets * np.log1p(-p)
    if exponent < -700.0:
        return 0.0, 0.0
    return p / np.expm1(-exponent), np.exp(exponent)


@compiled
def slopes(
    control: Control, p: float, delayed: float, rate: float, target: float, alpha: float
) -> tuple[float, float, float]:
    """d/dt of rate, target and alpha; `p` and `delayed` are the marking and the rate a feedback delay ago."""
    packets = max(delayed, control.least_rate) / control.packet_bytes
    timer, counter = control.timer_s * packets, control.counter_bytes / control.packet_bytes
    if p <= 0.0:
        often = 1.0 / control.timer_s + packets / counter
        return 0.5 * (target - rate) * often, control.rate_ai * often, -control.gain / control.alpha_s * alpha
    by_timer, no_mark_timer = events(p, timer)
    by_counter, no_mark_counter = events(p, counter)
    quiet = 0.0 if p >= 1.0 else np.exp(control.cnp_s * packets * np.log1p(-p))
    quiet_alpha = 0.0 if p >= 1.0 else np.exp(control.alpha_s * packets * np.log1p(-p))
    cut = (1.0 - quiet) / control.cnp_s
    up = packets * (by_counter * no_mark_counter**control.fast_steps + by_timer * no_mark_timer**control.fast_steps)
    d_rate = -0.5 * rate * alpha * cut + 0.5 * (target - rate) * packets * (by_counter + by_timer)
    d_target = -(target - rate) * cut + control.rate_ai * up
    return d_rate, d_target, control.gain / control.alpha_s * ((1.0 - quiet_alpha) - alpha)


@compiled
def turned(states: Flags, due: Floats, n_due: Longs, port: int, now: float) -> bool:
    """Whether a change of the port's state was due by now; it is made."""
    if n_due[port] == 0 or due[port, 0] > now:
        return False
    states[port] = not states[port]
    n_due[port] -= 1
    for place in range(n_due[port]):
        due[port, place] = due[port, place + 1]
    return True


@compiled
def total(values: Floats) -> float:
    """The sum."""
    found = 0.0
    for place in range(len(values)):
        found += values[place]
    return found


@compiled
def integrate(control: Control, senders: Senders, ports: Ports, run: Run) -> Trace:
    """The course of the queue, the rates and the pauses until all flows have arrived, or for so many steps."""
    n, m, n_samples = len(senders.cap), len(ports.capacity), run.n_samples
    rate, target, alpha, left = senders.cap.copy(), senders.cap.copy(), np.ones(n), senders.size.copy()
    state, finish = np.zeros(n, dtype=np.int64), np.full(n, np.inf)
    marks = np.zeros(len(senders.port))  # bytes that a class's last byte waits for, first upstream, then in the queue
    waits_above = np.zeros(len(senders.port), dtype=np.bool_)
    old_rate = np.empty((run.delay_steps, n))
    old_p = np.zeros(run.delay_steps)
    for row in range(run.delay_steps):
        old_rate[row] = rate
    above, inside = np.zeros(m), np.zeros(m)  # bytes upstream, and in the queue by port
    into_above, out_of_above = np.zeros(m), np.zeros(m)
    wanted, arrived = np.zeros(m), np.zeros(m)
    is_paused, asks = np.zeros(m, dtype=np.bool_), np.zeros(m, dtype=np.bool_)
    is_held, holds = np.zeros(m, dtype=np.bool_), np.zeros(m, dtype=np.bool_)
    flip_at, n_flips = np.zeros((m, PENDING)), np.zeros(m, dtype=np.int64)
    hold_at, n_holds = np.zeros((m, PENDING)), np.zeros(m, dtype=np.int64)
    paused_s, pauses, held_s = np.zeros(m), np.zeros(m, dtype=np.int64), np.zeros(m)
    low, high = np.full(n_samples, np.inf), np.zeros(n_samples)
    sent, rate_low, rate_high = np.zeros(n_samples), np.zeros(n_samples), np.zeros(n_samples)
    paused, marked, n_in = np.zeros(n_samples), np.zeros(n_samples), np.zeros(n_samples)
    into, out, lost, queue, peak, peak_above, now = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    n_left, step = n, 0
    least_limit = min(control.k_max, ports.xoff.min())
    calm_parts = min(run.finest, 1 + int(4.0 * run.step_s / max(1e-9, ports.delay_s.min())))
    while step < run.n_steps and n_left > 0:
        sample = step * n_samples // run.n_steps
        place = step % run.delay_steps
        p = marking(control, queue)
        p_then, old_p[place] = old_p[place], p
        for port in range(m):
            wanted[port] = 0.0
        for one in range(n):
            delayed, old_rate[place, one] = old_rate[place, one], rate[one]
            if state[one] != SENDING:
                continue
            d_rate, d_target, d_alpha = slopes(control, p_then, delayed, rate[one], target[one], alpha[one])
            rate[one] = min(senders.cap[one], max(control.least_rate, rate[one] + run.step_s * d_rate))
            target[one] = min(senders.cap[one], max(control.least_rate, target[one] + run.step_s * d_target))
            alpha[one] += run.step_s * d_alpha
            for entry in range(senders.start[one], senders.start[one + 1]):
                wanted[senders.port[entry]] += senders.alike[one] * rate[one] * senders.share[entry]
        excess = max(0.0, total(wanted) - run.capacity) * run.step_s
        parts = min(run.finest, 1 + int(20.0 * excess / least_limit))
        if (parts < calm_parts) and (asks.any() or holds.any() or is_paused.any() or is_held.any()):
            parts = calm_parts
        part_s = run.step_s / parts
        for _part in range(parts):
            now += part_s
            total_in, n_paused = 0.0, 0
            for port in range(m):
                if turned(is_paused, flip_at, n_flips, port, now):
                    pauses[port] += is_paused[port]
                turned(is_held, hold_at, n_holds, port, now)
                by_nic = ports.upstream_room[port] <= 0.0
                stops = is_held[port] or (by_nic and is_paused[port])
                came = 0.0 if stops else wanted[port] * part_s
                if by_nic:
                    came = min(came, ports.capacity[port] * part_s)
                goes = 0.0 if is_paused[port] else min(above[port] + came, ports.capacity[port] * part_s)
                above[port] += came - goes
                into_above[port] += came
                out_of_above[port] += goes
                arrived[port] = came
                inside[port] += goes
                total_in += goes
                peak_above = max(peak_above, above[port])
                n_paused += is_paused[port]
                paused_s[port] += part_s * is_paused[port]
                held_s[port] += part_s * stops
            into += total_in
            leaves = min(run.capacity * part_s, queue + total_in)
            keeps = 1.0 - leaves / (queue + total_in) if queue + total_in > 0.0 else 0.0
            queue = 0.0
            for port in range(m):
                inside[port] *= keeps
                if inside[port] > ports.room[port]:
                    lost += inside[port] - ports.room[port]
                    inside[port] = ports.room[port]
                queue += inside[port]
                if (
                    asks[port] != (inside[port] > (ports.xon[port] if asks[port] else ports.xoff[port]))
                    and n_flips[port] < PENDING
                ):
                    asks[port] = not asks[port]
                    flip_at[port, n_flips[port]] = now - part_s + ports.delay_s[port]
                    n_flips[port] += 1
                limit = ports.upstream_room[port] * (ports.xon[port] / ports.xoff[port] if holds[port] else 1.0)
                is_full = limit > 0.0 and above[port] > limit
                if holds[port] != is_full and n_holds[port] < PENDING:
                    holds[port] = is_full
                    hold_at[port, n_holds[port]] = now - part_s + ports.delay_s[port]
                    n_holds[port] += 1
            out += leaves
            peak = max(peak, queue)
            low[sample], high[sample] = min(low[sample], queue), max(high[sample], queue)
            paused[sample] += n_paused / parts
            for port in range(m):
                arrived[port] = arrived[port] / wanted[port] if wanted[port] > 0.0 else 0.0
            for one in range(n):
                if state[one] == ARRIVED:
                    continue
                first, last = senders.start[one], senders.start[one + 1]
                if state[one] == SENDING:
                    for entry in range(first, last):
                        left[one] -= arrived[senders.port[entry]] * rate[one] * senders.share[entry]
                    if left[one] > 1e-6 * senders.size[one]:
                        continue
                    state[one] = UNDER_WAY
                    for entry in range(first, last):
                        port = senders.port[entry]
                        wanted[port] = max(0.0, wanted[port] - senders.alike[one] * rate[one] * senders.share[entry])
                        marks[entry], waits_above[entry] = into_above[port], True
                is_there = True
                for entry in range(first, last):
                    if waits_above[entry] and out_of_above[senders.port[entry]] >= marks[entry] * (1 - 1e-12):
                        marks[entry], waits_above[entry] = into, False
                    is_there &= (not waits_above[entry]) and out + lost >= marks[entry] * (1 - 1e-12)
                if is_there:
                    state[one], finish[one] = ARRIVED, now
                    n_left -= 1
        marked[sample] += p
        n_in[sample] += 1.0
        sent[sample], rate_low[sample], rate_high[sample] = 0.0, np.inf, 0.0
        for one in range(n):
            if state[one] == SENDING:
                rate_low[sample] = min(rate_low[sample], rate[one])
                rate_high[sample] = max(rate_high[sample], rate[one])
        sent[sample] = total(wanted)
        step += 1
    for sample in range(n_samples):
        if n_in[sample] > 0.0:
            paused[sample] /= n_in[sample]
            marked[sample] /= n_in[sample]
    totals = np.array([total(into_above), out, lost, queue + total(above), peak, now, peak_above])
    return Trace(low, high, sent, rate_low, rate_high, paused, marked, finish, paused_s, pauses, held_s, totals)
