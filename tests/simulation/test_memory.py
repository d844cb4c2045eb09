"""A run whose flows would take more memory than the limit is refused before it begins, with the figure."""

from dataclasses import replace

import numpy as np
import pytest

from designer.errors import ParameterError
from designer.graph.building.build import build
from designer.routing.network import network
from designer.routing.policies import POLICIES
from designer.simulation import memory, phase_results
from designer.simulation.engine import simulate
from designer.simulation.jobs.interference import simulate_jobs
from designer.simulation.jobs.job import Job
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import flows


@pytest.fixture(scope="module")
def fabric(generate):
    """Eight servers of eight GPUs with three NICs each: nothing of an all-to-all is uniform."""
    return build(generate("fat-tree", switch="generic-tomahawk5-64x800", server="gaudi3-hls3", servers=8))


def sent(n_gpus: int):
    everyone = np.arange(n_gpus, dtype=np.int64)
    src = np.repeat(everyone, n_gpus - 1)
    return flows(src, (src + np.tile(everyone[1:], n_gpus)) % n_gpus, 1e6)


REFUSAL = (
    r"on these ranks would take about [0-9.]+ [kM]B of memory for [0-9,]+ flows, more than the limit of 20 kB: "
    r"choose fewer ranks, or raise the limit \(--memory-limit, or Memory limit in the window's Settings\)$"
)


@pytest.mark.parametrize(
    "asked",
    [
        {"traffic": "permutation:1"},
        {"traffic": "all-to-all"},
        {"traffic": "all-to-all", "routing": "ecmp"},
        {"collective": "all-to-all"},
        {"collective": "all-reduce"},
        {"collective": "broadcast"},
        {"traffic": "shift:3", "routing": "valiant"},
        {"traffic": "shift:3", "congestion": "head-of-line"},
    ],
)
def test_flows_that_need_more_than_the_limit_are_refused_with_the_figure(fabric, asked):
    scenario = Scenario(**asked, size_bytes=1e8)
    simulate(fabric, scenario)
    with pytest.raises(ParameterError, match=REFUSAL):
        simulate(fabric, replace(scenario, memory_limit_bytes=2e4))


def test_pairs_from_a_file_are_refused_too(fabric, tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("src,dst,bytes\n" + "".join(f"{n},{n + 1},1000\n" for n in range(60)))
    scenario = Scenario(traffic=f"pairs:{pairs}")
    assert simulate(fabric, scenario).flows.count == 60
    with pytest.raises(ParameterError, match="memory for 60 flows, more than the limit of 5 kB"):
        simulate(fabric, replace(scenario, memory_limit_bytes=5e3))


def test_jobs_together_are_refused_before_they_are_routed(fabric):
    alone = {"collective": "all-reduce", "size_bytes": 1e8, "memory_limit_bytes": 30e3}
    jobs = [Job("a", Scenario(**alone, ranks=8)), Job("b", Scenario(**alone, ranks=tuple(range(4, 12))))]
    with pytest.raises(ParameterError, match=r"^jobs a, b would take about 36 kB .* the limit of 30 kB"):
        simulate_jobs(fabric, jobs)
    raised = [Job(job.name, replace(job.scenario, memory_limit_bytes=8e9)) for job in jobs]
    assert simulate_jobs(fabric, raised).jobs


def test_the_limit_is_no_part_of_what_a_result_is_of(fabric):
    a, b = (Scenario(traffic="shift:1", memory_limit_bytes=limit) for limit in (8e9, 9e9))
    assert a == b
    with pytest.raises(ParameterError, match="memory limit should be above 0"):
        Scenario(traffic="shift:1", memory_limit_bytes=0)


@pytest.mark.parametrize("routing", ["spray", "ecmp", "valiant"])
def test_the_estimate_follows_the_arcs_that_flows_use(fabric, routing):
    net, all_flows = network(fabric), sent(fabric.n_endpoints)
    policy = POLICIES[routing]
    scenario = Scenario(traffic="all-to-all", routing=routing, memory_limit_bytes=1.0)
    paths = policy.route(net, all_flows.src, all_flows.dst, all_flows.size_bytes, all_flows.channel, 0)
    expected = len(all_flows) * memory.FLOW_BYTES + len(paths.arcs) * memory.ENTRY_BYTES

    assert memory.bytes_needed(net, all_flows, policy.route, scenario) == pytest.approx(expected, rel=0.2)
    bound = memory.bytes_needed(net, all_flows, policy.route, replace(scenario, memory_limit_bytes=1e12))
    assert expected < bound < 1e12


def test_an_all_to_all_in_pieces_takes_pieces_that_fit(fabric, monkeypatch):
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 100)
    scenario = Scenario(traffic="all-to-all", size_bytes=1e6)
    whole = simulate(fabric, scenario)
    routed: list[int] = []
    route = phase_results._route
    monkeypatch.setattr(
        phase_results, "_route", lambda net, some, asked: routed.append(len(some)) or route(net, some, asked)
    )
    pieces = simulate(fabric, replace(scenario, memory_limit_bytes=1e6))
    assert len(routed) > 1 and sum(routed) == 64 * 63
    assert pieces.bytes == pytest.approx(whole.bytes) and pieces.time_s == pytest.approx(whole.time_s)
    assert max(routed) * (memory.FLOW_BYTES + memory.ENTRY_BYTES) < 1e6


def test_an_all_to_all_that_fits_is_routed_in_one_go_so_that_its_rates_at_the_start_are_known(fabric, monkeypatch):
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 100)
    monkeypatch.setattr(phase_results, "PIECE_BYTES", 1e5)
    scenario = Scenario(traffic="all-to-all", size_bytes=1e6)
    roomy, tight = (simulate(fabric, replace(scenario, memory_limit_bytes=limit)) for limit in (8e9, 1e6))
    assert roomy.model.notes[0].endswith("peak loads are those at the start")
    assert tight.model.notes[0].endswith("peak loads are lower bounds")
    assert roomy.flows.count == tight.flows.count == 64 * 63
    assert roomy.flows.rate_mean_gbps > tight.flows.rate_mean_gbps  # then only the slowest flow's rate is known
