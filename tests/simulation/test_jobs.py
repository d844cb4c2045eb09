"""Several jobs on one fabric: closed forms, jobs alone as the measure, steps counted rather than followed."""

import numpy as np
import pytest

from designer.errors import ParameterError
from designer.model import operations
from designer.model.placed_jobs import whole
from designer.simulation.engine import simulate
from designer.simulation.flows.flow_classes import kinds_of
from designer.simulation.jobs import concurrent_jobs
from designer.simulation.jobs.design_jobs import jobs_of, sent
from designer.simulation.jobs.interference import simulate_jobs
from designer.simulation.jobs.job import Job
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json
from designer.units import BYTES_PER_S_PER_GBPS

NIC = 50e9  # bytes/s of a 400G port
LEAF_1, LEAF_2 = tuple(range(8)), tuple(range(8, 16))
EVEN, ODD = tuple(range(0, 64, 2)), tuple(range(1, 64, 2))


def scenario(**choices) -> Scenario:
    return Scenario(**{"latency": False, "exact": True, **choices})


def test_two_all_to_alls_on_leafs_of_their_own_do_not_disturb_each_other(two_to_one):
    jobs = [Job(name, scenario(collective="all-to-all", ranks=ranks)) for name, ranks in (("a", LEAF_1), ("b", LEAF_2))]

    result = simulate_jobs(two_to_one, jobs)

    for outcome in result.jobs:
        assert outcome.time_s == outcome.alone.time_s == pytest.approx(7 / 8 * 2**30 / NIC)
        assert (outcome.slowdown, outcome.meets) == (1.0, ())
    assert result.model.shares_no_links == ("a", "b")


@pytest.mark.parametrize("routing", ["spray", "destination"])
def test_two_jobs_that_fill_the_same_uplinks_get_half_each(two_to_one, routing):
    # Four hosts of leaf 1 send to four of leaf 2: alone they fill its four uplinks, together they need twice as many.
    jobs = [
        Job(name, scenario(traffic="shift:4", size_bytes=1e9, ranks=LEAF_1[part] + LEAF_2[part], routing=routing))
        for name, part in (("a", slice(0, 4)), ("b", slice(4, 8)))
    ]

    result = simulate_jobs(two_to_one, jobs)

    for outcome in result.jobs:
        assert outcome.alone.time_s == pytest.approx(1e9 / NIC)
        assert outcome.time_s == pytest.approx(2e9 / NIC)
        assert outcome.slowdown == pytest.approx(2)
    assert result.jobs[0].meets == ("b",)
    why = result.jobs[0].bottlenecks[0].why
    assert "leaf-01" in why and "of a and" in why and "of b share 400 Gb/s; together they could use 800 Gb/s" in why
    (hottest, *_) = result.links(1)
    assert hottest.utilization_peak == pytest.approx(1) and set(hottest.bytes_by_job) == {"a", "b"}
    assert hottest.bytes == pytest.approx(sum(hottest.bytes_by_job.values()))


def test_a_job_that_ends_leaves_its_share_to_the_other(two_to_one):
    # Half the uplinks each until the short job has sent 1 GB, then all of them: 40 ms and 2 GB more at full rate.
    jobs = [
        Job(name, scenario(traffic="shift:4", size_bytes=size, ranks=LEAF_1[part] + LEAF_2[part]), loop=False)
        for name, size, part in (("short", 1e9, slice(0, 4)), ("long", 3e9, slice(4, 8)))
    ]

    result = simulate_jobs(two_to_one, jobs)

    short, long = result.jobs
    assert short.time_s == pytest.approx(2e9 / NIC)
    assert long.time_s == pytest.approx(2e9 / NIC + 2e9 / NIC)
    # What an arc carries all the while is what both jobs send over it: 4 GB of the uplinks' 8 GB in 80 ms each way.
    links, asked = two_to_one.link >= 0, result.bytes_by_job.sum(axis=0)
    rate = two_to_one.capacity_gbps[links] * BYTES_PER_S_PER_GBPS
    assert result.utilization_mean[links] * rate * result.time_s == pytest.approx(asked[links])


