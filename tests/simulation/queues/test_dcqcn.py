"""DCQCN's fluid equations against the figures of the papers, which published_queues.py lists."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from published_queues import AT_40G, CAPACITY, ENDLESS, LARGE_S, PAPERS, SMALL_S, Row, course, late_kb, rows

from designer.simulation.queues import fluid, fluid_kernels
from designer.simulation.queues.fixed_point import approximate, fixed_point
from designer.simulation.queues.stability import phase_margin_deg


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.name)
def test_figures_of_the_papers_come_out(row: Row) -> None:
    found = row.compute()
    assert found == pytest.approx(row.published, rel=row.share, abs=row.units or 1e-9)
    if row.unit == "deg":
        assert (found > 0) == (row.published > 0), "whether the queue swings"


@pytest.mark.parametrize("n_flows", [2, 10, 40, 64])
def test_integration_ends_at_the_fixed_point(n_flows: int) -> None:
    constants = fluid.control(PAPERS, AT_40G, ramp_goes_on=True)
    rest = fixed_point(constants, CAPACITY, n_flows)
    found = course(n_flows, SMALL_S)
    assert late_kb(found)[1] * 1e3 == pytest.approx(rest.queue_bytes, rel=0.005)
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


def test_every_packet_above_kmax_is_marked() -> None:
    """Equation 1 as it stands: 64 flows cannot rest on the ramp, and the queue swings about Kmax instead."""
    constants = fluid.control(PAPERS, AT_40G)
    flows, ports = fluid.alike(64, CAPACITY, ENDLESS, n_ports=1), fluid.without_pauses(1)
    found = fluid.integrated(constants, flows, ports, CAPACITY, SMALL_S, 0.1)
    assert fixed_point(constants, CAPACITY, 64).is_above(constants)
    assert not fixed_point(constants, CAPACITY, 10).is_above(constants)
    assert AT_40G.k_max_bytes < late_kb(found)[1] * 1e3 < 1.3 * AT_40G.k_max_bytes


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
    """Fig. 3a: least at some ten flows."""
    constants = fluid.control(PAPERS, AT_40G)
    few, ten, many = (phase_margin_deg(constants, CAPACITY, n, 100e-6) for n in (2, 10, 100))
    assert ten < few < many
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
