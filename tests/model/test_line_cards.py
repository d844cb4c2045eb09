"""Line cards in the slots of a chassis: what the ports, links and modes of a switch become when cards change."""

from dataclasses import replace

import pytest

from designer.analysis.cost import cost
from designer.analysis.power import power
from designer.analysis.summary import summarize
from designer.analysis.survey import survey
from designer.errors import EditError, FileFormatError, NoFreePortError, SlotError, UnknownEntityError
from designer.graph.failures import broken as broken_by
from designer.model import operations
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, End, Module
from designer.model.fragments import copy_fragment, paste
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.modules import LineCardType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.switches import SwitchType
from designer.model.limits import type_faults
from designer.model.networks import network_of_link
from designer.storage import document
from designer.validation.engine import validate

TWO_RATES = LineCardType(
    "acme-lc16",
    "Acme",
    "LC16",
    ("ethernet",),
    (CageGroup(8, "OSFP"), CageGroup(8, "QSFP-DD")),
    (
        PortMode("16x400G", 1, 400.0, "Ethernet{slot}/{socket}/1"),
        PortMode("32x200G", 2, 200.0, "Ethernet{slot}/{socket}/{lane}"),
    ),
    form_factors=("7800R4",),
)


@pytest.fixture
def chassis(pen):
    return pen.add("arista-7804r4")


def in_slot(design, device_id, slot):
    return next(one for one in design.modules_of(device_id) if one.slot == slot)


def take_out(pen, device_id, *slots):
    ids = [in_slot(pen.design, device_id, slot).id for slot in slots]
    return pen.do(operations.remove_modules(pen.design, ids))


def linked(pen, device_id, port):
    """Another switch on a port of the chassis; the link."""
    rate = pen.design.port_map(device_id)[port].rate_gbps
    other = pen.add(f"generic-switch-4x{rate:g}g")
    return pen.wire(other, pen.design.ports(other)[0].name, device_id, port)


def names(design, device_id):
    return [port.name for port in design.ports(device_id)]


def test_a_chassis_comes_with_its_line_cards_and_their_ports(pen, chassis, catalog):
    cards = pen.design.modules_of(chassis)
    assert [(one.slot, one.type_id) for one in cards] == [(slot, "arista-7800r4c-36pe") for slot in "3456"]
    assert names(pen.design, chassis) == [port.name for port in switch_ports(catalog.get("arista-7804r4"))]
    assert {port.slot for port in pen.design.ports(chassis)} == set("3456")


def test_a_chassis_without_line_cards_has_no_ports(pen, catalog):
    edit = operations.add_device(
        pen.design, catalog.get("arista-7804r4"), 0, 0, catalog_types=catalog.types, with_modules=False
    )
    device = pen.added(Device, pen.do(edit))[0]
    assert pen.design.ports(device.id) == ()
    assert pen.design.port_modes(device.id) == ()
    pen.do(operations.install_module(pen.design, device.id, catalog.get("arista-7800r4k-36pe"), "5"))
    assert names(pen.design, device.id)[0] == "Ethernet5/1/1"
    assert len(pen.design.ports(device.id)) == pen.design.cage_count(device.id) == 36


def test_pulling_a_card_takes_its_ports_and_their_links_and_leaves_the_others(pen, chassis):
    gone, kept = linked(pen, chassis, "Ethernet4/7/1"), linked(pen, chassis, "Ethernet5/7/1")
    before = document.encode(pen.design)
    edit = take_out(pen, chassis, "4")
    assert edit.label == "Remove the line card in 4"
    assert gone not in pen.design.links
    assert pen.design.links[kept].b == End(chassis, "Ethernet5/7/1")
    assert len(pen.design.ports(chassis)) == 108
    pen.design.apply(edit.inverted())
    assert document.encode(pen.design) == before


def test_a_card_goes_into_the_next_free_slot_or_the_named_one(pen, chassis, catalog):
    take_out(pen, chassis, "4", "6")
    card = catalog.get("arista-7800r4-36pe")
    pen.do(operations.install_module(pen.design, chassis, card, "6"))
    assert in_slot(pen.design, chassis, "6").type_id == card.id
    pen.do(operations.install_module(pen.design, chassis, card))
    assert in_slot(pen.design, chassis, "4").type_id == card.id
    with pytest.raises(SlotError, match=r"no free slot left \(4 of 4 taken\)"):
        operations.install_module(pen.design, chassis, card)
    with pytest.raises(SlotError, match="slot 4 already holds a 7800R4-36PE"):
        operations.install_module(pen.design, chassis, card, "4")


