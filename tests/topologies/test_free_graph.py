"""The graph family: generators of networkx by a table, GraphML files, and what is refused of both."""

import os

import networkx as nx
import pytest
from direct import built, faultless, ports_in_order, switches_of

from designer.analysis.summary import summarize
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.topologies import free_graph, graphs
from designer.topologies.free_graph import GraphParameters
from designer.topologies.sizing import MOST_DEVICES, MOST_LINKS

CATALOG = load()
ARGUMENTS = {
    "balanced-tree": "2,3",
    "barabasi-albert": "20,2,1",
    "barbell": "4,2",
    "circulant": "16,1,5",
    "circular-ladder": "6",
    "complete": "7",
    "complete-bipartite": "3,4",
    "complete-multipartite": "2,3,4",
    "cycle": "9",
    "desargues": "",
    "dodecahedron": "",
    "grid": "4,5",
    "heawood": "",
    "hexagonal-lattice": "2,3",
    "hoffman-singleton": "",
    "hypercube": "4",
    "icosahedron": "",
    "kneser": "5,2",
    "ladder": "6",
    "path": "8",
    "petersen": "",
    "random": "12,30,1",
    "random-regular": "4,14,3",
    "small-world": "20,4,0.2,1",
    "star": "7",
    "triangular-lattice": "3,4",
    "turan": "9,3",
    "tutte": "",
    "wheel": "8",
}
DIAMETERS = {"petersen": 2, "hypercube": 4, "complete": 1, "hoffman-singleton": 2, "desargues": 5, "cycle": 4}


def test_every_generator_is_tried_here():
    assert set(ARGUMENTS) == set(graphs.GENERATORS)


@pytest.mark.parametrize("name", graphs.GENERATORS)
def test_a_generator_makes_no_more_than_it_announces_and_the_network_is_its_graph(name):
    row = graphs.GENERATORS[name]
    made = graphs.generated(name, ARGUMENTS[name])
    numbers = [float(text) if "." in text else int(text) for text in ARGUMENTS[name].split(",") if text]
    most_nodes, most_links = row.size(*numbers)
    assert 1 < made.n_routers <= most_nodes
    assert 0 < len(made.edges) <= most_links
    parameters = GraphParameters(graph=name, arguments=ARGUMENTS[name], p=1)
    counts, design = free_graph.counts(parameters, CATALOG), built(free_graph, parameters)
    graph = switches_of(design)
    assert len(graph) == counts.switches["router"] == counts.servers == made.n_routers
    assert graph.number_of_edges() == counts.links["router-router"] == len(made.edges)
    assert nx.is_connected(graph)
    if name in DIAMETERS:
        assert summarize(design).diameter_hops == nx.diameter(nx.Graph(graph)) == DIAMETERS[name]


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("petersen", nx.petersen_graph()),
        ("hypercube", nx.hypercube_graph(4)),
        ("circulant", nx.circulant_graph(16, [1, 5])),
        ("kneser", nx.kneser_graph(5, 2)),
        ("turan", nx.turan_graph(9, 3)),
    ],
)
def test_the_graph_is_that_of_networkx(name, peer):
    design = built(free_graph, GraphParameters(graph=name, arguments=ARGUMENTS[name]))
    assert nx.is_isomorphic(nx.Graph(switches_of(design)), peer)
    assert faultless(design)


def test_ports_of_a_router_follow_the_numbers_of_the_others():
    design = built(free_graph, GraphParameters(graph="complete", arguments="4", p=1))
    assert ports_in_order(design, "router-02") == ["host-02", "router-01", "router-03", "router-04"]


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("hypercube", "", "arguments are '': hypercube takes dimensions"),
        ("hypercube", "four", "arguments are 'four': hypercube takes dimensions"),
        ("hypercube", "4,4", "arguments are '4,4': hypercube takes dimensions"),
        ("hypercube", "-1", "dimensions is -1: it should be 0 to 250,000"),
        ("hypercube", "40", "are more than a design holds"),
        ("hypercube", "200000", "are more than a design holds"),
        ("complete", "1", "the complete graph has 1 node: a network takes two"),
        ("petersen", "4", "petersen takes no arguments"),
        ("complete", "2000", "are more than a design holds"),
        ("complete", "__import__('os')", "complete takes nodes"),
        ("balanced-tree", "2,60", "are more than a design holds"),
        ("balanced-tree", "250000,250000", "are more than a design holds"),
        ("kneser", "100000,50000", "are more than a design holds"),
        ("kneser", "4,2", "the kneser graph falls into 3 parts that no link joins"),
        ("circulant", "16", "circulant takes nodes, offsets..."),
        ("circulant", "16,0", "the circulant graph has 16 links from a node to itself"),
        ("random-regular", "3,5,1", "no random-regular graph of 3,5,1: "),
        ("small-world", "20,4,1.5,1", "p is 1.5: it should be 0 to 1"),
        ("small-world", "20,4,nan,1", "p is nan: it should be 0 to 1"),
        ("random", "20,5,1", "falls into"),
    ],
)
def test_arguments_that_make_no_network_are_refused(name, arguments, sentence):
    with pytest.raises(ParameterError) as refused:
        free_graph.counts(GraphParameters(graph=name, arguments=arguments), CATALOG)
    assert sentence in str(refused.value)


