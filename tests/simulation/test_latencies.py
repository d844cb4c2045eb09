"""Latencies: assumed where no source states them, added up along pipelines, and named where results hang on them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from designer.graph.building.build import build
from designer.graph.class_figures import CABLE, CLASS_FIGURES, ETHERNET_SWITCH, NIC_PAIR, SCALE_UP_DOMAIN
from designer.model.edit import Change, Edit
from designer.model.settings import Settings
from designer.simulation.engine import simulate
from designer.simulation.explain.compare_runs import compare_runs
from designer.simulation.failures import sweep as failures
from designer.simulation.failures.impact import failure_impact
from designer.simulation.scenario import Scenario
from designer.simulation.start_up import START_S, TELLING_TIMES
from designer.simulation.traffic.phases import Phase, Pipelines, flows, joined

MIB = 2**20
NVLINK_S, NIC_S, FIBRE_S = SCALE_UP_DOMAIN.value * 1e-9, NIC_PAIR.value * 1e-9, CABLE.value * 5e-9
RING = Scenario(collective="all-reduce", size_bytes=MIB)


@pytest.fixture(scope="module")
def star(generate):
    """8 hosts on one switch, of which nothing is known."""
    return build(generate("fat-tree", switch="generic-switch-64x400g", server="generic-host", servers=8))


HOP_S = NIC_S + 2 * FIBRE_S + ETHERNET_SWITCH.value * 1e-9


def test_every_class_figure_is_above_zero_and_has_a_source():
    assert all(figure.value > 0 and figure.source and figure.name for figure in CLASS_FIGURES)


def test_the_guide_has_the_class_figures_as_they_are():
    guide = (Path(__file__).parents[2] / "docs" / "simulation.md").read_text(encoding="utf-8")
    for figure in CLASS_FIGURES:
        assert f"| {figure.name} | {figure.text} | {figure.source} |" in guide


def test_a_switch_about_which_nothing_is_known_does_not_win(generate):
    """It was 803 µs against 5.3 µs: the same fabric of switches with a known latency, and of others without."""
    infiniband, ethernet = (
        simulate(build(generate("rail-optimized", switch=switch, servers=16)), RING)
        for switch in ("nvidia-qm9700", "nvidia-sn5600")
    )
    assert infiniband.time_s < ethernet.time_s < 1.5 * infiniband.time_s
    texts = ethernet.model.assumed_latencies
    assert any(text.startswith("latency of SN5600 (") and "700 ns, assumed" in text for text in texts)
    assert not any("QM9700" in text for text in infiniband.model.assumed_latencies)


def test_what_a_design_states_takes_the_place_of_the_class_figure(generate):
    design = generate("fat-tree", switch="generic-switch-64x400g", server="generic-host", servers=8).snapshot()
    design.apply(Edit("rule", (Change(design.settings, replace(design.settings, default_cable_length_m=2.0)),)))
    assert isinstance(design.settings, Settings)
    result = simulate(build(design), replace(RING, size_bytes=8))
    assert result.latency_s == pytest.approx(2 * 8 * (HOP_S - 2 * FIBRE_S + 2 * 2 * 5e-9))
    assert not any("length of a link" in text for text in result.model.assumed_latencies)


@pytest.mark.parametrize(("collective", "rounds"), [("all-reduce", 2), ("all-gather", 1), ("reduce-scatter", 1)])
def test_a_ring_takes_the_sum_of_its_hops_latencies_for_each_time_round(star, collective, rounds):
    result = simulate(star, Scenario(collective=collective, size_bytes=MIB, efficiency=1.0))
    # rounds x ((n-1)/n S/B + the sum of n hops)
    assert result.time_s == pytest.approx(rounds * (7 / 8 * MIB / 50e9 + 8 * HOP_S))
    assert result.latency_s == pytest.approx(rounds * 8 * HOP_S)


def test_each_hop_counts_for_itself_not_as_the_slowest(superpod_graph):
    """16 GPUs in 2 servers: 14 hops over NVLink and 2 over the fabric, twice."""
    result = simulate(superpod_graph, Scenario(collective="all-reduce", size_bytes=8, ranks=16))
    assert result.latency_s == pytest.approx(2 * (14 * NVLINK_S + 2 * (NIC_S + 2 * FIBRE_S + 130e-9)))


@pytest.mark.parametrize("collective", ["broadcast", "reduce"])
def test_a_chain_takes_the_sum_of_its_hops_once(star, collective):
    result = simulate(star, Scenario(collective=collective, algorithm="chain", size_bytes=MIB, efficiency=1.0))
    # (S + (n-2) chunks) / B + (n-1) hops; S is two chunks of 512 KiB.
    assert result.time_s == pytest.approx((MIB + 6 * 2**19) / 50e9 + 7 * HOP_S)


def test_a_tree_takes_its_longest_way_up_and_down(superpod_graph):
    """16 servers: four edges between them and seven in one, up and down."""
    scenario = Scenario(collective="all-reduce", algorithm="double-binary-tree", size_bytes=8, ranks=128)
    result = simulate(superpod_graph, scenario)
    one_leaf_s, spine_s = NIC_S + 2 * FIBRE_S + 130e-9, NIC_S + 4 * FIBRE_S + 3 * 130e-9
    most_s = 2 * (7 * NVLINK_S + 4 * spine_s)
    assert 2 * (7 * NVLINK_S + 3 * one_leaf_s) <= result.latency_s <= most_s


def test_rings_of_a_bucket_add_up_their_own_hops(generate):
    graph = build(generate("torus", dims=(4, 4)))
    result = simulate(graph, Scenario(collective="all-gather", algorithm="bucket", size_bytes=8))
    # Two stages, each a ring of four hops: NIC, router, cable, router; a host and its router are one node.
    hop_s = NIC_S + FIBRE_S + 2 * ETHERNET_SWITCH.value * 1e-9
    assert result.latency_s == pytest.approx(2 * 4 * hop_s)


@pytest.mark.parametrize("routing", ["spray", "ecmp", "destination", "dimension-order"])
def test_the_latency_of_a_way_does_not_hang_on_the_flows_beside_it(generate, routing):
    """On a torus every router is the end of some flows and on the way of others."""
    graph = build(generate("torus", dims=(4, 4)))
    together = simulate(graph, Scenario(traffic="shift:1", size_bytes=1, routing=routing))
    hop_s = NIC_S + FIBRE_S + 2 * ETHERNET_SWITCH.value * 1e-9
    # The longest: from the last of a row to the first of the next, one round each dimension.
    assert together.latency_s == pytest.approx(hop_s + ETHERNET_SWITCH.value * 1e-9 + FIBRE_S)


def test_pipelines_of_several_groups_stay_apart():
    two = joined([Pipelines(np.array([0, 0, 1])), Pipelines(np.array([0, 1, 1]))])
    assert two.latency_s(np.array([1.0, 2, 4, 8, 16, 32])).tolist() == [3, 3, 4, 8, 48, 48]
    # A tree of two edges above each other, up (0, 2) and down (1, 3): the lower goes on by the upper.
    tree = Pipelines(np.zeros(4, dtype=int), onward=np.array([2, 3, -1, -1]), half=np.array([0, 1, 0, 1]))
    twice = tree.times(2)
    assert twice.latency_s(np.array([1.0, 2, 4, 8, 3, 3, 3, 3])).tolist() == [15] * 4 + [12] * 4
    ends = np.zeros(4, dtype=np.int64)
    assert Phase("", 5, flows(ends, ends, 1.0), pipelines=tree).step_latency_s(np.ones(4)).tolist() == [0.8] * 4


def test_a_time_that_its_start_up_would_dominate_says_so(star):
    short, long = (simulate(star, replace(RING, size_bytes=size)) for size in (MIB, 2**34))
    assert short.time_s < TELLING_TIMES * START_S < long.time_s
    expected = "less than 84 µs: a start-up, 8.4 µs by NCCL's cost model, is not counted"
    assert short.time_note == expected == short.as_dict()["time_note"]
    assert long.time_note == "" and "time_note" not in long.as_dict()
    assert simulate(star, Scenario(traffic="shift:1", size_bytes=8)).time_note == ""


def test_comparisons_say_that_they_hang_on_assumed_latencies(generate):
    design = generate("pgft", children=(4, 4), parents=(1, 4))
    graph = build(design)
    without = build(design, failed=frozenset({"spine-01"}))
    for size_bytes, hangs in ((MIB, True), (2**34, False)):
        scenario = replace(RING, size_bytes=size_bytes)
        before, after = simulate(graph, scenario), simulate(without, scenario)
        expected = "Depends on assumed latencies (NIC 600 ns, Ethernet switch 700 ns, cable 10 m): latency is"
        for stated in (
            before.assumed_note,
            compare_runs(before, after).words,
            failure_impact(before, after).assumed_note,
        ):
            assert (expected in stated) == hangs
        sweep = failures.single(design, scenario, "switch", lambda _: None)
        assert (expected in sweep.assumed_note) == hangs
    assert simulate(graph, replace(RING, latency=False)).assumed_note == ""
