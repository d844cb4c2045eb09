"""Fixes that move rather than add or delete: to the rail, the thinner spine, the length of the route, a name."""

from dataclasses import replace

import pytest

from designer import api
from designer.model import operations, policies
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.placement import floor
from designer.placement.cable_lengths import route
from designer.validation.engine import validate
from designer.validation.fixing import fixed


def findings(design, code):
    return [finding for finding in validate(design, codes={code}).findings if finding.code == code]


def link_at(design, device, port):
    (link_id,) = [one.id for one in design.links_of(design.find(device).id) if port in (one.a.port, one.b.port)]
    return design.links[link_id]


def far_end(design, device, port):
    link = link_at(design, device, port)
    return link.b if link.a.device_id == design.find(device).id else link.a


def exchange(fabric, one, other):
    """The far ends of two links of servers, which are their b ends, in each other's place."""
    a, b = link_at(fabric.design, *one), link_at(fabric.design, *other)
    fabric.change(a, replace(a, b=b.b))
    fabric.change(b, replace(b, b=a.b))


@pytest.fixture
def railed(bare):
    """Two rails, two servers of two NICs each; every leaf has ports left."""
    bare.add("generic-switch-8x400g", "leaf-1", "leaf-2")
    bare.put(bare.catalog.get("generic-nic-400g"))
    bare.add("generic-server-2x1x400g", "h1", "h2", "h3")
    for number in (1, 2):
        leaf = bare.device(f"leaf-{number}")
        bare.change(leaf, replace(leaf, rail=number))
    for host in ("h1", "h2", "h3"):
        for leaf in ("leaf-1", "leaf-2"):
            bare.join(host, leaf)
    assert far_end(bare.design, "h1", "nic1").device_id == bare.id("leaf-1")
    assert findings(bare.design, "RAIL-001") == []
    return bare


def test_two_links_that_are_crossed_are_swapped(railed):
    design = railed.design
    before = {port: far_end(design, "h1", port) for port in ("nic1", "nic2")}
    exchange(railed, ("h1", "nic1"), ("h1", "nic2"))
    one, _other = findings(design, "RAIL-001")
    assert one.fix.label == "Swap the links at h1 port nic1 and h1 port nic2"
    design.apply(one.fix)
    assert findings(design, "RAIL-001") == []
    assert {port: far_end(design, "h1", port) for port in ("nic1", "nic2")} == before


def test_a_link_on_the_wrong_rail_moves_to_a_free_port_of_the_right_one(railed):
    design = railed.design
    link = link_at(design, "h1", "nic1")
    free = design.free_ports(railed.id("leaf-2"))[0]
    railed.change(link, replace(link, b=replace(link.b, device_id=railed.id("leaf-2"), port=free.name)))
    (found,) = findings(design, "RAIL-001")
    assert found.fix.label == "Move the link at h1 port nic1 to leaf-1"
    design.apply(found.fix)
    assert findings(design, "RAIL-001") == []
    assert far_end(design, "h1", "nic1").device_id == railed.id("leaf-1")


def test_ports_of_a_nic_that_go_to_different_rails_in_most_servers_are_each_on_their_rail(bare):
    bare.add("generic-switch-128x100g", "leaf-1", "leaf-2")
    bare.put(bare.catalog.get("generic-nic-3x100g"))
    bare.add("generic-server-8x3x100g", "h1", "h2", "h3")
    for number in (1, 2):
        leaf = bare.device(f"leaf-{number}")
        bare.change(leaf, replace(leaf, rail=number))
    for host in ("h1", "h2", "h3"):
        for number in (1, 2):
            free = bare.design.free_ports(bare.id(f"leaf-{number}"))[0]
            ends = End(bare.id(host), f"nic1/{number}"), End(bare.id(f"leaf-{number}"), free.name)
            bare.design.apply(operations.connect(bare.design, *ends))
    assert findings(bare.design, "RAIL-001") == []
    exchange(bare, ("h2", "nic1/1"), ("h2", "nic1/2"))
    one, other = findings(bare.design, "RAIL-001")
    assert one.message.endswith("h2 port nic1/1 goes to leaf-2 of rail 2; elsewhere nic1 is on rail 1")
    assert other.message.endswith("h2 port nic1/2 goes to leaf-1 of rail 1; elsewhere port nic1/2 is on rail 2")
    bare.design.apply(one.fix)
    assert findings(bare.design, "RAIL-001") == []


