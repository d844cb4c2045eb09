"""Graphs and drawings as networks: exports come back equal, and what people and libraries draw is read."""

import base64
import io
import zlib
from collections import Counter
from dataclasses import replace
from urllib.parse import quote
from xml.sax.saxutils import escape

import networkx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designer.analysis.survey import survey
from designer.catalog.catalog import load
from designer.exchange.exporters import BUILT_IN as EXPORTERS
from designer.exchange.graphs.reading.rows import IMPORTERS
from designer.exchange.reading.building import propose
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd
from designer.exchange.reading.texts import clean
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.limits import GROUP_DEPTH_MOST
from designer.topologies import dragonfly, fat_tree, hyperx, networks, rail_optimized, torus

CATALOG = load()
EXPORTER = {one.name: one for one in EXPORTERS}
READER = {one.name: one.found for one in IMPORTERS}
READ_AS = {"drawio": "drawio", "graphml": "graphml", "graphml-yed": "graphml", "gexf": "gexf", "dot": "dot"}
ALL = {"drawio": {"links": "all"}}
"""Options with which a format carries every fact of a link."""
BUNDLED = (("drawio", {}), ("graphml-yed", {"links": "bundles"}), ("dot", {"links": "bundles"}))


def rails():
    made = Design()
    wanted = {"switch": "nvidia-sn5600", "server": "dgx-h100", "servers": 4, "servers_per_su": 2}
    made.apply(rail_optimized.build(made, rail_optimized.RailOptimizedParameters(**wanted), CATALOG))
    parameters = networks.NetworkParameters(storage_switch="nvidia-sn5600", oob_switch="nvidia-sn2201")
    made.apply(networks.build(made, parameters, CATALOG))
    return made


def of(module, parameters):
    made = Design()
    made.apply(module.build(made, parameters, CATALOG))
    return made


FAMILIES = {
    "rails": rails,
    "fat-tree": lambda: of(fat_tree, fat_tree.FatTreeParameters(switch="nvidia-qm9700", server="dgx-h100", servers=6)),
    "torus": lambda: of(torus, torus.TorusParameters(dims=(3, 4))),
    "dragonfly": lambda: of(dragonfly, dragonfly.DragonflyParameters(a=2, h=1, p=1)),
    "hyperx": lambda: of(hyperx, hyperx.HyperXParameters(dims=(3, 3))),
}


@pytest.fixture(scope="module", params=FAMILIES)
def fabric(request):
    return FAMILIES[request.param]()


@pytest.fixture(scope="module")
def pod():
    return rails()


def again(design, name, folder, **options):
    exporter = EXPORTER[name]
    path = folder / f"graph{exporter.suffix}"
    exporter.write(design, path, {**ALL.get(name, {}), **options})
    return READER[READ_AS.get(name, "dot")](path)


def nodes_of(design):
    found = set()
    for device in design.devices.values():
        place, is_switch = design.placements[device.id], design.is_switch(device.id)
        rack = design.racks[place.rack_id].name if place.rack_id else ""
        kind = SWITCH if is_switch else HOST
        at = round(place.x, 1), round(place.y, 1)
        found.add((clean(device.name), kind, device.type_id, device.role if is_switch else "", rack, place.unit, *at))
    return found


def path_of(design, group_id):
    names = []
    while group_id is not None:
        names.insert(0, design.groups[group_id].name)
        group_id = design.groups[group_id].parent_id
    return tuple(names)


def places_of(design):
    """Where devices and racks belong, and what links run over."""
    devices = {
        one.name: (one.rail, one.plane, one.unit, path_of(design, one.group_id)) for one in design.devices.values()
    }
    racks = {one.name: path_of(design, one.group_id) for one in design.racks.values()}
    return devices, racks, Counter(one.medium_id for one in design.links.values())


def links_of(design):
    found = Counter()
    for run in survey(design).runs:
        link = run.link
        ends = ((clean(design.device(one.device_id).name), one.port) for one in (link.a, link.b))
        cable = f"C{link.cable:04}" if link.cable else ""
        facts = run.capacity_gbps, link.medium_id, link.length_m, clean(link.label), run.network, cable
        found[*ends, *facts] += 1
    return found


def as_links(network):
    return Counter(
        (
            (one.a.node, one.a.port),
            (one.b.node, one.b.port),
            one.rate_gbps,
            one.medium,
            one.length_m,
            one.label,
            one.network,
            one.cable,
        )
        for one in network.links
    )


