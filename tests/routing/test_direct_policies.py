"""Dimension order on tori, Valiant and adaptive routing on dragonflies and elsewhere."""

import itertools

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.errors import GraphError
from designer.graph.arrays import SWITCH, Graph
from designer.graph.building.build import build
from designer.model import operations
from designer.model.design import Design
from designer.model.entities import End
from designer.routing import adaptive, dimension_order, paths, valiant
from designer.routing.legs import legs
from designer.routing.network import network
from designer.routing.paths import Commodities, commodities
from designer.routing.policies import POLICIES
from designer.routing.splits import splits
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.topologies import dragonfly, dragonfly_plus, fat_tree, torus
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.dragonfly_plus import DragonflyPlusParameters
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.torus import TorusParameters

CATALOG = load()


def designed(family, parameters) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, CATALOG))
    return design


def graph_of(family, parameters) -> Graph:
    return build(designed(family, parameters))


def paths_between(graph: Graph, src: int, dst: int, routing: str) -> list[int]:
    """The arcs of one flow that takes one path."""
    net = POLICIES[routing].prepared(network(graph))
    ends = np.array([src]), np.array([dst])
    found = POLICIES[routing].route(net, *ends, np.ones(1), np.zeros(1, dtype=np.int64), 0)
    return found.arcs.tolist()


# -- dimension order ---------------------------------------------------------------------------------------------------


def coordinates_on(graph: Graph, arcs: list[int]) -> list[tuple[int, ...]]:
    names = [graph.device_name(int(graph.target[arc])) for arc in arcs]
    return [tuple(int(part) for part in name.split("-")[1:]) for name in names if name.startswith("router")]


def expected_course(dims, src, dst, mesh):
    """Dimension after dimension, shorter way round, ties to +, written down from the definition."""
    at, phase_result = list(src), [src]
    for dimension, size in enumerate(dims):
        while at[dimension] != dst[dimension]:
            up = (dst[dimension] - at[dimension]) % size
            step = 1 if (dst[dimension] > at[dimension] if mesh or size == 2 else up <= size - up) else -1
            # Once set out, a flow goes on the same way: the rest is shorter still.
            at[dimension] = (at[dimension] + step) % size
            phase_result.append(tuple(at))
    return phase_result


@given(st.lists(st.integers(2, 5), min_size=1, max_size=3).map(tuple), st.booleans(), st.data())
@settings(max_examples=60, deadline=None)
def test_a_flow_goes_dimension_after_dimension_the_shorter_way_round(dims, mesh, data):
    graph = graph_of(torus, TorusParameters(dims, mesh=mesh))
    nodes = list(itertools.product(*(range(size) for size in dims[::-1])))
    src, dst = (data.draw(st.integers(0, len(nodes) - 1)) for _ in range(2))
    if src == dst:
        return
    phase_result = coordinates_on(graph, paths_between(graph, src, dst, "dimension-order"))
    assert phase_result == expected_course(dims, nodes[src][::-1], nodes[dst][::-1], mesh)


def test_with_a_link_of_a_ring_lost_flows_go_the_other_way_round():
    design = designed(torus, TorusParameters((5, 3)))
    names = {device.name: device.id for device in design.devices.values()}
    lost = next(
        link.id
        for link in design.links_of(names["router-1-0"])
        if names["router-2-0"] in (link.a.device_id, link.b.device_id)
    )
    graph = build(design, failed=frozenset([lost]))
    phase_result = coordinates_on(graph, paths_between(graph, 0, 2, "dimension-order"))
    assert phase_result == [(0, 0), (4, 0), (3, 0), (2, 0)]
    other_row = coordinates_on(graph, paths_between(graph, 5, 7, "dimension-order"))
    assert other_row == [(0, 1), (1, 1), (2, 1)]


