"""Bringing hardware in: devices with their types and NICs, slots, modes, racks."""

import math
from dataclasses import replace

import pytest

from designer.errors import EditError, NoFreePortError, SlotError, UnknownEntityError
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Module, Placement
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import PortMode
from designer.model.hardware.servers import ServerType
from designer.model.matching import port_compatibility


def ports_used(design, device_id):
    return sorted(design.used_ports(device_id))


def test_a_server_comes_with_its_type_its_nics_and_their_type(pen, design, catalog):
    server = pen.add("dgx-h100", "gpu-001", 10, 20)
    assert set(design.types) == {"dgx-h100", "connectx-7-ndr"}
    assert [(m.slot, m.type_id) for m in design.modules_of(server)] == [
        (f"rail{number}", "connectx-7-ndr") for number in range(1, 9)
    ]
    assert design.placements[server] == Placement(server, 10.0, 20.0)


def test_a_second_server_brings_no_type_again(pen, design, catalog):
    pen.add("dgx-h100")
    edit = operations.add_device(design, catalog.get("dgx-h100"), 0, 0, catalog_types=catalog.types)
    assert {type(change.after) for change in edit.changes} == {Device, Module, Placement}


def test_devices_without_a_name_are_counted_up_by_role_or_kind(pen, design):
    for role in ("leaf", "leaf", ""):
        pen.add("nvidia-qm9700", role=role)
    pen.add("dgx-h100")
    assert [device.name for device in design.devices.values()] == ["leaf-01", "leaf-02", "switch-01", "server-01"]


def test_the_design_keeps_its_own_facts_of_a_type(pen, design, catalog):
    pen.add("nvidia-qm9700")
    known = design.types["nvidia-qm9700"]
    pen.do(Edit("Edit type", (Change(known, replace(known, latency_ns=99.0)),)))
    pen.add("nvidia-qm9700")
    assert design.types["nvidia-qm9700"].latency_ns == 99.0


def test_a_server_whose_nic_the_catalog_lacks_is_refused(design, catalog):
    with pytest.raises(UnknownEntityError, match="DGX H100 is delivered with 'connectx-7-ndr', which is not in"):
        operations.add_device(design, catalog.get("dgx-h100"), 0, 0, catalog_types={})


@pytest.mark.parametrize("place", [math.nan, math.inf, -1e12])
def test_nothing_is_placed_where_no_canvas_is(pen, design, catalog, place):
    with pytest.raises(EditError, match="a place on the canvas"):
        operations.add_device(design, catalog.get("nvidia-qm9700"), place, 0, catalog_types=catalog.types)
    leaf = pen.add("nvidia-qm9700")
    with pytest.raises(EditError, match="a place on the canvas"):
        operations.move(design, {leaf: (0, place)})


def test_a_device_may_be_added_straight_into_a_rack(pen, design):
    rack = pen.rack()
    server = pen.add("dgx-h100", rack_id=rack, unit=9)
    assert design.placements[server].unit == 9
    assert design.mounted(rack) == [server]


# -- NICs -----------------------------------------------------------------------------------------------------------


def test_a_nic_goes_into_the_next_free_slot_it_fits(pen, design, catalog):
    server = pen.add("dgx-h100", with_modules=False)
    nic = catalog.get("connectx-7-ndr")
    for _ in range(3):
        pen.do(operations.install_module(design, server, nic))
    assert [m.slot for m in design.modules_of(server)] == ["rail1", "rail2", "rail3"]
    assert [port.name for port in design.ports(server)] == ["rail1", "rail2", "rail3"]


def test_a_nic_passes_over_slots_of_another_form_factor(pen, design):
    nic = NicType("n", "Acme", "QuickNIC", ("ethernet",), 1, 400, ("QSFP112",))
    slots = (Slot("a", form_factor="OSFP"), Slot("b", form_factor="QSFP112"))
    server_type = ServerType("s", "Acme", "Box", 1, slots=slots)
    edit = pen.do(operations.add_device(design, server_type, 0, 0, catalog_types={}))
    (device,) = pen.added(Device, edit)
    pen.do(operations.install_module(design, device.id, nic))
    assert [m.slot for m in design.modules_of(device.id)] == ["b"]
    with pytest.raises(SlotError, match=r"^server-01 slot a takes OSFP, QuickNIC comes as QSFP112$"):
        operations.install_module(design, device.id, nic)


@pytest.mark.parametrize(
    ("slot", "sentence"),
    [
        ("rail1", "gpu-001 slot rail1 already holds a ConnectX-7: remove it first"),
        ("rail9", "gpu-001 has no slot 'rail9': it has rail1, rail2"),
        ("storage1", "gpu-001 slot storage1 takes QSFP112, ConnectX-6 VPI comes as QSFP56"),
    ],
)
def test_a_slot_that_does_not_take_the_nic_says_why(pen, design, catalog, slot, sentence):
    server = pen.add("dgx-h100", "gpu-001")
    with pytest.raises(SlotError) as caught:
        operations.install_module(design, server, catalog.get("connectx-6-hdr"), slot)
    assert str(caught.value).startswith(sentence)


