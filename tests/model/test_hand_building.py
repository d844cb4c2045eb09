"""Building by hand at the level of families: rails, rings, groups of routers and the links between groups."""

import itertools

import pytest

from designer.analysis.outlook import outlook
from designer.catalog.catalog import load
from designer.catalog.generic import generic_switch
from designer.errors import NoFreePortError, ParameterError, PortError, PortInUseError, PortMismatchError
from designer.model import operations
from designer.model.design import Design
from designer.model.entities import DRAGONFLY_GROUP, Device, Link
from designer.model.rings import row_order
from designer.topologies import torus


def pairs(design):
    counts = {}
    for link in design.links.values():
        key = frozenset((link.a.device_id, link.b.device_id))
        counts[key] = counts.get(key, 0) + 1
    return counts


def row(pen, type_id, count, word, x=0.0, y=0.0):
    return [pen.add(type_id, f"{word}-{number}", x + 160.0 * number, y) for number in range(count)]


def leaf_of_each_nic(design, server):
    """Names of the leafs that a server's ports lead to, in port order."""
    other = {
        end.port: design.device(far.device_id).name
        for link in design.links_of(server)
        for end, far in ((link.a, link.b), (link.b, link.a))
        if end.device_id == server
    }
    return [other[port.name] for port in design.ports(server) if port.name in other]


# -- rails -------------------------------------------------------------------------------------------------------------


def test_rails_join_nic_i_of_every_server_to_leaf_i_from_left_to_right(pen, design):
    leafs = row(pen, "nvidia-qm9700", 8, "leaf", y=-300)
    servers = row(pen, "dgx-h100", 4, "gpu")
    edit = operations.make_rails(design, servers, list(reversed(leafs)))
    assert outlook(design, edit).sentence == "Adds 32 links; 60 ports left on each leaf."
    pen.do(edit)
    for server in servers:
        assert leaf_of_each_nic(design, server) == [f"leaf-{number}" for number in range(8)]
    assert [design.device(leaf).rail for leaf in leafs] == list(range(1, 9))
    assert {design.device(leaf).role for leaf in leafs} == {"leaf"}


def test_rails_keep_what_is_on_its_leaf_and_refuse_what_is_elsewhere(pen, design):
    leafs = row(pen, "nvidia-qm9700", 8, "leaf", y=-300)
    servers = row(pen, "dgx-h100", 2, "gpu")
    pen.do(operations.make_rails(design, servers[:1], leafs))
    edit = pen.do(operations.make_rails(design, servers, leafs))
    assert len(pen.added(Link, edit)) == 8
    assert not operations.make_rails(design, servers, leafs)
    wrong = pen.add("dgx-h100", "gpu-wrong")
    pen.wire(wrong, design.ports(wrong)[0].name, leafs[3], design.free_ports(leafs[3])[0].name)
    with pytest.raises(PortInUseError, match=r"gpu-wrong port .* is linked to leaf-3 .*rail to leaf-0: remove that"):
        operations.make_rails(design, [wrong], leafs)


def test_a_leaf_type_that_no_cable_joins_is_refused_with_a_way_out(pen, design, catalog):
    server = pen.add("dgx-h100", "gpu-1")
    with pytest.raises(ParameterError, match="choose another type of leaf switch, or install other NICs"):
        operations.make_rails(design, [server], leaf_type=catalog.get("nvidia-sn4600"))


def test_rails_on_half_as_many_leafs_put_nics_in_turn(pen, design):
    leafs = row(pen, "nvidia-qm9700", 4, "leaf", y=-300)
    server = pen.add("dgx-h100", "gpu")
    pen.do(operations.make_rails(design, [server], leafs))
    assert leaf_of_each_nic(design, server) == [f"leaf-{number % 4}" for number in range(8)]


def test_rails_of_compute_trays_take_their_nics_and_leave_their_scale_up_links_free(pen, design):
    leafs = row(pen, "nvidia-qm9700", 4, "leaf", y=-300)
    tray = pen.add("gb200-compute-tray", "tray")
    pen.do(operations.make_rails(design, [tray], leafs))
    assert {end.port for one in design.links.values() for end in (one.a, one.b) if end.device_id == tray} == {
        f"nic{number}" for number in range(1, 5)
    }
    assert [design.device(leaf).rail for leaf in leafs] == [1, 2, 3, 4]


