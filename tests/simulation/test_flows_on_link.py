"""Why a link is hot: the flows listed are those that load it, to the byte."""

import numpy as np
import pytest

from designer.errors import Cancelled, ParameterError, UnknownEntityError
from designer.graph.building.build import build
from designer.simulation import phase_results
from designer.simulation.engine import simulate
from designer.simulation.explain import link_flows, link_leafs
from designer.simulation.explain.flows_on_link import arc_at, flows_on_link
from designer.simulation.scenario import Scenario


@pytest.fixture(scope="module")
def pod(generate):
    """Two scalable units of two DGX H100."""
    return build(generate("rail-optimized", servers=4, servers_per_su=2))


def link_arcs(graph, few=12):
    arcs = np.flatnonzero(graph.link >= 0)
    return arcs[:: max(1, len(arcs) // few)].tolist()


@pytest.mark.parametrize("routing", ["spray", "ecmp", "destination", "valiant", "adaptive"])
@pytest.mark.parametrize(
    "asked",
    [
        {"collective": "all-reduce"},
        {"collective": "all-reduce", "algorithm": "double-binary-tree"},
        {"collective": "all-to-all"},
        {"traffic": "permutation:3"},
    ],
    ids=lambda asked: "-".join(asked.values()),
)
def test_the_flows_through_a_link_carry_exactly_its_bytes(pod, routing, asked):
    scenario = Scenario(**asked, routing=routing, size_bytes=1e8, seed=2)
    result = simulate(pod, scenario)
    for arc in link_arcs(pod):
        found = flows_on_link(result, scenario, arc, top=10_000)
        assert found.bytes == pytest.approx(result.bytes[arc], abs=1e-3)
        assert sum(crossing.bytes for crossing in found.crossings) == pytest.approx(found.bytes)
        assert sum(pair.bytes for pair in found.pairs) == pytest.approx(found.bytes)
        assert sum(pair.flows for pair in found.pairs) == found.flows == len(found.crossings)
        assert (found.flows > 0) == (result.bytes[arc] > 0)


@pytest.mark.parametrize("routing", ["spray", "ecmp", "destination"])
def test_parallel_links_and_three_tiers_are_told_apart(generate, routing, monkeypatch):
    monkeypatch.setattr(link_flows, "MOST_AT_ONCE", 50)
    graph = build(generate("pgft", children=(4, 4, 2), parents=(1, 2, 2), parallel=(1, 1, 2)))
    scenario = Scenario(traffic="all-to-all", routing=routing, size_bytes=1e6)
    result = simulate(graph, scenario)
    for arc in link_arcs(graph, 30):
        assert flows_on_link(result, scenario, arc).bytes == pytest.approx(result.bytes[arc])


def test_very_many_flows_are_told_by_pairs_of_leafs(generate, monkeypatch):
    graph = build(generate("rail-optimized", servers=8, servers_per_su=4))
    scenario = Scenario(collective="all-to-all")
    result = simulate(graph, scenario)
    kinds = graph.kind[graph.source], graph.kind[graph.target]
    arcs = [arc for arc in link_arcs(graph, 200) if (kinds[0][arc], kinds[1][arc]) == (3, 3)]
    whole = [flows_on_link(result, scenario, arc, top=10_000) for arc in arcs]
    monkeypatch.setattr(link_leafs, "MOST_WRITTEN_OUT", 0)
    for arc, expected in zip(arcs, whole, strict=True):
        found = flows_on_link(result, scenario, arc, top=10_000)
        assert found.pairs_of == "leafs" and expected.pairs_of == "servers"
        assert found.bytes == pytest.approx(result.bytes[arc]) == pytest.approx(expected.bytes)
        assert found.flows == expected.flows == len(found.crossings) == sum(pair.flows for pair in found.pairs)
        assert {(c.rank, c.to_rank) for c in found.crossings} == {(c.rank, c.to_rank) for c in expected.crossings}
        assert len(flows_on_link(result, scenario, arc, top=3).crossings) == 3


def test_a_torus_by_dimension_order(generate):
    graph = build(generate("torus", dims=(4, 3)))
    scenario = Scenario(traffic="all-to-all", routing="dimension-order", size_bytes=1e6)
    result = simulate(graph, scenario)
    for arc in link_arcs(graph):
        assert flows_on_link(result, scenario, arc).bytes == pytest.approx(result.bytes[arc])


def test_flows_are_named_by_rank_and_gpu(pod):
    first, second = pod.device_names[:2]
    scenario = Scenario(traffic="shift:8", size_bytes=1e6)
    arc = arc_at(pod, f"{first}:rail3")
    (only,) = flows_on_link(simulate(pod, scenario), scenario, arc).crossings
    assert (only.rank, only.to_rank, only.source, only.target) == (2, 10, f"{first} GPU 2", f"{second} GPU 2")
    assert only.share == 1 and only.bytes == 1e6
    assert pod.device_ids[pod.device_names.index(second)] == only.target_id


def test_hashing_is_told_with_the_lanes_left_idle(two_to_one):
    scenario = Scenario(traffic="shift:8", routing="ecmp", size_bytes=1e6)
    result = simulate(two_to_one, scenario)
    arc = int(np.argmax(np.where(two_to_one.kind[two_to_one.source] == 3, result.bytes, 0)))
    found = flows_on_link(result, scenario, arc)
    assert len(found.lanes) == 3
    assert f"{found.flows} flows use this link. The hash chose it from" in found.story
    carried = sum(lane.bytes for lane in found.lanes) + found.bytes
    assert carried == pytest.approx(8e6)
    spread = Scenario(traffic="shift:8", routing="spray", size_bytes=1e6)
    assert "spread over 4 equal-cost links" in flows_on_link(simulate(two_to_one, spread), spread, arc).story


def test_the_largest_are_listed_and_all_are_counted(two_to_one):
    scenario = Scenario(traffic="all-to-all", size_bytes=1e6)
    arc = arc_at(two_to_one, "leaf-01:9")
    found = flows_on_link(simulate(two_to_one, scenario), scenario, arc, top=5)
    assert found.flows == 8 * 56 and len(found.crossings) == 5
    assert found.n_pairs == 8 * 56 and len(found.pairs) == 5
    assert found.crossings[0].share == pytest.approx(1 / 4)
    assert (
        len(flows_on_link(simulate(two_to_one, scenario), scenario, arc).crossings) == 100
    )  # where nothing is asked for


@pytest.mark.parametrize("name", ["leaf-99:1", "leaf-01", "leaf-01:99"])
def test_a_link_that_is_not_there_is_refused(two_to_one, name):
    with pytest.raises(UnknownEntityError):
        arc_at(two_to_one, name)


def test_what_cannot_be_told_is_said(generate, monkeypatch):
    monkeypatch.setattr(link_flows, "MOST_WIDE", 100)
    graph = build(generate("fat-tree", servers=8, planes=2, server="dgx-b200"))
    scenario = Scenario(traffic="all-to-all", routing="adaptive")
    result = simulate(graph, Scenario(traffic="all-to-all"))
    with pytest.raises(ParameterError, match="several NICs: choose fewer ranks"):
        flows_on_link(result, scenario, 0)


@pytest.mark.parametrize("routing", ["valiant", "adaptive"])
@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("dragonfly", {"p": 2, "a": 3, "h": 2}),
        ("dragonfly", {"p": 2, "a": 4, "h": 2, "groups": 3}),
        ("dragonfly-plus", {"leafs": 2, "spines": 2, "p": 2, "h": 2, "groups": 3}),
        ("rail-optimized", {"servers": 4, "servers_per_su": 2}),
        ("pgft", {"children": (4, 4, 2), "parents": (1, 2, 2), "parallel": (1, 1, 2)}),
        ("torus", {"dims": (4, 3)}),
    ],
)
@pytest.mark.parametrize("most", [0, link_leafs.MOST_WRITTEN_OUT])
def test_an_all_to_all_split_over_detours_is_told_by_leafs(generate, routing, family, parameters, most, monkeypatch):
    monkeypatch.setattr(link_flows, "MOST_WIDE", 10)
    monkeypatch.setattr(phase_results, "MOST_WIDE", 10)
    monkeypatch.setattr(link_leafs, "MOST_WRITTEN_OUT", most)
    graph = build(generate(family, **parameters))
    scenario = Scenario(collective="all-to-all", routing=routing)
    result = simulate(graph, scenario)
    for arc in link_arcs(graph):
        found = flows_on_link(result, scenario, arc, top=10_000)
        assert found.bytes == pytest.approx(result.bytes[arc])
        assert sum(pair.bytes for pair in found.pairs) == pytest.approx(found.bytes)
        assert sum(crossing.bytes for crossing in found.crossings) == pytest.approx(found.bytes)


def test_looking_is_cancelled_from_its_progress(two_to_one):
    def stop(_share):
        raise Cancelled("enough")

    scenario = Scenario(traffic="all-to-all")
    with pytest.raises(Cancelled):
        flows_on_link(simulate(two_to_one, scenario), scenario, 0, progress=stop)


@pytest.mark.parametrize("routing", ["spray", "ecmp", "destination"])
@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("rail-optimized", {"servers": 4, "rail_only": True}),
        ("fat-tree", {"servers": 8, "planes": 2, "server": "dgx-b200"}),
        ("dragonfly-plus", {"leafs": 2, "spines": 2, "p": 2, "h": 1, "groups": 3}),
    ],
)
def test_the_bytes_agree_on_rails_planes_and_groups_too(generate, routing, family, parameters):
    graph = build(generate(family, **parameters))
    scenario = Scenario(collective="all-to-all", routing=routing)
    result = simulate(graph, scenario)
    for arc in link_arcs(graph):
        assert flows_on_link(result, scenario, arc).bytes == pytest.approx(result.bytes[arc])
