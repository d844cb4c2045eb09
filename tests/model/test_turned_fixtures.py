"""Fixtures that are turned: their corners, what they take of the floor, and the verbs and limits of it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import DesignerError
from designer.fields import kinds
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.fixture import TRAY, WALL, Fixture
from designer.model.fixture_shape import corners_m, own_rect_m, rect_m, shares_floor, turned
from designer.model.furnishing import add_fixture, add_tray, change_fixtures, resize_fixture, turn_fixtures
from designer.storage import document

SIDE = st.floats(0.1, 4)
PLACE = st.floats(-3, 3)
DEGREES = st.floats(0, 359.9)


@pytest.fixture
def design():
    made = Design()
    made.apply(add_fixture(made, WALL, (0, 0, 4, 1)))
    return made


def test_a_quarter_turn_is_exact_and_swaps_the_sides(design):
    design.apply(turn_fixtures(design, ["f1"], 90))
    wall = design.fixtures["f1"]
    assert (wall.turn_deg, rect_m(wall)) == (90, (1.5, -1.5, 2.5, 2.5))
    assert own_rect_m(wall) == (0, 0, 4, 1) and corners_m(wall)[0] == (2.5, -1.5)
    for _ in range(3):
        design.apply(turn_fixtures(design, ["f1"], 90))
    assert design.fixtures["f1"] == Fixture("f1", WALL, "wall-1", 2, 0.5, 4, 1)


def test_several_turn_around_their_common_middle_and_trays_by_their_corners(design):
    design.apply(add_tray(design, [(6, 0.5), (8, 0.5)], width_m=0.4))
    design.apply(turn_fixtures(design, ["f1", "f2"], -90))
    wall, tray = design.fixtures["f1"], design.fixtures["f2"]
    assert (wall.x_m, wall.y_m, wall.turn_deg) == (4.1, 2.6, 270)
    assert tray.points_m == ((4.1, -1.4), (4.1, -3.4)) and tray.turn_deg == 0


def test_what_is_turned_is_resized_as_it_stands(design):
    design.apply(turn_fixtures(design, ["f1"], 30))
    design.apply(resize_fixture(design, "f1", (0, 0, 2, 1)))
    wall = design.fixtures["f1"]
    assert (wall.turn_deg, wall.width_m, wall.x_m) == (30, 2, 1)


def test_a_turn_is_saved_and_left_out_where_there_is_none(design):
    assert b"turn_deg" not in document.encode(design)
    design.apply(change_fixtures(design, ["f1"], turn_deg=22.5))
    assert document.decode(document.encode(design)).fixtures["f1"].turn_deg == 22.5


@pytest.mark.parametrize("degrees", [-1, 360, math.nan])
def test_no_record_is_turned_by_a_whole_turn_or_back(design, degrees):
    with pytest.raises(DesignerError):
        change_fixtures(design, ["f1"], turn_deg=degrees)


def test_a_tray_has_no_turn_of_its_own(design):
    design.apply(add_tray(design, [(0, 0), (1, 0)]))
    with pytest.raises(DesignerError, match="corners"):
        change_fixtures(design, ["f2"], turn_deg=45.0)
    bad = Fixture("f9", TRAY, turn_deg=45.0, points_m=((0.0, 0.0), (1.0, 0.0)))
    with pytest.raises(DesignerError):
        design.apply(Edit("", (Change(None, bad),)))


@pytest.mark.parametrize(("text", "degrees"), [("45", 45), ("-90", 270), ("22.5°", 22.5), ("450 deg", 90), ("360", 0)])
def test_angles_are_read_as_what_they_come_to(text, degrees):
    assert kinds.DEGREES.read(text) == degrees


@pytest.mark.parametrize("text", ["", "east", "nan", "inf"])
def test_what_is_no_angle_is_refused(text):
    with pytest.raises(DesignerError, match="write degrees"):
        kinds.DEGREES.read(text)


@given(PLACE, PLACE, SIDE, SIDE, DEGREES, SIDE, SIDE)
def test_a_rectangle_shares_floor_where_any_point_of_it_is_inside(x, y, width, depth, degrees, far, deep):
    """Sampled points never disagree: one inside both, and the rectangle shares floor with the fixture."""
    wall = Fixture("f1", WALL, "", x, y, width, depth, degrees)
    rect = (-far / 2, -deep / 2, far / 2, deep / 2)
    own = own_rect_m(wall)
    for column in range(9):
        for row in range(9):
            at = own[0] + (own[2] - own[0]) * column / 8, own[1] + (own[3] - own[1]) * row / 8
            seen = turned(at, (x, y), degrees)
            if rect[0] < seen[0] < rect[2] and rect[1] < seen[1] < rect[3] and 0 < column < 8 and 0 < row < 8:
                assert shares_floor(wall, rect)


@given(PLACE, PLACE, SIDE, SIDE, DEGREES)
def test_a_line_between_two_rectangles_keeps_them_apart(x, y, width, depth, degrees):
    """A rectangle beyond any side of the fixture, or beyond its bounds, shares no floor with it."""
    wall = Fixture("f1", WALL, "", x, y, width, depth, degrees)
    left, top, right, bottom = rect_m(wall)
    for beyond in ((right, top, right + 1, bottom), (left, bottom, right, bottom + 1), (left - 1, top, left, bottom)):
        assert not shares_floor(wall, beyond)
    outside = turned((own_rect_m(wall)[2] + 0.8, y), (x, y), degrees)  # half a diagonal of the square is below 0.8
    assert not shares_floor(wall, (outside[0] - 0.5, outside[1] - 0.5, outside[0] + 0.5, outside[1] + 0.5))
