"""A design takes an edit whole or not at all, and never holds a reference to nothing."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.generic import generic_switch
from designer.errors import EditError
from designer.model import operations
from designer.model.design import Design, from_entities
from designer.model.edit import Change, Edit, added, removed
from designer.model.entities import Device, End, Group, Link, Module, Placement, Rack, in_order, order_key
from designer.model.hardware.modules import NicType
from designer.model.hardware.racks import RackType
from designer.model.settings import Settings
from designer.storage import document

SWITCH = generic_switch(4, 400)
LEAF = Device("d1", "leaf-01", SWITCH.id)
SPINE = Device("d2", "spine-01", SWITCH.id)
ABSENT, NO_NIC, NO_RACK = (
    ", which is not in the design",
    "which is a SwitchType, not a NicType or LineCardType",
    "which is a SwitchType, not a RackType",
)
LINK = Link("l1", End("d1", "1"), End("d2", "1"))


@pytest.fixture
def refuse(assert_indexes_are_fresh):
    def refuse(design, *changes):
        """The sentence with which the design refuses the changes; it must be as it was, indexes too."""
        before, revision = document.encode(design), design.revision
        with pytest.raises(EditError) as caught:
            design.apply(Edit("Test", changes))
        assert document.encode(design) == before
        assert design.revision == revision
        assert_indexes_are_fresh(design)
        return str(caught.value)

    return refuse


@pytest.fixture
def pair():
    return from_entities([SWITCH, LEAF, SPINE, LINK, Placement("d1", 0, 0), Placement("d2", 0, 100)])


def test_a_change_refused_late_takes_back_all_that_went_before(refuse, pair):
    sentence = refuse(
        pair,
        *added([Group("g1", "pod"), Device("d3", "leaf-02", SWITCH.id, group_id="g1")]),
        *added([Link("l2", End("d3", "1"), End("d1", "2")), Link("l3", End("d3", "2"), End("d9", "1"))]),
    )
    assert sentence == "link 'l3' refers to device 'd9', which is not in the design"


def test_a_refused_replacement_leaves_ports_as_they_were(refuse, pair):
    moved = Link("l1", End("d1", "3"), End("d2", "3"))
    refuse(pair, Change(LINK, moved), Change(None, LEAF))
    assert pair.links_at(End("d1", "1")) == ("l1",)
    assert pair.links_at(End("d1", "3")) == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (Change(None, LEAF), "device 'd1' already exists"),
        (Change(Device("d1", "old name", SWITCH.id), LEAF), "device 'd1' is not as the edit expects it"),
        (Change(Device("d7", "x", SWITCH.id), None), "device 'd7' is not as the edit expects it"),
        (Change(None, None), "a change with neither a before nor an after does nothing"),
        (Change(LEAF, Device("d3", "leaf-01", SWITCH.id)), "a change may not turn 'd1' into 'd3'"),
        (Change(LEAF, None), "device 'leaf-01' still has links, modules or a placement"),
        (Change(SWITCH, None), f"type '{SWITCH.id}' is still in use by 'd1'"),
        (Change(Settings(), None), "the settings of a design cannot be removed"),
        (Change(None, Device("d3", "x", "none")), "device 'x' refers to type 'none'" + ABSENT),
        (Change(None, Device("d3", "x", SWITCH.id, group_id="g9")), "device 'x' refers to group 'g9'" + ABSENT),
        (Change(None, Module("m1", "d1", "s", SWITCH.id)), f"module 'm1' refers to '{SWITCH.id}', {NO_NIC}"),
        (Change(None, Rack("r1", "rack", SWITCH.id)), f"rack 'rack' refers to '{SWITCH.id}', {NO_RACK}"),
        (Change(None, Link("l2", End("d1", "2"), End("d9", "1"))), "link 'l2' refers to device 'd9'" + ABSENT),
        (Change(None, Link("l2", End("d1", "2"), End("d2", "2"), "dac")), "link 'l2' refers to type 'dac'" + ABSENT),
        (Change(None, Placement("d9", 0, 0)), "placement 'd9' places neither a device nor a rack nor an annotation"),
        (Change(Placement("d1", 0, 0), Placement("d1", 0, 0, "r1")), "placement of 'd1' refers to rack 'r1'" + ABSENT),
        (Change(None, Group("g1", "pod", parent_id="g1")), "group 'pod' would contain itself"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(refuse, pair, change, sentence):
    assert refuse(pair, change) == sentence


def test_a_type_in_use_cannot_become_another_kind_of_type(refuse, pair):
    nic = NicType(SWITCH.id, "Acme", "NIC", ("ethernet",), 1, 400)
    assert "one kind of thing into another" in refuse(pair, Change(SWITCH, nic))
    assert "still in use" in refuse(pair, Change(SWITCH, None), Change(None, nic))


def test_a_server_with_nics_cannot_become_a_switch(refuse, pen, design):
    server = pen.add("generic-host")
    pen.add("generic-switch")
    device = design.device(server)
    switch = Device(server, device.name, "generic-switch")
    assert refuse(design, Change(device, switch)) == f"module 'm1' is a NIC in '{device.name}', which is no server"


def test_a_module_refused_before_its_device_is_checked_still_gives_a_sentence(refuse):
    nic = NicType("nic", "Acme", "NIC", ("ethernet",), 1, 400)
    module, device = Module("m1", "d1", "s", "nic"), Device("d1", "server", "no such type")
    assert refuse(Design(), *added([nic, module, device])) == "module 'm1' is a NIC in 'server', which is no server"


def test_a_rack_that_holds_devices_cannot_go(refuse):
    rack_type, rack = RackType("rack", "Acme", "42U", 42), Rack("r1", "rack-01", "rack")
    design = from_entities([SWITCH, LEAF, rack_type, rack, Placement("d1", 0, 0, "r1", 1)])
    assert refuse(design, Change(rack, None)) == "rack 'rack-01' still holds devices or a placement"


def test_a_group_with_members_cannot_go(refuse):
    group = Group("g1", "pod")
    design = from_entities([SWITCH, group, Device("d1", "leaf", SWITCH.id, group_id="g1")])
    assert refuse(design, Change(group, None)) == "group 'pod' still has members"


def test_groups_that_would_hold_each_other_are_refused(refuse):
    outer, inner = Group("g1", "outer"), Group("g2", "inner", parent_id="g1")
    design = from_entities([outer, inner])
    assert "would contain itself" in refuse(design, Change(outer, Group("g1", "outer", parent_id="g2")))


def test_order_inside_an_edit_does_not_matter_as_long_as_the_whole_fits():
    design = Design()
    design.apply(Edit("Build", added([LINK, SPINE, LEAF, SWITCH])))
    design.apply(Edit("Tear down", removed([SWITCH, LEAF, SPINE, LINK])))
    assert list(design.entities()) == [Settings()]


def test_two_links_on_a_port_are_held_in_one_order_whatever_came_first(pair):
    second = Link("l2", End("d1", "1"), End("d2", "2"))
    pair.apply(Edit("Double", added([second])))
    pair.apply(Edit("Take", removed([LINK])))
    pair.apply(Edit("Put back", added([LINK])))
    assert pair.links_at(End("d1", "1")) == ("l1", "l2")
    assert pair.links_of("d1") == [LINK, second]


def test_ids_given_out_are_new_and_survive_odd_ids_of_other_programs(pair):
    pair.apply(Edit("Odd", added([Device("d" + "9" * 199, "odd", SWITCH.id), Device("d٣", "odd", SWITCH.id)])))
    fresh = pair.new_ids("devices", 3)
    assert len(set(fresh)) == 3
    assert not set(fresh) & set(pair.devices)


def test_a_snapshot_does_not_follow_the_design(pen, design, assert_indexes_are_fresh):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    copy = design.snapshot()
    before = document.encode(copy)
    pen.join(leaf, pen.add("dgx-h100", "gpu-001"))
    design.apply(operations.rename(design, leaf, "other"))
    assert document.encode(copy) == before
    assert_indexes_are_fresh(copy)


def test_snapshots_and_their_design_change_apart_from_each_other(pen, design, assert_indexes_are_fresh):
    leaf, rack = pen.add("nvidia-qm9700", "leaf-01"), pen.rack()
    pods = [pen.add("dgx-h100", f"gpu-{number}") for number in (1, 2)]
    group = pen.group([leaf, *pods], "SU 1")
    pen.join(leaf, pods[0], 2)
    first = design.snapshot()
    second = first.snapshot()
    changes = (
        (design, lambda one: operations.delete(one, [pods[0]])),
        (first, lambda one: operations.connect_devices(one, leaf, pods[1], 3)),
        (second, lambda one: operations.ungroup(one, group)),
        (design, lambda one: operations.connect_devices(one, leaf, pods[1], 1)),
        (first, lambda one: operations.mount(one, leaf, rack, 3)),
        (second, lambda one: operations.delete(one, [leaf])),
    )
    for changed, verb in changes:
        others = {id(one): document.encode(one) for one in (design, first, second) if one is not changed}
        edit = verb(changed)
        changed.apply(edit)
        for one in (design, first, second):
            assert others.get(id(one), document.encode(one)) == document.encode(one)
            assert_indexes_are_fresh(one)
    design.adopt(first)
    design.apply(operations.delete(design, [pods[1]]))
    assert_indexes_are_fresh(design)
    assert_indexes_are_fresh(second)


def test_moves_of_a_design_and_of_its_snapshots_are_their_own(pair):
    first = pair.snapshot()
    second = first.snapshot()
    for at, one in enumerate((pair, second, first, second), 1):
        others = {id(other): other.placements["d1"].x for other in (pair, first, second) if other is not one}
        one.apply(operations.move(one, {"d1": (100.0 * at, 0.0)}))
        assert one.placements["d1"].x == 100.0 * at
        assert {id(other): other.placements["d1"].x for other in (pair, first, second) if other is not one} == others


def test_a_snapshot_copies_only_the_tables_that_change(pair):
    copy = pair.snapshot()
    assert copy._tables.items() == pair._tables.items()
    pair.apply(operations.move(pair, {"d1": (100.0, 0.0)}))
    assert [name for name, table in copy._tables.items() if table is not pair._tables[name]] == ["placements"]
    moved = pair._tables["placements"]
    pair.apply(operations.move(pair, {"d1": (200.0, 0.0)}))
    assert pair._tables["placements"] is moved, "once for all edits until the next snapshot"
    assert copy._indexes.links_at is pair._indexes.links_at
    pair.apply(operations.connect_devices(pair, "d1", "d2", 1))
    linked = pair._indexes.links_at
    pair.apply(operations.connect_devices(pair, "d1", "d2", 1))
    assert pair._indexes.links_at is linked is not copy._indexes.links_at


def test_a_table_stands_as_it_was_asked_for_once_there_is_a_snapshot(pair):
    devices = pair.devices
    pair.snapshot()
    pair.apply(operations.rename(pair, "d1", "other"))
    assert devices["d1"].name != "other" and pair.devices["d1"].name == "other"


def test_a_box_that_one_edit_moves_twice_goes_step_by_step(refuse, pair):
    placed, other = pair.placements["d1"], pair.placements["d2"]
    near, far = replace(placed, x=7.0), replace(placed, x=9.0)
    pair.apply(Edit("Move", (Change(placed, near), Change(other, replace(other, y=3.0)), Change(near, far))))
    assert (pair.placements["d1"].x, pair.placements["d2"].y) == (9.0, 3.0)
    assert "is not as the edit expects it" in refuse(pair, Change(far, near), Change(far, placed))


def test_a_move_from_where_a_box_does_not_stand_is_refused_among_others(refuse, pair):
    placed, other = pair.placements["d1"], pair.placements["d2"]
    stale = replace(placed, x=1.0)
    assert "is not as the edit expects it" in refuse(
        pair, Change(other, replace(other, x=7.0)), Change(stale, replace(stale, x=2.0))
    )


@pytest.mark.parametrize("x", [float("nan"), float("inf"), 1e12, "12"])
def test_what_only_moves_is_refused_beyond_the_canvas(refuse, pair, x):
    placed, other = pair.placements["d1"], pair.placements["d2"]
    assert "x" in refuse(pair, Change(placed, replace(placed, x=x)))
    assert "x" in refuse(pair, Change(other, replace(other, x=7.0)), Change(placed, replace(placed, x=x)))


def test_what_is_moved_and_left_without_its_device_is_refused(refuse, pair):
    placed = pair.placements["d1"]
    moved = Change(placed, replace(placed, x=7.0))
    assert "still has" in refuse(pair, *removed([pair.links["l1"]]), moved, *removed([pair.devices["d1"]]))


def test_a_place_in_a_rack_that_is_not_there_is_no_mere_move(refuse, pair):
    placed = pair.placements["d1"]
    there = replace(placed, rack_id="r9", unit=4)
    assert refuse(pair, Change(placed, there)).endswith(ABSENT)
    assert not Change(placed, there).only_moves and not Change(None, placed).only_moves
    assert not any(Change(placed, replace(placed, **{name: value})).only_moves for name, value in OTHERS.items())
    assert Change(placed, replace(placed, x=1.0, y=2.0)).only_moves


def test_an_edit_has_its_moves_and_other_changes_in_order(pair):
    one, other = pair.placements["d1"], pair.placements["d2"]
    moves = Change(one, replace(one, x=7.0)), Change(other, replace(other, y=8.0))
    renamed = Change(pair.devices["d1"], replace(pair.devices["d1"], name="renamed"))
    assert Edit("Move", moves).moves == moves and Edit("Move", moves).others == ()
    mixed = Edit("Both", (moves[0], renamed, moves[1]))
    assert mixed.moves == moves and mixed.others == (renamed,)
    assert mixed.inverted().others == (renamed.inverted(),) and mixed == Edit("Both", mixed.changes)


def test_moves_that_do_not_fit_leave_the_places_as_they_were(refuse, pair):
    one, other = pair.placements["d1"], pair.placements["d2"]
    stale = replace(other, x=other.x + 1)
    assert refuse(pair, Change(one, replace(one, x=7.0)), Change(stale, replace(stale, y=3.0)))
    assert refuse(pair, Change(one, replace(other, x=7.0)))


OTHERS = {"rack_id": "r1", "unit": 3, "side": "rear", "locked": True}


@given(st.lists(st.text("d019z", max_size=4)))
def test_ids_are_in_order_by_length_then_letter_by_letter(ids):
    assert in_order(ids) == sorted(ids, key=order_key)


def test_a_design_holds_an_edit_while_what_it_adds_is_there_and_what_it_removes_is_not(pair):
    add = Edit("Add", added([Device("d3", "leaf-02", SWITCH.id)]))
    assert not pair.holds(add) and pair.holds(add.inverted())
    pair.apply(add)
    assert pair.holds(add) and not pair.holds(add.inverted())
    rename = Edit("Rename", (Change(add.changes[0].after, replace(add.changes[0].after, name="other")),))
    assert not pair.holds(rename)
    pair.apply(rename)
    assert pair.holds(rename) and not pair.holds(rename.inverted())
    assert pair.holds(add), "it is there, by whatever name"
    cut = Edit("Cut", removed([LINK]))
    assert not pair.holds(cut)
    pair.apply(cut)
    assert pair.holds(cut)
