"""Ranks count the GPUs of the design as it is drawn; a failed server does not make them other GPUs."""

from dataclasses import replace

import pytest

from designer.errors import ParameterError
from designer.graph.building.build import build
from designer.routing.network import network
from designer.simulation.failures.survivors import as_numbered, with_failures
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants


def gpus(graph, scenario):
    """Server and number of each GPU that takes part, in rank order."""
    members = participants(network(graph), scenario)
    return [(graph.device_name(int(rank)), int(graph.local[rank])) for rank in members]


@pytest.fixture(scope="module")
def design(generate):
    return generate("rail-optimized", servers=4)


BASE = Scenario(collective="all-reduce", size_bytes=1e9, latency=False)


@pytest.mark.parametrize("ranks", [tuple(range(8, 16)), (31, 24, 9, 8), None])
def test_ranks_of_servers_that_stand_are_the_same_gpus_as_without_the_failure(design, ranks):
    scenario = replace(BASE, ranks=ranks, failed=("gpu-01",))
    healthy = gpus(build(design), replace(scenario, failed=()))
    expected = [one for one in healthy if one[0] != "gpu-01"]
    graph = build(design, failed=frozenset(scenario.failed))
    assert gpus(graph, as_numbered(design, scenario)) == expected
    left, its, lost = with_failures(design, frozenset(scenario.failed), replace(scenario, failed=()))
    assert gpus(left, its) == expected
    assert len(lost) == len(healthy) - len(expected)


@pytest.mark.parametrize("ranks", [8, 16, tuple(range(8)), (7, 31)])
def test_ranks_of_failed_servers_are_refused_by_the_servers_name(design, ranks):
    with pytest.raises(ParameterError, match="some of the ranks run on gpu-01, marked as failed: choose other ranks"):
        as_numbered(design, replace(BASE, ranks=ranks, failed=("gpu-01",)))


def test_a_rank_that_the_design_does_not_have_is_refused_with_the_designs_numbers(design):
    with pytest.raises(ParameterError, match="there is no GPU 32: the design's are numbered 0 to 31"):
        as_numbered(design, replace(BASE, ranks=(30, 32), failed=("gpu-01",)))


def test_failed_links_and_switches_leave_the_ranks_as_they_are(design):
    scenario = replace(BASE, ranks=(3, 9), failed=("leaf-su1-r1", "gpu-02:rail2"))
    assert as_numbered(design, scenario) is scenario
