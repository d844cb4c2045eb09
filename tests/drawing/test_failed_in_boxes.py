"""What has failed inside of boxes for many: a plate that covers nothing, and lines that say how many links are left."""

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken, corners_of, place_at_box
from designer.drawing.folding.folds import FOLDED
from designer.drawing.link_rates import COUNTED, MORE, texts_of
from designer.drawing.overlay import Overlay
from designer.drawing.parts.picture import layers, states
from designer.drawing.parts.primitives import Circle, Rect
from designer.drawing.parts.row_captions import LAYERS, failed_plates, taken_before, titles_of
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import PLATE_HEIGHT_PX
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_svg import svg_of
from designer.model import collapsing
from designer.model.annotating import annotate
from designer.model.annotation import NOTE


@pytest.fixture
def pod(generated):
    """Units of 8 servers and 8 leaf switches, and 4 spines, each as one box."""
    design = generated("rail-optimized", servers=32, servers_per_su=8)
    design.apply(collapsing.collapse_all(design))
    return design


def spines(design):
    return sorted(one.id for one in design.devices.values() if one.role == "spine")


def fitted(design, width=1000.0, height=700.0, failed=()):
    composition = Composition(design)
    composition.colouring.failed = frozenset(failed)
    camera = fitting(composition.bounds, width, height, margin=60.0)
    sheet = Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler())
    return composition, composition.picture(LIGHT, composition.detail_at(camera.scale)), sheet


def marks_of(composition, picture, sheet):
    """What is drawn for what has failed."""
    overlay = Overlay(failed=composition.colouring.failed)
    (broken,) = (one for one in states(composition, picture, sheet, overlay) if one.id == "broken")
    return list(broken.parts)


def plates_in(parts):
    return [one[:4] for one in parts if isinstance(one, Rect) and one.height == PLATE_HEIGHT_PX]


@pytest.mark.parametrize("height", [700.0, 330.0])
def test_plates_cover_no_box_nor_word_nor_each_other_and_if_they_can_no_line(pod, height):
    leafs = sorted(one.id for one in pod.devices.values() if one.role == "leaf")
    composition, picture, sheet = fitted(pod, height=height, failed=(spines(pod)[0], *leafs[::8]))
    parts = marks_of(composition, picture, sheet)
    found = plates_in(parts)
    assert len(found) == 5 and f"1 of {len(spines(pod))} spines failed" in texts(parts)
    boxes = Taken(corners_of(sheet.boxes(composition.boxes)))
    titles = Taken(corners_of(sheet.boxes(composition.boxes)[:0]))
    for place in titles_of(picture, sheet):
        titles.take(*place)
    for number, (x, y, wide, high) in enumerate(found):
        assert boxes.is_free(x, y, wide, high) and titles.is_free(x, y, wide, high)
        assert x >= 0.0 and y >= 0.0 and x + wide <= 1000.0 and y + high <= height
        boxes.take(*found[number])
    (top,) = (one for one in found if one[1] == min(other[1] for other in found))
    box = sheet.boxes(composition.boxes[[composition.projection.box_of(spines(pod)[0])]])[0]
    assert top[1] + top[3] <= box[1], "above the spines, where no line runs"


def test_a_plate_keeps_off_a_note(pod):
    composition, picture, sheet = fitted(pod, failed=spines(pod)[:1])
    (before,) = plates_in(marks_of(composition, picture, sheet))
    start, end = sheet.camera.to_canvas(*before[:2]), sheet.camera.to_canvas(before[0] + before[2], before[1] + 9.0)
    pod.apply(annotate(pod, NOTE, start, end, text="x"))
    composition = Composition(pod)
    composition.colouring.failed = frozenset(spines(pod)[:1])
    picture = composition.picture(LIGHT, composition.detail_at(sheet.scale))
    (after,) = plates_in(marks_of(composition, picture, sheet))
    left, top, wide, high = before
    assert not (abs(after[0] - left) < wide and abs(after[1] - top) < high)


