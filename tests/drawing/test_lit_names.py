"""Paths over a drawing from afar: boxes that links lead into stay bright, and what is on the way has its name."""

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken, corners_of
from designer.drawing.level_of_detail import detail_at
from designer.drawing.lit import lit_over, lit_picture
from designer.drawing.parts.lit import (
    CHOSEN_HALO,
    CHOSEN_PLAIN_PX,
    CHOSEN_PX,
    GAP_PX,
    HALO,
    HALO_PX,
    MOST_BROAD,
    PLAIN_PX,
    THIN,
    THIN_PX,
    lit_layers,
    lit_names,
)
from designer.drawing.parts.primitives import Group, Lines, Rect
from designer.drawing.parts.row_captions import placed_titles
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.model import collapsing


def lit_of(composition, ends, width=700.0):
    """The bright picture of all links of two devices, fitted into a window."""
    camera = fitting(composition.bounds, width, 400.0)
    sizes = len(composition.projection.device_ids), len(composition.bundles.pairs), len(composition.projection.link_ids)
    picture = composition.picture(LIGHT, detail_at(camera.scale, *sizes))
    links = [link.id for one in ends for link in composition.design.links_of(one)]
    lit = lit_over(composition, links, ends)
    sheet = Sheet.of_view(Viewport(camera, width, 400.0), LIGHT, EstimatedRuler())
    return lit, lit_picture(composition, picture, None, lit), sheet


def two_servers(design):
    servers = sorted(one.id for one in design.servers())
    return servers[0], servers[-1]


def test_switches_on_the_way_are_named_where_their_boxes_are_too_small(generated):
    design = generated("rail-optimized", servers=128)
    ends = two_servers(design)
    composition = Composition(design)
    lit, bright, sheet = lit_of(composition, ends)
    assert not bright.detail.names
    named = set(texts(lit_names(composition, bright, sheet, lit)))
    assert {design.devices[one].name for one in lit.devices} == named


def test_plates_cover_neither_each_other_nor_boxes_of_the_way(generated):
    composition = Composition(generated("rail-optimized", servers=128))
    lit, bright, sheet = lit_of(composition, two_servers(composition.design))
    plates = [
        (group.at[0], group.at[1], part.width, part.height)
        for group in lit_names(composition, bright, sheet, lit)
        if isinstance(group, Group)
        for part in group.parts
        if isinstance(part, Rect)
    ]
    boxes = [*plates, *sheet.boxes(bright.boxes).tolist()]
    for number, (x, y, width, height) in enumerate(plates):
        for left, top, across, down in boxes[:number] + boxes[len(plates) :]:
            assert x >= left + across or x + width <= left or y >= top + down or y + height <= top


def test_no_hairline_is_drawn_over_a_name(generated):
    composition = Composition(generated("rail-optimized", servers=128))
    lit, bright, sheet = lit_of(composition, two_servers(composition.design))
    hairlines, *plates = lit_names(composition, bright, sheet, lit)
    assert isinstance(hairlines, Lines) and plates and all(isinstance(one, Group) for one in plates)
    heights = [part.height for one in plates for part in one.parts if isinstance(part, Rect)]
    middles = [left + across / 2 for left, _top, across, _down in sheet.boxes(bright.boxes).tolist()]
    for (x, start, end_x, end), plate, height in zip(hairlines.xy.tolist(), plates, heights, strict=True):
        assert x == end_x and min(abs(x - middle) for middle in middles) < 1e-6
        assert start == pytest.approx(plate.at[1] + (height if end > start else 0.0))


def test_only_names_of_ends_cover_dimmed_boxes_from_afar(generated):
    for family, width in (("rail-optimized", 300.0), ("dragonfly", 700.0)):
        composition = Composition(generated(family, **({"servers": 128} if family == "rail-optimized" else {})))
        ends = two_servers(composition.design)
        lit, bright, sheet = lit_of(composition, ends, width)
        hairlines, *plates = lit_names(composition, bright, sheet, lit)
        boxes = Taken(corners_of(sheet.boxes(composition.boxes)))
        named = set()
        for (_x, y, _, end), plate in zip(hairlines.xy.tolist(), plates, strict=True):
            rect, text = plate.parts
            named.add(text.text)
            if abs(end - y) > 2 * GAP_PX and text.text not in {composition.design.devices[one].name for one in ends}:
                assert boxes.is_free(*plate.at, rect.width, rect.height), text.text
        assert {composition.design.devices[one].name for one in ends} <= named


