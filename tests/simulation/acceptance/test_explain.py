"""What explains slow measurements: seeded faults, put into synthetic measurements by the engine, are named first."""

import math
from dataclasses import replace

import numpy as np
import pytest

from designer.errors import ParameterError
from designer.graph.building.build import build
from designer.measurements.records import MeasuredRow, Measurement
from designer.simulation.acceptance.evidence import MeasuredPart, evidence_of
from designer.simulation.acceptance.explain import Bench, Explanation, bias_within, diagnose, noise_of
from designer.simulation.acceptance.faults import DEAD, HALF, Fault, degraded
from designer.simulation.acceptance.parts import HOSTS, MOST_PAIRS, Part, parts_of
from designer.simulation.curve import curve, sizes_from
from designer.simulation.scenario import Scenario

NOISE, TOLERANCE = 0.03, 0.1
SIZES = sizes_from("64MiB:8GiB")
ALL_REDUCE = Scenario(collective="all-reduce", size_bytes=8 * 2**30)


@pytest.fixture(scope="module")
def pod(generate):
    """3 units of 4 servers with 8 rails."""
    design = generate("rail-optimized", servers=12, servers_per_su=4)
    return design, build(design)


@pytest.fixture(scope="module")
def parts(pod):
    return parts_of(*pod, ALL_REDUCE)


@pytest.fixture(scope="module")
def bench(pod, parts):
    return Bench(*pod, [replace(ALL_REDUCE, ranks=part.ranks) for part in parts])


def explained(bench: Bench, parts, fault: Fault | None, seed: int, bias: float = 1.0) -> tuple[Explanation, ...]:
    """The explanations of measurements with a fault, every size with noise of its own."""
    truth = np.zeros(len(parts)) if fault is None else bench._simulated(fault)
    noise = np.random.default_rng(seed).normal(0, NOISE, (len(parts), len(SIZES)))
    measured = truth + math.log(bias) + np.log1p(noise).mean(axis=1)
    counts = np.full(len(parts), float(len(SIZES)))
    most_bias = bias_within(TOLERANCE) if measured.min() < math.log(1 - TOLERANCE) else None
    return bench.explanations(measured, counts, NOISE, [part.title for part in parts], lambda _share: None, most_bias)


