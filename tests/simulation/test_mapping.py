"""The best mapping of a job: found by runs, bounded from below, repeatable, and one edit of the design."""

import random
from dataclasses import replace

import numpy as np
import pytest

from designer.errors import Cancelled, ParameterError
from designer.graph.building.build import build
from designer.model import operations
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.jobs.design_jobs import jobs_of
from designer.simulation.mapping.design_jobs import allocations, job_named, job_to_map, mapped
from designer.simulation.mapping.request import ALL, OWN, MappingSearch
from designer.simulation.mapping.search import Job, search_mapping
from designer.simulation.mapping.slots import Pattern, Servers, bound_s, patterns_of, slots_given, slots_of
from designer.simulation.mapping.walks import search_design, work_of
from designer.simulation.scenario import Scenario
from designer.workers.work import do

RING = Scenario(collective="all-reduce", size_bytes=2**26, routing="spray")


@pytest.fixture(scope="module")
def design(generate):
    """16 servers of 8 GPUs, 4 on each of 4 leaf switches, 4:1."""
    return generate("fat-tree", servers=16, switch="generic-switch", oversubscription=4)


@pytest.fixture(scope="module")
def graph(design):
    return build(design)


def scattered(graph, n):
    """Every fourth server, so that neighbors in the ring are never on one leaf switch."""
    leaf = network(graph).ends.leaf[::8, 0]
    order = sorted(range(16), key=lambda one: (one % 4, leaf[one], one))
    return tuple(gpu for one in order[:n] for gpu in range(8 * one, 8 * one + 8))


@pytest.mark.parametrize(
    "scenario",
    [
        RING,
        replace(RING, routing="ecmp"),
        replace(RING, algorithm="double-binary-tree"),
        replace(RING, algorithm="hierarchical"),
        replace(RING, in_network_reduction=True),
        replace(RING, collective="all-to-all"),
        replace(RING, collective="broadcast", algorithm=None, size_bytes=4096),
        replace(RING, collective="broadcast", algorithm="chain"),
        replace(RING, collective=None, traffic="shift:5"),
        replace(RING, collective=None, traffic="incast:7", routing="destination"),
    ],
    ids=lambda scenario: scenario.title,
)
def test_no_mapping_is_below_the_bound(graph, scenario):
    rng, servers, net = random.Random(3), Servers(graph), network(graph)
    base = slots_of(servers, 24 if scenario.algorithm == "hierarchical" else 20, 8)
    for pattern in patterns_of(base):
        bound = bound_s(net, scenario, servers, pattern, (0, 1, 2), np.arange(16))
        assert bound > 0
        for _ in range(4):
            ranks = servers.ranks(pattern, rng.sample(range(16), 3))
            assert simulate(graph, replace(scenario, ranks=ranks)).time_s >= bound * (1 - 1e-9)


def test_the_bound_is_reached_where_nothing_is_in_the_way(graph):
    one_leaf = tuple(range(32))
    servers = Servers(graph)
    pattern, order = slots_given(servers, one_leaf)
    for scenario in (RING, replace(RING, collective="all-to-all", latency=False)):
        bound = bound_s(network(graph), scenario, servers, pattern, order, np.arange(16))
        assert simulate(graph, replace(scenario, ranks=one_leaf)).time_s == pytest.approx(bound, rel=1e-3)


def test_the_bound_of_a_job_on_one_server_is_that_of_its_scale_up_domain(graph):
    servers = Servers(graph)
    pattern, order = slots_given(servers, range(8))
    for collective in ("all-reduce", "all-to-all"):
        scenario = replace(RING, collective=collective, latency=False, ranks=tuple(range(8)))
        bound = bound_s(network(graph), scenario, servers, pattern, order, np.arange(16))
        assert simulate(graph, scenario).time_s == pytest.approx(bound, rel=1e-3)


def test_patterns_have_the_same_gpus_in_other_orders():
    base = Pattern("as given", np.array([0, 1, 0, 1]), np.array([1, 0, 0, 1]))
    found = {one.name: list(zip(one.slot.tolist(), one.local.tolist(), strict=True)) for one in patterns_of(base)}
    assert found["server by server"] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert found["rail by rail"] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert all(sorted(pairs) == sorted(found["as given"]) for pairs in found.values()) and len(found) == 3


def test_scattered_ranks_are_gathered_and_the_bound_says_there_is_no_better(graph):
    job = Job("a", replace(RING, ranks=scattered(graph, 4)))
    found = search_mapping(graph, job, MappingSearch(runs=60))
    first = found.tried[0]
    assert first.blocks > 1 and found.best.blocks == 1
    assert found.time_s < first.time_s and "no other mapping is faster" in found.conclusion
    assert found.time_s == simulate(graph, replace(RING, ranks=found.best.ranks)).time_s
    own = search_mapping(graph, job, MappingSearch(among=OWN, runs=60))
    assert set(own.best.ranks) == set(job.scenario.ranks) and found.time_s <= own.time_s <= first.time_s