def test_rails_of_two_port_nics_can_have_a_leaf_for_each_plane(pen, design):
    leafs = row(pen, "generic-switch-16x200g", 4, "leaf", y=-300)
    server = pen.add("generic-server-2x2x200g", "gpu")
    pen.do(operations.make_rails(design, [server], leafs))
    assert leaf_of_each_nic(design, server) == ["leaf-0", "leaf-2", "leaf-1", "leaf-3"]
    assert [(design.device(one).rail, design.device(one).plane) for one in leafs] == [(1, 1), (2, 1), (1, 2), (2, 2)]


def test_rails_add_the_leafs_they_need_in_the_mode_that_fits(pen, design, catalog):
    servers = row(pen, "dgx-h100", 40, "gpu")
    edit = operations.make_rails(design, servers, leaf_type=catalog.get("nvidia-sn5600"), servers_per_leaf=32)
    assert outlook(design, edit).sentence == "Adds 320 links and 16 leaf switches; 108 ports left on each leaf."
    pen.do(edit)
    leafs = [one for one in design.devices.values() if one.role == "leaf"]
    assert sorted(leaf.rail for leaf in leafs) == sorted(list(range(1, 9)) * 2)
    assert {len(design.links_of(leaf.id)) for leaf in leafs} == {20}
    assert all(design.placements[leaf.id].y < -100 for leaf in leafs)
    spots = [(p.x, p.y) for p in design.placements.values()]
    for number, (x, y) in enumerate(spots):
        assert all(abs(x - u) >= 120 or abs(y - v) >= 44 for u, v in spots[number + 1 :])


def test_rails_say_why_not(pen, design, catalog):
    leafs = row(pen, "nvidia-qm9700", 8, "leaf", y=-300)
    server, other = pen.add("dgx-h100", "gpu"), pen.add("generic-host", "host")
    with pytest.raises(ParameterError, match="host has 1 NICs with 1 ports, gpu 8 with 8: rails need servers that are"):
        operations.make_rails(design, [server, other], leafs)
    with pytest.raises(
        ParameterError,
        match="8 NICs per server do not spread evenly over 3 leaf switches: choose 8 leaf switches, one per rail, or 2",
    ):
        operations.make_rails(design, [server], leafs[:3])
    with pytest.raises(ParameterError, match="select the leaf switches as well, or the type of leaf switch to add"):
        operations.make_rails(design, [server])
    with pytest.raises(ParameterError, match="leaf-0 is a switch"):
        operations.make_rails(design, leafs)
    with pytest.raises(ParameterError, match="400G"):
        operations.make_rails(design, [server], leaf_type=catalog.get("nvidia-qm8700"))
    with pytest.raises(ParameterError, match="takes 1 to 64 of these servers, not 65"):
        operations.make_rails(design, [server], leaf_type=catalog.get("nvidia-qm9700"), servers_per_leaf=65)
    small = row(pen, "generic-switch-2x400g", 8, "small", y=-500)
    many = row(pen, "dgx-h100", 3, "more")
    with pytest.raises((NoFreePortError, PortMismatchError), match="small-0"):
        operations.make_rails(design, many, small)


# -- rings -------------------------------------------------------------------------------------------------------------


def test_a_ring_follows_the_row_and_closes_it(pen, design):
    nodes = row(pen, "generic-switch-6x400g", 5, "node")
    edit = operations.close_ring(design, [nodes[3], nodes[0], nodes[4], nodes[1], nodes[2]])
    assert outlook(design, edit).sentence == "Adds 5 links; 4 ports left on each switch."
    pen.do(edit)
    expected = [frozenset(pair) for pair in itertools.pairwise([*nodes, nodes[0]])]
    assert pairs(design) == dict.fromkeys(expected, 1)
    assert all(design.used_ports(node).keys() == {"1", "2"} for node in nodes)


