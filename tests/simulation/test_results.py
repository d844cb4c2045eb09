"""What a result says: loads, reasons, assumptions, and how it is cancelled."""

import json
from dataclasses import replace

import numpy as np
import pytest

from designer.errors import Cancelled, GraphError, ParameterError
from designer.graph.building.build import build
from designer.simulation import phase_results
from designer.simulation.engine import simulate
from designer.simulation.explain import pressure
from designer.simulation.flows import fluid
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json
from designer.units import format_capacity
from designer.warm_up import warm_up


def test_the_bottleneck_of_an_incast_is_named_with_what_it_would_need(two_to_one):
    result = simulate(two_to_one, Scenario(traffic="incast:16", size_bytes=1e9))

    (worst,) = result.bottlenecks
    assert worst.why == "leaf-01 1 -> host-01 nic1: 16 flows share 400 Gb/s; their demand is 6.4 Tb/s"
    assert (worst.source, worst.target, worst.port, worst.flows) == ("leaf-01", "host-01", "1", 16)
    assert worst.utilization == pytest.approx(1)


def test_the_bottleneck_of_an_oversubscribed_fabric_is_every_uplink(two_to_one):
    for routing in ("spray", "destination"):
        result = simulate(two_to_one, Scenario(traffic="shift:8", size_bytes=1e9, routing=routing))
        assert {b.source[:4] + b.target[:5] for b in result.bottlenecks} == {"leafspine", "spinleaf-"}
        assert result.bottlenecks[0].why.endswith("share 400 Gb/s; their demand is 800 Gb/s")


def test_sprayed_flows_that_cross_in_part_are_counted_all(two_to_one):
    result = simulate(two_to_one, Scenario(collective="all-to-all"))

    # 8 hosts of a leaf send to 56 on others, a quarter of each flow over each of 4 uplinks.
    assert {b.flows for b in result.bottlenecks} == {8 * 56}
    assert result.bottlenecks[0].why.endswith(
        f"parts of 448 flows share 400 Gb/s; their demand is {format_capacity(400 * 112 / 63)}"
    )
    whole = simulate(two_to_one, Scenario(collective="all-to-all", routing="destination"))
    assert all(b.why.split(": ")[1].startswith(f"{b.flows} flows share") for b in whole.bottlenecks)


def test_when_nothing_in_the_fabric_is_short_the_nics_are_said_to_set_the_pace(superpod_graph):
    result = simulate(superpod_graph, Scenario(collective="all-reduce"))

    assert result.bottlenecks[0].why == (
        "gpu-001 rail1 (OSFP4P2) -> leaf-su1-r1 1/1: 1 flow fills its 397.5 Gb/s (400 Gb/s less packet headers); "
        "the NIC sets the pace, not the fabric"
    )


def test_a_ring_inside_a_server_is_held_by_its_scale_up_domain(superpod_graph):
    result = simulate(superpod_graph, Scenario(collective="all-reduce", ranks=8))

    assert "the scale-up domain sets the pace" in result.bottlenecks[0].why
    assert result.bottlenecks[0].link_id is None


def test_two_flows_hashed_onto_one_port_are_found(generate):
    graph = build(generate("pgft", children=(8, 2), parents=(1, 8)))
    scenario = Scenario(traffic="shift:8", size_bytes=1e9, routing="ecmp", latency=False)
    results = (simulate(graph, replace(scenario, seed=seed)) for seed in range(20))
    clashing = next(result for result in results if result.time_s > 0.021)
    worst = clashing.bottlenecks[0]
    assert worst.flows >= 2
    assert f"{worst.flows} flows share 400 Gb/s" in worst.why
    assert clashing.time_s == pytest.approx(worst.flows * 0.02)