def test_only_cards_of_the_series_fit_and_nics_do_not(pen, chassis, catalog):
    take_out(pen, chassis, "4")
    with pytest.raises(SlotError, match="slot 4 takes 7800R4, 7800R3-36P comes as 7800R3"):
        operations.install_module(pen.design, chassis, catalog.get("arista-7800r3-36p"))
    with pytest.raises(SlotError, match="slot 4 takes 7800R4"):
        operations.install_module(pen.design, chassis, catalog.get("arista-7800r3-36p"), "4")
    with pytest.raises(SlotError, match="slot 5 takes 7800R4"):
        module = in_slot(pen.design, chassis, "5").id
        operations.swap_module(pen.design, module, catalog.get("arista-7800r3-36p"))
    with pytest.raises(SlotError, match="is a switch: NICs go into the slots of servers"):
        operations.install_module(pen.design, chassis, catalog.get("connectx-7-ndr"))
    with pytest.raises(SlotError, match="is a server: line cards go into chassis"):
        operations.install_module(pen.design, pen.add("dgx-h100"), catalog.get("arista-7800r4-36pe"))
    with pytest.raises(SlotError, match="has no slots for line cards"):
        operations.install_module(pen.design, pen.add("nvidia-sn5600"), catalog.get("arista-7800r4-36pe"))


def test_a_line_card_in_a_server_is_refused_at_the_edit(pen, catalog):
    server, card = pen.add("dgx-h100"), catalog.get("arista-7800r4-36pe")
    with pytest.raises(EditError, match="is a line card in 'server-01', which is no switch"):
        pen.design.apply(Edit("Cheat", added([card, Module("m99", server, "rail1", card.id)])))


def test_another_card_type_keeps_the_links_on_ports_of_the_same_name(pen, chassis, catalog):
    link = linked(pen, chassis, "Ethernet4/7/1")
    pen.do(operations.swap_module(pen.design, in_slot(pen.design, chassis, "4").id, catalog.get("arista-7800r4k-36pe")))
    assert in_slot(pen.design, chassis, "4").type_id == "arista-7800r4k-36pe"
    assert pen.design.links[link].b == End(chassis, "Ethernet4/7/1")


def test_another_card_type_with_fewer_ports_moves_links_within_the_slot_or_refuses(pen, chassis):
    link = linked(pen, chassis, "Ethernet4/30/1")
    module = in_slot(pen.design, chassis, "4").id
    pen.do(operations.swap_module(pen.design, module, TWO_RATES))
    assert pen.design.links[link].b == End(chassis, "Ethernet4/1/1")
    one = replace(TWO_RATES, id="acme-lc0", cages=(CageGroup(1, "OSFP"),))
    linked(pen, chassis, "Ethernet4/2/1")
    with pytest.raises(NoFreePortError, match="slot 4 uses 2 ports, LC16 has 1: remove 1 of its links first"):
        operations.swap_module(pen.design, module, one)


def test_cards_of_two_types_stand_side_by_side_each_in_its_own_mode(pen, chassis):
    pen.do(operations.swap_module(pen.design, in_slot(pen.design, chassis, "4").id, TWO_RATES))
    rates = {port.slot: port.rate_gbps for port in pen.design.ports(chassis)}
    assert rates == {"3": 800, "4": 400, "5": 800, "6": 800}
    assert [mode.name for mode in pen.design.port_modes(chassis)] == [
        "36x800G",
        "72x400G",
        "288x100G",
        "16x400G",
        "32x200G",
    ]
    pen.do(operations.set_port_mode(pen.design, chassis, "72x400G"))
    counts = {slot: len([p for p in pen.design.ports(chassis) if p.slot == slot]) for slot in "3456"}
    assert counts == {"3": 72, "4": 16, "5": 72, "6": 72}


def test_a_mode_of_one_card_leaves_the_others_and_says_so_only_where_it_differs(pen, chassis):
    card = in_slot(pen.design, chassis, "4").id
    link = linked(pen, chassis, "Ethernet5/1/1")
    pen.do(operations.set_nic_mode(pen.design, [card], "72x400G"))
    assert len(pen.design.ports(chassis)) == 3 * 36 + 72
    assert pen.design.links[link].b.port == "Ethernet5/1/1"
    pen.do(operations.set_port_mode(pen.design, chassis, "72x400G"))
    assert pen.design.modules[card].port_mode == ""
    pen.do(operations.set_nic_mode(pen.design, [card], "36x800G"))
    assert pen.design.modules[card].port_mode == "36x800G", "the delivered mode is stated where the chassis has another"
    pen.do(operations.set_nic_mode(pen.design, [card], "72x400G"))
    assert pen.design.modules[card].port_mode == ""


