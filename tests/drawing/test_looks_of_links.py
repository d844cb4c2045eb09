"""Looks that links were given: over what they are colored by, where all links of a line share them, below heat."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer.drawing import own_looks
from designer.drawing.camera import Camera
from designer.drawing.colour_by import ColourClass, Marks
from designer.drawing.composition import Composition
from designer.drawing.display_list import COLOURED_WIDTH
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.own_looks import LEAST_WIDTH
from designer.drawing.parts import links as link_parts
from designer.drawing.parts.links import links
from designer.drawing.parts.primitives import Lines
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_svg import svg_of
from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawio import drawio_text
from designer.exchange.graphs.drawn import bundles
from designer.exchange.graphs.options import DrawioOptions
from designer.model import operations
from designer.model.annotation_styles import change_lines, change_style, delete_style, make_style
from designer.model.edit import Change, Edit
from designer.model.removing import delete
from designer.storage import document

SINGLES, BUNDLES = Detail(LinkDetail.SINGLES), Detail(LinkDetail.BUNDLES)
ORANGE = "#d55e00"


@pytest.fixture(scope="module")
def example():
    return document.load(Path(__file__).resolve().parents[2] / "examples" / "fat-tree-16-2to1.fabric")


@pytest.fixture
def composition(example):
    return Composition(example.snapshot())


def do(composition, edit):
    composition.design.apply(edit)
    composition.follow(edit)
    return edit


def bundle(design, number=0):
    """All links between the two devices of a link."""
    of = list(design.links.values())[number]
    ends = {of.a.device_id, of.b.device_id}
    return [one.id for one in design.links.values() if {one.a.device_id, one.b.device_id} == ends]


def own(picture):
    """Color, width, line and number of the lines with a look of their own."""
    return [
        (one.colour, round(one.width, 2), one.line, len(one.xy))
        for one in picture.strokes()
        if one.line != "solid" or one.colour in (ORANGE, "#0072b2")
    ]


def legend(picture):
    return [(key.title, [(one.text, one.line) for one in key.swatches]) for key in picture.keys]


def test_a_link_has_its_own_look_and_the_legend_names_it(composition):
    ids = bundle(composition.design)
    do(composition, change_lines(composition.design, ids[:1], line_colour=ORANGE, line_style="dashed", line_width=3.0))
    picture = composition.picture(LIGHT, SINGLES)
    assert own(picture) == [(ORANGE, round(2 * COLOURED_WIDTH, 2), "dashed", 1)]
    assert legend(picture) == [("Links by own look", [("#d55e00, 3 wide, dashed", "dashed")])]
    do(composition, make_style(composition.design, ids[:2], "Customer"))
    picture = composition.picture(LIGHT, SINGLES)
    assert own(picture)[0][3] == 2
    assert legend(picture) == [("Links by own look", [("Customer", "dashed")])]


def test_a_line_is_of_links_that_look_alike(composition):
    design = composition.design
    ids = bundle(design)
    do(composition, change_lines(design, ids[:-1], line_colour=ORANGE))
    do(composition, change_lines(design, ids, line_style="dashed"))
    seen = [one for one in composition.picture(LIGHT, BUNDLES).strokes() if one.line == "dashed"]
    assert [len(one.xy) for one in seen] == [1, 1], "all but one are orange: they share one line, it has its own"
    assert [one.colour == ORANGE for one in seen].count(True) == 1
    do(composition, change_lines(design, ids[-1:], line_colour=ORANGE))
    assert own(composition.picture(LIGHT, BUNDLES)) == [(ORANGE, COLOURED_WIDTH, "dashed", 1)]
    do(composition, change_lines(design, ids[:1], line_style="solid"))
    seen = own(composition.picture(LIGHT, BUNDLES))
    assert sorted(seen) == [(ORANGE, COLOURED_WIDTH, "dashed", 1), (ORANGE, COLOURED_WIDTH, "solid", 1)]


def test_it_lies_over_what_links_are_colored_by_and_leaves_the_others(composition):
    design = composition.design
    do(composition, operations.set_settings(design, color_links_by="tier"))
    before = legend(composition.picture(LIGHT, SINGLES))
    do(composition, change_lines(design, bundle(design)[:2], line_colour=ORANGE))
    do(composition, change_lines(design, bundle(design)[2:3], line_style="dotted"))
    picture = composition.picture(LIGHT, SINGLES)
    ((title, classes),) = before
    assert legend(picture) == [(title, [*classes, (ORANGE, "solid"), ("Dotted", "dotted")])]
    (dotted,) = (one for one in picture.strokes() if one.line == "dotted")
    tier = next(one for one in picture.keys[0].swatches if "server" in one.text.lower())
    assert dotted.colour == tier.colour and len(dotted.xy) == 1, "its color is that of its class"
    assert [one[3] for one in own(picture) if one[0] == ORANGE] == [2]
    of_servers = [one.id for one in design.links.values() if design.is_server(one.a.device_id)]
    of_servers = of_servers or [one.id for one in design.links.values() if design.is_server(one.b.device_id)]
    do(composition, change_lines(design, of_servers, line_colour=ORANGE))
    left = [one.text for one in composition.picture(LIGHT, SINGLES).keys[0].swatches]
    assert tier.text not in left and len(left) == 3, "a class of which nothing is drawn is not explained"


def test_it_follows_changes_of_the_style_and_undo(composition):
    design = composition.design
    before = legend(composition.picture(LIGHT, SINGLES))
    made = do(composition, change_lines(design, bundle(design), line_colour=ORANGE))
    styled = do(composition, make_style(design, bundle(design), "Customer"))
    (style,) = design.annotation_styles
    assert own(composition.picture(LIGHT, SINGLES))[0][0] == ORANGE
    do(composition, change_style(design, style, colour="#0072b2"))
    assert own(composition.picture(LIGHT, SINGLES))[0][0] == "#0072b2"
    do(composition, delete_style(design, style))
    picture = composition.picture(LIGHT, SINGLES)
    assert own(picture)[0][0] == "#0072b2" and legend(picture)[0][1] == [("#0072b2", "solid")]
    link = design.links[bundle(design)[0]]
    gone = do(composition, delete(design, [link.id]))
    assert own(composition.picture(LIGHT, SINGLES))[0][3] == len(made.changes) - 1
    do(composition, gone.inverted())
    assert own(composition.picture(LIGHT, SINGLES))[0][3] == len(made.changes)
    bare = [Change(one, replace(one, line_colour="")) for one in design.links.values() if one.line_colour]
    do(composition, Edit("", tuple(bare)))
    assert styled and legend(composition.picture(LIGHT, SINGLES)) == before
    assert composition.picture(LIGHT, SINGLES).coloured.lines is None, "nothing is left to be looked at"


def test_heat_and_comparisons_take_its_place_while_they_are_shown(composition):
    design = composition.design
    ids = bundle(design)
    do(composition, change_lines(design, ids, line_colour=ORANGE, line_style="dashed"))
    heat = Heat(0, dict.fromkeys(design.links, (0.5, 0.5)))
    assert own(composition.picture(LIGHT, SINGLES, heat)) == []
    marks = Marks("Change", (ColourClass("Same", -1), ColourClass("Added", 2)), {ids[0]: 1})
    composition.colouring.show_marks(marks)
    assert own(composition.picture(LIGHT, SINGLES)) == []
    composition.colouring.show_marks(None)
    assert len(own(composition.picture(LIGHT, SINGLES))) == 1


def test_a_few_marked_links_stand_out_among_many_from_afar_and_many_are_as_thin_as_others(composition):
    design = composition.design
    do(composition, change_lines(design, bundle(design), line_colour=ORANGE, line_width=6.0))
    afar = replace(BUNDLES, round_boxes=False)
    assert own(composition.picture(LIGHT, afar)) == [(ORANGE, round(4 * COLOURED_WIDTH, 2), "solid", 1)]


def test_so_many_looks_are_drawn_the_rarest_are_not_and_no_line_vanishes(composition, monkeypatch):
    design = composition.design
    ids = bundle(design)
    do(composition, change_lines(design, ids[:4], line_colour=ORANGE, line_width=0.0))
    do(composition, change_lines(design, ids[4:5], line_colour="#0072b2"))
    widths = {one[0]: one[1] for one in own(composition.picture(LIGHT, SINGLES))}
    assert widths == {ORANGE: round(LEAST_WIDTH * COLOURED_WIDTH, 2), "#0072b2": COLOURED_WIDTH}
    for name in ("MOST_LOOKS", "MOST_MIXES"):
        with monkeypatch.context() as patch:
            patch.setattr(own_looks, name, 1)
            picture = Composition(design).picture(LIGHT, SINGLES)
        assert {one[0] for one in own(picture)} == {ORANGE}
        assert sum(len(one.xy) for one in picture.strokes()) == len(design.links)


def dashed(composition, *, smooth):
    """How many lines are drawn with dashes."""
    sheet = Sheet(Camera(0.3, 0.0, 0.0), (-9000.0, -9000.0, 18000.0, 18000.0), LIGHT, EstimatedRuler(), smooth=smooth)
    picture = composition.picture(LIGHT, SINGLES)
    return sum(len(one.xy) for one in links(picture, sheet) if isinstance(one, Lines) and one.pen.dash)


def test_dashes_stay_while_the_picture_moves_unless_lines_are_many_or_as_thin_as_can_be(composition, monkeypatch):
    design = composition.design
    do(composition, change_lines(design, bundle(design), line_style="dashed", line_width=4.0, line_colour=ORANGE))
    assert dashed(composition, smooth=True) == dashed(composition, smooth=False) == len(bundle(design))
    monkeypatch.setattr(link_parts, "MOST_ARROWS", 1)
    assert (dashed(composition, smooth=True), dashed(composition, smooth=False)) == (len(bundle(design)), 0)
    monkeypatch.setattr(link_parts, "MOST_WIDE", 1)
    assert dashed(composition, smooth=True) == 0
    monkeypatch.undo()
    do(composition, change_lines(design, bundle(design), line_width=1.5))
    assert dashed(composition, smooth=False) == 0, "a pen of no width has no dashes"


def test_pictures_in_files_have_it_too(composition):
    design = composition.design
    ids = bundle(design)
    do(composition, change_lines(design, ids, line_colour=ORANGE, line_style="dotted"))
    made = drawn(design)
    edge = next(one for one in made.edges if one.id == ids[0])
    assert (edge.colour, edge.line) == (ORANGE, "dotted")
    line = next(one for one in bundles(made.edges) if ids[0] in {each.id for each in one.edges})
    assert (line.colour, line.line) == (ORANGE, "dotted")
    svg = svg_of(design)
    assert f'stroke="{ORANGE}"' in svg and "stroke-dasharray" in svg and f"{ORANGE}, dotted" in svg
    text = drawio_text(made, DrawioOptions())
    assert f"strokeColor={ORANGE};" in text and "dashed=1;dashPattern=1 3" in text
    do(composition, change_lines(design, ids[-1:], line_style="solid", line_colour=""))
    lines = {one.colour: [each.id for each in one.edges] for one in bundles(drawn(design).edges)}
    assert lines[ORANGE] == ids[:-1], "the one without it is on a line of its own"
