"""Rings in servers whose GPUs are joined pairwise: every link of the mesh works, and no channel waits for another."""

from itertools import pairwise

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.graph.arrays import GPU, Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.mesh_rings import disjoint_cycles, path_from
from designer.simulation.traffic.rings import ring_orders, usual_channels
from designer.topologies import fat_tree
from designer.topologies.fat_tree import FatTreeParameters

CATALOG = load()


def servers_of(server: str, count: int) -> Graph:
    design = Design()
    parameters = FatTreeParameters(switch="generic-tomahawk5-64x800", server=server, servers=count)
    design.apply(fat_tree.build(design, parameters, CATALOG))
    return build(design)


@pytest.fixture(scope="module")
def mi300x() -> Graph:
    return servers_of("mi300x-8gpu", 2)


@pytest.fixture(scope="module")
def gaudi() -> Graph:
    return servers_of("gaudi3-hls3", 2)


@pytest.mark.parametrize("size", range(2, 18))
def test_cycles_visit_every_gpu_and_share_no_link_in_one_direction(size):
    cycles = disjoint_cycles(size)
    assert all(sorted(cycle) == list(range(size)) for cycle in cycles)
    edges = [edge for cycle in cycles for edge in pairwise((*cycle, cycle[0]))]
    assert len(set(edges)) == len(edges)
    assert len(cycles) == (size - 1 if size % 2 or size in (2, 8) else size - 2)


@pytest.mark.parametrize("size", [2, 4, 6, 8, 12])
def test_paths_from_all_gpus_use_every_link_in_one_direction_once(size):
    paths = [path_from(size, start) for start in range(size)]
    assert all(sorted(path) == list(range(size)) for path in paths)
    edges = [edge for path in paths for edge in pairwise(path)]
    assert len(set(edges)) == len(edges) == size * (size - 1)


def test_a_ring_all_reduce_of_eight_mi300x_uses_all_links_of_the_mesh(mi300x):
    """7 x 64 GB/s out of each GPU, 310 GB/s of which are measured; over the same neighbors it was 64 GB/s."""
    result = simulate(mi300x, Scenario(collective="all-reduce", ranks=8, size_bytes=8e9, latency=False))
    assert result.busbw_gbytes_per_s == pytest.approx(7 * 64)
    assert result.model.channels == 7
    inside = (mi300x.kind[mi300x.source] == GPU) & (mi300x.kind[mi300x.target] == GPU)
    first = inside & (mi300x.device[mi300x.source] == 0)
    assert np.count_nonzero(first) == 56
    assert result.utilization_mean[first] == pytest.approx(np.ones(56))


@pytest.mark.parametrize(("collective", "per_pair"), [("all-reduce", 64), ("all-gather", 64), ("reduce-scatter", 64)])
def test_direct_is_no_faster_than_the_rings_of_a_mesh(mi300x, collective, per_pair):
    times = [
        simulate(mi300x, Scenario(collective=collective, algorithm=name, ranks=8, size_bytes=8e9, latency=False)).time_s
        for name in ("ring", "direct")
    ]
    assert times[0] == pytest.approx(times[1]) == pytest.approx((2 if collective == "all-reduce" else 1) * 1e9 / 64e9)


def test_rings_through_several_meshes_load_every_link_alike_and_keep_to_their_rails(gaudi):
    net, ranks = network(gaudi), np.arange(16)
    n_channels = usual_channels(net, ranks)
    rings = ring_orders(net, ranks, n_channels)
    assert n_channels % 8 == 0
    hops = np.zeros((16, 16), dtype=int)
    for ring in rings:
        assert sorted(ring.tolist()) == list(range(16))
        for a, b in pairwise([*ring.tolist(), int(ring[0])]):
            hops[a, b] += 1
    within = hops[:8, :8][~np.eye(8, dtype=bool)]
    assert (within == n_channels // 8).all()
    between = np.argwhere(hops[:8, 8:])
    assert (between[:, 0] == between[:, 1]).all() and len(between) == 8


def test_a_ring_through_several_meshes_is_bound_by_the_nics(gaudi):
    result = simulate(gaudi, Scenario(collective="all-reduce", size_bytes=8e9, latency=False, efficiency=1.0))
    nics_bps = 24 * 25e9  # three 200G ports of each of eight accelerators
    assert result.time_s == pytest.approx(2 * 15 / 16 * 8e9 / nics_bps, rel=1e-6)


def test_the_chains_of_trees_share_the_links_of_a_mesh(mi300x):
    """Seven lanes of two trees, each edge up and down: four fourteenths of the buffer on the fullest link."""
    scenario = Scenario(
        collective="all-reduce", algorithm="double-binary-tree", ranks=8, size_bytes=64e9, latency=False
    )
    result = simulate(mi300x, scenario)
    assert result.bytes[mi300x.link < 0].max() == pytest.approx(64e9 * 4 / 14)


def test_part_of_a_mesh_has_rings_of_its_own(mi300x):
    for ranks, links in ((2, 1), (3, 2), (4, 2), (5, 4), (7, 6)):
        result = simulate(mi300x, Scenario(collective="all-reduce", ranks=ranks, size_bytes=8e9, latency=False))
        assert result.busbw_gbytes_per_s == pytest.approx(links * 64)


@pytest.mark.parametrize("size", [3, 5, 7])
def test_rings_through_odd_parts_of_several_meshes_visit_all_and_share_no_link_inside(mi300x, size):
    """An odd number of GPUs has one disjoint cycle fewer than GPUs; a ring follows its cycle from where it enters."""
    net, ranks = network(mi300x), np.concatenate([np.arange(size), 8 + np.arange(size)])
    rings = ring_orders(net, ranks, size - 1)
    inside = []
    for ring in rings:
        assert sorted(ring.tolist()) == ranks.tolist()
        assert ring[size] == ring[size - 1] + 8  # onto the next server on the rail by which it leaves this one
        inside += [edge for edge in pairwise(ring.tolist()) if edge[0] // 8 == edge[1] // 8]
    assert len(inside) == len(set(inside)) == 2 * (size - 1) ** 2
