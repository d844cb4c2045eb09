"""The course of one bottleneck: its flows and ports in, queue, rates, pauses and ends out."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.simulation.queues import fluid_kernels
from designer.simulation.queues.fluid_kernels import Control, Ports, Run, Senders, Trace
from designer.simulation.queues.parameters import Dcqcn, Thresholds

Floats = NDArray[np.float64]

MOST_SAMPLES = 4000
FINEST = 40
STEPS_PER_DELAY = 8
LONGEST_STEP_S = 1e-6
SHORTEST_STEP_S = 5e-8
BYTES_PER_S_PER_MBPS = 1e6 / 8


def control(parameters: Dcqcn, marking: Thresholds, *, ramp_goes_on: bool = False) -> Control:
    """The equations' constants in bytes, bytes/s and seconds."""
    return Control(
        marking.k_min_bytes,
        marking.k_max_bytes,
        marking.p_max,
        ramp_goes_on,
        parameters.gain,
        parameters.rate_ai_mbps * BYTES_PER_S_PER_MBPS,
        parameters.timer_us * 1e-6,
        math.inf if parameters.counter_bytes is None else parameters.counter_bytes,
        parameters.fast_steps,
        parameters.cnp_us * 1e-6,
        parameters.alpha_us * 1e-6,
        max(1.0, parameters.least_rate_mbps * BYTES_PER_S_PER_MBPS),
        parameters.packet_bytes,
    )


def alike(n_flows: int, cap: float, size_bytes: float, *, n_ports: int | None = None) -> Senders:
    """Flows that differ in nothing but the port they come by, each by one of its own unless `n_ports` says so."""
    n = n_flows if n_ports is None else n_ports
    return Senders(
        np.full(n, n_flows / n),
        np.full(n, cap),
        np.full(n, size_bytes),
        np.arange(n + 1, dtype=np.int64),
        np.arange(n, dtype=np.int64),
        np.ones(n),
    )


def without_pauses(n_ports: int) -> Ports:
    """Ports of a queue that never fills."""
    infinite = np.full(n_ports, np.inf)
    return Ports(infinite, np.ones(n_ports), infinite, np.zeros(n_ports), infinite, infinite)


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """A trace with what its samples are: `span_s` each, the first `n` of them used."""

    trace: Trace
    span_s: float
    n: int

    @property
    def times_s(self) -> Floats:
        """(n,) the end of each sample."""
        found: Floats = np.arange(1, self.n + 1, dtype=np.float64) * self.span_s
        return found

    @property
    def end_s(self) -> float:
        """When the last flow had arrived, or the time looked at."""
        return float(self.trace.totals[5])


def step_of(constants: Control, feedback_s: float) -> float:
    """How long a step of the rates may be: short against all that changes them."""
    wanted = min(LONGEST_STEP_S, constants.cnp_s / STEPS_PER_DELAY, constants.alpha_s / 2)
    if feedback_s > 0:
        wanted = min(wanted, feedback_s / 2)
    return max(SHORTEST_STEP_S, wanted)


def integrated(
    constants: Control, senders: Senders, ports: Ports, capacity: float, feedback_s: float, duration_s: float
) -> Course:
    """The course for `duration_s`, or until all flows have arrived. Same input, same course."""
    step_s = step_of(constants, feedback_s)
    n_steps = max(1, math.ceil(duration_s / step_s))
    n_samples = min(MOST_SAMPLES, n_steps)
    delay_steps = max(1, round(feedback_s / step_s))
    run = Run(capacity, step_s, n_steps, delay_steps, n_samples, FINEST)
    trace: Trace = fluid_kernels.integrate(constants, senders, ports, run)
    used = int(np.isfinite(trace.queue_low).sum())
    return Course(trace, step_s * n_steps / n_samples, used)
