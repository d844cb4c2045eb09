"""Paths between two places: what is listed is what the run puts on every link, and every path is one that leads."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.errors import Cancelled, GraphError, ParameterError, UnknownEntityError
from designer.graph.arrays import SWITCH
from designer.graph.building.build import build
from designer.model.entities import End
from designer.routing import policies
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.paths import between
from designer.simulation.paths.between import paths_between
from designer.simulation.paths.place import Place, place_named
from designer.simulation.scenario import Scenario

ROUTINGS = ("spray", "ecmp", "destination", "valiant", "adaptive")


@pytest.fixture(scope="module")
def pod(generate):
    """Two scalable units of two DGX H100, each leaf switch with parallel links to its spines."""
    return generate("rail-optimized", servers=4, servers_per_su=2)


@pytest.fixture(scope="module")
def groups(generate):
    """A dragonfly of five groups of two routers."""
    return generate("dragonfly", p=2, a=2, h=2)


@pytest.fixture(scope="module")
def two_nics(generate):
    """Hosts with two NICs each, one in either plane."""
    return generate("fat-tree", servers=8, planes=2)


def asked(design, a, b, routing="spray", top=None, **scenario):
    graph = build(design)
    run = Scenario(**(scenario or {"traffic": "all-to-all"}), size_bytes=1e6, routing=routing)
    places = place_named(design, a), place_named(design, b)
    return paths_between(design, graph, run, places, top=top, is_run=bool(scenario))


def on_links(graph, found):
    """(n_arcs,) what of all the traffic the paths put on each arc, parallel links by their capacity."""
    numbers = {link: 2 * int(np.flatnonzero(graph.link[::2] == at)[0]) for at, link in enumerate(graph.link_ids)}
    share = np.zeros(graph.n_arcs)
    for path in found.paths:
        for hop in path.hops:
            arcs = [
                numbers[link] + (graph.device_ids[graph.device[graph.source[numbers[link]]]] != hop.source_id)
                for link in hop.link_ids
            ]
            for arc in arcs:
                share[arc] += path.share * graph.capacity_gbps[arc] / graph.capacity_gbps[arcs].sum()
    return share


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("traffic", ["all-to-all", "permutation:3", "incast:7"])
@pytest.mark.parametrize("which", ["pod", "groups", "two_nics"])
def test_paths_of_all_pairs_carry_what_the_run_puts_on_every_link(request, which, traffic, routing):
    if (which, traffic) == ("pod", "all-to-all") and routing in ("valiant", "adaptive"):
        traffic = "bisection"  # a quarter of the pairs, of which each has very many paths
    design = request.getfixturevalue(which)
    graph, servers = build(design), design.servers()
    scenario = Scenario(traffic=traffic, routing=routing, size_bytes=1e6, seed=2)
    result = simulate(graph, scenario)
    carried = np.zeros(graph.n_arcs)
    for a in servers:
        for b in servers:
            if a is b:
                continue
            found = paths_between(design, graph, scenario, (Place(a.id), Place(b.id)), top=None)
            assert sum(path.share for path in found.paths) == pytest.approx(1.0)
            if found.is_of_run:
                carried += on_links(graph, found) * found.flows * 1e6
    linked = graph.link >= 0
    assert carried[linked] == pytest.approx(result.bytes[linked], rel=1e-6, abs=1e-3)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_path_leads_link_by_link_from_one_end_to_the_other(superpod, superpod_graph, data):
    servers = superpod.servers()
    a, b = data.draw(st.permutations(servers[:40]))[:2]
    routing = data.draw(st.sampled_from(("spray", "ecmp", "destination", "adaptive")))
    scenario = Scenario(collective="all-reduce", routing=routing, seed=data.draw(st.integers(0, 99)))
    found = paths_between(superpod, superpod_graph, scenario, (Place(a.id), Place(b.id)))
    for path in found.paths:
        assert path.hops[0].source_id == a.id and path.hops[-1].target_id == b.id
        for hop, following in zip(path.hops, path.hops[1:], strict=False):
            assert hop.target_id == following.source_id
        for hop in path.hops:
            for link_id in hop.link_ids:
                link = superpod.links[link_id]
                assert {link.a.device_id, link.b.device_id} == {hop.source_id, hop.target_id}
                assert link_id in found.links
            assert hop.source_id in found.devices and hop.target_id in found.devices
            assert 0 < path.share <= hop.share + 1e-9 <= 1 + 2e-9
        assert path.capacity_gbps == min(hop.capacity_gbps for hop in path.hops)


def test_equal_cost_ways_share_evenly_and_parallel_links_are_one_row(superpod):
    found = asked(superpod, "gpu-001:gpu0", "gpu-041:gpu0")
    assert (found.n_groups, found.n_paths, found.flows) == (16, 64, 1)
    assert [path.share for path in found.paths] == pytest.approx([1 / 16] * 16)
    assert {path.count for path in found.paths} == {4}
    up = found.paths[0].hops[1]
    assert (up.source, up.port, up.target, up.target_port) == ("leaf-su1-r1", "17/1, 17/2", "spine-01", "1/1, 1/2")
    assert up.capacity_gbps == 800 and up.share == pytest.approx(1 / 16)
    assert len(found.links) == 66


def test_ports_are_named_as_the_chassis_is_printed_and_found_by_that_name(superpod):
    found = asked(superpod, "gpu-001:OSFP4P2", "gpu-041:gpu0")
    assert found.source == "gpu-001 OSFP4P2" and found.paths[0].hops[0].source == "gpu-001 GPU 0"
    assert {path.hops[0].port for path in found.paths} == {"OSFP4P2"}


def test_the_latency_of_a_path_is_that_of_all_its_arcs(pod):
    graph = build(pod)
    found = asked(pod, "gpu-01:gpu0", "gpu-03:gpu0", "ecmp")
    route = policies.policy_named("ecmp").route
    of = [np.array([one]) for one in (0, 16, 1.0, 0)]
    paths = route(network(graph), of[0], of[1], of[2], of[3], 0)
    assert found.paths[0].latency_ns == pytest.approx(float(paths.latency_ns[0]))


def test_loads_are_those_of_the_run(pod):
    graph = build(pod)
    scenario = Scenario(collective="all-to-all", routing="ecmp", size_bytes=2**30)
    result = simulate(graph, scenario)
    places = place_named(pod, "gpu-01:gpu0"), place_named(pod, "gpu-03:gpu0")
    found = paths_between(pod, graph, scenario, places, result)
    loads = result.link_utilization()
    for hop in found.paths[0].hops:
        link = pod.links[hop.link_ids[0]]
        assert hop.utilization == pytest.approx(loads[link.id][link.a.device_id != hop.source_id])
    assert found.paths[0].utilization == max(hop.utilization for hop in found.paths[0].hops)
    assert paths_between(pod, graph, scenario, places).paths[0].utilization is None


def test_valiant_goes_by_third_leafs_and_adaptive_by_as_much_as_the_run_does(groups):
    graph, (a, b) = build(groups), ("host-01", "host-05")
    valiant = asked(groups, a, b, "valiant")
    names = {group.name for group in groups.groups.values()}
    assert {path.via for path in valiant.paths} <= names and len({path.via for path in valiant.paths}) == 3
    alone = asked(groups, a, b, "adaptive")
    assert {path.via for path in alone.paths} == {""}
    scenario = Scenario(traffic="shift:4", routing="adaptive", size_bytes=1e9)
    found = paths_between(groups, graph, scenario, (place_named(groups, a), place_named(groups, b)), top=None)
    away = sum(path.share for path in found.paths if path.via)
    assert found.is_of_run and 0.2 < away < 1
    assert "depend on the load" in alone.note


def test_a_leaf_switch_stands_for_the_gpus_on_it(superpod):
    found = asked(superpod, "leaf-su1-r1", "leaf-su2-r1", traffic="all-to-all")
    assert found.flows == 1024 and found.n_groups == 16
    assert {(path.hops[0].source, path.hops[-1].target) for path in found.paths} == {("leaf-su1-r1", "leaf-su2-r1")}
    graph = build(superpod)
    for link in found.links:
        ends = [superpod.links[link].a.device_id, superpod.links[link].b.device_id]
        assert all(graph.kind[np.flatnonzero(graph.device == graph.device_ids.index(one))[0]] == SWITCH for one in ends)


def test_a_port_keeps_to_the_paths_over_its_link_and_says_what_share_they_are(superpod):
    found = asked(superpod, "leaf-su1-r1:17/1", "leaf-su2-r1")
    assert found.n_groups == 1 and found.paths[0].story == "spine-01"
    assert "6.25 % of the traffic" in found.note
    assert len(found.links) == 4


def test_what_has_failed_is_on_no_path(superpod):
    graph = build(superpod, failed=frozenset(("spine-03",)))
    places = place_named(superpod, "gpu-001:gpu0"), place_named(superpod, "gpu-041:gpu0")
    found = paths_between(superpod, graph, Scenario(traffic="shift:1"), places)
    assert found.n_groups == 15
    assert "spine-03" not in {hop.target for path in found.paths for hop in path.hops}
    assert sum(path.share for path in found.paths) == pytest.approx(1.0)


def test_of_many_paths_the_largest_are_listed_and_the_rest_is_counted(superpod, monkeypatch):
    found = asked(superpod, "gpu-001:gpu0", "gpu-041:gpu0", "valiant", top=10)
    assert (len(found.paths), found.n_groups, found.n_paths) == (10, 7680, 122_880)
    assert "122,880 paths in 7,680 groups" in found.summary
    assert found.summary.endswith("; the first 10 are listed")
    largest = replace(found, paths=(*found.paths[:-1], replace(found.paths[-1], share=found.paths[0].share / 2)))
    assert largest.summary.endswith("; the 10 with the largest shares are listed")
    assert replace(found, paths=found.paths[:1]).summary.endswith("; the first is listed")
    monkeypatch.setattr(between, "MOST_FOLLOWED", 50)
    cut = asked(superpod, "gpu-001:gpu0", "gpu-041:gpu0", "valiant", top=10)
    assert not cut.is_complete and cut.n_groups == 50 and "more than" in cut.summary
    assert cut.links == found.links


def test_what_all_paths_lead_through_is_told_from_what_distinguishes_them(superpod):
    found = asked(superpod, "gpu-001:gpu0", "gpu-041:gpu0", "spray")
    assert found.common == ("leaf-su1-r1", "leaf-su2-r1") and found.have_same_ends
    assert sorted(found.ways_apart) == [(f"spine-{number:02d}",) for number in range(1, 17)]
    single = replace(found, paths=found.paths[:1])
    assert single.common == () and single.ways_apart == (single.paths[0].places,)
    assert not asked(superpod, "gpu-001", "gpu-041", "spray").have_same_ends


def test_flows_that_are_not_in_the_run_are_said_to_be_so(superpod):
    ring = asked(superpod, "gpu-001", "gpu-041", collective="all-reduce")
    assert not ring.is_of_run and ring.flows == 8
    assert ring.note.startswith("The traffic (all-reduce, ring) sends nothing from gpu-001 to gpu-041. These are")
    near = asked(superpod, "gpu-001", "gpu-002", collective="all-reduce")
    assert near.is_of_run and near.note == ""


def test_a_scenario_that_cannot_be_run_hides_no_paths(superpod):
    found = asked(superpod, "gpu-001:gpu0", "gpu-002:gpu0", collective="all-reduce", algorithm="bucket")
    assert found.n_paths == 1 and not found.is_of_run


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("spine-01", "spine-02", "spine-01 and spine-02 only pass traffic on"),
        ("gpu-001:gpu9", "gpu-002", "gpu-001 has no GPU 9"),
        ("gpu-001:gpu0", "gpu-001:gpu0", "same place"),
    ],
)
def test_places_without_traffic_are_refused(superpod, a, b, words):
    with pytest.raises(ParameterError, match=words):
        asked(superpod, a, b)


@pytest.mark.parametrize("name", ["gpu-9999", "gpu-001:nonsense", "gpu-001:", ""])
def test_names_that_the_design_does_not_have_are_refused(superpod, name):
    with pytest.raises(UnknownEntityError):
        place_named(superpod, name)


def test_a_plug_ins_split_is_read_off_its_arcs(pod, monkeypatch):
    plugin = policies.replace(policies.POLICIES["spray"], detoured=None, route=policies.spray.route_in_full)
    known = asked(pod, "gpu-01:gpu0", "gpu-03:gpu0")
    monkeypatch.setitem(policies.POLICIES, "spray", plugin)
    found = asked(pod, "gpu-01:gpu0", "gpu-03:gpu0")
    assert [path.story for path in found.paths] == [path.story for path in known.paths]
    assert sum(path.share for path in found.paths) == pytest.approx(1.0)


def test_looking_for_paths_can_be_cancelled(pod):
    def stop(_share):
        raise Cancelled("enough")

    places = place_named(pod, "gpu-01"), place_named(pod, "gpu-03")
    with pytest.raises(Cancelled):
        paths_between(pod, build(pod), Scenario(traffic="shift:1"), places, progress=stop)


def test_a_place_is_named_as_its_port_is_printed(superpod):
    device = next(one for one in superpod.servers())
    assert Place(device.id).name(superpod) == "gpu-001"
    assert Place(device.id, gpu=2).name(superpod) == "gpu-001 GPU 2"
    place = place_named(superpod, "gpu-001:OSFP4P2")
    assert superpod.port(End(place.device_id, place.port)).label == "OSFP4P2"


def test_shares_of_ways_by_third_leafs_sum_to_one_where_both_halves_split(generate):
    small = generate("pgft", children=(2, 4), parents=(1, 3))
    a, b = (small.servers()[at].name for at in (0, 7))
    found = asked(small, a, b, "valiant")
    assert {path.via for path in found.paths} and found.n_groups == 2 * 3 * 3
    assert [path.share for path in found.paths] == pytest.approx([1 / 18] * 18)


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("is_turned", [False, True])
def test_paths_lead_to_or_from_a_spine_and_end_there(pod, routing, is_turned):
    spine = next(one.name for one in pod.switches() if one.role == "spine")
    a, b = (spine, "gpu-01") if is_turned else ("gpu-01", spine)
    found = asked(pod, a, b, routing, traffic="all-to-all")
    assert found.is_of_run and found.flows > 0
    assert sum(path.share for path in found.paths) == pytest.approx(1.0)
    for path in found.paths:
        assert (path.hops[0].source if is_turned else path.hops[-1].target) == spine
        assert spine not in [hop.target for hop in path.hops[:-1]]
    names = {pod.device(one).name for one in found.devices}
    assert {spine, "gpu-01"} <= names
    servers = {one.name for one in pod.servers()}
    ends = {end for path in found.paths for hop in path.hops for end in (hop.source, hop.target)}
    assert ends & servers <= {"gpu-01"} or routing in ("valiant", "adaptive")
    lit = {pod.links[one] for one in found.links}
    assert all({link.a.device_id, link.b.device_id} <= set(found.devices) for link in lit)


def test_a_leaf_switch_and_a_spine_are_joined_by_their_links_alone(pod):
    leaf = next(one for one in pod.switches() if one.role == "leaf")
    spine = next(one for one in pod.switches() if one.role == "spine")
    found = asked(pod, leaf.name, spine.name)
    between_them = {link.id for link in pod.links_of(leaf.id) if spine.id in (link.a.device_id, link.b.device_id)}
    assert set(found.links) == between_them and not found.is_of_run
    assert "for each leaf switch" in found.note
    assert found.n_paths == len(between_them)


def test_a_spine_that_no_flow_passes_is_said_to_be_so(pod):
    spine = next(one.name for one in pod.switches() if one.role == "spine")
    with pytest.raises(GraphError, match=f"spray routing sends nothing between gpu-01:gpu0 and {spine}|sends nothing"):
        asked(pod, "gpu-01:gpu0", spine, traffic="shift:1", ranks=2)
