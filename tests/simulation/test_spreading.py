"""Congestion that spreads: victims that can be worked out by hand, and traffic that has none."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest

from designer.errors import ParameterError
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import from_entities
from designer.model.entities import Device, End, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.simulation.engine import simulate
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario

TYPES = [
    NicType("nic", "", "", (), 1, 400.0),
    ServerType("host", "", "", 1, slots=(Slot("a", gpu=0),)),
    SwitchType("switch", "", "", (), (CageGroup(40, ""),), (PortMode("", 1, 400.0),)),
]


def drawn(hosts: dict[str, str], trunks: list[tuple[str, str]]) -> Graph:
    """Hosts on switches, ranks in that order, and cables between switches; everything 400G."""
    ids = count(1)
    switches = list(dict.fromkeys([*hosts.values(), *(end for trunk in trunks for end in trunk)]))
    device = {name: f"d{next(ids)}" for name in [*hosts, *switches]}
    ports: dict[str, Iterator[int]] = {name: count(1) for name in switches}
    entities = [*TYPES]
    entities += [Device(device[name], name, "host" if name in hosts else "switch") for name in device]
    entities += [Module(f"m{next(ids)}", device[name], "a", "nic") for name in hosts]
    links = [(End(device[name], "a"), End(device[on], str(next(ports[on])))) for name, on in hosts.items()]
    links += [(End(device[a], str(next(ports[a]))), End(device[b], str(next(ports[b])))) for a, b in trunks]
    return build(from_entities([*entities, *(Link(f"l{next(ids)}", a, b) for a, b in links)]))


def run(graph: Graph, pairs: list[tuple[int, int]], tmp_path, **choices) -> Result:
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(f"{a},{b},1e9" for a, b in pairs))
    choices = {"routing": "spray", "congestion": "head-of-line", "efficiency": 1.0, "latency": False, **choices}
    return simulate(graph, Scenario(traffic=f"pairs:{path}", **choices))


@pytest.mark.parametrize("n_local", [2, 3, 7])
@pytest.mark.parametrize("routing", ["spray", "destination", "ecmp", "valiant", "adaptive"])
def test_a_flow_beside_an_incast_goes_no_faster_than_the_incast(tmp_path, n_local, routing):
    """A and v on the left send over one cable to hot and cold on the right, where others send to hot as well."""
    names = ["a", "v", "hot", "cold", *(f"local-{n}" for n in range(n_local))]
    graph = drawn({name: "left" if name in "av" else "right" for name in names}, [("left", "right")])
    pairs = [(0, 2), (1, 3), *((4 + n, 2) for n in range(n_local))]

    result = run(graph, pairs, tmp_path, routing=routing)

    share = 400 / (n_local + 1)
    found = result.congestion
    assert found is not None and found.n_victims == found.n_slowed == 1
    (victim,) = found.victims
    assert (victim.source, victim.target) == ("v", "cold")
    assert victim.rate_unpaused_gbps == pytest.approx(400 - share)
    assert victim.rate_gbps == pytest.approx(share)
    assert [(place.source, place.target) for place in victim.pauses] == [("left", "right"), ("right", "hot")]
    # First the trunk and the local senders' cables, then the cables of the two on the left.
    assert found.reach == (1 + n_local, 2)
    assert result.time_s == pytest.approx(1e9 * 8 / (share * 1e9))


@pytest.mark.parametrize("n", [3, 4, 6])
def test_pauses_reach_all_the_way_down_a_parking_lot(tmp_path, n):
    """A row of switches, a sender on each, all to the host at the end; a bystander crosses the first trunk alone."""
    hosts = {f"s{k}": f"row-{k}" for k in range(n)} | {"end": f"row-{n - 1}", "by": "row-0", "there": "row-1"}
    graph = drawn(hosts, [(f"row-{k}", f"row-{k + 1}") for k in range(n - 1)])
    pairs = [*((k, n) for k in range(n)), (n + 1, n + 2)]

    result = run(graph, pairs, tmp_path)

    found = result.congestion
    assert found is not None
    assert found.reach == (2,) * n  # a trunk and a sender each, and last the two senders of the first
    (victim,) = found.victims
    assert victim.rate_unpaused_gbps == pytest.approx(400 - 400 / n)
    assert victim.rate_gbps == pytest.approx(400 / n)
    assert len(victim.pauses) == n
    assert [place.source for place in victim.pauses] == [f"row-{k}" for k in range(n)]


def test_a_victim_makes_victims_of_its_own(tmp_path):
    """V is slowed beside the incast; w shares v's NIC and never comes near the right."""
    hosts = {"a": "left", "v": "left", "hot": "right", "cold": "right", "b": "right", "c": "right", "near": "left"}
    graph = drawn(hosts, [("left", "right")])

    found = run(graph, [(0, 2), (1, 3), (4, 2), (5, 2), (1, 6)], tmp_path).congestion

    assert found is not None
    rates = {(victim.source, victim.target): victim for victim in found.victims}
    assert set(rates) == {("v", "cold"), ("v", "near")}
    assert rates["v", "near"].rate_gbps == pytest.approx(400 / 3)
    assert [place.source for place in rates["v", "near"].pauses] == ["v", "left", "right"]


