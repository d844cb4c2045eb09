"""Deleting: nothing is left hanging, and undo brings all of it back."""

import pytest

from designer.errors import EditError, UnknownEntityError
from designer.model import operations
from designer.model.edit import Edit, added
from designer.model.entities import Group


@pytest.fixture
def fabric(pen):
    """Two leafs and a server: four links between the leafs, the server's eight on the first."""
    leaf, other, server = pen.add("nvidia-qm9700"), pen.add("nvidia-qm9700"), pen.add("dgx-h100")
    pen.join(leaf, other, 4)
    pen.join(server, leaf, 8)
    return leaf, other, server


def test_deleting_a_leaf_removes_its_links_and_undo_restores_them(pen, design, fabric):
    leaf, _, server = fabric
    edit = pen.do(operations.delete(design, [leaf]))
    assert leaf not in design.devices
    assert leaf not in design.placements
    assert not design.links
    assert len(design.modules_of(server)) == 8
    design.apply(edit.inverted())
    assert len(design.links_of(leaf)) == 12


def test_deleting_a_server_removes_its_nics(pen, design, fabric):
    leaf, _, server = fabric
    pen.do(operations.delete(design, [server]))
    assert not design.modules
    assert len(design.links_of(leaf)) == 4


def test_devices_links_and_modules_named_together_go_once(pen, design, fabric):
    leaf, other, server = fabric
    everything = [*design.links, leaf, *design.modules, server, leaf, other]
    pen.do(operations.delete(design, everything))
    assert not design.devices
    assert not design.links
    assert not design.modules
    assert not design.placements


def test_a_deleted_link_frees_its_ports(pen, design, fabric):
    _, other, _ = fabric
    link = design.links_of(other)[0]
    pen.do(operations.delete(design, [link.id]))
    assert design.links_at(link.a) == ()
    assert len(design.links_of(other)) == 3


def test_a_deleted_rack_leaves_its_devices_standing_outside(pen, design, fabric):
    leaf, _, server = fabric
    rack = pen.rack()
    for device in (leaf, server):
        pen.do(operations.mount(design, device, rack))
    stood = design.placements[leaf]
    pen.do(operations.delete(design, [rack]))
    assert not design.racks
    assert design.placements[leaf].rack_id is None
    assert design.placements[leaf].unit is None
    assert (design.placements[leaf].x, design.placements[leaf].y) == (stood.x, stood.y)


def test_a_rack_and_what_stands_in_it_can_go_together(pen, design, fabric):
    rack = pen.rack()
    pen.do(operations.mount(design, fabric[0], rack))
    pen.do(operations.delete(design, [rack, fabric[0]]))
    assert not design.racks
    assert fabric[0] not in design.devices


def test_a_deleted_group_leaves_its_members_in_the_group_around_it(pen, design, fabric):
    outer = pen.group(fabric, "outer")
    inner = pen.group(fabric[:2], "inner")
    pen.do(operations.delete(design, [inner]))
    assert design.members(outer) == list(fabric)


def test_nested_groups_deleted_together_leave_their_members_free(pen, design, fabric):
    outer = pen.group(fabric, "outer")
    inner = pen.group(fabric[:2], "inner")
    pen.do(operations.delete(design, [outer, inner]))
    assert not design.groups
    assert all(design.device(one).group_id is None for one in fabric)


def test_a_group_whose_last_member_is_deleted_goes_too_and_so_does_the_one_around_it(pen, design, fabric):
    pen.group(fabric[:1], "outer")
    pen.group(fabric[:1], "inner")
    kept = pen.group(fabric[1:], "kept")
    pen.do(operations.delete(design, [fabric[0]]))
    assert list(design.groups) == [kept]


def test_a_group_around_a_deleted_one_keeps_the_members_it_inherits(pen, design, fabric):
    inner = pen.group(fabric[:2], "inner")
    outer = pen.group([inner], "outer")
    pen.do(operations.delete(design, [inner, fabric[0]]))
    assert design.members(outer) == [fabric[1]]
    pen.do(operations.delete(design, [fabric[1]]))
    assert not design.groups


def test_a_group_goes_when_all_that_a_deleted_group_inside_it_held_goes_too(pen, design, fabric):
    deepest = pen.group(fabric[:1], "deepest")
    inner = pen.group([deepest], "inner")
    middle = pen.group([inner], "middle")
    pen.group([middle], "outer")
    pen.do(operations.delete(design, [inner, middle, fabric[0]]))
    assert not design.groups


def test_a_group_that_was_empty_before_is_left_alone(pen, design, fabric):
    pen.do(Edit("Empty group", added([Group("g9", "later")])))
    pen.do(operations.delete(design, [fabric[0]]))
    assert list(design.groups) == ["g9"]


def test_unknown_ids_and_types_are_refused(design, fabric):
    with pytest.raises(UnknownEntityError, match="nothing in the design has the id 'd99'"):
        operations.delete(design, [fabric[0], "d99"])
    with pytest.raises(EditError, match="cannot be deleted"):
        operations.delete(design, ["nvidia-qm9700"])
    with pytest.raises(EditError, match="cannot be deleted"):
        operations.delete(design, ["settings"])


def test_deleting_nothing_is_no_edit(design):
    assert not operations.delete(design, [])


def test_the_label_says_what_goes(pen, design, fabric):
    assert operations.delete(design, [fabric[0]]).label == f"Delete {design.device(fabric[0]).name}"
    assert operations.delete(design, fabric[:2]).label == "Delete 2 devices"
    assert operations.delete(design, list(design.links)).label == "Delete 12 links"
    assert operations.delete(design, [fabric[0], next(iter(design.links))]).label == "Delete 2 things"