def test_a_full_server_says_so(pen, design, catalog):
    server = pen.add("dgx-h100", "gpu-001")
    nic = catalog.get("connectx-7-ndr")
    for _ in range(len(catalog.get("dgx-h100").slots) - len(design.modules_of(server))):
        pen.do(operations.install_module(design, server, nic))
    with pytest.raises(SlotError, match=r"^gpu-001 has no free slot left \(12 of 12 taken\)$"):
        operations.install_module(design, server, nic)


def test_a_nic_does_not_go_into_a_switch(pen, design, catalog):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    with pytest.raises(SlotError, match="leaf-01 is a switch"):
        operations.install_module(design, leaf, catalog.get("connectx-7-ndr"))


def test_removing_a_nic_removes_the_links_on_its_ports_and_undo_restores_them(pen, design):
    leaf, server = pen.add("nvidia-qm9700"), pen.add("dgx-h100")
    pen.join(leaf, server, 8)
    module = next(m for m in design.modules_of(server) if m.slot == "rail3")
    edit = pen.do(operations.remove_modules(design, [module.id]))
    assert ports_used(design, server) == [f"rail{n}" for n in (1, 2, 4, 5, 6, 7, 8)]
    design.apply(edit.inverted())
    assert ports_used(design, server) == [f"rail{n}" for n in range(1, 9)]


def test_removing_one_of_two_nics_in_a_slot_keeps_the_links_of_the_other(pen, design):
    leaf, server = pen.add("nvidia-qm9700"), pen.add("dgx-h100")
    pen.join(leaf, server, 8)
    double = Module("m99", server, "rail1", "connectx-7-ndr")
    pen.do(Edit("Faulty", (Change(None, double),)))
    pen.do(operations.remove_modules(design, ["m99"]))
    assert len(design.links_of(server)) == 8


def test_removing_what_is_no_nic_is_refused(pen, design):
    leaf = pen.add("nvidia-qm9700")
    with pytest.raises(UnknownEntityError, match="there is no module with id"):
        operations.remove_modules(design, [leaf])


# -- types and modes ------------------------------------------------------------------------------------------------


def test_another_switch_type_keeps_the_links_on_its_ports_in_order(pen, design, catalog):
    a, b = pen.add("nvidia-qm9700", "leaf-01"), pen.add("nvidia-qm9700", "spine-01")
    pen.join(a, b, 5)
    pen.do(operations.set_type(design, a, catalog.get("generic-switch"), catalog_types=catalog.types))
    assert design.device(a).type_id == "generic-switch"
    assert [(link.a.port, link.b.port) for link in design.links_of(a)] == [
        ("1", "1/1"),
        ("2", "1/2"),
        ("3", "2/1"),
        ("4", "2/2"),
        ("5", "3/1"),
    ]


@pytest.mark.parametrize(("old", "mode", "rate"), [("nvidia-sn5600", "", 800.0), ("nvidia-qm9700", "128x400G", 400.0)])
def test_a_switch_whose_mode_the_new_type_lacks_gets_the_first_that_its_links_fit(
    pen, design, catalog, old, mode, rate
):
    """Links to InfiniBand fit in no mode, and keep their rate at least."""
    a, b = pen.add(old, "leaf-01"), pen.add(old, "peer-01")
    pen.join(a, b, 5)
    pen.do(operations.set_type(design, a, catalog.get("nvidia-sn5610"), catalog_types=catalog.types))
    assert design.device(a).port_mode == mode
    assert {design.port(link.a).rate_gbps for link in design.links_of(a)} == {rate}


def test_links_that_no_cable_joins_count_for_more_than_rates_and_a_mode_is_kept_by_name(pen, design, catalog):
    a, server = pen.add("nvidia-qm9700", "leaf-01"), pen.add("dgx-h100", "gpu-01")
    pen.join(a, server, 8)
    pen.do(operations.set_type(design, a, catalog.get("nvidia-sn5610"), catalog_types=catalog.types))
    assert design.device(a).port_mode == "128x400G"
    pairs = [(design.port(link.a), design.port(link.b)) for link in design.links_of(a)]
    assert [port_compatibility(*pair) for pair in pairs] == [None] * 8
    pen.do(operations.set_port_mode(design, a, "256x200G"))
    pen.do(operations.set_type(design, a, catalog.get("nvidia-sn5600"), catalog_types=catalog.types))
    assert design.device(a).port_mode == "256x200G"


