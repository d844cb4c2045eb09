"""Copy, paste, duplicate."""

from dataclasses import replace

import pytest

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.model import operations
from designer.model.design import Design, from_entities
from designer.model.edit import Change, Edit
from designer.storage import document


@pytest.fixture
def fabric(pen):
    """A leaf, a spine and a server, joined leaf-spine twice and server-leaf eight times."""
    leaf = pen.add("nvidia-qm9700", "leaf-01", 0, 100, role="leaf")
    spine = pen.add("nvidia-qm9700", "spine-01", 0, 0, role="spine")
    server = pen.add("dgx-h100", "gpu-001", 0, 200)
    pen.join(leaf, spine, 2)
    pen.join(server, leaf, 8)
    return leaf, spine, server


def by_name(design, name):
    return design.find(name)


def test_duplicates_get_the_next_names_and_stand_beside_the_originals(pen, design, fabric):
    pen.do(operations.duplicate(design, fabric, 500, 40))
    names = [device.name for device in design.devices.values()]
    assert names == ["leaf-01", "spine-01", "gpu-001", "leaf-02", "spine-02", "gpu-002"]
    copy = design.placements[by_name(design, "leaf-02").id]
    assert (copy.x, copy.y) == (500, 140)


def test_duplicates_of_many_are_named_in_the_order_of_their_originals(pen, design):
    servers = [pen.add("dgx-h100", f"gpu-{number:02d}", 200 * number, 0) for number in range(1, 13)]
    pen.do(operations.duplicate(design, sorted(servers), 0, 400))
    copies = [design.placements[design.find(f"gpu-{number:02d}").id].x for number in range(13, 25)]
    assert copies == [200 * number for number in range(1, 13)]


def test_links_among_duplicates_are_copied_port_for_port_and_others_are_not(pen, design, fabric):
    pen.do(operations.duplicate(design, fabric[:2], 0, 0))
    leaf, spine = by_name(design, "leaf-02").id, by_name(design, "spine-02").id
    copied = [(link.a.device_id, link.a.port, link.b.device_id, link.b.port) for link in design.links_of(leaf)]
    assert copied == [(leaf, "1/1", spine, "1/1"), (leaf, "1/2", spine, "1/2")]
    assert len(design.links_of(fabric[0])) == 10


def test_a_duplicated_server_has_the_same_nics(pen, design, fabric):
    pen.do(operations.duplicate(design, [fabric[2]], 0, 0))
    copy = by_name(design, "gpu-002").id
    assert [(m.slot, m.type_id) for m in design.modules_of(copy)] == [
        (m.slot, m.type_id) for m in design.modules_of(fabric[2])
    ]


def test_names_pass_over_those_that_are_taken(pen, design, fabric):
    pen.add("nvidia-qm9700", "leaf-02")
    pen.do(operations.duplicate(design, [fabric[0]], 0, 0))
    pen.do(operations.duplicate(design, [fabric[0]], 0, 0))
    assert [d.name for d in design.devices.values()][-2:] == ["leaf-03", "leaf-04"]


@pytest.mark.parametrize(
    ("name", "copy"),
    [("core", "core-2"), ("leaf-99", "leaf-100"), ("su1-leaf-r8", "su1-leaf-r9"), ("pod 009", "pod 010")],
)
def test_names_of_all_kinds_count_up(pen, design, name, copy):
    one = pen.add("nvidia-qm9700", name)
    pen.do(operations.duplicate(design, [one], 0, 0))
    assert list(design.devices.values())[-1].name == copy


def test_a_duplicate_stays_in_the_group_of_its_original(pen, design, fabric):
    pod = pen.group(fabric, "pod")
    pen.do(operations.duplicate(design, [fabric[0]], 0, 0))
    assert len(design.members(pod)) == 4


def test_a_duplicated_group_is_a_group_of_the_duplicates(pen, design, fabric):
    outer = pen.group(fabric, "outer")
    pod = pen.group(fabric[:2], "pod-1", "pod")
    pen.do(operations.duplicate(design, [pod], 0, 500))
    new = next(group for group in design.groups.values() if group.name == "pod-2")
    assert (new.kind, new.parent_id) == ("pod", outer)
    assert [design.device(one).name for one in design.members(new.id)] == ["leaf-02", "spine-02"]


