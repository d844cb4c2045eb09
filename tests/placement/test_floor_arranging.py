"""Racks on the floor come into line, or are spread evenly between the first and the last."""

import pytest

from designer.errors import EditError, ParameterError
from designer.placement import floor
from designer.placement.floor import place_of
from designer.placement.floor_arranging import align_racks, distribute_racks, lock_racks


@pytest.fixture
def racks(room):
    return [room.rack(name, at) for name, at in (("a", (0.0, 0.0)), ("b", (1.0, 0.4)), ("c", (5.0, 1.0)))]


def places(room, racks):
    return [place_of(room.design.racks[one]) for one in racks]


@pytest.mark.parametrize(("edge", "y"), [("top", 0.0), ("centre-y", 0.5), ("bottom", 1.0)])
def test_racks_stand_in_one_row_once_they_are_aligned(room, racks, edge, y):
    room.do(align_racks(room.design, racks, edge))
    assert places(room, racks) == [(0.0, y), (1.0, y), (5.0, y)]


def test_racks_are_spread_evenly_and_the_outer_ones_stay(room, racks):
    room.do(distribute_racks(room.design, racks, "x"))
    assert places(room, racks) == [(0.0, 0.0), (2.5, 0.4), (5.0, 1.0)]
    room.do(distribute_racks(room.design, [racks[2], racks[0], racks[1]], "y"))
    assert places(room, racks) == [(0.0, 0.0), (2.5, 0.5), (5.0, 1.0)]


def test_racks_never_come_to_stand_on_each_other(room, racks):
    with pytest.raises(ParameterError, match="a and b would stand on the same floor"):
        align_racks(room.design, racks, "left")


def test_fewer_racks_than_it_takes_are_refused(room, racks):
    nowhere = room.rack("nowhere")
    with pytest.raises(ParameterError, match="at least two racks on the floor to align"):
        align_racks(room.design, [racks[0], nowhere], "left")
    with pytest.raises(ParameterError, match="at least three racks on the floor to distribute"):
        distribute_racks(room.design, [*racks[:2], nowhere], "x")


def test_locked_racks_stay_whatever_is_arranged(room, racks):
    room.do(lock_racks(room.design, racks[:1], locked=True))
    assert [room.design.racks[one].is_locked for one in racks] == [True, False, False]
    room.do(align_racks(room.design, racks, "top"))
    assert places(room, racks) == [(0.0, 0.0), (1.0, 0.4), (5.0, 0.4)]
    with pytest.raises(ParameterError, match="at least three racks on the floor to distribute; 1 rack is locked"):
        distribute_racks(room.design, racks, "x")
    room.do(floor.auto_place(room.design))
    stood, *others = places(room, racks)
    assert stood == (0.0, 0.0) and not floor.overlaps(room.design)
    assert all(y >= room.design.settings.rack_depth_m + room.design.settings.aisle_m for _, y in others)
    room.do(lock_racks(room.design, racks, locked=True))
    with pytest.raises(EditError, match="all racks are locked"):
        floor.auto_place(room.design)
    room.do(lock_racks(room.design, racks, locked=False))
    assert not any(one.is_locked for one in room.design.racks.values())
    with pytest.raises(ParameterError, match="select racks on the floor first"):
        lock_racks(room.design, [room.rack("nowhere")], locked=True)
