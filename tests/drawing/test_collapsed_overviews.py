"""Published designs, seen whole: boxes keep a gap, and the links between those of tiers say how many they are."""

import numpy as np
import pytest
from drawn_texts import texts

from designer.catalog.catalog import load
from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.counts import CountPlaces, Taken, n_crossed
from designer.drawing.folding.folds import FOLDED, Fold, tiers_parted
from designer.drawing.folding.levels import Levels
from designer.drawing.parts.hot_boxes import OUTLINE_PX
from designer.drawing.parts.picture import layers
from designer.drawing.parts.primitives import Rect
from designer.drawing.parts.row_captions import row_captions
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.parts.standing import lines_on
from designer.drawing.theme import LIGHT
from designer.model.collapsing import BoxKey
from designer.model.design import Design
from designer.topologies.presets import family_of, parameters_of, presets
from designer.units import format_count

VIEW = 930.0, 560.0
LEAST_PX = 20.0
"""Of a gap in which a line and its count are seen."""
LEAST_LINK_PX = 2.0
"""Of a link between two boxes next to each other, beside their plates and outlines."""
DEVICES, MORE_DEVICES = range(300, 3000), range(300, 9000)
"""Smaller designs are drawn device by device, larger ones take long to generate."""


def sized(devices=DEVICES):
    catalog = load()
    for one in presets():
        if one.family:
            found = family_of(one).counts(parameters_of(one), catalog)
            if found.servers + sum(found.switches.values()) in devices:
                yield one


@pytest.mark.parametrize("preset", list(sized()), ids=lambda one: one.id)
def test_boxes_of_tiers_keep_a_gap_with_the_count_of_their_links(preset):
    design = Design()
    design.apply(family_of(preset).build(design, parameters_of(preset), load()))
    whole = Composition(design)
    camera = fitting(whole.bounds, *VIEW)
    composition = Levels(whole).at(camera.scale)
    projection, folds = composition.projection, getattr(composition.projection, "folds", ())
    sheet = Sheet.of_view(Viewport(camera, *VIEW), LIGHT, EstimatedRuler())
    written = list(texts(layers(composition.picture(LIGHT, composition.detail_at(camera.scale)), sheet)))
    for number, pair in enumerate(composition.bundles.pairs.tolist()):
        if min(pair) < projection.n_own or not all(folds[row - projection.n_own].key.role for row in pair):
            continue
        upper, lower = sorted(composition.boxes[pair].tolist(), key=lambda box: box[1])
        assert (lower[1] - upper[1] - upper[3]) * camera.scale >= LEAST_PX
        count = format_count(int(composition.bundles.counts[number]))
        assert any(count in one for one in written)


@pytest.mark.parametrize("preset", list(sized(MORE_DEVICES)), ids=lambda one: one.id)
def test_links_between_boxes_next_to_each_other_show_between_their_plates_and_outlines(preset):
    design = Design()
    design.apply(family_of(preset).build(design, parameters_of(preset), load()))
    whole = Composition(design)
    for width, height in ((620.0, 370.0), VIEW, (1400.0, 840.0)):
        camera = fitting(whole.bounds, width, height)
        composition = Levels(whole).at(camera.scale)
        sheet = Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler())
        detail = composition.detail_at(camera.scale)
        picture = composition.picture(LIGHT, detail)
        boxes, kinds = sheet.boxes(picture.boxes), composition.projection.kinds
        plates = {tuple(np.round(group.at)): plates_of(group) for group in stacks(picture, sheet) if group.at}
        for pair in composition.bundles.pairs.tolist():
            if (kinds[pair] == FOLDED).all():
                apart = [gap_along(axis, *boxes[pair], plates) for axis in (0, 1)]
                assert max(apart) >= LEAST_LINK_PX + OUTLINE_PX / 2


