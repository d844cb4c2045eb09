"""Generating again: what stays, what comes and goes, which hand edits are kept and which are reported."""

import re
from collections import Counter
from dataclasses import fields, replace
from itertools import combinations

import hand
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.errors import Cancelled, ParameterError, UnknownEntityError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import FABRIC, Allocation, Device, Group, Rack
from designer.model.networks import OUT_OF_BAND
from designer.model.placed_jobs import whole
from designer.placement import floor
from designer.placement.cable_lengths import route_cables
from designer.placement.layouts.tidy import tidy
from designer.placement.metrics import box_size
from designer.placement.preparation import prepare
from designer.regeneration import recipes
from designer.regeneration.regenerate import regenerate
from designer.regeneration.replay_devices import WORDS
from designer.storage import document
from designer.topologies import networks
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.free_graph import GraphParameters
from designer.topologies.hyperx import HyperXParameters
from designer.topologies.jellyfish import JellyfishParameters
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.pgft import PgftParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.scale_up_plan import ScaleUpParameters
from designer.topologies.slim_fly import SlimFlyParameters
from designer.validation.engine import validate

TWO_SU = RailOptimizedParameters(servers=63, servers_per_su=32)
FOUR_SU = replace(TWO_SU, servers=127)
SMALL = RailOptimizedParameters(servers=15, servers_per_su=8, reserve_leaf_ports=2)
FABRICS = {
    "rail-optimized": (SMALL, replace(SMALL, servers=31), replace(SMALL, servers=7), replace(SMALL, rails=4)),
    "fat-tree": (
        FatTreeParameters(servers=12, switch="generic-switch-32x400g"),
        FatTreeParameters(servers=24, switch="generic-switch-32x400g"),
        FatTreeParameters(servers=5, switch="generic-switch-32x400g"),
        FatTreeParameters(servers=12, switch="generic-switch-32x400g", oversubscription=3.0),
    ),
    "pgft": (
        PgftParameters((4, 4), (1, 2)),
        PgftParameters((4, 6), (1, 2)),
        PgftParameters((3, 4), (1, 1)),
        PgftParameters((4, 4), (1, 4)),
    ),
    "hyperx": (
        HyperXParameters((3, 3), p=2),
        HyperXParameters((4, 3), p=2),
        HyperXParameters((2, 3), p=1),
        HyperXParameters((3, 3), (2, 1), p=2),
    ),
    "jellyfish": (
        JellyfishParameters(8, 3, p=2),
        JellyfishParameters(12, 3, p=2),
        JellyfishParameters(6, 3, p=2),
        JellyfishParameters(8, 3, p=2, seed=3),
    ),
    "scale-up": (
        ScaleUpParameters(servers=2, switches=3, groups=2, upper_switches=2),
        ScaleUpParameters(servers=2, switches=3, groups=3, upper_switches=2),
        ScaleUpParameters(servers=2, switches=1),
        ScaleUpParameters(servers=4, switches=3),
    ),
    "slim-fly": (SlimFlyParameters(3), SlimFlyParameters(4), SlimFlyParameters(3, p=1), SlimFlyParameters(3, p=5)),
    "graph": (
        GraphParameters(arguments="3"),
        GraphParameters(arguments="4"),
        GraphParameters(graph="petersen", arguments=""),
        GraphParameters(graph="circulant", arguments="8,1,3", p=3),
    ),
}

seeds = st.integers(0, 10**6)
hand_edits = st.lists(st.tuples(st.integers(0, len(hand.EDITS) - 1), seeds, seeds), min_size=10, max_size=10)


def stripped(edit):
    """The changes but for what the group notes about itself."""
    return [change for change in edit.changes if getattr(change.subject, "kind", "") != FABRIC]


def device(design, name):
    return design.find(name).id


def joined(design):
    """How many links each two devices have, by their names."""
    names = {one.id: one.name for one in design.devices.values()}
    return Counter(frozenset((names[link.a.device_id], names[link.b.device_id])) for link in design.links.values())