@pytest.mark.parametrize("routing", ["spray", "destination"])
@pytest.mark.parametrize("traffic", ["shift:1", "shift:8", "bisection", "incast:16"])
def test_where_nothing_is_shared_with_a_hot_port_nothing_changes(two_to_one, traffic, routing):
    scenario = Scenario(traffic=traffic, size_bytes=1e9, routing=routing)
    plain = simulate(two_to_one, scenario)

    spread = simulate(two_to_one, replace(scenario, congestion="head-of-line"))

    assert plain.congestion is None and spread.congestion is not None
    assert spread.congestion.n_victims == spread.congestion.n_slowed == 0
    assert spread.time_s == pytest.approx(plain.time_s, rel=1e-9)
    assert spread.flows == plain.flows
    assert spread.utilization_peak == pytest.approx(plain.utilization_peak)
    assert spread.bytes == pytest.approx(plain.bytes)


@pytest.mark.parametrize("routing", ["spray", "destination", "ecmp"])
def test_background_traffic_beside_an_incast_has_victims(two_to_one, routing):
    scenario = Scenario(traffic="incast:8+shift:1", size_bytes=1e9, routing=routing, latency=False)
    plain, spread = (simulate(two_to_one, replace(scenario, congestion=c)) for c in ("none", "head-of-line"))

    found = spread.congestion
    assert found is not None and found.n_victims > 0 and found.n_hot_ports == 1
    (hot,) = found.hot_ports
    assert (hot.place.source, hot.place.target, hot.flows) == ("leaf-01", "host-01", 9)
    assert hot.victims == found.n_victims and sum(hot.paused) == sum(found.reach)
    assert all(victim.rate_gbps == pytest.approx(400 / 9) for victim in found.victims)
    assert spread.flows is not None and plain.flows is not None
    assert spread.flows.rate_mean_gbps < plain.flows.rate_mean_gbps
    assert spread.time_s == pytest.approx(plain.time_s)  # the incast itself ends when it would have
    assert "host-01" in spread.bottlenecks[0].target
    assert "slowest flow waiting on it" in spread.model.congestion_spreads
    distances = [pause.distance for pause in found.pauses]
    assert distances == sorted(distances) and len(distances) == sum(found.reach)
    assert all(0 < pause.rate_gbps <= 400 for pause in found.pauses)
    assert min(pause.rate_gbps for pause in found.pauses) == pytest.approx(400 / 9)


def test_the_slowed_speed_up_when_the_incast_is_over(tmp_path):
    hosts = {"a": "left", "v": "left", "hot": "right", "cold": "right", "b": "right", "c": "right"}
    graph = drawn(hosts, [("left", "right")])
    path = tmp_path / "pairs.csv"
    path.write_text("0,2,1e9\n4,2,1e9\n5,2,1e9\n1,3,4e9")

    scenario = Scenario(traffic=f"pairs:{path}", congestion="head-of-line", efficiency=1.0, latency=False)

    # A third of 50 GB/s until the three have sent 1 GB each; then the 3 GB that are left at full rate.
    assert simulate(graph, scenario).time_s == pytest.approx(3e9 / 50e9 + 3e9 / 50e9)


def test_too_many_flows_to_follow_are_refused_in_a_sentence(superpod_graph):
    with pytest.raises(ParameterError, match="flow by flow, for up to 300,000 flows"):
        simulate(superpod_graph, Scenario(collective="all-to-all", congestion="head-of-line"))


def test_every_collective_runs_with_it(generate):
    graph = build(generate("rail-optimized", servers=4))
    for collective in ("all-reduce", "all-to-all", "broadcast", "send-recv"):
        result = simulate(graph, Scenario(collective=collective, ranks=16, congestion="head-of-line"))
        assert result.congestion is not None


def test_traffic_of_several_patterns_is_checked_part_by_part(two_to_one):
    both = simulate(two_to_one, Scenario(traffic="incast:8+shift:+3+all-to-all", size_bytes=1e6))
    assert both.flows is not None and both.flows.count == 8 + 64 + 64 * 63
    for traffic, sentence in (
        ("incast:8+shift", "needs its distance"),
        ("incast:8+storm:1", "whole number"),
        ("storm+shift:1", "no traffic"),
    ):
        with pytest.raises(ParameterError, match=sentence):
            Scenario(traffic=traffic)
    with pytest.raises(ParameterError, match="shift:64 sends nothing"):
        simulate(two_to_one, Scenario(traffic="incast:8+shift:64", size_bytes=1e6))


def test_a_flow_held_back_early_passes_nothing_on_to_where_it_is_slow_anyway(tmp_path):
    """Far waits on the first cable for the incast on hot. That the last cable of its way is paused for warm, less than
    far is held back already, is none of its matter: the cable between, where by goes, stays as it is.
    """
    on = {
        "far": "row-0",
        "near": "row-0",
        "g": "row-0",
        "hot": "row-1",
        "by": "row-1",
        "home": "row-1",
        "there": "row-2",
        "k": "row-2",
        "end": "row-3",
        "warm": "row-3",
    }
    on |= {f"at-hot-{n}": "row-1" for n in range(7)} | {f"at-warm-{n}": "row-3" for n in range(3)}
    graph = drawn(on, [(f"row-{n}", f"row-{n + 1}") for n in range(3)])
    pairs = [("far", "end"), ("far", "near"), ("g", "hot"), ("by", "there"), ("by", "home"), ("k", "warm")]
    pairs += [(name, "hot" if name.startswith("at-hot") else "warm") for name in on if name.startswith("at-")]
    ranks = {name: rank for rank, name in enumerate(on)}

    found = run(graph, [(ranks[a], ranks[b]) for a, b in pairs], tmp_path).congestion

    assert found is not None
    assert {(victim.source, victim.target): victim.rate_gbps for victim in found.victims} == {
        ("far", "end"): pytest.approx(50),
        ("far", "near"): pytest.approx(50),
    }
    assert all(victim.rate_unpaused_gbps == pytest.approx(200) for victim in found.victims)
