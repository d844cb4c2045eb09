"""Large direct networks and spreading congestion. Run with: pytest tests/benchmarks/test_direct_network_speed.py"""

import pytest

from designer.catalog.catalog import load
from designer.graph.building.build import build
from designer.model.design import Design
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.topologies import dragonfly, rail_optimized, torus
from designer.warm_up import warm_up

EVERYBODY = {"collective": "all-to-all"}


@pytest.fixture(scope="module", autouse=True)
def warm():
    warm_up()
    simulate(build(drawn(torus, torus.TorusParameters((4, 4)))), Scenario(**EVERYBODY, routing="dimension-order"))
    small = build(drawn(dragonfly, dragonfly.DragonflyParameters(4, 8, 4)))
    for routing in ("valiant", "adaptive"):
        simulate(small, Scenario(**EVERYBODY, routing=routing))


def drawn(family, parameters) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, load()))
    return design


def timed(benchmark, design: Design, scenario: Scenario) -> None:
    """Simulations on graphs from which nothing was derived yet."""
    benchmark.pedantic(simulate, setup=lambda: ((build(design), scenario), {}), rounds=3)


@pytest.fixture(scope="module")
def large_dragonfly() -> Design:
    """16,512 hosts: 129 groups of 16 routers with 8 hosts and 8 global links each."""
    return drawn(dragonfly, dragonfly.DragonflyParameters(8, 16, 8))


@pytest.mark.parametrize("routing", ["spray", "valiant", "adaptive"])
def test_all_to_all_on_16512_hosts_of_a_dragonfly(benchmark, large_dragonfly, routing):
    timed(benchmark, large_dragonfly, Scenario(**EVERYBODY, routing=routing))


@pytest.mark.parametrize("routing", ["valiant", "adaptive"])
def test_a_permutation_over_16512_hosts_of_a_dragonfly(benchmark, large_dragonfly, routing):
    timed(benchmark, large_dragonfly, Scenario(traffic="permutation:1", routing=routing))


def test_every_group_to_the_next_on_16512_hosts_of_a_dragonfly(benchmark, large_dragonfly):
    timed(benchmark, large_dragonfly, Scenario(traffic="shift:128", routing="adaptive"))


def test_all_to_all_on_a_torus_of_4096_nodes(benchmark):
    design = drawn(torus, torus.TorusParameters((16, 16, 16)))
    timed(benchmark, design, Scenario(**EVERYBODY, routing="dimension-order"))


@pytest.mark.parametrize("congestion", ["none", "head-of-line"])
def test_an_incast_beside_a_permutation_on_a_superpod(benchmark, congestion):
    parameters = rail_optimized.RailOptimizedParameters(servers=127, servers_per_su=32, reserve_leaf_ports=4)
    design = drawn(rail_optimized, parameters)
    scenario = Scenario(traffic="incast:64+permutation:1", routing="ecmp", congestion=congestion)
    timed(benchmark, design, scenario)
