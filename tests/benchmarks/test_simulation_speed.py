"""How long graphs and simulations take, kernels warm. Run with: pytest tests/benchmarks/test_simulation_speed.py"""

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing import destination
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.flows import fluid
from designer.simulation.scenario import Scenario
from designer.topologies import pgft, rail_optimized
from designer.units import BYTES_PER_S_PER_GBPS
from designer.warm_up import warm_up


@pytest.fixture(scope="module", autouse=True)
def warm():
    warm_up()


@pytest.fixture(scope="module")
def superpod() -> Design:
    """127 DGX, 32 leaf switches, 16 spines: 1,016 GPUs, 2,040 links."""
    design, parameters = (
        Design(),
        rail_optimized.RailOptimizedParameters(servers=127, servers_per_su=32, reserve_leaf_ports=4),
    )
    design.apply(rail_optimized.build(design, parameters, load()))
    return design


@pytest.fixture(scope="module")
def three_tiers() -> Design:
    """16,384 hosts, 512 leaf switches, 512 spines, 512 cores."""
    design, parameters = Design(), pgft.PgftParameters((32, 16, 32), (1, 32, 16))
    design.apply(pgft.build(design, parameters, load()))
    return design


def edit_to_heat(design: Design, scenario: Scenario) -> None:
    """What Live does after an edit."""
    simulate(build(design), scenario).link_utilization()


def test_graph_of_a_superpod(benchmark, superpod):
    benchmark(build, superpod)


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario(collective="all-reduce"),
        Scenario(collective="all-reduce", algorithm="hierarchical"),
        Scenario(collective="all-to-all"),
        Scenario(collective="all-to-all", routing="destination"),
        Scenario(traffic="permutation:1", routing="ecmp"),
    ],
    ids=lambda scenario: f"{scenario.title}, {scenario.routing}",
)
def test_edit_to_heat_on_a_superpod(benchmark, superpod, scenario):
    benchmark(edit_to_heat, superpod, scenario)


def test_all_to_all_under_ecmp_on_a_superpod(benchmark, superpod):
    benchmark.pedantic(edit_to_heat, (superpod, Scenario(collective="all-to-all", routing="ecmp")), rounds=3)


def test_graph_of_16384_hosts(benchmark, three_tiers):
    benchmark.pedantic(build, (three_tiers,), rounds=3)


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario(collective="all-reduce"),
        Scenario(collective="all-to-all"),
        Scenario(collective="all-to-all", routing="destination"),
        Scenario(traffic="permutation:1"),
    ],
    ids=lambda scenario: f"{scenario.title}, {scenario.routing}",
)
def test_simulation_of_16384_hosts(benchmark, three_tiers, scenario):
    def with_a_new_graph():
        return (build(three_tiers), scenario), {}

    benchmark.pedantic(simulate, setup=with_a_new_graph, rounds=3)


@pytest.mark.parametrize("n_flows", [100_000, 1_000_000])
@pytest.mark.parametrize("only_rates", [True, False], ids=["rates", "to the last end"])
def test_random_flows_over_16384_hosts(benchmark, three_tiers, n_flows, only_rates):
    graph = build(three_tiers)
    src, dst = np.random.default_rng(1).integers(0, graph.n_endpoints, (2, n_flows))
    src, dst = src[src != dst], dst[src != dst]
    size_bytes = np.full(len(src), 1e9)
    paths = destination.route(network(graph), src, dst, size_bytes, np.zeros(len(src), dtype=np.int64), 0)
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS

    benchmark.pedantic(
        fluid.run,
        (paths.start, paths.arcs, paths.weights, capacity, size_bytes),
        {"tolerance": 1e-3, "only_rates": only_rates},
        rounds=5 if only_rates else 1,
        warmup_rounds=int(only_rates),
    )