def test_of_modes_of_one_rate_that_is_chosen_whose_protocol_the_links_speak(pen, design, catalog):
    a, b = pen.add("nvidia-sn5600", "leaf-01"), pen.add("nvidia-sn5600", "peer-01")
    pen.join(a, b, 2)
    modes = tuple(
        PortMode(name, 1, 800.0, protocols=(speaks,)) for name, speaks in (("ib", "infiniband"), ("eth", "ethernet"))
    )
    both = replace(catalog.get("nvidia-sn5610"), id="both", protocols=("infiniband", "ethernet"), modes=modes)
    pen.do(operations.set_type(design, a, both))
    assert design.device(a).port_mode == "eth"


def test_a_mode_with_too_few_ports_for_the_links_is_passed_over(pen, design, catalog):
    a, b = pen.add("nvidia-qm9700", "leaf-01"), pen.add("nvidia-qm9700", "peer-01")
    for one in (a, b):
        pen.do(operations.set_port_mode(design, one, "128x200G"))
    pen.join(a, b, 100)
    pen.do(operations.set_type(design, a, catalog.get("nvidia-sn5610"), catalog_types=catalog.types))
    assert design.device(a).port_mode == "256x200G"


def test_a_type_with_too_few_ports_is_refused_with_the_numbers(pen, design, catalog):
    a, b = pen.add("nvidia-qm9700", "leaf-01"), pen.add("nvidia-qm9700", "spine-01")
    pen.join(a, b, 64)
    with pytest.raises(NoFreePortError, match=r"^leaf-01 uses 64 ports, QM8790 has 40: remove 24 links first$"):
        operations.set_type(design, a, catalog.get("nvidia-qm8790"))


def test_another_server_type_keeps_nics_and_links_where_slots_have_the_same_names(pen, design, catalog):
    leaf, server = pen.add("nvidia-qm9700"), pen.add("dgx-h100")
    pen.join(leaf, server, 8)
    modules = design.modules_of(server)
    pen.do(operations.set_type(design, server, catalog.get("dgx-b200"), catalog_types=catalog.types))
    assert design.modules_of(server) == modules
    assert len(design.links_of(server)) == 8
    assert all(design.port(link.b) for link in design.links_of(server))


def test_a_server_turned_into_a_host_moves_its_link_to_the_nic_that_is_left(pen, design, catalog):
    leaf, server = pen.add("nvidia-qm9700"), pen.add("dgx-h100")
    pen.join(leaf, server)
    pen.do(operations.set_type(design, server, catalog.get("generic-host"), catalog_types=catalog.types))
    assert [m.slot for m in design.modules_of(server)] == ["nic1"]
    assert [link.b.port for link in design.links_of(server)] == ["nic1"]


def test_a_switch_never_becomes_a_server(pen, design, catalog):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    with pytest.raises(EditError, match="leaf-01 is a switch and cannot become a server"):
        operations.set_type(design, leaf, catalog.get("dgx-h100"), catalog_types=catalog.types)


def test_the_same_type_again_changes_nothing(pen, design, catalog):
    leaf = pen.add("nvidia-qm9700")
    assert not operations.set_type(design, leaf, catalog.get("nvidia-qm9700"))


def test_splitting_the_ports_keeps_links_in_their_cages(pen, design):
    a, b = pen.add("nvidia-sn5600", "leaf-01"), pen.add("nvidia-sn5600", "spine-01")
    pen.join(a, b, 3)
    mode = next(mode for mode in design.device_type(a).modes if mode.ports_per_cage == 2)
    pen.do(operations.set_port_mode(design, a, mode.name))
    assert ports_used(design, a) == ["swp1s0", "swp2s0", "swp3s0"]
    pen.do(operations.set_port_mode(design, a, design.device_type(a).modes[0].name))
    assert ports_used(design, a) == ["swp1", "swp2", "swp3"]


def test_joining_ports_finds_room_for_the_second_link_of_a_cage(pen, design):
    a, b = pen.add("nvidia-sn5600", "leaf-01"), pen.add("nvidia-sn5600", "spine-01")
    for device in (a, b):
        mode = next(mode for mode in design.device_type(device).modes if mode.ports_per_cage == 2)
        pen.do(operations.set_port_mode(design, device, mode.name))
    pen.join(a, b, 4)
    pen.do(operations.set_port_mode(design, a, design.device_type(a).modes[0].name))
    assert ports_used(design, a) == ["swp1", "swp2", "swp3", "swp4"]
    assert ports_used(design, b) == ["swp1s0", "swp1s1", "swp2s0", "swp2s1"]


def test_a_mode_with_too_few_ports_is_refused(pen, design):
    a, b = pen.add("nvidia-qm9700", "leaf-01"), pen.add("nvidia-qm9700", "spine-01")
    for device in (a, b):
        pen.do(operations.set_port_mode(design, device, "128x200G"))
    pen.join(a, b, 100)
    said = "leaf-01 cages 1-32: 100 ports are in use, mode 64x400G has room for 64: remove 36 of their links first"
    with pytest.raises(NoFreePortError, match=said):
        operations.set_port_mode(design, a, "64x400G")


