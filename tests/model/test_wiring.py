"""Connecting: which ports are taken, and what is said when none is left."""

from dataclasses import replace

import pytest

from designer.errors import (
    NoFreePortError,
    ParameterError,
    PortError,
    PortInUseError,
    PortMismatchError,
    UnknownEntityError,
)
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.model.wiring import UnevenSpreadError, links_between


def ports(edit):
    """(port of a, port of b) of every new link."""
    return [(link.a.port, link.b.port) for link in new_links(edit)]


def new_links(edit):
    return [change.after for change in edit.changes if isinstance(change.after, Link)]


def reserve(pen, device_id, *names):
    device = pen.design.device(device_id)
    pen.do(Edit("Reserve", (Change(device, replace(device, reserved_ports=names)),)))


@pytest.fixture
def leaf(pen):
    return pen.add("nvidia-qm9700", "leaf-01", role="leaf")


@pytest.fixture
def spine(pen):
    return pen.add("nvidia-qm9700", "spine-01", role="spine")


@pytest.fixture
def server(pen):
    return pen.add("dgx-h100", "gpu-001")


def test_a_link_joins_the_two_ports_named(pen, design, leaf, spine):
    link_id = pen.wire(leaf, "1/2", spine, "32/1")
    assert design.links[link_id] == Link(link_id, End(leaf, "1/2"), End(spine, "32/1"))


def test_a_link_may_be_given_cable_and_length(pen, design, catalog, leaf, spine):
    pen.do(operations.set_cable(design, [pen.wire(leaf, "1/1", spine, "1/1")], catalog.get("dac-ndr-twin"), 1.5))
    edit = operations.connect(design, End(leaf, "1/2"), End(spine, "1/2"), "dac-ndr-twin", 1.5)
    link = new_links(pen.do(edit))[0]
    assert (link.medium_id, link.length_m, link.length_source) == ("dac-ndr-twin", 1.5, "typed")


def test_a_cable_type_the_design_does_not_hold_is_refused(design, leaf, spine):
    with pytest.raises(UnknownEntityError, match="the design has no cable type 'string'"):
        operations.connect(design, End(leaf, "1/1"), End(spine, "1/1"), "string")


@pytest.mark.parametrize("length_m", [-1, float("nan"), float("inf")])
def test_a_cable_of_no_possible_length_is_refused(design, leaf, spine, length_m):
    with pytest.raises(ParameterError, match="a cable is between 0 and 1,000,000 m long"):
        operations.connect(design, End(leaf, "1/1"), End(spine, "1/1"), length_m=length_m)


def test_a_port_that_does_not_exist_is_named_with_those_that_do(design, leaf, spine):
    with pytest.raises(PortError, match=r"^leaf-01 has no port '33/1': its 64 ports run from 1/1 to 32/2$"):
        operations.connect(design, End(leaf, "33/1"), End(spine, "1/1"))


def test_a_port_in_use_names_the_partner(pen, design, leaf, spine, server):
    pen.wire(leaf, "1/1", spine, "7/2")
    with pytest.raises(PortInUseError, match=r"^leaf-01 port 1/1: already linked to spine-01 port 7/2$"):
        operations.connect(design, End(leaf, "1/1"), End(server, "rail1"))


def test_a_device_is_never_linked_to_itself(design, leaf):
    for refused in (
        lambda: operations.connect(design, End(leaf, "1/1"), End(leaf, "1/2")),
        lambda: operations.connect_devices(design, leaf, leaf),
    ):
        with pytest.raises(PortError, match=r"^leaf-01 cannot be linked to itself$"):
            refused()


def test_devices_are_joined_over_the_next_free_ports_in_port_order(pen, leaf, spine):
    pen.wire(leaf, "1/2", spine, "1/1")
    assert ports(pen.join(leaf, spine, 3)) == [("1/1", "1/2"), ("2/1", "2/1"), ("2/2", "2/2")]


