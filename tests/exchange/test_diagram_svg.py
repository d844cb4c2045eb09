"""SVG diagrams: whole, readable by any parser, the same as the screen's, and safe whatever the names hold."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from svg_reading import NUMBER, SVG, frame, layer, pair, rectangle, texts

from designer.canvas.export import render_png
from designer.drawing.composition import Composition
from designer.drawing.counts import MOST_COUNTS
from designer.drawing.heat import FULL_BY_DESIGN_COLOUR, Heat, bucket_colours, bucket_of, hex_of
from designer.drawing.parts.document import document_picture
from designer.drawing.theme import DARK, LIGHT
from designer.errors import ExportError
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.diagram_svg import svg_of, write_svg
from designer.exchange.exporters import EXPORTERS
from designer.exchange.exporters_diagram import heat_of as heat_option
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.shown_text import visible_line
from designer.storage import document
from designer.storage.saving import SaveError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = ["fat-tree-16-2to1", "faults", "superpod-h100-4su"]


def example(name):
    return document.load(EXAMPLES / f"{name}.fabric")


def drawn(design, theme="light", heat=None):
    """With every name and count, in canvas units."""
    return ET.fromstring(svg_of(design, theme, heat, size=None))


def tooltips(root):
    return [title.text for title in layer(root, "boxes").iter(f"{SVG}title")]


def segments(root):
    """Color of each line drawn for links."""
    return [path.get("stroke") for path in layer(root, "links") for _ in range(path.get("d").count("M"))]


def heat_of(design):
    """Loads from 0 to 1 over the links, in turn."""
    loads = {link_id: (number % 11 / 10, number % 7 / 10) for number, link_id in enumerate(design.links)}
    return Heat(design.revision, loads, "all-reduce, ring")


def renamed(design, names):
    """The design with these names given to its first devices, whatever they hold: files may say anything."""
    pairs = zip(list(design.devices.values()), names, strict=False)
    design.apply(Edit("names", tuple(Change(device, replace(device, name=name)) for device, name in pairs)))
    return design


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_every_device_is_in_the_diagram_with_its_name_model_and_ports(name, theme):
    design = example(name)
    expected = []
    for device_id, device in design.devices.items():
        ports = f"{len(design.used_ports(device_id))}/{len(design.ports(device_id))} ports used"
        reserved = f", {len(device.reserved_ports)} reserved" if device.reserved_ports else ""
        expected.append(f"{device.name}\n{design.device_type(device_id).model}\n{ports}{reserved}")
    assert sorted(tooltips(drawn(design, theme))) == sorted(expected)


@pytest.mark.parametrize("name", NAMES)
def test_the_short_names_of_the_examples_are_written_in_full(name):
    design = example(name)
    written = texts(layer(drawn(design), "boxes"))
    assert {device.name for device in design.devices.values()} <= set(written)


def test_every_line_of_the_picture_is_in_the_diagram():
    design = example("fat-tree-16-2to1")
    assert len(Composition(design).bundles.pairs) == 24
    assert len(segments(drawn(design))) == 24
    faults = example("faults")
    # Of the 112 bundles 18 go round devices in their way, in two lines or three each.
    composition = Composition(faults)
    assert len(composition.bundles.pairs) == 112
    assert composition.link_paths.bent.sum() == 18
    assert len(segments(drawn(faults))) == 112 - 18 + len(composition.link_paths.xy)


@pytest.mark.parametrize("name", NAMES)
def test_lines_are_where_the_picture_has_them_to_a_tenth(name):
    design = example(name)
    path = "".join(one.get("d") for one in layer(drawn(design), "links"))
    steps = re.findall(rf"M({NUMBER}) ({NUMBER})(?:l({NUMBER}) ({NUMBER})|h({NUMBER})|v({NUMBER}))", path)
    assert "".join(re.findall(r"[A-Za-z]", path)).count("M") == len(steps)
    lines = [
        (float(x), float(y), float(x) + float(dx or h or 0), float(y) + float(dy or v or 0))
        for x, y, dx, dy, h, v in steps
    ]
    expected = np.concatenate([stroke.xy for stroke in document_picture(Composition(design)).strokes()])
    np.testing.assert_allclose(np.array(lines), expected, atol=0.051)


def moved(place, group):
    """A rectangle where the group that it is in stands."""
    x, y = (float(one) for one in re.findall(r"[-0-9.]+", group.get("transform", "0 0")))
    return place[0] + x, place[1] + y, *place[2:]


def test_bundles_have_their_count_beside_them_clear_of_boxes_and_of_each_other():
    per_server = "Server to leaf: 8 × 400G per server"
    for name, least, expected in (("fat-tree-16-2to1", 8, {"8 × 400G", per_server}), ("faults", 20, None)):
        design = example(name)
        root = drawn(design)
        counts = layer(root, "counts")
        written = texts(counts)
        assert expected is None or set(written) == expected
        assert {int(re.search("[0-9]+", text)[0]) for text in written if "×" in text and ": " not in text} <= set(
            Composition(design).bundles.counts.tolist()
        ) - {1}
        places = [moved(rectangle(one.find(f"{SVG}rect")), one) for one in counts.findall(f"{SVG}g")]
        assert len(places) == len(written) > least
        places += [tuple(box) for box in Composition(design).boxes.tolist()]
        for number, (x, y, width, height) in enumerate(places[: len(written)]):
            for left, top, across, down in places[number + 1 :]:
                apart = max(x - left - across, left - x - width, y - top - down, top - y - height)
                assert apart >= -0.02


def test_a_mesh_too_dense_for_counts_has_one_for_each_pair_of_tiers():
    design = example("superpod-h100-4su")
    assert (Composition(design).bundles.counts > 1).sum() > MOST_COUNTS
    written = [one.text for one in layer(drawn(design), "counts").iter(f"{SVG}text")]
    assert written == ["Server to leaf: 8 × 400G per server", "Leaf to spine: 2 × 400G per pair"]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_design_gives_the_same_bytes(name, tmp_path):
    design = example(name)
    for number, one in enumerate((design, example(name))):
        write_svg(one, tmp_path / f"{number}.svg", theme="dark", heat=heat_of(one))
    first = (tmp_path / "0.svg").read_bytes()
    assert first == (tmp_path / "1.svg").read_bytes()
    edit = operations.rename(design, next(iter(design.devices)), "something else")
    design.apply(edit)
    assert svg_of(design, "dark", heat_of(design)).encode() != first
    design.apply(edit.inverted())
    assert svg_of(design, "dark", heat_of(design)).encode() == first


def test_the_superpod_is_a_small_file(tmp_path):
    write_svg(example("superpod-h100-4su"), tmp_path / "pod.svg")
    assert 20_000 < (tmp_path / "pod.svg").stat().st_size < 200_000


def test_links_have_the_colours_of_their_heat_and_the_legend_has_the_numbers():
    design = example("fat-tree-16-2to1")
    heat = heat_of(design)
    root = drawn(design, heat=heat)
    composition = Composition(design)
    worst = {}
    for row, link_id in enumerate(composition.projection.link_ids):
        bundle = composition.bundles.of_link[row]
        worst[bundle] = max(worst.get(bundle, 0.0), *heat.utilization[link_id])
    lines = {bundle: 3 if composition.link_paths.bent[bundle] else 1 for bundle in worst}
    scale = [hex_of(colour) for colour in bucket_colours(LIGHT)]
    coloured = [scale[bucket_of(load)] for one, load in worst.items() for _ in range(lines[one])]
    assert sorted(segments(root)) == sorted(coloured)
    legend = layer(root, "legend")
    title, label, note, *stops = texts(legend)
    assert title == "Peak utilization, busier direction"
    assert (label, note) == ("all-reduce, ring", f"{heat.busy} links over 80 %, {heat.saturated} saturated")
    assert stops == ["0", "20", "40", "60", "80", "100 %", "idle", "saturated"]
    assert [rect.get("fill") for rect in legend.iter(f"{SVG}rect")][1:] == scale


def test_without_heat_there_is_no_legend_and_no_colour_of_the_scale():
    root = drawn(example("fat-tree-16-2to1"))
    assert layer(root, "legend") is None
    assert not set(segments(root)) & {hex_of(colour) for colour in bucket_colours(LIGHT)}


def test_without_traffic_the_legend_says_so():
    design = example("fat-tree-16-2to1")
    root = drawn(design, heat=Heat(design.revision, {}))
    assert texts(layer(root, "legend"))[1] == "no link carries traffic"


@pytest.mark.parametrize("name", [*NAMES, "pair"])
def test_the_legend_stands_beneath_the_drawing_and_everything_within_the_frame(name):
    design = pair() if name == "pair" else example(name)
    composition = Composition(design)
    root = drawn(design, heat=heat_of(design))
    x, y, width, height = frame(root)
    assert (root.get("width"), root.get("height")) == tuple(root.get("viewBox").split()[2:])
    assert root.get("style") == "max-width:100%;max-height:100%"
    left, top, right, bottom = composition.bounds
    assert x < left < right < x + width
    assert y < top
    move = layer(root, "legend").get("transform")
    placed = re.fullmatch(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", move)
    legend_x, legend_y, zoom = (float(part or 1) for part in placed.groups())
    _, _, legend_width, legend_height = rectangle(layer(root, "legend").find(f"{SVG}rect"))
    assert legend_y > bottom
    assert x < legend_x < legend_x + legend_width * zoom < x + width
    assert legend_y + legend_height * zoom < y + height


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_theme_is_that_of_the_screen(theme):
    design = example("faults")
    root = drawn(design, theme)
    colours = {element.get("fill") for element in root.iter()} | {element.get("stroke") for element in root.iter()}
    assert {theme.background, theme.text, theme.muted, theme.group_fill, theme.server_link} <= colours
    other = DARK if theme is LIGHT else LIGHT
    assert not colours & {other.background, other.group_fill, *(box.fill for box in other.boxes)}


NAME = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])
"""What a name can hold."""
PLAIN = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufffe\uffff")
XML_TEXT = st.text(PLAIN | st.sampled_from("<>&\"'"))


@given(XML_TEXT)
def test_any_name_comes_back_from_a_parser_as_it_was(name):
    root = drawn(renamed(pair(), [name]))
    assert sum(text.startswith(f"{name}\n" if name else "QM9700\n") for text in tooltips(root)) >= 1
    shown, whole = texts(layer(root, "boxes"))[0] or "", visible_line(name)
    assert whole.endswith(shown) or ("…" in shown and all(part.strip() in whole for part in shown.split("…")))


@given(st.text(NAME), st.text(NAME))
def test_whatever_a_file_holds_the_diagram_is_xml_and_utf_8(name, title):
    design = renamed(pair(), [name])
    design.apply(Edit("title", (Change(design.settings, replace(design.settings, name=title)),)))
    root = ET.fromstring(svg_of(design).encode("utf-8"))
    assert len(tooltips(root)) == 2
    assert len(segments(root)) == 1


@pytest.mark.parametrize(
    "name",
    ["</text><script>alert(1)</script>", '" onload="alert(1)', "]]>", "&amp;", "<!--", "שלום 12", "\u202elive", "漢字"],
)
def test_a_hostile_name_is_text_and_nothing_else(name):
    design = renamed(pair(), [name])
    design.apply(operations.group(design, list(design.devices), name))
    root = drawn(design)
    assert {element.tag for element in root.iter()} <= {
        SVG + tag for tag in ("svg", "title", "desc", "g", "defs", "pattern", "rect", "path", "text")
    }
    assert not any(key.startswith("on") or "href" in key for element in root.iter() for key in element.attrib)
    assert texts(layer(root, "titles"))[0] == name
    assert tooltips(root)[0].startswith(f"{name}\n")


def test_what_xml_cannot_hold_is_shown_as_a_replacement():
    root = drawn(renamed(pair(), ["a\uffffb\ufffec"]))
    assert tooltips(root)[0].startswith("a\ufffdb\ufffdc\n")


def test_blanks_in_a_name_are_kept():
    root = drawn(renamed(pair(), ["a  b", "a b"]))
    kept = "{http://www.w3.org/XML/1998/namespace}space"
    by_text = {text.text: text.get(kept) for text in layer(root, "boxes").iter(f"{SVG}text")}
    assert (by_text["a  b"], by_text["a b"]) == ("preserve", None)


def test_the_description_counts_what_is_there_and_says_what_has_no_place():
    design = pair()
    assert drawn(design).find(f"{SVG}desc").text == "2 devices, 1 link"
    placement = design.placements[next(iter(design.devices))]
    design.apply(Edit("take off", (Change(placement, None),)))
    assert drawn(design).find(f"{SVG}desc").text == "1 device, 1 link; not drawn, having no place: 1 device"


def test_an_empty_design_is_refused_with_the_sentence_of_the_png_and_the_old_file_stays(tmp_path, qapp):
    path = tmp_path / "old.svg"
    path.write_text("old")
    sentences = []
    for write, name in ((write_svg, path), (render_png, tmp_path / "new.png")):
        with pytest.raises(ExportError) as refused:
            write(Design(), name)
        sentences.append(str(refused.value))
    assert sentences[0] == sentences[1] == "the design is empty: there is nothing to draw"
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["old.svg"]


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path):
    with pytest.raises(SaveError, match="there is no folder"):
        write_svg(pair(), tmp_path / "missing" / "x.svg")


def test_the_export_runs_the_traffic_that_the_heat_names(tmp_path):
    exporter = next(row for row in EXPORTERS if row.name == "svg")
    exporter.write(example("fat-tree-16-2to1"), tmp_path / "x.svg", {"heat": "all-reduce", "theme": "dark"})
    root = ET.parse(tmp_path / "x.svg").getroot()
    said = ["all-reduce, ring · spray, 1 GiB", "5.568 ms, 382.7 GB/s busbw", "128 full by design"]
    assert texts(layer(root, "legend"))[1:4] == said
    # A ring of all GPUs fills the links of the servers; half of their traffic climbs to the spines.
    saturated = hex_of(FULL_BY_DESIGN_COLOUR)
    assert segments(root).count(saturated) == 16
    assert len(segments(root)) == 24


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"heat": "gossip"}, "there is no traffic 'gossip' for the heat: choose one of all-reduce, "),
        ({"theme": "sepia"}, "theme should be light or dark, not 'sepia'"),
        ({"colour": "red"}, "svg has no option 'colour': it has view, side, racks"),
    ],
)
def test_an_option_that_there_is_not_is_refused(options, sentence, tmp_path):
    exporter = next(row for row in EXPORTERS if row.name == "svg")
    with pytest.raises(ExportError) as refused:
        exporter.write(pair(), tmp_path / "x.svg", options)
    assert str(refused.value).startswith(sentence)
    assert not (tmp_path / "x.svg").exists()


def test_no_qt_is_needed(tmp_path):
    code = (
        "import sys; sys.modules['PySide6'] = None\n"
        "from pathlib import Path\n"
        "from designer.exchange.diagram_svg import write_svg\n"
        "from designer.storage.document import load\n"
        "write_svg(load(Path(sys.argv[1])), Path(sys.argv[2]))\n"
    )
    path = tmp_path / "x.svg"
    arguments = [sys.executable, "-c", code, str(EXAMPLES / "faults.fabric"), str(path)]
    subprocess.run(arguments, check=True, cwd=EXAMPLES.parent, timeout=60)
    assert path.read_text(encoding="utf-8") == svg_of(example("faults"))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["fat-tree-16-2to1", "faults"])
def test_a_renderer_shows_every_box_in_its_place_and_colour(name, theme, qapp):
    design = example(name)
    data = svg_of(design, theme, size=None)
    renderer = QSvgRenderer(QByteArray(data.encode()))
    assert renderer.isValid()
    x, y, width, height = frame(ET.fromstring(data))
    image = QImage(round(width), round(height), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    composition = Composition(design)
    for row, (left, top, box_width, _) in enumerate(composition.boxes.tolist()):
        colours = theme.boxes[int(composition.projection.kinds[row])]
        for inside, colour in ((box_width - 4, colours.fill), (5.5, colours.stripe)):
            seen = image.pixelColor(round(left - x + inside), round(top - y + 22))
            wanted = QColor(colour)
            assert max(abs(a - b) for a, b in zip(seen.getRgb(), wanted.getRgb(), strict=True)) <= 3, (row, colour)


def test_no_traffic_is_no_heat():
    design = example("faults")
    assert heat_option(design, DiagramOptions()) is None
