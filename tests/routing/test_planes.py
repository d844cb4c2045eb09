"""Planes chosen per message: one plane for each, evenly over those in service, or every message split over all."""

import numpy as np
import pytest
from test_several_nics import boxes

from designer.graph.arrays import NIC, Graph
from designer.graph.building.build import build
from designer.routing.paths import Paths
from designer.routing.policies import POLICIES
from designer.simulation.engine import simulate
from designer.simulation.prepared import prepared
from designer.simulation.scenario import Scenario

PLANES = 4
ROUTINGS = ("spray", "weighted-spray", "destination", "ecmp", "flowlet", "packet-spray", "valiant", "adaptive")


@pytest.fixture(scope="module")
def graphs() -> dict[str, Graph]:
    """Three boxes of two GPUs with a NIC in each of four planes: whole, a NIC dead, and a plane without its switch."""
    design = boxes(PLANES, planes=True)
    dead = {"whole": frozenset(), "nic": frozenset({"box-0:g0n1"}), "plane": frozenset({"plane-2"})}
    return {name: build(design, failed=failed) for name, failed in dead.items()}


def asked(graph: Graph, **set_to) -> Scenario:
    given = {"traffic": "shift:2", "size_bytes": 1e9, "latency": False, "failed": tuple(sorted(graph.failed))}
    return Scenario(**{**given, **set_to})


def routed(graph: Graph, scenario: Scenario, channels: int = 12) -> Paths:
    """From the first GPU to that of the next box, a message on each channel."""
    src, dst = np.zeros(channels, dtype=np.int64), np.full(channels, 2)
    policy = POLICIES[scenario.routing]
    return policy.route(prepared(graph, scenario), src, dst, np.ones(channels), np.arange(channels), scenario.seed)


def by_message(graph: Graph, paths: Paths) -> list[list[tuple[str, float]]]:
    """The planes of each message by the port that it leaves by, with the share there."""
    leaves = (graph.kind[graph.source] == NIC) & (graph.link >= 0)
    found = []
    for first, last in zip(paths.start[:-1].tolist(), paths.start[1:].tolist(), strict=True):
        row = [
            (int(arc), float(share))
            for arc, share in zip(paths.arcs[first:last], paths.weights[first:last], strict=True)
        ]
        found.append([(graph.link_ports[graph.link[arc]][0][-2:], share) for arc, share in row if leaves[arc]])
    return found


@pytest.mark.parametrize("routing", ROUTINGS)
def test_a_message_takes_one_plane_and_messages_take_all_that_are_whole_evenly(graphs, routing):
    for name, planes in (
        ("whole", {"n0", "n1", "n2", "n3"}),
        ("nic", {"n0", "n2", "n3"}),
        ("plane", {"n0", "n1", "n3"}),
    ):
        graph = graphs[name]
        messages = by_message(graph, routed(graph, asked(graph, routing=routing, planes="turns")))
        assert all(shares == [(shares[0][0], pytest.approx(1))] for shares in messages)
        taken = [shares[0][0] for shares in messages]
        assert {plane: taken.count(plane) for plane in taken} == dict.fromkeys(planes, 12 // len(planes))

        split = by_message(graph, routed(graph, asked(graph, routing=routing, planes="split")))
        assert all(dict(shares) == pytest.approx(dict.fromkeys(planes, 1 / len(planes))) for shares in split)

        hashed = [
            by_message(graph, routed(graph, asked(graph, routing=routing, planes="hash", seed=s), 60)) for s in (1, 2)
        ]
        assert all(len(shares) == 1 for shares in hashed[0]) and hashed[0] != hashed[1]
        assert {shares[0][0] for shares in hashed[0]} == planes


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("planes", ["split", "turns", "hash"])
def test_bytes_in_are_bytes_out_whatever_is_dead(graphs, routing, planes):
    members = np.arange(6)
    src, dst = np.repeat(members, 6), np.tile(members, 6)
    src, dst = src[src != dst], dst[src != dst]
    size = np.arange(1.0, len(src) + 1)
    for graph in graphs.values():
        scenario = asked(graph, routing=routing, planes=planes)
        net = prepared(graph, scenario)
        paths = POLICIES[routing].route(net, src, dst, size, np.zeros(len(src), dtype=np.int64), 5)
        surplus = np.bincount(graph.target, paths.bytes_on, graph.n_vertices)
        surplus -= np.bincount(graph.source, paths.bytes_on, graph.n_vertices)
        surplus -= np.bincount(dst, size, graph.n_vertices) - np.bincount(src, size, graph.n_vertices)
        assert np.abs(surplus).max() <= 1e-6 * size.sum()
        flow = np.repeat(np.arange(len(src)), np.diff(paths.start))
        assert len(set(zip(flow.tolist(), paths.arcs.tolist(), strict=True))) == len(flow), "an arc is in a row twice"


def test_a_single_message_has_the_rate_of_one_plane_and_many_have_that_of_all(graphs):
    whole = graphs["whole"]
    times = {planes: simulate(whole, asked(whole, planes=planes)).time_s for planes in ("routing", "split", "turns")}
    assert times["routing"] == times["split"] and times["turns"] == pytest.approx(PLANES * times["split"])
    many = {"traffic": None, "collective": "all-to-all", "ranks": (0, 2, 4)}
    for graph, factor in ((whole, 1.0), (graphs["plane"], PLANES / 3)):
        split = simulate(graph, asked(graph, **many, planes="split"))
        assert split.time_s == pytest.approx(factor * simulate(whole, asked(whole, **many)).time_s)
    assert simulate(whole, asked(whole, planes="turns", routing="ecmp")).model.routing == "ecmp (planes turns)"


def test_an_all_to_all_that_is_counted_by_planes_is_not_where_messages_pick_theirs(graphs, monkeypatch):
    from designer.simulation import phase_results

    graph = graphs["whole"]
    followed = {
        planes: simulate(graph, asked(graph, traffic="all-to-all", planes=planes)) for planes in ("split", "turns")
    }
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 0)
    for planes, result in followed.items():
        counted = simulate(graph, asked(graph, traffic="all-to-all", planes=planes))
        assert counted.bytes == pytest.approx(result.bytes)
