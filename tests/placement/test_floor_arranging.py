"""Racks on the floor come into line, are spread evenly or with a gap, or are copied in columns and rows."""

import pytest

from designer.errors import EditError, ParameterError
from designer.model.entities import Device, Rack
from designer.placement import floor
from designer.placement.arrays import names_of
from designer.placement.floor import place_of
from designer.placement.floor_arranging import (
    align_racks,
    array_of_racks,
    distribute_racks,
    lock_racks,
    space_racks,
)


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


def test_racks_are_spaced_from_edge_to_edge_and_the_first_stays(room, racks):
    """They are 0.6 m wide and 1.2 m deep."""
    room.do(space_racks(room.design, racks, "x", 0.0))
    assert places(room, racks) == [(0.0, 0.0), (0.6, 0.4), (1.2, 1.0)]
    room.do(space_racks(room.design, racks[:2], "x", 1.5))
    assert places(room, racks)[:2] == [(0.0, 0.0), (2.1, 0.4)]
    room.do(floor.place_racks(room.design, {racks[1]: (1.0, 2.0), racks[2]: (2.0, 5.0)}))
    room.do(space_racks(room.design, racks, "y", 1.2))
    assert places(room, racks) == [(0.0, 0.0), (1.0, 2.4), (2.0, 4.8)]


def test_spacing_leaves_locked_racks_and_never_puts_one_on_another(room, racks):
    room.do(lock_racks(room.design, racks[1:], locked=True))
    with pytest.raises(ParameterError, match="at least two racks on the floor to space; 2 racks are locked"):
        space_racks(room.design, racks, "x", 0.0)
    room.do(floor.place_racks(room.design, {racks[1]: (0.6, 0.0), racks[2]: (4.0, 0.0)}))
    other = room.rack("other", (1.3, 0.0))
    with pytest.raises(ParameterError, match="would stand on the same floor"):
        space_racks(room.design, [racks[0], other], "x", 0.1)


def test_gaps_and_axes_that_are_none_are_refused(room, racks):
    for gap in (-0.1, float("nan"), 2e5):
        with pytest.raises(ParameterError, match=r"spacing is .*: it should be 0 to 100,000"):
            space_racks(room.design, racks, "x", gap)
        with pytest.raises(ParameterError, match=r"spacing is .*: it should be 0 to 100,000"):
            array_of_racks(room.design, racks, 2, 1, (0.0, gap))
    with pytest.raises(ParameterError, match="'z' is not an axis"):
        space_racks(room.design, racks, "z", 1.0)


def test_an_array_of_racks_takes_what_stands_in_them_along(room):
    """Two racks with a switch each that a link joins, as two more columns and another row."""
    first, second = room.rack("A01", (0.0, 0.0)), room.rack("A02", (0.6, 0.0))
    switches = [room.stand("nvidia-qm9700", one, 40, name=f"leaf-{n}") for n, one in enumerate((first, second), 1)]
    room.join(*switches)
    before = room.design.snapshot()
    edit = array_of_racks(room.design, [first, second], 2, 2, (0.6, 1.2))
    room.do(edit)
    design = room.design
    at = {rack.name: place_of(rack) for rack in design.racks.values()}
    assert sorted(at.values()) == [(0, 0), (0, 2.4), (0.6, 0), (0.6, 2.4), (1.8, 0), (1.8, 2.4), (2.4, 0), (2.4, 2.4)]
    assert len(design.links) == 4 and len(design.devices) == 8
    assert [at[f"A0{number}"] for number in (3, 4)] == [(1.8, 0.0), (2.4, 0.0)]
    assert all(design.placements[one].unit == 40 for one in design.devices)
    spots = [(place.x, place.y) for one, place in design.placements.items() if one in design.racks]
    assert len(set(spots)) == 4  # on the canvas no copy covers another, nor the originals, which stand at one place
    assert sum(isinstance(one.subject, Rack) for one in edit.changes) == 6
    assert edit.label == "Array of 2 x 2"
    design.apply(edit.inverted())
    assert dict(design.racks) == dict(before.racks) and dict(design.devices) == dict(before.devices)


def test_racks_of_an_array_are_named_on_from_a_name(room):
    one = room.rack("r", (0.0, 0.0))
    edit = array_of_racks(room.design, [one], 3, 1, (0.0, 0.0), "B08")
    room.do(edit)
    assert [rack.name for rack in room.design.racks.values()] == ["B08", "B09", "B10"]
    assert names_of(edit, Rack) == ("B08", "B10") and names_of(edit, Device) is None


def test_names_run_along_the_rows_whatever_was_made_first(room):
    ids = [room.rack(name, at) for name, at in (("r", (0.6, 0.0)), ("s", (0.0, 0.0)), ("t", (0.0, 2.4)))]
    room.do(array_of_racks(room.design, ids, 2, 1, (0.6, 0.0), "A1"))
    named = {place_of(rack): rack.name for rack in room.design.racks.values()}
    assert named == {
        (0.0, 0.0): "A1",
        (0.6, 0.0): "A2",
        (0.0, 2.4): "A3",
        (1.8, 0.0): "A4",
        (2.4, 0.0): "A5",
        (1.8, 2.4): "A6",
    }


@pytest.mark.parametrize(
    ("ids", "columns", "name", "message"),
    [
        (["a"], 1, "", "an array has 2 to 513 places"),
        (["a"], 600, "", "an array has 2 to 513 places"),
        (["nowhere"], 2, "", "select racks on the floor"),
        (["a"], 3, "", "would stand on the same floor"),
    ],
)
def test_no_array_of_nothing_or_of_what_has_no_room(room, racks, ids, columns, name, message):
    room.rack("nowhere")
    ids = [one.id for one in room.design.racks.values() if one.name in ids]
    with pytest.raises(ParameterError, match=message):
        array_of_racks(room.design, ids, columns, 1, (0.1, 0.0), name)