def test_the_json_has_the_fields_of_the_contract_and_only_numbers_that_json_knows(superpod_graph):
    for scenario in (Scenario(collective="all-reduce"), Scenario(traffic="permutation:1")):
        row = simulate(superpod_graph, scenario).as_dict(5)
        assert {
            "model",
            "ranks",
            "size_bytes",
            "time_s",
            "algbw_gbytes_per_s",
            "busbw_gbytes_per_s",
            "bottlenecks",
            "links",
            "phases",
            "wall_s",
        } <= set(row)
        assert {"from", "to", "port", "utilization", "flows", "why"} == set(row["bottlenecks"][0])
        assert {
            "from",
            "from_port",
            "to",
            "to_port",
            "capacity_gbps",
            "bytes",
            "utilization_mean",
            "utilization_peak",
        } == set(row["links"][0])
        assert {"name", "repeat", "time_s"} == set(row["phases"][0])
        assert len(row["links"]) == 5
        assert ("flows" in row) == (scenario.traffic is not None)
        json.dumps(row, allow_nan=False)


def test_links_are_listed_hottest_first_in_both_directions(two_to_one):
    result = simulate(two_to_one, Scenario(traffic="incast:5", size_bytes=1e9))

    rows = result.links(None)
    assert len(rows) == 2 * len(two_to_one.link_ids)
    peaks = [round(row.utilization_peak, 9) for row in rows]
    assert peaks == sorted(peaks, reverse=True)
    hottest = [rows[0].source, rows[0].source_port, rows[0].target, rows[0].target_port]
    assert hottest == ["leaf-01", "1", "host-01", "nic1"]
    assert sum(row.bytes for row in rows) == pytest.approx(result.bytes[two_to_one.link >= 0].sum())


def test_link_utilization_is_by_link_and_direction(two_to_one):
    result = simulate(two_to_one, Scenario(traffic="incast:5", size_bytes=1e9))

    utilization = result.link_utilization()
    assert set(utilization) == set(two_to_one.link_ids)
    first = utilization[two_to_one.link_ids[0]]  # host-01 to leaf-01
    assert first == (0.0, pytest.approx(1.0))


def test_failed_links_are_not_among_the_loads(generate):
    design = generate("pgft", children=(8, 8), parents=(1, 4))
    graph = build(design, failed=frozenset({"spine-02"}))

    result = simulate(graph, Scenario(collective="all-to-all", failed=("spine-02",)))

    gone = {link.id for link in design.links_of(design.find("spine-02").id)}
    assert not gone & set(result.link_utilization())
    assert result.model.failed == ("spine-02",)


def test_a_failure_the_graph_was_not_built_without_is_refused(two_to_one):
    with pytest.raises(ParameterError, match="spine-02 is to have failed"):
        simulate(two_to_one, Scenario(collective="all-to-all", failed=("spine-02",)))


def test_ranks_cut_off_by_a_failure_are_named(generate):
    graph = build(generate("pgft", children=(2, 2), parents=(1, 1)), failed=frozenset({"spine-01"}))

    for scenario in (Scenario(collective="all-reduce"), Scenario(collective="all-to-all")):
        with pytest.raises(GraphError, match=r"host-0\d cannot reach host-0\d"):
            simulate(graph, scenario)


def test_the_model_states_what_was_assumed_and_what_nobody_knows(superpod_graph):
    model = simulate(superpod_graph, Scenario(collective="all-reduce")).model

    assert model.efficiency == {"InfiniBand, MTU 4096": 0.9937, "scale-up domains": 1.0}
    assert next(iter(as_json(model))) == "assumed_latencies"
    assert [text.partition(", assumed")[0] for text in model.assumed_latencies] == [
        "latency of NVLink 4 (127): 822 ns",
        "latency of a NIC (1,016): 600 ns",
        "length of a link (2,040): 10 m",
    ]
    assert model.algorithm == "ring" and model.channels == 8 and model.ends_merged_within == 1e-3
    left_out = simulate(superpod_graph, Scenario(collective="all-reduce", latency=False)).model
    assert left_out.latency == "left out" and "assumed_latencies" not in as_json(left_out)


