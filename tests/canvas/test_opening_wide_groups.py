"""What is far too wide to be read device by device opens to its tiers, and devices of a tier to parts of it."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from designer.canvas.hits import Box, Target
from designer.canvas.stage import open_on
from designer.drawing.composition import Composition
from designer.drawing.folding.folds import Fold, tiers_parted
from designer.drawing.folding.levels import Levels
from designer.drawing.folding.opened import framed_apart
from designer.drawing.gates import groups_of
from designer.drawing.level_of_detail import LinkDetail
from designer.drawing.parts.links import counts
from designer.drawing.parts.primitives import Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.model import operations
from designer.model.collapsing import BoxKey
from designer.model.design import Design
from designer.topologies.families import FAMILIES
from designer.topologies.presets import family_of, parameters_of, presets


def built(catalog, preset_id, **changed):
    preset = next(one for one in presets() if one.id == preset_id)
    design = Design()
    design.apply(family_of(preset).build(design, replace(parameters_of(preset), **changed), catalog))
    return design


@pytest.fixture(scope="module")
def rails(catalog):
    """Sixteen scalable units under 128 spines, 16 to a rail."""
    return built(catalog, "dgx-superpod-b200-16su")


@pytest.fixture(scope="module")
def tree(catalog):
    """Two pods of 192 leaf switches and 384 servers: one is 31,000 units wide, and 1,200 high."""
    return built(catalog, "meta-24k-roce", servers=768)


@pytest.fixture(scope="module")
def dragonfly(catalog):
    """Sixty-five groups of 32 routers with 4 hosts each: one is 8,400 units wide, and the next is 150 units below."""
    row = next(one for one in FAMILIES if one.name == "dragonfly")
    design = Design()
    design.apply(row.build(design, row.parameters(p=4, a=32, h=2), catalog))
    return design


def drawn(hand):
    return hand.view.fabric.seen_at(hand.view.camera.scale)


def titles(hand):
    projection = drawn(hand).projection
    return [projection.title_at(row) for row in range(projection.n_own, len(projection.device_ids))]


def box_px(hand, title):
    composition = drawn(hand)
    row = composition.projection.n_own + titles(hand).index(title)
    x, y, width, height = composition.boxes[row].tolist()
    left, top = hand.view.camera.to_view(x, y)
    return left, top, width * hand.view.camera.scale, height * hand.view.camera.scale


def open_box(hand, title):
    projection = drawn(hand).projection
    ids = projection.ids_at(projection.n_own + titles(hand).index(title))
    hand.session.select(ids)
    open_on(hand.view, Target(box=Box(ids, title, by_hand=False)))
    return ids


def show(hand, design):
    hand.session.replace(design.snapshot(), None)
    hand.view.zoom_to_fit()


def test_the_plus_of_a_wide_pod_shows_all_of_it_with_its_tiers_as_boxes_that_say_what_they_are(hand, tree):
    show(hand, tree)
    open_box(hand, "Pod 2")
    pod = next(one.id for one in tree.groups.values() if one.name == "Pod 2")
    frame = next(one.rect for one in drawn(hand).containers if one.id == pod)
    assert hand.view.camera.shows(frame, *hand.view.extent)
    tiers = [one for one in titles(hand) if one.endswith(("servers", "leaf switches", "spines"))]
    assert tiers == ["384 servers", "192 leaf switches", "16 spines"]
    boxes = sorted(box_px(hand, one) for one in tiers)
    assert all(height >= 20.0 for *_, height in boxes), "high enough for words"
    tops = sorted((top, top + height) for _, top, _, height in boxes)
    assert all(following[0] - one[1] >= 40.0 for one, following in pairwise(tops)), "links and counts show between"


@pytest.mark.parametrize("name", ["Group 1", "Group 15", "Group 40"])
def test_a_group_of_a_large_dragonfly_opens_at_once_with_its_routers_as_high_as_its_servers(hand, dragonfly, name):
    show(hand, dragonfly)
    (group,) = open_box(hand, name)
    composition, view = drawn(hand), hand.view
    assert group not in composition.projection.row_of, "it is open, and not one step of the wheel before that"
    frame, whole = (one.rect_of(group) for one in (composition, view.fabric.composition))
    assert frame[2] - frame[0] <= 1.01 * (whole[2] - whole[0]), "no wider than it is, however wide the drawing"
    assert view.camera.shows(frame, *view.extent) and (frame[2] - frame[0]) * view.camera.scale > 0.7 * view.extent[0]
    tiers = sorted((box_px(hand, one) for one in ("128 hosts", "32 routers")), key=lambda box: box[1])
    (_, top, _, height), (_, low, _, other_height) = tiers
    assert height == pytest.approx(other_height) and height >= 12.0
    assert low - top - height >= 27.9, "with room for how many links there are"
    frame_px = [top - 13.9, low + other_height + 13.9]
    others = [box_px(hand, one) for one in titles(hand) if one.startswith("Group")]
    left, right = tiers[0][0], tiers[0][0] + tiers[0][2]
    for x, y, width, deep in others:
        assert x >= right or x + width <= left or y + deep <= frame_px[0] or y >= frame_px[1]


def frame_of(hand, group):
    found = next(one.rect for one in drawn(hand).containers if one.id == group)
    return found, (found[2] - found[0]) * hand.view.camera.scale


def test_a_second_group_opens_with_the_one_in_sight_still_in_view(hand, dragonfly):
    show(hand, dragonfly)
    (first,) = open_box(hand, "Group 4")
    (second,) = open_box(hand, "Group 5")
    for group in (first, second):
        frame, width_px = frame_of(hand, group)
        assert hand.view.camera.shows(frame, *hand.view.extent) and width_px >= 200.0
    hand.view.zoom_to_fit()
    (third,) = open_box(hand, "Group 40")
    frame, width_px = frame_of(hand, third)
    assert hand.view.camera.shows(frame, *hand.view.extent)
    assert width_px > 0.7 * hand.view.extent[0], "alone: the others were not in sight"


def test_all_is_in_view_where_opened_groups_have_moved_the_others_outwards(hand, catalog):
    hand.view.resize(1000, 450)
    show(hand, built(catalog, "lumi-g"))
    open_box(hand, "Group 10")
    hand.view.zoom_to_fit()
    composition = drawn(hand)
    assert {"128 hosts", "32 routers"} <= set(titles(hand)), "they are open in it"
    left, top, right, foot = composition.bounds
    (x, y), (end, low) = hand.view.camera.to_view(left, top), hand.view.camera.to_view(right, foot)
    assert min(x, y, hand.view.extent[0] - end, hand.view.extent[1] - low) >= 20.0, "with a margin"
    outside = hand.view.fabric.bounds()
    assert composition.bounds[3] > outside[3], "more than the drawing has with all closed"


def test_fitting_fills_the_view_where_it_has_no_room_for_what_is_open(hand, catalog):
    hand.view.resize(960, 560)
    hand.session.replace(built(catalog, "lumi-g"), None)
    hand.view.zoom_to_fit()
    before = hand.view.camera
    ids = [
        next(one.id for one in hand.design.groups.values() if one.name == f"Group {number}") for number in (6, 7, 20)
    ]
    for one in ids:
        hand.view.zoom_onto((one,))
        assert one not in drawn(hand).projection.row_of
    for _ in range(2):
        hand.view.zoom_to_fit()
        camera = hand.view.camera
        assert camera.scale == before.scale and camera.shows(hand.view.fabric.bounds(), *hand.view.extent)
        assert drawn(hand).projection.row_of.keys() >= set(ids)
    hand.view.move_camera(before.zoomed(2.0, 480, 280))
    assert not drawn(hand).projection.row_of.keys() & set(ids), "open again from nearer"
    hand.view.zoom_to_fit()
    hand.view.zoom_onto(ids[:1])
    assert ids[0] not in drawn(hand).projection.row_of


def test_links_between_groups_lead_to_the_routers_of_one_that_is_open(hand, dragonfly):
    """They ended at its servers' side, and went round the outside of other boxes."""
    show(hand, dragonfly)
    open_box(hand, "Group 15")
    composition = drawn(hand)
    ring = composition.gatherer.ring(composition.detail_at(hand.view.camera.scale))
    assert ring is not None and len(ring.lines.combed) == 65 * 64 // 2, "one for each two groups, and none of servers"
    routers = composition.projection.n_own + titles(hand).index("32 routers")
    x, y, width, height = composition.boxes[routers].tolist()
    starts = ring.lines.xy[ring.lines.counts == 64][:, :2]  # of the stubs: each is all of a group
    on_box = ((starts >= (x - 1.0, y - 1.0)) & (starts <= (x + width + 1.0, y + height + 1.0))).all(axis=1)
    assert on_box.sum() == 1
    servers = composition.projection.n_own + titles(hand).index("128 hosts")
    of = groups_of(composition.projection)
    assert of[servers] == -1 and of[routers] >= 0


