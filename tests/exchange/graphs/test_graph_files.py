"""Graphs for other programs: every device and link with its facts, whatever they are called, the same each time."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import networkx
import pytest

from designer.analysis.part_names import model_name
from designer.analysis.survey import survey
from designer.catalog.catalog import load
from designer.errors import ExportError
from designer.exchange.exporter import GRAPHS
from designer.exchange.exporters import BUILT_IN
from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawio import drawio_text
from designer.exchange.graphs.drawn import bundles
from designer.exchange.graphs.facts import listed
from designer.exchange.graphs.link_runs import read_line
from designer.exchange.graphs.options import DrawioOptions
from designer.exchange.graphs.port_labels import READABLE, port_labels
from designer.exchange.graphs.reading import read_drawio
from designer.model import operations
from designer.model.annotating import annotate
from designer.model.bending import bend_links
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Placement
from designer.model.looks import label_links
from designer.topologies import networks, rail_optimized, torus

CATALOG = load()
EXPORTER = {one.name: one for one in BUILT_IN if one.group == GRAPHS}
HOSTILE = ('a"b\\', "<b>&amp;'", "  blanks  ", "=SUM(A1)", "back\\", "a -- b:c; }", "]]>", "a\\nb", "%name%")


def built(**more):
    made = Design()
    wanted = {"switch": "nvidia-sn5600", "server": "dgx-h100", "servers": 4, "servers_per_su": 2, **more}
    made.apply(rail_optimized.build(made, rail_optimized.RailOptimizedParameters(**wanted), CATALOG))
    return made


@pytest.fixture(scope="module")
def pod():
    made = built()
    parameters = networks.NetworkParameters(storage_switch="nvidia-sn5600", oob_switch="nvidia-sn2201")
    made.apply(networks.build(made, parameters, CATALOG))
    return made


def changed(design, *pairs):
    made = design.snapshot()
    made.apply(Edit("change", tuple(Change(before, after) for before, after in pairs)))
    return made


def renamed(design, *names):
    devices = list(design.devices.values())
    return changed(design, *((one, replace(one, name=name)) for one, name in zip(devices, names, strict=False)))


def written(design, name, folder, **options):
    exporter = EXPORTER[name]
    path = folder / f"graph{exporter.suffix}"
    exporter.write(design, path, options)
    return path


def wired(design):
    """Ours: names and ports of every link, and how fast it is."""
    runs = survey(design).runs
    return Counter(
        (*sorted((design.device(end.device_id).name, end.port) for end in (run.low, run.high)), run.capacity_gbps)
        for run in runs
    )


def read_back(graph, name):
    """The same of a graph that networkx has read; `name` is what nodes call theirs."""
    return Counter(
        (
            *sorted(((graph.nodes[a][name], facts["a_port"]), (graph.nodes[z][name], facts["z_port"]))),
            facts["rate_gbps"],
        )
        for a, z, facts in graph.edges(data=True)
    )


def as_directed(path):
    """The file with directed edges: of undirected ones networkx forgets which end was the source."""
    path.write_text(path.read_text().replace('="undirected"', '="directed"'))
    return path


@pytest.mark.parametrize("name", ["graphml", "graphml-yed", "gexf"])
def test_networkx_reads_every_link_with_its_ports_and_rate(pod, name, tmp_path):
    path = as_directed(written(pod, name, tmp_path))
    graph = networkx.read_gexf(path) if name == "gexf" else networkx.read_graphml(path)
    assert read_back(graph, "label" if name == "gexf" else "name") == wired(pod)
    assert len(graph) == len(pod.devices)
    server = next(facts for _, facts in graph.nodes(data=True) if facts["kind"] == "server")
    assert (server["type"], server["model"]) == ("dgx-h100", "DGX H100")
    assert isinstance(server["unit"], int) and server["rack"]


def test_places_and_facts_are_those_of_the_design(pod, tmp_path):
    graph = networkx.read_graphml(written(pod, "graphml", tmp_path))
    for device_id, facts in graph.nodes(data=True):
        place = pod.placements[device_id]
        assert (facts["x"], facts["y"]) == pytest.approx((place.x, place.y), abs=1e-6)
    plot = networkx.read_gexf(written(pod, "gexf", tmp_path))
    for device_id, facts in plot.nodes(data=True):
        place, at = pod.placements[device_id], facts["viz"]["position"]
        assert (at["x"], at["y"]) == pytest.approx((place.x, -place.y), abs=0.01)


@pytest.mark.parametrize("name", sorted(EXPORTER.keys() - {"dxf"}))
def test_the_same_design_gives_the_same_bytes(pod, name, tmp_path):
    first = written(pod, name, tmp_path).read_bytes()
    assert first == written(pod.snapshot(), name, tmp_path).read_bytes()
    assert first.endswith(b"\n") and b"\r" not in first


@pytest.mark.parametrize("name", sorted(EXPORTER.keys() - {"dxf"}))
def test_an_empty_design_is_refused_with_a_sentence(name, tmp_path):
    with pytest.raises(ExportError, match=r"there is nothing to draw|there is no Ethernet link"):
        written(Design(), name, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["graphml", "graphml-yed", "gexf"])
def test_names_of_any_letters_are_read_back_and_never_markup(pod, name, tmp_path):
    hostile = renamed(pod, *HOSTILE)
    path = as_directed(written(hostile, name, tmp_path))
    graph = networkx.read_gexf(path) if name == "gexf" else networkx.read_graphml(path)
    assert read_back(graph, "label" if name == "gexf" else "name") == wired(hostile)


def test_what_xml_cannot_hold_is_replaced(pod, tmp_path):
    odd = renamed(pod, "a\ufffeb\uffff")
    for name in ("graphml", "graphml-yed", "gexf", "drawio"):
        assert "a\ufffdb\ufffd" in "".join(
            text
            for one in ET.parse(written(odd, name, tmp_path)).iter()
            for text in (one.text or "", *one.attrib.values())
        )


def test_devices_of_one_name_stay_apart(pod):
    twins = renamed(pod, "twin", "twin", "twin_2", "")
    names = [one.name for one in drawn(twins).boxes]
    assert len(set(names)) == len(names)
    assert names[:4] == ["twin", "twin_2", "twin_2_2", list(twins.devices)[3]]


def test_devices_without_a_place_stand_below_the_others_and_have_none_in_graphs(pod, tmp_path):
    placements = [one for one in pod.placements.values() if one.id in list(pod.devices)[:3]]
    bare = changed(pod, *((one, None) for one in placements))
    made = drawn(bare)
    lost = [one for one in made.boxes if not one.is_placed]
    assert len(lost) == 3
    assert min(one.y for one in lost) > max(one.y for one in made.boxes if one.is_placed)
    graph = networkx.read_graphml(written(bare, "graphml", tmp_path))
    assert sum("x" not in facts for _, facts in graph.nodes(data=True)) == 3
    assert not isinstance(bare.placements.get(lost[0].id), Placement)


def test_one_network_has_its_links_alone(pod, tmp_path):
    graph = networkx.read_graphml(written(pod, "graphml", tmp_path, networks="storage"))
    wanted = sum(run.network == "storage" for run in survey(pod).runs)
    assert graph.number_of_edges() == wanted > 0
    assert {facts["network"] for *_, facts in graph.edges(data=True)} == {"storage"}
    assert "leaf-su1-r1" not in {facts["name"] for _, facts in graph.nodes(data=True)}


def test_bundles_hold_every_link_once_from_the_same_end(pod):
    made = drawn(pod)
    some = bundles(made.edges)
    assert sorted(edge.id for one in some for edge in one.edges) == sorted(edge.id for edge in made.edges)
    assert any(len(one.edges) > 1 for one in some)
    for one in some:
        assert {(edge.a, edge.z, edge.network) for edge in one.edges} == {(one.first.a, one.first.z, one.first.network)}
        for edge in one.edges:
            link = pod.links[edge.id]
            assert {(made.boxes[edge.a].id, edge.a_port), (made.boxes[edge.z].id, edge.z_port)} == {
                (link.a.device_id, link.a.port),
                (link.b.device_id, link.b.port),
            }


def test_a_link_drawn_the_other_way_round_is_in_the_bundle_of_the_others(pod):
    before = bundles(drawn(pod).edges)
    many = next(one for one in before if len(one.edges) > 1)
    link = pod.links[many.edges[1].id]
    after = bundles(drawn(changed(pod, (link, replace(link, a=link.b, b=link.a)))).edges)
    assert [listed(one.edges) for one in after] == [listed(one.edges) for one in before]


def test_ports_are_attributes_of_graphml_where_its_schema_allows_their_names(tmp_path):
    words = ET.parse(written(built(), "graphml", tmp_path)).iter("{http://graphml.graphdrawing.org/xmlns}edge")
    assert all(one.get("sourceport") and one.get("targetport") for one in words)
    slashes = ET.parse(written(built(switch="nvidia-qm9700"), "graphml", tmp_path))
    ports = [one.get("targetport") for one in slashes.iter("{http://graphml.graphdrawing.org/xmlns}edge")]
    assert ports and not any(ports)


def test_links_run_from_the_edge_of_one_box_to_that_of_the_other():
    ring = Design()
    ring.apply(torus.build(ring, torus.TorusParameters(dims=(4, 4)), CATALOG))
    for made in (drawn(ring), drawn(built(servers=8))):
        assert max(len(one.points) for one in made.edges) > 1
        for edge in made.edges:
            for place, (x, y) in ((edge.a, edge.points[0]), (edge.z, edge.points[-1])):
                box = made.boxes[place]
                off = abs(x - box.x) / box.width, abs(y - box.y) / box.height
                assert max(off) == pytest.approx(0.5, abs=1e-3)


def test_labels_of_ports_stand_outside_of_boxes_and_small_ones_apart(pod):
    made = drawn(pod)
    ends = [(one, one.a_port, one.z_port) for one in made.edges]
    for can_turn in (True, False):
        for edge, both in zip(made.edges, port_labels(made, ends, can_turn=can_turn), strict=True):
            for place, label in zip((edge.a, edge.z), both, strict=True):
                box = made.boxes[place]
                assert abs(label.x - box.x) > box.width / 2 or abs(label.y - box.y) > box.height / 2
                assert can_turn or label.turn == 0


# -- DOT --------------------------------------------------------------------------------------------------------------


def test_ptm_lists_every_ethernet_link_port_by_port(pod, tmp_path):
    lines = written(pod, "dot-ptm", tmp_path).read_text().splitlines()
    pairs = [re.fullmatch(r'  "(.+)":"(.+)" -- "(.+)":"(.+)"', line).groups() for line in lines[1:-1]]
    assert Counter(tuple(sorted((one[:2], one[2:]))) for one in pairs) == Counter(
        one[:2] for one in wired(pod).elements()
    )
    assert (lines[0], lines[-1]) == ("graph fabric {", "}")


def test_cvt_names_the_roles_that_the_tool_knows(pod, tmp_path):
    text = written(pod, "dot-cvt", tmp_path, os="cumulus").read_text()
    assert '"leaf-su1-r1" [ label="leaf-su1-r1" role="leaf" os="cumulus" ]' in text
    assert 'role="spine" os="cumulus"' in text
    assert 'gpu-01" [' not in text and '"gpu-01":"' in text
    assert "os=" not in written(pod, "dot-cvt", tmp_path).read_text()


@pytest.mark.parametrize("name", ["dot-ptm", "dot-cvt"])
def test_a_fabric_without_ethernet_is_refused(name, tmp_path):
    with pytest.raises(ExportError, match="there is no Ethernet link to write"):
        written(built(switch="nvidia-qm9700"), name, tmp_path)


# -- draw.io ----------------------------------------------------------------------------------------------------------


def cells(path):
    """The cells of the page by id: (cell, facts)."""
    root = ET.parse(path).find("./diagram/mxGraphModel/root")
    found = {}
    for one in root:
        cell = one if one.tag == "mxCell" else one.find("mxCell")
        assert one.get("id") not in found
        found[one.get("id")] = cell, (dict(one.attrib) if one.tag == "object" else {})
    return found


def style_of(cell):
    return dict(part.split("=") for part in cell.get("style").split(";") if "=" in part)


def test_the_page_has_a_layer_for_each_network_and_one_for_ports(pod, tmp_path):
    found = cells(written(pod, "drawio", tmp_path))
    layers = {key: cell.get("value") for key, (cell, _) in found.items() if cell.get("parent") == "0"}
    assert [layers[one] for one in layers] == [
        "Groups",
        "Compute",
        "Storage",
        "Out-of-band management",
        "Servers",
        "Links of tiers",
        "Port labels",
        "Heading",
    ]
    plates = {key for key, (cell, _) in found.items() if cell.get("parent") == "layer-tier-notes"}
    assert all(cell.get("parent") in {*layers, *plates, "0"} for key, (cell, _) in found.items() if key != "0")
    for _, (cell, facts) in found.items():
        if cell.get("edge") == "1":
            assert cell.get("parent") == f"layer-{facts['network']}"
            assert {cell.get("source"), cell.get("target")} <= found.keys()
    assert ET.parse(written(pod, "drawio", tmp_path)).find("./diagram").get("id")


@pytest.mark.parametrize("links", ["all", "bundles"])
def test_drawn_links_touch_boxes_where_those_of_the_canvas_do(pod, links, tmp_path):
    found = cells(written(pod, "drawio", tmp_path, links=links))
    made = drawn(pod)
    ways = {f"link-{one.id}": one.points for one in made.edges}
    if links == "bundles":
        ways = {f"link-{one.first.id}": one.points for one in bundles(made.edges)}
    edges = {key: cell for key, (cell, _) in found.items() if cell.get("edge") == "1"}
    assert edges.keys() == ways.keys()
    for key, cell in edges.items():
        style, points = style_of(cell), ways[key]
        for end, side, point in (("source", "exit", points[0]), ("target", "entry", points[-1])):
            box = found[cell.get(end)][0].find("mxGeometry")
            x, y, width, height = (float(box.get(name)) for name in ("x", "y", "width", "height"))
            at = x + float(style[f"{side}X"]) * width, y + float(style[f"{side}Y"]) * height
            assert at == pytest.approx(point, abs=0.05)
        bends = [(float(one.get("x")), float(one.get("y"))) for one in cell.iter("mxPoint")]
        assert len(bends) == len(points) - 2
        assert all(one == pytest.approx(other, abs=0.01) for one, other in zip(bends, points[1:-1], strict=True))


def test_bundles_have_a_count_and_the_ports_of_all_their_links(pod, tmp_path):
    found = cells(written(pod, "drawio", tmp_path))
    counted = [facts for cell, facts in found.values() if cell.get("edge") == "1" and "count" in facts]
    assert counted
    for facts in counted:
        listed_links = [link for one in facts["links"].split("\n") for link in read_line(one)]
        assert len(listed_links) == int(facts["count"]) > 1
        assert facts["label"] == "" or facts["label"].startswith(f"{facts['count']} × ")


def test_titles_of_tiers_stand_above_their_switches_in_a_layer_of_their_own(tmp_path):
    found = cells(written(built(servers=64, servers_per_su=32), "drawio", tmp_path))
    cell, _ = found["tier-1"]
    assert re.fullmatch(r"\d+ spines   SN5600 · \d+ × \w+ to 16 leaf switches", cell.get("value"))
    assert cell.get("parent") == "layer-tiers" in found and cell.get("style").startswith("text;")
    spines = [one.find("mxGeometry") for one, facts in found.values() if facts.get("role") == "spine"]
    left, top, height = (float(cell.find("mxGeometry").get(name)) for name in ("x", "y", "height"))
    assert left == min(float(one.get("x")) for one in spines)
    assert top + height < min(float(one.get("y")) for one in spines)


def test_port_labels_can_be_hidden_or_left_out(pod, tmp_path):
    def layer(**options):
        return cells(written(pod, "drawio", tmp_path, **options)).get("layer-ports", (None,))[0]

    assert layer().get("visible") is None
    assert layer(**{"port-labels": "hidden"}).get("visible") == "0"
    assert layer(**{"port-labels": "none"}) is None


def test_a_link_names_its_part_and_port_labels_too_small_to_read_are_left_out(pod, tmp_path):
    design = pod.snapshot()
    link = next(iter(design.links.values()))
    design.apply(operations.set_cable(design, [link.id], CATALOG.get("tr-800-2sr4"), 5.0))
    found = cells(written(design, "drawio", tmp_path))
    (facts,) = (facts for _, facts in found.values() if facts.get("medium") == "tr-800-2sr4")
    assert facts["part"] == model_name(CATALOG.get("tr-800-2sr4")) != facts["medium"]
    crowded = built(servers=32, servers_per_su=32)
    made = drawn(crowded)
    ends = [(edge, edge.a_port, edge.z_port) for edge in made.edges]
    small = [label for both in port_labels(made, ends, can_turn=True) for label in both if label.size < READABLE]
    assert small
    for one in (design, crowded):
        shown = cells(written(one, "drawio", tmp_path)).items()
        styles = [cell.get("style") for key, (cell, _) in shown if key.startswith("port-")]
        assert all(float(re.search(r"fontSize=([0-9.]+)", style)[1]) >= READABLE for style in styles)
        assert styles or one is crowded


def test_no_name_is_markup_in_draw_io(pod, tmp_path):
    found = cells(written(renamed(pod, *HOSTILE), "drawio", tmp_path))
    assert {facts.get("name") for _, facts in found.values()} >= {*HOSTILE}
    styles = [cell.get("style") for cell, _ in found.values() if cell.get("style")]
    assert all("html=0" in one for one in styles)


def test_colors_are_those_of_the_canvas_in_either_theme(pod, tmp_path):
    for theme in ("light", "dark"):
        made = drawn(pod, theme=theme)
        found = cells(written(pod, "drawio", tmp_path, theme=theme, links="all"))
        for one in made.edges:
            assert style_of(found[f"link-{one.id}"][0])["strokeColor"] == one.colour
        assert len({one.colour for one in made.edges}) >= 3
    assert {one.colour for one in drawn(pod).edges} != {one.colour for one in made.edges}


def test_a_drawing_by_hand_needs_no_group_and_no_link(tmp_path):
    made = Design()
    made.apply(operations.add_device(made, CATALOG.get("nvidia-sn5600"), 10.0, 20.0, catalog_types={}))
    found = cells(written(made, "drawio", tmp_path))
    boxes = [cell.find("mxGeometry").attrib for cell, facts in found.values() if "type" in facts]
    assert [(float(one["x"]) + float(one["width"]) / 2, float(one["y"]) + 22) for one in boxes] == [(10.0, 20.0)]


def test_lines_in_draw_io_bear_the_labels_that_the_canvas_has(pod, tmp_path):
    shown = pod.snapshot()
    link = next(iter(shown.links.values()))
    shown.apply(Edit("Label", (Change(link, replace(link, label="trunk B")),)))

    def labels(links):
        path = written(shown, "drawio", tmp_path, links=links)
        return " ".join(facts["label"] for cell, facts in cells(path).values() if cell.get("edge") == "1")

    assert "trunk B" in labels("bundles") and "trunk B" in labels("all")
    shown.apply(label_links(shown, ()))
    assert not labels("bundles").strip()


def test_annotations_are_in_draw_io_and_leaders_are_attached_to_what_they_point_to(pod, tmp_path):
    shown, device = pod.snapshot(), next(iter(pod.devices))
    for kind, values in (
        ("callout", {"pinned_to": device}),
        ("note", {"tip": (-900.0, 50.0)}),
        ("zone", {}),
        ("arrow", {}),
        ("title-block", {}),
    ):
        shown.apply(annotate(shown, kind, (-500.0, -300.0), (-350.0, -250.0), text=f"<{kind}> & more", **values))
    assert not [key for key in cells(written(pod, "drawio", tmp_path)) if key.startswith(("note-", "leader-"))]
    found = cells(written(shown, "drawio", tmp_path))
    order, of = list(found), {one.kind: one.id for one in shown.annotations.values()}
    callout = found[f"leader-{of['callout']}"][0]
    assert (callout.get("source"), callout.get("target")) == (f"note-{of['callout']}", f"node-{device}")
    note = found[f"leader-{of['note']}"][0]
    assert note.get("target") is None
    assert [(one.get("x"), one.get("as")) for one in note.iter("mxPoint")] == [("-900", "targetPoint")]
    assert found[f"note-{of['zone']}"][0].get("value") == "<zone> & more"
    assert order.index(f"note-{of['zone']}") < order.index(f"node-{device}") < order.index(f"note-{of['callout']}")
    assert "block" in found[f"note-{of['arrow']}"][0].get("style")
    path = tmp_path / "noted.drawio"
    path.write_text(drawio_text(drawn(shown), DrawioOptions()), encoding="utf-8")
    network = read_drawio.read(path)
    assert not network.unread and len(network.nodes) == len(shown.devices) and len(network.links) == len(shown.links)


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("drawio", '<mxPoint x="-500" y="-77"/>'),
        ("graphml-yed", '<y:Point x="-500" y="-77"/>'),
        ("dot", "-500,77"),
    ],
)
@pytest.mark.parametrize("server", ["gpu-01", None])
def test_lines_led_by_hand_run_through_their_bends_in_other_programs(name, point, server, tmp_path):
    design = built(servers=8, servers_per_su=8)  # which hang on a comb
    ends = ((one, {design.devices[end.device_id].name for end in (one.a, one.b)}) for one in design.links.values())
    link = next(one for one, names in ends if (server in names if server else "spine-01" in names))
    assert point not in written(design, name, tmp_path).read_text()
    design.apply(bend_links(design, [link.id], [(-500.0, -77.0)], link.a.device_id))
    assert point in written(design, name, tmp_path).read_text()
