"""Groups copied as wholes: with their content, as groups of their own, counted on."""

from dataclasses import replace

import pytest

from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Group, Link, Rack
from designer.model.fragments import labels_within


@pytest.fixture
def unit(pen, design):
    """Two servers on a leaf switch: SU 1."""
    leaf = pen.add("nvidia-qm9700", "leaf-01", 0, 0, role="leaf")
    servers = [pen.add("dgx-h100", f"gpu-{number:02d}", 150 * number, 100) for number in (1, 2)]
    for one in servers:
        pen.join(one, leaf, 8)
    group = pen.group([leaf, *servers], "SU 1", "scalable unit")
    numbered(pen, (leaf, *servers), 1)
    return group, leaf, servers


def numbered(pen, ids, number):
    devices = [pen.design.device(one) for one in ids]
    pen.do(Edit("Number", tuple(Change(one, replace(one, unit=number)) for one in devices)))


def test_a_copied_unit_is_the_next_one_with_its_devices_and_links(pen, design, unit):
    group, *_ = unit
    edit = pen.do(operations.duplicate(design, [group], 500, 0))
    (new,) = pen.added(Group, edit)
    assert (edit.label, new.name, new.kind) == ("Duplicate SU 1", "SU 2", "scalable unit")
    members = [design.device(one) for one in design.members(new.id)]
    assert [(one.name, one.unit) for one in members] == [("leaf-02", 2), ("gpu-03", 2), ("gpu-04", 2)]
    assert len(design.links_of(members[0].id)) == 16 == len(design.links) / 2
    (third,) = pen.added(Group, pen.do(operations.duplicate(design, [group], 1000, 0)))
    assert third.name == "SU 3" and {design.device(one).unit for one in design.members(third.id)} == {3}


def test_a_unit_is_copied_whatever_numbers_its_names_have(pen, design, unit):
    """A file may have names of more digits than Python reads as a number."""
    group, leaf, _ = unit
    named = design.device(leaf)
    pen.do(Edit("As in a file", (Change(named, replace(named, name="leaf-001 " + "9" * 5000)),)))
    edit = pen.do(operations.duplicate(design, [group], 500, 0))
    assert pen.added(Group, edit)[0].name == "SU 2"


def test_all_members_copied_one_by_one_make_a_group_of_their_own(pen, design, unit):
    group, leaf, servers = unit
    pen.do(operations.duplicate(design, [leaf, *servers], 500, 0))
    assert len(design.members(group)) == 3
    assert [one.name for one in design.groups.values()] == ["SU 1", "SU 2"]


def test_a_rack_that_stands_in_the_room_alone_does_not_keep_copies_in_the_group(pen, design, unit):
    group, leaf, servers = unit
    rack = pen.rack()
    for one in (leaf, *servers):
        pen.do(operations.mount(design, one, rack))
    here = design.racks[rack]
    pen.do(Edit("To the room", (Change(design.placements[rack], None), Change(here, replace(here, group_id=group)))))
    pen.do(operations.duplicate(design, [leaf, *servers], 500, 0))
    assert len(design.members(group)) == 4
    pen.do(operations.duplicate(design, [leaf, servers[0]], 500, 300))
    assert len(design.members(group)) == 6, "a part of a group is copied into it"


def test_a_part_of_a_unit_keeps_its_number_in_a_group_of_its_own(pen, design, unit):
    _, _, servers = unit
    part = pen.group([servers[0]], "half")
    pen.do(operations.duplicate(design, [part], 500, 0))
    assert {one.unit for one in design.devices.values()} == {1}


def test_units_pasted_into_an_empty_design_keep_their_numbers_and_count_on_after(pen, design, unit):
    fragment, other = operations.copy_fragment(design, [unit[0]]), Design()
    other.apply(operations.paste(other, fragment, 0, 0))
    assert {one.unit for one in other.devices.values()} == {1}
    other.apply(operations.paste(other, fragment, 500, 0))
    assert sorted({one.unit for one in other.devices.values()}) == [1, 2]


