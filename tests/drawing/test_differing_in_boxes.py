"""Two designs that are compared: boxes for many say how many devices in them are added, removed or changed."""

import pytest
from drawn_texts import texts

from designer.analysis.comparing import compare
from designer.analysis.new_designs import new_design
from designer.catalog.catalog import load
from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken, corners_of
from designer.drawing.folding.levels import Levels
from designer.drawing.parts.picture import layers
from designer.drawing.parts.row_captions import differing_plates, titles_of, written
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.exchange.comparison.marking import both, marked_changes
from designer.model import collapsing, operations, removing
from designer.regeneration.recipes import family_named

VIEW = 1000.0, 600.0


def unit_fabric(catalog, oversubscription):
    """Eight units of 32 servers under 16 spines or 32."""
    values = {"servers": 256, "servers_per_su": 32, "oversubscription": oversubscription}
    return new_design(family_named("rail-optimized"), values, catalog, "", "none").design


@pytest.fixture(scope="module")
def designs():
    catalog = load()
    return unit_fabric(catalog, 2), unit_fabric(catalog, 1)


def drawn(design, marks):
    """The drawing from afar in the colors of a comparison, its picture and its sheet."""
    whole = Composition(design)
    whole.colouring.show_marks(marks)
    camera = fitting(whole.bounds, *VIEW)
    composition = Levels(whole).at(camera.scale)
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
    return composition, picture, Sheet.of_view(Viewport(camera, *VIEW), LIGHT, EstimatedRuler())


def said(composition, picture):
    return {composition.projection.title_at(row): text for row, (text, _) in picture.differing_in.items()}


def test_a_tier_says_how_many_switches_only_the_other_design_has(designs):
    few, many = designs
    marked = marked_changes(few, compare(few, many), ("few", "many"))
    composition, picture, sheet = drawn(few, marked.marks)
    assert said(composition, picture) == {"16 spines": "+16"}
    assert "+16" in texts(layers(picture, sheet))
    composition, picture, sheet = drawn(both(few, marked), marked.marks)
    assert said(composition, picture) == {"32 spines": "+16"}, "in a picture of both they are drawn, and counted once"
    assert "+16" in texts(layers(picture, sheet))


def test_a_tier_says_how_many_switches_the_other_design_has_not(designs):
    few, many = designs
    composition, picture, _ = drawn(many, marked_changes(many, compare(many, few), ("many", "few")).marks)
    assert said(composition, picture) == {"32 spines": "\N{MINUS SIGN}16"}


def test_a_unit_says_what_is_removed_and_changed_in_it_in_the_color_that_counts_most(designs):
    before, after = designs[0], designs[0].snapshot()
    servers = [one.id for one in before.devices.values() if before.is_server(one.id)]
    after.apply(removing.delete(after, servers[:2]))
    after.apply(operations.rename(after, servers[2], "login"))
    marks = marked_changes(before, compare(before, after), ("before", "after")).marks
    composition, picture, _ = drawn(before, marks)
    assert said(composition, picture) == {"SU 1": "\N{MINUS SIGN}2 ~1"}
    (colour,) = {colour for _, colour in picture.differing_in.values()}
    composition, picture, _ = drawn(after, marked_changes(after, compare(after, before), ("after", "before")).marks)
    assert said(composition, picture) == {"SU 1": "+2 ~1"}
    assert {other for _, other in picture.differing_in.values()} != {colour}


def test_collapsed_by_hand_it_says_the_same(designs):
    few, many = (one.snapshot() for one in designs)
    marked = marked_changes(few, compare(few, many), ("few", "many"))
    few.apply(collapsing.collapse_all(few))
    composition = Composition(few)
    composition.colouring.show_marks(marked.marks)
    picture = composition.picture(LIGHT, composition.detail_at(1.0))
    assert list(said(composition, picture).values()) == ["+16"]


def test_plates_cover_no_box_and_no_title_and_texts_of_links_keep_off_them(designs):
    few, many = designs
    _, picture, sheet = drawn(many, marked_changes(many, compare(many, few), ("many", "few")).marks)
    (plate,) = differing_plates(picture, sheet).values()
    taken = Taken(corners_of(sheet.boxes(picture.boxes)))
    for place in titles_of(picture, sheet):
        taken.take(*place)
    assert taken.is_free(*plate.place)
    x, y, width, height = plate.place
    assert [x, y, x + width, y + height] in written(picture, sheet).tolist()


def test_without_a_comparison_boxes_say_nothing(designs):
    composition, picture, _ = drawn(designs[0], None)
    assert not said(composition, picture)
