"""Selected devices of the elevation are dragged together, whichever racks they stand in."""

import pytest
from PySide6.QtTest import QTest
from test_room_views import LEFT, NO_KEYS, Room, drag, middle, shown, unit_px

from designer.canvas.room.elevation_view import ElevationView
from designer.placement.mounting import move_mounted


@pytest.fixture
def room(session):
    """A server in the first rack, one in the second, both selected; a switch high in the first."""
    room = Room(session)
    room.other = room.device("dgx-h100", "gpu-02", room.two, 9)
    session.push(move_mounted(session.design, {room.server: (room.one, 17)}))
    session.undo_stack.clear()
    session.select([room.server, room.other])
    return room


@pytest.fixture
def racks(qtbot, room):
    return shown(qtbot, ElevationView(room.session))


def test_devices_of_two_racks_stand_one_on_the_other_where_they_are_let_go_in_their_order(racks, room):
    drag(racks, middle(racks, room.other), unit_px(racks, room.waiting, 20))
    assert room.berth(room.other)[0] == room.berth(room.server)[0] == room.waiting
    assert room.berth(room.other)[1] == room.berth(room.server)[1] + 8, "as in the racks from left to right"
    assert room.berth(room.other)[1] <= 20 < room.berth(room.other)[1] + 8, "the held one is where the hand is"
    assert room.session.undo_stack.count() == 1


def test_within_the_rack_of_the_held_one_each_moves_in_its_own_as_far_as_all_can(racks, room):
    drag(racks, unit_px(racks, room.one, 19), unit_px(racks, room.one, 16))
    assert (room.berth(room.server), room.berth(room.other)) == ((room.one, 14), (room.two, 6))
    drag(racks, unit_px(racks, room.one, 15), unit_px(racks, room.one, 2))
    assert (room.berth(room.server), room.berth(room.other)) == ((room.one, 9), (room.two, 1))


def test_the_note_names_the_one_that_has_no_room_and_none_moves(racks, room):
    room.device("nvidia-qm9700", "leaf-02", room.waiting, 30)
    room.session.select([room.server, room.other])
    room.session.undo_stack.clear()
    drag(racks, middle(racks, room.server), unit_px(racks, room.waiting, 20), let_go=False)
    assert racks.notes.shown.text == "gpu-02 has no room: waiting unit 30 is taken by leaf-02"
    QTest.mouseRelease(racks, LEFT, NO_KEYS, unit_px(racks, room.waiting, 20))
    assert room.berth(room.server) == (room.one, 17) and room.berth(room.other) == (room.two, 9)
    assert not room.session.undo_stack.count()


def test_one_that_is_in_no_rack_comes_along_and_all_go_out_together(racks, room):
    loose = room.device("dgx-h100", "gpu-03")
    room.session.select([room.server, loose])
    drag(racks, middle(racks, room.server), unit_px(racks, room.one, 12))
    assert room.berth(loose) == (room.one, room.berth(room.server)[1] + 8)
    room.device("dgx-h100", "gpu-04")
    room.session.select([room.server, room.other])
    drag(racks, middle(racks, room.other), racks.sight.px(racks.racks.frames[-1].rect).center().toPoint())
    assert room.berth(room.server) == room.berth(room.other) == (None, None)
