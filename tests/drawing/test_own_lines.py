"""A link whose look or label would not show on the line that it shares with others has a line of its own."""

from dataclasses import replace

import numpy as np
import pytest

from designer.drawing import own_lines
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_svg import svg_of
from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawn import bundles
from designer.model import bending, operations
from designer.model.annotation_styles import change_lines, change_style, make_style
from designer.model.colour_keys import RIGHT_ANGLES, STRAIGHT
from designer.model.edit import Change, Edit

BUNDLES, SINGLES = Detail(LinkDetail.BUNDLES), Detail(LinkDetail.SINGLES)
TRUNKS, CROWDS = Detail(LinkDetail.TRUNKS), Detail(LinkDetail.CROWDS)
REGIONS = Detail(LinkDetail.REGIONS, region=400.0)
RED, BLUE = "#d55e00", "#0072b2"


@pytest.fixture
def pod(generated):
    """A unit of 8 leaf switches and 32 servers below 4 spines, several links from leaf switch to spine."""
    return generated("rail-optimized", servers=32, server="dgx-h100", switch="nvidia-qm9700", racks="none")


def between(design, one, other):
    """The ids of the links between two devices of these names."""
    ids = {device.id for device in design.devices.values() if device.name in (one, other)}
    found = [link.id for link in design.links.values() if {link.a.device_id, link.b.device_id} == ids]
    assert found
    return found


def label(design, link_ids, text="Spare"):
    links = [design.links[one] for one in link_ids]
    return Edit("Label", tuple(Change(one, replace(one, label=text)) for one in links))


def own_line(composition, detail, link_ids):
    """The lines that stand for these links and no others, (n, 4)."""
    lines = composition.lines(detail)
    rows = lines.of_all(composition.chosen_links(link_ids))
    assert set(lines.counts[rows]) <= {len(link_ids)}, "they are on their own lines alone"
    return lines.xy[rows]


def is_out(composition, detail, link_ids):
    """Whether some line stands for these links alone."""
    lines = composition.lines(detail)
    return len(link_ids) in lines.counts[lines.of_all(composition.chosen_links(link_ids))]


def names(design):
    kinds = [(device.name, design.is_server(device.id)) for device in design.devices.values()]
    servers = [name for name, is_server in kinds if is_server]
    return servers, [name for name, is_server in kinds if not is_server]


@pytest.mark.parametrize("how", ["automatic", STRAIGHT, RIGHT_ANGLES])
@pytest.mark.parametrize("detail", [TRUNKS, CROWDS, BUNDLES, SINGLES, REGIONS])
def test_a_link_with_a_look_is_drawn_itself_at_every_detail(pod, how, detail):
    pod.apply(operations.set_settings(pod, link_lines=how))
    ids = between(pod, "gpu-05", "leaf-su1-r8")
    pod.apply(change_lines(pod, ids, line_colour=RED))
    composition = Composition(pod)
    lines = composition.lines(detail)
    assert len(own_line(composition, detail, ids))
    (stroke,) = (one for one in composition.picture(LIGHT, detail).strokes() if one.colour == RED)
    assert len(stroke.xy) == len(own_line(composition, detail, ids))
    (key,) = composition.picture(LIGHT, detail).keys
    assert RED in [one.text.lower() for one in key.swatches]
    assert (lines.counts > 0).all()
    if detail is not REGIONS:
        assert np.unique(lines.links).tolist() == [*range(len(pod.links))], "and every other link in some line"


def test_a_comb_of_links_that_all_look_alike_stays(pod):
    before = Composition(pod).lines(TRUNKS)
    servers, _ = names(pod)
    ids = [one.id for one in pod.links.values() if pod.devices[one.a.device_id].name in servers]
    ids = ids or [one.id for one in pod.links.values() if pod.devices[one.b.device_id].name in servers]
    pod.apply(change_lines(pod, ids, line_colour=RED))
    assert len(Composition(pod).lines(TRUNKS).xy) == len(before.xy)


