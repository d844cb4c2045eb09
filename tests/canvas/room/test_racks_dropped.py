"""Racks dropped on the elevation: they stand in the row, in the order in which they were dropped into it."""

import pytest
from test_room_views import Room, drop, shown

from designer.canvas.room.elevation_view import ElevationView
from designer.model.several import Wanted
from designer.placement import floor


@pytest.fixture
def room(session):
    room = Room(session)
    session.push(floor.place_racks(session.design, {room.waiting: (0.6, 0)}))
    session.push(floor.turn_racks(session.design, [room.one, room.two, room.waiting]))
    return room


@pytest.fixture
def racks(qtbot, room):
    return shown(qtbot, ElevationView(room.session))


def row(room):
    (only,) = floor.rows(room.design)
    return [(room.design.racks[one].name, room.design.racks[one].x_m) for one in only.rack_ids]


def beside(view, rack_id, side):
    box = view.box_px(rack_id)
    return (box.center() + (box.topRight() - box.topLeft()) * 0.4 * side).toPoint()


def test_a_rack_dropped_between_two_stands_there_and_those_in_its_way_move_over(racks, room):
    before = row(room)
    note = drop(racks, "rack-48u", beside(racks, room.one, -1))  # fronts look up: the row begins at the right
    assert note.text == "New 48U rack in row A, after one; 1 rack moves over"
    (new,) = room.session.selection
    name = room.design.racks[new].name
    assert row(room) == [("one", 0.0), (name, 0.6), ("waiting", 1.2), ("two", 3.0)]
    assert room.design.racks[new].facing == "up"
    room.session.undo_stack.undo()
    assert row(room) == before


def test_racks_dropped_before_the_first_stand_against_it(racks, room):
    room.session.placing.ask(Wanted(2, "spare-1"))
    note = drop(racks, "rack-42u", beside(racks, room.one, 1))
    assert note.text == "2 × 42U rack, from spare-1 in row A, before one"
    assert row(room)[:3] == [("spare-1", -1.2), ("spare-2", -0.6), ("one", 0.0)]


def test_from_behind_the_row_is_the_other_way_round(racks, room):
    racks.show_rear(True)
    racks.zoom_to_fit()
    assert drop(racks, "rack-42u", beside(racks, room.one, -1)).text == "New 42U rack in row A, before one"
    assert row(room)[1] == ("one", 0.0)


def test_a_rack_dropped_where_no_row_is_waits_for_its_place(racks, room):
    below = racks.box_px(room.one).bottomLeft().toPoint()
    below.setY(racks.height() - 3)
    assert drop(racks, "rack-42u", below).text == "New 42U rack, not on the floor yet"
    (new,) = room.session.selection
    assert floor.place_of(room.design.racks[new]) is None
    assert drop(racks, "rack-42u", racks.box_px(new).center().toPoint()).text.endswith("not on the floor yet")


def test_the_first_rack_of_a_design_is_dropped_on_the_empty_elevation(qtbot, session):
    view = shown(qtbot, ElevationView(session))
    assert drop(view, "rack-42u", view.rect().center()).text == "New 42U rack"
    assert len(session.design.racks) == 1
