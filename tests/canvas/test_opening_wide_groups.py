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
from designer.model import operations
from designer.model.collapsing import BoxKey
from designer.model.design import Design
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


def tiers(*rects):
    rows = [np.array([number]) for number in range(len(rects))]
    roles = ("spine", "leaf", "server")
    folds = [Fold(BoxKey("pod", role), "", role, own, by_hand=False) for role, own in zip(roles, rows, strict=False)]
    return np.array(rects, np.float64), folds


def test_tiers_in_a_frame_are_set_apart_unless_others_are_in_the_way_or_they_stand_side_by_side():
    rects, folds = tiers((0.0, 0.0, 900.0, 44.0), (0.0, 100.0, 900.0, 44.0))
    nobody = np.empty((0, 4))
    apart = framed_apart(rects, nobody, folds, {"pod"}, 0.1)
    assert apart[1, 1] - apart[0, 1] - apart[:, 3].sum() / 2 >= 600.0 and (apart[:, 3] >= 250.0).all()
    assert np.isclose(apart[:, 1].mean(), 50.0)
    assert framed_apart(rects, nobody, folds, (), 0.1).tolist() == rects.tolist()
    over = np.array([[0.0, -300.0, 100.0, 44.0]])
    assert framed_apart(rects, over, folds, {"pod"}, 0.1).tolist() == rects.tolist()
    aside = np.array([[2000.0, -300.0, 100.0, 44.0]])
    assert framed_apart(rects, aside, folds, {"pod"}, 0.1).tolist() == apart.tolist()
    near, folds = tiers((0.0, 0.0, 900.0, 44.0), (0.0, 60.0, 900.0, 44.0))
    assert tiers_parted(near, nobody, folds, {"pod"}).tolist() == near.tolist(), "not by the width of all"
    assert tiers_parted(near, nobody, folds).tolist() != near.tolist()
    beside, folds = tiers((0.0, 0.0, 100.0, 44.0), (200.0, 0.0, 100.0, 44.0))
    assert framed_apart(beside, nobody, folds, {"pod"}, 0.1).tolist() == beside.tolist()
