"""The rules about what stands in racks: each with a design that breaks it by the least, and one that does not."""

from dataclasses import replace

import pytest

from designer.fields.field import fields_of
from designer.model import operations
from designer.model.entities import Placement, Rack
from designer.model.equipping import cold_side, mount
from designer.model.hardware.racks import RackType
from designer.placement import floor
from designer.placement.many import set_common
from designer.placement.many_records import RackFields
from designer.placement.mounting import move_mounted
from designer.topologies.racking import is_chip
from designer.validation.engine import validate
from designer.validation.findings import Severity


def findings(design, code):
    return [finding for finding in validate(design, codes={code}).findings if finding.code == code]


def unchecked(design, code):
    return [entry.reason for entry in validate(design, codes={code}).not_checked if entry.code == code]


@pytest.fixture
def rack(bare):
    """A rack with two switches in it: 100 kg, 700 mm and 1 kW each, with air from the ports back."""
    switch = replace(
        bare.catalog.get("nvidia-qm9700"),
        id="sw",
        model="S",
        weight_kg=100.0,
        depth_mm=700.0,
        power_max_w=1000.0,
        airflow="front-to-rear",
    )
    bare.put(RackType("cab", "Acme", "Cab", 42), switch, Rack("r1", "A01", "cab"), Placement("r1", 0, 0))
    for number in (1, 2):
        name = f"s{number}"
        bare.design.apply(operations.add_device(bare.design, switch, 0, 0, catalog_types={}, name=name, rack_id="r1"))
    return bare


def change_rack(fabric, **fields):
    rack = fabric.design.racks["r1"]
    fabric.change(rack, replace(rack, **fields))


def change_type(fabric, type_id, **fields):
    type_ = fabric.design.types[type_id]
    fabric.change(type_, replace(type_, **fields))


def test_a_device_may_be_as_deep_as_its_rack_and_no_millimetre_deeper(rack):
    change_type(rack, "cab", depth_mm=700.0)
    assert findings(rack.design, "RACK-006") == []
    change_type(rack, "cab", depth_mm=699.0)
    one, other = findings(rack.design, "RACK-006")
    assert one.message == "s1 is 700 mm deep, A01 699 mm"
    assert (one.value, one.limit, one.subjects) == (700, 699, (rack.id("s1"), "r1"))
    assert other.subjects == (rack.id("s2"), "r1")


def test_without_a_depth_of_its_type_a_rack_is_as_deep_as_those_of_the_room(rack):
    settings = rack.design.settings
    assert findings(rack.design, "RACK-006") == []
    rack.change(settings, replace(settings, rack_depth_m=0.69))
    assert [one.limit for one in findings(rack.design, "RACK-006")] == [690, 690]
    change_type(rack, "sw", depth_mm=None)
    assert findings(rack.design, "RACK-006") == []
    assert unchecked(rack.design, "RACK-006") == ["the depth of S is not known"]


def test_a_rack_may_carry_its_load_and_no_kilogram_more(rack):
    assert unchecked(rack.design, "RACK-007") == ["the weight limit of 1 rack is not known"]
    change_type(rack, "cab", max_weight_kg=200.0)
    assert findings(rack.design, "RACK-007") == [] and unchecked(rack.design, "RACK-007") == []
    change_rack(rack, max_weight_kg=199.0)
    (found,) = findings(rack.design, "RACK-007")
    assert found.message == "A01: its devices weigh 200 kg, it carries 199 kg"
    assert (found.value, found.limit) == (200, 199)
    assert found.subjects == ("r1", rack.id("s1"), rack.id("s2"))


def test_the_weight_that_is_not_known_is_not_checked_but_what_is_known_counts(rack):
    change_type(rack, "sw", weight_kg=None)
    change_rack(rack, max_weight_kg=1.0)
    assert findings(rack.design, "RACK-007") == []
    assert unchecked(rack.design, "RACK-007") == ["the weight of S is not known"]


