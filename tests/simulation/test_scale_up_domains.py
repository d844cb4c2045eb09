"""Scale-up domains: crossbars of any size, and GPUs joined pairwise as Gaudi's and MI300X's are."""

from dataclasses import dataclass

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.graph.arrays import CROSSBAR, GPU, NIC, SWITCH, Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.failures.affected_servers import affected_servers
from designer.simulation.failures.worst import tried_failures
from designer.simulation.scenario import Scenario
from designer.topologies import rail_optimized, scale_up
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.scale_up_plan import ScaleUpParameters

CATALOG = load()


@dataclass(frozen=True)
class Named:
    name: str
    run: Scenario


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


@pytest.fixture(scope="module")
def racks() -> Design:
    """Two groups of two trays of four GPUs, each with 18 links to two drawn switches and a NIC on a rail."""
    design = Design()
    wanted = ScaleUpParameters(
        server="gb200-compute-tray", servers=2, groups=2, switches=2, nic_switch="nvidia-qm9700", nic_spines=1
    )
    design.apply(scale_up.build(design, wanted, CATALOG))
    return design


def without_a_rail(design: Design) -> frozenset[str]:
    return frozenset(one.id for one in design.devices.values() if one.name == "rail-g01-1")


def on_arcs(graph: Graph, bytes_on, ends: tuple[int, int], gpu: int) -> tuple[float, float]:
    """(bytes that leave, bytes that arrive) between a GPU and what is of the second kind."""
    kind, other = ends
    leaves = (graph.source == gpu) & (graph.kind[graph.target] == other)
    assert graph.kind[gpu] == kind
    return float(bytes_on[leaves].sum()), float(bytes_on[np.flatnonzero(leaves) ^ 1].sum())


@pytest.mark.parametrize("routing", ["spray", "weighted-spray", "ecmp", "destination", "adaptive"])
def test_gpus_that_lost_their_rail_send_over_nics_of_their_domain_by_its_drawn_links(racks, routing):
    """What two GPUs exchange with the 8 of the other domain crosses the NICs of two more and the links to both."""
    graph, whole = build(racks, failed=without_a_rail(racks)), build(racks)
    scenario = Scenario(traffic="all-to-all", size_bytes=1e6, routing=routing, efficiency=1.0, latency=False)
    result, ends = simulate(graph, scenario), network(graph).ends
    assert np.flatnonzero(ends.borrowed).tolist() == [0, 4]
    over_nics = {
        gpu: result.bytes[np.unique(ends.out[gpu, ~np.isin(ends.plane[gpu], [*ends.scale_up_planes, -1]), -1])].sum()
        for gpu in range(8)
    }
    assert over_nics == pytest.approx({0: 16e6, 1: 16e6, 2: 8e6, 3: 8e6, 4: 16e6, 5: 16e6, 6: 8e6, 7: 8e6})
    for gpu, moved in ((0, 15e6), (1, 31e6), (2, 15e6)):  # of a lender also what it passes on, by links and NIC
        expected = (moved, moved)
        assert on_arcs(graph, result.bytes, (GPU, NIC), gpu) == pytest.approx(expected)
    if routing == "spray":  # over all 18 links alike
        sent = result.bytes[(graph.source == 0) & (graph.kind[graph.target] == NIC)]
        assert sorted(sent) == pytest.approx([0.0, *[15e6 / 18] * 18])
    assert result.time_s >= 16e6 / 50e9 > simulate(whole, scenario).time_s * 0.9
    switches = graph.kind == SWITCH
    into, out_of = (
        np.bincount(side, result.bytes, graph.n_vertices)[switches] for side in (graph.target, graph.source)
    )
    assert into == pytest.approx(out_of)


def test_a_gpu_of_a_drawn_domain_uses_the_nic_of_another_server_where_its_own_has_none_left(racks):
    servers = {one.id: one.name for one in racks.devices.values() if racks.is_server(one.id)}
    first = next(one for one, name in servers.items() if name == "gpu-01")
    cut = [
        link.id
        for link in racks.links_of(first)
        if any(racks.device(end.device_id).role == "leaf" for end in (link.a, link.b))
    ]
    graph = build(racks, failed=frozenset(cut))
    model = simulate(graph, Scenario(collective="all-reduce", algorithm="ring")).model
    assert model.gpus_without_nic.count == 4
    assert model.gpus_without_nic.leave_over == (
        "gpu-01: GPU 0 over gpu-02 nic1, GPU 1 over gpu-02 nic2, GPU 2 over gpu-02 nic3, GPU 3 over gpu-02 nic4",
    )