def test_ends_of_jobs_that_are_close_are_merged_unless_they_are_to_be_exact(two_to_one):
    # The long job has 0.4 MB left when the short one ends, and sends it at full rate: half of what merging makes of it.
    def run(is_exact):
        jobs = [
            Job(name, scenario(traffic="shift:4", size_bytes=size, ranks=ranks, exact=is_exact), loop=False)
            for name, size, ranks in (
                ("short", 1e9, LEAF_1[:4] + LEAF_2[:4]),
                ("long", 1.0004e9, LEAF_1[4:] + LEAF_2[4:]),
            )
        ]
        return simulate_jobs(two_to_one, jobs)

    exact, merged = run(True), run(False)

    assert [one.time_s for one in exact.jobs] == pytest.approx([2e9 / NIC, 2e9 / NIC + 0.0004e9 / NIC], rel=1e-9)
    assert exact.model.ends_merged_within < 1e-9
    assert merged.model.ends_merged_within == 1e-3
    assert [one.time_s for one in merged.jobs] == pytest.approx([one.time_s for one in exact.jobs], rel=1e-3)
    assert merged.jobs[1].time_s != pytest.approx(exact.jobs[1].time_s, rel=1e-9)
    assert merged.model.rate_solves < exact.model.rate_solves


def test_a_job_that_loops_keeps_its_share_until_the_other_has_run(two_to_one):
    jobs = [
        Job(name, scenario(traffic="shift:4", size_bytes=size, ranks=LEAF_1[part] + LEAF_2[part]))
        for name, size, part in (("short", 1e6, slice(0, 4)), ("long", 3e9, slice(4, 8)))
    ]

    result = simulate_jobs(two_to_one, jobs)

    assert [outcome.slowdown for outcome in result.jobs] == pytest.approx([2, 2])
    assert result.model.steps_followed < 20  # of 3,000 runs of the short job


@pytest.mark.parametrize(("n_ranks", "n_steps"), [(2, 2), (3, 4), (4, 6), (6, 10)])
def test_of_steps_that_are_alike_the_first_two_and_the_last_are_followed(two_to_one, n_ranks, n_steps):
    """A ring all-reduce of n ranks takes 2(n - 1) steps: what lies between is counted, be it a single step."""
    ring = {"collective": "all-reduce", "size_bytes": 1e9}
    jobs = [
        Job(name, scenario(**ring, ranks=tuple(range(place, 8 * n_ranks, 8))), loop=False)
        for name, place in (("a", 0), ("b", 1))
    ]

    result = simulate_jobs(two_to_one, jobs)

    assert [outcome.alone.phases[0].repeat for outcome in result.jobs] == [n_steps, n_steps]
    assert result.model.steps_followed == 2 * min(n_steps, 3)
    assert not any("mean pace" in note for note in result.model.notes)  # none drifts against another
    for outcome in result.jobs:
        assert outcome.time_s == pytest.approx(n_steps / n_ranks * 1e9 / NIC)


def test_a_job_of_several_acts_that_loops_goes_through_all_of_them_again(superpod_graph):
    """Of a hierarchical all-reduce the part between servers meets the other job, in the first run and all others."""
    ranks = tuple(range(64))

    def slowdown(loop):
        acts = scenario(collective="all-reduce", algorithm="hierarchical", size_bytes=1e8, ranks=ranks)
        long = scenario(traffic="shift:8", size_bytes=2e9, ranks=ranks)
        return simulate_jobs(superpod_graph, [Job("acts", acts, loop=loop), Job("long", long)]).jobs[1].slowdown

    once, again = slowdown(False), slowdown(True)
    assert 1 < once < 1.1
    assert again > 1.2


def test_a_job_that_begins_later_is_timed_from_its_start(two_to_one):
    jobs = [
        Job(name, scenario(traffic="shift:4", size_bytes=1e9, ranks=LEAF_1[part] + LEAF_2[part]), start_s, loop=False)
        for name, start_s, part in (("first", 0.0, slice(0, 4)), ("second", 0.01, slice(4, 8)))
    ]

    result = simulate_jobs(two_to_one, jobs)

    # Alone for 10 ms, then halves: the first has 0.5 GB left at half rate, the second gets all of it afterwards.
    first, second = result.jobs
    assert first.time_s == pytest.approx(0.01 + 0.02)
    assert second.time_s == pytest.approx(0.02 + 0.01)
    assert result.time_s == pytest.approx(0.04)


def test_two_like_rings_take_twice_as_long_and_are_followed_for_a_step_or_two_only(two_to_one):
    jobs = [
        Job(name, scenario(collective="all-reduce", order="random", ranks=ranks))
        for name, ranks in (("even", EVEN), ("odd", ODD))
    ]

    result = simulate_jobs(two_to_one, jobs)

    for outcome in result.jobs:
        assert outcome.slowdown == pytest.approx(2)
        assert outcome.busbw_gbytes_per_s == pytest.approx(outcome.alone.busbw_gbytes_per_s / 2)
    assert result.model.steps_followed < 20 and not result.model.notes


