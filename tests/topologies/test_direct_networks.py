"""Torus, dragonfly, dragonfly+ and k-ary fat-tree: published examples, formulas, and wiring against networkx.

Facts: `torus`, `dragonfly` and `formulas` of data/architectures.json.
"""

import itertools
import json
import math
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest
from direct import CATALOG, built, faultless, switches_of
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.analysis.summary import summarize
from designer.errors import ParameterError
from designer.model.design import Design
from designer.topologies import dragonfly, dragonfly_plus, fat_tree, k_ary_fat_tree, torus
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.dragonfly_plus import DragonflyPlusParameters
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.k_ary_fat_tree import KAryFatTreeParameters
from designer.topologies.torus import TorusParameters

FACTS = json.loads((Path(__file__).parent / "data" / "architectures.json").read_text(encoding="utf-8"))


# -- torus -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", FACTS["torus"], ids=lambda row: row["name"])
def test_a_published_torus_comes_out_as_published(row):
    parameters = TorusParameters(tuple(row["dims"]))
    counts = torus.counts(parameters, CATALOG)
    design = built(torus, parameters)
    graph = switches_of(design)
    assert counts.servers == counts.switches["router"] == row["chips"] == len(graph)
    assert counts.links["torus"] == graph.number_of_edges() == row["links"]
    assert {degree for _, degree in graph.degree()} == {row["degree"]}
    distances = nx.single_source_shortest_path_length(graph, 0)  # every node sees the same
    assert max(distances.values()) == row["diameter_hops"]
    assert sum(distances.values()) / len(graph) == pytest.approx(row["mean_distance_incl_self"], abs=1e-6)
    if row["chips"] <= 1024:
        assert summarize(design).diameter_hops == row["diameter_hops"]
        assert faultless(design)
    if row["bisection_links"] is not None:
        assert half_cut(graph, tuple(row["dims"])) == row["bisection_links"]


def half_cut(graph: nx.MultiGraph, dims: tuple[int, ...]) -> int:
    """Links across the middle of the longest dimension."""
    longest = max(range(len(dims)), key=lambda dimension: dims[dimension])
    stride = math.prod(dims[:longest])
    far = [node // stride % dims[longest] >= dims[longest] // 2 for node in range(len(graph))]
    return sum(far[a] != far[b] for a, b in graph.edges())


dimensions = st.lists(st.integers(2, 6), min_size=1, max_size=4).filter(lambda dims: math.prod(dims) <= 300).map(tuple)


@given(dimensions, st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_torus_or_mesh_is_the_grid_graph_that_networkx_makes(dims, mesh):
    graph = switches_of(built(torus, TorusParameters(dims, mesh=mesh)))
    peer = nx.grid_graph(dims[::-1], periodic=[not mesh and size > 2 for size in dims[::-1]])
    expected = {
        frozenset(number(dims, end if isinstance(end, tuple) else (end,)) for end in edge) for edge in peer.edges()
    }
    assert {frozenset(edge) for edge in graph.edges()} == expected
    assert graph.number_of_edges() == len(expected)  # no pair has two links


def number(dims: tuple[int, ...], place: tuple[int, ...]) -> int:
    return sum(at * math.prod(dims[:dimension]) for dimension, at in enumerate(place))


@given(st.lists(st.integers(3, 5), min_size=1, max_size=3).map(tuple))
@settings(max_examples=30, deadline=None)
def test_the_torus_formulas_hold(dims):
    """`formulas.torus`: n * N links, diameter sum of floor(k / 2), bisection 2N / max k for an even longest ring."""
    graph = switches_of(built(torus, TorusParameters(dims)))
    n_nodes = math.prod(dims)
    assert graph.number_of_edges() == len(dims) * n_nodes
    assert nx.diameter(graph) == sum(size // 2 for size in dims)
    if max(dims) % 2 == 0:
        assert half_cut(graph, dims) == 2 * n_nodes // max(dims)


def test_a_router_has_its_ports_in_the_order_plus_minus_of_each_dimension():
    design = built(torus, TorusParameters((3, 4)))
    names = {device.name: device for device in design.devices.values()}
    ends = {}
    for link in design.links_of(names["router-1-1"].id):
        mine, other = (link.a, link.b) if link.a.device_id == names["router-1-1"].id else (link.b, link.a)
        ends[mine.port] = design.device(other.device_id).name
    assert ends == {"1": "router-2-1", "2": "router-0-1", "3": "router-1-2", "4": "router-1-0", "5": "host-1-1"}


def test_a_ring_of_two_has_one_link_and_a_mesh_none_round_the_ends():
    assert torus.counts(TorusParameters((2,)), CATALOG).links["torus"] == 1
    assert torus.counts(TorusParameters((4, 2), mesh=True), CATALOG).links["torus"] == 3 * 2 + 4
    assert torus.counts(TorusParameters((4, 2)), CATALOG).links["torus"] == 4 * 2 + 4


def test_a_node_may_be_a_server_with_its_own_nics():
    design = built(torus, TorusParameters((4, 4), node="dgx-h100"))
    assert len(design.modules) == 16 * 8
    assert torus.counts(TorusParameters((4, 4), node="dgx-h100"), CATALOG).endpoints == 128
    assert faultless(design)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"dims": (1, 4)}, "a dimension should be 2 to 100,000, not 1"),
        ({"dims": ()}, "a torus has 1 to 6 dimensions"),
        ({"dims": (1000, 1000)}, "are more than a design holds"),
        ({"dims": (4,), "node": "nvidia-qm9700"}, "QM9700 is not a server"),
    ],
)
def test_a_torus_that_cannot_be_built_is_refused(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        torus.build(Design(), TorusParameters(**fields), CATALOG)


# -- dragonfly ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", FACTS["dragonfly"], ids=lambda row: row["name"])
@pytest.mark.parametrize("arrangement", ["relative", "absolute"])
def test_a_published_dragonfly_comes_out_as_published(row, arrangement):
    parameters = DragonflyParameters(row["p"], row["a"], row["h"], arrangement=arrangement)
    counts = dragonfly.counts(parameters, CATALOG)
    assert parameters.n_groups == row["groups"] == row["groups_max"]
    assert (counts.switches, counts.endpoints) == ({"router": row["routers"]}, row["endpoints"])
    assert counts.links == {
        "server-router": row["endpoints"],
        "local": row["local_links"],
        "global": row["global_links"],
    }
    if row["endpoints"] < 1000:
        design = built(dragonfly, parameters)
        summary = summarize(design)
        assert summary.links == counts.links
        assert summary.diameter_hops == (3 if row["h"] > 1 or row["a"] > 1 else 1)
        assert {device.type_id for device in design.switches()} == {f"generic-switch-{row['router_radix']}x400g"}
        assert faultless(design)


shapes = st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(1, 3)).flatmap(
    lambda pah: st.tuples(st.just(pah), st.integers(2, pah[1] * pah[2] + 1))
)


