"""Rules about rails and planes: units with all their leafs, servers on those of their unit, planes apart."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.model.design import Design
from designer.model.edit import Change, Edit, removed
from designer.topologies.rail_optimized import RailOptimizedParameters, build
from designer.validation.engine import validate


def made(**values):
    design = Design()
    design.apply(build(design, RailOptimizedParameters(**values), load()))
    return design


@pytest.fixture(scope="module")
def whole():
    """Two units of four servers, with a leaf for each of eight rails. Not to be changed."""
    return made(servers=8, servers_per_su=4)


def found(design, code):
    return [one for one in validate(design).findings if one.code == code]


def of_rail(design, unit, rail):
    return next(one for one in design.switches() if (one.unit, one.rail) == (unit, rail))


def end_at(link, device_id):
    return link.a if link.a.device_id == device_id else link.b


def moved(design, link, from_id, to_id, offset=0):
    """The change that puts one end of a link on a free port of another device."""
    old = end_at(link, from_id)
    new = replace(old, device_id=to_id, port=design.free_ports(to_id)[offset].name)
    return Change(link, replace(link, a=new) if old == link.a else replace(link, b=new))


def link_between(design, a, b):
    return next(one for one in design.links_of(a) if {one.a.device_id, one.b.device_id} == {a, b})


def test_a_whole_fabric_is_clean(whole):
    assert validate(whole).findings == ()


def test_a_unit_without_the_leaf_of_a_rail(whole):
    design = made(servers=12, servers_per_su=4)
    leaf = of_rail(design, 2, 7)
    gone = [leaf, design.placements[leaf.id], *design.links_of(leaf.id)]
    design.apply(Edit("remove", removed(gone)))
    (finding,) = found(design, "RAIL-002")
    assert finding.message == "Unit 2 has no leaf switch for rail 7, which 2 other units have"
    assert (finding.value, finding.limit) == (7, 8)
    assert set(finding.subjects) == {of_rail(design, 2, rail).id for rail in (1, 2, 3, 4, 5, 6, 8)}


def test_of_two_units_one_without_the_leaf_is_found(whole):
    design = whole.snapshot()
    leaf = of_rail(design, 2, 7)
    design.apply(Edit("remove", removed([leaf, design.placements[leaf.id], *design.links_of(leaf.id)])))
    (finding,) = found(design, "RAIL-002")
    assert finding.message == "Unit 2 has no leaf switch for rail 7, which 1 other unit has"


def test_a_leaf_that_states_no_unit_serves_all(whole):
    design = made(servers=12, servers_per_su=4)
    leaf = of_rail(design, 2, 7)
    design.apply(Edit("share", (Change(leaf, replace(leaf, unit=None)),)))
    assert found(design, "RAIL-002") == []


def test_a_server_on_the_leaf_of_another_unit_is_moved_home(whole):
    design = whole.snapshot()
    server = design.servers()[0]
    own, other = of_rail(design, 1, 3), of_rail(design, 2, 3)
    design.apply(Edit("away", (moved(design, link_between(design, server.id, own.id), own.id, other.id),)))
    (finding,) = found(design, "RAIL-003")
    assert finding.message == f"{server.name} of unit 1 is linked to {other.name} of unit 2"
    assert finding.subjects == (server.id, other.id)
    assert finding.fix.label == f"Move 1 link of {server.name} to the leaf switches of its unit"
    n_links = len(design.links)
    design.apply(finding.fix)
    assert found(design, "RAIL-003") == [] and len(design.links) == n_links
    assert validate(design).findings == ()


def test_a_server_that_states_no_unit_may_be_on_any_leaf(whole):
    design = whole.snapshot()
    server = design.servers()[0]
    own, other = of_rail(design, 1, 3), of_rail(design, 2, 3)
    away = moved(design, link_between(design, server.id, own.id), own.id, other.id)
    design.apply(Edit("away", (away, Change(server, replace(server, unit=None)))))
    assert found(design, "RAIL-003") == []


def test_rails_in_another_order_are_noted_once(whole):
    design = whole.snapshot()
    swap = {1: 2, 2: 1}
    changes = [Change(one, replace(one, rail=swap[one.rail])) for one in design.switches() if one.rail in swap]
    design.apply(Edit("swap", tuple(changes)))
    (finding,) = found(design, "RAIL-004")
    assert finding.message == (
        "DGX H100: GPU 0 is on rail 2 in 8 servers; GPUs 0 to 7 are on rails 2, 1, 3, 4, 5, 6, 7, 8"
    )
    assert finding.severity == "info"
    design.apply(Edit("one back", tuple(change.inverted() for change in changes if change.before.unit == 1)))
    assert found(design, "RAIL-004") == []  # the servers do not agree: RAIL-001 says where


def with_planes(fabric):
    """Leaf n and spine n in plane n."""
    for name in ("leaf-1", "leaf-2", "spine-1", "spine-2"):
        device = fabric.device(name)
        fabric.change(device, replace(device, plane=int(name[-1])))


def test_links_between_planes_are_one_finding_for_each_pair(fabric):
    assert found(fabric.design, "PLANE-001") == []
    with_planes(fabric)
    messages = [one.message for one in found(fabric.design, "PLANE-001")]
    assert messages == [
        "leaf-1 of plane 1 is linked to spine-2 of plane 2",
        "leaf-2 of plane 2 is linked to spine-1 of plane 1",
    ]
    spine = fabric.device("spine-2")
    fabric.change(spine, replace(spine, plane=None))
    assert len(found(fabric.design, "PLANE-001")) == 1


def test_leafs_of_two_planes_may_be_joined_where_nothing_is_above(bare):
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2")
    bare.join("leaf-1", "leaf-2")
    for number, name in enumerate(("leaf-1", "leaf-2"), start=1):
        bare.change(bare.device(name), replace(bare.device(name), plane=number, role="leaf"))
    assert found(bare.design, "PLANE-001") == []
    bare.add("nvidia-qm9700", "spine-1")
    bare.change(bare.device("spine-1"), replace(bare.device("spine-1"), role="spine"))
    bare.join("leaf-1", "spine-1")
    assert len(found(bare.design, "PLANE-001")) == 1


def test_a_server_missing_in_a_plane(bare):
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2")
    bare.add("dgx-h100", "host-1", "host-2", "host-3")
    for host in ("host-1", "host-2", "host-3"):
        bare.join(host, "leaf-1", 4)
        if host != "host-3":
            bare.join(host, "leaf-2", 4)
    for name in ("leaf-1", "leaf-2"):
        device = bare.device(name)
        bare.change(device, replace(device, plane=int(name[-1])))
    (finding,) = found(bare.design, "PLANE-002")
    assert finding.message == "host-3 has no link in plane 2; other servers have one"
    assert finding.subjects == (bare.id("host-3"),)
    bare.join("host-3", "leaf-2")
    assert found(bare.design, "PLANE-002") == []
