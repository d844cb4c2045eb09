"""Bottlenecks of drawn fabrics."""

from collections.abc import Callable

import pytest

from designer.errors import Cancelled
from designer.model.design import Design
from designer.model.entities import Link
from designer.simulation.designs import graph_for
from designer.simulation.engine import simulate
from designer.simulation.queues.analysis import queues_of_design
from designer.simulation.queues.request import QueueSettings
from designer.simulation.scenario import Scenario

SHORT = QueueSettings(duration_s=2e-3)


@pytest.fixture(scope="module")
def two_to_one_design(generate) -> Design:
    """8 leaf switches of 8 hosts with 4 uplinks each, 400G: 2:1."""
    return generate("pgft", children=(8, 8), parents=(1, 4))


def test_an_incast_meets_at_the_cable_to_the_receiver(two_to_one_design: Design) -> None:
    found = queues_of_design(two_to_one_design, Scenario(traffic="incast:4", size_bytes=1e6), SHORT)
    (row,) = found.bottlenecks
    assert row.place.target == "host-01"
    assert (row.flows, row.demand) == (4, pytest.approx(4))
    assert row.link_id in two_to_one_design.links
    assert row.fair_rate_gbps == pytest.approx(row.capacity_gbps / 4)
    assert row.last_s is not None
    assert row.tail is not None
    assert row.tail >= 1
    assert row.used == pytest.approx(4 * 1e6 / (row.capacity_gbps * 1e9 / 8) / row.last_s, rel=0.02)


def test_oversubscribed_uplinks_are_the_bottlenecks_of_a_shift(two_to_one_design: Design) -> None:
    """Every leaf sends 8 x 400G by 4 uplinks, which let through what the downlinks from the spines then carry."""
    scenario = Scenario(traffic="shift:8", size_bytes=2e6)
    found = queues_of_design(two_to_one_design, scenario, QueueSettings(duration_s=2e-3, top=200))
    assert found.n_bottlenecks == 32
    assert len({row.place.source for row in found.bottlenecks}) == 8
    assert all(row.demand == pytest.approx(2) for row in found.bottlenecks)
    assert all(row.flows == 8 for row in found.bottlenecks)  # sprayed: each with a quarter
    assert all(row.fair_rate_gbps == pytest.approx(row.capacity_gbps / 8) for row in found.bottlenecks)
    congested = simulate(*graph_for(two_to_one_design, scenario)).congested_links()
    assert all(max(congested[row.link_id]) > 1 for row in found.bottlenecks)


def test_senders_behind_full_uplinks_bring_less_to_an_incast(two_to_one_design: Design) -> None:
    """16 senders on 2 leafs, 2:1 each: 8 links' worth come, by 4 downlinks to the leaf of the receiver."""
    design = two_to_one_design
    ranks = (0, *range(8, 24))
    found = queues_of_design(design, Scenario(traffic="incast:16", size_bytes=1e6, ranks=ranks), SHORT)
    by_tier = sorted((row.demand, row.place.target) for row in found.bottlenecks)
    assert by_tier[-1] == (pytest.approx(4), "host-01")
    assert [demand for demand, target in by_tier if target.startswith("spine")] == [pytest.approx(2)] * 8
    assert [demand for demand, target in by_tier if target.startswith("leaf")] == [pytest.approx(2)] * 4


def test_hashed_flows_give_unequal_bottlenecks_the_worst_first(two_to_one_design: Design) -> None:
    scenario = Scenario(traffic="shift:8", size_bytes=1e6, routing="ecmp", seed=3)
    found = queues_of_design(two_to_one_design, scenario, SHORT)
    demands = [row.demand for row in found.bottlenecks]
    assert demands == sorted(demands, reverse=True)
    assert demands[0] >= 3
    assert found.bottlenecks[0].flows == round(demands[0])


def test_the_same_scenario_gives_the_same_figures(two_to_one_design: Design) -> None:
    scenario = Scenario(traffic="incast:9", size_bytes=1e6)
    one, other = (queues_of_design(two_to_one_design, scenario, SHORT).bottlenecks[0] for _ in range(2))
    assert (one.peak_queue_bytes, one.last_s, one.paused_s) == (other.peak_queue_bytes, other.last_s, other.paused_s)


def test_flows_that_do_not_arrive_in_time_have_no_end(two_to_one_design: Design) -> None:
    scenario = Scenario(traffic="incast:4", size_bytes=1e9)
    row = queues_of_design(two_to_one_design, scenario, SHORT).bottlenecks[0]
    assert (row.p99_s, row.last_s, row.tail) == (None, None, None)
    assert row.looked_at_s == pytest.approx(2e-3, rel=0.01)


def test_more_buffer_means_fewer_pauses(two_to_one_design: Design) -> None:
    scenario = Scenario(traffic="incast:20", size_bytes=1e6)
    small, large = (
        queues_of_design(two_to_one_design, scenario, QueueSettings(buffer_bytes=size)).bottlenecks[0]
        for size in (4e6, 4e9)
    )
    assert small.paused_s > large.paused_s == 0
    assert small.xoff_bytes is not None
    assert large.xoff_bytes is not None
    assert small.xoff_bytes < large.xoff_bytes
    assert small.lost_bytes == large.lost_bytes == 0


def test_parallel_cables_have_headroom_and_threshold_each(generate: Callable[..., Design]) -> None:
    """All links from the spine switch to a leaf switch bring parts of the incast, and none of them loses any."""
    design = generate("fat-tree", switch="generic-switch", server="generic-host", servers=40, link_rate_gbps=400.0)
    scenario = Scenario(traffic="incast:16", size_bytes=8e6)
    row = queues_of_design(design, scenario, QueueSettings(duration_s=2e-3, buffer_bytes=12e6)).bottlenecks[0]
    n_parallel = sum(1 for link in design.links.values() if _joins(design, link, "spine-01", row.place.source))
    assert n_parallel > 1
    assert any(port.place.source == "spine-01" for port in row.paused)
    assert row.lost_bytes == 0
    assert row.xoff_bytes is not None
    assert row.peak_queue_bytes > row.xoff_bytes * row.ports


def _joins(design: Design, link: Link, one: str, other: str) -> bool:
    return {design.devices[end.device_id].name for end in (link.a, link.b)} == {one, other}


def test_pauses_reach_the_senders_behind_a_switch(generate: Callable[..., Design]) -> None:
    """With little room in the buffers, what waits in the spine switches pauses the leaf switches of the senders."""
    design = generate("pgft", children=(8, 8), parents=(1, 4))
    scenario = Scenario(traffic="incast:20", size_bytes=4e6)
    row = queues_of_design(design, scenario, QueueSettings(duration_s=2e-3, xoff_bytes=5e4)).bottlenecks[0]
    behind = [port for port in row.paused if port.place.source.startswith("spine")]
    assert behind
    assert all(port.sources_paused_s > 0 for port in behind)
    assert row.peak_upstream_bytes > 5e4


def test_the_work_can_be_cancelled(two_to_one_design: Design) -> None:
    def stop(_share: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        queues_of_design(two_to_one_design, Scenario(traffic="incast:5", size_bytes=1e6), SHORT, stop)
