"""A system that is a rack by itself, and hardware of unknown height, stand in racks, so that their cables are known."""

from dataclasses import replace

import pytest

from designer.drawing.room.elevation import elevation
from designer.drawing.room.floor_plan import floor_plan
from designer.model import id_runs, operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.equipping import WHOLE_RACK_UNITS, height
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.placement import floor
from designer.placement.cable_lengths import UNIT_HEIGHT_M, Routes
from designer.placement.preparation import open_points
from designer.placement.rack_contents import rack_power
from designer.regeneration import recipes
from designer.regeneration.regenerate import regenerate
from designer.storage import document
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.fat_tree import counts as fat_tree_counts
from designer.topologies.racking import assumed_heights, mounted_units
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate

FAMILIES = {"rail-optimized": RailOptimizedParameters, "fat-tree": FatTreeParameters}


def generated(catalog, family, **fields):
    design = Design()
    parameters = FAMILIES[family](**fields)
    made = recipes.generated_and_prepared(design, recipes.family_named(family), parameters, catalog, "auto")
    design.apply(made.edit)
    return design, made.edit


def group_of(design):
    return next(one for one in design.groups.values() if one.recipe is not None)


@pytest.fixture(scope="module")
def nvl72(catalog):
    """Four NVL72 in a rail-optimized fabric."""
    asked = {"server": "gb300-nvl72", "switch": "nvidia-q3400-ra", "servers": 4, "servers_per_su": 2}
    return generated(catalog, "rail-optimized", **asked)[0]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("server", "switch"),
    [
        ("gb200-nvl72", "nvidia-qm9700"),
        ("gb300-nvl72", "nvidia-q3400-ra"),
        ("vera-rubin-nvl72", "nvidia-q3400-ra"),
        ("mi455x-helios", "nvidia-sn5600"),
        ("aws-trn2-ultra", "generic-tomahawk5-64x800"),
    ],
)
def test_a_fabric_of_rack_scale_systems_has_every_length_and_a_rack_for_each_system(catalog, family, server, switch):
    design, edit = generated(catalog, family, server=server, switch=switch, servers=4)
    for one in design.servers():
        place = design.placements[one.id]
        assert list(design.mounted(place.rack_id)) == [one.id] and place.unit == 1
        assert floor.place_of(design.racks[place.rack_id]) is not None
        assert design.types[design.racks[place.rack_id].type_id].units == height(design.device_type(one.id))
    assert all(link.length_m and link.length_source == "routed" for link in design.links.values())
    report = validate(design)
    assert not [one for one in report.findings if one.code.startswith(("RACK", "MEDIA"))]
    assert document.encode(document.decode(document.encode(design))) == document.encode(design)
    design.apply(edit.inverted())
    assert document.encode(design) == document.encode(Design())


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("server", "switch"), [("gb200-nvl72", "nvidia-qm9700"), ("gb300-nvl72", "nvidia-q3400-ra")])
def test_every_cable_of_an_nvl72_is_chosen(catalog, family, server, switch):
    design, _ = generated(catalog, family, server=server, switch=switch, servers=4)
    assert open_points(design, catalog.types) == ()
    assert all(link.medium_id for link in design.links.values())


def test_the_height_that_is_assumed_is_named_before_and_after(catalog, nvl72):
    asked = {"server": "gb300-nvl72", "switch": "nvidia-q3400-ra", "servers": 4}
    stated = "The height of GB300 NVL72 rack is not known: it gets a 42 U rack of its own."
    assert fat_tree_counts(FatTreeParameters(**asked), catalog).remark.endswith(stated)
    assert "height" not in fat_tree_counts(FatTreeParameters(**asked, racks="none"), catalog).remark
    unchecked = [one.reason for one in validate(nvl72).not_checked if one.code == "RACK-001"]
    assert unchecked == ["the height of GB300 NVL72 rack is not known: 42 U is assumed"]


def test_racks_of_their_own_are_on_the_floor_plan_and_filled_in_the_elevation(nvl72):
    systems = {nvl72.placements[one.id].rack_id: one.name for one in nvl72.servers()}
    assert systems.keys() <= {one.id for one in floor_plan(nvl72).racks}
    frames = {frame.rack_id: frame for line in elevation(nvl72) for frame in line.frames}
    assert None not in frames, "nothing stands in no rack"
    for rack_id, name in systems.items():
        (box,) = frames[rack_id].boxes
        assert box.name == name and box.rect == frames[rack_id].rect
        assert frames[rack_id].note == "42/42 U, 142 kW"


def test_power_that_is_not_known_is_not_shown_as_none(catalog):
    design, _ = generated(catalog, "fat-tree", server="gb200-nvl72", switch="nvidia-qm9700", servers=1)
    rack_id = design.placements[design.servers()[0].id].rack_id
    notes = {frame.rack_id: frame.note for line in elevation(design) for frame in line.frames}
    assert notes[rack_id] == "42/42 U, power not known"
    leaf = next(one for one in design.devices.values() if one.role == "leaf")
    design.apply(operations.mount(design, design.servers()[0].id, None))
    shared = design.placements[leaf.id].rack_id
    guest = catalog.get("hgx-h100-oem")
    design.apply(operations.add_device(design, guest, 0, 0, catalog_types=catalog.types, rack_id=shared))
    notes = {frame.rack_id: frame.note for line in elevation(design) for frame in line.frames}
    assert ", at least " in notes[shared]


