"""Titles of groups leave links whole: where links run above a frame and none below, the title stands below."""

import numpy as np
import pytest

from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.frame_titles import ROOM_BELOW, titled_off_links
from designer.drawing.geometry import Container
from designer.drawing.level_of_detail import detail_at
from designer.drawing.obstacles import inside
from designer.drawing.parts.frames import title_corners
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT

NO_BOXES, UP, DOWN = np.empty((0, 4)), (50.0, 50.0, 150.0, -300.0), (50.0, 50.0, 150.0, 300.0)


@pytest.mark.parametrize("width", [700.0, 1200.0, 2400.0])
def test_no_title_of_a_scalable_unit_lies_on_a_link(generated, width):
    composition = Composition(generated("rail-optimized", servers=64, server="dgx-h100", oversubscription=2.0))
    camera = fitting(composition.bounds, width, 0.6 * width)
    picture = composition.picture(LIGHT, detail_at(camera.scale, 84, 84, 84))
    sheet = Sheet.of_view(Viewport(camera, width, 0.6 * width), LIGHT, EstimatedRuler())
    corners, lines = title_corners(picture, sheet), composition.lines(picture.detail).xy
    lines = np.hstack([camera.points_to_view(lines[:, at : at + 2]) for at in (0, 2)])
    assert len(corners) == 2
    for x, y, across, down in corners:
        low, high = np.array([[x, y]]), np.array([[x + across, y + down]])
        assert not inside(lines, np.repeat(low, len(lines), 0), np.repeat(high, len(lines), 0)).any()


def frame(name, left, top, *, width=200.0, height=100.0, kind="scalable-unit"):
    return Container(name, kind, name, "", (left, top, left + width, top + height))


def below(frames, lines, boxes=NO_BOXES):
    found = titled_off_links(frames, np.array(lines, float).reshape(-1, 4), np.array(boxes, float))
    return {one.id for one in found if one.is_titled_below}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], set()),
        ([UP], {"a", "b"}),
        ([DOWN], set()),
        ([UP, DOWN], set()),
        ([UP, (0.0, 110.0, 900.0, 400.0)], set()),
        ([(50.0, 50.0, 150.0, 20.0)], set()),
    ],
    ids=["none", "up", "down", "both", "through the strip below", "inside"],
)
def test_titles_of_a_row_stand_below_where_links_run_above_only(lines, expected):
    assert below([frame("a", 0.0, 0.0), frame("b", 300.0, 0.0)], lines) == expected


@pytest.mark.parametrize("away", [ROOM_BELOW - 1, ROOM_BELOW + 1])
def test_they_stay_above_where_something_is_close_below(away):
    is_free = away > ROOM_BELOW
    a = frame("a", 0.0, 0.0)
    assert below([a], [UP], [(50.0, 100.0 + away, 40.0, 20.0)]) == ({"a"} if is_free else set())
    assert below([a, frame("under", 50.0, 100.0 + away)], [UP]) == ({"a"} if is_free else set())
    around = frame("around", -40.0, -40.0, width=280.0, height=140.0 + away)
    assert ("a" in below([a, around], [UP])) == is_free


def test_titles_of_racks_stay_inside():
    assert below([frame("a", 0.0, 0.0, kind="rack")], [UP]) == set()
