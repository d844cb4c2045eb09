"""A drawing that follows edits is the drawing made afresh, after whatever edit, undo or redo."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import invariant

from designer.drawing.composition import Composition
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.projected_rows import Touched
from designer.drawing.stencil import stencil_of
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_svg import svg_of
from designer.graph.link_loads import LinkLoads
from designer.model import operations
from designer.model.collapsing import collapse, role_key
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Placement

DETAILS = (
    Detail(LinkDetail.REGIONS, region=300.0),
    Detail(LinkDetail.TRUNKS),
    Detail(LinkDetail.BUNDLES),
    Detail(LinkDetail.SINGLES),
)

HEAT = Heat(0, {f"l{number}": (number % 7 / 6, number % 5 / 4) for number in range(400)})
"""One heat for all, as a view holds it while the design is edited; links that come later are not in it."""


def assert_alike(followed, fresh):
    """Everything a picture is made of is the same in both."""
    ours, theirs = followed.projection, fresh.projection
    assert ours.device_ids == theirs.device_ids
    assert ours.row_of == theirs.row_of
    assert ours.link_ids == theirs.link_ids
    assert ours.link_rows(ours.link_ids) == theirs.link_rows(theirs.link_ids)
    assert [ours.link_row(one) for one in ours.link_ids] == list(range(len(ours.link_ids)))
    for name in ("ends", "centres", "sizes", "kinds"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    base = followed.base
    assert base.labelled_links() == fresh.base.labelled_links()
    types = [base.type_ids[number] for number in base.types.tolist()]
    assert types == [base.design.devices[one].type_id for one in base.device_ids]
    design, devices = base.design, base.device_ids
    counts = [(design.n_used_ports(i), len(design.ports(i)), len(design.devices[i].reserved_ports)) for i in devices]
    assert [base.port_counts(np.array([row])) for row in range(len(devices))] == counts
    assert [base.roles.keys[number] for number in base.roles.of] == [role_key(design, one) for one in devices]
    np.testing.assert_array_equal(followed.boxes, fresh.boxes)
    assert followed.tier_titles == fresh.tier_titles
    np.testing.assert_array_equal(followed.bundles.pairs, fresh.bundles.pairs)
    np.testing.assert_array_equal(followed.bundles.counts, fresh.bundles.counts)
    np.testing.assert_array_equal(followed.anchors.links, fresh.anchors.links)
    assert followed.containers == fresh.containers
    assert followed.bounds == fresh.bounds
    for row in range(len(ours.device_ids)):
        assert ours.caption(row) == theirs.caption(row)
        assert followed.ports(row) == fresh.ports(row)
    for detail in DETAILS:
        one, other = (composition.picture(LIGHT, detail, HEAT) for composition in (followed, fresh))
        assert one.device_ids == other.device_ids
        np.testing.assert_array_equal(one.lines.xy, other.lines.xy)
        np.testing.assert_array_equal(one.lines.links, other.lines.links)
        np.testing.assert_array_equal(one.loads_of(), other.loads_of())


def _random_user():
    """The machine that edits at random in tests/properties."""
    path = Path(__file__).resolve().parents[1] / "properties" / "test_edits.py"
    spec = importlib.util.spec_from_file_location("random_edits", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.EditMachine


class DrawnDesign(Design):
    """A design whose drawing hears of every edit, as a view does."""

    def __init__(self):
        super().__init__()
        self.drawing = Composition(self)

    def apply(self, edit):
        super().apply(edit)
        self.drawing.follow(edit)


class FollowingMachine(_random_user()):
    """The random user, with a drawing that is looked at after each step."""

    def __init__(self):
        super().__init__()
        self.design = DrawnDesign()

    @invariant()
    def the_drawing_is_the_one_made_afresh(self):
        assert_alike(self.design.drawing, Composition(self.design))

    # These are tests/properties' own: here they would only take time.
    def every_link_made_by_a_verb_is_on_a_port_of_its_own(self):
        pass

    def the_file_gives_back_the_same_design_and_the_same_bytes(self):
        pass

    def the_design_answers_as_one_built_anew_from_its_records(self):
        pass


FollowingMachine.TestCase.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)
TestFollowing = FollowingMachine.TestCase


def test_a_generated_fabric_and_its_undo_are_followed(generated):
    source = generated("rail-optimized", servers=32, servers_per_su=16)
    design = DrawnDesign()
    everything = operations.copy_fragment(source, [*source.devices, *source.groups])
    edit = operations.paste(design, everything, 0, 0)
    design.apply(edit)
    assert len(design.drawing.projection.device_ids) == len(source.devices)
    assert_alike(design.drawing, Composition(design))
    design.apply(edit.inverted())
    assert design.drawing.bounds is None
    assert_alike(design.drawing, Composition(design))


def test_a_new_group_widens_the_bounds(example):
    design = example("fat-tree-16-2to1")
    drawing = Composition(design)
    narrow = drawing.bounds
    edit = operations.group(design, list(design.devices), "all")
    design.apply(edit)
    drawing.follow(edit)
    assert Composition(design).bounds != narrow
    assert drawing.bounds == Composition(design).bounds


def test_renaming_touches_the_texts_alone(example):
    design = example("fat-tree-16-2to1")
    drawing = Composition(design)
    lines = drawing.lines(DETAILS[2])
    device_id = drawing.projection.device_ids[3]
    assert drawing.projection.caption(3).name == design.devices[device_id].name
    edit = operations.rename(design, device_id, "renamed")
    design.apply(edit)
    assert drawing.follow(edit) == Touched.TEXTS
    assert drawing.projection.caption(3).name == "renamed"
    assert drawing.lines(DETAILS[2]) is lines


def test_moving_a_device_moves_its_box_and_the_ends_of_its_links_alone(example):
    design = example("fat-tree-16-2to1")
    drawing = Composition(design)
    before = drawing.anchors.links.copy()
    place = design.placements[drawing.projection.device_ids[0]]
    edit = operations.move(design, {place.id: (place.x + 5, place.y + 700)})
    design.apply(edit)
    assert not drawing.follow(edit) & (Touched.LINKS | Touched.BOXES)
    moved = (drawing.anchors.links != before).any(axis=1)
    at_device = (drawing.projection.ends == 0).any(axis=1)
    assert moved[at_device].all()
    partners = set(drawing.projection.ends[at_device].ravel().tolist())
    assert all(set(ends) & partners for ends in drawing.projection.ends[moved].tolist())


def test_what_is_dragged_is_drawn_off_its_place_and_put_back(example):
    design = example("faults")
    drawing = Composition(design)
    ids = drawing.projection.device_ids[:2]
    drawing.shift(dict.fromkeys(ids, (30.0, -40.0)))
    moved = Composition(design)
    np.testing.assert_allclose(drawing.centres[:2], moved.centres[:2] + np.array((30.0, -40.0)))
    np.testing.assert_array_equal(drawing.centres[2:], moved.centres[2:])
    drawing.shift({})
    assert_alike(drawing, moved)


@pytest.mark.parametrize("count", [3, 1500])
def test_links_put_in_one_by_one_or_read_afresh_stand_in_the_same_order(generated, count):
    design = generated("rail-optimized", servers=127, servers_per_su=32, reserve_leaf_ports=4)
    drawing = Composition(design)
    chosen = list(design.links)[:: max(1, len(design.links) // count)][:count]
    edit = operations.delete(design, chosen)
    design.apply(edit)
    drawing.follow(edit)
    np.testing.assert_array_equal(drawing.projection.ends, Composition(design).projection.ends)
    design.apply(edit.inverted())
    drawing.follow(edit.inverted())
    assert len(design.links) == 2040
    assert drawing.projection.link_ids == Composition(design).projection.link_ids
    np.testing.assert_array_equal(drawing.projection.ends, Composition(design).projection.ends)


def test_devices_that_come_and_go_move_the_rows_of_the_others(example):
    design = example("superpod-h100-4su")
    drawing = Composition(design)
    ids = list(design.devices)
    edits = (
        operations.delete(design, ids[3:40:7]),
        operations.delete(design, [ids[-1], ids[0]]),
    )
    for edit in edits:
        design.apply(edit)
        assert drawing.follow(edit) & Touched.BOXES
        assert_alike(drawing, Composition(design))
    for edit in reversed(edits):
        design.apply(edit.inverted())
        drawing.follow(edit.inverted())
        assert_alike(drawing, Composition(design))


def test_a_device_that_loses_its_place_alone_takes_its_links_along(example):
    design = example("fat-tree-16-2to1")
    drawing = Composition(design)
    one = next(iter(design.devices))
    edit = Edit("Take off", (Change(design.placements[one], None),))
    for step in (edit, edit.inverted()):
        design.apply(step)
        drawing.follow(step)
        assert_alike(drawing, Composition(design))


def test_a_locked_device_wears_a_padlock_at_once(example):
    design = example("fat-tree-16-2to1")
    composition = Composition(design)
    one = composition.projection.device_ids[0]
    assert not composition.projection.caption(0).is_locked
    edit = operations.lock(design, [one], locked=True)
    design.apply(edit)
    composition.follow(edit)
    assert composition.projection.caption(0).is_locked
    assert svg_of(design).count("locked in place") == 1


def test_a_heat_that_all_links_are_in_is_read_by_their_ids_once_links_are_others(example):
    """The ids of a heat are compared with those that are drawn but once."""
    design = example("fat-tree-16-2to1")
    drawing = Composition(design)
    ids = tuple(drawing.projection.link_ids)
    heat = Heat(0, LinkLoads(ids, np.arange(2.0 * len(ids)).reshape(-1, 2) / (2 * len(ids))))
    np.testing.assert_array_equal(drawing.loads(heat), heat.drawn.values_of_links)
    edit = operations.delete(design, [ids[0]])
    design.apply(edit)
    drawing.follow(edit)
    np.testing.assert_array_equal(drawing.loads(heat), heat.drawn.values_of_links[1:])
    design.apply(edit.inverted())
    drawing.follow(edit.inverted())
    np.testing.assert_array_equal(drawing.loads(heat), heat.drawn.values_of_links)


def _moved(design):
    """An edit that moves every device and rack, each its own way."""
    places = [design.placements[one] for one in (*design.devices, *design.racks) if one in design.placements]
    return Edit(
        "Move", tuple(Change(one, replace(one, x=2 * one.x + n, y=one.y - 3 * n)) for n, one in enumerate(places))
    )


@pytest.mark.parametrize("collapsed", [False, True])
def test_a_drawing_from_a_stencil_is_the_one_made_afresh(example, collapsed):
    design = example("superpod-h100-4su")
    rack = next(iter(design.racks))
    if rack not in design.placements:
        design.apply(Edit("Place", (Change(None, Placement(rack, -500.0, 40.0)),)))
    if collapsed:
        design.apply(collapse(design, [next(iter(design.groups))]))
    drawing, moved = Composition(design), design.snapshot()
    stencil = stencil_of(drawing)
    moved.apply(_moved(design))
    from_stencil = stencil.drawing(moved)
    assert_alike(from_stencil, Composition(moved))
    assert from_stencil.base.racks == Composition(moved).base.racks != drawing.base.racks != ()
    assert_alike(drawing, Composition(design))
    assert (from_stencil.projection is from_stencil.base) is not collapsed


def test_a_stencil_keeps_what_was_when_it_was_taken_and_shares_its_bundles(example):
    design = example("fat-tree-16-2to1")
    drawing, moved = Composition(design), design.snapshot()
    bundles, stencil = drawing.bundles, stencil_of(drawing)
    links = [one.id for one in design.links.values()][:3]
    edit = operations.delete(design, [*list(design.devices)[3:5], *links])
    design.apply(edit)
    drawing.follow(edit)
    moved.apply(_moved(moved))
    from_stencil = stencil.drawing(moved)
    assert from_stencil.bundles is bundles
    assert_alike(from_stencil, Composition(moved))
    more = operations.delete(moved, links)
    moved.apply(more)
    from_stencil.follow(more)
    assert_alike(from_stencil, Composition(moved))
    assert_alike(drawing, Composition(design))
