"""Dimensions, texts and zones of the floor plan: tied to racks and walls, measured as these stand."""

import pytest

from designer.errors import EditError, FileFormatError, ParameterError
from designer.model import fixture_limits, fragments, operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.fixture import DIMENSION, TEXT, WALL, ZONE, Fixture, Tie
from designer.model.fixture_shape import rect_m
from designer.model.furnishing import (
    add_dimension,
    add_fixture,
    change_fixtures,
    dimension_between,
    measured,
    move_fixtures,
    reshape_dimension,
    turn_fixtures,
)
from designer.model.merging.references import rewritten
from designer.placement import floor
from designer.storage import document

FREE = Tie()


@pytest.fixture
def room(catalog):
    """Two racks of 0.6 by 1.2 m in a row, 3 m apart, and a wall 2 m to the right of the second."""
    design = Design()
    for name in ("one", "two"):
        design.apply(operations.add_rack(design, catalog.get("rack-42u"), 0, 0, name))
    design.apply(floor.place_racks(design, {"r1": (0.0, 0.0), "r2": (3.0, 0.0)}))
    design.apply(add_fixture(design, WALL, (5.3, -4.0, 5.5, 4.0)))
    return design


def put(design, edit):
    design.apply(edit)
    return edit.changes[0].after.id


def to_wall(design):
    """From the right edge of the second rack to the left one of the wall."""
    start, end = ((3.3, 0.2), Tie("r2", 1.0, 0.3333)), ((5.3, 1.0), Tie("f1", -1.0, 0.25))
    return put(design, add_dimension(design, start, end))


def test_a_dimension_measures_from_edge_to_edge_and_follows_what_it_is_tied_to(room):
    one = to_wall(room)
    assert measured(room, room.fixtures[one]).length_m == pytest.approx(2.0)
    room.apply(floor.place_racks(room, {"r2": (2.5, 1.5)}))
    found = measured(room, room.fixtures[one])
    assert found.length_m == pytest.approx(2.5), "level, though the rack moved down too"
    assert found.line[0] == pytest.approx((2.8, 1.7), abs=1e-3) and found.line[1] == pytest.approx((5.3, 1.7), abs=1e-3)
    room.apply(move_fixtures(room, ["f1"], 1.0, 0.0))
    assert measured(room, room.fixtures[one]).length_m == pytest.approx(3.5)


def test_its_line_is_drawn_further_off_and_the_figure_stays(room):
    one = to_wall(room)
    room.apply(move_fixtures(room, [one], 0.7, -1.0))
    found = measured(room, room.fixtures[one])
    assert found.length_m == pytest.approx(2.0)
    assert found.line[0] == pytest.approx((3.3, -0.8), abs=1e-3)
    assert found.feet[0] == pytest.approx((3.3, -0.6)), "the corner of the rack that is nearest to the line"
    assert found.feet[1] == pytest.approx((5.3, -0.8), abs=1e-3), "the wall reaches as far as the line"


def test_moved_with_all_that_it_is_tied_to_it_keeps_its_distance(room):
    one = to_wall(room)
    room.apply(move_fixtures(room, [one, "f1"], 0.0, 2.0, racks=["r2"]))
    room.apply(floor.place_racks(room, {"r2": (3.0, 2.0)}))
    found = measured(room, room.fixtures[one])
    assert found.line[0] == pytest.approx((3.3, 2.2), abs=1e-3) and found.length_m == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("end", "is_direct", "length_m"), [((4.0, 3.0), False, 4.0), ((3.0, -4.0), False, 4.0), ((3.0, 4.0), True, 5.0)]
)
def test_it_measures_along_or_across_the_rows_or_directly(room, end, is_direct, length_m):
    made = dimension_between(room, ((0.0, 0.0), FREE), (end, FREE), is_direct=is_direct)
    assert measured(room, made).length_m == pytest.approx(length_m) and made.ties == ()


def test_an_end_on_the_upper_edge_goes_to_the_side_that_is_nearer_where_it_measures_along_the_rows(room):
    start, end = ((0.2, -0.6), Tie("r1", 0.6667, -1.0)), ((2.9, -0.6), Tie("r2", -0.3333, -1.0))
    made = dimension_between(room, start, end)
    assert measured(room, made).line == ((0.3, -0.6), (2.7, -0.6))