def test_a_cable_reaches_the_lowest_tray_of_a_rack_scale_system(nvl72):
    link = next(one for one in nvl72.links.values() if nvl72.is_server(one.a.device_id))
    leaf = nvl72.placements[link.b.device_id]
    middle = leaf.unit - 1 + height(nvl72.device_type(leaf.id)) / 2
    rise_m = 2 * nvl72.settings.tray_height_m - (0.5 + middle) * UNIT_HEIGHT_M
    assert Routes(nvl72).route(link).rise_m == pytest.approx(rise_m)


def test_the_power_of_a_rack_type_says_nothing_of_a_system_with_shelves_of_its_own(nvl72):
    design = nvl72.snapshot()
    rack_42u = design.types["rack-42u"]
    design.apply(Edit("Feed", (Change(rack_42u, replace(rack_42u, power_w=40_000.0)),)))
    assert not [one for one in validate(design).findings if one.code == "RACK-002"]
    system = design.placements[design.servers()[0].id].rack_id
    assert rack_power(design, system).budget_w is None and rack_power(design, system).draw_w == 142_000
    leaf = next(one for one in design.devices.values() if one.role == "leaf")
    assert rack_power(design, design.placements[leaf.id].rack_id).budget_w == 40_000
    design.apply(floor.set_power_budget(design, [system], 140_000))
    assert [one.value for one in validate(design).findings if one.code == "RACK-002"] == [142_000]


def test_regenerating_racks_of_their_own_is_exact_and_undone(catalog, nvl72):
    design = nvl72.snapshot()
    group = group_of(design)
    stood = recipes.parameters_of(group)
    assert not regenerate(design, group.id, stood, catalog).edit.changes
    before = document.encode(design)
    again = regenerate(design, group.id, replace(stood, servers=6), catalog)
    assert again.conflicts == ()
    design.apply(again.edit)
    assert open_points(design, catalog.types) == ()
    assert len({design.placements[one.id].rack_id for one in design.servers()}) == 6
    assert floor.overlaps(design) == []
    design.apply(again.edit.inverted())
    assert document.encode(design) == before


def as_once_generated(catalog):
    """A fabric whose recipe is from the time when hardware of unknown height stood in no rack."""
    design, _ = generated(catalog, "rail-optimized", server="gb300-nvl72", switch="nvidia-q3400-ra", servers=4)
    own = [design.placements[one.id].rack_id for one in design.servers()]
    for one in design.servers():
        design.apply(operations.mount(design, one.id, None))
    design.apply(operations.delete(design, own))
    group = group_of(design)
    listed = tuple(id_runs.runs(one for one in id_runs.spelled(group.recipe.racks, 1000) if one not in own))
    design.apply(Edit("Age", (Change(group, replace(group, recipe=replace(group.recipe, racks=listed))),)))
    return design


def test_a_fabric_from_before_there_were_such_racks_can_still_be_regenerated(catalog):
    design = as_once_generated(catalog)
    group = group_of(design)
    stood = recipes.parameters_of(group)
    assert not regenerate(design, group.id, stood, catalog).edit.changes
    again = regenerate(design, group.id, replace(stood, servers=5), catalog)
    assert again.conflicts == ()
    design.apply(again.edit)
    assert all(design.placements[one.id].rack_id for one in design.servers())


def test_every_switch_and_server_of_the_catalog_is_mounted_but_generic_ones_and_chips(catalog):
    devices = [one for one in catalog.types.values() if isinstance(one, SwitchType | ServerType)]
    without = {one.id for one in devices if mounted_units(one) is None}
    chips = {"tpu-v4-chip", "tpu-v5p-chip", "tpu-v6e-chip", "tpu-v7-chip"}
    made = {"generic-switch", "generic-host", "generic-node", "generic-storage", "generic-switch-48x1g"}
    assert without == chips | made
    assert {one.id for one in devices if one.rack_units is None and height(one) == WHOLE_RACK_UNITS} == {
        "gb200-nvl72",
        "gb300-nvl72",
        "vera-rubin-nvl72",
        "mi455x-helios",
        "aws-trn2-ultra",
        "arista-7816lr4",
        "nvidia-cs8500",
    }


def test_servers_of_unknown_height_stand_four_a_rack_with_room_between_them(catalog):
    design, _ = generated(catalog, "fat-tree", server="hgx-h100-oem", switch="nvidia-qm9700", servers=6)
    places = [design.placements[one.id] for one in design.servers()]
    assert [place.unit for place in places] == [1, 11, 21, 31, 1, 11]
    assert len({place.rack_id for place in places}) == 2
    assert open_points(design, catalog.types) == ()
    unchecked = [one.reason for one in validate(design).not_checked if one.code == "RACK-001"]
    assert unchecked == ["the height of HGX H100 8-GPU server is not known: 10 U is assumed"]
    heights = {
        round(box.rect[3] - box.rect[1]) for line in elevation(design) for frame in line.frames for box in frame.boxes
    }
    assert min(heights) > 0 and 9 * min(heights) < max(heights) < 11 * min(heights), "drawn as high as is kept for them"
    assert height(catalog.get("generic-server-8x1x400g")) == 1, "a generic server has no height to be kept"
    types = [catalog.get("hgx-h100-oem"), catalog.get("dell-z9664f-on"), catalog.get("dgx-h100")]
    assert assumed_heights([*types, *types]) == (
        "The height of HGX H100 8-GPU server is not known: 10 units of a rack are kept for it. "
        "The height of PowerSwitch Z9664F-ON is not known: 1 unit of a rack is kept for it."
    )
