"""All-to-all over several planes: what is added up plane by plane is what its flows, written out, put on every link."""

from dataclasses import replace

import numpy as np
import pytest

from designer.analysis.new_designs import new_design
from designer.catalog.catalog import load
from designer.graph.building.build import build
from designer.routing.network import network
from designer.simulation import phase_results
from designer.simulation.flows import uniform_levels, uniform_planes
from designer.simulation.payload_rate import payload_rate
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs
from designer.topologies.families import FAMILIES

CATALOG = load()
PAIR_BYTES = 1e6
SMALL = {"switch": "generic-switch-16x400g", "server": "dgx-h100", "servers": 3}
HOSTS = {"switch": "generic-switch-16x400g", "server": "generic-host-4x400g", "servers": 20}
TWO_LEVELS = {
    "switch": "generic-switch-32x400g",
    "spine_switch": "generic-switch-48x400g",
    "server": "generic-server-8x14x400g",
    "servers": 3,
    "planes": 7,
}
BOTH = {"server": "gb200-compute-tray", "servers": 3, "groups": 3, "nic_switch": "nvidia-qm9700", "racks": "none"}
"""Racks whose GPUs are joined inside by drawn switch trays, and by leafs and spines between racks."""
ALIKE = {
    "a plane for each rail": ("fat-tree", {**SMALL, "planes": 8}, False),
    "two rails in each plane": ("fat-tree", {**SMALL, "planes": 4}, False),
    "rails without spines": ("rail-optimized", {"servers": 3, "rail_only": True}, False),
    "a NIC in each of four planes": ("fat-tree", {**HOSTS, "planes": 4}, True),
    "two NICs in each of two planes": ("fat-tree", {**HOSTS, "planes": 2, "oversubscription": 3.0}, False),
    "fourteen links into seven sub-planes": ("fat-tree", TWO_LEVELS, True),
    "domains of racks and a network between them": ("scale-up", BOTH, True),
    "domains that the network between them does not outrun": ("scale-up", {**BOTH, "servers": 2, "chips": 1}, True),
    "complete bipartite": ("pgft", {"children": (6,), "parents": (5,)}, True),
}


def laid_out(family_name, values):
    family = next(one for one in FAMILIES if one.name == family_name)
    graph = build(new_design(family, values, CATALOG, "x", "none").design)
    scenario = Scenario(collective="all-to-all", size_bytes=1e9)
    return network(graph), scenario, payload_rate(graph, scenario.efficiency).capacity


def written_out(net, members, scenario, capacity):
    sent = phase_results.written_out(AllPairs(members, PAIR_BYTES), 0, len(members))
    return phase_results._followed(net, sent, scenario, capacity, lambda _share: None)


@pytest.mark.parametrize("case", ALIKE)
def test_loads_and_end_are_those_of_the_flows_written_out(case):
    family, values, known = ALIKE[case]
    net, scenario, capacity = laid_out(family, values)
    members = np.arange(net.graph.n_endpoints)
    found = uniform_planes.run(net, members, PAIR_BYTES, capacity)
    flows = written_out(net, members, scenario, capacity)
    assert found is not None and found.known is known
    np.testing.assert_allclose(found.flows_on * PAIR_BYTES, flows.bytes_on, rtol=1e-9)
    assert found.end_s + found.latency_ns * 1e-9 == pytest.approx(flows.time_s)
    if known:
        np.testing.assert_allclose(found.peak, flows.peak, rtol=1e-6)
        assert found.counts.sum() == len(flows.spread.counts)
        assert found.first_rate.max() == pytest.approx(flows.spread.first_rate.max())


def test_some_members_alone_are_counted_where_all_have_the_same_planes():
    net, scenario, capacity = laid_out("fat-tree", {**HOSTS, "planes": 4})
    members = np.array([0, 3, 4, 11, 17, 19])
    found = uniform_planes.run(net, members, PAIR_BYTES, capacity)
    flows = written_out(net, members, scenario, capacity)
    assert found is not None
    np.testing.assert_allclose(found.flows_on * PAIR_BYTES, flows.bytes_on, rtol=1e-9)


def test_servers_in_part_or_one_alone_are_left_to_single_flows():
    net, _, capacity = laid_out("fat-tree", {**SMALL, "planes": 8})
    assert uniform_planes.run(net, np.arange(15), PAIR_BYTES, capacity) is None
    assert uniform_planes.run(net, np.arange(8), PAIR_BYTES, capacity) is None


