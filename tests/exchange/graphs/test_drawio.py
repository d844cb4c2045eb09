"""Drawings for draw.io: labels that cover nothing, and the heat of a run as the canvas shows it."""

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from test_graph_files import CATALOG, built, cells, pod, style_of, written  # noqa: F401  (pod is a fixture)

from designer.drawing.composition import Composition
from designer.drawing.display_list import class_of, colour_of_class, look_of_class
from designer.drawing.load_legend import legend_of
from designer.drawing.parts.annotations import paper_of
from designer.drawing.theme import DARK, LIGHT
from designer.exchange.exporters_diagram import heat_of
from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawio import write_drawio
from designer.exchange.graphs.drawn import bundles
from designer.exchange.graphs.options import DrawioOptions
from designer.exchange.graphs.reading import read_drawio
from designer.exchange.revisions import RevisionOptions, record
from designer.model.annotating import annotate
from designer.model.bending import bend_links
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies import dragonfly, fat_tree


def test_what_is_the_same_on_many_lines_is_written_once_in_draw_io(tmp_path):
    design = built(servers=64, servers_per_su=32)
    found = cells(written(design, "drawio", tmp_path))
    said = [cell.get("value") for key, (cell, _) in found.items() if key.startswith("tier-note-")]
    assert "Leaf to spine: 8 × 400G per pair" in said
    assert not [facts["label"] for cell, facts in found.values() if cell.get("edge") == "1" and facts["label"]]


def at_box(cell, end, found):
    """Where a line leaves its box, and where it goes to: two points."""
    points = []
    for of, side in (("source", "exit"), ("target", "entry")):
        box, style = found[cell.get(of)][0].find("mxGeometry"), style_of(cell)
        x, y, width, height = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        points.append(np.array((x + float(style[f"{side}X"]) * width, y + float(style[f"{side}Y"]) * height)))
    bends = [np.array((float(one.get("x")), float(one.get("y")))) for one in cell.iter("mxPoint")]
    way = [points[0], *bends, points[1]]
    return way[:2] if end == "a" else way[:-3:-1]


def spots_of(cell):
    """Points along the letters of a port label."""
    place = cell.find("mxGeometry")
    x, y, width, height = (float(place.get(name)) for name in ("x", "y", "width", "height"))
    turn = math.radians(float(style_of(cell).get("rotation", 0)))
    along = np.array((math.cos(turn), math.sin(turn))) * (width - 4) / 2
    return [np.array((x + width / 2, y + height / 2)) + along * share for share in np.linspace(-1, 1, 25)]


def distance(spot, start, end):
    share = np.clip(np.dot(spot - start, end - start) / np.dot(end - start, end - start), 0.0, 1.0)
    return float(np.hypot(*(spot - start - (end - start) * share)))


@pytest.mark.parametrize("links", ["bundles", "all"])
def test_port_labels_cover_no_line_and_no_label_at_their_box(links, tmp_path):
    found = cells(written(built(servers=16, servers_per_su=8, oversubscription=2.0), "drawio", tmp_path, links=links))
    labels = {key: cell for key, (cell, _) in found.items() if key.startswith("port-")}
    lines = {key: cell for key, (cell, _) in found.items() if cell.get("edge") == "1"}
    apart = [cell for cell in lines.values() if cell.find("mxGeometry/Array") is None]
    assert len(labels) > len(apart) / 4 > 0
    by_box = {}
    for key, cell in labels.items():
        end, line = key[5], lines[f"link-{key[7:]}"]
        by_box.setdefault(line.get("source" if end == "a" else "target"), []).append((key, cell))
    for box, here in by_box.items():
        around = {
            (key, end): at_box(line, end, found)
            for key, line in lines.items()
            for end, of in (("a", "source"), ("z", "target"))
            if line.get(of) == box
        }
        for key, cell in here:
            size, own = float(style_of(cell)["fontSize"]), (f"link-{key[7:]}", key[5])
            for spot in spots_of(cell):
                assert all(distance(spot, *way) > 0.4 * size for line, way in around.items() if line != own)
                others = [one for other, label in here if other != key for one in spots_of(label)]
                assert all(np.hypot(*(spot - one)) > 0.4 * size for one in others)


