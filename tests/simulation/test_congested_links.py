"""Full links whose flows wait are congested; those that NICs fill are not. The path of a flow, link by link."""

from dataclasses import replace

import numpy as np
import pytest

from designer.drawing.display_list import classes_of
from designer.drawing.load_legend import legend_of
from designer.drawing.run_heat import heat_of_run
from designer.graph.arrays import NIC
from designer.graph.building.build import build
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.explain.flow_path import links_of_flow
from designer.simulation.explain.flows_on_link import flows_on_link
from designer.simulation.explain.reasons import each_once
from designer.simulation.failures.survivors import with_failures
from designer.simulation.scenario import Scenario
from designer.units import format_time


def full(result):
    return (result.graph.link >= 0) & (result.utilization_peak >= 0.995)


def test_a_ring_at_line_rate_fills_links_and_congests_none(generate):
    graph = build(generate("rail-optimized", servers=4, servers_per_su=2))
    result = simulate(graph, Scenario(collective="all-reduce", algorithm="ring", size_bytes=1e9))
    assert full(result).any()
    assert not (full(result) & result.congested).any()


def test_an_incast_congests_the_link_to_the_receiver_alone(generate):
    graph = build(generate("pgft", children=(4, 4), parents=(1, 4)))
    result = simulate(graph, Scenario(traffic="incast:8", size_bytes=1e6))
    hot = np.flatnonzero(full(result) & result.congested)
    assert len(hot) == 1
    assert graph.kind[graph.target[hot[0]]] == NIC
    assert result.demand[hot[0]] == pytest.approx(8)
    assert max(map(max, result.congested_links().values())) == pytest.approx(8)
    loads, flags = result.link_utilization(), result.congested_links()
    assert loads.link_ids == flags.link_ids


def test_an_oversubscribed_all_to_all_congests_the_fabric_and_no_nic(generate):
    graph = build(generate("pgft", children=(8, 4), parents=(1, 2)))
    result = simulate(graph, Scenario(traffic="all-to-all", size_bytes=1e6))
    hot = np.flatnonzero(full(result) & result.congested)
    assert len(hot)
    assert not (graph.kind[graph.source[hot]] == NIC).any()


@pytest.mark.parametrize(("demand", "is_congested"), [(1.0, False), (1.0003, False), (1.0101, True)])
def test_a_demand_up_to_one_percent_above_capacity_congests_nothing(generate, demand, is_congested):
    graph = build(generate("pgft", children=(4, 4), parents=(1, 4)))
    result = simulate(graph, Scenario(traffic="incast:8", size_bytes=1e6))
    near = replace(result, demand=np.where(result.demand > 2, demand, 0.0))
    assert near.congested.any() == is_congested
    assert (max(map(max, near.congested_links().values())) > 0) == is_congested


def test_a_failed_spine_congests_its_own_pod_alone(generate):
    design = generate("k-ary-fat-tree", k=16)
    spine = next(one for one in design.devices.values() if one.role == "spine")
    scenario = Scenario(collective="all-to-all", size_bytes=1e9)
    result = simulate(build(design, failed=frozenset({spine.id})), scenario)
    graph = result.graph
    hot = np.flatnonzero(full(result) & result.congested)
    pods = [design.members(one.id) for one in design.groups.values() if one.kind == "pod"]
    pod = set(next(members for members in pods if spine.id in members))
    assert len(hot)
    for arc in hot.tolist():
        assert {graph.device_ids[graph.device[v]] for v in (graph.source[arc], graph.target[arc])} & pod


@pytest.mark.parametrize("routing", ["ecmp", "destination", "spray"])
def test_the_path_of_a_flow_leads_over_the_link_from_one_end_to_the_other(generate, routing):
    design = generate("pgft", children=(4, 4), parents=(1, 4))
    graph = build(design)
    scenario = Scenario(traffic="permutation:1", routing=routing, size_bytes=1e6, seed=3)
    result = simulate(graph, scenario)
    between = np.flatnonzero((graph.link >= 0) & (graph.kind[graph.source] != NIC) & (result.bytes > 0))
    arc = next(arc for arc in between.tolist() if graph.kind[graph.target[arc]] != NIC)
    crossings = flows_on_link(result, scenario, arc).crossings
    assert crossings
    for flow in crossings:
        found = links_of_flow(result, scenario, arc, flow.source_id, flow.target_id, (flow.rank, flow.to_rank))
        assert graph.link_ids[graph.link[arc]] in found
        assert len(found) == (2 + 2 * 4 if routing == "spray" else 4)
        ends = [{link.a.device_id, link.b.device_id} for link in map(design.links.__getitem__, found)]
        assert sum(flow.source_id in pair for pair in ends) == sum(flow.target_id in pair for pair in ends) == 1
    outside = links_of_flow(result, scenario, arc, crossings[0].target_id, crossings[0].target_id)
    assert outside == frozenset()


def test_of_several_flows_between_two_servers_only_those_over_the_link_are_followed(generate):
    graph = build(generate("rail-optimized", servers=4, servers_per_su=2))
    scenario = Scenario(traffic="shift:16", routing="ecmp", size_bytes=1e6)
    result = simulate(graph, scenario)
    arc = int(np.flatnonzero((graph.kind[graph.source] == NIC) & (graph.link >= 0) & (result.bytes > 0))[0])
    (pair,) = flows_on_link(result, scenario, arc).pairs
    assert pair.flows == 1
    found = links_of_flow(result, scenario, arc, pair.source_id, pair.target_id)
    assert len(found) == 4
    assert graph.link_ids[graph.link[arc]] in found


