"""Spray, destination and ECMP: which of the equal-cost ways are taken."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from designer.graph.arrays import SWITCH, Graph
from designer.graph.building.build import build
from designer.plugins import Entry
from designer.routing import destination, ecmp, hashes, spray
from designer.routing.network import network
from designer.routing.paths import Paths
from designer.routing.policies import POLICIES, accept


def flows(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, ...]:
    src, dst = np.array(pairs, dtype=np.int64).T
    return src, dst, np.ones(len(pairs)), np.zeros(len(pairs), dtype=np.int64)


def everyone(graph: Graph) -> list[tuple[int, int]]:
    n = graph.n_endpoints
    return [(a, b) for a in range(n) for b in range(n) if a != b]


def switches_of(graph: Graph, paths: Paths, flow: int) -> list[str]:
    arcs = paths.arcs[paths.start[flow] : paths.start[flow + 1]]
    return [graph.device_name(int(v)) for v in graph.target[arcs] if graph.kind[v] == SWITCH]


@pytest.mark.parametrize(
    ("children", "parents"), [((4, 6), (1, 3)), ((3, 4, 5), (1, 2, 3)), ((2, 2, 3, 4), (1, 2, 2, 2))], ids=str
)
def test_destination_is_d_mod_k_on_parallel_generalized_fat_trees(generate, children, parents):
    graph = build(generate("pgft", children=children, parents=parents))
    pairs = everyone(graph)
    paths = destination.route(network(graph), *flows(pairs), 0)

    for flow, (src, dst) in enumerate(pairs):
        names = switches_of(graph, paths, flow)
        height, below = 1, children[0]
        while src // below != dst // below:
            below *= children[height]
            height += 1
        assert len(names) == 2 * height - 1
        divisor, expected = 1, []
        for level in range(1, height):  # on a switch of `level` going up
            divisor *= parents[level - 1]
            expected.append(dst // divisor % parents[level])
        ups = zip(names, names[1:height], children, strict=False)
        assert [parent_taken(graph, below, above, n_down) for below, above, n_down in ups] == expected


def parent_taken(graph: Graph, below: str, above: str, n_down: int) -> int:
    """The number of the parent `above`, by the port order of `below`: after all its ports down."""
    named = {name: number for number, name in enumerate(graph.device_names)}
    arcs = np.flatnonzero((graph.device[graph.source] == named[below]) & (graph.device[graph.target] == named[above]))
    assert len(arcs) == 1
    return int(graph.port_order[arcs[0]]) - n_down


def test_destination_uses_parallel_links_in_equal_parts(generate):
    graph = build(generate("pgft", children=(8, 4), parents=(1, 2), parallel=(1, 4)))
    paths = destination.route(network(graph), *flows(everyone(graph)), 0)

    between = np.isin(graph.kind[graph.source], SWITCH) & np.isin(graph.kind[graph.target], SWITCH)
    # 24 hosts elsewhere send to each of 8 hosts behind a leaf's 2 x 4 links, and the other way round.
    assert set(paths.bytes_on[between]) == {24.0}


def test_destination_spreads_the_hosts_of_a_rail_optimized_leaf_over_all_spine_ports(generate):
    graph = build(generate("rail-optimized", servers=64, servers_per_su=32))
    pairs = [(8 * 40 + 1, 8 * server) for server in range(32)]
    paths = destination.route(network(graph), *flows(pairs), 0)

    to_leaf = [int(paths.arcs[paths.start[flow + 1] - 3]) for flow in range(len(pairs))]
    assert len(set(to_leaf)) == 32


def test_every_switch_has_one_port_for_a_destination(generate):
    graph = build(generate("rail-optimized", servers=16))
    pairs = everyone(graph)
    paths = destination.route(network(graph), *flows(pairs), 0)

    chosen: dict[tuple[int, int], int] = {}
    for flow, (_src, dst) in enumerate(pairs):
        for arc in paths.arcs[paths.start[flow] : paths.start[flow + 1]].tolist():
            if graph.kind[graph.source[arc]] == SWITCH:
                assert chosen.setdefault((int(graph.source[arc]), dst), arc) == arc


def test_spray_splits_a_flow_over_all_spines_by_the_capacity_left(generate):
    design = generate("pgft", children=(4, 4), parents=(1, 2), parallel=(1, 2))
    leaf = design.find("leaf-01")
    up = [
        link.id for link in design.links_of(leaf.id) if all(design.is_switch(end.device_id) for end in (link.a, link.b))
    ]
    whole, broken = build(design), build(design, failed=frozenset(up[:1]))

    for graph, shares in ((whole, [0.25] * 4), (broken, [1 / 3] * 3)):
        paths = spray.route(network(graph), *flows([(0, 5)]), 0)
        leaving = (graph.source == graph.target[paths.arcs[1]]) & (graph.kind[graph.target] == SWITCH)
        assert paths.bytes_on[leaving] == pytest.approx(shares)


def test_arcs_that_sprayed_flows_use_in_proportion_are_in_the_rows_once(generate):
    graph = build(generate("pgft", children=(8, 8, 4), parents=(1, 8, 8)))
    pairs = [(n, (n + 70) % graph.n_endpoints) for n in range(graph.n_endpoints)]
    paths = spray.route(network(graph), *flows(pairs), 0)

    assert np.diff(paths.start).max() <= 12
    loads = np.bincount(paths.arcs, paths.weights, graph.n_arcs)
    used = paths.bytes_on > 0
    assert paths.bytes_on[used] == pytest.approx(loads[paths.stands_for[used]])


def test_ecmp_is_repeatable_depends_on_the_seed_and_spreads_over_ports(generate):
    graph = build(generate("pgft", children=(16, 4), parents=(1, 4), parallel=(1, 2)))
    pairs = everyone(graph)
    net = network(graph)

    first, again, other = (ecmp.route(net, *flows(pairs), seed) for seed in (1, 1, 2))

    assert (first.arcs == again.arcs).all()
    assert (first.arcs != other.arcs).any()
    up = [int(first.arcs[first.start[f] + 2]) for f, (a, b) in enumerate(pairs) if a // 16 == 0 and b // 16 != 0]
    counts = Counter(up)
    assert len(counts) == 8, "parallel links are ports of their own"
    expected = len(up) / 8
    assert all(abs(count - expected) < 6 * expected**0.5 for count in counts.values())


def test_all_policies_take_shortest_ways_only(generate):
    graph = build(generate("pgft", children=(3, 4, 3), parents=(1, 2, 3)))
    pairs = everyone(graph)
    hops = {0: 2, 1: 4, 2: 6}

    for policy in (destination, ecmp, spray):
        paths = policy.route(network(graph), *flows(pairs), 5)
        links = np.where(graph.link[paths.arcs] >= 0, paths.weights, 0.0)
        flow = np.repeat(np.arange(len(pairs)), np.diff(paths.start))
        if policy is spray:
            assert paths.bytes_on[graph.link >= 0].sum() == pytest.approx(sum(hops[level(a, b)] for a, b in pairs))
        else:
            assert np.bincount(flow, links).tolist() == [hops[level(a, b)] for a, b in pairs]


def level(a: int, b: int) -> int:
    return 0 if a // 3 == b // 3 else 1 if a // 12 == b // 12 else 2


def test_the_hash_of_ecmp_is_of_source_destination_channel_and_seed():
    """Each of them alone changes what a flow is hashed by, as each part of a five-tuple does."""
    one = np.array([3]), np.array([5]), np.array([7])
    base = hashes.salts(*one, 11)[0]
    changed = [
        hashes.salts(np.array([4]), *one[1:], 11)[0],
        hashes.salts(one[0], np.array([6]), one[2], 11)[0],
        hashes.salts(*one[:2], np.array([8]), 11)[0],
        hashes.salts(*one, 12)[0],
    ]
    assert len({int(base), *map(int, changed)}) == 5


def test_the_channels_of_a_pair_are_hashed_onto_different_spines(generate):
    """Sixteen channels between two hosts over eight spines: hashed without the channel they would share one spine."""
    graph = build(generate("pgft", children=(2, 2), parents=(1, 8)))
    n = 16
    src, dst = np.zeros(n, dtype=np.int64), np.full(n, 3, dtype=np.int64)
    paths = ecmp.route(network(graph), src, dst, np.ones(n), np.arange(n), 0)
    assert len({switches_of(graph, paths, flow)[1] for flow in range(n)}) > 1
    alike = ecmp.route(network(graph), src, dst, np.ones(n), np.zeros(n, dtype=np.int64), 0)
    assert len({switches_of(graph, alike, flow)[1] for flow in range(n)}) == 1


def test_no_short_cut_is_taken_for_a_plug_in_s_policy():
    """What its flows add up to is not known, whatever its row says."""
    row = replace(POLICIES["spray"], name="own")
    taken = accept(row, Entry("fabric_designer.routing_policies", "own", "acme 1.0", "acme:OWN"))
    assert (taken.uniform, taken.leaf_by_leaf, taken.in_full) == (None, False, None)
    assert (taken.name, taken.in_parts, taken.evenly) == ("own", True, True)