def test_a_line_that_begins_at_a_free_point_stays_there_where_its_other_end_is_tied(room):
    made = dimension_between(room, ((0.0, -2.0), FREE), ((2.7, 0.3), Tie("r2", -1.0, 0.5)))
    assert measured(room, made).line == ((0.0, -2.0), (2.7, -2.0))
    assert measured(room, made).feet[1] == pytest.approx((2.7, -0.6))


def test_a_turned_wall_is_measured_to_where_it_stands(room):
    one = to_wall(room)
    room.apply(turn_fixtures(room, ["f1"], 90))
    assert measured(room, room.fixtures[one]).line[1][0] != pytest.approx(5.3)
    assert abs(measured(room, room.fixtures[one]).feet[1][1]) <= 0.1 + 1e-9


def test_where_its_rack_or_wall_goes_the_end_stays_where_it_was_and_undo_ties_it_again(room):
    one = to_wall(room)
    room.apply(floor.place_racks(room, {"r2": (2.0, 0.0)}))
    before = document.encode(room)
    edit = operations.delete(room, ["r2"])
    room.apply(edit)
    assert measured(room, room.fixtures[one]).length_m == pytest.approx(3.0)
    assert [tie.thing_id for tie in room.fixtures[one].ties] == ["", "f1"]
    room.apply(operations.delete(room, ["f1"]))
    assert room.fixtures[one].ties == () and measured(room, room.fixtures[one]).length_m == pytest.approx(3.0)
    room.apply(Edit("", (Change(room.fixtures[one], None),)))
    assert not room.fixtures
    again = document.decode(before)
    again.apply(operations.delete(again, ["r2"]))
    assert measured(again, again.fixtures[one]).length_m == pytest.approx(3.0)


def test_a_rack_off_the_floor_or_a_thing_that_is_not_there_counts_as_none(room):
    one = to_wall(room)
    room.apply(floor.place_racks(room, {"r2": None}))
    assert measured(room, room.fixtures[one]).line[0][0] == pytest.approx(3.3)


def test_a_copy_measures_the_copies_and_else_stands_by_itself(room):
    one = to_wall(room)
    edit = floor.copy_to(room, (0.0, 5.0), ["r2", one])
    room.apply(edit)
    made = next(c.after for c in edit.changes if isinstance(c.after, Fixture))
    rack = next(c.after.id for c in edit.changes if c.after is not None and c.after.id in room.racks)
    assert [tie.thing_id for tie in made.ties] == [rack, ""]
    assert measured(room, room.fixtures[made.id]).line[0] == pytest.approx((3.3, 5.2), abs=1e-3)


def test_what_is_pasted_elsewhere_measures_what_it_did(room):
    one = to_wall(room)
    room.apply(floor.place_racks(room, {"r2": (2.0, 0.0)}))
    fragment = fragments.copy_fragment(room, [one])
    assert fragment.fixtures[0].points_m[0][0] == pytest.approx(2.3)


def test_its_ends_are_led_elsewhere_and_nowhere_is_refused(room):
    one = to_wall(room)
    room.apply(reshape_dimension(room, one, ((5.3, 1.0), Tie("f1", -1.0, 0.25)), ((0.3, 0.0), Tie("r1", 1.0, 0.0))))
    assert measured(room, room.fixtures[one]).length_m == pytest.approx(5.0)
    with pytest.raises(ParameterError, match="from one point to another"):
        add_dimension(room, ((1.0, 1.0), FREE), ((1.0, 1.0), FREE))


def test_a_dimension_takes_no_floor_and_counts_as_no_tray(room, monkeypatch):
    one = put(room, add_dimension(room, ((1.0, 1.0), FREE), ((3.0, 2.0), FREE), is_direct=True))
    assert rect_m(room.fixtures[one]) == (1.0, 1.0, 3.0, 2.0)
    monkeypatch.setattr(fixture_limits, "CORNERS_MOST", 1)
    assert fixture_limits.crowding_fault(room.fixtures.values()) == ""


def test_ids_of_ties_follow_new_ids(room):
    one = to_wall(room)
    made = rewritten(room.fixtures[one], {"r2": "r7"})
    assert [tie.thing_id for tie in made.ties] == ["r7", "f1"]