def test_four_units_instead_of_two_keep_every_device_and_its_id(generate, catalog):
    design, group_id = generate("rail-optimized", TWO_SU)
    names = {one.id: one.name for one in design.devices.values() if one.role != "spine"}
    again = regenerate(design, group_id, FOUR_SU, catalog)
    assert not again.conflicts
    assert (len(again.added), len(again.removed), len(again.kept)) == (64 + 16 + 8, 0, len(design.devices))
    design.apply(again.edit)
    assert again.edit.label == "Regenerate Rail-optimized"
    for one, name in names.items():
        # One more digit, the same server.
        assert re.sub("-0+", "-", design.device(one).name) == re.sub("-0+", "-", name)
    fresh, _ = generate("rail-optimized", FOUR_SU)
    assert {one.name for one in design.devices.values()} == {one.name for one in fresh.devices.values()}
    assert [one.name for one in design.servers()] == [one.name for one in fresh.servers()], "ranks keep their order"
    assert len(design.links) == len(fresh.links)
    assert joined(design) == joined(fresh), "on ports that may be others: those in use are kept"
    assert recipes.parameters_of(design.groups[group_id]) == FOUR_SU


def test_hand_edits_are_on_the_larger_fabric_too(generate, catalog):
    design, group_id = generate("rail-optimized", TWO_SU)
    leaf, gpu = device(design, "leaf-su1-r1"), device(design, "gpu-05")
    stood = design.placements[gpu]
    design.apply(operations.rename(design, leaf, "the first leaf"))
    design.apply(operations.move(design, {gpu: (stood.x + 40, stood.y - 25)}))
    edit = operations.add_device(
        design, catalog.get("nvidia-qm9700"), 4000, 0, catalog_types=catalog.types, name="storage", group_id=group_id
    )
    design.apply(edit)
    storage = device(design, "storage")
    spine = device(design, "spine-01")
    cut = design.links_of(gpu)[0]
    design.apply(operations.delete(design, [cut.id]))
    cabled = design.links_of(gpu)[0]
    design.apply(operations.set_cable(design, [cabled.id], catalog.get("dac-ndr-split2"), 1.5))
    noted = [gpu, cabled.id, design.modules_of(gpu)[0].id, group_id]
    design.apply(operations.add_tags(design, noted, ("spare",)))
    design.apply(operations.set_field(design, noted, "Asset", "7"))
    before = document.encode(design)
    again = regenerate(design, group_id, FOUR_SU, catalog)
    assert not again.conflicts
    design.apply(again.edit)
    assert design.device(leaf).name == "the first leaf"
    assert design.device(storage).name == "storage"
    assert cut.id not in design.links
    assert design.links[cabled.id].medium_id == "dac-ndr-split2"
    assert all((design.entity(one).tags, design.entity(one).fields) == (("spare",), (("Asset", "7"),)) for one in noted)
    fresh, _ = generate("rail-optimized", FOUR_SU)
    own = fresh.placements[fresh.find("gpu-005").id]
    assert (design.placements[gpu].x, design.placements[gpu].y) == pytest.approx((own.x + 40, own.y - 25), abs=1e-5)
    assert spine in design.devices
    design.apply(again.edit.inverted())
    assert document.encode(design) == before


def test_renames_are_listed_with_the_old_and_the_new_name(generate, catalog):
    design, group_id = generate("rail-optimized", TWO_SU)
    design.apply(operations.rename(design, device(design, "gpu-02"), "mine"))
    again = regenerate(design, group_id, FOUR_SU, catalog)
    names = {one: design.device(one).name for one in design.devices}
    design.apply(again.edit)
    changed = {(names[one], design.device(one).name) for one in names if design.device(one).name != names[one]}
    assert ("gpu-01", "gpu-001") in again.renamed
    assert set(again.renamed) == changed
    assert not [pair for pair in again.renamed if "mine" in pair]
    assert regenerate(design, group_id, FOUR_SU, catalog).renamed == ()