def test_latency_adds_the_longest_path_of_each_step(superpod_graph):
    scenario = Scenario(traffic="shift:1", size_bytes=1e6)
    with_it, without = (simulate(superpod_graph, replace(scenario, latency=latency)) for latency in (True, False))
    # A NIC at both ends, four cables of 10 m at 5 ns/m, a leaf, a spine and a leaf.
    assert with_it.time_s - without.time_s == pytest.approx(600e-9 + 4 * 50e-9 + 3 * 130e-9)


def test_merging_ends_changes_a_result_by_less_than_its_tolerance(generate):
    graph = build(generate("pgft", children=(16, 16), parents=(1, 8)))
    scenario = Scenario(traffic="permutation:3", routing="ecmp", size_bytes=1e9)

    merged, exact = simulate(graph, scenario), simulate(graph, replace(scenario, exact=True))

    assert merged.time_s == pytest.approx(exact.time_s, rel=2e-3)
    assert merged.flows is not None and exact.flows is not None
    assert merged.flows.mean_finish_s == pytest.approx(exact.flows.mean_finish_s, rel=2e-3)
    assert exact.model.ends_merged_within == 0


def test_exact_merges_no_ends_and_so_solves_more_often(generate):
    graph = build(generate("pgft", children=(7, 23), parents=(1, 5)))
    scenario = Scenario(traffic="all-to-all", routing="ecmp", size_bytes=1e9)
    merged, exact = simulate(graph, scenario), simulate(graph, replace(scenario, exact=True))
    assert exact.model.rate_solves > 1.5 * merged.model.rate_solves


def test_an_all_to_all_counted_by_loads_alone_ends_like_the_one_followed(generate, monkeypatch):
    graph = build(generate("pgft", children=(6, 6), parents=(1, 3)))
    scenario = Scenario(traffic="all-to-all", routing="ecmp", size_bytes=1e6, seed=3)
    followed = simulate(graph, scenario)

    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 0)
    in_one_go = simulate(graph, scenario)
    monkeypatch.setattr(phase_results, "MOST_AT_ONCE", 100)
    in_parts = simulate(graph, scenario)

    for counted in (in_one_go, in_parts):
        assert counted.time_s == pytest.approx(followed.time_s, rel=1e-9)
        assert counted.bytes == pytest.approx(followed.bytes)
        assert "time, bytes and mean loads are exact" in counted.model.notes[0]
        assert counted.bottlenecks[0].source == followed.bottlenecks[0].source
    assert in_one_go.flows is not None and followed.flows is not None
    assert in_one_go.flows.rate_mean_gbps == pytest.approx(followed.flows.rate_mean_gbps)


def test_a_run_is_cancelled_from_its_progress(superpod_graph):
    def stop(share: float) -> None:
        seen.append(share)
        if share > 0.1:
            raise Cancelled("enough")

    for scenario in (Scenario(collective="all-reduce"), Scenario(collective="all-to-all", routing="ecmp")):
        seen: list[float] = []
        with pytest.raises(Cancelled):
            simulate(superpod_graph, scenario, stop)
        assert len(seen) >= 2


def test_progress_rises_to_the_end(superpod_graph):
    seen: list[float] = []
    simulate(superpod_graph, Scenario(collective="all-reduce", algorithm="hierarchical"), seen.append)

    assert seen[0] == 0 and seen[-1] == 1
    assert seen == sorted(seen)


def test_progress_rises_within_a_phase_too(superpod_graph):
    seen: list[float] = []
    result = simulate(superpod_graph, Scenario(traffic="permutation:1", routing="ecmp"), seen.append)

    assert len(result.phases) == 1
    assert seen == sorted(seen) and any(0 < share < 1 for share in seen)


def test_the_same_scenario_gives_the_same_result(superpod):
    for routing in ("spray", "ecmp"):
        scenario = Scenario(traffic="permutation:2", routing=routing)
        a, b = (simulate(build(superpod), scenario) for _ in range(2))
        assert a.time_s == b.time_s
        assert (a.bytes == b.bytes).all() and (a.utilization_peak == b.utilization_peak).all()


