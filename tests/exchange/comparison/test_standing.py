"""What only the other side of a comparison has stands on nothing, in its row, in the order of the other side."""

import itertools
from dataclasses import replace

import pytest

from designer.analysis.comparing import compare
from designer.drawing.composition import Composition
from designer.drawing.theme import LIGHT
from designer.exchange.comparison.marking import both, marked_changes
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.placement.metrics import BOX_HEIGHT, box_size

SHAPE = {"server": "dgx-h100", "servers": 64, "servers_per_su": 32}


@pytest.fixture(scope="module")
def two_to_one(generate):
    return generate("rail-optimized", **SHAPE, oversubscription=2)


def laid_over(design, other):
    marked = marked_changes(design, compare(design, other), ("before", "after"))
    return both(design, marked), marked


def covered(design):
    """Pairs of devices, one of which is drawn over the other."""
    boxes = sorted(
        (place.y, place.x, box_size(design.is_switch(one))[0] / 2, one)
        for one, place in design.placements.items()
        if one in design.devices
    )
    rows = itertools.groupby(boxes, key=lambda box: round(box[0] / BOX_HEIGHT))
    return [
        (design.device(a[3]).name, design.device(b[3]).name)
        for _, row in rows
        for a, b in itertools.pairwise(sorted(row, key=lambda box: box[1]))
        if b[1] - a[1] < a[2] + b[2]
    ]


def row_of(design, role):
    spots = [design.placements[one.id] for one in design.devices.values() if one.role == role]
    return sorted(spots, key=lambda one: one.x)


@pytest.mark.parametrize("spines", [6, 8])
def test_added_spines_stand_on_both_sides_of_their_row_at_its_distance(generate, two_to_one, spines):
    shown, _ = laid_over(two_to_one, generate("rail-optimized", **SHAPE, oversubscription=2, spines=spines))
    row = row_of(shown, "spine")
    assert len(row) == spines and not covered(shown)
    assert {one.y for one in row} == {row_of(two_to_one, "spine")[0].y}
    assert len({round(b.x - a.x, 1) for a, b in itertools.pairwise(row)}) == 1
    middle = [(own[0].x + own[-1].x) / 2 for own in (row, row_of(two_to_one, "spine"))]
    assert middle[0] == pytest.approx(middle[1])
    added = [shown.device(one.id).name for one in row if one.id not in two_to_one.devices]
    assert added == [f"spine-{number:02d}" for number in range(5, spines + 1)]
    assert [one.id in two_to_one.devices for one in row].index(True) == len(added) // 2


def test_an_odd_number_of_added_spines_has_one_more_at_the_right(generate, two_to_one):
    shown, _ = laid_over(two_to_one, generate("rail-optimized", **SHAPE, oversubscription=2, spines=7))
    assert "".join("-+"[one.id in two_to_one.devices] for one in row_of(shown, "spine")) == "-++++--"


def test_added_spines_stand_at_the_right_where_something_is_at_the_left(generate, two_to_one):
    design = two_to_one.snapshot()
    first, second, *_ = row_of(design, "spine")
    near = design.placements[design.servers()[0].id]
    design.apply(Edit("move", (Change(near, replace(near, x=2 * first.x - second.x, y=first.y + 20)),)))
    shown, _ = laid_over(design, generate("rail-optimized", **SHAPE, oversubscription=2, spines=8))
    assert not covered(shown)
    assert "".join("-+"[one.id in two_to_one.devices] for one in row_of(shown, "spine")) == "++++----"


def test_units_that_are_added_stand_next_to_the_last_one(generate, two_to_one):
    shown, _ = laid_over(two_to_one, generate("rail-optimized", **{**SHAPE, "servers": 96}, oversubscription=2))
    assert len(shown.servers()) == 96 and not covered(shown)
    leafs = row_of(shown, "leaf")
    assert [one.id in two_to_one.devices for one in leafs] == [True] * 16 + [False] * 8


def test_a_device_between_two_others_goes_past_them_and_those_after_it_past_that(two_to_one):
    other = two_to_one.snapshot()
    spines = [one for one in two_to_one.devices.values() if one.role == "spine"]
    at = two_to_one.placements[spines[0].id]
    for name in ("a", "b"):
        type_ = two_to_one.device_type(spines[0].id)
        other.apply(operations.add_device(other, type_, at.x + 5, at.y, catalog_types={}, name=name))
    shown, _ = laid_over(two_to_one, other)
    assert not covered(shown)
    assert {shown.placements[shown.find(name).id].y for name in ("a", "b")} == {at.y}


def test_a_device_in_a_row_of_its_own_is_moved_as_far_as_the_drawing_is(two_to_one):
    other = two_to_one.snapshot()
    type_ = two_to_one.device_type(next(iter(two_to_one.devices)))
    other.apply(operations.add_device(other, type_, 40.0, -900.0, catalog_types={}, name="far"))
    moves = tuple(Change(one, replace(one, x=one.x + 1000)) for one in two_to_one.placements.values())
    other.apply(Edit("move", moves))
    shown, _ = laid_over(two_to_one, other)
    far = shown.placements[shown.find("far").id]
    assert (far.x, far.y) == (-960.0, -900.0)


def test_the_key_of_devices_has_what_was_added_and_titles_that_leave_it_out_are_left_out(generate, two_to_one):
    marks = laid_over(two_to_one, generate("rail-optimized", **SHAPE, oversubscription=2, spines=8))[1].marks
    drawing = Composition(two_to_one)
    detail = drawing.detail_at(1.0)
    before = drawing.picture(LIGHT, detail)
    assert before.tier_titles and before.tiers() is not None and before.containers[0].note
    drawing.colouring.show_marks(marks)
    picture = drawing.picture(LIGHT, detail)
    of_devices = next(key for key in picture.keys if key.title.startswith("Devices"))
    assert [one.text for one in of_devices.swatches] == ["The same in both", "Only in after"]
    assert not picture.tier_titles and picture.tiers() is None and not picture.containers[0].note
    drawing.colouring.show_marks(replace(marks, ghosts=frozenset(), ghost_devices=frozenset()))
    assert drawing.picture(LIGHT, detail).tier_titles == before.tier_titles
