"""Rules about tiers: links to the next tier, uplinks on every leaf, blocks that keep to their spines."""

from dataclasses import replace

import pytest

from designer.model.edit import Change, Edit, removed
from designer.model.entities import Group
from designer.validation.engine import Severity, validate


def found(design, code):
    return [one for one in validate(design).findings if one.code == code]


def links(fabric, a, b):
    ids = {fabric.id(a), fabric.id(b)}
    return [link for link in fabric.design.links.values() if {link.a.device_id, link.b.device_id} == ids]


def assert_fixed(design, finding):
    before = {one.message for one in validate(design).findings}
    design.apply(finding.fix)
    after = {one.message for one in validate(design).findings}
    assert finding.message not in after and after <= before


@pytest.fixture
def pods(bare):
    """Two pods of three leafs and two spines, joined by two cores."""
    leafs, spines, hosts = ([f"{word}-{n}" for n in range(1, 7)] for word in ("leaf", "spine", "host"))
    bare.add("nvidia-qm9700", *leafs, *spines[:4], "core-1", "core-2")
    bare.add("dgx-h100", *hosts)
    for number, leaf in enumerate(leafs):
        bare.join(hosts[number], leaf, 8)
        for spine in spines[:2] if number < 3 else spines[2:4]:
            bare.join(leaf, spine, 4)
    for spine in spines[:4]:
        for core in ("core-1", "core-2"):
            bare.join(spine, core, 6)
    return bare


def test_links_between_leafs_are_one_finding(fabric):
    assert found(fabric.design, "TIER-002") == []
    fabric.join("leaf-1", "leaf-2", 2)
    (finding,) = found(fabric.design, "TIER-002")
    assert finding.message == "2 links join two leaf switches: leaf-1 to leaf-2"
    assert set(finding.subjects) == {link.id for link in links(fabric, "leaf-1", "leaf-2")}


def test_a_server_on_a_spine_skips_a_tier(fabric):
    for name, role in (("spine-1", "spine"), ("spine-2", "spine"), ("leaf-1", "leaf"), ("leaf-2", "leaf")):
        device = fabric.device(name)
        fabric.change(device, replace(device, role=role))
    fabric.add("dgx-h100", "host-5")
    fabric.join("host-5", "spine-1")
    (finding,) = found(fabric.design, "TIER-002")
    assert finding.message == "1 link joins a server to a spine past the tier between: host-5 to spine-1"


def test_switches_without_a_tier_above_may_be_joined(bare):
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2")
    bare.add("dgx-h100", "host-1", "host-2")
    bare.join("host-1", "leaf-1", 8)
    bare.join("host-2", "leaf-2", 8)
    bare.join("leaf-1", "leaf-2", 8)
    assert found(bare.design, "TIER-002") == []


def test_a_leaf_without_uplinks_is_found_and_connected_as_its_neighbor(fabric):
    fabric.add("nvidia-qm9700", "leaf-3")
    fabric.add("dgx-h100", "host-5")
    fabric.join("host-5", "leaf-3", 8)
    (finding,) = found(fabric.design, "TIER-003")
    assert finding.message == "leaf-3 has servers but no uplink; 2 other leaf switches have some"
    assert finding.fix.label == "Add 16 uplinks to leaf-3"
    assert_fixed(fabric.design, finding)


def bare_leaf(fabric, type_id="nvidia-qm9700", **of_leaf):
    fabric.add(type_id, "leaf-9")
    fabric.add("dgx-h100", "host-9")
    fabric.join("host-9", "leaf-9", 8)
    fabric.change(fabric.device("leaf-9"), replace(fabric.device("leaf-9"), **of_leaf))
    (finding,) = found(fabric.design, "TIER-003")
    return finding


def test_of_two_fabrics_a_leaf_of_neither_is_offered_the_uplinks_of_none(pods):
    cores = [link for core in ("core-1", "core-2") for link in pods.design.links_of(pods.id(core))]
    pods.design.apply(Edit("part", removed(cores)))
    assert bare_leaf(pods).fix is None


@pytest.mark.parametrize("fields", [{"unit": 2}, {"group_id": "g2"}])
def test_of_two_fabrics_a_leaf_is_offered_the_uplinks_of_its_unit_or_group(pods, fields):
    cores = [link for core in ("core-1", "core-2") for link in pods.design.links_of(pods.id(core))]
    pods.design.apply(Edit("part", removed(cores)))
    pods.put(Group("g2", "SU 2"))
    pods.change(pods.device("leaf-5"), replace(pods.device("leaf-5"), **fields))
    spines = {change.after.b.device_id for change in bare_leaf(pods, **fields).fix.changes}
    assert spines == {pods.id("spine-3"), pods.id("spine-4")}


def test_of_two_fabrics_a_leaf_is_offered_the_uplinks_of_the_one_its_servers_are_in(pods):
    cores = [link for core in ("core-1", "core-2") for link in pods.design.links_of(pods.id(core))]
    pods.design.apply(Edit("part", removed([*cores, pods.design.links_of(pods.id("host-4"))[0]])))
    pods.add("nvidia-qm9700", "leaf-9")
    pods.join("host-4", "leaf-9")
    (finding,) = found(pods.design, "TIER-003")
    assert {change.after.b.device_id for change in finding.fix.changes} == {pods.id("spine-3"), pods.id("spine-4")}


