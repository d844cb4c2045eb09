"""Aisles are cold where fronts meet, hot where backs meet, and a finding where fronts face backs."""

import pytest

from designer.model import operations
from designer.model.design import Design
from designer.placement import floor
from designer.placement.aisles import aisles, face_rows, turn_rows
from designer.validation.engine import validate


@pytest.fixture
def design(catalog):
    """Three rows of two racks, 1.2 m apart, all fronts down."""
    design = Design()
    for number in range(6):
        design.apply(operations.add_rack(design, catalog.types["rack-42u"], 0, 0, f"r-{number + 1}"))
    places = {one: (number % 2 * 0.6, number // 2 * 2.4) for number, one in enumerate(design.racks)}
    design.apply(floor.place_racks(design, places))
    return design


def kinds(design):
    return [(one.kind, one.above, one.left_m, one.right_m) for one in aisles(design)]


def findings(design):
    return [one for one in validate(design).findings if one.code == "RACK-005"]


def test_fronts_that_face_backs_are_found_until_a_row_is_flipped(design):
    assert kinds(design) == [("mixed", "A", -0.3, 0.9), ("mixed", "B", -0.3, 0.9)]
    first, second = findings(design)
    assert first.message == "Rows A and B: the front of r-1 and 1 more faces the back of r-3 and 1 more"
    assert first.subjects == ("r1", "r2", "r3", "r4") and second.message.startswith("Rows B and C")
    edit = turn_rows(design, ["r3"])
    assert edit.label == "Flip row B" and [change.subject.id for change in edit.changes] == ["r3", "r4"]
    design.apply(edit)
    assert [kind for kind, *_ in kinds(design)] == ["cold", "hot"] and not findings(design)
    (cold, _) = aisles(design)
    assert (cold.top_m, cold.bottom_m) == pytest.approx((0.6, 1.8))
    assert (cold.fronts, cold.backs) == (("r1", "r3", "r2", "r4"), ())


def test_rows_are_faced_so_that_aisles_take_turns_beginning_with_the_first(design):
    edit = face_rows(design)
    design.apply(edit)
    assert [kind for kind, *_ in kinds(design)] == ["cold", "hot"] and not face_rows(design).changes
    design.apply(edit.inverted())
    design.apply(turn_rows(design, ["r1"]))
    design.apply(face_rows(design))
    assert [kind for kind, *_ in kinds(design)] == ["hot", "cold"]
    design.apply(floor.turn_racks(design, ["r2", "r1"]))
    assert turn_rows(design, ["r1", "r5"]).label == "Flip 2 rows"


def test_an_aisle_is_in_pieces_where_racks_of_a_row_face_different_ways(design):
    design.apply(floor.turn_racks(design, ["r4"]))
    assert kinds(design)[:2] == [("mixed", "A", -0.3, 0.3), ("cold", "A", 0.3, 0.9)]
    assert findings(design)[0].message == "Rows A and B: the front of r-1 faces the back of r-3"


def test_a_row_alone_on_its_side_and_a_hall_are_no_mixed_aisles(design):
    design.apply(floor.place_racks(design, {"r3": (0.0, 20.0), "r4": None, "r5": (5.0, 2.4), "r6": None}))
    assert [kind for kind, *_ in kinds(design)] == ["cold", "hot", "wide"]
    assert not findings(design)
    design.apply(floor.place_racks(design, {"r5": (0.0, 1.2)}))
    assert [kind for kind, *_ in kinds(design)] == ["wide"], "rows that touch have no aisle"


def test_racks_that_are_placed_below_go_on_with_the_turns(design):
    design.apply(face_rows(design))
    design.apply(floor.place_racks(design, dict.fromkeys(("r3", "r4", "r5", "r6"))))
    design.apply(floor.place_missing(design))
    assert not findings(design) and aisles(design)[0].kind == "cold"
