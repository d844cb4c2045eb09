"""Lines that are led by hand run through their bends, whatever else decides how links run."""

from dataclasses import replace

import numpy as np
import pytest

from designer.drawing.apart import squared
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.management import crossings
from designer.model import bending, collapsing, operations
from designer.model.colour_keys import OWN_LABEL, RIGHT_ANGLES, STRAIGHT
from designer.model.edit import Change, Edit

BUNDLES, SINGLES = Detail(links=LinkDetail.BUNDLES), Detail(links=LinkDetail.SINGLES)
TRUNKS, CROWDS = Detail(links=LinkDetail.TRUNKS), Detail(links=LinkDetail.CROWDS)
BENDS = ((-150.0, 300.0), (-200.0, 100.0))


@pytest.fixture
def pods(generated):
    """Two units of 8 leaf switches and 32 servers below 8 spines."""
    return generated("rail-optimized", servers=64, server="dgx-h100", switch="nvidia-qm9700", racks="none")


def device(design, name):
    return next(one.id for one in design.devices.values() if one.name == name)


def between(design, one, other):
    """The ids of the links between two devices of these names, and the first device."""
    a, b = device(design, one), device(design, other)
    return [link.id for link in design.links.values() if {link.a.device_id, link.b.device_id} == {a, b}], a


def bend(design, one, other, points=BENDS, count=None):
    ids, from_id = between(design, one, other)
    edit = bending.bend_links(design, ids[:count], points, from_id)
    design.apply(edit)
    return ids, edit


def points_of(design, composition, detail, link_ids):
    """The points of the lines that stand for these links, from the device that is higher in the picture."""
    lines = composition.lines(detail)
    xy = lines.xy[lines.of_all(composition.chosen_links(link_ids))]
    return np.unique(xy.reshape(-1, 2).round(3), axis=0).tolist()


@pytest.mark.parametrize("how", ["automatic", STRAIGHT])
@pytest.mark.parametrize("detail", [BUNDLES, TRUNKS, CROWDS])
def test_the_line_of_all_links_between_two_devices_runs_through_their_bends(pods, how, detail):
    pods.apply(operations.set_settings(pods, link_lines=how))
    ids, _ = bend(pods, "leaf-su1-r1", "spine-01")
    found = points_of(pods, Composition(pods), detail, ids)
    assert len(found) == 4
    assert all(list(one) in found for one in BENDS)


@pytest.mark.parametrize("detail", [BUNDLES, TRUNKS, CROWDS])
def test_a_line_to_a_server_that_is_led_hangs_on_no_comb(pods, detail):
    ids, _ = bend(pods, "gpu-01", "leaf-su1-r1")
    composition = Composition(pods)
    lines = composition.lines(detail)
    rows = lines.of_all(composition.chosen_links(ids))
    assert len(rows) == 3 and (lines.counts[rows] == len(ids)).all()
    others, _ = between(pods, "gpu-02", "leaf-su1-r1")
    assert len(lines.of_all(composition.chosen_links(others)))


def test_every_link_is_in_some_line_whatever_is_led(pods):
    bend(pods, "gpu-01", "leaf-su1-r1")
    composition = Composition(pods)
    for detail in (BUNDLES, TRUNKS, CROWDS, SINGLES, Detail(links=LinkDetail.REGIONS, region=100.0)):
        assert np.unique(composition.lines(detail).links).tolist() == [*range(len(composition.projection.link_ids))]


@pytest.mark.parametrize("points", [BENDS, ((-150.0, 9000.0), (-900.0, 100.0)), ((4000.0, 300.0), (4100.0, -100.0))])
def test_links_that_share_their_bends_run_beside_each_other_in_the_order_of_their_ports(pods, points):
    ids, _ = bend(pods, "leaf-su1-r1", "spine-01", points)
    composition = Composition(pods)
    ways = [composition.link_path(composition.projection.link_row(one)) for one in ids]
    assert len(ways) == 4
    for place in (0, 1):
        pieces = np.array([way[place] for way in ways])
        assert crossings(pieces, pieces).sum() == 0
        assert len(np.unique(pieces.round(3), axis=0)) == 4
        assert np.abs(pieces[:, 2:] - pieces[:, 2:].mean(axis=0)).max() < 20.0


def test_a_stub_of_a_torus_that_is_led_is_a_whole_line_without_a_name_at_its_end(generated):
    torus = generated("torus", dims=(4, 4, 3))
    stubs = Composition(torus)
    number = int(stubs.stubs.numbers[0])
    ids = [torus_id for row, torus_id in enumerate(stubs.projection.link_ids) if stubs.bundles.of_link[row] == number]
    torus.apply(bending.bend_links(torus, ids, [(-700.0, -800.0)], torus.links[ids[0]].a.device_id))
    composition = Composition(torus)
    assert number not in composition.stubs.numbers
    assert len(composition.far_ends.at) == len(stubs.far_ends.at) - 2
    assert [-700.0, -800.0] in points_of(torus, composition, BUNDLES, ids)