def test_line_cards_weigh_too(bare):
    bare.put(RackType("cab", "Acme", "Cab", 42), Rack("r1", "A01", "cab"), Placement("r1", 0, 0))
    bare.add("arista-7808r4", "chassis")
    chassis = bare.design.types["arista-7808r4"]
    bare.change(chassis, replace(chassis, weight_kg=100.0, rack_units=16.0))
    bare.design.apply(mount(bare.design, bare.id("chassis"), "r1"))
    cards = len(bare.design.modules_of(bare.id("chassis")))
    change_rack(bare, max_weight_kg=100.0 + 12.1 * cards)
    assert cards and findings(bare.design, "RACK-007") == []
    change_rack(bare, max_weight_kg=100.0 + 12.1 * cards - 1)
    assert len(findings(bare.design, "RACK-007")) == 1


def test_what_is_left_of_the_feeds_carries_the_rack(rack):
    assert unchecked(rack.design, "RACK-008") == ["two power feeds are not stated for 1 rack"]
    change_rack(rack, feeds_w=(5000.0,))
    assert unchecked(rack.design, "RACK-008") == ["two power feeds are not stated for 1 rack"]
    change_rack(rack, feeds_w=(5000.0, 2000.0))
    assert findings(rack.design, "RACK-008") == [] and unchecked(rack.design, "RACK-008") == []
    change_rack(rack, feeds_w=(5000.0, 1999.0))
    (found,) = findings(rack.design, "RACK-008")
    assert found.message == (
        "A01: its devices draw up to 2 kW; when one feed is lost, the other feed supplies 1.999 kW"
    )
    assert (found.value, found.limit) == (2000, 1999)
    change_rack(rack, feeds_w=())
    change_type(rack, "cab", feeds_w=(1000.0, 1000.0, 999.0))
    (found,) = findings(rack.design, "RACK-008")
    assert found.message.endswith("the other feeds supply 1.999 kW")


def test_what_is_not_known_of_a_rack_names_models(rack):
    change_rack(rack, feeds_w=(5000.0, 2000.0), power_budget_w=5000.0)
    change_type(rack, "sw", power_max_w=None)
    for code in ("RACK-002", "RACK-008"):
        assert unchecked(rack.design, code) == ["the power of S is not known: 0 W is assumed"]


def test_feeds_and_load_are_set_as_the_form_of_racks_does(rack):
    design, field = rack.design, fields_of(RackFields)["feeds_kw"]
    assert field.read("17.3, 17.3") == (17.3, 17.3) and field.read("30, 11") == (30.0, 11.0)  # as many as are typed
    assert field.show((17.3, 17.3)) == "17.3, 17.3" and field.read("") == ()
    design.apply(set_common(design, ["r1"], Rack, "feeds_kw", (17.3, 17.3), {}))
    design.apply(set_common(design, ["r1"], Rack, "max_weight_kg", 900.0, {}))
    assert (design.racks["r1"].feeds_w, design.racks["r1"].max_weight_kg) == ((17300.0, 17300.0), 900.0)


def test_a_device_outside_is_put_into_a_gap_of_the_racks_of_its_kind(rack):
    assert findings(rack.design, "RACK-009") == []
    for number in (3, 4):
        rack.design.apply(
            operations.add_device(rack.design, rack.design.types["sw"], 0, 0, catalog_types={}, name=f"s{number}")
        )
    (found,) = findings(rack.design, "RACK-009")
    assert found.message == "s3, s4 are in no rack, unlike 2 others of the type"
    assert found.fix.label == "Put 2 devices into racks with free units"
    rack.design.apply(found.fix)
    assert findings(rack.design, "RACK-009") == []
    assert [rack.design.placements[rack.id(f"s{number}")].unit for number in (1, 2, 3, 4)] == [1, 2, 3, 4]
    assert [one.code for one in validate(rack.design).findings if one.code.startswith("RACK")] == []


