"""Cables follow racks, devices and trays that move, as far as the program measured and chose them."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.analysis.new_designs import new_design
from designer.catalog.catalog import load
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.placement import floor
from designer.placement.cable_lengths import route_cables
from designer.placement.following import with_cables
from designer.placement.mounting import move_mounted
from designer.placement.preparation import prepare
from designer.topologies.families import FAMILIES
from designer.validation.engine import validate

CATALOG = load()
FAMILY = next(one for one in FAMILIES if one.name == "rail-optimized")


@pytest.fixture(scope="module")
def made():
    return new_design(FAMILY, {"servers": 16, "servers_per_su": 8}, CATALOG, "pod", "auto").design


@pytest.fixture
def pod(made):
    return made.snapshot()


def follow(design, edit):
    edit = with_cables(design, edit, CATALOG.types)
    design.apply(edit)
    return edit


def rack_of(design, name):
    return design.placements[design.find(name).id].rack_id


def test_a_rack_that_moves_takes_the_lengths_and_choices_of_its_cables_along_as_one_step(pod):
    before = list(pod.entities())
    rack_id = rack_of(pod, "spine-01")
    media = {one.id: one.medium_id for one in pod.links.values()}
    edit = follow(pod, floor.place_racks(pod, {rack_id: (700.0, 3.0)}))
    assert not route_cables(pod), "every length is that of its route"
    spine_links = pod.links_of(pod.find("spine-01").id)
    assert all(one.length_m > 600 for one in spine_links)
    assert all(one.medium_id != media[one.id] for one in spine_links), "what was chosen for 50 m does not reach"
    assert not prepare(pod, CATALOG.types).edit, "as if it had been prepared there"
    pod.apply(edit.inverted())
    assert list(pod.entities()) == before


def test_trays_move_all_cables_and_a_device_its_own(pod):
    follow(pod, operations.set_settings(pod, tray_height_m=5.0))
    assert not route_cables(pod)
    spine = pod.find("spine-01")
    placement = pod.placements[spine.id]
    follow(pod, move_mounted(pod, {spine.id: (placement.rack_id, placement.unit - 20)}))
    assert not route_cables(pod)


def test_cables_follow_too_where_the_bends_of_their_lines_are_moved_along(pod):
    spine = pod.find("spine-01")
    link = pod.links_of(spine.id)[0]
    placement = pod.placements[spine.id]
    edit = move_mounted(pod, {spine.id: (placement.rack_id, placement.unit - 20)})
    led = Edit(edit.label, (*edit.changes, Change(link, replace(link, bends=((1.0, 2.0),)))))
    follow(pod, led)
    assert not route_cables(pod)
    assert pod.links[link.id].bends == ((1.0, 2.0),)
    assert pod.links[link.id].length_m != link.length_m


def test_what_a_person_typed_or_chose_stays(pod):
    link = pod.links_of(pod.find("spine-01").id)[0]
    typed = replace(link, length_m=42.0, length_source="typed", medium_source="typed")
    pod.apply(Edit("Type", (Change(link, typed),)))
    follow(pod, floor.place_racks(pod, {rack_of(pod, "spine-01"): (700.0, 3.0)}))
    assert pod.links[link.id] == typed


def test_a_cable_of_typed_length_takes_the_module_that_its_cage_now_holds(pod):
    link = pod.links_of(pod.find("spine-01").id)[0]
    pod.apply(Edit("Type", (Change(link, replace(link, length_m=42.0, length_source="typed")),)))
    follow(pod, floor.place_racks(pod, {rack_of(pod, "spine-01"): (700.0, 3.0)}))
    after = pod.links[link.id]
    assert (after.length_m, after.length_source) == (42.0, "typed")
    assert after.medium_id != link.medium_id and "PORT-004" not in {one.code for one in validate(pod).findings}


def test_what_has_no_length_or_cable_gets_none(pod):
    bare = [Change(one, replace(one, length_m=None, length_source="")) for one in pod.links.values()]
    pod.apply(Edit("Lengths off", tuple(bare)))
    edit = floor.place_racks(pod, {rack_of(pod, "spine-01"): (700.0, 3.0)})
    assert with_cables(pod, edit, CATALOG.types) is edit


def test_links_without_a_cable_stay_without_one_where_their_lengths_follow(pod):
    bare = [Change(one, replace(one, medium_id="", medium_source="")) for one in pod.links.values()]
    pod.apply(Edit("Cables off", tuple(bare)))
    follow(pod, floor.place_racks(pod, {rack_of(pod, "spine-01"): (70.0, 3.0)}))
    assert not route_cables(pod) and not any(one.medium_id for one in pod.links.values())


def test_an_edit_that_moves_no_cable_is_left_as_it_is(pod):
    rack = pod.racks[rack_of(pod, "spine-01")]
    for edit in (
        Edit("Rename", (Change(rack, replace(rack, name="Z")),)),
        operations.set_settings(pod, name="Other"),
        operations.delete(pod, [pod.find("spine-01").id]),
    ):
        assert with_cables(pod, edit, CATALOG.types) is edit


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_moves_in_any_order_leave_lengths_as_a_new_calculation_makes_them(made, data):
    design = made.snapshot()
    racks = sorted(design.racks)
    for _ in range(data.draw(st.integers(1, 4))):
        rack_id = data.draw(st.sampled_from(racks))
        x_m, y_m = data.draw(st.integers(-300, 300)), data.draw(st.integers(-300, 300))
        follow(design, floor.place_racks(design, {rack_id: (float(x_m), float(y_m))}))
    assert not route_cables(design)