def written(hand, detail):
    """What is written about links in the view, and the plates that it is on."""
    view = hand.view
    sheet = Sheet(view.camera, (0.0, 0.0, *view.extent), LIGHT, EstimatedRuler())
    found = {}
    for group in counts(drawn(hand).picture(LIGHT, detail), sheet):
        plate = next(one for one in group.parts if isinstance(one, Rect))
        left, top = group.at[0] + plate.x, group.at[1] + plate.y
        place = left, top, left + plate.width, top + plate.height
        found |= {one.text: place for one in group.parts if isinstance(one, Text)}
    return found


@pytest.mark.parametrize("is_by_region", [False, True])
def test_the_links_in_an_opened_group_have_a_count_and_nothing_about_all_groups_stands_there(
    hand, dragonfly, is_by_region
):
    show(hand, dragonfly)
    (group,) = open_box(hand, "Group 15")
    composition, scale = drawn(hand), hand.view.camera.scale
    detail = composition.detail_at(scale)
    assert detail.links is LinkDetail.TRUNKS
    if is_by_region:  # as a larger one is drawn
        detail = replace(detail, links=LinkDetail.REGIONS, region=512.0)
        whole = hand.view.fabric.composition.lines(replace(detail, region=64.0))
        assert not whole.direct.any(), "counts of single devices are left out from afar"
    said = written(hand, detail)
    assert "128 × 400G" in said
    noted = [text for one in composition.tier_words.texts for text in one]
    assert "1 × 400G per pair" in " ".join(noted)
    assert not [one for one in noted if one.startswith("Dragonfly group")], "what is between groups is said once"
    frame = composition.rect_of(group)
    (left, top), (right, foot) = hand.view.camera.to_view(*frame[:2]), hand.view.camera.to_view(*frame[2:])
    for text, (x, y, end, low) in said.items():
        assert "per pair" not in text or end <= left or x >= right or low <= top or y >= foot