def test_reserved_ports_are_passed_over_but_may_be_named(pen, leaf, spine):
    reserve(pen, leaf, "1/1", "1/2")
    assert ports(pen.join(leaf, spine)) == [("2/1", "1/1")]
    pen.wire(leaf, "1/1", spine, "1/2")


def test_a_rail_leaf_takes_the_nic_of_its_rail(pen, design, server):
    rail5 = pen.add("nvidia-qm9700", "leaf-r5", role="leaf")
    pen.do(Edit("Tag", (Change(design.device(rail5), replace(design.device(rail5), rail=5)),)))
    assert ports(pen.join(server, rail5)) == [("rail5", "1/1")]
    assert ports(pen.join(rail5, server)) == [("1/2", "rail1")]


def test_a_storage_switch_takes_the_storage_nics(pen, design, catalog, server):
    storage = pen.add("nvidia-qm9700", "storage-01", role="storage")
    with pytest.raises(NoFreePortError, match=r"^gpu-001 has no storage NIC: install one first$"):
        operations.connect_devices(design, server, storage)
    pen.do(operations.install_module(design, server, catalog.get("connectx-7-ndr"), "storage1"))
    assert ports(pen.join(server, storage)) == [("storage1", "1/1")]


def test_a_spent_port_budget_is_named_with_its_numbers(pen, design, leaf, spine, server):
    pen.join(leaf, spine, 64)
    sentence = "spine-01 has no free 400G port left (64 of 64 used)"
    assert operations.connectable(design, spine, server) == sentence
    assert operations.connectable(design, server, spine) == sentence
    with pytest.raises(NoFreePortError) as caught:
        operations.connect_devices(design, spine, server)
    assert str(caught.value) == sentence


def test_a_spent_budget_of_one_network_says_which_where_the_server_has_other_ports(pen, design, leaf, server, catalog):
    pen.do(operations.install_module(design, server, catalog.get("connectx-7-ndr"), "storage1"))
    pen.join(server, leaf, 8)
    refusal = operations.connectable(design, server, leaf)
    assert refusal == "gpu-001 has no free 400G port left for the compute network (8 of 8 used)"


def test_reserved_ports_count_in_the_budget(pen, design, leaf, spine, server):
    reserve(pen, leaf, "32/1", "32/2")
    pen.join(leaf, spine, 62)
    assert operations.connectable(design, leaf, server) == (
        "leaf-01 has no free 400G port left (62 of 64 used, 2 reserved)"
    )


def test_more_links_than_free_ports_are_refused_as_a_whole(pen, design, leaf, spine):
    pen.join(leaf, spine, 60)
    with pytest.raises(NoFreePortError) as caught:
        operations.connect_devices(design, leaf, spine, 5)
    assert str(caught.value) == "leaf-01 has 4 free 400G ports (60 of 64 used), and 5 are needed"


@pytest.mark.parametrize("count", [0, -3])
def test_no_links_are_no_connection(design, leaf, spine, count):
    with pytest.raises(ParameterError, match="ask for 1 or more"):
        operations.connect_devices(design, leaf, spine, count)


def test_connectable_says_nothing_when_a_link_is_possible(design, leaf, server):
    assert operations.connectable(design, leaf, server) is None


def test_a_server_without_nics_is_told_so(pen, design, leaf):
    bare = pen.add("dgx-h100", "gpu-002", with_modules=False)
    assert operations.connectable(design, bare, leaf) == "gpu-002 has no fabric NIC: install one first"


def test_devices_of_different_rates_do_not_join(pen, design, leaf):
    server = pen.add("dgx-a100", "gpu-001")
    with pytest.raises(PortMismatchError, match="leaf-01 port 1/1 runs at 400G, gpu-001 port rail1 at 200G"):
        operations.connect_devices(design, leaf, server)