def test_a_destination_behind_a_broken_row_is_reached_the_shortest_way():
    """In a mesh there is no other way round; dimension order alone would lose the flow."""
    design = designed(torus, TorusParameters((3, 2), mesh=True))
    names = {device.name: device.id for device in design.devices.values()}
    lost = next(
        link.id
        for link in design.links_of(names["router-0-0"])
        if names["router-1-0"] in (link.a.device_id, link.b.device_id)
    )
    graph = build(design, failed=frozenset([lost]))
    phase_result = coordinates_on(graph, paths_between(graph, 0, 2, "dimension-order"))
    assert phase_result[0] == (0, 0) and phase_result[-1] == (2, 0) and len(phase_result) == 5


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        (fat_tree, FatTreeParameters(servers=16, switch="generic-switch-8x400g", server="generic-host")),
        (dragonfly, DragonflyParameters(2, 4, 2)),
    ],
)
def test_what_is_no_torus_is_refused_by_dimension_order(family, parameters):
    graph = graph_of(family, parameters)
    with pytest.raises(GraphError, match="dimension-order routing needs a torus or a mesh"):
        dimension_order.prepared(network(graph))


def test_a_torus_wired_crosswise_by_hand_is_refused_naming_a_port():
    """Two links +y exchanged: rows and columns no longer close."""
    design = designed(torus, TorusParameters((4, 4)))
    ids = {device.name: device.id for device in design.devices.values()}
    gone = [
        next(one for one in design.links_of(ids[name]) if one.a == End(ids[name], "3"))
        for name in ("router-0-0", "router-2-2")
    ]
    design.apply(operations.delete(design, [link.id for link in gone]))
    design.apply(operations.connect(design, gone[0].a, gone[1].b))
    design.apply(operations.connect(design, gone[1].a, gone[0].b))
    with pytest.raises(GraphError, match=r"\+x, -x, \+y, -y: router-\d-\d port \d .* does not close rows and columns"):
        dimension_order.prepared(network(build(design)))


