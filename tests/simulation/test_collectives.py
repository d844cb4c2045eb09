"""Every collective and algorithm: closed forms, conservation of bytes, and what they need of the ranks."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.errors import GraphError, ParameterError
from designer.graph.arrays import NIC, SWITCH, Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.regeneration.recipes import family_named, generated
from designer.routing.network import network
from designer.simulation import catalogue
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.simulation.traffic import trees
from designer.simulation.traffic.collectives import IN_NETWORK_PLANS, PLANS, collective_plan
from designer.simulation.traffic.phases import AllPairs, Flows
from designer.simulation.traffic.ranks import participants
from designer.topologies import fat_tree, rail_optimized, torus
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.torus import TorusParameters

CATALOG = load()
BANDWIDTH = 50e9  # bytes/s of a 400G link


def graph_of(family, parameters) -> Graph:
    design = Design()
    design.apply(family.build(design, parameters, CATALOG))
    return build(design)


@pytest.fixture(scope="module")
def star() -> Graph:
    """64 hosts on one switch: only their own links limit."""
    return graph_of(fat_tree, FatTreeParameters(switch="generic-switch-64x400g", server="generic-host", servers=64))


@pytest.fixture(scope="module")
def dgx() -> Graph:
    return graph_of(rail_optimized, RailOptimizedParameters(servers=16))


@pytest.fixture(scope="module")
def cube() -> Graph:
    return graph_of(torus, TorusParameters((4, 4, 4)))


def run(graph: Graph, collective: str, algorithm: str, **fields):
    fields = {"size_bytes": 1e9, "efficiency": 1.0, "latency": False, **fields}
    return simulate(graph, Scenario(collective=collective, algorithm=algorithm, **fields))


EVERY = [(row.name, name) for row in catalogue.COLLECTIVES for name in row.algorithms if name != "bucket"]


def sent_and_received(graph: Graph, scenario: Scenario):
    """(bytes sent, bytes received) by rank number, over all phases and their repeats."""
    net = network(graph)
    ranks = participants(net, scenario)
    number = {int(rank): place for place, rank in enumerate(ranks)}
    out, into = np.zeros(len(ranks)), np.zeros(len(ranks))
    for phase in collective_plan(net, scenario, ranks).phases:
        traffic = phase.traffic
        if isinstance(traffic, AllPairs):
            share = phase.repeat * traffic.pair_bytes * (len(traffic.members) - 1)
            out += share
            into += share
            continue
        assert isinstance(traffic, Flows)
        for src, dst, size in zip(traffic.src, traffic.dst, traffic.size_bytes, strict=True):
            out[number[int(src)]] += phase.repeat * size
            into[number[int(dst)]] += phase.repeat * size
    return out, into


@pytest.mark.parametrize(("collective", "algorithm"), EVERY)
@pytest.mark.parametrize("ranks", [2, 3, 8, 12, 64])
def test_every_algorithm_moves_at_least_what_the_collective_must(star, collective, algorithm, ranks):
    """Lower bounds on what leaves and reaches a rank; bandwidth-optimal algorithms meet them exactly."""
    size = 1e9
    scenario = Scenario(collective=collective, algorithm=algorithm, size_bytes=size, ranks=ranks)
    out, into = sent_and_received(star, scenario)
    n = ranks
    assert out.sum() == pytest.approx(into.sum())
    least_in = {
        "all-reduce": 2 * (n - 1) / n * size,
        "all-gather": (n - 1) / n * size,
        "reduce-scatter": (n - 1) / n * size,
        "all-to-all": (n - 1) / n * size,
    }
    if collective in least_in:
        assert into.sum() >= n * least_in[collective] * (1 - 1e-9)
        power = n & (n - 1) == 0
        optimal = ("ring", "direct", "hierarchical", "hierarchical-pipelined")
        optimal += ("halving-doubling", "recursive") if power else ()
        if algorithm in optimal:
            assert into == pytest.approx(np.full(n, least_in[collective]))
            assert out == pytest.approx(np.full(n, least_in[collective]))
    elif collective == "broadcast":
        assert into[0] == 0 and (into[1:] >= size * (1 - 1e-9)).all()
    elif collective == "reduce":
        assert out[0] == 0 and (out[1:] >= size * (1 - 1e-9)).all()
    else:
        assert out.tolist() == [size] * (n - 1) + [0] and into.tolist() == [0] + [size] * (n - 1)


@pytest.mark.parametrize(
    ("collective", "algorithm", "seconds"),
    [
        ("all-reduce", "direct", 2 * 63 / 64),
        ("all-reduce", "halving-doubling", 2 * 63 / 64),
        ("all-gather", "direct", 63 / 64),
        ("all-gather", "recursive", 63 / 64),
        ("reduce-scatter", "recursive", 63 / 64),
        ("broadcast", "binomial-tree", 6.0),
        ("reduce", "binomial-tree", 6.0),
        ("send-recv", "neighbours", 1.0),
    ],
)
def test_on_a_star_the_time_is_the_closed_form(star, collective, algorithm, seconds):
    result = run(star, collective, algorithm, size_bytes=BANDWIDTH)
    assert result.time_s == pytest.approx(seconds)
    row = catalogue.collective(collective)
    assert result.busbw_gbytes_per_s == pytest.approx(50 / seconds * row.busbw_factor(64))


def test_a_pipelined_chain_takes_the_buffer_once_and_the_first_chunk_through_all_steps(star):
    size, n = 64 * trees.CHUNK_BYTES, 64
    result = run(star, "broadcast", "chain", size_bytes=size)
    assert result.time_s == pytest.approx((size + (n - 2) * trees.CHUNK_BYTES) / BANDWIDTH)
    assert result.model.pipelined_in_chunks_of_bytes == 2**19


def test_a_double_binary_tree_takes_about_twice_the_buffer_over_the_link(star):
    """Sanders et al.: every node sends and receives no more than about 2 S in all, whatever the number of nodes."""
    size = 8192 * trees.CHUNK_BYTES
    result = run(star, "all-reduce", "double-binary-tree", size_bytes=size)
    assert result.time_s == pytest.approx(2 * size / BANDWIDTH, rel=0.05)


def test_trees_halve_their_chunks_for_smaller_buffers_as_nccl_does():
    """src/enqueue.cc, of a tree of depth 14 over 16 channels: chunks for each of depth * 8, depth * 4, depth."""
    cut = trees.Chunking(1 / 16, depth=14)
    expected = {2**30: 2**19, 2**29: 2**18, 2**28: 2**17, 2**26: 2**16, 2**23: 2**15, 2**10: 2**15}
    assert {size: cut.largest_bytes(size) for size in expected} == expected
    assert trees.Chunking(1 / 16, 3e6, depth=14).largest_bytes(2**20) == 3e6
    assert trees.Chunking(1 / 16).largest_bytes(2**20) == trees.CHUNK_BYTES
    assert cut.first_bytes(2**10) == 2**6 and cut.count(2**10) == 1
    assert cut.count(2**30) == 128


def test_trees_win_where_buffers_are_small_and_rings_where_they_are_large(superpod):
    graph = build(superpod)
    for size_bytes, is_smaller in ((2**20, True), (2**33, False)):
        tree, ring = (
            run(graph, "all-reduce", algorithm, size_bytes=size_bytes, latency=True, ranks=64)
            for algorithm in ("double-binary-tree", "ring")
        )
        assert (tree.time_s < ring.time_s) == is_smaller
    model = run(graph, "all-reduce", "double-binary-tree", size_bytes=2**20).model
    assert model.pipelined_in_chunks_of_bytes == 2**15
    assert "as NCCL does for trees" in model.chunk_means


@given(st.integers(1, 300))
@settings(max_examples=60, deadline=None)
def test_of_two_trees_every_node_is_inside_one_at_most_and_both_are_shallow(count):
    ends = []
    for mirrored in (False, True):
        parents = trees.tree_parents(count, mirrored=mirrored)
        assert parents.count(-1) == 1
        assert trees.tree_depth(parents) <= math.ceil(math.log2(count + 1)) if count > 1 else True
        children = Counter(parent for parent in parents if parent >= 0)
        assert max(children.values(), default=0) <= 2
        ends.append({node for node in range(count) if children[node] == 2})
    assert not ends[0] & ends[1]  # nobody has two children in both


@pytest.mark.parametrize("collective", ["all-reduce", "reduce-scatter", "all-gather"])
def test_a_bucket_on_a_torus_uses_all_links_all_the_time(cube, collective):
    """2 S (N - 1) / (N * 2n * B) for an all-reduce on n equal dimensions, half of it for the others."""
    result = run(cube, collective, "bucket", routing="dimension-order", size_bytes=6 * BANDWIDTH)
    passes = 2 if collective == "all-reduce" else 1
    assert result.time_s == pytest.approx(passes * 63 / 64)
    between = (result.graph.link >= 0) & (result.graph.capacity_gbps == 400)
    assert result.utilization_mean[between] == pytest.approx(np.ones(np.count_nonzero(between)))


def test_a_bucket_beats_a_ring_on_a_torus_and_runs_on_a_block_of_it(cube):
    bucket = run(cube, "all-reduce", "bucket", routing="dimension-order")
    ring = run(cube, "all-reduce", "ring", routing="dimension-order")
    assert bucket.time_s < ring.time_s / 4
    block = run(cube, "all-reduce", "bucket", routing="dimension-order", ranks=16)
    assert block.ranks == 16


def test_a_flow_that_fills_a_link_of_its_own_router_alone_congests_nothing(cube):
    """In a ring each chip sends over one of its six links: it fills that, and waits for nobody."""
    ring = run(cube, "all-reduce", "ring", routing="dimension-order")
    assert ring.utilization_peak[ring.graph.link >= 0].max() == pytest.approx(1.0)
    assert not ring.congested.any()
    assert ring.bottlenecks[0].why.endswith("1 flow fills its 400 Gb/s")


def test_flows_of_several_chips_that_share_a_link_congest_it(cube):
    """Each chip sends two places on: every link carries a flow of its own router and one that comes through it."""
    found = simulate(cube, Scenario(traffic="shift:2", routing="dimension-order", size_bytes=1e9))
    between = (found.graph.link >= 0) & (found.graph.capacity_gbps == 400)
    assert found.congested[between].any()
    assert found.demand[between].max() == pytest.approx(2.0)


def test_uplinks_of_a_leaf_switch_with_one_server_are_congested_where_they_are_fewer():
    """It is no router of its own: what is across is a spine."""
    parameters = FatTreeParameters(servers=4, servers_per_leaf=1, oversubscription=2, server="dgx-h100")
    graph = graph_of(fat_tree, parameters)
    found = simulate(graph, Scenario(traffic="shift:8", routing="ecmp", size_bytes=1e9))
    is_leaf = np.isin(np.arange(graph.n_vertices), graph.target[graph.kind[graph.source] == NIC])
    up = is_leaf[graph.source] & (graph.kind[graph.target] == SWITCH) & ~is_leaf[graph.target]
    assert found.congested[up].any()


def test_a_result_of_one_plane_of_several_says_so_first():
    family, notices = family_named("fat-tree"), []
    for plane in (2, None):
        design, given = Design(), family.parameters(servers=16, planes=8, only_plane=plane, server="dgx-h100")
        design.apply(generated(design, family, given, CATALOG))
        notices += run(build(design), "all-reduce", "ring").notices[:1]
        assert not build(design, network="storage").plane_note
    assert notices[0] == "Plane 2 of 8 is drawn and simulated alone: what the other 7 carry is not counted"
    assert not any("Plane" in one for one in notices[1:])


def test_a_bucket_needs_a_torus_and_a_full_block(cube, star):
    with pytest.raises(GraphError, match=r"^bucket needs a torus or a mesh"):
        run(star, "all-reduce", "bucket")
    with pytest.raises(GraphError, match=r"15 ranks do not fill 4 x 4 x 1"):
        run(cube, "all-reduce", "bucket", ranks=15)


def test_an_all_to_all_by_rails_keeps_to_the_rails_between_servers(dgx):
    direct, by_rails = (run(dgx, "all-to-all", algorithm) for algorithm in ("direct", "hierarchical"))
    spine_links = [
        arc for arc in range(dgx.n_arcs) if "spine" in dgx.device_name(int(dgx.target[arc])) and dgx.link[arc] >= 0
    ]
    assert direct.bytes[spine_links].sum() > 0
    assert by_rails.bytes[spine_links].sum() == 0
    assert len(by_rails.phases) == 2


@pytest.mark.parametrize("algorithm", ["ring", "hierarchical", "double-binary-tree"])
def test_with_sharp_each_rank_sends_its_buffer_once_and_receives_it_once(star, algorithm):
    """S/B per direction, whatever the number of ranks: the floor of what has to cross a port."""
    for ranks in (2, 3, 64):
        reduced = run(star, "all-reduce", algorithm, ranks=ranks, size_bytes=BANDWIDTH, in_network_reduction=True)
        assert reduced.time_s == pytest.approx(1.0)
        leaving = (star.kind[star.source] == NIC) & (star.link >= 0) & (reduced.bytes > 0)
        assert np.count_nonzero(leaving) == ranks and reduced.bytes[leaving] == pytest.approx(BANDWIDTH)


@pytest.mark.parametrize("algorithm", ["ring", "hierarchical", "double-binary-tree"])
@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_nvls_takes_the_buffer_and_a_share_of_it_over_each_port_at_its_efficiency(dgx, algorithm, ranks):
    """(1 + 1/n) S / (0.85 B) on Hopper: 8 H100 reach 595 GB/s of busbw at most, of which 480 are measured."""
    size = 1e9
    reduced = run(dgx, "all-reduce", algorithm, ranks=ranks, size_bytes=size, in_network_reduction=True)
    assert reduced.time_s == pytest.approx((1 + 1 / ranks) * size / (0.85 * 450e9))
    (nvls,) = reduced.model.in_scale_up_domains
    assert nvls.startswith(f"NVLink 4 (NVLS): (1 + 1/{ranks}) S per port and direction, at 0.85 of its rate")
    if ranks == 8:
        assert reduced.busbw_gbytes_per_s == pytest.approx(595, rel=1e-3)


def test_nvls_on_blackwell_reaches_less_of_the_port():
    graph = graph_of(rail_optimized, RailOptimizedParameters(server="dgx-b200", servers=2))
    reduced = run(graph, "all-reduce", "ring", ranks=8, in_network_reduction=True)
    assert reduced.time_s == pytest.approx(9 / 8 * 1e9 / (0.74 * 900e9))


def test_gpus_add_up_themselves_where_no_switch_in_the_server_does():
    graph = graph_of(rail_optimized, RailOptimizedParameters(server="dgx-a100", switch="nvidia-qm8700", servers=2))
    reduced, plain = (run(graph, "all-reduce", "ring", ranks=8, in_network_reduction=flag) for flag in (True, False))
    assert reduced.time_s == pytest.approx(plain.time_s)
    assert "no switch adds up" in reduced.model.in_scale_up_domains[0]


def test_in_network_reduction_over_servers_is_bound_by_the_nics_or_by_nvls(dgx):
    size, n = 1e9, 8
    ring = run(dgx, "all-reduce", "ring", size_bytes=size, in_network_reduction=True)
    assert ring.time_s == pytest.approx(max(size / (8 * BANDWIDTH), (1 + 1 / n) * size / (0.85 * 450e9)))
    parts = run(dgx, "all-reduce", "hierarchical", size_bytes=size, in_network_reduction=True)
    assert parts.time_s == pytest.approx(2 * 7 / 8 * size / 450e9 + size / 8 / BANDWIDTH)
    assert parts.time_s < run(dgx, "all-reduce", "hierarchical", size_bytes=size).time_s


def test_in_network_reduction_is_refused_where_nothing_could_add_up():
    with pytest.raises(ParameterError, match="in-network reduction is for all-reduce, not for all-gather"):
        Scenario(collective="all-gather", in_network_reduction=True)
    with pytest.raises(ParameterError, match=r"in-network reduction goes with ring, .* not with direct"):
        Scenario(collective="all-reduce", algorithm="direct", in_network_reduction=True)
    with pytest.raises(ParameterError, match="a traffic pattern knows no in-network reduction"):
        Scenario(traffic="shift:1", in_network_reduction=True)


@pytest.mark.parametrize("algorithm", ["ring", "hierarchical", "double-binary-tree"])
def test_in_network_reduction_of_a_small_buffer_takes_one_way_up_and_down(dgx, algorithm):
    """Not the latency of every step of a ring or of every level of a tree of servers."""
    small = Scenario(collective="all-reduce", algorithm=algorithm, size_bytes=8)
    reduced = simulate(dgx, replace(small, in_network_reduction=True))
    along_rails = simulate(dgx, Scenario(traffic="shift:8", size_bytes=8)).time_s
    in_servers = 2 * simulate(dgx, Scenario(traffic="shift:1", size_bytes=8, ranks=8)).time_s
    assert all(phase.repeat == 1 for phase in reduced.phases)
    assert reduced.time_s == pytest.approx(along_rails + (in_servers if algorithm == "hierarchical" else 0), rel=0.01)
    assert reduced.model.in_network_reduction_latency.startswith("one way up and down")
    assert not reduced.model.pipelined_in_chunks_of_bytes


@pytest.mark.parametrize(("collective", "algorithm"), EVERY)
def test_every_algorithm_runs_on_the_servers_of_a_real_pod(dgx, collective, algorithm):
    result = run(dgx, collective, algorithm, latency=True)
    assert 0 < result.time_s < 10
    assert result.utilization_peak.max() <= 1 + 1e-9


def test_every_link_of_a_chain_carries_the_buffer_once_whatever_the_chunks(star):
    for chunk_bytes in (None, 2**16, 3e6):
        result = run(star, "broadcast", "chain", size_bytes=1e8, chunk_bytes=chunk_bytes, channels=1)
        sent = result.bytes[(star.kind[star.source] == NIC) & (star.link >= 0)]
        assert sent[sent > 0] == pytest.approx(1e8) and np.count_nonzero(sent) == 63
        assert result.utilization_mean.max() <= 1 + 1e-9


def test_a_given_chunk_sets_the_time_the_first_one_takes(star):
    result = run(star, "reduce", "chain", size_bytes=1e8, chunk_bytes=3e6, channels=1)

    assert result.time_s == pytest.approx((1e8 + 62 * 3e6) / BANDWIDTH)
    assert result.model.pipelined_in_chunks_of_bytes == 3_000_000
    assert result.model.chunks_of_a_channel == 34  # 33 whole ones and the rest


def test_the_links_of_double_binary_trees_carry_what_the_trees_need(star):
    result = run(star, "all-reduce", "double-binary-tree", size_bytes=1e8, channels=1)

    # Every rank but a root sends half the buffer up each tree and gets it back: no NIC carries more than twice S.
    assert result.bytes[star.link >= 0].max() <= 2e8 * (1 + 1e-9)
    sent = result.bytes[(star.kind[star.source] == NIC) & (star.link >= 0)]
    assert sent.sum() == pytest.approx(2 * 2 * 63 * 0.5e8)  # two trees of 63 edges, half a buffer each way


def test_trees_of_more_channels_take_turns_at_both_shapes_and_at_the_nics_of_a_server(star, superpod):
    one, four = (
        run(star, "all-reduce", "double-binary-tree", size_bytes=1e8, channels=channels) for channels in (1, 4)
    )
    assert four.bytes == pytest.approx(one.bytes)
    graph = build(superpod)
    result = run(graph, "all-reduce", "double-binary-tree", size_bytes=1e8, channels=8)
    out = (graph.kind[graph.source] == NIC) & (graph.link >= 0)
    for server in np.unique(graph.device[graph.source[out]])[:16]:
        sent = result.bytes[out & (graph.device[graph.source] == server)]
        assert len(sent) == 8 and sent == pytest.approx([sent[0]] * 8)


def test_bucket_takes_dimensions_where_the_ranks_stand_on_no_torus(star):
    with pytest.raises(GraphError):
        run(star, "all-reduce", "bucket")
    result = run(star, "all-reduce", "bucket", dims=(8, 8), size_bytes=1e8)

    # All parts share the one NIC: 2 (n - 1) / n of the buffer leave by it.
    assert result.time_s == pytest.approx(2 * 63 / 64 * 1e8 / BANDWIDTH)
    assert result.model.dimensions == "8x8"
    with pytest.raises(GraphError, match="bucket in 4x4 needs 16 ranks, there are 64"):
        run(star, "all-reduce", "bucket", dims=(4, 4))
    with pytest.raises(ParameterError, match="dimensions are for the bucket algorithm"):
        Scenario(collective="all-reduce", algorithm="ring", dims=(8, 8))


def test_every_algorithm_that_is_offered_has_a_plan_and_no_other():
    offered = {(row.name, algorithm) for row in catalogue.COLLECTIVES for algorithm in row.built_in}
    assert {(collective, name) for name, plans in PLANS.items() for collective in plans} == offered
    assert {row.name for row in catalogue.ALGORITHMS.built_in} == set(PLANS)
    assert set(IN_NETWORK_PLANS) == set(catalogue.IN_NETWORK)
