"""Boxes too small for their names have them beside, above or below, where a whole row has room for all."""

from dataclasses import replace

import numpy as np
import pytest

from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.obstacles import inside
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.parts import names_beside as module
from designer.drawing.parts.document import Size, document
from designer.drawing.parts.names_beside import SIZES_PX, SMALL_PX, names_beside
from designer.drawing.parts.primitives import Group, Text
from designer.drawing.parts.ruler import EstimatedRuler, line_height
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.model import operations

SPINES = [f"spine-0{number}" for number in range(1, 5)]
LEAFS = [f"leaf-su{su}-r{rail}" for su in (1, 2) for rail in range(1, 9)]


@pytest.fixture
def fabric(generated):
    """Two units of eight leaf switches and 32 servers below four spines."""
    return generated("rail-optimized", servers=64, server="dgx-h100", oversubscription=2.0, racks="none")


def drawn(design, width, height=700.0, *, smooth=True):
    composition = Composition(design)
    camera = fitting(composition.bounds, width, height)
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
    return picture, Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler(), smooth=smooth)


def names_of(design, width, **how):
    return list(names_beside(*drawn(design, width, **how)))


@pytest.mark.parametrize(
    ("width", "names"),
    [
        (1600.0, SPINES + LEAFS),
        (1100.0, ["01", "02", "03", "04", *(name.removeprefix("leaf-") for name in LEAFS)]),
        (300.0, []),
    ],
)
def test_rows_of_switches_have_their_names_beside_them_or_what_tells_these_apart(fabric, width, names):
    found = names_of(fabric, width)
    assert sorted(one.text for one in found) == sorted(names)
    assert all(one.size >= min(SIZES_PX) for one in found)


def test_on_paper_and_in_images_whole_names_are_set_smaller_before_they_are_cut(fabric):
    picture, sheet = drawn(fabric, 1200.0)
    assert not {one.text for one in names_beside(picture, sheet)} & set(LEAFS)
    found = {one.text: one.size for one in names_beside(picture, replace(sheet, least_name=5.0))}
    assert set(found) == {*SPINES, *LEAFS}
    assert all(min(SMALL_PX) <= found[name] < min(SIZES_PX) for name in LEAFS)


@pytest.mark.parametrize("width", [1000.0, 1300.0, 1600.0, 1900.0])
def test_no_name_lies_on_a_box_a_link_a_frame_or_another_name(fabric, width):
    picture, sheet = drawn(fabric, width)
    names = list(names_beside(picture, sheet))
    assert names
    rects = []
    for one in names:
        across, down = sheet.ruler.width(one.text, one.size), 0.6 * line_height(sheet.ruler, one.size)
        middle = one.y - sheet.ruler.ascent(one.size) / 2.8
        rects.append((one.x - across / 2, middle - down / 2, one.x + across / 2, middle + down / 2))
    low, high = np.array(rects)[:, :2], np.array(rects)[:, 2:]
    boxes, lines = sheet.boxes(picture.boxes), sheet.camera.points_to_view(picture.lines.xy)
    frames = [sheet.seen(one.rect) for one in picture.containers]
    for number in range(len(names)):
        over = (low[number] < boxes[:, :2] + boxes[:, 2:]) & (high[number] > boxes[:, :2])
        assert not over.all(axis=1).any()
        assert not inside(lines, *(np.repeat(one[number : number + 1], len(lines), 0) for one in (low, high))).any()
        others = np.arange(len(names)) != number
        assert not ((low[others] < high[number]) & (high[others] > low[number])).all(axis=1).any()
        for left, top, wide, tall in frames:
            within = low[number] >= (left, top), high[number] <= (left + wide, top + tall)
            beyond = (high[number] <= (left, top)).any() or (low[number] >= (left + wide, top + tall)).any()
            assert np.all(within) or beyond


def test_what_stands_in_the_way_of_one_unit_leaves_the_names_of_the_next_unit_alone(fabric):
    of = {one.name: one.id for one in fabric.devices.values()}
    leaf = fabric.placements[of["leaf-su1-r3"]]
    fabric.apply(operations.move(fabric, {of["gpu-20"]: (leaf.x + 150.0, leaf.y)}))
    texts = {one.text for one in names_of(fabric, 1600.0)}
    assert {name for name in LEAFS if name in texts} == {f"leaf-su2-r{rail}" for rail in range(1, 9)}


def test_where_boxes_hold_names_while_the_view_moves_and_of_very_many_none_stands_beside(fabric, monkeypatch):
    assert names_of(fabric, 6000.0, height=3000.0) == []
    assert names_of(fabric, 1600.0, smooth=False) == []
    monkeypatch.setattr(module, "MOST_BOXES", 83)
    assert names_of(fabric, 1600.0) == []
    monkeypatch.setattr(module, "MOST_BOXES", 84)
    assert names_of(fabric, 1600.0)


def test_a_picture_for_a_slide_names_its_switches_unless_labels_are_left_out(fabric):
    def written(overlay):
        page = document(fabric, LIGHT, None, frozenset(), overlay, EstimatedRuler(), Size(2400.0))
        return {part.text for group in page.layers for part in parts(group) if isinstance(part, Text)}

    def parts(group):
        for part in group.parts:
            yield from parts(part) if isinstance(part, Group) else (part,)

    assert {*SPINES, *LEAFS} <= written(NO_OVERLAY)
    assert not {*SPINES, *LEAFS} & written(Overlay(labels=False))
