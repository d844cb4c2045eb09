"""Names of rows: given by hand, kept by racks that nobody touched, and taken along by rows that move whole."""

from dataclasses import replace

import pytest

from designer.errors import EditError
from designer.model.edit import Change, Edit
from designer.model.fixture import TRAY, WALL
from designer.model.furnishing import add_fixture, add_tray
from designer.model.removing import delete
from designer.placement import floor
from designer.placement.row_order import issued_names, rename_row, with_row_names
from designer.storage import document

PITCH = 2.4


@pytest.fixture
def rows(room):
    """Three rows of three racks: r1-1 to r1-3 above r2-1, ... ; by name."""
    for row in range(3):
        for column in range(3):
            room.rack(f"r{row + 1}-{column + 1}", (column * 0.6, row * PITCH))
    return room


def named(design):
    """The names of the racks of each row, by the name of the row."""
    return {row.name: [design.racks[one].name for one in row.rack_ids] for row in floor.rows(design)}


def ids(design, *names):
    return [next(one.id for one in design.racks.values() if one.name == name) for name in names]


def row_ids(design, number):
    return ids(design, *(f"r{number}-{column}" for column in (1, 2, 3)))


def move(room, rack_ids, dx, dy):
    """As the window pushes it."""
    places = {one: floor.place_of(room.design.racks[one]) for one in rack_ids}
    edit = floor.place_racks(room.design, {one: (x + dx, y + dy) for one, (x, y) in places.items()})
    edit = with_row_names(room.design, edit)
    room.design.apply(edit)
    return edit


def test_a_row_that_is_dragged_above_the_others_takes_its_letter_along(rows):
    before, data = named(rows.design), document.encode(rows.design)
    edit = move(rows, row_ids(rows.design, 2), 0, -2 * PITCH)
    assert named(rows.design) == before
    assert [row.name for row in floor.rows(rows.design)] == ["B", "A", "C"]
    rows.design.apply(edit.inverted())
    assert document.encode(rows.design) == data


def test_racks_that_leave_their_row_make_a_new_one_and_all_others_keep_their_letters(rows):
    move(rows, ids(rows.design, "r2-3"), 0, -3 * PITCH)
    assert named(rows.design) == {
        "D": ["r2-3"],
        "A": ["r1-1", "r1-2", "r1-3"],
        "B": ["r2-1", "r2-2"],
        "C": ["r3-1", "r3-2", "r3-3"],
    }


def test_a_rack_that_comes_to_a_row_is_of_that_row(rows):
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 1)[0], "North"))
    move(rows, ids(rows.design, "r1-3"), 1.2, PITCH)
    assert named(rows.design)["North"] == ["r1-1", "r1-2"]
    assert named(rows.design)["B"] == ["r2-1", "r2-2", "r2-3", "r1-3"]
    assert rows.design.racks[ids(rows.design, "r1-3")[0]].row == ""


def test_deleting_a_row_leaves_the_letters_of_the_others(rows):
    rows.design.apply(with_row_names(rows.design, delete(rows.design, row_ids(rows.design, 1))))
    assert [row.name for row in floor.rows(rows.design)] == ["B", "C"]


def test_moves_within_a_row_and_new_rows_below_write_no_names_into_the_design(rows):
    move(rows, ids(rows.design, "r1-3"), 0.6, 0)
    move(rows, ids(rows.design, "r3-3"), 0, PITCH)
    assert not any(one.row for one in rows.design.racks.values())
    assert [row.name for row in floor.rows(rows.design)] == ["A", "B", "C", "D"]


def test_racks_that_come_with_a_name_make_a_row_of_that_name(rows):
    """As copies of named rows do."""
    (one,) = ids(rows.design, "r3-3")
    before = rows.design.racks[one]
    new = replace(before, id="r99", name="new", row="East", x_m=0.0, y_m=20.0)
    rows.design.apply(with_row_names(rows.design, Edit("Add", (Change(None, new),))))
    assert [row.name for row in floor.rows(rows.design)] == ["A", "B", "C", "East"]


def test_a_rack_off_the_floor_is_of_no_row(rows):
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 1)[0], "North"))
    (one,) = ids(rows.design, "r1-1")
    rows.design.apply(with_row_names(rows.design, floor.place_racks(rows.design, {one: None})))
    assert rows.design.racks[one].row == ""
    assert named(rows.design)["North"] == ["r1-2", "r1-3"]