@given(shapes, st.sampled_from(["relative", "absolute"]))
@settings(max_examples=80, deadline=None)
def test_in_any_dragonfly_groups_are_complete_and_each_two_joined_alike(shape, arrangement):
    (p, a, h), g = shape
    design = built(dragonfly, DragonflyParameters(p, a, h, groups=g, arrangement=arrangement))
    graph = switches_of(design)
    assert len(design.servers()) == p * a * g
    inside = Counter(tuple(sorted(edge)) for edge in graph.edges() if edge[0] // a == edge[1] // a)
    assert set(inside.values()) <= {1}
    assert len(inside) == g * a * (a - 1) // 2
    between = Counter(tuple(sorted((x // a, y // a))) for x, y in graph.edges() if x // a != y // a)
    assert set(between) == set(itertools.combinations(range(g), 2))
    assert set(between.values()) == {a * h // (g - 1)}
    assert max(degree for _, degree in graph.degree()) <= a - 1 + h
    assert nx.diameter(graph) <= 3
    assert faultless(design)


def test_links_of_a_pair_can_be_fewer_than_the_ports_allow():
    counts = dragonfly.counts(DragonflyParameters(2, 4, 2, groups=3, links_per_pair=1), CATALOG)
    assert counts.links["global"] == 3
    assert dragonfly.counts(DragonflyParameters(2, 4, 2, groups=3), CATALOG).links["global"] == 3 * 4


def test_a_dragonfly_of_real_switches_and_servers_is_without_faults():
    parameters = DragonflyParameters(8, 8, 1, groups=4, switch="nvidia-qm9700", server="dgx-h100")
    design = built(dragonfly, parameters)
    assert faultless(design)
    assert len(design.servers()) == 32


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"groups": 10}, "10 groups need 9 global links each; a group has 8: 9 groups at most"),
        ({"groups": 5, "links_per_pair": 3}, "3 links per pair of 5 groups need 12 global links each; a group has 8"),
        ({"server": "dgx-h100"}, "p is 2: DGX H100 has 8 fabric ports, and all of a server's are on one router"),
        ({"p": 0}, "p should be 1 or more, not 0"),
        ({"p": 64, "switch": "nvidia-qm9700"}, "a router needs 69 ports; a QM9700 has too few"),
        ({"a": 10**6}, "are more than a design holds"),
    ],
)
def test_a_dragonfly_that_cannot_be_built_is_refused(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        dragonfly.counts(DragonflyParameters(**fields), CATALOG)


def test_the_relative_arrangement_is_that_of_the_explicit_flow_sets():
    """Link l of group G sits on router l // h and goes to group (G + l + 1) mod g, where it is link a*h - 1 - l."""
    a, h, g = 4, 2, 9
    graph = switches_of(built(dragonfly, DragonflyParameters(2, a, h)))
    for group, link in itertools.product(range(g), range(a * h)):
        other, back = (group + link + 1) % g, a * h - 1 - link
        assert graph.has_edge(group * a + link // h, other * a + back // h)


# -- dragonfly+ --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [row for row in FACTS["formulas"]["dragonfly_plus"]["examples"] if row["endpoints_max"] < 150_000],
    ids=lambda row: f"radix-{row['radix']}",
)
def test_a_balanced_dragonfly_plus_has_the_sizes_of_the_formula(row):
    parameters = DragonflyPlusParameters(
        row["leafs_per_group"], row["spines_per_group"], row["hosts_per_leaf"], row["global_per_spine"]
    )
    assert parameters.n_groups == row["groups_max"]
    if row["endpoints_max"] > 1000:  # more links than a design holds
        return
    counts = dragonfly_plus.counts(parameters, CATALOG)
    assert counts.endpoints == row["endpoints_max"]
    assert sum(counts.switches.values()) == row["switches_max"]
    design = built(dragonfly_plus, parameters)
    summary = summarize(design)
    assert summary.links == counts.links
    assert summary.diameter_hops == 3 if row["radix"] > 4 else summary.diameter_hops <= 4
    assert faultless(design)


plus_shapes = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 2), st.integers(1, 3)).flatmap(
    lambda lsph: st.tuples(st.just(lsph), st.integers(2, lsph[1] * lsph[3] + 1))
)


@given(plus_shapes)
@settings(max_examples=50, deadline=None)
def test_in_any_dragonfly_plus_groups_are_bipartite_and_each_two_joined_alike(shape):
    (n_leafs, n_spines, p, h), g = shape
    design = built(dragonfly_plus, DragonflyPlusParameters(n_leafs, n_spines, p, h, groups=g))
    place = {device.id: (device.role, device.unit) for device in design.switches()}
    local, between = Counter(), Counter()
    for link in design.links.values():
        if link.a.device_id in place:
            (role_a, group_a), (role_b, group_b) = place[link.a.device_id], place[link.b.device_id]
            if group_a == group_b:
                assert {role_a, role_b} == {"leaf", "spine"}
                local[group_a] += 1
            else:
                assert role_a == role_b == "spine"
                between[frozenset((group_a, group_b))] += 1
    assert set(local.values()) == {n_leafs * n_spines}
    assert len(between) == g * (g - 1) // 2
    assert set(between.values()) == {n_spines * h // (g - 1)}
    assert faultless(design)


# -- k-ary fat-tree ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", FACTS["formulas"]["kary_fat_tree"]["examples"], ids=lambda row: f"k-{row['k']}")
def test_a_k_ary_fat_tree_has_the_sizes_of_the_formula(row):
    counts = k_ary_fat_tree.counts(KAryFatTreeParameters(row["k"]), CATALOG)
    assert counts.switches == {"leaf": row["edge"], "spine": row["aggregation"], "core": row["core"]}
    assert counts.servers == row["hosts"]
    assert counts.links == {
        "server-leaf": row["links_host_edge"],
        "leaf-spine": row["links_edge_agg"],
        "spine-core": row["links_agg_core"],
    }


@pytest.mark.parametrize("k", [2, 4, 6, 8])
def test_a_k_ary_fat_tree_is_wired_as_al_fares_describes_it(k):
    design = built(k_ary_fat_tree, KAryFatTreeParameters(k))
    graph = nx.Graph((link.a.device_id, link.b.device_id) for link in design.links.values())
    roles = {device.id: device.role for device in design.devices.values()}
    assert {graph.degree(one) for one, role in roles.items() if role} == {k}
    # Every core reaches each pod over one aggregation switch.
    pods = {device.id: device.unit for device in design.devices.values()}
    for core in (one for one, role in roles.items() if role == "core"):
        assert sorted(pods[one] for one in graph[core]) == list(range(1, k + 1))
    hosts = design.servers()
    if k > 2:
        paths = list(nx.all_shortest_paths(graph, hosts[0].id, hosts[-1].id))
        assert len(paths) == (k // 2) ** 2  # equal_cost_paths_between_pods
        assert {len(path) - 1 for path in paths} == {6}
    assert faultless(design)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"k": 5}, "k is 5: it should be even"),
        ({"k": 8, "switch": "nvidia-qm9700"}, "a QM9700 has 64 ports at that rate, not k = 8"),
        ({"k": 64, "switch": "nvidia-qm9700", "server": "dgx-h100"}, "a host of a k-ary fat-tree has one link"),
    ],
)
def test_a_k_ary_fat_tree_that_cannot_be_built_is_refused(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        k_ary_fat_tree.counts(KAryFatTreeParameters(**fields), CATALOG)


# -- three tiers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", FACTS["formulas"]["three_level"]["examples"], ids=lambda row: f"{row['hosts']}")
def test_the_three_level_formula_holds(example):
    """Formula three_level: leaf = spine = 2N / r, core = N / r."""
    parameters = FatTreeParameters(
        switch=f"generic-switch-{example['radix']}x400g", server="generic-host", servers=example["hosts"], tiers="3"
    )
    counts = fat_tree.counts(parameters, CATALOG)
    assert counts.switches == {role: example[role] for role in ("leaf", "spine", "core")}
    assert sum(counts.switches.values()) == example["switches"]