def wires(links):
    return Counter(tuple(sorted(one[:2])) for one in links.elements())


@pytest.mark.parametrize("name", READ_AS)
def test_an_export_is_read_back_with_every_fact(fabric, name, tmp_path):
    network = again(fabric, name, tmp_path)
    assert not network.guesses and not network.unread
    found = {
        (one.name, one.kind, one.model, one.role, one.rack, one.unit, round(one.x, 1), round(one.y, 1))
        for one in network.nodes
    }
    assert found == nodes_of(fabric)
    assert as_links(network) == links_of(fabric)


@pytest.mark.parametrize(("name", "options"), BUNDLED)
def test_bundles_are_read_back_link_by_link(fabric, name, options, tmp_path):
    network = again(fabric, name, tmp_path, **{"links": "bundles", **options})
    ours, theirs = (
        Counter((*sorted(one[:2]), *one[2:]) for one in of.elements()) for of in (links_of(fabric), as_links(network))
    )
    assert theirs == ours
    assert not network.unread


@pytest.mark.parametrize("name", ["dot-ptm", "dot-cvt"])
def test_topologies_of_tools_are_read_back_port_by_port(pod, name, tmp_path):
    network = again(pod, name, tmp_path)
    assert wires(as_links(network)) == wires(links_of(pod))
    if name == "dot-cvt":
        roles = {one.name: one.role for one in network.nodes}
        assert (roles["leaf-su1-r1"], roles["gpu-01"]) == ("leaf", "")


def design_facts(design):
    """What a design is, whatever its ids are."""
    names = {device.id: device.name for device in design.devices.values()}
    links = Counter(
        (
            *sorted(((names[one.a.device_id], one.a.port), (names[one.b.device_id], one.b.port))),
            one.length_m,
            one.label,
            one.cable,
        )
        for one in design.links.values()
    )
    devices = {(one.name, one.type_id, one.role, one.port_mode) for one in design.devices.values()}
    ports = {names[one]: {port.name for port in design.ports(one)} for one in design.devices}
    places = {
        (names[one.id], round(one.x), round(one.y), one.unit) for one in design.placements.values() if one.id in names
    }
    return links, devices, ports, places


@pytest.mark.parametrize("name", READ_AS)
def test_the_imported_design_equals_the_exported_one(pod, name, tmp_path):
    made = Design()
    proposal = propose(again(pod, name, tmp_path), made, CATALOG)
    made.apply(proposal.edit)
    assert {row.reason for row in proposal.rows} == {"the model that the file states"}
    ours, theirs = design_facts(pod), design_facts(made)
    assert theirs[0] == ours[0]
    assert {one[:3] for one in theirs[1]} == {one[:3] for one in ours[1]}
    assert theirs[2].keys() == ours[2].keys()
    assert theirs[3] == ours[3]
    assert not proposal.unread


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Co", "Cn", "Zl", "Zp")), min_size=1, max_size=30
).filter(lambda text: clean(text) == text and not text.startswith("_"))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAMES, min_size=1, max_size=6, unique_by=str.casefold), label=NAMES)
@pytest.mark.parametrize("name", READ_AS)
def test_any_names_and_labels_come_back(pod, name, names, label, tmp_path):
    renamed = pod.snapshot()
    devices, link = list(pod.devices.values()), next(iter(pod.links.values()))
    changes = [Change(one, replace(one, name=new)) for one, new in zip(devices, names, strict=False)]
    renamed.apply(Edit("rename", (*changes, Change(link, replace(link, label=label)))))
    network = again(renamed, name, tmp_path)
    assert as_links(network) == links_of(renamed)


# -- what others write --------------------------------------------------------------------------------------------


def reading(name, text, folder, suffix="txt"):
    path = folder / f"given.{suffix}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return READER[name](path)


def test_a_graph_of_networkx_without_ports_has_numbered_ones(tmp_path):
    graph = networkx.Graph()
    graph.add_node("leaf-1", role="leaf")
    graph.add_edge("leaf-1", "gpu-1", speed="400G")
    graph.add_edge("leaf-1", "gpu-2", speed="400G")
    for name, write in (("graphml", networkx.write_graphml), ("gexf", networkx.write_gexf)):
        file = io.BytesIO()
        write(graph, file)
        network = reading(name, file.getvalue(), tmp_path)
        assert [(one.a.port, one.b.port, one.rate_gbps) for one in network.links] == [("1", "1", 400), ("2", "1", 400)]
        assert [one.sentence for one in network.guesses] == [
            "4 ends of links name no port: they are numbered in the order of the file"
        ]
        assert {one.name: one.kind for one in network.nodes}["leaf-1"] == SWITCH


