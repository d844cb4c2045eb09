"""What comes into a group that is there, and what kind of group it is."""

from dataclasses import replace

import pytest

from designer.errors import ParameterError, UnknownEntityError
from designer.model import operations
from designer.model.edit import Change, Edit


@pytest.fixture
def three(pen):
    return [pen.add("dgx-h100", f"gpu-{number:02d}") for number in (1, 2, 3)]


def test_devices_racks_and_groups_come_into_a_group(pen, design, three):
    first, second, third = three
    unit, pod, rack = pen.group([first], "SU 1"), pen.group([second], "pod"), pen.rack()
    edit = pen.do(operations.add_to_group(design, [unit, pod, third, rack], pod))
    assert edit.label == "Add 3 things to pod"
    assert sorted(design.members(pod)) == sorted([unit, second, third, rack])
    assert operations.add_to_group(design, [first], pod).label == "Add gpu-01 to pod"


def test_a_group_that_is_left_empty_goes(pen, design, three):
    unit, other = pen.group(three[:1], "SU 1"), pen.group(three[1:], "SU 2")
    pen.do(operations.add_to_group(design, [*design.members(unit)], other))
    assert list(design.groups) == [other]


def test_a_group_does_not_come_into_itself_and_nothing_comes_into_none(pen, design, three):
    inner = pen.group(three[:1], "SU 1")
    outer = pen.group([inner, three[1]], "pod")
    with pytest.raises(ParameterError, match="SU 1 lies in pod: ungroup pod"):
        operations.add_to_group(design, [outer], inner)
    for ids in ([], [outer], [three[1]]):
        with pytest.raises(ParameterError, match="select what to add to pod"):
            operations.add_to_group(design, ids, outer)
    with pytest.raises(UnknownEntityError):
        operations.add_to_group(design, three, "g99")


@pytest.mark.parametrize(("name", "number"), [("SU 7", 7), ("first", 1), ("SU 0", 1)])
def test_a_scalable_unit_numbers_its_devices_by_its_name(pen, design, three, name, number):
    group = pen.group(three, name)
    pen.do(operations.set_group_kind(design, group, "scalable unit"))
    assert design.groups[group].kind == "scalable unit"
    assert {design.device(one).unit for one in three} == {number}
    other = pen.add("dgx-h100", "gpu-09")
    second = pen.group([other], name)
    pen.do(operations.set_group_kind(design, second, "pod"))
    assert design.device(other).unit == number + 1, "a number that others have is passed over"


def test_numbers_that_devices_have_stay_and_other_kinds_number_nothing(pen, design, three):
    group, device = pen.group(three, "SU 7"), design.device(three[0])
    pen.do(operations.set_group_kind(design, group, "plane"))
    assert {design.device(one).unit for one in three} == {None}
    pen.do(Edit("Number", (Change(device, replace(device, unit=3)),)))
    pen.do(operations.set_group_kind(design, group, "pod"))
    assert [design.device(one).unit for one in three] == [3, None, None]
    assert not operations.set_group_kind(design, group, "pod").changes
    with pytest.raises(ParameterError, match="no group of kind 'heap': choose group, scalable unit, pod"):
        operations.set_group_kind(design, group, "heap")
