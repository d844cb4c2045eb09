"""Moving, aligning, distributing, grouping."""

import pytest

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.model import operations
from designer.model.entities import Group


def places(design, ids):
    return [(design.placements[one].x, design.placements[one].y) for one in ids]


@pytest.fixture
def row(pen):
    return [pen.add("nvidia-qm9700", x=x, y=y) for x, y in [(0, 0), (100, 10), (400, 50), (410, 90)]]


def test_moved_devices_stand_where_they_were_put(pen, design, row):
    pen.do(operations.move(design, {row[0]: (7, 8), row[3]: (-9.5, 1e6)}))
    assert places(design, (row[0], row[3])) == [(7.0, 8.0), (-9.5, 1e6)]


def test_moving_to_where_a_thing_stands_is_no_edit(design, row):
    assert not operations.move(design, {row[1]: (100, 10)})


def test_a_rack_takes_along_what_is_mounted_in_it_unless_that_is_moved_itself(pen, design, row):
    rack = pen.rack(x=50, y=50)
    for device in row[:2]:
        pen.do(operations.mount(design, device, rack))
    pen.do(operations.move(design, {rack: (60, 30), row[1]: (1, 2)}))
    assert places(design, (rack, row[0], row[1], row[2])) == [(60, 30), (10, -20), (1, 2), (400, 50)]


def test_what_has_no_place_cannot_be_moved(pen, design, row):
    pod = pen.group(row, "pod")
    for one in (pod, "d99"):
        with pytest.raises(UnknownEntityError, match="neither a device nor a rack"):
            operations.move(design, {one: (0, 0)})


@pytest.mark.parametrize(
    ("edge", "expected"),
    [
        ("left", [(0, 0), (0, 10), (0, 50), (0, 90)]),
        ("right", [(410, 0), (410, 10), (410, 50), (410, 90)]),
        ("centre-x", [(205, 0), (205, 10), (205, 50), (205, 90)]),
        ("top", [(0, 0), (100, 0), (400, 0), (410, 0)]),
        ("bottom", [(0, 90), (100, 90), (400, 90), (410, 90)]),
        ("centre-y", [(0, 45), (100, 45), (400, 45), (410, 45)]),
    ],
)
def test_aligned_things_share_an_edge(pen, design, row, edge, expected):
    pen.do(operations.align(design, row, edge))
    assert places(design, row) == expected


def test_boxes_of_different_width_align_by_their_edges(pen, design, row):
    sizes = {row[0]: (120.0, 44.0), row[1]: (96.0, 44.0)}
    pen.do(operations.align(design, row[:2], "left", sizes))
    left = [design.placements[one].x - sizes[one][0] / 2 for one in row[:2]]
    assert left == [-60, -60]


def test_distributed_things_have_equal_gaps_and_the_outer_ones_stay(pen, design, row):
    pen.do(operations.distribute(design, [row[2], row[0], row[1]], "x"))
    assert places(design, row) == [(0, 0), (200, 10), (400, 50), (410, 90)]
    sizes = {row[0]: (100.0, 44.0), row[1]: (20.0, 44.0), row[2]: (40.0, 44.0)}
    pen.do(operations.distribute(design, row[:3], "x", sizes))
    assert design.placements[row[1]].x - 10 - 50 == 380 - (design.placements[row[1]].x + 10)


@pytest.mark.parametrize(
    ("verb", "ids", "how", "sentence"),
    [
        ("align", 1, "left", "at least two"),
        ("align", 3, "middle", "'middle' is not an edge"),
        ("distribute", 2, "x", "at least three"),
        ("distribute", 3, "z", "'z' is not an axis"),
    ],
)
def test_too_little_to_arrange_or_a_wrong_word_is_refused(design, row, verb, ids, how, sentence):
    with pytest.raises(ParameterError, match=sentence):
        getattr(operations, verb)(design, row[:ids], how)


def test_grouped_devices_are_members_and_ungrouping_frees_them(pen, design, row):
    pod = pen.group(row[:2], "pod 1", "pod")
    assert design.groups[pod] == Group(pod, "pod 1", "pod")
    assert design.members(pod) == row[:2]
    pen.do(operations.ungroup(design, pod))
    assert not design.groups
    assert all(design.device(one).group_id is None for one in row)


def test_a_group_made_inside_a_group_stays_inside_and_ungroups_into_it(pen, design, row):
    pod = pen.group(row, "pod")
    inner = pen.group(row[:2], "half")
    assert design.groups[inner].parent_id == pod
    assert design.members(pod) == [*row[2:], inner]
    pen.do(operations.ungroup(design, inner))
    assert design.members(pod) == row


def test_groups_can_be_grouped(pen, design, row):
    left, right = pen.group(row[:2], "left"), pen.group(row[2:], "right")
    both = pen.group([left, right], "both")
    assert design.members(both) == [left, right]


def test_a_group_that_loses_all_its_members_to_another_goes(pen, design, row):
    old = pen.group(row[:2], "old")
    new = pen.group(row[:3], "new")
    assert list(design.groups) == [new]
    assert old not in design.groups


def test_grouping_all_members_of_a_group_nests(pen, design, row):
    outer = pen.group(row, "outer")
    inner = pen.group(row, "inner")
    assert design.members(outer) == [inner]


def test_nothing_to_group_and_unknown_groups_are_refused(pen, design, row):
    with pytest.raises(ParameterError, match="select what to group first"):
        operations.group(design, [], "pod")
    with pytest.raises(UnknownEntityError, match="'l7' is not a device, rack or group"):
        operations.group(design, [row[0], "l7"], "pod")
    with pytest.raises(UnknownEntityError, match="there is no group with id 'g7'"):
        operations.ungroup(design, "g7")
    with pytest.raises(EditError, match="a name cannot be empty"):
        operations.group(design, row, "  ")