def test_a_copied_rack_stands_on_the_floor_beside_its_original(pen, design, unit):
    rack = pen.rack()
    here = design.racks[rack]
    pen.do(Edit("Place", (Change(here, replace(here, x_m=1.0, y_m=2.0, group_id=unit[0])),)))
    fragment = operations.copy_fragment(design, [unit[0]])
    pen.do(operations.paste(design, fragment, 500, 0))
    assert [(one.x_m, one.y_m) for one in design.racks.values()] == [(1.0, 2.0), (1.6, 2.0)]
    other = Design()
    other.apply(operations.paste(other, fragment, 0, 0))
    assert [(one.x_m, one.y_m) for one in other.racks.values()] == [(1.0, 2.0)]


@pytest.fixture
def draw_unit(pen):
    """Draws a unit in which the number of the unit stands in the names: p1-leaf-r1, p1-leaf-r2, p1-gpu-01, p1-sts-1."""

    def draw(number=1, prefix="", *more):
        before = f"{prefix}p{number}-"
        leafs = [pen.add("nvidia-qm9700", f"{before}leaf-r{rail}", 150 * rail, 0, role="leaf") for rail in (1, 2)]
        storage = pen.add("nvidia-qm9700", f"{before}sts-1", 500, 0, role="leaf")
        server = pen.add("dgx-h100", f"{before}gpu-01", 0, 100)
        rack = pen.rack(name=f"{before}rk01", y=300)
        for one in leafs:
            pen.join(server, one, 4)
        members = (*leafs, storage, server, *more)
        numbered(pen, members, number)
        return pen.group([*members, rack], f"SU {number}", "scalable unit")

    return draw


def names_of_copy(pen, *ids):
    edit = pen.do(operations.duplicate(pen.design, ids, 500, 500))
    return [[one.name for one in pen.added(kind, edit)] for kind in (Device, Rack, Group)]


P2 = [["p2-leaf-r1", "p2-leaf-r2", "p2-sts-1", "p2-gpu-01"], ["p2-rk01"], ["SU 2"]]


def test_the_number_of_a_copied_unit_counts_on_where_it_stands_in_names(pen, draw_unit):
    unit = draw_unit()
    assert names_of_copy(pen, unit) == P2
    assert names_of_copy(pen, unit)[0] == ["p3-leaf-r1", "p3-leaf-r2", "p3-sts-1", "p3-gpu-01"]


def test_digits_of_the_number_of_a_unit_stay_as_many(pen, design):
    leafs = [pen.add("nvidia-qm9700", f"leaf-su08-r{rail}", 150 * rail, 0, role="leaf") for rail in (1, 8)]
    numbered(pen, leafs, 8)
    unit = pen.group(leafs, "SU 8", "scalable unit")
    assert names_of_copy(pen, unit)[0] == ["leaf-su09-r1", "leaf-su09-r8"]
    assert names_of_copy(pen, unit)[0] == ["leaf-su10-r1", "leaf-su10-r8"]


def test_groups_in_a_unit_follow_it_and_one_around_several_units_is_counted_on(pen, draw_unit):
    units = [draw_unit(number) for number in (1, 2)]
    inner = pen.group([next(iter(pen.design.devices))], "p1-rail-1")
    assert pen.design.groups[inner].parent_id == units[0]
    outer = pen.group(units[1:], "p2-block")
    hall = pen.group([units[0], outer], "Hall 1")
    assert set(names_of_copy(pen, hall)[2]) == {"Hall 2", "SU 3", "SU 4", "p3-rail-1", "p4-block"}


def test_a_rack_in_no_group_follows_the_unit_of_what_it_holds_and_one_of_two_units_is_counted_on(pen, draw_unit):
    units = [draw_unit(number) for number in (1, 2)]
    of_name = {one.name: one.id for one in pen.design.devices.values()}
    shared, own = pen.rack(name="p1-shared", y=900), pen.rack(name="p1-own", y=1200)
    for name, rack in (("p1-leaf-r1", shared), ("p2-leaf-r1", shared), ("p1-leaf-r2", own)):
        pen.do(operations.mount(pen.design, of_name[name], rack))
    assert names_of_copy(pen, *units, shared, own)[1] == ["p3-rk01", "p4-rk01", "p1-shared-2", "p3-own"]