def test_modes_of_cages_and_reserved_ports_go_with_their_card(pen, chassis, catalog):
    device = pen.design.device(chassis)
    set_by_hand = replace(
        device, cage_modes=((40, "72x400G"), (80, "72x400G")), reserved_ports=("Ethernet3/2/1", "Ethernet5/8/2")
    )
    pen.do(Edit("Split", (Change(device, set_by_hand),)))
    assert {"Ethernet4/4/2", "Ethernet5/8/2"} <= set(names(pen.design, chassis))
    take_out(pen, chassis, "3")
    after = pen.design.device(chassis)
    assert (after.cage_modes, after.reserved_ports) == (((4, "72x400G"), (44, "72x400G")), ("Ethernet5/8/2",))
    assert {"Ethernet4/4/2", "Ethernet5/8/2"} <= set(names(pen.design, chassis))
    pen.do(operations.install_module(pen.design, chassis, catalog.get("arista-7800r4-36pe"), "3"))
    assert pen.design.device(chassis).cage_modes == ((40, "72x400G"), (80, "72x400G"))
    pen.do(operations.swap_module(pen.design, in_slot(pen.design, chassis, "4").id, catalog.get("arista-7800r4-36pe")))
    assert pen.design.device(chassis).cage_modes == ((80, "72x400G"),)


def test_a_smaller_chassis_keeps_the_cards_whose_slots_it_has(pen, chassis, catalog):
    bigger = catalog.get("arista-7808r4")
    link = linked(pen, chassis, "Ethernet6/36/1")
    take_out(pen, chassis, "4")
    pen.do(operations.set_type(pen.design, chassis, bigger, catalog_types=catalog.types))
    assert len(pen.design.ports(chassis)) == 288
    assert pen.design.links[link].b.port == "Ethernet6/36/1"
    pen.do(operations.set_type(pen.design, chassis, catalog.get("arista-7804r3"), catalog_types=catalog.types))
    assert {one.type_id for one in pen.design.modules_of(chassis)} == {"arista-7800r3-36p"}
    pen.do(operations.set_type(pen.design, chassis, catalog.get("nvidia-sn5600"), catalog_types=catalog.types))
    assert pen.design.modules_of(chassis) == []


def test_a_card_that_fails_takes_the_links_on_its_ports(pen, chassis):
    one, other = linked(pen, chassis, "Ethernet4/7/1"), linked(pen, chassis, "Ethernet5/7/1")
    name = pen.design.device(chassis).name
    for failed in (in_slot(pen.design, chassis, "4").id, f"{name}:4"):
        broken = broken_by(pen.design, frozenset({failed}))
        assert (one in broken.links, other in broken.links) == (True, False)


def test_cards_are_counted_with_their_power_and_no_nics(pen, chassis):
    take_out(pen, chassis, "3", "4")
    surveyed = survey(pen.design)
    assert (power(surveyed).typical_w, power(surveyed).max_w) == (2 * 904, 2 * 1088)
    assert power(surveyed).unknown_typical == ("arista-7804r4",)
    assert dict(cost(pen.design).unpriced) == {"arista-7804r4": 1, "arista-7800r4c-36pe": 2}
    summary = summarize(pen.design)
    assert (summary.nics, summary.line_cards) == (0, {"arista-7800r4c-36pe": 2})


def test_validation_names_a_card_without_a_slot_and_one_that_does_not_fit(pen, chassis, catalog):
    card = catalog.get("arista-7800r3-36p")
    take_out(pen, chassis, "4")
    stray = [
        card,
        Module("m90", chassis, "4", card.id),
        Module("m91", chassis, "9", card.id),
        Module("m92", chassis, "5", "arista-7800r4c-36pe"),
    ]
    pen.do(Edit("Cheat", added(stray)))
    found = {finding.subjects[1]: finding for finding in validate(pen.design).findings if finding.code[:3] == "NIC"}
    assert "slot 4 takes 7800R4, 7800R3-36P comes as 7800R3" in found["m90"].message
    assert "has no slot 9 for its 7800R3-36P" in found["m91"].message
    assert "has two line cards in slot 5" in found["m92"].message
    for finding in found.values():
        pen.do(finding.fix)
    assert not [finding for finding in validate(pen.design).findings if finding.code[:3] == "NIC"]