def test_links_of_a_bundle_that_look_alike_share_a_line_beside_the_others(pod):
    ids = between(pod, "leaf-su1-r1", "spine-01")
    assert len(ids) >= 4
    pod.apply(change_lines(pod, ids[:2], line_colour=RED))
    pod.apply(change_lines(pod, ids[2:3], line_colour=BLUE))
    composition = Composition(pod)
    ways = [own_line(composition, BUNDLES, some) for some in (ids[:2], ids[2:3], ids[3:])]
    assert [len(one) for one in ways] == [1, 1, 1]
    assert len({tuple(one.ravel().round(2)) for one in ways}) == 3
    colours = [one.colour for one in composition.picture(LIGHT, BUNDLES).strokes()]
    assert {RED, BLUE} <= {*colours}
    assert len(own_line(composition, SINGLES, ids[:1])) == 1, "from near each link has a line anyway"


def test_they_run_beside_each_other_where_the_bundle_goes_round_boxes(pod):
    ids = between(pod, "leaf-su1-r1", "spine-01")
    one = pod.links[ids[0]]
    pod.apply(bending.bend_links(pod, ids, ((-150.0, 300.0), (-200.0, 100.0)), one.a.device_id))
    pod.apply(change_lines(pod, ids[:1], line_colour=RED))
    composition = Composition(pod)
    ways = [own_line(composition, BUNDLES, some) for some in (ids[:1], ids[1:])]
    assert [len(one) for one in ways] == [3, 3]
    assert np.array_equal(ways[0], composition.link_path(composition.projection.link_row(ids[0])))
    assert np.abs(ways[0] - ways[1]).max() > 1.0


def test_they_run_beside_the_others_past_boxes_of_their_row(generated):
    pod = generated("rail-optimized", servers=16, server="dgx-h100", switch="nvidia-qm9700", racks="none")
    leafs = sorted((one for one in pod.devices.values() if one.name.startswith("leaf")), key=lambda one: one.name)
    pod.apply(operations.connect_devices(pod, leafs[0].id, leafs[4].id, 2))
    ids = between(pod, leafs[0].name, leafs[4].name)
    pod.apply(change_lines(pod, ids[:1], line_colour=RED))
    composition = Composition(pod)
    assert composition.link_paths.bent[composition.bundles.of_link[composition.projection.link_row(ids[0])]]
    ways = [own_line(composition, BUNDLES, some) for some in (ids[:1], ids[1:])]
    assert len(ways[0]) == len(ways[1]) > 1
    assert np.abs(ways[0] - ways[1]).max() == own_lines.ASIDE


def test_a_way_beside_another_leaves_the_same_sides():
    way = np.array([(0.0, 10.0, 0.0, 50.0), (0.0, 50.0, 80.0, 50.0), (80.0, 50.0, 80.0, 90.0)])
    aside = own_lines._aside(way)
    assert (aside[0, 1], aside[-1, 3]) == (10.0, 90.0)
    assert (aside[:-1, 2:] == aside[1:, :2]).all() and np.abs(aside - way).max() == own_lines.ASIDE


@pytest.mark.parametrize("detail", [TRUNKS, CROWDS])
def test_a_link_with_a_label_comes_out_of_its_comb_and_bears_it(pod, detail):
    ids = between(pod, "gpu-05", "leaf-su1-r8")
    pod.apply(label(pod, ids))
    composition, before = Composition(pod), len(Composition(pod.snapshot()).lines(SINGLES).xy)
    assert len(own_line(composition, detail, ids)) == 1
    assert len(composition.lines(detail).xy) < before / 2, "the others stay in it"
    assert "Spare" in svg_of(pod)
    pod.apply(operations.set_settings(pod, link_labels=("count",)))
    assert not is_out(Composition(pod), detail, ids) and "Spare" not in svg_of(pod)


