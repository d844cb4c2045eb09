"""Pauses: how much room they need, when they come, and that nothing is lost where there is that room."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.errors import ParameterError
from designer.simulation.queues import fluid
from designer.simulation.queues.fluid_kernels import Ports
from designer.simulation.queues.headroom import dynamic_xoff_bytes, headroom
from designer.simulation.queues.ideal import fair_rates, ideal_ends_s, percentile
from designer.simulation.queues.parameters import pfc, set_named, sets
from designer.simulation.queues.request import QueueSettings

PAPERS = set_named("papers")
CONSTANTS = fluid.control(PAPERS, PAPERS.thresholds_at(40.0))
CAPACITY = 40e9 / 8


def ports_of(n: int, xoff: float, extra: float, delay_s: float) -> Ports:
    full = np.full(n, 1.0)
    return Ports(full * CAPACITY, full * delay_s, full * (xoff + extra), 0 * full, full * xoff, full * xoff * 0.9)


def test_headroom_covers_the_cable_twice_two_frames_and_the_response() -> None:
    """100G, 100 m: 394 quanta of 64 bytes, 2 x 500 ns x 12.5 GB/s, two frames and the pause frame."""
    found = headroom(pfc(), 100.0, 100.0, 4178.0, None)
    assert found is not None
    assert found.bytes == pytest.approx(394 * 64 + 2 * 500e-9 * 12.5e9 + 2 * 4178 + 84)
    assert found.delay_s == pytest.approx(394 * 512 / 100e9 + 500e-9 + (4178 + 84) / 12.5e9)


def test_a_rate_without_a_stated_response_time_needs_one() -> None:
    assert headroom(pfc(), 1600.0, 10.0, 4178.0, None) is None
    found = headroom(pfc(), 1600.0, 10.0, 4178.0, 1e-6)
    assert found is not None
    assert found.bytes > 1e-6 * 200e9


def test_a_dynamic_threshold_falls_as_more_ports_fill_up() -> None:
    """12 MB of a Trident II without headroom for 32 ports of 8 priorities, as in sec. 4 of the SIGCOMM paper."""
    shared = 12e6 - 8 * 32 * 22.4e3
    assert dynamic_xoff_bytes(shared, 8.0, 256) == pytest.approx(24.4e3, rel=0.02)
    assert dynamic_xoff_bytes(shared, 0.125, 1) > dynamic_xoff_bytes(shared, 0.125, 8)


@settings(max_examples=25, deadline=None)
@given(
    n_flows=st.integers(2, 24),
    size_bytes=st.floats(5e4, 3e6),
    xoff=st.floats(3e4, 4e5),
    delay_us=st.floats(0.2, 4),
)
def test_nothing_is_lost_with_the_headroom_that_the_delay_needs(
    n_flows: int, size_bytes: float, xoff: float, delay_us: float
) -> None:
    ports = ports_of(n_flows, xoff, CAPACITY * delay_us * 1e-6, delay_us * 1e-6)
    found = fluid.integrated(CONSTANTS, fluid.alike(n_flows, CAPACITY, size_bytes), ports, CAPACITY, 4e-6, 0.02)
    arrived, left, lost, queued, peak, *_ = found.trace.totals
    assert lost == 0
    assert peak <= float(ports.room.sum())
    assert arrived == pytest.approx(left + queued, rel=1e-9)
    assert (found.trace.paused_s <= found.end_s * (1 + 1e-9)).all()


def test_without_headroom_bytes_are_lost_and_counted() -> None:
    found = fluid.integrated(
        CONSTANTS, fluid.alike(8, CAPACITY, 1e6), ports_of(8, 5e4, 0.0, 2e-6), CAPACITY, 4e-6, 0.02
    )
    arrived, left, lost, queued, *_ = found.trace.totals
    assert lost > 1e4
    assert arrived == pytest.approx(left + lost + queued, rel=1e-9)


def test_pauses_bound_the_queue_that_marking_alone_lets_grow() -> None:
    flows = fluid.alike(16, CAPACITY, 2e6)
    free = fluid.integrated(CONSTANTS, flows, fluid.without_pauses(16), CAPACITY, 4e-6, 0.05)
    held = fluid.integrated(CONSTANTS, flows, ports_of(16, 3e4, 1.2e4, 2e-6), CAPACITY, 4e-6, 0.05)
    assert held.trace.totals[4] <= 16 * 4.2e4 < free.trace.totals[4]
    assert held.trace.pauses.sum() > 0
    assert free.trace.pauses.sum() == 0


def test_a_paused_switch_fills_up_and_holds_the_senders_behind_it() -> None:
    one = np.ones(1)
    flows = fluid.alike(8, CAPACITY, 1e6, n_ports=1)
    behind = Ports(one * 4 * CAPACITY, one * 2e-6, one * 1e5, one * 1.5e5, one * 5e4, one * 4.5e4)
    found = fluid.integrated(CONSTANTS, flows, behind, CAPACITY, 4e-6, 0.05)
    assert found.trace.totals[6] > 1.5e5
    assert found.trace.sources_paused_s[0] > 0
    assert found.trace.totals[2] == 0


def test_fair_rates_give_what_small_flows_leave_to_the_others() -> None:
    assert fair_rates(np.array([1.0, 9.0, 9.0]), np.array([1.0, 1.0, 2.0]), 10.0) == pytest.approx([1, 3, 3])
    assert fair_rates(np.array([1.0, 2.0]), np.ones(2), 10.0) == pytest.approx([1, 2])


def test_ideal_ends_share_the_link_at_every_moment() -> None:
    flows = fluid.alike(2, 10.0, 10.0)._replace(size=np.array([10.0, 20.0]))
    assert ideal_ends_s(flows, 10.0) == pytest.approx([2, 3])
    assert percentile(np.array([1.0, 5.0, np.inf]), np.array([98.0, 1.0, 1.0]), 0.99) == 5
    assert percentile(np.array([1.0, np.inf]), np.array([1.0, 1.0]), 0.99) == np.inf


def test_each_set_of_parameters_states_its_source() -> None:
    assert [one.name for one in sets()] == ["papers", "simulators"]
    assert all(one.source and one.thresholds for one in sets())
    with pytest.raises(ParameterError, match="papers, simulators"):
        set_named("mine")


def test_thresholds_the_wrong_way_round_are_refused() -> None:
    with pytest.raises(ParameterError, match="Kmax should be more than Kmin"):
        QueueSettings(k_min_bytes=200e3, k_max_bytes=100e3)