def test_draw_io_shows_heat_in_the_colors_and_widths_of_the_canvas_with_its_legend(tmp_path):
    design = built(servers=64, servers_per_su=32, oversubscription=2.0)
    path, options = tmp_path / "hot.drawio", DrawioOptions(heat="all-to-all")
    write_drawio(design, path, options)
    found, heat = cells(path), heat_of(design, options)
    edges = {one.id: one for one in drawn(design).edges}
    lines = [(key, cell, facts) for key, (cell, facts) in found.items() if cell.get("edge") == "1"]
    widths = {}
    for key, cell, facts in lines:
        load = max(heat.drawn[key.removeprefix("link-")])
        assert style_of(cell)["strokeColor"] == colour_of_class(class_of(load), LIGHT)
        assert float(facts["utilization"]) == pytest.approx(max(heat.loads[edges[key[5:]].id]), abs=1e-3)
        widths.setdefault(load >= 1, set()).add(float(style_of(cell)["strokeWidth"]))
    assert min(widths[True]) > max(widths[False])
    said = [cell.get("value") for key, (cell, _) in found.items() if key.startswith("legend")]
    shown = legend_of(heat)
    assert {shown.title, *shown.outcome[:1], "congested", "100 %"} <= {*said}
    bottom = max(float(found[one][0].find("mxGeometry").get("y")) for one in found if one.startswith("node-"))
    assert float(found["legend"][0].find("mxGeometry").get("y")) > bottom
    assert "legend" not in cells(written(design, "drawio", tmp_path))
    assert len(read_drawio.read(path).nodes) == len(design.devices)


def test_the_hottest_link_of_a_line_colors_it_and_lies_on_top_in_draw_io(tmp_path):
    design = built(servers=64, servers_per_su=32, oversubscription=2.0)
    path = tmp_path / "hot.drawio"
    write_drawio(design, path, DrawioOptions(heat="permutation:3"))
    heat = heat_of(design, DrawioOptions(heat="permutation:3"))
    found = [(key, cell, facts) for key, (cell, facts) in cells(path).items() if cell.get("edge") == "1"]
    by_link = {f"link-{one.first.id}": [each.id for each in one.edges] for one in bundles(drawn(design).edges)}
    classes = [max(class_of(max(heat.drawn[link])) for link in by_link[key]) for key, _, _ in found]
    assert classes == sorted(classes) and len(set(classes)) > 2
    for (_, cell, _), number in zip(found, classes, strict=True):
        assert style_of(cell)["strokeColor"] in (colour_of_class(number, LIGHT), look_of_class(number, LIGHT, 1, 1)[0])


def test_what_has_failed_is_marked_in_draw_io(pod, tmp_path):  # noqa: F811
    leaf = next(one for one in pod.devices.values() if one.role == "leaf")
    found = cells(written(pod, "drawio", tmp_path, fail=leaf.name))
    dashed = {key for key, (cell, _) in found.items() if "dashed=1" in (cell.get("style") or "")}
    lines = {key for key, (cell, _) in found.items() if f"node-{leaf.id}" in (cell.get("source"), cell.get("target"))}
    assert dashed == {f"node-{leaf.id}", *lines} and lines


def test_port_labels_keep_clear_of_the_titles_of_tiers(tmp_path):
    def boxes(prefix):
        return [
            [float(cell.find("mxGeometry").get(name)) for name in ("x", "y", "width", "height")]
            for key, (cell, _) in found.items()
            if re.match(prefix, key)
        ]

    design = Design()
    wanted = fat_tree.FatTreeParameters(switch="nvidia-qm9700", server="dgx-h100", servers=12)
    design.apply(fat_tree.build(design, wanted, CATALOG))
    found = cells(written(design, "drawio", tmp_path))
    titles = boxes(r"tier-\d")
    assert len(titles) == 2
    for x, y, width, height in titles:
        for key, (cell, _) in found.items():
            if key.startswith("port-"):
                assert not [s for s in spots_of(cell) if x < s[0] < x + width and y < s[1] < y + height]


