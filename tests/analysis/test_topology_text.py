"""What documents say a topology is."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer.analysis.topology_text import topology_text
from designer.catalog.catalog import load
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.removing import delete
from designer.regeneration.recipes import family_named, generated
from designer.storage import document
from designer.topologies.families import FAMILIES

FAULTS = Path(__file__).resolve().parents[2] / "examples" / "faults.fabric"


def made(name: str, **given: object) -> Design:
    """A fabric of a family."""
    design, family = Design(), family_named(name)
    design.apply(generated(design, family, family.parameters(**given), load()))
    return design


def test_a_dragonfly_states_its_parameters_and_the_arrangement():
    found = topology_text(made("dragonfly", p=2, a=4, h=2, groups=5))
    assert found.text.startswith("Dragonfly, p = 2, a = 4, h = 2, g = 5: 5 groups of a = 4 routers, all connected to ")
    assert "2 global links between every two groups, in the relative arrangement" in found.text


def test_global_links_that_crowd_on_few_routers_are_a_caution():
    crowded = {"p": 2, "a": 4, "h": 4, "groups": 9, "links_per_pair": 1}
    assert topology_text(made("dragonfly", **crowded)).cautions == (
        "Only 2 of the 4 routers of a group have global links in the relative arrangement; in the even one 4 have.",
    )
    assert topology_text(made("dragonfly", **crowded, arrangement="even")).cautions == ()
    spines = {"leafs": 4, "spines": 4, "h": 4, "groups": 5, "links_per_pair": 1}
    assert "1 of the 4 spines" in topology_text(made("dragonfly-plus", **spines)).cautions[0]


def test_groups_of_several_kinds_are_all_stated():
    text = topology_text(made("dragonfly", p=2, a=4, h=4, groups=3, other_groups=(("io", (2, 2, 1)),))).text
    assert text.startswith("Dragonfly, 5 groups: 3 compute groups of a = 4 routers")
    assert "2 io groups of a = 2 routers" in text


def test_a_rail_optimized_fabric_states_units_rails_and_reserved_ports():
    text = topology_text(made("rail-optimized", servers=31, servers_per_su=16, reserve_leaf_ports=4)).text
    assert text == (
        "Rail-optimized fabric, 2 tiers of switches: 31 servers, 16 leaf switches, 4 spine switches; 2 scalable units "
        "of up to 16 servers with 8 rails, one leaf switch per rail; NIC n of each server connects to rail n; "
        "planned oversubscription of the leaf switches at most 1:1; 4 leaf ports reserved."
    )


TRAYS = {"server": "gb200-compute-tray", "switch": "nvidia-qm9700", "servers_per_su": 36, "leafs_per_rail": 2}


def test_several_leaf_switches_of_a_rail_state_the_rack_that_each_is_for():
    design = made("rail-optimized", servers=36, **TRAYS)
    assert " with 4 rails, 2 leaf switches per rail, one per rack of 18 servers; NIC n " in topology_text(design).text
    moved = next(iter(design.servers())).id
    design.apply(Edit("", (Change(place := design.placements[moved], replace(place, rack_id=None, unit=None)),)))
    assert " with 4 rails, 2 leaf switches per rail, one for 18 servers; NIC n " in topology_text(design).text
    none = made("rail-optimized", servers=72, racks="none", **TRAYS)
    assert "2 scalable units of up to 36 servers with 4 rails, 2 leaf switches per rail, one for 18 servers; NIC" in (
        topology_text(none).text
    )
    half = made("rail-optimized", servers=18, racks="none", **TRAYS)
    assert "2 leaf switches per rail, one for 18 servers" in topology_text(half).text, "they stand in no rack"
    shared = made("rail-optimized", servers=36, **(TRAYS | {"servers_per_su": None}))
    assert "2 leaf switches per rail, one " in topology_text(shared).text


def test_both_leaf_switches_of_a_dual_top_of_rack_are_counted_to_their_rail():
    dual = {"server": "generic-server-8x2x200g", "switch": "generic-switch-128x200g", "leafs_per_nic": 2}
    design = made("rail-optimized", servers=16, servers_per_su=16, leafs_per_rail=2, **dual)
    assert " with 8 rails, 4 leaf switches per rail, 2 for 8 servers; NIC " in topology_text(design).text
    alone = made("rail-optimized", servers=16, servers_per_su=16, **dual)
    assert " with 8 rails, 2 leaf switches per rail; NIC " in topology_text(alone).text
    several = made("rail-optimized", servers=32, servers_per_su=16, **dual)
    assert " with 8 rails, 2 leaf switches per rail and scalable unit; NIC " in topology_text(several).text


def test_nics_of_a_server_with_fewer_rails_are_on_them_in_turn():
    text = topology_text(made("rail-optimized", servers=16, rails=4)).text
    assert "with 4 rails" in text and "; the NICs of each server connect to the rails in turn;" in text


def test_a_fat_tree_states_tiers_and_ratio():
    text = topology_text(made("fat-tree", servers=16, oversubscription=2.0)).text
    assert text.startswith("Fat-tree, 2 tiers of switches: 16 servers, ")
    assert text.endswith("planned oversubscription of the leaf switches at most 2:1.")
    assert "1 tier of switches" in topology_text(made("fat-tree", servers=2)).text


@pytest.mark.parametrize("name", [one.name for one in FAMILIES])
def test_every_family_states_itself_in_one_sentence(name: str):
    found = topology_text(made(name))
    assert len(found.sentences) == 1 + (name in ("scale-up", "torus")), "whose racks, or nodes, come with links"
    assert found.text.endswith(".")
    assert not found.text.startswith("Drawn")
    assert "None" not in found.text


@pytest.mark.parametrize("table", ["links", "devices"])
def test_changes_by_hand_are_stated(table):
    design = made("fat-tree", servers=4)
    assert "Changed by hand" not in topology_text(design).text
    design.apply(delete(design, [next(iter(getattr(design, table)))]))
    assert topology_text(design).text.endswith(" Changed by hand since it was generated.")


def test_links_to_devices_of_other_networks_are_no_change_of_the_fabric():
    design = document.load(FAULTS)
    design.apply(delete(design, ["d20", "d25", "d27"]))  # devices of compute that were linked to it by hand
    fabric = {one.id for one in design.devices.values() if one.group_id in ("g1", "g2", "g3")}
    out = sum((one.a.device_id in fabric) != (one.b.device_id in fabric) for one in design.links.values())
    assert out > 10
    group = next(one for one in design.groups.values() if one.recipe is not None)
    own = [one.id for one in design.links.values() if {one.a.device_id, one.b.device_id} <= fabric]
    recipe = replace(group.recipe, devices=tuple(sorted(fabric)), links=tuple(own))
    design.apply(Edit("", (Change(group, replace(group, recipe=recipe)),)))
    text = topology_text(design).text
    assert text.startswith("Compute: Rail-optimized fabric, ")
    assert "Changed by hand" not in text


def test_a_design_without_a_recipe_says_so():
    design = made("fat-tree", servers=16, oversubscription=2.0)
    group = next(iter(design.groups.values()))
    design.apply(Edit("", (Change(group, replace(group, recipe=None)),)))
    assert topology_text(design).text.startswith(
        "Drawn or imported, not generated from a topology family: 16 servers, "
    )
    assert topology_text(Design()).text == "The design has no devices."


def test_a_sentence_about_compute_counts_no_switches_of_other_networks():
    design = made("fat-tree", servers=16, oversubscription=2.0)
    group = next(iter(design.groups.values()))
    design.apply(Edit("", (Change(group, replace(group, recipe=None)),)))
    alone = topology_text(design).text
    leaf = next(one for one in design.switches() if one.role == "leaf")
    design.apply(Edit("", (Change(None, replace(leaf, id="more", name="stor-leaf-1", network="storage")),)))
    assert topology_text(design).text == f"Compute: {alone}"
    shared = replace(design.devices["more"], carries=("compute",))
    design.apply(Edit("", (Change(design.devices["more"], shared),)))
    assert topology_text(design).text != f"Compute: {alone}", "it is a switch of both"


def test_units_that_are_racks_are_called_racks():
    racks = topology_text(made("rail-optimized", server="gb200-nvl72", servers=2, racks="none")).text
    assert "; 2 racks with 4 rails, one leaf switch per rail; " in racks and "scalable unit" not in racks
    units = topology_text(made("rail-optimized", servers=2, servers_per_su=1)).text
    assert "; 2 scalable units of up to 1 server with 8 rails" in units