@pytest.mark.parametrize(
    ("of_type", "of_rack"),
    [
        ({"power_max_w": 1000.0}, {"power_budget_w": 2999.0}),
        ({"power_max_w": 1000.0}, {"feeds_w": (2999.0, 5000.0)}),
        ({"weight_kg": 10.0}, {"max_weight_kg": 29.9}),
    ],
)
def test_no_rack_gets_more_than_it_supplies_or_carries(rack, of_type, of_rack):
    """Two switches stand in the rack; a third one is only put in where it holds three."""
    rack.design.apply(operations.add_device(rack.design, rack.design.types["sw"], 0, 0, catalog_types={}, name="s3"))
    change_type(rack, "sw", **of_type)
    (home,) = {one.rack_id for one in rack.design.placements.values() if one.rack_id}
    (name, limit), *_ = of_rack.items()
    rack.change(rack.design.racks[home], replace(rack.design.racks[home], **of_rack))
    assert findings(rack.design, "RACK-009")[0].fix is None
    enough = (3000.0, 5000.0) if name == "feeds_w" else limit + 1
    rack.change(rack.design.racks[home], replace(rack.design.racks[home], **{name: enough}))
    rack.design.apply(findings(rack.design, "RACK-009")[0].fix)
    assert [one.code for one in validate(rack.design).findings if one.code.startswith("RACK")] == []


def test_where_the_racks_are_full_no_gap_is_offered(rack):
    rack.design.apply(operations.add_device(rack.design, rack.design.types["sw"], 0, 0, catalog_types={}, name="s3"))
    change_type(rack, "cab", units=2)
    (found,) = findings(rack.design, "RACK-009")
    assert found.fix is None
    rack.design.apply(operations.delete(rack.design, [rack.id("s1"), rack.id("s2")]))
    assert findings(rack.design, "RACK-009") == []  # it is the only one of its kind


def test_devices_are_found_in_no_rack_though_none_of_their_type_is_in_one(rack):
    """As of servers without a height next to switches in racks, however many."""
    design = rack.design
    for type_id, name in (
        ("dgx-h100", "gpu-1"),
        ("generic-switch-32x400g", "gen-1"),
        ("generic-switch-32x400g", "gen-2"),
    ):
        rack.design.apply(
            operations.add_device(design, rack.catalog.get(type_id), 0, 0, catalog_types=rack.catalog.types, name=name)
        )
    (found,) = findings(design, "RACK-009")
    assert found.message == "gpu-1 is in no rack, unlike 2 devices of other types" and found.fix is None
    assert unchecked(design, "RACK-009") == ["2 Switch 32 x 400G are in no rack: they have no height"]
    design.apply(operations.delete(design, [rack.id("gen-2")]))
    assert unchecked(design, "RACK-009") == ["1 Switch 32 x 400G is in no rack: it has no height"]
    design.apply(operations.delete(design, [rack.id("s2")]))
    assert findings(design, "RACK-009")[0].message == "gpu-1 is in no rack, unlike 1 device of another type"
    design.apply(operations.delete(design, [rack.id("s1")]))
    assert findings(design, "RACK-009") == [] and unchecked(design, "RACK-009") == []  # all racks are empty


def test_chips_need_no_rack(rack):
    chip = rack.catalog.get("tpu-v4-chip")
    assert is_chip(chip)
    rack.design.apply(operations.add_device(rack.design, chip, 0, 0, catalog_types=rack.catalog.types, name="chip"))
    assert findings(rack.design, "RACK-009") == [] and unchecked(rack.design, "RACK-009") == []


def test_racks_without_a_place_are_placed_below_those_that_have_one(rack):
    rack.put(Rack("r2", "A02", "cab"), Placement("r2", 0, 0))
    assert findings(rack.design, "RACK-010") == []
    rack.design.apply(floor.place_racks(rack.design, {"r1": (0.0, 0.0)}))
    (found,) = findings(rack.design, "RACK-010")
    assert (found.message, found.subjects) == ("A02 has no place on the floor", ("r2",))
    rack.design.apply(found.fix)
    assert findings(rack.design, "RACK-010") == []
    assert rack.design.racks["r1"].x_m == 0.0


