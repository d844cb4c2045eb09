"""From afar a large fabric without groups is drawn by the parts that hang together below its highest tier."""

import numpy as np
import pytest
from drawn_texts import texts

from designer.canvas import hits
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.folding import folds
from designer.drawing.folding.levels import Levels
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.theme import KINDS, LIGHT
from designer.model import collapsing, operations


@pytest.fixture
def without_groups(generated, monkeypatch):
    """Eight parts of 32 hosts, 8 leaf switches and 4 spines below 16 cores: 512 links between switches."""
    monkeypatch.setattr(folds, "MOST_LINES_OPEN", 300)
    design = generated("pgft", children=(4, 8, 8), parents=(1, 4, 4))
    assert len(design.devices) == 368 and not design.groups
    return design


def test_from_afar_what_hangs_together_below_the_highest_tier_is_one_box(without_groups):
    composition = Composition(without_groups)
    far = Levels(composition).at(0.1)
    assert [fold.kind for fold in far.projection.folds] == ["unit"] * 8 + ["core"]
    names = [f"Unit {number}" for number in range(1, 9)]
    assert [far.projection.title_at(row) for row in range(9)] == [*names, "16 cores"]
    assert [far.projection.caption(row).name for row in range(8)] == names
    assert {far.projection.devices_at(row) for row in range(8)} == {"32 hosts, 8 leaf switches, 4 spines"}
    sheet = Sheet(Camera(0.1, *far.bounds[:2]), (0.0, 0.0, 9000.0, 900.0), LIGHT, EstimatedRuler())
    picture = far.picture(LIGHT, far.detail_at(0.1))
    assert {"Unit 1", "Unit 8", "16 cores"} <= set(texts(stacks(picture, sheet)))
    assert picture.stacks.kinds == {KINDS.index("core")}, "a legend of kinds has none of units"
    assert sorted(far.bundles.counts.tolist()) == [16] * 8
    assert len(far.projection.link_ids) + len(far.projection.inner_links) == len(without_groups.links)
    lefts = far.boxes[:8, 0]
    assert (np.diff(lefts) > far.boxes[:7, 2]).all(), "side by side, in the order of their numbers"
    assert hits.box_at(far, *far.centres[3]) == 3
    members = set(far.projection.ids_at(3))
    assert len(members) == 44 and {far.projection.box_of(one) for one in members} == {3}


def test_parts_that_are_too_narrow_to_be_told_apart_are_drawn_by_tiers(without_groups):
    far = Levels(Composition(without_groups)).at(0.01)
    assert sorted(fold.key.role for fold in far.projection.folds) == ["core", "leaf", "server", "spine"]


def test_parts_that_do_not_stand_side_by_side_are_drawn_by_tiers(without_groups):
    composition = Composition(without_groups)
    levels = Levels(composition)
    assert len(levels.at(0.1).projection.folds) == 9
    hosts = without_groups.servers()
    moved = operations.move(without_groups, {hosts[0].id: (100_000.0, 0.0)})
    without_groups.apply(moved)
    composition.follow(moved)
    assert len(levels.at(0.1).projection.folds) == 4
    without_groups.apply(moved.inverted())
    composition.follow(moved.inverted())
    assert len(levels.at(0.1).projection.folds) == 9


def test_a_fabric_that_hangs_together_below_its_highest_tier_is_drawn_by_tiers(generated, monkeypatch):
    monkeypatch.setattr(folds, "MOST_LINES_OPEN", 300)
    composition = Composition(generated("pgft", children=(40, 8, 1), parents=(1, 16, 16)))
    assert len(Levels(composition).at(0.1).projection.folds) == 3  # its 8 leaf switches are few enough


def test_devices_on_their_own_are_no_parts(without_groups):
    leaf = next(one.id for one in without_groups.switches() if one.role == "leaf")
    spare = [link.id for link in without_groups.links_of(leaf)]
    without_groups.apply(operations.delete(without_groups, spare))  # four hosts and a leaf switch on their own
    far = Levels(Composition(without_groups)).at(0.1)
    assert [fold.kind for fold in far.projection.folds] == ["unit"] * 8 + ["core"]
    assert far.projection.n_own == 5


def test_what_a_person_collapsed_in_a_part_stays_the_box_that_it_is(without_groups):
    leaf = next(one.id for one in without_groups.switches() if one.role == "leaf")
    without_groups.apply(collapsing.collapse_role(without_groups, [leaf]))
    far = Levels(Composition(without_groups)).at(0.1)
    assert sorted(fold.key.role for fold in far.projection.folds) == ["core", "leaf", "server", "spine"]


def test_below_spines_a_part_is_a_leaf_switch_with_its_servers(generated, monkeypatch):
    monkeypatch.setattr(folds, "MOST_LINES_OPEN", 300)
    composition = Composition(generated("pgft", children=(60, 12), parents=(1, 32)))
    far = Levels(composition).at(0.15)
    assert [fold.kind for fold in far.projection.folds] == ["unit"] * 12 + ["spine"]
    assert far.projection.devices_at(0) == "60 hosts, 1 leaf switch"


def test_a_fabric_in_groups_or_with_few_lines_has_no_units(generated, monkeypatch):
    pods, few = (Composition(generated("k-ary-fat-tree", k=16)), Composition(generated("fat-tree", servers=256)))
    assert folds.units_of(few.base) is None
    monkeypatch.setattr(folds, "MOST_LINES_OPEN", 300)
    assert folds.units_of(pods.base) is None
    assert folds.units_of(few.base) is not None


def test_a_box_larger_than_the_view_bears_its_name_in_the_part_that_shows(generated):
    far = Levels(Composition(generated("k-ary-fat-tree", k=12))).at(0.03)
    row = next(row for row in range(len(far.boxes)) if far.projection.title_at(row) == "Pod 1")
    x, y, width, _height = far.boxes[row].tolist()
    scale = 400.0 / width
    sheet = Sheet(Camera(scale, x + width / 2, y - 9.0), (0.0, 0.0, 160.0, 400.0), LIGHT, EstimatedRuler())
    group = next(iter(stacks(far.picture(LIGHT, far.detail_at(scale)), sheet)))
    (words,) = (one for one in group.parts if hasattr(one, "parts"))
    assert "Pod 1" in texts([words])
    assert group.at[0] + words.at[0] == pytest.approx(0.0), "its words begin where the view does"
