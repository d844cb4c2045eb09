"""How far DCQCN is from swinging: the phase margin of the equations, linearized where they come to rest.

As in sec. 3.2 and appendix A of Y. Zhu et al., "ECN or Delay" (CoNEXT 2016): the loop of N equal flows and the queue is
opened where its signals are delayed. The paper linearizes a Taylor series; here the slopes themselves are, so that
margins differ by some degrees.
"""

import math

import numpy as np
from numpy.typing import NDArray

from designer.simulation.queues import fluid_kernels
from designer.simulation.queues.fixed_point import FixedPoint, fixed_point
from designer.simulation.queues.fluid_kernels import Control

Complexes = NDArray[np.complex128]
FREQUENCIES = np.logspace(1, 7, 3001)
"""1/s."""
NUDGE = 1e-5


def phase_margin_deg(control: Control, capacity: float, n_flows: float, feedback_s: float) -> float:
    """Degrees between the loop and steady swinging; below 0 the queue swings. Infinite where the loop has no gain."""
    at = fixed_point(control, capacity, n_flows)
    now, then = _jacobians(control, at)
    ramp = control.p_max / (control.k_max - control.k_min)
    s: Complexes = np.asarray(1j * FREQUENCIES, dtype=np.complex128)
    loop = _loop(now, then, ramp * n_flows, s) * np.exp(-s * feedback_s)
    gain, phase = np.abs(loop), np.degrees(np.unwrap(np.angle(loop)))
    crossings = np.flatnonzero((gain[:-1] >= 1) != (gain[1:] >= 1))
    if not len(crossings):
        return math.inf
    turns = 360 * math.floor(phase[0] / 360)
    return float((phase[crossings] - turns - 180).min())


def _jacobians(control: Control, at: FixedPoint) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slopes of (rate, target, alpha) by these, and by (marking, rate) a feedback delay ago."""
    values = np.array([at.marking, at.rate, at.rate, at.target, at.alpha])
    columns = []
    for place, value in enumerate(values):
        step = NUDGE * value
        up, down = values.copy(), values.copy()
        up[place] += step
        down[place] -= step
        ahead = np.array(fluid_kernels.slopes(control, *up))
        columns.append((ahead - np.array(fluid_kernels.slopes(control, *down))) / (2 * step))
    both = np.array(columns).T
    return both[:, 2:], both[:, :2]


def _loop(now: NDArray[np.float64], then: NDArray[np.float64], ramp: float, s: Complexes) -> Complexes:
    """The open loop without its delay, seen from the rate: what comes back of a change of it, turned about."""
    rest = s[:, None, None] * np.eye(2) - now[1:, 1:]
    by_others = np.linalg.solve(rest, np.broadcast_to(now[1:, :1], (len(s), 2, 1)))[:, :, 0] @ now[0, 1:]
    delayed = then[:, 0] * (ramp / s)[:, None] + then[:, 1]  # by way of the queue, and of the rate itself
    comes_back = delayed[:, 0] + np.linalg.solve(rest, delayed[:, 1:, None])[:, :, 0] @ now[0, 1:]
    found: Complexes = -comes_back / (s - now[0, 0] - by_others)
    return found
