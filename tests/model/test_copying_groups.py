"""Groups copied as wholes: with their content, as groups of their own, counted on."""

from dataclasses import replace

import pytest

from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Group


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
