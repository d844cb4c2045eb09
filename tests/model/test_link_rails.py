"""The rails of leaf switches that share them, while links are led elsewhere one by one."""

import pytest

from designer.model import operations
from designer.model.link_rails import LinkRails, rails_of
from designer.topologies import rail_optimized
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation import engine


@pytest.fixture
def pod(pen, design):
    """Eight servers whose eight NICs are on four leaf switches, two rails on each; and those switches."""
    servers = [pen.add("dgx-h100", f"gpu{number:02d}") for number in range(1, 9)]
    leafs = [pen.add("nvidia-qm9700", f"lf{number:02d}", role="leaf") for number in range(1, 5)]
    pen.do(operations.make_rails(design, servers, leafs, in_runs=True))
    return leafs


def eighth(design, leaf):
    """The links of rail 8 on a leaf switch."""
    return [one.id for one in design.links_of(leaf) if "rail8" in (one.a.port, one.b.port)]


def classes(design):
    return set(LinkRails(design, list(design.links.values())).classes.values())


def test_one_link_led_elsewhere_changes_the_rails_of_no_switch(pen, design, pod):
    (moved,) = eighth(design, pod[3])[-1:]
    pen.do(operations.reconnect(design, [moved], pod[3], pod[2]))
    assert rails_of(design, pod) == [(1, 2), (3, 4), (5, 6), (7, 8)]
    assert classes(design) == {(1, 2), (3, 4), (5, 6), (7, 8)}
    (finding,) = (one for one in engine.validate(design).findings if one.code == "RAIL-001")
    assert finding.message == "gpu08 port rail8 goes to lf03 of rails 5 and 6; elsewhere rail8 is on rails 7 and 8"


def test_half_of_a_rail_led_elsewhere_counts_for_both_switches_and_no_other(pen, design, pod):
    pen.do(operations.reconnect(design, eighth(design, pod[3])[:4], pod[3], pod[2]))
    assert rails_of(design, pod) == [(1, 2), (3, 4), (5, 6, 8), (7, 8)]
    assert classes(design) == {(1, 2), (3, 4), (5, 6), (7,), (8,)}


def test_a_whole_rail_led_elsewhere_joins_those_of_its_new_switch(pen, design, pod):
    edit = operations.reconnect(design, eighth(design, pod[3]), pod[3], pod[2])
    pen.do(edit)
    assert rails_of(design, pod) == [(1, 2), (3, 4), (5, 6, 8), (7,)]
    assert classes(design) == {(1, 2), (3, 4), (5, 6, 8), (7,)}
    pen.do(edit.inverted())
    assert rails_of(design, pod) == [(1, 2), (3, 4), (5, 6), (7, 8)]


def test_two_links_of_a_server_on_a_leaf_switch_of_other_rails_name_them_all(pen, design, pod):
    seventh = [one.id for one in design.links_of(pod[3]) if "rail7" in (one.a.port, one.b.port)]
    pen.do(operations.reconnect(design, [seventh[-1], eighth(design, pod[3])[-1]], pod[3], pod[2]))
    (finding,) = (one for one in engine.validate(design).findings if one.code == "RAIL-001")
    assert finding.message == (
        "gpu08 ports rail7 and rail8 go to lf03 of rails 5 and 6; elsewhere they are on other rails"
    )


def test_uplinks_of_a_switch_with_a_link_astray_keep_its_rails(pen, design, pod):
    spine = pen.add("nvidia-qm9700", "sp01", role="spine")
    pen.do(operations.connect_evenly(design, pod, [spine], 2))
    pen.do(operations.reconnect(design, eighth(design, pod[3])[-1:], pod[3], pod[2]))
    links = list(design.links.values())
    of_links = dict(zip((one.id for one in links), LinkRails(design, links).of_links(), strict=True))
    assert {of_links[one.id] for one in design.links_of(spine) if pod[2] in (one.a.device_id, one.b.device_id)} == {
        (5, 6)
    }


def test_with_all_rails_on_every_leaf_switch_none_is_distinguished(pen, design):
    for number in (1, 2):
        server, leaf = pen.add("dgx-h100", f"gpu{number}"), pen.add("nvidia-qm9700", f"tor{number}", role="leaf")
        pen.do(operations.connect_devices(design, server, leaf, 8))
    assert classes(design) == set()


def numbers(design):
    """The rail of the NIC port at each link of a server, by the server and its port."""
    links = list(design.links.values())
    ends = (min(one.a, one.b, key=lambda end: design.is_switch(end.device_id)) for one in links)
    of_nics = zip(ends, LinkRails(design, links).of_nics, strict=True)
    return {(end.device_id, end.port): rail for end, rail in of_nics if design.is_server(end.device_id)}


def first_leafs(design):
    """A leaf switch of rail 1, and one of rail 2."""
    return [next(one.id for one in design.devices.values() if one.rail == rail) for rail in (1, 2)]


def test_scale_up_links_are_on_no_rail_and_do_not_count_before_the_nics(pen, design):
    tray, leaf = pen.add("gb200-compute-tray", "tray"), pen.add("nvidia-qm9700", "leaf", role="leaf")
    inside = pen.add("nvlink-5-switch-tray", "nvl")
    for number in range(1, 5):
        pen.wire(tray, f"nic{number}", leaf, f"{number}/1")
    pen.join(tray, inside, 4)
    assert {port: rail for port, rail in numbers(design).items() if rail is not None} == {
        (tray, f"nic{number}"): number for number in range(1, 5)
    }


def test_an_empty_slot_keeps_its_number_and_that_of_an_absent_scale_up_link_has_none(pen, design):
    tray, leaf = pen.add("gb200-compute-tray", "tray"), pen.add("nvidia-qm9700", "leaf", role="leaf")
    held = {one.slot: one.id for one in design.modules_of(tray)}
    pen.do(operations.delete(design, [held[slot] for slot in ("gpu1", "gpu2", "gpu3", "gpu4", "nic2")]))
    for number in (1, 3, 4):
        pen.wire(tray, f"nic{number}", leaf, f"{number}/1")
    assert numbers(design) == {(tray, "nic1"): 1, (tray, "nic3"): 3, (tray, "nic4"): 4}


def test_one_link_led_elsewhere_keeps_the_rail_of_its_nic_in_the_only_rack_of_trays(pen, design, catalog):
    parameters = RailOptimizedParameters(server="gb200-nvl72", servers=1, rail_only=True)
    pen.do(rail_optimized.build(design, parameters, catalog))
    before = numbers(design)
    leafs = first_leafs(design)
    moved = next(one for one in design.links_of(leafs[0]) if design.is_server(one.a.device_id))
    pen.do(operations.reconnect(design, [moved.id], *leafs))
    assert set(before.values()) == {1, 2, 3, 4} and numbers(design) == before


def test_ports_of_a_nic_on_rails_of_their_own_are_each_on_that_of_their_leaf_switches(pen, design, catalog):
    given = {"server": "generic-server-8x3x100g", "switch": "generic-switch-128x100g", "servers": 4, "rails": 3}
    pen.do(rail_optimized.build(design, RailOptimizedParameters(**given), catalog))
    before = numbers(design)
    leafs = first_leafs(design)
    moved = next(one for one in design.links_of(leafs[0]) if design.is_server(one.a.device_id))
    pen.do(operations.reconnect(design, [moved.id], *leafs))
    assert set(before.values()) == {1, 2, 3} and numbers(design) == before
    assert rails_of(design, leafs) == [(1,), (2,)]