def test_a_column_is_taken_from_top_to_bottom(pen, design):
    column = [pen.add("generic-switch-6x400g", f"n{y}", 5.0 * (y % 2), 100.0 * y) for y in (2, 0, 1)]
    assert row_order(design, column) == [column[1], column[2], column[0]]


def test_two_make_a_ring_with_one_link_or_two_when_asked(pen, design):
    two = row(pen, "generic-switch-6x400g", 2, "node")
    assert len(pen.added(Link, operations.close_ring(design, two))) == 1
    pen.do(operations.close_ring(design, two, double=True))
    assert pairs(design) == {frozenset(two): 2}
    assert not operations.close_ring(design, two)


def test_rows_and_columns_made_rings_are_a_torus_that_dimension_order_routes(pen, design):
    from designer.graph.building.build import build
    from designer.routing import dimension_order
    from designer.routing.network import network

    grid = [[pen.add("generic-switch-8x400g", f"n{x}{y}", 200.0 * x, 200.0 * y) for x in range(4)] for y in range(3)]
    for line in grid:
        pen.do(operations.close_ring(design, line))
    for column in zip(*grid, strict=True):
        pen.do(operations.close_ring(design, list(column)))
    for router in itertools.chain.from_iterable(grid):
        host = pen.add("generic-host", f"host-{router}", 0.0, 900.0)
        pen.join(host, router)
    assert {len(design.links_of(one)) for one in itertools.chain.from_iterable(grid)} == {5}
    _, sizes = dimension_order.coordinates(network(build(design)))
    assert sorted(sizes.tolist()) == [3, 4]


def test_closing_a_generated_mesh_gives_the_generated_torus(catalog):
    """The open rows of a 4 x 3 mesh, closed by hand, use the ports that the torus generator uses."""
    mesh, whole = Design(), Design()
    mesh.apply(torus.build(mesh, torus.TorusParameters(dims=(4, 3), mesh=True), catalog))
    whole.apply(torus.build(whole, torus.TorusParameters(dims=(4, 3)), catalog))
    routers = [device.id for device in mesh.switches()]
    for line in range(3):
        mesh.apply(operations.close_ring(mesh, routers[4 * line : 4 * line + 4]))
    for column in range(4):
        mesh.apply(operations.close_ring(mesh, routers[column::4]))
    assert {frozenset((link.a, link.b)) for link in mesh.links.values()} == {
        frozenset((link.a, link.b)) for link in whole.links.values()
    }


def test_a_ring_is_refused_where_ports_are_missing(pen, design):
    nodes = [*row(pen, "generic-switch-6x400g", 2, "node"), pen.add("generic-host", "host", 500.0)]
    with pytest.raises(NoFreePortError, match="host has 1 free 400G port"):
        operations.close_ring(design, nodes)
    with pytest.raises(ParameterError, match="two or more"):
        operations.close_ring(design, nodes[:1])


# -- groups ------------------------------------------------------------------------------------------------------------


def test_routers_become_a_full_group_with_their_servers(pen, design):
    routers = row(pen, "generic-switch-12x400g", 4, "sw")
    hosts = [pen.add("generic-host", f"host-{number}") for number in range(4)]
    for router, host in zip(routers, hosts, strict=True):
        pen.join(host, router)
    edit = operations.make_router_group(design, routers)
    assert outlook(design, edit).sentence == "Adds 6 links and 1 group; 8 ports left on each router."
    pen.do(edit)
    (group,) = design.groups.values()
    assert (group.name, group.kind) == ("Group 1", DRAGONFLY_GROUP)
    assert set(design.members(group.id)) == {*routers, *hosts}
    assert {design.device(router).role for router in routers} == {"router"}
    again = operations.make_router_group(design, routers, links_per_pair=2)
    assert len(pen.added(Link, again)) == 6
    pen.do(again)
    assert list(design.groups) == [group.id]