def test_what_has_no_unit_in_a_copied_one_follows_its_name_and_one_beside_it_does_not_matter(pen, draw_unit):
    """The rack holds a management switch that is in no unit, another stands beside the unit."""
    manager = pen.add("nvidia-sn2201", "p1-mgmt-1", 0, 600)
    pen.add("nvidia-sn2201", "p1-mgmt-2", 150, 600)
    unit = draw_unit()
    pen.do(operations.add_to_group(pen.design, [manager], unit))
    devices, *rest = names_of_copy(pen, unit)
    assert [sorted(devices), *rest] == [sorted(["p2-mgmt-1", *P2[0]]), *P2[1:]]
    assert [one.unit for one in pen.design.devices.values() if "mgmt" in one.name] == [None] * 3


def test_a_number_that_spines_share_is_not_that_of_the_unit(pen, draw_unit):
    pen.add("nvidia-qm9700", "dc1-spine-1", 0, -300, role="spine")
    unit = draw_unit(1, "dc1-")
    assert names_of_copy(pen, unit)[0] == [f"dc1-{name}" for name in P2[0]]


def test_a_number_that_other_units_share_is_not_that_of_the_unit(pen, design):
    for number in (1, 2):
        leafs = [pen.add("nvidia-qm9700", f"dc1-leaf-{number}{rail}", 150 * rail, 0, role="leaf") for rail in (1, 2)]
        numbered(pen, leafs, number)
        pen.group(leafs, f"SU {number}", "scalable unit")
    assert names_of_copy(pen, "g1")[0] == ["dc1-leaf-13", "dc1-leaf-14"]


def test_a_unit_without_its_number_in_names_is_counted_on(pen, design):
    """The 1 of leaf-r1 is a rail, as leaf-r2 says; that of dc1 is in the name of the spine too."""
    pen.add("nvidia-qm9700", "dc1-spine-1", 0, -300, role="spine")
    leafs = [pen.add("nvidia-qm9700", f"dc1-leaf-r{rail}", 150 * rail, 0, role="leaf") for rail in (1, 2)]
    numbered(pen, leafs, 1)
    unit = pen.group(leafs, "SU 1", "scalable unit")
    assert names_of_copy(pen, unit)[0] == ["dc1-leaf-r3", "dc1-leaf-r4"]


def test_a_part_of_a_unit_is_counted_on_in_its_unit(pen, draw_unit):
    unit = draw_unit()
    leafs = [one.id for one in pen.design.devices.values() if "leaf" in one.name]
    assert names_of_copy(pen, *leafs)[0] == ["p1-leaf-r3", "p1-leaf-r4"]
    assert {one.unit for one in pen.design.devices.values()} == {1} and unit in pen.design.groups


def test_names_of_the_copy_that_are_taken_are_counted_on(pen, draw_unit):
    unit = draw_unit()
    pen.add("dgx-h100", "p2-gpu-01", 900, 900)
    assert names_of_copy(pen, unit)[0] == [*P2[0][:3], "p2-gpu-02"]


def test_racks_that_were_counted_on_do_not_keep_devices_from_following(pen, draw_unit):
    unit = draw_unit()
    rack = next(iter(pen.design.racks.values()))
    other = pen.rack(name="p7-rk02", y=700)
    pen.do(operations.add_to_group(pen.design, [other], unit))
    assert names_of_copy(pen, unit)[:2] == [P2[0], ["p1-rk02", "p7-rk03"]] and rack.name == "p1-rk01"


def test_racks_are_named_like_the_devices_of_their_unit(pen, design):
    """The 1 of rk1 could be the unit's, were it not for the devices."""
    leafs = [pen.add("nvidia-qm9700", f"r{rail}-p1", 150 * rail, 0, role="leaf") for rail in (1, 2)]
    numbered(pen, leafs, 1)
    unit = pen.group([*leafs, pen.rack(name="rk1-p1", y=300)], "SU 1", "scalable unit")
    assert names_of_copy(pen, unit)[:2] == [["r1-p2", "r2-p2"], ["rk1-p2"]]