def test_small_rings_side_by_side_have_the_latency_that_each_has_alone(two_to_one):
    """Steps follow each other closely beside other jobs too: the sum of the hops, not the slowest at every step."""
    jobs = [Job(name, scenario(collective="all-reduce", size_bytes=8, latency=True)) for name in "ab"]
    for outcome in simulate_jobs(two_to_one, jobs).jobs:
        assert outcome.meets
        assert outcome.time_s == pytest.approx(outcome.alone.latency_s, rel=1e-3)


def test_counting_repeated_steps_changes_nothing_against_following_each(two_to_one, monkeypatch):
    jobs = [
        Job(name, scenario(collective="all-reduce", size_bytes=size, latency=True, ranks=ranks, order="random"))
        for name, ranks, size in (("even", EVEN, 1e9), ("odd", ODD, 7.3e8))
    ]
    counted = simulate_jobs(two_to_one, jobs)
    monkeypatch.setattr(concurrent_jobs._Play, "_leap", lambda play: None)

    followed = simulate_jobs(two_to_one, jobs)

    for one, other in zip(counted.jobs, followed.jobs, strict=True):
        assert one.time_s == pytest.approx(other.time_s, rel=1e-9)
    np.testing.assert_allclose(counted.utilization_mean, followed.utilization_mean, rtol=1e-6)
    np.testing.assert_allclose(counted.utilization_peak, followed.utilization_peak)


def test_steps_that_drift_are_taken_at_their_mean_pace_and_the_model_says_so(two_to_one, monkeypatch):
    jobs = [
        Job(name, scenario(collective="all-reduce", size_bytes=size, latency=True, ranks=ranks, order="random"))
        for name, ranks, size in (("even", EVEN, 1e9), ("odd", ODD[:31], 7.3e8))
    ]
    followed = simulate_jobs(two_to_one, jobs)
    monkeypatch.setattr(concurrent_jobs, "MEAN_OVER", 10)

    result = simulate_jobs(two_to_one, jobs)

    assert result.model.steps_followed < followed.model.steps_followed
    for one, other in zip(result.jobs, followed.jobs, strict=True):
        assert one.time_s == pytest.approx(other.time_s, rel=0.02)
    assert any("mean pace" in note for note in result.model.notes)


def test_jobs_of_a_kind_are_the_same_job_run_alone_when_only_one_is_there(superpod_graph):
    asked = Scenario(collective="all-reduce", algorithm="hierarchical", ranks=128)

    (outcome,) = simulate_jobs(superpod_graph, [Job("only", asked)]).jobs

    assert outcome.time_s == simulate(superpod_graph, asked).time_s and outcome.slowdown == 1


def test_jobs_on_every_other_server_of_a_non_blocking_superpod_do_not_slow_each_other(superpod_graph):
    server = np.arange(256) // 8
    jobs = [
        Job("even", Scenario(collective="all-reduce", ranks=tuple(np.flatnonzero(server % 2 == 0).tolist()))),
        Job("odd", Scenario(collective="all-to-all", ranks=tuple(np.flatnonzero(server % 2).tolist()), size_bytes=1e8)),
    ]

    for outcome in simulate_jobs(superpod_graph, jobs).jobs:
        assert outcome.slowdown == pytest.approx(1, rel=2e-3)


def test_every_collective_and_routing_runs_beside_another_job(two_to_one):
    for routing in ("ecmp", "destination", "valiant", "adaptive"):
        jobs = [
            Job("a", scenario(collective="all-to-all", ranks=EVEN[:12], routing=routing, size_bytes=1e8)),
            Job("b", scenario(collective="all-reduce", algorithm="halving-doubling", ranks=ODD, routing=routing)),
        ]
        for outcome in simulate_jobs(two_to_one, jobs).jobs:
            assert outcome.slowdown > 1 - 1e-3


def test_gpus_in_two_jobs_are_told(two_to_one):
    jobs = [Job(name, scenario(collective="all-reduce", ranks=ranks)) for name, ranks in (("a", 8), ("b", 12))]

    result = simulate_jobs(two_to_one, jobs)

    assert result.on_same_gpus == ("8 GPUs are in both a and b",)
    assert result.model.notes[0] == "8 GPUs are in both a and b"