def overlaps(design):
    """Pairs of devices whose boxes cover a part of each other."""
    sizes = {one: box_size(design.is_switch(one)) for one in design.devices}
    places = [(one, place) for one, place in design.placements.items() if one in design.devices]
    return {
        frozenset((a, b))
        for (a, at), (b, there) in combinations(places, 2)
        if abs(at.x - there.x) < (sizes[a][0] + sizes[b][0]) / 2
        and abs(at.y - there.y) < (sizes[a][1] + sizes[b][1]) / 2
    }


def test_a_device_moved_by_hand_is_kept_clear_of_where_the_new_layout_puts_others(generate, catalog):
    design, group_id = generate("rail-optimized", SMALL)
    assert not overlaps(design)
    larger, _ = generate("rail-optimized", replace(SMALL, servers=31))
    # A place that is free now and taken by a server of the larger fabric, as far as the layouts tell.
    last = design.servers()[-1].id
    fresh = next(one for one in larger.servers() if one.name == "gpu-20")
    base, moved_to = larger.placements[larger.find(design.device(last).name).id], larger.placements[fresh.id]
    stood = design.placements[last]
    design.apply(
        operations.move(design, {last: (stood.x + moved_to.x - base.x + 30, stood.y + moved_to.y - base.y + 10)})
    )
    assert not overlaps(design)
    again = regenerate(design, group_id, replace(SMALL, servers=31), catalog)
    design.apply(again.edit)
    assert not overlaps(design)
    assert fresh.name in {one.name for one in design.devices.values()}


def test_an_overlap_made_by_hand_is_left_as_it_was_made(generate, catalog):
    design, group_id = generate("rail-optimized", SMALL)
    first, second = design.servers()[:2]
    place = design.placements[second.id]
    design.apply(operations.move(design, {first.id: (place.x + 5, place.y + 5)}))
    before = overlaps(design)
    design.apply(regenerate(design, group_id, replace(SMALL, servers=31), catalog).edit)
    assert frozenset((first.id, second.id)) in before & overlaps(design)


def test_what_no_longer_applies_is_listed_with_a_sentence_each(generate, catalog):
    design, group_id = generate("rail-optimized", TWO_SU)
    gone, stays = device(design, "gpu-63"), device(design, "gpu-01")
    design.apply(operations.rename(design, gone, "my last server"))
    design.apply(operations.delete(design, [design.links_of(gone)[0].id]))
    design.apply(operations.rename(design, stays, "my first server"))
    edit = operations.add_device(design, catalog.get("nvidia-qm9700"), 0, -900, catalog_types=catalog.types, name="box")
    design.apply(edit)
    leaf = design.find("leaf-su2-r3").id
    design.apply(operations.connect_devices(design, leaf, design.find("box").id))
    again = regenerate(design, group_id, replace(TWO_SU, servers=32), catalog)
    assert [conflict.sentence for conflict in again.conflicts] == [
        "my last server was renamed by hand and is not part of the new fabric",
        f"The link leaf-su2-r3 port {design.links_of(leaf)[-1].a.port} to box port 1/1 was drawn by hand: "
        "leaf-su2-r3 is not part of the new fabric",
    ]
    assert "my last server" in again.removed
    design.apply(again.edit)
    assert design.device(stays).name == "my first server"
    assert design.find("box").id in design.devices, "what was never part of the fabric stays"


def test_a_switch_put_into_another_network_by_hand_stays_in_it(generate, catalog):
    design, group_id = generate("rail-optimized", SMALL)
    leaf = design.switches()[0].id
    design.apply(operations.set_network(design, [leaf], "storage"))
    made = regenerate(design, group_id, replace(SMALL, servers=31), catalog)
    design.apply(made.edit)
    assert design.devices[leaf].network == "storage"
    assert not made.conflicts


