"""NetBox module types and module bays: line cards, and the slots of a chassis."""

import pytest

from designer.catalog.catalog import load
from designer.errors import CatalogError
from designer.exchange import netbox
from designer.exchange.importers import IMPORTERS
from designer.model import operations
from designer.model.design import Design
from designer.model.hardware.modules import LineCardType
from designer.model.hardware.switches import SwitchType

CARD = """\
manufacturer: Arista
model: DCS-7800R3A-36D-LC
part_number: DCS-7800R3A-36D-LC
interfaces:
"""
CHASSIS = """\
manufacturer: Acme
model: C8
slug: acme-c8
part_number: C8-CH
u_height: 16
is_full_depth: true
interfaces:
  - {name: Management1, type: 1000base-t, mgmt_only: true}
module-bays:
  - {name: Supervisor 1, position: "1"}
  - {name: Power Supply 1, position: PSU1}
  - {name: Fan 1, position: Fan1}
  - {name: Fabric Module 1, position: Fab1}
"""


def read(tmp_path, text):
    path = tmp_path / "one.yaml"
    path.write_text(text, encoding="utf-8")
    return netbox.read_file(path)


def interfaces(names, type_="400gbase-x-qsfpdd"):
    return "".join(f'  - {{name: "{name}", type: {type_}}}\n' for name in names)


def bays(count):
    return "".join(f'  - {{name: Linecard {n}, position: "{n}"}}\n' for n in range(3, 3 + count))


def test_a_module_type_with_ports_becomes_a_line_card(tmp_path):
    text = CARD + interfaces(f"Ethernet{{module}}/{n}/1" for n in range(1, 37))
    card = read(tmp_path, text).type_
    assert isinstance(card, LineCardType)
    assert (card.id, card.part_number, card.n_cages) == ("arista-dcs-7800r3a-36d-lc", "DCS-7800R3A-36D-LC", 36)
    assert (card.cages[0].form_factor, card.modes[0].rate_gbps) == ("QSFP-DD", 400)
    assert card.modes == load().get("arista-7800r3a-36d").modes


@pytest.mark.parametrize(
    ("names", "template"),
    [
        (["Ethernet{module}/1", "Ethernet{module}/2"], "Ethernet{slot}/{socket}"),
        (["et-{module}/0/1", "et-{module}/0/2"], "et-{slot}/0/{socket}"),
        (["xe{module}/1/1", "xe{module}/2/2"], "{slot}/{socket}"),
        (["Ethernet1", "Ethernet2"], "{slot}/{socket}"),
        (["a{module}/2", "a{module}/3"], "{slot}/{socket}"),
    ],
)
def test_names_of_a_cards_ports_are_those_of_the_file_where_they_count_from_1(tmp_path, names, template):
    found = read(tmp_path, CARD + interfaces(names))
    assert found.type_.modes[0].port_name == template
    assert ("ports are named slot/cage here" in found.notes) is (template == "{slot}/{socket}")


def test_module_bays_for_line_cards_become_slots_and_the_other_bays_are_told(tmp_path):
    found = read(tmp_path, CHASSIS + bays(8))
    chassis = found.type_
    assert isinstance(chassis, SwitchType)
    assert [slot.name for slot in chassis.slots] == [str(n) for n in range(3, 11)]
    assert (chassis.cages, chassis.modes, chassis.part_number) == ((), (), "C8-CH")
    reported = " ".join(found.notes)
    assert "4 module bays for other things than line cards are left out" in reported
    assert "its 8 slots are empty" in reported


def test_an_imported_chassis_takes_imported_line_cards(tmp_path):
    chassis = read(tmp_path, CHASSIS + bays(2)).type_
    assert [port.name for port in chassis.management_ports] == ["Management1"]
    card = read(tmp_path, CARD + interfaces(f"Ethernet{{module}}/{n}/1" for n in range(1, 37))).type_
    design = Design()
    design.apply(operations.add_device(design, chassis, 0, 0, catalog_types={}))
    device = design.switches()[0].id
    assert design.ports(device) == ()
    design.apply(operations.install_module(design, device, card))
    assert [port.name for port in design.ports(device)][::35] == ["Ethernet3/1/1", "Ethernet3/36/1"]


def test_a_folder_of_a_chassis_and_its_line_cards_becomes_a_design_with_both(tmp_path):
    (tmp_path / "chassis.yaml").write_text(CHASSIS + bays(2), encoding="utf-8")
    names = (f"Ethernet{{module}}/{n}/1" for n in range(1, 37))
    (tmp_path / "card.yaml").write_text(CARD + interfaces(names), encoding="utf-8")
    found = IMPORTERS.named("netbox-devicetypes").read(tmp_path)
    assert isinstance(found.design.types["arista-dcs-7800r3a-36d-lc"], LineCardType)
    assert [one.type_id for one in found.design.switches()] == ["acme-c8"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (CARD, "no line card for a fabric"),
        (CARD + interfaces(["PS{module}"], "1000base-t"), "no line card for a fabric"),
        (CHASSIS + '  - {name: Linecard 3, position: "3"}\n  - {name: Linecard 4, position: "3"}\n', "there twice"),
        (CHASSIS + "  - Linecard 3\n", "a module bay has a name"),
        (CHASSIS + "  - {name: Linecard 3, position: [1]}\n", "position of a module bay is a text"),
        (CHASSIS, "no interface of"),
        (CARD.replace("model: DCS-7800R3A-36D-LC", "model: [1]") + interfaces(["a"]), "model should be a text"),
    ],
)
def test_faulty_modules_are_refused_with_the_reason(tmp_path, text, sentence):
    with pytest.raises(CatalogError, match=sentence):
        read(tmp_path, text)