@pytest.mark.parametrize("preset", ["dgx-superpod-b200-16su", "leonardo"])
def test_notes_of_tiers_and_lines_below_boxes_cover_no_line(preset):
    design, found = Design(), next(one for one in presets() if one.id == preset)
    design.apply(family_of(found).build(design, parameters_of(found), load()))
    whole, n_written = Composition(design), 0
    for width, height in ((930.0, 560.0), (1100.0, 750.0), (1400.0, 580.0)):
        camera = fitting(whole.bounds, width, height)
        composition = Levels(whole).at(camera.scale)
        sheet = Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler())
        picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
        written = [one.place for one in row_captions(picture, sheet)]
        list(layers(picture, sheet))
        written += picture.note_places.values()
        for x, y, wide, high in written:
            spot = np.array([[x + wide / 2, y + high / 2]])
            assert not n_crossed(lines_on(picture, sheet), spot, wide, high).any()
        n_written += len(written)
    assert n_written


def plates_of(group):
    """How far the plates of a box stand out of it."""
    return max((one.x for one in group.parts if isinstance(one, Rect) and one.radius), default=0.0)


def gap_along(axis, one, other, plates):
    """What shows between two boxes, left, top, width and height, along an axis."""
    first, last = sorted((one, other), key=lambda box: box[axis])
    end = first[axis] + first[2 + axis] + max(plates.get(tuple(np.round(first[:2])), 0.0), OUTLINE_PX / 2)
    return last[axis] - end


def tiers(*heights):
    """Boxes (middle, width, height) of roles, 1,000 wide, at these heights from top to bottom."""
    rects = np.array([[0.0, (top + bottom) / 2, 1000.0, bottom - top] for top, bottom in heights])
    folds = [Fold(BoxKey("", f"role-{n}"), "", f"role-{n}", np.arange(1), by_hand=False) for n in range(len(rects))]
    return rects, folds


def edges(rects):
    return [(y - height / 2, y + height / 2) for _, y, _, height in rects.tolist()]


def test_a_block_of_many_servers_gives_the_gap_to_its_leaf_switches():
    rects, folds = tiers((0, 30), (300, 330), (331, 531))
    spines, leafs, servers = edges(tiers_parted(rects, np.empty((0, 4)), folds))
    assert (spines, leafs) == ((0, 30), (300, 330))
    assert servers == (pytest.approx(375), 531)


def test_low_boxes_make_way_for_the_gap_as_far_as_the_others_leave_room():
    rects, folds = tiers((0, 30), (300, 330), (331, 361))
    _, leafs, servers = edges(tiers_parted(rects, np.empty((0, 4)), folds))
    assert servers[0] - leafs[1] == pytest.approx(45)
    assert leafs[1] - leafs[0] == pytest.approx(30) == servers[1] - servers[0]
    rects, folds = tiers((0, 30), (31, 61), (62, 92))
    others = np.array([[0.0, -20.0, 1000.0, 30.0], [0.0, 112.0, 1000.0, 30.0]])
    found = edges(tiers_parted(rects, others, folds))
    assert found[0][0] >= -5 and found[2][1] <= 97  # never into others


def test_tiers_that_stand_apart_or_beside_each_other_stay():
    for rects, folds in (tiers((0, 30), (100, 130)), tiers((0, 30))):
        assert tiers_parted(rects, np.empty((0, 4)), folds).tolist() == rects.tolist()
    rects, folds = tiers((0, 30), (31, 61))
    rects[1, 0] = 1001.0
    assert tiers_parted(rects, np.empty((0, 4)), folds).tolist() == rects.tolist()


def test_a_short_line_of_an_overview_has_room_for_its_count():
    line, area = np.array([50.0, 0.0, 50.0, 40.0]), (0.0, 0.0, 100.0, 100.0)
    for across, expected in ((False, None), (True, (50.0, 20.0))):
        places = CountPlaces(line[None], Taken(np.empty((0, 4))), area, across=across)
        assert places.place_on(line, 60.0, 11.0) == expected
