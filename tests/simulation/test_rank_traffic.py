"""What each rank sends to each: as many bytes as the flows of a run have, whatever they are gathered by."""

import numpy as np
import pytest

from designer.simulation.designs import graph_for
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.rank_traffic import rank_traffic


@pytest.fixture(scope="module")
def graph(generate):
    design = generate("rail-optimized", servers=4)
    return graph_for(design, Scenario(collective="all-to-all"))[0]


SIZE = 2.0**20


@pytest.fixture(scope="module")
def all_to_all(graph):
    return rank_traffic(graph, Scenario(collective="all-to-all", size_bytes=SIZE))


def test_everybody_sends_each_other_a_part_in_an_all_to_all(all_to_all):
    assert all_to_all.each == "rank" and all_to_all.n_ranks == 32
    expected = np.full((32, 32), SIZE / 32)
    np.fill_diagonal(expected, 0.0)
    np.testing.assert_allclose(all_to_all.bytes, expected)


def test_a_ring_sends_to_the_next_what_an_all_reduce_takes(graph):
    found = rank_traffic(graph, Scenario(collective="all-reduce", algorithm="ring", channels=1, size_bytes=SIZE))
    assert (np.count_nonzero(found.bytes, axis=1) == 1).all()
    np.testing.assert_allclose(found.bytes.sum(axis=1), 2 * 31 / 32 * SIZE)


@pytest.mark.parametrize(("units", "each", "n"), [(True, "unit", 2), (False, "server", 4)])
def test_more_ranks_than_fit_are_gathered_without_losing_a_byte(graph, all_to_all, units, each, n):
    by_unit = {one: f"unit {number // 2}" for number, one in enumerate(graph.device_ids)} if units else {}
    found = rank_traffic(graph, Scenario(collective="all-to-all", size_bytes=SIZE), by_unit, most=16)
    assert (found.each, len(found.labels)) == (each, n)
    assert found.bytes.sum() == pytest.approx(all_to_all.bytes.sum())
    per = 32 // n
    assert found.bytes[0, 0] == pytest.approx(per * (per - 1) * SIZE / 32)
    assert found.bytes[0, 1] == pytest.approx(per * per * SIZE / 32)
    assert {one for ids in found.device_ids for one in ids} <= set(graph.device_ids)


def test_very_many_servers_are_gathered_with_their_neighbors(graph, all_to_all):
    found = rank_traffic(graph, Scenario(collective="all-to-all", size_bytes=SIZE), most=3)
    assert len(found.labels) == 2 and " … " in found.labels[0]
    assert found.bytes.sum() == pytest.approx(all_to_all.bytes.sum())


def test_labels_name_rank_server_and_gpu(all_to_all, graph):
    assert all_to_all.labels[9] == f"9 {graph.device_names[int(graph.device[9])]}:1"
