"""Swap, rotate, mirror, spacing and lock."""

import pytest

from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model import operations
from designer.model.design import Design

CATALOG = load()
CELL = (144.0, 68.0)


@pytest.fixture
def design():
    made = Design()
    for place in range(4):
        type_ = CATALOG.get("nvidia-qm9700")
        made.apply(operations.add_device(made, type_, 144.0 * place, 0.0, catalog_types=CATALOG.types))
    return made


def at(design):
    return [(place.x, place.y) for place in design.placements.values()]


def test_two_things_swap_their_places_and_more_do_not(design):
    ids = list(design.devices)
    design.apply(operations.swap_places(design, [ids[0], ids[3]]))
    assert at(design) == [(432.0, 0.0), (144.0, 0.0), (288.0, 0.0), (0.0, 0.0)]
    with pytest.raises(ParameterError, match="select two things to swap, not 4"):
        operations.swap_places(design, ids)


def test_a_row_turns_into_a_column_that_keeps_its_steps_and_four_turns_are_none(design):
    ids, before = list(design.devices), at(design)
    design.apply(operations.rotate(design, ids, cell=CELL))
    assert at(design) == [(216.0, 68.0 * step) for step in (-1.5, -0.5, 0.5, 1.5)]
    for _ in range(3):
        design.apply(operations.rotate(design, ids, cell=CELL))
    assert at(design) == before
    design.apply(operations.rotate(design, ids, cell=CELL))
    design.apply(operations.rotate(design, ids, clockwise=False, cell=CELL))
    assert at(design) == before


@pytest.mark.parametrize(("axis", "expected"), [("x", [432.0, 288.0, 144.0, 0.0]), ("y", [0.0, 144.0, 288.0, 432.0])])
def test_a_mirror_along_x_reverses_a_row_and_one_along_y_leaves_it(design, axis, expected):
    design.apply(operations.mirror(design, list(design.devices), axis))
    assert [x for x, _ in at(design)] == expected
    with pytest.raises(ParameterError, match="not an axis to mirror along"):
        operations.mirror(design, list(design.devices), "z")


def test_spacing_is_from_edge_to_edge_and_columns_stay_columns(design):
    ids = list(design.devices)
    sizes = dict.fromkeys(ids, (120.0, 44.0))
    design.apply(operations.move(design, {ids[1]: (4.0, 300.0), ids[3]: (300.0, 300.0)}))
    design.apply(operations.set_spacing(design, ids, "x", 50.0, sizes))
    assert [x for x, _ in at(design)] == [0.0, 4.0, 178.0 - 4.0, 186.0]
    with pytest.raises(ParameterError, match=r"spacing is -1: it should be 0 to 100,000"):
        operations.set_spacing(design, ids, "x", -1.0, sizes)
    with pytest.raises(ParameterError, match="not an axis to space along"):
        operations.set_spacing(design, ids, "z", 1.0, sizes)


def test_what_is_locked_is_not_moved_until_it_is_unlocked(design):
    ids = list(design.devices)
    design.apply(operations.lock(design, ids[:1], locked=True))
    assert design.placements[ids[0]].locked
    assert not operations.lock(design, ids[:1], locked=True)
    design.apply(operations.move(design, {ids[1]: (144.0, 90.0)}))
    for edit in (
        operations.align(design, ids, "bottom"),
        operations.distribute(design, [*ids[1:], ids[0]], "y"),
        operations.rotate(design, ids),
        operations.mirror(design, ids, "x"),
        operations.set_spacing(design, ids, "x", 5.0),
    ):
        assert ids[0] not in {change.subject.id for change in edit.changes}
    with pytest.raises(ParameterError, match="at least 2 things to arrange; 1 thing is locked"):
        operations.swap_places(design, ids[:2])
    design.apply(operations.lock(design, ids[:1], locked=False))
    assert not design.placements[ids[0]].locked
    with pytest.raises(ParameterError, match="on the canvas first"):
        operations.lock(design, [], locked=True)


def test_a_locked_device_stays_locked_when_it_is_mounted(design):
    one = next(iter(design.devices))
    design.apply(operations.add_rack(design, CATALOG.get("rack-42u"), 0.0, 500.0))
    design.apply(operations.lock(design, [one], locked=True))
    design.apply(operations.mount(design, one, next(iter(design.racks))))
    assert design.placements[one].locked
