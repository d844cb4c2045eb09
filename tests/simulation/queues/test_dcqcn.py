"""DCQCN's fluid equations against the figures of the papers.

Zhu et al., "ECN or Delay" (CoNEXT 2016): figures are read off the curves that the authors' repository holds
(github.com/jitupadhye-zz/rdma, conext2016/figures: stable_q_4, stable_q_85, pm_rai40_delay*). Their curve of 64 flows
lies above Kmax: there the ramp went on.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.simulation.queues import fluid, fluid_kernels
from designer.simulation.queues.fixed_point import approximate, fixed_point
from designer.simulation.queues.fluid import Course
from designer.simulation.queues.parameters import set_named
from designer.simulation.queues.stability import phase_margin_deg

PAPERS = set_named("papers")
AT_40G = PAPERS.thresholds_at(40.0)
CAPACITY = 40e9 / 8
SMALL_S, LARGE_S = 4e-6, 85e-6
ENDLESS = 1e15


def course(n_flows: int, feedback_s: float, duration_s: float = 0.1, *, ramp_goes_on: bool = False) -> Course:
    constants = fluid.control(PAPERS, AT_40G, ramp_goes_on=ramp_goes_on)
    flows, ports = fluid.alike(n_flows, CAPACITY, ENDLESS, n_ports=1), fluid.without_pauses(1)
    return fluid.integrated(constants, flows, ports, CAPACITY, feedback_s, duration_s)


def late(found: Course) -> tuple[float, float]:
    """The least and the most of the queue in the last quarter, in kB."""
    last = slice(found.n * 3 // 4, found.n)
    return float(found.trace.queue_low[last].min()) / 1e3, float(found.trace.queue_high[last].max()) / 1e3


@pytest.mark.parametrize(("n_flows", "published_kb"), [(2, 20.1), (10, 125.4), (64, 1182.0)])
def test_the_queue_settles_where_the_paper_shows_it(n_flows: int, published_kb: float) -> None:
    """Fig. 4, 4 us: within 3 % at the end of 100 ms."""
    low, high = late(course(n_flows, SMALL_S, ramp_goes_on=True))
    assert low == pytest.approx(high, rel=0.01)
    assert high == pytest.approx(published_kb, rel=0.03)


@pytest.mark.parametrize("n_flows", [2, 10, 40, 64])
def test_integration_ends_at_the_fixed_point(n_flows: int) -> None:
    constants = fluid.control(PAPERS, AT_40G, ramp_goes_on=True)
    rest = fixed_point(constants, CAPACITY, n_flows)
    found = course(n_flows, SMALL_S, ramp_goes_on=True)
    assert late(found)[1] * 1e3 == pytest.approx(rest.queue_bytes, rel=0.005)
    assert found.trace.rate_high[found.n - 1] == pytest.approx(CAPACITY / n_flows, rel=0.002)
    assert found.trace.marked[found.n - 1] == pytest.approx(rest.marking, rel=0.01)


def test_the_fixed_point_leaves_every_slope_at_nought() -> None:
    constants = fluid.control(PAPERS, AT_40G)
    rest = fixed_point(constants, CAPACITY, 10)
    slopes = fluid_kernels.slopes(constants, rest.marking, rest.rate, rest.rate, rest.target, rest.alpha)
    assert np.abs(slopes) / (rest.rate, rest.target, rest.alpha) == pytest.approx([0, 0, 0], abs=1e-3)


@pytest.mark.parametrize("n_flows", [2, 4])
def test_the_approximation_of_the_paper_is_near_where_few_packets_are_marked(n_flows: int) -> None:
    constants = fluid.control(PAPERS, AT_40G)
    rest = fixed_point(constants, CAPACITY, n_flows)
    p, queue_bytes = approximate(constants, CAPACITY, n_flows)
    assert p == pytest.approx(rest.marking, rel=0.25)
    assert queue_bytes == pytest.approx(rest.queue_bytes, rel=0.25)


def test_with_a_large_delay_the_queue_of_ten_flows_swings_and_those_of_two_and_many_do_not() -> None:
    """Fig. 4, 85 us: 0 to 263 kB in the paper for 10 flows; 2 and 64 settle as with 4 us."""
    low, high = late(course(10, LARGE_S, ramp_goes_on=True))
    assert low == 0
    assert high == pytest.approx(263, rel=0.05)
    for n_flows, published_kb in ((2, 20.6), (64, 1182.0)):
        low, high = late(course(n_flows, LARGE_S, ramp_goes_on=True))
        assert low == pytest.approx(published_kb, rel=0.06)
        assert high == pytest.approx(published_kb, rel=0.06)


def test_unequal_flows_get_to_equal_rates() -> None:
    """Theorem 2: the difference falls exponentially. One begins at a quarter of the other's rate."""
    constants = fluid.control(PAPERS, AT_40G)
    flows = fluid.alike(2, CAPACITY, ENDLESS, n_ports=1)
    late_one = flows._replace(cap=np.array([CAPACITY, CAPACITY / 4]), alike=np.ones(2), size=np.full(2, ENDLESS))
    late_one = late_one._replace(start=np.arange(3), port=np.zeros(2, dtype=np.int64), share=np.ones(2))
    ports = fluid.without_pauses(1)
    capped = fluid.integrated(constants, late_one, ports, CAPACITY, SMALL_S, 0.1)
    assert capped.trace.rate_low[capped.n - 1] == pytest.approx(CAPACITY / 4, rel=0.01)
    assert capped.trace.rate_high[capped.n - 1] == pytest.approx(CAPACITY * 3 / 4, rel=0.05)
    together = fluid.integrated(constants, late_one._replace(cap=np.full(2, CAPACITY)), ports, CAPACITY, SMALL_S, 0.1)
    assert together.trace.rate_low[together.n - 1] == pytest.approx(CAPACITY / 2, rel=0.001)