def test_many_flows_take_the_sum_over_planes(monkeypatch):
    net, scenario, capacity = laid_out("fat-tree", {**SMALL, "planes": 8})
    members = np.arange(net.graph.n_endpoints)
    phase = phase_results.Phase("all-to-all", 1, AllPairs(members, PAIR_BYTES))
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 10)
    followed = phase_results.phase_result_of(net, phase, scenario, capacity, lambda _share: None)
    assert followed.are_peaks_known  # routed one by one still: few enough for the rates at the start
    monkeypatch.setattr(phase_results, "MOST_AT_ONCE", 10)
    summed = phase_results.phase_result_of(net, phase, scenario, capacity, lambda _share: None)
    assert not summed.are_peaks_known
    assert summed.time_s == pytest.approx(followed.time_s)
    np.testing.assert_allclose(summed.bytes_on, followed.bytes_on, rtol=1e-9)


def test_some_gpus_of_racks_with_two_levels_send_as_their_flows_do():
    net, scenario, capacity = laid_out("scale-up", BOTH)
    # All of one rack, half of another: domains of different sizes, whose links end at different times.
    members = np.arange(net.graph.n_endpoints)[: 12 + 6]
    found = uniform_planes.run(net, members, PAIR_BYTES, capacity)
    flows = written_out(net, members, scenario, capacity)
    assert found is not None
    np.testing.assert_allclose(found.flows_on * PAIR_BYTES, flows.bytes_on, rtol=1e-9)
    assert found.end_s + found.latency_ns * 1e-9 == pytest.approx(flows.time_s)


def test_classes_and_peaks_of_two_levels_are_those_of_the_flows():
    net, scenario, capacity = laid_out("scale-up", BOTH)
    members = np.arange(net.graph.n_endpoints)
    found = uniform_planes.run(net, members, PAIR_BYTES, capacity)
    flows = written_out(net, members, scenario, capacity)
    assert sorted(zip(found.counts.tolist(), found.first_rate.round(-3).tolist(), strict=True)) == sorted(
        (int(count), rate)
        for rate, count in zip(*np.unique(flows.spread.first_rate.round(-3), return_counts=True), strict=True)
    )
    np.testing.assert_allclose(found.peak, flows.peak, rtol=1e-6, atol=1e-9)


def test_levels_that_are_not_alike_are_left_to_others():
    """A domain of two stages has switches above its switches; one rack alone has nothing between racks."""
    net, _, capacity = laid_out("scale-up", {**BOTH, "groups": 4, "upper_switches": 1})
    assert not uniform_levels.has_levels(net, np.arange(net.graph.n_endpoints))
    net, _, capacity = laid_out("scale-up", BOTH)
    assert uniform_levels.has_levels(net, np.arange(net.graph.n_endpoints))
    assert not uniform_levels.has_levels(net, np.arange(12))
    assert uniform_planes.run(net, np.arange(12), PAIR_BYTES, capacity) is None


def test_flows_of_two_levels_that_do_not_end_together_have_an_exact_end_alone():
    net, scenario, capacity = laid_out("scale-up", BOTH)
    members = np.arange(net.graph.n_endpoints)
    inside, outside = net.ends.out[0, 0, -1], net.ends.out[0, -1, -1]
    assert (net.ends.plane[0, 0] in net.ends.scale_up_planes) != (net.ends.plane[0, -1] in net.ends.scale_up_planes)
    for arc in (inside, outside):
        slower = capacity.copy()
        slower[arc] *= 0.4
        found = uniform_planes.run(net, members, PAIR_BYTES, slower)
        flows = written_out(net, members, scenario, slower)
        assert found is not None and not found.known
        assert found.end_s + found.latency_ns * 1e-9 == pytest.approx(flows.time_s)


def test_links_of_a_domain_on_several_switches_are_left_to_others():
    net, _, _ = laid_out("scale-up", BOTH)
    leaf = net.ends.leaf.copy()
    way = int(np.flatnonzero(np.isin(net.ends.plane[1], sorted(net.ends.scale_up_planes)))[0])
    leaf[1, way] = leaf[1, way] + 1
    members = np.arange(net.graph.n_endpoints)
    assert not uniform_levels.has_levels(replace(net, ends=replace(net.ends, leaf=leaf)), members)
