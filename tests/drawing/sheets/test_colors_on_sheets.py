"""What devices are colored by holds on the pages of racks and of the floor too, and each page explains it."""

from pathlib import Path

import pytest
from reading import parts_of, texts, words

from designer.drawing.display_list import Key, Swatch
from designer.drawing.parts.primitives import Rect
from designer.drawing.sheets.book import room_of
from designer.drawing.sheets.contents import KEY_LINE, MOST_KEYS, in_lines, keys_in, lines_of
from designer.drawing.sheets.pages import pages
from designer.drawing.sheets.paper import paper_of
from designer.drawing.theme import LIGHT
from designer.exchange.pack.summary import _racks
from designer.model import operations
from designer.model.looks import colour_devices
from designer.model.operations import delete
from designer.storage import document

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture
def design():
    return document.load(EXAMPLES / "superpod-h100-4su.fabric")


def by(design, key, **options):
    design.apply(operations.set_settings(design, color_devices_by=key))
    return pages(design, which=("index", "racks", "floor"), **options)


def first(book, section, title=""):
    return next(page for page in book if page.section == section and title in page.title)


def layer(page, name):
    return next(group for group in page.layers() if group.id == name)


def fills(page, name):
    parts = parts_of([layer(page, name)])
    return {part.ink.colour for part in parts if isinstance(part, Rect) and part.ink is not None}


def test_pages_of_racks_and_floor_have_the_colors_of_the_canvas_and_say_what_they_mean(design):
    assert all(group.id != "legend" for page in by(design, "kind")[1:] for group in page.layers())
    book = by(design, "unit")
    one, other = first(book, "racks", "rack-01:"), first(book, "racks", "rack-09:")
    assert (words(one, "legend"), words(other, "legend")) == (["Unit 1"], ["Unit 2"])
    for page in (one, other):
        assert fills(page, "legend") <= fills(page, "front"), "what is explained is what is drawn"
    assert not fills(one, "legend") & fills(other, "legend")
    floor = first(book, "floor")
    assert words(floor, "legend") == ["Unit 1", "Unit 2", "Unit 3", "Unit 4", "No unit"]
    stripes = {part.ink.colour for part in parts_of([layer(floor, "legend")]) if getattr(part, "width", 0) == 3.0}
    assert len(stripes) == 5 and stripes <= fills(floor, "floor")


def test_the_index_explains_what_the_drawings_are_colored_by_and_patterns_after_that(design):
    assert words(by(design, "kind")[0], "legend") == ["server", "leaf", "spine", "reserved"]
    assert words(by(design, "unit")[0], "legend") == ["Unit 1", "Unit 2", "Unit 3", "Unit 4", "No unit", "reserved"]


def test_the_index_names_kinds_and_colors_of_their_own_where_both_are_drawn(design):
    design.apply(colour_devices(design, [next(iter(design.devices))], "#c03060"))
    named = words(by(design, "kind")[0], "legend")
    assert named[:3] == ["server", "leaf", "spine"] and len(named) == 5


def test_sheets_by_status_show_what_is_found_wrong_in_the_design(design):
    leaf = next(one for one in design.devices.values() if one.name == "leaf-su1-r1")
    whole = words(first(by(design, "status"), "racks", "net-01:"), "legend")
    design.apply(delete(design, [link.id for link in design.links_of(leaf.id)]))
    assert words(first(by(design, "status"), "racks", "net-01:"), "legend") == [*whole, "Warning"]


@pytest.mark.parametrize("orientation", ["landscape", "portrait"])
@pytest.mark.parametrize("section", ["racks", "floor"])
def test_a_legend_stands_below_what_it_explains_and_within_the_page(design, orientation, section):
    paper = paper_of(orientation=orientation)
    page = first(by(design, "type", paper=paper), section)
    _, top, _, bottom = room_of(paper)
    legend = layer(page, "legend")
    above = min(part.y for part in parts_of([legend]) if isinstance(part, Rect))
    drawn = {"racks": ("front", "equipment", "cables"), "floor": ("dimensions", "scale")}[section]
    lows = [one.y for group in page.layers() if group.id in drawn for one in texts([group])]
    assert top < max(lows) <= above
    notes = [one.y - one.size for group in page.layers() if group.id == "notes" for one in texts([group])]
    assert max(one.y for one in texts([legend])) <= min([bottom, *notes])


def test_a_legend_of_very_many_colors_counts_the_rest_and_takes_the_lines_it_says():
    swatches = tuple(Swatch(f"#{number:06x}", f"Unit {number}") for number in range(MOST_KEYS + 7))
    keys = list(keys_in([Key("Devices by unit", swatches, is_of_links=False)], LIGHT))
    parts = list(in_lines(keys, 0.0, 0.0, 300.0, LIGHT))
    written = list(texts(parts))
    assert [one.text for one in written][-2:] == [f"Unit {MOST_KEYS - 1}", "and 7 more"]
    assert lines_of(keys, 300.0) == len({one.y for one in written})
    assert max(one.y for one in written) < lines_of(keys, 300.0) * KEY_LINE
    assert lines_of([], 300.0) == 0


def test_pictures_of_racks_in_a_pack_are_colored_as_chosen_and_say_what_that_means(design):
    assert "Devices by" not in "".join(_racks(design))
    by(design, "unit")
    pictures = [one for one in _racks(design) if "<svg" in one]
    assert all("Devices by scalable unit or pod" in one for one in pictures)
    assert ">Unit 1<" in pictures[0] and ">Unit 2<" not in pictures[0]
