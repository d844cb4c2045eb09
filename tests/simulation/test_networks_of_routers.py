"""HyperX, Slim Fly, Jellyfish and graphs under traffic: the loads that their structure gives, on every routing."""

import pytest

from designer.catalog.catalog import load
from designer.graph.building.build import build
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario

CATALOG = load()
SIZE = 1e9
GBPS = 1e9 / 8
CASES = {
    "hyperx": {"dims": (4, 4), "p": 4},
    "slim-fly": {"q": 5},
    "jellyfish": {"switches": 12, "degree": 4, "p": 2},
    "graph": {"graph": "hypercube", "arguments": "4", "p": 2},
}


@pytest.fixture(scope="module")
def graphs(generate):
    return {name: build(generate(name, **parameters)) for name, parameters in CASES.items()}


def time_s(graph, **fields):
    return simulate(graph, Scenario(size_bytes=SIZE, latency=False, efficiency=1.0, **fields)).time_s


@pytest.mark.parametrize("routing", ["spray", "destination", "ecmp", "valiant", "adaptive"])
@pytest.mark.parametrize("name", CASES)
def test_every_routing_carries_an_all_to_all_no_faster_than_the_ports(name, routing, graphs):
    graph = graphs[name]
    n = graph.n_endpoints
    took = time_s(graph, collective="all-to-all", routing=routing)
    assert took >= SIZE * (n - 1) / n / (400 * GBPS) * (1 - 1e-9)
    assert took < 10 * SIZE / (400 * GBPS)


@pytest.mark.parametrize("routing", ["spray", "destination", "ecmp", "valiant", "adaptive"])
@pytest.mark.parametrize("name", CASES)
def test_every_routing_carries_an_all_reduce_no_faster_than_the_ports(name, routing, graphs):
    graph = graphs[name]
    n = graph.n_endpoints
    took = time_s(graph, collective="all-reduce", algorithm="ring", routing=routing)
    assert took >= 2 * SIZE * (n - 1) / n / (400 * GBPS) * (1 - 1e-9)
    assert took < 10 * SIZE / (400 * GBPS)


@pytest.mark.parametrize(
    ("name", "flows"),
    [
        # Pairs of neighbors, and of routers two hops apart half each way; four hosts on each.
        ("hyperx", 4 * 4 * (1 + 2 * 3 / 2)),
        # Each two routers without a link have one neighbor in common: 1 + 2 * 6 pairs of routers on every link.
        ("slim-fly", 4 * 4 * 13),
        # n / 2 pairs of vertices over each link of a hypercube of n vertices, one direction: the mean distance times n.
        ("graph", 2 * 2 * 16 / 2),
    ],
)
def test_uniform_traffic_loads_every_link_as_the_structure_says(name, flows, graphs):
    graph = graphs[name]
    n = graph.n_endpoints
    busiest = max(flows, n - 1)
    took = time_s(graph, collective="all-to-all")
    assert took == pytest.approx(SIZE / n * busiest / (400 * GBPS), rel=1e-9)


def test_neighbours_of_a_hyperx_have_their_link_alone_or_a_detour_as_well(graphs):
    """Hosts of a router that send to those of the next router: 4:1 over their one link, less by way of others."""
    graph = graphs["hyperx"]
    straight, around = (time_s(graph, traffic="shift:4", routing=routing) for routing in ("spray", "adaptive"))
    assert straight == pytest.approx(4 * SIZE / (400 * GBPS), rel=1e-9)
    assert SIZE / (400 * GBPS) <= around < straight
