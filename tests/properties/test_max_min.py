"""Max-min fairness, conservation and independence of numbering on random fabrics."""

import numpy as np
import pytest
from brute_force import Fabric
from hypothesis import assume, given
from hypothesis import strategies as st
from progressive_filling import finishes_from_scratch
from random_fabrics import POLICIES, assembled, fabrics, random_flows, routed

from designer.errors import GraphError
from designer.graph.building.build import build
from designer.routing.network import network
from designer.routing.paths import Paths
from designer.routing.policies import policy_named
from designer.simulation.engine import simulate
from designer.simulation.flows import fluid, uniform, uniform_flow_classes
from designer.simulation.flows.surveys import SprayedSurveyor, TableSurveyor
from designer.simulation.flows.uniform_flow_classes import by_kinds
from designer.simulation.flows.uniform_hosts import hosts_of
from designer.simulation.scenario import Scenario
from designer.storage.document import encode
from designer.units import BYTES_PER_S_PER_GBPS


def load_of(paths: Paths, rate: np.ndarray, n_arcs: int) -> np.ndarray:
    """What the flows put on the arcs in the rows."""
    flow = np.repeat(np.arange(paths.n_flows), np.diff(paths.start))
    return np.bincount(paths.arcs, paths.weights * rate[flow], n_arcs)


@given(fabrics(), st.sampled_from(sorted(POLICIES)), st.data())
def test_rates_are_max_min_fair_and_no_arc_is_over_its_capacity(fabric, routing, data):
    graph = build(assembled(*fabric))
    src, dst, size_bytes = random_flows(data.draw, graph)
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    paths = routed(graph, routing, src, dst, size_bytes)

    phase_result = fluid.run(paths.start, paths.arcs, paths.weights, capacity, size_bytes)

    load = load_of(paths, phase_result.first_rate, graph.n_arcs)
    assert (load <= capacity * (1 + 1e-9)).all()
    assert phase_result.peak.max() <= 1 + 1e-9
    fastest = np.zeros(graph.n_arcs)
    flow = np.repeat(np.arange(paths.n_flows), np.diff(paths.start))
    np.maximum.at(fastest, paths.arcs, phase_result.first_rate[flow])
    for f in range(paths.n_flows):
        arcs = paths.arcs[paths.start[f] : paths.start[f + 1]]
        is_full = load[arcs] >= capacity[arcs] * (1 - 1e-9)
        is_fastest = phase_result.first_rate[f] >= fastest[arcs] * (1 - 1e-9)
        assert (is_full & is_fastest).any(), "a flow that no arc holds back"


@given(fabrics(), st.sampled_from(sorted(POLICIES)), st.data())
def test_bytes_in_are_bytes_out_at_every_vertex(fabric, routing, data):
    graph = build(assembled(*fabric))
    src, dst, size_bytes = random_flows(data.draw, graph)

    paths = routed(graph, routing, src, dst, size_bytes)

    surplus = np.bincount(graph.target, paths.bytes_on, graph.n_vertices)
    surplus -= np.bincount(graph.source, paths.bytes_on, graph.n_vertices)
    surplus -= np.bincount(dst, size_bytes, graph.n_vertices) - np.bincount(src, size_bytes, graph.n_vertices)
    assert np.abs(surplus).max() <= 1e-6 * size_bytes.sum()


@given(fabrics(), st.booleans(), st.data())
def test_sprayed_shares_are_those_of_the_brute_force_with_every_arc_once_in_a_row(fabric, weighted, data):
    design = assembled(*fabric)
    graph = build(design)
    src, dst, size_bytes = random_flows(data.draw, graph)
    by_hand = Fabric(encode(design).decode())

    policy = POLICIES["weighted-spray" if weighted else "spray"]
    net = policy.prepared(network(graph))
    paths = policy.in_full(net, src, dst, size_bytes, np.zeros(len(src), dtype=np.int64), 0)

    first_arc = {
        (graph.link_ids[graph.link[arc]], arc & 1): (graph.link_ids[graph.link[like]], like & 1)
        for arc, like in enumerate(paths.stands_for.tolist())
        if graph.link[arc] >= 0
    }
    for flow in range(len(src)):
        arcs = paths.arcs[paths.start[flow] : paths.start[flow + 1]]
        assert len(set(arcs.tolist())) == len(arcs)
        weights = paths.weights[paths.start[flow] : paths.start[flow + 1]].tolist()
        found = {
            (graph.link_ids[graph.link[arc]], arc & 1): weight
            for arc, weight in zip(arcs.tolist(), weights, strict=True)
            if graph.link[arc] >= 0
        }
        row = by_hand.sprayed(by_hand.gpus[src[flow]], by_hand.gpus[dst[flow]], weighted=weighted)
        # Of parallel links the first stands for all.
        expected = {arc: float(share) for arc, share in row.items() if first_arc.get(arc) == arc}
        assert found == pytest.approx(expected, rel=1e-9)


def naive_finishes(paths: Paths, capacity: np.ndarray, size_bytes: np.ndarray) -> np.ndarray:
    """Finish times by progressive filling from scratch after every end."""
    matrix = np.zeros((paths.n_flows, len(capacity)))
    np.add.at(matrix, (np.repeat(np.arange(paths.n_flows), np.diff(paths.start)), paths.arcs), paths.weights)
    return finishes_from_scratch(matrix, capacity, size_bytes)


