"""Cells of a matrix: colors of the heat, the hottest from afar, marks, texts that fit, headings that stay."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drawn_texts import texts

from designer.analysis.matrix import matrix_of
from designer.analysis.matrix_axes import Axes
from designer.drawing.camera import Camera
from designer.drawing.display_list import CONGESTED_CLASS, FULL_BY_DESIGN, Key, Swatch, colour_of_class
from designer.drawing.heat import Heat, brief_percent
from designer.drawing.matrix.document import matrix_document
from designer.drawing.matrix.parts import CELL, HEAD_SIZE, Lit, _texts, cells, headings, inside, layout_of
from designer.drawing.matrix.shading import EMPTY, empty_colour, links_without, shaded
from designer.drawing.parts.keys import keys, plates
from designer.drawing.parts.picture import legends
from designer.drawing.parts.primitives import Lines, Rect, Rects, Text
from designer.drawing.parts.ruler import EstimatedRuler, line_height
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import DARK, LIGHT
from designer.errors import ExportError
from designer.model import removing
from designer.model.design import Design
from designer.validation.findings import Severity


@pytest.fixture
def matrix(example):
    return matrix_of(Axes(example("superpod-h100-4su")))


@pytest.fixture
def heat(matrix):
    """Idle but for three cells: half full, full by design, congested."""
    loads = dict.fromkeys(matrix.link_ids, (0.0, 0.0))
    half, full, hot = (matrix.links_in(0, column)[0] for column in range(3))
    return Heat(0, loads | {half: (0.5, 0.1), full: (1.0, 0.0), hot: (0.2, 1.0)}, congested={hot: (0.0, 4.0)})


def sheet_of(scale=2.0, left=0.0, top=0.0, size=(900.0, 700.0), theme=LIGHT):
    return Sheet(Camera(scale, left, top), (0.0, 0.0, *size), theme, EstimatedRuler())


def colour(drawn, row, column):
    return drawn.palette[drawn.levels[row, column]]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_cells_have_the_colours_of_the_heat_on_the_canvas(matrix, heat, theme):
    drawn = shaded(matrix, theme, heat)
    assert colour(drawn, 0, 1) == colour_of_class(FULL_BY_DESIGN, theme)
    assert colour(drawn, 0, 2) == colour_of_class(CONGESTED_CLASS, theme)
    assert len({colour(drawn, 0, column) for column in range(4)}) == 4
    assert empty_colour(theme) not in {colour(drawn, 0, column) for column in range(4)}
    assert drawn.facts(0, 2) == [("Links", "2"), ("Busiest", "peak 100 %"), ("Hot", "1 of 2"), ("Demand", "4.0×")]
    assert drawn.facts(0, 1) == [("Links", "2"), ("Busiest", "peak 100 %")]


def test_without_heat_cells_are_shaded_by_their_links(example):
    design = example("superpod-h100-4su")
    drawn = shaded(matrix_of(Axes(design), "group", "group"), LIGHT)
    counts = drawn.matrix.counts
    assert ((drawn.levels == EMPTY) == (counts == 0)).all()
    most, least = counts.argmax(), np.where(counts > 0, counts, 10**9).argmin()
    assert drawn.levels.flat[most] > drawn.levels.flat[least] > EMPTY
    assert drawn.text(*np.unravel_index(most, counts.shape)) == ("", f"{counts.max():,}")
    assert drawn.legend is None


def test_one_hot_cell_is_kept_however_far_away(matrix, heat):
    drawn = shaded(matrix, LIGHT, heat)
    for per_cell in (1.0, 0.5, 0.2, 0.01):
        levels, share = drawn.from_afar(per_cell)
        assert levels.max() == drawn.levels.max()
        assert per_cell * share >= 1.0 or levels.size == 1
    assert drawn.from_afar(3.0)[1] == 1


def test_failures_and_findings_are_marked_in_their_cells_and_headings(example, matrix):
    design = example("superpod-h100-4su")
    leaf = matrix.rows.members[3][0]
    failed = links_without(design, {leaf, matrix.links_in(5, 5)[0]})
    wrong = {
        matrix.links_in(1, 1)[0]: Severity.ERROR,
        matrix.links_in(1, 2)[0]: Severity.WARNING,
        leaf: Severity.WARNING,
    }
    drawn = shaded(matrix, LIGHT, None, failed, wrong)
    n_failed = drawn.matrix.spread(drawn.failed_of_cells, 0)
    assert (n_failed[3] == 2).all()
    assert n_failed[5].tolist() == [0] * 5 + [1] + [0] * 10
    worst = drawn.matrix.spread(drawn.worst_of_cells, 0)
    assert (worst[1, 1], worst[1, 2], worst[1, 3]) == (2, 1, 0)
    assert (drawn.worst_rows[3], drawn.worst_rows[4]) == (1, 0)
    assert ("Failed", "1 of 2") in drawn.facts(5, 5)
    assert ("Findings", "errors") in drawn.facts(1, 1)
    sheet = sheet_of(left=-100.0, top=-100.0, size=(1600.0, 1600.0))
    parts = list(inside(drawn, layout_of(drawn, sheet), sheet))
    crosses = [part for part in parts if isinstance(part, Lines)]
    assert {len(part.xy) for part in crosses} == {2 * 17}
    marks = [part for part in parts if isinstance(part, Rects)]
    assert [(len(part.xywh), part.ink.colour) for part in marks] == [(1, LIGHT.warning), (1, LIGHT.error)]


def test_cells_say_their_load_where_they_are_large_enough(matrix, heat):
    drawn = shaded(matrix, LIGHT, heat)
    near, far = sheet_of(2.0, -60, -60, (2000.0, 2000.0)), sheet_of(0.5, -60, -60)
    written = list(texts(inside(drawn, layout_of(drawn, near), near)))
    assert written.count("100 %") == 2
    assert written.count("50 %") == 1
    assert "×2" in written
    assert not list(texts(inside(drawn, layout_of(drawn, far), far)))


def test_small_cells_say_what_has_room_in_them(matrix, heat):
    sheet = sheet_of(1.0, -60, -60)
    plain, hot = shaded(matrix, LIGHT, None), shaded(matrix, LIGHT, heat)
    layout = layout_of(plain, sheet)
    assert layout.cell == 24.0
    assert set(texts(inside(plain, layout, sheet))) == {"2"}
    assert "100 %" not in set(texts(inside(hot, layout, sheet)))


def test_a_load_just_below_the_end_of_the_scale_is_written_in_brief_in_small_cells(matrix, heat):
    high = matrix.links_in(0, 3)[0]
    loads = heat.utilization | {high: (0.0, 0.993)}
    drawn = shaded(matrix, LIGHT, Heat(0, loads, congested={}))
    small, large = sheet_of(1.2, -60, -60), sheet_of(2.0, -60, -60, (2000.0, 2000.0))
    in_small = set(texts(inside(drawn, layout_of(drawn, small), small)))
    assert {"99 %", "50 %"} <= in_small and "99.3 %" not in in_small
    assert "99.3 %" in set(texts(inside(drawn, layout_of(drawn, large), large)))


@pytest.mark.parametrize("cell", range(14, 33, 2))
def test_no_loaded_cell_is_blank_where_an_idle_one_says_so(matrix, cell):
    loads = dict.fromkeys(matrix.link_ids, (0.0, 0.0))
    busy = {matrix.links_in(0, column)[0]: (load, 0.0) for column, load in enumerate((0.004, 0.057, 0.993, 1.0))}
    drawn, sheet = shaded(matrix, LIGHT, Heat(0, loads | busy, congested={})), sheet_of(cell / CELL, -60, -60)
    at = layout_of(drawn, sheet)
    written = [texts(_texts(drawn, 0, column, at, sheet)) for column in range(5)]
    words = [next(iter(one), "") for one in map(list, written)]
    assert words[4].startswith("0") == all(words)
    if words[4]:
        shown = [one.removesuffix(" %") for one in words]
        assert {one.endswith(" %") for one in words} in ({True}, {False}), "one form in a matrix"
        assert shown[:2] == ["0.4", "6"] and shown[2] in ("99", "99.3") and shown[3:] == ["100", "0"]


@pytest.mark.parametrize(("cell", "size"), [(40, 10), (13, 10), (11, 9), (10, 8), (6, 10)])
def test_every_line_has_a_name_where_small_letters_have_room(matrix, cell, size):
    sheet = sheet_of(cell / CELL, -200, -200, (1600.0, 1600.0))
    drawn = shaded(matrix, LIGHT)
    heads = [one for one in headings(drawn, layout_of(drawn, sheet), sheet) if isinstance(one, Text)]
    named = [one for one in heads if one.text in matrix.rows.labels]
    assert {one.size for one in named} == {size}
    assert (len(named) == len(matrix.rows)) == (cell >= 10)


@pytest.mark.parametrize(
    ("load", "text"),
    [(0.0, "0 %"), (0.004, "0.4 %"), (0.5, "50 %"), (0.99, "99 %"), (0.9949, "99 %"), (0.9951, "100 %")],
)
def test_brief_percentages_round_neither_to_nothing_nor_to_all(load, text):
    assert brief_percent(load) == text


def test_headings_stay_at_the_edges_and_name_what_is_in_sight(matrix):
    drawn = shaded(matrix, LIGHT)
    sheet = sheet_of(2.0, left=4.5 * CELL, top=10.5 * CELL)
    at = layout_of(drawn, sheet, inset=40.0)
    assert (at.left, at.top) == (0.0, 40.0)
    written = list(texts(headings(drawn, at, sheet)))
    assert matrix.rows.labels[at.rows.start] in written
    assert matrix.rows.labels[0] not in written
    assert matrix.columns.labels[at.columns.start] in written
    assert "rows: leaf" in written
    assert at.rows.start > 10
    (first, *_) = cells(drawn, at)
    assert first.xywh[:, 0].min() >= at.x


def test_headings_stand_beside_a_matrix_that_is_seen_whole(matrix):
    drawn = shaded(matrix, LIGHT)
    sheet = sheet_of(0.5, left=-400.0, top=-400.0)
    at = layout_of(drawn, sheet)
    assert (at.left + at.width, at.top + at.height) == pytest.approx((at.x, at.y))
    assert at.rows == range(32)


def test_a_page_has_every_row_and_column_and_the_legend(matrix, heat):
    page = matrix_document("pod", shaded(matrix, LIGHT, heat), EstimatedRuler())
    written = list(texts(page.layers))
    assert {*matrix.rows.labels, *matrix.columns.labels} <= set(written)
    assert "pod: 32 leaf switches × 16 spines, 1,024 links" in written
    assert "Peak utilization, busier direction" in written
    bare = matrix_document("pod", shaded(matrix, LIGHT, heat), EstimatedRuler(), legend=False)
    assert "Peak utilization, busier direction" not in list(texts(bare.layers))
    with pytest.raises(ExportError, match="nothing to draw"):
        empty = matrix_of(Axes(Design())) if Design().devices else None
        matrix_document("empty", shaded(empty or _no_cells(matrix), LIGHT), EstimatedRuler())


def test_a_page_without_heat_says_how_many_links_a_shade_stands_for(generated):
    drawn = shaded(matrix_of(Axes(generated("dragonfly", p=2, a=4, h=2)), "group", "group"), LIGHT)
    (key,) = drawn.keys
    assert key.title == "Links per cell" and [one.text for one in key.swatches] == ["1", "6"]
    assert [one.colour for one in key.swatches] == [
        drawn.palette[level] for level in sorted(set(drawn.levels_of_cells))
    ]
    assert "Links per cell" in list(texts(matrix_document("pod", drawn, EstimatedRuler()).layers))
    assert "Links per cell" not in list(texts(matrix_document("pod", drawn, EstimatedRuler(), legend=False).layers))
    uneven = replace(drawn, levels_of_cells=np.ones_like(drawn.levels_of_cells))
    assert [one.text for key in uneven.keys for one in key.swatches] == ["1 to 6"]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_one_link_and_two_links_are_as_far_apart_as_shades_can_be(example, theme):
    design = example("superpod-h100-4su")
    gone = matrix_of(Axes(design)).links_in(0, 0)[0]
    design.apply(removing.delete(design, [gone]))
    drawn = shaded(matrix_of(Axes(design)), theme)
    (key,) = drawn.keys
    assert [one.text for one in key.swatches] == ["1", "2"]
    assert [one.colour for one in key.swatches] == [drawn.palette[1], drawn.palette[-1]]


def test_a_long_name_leaves_what_is_shown_a_line_of_its_own(matrix):
    def titled(name):
        page = matrix_document(name, shaded(matrix, LIGHT), EstimatedRuler())
        (title,) = (layer for layer in page.layers if layer.id == "title")
        return [part.text for part in title.parts], page.area

    whole, area = titled("pod")
    assert whole == ["pod: 32 leaf switches × 16 spines, 1,024 links"]
    (name, what), taller = titled("A reference architecture with a name that says it all, and more than that " * 2)
    assert name.startswith("A reference") and what == "32 leaf switches × 16 spines, 1,024 links"
    assert taller[3] > area[3]


def _no_cells(matrix):
    """The same without rows."""
    axes = Axes(Design())
    return type(matrix)(
        axes.axis("leaf"),
        axes.axis("spine"),
        (),
        np.empty(0, int),
        np.empty(0, int),
        np.empty(0, int),
        np.empty(0, bool),
        False,
    )


def test_every_shade_of_the_key_is_outlined_on_its_plate():
    key = Key("Links per cell", (Swatch(DARK.plate, "1"), Swatch(DARK.text, "6")), is_of_links=False)
    (drawn,) = keys(plates((key,), EstimatedRuler()), DARK, EstimatedRuler())
    _paper, *shades = [part for part in drawn.parts if isinstance(part, Rect)]
    assert [one.pen.colour for one in shades] == [DARK.rack_border] * 2 and DARK.rack_border != DARK.plate


def test_the_key_of_shades_folds_where_there_is_no_heat(generated):
    drawn = shaded(matrix_of(Axes(generated("dragonfly", p=2, a=4, h=2)), "group", "group"), LIGHT)
    sheet = Sheet(Camera(), (0.0, 0.0, 900.0, 600.0), LIGHT, EstimatedRuler())
    opened = list(texts(legends(None, (), sheet, drawn.keys, folded=False)))
    folded = list(texts(legends(None, (), sheet, drawn.keys, folded=True)))
    assert folded == ["Links per cell"] and opened[0] == folded[0] and len(opened) > 1


def test_the_cell_with_the_greatest_demand_has_a_mark(matrix, heat):
    drawn = shaded(matrix, LIGHT, heat)
    assert drawn.worst_cell == (0, 2) and any(key.text == "highest demand" for key in drawn.legend.keys)
    for scale in (2.0, 0.2):
        sheet = sheet_of(scale, -200.0 / scale, -200.0 / scale)
        at = layout_of(drawn, sheet)
        (spot,) = [one.at for one in inside(drawn, at, sheet) if getattr(one, "title", "") == "highest demand"]
        assert 2 <= (spot[0] - at.x) / at.cell <= 3 and 0 <= (spot[1] - at.y) / at.cell <= 1
    assert shaded(matrix, LIGHT, replace(heat, congested={})).worst_cell is None


def test_congested_links_that_are_in_no_cell_are_counted_in_the_legend(matrix, heat):
    assert "cells" not in shaded(matrix, LIGHT, heat).legend.note
    inside_cells = {matrix.link_ids[link] for link in matrix.links.tolist()}
    servers = [one for one in matrix.link_ids if one not in inside_cells]
    outside = replace(
        heat, utilization={**heat.utilization, servers[0]: (1.0, 0.0)}, congested={servers[0]: (8.0, 0.0)}
    )
    assert shaded(matrix, LIGHT, outside).legend.note == "1 congested, none of them in these cells"
    both = replace(outside, congested={**outside.congested, **heat.congested})
    assert shaded(matrix, LIGHT, both).legend.note == "2 congested, 1 not in these cells"


def test_no_headings_overlap_where_cells_are_small(generated):
    drawn = shaded(matrix_of(Axes(generated("k-ary-fat-tree", k=16))), LIGHT)
    for scale in (0.1, 0.15, 0.3):
        sheet = sheet_of(scale, -200.0 / scale, -200.0 / scale)
        at = layout_of(drawn, sheet)
        heads = [one for one in headings(drawn, at, sheet) if isinstance(one, Text)]
        rows = sorted(one.y for one in heads if one.turn == 0 and one.text in drawn.matrix.rows.labels)
        columns = sorted(one.x for one in heads if one.turn)
        least = line_height(sheet.ruler, HEAD_SIZE)
        for places in (rows, columns):
            assert len(places) > 2 and all(b - a >= least - 1e-6 for a, b in pairwise(places)), (scale, places[:4])
        labels = drawn.matrix.rows.labels
        named = [labels.index(one.text) for one in heads if one.turn == 0 and one.text in labels]
        assert len({b - a for a, b in pairwise(named)}) == 1, "every so many, without a gap"


def test_names_of_selected_lines_at_the_edge_lie_on_no_other(generated):
    drawn = shaded(matrix_of(Axes(generated("k-ary-fat-tree", k=16))), LIGHT)
    n_rows, n_columns = drawn.matrix.shape
    lit = Lit(np.arange(n_rows) < 8, np.arange(n_columns) < 8, np.zeros((n_rows, n_columns), np.bool_))
    for scale in (0.1, 0.15, 0.3):
        sheet = sheet_of(scale, -200.0 / scale, -200.0 / scale)
        heads = [one for one in headings(drawn, layout_of(drawn, sheet), sheet, lit) if isinstance(one, Text)]
        rows = sorted(one.y for one in heads if one.turn == 0 and one.text in drawn.matrix.rows.labels)
        columns = sorted(one.x for one in heads if one.turn)
        least = line_height(sheet.ruler, HEAD_SIZE)
        for places in (rows, columns):
            assert len(places) > 2 and all(b - a >= least - 1e-6 for a, b in pairwise(places)), (scale, places[:4])