def test_racks_that_are_all_placed_afresh_have_letters_from_the_top_and_named_rows_keep_theirs(rows):
    third, second, first = (row_ids(rows.design, number) for number in (3, 2, 1))
    afresh = {one: (n * 0.6, 20.0) for n, one in enumerate([*third, *second])}
    afresh |= {one: (n * 0.6, 30.0) for n, one in enumerate(first)}
    design = rows.design.snapshot()
    design.apply(with_row_names(design, floor.place_racks(design, afresh)))
    assert [row.name for row in floor.rows(design)] == ["A", "B"]
    rows.design.apply(rename_row(rows.design, first[0], "North"))
    rows.design.apply(with_row_names(rows.design, floor.place_racks(rows.design, afresh)))
    assert [row.name for row in floor.rows(rows.design)] == ["A", "North"]


def test_rows_that_all_move_and_stay_rows_keep_their_letters_in_any_order(rows):
    before = named(rows.design)
    places = {one: (n * 0.6, -row * PITCH) for row in (1, 2, 3) for n, one in enumerate(row_ids(rows.design, row))}
    rows.design.apply(with_row_names(rows.design, floor.place_racks(rows.design, places)))
    assert named(rows.design) == before and [row.name for row in floor.rows(rows.design)] == ["C", "B", "A"]


def test_a_plan_that_moves_as_a_whole_keeps_all_letters(rows):
    move(rows, row_ids(rows.design, 1), 0, 9 * PITCH)
    before = named(rows.design)
    move(rows, list(rows.design.racks), 5, 5)
    assert named(rows.design) == before and [row.name for row in floor.rows(rows.design)] == ["B", "C", "A"]


def test_a_row_is_renamed_with_its_tray_and_no_other_row_changes(rows):
    rows.design.apply(add_fixture(rows.design, WALL, (5.0, 0.0, 5.2, 4.0), "B"))
    rows.design.apply(add_tray(rows.design, [(0, PITCH), (1.2, PITCH)], "tray"))
    tray = next(one for one in rows.design.fixtures.values() if one.kind == TRAY)
    rows.design.apply(Edit("", (Change(tray, replace(tray, name="B")),)))
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 2)[1], " Row 7 "))
    assert [row.name for row in floor.rows(rows.design)] == ["A", "Row 7", "C"]
    assert [one.name for one in rows.design.fixtures.values()] == ["B", "Row 7"], "a wall is no part of the row"
    again = document.decode(document.encode(rows.design))
    assert [row.name for row in floor.rows(again)] == ["A", "Row 7", "C"]
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 2)[1], ""))
    assert [row.name for row in floor.rows(rows.design)] == ["A", "B", "C"]
    assert not any(one.row for one in rows.design.racks.values())


def test_the_letter_that_a_row_gives_up_goes_to_no_row_that_nobody_touched(rows):
    """The top row is called B, so the second has the first free letter; it keeps that when the top one is renamed."""
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 3)[0], "Z"))
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 2)[0], "Y"))
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 1)[0], "C"))
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 3)[0], ""))
    assert [row.name for row in floor.rows(rows.design)] == ["C", "Y", "A"]
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 1)[0], "North"))
    assert [row.name for row in floor.rows(rows.design)] == ["North", "Y", "A"]


@pytest.mark.parametrize("name", ["A", "a", "x" * 201, "two\nlines"])
def test_a_name_that_another_row_has_or_that_is_none_is_refused(rows, name):
    with pytest.raises(EditError):
        rename_row(rows.design, row_ids(rows.design, 2)[0], name)


def test_a_rack_without_a_place_has_no_row_to_rename(room):
    with pytest.raises(EditError, match="no row"):
        rename_row(room.design, room.rack("nowhere"), "North")


def test_of_two_rows_that_claim_a_name_that_of_more_racks_has_it(rows):
    """As a file may say, or a script."""
    rows.design.apply(rename_row(rows.design, row_ids(rows.design, 3)[0], "North"))
    (one,) = ids(rows.design, "r3-1")
    rows.design.apply(floor.place_racks(rows.design, {one: (0, -PITCH)}))
    assert [row.name for row in floor.rows(rows.design)] == ["A", "B", "C", "North"]


def test_names_of_an_issue_are_kept_by_every_rack(rows):
    rows.design.apply(issued_names(rows.design))
    assert {one.row for one in rows.design.racks.values()} == {"A", "B", "C"}
    assert not issued_names(rows.design)
