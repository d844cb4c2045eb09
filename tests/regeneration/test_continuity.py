"""Growing a fabric: racks keep names and contents, links between two switches their ports; the rest is listed."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from designer.model import operations
from designer.model.design import from_entities
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Revision
from designer.regeneration.continuity import keep_labelled_names
from designer.regeneration.regenerate import regenerate
from designer.storage import document
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters

POD = RailOptimizedParameters(servers=15, servers_per_su=8, reserve_leaf_ports=2)
SERVERS = (31, 23, 40, 9, 15)


def places(design):
    """Rack and unit of every device, by its id."""
    return {
        one: (design.racks[place.rack_id].name, place.unit)
        for one, place in design.placements.items()
        if place.rack_id is not None
    }


def ends(design):
    """Both ends of every link, by its id."""
    return {one: (link.a, link.b) for one, link in design.links.items()}


def between(links):
    return Counter(frozenset(end.device_id for end in pair) for pair in links.values())


def test_racks_keep_their_names_and_contents_and_new_ones_are_numbered_on(generate, catalog):
    design, group_id = generate("rail-optimized", POD)
    racks, stood = {one: rack.name for one, rack in design.racks.items()}, places(design)
    spines = {stood[one.id][0] for one in design.devices.values() if one.role == "spine"}
    assert spines == {"net-03"}, "behind the racks of two units"
    again = regenerate(design, group_id, replace(POD, servers=31), catalog)
    design.apply(again.edit)
    assert {one: rack.name for one, rack in design.racks.items() if one in racks} == racks
    assert {one: place for one, place in places(design).items() if one in stood} == stood
    new = [rack.name for one, rack in design.racks.items() if one not in racks]
    assert sorted(new) == ["net-04", "net-05", "rack-05", "rack-06", "rack-07", "rack-08"]
    assert again.moved == ()


def test_spines_stay_in_their_rack_when_more_leaf_switches_need_racks(generate, catalog):
    """Racks of a fat-tree are in no units: a rack is recognized by what stands in it, not by its number."""
    parameters = FatTreeParameters(servers=64, switch="nvidia-qm9700", server="dgx-h100")
    design, group_id = generate("fat-tree", parameters)
    stood = places(design)
    again = regenerate(design, group_id, replace(parameters, servers=200), catalog)
    design.apply(again.edit)
    assert {one: place for one, place in places(design).items() if one in stood} == stood
    assert again.moved == ()


def test_links_between_two_switches_keep_their_ports_however_often_the_fabric_changes(generate, catalog):
    design, group_id = generate("rail-optimized", POD)
    for servers in SERVERS:
        before = ends(design)
        again = regenerate(design, group_id, replace(POD, servers=servers), catalog)
        design.apply(again.edit)
        after = ends(design)
        both = before.keys() & after.keys()
        assert {one: after[one] for one in both} == {one: before[one] for one in both}
        assert (again.replugged, again.conflicts) == ((), ())
        kept = between({one: after[one] for one in both})
        assert kept == between(before) & between(after), "every link that the new fabric has between two devices"
        used = Counter(end for pair in after.values() for end in pair)
        assert max(used.values()) == 1, "no port is used twice"
        assert all(design.port(end) is not None for end in used)
        reserved = {End(one.id, port) for one in design.devices.values() for port in one.reserved_ports}
        assert not reserved & used.keys()
        fresh, _ = generate("rail-optimized", replace(POD, servers=servers))
        assert len(fresh.links) == len(design.links)
        same = regenerate(design, group_id, replace(POD, servers=servers), catalog)
        assert not same.edit, "what was kept is not taken for edits by hand"
        assert same.names_by_hand == 0


def test_links_that_traded_ports_by_hand_between_their_switches_stay_so(generate, catalog):
    design, group_id = generate("rail-optimized", POD)
    spine = next(one for one in design.devices.values() if one.role == "spine").id
    first, second = design.links_of(spine)[:1] + design.links_of(spine)[-1:]
    assert (first.b.device_id, second.b.device_id) == (spine, spine)
    traded = (replace(first, b=second.b), replace(second, b=first.b))
    design.apply(Edit("Trade", tuple(Change(*pair) for pair in zip((first, second), traded, strict=True))))
    again = regenerate(design, group_id, replace(POD, servers=31), catalog)
    assert not again.conflicts
    design.apply(again.edit)
    kept = [link for link in traded if link.id in design.links]
    assert kept and all(design.links[link.id] == link for link in kept)


def test_a_port_that_the_new_fabric_reserves_is_not_kept(generate, catalog):
    parameters = replace(POD, reserve_leaf_ports=0)
    design, group_id = generate("rail-optimized", parameters)
    reserving = replace(POD, reserve_leaf_ports=8)
    there, _ = generate("rail-optimized", reserving)
    leaf = design.find("leaf-su2-r1").id
    (port,) = there.device(there.find("leaf-su2-r1").id).reserved_ports
    link = next(one for one in design.links_of(leaf) if design.is_server(one.a.device_id))
    moved = replace(link, b=End(leaf, port))
    design.apply(Edit("Move", (Change(link, moved),)))
    again = regenerate(design, group_id, reserving, catalog)
    design.apply(again.edit)
    assert design.links[link.id] == link
    assert [new for _, new in again.replugged] == [f"{design.end_name(link.a)} to {design.end_name(link.b)}"]


def test_devices_that_change_their_rack_are_listed_with_the_old_and_the_new_place(generate, catalog):
    parameters = RailOptimizedParameters(servers=33)
    design, group_id = generate("rail-optimized", parameters)
    stood = {design.device(one).name: f"{rack} unit {unit}" for one, (rack, unit) in places(design).items()}
    again = regenerate(design, group_id, replace(parameters, servers=40), catalog)
    design.apply(again.edit)
    stands = {design.device(one).name: f"{rack} unit {unit}" for one, (rack, unit) in places(design).items()}
    changed = {(name, stood[name], stands[name]) for name in stood if stands[name] != stood[name]}
    assert changed and set(again.moved) == changed


def test_links_that_go_are_listed_by_name(generate, catalog):
    design, group_id = generate("rail-optimized", POD)
    names = {one: f"{design.end_name(link.a)} to {design.end_name(link.b)}" for one, link in design.links.items()}
    again = regenerate(design, group_id, replace(POD, servers=31), catalog)
    design.apply(again.edit)
    gone = [names[one] for one in names if one not in design.links]
    assert gone and list(again.unplugged) == gone
    assert again.links_removed == len(gone)


def test_links_that_change_ports_are_listed_as_they_were_and_as_they_will_be(generate, catalog):
    """Switches of another type have ports of other names: none of the old ones is there to be kept."""
    design, group_id = generate("rail-optimized", POD)
    before = ends(design)
    stated = {one: f"{design.end_name(a)} to {design.end_name(b)}" for one, (a, b) in before.items()}
    again = regenerate(design, group_id, replace(POD, switch="generic-switch-64x400g"), catalog)
    design.apply(again.edit)
    changed = [
        (stated[one], f"{design.end_name(a)} to {design.end_name(b)}")
        for one, (a, b) in ends(design).items()
        if one in before and (a, b) != before[one]
    ]
    assert changed and sorted(again.replugged) == sorted(changed)


def test_names_given_by_hand_are_counted_where_they_stay(generate, catalog):
    design, group_id = generate("rail-optimized", POD)
    for name in ("gpu-02", "spine-01", "gpu-15"):
        design.apply(operations.rename(design, design.find(name).id, f"my {name}"))
    before = document.encode(design)
    assert regenerate(design, group_id, replace(POD, servers=31), catalog).names_by_hand == 3
    fewer = regenerate(design, group_id, replace(POD, servers=14), catalog)
    assert fewer.names_by_hand == 2, "gpu-15 is removed"
    design.apply(fewer.edit)
    design.apply(fewer.edit.inverted())
    assert document.encode(design) == before


GROWN = replace(POD, servers=127, servers_per_su=32)


def fabric_of(names):
    return SimpleNamespace(
        tables={"devices": {one: Device(one, name, "generic-switch") for one, name in names.items()}}
    )


def labelled(design, name):
    """The design with a label on one link of a device."""
    link = next(iter(design.links_of(design.find(name).id)))
    design.apply(Edit("Label a cable", (Change(link, replace(link, label="A17")),)))
    return {end.device_id for end in (link.a, link.b)}


def test_a_device_with_a_label_on_a_cable_keeps_its_name(generate, catalog):
    design, group_id = generate("rail-optimized", POD)
    names = {one.id: one.name for one in design.devices.values()}
    ids = labelled(design, "gpu-02")
    again = regenerate(design, group_id, GROWN, catalog)
    renamed = dict(again.renamed)
    assert renamed["gpu-01"] == "gpu-001"
    assert not {names[one] for one in ids} & renamed.keys()
    assert dict(regenerate(design, group_id, GROWN, catalog, rename_labelled=True).renamed)["gpu-02"] == "gpu-002"
    design.apply(again.edit)
    assert len({one.name for one in design.devices.values()}) == len(design.devices)
    assert not regenerate(design, group_id, GROWN, catalog).edit.changes


def test_no_device_is_renamed_once_a_revision_was_handed_over(generate, catalog):
    design, group_id = generate("rail-optimized", POD)
    design.apply(Edit("Record", (Change(None, Revision("v1", "1")),)))
    again = regenerate(design, group_id, GROWN, catalog)
    assert again.renamed == ()
    assert "gpu-016" in again.added


def test_no_new_device_gets_the_name_that_a_labelled_one_keeps(catalog):
    kind = catalog.get("generic-switch")
    design = from_entities([kind, Revision("v1", "1"), *(Device(one, one, kind.id) for one in ("d1", "d2"))])
    base = fabric_of({"d1": "leaf-01", "d2": "core"})
    fabric = fabric_of({"d1": "leaf-02", "d2": "core", "d3": "leaf-01", "d4": "leaf-03"})
    keep_labelled_names(design, base, fabric)
    names = {one: device.name for one, device in fabric.tables["devices"].items()}
    assert names == {"d1": "leaf-01", "d2": "core", "d3": "leaf-04", "d4": "leaf-03"}


@pytest.mark.parametrize("servers", SERVERS)
def test_a_rack_that_was_renamed_by_hand_keeps_that_name(generate, catalog, servers):
    design, group_id = generate("rail-optimized", POD)
    spines = next(one for one, rack in design.racks.items() if rack.name == "net-03")
    design.apply(operations.rename(design, spines, "spine row"))
    design.apply(regenerate(design, group_id, replace(POD, servers=servers), catalog).edit)
    assert design.racks[spines].name == "spine row"
    assert len({rack.name for rack in design.racks.values()}) == len(design.racks)