def test_names_that_no_line_joins_to_their_boxes_past_others_are_left_out(generated):
    composition = Composition(generated("torus", dims=(6, 6, 4)))
    design = composition.design
    links = [link.id for link in design.links.values() if design.is_switch(link.b.device_id)]
    lit, bright, sheet = lit_of(composition, two_servers(design))
    lit = lit_over(composition, links, lit.ends)
    picture = lit_picture(composition, composition.picture(LIGHT, bright.detail), None, lit)
    hairlines, *plates = lit_names(composition, picture, sheet, lit)
    boxes = sheet.boxes(composition.boxes).tolist()
    written = [part.place for part in placed_titles(picture, sheet)]
    assert 2 <= len(plates) < len(lit.devices)
    for (x, y, _x, end), plate in zip(hairlines.xy.tolist(), plates, strict=True):
        top, bottom = sorted((y, end))
        if bottom - top <= 2 * GAP_PX or plate.parts[1].text in {design.devices[one].name for one in lit.ends}:
            continue
        width, height = next((part.width, part.height) for part in plate.parts if isinstance(part, Rect))
        dimmed = Taken(corners_of(np.array(boxes)))
        assert dimmed.is_free(*plate.at, width, height)
        for left, upper, across, down in (*boxes, *written):
            assert x <= left or x >= left + across or bottom <= upper + 1e-6 or top >= upper + down - 1e-6


def pens_of_links(composition, bright, sheet, lit):
    """The lines of the lit links: how many each pen draws, with its width and how it covers."""
    (group,) = (layer for layer in lit_layers(composition, bright, bright, sheet, lit) if layer.id == "lit-links")
    return [(len(part.xy), part.pen.width, part.pen.alpha) for part in group.parts]


def test_a_chosen_path_is_broad_over_the_others_which_are_thin_and_pale(generated):
    composition = Composition(generated("rail-optimized", servers=128))
    design = composition.design
    ends = two_servers(design)
    lit, bright, sheet = lit_of(composition, ends)
    n_lit = len(bright.lines.xy)
    plain = pens_of_links(composition, bright, sheet, lit)
    assert plain == [(n_lit, HALO_PX, HALO), (n_lit, PLAIN_PX, 1.0)]
    lit = lit_over(composition, lit.links, ends, frozenset(sorted(lit.links)[:1]))
    assert pens_of_links(composition, bright, sheet, lit) == [
        (n_lit, THIN_PX, THIN),
        (1, CHOSEN_PX, CHOSEN_HALO),
        (1, CHOSEN_PLAIN_PX, 1.0),
    ]


def test_many_lit_lines_do_not_run_into_an_area(generated):
    composition = Composition(generated("rail-optimized", servers=128))
    design = composition.design
    ends = two_servers(design)
    _lit, _bright, sheet = lit_of(composition, ends)
    lit = lit_over(composition, design.links, ends)
    picture = composition.picture(LIGHT, _bright.detail)
    bright = lit_picture(composition, picture, None, lit)
    assert len(bright.lines.xy) > MOST_BROAD
    assert pens_of_links(composition, bright, sheet, lit) == [(len(bright.lines.xy), THIN_PX, 1.0)]


@pytest.fixture
def collapsed(generated):
    design = generated("k-ary-fat-tree", k=4)
    design.apply(collapsing.collapse_all(design))
    return Composition(design)


def test_collapsed_boxes_that_hold_an_end_stay_bright(collapsed):
    ends = two_servers(collapsed.design)
    lit, bright, sheet = lit_of(collapsed, ends)
    rows = {collapsed.projection.box_of(one) for one in ends}
    assert {collapsed.projection.device_ids[row] for row in rows} <= set(bright.device_ids)
    layers = list(lit_layers(collapsed, bright, bright, sheet, lit))
    (boxes,) = (layer for layer in layers if layer.id == "lit-collapsed")
    assert {"Pod 1", "Pod 3"} <= set(texts(boxes.parts))
    (outlined,) = (layer for layer in layers if layer.id == "lit-ends")
    assert len(list(outlined.parts)) == 2


def test_a_small_collapsed_box_names_the_end_inside(collapsed):
    lit, bright, sheet = lit_of(collapsed, two_servers(collapsed.design), width=120.0)
    names = list(texts(lit_names(collapsed, bright, sheet, lit)))
    assert "Pod 1: host-01" in names
    assert np.isfinite(sheet.scale)
