"""The same flows through another solver: SimGrid's results in peers/."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.graph.arrays import Graph, build
from designer.model.design import Design
from designer.simulation import fluid
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.topologies import pgft

PEERS = Path(__file__).parent / "peers"
RUNS = json.loads((PEERS / "simgrid.json").read_text(encoding="utf-8"))["runs"]
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


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run['topology']}-{run['pattern']}")
def test_a_pattern_on_a_fat_tree_ends_when_the_peer_says(run):
    graph = fat_tree(run["simgrid_spec"])

    result = simulate(
        graph,
        Scenario(traffic=traffic_of(run), size_bytes=run["bytes_per_flow"], routing="destination", efficiency=1.0),
    )

    assert result.ranks == run["hosts"]
    assert result.flows is not None and result.flows.count == run["flows"]
    assert result.time_s == pytest.approx(run["makespan_s"], rel=0.01)
    assert result.flows.mean_finish_s == pytest.approx(run["mean_finish_s"], rel=0.01)
    assert result.flows.first_finish_s == pytest.approx(run["first_finish_s"], rel=0.01)
    carried = result.bytes[(graph.link >= 0) & (result.bytes > 0)]
    histogram = Counter(str(round(value)) for value in carried)
    assert histogram == run["link_bytes_histogram"]


def test_the_seeded_permutations_are_the_peers():
    from designer.simulation.patterns import _permutation

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

    course = fluid.run(start, arcs, np.ones(len(arcs)), capacity, size_bytes, tolerance=tolerance)

    expected, near = EXPLICIT[name], 1e-9 if tolerance == fluid.EXACT else 3e-3
    assert course.finish_s.max() == pytest.approx(expected["makespan_s"], rel=near)
    assert course.finish_s.mean() == pytest.approx(expected["mean_finish_s"], rel=near)
    assert np.bincount(arcs, size_bytes.repeat(np.diff(start))).max() == expected["max_link_bytes"]
    if expected["finish_s"] is not None:
        assert course.finish_s == pytest.approx(np.array(expected["finish_s"]), rel=near)