def test_a_copied_chassis_has_its_cards(pen, chassis):
    take_out(pen, chassis, "4")
    fragment = copy_fragment(pen.design, [chassis])
    new = pen.added(Device, pen.do(paste(pen.design, fragment, 50, 50)))[0]
    assert [one.slot for one in pen.design.modules_of(new.id)] == ["3", "5", "6"]
    assert names(pen.design, new.id) == names(pen.design, chassis)


def test_links_between_chassis_are_in_the_network_of_these(pen, chassis):
    other = pen.add("arista-7804r4")
    link = pen.wire(chassis, "Ethernet3/1/1", other, "Ethernet3/1/1")
    assert network_of_link(pen.design, pen.design.links[link]) == "compute"
    pen.do(operations.set_network(pen.design, [chassis, other], "storage"))
    assert network_of_link(pen.design, pen.design.links[link]) == "storage"


def test_a_file_keeps_the_cards_as_they_are(pen, chassis, catalog):
    take_out(pen, chassis, "4")
    pen.do(operations.set_nic_mode(pen.design, [in_slot(pen.design, chassis, "5").id], "288x100G"))
    again = document.decode(document.encode(pen.design))
    assert names(again, chassis) == names(pen.design, chassis)
    assert len(again.ports(chassis)) == 2 * 36 + 288


def test_a_chassis_of_before_with_its_line_cards_built_in_still_works(pen, catalog):
    """Files of format 5 hold chassis as switches whose groups of cages are on cards."""
    cages = tuple(CageGroup(36, "OSFP", slot=slot, card="7800R4C-36PE-LC") for slot in "3456")
    modes = (PortMode("144x800G", 1, 800.0, "Ethernet{slot}/{socket}/1"),)
    old = SwitchType("arista-7804r4-144x800", "Arista", "7804R4", ("ethernet",), cages, modes)
    device = pen.added(Device, pen.do(operations.add_device(pen.design, old, 0, 0, catalog_types={})))[0]
    link = linked(pen, device.id, "Ethernet6/36/1")
    assert len(pen.design.ports(device.id)) == 144
    with pytest.raises(SlotError, match="has no slots for line cards"):
        operations.install_module(pen.design, device.id, catalog.get("arista-7800r4-36pe"))
    pen.do(operations.set_type(pen.design, device.id, catalog.get("arista-7804r4"), catalog_types=catalog.types))
    assert (len(pen.design.modules_of(device.id)), pen.design.links[link].b.port) == (4, "Ethernet6/36/1")


@pytest.mark.parametrize(
    ("port_name", "fault"),
    [("Ethernet{slot}/{socket}", False), ("{socket}", True), ("{slot}/{cage}", True), ("{slot}/{port}", True)],
)
def test_ports_of_a_card_are_named_so_that_other_cards_do_not_matter(port_name, fault):
    card = replace(TWO_RATES, modes=(PortMode("16x400G", 1, 400.0, port_name),))
    assert bool(list(type_faults(card))) is fault


def test_modules_that_are_not_there_are_named(pen, catalog):
    with pytest.raises(UnknownEntityError, match="no module with id 'm9'"):
        operations.swap_module(pen.design, "m9", catalog.get("arista-7800r4-36pe"))


def test_cards_with_more_ports_than_a_design_holds_are_refused_at_the_edit_and_in_a_file(pen):
    card = replace(TWO_RATES, id="acme-huge", cages=(CageGroup(50_000, "OSFP"),), form_factors=())
    slots = tuple(Slot(str(number)) for number in range(41))
    huge = SwitchType("acme-c41", "Acme", "C41", ("ethernet",), (), (), slots=slots)
    pen.do(operations.add_device(pen.design, huge, 0, 0, catalog_types={}))
    device = pen.design.switches()[0].id
    cards = [Module(f"m{number}", device, str(number), card.id) for number in range(41)]
    with pytest.raises(EditError, match="4,100,000 ports of different kinds, the most is 4,000,000"):
        pen.design.apply(Edit("Fill", added([card, *cards])))
    pen.design.apply(Edit("Fill", added([card, *cards[:40]])))
    text = document.encode(pen.design).decode()
    row = '{"id": "m40", "device_id": "d1", "slot": "40", "type_id": "acme-huge"},\n'
    one_more = text.replace('{"id": "m39"', row + '{"id": "m39"')
    with pytest.raises(FileFormatError, match="4,100,000 ports of line cards"):
        document.decode(one_more.encode())