def test_numbers_given_to_ports_are_none_that_the_file_names(tmp_path):
    text = 'graph { a -- b [taillabel="1" headlabel="x"]; a -- b; a:2 -- b:1 }'
    network = reading("dot", text, tmp_path)
    assert [(one.a.port, one.b.port) for one in network.links] == [("1", "x"), ("3", "2"), ("2", "1")]


def test_groups_of_yed_are_opened_and_labels_at_ends_are_ports(tmp_path):
    text = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
      <key id="d1" for="node" yfiles.type="nodegraphics"/><key id="d2" for="edge" yfiles.type="edgegraphics"/>
      <graph id="G" edgedefault="directed"><node id="g" yfiles.foldertype="group"><graph id="g:">
      <node id="g::a"><data key="d1"><y:ShapeNode><y:Geometry x="10" y="20" width="40" height="30"/>
        <y:NodeLabel>leaf-1</y:NodeLabel></y:ShapeNode></data></node></graph></node>
      <node id="b"><data key="d1"><y:ImageNode><y:NodeLabel>gpu-1
        second line</y:NodeLabel></y:ImageNode></data></node>
      <edge source="g::a" target="b"><data key="d2"><y:PolyLineEdge>
        <y:EdgeLabel modelPosition="shead">swp1</y:EdgeLabel><y:EdgeLabel modelPosition="ttail">rail1</y:EdgeLabel>
        <y:EdgeLabel modelPosition="center">400G</y:EdgeLabel></y:PolyLineEdge></data></edge></graph></graphml>"""
    network = reading("graphml", text, tmp_path)
    assert [(one.name, one.x, one.y) for one in network.nodes] == [("leaf-1", 30.0, 35.0), ("gpu-1", None, None)]
    (link,) = network.links
    assert (link.a, link.b) == (FoundEnd("leaf-1", "swp1"), FoundEnd("gpu-1", "rail1"))
    assert [one.spot.row for one in network.guesses] == [3]


def test_dot_is_read_with_chains_subgraphs_defaults_and_comments(tmp_path):
    text = """strict graph "g" { // a comment
      # another
      rankdir=LR; node [role=leaf]; "l1" [label=<<b>no</b>>]; l2
      subgraph cluster_x { node [role=spine] s1; s2; label="spines" }
      /* links */ {l1 l2} -- {s1 s2} [speed="1.6T"];
      edge [length_m=2.5]
      h1:eth0:n -- l1:swp1 -- h2:n
      "a" + "b" -- l2
    }"""
    network = reading("dot", text, tmp_path)
    assert {one.name: one.role for one in network.nodes} == {
        **dict.fromkeys(("l1", "l2"), "leaf"),
        **dict.fromkeys(("s1", "s2"), "spine"),
        **dict.fromkeys(("h1", "h2", "ab"), "leaf"),
    }
    pairs = [(one.a.node, one.b.node, one.rate_gbps, one.length_m) for one in network.links]
    assert pairs == [
        *((a, b, 1600, None) for a in ("l1", "l2") for b in ("s1", "s2")),
        ("h1", "l1", None, 2.5),
        ("l1", "h2", None, 2.5),
        ("ab", "l2", None, 2.5),
    ]
    assert [one.a.port for one in network.links][4:6] == ["eth0", "swp1"]


def page(cells, name="Page-1"):
    return f'<diagram name="{name}" id="p"><mxGraphModel><root>{LAYERS}{cells}</root></mxGraphModel></diagram>'


LAYERS = '<mxCell id="0"/><mxCell id="1" parent="0"/>'
DEVICE = (
    '<mxCell id="{}" value="{}" vertex="1" parent="{}" style="{}">'
    '<mxGeometry x="{}" y="{}" width="80" height="40"/></mxCell>'
)


def device(id, label, parent="1", style="rounded=1", x=0, y=0):
    return DEVICE.format(id, escape(label, {'"': "&quot;"}), parent, style, x, y)


def line(id, a, z, inside=""):
    return (
        f'<mxCell id="{id}" edge="1" parent="1" source="{a}" target="{z}"><mxGeometry relative="1"/></mxCell>{inside}'
    )


def end_label(id, of, text, x):
    return (
        f'<mxCell id="{id}" value="{text}" style="edgeLabel" vertex="1" connectable="0" parent="{of}">'
        f'<mxGeometry x="{x}" relative="1"/></mxCell>'
    )


DRAWN = (
    device("a", "<div><b>leaf-1</b></div><i>SN5600</i>", style="shape=mxgraph.cisco.switches.l3;html=1", x=100, y=50)
    + device("box", "Rack", style="swimlane", x=200, y=100)
    + device("b", "gpu &amp; 1", parent="box", style="shape=mxgraph.office.servers.server", x=10, y=20)
    + '<mxCell id="p" value="swp7" vertex="1" parent="a"><mxGeometry x="1" y="0.5" width="8" height="8" relative="1"/>'
    "</mxCell>"
    + device("n", "a note that nobody is linked to")
    + line("e", "p", "b", end_label("t", "e", "rail3", 0.8))
    + line("f", "a", "b", end_label("u", "f", "swp8", -0.7) + end_label("v", "f", "400G", 0))
    + line("g", "a", "nowhere")
)


@pytest.mark.parametrize("packed", [False, True])
def test_a_drawing_by_hand_is_read_with_ports_as_shapes_and_labels(packed, tmp_path):
    text = f"<mxfile>{page(DRAWN)}</mxfile>"
    if packed:
        model = text[text.index("<mxGraphModel") : text.index("</diagram>")]
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        data = packer.compress(quote(model).encode()) + packer.flush()
        text = f'<mxfile><diagram name="Page-1" id="p">{base64.b64encode(data).decode()}</diagram></mxfile>'
    network = reading("drawio", text, tmp_path)
    assert [(one.name, one.kind, one.x, one.y) for one in network.nodes] == [
        ("leaf-1", SWITCH, 140.0, 70.0),
        ("gpu & 1", HOST, 250.0, 140.0),
    ]
    assert [(one.a.port, one.b.port) for one in network.links] == [("swp7", "rail3"), ("swp8", "1")]
    assert [one.sentence for one in network.unread] == ["line g ends at no shape"]
    assert network.unread[0].spot.text.endswith("sheet Page-1")
    assert any("1 shape that no line ends at" in one.sentence for one in network.guesses)


def test_pages_have_ids_of_their_own(tmp_path):
    first = page(device("a", "one") + device("b", "two") + line("e", "a", "b"))
    second = page(device("a", "three") + device("b", "four") + line("e", "a", "b"), "Page-2")
    network = reading("drawio", f"<mxfile>{first}{second}</mxfile>", tmp_path)
    assert [(one.a.node, one.b.node) for one in network.links] == [("one", "two"), ("three", "four")]


@pytest.mark.parametrize("name", READ_AS)
def test_rails_planes_units_groups_and_cables_come_back(fabric, name, tmp_path):
    made = Design()
    proposal = propose(again(fabric, name, tmp_path), made, CATALOG)
    made.apply(proposal.edit)
    assert places_of(made) == places_of(fabric)
    assert made.types.keys() == fabric.types.keys()
    assert bool(made.groups) == any("without a kind" in one.sentence for one in proposal.left_open)


def test_what_others_call_rail_plane_and_path_is_passed_over_where_it_is_none(tmp_path):
    deep = " / ".join(f"g{one}" for one in range(100))
    graph = networkx.Graph()
    graph.add_node("a", rail="-1", plane="left", scalable_unit="2.5", group_path="  ")
    graph.add_node("b", rail="3", plane="99999999999", scalable_unit="²", group_path=deep)
    graph.add_node("c", rail="7", plane="2", scalable_unit="4", group_path="fabric / unit 4")
    graph.add_edge("a", "b", a_port="1", z_port="1", medium="straw", length_m="2")
    path = tmp_path / "graph.graphml"
    networkx.write_graphml(graph, path)
    design = Design()
    proposal = propose(READER["graphml"](path), design, CATALOG)
    design.apply(proposal.edit)
    found = {
        one.name: (one.rail, one.plane, one.unit, path_of(design, one.group_id)) for one in design.devices.values()
    }
    assert found["a"] == (None, None, None, ()) and found["c"] == (7, 2, 4, ("fabric", "unit 4"))
    assert found["b"][:3] == (3, None, None) and len(found["b"][3]) == GROUP_DEPTH_MOST
    assert [one.sentence for one in proposal.left_open if "cable or optic" in one.sentence] == [
        "1 link without cable or optic, since the catalog does not have what the file names: straw"
    ]
