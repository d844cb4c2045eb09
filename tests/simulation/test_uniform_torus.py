"""An all-to-all on a torus by symmetry: the same as by its flows, and left alone where nodes are not alike."""

import numpy as np
import pytest

from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.routing import dimension_order
from designer.routing.network import network
from designer.routing.policies import BY_TABLES
from designer.simulation.engine import simulate
from designer.simulation.flows import uniform, uniform_torus
from designer.simulation.scenario import Scenario
from designer.units import BYTES_PER_S_PER_GBPS


def both_ways(graph: Graph, members: np.ndarray | None = None):
    net = network(graph)
    everyone = np.arange(graph.n_endpoints) if members is None else members
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    by_symmetry = uniform_torus.run(net, everyone, 1e6, capacity)
    by_loads = uniform.run(dimension_order.prepared(net), everyone, 1e6, BY_TABLES, capacity)
    return by_symmetry, by_loads


@pytest.mark.parametrize(
    ("dims", "node"),
    [
        ((3,), "generic-host"),
        ((5,), "generic-host"),
        ((4, 3), "generic-host"),
        ((3, 4, 5), "generic-host"),
        ((4, 4, 4), "generic-host"),
        ((3, 3, 3, 3), "generic-host"),
        ((4, 5), "generic-host-2x400g"),
    ],
)
def test_times_rates_and_loads_are_those_of_all_flows(generate, dims, node):
    graph = build(generate("torus", dims=dims, node=node))
    found, expected = both_ways(graph)
    if found is None:  # several NICs a host, or several GPUs on a crossbar: not for this
        assert node != "generic-host"
        return
    assert found.counts.sum() == expected.counts.sum() == graph.n_endpoints * (graph.n_endpoints - 1)
    assert found.flows_on == pytest.approx(expected.flows_on)
    assert found.peak == pytest.approx(expected.peak, rel=1e-6, abs=1e-9)
    assert found.end_s == pytest.approx(expected.end_s, rel=1e-9)
    assert found.latency_ns == pytest.approx(expected.latency_ns)
    for kinds in ("finish_s", "first_rate"):
        written = [
            np.sort(np.repeat(getattr(phase_result, kinds), phase_result.counts)) for phase_result in (found, expected)
        ]
        assert written[0] == pytest.approx(written[1], rel=1e-6)


@pytest.mark.parametrize("failed", [{"node-01"}, {"node-02:+x"}, {"node-01", "node-02"}])
def test_a_torus_with_something_missing_is_none_of_its_business(generate, failed):
    design = generate("torus", dims=(4, 4))
    names = {device.name for device in design.devices.values()}
    chosen = frozenset(name for name in failed if name.partition(":")[0] in names) or {design.switches()[0].name}
    graph = build(design, failed=frozenset(chosen))
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    assert uniform_torus.run(network(graph), np.arange(graph.n_endpoints), 1e6, capacity) is None


def test_meshes_rings_of_two_parts_of_the_hosts_and_trees_are_none_either(generate):
    for family, parameters in (
        ("torus", {"dims": (4, 4), "mesh": True}),
        ("torus", {"dims": (4, 2)}),
        ("pgft", {"children": (4, 4), "parents": (1, 2)}),
    ):
        graph = build(generate(family, **parameters))
        capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
        assert uniform_torus.run(network(graph), np.arange(graph.n_endpoints), 1e6, capacity) is None
    graph = build(generate("torus", dims=(4, 4)))
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    assert uniform_torus.run(network(graph), np.arange(15), 1e6, capacity) is None
    slower = capacity.copy()
    slower[np.flatnonzero(graph.link >= 0)[-1]] /= 2
    assert uniform_torus.run(network(graph), np.arange(16), 1e6, slower) is None


def test_the_longest_ring_sets_the_pace_of_a_large_torus(generate):
    """Each + link of a ring of k (even) carries k/2 (k/2 + 1) / 2 of its row's pairs, times the other nodes."""
    graph = build(generate("torus", dims=(8, 8, 8)))
    scenario = Scenario(traffic="all-to-all", size_bytes=1e5, routing="dimension-order", latency=False, efficiency=1.0)
    result = simulate(graph, scenario)
    rate = 50e9
    assert result.time_s == pytest.approx(8 * 8 * (4 * 5 / 2) * 1e5 / rate)
    assert result.flows is not None and result.flows.count == 512 * 511