def test_a_name_that_is_not_in_the_table_is_refused():
    with pytest.raises(ParameterError, match="graph should be balanced-tree, "):
        GraphParameters(graph="read_gpickle")


# -- files -------------------------------------------------------------------------------------------------------------


def of_file(path, **fields):
    return GraphParameters(file=str(path), **fields)


def written(tmp_path, graph, name="a graph.graphml"):
    path = tmp_path / name
    nx.write_graphml(graph, path)
    return path


def test_a_graphml_file_comes_out_as_it_is_with_its_labels_as_names(tmp_path):
    graph = nx.Graph([("n1", "n2"), ("n2", "n3"), ("n3", "n1"), ("n3", "n4")])
    nx.set_node_attributes(graph, {"n1": "Oslo", "n2": "Bergen", "n3": "Tromsø", "n4": "Bodø"}, "label")
    parameters = of_file(written(tmp_path, graph), p=2)
    design = built(free_graph, parameters)
    assert [one.name for one in design.switches()] == ["router-Oslo", "router-Bergen", "router-Tromsø", "router-Bodø"]
    assert ports_in_order(design, "router-Tromsø")[2:] == ["router-Oslo", "router-Bergen", "router-Bodø"]
    assert free_graph.counts(parameters, CATALOG).links == {"server-router": 8, "router-router": 4}
    assert faultless(design)


def test_ids_name_the_routers_where_labels_do_not_tell_them_apart(tmp_path):
    graph = nx.Graph([("a", "b"), ("b", "c")])
    nx.set_node_attributes(graph, "same", "label")
    design = built(free_graph, of_file(written(tmp_path, graph)))
    assert [one.name for one in design.switches()] == ["router-a", "router-b", "router-c"]


def test_parallel_links_stay_and_both_directions_of_one_are_one(tmp_path):
    several = nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "c")])
    assert free_graph.counts(of_file(written(tmp_path, several)), CATALOG).links["router-router"] == 3
    directed = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
    path = written(tmp_path, directed, "directed.graphml")
    assert free_graph.counts(of_file(path), CATALOG).links["router-router"] == 2


def test_a_file_that_changed_is_read_again(tmp_path):
    path = written(tmp_path, nx.path_graph(5))
    assert free_graph.counts(of_file(path), CATALOG).switches["router"] == 5
    written(tmp_path, nx.path_graph(15))
    assert free_graph.counts(of_file(path), CATALOG).switches["router"] == 15


def test_a_file_that_changed_without_changing_its_size_is_read_again(tmp_path):
    path = written(tmp_path, nx.path_graph(5))
    os.utime(path, ns=(10**18, 10**18))
    size = path.stat().st_size
    assert graphs.from_file(path).degree == 2
    written(tmp_path, nx.star_graph(4))
    os.utime(path, ns=(10**18, 2 * 10**18))
    assert path.stat().st_size == size
    assert graphs.from_file(path).degree == 4


LOOP = '<node id="a"/><edge source="a" target="a"/>'
BOMB = """<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<graphml><graph edgedefault="undirected"><node id="&b;"/></graph></graphml>"""
ENTITY_ONLY = '<!ENTITY a "a"><graphml/>'
HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "is not GraphML that can be read"),
        (b"graph [ node [ id 1 ] ]", "is not GraphML that can be read"),
        (b"<graphml><graph>", "is not GraphML that can be read"),
        (b"\xff\xfe<\x00g\x00", "is not GraphML: its text is not UTF-8"),
        (BOMB.encode(), "declares entities or a document type"),
        (ENTITY_ONLY.encode(), "declares entities or a document type"),
        (f'{HEAD}<node id="a"/></graph></graphml>'.encode(), "has 1 node: a network takes two"),
        (f"{HEAD}{LOOP}</graph></graphml>".encode(), "1 link from a node to itself"),
        (f'{HEAD}<node id="a"/><node id="b"/></graph></graphml>'.encode(), "falls into 2 parts that no link joins"),
        (b"<!-- <node -->" + b"<node" * (MOST_DEVICES + 1), "are more than a design holds"),
        (b"<edge" * (MOST_LINKS + 1), "are more than a design holds"),
    ],
    ids=["empty", "gml", "cut off", "utf-16", "bomb", "entity", "one node", "loop", "parts", "nodes", "edges"],
)
def test_a_file_that_holds_no_network_is_refused_with_its_name(tmp_path, text, sentence):
    path = tmp_path / "odd.graphml"
    path.write_bytes(text)
    with pytest.raises(ParameterError, match=sentence) as refused:
        free_graph.counts(of_file(path), CATALOG)
    assert "odd.graphml" in str(refused.value) or "more than a design holds" in sentence


def test_what_is_no_ordinary_file_of_that_size_is_not_read(tmp_path, monkeypatch):
    for path, sentence in (
        (tmp_path / "none.graphml", "cannot be read: No such file or directory"),
        (tmp_path, "is not an ordinary file"),
        (tmp_path / "with\0nul", "cannot be read"),
    ):
        with pytest.raises(ParameterError, match=sentence):
            free_graph.counts(of_file(path), CATALOG)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ParameterError, match="is not an ordinary file"):
        free_graph.counts(of_file(pipe), CATALOG)
    monkeypatch.setattr(graphs, "MOST_BYTES", 100)
    with pytest.raises(ParameterError, match="more than 0 MB are not read"):
        free_graph.counts(of_file(written(tmp_path, nx.path_graph(9))), CATALOG)
