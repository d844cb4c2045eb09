"""The rules about the room say their numbers, and say when they have none."""

from dataclasses import replace

from designer.model import operations
from designer.model.entities import Device, Placement, Rack
from designer.model.furnishing import add_fixture, change_fixtures
from designer.placement import floor
from designer.placement.cable_lengths import route
from designer.validation.engine import validate


def findings(design, code):
    return [finding for finding in validate(design).findings if finding.code == code]


def unchecked(design, code):
    return [entry.reason for entry in validate(design).not_checked if entry.code == code]


def test_a_rack_that_draws_more_than_its_budget(superpod):
    design = superpod.snapshot()
    assert unchecked(design, "RACK-002") == ["no rack has a power budget"]
    first = next(iter(design.racks))
    design.apply(floor.set_power_budget(design, [first], 40_000))
    (finding,) = findings(design, "RACK-002")
    assert finding.message == "rack-01: its devices draw up to 40.8 kW, its budget is 40 kW"
    assert (finding.value, finding.limit) == (40_800, 40_000)
    assert finding.subjects[0] == first
    assert unchecked(design, "RACK-002") == ["36 racks have no power budget"]
    design.apply(floor.set_power_budget(design, design.racks, 41_000))
    assert not findings(design, "RACK-002")


def test_two_racks_in_one_place(superpod):
    design = superpod.snapshot()
    assert unchecked(design, "RACK-003") == ["no rack has a place on the floor"]
    design.apply(floor.auto_place(design))
    assert not findings(design, "RACK-003")
    one, other, *_ = floor.rows(design)[0].rack_ids
    stands = design.racks[other]
    design.apply(floor.place_racks(design, {one: (stands.x_m - 0.1, stands.y_m)}))
    assert [finding.message for finding in findings(design, "RACK-003")] == [
        f"{design.racks[one].name} and {design.racks[other].name} stand in one place on the floor"
    ]


def test_a_typed_cable_that_is_shorter_than_its_way(superpod):
    design = superpod.snapshot()
    design.apply(floor.auto_place(design))
    link = next(iter(design.links.values()))
    design.apply(operations.set_cable(design, [link.id], None, 2))
    (finding,) = findings(design, "MEDIA-002")
    assert finding.message.endswith(f": 2 m of cable for a route of {finding.limit:g} m")
    design.apply(finding.fix)
    assert not findings(design, "MEDIA-002")
    assert design.links[link.id] == replace(link, length_m=finding.limit, length_source="routed")


def test_a_cable_exactly_as_long_as_its_way_is_long_enough_and_a_millimetre_less_is_not(superpod):
    design = superpod.snapshot()
    design.apply(floor.auto_place(design))
    link = next(iter(design.links.values()))
    way_m = route(design, link).length_m
    design.apply(operations.set_cable(design, [link.id], None, way_m))
    assert not findings(design, "MEDIA-002")
    design.apply(operations.set_cable(design, [link.id], None, way_m - 0.001))
    (finding,) = findings(design, "MEDIA-002")
    assert finding.limit == way_m


def test_a_rack_that_is_full_to_the_last_unit_is_no_finding_and_one_device_more_is(bare):
    switch = replace(bare.catalog.get("nvidia-qm9700"), id="tall", rack_units=21.0)
    bare.put(bare.catalog.get("rack-42u"), switch, Rack("r1", "A01", "rack-42u"), Placement("r1", 0, 0))
    for number, unit in ((1, 1), (2, 22), (3, None)):
        assert not [finding for finding in findings(bare.design, "RACK-001") if "its devices need" in finding.message]
        bare.put(Device(f"d{number}", f"s{number}", "tall"), Placement(f"d{number}", 0, 0, "r1", unit))
    stated = [finding for finding in findings(bare.design, "RACK-001") if "its devices need" in finding.message]
    assert [(one.message, one.value, one.limit) for one in stated] == [
        ("A01: its devices need 63 U, the rack has 42 U", 63, 42)
    ]


def test_a_rack_in_a_column_is_named_with_it_and_touching_a_wall_is_fine(superpod):
    design = superpod.snapshot()
    assert not unchecked(design, "RACK-004")
    design.apply(floor.auto_place(design))
    rack = design.racks[floor.rows(design)[0].rack_ids[0]]
    left, top = rack.x_m - 0.3, rack.y_m - 0.6
    design.apply(add_fixture(design, "wall", (left - 0.2, top, left, top + 1.2)))
    design.apply(add_fixture(design, "door", (left, top, left + 1, top + 0.2)))
    assert not findings(design, "RACK-004") and not unchecked(design, "RACK-004")
    design.apply(add_fixture(design, "column", (left + 0.1, top - 0.3, left + 0.4, top + 0.05)))
    (finding,) = findings(design, "RACK-004")
    assert finding.message == f"{rack.name} stands in column-1 on the floor"
    assert finding.subjects == (rack.id, "f3")
    design.apply(floor.place_racks(design, dict.fromkeys(design.racks)))
    assert unchecked(design, "RACK-004") == ["no rack has a place on the floor"]


def test_a_slanting_wall_is_where_it_is_drawn_and_not_all_around_it(superpod):
    design = superpod.snapshot()
    rack, other = sorted(design.racks)[:2]
    design.apply(floor.place_racks(design, {rack: (0.0, 0.0), other: (4.0, 0.0)}))
    design.apply(add_fixture(design, "wall", (-3, -2.1, 3, -1.9)))
    design.apply(change_fixtures(design, ["f1"], turn_deg=45.0))
    assert not findings(design, "RACK-004")  # the rack is within the bounds of the wall, and clear of it
    design.apply(change_fixtures(design, ["f1"], x_m=0.0, y_m=0.0, width_m=1.0))
    assert [one.subjects for one in findings(design, "RACK-004")] == [(rack, "f1")]
    design.apply(change_fixtures(design, ["f1"], x_m=2.0, y_m=-1.6, width_m=0.5, turn_deg=0.0))
    assert not findings(design, "RACK-004")
