"""Boxes too small for their names have them beside, above or below, where a whole row has room for all."""

from dataclasses import replace

import numpy as np
import pytest

from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.obstacles import inside
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.parts import names_beside as module
from designer.drawing.parts.boxes import boxes
from designer.drawing.parts.document import Size, document
from designer.drawing.parts.names_beside import SIZES_PX, SMALL_PX, names_beside, names_within
from designer.drawing.parts.primitives import Group, Text
from designer.drawing.parts.row_captions import COUNTS, taken_before, written
from designer.drawing.parts.ruler import EstimatedRuler, line_height
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import standing
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


# -- names in boxes ----------------------------------------------------------------------------------------------------


@pytest.fixture
def pod(generated):
    """Four units of eight leaf switches and 32 servers below 16 spines."""
    return generated("rail-optimized", servers=128, server="dgx-h100", racks="none")


def within(design, width=1200.0, **how):
    return list(names_within(*drawn(design, width, **how)))


def test_rows_with_no_room_beside_them_have_short_names_in_their_boxes(pod):
    picture, sheet = drawn(pod, 1200.0)
    found = list(names_within(picture, sheet))
    leafs, servers = [f"r{rail}" for rail in range(1, 9)] * 4, [f"{number:03}" for number in range(1, 129)]
    assert sorted(one.text for one in found) == sorted([*leafs, *servers])
    beside = {one.text for one in names_beside(picture, sheet)}
    assert beside == {f"{number:02}" for number in range(1, 17)}
    boxes = sheet.boxes(picture.boxes)
    for one in found:
        across, height = sheet.ruler.width(one.text, one.size), 0.7 * line_height(sheet.ruler, one.size)
        assert one.size >= min(SIZES_PX)
        x, y, wide, high = boxes[np.abs(boxes[:, :2] + boxes[:, 2:] / 2 - (one.x, one.y)).sum(axis=1).argmin()]
        assert x < one.x - across / 2 and one.x + across / 2 < x + wide
        assert height < high and y < one.y < y + high


def test_a_number_that_all_of_a_row_have_is_left_out_only_where_the_title_around_them_says_it(pod):
    assert "r1" in {one.text for one in within(pod)}
    for number, group in enumerate(list(pod.groups)):
        pod.apply(operations.rename(pod, group, f"Hall {number}"))
    assert {one.text for one in within(pod)} == {f"{number:03}" for number in range(1, 129)}
    picture, sheet = drawn(pod, 1300.0)
    texts = {one.text for one in names_within(picture, replace(sheet, least_name=5.0))}
    assert {name.removeprefix("leaf-") for name in POD} <= texts


def test_letters_are_as_low_as_their_boxes(pod):
    """Those of the program are larger on a large screen."""
    picture, sheet = drawn(pod, 1200.0)
    assert not list(names_within(picture, replace(sheet, zoom=1.7)))
    high = replace(sheet, zoom=1.7, ruler=Narrow())
    assert not list(names_within(picture, high))
    assert list(names_within(picture, replace(high, zoom=1.0)))


class Narrow(EstimatedRuler):
    """Measures letters that are high and narrow."""

    def width(self, text, size, bold=False):
        return super().width(text, size, bold) / 4


def test_places_beside_boxes_that_no_name_takes_in_the_end_are_free_again(pod):
    picture, sheet = drawn(pod, 1200.0)
    names = list(names_beside(picture, sheet))
    before, after = standing(picture, sheet), taken_before(COUNTS, picture, sheet)
    assert len(after) - len(before) - len(written(picture, sheet)) == len(names) == 16


def test_letters_in_boxes_are_read_on_the_color_of_the_box(pod):
    picture, sheet = drawn(pod, 1200.0)
    colours = {one.text: one.colour for one in names_within(picture, sheet)}
    assert (colours["r1"], colours["001"]) == (LIGHT.background, LIGHT.text)
    amber = replace(picture.coloured, boxes=np.zeros(len(picture.boxes), int), box_colours=(LIGHT.boxes[0],))
    painted = names_within(replace(picture, coloured=amber), sheet)
    assert {one.colour for one in painted} == {LIGHT.text}


def test_no_name_is_written_in_a_box_that_something_lies_over(pod):
    picture, sheet = drawn(pod, 1200.0)
    left, top, wide, high = sheet.boxes(picture.boxes)[picture.device_ids.index(next(iter(pod.devices)))].tolist()
    covered = {one.text for one in names_within(picture, replace(sheet, reserved=((left, top, wide, high),)))}
    assert "001" not in covered and {"r1", "r8"} <= covered


@pytest.mark.parametrize("overlay", [NO_OVERLAY, Overlay(failed=frozenset({"none"})), Overlay(labels=False)])
def test_a_picture_has_each_name_in_a_box_once_unless_labels_are_left_out(pod, overlay):
    page = document(pod, LIGHT, None, frozenset(), overlay, EstimatedRuler(), Size(1300.0))
    texts = [one.text for one in all_texts(page.layers)]
    assert texts.count("r1") == (4 if overlay.labels else 0)


def all_texts(parts):
    for part in parts:
        yield from all_texts(part.parts) if isinstance(part, Group) else [part] if isinstance(part, Text) else ()


# -- boxes that hold their names ---------------------------------------------------------------------------------------


def texts_in_boxes(design, scale):
    composition = Composition(design)
    left, top, right, bottom = composition.bounds
    camera = fitting(composition.bounds, (right - left) * scale, (bottom - top) * scale, margin=0.0)
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
    sheet = Sheet.of_view(
        Viewport(camera, (right - left) * scale, (bottom - top) * scale), LIGHT, EstimatedRuler(), least_name=9.0
    )
    return [one.text for one in all_texts(boxes(picture, sheet))]


@pytest.mark.parametrize(("scale", "first", "leafs"), [(0.28, "r1", 8), (0.35, "su1-r1", 32)])
def test_a_row_of_boxes_too_narrow_for_its_names_has_all_of_them_in_one_short_form(pod, scale, first, leafs):
    texts = texts_in_boxes(pod, scale)
    assert not [one for one in texts if not one or "\N{HORIZONTAL ELLIPSIS}" in one]
    assert {f"{spine:02}" for spine in range(1, 17)} <= set(texts)
    of_leafs = {one for one in texts if "r" in one}
    assert first in of_leafs and len(of_leafs) == leafs and all(name.endswith(tuple(of_leafs)) for name in POD)
    assert len(texts) == len(pod.devices)


def test_of_very_many_boxes_in_sight_each_name_is_cut_by_itself(pod, monkeypatch):
    monkeypatch.setattr(module, "MOST_HOLDING", len(pod.devices) - 1)
    assert "" in texts_in_boxes(pod, 0.28)


POD = [f"leaf-su{su}-r{rail}" for su in range(1, 5) for rail in range(1, 9)]
