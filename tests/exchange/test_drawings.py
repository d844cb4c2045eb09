"""Drawings by their options: views and racks of a diagram, and the set of drawings as PDF and SVG."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from designer.analysis.cable_numbers import cable_name
from designer.canvas.formats import formats
from designer.drawing.parts.primitives import Text
from designer.drawing.theme import LIGHT
from designer.errors import Cancelled, ExportError
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.drawing_options import DrawingOptions
from designer.exchange.drawings import drawing_pages
from designer.exchange.exporters_plan import plan_gaps_of
from designer.exchange.exporters_svg import svg_page
from designer.exchange.issue import issue_stated
from designer.exchange.revisions import RevisionOptions, design_digest, record
from designer.exchange.svg_writing import svg_text
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.placement.cable_lengths import lengths_cover
from designer.storage import document
from designer.units import all_of

SUPERPOD = Path(__file__).resolve().parents[2] / "examples" / "superpod-h100-4su.fabric"
SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
FORMATS = {one.name: one for one in formats()}


@pytest.fixture(scope="module")
def design():
    return document.load(SUPERPOD)


def written(design, tmp_path, name, suffix="", **options):
    path = tmp_path / f"x{suffix or FORMATS[name].suffix}"
    FORMATS[name].write(design, path, options)
    return path


def words(path):
    return [one.text for one in ET.parse(path).getroot().iter(f"{SVG}text")]


def test_an_elevation_of_two_racks_has_what_stands_in_them_and_nothing_else(design, tmp_path):
    path = written(design, tmp_path, "svg", view="elevation", racks="net-01,rack-01")
    named = set(words(path))
    assert {"net-01", "rack-01", "leaf-su1-r1", "gpu-001", "Row A (front)"} <= named
    assert not {"net-02", "rack-02", "gpu-005", "Row B (front)"} & named


def test_the_racks_of_an_elevation_stand_side_by_side(design):
    far = svg_page(design, DiagramOptions(view="elevation", racks=("rack-01", "rack-08")))
    near = svg_page(design, DiagramOptions(view="elevation", racks=("rack-01", "rack-02")))
    assert far.area[2] == near.area[2]


def test_from_the_rear_the_backs_of_devices_are_hatched(design, tmp_path):
    front = written(design, tmp_path, "svg", view="elevation", racks="rack-01").read_text()
    rear = written(design, tmp_path, "svg", view="elevation", racks="rack-01", side="rear").read_text()
    assert "hatch" not in front
    assert rear.count('fill="url(#hatch-') == 4
    assert "Row A (rear)" in rear


def test_a_floor_plan_names_every_rack_and_says_nothing_of_dragging(design, tmp_path):
    path = written(design, tmp_path, "svg", view="floor")
    named = words(path)
    assert {rack.name for rack in design.racks.values()} <= set(named)
    assert not [one for one in named if "drag" in one]


def test_the_canvas_of_a_rack_has_its_devices_alone(design, tmp_path):
    named = set(words(written(design, tmp_path, "svg", racks="rack-01")))
    assert {"gpu-001", "gpu-004"} <= named
    assert "gpu-005" not in named


@pytest.mark.parametrize("view", ["floor", "elevation"])
def test_svg_pdf_and_png_are_written_of_every_view(design, qapp, tmp_path, view):
    svg = written(design, tmp_path, "svg", view=view, racks="rack-01")
    pdf = written(design, tmp_path, "pdf", view=view, racks="rack-01")
    png = written(design, tmp_path, "png", view=view, racks="rack-01", width="300")
    assert svg.read_bytes().startswith(b"<?xml")
    assert pdf.read_bytes().startswith(b"%PDF")
    assert png.read_bytes()[16:20] == (300).to_bytes(4, "big")


def test_a_rack_that_is_not_there_is_named(design, tmp_path):
    with pytest.raises(ExportError, match="no rack 'A9'"):
        written(design, tmp_path, "svg", view="floor", racks="A9")
    with pytest.raises(ExportError, match="no rack 'A9'"):
        drawing_pages(design, DrawingOptions(racks=("A9",)))
    with pytest.raises(ExportError, match="no racks"):
        written(document.load(SUPERPOD.with_name("fat-tree-16-2to1.fabric")), tmp_path, "svg", view="floor")


def test_findings_mark_the_racks_and_devices_they_are_about(tmp_path):
    faults, design = document.load(SUPERPOD.with_name("faults.fabric")), document.load(SUPERPOD)
    place = design.placements[next(iter(design.servers())).id]
    design.apply(Edit("Above the top", (Change(place, replace(place, unit=42)),)))
    for view, checked in (("floor", faults), ("elevation", design)):
        plain = written(checked, tmp_path, "svg", view=view).read_text()
        marked = written(checked, tmp_path, "svg", view=view, findings="yes").read_text()
        assert marked.count('stroke="#c0362c"') > plain.count('stroke="#c0362c"')


def test_a_page_as_svg_has_layers_and_the_size_of_its_paper(design, tmp_path):
    path = written(design, tmp_path, "drawings", ".svg", paper="a3", page="2", sheets="index,floor")
    root = ET.parse(path).getroot()
    assert (root.get("width"), root.get("height")) == ("420mm", "297mm")
    layers = [one.get(f"{INKSCAPE}label") for one in root.findall(f"{SVG}g")]
    assert layers == [
        "Paper",
        "Floor plan",
        "Cables from row to row",
        "Dimensions",
        "Scale",
        "Notes",
        "Frame and title block",
    ]
    clips = {one.get("id") for one in root.iter(f"{SVG}clipPath")}
    assert {re.search(r"#(.+)\)", one.get("clip-path"))[1] for one in root.iter() if one.get("clip-path")} == clips
    with pytest.raises(ExportError, match="no page 9: the set has 2 pages"):
        written(design, tmp_path, "drawings", ".svg", page="9", sheets="index,floor")


def test_the_title_block_takes_what_the_options_state_before_what_the_design_does(design):
    made = document.load(SUPERPOD)
    options = DrawingOptions(sheets=("index",), project="Aurora", revision="C", date="2026-12-01")
    block = drawing_pages(made, options)[0].block
    assert (block.project, block.revision, block.date, block.customer) == ("Aurora", "C", "2026-12-01", "")
    assert replace(block, project="", revision="", date="").design == made.name


def test_every_page_of_a_set_has_the_drawing_number_of_the_design_or_the_options(design):
    made = document.load(SUPERPOD)
    made.apply(operations.set_settings(made, drawing_number="FD-1001"))
    for options, number in ((DrawingOptions(), "FD-1001"), (DrawingOptions(drawing_number="X-7"), "X-7")):
        for page in drawing_pages(made, replace(options, sheets=("index", "floor"))):
            block = svg_text(page.area, page.title, "", page.layers()[-1:])
            assert re.search(f"Drawing number</text>.*>{number}</text>", block, re.DOTALL)
            assert f"{page.number} of {page.of}" in block


def test_the_preview_has_the_pages_that_are_written(design):
    exporter = FORMATS["drawings"]
    shown = exporter.pages(design, DrawingOptions(sheets=("floor",), paper="a1"), lambda _share: None)
    assert [(page.title, page.width_mm, page.height_mm) for page in shown] == [("Floor plan", 841.0, 594.0)]


def page_words(page):
    return [text.text for group in page.layers() for text in group.parts if isinstance(text, Text)]


def revised(number):
    made = document.load(SUPERPOD)
    made.apply(record(made, RevisionOptions(revision=number, date="2026-11-01", author="Kim")))
    return made


def test_the_title_block_has_the_recorded_revision_until_the_design_changes():
    made = revised("A")
    block = drawing_pages(made, DrawingOptions(sheets=("index",)))[0].block
    assert (block.revision, block.date, block.author) == ("A", "2026-11-01", "Kim")
    rack = next(iter(made.racks.values()))
    made.apply(Edit("Move", (Change(rack, replace(rack, x_m=30.0)),)))
    block = drawing_pages(made, DrawingOptions(sheets=("index",)))[0].block
    assert (block.revision, block.date) == ("after A", "not issued")
    block = drawing_pages(made, DrawingOptions(sheets=("index",), revision="B"))[0].block
    assert block.revision == "B"


def test_every_page_says_which_design_it_is_of_and_that_nobody_has_issued_it(design):
    made = document.load(SUPERPOD)
    digest = design_digest(made)[:12]
    book = drawing_pages(made, DrawingOptions(sheets=("index", "overview", "racks"), racks=("rack-01",)))
    for page in book:
        stated = page_words(page)
        assert {digest, "Preliminary, not for construction"} <= set(stated), page.title
        assert stated.count("not issued") == 2  # revision and date
    assert "Preliminary, not for construction: no revision is recorded" in page_words(book[0])
    again = drawing_pages(document.load(SUPERPOD), DrawingOptions(sheets=("index",)))[0]
    assert again.block == book[0].block


def test_an_issued_set_is_not_preliminary_and_one_with_open_points_says_so():
    made = revised("A")
    block = drawing_pages(made, DrawingOptions(sheets=("index",)))[0].block
    assert (block.status, block.reason) == ("Issued with open points", ""), "the port side of devices is to be decided"
    assert issue_stated(made).with_open_points(are_open=False).status == "Issued"
    rack = next(iter(made.racks.values()))
    made.apply(Edit("Move", (Change(rack, replace(rack, x_m=30.0)),)))
    block = drawing_pages(made, DrawingOptions(sheets=("index",)))[0].block
    assert block.reason == "Preliminary, not for construction: the design was changed since revision A"
    block = drawing_pages(made, DrawingOptions(sheets=("index",), revision="B"))[0].block
    assert (block.status, block.date) == ("Issued with open points", "not stated")
    faults = document.load(SUPERPOD.with_name("faults.fabric"))
    block = drawing_pages(faults, DrawingOptions(sheets=("index",), revision="B", date="2026-12-01"))[0].block
    assert (block.status, block.date) == ("Issued with open points", "2026-12-01")


def test_what_changed_since_a_revision_has_pages_of_its_own():
    made = revised("A")
    link = next(iter(made.links.values()))
    made.apply(Edit("Remove", (Change(link, None),)))
    book = drawing_pages(made, DrawingOptions(sheets=("index", "revisions"), since="A"))
    assert [page.title for page in book] == ["Index", "Revisions", "Changes since revision A of 2026-11-01"]
    stated = page_words(book[2])
    assert "Remove 1 cable; 2,039 cables unchanged" in stated
    assert {"remove", cable_name(link.cable), "not in the new plan"} <= set(stated)
    with pytest.raises(ExportError, match="no revision 'Z'"):
        drawing_pages(made, DrawingOptions(since="Z"))


def test_open_points_say_why_something_is_unknown(design):
    faults, design = document.load(SUPERPOD.with_name("faults.fabric")), document.load(SUPERPOD)
    book = drawing_pages(faults, DrawingOptions(sheets=("open-points",)))
    stated = page_words(book[0])
    gaps = plan_gaps_of(faults)
    assert gaps.missing and gaps.statement in stated
    assert "no cable type" in stated  # each cable has a number
    assert {gap.what for gap in gaps.gaps} - {"no cable"} <= set(stated)
    to_decide = drawing_pages(design, DrawingOptions(sheets=("index", "open-points")))
    assert [page.title for page in to_decide] == ["Index", "Open points"]
    assert {"port side", "no reserve"} <= set(page_words(to_decide[1]))
    first = [one for group in to_decide[0].layers() if group.id == "warning" for one in group.parts]
    colours = {one.text.partition(".")[0]: one.colour for one in first if isinstance(one, Text)}
    assert colours == {
        "Preliminary, not for construction: no revision is recorded": LIGHT.error,
        f"{all_of([gap.counted for gap in plan_gaps_of(design).of_parts])} have no part number": LIGHT.error,
    }


def test_planning_and_drawing_report_progress_and_can_be_stopped(design, qapp, tmp_path):
    heard = []
    options = DrawingOptions(sheets=("racks", "switches"), racks=("net-01",))
    FORMATS["drawings"].write(design, tmp_path / "x.pdf", options, heard.append)
    assert heard == sorted(heard)
    assert heard[0] == 0.0 and heard[-1] == 1.0
    assert any(share < 0.2 for share in heard[1:]) and any(0.2 < share < 1 for share in heard)

    def stop(_share):
        raise Cancelled

    with pytest.raises(Cancelled):
        drawing_pages(design, options, stop)


def texts(page):
    return [one.text for group in page.layers() for one in group.parts if isinstance(one, Text)]


def test_the_first_page_counts_open_errors_and_warnings():
    oversubscribed = document.load(SUPERPOD.with_name("fat-tree-16-2to1.fabric"))
    warned = texts(drawing_pages(oversubscribed, DrawingOptions())[0])
    assert "Open findings of the validation: 4 errors" in warned
    assert "Servers" in warned and "Racks" not in warned


def test_the_first_page_says_nothing_of_findings_where_none_is_open(design):
    shown = texts(drawing_pages(design, DrawingOptions())[0])
    assert not [one for one in shown if one.startswith("Open findings")]
    assert "Racks" in shown and "Servers" not in shown


def test_the_first_page_says_what_routed_lengths_cover(design):
    shown = " ".join(texts(drawing_pages(design, DrawingOptions())[0]))
    covered = lengths_cover(design)
    assert covered and all(one in shown for one in covered)
    unplaced = document.load(SUPERPOD.with_name("fat-tree-16-2to1.fabric"))
    assert "port face" not in " ".join(texts(drawing_pages(unplaced, DrawingOptions())[0]))
