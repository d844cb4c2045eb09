"""All-to-all under ecmp counted without paths: against the paths themselves, flow by flow, and as a distribution."""

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing import ecmp
from designer.routing.network import network
from designer.simulation import phase_results
from designer.simulation.engine import simulate
from designer.simulation.flows import hashed, uniform
from designer.simulation.scenario import Scenario
from designer.topologies import dragonfly, pgft, rail_optimized


def three_tiers() -> Graph:
    design = Design()
    design.apply(pgft.build(design, pgft.PgftParameters((4, 4, 3), (1, 3, 2), (1, 2, 1)), load()))
    return build(design)


def superpod() -> Graph:
    design, parameters = Design(), rail_optimized.RailOptimizedParameters(servers=10, servers_per_su=4)
    design.apply(rail_optimized.build(design, parameters, load()))
    return build(design)


def direct() -> Graph:
    design = Design()
    design.apply(dragonfly.build(design, dragonfly.DragonflyParameters(p=2, a=4, h=2), load()))
    return build(design)


@pytest.mark.parametrize("make", [three_tiers, superpod, direct])
@pytest.mark.parametrize("seed", [0, 7])
def test_hashing_in_place_gives_the_loads_of_the_written_out_paths(make, seed):
    graph = make()
    net = network(graph)
    members = np.arange(1, graph.n_endpoints)
    src, dst = (side[np.not_equal.outer(members, members)] for side in np.meshgrid(members, members, indexing="ij"))
    zero = np.zeros(len(src), dtype=np.int64)
    paths = ecmp.route(net, src, dst, np.ones(len(src)), zero, seed)

    flows_on, latency_ns = uniform.hashed_loads(net, members, seed)

    assert uniform.applies(net, members)
    np.testing.assert_array_equal(flows_on, paths.bytes_on)
    assert latency_ns == pytest.approx(paths.latency_ns.max())


@pytest.mark.parametrize("make", [three_tiers, superpod])
def test_drawn_loads_have_the_mean_and_the_spread_of_hashed_ones(make, monkeypatch):
    net = network(make())
    members = np.arange(net.graph.n_endpoints)
    each = np.array([uniform.hashed_loads(net, members, seed)[0] for seed in range(200)])
    monkeypatch.setattr(hashed, "MOST_HASHED", 0)
    drawn = np.array([uniform.hashed_loads(net, members, seed)[0] for seed in range(200)])

    assert drawn.sum() == pytest.approx(each.sum())  # every flow takes as many hops
    deviation = each.std(axis=0)
    certain = deviation == 0
    np.testing.assert_array_equal(drawn[:, certain], each[:, certain])
    error = np.abs(drawn.mean(axis=0) - each.mean(axis=0))[~certain] / deviation[~certain]
    assert error.max() < 5 * np.sqrt(2 / 200)
    assert drawn.std(axis=0).mean() == pytest.approx(deviation.mean(), rel=0.1)


def test_the_same_seed_draws_the_same_loads_and_another_draws_others(monkeypatch):
    monkeypatch.setattr(hashed, "MOST_HASHED", 0)
    net = network(three_tiers())
    members = np.arange(net.graph.n_endpoints)
    first, again, other = (uniform.hashed_loads(net, members, seed)[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_an_all_to_all_of_many_flows_ends_when_its_paths_say_and_tells_how_it_was_counted(monkeypatch):
    graph, scenario = three_tiers(), Scenario(traffic="all-to-all", size_bytes=1e6, routing="ecmp")
    followed = simulate(graph, scenario)
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 0)
    monkeypatch.setattr(phase_results, "MOST_AT_ONCE", 0)
    counted = simulate(graph, scenario)

    assert counted.time_s == pytest.approx(followed.time_s, rel=1e-3)
    np.testing.assert_allclose(counted.bytes, followed.bytes)
    assert "hashed one by one" in counted.model.notes[0]
    monkeypatch.setattr(hashed, "MOST_HASHED", 0)
    assert "drawn" in simulate(graph, scenario).model.notes[0]


def test_a_collective_too_large_to_be_followed_is_counted_in_place_and_a_pattern_still_tells_its_rates(monkeypatch):
    graph = superpod()
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 0)
    collective, pattern = (
        simulate(graph, Scenario(**asked, size_bytes=1e9, routing="ecmp"))
        for asked in ({"collective": "all-to-all"}, {"traffic": "all-to-all"})
    )
    assert "hashed one by one" in collective.model.notes[0]
    np.testing.assert_allclose(collective.bytes * graph.n_endpoints, pattern.bytes)
    assert "those at the start" in pattern.model.notes[0]
    assert pattern.flows is not None and pattern.flows.rate_max_gbps > pattern.flows.rate_mean_gbps
