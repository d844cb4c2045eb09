"""Results against formulas that can be worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from designer.graph.arrays import SCALE_UP
from designer.graph.building.build import build
from designer.simulation.engine import simulate
from designer.simulation.payload_rate import INFINIBAND_EFFICIENCY
from designer.simulation.scenario import Scenario

GIB = 2**30
NIC = 50e9 * INFINIBAND_EFFICIENCY  # bytes/s of a 400G port
NVLINK = 450e9
SWITCH_S = 130e-9
NVLINK_S, NIC_S, CABLE_S = 822e-9, 600e-9, 10 * 5e-9  # the figures of their classes: no source states them


@pytest.mark.parametrize("size_bytes", [64 * 2**20, GIB, 16 * GIB])
@pytest.mark.parametrize("routing", ["spray", "destination"])
def test_ring_all_reduce_on_a_superpod(superpod_graph, size_bytes, routing):
    n, rails = 1016, 8
    result = simulate(superpod_graph, Scenario(collective="all-reduce", size_bytes=size_bytes, routing=routing))

    transfer_s = 2 * (n - 1) / n * size_bytes / (rails * NIC)
    # 2 (n-1)/n S/B + 2 x the sum of the ring's own hops: 7 in each of 127 servers, 127 from server to server, of which
    # those between the 4 scalable units pass a leaf, a spine and a leaf, the others one leaf.
    one_leaf_s = NIC_S + 2 * CABLE_S + SWITCH_S
    over_a_spine_s = NIC_S + 4 * CABLE_S + 3 * SWITCH_S
    latency_s = 2 * (127 * 7 * NVLINK_S + 123 * one_leaf_s + 4 * over_a_spine_s)
    assert result.time_s == pytest.approx(transfer_s + latency_s, rel=1e-3)
    assert result.latency_s == pytest.approx(latency_s)
    assert result.busbw_gbytes_per_s == pytest.approx(2 * (n - 1) / n * size_bytes / result.time_s / 1e9)
    assert result.model.channels == rails


def test_ring_all_reduce_without_latency_reaches_the_line_rate_of_all_rails(superpod_graph):
    result = simulate(superpod_graph, Scenario(collective="all-reduce", latency=False))

    assert result.busbw_gbytes_per_s == pytest.approx(8 * NIC / 1e9, rel=0.005)


@pytest.mark.parametrize(("collective", "passes"), [("all-reduce", 2), ("all-gather", 1), ("reduce-scatter", 1)])
def test_the_busbw_of_every_ring_collective_is_the_same(superpod_graph, collective, passes):
    result = simulate(superpod_graph, Scenario(collective=collective, latency=False))

    assert result.time_s == pytest.approx(passes * 1015 / 1016 * GIB / (8 * NIC), rel=0.005)
    assert result.busbw_gbytes_per_s == pytest.approx(8 * NIC / 1e9, rel=0.005)


def test_hierarchical_all_reduce_is_two_passes_over_nvlink_and_one_ring_for_each_rail(superpod_graph):
    result = simulate(
        superpod_graph, Scenario(collective="all-reduce", algorithm="hierarchical", size_bytes=GIB, latency=False)
    )

    in_server_s = 7 / 8 * GIB / NVLINK
    along_rails_s = 2 * 126 / 127 * (GIB / 8) / NIC
    assert result.time_s == pytest.approx(2 * in_server_s + along_rails_s, rel=1e-6)
    assert [phase.repeat for phase in result.phases] == [1, 2 * 126, 1]
    assert sum(phase.repeat * phase.time_s for phase in result.phases) == pytest.approx(result.time_s)


@pytest.mark.parametrize(("collective", "passes"), [("all-reduce", 2), ("all-gather", 1), ("reduce-scatter", 1)])
@pytest.mark.parametrize(("nvlink_share", "chunk_bytes"), [(1.0, None), (1.0, 2**24), (0.05, None)])
def test_hierarchical_in_chunks_takes_the_longer_part_and_the_first_chunk_through_all(
    superpod_graph, collective, passes, nvlink_share, chunk_bytes
):
    """t(C) + (S - C)/S max(p (g-1)/g S/U, p (m-1)/m S/(g B)) with chunks of C in all, p passes, t(C) as in turn.

    With a share of NVLink's rate the scale-up domains set the pace, else the rails.
    """
    graph = replace(
        superpod_graph,
        capacity_gbps=np.where(
            superpod_graph.protocol == SCALE_UP,
            superpod_graph.capacity_gbps * nvlink_share,
            superpod_graph.capacity_gbps,
        ),
        derived={},
    )
    scenario = Scenario(
        collective=collective,
        algorithm="hierarchical-pipelined",
        size_bytes=GIB,
        latency=False,
        chunk_bytes=chunk_bytes,
    )
    result = simulate(graph, scenario)

    first = 8 * (chunk_bytes or 2**19)
    in_servers_s = passes * 7 / 8 / (NVLINK * nvlink_share)  # of a byte
    on_rails_s = passes * 126 / 127 / 8 / NIC
    expected_s = first * (in_servers_s + on_rails_s) + (GIB - first) * max(in_servers_s, on_rails_s)
    assert result.time_s == pytest.approx(expected_s, rel=1e-6)
    in_turn = simulate(graph, replace(scenario, algorithm="hierarchical", chunk_bytes=None))
    assert result.time_s < in_turn.time_s
    assert result.bytes == pytest.approx(in_turn.bytes)
    assert result.model.chunks_of_a_channel == GIB // first


def test_one_chunk_or_one_server_is_hierarchical_in_turn(superpod_graph):
    """Latencies included: a buffer of no more than a chunk for each rail has nothing to overlap."""
    for size_bytes, ranks in ((2**20, 1016), (2**22, 1016), (GIB, 8)):
        times = [
            simulate(
                superpod_graph, Scenario(collective="all-reduce", algorithm=name, size_bytes=size_bytes, ranks=ranks)
            ).time_s
            for name in ("hierarchical", "hierarchical-pipelined")
        ]
        assert times[0] == pytest.approx(times[1], rel=1e-9)


@pytest.mark.parametrize("collective", ["all-gather", "reduce-scatter"])
def test_hierarchical_halves_of_it(superpod_graph, collective):
    result = simulate(
        superpod_graph, Scenario(collective=collective, algorithm="hierarchical", size_bytes=GIB, latency=False)
    )

    assert result.time_s == pytest.approx(7 / 8 * GIB / NVLINK + 126 / 127 * (GIB / 8) / NIC, rel=1e-6)


def test_a_ring_inside_one_server_runs_at_nvlink_speed(superpod_graph):
    result = simulate(superpod_graph, Scenario(collective="all-reduce", ranks=8, latency=False))

    assert result.busbw_gbytes_per_s == pytest.approx(NVLINK / 1e9, rel=1e-6)
    assert result.bytes[superpod_graph.link >= 0].max() == 0


def test_all_to_all_on_a_non_blocking_fabric_is_bound_by_the_nics(superpod_graph):
    n = 1016
    result = simulate(superpod_graph, Scenario(collective="all-to-all", size_bytes=GIB, latency=False))

    assert result.time_s == pytest.approx((n - 8) * GIB / n / NIC, rel=1e-9)


@pytest.mark.parametrize("routing", ["spray", "destination"])
def test_all_to_all_on_a_two_to_one_fat_tree_is_bound_by_the_uplinks(two_to_one, routing):
    result = simulate(two_to_one, Scenario(collective="all-to-all", size_bytes=64e6, routing=routing, latency=False))

    # 8 hosts of a leaf send 1 MB to each of 56 hosts over 4 uplinks.
    assert result.time_s == pytest.approx(8 * 56 * 1e6 / (4 * 50e9), rel=1e-9)
    assert result.model.efficiency == {"types of either protocol, no headers counted": 1.0}


def test_incast_shares_the_port_of_the_receiver(two_to_one):
    result = simulate(two_to_one, Scenario(traffic="incast:16", size_bytes=1e9, latency=False))

    assert result.time_s == pytest.approx(16 * 1e9 / 50e9)
    assert result.flows is not None
    assert result.flows.rate_min_gbps == pytest.approx(25) and result.flows.rate_max_gbps == pytest.approx(25)


def test_bisection_on_a_two_to_one_fat_tree_halves_the_rate(two_to_one):
    result = simulate(two_to_one, Scenario(traffic="bisection", size_bytes=1e9, latency=False))

    assert result.flows is not None and result.flows.count == 64
    assert result.flows.rate_mean_gbps == pytest.approx(200)
    assert result.time_s == pytest.approx(1e9 / 25e9)


def test_broadcast_leaves_by_one_nic(two_to_one):
    result = simulate(two_to_one, Scenario(traffic="broadcast", size_bytes=1e9, latency=False))

    assert result.time_s == pytest.approx(63 * 1e9 / 50e9)


@pytest.mark.parametrize(("efficiency", "expected"), [(None, 0.9937), (0.5, 0.5)], ids=["InfiniBand", "given"])
def test_efficiency_goes_by_protocol_or_as_given(superpod_graph, efficiency, expected):
    result = simulate(superpod_graph, Scenario(traffic="shift:8", size_bytes=1e9, efficiency=efficiency))

    assert result.flows is not None
    assert result.flows.rate_min_gbps == pytest.approx(400 * expected)


def test_a_quarter_of_the_uplinks_gone_takes_a_quarter_of_the_all_to_all(generate):
    design = generate("pgft", children=(8, 8), parents=(1, 4))
    whole, broken = build(design), build(design, failed=frozenset({"spine-04"}))

    times = [simulate(graph, Scenario(collective="all-to-all", latency=False)).time_s for graph in (whole, broken)]

    assert times[1] / times[0] == pytest.approx(4 / 3)