def test_duplicating_every_member_duplicates_the_group(pen, design, fabric):
    pen.group(fabric, "pod-1")
    pen.do(operations.duplicate(design, fabric, 0, 500))
    assert [group.name for group in design.groups.values()] == ["pod-1", "pod-2"]
    assert [len(design.members(group)) for group in design.groups] == [3, 3]


def test_a_duplicated_rack_comes_with_what_stands_in_it(pen, design, fabric):
    rack = pen.rack(name="rack-01")
    for device in fabric:
        pen.do(operations.mount(design, device, rack))
    pen.do(operations.duplicate(design, [rack], 800, 0))
    copy = next(one for one in design.racks.values() if one.name == "rack-02")
    assert [design.device(one).name for one in design.mounted(copy.id)] == ["leaf-02", "spine-02", "gpu-002"]
    assert [design.placements[one].unit for one in design.mounted(copy.id)] == [1, 2, 3]
    assert len(design.links) == 20


def test_a_device_copied_out_of_its_rack_is_not_mounted(pen, design, fabric):
    rack = pen.rack()
    pen.do(operations.mount(design, fabric[0], rack))
    pen.do(operations.duplicate(design, [fabric[0]], 0, 0))
    assert design.placements[by_name(design, "leaf-02").id].rack_id is None


def test_a_fragment_pasted_into_another_design_brings_its_types(pen, design, fabric):
    pen.group(fabric, "pod")
    fragment = operations.copy_fragment(design, fabric)
    other = Design()
    edit = operations.paste(other, fragment, 10, 10)
    other.apply(edit)
    assert set(other.types) == {"nvidia-qm9700", "dgx-h100", "connectx-7-ndr"}
    assert [device.name for device in other.devices.values()] == ["leaf-01", "spine-01", "gpu-001"]
    assert len(other.links) == 10
    assert [group.name for group in other.groups.values()] == ["pod"]
    other.apply(edit.inverted())
    assert document.encode(other) == document.encode(Design())


def test_a_type_with_other_facts_comes_in_beside_the_one_that_is_there(pen, design, fabric, catalog):
    fragment = operations.copy_fragment(design, fabric)
    slow = replace(catalog.get("connectx-7-ndr"), rate_gbps=200.0)
    other = from_entities([slow])
    other.apply(operations.paste(other, fragment, 0, 0))
    other.apply(operations.paste(other, fragment, 0, 0))
    assert set(other.types) == {
        "connectx-7-ndr",
        "connectx-7-ndr-2",
        "nvidia-qm9700",
        "dgx-h100",
    }
    server = other.find("gpu-001").id
    assert {port.rate_gbps for port in other.ports(server)} == {400}
    assert {slot.nic_type_id for slot in other.types["dgx-h100"].slots} == {"connectx-7-ndr-2", ""}


def test_a_fragment_survives_its_original(pen, design, fabric):
    fragment = operations.copy_fragment(design, fabric)
    pen.do(operations.delete(design, fabric))
    pen.do(operations.paste(design, fragment, 0, 0))
    assert len(design.links) == 10


def test_cables_are_copied_with_their_links(pen, design, fabric, catalog):
    pen.do(operations.set_cable(design, list(design.links), catalog.get("dac-ndr-twin"), 2.0))
    other = Design()
    other.apply(operations.paste(other, operations.copy_fragment(design, fabric), 0, 0))
    assert {(link.medium_id, link.length_m) for link in other.links.values()} == {("dac-ndr-twin", 2.0)}


def test_nothing_to_copy_and_unknown_ids_are_refused(design, fabric):
    with pytest.raises(ParameterError, match="select devices, racks, groups, annotations or fixtures to copy"):
        operations.copy_fragment(design, list(design.links))
    with pytest.raises(UnknownEntityError, match="nothing in the design has the id 'd99'"):
        operations.duplicate(design, ["d99"], 0, 0)


def test_a_paste_that_would_land_off_the_canvas_is_refused(design, fabric):
    with pytest.raises(EditError, match="a place on the canvas"):
        operations.duplicate(design, fabric, float("nan"), 0)


def test_a_thousand_copies_of_one_name_all_differ(pen, design):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    device = design.device(leaf)
    same = tuple(Change(None, replace(device, id=new_id)) for new_id in design.new_ids("devices", 999))
    design.apply(Edit("Same name", same))
    design.apply(operations.duplicate(design, list(design.devices), 0, 0))
    copies = [device.name for device in list(design.devices.values())[1000:]]
    assert len(set(copies)) == 1000
    assert copies[0] == "leaf-02"
    assert copies[-1] == "leaf-1001"