def test_it_is_kept_in_the_file_and_the_file_says_what_cannot_be(room):
    to_wall(room)
    text = document.encode(room).decode()
    assert document.decode(text.encode()).fixtures == room.fixtures
    for old, new, fault in (
        ('"across": 1', '"across": 1.5', "across"),
        ('"kind": "dimension"', '"kind": "tray"', "ties"),
        ('"points_m": [[3.3', '"points_m": [[0, 0], [1, 1], [3.3', "leads from one point to another"),
    ):
        assert old in text
        with pytest.raises(FileFormatError, match=fault):
            document.decode(text.replace(old, new, 1).encode())
    with pytest.raises(EditError, match="ties"):
        room.apply(Edit("", (Change(None, Fixture("f9", WALL, ties=(FREE, FREE))),)))


def test_texts_and_zones_may_say_the_same_and_a_text_is_as_wide_as_its_words(room):
    first, second = (put(room, add_fixture(room, TEXT, (0, 3, 1.2, 3.3), "Keep clear")) for _ in range(2))
    assert room.fixtures[first].name == room.fixtures[second].name == "Keep clear"
    zone = put(room, add_fixture(room, ZONE, (0, 3, 3, 5)))
    assert room.fixtures[zone].name == "Zone"
    room.apply(change_fixtures(room, [first], name="No"))
    after = room.fixtures[first]
    assert after.x_m - after.width_m / 2 == pytest.approx(0) and after.width_m == pytest.approx(0.37)
    assert {DIMENSION, TEXT, ZONE}.isdisjoint(one.kind for one in room.fixtures.values() if one.kind == WALL)


def side_by_side(design):
    """The id of a dimension between both racks, which have come together since."""
    one = put(design, add_dimension(design, ((0.3, 0.0), Tie("r1", 1.0)), ((2.7, 0.0), Tie("r2", -1.0))))
    design.apply(floor.place_racks(design, {"r2": (0.6, 0.0)}))
    return one


def test_a_rack_that_stands_against_the_other_end_is_deleted_with_the_dimension_and_undo_restores_both(room):
    one = side_by_side(room)
    before = document.encode(room)
    edit = operations.delete(room, ["r2"])
    room.apply(edit)
    assert one not in room.fixtures and "r2" not in room.racks
    room.apply(edit.inverted())
    assert document.encode(room) == before


def test_a_dimension_of_no_length_is_copied_with_what_it_is_tied_to_and_not_without(room):
    one = side_by_side(room)
    room.apply(operations.paste(room, fragments.copy_fragment(room, ["r1", "r2", one]), 0.0, 0.0))
    copies = [fixture for fixture in room.fixtures.values() if fixture.kind == DIMENSION and fixture.id != one]
    assert [tie.thing_id in room.racks for tie in copies[0].ties] == [True, True]
    assert measured(room, copies[0]).length_m == 0.0
    assert fragments.copy_fragment(room, ["r1", one]).fixtures == ()
    assert not any(isinstance(change.after, Fixture) for change in floor.copy_to(room, (0.0, 9.0), ["r1", one]).changes)
    assert document.encode(document.decode(document.encode(room))) == document.encode(room)


def test_a_dimension_is_turned_and_copied_as_long_as_it_is_now(room):
    one = put(room, add_dimension(room, ((0.3, 0.0), Tie("r1", 1.0)), ((2.7, 0.0), Tie("r2", -1.0))))
    room.apply(floor.place_racks(room, {"r2": (4.0, 0.0)}))
    edit = floor.copy_to(room, (0.0, 5.0), [one])
    room.apply(edit)
    assert measured(room, edit.changes[0].after).line == ((0.3, 5.0), (3.7, 5.0))
    room.apply(turn_fixtures(room, [one], 90))
    assert measured(room, room.fixtures[one]).line == ((2.0, -1.7), (2.0, 1.7))


def test_a_dimension_of_no_length_stays_where_others_are_turned(room):
    one = side_by_side(room)
    before = room.fixtures[one]
    room.apply(turn_fixtures(room, [one, "f1"], 90))
    assert room.fixtures[one] == before and room.fixtures["f1"].turn_deg == 90.0
