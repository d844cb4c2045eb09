"""Pages of draw.io with boxes that stand for many devices: small, exact when read back, and as a person edits them."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from copy import deepcopy
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_graph_files import HOSTILE, cells, renamed, style_of, written
from test_graph_reading import READER, as_links, links_of, nodes_of, rails

from designer.analysis.cable_numbers import number_cables
from designer.catalog.catalog import load
from designer.exchange.graphs.drawio import write_drawio
from designer.exchange.graphs.link_runs import read_line
from designer.exchange.graphs.options import DrawioOptions
from designer.exchange.reading import limits
from designer.exchange.reading.building import propose
from designer.exchange.reading.found import ImportFailure
from designer.model.collapsing import collapse, collapse_all
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies.families import FAMILIES
from designer.topologies.presets import family_of, parameters_of, preset_named

CATALOG = load()


def turned(links):
    """The links from whichever end."""
    return Counter((*sorted(one[:2]), *one[2:]) for one in links.elements())


def all_nodes(network):
    return {
        (one.name, one.kind, one.model, one.role, one.rack, one.unit, round(one.x, 1), round(one.y, 1))
        for one in network.nodes
    }


def closed(design):
    """A copy with all that can be collapsed in boxes."""
    made = design.snapshot()
    made.apply(collapse_all(made))
    return made


def from_preset(name):
    made, preset = Design(), preset_named(name)
    made.apply(family_of(preset).build(made, parameters_of(preset), CATALOG))
    return made


@pytest.fixture(scope="module")
def pod():
    made = rails()
    made.apply(number_cables(made))
    lengths = (replace(one, length_m=2.0 + at % 3) for at, one in enumerate(made.links.values()))
    made.apply(Edit("lengths", tuple(Change(made.links[one.id], one) for one in lengths)))
    return made


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_comes_back_with_all_its_links_out_of_closed_boxes(family, tmp_path):
    design = Design()
    design.apply(family.build(design, family.parameters(), CATALOG))
    design.apply(number_cables(design))
    made = closed(design)
    path = written(made, "drawio", tmp_path)
    assert any("box" in facts for _, facts in cells(path).values())
    network = READER["drawio"](path)
    assert not network.unread and not network.guesses
    assert turned(as_links(network)) == turned(links_of(design))
    assert all_nodes(network) == nodes_of(design)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_is_collapsed_and_called_comes_back(pod, data, tmp_path):
    made = renamed(pod, *data.draw(st.permutations(HOSTILE)))
    some = data.draw(st.lists(st.sampled_from([*made.groups, *made.devices]), min_size=1, max_size=4, unique=True))
    made.apply(collapse(made, some))
    network = READER["drawio"](written(made, "drawio", tmp_path))
    assert turned(as_links(network)) == turned(links_of(made))
    assert all_nodes(network) == nodes_of(made)


def test_the_design_that_is_imported_has_the_links_of_the_exported_one(pod, tmp_path):
    made = Design()
    made.apply(propose(READER["drawio"](written(closed(pod), "drawio", tmp_path)), made, CATALOG).edit)

    def wires(design):
        names = {one.id: one.name for one in design.devices.values()}
        return Counter(
            (*sorted((names[end.device_id], end.port) for end in (one.a, one.b)), one.length_m, one.cable)
            for one in design.links.values()
        )

    assert wires(made) == wires(pod)


def test_a_large_dragonfly_is_a_small_file_with_a_line_for_each_pair_of_groups(tmp_path):
    design = from_preset("lumi-g")
    path = tmp_path / "lumi.drawio"
    write_drawio(design, path, DrawioOptions())
    assert path.stat().st_size < 5_000_000
    found = cells(path)
    boxes = [key for key, (_, facts) in found.items() if "box" in facts]
    lines = [(cell, facts) for cell, facts in found.values() if cell.get("edge") == "1"]
    assert len(boxes) == 24 and len(lines) == 24 * 23 / 2
    assert {facts["count"] for _, facts in lines} == {"20"} and {facts["rate_gbps"] for _, facts in lines} == {"200"}
    pairs = {frozenset((cell.get("source"), cell.get("target"))) for cell, _ in lines}
    assert len(pairs) == len(lines) and set().union(*pairs) == {*boxes}
    network = READER["drawio"](path)
    assert turned(as_links(network)) == turned(links_of(design)) and len(network.nodes) == len(design.devices)


def test_a_line_between_boxes_has_count_color_and_a_list_that_a_person_reads(pod, tmp_path):
    made = closed(pod)
    found = cells(written(made, "drawio", tmp_path))
    lines = [(cell, facts) for cell, facts in found.values() if cell.get("edge") == "1"]
    ends = [(cell.get("source"), cell.get("target"), cell.get("parent")) for cell, _ in lines]
    assert len(set(ends)) == len(ends)
    for cell, facts in lines:
        listed = [one for line in facts["links"].split("\n") for one in read_line(line)]
        assert len(listed) == int(facts["count"]) > len(facts["links"].split("\n")) / 2
        assert style_of(cell)["strokeColor"].startswith("#")
    opened = [facts for _, facts in cells(written(made, "drawio", tmp_path, boxes="none")).values()]
    assert not any("box" in facts for facts in opened)
    every = cells(written(made, "drawio", tmp_path, links="all"))
    assert sum(cell.get("edge") == "1" for cell, _ in every.values()) == len(pod.links)


def test_a_closed_box_says_what_is_in_it_and_shows_it_when_expanded(pod, tmp_path):
    found = cells(written(closed(pod), "drawio", tmp_path))
    boxes = {key: (cell, facts) for key, (cell, facts) in found.items() if "box" in facts}
    for key, (cell, facts) in boxes.items():
        assert cell.get("collapsed") == "1" and "container=1" in cell.get("style")
        inside = [one for one, _ in found.values() if one.get("parent") == key]
        assert len(inside) == sum(int(one) for one in re.findall(r"\d+", facts["devices"]))
        place, expanded = cell.find("mxGeometry"), cell.find("mxGeometry/mxRectangle")
        assert (place.get("x"), place.get("y")) == (expanded.get("x"), expanded.get("y"))
        head = float(place.get("height"))
        for one in inside:
            x, y, width, height = (float(one.find("mxGeometry").get(name)) for name in ("x", "y", "width", "height"))
            assert x >= 0 and x + width <= float(expanded.get("width"))
            assert head <= y and y + height <= float(expanded.get("height"))


def test_a_box_tells_the_load_inside(pod, tmp_path):
    path = tmp_path / "hot.drawio"
    write_drawio(closed(pod), path, DrawioOptions(heat="all-to-all"))
    cold = cells(written(closed(pod), "drawio", tmp_path))
    for key, (cell, facts) in cells(path).items():
        if "box" in facts and facts["links"]:
            assert style_of(cell)["strokeColor"] != style_of(cold[key][0])["strokeColor"]


# -- what a person does in draw.io ------------------------------------------------------------------------------------


@pytest.fixture
def page(pod, tmp_path):
    return Page(written(closed(pod), "drawio", tmp_path))


class Page:
    """A page as a person edits it."""

    def __init__(self, path):
        self.path, self.tree = path, ET.parse(path)
        self.root = self.tree.find("./diagram/mxGraphModel/root")

    def read(self):
        self.tree.write(self.path)
        return READER["drawio"](self.path)

    def lines(self):
        """Objects of lines, those for the most links first."""
        found = [one for one in self.root if (cell := one.find("mxCell")) is not None and cell.get("edge") == "1"]
        return sorted(found, key=lambda one: -int(one.get("count", "1")))

    def boxes(self):
        """Those with links inside."""
        return [one for one in self.root if one.get("box") and one.get("links")]

    def inside(self, box):
        return [one for one in self.root if (c := one.find("mxCell")) is not None and c.get("parent") == box.get("id")]

    def links_in(self, of):
        """The links that a line or box lists, by the names and ports of their ends."""
        names = {one.get("id"): one.get("name") for one in self.root}
        own = [names.get(of.find("mxCell").get(end), "") for end in ("source", "target")]
        listed = [one for text in of.get("links").split("\n") for one in read_line(text)]
        return Counter(
            tuple(sorted(((one.a_device or own[0], one.a_port), (one.z_device or own[1], one.z_port))))
            for one in listed
        )

    def names_in(self, box):
        return {one.get("name") for one in self.inside(box)}

    def copied(self, objects, suffix="-copy"):
        """Objects are copied; lines stay at ends that are copied too, and lose others."""
        ids = {one.get("id") for one in objects}
        for one in objects:
            new = deepcopy(one)
            new.set("id", one.get("id") + suffix)
            cell = new.find("mxCell")
            if cell.get("parent") in ids:
                cell.set("parent", cell.get("parent") + suffix)
            for end in ("source", "target"):
                if cell.get(end) in ids:
                    cell.set(end, cell.get(end) + suffix)
                elif cell.get(end):
                    del cell.attrib[end]
            self.root.append(new)


def wires(network):
    return Counter(tuple(sorted(((one.a.node, one.a.port), (one.b.node, one.b.port)))) for one in network.links)


def test_a_deleted_line_deletes_its_links_and_no_other(page):
    before = wires(page.read())
    line = page.lines()[0]
    page.root.remove(line)
    network = page.read()
    assert before - wires(network) == page.links_in(line) and not network.unread


def test_a_new_label_of_a_line_is_that_of_its_links(page):
    line, other = page.lines()[:2]
    line.set("label", "row 3 &lt; trunk")
    labelled = Counter(one.label for one in page.read().links)
    assert labelled["row 3 < trunk"] == int(line.get("count"))
    line.set("label", other.get("shown"))
    assert not [one.label for one in page.read().links if one.label]


def test_a_label_with_another_count_changes_no_link_and_is_reported(page):
    before = as_links(page.read())
    page.lines()[0].set("label", "999 × 400G")
    network = page.read()
    assert as_links(network) == before
    (guess,) = network.guesses
    assert "has another count than it was written with" in guess.sentence


def test_a_copy_of_a_line_alone_ends_at_no_shape(page):
    before = as_links(page.read())
    page.copied(page.lines()[:1])
    network = page.read()
    assert as_links(network) == before and network.unread[0].sentence.endswith("ends at no shape")


def test_a_copy_of_a_line_between_the_same_boxes_is_imported_once(page):
    before = as_links(page.read())
    line = deepcopy(page.lines()[0])
    line.set("id", "copy")
    page.root.append(line)
    network = page.read()
    assert as_links(network) == before
    (guess,) = network.guesses
    assert "lists the links of another line between its ends: they are imported once" in guess.sentence


def test_a_copied_box_is_devices_with_the_links_inside(page):
    before, box = page.read(), page.boxes()[0]
    inner = page.links_in(box)
    page.copied([box, *page.inside(box)])
    network = page.read()
    assert len(network.nodes) == len(before.nodes) + len(page.inside(box))
    more = wires(network) - wires(before)
    assert sum(more.values()) == sum(inner.values()) > 0
    own = {name: new for name in page.names_in(box) for new in [f"{name}_2"]}
    assert more == Counter(tuple(sorted((own[device], port) for device, port in one)) for one in inner.elements())


def test_copied_boxes_with_the_line_between_them_are_linked_like_the_first(page):
    before, line = page.read(), page.lines()[0]
    ends = [
        one
        for one in page.root
        if one.get("id") in (line.find("mxCell").get("source"), line.find("mxCell").get("target"))
    ]
    page.copied([line, *ends, *(device for box in ends for device in page.inside(box))])
    more = wires(page.read()) - wires(before)
    assert sum(more.values()) >= int(line.get("count"))


def test_a_deleted_box_deletes_its_devices_and_their_links(page):
    box = page.boxes()[0]
    gone = page.names_in(box)
    for one in page.inside(box):
        page.root.remove(one)
    for line in page.lines():
        if box.get("id") in (line.find("mxCell").get("source"), line.find("mxCell").get("target")):
            page.root.remove(line)
    page.root.remove(box)
    network = page.read()
    assert not gone & {one.name for one in network.nodes} and not network.unread
    assert not [one for one in network.links if {one.a.node, one.b.node} & gone]


def test_a_device_that_is_deleted_in_a_box_takes_its_links_along(page):
    box, before = page.boxes()[0], wires(page.read())
    device = page.inside(box)[0]
    page.root.remove(device)
    network = page.read()
    gone = before - wires(network)
    assert gone and all(device.get("name") in (a[0], z[0]) for a, z in gone)
    assert not [one for one in wires(network) if device.get("name") in (one[0][0], one[1][0])]
    assert all("of devices that are not there, such as" in one.sentence for one in network.unread) and network.unread


def test_a_device_that_is_moved_out_of_its_box_keeps_its_links(page):
    before = wires(page.read())
    page.inside(page.boxes()[0])[0].find("mxCell").set("parent", "1")
    network = page.read()
    assert wires(network) == before and not network.unread


def test_a_box_moves_its_devices_along(page):
    box = page.boxes()[0]
    places = {one.name: (one.x, one.y) for one in page.read().nodes}
    geometry = box.find("mxCell/mxGeometry")
    geometry.set("x", str(float(geometry.get("x")) + 100))
    moved = {one.name: (one.x, one.y) for one in page.read().nodes}
    for name, (x, y) in places.items():
        assert moved[name] == pytest.approx((x + 100 * (name in page.names_in(box)), y))


def test_a_line_that_is_turned_round_keeps_its_ports(page):
    before = wires(page.read())
    for line in page.lines():
        cell = line.find("mxCell")
        source, target = cell.get("source"), cell.get("target")
        cell.set("source", target)
        cell.set("target", source)
    network = page.read()
    assert wires(network) == before and not network.unread


def test_a_line_that_is_drawn_to_another_box_is_reported_once(page):
    line = page.lines()[0]
    ends = {line.find("mxCell").get(end) for end in ("source", "target")}
    other = next(one for one in page.root if one.get("box") and one.get("id") not in ends)
    before = wires(page.read())
    line.find("mxCell").set("target", other.get("id"))
    network = page.read()
    assert wires(network) == before - page.links_in(line)
    (unread,) = network.unread
    assert f"{int(line.get('count')):,} links of devices that are not there" in unread.sentence


def test_a_new_line_to_a_closed_box_is_refused_with_the_way_out(page):
    before, box = wires(page.read()), page.boxes()[0]
    other = next(one for one in page.root if one.get("box") and one is not box)
    new = ET.SubElement(page.root, "mxCell", id="new", edge="1", parent="1", value="uplink")
    new.set("source", box.get("id"))
    new.set("target", other.get("id"))
    ET.SubElement(new, "mxGeometry", relative="1")
    network = page.read()
    assert wires(network) == before
    (unread,) = network.unread
    assert "a box that stands for many devices" in unread.sentence and "expand the box" in unread.meant


# -- damaged and hostile data -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [
        ("nonsense", "nonsense is not two ports"),
        ("a p[1-999999999] -- b q[1-999999999]", "is not two ports"),
        ("nobody 1 -- nowhere 2", "lists 1 link of devices that are not there, such as nobody"),
        ("1 -- 2", "lists 1 link of devices that are not there"),
    ],
)
def test_lists_that_are_wrong_are_one_clear_sentence(page, listed, sentence):
    before, line = wires(page.read()), page.lines()[0]
    links = page.links_in(line)
    line.set("links", listed)
    network = page.read()
    assert wires(network) == before - links
    found = [one.sentence for one in network.unread]
    assert any(sentence in one for one in found) and len(found) == 1 and len(found[0]) < 250


def test_links_that_lists_name_twice_are_one(page):
    before, line = wires(page.read()), page.lines()[0]
    line.set("links", line.get("links") + "\n" + line.get("links"))
    assert wires(page.read()) == before


def test_lists_without_end_are_refused(page, monkeypatch):
    monkeypatch.setattr("designer.exchange.graphs.reading.graph_facts.MOST_LINKS", 5000)
    line = page.lines()[0]
    line.set("links", "\n".join([line.get("links").split("\n")[0]] * 6000))
    with pytest.raises(ImportFailure, match="more than 5,000 links"):
        page.read()
    assert limits.MOST_LINKS > 5000


@pytest.mark.parametrize("odd", ["nan", "inf", "1e400", "x", "", "-1e300"])
def test_odd_places_of_what_is_in_a_box_are_left_out(page, odd):
    for box in page.boxes():
        box.set("inside_x", odd)
    network = page.read()
    assert all(abs(one.x) < 1e6 for one in network.nodes) and not network.unread


def test_boxes_in_each_other_without_end_are_read(page):
    one, other = [one for one in page.root if one.get("box")][:2]
    one.find("mxCell").set("parent", other.get("id"))
    other.find("mxCell").set("parent", one.get("id"))
    assert len(page.read().nodes) > 0