def test_a_mode_the_switch_does_not_have_is_refused_with_those_it_has(pen, design):
    leaf, server = pen.add("nvidia-qm9700", "leaf-01"), pen.add("dgx-h100", "gpu-001")
    with pytest.raises(UnknownEntityError) as caught:
        operations.set_port_mode(design, leaf, "2x2T")
    assert str(caught.value) == "leaf-01 (QM9700) has no port mode '2x2T': it has 64x400G, 128x200G"
    with pytest.raises(UnknownEntityError, match="it has none"):
        operations.set_port_mode(design, server, "64x400G")


def test_the_mode_it_is_in_changes_nothing(pen, design):
    leaf = pen.add("nvidia-qm9700")
    assert not operations.set_port_mode(design, leaf, "64x400G")


def test_setting_a_mode_clears_the_cages_that_differed(pen, design):
    leaf = pen.add("nvidia-qm9700")
    device = design.device(leaf)
    pen.do(Edit("Split", (Change(device, replace(device, cage_modes=((1, "128x200G"),))),)))
    pen.do(operations.set_port_mode(design, leaf, "64x400G"))
    assert design.device(leaf).cage_modes == ()


# -- racks ----------------------------------------------------------------------------------------------------------


def test_devices_are_mounted_from_the_bottom_up_without_overlap(pen, design):
    rack = pen.rack(name="rack-01")
    servers = [pen.add("dgx-h100") for _ in range(2)]
    leaf = pen.add("nvidia-qm9700")
    for device in (*servers, leaf):
        pen.do(operations.mount(design, device, rack))
    assert [design.placements[one].unit for one in (*servers, leaf)] == [1, 9, 17]


def test_a_taken_unit_names_who_stands_there(pen, design):
    rack = pen.rack(name="rack-01")
    first, second = pen.add("dgx-h100", "gpu-001"), pen.add("dgx-h100", "gpu-002")
    pen.do(operations.mount(design, first, rack, 5))
    with pytest.raises(EditError, match=r"^rack-01 unit 5 is taken by gpu-001$"):
        operations.mount(design, second, rack, 1)
    pen.do(operations.mount(design, first, rack, 6))


def test_a_full_rack_and_a_unit_outside_it_are_refused(pen, design):
    rack = pen.rack("rack-42u", "rack-01")
    for _ in range(5):
        pen.do(operations.mount(design, pen.add("dgx-h100"), rack))
    last = pen.add("dgx-h100", "gpu-009")
    with pytest.raises(EditError, match=r"^rack-01 has no 8 free units in a row for gpu-009 \(40 of 42 taken\)$"):
        operations.mount(design, last, rack)
    with pytest.raises(EditError, match="gpu-009 takes 8 units and cannot stand at unit 40 of rack-01, which has 42"):
        operations.mount(design, last, rack, 40)


def test_taking_a_device_out_of_its_rack_leaves_it_where_it_was(pen, design):
    rack, leaf = pen.rack(x=300, y=0), pen.add("nvidia-qm9700", x=5, y=6)
    pen.do(operations.mount(design, leaf, rack))
    pen.do(operations.mount(design, leaf, None))
    assert design.placements[leaf] == Placement(leaf, 5.0, 6.0)
    assert not operations.mount(design, leaf, None)


def test_mounting_in_a_rack_that_does_not_exist_is_refused(pen, design):
    leaf = pen.add("nvidia-qm9700")
    with pytest.raises(UnknownEntityError, match="there is no rack with id 'r9'"):
        operations.mount(design, leaf, "r9")


def test_a_link_keeps_to_its_cage_when_the_split_names_change(pen, design):
    a, b = pen.add("nvidia-sn5600"), pen.add("nvidia-sn5600")
    pen.wire(a, "swp17", b, "swp3")
    mode = next(mode for mode in design.device_type(a).modes if mode.ports_per_cage == 2)
    pen.do(operations.set_port_mode(design, a, mode.name))
    assert design.links_at(End(a, "swp17s0"))


def test_a_nic_goes_first_into_the_slot_that_is_stated_to_hold_it(pen, design, catalog):
    server = pen.add("dgx-h100", "gpu")
    for type_id in ("generic-nic-1g", "connectx-7-ndr-2p", "generic-nic-2x100g"):
        pen.do(operations.install_module(design, server, catalog.get(type_id)))
    slots = {module.slot: module.type_id for module in design.modules_of(server) if not module.slot.startswith("rail")}
    assert slots == {"bmc": "generic-nic-1g", "storage1": "connectx-7-ndr-2p", "slot3": "generic-nic-2x100g"}
