"""Wide units on paper: blocks that no link joins share a page, every link is on one, and all of it can be read."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import parts_of, texts, words

from designer.catalog.catalog import load
from designer.drawing.parts.primitives import Group, Jump, Text
from designer.drawing.parts.primitives import Path as Line
from designer.drawing.sheets.lettering import LEAST_SIZE
from designer.drawing.sheets.pages import pages
from designer.drawing.sheets.paper import paper_of
from designer.drawing.sheets.tiles import fitting_scale
from designer.drawing.sheets.topology import units
from designer.drawing.sheets.unit_blocks import APART, BETWEEN
from designer.drawing.sheets.unit_blocks import _best as best_of
from designer.drawing.sheets.unit_blocks import _pages as shown_by
from designer.model.design import Design
from designer.topologies.presets import family_of, parameters_of, preset_named

RACKS = "dgx-superpod-gb200-4su-fabric"
"""Four units, each of eight racks, and in each rack 18 trays on four leaf switches that are in no other."""
ONE_ROW = "dgx-superpod-h100-1su"
"""One unit, with its servers in one row on the canvas."""
SUITED = "dgx-superpod-h100-4su"
"""Four units that stand on the canvas in rows of eight, as on their pages."""
PAPERS = ("a3", 1, 1), ("a4", 2, 1), ("letter", 2, 1)
"""Paper, and on how many pages of it a unit of each of the two is."""


@cache
def published(name):
    preset, design = preset_named(name), Design()
    design.apply(family_of(preset).build(design, parameters_of(preset), load()))
    return design


@cache
def unit_pages(name, paper):
    """The pages of all units of a published design, and those of the first unit."""
    design = published(name)
    book = pages(design, paper_of(paper), which=("units",))
    unit = units(design)[0].name
    return book, [page for page in book if page.title.split(",")[0] == f"Topology: {unit}"]


def in_first_unit(design):
    return {one.id for one in design.devices.values() if one.group_id == units(design)[0].id}


def layer(page, name):
    return [one for group in page.layers() if group.id == name for one in parts_of(group.parts)]


@pytest.mark.parametrize(("paper", "n_racks_pages", "n_row_pages"), PAPERS)
def test_both_ends_of_every_link_in_a_wide_unit_are_named_on_one_page(paper, n_racks_pages, n_row_pages):
    for name, count in ((RACKS, n_racks_pages), (ONE_ROW, n_row_pages)):
        design = published(name)
        _, own = unit_pages(name, paper)
        assert len(own) == count
        named = [set(words(page, "boxes")) for page in own]
        inside = in_first_unit(design)
        links = [one for one in design.links.values() if {one.a.device_id, one.b.device_id} <= inside]
        assert links
        for link in links:
            ends = {design.devices[link.a.device_id].name, design.devices[link.b.device_id].name}
            assert any(ends <= on_page for on_page in named)


@pytest.mark.parametrize("paper", [paper for paper, *_ in PAPERS])
def test_every_switch_of_a_wide_unit_has_an_arrow_to_the_pages_that_show_its_spines(paper):
    for name in (RACKS, ONE_ROW):
        design = published(name)
        book, own = unit_pages(name, paper)
        inside, named = in_first_unit(design), {page.number: set(words(page, "boxes")) for page in book}
        for page in own:
            switches = [one for one in design.switches() if one.id in inside and one.name in named[page.number]]
            heads = [one for one in layer(page, "connectors") if isinstance(one, Line) and one.closed]
            assert len(heads) == len(switches) > 0
            leads = {one.page for one in layer(page, "connectors") if isinstance(one, Jump)}
            ends = (end for one in switches for link in design.links_of(one.id) for end in (link.a, link.b))
            spines = {design.devices[end.device_id].name for end in ends if end.device_id not in inside}
            assert spines <= set().union(*(named[number] for number in leads))


@pytest.mark.parametrize("paper", [paper for paper, *_ in PAPERS])
def test_no_letter_of_a_wide_unit_is_smaller_than_what_can_be_read(paper):
    for name in (RACKS, ONE_ROW):
        _, own = unit_pages(name, paper)
        for page in own:
            sizes = [one.size for one in texts(page.layers())]
            assert sizes
            assert min(sizes) >= LEAST_SIZE


def test_a_wide_unit_fills_more_of_its_page_than_a_strip():
    _, (page,) = unit_pages(RACKS, "a3")
    (boxes,) = (group for group in page.layers() if group.id == "boxes")
    _, top, _, height = boxes.clip
    tops = [one.at[1] for kind in boxes.parts for one in kind.parts]
    assert max(tops) - min(tops) > 0.7 * height
    assert min(tops) >= top


def test_a_unit_that_suits_its_page_stays_as_on_the_canvas():
    design = published(SUITED)
    _, (page,) = unit_pages(SUITED, "a4")
    (boxes,) = (group for group in page.layers() if group.id == "boxes")
    tops = sorted({round(one.at[1]) for kind in boxes.parts for one in kind.parts})
    servers = [one for one in design.servers() if one.id in in_first_unit(design)]
    stood = sorted({design.placements[one.id].y for one in servers})
    scale = (tops[-1] - tops[1]) / (stood[-1] - stood[0])
    assert [round(tops[1] + scale * (y - stood[0])) for y in stood] == pytest.approx(tops[1:], abs=1)


SIZES = st.tuples(st.integers(96, 1500), st.integers(44, 900))
ROOMS = st.tuples(st.integers(400, 1200), st.integers(300, 900))


@given(blocks=st.lists(SIZES, min_size=1, max_size=9), room=ROOMS, named=st.floats(0.25, 0.6))
def test_blocks_keep_apart_and_each_is_whole_on_a_page_where_names_can_be_read(blocks, room, named):
    _, places = best_of({1: blocks}, room, named, 1.0)
    rects = [(one.page, one.x, one.y, one.x + w, one.y + h) for one, (w, h) in zip(places, blocks, strict=True)]
    for place, (page, left, top, right, bottom) in enumerate(rects):
        for other in rects[place + 1 :]:
            beside = other[1] >= right + BETWEEN or other[3] + BETWEEN <= left
            assert page != other[0] or beside or other[2] >= bottom + BETWEEN or other[4] + BETWEEN <= top
    shown = list(shown_by(places, blocks))
    for page, left, top, right, bottom in rects:
        seen = shown[page]
        assert seen[0] <= page * APART + left and page * APART + right <= seen[2]
        assert seen[1] <= top and bottom <= seen[3]
    if len(shown) > 1:
        assert min(fitting_scale(page, (0.0, 0.0, *room), 1.0) for page in shown) >= named * 0.999


@given(rows=st.integers(1, 30), room=ROOMS)
def test_blocks_take_the_fewest_pages_that_any_number_of_server_rows_allows(rows, room):
    sizes = {count: [(120.0 * -(-rows // count), 68.0 * count)] * 3 for count in range(1, rows + 1)}
    n_pages = {count: best_of({count: of}, room, 0.3, 1.0)[1][-1].page + 1 for count, of in sizes.items()}
    chosen, places = best_of(sizes, room, 0.3, 1.0)
    assert places[-1].page + 1 == min(n_pages.values()) == n_pages[chosen]


def letters(parts, zoom=1.0):
    """Sizes of all letters."""
    for part in parts:
        if isinstance(part, Group):
            yield from letters(part.parts, zoom * part.zoom)
        elif isinstance(part, Text) and part.text.strip():
            yield part.size * zoom, part.text


@pytest.mark.parametrize("paper", ["a3", "a4"])
@pytest.mark.parametrize("which", [("overview", "units"), ("switches", "floor")])
def test_letters_of_every_page_are_six_points_at_least(paper, which):
    for name in (SUITED, "dgx-superpod-gb200-1su-fabric"):
        for page in pages(published(name), paper_of(paper), which=which):
            for size, text in letters(page.layers()):
                assert size * page.paper.unit_pt >= 6, (page.title, text)