def test_all_to_all_on_a_torus_ends_by_the_closed_form():
    """Even ring of k, ties to +: the busiest link carries k/2 (k/2 + 1)/2 of every k flows of a row, times N/k rows."""
    k, size_bytes = 8, 1e6
    graph = graph_of(torus, TorusParameters((k, k)))
    result = simulate(
        graph,
        Scenario(traffic="all-to-all", size_bytes=size_bytes, routing="dimension-order", efficiency=1.0, latency=False),
    )
    flows_on_busiest = k * (k // 2) * (k // 2 + 1) // 2
    assert result.time_s == pytest.approx(flows_on_busiest * size_bytes / 50e9)


# -- valiant -----------------------------------------------------------------------------------------------------------

NETWORKS = {
    "dragonfly": (dragonfly, DragonflyParameters(2, 4, 2)),
    "several links a pair": (dragonfly, DragonflyParameters(1, 4, 2, groups=4)),
    "dragonfly+": (dragonfly_plus, DragonflyPlusParameters(2, 2, 2, 2)),
    "groups of one leaf and one spine": (dragonfly_plus, DragonflyPlusParameters(1, 1, 1, 2)),
    "torus": (torus, TorusParameters((3, 4))),
    "fat-tree": (fat_tree, FatTreeParameters(servers=16, switch="generic-switch-8x400g", server="generic-host")),
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("routing", ["valiant", "adaptive", "spray"])
def test_what_sets_out_arrives_and_nothing_is_lost_on_the_way(name, routing):
    graph = graph_of(*NETWORKS[name])
    result = simulate(graph, Scenario(traffic="permutation:3", size_bytes=1e6, routing=routing))
    into, out = np.zeros(graph.n_vertices), np.zeros(graph.n_vertices)
    np.add.at(into, graph.target, result.bytes)
    np.add.at(out, graph.source, result.bytes)
    between = np.array(graph.vertices_of(SWITCH))
    assert into[between] == pytest.approx(out[between])
    assert into[: graph.n_endpoints] == pytest.approx(np.full(graph.n_endpoints, 1e6))
    assert result.utilization_peak.max() <= 1 + 1e-9


@pytest.mark.parametrize("name", NETWORKS)
def test_loads_of_a_valiant_all_to_all_add_up_as_the_flows_do(name):
    """The sum over all rows, pair by pair, against the loads gone through once for all."""
    graph = graph_of(*NETWORKS[name])
    net = network(graph)
    src, dst = (side.ravel() for side in np.indices((graph.n_endpoints, graph.n_endpoints)))
    differs = src != dst
    found = legs(net, src[differs], dst[differs], None)
    sets = commodities(net, found)
    row_start, bundles, weights = valiant.rows_of(net, sets)
    pairs = np.bincount(sets.of_leg[sets.of_leg >= 0], minlength=sets.count).astype(float)
    expected = np.zeros(len(net.switches.head))
    np.add.at(expected, bundles, weights * np.repeat(pairs, np.diff(row_start)))
    hosts = np.bincount(net.ends.leaf[:, 0], minlength=len(net.switches.leafs)).astype(float)
    assert valiant.loads(net, np.outer(hosts, hosts) - np.diag(hosts)) == pytest.approx(expected)


def test_valiant_takes_every_third_group_alike():
    graph = graph_of(dragonfly, DragonflyParameters(2, 4, 2))
    net = network(graph)
    result = valiant.route(net, np.array([0]), np.array([8]), np.ones(1), np.zeros(1, dtype=np.int64), 0)
    group = graph.dragonfly_group
    reached = {}
    for arc, weight in zip(result.arcs.tolist(), result.weights.tolist(), strict=True):
        a, b = int(group[graph.source[arc]]), int(group[graph.target[arc]])
        if a >= 0 and b >= 0 and a != b:
            reached[a, b] = reached.get((a, b), 0.0) + weight
    assert {pair: pytest.approx(1 / 7) for pair in reached} == reached
    assert {b for a, b in reached if a == 0} == set(range(2, 9))
    assert {a for a, b in reached if b == 1} == set(range(2, 9))


@pytest.mark.parametrize("margin", [1.1, 0.01])
def test_valiant_ways_are_the_same_whatever_is_remembered_of_them_and_however_long_they_were_thought(
    margin, monkeypatch
):
    graph = graph_of(dragonfly, DragonflyParameters(2, 4, 2))
    net, pairs = network(graph), np.array(list(itertools.permutations(range(graph.n_endpoints), 2)))
    sets = commodities(net, legs(net, pairs[:, 0], pairs[:, 1], None))
    expected = valiant.rows_of(net, sets)

    monkeypatch.setattr(valiant, "ROOM", 1)
    monkeypatch.setattr(valiant, "WORTH_A_THREAD", 7)
    monkeypatch.setattr(valiant, "MARGIN", margin)

    for found, wanted in zip(valiant.rows_of(net, sets), expected, strict=True):
        assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        (dragonfly, DragonflyParameters(1, 3, 1)),
        (dragonfly, DragonflyParameters(1, 2, 2, groups=2)),
        (dragonfly_plus, DragonflyPlusParameters(2, 2, 2, 2, groups=3)),
        (torus, TorusParameters((4, 3))),
        (fat_tree, FatTreeParameters(servers=16, switch="generic-switch-8x400g", server="generic-host")),
    ],
)
def test_what_crosses_a_bundle_is_what_the_rows_of_all_pairs_put_on_it(family, parameters):
    net = network(graph_of(family, parameters))
    switches = net.switches
    n, n_bundles = len(switches.leafs), len(switches.head)
    pairs = np.array([(a, b) for b in range(n) for a in range(n) if a != b], dtype=np.int32)
    sets = Commodities(np.empty(0, dtype=np.int64), pairs[:, 0].copy(), pairs[:, 1].copy())
    direct, detour = (
        scipy.sparse.csr_matrix((weights, bundles, start), (len(pairs), n_bundles)).toarray()
        for start, bundles, weights in (adaptive.minimal_rows(net, sets), valiant.rows_of(net, sets))
    )
    for bundle in range(n_bundles):
        for found, rows in zip(valiant.crossing(net, bundle), (direct, detour), strict=True):
            assert found[pairs[:, 0], pairs[:, 1]] == pytest.approx(rows[:, bundle], abs=1e-12)
            assert not found.diagonal().any()