def test_a_group_with_the_number_of_its_unit_has_that_of_the_copy(pen, draw_unit):
    """A loose device has unit 2, so the copy is unit 3; the 1 of mgmt-1 counts switches, so it goes on with 2."""
    manager = pen.add("nvidia-sn2201", "mgmt-1", 0, 600)
    unit = draw_unit(1, "", manager)
    numbered(pen, [pen.add("dgx-h100", "spare", 900, 900)], 2)
    devices, *rest = names_of_copy(pen, unit)
    assert "mgmt-2" in devices and rest == [["p3-rk01"], ["SU 3"]]


def labelled(pen, **labels):
    """The labels given to links in design order, by their number."""
    links = list(pen.design.links.values())
    changes = [Change(links[int(at[1:])], replace(links[int(at[1:])], label=label)) for at, label in labels.items()]
    pen.do(Edit("Label", tuple(changes)))


def labels_of_copy(pen, *ids):
    links = pen.added(Link, pen.do(operations.duplicate(pen.design, ids, 500, 500)))
    return {f"_{number}": one.label for number, one in enumerate(links) if one.label}


def test_labels_of_copied_cables_are_counted_on_where_they_are_a_series_or_left_empty(pen, draw_unit):
    unit = draw_unit()
    labelled(pen, _0="UP-02", _1="UP-01", _2="Rail 8 spare", _3="to spine 1", _4="A", _5="A7", _6="sts-1 x")
    assert labels_of_copy(pen, unit) == {"_0": "UP-04", "_1": "UP-03"}
    assert labels_of_copy(pen, unit) == {"_0": "UP-06", "_1": "UP-05"}


def test_labels_with_the_number_of_the_unit_follow_it(pen, draw_unit):
    unit = draw_unit()
    labelled(pen, _0="p1-A-01", _1="p1-A-02", _2="p1-x")
    assert labels_of_copy(pen, unit) == {"_0": "p2-A-01", "_1": "p2-A-02", "_2": "p2-x"}
    labelled(pen, _7="p3-x")
    assert labels_of_copy(pen, unit) == {"_0": "p3-A-01", "_1": "p3-A-02"}, "no two cables have one label"


def test_labels_between_units_follow_neither(pen, draw_unit):
    units = [draw_unit(number) for number in (1, 2)]
    leafs = {one.name: one.id for one in pen.design.devices.values()}
    pen.join(leafs["p1-leaf-r1"], leafs["p2-leaf-r1"])
    labelled(pen, _16="p1-x")
    assert labels_of_copy(pen, *units) == {}


def test_links_that_run_in_one_cable_keep_one_label_in_the_copy(pen, draw_unit):
    unit = draw_unit()
    labelled(pen, _0="A-1", _1="A-1", _2="A-2")
    assert labels_of_copy(pen, unit) == {"_0": "A-3", "_1": "A-3", "_2": "A-4"}


def test_labels_stay_where_no_cable_has_them(pen, draw_unit):
    unit, other = draw_unit(), Design()
    labelled(pen, _0="UP-01", _1="Rail 8 spare")
    other.apply(operations.paste(other, operations.copy_fragment(pen.design, [unit]), 0, 0))
    assert [one.label for one in other.links.values() if one.label] == ["UP-01", "Rail 8 spare"]


def test_a_label_that_stays_is_not_given_to_another_cable(pen, draw_unit):
    unit = draw_unit()
    labelled(pen, _0="p1-x", _1="p2-x")
    fragment = operations.copy_fragment(pen.design, [unit])
    labelled(pen, _1="")
    new = pen.added(Link, pen.do(operations.paste(pen.design, fragment, 500, 500)))
    assert [one.label for one in new[:2]] == ["", "p2-x"]


def test_labels_of_links_that_are_copied_along_are_counted(pen, draw_unit):
    unit = draw_unit()
    labelled(pen, _0="UP-01", _1="Rail 8 spare")
    (leaf,) = [one.id for one in pen.design.devices.values() if one.name == "p1-leaf-r1"]
    assert (labels_within(pen.design, [unit]), labels_within(pen.design, [leaf])) == (2, 0)
