"""The floor plan: rows, moving and copying racks, and the arrangement of a whole fabric."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Link, Rack
from designer.model.equipping import units_of
from designer.placement import floor, mounting
from designer.placement.rack_contents import (
    free_units,
    of_unknown_port_side,
    rack_power,
    standing_in,
)
from designer.storage import document


def test_racks_side_by_side_form_a_row_named_from_the_top(room):
    b1, a2, a1 = room.rack("b1", (0, 2.4)), room.rack("a2", (0.6, 0)), room.rack("a1", (0, 0.05))
    room.rack("nowhere")
    rows = floor.rows(room.design)
    assert [(row.name, row.rack_ids) for row in rows] == [("A", (a1, a2)), ("B", (b1,))]


def test_racks_of_switches_alone_stand_in_rows_as_long_as_the_room_is_deep(new_room):
    """192 of them, as where servers of generic types stand in none, are no row of 115 m."""
    design, per_row = rooms_of(new_room, n_servers=0, n_switches=192)
    rows = floor.rows(design)
    assert len(rows) == 7 and {len(one.rack_ids) for one in rows} == {27, 28} and max(per_row) == 28


@pytest.mark.parametrize(("n_servers", "n_switches"), [(9, 180), (60, 90)])
def test_switches_that_would_make_a_long_row_stand_in_rows_of_their_own_in_the_middle(new_room, n_servers, n_switches):
    design, per_row = rooms_of(new_room, n_servers, n_switches)
    settings = design.settings
    side_m = math.sqrt((n_servers + n_switches) * settings.rack_width_m * (settings.rack_depth_m + settings.aisle_m))
    assert max(per_row) * settings.rack_width_m < 1.3 * side_m
    holding = [any(map(design.is_switch, held)) for row in floor.rows(design) if (held := held_in(design, row))]
    first, last = holding.index(True), len(holding) - holding[::-1].index(True)
    assert all(holding[first:last]) and abs(first - (len(holding) - last)) <= 1


def rooms_of(new_room, n_servers, n_switches):
    """A room of racks with a server or a switch each, in rows; and how many racks these have."""
    room = new_room()
    for type_id, count in (("dgx-h100", n_servers), ("nvidia-qm9700", n_switches)):
        for number in range(count):
            name = f"{type_id}-{number}"
            room.stand(type_id, room.rack(f"rack of {name}"), 1, name=name)
    room.do(floor.auto_place(room.design))
    return room.design, [len(row.rack_ids) for row in floor.rows(room.design)]


def held_in(design, row):
    return [one for rack_id in row.rack_ids for one in design.mounted(rack_id)]


def test_rows_go_on_with_two_letters_after_z():
    assert [floor.row_name(number) for number in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AB",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]


def test_racks_are_moved_turned_and_taken_off_the_floor_and_undo_restores_the_bytes(room):
    one = room.rack("one")
    before = document.encode(room.design)
    edits = [floor.place_racks(room.design, {one: (1.5, -2)})]
    room.do(edits[-1])
    assert floor.place_of(room.design.racks[one]) == (1.5, -2.0)
    edits.append(floor.turn_racks(room.design, [one]))
    room.do(edits[-1])
    assert room.design.racks[one].facing == "up"
    edits.append(floor.place_racks(room.design, {one: None}))
    room.do(edits[-1])
    assert floor.place_of(room.design.racks[one]) is None
    for edit in reversed(edits):
        room.do(edit.inverted())
    assert document.encode(room.design) == before


def test_a_place_no_room_has_is_refused(room):
    one = room.rack("one")
    with pytest.raises(EditError, match="one: a place on the floor lies within 100,000 m of its middle, not at inf m"):
        floor.place_racks(room.design, {one: (math.inf, 0)})
    with pytest.raises(UnknownEntityError, match="there is no rack with id 'r99'"):
        floor.place_racks(room.design, {"r99": (0, 0)})
    with pytest.raises(ParameterError, match="more than 0 W, not -5 W"):
        floor.set_power_budget(room.design, [one], -5)


def test_a_copied_rack_stands_beside_with_its_devices_and_their_links(room):
    one = room.rack("one", (0, 0))
    room.rack("neighbour", (0.6, 0))
    leaf, server = room.stand("nvidia-qm9700", one, 40), room.stand("dgx-h100", one, 1)
    room.join(server, leaf, 4)
    edit = floor.copy_rack(room.design, one)
    assert edit.label == "Copy one"
    room.do(edit)
    copies = [change.after for change in edit.changes]
    (rack,) = [copy for copy in copies if isinstance(copy, Rack)]
    assert floor.place_of(rack) == (1.2, 0.0), "the next free place to the right"
    assert rack.name != "one"
    assert len([copy for copy in copies if isinstance(copy, Link)]) == 4
    assert len([copy for copy in copies if isinstance(copy, Device)]) == 2
    assert [(s.unit, s.units) for s in standing_in(room.design, rack.id)] == [(1, 8), (40, 1)]


@pytest.mark.parametrize(
    ("others", "x_m"),
    [
        ([(0.6, 1.0)], 1.2),  # it reaches into the row, which is 1.2 m deep
        ([(0.6, 1.2)], 0.6),  # the next row: the two touch
        ([(0.6, -1.2)], 0.6),
        ([(0.6, 0.0), (1.3, 0.0)], 1.9),  # between these a rack of 0.6 m does not fit
        ([(1.2, 0.0)], 0.6),
    ],
)
def test_a_copied_rack_takes_the_first_place_that_no_rack_reaches_into(room, others, x_m):
    one = room.rack("one", (0, 0))
    settings = room.design.settings
    assert (settings.rack_width_m, settings.rack_depth_m) == (0.6, 1.2)
    for number, at in enumerate(others):
        room.rack(f"other {number}", at)
    (copied,) = room.do(floor.copy_rack(room.design, one))
    assert floor.place_of(room.design.racks[copied]) == (x_m, 0.0)


def test_a_copy_of_a_rack_that_has_no_place_has_none(room):
    room.rack("stands", (0, 0))
    (copied,) = room.do(floor.copy_rack(room.design, room.rack("one")))
    assert floor.place_of(room.design.racks[copied]) is None


@pytest.mark.parametrize(("budget_w", "is_refused"), [(0, True), (1, False), (1e9, False), (1.1e9, True)])
def test_a_power_budget_is_above_nothing_and_at_most_a_gigawatt(room, budget_w, is_refused):
    one = room.rack("one")
    if is_refused:
        with pytest.raises(ParameterError, match="more than 0 W"):
            floor.set_power_budget(room.design, [one], budget_w)
    else:
        room.do(floor.set_power_budget(room.design, [one], budget_w))
        assert room.design.racks[one].power_budget_w == budget_w


def test_devices_are_turned_where_they_stand_in_a_rack_and_back_again(room):
    leaf = room.stand("nvidia-qm9700", room.rack("one"), 40)
    loose = room.stand("dgx-h100", None, None, name="loose")
    assert of_unknown_port_side(room.design) == (leaf,)
    for side in ("rear", "front", "rear"):
        edit = mounting.turn_mounted(room.design, [leaf, loose, leaf])
        assert edit.label == "Flip 1 device"
        room.do(edit)
        assert (room.design.placements[leaf].side, room.design.placements[loose].side) == (side, "")
        (standing,) = standing_in(room.design, room.design.placements[leaf].rack_id)
        assert (standing.ports_at, standing.rear) == (side, side == "rear")
        assert of_unknown_port_side(room.design) == ()


def test_a_device_stands_within_the_units_of_its_rack(room):
    rack = room.rack("one")
    server = room.stand("dgx-h100", rack, 35)  # 8 U: to the top of 42
    for unit, stands in ((36, False), (35, True), (0, False), (1, True)):
        if stands:
            room.do(mounting.move_mounted(room.design, {server: (rack, unit)}))
            assert room.design.placements[server].unit == unit
        else:
            with pytest.raises(EditError, match=f"takes 8 U and cannot stand at unit {unit} of one, which has 42"):
                mounting.move_mounted(room.design, {server: (rack, unit)})


def test_a_fabric_is_placed_with_units_round_their_leafs_and_spines_in_the_middle(superpod):
    superpod.apply(floor.auto_place(superpod))
    rows = floor.rows(superpod)
    assert floor.overlaps(superpod) == []
    assert all(rack.x_m is not None for rack in superpod.racks.values())
    names = [[superpod.racks[one].name for one in row.rack_ids] for row in rows]
    for row in names:
        assert [name.startswith("net") for name in row].count(True) in (1, 2)
    # Each row is a scalable unit: half its servers, its leafs, the other half.
    assert names[0] == [*(f"rack-0{n}" for n in range(1, 5)), "net-01", *(f"rack-0{n}" for n in range(5, 9))]
    middle = names[len(names) // 2]
    assert "net-05" in middle, "the spines' rack"
    assert middle.index("net-05") in (4, 5)
    facings = [superpod.racks[row.rack_ids[0]].facing for row in rows]
    assert facings == ["", "up", "", "up"]
    for row in rows:
        xs = [superpod.racks[one].x_m for one in row.rack_ids]
        width = superpod.settings.rack_width_m
        assert abs(sum(xs) / len(xs)) <= width / 2 + 0.01, "its middle is about the middle of the room"
        assert all(x / width == pytest.approx(round(x / width)) for x in xs), "all rows stand on the same tiles"
        assert all(right - left == pytest.approx(superpod.settings.rack_width_m) for left, right in pairwise(xs))


def test_placing_what_is_placed_already_changes_nothing(superpod):
    superpod.apply(floor.auto_place(superpod))
    assert not floor.auto_place(superpod)


@given(points=st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=2, max_size=12))
def test_overlaps_are_those_that_comparing_every_pair_finds(new_room, points):
    room = new_room()
    ids = [room.rack(f"rack-{n}", point) for n, point in enumerate(points)]
    width, depth = room.design.settings.rack_width_m, room.design.settings.rack_depth_m
    expected = {
        frozenset((a, b))
        for n, (a, p) in enumerate(zip(ids, points, strict=True))
        for b, q in list(zip(ids, points, strict=True))[n + 1 :]
        if abs(p[0] - q[0]) < width - floor.TOUCH_M and abs(p[1] - q[1]) < depth - floor.TOUCH_M
    }
    assert {frozenset(pair) for pair in floor.overlaps(room.design)} == expected


def test_a_rack_tells_its_free_units_and_its_power(room):
    one = room.rack("one")
    room.stand("dgx-h100", one, 1)
    room.stand("nvidia-qm9700", one, 20)
    assert (units_of(room.design, one), free_units(room.design, one)) == (42, 42 - 8 - 1)
    power = rack_power(room.design, one)
    types = room.catalog.types
    assert power.draw_w == types["dgx-h100"].power_max_w + types["nvidia-qm9700"].power_max_w
    assert power.budget_w is None
    room.do(floor.set_power_budget(room.design, [one], 17_000))
    assert rack_power(room.design, one).budget_w == 17_000
    room.stand("generic-host", one, 30)
    assert rack_power(room.design, one).unknown == ("generic-host",)
    assert rack_power(room.design, one).draw == "at least 11.92 kW"
    other = room.rack("other")
    room.stand("generic-host", other, 30)
    assert rack_power(room.design, other).draw == "power not known"


def test_a_device_that_is_moved_between_racks_keeps_its_place_in_the_picture(room):
    one, two = room.rack("one"), room.rack("two")
    leaf = room.stand("nvidia-qm9700", one, 40)
    before = room.design.placements[leaf]
    room.do(Edit("Move", (Change(before, replace(before, x=70.0, y=-30.0)),)))
    room.do(mounting.move_mounted(room.design, {leaf: (two, 12)}))
    after = room.design.placements[leaf]
    assert (after.rack_id, after.unit, after.x, after.y) == (two, 12, 70.0, -30.0)