def test_changes_at_random_find_what_no_known_order_does(graph):
    """Servers 4 apart send to each other: no order of the topology brings those three onto one leaf switch."""
    job = Job("pairs", replace(RING, collective=None, traffic="shift:40", ranks=96))
    known = search_mapping(graph, job, MappingSearch(runs=12))
    longer = search_mapping(graph, job, MappingSearch(runs=150))
    assert longer.time_s < 0.9 * min(one.time_s for one in known.tried[:-1])
    assert longer.bound_s == known.bound_s <= longer.time_s


def test_the_same_input_takes_the_same_steps_and_another_draw_others(graph):
    job = Job("pairs", replace(RING, collective=None, traffic="shift:40", ranks=96))
    first, again = (search_mapping(graph, job, MappingSearch(runs=40)) for _ in range(2))
    assert first.best == again.best and first.runs == again.runs == 40
    assert search_mapping(graph, job, MappingSearch(runs=40, draw=5)).best.ranks != first.best.ranks


def test_walks_are_the_same_wherever_they_are_done(design):
    job = Job("pairs", replace(RING, collective=None, traffic="shift:40", ranks=96))
    search = MappingSearch(runs=15, walks=2)
    here = search_design(design, job, search)
    assert here.result.time_s == here.mapping.time_s and here.mapping.runs == 30
    one = search_design(design, job, replace(search, walks=1)).mapping
    assert here.mapping.time_s <= one.time_s
    elsewhere = do(*work_of(design, job, search).packed(), range(2))
    best = min(elsewhere, key=lambda mapping: mapping.time_s)
    assert best.best == here.mapping.best and sum(mapping.runs for mapping in elsewhere) == 30
    assert elsewhere[0].best.ranks == one.best.ranks != elsewhere[1].best.ranks


def test_a_search_can_be_cancelled_and_says_how_far_it_is(graph):
    shares = []

    def progress(share):
        shares.append(share)
        if len(shares) == 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        search_mapping(graph, Job("a", replace(RING, ranks=scattered(graph, 4))), MappingSearch(), progress)
    assert shares == sorted(shares) and shares[-1] <= 5 / 200


def test_what_the_tenth_job_gets_after_nine_is_compared_with_an_empty_fabric(graph):
    search = MappingSearch(earlier=9, sizes=(8, 16), leave=5, runs=40)
    found = search_mapping(graph, Job("tenth", replace(RING, ranks=32)), search)
    assert found.earlier[0] == "8 jobs came before, 5 of them ended, 3 still run"
    assert found.empty_s is not None and found.slowdown >= 1 - 1e-9
    assert found.free_servers < 16
    with pytest.raises(ParameterError, match="no server is free for the job: other jobs run on all 16 servers"):
        search_mapping(graph, Job("last", replace(RING, ranks=32)), MappingSearch(earlier=1, sizes=(128,)))
    with pytest.raises(ParameterError, match="the job needs 4 servers for 32 GPUs, 2 are free"):
        search_mapping(graph, Job("last", replace(RING, ranks=32)), MappingSearch(earlier=1, sizes=(112,)))
    with pytest.raises(ParameterError, match="3 jobs cannot leave of 2 that came before"):
        MappingSearch(earlier=2, leave=3)


def test_a_mapping_is_one_edit_of_the_job_and_undone_by_its_inverse(design, graph):
    drawn = design.snapshot()
    servers = allocations(graph, scattered(graph, 4))
    for name, where in (("a", servers), ("other", allocations(graph, range(32)))):
        drawn.apply(operations.add_job(drawn, name, size_bytes=2.0**26, collective="all-reduce", servers=where))
    search = MappingSearch(runs=30)
    placed = job_named(drawn, "a")
    job = job_to_map(drawn, placed, {}, search)
    taken = {one.device_id for one in job_named(drawn, "other").servers}
    assert job.taken == taken and job_to_map(drawn, placed, {}, MappingSearch(among=ALL)).taken == frozenset()
    found = search_mapping(graph, job, search)
    edit = mapped(drawn, graph, "a", job.scenario, found.best.ranks)
    drawn.apply(edit)
    assert jobs_of(drawn, {})[0].scenario.ranks == found.best.ranks
    drawn.apply(edit.inverted())
    assert job_named(drawn, "a") == placed
    new = mapped(drawn, graph, "b", replace(RING, ranks=16), (8, 9, 0, 1))
    drawn.apply(new)
    assert [one.gpus for one in job_named(drawn, "b").servers] == [(0, 1), (0, 1)]
    with pytest.raises(ParameterError, match="has no job 'c'; it has a, other, b"):
        job_named(drawn, "c")