def test_where_the_right_leaf_is_full_nothing_is_offered(railed):
    design = railed.design
    link = link_at(design, "h1", "nic1")
    free = design.free_ports(railed.id("leaf-2"))[0]
    railed.change(link, replace(link, b=replace(link.b, device_id=railed.id("leaf-2"), port=free.name)))
    leaf = railed.device("leaf-1")
    railed.change(leaf, replace(leaf, reserved_ports=tuple(port.name for port in design.free_ports(leaf.id))))
    (found,) = findings(design, "RAIL-001")
    assert found.fix is None


@pytest.fixture
def lone():
    """Eight servers on eight rails; one has all its links on the leaf of rail 1."""
    design = api.generate("rail-optimized", servers=8, servers_per_su=8)
    leaf, server = design.find("leaf-su1-r1").id, design.find("gpu-08").id
    links = [link for link in design.links_of(server) if leaf not in (link.a.device_id, link.b.device_id)]
    free = [port.name for port in design.free_ports(leaf)]
    moved = (
        Change(link, Link(link.id, End(server, near.port), End(leaf, port)))
        for link, port in zip(links, free, strict=False)
        for near in (link.a, link.b)
        if near.device_id == server
    )
    design.apply(Edit("loan", tuple(moved)))
    return design


def test_links_of_a_server_that_hang_on_one_switch_are_one_finding_and_one_fix(lone):
    (found,) = findings(lone, "RAIL-001")
    ports = ", ".join(f"rail{n}" for n in range(2, 8))
    assert found.message == (
        f"gpu-08 ports {ports} and rail8 go to leaf-su1-r1 of rail 1; elsewhere they are on other rails; all 8 links "
        "of gpu-08 lead there, and the loss of leaf-su1-r1 cuts it off"
    )
    assert found.value == 7 and found.fix.label == "Move 7 links of gpu-08 to the leaf switches of their rails"
    leaf = lone.device(lone.find("leaf-su1-r2").id)
    full = lone.snapshot()
    kept = tuple(port.name for port in full.free_ports(leaf.id))
    full.apply(Edit("full", (Change(leaf, replace(leaf, reserved_ports=kept)),)))
    assert findings(full, "RAIL-001")[0].fix is None, "one of them cannot go"
    lone.apply(found.fix)
    assert findings(lone, "RAIL-001") == []


def test_a_server_that_has_another_switch_is_not_said_to_hang_on_one(lone):
    server, leaf = lone.find("gpu-08").id, lone.find("leaf-su1-r2").id
    link = next(one for one in lone.links_of(server) if End(server, "rail2") in (one.a, one.b))
    port = lone.free_ports(leaf)[0].name
    lone.apply(Edit("back", (Change(link, Link(link.id, End(server, "rail2"), End(leaf, port))),)))
    (found,) = findings(lone, "RAIL-001")
    assert found.value == 6 and found.message.endswith(
        "rail8 go to leaf-su1-r1 of rail 1; elsewhere they are on other rails"
    )


def test_an_oversubscribed_leaf_names_the_server_that_crowds_it(lone):
    uplinks = [link for link in lone.links_of(lone.find("leaf-su1-r1").id) if not _of_server(lone, link)]
    lone.apply(Edit("thin", tuple(Change(link, None) for link in uplinks[7:])))
    (found,) = findings(lone, "OVER-001")
    assert found.message == (
        "leaf-su1-r1: 6 Tb/s down, 2.8 Tb/s up: 2.14:1, limit 1:1; gpu-08 has 8 links to it, most servers 1"
    )
    lone.apply(Edit("thinner", (Change(uplinks[0], None),)))
    assert findings(lone, "OVER-001")[0].message.endswith("limit 1:1"), "without it the limit would not hold either"


