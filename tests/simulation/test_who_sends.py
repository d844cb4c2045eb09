"""What results state of the traffic that was run: who sends, why a rate is not the port's, and which run it was."""

import pytest

from designer.graph.building.build import build
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario


@pytest.fixture(scope="module")
def graph(generate):
    return build(generate("rail-optimized", servers=6, servers_per_su=3))


def sent(graph, traffic, **values):
    return simulate(graph, Scenario(traffic=traffic, size_bytes=1e9, latency=False, **values))


def test_an_incast_names_its_receiver_and_counts_who_crosses_the_fabric(graph):
    result = sent(graph, "incast:15")
    found = result.flows.who_sends
    # Ranks 3, 6, 9, ...: two of them in the receiver's own server of 8 GPUs.
    assert (found.flows, found.inside, len(found.senders)) == (15, 2, 5)
    names = [name for name in graph.device_names if name.startswith("gpu")]
    assert found.text == (
        f"15 to {names[0]} GPU 0: 13 over the fabric from {names[1]}, {names[2]}, {names[3]} and 2 more, "
        f"2 inside {names[0]}"
    )
    payload = 400 * result.model.efficiency["InfiniBand, MTU 4096"]
    assert result.time_s == pytest.approx(13 * 8 / payload)
    assert result.bottlenecks[0].flows == 13


def test_other_patterns_count_what_stays_inside_servers(graph):
    assert sent(graph, "shift:8").flows.who_sends.text == "48, all over the fabric"
    assert sent(graph, "shift:1").flows.who_sends.text == "48: 6 over the fabric, 42 inside servers"
    assert sent(graph, "all-to-all").flows.who_sends.text == "2,256: 1,920 over the fabric, 336 inside servers"


def test_a_rate_below_the_ports_has_its_reason_and_one_that_is_the_ports_has_none(graph):
    assert "397.5 Gb/s (400 Gb/s less packet headers)" in sent(graph, "shift:8").bottlenecks[0].why
    assert "fills its 380 Gb/s (0.95 of 400 Gb/s)" in sent(graph, "shift:8", efficiency=0.95).bottlenecks[0].why
    assert "fills its 400 Gb/s;" in sent(graph, "shift:8", efficiency=1.0).bottlenecks[0].why


def test_hot_ports_state_it_too(graph):
    found = sent(graph, "incast:15+shift:8", congestion="head-of-line").congestion
    assert found.hot_ports[0].carries_text == "397.5 Gb/s (400 Gb/s less packet headers)"


def test_a_run_is_named_with_algorithm_routing_size_and_ranks(graph):
    scenario = Scenario(
        collective="all-reduce", algorithm="halving-doubling", routing="ecmp", ranks=16, size_bytes=2**26
    )
    assert simulate(graph, scenario).run_text == "all-reduce, halving-doubling · ecmp, 64 MiB, 16 ranks"
    assert sent(graph, "shift:8").run_text == "shift:8 · spray, 1 GB, 48 ranks"