def half_of_a_rail(bench: Bench, seed: int) -> tuple[int, Fault]:
    random = np.random.default_rng(1000 + seed)
    rails = bench.faults.rail_links()
    rail = int(random.choice(sorted(rails)))
    some = random.choice(rails[rail], len(rails[rail]) // 2, replace=False)
    return rail, Fault("seeded", "seeded", 1.0, tuple(sorted(some.tolist())), HALF)


@pytest.mark.parametrize("n_cases", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_half_of_a_rails_cables_at_half_rate_is_named_first(bench, parts, n_cases) -> None:
    named = 0
    for seed in range(n_cases):
        rail, fault = half_of_a_rail(bench, seed)
        best = explained(bench, parts, fault, seed)[0]
        named += best.kind == "rail-half" and best.title.startswith(f"Rail {rail}: ")
    assert named >= 0.95 * n_cases


def test_parts_are_the_whole_the_units_the_rails_and_the_pairs(parts, generate) -> None:
    assert [part.name for part in parts] == [
        "whole",
        *(f"unit {n}" for n in (1, 2, 3)),
        *(f"rail {n}" for n in range(1, 9)),
        *("pair 1 2", "pair 1 3", "pair 2 3"),
    ]
    assert [len(part.ranks) for part in parts][:5] == [96, 32, 32, 32, 12]
    assert {rank % 8 for rank in parts[5].ranks} == {1}
    plain = generate("fat-tree", servers=8)  # units without numbers are servers on the same leaf switches
    assert all(part.ranks for part in parts_of(plain, build(plain), ALL_REDUCE))
    assert MOST_PAIRS == 12 * 11 / 2


def test_a_healthy_fabric_has_no_fault_even_where_the_model_is_off(bench, parts) -> None:
    for bias in (1.0, 0.95):
        best = explained(bench, parts, None, 1, bias)[0]
        assert best.kind == "nothing"
        assert best.bias == pytest.approx(bias, abs=0.02)
        assert best.residual_sigma < 2


def test_all_that_is_slow_alike_is_no_fault_of_a_part(bench, parts) -> None:
    best = explained(bench, parts, None, 1, 0.45)[0]
    assert best.kind == "uniform"
    assert "TCP" not in best.title
    assert "TCP" in explained(bench, parts, None, 1, 0.04)[0].title


@pytest.mark.parametrize("factor", [0.88, 0.86, 0.7])
@pytest.mark.parametrize("n_parts", [1, 2, 100])
def test_a_shortfall_of_all_alike_is_never_no_fault(bench, pod, parts, factor, n_parts) -> None:
    measured = parts[:n_parts]
    of_these = bench if len(measured) == len(parts) else Bench(*pod, bench._runs[:n_parts])
    found = explained(of_these, measured, None, 1, factor)
    assert (found[0].kind, found[0].title.partition(":")[0]) == ("uniform", "Everything slower alike")
    assert "nothing" not in {one.kind for one in found}
    least, most = 1 - TOLERANCE - 1e-9, 1 / (1 - TOLERANCE) + 1e-9
    assert all(least <= one.bias <= most for one in found[1:]), "no fault leaves more than the tolerance to the model"
    assert sum(one.probability for one in found) == pytest.approx(1)


def test_the_tolerance_bounds_what_a_diagnosis_leaves_to_the_model(pod, parts) -> None:
    design, graph = pod
    sizes = sizes_from("1GiB:8GiB")
    expected = curve(graph, replace(ALL_REDUCE, ranks=parts[0].ranks), sizes, lambda _share: None)
    rows = tuple(
        MeasuredRow(round(one.size_bytes), one.time_us / 0.86, None, one.busbw_gbytes_per_s * 0.86)
        for one in expected.points
    )
    tested = [MeasuredPart(parts[0], Measurement(id="log", collective="all-reduce", rows=rows))]
    strict, lax = (diagnose(design, graph, ALL_REDUCE, tested, share, lambda _share: None) for share in (0.1, 0.2))
    assert strict.best.kind == "uniform"
    assert "nothing" in {one.kind for one in lax.explanations}
    assert diagnose(design, graph, ALL_REDUCE, tested, 0.0, lambda _share: None).best.kind == "uniform"


def test_a_single_link_is_told_as_far_as_the_measurements_tell_it(bench, parts) -> None:
    link = bench.faults.rail_links()[3][5]  # of the second server in unit 2
    best = explained(bench, parts, Fault("seeded", "", 1.0, (link,), HALF), 2)[0]
    assert best.kind == "link-half"
    named = (best.title, *best.alike)
    assert len(named) == 4  # any of the unit's servers
    assert any(bench.faults.title_of(link) in one for one in named)
    assert all("leaf-su2-r3" in one for one in named)
    slow = {effect.part for effect in best.effects if effect.predicted < 0.9}
    assert slow == {"Whole fabric", "Unit 2", "Rail 3", "Units 1 and 2", "Units 2 and 3"}


def test_a_dead_link_is_one_of_its_unit_since_its_gpu_borrows_a_nic_of_another_rail(bench, parts) -> None:
    link = bench.faults.rail_links()[3][5]
    best = explained(bench, parts, Fault("seeded", "", 1.0, (link,), DEAD), 2)[0]
    assert best.kind == "link-dead"
    assert all("leaf-su2" in one for one in (best.title, *best.alike))
    assert best.n_alike == 31


def test_tests_of_two_hosts_tell_which_cables_of_a_rail_are_slow(pod, parts) -> None:
    design, graph = pod
    rail = next(part for part in parts if part.name == "rail 4")
    pairs = [Part(HOSTS, f"hosts {n}", f"Hosts {n}", rail.ranks[n : n + 2]) for n in range(0, 12, 2)]
    runs = [replace(ALL_REDUCE, ranks=part.ranks) for part in (*parts, *pairs)]
    bench = Bench(design, graph, runs)
    some = tuple(bench.faults.rail_links()[4][:6])
    best = explained(bench, (*parts, *pairs), Fault("seeded", "", 1.0, some, HALF), 3)[0]
    assert best.title.startswith("Rail 4: 6 cables at half rate (gpu-01 rail4, gpu-02 rail4, gpu-03 rail4 and 3")


def test_another_algorithm_is_found(bench, parts) -> None:
    fault = Fault("seeded", "", 1.0, algorithm="double-binary-tree")
    assert "double-binary-tree" in explained(bench, parts, fault, 4)[0].title


def test_measurements_are_judged_where_bandwidth_decides(pod, parts) -> None:
    design, graph = pod
    unit, whole = parts[1], parts[0]

    def measured(part: Part, factor: float, sizes: str = "1KiB:8GiB") -> MeasuredPart:
        found = curve(graph, replace(ALL_REDUCE, ranks=part.ranks), sizes_from(sizes), lambda _share: None)
        rows = tuple(
            MeasuredRow(round(one.size_bytes), one.time_us / factor, None, one.busbw_gbytes_per_s * factor)
            for one in found.points
        )
        return MeasuredPart(part, Measurement(id=part.name, collective="all-reduce", rows=rows))

    evidence = evidence_of(
        design, graph, replace(ALL_REDUCE, ranks=unit.ranks), measured(unit, 0.5), lambda _share: None
    )
    assert evidence.ratio == pytest.approx(0.5)
    assert {row.size_bytes for row in evidence.rows if row.is_judged} == set(sizes_from("128MiB:8GiB"))
    assert len(evidence.rows) == 24
    rail = evidence_of(
        design, graph, replace(ALL_REDUCE, ranks=parts[4].ranks), measured(parts[4], 0.9), lambda _share: None
    )
    assert min(row.size_bytes for row in rail.rows if row.is_judged) == 2**27  # a 64th of the largest, and no less
    by_itself = measured(parts[4], 0.9, "32MiB:64MiB")
    rail = evidence_of(design, graph, replace(ALL_REDUCE, ranks=parts[4].ranks), by_itself, lambda _share: None)
    assert rail.n_judged == 2
    shares: list[float] = []
    found = diagnose(design, graph, ALL_REDUCE, [measured(whole, 0.5), measured(unit, 0.98)], 0.1, shares.append)
    assert "at half rate" in found.best.title or "dead" in found.best.title
    assert sum(one.probability for one in found.explanations) == pytest.approx(1)
    assert shares == sorted(shares)
    with pytest.raises(ParameterError, match="64M:8G"):
        diagnose(design, graph, ALL_REDUCE, [measured(unit, 0.5, "1KiB:64KiB")], 0.1, lambda _share: None)
    assert noise_of([evidence]) == 0.02


def test_degraded_links_keep_half_of_their_rate_and_dead_ones_are_not_there(pod) -> None:
    _, graph = pod
    half = degraded(graph, Fault("x", "", 1.0, (0, 3), HALF))
    changed = set(graph.link[half.capacity_gbps != graph.capacity_gbps].tolist())
    assert changed == {0, 3}
    assert set(graph.link.tolist()) - set(degraded(graph, Fault("x", "", 1.0, (5,), DEAD)).link.tolist()) == {5}
    assert degraded(graph, Fault("x", "", 1.0, routing="ecmp")) is graph
