"""ECMP with several queue pairs per connection."""

import numpy as np
import pytest

from designer.graph.building.build import build
from designer.routing import ecmp
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.explain.collisions import collisions
from designer.simulation.flows import uniform
from designer.simulation.prepared import prepared
from designer.simulation.scenario import Scenario

HOSTS = 8


@pytest.fixture
def graph(drawing):
    """Eight hosts on each of two leaf switches, which have a link to each of eight spines."""
    drawing.add("generic-switch", "leaf-a", "leaf-b", *(f"spine-{number}" for number in range(HOSTS)))
    drawing.add("generic-host", *(f"{side}{number}" for side in "ab" for number in range(HOSTS)))
    for side in "ab":
        for number in range(HOSTS):
            drawing.join(f"{side}{number}", f"leaf-{side}")
            drawing.join(f"leaf-{side}", f"spine-{number}")
    return build(drawing.design)


def scenario(queue_pairs: int, **more) -> Scenario:
    return Scenario(traffic=f"shift:{HOSTS}", routing="ecmp", size_bytes=1e9, seed=3, queue_pairs=queue_pairs, **more)


def test_each_queue_pair_takes_a_way_of_its_own_with_an_even_share_of_the_bytes(graph):
    src, dst, size = np.array([0, 1]), np.array([HOSTS, HOSTS + 1]), np.array([8e9, 4e9])
    nothing = np.zeros(2, dtype=np.int64)
    found = ecmp.route(prepared(graph, scenario(4)), src, dst, size, nothing, 3)
    alone = [ecmp.route(network(graph), src, dst, size, nothing, ecmp.seed_of(3, number)) for number in range(4)]
    for flow in range(2):
        row = slice(found.start[flow], found.start[flow + 1])
        assert len(set(found.arcs[row].tolist())) == len(found.arcs[row]), "an arc is in the row twice"
        expected = np.zeros(graph.n_arcs)
        for paths in alone:
            one = slice(paths.start[flow], paths.start[flow + 1])
            np.add.at(expected, paths.arcs[one], 0.25)
        assert np.bincount(found.arcs[row], found.weights[row], graph.n_arcs) == pytest.approx(expected)
    assert found.bytes_on == pytest.approx(np.mean([paths.bytes_on for paths in alone], axis=0))
    assert found.latency_ns == pytest.approx(alone[0].latency_ns)


def test_more_queue_pairs_collide_less_and_one_is_what_there_was(graph):
    assert simulate(graph, scenario(1)).time_s == simulate(graph, Scenario(**plain())).time_s
    times = [simulate(graph, scenario(n)).time_s for n in (1, 4, 64)]
    assert times[0] > times[1] > times[2] > 0.02  # 1 GB at 400 Gb/s


def plain() -> dict:
    return {"traffic": f"shift:{HOSTS}", "routing": "ecmp", "size_bytes": 1e9, "seed": 3}


def test_collisions_count_queue_pairs_and_a_result_names_them(graph):
    asked = scenario(4)
    result = simulate(graph, asked)
    (found,) = collisions(result, asked)
    (single,) = collisions(simulate(graph, scenario(1)), scenario(1))
    assert found.choices == 4 * single.choices
    assert result.model.routing == "ecmp (queue pairs 4)"


def test_an_all_to_all_without_its_flows_has_the_loads_of_its_queue_pairs(graph):
    members = np.arange(2 * HOSTS)
    src, dst = np.repeat(members, len(members)), np.tile(members, len(members))
    src, dst = src[src != dst], dst[src != dst]
    net = prepared(graph, scenario(3))
    written = ecmp.route(net, src, dst, np.ones(len(src)), np.zeros(len(src), dtype=np.int64), 3)
    counted, _ = uniform.hashed_loads(net, members, 3)
    assert counted == pytest.approx(written.bytes_on)


def test_other_routings_have_no_queue_pairs(graph):
    asked = Scenario(traffic=f"shift:{HOSTS}", routing="spray", queue_pairs=4)
    assert prepared(graph, asked).switching.queue_pairs == 1 and asked.routing_text == "spray"
