"""Flowlets and packets: every switch chooses a port for each of them, as a brute force does piece by piece."""

from dataclasses import replace

import numpy as np
import pytest

from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.routing import pieces
from designer.routing.given import PORT_CHOICES, Switching
from designer.routing.network import network
from designer.routing.paths import Paths
from designer.simulation.engine import simulate
from designer.simulation.explain.link_flows import crossing_flows
from designer.simulation.flows import uniform
from designer.simulation.phase_results import written_out
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs, Phase

SPINES, LEAFS, HOSTS = 4, 3, 4
MIB = 2.0**20
CHOICES = [word.name for word in PORT_CHOICES]


@pytest.fixture(scope="module")
def graph(generate) -> Graph:
    """Three leaf switches of four hosts each, with a link to each of four spines."""
    return build(generate("pgft", children=(HOSTS, LEAFS), parents=(1, SPINES)))


def routed(graph: Graph, flows: list[tuple[int, int, float]], seed: int = 3, **set_to) -> Paths:
    src, dst, size = (np.array(column) for column in zip(*flows, strict=True))
    net = replace(network(graph), switching=Switching(flowlet_bytes=MIB, packet_bytes=MIB, **set_to))
    return pieces.packets(net, src, dst, size.astype(float), np.zeros(len(src), dtype=np.int64), seed)


def uplinks(graph: Graph, leaf: str) -> np.ndarray:
    """The arcs from a leaf switch to its spines."""
    tail = np.array([graph.device_name(int(vertex)) for vertex in graph.source])
    head = np.array([graph.device_name(int(vertex)) for vertex in graph.target])
    return np.flatnonzero((tail == leaf) & np.char.startswith(head, "spine"))


def test_counts_of_pieces_at_random_have_the_spread_of_pieces_that_are_thrown_one_by_one(graph):
    n_pieces, seeds = 40, range(400)
    up = uplinks(graph, "leaf-01")
    counted = np.array([routed(graph, [(0, 4, n_pieces * MIB)], seed).bytes_on[up] for seed in seeds]) / MIB
    assert (counted == np.round(counted)).all() and (counted.sum(axis=1) == n_pieces).all()
    thrown = np.random.default_rng(1).integers(0, SPINES, (len(seeds), n_pieces))
    by_hand = np.array([np.bincount(row, minlength=SPINES) for row in thrown])
    assert counted.mean(axis=0) == pytest.approx(by_hand.mean(axis=0), abs=0.6)
    assert counted.var() == pytest.approx(n_pieces / SPINES * (1 - 1 / SPINES), rel=0.1)
    assert counted.max(axis=1).mean() == pytest.approx(by_hand.max(axis=1).mean(), rel=0.03)


@pytest.mark.parametrize("choice", CHOICES[1:])
def test_in_turn_and_by_load_ports_of_a_switch_differ_by_one_piece_at_most(graph, choice):
    flows = [(host, 4 + (host + 1) % 8, (3 + host) * MIB) for host in range(HOSTS)]
    on = routed(graph, flows, port_choice=choice).bytes_on[uplinks(graph, "leaf-01")] / MIB
    assert sorted(on) == pytest.approx([4, 4, 5, 5])  # 18 pieces of four flows over four ports


def test_by_load_a_port_of_twice_the_rate_gets_twice_the_bytes(graph):
    up = uplinks(graph, "leaf-01")
    capacity = graph.capacity_gbps.copy()
    capacity[up] = (400.0, 400.0, 200.0, 200.0)
    of_two_rates = replace(graph, capacity_gbps=capacity, derived={})
    on = routed(of_two_rates, [(0, 4, 30 * MIB)], port_choice="least-loaded").bytes_on[up]
    assert on / MIB == pytest.approx([10, 10, 5, 5])


def test_the_seed_alone_decides_and_one_flow_goes_the_same_way_with_others_or_without(graph):
    flows = [(0, 4, 20 * MIB), (1, 9, 7 * MIB), (5, 2, 3 * MIB)]
    one, again, other = routed(graph, flows), routed(graph, flows), routed(graph, flows, seed=4)
    assert (one.bytes_on == again.bytes_on).all() and (one.bytes_on != other.bytes_on).any()
    alone = routed(graph, flows[1:2])
    row = slice(one.start[1], one.start[2])
    assert (one.arcs[row] == alone.arcs).all() and (one.weights[row] == alone.weights).all()


@pytest.mark.parametrize("choice", CHOICES)
def test_an_all_to_all_counted_at_once_is_as_uneven_as_the_one_written_out(graph, choice):
    members = np.arange(LEAFS * HOSTS)
    net = replace(network(graph), switching=Switching(packet_bytes=MIB, port_choice=choice))
    sent = written_out(AllPairs(members, 5 * MIB), 0, len(members))
    up = np.concatenate([uplinks(graph, f"leaf-{number + 1:02}") for number in range(LEAFS)])
    written, counted = [], []
    for seed in range(60 if choice == "random" else 1):
        paths = pieces.packets(net, sent.src, sent.dst, sent.size_bytes, sent.channel, seed)
        on, _ = uniform.hashed_loads(net, members, seed, n_pieces=5.0)
        edge = np.setdiff1d(np.arange(graph.n_arcs), np.flatnonzero(between(graph)))
        assert on[edge] * 5 * MIB == pytest.approx(paths.bytes_on[edge])
        assert on[up].sum() == pytest.approx(len(members) * 8)
        written.append(paths.bytes_on[up] / MIB), counted.append(on[up] * 5)
    if choice == "random":
        assert np.var(counted) == pytest.approx(np.var(written), rel=0.2)
        assert np.var(written) == pytest.approx(160 / 4 * 3 / 4, rel=0.2)
    else:
        assert np.ptp(written) <= 1 and np.ptp(counted) <= 2  # both leaf switches it goes to have a turn of their own


def between(graph: Graph) -> np.ndarray:
    """Which arcs join two switches."""
    first = network(graph).switches.first
    return (graph.source >= first) & (graph.target >= first)


def test_small_pieces_come_close_to_spray_and_one_piece_is_a_whole_flow(graph):
    asked = {"traffic": f"shift:{HOSTS}", "size_bytes": 64 * MIB, "latency": False}
    spray = simulate(graph, Scenario(**asked)).time_s
    times = [
        simulate(graph, Scenario(**asked, routing="flowlet", flowlet_bytes=size)).time_s
        for size in (64 * MIB, MIB, 2.0**12)
    ]
    assert times[0] > times[1] > times[2] > spray == pytest.approx(times[2], rel=0.05)
    hashed = simulate(graph, Scenario(**asked, routing="flowlet", flowlet_bytes=64 * MIB))
    assert set(np.round(hashed.bytes[uplinks(graph, "leaf-01")] / (64 * MIB), 9)) <= {0.0, 1.0, 2.0, 3.0, 4.0}


def test_flows_over_a_link_add_up_to_its_bytes(graph):
    asked = Scenario(collective="all-to-all", size_bytes=12 * 8 * MIB, routing="packet-spray", packet_bytes=MIB)
    arc = int(uplinks(graph, "leaf-02")[0])
    net = replace(network(graph), switching=Switching(packet_bytes=MIB))
    phase = Phase("all", 1, AllPairs(np.arange(12), 8 * MIB))
    (part,) = crossing_flows(net, asked, phase, arc, 10, lambda _share: None)
    _, _, share, size = part
    assert (share * size).sum() == pytest.approx(simulate(graph, asked).bytes[arc])