# -- the worst case of a dragonfly -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("p", "a", "h"), [(2, 4, 2), (3, 6, 3), (4, 8, 4)])
def test_to_the_next_group_minimal_gets_one_over_ah_valiant_a_half_and_adaptive_no_less(p, a, h):
    """J. Kim et al. (2008): with all hosts of a group sending to the next one, its one global link is all there is."""
    graph = graph_of(dragonfly, DragonflyParameters(p, a, h))
    accepted = {}
    for routing in ("spray", "valiant", "adaptive"):
        result = simulate(
            graph, Scenario(traffic=f"shift:{p * a}", size_bytes=1e9, routing=routing, efficiency=1.0, latency=False)
        )
        accepted[routing] = 1e9 / result.time_s / 50e9
    assert accepted["spray"] == pytest.approx(1 / (a * p))  # a*p hosts share one link; balanced, 1/(a*h)
    g = a * h + 1
    assert accepted["valiant"] == pytest.approx((g - 2) / (2 * a * h), rel=0.01)
    assert 0.4 < accepted["valiant"] < 0.55
    assert accepted["adaptive"] >= accepted["valiant"] * 0.99


@pytest.mark.parametrize(
    "traffic",
    [
        "shift:1",
        "shift:8",
        "shift:9",
        "shift:20",
        "permutation:1",
        "permutation:2",
        "incast:8",
        "bisection",
        "all-to-all",
    ],
)
def test_adaptive_is_within_a_tenth_of_the_better_of_minimal_and_valiant(traffic):
    graph = graph_of(dragonfly, DragonflyParameters(2, 4, 2))
    times = {
        routing: simulate(graph, Scenario(traffic=traffic, size_bytes=1e7, routing=routing)).time_s
        for routing in ("spray", "valiant", "adaptive")
    }
    assert times["adaptive"] <= 1.1 * min(times["spray"], times["valiant"])


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.5, 0.75, 1.0])
def test_adaptive_is_within_a_tenth_at_every_load_of_the_worst_case(share, tmp_path):
    """A part of each host's bytes goes to the next group, the rest everywhere alike: from cool links to the hottest."""
    graph = graph_of(dragonfly, DragonflyParameters(2, 4, 2))
    lines = []
    for src in range(72):
        sizes = np.full(72, (1 - share) / 71 * 1e9)
        sizes[(src + 8) % 72] += share * 1e9
        lines += [f"{src},{dst},{sizes[dst]}" for dst in range(72) if dst != src and sizes[dst] > 0]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(lines))
    worst = {}
    for routing in ("spray", "valiant", "adaptive"):
        result = simulate(graph, Scenario(traffic=f"pairs:{path}", routing=routing, efficiency=1.0, latency=False))
        worst[routing] = result.time_s
    assert worst["adaptive"] <= 1.1 * min(worst["spray"], worst["valiant"])


def least_worst_use(load: np.ndarray, more: scipy.sparse.csr_matrix) -> float:
    """The least largest use where each commodity takes a share of its row of `more`, by the simplex."""
    n, scale = more.shape[0], load.max()
    rows = scipy.sparse.hstack([more.T / scale, -np.ones((len(load), 1))])
    found = scipy.optimize.linprog(
        np.append(np.zeros(n), 1.0), A_ub=rows, b_ub=-load / scale, bounds=[(0, 1)] * n + [(0, None)]
    )
    return float(found.fun * scale)


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        (dragonfly, DragonflyParameters(2, 4, 2)),
        (dragonfly_plus, DragonflyPlusParameters(2, 2, 2, 2)),
        (torus, TorusParameters((5, 4))),
        (torus, TorusParameters((3, 4, 2), mesh=True)),
        (
            fat_tree,
            FatTreeParameters(servers=12, oversubscription=2.0, switch="generic-switch-8x400g", server="generic-host"),
        ),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_splits_are_within_two_percent_of_the_least_that_linear_programming_finds(family, parameters, seed):
    net = network(graph_of(family, parameters))
    src = np.arange(net.graph.n_endpoints)
    sets = commodities(net, legs(net, src, np.random.default_rng(seed).permutation(src), None))
    moved, capacity = np.ones(sets.count), net.switches.capacity_gbps
    direct, detour = (
        scipy.sparse.csr_matrix((weights, bundles, start), (sets.count, len(capacity)))
        for start, bundles, weights in (adaptive.minimal_rows(net, sets), valiant.rows_of(net, sets))
    )

    share = splits(adaptive.minimal_rows(net, sets), valiant.rows_of(net, sets), moved, capacity, 0.0)

    use = (direct.T @ (1 - share) + detour.T @ share) / capacity
    least = least_worst_use(direct.T @ moved / capacity, (detour - direct).multiply(1 / capacity).tocsr())
    assert least * (1 - 1e-9) <= use.max() <= least * 1.02


