"""From afar every box is named: by its number where it is narrow, and a line below its row says what is in each."""

from dataclasses import replace

import numpy as np
import pytest
from drawn_texts import texts

from designer.catalog.catalog import load
from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.folding.levels import Levels
from designer.drawing.level_of_detail import detail_at
from designer.drawing.parts.row_captions import row_captions
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.theme import LIGHT
from designer.model import operations, removing
from designer.model.design import Design
from designer.topologies import k_ary_fat_tree
from designer.topologies.presets import family_of, parameters_of, preset_named

WIDTH, HEIGHT = 900.0, 500.0


@pytest.fixture(scope="module")
def published():
    """The GB200 fabric of four scalable units by racks: 32 groups below two tiers of switches."""
    preset = preset_named("dgx-superpod-gb200-4su-fabric")
    by_racks = replace(parameters_of(preset), servers_per_su=18, leafs_per_rail=1)
    design = Design()
    design.apply(family_of(preset).build(design, by_racks, load()))
    return Composition(design)


def afar(composition):
    """The picture and the sheet of a drawing that is fitted into a window."""
    camera = fitting(composition.bounds, WIDTH, HEIGHT)
    seen = Levels(composition).at(camera.scale)
    sizes = len(seen.projection.device_ids), len(seen.bundles.pairs), len(seen.projection.link_ids)
    picture = seen.picture(LIGHT, detail_at(camera.scale, *sizes))
    return seen, picture, Sheet.of_view(Viewport(camera, WIDTH, HEIGHT), LIGHT, EstimatedRuler())


def servers_first(design):
    return [design.device_type(one.id) for one in (*design.servers(), *design.switches())]


def test_narrow_boxes_bear_their_numbers_and_the_line_below_says_what_is_in_each(published):
    _, picture, sheet = afar(published)
    said = list(texts(stacks(picture, sheet)))
    assert {str(number) for number in range(10, 33)} <= set(said)
    server, switch = dict.fromkeys(one.model for one in servers_first(published.design))
    assert f"SU 1 to SU 32: 18 servers, 4 leaf switches each ({server} · {switch})" in said
    assert f"4,608 of 6,144 switch ports used · {switch}" in said
    assert {"96 spines", "36 cores"} <= set(said)


@pytest.fixture(scope="module")
def pods():
    """Sixteen pods alike, with room in each box for more than its name."""
    design = Design()
    design.apply(k_ary_fat_tree.build(design, k_ary_fat_tree.KAryFatTreeParameters(k=16), load()))
    return Composition(design)


def said_of(pods, wide=1800.0, high=1080.0):
    """What boxes of pods say on a sheet that is wide enough for three lines in each."""
    camera = fitting(pods.bounds, wide, high)
    seen = Levels(pods).at(camera.scale)
    picture = seen.picture(LIGHT, detail_at(camera.scale, *(len(one) for one in (pods.boxes, pods.boxes, pods.boxes))))
    sheet = Sheet.of_view(Viewport(camera, wide, high), LIGHT, EstimatedRuler())
    return list(texts(stacks(picture, sheet)))


def test_what_the_line_below_says_of_each_box_stands_in_none_of_them(pods):
    said = said_of(pods)
    assert {f"Pod {number}" for number in range(1, 17)} <= set(said)
    assert [one for one in said if "64 hosts" in one] == [
        "Pod 1 to Pod 16: 64 hosts, 8 leaf switches, 8 spines each (Host 400G · Switch 16 x 400G)"
    ]
    assert any("1,024 of 1,024 switch ports used" in one for one in said), "what no line explains says it itself"


def test_boxes_of_different_sizes_say_themselves_what_is_in_them(pods):
    design = pods.design.snapshot()
    for number in (2, 4, 6):
        (pod,) = [one.id for one in design.groups.values() if one.name == f"Pod {number}"]
        servers = [one.id for one in design.servers() if one.group_id == pod]
        design.apply(removing.delete(design, servers[:number]))
    said = said_of(Composition(design))
    assert "Pod 1 to Pod 16: of different sizes" in said
    assert {"64 hosts", "62 hosts", "60 hosts", "58 hosts"} <= set(said)


