"""Which flows were hashed onto the same port while another was idle: counted against the paths themselves."""

import numpy as np
import pytest

from designer.graph.arrays import SWITCH
from designer.graph.building.build import build
from designer.routing.network import network
from designer.routing.policies import POLICIES
from designer.simulation.engine import plan_of, simulate
from designer.simulation.explain import collisions as module
from designer.simulation.explain.collisions import collisions
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants


@pytest.mark.parametrize("traffic", ["permutation:1", "shift:8", "all-to-all", "incast:16"])
def test_flows_on_each_port_are_those_of_the_paths(generate, traffic):
    graph = build(generate("pgft", children=(8, 8), parents=(1, 2), parallel=(1, 2)))
    scenario = Scenario(traffic=traffic, routing="ecmp", size_bytes=1e6, seed=3)
    (found,) = collisions(simulate(graph, scenario), scenario)

    src, dst = pairs(graph, scenario)
    paths = POLICIES["ecmp"].route(network(graph), src, dst, np.ones(len(src)), np.zeros(len(src), dtype=np.int64), 3)
    crossing = np.bincount(paths.arcs, minlength=graph.n_arcs)
    arcs = np.flatnonzero((graph.kind[graph.source] == SWITCH) & (graph.kind[graph.target] == SWITCH))
    ports = {(graph.device_name(int(graph.source[a])), graph.port_name(int(a))): int(crossing[a]) for a in arcs}
    assert found.flows == len(src)
    assert found.choices == sum(ports.values()), "with parallel links there is a choice on the way down too"
    for group in found.groups:
        assert group.flows == sum(lane.flows for lane in group.lanes)
        assert len(group.lanes) == (4 if group.switch.startswith("leaf") else 2)
        assert [lane.flows for lane in group.lanes] == sorted((lane.flows for lane in group.lanes), reverse=True)
        for lane in group.lanes:
            assert lane.flows == ports[group.switch, lane.port]
    factors = [group.most / max(group.even, 1) for group in found.groups]
    assert factors == sorted(factors, reverse=True) and found.worst_factor == pytest.approx(factors[0])


def pairs(graph, scenario):
    net = network(graph)
    (phase,) = plan_of(net, scenario, participants(net, scenario)).phases
    if scenario.traffic != "all-to-all":
        return phase.traffic.src, phase.traffic.dst
    n = graph.n_endpoints
    src, dst = np.repeat(np.arange(n), n), np.tile(np.arange(n), n)
    return src[src != dst], dst[src != dst]


def test_the_story_names_the_port_and_the_idle_ones_beside_it(generate):
    graph = build(generate("pgft", children=(8, 8), parents=(1, 4)))
    scenario = Scenario(traffic="permutation:1", routing="ecmp", size_bytes=1e6)
    result = simulate(graph, scenario)
    (found,) = collisions(result, scenario)
    worst = found.groups[0]
    assert worst.collides and worst.most > worst.even
    assert worst.story.startswith(f"{worst.switch}: port {worst.lanes[0].port} carries {worst.most} flows")
    assert worst.idle == 0 or "idle" in worst.story
    # Nothing holds it back but the worst port: so many flows share it.
    assert result.time_s == pytest.approx(worst.most * 1e6 / 50e9, rel=0.05)
    assert found.n_colliding == sum(group.most > 1 and group.idle > 0 for group in found.groups)


def test_policies_without_a_hash_have_no_collisions_and_dimension_order_no_choice(generate):
    graph = build(generate("pgft", children=(8, 8), parents=(1, 4)))
    for routing in ("spray", "valiant", "adaptive"):
        scenario = Scenario(traffic="shift:8", routing=routing)
        assert collisions(simulate(graph, scenario), scenario) == ()
    scenario = Scenario(traffic="shift:1", routing="ecmp")
    (found,) = collisions(simulate(graph, scenario), scenario)
    assert (found.choices, found.n_groups) == (8, 8) and not any(group.collides for group in found.groups)


def test_every_phase_of_a_collective_is_told(generate):
    graph = build(generate("fat-tree", servers=8))
    scenario = Scenario(collective="all-reduce", algorithm="halving-doubling", routing="ecmp")
    result = simulate(graph, scenario)
    seen: list[float] = []
    found = collisions(result, scenario, seen.append)
    assert [phase.phase for phase in found] == [phase.name for phase in result.phases]
    assert seen == pytest.approx(np.arange(1, len(found) + 1) / len(found))


def test_phases_of_up_to_the_most_flows_are_told(two_to_one, monkeypatch):
    scenario = Scenario(traffic="shift:8", routing="ecmp")
    result = simulate(two_to_one, scenario)
    for most, n_told in ((64, 1), (63, 0)):  # of 64 flows
        monkeypatch.setattr(module, "MOST_FLOWS", most)
        assert len(collisions(result, scenario)) == n_told