def nics(result):
    graph = result.graph
    return (graph.link >= 0) & ((graph.kind[graph.source] == NIC) | (graph.kind[graph.target] == NIC))


@pytest.mark.parametrize(
    "scenario", [Scenario(collective="all-to-all", size_bytes=1e9), Scenario(traffic="all-to-all", size_bytes=1e6)]
)
def test_nics_that_wait_for_an_oversubscribed_fabric_are_full_at_times_alone(two_to_one, scenario):
    result = simulate(two_to_one, scenario)
    waiting = nics(result) & full(result)
    assert waiting.any() and (result.utilization_mean[waiting] < 0.9).all()
    assert result.full_at_times[waiting].all() and not (result.full_at_times & result.congested).any()
    heat = heat_of_run(0, result, "")
    assert heat.n_full_at_times == heat.saturated - heat.n_congested > 0
    assert f"{heat.n_full_at_times} full at times" in legend_of(heat).note and "by design" not in legend_of(heat).note
    keys = {key.text: key for key in legend_of(heat).keys}
    assert "full by design" not in keys
    drawn = heat.drawn.busier[(heat.loads.busier >= 0.995) & (heat.drawn.busier < 0.995)]
    assert {keys["full at times"].number} == set(classes_of(drawn)), "the sample is what is seen"


def test_a_sender_of_one_flow_waits_for_nobody(two_to_one):
    """It ends when its flow does, however long those over congested uplinks take."""
    result = simulate(two_to_one, Scenario(traffic="permutation:1", routing="ecmp", size_bytes=1e6))
    assert result.congested.any() and not result.full_at_times.any()


def test_nics_at_line_rate_are_full_by_design(generate):
    graph = build(generate("rail-optimized", servers=4, servers_per_su=2))
    result = simulate(graph, Scenario(collective="all-reduce", algorithm="ring", size_bytes=1e9))
    assert not result.full_at_times.any() and heat_of_run(0, result, "").n_full_at_times == 0


def test_links_that_gpus_share_since_a_leaf_failed_are_all_congested_and_none_full_by_design(generate):
    design = generate("rail-optimized", servers=8, servers_per_su=4)
    leaf = next(one.id for one in design.switches() if one.rail == 4 and one.role == "leaf")
    scenario = Scenario(collective="all-reduce", algorithm="ring", size_bytes=1e9)
    graph, scenario, _ = with_failures(design, frozenset([leaf]), scenario)
    result = simulate(graph, scenario)
    ends = network(graph).ends
    shared = np.unique(ends.out[ends.borrowed, 0, -1])
    assert len(shared) == 4
    assert result.demand[shared] == pytest.approx(2.0) and result.demand[shared ^ 1] == pytest.approx(2.0)
    heat = heat_of_run(0, result, "")
    assert heat.n_congested == len(shared)
    assert "by design" not in legend_of(heat).note and not any("sets the pace" in one.why for one in result.bottlenecks)


def test_a_borrowed_nic_over_which_one_gpu_sends_is_not_wanted_twice(generate):
    design = generate("rail-optimized", servers=8, servers_per_su=4)
    leaf = next(one.id for one in design.switches() if one.rail == 4 and one.role == "leaf")
    graph, scenario, _ = with_failures(design, frozenset([leaf]), Scenario(traffic="shift:1", size_bytes=1e9))
    ends = network(graph).ends
    borrower = int(np.flatnonzero(ends.borrowed)[0])
    server = graph.device[: len(ends.borrowed)]
    other = int(np.flatnonzero(~ends.borrowed & (server != server[borrower]))[-1])
    result = simulate(graph, replace(scenario, ranks=(borrower, other), order="design"))
    assert result.demand.max() <= 1 + 1e-9


def test_the_outcome_of_a_run_is_its_time_bandwidth_and_what_had_failed_by_name(generate):
    design = generate("pgft", children=(4, 4), parents=(1, 4))
    spines = sorted(one.name for one in design.devices.values() if one.role == "spine")
    lost = frozenset(one.id for one in design.devices.values() if one.name == spines[0])
    scenario = Scenario(collective="all-to-all", size_bytes=1e9)
    whole, without = simulate(build(design), scenario), simulate(build(design, failed=lost), scenario)
    assert whole.outcome_texts == (f"{format_time(whole.time_s)}, {whole.busbw_gbytes_per_s:.4g} GB/s busbw",)
    assert without.model.failed == (spines[0],), "by name, whatever it was called by"
    assert without.outcome_texts[0].endswith(f"GB/s busbw; failed: {spines[0]}")
    assert without.outcome_texts[-1].endswith("; 1 failed")


def test_all_links_like_the_bottleneck_are_counted_though_each_flow_names_one(generate):
    """In a ring over a dragonfly each flow between groups meets two full links: the last of its group, and the next."""
    result = simulate(build(generate("dragonfly", p=2, a=4, h=2)), Scenario(collective="all-reduce"))
    assert np.count_nonzero(full(result) & result.congested) == 9
    ((first, n_more),) = each_once(result.bottlenecks)
    assert (first.flows, n_more) == (2, 8)