def test_margins_fall_with_the_delay_and_rise_again_with_many_flows() -> None:
    """Fig. 3a: at 100 us 2 to 20 flows swing, 60 and more do not; the paper's margins lie within 14 degrees."""
    constants = fluid.control(PAPERS, AT_40G)
    published = {2: -10.1, 10: -17.9, 20: -11.5, 64: 15.6, 100: 23.1}
    found = {n: phase_margin_deg(constants, CAPACITY, n, 100e-6) for n in published}
    for n, margin in published.items():
        assert (found[n] > 0) == (margin > 0)
        assert found[n] == pytest.approx(margin, abs=14)
    assert found[10] < found[2]
    assert found[10] < found[100]
    assert phase_margin_deg(constants, CAPACITY, 10, SMALL_S) > phase_margin_deg(constants, CAPACITY, 10, 50e-6)


def test_a_smaller_step_and_a_wider_ramp_steady_the_queue() -> None:
    """Fig. 3b and 3c."""
    plain = phase_margin_deg(fluid.control(PAPERS, AT_40G), CAPACITY, 10, LARGE_S)
    slow = phase_margin_deg(fluid.control(replace(PAPERS, rate_ai_mbps=10), AT_40G), CAPACITY, 10, LARGE_S)
    assert plain < 0 < slow


@settings(max_examples=25, deadline=None)
@given(
    n_flows=st.integers(1, 40),
    size_bytes=st.floats(1e3, 2e6),
    feedback_us=st.floats(0, 60),
    share=st.floats(0.05, 1),
    ramp=st.floats(1.5, 40),
)
def test_bytes_are_conserved_and_rates_stay_below_the_line(
    n_flows: int, size_bytes: float, feedback_us: float, share: float, ramp: float
) -> None:
    constants = fluid.control(PAPERS, replace(AT_40G, k_max_bytes=AT_40G.k_min_bytes * ramp))
    cap = share * CAPACITY
    flows, ports = fluid.alike(n_flows, cap, size_bytes), fluid.without_pauses(n_flows)
    found = fluid.integrated(constants, flows, ports, CAPACITY, feedback_us * 1e-6, 0.02)
    arrived, left, lost, queued, peak, *_ = found.trace.totals
    assert arrived == pytest.approx(left + lost + queued, rel=1e-9, abs=1e-3)
    assert lost == 0
    assert (found.trace.queue_low[: found.n] >= 0).all()
    assert found.trace.queue_high[: found.n].max() <= peak
    assert found.trace.rate_high[: found.n].max() <= cap * (1 + 1e-12)
    assert left <= CAPACITY * found.end_s * (1 + 1e-9)
    done = np.isfinite(found.trace.finish_s)
    assert (found.trace.finish_s[done] >= size_bytes / cap * (1 - 1e-3)).all()
    if done.all():
        assert left == pytest.approx(n_flows * size_bytes, rel=0.05, abs=n_flows * 6e3)
        assert found.end_s >= n_flows * size_bytes / CAPACITY * (1 - 1e-6)