def test_locks_and_the_layout_of_a_group_are_kept(generate, catalog):
    design, group_id = generate("rail-optimized", SMALL)
    leaf = design.switches()[0].id
    unit = next(one.id for one in design.groups.values() if one.kind == "scalable unit")
    design.apply(operations.lock(design, [leaf], locked=True))
    design.apply(tidy(design, [unit], "grid"))
    stood = design.placements[leaf]
    made = regenerate(design, group_id, replace(SMALL, servers=31), catalog)
    design.apply(made.edit)
    assert design.placements[leaf] == stood
    assert design.groups[unit].layout == "grid"
    assert not made.conflicts


def test_every_field_that_a_hand_can_set_has_a_word_for_what_was_done():
    for record in (Device, Rack, Group):
        assert {field.name for field in fields(record)} - {"id"} <= set(WORDS), record


def test_jobs_stay_on_the_servers_that_stay(generate, catalog):
    design, group_id = generate("rail-optimized", TWO_SU)
    names = {"first": ("gpu-01", "gpu-02"), "both": ("gpu-02", "gpu-63"), "last": ("gpu-62", "gpu-63")}
    for name, servers in names.items():
        ids = [device(design, one) for one in servers]
        design.apply(operations.add_job(design, name, servers=whole(ids), size_bytes=1e6, collective="all-reduce"))
    before = document.encode(design)

    again = regenerate(design, group_id, replace(TWO_SU, servers=32), catalog)

    assert [conflict.sentence for conflict in again.conflicts] == [
        "both ran on a server that is not part of the new fabric",
        "last ran on 2 servers that are not part of the new fabric, and goes with them",
    ]
    design.apply(again.edit)
    left = {job.name: job.servers for job in design.jobs.values()}
    assert left == {
        "first": (Allocation(device(design, "gpu-01")), Allocation(device(design, "gpu-02"))),
        "both": (Allocation(device(design, "gpu-02")),),
    }
    design.apply(again.edit.inverted())
    assert document.encode(design) == before


def prepared_pod(generate, catalog):
    design, group_id = generate("rail-optimized", TWO_SU)
    design.apply(prepare(design, catalog.types).edit)
    return design, group_id


def test_places_that_go_with_their_fabric_are_told_of_and_what_the_program_chose_goes_silently(generate, catalog):
    design, group_id = prepared_pod(generate, catalog)
    assert not regenerate(design, group_id, replace(TWO_SU, servers=62), catalog).conflicts
    again = regenerate(design, group_id, replace(TWO_SU, servers=56), catalog)
    assert [conflict.sentence for conflict in again.conflicts] == [
        "2 racks that have a place on the floor are not part of the new fabric",
    ]
    design.apply(again.edit)
    assert {link.length_source for link in design.links.values()} == {"routed"}


def test_a_cable_picked_by_hand_that_goes_with_its_link_is_told_of(generate, catalog):
    design, group_id = prepared_pod(generate, catalog)
    last = max(design.servers(), key=lambda one: one.name)
    links = design.links_of(last.id)[:3]
    for link in links:
        picked = replace(link, medium_id="tr-800-2fr4", medium_source="typed")
        design.apply(Edit("pick", (*added_type(design, catalog, "tr-800-2fr4"), Change(link, picked))))
    again = regenerate(design, group_id, replace(TWO_SU, servers=62), catalog)
    assert [conflict.sentence for conflict in again.conflicts] == [
        "3 links that were given a cable by hand are not part of the new fabric"
    ]


def added_type(design, catalog, type_id):
    return () if type_id in design.types else (Change(None, catalog.get(type_id)),)


