"""The same flows through another solver: SimGrid's results in peers/, which count no latency."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from designer.catalog import generic
from designer.catalog.catalog import load
from designer.graph.arrays import SWITCH, Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.model.entities import DRAGONFLY_GROUP, End
from designer.routing import dimension_order
from designer.routing.policies import POLICIES
from designer.simulation.engine import simulate
from designer.simulation.flows import fluid
from designer.simulation.scenario import Scenario
from designer.topologies import dragonfly, pgft, torus
from designer.topologies.assembly import Assembly

PEERS = Path(__file__).parent / "peers"
RUNS = json.loads((PEERS / "simgrid.json").read_text(encoding="utf-8"))["runs"]
FAT_TREES = [run for run in RUNS if run["simgrid_spec"].startswith("fattree")]
TORI = [run for run in RUNS if run["simgrid_spec"].startswith("torus")]
DRAGONFLIES = [run for run in RUNS if run["simgrid_spec"].startswith("dragonfly")]
EXPLICIT = json.loads((PEERS / "explicit" / "results.json").read_text(encoding="utf-8"))


@cache
def fat_tree(spec: str) -> Graph:
    """The graph of a SimGrid fat-tree such as "fattree 2 8,8 1,4 1,1"."""
    _, _, children, parents, parallel = spec.split()
    rows = [tuple(int(number) for number in row.split(",")) for row in (children, parents, parallel)]
    design = Design()
    design.apply(pgft.build(design, pgft.PgftParameters(rows[0], rows[1], rows[2], link_rate_gbps=400), load()))
    return build(design)


def traffic_of(run: dict[str, Any]) -> str:
    pattern = run["pattern"].replace("perm:", "permutation:")
    return "all-to-all" if pattern == "alltoall" else pattern


@pytest.mark.parametrize("run", FAT_TREES, ids=lambda run: f"{run['topology']}-{run['pattern']}")
def test_a_pattern_on_a_fat_tree_ends_when_the_peer_says(run):
    graph = fat_tree(run["simgrid_spec"])

    result = simulate(
        graph,
        Scenario(
            traffic=traffic_of(run),
            size_bytes=run["bytes_per_flow"],
            routing="destination",
            efficiency=1.0,
            latency=False,
        ),
    )

    assert result.ranks == run["hosts"]
    assert result.flows is not None and result.flows.count == run["flows"]
    assert result.time_s == pytest.approx(run["makespan_s"], rel=0.01)
    assert result.flows.mean_finish_s == pytest.approx(run["mean_finish_s"], rel=0.01)
    assert result.flows.first_finish_s == pytest.approx(run["first_finish_s"], rel=0.01)
    carried = result.bytes[(graph.link >= 0) & (result.bytes > 0)]
    histogram = Counter(str(round(value)) for value in carried)
    assert histogram == run["link_bytes_histogram"]


def test_every_run_of_the_peer_is_reproduced_here():
    assert len(FAT_TREES) + len(TORI) + len(DRAGONFLIES) == len(RUNS)


def assert_ends_as_the_peer_says(graph: Graph, run: dict[str, Any], routing: str) -> None:
    result = simulate(
        graph,
        Scenario(
            traffic=traffic_of(run), size_bytes=run["bytes_per_flow"], routing=routing, efficiency=1.0, latency=False
        ),
    )
    assert result.flows is not None and result.flows.count == run["flows"]
    assert result.time_s == pytest.approx(run["makespan_s"], rel=0.01)
    assert result.flows.mean_finish_s == pytest.approx(run["mean_finish_s"], rel=0.01)
    assert result.flows.first_finish_s == pytest.approx(run["first_finish_s"], rel=0.01)
    is_link = np.isin(graph.source, graph.vertices_of(SWITCH)) & np.isin(graph.target, graph.vertices_of(SWITCH))
    if run["simgrid_spec"].startswith("dragonfly"):  # there the peer counts the hosts' links, one way, as well
        is_link = graph.link >= 0
    carried = result.bytes[is_link & (result.bytes > 0)]
    assert Counter(str(round(value)) for value in carried) == run["link_bytes_histogram"]


@pytest.mark.parametrize("run", TORI, ids=lambda run: f"{run['topology']}-{run['pattern']}")
def test_a_pattern_on_a_torus_ends_when_the_peer_says(run, monkeypatch):
    """The peer's ties go -, not +, from coordinate k/2; with that rule all of its loads are ours, byte for byte."""
    dims = tuple(int(size) for size in run["simgrid_spec"].split()[1].split(","))
    design = Design()
    design.apply(torus.build(design, torus.TorusParameters(dims), load()))
    graph = build(design)
    as_the_peer = replace(POLICIES["dimension-order"], prepared=partial(dimension_order.prepared, half_goes_minus=True))
    monkeypatch.setitem(POLICIES, "dimension-order", as_the_peer)

    assert_ends_as_the_peer_says(graph, run, "dimension-order")


def test_with_all_ties_going_plus_a_torus_differs_from_the_peer_in_these_bytes():
    """Of shift:128 on 16x16 all flows go half way round y: the peer sends those from y = 8 the other way."""
    design = Design()
    design.apply(torus.build(design, torus.TorusParameters((16, 16)), load()))
    graph = build(design)
    result = simulate(
        graph, Scenario(traffic="shift:128", size_bytes=1e9, routing="dimension-order", efficiency=1.0, latency=False)
    )
    between = np.isin(graph.source, graph.vertices_of(SWITCH)) & np.isin(graph.target, graph.vertices_of(SWITCH))
    assert Counter(result.bytes[between & (result.bytes > 0)].round()) == {8e9: 256}
    assert result.time_s == pytest.approx(0.16)


