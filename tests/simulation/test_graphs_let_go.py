"""Large arrays are freed as soon as nobody needs a result: they do not wait for the garbage collector."""

import weakref
from pathlib import Path

import pytest

from designer.graph.building.build import build
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.storage import document

POD = Path(__file__).parents[2] / "examples" / "fat-tree-16-2to1.fabric"


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario(collective="all-reduce"),
        Scenario(traffic="permutation:0", size_bytes=1 << 20, routing="ecmp"),
        Scenario(traffic="all-to-all", size_bytes=1 << 20, routing="adaptive"),
        Scenario(traffic="incast:8", size_bytes=1 << 20, congestion="head-of-line"),
    ],
)
def test_a_graph_goes_with_the_result_that_was_computed_on_it(scenario):
    graph = build(document.load(POD))
    held = weakref.ref(graph.capacity_gbps)
    result = simulate(graph, scenario)
    assert result.phases and held() is not None
    del graph, result
    assert held() is None