def test_a_prepared_fabric_that_grows_is_prepared_again(generate, catalog):
    design, group_id = prepared_pod(generate, catalog)
    typed = next(iter(design.links.values()))
    design.apply(Edit("type", (Change(typed, replace(typed, length_m=77.0, length_source="typed")),)))
    picked = [link for link in design.links.values() if design.is_switch(link.a.device_id)][:2]
    for link in picked:
        changes = (
            *added_type(design, catalog, "tr-800-2fr4"),
            Change(link, replace(link, medium_id="tr-800-2fr4", medium_source="typed")),
        )
        design.apply(Edit("pick", changes))
    places = {rack.id: floor.place_of(rack) for rack in design.racks.values()}
    again = regenerate(design, group_id, replace(TWO_SU, servers=95), catalog)
    design.apply(again.edit)
    assert again.links_added and not again.conflicts
    assert all(floor.place_of(rack) is not None for rack in design.racks.values())
    assert all(floor.place_of(design.racks[one]) == place for one, place in places.items() if one in design.racks)
    assert floor.overlaps(design) == []
    assert (design.links[typed.id].length_m, design.links[typed.id].length_source) == (77.0, "typed")
    assert all(design.links[link.id].medium_id == "tr-800-2fr4" for link in picked)
    rest = [link for link in design.links.values() if link.id != typed.id]
    assert {link.length_source for link in rest} == {"routed"} and all(link.medium_id for link in rest)
    assert not route_cables(design), "every length is that of its route"


def test_with_its_own_parameters_a_prepared_fabric_stays_though_its_lengths_are_stale(generate, catalog):
    design, group_id = prepared_pod(generate, catalog)
    assert not regenerate(design, group_id, TWO_SU, catalog).edit
    design.apply(floor.place_racks(design, {next(iter(design.racks)): (300.0, 300.0)}))
    assert not regenerate(design, group_id, TWO_SU, catalog).edit


def test_a_fabric_that_nobody_prepared_gets_no_lengths_by_regenerating(generate, catalog):
    design, group_id = generate("rail-optimized", TWO_SU)
    design.apply(regenerate(design, group_id, replace(TWO_SU, servers=95), catalog).edit)
    assert {(link.length_source, link.medium_id) for link in design.links.values()} == {("", "")}
    assert all(floor.place_of(rack) is None for rack in design.racks.values())


def test_a_port_that_the_new_fabric_needs_goes_to_the_new_fabric(generate, catalog):
    small = FatTreeParameters(servers=12, switch="generic-switch-32x400g")
    design, group_id = generate("fat-tree", small)
    design.apply(
        operations.add_device(design, catalog.get("generic-switch"), 0, -900, catalog_types=catalog.types, name="box")
    )
    box = design.find("box").id
    spine = next(one.id for one in design.devices.values() if one.role == "spine")
    free = design.free_ports(spine)[0].name
    design.apply(operations.connect_devices(design, spine, box))
    again = regenerate(design, group_id, replace(small, servers=16), catalog)
    taken = [one.sentence for one in again.conflicts]
    assert taken == [
        f"The link {design.device(spine).name} port {free} to box port 1 was drawn by hand: "
        f"{design.device(spine).name} port {free} is taken in the new fabric"
    ]


@pytest.mark.parametrize("type_id", ["dgx-h100", "nvidia-qm9700"])
def test_what_was_mounted_by_hand_where_the_new_fabric_puts_a_server_is_reported(generate, catalog, type_id):
    design, group_id = generate("rail-optimized", SMALL)
    last = max(design.servers(), key=lambda one: one.name)
    rack = design.placements[last.id].rack_id
    edit = operations.add_device(
        design, catalog.get(type_id), 0, 900, catalog_types=catalog.types, name="guest", rack_id=rack
    )
    design.apply(edit)
    again = regenerate(design, group_id, replace(SMALL, servers=16), catalog)
    (conflict,) = again.conflicts
    assert conflict.sentence.startswith("guest stood by hand at rack-04 unit ")
    assert conflict.sentence.endswith(": gpu-16 stands there in the new fabric")
    design.apply(again.edit)
    assert design.placements[design.find("guest").id].rack_id is None