def test_an_opened_pod_stays_open_while_the_whole_of_it_is_in_view(hand, tree):
    show(hand, tree)
    open_box(hand, "Pod 2")
    for factor in (0.7, 2.0, 2.5):  # nor is the field empty where one comes nearer
        hand.view.zoom_by(factor)
        assert "192 leaf switches" in titles(hand) and "Pod 2" not in titles(hand)
        assert 25.0 <= box_px(hand, "192 leaf switches")[3] <= 60.0, "as high as words are, at any scale"
    hand.view.zoom_to_fit()
    hand.view.zoom_by(0.4)
    assert "Pod 2" in titles(hand), "it is one box again where its tiers would not be read"


def test_the_plus_of_a_tier_shows_its_rails_in_place_and_fitting_keeps_them(hand, rails):
    show(hand, rails)
    before = hand.view.camera
    open_box(hand, "128 spines")
    assert hand.view.camera == before
    expected = [f"Rail {number}" for number in range(1, 9)]
    assert [one for one in titles(hand) if one.startswith("Rail")] == expected
    lefts = [box_px(hand, one)[0] for one in expected]
    assert lefts == sorted(lefts)
    hand.view.zoom_to_fit()
    assert [one for one in titles(hand) if one.startswith("Rail")] == expected
    assert len(drawn(hand).bundles.pairs) == 8 * 16 + 8, "links are bundled as they are one level up"


def test_the_plus_of_a_rail_goes_on_to_its_switches_with_their_names(hand, rails):
    show(hand, rails)
    open_box(hand, "128 spines")
    ids = open_box(hand, "Rail 3")
    composition = drawn(hand)
    rows = [composition.projection.box_of(one) for one in ids]
    assert len(set(rows)) == 16 and all(composition.projection.is_single(row) for row in rows)
    assert composition.detail_at(hand.view.camera.scale).names


def test_devices_without_rails_open_in_runs_of_consecutive_numbers(hand, tree):
    show(hand, tree)
    open_box(hand, "Pod 2")
    open_box(hand, "192 leaf switches")
    runs = [one for one in titles(hand) if one.startswith("Leaf switches")]
    assert runs == [f"Leaf switches {first}-{first + 23}" for first in range(193, 385, 24)]
    leafs = drawn(hand).projection
    assert sum(len(one.rows) for one in leafs.folds if one.name in runs) == 192