def test_the_line_takes_the_bends_that_most_links_have(pods):
    ids, _ = bend(pods, "leaf-su1-r1", "spine-01", count=1)
    assert len(points_of(pods, Composition(pods), BUNDLES, ids)) == 2
    alone = Composition(pods)
    ways = [len(alone.link_path(alone.projection.link_row(one))) for one in ids]
    assert ways == [3, 1, 1, 1]
    bend(pods, "leaf-su1-r1", "spine-01", count=3)
    assert len(points_of(pods, Composition(pods), BUNDLES, ids)) == 4


def test_orthogonal_lines_run_through_the_bends_at_right_angles_alone(pods):
    pods.apply(operations.set_settings(pods, link_lines=RIGHT_ANGLES))
    ids, _ = bend(pods, "leaf-su1-r1", "spine-01", ((-150.0, 300.0), (-400.0, 100.0), (-300.0, 50.0)))
    composition = Composition(pods)
    for detail in (BUNDLES, SINGLES):
        xy = composition.lines(detail).xy
        assert (np.abs(xy[:, :2] - xy[:, 2:]) < 1e-6).any(axis=1).all()
    assert len(points_of(pods, composition, BUNDLES, ids)) > 5


def test_no_line_at_right_angles_runs_back_along_itself():
    way = squared(np.array([[0.0, 0.0], [40.0, 100.0], [-200.0, 100.0], [-180.0, 0.0]]), np.array([True, True]))
    assert way.tolist() == [[0.0, 0.0], [0.0, 100.0], [-180.0, 100.0], [-180.0, 0.0]]


def test_bends_follow_both_devices_while_these_are_dragged(pods):
    ids, _ = bend(pods, "leaf-su1-r1", "spine-01")
    composition = Composition(pods)
    leaf, spine = device(pods, "leaf-su1-r1"), device(pods, "spine-01")
    composition.shift({leaf: (30.0, 10.0), spine: (30.0, 10.0)})
    found = points_of(pods, composition, BUNDLES, ids)
    assert all([x + 30.0, y + 10.0] in found for x, y in BENDS)
    composition.shift({leaf: (30.0, 10.0)})
    assert all(list(one) in points_of(pods, composition, BUNDLES, ids) for one in BENDS)


def test_the_picture_follows_bends_that_come_and_go(pods):
    composition = Composition(pods)
    straight = composition.lines(BUNDLES).xy
    _, edit = bend(pods, "leaf-su1-r1", "spine-01")
    composition.follow(edit)
    assert len(composition.lines(BUNDLES).xy) == len(straight) + 2
    assert np.array_equal(composition.lines(BUNDLES).xy, Composition(pods).lines(BUNDLES).xy)
    pods.apply(edit.inverted())
    composition.follow(edit.inverted())
    assert np.array_equal(composition.lines(BUNDLES).xy, straight)


def test_one_edit_that_bends_and_labels_links_shows_their_labels(pods):
    """As where an edit of two people is merged."""
    pods.apply(operations.set_settings(pods, link_labels=(OWN_LABEL,)))
    composition = Composition(pods)
    ids, from_id = between(pods, "leaf-su1-r1", "spine-01")
    rows = np.array([*composition.projection.link_rows(ids).values()])
    assert composition.link_texts(rows) == ()
    led = bending.bend_links(pods, ids, BENDS, from_id).changes
    edit = Edit("Bend and label", tuple(Change(one.before, replace(one.after, label="reroute")) for one in led))
    pods.apply(edit)
    composition.follow(edit)
    assert composition.link_texts(rows) == Composition(pods).link_texts(rows) != ()


def test_the_line_of_a_collapsed_box_takes_no_bends(pods):
    bend(pods, "leaf-su1-r1", "spine-01")
    unit = next(one.id for one in pods.groups.values() if one.name.startswith("SU 1") or one.kind == "scalable unit")
    pods.apply(collapsing.collapse(pods, [unit]))
    composition = Composition(pods)
    assert composition.led is None
    assert not any(list(one) in composition.lines(BUNDLES).xy.reshape(-1, 2).tolist() for one in BENDS)


def test_everything_drawn_is_around_bends_too(pods):
    bend(pods, "leaf-su1-r1", "spine-01", ((-5000.0, -900.0),))
    left, top, _, _ = Composition(pods).bounds
    assert left <= -5000.0 and top <= -900.0