def with_a_switch_in_each_rack(generate, catalog):
    """31 servers under 8 leaf and 4 spine switches, the out-of-band switches in the racks that they serve."""
    parameters = RailOptimizedParameters(servers=31, servers_per_su=32, server="dgx-b200", reserve_leaf_ports=4)
    design, group_id = generate("rail-optimized", parameters)
    wanted = NetworkParameters(oob_switch="nvidia-sn2201", oob_per_rack=True)
    design.apply(networks.build(design, wanted, catalog))
    return design, group_id, replace(parameters, servers=64, reserve_leaf_ports=0)


def test_an_out_of_band_switch_stays_in_its_rack_where_new_spines_take_its_place(generate, catalog):
    design, group_id, larger = with_a_switch_in_each_rack(generate, catalog)
    own = [one.id for one in design.switches() if one.network == OUT_OF_BAND]
    stood = {one: design.placements[one] for one in own}
    again = regenerate(design, group_id, larger, catalog)
    assert not again.conflicts
    design.apply(again.edit)
    stands = {one: design.placements[one] for one in own}
    assert {one: place.rack_id for one, place in stands.items()} == {one: p.rack_id for one, p in stood.items()}
    (moved,) = [one for one in own if stands[one] != stood[one]]
    name = design.device(moved).name
    assert abs(stands[moved].unit - stood[moved].unit) <= 8 and stands[moved].side == stood[moved].side
    assert [one for one, _, _ in again.moved if one == name] == [name]
    assert not [one for one in validate(design).findings if one.code.startswith("RACK") and moved in one.subjects]


def test_an_out_of_band_switch_without_another_place_in_its_rack_is_reported(generate, catalog):
    design, group_id, larger = with_a_switch_in_each_rack(generate, catalog)
    rack = next(one for one in design.racks.values() if one.name == "net-02")
    (stands,) = [one for one in design.mounted(rack.id) if design.device(one).network == OUT_OF_BAND]
    lowest = min(design.placements[one].unit for one in design.mounted(rack.id))
    for unit in range(1, lowest):
        plug = operations.add_device(
            design, catalog.get("nvidia-sn2201"), 0, 0, catalog_types=catalog.types, rack_id=rack.id, unit=unit
        )
        design.apply(plug)
    again = regenerate(design, group_id, larger, catalog)
    (conflict,) = [one for one in again.conflicts if stands in one.subjects]
    assert re.fullmatch(
        r"oob-leaf-\d+ stood at net-02 unit 38: spine-05 stands there in the new fabric", conflict.sentence
    )
    design.apply(again.edit)
    assert design.placements[stands].rack_id is None


def test_a_switch_split_by_hand_stays_split_and_its_links_find_their_lanes(generate, catalog):
    design, group_id = generate("rail-optimized", SMALL)
    spine = device(design, "spine-01")
    design.apply(operations.set_port_mode(design, spine, "128x200G"))
    again = regenerate(design, group_id, replace(SMALL, servers=31), catalog)
    design.apply(again.edit)
    assert design.device(spine).port_mode == "128x200G"
    ports = design.port_map(spine)
    ends = [end for link in design.links_of(spine) for end in (link.a, link.b) if end.device_id == spine]
    assert ends
    assert all(end.port in ports for end in ends)


def test_a_fabric_beside_another_keeps_its_prefix_and_its_place(generate, catalog):
    design, first = generate("rail-optimized", SMALL)
    before = {one: design.placements[one] for one in design.devices}
    design, second = generate("rail-optimized", SMALL, design)
    stood = {one: design.placements[one] for one in design.devices}
    again = regenerate(design, second, replace(SMALL, servers=16), catalog)
    assert not again.conflicts
    assert again.added == ("2-gpu-16",)
    design.apply(again.edit)
    assert {one: design.placements[one] for one in before} == before
    assert design.placements[design.find("2-gpu-01").id] == stood[design.find("2-gpu-01").id]
    assert first in design.groups


