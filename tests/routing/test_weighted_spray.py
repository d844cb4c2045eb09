"""Weighted spray: shares by what lies behind a hop."""

import pytest

from designer.graph.building.build import build
from designer.routing import weighted_spray
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario

SIZE = 4e9
SENDERS = ("a1", "a2", "a3", "a4")
ACROSS = "shift:4"


@pytest.fixture
def two_leafs(drawing):
    """Four hosts on each of two leaf switches, which have two links to each of two spines."""
    drawing.add("generic-switch", "leaf-a", "leaf-b", "spine-1", "spine-2")
    drawing.add("generic-host", *SENDERS, *(name.replace("a", "b") for name in SENDERS))
    for side in "ab":
        for number in range(1, 5):
            drawing.join(f"{side}{number}", f"leaf-{side}")
        for spine in ("spine-1", "spine-2"):
            drawing.join(f"leaf-{side}", spine, 2)
    return drawing.design


def time_s(design, routing: str, *failed: str) -> float:
    graph = build(design, failed=frozenset(failed))
    return simulate(graph, Scenario(traffic=ACROSS, routing=routing, size_bytes=SIZE, latency=False)).time_s


def a_link(design, a: str, b: str) -> str:
    ends = {design.find(a).id, design.find(b).id}
    return next(link.id for link in design.links.values() if {link.a.device_id, link.b.device_id} == ends)


def test_a_missing_uplink_costs_its_own_rate_and_does_not_halve_the_leaf(two_leafs):
    whole = time_s(two_leafs, "spray")
    missing = a_link(two_leafs, "leaf-b", "spine-1")
    assert time_s(two_leafs, "weighted-spray") == pytest.approx(whole)
    assert time_s(two_leafs, "spray", missing) == pytest.approx(2 * whole)  # 4 senders over 2 x 1 of 4 links
    assert time_s(two_leafs, "weighted-spray", missing) == pytest.approx(whole * 4 / 3)


def test_what_is_behind_is_what_all_ways_on_carry_and_a_next_hop_is_not_left_out_for_being_narrow(two_leafs):
    graph = build(two_leafs, failed=frozenset({a_link(two_leafs, "leaf-b", "spine-1")}))
    net = weighted_spray.prepared(network(graph))
    names = [graph.device_name(net.switches.first + switch) for switch in range(net.switches.n_switches)]
    to_b = int(net.switches.leaf_of[names.index("leaf-b")])
    rate = float(graph.capacity_gbps[net.switches.arcs].min())
    behind = dict(zip(names, (net.switches.behind[to_b] / rate).tolist(), strict=True))
    assert behind == {"leaf-a": 3.0, "leaf-b": float("inf"), "spine-1": 1.0, "spine-2": 2.0}
    assert weighted_spray.prepared(network(graph)).switches is net.switches, "found once for each graph"