def test_of_two_rates_on_one_switch_the_matching_ports_are_taken(pen, design, catalog):
    mixed, host = pen.add("nvidia-qm9700", "leaf-01"), pen.add("generic-host-200g", "host-001")
    device = design.device(mixed)
    split = replace(device, cage_modes=((3, "128x200G"),))
    pen.do(Edit("Split cage 3", (Change(device, split),)))
    assert ports(pen.join(mixed, host)) == [("3/1", "nic1")]


def test_every_leaf_gets_the_same_number_of_links_to_every_spine(pen, design):
    leafs = [pen.add("nvidia-qm9700", role="leaf") for _ in range(4)]
    spines = [pen.add("nvidia-qm9700", role="spine") for _ in range(2)]
    pen.do(operations.connect_evenly(design, leafs, spines, 3))
    for leaf in leafs:
        across = [link.b.device_id for link in design.links_of(leaf)]
        assert {spine: across.count(spine) for spine in spines} == dict.fromkeys(spines, 3)


def test_without_a_number_the_smaller_budget_decides(pen, design):
    leafs = [pen.add("nvidia-qm9700", role="leaf") for _ in range(4)]
    spines = [pen.add("nvidia-qm9700", role="spine") for _ in range(2)]
    edit = pen.do(operations.connect_evenly(design, leafs, spines))
    assert len(new_links(edit)) == 4 * 2 * 16
    assert all(len(design.links_of(spine)) == 64 for spine in spines)


def test_eight_nics_go_one_to_each_of_eight_rail_leafs(pen, design, server):
    leafs = [pen.add("nvidia-qm9700", role="leaf") for _ in range(8)]
    for rail, leaf in enumerate(reversed(leafs), start=1):
        pen.do(Edit("Tag", (Change(design.device(leaf), replace(design.device(leaf), rail=rail)),)))
    pen.do(operations.connect_evenly(design, [server], leafs))
    for leaf in leafs:
        (link,) = design.links_of(leaf)
        assert link.a.port == f"rail{design.device(leaf).rail}"


def per_pair(design, lower, upper):
    found = links_between(design, [*lower, *upper])
    return [found.get(frozenset((one, other)), 0) for one in lower for other in upper]


def test_links_that_are_there_count_to_what_every_pair_gets_in_all(pen, design):
    leafs = [pen.add("nvidia-qm9700", role="leaf") for _ in range(2)]
    spines = [pen.add("nvidia-qm9700", role="spine") for _ in range(3)]
    pen.do(operations.connect_evenly(design, leafs, spines[:2], 8))
    edit = pen.do(operations.complete_evenly(design, leafs, spines, 8))
    assert len(new_links(edit)) == 16 and set(per_pair(design, leafs, spines)) == {8}
    with pytest.raises(ParameterError, match="every pair has 8 links or more already: ask for 9 or more to add any"):
        operations.complete_evenly(design, leafs, spines, 8)
    pen.do(operations.complete_evenly(design, leafs, spines, 10))
    assert set(per_pair(design, leafs, spines)) == {10}


def test_a_pair_with_more_links_keeps_them_and_others_get_what_the_free_ports_allow(pen, design):
    leafs = [pen.add("generic-switch-12x400g", role="leaf") for _ in range(2)]
    spines = [pen.add("generic-switch-12x400g", role="spine") for _ in range(2)]
    pen.join(leafs[0], spines[0], 7)
    pen.do(operations.complete_evenly(design, leafs, spines, 3))
    assert per_pair(design, leafs, spines) == [7, 3, 3, 3]
    pen.do(operations.complete_evenly(design, leafs, spines))
    assert per_pair(design, leafs, spines) == [7, 5, 5, 5]
    with pytest.raises(NoFreePortError, match="leaf-01 has no free 400G port left"):
        operations.complete_evenly(design, leafs, spines)