def test_combs_stay_on_screen_where_most_of_their_links_have_a_label(pod):
    servers, _ = names(pod)
    own = {device.id for device in pod.devices.values() if device.name in servers}
    ids = [one.id for one in pod.links.values() if one.a.device_id in own or one.b.device_id in own]
    before = len(Composition(pod).lines(TRUNKS).xy)
    pod.apply(label(pod, ids))
    composition = Composition(pod)
    assert len(composition.lines(TRUNKS).xy) == before
    full = composition.lines(replace(TRUNKS, every_label=True))
    assert full.direct.sum() >= len(ids), "a drawing to zoom in has every label"


def test_a_label_on_the_line_of_a_bundle_stays_there(pod):
    before = len(Composition(pod).lines(BUNDLES).xy)
    pod.apply(label(pod, between(pod, "leaf-su1-r1", "spine-01")[:1]))
    assert len(Composition(pod).lines(BUNDLES).xy) == before


def test_the_picture_follows_looks_labels_styles_and_what_is_written(pod):
    composition = Composition(pod)
    ids = between(pod, "gpu-05", "leaf-su1-r8")

    def do(edit):
        pod.apply(edit)
        composition.follow(edit)
        fresh = Composition(pod).lines(TRUNKS)
        assert np.array_equal(np.sort(composition.lines(TRUNKS).xy, axis=0), np.sort(fresh.xy, axis=0))
        return edit, is_out(composition, TRUNKS, ids)

    assert not is_out(composition, TRUNKS, ids)
    edit, is_alone = do(change_lines(pod, ids, line_colour=RED))
    assert is_alone
    assert not do(edit.inverted())[1]
    edit, is_alone = do(label(pod, ids))
    assert is_alone
    assert not do(operations.set_settings(pod, link_labels=("count",)))[1]
    assert do(operations.set_settings(pod, link_labels=("count", "label")))[1]
    assert not do(edit.inverted())[1]
    do(change_lines(pod, ids, line_colour=RED))
    do(make_style(pod, ids, "Customer"))
    (style_id,) = pod.annotation_styles
    assert do(change_style(pod, style_id, line_style="dashed"))[1]


def test_so_many_that_nobody_could_follow_them_stay_in_their_combs(pod, monkeypatch):
    monkeypatch.setattr(own_lines, "MOST", 1)
    before = len(Composition(pod).lines(TRUNKS).xy)
    pod.apply(change_lines(pod, between(pod, "gpu-05", "leaf-su1-r8"), line_colour=RED))
    assert len(Composition(pod).lines(TRUNKS).xy) == before + 1
    pod.apply(change_lines(pod, between(pod, "gpu-06", "leaf-su1-r8"), line_colour=RED))
    assert len(Composition(pod).lines(TRUNKS).xy) == before


def test_a_drawing_without_such_links_asks_for_none(pod, monkeypatch):
    monkeypatch.setattr(own_lines, "drawn_apart", None)
    for detail in (TRUNKS, CROWDS, BUNDLES, SINGLES, REGIONS):
        assert len(Composition(pod).lines(detail).xy)


def test_draw_io_has_a_line_for_each_look_between_two_devices(pod):
    ids = between(pod, "leaf-su1-r1", "spine-01")
    before = len(bundles(drawn(pod).edges))
    pod.apply(change_lines(pod, ids[:2], line_colour=RED))
    found = bundles(drawn(pod).edges)
    assert len(found) == before + 1
    (own,) = (one for one in found if one.colour == RED)
    assert [edge.id for edge in own.edges] == ids[:2]


def test_pictures_in_files_show_it_however_links_run(pod):
    ids = between(pod, "gpu-05", "leaf-su1-r8")
    pod.apply(label(pod, ids, "Rail 8 spare"))
    pod.apply(change_lines(pod, ids, line_colour=RED))
    for how in ("automatic", STRAIGHT, RIGHT_ANGLES):
        pod.apply(operations.set_settings(pod, link_lines=how))
        text = svg_of(pod)
        assert text.count("Rail 8 spare") == 1 and text.lower().count(RED) >= 2, how
