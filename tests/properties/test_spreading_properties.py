"""Spreading congestion on random fabrics: against rules applied by hand until nothing changes, and what must hold."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_fabrics import assembled, fabrics, random_flows

from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.routing.network import network
from designer.routing.paths import Paths
from designer.routing.policies import POLICIES
from designer.simulation.explain.pressure import wishes
from designer.simulation.flows import spreading
from designer.simulation.traffic.phases import Flows
from designer.units import BYTES_PER_S_PER_GBPS

ROUTINGS = ("spray", "destination", "ecmp", "valiant", "adaptive")


def in_full(graph: Graph, routing: str, src: np.ndarray, dst: np.ndarray, size_bytes: np.ndarray) -> Paths:
    policy = POLICIES[routing]
    route = policy.in_full or policy.route
    return route(network(graph), src, dst, size_bytes, np.zeros(len(src), dtype=np.int64), 7)


def arcs_before(graph: Graph, arcs: list[int], held: list[int]) -> set[int]:
    """Arcs of a flow that lead to one of those it is held at."""
    before: set[int] = set()
    reached = {int(graph.source[arc]) for arc in held}
    while True:
        more = {arc for arc in arcs if int(graph.target[arc]) in reached} - before
        if not more:
            return before - set(held) if len(held) == 1 else before
        before |= more
        reached |= {int(graph.source[arc]) for arc in more}


def by_hand(graph: Graph, paths: Paths, unpaused: np.ndarray, limit: np.ndarray, wish: np.ndarray) -> np.ndarray:
    """Rates by the rules, calculated again from the rates before until nothing changes: the slowest settle first."""
    rows = [paths.arcs[paths.start[f] : paths.start[f + 1]].tolist() for f in range(paths.n_flows)]
    rate, pace = unpaused.copy(), {}
    while True:
        found = {}
        for flow, arcs in enumerate(rows):
            if rate[flow] < unpaused[flow] * (1 - 1e-9):
                held = [arc for arc in arcs if pace.get(arc, np.inf) <= rate[flow] * (1 + 1e-9)]
            elif unpaused[flow] < wish[flow] * (1 - 1e-6) and limit[flow] >= 0:
                held = [int(limit[flow])]
            else:
                continue
            for arc in arcs_before(graph, arcs, held):
                if graph.link[arc] >= 0:
                    found[arc] = min(found.get(arc, np.inf), rate[flow])
        slower = [min([unpaused[f], *(found.get(arc, np.inf) for arc in arcs)]) for f, arcs in enumerate(rows)]
        if found == pace and (np.array(slower) == rate).all():
            return rate
        rate, pace = np.array(slower), found


@given(fabrics(), st.sampled_from(ROUTINGS), st.data())
def test_pauses_spread_as_the_rules_applied_by_hand_have_it(fabric, routing, data):
    graph = build(assembled(*fabric))
    src, dst, size_bytes = random_flows(data.draw, graph)
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    paths = in_full(graph, routing, src, dst, size_bytes)
    sent = Flows(src, dst, size_bytes, np.zeros(len(src), dtype=np.int64))

    phase_result, found = spreading.at_start(graph, paths, sent, capacity)

    expected = by_hand(graph, paths, phase_result.first_rate, phase_result.limit, wishes(graph, paths, capacity))
    assert found.rate == pytest.approx(expected, rel=1e-6)


@given(fabrics(), st.sampled_from(ROUTINGS), st.data())
def test_nobody_gets_faster_no_arc_is_overloaded_and_the_slowest_keeps_its_rate(fabric, routing, data):
    graph = build(assembled(*fabric))
    src, dst, size_bytes = random_flows(data.draw, graph)
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    paths = in_full(graph, routing, src, dst, size_bytes)
    sent = Flows(src, dst, size_bytes, np.zeros(len(src), dtype=np.int64))

    phase_result, found = spreading.run(graph, paths, sent, capacity, tolerance=1e-12, progress=lambda _share: None)

    assert (found.rate <= found.unpaused).all() and found.rate.min() == found.unpaused.min()
    assert phase_result.peak.max() <= 1 + 1e-9
    assert np.isfinite(phase_result.finish_s).all()
    assert (
        phase_result.finish_s >= size_bytes / np.maximum(found.unpaused, phase_result.last_rate).max() * (1 - 1e-9)
    ).all()
    paused = np.flatnonzero(found.distance > 0)
    assert (graph.link[paused] >= 0).all()
    for arc in paused.tolist():
        way = found.pauses_from(arc)
        assert way[-1] == found.hot[arc]
        assert (graph.device[graph.target[way[:-1]]] == graph.device[graph.source[way[1:]]]).all()
    for flow in np.flatnonzero(found.is_victim).tolist():
        mine = paths.arcs[paths.start[flow] : paths.start[flow + 1]]
        assert found.limit[flow] not in mine and found.held_at[flow] in mine
        assert found.rate[flow] == pytest.approx(found.pace[found.held_at[flow]])


@given(fabrics(), st.sampled_from(["spray", "valiant"]), st.randoms(use_true_random=False))
def test_numbering_anew_changes_neither_rates_nor_what_is_paused(fabric, routing, random):
    devices, _, links = fabric
    numbers = list(range(max(len(devices), len(links))))
    random.shuffle(numbers)
    outcomes = []
    for design in (assembled(*fabric), assembled(*fabric, numbers=numbers)):
        graph = build(design)
        gpus = {(graph.device_name(v), int(graph.local[v])): v for v in range(graph.n_endpoints)}
        names = sorted(gpus)
        src = np.array([gpus[name] for name in names])
        dst = np.array([gpus[name] for name in [*names[1:], *names[:1]]])
        src, dst = np.concatenate([src, src]), np.concatenate([dst, np.full(len(src), gpus[names[0]])])
        src, dst = src[src != dst], dst[src != dst]
        assume(len(src))
        capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
        paths = in_full(graph, routing, src, dst, np.ones(len(src)))
        sent = Flows(src, dst, np.ones(len(src)), np.zeros(len(src), dtype=np.int64))
        _, found = spreading.at_start(graph, paths, sent, capacity)
        paused = {
            (graph.device_name(int(graph.source[arc])), graph.device_name(int(graph.target[arc])))
            for arc in np.flatnonzero(found.distance > 0)
        }
        outcomes.append((found.rate, paused))
    assert outcomes[0][0] == pytest.approx(outcomes[1][0], rel=1e-6)
    assert outcomes[0][1] == outcomes[1][1]