def test_links_are_led_over_to_a_third_spine_until_all_have_as_many_as_they_divide_into(pen, design):
    leafs = [pen.add("nvidia-qm9700", role="leaf") for _ in range(4)]
    spines = [pen.add("nvidia-qm9700", role="spine") for _ in range(3)]
    pen.do(operations.connect_evenly(design, leafs, spines[:2], 8))
    before = {one: (link.a, link.medium_id) for one, link in design.links.items()}
    edit = pen.do(operations.spread_links(design, leafs, spines))
    assert {one: (link.a, link.medium_id) for one, link in design.links.items()} == before, "none comes or goes"
    counts = per_pair(design, leafs, spines)
    assert [sorted(counts[first : first + 3]) for first in (0, 3, 6, 9)] == [[5, 5, 6]] * 4
    assert [sum(counts[number::3]) for number in range(3)] == [22, 22, 20], "what is left over takes turns"
    with pytest.raises(ParameterError, match="spread evenly already"):
        operations.spread_links(design, leafs, spines)
    pen.do(edit.inverted())
    pen.do(operations.connect_evenly(design, leafs, spines[:2], 1))
    pen.do(operations.spread_links(design, leafs, spines))
    assert set(per_pair(design, leafs, spines)) == {6}


def test_more_links_than_one_step_moves_are_refused(pen, design):
    leafs = [pen.add("generic-switch-1200x400g", role="leaf")]
    spines = [pen.add("generic-switch-1200x400g", role="spine") for _ in range(2)]
    pen.join(leafs[0], spines[0], 1100)
    with pytest.raises(ParameterError, match="550 links would move, and 512 can at once"):
        operations.spread_links(design, leafs, spines)


def test_a_server_with_one_of_two_links_gets_the_other(pen, design):
    server, leafs = pen.add("generic-host-2x400g"), [pen.add("nvidia-qm9700", role="leaf") for _ in range(2)]
    pen.join(server, leafs[0], 1)
    edit = pen.do(operations.complete_evenly(design, [server], leafs, 1))
    assert len(new_links(edit)) == 1 and per_pair(design, [server], leafs) == [1, 1]


def test_too_many_pairs_are_refused_before_they_are_counted(design, leaf):
    with pytest.raises(ParameterError, match="more than 1,000,000 links at once"):
        operations.complete_evenly(design, [leaf], [f"x{number}" for number in range(1_000_001)])


def test_uplinks_that_do_not_divide_are_refused_with_what_would(pen, design, leaf):
    device = design.device(leaf)
    keep = tuple(port.name for port in design.ports(leaf)[:60])
    pen.do(Edit("Reserve", (Change(device, replace(device, reserved_ports=keep)),)))
    spines = [pen.add("nvidia-qm9700", role="spine") for _ in range(3)]
    with pytest.raises(UnevenSpreadError) as caught:
        operations.connect_evenly(design, [leaf], spines)
    assert str(caught.value) == (
        "leaf-01: 4 uplinks do not spread evenly over 3 spines: ask for 1 link per pair, which leaves 1 free"
    )
    pen.do(operations.connect_evenly(design, [leaf], spines, caught.value.links_per_pair))
    assert [len(design.links_of(spine)) for spine in spines] == [1, 1, 1]


def test_fewer_uplinks_than_spines_are_refused(pen, design):
    host = pen.add("generic-host-400g", "host-001")
    leafs = [pen.add("nvidia-qm9700", role="leaf") for _ in range(3)]
    with pytest.raises(UnevenSpreadError) as caught:
        operations.connect_evenly(design, [host], leafs)
    assert (
        str(caught.value) == "host-001: 1 uplink does not spread evenly over 3 leaf switches: choose at most 1 of them"
    )
    assert caught.value.links_per_pair == 0


