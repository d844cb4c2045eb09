"""Groups that a hand has opened: each takes the room that its tiers need, and what is closed makes way."""

from itertools import combinations

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.folding.folds import MOST_NARROWED, level_of
from designer.drawing.folding.levels import Levels
from designer.drawing.folding.making_way import Room, kept_around
from designer.drawing.folding.opened import LEAST_OPEN_PX, STRIP_PX, STRIPS_APART_PX, TITLE_PX
from designer.drawing.parts.row_captions import row_captions
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.model.collapsing import BoxKey
from designer.model.design import Design
from designer.topologies.presets import family_of, parameters_of, presets

VIEW = 930.0, 560.0
AROUND = ("lumi-g", "leonardo", "aurora")
IN_ROWS = ("dgx-superpod-gb200-16su-fabric", "alibaba-hpn7-pod", "meta-24k-roce")
NEARLY = 0.01


@pytest.fixture(scope="module", params=AROUND + IN_ROWS)
def whole(request):
    preset = next(one for one in presets() if one.id == request.param)
    design = Design()
    design.apply(family_of(preset).build(design, parameters_of(preset), load()))
    return Composition(design)


def sets_of_groups(whole):
    """One group, two next to each other, three that are not, every second, and as many as are open at once."""
    ids = [frame.id for frame in whole.projection.groups]
    n = len(ids)
    return [ids[:1], ids[n // 3 : n // 3 + 2], [ids[0], ids[n // 2], ids[-1]], ids[1:12:2], ids[:24]]


def drawings(whole):
    """Drawings with opened groups, which these are, and the scale of each: from all in the view to far nearer."""
    fit = fitting(whole.bounds, *VIEW).scale
    for groups in sets_of_groups(whole):
        for step in range(9):
            scale, levels = level_of(fit * 2 ** (step / 2)), Levels(whole)
            levels.open_exactly(map(BoxKey, groups))
            drawing = levels.at(scale)
            opened = [] if drawing is whole else [one for one in groups if one not in drawing.projection.row_of]
            if opened:
                yield drawing, opened, scale


def tiers_of(drawing, group):
    projection = drawing.projection
    return [row for row in range(projection.n_own, len(drawing.boxes)) if projection.fold_at(row).key.id == group]


def meet(boxes):
    """Whether any two of these (left, top, width, height) lie over each other."""
    low, high = boxes[:, :2] + NEARLY, boxes[:, :2] + boxes[:, 2:] - NEARLY
    met = ((low[:, None] < high[None]) & (high[:, None] > low[None])).all(axis=2)
    np.fill_diagonal(met, False)
    return bool(met.any())


def test_every_opened_group_is_readable_and_nothing_lies_over_anything(whole):
    seen = set()
    for drawing, opened, scale in drawings(whole):
        seen.update(opened)
        boxes = drawing.boxes
        assert not meet(boxes)
        frames = np.array([one.rect for one in drawing.containers if one.id in opened])
        assert len(frames) == len(opened)
        assert not meet(np.hstack((frames[:, :2], frames[:, 2:] - frames[:, :2])))
        for group in opened:
            tiers = boxes[tiers_of(drawing, group)]
            assert (tiers[:, 3] * scale >= STRIP_PX - NEARLY).all(), "high enough for words"
            (left, top), (right, foot) = tiers[:, :2].min(axis=0), (tiers[:, :2] + tiers[:, 2:]).max(axis=0)
            assert (right - left) * scale >= LEAST_OPEN_PX * (1.0 - MOST_NARROWED)
            for one, other in combinations(sorted(tiers.tolist(), key=lambda box: box[1]), 2):
                if one[0] < other[0] + other[2] and other[0] < one[0] + one[2]:
                    assert (other[1] - one[1] - one[3]) * scale >= STRIPS_APART_PX - NEARLY, "links and counts show"
            others = np.delete(boxes, tiers_of(drawing, group), axis=0)
            others = others[(others[:, 0] < right) & (others[:, 0] + others[:, 2] > left)]
            off = np.maximum(others[:, 1] - foot, top - others[:, 1] - others[:, 3])
            assert (off * scale >= TITLE_PX - NEARLY).all(), "its title has room"
    assert len(seen) >= 8 or len(whole.projection.groups) < 8


def test_groups_around_a_middle_keep_their_ring_whatever_is_open(whole):
    if whole.gated is None:
        assert whole.gatherer.ring(whole.detail_at(1.0)) is None
        return
    for drawing, _, scale in drawings(whole):
        assert drawing.gatherer.ring(drawing.detail_at(scale)) is not None


def test_closing_a_group_gives_the_room_back(whole):
    scale, ids = level_of(2 * fitting(whole.bounds, *VIEW).scale), sets_of_groups(whole)[1]
    while not _are_open(whole, ids, scale):
        scale *= 2**0.5
    levels, alone = Levels(whole), Levels(whole)
    levels.open_exactly(map(BoxKey, ids))
    assert len(levels.at(scale).boxes) > len(whole.projection.groups)
    levels.open_exactly([BoxKey(ids[0])])
    alone.open_exactly([BoxKey(ids[0])])
    assert levels.at(scale).boxes.tolist() == alone.at(scale).boxes.tolist()


def _are_open(whole, ids, scale):
    levels = Levels(whole)
    levels.open_exactly(map(BoxKey, ids))
    drawing = levels.at(scale)
    assert drawing is not whole
    return not any(one in drawing.projection.row_of for one in ids)


def test_boxes_make_way_up_and_down_and_what_stands_beside_keeps_its_place():
    rects = np.array([[0, -50, 100, 20], [0, 0, 100, 20], [0, 50, 100, 20], [200, 0, 100, 20], [200, 40, 100, 20]])
    room = Room(rects.astype(float), [1], 60.0)
    room.heighten([1])
    room.keep_off(np.array([1]), 50.0)
    assert room.placed()[:, 1:].tolist() == [
        [-90, 100, 20],
        [0, 100, 60],
        [90, 100, 20],
        [0, 100, 20],
        [80, 100, 20],
    ]


def test_what_is_lower_than_two_tiers_grows_with_neither():
    """A tier beside one that has become higher has its own height: only its middle is where the room is."""
    rects = np.array([[0.0, 0.0, 100.0, 20.0], [200.0, 4.0, 100.0, 20.0]])
    room = Room(rects, [0, 1], 60.0)
    room.heighten([0])
    room.heighten([1])
    assert room.placed()[:, 3].tolist() == [60.0, 60.0]


def test_groups_that_stood_on_a_curve_are_put_on_one_again_and_others_stay():
    angles = np.linspace(0.2, np.pi - 0.2, 7)
    right = np.stack((300 + 200 * np.sin(angles), -200 * np.cos(angles)), axis=1)
    rects = np.hstack((np.vstack((right, right * (-1, 1))), np.full((14, 2), 40.0)))
    after, groups = rects.copy(), [np.array([row]) for row in range(14)]
    after[:, 1] += np.where(rects[:, 1] > -150.0, 300.0, 0.0)
    found = kept_around(rects, after, groups)
    assert (found[:7, 0] >= after[:7, 0]).all() and (found[7:, 0] <= after[7:, 0]).all()
    assert (found[:, 1:] == after[:, 1:]).all()
    slopes = np.diff(found[:7, 0]) / np.diff(found[:7, 1])
    assert (np.diff(slopes) < -1e-6).all(), "it bends one way alone"
    rects[[1, 3, 5], 0] = 250.0
    after[:, 0] = rects[:, 0]
    assert kept_around(rects, after, groups)[:7].tolist() == after[:7].tolist(), "they stood on none"


def test_titles_stay_at_their_side_whatever_is_open(whole):
    if whole.gated is None:
        return
    sides = {one.id: one.is_titled_below for one in whole.containers}
    assert len(set(sides.values())) == 2
    for drawing, opened, _ in drawings(whole):
        for one in drawing.containers:
            assert one.id not in opened or one.is_titled_below == sides[one.id]


def test_no_line_stands_off_the_few_boxes_that_it_tells_of(whole):
    """Two groups with parts of their routers open: what a part holds is said below its row, or not at all."""
    if whole.gated is None:
        return
    ids, keys = [one.id for one in whole.projection.groups], list[BoxKey]()
    ids = [ids[len(ids) // 4], ids[-5]]
    scale = level_of(fitting(whole.bounds, *VIEW).scale)
    while not _are_open(whole, ids, scale):
        scale = level_of(scale * 1.5)
    for one in ids:
        keys += [
            BoxKey(one),
            BoxKey(one, "router"),
            BoxKey(one, "router Routers 17-32"),
            BoxKey(one, "router Routers 1-16"),
        ]
    for step in range(4):
        levels = Levels(whole)
        levels.open_exactly(keys)
        near = level_of(scale * 1.3**step)
        drawing = levels.at(near)
        sheet = Sheet.of_view(Viewport(around_all(drawing, near), *VIEW), LIGHT, EstimatedRuler())
        captions = row_captions(drawing.picture(LIGHT, drawing.detail_at(near)), sheet)
        for one in captions:
            assert len({float(drawing.boxes[row, 1]) for row in one.rows}) == 1


def around_all(drawing, scale):
    """The view at that scale with the middle of the drawing in its middle."""
    left, top, right, foot = drawing.bounds
    return Camera(scale, (left + right - VIEW[0] / scale) / 2, (top + foot - VIEW[1] / scale) / 2)