def test_plates_in_draw_io_are_moved_as_one_and_do_not_fold(tmp_path):
    path = tmp_path / "hot.drawio"
    write_drawio(built(), path, DrawioOptions(heat="all-to-all"))
    found = {key: cell for key, (cell, _) in cells(path).items() if key.startswith("legend")}
    plate = found.pop("legend")
    assert style_of(plate)["collapsible"] == "0" and {cell.get("parent") for cell in found.values()} == {"legend"}
    width, height = (float(plate.find("mxGeometry").get(name)) for name in ("width", "height"))
    for cell in found.values():
        place = cell.find("mxGeometry")
        assert 0 <= float(place.get("x")) < width and 0 <= float(place.get("y")) < height


RAILS = {"servers": 64, "servers_per_su": 32}


def way_of(cell, found):
    """All points of a line."""
    bends = cell.find("mxGeometry").iter("mxPoint")
    within = (np.array((float(bend.get("x")), float(bend.get("y")))) for bend in bends)
    return [at_box(cell, "a", found)[0], *within, at_box(cell, "z", found)[0]]


def test_links_of_servers_run_along_the_comb_that_the_canvas_draws_from_afar(tmp_path):
    design = built(**RAILS)
    found = cells(written(design, "drawio", tmp_path))
    below = [cell for cell, facts in found.values() if cell.get("edge") == "1" and is_of_server(cell, found)]
    assert len(below) == 64 * 8
    bars = set()
    for cell in below:
        way = way_of(cell, found)
        assert all(
            a[0] == pytest.approx(z[0], abs=0.1) or a[1] == pytest.approx(z[1], abs=0.1) for a, z in pairwise(way)
        )
        bars |= {round(one[1]) for one in way[1:-1]}
    assert len(bars) == 1  # both units stand in one row
    assert not [key for key in found if key.startswith("port-") and is_of_server(found[f"link-{key[7:]}"][0], found)]
    every = cells(written(design, "drawio", tmp_path, links="all"))
    assert not [cell for cell, _ in every.values() if cell.get("edge") == "1" and cell.find("mxGeometry/Array")]


def is_of_server(cell, found):
    return any(found[cell.get(end)][1]["kind"] == "server" for end in ("source", "target"))


def test_names_and_titles_of_a_wide_drawing_are_as_large_as_its_legend(tmp_path):
    found = cells(written(built(**RAILS), "drawio", tmp_path, heat="all-to-all"))
    styles = {key: style_of(cell) for key, (cell, _) in found.items() if cell.get("style")}
    sizes = {key: float(style["fontSize"]) for key, style in styles.items() if "fontSize" in style}
    least = min(size for key, size in sizes.items() if key.startswith("legend-"))
    switches = {key for key, (_, facts) in found.items() if facts.get("kind") == "switch"}
    assert all(sizes[key] >= 0.8 * least for key in switches)
    assert all(style_of(found[key][0])["labelPosition"] == "right" for key in switches)
    assert {found[key][1]["label"] for key in switches} == {found[key][1]["name"] for key in switches}
    assert all(size >= 0.8 * least for key, size in sizes.items() if key.startswith(("tier-1", "frame-", "heading-")))
    servers = [key for key, (_, facts) in found.items() if facts.get("kind") == "server"]
    assert len({sizes[key] for key in servers}) == 1 and sizes[servers[0]] > 1.5 * 11
    narrow = cells(written(built(servers=4, servers_per_su=4), "drawio", tmp_path))
    own = [(style_of(cell), facts) for cell, facts in narrow.values() if facts.get("kind")]
    assert all(style["fontSize"] == "11" and "\n" in facts["label"] for style, facts in own)