def _of_server(design, link):
    return any(design.is_server(end.device_id) for end in (link.a, link.b))


def test_two_servers_that_are_crossed_with_each_other_are_uncrossed_at_once(railed):
    exchange(railed, ("h1", "nic1"), ("h2", "nic2"))
    made = fixed(railed.design, {"RAIL-001"})
    assert [label for _, label in made.fixes] == ["Swap the links at h1 port nic1 and h2 port nic2"]
    assert made.left == ()


@pytest.fixture
def uneven(bare):
    """A leaf with three servers, three uplinks to one spine and one to the other; a second leaf with two to each."""
    bare.add("generic-switch-8x400g", "leaf-1", "leaf-2", "spine-1", "spine-2")
    bare.add("generic-host", *(f"h{number}" for number in range(1, 9)))
    for number in range(1, 9):
        bare.join(f"h{number}", "leaf-1" if number < 5 else "leaf-2")
    bare.join("leaf-1", "spine-1", 3)
    bare.join("leaf-1", "spine-2", 1)
    bare.join("leaf-2", "spine-1", 2)
    bare.join("leaf-2", "spine-2", 2)
    return bare


def test_uplinks_are_moved_where_no_port_is_free_for_more(uneven):
    design = uneven.design
    n_links = len(design.links)
    (found,) = findings(design, "SPREAD-001")
    assert design.free_ports(uneven.id("leaf-1")) == []
    assert found.fix.label == "Move 1 uplink of leaf-1"
    design.apply(found.fix)
    assert [one.code for one in validate(design).findings if one.code in ("SPREAD-001", "OVER-001", "PORT-002")] == []
    assert len(design.links) == n_links


def test_uplinks_that_do_not_divide_evenly_are_not_moved(uneven):
    design = uneven.design
    leaf, spine = uneven.id("leaf-1"), uneven.id("spine-1")
    link = next(one for one in design.links_of(leaf) if spine in (one.a.device_id, one.b.device_id))
    uneven.change(link, None)
    device = uneven.device("leaf-1")
    uneven.change(device, replace(device, reserved_ports=tuple(port.name for port in design.free_ports(leaf))))
    (found,) = findings(design, "SPREAD-001")
    assert found.fix is None


def test_a_length_that_is_stale_becomes_that_of_the_route(superpod):
    design = superpod.snapshot()
    design.apply(floor.auto_place(design))
    design.apply(policies.set_limits(design, length_surplus=0.5))
    link = next(iter(design.links.values()))
    design.apply(operations.set_cable(design, [link.id], None, 100))
    (found,) = findings(design, "MEDIA-003")
    design.apply(found.fix)
    assert findings(design, "MEDIA-003") == []
    assert (design.links[link.id].length_m, design.links[link.id].length_source) == (
        route(design, link).length_m,
        "routed",
    )


def test_names_are_made_to_match_the_pattern(bare):
    bare.add("generic-switch", "Leaf_1", "LEAF 2", "leaf-03")
    bare.design.apply(policies.set_limits(bare.design, name_pattern="[a-z]*-[0-9][0-9]"))
    (found,) = findings(bare.design, "DOC-002")
    assert found.fix.label == "Rename 2 devices"
    bare.design.apply(found.fix)
    assert [one.name for one in bare.design.devices.values()] == ["leaf-01", "leaf-02", "leaf-03"]
    assert findings(bare.design, "DOC-002") == []


def test_a_name_that_cannot_be_made_to_match_or_would_be_given_twice_stays(bare):
    bare.add("generic-switch", "Leaf_1", "leaf-01")
    bare.design.apply(policies.set_limits(bare.design, name_pattern="leaf-0?"))
    (found,) = findings(bare.design, "DOC-002")
    assert found.fix is None
    bare.design.apply(operations.rename(bare.design, bare.id("leaf-01"), "leaf-02"))
    (found,) = findings(bare.design, "DOC-002")
    assert found.fix.label == "Rename Leaf_1 to leaf-01"
