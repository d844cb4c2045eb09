"""Titles of groups cover no boxes: those of another group would be taken for theirs."""

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import detail_at
from designer.drawing.parts.frames import title_corners, titled_at, titles
from designer.drawing.parts.primitives import Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT

GROUPS = {"SU 1", "SU 2", *(f"Trial group {number}" for number in range(1, 5))}


def drawn(composition, width, height):
    camera = fitting(composition.bounds, width, height)
    n_boxes = len(composition.boxes)
    picture = composition.picture(LIGHT, detail_at(camera.scale, n_boxes, n_boxes, n_boxes))
    return picture, Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler())


@pytest.mark.parametrize("width", [300.0, 500.0, 700.0, 1000.0, 2400.0])
def test_titles_of_the_faults_cover_no_boxes_at_any_size(example, width):
    picture, sheet = drawn(Composition(example("faults")), width, 0.7 * width)
    places = sheet.boxes(picture.boxes)
    for x, y, _, height in title_corners(picture, sheet).tolist():
        title = next(one for one in titles_at(picture, sheet) if abs(one[0] - x) < 1 and abs(one[1] - y) < 1)
        left, top, across, down = places.T
        over = (left < x + title[2]) & (left + across > x) & (top < y + height) & (top + down > y)
        assert not np.any(over)


def titles_at(picture, sheet):
    """Left, top and width of the plates of titles."""
    return [(part.x, part.y, part.width) for part in titles(picture, sheet) if hasattr(part, "width")]


def test_from_near_all_groups_have_titles_and_from_afar_those_with_room(example):
    composition = Composition(example("faults"))
    assert set(texts(titles(*drawn(composition, 2400.0, 1700.0)))) >= GROUPS
    assert set(texts(titles(*drawn(composition, 700.0, 490.0)))) >= GROUPS
    afar = set(texts(titles(*drawn(composition, 500.0, 350.0))))
    assert {"Trial group 4", "SU 1", "SU 2"} <= afar and "Trial group 2" not in afar


def past_the_left(generated, share):
    """A group of a dragonfly of which a share of the width lies beyond the left edge, and what is written of it."""
    composition = Composition(generated("dragonfly", p=2, a=4, h=2))
    frame = next(one for one in composition.containers if one.title == "Group 4")
    left, top, right, bottom = frame.rect
    camera = Camera(1.0, left + share * (right - left), (top + bottom) / 2 - 400.0)
    picture = composition.picture(LIGHT, detail_at(1.0, 108, 108, 162))
    sheet = Sheet.of_view(Viewport(camera, 1200.0, 800.0), LIGHT, EstimatedRuler())
    written = [part for part in titles(picture, sheet) if isinstance(part, Text)]
    title = next(one for one in written if one.text == "Group 4")
    return picture, sheet, frame, title, [one for one in written if one.y == title.y]


def test_the_title_of_a_group_that_begins_beyond_the_left_edge_stays_in_sight(generated):
    for share in (0.0, 0.2, 0.5):
        picture, sheet, frame, title, written = past_the_left(generated, share)
        last = written[-1]
        x, _, width, _ = sheet.seen(frame.rect)
        assert 0.0 <= title.x <= max(10.0, x + 10.0)
        assert last.x + sheet.ruler.width(last.text, last.size, last.bold) <= x + width
        assert titled_at(picture, sheet, title.x + 5.0, title.y - 3.0) == frame.id
    _, sheet, frame, title, _ = past_the_left(generated, 0.97)
    x, _, width, _ = sheet.seen(frame.rect)
    assert title.x < 0.0, "no farther than its frame"
    assert title.x + sheet.ruler.width(title.text, title.size, True) == pytest.approx(x + width)
