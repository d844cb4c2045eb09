"""InfraGraph: our own files come back equal, others as InfraGraph itself expands them, and harmful ones are refused."""

import json

import pytest
import yaml

from designer.catalog.catalog import load
from designer.exchange.exporters import BUILT_IN as EXPORTERS
from designer.exchange.importers import IMPORTERS, guess_importer
from designer.exchange.reading import infragraph
from designer.exchange.reading.building import propose
from designer.exchange.reading.found import HOST, SWITCH, ImportFailure
from designer.model.design import Design
from designer.topologies import rail_optimized

CATALOG = load()
WRITER = next(one for one in EXPORTERS if one.name == "infragraph")


@pytest.fixture(scope="module")
def pod():
    made = Design()
    wanted = rail_optimized.RailOptimizedParameters(servers=4, servers_per_su=2)
    made.apply(rail_optimized.build(made, wanted, CATALOG))
    return made


def ports_of(design):
    return {
        frozenset((design.device(end.device_id).name, end.port) for end in (link.a, link.b))
        for link in design.links.values()
    }


@pytest.fixture
def written(pod, tmp_path):
    path = tmp_path / "pod.yaml"
    WRITER.write(pod, path, {})
    return path


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_what_was_exported_comes_back_with_the_same_devices_and_the_same_ports(pod, written, suffix):
    path = written.with_suffix(suffix)
    if suffix == ".json":
        path.write_text(json.dumps(yaml.safe_load(written.read_text())))
    assert guess_importer(path).name == "infragraph"
    again = Design()
    again.apply(propose(infragraph.read(path), again, CATALOG).edit)
    assert {(one.name, one.type_id) for one in again.devices.values()} == {
        (one.name, one.type_id) for one in pod.devices.values()
    }
    assert ports_of(again) == ports_of(pod)


INSIDE = {"links": [{"name": "internal"}], "edges": []}
FABRIC = {
    "name": "hand-made",
    "devices": [
        INSIDE
        | {
            "name": "box",
            "components": [
                {"name": "gpu", "choice": "xpu", "count": 2},
                {"name": "eth", "choice": "nic", "count": 2},
                {"name": "cx7", "choice": "device", "count": 2},
            ],
        },
        INSIDE | {"name": "cx7", "components": [{"name": "jack", "choice": "port", "count": 2}]},
        INSIDE
        | {
            "name": "tor",
            "components": [
                {"name": "asic", "choice": "switch", "count": 1},
                {"name": "p", "choice": "port", "count": 8},
            ],
        },
    ],
    "links": [
        {"name": "fast", "physical": {"bandwidth": {"choice": "gigabytes_per_second", "gigabytes_per_second": 50}}}
    ],
    "instances": [{"name": "host", "device": "box", "count": 3}, {"name": "leaf", "device": "tor", "count": 1}],
    "edges": [],
}


def fabric(*edges, **more):
    return FABRIC | {"edges": [{"link": "fast", **edge} for edge in edges]} | more


def edge(one, other, scheme="one2one"):
    ends = ({"instance": name, "component": part} for name, part in (one, other))
    return dict(zip(("ep1", "ep2"), ends, strict=True), scheme=scheme)


def found(data, tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(data))
    return infragraph.read(path)


EDGES = {
    "single": edge(("host[0]", "eth[1]"), ("leaf[0]", "p[3]")),
    "all hosts in turn": edge(("host", "eth[0]"), ("leaf", "p[0:3]")),
    "a slice from the end": edge(("host[-1]", "eth[:]"), ("leaf[0]", "p[-2:]")),
    "steps": edge(("host[::2]", "eth[0]"), ("leaf[0]", "p[::4]")),
    "each with each": edge(("host[0:2]", "eth[1]"), ("leaf[0]", "p[4:6]"), "many2many"),
    "a device in a device": edge(("host[1]", "cx7[1].jack[0:2]"), ("leaf[0]", "p[6:8]")),
    "more of one than of the other": edge(("host", "eth"), ("leaf[0]", "p[0:2]")),
}


def expected(data):
    """The ends of each edge as InfraGraph's own service expands them, by the name and number that we give them."""
    service = pytest.importorskip("infragraph.infragraph_service", reason="infragraph is not installed")
    reader = service.InfraGraphService()
    reader.set_graph(json.dumps(data))
    counts = {one["name"]: one["count"] for one in data["instances"]}

    def end(node):
        name, index, *parts = node.split(".")
        words = [f"{word} {int(number) + 1}" for word, number in zip(parts[::2], parts[1::2], strict=True)]
        return (name if counts[name] == 1 else f"{name}-{int(index) + 1}"), " ".join(words)

    outside = [one for one in reader.get_networkx_graph().edges if one[0].split(".")[:2] != one[1].split(".")[:2]]
    return {frozenset(map(end, one)) for one in outside}


@pytest.mark.filterwarnings("ignore:Infrastructure has nodes that are not connected")
@pytest.mark.parametrize("kind", EDGES)
def test_edges_stand_for_the_links_that_infragraph_makes_of_them(kind, tmp_path):
    data = fabric(EDGES[kind])
    network = found(data, tmp_path)
    assert {frozenset(((one.a.node, one.a.port), (one.b.node, one.b.port))) for one in network.links} == expected(data)
    assert {one.rate_gbps for one in network.links} == {400.0}
    assert {one.kind for one in network.nodes if one.name.startswith("host")} == {HOST}
    assert next(one.kind for one in network.nodes if one.name == "leaf") == SWITCH


@pytest.mark.parametrize(
    "bad",
    [
        edge(("host[9]", "eth[0]"), ("leaf[0]", "p[0]")),
        edge(("nobody[0]", "eth[0]"), ("leaf[0]", "p[0]")),
        edge(("host[0]", "eth[5]"), ("leaf[0]", "p[0]")),
        edge(("host[0]", "gpu[0]"), ("leaf[0]", "p[0]")),
        edge(("host[0]", "eth[0:1:0]"), ("leaf[0]", "p[0]")),
        edge(("host[0]", "cx7[0]" + ".cx7[0]" * 50), ("leaf[0]", "p[0]")),
    ],
)
def test_an_edge_that_leads_nowhere_is_listed_and_the_others_are_read(bad, tmp_path):
    network = found(fabric(bad, EDGES["single"]), tmp_path)
    assert (len(network.links), len(network.unread)) == (1, 1)
    assert network.unread[0].sentence.startswith("an edge leads to ")


@pytest.mark.parametrize(
    "data",
    [
        fabric(instances=[{"name": "host", "device": "box", "count": 10**10}]),
        fabric(
            edge(("host", "eth"), ("leaf", "p"), "many2many"),
            devices=[
                {"name": "box", "components": [{"name": "eth", "choice": "nic", "count": 10**10}]},
                {"name": "tor", "components": [{"name": "p", "choice": "port", "count": 10**10}]},
            ],
        ),
        {"devices": {}, "instances": []},
        [],
    ],
)
def test_what_stands_for_more_than_any_fabric_or_for_none_is_refused(data, tmp_path):
    with pytest.raises(ImportFailure):
        found(data, tmp_path)


def test_it_is_a_row_of_the_importers():
    assert IMPORTERS.named("infragraph").group == "Graphs and diagrams"