def test_racks_are_not_placed_where_other_fronts_would_face_backs_then(rack):
    """Two racks overlap in a row, one of them turned round: a row below makes an aisle of that."""
    rack.design.apply(floor.place_racks(rack.design, {"r1": (0.0, 0.0)}))
    for number, (x_m, y_m, facing) in {2: (0.0, 2.4, "up"), 3: (1.2, 2.4, "up"), 4: (0.9, 2.4, "")}.items():
        own = Rack(f"r{number}", f"A0{number}", "cab", x_m=x_m, y_m=y_m, facing=facing)
        rack.put(own, Placement(own.id, 0, 0))
    rack.put(Rack("r5", "A05", "cab"), Placement("r5", 0, 0))
    (found,) = findings(rack.design, "RACK-010")
    assert found.fix is None
    turned = rack.design.racks["r4"]
    rack.change(turned, replace(turned, facing="up"))
    (found,) = findings(rack.design, "RACK-010")
    rack.design.apply(found.fix)
    assert findings(rack.design, "RACK-005") == []


def test_a_device_that_draws_in_air_at_the_back_is_turned_round(rack):
    assert findings(rack.design, "RACK-011") == []
    place = rack.design.placements[rack.id("s1")]
    rack.change(place, replace(place, side="rear"))
    (found,) = findings(rack.design, "RACK-011")
    assert found.message == "s1 takes in air at the back of A01: its air goes front to rear"
    assert found.fix.label == "Turn s1 round"
    rack.design.apply(found.fix)
    assert findings(rack.design, "RACK-011") == []
    change_type(rack, "sw", airflow="rear-to-front")
    assert len(findings(rack.design, "RACK-011")) == 2
    change_type(rack, "sw", airflow="")
    assert findings(rack.design, "RACK-011") == []
    assert unchecked(rack.design, "RACK-011") == ["where S takes in air is not known"]


def test_what_comes_into_a_rack_turns_its_intake_to_the_front(rack):
    design = rack.design
    switch = rack.catalog.get("nvidia-sn2201")
    assert cold_side(switch) == "rear"
    design.apply(operations.add_device(design, switch, 0, 0, catalog_types={}, name="m1", rack_id="r1"))
    design.apply(operations.add_device(design, switch, 0, 0, catalog_types={}, name="m2"))
    design.apply(operations.add_device(design, switch, 0, 0, catalog_types={}, name="m3"))
    design.apply(mount(design, rack.id("m2"), "r1"))
    design.apply(move_mounted(design, {rack.id("m3"): ("r1", 20)}))
    assert [design.placements[rack.id(name)].side for name in ("m1", "m2", "m3")] == ["rear"] * 3
    assert findings(design, "RACK-011") == []
    design.apply(mount(design, rack.id("m2"), "r1", 30, ""))  # somebody turns it on purpose: it stays so
    design.apply(mount(design, rack.id("m2"), "r1", 31))
    assert design.placements[rack.id("m2")].side == ""


def test_a_rack_that_its_devices_fill_to_the_last_unit_is_noted(rack):
    assert findings(rack.design, "RACK-012") == []
    change_type(rack, "cab", units=3)
    assert findings(rack.design, "RACK-012") == []
    change_type(rack, "cab", units=2)
    (found,) = findings(rack.design, "RACK-012")
    assert found.message == "A01: 2 devices fill all 2 U"
    assert (found.severity, found.value, found.limit) == (Severity.INFO, 2, 1)
    assert found.subjects == ("r1", *(rack.id(name) for name in ("s1", "s2")))
    change_type(rack, "cab", units=1)
    assert findings(rack.design, "RACK-012") == [], "too many are for RACK-001 to say"


def test_a_system_that_is_a_rack_fills_its_own(rack):
    rack.design.apply(operations.delete(rack.design, [rack.id("s2")]))
    change_type(rack, "cab", units=1)
    assert findings(rack.design, "RACK-012") == []


def test_whether_a_unit_is_free_next_to_devices_of_unknown_height_is_not_checked(rack):
    change_type(rack, "cab", units=2)
    change_type(rack, "sw", rack_units=None)
    assert findings(rack.design, "RACK-012") == []
    assert unchecked(rack.design, "RACK-012") == ["the height of S is not known: 1 U is assumed"]