def test_a_rail_switch_of_a_domain_that_fails_stops_nothing_and_the_comparison_says_who_lost_a_nic(racks):
    ring = Scenario(collective="all-reduce", algorithm="ring")
    whole, lame = simulate(build(racks), ring), simulate(build(racks, failed=without_a_rail(racks)), ring)
    assert "2 GPUs have no NIC in service of their own and send over those of other GPUs" in " ".join(lame.notices)
    found = affected_servers(whole, lame)
    assert (found.borrowing, found.thinner, len(found.servers)) == (2, 0, 2)
    assert affected_servers(lame, lame).borrowing == 0
    tried = [one for _, one in tried_failures(racks, build(racks), [Named("ring", ring)])]
    assert len(tried) > 4 and all("time" in one.text or "no slowdown" in one.text for one in tried)
    assert {one.cut_off for one in tried} == {0, 8}  # the one spine that there is parts the domains


@pytest.mark.parametrize("routing", ["spray", "weighted-spray", "ecmp", "destination", "adaptive"])
def test_a_rail_switch_without_uplinks_is_gone_round_over_the_drawn_links_of_its_domain(racks, routing):
    """The NICs of the rail are in service, but lead nowhere: flows change to that in the place of the receiver's."""
    (leaf,) = without_a_rail(racks)
    cut = [
        link.id
        for link in racks.links_of(leaf)
        if any(racks.device(end.device_id).role == "spine" for end in (link.a, link.b))
    ]
    graph = build(racks, failed=frozenset(cut))
    scenario = Scenario(traffic="shift:8", size_bytes=1e6, routing=routing, efficiency=1.0, latency=False)
    result, ends = simulate(graph, scenario), network(graph).ends
    assert not ends.borrowed.any()
    # One flow from each and one to each; gpu-01 GPU 1 and gpu-02 GPU 1 also pass two on, over NIC and links.
    for gpu, moved in ((0, 1e6), (1, 3e6), (2, 1e6), (3, 1e6), (4, 1e6), (5, 3e6), (8, 1e6)):
        assert on_arcs(graph, result.bytes, (GPU, NIC), gpu) == pytest.approx((moved, moved)), gpu
    relayed = "4 of 16 flows (of 4 GPUs in 4 servers) are relayed over the drawn switches of their scale-up domains, to"
    assert relayed in " ".join(result.notices) and "scale-up-g" not in " ".join(result.notices)


def test_no_flow_is_relayed_by_a_gpu_that_itself_sends_over_the_nic_of_another(racks):
    """Rail 4 leads nowhere and rail 1 is gone: GPU 3 sends by GPU 5, not by GPU 4, whose NIC is that of GPU 5."""
    gone = set(without_a_rail(racks))
    last = next(one.id for one in racks.devices.values() if one.name == "rail-g01-4")
    ends_of = {
        one.id: {racks.device(one.a.device_id).role, racks.device(one.b.device_id).role} for one in racks.links_of(last)
    }
    gone |= {one for one, roles in ends_of.items() if "spine" in roles}
    graph = build(racks, failed=frozenset(gone))
    result = simulate(graph, Scenario(traffic="shift:1", ranks=(3, 11), size_bytes=1e6, latency=False))
    assert np.flatnonzero(network(graph).ends.borrowed).tolist() == [0, 4] and result.relays.flows == 2
    assert on_arcs(graph, result.bytes, (GPU, NIC), 4) == (0.0, 0.0)
    assert on_arcs(graph, result.bytes, (GPU, NIC), 5) == pytest.approx((2e6, 2e6))


def test_a_flow_is_relayed_by_a_gpu_that_a_switch_of_the_domain_joins_to_it(racks):
    """gpu-01 GPU 0 is left with the links to one switch of its domain; of the others gpu-02 GPU 1 alone has such."""
    (leaf,) = without_a_rail(racks)
    name = {one.id: one.name for one in racks.devices.values()}

    def is_cut(link) -> bool:
        ends = {name[link.a.device_id]: link.a.port, name[link.b.device_id]: link.b.port}
        if leaf in (link.a.device_id, link.b.device_id):
            return "spine-01" in ends
        server = next((one for one in ("gpu-01", "gpu-02") if one in ends), "")
        if "scale-up-g01-02" in ends:
            return (server, ends[server][:4]) == ("gpu-01", "gpu1")
        return "scale-up-g01-01" in ends and (server, ends[server][:4]) not in (("gpu-01", "gpu1"), ("gpu-02", "gpu2"))

    graph = build(racks, failed=frozenset(one.id for one in racks.links.values() if is_cut(one)))
    assert graph.vertex_name(0) == "gpu-01 GPU 0" and graph.vertex_name(5) == "gpu-02 GPU 1"
    pair = Scenario(traffic="shift:1", ranks=(0, 8), size_bytes=1e6, latency=False)
    result = simulate(graph, pair)
    assert on_arcs(graph, result.bytes, (GPU, NIC), 5) == pytest.approx((2e6, 2e6))
