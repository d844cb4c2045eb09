"""What collapses to one box, and what that changes in a design: nothing but the picture."""

import pytest

from designer.errors import ParameterError
from designer.model import collapsing, operations
from designer.model.collapsing import BoxKey
from designer.model.design import Design
from designer.storage import document
from designer.topologies.families import FAMILIES


@pytest.fixture(scope="module")
def built(catalog):
    row = next(one for one in FAMILIES if one.name == "k-ary-fat-tree")
    design = Design()
    design.apply(row.build(design, row.parameters(k=4), catalog))
    return design


@pytest.fixture
def tree(built):
    return built.snapshot()


def pods(design):
    return [one for one in design.groups.values() if one.kind == "pod"]


def test_a_device_collapses_with_the_group_it_is_in_and_an_undo_opens_it(tree):
    pod = pods(tree)[0]
    member = tree.members(pod.id)[0]
    before = document.encode(tree)
    edit = collapsing.collapse(tree, [member])
    tree.apply(edit)
    assert tree.groups[pod.id].is_collapsed
    assert edit.label == f"Collapse {pod.name}"
    assert collapsing.box_of(tree, member) == BoxKey(pod.id)
    tree.apply(edit.inverted())
    assert document.encode(tree) == before


def test_what_is_collapsed_is_in_the_file_and_what_is_not_leaves_no_trace(tree):
    assert b"collapsed" not in document.encode(tree)
    tree.apply(collapsing.collapse_all(tree))
    again = document.decode(document.encode(tree))
    assert collapsing.collapsed_keys(again) == collapsing.collapsed_keys(tree)


def test_all_of_a_kind_are_all_pods_and_of_a_device_in_none_its_role(tree):
    tree.apply(collapsing.collapse_kind(tree, [pods(tree)[0].id]))
    assert all(one.is_collapsed for one in pods(tree))
    cores = [one.id for one in tree.devices.values() if one.role == "core"]
    assert collapsing.box_of(tree, cores[0]) is None
    tree.apply(collapsing.collapse_kind(tree, cores[:1]))
    assert {collapsing.box_of(tree, one) for one in cores} == {collapsing.role_key(tree, cores[0])}


def test_a_role_collapses_within_its_group_alone(tree):
    one, other = pods(tree)[:2]
    leaf = next(d for d in tree.members(one.id) if tree.devices[d].role == "leaf")
    tree.apply(collapsing.collapse_role(tree, [leaf]))
    assert collapsing.box_of(tree, leaf) == BoxKey(one.id, "leaf")
    assert all(collapsing.box_of(tree, d) is None for d in tree.members(other.id))
    tree.apply(collapsing.expand(tree, [leaf]))
    assert not collapsing.collapsed_keys(tree)


def test_everything_at_a_glance_leaves_no_device_drawn_and_expand_all_brings_all_back(tree):
    tree.apply(collapsing.collapse_all(tree))
    assert all(collapsing.box_of(tree, one) is not None for one in tree.devices)
    tree.apply(collapsing.expand_all(tree))
    assert not any(collapsing.box_of(tree, one) for one in tree.devices)


def test_the_outermost_box_opens_first(tree):
    pod = pods(tree)[0]
    leaf = next(d for d in tree.members(pod.id) if tree.devices[d].role == "leaf")
    tree.apply(collapsing.collapse_role(tree, [leaf]))
    tree.apply(collapsing.collapse(tree, [pod.id]))
    tree.apply(collapsing.expand(tree, [leaf]))
    assert not tree.groups[pod.id].is_collapsed
    assert collapsing.box_of(tree, leaf) == BoxKey(pod.id, "leaf")


def test_devices_drawn_by_hand_outside_all_groups_collapse_by_role(catalog):
    design = Design()
    for number in range(3):
        design.apply(
            operations.add_device(design, catalog.types["nvidia-qm9700"], 200 * number, 0, catalog_types=catalog.types)
        )
    one = next(iter(design.devices))
    design.apply(collapsing.collapse(design, [one]))
    assert design.settings.collapsed_roles == ("switch",)
    assert {collapsing.box_of(design, d) for d in design.devices} == {BoxKey("", "switch")}


def test_a_rack_collapses_where_it_stands_on_the_canvas(catalog):
    design = Design()
    design.apply(operations.add_rack(design, catalog.types["rack-42u"], 0, 0))
    design.apply(operations.add_device(design, catalog.types["nvidia-qm9700"], 0, 0, catalog_types=catalog.types))
    rack, device = next(iter(design.racks)), next(iter(design.devices))
    design.apply(operations.mount(design, device, rack))
    design.apply(collapsing.collapse(design, [device]))
    assert design.racks[rack].is_collapsed


def test_nothing_to_collapse_or_expand_is_a_sentence(tree):
    with pytest.raises(ParameterError, match="nothing here is collapsed"):
        collapsing.expand_all(tree)
    with pytest.raises(ParameterError, match="select a group, a rack"):
        collapsing.collapse(tree, [])
    tree.apply(collapsing.collapse_all(tree))
    with pytest.raises(ParameterError, match="nothing here to collapse"):
        collapsing.collapse_all(tree)


def test_a_single_device_of_its_role_is_no_box(catalog):
    design = Design()
    design.apply(operations.add_device(design, catalog.types["nvidia-qm9700"], 0, 0, catalog_types=catalog.types))
    with pytest.raises(ParameterError):
        collapsing.collapse(design, list(design.devices))
