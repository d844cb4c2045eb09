"""Boxes of a row that stand for many devices: gaps between them at every size, and what they say is not cut."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.folding.folds import FOLDED, parted
from designer.drawing.folding.levels import Levels
from designer.drawing.level_of_detail import detail_at
from designer.drawing.parts.primitives import Group, Rect, Text
from designer.drawing.parts.row_captions import row_captions
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.theme import LIGHT
from designer.model import collapsing
from designer.model.edit import Change, Edit

LARGE = {
    "SUs": ("rail-optimized", {"servers": 256}),
    "16 pods": ("k-ary-fat-tree", {"k": 16}),
    "33 groups": ("dragonfly", {"p": 4, "a": 8, "h": 4}),
}


def seen(composition, width, height=None):
    camera = fitting(composition.bounds, width, height or width / 2)
    found = Levels(composition).at(camera.scale)
    sizes = len(found.projection.device_ids), len(found.bundles.pairs), len(found.projection.link_ids)
    picture = found.picture(LIGHT, detail_at(camera.scale, *sizes))
    return found, picture, Sheet.of_view(Viewport(camera, width, height or width / 2), LIGHT, EstimatedRuler())


def gaps(boxes):
    """Between each box, left, top, width and height, and the next one to the right of it; in terms of its width."""
    left, top, width, height = boxes.T
    beside = (top[:, None] < (top + height)[None]) & ((top + height)[:, None] > top[None])
    apart = np.where(beside, left[None] - (left + width)[:, None], -1.0)
    return (np.where(apart >= 0, apart, np.inf).min(axis=1) / width)[:, None]


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("width", [500, 1000, 1400])
def test_boxes_of_a_row_stand_apart_at_every_size_and_links_end_on_them(name, width, generated):
    family, parameters = LARGE[name]
    found, picture, _ = seen(Composition(generated(family, **parameters)), width)
    boxes = picture.boxes[picture.kinds == FOLDED]
    assert len(boxes) > 4
    assert gaps(boxes).min() >= 0.06
    assert len({round(one) for one in boxes[boxes[:, 2] < np.median(boxes[:, 2]) * 1.5, 2].tolist()}) == 1
    ends = found.anchors.bundles.reshape(-1, 2)
    x, y, wide, high = picture.boxes[found.bundles.pairs.reshape(-1)].T
    assert (ends >= np.stack((x, y), axis=1) - 1e-6).all()
    assert (ends <= np.stack((x + wide, y + high), axis=1) + 1e-6).all()


@pytest.mark.parametrize("width", [500, 1000, 1400])
def test_the_plates_of_a_row_leave_a_gap_to_the_next_box_and_are_alike(width, generated):
    _, picture, sheet = seen(Composition(generated("k-ary-fat-tree", k=16)), width)
    places = {}
    for group in stacks(picture, sheet):
        plates = [one for one in group.parts if isinstance(one, Rect) and one.radius]
        said = [one.text for one in group.parts if isinstance(one, Text)]
        if plates and said[:1] != ["64 cores"]:
            step = max(one.x for one in plates)
            places.setdefault(round(group.at[1]), []).append((group.at[0], plates[-1].width, step))
    row = sorted(max(places.values(), key=len))
    assert len(row) == 16
    assert len({step for *_, step in row}) == 1
    for (x, wide, step), (following, _, _) in pairwise(row):
        assert following - (x + wide + step) >= 0.03 * wide


def test_a_box_next_to_a_device_gives_all_of_the_gap_itself_and_what_overlaps_stays(generated):
    design = generated("k-ary-fat-tree", k=4)
    design.apply(collapsing.collapse(design, [one.id for one in design.groups.values() if one.kind == "pod"][:1]))
    (fold,) = Composition(design).projection.folds
    rect, narrow = np.array([[0.0, 0.0, 100.0, 40.0]]), np.array([[110.0 - 9.0, 0.0, 100.0, 40.0]])
    x, _, width, _ = parted(rect, narrow, [fold])[0].tolist()
    assert (51.0 - (x + width / 2)) / width >= 0.0799
    over = np.array([[60.0, 0.0, 100.0, 40.0]])
    assert parted(rect, over, [fold])[0].tolist() == rect[0].tolist()
    below = np.array([[102.0, 45.0, 100.0, 40.0]])
    assert parted(rect, below, [fold])[0].tolist() == rect[0].tolist()


def test_boxes_of_a_grid_keep_as_wide_gaps_above_one_another_as_beside_each_other(generated):
    design = generated("k-ary-fat-tree", k=4)
    design.apply(collapsing.collapse(design, [one.id for one in design.groups.values() if one.kind == "pod"]))
    folds = Composition(design).projection.folds
    assert len(folds) == 4
    rects = np.array([[x, y, 100.0, 80.0] for y in (0.0, 85.0) for x in (0.0, 105.0)])
    found = parted(rects, np.empty((0, 4)), folds)
    assert found[:, :2].tolist() == rects[:, :2].tolist()
    width, height = found[0, 2:].tolist()
    assert (found[:, 2:] == (width, height)).all()
    assert 105.0 - width == pytest.approx(85.0 - height, abs=1.0)
    assert 85.0 - height >= 0.24 * height
    rects[:, 1] *= 2  # rows that stand apart give nothing for it
    assert parted(rects, np.empty((0, 4)), folds)[:, 3].tolist() == [80.0] * 4


def boxed(picture, sheet):
    """The texts of each box."""
    return [[*texts([one])] for one in stacks(picture, sheet) if isinstance(one, Group)]


def laid(composition, width, height):
    """The picture with its boxes of groups in a row, each so wide and high; and a sheet around them."""
    picture = seen(composition, 1000)[1]
    rows = [row for row in np.flatnonzero(picture.kinds == FOLDED).tolist() if picture.stacks.at(row).devices]
    boxes = picture.boxes.copy()
    rows.sort(key=lambda row: boxes[row, 0])
    boxes[:, 1] += 5000.0
    boxes[rows] = [(place * 1.1 * width, 100.0, width, height) for place in range(len(rows))]
    sheet = Sheet(Camera(1.0, 0.0, 0.0), (0.0, 0.0, 5000.0, 1000.0), LIGHT, EstimatedRuler())
    return replace(picture, boxes=boxes), sheet


@pytest.mark.parametrize("width", [240.0, 200.0, 160.0, 130.0])
def test_counts_stand_in_lines_where_they_have_no_room_beside_the_name(width, generated):
    for said in boxed(*laid(Composition(generated("rail-optimized", servers=256)), width, 70.0)):
        assert not any("…" in one for one in said)
        assert "32 servers, 8 leaf switches" in said or said[1:3] == ["32 servers", "8 leaf switches"]


def test_beside_the_name_of_a_low_box_only_whole_counts_stand(generated):
    composition = Composition(generated("rail-optimized", servers=256))
    for width, n_counts in ((280.0, 1), (440.0, 2)):
        for _, beside in boxed(*laid(composition, width, 30.0)):
            counts = ("32 servers, 8 leaf switches", "512 of 512 switch ports used")
            assert beside == " · ".join(counts[:n_counts])


def test_the_line_below_a_row_says_what_is_cut_in_one_of_its_boxes(generated):
    composition = Composition(generated("rail-optimized", servers=256))
    for width, height, is_said in ((200.0, 26.0, True), (120.0, 40.0, True), (240.0, 70.0, False)):
        captions = row_captions(*laid(composition, width, height))
        said = ["SU 1 to SU 8: 32 servers, 8 leaf switches each"] * is_said
        assert [one.text.partition(" (")[0] for one in captions] == said, (width, height)
        assert all(len(one.rows) == 8 for one in captions)


def test_names_of_a_row_are_set_alike_so_that_the_longest_fits(generated):
    design = generated("k-ary-fat-tree", k=16)
    picture, sheet = laid(Composition(design), 92.0, 66.0)
    sizes = {one.size for group in stacks(picture, sheet) for one in group.parts if isinstance(one, Text) and one.bold}
    names = {one.text for group in stacks(picture, sheet) for one in group.parts if isinstance(one, Text) and one.bold}
    assert names == {f"Pod {number}" for number in range(1, 17)}
    assert len(sizes) == 1


@pytest.mark.parametrize(("width", "height", "is_written"), [(470, 250, True), (320, 170, False)])
def test_narrow_boxes_of_cubes_have_all_their_coordinates_or_none(width, height, is_written, generated):
    design = generated("torus", dims=(16, 16, 16), cube=(4, 4, 4))
    _, picture, sheet = seen(Composition(design), width, height)
    said = [one for one in texts(stacks(picture, sheet)) if one.replace("-", "").isdecimal()]
    expected = [f"{x}-{y}-{z}" for x in range(4) for y in range(4) for z in range(4)]
    assert sorted(said) == (expected if is_written else [])


@pytest.mark.parametrize("name", ["Pod", "2-0-1", "Pod 1-2", "1--2"])
@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_row_of_narrow_boxes_is_drawn_whatever_one_of_them_is_called(name, place, generated):
    design = generated("k-ary-fat-tree", k=16)
    pod = [one for one in design.groups.values() if one.kind == "pod"][place]
    design.apply(Edit("rename", (Change(pod, replace(pod, name=name)),)))
    for width in (24.0, 18.0, 12.0, 10.0, 8.0):
        said = {one for one in texts(stacks(*laid(Composition(design), width, 40.0))) if one.isdecimal()}
        assert said <= {str(number) for number in range(1, 17)}
        assert "-" in name or len(said) > 2, width
