"""All-to-all without its flows, on random small designs of every family: to the byte what all flows routed give."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import Catalog, load
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing.network import network
from designer.routing.policies import POLICIES, SPRAYED
from designer.simulation.flows import fluid, uniform, uniform_torus
from designer.topologies.families import FAMILIES
from designer.units import BYTES_PER_S_PER_GBPS

PAIR_BYTES = 1e6
MOST_ENDPOINTS = 130


@cache
def catalog() -> Catalog:
    return load()


def drawn(family_name: str, **parameters: Any) -> Graph:
    family = next(family for family in FAMILIES if family.name == family_name)
    design = Design()
    design.apply(family.build(design, family.parameters(**parameters), catalog()))
    return build(design)


@st.composite
def trees(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    levels = draw(st.integers(1, 3))
    children = draw(st.lists(st.integers(2, 4), min_size=levels, max_size=levels))
    parents = [1, *draw(st.lists(st.integers(1, 3), min_size=levels - 1, max_size=levels - 1))]
    parallel = [1, *draw(st.lists(st.integers(1, 2), min_size=levels - 1, max_size=levels - 1))]
    return "pgft", {"children": tuple(children), "parents": tuple(parents), "parallel": tuple(parallel)}


DESIGNS = {
    "pgft": trees(),
    "fat-tree": st.builds(
        lambda n, over: (
            "fat-tree",
            {"servers": n, "oversubscription": over, "switch": "generic-switch-8x400g", "server": "generic-host"},
        ),
        st.integers(3, 16),
        st.sampled_from([1.0, 2.0, 3.0]),
    ),
    "rail-optimized": st.builds(
        lambda n, su: ("rail-optimized", {"servers": n, "servers_per_su": su}), st.integers(2, 10), st.integers(2, 6)
    ),
    "k-ary-fat-tree": st.builds(lambda k: ("k-ary-fat-tree", {"k": k}), st.sampled_from([4, 6])),
    "torus": st.builds(
        lambda dims, mesh: ("torus", {"dims": tuple(dims), "mesh": mesh}),
        st.lists(st.integers(2, 5), min_size=1, max_size=3),
        st.booleans(),
    ),
    "dragonfly": st.builds(
        lambda p, a, h, fewer: ("dragonfly", {"p": p, "a": a, "h": h, "groups": max(2, a * h + 1 - fewer)}),
        st.integers(1, 2),
        st.integers(2, 4),
        st.integers(1, 2),
        st.integers(0, 2),
    ),
    "dragonfly-plus": st.builds(
        lambda leafs, spines, p, h: ("dragonfly-plus", {"leafs": leafs, "spines": spines, "p": p, "h": h}),
        st.integers(1, 3),
        st.integers(1, 3),
        st.integers(1, 2),
        st.integers(1, 2),
    ),
}
"""Parameters of small designs by family."""


def graph_of(chosen: tuple[str, dict[str, Any]]) -> Graph:
    from designer.errors import DesignerError

    try:
        graph = drawn(chosen[0], **chosen[1])
    except DesignerError:
        assume(False)
    assume(2 <= graph.n_endpoints <= MOST_ENDPOINTS)
    return graph


def written_out(graph: Graph, routing: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(bytes by arc, finish of every flow, rate of every flow at the start) with all flows routed."""
    policy = POLICIES[routing]
    net = policy.prepared(network(graph))
    n = graph.n_endpoints
    src, dst = np.repeat(np.arange(n), n), np.tile(np.arange(n), n)
    src, dst = src[src != dst], dst[src != dst]
    size_bytes = np.full(len(src), PAIR_BYTES)
    paths = policy.route(net, src, dst, size_bytes, np.zeros(len(src), dtype=np.int64), 0)
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    phase_result = fluid.run(paths.start, paths.arcs, paths.weights, capacity, size_bytes)
    return paths.bytes_on, phase_result.finish_s, phase_result.first_rate


WAYS = [(family, routing) for family in DESIGNS for routing in ("spray", "destination")]