def test_the_page_bears_the_name_of_the_design_with_its_revision(tmp_path):
    design = built(**RAILS)
    design.apply(record(design, RevisionOptions(revision="B", date="2026-11-29")))
    found = cells(written(design, "drawio", tmp_path))
    said = {cell.get("value") for key, (cell, _) in found.items() if key.startswith("heading-")}
    assert said == {design.name, "Revision B, 2026-11-29"}
    foot = max(top + height for _, top, _, height in (place_of(found, key) for key in found if key[:8] == "heading-"))
    assert foot <= min(place_of(found, key)[1] for key in found if key.startswith(("tier-", "node-", "frame-")))


def place_of(found, key):
    cell = found[key][0].find("mxGeometry")
    return tuple(float(cell.get(name)) for name in ("x", "y", "width", "height"))


def test_links_wanted_most_are_marked_in_draw_io_and_in_its_legend(tmp_path):
    design = Design()
    design.apply(dragonfly.build(design, dragonfly.DragonflyParameters(), CATALOG))
    path, options = tmp_path / "marked.drawio", DrawioOptions(heat="all-reduce")
    write_drawio(design, path, options)
    found = cells(path)
    marks = {key for key, (cell, _) in found.items() if "rhombus" in (cell.get("style") or "")}
    heat = heat_of(design, options)
    wanted = Composition(design).hot_links(heat).marked
    assert len([key for key in marks if key.startswith("mark-")]) == len(wanted) > 0
    (key,) = (key for key in marks if key.startswith("legend-"))
    (text,) = (key for key, (cell, _) in found.items() if cell.get("value") == "highest demand")
    (x, y, width, height), (left, top, _, high) = place_of(found, key), place_of(found, text)
    assert 0 < left - (x + width) < width and top < y + height / 2 < top + high


def test_a_label_that_a_person_gave_stands_on_its_line_where_many_lines_say_the_same(tmp_path):
    design = built(servers=8, servers_per_su=4)
    spines = {one.id for one in design.switches() if one.role == "spine"}
    link = [one for one in design.links.values() if spines & {one.a.device_id, one.b.device_id}][25]
    looked = replace(link, label="trunk B", line_colour="#d03050", line_style="dashed")
    design.apply(Edit("look", (Change(link, looked),)))
    found = cells(written(design, "drawio", tmp_path))
    assert found[f"link-{link.id}"][1]["label"] == "trunk B"


def test_a_link_led_by_hand_is_a_line_of_its_own_and_the_others_keep_their_way(tmp_path):
    design = built(servers=8, servers_per_su=4)
    spine = next(one for one in design.switches() if one.role == "spine")
    made = drawn(design)
    (row,) = (number for number, one in enumerate(made.boxes) if one.id == spine.id)
    bundle = next(one for one in bundles(made.edges) if len(one.edges) > 2 and row in (one.first.a, one.first.z))
    before = cells(written(design, "drawio", tmp_path))
    led = bundle.edges[1]
    design.apply(bend_links(design, [led.id], [(-900.0, -77.0)], design.links[led.id].a.device_id))
    after = cells(written(design, "drawio", tmp_path))
    assert '<mxPoint x="-900" y="-77"' in ET.tostring(after[f"link-{led.id}"][0], encoding="unicode")
    (cell, facts), (_, was) = after[f"link-{bundle.first.id}"], before[f"link-{bundle.first.id}"]
    assert cell.find("mxGeometry/Array") is None and int(facts["count"]) == int(was["count"]) - 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_notes_and_zones_in_draw_io_have_the_colors_of_the_canvas(theme, tmp_path):
    design = built()
    for kind in ("note", "comment", "zone"):
        design.apply(annotate(design, kind, (-500.0, -300.0), (-350.0, -250.0), text=kind))
    found = cells(written(design, "drawio", tmp_path, theme=theme))
    of = {one.kind: style_of(found[f"note-{one.id}"][0]) for one in design.annotations.values()}
    table = {"light": LIGHT, "dark": DARK}[theme]
    for kind in ("note", "comment"):
        note = next(one for one in design.annotations.values() if one.kind == kind)
        assert (of[kind]["fillColor"], of[kind]["strokeColor"]) == paper_of(note, table)
        assert of[kind]["fontColor"] == table.text
    assert (of["zone"]["fillColor"], of["zone"]["fillOpacity"]) == (table.accent, "10")