@pytest.mark.parametrize(("in_runs", "shared", "rails"), [(False, (1, 5), [1, 2, 3, 4]), (True, (1, 2), [1, 3, 5, 7])])
def test_rails_that_share_a_leaf_are_far_apart_or_next_to_each_other(pen, design, in_runs, shared, rails):
    leafs, server = row(pen, "nvidia-qm9700", 4, "leaf", y=-300.0), row(pen, "dgx-h100", 1, "gpu")[0]
    pen.do(operations.make_rails(design, [server], leafs, in_runs=in_runs))
    ports = sorted(link.a.port for link in design.links_of(leafs[0]))
    assert ports == [f"rail{number}" for number in shared]
    assert [design.device(one).rail for one in leafs] == rails
    assert not operations.make_rails(design, [server], leafs, in_runs=in_runs)


def test_groups_are_joined_evenly_over_their_routers(pen, design):
    groups = []
    for number in range(5):
        routers = row(pen, "generic-switch-12x400g", 4, f"g{number}", y=200.0 * number)
        pen.do(operations.make_router_group(design, routers, name=f"G{number}"))
        groups.append(design.device(routers[0]).group_id)
    edit = pen.do(operations.join_groups(design, groups, 3))
    assert len(pen.added(Link, edit)) == 10 * 3
    load = {one.id: 0 for one in design.switches()}
    between = {}
    for link in pen.added(Link, edit):
        homes = frozenset(design.device(end.device_id).group_id for end in (link.a, link.b))
        between[homes] = between.get(homes, 0) + 1
        load[link.a.device_id] += 1
        load[link.b.device_id] += 1
    assert set(between.values()) == {3}
    assert len(between) == 10
    assert set(load.values()) == {3}


def test_global_links_start_at_the_switches_without_servers_where_there_are_both(pen, design):
    groups = []
    for number in range(2):
        leafs = row(pen, "generic-switch-12x400g", 2, f"leaf{number}", y=400.0 * number)
        spines = row(pen, "generic-switch-12x400g", 2, f"spine{number}", y=400.0 * number - 100)
        for leaf in leafs:
            pen.join(pen.add("generic-host", f"h-{leaf}"), leaf)
        pen.do(operations.connect_evenly(design, leafs, spines, 1))
        groups.append(pen.group([*leafs, *spines], f"G{number}"))
    edit = pen.do(operations.join_groups(design, groups, 2))
    ends = {design.device(end.device_id).name[:5] for link in pen.added(Link, edit) for end in (link.a, link.b)}
    assert ends == {"spine"}
    assert {design.groups[one].kind for one in groups} == {DRAGONFLY_GROUP}


def test_groups_and_joins_say_why_not(pen, design):
    routers = row(pen, "generic-switch-2x400g", 4, "sw")
    with pytest.raises(NoFreePortError, match=r"sw-0 has 2 free 400G ports .* and 3 are needed"):
        operations.make_router_group(design, routers)
    host = pen.add("generic-host", "host")
    with pytest.raises(ParameterError, match="host is a server"):
        operations.make_router_group(design, [routers[0], host])
    one, two = pen.group(routers[:2], "one"), pen.group(routers[2:], "two")
    with pytest.raises(ParameterError, match="two or more groups"):
        operations.join_groups(design, [one])
    with pytest.raises(NoFreePortError, match="one has no free port left for a link to two"):
        operations.join_groups(design, [one, two], 5)
    empty = pen.group([host], "hosts")
    with pytest.raises(ParameterError, match="hosts has no switch in it"):
        operations.join_groups(design, [one, empty])


def test_a_refused_verb_is_always_a_port_or_parameter_sentence(pen, design):
    ids = [pen.add("nvidia-qm9700", "a"), pen.add("nvidia-qm8700", "b"), pen.add("dgx-h100", "c")]
    for verb in (operations.make_rails, operations.close_ring, operations.make_router_group):
        with pytest.raises((ParameterError, PortError)):
            verb(design, ids)


def test_type_that_is_new_to_the_design_comes_with_the_leafs(pen, design):
    server = pen.add("generic-server-2x1x400g", "s")
    edit = pen.do(operations.make_rails(design, [server], leaf_type=generic_switch(4, 400.0)))
    assert [one.name for one in pen.added(Device, edit)] == ["leaf-01", "leaf-02"]
    assert "generic-switch-4x400g" in design.types
    assert load().get("generic-switch-4x400g") == design.types["generic-switch-4x400g"]