def test_adaptive_paths_mix_both_kinds_of_ways_with_every_arc_once(monkeypatch):
    """Eight hosts of a group to the next: arcs against the sum over both kinds of rows, in one thread or two."""
    graph = graph_of(dragonfly, DragonflyParameters(2, 4, 2))
    net, size_bytes, channel = network(graph), np.arange(1.0, 9.0), np.zeros(8, dtype=np.int64)
    src, dst = np.arange(8), np.arange(8, 16)
    found = adaptive.route(net, src, dst, size_bytes, channel, 0)
    between = legs(net, src, dst, None)
    sets = commodities(net, between)
    share = adaptive.detoured(net, between, size_bytes, sets)
    assert ((share > 0) & (share < 1)).any()
    direct, detour = (
        scipy.sparse.csr_matrix((weights, bundles, start), (sets.count, len(net.switches.head))).toarray()
        for start, bundles, weights in (adaptive.minimal_rows(net, sets), valiant.rows_of(net, sets))
    )
    assert ((direct > 0) & (detour > 0)).any()
    wanted = ((1 - share)[:, None] * direct + share[:, None] * detour)[sets.of_leg]
    first_arc = net.switches.arcs[net.switches.arc_start[:-1]]
    rows = scipy.sparse.csr_matrix((found.weights, found.arcs, found.start), (8, graph.n_arcs)).toarray()
    assert rows[:, first_arc] == pytest.approx(wanted)
    for flow in range(8):
        arcs = found.arcs[found.start[flow] : found.start[flow + 1]].tolist()
        assert len(arcs) == len(set(arcs))
    assert found.bytes_on[first_arc] == pytest.approx(size_bytes @ wanted)

    monkeypatch.setattr(paths, "WORTH_A_THREAD", 1)
    again = adaptive.route(net, src, dst, size_bytes, channel, 0)
    assert again.start.tolist() == found.start.tolist() and again.arcs.tolist() == found.arcs.tolist()
    assert again.weights.tolist() == found.weights.tolist()


def test_adaptive_stays_on_minimal_paths_where_they_are_cool():
    graph = graph_of(dragonfly, DragonflyParameters(2, 4, 2))
    net = network(graph)
    src, dst = np.array([0]), np.array([8])
    minimal = POLICIES["spray"].route(net, src, dst, np.ones(1), np.zeros(1, dtype=np.int64), 0)
    found = adaptive.route(net, src, dst, np.ones(1), np.zeros(1, dtype=np.int64), 0)
    assert (found.bytes_on > 0).tolist() == (minimal.bytes_on > 0).tolist()
    # With seven more on the same global link it is hot, and most of them leave it.
    src, dst = np.arange(8), np.arange(8, 16)
    many = [np.ones(8), np.zeros(8, dtype=np.int64), 0]
    assert (
        adaptive.route(net, src, dst, *many).bytes_on.max()
        < 0.5 * POLICIES["spray"].route(net, src, dst, *many).bytes_on.max()
    )


@pytest.mark.parametrize("routing", ["valiant", "adaptive"])
def test_a_large_all_to_all_needs_no_flows_and_ends_as_the_flows_would(routing, monkeypatch):
    from designer.simulation import phase_results

    graph = graph_of(dragonfly, DragonflyParameters(2, 4, 2))
    scenario = Scenario(traffic="all-to-all", size_bytes=1e6, routing=routing, efficiency=1.0)
    written_out = simulate(graph, scenario)
    monkeypatch.setattr(phase_results, "MOST_WIDE", 10)
    summed = simulate(graph, scenario)
    assert summed.time_s == pytest.approx(written_out.time_s, rel=0.01)
    assert summed.bytes.sum() == pytest.approx(written_out.bytes.sum(), rel=0.02)


def test_an_irregular_all_to_all_under_adaptive_says_that_it_has_one_share_of_detours(monkeypatch):
    from designer.simulation import phase_results

    monkeypatch.setattr(phase_results, "MOST_WIDE", 10)
    found = simulate(graph_of(torus, TorusParameters((3, 3))), Scenario(traffic="all-to-all", routing="adaptive"))
    assert any(note.startswith("one share of detours for all pairs") for note in found.model.notes)
