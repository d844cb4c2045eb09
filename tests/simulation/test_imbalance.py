"""The stated imbalance of uplinks: against balls in bins, thrown and by closed form."""

from dataclasses import replace

import numpy as np
import pytest

from designer.graph.building.build import build
from designer.routing.network import network
from designer.simulation import phase_results
from designer.simulation.engine import simulate
from designer.simulation.explain.balls_in_bins import even_over_mean, fullest_over_mean
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import Flows, Phase

LEAFS, HOSTS = 16, 8


@pytest.fixture(scope="module")
def graph(generate):
    """Sixteen leaf switches of eight hosts, each with a link to each of eight spines."""
    return build(generate("pgft", children=(HOSTS, LEAFS), parents=(1, HOSTS)))


def test_few_balls_fall_as_counting_all_ways_says():
    assert fullest_over_mean(1, 8) == pytest.approx(8)
    assert fullest_over_mean(2, 2) == pytest.approx(1.5)  # 2, 1, 1, 2 in the fullest
    assert fullest_over_mean(3, 2) == pytest.approx((3 * 2 + 2 * 6) / 8 / 1.5)
    assert fullest_over_mean(0, 4) == fullest_over_mean(9, 1) == 1.0
    assert (even_over_mean(9, 4), even_over_mean(8, 4), even_over_mean(0, 4)) == (pytest.approx(4 / 3), 1.0, 1.0)


@pytest.mark.parametrize(("balls", "bins"), [(32, 8), (200, 2), (201, 2), (201, 32), (5000, 16), (10**6, 64)])
def test_many_balls_fall_as_they_do_when_thrown(balls, bins):
    thrown = np.random.default_rng(2).multinomial(balls, np.full(bins, 1 / bins), 4000).max(axis=1)
    excess = thrown.mean() / (balls / bins) - 1
    assert fullest_over_mean(balls, bins) - 1 == pytest.approx(excess, rel=0.04)


def run(graph, **asked):
    size = {"size_bytes": 2.0**24, "latency": False}
    return simulate(graph, Scenario(traffic=f"shift:{HOSTS}", **{**size, **asked}))


def test_measured_is_what_the_loads_of_the_links_say_and_near_what_is_expected(graph):
    result = run(graph, routing="flowlet", flowlet_bytes=2.0**20)
    found = result.imbalance
    rows = [row for row in result.links(None) if row.source.startswith("leaf") and row.target.startswith("spine")]
    by_leaf = {row.source: [one.bytes for one in rows if one.source == row.source] for row in rows}
    measured = {leaf: max(carried) / np.mean(carried) for leaf, carried in by_leaf.items()}
    assert found.n_sets == LEAFS and found.measured == pytest.approx(np.mean(list(measured.values())))
    assert {row.switch: row.measured for row in found.worst} == pytest.approx(measured)
    assert found.worst[0].measured == max(measured.values()) and found.worst[0].ports == HOSTS
    assert found.pieces == pytest.approx(HOSTS * 16)
    assert found.expected == pytest.approx(fullest_over_mean(HOSTS * 16, HOSTS))
    assert found.measured == pytest.approx(found.expected, rel=0.05)


def test_what_is_placed_is_named_and_counted(graph):
    nouns = {
        ("ecmp", 1): ("flow", HOSTS),
        ("ecmp", 4): ("queue pair", 4 * HOSTS),
        ("packet-spray", 1): ("packet", 4096 * HOSTS),
    }
    for (routing, queue_pairs), (noun, count) in nouns.items():
        found = run(graph, routing=routing, queue_pairs=queue_pairs).imbalance
        assert (found.noun, round(found.pieces)) == (noun, count)
        assert found.measured == pytest.approx(found.expected, rel=0.15)
        assert f"expected of {count:,} {noun}s at random" in found.sentence
    even = run(graph, routing="flowlet", flowlet_bytes=3e6, port_choice="round-robin").imbalance
    assert (even.measured, even.expected) == (pytest.approx(1), pytest.approx(1)) and "in turn" in even.sentence
    assert run(graph, routing="spray").imbalance is None and run(graph, routing="destination").imbalance is None


def test_switches_with_one_uplink_have_no_imbalance(generate):
    single = build(generate("pgft", children=(4, 4), parents=(1, 1)))
    assert simulate(single, Scenario(traffic="shift:4", routing="ecmp", size_bytes=1e6)).imbalance is None


def test_a_sentence_has_digits_enough_near_one(graph):
    packets = run(graph, routing="packet-spray").imbalance
    assert f"carries {packets.measured:.3f} times" in packets.sentence and packets.measured < 1.09
    flows = run(graph, routing="ecmp").imbalance
    assert f"carries {flows.measured:.2f} times" in flows.sentence
    assert (
        f"{flows.worst[0].switch} {flows.worst[0].fullest} carries most, {flows.worst[0].measured:.2f} times"
        in flows.sentence
    )


def test_flows_of_different_sizes_count_as_fewer_of_one_size(graph):
    src = np.arange(HOSTS)
    sent = Flows(src, src + HOSTS, np.where(src == 0, 7e9, 1e9), np.zeros(HOSTS, dtype=np.int64))
    asked = Scenario(traffic=f"shift:{HOSTS}", routing="ecmp")
    found = phase_results.phase_result_of(
        network(graph),
        Phase("some", 1, sent),
        asked,
        np.where(np.isfinite(graph.capacity_gbps), graph.capacity_gbps * 1e9 / 8, np.inf),
        lambda _share: None,
    ).imbalance
    assert found.pieces == pytest.approx(14**2 / (49 + 7))


@pytest.mark.parametrize("routing", ["ecmp", "packet-spray"])
def test_an_all_to_all_without_its_flows_states_it_too(graph, routing, monkeypatch):
    asked = Scenario(collective="all-to-all", routing=routing, size_bytes=2.0**27, packet_bytes=2.0**18)
    written = simulate(graph, replace(asked, traffic="all-to-all", collective=None, size_bytes=2.0**20))
    monkeypatch.setattr(phase_results, "MOST_WIDE", 0)
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 0)
    counted = simulate(graph, asked)
    assert not counted.are_peaks_known and counted.imbalance.pieces == pytest.approx(written.imbalance.pieces)
    assert counted.imbalance.measured == pytest.approx(counted.imbalance.expected, rel=0.05)
    assert "imbalance" in counted.as_dict()