def test_a_whole_fabric_that_was_moved_aside_grows_where_it_stands(generate, catalog):
    design, group_id = generate("rail-optimized", SMALL)
    design.apply(operations.move(design, {i: (p.x + 1000.5, p.y - 300) for i, p in design.placements.items()}))
    design.apply(regenerate(design, group_id, replace(SMALL, servers=16), catalog).edit)
    fresh, _ = generate("rail-optimized", replace(SMALL, servers=16))
    new, own = design.placements[design.find("gpu-16").id], fresh.placements[fresh.find("gpu-16").id]
    assert (new.x, new.y) == pytest.approx((own.x + 1000.5, own.y - 300))


def test_an_id_given_to_something_else_after_reopening_is_not_taken_for_the_fabrics(generate, catalog):
    design, group_id = generate("rail-optimized", SMALL)
    design.apply(operations.delete(design, [device(design, "spine-02")]))
    last = max(design.links, key=lambda one: int(one[1:]))
    design.apply(operations.delete(design, [last]))
    design = document.decode(document.encode(design))
    for name in ("one", "two"):
        edit = operations.add_device(design, catalog.get("dgx-h100"), 0, 5000, catalog_types=catalog.types, name=name)
        design.apply(edit)
    again = regenerate(design, group_id, SMALL, catalog)
    assert stripped(again.edit) == []
    again = regenerate(design, group_id, replace(SMALL, servers=16), catalog)
    design.apply(again.edit)
    assert {"one", "two", "gpu-16"} <= {one.name for one in design.devices.values()}
    assert "spine-02" not in {one.name for one in design.devices.values()}


def test_it_can_be_cancelled_and_tells_how_far_it_is(generate, catalog):
    design, group_id = generate("rail-optimized", SMALL)
    shares = []
    regenerate(design, group_id, SMALL, catalog, shares.append)
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] < 1

    def stop(share):
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        regenerate(design, group_id, SMALL, catalog, stop)


def test_what_cannot_be_generated_again_is_refused_with_a_reason(generate, catalog):
    design, group_id = generate("rail-optimized", SMALL)
    inner = next(one.id for one in design.groups.values() if one.id != group_id)
    with pytest.raises(ParameterError, match="SU 1 was not generated"):
        regenerate(design, inner, SMALL, catalog)
    with pytest.raises(UnknownEntityError, match="there is no group with id 'g99'"):
        regenerate(design, "g99", SMALL, catalog)
    with pytest.raises(ParameterError, match="it can be generated again as one only"):
        regenerate(design, group_id, FatTreeParameters(), catalog)
    with pytest.raises(ParameterError, match="servers"):
        regenerate(design, group_id, replace(SMALL, servers=10_000, rail_only=True), catalog)
    group = design.groups[group_id]
    unknown = replace(group, recipe=replace(group.recipe, family="hypertree"))
    design.apply(Edit("Bend", (Change(group, unknown),)))
    with pytest.raises(ParameterError, match="there is no family 'hypertree'"):
        regenerate(design, group_id, SMALL, catalog)
    fewer = replace(group, recipe=replace(group.recipe, devices=("d1-4",)))
    design.apply(Edit("Bend", (Change(unknown, fewer),)))
    with pytest.raises(ParameterError, match="edits made by hand cannot be recognized"):
        regenerate(design, group_id, SMALL, catalog)


@pytest.mark.parametrize("family", FABRICS)
@given(edits=hand_edits, reopened=st.booleans())
@settings(max_examples=15)
def test_with_the_parameters_it_has_nothing_changes_whatever_was_edited(generate, catalog, family, edits, reopened):
    design, group_id = bent(generate, family, edits, reopened)
    if group_id not in design.groups:
        return
    again = regenerate(design, group_id, FABRICS[family][0], catalog)
    assert stripped(again.edit) == []
    assert again.conflicts == ()