def test_what_was_opened_stays_so_through_edits_and_not_in_another_design(hand, rails):
    show(hand, rails)
    open_box(hand, "128 spines")
    hand.add("nvidia-qm9700", 0.0, -4000.0)
    assert "Rail 1" in titles(hand)
    show(hand, rails)
    assert "Rail 1" not in titles(hand)


def test_a_new_drawing_of_the_same_design_keeps_what_is_open(hand, rails):
    show(hand, rails)
    open_box(hand, "128 spines")
    before = hand.view.fabric.composition
    hand.session.layers_changed.emit()
    assert hand.view.fabric.composition is not before
    assert "Rail 1" in titles(hand)


def test_parts_too_narrow_for_their_numbers_are_one_box_again(hand, rails):
    show(hand, rails)
    open_box(hand, "128 spines")
    hand.view.zoom_by(0.2)
    assert "128 spines" in titles(hand) and "Rail 1" not in titles(hand)
    hand.view.zoom_to_fit()
    assert "Rail 1" in titles(hand)


def test_a_group_in_a_group_that_would_be_one_box_opens_with_what_is_around_it(hand, tree):
    design = tree.snapshot()
    pods = [one for one in design.groups.values() if one.kind == "pod"]
    design.apply(operations.group(design, [one.id for one in pods], "Hall"))
    levels = Levels(Composition(design))
    least = 0.0147
    assert not levels.is_closed_at(frozenset((pods[1].id,)), least), "it is in another box"
    levels.opened[BoxKey(pods[1].id)] = None
    folds = levels.at(least).projection.folds
    assert any(one.key == BoxKey(pods[1].id, "leaf") for one in folds)


BOTH = {"pod": np.array([0, 1])}
"""The rows of both tiers, where there is nothing else."""


def tiers(*rects):
    rows = [np.array([number]) for number in range(len(rects))]
    roles = ("spine", "leaf", "server")
    folds = [Fold(BoxKey("pod", role), "", role, own, by_hand=False) for role, own in zip(roles, rows, strict=False)]
    return np.array(rects, np.float64), folds


def test_tiers_in_a_frame_are_set_apart_and_others_make_way():
    rects, folds = tiers((0.0, 0.0, 900.0, 44.0), (0.0, 100.0, 900.0, 44.0))
    nobody = np.empty((0, 4))
    apart, _ = framed_apart(rects, nobody, folds, BOTH, 0.1)
    assert apart[1, 1] - apart[0, 1] - apart[:, 3].sum() / 2 >= 600.0 and (apart[:, 3] >= 250.0).all()
    assert np.isclose(apart[:, 1].mean(), 50.0)
    assert framed_apart(rects, nobody, folds, {}, 0.1)[0].tolist() == rects.tolist()
    over = np.array([[0.0, -200.0, 100.0, 44.0], [2000.0, -200.0, 100.0, 44.0]])
    beyond = {"pod": np.array([2, 3])}
    found, others = framed_apart(rects, over, folds, beyond, 0.1)
    assert found[:, 1:] - found[0, 1:] == pytest.approx(apart[:, 1:] - apart[0, 1:]), "as they are with room enough"
    assert found[0, 1] - found[0, 3] / 2 - others[0, 1] - 22.0 == pytest.approx(220.0), "and their title has room"
    assert others[1].tolist() == [2000.0, *others[0, 1:]], "what stands beside that is as high as it was"
    aside = np.array([[2000.0, -300.0, 100.0, 44.0]])
    assert framed_apart(rects, aside, folds, {"pod": np.array([1, 2])}, 0.1)[0].tolist() == apart.tolist()
    near, folds = tiers((0.0, 0.0, 900.0, 44.0), (0.0, 60.0, 900.0, 44.0))
    assert tiers_parted(near, nobody, folds, {"pod"}).tolist() == near.tolist(), "not by the width of all"
    assert tiers_parted(near, nobody, folds).tolist() != near.tolist()
    beside, folds = tiers((0.0, 0.0, 100.0, 44.0), (200.0, 0.0, 100.0, 44.0))
    found, _ = framed_apart(beside, nobody, folds, BOTH, 0.1)
    assert found.tolist() == [[0.0, 0.0, 100.0, 260.0], [200.0, 0.0, 100.0, 260.0]], "each high enough, and no farther"
