"""Where DCQCN comes to rest: marking, queue and rates of N equal flows, exactly and by the papers' approximation.

Source: Y. Zhu, M. Ghobadi, V. Misra, J. Padhye, "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY"
(CoNEXT 2016), sec. 3.2: theorem 1 with eq. 9 to 12, and the Taylor series of eq. 14. Needs no numpy.
"""

import math
from dataclasses import dataclass

from designer.simulation.queues.fluid_kernels import Control

LOG_STEPS = 200


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """`marking` is the share of packets; the queue follows from it by the ramp. Bytes and bytes/s."""

    marking: float
    queue_bytes: float
    rate: float
    target: float
    alpha: float

    def is_above(self, control: Control) -> bool:
        """Whether the ramp gives less at its end than the flows need: then the queue swings about `k_max`."""
        return self.marking > control.p_max


def fixed_point(control: Control, capacity: float, n_flows: float) -> FixedPoint:
    """The one point at which rates and queue stay as they are, by bisection of eq. 11."""
    rate = capacity / n_flows
    low, high = math.log(1e-15), math.log(0.999999)
    for _step in range(LOG_STEPS):
        middle = 0.5 * (low + high)
        if _too_little(control, rate, math.exp(middle)):
            low = middle
        else:
            high = middle
    p = math.exp(0.5 * (low + high))
    a, c, e, alpha = _terms(control, rate, p)[0], *_ups(control, rate, p), _alpha(control, rate, p)
    packets = rate / control.packet_bytes
    target = rate + control.cnp_s * control.rate_ai * packets * (c + e) / a
    return FixedPoint(p, _queue(control, p), rate, target, alpha)


def approximate(control: Control, capacity: float, n_flows: float) -> tuple[float, float]:
    """(p*, q* in bytes) by eq. 14, good where few packets are marked."""
    size = control.packet_bytes
    c, rate_ai = capacity / size, control.rate_ai / size
    per_packet = size / control.counter_bytes + n_flows / (control.timer_s * c)
    p = (rate_ai * n_flows**2 / (control.alpha_s * c**2) * per_packet**2) ** (1 / 3)
    return p, _queue(control, p)


def _queue(control: Control, p: float) -> float:
    return p / control.p_max * (control.k_max - control.k_min) + control.k_min


def _too_little(control: Control, rate: float, p: float) -> bool:
    """Whether rates would grow at this marking: the left side of eq. 11 is below the right."""
    a, b, d = _terms(control, rate, p)
    c, e = _ups(control, rate, p)
    packets = rate / control.packet_bytes
    ai = control.rate_ai / control.packet_bytes
    return a * a * _alpha(control, rate, p) < control.cnp_s**2 * ai * packets * (b + d) * (c + e)


def _alpha(control: Control, rate: float, p: float) -> float:
    return -math.expm1(control.alpha_s * rate / control.packet_bytes * math.log1p(-p))


def _terms(control: Control, rate: float, p: float) -> tuple[float, float, float]:
    """The terms a, b and d of the paper."""
    packets = rate / control.packet_bytes
    a = -math.expm1(control.cnp_s * packets * math.log1p(-p))
    return a, _often(p, control.counter_bytes / control.packet_bytes), _often(p, control.timer_s * packets)


def _ups(control: Control, rate: float, p: float) -> tuple[float, float]:
    """The terms c and e of the paper."""
    _a, b, d = _terms(control, rate, p)
    counter, timer = control.counter_bytes / control.packet_bytes, control.timer_s * rate / control.packet_bytes
    fast = control.fast_steps
    return b * _passes(p, fast * counter), d * _passes(p, fast * timer)


def _often(p: float, packets: float) -> float:
    exponent = -packets * math.log1p(-p)
    return p / math.expm1(exponent) if exponent < 700 else 0.0


def _passes(p: float, packets: float) -> float:
    exponent = packets * math.log1p(-p)
    return math.exp(exponent) if exponent > -700 else 0.0