def test_a_slowdown_by_few_flows_beside_many_is_told_to_come_of_sharing_by_flow(two_to_one):
    kinds = (("ring", "all-reduce"), ("pairs", "all-to-all"))
    jobs = [Job(name, scenario(collective=collective, ranks=16)) for name, collective in kinds]

    ring, pairs = simulate_jobs(two_to_one, jobs).jobs

    assert ring.slowdown > 10 and ring.flows_there == {"ring": 1, "pairs": 64}
    assert "1 of ring next to 64 of pairs" in ring.by_flow and as_json(ring)["by_flow"] == ring.by_flow
    assert not pairs.by_flow, "it is hardly slower"


def test_what_holds_a_job_back_is_counted_to_the_end(two_to_one):
    jobs = [Job(name, scenario(collective="all-to-all", ranks=64)) for name in ("a", "b")]

    for outcome in simulate_jobs(two_to_one, jobs).jobs:
        assert len(outcome.bottlenecks) == 20
        assert max(one.alike for one in outcome.bottlenecks) == 128, "every NIC, both ways"


def test_a_job_with_one_flow_within_a_server_only_never_stalls_the_others(superpod_graph):
    jobs = [
        Job("inside", Scenario(collective="all-reduce", ranks=tuple(range(8)), size_bytes=1e6)),
        Job("across", Scenario(traffic="shift:8", ranks=tuple(range(4, 20)), size_bytes=1e9)),
    ]

    inside, across = simulate_jobs(superpod_graph, jobs).jobs

    assert inside.slowdown >= 1 and across.slowdown >= 1 - 1e-3


@pytest.mark.parametrize(
    ("jobs", "words"),
    [
        ([], "no jobs"),
        ([Job("a", scenario(collective="all-reduce"))] * 2, "two jobs are called a"),
        (
            [Job("a", scenario(collective="all-reduce")), Job("b", scenario(collective="all-reduce", routing="ecmp"))],
            "job b and job a differ in routing",
        ),
    ],
)
def test_jobs_that_do_not_fit_together_are_refused(two_to_one, jobs, words):
    with pytest.raises(ParameterError, match=words):
        simulate_jobs(two_to_one, jobs)


@pytest.mark.parametrize("fields", [{"name": " "}, {"name": "a", "start_s": -1.0}])
def test_a_job_that_makes_no_sense_is_refused(fields):
    with pytest.raises(ParameterError):
        Job(scenario=scenario(collective="all-reduce"), **fields)


def test_like_flows_are_of_one_kind_and_their_quotient_has_the_same_loads():
    # Two arcs of 10 that two flows each cross, and one of 5 that all four cross.
    start, arcs = np.array([0, 2, 4, 6, 8]), np.array([0, 2, 0, 2, 1, 2, 1, 2], dtype=np.int32)
    found = kinds_of(start, arcs, np.ones(8), np.array([10.0, 10.0, 5.0, np.inf]), np.zeros(4, dtype=np.uint64))

    assert (found.n_kinds, found.n_classes, found.counts.tolist()) == (1, 2, [4])
    by_class = dict(zip(found.capacity[found.classes].tolist(), found.weights.tolist(), strict=True))
    assert by_class == {10.0: 2.0, 5.0: 4.0}
    assert found.class_of_arc[3] == -1


def test_a_job_that_is_left_with_one_gpu_is_refused_by_its_name(generate):
    design = generate("pgft", children=(4,), parents=(1,))
    two = [server.id for server in design.servers()[:2]]
    design.apply(operations.add_job(design, "pair", servers=whole(two), **sent(Scenario(collective="all-reduce"))))

    assert [job.scenario.ranks for job in jobs_of(design, {})] == [(0, 1)]
    with pytest.raises(ParameterError, match=r"^pair has fewer than two GPUs: its servers failed, or are too few$"):
        jobs_of(design, {}, failed={two[1]})


def test_progress_of_jobs_rises_to_the_end(two_to_one):
    names = {"a": range(0, 16, 4), "b": range(1, 16, 4), "c": range(2, 16, 4)}
    jobs = [Job(name, scenario(collective="all-reduce", ranks=tuple(ranks))) for name, ranks in names.items()]
    seen: list[float] = []
    simulate_jobs(two_to_one, jobs, seen.append)
    assert seen == sorted(seen) and seen[-1] == 1
