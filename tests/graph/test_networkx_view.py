"""A design as a graph of networkx, and the components of either."""

from io import BytesIO
from pathlib import Path

import networkx
import numpy as np
import pytest

from designer import api
from designer.analysis.connectivity import components as components_of
from designer.analysis.diameter import diameter_hops
from designer.analysis.survey import survey
from designer.catalog.catalog import load as load_catalog
from designer.graph.components import component_of, components
from designer.graph.networkx_view import as_networkx
from designer.model.design import Design, from_entities
from designer.model.edit import Edit, added
from designer.model.entities import Device, End, Link

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


@pytest.fixture
def pair():
    """Two 200G servers on a 400G switch, by three links: two on one port, one to a port that is not there."""
    design = Design()
    for type_id, name in (("dgx-a100", "a"), ("dgx-a100", "b"), ("nvidia-qm9700", "s")):
        design.apply(api.add(design, type_id, name))
    a, b, s = (design.find(name).id for name in "abs")
    ends = ((a, "rail1", "1/1"), (a, "rail1", "1/2"), (b, "rail1", "none"))
    links = [Link(f"l{n}", End(one, port), End(s, to)) for n, (one, port, to) in enumerate(ends, start=1)]
    design.apply(Edit("Link", added(links)))
    return design


def test_nodes_are_names_with_what_each_is(pair):
    graph = as_networkx(pair)
    assert list(graph.nodes) == ["a", "b", "s"]
    assert graph.nodes["a"] == {"id": pair.find("a").id, "kind": "server", "role": "", "type": "dgx-a100"}
    assert graph.nodes["s"] == {"id": pair.find("s").id, "kind": "switch", "role": "", "type": "nvidia-qm9700"}


def test_edges_are_links_by_id_with_rate_network_and_ports(pair):
    graph = as_networkx(pair)
    assert list(graph.edges(keys=True)) == [("a", "s", "l1"), ("a", "s", "l2"), ("b", "s", "l3")]
    assert graph.edges["a", "s", "l2"] == {"rate_gbps": 200.0, "network": "compute", "a": "a:rail1", "b": "s:1/2"}
    assert graph.edges["b", "s", "l3"]["rate_gbps"] == 0.0


def test_links_of_all_networks_are_in_it_each_with_its_own():
    sizes = {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 4}
    graph = as_networkx(api.generate("fat-tree", **sizes, oob_switch="nvidia-sn2201"))
    assert {network for _, _, network in graph.edges(data="network")} == {"compute", "oob"}


def test_devices_of_one_name_and_one_named_as_anothers_id_go_by_their_ids(catalog):
    switch = catalog.get("generic-switch")
    names = {"d1": "twin", "d2": "twin", "d3": "d1", "d4": "own"}
    graph = as_networkx(from_entities([switch, *(Device(one, name, switch.id) for one, name in names.items())]))
    assert list(graph.nodes(data="id")) == [("d1", "d1"), ("d2", "d2"), ("d3", "d3"), ("own", "d4")]


@pytest.mark.parametrize("example", ["superpod-h100-4su", "fat-tree-16-2to1", "faults"])
def test_every_example_is_written_as_graphml_and_read_again_whole(example):
    graph = as_networkx(api.open(EXAMPLES / f"{example}.fabric"))
    written = BytesIO()
    networkx.write_graphml(graph, written)
    read = networkx.read_graphml(BytesIO(written.getvalue()), force_multigraph=True)
    assert dict(read.nodes(data=True)) == dict(graph.nodes(data=True))
    ends = {key: (frozenset((a, b)), facts) for a, b, key, facts in graph.edges(keys=True, data=True)}
    assert {key: (frozenset((a, b)), facts) for a, b, key, facts in read.edges(keys=True, data=True)} == ends


def test_a_hypercube_is_one_to_networkx():
    design = api.generate("torus", dims=(2, 2, 2, 2))
    graph = as_networkx(design)
    routers = graph.subgraph(name for name, kind in graph.nodes(data="kind") if kind == "switch")
    assert networkx.is_isomorphic(networkx.Graph(routers), networkx.hypercube_graph(4))


@pytest.mark.parametrize("seed", range(4))
def test_components_and_diameter_of_a_random_network_are_those_of_networkx(seed):
    design = api.generate("jellyfish", switches=20, degree=3, p=1, seed=seed)
    graph = as_networkx(design)
    routers = networkx.Graph(graph.subgraph(n for n, kind in graph.nodes(data="kind") if kind == "switch"))
    assert diameter_hops(survey(design)) == networkx.diameter(routers)
    assert len(components_of(survey(design))) == networkx.number_connected_components(graph)


@pytest.mark.parametrize("seed", range(6))
def test_components_by_name_and_by_number_are_those_of_networkx(seed):
    graph = networkx.gnm_random_graph(40, 25, seed=seed)
    expected = [sorted(one) for one in networkx.connected_components(graph)]
    assert [sorted(one) for one in components(graph.nodes, graph.edges)] == expected
    tail, head = np.array(graph.edges).T
    number = component_of(tail, head, 40)
    assert [np.flatnonzero(number == one).tolist() for one in range(number.max() + 1)] == expected


def test_groups_and_the_members_of_each_stand_in_member_order():
    assert components("abcdef", [("d", "a"), ("e", "b"), ("d", "f")]) == [["a", "d", "f"], ["b", "e"], ["c"]]
    assert components("abcd", [("a", "d"), ("d", "b")]) == [["a", "b", "d"], ["c"]]
    assert components([], []) == []
