"""Walls, doors, columns, cooling units and trays are records like any other: drawn, moved, copied, deleted by edits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import DesignerError, EditError, FileFormatError
from designer.exchange import redacting
from designer.model import fixture_limits, fragments, operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.fixture import BUILT, TRAY, Fixture
from designer.model.fixture_shape import rect_m
from designer.model.furnishing import (
    USUAL_M,
    add_fixture,
    add_tray,
    change_fixtures,
    drawn_rect_m,
    move_fixtures,
    reshape_tray,
    resize_fixture,
    title_of,
)
from designer.model.removing import delete
from designer.storage import document


@pytest.fixture
def design():
    return Design()


def put(design, kind="column", rect=(0.0, 0.0, 0.6, 0.6), name=""):
    edit = add_fixture(design, kind, rect, name)
    design.apply(edit)
    return edit.changes[0].after.id


def lay(design, *points):
    edit = add_tray(design, points)
    design.apply(edit)
    return edit.changes[0].after.id


def test_each_kind_is_added_under_a_name_of_its_own_and_undone(design):
    names = []
    for word in BUILT:
        edit = add_tray(design, [(0, 0), (1, 0)]) if word.name == TRAY else add_fixture(design, word.name, (0, 0, 1, 1))
        design.apply(edit)
        names.append(edit.changes[0].after.name)
    assert names == ["wall-1", "door-1", "column-1", "cooling-1", "tray-1"]
    assert design.fixtures[put(design)].name == "column-2"
    design.apply(edit.inverted())
    assert "tray-1" not in {one.name for one in design.fixtures.values()}


@pytest.mark.parametrize(
    ("kind", "start", "end", "rect"),
    [
        ("column", (0, 0), (1, 2), (0, 0, 1, 2)),
        ("column", (1, 2), (0, 0), (0, 0, 1, 2)),
        ("wall", (0, 0), (5, 0.3), (-0.1, -0.1, 5.1, 0.1)),
        ("wall", (2, 0), (2.4, -6), (1.9, -6.1, 2.1, 0.1)),
        ("door", (0, 0), (0.9, 0), (0, -0.1, 0.9, 0.1)),
        ("cooling", (3, 3), (3, 3), (1.8, 2.55, 4.2, 3.45)),
    ],
)
def test_what_is_dragged_or_clicked_takes_up_that_floor(kind, start, end, rect):
    assert drawn_rect_m(kind, start, end) == pytest.approx(rect)


def test_fixtures_move_and_change_and_trays_bend(design):
    column, tray = put(design), lay(design, (0, 0), (2, 0), (2, 0), (2, 3))
    assert design.fixtures[tray].points_m == ((0, 0), (2, 0), (2, 3))
    design.apply(move_fixtures(design, [column, tray], 1.5, -0.5))
    assert rect_m(design.fixtures[column]) == pytest.approx((1.5, -0.5, 2.1, 0.1))
    assert design.fixtures[tray].points_m == ((1.5, -0.5), (3.5, -0.5), (3.5, 2.5))
    assert rect_m(design.fixtures[tray]) == pytest.approx((1.35, -0.65, 3.65, 2.65))
    design.apply(resize_fixture(design, column, (0, 0, 2, 1)))
    design.apply(change_fixtures(design, [column], name=" B4 ", y_m=7))
    found = design.fixtures[column]
    assert (found.name, found.x_m, found.y_m, found.width_m, found.depth_m) == ("B4", 1, 7, 2, 1)
    design.apply(reshape_tray(design, tray, [(0, 0), (9, 0)]))
    assert design.fixtures[tray].points_m == ((0, 0), (9, 0))
    design.apply(operations.rename(design, tray, "north"))
    assert title_of(design.fixtures[tray]) == "north"


def test_what_cannot_be_is_refused_with_a_sentence(design):
    column, tray = put(design), lay(design, (0, 0), (1, 0))
    for make, sentence in (
        (lambda: add_fixture(design, "sofa", (0, 0, 1, 1)), "'sofa' is none of wall, door, column, cooling"),
        (lambda: add_tray(design, [(1, 1), (1, 1)]), "a tray leads from one point to another"),
        (lambda: add_tray(design, [(0, 0), (float("nan"), 1)]), "lies within 100,000 m"),
        (lambda: change_fixtures(design, [column], width_m=0.0), "width should be above 0 m"),
        (lambda: change_fixtures(design, [column], x_m=2e5), "100,000"),
        (lambda: resize_fixture(design, tray, (0, 0, 1, 1)), "tray-1 is a tray: move its corners"),
        (lambda: reshape_tray(design, column, [(0, 0), (1, 1)]), "column-1 is no tray"),
        (lambda: move_fixtures(design, ["f99"], 1, 1), "there is no wall, tray or other fixture with id 'f99'"),
    ):
        with pytest.raises(DesignerError, match=sentence):
            make()


def test_copies_stand_to_the_right_one_beside_the_other_under_free_names(design):
    column, tray = put(design), lay(design, (0, 0), (0, 3))
    design.apply(fragments.duplicate(design, [column, tray], 0, 0))
    design.apply(fragments.duplicate(design, [column], 0, 0))
    found = [(one.name, round(rect_m(one)[0], 3)) for one in design.fixtures.values()]
    assert found == [("column-1", 0), ("tray-1", -0.15), ("column-2", 1.35), ("tray-2", 1.2), ("column-3", 1.2)]
    text = document.encode_fragment(fragments.copy_fragment(design, [tray]))
    other = Design()
    edit = fragments.paste(other, document.decode_fragment(text), 0, 0)
    other.apply(edit)
    (pasted,) = other.fixtures.values()
    assert edit.label == "Paste tray-1" and pasted.points_m == ((0, 0), (0, 3))


def test_deleting_fixtures_is_undone(design):
    ids = [put(design), lay(design, (0, 0), (1, 0))]
    before = document.encode(design)
    edit = delete(design, ids)
    assert edit.label == "Delete 2 fixtures" and delete(design, ids[:1]).label == "Delete column-1"
    design.apply(edit)
    assert not design.fixtures
    design.apply(edit.inverted())
    assert document.encode(design) == before


def test_a_file_says_what_of_a_fixture_cannot_be(design):
    put(design)
    text = document.encode(design).decode()
    for old, new, fault in (
        ('"column"', '"sofa"', "field kind: 'sofa' is none of"),
        ('"kind": "column"', '"kind": "tray"', "field points_m: a tray leads from one point to another"),
        ('"kind": "column"', '"kind": "column", "points_m": [[0, 0], [1, 1]]', "only a tray has corners"),
        ('"kind": "column"', '"kind": "tray", "points_m": [[0, 0], [1]]', "points_m"),
        ('"kind": "column"', '"kind": "column", "width_m": 0', "width_m"),
    ):
        assert old in text
        with pytest.raises(FileFormatError, match=fault):
            document.decode(text.replace(old, new).encode())


def test_more_corners_than_can_be_looked_through_are_refused(design, monkeypatch):
    monkeypatch.setattr(fixture_limits, "CORNERS_MOST", 4)
    monkeypatch.setattr(fixture_limits, "FIXTURES_MOST", 2)
    lay(design, (0, 0), (1, 0))
    with pytest.raises(EditError, match="5 corners together, the most is 4"):
        lay(design, (0, 0), (1, 0), (2, 0))
    put(design)
    text = document.encode(design)
    with pytest.raises(EditError, match="3 walls, trays and the like, the most is 2"):
        put(design)
    monkeypatch.setattr(fixture_limits, "CORNERS_MOST", 1)
    with pytest.raises(FileFormatError, match="fixtures: the trays would have 2 corners together, the most is 1"):
        document.decode(text)
    with pytest.raises(EditError, match="only a tray has corners"):
        design.apply(Edit("Add", (Change(None, Fixture("f9", "wall", points_m=((0.0, 0.0), (1.0, 1.0)))),)))


def test_names_of_fixtures_are_left_out_of_a_redacted_design(design):
    put(design, name="Customer Hall 3")
    assert [one.name for one in redacting.redacted(design, {}).fixtures.values()] == [""]
    assert title_of(Fixture("f1", "cooling")) == "Cooling Unit"


@given(kind=st.sampled_from(sorted(USUAL_M)), corners=st.tuples(*[st.floats(-500, 500)] * 4))
def test_what_is_drawn_anywhere_is_written_and_read_back(kind, corners):
    design = Design()
    put(design, kind, drawn_rect_m(kind, corners[:2], corners[2:]))
    again = document.decode(document.encode(design))
    assert list(again.fixtures.values()) == list(design.fixtures.values())
