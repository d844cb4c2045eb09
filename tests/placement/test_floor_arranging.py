"""Racks on the floor come into line, or are spread evenly between the first and the last."""

import pytest

from designer.errors import ParameterError
from designer.placement.floor import place_of
from designer.placement.floor_arranging import align_racks, distribute_racks


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
