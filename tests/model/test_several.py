"""Several of one type at once: how they are asked for, named and added."""

import pytest

from designer.errors import DesignerError
from designer.model import operations
from designer.model.entities import Device
from designer.model.several import MOST_AT_ONCE, Wanted, first_label, labelled, names_from, request, role_of


@pytest.mark.parametrize(
    ("text", "wanted", "words"),
    [
        ("dgx h100", Wanted(), "dgx h100"),
        ("8x dgx h100", Wanted(8), "dgx h100"),
        ("2× qm9700 as spine-1", Wanted(2, "spine-1"), "qm9700"),
        ("qm9700 as leaf 07 ", Wanted(1, "leaf 07"), "qm9700"),
        ("12 dgx h100", Wanted(12), "dgx h100"),
        ("12 x dgx h100", Wanted(12), "dgx h100"),
        ("dgx h100 x 12", Wanted(12), "dgx h100"),
        ("dgx h100 ×12 as gpu-1", Wanted(12, "gpu-1"), "dgx h100"),
        ("2 qm9700 spine", Wanted(2, "spine"), "qm9700"),
        ("2x qm9700 Leaf as l-1", Wanted(2, "l-1"), "qm9700 Leaf"),
        ("2 spine", Wanted(2), "spine"),
        ("qm9700 spine", Wanted(), "qm9700 spine"),
        ("qm9700", Wanted(), "qm9700"),
        ("64 400G", Wanted(), "64 400G"),
        ("64 x 400G", Wanted(), "64 x 400G"),
        ("64 × 400G", Wanted(), "64 × 400G"),
        ("64x400G", Wanted(), "64x400G"),
        ("0x qm9700", Wanted(1), "qm9700"),
        ("999x qm9700", Wanted(MOST_AT_ONCE), "qm9700"),
        ("as", Wanted(), "as"),
        ("", Wanted(), ""),
    ],
)
def test_a_request_says_how_many_of_what_under_which_names(text, wanted, words):
    assert request(text) == (wanted, words)


@pytest.mark.parametrize(
    ("first", "count", "names"),
    [
        ("leaf-1", 3, ["leaf-1", "leaf-3", "leaf-4"]),
        ("spine", 2, ["spine-01", "spine-02"]),
        ("spine", 1, ["spine"]),
        ("leaf-2", 1, ["leaf-3"]),
    ],
)
def test_names_go_on_from_the_first_and_pass_over_those_taken(first, count, names):
    assert names_from(first, count, ["leaf-2"]) == names


@pytest.mark.parametrize(
    ("taken", "names"),
    [
        (["leaf-01", "leaf-04", "spine-09"], ["leaf-05", "leaf-06"]),
        (["leaf_9"], ["leaf_10", "leaf_11"]),
        (["leaf7"], ["leaf8", "leaf9"]),
        (["leaf-a1", "my-leaf-3"], ["leaf-01", "leaf-02"]),
    ],
)
def test_a_word_that_is_counted_already_goes_on_as_it_is(taken, names):
    assert names_from("leaf", 2, taken) == names
    assert names_from("leaf", 1, taken) == (names[:1] if names[0] != "leaf-01" else ["leaf"])


def test_links_are_labelled_alone_or_counted_on_and_pass_over_labels_of_others(pen):
    a, b = pen.add("nvidia-qm9700"), pen.add("nvidia-qm9700")
    pen.do(operations.connect_devices(pen.design, a, b, 3))
    ids = list(pen.design.links)
    pen.do(labelled(pen.design, ids[:1], " up-02 "))
    assert first_label(pen.design, ids[:1]) == "up-02" and first_label(pen.design, ids) == ""
    pen.do(labelled(pen.design, ids[1:], "up-01"))
    assert [pen.design.links[one].label for one in ids] == ["up-02", "up-01", "up-03"]
    assert first_label(pen.design, ids[1:]) == "up-01"
    assert not labelled(pen.design, ids[1:], "up-01")
    pen.do(labelled(pen.design, ids, " "))
    assert [pen.design.links[one].label for one in ids] == [""] * 3 and first_label(pen.design, ids) == ""
    with pytest.raises(DesignerError, match="a label"):
        labelled(pen.design, ids, "a\nb")


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("leaf-01", "leaf"),
        ("Spine", "spine"),
        ("core_3", "core"),
        ("gpu-1", ""),
        ("ib-spine", "spine"),
        ("dc1-leaf-03", "leaf"),
        ("leaf-su1-r3", "leaf"),
        ("spine-leaf2", "leaf"),
        ("cores-1", ""),
        ("overleaf", ""),
    ],
)
def test_a_name_with_a_word_of_the_field_gives_the_role(name, role):
    assert role_of(name) == role


def test_devices_are_added_in_one_edit_with_what_they_are_delivered_with(pen, catalog):
    edit = operations.add_devices(
        pen.design, catalog.get("dgx-h100"), [(0, 0), (120, 0), (240, 0)], catalog_types=catalog.types, name="gpu-1"
    )
    pen.do(edit)
    devices = list(pen.design.devices.values())
    assert [(one.name, one.role) for one in devices] == [("gpu-1", ""), ("gpu-2", ""), ("gpu-3", "")]
    assert [pen.design.placements[one.id].x for one in devices] == [0, 120, 240]
    assert edit.label == "Add gpu-1 to gpu-3"
    alone = pen.add("dgx-h100")
    assert all(len(pen.design.ports(one.id)) == len(pen.design.ports(alone)) for one in devices)


def test_switches_named_as_leafs_are_leafs_and_servers_are_not(pen, catalog):
    for type_id in ("nvidia-qm9700", "dgx-h100"):
        type_ = catalog.get(type_id)
        pen.do(operations.add_devices(pen.design, type_, [(0, 0)], catalog_types=catalog.types, name="leaf-1"))
    assert [(one.name, one.role) for one in pen.design.devices.values()] == [("leaf-1", "leaf"), ("leaf-2", "")]


def test_none_too_many_and_a_name_of_control_characters_are_refused(pen, catalog):
    type_ = catalog.get("nvidia-qm9700")
    for spots, name in (([], ""), ([(0, 0)] * (MOST_AT_ONCE + 1), ""), ([(0, 0)], "a\nb"), ([(1e12, 0)], "")):
        with pytest.raises(DesignerError):
            operations.add_devices(pen.design, type_, spots, catalog_types=catalog.types, name=name)
    assert not pen.design.devices


def test_several_nics_go_into_the_next_free_slots_or_none_does(pen, catalog):
    server = pen.add("generic-host")
    pen.do(operations.remove_modules(pen.design, [one.id for one in pen.design.modules_of(server)]))
    n_slots = len(pen.design.device_type(server).slots)
    nic = catalog.get("generic-nic")
    with pytest.raises(DesignerError, match="no free slot"):
        operations.install_modules(pen.design, server, nic, n_slots + 1)
    pen.do(operations.install_modules(pen.design, server, nic, n_slots))
    assert len(pen.design.modules_of(server)) == n_slots
    assert isinstance(pen.design.device(server), Device)