@pytest.mark.parametrize("has_signs", [False, True])
def test_without_room_a_mark_is_in_the_corner_that_bears_no_plus(pod, has_signs):
    composition, picture, _ = fitted(pod, failed=spines(pod)[:1])
    row = composition.projection.box_of(spines(pod)[0])
    assert picture.kinds[row] == FOLDED
    x, y, width, height = composition.boxes[row].tolist()
    sheet = Sheet(Camera(), (x, y, width, height), LIGHT, EstimatedRuler(), has_signs=has_signs)  # no more than the box
    (mark,) = (one for one in marks_of(composition, picture, sheet) if isinstance(one, Circle))
    assert (mark.x < x + width / 2) == has_signs


def test_lines_say_how_many_of_their_links_are_left(pod):
    overlay = Overlay(failed=frozenset(spines(pod)[:1]))
    per_unit = 64 // len(spines(pod))
    assert f"{64 - per_unit} of 64 × 400G" in svg_of(pod, overlay=overlay)
    plain = svg_of(pod)
    assert " of 64 × 400G" not in plain and "64 × 400G" in plain
    link = next(one for one in pod.links.values() if {one.a.device_id, one.b.device_id} & set(spines(pod)))
    assert svg_of(pod, overlay=Overlay(failed=frozenset((link.id,)))).count("63 of 64 × 400G") == 1


def test_of_one_link_and_of_short_lines_the_count_is_as_short_as_it_can_be(pod):
    links = list(pod.links.values())[:4]
    assert texts_of(pod, links, 4, "400G", ("count",), 1) == ("3 of 4 × 400G", "3 of 4")
    assert texts_of(pod, links, 4, "", ("count",), 4) == ("0 of 4",)
    assert texts_of(pod, links[:1], 1, "", ("count",), 1) == ()


def test_words_follow_what_has_failed(pod):
    composition, _, sheet = fitted(pod)

    def said(*failed):
        composition.colouring.failed = frozenset(failed)
        picture = composition.picture(LIGHT, composition.detail_at(sheet.scale))
        found = {one for one in texts(layers(picture, sheet)) if " of 64" in one}
        every = np.arange(len(picture.lines.xy))
        return found, set(picture.link_amounts(picture.lines, every).tolist())

    one, two, *_ = spines(pod)
    per_spine = 64 // len(spines(pod))
    assert said() == (set(), {COUNTED})
    assert said(one) == ({f"{64 - per_spine} of 64 × 400G"}, {MORE}), "each line says so, however many are alike"
    assert said(one, two) == ({f"{64 - 2 * per_spine} of 64 × 400G"}, {MORE})
    assert said() == (set(), {COUNTED})


@pytest.mark.parametrize("layer", LAYERS)
def test_texts_of_all_layers_keep_off_plates(pod, layer):
    _, picture, sheet = fitted(pod, failed=spines(pod)[:1])
    (plate,) = failed_plates(picture, sheet).values()
    assert not taken_before(layer, picture, sheet).is_free(*plate.place)
    assert failed_plates(picture, sheet)[next(iter(picture.failed_in))] is plate, "it stays where it is"


def test_two_plates_that_want_one_place_do_not_lie_over_each_other():
    taken, area = Taken(np.array([(0.0, 0.0, 90.0, 20.0), (0.0, 50.0, 90.0, 70.0)])), (0.0, 0.0, 90.0, 70.0)
    boxes, found = ([0.0, 0.0, 90.0, 20.0], [0.0, 50.0, 90.0, 20.0]), []
    for box in boxes:
        found.append(place_at_box(box, (60.0, 14.0), (2.0, 8.0), area, taken, np.empty((0, 4))))
        if found[-1]:
            taken.take(*found[-1], 60.0, 14.0)
    assert found == [(30.0, 28.0), None]


def test_a_plate_covers_no_line_where_it_can_stand_clear():
    lines, area = np.array([(75.0, 0.0, 75.0, 100.0)]), (0.0, 0.0, 200.0, 100.0)
    box, taken = [0.0, 40.0, 90.0, 20.0], Taken(np.empty((0, 4)))
    assert place_at_box(box, (60.0, 14.0), (2.0, 8.0), area, taken, lines) == (0.0, 24.0)
    assert place_at_box(box, (60.0, 14.0), (2.0, 8.0), area, taken, lines[:0]) == (30.0, 24.0)