@pytest.mark.parametrize(("family", "routing"), [*WAYS, ("torus", "dimension-order")])
@settings(max_examples=8)
@given(data=st.data())
def test_loads_rates_and_ends_are_those_of_all_flows(family, routing, data):
    chosen = data.draw(DESIGNS[family])
    graph = graph_of(chosen)
    net, everyone = POLICIES[routing].prepared(network(graph)), np.arange(graph.n_endpoints)
    assume(uniform.applies(net, everyone))
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    phase_results = [uniform.run(net, everyone, PAIR_BYTES, POLICIES[routing].uniform, capacity)]
    if routing == "dimension-order":
        by_symmetry = uniform_torus.run(network(graph), everyone, PAIR_BYTES, capacity)
        is_whole = not chosen[1]["mesh"] and min(chosen[1]["dims"]) > 2
        assert (by_symmetry is not None) == is_whole
        phase_results += [by_symmetry] if by_symmetry is not None else []

    bytes_on, finish_s, first_rate = written_out(graph, routing)

    for phase_result in phase_results:
        assert phase_result.known and phase_result.counts.sum() == len(finish_s)
        assert phase_result.flows_on * PAIR_BYTES == pytest.approx(bytes_on, rel=1e-9, abs=1e-3)
        assert phase_result.end_s == pytest.approx(finish_s.max(), rel=1e-9)
        assert np.sort(np.repeat(phase_result.finish_s, phase_result.counts)) == pytest.approx(
            np.sort(finish_s), rel=1e-6
        )
        assert np.average(phase_result.first_rate, weights=phase_result.counts) == pytest.approx(
            first_rate.mean(), rel=1e-6
        )


@pytest.mark.parametrize("routing", ["spray", "destination"])
@settings(max_examples=15)
@given(chosen=trees(), rates=st.lists(st.sampled_from([400.0, 200.0, 100.0]), min_size=3, max_size=12))
def test_links_of_different_rates_are_told_apart(routing, chosen, rates):
    """Nothing is alike by place alone: hosts of one leaf, and leafs of one block, have links of their own rates."""
    whole = graph_of(chosen)
    slower = np.array([rates[link % len(rates)] if link >= 0 else np.inf for link in whole.link])
    graph = replace(whole, capacity_gbps=np.minimum(whole.capacity_gbps, slower))
    net, everyone = POLICIES[routing].prepared(network(graph)), np.arange(graph.n_endpoints)
    assume(uniform.applies(net, everyone))
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS

    phase_result = uniform.run(net, everyone, PAIR_BYTES, POLICIES[routing].uniform, capacity)

    bytes_on, finish_s, _ = written_out(graph, routing)
    assert phase_result.known and phase_result.counts.sum() == len(finish_s)
    assert phase_result.flows_on * PAIR_BYTES == pytest.approx(bytes_on, rel=1e-9, abs=1e-3)
    assert np.sort(np.repeat(phase_result.finish_s, phase_result.counts)) == pytest.approx(np.sort(finish_s), rel=1e-6)


@pytest.mark.parametrize("slowed", ["to_domain", "from_domain"])
def test_gpus_with_links_of_their_own_rates_into_a_crossbar_are_told_apart_and_like_ones_are_not(slowed):
    """A quarter of NVLink one way for one GPU: it sends, or receives, all it has inside its server at that rate."""
    graph = drawn("rail-optimized", servers=4, servers_per_su=4)
    net, everyone = network(graph), np.arange(graph.n_endpoints)
    alike = uniform.run(net, everyone, PAIR_BYTES, SPRAYED, graph.capacity_gbps * BYTES_PER_S_PER_GBPS)
    assert alike.n_solves == 1

    slower = graph.capacity_gbps.copy()
    slower[getattr(net.ends, slowed)[3]] /= 4
    graph = replace(graph, capacity_gbps=slower)
    phase_result = uniform.run(network(graph), everyone, PAIR_BYTES, SPRAYED, slower * BYTES_PER_S_PER_GBPS)

    bytes_on, finish_s, _ = written_out(graph, "spray")
    assert phase_result.flows_on * PAIR_BYTES == pytest.approx(bytes_on, rel=1e-9, abs=1e-3)
    assert np.sort(np.repeat(phase_result.finish_s, phase_result.counts)) == pytest.approx(np.sort(finish_s), rel=1e-6)


@pytest.mark.parametrize("family", DESIGNS)
@settings(max_examples=6)
@given(data=st.data())
def test_valiant_loads_are_those_of_all_flows_and_adaptive_is_no_worse_than_either(family, data):
    graph = graph_of(data.draw(DESIGNS[family]))
    net, everyone = network(graph), np.arange(graph.n_endpoints)
    assume(uniform.applies(net, everyone))
    capacity = graph.capacity_gbps * BYTES_PER_S_PER_GBPS
    phase_result = {
        name: uniform.run(net, everyone, PAIR_BYTES, POLICIES[name].uniform, capacity)
        for name in ("spray", "valiant", "adaptive")
    }

    bytes_on, finish_s, _ = written_out(graph, "valiant")

    assert phase_result["valiant"].flows_on * PAIR_BYTES == pytest.approx(bytes_on, rel=1e-9, abs=1e-3)
    assert phase_result["valiant"].end_s == pytest.approx(finish_s.max(), rel=1e-9)
    better = min(phase_result["spray"].end_s, phase_result["valiant"].end_s)
    assert phase_result["adaptive"].end_s <= better * (1 + 1e-6)
    _, finish_s, _ = written_out(graph, "adaptive")
    assert finish_s.max() <= better * 1.01