def test_a_leaf_is_not_offered_the_uplinks_of_another_plane(fabric):
    for name in ("leaf-1", "leaf-2"):
        fabric.change(fabric.device(name), replace(fabric.device(name), plane=1))
    assert bare_leaf(fabric, plane=2).fix is None


def test_a_leaf_is_not_offered_uplinks_that_are_uneven_themselves(fabric):
    fabric.design.apply(Edit("cut", removed(links(fabric, "leaf-1", "spine-2")[:2])))
    finding = bare_leaf(fabric)
    assert finding.fix.label == "Add 16 uplinks to leaf-9"
    fabric.design.apply(Edit("cut", removed(links(fabric, "leaf-2", "spine-2")[:2])))
    (finding,) = found(fabric.design, "TIER-003")
    assert finding.fix is None


def test_leafs_joined_to_each_other_have_no_uplinks_to_lack(fabric):
    fabric.add("nvidia-qm9700", "leaf-3")
    fabric.add("dgx-h100", "host-5")
    fabric.join("host-5", "leaf-3", 8)
    fabric.join("leaf-3", "leaf-2", 2)
    assert found(fabric.design, "TIER-003") == []
    assert len(found(fabric.design, "TIER-002")) == 1


def test_where_half_of_the_leafs_have_no_uplink_none_is_amiss(fabric):
    gone = links(fabric, "leaf-1", "spine-1") + links(fabric, "leaf-1", "spine-2")
    fabric.design.apply(Edit("cut", removed(gone)))
    assert found(fabric.design, "TIER-003") == []


def test_an_uplink_into_another_block_is_moved_home(pods):
    design = pods.design
    assert validate(design).findings == ()
    link = links(pods, "leaf-1", "spine-2")[0]
    near = link.a if link.a.device_id == pods.id("spine-2") else link.b
    end = replace(near, device_id=pods.id("spine-3"), port=design.free_ports(pods.id("spine-3"))[0].name)
    moved = replace(link, a=end) if link.a == near else replace(link, b=end)
    design.apply(Edit("move", (Change(link, moved),)))
    (finding,) = found(design, "TIER-004")
    assert finding.message == "leaf-1 is linked to spine-3 of another block; its own are spine-1, spine-2"
    uneven = found(design, "SPREAD-001")
    assert [one.message for one in uneven] == ["leaf-1: 3 to 4 uplinks to each of 2 spines, fewest to spine-2"]
    assert_fixed(design, finding)
    assert validate(design).findings == ()


def test_a_leaf_that_lacks_a_spine_is_uneven_and_not_astray(fabric):
    fabric.design.apply(Edit("cut", removed(links(fabric, "leaf-1", "spine-2"))))
    assert found(fabric.design, "TIER-004") == []
    assert len(found(fabric.design, "SPREAD-001")) == 1


def test_cores_over_one_pod_join_nothing(pods):
    assert found(pods.design, "TIER-005") == []
    second = [
        one
        for name in ("leaf-4", "leaf-5", "leaf-6", "spine-3", "spine-4")
        for one in pods.design.links_of(pods.id(name))
    ]
    pods.design.apply(Edit("one pod", removed(list({one.id: one for one in second}.values()))))
    (finding,) = found(pods.design, "TIER-005")
    assert finding.message == (
        "2 cores have a single pod below, whose 3 leaf switches reach each other without them: core-1, core-2"
    )
    assert finding.subjects == (pods.id("core-1"), pods.id("core-2"))
    assert finding.severity is Severity.INFO


def test_spines_over_one_leaf_join_nothing(fabric):
    assert found(fabric.design, "TIER-005") == []
    fabric.design.apply(Edit("cut", removed(links(fabric, "leaf-2", "spine-1") + links(fabric, "leaf-2", "spine-2"))))
    (finding,) = found(fabric.design, "TIER-005")
    assert finding.message == "2 spines have a single switch below, leaf-1, and join nothing: spine-1, spine-2"


def test_a_tier_that_keeps_ports_or_has_servers_is_there_for_those(fabric):
    fabric.design.apply(Edit("cut", removed(links(fabric, "leaf-2", "spine-1") + links(fabric, "leaf-2", "spine-2"))))
    spine = fabric.device("spine-1")
    free = fabric.design.free_ports(spine.id)[0].name
    fabric.change(spine, replace(spine, reserved_ports=(free,)))
    assert found(fabric.design, "TIER-005") == []
    fabric.change(fabric.device("spine-1"), spine)
    assert len(found(fabric.design, "TIER-005")) == 1
    for name in ("spine-1", "spine-2"):
        fabric.change(fabric.device(name), replace(fabric.device(name), role="spine"))
    assert len(found(fabric.design, "TIER-005")) == 1
    fabric.add("dgx-h100", "host-9")
    fabric.join("host-9", "spine-1")
    assert found(fabric.design, "TIER-005") == []