@given(fabrics(), st.sampled_from(sorted(POLICIES)), st.data())
def test_solving_again_only_what_an_end_can_change_gives_the_same_ends(fabric, routing, data):
    graph = build(assembled(*fabric))
    src, dst, size_bytes = random_flows(data.draw, graph)
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    paths = routed(graph, routing, src, dst, size_bytes)

    phase_result = fluid.run(paths.start, paths.arcs, paths.weights, capacity, size_bytes)

    finite = np.where(np.isfinite(capacity), capacity, 1e30)
    assert phase_result.finish_s == pytest.approx(naive_finishes(paths, finite, size_bytes), rel=1e-6)


@given(fabrics(most_nics=1), st.sampled_from(["spray", "weighted-spray", "destination"]), st.data())
def test_an_all_to_all_by_kinds_of_flows_is_the_one_written_out(fabric, routing, data):
    graph = build(assembled(*fabric))
    chosen = st.lists(st.integers(0, graph.n_endpoints - 1), min_size=2, unique=True) | st.none()
    net, members = POLICIES[routing].prepared(network(graph)), data.draw(chosen)
    everyone = np.arange(graph.n_endpoints) if members is None else np.array(members)
    assume(uniform.applies(net, everyone))
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    src, dst = np.repeat(everyone, len(everyone)), np.tile(everyone, len(everyone))
    src, dst = src[src != dst], dst[src != dst]
    size_bytes = np.full(len(src), 1e9)
    paths = routed(graph, routing, src, dst, size_bytes)
    written = fluid.run(paths.start, paths.arcs, paths.weights, capacity, size_bytes)

    hosts, flows_on, way = hosts_of(net, everyone), paths.bytes_on / 1e9, policy_named(routing).uniform
    for phase_result in (
        uniform.run(net, everyone, 1e9, way, capacity),
        by_kinds(net, hosts, 1e9, way, capacity, flows_on, 1e-12, None),
    ):
        assert phase_result is not None and phase_result.counts.sum() == len(src)
        assert phase_result.flows_on * 1e9 == pytest.approx(paths.bytes_on, rel=1e-9, abs=1)
        assert phase_result.end_s == pytest.approx(written.finish_s.max(), rel=1e-9)
        assert np.sort(np.repeat(phase_result.finish_s, phase_result.counts)) == pytest.approx(
            np.sort(written.finish_s), rel=1e-6
        )
        mean_rate = np.average(phase_result.first_rate, weights=phase_result.counts)
        assert mean_rate == pytest.approx(written.first_rate.mean(), rel=1e-6)
        peak = np.where(paths.bytes_on > 0, written.peak[paths.stands_for], 0.0)
        limits = np.isfinite(capacity)
        assert phase_result.peak[limits] == pytest.approx(peak[limits], rel=1e-6, abs=1e-9)

    colour = flows_on.view(np.uint64)
    is_sprayed = routing != "destination"
    surveyor = SprayedSurveyor(net, hosts, colour) if is_sprayed else TableSurveyor(net, hosts)
    colour, surveys = uniform_flow_classes._settled(net, hosts, surveyor, colour, None)
    counts, _, _ = uniform_flow_classes._flow_kinds(net, hosts, surveyor, colour, surveys)
    assert (counts > 0).all()
    assert len(counts) <= len(src)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uniform_flow_classes, "MOST_KINDS", len(src))
        assert not uniform_flow_classes._too_many(hosts, surveyor, colour)
        patch.setattr(uniform_flow_classes, "MOST_KINDS", 1)
        if uniform_flow_classes._too_many(hosts, surveyor, colour):
            assert uniform_flow_classes._flow_kinds(net, hosts, surveyor, colour, None) is None


@given(fabrics(), st.sampled_from(["spray", "valiant", "adaptive"]), st.randoms(use_true_random=False))
def test_numbering_devices_and_links_anew_changes_nothing(fabric, routing, random):
    devices, _, links = fabric
    numbers = list(range(max(len(devices), len(links))))
    random.shuffle(numbers)
    ends = {}
    for design in (assembled(*fabric), assembled(*fabric, numbers=numbers)):
        graph = build(design)
        gpus = {(graph.device_name(v), int(graph.local[v])): v for v in range(graph.n_endpoints)}
        names = sorted(gpus)
        src = np.array([gpus[name] for name in names])
        dst = np.array([gpus[name] for name in [*names[2:], *names[:2]]])
        src, dst = src[src != dst], dst[src != dst]
        assume(len(src))
        size_bytes = 1e8 * (1 + np.arange(len(src)) % 5)
        paths = routed(graph, routing, src, dst, size_bytes)
        phase_result = fluid.run(
            paths.start, paths.arcs, paths.weights, graph.capacity_gbps * BYTES_PER_S_PER_GBPS, size_bytes
        )
        hottest = (paths.bytes_on / graph.capacity_gbps).max()
        ends[len(ends)] = np.array([hottest]) if routing == "adaptive" else phase_result.finish_s
    # Of several splits that are good enough adaptive routing finds one or another.
    assert ends[0] == pytest.approx(ends[1], rel=0.02 if routing == "adaptive" else 1e-9)


PATTERNS = ("all-to-all", "shift:1", "bisection", "broadcast")


@given(fabrics(), st.sampled_from(PATTERNS), st.sampled_from(sorted(POLICIES)))
def test_every_pattern_runs_or_says_who_cannot_be_reached(fabric, traffic, routing):
    graph = build(assembled(*fabric))
    scenario = Scenario(traffic=traffic, routing=routing, size_bytes=1e9)
    try:
        result = simulate(graph, scenario)
    except GraphError as error:
        assert "cannot" in str(error) or "fewer than two" in str(error)
        return
    assert result.time_s > 0
    assert result.utilization_peak.max() == pytest.approx(1.0)
    assert (result.utilization_mean <= result.utilization_peak + 1e-9).all()
    assert result.bottlenecks
