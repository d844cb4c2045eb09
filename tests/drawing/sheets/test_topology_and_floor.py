"""Topology and floor plan on paper: every device and rack is named on some page, in parts where it must be."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from reading import texts, words

from designer.analysis.topology_text import topology_text
from designer.drawing.parts.primitives import Group, Jump
from designer.drawing.parts.primitives import Path as Line
from designer.drawing.sheets.floor import crossings
from designer.drawing.sheets.pages import pages
from designer.drawing.sheets.paper import paper_of
from designer.drawing.sheets.tiles import tiles
from designer.drawing.sheets.title_block import title_block_of
from designer.drawing.sheets.topology import name_scale, units
from designer.drawing.sheets.unit_notes import runs
from designer.model.annotating import annotate
from designer.model.annotation import CALLOUT, LEGEND, NOTE, TITLE_BLOCK
from designer.model.edit import Change, Edit
from designer.model.furnishing import add_tray
from designer.placement import floor
from designer.placement.trays import TrayRoutes, cross_trays
from designer.storage import document

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SUPERPOD = EXAMPLES / "superpod-h100-4su.fabric"


@pytest.fixture(scope="module")
def design():
    return document.load(SUPERPOD)


@pytest.fixture
def routed():
    loaded = document.load(SUPERPOD)
    crossing = replace(loaded.settings, cross_trays_m=(0.0, 9.0))
    loaded.apply(Edit("Room", (Change(loaded.settings, crossing),)))
    return loaded


def written(book, layer=None):
    return [word for page in book for word in words(page, layer)]


def test_every_device_is_named_whole_on_the_page_of_its_unit(design):
    book = pages(design, which=("overview", "units"))
    assert [page.title for page in book][:3] == ["Topology", "Topology: SU 1", "Topology: SU 2"]
    named = set(written(book[1:], "boxes"))
    assert {one.name for one in design.devices.values()} <= named
    first = words(book[1])
    assert "256 links to 16 spines outside of this picture: spine-01 to spine-16" in first  # the set has no such pages
    assert {"gpu-001", "leaf-su1-r8"} <= set(first)
    assert "gpu-033" not in first


def test_links_out_of_a_unit_name_the_pages_that_list_their_far_ends_and_lead_there(design):
    book = pages(design, which=("units", "racks", "switches"))
    page = next(one for one in book if one.title == "Topology: SU 1")
    spines = [one.number for one in book if one.title.startswith("spine-")]
    note = f"256 links to 16 spines (by port: pages {spines[0]} to {spines[-1]}): spine-01 to spine-16"
    assert note in words(page)
    jumps = [one.page for group in page.layers() if group.id == "notes" for one in group.parts if isinstance(one, Jump)]
    assert jumps == [spines[0]]


def test_the_topology_page_says_what_the_topology_is(design):
    (page, *_) = pages(design, which=("overview",))
    assert topology_text(design).text in " ".join(words(page, "notes"))


def test_the_page_of_a_unit_counts_the_links_inside_it(design):
    book = pages(design, which=("units",))
    page = next(one for one in book if one.title == "Topology: SU 1")
    assert "256 links between 8 leaf switches and 32 servers: 1 link between each leaf and server" in words(
        page, "notes"
    )


def test_the_page_of_each_further_network_says_what_it_is_built_of():
    made = document.load(EXAMPLES / "faults.fabric")
    book = pages(made, which=("overview",))
    page = next(one for one in book if one.title == "Topology: storage network")
    assert words(page, "notes")[0].startswith("Storage: ")
    assert " servers on " in words(page, "notes")[0]


def test_a_note_is_on_the_pages_that_show_what_it_is_pinned_to():
    made = document.load(EXAMPLES / "faults.fabric")
    spine = next(one.id for one in made.switches() if one.role == "spine")
    made.apply(annotate(made, CALLOUT, (0, 0), (2000, 300), text="Core of rails 1-4", pinned_to=spine, size=80.0))
    made.apply(annotate(made, NOTE, (0, 400), (2000, 700), text="Of all networks", size=80.0))
    book = {page.title: set(words(page)) for page in pages(made, which=("overview",))}
    assert {"Core of rails 1-4", "Of all networks"} <= book["Topology: compute network"]
    assert "Of all networks" in book["Topology: storage network"]
    assert "Core of rails 1-4" not in book["Topology: storage network"]


def test_names_that_count_up_are_joined_and_no_others():
    names = ("leaf-01", "leaf-02", "leaf-03", "oob-09", "oob-10", "router-g02-4", "router-g03-1", "10", "11", "ü", "x9")
    assert runs(names) == ["leaf-01 to leaf-03", "oob-09, oob-10", "router-g02-4", "router-g03-1", "10, 11", "ü", "x9"]
    assert runs(()) == []
    assert runs(["1" * 5000, "2" * 5000]) == ["1" * 5000, "2" * 5000]


def test_the_page_of_a_unit_counts_no_ports_as_its_links_to_others_are_not_on_it(design):
    (page, *_) = pages(design, paper_of("a1"), which=("units",))
    assert not [word for word in words(page, "boxes") if "/" in word]


def test_the_overview_says_where_the_names_are_that_it_has_no_room_for(design):
    book = pages(design, which=("index", "overview", "racks", "units"))
    overview = next(page for page in book if page.section == "overview")
    first = next(page.number for page in book if page.section == "units")
    assert f"Names of all devices: from page {first} on" in words(overview)


@pytest.mark.parametrize(
    ("family", "parameters"), [("torus", {"dims": (5, 5, 5)}), ("dragonfly", {"p": 2, "a": 4, "h": 2})]
)
def test_generated_fabrics_are_split_until_every_name_is_read(generated, family, parameters):
    made = generated(family, **parameters)
    book = pages(made, which=("overview", "units"))
    assert {one.name for one in made.devices.values()} <= set(written(book, "boxes"))
    sections = {page.section for page in book}
    assert sections == ({"overview", "units"} if units(made) else {"overview"})


def test_a_picture_in_parts_says_on_which_pages_it_goes_on(generated):
    for family, parameters, subject in (
        ("torus", {"dims": (5, 5, 5)}, "Topology"),
        ("dragonfly", {"p": 4, "a": 16, "h": 1}, "Topology: Group 1"),
    ):
        made = generated(family, **parameters)
        book = pages(made, paper_of("a4", "portrait"), which=("overview", "units"))
        parts = [page for page in book if page.title.startswith(f"{subject}, part ")]
        assert len(parts) > 1
        for page in parts:
            span = f"{parts[0].number} to {parts[-1].number}"
            note = f"Arrows name what links lead to on other pages. This picture is on pages {span}"
            assert words(page, "notes")[0] == note
            bottom = max(clip[1] + clip[3] for group in page.layers() if (clip := group.clip))
            assert (
                bottom
                <= min(one.y - one.size for group in page.layers() if group.id == "notes" for one in texts([group])) + 1
            )


def test_a_small_design_has_one_page_of_topology():
    made = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    book = pages(made, paper_of("a3"), which=("overview", "units"))
    assert [page.title for page in book] == ["Topology"]
    assert {one.name for one in made.devices.values()} <= set(words(book[0], "boxes"))
    assert not [word for word in words(book[0]) if word.startswith("Names of all devices")]


def test_what_is_drawn_is_cut_at_the_frame(design):
    page = pages(design, which=("units",))[0]
    left, top, right, bottom = page.paper.frame
    clips = [group.clip for group in page.layers() if isinstance(group, Group) and group.id in ("links", "boxes")]
    assert len(clips) == 2
    for x, y, width, height in clips:
        assert left <= x and top <= y and x + width <= right and y + height <= bottom


@pytest.mark.parametrize("scale", [0.2, 0.7, 1.3])
def test_tiles_show_all_and_every_box_whole_on_one_of_them(scale):
    bounds, room, box = (-400.0, 30.0, 2900.0, 1200.0), (20.0, 20.0, 780.0, 500.0), (120.0, 44.0)
    found = list(tiles(bounds, room, scale, box))
    assert (len(found) > 1) == (scale > 0.2)
    seen = [one.camera.seen(room[2], room[3]) for one in found]
    seen = [(left + room[0] / scale, top + room[1] / scale, right, bottom) for left, top, right, bottom in seen]
    for x in range(-400, 2780, 60):
        for y in range(30, 1156, 75):
            assert any(
                left <= x + 1e-6 and top <= y + 1e-6 and x + box[0] <= right + 1e-6 and y + box[1] <= bottom + 1e-6
                for left, top, right, bottom in seen
            ), (x, y)
    assert [one.name for one in found][-1] == ("" if len(found) == 1 else f", part {len(found)} of {len(found)}")


def test_longer_names_need_a_larger_scale(design):
    device = next(iter(design.devices.values()))
    changed = document.load(SUPERPOD)
    changed.apply(Edit("Rename", (Change(device, replace(device, name=device.name * 4)),)))
    assert name_scale(changed) > name_scale(design)
    assert name_scale(changed) <= 1.0


def test_the_floor_plan_has_every_rack_its_dimensions_and_a_round_scale(design):
    (page,) = pages(design, which=("floor",))
    assert page.scale == "1:75"
    stated = words(page)
    assert {rack.name for rack in design.racks.values()} <= set(stated)
    assert {"6 m", "8.4 m", "A", "D", "Cold aisle, 1.2 m"} <= set(stated)
    assert stated.count("1.2 m") == 7
    assert "1:75" in words(page, "title-block")


def test_a_metre_of_the_floor_is_drawn_to_the_stated_scale(design):
    (page,) = pages(design, which=("floor",))
    found = {one.text: one for one in texts(page.layers()) if one.text in ("rack-01", "rack-02")}
    apart_m = [abs(design.racks[one].x_m) for one in design.racks if design.racks[one].name in found]
    apart_pt = abs(found["rack-01"].x - found["rack-02"].x)
    assert math.isclose(apart_pt * 25.4 / 72 * 75 / 1000, abs(apart_m[0] - apart_m[1]), rel_tol=1e-3)


def test_a_floor_too_large_for_the_paper_is_drawn_again_in_parts_with_every_name(design):
    wide = document.load(SUPERPOD)
    wide.apply(floor.place_racks(wide, {one: (number * 4.0, 0.0) for number, one in enumerate(wide.racks)}))
    book = pages(wide, which=("floor",))
    assert book[0].scale == "1:1000"
    assert len(book) > 2
    assert {page.scale for page in book[1:]} == {"1:100"}
    for page in book[1:]:
        layers = {group.id: group for group in page.layers()}
        _, top, _, height = layers["floor"].clip
        assert min(one.y for one in texts([layers["scale"]])) - 11 > top + height, "the bar stands below what is drawn"
    assert {rack.name for rack in wide.racks.values()} <= set(written(book[1:], "floor"))


def test_the_page_says_whether_trays_are_assumed(design):
    (page,) = pages(design, which=("floor",))
    assert [one for one in words(page, "notes") if one.startswith("Bands over racks: assumed trays at 2.7 m, named ")]
    laid = design.snapshot()
    laid.apply(add_tray(laid, [(0.0, 0.0), (9.0, 0.0)]))
    (page,) = pages(laid, which=("floor",))
    assert [one for one in words(page, "notes") if one.startswith("Bands over racks: trays at 2.7 m, as drawn")]


def test_trays_are_drawn_over_the_racks_and_cross_trays_are_named(routed):
    (page,) = pages(routed, which=("floor",))
    assert [one.name for one in cross_trays(routed)] == ["X1", "X2"]
    assert {"X1 at 0 m", "X2 at 9 m"} <= set(words(page, "trays"))
    parts = [part for group in page.layers() if group.id == "floor" for part in group.parts]
    bands = [number for number, part in enumerate(parts) if isinstance(part, Line) and part.pen and part.pen.alpha < 1]
    racks = [number for number, part in enumerate(parts) if isinstance(part, Group)]
    assert len(bands) == 6  # four rows, two cross trays
    assert min(bands) > max(racks)


def test_cables_that_cross_over_racks_are_drawn_where_their_routes_say_and_trays_take_their_place(design, routed):
    found = crossings(design)
    assert found
    routes = TrayRoutes(design)
    over = {text.split(" over ")[1] for link in design.links.values() if " over " in (text := routes.of_link(link))}
    assert over
    assert {x for x, _, _ in found} == {rack.x_m for rack in design.racks.values() if rack.name in over}
    assert all(low < high for _, low, high in found)
    assert crossings(routed) == ()
    page = next(one for one in pages(design, which=("floor",)))
    (lines,) = next(group for group in page.layers() if group.id == "crossings").parts
    assert len(lines.xy) == len(found)
    assert any("dashed: where cables cross" in one for one in words(page, "notes"))


def test_the_route_of_a_cable_names_its_trays(routed, design):
    by_rows = {}
    for made in (routed, design):
        routes = TrayRoutes(made)
        by_rows[made] = {routes.of_link(link) for link in made.links.values()}
    assert {"A", "B > X1 > C", "A > X1 > C"} <= by_rows[routed] | {"B > X1 > C", "A > X1 > C"}
    assert any(" > X" in one for one in by_rows[routed])
    assert {"A", "A > C over net-05", "C"} <= by_rows[design]
    racks = list(design.racks)
    taken = document.load(SUPERPOD)
    taken.apply(floor.place_racks(taken, {racks[0]: None}))
    assert "unknown" in {TrayRoutes(taken).of_link(link) for link in taken.links.values()}


def test_a_design_without_racks_on_a_floor_has_no_floor_plan():
    made = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    assert {page.section for page in pages(made)} == {"index", "overview", "racks", "switches", "cables"}


def test_the_scale_of_the_floor_holds_on_large_paper_too(design):
    (page,) = pages(design, paper_of("a1"), which=("floor",))
    found = {one.text: one.x for one in texts(page.layers()) if one.text in ("rack-01", "rack-02")}
    apart_mm = abs(found["rack-01"] - found["rack-02"]) / page.area[2] * page.width_mm
    assert apart_mm * int(page.scale.removeprefix("1:")) == pytest.approx(600, rel=0.01)


def test_an_overview_that_bears_all_names_sends_nobody_elsewhere_for_them(generated):
    made = generated("dragonfly", p=1, a=2, h=1)
    book = pages(made, paper_of("a3"), which=("overview", "units"))
    assert units(made) and {one.name for one in made.devices.values()} <= set(words(book[0], "boxes"))
    assert not [word for word in words(book[0]) if word.startswith("Names of all devices")]


@pytest.mark.parametrize("which", ["superpod-h100-4su", "faults"])
def test_a_page_has_its_own_title_block_and_legend_alone(which):
    """Those on the canvas would state another sheet, and explain colors again; all other annotations are drawn."""
    made = document.load(EXAMPLES / f"{which}.fabric")
    made.apply(Edit("Number", (Change(made.settings, replace(made.settings, drawing_number="NW-1")),)))
    made.apply(annotate(made, NOTE, (0.0, 0.0), (900.0, 400.0), text="Agreed", size=80.0))
    of = {"which": ("overview",), "title_block": title_block_of(made)}
    before = [words(page) for page in pages(made, **of)]
    made.apply(annotate(made, TITLE_BLOCK, (9000.0, 9000.0), (9300.0, 9200.0)))
    made.apply(annotate(made, LEGEND, (-9300.0, 9000.0), (-9000.0, 9200.0)))
    assert any(one.startswith("Agreed") for page in before for one in page)
    assert [words(page) for page in pages(made, **of)] == before