@pytest.mark.parametrize("family", FABRICS)
@given(edits=hand_edits, reopened=st.booleans(), which=st.integers(1, 3))
@settings(max_examples=15)
def test_ten_hand_edits_are_kept_or_told_of_and_undo_restores_the_bytes(
    generate, catalog, family, edits, reopened, which
):
    design, group_id = bent(generate, family, edits, reopened)
    if group_id not in design.groups:
        return
    parameters = FABRICS[family][which]
    plain, _ = generate(family, FABRICS[family][0])
    before, stood = document.encode(design), design.snapshot()
    again = regenerate(design, group_id, parameters, catalog)
    design.apply(again.edit)
    after = document.encode(design)
    assert document.encode(document.decode(after)) == after
    reported = {one for conflict in again.conflicts for one in conflict.subjects}
    check_devices(plain, stood, design, reported)
    check_links(plain, stood, design, reported)
    once_more = regenerate(design, group_id, parameters, catalog)
    assert stripped(once_more.edit) == [], "the result is a fabric with hand edits like any other"
    design.apply(again.edit.inverted())
    assert document.encode(design) == before


def bent(generate, family, edits, reopened):
    design, group_id = generate(family, FABRICS[family][0])
    for index, (number, a, b) in enumerate(edits):
        hand.do(design, number, a, b)
        if index == 5 and reopened:
            design = document.decode(document.encode(design))
    return design, group_id


def check_devices(plain: Design, stood: Design, design: Design, reported: set[str]) -> None:
    """Every rename, role and type given by hand is there, as is every device added; what was deleted is not."""
    for one in stood.devices.values():
        was = plain.devices.get(one.id)
        now = design.devices.get(one.id)
        if was is None or not isinstance(was, Device):
            assert now is not None and now.name == one.name, "a device added by hand stays"
            continue
        for field in ("name", "role", "type_id", "port_mode", "plane"):
            value = getattr(one, field)
            if value != getattr(was, field):
                assert one.id in reported or (now is not None and getattr(now, field) == value)
    came = {one.name for one in design.devices.values()}
    for one in plain.devices.values():
        if one.id not in stood.devices:
            assert one.name not in came or any(other.name == one.name for other in stood.devices.values())


def check_links(plain: Design, stood: Design, design: Design, reported: set[str]) -> None:
    """Every link drawn by hand, and every cable chosen by hand, is there or reported."""
    for link in stood.links.values():
        was, now = plain.links.get(link.id), design.links.get(link.id)
        ends = {link.a.device_id, link.b.device_id}
        if was is None:
            assert (now is not None and {now.a, now.b} == {link.a, link.b}) or ends & reported
        elif (link.medium_id, link.label) != (was.medium_id, was.label):
            assert (now is not None and (now.medium_id, now.label) == (link.medium_id, link.label)) or ends & reported


def test_line_cards_that_were_pulled_and_swapped_by_hand_stay_so(generate, catalog):
    parameters = FatTreeParameters(
        switch="nvidia-sn5600",
        spine_switch="arista-7808r4",
        server="generic-server-8x1x400g",
        servers=32,
        link_rate_gbps=800.0,
    )
    design, group_id = generate("fat-tree", parameters)
    spine = next(one.id for one in design.devices.values() if one.role == "spine")
    cards = {one.slot: one.id for one in design.modules_of(spine)}
    design.apply(operations.remove_modules(design, [cards["10"]]))
    design.apply(operations.swap_module(design, cards["9"], catalog.get("arista-7800r4k-36pe")))
    design.apply(operations.set_nic_mode(design, [cards["8"]], "72x400G"))
    again = regenerate(design, group_id, replace(parameters, servers=40), catalog)
    assert not again.conflicts
    design.apply(again.edit)
    held = {one.slot: (one.type_id[-12:], one.port_mode) for one in design.modules_of(spine)}
    assert held == {
        **{str(slot): ("7800r4c-36pe", "") for slot in range(3, 8)},
        "8": ("7800r4c-36pe", "72x400G"),
        "9": ("7800r4k-36pe", ""),
    }
    assert len(design.used_ports(spine)) == 160