def test_lines_from_a_long_box_to_those_below_it_run_straight(published):
    seen, _, _ = afar(published)
    assert len(seen.bundles.pairs) == 33
    assert seen.arches is None
    assert seen.detours is None
    ends = seen.anchors.bundles
    order = np.argsort(ends[:32, 0])
    assert (np.diff(ends[order, 2]) > 0).all()  # in the order of the boxes: none crosses another


def test_a_line_below_boxes_covers_none(published):
    _, picture, sheet = afar(published)
    (caption,) = row_captions(picture, sheet)
    places = sheet.boxes(picture.boxes)
    assert caption.y > (places[:, 1] + places[:, 3]).max()
    assert places[:, 0].min() <= caption.x < caption.x + caption.width <= (places[:, 0] + places[:, 2]).max()
    below = replace(sheet, camera=sheet.camera.moved(0.0, -30.0))
    assert row_captions(picture, below)[0].y == pytest.approx(caption.y - 30.0)


def test_boxes_that_differ_are_listed_in_runs(published):
    design = published.design.snapshot()
    last = next(one for one in design.groups.values() if one.name == "SU 32")
    server = next(
        one for one in design.members(last.id) if one in design.devices and design.devices[one].role != "leaf"
    )
    design.apply(operations.delete(design, [server]))
    _, picture, sheet = afar(Composition(design))
    (caption,) = row_captions(picture, sheet)
    text = "SU 1 to SU 31: 18 servers, 4 leaf switches each; SU 32: 17 servers, 4 leaf switches"
    assert caption.text.partition(" (")[0] == text


def test_groups_around_a_middle_share_one_line(generated):
    seen, picture, sheet = afar(Composition(generated("dragonfly-plus", leafs=6, spines=6, p=6, h=6)))
    assert [one.text for one in row_captions(picture, sheet)] == [
        "Group 1 to Group 37: 36 hosts, 6 leaf switches, 6 spines each"
    ]
    assert len(seen.projection.folds) == 37


def test_nothing_is_said_where_no_box_stands_for_many(generated):
    _, picture, sheet = afar(Composition(generated("rail-optimized", servers=64)))
    assert row_captions(picture, sheet) == []


def test_where_one_box_of_a_row_has_room_for_its_number_alone_so_have_all(published):
    shown = set()
    for width in range(600, 5000, 100):
        camera = fitting(published.bounds, width, width / 2)
        seen = Levels(published).at(camera.scale)
        sizes = len(seen.projection.device_ids), len(seen.bundles.pairs), len(seen.projection.link_ids)
        picture = seen.picture(LIGHT, detail_at(camera.scale, *sizes))
        if picture.stacks is None:
            break
        sheet = Sheet.of_view(Viewport(camera, width, width / 2), LIGHT, EstimatedRuler())
        said = set(texts(stacks(picture, sheet)))
        full, short = {f"SU {n}" for n in range(1, 33)} & said, {f"{n}" for n in range(1, 33)} & said
        assert not (full and short), width
        shown |= {"full"} if full else {"short"} if short else set()
    assert shown == {"full", "short"}


def test_what_the_line_below_explains_is_never_cut_in_a_box(published):
    n_bare = 0
    for width in range(900, 4000, 150):
        camera = fitting(published.bounds, width, width / 2)
        seen = Levels(published).at(camera.scale)
        sizes = len(seen.projection.device_ids), len(seen.bundles.pairs), len(seen.projection.link_ids)
        picture = seen.picture(LIGHT, detail_at(camera.scale, *sizes))
        sheet = Sheet.of_view(Viewport(camera, width, width / 2), LIGHT, EstimatedRuler())
        if picture.stacks is None or not row_captions(picture, sheet):
            continue
        said = list(texts(stacks(picture, sheet)))
        cut = {one for one in said if one.endswith("…")}
        assert not cut
        n_bare += "SU 1" in said and "18 servers" not in said
    assert n_bare


def test_groups_around_a_middle_are_explained_by_one_line_for_all_of_them(generated):
    _, picture, sheet = afar(Composition(generated("dragonfly", p=4, a=8, h=4, groups=17).snapshot()))
    (caption,) = row_captions(picture, sheet)
    assert caption.text == "Group 1 to Group 17: 32 hosts, 8 routers each" and len(caption.rows) == 17
    lowest = max(y + height for _, y, _, height in sheet.boxes(picture.boxes[list(caption.rows)]).tolist())
    assert caption.y >= lowest
