"""Bundles and distances of the switches by themselves."""

import networkx as nx
import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.graph.building.build import build
from designer.graph.compiled import compiled
from designer.graph.distances import distances_to
from designer.graph.switches import switch_graph
from designer.model.design import Design
from designer.topologies import pgft, rail_optimized
from designer.topologies.pgft import PgftParameters
from designer.topologies.rail_optimized import RailOptimizedParameters


def test_parallel_links_are_one_bundle_with_their_capacity_together():
    design = Design()
    design.apply(rail_optimized.build(design, RailOptimizedParameters(servers=128, servers_per_su=32), load()))

    switches = switch_graph(build(design))

    assert switches.n_switches == 48
    assert len(switches.head) == 2 * 32 * 16
    assert set(switches.capacity_gbps) == {800.0}
    assert (np.diff(switches.arc_start) == 2).all()
    assert len(switches.leafs) == 32


def test_bundles_are_in_the_order_of_their_first_port():
    design = Design()
    design.apply(pgft.build(design, PgftParameters((4, 3), (1, 5), (1, 2)), load()))
    graph = build(design)

    switches = switch_graph(graph)

    for switch in range(switches.n_switches):
        bundles = range(switches.start[switch], switches.start[switch + 1])
        first_ports = [int(graph.port_order[switches.arcs[switches.arc_start[b]]]) for b in bundles]
        assert first_ports == sorted(first_ports)
        for bundle in bundles:
            arcs = switches.arcs[switches.arc_start[bundle] : switches.arc_start[bundle + 1]]
            assert set(graph.target[arcs] - switches.first) == {switches.head[bundle]}
            assert (graph.source[arcs] - switches.first == switch).all()


@pytest.mark.parametrize("seed", range(6))
def test_distances_are_those_of_networkx(seed):
    graph = nx.gnm_random_graph(40, 55, seed=seed)
    edges = sorted(edge for a, b in graph.edges for edge in ((a, b), (b, a)))
    start = np.searchsorted([a for a, _ in edges], np.arange(41)).astype(np.int32)
    head = np.array([b for _, b in edges], dtype=np.int32)

    cost = np.ones(len(head), dtype=np.int16)
    found = distances_to(start, head, cost, 0, np.arange(4), np.array([0, 7, 39], dtype=np.int32))

    for row, goal in zip(found, (0, 7, 39), strict=True):
        hops = nx.single_source_shortest_path_length(graph, goal)
        assert row.tolist() == [hops.get(v, -1) for v in range(40)]


@pytest.mark.parametrize("seed", range(6))
def test_far_hops_and_sets_of_goals_are_those_of_networkx(seed):
    graph = nx.gnm_random_graph(40, 70, seed=seed)
    for a, b in graph.edges:
        graph.edges[a, b]["cost"] = 100 if (a + b) % 3 == 0 else 1
    edges = sorted(edge for a, b in graph.edges for edge in ((a, b), (b, a)))
    start = np.searchsorted([a for a, _ in edges], np.arange(41)).astype(np.int32)
    head = np.array([b for _, b in edges], dtype=np.int32)
    cost = np.array([graph.edges[edge]["cost"] for edge in edges], dtype=np.int16)

    found = distances_to(start, head, cost, 100, np.array([0, 2, 3]), np.array([3, 20, 39], dtype=np.int32))

    for row, goals in zip(found, ((3, 20), (39,)), strict=True):
        least = nx.multi_source_dijkstra_path_length(graph, goals, weight="cost")
        assert row.tolist() == [least.get(v, -1) for v in range(40)]


def test_a_kernel_whose_source_cannot_be_cached_is_compiled_all_the_same():
    room: dict[str, object] = {}
    exec("def twice(number):\n    return 2 * number\n", room)

    assert compiled(room["twice"])(21) == 42  # type: ignore[type-var,operator]