def test_flows_nothing_limits_end_at_once():
    capacity, size_bytes = np.array([np.inf, 10.0]), np.array([5.0, 5.0])
    phase_result = fluid.run(np.array([0, 1, 2]), np.array([0, 1], dtype=np.int32), np.ones(2), capacity, size_bytes)
    assert phase_result.finish_s.tolist() == [0.0, 0.5]
    assert np.isinf(phase_result.first_rate[0])


def test_a_flow_without_room_never_ends_and_the_others_are_not_disturbed():
    start, arcs = np.array([0, 2, 3, 4]), np.array([0, 1, 0, 1], dtype=np.int32)
    phase_result = fluid.run(start, arcs, np.ones(4), np.array([0.0, 10.0]), np.array([5.0, 0.0, 5.0]))
    assert phase_result.finish_s.tolist() == [np.inf, 0.0, 0.5]
    assert phase_result.peak.tolist() == [0.0, 1.0]


def test_warming_up_reaches_the_kernels_of_every_kind_of_fabric():
    from designer.routing import adaptive_kernels, crossing_kernels, dimension_order_kernels, valiant_kernels
    from designer.simulation.flows import (
        hashed_kernels,
        levels_kernels,
        sprayed_kernels,
        uniform_kernels,
        windows_kernels,
    )

    warm_up()
    for kernel in (
        adaptive_kernels.newton,
        dimension_order_kernels.next_hops,
        valiant_kernels.loads,
        levels_kernels.advance,
        windows_kernels.fill_window,
        crossing_kernels.direct_shares,
        crossing_kernels.valiant_shares,
        hashed_kernels.hashed_loads,
        uniform_kernels.survey,
        sprayed_kernels.survey,
        sprayed_kernels.spray_loads,
        sprayed_kernels.spray_latency,
        uniform_kernels.destination_loads,
    ):
        assert kernel.dispatcher.signatures, kernel


def test_warming_up_runs_and_reports():
    seen: list[float] = []
    warm_up(seen.append)
    assert seen[0] == 0 and len(seen) > 2
    assert seen == sorted(seen) and seen[-1] < 1


def test_of_one_share_of_detours_for_all_pairs_only_adaptive_routing_speaks(two_to_one, monkeypatch):
    """Under Valiant's routing every flow takes a detour: there is no share to choose."""
    monkeypatch.setattr(phase_results, "MOST_WIDE", 100)
    notes = {
        routing: simulate(two_to_one, Scenario(traffic="all-to-all", routing=routing)).model.notes
        for routing in ("valiant", "adaptive")
    }
    assert "too irregular to follow every flow" in notes["valiant"][0] and notes["adaptive"][0] == notes["valiant"][0]
    assert len(notes["valiant"]) == 1
    assert "one share of detours for all pairs" in notes["adaptive"][1]


def test_flows_that_cross_in_part_are_no_longer_counted_where_that_would_take_too_long(two_to_one, monkeypatch):
    """Of 448 flows a quarter crosses each uplink: 112 flows' worth, so that at least so many cross it."""
    monkeypatch.setattr(pressure, "MOST_PAIRS_OF_LEAFS", 63)  # 8 leafs are 64 pairs
    result = simulate(two_to_one, Scenario(collective="all-to-all"))
    assert {bottleneck.flows for bottleneck in result.bottlenecks} == {8 * 56 // 4}
    assert "at least 112 flows" in result.bottlenecks[0].why


def test_runs_of_very_many_flows_say_that_they_are_followed_on_average(two_to_one, monkeypatch):
    scenario = Scenario(traffic="permutation:2", size_bytes=1e9)
    each = simulate(two_to_one, scenario)
    monkeypatch.setattr(fluid, "MOST_EXACT", 1)
    averaged, exact = simulate(two_to_one, scenario), simulate(two_to_one, replace(scenario, exact=True))
    assert "on average over windows of up to 3 % of the time" in averaged.model.notes[0]
    assert not averaged.are_peaks_known and exact.are_peaks_known and not exact.model.notes
    assert averaged.time_s == pytest.approx(each.time_s, rel=phase_results.MERGED)