def test_spines_too_small_for_all_leafs_are_named(pen, design):
    leafs = [pen.add("generic-switch-64x400g", role="leaf") for _ in range(5)]
    spine = pen.add("generic-switch-4x400g", "spine-01")
    with pytest.raises(NoFreePortError) as caught:
        operations.connect_evenly(design, leafs, [spine])
    assert str(caught.value) == "spine-01 has 4 free 400G ports (0 of 4 used), and 5 are needed"


def test_a_number_of_links_that_does_not_fit_changes_nothing(pen, design, leaf, spine, server):
    pen.join(leaf, spine, 62)
    with pytest.raises(NoFreePortError, match="leaf-01 has 2 free 400G ports"):
        operations.connect_evenly(design, [server], [leaf], 8)


def test_one_partner_that_does_not_match_refuses_all(pen, design, leaf):
    good, bad = pen.add("dgx-h100", "gpu-001"), pen.add("dgx-a100", "gpu-002")
    with pytest.raises(PortMismatchError, match="gpu-002 port rail1"):
        operations.connect_evenly(design, [good, bad], [leaf], 1)


def test_a_device_on_both_sides_is_refused(design, leaf, spine):
    with pytest.raises(PortError, match=r"^leaf-01 is on both sides$"):
        operations.connect_evenly(design, [leaf, spine], [leaf])


def test_an_empty_side_is_refused(design, leaf):
    with pytest.raises(ParameterError, match="at least one device on each side"):
        operations.connect_evenly(design, [leaf], [])


def test_an_absurd_number_of_links_is_refused_at_once(design, leaf, spine):
    with pytest.raises(ParameterError, match="more than 1,000,000 links at once"):
        operations.connect_evenly(design, [leaf], [spine], 10**12)


def test_devices_that_do_not_exist_are_named(design, leaf):
    with pytest.raises(UnknownEntityError, match="there is no device with id 'd99'"):
        operations.connect_devices(design, leaf, "d99")


def test_a_server_meets_switches_of_two_networks_with_the_ports_for_each(pen, design, catalog):
    """In one edit: the fabric switch gets fabric ports, the storage switch storage ports."""
    server = pen.add("dgx-h100", "gpu")
    for slot in ("storage1", "storage2"):
        pen.do(operations.install_module(design, server, catalog.get("connectx-7-ndr-2p"), slot))
    leaf, store = pen.add("nvidia-qm9700", "leaf"), pen.add("nvidia-qm9700", "store")
    pen.do(operations.set_network(design, [store], "storage"))
    pen.do(operations.connect_evenly(design, [leaf, store], [server], 4))
    ports = {one: {design.port(link.b).purpose for link in design.links_of(one)} for one in (leaf, store)}
    assert ports == {leaf: {"fabric"}, store: {"storage"}}


def test_a_storage_link_goes_over_the_nic_and_the_cage_that_have_none_between_the_two(pen, design, catalog):
    server = pen.add("dgx-h100", "gpu-1")
    for slot in ("storage1", "storage2"):
        pen.do(operations.install_module(design, server, catalog.get("connectx-7-ndr-2p"), slot))
    first, second, third = (pen.add("nvidia-sn5600", name) for name in ("sto-1", "sto-2", "sto-3"))
    for switch in (first, second, third):
        pen.do(operations.set_network(design, [switch], "storage"))
        pen.do(operations.set_port_mode(design, switch, "128x400G"))
    own, free = design.ports_for(server, "storage"), {one: design.free_ports(one) for one in (first, second)}
    assert [port.slot for port in own] == ["storage1", "storage1", "storage2", "storage2"]
    pen.wire(server, own[0].name, first, free[first][0].name)
    pen.wire(second, free[second][0].name, server, own[2].name)
    (link,) = pen.added(Link, pen.join(server, first))
    assert (link.a.port, design.port(link.b).cage) == (own[3].name, 2), "NIC 1 and cage 1 have the other"
    (link,) = pen.added(Link, pen.join(third, server))
    assert (link.b.port, link.a.port) == (own[1].name, design.ports(third)[0].name)
