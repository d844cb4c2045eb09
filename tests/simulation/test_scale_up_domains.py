"""Scale-up domains: crossbars of any size, and GPUs joined pairwise as Gaudi's and MI300X's are."""

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.graph.arrays import CROSSBAR, GPU, Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.topologies import rail_optimized, scale_up
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.scale_up_plan import ScaleUpParameters

CATALOG = load()


def pod(server: str, servers: int, **fields) -> Graph:
    design = Design()
    parameters = RailOptimizedParameters(server=server, servers=servers, **fields)
    design.apply(rail_optimized.build(design, parameters, CATALOG))
    return build(design)


@pytest.fixture(scope="module")
def gaudi() -> Graph:
    return pod("gaudi2-hls2", 4, switch="generic-switch-128x100g", rails=3, rail_only=True)


def test_each_gaudi_is_joined_to_its_seven_peers_by_three_100g_links(gaudi):
    inside = (gaudi.kind[gaudi.source] == GPU) & (gaudi.kind[gaudi.target] == GPU)
    assert not len(gaudi.vertices_of(CROSSBAR))
    assert np.count_nonzero(inside) == 4 * 8 * 7
    assert set(gaudi.capacity_gbps[inside]) == {300.0}
    assert (gaudi.device[gaudi.source[inside]] == gaudi.device[gaudi.target[inside]]).all()


def test_a_pair_in_the_box_has_its_own_links_and_all_pairs_at_once_have_them_too(gaudi):
    """37.5 GB/s per pair; an all-to-all inside one box uses all 21 ports of each accelerator: 262.5 GB/s."""
    pair = simulate(gaudi, Scenario(traffic="shift:1", ranks=(0, 1), size_bytes=37.5e9, efficiency=1.0, latency=False))
    assert pair.time_s == pytest.approx(1.0)
    everyone = simulate(
        gaudi, Scenario(traffic="all-to-all", ranks=8, size_bytes=37.5e9, efficiency=1.0, latency=False)
    )
    assert everyone.time_s == pytest.approx(1.0)


def test_out_of_the_box_every_accelerator_has_three_ports(gaudi):
    sent = simulate(
        gaudi, Scenario(traffic="shift:8", size_bytes=37.5e9, efficiency=1.0, latency=False, routing="spray")
    )
    assert sent.time_s == pytest.approx(1.0)  # 3 x 100 Gb/s = 37.5 GB/s


def test_an_accelerator_without_a_way_out_goes_by_a_peer(gaudi):
    names = [gaudi.device_names[0] + f":oam1-{port}" for port in (1, 2, 3)]
    design = Design()
    parameters = RailOptimizedParameters(
        server="gaudi2-hls2", servers=4, switch="generic-switch-128x100g", rails=3, rail_only=True
    )
    design.apply(rail_optimized.build(design, parameters, CATALOG))
    graph = build(design, failed=frozenset(names))
    assert network(graph).ends.borrowed[0] and not network(graph).ends.borrowed[1:].any()
    scenario = Scenario(traffic="shift:1", ranks=(0, 8), size_bytes=1e9, failed=tuple(names), latency=False)
    result = simulate(graph, scenario)
    inside = (graph.kind[graph.source] == GPU) & (graph.kind[graph.target] == GPU)
    assert result.bytes[inside & (graph.source == 0)].sum() > 0


def test_mi300x_has_64_gbytes_a_pair():
    graph = pod("mi300x-8gpu", 2)
    result = simulate(graph, Scenario(traffic="shift:1", ranks=(0, 1), size_bytes=64e9, efficiency=1.0, latency=False))
    assert result.time_s == pytest.approx(1.0)


def test_a_rack_of_72_gpus_is_one_domain_and_a_ring_inside_it_never_leaves():
    """GB200 NVL72: 900 GB/s per GPU and direction; busbw of a ring inside the rack is that of the domain."""
    graph = pod("gb200-nvl72", 2, rails=4)
    assert len(graph.vertices_of(CROSSBAR)) == 2
    result = simulate(
        graph, Scenario(collective="all-reduce", algorithm="ring", ranks=72, efficiency=1.0, latency=False, channels=1)
    )
    assert result.busbw_gbytes_per_s == pytest.approx(900.0)
    assert not result.bytes[graph.link >= 0].any()


def test_an_all_to_all_between_racks_is_held_by_the_nics():
    graph = pod("gb200-nvl72", 2, rails=4)
    result = simulate(graph, Scenario(traffic="all-to-all", size_bytes=1e6, efficiency=1.0, latency=False))
    assert result.time_s == pytest.approx(72 * 1e6 / 50e9)


@pytest.mark.parametrize("levels", [{}, {"groups": 3, "upper_switches": 2, "upper_switch": "generic-switch-96x400g"}])
@pytest.mark.parametrize("collective", ["all-reduce", "all-to-all"])
def test_trays_of_two_chips_are_as_fast_as_their_chips_alone(levels, collective):
    """Links of one number stay on one chip, so nothing changes where a tray is taken as one switch."""

    def time_s(switch: str, switches: int, chips: int) -> float:
        design = Design()
        wanted = ScaleUpParameters(
            server="generic-server-4x6x400g", servers=4, switch=switch, switches=switches, chips=chips, **levels
        )
        design.apply(scale_up.build(design, wanted, CATALOG))
        return simulate(build(design), Scenario(collective=collective, size_bytes=2**24)).time_s

    trays = time_s("generic-switch-64x400g", 3, 2)
    assert trays == pytest.approx(time_s("generic-switch-32x400g", 6, 1), rel=1e-9)