@cache
def sgdf() -> Graph:
    """9 groups of 9 routers, as SimGrid has it: router j of group i has the link to group j, landing on router i."""
    design = Design()
    assembly = Assembly(design, load().get)
    host, nic = generic.generic_host(400)
    switch = generic.generic_switch(4 + 8 + 1, 400)
    groups = [assembly.add_group(f"Group {number}", DRAGONFLY_GROUP) for number in range(9)]
    hosts = [assembly.add_device(f"host-{n}", host, (0, 0)) for n in range(324)]
    routers = [assembly.add_device(f"router-{n}", switch, (0, 0), group_id=groups[n // 9]) for n in range(81)]
    for n, host_id in enumerate(hosts):
        assembly.install(host_id, [("nic1", nic)])
        assembly.link(End(host_id, "nic1"), End(routers[n // 4], str(n % 4 + 1)))
    for group in range(9):
        for a in range(9):
            for b in range(a + 1, 9):
                assembly.link(End(routers[9 * group + a], str(4 + b)), End(routers[9 * group + b], str(5 + a)))
        for other in range(group + 1, 9):
            assembly.link(End(routers[9 * group + other], "13"), End(routers[9 * other + group], "13"))
    design.apply(assembly.edit("Dragonfly"))
    return build(design)


@pytest.mark.parametrize("run", DRAGONFLIES, ids=lambda run: f"{run['topology']}-{run['pattern']}")
@pytest.mark.parametrize("routing", ["spray", "destination", "ecmp"])
def test_a_pattern_on_a_dragonfly_ends_when_the_peer_says(run, routing):
    """With one link between two groups every policy has the one minimal path."""
    assert_ends_as_the_peer_says(sgdf(), run, routing)


@pytest.mark.parametrize(
    ("name", "traffic", "size_bytes"),
    [("a2a", "all-to-all", 1e6), ("adv1", "shift:8", 1e9), ("perm1", "permutation:1", 1e9), ("shift1", "shift:1", 1e9)],
)
def test_minimal_paths_on_the_canonical_dragonfly_are_the_explicit_ones(name, traffic, size_bytes):
    design = Design()
    design.apply(dragonfly.build(design, dragonfly.DragonflyParameters(2, 4, 2), load()))
    result = simulate(build(design), Scenario(traffic=traffic, size_bytes=size_bytes, efficiency=1.0, latency=False))
    expected = EXPLICIT[f"df_a4p2h2_{name}_min.txt"]
    assert result.time_s == pytest.approx(expected["makespan_s"], rel=1e-6)
    assert result.flows is not None
    assert result.flows.mean_finish_s == pytest.approx(expected["mean_finish_s"], rel=1e-6)
    assert result.bytes[result.graph.link >= 0].max() == pytest.approx(expected["max_link_bytes"])


def test_the_seeded_permutations_are_the_peers():
    from designer.simulation.traffic.patterns import _permutation

    for path in sorted((PEERS / "permutations").iterdir()):
        drawn = [int(line) for line in path.read_text(encoding="utf-8").split()]
        assert _permutation("1", len(drawn)).tolist() == drawn
        assert _permutation(str(path), len(drawn)).tolist() == drawn


def explicit_flows(path: Path) -> tuple[Any, ...]:
    """(start, arcs, capacity, size_bytes) of a file of flows with their paths."""
    capacity: dict[int, float] = {}
    sizes, paths = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[0] == "link":
            capacity[int(words[1])] = float(words[2])
        elif words[0] == "flow":
            sizes.append(float(words[3]))
            paths.append([int(word) for word in words[4:]])
    start = np.concatenate([[0], np.cumsum([len(path) for path in paths])]).astype(np.int64)
    return (
        start,
        np.array([arc for path in paths for arc in path], dtype=np.int32),
        np.array([capacity[arc] for arc in range(len(capacity))]),
        np.array(sizes),
    )


@pytest.mark.parametrize("name", sorted(EXPLICIT))
@pytest.mark.parametrize("tolerance", [fluid.EXACT, 1e-3], ids=["exact", "merged"])
def test_flows_with_given_paths_end_when_the_peer_says(name, tolerance):
    start, arcs, capacity, size_bytes = explicit_flows(PEERS / "explicit" / name)

    phase_result = fluid.run(start, arcs, np.ones(len(arcs)), capacity, size_bytes, tolerance=tolerance)

    expected, near = EXPLICIT[name], 1e-9 if tolerance == fluid.EXACT else 3e-3
    assert phase_result.finish_s.max() == pytest.approx(expected["makespan_s"], rel=near)
    assert phase_result.finish_s.mean() == pytest.approx(expected["mean_finish_s"], rel=near)
    assert np.bincount(arcs, size_bytes.repeat(np.diff(start))).max() == expected["max_link_bytes"]
    if expected["finish_s"] is not None:
        assert phase_result.finish_s == pytest.approx(np.array(expected["finish_s"]), rel=near)
